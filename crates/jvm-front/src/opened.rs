//! A class file whose members are all public: contracts may speak of private fields, and compilers check access.

use crate::classfile::ClassFileError;
use crate::classfile::cursor::Cursor;
use crate::classfile::pool::Pool;

const PUBLIC: u8 = 0x01;
const HIDDEN: u8 = 0x06;

/// The same class with public members and nested classes.
pub fn opened(bytes: &[u8]) -> Result<Vec<u8>, ClassFileError> {
    let mut out = bytes.to_vec();
    let mut cursor = Cursor::new(bytes);
    cursor.take(8)?;
    let pool = Pool::read(&mut cursor)?;
    open(&mut out, cursor.position());
    cursor.take(6)?;
    let n_interfaces = usize::from(cursor.u16()?);
    cursor.take(2 * n_interfaces)?;
    // Fields, then methods.
    for _ in 0..2 {
        for _ in 0..cursor.u16()? {
            open(&mut out, cursor.position());
            cursor.take(6)?;
            skip_attributes(&mut cursor)?;
        }
    }
    for _ in 0..cursor.u16()? {
        let name = pool.name(cursor.u16()?)?;
        let len = cursor.u32()? as usize;
        let start = cursor.position();
        cursor.take(len)?;
        if &*name == "InnerClasses" {
            let mut flags = start + 8;
            while flags + 2 <= start + len {
                open(&mut out, flags);
                flags += 8;
            }
        }
    }
    Ok(out)
}

/// Makes the flags at this place those of something public.
fn open(out: &mut [u8], at: usize) {
    if let Some(low) = out.get_mut(at + 1) {
        *low = (*low & !HIDDEN) | PUBLIC;
    }
}

fn skip_attributes(cursor: &mut Cursor<'_>) -> Result<(), ClassFileError> {
    for _ in 0..cursor.u16()? {
        cursor.take(2)?;
        let len = cursor.u32()? as usize;
        cursor.take(len)?;
    }
    Ok(())
}
