//! Tests that use reflection: left out where the plan does not allow them, counted where it does.

use glassbox_testcase::java::JavaEnding;
use glassbox_testcase::{Premise, UnknownReason};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Task;

/// Takes back what only tests with reflection cover, where they are not allowed.
pub(super) struct Reflection;

impl Reviewer for Reflection {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let Task::Generate(task) = &case.plan.task else { return };
        if task.allows_reflection {
            return;
        }
        let reflective = case.language.reflective(reports);
        for (report, reflective) in reports.iter_mut().zip(reflective) {
            let span = case.program().function(report.function()).span;
            for test in reflective.tests {
                let what = "a state or a method that only reflection reaches".to_owned();
                // A test with this ending is not written.
                report.objects[test].observed.ending = JavaEnding::Other(what.clone());
                report.take_back(Some(test), &UnknownReason::Unsupported { what, span });
            }
        }
    }
}

/// Says which tests use reflection, and why.
pub(super) struct Uses;

impl Reviewer for Uses {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let reflective = case.language.reflective(reports);
        for (report, reflective) in reports.iter_mut().zip(reflective) {
            if reflective.tests.is_empty() {
                continue;
            }
            let tests = &report.suite.tests;
            let n_tests = tests.len();
            let names = reflective.tests.iter().map(|&test| tests[test].name.clone()).collect();
            let n_reflective = reflective.tests.len();
            report.notes.push(format!("{n_reflective} of {n_tests} tests use reflection"));
            let why = reflective.why;
            report.suite.premises.push(Premise::Reflection { tests: names, n_tests, why });
        }
    }
}
