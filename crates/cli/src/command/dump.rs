//! `glassbox dump`: any stage of the work as text.

use clap::{Args, ValueEnum};
use glassbox_driver::plan;
use glassbox_ir::{FuncId, Program};
use glassbox_testcase::Known;

use crate::intake::Intake;
use crate::screen::{look_at_each, refused};
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
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let intake = arguments.intake.plan(&arguments.cc_flags);
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
