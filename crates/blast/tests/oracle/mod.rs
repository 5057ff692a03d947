//! The oracle of the tests: a blasted operator must agree with `terms::eval`.

#![allow(dead_code, reason = "each test file uses its part")]

use glassbox_blast::{Answer, Blaster, Budget};
use glassbox_terms::{BoolOp, Model, Op, Scalar, Sort, TermId, Terms, Value, eval};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode};

pub(crate) const MODES: [RoundingMode; 5] = [
    RoundingMode::NearestEven,
    RoundingMode::NearestAway,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
];

/// The smallest format in which everything can happen.
pub(crate) const TINY: Format = Format { exponent: 3, significand: 3 };

/// An operator applied to fresh variables, with its result equal to another fresh variable.
pub(crate) struct Bench {
    pub(crate) terms: Terms,
    pub(crate) blaster: Blaster,
    op: Op,
    args: Vec<TermId>,
    term: TermId,
    result: TermId,
    // The result is the term.
    equal: TermId,
}

impl Bench {
    pub(crate) fn new(op: Op, sorts: &[Sort]) -> Bench {
        let mut terms = Terms::new();
        let args: Vec<TermId> = sorts.iter().map(|&sort| terms.fresh_var("x", sort)).collect();
        let term = terms.intern(op, &args);
        Bench::of(terms, term, args)
    }

    /// A term over these variables.
    pub(crate) fn of(mut terms: Terms, term: TermId, args: Vec<TermId>) -> Bench {
        let op = terms.op(term);
        let sort = terms.sort(term);
        let result = terms.fresh_var("r", sort);
        let equal = terms.intern(Op::Eq, &[result, term]);
        Bench { terms, blaster: Blaster::default(), op, args, term, result, equal }
    }

    /// With these operands the result must be what `eval` says, and nothing else.
    #[track_caller]
    pub(crate) fn check(&mut self, operands: &[Value]) {
        let model: Model = self
            .args
            .iter()
            .zip(operands)
            .map(|(&arg, value)| (var_of(&self.terms, arg), value.clone()))
            .collect();
        let expected = eval(&self.terms, &model, self.term);
        let mut roots = vec![self.equal];
        for (&arg, value) in self.args.clone().iter().zip(operands) {
            roots.push(self.equals(arg, value));
        }
        let right = self.equals(self.result, &expected);
        let wrong = self.terms.intern(BoolOp::Not, &[right]);
        let budget = Budget::conflicts(1_000_000);
        let result_var = var_of(&self.terms, self.result);
        let answer = self.blaster.check(&self.terms, &roots, &budget);
        let Answer::Sat(model) = answer else {
            panic!("{:?} of {operands:?} should have a result, got {answer:?}", self.op)
        };
        assert_eq!(model.get(result_var), Some(&expected), "{:?} of {operands:?}", self.op);
        roots.push(wrong);
        let answer = self.blaster.check(&self.terms, &roots, &budget);
        let is_forced = matches!(answer, Answer::Unsat(_));
        assert!(is_forced, "{:?} of {operands:?} should be forced, got {answer:?}", self.op);
    }

    /// All operand tuples of the argument sorts.
    #[track_caller]
    pub(crate) fn check_all(&mut self) {
        let choices: Vec<Vec<Value>> =
            self.args.iter().map(|&arg| all_values(self.terms.sort(arg))).collect();
        let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
        for values in &choices {
            tuples = tuples
                .iter()
                .flat_map(|tuple| {
                    values.iter().map(move |value| [tuple.clone(), vec![value.clone()]].concat())
                })
                .collect();
        }
        for tuple in &tuples {
            self.check(tuple);
        }
    }

    fn equals(&mut self, term: TermId, value: &Value) -> TermId {
        let constant = self.terms.constant(value);
        self.terms.intern(Op::Eq, &[term, constant])
    }
}

pub(crate) fn var_of(terms: &Terms, term: TermId) -> glassbox_terms::VarId {
    terms.as_var(term).expect("a variable")
}

pub(crate) fn all_values(sort: Sort) -> Vec<Value> {
    let scalar = sort.scalar().expect("arrays are not enumerated here");
    let values = (0..1u128 << scalar.width()).map(|bits| value_of(scalar, bits));
    let mut distinct: Vec<Value> = values.collect();
    distinct.sort();
    distinct.dedup();
    distinct
}

pub(crate) fn value_of(scalar: Scalar, bits: u128) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(bits & 1 == 1),
        Scalar::Bv(width) => Value::Bv(Bits::new(bits, width)),
        Scalar::Float(format) => {
            let low = u64::try_from(bits & u128::from(u64::MAX)).expect("masked");
            Value::Float(Float::from_bits(low, format))
        }
    }
}

/// Operands that are often corners.
pub(crate) trait Operands {
    /// A bit pattern that is often a corner: few bits, near powers of two, all ones, small.
    fn corner(&mut self, width: u8) -> u128;

    /// A float with a plain random, a special or a boundary encoding.
    fn float(&mut self, format: Format) -> Value;

    fn value(&mut self, sort: Sort) -> Value;
}

impl Operands for Random {
    fn corner(&mut self, width: u8) -> u128 {
        let mask = u128::MAX >> (128 - width);
        let shift = u32::try_from(self.below(u64::from(width))).expect("small");
        let small = u128::from(self.below(4_u64));
        let pattern = match self.below(7) {
            0 => small,
            1 => mask.wrapping_sub(small),
            2 => (1u128 << shift).wrapping_add(small),
            3 => (1u128 << shift).wrapping_sub(small),
            4 => (mask >> 1).wrapping_add(small).wrapping_sub(1),
            _ => self.wide() >> self.below(u64::from(width)),
        };
        pattern & mask
    }

    fn float(&mut self, format: Format) -> Value {
        let fraction_width = u32::from(format.fraction_width());
        let fraction = self.corner(format.fraction_width());
        let top = (1u64 << format.exponent) - 1;
        let bias = top >> 1;
        let exponent = match self.below(8) {
            0 => 0,
            1 => top - self.below(2),
            2 => 1 + self.below(2).min(top - 1),
            3 | 4 => (bias + self.below(8)).saturating_sub(4).min(top),
            5 => (bias + u64::from(fraction_width) + self.below(4)).min(top),
            _ => self.below(top + 1),
        };
        let sign = u128::from(self.below(2_u64));
        let bits = (sign << format.exponent | u128::from(exponent)) << fraction_width | fraction;
        value_of(Scalar::Float(format), bits)
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Bv(width) => value_of(Scalar::Bv(width), self.corner(width)),
            Sort::Float(format) => self.float(format),
            Sort::Array { .. } => panic!("arrays are not drawn here"),
        }
    }
}
