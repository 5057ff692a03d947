//! Requirements in C, for the compiled program: a copy of the source in which functions check their contract
//! first, and the same for stubs.
//!
//! The address sanitizer sees lengths of memory; elements are looked at where a contract says how many there
//! are.

use std::path::Path;

use glassbox_emit::c_test::StubRequirement;
use glassbox_ir::{FuncId, Origin, Program};

use crate::acsl::Assertion;
use crate::harness::MAX_UNROLLED;
use crate::quantifier::plain;
use crate::{Bounds, ClauseKind, Config, Contract, separate};

/// The source with checks at the start of functions that require something, and where comments assert something. `None`
/// when there are none.
pub fn checked_source(
    program: &Program,
    config: Option<&Config>,
    assertions: &[Assertion],
    source: &Path,
    text: &str,
) -> Option<String> {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for assertion in assertions {
        if is_same_file(Path::new(&assertion.place.path), source) && assertion.start <= text.len() {
            let place = format!("{}:{}", assertion.place.path, assertion.place.line);
            let what = literal(&format!("{place}: assert {}", assertion.shown));
            let condition = &assertion.text;
            // In front of the comment, which may end with its line.
            let check = format!("if (!({condition})) glassbox_precondition(\"{what}\"); ");
            insertions.push((assertion.start, check));
        }
    }
    let contracts = config.into_iter().flat_map(|config| &config.contracts);
    for (config, contract) in config.into_iter().cycle().zip(contracts) {
        let Some(function) = program.function_named(&contract.function) else { continue };
        let declared = program.function(function);
        let file = program.files.get(declared.span.file.index());
        let is_here = file.is_some_and(|file| is_same_file(Path::new(&file.path), source));
        if declared.body.is_none() || !is_here {
            continue;
        }
        let (line, column) = (declared.span.line, declared.span.column);
        if let Some(at) = body_start(text, &declared.name, line, column) {
            insertions.push((at, statements(config, contract)));
        }
    }
    insertions.retain(|(_, statements)| !statements.is_empty());
    insertions.sort();
    if insertions.is_empty() {
        return None;
    }
    let mut out = format!(
        "void glassbox_precondition(const char *what);\n\
         int glassbox_is_short(const void *start, unsigned long size);\n#line 1 \"{}\"\n",
        source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"")
    );
    let mut copied = 0;
    for (at, inserted) in insertions {
        out.push_str(&text[copied..at]);
        out.push_str(&inserted);
        copied = at;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// Checks for the stubs of functions without a definition.
pub fn stub_requirements(program: &Program, config: Option<&Config>) -> Vec<StubRequirement> {
    let contracts = config
        .into_iter()
        .flat_map(|config| config.contracts.iter().map(move |contract| (config, contract)));
    let requirement = |(config, contract): (&Config, &Contract)| {
        let function = program.function_named(&contract.function)?;
        let wanted = Origin::Requirement { of: function };
        let judge = program.function_ids().find(|&id| program.function(id).origin == wanted)?;
        let is_stub = program.function(function).body.is_none();
        let checks = statements(config, contract);
        (is_stub && !checks.is_empty())
            .then(|| StubRequirement { function, text: with_names(program, judge, &checks) })
    };
    contracts.filter_map(requirement).collect()
}

/// Stubs call their parameters by number.
fn with_names(program: &Program, judge: FuncId, checks: &str) -> String {
    let params = program.function(judge).params.iter().enumerate();
    let names: String = params
        .filter(|(_, param)| !param.name.is_empty())
        .map(|(index, param)| format!("__auto_type {} = p{index}; ", param.name))
        .collect();
    format!("{{ {names}{} }}", checks.trim())
}

/// One statement for every condition that C can evaluate.
fn statements(config: &Config, contract: &Contract) -> String {
    let mut out = String::new();
    for clause in &contract.clauses {
        let conditions = match &clause.kind {
            ClauseKind::Require(text) => {
                vec![plain(text).split_whitespace().collect::<Vec<_>>().join(" ")]
            }
            ClauseKind::Range { place, bounds } => range_conditions(contract, place, bounds),
            ClauseKind::Length { pointer, count } => vec![format!(
                "!glassbox_is_short({pointer}, sizeof *({pointer}) * (unsigned long)({count}))"
            )],
            ClauseKind::Separate(names) => separate::compiled(contract, names),
            ClauseKind::Ensure(_) | ClauseKind::Assigns(_) => continue,
        };
        let (path, line, _) = config.stands_at(clause);
        let what = format!("{path}:{line}: {}", clause.shown);
        let what = literal(&what);
        for condition in conditions {
            out.push_str(&format!(" if (!({condition})) glassbox_precondition(\"{what}\");"));
        }
    }
    out
}

/// As a string literal has it.
fn literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

fn range_conditions(contract: &Contract, place: &str, bounds: &Bounds) -> Vec<String> {
    let place = place.trim();
    if let Some(array) = place.strip_suffix("[]") {
        let length = contract.known_length(array).filter(|&length| length <= MAX_UNROLLED);
        let element = |index| bounds.conditions(&format!("({array})[{index}]"));
        return (0..length.unwrap_or(0)).flat_map(element).collect();
    }
    let pointer = match (place.strip_prefix('*'), place.rfind("->")) {
        (Some(pointer), _) => Some(pointer),
        (None, Some(arrow)) => Some(&place[..arrow]),
        (None, None) => None,
    };
    let conditions = bounds.conditions(&format!("({place})"));
    match pointer {
        Some(pointer) => {
            conditions.iter().map(|condition| format!("!({pointer}) || ({condition})")).collect()
        }
        None => conditions,
    }
}

/// Where the body of a function starts, after its brace; its name stands at this place.
fn body_start(text: &str, name: &str, line: u32, column: u32) -> Option<usize> {
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let start = match line {
        0 => 0,
        _ => text.match_indices('\n').nth(line - 1)?.0 + 1,
    };
    let at = start + usize::try_from(column).ok()?.checked_sub(1)?;
    let rest = text.get(at..)?.strip_prefix(name)?;
    let mut depth = 0usize;
    let mut is_past = false;
    for (offset, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                is_past |= depth == 0;
            }
            '{' if is_past && depth == 0 => return Some(at + name.len() + offset + 1),
            // Comments and strings may hold anything.
            '/' | '"' if rest[offset..].starts_with("/*") || c == '"' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::body_start;

    #[test]
    fn bodies_start_after_their_brace() {
        let text = "int x;\nint f(int (*g)(int), int y)\n{ return y; }\n";
        let at = body_start(text, "f", 2, 5).expect("found");
        assert!(text[at..].starts_with(" return y;"));
        assert_eq!(body_start(text, "g", 2, 5), None, "another name");
        assert_eq!(body_start("int f(int a /* { */) { }", "f", 1, 5), None, "not read");
    }
}
