//! A clause that keeps a violation away, and how it is written into glassbox.toml.

use std::path::Path;

use glassbox_coverage::PropertyKind;
use glassbox_ir::CheckKind;
use glassbox_report::data::test::Named;
use glassbox_report::data::{Function, Goal, GoalKind, Value};

/// Requirements of a function's callers that exclude the input that shows a violation, each by itself; `code` is what
/// goes wrong, as the source has it.
pub(crate) fn clauses(function: &Function, goal: &Goal, code: &str) -> Vec<String> {
    let Some(test) = goal.outcome.test().and_then(|test| function.test(test)) else {
        return Vec::new();
    };
    let Some(GoalKind::Property(kind)) = goal.kind.known() else { return Vec::new() };
    let is_mentioned = |param: &&Named| mentions(code, &param.name);
    let params: Vec<&Named> = test.inputs.params.iter().filter(is_mentioned).collect();
    let mut clauses: Vec<String> =
        params.iter().filter_map(|param| excluding(*kind, param)).collect();
    clauses.dedup();
    clauses
}

/// A clause about one parameter that the value of the counter-example does not meet.
fn excluding(kind: PropertyKind, param: &Named) -> Option<String> {
    let name = &param.name;
    match &param.value {
        Value::Null => Some(format!("{name} != 0")),
        Value::Number(number) => {
            let value: i128 = number.parse().ok()?;
            let is_zero_wrong = match kind {
                PropertyKind::Check(check) => check == CheckKind::DivisionByZero,
                PropertyKind::LibraryCall => false,
            };
            Some(match value {
                0 if is_zero_wrong => format!("{name} != 0"),
                // The other operand is the cause.
                _ if is_zero_wrong => return None,
                value if value < 0 => format!("{name} > {value}"),
                value => format!("{name} < {value}"),
            })
        }
        Value::Float { .. }
        | Value::Object { .. }
        | Value::Global { .. }
        | Value::Function { .. }
        | Value::Int { .. }
        | Value::Made { .. }
        | Value::Bytes { .. }
        | Value::Pointer { .. }
        | Value::Union { .. }
        | Value::List(_)
        | Value::Record(_) => None,
    }
}

/// Whether a name stands in a text as a word.
fn mentions(code: &str, name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.split(|letter| !is_letter(letter)).any(|word| word == name)
}

/// A change of a text: what is between two bytes becomes something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

/// How a requirement is added to the text of a glassbox.toml. `None` where the file is written in a way that is left alone:
/// what comes out has to say what was there and the clause.
pub(crate) fn insertion(path: &Path, text: &str, function: &str, clause: &str) -> Option<Edit> {
    let quoted = toml_string(clause);
    let before = contract(path, text, function)?;
    let edit = match before {
        None => {
            let gap = match text {
                "" => "",
                _ if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            let section = format!("{gap}[function.{}]\nrequire = [{quoted}]\n", toml_key(function));
            Edit { start: text.len(), end: text.len(), text: section }
        }
        Some((name, _)) => {
            // The header of the section ends with the line, and the section before the next header.
            let head = name + text.get(name..)?.find('\n').unwrap_or(text.len() - name);
            let rest = text.get(head..)?;
            let end = rest.find("\n[").map_or(text.len(), |at| head + at);
            let section = text.get(head..end)?;
            match value_of(section, "require") {
                None => Edit { start: head, end: head, text: format!("\nrequire = [{quoted}]") },
                Some(at) => {
                    let start = head + at;
                    if text.get(start..)?.starts_with('[') {
                        let is_empty = text.get(start + 1..)?.trim_start().starts_with(']');
                        let comma = if is_empty { "" } else { ", " };
                        Edit { start: start + 1, end: start + 1, text: format!("{quoted}{comma}") }
                    } else {
                        let line = text.get(start..)?.find('\n').unwrap_or(text.len() - start);
                        let old = text.get(start..start + line)?.trim_end();
                        Edit { start, end: start + old.len(), text: format!("[{quoted}, {old}]") }
                    }
                }
            }
        }
    };
    let mut after = text.to_owned();
    after.replace_range(edit.start..edit.end, &edit.text);
    let old = before.map_or(Vec::new(), |(_, shown)| shown);
    let (_, new) = contract(path, &after, function)??;
    let is_kept = old.iter().all(|shown| new.contains(shown));
    (is_kept && new.len() == old.len() + 1).then_some(edit)
}

/// Where the value of a key starts in a section of a file.
fn value_of(section: &str, key: &str) -> Option<usize> {
    let mut start = 0;
    for line in section.split_inclusive('\n') {
        if let Some((name, value)) = line.split_once('=')
            && name.trim() == key
        {
            let spaces = value.len() - value.trim_start().len();
            return Some(start + name.len() + 1 + spaces);
        }
        start += line.len();
    }
    None
}

/// Where the contract of a function names it, and its clauses; the outer `None` where the text cannot be read.
fn contract(path: &Path, text: &str, function: &str) -> Option<Option<(usize, Vec<String>)>> {
    let config = glassbox_contract::parse(path, text).ok()?;
    let contract = config.contracts.into_iter().find(|contract| contract.function == function);
    Some(contract.map(|contract| {
        let shown = contract.clauses.into_iter().map(|clause| clause.shown).collect();
        (contract.name.start, shown)
    }))
}

fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn toml_key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.chars().all(is_bare) { name.to_owned() } else { toml_string(name) }
}

/// What a person chooses.
pub(crate) fn title(function: &str, clause: &str) -> String {
    format!("Require `{clause}` of the callers of `{function}` (glassbox.toml)")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::insertion;

    fn after(text: &str, function: &str, clause: &str) -> Option<String> {
        let edit = insertion(Path::new("glassbox.toml"), text, function, clause)?;
        let mut text = text.to_owned();
        text.replace_range(edit.start..edit.end, &edit.text);
        Some(text)
    }

    #[test]
    fn a_clause_goes_where_the_contract_is() {
        let new = "[function.f]\nrequire = [\"b != 0\"]\n";
        assert_eq!(after("", "f", "b != 0").as_deref(), Some(new));
        let other = "[gen]\ntimeout = 3\n";
        assert_eq!(after(other, "f", "b != 0"), Some(format!("{other}\n{new}")));
        for (before, wanted) in [
            ("[function.f]\nrequire = []\n", "[function.f]\nrequire = [\"b != 0\"]\n"),
            (
                "[function.f]\nrequire = [\"a > 1\"]\n[function.g]\n",
                "[function.f]\nrequire = [\"b != 0\", \"a > 1\"]\n[function.g]\n",
            ),
            (
                "[function.f]\nrequire = \"a > 1\"\nensure = \"result > 0\"\n",
                "[function.f]\nrequire = [\"b != 0\", \"a > 1\"]\nensure = \"result > 0\"\n",
            ),
            (
                "[function.f] # mine\nensure = [\"result > 0\"]\n",
                "[function.f] # mine\nrequire = [\"b != 0\"]\nensure = [\"result > 0\"]\n",
            ),
            (
                "[function.f]\nrequirement = \"R1\"\nrequire=[\n  \"a > 1\",\n]\n",
                "[function.f]\nrequirement = \"R1\"\nrequire=[\"b != 0\", \n  \"a > 1\",\n]\n",
            ),
        ] {
            assert_eq!(after(before, "f", "b != 0").as_deref(), Some(wanted));
        }
    }

    #[test]
    fn what_would_come_out_wrong_is_left_alone() {
        for text in ["function.f.require = [\"a > 1\"]\n", "not toml", "[function.f\n"] {
            assert_eq!(after(text, "f", "b != 0"), None, "{text}");
        }
    }
}
