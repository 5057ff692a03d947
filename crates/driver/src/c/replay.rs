//! Tests compiled by the user's compiler and run with probes around every condition.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::c_test::TestFile;
use glassbox_explore::facts::ConditionEvent;
use glassbox_ir::{DecisionId, FileId, FuncId};
use glassbox_replay::{
    Confirmation, Confirmed, PlacedCondition, ProbeSite, Replay, ReplayError, Tested, Unit, confirm,
};
use glassbox_testcase::Test;

use super::test_files::{follow_ups, source_path, test_file};
use super::{C, boundary, objects};
use crate::function_report::{FunctionReport, Replayed};
use crate::guard::guarded;
use crate::plan::Plan;
use crate::review::is_seen_by_lines;
use crate::save::temporary_folder;

/// Tests of one function that call the same one.
#[derive(Clone, Copy)]
struct Group<'a> {
    report: &'a FunctionReport,
    /// What they call.
    called: FuncId,
}

/// Builds and runs the tests of functions; those that call functions of one file become one program.
pub(super) fn replay(
    c: &C,
    plan: &Plan,
    reports: &[FunctionReport],
) -> Vec<Result<Replayed, String>> {
    let mut results: Vec<Result<Replayed, String>> =
        reports.iter().map(|_| Ok(Replayed::default())).collect();
    // Of each function, one program has tests that call one other, because probes are put into it once.
    let mut programs: BTreeMap<(FileId, usize), Vec<(usize, FuncId)>> = BTreeMap::new();
    for (position, report) in reports.iter().enumerate() {
        for (round, (called, _)) in report.all_called().into_iter().enumerate() {
            if obstacle(&c.program, called).is_none() {
                let file = c.program.function(called).span.file;
                programs.entry((file, round)).or_default().push((position, called));
            }
        }
    }
    for groups in programs.into_values() {
        let own: Vec<Group<'_>> = groups
            .iter()
            .map(|&(position, called)| Group { report: &reports[position], called })
            .collect();
        for ((position, called), result) in groups.into_iter().zip(guarded_program(c, plan, &own)) {
            join(&mut results[position], &reports[position], called, result);
        }
    }
    results
}

/// Adds what the tests did that call one function.
fn join(
    all: &mut Result<Replayed, String>,
    report: &FunctionReport,
    called: FuncId,
    result: Result<Replayed, String>,
) {
    let groups = report.all_called();
    if groups.len() == 1 {
        *all = result;
        return;
    }
    let Ok(all) = all else { return };
    all.confirmations.resize(report.suite.tests.len(), None);
    let own = groups.into_iter().find(|(known, _)| *known == called);
    let own = own.map(|(_, tests)| tests).unwrap_or_default();
    match result {
        Ok(found) => {
            for (test, confirmation) in own.into_iter().zip(found.confirmations) {
                all.confirmations[test] = confirmation;
            }
            all.failed_follow_ups.extend(found.failed_follow_ups);
        }
        Err(why) => {
            for test in own {
                all.confirmations[test] = Some(Confirmation::Unfinished(why.clone()));
            }
        }
    }
}

/// What breaks on one function costs no other of its program.
fn guarded_program(c: &C, plan: &Plan, groups: &[Group<'_>]) -> Vec<Result<Replayed, String>> {
    match (guarded(|| program(c, plan, groups)), groups) {
        (Ok(results), _) => results,
        (Err(message), [_]) => vec![Err(format!("internal error: {message}"))],
        (Err(_), several) => {
            several.iter().flat_map(|group| guarded_program(c, plan, &[*group])).collect()
        }
    }
}

/// Builds and runs tests that call functions of one file.
fn program(c: &C, plan: &Plan, groups: &[Group<'_>]) -> Vec<Result<Replayed, String>> {
    match confirmed(c, plan, groups) {
        Ok(results) => results.into_iter().map(replayed).collect(),
        Err(why) => groups.iter().map(|_| Err(why.clone())).collect(),
    }
}

fn replayed((n_tests, confirmed, failed_follow_ups): Witness) -> Result<Replayed, String> {
    match confirmed {
        Ok(Confirmed { confirmations, line_counts }) => {
            let confirmations = confirmations.into_iter().map(Some).collect();
            Ok(Replayed { confirmations, line_counts, seen: None, failed_follow_ups })
        }
        Err(error @ ReplayError::DoesNotCompile(_)) => {
            let all = vec![Some(Confirmation::Rejected(error.to_string())); n_tests];
            Ok(Replayed { confirmations: all, failed_follow_ups, ..Replayed::default() })
        }
        Err(error @ ReplayError::Io(..)) => Err(error.to_string()),
    }
}

/// By function.
type Seen = Vec<Witness>;

/// The number of tests of a function, what they did, and which of those that compare calls fail.
type Witness = (usize, Result<Confirmed, ReplayError>, Vec<(FuncId, usize, String)>);

fn confirmed(c: &C, plan: &Plan, groups: &[Group<'_>]) -> Result<Seen, String> {
    let Some(first) = groups.first() else { return Ok(Vec::new()) };
    let source = source_path(c, first.called);
    let source = source.ok_or("the source file cannot be found again")?;
    let folder = temporary_folder()?;
    let compiler = objects::compiler(c, plan, first.called)?;
    let Placed { text, shown, .. } = placed(c, first.called)?;
    let functions: Result<Vec<Tested<'_>>, String> =
        groups.iter().map(|group| tested(c, *group)).collect();
    let mut functions = functions?;
    let n_functions = functions.len();
    // Tests that compare calls come last; no probe looks at them.
    let mut followed = Vec::new();
    for (position, Group { report, called }) in groups.iter().enumerate() {
        let has_own = *called == report.function();
        let files = has_own.then(|| follow_ups(c, report, "")).into_iter().flatten();
        for (tests, file) in files {
            followed.push((position, file.function, tests));
            functions.push(unwatched(file));
        }
    }
    let mut results = confirm(&Replay {
        compiler: &compiler,
        folder: folder.path(),
        unit: Unit { text: &text, shown: &shown, source: &source },
        functions: &functions,
    });
    let of_relations = results.split_off(n_functions.min(results.len()));
    let mut seen: Seen = functions
        .iter()
        .zip(results)
        .map(|(tested, result)| (tested.file.tests.len(), result, Vec::new()))
        .collect();
    for ((position, relation, tests), result) in followed.into_iter().zip(of_relations) {
        seen[position].2.extend(failures(relation, &tests, result));
    }
    Ok(seen)
}

/// Tests without anything that probes could see.
fn unwatched(file: TestFile<'_>) -> Tested<'_> {
    let n_tests = file.tests.len();
    Tested {
        watched: file.function,
        file,
        conditions: Vec::new(),
        expected: vec![Vec::new(); n_tests],
        comparisons: Vec::new(),
        relations: vec![Vec::new(); n_tests],
        counts_lines: false,
    }
}

/// Tests of a relation that the compiled program does not confirm.
fn failures(
    relation: FuncId,
    tests: &[usize],
    result: Result<Confirmed, ReplayError>,
) -> Vec<(FuncId, usize, String)> {
    let all = match result {
        Ok(confirmed) => confirmed.confirmations,
        Err(error) => vec![Confirmation::Rejected(error.to_string()); tests.len()],
    };
    let failure = |(&test, confirmation): (&usize, Confirmation)| match confirmation {
        Confirmation::Confirmed => None,
        Confirmation::Failed(why)
        | Confirmation::Diverged(why)
        | Confirmation::Unfinished(why)
        | Confirmation::Rejected(why) => Some((relation, test, why)),
        Confirmation::Flaky => Some((relation, test, "passes and fails alternately".to_owned())),
    };
    tests.iter().zip(all).filter_map(failure).collect()
}

/// A function, its tests and what they should show.
fn tested<'a>(c: &'a C, Group { report, called }: Group<'a>) -> Result<Tested<'a>, String> {
    let site = |event: &ConditionEvent| {
        let (decision, condition) = (event.decision, event.condition);
        (ProbeSite { decision, condition }, event.value)
    };
    let file = test_file(c, report, called, String::new());
    let placed = placed(c, report.function())?;
    // Another unit is compiled as it is.
    if called != report.function() && !Arc::ptr_eq(&placed.text, &self::placed(c, called)?.text) {
        return Ok(unwatched(file));
    }
    let is_own = |(test, _): &(&Test, &Vec<ConditionEvent>)| report.called(test) == called;
    let traces = report.suite.tests.iter().zip(&report.condition_traces).filter(is_own);
    let (tests, traces): (Vec<&Test>, Vec<&Vec<ConditionEvent>>) = traces.unzip();
    let (comparisons, relations) = boundary::watched(c, &placed, &report.goals, &tests);
    let is_whole = report.all_called().len() == 1;
    Ok(Tested {
        file,
        watched: report.function(),
        conditions: placed.conditions,
        expected: traces.into_iter().map(|trace| trace.iter().map(site).collect()).collect(),
        comparisons,
        relations,
        counts_lines: is_whole
            && report.goals.iter().any(|goal| is_seen_by_lines(&c.program, goal)),
    })
}

/// A function in the preprocessed text of its unit.
pub(super) struct Placed {
    pub(super) text: Arc<[u8]>,
    /// Where the function is defined.
    pub(super) at: glassbox_c_front::span::Span,
    /// What line markers call its file.
    shown: String,
    conditions: Vec<PlacedCondition>,
}

fn placed(c: &C, function: FuncId) -> Result<Placed, String> {
    let lost = "the text of the unit cannot be found again";
    let at = *c.places.functions.get(&function).ok_or(lost)?;
    let (text, _) = c.sources.unit_text(at).ok_or(lost)?;
    let first = (function, DecisionId::new(0), 0);
    let own = c.places.conditions.range(first..).take_while(|((of, _, _), _)| *of == function);
    let conditions = own.filter_map(|(&(_, decision, condition), &span)| {
        let (_, range): (_, Range<usize>) = c.sources.unit_text(span)?;
        Some(PlacedCondition { site: ProbeSite { decision, condition }, range })
    });
    let conditions = conditions.collect();
    let file = c.program.function(function).span.file;
    let shown = c.sources.file_name(file).to_owned();
    Ok(Placed { text, at, shown, conditions })
}
