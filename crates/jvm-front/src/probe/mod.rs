//! Class files with probes: methods that report to a class of the replay which instructions they reach and how
//! their branches go.
//!
//! A probe never jumps and leaves the operand stack as it was: before a branch its operands are copied and
//! handed over, elsewhere a number is. So no new frames are needed for the verifier; the old ones move
//! with their instructions. Debug tables of the changed methods are dropped.
//!
//! Not here: the class that probes call (`CLASS`), which the replay has.

mod code;

use std::collections::BTreeSet;

use crate::changed::{Constants, with_code};
use crate::classfile::ClassFileError;
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
    let mut sites: Vec<Site> = Vec::new();
    let mut is_done = vec![false; wanted.len()];
    let bytes = with_code(bytes, probe_constants, |pool, methods, method, contents| {
        let is_it = |one: &Wanted| (&*one.name, &*one.descriptor) == method;
        let Some(position) = wanted.iter().position(is_it) else { return Ok(None) };
        let first = first + sites.len();
        let changed = rewrite(pool, contents, &wanted[position], methods, first)?;
        Ok(changed.map(|(contents, found)| {
            is_done[position] = true;
            sites.extend(found.into_iter().map(|(pc, kind)| Site { method: position, pc, kind }));
            contents
        }))
    })?;
    let refused = (0..wanted.len()).filter(|&position| !is_done[position]).collect();
    Ok(Probed { bytes, sites, refused })
}

/// Constants for the calls of probes.
fn probe_constants(constants: &mut Constants) -> Option<Methods> {
    let class_name = constants.text(CLASS)?;
    let class = constants.add(&[&[7][..], &class_name.to_be_bytes()].concat())?;
    let pair = |tag: u8, a: u16, b: u16| [&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat();
    let mut method = |name: &str, descriptor: &str| -> Option<u16> {
        let name = constants.text(name)?;
        let descriptor = constants.text(descriptor)?;
        let name_and_type = constants.add(&pair(12, name, descriptor))?;
        constants.add(&pair(10, class, name_and_type))
    };
    Some(Methods {
        hit: method("hit", "(I)V")?,
        one: method("one", "(II)V")?,
        two: method("two", "(III)V")?,
        reference: method("one", "(Ljava/lang/Object;I)V")?,
        references: method("two", "(Ljava/lang/Object;Ljava/lang/Object;I)V")?,
    })
}
