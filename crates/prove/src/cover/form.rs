//! Enclosures of floats over a box of inputs: a range, and a line with slopes around the box's middle.
//!
//! For every input `x` in the box with middle `c`, the computed float is some `b + s·(x - c)` with `b` in `base` and
//! `s` in `slopes`, and it lies in `range`. Slopes (Krawczyk and Neumaier, SIAM J. Numer. Anal. 22, 1985) make the
//! excess shrink with the square of the box, so that chains of operations on one input stay tight where plain
//! intervals lose it. Rounding errors widen `base`: a computed result is the exact one within half a unit
//! in the last place.

use glassbox_ir::instr::FloatCompareOp;
use glassbox_relax::polynomial::Interval;
use glassbox_values::Format;

/// Float inputs that a box has sides for.
pub(super) const MAX_SIDES: usize = 3;

/// What is known of a float.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Enclosure {
    /// A finite number.
    Number(Form),
    Nan,
    Infinity {
        is_negative: bool,
    },
    Anything,
}

/// A finite number over a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    range: Interval,
    base: Interval,
    slopes: [Interval; MAX_SIDES],
}

/// A box as seen from its middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offsets(pub(super) [Interval; MAX_SIDES]);

fn magnitude(interval: Interval) -> f64 {
    interval.lo().abs().max(interval.hi().abs())
}

fn around_zero(size: f64) -> Option<Interval> {
    Interval::new(-size, size)
}

/// A slope times a number; most slopes are zero, because most inputs do not matter to most values.
fn scaled(slope: Interval, by: Interval) -> Interval {
    if slope == Interval::ZERO { Interval::ZERO } else { slope.times(by) }
}

/// The largest finite number of a format, and its unit of rounding and smallest positive number.
fn limits(format: Format) -> Option<(f64, f64, f64)> {
    if format == Format::F64 {
        Some((f64::MAX, f64::EPSILON / 2.0, f64::from_bits(1)))
    } else if format == Format::F32 {
        let smallest = f64::from(f32::from_bits(1));
        Some((f64::from(f32::MAX), f64::from(f32::EPSILON) / 2.0, smallest))
    } else {
        None
    }
}

impl Form {
    /// A number that does not depend on the box.
    pub(super) fn constant(range: Interval) -> Form {
        Form { range, base: range, slopes: [Interval::ZERO; MAX_SIDES] }
    }

    /// The input of a side.
    pub(super) fn input(side: usize, range: Interval, middle: f64) -> Form {
        let mut slopes = [Interval::ZERO; MAX_SIDES];
        slopes[side] = Interval::point(1.0);
        Form { range, base: Interval::point(middle), slopes }
    }

    /// The values of `base + slopes · offsets`.
    fn line(base: Interval, slopes: &[Interval; MAX_SIDES], offsets: &Offsets) -> Interval {
        let sides = slopes.iter().zip(&offsets.0);
        sides
            .filter(|(slope, _)| **slope != Interval::ZERO)
            .fold(base, |sum, (slope, offset)| sum.plus(slope.times(*offset)))
    }

    /// The form after rounding to a format; `None` if it may overflow.
    fn rounded(self, format: Format, offsets: &Offsets) -> Option<Form> {
        let (largest, unit, smallest) = limits(format)?;
        let range = self.range.intersect(Form::line(self.base, &self.slopes, offsets))?;
        let noise = around_zero((magnitude(range) * unit).next_up() + smallest)?;
        let range = range.plus(noise);
        // Strictly inside, so that rounding cannot reach infinity.
        if magnitude(range) >= largest {
            return None;
        }
        Some(Form { range, base: self.base.plus(noise), slopes: self.slopes })
    }

    fn zip(
        &self,
        other: &Form,
        f: impl Fn(Interval, Interval) -> Interval,
    ) -> [Interval; MAX_SIDES] {
        std::array::from_fn(|side| f(self.slopes[side], other.slopes[side]))
    }

    fn negated(&self) -> Form {
        Form {
            range: self.range.negated(),
            base: self.base.negated(),
            slopes: self.slopes.map(Interval::negated),
        }
    }

    /// Exact, before rounding.
    fn plus(&self, other: &Form) -> Form {
        Form {
            range: self.range.plus(other.range),
            base: self.base.plus(other.base),
            slopes: self.zip(other, Interval::plus),
        }
    }

    fn minus(&self, other: &Form) -> Form {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Form) -> Form {
        Form {
            range: self.range.times(other.range),
            base: self.base.times(other.base),
            slopes: self.zip(other, |mine, others| {
                scaled(mine, other.range).plus(scaled(others, self.base))
            }),
        }
    }

    fn divided(&self, other: &Form) -> Option<Form> {
        let base = self.base.divide(other.base)?;
        let mut slopes = [Interval::ZERO; MAX_SIDES];
        for (side, slope) in slopes.iter_mut().enumerate() {
            let rest = self.slopes[side].minus(scaled(other.slopes[side], base));
            if rest != Interval::ZERO {
                *slope = rest.divide(other.range)?;
            }
        }
        Some(Form { range: self.range.divide(other.range)?, base, slopes })
    }

    /// Where the difference to another number lies, exactly.
    fn difference(&self, other: &Form, offsets: &Offsets) -> Interval {
        let exact = self.minus(other);
        let line = Form::line(exact.base, &exact.slopes, offsets);
        exact.range.intersect(line).unwrap_or(exact.range)
    }
}

/// A two-place operation on floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

/// An infinity with a finite number on its right.
fn infinite(op: Arithmetic, is_negative: bool, other: &Form) -> Enclosure {
    match op {
        Arithmetic::Add | Arithmetic::Sub => Enclosure::Infinity { is_negative },
        Arithmetic::Mul | Arithmetic::Div if other.range.lo() > 0.0 => {
            Enclosure::Infinity { is_negative }
        }
        Arithmetic::Mul | Arithmetic::Div if other.range.hi() < 0.0 => {
            Enclosure::Infinity { is_negative: !is_negative }
        }
        Arithmetic::Mul | Arithmetic::Div => Enclosure::Anything,
    }
}

impl Enclosure {
    pub(super) fn point(value: f64) -> Enclosure {
        if value.is_nan() {
            Enclosure::Nan
        } else if value.is_infinite() {
            Enclosure::Infinity { is_negative: value < 0.0 }
        } else {
            Enclosure::Number(Form::constant(Interval::point(value)))
        }
    }

    pub(super) fn compute(
        op: Arithmetic,
        a: &Enclosure,
        b: &Enclosure,
        format: Format,
        offsets: &Offsets,
    ) -> Enclosure {
        let (a, b) = match (a, b) {
            (Enclosure::Nan, _) | (_, Enclosure::Nan) => return Enclosure::Nan,
            (Enclosure::Number(a), Enclosure::Number(b)) => (a, b),
            (Enclosure::Infinity { is_negative }, Enclosure::Number(b)) => {
                return infinite(op, *is_negative, b);
            }
            _ => return Enclosure::Anything,
        };
        let exact = match op {
            Arithmetic::Add => Some(a.plus(b)),
            Arithmetic::Sub => Some(a.minus(b)),
            Arithmetic::Mul => Some(a.times(b)),
            Arithmetic::Div => a.divided(b),
        };
        let rounded = exact.and_then(|form| form.rounded(format, offsets));
        rounded.map_or(Enclosure::Anything, Enclosure::Number)
    }

    pub(super) fn negated(&self) -> Enclosure {
        match self {
            Enclosure::Number(form) => Enclosure::Number(form.negated()),
            Enclosure::Nan => Enclosure::Nan,
            Enclosure::Infinity { is_negative } => {
                Enclosure::Infinity { is_negative: !is_negative }
            }
            Enclosure::Anything => Enclosure::Anything,
        }
    }

    pub(super) fn magnitude(&self) -> Enclosure {
        match self {
            Enclosure::Number(form) if form.range.lo() >= 0.0 => *self,
            Enclosure::Number(form) if form.range.hi() <= 0.0 => self.negated(),
            Enclosure::Number(form) => match Interval::new(0.0, magnitude(form.range)) {
                Some(range) => Enclosure::Number(Form::constant(range)),
                None => Enclosure::Anything,
            },
            Enclosure::Nan => Enclosure::Nan,
            Enclosure::Infinity { .. } => Enclosure::Infinity { is_negative: false },
            Enclosure::Anything => Enclosure::Anything,
        }
    }

    /// In another format.
    pub(super) fn converted(&self, format: Format, offsets: &Offsets) -> Enclosure {
        match self {
            Enclosure::Number(form) => {
                form.rounded(format, offsets).map_or(Enclosure::Anything, Enclosure::Number)
            }
            Enclosure::Nan | Enclosure::Infinity { .. } | Enclosure::Anything => *self,
        }
    }

    /// The integer that the number is cut to, if it is one over the whole box.
    pub(super) fn cut_to_integer(&self) -> Option<i128> {
        let Enclosure::Number(form) = self else { return None };
        let (lo, hi) = (form.range.lo().trunc(), form.range.hi().trunc());
        (lo == hi && lo.abs() < 1e18).then_some(lo as i128)
    }

    /// The comparison, if it has one value over the whole box.
    pub(super) fn compare(
        op: FloatCompareOp,
        a: &Enclosure,
        b: &Enclosure,
        offsets: &Offsets,
    ) -> Option<bool> {
        let difference = match (a, b) {
            (Enclosure::Nan, _) | (_, Enclosure::Nan) => {
                return Some(op == FloatCompareOp::Ne);
            }
            (Enclosure::Number(a), Enclosure::Number(b)) => a.difference(b, offsets),
            (Enclosure::Infinity { is_negative }, Enclosure::Number(_)) => {
                Interval::point(if *is_negative { -1.0 } else { 1.0 })
            }
            (Enclosure::Number(_), Enclosure::Infinity { is_negative }) => {
                Interval::point(if *is_negative { 1.0 } else { -1.0 })
            }
            _ => return None,
        };
        let (lo, hi) = (difference.lo(), difference.hi());
        match op {
            FloatCompareOp::Lt if hi < 0.0 => Some(true),
            FloatCompareOp::Lt if lo >= 0.0 => Some(false),
            FloatCompareOp::Le if hi <= 0.0 => Some(true),
            FloatCompareOp::Le if lo > 0.0 => Some(false),
            FloatCompareOp::Eq | FloatCompareOp::Ne if lo > 0.0 || hi < 0.0 => {
                Some(op == FloatCompareOp::Ne)
            }
            FloatCompareOp::Eq | FloatCompareOp::Ne if lo == 0.0 && hi == 0.0 => {
                Some(op == FloatCompareOp::Eq)
            }
            FloatCompareOp::Lt | FloatCompareOp::Le | FloatCompareOp::Eq | FloatCompareOp::Ne => {
                None
            }
        }
    }
}
