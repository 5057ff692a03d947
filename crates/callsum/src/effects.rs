//! What a call may write: globals by name, memory behind its arguments, or anything.
//!
//! Read off the instructions without regard to their order: every write goes through a pointer whose origin is
//! followed through SSA values. A pointer that comes out of memory, from an integer or from a call may point to
//! anything that is reachable; a pointer to a local or to new stack memory writes nothing that the caller knows.
//! Calls write what their callees write. Strength: a pointer with a known base stays in its object, as everywhere
//! in the graph, because leaving it is an error of its own.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{
    Body, Call, Callee, FuncId, GlobalId, Instr, InstrKind, MemoryOp, Operand, PointerOp, Program,
    PureOp,
};
use glassbox_model::library;
use glassbox_whole::summary::Writes;

use super::order::groups;

/// Where a pointer comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Origin {
    anything: bool,
    /// Memory of this activation.
    is_own: bool,
    globals: BTreeSet<GlobalId>,
    params: BTreeSet<usize>,
}

impl Origin {
    fn anything() -> Origin {
        Origin { anything: true, ..Origin::default() }
    }

    fn add(&mut self, other: &Origin) -> bool {
        let before = self.clone();
        self.anything |= other.anything;
        self.is_own |= other.is_own;
        self.globals.extend(&other.globals);
        self.params.extend(&other.params);
        *self != before
    }
}

/// What each function that `root` may come to writes.
pub(crate) fn effects(program: &Program, root: FuncId) -> BTreeMap<FuncId, Writes> {
    let mut effects = Effects { writes: BTreeMap::new() };
    for group in groups(program, root) {
        // Members of a group know each other's writes when nothing changes any more.
        loop {
            let mut has_changed = false;
            for &function in &group {
                let Some(body) = &program.function(function).body else { continue };
                let found = effects.of_body(program, body);
                has_changed |= effects.writes.insert(function, found.clone()) != Some(found);
            }
            if !has_changed {
                break;
            }
        }
    }
    effects.writes
}

/// The instructions of a function that may write what is not its own, each with what it may write, and the calls by which others may
/// write what is.
pub fn writing(program: &Program, function: FuncId) -> Vec<(&Instr, Writes)> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let effects = Effects { writes: effects(program, function) };
    let origins = origins(body);
    let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let each = instrs.map(|instr| {
        let mut writes = Writes::default();
        effects.add_instr(program, &origins, instr, &mut writes);
        (instr, writes)
    });
    let writes_something = |(instr, writes): &(&Instr, Writes)| {
        writes.anything
            || !writes.globals.is_empty()
            || !writes.params.is_empty()
            || effects.writes_own_of_caller(&origins, instr)
    };
    each.filter(writes_something).collect()
}

/// What was found so far.
struct Effects {
    writes: BTreeMap<FuncId, Writes>,
}

impl Effects {
    fn of_body(&self, program: &Program, body: &Body) -> Writes {
        let origins = origins(body);
        let mut writes = Writes::default();
        let mut note = |operand: &Operand| {
            if let Operand::Global(global) = operand {
                writes.mentioned.insert(*global);
            }
        };
        for block in &body.blocks {
            block.instrs.iter().for_each(|instr| instr.kind.for_each_operand(&mut note));
            block.terminator.for_each_operand(&mut note);
            for target in block.terminator.targets() {
                target.args.iter().for_each(&mut note);
            }
        }
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            self.add_instr(program, &origins, instr, &mut writes);
        }
        writes
    }

    fn add_instr(&self, program: &Program, origins: &[Origin], instr: &Instr, writes: &mut Writes) {
        match &instr.kind {
            InstrKind::Memory(op) => match op {
                MemoryOp::Store { ptr, .. }
                | MemoryOp::StoreBits { ptr, .. }
                | MemoryOp::Copy { dst: ptr, .. }
                | MemoryOp::Fill { dst: ptr, .. } => {
                    add_origin(writes, &origin_of(origins, *ptr));
                }
                MemoryOp::HeapFree { .. } => writes.anything = true,
                MemoryOp::LocalStart(_)
                | MemoryOp::LocalEnd(_)
                | MemoryOp::StackAlloc { .. }
                | MemoryOp::StackFree { .. }
                | MemoryOp::HeapAlloc { .. }
                | MemoryOp::Load { .. }
                | MemoryOp::LoadBits { .. } => {}
            },
            InstrKind::Call(call) => self.add_call(program, origins, call, writes),
            InstrKind::VarArgs(_) | InstrKind::Unsupported { .. } => writes.anything = true,
            InstrKind::Pure(_)
            | InstrKind::Pointer(_)
            | InstrKind::Check(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_) => {}
        }
    }

    /// Whether a callee may write memory of the activation that calls it.
    fn writes_own_of_caller(&self, origins: &[Origin], instr: &Instr) -> bool {
        let InstrKind::Call(Call { callee: Callee::Direct(function), args, .. }) = &instr.kind
        else {
            return false;
        };
        let written = self.writes.get(function).into_iter().flat_map(|theirs| &theirs.params);
        let mut pointers = written.filter_map(|&position| args.get(position));
        pointers.any(|&pointer| origin_of(origins, pointer).is_own)
    }

    fn add_call(&self, program: &Program, origins: &[Origin], call: &Call, writes: &mut Writes) {
        let Callee::Direct(function) = call.callee else {
            writes.anything = true;
            return;
        };
        let declared = program.function(function);
        if declared.body.is_none() {
            let changes = library::changes(program, function, &call.args);
            writes.anything |= changes.memory && !declared.is_noreturn;
            if changes.errno {
                writes.globals.extend(library::errno(program));
            }
            return;
        }
        if declared.is_variadic || call.args.len() != declared.params.len() {
            writes.anything = true;
            return;
        }
        // A member of the same group that was not looked at yet writes nothing so far.
        let Some(theirs) = self.writes.get(&function) else { return };
        writes.anything |= theirs.anything;
        writes.globals.extend(&theirs.globals);
        writes.mentioned.extend(&theirs.mentioned);
        for &position in &theirs.params {
            match call.args.get(position) {
                Some(arg) => add_origin(writes, &origin_of(origins, *arg)),
                None => writes.anything = true,
            }
        }
    }
}

fn add_origin(writes: &mut Writes, origin: &Origin) {
    writes.anything |= origin.anything;
    writes.globals.extend(&origin.globals);
    writes.params.extend(&origin.params);
}

/// By value: where it comes from, if it is a pointer.
fn origins(body: &Body) -> Vec<Origin> {
    let mut origins = vec![Origin::default(); body.values.len()];
    if let Some(entry) = body.blocks.first() {
        for (position, param) in entry.params.iter().enumerate() {
            origins[param.index()].params.insert(position);
        }
    }
    loop {
        let mut has_changed = false;
        for block in &body.blocks {
            for instr in &block.instrs {
                let Some(result) = instr.result else { continue };
                let found = result_origin(&origins, &instr.kind);
                has_changed |= origins[result.index()].add(&found);
            }
            for target in block.terminator.targets() {
                for (param, &arg) in body.block(target.block).params.iter().zip(&target.args) {
                    let found = origin_of(&origins, arg);
                    has_changed |= origins[param.index()].add(&found);
                }
            }
        }
        if !has_changed {
            return origins;
        }
    }
}

fn result_origin(origins: &[Origin], kind: &InstrKind) -> Origin {
    match kind {
        InstrKind::Pointer(PointerOp::LocalAddr(_))
        | InstrKind::Memory(MemoryOp::StackAlloc { .. }) => {
            Origin { is_own: true, ..Origin::default() }
        }
        InstrKind::Pointer(PointerOp::Add { base, .. }) => origin_of(origins, *base),
        InstrKind::Pure(PureOp::Select { if_true, if_false, .. }) => {
            let mut both = origin_of(origins, *if_true);
            both.add(&origin_of(origins, *if_false));
            both
        }
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => Origin::anything(),
    }
}

fn origin_of(origins: &[Origin], operand: Operand) -> Origin {
    match operand {
        Operand::Value(value) => origins[value.index()].clone(),
        Operand::Global(global) => {
            Origin { globals: BTreeSet::from([global]), ..Origin::default() }
        }
        // Nothing can be written there.
        Operand::NullPtr | Operand::Func(_) => Origin::default(),
        Operand::Int(_) | Operand::Float(_) => Origin::anything(),
    }
}
