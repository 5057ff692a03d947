//! Pointers: what an input pointer refers to, arithmetic, comparison.

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{CheckKind, FuncId, GlobalKind, Operand, Origin, SourceType, SourceTypeId};
use glassbox_memory::address::{Place, may_be_address, may_coincide};
use glassbox_memory::alias::is_compatible;
use glassbox_terms::{BvOp, Op, TermId};
use glassbox_testcase::Assumption;

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::inputs::InputPtr;
use crate::meaning::integer;
use crate::memory::{Object, ObjectKind, ObjectState};
use crate::value::{ObjectId, SymPtr, SymValue};

impl Executor<'_> {
    pub(crate) fn start_of(&mut self, object: ObjectId) -> SymPtr {
        SymPtr::Object { object, offset: self.terms.bv_u(0, 64) }
    }

    /// The pointer with its object known: input pointers are decided here.
    pub(crate) fn resolve(&mut self, ptr: SymPtr) -> Result<SymPtr, Stop> {
        let SymPtr::Input(id) = ptr else { return Ok(ptr) };
        if let Some(resolution) = self.inputs.pointers[id.0 as usize].resolution {
            return Ok(resolution);
        }
        let target = self.inputs.pointers[id.0 as usize].target;
        let resolved = self.program.resolve_source_type(target);
        let ty = self.program.source_type(resolved);
        let resolution = if matches!(ty, SourceType::Function { .. }) {
            self.decide_callee(resolved)?
        } else if matches!(ty, SourceType::Class(_) | SourceType::ClassArray { .. }) {
            self.decide_reference(id, resolved)?
        } else {
            self.decide_object(id, target)?
        };
        self.inputs.pointers[id.0 as usize].resolution = Some(resolution);
        Ok(resolution)
    }

    /// Both pointers of a difference or of a comparison by order.
    pub(crate) fn resolve_both(
        &mut self,
        lhs: SymPtr,
        rhs: SymPtr,
    ) -> Result<(SymPtr, SymPtr), Stop> {
        self.is_ordering = true;
        let both = self.resolve(lhs).and_then(|lhs| Ok((lhs, self.resolve(rhs)?)));
        self.is_ordering = false;
        both
    }

    /// A function of the program with this type, a stand-in, or null.
    fn decide_callee(&mut self, ty: SourceTypeId) -> Result<SymPtr, Stop> {
        // A caller may pass a function that is not written here and changes anything.
        self.inputs.note_bound(Assumption::KnownFunctionPointers);
        let fits = |id: &FuncId| self.can_be_passed(*id) && self.has_type(*id, ty);
        let mut candidates: Vec<FuncId> = self.program.function_ids().filter(fits).collect();
        // What a header of the system happens to define is what no caller means, unless there is nothing else.
        let is_users = |id: &FuncId| self.program.function(*id).origin != Origin::System;
        if candidates.iter().any(is_users) {
            candidates.retain(is_users);
        }
        // One stand-in is as good as another until it is in use.
        let is_unused = |id: &FuncId| {
            let is_it = |ptr: &InputPtr| ptr.resolution == Some(SymPtr::Func(*id));
            self.program.is_stand_in(*id) && !self.inputs.pointers.iter().any(is_it)
        };
        let first_unused = candidates.iter().position(is_unused);
        let mut position = 0;
        candidates.retain(|id| {
            position += 1;
            !is_unused(id) || Some(position - 1) == first_unused
        });
        let taken = self.choose_freely(ChoiceKind::Callee, candidates.len() + 1)?;
        match candidates.get(taken) {
            Some(&function) => Ok(SymPtr::Func(function)),
            None => Ok(self.null()),
        }
    }

    /// Whether a test can pass the function: one of the user's, or a stand-in.
    fn can_be_passed(&self, function: FuncId) -> bool {
        let declared = self.program.function(function);
        match declared.origin {
            Origin::User | Origin::System => declared.body.is_some(),
            Origin::StandIn => true,
            Origin::LibraryModel
            | Origin::Harness { .. }
            | Origin::Requirement { .. }
            | Origin::Promise { .. }
            | Origin::Relation { .. }
            | Origin::Variant { .. }
            | Origin::Runtime => false,
        }
    }

    pub(crate) fn has_type(&self, function: FuncId, ty: SourceTypeId) -> bool {
        let declared = self.program.function(function);
        let ty = self.program.resolve_source_type(ty);
        let SourceType::Function { result, params, is_variadic } = self.program.source_type(ty)
        else {
            return false;
        };
        let same = |a: SourceTypeId, b: SourceTypeId| is_compatible(self.program, a, b);
        let n_hidden = usize::from(declared.result == glassbox_ir::ResultPassing::Indirect);
        let declared_params = declared.params.get(n_hidden..).unwrap_or_default();
        declared.is_variadic == *is_variadic
            && same(declared.result_source_type, *result)
            && declared_params.len() == params.len()
            && declared_params.iter().zip(params).all(|(a, b)| same(a.source_type, *b))
    }

    /// A live object of symbolic size.
    pub(crate) fn sized_object(&mut self, kind: ObjectKind, name: &str, size: TermId) -> ObjectId {
        let max_size = self.known(size);
        self.memory.add(Object::new(kind, name, size, max_size))
    }

    pub(crate) fn pointer_add(&mut self, base: Operand, offset: Operand) -> Result<SymValue, Stop> {
        let added = self.bits(offset)?;
        let base = self.pointer(base);
        if self.terms.as_bv_const(added).is_some_and(|bits| bits.is_zero()) {
            return Ok(SymValue::Ptr(base));
        }
        Ok(SymValue::Ptr(match self.resolve(base)? {
            SymPtr::Object { object, offset } => {
                SymPtr::Object { object, offset: self.terms.bv_add(offset, added) }
            }
            SymPtr::Number(term) => SymPtr::Number(self.terms.bv_add(term, added)),
            SymPtr::Func(_) | SymPtr::Input(_) => {
                return self.unsupported("arithmetic on a function's address");
            }
        }))
    }

    pub(crate) fn pointer_diff(&mut self, lhs: Operand, rhs: Operand) -> Result<SymValue, Stop> {
        let (lhs, rhs) = (self.pointer(lhs), self.pointer(rhs));
        let (lhs, rhs) = self.resolve_both(lhs, rhs)?;
        if let (
            SymPtr::Object { object: a, offset: left },
            SymPtr::Object { object: b, offset: right },
        ) = (lhs, rhs)
            && a == b
        {
            self.note_order(a);
            return Ok(SymValue::Term(self.terms.bv_sub(left, right)));
        }
        let (left, right) = (self.pointer_number(lhs)?, self.pointer_number(rhs)?);
        Ok(SymValue::Term(self.terms.bv_sub(left, right)))
    }

    pub(crate) fn pointer_compare(
        &mut self,
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (lhs, rhs) = (self.pointer(lhs), self.pointer(rhs));
        if lhs == rhs && matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return Ok(self.terms.bool_const(op == CompareOp::Eq));
        }
        let (lhs, rhs) = if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            (self.resolve(lhs)?, self.resolve(rhs)?)
        } else {
            self.resolve_both(lhs, rhs)?
        };
        if let Some((left, right)) = self.fixed_numbers(lhs, rhs) {
            return Ok(integer::compare(self.terms, op, left, right));
        }
        match (lhs, rhs) {
            (
                SymPtr::Object { object: a, offset: left },
                SymPtr::Object { object: b, offset: right },
            ) if a == b => {
                if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
                    self.note_order(a);
                }
                // Offsets in front of where the first pointer points are below zero.
                let left = self.place_in(a, left).offset;
                let right = self.place_in(a, right).offset;
                Ok(integer::compare(self.terms, op, left, right))
            }
            (SymPtr::Number(left), SymPtr::Number(right)) => {
                Ok(integer::compare(self.terms, op, left, right))
            }
            _ => match op {
                CompareOp::Eq | CompareOp::Ne if self.is_constant_object(lhs, rhs) => {
                    self.inputs.note_bound(Assumption::ReferencesNotToConstants);
                    Ok(self.terms.bool_const((op == CompareOp::Eq) == (lhs == rhs)))
                }
                CompareOp::Eq | CompareOp::Ne => {
                    if self.may_be_static(lhs, rhs) {
                        self.inputs.note_bound(Assumption::ReferencesNotToStatics);
                    }
                    self.note_neighbors(lhs, rhs);
                    Ok(self.terms.bool_const((op == CompareOp::Eq) == (lhs == rhs)))
                }
                CompareOp::Ult | CompareOp::Ule | CompareOp::Slt | CompareOp::Sle => {
                    self.failed(CheckKind::PointerCompare)
                }
            },
        }
    }

    /// Both pointers as numbers, where one is into a register and the other is so, too, or is a number itself.
    fn fixed_numbers(&mut self, lhs: SymPtr, rhs: SymPtr) -> Option<(TermId, TermId)> {
        let number = |executor: &mut Self, ptr: SymPtr| match ptr {
            SymPtr::Object { object, offset } => {
                let start = executor.fixed_address(object)?;
                let start = executor.terms.bv_u(start.into(), 64);
                Some((executor.terms.bv_add(start, offset), true))
            }
            SymPtr::Number(term) => Some((term, false)),
            SymPtr::Func(_) | SymPtr::Input(_) => None,
        };
        let (left, is_left_fixed) = number(self, lhs)?;
        let (right, is_right_fixed) = number(self, rhs)?;
        (is_left_fixed || is_right_fixed).then_some((left, right))
    }

    /// The place in a register that a known number is the address of.
    fn register_at(&mut self, number: TermId) -> Option<SymPtr> {
        let number = self.terms.as_bv_const(number)?.to_u64()?;
        let registers = self.registers.get_or_init(|| self.program.registers());
        let (global, offset) = self.program.register_at(registers, number)?;
        let start = self.global_pointer(global);
        let offset = self.terms.bv_u(offset.into(), 64);
        Some(match start {
            SymPtr::Object { object, .. } => SymPtr::Object { object, offset },
            other @ (SymPtr::Func(_) | SymPtr::Input(_) | SymPtr::Number(_)) => other,
        })
    }

    /// Whether one is an input object and the other may have been there before: initializers leave objects in static
    /// fields, to which inputs could refer as well.
    fn may_be_static(&self, a: SymPtr, b: SymPtr) -> bool {
        let is_input = |ptr: SymPtr| match ptr {
            SymPtr::Object { object, .. } => {
                Some(matches!(self.memory.object(object).kind, ObjectKind::Instance { .. }))
            }
            SymPtr::Func(_) | SymPtr::Input(_) | SymPtr::Number(_) => None,
        };
        matches!((is_input(a), is_input(b)), (Some(true), Some(false)) | (Some(false), Some(true)))
    }

    /// Paths take different things for different addresses; where C leaves that open, they say so.
    fn note_neighbors(&mut self, a: SymPtr, b: SymPtr) {
        let (bound, may_be_same) = match (a, b) {
            (SymPtr::Object { object: x, offset: i }, SymPtr::Object { object: y, offset: j }) => {
                if self.may_share_address(x, y) {
                    self.inputs.note_bound(Assumption::AddressesNotReused);
                }
                self.note_kept_apart(x, y);
                let (a, b) = (self.place_in(x, i), self.place_in(y, j));
                (Assumption::ObjectsApart, may_coincide(self.terms, a, b))
            }
            (SymPtr::Number(number), other @ (SymPtr::Object { .. } | SymPtr::Func(_)))
            | (other @ (SymPtr::Object { .. } | SymPtr::Func(_)), SymPtr::Number(number)) => {
                // A pointer to what has ended is any number, null included (C11 6.2.4p2).
                if let SymPtr::Object { object, .. } = other
                    && self.memory.object(object).state != ObjectState::Live
                {
                    self.inputs.note_bound(Assumption::AddressesNotReused);
                }
                (Assumption::NumbersAreNotAddresses, may_be_address(self.terms, number))
            }
            (SymPtr::Func(_) | SymPtr::Input(_) | SymPtr::Number(_), _)
            | (SymPtr::Object { .. }, SymPtr::Func(_) | SymPtr::Input(_)) => return,
        };
        if self.terms.as_bool_const(may_be_same) != Some(false) {
            self.inputs.note_bound(bound);
        }
    }

    /// Whether one of the objects has ended, so that the other may be where it was, or both are literals, which may share
    /// their bytes (C11 6.4.5p7, 6.5.2.5p7). An input may point to a literal.
    fn may_share_address(&self, a: ObjectId, b: ObjectId) -> bool {
        let has_ended = |id: ObjectId| self.memory.object(id).state != ObjectState::Live;
        let literal = |id: ObjectId| match self.memory.object(id).kind {
            ObjectKind::Global(global) => {
                let global = self.program.global(global);
                let is_shared = global.is_const && global.kind == GlobalKind::CompoundLiteral;
                is_shared || global.kind == GlobalKind::StringLiteral
            }
            ObjectKind::Input { .. } => true,
            ObjectKind::Local(..)
            | ObjectKind::Stack
            | ObjectKind::Heap
            | ObjectKind::Instance { .. }
            | ObjectKind::VarArgs
            | ObjectKind::Stream => false,
        };
        let is_input =
            |id: ObjectId| matches!(self.memory.object(id).kind, ObjectKind::Input { .. });
        has_ended(a)
            || has_ended(b)
            || self.program.language.literals_may_share_memory()
                && literal(a)
                && literal(b)
                && !(is_input(a) && is_input(b))
    }

    /// The order of two input pointers into one object depends on where in it they point: any element for scalars,
    /// for records only if they were first looked at to be compared.
    fn note_order(&mut self, object: ObjectId) {
        let ObjectKind::Input { element, .. } = self.memory.object(object).kind else { return };
        if self.is_scalar(element) {
            return;
        }
        let is_here = |ptr: &&InputPtr| matches!(ptr.resolution, Some(SymPtr::Object { object: at, .. }) if at == object);
        if self.inputs.pointers.iter().filter(is_here).count() > 1 {
            self.inputs.note_bound(Assumption::PointersToStarts);
        }
    }

    /// Whether one is an object made for an input and the other a constant of a JVM program, such as a
    /// string literal.
    fn is_constant_object(&self, a: SymPtr, b: SymPtr) -> bool {
        let kind = |ptr: SymPtr| match ptr {
            SymPtr::Object { object, .. } => Some(self.memory.object(object).kind),
            SymPtr::Func(_) | SymPtr::Input(_) | SymPtr::Number(_) => None,
        };
        let kinds = (kind(a), kind(b));
        matches!(
            kinds,
            (Some(ObjectKind::Instance { .. }), Some(ObjectKind::Global(_)))
                | (Some(ObjectKind::Global(_)), Some(ObjectKind::Instance { .. }))
        )
    }

    pub(crate) fn object_size(&mut self, ptr: Operand) -> Result<TermId, Stop> {
        let ptr = self.pointer(ptr);
        Ok(match self.resolve(ptr)? {
            SymPtr::Object { object, offset } => self.place_in(object, offset).size,
            SymPtr::Number(_) | SymPtr::Func(_) | SymPtr::Input(_) => self.terms.bv_u(0, 64),
        })
    }

    pub(crate) fn object_offset(&mut self, ptr: Operand) -> Result<TermId, Stop> {
        let ptr = self.pointer(ptr);
        Ok(match self.resolve(ptr)? {
            SymPtr::Object { object, offset } => self.place_in(object, offset).offset,
            SymPtr::Number(_) | SymPtr::Func(_) | SymPtr::Input(_) => self.terms.bv_u(0, 64),
        })
    }

    /// Whether a pointer is to the start of an object of this size: what inputs are, and what callers need not keep to.
    pub(crate) fn is_whole(&mut self, ptr: Operand, size: Operand) -> Result<TermId, Stop> {
        let wanted = self.term(size)?;
        let ptr = self.pointer(ptr);
        let place = match self.resolve(ptr)? {
            SymPtr::Object { object, offset } => {
                self.memory.object_mut(object).is_whole = true;
                self.place_in(object, offset)
            }
            SymPtr::Number(_) | SymPtr::Func(_) | SymPtr::Input(_) => {
                let nothing = self.terms.bv_u(0, 64);
                Place { offset: nothing, size: nothing }
            }
        };
        let zero = self.terms.bv_u(0, 64);
        let is_start = self.terms.eq(place.offset, zero);
        let is_size = self.terms.eq(place.size, wanted);
        let both = self.terms.and2(is_start, is_size);
        for fact in [is_start, is_size, both] {
            self.inputs.note_bound_fact(fact, Assumption::WholeObjects, None);
        }
        Ok(both)
    }

    /// A number for an object's address. The allocator chooses it and no test can, so it is one fixed,
    /// well aligned number per object; the suite lists it among its assumptions. How far an input pointer is from
    /// such a number is up to the test, which makes the object larger.
    pub(crate) fn new_address(&mut self, object: ObjectId) -> Result<TermId, Stop> {
        if let Some(address) = self.fixed_address(object) {
            return Ok(self.terms.bv_u(address.into(), 64));
        }
        self.inputs.note_bound(Assumption::AddressesAsNumbers);
        let address = (u128::from(object.0) + 1) << 36;
        let mut term = self.terms.bv_u(address, 64);
        if matches!(self.memory.object(object).kind, ObjectKind::Input { .. }) {
            let front = self.make_front(object)?;
            term = self.terms.bv_add(term, front.size);
        }
        self.memory.object_mut(object).address = Some(term);
        Ok(term)
    }

    /// The pointer that a number is: into an object whose address was taken as a number, or just that
    /// number.
    pub(crate) fn pointer_from_number(&mut self, term: TermId) -> SymPtr {
        if let Some(register) = self.register_at(term) {
            return register;
        }
        let base = match (self.terms.as_bv_const(term), self.terms.op(term)) {
            (Some(bits), _) => Some(bits),
            (None, Op::Bv(BvOp::Add)) => {
                let args = self.terms.args(term).to_vec();
                args.iter().find_map(|&arg| self.terms.as_bv_const(arg))
            }
            _ => None,
        };
        let Some(base) = base else { return SymPtr::Number(term) };
        let id = u32::try_from(base.unsigned() >> 36).unwrap_or(0);
        let object = self.memory.ids().find(|object| object.0 + 1 == id);
        let address = object.and_then(|object| Some((object, self.memory.object(object).address?)));
        match address {
            Some((object, start)) => {
                SymPtr::Object { object, offset: self.terms.bv_sub(term, start) }
            }
            None => SymPtr::Number(term),
        }
    }

    /// Splits the path until a term has one known value: the guide proposes one, and that the term has
    /// another stays open as a way of its own.
    pub(crate) fn fix_value(&mut self, term: TermId) -> Result<u64, Stop> {
        loop {
            if let Some(bits) = self.terms.as_bv_const(term) {
                return Ok(u64::try_from(bits.unsigned()).unwrap_or(u64::MAX));
            }
            let value = self.guide.suggest(self.terms, term);
            let constant = self.terms.constant(&value);
            let is_value = self.terms.eq(term, constant);
            let is_other = self.terms.not(is_value);
            let ways = [way(is_value), way(is_other)];
            if self.choose(ChoiceKind::Value, &ways)? == 0 {
                let bits = value.as_bits().map_or(0, |bits| bits.unsigned());
                return Ok(u64::try_from(bits).unwrap_or(u64::MAX));
            }
        }
    }
}
