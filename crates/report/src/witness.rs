//! Violation witnesses of SV-COMP, format 2.0 (YAML), from a suite that `check` left.
//!
//! One document per violated property of a program that starts in `main`: what each call of an undefined
//! function returned, in order, and the place that fails. Returns are left out from the first call whose place is
//! not certain (a function that is called at several places): a shorter witness still says where the
//! violation is. Identity and time come from the content, so that the same run gives the same bytes.

use std::fmt::Write;

use serde_json::Value;

use crate::data::{Function, Goal, StubSite, SuiteData, Test};
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
        for goal in function.goals.iter().filter(|goal| goal.verdict == "violated") {
            let test = function.tests.iter().find(|test| Some(&test.id) == goal.test.as_ref());
            if let Some(text) = test.and_then(|test| one(data, function, goal, test, time)) {
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
fn specification(kind: &str) -> &'static str {
    match kind {
        "assertion" | "assert" | "unreachable" => {
            "CHECK( init(main()), LTL(G ! call(reach_error())) )"
        }
        "signed-overflow" => "CHECK( init(main()), LTL(G ! overflow) )",
        "null-dereference" | "out-of-bounds" | "use-after-free" | "bad-pointer" => {
            "CHECK( init(main()), LTL(G valid-deref) )"
        }
        "double-free" | "bad-free" => "CHECK( init(main()), LTL(G valid-free) )",
        "leak" => "CHECK( init(main()), LTL(G valid-memtrack) )",
        _ => "CHECK( init(main()), LTL(G def-behavior) )",
    }
}

/// One segment per call of an undefined function, as long as its place is certain.
fn returns(data: &SuiteData, test: &Test) -> Vec<String> {
    let stubs = test.inputs["stubs"].as_array().map_or(&[][..], Vec::as_slice);
    let certain = stubs.iter().map_while(|stub| {
        let name = stub["function"].as_str()?;
        let mut sites = data.stub_sites.iter().filter(|site| site.function == name);
        let (site, other) = (sites.next()?, sites.next());
        other.is_none().then(|| segment(site, &stub["result"]))
    });
    certain.flatten().collect()
}

/// `None` for results that C has no constant for.
fn segment(site: &StubSite, result: &Value) -> Option<String> {
    let value = match result {
        Value::String(decimal) => decimal.clone(),
        Value::Object(members) => members.get("hex")?.as_str()?.to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
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
    Value::from(text).to_string()
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
