//! Overflow predicates: whether the exact result fits, compared without ever leaving 128 bits.

use glassbox_values::{Bits, Signedness};

/// Whether `x + y` does not fit.
pub(crate) fn of_sum(signedness: Signedness, x: Bits, y: Bits) -> bool {
    let (least, greatest) = signed_bounds(x);
    match signedness {
        Signedness::Unsigned => y.unsigned() > greatest_unsigned(x) - x.unsigned(),
        Signedness::Signed if y.signed() >= 0 => x.signed() > greatest - y.signed(),
        Signedness::Signed => x.signed() < least - y.signed(),
    }
}

/// Whether `x - y` does not fit.
pub(crate) fn of_difference(signedness: Signedness, x: Bits, y: Bits) -> bool {
    let (least, greatest) = signed_bounds(x);
    match signedness {
        Signedness::Unsigned => x.unsigned() < y.unsigned(),
        Signedness::Signed if y.signed() >= 0 => x.signed() < least + y.signed(),
        Signedness::Signed => x.signed() > greatest + y.signed(),
    }
}

/// Whether `x * y` does not fit.
pub(crate) fn of_product(signedness: Signedness, x: Bits, y: Bits) -> bool {
    let (x, y, room) = match signedness {
        Signedness::Unsigned => (x.unsigned(), y.unsigned(), greatest_unsigned(x)),
        Signedness::Signed => {
            let (least, greatest) = signed_bounds(x);
            let is_negative = (x.signed() < 0) != (y.signed() < 0);
            let room = if is_negative { least } else { greatest };
            (x.signed().unsigned_abs(), y.signed().unsigned_abs(), room.unsigned_abs())
        }
    };
    y != 0 && x > room / y
}

fn greatest_unsigned(x: Bits) -> u128 {
    u128::MAX >> (128 - x.width())
}

fn signed_bounds(x: Bits) -> (i128, i128) {
    let greatest = i128::MAX >> (128 - x.width());
    (-greatest - 1, greatest)
}
