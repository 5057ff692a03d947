//! The constant pool: entries by index, resolved on demand.

use std::rc::Rc;

use super::ClassFileError;
use super::cursor::Cursor;
use super::insn::{Constant, Handle, MemberRef};

/// The entries of one class file.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
enum Entry {
    /// Index 0, and the second half of long and double entries.
    Unused,
    Utf8(Rc<[u8]>),
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    String(u16),
    /// A field, method or interface method: class, name and type.
    Member {
        class: u16,
        name_and_type: u16,
        is_interface: bool,
    },
    NameAndType(u16, u16),
    MethodHandle(u8, u16),
    MethodType(u16),
    /// `Dynamic` and `InvokeDynamic`: bootstrap method, name and type.
    Dynamic(u16, u16),
    /// Modules and packages, which code does not refer to.
    Other,
}

/// An `invokedynamic` or dynamic constant before its bootstrap method is looked up.
#[derive(Debug, Clone)]
pub(crate) struct DynamicEntry {
    pub(crate) bootstrap: u16,
    pub(crate) name: Rc<str>,
    pub(crate) descriptor: Rc<str>,
}

fn bad(index: u16, what: &str) -> ClassFileError {
    ClassFileError { what: format!("constant {index} is not {what}"), offset: 0 }
}

impl Pool {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Pool, ClassFileError> {
        let n_entries = cursor.u16()?;
        let mut entries = vec![Entry::Unused];
        while entries.len() < usize::from(n_entries) {
            let tag = cursor.u8()?;
            let entry = match tag {
                1 => {
                    let len = cursor.u16()?;
                    Entry::Utf8(cursor.take(usize::from(len))?.into())
                }
                3 => Entry::Int(cursor.i32()?),
                4 => Entry::Float(cursor.u32()?),
                5 => Entry::Long(cursor.u64()?.cast_signed()),
                6 => Entry::Double(cursor.u64()?),
                7 => Entry::Class(cursor.u16()?),
                8 => Entry::String(cursor.u16()?),
                9..=11 => Entry::Member {
                    class: cursor.u16()?,
                    name_and_type: cursor.u16()?,
                    is_interface: tag == 11,
                },
                12 => Entry::NameAndType(cursor.u16()?, cursor.u16()?),
                15 => Entry::MethodHandle(cursor.u8()?, cursor.u16()?),
                16 => Entry::MethodType(cursor.u16()?),
                17 | 18 => Entry::Dynamic(cursor.u16()?, cursor.u16()?),
                19 | 20 => {
                    cursor.u16()?;
                    Entry::Other
                }
                _ => return Err(cursor.error(format!("a constant of unknown kind {tag}"))),
            };
            let is_wide = matches!(entry, Entry::Long(_) | Entry::Double(_));
            entries.push(entry);
            if is_wide {
                entries.push(Entry::Unused);
            }
        }
        Ok(Pool { entries })
    }

    /// A pool without entries, for classes that no file describes.
    pub(crate) fn empty() -> Pool {
        Pool { entries: Vec::new() }
    }

    fn entry(&self, index: u16) -> &Entry {
        self.entries.get(usize::from(index)).unwrap_or(&Entry::Unused)
    }

    pub(crate) fn name(&self, index: u16) -> Result<Rc<str>, ClassFileError> {
        let Entry::Utf8(bytes) = self.entry(index) else { return Err(bad(index, "a name")) };
        Ok(decode_name(bytes))
    }

    /// The internal name of a class, or the descriptor of an array type.
    pub(crate) fn class(&self, index: u16) -> Result<Rc<str>, ClassFileError> {
        let Entry::Class(name) = self.entry(index) else { return Err(bad(index, "a class")) };
        self.name(*name)
    }

    fn string(&self, index: u16) -> Result<Rc<[u16]>, ClassFileError> {
        let Entry::Utf8(bytes) = self.entry(index) else { return Err(bad(index, "a string")) };
        Ok(decode_utf16(bytes).into())
    }

    fn name_and_type(&self, index: u16) -> Result<(Rc<str>, Rc<str>), ClassFileError> {
        let Entry::NameAndType(name, ty) = self.entry(index) else {
            return Err(bad(index, "a name and type"));
        };
        Ok((self.name(*name)?, self.name(*ty)?))
    }

    pub(crate) fn member(&self, index: u16) -> Result<Rc<MemberRef>, ClassFileError> {
        let &Entry::Member { class, name_and_type, is_interface } = self.entry(index) else {
            return Err(bad(index, "a field or method"));
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(Rc::new(MemberRef { class: self.class(class)?, name, descriptor, is_interface }))
    }

    pub(crate) fn handle(&self, index: u16) -> Result<Handle, ClassFileError> {
        let &Entry::MethodHandle(kind, member) = self.entry(index) else {
            return Err(bad(index, "a method handle"));
        };
        Ok(Handle { kind, member: self.member(member)? })
    }

    pub(crate) fn dynamic(&self, index: u16) -> Result<DynamicEntry, ClassFileError> {
        let &Entry::Dynamic(bootstrap, name_and_type) = self.entry(index) else {
            return Err(bad(index, "a dynamic call"));
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(DynamicEntry { bootstrap, name, descriptor })
    }

    /// A constant that `ldc`, a static field or a bootstrap method uses.
    pub(crate) fn constant(&self, index: u16) -> Result<Constant, ClassFileError> {
        Ok(match self.entry(index) {
            Entry::Int(value) => Constant::Int(*value),
            Entry::Float(bits) => Constant::Float(*bits),
            Entry::Long(value) => Constant::Long(*value),
            Entry::Double(bits) => Constant::Double(*bits),
            Entry::String(text) => Constant::String(self.string(*text)?),
            Entry::Class(name) => Constant::Class(self.name(*name)?),
            Entry::MethodType(ty) => Constant::MethodType(self.name(*ty)?),
            Entry::MethodHandle(..) => Constant::MethodHandle(self.handle(index)?),
            Entry::Dynamic(..) => Constant::Dynamic(self.dynamic(index)?.descriptor),
            Entry::Unused
            | Entry::Utf8(_)
            | Entry::Member { .. }
            | Entry::NameAndType(..)
            | Entry::Other => return Err(bad(index, "a loadable constant")),
        })
    }
}

fn decode_name(bytes: &[u8]) -> Rc<str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => text.into(),
        _ => String::from_utf16_lossy(&decode_utf16(bytes)).into(),
    }
}

/// Modified UTF-8: surrogates are encoded one by one and NUL takes two bytes. Malformed bytes stand for
/// themselves, as a name that fits nothing.
fn decode_utf16(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let low = |byte: u8| u16::from(byte & 0x3f);
        match (first, tail) {
            (0xc0..=0xdf, [second, tail @ ..]) => {
                units.push(u16::from(first & 0x1f) << 6 | low(*second));
                rest = tail;
            }
            (0xe0..=0xef, [second, third, tail @ ..]) => {
                units.push(u16::from(first & 0x0f) << 12 | low(*second) << 6 | low(*third));
                rest = tail;
            }
            _ => {
                units.push(first.into());
                rest = tail;
            }
        }
    }
    units
}
