//! Asks the prover about the assertions of C files: `proofs [--function F] [-DX] FILE...`.
//!
//! Prints one line per assertion: how it was proved, or why not, and the time. With `--overflow wrap` signed
//! overflow wraps.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command")]

use std::path::PathBuf;
use std::time::Instant;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_ir::{Check, CheckKind, InstrKind, OverflowMode, Program, overflow};
use glassbox_prove::{Answer, Options, Place, Prover, Question};

fn read(path: &std::path::Path, flags: &[String]) -> Option<Program> {
    let mut front = Front::new();
    let preprocessor = Preprocessor { flags: flags.to_vec(), ..Preprocessor::default() };
    let text = preprocessor.run(path).ok()?;
    front.add_unit(&path.display().to_string(), text, &mut |name| read_original(None, name));
    compile(front, Promotion::Promote).program
}

fn main() {
    let (mut flags, mut paths, mut name, mut options) =
        (Vec::new(), Vec::new(), "f".to_owned(), Options::default());
    let mut mode = OverflowMode::Report;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--function" => name = arguments.next().unwrap_or_default(),
            "--wrap" => mode = OverflowMode::Wrap,
            "--reject" => mode = OverflowMode::Reject,
            "--no-linear" => options.linear = false,
            "--no-probing" => options.probing = false,
            "--no-summaries" => options.summaries = false,
            "--no-induction" => options.induction = false,
            "--no-whole-function" => options.whole_function = false,
            "--no-call-summaries" => options.call_summaries = false,
            flag if flag.starts_with('-') => flags.push(flag.to_owned()),
            path => paths.push(PathBuf::from(path)),
        }
    }
    let (mut n_proved, mut n_all) = (0, 0);
    for path in &paths {
        let Some(mut program) = read(path, &flags) else {
            println!("{}: does not compile", path.display());
            continue;
        };
        overflow::apply(&mut program, mode);
        let Some(function) = program.function_named(&name) else { continue };
        let start = Instant::now();
        let mut prover = Prover::new(&program, function, options.clone());
        for place in assertions(&program) {
            let answer = prover.decide(&Question::CheckFails(place));
            let text = match &answer {
                Answer::Impossible(proof) if proof.bounds.is_empty() => {
                    n_proved += 1;
                    format!("holds ({})", proof.method)
                }
                Answer::Impossible(proof) => {
                    format!("holds within {:?} ({})", proof.bounds, proof.method)
                }
                Answer::Possible(hint) => format!("may fail ({:?})", hint.inputs),
                Answer::Unknown(reason) => format!("unknown: {reason}"),
            };
            n_all += 1;
            println!("{:40} {text}  {:.1} ms", path.display(), start.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!("{n_proved} of {n_all}");
}

fn assertions(program: &Program) -> Vec<Place> {
    let mut places = Vec::new();
    for function in program.function_ids() {
        let Some(body) = &program.function(function).body else { continue };
        for block in body.block_ids() {
            for (instr, at) in body.block(block).instrs.iter().zip(0..) {
                if let InstrKind::Check(Check::Condition { kind: CheckKind::Assertion, .. }) =
                    instr.kind
                {
                    places.push(Place { function, block, instr: at });
                }
            }
        }
    }
    places
}
