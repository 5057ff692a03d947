//! The meaning of numbers that were never set, written into the program: whoever runs, explores or proves it then
//! agrees on it.

use std::collections::BTreeSet;

use crate::Shape;
use crate::check::Check;
use crate::func::{Body, Function, Linkage, Origin, ResultPassing};
use crate::id::{FuncId, LocalId, SourceTypeId, ValueId};
use crate::instr::{Call, Callee, Instr, InstrKind, MemoryOp, Operand, PointerOp};
use crate::program::Program;
use crate::promote::promote_locals;
use crate::source::Span;
use crate::ty::Ty;

/// What a variable holds before anything is stored in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UninitializedMode {
    /// Numbers have any value, and keep it. Reading other memory that was never set stays an error.
    Any,
    /// Reading it is a run-time error.
    Error,
}

/// Gives numbers that are not set at once the result of an input function whose name starts with `prefix`
/// (`Any`).
pub fn apply(program: &mut Program, mode: UninitializedMode, prefix: &str) {
    if mode == UninitializedMode::Error {
        return;
    }
    for function in program.function_ids() {
        let declared = program.function(function);
        if declared.origin != Origin::User {
            continue;
        }
        let Some(body) = &declared.body else { continue };
        let unset: Vec<(LocalId, Ty)> = (0..body.locals.len())
            .map(LocalId::new)
            .filter_map(|local| Some((local, number_of(program, body, local)?)))
            .collect();
        if unset.is_empty() {
            continue;
        }
        let inputs: Vec<(LocalId, Ty, FuncId)> = unset
            .into_iter()
            .map(|(local, ty)| {
                let Local { name, source_type } = named(program, function, local);
                (local, ty, input(program, &format!("{prefix}{name}"), ty, source_type))
            })
            .collect();
        let pointers = program.pointers;
        if let Some(body) = &mut program.functions[function.index()].body {
            for (local, ty, input) in inputs {
                set_at_start(body, local, ty, input);
            }
            promote_locals(body, pointers);
        }
    }
}

struct Local {
    name: String,
    source_type: SourceTypeId,
}

fn named(program: &Program, function: FuncId, local: LocalId) -> Local {
    let local = program.body(function).local(local);
    Local { name: local.name.clone(), source_type: local.source_type }
}

/// The type of a local that is one number, if it may be read before it is set.
fn number_of(program: &Program, body: &Body, local: LocalId) -> Option<Ty> {
    let declared = body.local(local);
    declared.var?;
    let Shape::Number(number) = program.shape(declared.source_type) else { return None };
    let ty = number.ty();
    (ty.size(program.pointers) == declared.size && is_used_unset(body, local)).then_some(ty)
}

/// Whether a path leads from where the local comes to life to a use of it that is not a whole store.
fn is_used_unset(body: &Body, local: LocalId) -> bool {
    let addresses: BTreeSet<ValueId> = instrs(body)
        .filter(|instr| instr.kind == InstrKind::Pointer(PointerOp::LocalAddr(local)))
        .filter_map(|instr| instr.result)
        .collect();
    let is_it =
        |operand: &Operand| matches!(operand, Operand::Value(value) if addresses.contains(value));
    let mut queue: Vec<(usize, usize)> = Vec::new();
    for (block, content) in body.blocks.iter().enumerate() {
        let starts = content
            .instrs
            .iter()
            .enumerate()
            .filter(|(_, instr)| instr.kind == InstrKind::Memory(MemoryOp::LocalStart(local)));
        queue.extend(starts.map(|(position, _)| (block, position + 1)));
    }
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    while let Some((block, from)) = queue.pop() {
        if !seen.insert((block, from)) {
            continue;
        }
        let content = &body.blocks[block];
        let mut is_settled = false;
        for instr in &content.instrs[from..] {
            match &instr.kind {
                InstrKind::Check(Check::Writable { ptr, .. } | Check::Accessible { ptr, .. })
                    if is_it(ptr) => {}
                InstrKind::Memory(MemoryOp::Store { ptr, value, .. })
                    if is_it(ptr) && !is_it(value) =>
                {
                    is_settled = true;
                }
                InstrKind::Memory(MemoryOp::LocalStart(other) | MemoryOp::LocalEnd(other))
                    if *other == local =>
                {
                    is_settled = true;
                }
                other @ (InstrKind::Pure(_)
                | InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Call(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_)
                | InstrKind::Unsupported { .. }) => {
                    let mut is_used = false;
                    other.for_each_operand(|operand| is_used |= is_it(operand));
                    if is_used {
                        return true;
                    }
                }
            }
            if is_settled {
                break;
            }
        }
        if !is_settled {
            let targets = content.terminator.targets();
            queue.extend(targets.iter().map(|target| (target.block.index(), 0)));
        }
    }
    false
}

fn instrs(body: &Body) -> impl Iterator<Item = &Instr> {
    body.blocks.iter().flat_map(|block| &block.instrs)
}

/// The function of this name that returns such a number; added where the program has none.
fn input(program: &mut Program, name: &str, ty: Ty, source_type: SourceTypeId) -> FuncId {
    let result = ResultPassing::Direct(ty);
    let fits = |function: &Function| {
        function.params.is_empty()
            && function.result == result
            && function.result_source_type == source_type
            && function.body.is_none()
    };
    let mut free = name.to_owned();
    let mut number = 1;
    while let Some(known) = program.function_named(&free) {
        if fits(program.function(known)) {
            return known;
        }
        number += 1;
        free = format!("{name}_{number}");
    }
    let id = FuncId::new(program.functions.len());
    program.functions.push(Function {
        name: free,
        linkage: Linkage::External,
        origin: Origin::User,
        params: Vec::new(),
        result,
        result_source_type: source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: None,
        span: Span::nowhere(),
    });
    id
}

/// Wherever the local comes to life, it gets what the input function returns.
fn set_at_start(body: &mut Body, local: LocalId, ty: Ty, input: FuncId) {
    let Body { blocks, values, .. } = body;
    for block in blocks {
        let old = std::mem::take(&mut block.instrs);
        for instr in old {
            let is_start = instr.kind == InstrKind::Memory(MemoryOp::LocalStart(local));
            let span = instr.span;
            block.instrs.push(instr);
            if !is_start {
                continue;
            }
            let mut new_value = |ty: Ty| {
                values.push(ty);
                ValueId::new(values.len() - 1)
            };
            let (any, address) = (new_value(ty), new_value(Ty::Ptr));
            let call = Call {
                callee: Callee::Direct(input),
                args: Vec::new(),
                result: Some(ty),
                n_fixed_args: 0,
            };
            let store = MemoryOp::Store {
                ptr: Operand::Value(address),
                value: Operand::Value(any),
                is_volatile: false,
            };
            let added = [
                (Some(any), InstrKind::Call(call)),
                (Some(address), InstrKind::Pointer(PointerOp::LocalAddr(local))),
                (None, InstrKind::Memory(store)),
            ];
            block.instrs.extend(added.map(|(result, kind)| Instr { result, kind, span }));
        }
    }
}
