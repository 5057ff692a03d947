//! The fixed limits of the manager, in one place; what a client may change is in `options`.
//!
//! The engines have limits of their own, each beside the code it bounds: they say when a method does not
//! apply. These say how the manager shares the work among them.

// Which stages a system is for, by its number of subterms.

/// On the whole stack: beyond it only the complete layer runs, which has its own bound.
pub(crate) const ENGINE_NODES: usize = 500_000;
/// Beyond it a system is not relaxed.
pub(crate) const RELAX_NODES: usize = 5_000;
/// Beyond it the circuit of a system is not made before the domains are searched.
pub(crate) const QUICK_BLAST_NODES: usize = 300;

// The short and the long tries of a layer; their other steps are in `Steps`.

/// Steps of the first labelling.
pub(crate) const QUICK_LABEL_STEPS: u64 = 400;
/// Boxes of the polynomial bisection at first.
pub(crate) const QUICK_BOXES: u32 = 12;
/// Boxes when the complete layer did not decide at once.
pub(crate) const LONG_BOXES: u32 = 200;
/// How many times the steps of the first relaxation the long one has.
pub(crate) const LONG_RELAX_FACTOR: u64 = 4;
/// Conflicts of the first try of the complete layer.
pub(crate) const QUICK_CONFLICTS: u64 = 1_000;
/// Local searches, each with its own seed, for what the complete layer gave up.
pub(crate) const LONG_DESCENTS: u64 = 8;
/// Conditions tried inside conditions.
pub(crate) const PROBE_DEPTH: u32 = 1;

/// Steps of propagation between looks at the clock, if there is one.
pub(crate) const STEPS_PER_LOOK: u64 = 2_000;

// What is remembered.

/// Models kept.
pub(crate) const MODELS: usize = 12;
/// Cores kept; when there are more, the older half is forgotten.
pub(crate) const CORES: usize = 4_096;

// Making a core smaller.

/// Subterms of a core beyond which it is not reduced.
pub(crate) const REDUCED_NODES: usize = 5_000;
/// Questions for one core.
pub(crate) const REDUCE_QUESTIONS: usize = 64;
/// Questions without an answer after which reduction ends.
pub(crate) const REDUCE_UNKNOWN: usize = 3;

/// Domains up to this size are enumerated value by value.
pub(crate) const FEW_VALUES: i128 = 16;

/// Bytes of another solver's answer beyond which it is cut off, and so not understood.
pub(crate) const REPLY_BYTES: u64 = 64 << 20;
