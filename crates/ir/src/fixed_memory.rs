//! Memory at addresses that a program writes as numbers: registers of devices, frame buffers, boot loaders.
//!
//! What is there, and whether anything is there at all, is up to the machine. Where a type says what is at an address,
//! front-ends make it an object ([`crate::GlobalKind::Register`]). No engine has the rest of such memory: runs and paths that use
//! it stop as not understood, never as failed.

use crate::instr::{CastOp, InstrKind, Operand, PureOp};
use crate::program::Program;
use crate::shape::Shape;
use crate::ty::PointerSize;
use crate::{Global, SourceTypeId};

/// What such an access is called.
pub const NAME: &str = "memory at a fixed address";

/// Numbers below this are null with an offset, unless the program writes one of them as an address.
const FIRST: u64 = 0x1_0000;

/// Bytes behind an address that belong to it.
const NEAR_NULL: u64 = 0x40;
const ELSEWHERE: u64 = 0x100_0000;

/// The addresses that a program has as constants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FixedMemory {
    addresses: Vec<u64>,
}

impl FixedMemory {
    pub fn of(program: &Program) -> FixedMemory {
        let mut addresses = Vec::new();
        for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                if let InstrKind::Pure(PureOp::Cast {
                    op: CastOp::IntToPtr,
                    arg: Operand::Int(bits),
                    ..
                }) = &instr.kind
                {
                    addresses.extend(bits.to_u64());
                }
            }
        }
        for global in &program.globals {
            addresses.extend(global.kind.fixed_address());
            add_pointers(program, global, global.source_type, 0, &mut addresses);
        }
        addresses.retain(|&address| address != 0);
        addresses.sort_unstable();
        addresses.dedup();
        FixedMemory { addresses }
    }

    /// Whether a constant of the program leads to this address.
    pub fn contains(&self, address: u64) -> bool {
        let n_before = self.addresses.partition_point(|&known| known <= address);
        let known = n_before.checked_sub(1).map(|position| self.addresses[position]);
        known.is_some_and(|known| {
            address - known < if known < FIRST { NEAR_NULL } else { ELSEWHERE }
        })
    }

    /// Whether a number that the program computed from constants alone may be such an address.
    pub fn may_contain(&self, address: u64) -> bool {
        self.contains(address) || (FIRST..=u64::MAX - FIRST).contains(&address)
    }
}

/// The pointers that a variable starts with as numbers.
fn add_pointers(
    program: &Program,
    global: &Global,
    ty: SourceTypeId,
    offset: u64,
    found: &mut Vec<u64>,
) {
    let Some(initializer) = &global.initializer else { return };
    let n_bytes = initializer.bytes.len() as u64;
    if offset >= n_bytes {
        return;
    }
    match program.shape(ty) {
        Shape::Pointer { .. } => {
            let is_relocated = initializer.relocations.iter().any(|known| known.offset == offset);
            let size = if program.pointers == PointerSize::Four { 4 } else { 8 };
            let bytes =
                usize::try_from(offset).ok().and_then(|at| initializer.bytes.get(at..at + size));
            if let Some(bytes) = bytes
                && !is_relocated
            {
                let number = bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
                found.push(number);
            }
        }
        Shape::Array { element, .. } => {
            let size = program.size_of_source_type(element).max(1);
            let n_elements = (n_bytes - offset).div_ceil(size).min(4096);
            for index in 0..n_elements {
                add_pointers(program, global, element, offset + index * size, found);
            }
        }
        Shape::Record { fields: Some(fields), .. } => {
            for field in fields {
                add_pointers(program, global, field.ty, offset + field.offset, found);
            }
        }
        Shape::Void
        | Shape::Number(_)
        | Shape::Record { fields: None, .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => {}
    }
}
