//! SHA-256 of files and texts, for the hashes that exchange formats ask for.

use std::io;

use sha2::{Digest, Sha256};

/// The hash as 64 lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The hash of what is written, which may be too long to be held.
pub fn of_written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<String> {
    while_written(&mut io::sink(), write)
}

/// The hash of what is written on its way to `out`.
pub fn while_written(
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<String> {
    let hashed = Hashed { hash: Sha256::new(), out };
    let mut hashed = io::BufWriter::with_capacity(1 << 16, hashed);
    write(&mut hashed)?;
    let Hashed { hash, .. } = hashed.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(format!("{:x}", hash.finalize()))
}

struct Hashed<'a> {
    hash: Sha256,
    out: &'a mut dyn io::Write,
}

impl io::Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{hex, of_written, while_written};

    #[test]
    fn what_is_written_in_pieces_has_the_same_hash() {
        let long = "glass".repeat(30_000);
        let written =
            of_written(|out| long.as_bytes().chunks(7).try_for_each(|piece| out.write_all(piece)));
        assert_eq!(written.ok(), Some(hex(long.as_bytes())));
        let mut out = Vec::new();
        let hash = while_written(&mut out, |out| out.write_all(long.as_bytes()));
        assert_eq!((hash.ok(), out.as_slice()), (Some(hex(long.as_bytes())), long.as_bytes()));
    }

    #[test]
    fn the_standards_example() {
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
