//! Tests as data: arguments, what they give, which rules apply; as JSON and for people.

use std::fmt::Write;

use glassbox_emit::framework::TextFile;
use glassbox_emit::naming::file_name;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::{Oracle, TermCase};
use glassbox_rules_front::Spec;
use glassbox_rules_front::rewrite::{Fired, Result};
use glassbox_rules_front::spec::DataKind;
use glassbox_rules_front::term::Term;
use glassbox_testcase::Test;
use serde_json::{Map, Value, json};

use super::Rules;
use super::judge::{applied, arguments};
use crate::function_report::FunctionReport;
use crate::language::Written;

/// One test by its terms.
pub(super) struct TermTest {
    pub(super) id: String,
    pub(super) args: Vec<Term>,
    /// With `_` for what makes no difference.
    patterns: Vec<String>,
    /// Those that apply; the first gives the result.
    pub(super) fired: Vec<Fired>,
    pub(super) result: Result,
}

/// The tests of a function by their terms.
pub(super) fn tests(rules: &Rules, report: &FunctionReport) -> Vec<TermTest> {
    report.suite.tests.iter().map(|test| term_test(rules, report, test)).collect()
}

fn term_test(rules: &Rules, report: &FunctionReport, test: &Test) -> TermTest {
    let all = arguments(rules, report.function(), &test.input);
    let (args, patterns) = all.into_iter().map(|it| (it.term, it.abstraction)).unzip();
    let (fired, result) = match applied(rules, report.function(), &test.input) {
        None => (Vec::new(), Result::Endless),
        Some(fired) => {
            let result = fired.first().map_or(Result::Undefined, |first| first.result.clone());
            (fired, result)
        }
    };
    TermTest { id: test.name.clone(), args, patterns, fired, result }
}

fn result_text(spec: &Spec, result: &Result) -> String {
    match result {
        Result::Value(term) => term.text(spec),
        Result::Raised(exception) => format!("raise {}", spec.exceptions[*exception]),
        Result::Undefined => "undefined".to_owned(),
        Result::Endless => "endless".to_owned(),
    }
}

fn case(rules: &Rules, function: usize, test: &TermTest) -> TermCase {
    let declared = &rules.spec.functions[function];
    let args: Vec<String> = test.args.iter().map(|arg| arg.text(&rules.spec)).collect();
    TermCase {
        call: format!("{}({})", declared.name, args.join(", ")),
        pattern: format!("{}({})", declared.name, test.patterns.join(", ")),
        result: result_text(&rules.spec, &test.result),
        rules: test.fired.iter().map(|it| declared.rules[it.rule].label.clone()).collect(),
    }
}

/// Adds the terms of tests to suite.json.
pub(super) fn describe(rules: &Rules, reports: &[FunctionReport], suite: &mut SuiteData) {
    for (report, function) in reports.iter().zip(&mut suite.functions) {
        let position = rules.position(report.function());
        for (test, data) in tests(rules, report).iter().zip(&mut function.tests) {
            data.term = Some(case(rules, position, test));
            data.oracles = vec![Oracle::Spec];
        }
    }
}

fn json(spec: &Spec, term: &Term) -> Value {
    match term {
        Term::Bool(value) => json!(value),
        Term::Int(number) => match i64::try_from(*number) {
            Ok(number) => json!(number),
            Err(_) => u64::try_from(*number).map_or(Value::Null, |number| json!(number)),
        },
        Term::Make { data, constructor, args } => {
            let made = &spec.datas[*data].constructors[*constructor];
            match spec.datas[*data].kind {
                DataKind::List(_) => {
                    let elements = term.elements(spec).unwrap_or_default();
                    elements.into_iter().map(|element| json(spec, element)).collect()
                }
                DataKind::Record => {
                    let fields = made.fields.iter().zip(args).map(|(field, arg)| {
                        (field.name.clone().unwrap_or_default(), json(spec, arg))
                    });
                    Value::Object(fields.collect())
                }
                DataKind::Sum if args.is_empty() => json!(made.name),
                DataKind::Sum => {
                    let args: Value = args.iter().map(|arg| json(spec, arg)).collect();
                    Value::Object(Map::from_iter([(made.name.clone(), args)]))
                }
            }
        }
    }
}

fn result_json(spec: &Spec, result: &Result) -> Value {
    match result {
        Result::Value(term) => json!({ "value": json(spec, term) }),
        Result::Raised(exception) => json!({ "raise": spec.exceptions[*exception] }),
        Result::Undefined => json!("undefined"),
        Result::Endless => json!("endless"),
    }
}

/// Two files for each function with tests.
pub(super) fn emit(rules: &Rules, reports: &[FunctionReport]) -> Written {
    let mut written = Written::default();
    for report in reports.iter().filter(|report| !report.suite.tests.is_empty()) {
        let position = rules.position(report.function());
        let declared = &rules.spec.functions[position];
        let (mut readable, mut list) = (String::new(), Vec::new());
        let _ = writeln!(
            readable,
            "// Tests of {}, written by glassbox: a call, what it gives, the rules that apply (the first gives it).\n",
            declared.name
        );
        for test in tests(rules, report) {
            let TermCase { call, pattern, result, rules: labels } = case(rules, position, &test);
            let _ = writeln!(readable, "test {}() {{\n    {call}", test.id);
            if pattern != call {
                let _ = writeln!(readable, "    // all of {pattern}");
            }
            let applying = if labels.is_empty() { "no rule".to_owned() } else { labels.join(", ") };
            let _ = writeln!(readable, "    -> {result}\n    by {applying}\n}}\n");
            let args: Value = test.args.iter().map(|arg| json(&rules.spec, arg)).collect();
            list.push(json!({
                "id": test.id,
                "arguments": args,
                "result": result_json(&rules.spec, &test.result),
                "rules": labels,
            }));
        }
        let name = file_name(&declared.name);
        let names: Vec<&String> = declared.params.iter().map(|(name, _)| name).collect();
        let all = json!({ "function": declared.name, "parameters": names, "tests": list });
        let file = |ending: &str, text: String| TextFile { name: format!("{name}.{ending}"), text };
        written.files.push(file("tests", readable));
        written.files.push(file("json", format!("{all:#}\n")));
    }
    written
}
