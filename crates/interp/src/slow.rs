//! Instructions that have no operation of their own: memory beyond plain loads and stores, variable
//! arguments, access checks.

use glassbox_ir::instr::{CastOp, HeapFill};
use glassbox_ir::{
    Check, CheckKind, Instr, InstrKind, MemoryOp, Operand, PointerOp, PureOp, Span, Ty, ValueId,
    VarArgsOp,
};
use glassbox_values::{Bits, Signedness};

use crate::code::Code;
use crate::compile::is_wide;
use crate::machine::Machine;
use crate::memory::{Address, MemoryError, ObjectKind, ObjectState};
use crate::outcome::Outcome;
use crate::pure;
use crate::step::Stop;

impl Machine<'_> {
    pub(crate) fn read(&self, code: &Code, operand: Operand) -> u128 {
        match operand {
            Operand::Value(value) => self.read_value(code, value),
            Operand::Int(bits) => bits.unsigned(),
            Operand::Float(float) => u128::from(float.to_bits()),
            Operand::NullPtr => 0,
            Operand::Global(_) | Operand::Func(_) => u128::from(self.static_address(operand)),
        }
    }

    pub(crate) fn read_value(&self, code: &Code, value: ValueId) -> u128 {
        let base = self.frames.last().expect("a function runs").base;
        let reg = base + code.value_regs[value.index()] as usize;
        let low = u128::from(self.registers[reg]);
        if is_wide(code.value_types[value.index()]) {
            low | u128::from(self.registers[reg + 1]) << 64
        } else {
            low
        }
    }

    pub(crate) fn operand_ty(code: &Code, operand: Operand) -> Ty {
        match operand {
            Operand::Value(value) => code.value_types[value.index()],
            Operand::Int(bits) => Ty::Int(bits.width()),
            Operand::Float(float) => Ty::Float(float.format()),
            Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => Ty::Ptr,
        }
    }

    pub(crate) fn read_u64(&self, code: &Code, operand: Operand) -> u64 {
        self.read(code, operand) as u64
    }

    pub(crate) fn write_value(&mut self, code: &Code, value: Option<ValueId>, word: u128) {
        let Some(value) = value else { return };
        let base = self.frames.last().expect("a function runs").base;
        let reg = base + code.value_regs[value.index()] as usize;
        self.registers[reg] = word as u64;
        if is_wide(code.value_types[value.index()]) {
            self.registers[reg + 1] = (word >> 64) as u64;
        }
    }

    /// Everything that has no operation of its own.
    pub(crate) fn slow(&mut self, code: &Code, instr: &Instr) -> Result<(), Stop> {
        match self.slow_instr(code, instr) {
            Ok(Some(word)) => self.write_value(code, instr.result, word),
            Ok(None) => {}
            Err(SlowStop::Memory(error)) => return Err(self.undefined_memory(error, instr.span)),
            Err(SlowStop::Outcome(stop)) => return Err(stop),
        }
        Ok(())
    }

    fn slow_instr(&mut self, code: &Code, instr: &Instr) -> Result<Option<u128>, SlowStop> {
        let span = instr.span;
        Ok(match &instr.kind {
            InstrKind::Pure(PureOp::Cast { op: CastOp::PtrToInt, arg, to: Ty::I64 }) => {
                Some(self.address_as_number(self.read_u64(code, *arg)).into())
            }
            InstrKind::Pure(PureOp::Cast { op: CastOp::IntToPtr, arg, to: Ty::Ptr }) => {
                Some(self.number_as_address(self.read_u64(code, *arg)).into())
            }
            InstrKind::Pure(op) => Some(pure::evaluate(op, |operand| {
                (self.read(code, operand), Machine::operand_ty(code, operand))
            })),
            InstrKind::Pointer(op) => Some(self.slow_pointer(code, op)),
            InstrKind::Memory(op) => self.slow_memory(code, op, span)?,
            InstrKind::VarArgs(op) => self.var_args(code, op, span)?,
            InstrKind::Check(check) => {
                self.check(code, check, span)?;
                None
            }
            InstrKind::Assume { condition } => {
                if self.read_u64(code, *condition) == 0 {
                    return Err(SlowStop::outcome(Outcome::AssumptionFailed(span)));
                }
                None
            }
            InstrKind::Unsupported { what, .. } => {
                let what = what.clone();
                return Err(SlowStop::outcome(Outcome::Unsupported { what, span }));
            }
            // A mark does nothing; a call is an operation of its own.
            InstrKind::Mark(_) | InstrKind::Call(_) => None,
        })
    }

    /// The number of an address: registers have the one that the program gives them.
    fn address_as_number(&self, address: Address) -> u64 {
        let Some((id, offset)) = self.memory.resolve(address) else { return address };
        self.fixed_address(id).map_or(address, |start| start.wrapping_add_signed(offset))
    }

    /// The address that a number is: a register's, or just that number.
    fn number_as_address(&self, number: u64) -> Address {
        let found = self.program.register_at(&self.fixed_globals, number);
        let Some((global, offset)) = found else { return number };
        self.memory.further(self.global_address(global), offset)
    }

    fn slow_pointer(&self, code: &Code, op: &PointerOp) -> u128 {
        let word = |operand| Bits::new(self.read(code, operand), 64);
        match *op {
            PointerOp::Add { base, offset } => {
                let (base, offset) = (self.read_u64(code, base), self.read_u64(code, offset));
                self.memory.further(base, offset).into()
            }
            PointerOp::Diff { lhs, rhs } => word(lhs).sub(word(rhs)).unsigned(),
            PointerOp::Compare { op, lhs, rhs } => {
                let number = |operand| {
                    let address = self.address_as_number(self.read_u64(code, operand));
                    Bits::new(address.into(), 64)
                };
                u128::from(pure::compare(op, number(lhs), number(rhs)))
            }
            PointerOp::ObjectSize { ptr } => {
                let object = self.memory.resolve(self.read_u64(code, ptr));
                object.map_or(0, |(id, _)| self.memory.object(id).size().into())
            }
            PointerOp::ObjectOffset { ptr } => {
                let object = self.memory.resolve(self.read_u64(code, ptr));
                object.map_or(0, |(_, offset)| u128::from(offset.cast_unsigned()))
            }
            PointerOp::IsWhole { ptr, size } => {
                let object = self.memory.resolve(self.read_u64(code, ptr));
                let found = object.map_or((0, 0), |(id, at)| (at, self.memory.object(id).size()));
                u128::from(found == (0, self.read_u64(code, size)))
            }
            PointerOp::LocalAddr(_) => unreachable!("compiled to `Op::LocalAddr`"),
        }
    }

    fn slow_memory(
        &mut self,
        code: &Code,
        op: &MemoryOp,
        span: Span,
    ) -> Result<Option<u128>, SlowStop> {
        let get = |machine: &Self, operand| machine.read_u64(code, operand);
        Ok(match op {
            MemoryOp::Load { ty, ptr, .. } => {
                let bytes = self.memory.read(get(self, *ptr), ty.size(self.program.pointers))?;
                let word = bytes.iter().rev().fold(0, |word, &b| word << 8 | u128::from(b));
                Some(match ty {
                    Ty::Int(width) => Bits::new(word, *width).unsigned(),
                    Ty::Float(_) | Ty::Ptr => word,
                })
            }
            MemoryOp::Store { ptr, value, .. } => {
                let size = Machine::operand_ty(code, *value).size(self.program.pointers) as usize;
                let bytes = self.read(code, *value).to_le_bytes();
                self.memory.write(get(self, *ptr), &bytes[..size])?;
                None
            }
            MemoryOp::LoadBits { ty, ptr, start, width, signedness, is_volatile: _ } => {
                let word = self.memory.load_bits(get(self, *ptr), *start, *width)?;
                let field = Bits::new(word.into(), *width);
                let Ty::Int(to) = ty else { return Ok(Some(field.unsigned())) };
                Some(match signedness {
                    Signedness::Signed => Bits::from_signed(field.signed(), *to).unsigned(),
                    Signedness::Unsigned => field.unsigned(),
                })
            }
            MemoryOp::StoreBits { ptr, start, width, value } => {
                let word = get(self, *value);
                self.memory.store_bits(get(self, *ptr), *start, *width, word)?;
                None
            }
            MemoryOp::Copy { dst, src, len, .. } => {
                let (dst, src, len) = (get(self, *dst), get(self, *src), get(self, *len));
                self.memory.copy(dst, src, len)?;
                None
            }
            MemoryOp::Fill { dst, byte, len } => {
                let (dst, byte, len) = (get(self, *dst), get(self, *byte), get(self, *len));
                self.memory.fill(dst, byte as u8, len)?;
                None
            }
            MemoryOp::StackAlloc { size, .. } => {
                let size = get(self, *size);
                let function = code.function;
                let id = self.new_object(ObjectKind::Stack(function), size, span)?;
                self.frames.last_mut().expect("a function runs").stack_objects.push(id);
                Some(self.memory.address_of(id, 0).into())
            }
            MemoryOp::StackFree { ptr } => {
                if let Some((id, _)) = self.memory.resolve(get(self, *ptr)) {
                    self.memory.release(id, ObjectState::OutOfScope);
                }
                None
            }
            MemoryOp::HeapAlloc { size, fill } => {
                Some(self.heap_alloc(get(self, *size), *fill, span)?)
            }
            MemoryOp::HeapFree { ptr } => {
                self.heap_free(get(self, *ptr), span)?;
                None
            }
            // Compiled to operations of their own.
            MemoryOp::LocalStart(_) | MemoryOp::LocalEnd(_) => None,
        })
    }

    fn new_object(
        &mut self,
        kind: ObjectKind,
        size: u64,
        span: Span,
    ) -> Result<crate::memory::ObjectId, SlowStop> {
        let id = self.memory.allocate(kind, size, span);
        id.ok_or_else(|| SlowStop::outcome(Outcome::OutOfMemory))
    }

    /// Null for sizes that no allocator gives; what is only more than we have ends the run, since a machine with
    /// more memory would go on.
    fn heap_alloc(&mut self, size: u64, fill: HeapFill, span: Span) -> Result<u128, SlowStop> {
        if size > self.program.pointers.max_object_size() || self.is_failing_allocation() {
            return Ok(0);
        }
        let id = self.new_object(ObjectKind::Heap, size, span)?;
        self.note_allocation(id, span);
        if fill == HeapFill::Zeros {
            self.memory.mark_initialized(id);
        }
        Ok(self.memory.address_of(id, 0).into())
    }

    fn heap_free(&mut self, ptr: u64, span: Span) -> Result<(), MemoryError> {
        if ptr == 0 {
            return Ok(());
        }
        self.check_freeable(ptr)?;
        if let Some((id, _)) = self.memory.resolve(ptr) {
            self.memory.release(id, ObjectState::Freed(span));
        }
        Ok(())
    }

    fn check_freeable(&self, ptr: u64) -> Result<(), MemoryError> {
        if ptr == 0 {
            return Ok(());
        }
        let bad = |kind, object, offset| Err(MemoryError { kind, object, offset, len: 0 });
        let Some((id, offset)) = self.memory.resolve(ptr) else {
            return bad(CheckKind::BadFree, None, 0);
        };
        let object = self.memory.object(id);
        match (object.kind, object.state) {
            // Inside a block, freed or not, is no place that an allocation returned.
            (ObjectKind::Heap | ObjectKind::Input, ObjectState::Freed(_)) if offset == 0 => {
                bad(CheckKind::DoubleFree, Some(id), offset)
            }
            (ObjectKind::Heap | ObjectKind::Input, ObjectState::Live) if offset == 0 => Ok(()),
            _ => bad(CheckKind::BadFree, Some(id), offset),
        }
    }

    fn var_args(
        &mut self,
        code: &Code,
        op: &VarArgsOp,
        span: Span,
    ) -> Result<Option<u128>, SlowStop> {
        match op {
            VarArgsOp::Start { list } => {
                let list = self.read_u64(code, *list);
                let object = self.frames.last().expect("a function runs").var_args;
                let cursor = object.map_or(0, |id| self.memory.address_of(id, 0));
                let mut bytes = [0; 24];
                bytes[..8].copy_from_slice(&cursor.to_le_bytes());
                self.memory.write(list, &bytes)?;
                Ok(None)
            }
            VarArgsOp::Next { list, ty, .. } => {
                let list = self.read_u64(code, *list);
                let cursor = self.memory.load(list, 8)?;
                let size = if is_wide(*ty) { 16 } else { 8 };
                // A caller of the function under test passes what that reads: with less, the input is none.
                if self.is_beyond_input(cursor, size) {
                    return Err(SlowStop::outcome(Outcome::AssumptionFailed(span)));
                }
                let bytes = self.memory.read(cursor, size)?;
                let word = bytes.iter().rev().fold(0, |word, &b| word << 8 | u128::from(b));
                self.memory.store(list, 8, cursor + size)?;
                Ok(Some(match ty {
                    Ty::Int(width) => Bits::new(word, *width).unsigned(),
                    Ty::Float(format) => Bits::new(word, format.width()).unsigned(),
                    Ty::Ptr => word,
                }))
            }
            VarArgsOp::Copy { dst, src } => {
                let (dst, src) = (self.read_u64(code, *dst), self.read_u64(code, *src));
                self.memory.copy(dst, src, 24)?;
                Ok(None)
            }
            VarArgsOp::End { .. } => Ok(None),
        }
    }

    /// Whether so many bytes at an address are no argument that the function where runs start was given.
    fn is_beyond_input(&self, address: u64, size: u64) -> bool {
        let given = self.frames.first().and_then(|frame| frame.var_args);
        self.memory.resolve(address).is_some_and(|(id, offset)| {
            let end = u64::try_from(offset).unwrap_or(u64::MAX).saturating_add(size);
            given == Some(id) && end > self.memory.object(id).size()
        })
    }

    fn check(&mut self, code: &Code, check: &Check, span: Span) -> Result<(), SlowStop> {
        let get = |operand| self.read_u64(code, operand);
        match *check {
            // Compiled to `Op::CheckTrue`.
            Check::Condition { .. } => {}
            Check::Readable { ptr, size } => {
                self.memory.read(get(ptr), get(size))?;
            }
            Check::Accessible { ptr, size } => {
                self.memory.locate(get(ptr), get(size))?;
            }
            Check::Writable { ptr, size } => self.memory.check_write(get(ptr), get(size))?,
            Check::Freeable { ptr } => self.check_freeable(get(ptr))?,
            Check::Callable { ptr, .. } => {
                let address = get(ptr);
                if self.function_at(address).is_none() {
                    if self.is_fixed(address) {
                        return Err(SlowStop::Outcome(self.at_fixed_address(span)));
                    }
                    let kind =
                        if address == 0 { CheckKind::NullDereference } else { CheckKind::BadCall };
                    return Err(SlowStop::Outcome(self.undefined(
                        kind,
                        span,
                        vec![address.into()],
                        None,
                    )));
                }
            }
            Check::InBoundsOffset { ptr, offset } => {
                let (base, offset) = (get(ptr), get(offset));
                let is_bad = match self.memory.resolve(base) {
                    Some((id, at)) => {
                        let to = at.wrapping_add(offset.cast_signed());
                        to < 0 || to.cast_unsigned() > self.memory.object(id).size()
                    }
                    // Null plus zero is harmless in practice and in C2y.
                    None => offset != 0 && !self.is_fixed(base),
                };
                if is_bad {
                    let object = self.memory.resolve(base);
                    return Err(SlowStop::Memory(MemoryError {
                        kind: CheckKind::PointerOverflow,
                        object: object.map(|(id, _)| id),
                        offset: object.map_or(0, |(_, at)| at).wrapping_add(offset.cast_signed()),
                        len: 0,
                    }));
                }
            }
            Check::SameObject { lhs, rhs } => {
                let (lhs, rhs) = (get(lhs), get(rhs));
                let objects = (self.memory.resolve(lhs), self.memory.resolve(rhs));
                let is_same = match objects {
                    (Some((a, _)), Some((b, _))) => a == b,
                    (None, None) => lhs == rhs,
                    _ => false,
                };
                if !is_same {
                    let objects = [objects.0, objects.1].into_iter().flatten();
                    if objects.into_iter().any(|(id, _)| self.fixed_address(id).is_some()) {
                        return Err(SlowStop::Outcome(self.at_fixed_address(span)));
                    }
                    let values = vec![lhs.into(), rhs.into()];
                    let kind = CheckKind::PointerCompare;
                    return Err(SlowStop::Outcome(self.undefined(kind, span, values, None)));
                }
            }
        }
        Ok(())
    }
}

/// Why an instruction stops the run.
enum SlowStop {
    Memory(MemoryError),
    Outcome(Stop),
}

impl SlowStop {
    fn outcome(outcome: Outcome) -> SlowStop {
        SlowStop::Outcome(Box::new(outcome))
    }
}

impl From<MemoryError> for SlowStop {
    fn from(error: MemoryError) -> SlowStop {
        SlowStop::Memory(error)
    }
}
