//! Structure: every id exists, every value has one definition, decisions and variables are in shape.

use super::Verifier;
use super::error::{BrokenRule, Place};
use crate::block::{Target, Terminator};
use crate::cfg::Cfg;
use crate::decision::Formula;
use crate::func::{Body, Passing, ResultPassing};
use crate::id::{BlockId, ValueId};
use crate::instr::{Call, Callee, InstrKind, MemoryOp, Operand, PointerOp, VarArgsOp};
use crate::mark::{Mark, VarRef};
use crate::ty::Ty;

pub(super) fn verify_structure(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    if body.blocks.is_empty() {
        verifier.report(BrokenRule::NoEntry);
        return;
    }
    for block in body.block_ids() {
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            verifier.at(block, Some(position));
            instr.kind.for_each_operand(|operand| operand_exists(verifier, *operand));
            ids_exist(verifier, &instr.kind);
        }
        verifier.at(block, None);
        terminator_ids_exist(verifier, &body.block(block).terminator);
    }
    verifier.place = None;
    if verifier.is_clean() {
        single_definitions(verifier);
        entry(verifier);
    }
    variables(verifier);
    decisions(verifier);
}

fn exists(verifier: &mut Verifier<'_>, what: &'static str, index: usize, count: usize) {
    verifier.require(index < count, BrokenRule::UnknownId { what, index });
}

fn operand_exists(verifier: &mut Verifier<'_>, operand: Operand) {
    let program = verifier.program;
    match operand {
        Operand::Value(value) => {
            let count = verifier.body.values.len();
            exists(verifier, "value", value.index(), count);
        }
        Operand::Global(global) => {
            exists(verifier, "global", global.index(), program.globals.len());
        }
        Operand::Func(func) => exists(verifier, "function", func.index(), program.functions.len()),
        Operand::Int(_) | Operand::Float(_) | Operand::NullPtr => {}
    }
}

fn ids_exist(verifier: &mut Verifier<'_>, kind: &InstrKind) {
    let program = verifier.program;
    match kind {
        InstrKind::Pointer(PointerOp::LocalAddr(local))
        | InstrKind::Memory(MemoryOp::LocalStart(local) | MemoryOp::LocalEnd(local)) => {
            let count = verifier.body.locals.len();
            exists(verifier, "local", local.index(), count);
        }
        InstrKind::Memory(MemoryOp::StackAlloc { source_type, .. }) => {
            exists(verifier, "type", source_type.index(), program.source_types().len());
        }
        InstrKind::Call(call) => callee_exists(verifier, call),
        InstrKind::Mark(Mark::Def(access) | Mark::Use(access, _)) => match access.var {
            VarRef::Local(var) => {
                let count = verifier.body.vars.len();
                exists(verifier, "variable", var.index(), count);
            }
            VarRef::Global(global) => {
                exists(verifier, "global", global.index(), program.globals.len());
            }
        },
        InstrKind::Mark(Mark::Pointee { target, .. }) => {
            exists(verifier, "type", target.index(), program.source_types().len());
        }
        InstrKind::VarArgs(VarArgsOp::Next { source_type, .. }) => {
            exists(verifier, "type", source_type.index(), program.source_types().len());
        }
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(
            VarArgsOp::Start { .. } | VarArgsOp::Copy { .. } | VarArgsOp::End { .. },
        )
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(
            Mark::Statement
            | Mark::Instruction
            | Mark::Unsigned
            | Mark::Presumes(_)
            | Mark::Opened { .. }
            | Mark::Promised,
        )
        | InstrKind::Unsupported { .. } => {}
    }
}

fn callee_exists(verifier: &mut Verifier<'_>, call: &Call) {
    let program = verifier.program;
    match call.callee {
        Callee::Direct(func) => {
            exists(verifier, "function", func.index(), program.functions.len());
        }
        Callee::Indirect(_) => {}
    }
}

fn terminator_ids_exist(verifier: &mut Verifier<'_>, terminator: &Terminator) {
    let n_blocks = verifier.body.blocks.len();
    for Target { block, args } in terminator.targets() {
        exists(verifier, "block", block.index(), n_blocks);
        for &arg in args {
            operand_exists(verifier, arg);
        }
    }
    match terminator {
        Terminator::Branch { condition, origin, .. } => {
            operand_exists(verifier, *condition);
            if let Some(origin) = origin {
                let body = verifier.body;
                match body.decisions.get(origin.decision.index()) {
                    Some(decision) => {
                        let n_conditions = decision.conditions.len();
                        let condition = origin.condition;
                        verifier.require(
                            usize::from(condition) < n_conditions,
                            BrokenRule::ConditionOutOfRange { condition, n_conditions },
                        );
                    }
                    None => exists(verifier, "decision", origin.decision.index(), 0),
                }
            }
        }
        Terminator::Switch { value, .. } => operand_exists(verifier, *value),
        Terminator::Return(Some(value)) => operand_exists(verifier, *value),
        Terminator::Jump(_) | Terminator::Return(None) | Terminator::Unreachable => {}
    }
}

/// Each value is defined at most once, and at least once if something uses it.
fn single_definitions(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    let mut is_defined = vec![false; body.values.len()];
    let mut define = |verifier: &mut Verifier<'_>, value: ValueId| {
        if value.index() >= is_defined.len() {
            exists(verifier, "value", value.index(), is_defined.len());
        } else if std::mem::replace(&mut is_defined[value.index()], true) {
            verifier.report(BrokenRule::DefinedTwice { value });
        }
    };
    for block in body.block_ids() {
        verifier.at(block, None);
        for &param in &body.block(block).params {
            define(verifier, param);
        }
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            verifier.at(block, Some(position));
            if let Some(value) = instr.result {
                define(verifier, value);
            }
        }
    }
    let mut used_undefined = None;
    for_each_use(body, |operand, place| {
        if let Operand::Value(value) = operand
            && !is_defined[value.index()]
            && used_undefined.is_none()
        {
            used_undefined = Some((value, place));
        }
    });
    if let Some((value, place)) = used_undefined {
        verifier.place = Some(place);
        verifier.report(BrokenRule::NeverDefined { value });
    }
    verifier.place = None;
}

/// Calls `visit` with every operand of the body and its place.
pub(super) fn for_each_use(body: &Body, mut visit: impl FnMut(Operand, Place)) {
    for block in body.block_ids() {
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            let place = Place { block, instr: Some(position) };
            instr.kind.for_each_operand(|operand| visit(*operand, place));
        }
        let place = Place { block, instr: None };
        body.block(block).terminator.for_each_operand(|operand| visit(*operand, place));
    }
}

fn entry(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    let params: Vec<Ty> =
        body.blocks[Body::ENTRY].params.iter().map(|param| body.value_ty(*param)).collect();
    let expected: Vec<Ty> = verifier.function.params.iter().map(|param| param.ty).collect();
    let has_result_address =
        verifier.function.result != ResultPassing::Indirect || expected.first() == Some(&Ty::Ptr);
    verifier.require(params == expected && has_result_address, BrokenRule::EntryParams);
    let has_indirect_non_ptr = verifier
        .function
        .params
        .iter()
        .any(|param| param.passing == Passing::Indirect && param.ty != Ty::Ptr);
    verifier.require(!has_indirect_non_ptr, BrokenRule::IndirectParamNotPtr);
    let cfg = Cfg::new(body);
    verifier.require(
        cfg.predecessors[BlockId::new(Body::ENTRY).index()].is_empty(),
        BrokenRule::EntryHasPredecessor,
    );
}

fn variables(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    let params: Vec<u32> = body.vars.iter().map_while(|var| var.param).collect();
    let is_in_order =
        params.iter().enumerate().all(|(position, param)| position == *param as usize);
    let n_params = body.vars.iter().filter(|var| var.param.is_some()).count();
    verifier.require(is_in_order && n_params == params.len(), BrokenRule::ParamVarsNotFirst);
    for (position, var) in body.vars.iter().enumerate() {
        let Some(local) = var.local else { continue };
        let is_mutual = body
            .locals
            .get(local.index())
            .is_some_and(|found| found.var.is_some_and(|var| var.index() == position));
        verifier.require(is_mutual, BrokenRule::LocalOfVarDisagrees { local });
    }
    let n_types = verifier.program.source_types().len();
    for local in &body.locals {
        exists(verifier, "type", local.source_type.index(), n_types);
        verifier
            .require(local.align.is_power_of_two(), BrokenRule::BadAlign { align: local.align });
    }
    for var in &body.vars {
        exists(verifier, "type", var.source_type.index(), n_types);
    }
}

fn decisions(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    for decision in &body.decisions {
        let n_conditions = decision.conditions.len();
        let mut times = vec![0; n_conditions];
        // An explicit stack: formulas may be deep chains.
        let mut stack = vec![&decision.formula];
        while let Some(formula) = stack.pop() {
            match formula {
                Formula::Condition(condition) => match times.get_mut(usize::from(*condition)) {
                    Some(count) => *count += 1,
                    None => verifier.report(BrokenRule::ConditionOutOfRange {
                        condition: *condition,
                        n_conditions,
                    }),
                },
                Formula::Not(inner) => stack.push(inner),
                Formula::And(lhs, rhs) | Formula::Or(lhs, rhs) => stack.extend([&**lhs, &**rhs]),
            }
        }
        for (position, &times) in times.iter().enumerate() {
            let condition = u16::try_from(position).unwrap_or(u16::MAX);
            verifier.require(times == 1, BrokenRule::ConditionOccurrence { condition, times });
        }
    }
}
