//! SHA-256 of files and texts, for the hashes that exchange formats ask for.

use sha2::{Digest, Sha256};

/// The hash as 64 lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn the_standards_example() {
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
