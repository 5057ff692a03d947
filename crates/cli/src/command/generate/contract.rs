//! What a contract means for the suite of its function: assertions in tests, and the goals that it
//! removes.

use std::sync::atomic::AtomicBool;

use glassbox_coverage::Goal;
use glassbox_emit::c_test::{Spec, SpecCheck};
use glassbox_explore::{Aim, Budget, explore};
use glassbox_interp::Libc;
use glassbox_ir::{FuncId, InstrKind, Program};
use glassbox_model::Config;
use glassbox_testcase::{ContractClause, Verdict};

use crate::config::harness::{clause_at, entry, old_values, with_old_names};
use crate::config::{self, Clause, ClauseKind};
use crate::intake::Subject;

/// Contracts with more clauses than this are not taken apart to find the one that removes a goal.
const MAX_CLAUSES: usize = 24;

/// Paths of one search without a clause.
const MAX_PATHS: usize = 500;

/// Where the search starts.
pub(super) fn aim(subject: &Subject, function: FuncId) -> Aim {
    let entry = entry(&subject.program, function).unwrap_or(function);
    Aim { function, entry }
}

/// The clauses of a function's contract as the suite tells them; what they remove is not known yet.
pub(crate) fn clauses(subject: &Subject, function: FuncId) -> Vec<ContractClause> {
    let Some((config, contract, _)) = subject.contract(function) else { return Vec::new() };
    let told = contract.clauses.iter().map(|clause| {
        let (line, column) = config.place(clause.offset);
        ContractClause {
            text: clause.shown.clone(),
            place: format!("{}:{line}:{column}", config.path),
            is_ensure: is_ensure(clause),
            removes: Vec::new(),
        }
    });
    told.collect()
}

fn is_ensure(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Ensure(_))
}

/// The assertions that a contract adds to every test.
pub(crate) fn spec(subject: &Subject, function: FuncId) -> Spec {
    let Some((config, contract, _)) = subject.contract(function) else { return Spec::default() };
    let name = |number: usize| format!("__old{number}");
    let old_values = old_values(contract).into_iter().enumerate();
    let mut number = 0;
    let checks = contract.ensures().map(|(clause, text)| SpecCheck {
        text: one_line(&with_old_names(text, &mut number)),
        place: format!("{}:{}", config.path, config.place(clause.offset).0),
    });
    Spec {
        checks: checks.collect(),
        old_values: old_values.map(|(number, (_, text))| (name(number), one_line(&text))).collect(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Finds for each clause the goals that nothing reaches because of it: they are searched again without
/// it. Where only several clauses together remove a goal, each of them is named.
pub(super) fn note_removed_goals(
    subject: &Subject,
    function: FuncId,
    goals: &[Goal],
    verdicts: &[Verdict],
    clauses: &mut [ContractClause],
    (config, stop): (&Config, &AtomicBool),
) {
    let Some((file, contract, entry)) = subject.contract(function) else { return };
    let inputs: Vec<usize> =
        (0..clauses.len()).filter(|&clause| !clauses[clause].is_ensure).collect();
    let is_gone = |verdict: &Verdict| {
        matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
    };
    let gone: Vec<Goal> = goals
        .iter()
        .zip(verdicts)
        .filter(|(_, verdict)| is_gone(verdict))
        .map(|(goal, _)| goal.clone())
        .collect();
    if gone.is_empty() || inputs.is_empty() {
        return;
    }
    let program = &subject.program;
    let search = |program: &Program, aim: Aim, goals: &[Goal]| -> Vec<Goal> {
        let budget = Budget { paths: MAX_PATHS, ..Budget::default() };
        let result = explore(program, aim, goals, config, &budget, Box::new(Libc::new()), stop);
        let found = goals.iter().zip(&result.verdicts);
        found
            .filter(|(_, verdict)| matches!(verdict, Verdict::Covered { .. }))
            .map(|(goal, _)| goal.clone())
            .collect()
    };
    let removed = search(program, Aim::from(function), &gone);
    if removed.is_empty() {
        return;
    }
    let mut alone: Vec<(usize, Vec<Goal>)> = Vec::new();
    if inputs.len() > 1 && inputs.len() <= MAX_CLAUSES {
        for &clause in &inputs {
            let weaker = without_clause(program, file, contract, entry, clause);
            alone.push((clause, search(&weaker, Aim { function, entry }, &removed)));
        }
    }
    for goal in &removed {
        let single: Vec<usize> = alone
            .iter()
            .filter(|(_, found)| found.iter().any(|found| found.id == goal.id))
            .map(|(clause, _)| *clause)
            .collect();
        let named = if single.is_empty() { &inputs } else { &single };
        for &clause in named {
            clauses[clause].removes.push(goal.id.clone());
        }
    }
}

/// The program with one clause taken out of the harness.
fn without_clause(
    program: &Program,
    file: &config::Config,
    contract: &config::Contract,
    entry: FuncId,
    clause: usize,
) -> Program {
    let mut weaker = program.clone();
    let offset = contract.clauses[clause].offset;
    if let Some(body) = &mut weaker.functions[entry.index()].body {
        for block in &mut body.blocks {
            block.instrs.retain(|instr| {
                let is_assumption = matches!(instr.kind, InstrKind::Assume { .. });
                let at = clause_at(program, file, contract, instr.span);
                !(is_assumption && at.is_some_and(|at| at.offset == offset))
            });
        }
    }
    weaker
}
