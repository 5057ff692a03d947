//! What a contract means for the suite of its function: assertions in tests, and the goals that it
//! removes.

use glassbox_contract::harness::{Frame, clause_at, entry};
use glassbox_contract::{Clause, asserted};
use glassbox_coverage::Goal;
use glassbox_emit::c_test::{Spec, SpecCheck};
use glassbox_explore::cover::clauses::Clauses;
use glassbox_explore::{Aim, PathSearch};
use glassbox_ir::{FuncId, Span};
use glassbox_testcase::{ContractClause, Verdict};

use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language::Language;
use crate::relation::subject;

/// Where the search starts.
pub(crate) fn aim(case: &Case<'_>, function: FuncId) -> Aim {
    let entry = entry(case.program(), function).unwrap_or(function);
    Aim { function, entry }
}

/// The clauses of a function's contract as the suite has them; what they remove is not known yet.
pub(crate) fn clauses(language: &dyn Language, function: FuncId) -> Vec<ContractClause> {
    let Some((config, contract, _)) = language.contract(function) else { return Vec::new() };
    let clauses = contract.clauses.iter().map(|clause| {
        let (path, line, column) = config.stands_at(clause);
        let place = match clause.declared {
            Some(_) => format!("{path}:{line}"),
            None => format!("{path}:{line}:{column}"),
        };
        ContractClause {
            text: clause.shown.clone(),
            place,
            is_ensure: clause.is_promise(),
            removes: Vec::new(),
        }
    });
    clauses.collect()
}

/// The requirements that a function is traced to.
pub(crate) fn requirements(language: &dyn Language, function: FuncId) -> Vec<String> {
    language.contract(function).map_or(Vec::new(), |(_, contract, _)| contract.requirements.clone())
}

/// Elements that the function's contract asks for behind a pointer.
pub(crate) fn longest(language: &dyn Language, function: FuncId) -> u64 {
    let program = language.program();
    let name = &program.function(subject(program, function)).name;
    let contracts = language.config().into_iter().flat_map(|config| &config.contracts);
    let own = contracts.filter(|contract| contract.function == *name);
    own.filter_map(glassbox_contract::Contract::longest).max().unwrap_or(0)
}

/// The assertions that a contract adds to every test.
pub(crate) fn spec(language: &dyn Language, function: FuncId, frame: Option<&Frame>) -> Spec {
    let Some((config, contract, _)) = language.contract(function) else { return Spec::default() };
    let (before, checks) = asserted(contract, frame);
    let check = |(clause, text): (&Clause, String)| {
        let (file, line, _) = config.stands_at(clause);
        let is_alone = clause.declared.is_none();
        SpecCheck { text: one_line(&text), file: file.to_owned(), line, is_alone }
    };
    Spec {
        before: before.iter().map(|text| one_line(text)).collect(),
        checks: checks.into_iter().map(check).collect(),
        asserted: Vec::new(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Finds for each clause the goals that nothing reaches because of it. Where only several clauses together remove a
/// goal, each of them is named.
pub(crate) fn note_removed_goals(
    case: &Case<'_>,
    search: &mut PathSearch<'_>,
    report: &mut FunctionReport,
) {
    let Some((file, contract, _)) = case.language.contract(report.function()) else { return };
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
    let program = case.program();
    let at = |span: Span| {
        let offset = clause_at(program, file, contract, span)?.offset;
        inputs.iter().position(|&clause| contract.clauses[clause].offset == offset)
    };
    let removers = search.removed_by_clauses(&gone, &Clauses { count: inputs.len(), at: &at });
    for (goal, removers) in gone.iter().zip(removers) {
        for clause in removers {
            report.suite.contract[inputs[clause]].removes.push(goal.id.clone());
        }
    }
}
