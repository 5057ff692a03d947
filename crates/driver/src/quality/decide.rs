//! Which mutants a relation tells from their function with some input, and which satisfy it with all: decided where `quality` draws.

use std::time::Duration;

use glassbox_coverage::property::is_library;
use glassbox_coverage::scope::scope;
use glassbox_coverage::{Asked, Properties, PropertyKind};
use glassbox_ir::{CheckKind, FuncId};
use glassbox_testcase::{NotCompared, Verdict};

use super::replace;
use crate::compared::not_compared;
use crate::drive::Case;
use crate::language::Variant;
use crate::mutate::is_straight;
use crate::stopwatch::Stopwatch;
use crate::verify::{Asking, answer};

/// Turns of loops on a path.
const UNWIND: u32 = 32;

/// What became of the mutants of a function, with all inputs that its contract allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    /// Mutants that violate a relation with some input.
    pub n_violating: u64,
    /// Mutants that satisfy all relations: proved.
    pub n_satisfying: u64,
    /// The same within bounds, or as far as calls come to their end.
    pub n_within: u64,
    pub n_unknown: u64,
}

/// What is known of one mutant, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Satisfies,
    Within,
    Unknown,
    Violates,
}

impl Decided {
    /// Asks about each mutant in turn. `time` is for one relation of one mutant.
    pub(super) fn of(
        case: &Case<'_>,
        function: FuncId,
        (variants, relations): (&[Variant], &[FuncId]),
        time: Duration,
    ) -> Decided {
        let name = &case.program().function(function).name;
        let watch = Stopwatch::start(case.listener, name);
        let mut decided = Decided::default();
        for mutant in variants.iter().filter_map(|variant| variant.function) {
            let mut fate = Fate::Satisfies;
            for &relation in relations {
                fate = fate.max(asked(case, (function, mutant), relation, (&watch, time)));
                if fate == Fate::Violates || case.listener.is_interrupted() {
                    break;
                }
            }
            let count = match fate {
                Fate::Satisfies => &mut decided.n_satisfying,
                Fate::Within => &mut decided.n_within,
                Fate::Unknown => &mut decided.n_unknown,
                Fate::Violates => &mut decided.n_violating,
            };
            *count += 1;
        }
        decided
    }
}

/// A relation with a mutant in the place of the function.
fn asked(
    case: &Case<'_>,
    (function, mutant): (FuncId, FuncId),
    relation: FuncId,
    (watch, time): (&Stopwatch<'_>, Duration),
) -> Fate {
    let mut program = case.program().clone();
    replace(&mut program, relation, function, mutant);
    let mut properties = Properties::of(&program, &scope(&program, relation, &[]));
    properties.ask(&program, &Asked::Relations);
    let asking = Asking {
        program: &program,
        function,
        entry: relation,
        properties,
        unwind: UNWIND,
        proves: true,
        time,
    };
    let found = answer(case, asking, watch);
    let is_it = PropertyKind::Check(CheckKind::Relation);
    let pairs = found.properties.list().iter().zip(&found.verdicts);
    let own = pairs.filter(|(property, _)| property.kind == is_it);
    let fate = |verdict: &Verdict| match verdict {
        Verdict::Violated { .. } => Fate::Violates,
        Verdict::Holds(_) => Fate::Satisfies,
        Verdict::HoldsWithin { .. } => Fate::Within,
        // No run comes to the comparison.
        Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Covered { .. }
        | Verdict::Unknown(_) => Fate::Unknown,
    };
    let mut worst = own.map(|(_, verdict)| fate(verdict)).max().unwrap_or(Fate::Unknown);
    // Calls that do not come back, and what they leave that is not compared.
    let mut functions = scope(&program, relation, &[]);
    functions.retain(|&id| id == relation || !is_library(&program, id));
    let ends = found.is_complete || is_straight(&program, &functions, relation);
    functions.retain(|&id| id != relation);
    let is_left_out = |what: &NotCompared| matches!(what, NotCompared::Exits | NotCompared::Errno);
    if !ends || not_compared(&program, relation, &functions).iter().any(is_left_out) {
        worst = worst.max(Fate::Within);
    }
    // What is not understood may be where a difference is.
    if found.blind_spot.is_some() { worst.max(Fate::Unknown) } else { worst }
}
