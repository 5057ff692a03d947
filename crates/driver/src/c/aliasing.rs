//! Whether a function reaches memory through pointers, so that it matters what they may share.

use glassbox_contract::{ClauseKind, Config};
use glassbox_coverage::property::is_library;
use glassbox_coverage::scope::scope;
use glassbox_ir::instr::CastOp;
use glassbox_ir::{
    Body, CheckKind, FuncId, InstrKind, MemoryOp, Operand, Origin, PointerOp, Program, PureOp,
    ValueId,
};
use glassbox_testcase::{Assumption, Verdict};

use crate::function_report::FunctionReport;
use crate::relation;

/// Adds to proofs what they rest on because memory of known length is an object of its own in inputs: callers may pass
/// parts of larger ones.
pub(super) fn rest_on_lengths(
    program: &Program,
    config: Option<&Config>,
    report: &mut FunctionReport,
) {
    let is_about_length = |bound: &Assumption| {
        let errors = [None, Some(CheckKind::OutOfBounds), Some(CheckKind::PointerOverflow)];
        matches!(bound, Assumption::NoError { error, .. } if errors.contains(error))
    };
    let entries = [report.entry, report.function()];
    if entries.into_iter().any(|entry| has(program, entry, is_whole)) {
        for goal in &mut report.suite.goals {
            // What leaves an input may stay inside of what a caller passes.
            if let Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } =
                &goal.verdict
                && bounds.iter().any(is_about_length)
            {
                goal.verdict.rest_on(&[Assumption::WholeObjects]);
            }
        }
    }
    let mut starts = report.starts.iter().copied().chain([report.function()]);
    let is_seen = starts.any(|start| {
        let subject = relation::subject(program, start);
        let name = &program.function(subject).name;
        let mut contracts = config.into_iter().flat_map(|config| &config.contracts);
        let contract = contracts.find(|contract| contract.function == *name);
        let mut clauses = contract.into_iter().flat_map(|contract| &contract.clauses);
        // What is compared with the function, such as a reference or an older version, runs with the same arrays.
        clauses.any(|clause| matches!(clause.kind, ClauseKind::Separate(_)))
            && scope(program, start, &[]).into_iter().any(|id| {
                has(program, id, frees)
                    || is_written(program, id) && has(program, id, looks_at_addresses)
            })
    });
    if is_seen {
        for goal in &mut report.suite.goals {
            goal.verdict.rest_on(&[Assumption::SeparateObjects]);
        }
    }
}

fn has(program: &Program, function: FuncId, is_it: fn(&InstrKind) -> bool) -> bool {
    let blocks = program.function(function).body.iter().flat_map(|body| &body.blocks);
    blocks.flat_map(|block| &block.instrs).any(|instr| is_it(&instr.kind))
}

/// Whether a user wrote the function: what the library does with addresses means the same in parts of one array, and what is made
/// from contracts says that they are apart.
fn is_written(program: &Program, id: FuncId) -> bool {
    match program.function(id).origin {
        Origin::User | Origin::System | Origin::Variant { .. } | Origin::StandIn => {
            !is_library(program, id)
        }
        Origin::LibraryModel
        | Origin::Harness { .. }
        | Origin::Requirement { .. }
        | Origin::Promise { .. }
        | Origin::Relation { .. }
        | Origin::Runtime => false,
    }
}

/// The end of one part is the end of all.
fn frees(kind: &InstrKind) -> bool {
    matches!(kind, InstrKind::Memory(MemoryOp::HeapFree { .. }))
}

fn is_whole(kind: &InstrKind) -> bool {
    matches!(kind, InstrKind::Pointer(PointerOp::IsWhole { .. }))
}

/// Whether two parts of one object may give something else than two objects.
fn looks_at_addresses(kind: &InstrKind) -> bool {
    match kind {
        InstrKind::Pointer(PointerOp::Compare { lhs, rhs, .. }) => {
            ![lhs, rhs].contains(&&Operand::NullPtr)
        }
        InstrKind::Pointer(
            PointerOp::Diff { .. } | PointerOp::ObjectSize { .. } | PointerOp::ObjectOffset { .. },
        )
        | InstrKind::Pure(PureOp::Cast { op: CastOp::PtrToInt, .. })
        | InstrKind::Unsupported { .. } => true,
        InstrKind::Pointer(_)
        | InstrKind::Pure(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_) => false,
    }
}

/// Whether the function, or what runs on its behalf, reads or writes through a pointer that is not the address of a
/// variable.
pub(super) fn follows_pointers(program: &Program, function: FuncId) -> bool {
    let functions = scope(program, function, &[]);
    functions.iter().filter_map(|&id| program.function(id).body.as_ref()).any(|body| {
        let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        instrs.any(|instr| match &instr.kind {
            InstrKind::Memory(op) => !is_of_variables(body, op),
            InstrKind::VarArgs(_) | InstrKind::Unsupported { .. } => true,
            // What is called may be the library's.
            InstrKind::Call(call) => call.args.iter().any(|arg| !is_variable(body, *arg)),
            InstrKind::Pure(_)
            | InstrKind::Pointer(_)
            | InstrKind::Check(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_) => false,
        })
    })
}

fn is_of_variables(body: &Body, op: &MemoryOp) -> bool {
    match op {
        MemoryOp::LocalStart(_) | MemoryOp::LocalEnd(_) => true,
        MemoryOp::Load { ptr, .. }
        | MemoryOp::LoadBits { ptr, .. }
        | MemoryOp::Store { ptr, .. }
        | MemoryOp::StoreBits { ptr, .. }
        | MemoryOp::Fill { dst: ptr, .. } => is_variable(body, *ptr),
        MemoryOp::Copy { dst, src, .. } => is_variable(body, *dst) && is_variable(body, *src),
        MemoryOp::StackAlloc { .. }
        | MemoryOp::StackFree { .. }
        | MemoryOp::HeapAlloc { .. }
        | MemoryOp::HeapFree { .. } => false,
    }
}

/// Whether an operand is no pointer, or the address of something in a variable.
fn is_variable(body: &Body, operand: Operand) -> bool {
    let mut at = operand;
    loop {
        let Operand::Value(value) = at else { return true };
        if body.value_ty(value) != glassbox_ir::Ty::Ptr {
            return true;
        }
        match definition(body, value) {
            Some(InstrKind::Pointer(PointerOp::LocalAddr(_))) => return true,
            Some(InstrKind::Pointer(PointerOp::Add { base, .. })) => at = *base,
            Some(_) | None => return false,
        }
    }
}

fn definition(body: &Body, value: ValueId) -> Option<&InstrKind> {
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    instrs.find(|instr| instr.result == Some(value)).map(|instr| &instr.kind)
}
