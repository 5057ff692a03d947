//! A seeded generator of raw terms of every operator, and of models.

#![allow(dead_code, reason = "every test crate uses another part of it")]

use std::sync::Arc;

use glassbox_terms::family::{BV_COMBINE, BV_ORDER, FP_RELATION, FP_TEST};
use glassbox_terms::{
    ArrayOp, ArrayValue, BoolOp, BvOp, FpOp, Model, Op, Scalar, Sort, TermId, Terms, Value,
};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

/// Values that are often extreme or small ones.
pub(crate) trait RandomValues {
    fn bits(&mut self, width: u8) -> Bits;

    fn float(&mut self, format: Format) -> Float;

    fn value(&mut self, sort: Sort) -> Value;
}

impl RandomValues for Random {
    fn bits(&mut self, width: u8) -> Bits {
        let wide = self.wide();
        match self.below(8) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::min_signed(width),
            3 => Bits::max_signed(width),
            4 | 5 => Bits::new(wide % 9, width),
            6 => Bits::new(1 << (wide % u128::from(width)), width),
            _ => Bits::new(wide, width),
        }
    }

    fn float(&mut self, format: Format) -> Float {
        let bits = Bits::new(u128::from(self.draw()), format.width());
        let small = Bits::new(u128::from(self.draw() % 33), 8);
        match self.below(6) {
            0 => {
                Float::from_encoding(Bits::new(u128::from(self.draw() % 3), format.width()), format)
            }
            1 => Float::from_int(small, Signedness::Signed, format, RoundingMode::NearestEven),
            2 => self.pick(&[
                Float::nan(format),
                Float::infinity(glassbox_values::Sign::Positive, format),
                Float::infinity(glassbox_values::Sign::Negative, format),
                Float::zero(glassbox_values::Sign::Positive, format),
                Float::zero(glassbox_values::Sign::Negative, format),
                Float::one(glassbox_values::Sign::Negative, format),
                Float::one(glassbox_values::Sign::Positive, format),
            ]),
            _ => Float::from_encoding(bits, format),
        }
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.one_in(2)),
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Float(format) => Value::Float(self.float(format)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, element, self.value(element.into()));
                for _ in 0..self.below(4) {
                    let at = self.bits(index);
                    let value = self.value(element.into());
                    array = array.store(at, value);
                }
                Value::Array(Arc::new(array))
            }
        }
    }
}

/// What a generated term may contain.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Widths of bit-vectors.
    pub(crate) widths: Vec<u8>,
    pub(crate) formats: Vec<Format>,
    pub(crate) arrays: bool,
}

#[derive(Debug)]
pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) terms: Terms,
    pub(crate) shape: Shape,
    vars: Vec<TermId>,
    made: Vec<TermId>,
}

impl Generator {
    pub(crate) fn new(seed: u64, shape: Shape) -> Generator {
        Generator {
            random: Random::new(seed),
            terms: Terms::new(),
            shape,
            vars: Vec::new(),
            made: Vec::new(),
        }
    }

    pub(crate) fn add_var(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.terms.fresh_var(name, sort);
        self.vars.push(var);
        var
    }

    /// Forgets the terms made so far, so that later ones do not share with them.
    pub(crate) fn restart(&mut self) {
        self.made.clear();
    }

    pub(crate) fn model(&mut self) -> Model {
        let vars: Vec<_> = self.terms.vars().collect();
        vars.into_iter().map(|var| (var, self.random.value(self.terms.var_sort(var)))).collect()
    }

    /// A raw term of this sort, `depth` operators deep at most.
    pub(crate) fn term(&mut self, sort: Sort, depth: u32) -> TermId {
        let term = self.new_term(sort, depth);
        self.made.push(term);
        term
    }

    fn new_term(&mut self, sort: Sort, depth: u32) -> TermId {
        if self.random.one_in(6) {
            let same: Vec<TermId> =
                self.made.iter().copied().filter(|&term| self.terms.sort(term) == sort).collect();
            if !same.is_empty() {
                return self.random.pick(&same);
            }
        }
        if depth == 0 {
            return self.leaf(sort);
        }
        if self.random.one_in(8) {
            let condition = self.term(Sort::Bool, depth - 1);
            let then = self.term(sort, depth - 1);
            let otherwise = self.term(sort, depth - 1);
            return self.terms.intern(Op::Ite, &[condition, then, otherwise]);
        }
        match sort {
            Sort::Bool => self.boolean(depth - 1),
            Sort::Bv(width) => self.bitvec(width, depth - 1),
            Sort::Float(format) => self.float(format, depth - 1),
            Sort::Array { index, element } => self.array(index, element, depth - 1),
        }
    }

    fn leaf(&mut self, sort: Sort) -> TermId {
        let same: Vec<TermId> =
            self.vars.iter().copied().filter(|&term| self.terms.sort(term) == sort).collect();
        if same.is_empty() || self.random.one_in(3) {
            let value = self.random.value(sort);
            return self.terms.constant(&value);
        }
        self.random.pick(&same)
    }

    fn rounding(&mut self) -> RoundingMode {
        self.random.pick(&RoundingMode::ALL)
    }

    fn signedness(&mut self) -> Signedness {
        self.random.pick(&[Signedness::Signed, Signedness::Unsigned])
    }

    fn some_sort(&mut self) -> Sort {
        if !self.shape.formats.is_empty() && self.random.one_in(3) {
            return Sort::Float(self.random.pick(&self.shape.formats));
        }
        Sort::Bv(self.random.pick(&self.shape.widths))
    }

    fn same(&mut self, op: Op, sort: Sort, arity: usize, depth: u32) -> TermId {
        let args: Vec<TermId> = (0..arity).map(|_| self.term(sort, depth)).collect();
        self.terms.intern(op, &args)
    }

    fn boolean(&mut self, depth: u32) -> TermId {
        let signedness = self.signedness();
        let bv = Sort::Bv(self.random.pick(&self.shape.widths));
        let choices = if self.shape.formats.is_empty() { 17 } else { 27 };
        match self.random.below(choices) {
            0 => self.same(Op::Bool(BoolOp::Not), Sort::Bool, 1, depth),
            1 | 2 => {
                let arity = 2 + self.random.below(3);
                self.same(Op::Bool(BoolOp::And), Sort::Bool, arity, depth)
            }
            3 | 4 => {
                let arity = 2 + self.random.below(3);
                self.same(Op::Bool(BoolOp::Or), Sort::Bool, arity, depth)
            }
            5 => self.same(Op::Bool(BoolOp::Xor), Sort::Bool, 2, depth),
            6 => self.same(Op::Eq, Sort::Bool, 2, depth),
            7 | 8 => {
                let sort = self.some_sort();
                self.same(Op::Eq, sort, 2, depth)
            }
            n @ 9..=12 => self.same(BV_ORDER[n - 9], bv, 2, depth),
            13 => self.same(Op::Bv(BvOp::AddOverflow(signedness)), bv, 2, depth),
            14 => self.same(Op::Bv(BvOp::SubOverflow(signedness)), bv, 2, depth),
            15 => self.same(Op::Bv(BvOp::MulOverflow(signedness)), bv, 2, depth),
            16 => self.same(Op::Bv(BvOp::NegOverflow), bv, 1, depth),
            _ => {
                let float = Sort::Float(self.random.pick(&self.shape.formats));
                let n = self.random.below(FP_RELATION.len() + FP_TEST.len());
                match FP_RELATION.get(n) {
                    Some(&relation) => self.same(relation, float, 2, depth),
                    None => self.same(FP_TEST[n - FP_RELATION.len()], float, 1, depth),
                }
            }
        }
    }

    fn bitvec(&mut self, width: u8, depth: u32) -> TermId {
        let sort = Sort::Bv(width);
        match self.random.below(24) {
            0 => self.same(Op::Bv(BvOp::Neg), sort, 1, depth),
            1 => self.same(Op::Bv(BvOp::Not), sort, 1, depth),
            n @ 2..=15 => self.same(BV_COMBINE[n - 2], sort, 2, depth),
            16 | 17 if width > 1 => {
                let high = 1 + u8::try_from(self.random.below(usize::from(width) - 1)).expect("u8");
                let high_part = self.term(Sort::Bv(high), depth);
                let low_part = self.term(Sort::Bv(width - high), depth);
                self.terms.intern(BvOp::Concat, &[high_part, low_part])
            }
            18 | 19 => {
                let spare = 128 - width;
                let more = u8::try_from(self.random.below(5)).expect("u8").min(spare);
                let lo = u8::try_from(self.random.below(usize::from(more) + 1)).expect("u8");
                let source = self.term(Sort::Bv(width + more), depth);
                self.terms.intern(BvOp::Extract { hi: lo + width - 1, lo }, &[source])
            }
            20 | 21 => {
                let inner = 1 + u8::try_from(self.random.below(usize::from(width))).expect("u8");
                let source = self.term(Sort::Bv(inner), depth);
                let op = if self.random.one_in(2) {
                    Op::Bv(BvOp::ZeroExtend { width })
                } else {
                    Op::Bv(BvOp::SignExtend { width })
                };
                self.terms.intern(op, &[source])
            }
            22 if self.shape.arrays => {
                let index = self.random.pick(&self.shape.widths);
                let array = self.term(Sort::Array { index, element: Scalar::Bv(width) }, depth);
                let at = self.term(Sort::Bv(index), depth);
                self.terms.intern(ArrayOp::Select, &[array, at])
            }
            23 if !self.shape.formats.is_empty() => {
                let format = self.random.pick(&self.shape.formats);
                let source = self.term(Sort::Float(format), depth);
                if format.width() == width && self.random.one_in(2) {
                    return self.terms.intern(FpOp::ToBits, &[source]);
                }
                let (rounding, signedness) = (self.rounding(), self.signedness());
                self.terms.intern(FpOp::ToInt { width, rounding, signedness }, &[source])
            }
            _ => self.leaf(sort),
        }
    }

    fn float(&mut self, format: Format, depth: u32) -> TermId {
        let sort = Sort::Float(format);
        let rounding = self.rounding();
        match self.random.below(20) {
            0 | 1 => self.same(Op::Fp(FpOp::Add(rounding)), sort, 2, depth),
            2 | 3 => self.same(Op::Fp(FpOp::Sub(rounding)), sort, 2, depth),
            4 | 5 => self.same(Op::Fp(FpOp::Mul(rounding)), sort, 2, depth),
            6 | 7 => self.same(Op::Fp(FpOp::Div(rounding)), sort, 2, depth),
            8 => self.same(Op::Fp(FpOp::Fma(rounding)), sort, 3, depth),
            9 => self.same(Op::Fp(FpOp::Sqrt(rounding)), sort, 1, depth),
            10 => self.same(Op::Fp(FpOp::Rem), sort, 2, depth),
            11 => self.same(Op::Fp(FpOp::Fmod), sort, 2, depth),
            12 => self.same(Op::Fp(FpOp::RoundToIntegral(rounding)), sort, 1, depth),
            13 => self.same(Op::Fp(FpOp::Min), sort, 2, depth),
            14 => self.same(Op::Fp(FpOp::Max), sort, 2, depth),
            15 => self.same(Op::Fp(FpOp::Abs), sort, 1, depth),
            16 => self.same(Op::Fp(FpOp::Neg), sort, 1, depth),
            17 => {
                let from = self.random.pick(&self.shape.formats);
                let source = self.term(Sort::Float(from), depth);
                self.terms.intern(FpOp::ToFp { format, rounding }, &[source])
            }
            18 => {
                let source = self.term(Sort::Bv(format.width()), depth);
                self.terms.intern(FpOp::FromBits(format), &[source])
            }
            _ => {
                let width = self.random.pick(&self.shape.widths);
                let source = self.term(Sort::Bv(width), depth);
                let signedness = self.signedness();
                self.terms.intern(FpOp::FromInt { format, rounding, signedness }, &[source])
            }
        }
    }

    fn array(&mut self, index: u8, element: Scalar, depth: u32) -> TermId {
        let sort = Sort::Array { index, element };
        if self.random.one_in(5) {
            let value = self.term(element.into(), depth);
            return self.terms.intern(ArrayOp::Const { index, element }, &[value]);
        }
        let array = self.term(sort, depth);
        let at = self.term(Sort::Bv(index), depth);
        let value = self.term(element.into(), depth);
        self.terms.intern(ArrayOp::Store, &[array, at, value])
    }
}

/// Every model over the variables of the arena (all bit-vector, boolean or small float variables).
/// Remembered as long as no variable is added.
#[derive(Debug, Default)]
pub(crate) struct AllModels {
    n_vars: usize,
    models: Vec<Model>,
}

impl AllModels {
    pub(crate) fn of(&mut self, terms: &Terms) -> &[Model] {
        if self.models.is_empty() || self.n_vars != terms.n_vars() {
            self.n_vars = terms.n_vars();
            self.models = all_models(terms);
        }
        &self.models
    }
}

fn all_models(terms: &Terms) -> Vec<Model> {
    let vars: Vec<_> = terms.vars().collect();
    let widths: Vec<u8> = vars
        .iter()
        .map(|&var| terms.var_sort(var).scalar().expect("scalars only").width())
        .collect();
    let total: u32 = widths.iter().map(|&width| u32::from(width)).sum();
    let decode = |mut code: u128| {
        let mut model = Model::new();
        for (&var, &width) in vars.iter().zip(&widths) {
            let bits = Bits::new(code, width);
            code >>= width;
            let value = match terms.var_sort(var) {
                Sort::Bool => Value::Bool(bits.is_true()),
                Sort::Bv(_) => Value::Bv(bits),
                Sort::Float(format) => Value::Float(Float::from_encoding(bits, format)),
                Sort::Array { .. } => unreachable!("scalars only"),
            };
            model.set(var, value);
        }
        model
    };
    (0..1_u128 << total).map(decode).collect()
}

/// What checks of many terms of one arena share.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    evaluator: glassbox_terms::Evaluator,
    models: AllModels,
}

impl Checker {
    /// That the simplified term has the value of the raw one under every model.
    #[track_caller]
    pub(crate) fn check_all_inputs(&mut self, terms: &mut Terms, raw: TermId) {
        let simple = terms.simplify(raw);
        if simple == raw {
            return;
        }
        for model in self.models.of(terms) {
            let mut evaluation = self.evaluator.under(terms, model);
            let expected = evaluation.value(raw).clone();
            assert_eq!(
                *evaluation.value(simple),
                expected,
                "under {model:?}:\n raw    {}\n simple {}",
                glassbox_terms::to_smtlib(terms, raw),
                glassbox_terms::to_smtlib(terms, simple)
            );
        }
    }
}
