//! `glassbox audit`: looks at a finished suite with other eyes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use glassbox_driver::audit::{Audit, Audited, Options, audit};
use glassbox_driver::{Plan, report_files};
use glassbox_solver::external::External;

use crate::screen::{reading, refused};
use crate::{Status, try_arguments};

/// Check a finished suite with other tools: every contradiction is shown, and the exit code is 3
///
/// The tests as they were written are built once more and counted by gcov and, where it is installed, by clang
/// (branches and MC/DC). What is proved is tried with random and boundary inputs in the compiled program, and
/// the refutations behind it are handed to another solver. Start it where the suite was made.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where suite.json is
    #[arg(value_name = "DIR", default_value = "glassbox-out")]
    dir: PathBuf,
    /// Inputs for each function with a proof
    #[arg(long, value_name = "N", default_value_t = 200)]
    inputs: usize,
    /// The other solver, which reads SMT-LIB: z3, cvc5, bitwuzla
    #[arg(long, value_name = "PROGRAM", default_value = "z3")]
    solver: PathBuf,
    /// Seconds for all questions to the other solver; 0: none is asked
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    solver_time: u64,
}

/// One question to the other solver.
const ONE_QUESTION: Duration = Duration::from_secs(5);

pub(crate) fn run(arguments: &Arguments) -> Status {
    let suite = match report_files::read_suite(&arguments.dir) {
        Ok(suite) => suite,
        Err(message) => return complain(&message),
    };
    let plan = match plan(&suite.command, &arguments.dir) {
        Ok(plan) => plan,
        Err(message) => return complain(&message),
    };
    let mut notes = Vec::new();
    let options = Options {
        inputs: arguments.inputs,
        solver: solver(arguments, &mut notes),
        solver_time: Duration::from_secs(arguments.solver_time),
    };
    match audit(plan, &suite, &options, &reading()) {
        Ok(mut found) => {
            found.notes.append(&mut notes);
            show(&found);
            if found.n_contradictions() > 0 { Status::Violated } else { Status::Decided }
        }
        Err(refusal) => refused(&refusal),
    }
}

fn complain(message: &str) -> Status {
    eprintln!("error: {message}");
    Status::BadInput
}

/// The plan that made the suite, for the folder where it is now.
fn plan(command: &[String], dir: &Path) -> Result<Plan, String> {
    let typed: Vec<OsString> = command.iter().map(OsString::from).collect();
    let parsed = try_arguments(typed).map_err(|wrong| wrong.to_string())?;
    let planned = parsed.command.planned();
    let other = "the suite was made by another command than `gen` or `check`";
    let plan = planned.ok_or(other)?.plan()?;
    let out = if dir.is_dir() { dir } else { dir.parent().unwrap_or(Path::new(".")) };
    Ok(Plan { out: out.to_owned(), ..plan })
}

fn solver(arguments: &Arguments, notes: &mut Vec<String>) -> Option<External> {
    if arguments.solver_time == 0 {
        return None;
    }
    match External::find(&arguments.solver, ONE_QUESTION) {
        Ok(solver) => Some(solver),
        Err(trouble) => {
            notes.push(format!("{} is not asked: {trouble}", arguments.solver.display()));
            None
        }
    }
}

fn show(found: &Audit) {
    for function in &found.functions {
        show_function(function);
    }
    if let Some(opinions) = &found.opinions
        && opinions.agreed + opinions.silent + opinions.contradicted.len() > 0
    {
        println!(
            "the other solver agrees with {} refutations, is silent about {}, contradicts {}",
            opinions.agreed,
            opinions.silent,
            opinions.contradicted.len()
        );
        for script in &opinions.contradicted {
            println!("CONTRADICTION: this is refuted and can be satisfied:\n{script}");
        }
    }
    for note in &found.notes {
        println!("note: {note}");
    }
    match found.n_contradictions() {
        0 => println!("AUDIT: no contradiction"),
        n => println!("AUDIT: {n} contradictions, which are bugs of glassbox: please report them"),
    }
}

fn show_function(function: &Audited) {
    let Audited { title, n_covered, n_counted, n_proved, n_inputs, .. } = function;
    let proved = match n_proved {
        0 => String::new(),
        n => format!("; {n} proved, tried with {n_inputs} inputs in the compiled program"),
    };
    println!("{title}: {n_covered} covered, {n_counted} of them counted again{proved}");
    for contradiction in &function.contradictions {
        println!("  CONTRADICTION: {}: {}", contradiction.said, contradiction.seen);
    }
    for note in &function.notes {
        println!("  note: {note}");
    }
}
