//! Clockwise intervals: arcs on the circle of integers modulo 2^n, n at most 64.
//!
//! `[lo, hi]` walks clockwise from `lo` to `hi` and may pass zero, so one interval serves both
//! signednesses. Stored as start and span (cardinality minus one). The full circle is always
//! `lo = 0`, so equal sets are equal values. Sums and differences are exact hulls, so are products
//! with a constant (`stride`); the product of two arcs is sound, not optimal.
//!
//! Source: Gotlieb, Leconte, Marre, ModRef 2010. Deviations, each because the printed rule is wrong
//! (docs/papers/loops.md, rules 1B.3 to 1B.5): the fullness test of a sum loses one value; meet and join lose points when
//! the arcs overlap twice, so meet returns both pieces here; the product of two variables is the meet
//! of exact integer products over the lifts of both arcs (docs/papers/loops.md, rule 7.5).

/// An arc of the circle modulo 2^n. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clockwise {
    // Invariant: lo <= mask, span <= mask, and lo == 0 when span == mask.
    lo: u64,
    span: u64,
    // The n low bits.
    mask: u64,
}

impl std::fmt::Debug for Clockwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {}]:i{}", self.lo, self.hi(), self.mask.count_ones())
    }
}

/// The intersection of two arcs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meet {
    Empty,
    One(Clockwise),
    Two(Clockwise, Clockwise),
}

/// The `width` low bits, 1 to 64.
#[inline]
pub const fn mask_of(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

impl Clockwise {
    #[inline]
    pub const fn full(width: u8) -> Clockwise {
        let mask = mask_of(width);
        Clockwise { lo: 0, span: mask, mask }
    }

    #[inline]
    pub const fn point(value: u64, width: u8) -> Clockwise {
        let mask = mask_of(width);
        Clockwise { lo: value & mask, span: 0, mask }
    }

    /// From `lo` clockwise to `hi`, both reduced modulo 2^width.
    #[inline]
    pub const fn new(lo: u64, hi: u64, width: u8) -> Clockwise {
        let mask = mask_of(width);
        Clockwise::arc(lo, hi.wrapping_sub(lo) & mask, mask)
    }

    #[inline]
    pub(crate) const fn arc(lo: u64, span: u64, mask: u64) -> Clockwise {
        if span >= mask {
            Clockwise { lo: 0, span: mask, mask }
        } else {
            Clockwise { lo: lo & mask, span, mask }
        }
    }

    /// From `lo` to `hi` read as signed numbers, `lo <= hi`.
    #[inline]
    pub const fn signed(lo: i64, hi: i64, width: u8) -> Clockwise {
        Clockwise::new(lo.cast_unsigned(), hi.cast_unsigned(), width)
    }

    /// The image of the integers `lo..=hi` on the circle.
    pub fn from_integers(lo: i128, hi: i128, width: u8) -> Clockwise {
        let mask = mask_of(width);
        let span = hi.wrapping_sub(lo).cast_unsigned();
        match u64::try_from(span) {
            Ok(span) if lo <= hi => Clockwise::arc(low_half(lo.cast_unsigned()), span, mask),
            _ => Clockwise::full(width),
        }
    }

    #[inline]
    pub const fn lo(self) -> u64 {
        self.lo
    }

    #[inline]
    pub const fn hi(self) -> u64 {
        self.lo.wrapping_add(self.span) & self.mask
    }

    /// The number of values minus one.
    #[inline]
    pub const fn span(self) -> u64 {
        self.span
    }

    #[inline]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    #[inline]
    pub fn width(self) -> u8 {
        64 - self.mask.leading_zeros() as u8
    }

    #[inline]
    pub const fn is_full(self) -> bool {
        self.span == self.mask
    }

    #[inline]
    pub const fn is_point(self) -> bool {
        self.span == 0
    }

    /// Passes from the largest unsigned number to zero.
    #[inline]
    pub const fn wraps(self) -> bool {
        self.lo.wrapping_add(self.span) & self.mask < self.lo
    }

    /// Passes from the largest signed number to the smallest.
    #[inline]
    pub const fn wraps_signed(self) -> bool {
        self.rotated_signed().wraps()
    }

    const fn rotated_signed(self) -> Clockwise {
        if self.span == self.mask {
            return self;
        }
        let half = (self.mask >> 1) + 1;
        Clockwise { lo: self.lo.wrapping_add(half) & self.mask, ..self }
    }

    #[inline]
    pub const fn contains(self, value: u64) -> bool {
        value.wrapping_sub(self.lo) & self.mask <= self.span
    }

    #[inline]
    pub const fn contains_all(self, other: Clockwise) -> bool {
        let offset = other.lo.wrapping_sub(self.lo) & self.mask;
        self.span == self.mask || (offset <= self.span && other.span <= self.span - offset)
    }

    #[inline]
    pub const fn unsigned_min(self) -> u64 {
        if self.wraps() { 0 } else { self.lo }
    }

    #[inline]
    pub const fn unsigned_max(self) -> u64 {
        if self.wraps() { self.mask } else { self.hi() }
    }

    #[inline]
    pub const fn signed_min(self) -> i64 {
        let smallest = (self.mask >> 1) + 1;
        let min = if self.contains(smallest) { smallest } else { self.lo };
        self.as_signed(min)
    }

    #[inline]
    pub const fn signed_max(self) -> i64 {
        let largest = self.mask >> 1;
        let max = if self.contains(largest) { largest } else { self.hi() };
        self.as_signed(max)
    }

    /// A value of this width read in two's complement.
    #[inline]
    pub const fn as_signed(self, value: u64) -> i64 {
        let unused = self.mask.leading_zeros();
        (value << unused).cast_signed() >> unused
    }

    /// The complement, unless this is the full circle.
    #[inline]
    pub const fn complement(self) -> Option<Clockwise> {
        if self.is_full() {
            return None;
        }
        let lo = self.hi().wrapping_add(1) & self.mask;
        Some(Clockwise { lo, span: self.mask - self.span - 1, mask: self.mask })
    }

    #[inline]
    pub const fn meet(self, other: Clockwise) -> Meet {
        if self.is_full() {
            return Meet::One(other);
        }
        if other.is_full() {
            return Meet::One(self);
        }
        let other_start = other.lo.wrapping_sub(self.lo) & self.mask;
        let self_start = self.lo.wrapping_sub(other.lo) & self.mask;
        let other_starts_inside = other_start <= self.span;
        let self_starts_inside = self_start <= other.span;
        if other_start == 0 {
            return Meet::One(if self.span <= other.span { self } else { other });
        }
        if other_starts_inside && self_starts_inside {
            // Two pieces: from each start to the end of the other arc.
            let first = Clockwise { span: other.span - self_start, ..self };
            let second = Clockwise { span: self.span - other_start, ..other };
            return Meet::Two(first, second);
        }
        if other_starts_inside {
            let room = self.span - other_start;
            return Meet::One(if other.span <= room {
                other
            } else {
                Clockwise { span: room, ..other }
            });
        }
        if self_starts_inside {
            let room = other.span - self_start;
            return Meet::One(if self.span <= room {
                self
            } else {
                Clockwise { span: room, ..self }
            });
        }
        Meet::Empty
    }

    /// The smallest arc that holds both; on a tie the one that does not wrap.
    #[must_use]
    pub fn join(self, other: Clockwise) -> Clockwise {
        if self.contains_all(other) {
            return self;
        }
        if other.contains_all(self) {
            return other;
        }
        let other_starts_inside = self.contains(other.lo);
        let self_starts_inside = other.contains(self.lo);
        if other_starts_inside && self_starts_inside {
            return Clockwise { lo: 0, span: self.mask, mask: self.mask };
        }
        let from_self =
            Clockwise::arc(self.lo, other.hi().wrapping_sub(self.lo) & self.mask, self.mask);
        let from_other =
            Clockwise::arc(other.lo, self.hi().wrapping_sub(other.lo) & self.mask, self.mask);
        if other_starts_inside {
            from_self
        } else if self_starts_inside {
            from_other
        } else {
            smaller(from_self, from_other)
        }
    }

    /// `{ x + y }`, exact.
    #[inline]
    #[must_use]
    pub const fn add(self, other: Clockwise) -> Clockwise {
        let span = self.span.saturating_add(other.span);
        Clockwise::arc(self.lo.wrapping_add(other.lo), span, self.mask)
    }

    /// `{ x - y }`, exact.
    #[inline]
    #[must_use]
    pub const fn sub(self, other: Clockwise) -> Clockwise {
        let span = self.span.saturating_add(other.span);
        Clockwise::arc(self.lo.wrapping_sub(other.hi()), span, self.mask)
    }

    /// `{ x + c }`, exact.
    #[inline]
    #[must_use]
    pub const fn shift_by(self, constant: u64) -> Clockwise {
        Clockwise::arc(self.lo.wrapping_add(constant), self.span, self.mask)
    }

    /// `{ -x }`, exact.
    #[inline]
    #[must_use]
    pub const fn negate(self) -> Clockwise {
        Clockwise::arc(self.hi().wrapping_neg(), self.span, self.mask)
    }

    /// Contains `{ x * y mod 2^n }`. Each arc is read once from `lo` upwards and once 2^n lower; each
    /// pair of readings bounds the exact product, and every bound holds modulo 2^n.
    #[must_use]
    pub fn product(self, other: Clockwise) -> Clockwise {
        let modulus = i128::from(self.mask) + 1;
        let lifts = |arc: Clockwise| {
            let lo = i128::from(arc.lo);
            let hi = lo + i128::from(arc.span);
            [(lo, hi), (lo - modulus, hi - modulus)]
        };
        let width = self.width();
        let mut best = Clockwise::full(width);
        for (x_lo, x_hi) in lifts(self) {
            for (y_lo, y_hi) in lifts(other) {
                if let Some((lo, hi)) = product_range(x_lo, x_hi, y_lo, y_hi) {
                    let range = Clockwise::from_integers(lo, hi, width);
                    best = match best.meet(range) {
                        Meet::One(arc) => arc,
                        // Both hold every product; neither can be empty, two pieces lose nothing.
                        Meet::Two(..) | Meet::Empty => smaller(best, range),
                    };
                }
            }
        }
        best
    }

    /// The parts below and above the cut between the largest and the smallest unsigned number.
    pub fn unsigned_pieces(self) -> Pieces<u64> {
        if self.wraps() {
            (Some((0, self.hi())), Some((self.lo, self.mask)))
        } else {
            (Some((self.lo, self.hi())), None)
        }
    }

    /// The parts below and above the cut between the largest and the smallest signed number.
    pub fn signed_pieces(self) -> Pieces<i64> {
        let smallest = self.as_signed((self.mask >> 1) + 1);
        let largest = self.as_signed(self.mask >> 1);
        if self.wraps_signed() {
            (Some((smallest, self.as_signed(self.hi()))), Some((self.as_signed(self.lo), largest)))
        } else if self.is_full() {
            (Some((smallest, largest)), None)
        } else {
            (Some((self.as_signed(self.lo), self.as_signed(self.hi()))), None)
        }
    }
}

/// One or two ranges, lower one first.
pub type Pieces<T> = (Option<(T, T)>, Option<(T, T)>);

/// The arc with fewer values; on a tie the one that does not wrap, then the first.
pub fn smaller(a: Clockwise, b: Clockwise) -> Clockwise {
    if b.span < a.span || (b.span == a.span && a.wraps() && !b.wraps()) { b } else { a }
}

fn low_half(value: u128) -> u64 {
    (value & u128::from(u64::MAX)) as u64
}

/// The exact range of the product of two integer ranges, unless a corner leaves 128 bits.
pub fn product_range(x_lo: i128, x_hi: i128, y_lo: i128, y_hi: i128) -> Option<(i128, i128)> {
    let corners = [
        x_lo.checked_mul(y_lo)?,
        x_lo.checked_mul(y_hi)?,
        x_hi.checked_mul(y_lo)?,
        x_hi.checked_mul(y_hi)?,
    ];
    let lo = corners.iter().copied().min().expect("four corners");
    let hi = corners.iter().copied().max().expect("four corners");
    Some((lo, hi))
}
