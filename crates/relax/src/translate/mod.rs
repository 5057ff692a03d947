//! From terms to columns, rows and definitions of a relaxed system.
//!
//! A bit-vector term is read as an integer in one of two views, signed or unsigned. A *view* is a linear
//! expression over columns that equals the term's value in that view for every assignment that satisfies
//! the facts it rests on. Sums are kept *modular* as long as possible: `modular` gives an expression that
//! is congruent to the term, and only where a number is needed (a comparison, a division, an extension)
//! one overflow quotient is introduced for the whole sum (`wrap`). When the ranges leave one quotient,
//! it is put in as a number with the bounds as premises, which lets products be shared.
//!
//! What has no linear reading (floats, arrays, very wide vectors) becomes a column without rows, or no
//! view at all, and the constraint on it is dropped: that is always sound. Depth and size are capped for
//! the same reason, so that no term can exhaust stack or memory.

mod arith;
mod bits;
mod demand;
mod division;
mod root;
mod truth;

use glassbox_terms::{Op, Sort, TermId, Terms};
use glassbox_values::Signedness;
use rustc_hash::FxHashMap;

use crate::bounds::{Bounds, MAX_WIDTH, sort_range};
use crate::definition::Definition;
use crate::envelope::linear::quotient_range;
use crate::envelope::rem::Rounding;
use crate::envelope::{LOWER, Relation, UPPER, both};
use crate::fact::{BoundPremise, FactId, Facts};
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, extreme_uses};
use crate::rational::Rational;
use crate::simplex::Side;
use crate::system::{Kind, System};

/// Terms nested deeper than this become columns without rows.
const MAX_DEPTH: usize = 150;

/// After this many columns, further terms become columns without rows.
const MAX_COLUMNS: usize = 3000;

/// Sums longer than this get a column of their own.
const MAX_TERMS: usize = 24;

/// A linear expression and what it rests on.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) expr: LinearExpr,
    pub(crate) because: FactId,
}

impl View {
    fn axiom(expr: LinearExpr) -> View {
        View { expr, because: Facts::AXIOM }
    }
}

/// Where an expression lies, and why.
#[derive(Debug, Clone, Copy)]
struct Span {
    range: Range,
    lower: FactId,
    upper: FactId,
}

impl Span {
    /// Both hold: the sharper of each end.
    fn sharpen(&mut self, other: Span) {
        if other.range.lo > self.range.lo {
            (self.range.lo, self.lower) = (other.range.lo, other.lower);
        }
        if other.range.hi < self.range.hi {
            (self.range.hi, self.upper) = (other.range.hi, other.upper);
        }
    }
}

/// A column that stands for a term in one view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) term: TermId,
    pub(crate) signedness: Signedness,
    pub(crate) var: Var,
}

/// Dividend, divisor, and which division.
type Division = (TermId, TermId, Signedness, Rounding);

/// Translates terms into `system`.
pub(crate) struct Translator<'a> {
    terms: &'a Terms,
    bounds: &'a dyn Bounds,
    pub(crate) system: &'a mut System,
    views: FxHashMap<(TermId, Signedness), Option<View>>,
    truths: FxHashMap<TermId, View>,
    leaves: FxHashMap<TermId, Leaf>,
    products: FxHashMap<(Var, Var), Var>,
    powers: FxHashMap<Var, Var>,
    masks: FxHashMap<(TermId, TermId), Option<View>>,
    exact_forms: FxHashMap<TermId, Option<View>>,
    columns: FxHashMap<LinearExpr, Var>,
    spans: FxHashMap<LinearExpr, Span>,
    divisions: FxHashMap<Division, Option<(View, View)>>,
    demands: FxHashMap<TermId, Signedness>,
    /// Leaves in the order they were made: what may be reported and proposed.
    pub(crate) reported: Vec<Leaf>,
    depth: usize,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(
        terms: &'a Terms,
        bounds: &'a dyn Bounds,
        system: &'a mut System,
    ) -> Translator<'a> {
        Translator {
            terms,
            bounds,
            system,
            views: FxHashMap::default(),
            truths: FxHashMap::default(),
            leaves: FxHashMap::default(),
            products: FxHashMap::default(),
            powers: FxHashMap::default(),
            masks: FxHashMap::default(),
            exact_forms: FxHashMap::default(),
            columns: FxHashMap::default(),
            spans: FxHashMap::default(),
            divisions: FxHashMap::default(),
            demands: FxHashMap::default(),
            reported: Vec::new(),
            depth: 0,
        }
    }

    fn width(&self, term: TermId) -> Option<u8> {
        match self.terms.sort(term) {
            Sort::Bv(width) => Some(width),
            Sort::Bool | Sort::Float(_) | Sort::Array { .. } => None,
        }
    }

    fn constant(&self, term: TermId) -> Option<glassbox_values::Bits> {
        if let Op::BvConst(bits) = self.terms.op(term) { Some(bits) } else { None }
    }

    fn is_full(&self) -> bool {
        self.depth > MAX_DEPTH || self.system.n_columns() > MAX_COLUMNS
    }

    /// The caller's range of a term, with the facts of its two ends (no fact where the sort says it).
    fn known_range(
        &mut self,
        term: TermId,
        signedness: Signedness,
    ) -> Option<(Range, [FactId; 2])> {
        let sort = sort_range(self.terms, term, signedness)?;
        let Some((lo, hi)) = self.bounds.range(term, signedness) else {
            return Some((sort, [Facts::AXIOM; 2]));
        };
        let range = Range::new(lo.max(sort.lo), hi.min(sort.hi));
        let mut fact = |side, sharper| {
            let premise = BoundPremise { term, signedness, side };
            if sharper { self.system.facts.bound(premise) } else { Facts::AXIOM }
        };
        let lower = fact(LOWER, range.lo > sort.lo);
        Some((range, [lower, fact(UPPER, range.hi < sort.hi)]))
    }

    /// The value of a bit-vector term in a view; `None` when it has no integer reading.
    pub(crate) fn view(&mut self, term: TermId, signedness: Signedness) -> Option<View> {
        if let Some(known) = self.views.get(&(term, signedness)) {
            return known.clone();
        }
        self.depth += 1;
        let view = self.make_view(term, signedness);
        self.depth -= 1;
        self.views.insert((term, signedness), view.clone());
        view
    }

    fn make_view(&mut self, term: TermId, signedness: Signedness) -> Option<View> {
        let width = self.width(term)?;
        sort_range(self.terms, term, signedness)?;
        if let Some(bits) = self.constant(term) {
            let value = match signedness {
                Signedness::Signed => bits.signed(),
                Signedness::Unsigned => i128::try_from(bits.unsigned()).ok()?,
            };
            return Some(View::axiom(LinearExpr::int(value)));
        }
        if let Some(leaf) = self.leaves.get(&term) {
            let (own, var) = (leaf.signedness, leaf.var);
            let view = View::axiom(LinearExpr::var(var));
            return if own == signedness {
                Some(view)
            } else {
                self.wrap(view, term, width, signedness)
            };
        }
        let congruent = if self.is_full() { None } else { self.modular(term, signedness) };
        if let Some(congruent) = congruent {
            return self.wrap(congruent, term, width, signedness);
        }
        self.leaf(term, signedness)?;
        self.make_view(term, signedness)
    }

    /// A column for a term that has no linear form, with the rows of its meaning.
    fn leaf(&mut self, term: TermId, signedness: Signedness) -> Option<Var> {
        let own = self.demands.get(&term).copied().unwrap_or(signedness);
        let (range, [lower, upper]) = self.known_range(term, own)?;
        let var = self.system.new_column(Kind::Value, range, lower, upper);
        let leaf = Leaf { term, signedness: own, var };
        self.leaves.insert(term, leaf);
        self.reported.push(leaf);
        if !self.is_full() {
            self.depth += 1;
            if self.terms.op(term) == Op::Ite {
                self.choice(term, leaf);
            }
            self.depth -= 1;
        }
        Some(var)
    }

    /// `term = (c ? a : b)` in the view of its column.
    fn choice(&mut self, term: TermId, leaf: Leaf) {
        let (c, a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1), self.terms.arg(term, 2));
        let Some(then) = self.view(a, leaf.signedness) else { return };
        let Some(otherwise) = self.view(b, leaf.signedness) else { return };
        let c = self.truth(c);
        let because = self.system.facts.derived([c.because, then.because, otherwise.because]);
        let definition =
            Definition::Choice { c: c.expr, z: leaf.var, a: then.expr, b: otherwise.expr };
        self.system.define(definition, because);
    }

    /// The value of `term` in the view, given an expression congruent to it modulo `2^width`.
    fn wrap(
        &mut self,
        congruent: View,
        term: TermId,
        width: u8,
        signedness: Signedness,
    ) -> Option<View> {
        let (range, facts) = self.known_range(term, signedness)?;
        let view = self.reduce(congruent, width, sort_range(self.terms, term, signedness)?)?;
        let facts = facts.map(|fact| self.system.facts.derived([fact, view.because]));
        self.keep_within(&view.expr, range, facts);
        Some(view)
    }

    /// `congruent` modulo `2^width`, brought into `range`, which must hold one number of each class at
    /// most. The rows that keep it there are the caller's.
    fn reduce(&mut self, congruent: View, width: u8, range: Range) -> Option<View> {
        if width > MAX_WIDTH {
            return None;
        }
        let span = self.span_of(&congruent.expr)?;
        Some(self.reduce_under(congruent, span, width, range, Facts::AXIOM))
    }

    /// Like `reduce`, for an expression with a known span, where it takes `fact` for the value to be in
    /// `range`.
    fn reduce_under(
        &mut self,
        congruent: View,
        span: Span,
        width: u8,
        range: Range,
        fact: FactId,
    ) -> View {
        debug_assert!(width <= MAX_WIDTH, "the modulus should be a number of 128 bits");
        let modulus = 1_i128 << width;
        let quotient = quotient_range(span.range, range, modulus);
        let View { mut expr, because } = congruent;
        if quotient.is_point() {
            let because = self.system.facts.derived([because, span.lower, span.upper]);
            expr.add_constant(&(&Rational::int(-quotient.lo) * &Rational::int(modulus)));
            return View { expr, because };
        }
        let lower = self.system.facts.derived([because, fact, span.lower]);
        let upper = self.system.facts.derived([because, fact, span.upper]);
        let k = self.system.new_column(Kind::Quotient, quotient, lower, upper);
        expr.add_term(k, &Rational::int(-modulus));
        View { expr, because }
    }

    /// Where an expression lies: by the ranges of its columns, or by a row that was asserted.
    fn span_of(&mut self, expr: &LinearExpr) -> Option<Span> {
        let range = self.system.range_of(expr)?;
        let lower = self.system.derive(extreme_uses(expr, LOWER), Facts::AXIOM);
        let upper = self.system.derive(extreme_uses(expr, UPPER), Facts::AXIOM);
        let mut span = Span { range, lower, upper };
        let known = self.spans.get(&expr.without_constant());
        if let (Some(known), Some(offset)) = (known, expr.constant_part().to_i128()) {
            if known.range.lo + offset > span.range.lo {
                (span.range.lo, span.lower) = (known.range.lo + offset, known.lower);
            }
            if known.range.hi + offset < span.range.hi {
                (span.range.hi, span.upper) = (known.range.hi + offset, known.upper);
            }
        }
        Some(span)
    }

    /// Adds `range.lo <= expr <= range.hi` and remembers it for `span_of`.
    fn keep_within(&mut self, expr: &LinearExpr, range: Range, facts: [FactId; 2]) {
        self.system.add_range_rows(expr, range, facts);
        if let (Some(offset), false) = (expr.constant_part().to_i128(), expr.is_constant()) {
            let range = Range::new(range.lo - offset, range.hi - offset);
            let new = Span { range, lower: facts[0], upper: facts[1] };
            let known = self.spans.entry(expr.without_constant()).or_insert(new);
            known.sharpen(new);
        }
    }

    /// Remembers that `expr <= 0` holds without premises, for `span_of`.
    pub(crate) fn remember_at_most(&mut self, expr: &LinearExpr) {
        let (Some(offset), true) = (expr.constant_part().to_i128(), expr.terms().len() > 1) else {
            return;
        };
        for sign in [1, -1] {
            let slope = expr.without_constant().scaled(&Rational::int(sign));
            let Some(mut span) = self.span_of(&slope) else { return };
            if sign > 0 && -offset < span.range.hi {
                (span.range.hi, span.upper) = (-offset, Facts::AXIOM);
            } else if sign < 0 && offset > span.range.lo {
                (span.range.lo, span.lower) = (offset, Facts::AXIOM);
            }
            self.spans.insert(slope, span);
        }
    }

    /// The facts of all bounds of the columns of `expr`, and one more.
    fn range_fact(&mut self, expr: &LinearExpr, more: FactId) -> FactId {
        let uses: Vec<(Var, Side)> = expr.terms().iter().flat_map(|(var, _)| both(*var)).collect();
        self.system.derive(uses, more)
    }

    /// A single column equal to a view.
    fn column_of(&mut self, view: &View) -> Option<Var> {
        if let Some(var) = view.expr.as_var() {
            // The column is the expression whatever it rests on.
            return Some(var);
        }
        if let Some(var) = self.columns.get(&view.expr) {
            return Some(*var);
        }
        let range = self.system.range_of(&view.expr)?;
        let lower = self.system.derive(extreme_uses(&view.expr, LOWER), Facts::AXIOM);
        let upper = self.system.derive(extreme_uses(&view.expr, UPPER), Facts::AXIOM);
        let var = self.system.new_column(Kind::Value, range, lower, upper);
        let row = LinearExpr::var(var).minus(&view.expr);
        self.system.add_row(row, Relation::IsZero, Facts::AXIOM);
        self.columns.insert(view.expr.clone(), var);
        Some(var)
    }
}
