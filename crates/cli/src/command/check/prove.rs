//! What the exploration of paths leaves open or bounded is asked of the prover.

use glassbox_coverage::Property;
use glassbox_ir::{FuncId, Program};
use glassbox_model::Config;
use glassbox_prove::{Answer, Method, Options, Place, Prover, Question};
use glassbox_testcase::{ProofMethod, UnknownReason, Verdict};

/// Turns verdicts that a proof without bounds can replace; by property: the proof in words.
pub(super) fn improve(
    program: &Program,
    entry: FuncId,
    config: &Config,
    properties: &[Property],
    verdicts: &mut [Verdict],
) -> Vec<Option<String>> {
    let options = Options { model: *config, ..Options::default() };
    let mut prover = Prover::new(program, entry, options);
    let pairs = properties.iter().zip(verdicts);
    pairs
        .map(|(property, verdict)| {
            if !is_open(verdict) {
                return None;
            }
            let (method, words) = prove(&mut prover, property)?;
            *verdict = match method {
                // Nothing comes to the place at all.
                ProofMethod::ControlFlow => Verdict::Infeasible(method),
                _ => Verdict::Holds(method),
            };
            Some(words)
        })
        .collect()
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

/// A proof that no instruction that checks the property fails.
fn prove(prover: &mut Prover<'_>, property: &Property) -> Option<(ProofMethod, String)> {
    // Failures inside the library, and those that only a run shows, have no single place.
    let is_check = property.kind != glassbox_coverage::PropertyKind::LibraryCall;
    if !is_check || property.sites.is_empty() {
        return None;
    }
    let mut last = None;
    for site in &property.sites {
        let (function, block, instr) = (property.function, site.block, site.instr);
        let question = Question::CheckFails(Place { function, block, instr });
        match prover.decide(&question) {
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
        Method::WholeFunction | Method::Unfolding { .. } => ProofMethod::WholeFunction,
    }
}
