//! `main`, or another static method on given values, in the interpreter.

use glassbox_interp::java::{self, Value, parse_value, run_java, write_value};
use glassbox_interp::{Coverage, Externals, Machine};
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_libc::JavaLibrary;

use crate::language::Refusal;
use crate::run::{Ending, Execution, Ran};

/// What is run where nothing else is named.
pub(super) const MAIN: &str = "main([Ljava/lang/String;)V";

pub(super) fn run(java: &JavaProgram, mut execution: Execution) -> Result<Ran, Refusal> {
    let program = &java.program;
    let entry = choose_entry(program, &java.entries, &execution.arguments)?;
    let library = JavaLibrary::new();
    let Some(mut machine) = Machine::new(program, execution.options, Box::new(library.clone()))
    else {
        let ending = Ending::TooLarge { what: "constants" };
        return Ok(Ran { ending, coverage: Coverage::default() });
    };
    let words = write_arguments(&mut machine, entry, &execution.arguments)?;
    let ending = run_java(&mut machine, entry, &words);
    // A reader that went away is no error.
    let _ = execution.output.write_all(&library.stdout());
    let _ = execution.errors.write_all(&library.stderr());
    let ending = match ending {
        java::Ending::Returned(Value::Void) => Ending::Returned(String::new()),
        java::Ending::Returned(value) => Ending::Returned(value.to_string()),
        java::Ending::Thrown { class, message } => Ending::Thrown { class, message },
        java::Ending::Other(outcome) => Ending::Other(outcome),
    };
    Ok(Ran { ending, coverage: machine.coverage().clone() })
}

/// The static method whose parameters fit the number of arguments.
fn choose_entry(
    program: &Program,
    entries: &[FuncId],
    arguments: &[String],
) -> Result<FuncId, Refusal> {
    let is_static = |id: &&FuncId| {
        let method = program.function(**id).method;
        method.is_some_and(|method| program.method(method).is_static)
    };
    let fits = |id: &&FuncId| {
        let function = program.function(**id);
        function.name.ends_with(&format!(".{MAIN}")) || function.params.len() == arguments.len()
    };
    let mut fitting = entries.iter().filter(is_static).filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(*only),
        (Some(_), Some(_)) => {
            Err(Refusal::error(format!("several methods fit\n{}", choice(program, entries))))
        }
        (None, _) => {
            let what = format!("no static method takes {} arguments", arguments.len());
            Err(Refusal::error(format!("{what}\n{}", choice(program, entries))))
        }
    }
}

fn choice(program: &Program, entries: &[FuncId]) -> String {
    let names: Vec<&str> = entries.iter().map(|&id| program.function(id).name.as_str()).collect();
    format!("  = help: choose with --class and --method; there are: {}", names.join(", "))
}

fn write_arguments(
    machine: &mut Machine<'_>,
    entry: FuncId,
    arguments: &[String],
) -> Result<Vec<u128>, Refusal> {
    let program = machine.program();
    let function = program.function(entry);
    let types: Vec<_> = function.params.iter().map(|param| param.source_type).collect();
    let mut values = Vec::new();
    if function.name.ends_with(&format!(".{MAIN}")) {
        let texts = arguments.iter();
        let texts = texts.map(|text| Value::String(text.encode_utf16().collect()));
        values.push(Value::Array(texts.collect()));
    } else {
        for (ty, text) in types.iter().zip(arguments) {
            let Some(value) = parse_value(program, *ty, text) else {
                return Err(Refusal::error(format!(
                    "`{text}` is not a value of the parameter's type\n  = help: {} takes numbers, true, \
                     'c', text, null or {{1, 2}}",
                    function.name
                )));
            };
            values.push(value);
        }
    }
    let mut words = Vec::new();
    for (ty, value) in types.iter().zip(&values) {
        match write_value(machine, *ty, value) {
            Some(word) => words.push(word),
            None => {
                let what = "arguments of this type cannot be given on the command line";
                return Err(Refusal::error(what));
            }
        }
    }
    Ok(words)
}
