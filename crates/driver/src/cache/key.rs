//! What the result of a function depends on, as a digest: the same key, the same result.
//!
//! In doubt a key has more than a result needs: the function and everything that may run on its behalf, with the lines
//! that they stand in, since results name them; every declaration and type of the program; the compiler and its flags;
//! what the user asked for. Bodies of other functions do not count: no run of the function comes to them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use glassbox_contract::Config;
use glassbox_coverage::scope::{Calls, addressed};
use glassbox_ir::{FuncId, Function, Global, GlobalId, GlobalKind, Origin, Program};

use super::digest::Digest;
use crate::drive::Case;
use crate::language::Grouping;
use crate::plan::{Budget, Check, Generate, Intake, Plan, Task};

/// The keys of functions, in their order. `None` where it is not known what results depend on.
pub(crate) fn keys(case: &Case<'_>, build: &str) -> Option<Vec<String>> {
    if case.plan.second_opinion.is_some() {
        return None;
    }
    let mut common = Digest::default();
    common.add(build);
    common.add(&options(case.plan));
    common.add(&case.language.surroundings(case.plan)?);
    let program = case.program();
    match case.language.grouping() {
        // Tests are built and named together: one that changes may change all.
        Grouping::Together => {
            for &function in case.functions {
                common.add(&named(program, function));
            }
            let common = common.finish();
            let key =
                |&function: &FuncId| Digest::of(&format!("{common} {}", named(program, function)));
            Some(case.functions.iter().map(key).collect())
        }
        Grouping::Some => {
            common.add(&outline(program));
            let common = common.finish();
            let mut reach = Reach::of(program);
            let selected: BTreeSet<FuncId> = case.functions.iter().copied().collect();
            let key = |&function: &FuncId| {
                let members = reach.members(function);
                let mut digest = reach.digest(&members);
                digest.add(&common);
                digest.add_value(&members.intersection(&selected).collect::<Vec<_>>());
                digest.add_value(&case.language.keeps_apart(function));
                if let Some(config) = case.language.config() {
                    add_contracts(program, config, &members, &mut digest);
                }
                digest.add(&named(program, function));
                digest.finish()
            };
            Some(case.functions.iter().map(key).collect())
        }
    }
}

/// What functions of a program depend on in the program itself and in contracts, for lists and comparisons of versions.
/// Nothing but the sources, the compiler's preprocessor and the configuration is behind it.
pub fn dependencies(
    program: &Program,
    functions: &[FuncId],
    config: Option<&Config>,
) -> Vec<String> {
    let outline = outline(program);
    let mut reach = Reach::of(program);
    let digest = |&function: &FuncId| {
        let members = reach.members(function);
        let mut digest = reach.digest(&members);
        digest.add(&outline);
        if let Some(config) = config {
            add_contracts(program, config, &members, &mut digest);
        }
        digest.add(&named(program, function));
        digest.finish()
    };
    functions.iter().map(digest).collect()
}

/// A function as no other is named.
fn named(program: &Program, function: FuncId) -> String {
    format!("{function} {}", program.function(function).name)
}

/// The options that change what is found. Every part of a plan is named here, so that a new one is not forgotten.
fn options(plan: &Plan) -> String {
    let Plan {
        intake,
        functions: _,
        only: _,
        replaces_tests: _,
        out: _,
        budget,
        overflow,
        executes,
        task,
        environment,
        second_opinion: _,
        keeping: _,
    } = plan;
    let Intake {
        paths: _,
        links: _,
        own_stubs: _,
        database: _,
        compiler,
        is_compiler_given: _,
        compiler_flags,
        target,
        config: _,
        classes,
        methods,
        class_path,
        assertions,
        is_colored: _,
        mutated,
        reference,
        // What is read is in the program.
        revisions: _,
        overlay: _,
    } = intake;
    let Budget { seed, paths, length, time, clock, jobs: _ } = budget;
    let intake = (compiler, compiler_flags, target, classes, methods, class_path, assertions);
    let compared = (mutated, reference);
    let budget = (seed, paths, length, time, clock);
    let how = (overflow, executes, &environment.variables);
    let task = match task {
        Task::Generate(task) => {
            let Generate {
                criteria,
                framework,
                formats: _,
                stub_writes,
                all,
                allows_reflection,
                wanted,
                describes_lines,
            } = task;
            let how = (framework, stub_writes, all, allows_reflection, describes_lines);
            format!("gen {criteria:?} {how:?} {wanted:?}")
        }
        Task::Check(task) => {
            let Check {
                formats: _,
                unwind,
                scope,
                allocation_may_fail,
                uninitialized,
                proves,
                entries,
                baseline: _,
            } = task;
            let how = (unwind, allocation_may_fail, uninitialized, proves, entries);
            format!("check {how:?} {scope:?}")
        }
    };
    format!("{intake:?} {compared:?} {budget:?} {how:?} {task}")
}

/// What every function of a program may see of the others: what is declared, which types there are, who is called and
/// whose address is taken. Neither bodies nor lines.
fn outline(program: &Program) -> String {
    let mut digest = Digest::default();
    digest.add_value(&(program.language, program.pointers));
    for file in &program.files {
        digest.add(&file.path);
    }
    for function in &program.functions {
        let Function {
            name,
            linkage,
            origin,
            params,
            result,
            result_source_type,
            is_variadic,
            is_noreturn,
            method,
            body,
            span: _,
        } = function;
        let passing = (params, result, result_source_type, is_variadic, is_noreturn, method);
        digest.add_value(&(name, linkage, origin, passing, body.is_some()));
    }
    for global in program.globals.iter().filter(|global| !is_inside(global.kind)) {
        let Global {
            name,
            kind,
            linkage,
            source_type,
            size,
            align,
            is_const,
            initializer,
            span: _,
        } = global;
        digest.add_value(&(name, kind, linkage, source_type, (size, align, is_const)));
        digest.add_value(initializer);
    }
    digest.add_value(&program.source_types());
    digest.add_value(&addressed(program));
    // Some functions of the library change what all others may count on.
    let mut calls = Calls::default();
    for function in program.function_ids() {
        calls.add_function(program, function);
    }
    let outside = calls.direct.iter().filter(|&&id| program.function(id).body.is_none());
    digest.add_value(&outside.collect::<Vec<_>>());
    digest.finish()
}

/// Whether only the code that mentions it knows a global.
fn is_inside(kind: GlobalKind) -> bool {
    match kind {
        GlobalKind::StringLiteral | GlobalKind::StaticLocal(_) | GlobalKind::CompoundLiteral => {
            true
        }
        GlobalKind::Variable
        | GlobalKind::LibraryState
        | GlobalKind::StaticField(_)
        | GlobalKind::Runtime
        | GlobalKind::Register(_) => false,
    }
}

/// Who may run on behalf of whom.
struct Reach<'a> {
    program: &'a Program,
    /// By function.
    calls: Vec<Calls>,
    addressed: BTreeSet<FuncId>,
    /// Functions that are about another: harnesses, conditions, relations.
    about: BTreeMap<FuncId, Vec<FuncId>>,
    /// By function: its digest, once it was needed.
    own: Vec<Option<String>>,
}

impl<'a> Reach<'a> {
    fn of(program: &'a Program) -> Reach<'a> {
        let calls = |function: FuncId| {
            let mut calls = Calls::default();
            calls.add_function(program, function);
            calls
        };
        let mut about: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        for function in program.function_ids() {
            if let Some(of) = self::about(program.function(function).origin) {
                about.entry(of).or_default().push(function);
            }
        }
        Reach {
            program,
            calls: program.function_ids().map(calls).collect(),
            addressed: addressed(program),
            about,
            own: vec![None; program.functions.len()],
        }
    }

    /// The function, what it may call, and what is said about them.
    fn members(&self, function: FuncId) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        let mut new = vec![function];
        let (mut is_open, mut is_unknown) = (false, false);
        while let Some(next) = new.pop() {
            if !found.insert(next) {
                continue;
            }
            let calls = &self.calls[next.index()];
            new.extend(calls.direct.iter().chain(&calls.addressed));
            new.extend(self.about.get(&next).into_iter().flatten());
            new.extend(about(self.program.function(next).origin));
            if calls.from_outside && !is_open {
                is_open = true;
                new.extend(&self.addressed);
            }
            // An input that is a pointer may be any function of its type; what is not understood may call any.
            if (calls.through_pointer || calls.from_unknown) && !is_unknown {
                is_unknown = true;
                new.extend(self.program.function_ids());
            }
        }
        found
    }

    /// The digest of a function by itself.
    fn own(&mut self, function: FuncId) -> &str {
        let program = self.program;
        self.own[function.index()].get_or_insert_with(|| {
            let mut digest = Digest::default();
            add_function(program, function, &mut digest);
            digest.finish()
        })
    }

    /// The digest of all members.
    fn digest(&mut self, members: &BTreeSet<FuncId>) -> Digest {
        let mut digest = Digest::default();
        for &member in members {
            digest.add(self.own(member));
        }
        digest
    }
}

/// The function that another is about.
fn about(origin: Origin) -> Option<FuncId> {
    match origin {
        Origin::Harness { of }
        | Origin::Requirement { of }
        | Origin::Promise { of }
        | Origin::Relation { of }
        | Origin::Variant { of } => Some(of),
        Origin::User
        | Origin::System
        | Origin::LibraryModel
        | Origin::StandIn
        | Origin::Runtime => None,
    }
}

/// Adds a body, the lines of the source that it was written in, and the globals that it mentions.
fn add_function(program: &Program, id: FuncId, digest: &mut Digest) {
    let function = program.function(id);
    // Writing to a text does not fail.
    let mut text = String::new();
    let _ = write!(text, "{id} {function:?}");
    digest.add(&text);
    let mut globals = BTreeSet::new();
    mentioned(&text, &mut globals);
    let span = function.span;
    let source = program.files.get(span.file.index()).and_then(|file| file.text.as_deref());
    if let Some(source) = source.filter(|_| !span.is_nowhere()) {
        let (first, last) = (span.line as usize, span.end_line as usize);
        for line in source.lines().take(last).skip(first.saturating_sub(1)) {
            digest.add(line);
        }
    }
    let mut new: Vec<GlobalId> = globals.iter().copied().collect();
    while let Some(global) = new.pop() {
        let Some(content) = program.globals.get(global.index()) else { continue };
        text.clear();
        let _ = write!(text, "{global} {content:?}");
        digest.add(&text);
        let mut more = BTreeSet::new();
        mentioned(&text, &mut more);
        new.extend(more.into_iter().filter(|id| globals.insert(*id)));
    }
}

/// Finds the globals that a printed value names.
fn mentioned(text: &str, globals: &mut BTreeSet<GlobalId>) {
    const WORD: &str = "global";
    for (at, _) in text.match_indices(WORD) {
        let digits = text[at + WORD.len()..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &text[at + WORD.len()..at + WORD.len() + digits];
        if let Ok(index) = number.parse::<u32>() {
            globals.insert(GlobalId::new(index as usize));
        }
    }
}

/// Adds what a configuration says of functions, and where it says it.
fn add_contracts(
    program: &Program,
    config: &Config,
    members: &BTreeSet<FuncId>,
    digest: &mut Digest,
) {
    let names: BTreeSet<&str> =
        members.iter().map(|&member| program.function(member).name.as_str()).collect();
    for contract in config.contracts.iter().filter(|it| names.contains(it.function.as_str())) {
        digest.add(&config.path);
        digest.add_value(contract);
        digest.add_value(&config.place(contract.name.start));
        let clauses = contract.clauses.iter().map(|clause| config.place(clause.offset));
        digest.add_value(&clauses.collect::<Vec<_>>());
        let relations = contract.relations.iter().map(|relation| config.place(relation.offset));
        digest.add_value(&relations.collect::<Vec<_>>());
    }
    for stub in config.stubs.iter().filter(|it| names.contains(it.function.as_str())) {
        digest.add(&config.path);
        digest.add_value(stub);
        digest.add_value(&config.place(stub.name.start));
    }
}
