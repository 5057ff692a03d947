//! Places: where objects are, reading and writing them.

use glassbox_ir::{
    Access, Check, CheckKind, InstrKind, Linkage, Mark, MemoryOp, Operand, Part, PointerOp, Ty,
};
use glassbox_values::Signedness;

use super::body::{BodyLowering, Slot, size};
use crate::tree::{Category, Conversion, ExprId, ExprKind, FieldRef, Program, Storage, VariableId};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};

/// What the address is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The object is read or written right away, which is checked there.
    Access,
    /// The address itself is wanted: one past the end is fine, further is not.
    Address,
}

/// An object in memory, or a bit-field of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) ptr: Operand,
    pub(super) ty: TypeId,
    pub(super) bits: Option<BitRange>,
    pub(super) is_volatile: bool,
    /// The source variable that this is, is a part of, or is behind.
    pub(super) var: Option<Access>,
    /// What a store leaves open beside the place.
    pub(super) beside: Besides,
    /// Inside a variable that is alive by name, at a constant offset: writing it cannot go wrong.
    pub(super) is_sure: bool,
}

/// The bytes of a union beside a member that is smaller, and those between the members of that: they take unspecified
/// values when the member or a part of it is stored (C11 6.2.6.1p6, p7).
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    union: Operand,
    /// From the start of the union.
    offset: u64,
    size: u64,
    /// The type of the member.
    member: TypeId,
}

/// What lies beside a place: in the outermost union that it is in, and in the innermost.
pub(super) type Besides = [Option<Beside>; 2];

pub(super) const NOTHING_BESIDE: Besides = [None, None];

/// More holes in a structure than this are not told apart.
const MAX_HOLES: usize = 64;

/// What a pointer that is dereferenced leads to.
pub(super) struct Reached {
    pub(super) ptr: Operand,
    /// The variable that it stays inside of.
    pub(super) var: Option<Access>,
    pub(super) beside: Besides,
}

/// A bit-field's bits, from the byte that `Place::ptr` points to.
#[derive(Debug, Clone, Copy)]
pub(super) struct BitRange {
    pub(super) start: u8,
    pub(super) width: u8,
    pub(super) signedness: Signedness,
}

impl BitRange {
    /// Bytes that the field touches.
    pub(super) fn bytes(self) -> u64 {
        u64::from(self.start + self.width).div_ceil(8)
    }
}

impl Place {
    pub(super) fn reached(self) -> Reached {
        Reached { ptr: self.ptr, var: self.var, beside: self.beside }
    }
}

/// Some bits of what is accessed.
pub(super) fn part_of(access: Access, first: u64, count: u64) -> Access {
    let part = match access.part {
        Part::Whole => Part::Bits { first, count },
        Part::Bits { first: outer, .. } => Part::Bits { first: outer.saturating_add(first), count },
        Part::Somewhere => Part::Somewhere,
    };
    Access { part, ..access }
}

impl BodyLowering<'_, '_> {
    /// The place that an expression designates; a record value gives the place that holds it.
    pub(super) fn place(&mut self, id: ExprId, purpose: Purpose) -> Place {
        match self.nested(|this| this.place_of(id, purpose)) {
            Some(place) => place,
            None => {
                let ptr = self.unsupported("an expression nested too deeply", Some(Ty::Ptr));
                self.at_address(ptr, self.tree.expr(id).ty)
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "any other expression is a value; a record value is in memory already"
    )]
    fn place_of(&mut self, id: ExprId, purpose: Purpose) -> Place {
        let tree = self.tree;
        let expr = tree.expr(id);
        match &expr.kind {
            ExprKind::Variable(variable) => {
                self.at(expr.span);
                let place = self.variable_place(*variable, expr.ty);
                if purpose == Purpose::Address {
                    self.note_stream_changed(place.ptr);
                }
                place
            }
            ExprKind::String(string) => {
                let global = self.program.string_global(*string);
                self.at_address(Operand::Global(global), expr.ty)
            }
            ExprKind::CompoundLiteral { variable, init } => {
                self.compound_literal(*variable, init, expr.span);
                self.variable_place(*variable, expr.ty)
            }
            ExprKind::Deref(pointer) => {
                let Reached { ptr, var, beside } = self.pointer_to_object(*pointer, purpose);
                let is_looked_at = matches!(
                    tree.expr(*pointer).kind,
                    ExprKind::PointerAdd { .. }
                        | ExprKind::AddressOf(_)
                        | ExprKind::Convert { conversion: Conversion::ArrayDecay, .. }
                );
                if purpose == Purpose::Access && !is_looked_at {
                    self.at(expr.span);
                    self.check_member(*pointer, ptr, Some(self.size_of(expr.ty)));
                }
                if purpose == Purpose::Access {
                    self.at(expr.span);
                    self.mark_forgetful_access(*pointer);
                }
                let var = var.map(|access| match access.part {
                    Part::Whole if access.is_behind => {
                        part_of(access, 0, self.size_of(expr.ty).saturating_mul(8))
                    }
                    Part::Whole | Part::Bits { .. } | Part::Somewhere => access,
                });
                Place { var, beside, ..self.at_address(ptr, expr.ty) }
            }
            ExprKind::Member { base, field } => {
                let base_place = if tree.expr(*base).category == Category::Place {
                    // A member of an element needs the element, so its address is checked like that of the element.
                    let is_part = match &tree.expr(*base).kind {
                        ExprKind::Member { .. } => true,
                        ExprKind::Deref(at) => {
                            matches!(tree.expr(*at).kind, ExprKind::PointerAdd { .. })
                        }
                        _ => false,
                    };
                    self.place(*base, if is_part { purpose } else { Purpose::Access })
                } else {
                    let ptr = self.value(*base);
                    self.at_address(ptr, tree.expr(*base).ty)
                };
                self.at(expr.span);
                if purpose == Purpose::Address {
                    self.check_object_of_member(*base, base_place.ptr);
                }
                self.member(base_place, *field, expr.ty)
            }
            ExprKind::Unsupported(what) => {
                self.at(expr.span);
                let ptr = self.unsupported(what.to_string(), Some(Ty::Ptr));
                self.at_address(ptr, expr.ty)
            }
            _ => self.value_as_place(id, expr.ty),
        }
    }

    /// The memory that holds a value; a scalar gets some.
    fn value_as_place(&mut self, id: ExprId, ty: TypeId) -> Place {
        let value = self.value(id);
        if self.scalar(ty).is_none() {
            return self.at_address(value, ty);
        }
        let ptr = self.temporary(ty);
        self.b.push(MemoryOp::Store { ptr, value, is_volatile: false });
        self.at_address(ptr, ty)
    }

    /// Whatever is at an address.
    pub(super) fn at_address(&self, ptr: Operand, ty: TypeId) -> Place {
        let is_volatile = self.tree.types.qualifiers(ty).may_change();
        Place {
            ptr,
            ty,
            bits: None,
            is_volatile,
            var: None,
            beside: NOTHING_BESIDE,
            is_sure: false,
        }
    }

    pub(super) fn variable_place(&mut self, id: VariableId, ty: TypeId) -> Place {
        let is_array = self.tree.types.is_array(ty);
        if let Some(what) = self.program.unmodeled.variables.get(&id) {
            let what = what.to_string();
            self.unsupported(what, None);
        }
        let (ptr, is_sure) = match self.tree.variable(id).storage {
            Storage::Static => (Operand::Global(self.program.global_id(id)), true),
            Storage::Automatic => match self.slot(id) {
                Slot::Local(local) => (self.local_addr(local), true),
                Slot::Address(ptr) => (ptr, true),
                Slot::Indirect(holder) => {
                    let holder = self.local_addr(holder);
                    let load = InstrKind::Memory(MemoryOp::Load {
                        ty: Ty::Ptr,
                        ptr: holder,
                        is_volatile: false,
                    });
                    (self.emit(load, Ty::Ptr), false)
                }
            },
        };
        let var = self.var_ref(id).map(Access::whole);
        Place { var, is_sure: is_sure && !is_array, ..self.at_address(ptr, ty) }
    }

    fn member(&mut self, base: Place, field: FieldRef, ty: TypeId) -> Place {
        let is_volatile = base.is_volatile || self.tree.types.qualifiers(ty).may_change();
        let (offset, bits) = match field.bits {
            None => (field.offset, None),
            Some(bits) => {
                let signedness = self.tree.types.signedness(ty).unwrap_or(Signedness::Unsigned);
                let start = u8::try_from(bits.bit_offset % 8).unwrap_or(0);
                let range = BitRange { start, width: bits.width.max(1), signedness };
                (bits.bit_offset / 8, Some(range))
            }
        };
        let ptr = self.offset_by(base.ptr, offset);
        let is_sure = base.is_sure && !self.tree.types.is_array(ty);
        let (first, count) = match bits {
            Some(range) => (offset * 8 + u64::from(range.start), u64::from(range.width)),
            None => (offset * 8, self.size_of(ty).saturating_mul(8)),
        };
        let var = base.var.map(|access| part_of(access, first, count));
        let mut beside = base.beside;
        if let Some(found) = self.beside_member(&base, (first + count).div_ceil(8), ty) {
            beside[usize::from(beside[0].is_some())] = Some(found);
        }
        Place { ptr, ty, bits, is_volatile, var, beside, is_sure }
    }

    /// What lies beside the first bytes of a union, which a member of it has. Registers are what they are.
    fn beside_member(&self, base: &Place, end: u64, member: TypeId) -> Option<Beside> {
        let is_union = self.tree.types.is_union(base.ty) && !base.is_volatile;
        let has_holes = || self.tree.types.record_of(member).is_some();
        let size = self.size_of(base.ty);
        (is_union && (end < size || has_holes())).then(|| Beside {
            union: base.ptr,
            offset: end.min(size),
            size: size.saturating_sub(end),
            member,
        })
    }

    /// Says what a store left open.
    pub(super) fn mark_beside(&mut self, place: &Place) {
        for beside in place.beside.into_iter().flatten() {
            let mut holes = Vec::new();
            self.holes(beside.member, 0, &mut holes);
            holes.push((beside.offset, beside.size));
            for (offset, size) in holes.into_iter().filter(|(_, size)| *size > 0) {
                let ptr = self.offset_by(beside.union, offset);
                self.b.push(InstrKind::Mark(Mark::Opened { ptr, size }));
            }
        }
    }

    /// The bytes between the members of a structure, those of structures inside of it included.
    fn holes(&self, ty: TypeId, at: u64, found: &mut Vec<(u64, u64)>) {
        let types = &self.tree.types;
        if found.len() >= MAX_HOLES {
            return;
        }
        if let Some(element) = types.element(ty) {
            let unit = self.size_of(element);
            if types.record_of(element).is_some() && unit > 0 {
                for index in 0..self.size_of(ty) / unit {
                    if found.len() >= MAX_HOLES {
                        break;
                    }
                    self.holes(element, at + index * unit, found);
                }
            }
            return;
        }
        let body = types.record_of(ty).and_then(|record| types.record_body(record));
        let Some(body) = body.filter(|_| !types.is_union(ty)) else { return };
        let mut end = 0;
        for field in &body.fields {
            let (start, next) = match field.bits {
                Some(bits) => {
                    let last = bits.bit_offset + u64::from(bits.width);
                    (bits.bit_offset / 8, last.div_ceil(8))
                }
                None => (field.offset, field.offset + self.size_of(field.ty)),
            };
            if start > end {
                found.push((at + end, start - end));
            }
            self.holes(field.ty, at + field.offset, found);
            end = end.max(next);
        }
        if self.size_of(ty) > end {
            found.push((at + end, self.size_of(ty) - end));
        }
    }

    /// The address of a member of nothing is no address: `&p->b` needs an object as much as `p + 1` does. A null pointer that
    /// is written as such is how programs ask for an offset.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other pointers may be null")]
    fn check_object_of_member(&mut self, base: ExprId, ptr: Operand) {
        let ExprKind::Deref(pointer) = self.tree.expr(base).kind else { return };
        let at = self.tree.unconverted(pointer);
        let is_known = match self.tree.expr(at).kind {
            // Addresses of objects are there.
            ExprKind::AddressOf(_) => true,
            ExprKind::PointerAdd { pointer, .. } => {
                let kind = &self.tree.expr(pointer).kind;
                matches!(kind, ExprKind::Convert { conversion: Conversion::ArrayDecay, .. })
            }
            ExprKind::Convert { conversion, .. } => matches!(
                conversion,
                Conversion::NullToPointer | Conversion::IntToPointer | Conversion::ArrayDecay
            ),
            _ => false,
        };
        if !is_known {
            let condition = self.is_nonzero(ptr);
            let kind = CheckKind::PointerOverflow;
            let check = Check::Condition { kind, condition, values: vec![ptr], demand: None };
            self.b.push(InstrKind::Check(check));
        }
    }

    /// Functions of the library use the standard streams without asking what the variables hold, here; a program that
    /// gives them another value, or may do so, is not followed.
    fn note_stream_changed(&mut self, ptr: Operand) {
        let Operand::Global(global) = ptr else { return };
        let declared = self.program.out.global(global);
        let stream = glassbox_library::standard_stream(&declared.name);
        let is_declared = declared.initializer.is_none() && declared.linkage == Linkage::External;
        if stream.is_some() && is_declared {
            let what = format!("a program that replaces `{}`", declared.name);
            self.unsupported(what, None);
        }
    }

    /// A constant number of bytes further.
    pub(super) fn offset_by(&mut self, base: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return base;
        }
        self.emit(PointerOp::Add { base, offset: size(offset) }, Ty::Ptr)
    }

    /// The pointer that is dereferenced, and the variable that it stays inside of.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what other pointers point to is known only when the program runs"
    )]
    fn pointer_to_object(&mut self, id: ExprId, purpose: Purpose) -> Reached {
        let tree = self.tree;
        match &tree.expr(id).kind {
            ExprKind::PointerAdd { pointer, index, step } => {
                let span = tree.expr(id).span;
                self.element(*pointer, *index, *step, span, purpose)
            }
            ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. } => {
                self.place(*operand, Purpose::Access).reached()
            }
            ExprKind::AddressOf(operand) if tree.expr(*operand).category == Category::Place => {
                self.place(*operand, purpose).reached()
            }
            _ => Reached { ptr: self.value(id), var: self.behind(id), beside: NOTHING_BESIDE },
        }
    }

    /// Reads a place: a scalar's value, or the address of anything larger.
    pub(super) fn load(&mut self, place: &Place) -> Operand {
        let Some(ty) = self.scalar(place.ty) else {
            self.mark_use(place.var);
            if place.is_volatile && self.tree.types.record_of(place.ty).is_some() {
                return self.copy_volatile(place.ptr, place.ty);
            }
            return place.ptr;
        };
        self.mark_use(place.var);
        if let Some(bits) = place.bits {
            return self.load_bits(place, bits, ty);
        }
        self.check_readable(place.ptr, ty.size(self.tree.types.pointers()));
        let is_volatile = place.is_volatile;
        self.emit(MemoryOp::Load { ty, ptr: place.ptr, is_volatile }, ty)
    }

    /// Writes a place; of anything larger than a scalar, `value` is the address. Gives what the place
    /// holds afterwards.
    pub(super) fn store(&mut self, place: &Place, value: Operand) -> Operand {
        let Some(ty) = self.scalar(place.ty) else {
            self.copy_record(place.ptr, value, place.ty);
            self.mark_beside(place);
            self.mark_def(place.var);
            return place.ptr;
        };
        if let Some(bits) = place.bits {
            return self.store_bits(place, bits, value);
        }
        self.note_stream_changed(place.ptr);
        if !place.is_sure {
            self.check_writable(place.ptr, ty.size(self.tree.types.pointers()));
        }
        let is_volatile = place.is_volatile;
        self.b.push(MemoryOp::Store { ptr: place.ptr, value, is_volatile });
        self.mark_beside(place);
        self.mark_def(place.var);
        value
    }
}

/// The number of elements of an array place whose bounds an index must respect. What a pointer leads to may be
/// longer than its type, as before flexible array members existed, so the bounds of an array at its end are
/// those of the object.
pub(super) fn known_length(program: &Program, array: ExprId) -> Option<u64> {
    let TypeKind::Array { length: ArrayLength::Fixed(length), .. } =
        *program.types.kind(program.expr(array).ty)
    else {
        return None;
    };
    (!may_be_longer(program, array)).then_some(length)
}

/// Whether a place is the end of something that a pointer leads to.
fn may_be_longer(program: &Program, place: ExprId) -> bool {
    let types = &program.types;
    let mut at = place;
    let mut is_member = false;
    while let ExprKind::Member { base, field } = &program.expr(at).kind {
        let ty = program.expr(*base).ty;
        let body = types.record_of(ty).and_then(|record| types.record_body(record));
        let is_last = body.is_none_or(|body| field.index as usize + 1 == body.fields.len());
        if !is_last && !types.is_union(ty) {
            return false;
        }
        (at, is_member) = (*base, true);
    }
    let is_own =
        matches!(program.expr(at).kind, ExprKind::Variable(_) | ExprKind::CompoundLiteral { .. });
    is_member && !is_own
}
