//! Integer arithmetic: sums digit by digit, products by shifting and adding, quotients by the
//! equation that defines them.

use glassbox_values::Bits;

use crate::bit_at;

/// x + y + carry modulo 2^n, digit by digit.
pub(crate) fn add(x: Bits, y: Bits, mut carry: bool) -> Bits {
    let mut sum = 0u128;
    for position in 0..x.width() {
        let digits = [bit_at(x, position), bit_at(y, position), carry];
        let count = digits.iter().filter(|&&digit| digit).count();
        if count % 2 == 1 {
            sum |= 1 << position;
        }
        carry = count >= 2;
    }
    Bits::new(sum, x.width())
}

pub(crate) fn flip(x: Bits) -> Bits {
    Bits::new(!x.unsigned(), x.width())
}

fn negate(x: Bits) -> Bits {
    add(flip(x), Bits::new(0, x.width()), true)
}

pub(crate) fn multiply(x: Bits, y: Bits) -> Bits {
    let mut product = Bits::new(0, x.width());
    for position in 0..x.width() {
        if bit_at(y, position) {
            product = add(product, Bits::new(x.unsigned() << position, x.width()), false);
        }
    }
    product
}

fn is_negative(x: Bits) -> bool {
    bit_at(x, x.width() - 1)
}

fn magnitude(x: Bits) -> Bits {
    if is_negative(x) { negate(x) } else { x }
}

/// Quotient and remainder of magnitudes by long division; the divisor is not zero.
fn divide(x: Bits, y: Bits) -> (Bits, Bits) {
    let (mut quotient, mut rest) = (0u128, 0u128);
    for position in (0..x.width()).rev() {
        // The rest stays below the divisor; its top bit may fall out of 128 bits when doubled.
        let falls_out = rest >> 127 == 1;
        rest = rest << 1 | u128::from(bit_at(x, position));
        if falls_out || rest >= y.unsigned() {
            rest = rest.wrapping_sub(y.unsigned());
            quotient |= 1 << position;
        }
    }
    (Bits::new(quotient, x.width()), Bits::new(rest, x.width()))
}

/// Whether `z = -x`: x + z is zero or 2^n.
pub(crate) fn is_negation(x: Bits, z: Bits) -> bool {
    let turn_minus_one = u128::MAX >> (128 - x.width());
    if x.unsigned() == 0 {
        z.unsigned() == 0
    } else {
        z.unsigned() == turn_minus_one - x.unsigned() + 1
    }
}

pub(crate) fn unsigned_quotient(x: Bits, y: Bits) -> Bits {
    if y.unsigned() == 0 { flip(Bits::new(0, x.width())) } else { divide(x, y).0 }
}

pub(crate) fn unsigned_remainder(x: Bits, y: Bits) -> Bits {
    if y.unsigned() == 0 { x } else { divide(x, y).1 }
}

pub(crate) fn signed_quotient(x: Bits, y: Bits) -> Bits {
    if y.unsigned() == 0 {
        return if is_negative(x) {
            Bits::new(1, x.width())
        } else {
            flip(Bits::new(0, x.width()))
        };
    }
    let quotient = divide(magnitude(x), magnitude(y)).0;
    if is_negative(x) == is_negative(y) { quotient } else { negate(quotient) }
}

/// The remainder with the sign of the dividend.
pub(crate) fn signed_remainder(x: Bits, y: Bits) -> Bits {
    if y.unsigned() == 0 {
        return x;
    }
    let rest = divide(magnitude(x), magnitude(y)).1;
    if is_negative(x) { negate(rest) } else { rest }
}

/// The remainder with the sign of the divisor.
pub(crate) fn signed_modulus(x: Bits, y: Bits) -> Bits {
    if y.unsigned() == 0 {
        return x;
    }
    let rest = divide(magnitude(x), magnitude(y)).1;
    match (is_negative(x), is_negative(y)) {
        _ if rest.unsigned() == 0 => rest,
        (false, false) => rest,
        (true, true) => negate(rest),
        (true, false) => add(y, flip(rest), true),
        (false, true) => add(y, rest, false),
    }
}
