//! `glassbox doctor`: which tools were found, and what each missing one costs.

use clap::Args;
use glassbox_replay::tools;

use crate::Status;
use crate::version::VERSION;

/// Say which compilers and tools were found, and what each missing one would cost
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The C compiler to look for
    #[arg(long, value_name = "CC", default_value = "cc")]
    cc: String,
}

/// How much a tool matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing works without it.
    Needed,
    Useful,
}

/// A program, how to ask its version, and what is lost without it.
struct Tool {
    program: String,
    ask: &'static str,
    need: Need,
    cost: &'static str,
}

fn tools_to_find(cc: &str) -> Vec<Tool> {
    let useful = |program: &str, ask, cost| Tool {
        program: program.to_owned(),
        ask,
        need: Need::Useful,
        cost,
    };
    vec![
        Tool {
            program: cc.to_owned(),
            ask: "--version",
            need: Need::Needed,
            cost: "C cannot be preprocessed, and tests cannot be run",
        },
        useful("make", "--version", "the Makefile beside the tests cannot be used"),
        useful("gcov", "--version", "coverage cannot be compared with gcov's"),
        useful("clang-19", "--version", "`glassbox audit` cannot count conditions and MC/DC again"),
        useful("lcov", "--version", "report/lcov.info cannot be summed up or merged here"),
        useful("genhtml", "--version", "report/lcov.info cannot be shown as pages"),
        useful("g++", "--version", "tests for GoogleTest cannot be built"),
        useful("java", "-version", "tests of Java classes cannot be run"),
        useful("javac", "-version", "tests of Java classes cannot be compiled"),
        useful("z3", "--version", "the solver cannot be compared with z3"),
    ]
}

/// A header that tests for a framework include.
const HEADERS: &[(&str, &str)] = &[
    ("cmocka.h", "tests for --framework cmocka cannot be built"),
    ("check.h", "tests for --framework check cannot be built"),
    ("gtest/gtest.h", "tests for --framework gtest cannot be built"),
];

pub(crate) fn run(arguments: &Arguments) -> Status {
    println!("glassbox {VERSION}");
    let mut is_missing = false;
    for tool in tools_to_find(&arguments.cc) {
        match tools::version(&tool.program, tool.ask) {
            Some(version) => println!("  found    {:8}  {version}", tool.program),
            None => {
                let word = if tool.need == Need::Needed { "MISSING" } else { "missing" };
                println!("  {word}  {:8}  without it: {}", tool.program, tool.cost);
                is_missing |= tool.need == Need::Needed;
            }
        }
    }
    for (header, cost) in HEADERS {
        let found = tools::header(header);
        match found {
            Some(path) => println!("  found    {header:8}  {}", path.display()),
            None => println!("  missing  {header:8}  without it: {cost}"),
        }
    }
    if is_missing {
        println!("something that is needed is missing");
        return Status::BadInput;
    }
    println!("everything that is needed is here");
    Status::Decided
}
