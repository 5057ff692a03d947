//! A reader of big-endian numbers that never runs past the end.

use super::ClassFileError;

/// A position in bytes.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    // Where `bytes` starts in the file, for messages.
    base: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, base: 0 }
    }

    /// Bytes from the start of the file.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.at
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(crate) fn error(&self, what: impl Into<String>) -> ClassFileError {
        ClassFileError { what: what.into(), offset: self.offset() }
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], ClassFileError> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else { return Err(self.error("the file ends too early")) };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A reader of the next `len` bytes; this one goes on behind them.
    pub(crate) fn part(&mut self, len: usize) -> Result<Cursor<'a>, ClassFileError> {
        let base = self.offset();
        Ok(Cursor { bytes: self.take(len)?, at: 0, base })
    }

    /// All that is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ClassFileError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn i8(&mut self) -> Result<i8, ClassFileError> {
        Ok(self.u8()?.cast_signed())
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ClassFileError> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn i16(&mut self) -> Result<i16, ClassFileError> {
        Ok(self.u16()?.cast_signed())
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ClassFileError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn i32(&mut self) -> Result<i32, ClassFileError> {
        Ok(self.u32()?.cast_signed())
    }

    pub(crate) fn u64(&mut self) -> Result<u64, ClassFileError> {
        Ok(u64::from(self.u32()?) << 32 | u64::from(self.u32()?))
    }
}
