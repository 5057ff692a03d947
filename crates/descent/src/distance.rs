//! How far a state is from satisfying a conjunction.
//!
//! Each comparison has a branch distance: for floats the number of floats between the two sides (units
//! in the last place, as XSat and goSAT use), for integers the difference. `and` adds, `or` takes the
//! least; negations are pushed to the comparisons.
//!
//! There are two scales, and the search uses both in turn. The linear one counts units, those of
//! narrow formats and integers as so many units of a 64-bit one: it lets a climb trade a little of
//! one conjunct for much of another. The logarithmic one lets conjuncts of very different size weigh
//! alike, and pulls harder the nearer a conjunct is to holding.
//!
//! Source: Fu and Su, CAV 2016 (XSat); Korel, TSE 1990, for branch distances. Deviation: the second
//! scale, and weights per conjunct that the search raises where it is stuck.

use std::collections::BTreeMap;

use glassbox_terms::{BoolOp, BvOp, FpOp, Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, Sign};

use crate::native::{mask, signed};
use crate::newton::Held;
use crate::tape::{State, Tape};

/// A distance; zero means satisfied. Sums of very many still fit.
pub(crate) type Distance = u128;

/// How differences become distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// Fraction bits of the logarithm.
const FRACTION: u32 = 48;

impl Scale {
    /// The distance of a difference of two keys of `width` bits.
    fn of(self, difference: u64, width: u8) -> Distance {
        match self {
            Scale::Linear => u128::from(difference) << (64 - width),
            Scale::Logarithmic => u128::from(logarithm(difference)),
        }
    }

    /// For a truth value: about a factor of two in a binary64 number.
    fn truth(self) -> Distance {
        match self {
            Scale::Linear => 1 << 52,
            Scale::Logarithmic => u128::from(logarithm(1)),
        }
    }

    /// Farther than any difference: a NaN where a number is wanted.
    fn far(self) -> Distance {
        match self {
            Scale::Linear => 1 << 66,
            Scale::Logarithmic => 66 << FRACTION,
        }
    }
}

/// The logarithm of a difference in fixed point; strictly monotone as far as the fraction reaches.
fn logarithm(difference: u64) -> u64 {
    if difference == 0 {
        return 0;
    }
    let leading = difference.leading_zeros();
    let exponent = u64::from(u64::BITS - leading);
    // The bits below the leading one, moved to the top.
    let fraction = (difference << leading << 1) >> (u64::BITS - FRACTION);
    exponent << FRACTION | fraction
}

/// The comparisons with a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Equal,
    Less,
    LessOrEqual,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    /// The register should have this truth value; there is no finer measure.
    Truth {
        register: u32,
        want: bool,
    },
    /// An IEEE comparison of two floats.
    Float {
        order: Order,
        want: bool,
        a: u32,
        b: u32,
        format: Format,
        infinity: u64,
    },
    /// The same float, SMT-LIB equality.
    SameFloat {
        want: bool,
        a: u32,
        b: u32,
        format: Format,
        infinity: u64,
    },
    Unsigned {
        order: Order,
        want: bool,
        a: u32,
        b: u32,
        width: u8,
    },
    Signed {
        order: Order,
        want: bool,
        a: u32,
        b: u32,
        width: u8,
    },
    Sum {
        start: u32,
        len: u32,
    },
    Least {
        start: u32,
        len: u32,
    },
}

/// The distances of a conjunction.
#[derive(Debug)]
pub(crate) struct Distances {
    // Children before the nodes that use them.
    nodes: Vec<Node>,
    children: Vec<u32>,
    /// The conjuncts, as nodes.
    goals: Vec<u32>,
    /// By conjunct.
    pub(crate) weights: Vec<u32>,
    values: Vec<Distance>,
    pub(crate) scale: Scale,
}

/// What a term should be.
type Wish = (TermId, bool);

impl Distances {
    pub(crate) fn compile(terms: &Terms, tape: &Tape, assertions: &[TermId]) -> Distances {
        let mut distances = Distances {
            nodes: Vec::new(),
            children: Vec::new(),
            goals: Vec::new(),
            weights: Vec::new(),
            values: Vec::new(),
            scale: Scale::Linear,
        };
        let mut known: BTreeMap<Wish, u32> = BTreeMap::new();
        for wish in conjuncts(terms, assertions) {
            let goal = distances.add(terms, tape, &mut known, wish);
            distances.goals.push(goal);
        }
        distances.weights = vec![1; distances.goals.len()];
        distances.values = vec![0; distances.nodes.len()];
        distances
    }

    /// The node of a wish and of everything it needs; keeps its own stack, as terms may be deep.
    fn add(
        &mut self,
        terms: &Terms,
        tape: &Tape,
        known: &mut BTreeMap<Wish, u32>,
        wish: Wish,
    ) -> u32 {
        let mut stack = vec![(wish, false)];
        while let Some((wish, parts_done)) = stack.pop() {
            if known.contains_key(&wish) {
                continue;
            }
            let parts = parts_of(terms, wish);
            if !parts_done {
                stack.push((wish, true));
                stack.extend(parts.wishes().map(|part| (part, false)));
                continue;
            }
            let node = match parts {
                Parts::Atom => self.push(atom(terms, tape, wish)),
                Parts::Same(part) => known[&part],
                Parts::All(wishes) => {
                    let children: Vec<u32> = wishes.iter().map(|part| known[part]).collect();
                    self.push_sum(&children)
                }
                Parts::Any(options) => {
                    let sums: Vec<u32> = options
                        .iter()
                        .map(|wishes| match wishes.as_slice() {
                            [only] => known[only],
                            several => {
                                let children: Vec<u32> =
                                    several.iter().map(|part| known[part]).collect();
                                self.push_sum(&children)
                            }
                        })
                        .collect();
                    let (start, len) = self.push_children(&sums);
                    self.push(Node::Least { start, len })
                }
            };
            known.insert(wish, node);
        }
        known[&wish]
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes")
    }

    fn push_sum(&mut self, children: &[u32]) -> u32 {
        let (start, len) = self.push_children(children);
        self.push(Node::Sum { start, len })
    }

    fn push_children(&mut self, children: &[u32]) -> (u32, u32) {
        let length = |n: usize| u32::try_from(n).expect("fewer than 2^32 children");
        let start = length(self.children.len());
        self.children.extend_from_slice(children);
        (start, length(children.len()))
    }

    /// The weighted distance of a state from the conjunction; zero means it holds.
    pub(crate) fn measure(&mut self, state: &State) -> u128 {
        for index in 0..self.nodes.len() {
            self.values[index] = self.value_of(self.nodes[index], &state.registers);
        }
        self.goals
            .iter()
            .zip(&self.weights)
            .map(|(&goal, &weight)| self.values[goal as usize] * u128::from(weight))
            .sum()
    }

    pub(crate) fn n_nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(crate) fn n_goals(&self) -> usize {
        self.goals.len()
    }

    /// Makes the conjuncts that do not hold in the state last measured weigh more.
    pub(crate) fn raise_weights(&mut self) {
        for (weight, &goal) in self.weights.iter_mut().zip(&self.goals) {
            if self.values[goal as usize] > 0 {
                *weight = weight.saturating_mul(2).min(1 << 10);
            }
        }
    }

    pub(crate) fn reset_weights(&mut self) {
        self.weights.fill(1);
    }

    /// The float comparisons among the conjuncts that fail, or that must be equalities; then, on
    /// request, those that hold, and how many they are.
    pub(crate) fn active_differences(&self, registers: &[u64], held: Held) -> (Vec<u32>, usize) {
        let (mut active, mut holding) = (Vec::new(), Vec::new());
        for &goal in &self.goals {
            match self.nodes[goal as usize] {
                Node::Float { order: Order::Equal, want: true, .. }
                | Node::SameFloat { want: true, .. } => active.push(goal),
                node @ (Node::Float { .. } | Node::SameFloat { .. }) => {
                    if self.value_of(node, registers) > 0 {
                        active.push(goal);
                    } else if held == Held::Yes {
                        holding.push(goal);
                    }
                }
                Node::Truth { .. }
                | Node::Unsigned { .. }
                | Node::Signed { .. }
                | Node::Sum { .. }
                | Node::Least { .. } => {}
            }
        }
        let n_holding = holding.len();
        active.append(&mut holding);
        (active, n_holding)
    }

    /// The left side minus the right side of these comparisons; `None` unless all are finite.
    pub(crate) fn differences(&self, goals: &[u32], registers: &[u64]) -> Option<Vec<f64>> {
        goals
            .iter()
            .map(|&goal| {
                let (Node::Float { a, b, format, .. } | Node::SameFloat { a, b, format, .. }) =
                    self.nodes[goal as usize]
                else {
                    return None;
                };
                let value =
                    |register: u32| Float::from_bits(registers[register as usize], format).to_f64();
                Some(value(a) - value(b)).filter(|difference| difference.is_finite())
            })
            .collect()
    }

    fn value_of(&self, node: Node, registers: &[u64]) -> Distance {
        let scale = self.scale;
        match node {
            Node::Truth { register, want } => {
                if (registers[register as usize] != 0) == want {
                    0
                } else {
                    scale.truth()
                }
            }
            Node::Float { order, want, a, b, format, infinity } => {
                let width = format.width();
                let (a, b) = (registers[a as usize], registers[b as usize]);
                let sign = 1 << (width - 1);
                if a & !sign > infinity || b & !sign > infinity {
                    // Unordered: every comparison is false.
                    return if want { scale.far() } else { 0 };
                }
                scale.of(missing(order, want, ieee_key(a, sign), ieee_key(b, sign)), width)
            }
            Node::SameFloat { want, a, b, format, infinity } => {
                let width = format.width();
                let (a, b) = (registers[a as usize], registers[b as usize]);
                let sign = 1 << (width - 1);
                if (a & !sign > infinity) != (b & !sign > infinity) {
                    return if want { scale.far() } else { 0 };
                }
                let (a, b) = (total_key(a, sign), total_key(b, sign));
                scale.of(missing(Order::Equal, want, a, b), width)
            }
            Node::Unsigned { order, want, a, b, width } => {
                let key = |register: u32| {
                    // Moved down by 2^63, which keeps the order and the differences.
                    (registers[register as usize] & mask(width)).cast_signed() ^ i64::MIN
                };
                scale.of(missing(order, want, key(a), key(b)), width)
            }
            Node::Signed { order, want, a, b, width } => {
                let key = |register: u32| signed(registers[register as usize], width);
                scale.of(missing(order, want, key(a), key(b)), width)
            }
            Node::Sum { start, len } => {
                let children = &self.children[start as usize..(start + len) as usize];
                children.iter().map(|&child| self.values[child as usize]).sum()
            }
            Node::Least { start, len } => {
                let children = &self.children[start as usize..(start + len) as usize];
                let least = children.iter().map(|&child| self.values[child as usize]).min();
                least.unwrap_or(scale.far())
            }
        }
    }
}

/// By how much a comparison of keys misses its wanted truth value; zero when it has it.
fn missing(order: Order, want: bool, a: i64, b: i64) -> u64 {
    // How far the greater lies above the smaller; both are 64-bit keys, so it fits.
    let gap = a.abs_diff(b);
    let (holds, distance) = match (order, want) {
        (Order::Equal, true) => (a == b, gap),
        (Order::Equal, false) => (a != b, 1),
        // Strict wishes need one more step than the gap.
        (Order::Less, true) => (a < b, gap.saturating_add(1)),
        (Order::Less, false) => (a >= b, gap),
        (Order::LessOrEqual, true) => (a <= b, gap),
        (Order::LessOrEqual, false) => (a > b, gap.saturating_add(1)),
    };
    if holds { 0 } else { distance }
}

/// The position of an encoding among the numbers, both zeros at 0.
fn ieee_key(bits: u64, sign: u64) -> i64 {
    let magnitude = (bits & !sign).cast_signed();
    if bits & sign == 0 { magnitude } else { -magnitude }
}

/// The position of an encoding in the total order, -0 just below +0.
fn total_key(bits: u64, sign: u64) -> i64 {
    let magnitude = (bits & !sign).cast_signed();
    if bits & sign == 0 { magnitude } else { -1 - magnitude }
}

/// The conjuncts of the assertions, conjunctions taken apart.
fn conjuncts(terms: &Terms, assertions: &[TermId]) -> Vec<Wish> {
    let mut found = Vec::new();
    let mut stack: Vec<Wish> = assertions.iter().rev().map(|&term| (term, true)).collect();
    while let Some((term, want)) = stack.pop() {
        match (terms.op(term), want) {
            (Op::Bool(BoolOp::Not), _) => stack.push((terms.arg(term, 0), !want)),
            (Op::Bool(BoolOp::And), true) | (Op::Bool(BoolOp::Or), false) => {
                stack.extend(terms.args(term).iter().rev().map(|&arg| (arg, want)));
            }
            _ => found.push((term, want)),
        }
    }
    found
}

/// How a wish rests on others.
enum Parts {
    /// On none: it has a distance of its own.
    Atom,
    Same(Wish),
    All(Vec<Wish>),
    /// Any one of these sets of wishes.
    Any(Vec<Vec<Wish>>),
}

impl Parts {
    fn wishes(&self) -> Box<dyn Iterator<Item = Wish> + '_> {
        match self {
            Parts::Atom => Box::new(std::iter::empty()),
            Parts::Same(wish) => Box::new(std::iter::once(*wish)),
            Parts::All(wishes) => Box::new(wishes.iter().copied()),
            Parts::Any(options) => Box::new(options.iter().flatten().copied()),
        }
    }
}

fn parts_of(terms: &Terms, (term, want): Wish) -> Parts {
    let args = terms.args(term);
    match terms.op(term) {
        Op::Bool(BoolOp::Not) => Parts::Same((args[0], !want)),
        Op::Bool(BoolOp::And | BoolOp::Or) => {
            let wishes = args.iter().map(|&arg| (arg, want));
            if (terms.op(term) == Op::Bool(BoolOp::And)) == want {
                Parts::All(wishes.collect())
            } else {
                Parts::Any(wishes.map(|wish| vec![wish]).collect())
            }
        }
        Op::Bool(BoolOp::Xor) => equality_parts(args, !want),
        Op::Eq if terms.sort(args[0]) == Sort::Bool => equality_parts(args, want),
        Op::Ite => Parts::Any(vec![
            vec![(args[0], true), (args[1], want)],
            vec![(args[0], false), (args[2], want)],
        ]),
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => Parts::Atom,
        Op::Eq | Op::Bv(_) | Op::Fp(_) | Op::Array(_) => Parts::Atom,
    }
}

fn equality_parts(args: &[TermId], want: bool) -> Parts {
    Parts::Any([true, false].map(|truth| vec![(args[0], truth), (args[1], truth == want)]).to_vec())
}

/// The distance of a boolean term that is no connective.
fn atom(terms: &Terms, tape: &Tape, (term, want): Wish) -> Node {
    let plain = Node::Truth { register: tape.register(term), want };
    let &[left, right] = terms.args(term) else { return plain };
    let (a, b) = (tape.register(left), tape.register(right));
    let float = |order, format| {
        let infinity = Float::infinity(Sign::Positive, format).to_bits();
        Node::Float { order, want, a, b, format, infinity }
    };
    match (terms.sort(left), terms.op(term)) {
        (Sort::Float(format), Op::Eq) => {
            let infinity = Float::infinity(Sign::Positive, format).to_bits();
            Node::SameFloat { want, a, b, format, infinity }
        }
        (Sort::Float(format), Op::Fp(FpOp::Eq)) => float(Order::Equal, format),
        (Sort::Float(format), Op::Fp(FpOp::Lt)) => float(Order::Less, format),
        (Sort::Float(format), Op::Fp(FpOp::Le)) => float(Order::LessOrEqual, format),
        (Sort::Bv(width @ ..=64), Op::Eq) => {
            Node::Signed { order: Order::Equal, want, a, b, width }
        }
        (Sort::Bv(width @ ..=64), Op::Bv(BvOp::Ult)) => {
            Node::Unsigned { order: Order::Less, want, a, b, width }
        }
        (Sort::Bv(width @ ..=64), Op::Bv(BvOp::Ule)) => {
            Node::Unsigned { order: Order::LessOrEqual, want, a, b, width }
        }
        (Sort::Bv(width @ ..=64), Op::Bv(BvOp::Slt)) => {
            Node::Signed { order: Order::Less, want, a, b, width }
        }
        (Sort::Bv(width @ ..=64), Op::Bv(BvOp::Sle)) => {
            Node::Signed { order: Order::LessOrEqual, want, a, b, width }
        }
        // No distance of its own: it holds or it does not.
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_strictly_monotone_for_small_differences_and_monotone_for_all() {
        for difference in 0..10_000_u64 {
            assert!(logarithm(difference) < logarithm(difference + 1));
        }
        for exponent in 4..64 {
            let power = 1_u64 << exponent;
            assert!(
                logarithm(power - 1) < logarithm(power) && logarithm(power) <= logarithm(power + 1)
            );
            assert!(logarithm(power + 1) <= logarithm(power + 7));
        }
        assert!(u128::from(logarithm(u64::MAX)) < Scale::Logarithmic.far());
        assert!(logarithm((1 << 48) - 1) < logarithm(1 << 48));
    }

    #[test]
    fn a_satisfied_comparison_has_distance_zero_and_only_that() {
        for a in -3..=3_i64 {
            for b in -3..=3_i64 {
                for want in [true, false] {
                    let cases = [
                        (Order::Equal, a == b),
                        (Order::Less, a < b),
                        (Order::LessOrEqual, a <= b),
                    ];
                    for (order, truth) in cases {
                        let distance = missing(order, want, a, b);
                        assert_eq!(distance == 0, truth == want, "{order:?} {want} {a} {b}");
                    }
                }
            }
        }
    }
}
