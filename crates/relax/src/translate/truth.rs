//! Boolean terms as 0/1 expressions: reified comparisons, connectives, overflow predicates.

use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId};
use glassbox_values::Signedness;

use super::{Leaf, Translator, View};
use crate::bounds::width_range;
use crate::definition::Definition;
use crate::envelope::{Relation, logic};
use crate::fact::{FactId, Facts};
use crate::linear::{LinearExpr, Var};
use crate::range::Range;
use crate::rational::Rational;
use crate::system::Kind;

impl Translator<'_> {
    /// An expression that is 1 when the boolean term holds and 0 otherwise.
    pub(super) fn truth(&mut self, term: TermId) -> View {
        if let Some(known) = self.truths.get(&term) {
            return known.clone();
        }
        self.depth += 1;
        let made = if self.is_full() { None } else { self.make_truth(term) };
        let view = made.unwrap_or_else(|| self.opaque_truth(term));
        self.depth -= 1;
        self.truths.insert(term, view.clone());
        view
    }

    /// A flag with the caller's bounds and no other meaning.
    fn opaque_truth(&mut self, term: TermId) -> View {
        View::axiom(LinearExpr::var(self.flag_of(term)))
    }

    /// A flag for a term, reported to the caller.
    fn flag_of(&mut self, term: TermId) -> Var {
        let known = self.known_range(term, Signedness::Unsigned);
        let (range, [lower, upper]) = known.unwrap_or((Range::BIT, [Facts::AXIOM; 2]));
        let var = self.system.new_column(Kind::Flag, range, lower, upper);
        self.reported.push(Leaf { term, signedness: Signedness::Unsigned, var });
        var
    }

    fn make_truth(&mut self, term: TermId) -> Option<View> {
        use Signedness::{Signed, Unsigned};
        let op = self.terms.op(term);
        let arg = |position| self.terms.arg(term, position);
        match op {
            Op::True => Some(View::axiom(LinearExpr::int(1))),
            Op::False => Some(View::axiom(LinearExpr::zero())),
            Op::Bool(BoolOp::Not) => {
                let view = self.truth(arg(0));
                let expr = LinearExpr::int(1).minus(&view.expr);
                Some(View { expr, because: view.because })
            }
            Op::Bool(BoolOp::And | BoolOp::Or) => Some(self.connective(term, op)),
            Op::Bool(BoolOp::Xor) => Some(self.exclusive(term, arg(0), arg(1))),
            Op::Eq => match self.terms.sort(arg(0)) {
                Sort::Bool => {
                    let different = self.exclusive(term, arg(0), arg(1));
                    let expr = LinearExpr::int(1).minus(&different.expr);
                    Some(View { expr, because: different.because })
                }
                Sort::Bv(_) => self.equality(arg(0), arg(1)),
                Sort::Float(_) | Sort::Array { .. } => None,
            },
            Op::Ite => Some(self.boolean_choice(term)),
            Op::Bv(BvOp::Ult) => self.comparison(term, Unsigned, 1),
            Op::Bv(BvOp::Ule) => self.comparison(term, Unsigned, 0),
            Op::Bv(BvOp::Slt) => self.comparison(term, Signed, 1),
            Op::Bv(BvOp::Sle) => self.comparison(term, Signed, 0),
            Op::Bv(op) if op.overflow_signedness().is_some() => self.overflow(term),
            // Variables, selected booleans and everything about floats: a flag.
            Op::Var(_) | Op::Fp(_) | Op::Array(_) => None,
            // Not of sort Bool.
            Op::BvConst(_) | Op::FloatConst(_) | Op::Bv(_) => None,
        }
    }

    fn connective(&mut self, term: TermId, op: Op) -> View {
        let arguments: Vec<View> =
            self.terms.args(term).to_vec().into_iter().map(|arg| self.truth(arg)).collect();
        let because = self.because_of(&arguments);
        let exprs: Vec<LinearExpr> = arguments.into_iter().map(|view| view.expr).collect();
        let z = self.flag_of(term);
        let rows = if op == Op::Bool(BoolOp::And) {
            logic::and_rows(z, &exprs)
        } else {
            logic::or_rows(z, &exprs)
        };
        for row in rows {
            self.system.add_row(row.expr, row.relation, because);
        }
        View { expr: LinearExpr::var(z), because }
    }

    fn because_of(&mut self, views: &[View]) -> FactId {
        let premises: Vec<FactId> = views.iter().map(|view| view.because).collect();
        self.system.facts.derived(premises)
    }

    /// 1 when the two differ. The flag is not the term's own when the term is an equality.
    fn exclusive(&mut self, term: TermId, x: TermId, y: TermId) -> View {
        let (x, y) = (self.truth(x), self.truth(y));
        let because = self.system.facts.derived([x.because, y.because]);
        let z = if self.terms.op(term) == Op::Bool(BoolOp::Xor) {
            self.flag_of(term)
        } else {
            self.system.free_column(Kind::Flag, Range::BIT)
        };
        for row in logic::xor_rows(z, &x.expr, &y.expr) {
            self.system.add_row(row.expr, row.relation, because);
        }
        View { expr: LinearExpr::var(z), because }
    }

    fn boolean_choice(&mut self, term: TermId) -> View {
        let arguments: Vec<View> =
            (0..3).map(|position| self.truth(self.terms.arg(term, position))).collect();
        let because = self.because_of(&arguments);
        let z = self.flag_of(term);
        let [c, x, y] = [&arguments[0].expr, &arguments[1].expr, &arguments[2].expr];
        for row in logic::choice_rows(z, c, x, y) {
            self.system.add_row(row.expr, row.relation, because);
        }
        View { expr: LinearExpr::var(z), because }
    }

    /// `x - y + strict <= 0` in the view.
    fn comparison(&mut self, term: TermId, signedness: Signedness, strict: i128) -> Option<View> {
        let f = self.difference(term, signedness, strict)?;
        let b = self.flag_of(term);
        self.system.define(Definition::AtMostZero { b, f: f.expr }, f.because);
        Some(View { expr: LinearExpr::var(b), because: f.because })
    }

    /// The expression that is at most zero exactly when the comparison holds.
    pub(super) fn difference(
        &mut self,
        term: TermId,
        signedness: Signedness,
        strict: i128,
    ) -> Option<View> {
        let (x, y) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let (x, y) = (self.view(x, signedness)?, self.view(y, signedness)?);
        let because = self.system.facts.derived([x.because, y.because]);
        Some(View { expr: x.expr.minus(&y.expr).plus_int(strict), because })
    }

    /// `1 - plus - minus` for the two ways to differ.
    fn equality(&mut self, x: TermId, y: TermId) -> Option<View> {
        let signedness = self.preferred(if self.constant(x).is_some() { y } else { x });
        let (x, y) = (self.view(x, signedness)?, self.view(y, signedness)?);
        let because = self.system.facts.derived([x.because, y.because]);
        let f = x.expr.minus(&y.expr);
        let plus = self.system.free_column(Kind::Flag, Range::BIT);
        let minus = self.system.free_column(Kind::Flag, Range::BIT);
        let sum = LinearExpr::from_terms(&[(plus, 1), (minus, 1)], -1);
        self.system.add_row(sum.clone(), Relation::AtMostZero, because);
        self.system.define(Definition::Sign { plus, minus, f }, because);
        Some(View { expr: sum.scaled(&Rational::int(-1)), because })
    }

    /// The exact result of the operation whose overflow a predicate tests, and the range it should fit.
    pub(super) fn exact_result(&mut self, term: TermId) -> Option<(View, Range)> {
        let Op::Bv(op) = self.terms.op(term) else { return None };
        let signedness = op.overflow_signedness()?;
        let x = self.terms.arg(term, 0);
        let range = width_range(self.width(x)?, signedness)?;
        let x = self.view(x, signedness)?;
        if op == BvOp::NegOverflow {
            let expr = x.expr.scaled(&Rational::int(-1));
            return Some((View { expr, because: x.because }, range));
        }
        let y = self.view(self.terms.arg(term, 1), signedness)?;
        let because = self.system.facts.derived([x.because, y.because]);
        let view = if let BvOp::AddOverflow(_) = op {
            View { expr: x.expr.plus(&y.expr), because }
        } else if let BvOp::SubOverflow(_) = op {
            View { expr: x.expr.minus(&y.expr), because }
        } else {
            self.product(&x, &y)?
        };
        Some((view, range))
    }

    /// One flag for each way to leave the range.
    fn overflow(&mut self, term: TermId) -> Option<View> {
        let (exact, range) = self.exact_result(term)?;
        let mut sum = LinearExpr::zero();
        for f in
            [LinearExpr::int(range.hi + 1).minus(&exact.expr), exact.expr.plus_int(1 - range.lo)]
        {
            let b = self.system.free_column(Kind::Flag, Range::BIT);
            self.system.define(Definition::AtMostZero { b, f }, exact.because);
            sum.add_term(b, &Rational::ONE);
        }
        self.system.add_row(sum.plus_int(-1), Relation::AtMostZero, exact.because);
        Some(View { expr: sum, because: exact.because })
    }
}
