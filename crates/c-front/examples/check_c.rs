//! Preprocesses and checks C files as one program, prints diagnostics and times.
//!
//! `cargo run --release -p glassbox-c-front --example check_c -- FILE.c... [-- FLAGS]`

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command for people")]

use std::path::Path;
use std::time::Instant;

use glassbox_c_front::diagnostics::render::{Color, render};
use glassbox_c_front::front::Front;
use glassbox_c_front::preprocess::{Preprocessor, read_original};

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let split = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let (files, flags) = arguments.split_at(split);
    let preprocessor =
        Preprocessor { flags: flags.iter().skip(1).cloned().collect(), ..Preprocessor::default() };
    let mut front = Front::new();
    let mut bytes = 0;
    let mut seconds = 0.0;
    for file in files {
        match preprocessor.run(Path::new(file)) {
            Ok(text) => {
                bytes += text.len();
                let start = Instant::now();
                front.add_unit(file, text, &mut |name| read_original(None, name));
                seconds += start.elapsed().as_secs_f64();
            }
            Err(problems) => problems.into_iter().for_each(|p| front.add_diagnostic(p)),
        }
    }
    let checked = front.finish();
    for diagnostic in &checked.diagnostics {
        print!("{}", render(diagnostic, &checked.sources, Color::Plain));
    }
    eprintln!(
        "{} functions, {} variables, {bytes} bytes checked in {seconds:.3} s",
        checked.program.functions.len(),
        checked.program.variables.len()
    );
    if checked.has_errors() {
        std::process::ExitCode::from(2)
    } else {
        std::process::ExitCode::SUCCESS
    }
}
