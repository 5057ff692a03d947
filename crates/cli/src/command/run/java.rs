//! `glassbox run` on classes: executes `main`, or another static method on given values.

use glassbox_interp::java::{Ending, JavaLibrary, Value, parse_value, run_java, write_value};
use glassbox_interp::{Externals, Machine, Options, Outcome};
use glassbox_ir::{FuncId, Program};

use super::Arguments;
use crate::Status;
use crate::java::read_java;

const MAIN: &str = "main([Ljava/lang/String;)V";

pub(super) fn run(arguments: &Arguments) -> Status {
    let shown = glassbox_jvm_front::Options {
        surroundings: glassbox_jvm_front::Surroundings::Imitated,
        ..Default::default()
    };
    let Some(java) = read_java(&arguments.intake, &[MAIN], shown) else {
        return Status::BadInput;
    };
    let program = &java.program;
    let Some(entry) = choose_entry(program, &java.entries, arguments) else {
        return Status::BadInput;
    };
    let options = Options {
        max_steps: arguments.max_steps.unwrap_or(u64::MAX),
        coverage: arguments.coverage,
        ..Options::default()
    };
    let library = JavaLibrary::new();
    let Some(mut machine) = Machine::new(program, options, Box::new(library.clone())) else {
        eprintln!("error: the program's constants need more than {} bytes", options.max_bytes);
        return Status::Unknown;
    };
    let Some(words) = write_arguments(&mut machine, entry, arguments) else {
        return Status::BadInput;
    };
    let ending = run_java(&mut machine, entry, &words);
    print!("{}", String::from_utf8_lossy(&library.stdout()));
    eprint!("{}", String::from_utf8_lossy(&library.stderr()));
    let status = match ending {
        Ending::Returned(Value::Void) => Status::Program(0),
        Ending::Returned(value) => {
            println!("{value}");
            Status::Program(0)
        }
        Ending::Thrown { class, message } => {
            match message {
                Some(message) => eprintln!("exception {class}: {message}"),
                None => eprintln!("exception {class}"),
            }
            Status::Program(1)
        }
        Ending::Other(Outcome::Exited(status)) => Status::Program((status & 0xff) as u8),
        Ending::Other(Outcome::Unsupported { what, span }) => {
            let message = format!("error: not supported: {what}");
            eprint!("{}", super::excerpt(program, span, &message));
            eprintln!("  = this is a limit of glassbox, not an error in the program");
            Status::Unknown
        }
        Ending::Other(outcome) => super::tell(program, options, outcome),
    };
    if arguments.coverage {
        eprint!("{}", super::coverage::report(program, machine.coverage()));
    }
    status
}

/// The static method whose parameters fit the number of arguments.
fn choose_entry(program: &Program, entries: &[FuncId], arguments: &Arguments) -> Option<FuncId> {
    let is_static = |id: &&FuncId| {
        let method = program.function(**id).method;
        method.is_some_and(|method| program.method(method).is_static)
    };
    let fits = |id: &&FuncId| {
        let function = program.function(**id);
        function.name.ends_with(&format!(".{MAIN}"))
            || function.params.len() == arguments.args.len()
    };
    let mut fitting = entries.iter().filter(is_static).filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(*only),
        (Some(_), Some(_)) => {
            eprintln!("error: several methods fit");
            tell_entries(program, entries);
            None
        }
        (None, _) => {
            eprintln!("error: no static method takes {} arguments", arguments.args.len());
            tell_entries(program, entries);
            None
        }
    }
}

fn tell_entries(program: &Program, entries: &[FuncId]) {
    let names: Vec<&str> = entries.iter().map(|&id| program.function(id).name.as_str()).collect();
    eprintln!("  = help: choose with --class and --method; there are: {}", names.join(", "));
}

fn write_arguments(
    machine: &mut Machine<'_>,
    entry: FuncId,
    arguments: &Arguments,
) -> Option<Vec<u128>> {
    let program = machine.program();
    let function = program.function(entry);
    let types: Vec<_> = function.params.iter().map(|param| param.source_type).collect();
    let mut values = Vec::new();
    if function.name.ends_with(&format!(".{MAIN}")) {
        let texts = arguments.args.iter();
        let texts = texts.map(|text| Value::String(text.encode_utf16().collect()));
        values.push(Value::Array(texts.collect()));
    } else {
        for (ty, text) in types.iter().zip(&arguments.args) {
            let Some(value) = parse_value(program, *ty, text) else {
                eprintln!("error: `{text}` is not a value of the parameter's type");
                eprintln!(
                    "  = help: {} takes numbers, true, 'c', text, null or {{1, 2}}",
                    function.name
                );
                return None;
            };
            values.push(value);
        }
    }
    let mut words = Vec::new();
    for (ty, value) in types.iter().zip(&values) {
        match write_value(machine, *ty, value) {
            Some(word) => words.push(word),
            None => {
                eprintln!("error: arguments of this type cannot be given on the command line");
                return None;
            }
        }
    }
    Some(words)
}
