//! Static fields that methods change: tests give them the values with which their classes start, since all tests of a
//! JVM share them.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::scope::scope;
use glassbox_explore::TestRunner;
use glassbox_interp::{Machine, Outcome, java_observe};
use glassbox_ir::{
    ClassId, FieldId, FuncId, GlobalId, GlobalKind, InstrKind, MemoryOp, Operand, Origin, Program,
};
use glassbox_jvm_front::JavaProgram;
use glassbox_libc::JavaLibrary;
use glassbox_testcase::TestInput;
use glassbox_testcase::java::{JavaEnding, JavaStatic, JavaValue};

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
        let library = Box::new(JavaLibrary::new());
        let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
        let starts = Statics::starts(program, &changed(program), &mut runner);
        Statics { starts, failing: failing(program, &mut runner) }
    }

    fn starts(
        program: &Program,
        changed: &BTreeMap<FieldId, GlobalId>,
        runner: &mut TestRunner<'_>,
    ) -> BTreeMap<FieldId, JavaValue> {
        let classes: BTreeSet<ClassId> =
            changed.keys().map(|&field| program.field(field).class).collect();
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
        starts
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

/// Static fields that tests look at: those that functions store to, with what they hold when their classes have started.
pub(super) struct Watched {
    fields: Vec<(FieldId, GlobalId, JavaValue)>,
    /// The class that has started whenever the function is called.
    begun: Option<ClassId>,
}

impl Watched {
    /// Those of a method. They tell mutants and versions apart, and nothing else.
    pub(super) fn of(java: &JavaProgram, functions: &[FuncId], subject: FuncId) -> Watched {
        let program = java.outcomes.as_ref().unwrap_or(&java.program);
        let begun = program.function(subject).method;
        let begun = begun.map(|id| program.methods[id.index()].class);
        let mut fields = Vec::new();
        if java.mutants.iter().flatten().next().is_some() {
            let called = functions.iter().flat_map(|&function| scope(program, function, &[]));
            let called: BTreeSet<FuncId> = called.collect();
            let mut stored = stored(program, called.iter().map(|&id| program.function(id)));
            let started = set_by_other_classes(program);
            stored.retain(|field, _| !started.contains(field));
            if !stored.is_empty() {
                let library = Box::new(JavaLibrary::new());
                let options = TestRunner::options(RUN_STEPS);
                let mut runner = TestRunner::new(program, options, library);
                let starts = Statics::starts(program, &stored, &mut runner);
                fields.extend(stored.into_iter().filter_map(|(field, global)| {
                    Some((field, global, starts.get(&field)?.clone()))
                }));
            }
        }
        Watched { fields, begun }
    }

    /// Those of two versions of a method.
    pub(super) fn of_versions(java: &JavaProgram, older: FuncId, newer: FuncId) -> Watched {
        Watched::of(java, &[older, newer], newer)
    }

    /// What they hold after a run, where that is known and a test can say it.
    pub(super) fn seen(&self, machine: &Machine<'_>) -> Vec<JavaStatic> {
        let seen = self.fields.iter().filter_map(|(field, global, before)| {
            let after = java_observe::static_field(machine, *field, *global);
            // Fields of a class that has not started are zero, and in a JVM whoever looks at them starts it.
            let has_begun = self.begun == Some(machine.program().field(*field).class);
            let is_sure = has_begun || after == *before || !is_zero(&after);
            let (field, before) = (*field, before.clone());
            (is_sure && is_writable(&after)).then_some(JavaStatic { field, before, after })
        });
        seen.collect()
    }
}

/// Static fields that a class sets when another one starts, or by other code than its own initializer: what they hold depends on
/// which classes tests have started before.
fn set_by_other_classes(program: &Program) -> BTreeSet<FieldId> {
    let mut found = BTreeSet::new();
    for index in 0..program.classes.len() {
        let class = ClassId::new(index);
        let is_own = |id: &FuncId| program.function(*id).origin == Origin::User;
        // The library's set nothing of the user's.
        let Some(initializer) = initializer_of(program, class).filter(is_own) else { continue };
        for id in scope(program, initializer, &[]) {
            let function = program.function(id);
            let own = function.method.map(|id| program.methods[id.index()].class);
            let is_initializer = own.is_some_and(|own| initializer_of(program, own) == Some(id));
            let fields = stores(program, function).map(|(field, _)| field);
            let is_other =
                |field: &FieldId| !is_initializer || own != Some(program.field(*field).class);
            found.extend(fields.filter(is_other));
        }
    }
    found
}

/// What a field holds to which nothing has been stored.
fn is_zero(value: &JavaValue) -> bool {
    match value {
        JavaValue::Null => true,
        JavaValue::Int(bits) => bits.unsigned() == 0,
        JavaValue::Float(float) => float.to_bits() == 0,
        JavaValue::String(_)
        | JavaValue::Input(_)
        | JavaValue::Array(..)
        | JavaValue::Boxed(..)
        | JavaValue::Object(_) => false,
    }
}

/// Static fields of the user's classes that are not final and that code outside of initializers stores to.
fn changed(program: &Program) -> BTreeMap<FieldId, GlobalId> {
    let own = program.functions.iter().filter(|function| function.origin == Origin::User);
    stored(program, own)
}

/// Those of some functions, initializers left out.
fn stored<'p>(
    program: &'p Program,
    functions: impl Iterator<Item = &'p glassbox_ir::Function>,
) -> BTreeMap<FieldId, GlobalId> {
    let is_initializer = |function: &glassbox_ir::Function| {
        let method = function.method.map(|id| &program.methods[id.index()]);
        method.is_some_and(|method| method.name == "<clinit>")
    };
    functions
        .filter(|function| !is_initializer(function))
        .flat_map(|function| stores(program, function))
        .collect()
}

/// Static fields of the user's classes that are not final and that a function stores to.
fn stores<'p>(
    program: &'p Program,
    function: &'p glassbox_ir::Function,
) -> impl Iterator<Item = (FieldId, GlobalId)> + 'p {
    let blocks = function.body.iter().flat_map(|body| &body.blocks);
    let stored = blocks.flat_map(|block| &block.instrs).filter_map(|instr| match &instr.kind {
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
    stored.filter_map(|global| {
        let GlobalKind::StaticField(field) = program.global(global).kind else { return None };
        let declared = program.field(field);
        let is_own = program.object_layout.as_ref().is_some_and(|it| it.is_own(declared.class));
        (is_own && !declared.is_final).then_some((field, global))
    })
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
