//! Which findings of `check` do not count: those that a comment in the source names, those of the baseline, and those
//! whose cause was reported before. Verdicts stay as they are; nothing else depends on this.

mod baseline;
mod comments;

use std::collections::BTreeMap;

use glassbox_coverage::{Cause, Property, PropertyKind};
use glassbox_ir::Program;
use glassbox_report::dismissal::Dismissal;
use glassbox_report::sarif::fingerprint;
use glassbox_report::verdict_text::place;
use glassbox_testcase::{Assumption, Verdict};

use crate::function_report::FunctionReport;
use crate::language::Refusal;
use crate::listener::Listener;
use crate::plan::{Plan, Task};
use baseline::{Known, Record};
use comments::Comments;

/// Looks at findings in the order in which they are reported.
#[derive(Debug)]
pub(crate) struct Dismisser<'a> {
    baseline: Option<&'a crate::plan::Baseline>,
    known: Known,
    /// What the next baseline would have.
    found: Vec<Record>,
}

/// What is known of one program.
#[derive(Debug, Default)]
pub(crate) struct OfProgram {
    comments: Comments,
    /// By property: what became of it when it was found first.
    seen: BTreeMap<String, Option<Dismissal>>,
    /// By cause: where it was reported.
    causes: BTreeMap<Cause, String>,
}

impl<'a> Dismisser<'a> {
    /// Refused where the baseline cannot be read.
    pub(crate) fn new(plan: &'a Plan) -> Result<Dismisser<'a>, Refusal> {
        let baseline = match &plan.task {
            Task::Check(task) => task.baseline.as_ref(),
            Task::Generate(_) => None,
        };
        let known = match baseline {
            Some(baseline) if !baseline.is_written => {
                Known::read(&baseline.path).map_err(Refusal::error)?
            }
            Some(_) | None => Known::default(),
        };
        Ok(Dismisser { baseline, known, found: Vec::new() })
    }

    /// What comments of a program say; the listener hears of those that say nothing.
    pub(crate) fn begin(
        &self,
        program: &Program,
        plan: &Plan,
        listener: &dyn Listener,
    ) -> OfProgram {
        let comments = match &plan.task {
            Task::Check(_) => Comments::of(program, listener),
            Task::Generate(_) => Comments::default(),
        };
        OfProgram { comments, ..OfProgram::default() }
    }

    /// Says of each property of a function why it does not count.
    pub(crate) fn look(
        &mut self,
        program: &Program,
        known: &mut OfProgram,
        report: &mut FunctionReport,
    ) {
        let properties = report.checked.properties.iter().zip(report.verdicts());
        let dismissals = properties
            .map(|(property, verdict)| self.dismissal(program, known, (property, verdict)));
        report.checked.dismissals = dismissals.collect();
        // A run ends with a finding, so what is behind one that does not count was not looked at.
        let checked = &report.checked;
        let accepted = checked.properties.iter().zip(&checked.dismissals);
        let accepted = accepted.filter(|(_, dismissal)| is_accepted(dismissal.as_ref()));
        let accepted: Vec<Assumption> =
            Assumption::listed(accepted.map(|(property, _)| does_not_happen(property)));
        for goal in &mut report.suite.goals {
            goal.verdict.rest_on(&accepted);
        }
        report.checked.accepted = accepted;
    }

    fn dismissal(
        &mut self,
        program: &Program,
        known: &mut OfProgram,
        (property, verdict): (&Property, &Verdict),
    ) -> Option<Dismissal> {
        if !matches!(verdict, Verdict::Violated { .. }) {
            return None;
        }
        if let Some(reason) = known.comments.reason(property) {
            return Some(Dismissal::InSource { reason });
        }
        // The same line, reached from several entries, is one finding.
        if let Some(before) = known.seen.get(&property.id) {
            let place = place(program, property.span);
            return Some(before.clone().unwrap_or(Dismissal::SameCause { place }));
        }
        let dismissal = self.of_new(program, known, property);
        known.seen.insert(property.id.clone(), dismissal.clone());
        dismissal
    }

    fn of_new(
        &mut self,
        program: &Program,
        known: &mut OfProgram,
        property: &Property,
    ) -> Option<Dismissal> {
        let print = fingerprint(program, property);
        self.found.push(Record::of(program, property, print.clone()));
        if self.known.takes(&print) {
            return Some(Dismissal::Known);
        }
        let cause = Cause::of(program, property)?;
        match known.causes.get(&cause) {
            Some(place) => Some(Dismissal::SameCause { place: place.clone() }),
            None => {
                known.causes.insert(cause, place(program, property.span));
                None
            }
        }
    }

    /// Writes the baseline, where that was asked for.
    pub(crate) fn finish(self) -> Result<(), String> {
        match self.baseline {
            Some(baseline) if baseline.is_written => baseline::write(&baseline.path, &self.found),
            Some(_) | None => Ok(()),
        }
    }
}

/// Whether somebody has looked at the finding and lives with it.
fn is_accepted(dismissal: Option<&Dismissal>) -> bool {
    match dismissal {
        Some(Dismissal::InSource { .. } | Dismissal::Known) => true,
        Some(Dismissal::SameCause { .. }) | None => false,
    }
}

fn does_not_happen(property: &Property) -> Assumption {
    let error = match property.kind {
        PropertyKind::Check(kind) => Some(kind),
        PropertyKind::LibraryCall => None,
    };
    Assumption::NoError { error, line: property.span.line }
}
