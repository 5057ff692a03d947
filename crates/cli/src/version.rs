//! Which build this is.

/// `0.1.0 (1a2b3c4d5e)`: the version and, in release builds, the commit.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("GLASSBOX_COMMIT"), ")");
