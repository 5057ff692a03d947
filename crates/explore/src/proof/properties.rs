//! Proofs of properties: ahead of the search where paths have no end, and after it for what it left open or bounded.

use std::collections::BTreeSet;

use glassbox_coverage::scope::{Calls, not_understood, scope};
use glassbox_coverage::{Property, PropertyKind, Site};
use glassbox_ir::library::is_model;
use glassbox_ir::{Callee, CheckKind, InstrKind, Origin, Program};
use glassbox_prove::{Place, Question, may_recur};
use glassbox_testcase::{Assumption, ProofMethod, UnknownReason, Verdict};

use super::{Effort, Proofs, always_fails, method};

/// A method and the proof in words.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    method: ProofMethod,
    words: String,
}

impl Proofs<'_> {
    /// Asks about every property where functions call themselves: their paths have no end. By property: its proof;
    /// `None` where they do not call themselves, or where time ended.
    pub(crate) fn ahead(&mut self, properties: &[Property]) -> Option<Vec<Option<Found>>> {
        if !may_recur(self.program, self.entry) {
            return None;
        }
        let mut found = Vec::new();
        for property in properties {
            let is_wanted = property.is_asked && !self.is_stopped();
            found.push(if is_wanted { self.holds(property) } else { None });
        }
        if self.is_stopped() {
            self.forget();
            return None;
        }
        Some(found)
    }

    /// Turns verdicts that a proof without bounds can replace; by property: the proof in words. What was asked
    /// ahead of the search is not asked again.
    pub(crate) fn improve(
        &mut self,
        properties: &[Property],
        ahead: Option<&[Option<Found>]>,
        verdicts: &mut [Verdict],
    ) -> Vec<Option<String>> {
        let pairs = properties.iter().zip(verdicts).enumerate();
        pairs
            .map(|(index, (property, verdict))| {
                if !property.is_asked || !is_open(verdict) || self.is_stopped() {
                    return None;
                }
                let known = ahead.and_then(|ahead| ahead.get(index).cloned());
                let Found { method, words } = known.unwrap_or_else(|| self.holds(property))?;
                let was_reached = matches!(verdict, Verdict::HoldsWithin { .. });
                let is_vacuous = property.kind.is_about_the_end()
                    || (!was_reached
                        && !is_judged_outside(self.program, property)
                        && self.is_never_reached(property));
                *verdict =
                    if is_vacuous { Verdict::Infeasible(method) } else { Verdict::Holds(method) };
                Some(words)
            })
            .collect()
    }

    /// A proof that a property holds, or that nothing ends in the way it speaks of.
    fn holds(&mut self, property: &Property) -> Option<Found> {
        // Failures inside the library, and those that only a run shows, have no single place.
        if property.kind == PropertyKind::LibraryCall || property.sites.is_empty() {
            return None;
        }
        // What is not understood may call other functions by ways that no graph shows.
        if property.function != self.entry
            && (!self.is_understood() || self.may_be_called_back(property))
        {
            return None;
        }
        if property.kind == PropertyKind::Check(CheckKind::Endless) {
            return None;
        }
        if property.kind.is_about_the_end() {
            return self.prove(property, Question::Reached);
        }
        self.prove(property, failure(property.kind))
    }

    /// The bounds within which a property never fails, if that is proved. Other properties are taken for granted.
    pub(crate) fn never_fails(
        &mut self,
        effort: Effort,
        property: &Property,
    ) -> Option<Vec<Assumption>> {
        let mut bounds = Vec::new();
        for question in failures(self.program, property)? {
            if self.is_stopped() {
                return None;
            }
            bounds.extend(self.exclude(effort, &question)?.bounds);
        }
        Some(Assumption::listed(bounds))
    }

    /// Whether a library of which not all is understood may call the function by itself: it can call the methods of
    /// objects that it gets, and bodies of lambdas through them.
    fn may_be_called_back(&mut self, property: &Property) -> bool {
        let declared = self.program.function(property.function);
        let Some(method) = declared.method.map(|id| self.program.method(id)) else { return false };
        let is_own =
            self.program.function(self.entry).origin == Origin::Harness { of: property.function };
        let is_hidden = (method.is_static || method.name.starts_with('<'))
            && !method.name.starts_with("lambda$");
        if is_own || is_hidden {
            return false;
        }
        let (program, entry) = (self.program, self.entry);
        let look = || {
            let functions = scope(program, entry, &[]);
            let mut bodies = functions.iter().filter_map(|&id| program.function(id).body.as_ref());
            bodies.any(|body| {
                let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
                instrs.any(|instr| matches!(instr.kind, InstrKind::Unsupported { .. }))
            })
        };
        *self.has_gaps.get_or_insert_with(look)
    }

    pub(crate) fn is_understood(&mut self) -> bool {
        let (program, entry) = (self.program, self.entry);
        let look = || not_understood(program, &scope(program, entry, &[])).is_none();
        *self.is_understood.get_or_insert_with(look)
    }

    fn is_never_reached(&mut self, property: &Property) -> bool {
        let body = self.program.body(property.function);
        // Coming to a check that always fails is failing it: that says nothing about the way there.
        !property.sites.iter().all(|&site| always_fails(body, site))
            && self.prove(property, Question::Reached).is_some()
    }

    /// A proof without bounds that what is asked happens at none of the property's instructions.
    fn prove(&mut self, property: &Property, ask: impl Fn(Place) -> Question) -> Option<Found> {
        let mut last = None;
        for site in &property.sites {
            let (function, block, instr) = (property.function, site.block, site.instr);
            let question = ask(Place { function, block, instr });
            let proof = self.exclude(Effort::All, &question)?;
            if !proof.bounds.is_empty() {
                return None;
            }
            let words = proof.method.to_string();
            last = Some(Found { method: method(proof.method), words });
        }
        last
    }
}

/// Whether the property is about exceptions that come out of a call, or judged by the function around the one under
/// test: its place is behind the exception, and every run comes before it.
pub(crate) fn is_judged_outside(program: &Program, property: &Property) -> bool {
    let is_around = matches!(program.function(property.function).origin, Origin::Harness { .. });
    program.language.calls_may_throw()
        && (is_around || property.kind == PropertyKind::Check(CheckKind::UncaughtException))
}

/// Checks inside the models of the library that a call leads to: what it calls back has properties of its own. `None`
/// where they are too many to be asked about.
fn checks_of_library(program: &Program, property: &Property) -> Option<Vec<Place>> {
    const MAX_CHECKS: usize = 60;
    let body = program.body(property.function);
    let mut calls = Calls::default();
    for site in &property.sites {
        if let InstrKind::Call(call) = &body.block(site.block).instrs[site.instr as usize].kind
            && let Callee::Direct(callee) = call.callee
        {
            // What a native function does, no check shows.
            program.function(callee).body.as_ref()?;
            calls.direct.insert(callee);
        }
    }
    let mut places = Vec::new();
    let mut done = BTreeSet::new();
    while let Some(&function) = calls.direct.difference(&done).next() {
        done.insert(function);
        let Some(body) = &program.function(function).body else { continue };
        if !is_model(program, function) {
            continue;
        }
        calls.add_function(program, function);
        for block in body.block_ids() {
            let instrs = (0u32..).zip(&body.block(block).instrs);
            let checks = instrs.filter(|(_, instr)| matches!(instr.kind, InstrKind::Check(_)));
            places.extend(checks.map(|(instr, _)| Place { function, block, instr }));
        }
        if places.len() > MAX_CHECKS {
            return None;
        }
    }
    Some(places)
}

/// Everything that has to be impossible for a property to hold; `None` where that cannot be listed.
pub(super) fn failures(program: &Program, property: &Property) -> Option<Vec<Question>> {
    let body = program.body(property.function);
    let is_mark = |site: &Site| {
        let instr = &body.block(site.block).instrs[site.instr as usize];
        matches!(instr.kind, InstrKind::Mark(_))
    };
    // What a mark stands for happens where control comes there.
    if !property.sites.is_empty() && property.sites.iter().all(is_mark) {
        let function = property.function;
        let place = |site: &Site| Place { function, block: site.block, instr: site.instr };
        return Some(property.sites.iter().map(|site| Question::Reached(place(site))).collect());
    }
    let places = match property.kind {
        PropertyKind::LibraryCall => checks_of_library(program, property)?,
        PropertyKind::Check(_) => {
            let function = property.function;
            let place = |site: &Site| Place { function, block: site.block, instr: site.instr };
            property.sites.iter().map(place).collect()
        }
    };
    if places.is_empty() && property.sites.is_empty() {
        return None;
    }
    Some(places.into_iter().map(failure(property.kind)).collect())
}

/// The same, and where no run comes to the property, that none does; nothing where that cannot be listed.
pub(crate) fn needed(program: &Program, property: &Property, is_reached: bool) -> Vec<Question> {
    if is_reached {
        return failures(program, property).unwrap_or_default();
    }
    let function = property.function;
    let place = |site: &Site| Place { function, block: site.block, instr: site.instr };
    property.sites.iter().map(|site| Question::Reached(place(site))).collect()
}

/// What has to be impossible for a property to hold.
fn failure(kind: PropertyKind) -> fn(Place) -> Question {
    match kind {
        PropertyKind::Check(
            CheckKind::NullDereference | CheckKind::OutOfBounds | CheckKind::UseAfterFree,
        ) => Question::AccessFails,
        PropertyKind::Check(_) | PropertyKind::LibraryCall => Question::CheckFails,
    }
}

fn is_open(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Unknown(UnknownReason::Disagreement(_)) => false,
        Verdict::Unknown(_) | Verdict::HoldsWithin { .. } | Verdict::InfeasibleWithin { .. } => {
            true
        }
        Verdict::Covered { .. }
        | Verdict::Infeasible(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_) => false,
    }
}
