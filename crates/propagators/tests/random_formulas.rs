//! Random formulas over tiny sorts, decided by the engine and by enumeration.
//!
//! For every formula: a conflict must have an unsatisfiable core, every domain must hold every
//! solution, a candidate must satisfy the formula, and the same calls after `pop` must give the same
//! answers.

use std::collections::BTreeSet;

use glassbox_kernel::{AssertId, Budget};
use glassbox_propagators::{Engine, Labelling, Propagation};
use glassbox_terms::family::{BV_COMBINE, bv_relations};
use glassbox_terms::{
    ArrayOp, ArrayValue, BoolOp, BvOp, Evaluator, Model, Op, Scalar, Sort, TermId, Terms, Value,
};
use glassbox_testkit::Random;
use glassbox_values::Bits;

struct Formula {
    terms: Terms,
    vars: Vec<TermId>,
    assertions: Vec<TermId>,
    is_complete: bool,
}

/// The relations of vectors, the most frequent twice.
fn predicates() -> Vec<Op> {
    bv_relations().chain([Op::Eq, Op::Bv(BvOp::Ult)]).collect()
}

/// A random formula; `with` says which rare sorts may occur.
fn formula(random: &mut Random, with: With) -> Formula {
    let mut terms = Terms::new();
    let width = 1 + u8::try_from(random.below(4)).expect("small");
    let n_vars = if width > 3 { 2 } else { 3 };
    let mut vars: Vec<TermId> =
        (0..n_vars).map(|index| terms.fresh_var(format!("x{index}"), Sort::Bv(width))).collect();
    let mut vectors = vars.clone();
    let flag = terms.fresh_var("p", Sort::Bool);
    vars.push(flag);
    let mut truths = vec![flag];
    for _ in 0..2 {
        let value = random.below(1 << width);
        let bits = Bits::new(u128::try_from(value).expect("small"), width);
        vectors.push(terms.intern(Op::BvConst(bits), &[]));
    }
    if with == With::Arrays {
        let sort = Sort::Array { index: 1, element: Scalar::Bv(width) };
        let array = terms.fresh_var("a", sort);
        vars.push(array);
        add_reads(random, &mut terms, array, width, &mut vectors);
    }
    let predicates = predicates();
    for _ in 0..4 + random.below(8) {
        let (a, b) = (random.pick(&vectors), random.pick(&vectors));
        match random.below(9) {
            0..=2 => {
                let op = random.pick(&BV_COMBINE);
                vectors.push(terms.intern(op, &[a, b]));
            }
            3 => {
                let op = random.pick(&[Op::Bv(BvOp::Neg), Op::Bv(BvOp::Not), Op::Bv(BvOp::Ashr)]);
                let args = if op == Op::Bv(BvOp::Ashr) { vec![a, b] } else { vec![a] };
                vectors.push(terms.intern(op, &args));
            }
            4 => vectors.push(resized(random, &mut terms, a, b, width, with)),
            5 => {
                let condition = random.pick(&truths);
                vectors.push(terms.intern(Op::Ite, &[condition, a, b]));
            }
            6 | 7 => {
                let op = random.pick(&predicates);
                truths.push(terms.intern(op, &[a, b]));
            }
            _ => {
                let (p, q) = (random.pick(&truths), random.pick(&truths));
                let op = random.pick(&[
                    Op::Bool(BoolOp::And),
                    Op::Bool(BoolOp::Or),
                    Op::Bool(BoolOp::Xor),
                    Op::Eq,
                    Op::Bool(BoolOp::Not),
                ]);
                let args = if op == Op::Bool(BoolOp::Not) { vec![p] } else { vec![p, q] };
                truths.push(terms.intern(op, &args));
            }
        }
    }
    let mut assertions = Vec::new();
    for _ in 0..1 + random.below(4) {
        let truth = random.pick(&truths[truths.len() / 2..]);
        let truth = if random.below(3) == 0 { terms.intern(BoolOp::Not, &[truth]) } else { truth };
        assertions.push(truth);
    }
    Formula { terms, vars, assertions, is_complete: with == With::Vectors }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum With {
    Vectors,
    Arrays,
    WideVectors,
}

fn add_reads(
    random: &mut Random,
    terms: &mut Terms,
    array: TermId,
    width: u8,
    vectors: &mut Vec<TermId>,
) {
    let constant = terms
        .intern(ArrayOp::Const { index: 1, element: Scalar::Bv(width) }, &[random.pick(vectors)]);
    for _ in 0..3 {
        let mut target = random.pick(&[array, constant, array]);
        for _ in 0..random.below(3) {
            let at = random.pick(vectors);
            let at = terms.intern(BvOp::Extract { hi: 0, lo: 0 }, &[at]);
            target = terms.intern(ArrayOp::Store, &[target, at, random.pick(vectors)]);
        }
        let at = random.pick(vectors);
        let at = terms.intern(BvOp::Extract { hi: 0, lo: 0 }, &[at]);
        vectors.push(terms.intern(ArrayOp::Select, &[target, at]));
    }
}

/// A vector of the common width made through a wider or narrower one.
fn resized(
    random: &mut Random,
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    width: u8,
    with: With,
) -> TermId {
    let wider = if with == With::WideVectors { 70 } else { width + 2 };
    let wide = match random.below(3) {
        0 => terms.intern(BvOp::ZeroExtend { width: wider }, &[a]),
        1 => terms.intern(BvOp::SignExtend { width: wider }, &[a]),
        _ => terms.intern(BvOp::Concat, &[a, b]),
    };
    let Sort::Bv(total) = terms.sort(wide) else {
        return a;
    };
    let wide = if total > 64 {
        let other = terms.intern(BvOp::ZeroExtend { width: total }, &[b]);
        let op = random.pick(&BV_COMBINE);
        terms.intern(op, &[wide, other])
    } else {
        wide
    };
    let lo = u8::try_from(random.below(usize::from(total - width) + 1)).expect("small");
    terms.intern(BvOp::Extract { hi: lo + width - 1, lo }, &[wide])
}

fn values_of(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Bv(width) => {
            (0..1u128 << width).map(|value| Value::Bv(Bits::new(value, width))).collect()
        }
        Sort::Array { index, element } => {
            let elements = values_of(element.into());
            let mut all = Vec::new();
            for low in &elements {
                for high in &elements {
                    let array = ArrayValue::constant(index, element, low.clone())
                        .store(Bits::new(1, index), high.clone());
                    all.push(Value::Array(std::sync::Arc::new(array)));
                }
            }
            all
        }
        Sort::Float(_) => Vec::new(),
    }
}

fn all_models(formula: &Formula) -> Vec<Model> {
    let mut models = vec![Model::new()];
    for &var in &formula.vars {
        let Op::Var(id) = formula.terms.op(var) else { continue };
        let values = values_of(formula.terms.sort(var));
        models = models
            .iter()
            .flat_map(|model| {
                values.iter().map(move |value| {
                    let mut model = model.clone();
                    model.set(id, value.clone());
                    model
                })
            })
            .collect();
    }
    models
}

/// By model: which assertions hold.
fn truth_table(formula: &Formula, models: &[Model]) -> Vec<Vec<bool>> {
    let mut evaluator = Evaluator::new();
    models
        .iter()
        .map(|model| {
            let mut evaluation = evaluator.under(&formula.terms, model);
            formula.assertions.iter().map(|&assertion| evaluation.truth(assertion)).collect()
        })
        .collect()
}

fn check_core(formula: &Formula, table: &[Vec<bool>], core: &[AssertId], seed: u64) {
    let members: BTreeSet<usize> = core.iter().map(|id| id.0 as usize).collect();
    let witness = table.iter().position(|row| members.iter().all(|&index| row[index]));
    assert!(
        witness.is_none(),
        "seed {seed}: core {core:?} of {:?} is satisfiable",
        formula.assertions
    );
}

fn check_domains(
    formula: &Formula,
    engine: &Engine,
    models: &[Model],
    table: &[Vec<bool>],
    seed: u64,
) {
    let mut evaluator = Evaluator::new();
    let all_terms: Vec<TermId> = formula.terms.subterms(&formula.assertions);
    let is_solution = |row: &&Vec<bool>| !row.contains(&false);
    let n_solutions = table.iter().filter(is_solution).count();
    // All solutions when there are few, else a hundred spread over them.
    let solutions = models.iter().zip(table).filter(|(_, row)| is_solution(row));
    for (model, _) in solutions.step_by(n_solutions.div_ceil(100).max(1)) {
        let mut evaluation = evaluator.under(&formula.terms, model);
        for &term in &all_terms {
            if let Some(domain) = engine.domain(term) {
                let value = evaluation.value(term);
                assert!(
                    domain.contains(value),
                    "seed {seed}: {term:?} {:?} is {value:?} in a solution, domain {domain:?}",
                    formula.terms.op(term)
                );
            }
        }
    }
}

fn check_formula(engine: &mut Engine, formula: &Formula, seed: u64) -> (bool, bool) {
    let models = all_models(formula);
    let table = truth_table(formula, &models);
    let satisfiable = table.iter().any(|row| !row.contains(&false));
    let mut budget = Budget::steps(200_000);
    engine.push();
    for (index, &assertion) in formula.assertions.iter().enumerate() {
        let id = AssertId(u32::try_from(index).expect("few"));
        engine.assert(&formula.terms, assertion, id);
    }
    let mut decided = false;
    for stage in 0..3 {
        let answer = match stage {
            0 => engine.propagate(&mut budget),
            depth => engine.probe(depth, &mut budget),
        };
        match answer {
            Propagation::Consistent => {}
            Propagation::OutOfBudget => panic!("seed {seed}: 200,000 steps should be enough"),
            Propagation::Conflict(core) => {
                check_core(formula, &table, &core, seed);
                decided = true;
                break;
            }
        }
        check_domains(formula, engine, &models, &table, seed);
    }
    match engine.label(&formula.terms, &mut budget) {
        Labelling::OutOfBudget => panic!("seed {seed}: 200,000 steps should be enough"),
        Labelling::Conflict(core) => check_core(formula, &table, &core, seed),
        Labelling::Candidate(values) => {
            assert!(!decided, "seed {seed}: a conflict should stay");
            let mut model = Model::new();
            for (var, value) in values {
                model.set(var, value);
            }
            let mut evaluator = Evaluator::new();
            let holds = evaluator.under(&formula.terms, &model).all_hold(&formula.assertions);
            assert!(holds || !formula.is_complete, "seed {seed}: {model:?} is no solution");
        }
    }
    assert!(engine.pop());
    (satisfiable, decided)
}

fn run(seeds: std::ops::Range<u64>, with: With) {
    let (mut n_unsat, mut n_decided) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let formula = formula(&mut random, with);
        let mut engine = Engine::new();
        let first = check_formula(&mut engine, &formula, seed);
        assert_eq!(check_formula(&mut engine, &formula, seed), first, "seed {seed}: after pop");
        n_unsat += usize::from(!first.0);
        n_decided += usize::from(first.1);
    }
    report(with, n_unsat, n_decided);
}

/// Asserts one by one, each in its own level, going back now and then: every answer must be right for
/// the assertions that are in force.
fn check_incrementally(random: &mut Random, formula: &Formula, seed: u64) {
    let models = all_models(formula);
    let table = truth_table(formula, &models);
    let mut engine = Engine::new();
    let mut in_force: Vec<usize> = Vec::new();
    for _ in 0..12 {
        if random.below(3) == 0 && !in_force.is_empty() {
            in_force.pop();
            assert!(engine.pop());
        } else {
            let index = random.below(formula.assertions.len());
            engine.push();
            let id = AssertId(u32::try_from(index).expect("few"));
            engine.assert(&formula.terms, formula.assertions[index], id);
            in_force.push(index);
        }
        let mut budget = Budget::steps(200_000);
        if random.below(3) == 0
            && let Propagation::Conflict(core) = engine.probe(1, &mut budget)
        {
            check_core(formula, &table, &core, seed);
        }
        if random.below(4) == 0 {
            // A level that is never propagated must leave no trace.
            continue;
        }
        let solvable = table.iter().any(|row| in_force.iter().all(|&index| row[index]));
        match engine.label(&formula.terms, &mut budget) {
            Labelling::OutOfBudget => panic!("seed {seed}: 200,000 steps should be enough"),
            Labelling::Conflict(core) => {
                assert!(!solvable, "seed {seed}: {in_force:?} has a solution");
                assert!(core.iter().all(|id| in_force.contains(&(id.0 as usize))));
                check_core(formula, &table, &core, seed);
            }
            Labelling::Candidate(_) => assert!(solvable, "seed {seed}: {in_force:?} has none"),
        }
    }
}

#[test]
fn random_sequences_of_push_assert_and_pop() {
    for seed in 1..600 {
        let mut random = Random::new(seed + 1000);
        let formula = formula(&mut random, With::Vectors);
        check_incrementally(&mut random, &formula, seed);
    }
}

#[allow(clippy::print_stdout, reason = "the score is shown with --nocapture")]
fn report(with: With, n_unsat: usize, n_decided: usize) {
    println!("{with:?}: {n_decided} of {n_unsat} unsatisfiable formulas refuted without search");
}

#[test]
fn random_formulas_over_small_vectors() {
    run(1..160, With::Vectors);
}

#[test]
fn random_formulas_with_arrays() {
    run(1..60, With::Arrays);
}

#[test]
fn random_formulas_with_wide_vectors() {
    run(1..60, With::WideVectors);
}
