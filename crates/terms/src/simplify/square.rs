//! `x * x = c` modulo 2^n, solved: the low bits of x are one of at most two values.
//!
//! With c = 4^k * m and m odd, x = 2^k * y with y odd and y * y = m modulo 2^e, e = n - 2k. For e <= 2 every
//! odd y will do if m is 1 modulo 2^e. Otherwise m must be 1 modulo 8, and y is r or -r modulo 2^(e-1) for
//! one root r, found bit by bit.

use glassbox_values::Bits;

use super::equality::eq_constant;
use crate::intern::{TermId, Terms};

/// `x * x = constant` as equations of the low bits of `x`.
pub(super) fn eq_square(terms: &mut Terms, x: TermId, constant: Bits) -> TermId {
    let width = constant.width();
    if constant.is_zero() {
        return eq_low(terms, x, width.div_ceil(2), 0);
    }
    let twos = constant.trailing_zeros();
    if !twos.is_multiple_of(2) {
        return terms.bool_const(false);
    }
    let (half, odd) = (twos / 2, constant.unsigned() >> twos);
    let left = width - twos;
    if odd & low_bits(left.min(3)) != 1 {
        return terms.bool_const(false);
    }
    if left <= 2 {
        return eq_low(terms, x, half + 1, 1 << half);
    }
    let root = root_of(odd, left);
    let n_known = half + left - 1;
    let (one, other) = (root << half, root.wrapping_neg() << half);
    let first = eq_low(terms, x, n_known, one);
    let second = eq_low(terms, x, n_known, other);
    terms.or(&[first, second])
}

/// A number whose square is `odd`, which is 1 modulo 8, modulo 2^width.
fn root_of(odd: u128, width: u8) -> u128 {
    let mut root: u128 = 1;
    // The square agrees with `odd` below bit `next`; bit `next - 1` of the root decides bit `next`.
    for next in 3..width {
        let difference = root.wrapping_mul(root) ^ odd;
        if difference >> next & 1 == 1 {
            root |= 1 << (next - 1);
        }
    }
    root
}

fn eq_low(terms: &mut Terms, x: TermId, n_bits: u8, value: u128) -> TermId {
    let low = terms.bv_extract(n_bits - 1, 0, x);
    eq_constant(terms, low, Bits::new(value & low_bits(n_bits), n_bits))
}

fn low_bits(n: u8) -> u128 {
    u128::MAX >> (128 - n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::model::Model;
    use crate::sort::Sort;
    use crate::value::Value;

    #[test]
    fn every_square_equation_up_to_8_bits() {
        for width in 1..=8 {
            let mut terms = Terms::new();
            let x = terms.fresh_var("x", Sort::Bv(width));
            let var = terms.as_var(x).expect("a variable");
            for constant in 0..1_u128 << width {
                let constant = Bits::new(constant, width);
                let solved = eq_square(&mut terms, x, constant);
                for value in 0..1_u128 << width {
                    let value = Bits::new(value, width);
                    let mut model = Model::new();
                    model.set(var, Value::Bv(value));
                    let truth = Evaluator::new().under(&terms, &model).truth(solved);
                    assert_eq!(truth, value.mul(value) == constant, "{value:?} {constant:?}");
                }
            }
        }
    }

    #[test]
    fn the_builder_solves_square_equations() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let square = terms.bv_mul(x, x);
        let nine = terms.bv_u(9, 32);
        let solved = terms.eq(square, nine);
        assert_eq!(terms.op(solved), crate::op::Op::Bool(crate::op::BoolOp::Or));
        let eight = terms.bv_u(8, 32);
        let never = terms.eq(square, eight);
        assert_eq!(terms.as_bool_const(never), Some(false));
    }

    #[test]
    fn roots_at_larger_widths() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u128;
        for width in [31, 32, 33, 64, 127, 128] {
            for _ in 0..200 {
                seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d_8329_6bd1).wrapping_add(12_345);
                let odd = seed << 3 | 1;
                let root = root_of(odd, width);
                assert_eq!((root.wrapping_mul(root) ^ odd) & low_bits(width), 0);
            }
        }
    }
}
