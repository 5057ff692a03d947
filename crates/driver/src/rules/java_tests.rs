//! Tests of an implementation in Java.

use glassbox_emit::framework::TextFile;
use glassbox_emit::java_framework::{JavaStyle, written_class};
use glassbox_emit::naming::identifier;
use glassbox_rules_front::rewrite::Result as Rewritten;
use glassbox_rules_front::spec::Type;

use super::Rules;
use super::data::{TermTest, tests};
use super::template::{Dialect, Writer, call_of, expand, text_of};
use crate::c::test_files::shell_word;
use crate::function_report::FunctionReport;
use crate::language::Written;
use crate::plan::Plan;

pub(super) fn emit(
    rules: &Rules,
    plan: &Plan,
    style: &JavaStyle,
    reports: &[FunctionReport],
    written: &mut Written,
) {
    let Some(config) = &rules.config else { return };
    let mapping = &config.rules;
    let writer = Writer { spec: &rules.spec, mapping, dialect: Dialect::Java };
    let mut names = Vec::new();
    for report in reports {
        let function = rules.position(report.function());
        let declared = &rules.spec.functions[function];
        if call_of(mapping, &declared.name).is_none() || report.suite.tests.is_empty() {
            continue;
        }
        let mut header = mapping.header.clone();
        let mut all = Vec::new();
        for test in tests(rules, report) {
            match body(&writer, function, &test) {
                Ok(lines) => all.push((format!("check_{}", test.id), lines)),
                Err(why) => header.push(format!("// Left out: {}: {why}", test.id)),
            }
        }
        let name = format!("{}RulesTest", capital(&identifier(&declared.name)));
        let text = written_class(&name, &header, &all, style);
        written.files.push(TextFile { name: format!("{name}.java"), text });
        names.push(name);
    }
    if let (Some(source), [first, ..]) = (super::c_tests::source(rules), names.as_slice()) {
        let source = source.display().to_string();
        let folder = plan.tests_folder().join(&rules.folder);
        let folder = shell_word(&folder.display().to_string());
        written.command = Some(format!(
            "javac -d {folder}/classes {} {folder}/*.java && java -cp {folder}/classes {first}",
            shell_word(&source)
        ));
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The statements of a test.
fn body(writer: &Writer<'_>, function: usize, test: &TermTest) -> Result<Vec<String>, String> {
    let call = writer.call(function, &test.args)?;
    match &test.result {
        Rewritten::Value(term) => {
            let ty = writer.spec.functions[function].result;
            let expected = writer.value(term, ty)?;
            let name = writer.spec.type_name(ty);
            if let Some(text) = text_of(&writer.mapping.equal, &name) {
                let condition = expand(text, |part| match part {
                    "result" => Some("result".to_owned()),
                    "expected" => Some(expected.clone()),
                    _ => None,
                })?;
                return Ok(vec![
                    format!("var result = {call};"),
                    format!("assertTrue({condition});"),
                ]);
            }
            Ok(match ty {
                Type::Bool | Type::Int(_) => vec![format!("assertTrue({call} == {expected});")],
                Type::Data(_) => vec![format!("assertEquals({expected}, {call});")],
            })
        }
        Rewritten::Raised(exception) => {
            let name = &writer.spec.exceptions[*exception];
            let class = text_of(&writer.mapping.exceptions, name).unwrap_or(name);
            Ok(vec![format!("assertThrows({class}.class, () -> {call});")])
        }
        Rewritten::Undefined => Err("the specification gives no result".to_owned()),
        Rewritten::Endless => Err("the result needs too many calls".to_owned()),
    }
}
