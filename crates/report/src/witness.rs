//! Violation witnesses of SV-COMP, format 2.0 (YAML), from a suite that `check` left.
//!
//! One document per violated property of a program that starts in `main`: what each call of an undefined
//! function returned, in order, and the place that fails. Returns are left out from the first call whose place is
//! not certain (a function that is called at several places): a shorter witness still says where the
//! violation is. Identity and time come from the content, so that the same run gives the same bytes.

use std::fmt::Write;

use glassbox_coverage::PropertyKind;
use glassbox_ir::CheckKind;

use crate::data::words::Words;
use crate::data::{Function, Goal, GoalKind, Outcome, StubSite, SuiteData, Test, Value};
use crate::sha256;
use crate::testcomp::timestamp;

/// One witness and a name for its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    pub name: String,
    pub text: String,
}

/// The witnesses of all violated properties; none where the program does not start in `main`. `epoch` is the
/// second they are stamped with.
pub fn witnesses(data: &SuiteData, epoch: u64) -> Vec<Witness> {
    let time = &timestamp(epoch);
    let mut witnesses = Vec::new();
    for function in data.functions.iter().filter(|function| function.name == "main") {
        for goal in &function.goals {
            let Outcome::Violated { test: Some(test) } = &goal.outcome else { continue };
            let text = function.test(test).and_then(|test| one(data, function, goal, test, time));
            if let Some(text) = text {
                let name = format!("witness-{}.yml", witnesses.len() + 1);
                witnesses.push(Witness { name, text });
            }
        }
    }
    witnesses
}

fn one(data: &SuiteData, main: &Function, goal: &Goal, test: &Test, time: &str) -> Option<String> {
    let file = main.file.as_deref()?;
    let source = data.source(file)?;
    let hash = sha256::hex(source.as_bytes());
    let specification = specification(&goal.kind);
    let mut content = String::from("  content:\n");
    for waypoint in returns(data, test) {
        content.push_str(&waypoint);
    }
    let place = goal.file.as_deref().unwrap_or(file);
    let _ = writeln!(
        content,
        "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n            \
         location:\n              file_name: {}\n              line: {}",
        quoted(place),
        goal.line
    );
    let uuid = uuid(&format!("{hash}\n{specification}\n{content}"));
    let file = quoted(file);
    let version = quoted(&data.tool.version);
    Some(format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n    uuid: {uuid}\n    \
         creation_time: {time}\n    producer:\n      name: glassbox\n      version: {version}\n    task:\n      \
         input_files:\n        - {file}\n      input_file_hashes:\n        {file}: {hash}\n      \
         specification: {specification}\n      data_model: LP64\n      language: C\n{content}",
        time = quoted(time),
        specification = quoted(specification),
    ))
}

/// What the property is called there.
fn specification(kind: &Words<GoalKind>) -> &'static str {
    let check = match kind.known() {
        Some(GoalKind::Assert) => Some(CheckKind::Assertion),
        Some(GoalKind::Property(PropertyKind::Check(check))) => Some(*check),
        Some(_) | None => None,
    };
    match check {
        Some(CheckKind::Assertion | CheckKind::Unreachable) => {
            "CHECK( init(main()), LTL(G ! call(reach_error())) )"
        }
        Some(CheckKind::SignedOverflow) => "CHECK( init(main()), LTL(G ! overflow) )",
        Some(
            CheckKind::NullDereference
            | CheckKind::OutOfBounds
            | CheckKind::UseAfterFree
            | CheckKind::BadPointer,
        ) => "CHECK( init(main()), LTL(G valid-deref) )",
        Some(CheckKind::DoubleFree | CheckKind::BadFree) => {
            "CHECK( init(main()), LTL(G valid-free) )"
        }
        Some(CheckKind::Leak) => "CHECK( init(main()), LTL(G valid-memtrack) )",
        Some(CheckKind::Endless) => "CHECK( init(main()), LTL(F end) )",
        Some(_) | None => "CHECK( init(main()), LTL(G def-behavior) )",
    }
}

/// One segment per call of an undefined function, as long as its place is certain.
fn returns(data: &SuiteData, test: &Test) -> Vec<String> {
    let certain = test.inputs.stubs.iter().map_while(|stub| {
        let mut sites = data.stub_sites.iter().filter(|site| site.function == stub.function);
        let (site, other) = (sites.next()?, sites.next());
        other.is_none().then(|| segment(site, stub.result.as_ref()?))
    });
    certain.flatten().collect()
}

/// `None` for results that C has no constant for.
fn segment(site: &StubSite, result: &Value) -> Option<String> {
    let value = result.scalar()?;
    Some(format!(
        "    - segment:\n        - waypoint:\n            type: function_return\n            action: follow\n            \
         location:\n              file_name: {}\n              line: {}\n              column: {}\n            \
         constraint:\n              format: acsl_expression\n              value: {}\n",
        quoted(&site.file),
        site.line,
        site.column,
        quoted(&format!("\\result == {value}")),
    ))
}

/// A double-quoted scalar: JSON's strings are YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An identifier made from the content, in the form of a name-based UUID.
fn uuid(content: &str) -> String {
    let hash = sha256::hex(content.as_bytes());
    let part = |from: usize, to: usize| hash.get(from..to).unwrap_or_default();
    format!("{}-{}-5{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn identifiers_have_the_form_of_a_uuid() {
        let id = uuid("x");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
    }
}
