//! Path-like questions: 5 to 40 comparisons over 1 to 8 variables of 32 bits, asked incrementally.
//!
//! A path grows branch by branch: both sides of a condition are checked under the prefix, then a feasible
//! side is taken, as an explorer of program paths does. The walk is recorded once and played to each
//! solver; the time of a question is that of `push`, `assert`, `check`, `pop` together.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]

use std::time::{Duration, Instant};

use glassbox_solver::{Options, Solver};
use glassbox_terms::{Sort, TermId, Terms, print};

use crate::Settings;
use glassbox_testkit::z3::Z3;

const N_PATHS: usize = 100;

/// What is done with the solver.
enum Action {
    Ask {
        condition: TermId,
        is_sat: bool,
    },
    Take {
        condition: TermId,
    },
    /// Start of a path with these variables.
    Start {
        vars: Vec<TermId>,
    },
    End {
        n_levels: usize,
    },
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }
}

pub(crate) fn run(settings: &Settings) {
    println!("paths: {N_PATHS} paths of 5..40 branches over 1..8 variables of 32 bits");
    let mut terms = Terms::new();
    let actions = record(&mut terms);
    let (ours, statistics) = play_ours(settings, &mut terms, &actions);
    report("  glassbox", &ours);
    for (layer, counters) in statistics.layers() {
        if counters.asked > 0 {
            println!(
                "    {:10} asked {:7} sat {:6} unsat {:6} wrong {} steps {}",
                layer.name(),
                counters.asked,
                counters.sat,
                counters.unsat,
                counters.wrong,
                counters.steps
            );
        }
    }
    if let Some(theirs) = play_z3(&terms, &actions) {
        report("  z3 pipe ", &theirs);
        let ratio = median(&theirs).as_secs_f64() / median(&ours).as_secs_f64();
        let total: f64 = theirs.iter().sum::<Duration>().as_secs_f64()
            / ours.iter().sum::<Duration>().as_secs_f64();
        println!("  z3 / glassbox: median {ratio:.1}x, total {total:.1}x");
    }
}

fn record(terms: &mut Terms) -> Vec<Action> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut actions = Vec::new();
    for path in 0..N_PATHS {
        let n_vars = 1 + path % 8;
        let vars: Vec<TermId> =
            (0..n_vars).map(|i| terms.fresh_var(format!("p{path}x{i}"), Sort::Bv(32))).collect();
        actions.push(Action::Start { vars: vars.clone() });
        let mut solver = Solver::new(Options::default());
        let n_branches = 5 + random.below(36);
        for _ in 0..n_branches {
            let condition = comparison(terms, &mut random, &vars);
            let negated = terms.not(condition);
            if terms.is_const(condition) {
                continue;
            }
            let mut feasible = Vec::new();
            for side in [condition, negated] {
                let is_sat = solver.check_assuming(terms, &[side]).is_sat();
                actions.push(Action::Ask { condition: side, is_sat });
                if is_sat {
                    feasible.push(side);
                }
            }
            let taken = feasible[usize::try_from(random.below(2)).expect("small") % feasible.len()];
            solver.push();
            solver.assert(terms, taken);
            actions.push(Action::Take { condition: taken });
        }
        actions.push(Action::End { n_levels: solver.level() });
    }
    actions
}

fn comparison(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let left = linear(terms, random, vars);
    let right =
        if random.below(3) == 0 { linear(terms, random, vars) } else { constant(terms, random) };
    match random.below(8) {
        0 => terms.eq(left, right),
        1 => terms.ne(left, right),
        2 => terms.bv_slt(left, right),
        3 => terms.bv_sle(left, right),
        4 => terms.bv_slt(right, left),
        5 => terms.bv_sle(right, left),
        6 => terms.bv_ult(left, right),
        _ => terms.bv_ule(left, right),
    }
}

fn constant(terms: &mut Terms, random: &mut Random) -> TermId {
    let value = match random.below(4) {
        0 => i128::from(random.below(10)),
        1 => i128::from(random.below(200)) - 100,
        2 => i128::from(random.below(20_000)) - 10_000,
        _ => i128::from(random.below(1 << 31)) - (1 << 30),
    };
    terms.bv_s(value, 32)
}

/// One or two variables with small coefficients, and a constant.
fn linear(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let mut sum = scaled(terms, random, vars);
    if random.below(3) == 0 {
        let other = scaled(terms, random, vars);
        sum =
            if random.below(2) == 0 { terms.bv_add(sum, other) } else { terms.bv_sub(sum, other) };
    }
    if random.below(2) == 0 {
        let offset = constant(terms, random);
        sum = terms.bv_add(sum, offset);
    }
    sum
}

fn scaled(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let var = vars[usize::try_from(random.below(vars.len() as u64)).expect("small")];
    if random.below(3) == 0 {
        let factor = terms.bv_s(i128::from(random.below(12)) - 3, 32);
        return terms.bv_mul(var, factor);
    }
    var
}

fn play_ours(
    settings: &Settings,
    terms: &mut Terms,
    actions: &[Action],
) -> (Vec<Duration>, glassbox_solver::Statistics) {
    let mut times = Vec::new();
    let mut solver = Solver::new(settings.options.clone());
    for action in actions {
        match action {
            Action::Start { .. } => {}
            Action::Ask { condition, is_sat } => {
                let started = Instant::now();
                solver.push();
                solver.assert(terms, *condition);
                let answer = solver.check(terms);
                solver.pop(1);
                times.push(started.elapsed());
                assert_eq!(answer.is_sat(), *is_sat, "one answer in either way");
            }
            Action::Take { condition } => {
                solver.push();
                solver.assert(terms, *condition);
            }
            Action::End { n_levels } => solver.pop(*n_levels),
        }
    }
    (times, solver.statistics().clone())
}

fn play_z3(terms: &Terms, actions: &[Action]) -> Option<Vec<Duration>> {
    let mut z3 = Z3::start(&[])?;
    let mut times = Vec::new();
    z3.send("(set-logic QF_BV)\n");
    for action in actions {
        match action {
            Action::Start { vars } => {
                z3.send("(push 1)\n");
                for &var in vars {
                    let name = print::to_smtlib(terms, var);
                    z3.send(&format!("(declare-fun {name} () (_ BitVec 32))\n"));
                }
            }
            Action::Ask { condition, is_sat } => {
                let text = print::to_smtlib(terms, *condition);
                let question = format!("(push 1)(assert {text})(check-sat)(pop 1)\n");
                let started = Instant::now();
                let answer = z3.ask(&question);
                times.push(started.elapsed());
                assert_eq!(answer == "sat", *is_sat, "z3 agrees on {text}");
            }
            Action::Take { condition } => {
                let text = print::to_smtlib(terms, *condition);
                z3.send(&format!("(push 1)(assert {text})\n"));
            }
            Action::End { n_levels } => z3.send(&format!("(pop {})\n", n_levels + 1)),
        }
    }
    Some(times)
}

pub(crate) fn median(times: &[Duration]) -> Duration {
    quantile(times, 0.5)
}

fn quantile(times: &[Duration], share: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rank among the samples"
    )]
    let rank = (sorted.len() as f64 * share) as usize;
    sorted.get(rank.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn report(who: &str, times: &[Duration]) {
    let micros = |duration: Duration| duration.as_secs_f64() * 1e6;
    println!(
        "{who}: {} questions, median {:.1} us, 90% {:.1} us, 99% {:.1} us, max {:.0} us, total {:.3} s",
        times.len(),
        micros(median(times)),
        micros(quantile(times, 0.9)),
        micros(quantile(times, 0.99)),
        micros(quantile(times, 1.0)),
        times.iter().sum::<Duration>().as_secs_f64()
    );
}
