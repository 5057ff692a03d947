//! Literals of the circuit: a node or its negation.

/// A node of the circuit, possibly negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    /// Node 0 is the constant.
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    pub(crate) fn positive(node: u32) -> Lit {
        Lit(node << 1)
    }

    pub(crate) fn constant(truth: bool) -> Lit {
        if truth { Lit::TRUE } else { Lit::FALSE }
    }

    pub(crate) fn node(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same node without its negation.
    pub(crate) fn abs(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// Negated when `flip`.
    pub(crate) fn flip_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }

    /// The truth value, for the two constants.
    pub(crate) fn as_constant(self) -> Option<bool> {
        match self {
            Lit::TRUE => Some(true),
            Lit::FALSE => Some(false),
            Lit(_) => None,
        }
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}n{}", if self.is_negated() { "-" } else { "" }, self.node())
    }
}

/// A bit-vector of literals, least significant first. Internal words may be wider than 128.
pub(crate) type Word = Vec<Lit>;

/// The word of a constant.
pub(crate) fn constant_word(value: u128, width: usize) -> Word {
    (0..width).map(|bit| Lit::constant(bit < 128 && value >> bit & 1 == 1)).collect()
}

/// The value of a word of constants of at most 128 bits.
pub(crate) fn as_constant_word(word: &[Lit]) -> Option<u128> {
    let mut value = 0;
    for (bit, lit) in word.iter().enumerate() {
        if lit.as_constant()? {
            value |= 1u128.checked_shl(u32::try_from(bit).ok()?)?;
        }
    }
    Some(value)
}
