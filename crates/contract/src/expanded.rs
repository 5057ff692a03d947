//! Conditions as the preprocessor leaves them: what a macro hides counts like what is written out.

use crate::complaint::Complaint;
use crate::expression::change;
use crate::harness::Unit;
use crate::{ClauseKind, Config, Contract, Declared};

/// Stands between expressions that are expanded together.
const NEXT: &str = "__glassbox_next_expression";

/// An expression of a contract, and where it is written.
struct Written<'a> {
    text: &'a str,
    offset: usize,
    declared: Option<&'a Declared>,
}

/// Refuses the first expression of a contract that changes something through a macro.
pub(crate) fn refuse_changes(
    config: &Config,
    contract: &Contract,
    unit: &Unit<'_>,
) -> Result<(), Box<Complaint>> {
    let all = expressions(contract);
    let texts: Vec<&str> = all.iter().map(|it| it.text).collect();
    let joined = texts.join(&format!("\n{NEXT}\n"));
    let Some(expanded) = unit.preprocessor.expand(unit.source, joined.as_bytes()) else {
        return Ok(());
    };
    let expanded = String::from_utf8_lossy(&expanded);
    let code = expanded.lines().filter(|line| !line.starts_with('#'));
    let code: Vec<&str> = code.collect();
    let code = code.join("\n");
    for (one, text) in all.iter().zip(code.split(NEXT)) {
        let Some(operator) = change(text) else { continue };
        let message =
            format!("a condition changes nothing, but a macro in it stands for `{operator}`");
        return Err(Box::new(match one.declared {
            None => Complaint {
                path: config.path.clone(),
                text: config.text.clone(),
                span: Some(one.offset..one.offset + one.text.len()),
                message,
                help: None,
            },
            Some(Declared { path, line, column }) => {
                Complaint::whole_file(&format!("{path}:{line}:{column}"), &message)
            }
        }));
    }
    Ok(())
}

/// All that a contract has evaluated.
fn expressions(contract: &Contract) -> Vec<Written<'_>> {
    let mut all = Vec::new();
    for clause in &contract.clauses {
        let texts: Vec<&str> = match &clause.kind {
            ClauseKind::Require(text) | ClauseKind::Ensure(text) => vec![text],
            ClauseKind::Range { place, bounds } => {
                let ends = [&bounds.low, &bounds.high].into_iter().flatten();
                ends.map(String::as_str).chain([place.as_str()]).collect()
            }
            ClauseKind::Length { pointer, count } => vec![pointer, count],
            ClauseKind::Separate(names) => names.iter().map(String::as_str).collect(),
            ClauseKind::Assigns(places) => places.iter().map(|it| it.text.as_str()).collect(),
        };
        let (offset, declared) = (clause.offset, clause.declared.as_ref());
        all.extend(texts.into_iter().map(|text| Written { text, offset, declared }));
    }
    for assumed in contract.behaviors.iter().flat_map(|it| &it.assumes) {
        let declared = assumed.declared.as_ref();
        all.push(Written { text: &assumed.text, offset: assumed.offset, declared });
    }
    all
}
