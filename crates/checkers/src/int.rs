//! Integer arithmetic: sums digit by digit, products by shifting and adding, quotients by the
//! equation that defines them.

use glassbox_terms::{BvOp, Op};
use glassbox_values::Bits;

use crate::bit_at;

/// x + y + carry modulo 2^n, digit by digit.
fn add(x: Bits, y: Bits, mut carry: bool) -> Bits {
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

fn flip(x: Bits) -> Bits {
    Bits::new(!x.unsigned(), x.width())
}

fn negate(x: Bits) -> Bits {
    add(flip(x), Bits::new(0, x.width()), true)
}

fn multiply(x: Bits, y: Bits) -> Bits {
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

/// Whether `z = op(x, y)`.
pub fn holds(op: Op, x: Bits, y: Bits, z: Bits) -> Option<bool> {
    let by_zero = y.unsigned() == 0;
    let zero = Bits::new(0, x.width());
    let expected = match op {
        Op::Bv(BvOp::Add) => add(x, y, false),
        Op::Bv(BvOp::Sub) => add(x, flip(y), true),
        Op::Bv(BvOp::Mul) => multiply(x, y),
        Op::Bv(BvOp::Udiv) if by_zero => flip(zero),
        Op::Bv(BvOp::Udiv) => divide(x, y).0,
        Op::Bv(BvOp::Urem | BvOp::Srem | BvOp::Smod) if by_zero => x,
        Op::Bv(BvOp::Urem) => divide(x, y).1,
        Op::Bv(BvOp::Sdiv) if by_zero => {
            if is_negative(x) {
                Bits::new(1, x.width())
            } else {
                flip(zero)
            }
        }
        Op::Bv(BvOp::Sdiv) => {
            let quotient = divide(magnitude(x), magnitude(y)).0;
            if is_negative(x) == is_negative(y) { quotient } else { negate(quotient) }
        }
        Op::Bv(BvOp::Srem) => {
            let rest = divide(magnitude(x), magnitude(y)).1;
            if is_negative(x) { negate(rest) } else { rest }
        }
        Op::Bv(BvOp::Smod) => {
            let rest = divide(magnitude(x), magnitude(y)).1;
            match (is_negative(x), is_negative(y)) {
                _ if rest == zero => rest,
                (false, false) => rest,
                (true, true) => negate(rest),
                (true, false) => add(y, flip(rest), true),
                (false, true) => add(y, rest, false),
            }
        }
        _ => return None,
    };
    Some(z == expected)
}
