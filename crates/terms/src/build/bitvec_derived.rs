//! SMT-LIB bit-vector operators that are written with the others.

use glassbox_values::{Bits, Signedness};

use crate::intern::{TermId, Terms};

impl Terms {
    pub fn bv_nand(&mut self, a: TermId, b: TermId) -> TermId {
        let both = self.bv_and(a, b);
        self.bv_not(both)
    }

    pub fn bv_nor(&mut self, a: TermId, b: TermId) -> TermId {
        let either = self.bv_or(a, b);
        self.bv_not(either)
    }

    pub fn bv_xnor(&mut self, a: TermId, b: TermId) -> TermId {
        let different = self.bv_xor(a, b);
        self.bv_not(different)
    }

    /// One bit: 1 when equal.
    pub fn bv_comp(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.bv_from_bool(equal, 1)
    }

    /// 1 or 0 in `width` bits, as C comparisons give.
    pub fn bv_from_bool(&mut self, truth: TermId, width: u8) -> TermId {
        let one = self.bv_u(1, width);
        let zero = self.bv_u(0, width);
        self.ite(truth, one, zero)
    }

    /// Whether any bit is set, as C conditions read integers.
    pub fn bv_is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.bv_u(0, self.width(a));
        self.ne(a, zero)
    }

    /// Rotation towards the high end by a constant amount, taken modulo the width.
    pub fn bv_rotate_left(&mut self, amount: u64, a: TermId) -> TermId {
        let width = self.width(a);
        let amount = u8::try_from(amount % u64::from(width)).expect("smaller than the width, a u8");
        if amount == 0 {
            return a;
        }
        let low = self.bv_extract(width - 1 - amount, 0, a);
        let high = self.bv_extract(width - 1, width - amount, a);
        self.bv_concat(low, high)
    }

    pub fn bv_rotate_right(&mut self, amount: u64, a: TermId) -> TermId {
        let width = u64::from(self.width(a));
        self.bv_rotate_left(width - amount % width, a)
    }

    /// `count >= 1` copies of `a` side by side; the result must fit 128 bits.
    pub fn bv_repeat(&mut self, count: u8, a: TermId) -> TermId {
        assert!(count >= 1, "a repetition has at least one copy");
        let mut result = a;
        for _ in 1..count {
            result = self.bv_concat(result, a);
        }
        result
    }

    /// Conversion between widths as a C cast does it: cuts, or extends with the source's signedness.
    pub fn bv_resize(&mut self, width: u8, signedness: Signedness, a: TermId) -> TermId {
        let from = self.width(a);
        if width < from {
            self.bv_extract(width - 1, 0, a)
        } else if width == from {
            a
        } else {
            match signedness {
                Signedness::Unsigned => self.bv_zero_extend(width, a),
                Signedness::Signed => self.bv_sign_extend(width, a),
            }
        }
    }

    /// Whether signed division overflows: MIN / -1.
    pub fn bv_sdiv_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let min = self.bv_const(Bits::min_signed(width));
        let minus_one = self.bv_const(Bits::ones(width));
        let a_is_min = self.eq(a, min);
        let b_is_minus_one = self.eq(b, minus_one);
        self.and(&[a_is_min, b_is_minus_one])
    }
}
