//! JUnit-style XML of the replay: a test case per test that was run for real, and per goal without an answer.
//!
//! A test that the real program confirms passes, one that it contradicts fails, one that was not run is
//! skipped. Undecided goals are skipped cases with their reason, violated properties are failures. No times:
//! the same run gives the same bytes.

use std::fmt::Write;

use crate::data::{Function, Goal, Outcome, ReplayState, SuiteData, Test};
use crate::xml::escape;

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    tests: usize,
    failures: usize,
    skipped: usize,
}

pub fn junit(data: &SuiteData) -> String {
    let mut total = Tally::default();
    let mut suites = String::new();
    for function in &data.functions {
        suite(&mut suites, function, &mut total);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"glassbox\" {}>\n{suites}\
         </testsuites>\n",
        total.attributes()
    )
}

impl Tally {
    fn attributes(self) -> String {
        let Tally { tests, failures, skipped } = self;
        format!(
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"0\""
        )
    }
}

fn suite(out: &mut String, function: &Function, total: &mut Tally) {
    let mut tally = Tally::default();
    let mut cases = String::new();
    for test in &function.tests {
        test_case(&mut cases, function, test, &mut tally);
    }
    for goal in &function.goals {
        goal_case(&mut cases, function, goal, &mut tally);
    }
    if tally.tests == 0 {
        return;
    }
    let file = escape(function.file.as_deref().unwrap_or_default());
    let name = escape(&function.name);
    let attributes = tally.attributes();
    let _ = writeln!(out, "  <testsuite name=\"{name}\" file=\"{file}\" {attributes}>");
    out.push_str(&cases);
    out.push_str("  </testsuite>\n");
    total.tests += tally.tests;
    total.failures += tally.failures;
    total.skipped += tally.skipped;
}

fn open(out: &mut String, function: &Function, name: &str, line: u32) {
    let file = function.file.as_deref().unwrap_or_default();
    let _ = writeln!(
        out,
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{line}\" time=\"0\">",
        escape(name),
        escape(&function.name),
        escape(file),
    );
}

fn test_case(out: &mut String, function: &Function, test: &Test, tally: &mut Tally) {
    tally.tests += 1;
    open(out, function, &test.id, function.line);
    let goals = test
        .covers
        .iter()
        .map(|goal| format!("        <property name=\"goal\" value=\"{}\"/>\n", escape(goal)));
    let goals: String = goals.collect();
    if !goals.is_empty() {
        let _ = writeln!(out, "      <properties>\n{goals}      </properties>");
    }
    match test.replay.state {
        ReplayState::Confirmed => {}
        ReplayState::Failed => {
            tally.failures += 1;
            let message = test.replay.message.as_deref().unwrap_or_default();
            let first = message.lines().next().unwrap_or_default();
            let _ = writeln!(
                out,
                "      <failure message=\"{}\" type=\"disagreement\">{}</failure>",
                escape(first),
                escape(message)
            );
        }
        ReplayState::NotRun => {
            tally.skipped += 1;
            out.push_str("      <skipped message=\"the test was not run\"/>\n");
        }
    }
    let marks = test.covers.iter().map(|goal| format!("[[PROPERTY|goal={}]]\n", escape(goal)));
    let _ = writeln!(out, "      <system-out>{}</system-out>", marks.collect::<String>());
    out.push_str("    </testcase>\n");
}

fn goal_case(out: &mut String, function: &Function, goal: &Goal, tally: &mut Tally) {
    match &goal.outcome {
        Outcome::Unknown { reason } => {
            tally.tests += 1;
            tally.skipped += 1;
            open(out, function, &goal.id, goal.line);
            let message = format!("{}: {}", reason.code.name(), reason.text);
            let _ = writeln!(out, "      <skipped message=\"{}\"/>", escape(&message));
            out.push_str("    </testcase>\n");
        }
        Outcome::Violated { test } => {
            tally.tests += 1;
            tally.failures += 1;
            open(out, function, &goal.id, goal.line);
            let test = test.as_deref().unwrap_or_default();
            let _ = writeln!(
                out,
                "      <failure message=\"{}\" type=\"violated\">{}</failure>",
                escape(&goal.text),
                escape(test)
            );
            out.push_str("    </testcase>\n");
        }
        Outcome::Covered { .. }
        | Outcome::Infeasible { .. }
        | Outcome::InfeasibleWithin { .. }
        | Outcome::Holds { .. }
        | Outcome::HoldsWithin { .. } => {}
    }
}
