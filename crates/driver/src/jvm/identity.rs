//! Whether a method tells apart objects of which the JVM decides how many there are: boxed numbers, lambdas, and the
//! standard streams, for which callers may have set others.

use std::collections::BTreeSet;

use glassbox_ir::{
    Body, Check, CheckKind, DecisionKind, FuncId, GlobalId, InstrKind, MemoryOp, Operand, Origin,
    PointerOp, Program, Terminator, ValueId,
};
use glassbox_jvm_front::settings::{Question, Setting};

/// What a method and all that it calls do with references.
pub(super) struct Identity<'a> {
    program: &'a Program,
    scope: Vec<FuncId>,
    /// Whether code of the user compares references.
    is_compared: bool,
}

impl<'a> Identity<'a> {
    pub(super) fn new(program: &'a Program, scope: Vec<FuncId>) -> Identity<'a> {
        let identity = Identity { program, scope, is_compared: false };
        let is_compared = identity.own_bodies().any(Body::compares_pointers);
        Identity { is_compared, ..identity }
    }

    fn own_bodies(&self) -> impl Iterator<Item = &'a Body> {
        let program = self.program;
        let functions = self.scope.iter().map(move |&id| program.function(id));
        functions
            .filter(|function| function.origin == Origin::User)
            .filter_map(|function| function.body.as_ref())
    }

    fn asks(&self, question: Question) -> bool {
        self.scope.iter().any(|&id| Question::of(&self.program.function(id).name) == Some(question))
    }

    /// Whether it can be noticed which references are the same object.
    fn tells_objects_apart(&self) -> bool {
        self.is_compared || self.asks(Question::SameObject)
    }

    /// Whether numbers are boxed and references compared: which boxes are shared is a setting of the JVM
    /// (`-XX:AutoBoxCacheMax`).
    pub(super) fn compares_boxes(&self) -> bool {
        self.asks(Question::SharedBoxes) && self.tells_objects_apart()
    }

    /// Whether lambdas are made, and references compared or classes asked for.
    pub(super) fn tells_lambdas_apart(&self, makers: &BTreeSet<FuncId>) -> bool {
        self.scope.iter().any(|id| makers.contains(id))
            && (self.tells_objects_apart()
                || self.asks(Question::EqualObjects)
                || self.asks(Question::ClassOfObject))
    }

    /// Whether something else is done with the standard streams than printing.
    pub(super) fn reads_streams(&self, globals: &BTreeSet<GlobalId>) -> bool {
        let streams: Vec<GlobalId> =
            globals.iter().copied().filter(|&id| is_stream(self.program, id)).collect();
        !streams.is_empty()
            && (self.is_compared
                || self.own_bodies().any(|body| streams.iter().any(|&id| is_handed_on(body, id))))
    }
}

/// Whether a variable is `System.out` or `System.err`.
pub(super) fn is_stream(program: &Program, global: GlobalId) -> bool {
    Setting::of(&program.global(global).name) == Some(Setting::StandardStream)
}

/// Whether a body does more with what a variable holds than calling its methods.
fn is_handed_on(body: &Body, global: GlobalId) -> bool {
    let instrs = || body.blocks.iter().flat_map(|block| &block.instrs);
    let is_load = |kind: &InstrKind| {
        matches!(kind, InstrKind::Memory(MemoryOp::Load { ptr, .. })
            if *ptr == Operand::Global(global))
    };
    let held: BTreeSet<ValueId> =
        instrs().filter(|instr| is_load(&instr.kind)).filter_map(|instr| instr.result).collect();
    let is_held = |operand: &Operand| matches!(operand, Operand::Value(id) if held.contains(id));
    let mut tested: BTreeSet<ValueId> = BTreeSet::new();
    for instr in instrs() {
        let (mut n_uses, mut n_tests) = (0, 0);
        instr.kind.for_each_operand(|operand| {
            n_uses += usize::from(is_held(operand));
            n_tests += usize::from(matches!(operand, Operand::Value(id) if tested.contains(id)));
        });
        if n_tests > 0 {
            match &instr.kind {
                InstrKind::Pure(_) => tested.extend(instr.result),
                // The JVM itself asks whether a receiver is null.
                InstrKind::Check(Check::Condition { kind: CheckKind::NullDereference, .. }) => {}
                InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Call(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_)
                | InstrKind::Unsupported { .. } => return true,
            }
        }
        if n_uses == 0 {
            continue;
        }
        let is_receiver = matches!(&instr.kind, InstrKind::Call(call)
            if n_uses == 1 && call.args.first().is_some_and(is_held));
        let is_test = matches!(&instr.kind, InstrKind::Pointer(PointerOp::Compare { lhs, rhs, .. })
            if *lhs == Operand::NullPtr || *rhs == Operand::NullPtr);
        if is_test {
            tested.extend(instr.result);
        } else if !is_receiver {
            return true;
        }
    }
    body.blocks.iter().any(|block| {
        let passed = block.terminator.targets().into_iter().flat_map(|target| &target.args);
        let is_used = |operand: &Operand| {
            matches!(operand, Operand::Value(id)
            if held.contains(id) || tested.contains(id))
        };
        let is_passed = passed.into_iter().any(is_used);
        match &block.terminator {
            // The JVM itself asks whether a receiver is null.
            Terminator::Branch { condition, origin: Some(origin), .. } => {
                let decision = &body.decisions[origin.decision.index()];
                is_passed || (decision.kind != DecisionKind::Throws && is_used(condition))
            }
            Terminator::Return(Some(value)) => is_used(value),
            Terminator::Branch { origin: None, .. }
            | Terminator::Jump(_)
            | Terminator::Switch { .. }
            | Terminator::Return(None)
            | Terminator::Unreachable => is_passed,
        }
    })
}
