//! Results about a function that now stands on other lines.

use std::sync::Arc;

use glassbox_driver::live::Looked;
use glassbox_report::data::words::Words;
use glassbox_report::data::{Function, Outcome, ReasonCode};
use glassbox_testcase::Assumption;

/// The results with all lines moved by so many, and with the file's new text. `None` where words name lines.
pub(crate) fn moved(looked: &Arc<Looked>, distance: i64, text: &str) -> Option<Arc<Looked>> {
    if distance == 0 && has_text(looked, text) {
        return Some(Arc::clone(looked));
    }
    if distance != 0 && looked.suite.functions.iter().any(names_lines) {
        return None;
    }
    let mut looked = Looked::clone(looked);
    let shift = |line: &mut u32| {
        if *line > 0 {
            *line = u32::try_from((i64::from(*line) + distance).max(1)).unwrap_or(u32::MAX);
        }
    };
    let mut own = None;
    for function in &mut looked.suite.functions {
        own.clone_from(&function.file);
        move_function(function, distance, &shift);
    }
    for (location, _) in looked.findings.iter_mut().flat_map(|found| &mut found.steps) {
        if Some(&location.file) == own.as_ref() {
            shift(&mut location.start.0);
            shift(&mut location.end.0);
        }
    }
    for source in &mut looked.suite.sources {
        if Some(&source.path) == own.as_ref() {
            source.text = Some(text.to_owned());
        }
    }
    Some(Arc::new(looked))
}

fn has_text(looked: &Looked, text: &str) -> bool {
    let own = looked.suite.functions.first().and_then(|function| function.file.as_deref());
    own.and_then(|file| looked.suite.source(file)) == Some(text)
}

/// Whether some words of a verdict name a line, or a proof speaks of lines of other functions.
fn names_lines(function: &Function) -> bool {
    let is_about_line = |bound: &Words<Assumption>| match bound {
        Words::Known(Assumption::NoError { .. }) => true,
        Words::Known(_) => false,
        Words::Other(_) => true,
    };
    let names = |outcome: &Outcome| match outcome {
        Outcome::InfeasibleWithin { bounds } | Outcome::HoldsWithin { bounds } => {
            bounds.iter().any(is_about_line)
        }
        Outcome::Unknown { reason } => match reason.code {
            ReasonCode::Budget | ReasonCode::UndefinedBehavior => false,
            ReasonCode::Unsupported
            | ReasonCode::Disagreement
            | ReasonCode::Unconfirmed
            | ReasonCode::InternalError => true,
        },
        Outcome::Covered { .. }
        | Outcome::Infeasible { .. }
        | Outcome::Violated { .. }
        | Outcome::Holds { .. } => false,
    };
    let is_elsewhere = |line: u32| line < function.line || line > function.end_line;
    let mut cores = function.refutations.iter().flat_map(|refutation| &refutation.core);
    function.goals.iter().any(|goal| names(&goal.outcome))
        || cores.any(|condition| condition.line.is_some_and(is_elsewhere))
}

fn move_function(function: &mut Function, distance: i64, shift: &impl Fn(&mut u32)) {
    shift(&mut function.line);
    shift(&mut function.end_line);
    let id = |id: &mut String| *id = moved_id(id, distance);
    for goal in &mut function.goals {
        if goal.file == function.file {
            shift(&mut goal.line);
            shift(&mut goal.end_line);
            id(&mut goal.id);
        }
    }
    function.contract.iter_mut().flat_map(|clause| &mut clause.removes).for_each(id);
    for test in &mut function.tests {
        test.covers.iter_mut().for_each(id);
        test.constraint_lines.iter_mut().for_each(shift);
        for step in &mut test.path {
            if let Some((line, rest)) = step.split_once(": ")
                && let Ok(mut line) = line.parse()
            {
                shift(&mut line);
                *step = format!("{line}: {rest}");
            }
        }
    }
    for decision in &mut function.decisions {
        shift(&mut decision.line);
        decision.conditions.iter_mut().for_each(|condition| shift(&mut condition.line));
    }
    function.graph.blocks.iter_mut().flat_map(|block| &mut block.lines).for_each(shift);
    let cores = function.refutations.iter_mut().flat_map(|refutation| &mut refutation.core);
    cores.filter_map(|condition| condition.line.as_mut()).for_each(shift);
    function.invariants.iter_mut().for_each(|invariant| shift(&mut invariant.line));
}

/// An id has its place as `line:column` between slashes.
fn moved_id(id: &str, distance: i64) -> String {
    let part = |part: &str| {
        let place = part.split_once(':');
        let numbers = place.and_then(|(line, column)| {
            Some((line.parse::<i64>().ok()?, column.parse::<u32>().ok()?))
        });
        match numbers {
            Some((line, column)) => format!("{}:{column}", (line + distance).max(1)),
            None => part.to_owned(),
        }
    };
    id.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::moved_id;

    #[test]
    fn the_place_in_an_id_moves() {
        assert_eq!(moved_id("f/branch/12:3/case 1:2", 5), "f/branch/17:3/case 1:2");
        assert_eq!(moved_id("f/entry", 5), "f/entry");
    }
}
