//! Errors that proofs about goals rest on: graphs go on only where checks pass.

use glassbox_coverage::filling::may_overfill;
use glassbox_coverage::scope::scope;
use glassbox_coverage::{Properties, Property, PropertyKind, Site, Target};
use glassbox_ir::{BlockId, FuncId, Instr, InstrKind, Mark, Program};
use glassbox_prove::{Answer, Options, Place, Prover, Question};
use glassbox_testcase::Assumption;

use super::{Effort, Proofs};
use crate::refuted::no_error;
use crate::verify::order::{After, Order};

/// A check that may end runs.
#[derive(Debug)]
pub(super) struct MayEnd {
    pub(super) property: Property,
    pub(super) after: After,
    pub(super) error: Assumption,
    /// Whether it happens is not asked again.
    pub(super) is_sure: bool,
}

/// What has to be impossible for a verdict.
#[derive(Debug)]
pub(crate) enum Needed {
    /// One of these.
    Any(Vec<Question>),
    /// All of these; none where that cannot be listed.
    All(Vec<Question>),
}

impl Proofs<'_> {
    /// What has to be taken for granted about errors before a target of a function: they do not happen, or only
    /// beyond bounds.
    pub(crate) fn errors_before(&mut self, function: FuncId, target: &Target) -> Vec<Assumption> {
        if !self.program.language.errors_are_undefined() {
            return Vec::new();
        }
        let all = self.take_errors();
        let mut bounds = Vec::new();
        let program = self.program;
        let comes = |may_end: &&MayEnd| comes_to(program, &may_end.after, function, target);
        for may_end in all.iter().filter(comes) {
            bounds.extend(self.bounds_of(may_end));
        }
        self.errors = Some(all);
        Assumption::listed(bounds)
    }

    /// What has to be taken for granted about one of them.
    fn bounds_of(&mut self, MayEnd { property, error, is_sure, .. }: &MayEnd) -> Vec<Assumption> {
        let never = if *is_sure { None } else { self.never_fails(Effort::Invariants, property) };
        never.unwrap_or_else(|| vec![*error])
    }

    /// What may end runs; to be put back.
    pub(super) fn take_errors(&mut self) -> Vec<MayEnd> {
        match self.errors.take() {
            Some(all) => all,
            None => self.may_end(),
        }
    }

    fn may_end(&mut self) -> Vec<MayEnd> {
        let order = Order::new(self.program, self.entry);
        let functions = scope(self.program, self.entry, &[]);
        let properties = Properties::of(self.program, &functions);
        let overfilling =
            functions.iter().flat_map(|&function| overfilling(self.program, function));
        let may_end = |property: &Property| {
            let line = property.span.line;
            let error = match property.kind {
                PropertyKind::Check(kind) => no_error(kind, line, false)?,
                PropertyKind::LibraryCall => Assumption::NoError { error: None, line },
            };
            let after = order.after(property);
            Some(MayEnd { property: property.clone(), after, error, is_sure: false })
        };
        let properties = properties.list().iter().cloned().chain(overfilling);
        let mut all: Vec<MayEnd> = properties.filter_map(|property| may_end(&property)).collect();
        // What rests on types is asked about for itself.
        let is_other = |may_end: &MayEnd| may_end.error != Assumption::EffectiveTypes;
        all.extend(self.presumptions().into_iter().filter(is_other));
        all
    }

    /// What has to be taken for granted about compilers and contracts before something that may come after them. The
    /// questions are about the same thing: what is shown of them without types of pointers does not rest on those.
    pub(crate) fn presumed_before(
        &mut self,
        comes: &dyn Fn(&After) -> bool,
        questions: &Needed,
    ) -> Vec<Assumption> {
        let mut bounds = self.all_presumed_before(comes);
        if bounds.contains(&Assumption::EffectiveTypes) && self.excludes_untyped(questions) {
            bounds.retain(|bound| *bound != Assumption::EffectiveTypes);
        }
        bounds
    }

    /// Whether a proof that keeps no memory apart by types shows the same.
    fn excludes_untyped(&mut self, needed: &Needed) -> bool {
        if self.is_too_large {
            return false;
        }
        let mut untyped = self.untyped.take().unwrap_or_else(|| {
            let options = Options { types_apart: false, ..self.options.clone() };
            Prover::new(self.program, self.entry, options)
        });
        let mut is_excluded = |question: &Question| {
            let answer = untyped.decide(question);
            matches!(answer, Answer::Impossible(proof) if proof.bounds.is_empty())
        };
        let is_shown = match needed {
            Needed::Any(questions) => questions.iter().any(&mut is_excluded),
            Needed::All(questions) => {
                !questions.is_empty() && questions.iter().all(&mut is_excluded)
            }
        };
        self.untyped = (!self.is_stopped()).then_some(untyped);
        is_shown
    }

    fn all_presumed_before(&mut self, comes: &dyn Fn(&After) -> bool) -> Vec<Assumption> {
        let presumed = match self.presumed.take() {
            Some(known) => known,
            None => self.presumptions(),
        };
        let before = presumed.iter().filter(|may_end| comes(&may_end.after));
        let bounds = before.flat_map(|may_end| self.bounds_of(may_end)).collect();
        self.presumed = Some(presumed);
        bounds
    }

    fn presumptions(&mut self) -> Vec<MayEnd> {
        let functions = scope(self.program, self.entry, &[]);
        let marks = functions.iter().flat_map(|&function| presuming(self.program, function));
        let marks: Vec<(Property, Assumption)> = marks.collect();
        let broken = functions.iter().flat_map(|&function| promised(self.program, function));
        let broken: Vec<Property> = broken.collect();
        if marks.is_empty() && broken.is_empty() {
            return Vec::new();
        }
        let order = Order::new(self.program, self.entry);
        let may_end = |(property, error, is_sure): (Property, Assumption, bool)| {
            let after = order.after(&property);
            MayEnd { property, after, error, is_sure }
        };
        let marks = marks.into_iter().map(|(property, error)| (property, error, false));
        let mut all: Vec<MayEnd> = marks.map(may_end).collect();
        for property in broken {
            let line = property.span.line;
            if self.is_never_promised(&property) {
                all.push(may_end((property, Assumption::PromiseCanBeKept { line }, true)));
            }
        }
        all
    }

    /// Whether runs come to a call and none of them does what is promised of it: then nothing is behind it, and
    /// anything could be proved.
    fn is_never_promised(&mut self, mark: &Property) -> bool {
        let place = |site: &Site, instr: u32| {
            Question::Reached(Place { function: mark.function, block: site.block, instr })
        };
        mark.sites.iter().any(|site| {
            let call = site.instr.saturating_sub(JUDGED);
            self.exclude(Effort::All, &place(site, site.instr)).is_some()
                && self.exclude(Effort::Invariants, &place(site, call)).is_none()
        })
    }
}

/// Instructions from a call that is judged to the mark behind it: the call, the judge's answer, what it means, and that it
/// is assumed.
const JUDGED: u32 = 4;

/// Places behind calls of functions that promise something.
fn promised(program: &Program, function: FuncId) -> Vec<Property> {
    let marks = Site::all(program.body(function))
        .filter(|(_, instr)| matches!(instr.kind, InstrKind::Mark(Mark::Promised)));
    marks.map(|(site, instr)| library_call(function, site, instr)).collect()
}

/// Places in a function from where on compilers may make something else of it.
fn presuming(program: &Program, function: FuncId) -> Vec<(Property, Assumption)> {
    let marks = Site::all(program.body(function)).filter_map(|(site, instr)| {
        let InstrKind::Mark(Mark::Presumes(what)) = instr.kind else { return None };
        let error = Assumption::presumed(what, instr.span.line)?;
        Some((library_call(function, site, instr), error))
    });
    marks.collect()
}

/// A property of an instruction that has no check.
fn library_call(function: FuncId, site: Site, instr: &Instr) -> Property {
    Property {
        id: String::new(),
        function,
        kind: PropertyKind::LibraryCall,
        span: instr.span,
        text: String::new(),
        demand: None,
        sites: vec![site],
        is_asked: false,
    }
}

/// Calls of native functions that may write too much: they have no checks.
fn overfilling(program: &Program, function: FuncId) -> Vec<Property> {
    let body = program.body(function);
    let calls = Site::all(body).filter(
        |(_, instr)| matches!(&instr.kind, InstrKind::Call(call) if may_overfill(program, body, call)),
    );
    calls.map(|(site, instr)| library_call(function, site, instr)).collect()
}

/// Whether a target may be reached after an error: one of the things that it needs.
pub(crate) fn comes_to(
    program: &Program,
    after: &After,
    function: FuncId,
    target: &Target,
) -> bool {
    let needed = Question::needed_by(function, program.body(function), target);
    needed.is_empty() || needed.iter().any(|question| comes_to_question(after, question))
}

/// Whether what a question asks about may happen after an error.
pub(super) fn comes_to_question(after: &After, question: &Question) -> bool {
    let end_of = |function: FuncId, block: BlockId| after.comes_to(function, block, usize::MAX);
    match question {
        Question::Reached(place) | Question::CheckFails(place) | Question::AccessFails(place) => {
            after.comes_to(place.function, place.block, place.instr as usize)
        }
        Question::Edge { function, block, .. } => end_of(*function, *block),
        Question::AnyEdge { function, edges } => {
            edges.iter().any(|&(block, _)| end_of(*function, block))
        }
    }
}
