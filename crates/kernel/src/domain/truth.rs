//! The domain of a boolean.

/// What is known of a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truth {
    Unknown,
    True,
    False,
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Truth {
        if truth { Truth::True } else { Truth::False }
    }
}

impl Truth {
    #[inline]
    pub fn value(self) -> Option<bool> {
        match self {
            Truth::Unknown => None,
            Truth::True => Some(true),
            Truth::False => Some(false),
        }
    }

    pub fn allows(self, truth: bool) -> bool {
        self.value() != Some(!truth)
    }

    #[must_use]
    pub fn join(self, other: Truth) -> Truth {
        if self == other { self } else { Truth::Unknown }
    }
}
