//! `glassbox dump`: any stage of the work as text.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::{Args, ValueEnum};
use glassbox_driver::function_report::{Fork, Step, Worker};
use glassbox_driver::plan::{self, Generate, Mutated, Scope};
use glassbox_driver::wanted::Wanted;
use glassbox_driver::{FunctionReport, Task, search_only};
use glassbox_emit::java_test::Mocks;
use glassbox_ir::{FuncId, Program};
use glassbox_model::config::StubWrites;
use glassbox_testcase::{Known, Verdict};

use crate::intake::Intake;
use crate::planning::{self, seconds};
use crate::screen::{look_at_each, reading, refused};
use crate::{Status, bad_input};

/// Print a stage of the work as text
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    intake: Intake,
    /// Which stage
    #[arg(long)]
    stage: Stage,
    /// Only this function (repeatable)
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// Coverage criterion, for goals (repeatable)
    #[arg(long, default_value = "branch")]
    criterion: Vec<String>,
    /// Seconds for the search in one function, for `search`
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "20")]
    timeout: Duration,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    cc_flags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The program representation
    Ir,
    /// Goals with their ids and places
    Goals,
    /// Ranges and linear relations that hold at each line, whatever the input
    Model,
    /// Who decided which goal when: seeds, climbing, paths, proofs, deepening, sequences
    Search,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let mut intake = arguments.intake.plan(&arguments.cc_flags);
    match plan::criteria(&arguments.criterion) {
        Ok(criteria) => intake.mutated = Mutated::asked_by(&criteria, &arguments.function),
        Err(message) if arguments.stage == Stage::Search => return bad_input(&message),
        // Goals of criteria that do not go together are listed apart.
        Err(_) => {}
    }
    if arguments.stage == Stage::Search {
        return match searched(arguments, intake) {
            Ok(status) => status,
            Err(message) => bad_input(&message),
        };
    }
    let looked = look_at_each(&intake, &arguments.function, |program, functions| {
        dump(arguments, program, functions)
    });
    looked.unwrap_or_else(|refusal| refused(&refusal))
}

fn dump(arguments: &Arguments, program: &Program, functions: &[FuncId]) -> Status {
    match arguments.stage {
        Stage::Ir => print!("{}", glassbox_ir::text::print_program(program)),
        Stage::Model => {
            for &function in functions {
                print_invariants(program, function);
            }
        }
        // It is not only looked at.
        Stage::Search => {}
        Stage::Goals => {
            for name in &arguments.criterion {
                let criterion = match plan::criterion(name) {
                    Ok(criterion) => criterion,
                    Err(message) => return bad_input(&message),
                };
                let mut program = program.clone();
                for &function in functions {
                    criterion.prepare(&mut program, function);
                    for goal in criterion.goals(&program, function) {
                        println!("{}\t{}", goal.id, goal.text);
                    }
                }
            }
        }
    }
    Status::Decided
}

/// Searches, and prints what became of every goal.
fn searched(arguments: &Arguments, intake: plan::Intake) -> Result<Status, String> {
    let task = Generate {
        scope: Scope::Unit,
        describes_lines: false,
        criteria: plan::criteria(&arguments.criterion)?,
        framework: None,
        formats: Vec::new(),
        stub_writes: StubWrites::Pointees,
        all: None,
        random: None,
        allows_reflection: true,
        mocks: Mocks::default(),
        wanted: Wanted::default(),
    };
    let functions = &arguments.function;
    let plan = planning::usual(intake, functions, arguments.timeout, Task::Generate(task));
    Ok(search_only(&plan, &reading(), print_history)
        .map_or_else(|refusal| refused(&refusal), |()| Status::Decided))
}

/// One line for each goal that was decided, in order, and who decided how many.
fn print_history(program: &Program, report: &FunctionReport) {
    let name = &program.function(report.function()).name;
    println!(
        "{name}: {} goals, {} runs, {} paths",
        report.goals.len(),
        report.n_runs,
        report.n_paths
    );
    println!("{:>8} {:>6}  {:<9}  decided", "runs", "paths", "by");
    let mut sums: BTreeMap<Worker, usize> = BTreeMap::new();
    for step in &report.history {
        let goal = &report.goals[step.goal];
        let (line, column) = (goal.span.line, goal.span.column);
        let what = if step.is_reached { "covered" } else { "refuted" };
        let Step { runs, paths, by, .. } = step;
        println!("{runs:>8} {paths:>6}  {by:<9}  {what} {line}:{column}: {}", goal.text);
        *sums.entry(step.by).or_default() += 1;
    }
    let sums: Vec<String> = sums.iter().map(|(by, count)| format!("{count} by {by}")).collect();
    let n_open = report.verdicts().filter(|it| matches!(it, Verdict::Unknown(_))).count();
    println!("in all: {}; {n_open} unknown", sums.join(", "));
    if report.forks.is_empty() {
        return;
    }
    println!("where paths part\n choices   taken    open refuted  place");
    for fork in &report.forks {
        let Fork { function, line, kind, n_choices, n_taken, n_open, n_refuted } = fork;
        let name = &program.function(*function).name;
        println!("{n_choices:>8} {n_taken:>7} {n_open:>7} {n_refuted:>7}  {name}:{line} {kind:?}");
    }
}

/// One line for each place where something is known, with the source beside it.
fn print_invariants(program: &Program, function: FuncId) {
    let options = glassbox_prove::Options::default();
    let mut prover = glassbox_prove::Prover::new(program, function, options);
    println!("{}:", program.function(function).name);
    let Some(lines) = prover.describe() else {
        println!("  too complicated");
        return;
    };
    for line in lines {
        if !line.known.is_something() {
            continue;
        }
        match line.known {
            Known::Dead => println!("  line {}: never reached", line.line),
            Known::Facts(facts) => println!("  line {}: {}", line.line, facts.join("; ")),
        }
    }
    for (callee, facts) in prover.describe_calls() {
        println!("  a call of {}: {}", program.function(callee).name, facts.join("; "));
    }
}
