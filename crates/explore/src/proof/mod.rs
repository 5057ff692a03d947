//! Proofs: the prover of one function, asked in one place for goals and for properties.

pub(crate) mod constant;
mod doubt;
pub(crate) mod errors;
mod operands;
pub(crate) mod properties;
mod regardless;

use std::collections::BTreeMap;
use std::time::Duration;

use glassbox_coverage::Site;
use glassbox_coverage::scope::scope;
use glassbox_ir::{Body, Check, FuncId, InstrKind, Operand, Program};
use glassbox_model::Config;
use glassbox_prove::{Answer, Method, Options, Proof, Prover, Question};
use glassbox_solver::Allowance;
use glassbox_testcase::{LineFacts, ProofMethod, Verdict};

use crate::search::PathSearch;
use crate::supervision::Supervision;

/// What proofs are for, which says what they may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Beside a search: what costs more than the paths that wait is not tried.
    Goals,
    /// After a search, for what it left open.
    Properties,
}

/// Functions that runs over objects may come to, beyond which no graph is made: that takes minutes, whoever waits.
const MAX_FUNCTIONS_OVER_OBJECTS: usize = 400;

/// What one function's proofs may spend.
struct Spending {
    /// Work of the linear programs behind the invariants; 30 million are a second.
    linear_work: u64,
    /// Blocks of a function, its expanded calls included, beyond which proofs are not tried.
    max_blocks: usize,
    /// Conflicts of the SAT solver in one question.
    conflicts: u64,
    /// The emergency stop of one question.
    time_limit: Option<Duration>,
}

impl Purpose {
    fn spending(self) -> Spending {
        match self {
            Purpose::Goals => Spending {
                linear_work: 6_000_000,
                max_blocks: 200,
                conflicts: 10_000,
                time_limit: None,
            },
            // A proof that needs more conflicts is rarely found at all, and circuits of products make each one
            // costly.
            Purpose::Properties => Spending {
                linear_work: 40_000_000,
                max_blocks: 4000,
                conflicts: 500,
                time_limit: Some(Duration::from_secs(5)),
            },
        }
    }
}

/// How much is tried for one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effort {
    /// Runs over boxes of float inputs.
    Covering,
    /// What the invariants say at once.
    Invariants,
    /// All methods, from cheap to costly.
    All,
}

/// The prover of one function and where its runs start.
#[derive(Debug)]
pub(crate) struct Proofs<'a> {
    program: &'a Program,
    entry: FuncId,
    options: Options,
    /// What the prover may do before it is another's turn.
    allowance: Allowance,
    prover: Prover<'a>,
    /// What was asked: many goals come to the same question.
    known: BTreeMap<(Effort, Question), Option<Proof>>,
    /// What is known of runs that go on after errors; made when first needed.
    regardless: Option<regardless::Regardless<'a>>,
    /// A prover that keeps no memory apart by types; made when first needed.
    untyped: Option<Prover<'a>>,
    /// What may end runs in an error, and what comes after it; `None` before anyone asked.
    errors: Option<Vec<errors::MayEnd>>,
    /// What is taken for granted about compilers and contracts; `None` before anyone asked.
    presumed: Option<Vec<errors::MayEnd>>,
    /// Whether what runs may do is all in the program; `None` before anyone asked.
    is_understood: Option<bool>,
    /// Whether anything in the library that runs may come to is not understood; `None` before anyone asked.
    has_gaps: Option<bool>,
    /// So much of Java's library may run that graphs of it are not made.
    is_too_large: bool,
}

impl<'a> Proofs<'a> {
    pub(crate) fn new(
        program: &'a Program,
        entry: FuncId,
        config: &Config,
        purpose: Purpose,
        supervision: &Supervision<'_>,
    ) -> Proofs<'a> {
        let Spending { linear_work, max_blocks, conflicts, time_limit } = purpose.spending();
        let (stop, allowance) = supervision.within.with_allowance();
        let options = Options {
            model: *config,
            linear_work,
            max_blocks,
            conflicts,
            time_limit,
            stop,
            second_opinion: supervision.second_opinion.clone(),
            ..Options::default()
        };
        let prover = Prover::new(program, entry, options.clone());
        let is_too_large = program.language.has_objects()
            && scope(program, entry, &[]).len() > MAX_FUNCTIONS_OVER_OBJECTS;
        Proofs {
            is_too_large,
            program,
            entry,
            options,
            allowance,
            prover,
            known: BTreeMap::new(),
            regardless: None,
            untyped: None,
            errors: None,
            presumed: None,
            is_understood: None,
            has_gaps: None,
        }
    }

    /// From now on the prover may look at its flag at most this many times.
    pub(crate) fn allow(&mut self, looks: u64) {
        self.allowance.refill(looks);
    }

    /// What was allowed is used up: what was asked since then is not answered.
    pub(crate) fn is_spent(&self) -> bool {
        self.allowance.is_spent()
    }

    /// Forgets everything but proofs: what a prover learned while it was being stopped is less than it could be.
    pub(crate) fn forget(&mut self) {
        self.prover = Prover::new(self.program, self.entry, self.options.clone());
        self.known.retain(|_, proof| proof.is_some());
        self.regardless = None;
        self.untyped = None;
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.options.stop.is_set()
    }

    /// A proof that nothing does what the question says.
    pub(crate) fn exclude(&mut self, effort: Effort, question: &Question) -> Option<Proof> {
        if self.is_too_large {
            return None;
        }
        let key = (effort, question.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let proof = match effort {
            Effort::Covering => self.prover.exclude_by_covering(question),
            Effort::Invariants => self.prover.exclude_by_invariants(question),
            Effort::All => match self.prover.decide(question) {
                Answer::Impossible(proof) => Some(proof),
                Answer::Possible(_) | Answer::Unknown(_) => None,
            },
        };
        // What was stopped may be found the next time.
        if proof.is_some() || !self.is_stopped() {
            self.known.insert(key, proof.clone());
        }
        proof
    }
}

impl PathSearch<'_> {
    /// What holds at lines of the function, whenever control comes there.
    pub fn invariants(&mut self) -> Vec<LineFacts> {
        let proofs = &mut self.proofs;
        let lines = if self.function == self.entry {
            proofs.prover.describe()
        } else {
            Prover::new(self.program, self.function, proofs.options.clone()).describe()
        };
        lines.unwrap_or_default().into_iter().filter(|line| line.known.is_something()).collect()
    }
}

/// What a proof says about a goal.
pub(crate) fn excluded(proof: &Proof) -> Verdict {
    if proof.bounds.is_empty() {
        return Verdict::Infeasible(method(proof.method));
    }
    Verdict::InfeasibleWithin { bounds: proof.bounds.clone() }
}

/// The prover's method as verdicts name it.
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

/// Whether the check at this place fails whenever control comes to it.
pub(crate) fn always_fails(body: &Body, site: Site) -> bool {
    let instr = body.block(site.block).instrs.get(site.instr as usize);
    matches!(instr.map(|instr| &instr.kind),
        Some(InstrKind::Check(Check::Condition { condition: Operand::Int(bits), .. }))
            if !bits.is_true())
}
