//! Arrays: random small formulas against enumeration, and laws at 32-bit indices.

mod oracle;

use std::sync::Arc;

use glassbox_blast::{Answer, Blaster, Budget};
use glassbox_terms::{
    ArrayOp, ArrayValue, BoolOp, Evaluator, Model, Op, Scalar, Sort, TermId, Terms, Value,
};
use glassbox_testkit::Random;
use glassbox_values::Bits;
use oracle::{value_of, var_of};

/// All values of a scalar or a small array sort.
fn all_values(sort: Sort) -> Vec<Value> {
    let Sort::Array { index, element } = sort else { return oracle::all_values(sort) };
    let elements = oracle::all_values(Sort::from(element));
    let mut arrays = vec![ArrayValue::constant(index, element, elements[0].clone())];
    for at in 0..1u128 << index {
        arrays = arrays
            .iter()
            .flat_map(|array| {
                elements.iter().map(move |e| array.store(Bits::new(at, index), e.clone()))
            })
            .collect();
    }
    arrays.into_iter().map(|array| Value::Array(Arc::new(array))).collect()
}

struct Generator {
    terms: Terms,
    random: Random,
    arrays: Vec<TermId>,
    indices: Vec<TermId>,
    elements: Vec<TermId>,
    truths: Vec<TermId>,
    sort: Sort,
}

impl Generator {
    fn new(seed: u64, index: u8, element: Scalar) -> Generator {
        let mut terms = Terms::new();
        let sort = Sort::Array { index, element };
        let arrays = (0..2).map(|_| terms.fresh_var("a", sort)).collect();
        let indices = (0..2).map(|_| terms.fresh_var("i", Sort::Bv(index))).collect();
        let elements = vec![terms.fresh_var("e", Sort::from(element))];
        let truths = vec![terms.fresh_var("c", Sort::Bool)];
        Generator { terms, random: Random::new(seed), arrays, indices, elements, truths, sort }
    }

    fn pick(&mut self, from: fn(&Generator) -> &Vec<TermId>) -> TermId {
        let n_choices = from(self).len() as u64;
        let position = usize::try_from(self.random.below(n_choices)).expect("small");
        from(self)[position]
    }

    fn grow(&mut self) {
        let array = self.pick(|g| &g.arrays);
        let index = self.pick(|g| &g.indices);
        let element = self.pick(|g| &g.elements);
        let truth = self.pick(|g| &g.truths);
        let Sort::Array { index: width, element: scalar } = self.sort else { unreachable!() };
        match self.random.below(10) {
            0..=2 => self.arrays.push(self.terms.intern(ArrayOp::Store, &[array, index, element])),
            3 => {
                let op = Op::Array(ArrayOp::Const { index: width, element: scalar });
                self.arrays.push(self.terms.intern(op, &[element]));
            }
            4 => {
                let other = self.pick(|g| &g.arrays);
                self.arrays.push(self.terms.intern(Op::Ite, &[truth, array, other]));
            }
            5 | 6 => self.elements.push(self.terms.intern(ArrayOp::Select, &[array, index])),
            7 => {
                let value = value_of(Scalar::Bv(width), self.random.wide());
                let constant = self.terms.constant(&value);
                self.indices.push(constant);
            }
            _ => {
                let atom = self.atom();
                self.truths.push(atom);
            }
        }
    }

    fn atom(&mut self) -> TermId {
        let (a, b) = match self.random.below(4) {
            0 | 1 => (self.pick(|g| &g.arrays), self.pick(|g| &g.arrays)),
            2 => (self.pick(|g| &g.elements), self.pick(|g| &g.elements)),
            _ => (self.pick(|g| &g.indices), self.pick(|g| &g.indices)),
        };
        let equal = self.terms.intern(Op::Eq, &[a, b]);
        if self.random.below(2) == 0 { equal } else { self.terms.intern(BoolOp::Not, &[equal]) }
    }

    fn assertions(&mut self) -> Vec<TermId> {
        for _ in 0..14 {
            self.grow();
        }
        (0..2 + self.random.below(4))
            .map(|_| {
                let (a, b) = (self.atom(), self.atom());
                if self.random.below(2) == 0 { a } else { self.terms.intern(BoolOp::Or, &[a, b]) }
            })
            .collect()
    }
}

/// Whether some assignment of all variables satisfies the assertions.
fn has_model(terms: &Terms, assertions: &[TermId]) -> bool {
    let vars = terms.vars_of(assertions);
    let choices: Vec<Vec<Value>> =
        vars.iter().map(|&var| all_values(terms.var_sort(var))).collect();
    let mut positions = vec![0; vars.len()];
    let mut evaluator = Evaluator::new();
    loop {
        let model: Model = vars
            .iter()
            .zip(&choices)
            .zip(&positions)
            .map(|((&var, values), &position): ((_, &Vec<Value>), &usize)| {
                (var, values[position].clone())
            })
            .collect();
        if evaluator.under(terms, &model).all_hold(assertions) {
            return true;
        }
        let Some(place) =
            (0..vars.len()).find(|&place| positions[place] + 1 < choices[place].len())
        else {
            return false;
        };
        positions[place] += 1;
        positions[..place].fill(0);
    }
}

fn compare_with_enumeration(index: u8, element: Scalar, seeds: std::ops::Range<u64>) {
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in seeds {
        let mut generator = Generator::new(seed, index, element);
        let assertions = generator.assertions();
        let terms = generator.terms;
        let mut blaster = Blaster::default();
        match blaster.check(&terms, &assertions, &Budget::conflicts(100_000)) {
            Answer::Sat(model) => {
                n_sat += 1;
                let holds = Evaluator::new().under(&terms, &model).all_hold(&assertions);
                assert!(holds, "seed {seed}: the model should satisfy the assertions: {model:?}");
            }
            Answer::Unsat(core) => {
                n_unsat += 1;
                assert!(core.iter().all(|term| assertions.contains(term)), "seed {seed}");
                assert!(!has_model(&terms, &core), "seed {seed}: the core should have no model");
            }
            Answer::Unknown(reason) => panic!("seed {seed} should be decided: {reason:?}"),
        }
    }
    assert!(n_sat > 0 && n_unsat > 0, "both answers should occur: {n_sat} and {n_unsat}");
}

#[test]
fn one_bit_indices_against_enumeration() {
    compare_with_enumeration(1, Scalar::Bv(1), 0..1500);
    compare_with_enumeration(1, Scalar::Bv(2), 0..600);
    compare_with_enumeration(1, Scalar::Bool, 0..300);
}

#[test]
fn two_bit_indices_against_enumeration() {
    compare_with_enumeration(2, Scalar::Bv(1), 0..600);
}

#[track_caller]
fn check_valid(terms: &mut Terms, claim: TermId) {
    let negation = terms.intern(BoolOp::Not, &[claim]);
    let mut blaster = Blaster::default();
    let answer = blaster.check(terms, &[negation], &Budget::conflicts(100_000));
    assert!(matches!(answer, Answer::Unsat(_)), "the claim should be valid: {answer:?}");
}

#[track_caller]
fn check_model(terms: &Terms, assertions: &[TermId]) -> Model {
    let answer = Blaster::default().check(terms, assertions, &Budget::conflicts(100_000));
    let Answer::Sat(model) = answer else { panic!("there should be a model: {answer:?}") };
    assert!(Evaluator::new().under(terms, &model).all_hold(assertions), "{model:?}");
    model
}

const WIDE: Sort = Sort::Array { index: 32, element: Scalar::Bv(8) };

#[test]
fn stores_at_different_indices_commute() {
    let mut terms = Terms::new();
    let a = terms.fresh_var("a", WIDE);
    let (i, j) = (terms.fresh_var("i", Sort::Bv(32)), terms.fresh_var("j", Sort::Bv(32)));
    let (x, y) = (terms.fresh_var("x", Sort::Bv(8)), terms.fresh_var("y", Sort::Bv(8)));
    let store = |terms: &mut Terms, a, i, x| terms.intern(ArrayOp::Store, &[a, i, x]);
    let one = store(&mut terms, a, i, x);
    let one = store(&mut terms, one, j, y);
    let other = store(&mut terms, a, j, y);
    let other = store(&mut terms, other, i, x);
    let same = terms.intern(Op::Eq, &[one, other]);
    let same_index = terms.intern(Op::Eq, &[i, j]);
    let claim = terms.intern(BoolOp::Or, &[same_index, same]);
    check_valid(&mut terms, claim);
    let differ = terms.intern(BoolOp::Not, &[same]);
    let model = check_model(&terms, &[differ]);
    assert_eq!(model.get(var_of(&terms, i)), model.get(var_of(&terms, j)));
}

#[test]
fn constant_arrays_with_few_stores_between_differ() {
    let mut terms = Terms::new();
    let op = Op::Array(ArrayOp::Const { index: 32, element: Scalar::Bv(8) });
    let (x, y) = (terms.fresh_var("x", Sort::Bv(8)), terms.fresh_var("y", Sort::Bv(8)));
    let mut left = terms.intern(op, &[x]);
    for _ in 0..4 {
        let i = terms.fresh_var("i", Sort::Bv(32));
        let e = terms.fresh_var("e", Sort::Bv(8));
        left = terms.intern(ArrayOp::Store, &[left, i, e]);
    }
    let right = terms.intern(op, &[y]);
    let same_array = terms.intern(Op::Eq, &[left, right]);
    let same_element = terms.intern(Op::Eq, &[x, y]);
    let differ = terms.intern(BoolOp::Not, &[same_element]);
    let claim = terms.intern(BoolOp::Not, &[same_array]);
    let claim = terms.intern(BoolOp::Or, &[claim, same_element]);
    check_valid(&mut terms, claim);
    check_model(&terms, &[same_array]);
    check_model(&terms, &[differ]);
}

#[test]
fn congruence_holds_through_equal_arrays_and_branches() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh_var("a", WIDE), terms.fresh_var("b", WIDE));
    let c = terms.fresh_var("c", Sort::Bool);
    let (i, j) = (terms.fresh_var("i", Sort::Bv(32)), terms.fresh_var("j", Sort::Bv(32)));
    let chosen = terms.intern(Op::Ite, &[c, a, b]);
    let same_array = terms.intern(Op::Eq, &[a, b]);
    let same_index = terms.intern(Op::Eq, &[i, j]);
    let read_chosen = terms.intern(ArrayOp::Select, &[chosen, i]);
    let read_b = terms.intern(ArrayOp::Select, &[b, j]);
    let same_read = terms.intern(Op::Eq, &[read_chosen, read_b]);
    let premise = terms.intern(BoolOp::And, &[same_array, same_index]);
    let not_premise = terms.intern(BoolOp::Not, &[premise]);
    let claim = terms.intern(BoolOp::Or, &[not_premise, same_read]);
    check_valid(&mut terms, claim);
    let differ = terms.intern(BoolOp::Not, &[same_read]);
    check_model(&terms, &[differ, same_index]);
    check_model(&terms, &[differ, same_array]);
}
