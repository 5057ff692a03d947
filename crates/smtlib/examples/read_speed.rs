//! Reads scripts and says how long it took: files named on the command line, or generated ones of
//! about 10 MB. Usage: `cargo run --release -p glassbox-smtlib --example read_speed -- [FILE...]`.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

use std::time::Instant;

use glassbox_smtlib::Front;
use glassbox_terms::Terms;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        report("asserts", &many_asserts());
        report("nested lets", &nested_lets());
        report("nested nots", &nested_nots());
        report("one sum", &one_sum());
    }
    for file in files {
        match std::fs::read_to_string(&file) {
            Ok(text) => report(&file, &text),
            Err(error) => println!("{file}: {error}"),
        }
    }
}

fn report(name: &str, text: &str) {
    let start = Instant::now();
    let mut terms = Terms::new();
    let mut front = Front::new(text);
    let (mut n_commands, mut first_error) = (0, None);
    while let Some(command) = front.next_command(&mut terms) {
        n_commands += 1;
        if let Err(error) = command {
            first_error = first_error.or(Some(error));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = text.len() as f64 / 1e6;
    println!(
        "{name}: {megabytes:.1} MB, {n_commands} commands, {} terms, {seconds:.2} s",
        terms.len()
    );
    if let Some(error) = first_error {
        println!("  first error: {error}");
    }
}

fn many_asserts() -> String {
    let mut text = String::new();
    for var in 0..100 {
        text.push_str(&format!("(declare-const x{var} (_ BitVec 32))\n"));
    }
    for number in 0..150_000_u64 {
        let (a, b) = (number % 100, number * 7 % 97);
        text.push_str(&format!(
            "(assert (bvult (bvadd (bvmul x{a} #x{number:08x}) x{b}) (bvxor x{b} #x0000ffff)))\n"
        ));
    }
    text
}

fn nested_lets() -> String {
    let depth = 250_000;
    let mut text = String::from("(declare-const x0 (_ BitVec 32))\n(assert ");
    for level in 0..depth {
        text.push_str(&format!("(let ((x{} (bvmul x{level} x{level}))) ", level + 1));
    }
    text.push_str(&format!("(= x{depth} x0){})", ")".repeat(depth)));
    text
}

fn nested_nots() -> String {
    let depth = 1_600_000;
    format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(depth), ")".repeat(depth))
}

fn one_sum() -> String {
    format!("(declare-const x (_ BitVec 32))(assert (= x (bvadd {})))", "x ".repeat(5_000_000))
}
