//! Verdicts about random functions against all their inputs:
//! `truth [java] [--text] [--budget=0.2cpu] FIRST COUNT`.
//!
//! With `--text` the functions are printed instead. The same number is the same function in every run.

#![allow(clippy::print_stdout, clippy::exit, reason = "a command")]

use glassbox_testkit::enumerated::{Asked, c_campaign, java_campaign, print_c, print_java};
use glassbox_testkit::java::Jdk;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [first, count] = numbers[..] else {
        println!("usage: truth [java] [--text] [--budget=0.2cpu] FIRST COUNT");
        std::process::exit(2);
    };
    if has("--text") {
        let print = if has("java") { print_java } else { print_c };
        println!("{}", print(first, count));
        return;
    }
    let mut asked = Asked::new(first, count);
    if let Some(budget) = words.iter().find_map(|word| word.strip_prefix("--budget=")) {
        budget.clone_into(&mut asked.budget);
    }
    let mut tell = |complaint: &str| println!("{complaint}");
    let tally = if has("java") {
        let Some(jdk) = Jdk::find() else { return };
        java_campaign(&jdk, &asked, &mut tell)
    } else {
        c_campaign(&asked, &mut tell)
    };
    println!("{tally}");
    if !tally.complaints.is_empty() {
        std::process::exit(1);
    }
}
