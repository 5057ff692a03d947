//! The blaster as a solver: growing and shrinking lists of roots, cores, limits, and random formulas
//! against enumeration.

mod oracle;

use std::sync::Arc;

use glassbox_blast::{Answer, Blaster, Budget, Limits, Reason};
use glassbox_terms::{
    BoolOp, BvOp, Evaluator, FpOp, Model, Op, Sort, TermId, Terms, Value, family,
};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Format, RoundingMode};
use oracle::var_of;

const PLENTY: u64 = 1_000_000;

fn check(blaster: &mut Blaster, terms: &Terms, roots: &[TermId]) -> Answer {
    blaster.check(terms, roots, &Budget::conflicts(PLENTY))
}

/// A random boolean term over the given 3-bit variables.
fn random_formula(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let width = 3;
    let mut words = vars.to_vec();
    let mut truths = Vec::new();
    let relations: Vec<Op> = [Op::Eq].into_iter().chain(family::BV_ORDER).collect();
    for _ in 0..6 {
        let (a, b) = (random.pick(&words), random.pick(&words));
        words.push(terms.intern(random.pick(&family::BV_COMBINE), &[a, b]));
        words.push(terms.bv_u(u128::from(random.below(8_u64)), width));
        let (a, b) = (random.pick(&words), random.pick(&words));
        truths.push(terms.intern(random.pick(&relations), &[a, b]));
        if truths.len() > 1 {
            let (p, q) = (random.pick(&truths), random.pick(&truths));
            let (a, b) = (random.pick(&words), random.pick(&words));
            words.push(terms.intern(Op::Ite, &[p, a, b]));
            truths.push(terms.intern(
                random.pick(&[Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or), Op::Bool(BoolOp::Xor)]),
                &[p, q],
            ));
        }
    }
    truths[truths.len() - 1]
}

/// All models of three 3-bit variables that satisfy the terms.
fn n_models(terms: &Terms, vars: &[TermId], assertions: &[TermId]) -> usize {
    let mut evaluator = Evaluator::new();
    (0..512u128)
        .filter(|code| {
            let model: Model = vars
                .iter()
                .enumerate()
                .map(|(position, &var)| {
                    (var_of(terms, var), Value::Bv(Bits::new(code >> (3 * position), 3)))
                })
                .collect();
            evaluator.under(terms, &model).all_hold(assertions)
        })
        .count()
}

#[test]
fn random_stacks_of_formulas_against_enumeration() {
    let mut random = Random::new(3);
    let (mut n_sat, mut n_unsat) = (0, 0);
    for _ in 0..60 {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..3).map(|_| terms.fresh_var("x", Sort::Bv(3))).collect();
        let mut blaster = Blaster::default();
        let mut stack: Vec<TermId> = Vec::new();
        for _ in 0..12 {
            if !stack.is_empty() && random.below(3) == 0 {
                stack.pop();
            } else {
                stack.push(random_formula(&mut terms, &mut random, &vars));
            }
            let last = random_formula(&mut terms, &mut random, &vars);
            let all = [&stack[..], &[last]].concat();
            match check(&mut blaster, &terms, &all) {
                Answer::Sat(model) => {
                    n_sat += 1;
                    assert!(Evaluator::new().under(&terms, &model).all_hold(&all), "{model:?}");
                }
                Answer::Unsat(core) => {
                    n_unsat += 1;
                    assert!(core.iter().all(|term| all.contains(term)), "the core is given terms");
                    assert_eq!(n_models(&terms, &vars, &core), 0, "the core should be unsat");
                    let again = check(&mut Blaster::default(), &terms, &core);
                    assert!(matches!(again, Answer::Unsat(_)), "and found so: {again:?}");
                }
                Answer::Unknown(reason) => panic!("small formulas are decided: {reason:?}"),
            }
        }
    }
    assert!(n_sat > 50 && n_unsat > 50, "both answers should occur: {n_sat} and {n_unsat}");
}

#[test]
fn a_core_names_only_what_is_needed() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let (five, nine) = (terms.bv_u(5, 32), terms.bv_u(9, 32));
    let below = terms.intern(BvOp::Ult, &[x, five]);
    let above = terms.intern(BvOp::Ult, &[nine, x]);
    let other = terms.intern(BvOp::Ult, &[y, x]);
    let mut blaster = Blaster::default();
    let core = Answer::Unsat(vec![below, above]);
    assert_eq!(check(&mut blaster, &terms, &[other, below, above]), core);
    assert!(matches!(check(&mut blaster, &terms, &[other, below]), Answer::Sat(_)));
}

#[test]
fn absurd_and_contradictory_roots() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bool);
    let not_x = terms.intern(BoolOp::Not, &[x]);
    let absurd = terms.intern(BoolOp::And, &[x, not_x]);
    let mut blaster = Blaster::default();
    assert_eq!(check(&mut blaster, &terms, &[x, absurd]), Answer::Unsat(vec![absurd]));
    assert_eq!(check(&mut blaster, &terms, &[x, not_x]), Answer::Unsat(vec![x, not_x]));
    assert!(matches!(check(&mut blaster, &terms, &[]), Answer::Sat(_)));
    assert!(matches!(check(&mut blaster, &terms, &[x, x]), Answer::Sat(_)));
}

/// x * y = a product of two 32-bit primes: too hard for a few conflicts.
fn hard_question(terms: &mut Terms) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let wide_x = terms.intern(BvOp::ZeroExtend { width: 64 }, &[x]);
    let wide_y = terms.intern(BvOp::ZeroExtend { width: 64 }, &[y]);
    let product = terms.intern(BvOp::Mul, &[wide_x, wide_y]);
    let target = terms.bv_u(2_860_486_313 * 3_267_000_013, 64);
    let one = terms.bv_u(1, 32);
    vec![
        terms.intern(Op::Eq, &[product, target]),
        terms.intern(BvOp::Ult, &[one, x]),
        terms.intern(BvOp::Ult, &[one, y]),
    ]
}

#[test]
fn limits_end_in_unknown_with_their_reason() {
    let mut terms = Terms::new();
    let question = hard_question(&mut terms);
    let mut blaster = Blaster::default();
    for max_conflicts in [0, 10, 4_000] {
        let answer = blaster.check(&terms, &question, &Budget::conflicts(max_conflicts));
        assert_eq!(answer, Answer::Unknown(Reason::Budget));
    }
    let stopped = Budget { max_conflicts: PLENTY, stop: Some(Arc::new(|| true)) };
    assert_eq!(blaster.check(&terms, &question, &stopped), Answer::Unknown(Reason::Stopped));

    let mut small = Blaster::new(Limits { max_gates: 2_000, ..Limits::default() });
    assert_eq!(check(&mut small, &terms, &question), Answer::Unknown(Reason::TooLarge));
    // What fits is still answered, and so is what fits only after the rest is forgotten.
    assert!(matches!(check(&mut small, &terms, &question[1..]), Answer::Sat(_)));
    let mut last = None;
    for _ in 0..40 {
        let (a, b) = (terms.fresh_var("a", Sort::Bv(16)), terms.fresh_var("b", Sort::Bv(16)));
        let product = terms.intern(BvOp::Mul, &[a, b]);
        let question = terms.intern(BvOp::Ult, &[product, a]);
        assert!(matches!(check(&mut small, &terms, &[question]), Answer::Sat(_)));
        last = Some(question);
    }
    assert!(matches!(
        check(&mut small, &terms, &last.into_iter().collect::<Vec<_>>()),
        Answer::Sat(_)
    ));
    assert!(small.statistics().n_gates <= 2_000);
}

#[test]
fn binary64_remainder_is_decided_or_refused() {
    let mut terms = Terms::new();
    let sort = Sort::Float(Format::F64);
    let (x, y) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort));
    let rest = terms.intern(FpOp::Fmod, &[x, y]);
    let nan = terms.intern(FpOp::IsNan, &[rest]);
    let mut small = Blaster::new(Limits { max_gates: 100_000, ..Limits::default() });
    assert_eq!(check(&mut small, &terms, &[nan]), Answer::Unknown(Reason::TooLarge));
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bv(4));
    let y = terms.fresh_var("y", Sort::Bv(4));
    let mut word = x;
    for _ in 0..20_000 {
        word = terms.intern(BvOp::Xor, &[word, y]);
        word = terms.intern(BvOp::Add, &[word, x]);
    }
    let question = terms.intern(BvOp::Ult, &[word, y]);
    let Answer::Sat(model) = check(&mut Blaster::default(), &terms, &[question]) else {
        panic!("the deep question should have a model")
    };
    assert!(Evaluator::new().under(&terms, &model).all_hold(&[question]));
}

#[test]
fn the_same_questions_get_the_same_answers() {
    let run = || {
        let mut terms = Terms::new();
        let sort = Sort::Float(Format::F32);
        let (x, y) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort));
        let product = terms.intern(FpOp::Mul(RoundingMode::NearestEven), &[x, y]);
        let sum = terms.intern(FpOp::Add(RoundingMode::NearestEven), &[x, y]);
        let equal = terms.intern(FpOp::Eq, &[product, sum]);
        let normal = terms.intern(FpOp::IsNormal, &[x]);
        let different = terms.intern(Op::Eq, &[x, y]);
        let different = terms.intern(BoolOp::Not, &[different]);
        let mut blaster = Blaster::default();
        let first = check(&mut blaster, &terms, &[equal, normal]);
        let second = check(&mut blaster, &terms, &[equal, normal, different]);
        (first, second, blaster.statistics())
    };
    let once = run();
    assert!(matches!(once.0, Answer::Sat(_)));
    assert_eq!(once, run());
}
