//! Propagators.
