//! Entering and leaving functions: frames, locals, arguments, calls of external functions.

use glassbox_ir::{Call, Callee, CheckKind, FuncId, Instr, InstrKind, Span, Ty};
use glassbox_values::Bits;

use crate::code::{Code, Reg};
use crate::compile::is_wide;
use crate::external::{ExternalCall, ExternalResult};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::{ObjectKind, ObjectState};
use crate::outcome::Outcome;
use crate::step::Stop;

impl Machine<'_> {
    pub(crate) fn start_local(&mut self, local: u32) -> Result<u64, Stop> {
        self.end_local(local);
        let frame = self.frames.last().expect("a function runs");
        let function = frame.code.function;
        let declared = &self.program.body(function).locals[local as usize];
        let kind = ObjectKind::Local(function, glassbox_ir::LocalId::new(local as usize));
        let id = self
            .memory
            .allocate(kind, declared.size, declared.span)
            .ok_or_else(|| Box::new(Outcome::OutOfMemory))?;
        self.frames.last_mut().expect("a function runs").locals[local as usize] = Some(id);
        Ok(self.memory.address_of(id, 0))
    }

    pub(crate) fn end_local(&mut self, local: u32) {
        let frame = self.frames.last_mut().expect("a function runs");
        if let Some(id) = frame.locals[local as usize].take() {
            self.memory.release(id, ObjectState::OutOfScope);
        }
    }

    pub(crate) fn push_frame(
        &mut self,
        function: FuncId,
        args: &[u128],
        var_args: &[(u128, Ty)],
        result: Option<(Reg, bool)>,
        call_span: Span,
    ) -> Result<(), Stop> {
        if self.frames.len() >= self.options.max_depth {
            return Err(Box::new(Outcome::OutOfMemory));
        }
        let code = self.code(function);
        let base = self.registers.len();
        self.registers.resize(base + code.n_regs, 0);
        for &(reg, word) in &code.constants {
            self.registers[base + reg as usize] = word;
        }
        for (&param, &arg) in code.params.iter().zip(args) {
            let reg = base + code.value_regs[param.index()] as usize;
            self.registers[reg] = arg as u64;
            if is_wide(code.value_types[param.index()]) {
                self.registers[reg + 1] = (arg >> 64) as u64;
            }
        }
        let var_args = if self.program.function(function).is_variadic {
            Some(self.var_args_object(var_args, call_span)?)
        } else {
            None
        };
        let locals = vec![None; code.n_locals];
        let activation = self.n_activations;
        self.n_activations = activation.wrapping_add(1);
        self.frames.push(Frame {
            code,
            activation,
            pc: 0,
            base,
            locals,
            stack_objects: Vec::new(),
            var_args,
            result,
            call_span,
            evaluations: Vec::new(),
        });
        Ok(())
    }

    /// Variable arguments in memory: 8 bytes each, 16 for wide ones.
    pub(crate) fn var_args_object(
        &mut self,
        var_args: &[(u128, Ty)],
        span: Span,
    ) -> Result<crate::memory::ObjectId, Stop> {
        let mut bytes = Vec::new();
        for &(value, ty) in var_args {
            let size = if is_wide(ty) { 16 } else { 8 };
            bytes.extend_from_slice(&value.to_le_bytes()[..size]);
        }
        self.memory
            .allocate_bytes(ObjectKind::VarArgs, bytes, span)
            .ok_or_else(|| Box::new(Outcome::OutOfMemory))
    }

    /// Calls; true when a new frame was pushed.
    pub(crate) fn call(&mut self, code: &Code, instr: &Instr) -> Result<bool, Stop> {
        let InstrKind::Call(call) = &instr.kind else { return Ok(false) };
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => {
                let address = self.read_u64(code, pointer);
                match self.function_at(address) {
                    Some(function) => function,
                    None => {
                        let values = vec![address.into()];
                        let kind = CheckKind::BadCall;
                        return Err(self.undefined(kind, instr.span, values, None));
                    }
                }
            }
        };
        self.check_signature(code, function, call, instr.span)?;
        let args: Vec<u128> = call.args.iter().map(|&arg| self.read(code, arg)).collect();
        let declared = self.program.function(function);
        if declared.body.is_none() {
            return self.call_external(code, function, call, &args, instr).map(|()| false);
        }
        let n_fixed = declared.params.len().min(args.len());
        let types = call.args.iter().map(|&arg| Machine::operand_ty(code, arg));
        let var_args: Vec<(u128, Ty)> = args.iter().copied().zip(types).skip(n_fixed).collect();
        let result = instr.result.map(|value| {
            let is_wide = is_wide(code.value_types[value.index()]);
            (code.value_regs[value.index()], is_wide)
        });
        self.push_frame(function, &args[..n_fixed], &var_args, result, instr.span)?;
        Ok(true)
    }

    /// A call through a pointer or an old-style declaration must fit the function that is there.
    pub(crate) fn check_signature(
        &self,
        code: &Code,
        function: FuncId,
        call: &Call,
        span: Span,
    ) -> Result<(), Stop> {
        let declared = self.program.function(function);
        if declared.body.is_none() {
            return Ok(());
        }
        let types = call.args.iter().map(|&arg| Machine::operand_ty(code, arg));
        if call.fits(declared, types) {
            return Ok(());
        }
        let message = format!("the call does not fit `{}`", declared.name);
        Err(self.undefined(CheckKind::BadCall, span, vec![], Some(message)))
    }

    pub(crate) fn call_external(
        &mut self,
        code: &Code,
        function: FuncId,
        call: &Call,
        args: &[u128],
        instr: &Instr,
    ) -> Result<(), Stop> {
        let arg_types: Vec<Ty> =
            call.args.iter().map(|&arg| Machine::operand_ty(code, arg)).collect();
        let external = ExternalCall {
            program: self.program,
            function,
            args,
            arg_types: &arg_types,
            n_fixed_args: call.n_fixed_args as usize,
            span: instr.span,
        };
        let span = instr.span;
        self.note_given_away(function, args);
        let name = || self.program.function(function).name.clone();
        let called = self.externals.call(&mut self.memory, &external);
        if !matches!(called, ExternalResult::Returned(_)) {
            self.coverage.ended_in = self.stack(span);
        }
        match called {
            ExternalResult::Returned(word) => {
                let word = match instr.result.map(|value| code.value_types[value.index()]) {
                    Some(Ty::Int(width)) => Bits::new(word, width).unsigned(),
                    _ => word,
                };
                self.write_value(code, instr.result, word);
                Ok(())
            }
            ExternalResult::Exited(status) => Err(Box::new(Outcome::Exited(status))),
            ExternalResult::Aborted => Err(Box::new(Outcome::Aborted)),
            ExternalResult::Memory(error) => Err(self.undefined_memory(error, span)),
            ExternalResult::Undefined(message) => {
                Err(self.undefined(CheckKind::BadCall, span, vec![], Some(message)))
            }
            ExternalResult::Unknown => {
                Err(Box::new(Outcome::MissingFunction { name: name(), span }))
            }
            ExternalResult::Unsupported(what) => {
                Err(Box::new(Outcome::Unsupported { what: format!("`{}`: {what}", name()), span }))
            }
        }
    }
}
