//! Random tests of a function, each uniform among the inputs of a path (`gen --random N --uniform path`).

use glassbox_explore::PathSearch;
use glassbox_explore::draws::PathDraws;
use glassbox_solver::sample::Count;
use glassbox_testcase::{InputValue, TestInput};

use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::relation::Inputs;

/// Paths that are described one by one.
const DESCRIBED: usize = 20;
/// Letters of a path's conditions.
const LONGEST_TEXT: usize = 120;

/// Adds tests of so many random inputs; what they were drawn from is said in notes. `within` gives each of two questions its time.
pub(crate) fn add(
    case: &Case<'_>,
    search: &mut PathSearch<'_>,
    report: &mut FunctionReport,
    count: usize,
    within: impl Fn(&mut dyn FnMut()),
) {
    let mut paths = None;
    within(&mut || paths = Some(search.paths_to_draw_from()));
    let Some(paths) = paths else { return };
    let mut drawn = Vec::new();
    within(&mut || drawn = search.draw_inputs(&paths, count));
    let mut inputs = Inputs::new(case);
    let (mut n_added, mut n_repeated, mut n_refused) = (0, 0, 0);
    for (number, path) in (1..).zip(&drawn) {
        for input in &path.inputs {
            if report.suite.tests.iter().any(|test| test.input == *input) {
                n_repeated += 1;
                continue;
            }
            let words = format!("random {} of path {number}", n_added + 1);
            match inputs.add(report, input.clone(), words) {
                Some(_) => n_added += 1,
                None => n_refused += 1,
            }
        }
    }
    let n_drawn: usize = drawn.iter().map(|path| path.inputs.len()).sum();
    let which = if paths.is_complete { "all" } else { "others were not followed" };
    report.notes.push(format!(
        "{n_drawn} random inputs of {} paths ({which}): {n_added} are new tests, {n_repeated} were tests before",
        paths.len()
    ));
    if n_refused > 0 {
        report.notes.push(format!(
            "{n_refused} random inputs make no test in the interpreter: please report this"
        ));
    }
    if drawn.iter().flat_map(|path| &path.inputs).any(has_parts) {
        let parts = "fields of records and elements of arrays that no run reads";
        report.notes.push(format!("{parts} are not drawn and not counted: they have one value"));
    }
    for (number, path) in (1..=DESCRIBED).zip(&drawn) {
        report.notes.push(format!("path {number}{}: {}", conditions(path), found(path)));
    }
    if drawn.len() > DESCRIBED {
        report.notes.push(format!("{} more paths are not listed", drawn.len() - DESCRIBED));
    }
    let n_missing = paths.len() - drawn.len();
    if n_missing > 0 {
        report.notes.push(format!("the time ended before {n_missing} paths were drawn from"));
    }
}

/// Whether an input has parts, some of which may be read and others not.
fn has_parts(input: &TestInput) -> bool {
    let is_whole = |value: &InputValue| {
        matches!(value, InputValue::Int(_) | InputValue::Float(_) | InputValue::Pointer(_))
    };
    let params = input.params.iter().map(|param| &param.value);
    let mut values = params.chain(input.globals.iter().map(|(_, value)| value));
    !input.objects.is_empty() || !values.all(is_whole)
}

fn conditions(path: &PathDraws) -> String {
    let text = path.conditions.join(" && ");
    if text.is_empty() {
        return String::new();
    }
    let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
    match end {
        Some(end) => format!(" ({} …)", &text[..end]),
        None => format!(" ({text})"),
    }
}

fn found(path: &PathDraws) -> String {
    let count = match &path.count {
        Ok(Count::Exact(count)) => format!("{count} inputs"),
        Ok(Count::Between(low, high)) => format!("between {low} and {high} inputs"),
        Err(why) => why.to_string(),
    };
    format!("{count}, {} of {} draws", path.inputs.len(), path.n_chosen)
}
