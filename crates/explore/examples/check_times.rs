//! Times of the properties in `corpus/check`, as in the literature: ten of TCAS, `foo`, `divide`, `tritype`,
//! `product`. Prints; asserts nothing about time.
//!
//! `cargo run --release -p glassbox-explore --example check_times`

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_coverage::scope::scope;
use glassbox_coverage::{Asked, Properties};
use glassbox_explore::{Budget, Check, Question};
use glassbox_ir::{OverflowMode, Program, overflow};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

/// (file, functions, turns of loops)
const TASKS: &[(&str, &[&str], u32)] = &[
    (
        "tcas_properties.c",
        &["P1a", "P1b", "P2a", "P2b", "P3a", "P3b", "P4a", "P4b", "P5a", "P5b"],
        32,
    ),
    ("foo.c", &["foo", "foo_wide"], 32),
    ("divide.c", &["divide_printed", "divide_fixed"], 4),
    ("tritype.c", &["no_triangle", "equilateral"], 32),
    ("product.c", &["product"], 32),
];

fn read(file: &str, mode: OverflowMode) -> Option<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/check");
    let mut front = Front::new();
    front.add_file(&folder.join(file), &Preprocessor::default());
    let mut program = compile(front, Promotion::Promote).program?;
    overflow::apply(&mut program, mode);
    Some(program)
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Violated { .. } => "violated".to_owned(),
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::HoldsWithin { bounds } => {
            let words: Vec<String> = bounds.iter().map(ToString::to_string).collect();
            format!("holds within {}", words.join(", "))
        }
        Verdict::Covered { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Unknown(_) => format!("{verdict:?}"),
    }
}

fn main() {
    for mode in [OverflowMode::Reject, OverflowMode::Wrap] {
        println!("signed overflow: {}", mode.name());
        for (file, functions, max_turns) in TASKS {
            let Some(program) = read(file, mode) else {
                println!("  {file}: does not compile");
                continue;
            };
            let start = Instant::now();
            let mut lines = Vec::new();
            for function in *functions {
                let Some(entry) = program.function_named(function) else { continue };
                let mut properties = Properties::of(&program, &scope(&program, entry, &[]));
                properties.ask(&program, &Asked::Assertions);
                let begin = Instant::now();
                let question = Question {
                    program: &program,
                    entry,
                    properties,
                    config: &Config::default(),
                    budget: &Budget::default(),
                    max_turns: *max_turns,
                };
                let stop = AtomicBool::new(false);
                let mut check = Check::new(question, Box::new(Libc::new()), &stop);
                let mut found = check.search();
                if check.weigh_errors(&found) {
                    check.search_errors();
                }
                check.name_errors(&mut found);
                let verdicts: Vec<String> = found.verdicts.iter().map(name).collect();
                let seconds = begin.elapsed().as_secs_f64();
                lines.push(format!("    {function:15} {seconds:8.3} s  {}", verdicts.join("; ")));
            }
            println!("  {file}: {:.3} s", start.elapsed().as_secs_f64());
            lines.iter().for_each(|line| println!("{line}"));
        }
    }
}
