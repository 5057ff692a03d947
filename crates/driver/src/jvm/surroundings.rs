//! What a method depends on besides its inputs: which classes are loaded, static fields that others may have
//! changed, identity hashes. Searches start from fresh classes, so proofs hold within that.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{
    Callee, ClassId, FieldId, FuncId, GlobalId, GlobalKind, InstrKind, MemoryOp, Operand, Origin,
    Program, Reference, SourceTypeId, TypeKind,
};
use glassbox_jvm_front::JavaProgram;
use glassbox_jvm_front::settings::{self, Question, Setting};
use glassbox_testcase::{
    Assumption, EnvironmentFact, Premise, ProofMethod, UnknownReason, UnmodeledInput, Verdict,
};

use super::Jvm;
use super::allocation;
use super::identity::{Identity, is_stream};
use crate::FunctionReport;
use crate::language::Purpose;
use crate::plan::JavaAssertions;
use crate::relation::{related, subject};

/// Adds what proofs rest on to their verdicts.
pub(super) fn weaken(jvm: &Jvm, report: &mut FunctionReport) {
    let java = &jvm.java;
    let function = report.function();
    weaken_by_classes(&java.program, function, report);
    let mut all = bounds(jvm, function);
    // Errors are outcomes that comparisons see.
    let compares =
        [function, report.entry].map(|id| related(&java.program, id)).iter().any(Option::is_some);
    if compares
        && allocation::is_large(&java.program, &with_initializers(&java.program, function).1)
    {
        all.push(Assumption::AllocationSucceeds);
    }
    let (facts, more): (Vec<Assumption>, Vec<Assumption>) =
        Assumption::listed(all).into_iter().partition(|bound| is_about_assertions(*bound));
    // Whoever checks assertions wants them to be evaluated.
    let more = if matches!(jvm.purpose, Purpose::Check { .. }) {
        report.suite.premises.extend(facts.into_iter().map(Premise::Assumed));
        more
    } else {
        Assumption::listed(more.into_iter().chain(facts))
    };
    if !report.suite.goals.is_empty() && prints(jvm, function) {
        let streams = Assumption::Environment(EnvironmentFact::StandardStreams);
        report
            .suite
            .premises
            .extend((!more.contains(&streams)).then_some(Premise::Assumed(streams)));
    }
    for goal in &mut report.suite.goals {
        goal.verdict.rest_on(&more);
    }
}

/// Whether runs of a function print.
fn prints(jvm: &Jvm, function: FuncId) -> bool {
    let program = &jvm.java.program;
    let (globals, _) = with_initializers(program, function);
    globals.iter().any(|&id| is_stream(program, id))
}

fn is_about_assertions(bound: Assumption) -> bool {
    matches!(
        bound,
        Assumption::Environment(
            EnvironmentFact::AssertionsChecked | EnvironmentFact::AssertionsIgnored
        )
    )
}

/// Proofs over the whole method know the loaded classes only: where a reference may be to an object of
/// another class, they hold within that bound. Proofs over all paths track their bounds themselves.
fn weaken_by_classes(program: &Program, function: FuncId, report: &mut FunctionReport) {
    let layout = program.object_layout.as_ref();
    let is_open = |ty: SourceTypeId| match program.source_type(ty).reference() {
        Some(Reference::Class(_) | Reference::Array { .. }) => {
            let number = layout.and_then(|layout| layout.number_of_source(ty));
            let known = layout.zip(number).and_then(|(layout, number)| layout.get(number));
            known.is_none_or(|known| !known.is_final)
        }
        Some(Reference::Unknown) => true,
        None => false,
    };
    // Inputs that cannot be made yet: what only they could reach is not known.
    let is_gap = |verdict: &Verdict| match verdict {
        Verdict::InfeasibleWithin { bounds } | Verdict::HoldsWithin { bounds } => {
            bounds.contains(&GAP)
        }
        Verdict::Infeasible(_)
        | Verdict::Holds(_)
        | Verdict::Covered { .. }
        | Verdict::Unknown(_)
        | Verdict::Violated { .. } => false,
    };
    let has_gap = report.suite.goals.iter().any(|goal| is_gap(&goal.verdict));
    let span = program.function(function).span;
    let mut params = program.function(function).params.iter();
    if !has_gap && !params.any(|param| is_open(param.source_type)) {
        return;
    }
    for goal in &mut report.suite.goals {
        let is_proved = match &goal.verdict {
            Verdict::Infeasible(method) | Verdict::Holds(method) => {
                *method != ProofMethod::PathEnumeration
            }
            Verdict::InfeasibleWithin { .. } | Verdict::HoldsWithin { .. } => is_gap(&goal.verdict),
            Verdict::Covered { .. } | Verdict::Unknown(_) | Verdict::Violated { .. } => false,
        };
        if is_proved && has_gap {
            let what = "input objects of the JDK's classes and of enums".to_owned();
            goal.verdict = Verdict::Unknown(UnknownReason::Unsupported { what, span });
        } else if is_proved {
            goal.verdict.rest_on(&[Assumption::LoadedClassesOnly]);
        }
    }
}

/// The bound that `model` notes for classes whose objects it does not make.
const GAP: Assumption = Assumption::UnmodeledInput(UnmodeledInput::JdkObjects);

fn bounds(jvm: &Jvm, function: FuncId) -> Vec<Assumption> {
    let java = &jvm.java;
    let program = &java.program;
    let is_own = |field: FieldId| {
        java.recipes.class(&program.class(program.field(field).class).name).is_some()
    };
    let is_changing = |field: FieldId| {
        let declared = program.field(field);
        let keeps = declared.is_final
            && (settings::is_compilers_table(&declared.name)
                || never_changes(program, declared.source_type, 3));
        !keeps && is_own(field)
    };
    let mut found = BTreeSet::new();
    let [(globals, functions), (all_globals, all_functions)] = looked_at(program, function);
    let is_open = java.open_tests.contains(&function) || !functions.is_disjoint(&java.open_tests);
    // A stand-in gives few results; other classes may give more.
    let is_stand_in = |&called: &FuncId| {
        let method = program.function(called).method.map(|id| &program.methods[id.index()]);
        method.is_some_and(|method| {
            java.recipes.stand_in(&program.class(method.class).name).is_some()
        })
    };
    if is_open
        || may_be_overridden(program, subject(program, function), &functions)
        || functions.iter().any(is_stand_in)
    {
        found.insert(Assumption::LoadedClassesOnly);
    }
    let asks = |functions: &BTreeSet<FuncId>, question: Question| {
        functions.iter().any(|&id| Question::of(&program.function(id).name) == Some(question))
    };
    let setting = |id: GlobalId| Setting::of(&program.global(id).name);
    if asks(&all_functions, Question::DefaultLocale) {
        found.insert(Assumption::Environment(EnvironmentFact::DefaultLocale));
    }
    let started =
        classes_read(program, &globals).into_iter().chain(classes_begun(program, &functions));
    let started: BTreeSet<ClassId> =
        started.filter(|&class| java.recipes.class(&program.class(class).name).is_some()).collect();
    let initializers = Initializers { program, is_changing: &is_changing };
    let begun = classes_begun(program, &all_functions);
    if initializers.depend_on_changes(&started) || jvm.statics.has_failing(&begun) {
        found.insert(Assumption::StaticsAsInitialized);
    }
    let scope = || all_functions.iter().copied().chain([function]);
    let identity = Identity::new(program, scope().collect());
    if depends_on_start(jvm, function)
        || asks(&all_functions, Question::LineSeparator)
        || identity.compares_boxes()
        || (all_globals.iter().any(|&id| setting(id) == Some(Setting::SortingMethod))
            && all_functions.iter().any(|&id| program.function(id).origin == Origin::User))
    {
        found.insert(Assumption::Environment(EnvironmentFact::JdkStart));
    }
    if stands_aside(jvm, function) {
        found.insert(Assumption::Environment(EnvironmentFact::StandsAside));
    }
    let scope: BTreeSet<FuncId> = scope().collect();
    found.extend(of_handlers(java, &all_functions, &scope));
    if identity.tells_lambdas_apart(&java.lambda_makers) {
        found.insert(Assumption::Environment(EnvironmentFact::LambdaIdentity));
    }
    if identity.reads_streams(&all_globals) {
        found.insert(Assumption::Environment(EnvironmentFact::StandardStreams));
    }
    for id in all_globals {
        match program.global(id).kind {
            GlobalKind::StaticField(field)
                if setting(id) == Some(Setting::Assertions) && is_own(field) =>
            {
                found.insert(Assumption::Environment(match jvm.assertions {
                    JavaAssertions::Checked => EnvironmentFact::AssertionsChecked,
                    JavaAssertions::Ignored => EnvironmentFact::AssertionsIgnored,
                }));
            }
            // What initializers find is looked at above.
            GlobalKind::StaticField(field) if globals.contains(&id) && is_changing(field) => {
                found.insert(Assumption::StaticsAsInitialized);
            }
            GlobalKind::Runtime if setting(id) == Some(Setting::IdentityHashes) => {
                found.insert(Assumption::Environment(EnvironmentFact::IdentityHashes));
            }
            GlobalKind::StaticField(_)
            | GlobalKind::Runtime
            | GlobalKind::Variable
            | GlobalKind::StaticLocal(_)
            | GlobalKind::StringLiteral
            | GlobalKind::LibraryState
            | GlobalKind::Register(_)
            | GlobalKind::CompoundLiteral => {}
        }
    }
    Assumption::listed(found)
}

/// What exceptions that are caught rest on.
fn of_handlers(
    java: &JavaProgram,
    called: &BTreeSet<FuncId>,
    scope: &BTreeSet<FuncId>,
) -> Vec<Assumption> {
    let handlers = &java.handlers;
    let mut found = Vec::new();
    if asks_for_message(&java.program, called, !scope.is_disjoint(&handlers.any)) {
        found.push(Assumption::Environment(EnvironmentFact::ExceptionMessages));
    }
    if !scope.is_disjoint(&handlers.memory) {
        found.push(Assumption::AllocationSucceeds);
    }
    if !scope.is_disjoint(&handlers.stack) {
        found.push(Assumption::Environment(EnvironmentFact::StackSuffices));
    }
    if !scope.is_disjoint(&handlers.unmade) {
        found.push(Assumption::Environment(EnvironmentFact::LibraryExceptions));
    }
    found
}

/// What a function reads and calls, without and with initializers. Conditions and comparisons of its contract look at static fields
/// that it may only write itself.
fn looked_at(program: &Program, function: FuncId) -> [(BTreeSet<GlobalId>, BTreeSet<FuncId>); 2] {
    let is_harness = |id: &FuncId| program.function(*id).origin == Origin::Harness { of: function };
    let harnesses = program.function_ids().filter(is_harness);
    let is_field = |id: &GlobalId| {
        let global = program.global(*id);
        matches!(global.kind, GlobalKind::StaticField(_)) && Setting::of(&global.name).is_none()
    };
    let around = harnesses.flat_map(|harness| reads_and_calls(program, harness).0);
    let around: BTreeSet<GlobalId> = around.filter(is_field).collect();
    let mut found = [reads_and_calls(program, function), with_initializers(program, function)];
    found.iter_mut().for_each(|(globals, _)| globals.extend(&around));
    found
}

/// Whether a function may read what initializers of the JDK have drawn from clocks.
pub(super) fn depends_on_start(jvm: &Jvm, function: FuncId) -> bool {
    let varying = &jvm.started.varying;
    !varying.is_empty() && !with_initializers(&jvm.java.program, function).0.is_disjoint(varying)
}

/// Whether runs of a function leave out what a user interface or a logger does.
pub(super) fn stands_aside(jvm: &Jvm, function: FuncId) -> bool {
    let aside = &jvm.java.aside;
    !aside.is_empty()
        && (aside.contains(&function)
            || !with_initializers(&jvm.java.program, function).1.is_disjoint(aside))
}

/// Whether a function reads static fields that others may have changed.
pub(super) fn depends_on_statics(jvm: &Jvm, function: FuncId) -> bool {
    bounds(jvm, function).contains(&Assumption::StaticsAsInitialized)
}

/// The static fields that a function and those it may call read.
pub(super) fn statics_read(program: &Program, function: FuncId) -> BTreeSet<FieldId> {
    let (globals, _) = with_initializers(program, function);
    fields_of(program, &globals).collect()
}

/// The static fields among variables.
fn fields_of(program: &Program, globals: &BTreeSet<GlobalId>) -> impl Iterator<Item = FieldId> {
    globals.iter().filter_map(|&id| match program.global(id).kind {
        GlobalKind::StaticField(field) => Some(field),
        GlobalKind::Runtime
        | GlobalKind::Variable
        | GlobalKind::StaticLocal(_)
        | GlobalKind::StringLiteral
        | GlobalKind::LibraryState
        | GlobalKind::Register(_)
        | GlobalKind::CompoundLiteral => None,
    })
}

/// The classes whose static fields are among the variables.
fn classes_read(program: &Program, globals: &BTreeSet<GlobalId>) -> BTreeSet<ClassId> {
    fields_of(program, globals).map(|field| program.field(field).class).collect()
}

/// The classes whose initializers are among the functions.
fn classes_begun(program: &Program, functions: &BTreeSet<FuncId>) -> BTreeSet<ClassId> {
    let methods = functions.iter().filter_map(|&function| program.function(function).method);
    let methods = methods.map(|method| &program.methods[method.index()]);
    methods.filter(|method| method.name == "<clinit>").map(|method| method.class).collect()
}

/// What initializers of classes find depends on when they run, where they read what others may have changed by
/// then, or where two of them read what the other one sets: which of them begins is not known then.
struct Initializers<'a> {
    program: &'a Program,
    is_changing: &'a dyn Fn(FieldId) -> bool,
}

impl Initializers<'_> {
    fn depend_on_changes(&self, classes: &BTreeSet<ClassId>) -> bool {
        let mut needs: BTreeMap<ClassId, BTreeSet<ClassId>> = BTreeMap::new();
        let mut open: Vec<ClassId> = classes.iter().copied().collect();
        while let Some(class) = open.pop() {
            if needs.contains_key(&class) {
                continue;
            }
            let Some(initializer) = initializer_of(self.program, class) else {
                needs.insert(class, BTreeSet::new());
                continue;
            };
            let (globals, functions) = reads_and_calls(self.program, initializer);
            // Nothing changes the fields of a class before its initializer begins.
            let is_changed = |id: &GlobalId| {
                let GlobalKind::StaticField(field) = self.program.global(*id).kind else {
                    return false;
                };
                self.program.field(field).class != class && (self.is_changing)(field)
            };
            if globals.iter().any(is_changed) {
                return true;
            }
            let mut needed = classes_read(self.program, &globals);
            needed.extend(classes_begun(self.program, &functions));
            needed.retain(|&other| {
                other != class
                    && self.program.object_layout.as_ref().is_some_and(|it| it.is_own(other))
            });
            open.extend(needed.iter().copied());
            needs.insert(class, needed);
        }
        // What nothing that is left needs has no part in a circle.
        loop {
            let done: Vec<ClassId> = needs
                .iter()
                .filter(|(_, needed)| needed.iter().all(|other| !needs.contains_key(other)))
                .map(|(class, _)| *class)
                .collect();
            if done.is_empty() {
                return !needs.is_empty();
            }
            needs.retain(|class, _| !done.contains(class));
        }
    }
}

/// Whether what a final field refers to stays as it is: numbers, texts, and objects of final classes and
/// enumerations whose fields are such ones. What is deeper than that may change.
fn never_changes(program: &Program, ty: SourceTypeId, depth: u32) -> bool {
    match program.source_type(ty).reference() {
        Some(Reference::Class(class)) => {
            let mut classes = vec![program.class(class)];
            while let Some(parent) = classes.last().and_then(|class| class.superclass) {
                classes.push(program.class(parent));
            }
            let layout = program.object_layout.as_ref();
            let number = layout.and_then(|layout| layout.number_of_source(ty));
            let known = layout.zip(number).and_then(|(layout, number)| layout.get(number));
            let is_enum = classes.iter().any(|class| class.name == "java.lang.Enum");
            let is_closed = known.is_some_and(|known| known.is_final || is_enum);
            // Constants of an enumeration that have a body are of classes below it, and may have more fields.
            let below = layout.zip(number).map(|(layout, number)| layout.below(number));
            let below = below.into_iter().flatten().filter_map(|number| layout?.get(number));
            classes.extend(below.filter_map(|below| match below.kind {
                TypeKind::Class { class, .. } => Some(program.class(class)),
                TypeKind::Array { .. } => None,
            }));
            let fields = || classes.iter().flat_map(|class| &class.fields);
            settings::is_immutable(&classes[0].name)
                || (is_closed
                    && depth > 0
                    && fields().map(|&field| program.field(field)).all(|field| {
                        field.is_static
                            || (field.is_final
                                && never_changes(program, field.source_type, depth - 1))
                    }))
        }
        Some(Reference::Array { .. } | Reference::Unknown) => false,
        None => true,
    }
}

/// Whether the method calls one of its own object, or asks for its class: a subclass that is not loaded may answer in
/// another way.
fn may_be_overridden(program: &Program, function: FuncId, called: &BTreeSet<FuncId>) -> bool {
    let method_of = |function: FuncId| {
        let method = program.function(function).method?;
        Some(&program.methods[method.index()])
    };
    let Some(own) = method_of(function).filter(|method| !method.is_static) else { return false };
    let layout = program.object_layout.as_ref();
    let this = program.function(function).params.first();
    let number =
        layout.zip(this).and_then(|(layout, this)| layout.number_of_source(this.source_type));
    if layout
        .zip(number)
        .and_then(|(layout, number)| layout.get(number))
        .is_some_and(|it| it.is_final)
    {
        return false;
    }
    let mut ancestors = BTreeSet::from([own.class]);
    let mut open = vec![own.class];
    while let Some(class) = open.pop() {
        let class = program.class(class);
        let parents = class.superclass.into_iter().chain(class.interfaces.iter().copied());
        open.extend(parents.filter(|&parent| ancestors.insert(parent)));
    }
    called.iter().any(|&callee| {
        let is_get_class =
            Question::of(&program.function(callee).name) == Some(Question::ClassOfObject);
        let is_own = method_of(callee).is_some_and(|method| {
            !method.is_static && method.name != "<init>" && ancestors.contains(&method.class)
        });
        is_get_class || is_own
    })
}

/// Whether the text of an exception is asked for. Texts of all kinds of objects are made by the same call, so this
/// means exceptions only where somebody has caught one.
fn asks_for_message(program: &Program, called: &BTreeSet<FuncId>, is_caught: bool) -> bool {
    let is_throwable = |class: ClassId| {
        let above = |class: &ClassId| program.class(*class).superclass;
        let mut classes = std::iter::successors(Some(class), above);
        classes.any(|class| program.class(class).name == "java.lang.Throwable")
    };
    let methods = called.iter().filter_map(|&called| program.function(called).method);
    let mut methods = methods.map(|method| &program.methods[method.index()]);
    methods.any(|method| {
        let is_text = match method.name.as_str() {
            "getMessage" | "getLocalizedMessage" => true,
            "toString" => is_caught,
            _ => false,
        };
        is_text && is_throwable(method.class)
    })
}

/// The variables that a function and those it may call read; and the functions that are called: itself where it is
/// called again. Initializers are called, and not looked into.
fn reads_and_calls(program: &Program, function: FuncId) -> (BTreeSet<GlobalId>, BTreeSet<FuncId>) {
    let mut scope = Scope { program, globals: BTreeSet::new(), functions: BTreeSet::new() };
    scope.follow(function);
    (scope.globals, scope.functions)
}

/// The same with the initializers of the user's classes that the function needs: those of its own class, of classes
/// that it begins, and of classes whose static fields it reads. What the JDK's find is known from its start.
fn with_initializers(
    program: &Program,
    function: FuncId,
) -> (BTreeSet<GlobalId>, BTreeSet<FuncId>) {
    let mut scope = Scope { program, globals: BTreeSet::new(), functions: BTreeSet::new() };
    scope.follow(function);
    let own = program.function(subject(program, function)).method;
    let own = own.map(|id| program.methods[id.index()].class);
    let mut done: BTreeSet<ClassId> = BTreeSet::new();
    let mut open: Vec<ClassId> = own.into_iter().collect();
    loop {
        open.extend(classes_read(program, &scope.globals).difference(&done));
        open.extend(classes_begun(program, &scope.functions).difference(&done));
        if open.is_empty() {
            return (scope.globals, scope.functions);
        }
        while let Some(class) = open.pop() {
            if !done.insert(class) || is_of_library(program, class) {
                continue;
            }
            // A class is begun after what is above it.
            let declared = program.class(class);
            open.extend(declared.superclass.into_iter().chain(declared.interfaces.iter().copied()));
            if let Some(initializer) = initializer_of(program, class) {
                scope.functions.insert(initializer);
                scope.follow(initializer);
            }
        }
    }
}

/// What functions read and call.
struct Scope<'a> {
    program: &'a Program,
    globals: BTreeSet<GlobalId>,
    functions: BTreeSet<FuncId>,
}

impl Scope<'_> {
    fn follow(&mut self, function: FuncId) {
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            let Some(body) = &self.program.function(function).body else { continue };
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                // A variable that is only stored to is not read; any other use may read it.
                let mut stored_to = None;
                if let InstrKind::Memory(MemoryOp::Store { ptr, .. }) = &instr.kind {
                    stored_to = Some(ptr);
                }
                instr.kind.for_each_operand(|operand| {
                    let is_target = stored_to.is_some_and(|ptr| std::ptr::eq(ptr, operand));
                    if let Operand::Global(global) = operand
                        && !is_target
                    {
                        self.globals.insert(*global);
                    }
                });
                if let InstrKind::Call(call) = &instr.kind
                    && let Callee::Direct(callee) = call.callee
                    && self.functions.insert(callee)
                    && !is_aside(self.program, callee)
                {
                    open.push(callee);
                }
            }
        }
    }
}

pub(super) fn initializer_of(program: &Program, class: ClassId) -> Option<FuncId> {
    let methods = program.class(class).methods.iter().map(|id| &program.methods[id.index()]);
    methods.filter(|method| method.name == "<clinit>").find_map(|method| method.function)
}

/// Whether a class is the JDK's. What has no layout is taken for the user's.
fn is_of_library(program: &Program, class: ClassId) -> bool {
    let types = program.object_layout.iter().flat_map(|layout| &layout.types);
    let mut same =
        types.filter(|ty| matches!(ty.kind, TypeKind::Class { class: id, .. } if id == class));
    same.next().is_some_and(|ty| ty.is_library)
}

/// Initializers, which are looked at by themselves, and the insides of the JDK's exceptions: what these read decides no
/// branch of a caller.
fn is_aside(program: &Program, function: FuncId) -> bool {
    let Some(method) = program.function(function).method else { return false };
    let method = &program.methods[method.index()];
    let class = &program.classes[method.class.index()].name;
    let is_exception = ["Exception", "Error", "Throwable"].iter().any(|end| class.ends_with(end));
    method.name == "<clinit>" || (class.starts_with("java.") && is_exception)
}
