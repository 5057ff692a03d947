//! Class files with probes: methods that report to a class of the replay which instructions they reach and how
//! their branches go.
//!
//! A probe never jumps and leaves the operand stack as it was: before a branch its operands are copied and
//! handed over, elsewhere a number is. So no new frames are needed for the verifier; the old ones move
//! with their instructions. Debug tables of the changed methods are dropped.
//!
//! Not here: the class that probes call (`CLASS`), which the replay has.

mod code;
mod frames;

use std::collections::BTreeSet;

use crate::classfile::ClassFileError;
use crate::classfile::cursor::Cursor;
use crate::classfile::pool::Pool;
use code::{Methods, rewrite};

/// Internal name of the class that probes call.
pub const CLASS: &str = "glassbox_probe/Probe";

/// A method to put probes into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub name: String,
    pub descriptor: String,
    /// Offsets of instructions whose beginning is reported.
    pub hits: BTreeSet<u32>,
    /// Offsets of instructions whose end is reported, where they go on to the next one.
    pub ends: BTreeSet<u32>,
}

/// What a probe reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeKind {
    /// The instruction begins.
    Hit,
    /// The instruction is over and did not throw.
    End,
    /// The operand of this opcode, or how its two operands compare.
    Branch(u8),
    /// The value that a switch is about.
    Switch,
}

/// One probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// Position in the list of wanted methods.
    pub method: usize,
    /// Offset of the instruction.
    pub pc: u32,
    pub kind: ProbeKind,
}

/// A class with probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    pub bytes: Vec<u8>,
    /// By number, counted from the first one asked for.
    pub sites: Vec<Site>,
    /// Positions of wanted methods that stayed as they were: absent or too long.
    pub refused: Vec<usize>,
}

/// Whether a branch of this opcode is taken, by what its probe reported.
pub fn is_taken(opcode: u8, value: i32) -> bool {
    match opcode {
        // ifeq, if_icmpeq, if_acmpeq, ifnull.
        0x99 | 0x9f | 0xa5 | 0xc6 => value == 0,
        // ifne, if_icmpne, if_acmpne, ifnonnull.
        0x9a | 0xa0 | 0xa6 | 0xc7 => value != 0,
        0x9b | 0xa1 => value < 0,
        0x9c | 0xa2 => value >= 0,
        0x9d | 0xa3 => value > 0,
        0x9e | 0xa4 => value <= 0,
        _ => false,
    }
}

/// Puts probes into methods of a class; numbers of probes start at `first`.
pub fn instrument(bytes: &[u8], wanted: &[Wanted], first: usize) -> Result<Probed, ClassFileError> {
    let mut cursor = Cursor::new(bytes);
    let header = cursor.take(8)?;
    let pool_start = cursor.position();
    let pool = Pool::read(&mut cursor)?;
    let pool_end = cursor.position();
    let n_old = u16::from_be_bytes([bytes[pool_start], bytes[pool_start + 1]]);
    let (added, methods, n_new) = probe_constants(n_old)
        .ok_or_else(|| ClassFileError { what: "the constant pool is full".into(), offset: 0 })?;
    let mut out = header.to_vec();
    out.extend(n_new.to_be_bytes());
    out.extend(&bytes[pool_start + 2..pool_end]);
    out.extend(added);
    copy_front(&mut cursor, &mut out)?;
    let n_methods = copy_u16(&mut cursor, &mut out)?;
    let mut probed = Probed { bytes: Vec::new(), sites: Vec::new(), refused: Vec::new() };
    let mut is_done = vec![false; wanted.len()];
    for _ in 0..n_methods {
        out.extend(cursor.take(2)?);
        let name = pool.name(copy_u16(&mut cursor, &mut out)?)?;
        let descriptor = pool.name(copy_u16(&mut cursor, &mut out)?)?;
        let is_it = |one: &Wanted| one.name == *name && one.descriptor == *descriptor;
        let position = wanted.iter().position(is_it);
        let n_attributes = copy_u16(&mut cursor, &mut out)?;
        for _ in 0..n_attributes {
            let attribute = pool.name(copy_u16(&mut cursor, &mut out)?)?;
            let len = cursor.u32()? as usize;
            let part = cursor.take(len)?;
            let changed = match position {
                Some(position) if &*attribute == "Code" => {
                    let first = first + probed.sites.len();
                    rewrite(&pool, part, &wanted[position], &methods, first)?
                        .map(|changed| (position, changed))
                }
                _ => None,
            };
            let contents = match changed {
                Some((position, (contents, sites))) => {
                    is_done[position] = true;
                    probed.sites.extend(sites.into_iter().map(|(pc, kind)| Site {
                        method: position,
                        pc,
                        kind,
                    }));
                    contents
                }
                None => part.to_vec(),
            };
            out.extend(u32::try_from(contents.len()).unwrap_or(u32::MAX).to_be_bytes());
            out.extend(contents);
        }
    }
    out.extend(cursor.rest());
    probed.refused = (0..wanted.len()).filter(|&position| !is_done[position]).collect();
    probed.bytes = out;
    Ok(probed)
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

/// Constants for the calls of probes, behind `n_old` others: their bytes, the methods, the new count.
fn probe_constants(n_old: u16) -> Option<(Vec<u8>, Methods, u16)> {
    let mut bytes = Vec::new();
    let mut next = n_old;
    let mut add = |entry: &[u8]| -> Option<u16> {
        bytes.extend(entry);
        let index = next;
        next = next.checked_add(1)?;
        Some(index)
    };
    let utf8 = |text: &str| {
        let len = u16::try_from(text.len()).unwrap_or(0).to_be_bytes();
        [&[1], len.as_slice(), text.as_bytes()].concat()
    };
    let pair = |tag: u8, a: u16, b: u16| [&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat();
    let class_name = add(&utf8(CLASS))?;
    let class = add(&[&[7][..], &class_name.to_be_bytes()].concat())?;
    let mut method = |name: &str, descriptor: &str| -> Option<u16> {
        let name = add(&utf8(name))?;
        let descriptor = add(&utf8(descriptor))?;
        let name_and_type = add(&pair(12, name, descriptor))?;
        add(&pair(10, class, name_and_type))
    };
    let methods = Methods {
        hit: method("hit", "(I)V")?,
        one: method("one", "(II)V")?,
        two: method("two", "(III)V")?,
        reference: method("one", "(Ljava/lang/Object;I)V")?,
        references: method("two", "(Ljava/lang/Object;Ljava/lang/Object;I)V")?,
    };
    Some((bytes, methods, next))
}
