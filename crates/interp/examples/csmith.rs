//! csmith programs against gcc: `csmith FIRST COUNT [MAX_STEPS]`. Prints every seed that is not the same
//! and the counts; fails if there is a mismatch, a refusal or a panic.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command line tool")]

#[path = "../tests/c/mod.rs"]
mod c;
#[path = "../tests/c/csmith.rs"]
mod csmith;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use csmith::Verdict;

fn main() -> ExitCode {
    let numbers: Vec<u64> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let (first, count) = match numbers.as_slice() {
        [first, count, ..] => (*first, *count),
        _ => {
            println!("usage: csmith FIRST COUNT [MAX_STEPS]");
            return ExitCode::from(2);
        }
    };
    let max_steps = numbers.get(2).copied().unwrap_or(20_000_000_000);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut n_steps = 0;
    for seed in first..first + count {
        let work =
            || csmith::compare(seed, &[], directory.path(), Duration::from_secs(5), max_steps);
        let name = match std::panic::catch_unwind(work) {
            Ok(Ok(Verdict::Same { steps })) => {
                n_steps += steps;
                "same"
            }
            Ok(Ok(Verdict::Skipped)) => "skipped",
            Ok(Ok(Verdict::OutOfSteps)) => report(seed, "out of steps", ""),
            Ok(Ok(Verdict::GccDiffers(what))) => report(seed, "gcc differs with itself", &what),
            Ok(Ok(Verdict::Mismatch(what))) => report(seed, "mismatch", &what),
            Ok(Ok(Verdict::Stopped(what))) => report(seed, "stopped", &what),
            Ok(Ok(Verdict::Refused(what))) => report(seed, "refused", &what),
            Ok(Err(what)) => report(seed, "not tried", &what),
            Err(_) => report(seed, "panic", ""),
        };
        *counts.entry(name).or_default() += 1;
        for entry in std::fs::read_dir(directory.path()).into_iter().flatten().flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    println!("{counts:?}, {n_steps} steps");
    let bad = ["mismatch", "stopped", "refused", "panic", "not tried"];
    if bad.iter().any(|name| counts.contains_key(name)) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn report(seed: u64, name: &'static str, what: &str) -> &'static str {
    println!("seed {seed}: {name}: {what}");
    name
}
