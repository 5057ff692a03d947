//! Instructions as terms, events and changes of memory.

use glassbox_ir::instr::CastOp;
use glassbox_ir::{Instr, InstrKind, MemoryOp, Operand, PointerOp, PureOp, Ty, VarArgsOp};
use glassbox_model::meaning::integer;
use glassbox_terms::{Sort, TermId};

use super::body::Activation;
use super::build::{Builder, Declared};
use super::memory::{Content, Object, Ptr, State, Targets, Val};
use super::place::Place;
use super::{Doubt, Event, compares_with_constant, pure};

impl Builder<'_> {
    pub(super) fn instr(&mut self, activation: &mut Activation<'_>, instr: &Instr, place: Place) {
        let value = self.value_of(activation, instr, place);
        if let Some(result) = instr.result
            && self.here.is_some()
        {
            let value = value.unwrap_or_else(|| {
                let ty = activation.body.value_ty(result);
                self.opaque_of(ty)
            });
            let value = match self.doubt(activation.frame.function, result) {
                Some(_) => self.opaque_of(activation.body.value_ty(result)),
                None => value,
            };
            activation.values[result.index()] = Some(value);
        }
    }

    /// The value an instruction gives; `None` where it gives none, or nothing is known of it.
    fn value_of(
        &mut self,
        activation: &mut Activation<'_>,
        instr: &Instr,
        place: Place,
    ) -> Option<Val> {
        match &instr.kind {
            InstrKind::Pure(op) => self.pure(activation, op),
            InstrKind::Pointer(op) => self.pointer_op(activation, op),
            InstrKind::Memory(op) => self.memory_op(activation, op, place),
            InstrKind::VarArgs(op) => {
                self.var_args(activation, op);
                None
            }
            InstrKind::Call(call) => {
                let call = call.clone();
                self.call(activation, &call, instr.result, place)
            }
            InstrKind::Check(check) => {
                let check = check.clone();
                self.check(activation, &check, place);
                None
            }
            InstrKind::Assume { condition } => {
                let fact = self.term(activation, *condition);
                self.event(Event::Assume(fact));
                None
            }
            InstrKind::Mark(_) => None,
            InstrKind::Unsupported { what, .. } => {
                if let Some(here) = self.here {
                    self.graph.unsupported.push((here, what.clone(), instr.span));
                }
                self.forget_everything();
                activation.stale.pass(place.block);
                None
            }
        }
    }

    fn pure(&mut self, activation: &Activation<'_>, op: &PureOp) -> Option<Val> {
        if let PureOp::Select { condition, if_true, if_false } = op {
            let condition = self.term(activation, *condition);
            let yes = self.operand(activation, *if_true);
            let no = self.operand(activation, *if_false);
            return Some(self.either(condition, yes, no));
        }
        if let PureOp::Cast { arg, .. } = op {
            let value = self.operand(activation, *arg);
            return self.cast(op, value);
        }
        let mut args = Vec::with_capacity(3);
        let is_compared = compares_with_constant(op);
        op.for_each_operand(|operand| {
            let steady = if is_compared { self.steady(activation, *operand) } else { None };
            args.push(steady.unwrap_or_else(|| self.term(activation, *operand)));
        });
        pure::number(self.terms(), op, &args).map(Val::Term)
    }

    /// The number that a value in doubt is at each comparison with a constant.
    fn steady(&mut self, activation: &Activation<'_>, operand: Operand) -> Option<TermId> {
        let Operand::Value(value) = operand else { return None };
        let is_steady = self.doubt(activation.frame.function, value) == Some(Doubt::Steady)
            && !activation.stale.has(value, activation.block);
        match activation.values[value.index()] {
            Some(Val::Term(term)) if is_steady => Some(term),
            Some(_) | None => None,
        }
    }

    fn cast(&mut self, cast: &PureOp, value: Val) -> Option<Val> {
        let PureOp::Cast { op, to, .. } = *cast else { return None };
        match (op, value, to) {
            (CastOp::IntToPtr, Val::Term(term), _) => Some(Val::Ptr(Ptr::Number(term))),
            (_, Val::Ptr(ptr), Ty::Ptr) => Some(Val::Ptr(ptr)),
            (_, Val::Ptr(_), Ty::Int(_) | Ty::Float(_)) => {
                let number = self.number(value);
                match to {
                    Ty::Int(64) => Some(Val::Term(number)),
                    Ty::Int(width) if width < 64 => {
                        let term = self.terms().bv_extract(width - 1, 0, number);
                        Some(Val::Term(integer::normal(self.terms(), term)))
                    }
                    Ty::Int(_) | Ty::Float(_) | Ty::Ptr => None,
                }
            }
            (_, Val::Term(term), _) => pure::number(self.terms(), cast, &[term]).map(Val::Term),
        }
    }

    fn memory_op(
        &mut self,
        activation: &mut Activation<'_>,
        op: &MemoryOp,
        place: Place,
    ) -> Option<Val> {
        match op {
            MemoryOp::LocalStart(local) => {
                let object = Object::Local(activation.frame.activation, *local);
                let declared = activation.body.local(*local);
                let (name, size) = (declared.name.clone(), Some(declared.size));
                self.declared.insert(object, Declared { name, ty: declared.source_type, size });
                let state = State::new(Content::Uninitialized);
                self.memory.objects.insert(object, state);
                None
            }
            MemoryOp::LocalEnd(local) => {
                let object = Object::Local(activation.frame.activation, *local);
                self.memory.objects.remove(&object);
                None
            }
            MemoryOp::Load { ty, ptr, is_volatile } => {
                let ptr = self.pointer(activation, *ptr);
                if *is_volatile { None } else { Some(self.load(ptr, *ty)) }
            }
            MemoryOp::Store { ptr, value, .. } => {
                let ptr = self.pointer(activation, *ptr);
                let ty = value.ty(activation.body);
                let value = self.operand(activation, *value);
                self.store(ptr, value, ty);
                None
            }
            MemoryOp::StoreBits { ptr, value, .. } => {
                let ptr = self.pointer(activation, *ptr);
                self.term(activation, *value);
                self.forget_target(ptr);
                None
            }
            MemoryOp::Copy { dst, src, len, is_volatile } => {
                let (dst, src) = (self.pointer(activation, *dst), self.pointer(activation, *src));
                let len = self.term(activation, *len);
                if *is_volatile {
                    self.forget_target(dst);
                } else {
                    self.mem_copy(dst, src, len);
                }
                None
            }
            MemoryOp::Fill { dst, byte, len } => {
                let ptr = self.pointer(activation, *dst);
                let (byte, len) = (self.term(activation, *byte), self.term(activation, *len));
                self.mem_set(ptr, byte, len);
                None
            }
            MemoryOp::HeapFree { ptr } => {
                let ptr = self.pointer(activation, *ptr);
                self.free(ptr);
                None
            }
            MemoryOp::StackFree { ptr } => {
                let ptr = self.pointer(activation, *ptr);
                if let Ptr::Object { object, .. } = ptr
                    && self.is_on_stack(object)
                {
                    self.memory.objects.remove(&object);
                } else {
                    self.free(ptr);
                }
                None
            }
            MemoryOp::HeapAlloc { size, fill } => {
                let size = self.term(activation, *size);
                self.allocate(activation, place, size, *fill)
            }
            MemoryOp::StackAlloc { size, .. } => {
                let size = self.term(activation, *size);
                Some(self.allocate_on_stack(activation, place, size))
            }
            // Bit-fields are not read.
            MemoryOp::LoadBits { .. } => None,
        }
    }

    fn pointer_op(&mut self, activation: &Activation<'_>, op: &PointerOp) -> Option<Val> {
        match op {
            PointerOp::LocalAddr(local) => {
                let object = Object::Local(activation.frame.activation, *local);
                let offset = self.terms().bv_u(0, 64);
                Some(Val::Ptr(Ptr::Object { object, offset }))
            }
            PointerOp::Add { base, offset } => {
                let base = self.pointer(activation, *base);
                let added = self.term(activation, *offset);
                Some(Val::Ptr(self.pointer_add(base, added)))
            }
            PointerOp::Diff { lhs, rhs } => {
                let (a, b) = (self.pointer(activation, *lhs), self.pointer(activation, *rhs));
                self.pointer_difference(a, b).map(Val::Term)
            }
            PointerOp::Compare { op, lhs, rhs } => {
                let (a, b) = (self.pointer(activation, *lhs), self.pointer(activation, *rhs));
                self.pointer_compare(*op, a, b).map(Val::Term)
            }
            PointerOp::ObjectSize { ptr } => {
                let ptr = self.pointer(activation, *ptr);
                self.size_of_target(ptr).map(Val::Term)
            }
            PointerOp::ObjectOffset { ptr } => match self.pointer(activation, *ptr) {
                Ptr::Object { offset, .. } => Some(Val::Term(offset)),
                Ptr::Fresh { .. } | Ptr::Number(_) | Ptr::Func(_) | Ptr::OneOf { .. } => None,
            },
            // A bound of paths, which proofs do without.
            PointerOp::IsWhole { .. } => None,
        }
    }

    fn var_args(&mut self, activation: &Activation<'_>, op: &VarArgsOp) {
        match op {
            VarArgsOp::Start { list } | VarArgsOp::End { list } | VarArgsOp::Next { list, .. } => {
                let list = self.pointer(activation, *list);
                self.forget_target(list);
            }
            VarArgsOp::Copy { dst, src } => {
                let (dst, src) = (self.pointer(activation, *dst), self.pointer(activation, *src));
                self.expose(src);
                self.forget_target(dst);
            }
        }
    }

    pub(super) fn pointer(&mut self, activation: &Activation<'_>, operand: Operand) -> Ptr {
        match self.operand(activation, operand) {
            Val::Ptr(ptr) => ptr,
            Val::Term(term) => Ptr::Number(term),
        }
    }

    pub(super) fn size_of_target(&mut self, ptr: Ptr) -> Option<TermId> {
        let Ptr::Object { object, .. } = ptr else { return None };
        let size = self.object_size(object)?;
        Some(self.terms().bv_u(size.into(), 64))
    }

    pub(super) fn pointer_add(&mut self, base: Ptr, added: TermId) -> Ptr {
        match base {
            Ptr::Object { object, offset } => {
                let offset = self.terms().bv_add(offset, added);
                Ptr::Object { object, offset }
            }
            Ptr::Number(number) => Ptr::Number(self.terms().bv_add(number, added)),
            Ptr::Fresh { object, offset, is_null } => {
                let offset = self.terms().bv_add(offset, added);
                Ptr::Fresh { object, offset, is_null }
            }
            Ptr::OneOf { targets, which, offset, address } => {
                let offset = self.terms().bv_add(offset, added);
                let address = self.terms().bv_add(address, added);
                Ptr::OneOf { targets, which, offset, address }
            }
            Ptr::Func(_) => Ptr::Number(self.opaque(Sort::Bv(64))),
        }
    }

    /// The pointers in what a pointer points to may be anywhere from now on.
    pub(super) fn expose(&mut self, ptr: Ptr) {
        let objects: Vec<Object> =
            self.targets_of(ptr).into_iter().flat_map(Targets::objects).collect();
        for object in objects {
            if let Some(state) = self.memory.state(object) {
                for cell in state.cells.values() {
                    self.escape(cell.value);
                }
            }
        }
    }
}
