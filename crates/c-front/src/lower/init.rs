//! Initializers of automatic objects: stores, after zeroing what is not mentioned.

use glassbox_ir::instr::CastOp;
use glassbox_ir::{InstrKind, Mark, MemoryOp, Operand, PureOp, Ty};
use glassbox_values::{Bits, Signedness};

use super::body::{BodyLowering, size};
use super::place::{BitRange, Place};
use crate::span::Span;
use crate::tree::{AddressBase, Constant, Init, InitItem, InitValue, Repeat, StringId, VariableId};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};

/// Repetitions above this are copied in bulk from the first element.
const MAX_UNROLLED: u64 = 64;

impl BodyLowering<'_, '_> {
    /// `(type){...}` inside a function: its object starts anew at each evaluation.
    pub(super) fn compound_literal(&mut self, id: VariableId, init: &Init, span: Span) {
        self.at(span);
        // A new object each time would leave pointers to the last one dangling; within one block it is
        // the same object, so it is started once per block and initialized at each evaluation.
        self.slot(id);
        self.initialize(id, init, span);
    }

    /// Gives a variable that is alive its first content.
    pub(super) fn initialize(&mut self, id: VariableId, init: &Init, span: Span) {
        let ty = self.tree.variable(id).ty;
        match init {
            Init::Value(value) => self.initialize_whole(id, value, ty, span),
            Init::Items(items) => {
                let bytes = self.object_size(id);
                let base = self.variable_place(id, ty).ptr;
                if !self.covers(items, bytes) {
                    self.at(span);
                    self.zero_members(base, ty, bytes);
                }
                for item in items {
                    self.item(base, item);
                }
                self.at(span);
                self.open_unions(base, (ty, 0), items);
                self.mark_def_of(id);
            }
        }
    }

    /// Bytes of unions beside the member that was set are what compilers like (C11 6.2.6.1p7), even if they were zero before.
    fn open_unions(&mut self, base: Operand, (ty, at): (TypeId, u64), items: &[InitItem]) {
        let end = at.saturating_add(self.size_of(ty));
        let is_inside = |item: &&InitItem| at <= item.offset && item.offset < end;
        let inside: Vec<InitItem> = items.iter().filter(is_inside).cloned().collect();
        let types = &self.tree.types;
        let Some(body) = types.record_of(ty).and_then(|record| types.record_body(record)) else {
            return;
        };
        if inside.is_empty() {
            return;
        }
        if !types.is_union(ty) {
            let fields: Vec<(TypeId, u64)> =
                body.fields.iter().map(|field| (field.ty, at + field.offset)).collect();
            fields.into_iter().for_each(|field| self.open_unions(base, field, &inside));
            return;
        }
        let set = inside.iter().map(|item| item.offset.saturating_add(self.size_of(item.ty)));
        let set = set.max().unwrap_or(end);
        if set < end {
            let ptr = self.offset_by(base, set);
            self.b.push(InstrKind::Mark(Mark::Opened { ptr, size: end - set }));
        }
    }

    fn initialize_whole(&mut self, id: VariableId, value: &InitValue, ty: TypeId, span: Span) {
        match value {
            InitValue::Expr(expr) => {
                let value = self.value(*expr);
                self.at(span);
                let place = self.variable_place(id, ty);
                let place = Place { is_sure: true, ..place };
                if self.scalar(ty).is_none() && !self.tree.types.is_complete(ty) {
                    return;
                }
                self.store(&place, value);
                self.remember_member(id, *expr, value);
            }
            InitValue::Constant(constant) => {
                self.at(span);
                let place = self.variable_place(id, ty);
                let place = Place { is_sure: true, ..place };
                let value = self.constant_value(*constant, ty);
                self.store(&place, value);
            }
            InitValue::String(string) => {
                self.at(span);
                let base = self.variable_place(id, ty).ptr;
                let bytes = self.object_size(id);
                self.copy_string(base, *string, bytes);
                self.mark_def_of(id);
            }
            InitValue::Unsupported(what) => {
                self.at(span);
                self.unsupported(what.to_string(), None);
            }
        }
    }

    /// One scalar item that fills the object needs no zeros before it.
    fn covers(&self, items: &[InitItem], bytes: u64) -> bool {
        let mut end = 0;
        for item in items {
            if item.bits.is_some() || !item.repeats.is_empty() || item.offset > end {
                return false;
            }
            let is_string = matches!(item.value, InitValue::String(_));
            let Some(item_size) = self.tree.types.size_of(item.ty) else { return false };
            if self.scalar(item.ty).is_none() && !is_string {
                return false;
            }
            end = end.max(item.offset.saturating_add(item_size));
        }
        end >= bytes
    }

    fn item(&mut self, base: Operand, item: &InitItem) {
        let total = item.repeats.iter().fold(1u64, |n, repeat| n.saturating_mul(repeat.count));
        if total == 0 {
            return;
        }
        let value = match &item.value {
            InitValue::Expr(expr) => Some(self.value(*expr)),
            InitValue::Constant(constant) => {
                self.at(item.span);
                Some(self.constant_value(*constant, item.ty))
            }
            InitValue::String(_) => None,
            InitValue::Unsupported(what) => {
                self.at(item.span);
                self.unsupported(what.to_string(), None);
                return;
            }
        };
        self.at(item.span);
        self.store_item(base, item, value, 0);
        // The first copy is there; the others are copies of it, innermost ranges first.
        let mut copied = self.tree.types.size_of(item.ty).unwrap_or(0);
        for repeat in item.repeats.iter().rev() {
            self.repeat(base, item, value, copied, *repeat);
            copied =
                repeat.stride.saturating_mul(repeat.count.saturating_sub(1)).saturating_add(copied);
        }
    }

    /// Repeats the `bytes` at the item's offset.
    fn repeat(
        &mut self,
        base: Operand,
        item: &InitItem,
        value: Option<Operand>,
        bytes: u64,
        Repeat { count, stride }: Repeat,
    ) {
        let is_single = item.repeats.len() == 1;
        if is_single && count <= MAX_UNROLLED {
            for index in 1..count {
                self.store_item(base, item, value, index.saturating_mul(stride));
            }
            return;
        }
        if item.bits.is_some() {
            self.unsupported("a range of bit-fields in an initializer", None);
            return;
        }
        // Doubling keeps the number of copies small however long the range is.
        let mut done = 1;
        let from = self.offset_by(base, item.offset);
        while done < count {
            let n = done.min(count - done);
            let to = self.offset_by(from, done.saturating_mul(stride));
            let len = size(stride.saturating_mul(n - 1).saturating_add(bytes));
            self.b.push(MemoryOp::Copy { dst: to, src: from, len, is_volatile: false });
            done += n;
        }
    }

    fn store_item(&mut self, base: Operand, item: &InitItem, value: Option<Operand>, extra: u64) {
        let offset = item.offset.saturating_add(extra);
        if let InitValue::String(string) = item.value {
            let ptr = self.offset_by(base, offset);
            let bytes = self.string_room(item.ty, string);
            self.copy_string(ptr, string, bytes);
            return;
        }
        let Some(value) = value else { return };
        let (offset, bits) = match item.bits {
            None => (offset, None),
            Some(bits) => {
                let signedness =
                    self.tree.types.signedness(item.ty).unwrap_or(Signedness::Unsigned);
                let start = u8::try_from(bits.bit_offset % 8).unwrap_or(0);
                let range = BitRange { start, width: bits.width.max(1), signedness };
                (offset.saturating_add(bits.bit_offset / 8), Some(range))
            }
        };
        let ptr = self.offset_by(base, offset);
        let place = Place { bits, is_sure: true, ..self.at_address(ptr, item.ty) };
        self.store(&place, value);
    }

    /// Bytes that a string literal initializes: its array's, or the literal's own for a flexible member.
    fn string_room(&self, ty: TypeId, string: StringId) -> u64 {
        if let TypeKind::Array { length: ArrayLength::Fixed(_), .. } = self.tree.types.kind(ty) {
            return self.size_of(ty);
        }
        u64::try_from(self.tree.string(string).bytes.len()).unwrap_or(u64::MAX)
    }

    /// Copies the literal into `bytes` bytes, filling up with zeros.
    fn copy_string(&mut self, dst: Operand, string: StringId, bytes: u64) {
        let literal = u64::try_from(self.tree.string(string).bytes.len()).unwrap_or(u64::MAX);
        let copied = literal.min(bytes);
        let src = Operand::Global(self.program.string_global(string));
        if copied > 0 {
            self.b.push(MemoryOp::Copy { dst, src, len: size(copied), is_volatile: false });
        }
        let rest = self.offset_by(dst, copied);
        self.zero_fill(rest, bytes - copied);
    }

    /// A constant as a value of a type.
    pub(super) fn constant_value(&mut self, constant: Constant, ty: TypeId) -> Operand {
        let wanted = self.scalar(ty).unwrap_or(Ty::I64);
        match constant {
            Constant::Int(bits) => match wanted {
                Ty::Ptr if bits.is_zero() => Operand::NullPtr,
                Ty::Ptr => {
                    let wide = Operand::Int(bits.resize(64, Signedness::Unsigned));
                    self.pointer_from_number(wide, ty)
                }
                Ty::Int(width) => Operand::Int(bits.resize(width, Signedness::Signed)),
                Ty::Float(_) => Operand::Int(bits),
            },
            Constant::Float(float) => Operand::Float(float),
            Constant::Address { base, offset } => {
                let base = match base {
                    AddressBase::Variable(id) => self.variable_place(id, ty).ptr,
                    AddressBase::Function(id) => Operand::Func(self.program.function_id(id)),
                    AddressBase::String(id) => Operand::Global(self.program.string_global(id)),
                    AddressBase::Label(label) => {
                        let arg = size(self.program.label_number(label));
                        let op = CastOp::IntToPtr;
                        self.emit(PureOp::Cast { op, arg, to: Ty::Ptr }, Ty::Ptr)
                    }
                };
                let ptr = self.add_bytes(base, Operand::Int(Bits::from_i64(offset, 64)));
                if wanted == Ty::Ptr {
                    return ptr;
                }
                let to = Ty::I64;
                self.emit(PureOp::Cast { op: CastOp::PtrToInt, arg: ptr, to }, to)
            }
        }
    }

    /// Bytes of a variable, which a flexible array member's initializer may make larger than its type.
    pub(super) fn object_size(&self, id: VariableId) -> u64 {
        self.size_of(self.tree.variable(id).ty)
    }
}
