//! Places in the source: a compact span for tree nodes and its resolved form for users.

/// A range of bytes in the preprocessed text of all units laid end to end.
///
/// Eight bytes, so that every node can carry one. [`crate::linemap::SourceMap`] turns it into file,
/// line and column of the file the user wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }

    /// True if `inner` lies within `self`.
    pub fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }
}

/// A span resolved to what the user wrote: lines and columns count from 1, columns count bytes, the end
/// is one past the last character.
pub use glassbox_ir::Span as Place;
