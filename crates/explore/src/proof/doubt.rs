//! Which values errors may change: what an instruction gives whose check failed, and whatever is computed from that.
//!
//! The standard says nothing about a run after an error. Machines go on: a shift too far gives some number, a load outside of
//! an object finds some bytes, and optimizers let each use of such a number be another one. So a value in doubt may be
//! anything wherever it is used; only a product or a sum is one number wherever it is compared with constants, unless it was
//! computed with a constant, which compilers subtract on both sides, or conditions behind it tell more about its operands
//! (`operands`). Errors that write (a store outside of its object) or jump (the end of a function without
//! its result) leave nothing as it was: they are `Wild`.

use std::collections::BTreeSet;

use glassbox_coverage::running::Running;
use glassbox_coverage::scope::addressed;
use glassbox_coverage::{Property, PropertyKind, Site};
use glassbox_ir::instr::BinaryOp;
use glassbox_ir::{
    Body, Callee, Check, CheckKind, FuncId, Instr, InstrKind, MemoryOp, Operand, PointerOp,
    Program, PureOp, Target, Terminator, ValueId,
};
use glassbox_prove::{Doubt, Doubts, compares_with_constant};

use super::operands::are_settled;

/// What an error changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Harm {
    /// Nothing: it is no error, or what is called has its own rules.
    None,
    /// These results; and memory, where what was found is copied there.
    Values { results: Vec<(ValueId, Doubt)>, in_memory: bool },
    /// Anything.
    Wild,
}

/// What happens when a check of this property fails at one of its instructions.
pub(super) fn harm_at(program: &Program, property: &Property, site: Site) -> Harm {
    if property.kind == PropertyKind::LibraryCall {
        return Harm::Wild;
    }
    let body = program.body(property.function);
    let block = body.block(site.block);
    let (before, after) = block.instrs.split_at(site.instr as usize + 1);
    let Some(Instr { kind: InstrKind::Check(check), span, .. }) = before.last() else {
        return Harm::Wild;
    };
    let uses = |instr: &Instr, wanted: &[Operand]| {
        let mut is_used = false;
        instr.kind.for_each_operand(|operand| is_used |= wanted.contains(operand));
        is_used
    };
    let guarded = |wanted: &[Operand], is_kind: fn(&InstrKind) -> bool| {
        let alike = after.iter().filter(|instr| is_kind(&instr.kind) && uses(instr, wanted));
        values(body, alike)
    };
    match check {
        Check::Condition { kind, values: operands, .. } => match kind {
            CheckKind::DivisionByZero
            | CheckKind::SignedOverflow
            | CheckKind::ShiftAmount
            | CheckKind::ShiftOverflow
            | CheckKind::FloatToInt
            | CheckKind::OutOfBounds
            | CheckKind::PointerOverflow
            | CheckKind::PointerCompare
            | CheckKind::BadArgument => {
                let is_same = |instr: &&Instr| instr.span == *span && is_computed(&instr.kind);
                match values(body, after.iter().filter(is_same)) {
                    Harm::Wild => guarded(operands, is_computed),
                    found @ (Harm::None | Harm::Values { .. }) => found,
                }
            }
            CheckKind::UnsignedWrap
            | CheckKind::LossyConversion
            | CheckKind::Assertion
            | CheckKind::Precondition
            | CheckKind::Relation
            | CheckKind::HeapLimit
            | CheckKind::Leak
            | CheckKind::Endless => Harm::None,
            CheckKind::NullDereference
            | CheckKind::UseAfterFree
            | CheckKind::UseAfterScope
            | CheckKind::Uninitialized
            | CheckKind::WriteToConstant
            | CheckKind::BadPointer
            | CheckKind::DoubleFree
            | CheckKind::BadFree
            | CheckKind::BadCall
            | CheckKind::Overlap
            | CheckKind::VlaSize
            | CheckKind::MissingReturn
            | CheckKind::Unreachable
            | CheckKind::ClassCast
            | CheckKind::ArrayStore
            | CheckKind::NegativeArraySize
            | CheckKind::UncaughtException => Harm::Wild,
        },
        Check::Readable { ptr, .. } | Check::Accessible { ptr, .. } => {
            let reads = |kind: &InstrKind| match kind {
                InstrKind::Memory(op) => matches!(
                    op,
                    MemoryOp::Load { .. } | MemoryOp::LoadBits { .. } | MemoryOp::Copy { .. }
                ),
                InstrKind::Pure(_)
                | InstrKind::Pointer(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Call(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_)
                | InstrKind::Unsupported { .. } => false,
            };
            guarded(&[*ptr], reads)
        }
        Check::InBoundsOffset { ptr, .. } => {
            guarded(&[*ptr], |kind| matches!(kind, InstrKind::Pointer(PointerOp::Add { .. })))
        }
        Check::SameObject { lhs, rhs } => guarded(&[*lhs, *rhs], |kind| {
            matches!(kind, InstrKind::Pointer(PointerOp::Compare { .. } | PointerOp::Diff { .. }))
        }),
        // Whatever a pointer to a function of another type does, its call is not followed.
        Check::Callable { .. } => Harm::None,
        Check::Writable { .. } | Check::Freeable { .. } => Harm::Wild,
    }
}

fn is_computed(kind: &InstrKind) -> bool {
    matches!(kind, InstrKind::Pure(_) | InstrKind::Pointer(_))
}

/// The harm to the results of some instructions; without any, what the check was for is not known.
fn values<'i>(body: &Body, instrs: impl Iterator<Item = &'i Instr>) -> Harm {
    let (mut results, mut in_memory) = (Vec::new(), false);
    for instr in instrs {
        match instr.result {
            Some(result) => results.push((result, doubt_of(body, instr))),
            None => in_memory = true,
        }
    }
    if results.is_empty() && !in_memory {
        return Harm::Wild;
    }
    Harm::Values { results, in_memory }
}

/// What is left of a result in doubt: compilers have no rule that compares operands instead of sums and products of
/// two variables. Of a square they know the sign, whatever number it is elsewhere. What conditions say about operands
/// they apply to the sum behind them, so that it is positive there and was negative before.
fn doubt_of(body: &Body, instr: &Instr) -> Doubt {
    match &instr.kind {
        InstrKind::Pure(PureOp::Binary { op: BinaryOp::Add | BinaryOp::Mul, lhs, rhs })
            if matches!((lhs, rhs), (Operand::Value(_), Operand::Value(_)))
                && lhs != rhs
                && instr.result.is_some_and(|result| are_settled(body, result)) =>
        {
            Doubt::Steady
        }
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => Doubt::EachUse,
    }
}

/// How far doubts spread, wherever values go.
#[derive(Debug, Default)]
pub(super) struct Spread {
    values: Doubts,
    /// Something in doubt was stored: so is whatever is loaded.
    in_memory: bool,
    /// Functions whose results are in doubt.
    returned: BTreeSet<FuncId>,
}

impl Spread {
    pub(super) fn add(&mut self, function: FuncId, harm: &Harm) {
        if let Harm::Values { results, in_memory } = harm {
            for &(result, doubt) in results {
                self.values.insert((function, result), doubt);
            }
            self.in_memory |= in_memory;
        }
    }

    /// All values in doubt in runs of a function.
    pub(super) fn closed(mut self, program: &Program, entry: FuncId) -> Doubts {
        if self.values.is_empty() && !self.in_memory {
            return self.values;
        }
        let addressed = addressed(program);
        let running = Running::of(program).on_behalf_of(entry);
        loop {
            let before = (self.values.clone(), self.in_memory, self.returned.len());
            for &function in &running {
                let Some(body) = &program.function(function).body else { continue };
                self.go_through(program, function, body, &addressed);
            }
            let is_same = (self.in_memory, self.returned.len()) == (before.1, before.2);
            if is_same && self.values == before.0 {
                return self.values;
            }
        }
    }

    fn has(&self, function: FuncId, operand: &Operand) -> bool {
        matches!(operand, Operand::Value(value) if self.values.contains_key(&(function, *value)))
    }

    /// Whether each operand is the same number wherever it is compared with constants.
    fn are_steady(&self, function: FuncId, op: &PureOp) -> bool {
        let mut are_steady = compares_with_constant(op);
        op.for_each_operand(|operand| {
            let Operand::Value(value) = operand else { return };
            are_steady &= self.values.get(&(function, *value)) != Some(&Doubt::EachUse);
        });
        are_steady
    }

    fn doubt(&mut self, function: FuncId, value: ValueId) {
        self.values.insert((function, value), Doubt::EachUse);
    }

    fn go_through(
        &mut self,
        program: &Program,
        function: FuncId,
        body: &Body,
        addressed: &BTreeSet<FuncId>,
    ) {
        for block in &body.blocks {
            for instr in &block.instrs {
                let mut is_used = false;
                instr.kind.for_each_operand(|operand| is_used |= self.has(function, operand));
                let is_doubtful = match &instr.kind {
                    InstrKind::Pure(op) => is_used && !self.are_steady(function, op),
                    InstrKind::Pointer(_) => is_used,
                    InstrKind::Memory(MemoryOp::StackAlloc { .. } | MemoryOp::HeapAlloc { .. }) => {
                        is_used
                    }
                    InstrKind::Memory(MemoryOp::Load { .. } | MemoryOp::LoadBits { .. }) => {
                        is_used || self.in_memory
                    }
                    InstrKind::Memory(_) | InstrKind::VarArgs(_) => {
                        self.in_memory |= is_used;
                        self.in_memory
                    }
                    InstrKind::Call(call) => {
                        let callees: Vec<FuncId> = match call.callee {
                            Callee::Direct(callee) => vec![callee],
                            Callee::Indirect(_) => addressed.iter().copied().collect(),
                        };
                        let mut is_doubtful = false;
                        for callee in callees {
                            is_doubtful |= self.returned.contains(&callee);
                            let Some(body) = &program.function(callee).body else {
                                self.in_memory |= is_used;
                                is_doubtful |= is_used;
                                continue;
                            };
                            let params = &body.block(glassbox_ir::BlockId::new(Body::ENTRY)).params;
                            for (param, arg) in params.iter().zip(&call.args) {
                                if self.has(function, arg) {
                                    self.doubt(callee, *param);
                                }
                            }
                            // Further arguments are found in memory.
                            self.in_memory |= is_used && program.function(callee).is_variadic;
                        }
                        is_doubtful
                    }
                    InstrKind::Check(_)
                    | InstrKind::Assume { .. }
                    | InstrKind::Mark(_)
                    | InstrKind::Unsupported { .. } => false,
                };
                if let (Some(result), true) = (instr.result, is_doubtful) {
                    self.values.insert((function, result), doubt_of(body, instr));
                }
            }
            for Target { block, args } in block.terminator.targets() {
                for (param, arg) in body.block(*block).params.iter().zip(args) {
                    if self.has(function, arg) {
                        self.doubt(function, *param);
                    }
                }
            }
            if let Terminator::Return(Some(operand)) = &block.terminator
                && self.has(function, operand)
            {
                self.returned.insert(function);
            }
        }
    }
}
