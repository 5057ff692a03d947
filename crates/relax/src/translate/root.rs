//! Asserted terms: rows without reification where the outermost operators allow it.

use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId};
use glassbox_values::Signedness;

use super::{Translator, View};
use crate::envelope::Relation;
use crate::fact::FactId;
use crate::linear::LinearExpr;
use crate::range::Range;

/// Conjuncts taken from one assertion, at most; more are dropped, which is sound.
const MAX_LITERALS: usize = 20_000;

/// A conjunct of an assertion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Literal {
    pub(crate) term: TermId,
    pub(crate) holds: bool,
    fact: FactId,
}

impl Translator<'_> {
    /// Adds everything the assertions say. `assertions` come with their positions as facts.
    pub(crate) fn assert_all(&mut self, assertions: &[(TermId, FactId)]) {
        self.assert_all_with(assertions, &[]);
    }

    /// Like `assert_all`, with linear facts that hold without premises.
    pub(crate) fn assert_all_with(
        &mut self,
        assertions: &[(TermId, FactId)],
        sums: &[crate::optimum::TermSum],
    ) {
        let mut literals = Vec::new();
        for &(term, fact) in assertions {
            self.flatten(term, fact, &mut literals);
        }
        self.collect_demands(&literals);
        self.assume_sums(sums);
        // What bounds results comes first: quotients are then numbers where they can be.
        for phase in 0..3 {
            for literal in &literals {
                if self.phase(literal) == phase {
                    self.assert_literal(*literal);
                }
            }
            if let Err(conflict) = self.system.propagate() {
                self.system.broken = Some(conflict);
                return;
            }
        }
    }

    fn phase(&self, literal: &Literal) -> usize {
        let Op::Bv(op) = self.terms.op(literal.term) else { return 2 };
        if !literal.holds && op.overflow_signedness().is_some() {
            return 0;
        }
        if !matches!(op, BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle) {
            return 2;
        }
        let plain = |t: TermId| matches!(self.terms.op(t), Op::Var(_) | Op::BvConst(_));
        if self.terms.args(literal.term).iter().all(|arg| plain(*arg)) { 0 } else { 1 }
    }

    fn flatten(&self, term: TermId, fact: FactId, literals: &mut Vec<Literal>) {
        let mut stack = vec![(term, true)];
        while let Some((term, holds)) = stack.pop() {
            match (self.terms.op(term), holds) {
                (Op::Bool(BoolOp::Not), _) => stack.push((self.terms.arg(term, 0), !holds)),
                (Op::Bool(BoolOp::And), true) | (Op::Bool(BoolOp::Or), false) => {
                    stack.extend(self.terms.args(term).iter().rev().map(|arg| (*arg, holds)));
                }
                _ if literals.len() < MAX_LITERALS => {
                    literals.push(Literal { term, holds, fact });
                }
                _ => {}
            }
        }
    }

    fn assert_literal(&mut self, literal: Literal) {
        if self.try_direct(literal).is_some() {
            return;
        }
        let Literal { term, holds, fact } = literal;
        if !holds && self.terms.op(term) == Op::Eq {
            self.assert_apart(term, fact);
        }
        if matches!(
            (self.terms.op(term), holds),
            (Op::Bool(BoolOp::Or), true) | (Op::Bool(BoolOp::And), false)
        ) {
            // One of the arguments has the sign `holds`.
            let mut sum = LinearExpr::int(1);
            let mut premises = vec![fact];
            for arg in self.terms.args(term).to_vec() {
                let view = self.truth(arg);
                premises.push(view.because);
                let says = if holds { view.expr } else { LinearExpr::int(1).minus(&view.expr) };
                sum = sum.minus(&says);
            }
            let because = self.system.facts.derived(premises);
            self.system.add_row(sum, Relation::AtMostZero, because);
            return;
        }
        let view = self.truth(term);
        let because = self.system.facts.derived([fact, view.because]);
        let row = view.expr.plus_int(-i128::from(holds));
        self.system.add_row(row, Relation::IsZero, because);
    }

    /// Rows for literals that are linear as they stand.
    fn try_direct(&mut self, literal: Literal) -> Option<()> {
        let Literal { term, holds, fact } = literal;
        let (signedness, strict) = match self.terms.op(term) {
            Op::Bv(BvOp::Ult) => (Signedness::Unsigned, 1),
            Op::Bv(BvOp::Ule) => (Signedness::Unsigned, 0),
            Op::Bv(BvOp::Slt) => (Signedness::Signed, 1),
            Op::Bv(BvOp::Sle) => (Signedness::Signed, 0),
            Op::Eq if holds && matches!(self.terms.sort(self.terms.arg(term, 0)), Sort::Bv(_)) => {
                return self.assert_equal(term, fact);
            }
            Op::Bv(op) if !holds && op.overflow_signedness().is_some() => {
                let (exact, range) = self.exact_result(term)?;
                let because = self.system.facts.derived([fact, exact.because]);
                self.keep_within(&exact.expr, range, [because; 2]);
                return Some(());
            }
            Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => return None,
            Op::Bool(_) | Op::Eq | Op::Ite | Op::Bv(_) | Op::Fp(_) | Op::Array(_) => return None,
        };
        let difference = self.difference(term, signedness, strict)?;
        let because = self.system.facts.derived([fact, difference.because]);
        // Not (f <= 0) is f >= 1.
        let row = if holds { difference.expr } else { LinearExpr::int(1).minus(&difference.expr) };
        self.system.add_row(row, Relation::AtMostZero, because);
        Some(())
    }

    /// `x` and `y` differ: where one is known to be at most the other, it is less.
    fn assert_apart(&mut self, term: TermId, fact: FactId) -> Option<()> {
        let (x, y) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        self.width(x)?;
        let signedness = self.preferred(if self.constant(x).is_some() { y } else { x });
        let (x, y) = (self.view(x, signedness)?, self.view(y, signedness)?);
        let difference = x.expr.minus(&y.expr);
        let span = self.span_of(&difference)?;
        if span.range.hi == 0 {
            let because = self.system.facts.derived([fact, x.because, y.because, span.upper]);
            self.system.add_row(difference.plus_int(1), Relation::AtMostZero, because);
        } else if span.range.lo == 0 {
            let because = self.system.facts.derived([fact, x.because, y.because, span.lower]);
            let row = LinearExpr::int(1).minus(&difference);
            self.system.add_row(row, Relation::AtMostZero, because);
        }
        Some(())
    }

    /// `x - y` is a multiple of `2^width`.
    fn assert_equal(&mut self, term: TermId, fact: FactId) -> Option<()> {
        let (x, y) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let width = self.width(x)?;
        if width > crate::bounds::MAX_WIDTH {
            return None;
        }
        let hint = self.preferred(if self.constant(x).is_some() { y } else { x });
        let (x, y) = (self.summand(x, hint)?, self.summand(y, hint)?);
        let because = self.system.facts.derived([x.because, y.because]);
        let difference = View { expr: x.expr.minus(&y.expr), because };
        // The difference lies where its columns and where its two sides allow.
        let mut span = self.span_of(&difference.expr)?;
        if let (Some(x), Some(y)) = (self.span_of(&x.expr), self.span_of(&y.expr)) {
            if x.range.lo - y.range.hi > span.range.lo {
                span.range.lo = x.range.lo - y.range.hi;
                span.lower = self.system.facts.derived([x.lower, y.upper]);
            }
            if x.range.hi - y.range.lo < span.range.hi {
                span.range.hi = x.range.hi - y.range.lo;
                span.upper = self.system.facts.derived([x.upper, y.lower]);
            }
        }
        let view = self.reduce_under(difference, span, width, Range::point(0), fact);
        let because = self.system.facts.derived([fact, view.because]);
        self.system.add_row(view.expr, Relation::IsZero, because);
        Some(())
    }
}
