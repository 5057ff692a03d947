//! SHA-256 of files and texts, for the hashes that exchange formats ask for.

use std::io;

use sha2::{Digest, Sha256};

/// The hash as 64 lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The hash of what is written, which may be too long to be held.
pub fn of_written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<String> {
    let mut hashed = io::BufWriter::with_capacity(1 << 16, Hashed(Sha256::new()));
    write(&mut hashed)?;
    let Hashed(hash) = hashed.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(format!("{:x}", hash.finalize()))
}

struct Hashed(Sha256);

impl io::Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{hex, of_written};

    #[test]
    fn what_is_written_in_pieces_has_the_same_hash() {
        let long = "glass".repeat(30_000);
        let written =
            of_written(|out| long.as_bytes().chunks(7).try_for_each(|piece| out.write_all(piece)));
        assert_eq!(written.ok(), Some(hex(long.as_bytes())));
    }

    #[test]
    fn the_standards_example() {
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
