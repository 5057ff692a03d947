//! What verdicts rest on where runs may end in errors.
//!
//! Paths and proofs go on only where no check fails, so a failure hides what would come after it.
//! For every verdict that something holds, the errors that are not asked about and may come before it are shown never to happen (by
//! invariants, by paths, by all methods, in this order unless functions call themselves), or the verdict names them. That one error is excluded may
//! itself rest on earlier ones; those come before the verdict, too, and are named with it. What is asked about has its own verdict: where that is
//! `violated` or `unknown`, what comes after it is shown once more for runs that go on, or it names the error, too.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::scope::scope;
use glassbox_coverage::{Asked, Property, PropertyKind, Site};
use glassbox_ir::{CheckKind, FuncId, InstrKind, Mark, Presumption, Program};
use glassbox_testcase::{Assumption, UnknownReason, Verdict};

use super::order::{After, Order};
use super::places::Places;
use super::{Check, Stage, Verification, Violate};
use crate::proof::Effort;
use crate::proof::errors::Needed;
use crate::proof::properties::needed;
use crate::search::PathSearch;

/// What is known about an error that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Error {
    /// It may happen.
    Possible,
    /// It never happens, within these bounds.
    Never(Vec<Assumption>),
}

/// The errors that verdicts may rest on, by property.
#[derive(Debug, Default)]
pub(super) struct Rests {
    errors: BTreeMap<usize, Error>,
    /// By property that holds: the errors that may come before it.
    before: BTreeMap<usize, Vec<usize>>,
    /// By property that holds: what is asked about, may fail, and may come before it.
    after_findings: BTreeMap<usize, Vec<usize>>,
}

impl Rests {
    fn of((program, entry): (&Program, FuncId), quest: &Violate, verdicts: &[Verdict]) -> Rests {
        let list = quest.properties.list();
        let mut rests = Rests::default();
        let holding: Vec<usize> = (0..list.len())
            .filter(|&index| list[index].is_asked && verdicts.get(index).is_some_and(is_positive))
            .collect();
        let errors: Vec<usize> =
            (0..list.len()).filter(|&index| quest.may_end_runs(index)).collect();
        let is_undefined = program.language.errors_are_undefined();
        let findings: Vec<usize> = (0..list.len())
            .filter(|&index| is_undefined && quest.is_finding(index, verdicts.get(index)))
            .collect();
        if holding.is_empty() || errors.is_empty() && findings.is_empty() {
            return rests;
        }
        let order = Order::new(program, entry);
        for error in errors {
            let after: After = order.after(&list[error]);
            for &property in holding.iter().filter(|&&property| after.contains(&list[property])) {
                rests.errors.insert(error, Error::Possible);
                rests.before.entry(property).or_default().push(error);
            }
        }
        for finding in findings {
            let after: After = order.after(&list[finding]);
            for &property in holding.iter().filter(|&&property| after.contains(&list[property])) {
                rests.after_findings.entry(property).or_default().push(finding);
            }
        }
        rests
    }

    /// Errors about which nothing is known yet.
    fn open(&self, quest: &Violate) -> Vec<usize> {
        let open = self.errors.iter().filter(|(index, error)| {
            **error == Error::Possible && !quest.findings[**index].ends_runs
        });
        open.map(|(&index, _)| index).collect()
    }
}

impl Check<'_> {
    /// Finds the errors that may come before what holds, and excludes those that invariants exclude. Whether
    /// any are left. Where functions call themselves all methods come first, as for what is asked: paths have no end.
    pub fn weigh_errors(&mut self, found: &Verification) -> bool {
        self.rests =
            Rests::of((self.search.program, self.search.entry), &self.quest, &found.verdicts);
        let effort = if self.ahead.is_some() { Effort::All } else { Effort::Invariants };
        self.exclude_errors(effort)
    }

    /// Follows paths into the errors that are left. Whether any are left then.
    pub fn search_errors(&mut self) -> bool {
        let Check { search, quest, rests, .. } = self;
        let open = rests.open(quest);
        if open.is_empty() {
            return false;
        }
        quest.begin_errors(search, open.iter().copied().collect());
        search.pursue(quest);
        let cuts = quest.all_cuts(search);
        let mut places = Places::new(search.program, search.entry);
        for index in open {
            if quest.findings[index].ends_runs {
                continue;
            }
            let property = &quest.properties.list()[index];
            let bounds = match quest.verdict(search, index, property, &cuts, &mut places) {
                Verdict::Holds(_) | Verdict::Infeasible(_) => Vec::new(),
                Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => bounds,
                Verdict::Unknown(_) | Verdict::Covered { .. } | Verdict::Violated { .. } => {
                    continue;
                }
            };
            rests.errors.insert(index, Error::Never(bounds));
        }
        rests.has_weak(quest)
    }

    /// Asks the prover about the errors that are left, with all methods.
    pub fn prove_errors(&mut self) {
        self.exclude_errors(Effort::All);
    }

    fn exclude_errors(&mut self, effort: Effort) -> bool {
        let Check { search, quest, rests, .. } = self;
        let weak: Vec<usize> = rests.weak(quest).collect();
        for index in weak {
            if search.is_stopped() {
                return true;
            }
            let property = &quest.properties.list()[index];
            if let Some(bounds) = search.proofs.never_fails(effort, property)
                && (bounds.is_empty() || rests.errors.get(&index) == Some(&Error::Possible))
            {
                rests.errors.insert(index, Error::Never(bounds));
            }
        }
        rests.has_weak(quest)
    }

    /// Shows what comes after findings for runs that go on after errors, where it can be shown.
    pub fn prove_after_findings(&mut self, found: &Verification) {
        let Check { search, quest, rests, .. } = self;
        rests.after_findings.retain(|&property, _| {
            let is_reached = found.verdicts.get(property).is_some_and(is_reached);
            let property = &quest.properties.list()[property];
            search.is_stopped() || !search.proofs.holds_regardless(property, is_reached)
        });
    }

    /// Writes the errors that may happen into the verdicts that rest on them, and leaves what was asked.
    pub fn name_errors(&mut self, found: &mut Verification) {
        self.name_findings(found);
        let list = self.quest.properties.list();
        for (&property, errors) in &self.rests.before {
            let verdict = &mut found.verdicts[property];
            let mut bounds = BTreeSet::new();
            for error in errors {
                match &self.rests.errors[error] {
                    // That fewer turns do no harm is weaker than to name the error.
                    Error::Never(within)
                        if is_of_turns(verdict) || !within.iter().any(is_turns) =>
                    {
                        bounds.extend(within.iter().copied());
                    }
                    Error::Never(_) | Error::Possible => {
                        bounds.insert(assumption(&list[*error]));
                    }
                }
            }
            weaken(verdict, bounds);
        }
        for (index, property) in list.iter().enumerate() {
            let Some(verdict) = found.verdicts.get_mut(index) else { continue };
            if property.is_asked && is_positive(verdict) {
                let needed = needed(self.search.program, property, is_reached(verdict));
                let comes = |after: &After| after.contains(property);
                let presumed = self.search.proofs.presumed_before(&comes, &Needed::All(needed));
                weaken(verdict, presumed.into_iter().collect());
            }
        }
        let (program, entry) = (self.search.program, self.search.entry);
        let forgetful = ForgetfulLines::of(program, entry);
        for (index, property) in list.iter().enumerate() {
            let Some(verdict) = found.verdicts.get_mut(index) else { continue };
            if matches!(verdict, Verdict::Holds(_) | Verdict::HoldsWithin { .. }) {
                weaken(verdict, forgetful.assumed_by(property).into_iter().collect());
            }
        }
        for (index, finding) in self.quest.findings.iter().enumerate() {
            let Some(verdict) = found.verdicts.get_mut(index) else { continue };
            if finding.is_contradicted && is_positive(verdict) {
                let message = "a run fails what was proved".to_owned();
                *verdict = Verdict::Unknown(UnknownReason::Disagreement(message));
            }
        }
        found.keep_asked();
    }

    /// Names what is asked about and may fail in the verdicts about what comes after it.
    fn name_findings(&self, found: &mut Verification) {
        let list = self.quest.properties.list();
        found.is_after_finding = vec![false; found.verdicts.len()];
        for (&property, findings) in &self.rests.after_findings {
            let verdict = &mut found.verdicts[property];
            found.is_after_finding[property] =
                matches!(verdict, Verdict::Holds(_) | Verdict::Infeasible(_));
            weaken(verdict, findings.iter().map(|&finding| assumption(&list[finding])).collect());
        }
    }
}

/// By function: lines with accesses by pointers that may have forgotten which member they were formed from, if some pointer
/// forgets one at all. Such an access is checked against the whole object.
#[derive(Debug, Default)]
struct ForgetfulLines(BTreeSet<(FuncId, u32)>);

impl ForgetfulLines {
    fn of(program: &Program, entry: FuncId) -> ForgetfulLines {
        let mut lines = BTreeSet::new();
        let mut is_forgotten = false;
        for function in scope(program, entry, &[]) {
            for (_, instr) in Site::all(program.body(function)) {
                let InstrKind::Mark(Mark::Presumes(what)) = instr.kind else { continue };
                is_forgotten |= what == Presumption::MemberForgotten;
                if what == Presumption::MemberKept {
                    lines.insert((function, instr.span.line));
                }
            }
        }
        ForgetfulLines(if is_forgotten { lines } else { BTreeSet::new() })
    }

    /// What a property that holds takes for granted about members.
    fn assumed_by(&self, property: &Property) -> Option<Assumption> {
        let is_access = matches!(
            property.kind,
            PropertyKind::Check(CheckKind::OutOfBounds) | PropertyKind::LibraryCall
        );
        let line = property.span.line;
        (is_access && self.0.contains(&(property.function, line)))
            .then_some(Assumption::MemberKept { line })
    }
}

impl Rests {
    /// Errors that may happen, or are excluded within bounds only.
    fn weak<'a>(&'a self, quest: &'a Violate) -> impl Iterator<Item = usize> + 'a {
        let weak = self.errors.iter().filter(|(index, error)| {
            **error != Error::Never(Vec::new()) && !quest.findings[**index].ends_runs
        });
        weak.map(|(&index, _)| index)
    }

    fn has_weak(&self, quest: &Violate) -> bool {
        self.weak(quest).next().is_some()
    }
}

impl Violate {
    /// Whether runs may end where this property fails without a failure that counts.
    fn may_end_runs(&self, index: usize) -> bool {
        let property = &self.properties.list()[index];
        // What is judged at the end of a run ends none.
        if property.kind.is_about_the_end() {
            return false;
        }
        // An assertion that fails ends the program: that is an end like any other, but where calls are compared.
        let is_end = property.kind == PropertyKind::Check(CheckKind::Assertion)
            && *self.properties.asked() != Asked::Relations;
        self.findings[index].ends_runs || (!property.is_asked && !is_end)
    }

    /// Whether it is asked about and a run may fail it, which then goes on in some way or other.
    fn is_finding(&self, index: usize, verdict: Option<&Verdict>) -> bool {
        let Property { kind, is_asked, .. } = self.properties.list()[index];
        let is_end = kind.is_about_the_end() || kind == PropertyKind::Check(CheckKind::Assertion);
        let may_fail = matches!(verdict, Some(Verdict::Violated { .. } | Verdict::Unknown(_)));
        is_asked && may_fail && !is_end
    }

    /// From now on these are looked for.
    fn begin_errors(&mut self, search: &mut PathSearch<'_>, wanted: BTreeSet<usize>) {
        self.stage = Stage::Errors(wanted);
        self.path_limit = search.n_paths.saturating_add(search.budget.paths);
        self.reopen_failures(search);
    }
}

impl Verification {
    /// Drops the properties that are not asked about, with what is known of them.
    fn keep_asked(&mut self) {
        let asked: Vec<bool> = self.properties.list().iter().map(|p| p.is_asked).collect();
        if asked.iter().all(|&is_asked| is_asked) {
            return;
        }
        let mut position = 0;
        let new: Vec<usize> = asked
            .iter()
            .map(|&is_asked| {
                position += usize::from(is_asked);
                position.saturating_sub(1)
            })
            .collect();
        for violation in &mut self.violations {
            violation.property = new[violation.property];
        }
        let mut keep = asked.iter();
        self.verdicts.retain(|_| keep.next() == Some(&true));
        let mut keep = asked.iter();
        self.proofs.retain(|_| keep.next() == Some(&true));
        let mut keep = asked.iter();
        self.is_after_finding.retain(|_| keep.next() == Some(&true));
        self.properties.keep_asked();
    }
}

fn is_positive(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Holds(_)
        | Verdict::HoldsWithin { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. } => true,
        Verdict::Unknown(_) | Verdict::Covered { .. } | Verdict::Violated { .. } => false,
    }
}

/// Whether runs come to a property, as far as is known.
fn is_reached(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
}

fn is_turns(bound: &Assumption) -> bool {
    matches!(bound, Assumption::LoopTurns(_))
}

/// Whether a verdict holds for so many turns only.
fn is_of_turns(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
            bounds.iter().any(is_turns)
        }
        Verdict::Holds(_)
        | Verdict::Infeasible(_)
        | Verdict::Unknown(_)
        | Verdict::Covered { .. }
        | Verdict::Violated { .. } => false,
    }
}

fn assumption(property: &Property) -> Assumption {
    let error = match property.kind {
        PropertyKind::Check(kind) => Some(kind),
        PropertyKind::LibraryCall => None,
    };
    Assumption::NoError { error, line: property.span.line }
}

fn weaken(verdict: &mut Verdict, added: BTreeSet<Assumption>) {
    if added.is_empty() {
        return;
    }
    let (is_reached, known) = match verdict {
        Verdict::Holds(_) => (true, Vec::new()),
        Verdict::Infeasible(_) => (false, Vec::new()),
        Verdict::HoldsWithin { bounds } => (true, std::mem::take(bounds)),
        Verdict::InfeasibleWithin { bounds } => (false, std::mem::take(bounds)),
        Verdict::Unknown(_) | Verdict::Covered { .. } | Verdict::Violated { .. } => return,
    };
    let bounds = Assumption::listed(known.into_iter().chain(added));
    *verdict = if is_reached {
        Verdict::HoldsWithin { bounds }
    } else {
        Verdict::InfeasibleWithin { bounds }
    };
}
