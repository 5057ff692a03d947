//! Memory at addresses that a program writes as numbers and gives a type: registers of devices become objects.
//!
//! Numbers that are no plausible address (small ones, negative ones, `-1` as a mark) stay numbers, and so does what overlaps
//! another register without lying inside it.

use std::collections::BTreeMap;

use glassbox_ir::{Global, GlobalId, GlobalKind, Linkage};

use super::ProgramLowering;
use crate::ty::kind::{TypeId, TypeKind};

/// Below, a number is null with an offset, or a small number that is kept in a pointer; nothing can be mapped there.
const FIRST: u64 = 0x1_0000;

/// Devices lie below; where the address of an object is taken as a number, engines use numbers from here on.
const END: u64 = 1 << 36;

/// Bytes of one register block at most.
const MAX_SIZE: u64 = 1 << 16;

/// A place in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RegisterPlace {
    pub global: GlobalId,
    pub offset: u64,
}

/// Registers by their addresses.
#[derive(Debug, Default)]
pub(super) struct Registers {
    by_address: BTreeMap<u64, GlobalId>,
}

impl ProgramLowering<'_> {
    /// What a pointer of this type points to that is this number.
    pub(super) fn register_at(&mut self, address: u64, pointer: TypeId) -> Option<RegisterPlace> {
        let types = &self.tree.types;
        let pointee = types.pointee(pointer)?;
        let is_other =
            matches!(types.kind(pointee), TypeKind::Array { .. } | TypeKind::Function(_));
        let is_plain =
            !is_other && types.is_complete(pointee) && !types.is_variable_length(pointee);
        let size =
            types.size_of(pointee).filter(|size| is_plain && (1..=MAX_SIZE).contains(size))?;
        if !(FIRST..END).contains(&address) {
            return None;
        }
        let end = address + size;
        for &global in self.registers.by_address.values() {
            let known = &self.out.globals[global.index()];
            let start = known.kind.fixed_address()?;
            if start <= address && end <= start + known.size {
                return Some(RegisterPlace { global, offset: address - start });
            }
            if start < end && address < start + known.size {
                return None;
            }
        }
        let align = types.align_of(pointee);
        let source_type = self.source_type(pointee);
        let global = self.add_global(Global {
            name: format!("register_{address:08x}"),
            kind: GlobalKind::Register(address),
            linkage: Linkage::External,
            source_type,
            size,
            align,
            is_const: false,
            initializer: None,
            span: glassbox_ir::Span::nowhere(),
        });
        self.registers.by_address.insert(address, global);
        Some(RegisterPlace { global, offset: 0 })
    }
}
