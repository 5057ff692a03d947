//! How much of a program goes into one graph.

/// What inputs are, and which calls are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What inputs are and what signed overflow means, as for exploration.
    pub model: glassbox_model::Config,
    /// Runs go on only where checks pass. Otherwise they go on after an error too, as machines do: numbers wrap, and
    /// accesses outside of objects change nothing.
    pub trusts_checks: bool,
    /// Calls that are not expanded are what their summaries say; otherwise they may do anything.
    pub call_summaries: bool,
    /// Calls within calls that are expanded.
    pub max_call_depth: u32,
    /// Activations of a function within itself that are expanded.
    pub max_recursion: usize,
    /// Blocks after expansion.
    pub max_blocks: usize,
}
