//! Plans: how a term becomes a propagator, and which terms it reads.
//!
//! Most operators are posted as they stand. The exceptions: differences become sums with exchanged
//! parts; trees of sums and constant multiples become one linear sum; squares, constant factors and
//! overflow tests written as comparisons get their own relation; reads of store chains become element
//! relations; overflow predicates take the sum or product along when that term exists.

use glassbox_terms::{Op, Sort, TermId, Terms};
use glassbox_values::Signedness;
use glassbox_values::bits::mask;

use crate::array::element::Base;
use crate::cmp::order::Strictness;
use crate::dispatch::{self, Kind, Sorts, Table};
use crate::int::add_overflow::Direction;
use crate::int::linear::{Coefficients, MAX_TERMS};

/// Where the result goes among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `[result, operands...]`.
    ResultFirst,
    /// `[first operand, result, second operand]`: a difference as a sum.
    Difference,
    /// `[not result, operands...]` through a fresh boolean.
    Negated,
    /// `[result, operand, least signed number]` through a fresh constant.
    EqualsMin,
    /// A connective with many operands, split into a tree of small ones.
    Tree,
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
    fn post(kind: Kind) -> Plan {
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
    if op == Op::Select {
        return select(terms, term, children);
    }
    match dispatch::kind_of(table, op, sorts) {
        None => {
            // Arrays as values: nothing is derived, and the evaluation of a candidate decides.
            let is_constant = args.is_empty();
            let has_value = !matches!(terms.sort(term), Sort::Array { .. });
            Plan { is_free: !is_constant && has_value, ..Plan::nothing() }
        }
        Some(kind) => {
            children.extend_from_slice(args);
            let long = matches!(op, Op::And | Op::Or) && args.len() > TREE_ARITY;
            let layout = match op {
                Op::BvSub if kind == Kind::Add => Layout::Difference,
                Op::BvNegOverflow if kind == Kind::Equal => Layout::EqualsMin,
                _ if long => Layout::Tree,
                _ => Layout::ResultFirst,
            };
            Plan { kind: Some(kind), layout, is_free: false }
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
    use Signedness::Unsigned;
    let args = terms.args(term);
    match terms.op(term) {
        Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul => {
            sum(table, terms, term, is_own, children).or_else(|| product(terms, term, children))
        }
        Op::BvUlt => {
            let (low, high) = (args[0], args[1]);
            if let Some(other) = other_part(terms, Op::BvAdd, low, high) {
                // s + y < s wraps.
                children.extend_from_slice(&[high, other, low]);
                return Some(Plan::post(Kind::AddOverflow(Direction::Add, Unsigned)));
            }
            if terms.op(high) == Op::BvSub && terms.arg(high, 0) == low {
                // x < x - y wraps.
                children.extend_from_slice(&[low, terms.arg(high, 1), high]);
                return Some(Plan::post(Kind::AddOverflow(Direction::Sub, Unsigned)));
            }
            None
        }
        Op::BvUle => {
            let (low, high) = (args[0], args[1]);
            let other = other_part(terms, Op::BvAdd, high, low)?;
            children.extend_from_slice(&[low, other, high]);
            let kind = Kind::AddOverflow(Direction::Add, Unsigned);
            Some(Plan { layout: Layout::Negated, ..Plan::post(kind) })
        }
        Op::BvAddOverflow(sign) => {
            with_result(terms, Op::BvAdd, args, children);
            Some(Plan::post(Kind::AddOverflow(Direction::Add, sign)))
        }
        Op::BvSubOverflow(Unsigned) => {
            children.extend_from_slice(args);
            Some(Plan::post(Kind::Order(Unsigned, Strictness::Strict)))
        }
        Op::BvSubOverflow(sign) => {
            with_result(terms, Op::BvSub, args, children);
            Some(Plan::post(Kind::AddOverflow(Direction::Sub, sign)))
        }
        Op::BvMulOverflow(sign) => {
            with_result(terms, Op::BvMul, args, children);
            Some(Plan::post(Kind::MulOverflow(sign)))
        }
        _ => None,
    }
}

/// The operands, and the result of the wrapping operation when such a term exists.
fn with_result(terms: &Terms, op: Op, args: &[TermId], children: &mut Vec<TermId>) {
    children.extend_from_slice(args);
    let swapped = [args[1], args[0]];
    let commutes = op != Op::BvSub;
    let result =
        terms.lookup(op, args).or_else(|| if commutes { terms.lookup(op, &swapped) } else { None });
    children.extend(result);
}

/// The y of `whole = part op y` or `whole = y op part`.
fn other_part(terms: &Terms, op: Op, whole: TermId, part: TermId) -> Option<TermId> {
    if terms.op(whole) != op {
        return None;
    }
    let [a, b] = [terms.arg(whole, 0), terms.arg(whole, 1)];
    if a == part {
        Some(b)
    } else if b == part {
        Some(a)
    } else {
        None
    }
}

fn constant(terms: &Terms, term: TermId) -> Option<u64> {
    match terms.op(term) {
        Op::BvConst(bits) => u64::try_from(bits.unsigned()).ok(),
        _ => None,
    }
}

fn product(terms: &Terms, term: TermId, children: &mut Vec<TermId>) -> Option<Plan> {
    if terms.op(term) != Op::BvMul || terms.arg(term, 0) != terms.arg(term, 1) {
        return None;
    }
    children.push(terms.arg(term, 0));
    Some(Plan::post(Kind::Square))
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
    let mut sum = Sum { constant: 0, parts: Vec::new(), n_nodes: 0 };
    let mut todo = vec![(term, 1u64)];
    while let Some((part, factor)) = todo.pop() {
        let is_root = part == term;
        let open = (is_root || !is_own(part)) && sum.n_nodes < MAX_SUM_NODES;
        if let Some(value) = constant(terms, part) {
            sum.constant = sum.constant.wrapping_add(value.wrapping_mul(factor));
            continue;
        }
        let args = terms.args(part);
        match terms.op(part) {
            Op::BvAdd if open => todo.extend([(args[1], factor), (args[0], factor)]),
            Op::BvSub if open => {
                todo.extend([(args[1], factor.wrapping_neg()), (args[0], factor)]);
            }
            Op::BvNeg if open => todo.push((args[0], factor.wrapping_neg())),
            Op::BvMul if open => {
                if let Some(value) = constant(terms, args[0]) {
                    todo.push((args[1], factor.wrapping_mul(value)));
                } else if let Some(value) = constant(terms, args[1]) {
                    todo.push((args[0], factor.wrapping_mul(value)));
                } else if is_root {
                    return None;
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
    if sum.parts.len() > MAX_TERMS {
        return None;
    }
    let is_plain = sum.n_nodes == 1 && terms.op(term) != Op::BvMul && sum.parts.len() > 1;
    let constant = sum.constant & low_bits;
    if let ([(part, factor)], 0) = (sum.parts.as_slice(), constant) {
        children.push(*part);
        if *factor == low_bits && width > 1 {
            return Some(Plan::post(Kind::Neg));
        }
        return Some(Plan::post(Kind::Scale(table.keep_constant(*factor))));
    }
    // x + y and x - y, and x + c with a constant operand, are best as they stand.
    if is_plain || (sum.n_nodes == 1 && terms.op(term) != Op::BvMul && sum.parts.len() == 1) {
        return None;
    }
    children.extend(sum.parts.iter().map(|&(part, _)| part));
    let factors = sum.parts.iter().map(|&(_, factor)| factor).collect();
    Some(Plan::post(Kind::Linear(table.keep_sum(Coefficients { constant, factors }))))
}

/// A read: through stores down to a constant or free array.
fn select(terms: &Terms, term: TermId, children: &mut Vec<TermId>) -> Plan {
    let args = terms.args(term);
    let (mut array, index) = (args[0], args[1]);
    children.push(index);
    for _ in 0..MAX_STORES {
        match terms.op(array) {
            Op::Store => {
                children.extend([terms.arg(array, 1), terms.arg(array, 2)]);
                array = terms.arg(array, 0);
            }
            Op::ConstArray { .. } => {
                children.push(terms.arg(array, 0));
                return Plan::post(Kind::Element(Base::Default));
            }
            _ => break,
        }
    }
    Plan { is_free: true, ..Plan::post(Kind::Element(Base::Free)) }
}
