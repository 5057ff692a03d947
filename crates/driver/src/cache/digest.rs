//! Digests of what values print.

use std::fmt::{self, Write};

use sha2::{Digest as _, Sha256};

/// A digest that is still growing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    pub(crate) fn of(text: &str) -> String {
        let mut digest = Digest::default();
        digest.add(text);
        digest.finish()
    }

    /// Adds a text: where it ends counts.
    pub(crate) fn add(&mut self, text: &str) {
        self.add_bytes(text.as_bytes());
    }

    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds what a value prints for developers, which has all its parts.
    pub(crate) fn add_value(&mut self, value: &dyn fmt::Debug) {
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = write!(text, "{value:?}");
        self.add(&text);
    }

    /// 64 lower-case hex digits.
    pub(crate) fn finish(self) -> String {
        format!("{:x}", self.0.finalize())
    }
}
