//! Constants, and asking whether a term is one.

use glassbox_values::{Bits, Float, Format};

use crate::intern::{TermId, Terms, VarId};
use crate::op::{ArrayOp, Op};
use crate::sort::Sort;
use crate::value::Value;

impl Terms {
    pub fn bool_const(&mut self, truth: bool) -> TermId {
        self.intern(if truth { Op::True } else { Op::False }, &[])
    }

    pub fn bv_const(&mut self, bits: Bits) -> TermId {
        self.intern(Op::BvConst(bits), &[])
    }

    /// The low `width` bits of `value`.
    pub fn bv_u(&mut self, value: u128, width: u8) -> TermId {
        self.bv_const(Bits::new(value, width))
    }

    /// The low `width` bits of a signed number.
    pub fn bv_s(&mut self, value: i128, width: u8) -> TermId {
        self.bv_const(Bits::from_signed(value, width))
    }

    pub fn float_const(&mut self, float: Float) -> TermId {
        self.intern(Op::FloatConst(float), &[])
    }

    /// The constant that a value is; an array becomes a chain of stores over a constant array.
    pub fn constant(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(truth) => self.bool_const(*truth),
            Value::Bv(bits) => self.bv_const(*bits),
            Value::Float(float) => self.float_const(*float),
            Value::Array(array) => {
                let default = self.constant(&array.default);
                let op = Op::Array(ArrayOp::Const { index: array.index, element: array.element });
                let mut term = self.intern(op, &[default]);
                for (index, element) in array.entries() {
                    let index = self.bv_const(index);
                    let element = self.constant(element);
                    term = self.intern(ArrayOp::Store, &[term, index, element]);
                }
                term
            }
        }
    }

    pub fn as_bool_const(&self, term: TermId) -> Option<bool> {
        match self.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Var(_) | Op::BvConst(_) | Op::FloatConst(_) | Op::Bool(_) => None,
            Op::Eq | Op::Ite | Op::Bv(_) | Op::Fp(_) | Op::Array(_) => None,
        }
    }

    pub fn as_bv_const(&self, term: TermId) -> Option<Bits> {
        if let Op::BvConst(bits) = self.op(term) { Some(bits) } else { None }
    }

    pub fn as_float_const(&self, term: TermId) -> Option<Float> {
        if let Op::FloatConst(float) = self.op(term) { Some(float) } else { None }
    }

    /// The value of a constant leaf; `None` for everything else, arrays of constants included.
    pub fn as_value(&self, term: TermId) -> Option<Value> {
        match self.op(term) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::BvConst(bits) => Some(Value::Bv(bits)),
            Op::FloatConst(float) => Some(Value::Float(float)),
            Op::Var(_) | Op::Bool(_) | Op::Eq | Op::Ite => None,
            Op::Bv(_) | Op::Fp(_) | Op::Array(_) => None,
        }
    }

    /// Whether `term` is a constant leaf.
    pub fn is_const(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_))
    }

    /// The variable that `term` is.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        if let Op::Var(var) = self.op(term) { Some(var) } else { None }
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: TermId) -> u8 {
        let sort = self.sort(term);
        let Sort::Bv(width) = sort else { panic!("{term:?} should be a bit-vector, is {sort:?}") };
        width
    }

    /// The format of a float term.
    pub fn format(&self, term: TermId) -> Format {
        let sort = self.sort(term);
        let Sort::Float(format) = sort else { panic!("{term:?} should be a float, is {sort:?}") };
        format
    }
}
