//! How summaries are looked for: how far graphs go, and what the analysis of loops may do.

/// For the function under test; callees get a share of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub graph: glassbox_whole::Options,
    pub invariants: glassbox_invariants::Options,
}
