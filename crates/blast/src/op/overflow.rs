//! Whether the exact result of an operation does not fit.

use glassbox_values::Signedness;

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::add::{add, add_with_carry};
use crate::op::compare::ult;
use crate::op::equal::is_zero;
use crate::op::mul::mul;
use crate::op::slice::{sign_extend, zero_extend};
use crate::op::sub::sub;

pub(crate) fn add_overflows(
    circuit: &mut Circuit,
    signedness: Signedness,
    a: &[Lit],
    b: &[Lit],
) -> Lit {
    match signedness {
        Signedness::Unsigned => add_with_carry(circuit, a, b, Lit::FALSE).1,
        Signedness::Signed => {
            let top = a.len() - 1;
            let sum = add(circuit, a, b);
            let (above_a, above_b) = (circuit.xor(sum[top], a[top]), circuit.xor(sum[top], b[top]));
            circuit.and(above_a, above_b)
        }
    }
}

pub(crate) fn sub_overflows(
    circuit: &mut Circuit,
    signedness: Signedness,
    a: &[Lit],
    b: &[Lit],
) -> Lit {
    match signedness {
        Signedness::Unsigned => ult(circuit, a, b),
        Signedness::Signed => {
            let top = a.len() - 1;
            let difference = sub(circuit, a, b);
            let (signs_differ, flipped) =
                (circuit.xor(a[top], b[top]), circuit.xor(difference[top], a[top]));
            circuit.and(signs_differ, flipped)
        }
    }
}

/// Only one bit more than the width is multiplied. Two operand bits (of the magnitudes, up to one,
/// when signed) at positions whose sum passes the width overflow by themselves; otherwise the
/// product is below twice the range, and its extra bit decides. After Gok, Schulte and Balzola,
/// "Efficient integer multiplication overflow detection circuits" (Asilomar 2001).
pub(crate) fn mul_overflows(
    circuit: &mut Circuit,
    signedness: Signedness,
    a: &[Lit],
    b: &[Lit],
) -> Lit {
    let width = a.len();
    match signedness {
        Signedness::Unsigned => {
            let (wide_a, wide_b) = (zero_extend(a, width + 1), zero_extend(b, width + 1));
            let product = mul(circuit, &wide_a, &wide_b);
            let large = some_pair_at(circuit, a, b, width);
            circuit.or(large, product[width])
        }
        Signedness::Signed => {
            let (wide_a, wide_b) = (sign_extend(a, width + 1), sign_extend(b, width + 1));
            let product = mul(circuit, &wide_a, &wide_b);
            let top = width - 1;
            let magnitude = |circuit: &mut Circuit, word: &[Lit]| -> Word {
                word[..top].iter().map(|&bit| circuit.xor(bit, word[top])).collect()
            };
            let (low_a, low_b) = (magnitude(circuit, a), magnitude(circuit, b));
            let large = some_pair_at(circuit, &low_a, &low_b, top);
            let out_of_range = circuit.xor(product[width], product[top]);
            circuit.or(large, out_of_range)
        }
    }
}

/// Some `a[i]` and `b[j]` with `i + j >= position` are both set.
fn some_pair_at(circuit: &mut Circuit, a: &[Lit], b: &[Lit], position: usize) -> Lit {
    let mut found = Lit::FALSE;
    let mut a_above = Lit::FALSE;
    for (j, &bit) in b.iter().enumerate() {
        // `a_above` is the disjunction of a[i] for i >= position - j.
        if let Some(&next) = position.checked_sub(j).and_then(|i| a.get(i)) {
            a_above = circuit.or(a_above, next);
        }
        let pair = circuit.and(bit, a_above);
        found = circuit.or(found, pair);
    }
    found
}

/// Only the least signed number has no negation.
pub(crate) fn neg_overflows(circuit: &mut Circuit, a: &[Lit]) -> Lit {
    let top = a.len() - 1;
    let rest_zero = is_zero(circuit, &a[..top]);
    circuit.and(a[top], rest_zero)
}
