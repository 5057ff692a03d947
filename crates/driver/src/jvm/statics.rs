//! Static fields that methods change: tests give them the values with which their classes start, since all tests of a
//! JVM share them.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_explore::TestRunner;
use glassbox_interp::{Outcome, java_observe};
use glassbox_ir::{
    ClassId, FieldId, FuncId, GlobalId, GlobalKind, InstrKind, MemoryOp, Operand, Origin, Program,
};
use glassbox_libc::JavaLibrary;
use glassbox_testcase::TestInput;
use glassbox_testcase::java::{JavaEnding, JavaValue};

use super::search::RUN_STEPS;
use super::surroundings::{initializer_of, statics_read};

/// What they hold at the start, where source code can write it.
#[derive(Debug, Default)]
pub(super) struct Statics {
    starts: BTreeMap<FieldId, JavaValue>,
    /// Classes of the user whose initializers do not end as they should: their first use throws another error than
    /// later ones (JVMS 5.5).
    failing: BTreeSet<ClassId>,
}

impl Statics {
    /// Looks at a program whose library has been initialized.
    pub(super) fn new(program: &Program) -> Statics {
        let changed = changed(program);
        let classes: BTreeSet<ClassId> =
            changed.keys().map(|&field| program.field(field).class).collect();
        let library = Box::new(JavaLibrary::new());
        let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
        let mut starts = BTreeMap::new();
        for class in classes {
            // A class that is not initialized by code has zeros.
            if let Some(initializer) = initializer_of(program, class)
                && !runner
                    .run(initializer, &TestInput::default())
                    .is_ok_and(|run| matches!(run.outcome, Outcome::Returned(_)))
            {
                continue;
            }
            let Some(machine) = runner.machine() else { continue };
            let own = changed.iter().filter(|(field, _)| program.field(**field).class == class);
            for (&field, &global) in own {
                let value = java_observe::static_field(machine, field, global);
                if is_writable(&value) {
                    starts.insert(field, value);
                }
            }
        }
        Statics { starts, failing: failing(program, &mut runner) }
    }

    /// Whether one of these classes cannot be initialized.
    pub(super) fn has_failing(&self, classes: &BTreeSet<ClassId>) -> bool {
        !self.failing.is_disjoint(classes)
    }

    /// Those that a function may read, with their values.
    pub(super) fn of(&self, program: &Program, function: FuncId) -> Vec<(FieldId, JavaValue)> {
        if self.starts.is_empty() {
            return Vec::new();
        }
        let read = statics_read(program, function);
        let known = self.starts.iter().filter(|(field, _)| read.contains(field));
        known.map(|(field, value)| (*field, value.clone())).collect()
    }
}

/// Classes of the user whose initializers throw, or of which that is not known.
fn failing(program: &Program, runner: &mut TestRunner<'_>) -> BTreeSet<ClassId> {
    let mut found = BTreeSet::new();
    for index in 0..program.classes.len() {
        let class = ClassId::new(index);
        let is_own = |id: &FuncId| program.function(*id).origin == Origin::User;
        let Some(initializer) = initializer_of(program, class).filter(is_own) else { continue };
        let run = runner.run(initializer, &TestInput::default());
        let ending = run
            .ok()
            .zip(runner.machine())
            .map(|(run, machine)| java_observe::observe(machine, initializer, &run).ending);
        if !matches!(ending, Some(JavaEnding::Returned(_))) {
            found.insert(class);
        }
    }
    found
}

/// Static fields of the user's classes that are not final and that code outside of initializers stores to.
fn changed(program: &Program) -> BTreeMap<FieldId, GlobalId> {
    let is_initializer = |function: &glassbox_ir::Function| {
        let method = function.method.map(|id| &program.methods[id.index()]);
        method.is_some_and(|method| method.name == "<clinit>")
    };
    let own = program
        .functions
        .iter()
        .filter(|function| function.origin == Origin::User && !is_initializer(function));
    let bodies = own.filter_map(|function| function.body.as_ref());
    let instrs = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
    let stored = instrs.filter_map(|instr| match &instr.kind {
        InstrKind::Memory(MemoryOp::Store { ptr: Operand::Global(global), .. }) => Some(*global),
        InstrKind::Memory(_)
        | InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => None,
    });
    let fields = stored.filter_map(|global| {
        let GlobalKind::StaticField(field) = program.global(global).kind else { return None };
        let declared = program.field(field);
        let is_own = program.object_layout.as_ref().is_some_and(|it| it.is_own(declared.class));
        (is_own && !declared.is_final).then_some((field, global))
    });
    fields.collect()
}

/// Whether source code has a constant for it.
fn is_writable(value: &JavaValue) -> bool {
    match value {
        JavaValue::Null | JavaValue::Int(_) | JavaValue::Float(_) | JavaValue::String(_) => true,
        JavaValue::Input(_)
        | JavaValue::Array(..)
        | JavaValue::Boxed(..)
        | JavaValue::Object(_) => false,
    }
}
