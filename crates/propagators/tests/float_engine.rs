//! Float propagators inside the engine: random conjunctions over tiny floats, integers and booleans,
//! against enumeration of all assignments.
//!
//! Laws: a conflict means that the assertions of the core have no common solution; otherwise every
//! solution is still in the domain of every term.

use glassbox_kernel::{AssertId, Budget};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::family::{FP_EXACT, FP_RELATION, FP_TEST, fp_rounded};
use glassbox_terms::{BoolOp, Evaluator, FpOp, Model, Op, Sort, TermId, Terms, Value, VarId};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

/// Three exponent bits, two stored significand bits: 58 numbers and NaN.
const TINY: Format = Format { exponent: 3, significand: 3 };

fn all_values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Bv(width) => {
            (0..1_u128 << width).map(|value| Value::Bv(Bits::new(value, width))).collect()
        }
        Sort::Float(format) => (0..1_u64 << format.width())
            .map(|bits| Float::from_bits(bits, format))
            .filter(|float| !float.is_nan())
            .chain([Float::nan(format)])
            .map(Value::Float)
            .collect(),
        Sort::Array { .. } => panic!("no arrays here"),
    }
}

/// A random float operator; the caller tries it on random arguments until the sorts fit.
fn operator(random: &mut Random) -> Op {
    let rounding = random.pick(&RoundingMode::ALL);
    let signedness = random.pick(&[Signedness::Signed, Signedness::Unsigned]);
    let width = random.pick(&[3, 4, 70]);
    let mut ops = fp_rounded(rounding).to_vec();
    ops.extend(FP_EXACT);
    ops.extend([
        Op::Fp(FpOp::Fma(rounding)),
        Op::Fp(FpOp::Sqrt(rounding)),
        Op::Fp(FpOp::RoundToIntegral(rounding)),
        Op::Fp(FpOp::Abs),
        Op::Fp(FpOp::Neg),
        Op::Fp(FpOp::ToFp { format: TINY, rounding }),
        Op::Fp(FpOp::FromBits(TINY)),
        Op::Fp(FpOp::ToBits),
        Op::Fp(FpOp::FromInt { format: TINY, rounding, signedness }),
        Op::Fp(FpOp::ToInt { width, rounding, signedness }),
        Op::Ite,
    ]);
    random.pick(&ops)
}

fn predicate(random: &mut Random) -> Op {
    let mut ops = vec![Op::Eq, Op::Fp(FpOp::Lt), Op::Fp(FpOp::Le)];
    ops.extend(FP_RELATION.into_iter().chain(FP_TEST));
    random.pick(&ops)
}

/// A term `op(args)` over the pool, with an operator from `choose`.
fn grow(
    terms: &mut Terms,
    pool: &[TermId],
    random: &mut Random,
    choose: impl Fn(&mut Random) -> Op,
) -> TermId {
    loop {
        let op = choose(random);
        for n_args in 1..=3 {
            for _ in 0..6 {
                let args: Vec<TermId> = (0..n_args).map(|_| random.pick(pool)).collect();
                if terms.sort_of(op, &args).is_some() {
                    return terms.intern(op, &args);
                }
            }
        }
    }
}

/// A random conjunction over two or three variables of the given sorts.
fn conjunction(terms: &mut Terms, sorts: &[Sort], random: &mut Random) -> Vec<TermId> {
    let mut pool: Vec<TermId> = sorts.iter().map(|&sort| terms.fresh_var("v", sort)).collect();
    for _ in 0..2 {
        let constant = random.pick(&[0x00, 0x04, 0x0c, 0x0d, 0x10, 0x12, 0x2c, 0x20, 0x1b]);
        pool.push(terms.intern(Op::FloatConst(Float::from_bits(constant, TINY)), &[]));
    }
    for _ in 0..3 + random.below(4) {
        let term = grow(terms, &pool, random, operator);
        pool.push(term);
    }
    (0..2 + random.below(3))
        .map(|_| {
            let atom = grow(terms, &pool, random, predicate);
            pool.push(atom);
            if random.below(3) == 0 { terms.intern(BoolOp::Not, &[atom]) } else { atom }
        })
        .collect()
}

/// Calls `visit` with every assignment of the variables.
fn for_all_models(terms: &Terms, mut visit: impl FnMut(&Model)) {
    let vars: Vec<VarId> = terms.vars().collect();
    let values: Vec<Vec<Value>> = vars.iter().map(|&var| all_values(terms.var_sort(var))).collect();
    let mut indices = vec![0; vars.len()];
    loop {
        let model = vars.iter().zip(&values).zip(&indices);
        visit(&model.map(|((&var, values), &index)| (var, values[index].clone())).collect());
        let mut position = 0;
        loop {
            if position == vars.len() {
                return;
            }
            indices[position] += 1;
            if indices[position] < values[position].len() {
                break;
            }
            indices[position] = 0;
            position += 1;
        }
    }
}

fn check_conjunction(terms: &Terms, assertions: &[TermId]) -> bool {
    let mut engine = Engine::new();
    for (index, &assertion) in assertions.iter().enumerate() {
        engine.assert(terms, assertion, AssertId(u32::try_from(index).expect("few")));
    }
    let outcome = engine.propagate(&mut Budget::steps(100_000));
    let mut evaluator = Evaluator::new();
    let core: Vec<TermId> = match &outcome {
        Propagation::Conflict(core) => core.iter().map(|id| assertions[id.0 as usize]).collect(),
        Propagation::Consistent | Propagation::OutOfBudget => assertions.to_vec(),
    };
    let subterms = terms.subterms(assertions);
    for_all_models(terms, |model| {
        let mut evaluation = evaluator.under(terms, model);
        if !evaluation.all_hold(&core) {
            return;
        }
        assert!(!matches!(outcome, Propagation::Conflict(_)), "{model:?} satisfies the core");
        for &term in &subterms {
            if let Some(domain) = engine.domain(term) {
                let value = evaluation.value(term);
                let op = terms.op(term);
                assert!(domain.contains(value), "{op:?} lost {value:?}: {domain:?} in {model:?}");
            }
        }
    });
    matches!(outcome, Propagation::Conflict(_))
}

fn check_many(sorts: &[Sort], n_formulas: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    (0..n_formulas)
        .filter(|_| {
            let mut terms = Terms::new();
            let assertions = conjunction(&mut terms, sorts, &mut random);
            check_conjunction(&terms, &assertions)
        })
        .count()
}

#[test]
fn two_floats() {
    let sorts = [Sort::Float(TINY), Sort::Float(TINY)];
    let n_refuted = check_many(&sorts, 500, 5);
    assert!(n_refuted > 10, "some formulas should be refuted: {n_refuted}");
}

#[test]
fn a_float_an_integer_and_a_condition() {
    let sorts = [Sort::Float(TINY), Sort::Bv(4), Sort::Bool];
    let n_refuted = check_many(&sorts, 700, 7);
    assert!(n_refuted > 10, "some formulas should be refuted: {n_refuted}");
}

#[test]
fn an_encoding_and_an_integer() {
    let n_refuted = check_many(&[Sort::Bv(6), Sort::Bv(3)], 1000, 11);
    assert!(n_refuted > 10, "some formulas should be refuted: {n_refuted}");
}

#[test]
fn a_float_against_itself() {
    let n_refuted = check_many(&[Sort::Float(TINY)], 4000, 13);
    assert!(n_refuted > 100, "some formulas should be refuted: {n_refuted}");
}
