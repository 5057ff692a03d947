//! What may run on behalf of a function: the functions that it calls, and those whose address it gives away.
//!
//! A function is called by name, through a pointer, or by code that is not in the program: `atexit(h)`, a handler in a
//! struct, a comparison out of a table. Which pointers get where is not followed: wherever a pointer is called, or
//! may reach code outside, every function whose address was taken may run. A construct that is not understood may run
//! every function: a handler for cleaning up is named in an attribute, inline assembly names symbols.

use std::collections::BTreeSet;

use glassbox_ir::library::is_model;
use glassbox_ir::{
    BlockId, Body, Call, Callee, FuncId, InstrKind, Operand, Origin, Program, RelocationTarget,
    Span, Ty,
};

/// What the code of a block, or of several, may call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls {
    /// By name.
    pub direct: BTreeSet<FuncId>,
    /// Functions whose address the code mentions.
    pub addressed: BTreeSet<FuncId>,
    /// A pointer is called.
    pub through_pointer: bool,
    /// Code that is not in the program runs and may call any function whose address was taken.
    pub from_outside: bool,
    /// Something that is not understood runs and may call any function.
    pub from_unknown: bool,
}

impl Calls {
    /// Any function whose address was taken may be called.
    fn is_open(&self) -> bool {
        self.through_pointer || self.from_outside
    }

    /// Adds what a block calls.
    pub fn add_block(&mut self, program: &Program, body: &Body, block: BlockId) {
        self.add_rest_of_block(program, body, block, 0);
    }

    /// Adds what a block calls from this instruction on.
    pub fn add_rest_of_block(
        &mut self,
        program: &Program,
        body: &Body,
        block: BlockId,
        from: usize,
    ) {
        let block = body.block(block);
        let instrs = block.instrs.get(from..).unwrap_or_default();
        let addressed = &mut self.addressed;
        let mut mention = |operand: &Operand| {
            if let Operand::Func(function) = operand {
                addressed.insert(*function);
            }
        };
        for instr in instrs {
            instr.kind.for_each_operand(&mut mention);
        }
        block.terminator.for_each_operand(&mut mention);
        for instr in instrs {
            match &instr.kind {
                InstrKind::Call(call) => self.add_call(program, body, call),
                InstrKind::Unsupported { .. } => {
                    self.from_outside = true;
                    // No method of Java runs because its name stands somewhere: what the library calls back, it
                    // has an object of.
                    self.from_unknown |= program.language.unknown_code_may_call_by_address();
                }
                InstrKind::Pure(_)
                | InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_) => {}
            }
        }
    }

    /// Adds what a whole function calls.
    pub fn add_function(&mut self, program: &Program, function: FuncId) {
        let Some(body) = &program.function(function).body else { return };
        for block in body.block_ids() {
            self.add_block(program, body, block);
        }
    }

    fn add_call(&mut self, program: &Program, body: &Body, call: &Call) {
        match call.callee {
            Callee::Direct(function) => {
                self.direct.insert(function);
                self.from_outside |= may_call_back(program, body, function, &call.args);
            }
            Callee::Indirect(_) => self.through_pointer = true,
        }
    }
}

/// Whether a function that is called with these arguments may call, now or later, functions of the program that it
/// is not in. What the catalogue does not know may do so if pointers to functions can be in what it is given.
fn may_call_back(program: &Program, body: &Body, function: FuncId, args: &[Operand]) -> bool {
    let declared = program.function(function);
    if declared.body.is_some() {
        return false;
    }
    if let Some(known) = glassbox_library::function_of(declared) {
        return known.row.calls_back || known.row.control.is_beyond_order();
    }
    let is_pointer = |operand: &Operand| match operand {
        Operand::Value(value) => body.value_ty(*value) == Ty::Ptr,
        Operand::NullPtr | Operand::Int(_) | Operand::Float(_) => false,
        Operand::Global(_) | Operand::Func(_) => true,
    };
    args.iter().any(is_pointer)
}

/// Functions whose address is in the initial value of a global.
fn in_initializers(program: &Program) -> BTreeSet<FuncId> {
    let initializers = program.globals.iter().filter_map(|global| global.initializer.as_ref());
    let targets = initializers.flat_map(|initializer| &initializer.relocations);
    let functions = targets.filter_map(|relocation| match relocation.target {
        RelocationTarget::Func(function) => Some(function),
        RelocationTarget::Global(_) => None,
    });
    functions.collect()
}

/// Functions whose address the program takes anywhere.
pub fn addressed(program: &Program) -> BTreeSet<FuncId> {
    let mut calls = Calls { addressed: in_initializers(program), ..Calls::default() };
    for function in program.function_ids() {
        calls.add_function(program, function);
    }
    calls.addressed
}

/// The first construct in these functions that is not understood, with its place. Where the library has bodies, its calls
/// have properties of their own, which say what is not understood behind them.
pub fn not_understood(program: &Program, functions: &[FuncId]) -> Option<(String, Span)> {
    let is_asked = |function: &&FuncId| {
        !program.language.library_has_bodies()
            || program.function(**function).origin == Origin::User
    };
    let functions = functions.iter().filter(is_asked);
    let bodies = functions.filter_map(|&function| program.function(function).body.as_ref());
    let mut instrs = bodies.flat_map(|body| body.block_ids().flat_map(|b| &body.block(b).instrs));
    instrs.find_map(|instr| {
        let InstrKind::Unsupported { what, .. } = &instr.kind else { return None };
        Some((what.clone(), instr.span))
    })
}

/// Whether code that is not in the program may call a function in runs of `entry`: a handler for the end of the
/// program, a thread, a function in a table that somebody else gets.
pub fn may_be_called_from_outside(program: &Program, entry: FuncId, function: FuncId) -> bool {
    let mut calls = Calls { addressed: in_initializers(program), ..Calls::default() };
    for runs in scope(program, entry, &[]) {
        calls.add_function(program, runs);
    }
    calls.from_unknown || (calls.from_outside && calls.addressed.contains(&function))
}

/// The functions whose properties belong to a check of `entry`: itself and what may run on its behalf, without the
/// library and without `others`, which are checked by themselves.
pub fn scope(program: &Program, entry: FuncId, others: &[FuncId]) -> Vec<FuncId> {
    let mut calls = Calls { addressed: in_initializers(program), ..Calls::default() };
    let mut found = BTreeSet::new();
    let mut new = vec![entry];
    while !new.is_empty() {
        for function in new.drain(..) {
            found.insert(function);
            calls.add_function(program, function);
        }
        let open = calls.is_open().then_some(&calls.addressed).into_iter().flatten();
        let is_ours = |callee: &FuncId| {
            program.function(*callee).body.is_some()
                && !others.contains(callee)
                && !found.contains(callee)
        };
        let all = calls.from_unknown.then(|| program.function_ids()).into_iter().flatten();
        let called = calls.direct.iter().chain(open).copied().chain(all);
        new = called.filter(is_ours).collect();
    }
    found.into_iter().filter(|&function| !is_model(program, function)).collect()
}
