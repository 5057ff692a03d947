//! What a contract means for the suite of its function: assertions in tests, and the goals that it
//! removes.

use std::sync::atomic::AtomicBool;

use glassbox_contract::harness::{clause_at, entry, old_values, with_old_names};
use glassbox_contract::{Clause, ClauseKind, Config, Contract};
use glassbox_coverage::Goal;
use glassbox_emit::c_test::{Spec, SpecCheck};
use glassbox_explore::{Aim, Budget, explore};
use glassbox_ir::{FuncId, InstrKind, Program};
use glassbox_testcase::{ContractClause, Verdict};

use crate::deadline::with_deadline;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language::Language;

/// Contracts with more clauses than this are not taken apart to find the one that removes a goal.
const MAX_CLAUSES: usize = 24;

/// Paths of one search without a clause.
const MAX_PATHS: usize = 500;

/// Where the search starts.
pub(crate) fn aim(case: &Case<'_>, function: FuncId) -> Aim {
    let entry = entry(case.program(), function).unwrap_or(function);
    Aim { function, entry }
}

/// The clauses of a function's contract as the suite tells them; what they remove is not known yet.
pub(crate) fn clauses(language: &dyn Language, function: FuncId) -> Vec<ContractClause> {
    let Some((config, contract, _)) = language.contract(function) else { return Vec::new() };
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

/// Elements that the function's contract asks for behind a pointer.
pub(crate) fn longest(language: &dyn Language, function: FuncId) -> u64 {
    language.contract(function).and_then(|(_, contract, _)| contract.longest()).unwrap_or(0)
}

fn is_ensure(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Ensure(_))
}

/// The assertions that a contract adds to every test.
pub(crate) fn spec(language: &dyn Language, function: FuncId) -> Spec {
    let Some((config, contract, _)) = language.contract(function) else { return Spec::default() };
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
pub(crate) fn note_removed_goals(case: &Case<'_>, report: &mut FunctionReport) {
    let Case { language, plan, listener, .. } = *case;
    let function = report.function();
    let Some((file, contract, entry)) = language.contract(function) else { return };
    let clauses = &report.suite.contract;
    let inputs: Vec<usize> =
        (0..clauses.len()).filter(|&clause| !clauses[clause].is_ensure).collect();
    let is_gone = |verdict: &Verdict| {
        matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
    };
    let pairs = report.goals.iter().zip(report.verdicts());
    let gone = pairs.filter(|(_, verdict)| is_gone(verdict)).map(|(goal, _)| goal.clone());
    let gone: Vec<Goal> = gone.collect();
    if gone.is_empty() || inputs.is_empty() {
        return;
    }
    let config = language.inputs(plan, function);
    let removals = with_deadline(plan.budget.time, listener, |stop| {
        let search = |program: &Program, aim: Aim, goals: &[Goal]| -> Vec<Goal> {
            let budget = Budget { paths: MAX_PATHS, ..Budget::default() };
            let stop: &AtomicBool = stop;
            let result = explore(program, aim, goals, &config, &budget, language.library(), stop);
            let found = goals.iter().zip(&result.verdicts);
            found
                .filter(|(_, verdict)| matches!(verdict, Verdict::Covered { .. }))
                .map(|(goal, _)| goal.clone())
                .collect()
        };
        let program = language.program();
        let removed = search(program, Aim::from(function), &gone);
        let mut alone: Vec<(usize, Vec<Goal>)> = Vec::new();
        if !removed.is_empty() && inputs.len() > 1 && inputs.len() <= MAX_CLAUSES {
            for &clause in &inputs {
                let weaker = without_clause(program, file, contract, entry, clause);
                alone.push((clause, search(&weaker, Aim { function, entry }, &removed)));
            }
        }
        let mut removals: Vec<(usize, String)> = Vec::new();
        for goal in &removed {
            let single: Vec<usize> = alone
                .iter()
                .filter(|(_, found)| found.iter().any(|found| found.id == goal.id))
                .map(|(clause, _)| *clause)
                .collect();
            let named = if single.is_empty() { &inputs } else { &single };
            removals.extend(named.iter().map(|&clause| (clause, goal.id.clone())));
        }
        removals
    });
    for (clause, goal) in removals {
        report.suite.contract[clause].removes.push(goal);
    }
}

/// The program with one clause taken out of the harness.
fn without_clause(
    program: &Program,
    file: &Config,
    contract: &Contract,
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
