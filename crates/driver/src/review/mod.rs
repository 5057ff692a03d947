//! Who may take a verdict back or weaken it once the search has spoken, in one order.
//!
//! A reviewer never makes a verdict stronger. To add one: a file here and a line in [`ORDER`].

mod changing;
mod contracts;
mod doubt;
mod lines;
mod probes;
mod reflection;
mod replay;
mod shown;
mod trust;
mod unwritable;

pub(crate) use contracts::assumes;
pub(crate) use lines::is_seen_by_lines;

use crate::drive::Case;
use crate::function_report::FunctionReport;

/// Looks at reports again. They are those of one function, or of all where a language builds their tests
/// together.
trait Reviewer: Sync {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]);
}

/// First what only reading shows, then what the real program shows, the most telling first.
const ORDER: &[&dyn Reviewer] = &[
    &contracts::Contracts,
    &changing::Changing,
    &unwritable::Unwritable,
    &doubt::Doubt,
    &reflection::Reflection,
    &replay::Replay,
    &probes::Probes,
    &lines::Lines,
    &reflection::Uses,
    &shown::Shown,
    &trust::Trust,
];

/// Asks all reviewers.
pub(crate) fn review(case: &Case<'_>, reports: &mut [FunctionReport]) {
    for reviewer in ORDER {
        reviewer.review(case, reports);
    }
}
