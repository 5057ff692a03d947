//! Compiling and running one C program that computes as C says: no contraction, the rounding mode respected.

use glassbox_testkit::gcc::Compiled;

/// Compiled at `-O0`.
pub(crate) fn compile(source: &str) -> Compiled {
    Compiled::new(source, &["-O0", "-fwrapv", "-frounding-math"])
}

/// Reads a stream of 16-byte little-endian numbers.
pub(crate) struct Results {
    bytes: Vec<u8>,
    at: usize,
}

impl Results {
    pub(crate) fn new(bytes: Vec<u8>) -> Results {
        Results { bytes, at: 0 }
    }

    pub(crate) fn take(&mut self) -> u128 {
        let chunk =
            self.bytes.get(self.at..self.at + 16).expect("the driver should not stop early");
        self.at += 16;
        u128::from_le_bytes(chunk.try_into().expect("a chunk of 16 should be 16 long"))
    }

    /// All results should have been looked at.
    pub(crate) fn finish(self) {
        assert_eq!(self.at, self.bytes.len(), "the driver should not say more than expected");
    }
}
