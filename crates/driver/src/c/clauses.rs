//! Conditions of contracts that do more than look: each says something about one state, and is evaluated before or behind the
//! call by runs, paths, proofs and tests, some of them several times. One that changes something, ends the run or gets its answer from
//! outside would say something else each time, so it is refused by name.

use std::collections::BTreeSet;

use glassbox_callsum::{Writes, writing};
use glassbox_contract::acsl::Assertion;
use glassbox_contract::harness::clause_at;
use glassbox_contract::{ClauseKind, Config, Contract, Relation, RelationKind};
use glassbox_coverage::scope::Calls;
use glassbox_ir::{Callee, Check, CheckKind, FuncId, Instr, InstrKind, Origin, Program, Span};
use glassbox_library::{Determinism, Reads, Row};

use crate::language::Refusal;

/// What is asked of conditions, and of relations that are expressions.
const LOOKING: &str = "a condition changes nothing";
const UNORDERED: &str = "an expression over calls does not depend on their order";

/// Refuses the first condition that does more than look.
pub(super) fn refuse_effects(
    program: &Program,
    config: Option<&Config>,
    assertions: &[Assertion],
) -> Result<(), Refusal> {
    for function in program.function_ids() {
        let (Origin::Harness { of } | Origin::Requirement { of } | Origin::Promise { of }) =
            program.function(function).origin
        else {
            continue;
        };
        let name = &program.function(of).name;
        let contracts = config.into_iter().flat_map(|config| &config.contracts);
        let found = config.zip(contracts.into_iter().find(|contract| contract.function == *name));
        let Some((config, contract)) = found else { continue };
        // Around the conditions stand the call itself and, for what may change, code that puts memory back. Where more calls
        // stand where the function is named, some of them are a condition's.
        let may_be_subject = |instr: &Instr| {
            callee(instr) == Some(of) && is_where_named(program, config, contract, instr.span)
        };
        let body = program.function(function).body.iter();
        let instrs = body.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
        let is_alone = instrs.filter(|instr| may_be_subject(instr)).count() == 1;
        let is_made = |instr: &Instr| {
            let is_subject = is_alone && may_be_subject(instr);
            let clause = clause_at(program, config, contract, instr.span);
            let is_frame = clause.is_some_and(|it| matches!(it.kind, ClauseKind::Assigns(_)));
            is_subject || is_frame
        };
        refuse_in(program, function, LOOKING, &|instr| !is_made(instr))?;
    }
    refuse_changing_calls(program, config)?;
    if assertions.is_empty() {
        return Ok(());
    }
    let is_asserted = |instr: &Instr| {
        let file = program.files.get(instr.span.file.index());
        let (line, column) = (instr.span.line, instr.span.column);
        file.is_some_and(|file| {
            assertions.iter().any(|it| it.place.is_at(&file.path, line, column))
        })
    };
    for function in program.function_ids() {
        if program.function(function).origin == Origin::User {
            refuse_in(program, function, LOOKING, &is_asserted)?;
        }
    }
    Ok(())
}

/// Refuses a relation over calls that change what the next one sees: in which order they are made is open.
fn refuse_changing_calls(program: &Program, config: Option<&Config>) -> Result<(), Refusal> {
    let Some(config) = config else { return Ok(()) };
    for function in program.function_ids() {
        let Origin::Relation { of } = program.function(function).origin else { continue };
        let name = &program.function(of).name;
        let contracts = config.contracts.iter().filter(|contract| contract.function == *name);
        let relations = contracts.flat_map(|contract| &contract.relations);
        let is_there = |relation: &Relation, span: Span| {
            let path = program.files.get(span.file.index()).map(|file| &file.path);
            let (line, column) = (span.line as usize, span.column as usize);
            path == Some(&config.path) && config.place(relation.offset) == (line, column)
        };
        let body = program.function(function).body.iter();
        let instrs = body.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
        let mut judged = instrs.filter(|instr| {
            matches!(&instr.kind, InstrKind::Check(Check::Condition { kind, .. }) if *kind == CheckKind::Relation)
        });
        let is_expression = judged.next().is_some_and(|instr| {
            relations
                .clone()
                .any(|it| matches!(it.kind, RelationKind::Relate(_)) && is_there(it, instr.span))
        });
        if is_expression {
            refuse_in(program, function, UNORDERED, &|instr| callee(instr).is_some())?;
        }
    }
    Ok(())
}

/// Whether code stands on the line where a contract names its function.
fn is_where_named(program: &Program, config: &Config, contract: &Contract, span: Span) -> bool {
    let Some(file) = program.files.get(span.file.index()) else { return false };
    match &contract.declared {
        Some(declared) => file.path.ends_with(&declared.path) && span.line == declared.line,
        None => {
            let (line, _) = config.place(contract.name.start);
            file.path == config.path && span.line as usize == line
        }
    }
}

fn callee(instr: &Instr) -> Option<FuncId> {
    match &instr.kind {
        InstrKind::Call(call) => match call.callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        },
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => None,
    }
}

/// Refuses the first instruction of a condition that does more than look.
fn refuse_in(
    program: &Program,
    function: FuncId,
    law: &str,
    is_condition: &dyn Fn(&Instr) -> bool,
) -> Result<(), Refusal> {
    let Some(body) = &program.function(function).body else { return Ok(()) };
    let instrs = || body.blocks.iter().flat_map(|block| &block.instrs);
    if !instrs().any(is_condition) {
        return Ok(());
    }
    for (instr, writes) in writing(program, function) {
        if is_condition(instr) && !is_stub(program, instr) {
            let subject = callee(instr).map(|it| program.function(it).name.as_str());
            return Err(refusal(program, instr, law, (subject, &written(program, &writes))));
        }
    }
    for instr in instrs().filter(|instr| is_condition(instr)) {
        let Some(first) = callee(instr) else { continue };
        if let Some((name, deed)) = outside_deed(program, first) {
            return Err(refusal(program, instr, law, (Some(&name), deed)));
        }
    }
    Ok(())
}

/// Functions that are not there are inputs of the run, and what they change is a matter of assumptions.
fn is_stub(program: &Program, instr: &Instr) -> bool {
    callee(instr).is_some_and(|callee| {
        let declared = program.function(callee);
        declared.body.is_none() && glassbox_library::function_of(declared).is_none()
    })
}

fn refusal(
    program: &Program,
    instr: &Instr,
    law: &str,
    (subject, deed): (Option<&str>, &str),
) -> Refusal {
    let path = program.files.get(instr.span.file.index()).map_or("", |file| &file.path);
    let (line, column) = (instr.span.line, instr.span.column);
    let what = match subject {
        Some(name) => format!("{law}, but `{name}` {deed}"),
        None => format!("{law}, but this {deed}"),
    };

    Refusal(format!("{path}:{line}:{column}: error: {what}\n"))
}

/// What is written, in words.
fn written(program: &Program, writes: &Writes) -> String {
    let mut names = writes.globals.iter().map(|&global| &program.global(global).name);
    match names.next() {
        Some(name) if !name.is_empty() => format!("may change `{name}`"),
        Some(_) | None => "may change memory".to_owned(),
    }
}

/// What a function that runs on behalf of this one does to what is outside of the program, or takes from there.
fn outside_deed(program: &Program, first: FuncId) -> Option<(String, &'static str)> {
    let mut seen = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(function) = open.pop() {
        let declared = program.function(function);
        if declared.body.is_some() {
            let mut calls = Calls::default();
            calls.add_function(program, function);
            open.extend(calls.direct.into_iter().filter(|&callee| seen.insert(callee)));
            continue;
        }
        let known = glassbox_library::function_of(declared).and_then(|it| deed(&it.row));
        if let Some(deed) = known.or(declared.is_noreturn.then_some("does not return")) {
            return Some((declared.name.clone(), deed));
        }
    }
    None
}

fn deed(row: &Row) -> Option<&'static str> {
    if row.control.never_returns() {
        return Some("does not return");
    }
    if row.control.is_beyond_order() {
        return Some("returns elsewhere, or more than once");
    }
    if row.is_output {
        return Some("prints");
    }
    if row.remembers || row.keeps_arguments || row.changes_rounding {
        return Some("keeps something for later calls");
    }
    if row.reads != Reads::Nothing {
        return Some("reads what comes from outside");
    }
    match row.determinism {
        Determinism::Surroundings | Determinism::Input => {
            Some("gives what its arguments do not fix")
        }
        Determinism::Fixed | Determinism::SignOnly | Determinism::SameSign => None,
    }
}
