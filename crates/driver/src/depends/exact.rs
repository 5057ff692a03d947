//! The digest of a function with its numbers and lines.
//!
//! In doubt it has more than a result needs: the function and everything that may run on its behalf, with the lines
//! that they stand in, since results name them, and every declaration and type of the program. Bodies of other functions do
//! not count: no run of the function comes to them.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_contract::Config;
use glassbox_coverage::running::Running;
use glassbox_coverage::scope::{Calls, addressed};
use glassbox_ir::{
    FixedMemory, FuncId, Function, Global, GlobalId, GlobalKind, Program, SourceFile,
};

use crate::cache::Digest;

/// What one function depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependence {
    pub(crate) digest: String,
    /// A digest of those among the functions asked about that may run on its behalf.
    pub(crate) among: String,
}

/// What functions of a program depend on in the program itself and in contracts.
pub(crate) fn dependences(
    program: &Program,
    functions: &[FuncId],
    config: Option<&Config>,
) -> Vec<Dependence> {
    let running = Running::of(program);
    let outline = outline(program);
    let asked: BTreeSet<FuncId> = functions.iter().copied().collect();
    let mut own: Vec<Option<String>> = vec![None; program.functions.len()];
    let lines = lines(program);
    let dependence = |&function: &FuncId| {
        let members = running.on_behalf_of(function);
        let mut digest = Digest::default();
        for &member in &members {
            digest
                .add(own[member.index()].get_or_insert_with(|| by_itself(program, member, &lines)));
        }
        digest.add(&outline);
        if let Some(config) = config {
            add_contracts(program, config, &members, &mut digest);
        }
        digest.add(&named(program, function));
        let mut among = Digest::default();
        among.add_value(&members.intersection(&asked).collect::<Vec<_>>());
        Dependence { digest: digest.finish(), among: among.finish() }
    };
    functions.iter().map(dependence).collect()
}

/// The same for lists and comparisons of versions. Nothing but the sources, the compiler's preprocessor and the
/// configuration is behind it.
pub fn dependencies(
    program: &Program,
    functions: &[FuncId],
    config: Option<&Config>,
) -> Vec<String> {
    let all = dependences(program, functions, config);
    all.into_iter().map(|dependence| dependence.digest).collect()
}

/// The digest of a function without what it calls.
fn by_itself(program: &Program, function: FuncId, lines: &[Vec<&str>]) -> String {
    let mut digest = Digest::default();
    add_function(program, function, lines, &mut digest);
    digest.finish()
}

/// A function as no other is named.
pub(crate) fn named(program: &Program, function: FuncId) -> String {
    format!("{function} {}", program.function(function).name)
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
    // A constant address anywhere makes memory of numbers everywhere.
    digest.add_value(&FixedMemory::of(program));
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

/// The lines of each file, where they are known: all functions look for theirs in them.
fn lines<'a>(program: &'a Program) -> Vec<Vec<&'a str>> {
    let of_file = |file: &'a SourceFile| -> Vec<&'a str> {
        file.text.as_deref().into_iter().flat_map(str::lines).collect()
    };
    program.files.iter().map(of_file).collect()
}

/// Adds a body, the lines of the source that it was written in, and the globals that it mentions.
fn add_function(program: &Program, id: FuncId, lines: &[Vec<&str>], digest: &mut Digest) {
    let function = program.function(id);
    // Writing to a text does not fail.
    let mut text = String::new();
    let _ = write!(text, "{id} {function:?}");
    digest.add(&text);
    let mut globals = BTreeSet::new();
    mentioned(&text, &mut globals);
    let span = function.span;
    if let Some(lines) = lines.get(span.file.index()).filter(|_| !span.is_nowhere()) {
        let (first, last) = ((span.line as usize).saturating_sub(1), span.end_line as usize);
        let last = last.min(lines.len());
        for line in lines.get(first.min(last)..last).into_iter().flatten() {
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
