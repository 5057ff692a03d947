//! What the exploration of paths leaves open or bounded is asked of the prover.

use std::time::Duration;

use glassbox_coverage::{Property, PropertyKind};
use glassbox_ir::{Check, CheckKind, FuncId, InstrKind, Operand, Program};
use glassbox_model::Config;
use glassbox_prove::{Answer, Method, Options, Place, Prover, Question};
use glassbox_solver::StopFlag;
use glassbox_testcase::{ProofMethod, UnknownReason, Verdict};

/// Conflicts of the SAT solver in one question: a proof that needs more is rarely found at all, and
/// circuits of products make each one costly.
const CONFLICTS: u64 = 500;

/// The emergency stop of one question.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// A method and the proof in words.
pub(crate) type Found = (ProofMethod, String);

fn prover<'a>(
    program: &'a Program,
    entry: FuncId,
    (config, stop): (&Config, &StopFlag),
) -> Prover<'a> {
    let options = Options {
        model: *config,
        time_limit: Some(TIME_LIMIT),
        conflicts: CONFLICTS,
        stop: stop.clone(),
        ..Options::default()
    };
    Prover::new(program, entry, options)
}

/// Asks about every property before the search where functions call themselves: their paths have no end.
/// `None` where they do not, or where time ended.
pub(crate) fn ahead(
    program: &Program,
    entry: FuncId,
    (config, stop): (&Config, &StopFlag),
    properties: &[Property],
) -> Option<Vec<Option<Found>>> {
    if !glassbox_prove::may_recur(program, entry) {
        return None;
    }
    let mut prover = prover(program, entry, (config, stop));
    let found = properties
        .iter()
        .map(|property| if stop.is_set() { None } else { holds(&mut prover, property) });
    let found = found.collect();
    (!stop.is_set()).then_some(found)
}

/// Turns verdicts that a proof without bounds can replace; by property: the proof in words. What was asked ahead of
/// the search is not asked again.
pub(crate) fn improve(
    program: &Program,
    entry: FuncId,
    (config, stop): (&Config, &StopFlag),
    (properties, ahead): (&[Property], Option<Vec<Option<Found>>>),
    verdicts: &mut [Verdict],
) -> Vec<Option<String>> {
    let mut prover = prover(program, entry, (config, stop));
    let pairs = properties.iter().zip(verdicts).enumerate();
    pairs
        .map(|(index, (property, verdict))| {
            if !is_open(verdict) || stop.is_set() {
                return None;
            }
            let known = ahead.as_ref().and_then(|ahead| ahead.get(index).cloned());
            let found = known.unwrap_or_else(|| holds(&mut prover, property));
            let (method, words) = found?;
            if property.kind.is_about_the_end() {
                *verdict = Verdict::Infeasible(method);
                return Some(words);
            }
            let was_reached = matches!(verdict, Verdict::HoldsWithin { .. });
            // Coming to a check that always fails is failing it: that says nothing about the way there.
            let is_vacuous = !was_reached
                && !always_fails(program, property)
                && prove(&mut prover, property, Question::Reached).is_some();
            *verdict =
                if is_vacuous { Verdict::Infeasible(method) } else { Verdict::Holds(method) };
            Some(words)
        })
        .collect()
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

/// A proof that a property holds, or that nothing ends in the way it speaks of.
fn holds(prover: &mut Prover<'_>, property: &Property) -> Option<Found> {
    // Failures inside the library, and those that only a run shows, have no single place.
    if property.kind == PropertyKind::LibraryCall || property.sites.is_empty() {
        return None;
    }
    if property.kind.is_about_the_end() {
        return prove(prover, property, Question::Reached);
    }
    prove(prover, property, failure(property.kind))
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

fn always_fails(program: &Program, property: &Property) -> bool {
    let body = program.body(property.function);
    property.sites.iter().all(|site| {
        let instr = body.block(site.block).instrs.get(site.instr as usize);
        matches!(instr.map(|instr| &instr.kind),
            Some(InstrKind::Check(Check::Condition { condition: Operand::Int(bits), .. }))
                if !bits.is_true())
    })
}

/// A proof without bounds that what is asked happens at none of the property's instructions.
fn prove(
    prover: &mut Prover<'_>,
    property: &Property,
    ask: impl Fn(Place) -> Question,
) -> Option<Found> {
    let mut last = None;
    for site in &property.sites {
        let (function, block, instr) = (property.function, site.block, site.instr);
        match prover.decide(&ask(Place { function, block, instr })) {
            Answer::Impossible(proof) if proof.bounds.is_empty() => {
                last = Some((method(proof.method), proof.method.to_string()));
            }
            Answer::Impossible(_) | Answer::Possible(_) | Answer::Unknown(_) => return None,
        }
    }
    last
}

fn method(method: Method) -> ProofMethod {
    match method {
        Method::ControlFlow => ProofMethod::ControlFlow,
        Method::Ranges | Method::LinearInvariants => ProofMethod::LoopSummary,
        Method::Induction { .. } => ProofMethod::Induction,
        Method::Covering => ProofMethod::Covering,
        Method::CallSummaries => ProofMethod::CallSummaries,
        Method::WholeFunction | Method::Unfolding { .. } => ProofMethod::WholeFunction,
    }
}
