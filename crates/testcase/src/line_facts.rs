//! What is known at a line of a function, for every input.

/// What holds at one line, whenever control comes to the code that begins there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFacts {
    pub line: u32,
    pub known: Known,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Control never comes here.
    Dead,
    /// Ranges and relations in the words of the source.
    Facts(Vec<String>),
}

impl Known {
    /// Whether it says anything.
    pub fn is_something(&self) -> bool {
        match self {
            Known::Dead => true,
            Known::Facts(facts) => !facts.is_empty(),
        }
    }
}
