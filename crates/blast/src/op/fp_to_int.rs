//! From floats to integers; NaN, infinities and what does not fit give zero.

use glassbox_values::{Format, RoundingMode, Signedness};

use crate::circuit::Circuit;
use crate::float::number::unpack;
use crate::float::round::rounds_up;
use crate::lit::{Lit, Word};
use crate::op::add::increment_if;
use crate::op::bitwise::and_bit;
use crate::op::neg::neg_if;
use crate::op::shift::shl;
use crate::op::slice::zero_extend;

pub(crate) fn fp_to_int(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    signedness: Signedness,
    width: usize,
    a: &[Lit],
) -> Word {
    let number = unpack(circuit, format, a);
    let p = number.significand.len();
    let limit = i32::try_from(width).expect("widths are at most 128");
    // Below one half only the sticky bit is left; at 2^width and beyond nothing fits.
    let tiny = number.exponent.less_than(circuit, -1);
    let huge = !number.exponent.less_than(circuit, limit);

    // The point stands above the significand; shifting by exponent + 1 puts it in place.
    let start = zero_extend(&number.significand, p + width);
    let amount = number.exponent.add_constant(circuit, 1);
    let fixed = shl(circuit, &start, &amount.word);
    let fixed = and_bit(circuit, &fixed, !tiny);
    let lost = circuit.or_all(&fixed[..p - 1]);
    let sticky = circuit.or(lost, tiny);
    let up = rounds_up(circuit, mode, number.sign, fixed[p], fixed[p - 1], sticky);
    let (whole, carry) = increment_if(circuit, &fixed[p..], up);

    let fits = match signedness {
        Signedness::Unsigned => {
            let nonzero = circuit.or_all(&whole);
            let below_zero = circuit.and(number.sign, nonzero);
            circuit.and(!carry, !below_zero)
        }
        Signedness::Signed => {
            let top = whole[width - 1];
            let rest = circuit.or_all(&whole[..width - 1]);
            let at_most_min = circuit.and(number.sign, !rest);
            let small = circuit.or(!top, at_most_min);
            circuit.and(!carry, small)
        }
    };
    let value = neg_if(circuit, number.sign, &whole);
    let valid = circuit.and_all(&[!number.nan, !number.infinite, !huge, fits, !number.zero]);
    and_bit(circuit, &value, valid)
}
