//! The loop over instructions, and where control goes after a block.

use glassbox_ir::source_type::BitRange;
use glassbox_ir::{
    Block, BlockId, Body, FuncId, Instr, InstrKind, Mark, MemoryOp, Operand, PointerOp, Target,
    Terminator, Ty, VarArgsOp,
};
use glassbox_terms::TermId;
use glassbox_testcase::Assumption;

use super::var_args::Asked;
use super::{Executor, PathEnd, Stop, stop};
use crate::guide::{Alternative, ChoiceKind};
use crate::meaning::switch_ways;
use crate::memory::{ObjectKind, ObjectState};
use crate::value::{SymPtr, SymValue};

/// Steps, or bytes, after which the guide is asked whether to go on.
const BETWEEN_LOOKS: u64 = 64;

/// Bytes that are filled or copied in the time of a step.
const BYTES_OF_A_STEP: u64 = 16;

impl Executor<'_> {
    /// Runs until the function under test returns; its result.
    pub(crate) fn run(&mut self) -> Result<Option<SymValue>, Stop> {
        let program = self.program;
        loop {
            let frame = self.frame();
            let body = program.body(frame.function);
            let block = body.block(frame.block);
            if let Some(instr) = block.instrs.get(frame.position) {
                self.frame_mut().position += 1;
                self.count_step()?;
                self.instr(body, instr)?;
            } else {
                let entry = frame.function;
                if let Some(result) = self.terminator(body, block)? {
                    if self.n_calls >= self.config.calls {
                        return Ok(result);
                    }
                    self.call_again(entry)?;
                }
            }
        }
    }

    /// The function under test is called once more, with arguments of its own, on what the calls before left.
    fn call_again(&mut self, entry: FuncId) -> Result<(), Stop> {
        let params = std::mem::take(&mut self.inputs.params);
        self.inputs.earlier.push(params);
        self.start(entry)
    }

    fn count_step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > self.config.max_steps {
            stop(PathEnd::OutOfSteps)
        } else {
            self.look(self.steps)
        }
    }

    /// Ends the path when the time is over, which is looked at once in so many turns of whatever goes on.
    pub(super) fn look(&self, turn: u64) -> Result<(), Stop> {
        let is_over = turn.is_multiple_of(BETWEEN_LOOKS) && self.guide.is_stopped();
        if is_over { stop(PathEnd::OutOfSteps) } else { Ok(()) }
    }

    /// Bytes that one instruction writes cost time and memory too.
    pub(super) fn count_bytes(&mut self, n_bytes: u64) -> Result<(), Stop> {
        self.steps = self.steps.saturating_add(n_bytes / BYTES_OF_A_STEP);
        if self.steps > self.config.max_steps { stop(PathEnd::OutOfSteps) } else { Ok(()) }
    }

    fn instr(&mut self, body: &Body, instr: &Instr) -> Result<(), Stop> {
        self.span = instr.span;
        let value = match &instr.kind {
            InstrKind::Pure(op) => Some(self.pure(op)?),
            InstrKind::Pointer(op) => Some(self.pointer_op(body, op)?),
            InstrKind::Memory(op) => self.memory_op(body, op)?,
            InstrKind::VarArgs(op) => self.var_args(op)?,
            InstrKind::Call(call) => {
                self.note_site();
                return self.call(call, instr.result);
            }
            InstrKind::Check(check) => {
                self.note_site();
                self.check(check)?;
                None
            }
            InstrKind::Assume { condition } => {
                let fact = self.term(*condition)?;
                if self.guide.lifts(fact, self.span) {
                    return Ok(());
                }
                self.assume(fact)?;
                self.use_known_length(fact);
                None
            }
            InstrKind::Mark(Mark::Pointee { ptr, target }) => {
                self.take_pointee(*ptr, *target)?;
                None
            }
            InstrKind::Mark(Mark::Opened { ptr, size }) => {
                self.open_bytes(*ptr, *size);
                None
            }
            InstrKind::Mark(Mark::Presumes(what)) => {
                if let Some(presumed) = Assumption::presumed(*what, self.span.line) {
                    self.inputs.note_bound(presumed);
                }
                None
            }
            InstrKind::Mark(
                Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Def(_)
                | Mark::Use(..)
                | Mark::Promised,
            ) => None,
            InstrKind::Unsupported { what, .. } => return self.unsupported(what.clone()),
        };
        if let Some(value) = value {
            self.set(instr.result, value);
        }
        Ok(())
    }

    fn pointer_op(&mut self, body: &Body, op: &PointerOp) -> Result<SymValue, Stop> {
        Ok(match *op {
            PointerOp::LocalAddr(local) => {
                let object = match self.frame().locals[local.index()] {
                    Some(object) => object,
                    None => self.start_local(body, local),
                };
                SymValue::Ptr(self.start_of(object))
            }
            PointerOp::Add { base, offset } => self.pointer_add(base, offset)?,
            PointerOp::Diff { lhs, rhs } => self.pointer_diff(lhs, rhs)?,
            PointerOp::Compare { op, lhs, rhs } => {
                SymValue::Term(self.pointer_compare(op, lhs, rhs)?)
            }
            PointerOp::ObjectSize { ptr } => SymValue::Term(self.object_size(ptr)?),
            PointerOp::ObjectOffset { ptr } => SymValue::Term(self.object_offset(ptr)?),
            PointerOp::IsWhole { ptr, size } => SymValue::Term(self.is_whole(ptr, size)?),
        })
    }

    fn memory_op(&mut self, body: &Body, op: &MemoryOp) -> Result<Option<SymValue>, Stop> {
        match *op {
            MemoryOp::LocalStart(local) => {
                self.start_local(body, local);
            }
            MemoryOp::LocalEnd(local) => {
                if let Some(object) = self.frame_mut().locals[local.index()].take() {
                    self.memory.release(object, ObjectState::OutOfScope);
                }
            }
            MemoryOp::StackAlloc { size, .. } => {
                let size = self.term(size)?;
                let object = self.sized_object(ObjectKind::Stack, "array", size);
                self.frame_mut().stack_objects.push(object);
                return Ok(Some(SymValue::Ptr(self.start_of(object))));
            }
            MemoryOp::StackFree { ptr } => {
                if let SymPtr::Object { object, .. } = self.pointer(ptr) {
                    self.memory.release(object, ObjectState::OutOfScope);
                }
            }
            MemoryOp::HeapAlloc { size, fill } => {
                return self.heap_alloc(size, fill).map(Some);
            }
            MemoryOp::HeapFree { ptr } => self.heap_free(ptr)?,
            MemoryOp::Load { ty, ptr, is_volatile } => {
                if is_volatile {
                    self.note_volatile(ptr);
                }
                return self.load(ty, ptr).map(Some);
            }
            MemoryOp::LoadBits { ty, ptr, start, width, signedness, is_volatile } => {
                if is_volatile {
                    self.note_volatile(ptr);
                }
                return self.load_bits(ty, ptr, BitRange { start, width }, signedness).map(Some);
            }
            MemoryOp::Store { ptr, value, .. } => self.store(ptr, value)?,
            MemoryOp::StoreBits { ptr, start, width, value } => {
                self.store_bits(ptr, BitRange { start, width }, value)?;
            }
            MemoryOp::Copy { dst, src, len, is_volatile } => {
                if is_volatile {
                    self.note_volatile(src);
                }
                self.mem_copy(dst, src, len)?;
            }
            MemoryOp::Fill { dst, byte, len } => self.mem_set(dst, byte, len)?,
        }
        Ok(None)
    }

    fn var_args(&mut self, op: &VarArgsOp) -> Result<Option<SymValue>, Stop> {
        match *op {
            VarArgsOp::Start { list } => self.va_start(list)?,
            VarArgsOp::Next { list, ty, source_type, is_indirect } => {
                let asked = Asked { ty, source_type, is_indirect };
                return self.va_arg(list, &asked).map(Some);
            }
            VarArgsOp::Copy { dst, src } => {
                let len = Operand::Int(glassbox_values::Bits::new(24, 64));
                self.mem_copy(dst, src, len)?;
            }
            VarArgsOp::End { .. } => {}
        }
        Ok(None)
    }

    /// Ends a block. The outer `Some` when the function under test has returned.
    fn terminator(&mut self, body: &Body, block: &Block) -> Result<Option<Option<SymValue>>, Stop> {
        self.span = block.terminator_span;
        self.count_step()?;
        match &block.terminator {
            Terminator::Jump(target) => self.go(body, 0, target)?,
            Terminator::Branch { condition, if_true, if_false, .. } => {
                let condition = self.term(*condition)?;
                let negation = self.terms.not(condition);
                let ways = [way(condition), way(negation)];
                let taken = self.choose(ChoiceKind::Branch, &ways)?;
                self.go(body, taken, if taken == 0 { if_true } else { if_false })?;
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.term(*value)?;
                let ways = switch_ways(self.terms, value, cases);
                let ways: Vec<Alternative> = ways.into_iter().map(way).collect();
                let taken = self.choose(ChoiceKind::Branch, &ways)?;
                self.go(body, taken, cases.get(taken).map_or(default, |case| &case.target))?;
            }
            Terminator::Return(operand) => {
                let value = operand.map(|operand| self.operand(operand));
                return Ok(self.leave(value));
            }
            Terminator::Unreachable => {
                return self.failed(glassbox_ir::CheckKind::Unreachable);
            }
        }
        Ok(None)
    }

    fn go(&mut self, body: &Body, edge: usize, target: &Target) -> Result<(), Stop> {
        let args: Vec<SymValue> = target.args.iter().map(|&arg| self.operand(arg)).collect();
        let frame = self.frame_mut();
        let (function, from) = (frame.function, frame.block);
        for (&param, arg) in body.block(target.block).params.iter().zip(args) {
            frame.values[param.index()] = Some(arg);
        }
        frame.block = target.block;
        frame.position = 0;
        self.guide.edge(function, from, u32::try_from(edge).unwrap_or(u32::MAX));
        self.look_for_others()
    }

    /// Ends the newest activation; the outer `Some` when it was the function under test.
    fn leave(&mut self, value: Option<SymValue>) -> Option<Option<SymValue>> {
        let frame = self.frames.pop().expect("a function runs");
        let objects = frame.locals.iter().flatten().chain(&frame.stack_objects);
        for &object in objects.chain(&frame.var_args) {
            self.memory.release(object, ObjectState::OutOfScope);
        }
        if self.frames.is_empty() {
            return Some(value);
        }
        if let Some(value) = value {
            self.set(frame.result, value);
        }
        None
    }

    fn start_local(&mut self, body: &Body, local: glassbox_ir::LocalId) -> crate::value::ObjectId {
        let function = self.frame().function;
        if let Some(old) = self.frame_mut().locals[local.index()].take() {
            self.memory.release(old, ObjectState::OutOfScope);
        }
        let declared = body.local(local);
        let kind = ObjectKind::Local(function, local);
        let object = self.new_object(kind, &declared.name, declared.size);
        self.frame_mut().locals[local.index()] = Some(object);
        object
    }

    /// The entry of a function: its frame, with parameters set.
    pub(crate) fn push_frame(
        &mut self,
        function: glassbox_ir::FuncId,
        args: &[SymValue],
        var_args: &[(SymValue, Ty)],
        result: Option<glassbox_ir::ValueId>,
    ) -> Result<(), Stop> {
        if self.frames.len() >= self.config.max_depth {
            return stop(PathEnd::OutOfSteps);
        }
        let program = self.program;
        let body = program.body(function);
        let mut values = vec![None; body.values.len()];
        for (&param, &arg) in body.blocks[Body::ENTRY].params.iter().zip(args) {
            values[param.index()] = Some(arg);
        }
        let var_args = if program.function(function).is_variadic {
            Some(self.var_args_object(var_args)?)
        } else {
            None
        };
        self.frames.push(super::Frame {
            function,
            block: BlockId::new(Body::ENTRY),
            values,
            locals: vec![None; body.locals.len()],
            stack_objects: Vec::new(),
            var_args,
            position: 0,
            result,
            activation: self.n_activations,
        });
        self.n_activations += 1;
        Ok(())
    }
}

pub(crate) fn way(condition: TermId) -> Alternative {
    Alternative { condition, is_failure: false }
}
