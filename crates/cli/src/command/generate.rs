//! `glassbox gen`: tests for every goal, proofs for the rest.

use clap::Args;
use glassbox_coverage::{Goal, criterion};
use glassbox_explore::{Budget, CampaignResult, explore};
use glassbox_interp::NoExternals;
use glassbox_ir::Program;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

use crate::Status;
use crate::intake::{Intake, read_program, select_functions};

/// Generate tests for every goal of a coverage criterion
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    intake: Intake,
    /// Only this function (repeatable); default: every function defined in the files
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// statement, branch, decision, condition, mcdc, def-use, path:K, assert (repeatable)
    #[arg(long, default_value = "branch")]
    criterion: Vec<String>,
    /// Seed of the concrete inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    cc_flags: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let Some(program) = read_program(&arguments.intake, &arguments.cc_flags) else {
        return Status::BadInput;
    };
    let functions = match select_functions(&program, &arguments.intake, &arguments.function) {
        Ok(functions) => functions,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    let mut is_decided = true;
    for function in functions {
        let mut goals: Vec<Goal> = Vec::new();
        for name in &arguments.criterion {
            let Some(criterion) = criterion::by_name(name) else {
                eprintln!(
                    "error: no criterion `{name}`; there are: {}",
                    criterion::NAMES.join(", ")
                );
                return Status::BadInput;
            };
            goals.extend(criterion.goals(&program, function));
        }
        let budget = Budget { seed: arguments.seed, ..Budget::default() };
        let config = Config::default();
        let result = explore(&program, function, &goals, &config, &budget, Box::new(NoExternals));
        is_decided &= print_result(&program, &program.function(function).name, &goals, &result);
    }
    if is_decided { Status::Decided } else { Status::Unknown }
}

/// Prints one function's result; whether every goal is decided.
fn print_result(program: &Program, name: &str, goals: &[Goal], result: &CampaignResult) -> bool {
    let count = |is_wanted: fn(&Verdict) -> bool| {
        result.verdicts.iter().filter(|verdict| is_wanted(verdict)).count()
    };
    let n_covered = count(|verdict| matches!(verdict, Verdict::Covered { .. }));
    let n_infeasible = count(|verdict| matches!(verdict, Verdict::Infeasible(_)));
    let n_within = count(|verdict| matches!(verdict, Verdict::InfeasibleWithin { .. }));
    let n_unknown = count(|verdict| matches!(verdict, Verdict::Unknown(_)));
    println!(
        "{name}: {} goals, {n_covered} covered, {n_infeasible} infeasible, {n_within} infeasible within bounds, \
         {n_unknown} unknown; {} tests ({} paths, {} runs, {} divergences)",
        goals.len(),
        result.tests.len(),
        result.n_paths,
        result.n_runs,
        result.n_divergences,
    );
    for (goal, verdict) in goals.iter().zip(&result.verdicts) {
        if !matches!(verdict, Verdict::Covered { .. }) {
            let file = program.files.get(goal.span.file.index()).map_or("", |file| &file.path);
            println!(
                "  {file}:{}:{}: {}: {verdict:?}",
                goal.span.line, goal.span.column, goal.text
            );
        }
    }
    n_unknown == 0
}
