//! What `check` prints of one function: what is wrong or open first, each with a line of its own; then what is fine.

use std::collections::HashMap;

use glassbox_driver::FunctionReport;
use glassbox_ir::{Program, Span};
use glassbox_report::check::{PropertyResult, line, support, verdict_name};
use glassbox_report::suite_json::title::title;
use glassbox_report::verdict_text::place;

use crate::planning::Detail;
use crate::terminal::{Tone, hanging, paint, tone};

/// Characters of a list of bounds that is short enough to be repeated.
const SHORT_SUPPORT: usize = 60;

/// As many operations of a function that cannot go wrong are listed one by one; more would hide the rest.
const MOST_LISTED: usize = 16;

/// The lines of one entry, as soon as they are there.
pub(super) fn lines(program: &Program, report: &FunctionReport, detail: Detail) {
    let is_shown = |result: &PropertyResult<'_>| match detail {
        Detail::Problems => !is_good(result) && result.dismissal.is_none(),
        Detail::Usual => result.dismissal.is_none(),
        Detail::Everything => true,
    };
    let properties = report.properties();
    let (good, problems): (Vec<_>, Vec<_>) =
        properties.iter().filter(|it| is_shown(it)).partition(|it| is_good(it));
    let (implied, stated): (Vec<_>, Vec<_>) =
        good.into_iter().partition(|it| !it.property.kind.is_assertion());
    let is_counted = detail != Detail::Everything && implied.len() > MOST_LISTED;
    let mut supports = Supports::default();
    for result in problems.into_iter().chain(stated) {
        println!("{}", hanging(&supports.shown(program, result)));
    }
    if is_counted {
        counted(program, report, &implied);
    } else {
        for result in implied {
            println!("{}", hanging(&supports.shown(program, result)));
        }
    }
    for warning in &report.warnings {
        let function = &program.function(report.function()).name;
        println!("{}", hanging(&format!("{} {function}: {warning}", paint(Tone::Bad, "warning:"))));
    }
    for note in &report.notes {
        let function = &program.function(report.function()).name;
        println!("{}", hanging(&format!("note: {function}: {note}")));
    }
}

fn is_good(result: &PropertyResult<'_>) -> bool {
    tone(result.verdict) == Tone::Good
}

/// One line for each verdict, with what it rests on.
fn counted(program: &Program, report: &FunctionReport, results: &[&PropertyResult<'_>]) {
    let mut groups: Vec<(&str, String, usize)> = Vec::new();
    for result in results {
        let (name, support) = (verdict_name(result.verdict), support(result.verdict));
        let support = support.unwrap_or_default();
        match groups.iter_mut().find(|group| group.0 == name && group.1 == support) {
            Some(group) => group.2 += 1,
            None => groups.push((name, support, 1)),
        }
    }
    let function = title(program, report.function());
    for (name, support, n) in groups {
        let noun = if n == 1 { "operation" } else { "operations" };
        let space = if support.is_empty() { "" } else { " " };
        let name = paint(Tone::Good, name);
        println!(
            "{}",
            hanging(&format!("{function}: {n} {noun} (-v lists them): {name}{space}{support}"))
        );
    }
}

/// Lists of bounds that were printed, and where.
#[derive(Default)]
struct Supports(HashMap<String, Span>);

impl Supports {
    /// The line of a property. A long list stands once in the lines of a function; others refer to it.
    fn shown(&mut self, program: &Program, result: &PropertyResult<'_>) -> String {
        let name = verdict_name(result.verdict);
        let mark = format!(": {name}");
        let mut text = line(program, result);
        if let Some(support) = support(result.verdict).filter(|it| it.len() > SHORT_SUPPORT) {
            match self.0.get(&support) {
                Some(&first) if text.ends_with(&support) => {
                    text.truncate(text.len() - support.len());
                    text.push_str(&format!("bounds: as at {}", place(program, first)));
                }
                Some(_) => {}
                None => {
                    self.0.insert(support, result.property.span);
                }
            }
        }
        // The verdict is the last word of this name after the property's text.
        match text.rfind(&mark) {
            Some(at) => {
                let (before, after) = (&text[..at + 2], &text[at + mark.len()..]);
                format!("{before}{}{after}", paint(tone(result.verdict), name))
            }
            None => text,
        }
    }
}
