//! Plans: how a term becomes a propagator, and which terms it reads.
//!
//! Most operators are posted as they stand. The exceptions: differences become sums with exchanged
//! parts; trees of sums and constant multiples become one linear sum; squares, constant factors and
//! overflow tests written as comparisons get their own relation; reads of store chains become element
//! relations; overflow predicates take the sum or product along when that term exists.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "plans look for patterns; `dispatch` lists the operators that are posted as they stand"
)]

use glassbox_terms::{ArrayOp, BoolOp, BvOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;
use glassbox_values::bits::mask;

use crate::array::element::{Base, Element};
use crate::cmp::equal::Equal;
use crate::cmp::gap::Gap;
use crate::cmp::member::{self, Member};
use crate::cmp::order::{Order, Strictness};
use crate::dispatch::{self, Kind, Sorts, Table};
use crate::int::add_overflow::{AddOverflow, Direction};
use crate::int::linear::{Linear, MAX_TERMS};
use crate::int::mul_overflow::MulOverflow;
use crate::int::neg::Neg;
use crate::int::scale::Scale;
use crate::int::square::Square;
use crate::relation::Relation;

/// Where the result goes among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `[result, operands...]`.
    ResultFirst,
    /// `[first operand, result, second operand]`: a difference as a sum.
    Difference,
    /// `[result, operand, least signed number]` through a fresh constant.
    EqualsMin,
    /// `[result, operands..., s]` where the fresh s is a linear sum of the last `n_parts` operands,
    /// which then go.
    WithSum(FreshSum),
    /// `[result, s, 0]` where the fresh s is a linear sum of all operands.
    IsZero(FreshSum),
    /// A connective with many operands, split into a tree of small ones.
    Tree,
}

/// A linear sum that is no term: its relation and the number of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FreshSum {
    pub(crate) kind: Kind,
    pub(crate) n_parts: usize,
}

/// How to post a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// `None`: no propagator; the variable is free, or a constant.
    pub(crate) kind: Option<Kind>,
    pub(crate) layout: Layout,
    /// The value is not determined by the operands: the search must choose it.
    pub(crate) is_free: bool,
}

impl Plan {
    fn post(table: &mut Table, relation: impl Relation + 'static) -> Plan {
        let kind = table.keep(Box::new(relation));
        Plan { kind: Some(kind), layout: Layout::ResultFirst, is_free: false }
    }

    fn nothing() -> Plan {
        Plan { kind: None, layout: Layout::ResultFirst, is_free: false }
    }
}

/// Operands of a connective from which on it becomes a tree.
pub(crate) const TREE_ARITY: usize = 16;
/// Stores looked through by one read.
const MAX_STORES: usize = 64;
/// Nodes of a sum looked through.
const MAX_SUM_NODES: usize = 24;

/// Plans a term; the terms it reads are appended to `children`. `is_own` says whether a term already
/// has a variable of its own, so that sums share it instead of looking through it.
pub(crate) fn plan(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    is_own: impl Fn(TermId) -> bool,
    children: &mut Vec<TermId>,
) -> Plan {
    let op = terms.op(term);
    let args = terms.args(term);
    let sorts = Sorts::of(terms, term);
    if let Op::Var(_) = op {
        return Plan { is_free: true, ..Plan::nothing() };
    }
    if sorts == Sorts::Narrow
        && let Some(plan) = special(table, terms, term, is_own, children)
    {
        return plan;
    }
    if op == Op::Array(ArrayOp::Select) {
        return select(table, terms, term, children);
    }
    match dispatch::relation_of(op, sorts) {
        None => {
            // Arrays as values: nothing is derived, and the evaluation of a candidate decides.
            let is_constant = args.is_empty();
            let has_value = !matches!(terms.sort(term), Sort::Array { .. });
            Plan { is_free: !is_constant && has_value, ..Plan::nothing() }
        }
        Some(relation) => {
            children.extend_from_slice(args);
            let is_narrow = sorts == Sorts::Narrow;
            let layout = match op {
                Op::Bv(BvOp::Sub) if is_narrow => Layout::Difference,
                Op::Bv(BvOp::NegOverflow) if is_narrow => Layout::EqualsMin,
                Op::Bool(BoolOp::And | BoolOp::Or) if args.len() > TREE_ARITY => Layout::Tree,
                _ => Layout::ResultFirst,
            };
            Plan { kind: Some(table.keep(relation)), layout, is_free: false }
        }
    }
}

/// Relations of their own for patterns over vectors of at most 64 bits.
fn special(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    is_own: impl Fn(TermId) -> bool,
    children: &mut Vec<TermId>,
) -> Option<Plan> {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    let order = |signedness, strictness| Order { signedness, strictness };
    let args = terms.args(term);
    match terms.op(term) {
        Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Neg | BvOp::Mul) => {
            sum(table, terms, term, is_own, children)
                .or_else(|| product(table, terms, term, children))
        }
        Op::Bv(BvOp::Ult) => related(table, terms, term, order(Unsigned, Strict), children),
        Op::Bv(BvOp::Ule) => related(table, terms, term, order(Unsigned, OrEqual), children),
        Op::Bv(BvOp::Slt) => related(table, terms, term, order(Signed, Strict), children),
        Op::Bv(BvOp::Sle) => related(table, terms, term, order(Signed, OrEqual), children),
        Op::Eq => equal_sums(table, terms, term, children),
        Op::Bv(BvOp::AddOverflow(signedness)) => {
            with_result(terms, Op::Bv(BvOp::Add), args, children);
            Some(Plan::post(table, AddOverflow { direction: Direction::Add, signedness }))
        }
        Op::Bv(BvOp::SubOverflow(Unsigned)) => {
            children.extend_from_slice(args);
            Some(Plan::post(table, order(Unsigned, Strict)))
        }
        Op::Bv(BvOp::SubOverflow(signedness)) => {
            with_result(terms, Op::Bv(BvOp::Sub), args, children);
            Some(Plan::post(table, AddOverflow { direction: Direction::Sub, signedness }))
        }
        Op::Bv(BvOp::MulOverflow(signedness)) => {
            with_result(terms, Op::Bv(BvOp::Mul), args, children);
            Some(Plan::post(table, MulOverflow(signedness)))
        }
        _ => None,
    }
}

/// The operands, and the result of the wrapping operation when such a term exists.
fn with_result(terms: &Terms, op: Op, args: &[TermId], children: &mut Vec<TermId>) {
    children.extend_from_slice(args);
    let swapped = [args[1], args[0]];
    let commutes = op != Op::Bv(BvOp::Sub);
    let result =
        terms.lookup(op, args).or_else(|| if commutes { terms.lookup(op, &swapped) } else { None });
    children.extend(result);
}

fn constant(terms: &Terms, term: TermId) -> Option<u64> {
    u64::try_from(terms.as_bv_const(term)?.unsigned()).ok()
}

fn product(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    children: &mut Vec<TermId>,
) -> Option<Plan> {
    if terms.op(term) != Op::Bv(BvOp::Mul) || terms.arg(term, 0) != terms.arg(term, 1) {
        return None;
    }
    children.push(terms.arg(term, 0));
    Some(Plan::post(table, Square))
}

/// A sum being collected: its constant and its terms with their factors, in order of appearance.
struct Sum {
    constant: u64,
    parts: Vec<(TermId, u64)>,
    n_nodes: usize,
}

impl Sum {
    fn add(&mut self, term: TermId, factor: u64) {
        match self.parts.iter_mut().find(|(known, _)| *known == term) {
            Some((_, known)) => *known = known.wrapping_add(factor),
            None => self.parts.push((term, factor)),
        }
    }
}

impl Sum {
    /// Keeps the sum as a relation over a fresh variable; its parts become children.
    fn keep(&self, table: &mut Table, children: &mut Vec<TermId>) -> FreshSum {
        children.extend(self.parts.iter().map(|&(part, _)| part));
        let factors = self.parts.iter().map(|&(_, factor)| factor).collect();
        let kind = table.keep(Box::new(Linear { constant: self.constant, factors }));
        FreshSum { kind, n_parts: self.parts.len() }
    }
}

/// The sum of terms with factors, looked through where a part has no variable of its own.
fn collect(
    terms: &Terms,
    roots: &[(TermId, u64)],
    low_bits: u64,
    is_own: impl Fn(TermId) -> bool,
) -> Sum {
    let mut sum = Sum { constant: 0, parts: Vec::new(), n_nodes: 0 };
    let mut todo = roots.to_vec();
    while let Some((part, factor)) = todo.pop() {
        let is_root = roots.iter().any(|&(root, _)| root == part);
        let open = (is_root || !is_own(part)) && sum.n_nodes < MAX_SUM_NODES;
        if let Some(value) = constant(terms, part) {
            sum.constant = sum.constant.wrapping_add(value.wrapping_mul(factor));
            continue;
        }
        let args = terms.args(part);
        match terms.op(part) {
            Op::Bv(BvOp::Add) if open => todo.extend([(args[1], factor), (args[0], factor)]),
            Op::Bv(BvOp::Sub) if open => {
                todo.extend([(args[1], factor.wrapping_neg()), (args[0], factor)]);
            }
            Op::Bv(BvOp::Neg) if open => todo.push((args[0], factor.wrapping_neg())),
            Op::Bv(BvOp::Mul) if open => {
                if let Some(value) = constant(terms, args[0]) {
                    todo.push((args[1], factor.wrapping_mul(value)));
                } else if let Some(value) = constant(terms, args[1]) {
                    todo.push((args[0], factor.wrapping_mul(value)));
                } else {
                    sum.add(part, factor);
                    continue;
                }
            }
            _ => {
                sum.add(part, factor);
                continue;
            }
        }
        sum.n_nodes += 1;
    }
    for (_, factor) in &mut sum.parts {
        *factor &= low_bits;
    }
    sum.parts.retain(|&(_, factor)| factor != 0);
    sum.constant &= low_bits;
    sum
}

/// The sum `high - low` when both sides share parts, so that it is simpler than the sides.
fn difference(terms: &Terms, low: TermId, high: TermId) -> Option<(Sum, u8)> {
    let Sort::Bv(width) = terms.sort(low) else {
        return None;
    };
    let is_sum = |term: TermId| matches!(terms.op(term), Op::Bv(BvOp::Add | BvOp::Sub));
    if low == high || !(is_sum(low) || is_sum(high)) {
        return None;
    }
    let low_bits = u64::try_from(mask(width)).ok()?;
    // Sums are looked through even where they have a variable.
    let parts = |roots: &[(TermId, u64)]| collect(terms, roots, low_bits, |_| false);
    let gap = parts(&[(high, 1), (low, low_bits)]);
    let n_apart = parts(&[(high, 1)]).parts.len() + parts(&[(low, 1)]).parts.len();
    (gap.parts.len() < n_apart && gap.parts.len() <= MAX_TERMS).then_some((gap, width))
}

/// A comparison of two sums with common parts.
fn related(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    order: Order,
    children: &mut Vec<TermId>,
) -> Option<Plan> {
    let (low, high) = (terms.arg(term, 0), terms.arg(term, 1));
    let (gap, width) = difference(terms, low, high)?;
    if !gap.parts.is_empty() {
        children.extend([low, high]);
        let layout = Layout::WithSum(gap.keep(table, children));
        let Order { signedness, strictness } = order;
        return Some(Plan { layout, ..Plan::post(table, Gap { signedness, strictness }) });
    }
    if gap.constant == 0 {
        return None;
    }
    let arc = member::less_than_itself_plus(gap.constant, order.signedness, width);
    // The simpler of both sides carries the arc: x + 3 < x constrains x.
    let is_sum = |term: TermId| matches!(terms.op(term), Op::Bv(BvOp::Add | BvOp::Sub));
    if is_sum(low) && !is_sum(high) {
        children.push(high);
        return Some(Plan::post(table, Member(arc.shift_by(gap.constant))));
    }
    children.push(low);
    Some(Plan::post(table, Member(arc)))
}

/// An equality of two sums with common parts: their difference is zero.
fn equal_sums(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    children: &mut Vec<TermId>,
) -> Option<Plan> {
    let (gap, _) = difference(terms, terms.arg(term, 0), terms.arg(term, 1))?;
    let layout = Layout::IsZero(gap.keep(table, children));
    Some(Plan { layout, ..Plan::post(table, Equal) })
}

/// One linear sum for a tree of sums, differences, negations and constant multiples; one scaling for
/// a single constant multiple. `None` when the plain relation is as good.
fn sum(
    table: &mut Table,
    terms: &Terms,
    term: TermId,
    is_own: impl Fn(TermId) -> bool,
    children: &mut Vec<TermId>,
) -> Option<Plan> {
    let Sort::Bv(width) = terms.sort(term) else {
        return None;
    };
    let low_bits = u64::try_from(mask(width)).ok()?;
    let args = terms.args(term);
    let is_multiple = args.iter().any(|&arg| constant(terms, arg).is_some());
    if terms.op(term) == Op::Bv(BvOp::Mul) && !is_multiple {
        return None;
    }
    let sum = collect(terms, &[(term, 1)], low_bits, is_own);
    if sum.parts.len() > MAX_TERMS {
        return None;
    }
    let is_plain = sum.n_nodes == 1 && terms.op(term) != Op::Bv(BvOp::Mul) && sum.parts.len() > 1;
    let constant = sum.constant;
    if let ([(part, factor)], 0) = (sum.parts.as_slice(), constant) {
        children.push(*part);
        if *factor == low_bits && width > 1 {
            return Some(Plan::post(table, Neg));
        }
        return Some(Plan::post(table, Scale(*factor)));
    }
    // x + y and x - y, and x + c with a constant operand, are best as they stand.
    if is_plain || (sum.n_nodes == 1 && terms.op(term) != Op::Bv(BvOp::Mul) && sum.parts.len() == 1)
    {
        return None;
    }
    children.extend(sum.parts.iter().map(|&(part, _)| part));
    let factors = sum.parts.iter().map(|&(_, factor)| factor).collect();
    Some(Plan::post(table, Linear { constant, factors }))
}

/// A read: through stores down to a constant or free array.
fn select(table: &mut Table, terms: &Terms, term: TermId, children: &mut Vec<TermId>) -> Plan {
    let args = terms.args(term);
    let (mut array, index) = (args[0], args[1]);
    children.push(index);
    for _ in 0..MAX_STORES {
        match terms.op(array) {
            Op::Array(ArrayOp::Store) => {
                children.extend([terms.arg(array, 1), terms.arg(array, 2)]);
                array = terms.arg(array, 0);
            }
            Op::Array(ArrayOp::Const { .. }) => {
                children.push(terms.arg(array, 0));
                return Plan::post(table, Element(Base::Default));
            }
            _ => break,
        }
    }
    Plan { is_free: true, ..Plan::post(table, Element(Base::Free)) }
}
