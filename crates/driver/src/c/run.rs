//! `main` of a C program in the interpreter.

use glassbox_interp::{Coverage, Machine, Outcome};
use glassbox_ir::Program;
use glassbox_libc::{Libc, run_main};

use super::C;
use crate::language::Refusal;
use crate::run::{Ending, Execution, Ran};

pub(super) fn run(c: &C, execution: Execution) -> Result<Ran, Refusal> {
    let program = &c.program;
    let main = program.function_named("main").filter(|&id| program.function(id).body.is_some());
    let path = c.units[0].path.display().to_string();
    let Some(main) = main else { return Err(Refusal(no_main(program, &path))) };
    let libc = Libc::new();
    libc.set_stdin_reader(execution.input);
    libc.set_stdout_writer(execution.output);
    libc.set_stderr_writer(execution.errors);
    let Some(mut machine) = Machine::new(program, execution.options, Box::new(libc.clone())) else {
        let ending = Ending::TooLarge { what: "globals" };
        return Ok(Ran { ending, coverage: Coverage::default() });
    };
    let words = std::iter::once(&path).chain(&execution.arguments);
    let words: Vec<Vec<u8>> = words.map(|word| word.clone().into_bytes()).collect();
    let outcome = run_main(&mut machine, &libc, main, &words);
    libc.flush();
    let ending = Ending::Other(outcome.unwrap_or(Outcome::OutOfMemory));
    Ok(Ran { ending, coverage: machine.coverage().clone() })
}

fn no_main(program: &Program, path: &str) -> String {
    let own: Vec<&str> = program
        .functions
        .iter()
        .filter(|function| function.body.is_some())
        .filter(|function| !program.is_in_model(function.span))
        .map(|function| function.name.as_str())
        .collect();
    if own.is_empty() {
        return format!(
            "{path}: error: no function is defined here\n  = help: `run` needs a `main`\n"
        );
    }
    format!(
        "{path}: error: no function `main` is defined here; there are: {}\n  \
         = help: name the file with `main` too, or use `gen` for single functions\n",
        own.join(", ")
    )
}
