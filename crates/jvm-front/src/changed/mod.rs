//! Class files in which methods have other code: constants are added at the end of the pool, so that old indices stay, and
//! everything else is copied.
//!
//! `probe` adds to the code of methods, `patch` changes one instruction. What moves is `code`'s; the verifier's frames are `frames`'.

pub(crate) mod code;
mod frames;
pub mod patch;

use crate::classfile::ClassFileError;
use crate::classfile::cursor::Cursor;
use crate::classfile::pool::Pool;

/// Constants that a pool gets.
#[derive(Debug)]
pub(crate) struct Constants {
    bytes: Vec<u8>,
    next: u16,
}

impl Constants {
    /// The index of a new constant; `None` when the pool is full.
    pub(crate) fn add(&mut self, entry: &[u8]) -> Option<u16> {
        self.bytes.extend(entry);
        let index = self.next;
        // A long or double takes two indices.
        let n_taken = if matches!(entry.first(), Some(5 | 6)) { 2 } else { 1 };
        self.next = self.next.checked_add(n_taken)?;
        Some(index)
    }

    pub(crate) fn text(&mut self, text: &str) -> Option<u16> {
        let len = u16::try_from(text.len()).ok()?.to_be_bytes();
        self.add(&[&[1], len.as_slice(), text.as_bytes()].concat())
    }
}

/// Name and descriptor of a method.
pub(crate) type MethodName<'a> = (&'a str, &'a str);

/// The class with other `Code` attributes: `change` gets those of every method, and leaves them where it says `None`. What
/// `add` adds to the constants, `change` can use.
pub(crate) fn with_code<T>(
    bytes: &[u8],
    add: impl FnOnce(&mut Constants) -> Option<T>,
    mut change: impl FnMut(&Pool, &T, MethodName<'_>, &[u8]) -> Result<Option<Vec<u8>>, ClassFileError>,
) -> Result<Vec<u8>, ClassFileError> {
    let mut cursor = Cursor::new(bytes);
    let header = cursor.take(8)?;
    let pool_start = cursor.position();
    let pool = Pool::read(&mut cursor)?;
    let pool_end = cursor.position();
    let next = u16::from_be_bytes([bytes[pool_start], bytes[pool_start + 1]]);
    let mut constants = Constants { bytes: Vec::new(), next };
    let added = add(&mut constants)
        .ok_or_else(|| ClassFileError { what: "the constant pool is full".into(), offset: 0 })?;
    let mut out = header.to_vec();
    out.extend(constants.next.to_be_bytes());
    out.extend(&bytes[pool_start + 2..pool_end]);
    out.extend(constants.bytes);
    copy_front(&mut cursor, &mut out)?;
    for _ in 0..copy_u16(&mut cursor, &mut out)? {
        out.extend(cursor.take(2)?);
        let name = pool.name(copy_u16(&mut cursor, &mut out)?)?;
        let descriptor = pool.name(copy_u16(&mut cursor, &mut out)?)?;
        for _ in 0..copy_u16(&mut cursor, &mut out)? {
            let attribute = pool.name(copy_u16(&mut cursor, &mut out)?)?;
            let len = cursor.u32()? as usize;
            let part = cursor.take(len)?;
            let changed = match &*attribute {
                "Code" => change(&pool, &added, (&name, &descriptor), part)?,
                _ => None,
            };
            let contents = changed.unwrap_or_else(|| part.to_vec());
            out.extend(u32::try_from(contents.len()).unwrap_or(u32::MAX).to_be_bytes());
            out.extend(contents);
        }
    }
    out.extend(cursor.rest());
    Ok(out)
}

fn copy_u16(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<u16, ClassFileError> {
    let number = cursor.u16()?;
    out.extend(number.to_be_bytes());
    Ok(number)
}

/// Access, names, interfaces and fields, as they are.
fn copy_front(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<(), ClassFileError> {
    out.extend(cursor.take(6)?);
    let n_interfaces = copy_u16(cursor, out)?;
    out.extend(cursor.take(usize::from(n_interfaces) * 2)?);
    for _ in 0..copy_u16(cursor, out)? {
        out.extend(cursor.take(6)?);
        for _ in 0..copy_u16(cursor, out)? {
            out.extend(cursor.take(2)?);
            let len = cursor.u32()?;
            out.extend(len.to_be_bytes());
            out.extend(cursor.take(len as usize)?);
        }
    }
    Ok(())
}
