//! Mutates C files and compiles what the checker lets pass: `fuzz_lower SEED COUNT FILE.c...`.
//!
//! Stops with the program at the first panic or verifier error.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command line tool")]

#[path = "../tests/mutation/mod.rs"]
mod mutation;

use std::path::Path;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_ir::verify::verify_program;
use glassbox_testkit::Random;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|word| word.parse().ok()).unwrap_or(1_usize);
    let (seed, count) = (number(), number());
    let mut random = Random::new(seed as u64);
    let (mut n_tried, mut n_accepted) = (0, 0);
    for path in arguments {
        let Ok(text) = Preprocessor::default().run(Path::new(&path)) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let all = mutation::pieces(&text);
        for _ in 0..count {
            n_tried += 1;
            let mutant = mutation::mutant(&all, &mut random);
            let _ = std::fs::write("/tmp/fuzz_lower_last.c", &mutant);
            let mut front = Front::new();
            front.add_unit(&path, mutant.into_bytes(), &mut |_| None);
            let Some(program) = compile(front, Promotion::Promote).program else { continue };
            n_accepted += 1;
            let errors = verify_program(&program);
            assert!(errors.is_empty(), "{path}: {}; see /tmp/fuzz_lower_last.c", errors[0]);
        }
    }
    println!("{n_tried} programs tried, {n_accepted} accepted and lowered, all well-formed");
}
