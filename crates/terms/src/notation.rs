//! How the source writes the numbers of a variable. It means nothing to the solver: bits have no sign.

use glassbox_values::Signedness;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Not known.
    #[default]
    Unknown,
    Number(Signedness),
    /// `'a'` where it can be printed.
    Character(Signedness),
}

impl Notation {
    /// `None` where both readings do.
    pub fn signedness(self) -> Option<Signedness> {
        match self {
            Notation::Unknown => None,
            Notation::Number(signedness) | Notation::Character(signedness) => Some(signedness),
        }
    }

    /// Whether small numbers stand for characters.
    pub fn is_character(self) -> bool {
        matches!(self, Notation::Character(_))
    }
}
