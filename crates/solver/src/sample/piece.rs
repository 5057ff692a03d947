//! Boxes that together hold all solutions and do not overlap: by propagation, the largest doubtful one halved first.

use dashu_int::UBig;
use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::domain::float_interval::{float_at, rank_of_infinity};
use glassbox_kernel::{AssertId, BitsDomain, Budget, Domain, FloatInterval};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms, Value, VarId};
use glassbox_values::{Bits, Float, Format, Signedness};

use super::{Source, below};

/// Points that are evaluated one by one where there are no more.
const FEW_POINTS: u64 = 1 << 16;
/// Boxes of one group of variables.
const MAX_PIECES: usize = 512;
/// Propagator runs for all of them.
const STEPS: u64 = 2_000_000;

/// The values of a variable, numbered.
#[derive(Debug, Clone)]
pub(super) enum Side {
    Truth,
    /// Signed numbers.
    Integer(u8),
    /// By rank; NaN comes last, and there is one.
    Float(Format),
}

impl Side {
    pub(super) fn of(sort: Sort) -> Option<Side> {
        match sort {
            Sort::Bool => Some(Side::Truth),
            Sort::Bv(width) => (width <= 64).then_some(Side::Integer(width)),
            Sort::Float(format) => Some(Side::Float(format)),
            Sort::Array { .. } => None,
        }
    }

    pub(super) fn value(&self, index: i128) -> Value {
        match self {
            Side::Truth => Value::Bool(index != 0),
            Side::Integer(width) => Value::Bv(Bits::from_signed(index, *width)),
            Side::Float(format) => Value::Float(match i64::try_from(index) {
                Ok(rank) if rank <= rank_of_infinity(*format) => float_at(rank, *format),
                Ok(_) | Err(_) => Float::nan(*format),
            }),
        }
    }

    /// The numbers of all values.
    fn whole(&self) -> (i128, i128) {
        match self {
            Side::Truth => (0, 1),
            Side::Integer(width) => {
                let half = 1i128 << (width - 1);
                (-half, half - 1)
            }
            Side::Float(format) => {
                let infinity = i128::from(rank_of_infinity(*format));
                (-1 - infinity, infinity + 1)
            }
        }
    }

    fn domain(&self, (low, high): (i128, i128)) -> Option<Domain> {
        match self {
            Side::Truth if low == high => Some(Domain::point(&self.value(low))),
            Side::Truth => Some(Domain::full(Sort::Bool)),
            Side::Integer(width) => Some(Domain::Bits(BitsDomain::from_interval(
                Clockwise::from_integers(low, high, *width),
            ))),
            Side::Float(format) => {
                let infinity = rank_of_infinity(*format);
                let rank = |index: i128| i64::try_from(index).unwrap_or(infinity).min(infinity);
                let has_nan = high > i128::from(infinity);
                if low > i128::from(infinity) {
                    return Some(Domain::Float(FloatInterval::only_nan(*format)));
                }
                let numbers = FloatInterval::from_ranks(rank(low), rank(high), *format)?;
                Some(Domain::Float(if has_nan { numbers.with_nan() } else { numbers }))
            }
        }
    }

    /// The numbers of the values that a domain leaves, at most those of `range`.
    fn range(&self, domain: Option<&Domain>, (low, high): (i128, i128)) -> (i128, i128) {
        let left = match domain {
            Some(Domain::Bits(bits)) => bits.range(Signedness::Signed),
            Some(Domain::Bool(truth)) => match truth.value() {
                Some(value) => (i128::from(value), i128::from(value)),
                None => (0, 1),
            },
            Some(Domain::Float(interval)) => {
                let nan = i128::from(rank_of_infinity(interval.format())) + 1;
                match (interval.ranks(), interval.may_be_nan()) {
                    (Some((low, _)), true) => (i128::from(low), nan),
                    (Some((low, high)), false) => (i128::from(low), i128::from(high)),
                    (None, _) => (nan, nan),
                }
            }
            Some(Domain::Wide(_) | Domain::Opaque) | None => (low, high),
        };
        (low.max(left.0), high.min(left.1))
    }
}

/// A box.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    ranges: Vec<(i128, i128)>,
    volume: UBig,
    /// All of its points are solutions.
    is_certain: bool,
}

impl Piece {
    fn new(ranges: Vec<(i128, i128)>, is_certain: bool) -> Piece {
        let length = |(low, high): &(i128, i128)| UBig::from((high - low).unsigned_abs() + 1);
        let volume = ranges.iter().map(length).fold(UBig::ONE, |product, length| product * length);
        Piece { ranges, volume, is_certain }
    }

    pub(super) fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// A point of it, each with the same chance.
    pub(super) fn point(&self, random: Source<'_>) -> Vec<i128> {
        let draw = |&(low, high): &(i128, i128)| {
            let length = UBig::from((high - low).unsigned_abs() + 1);
            let offset = u128::try_from(below(&length, random)).unwrap_or_default();
            low.wrapping_add_unsigned(offset)
        };
        self.ranges.iter().map(draw).collect()
    }

    /// Halves of it, across its longest side.
    fn halves(&self) -> Option<[Vec<(i128, i128)>; 2]> {
        let sides = self.ranges.iter().enumerate();
        let (longest, &(low, high)) =
            sides.max_by_key(|(position, (low, high))| (high - low, usize::MAX - position))?;
        if low == high {
            return None;
        }
        let middle = low + (high - low) / 2;
        let mut halves = [self.ranges.clone(), self.ranges.clone()];
        halves[0][longest] = (low, middle);
        halves[1][longest] = (middle + 1, high);
        Some(halves)
    }
}

/// Boxes that hold all solutions of a group.
#[derive(Debug)]
pub(super) struct Pieces {
    all: Vec<Piece>,
    /// By position: the points of all boxes up to it.
    sums: Vec<UBig>,
}

impl Pieces {
    pub(super) fn of(
        terms: &mut Terms,
        variables: &[VarId],
        sides: &[Side],
        conditions: &[TermId],
    ) -> Pieces {
        let whole: Vec<(i128, i128)> = sides.iter().map(Side::whole).collect();
        if conditions.is_empty() {
            return Pieces::with_sums(vec![Piece::new(whole, true)]);
        }
        let violated: Vec<TermId> = conditions.iter().map(|&it| terms.not(it)).collect();
        let violated = terms.or(&violated);
        let mut cutter = Cutter {
            terms,
            sides,
            variables: variables.iter().map(|&it| terms.var_term(it)).collect(),
            within: Engine::new(),
            without: Engine::new(),
            budget: Budget::steps(STEPS),
            conditions,
        };
        for (position, &condition) in (0u32..).zip(conditions) {
            cutter.within.assert(cutter.terms, condition, AssertId(position));
        }
        cutter.without.assert(cutter.terms, violated, AssertId(0));
        Pieces::with_sums(cutter.cut(whole, variables))
    }

    fn with_sums(all: Vec<Piece>) -> Pieces {
        let mut sum = UBig::ZERO;
        let sums = all.iter().map(|piece| {
            sum += &piece.volume;
            sum.clone()
        });
        Pieces { sums: sums.collect(), all }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn count(&self) -> super::Count {
        let certain = self.all.iter().filter(|piece| piece.is_certain);
        let low = certain.fold(UBig::ZERO, |sum, piece| sum + &piece.volume);
        let high = self.sums.last().cloned().unwrap_or(UBig::ZERO);
        if low == high { super::Count::Exact(low) } else { super::Count::Between(low, high) }
    }

    /// A box, with a chance as large as it is. There is one.
    pub(super) fn pick(&self, random: Source<'_>) -> &Piece {
        let all = self.sums.last().cloned().unwrap_or(UBig::ONE);
        let drawn = below(&all, random);
        let position = self.sums.partition_point(|sum| *sum <= drawn);
        &self.all[position.min(self.all.len() - 1)]
    }
}

struct Cutter<'a> {
    terms: &'a Terms,
    sides: &'a [Side],
    variables: Vec<TermId>,
    /// All conditions hold.
    within: Engine,
    /// One of them does not.
    without: Engine,
    budget: Budget,
    conditions: &'a [TermId],
}

impl Cutter<'_> {
    fn cut(&mut self, whole: Vec<(i128, i128)>, variables: &[VarId]) -> Vec<Piece> {
        let Some(first) = self.look(whole) else { return Vec::new() };
        if first.is_certain {
            return vec![first];
        }
        if first.volume <= UBig::from(FEW_POINTS) {
            return self.points(&first, variables);
        }
        let (mut done, mut doubtful) = (Vec::new(), vec![first]);
        while let Some(position) = largest(&doubtful) {
            if done.len() + doubtful.len() >= MAX_PIECES || self.budget.is_spent() {
                break;
            }
            let piece = doubtful.swap_remove(position);
            let Some(halves) = piece.halves() else {
                done.extend(self.points(&piece, variables));
                continue;
            };
            for half in halves {
                match self.look(half) {
                    None => {}
                    Some(piece) if piece.is_certain => done.push(piece),
                    Some(piece) => doubtful.push(piece),
                }
            }
        }
        // What is small is counted, as far as that is not too much in all.
        let mut rest = FEW_POINTS;
        doubtful.sort_by(|a, b| (&a.volume, &a.ranges).cmp(&(&b.volume, &b.ranges)));
        for piece in doubtful {
            match u64::try_from(&piece.volume) {
                Ok(volume) if volume <= rest => {
                    rest -= volume;
                    done.extend(self.points(&piece, variables));
                }
                Ok(_) | Err(_) => done.push(piece),
            }
        }
        done
    }

    /// What propagation leaves of a box; `None` where that is nothing.
    fn look(&mut self, ranges: Vec<(i128, i128)>) -> Option<Piece> {
        let mut left = ranges;
        self.within.push();
        let alive = narrowed(&mut self.within, (self.terms, self.sides), &self.variables, &left);
        let is_alive =
            alive && !matches!(self.within.propagate(&mut self.budget), Propagation::Conflict(_));
        if is_alive {
            for ((side, &variable), range) in self.sides.iter().zip(&self.variables).zip(&mut left)
            {
                *range = side.range(self.within.domain(variable), *range);
            }
        }
        self.within.pop();
        let is_empty = left.iter().any(|(low, high)| low > high);
        if !is_alive || is_empty {
            return None;
        }
        self.without.push();
        let alive = narrowed(&mut self.without, (self.terms, self.sides), &self.variables, &left);
        let is_certain =
            !alive || matches!(self.without.propagate(&mut self.budget), Propagation::Conflict(_));
        self.without.pop();
        Some(Piece::new(left, is_certain))
    }

    /// The solutions of a box, one by one.
    fn points(&self, piece: &Piece, variables: &[VarId]) -> Vec<Piece> {
        let mut found = Vec::new();
        let mut evaluator = Evaluator::new();
        let mut model = Model::new();
        let mut point: Vec<i128> = piece.ranges.iter().map(|(low, _)| *low).collect();
        loop {
            for ((&variable, side), &index) in variables.iter().zip(self.sides).zip(&point) {
                model.set(variable, side.value(index));
            }
            if evaluator.under(self.terms, &model).all_hold(self.conditions) {
                let ranges = point.iter().map(|&index| (index, index)).collect();
                found.push(Piece::new(ranges, true));
            }
            let mut position = 0;
            loop {
                let Some((index, (low, high))) =
                    point.get_mut(position).zip(piece.ranges.get(position))
                else {
                    return found;
                };
                if *index < *high {
                    *index += 1;
                    break;
                }
                *index = *low;
                position += 1;
            }
        }
    }
}

/// Confines the variables of an engine; false where that leaves nothing.
fn narrowed(
    engine: &mut Engine,
    (terms, sides): (&Terms, &[Side]),
    variables: &[TermId],
    ranges: &[(i128, i128)],
) -> bool {
    sides.iter().zip(variables).zip(ranges).all(|((side, &variable), &range)| {
        // A range that is not a domain narrows nothing.
        side.domain(range).is_none_or(|domain| engine.narrow(terms, variable, &domain, &[]))
    })
}

fn largest(pieces: &[Piece]) -> Option<usize> {
    let all = pieces.iter().enumerate();
    all.max_by(|(_, a), (_, b)| (&a.volume, &a.ranges).cmp(&(&b.volume, &b.ranges)))
        .map(|(position, _)| position)
}
