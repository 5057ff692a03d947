//! Sums, differences, products and left shifts, kept congruent modulo `2^n`.

use glassbox_terms::{BvOp, Op, TermId};
use glassbox_values::Signedness::{self, Signed, Unsigned};

use super::{MAX_TERMS, Translator, View};
use crate::definition::Definition;
use crate::envelope::both;
use crate::envelope::rem::Rounding;
use crate::fact::Facts;
use crate::linear::{LinearExpr, Var};
use crate::range::Ranges;
use crate::rational::Rational;
use crate::system::Kind;

impl Translator<'_> {
    /// An expression congruent to the term modulo `2^width`; `None` when the operator has no such form
    /// and the term needs a column. `hint` is the view preferred for columns met below.
    pub(super) fn modular(&mut self, term: TermId, hint: Signedness) -> Option<View> {
        match self.terms.op(term) {
            Op::Bv(op) => self.modular_vector(op, term, hint),
            // Variables, choices, floats, arrays: columns. Constants never come here.
            Op::Var(_) | Op::BvConst(_) | Op::Ite | Op::Fp(_) | Op::Array(_) => None,
            // Not of bit-vector sort.
            Op::True | Op::False | Op::FloatConst(_) | Op::Bool(_) | Op::Eq => None,
        }
    }

    fn modular_vector(&mut self, op: BvOp, term: TermId, hint: Signedness) -> Option<View> {
        let terms = self.terms;
        let arg = |position| terms.arg(term, position);
        match op {
            BvOp::Add => self.combine(arg(0), 1, arg(1), 1, hint),
            BvOp::Sub => self.combine(arg(0), 1, arg(1), -1, hint),
            BvOp::Neg => {
                let view = self.summand(arg(0), hint)?;
                Some(scale(&view, &Rational::int(-1)))
            }
            BvOp::Not => {
                let view = self.summand(arg(0), hint)?;
                let negated = scale(&view, &Rational::int(-1));
                Some(View { expr: negated.expr.plus_int(-1), because: negated.because })
            }
            BvOp::Mul => {
                let (x, y) = (self.summand(arg(0), hint)?, self.summand(arg(1), hint)?);
                self.product(&x, &y)
            }
            BvOp::Shl => self.shift_left(term, hint),
            BvOp::ZeroExtend { .. } => self.view(arg(0), Unsigned),
            BvOp::SignExtend { .. } => self.view(arg(0), Signed),
            // The low bits of a sum are congruent to the sum.
            BvOp::Extract { lo: 0, .. } => self.summand(arg(0), hint),
            BvOp::Extract { hi, lo } => self.exact(term, |this| this.slice(arg(0), hi, lo)),
            BvOp::Concat => self.concat(arg(0), arg(1), hint),
            BvOp::And => self.exact(term, |this| this.bit_and(arg(0), arg(1))),
            BvOp::Or => self.exact(term, |this| this.or_like(arg(0), arg(1), 1)),
            BvOp::Xor => self.exact(term, |this| this.or_like(arg(0), arg(1), 2)),
            BvOp::Lshr => self.exact(term, |this| this.shift_right(term, Unsigned)),
            BvOp::Ashr => self.exact(term, |this| this.shift_right(term, Signed)),
            BvOp::Udiv => Some(self.division(term, Unsigned, Rounding::Truncate)?.0),
            BvOp::Urem => Some(self.division(term, Unsigned, Rounding::Truncate)?.1),
            BvOp::Sdiv => Some(self.division(term, Signed, Rounding::Truncate)?.0),
            BvOp::Srem => Some(self.division(term, Signed, Rounding::Truncate)?.1),
            BvOp::Smod => Some(self.division(term, Signed, Rounding::Floor)?.1),
            // Truths, not vectors.
            BvOp::Ult
            | BvOp::Ule
            | BvOp::Slt
            | BvOp::Sle
            | BvOp::AddOverflow(_)
            | BvOp::SubOverflow(_)
            | BvOp::MulOverflow(_)
            | BvOp::NegOverflow => None,
        }
    }

    /// The congruent form of an operand, or its view where there is none. A constant is the
    /// representative nearest to zero, which keeps overflow quotients small.
    pub(super) fn summand(&mut self, term: TermId, hint: Signedness) -> Option<View> {
        if let Some(bits) = self.constant(term) {
            crate::bounds::width_range(bits.width(), hint)?;
            return Some(View::axiom(LinearExpr::int(bits.signed())));
        }
        if self.leaves.contains_key(&term) || self.is_full() {
            return self.any_view(term, hint);
        }
        self.depth += 1;
        let congruent = self.modular(term, hint);
        self.depth -= 1;
        match congruent {
            Some(view) if view.expr.terms().len() <= MAX_TERMS => Some(view),
            Some(_) | None => self.any_view(term, hint),
        }
    }

    /// The view that costs no overflow quotient, where there is a choice.
    fn any_view(&mut self, term: TermId, hint: Signedness) -> Option<View> {
        let own = self.leaves.get(&term).map(|leaf| leaf.signedness);
        let wanted = own.or_else(|| self.demands.get(&term).copied()).unwrap_or(hint);
        self.view(term, wanted)
    }

    fn combine(
        &mut self,
        x: TermId,
        x_factor: i128,
        y: TermId,
        y_factor: i128,
        hint: Signedness,
    ) -> Option<View> {
        let (x, y) = (self.summand(x, hint)?, self.summand(y, hint)?);
        let mut expr = x.expr.scaled(&Rational::int(x_factor));
        expr.add_scaled(&y.expr, &Rational::int(y_factor));
        let because = self.system.facts.derived([x.because, y.because]);
        Some(View { expr, because })
    }

    /// The product of two expressions, exactly. Factors with one column each are multiplied out, so that
    /// equal products meet in one column; longer factors get a column first.
    pub(super) fn product(&mut self, x: &View, y: &View) -> Option<View> {
        let because = self.system.facts.derived([x.because, y.because]);
        for (one, other) in [(x, y), (y, x)] {
            if one.expr.is_constant() {
                let expr = other.expr.scaled(one.expr.constant_part());
                return Some(View { expr, because });
            }
        }
        let (a, alpha, beta) = self.affine(x)?;
        let (b, gamma, delta) = self.affine(y)?;
        let p = self.product_column(a, b)?;
        // (alpha a + beta)(gamma b + delta).
        let mut expr = LinearExpr::constant(&beta * &delta);
        expr.add_term(p, &(&alpha * &gamma));
        expr.add_term(a, &(&alpha * &delta));
        expr.add_term(b, &(&beta * &gamma));
        Some(View { expr, because })
    }

    /// A column with factor and offset that equals the expression.
    fn affine(&mut self, view: &View) -> Option<(Var, Rational, Rational)> {
        if let Some((var, factor)) = view.expr.as_affine() {
            return Some((var, factor.clone(), view.expr.constant_part().clone()));
        }
        let var = self.column_of(&View::axiom(view.expr.clone()))?;
        Some((var, Rational::ONE, Rational::ZERO))
    }

    fn product_column(&mut self, a: Var, b: Var) -> Option<Var> {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(p) = self.products.get(&(a, b)) {
            return Some(*p);
        }
        let range = self.system.range(a).product(self.system.range(b))?;
        let fact = self.system.derive(both(a).into_iter().chain(both(b)), Facts::AXIOM);
        let p = self.system.new_column(Kind::Value, range, fact, fact);
        let definition =
            if a == b { Definition::Square { a, p } } else { Definition::Product { a, b, p } };
        self.system.define(definition, Facts::AXIOM);
        self.products.insert((a, b), p);
        Some(p)
    }

    /// `x << s`: a product with a power of two, congruent also when bits are lost.
    fn shift_left(&mut self, term: TermId, hint: Signedness) -> Option<View> {
        let (x, s) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let width = self.width(term)?;
        if let Some(amount) = self.constant(s) {
            let amount = amount.unsigned();
            if amount >= u128::from(width) {
                return Some(View::axiom(LinearExpr::zero()));
            }
            let view = self.summand(x, hint)?;
            return Some(scale(&view, &Rational::power_of_two(u32::try_from(amount).ok()?)));
        }
        let power = self.power(s, width)?;
        let view = self.summand(x, hint)?;
        self.product(&view, &power)
    }

    /// `2^s` for a shift amount known to be below the width.
    pub(super) fn power(&mut self, s: TermId, width: u8) -> Option<View> {
        let amount = self.view(s, Signedness::Unsigned)?;
        let range = self.system.range_of(&amount.expr)?;
        if range.lo < 0 || range.hi >= i128::from(width) || range.is_empty() {
            return None;
        }
        let because = self.range_fact(&amount.expr, amount.because);
        let s = self.column_of(&amount)?;
        if let Some(p) = self.powers.get(&s) {
            return Some(View { expr: LinearExpr::var(*p), because });
        }
        let powers = crate::range::Range::new(1 << range.lo, 1 << range.hi);
        let p = self.system.new_column(Kind::Value, powers, because, because);
        self.system.define(Definition::PowerOfTwo { s, p }, because);
        self.powers.insert(s, p);
        Some(View { expr: LinearExpr::var(p), because })
    }
}

pub(super) fn scale(view: &View, factor: &Rational) -> View {
    View { expr: view.expr.scaled(factor), because: view.because }
}
