//! Starting points: values worth trying for each input.
//!
//! Constants of the terms and their neighbors come first, then round numbers and corner values; random
//! starts mix those with numbers of moderate size, numbers inside the ranges that plain comparisons
//! give, and arbitrary encodings.

use glassbox_terms::{BoolOp, FpOp, Op, Sort, TermId, Terms, Value};
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use crate::native::mask;
use crate::random::Random;
use crate::register::encode;
use crate::tape::{Input, Tape};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// At most this many constants of the terms are looked at.
const MAX_CONSTANTS: usize = 48;

/// Round and corner numbers for floats.
const ROUND_NUMBERS: [f64; 14] =
    [0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 10.0, -10.0, 100.0, 1000.0, 1.0e6, -1.0e6, 1.0e-3];

/// What is worth trying for the inputs of a tape.
#[derive(Debug)]
pub(crate) struct Palette {
    // By input: register values, most promising first, without repetition.
    values: Vec<Vec<u64>>,
    // By input: the range that plain comparisons with constants leave, for floats.
    ranges: Vec<Option<(f64, f64)>>,
}

/// The constants of the terms, as numbers; integers are read both ways.
#[derive(Debug, Default)]
struct Constants {
    floats: Vec<f64>,
    integers: Vec<i128>,
}

impl Palette {
    pub(crate) fn new(terms: &Terms, tape: &Tape, assertions: &[TermId]) -> Palette {
        let constants = constants_of(terms, assertions);
        let values = tape.inputs.iter().map(|input| values_for(input, &constants)).collect();
        let ranges = tape.inputs.iter().map(|input| range_of(terms, input, assertions)).collect();
        Palette { values, ranges }
    }

    /// The register values worth trying for an input, most promising first.
    pub(crate) fn values(&self, input: usize) -> &[u64] {
        &self.values[input]
    }

    /// A random register value for an input.
    pub(crate) fn draw(&self, index: usize, input: &Input, random: &mut Random) -> u64 {
        let palette = &self.values[index];
        if !palette.is_empty() && random.below(3) == 0 {
            // The front of the palette is tried most.
            let reach = 1 + random.below(palette.len());
            return palette[random.below(reach)];
        }
        match input.sort {
            Sort::Bool => random.next() & 1,
            Sort::Bv(width) => draw_integer(width, random),
            Sort::Float(format) => self.draw_float(index, format, random),
            Sort::Array { .. } => 0,
        }
    }

    fn draw_float(&self, index: usize, format: Format, random: &mut Random) -> u64 {
        let unit = |random: &mut Random| random.next() as f64 / 2_f64.powi(64);
        if let Some((lo, hi)) = self.ranges[index]
            && random.below(3) != 0
        {
            let value = if lo.is_finite() && hi.is_finite() {
                lo + (hi - lo) * unit(random)
            } else {
                // A half line: near its end on every scale.
                let (end, direction) = if lo.is_finite() { (lo, 1.0) } else { (hi, -1.0) };
                let exponent = i32::try_from(random.below(30)).unwrap_or(0) - 14;
                end + direction * (1.0 + end.abs()) * 2_f64.powi(exponent) * (1.0 + unit(random))
            };
            return float_bits(value, format);
        }
        if random.below(4) == 0 {
            return Float::from_bits(random.next(), format).to_bits();
        }
        let exponent = i32::try_from(random.below(40)).unwrap_or(0) - 16;
        let magnitude = 2_f64.powi(exponent) * (1.0 + unit(random));
        let whole = if random.below(3) == 0 { magnitude.round() } else { magnitude };
        float_bits(if random.below(2) == 0 { whole } else { -whole }, format)
    }
}

fn draw_integer(width: u8, random: &mut Random) -> u64 {
    let small = random.next() >> 32 & 0xff;
    let value = match random.below(4) {
        0 => small,
        1 => small.wrapping_neg(),
        _ => {
            let shift = random.next() & 63;
            let value = random.next() >> shift;
            if random.below(2) == 0 { value } else { value.wrapping_neg() }
        }
    };
    value & mask(width)
}

fn float_bits(value: f64, format: Format) -> u64 {
    Float::from_f64(value).convert(format, NEAREST).to_bits()
}

fn constants_of(terms: &Terms, assertions: &[TermId]) -> Constants {
    let mut constants = Constants::default();
    // From the end: constants of comparisons tend to come after those of the computation.
    for term in terms.subterms(assertions).into_iter().rev() {
        if let Some(float) = terms.as_float_const(term)
            && constants.floats.len() < MAX_CONSTANTS
        {
            constants.floats.push(float.to_f64());
        }
        if let Some(bits) = terms.as_bv_const(term)
            && constants.integers.len() < MAX_CONSTANTS
        {
            constants.integers.push(bits.signed());
            constants.integers.extend(i128::try_from(bits.unsigned()));
        }
    }
    constants
}

fn values_for(input: &Input, constants: &Constants) -> Vec<u64> {
    let mut values = Vec::new();
    let mut add = |bits: u64| {
        if !values.contains(&bits) {
            values.push(bits);
        }
    };
    match input.sort {
        Sort::Bool => [0, 1].into_iter().for_each(&mut add),
        Sort::Bv(width) => {
            let whole = constants.floats.iter().filter(|c| c.abs() < 1e18).map(|c| *c as i128);
            let known: Vec<i128> = constants.integers.iter().copied().chain(whole).collect();
            for offset in [0, 1, -1] {
                for &constant in &known {
                    add(integer_bits(constant + offset, width));
                    add(integer_bits(-(constant + offset), width));
                }
            }
            for corner in [Bits::zero(width), Bits::one(width), Bits::ones(width)] {
                add(integer_bits(corner.signed(), width));
            }
            add(integer_bits(Bits::min_signed(width).signed(), width));
            add(integer_bits(Bits::max_signed(width).signed(), width));
        }
        Sort::Float(format) => {
            let integers = constants.integers.iter().map(|&constant| {
                Float::from_int(
                    Bits::from_signed(constant, 128),
                    Signedness::Signed,
                    format,
                    NEAREST,
                )
                .to_f64()
            });
            let known: Vec<f64> = constants.floats.iter().copied().chain(integers).collect();
            for &c in &known {
                let float = Float::from_f64(c).convert(format, NEAREST);
                [float, float.next_up(), float.next_down(), float.neg()]
                    .map(Float::to_bits)
                    .into_iter()
                    .for_each(&mut add);
            }
            for &c in &known {
                for derived in [c + 1.0, c - 1.0, c * c, c.abs().sqrt(), 2.0 * c, 0.5 * c] {
                    add(float_bits(derived, format));
                }
            }
            for number in ROUND_NUMBERS {
                add(float_bits(number, format));
            }
            for corner in [-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                add(float_bits(corner, format));
            }
            add(Float::min_subnormal(glassbox_values::Sign::Positive, format).to_bits());
            add(Float::max_finite(glassbox_values::Sign::Positive, format).to_bits());
        }
        Sort::Array { .. } => {}
    }
    values
}

fn integer_bits(value: i128, width: u8) -> u64 {
    encode(&Value::Bv(Bits::from_signed(value, width))).unwrap_or(0)
}

/// The range that conjuncts `x < c` and the like leave for a float input, if they bound it.
fn range_of(terms: &Terms, input: &Input, assertions: &[TermId]) -> Option<(f64, f64)> {
    let variable = terms.var_term(input.var);
    let constant = |term: TermId| terms.as_float_const(term).map(Float::to_f64);
    let (mut lo, mut hi) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut stack: Vec<(TermId, bool)> = assertions.iter().map(|&term| (term, true)).collect();
    while let Some((term, want)) = stack.pop() {
        match (terms.op(term), want) {
            (Op::Bool(BoolOp::Not), _) => stack.push((terms.arg(term, 0), !want)),
            (Op::Bool(BoolOp::And), true) | (Op::Bool(BoolOp::Or), false) => {
                stack.extend(terms.args(term).iter().map(|&arg| (arg, want)));
            }
            (Op::Fp(FpOp::Lt | FpOp::Le), _) => {
                let (left, right) = (terms.arg(term, 0), terms.arg(term, 1));
                let (below, above) = if want { (left, right) } else { (right, left) };
                if below == variable
                    && let Some(c) = constant(above)
                {
                    hi = hi.min(c);
                }
                if above == variable
                    && let Some(c) = constant(below)
                {
                    lo = lo.max(c);
                }
            }
            _ => {}
        }
    }
    (lo.is_finite() || hi.is_finite()).then_some((lo, hi))
}
