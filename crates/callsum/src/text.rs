//! Summaries in the words of the source, for people.

use glassbox_ir::{FuncId, Program};

use glassbox_whole::facts::text::{range_text, sum_text};
use glassbox_whole::summary::{Exit, Schema, Summary, Writes};

/// Constants beyond this come from the ends of types and mean nothing to a reader.
const MAX_CONSTANT: i128 = 1 << 30;

/// What holds whenever the function returns, and what it may have written.
pub(crate) fn lines(
    program: &Program,
    function: FuncId,
    summary: &Summary,
    writes: &Writes,
) -> Vec<String> {
    let mut lines = Vec::new();
    let returning: Vec<&Exit> = summary.returning().collect();
    match returning.as_slice() {
        [] => lines.push("does not return".to_owned()),
        [only] => lines.extend(exit_lines(&summary.schema, only, "returns only if ")),
        ways => {
            for way in ways {
                lines.push(format!(
                    "one way: {}",
                    exit_lines(&summary.schema, way, "if ").join(", ")
                ));
            }
        }
    }
    lines.push(writes_text(program, function, writes));
    lines
}

/// Ranges and relations; those of inputs are introduced by `condition`.
fn exit_lines(schema: &Schema, exit: &Exit, condition: &str) -> Vec<String> {
    let mut lines = Vec::new();
    match exit {
        Exit::Never => {}
        Exit::Anything => lines.push("may return anything".to_owned()),
        Exit::Known(state) => {
            for (quantity, variable) in &schema.quantities {
                let known = state.domains.iter().find(|(known, _)| known == variable);
                let text =
                    known.and_then(|(_, domain)| range_text(&schema.names[quantity], domain));
                let condition = if quantity.is_input() { condition } else { "" };
                lines.extend(text.map(|text| format!("{condition}{text}")));
            }
            for sum in state.sums() {
                if sum.constant.abs() < MAX_CONSTANT && !state.implies(&sum) {
                    lines.push(sum_text(&schema.terms, &sum, "<="));
                }
            }
        }
    }
    lines
}

fn writes_text(program: &Program, function: FuncId, writes: &Writes) -> String {
    if writes.anything {
        return "may write whatever is reachable".to_owned();
    }
    let params = &program.function(function).params;
    let globals = writes.globals.iter().map(|global| program.global(*global).name.clone());
    let behind = writes.params.iter().filter_map(|position| {
        params.get(*position).map(|param| format!("memory behind {}", param.name))
    });
    let all: Vec<String> = globals.chain(behind).collect();
    if all.is_empty() {
        "writes nothing".to_owned()
    } else {
        format!("may write {}", all.join(", "))
    }
}
