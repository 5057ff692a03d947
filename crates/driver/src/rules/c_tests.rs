//! Tests of an implementation in C, for every framework that C has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glassbox_emit::UnitNames;
use glassbox_emit::c_test::{Spec, TestFile, TestText};
use glassbox_emit::framework::{CTests, TextFile};
use glassbox_emit::makefile;
use glassbox_emit::naming::file_name;
use glassbox_rules_front::rewrite::Result as Rewritten;

use super::Rules;
use super::data::{TermTest, tests};
use super::template::{Dialect, Writer, call_of, expand, text_of};
use crate::c::test_files::{make, relative};
use crate::function_report::FunctionReport;
use crate::language::Written;
use crate::plan::Plan;

/// The file that implements the specification, absolute.
pub(super) fn source(rules: &Rules) -> Option<PathBuf> {
    let config = rules.config.as_ref()?;
    let folder = Path::new(&config.path).parent().unwrap_or(Path::new(""));
    std::fs::canonicalize(folder.join(config.rules.source.as_deref()?)).ok()
}

pub(super) fn emit(
    rules: &Rules,
    plan: &Plan,
    framework: &CTests,
    reports: &[FunctionReport],
    written: &mut Written,
) {
    let (Some(config), Some(source)) = (&rules.config, source(rules)) else { return };
    let folder = plan.tests_folder();
    let folder = std::fs::canonicalize(&folder).unwrap_or(folder).join(&rules.folder);
    let include = relative(&folder, &source).display().to_string();
    let mapping = &config.rules;
    let writer = Writer { spec: &rules.spec, mapping, dialect: Dialect::C };
    let mut names = Vec::new();
    for report in reports {
        let function = rules.position(report.function());
        let declared = &rules.spec.functions[function];
        if call_of(mapping, &declared.name).is_none() || report.suite.tests.is_empty() {
            continue;
        }
        let mut left_out = String::new();
        let mut all = Vec::new();
        for (term_test, test) in tests(rules, report).iter().zip(&report.suite.tests) {
            match body(&writer, function, term_test) {
                Ok(body) => all.push(TestText {
                    name: format!("check_{}", term_test.id),
                    input: &test.input,
                    expected: &test.expected,
                    covers: term_test
                        .fired
                        .iter()
                        .map(|fired| format!("rule {}", declared.rules[fired.rule].label))
                        .collect(),
                    constraints: Vec::new(),
                    body: Some(body),
                }),
                Err(why) => left_out.push_str(&format!(
                    "/* Left out: {}: {} */\n",
                    term_test.id,
                    why.replace("*/", "* /")
                )),
            }
        }
        let program = format!("test_{}", file_name(&declared.name));
        let file = TestFile {
            program: &rules.program,
            function: report.function(),
            include: include.clone(),
            names: Arc::new(UnitNames::default()),
            shares_process: false,
            spec: Spec::default(),
            requirements: Vec::new(),
            relation: None,
            tests: all,
        };
        let include_line = format!("#include \"{include}\"\n");
        let header: String = mapping.header.iter().map(|line| format!("{line}\n")).collect();
        for mut file in framework.test_files(&file, &program) {
            let opening = format!("{left_out}{header}{include_line}");
            file.text = file.text.replacen(&include_line, &opening, 1);
            written.files.push(file);
        }
        names.push(program);
    }
    if names.is_empty() {
        return;
    }
    written.files.extend(framework.runtime_files());
    let text = makefile::makefile(&framework.build, &names, &plan.intake.compiler_flags);
    written.files.push(TextFile { name: "Makefile".to_owned(), text });
    written.folders.push(rules.folder.clone());
    written.command = Some(make(plan));
}

/// The statements of a test.
fn body(writer: &Writer<'_>, function: usize, test: &TermTest) -> Result<String, String> {
    let call = writer.call(function, &test.args)?;
    let result = format!("    __auto_type result = {call};\n");
    let checks = |conditions: Vec<String>| -> String {
        conditions.iter().map(|condition| format!("    CHECK({condition});\n")).collect()
    };
    match &test.result {
        Rewritten::Value(term) => {
            let mut conditions = Vec::new();
            let ty = writer.spec.functions[function].result;
            writer.compared("result", term, ty, &mut conditions)?;
            Ok(result + &checks(conditions))
        }
        Rewritten::Raised(exception) => {
            let name = &writer.spec.exceptions[*exception];
            let Some(text) = text_of(&writer.mapping.exceptions, name) else {
                return Err(format!(
                    "glassbox.toml does not say what shows `{name}`: `[rules.exception] {name} = \"…\"`"
                ));
            };
            let condition = expand(text, |part| (part == "result").then(|| "result".to_owned()))?;
            let statement =
                if text.contains("$result") { result } else { format!("    {call};\n") };
            Ok(statement + &checks(vec![condition]))
        }
        Rewritten::Undefined => Err("the specification gives no result".to_owned()),
        Rewritten::Endless => Err("the result needs too many calls".to_owned()),
    }
}
