//! The papers' programs, function by function: goals, verdicts, seconds, next to what other tools reached.
//!
//! The numbers of KLEE 3.3 (with Z3) and CBMC 6.3.1 (`--cover mcdc`, unwinding 2 to 50) were measured once on
//! similar versions of the programs, with 20 s of CPU per function on a two-core machine: branch outcomes +
//! MC/DC conditions reached, and CPU seconds. Neither proves what it did not reach once a loop was cut.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// (function, outcomes and conditions there, KLEE, CBMC)
const OTHERS: &[(&str, &str, &str, &str)] = &[
    ("ackermann", "14+4", "11+1 (0.2)", "13+4 (20.1)"),
    ("bresenham", "18+6", "15+4 (10.7)", "17+6 (2.0)"),
    ("bsearch10", "10+2", "10+2 (0.4)", "10+2 (3.3)"),
    ("bubble_sort", "10+0", "9+0 (2.7)", "9+0 (0.6)"),
    ("dijkstra", "30+9", "27+7 (26.1)", "30+9 (4.6)"),
    ("divide", "22+10", "18+6 (0.8)", "22+10 (0.4)"),
    ("euclide_foo", "16+4", "12+1 (0.7)", "15+4 (0.2)"),
    ("factorial_goal", "12+4", "10+1 (0.3)", "11+2 (0.5)"),
    ("foo1_double", "4+0", "1+0 (0.1)", "4+0 (0.1)"),
    ("foo1_float", "4+0", "1+0 (0.1)", "4+0 (0.1)"),
    ("foo2_double", "4+0", "2+0 (0.2)", "4+0 (0.1)"),
    ("foo2_float", "4+0", "2+0 (0.2)", "3+0 (0.1)"),
    ("goldberg1_double", "6+3", "1+0 (0.1)", "5+2 (0.2)"),
    ("goldberg1_float", "6+3", "1+0 (0.1)", "5+2 (0.1)"),
    ("goldberg2_double", "4+0", "2+0 (0.2)", "4+0 (0.2)"),
    ("goldberg2_float", "4+0", "2+0 (0.1)", "4+0 (0.1)"),
    ("howden_double", "4+0", "1+0 (0.1)", "3+0 (0.3)"),
    ("howden_float", "4+0", "1+0 (0.1)", "3+0 (0.1)"),
    ("power_double", "20+7", "6+0 (0.1)", "15+1 (20.1)"),
    ("power_float", "20+7", "6+0 (0.1)", "19+5 (10.8)"),
    ("gaussian_elimination", "24+4", "9+1 (0.1)", "21+3 (16.2)"),
    ("gcd", "14+4", "11+1 (16.3)", "14+4 (14.7)"),
    ("histogram", "18+5", "15+2 (18.7)", "18+5 (1.1)"),
    ("foo", "8+0", "8+0 (0.2)", "8+0 (0.1)"),
    ("while_fragment", "6+0", "6+0 (0.1)", "6+0 (0.4)"),
    ("jos97", "4+0", "4+0 (20.2)", "4+0 (0.7)"),
    ("josephus", "6+0", "6+0 (21.2)", "6+0 (20.0)"),
    ("lh98", "8+2", "7+1 (0.1)", "8+2 (0.1)"),
    ("matrix_multiplication", "20+6", "20+6 (8.5)", "8+0 (20.0)"),
    ("mccarthy", "12+2", "10+1 (16.4)", "11+2 (20.3)"),
    ("square_root", "16+4", "2+0 (0.1)", "0+0 (20.0)"),
    ("pattern_matching", "16+6", "16+6 (9.7)", "16+6 (1.9)"),
    ("product", "28+12", "18+2 (26.0)", "28+12 (0.3)"),
    ("f", "4+0", "4+0 (0.2)", "4+0 (0.1)"),
    ("foo_pointer", "8+2", "7+1 (0.2)", "8+2 (0.1)"),
    ("aliasing", "10+2", "10+2 (0.3)", "10+2 (0.1)"),
    ("sample10", "12+0", "12+0 (20.6)", "12+0 (0.7)"),
    ("sample3", "18+3", "18+3 (2.5)", "18+3 (20.0)"),
    ("logarithm", "18+6", "1+0 (0.1)", "15+4 (18.3)"),
    ("stooge_sort", "8+0", "8+0 (1.3)", "8+0 (1.4)"),
    ("sine", "16+7", "6+0 (0.1)", "11+4 (19.3)"),
    ("alt_sep_test", "64+27 (all of tcas)", "53+15 (0.3)", "59+19 (0.3)"),
    ("trityp", "34+12", "32+10 (0.3)", "34+12 (0.1)"),
    ("trityp_alias", "40+14", "37+11 (0.3)", "39+13 (0.1)"),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let only: Vec<String> = std::env::args().skip(1).collect();
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("corpus/c/papers"))
        .expect("the corpus")
        .flatten()
        .map(|entry| entry.path())
        .chain([root.join("examples/tcas.c"), root.join("examples/triangle.c")])
        .collect();
    files.sort();
    println!(
        "{:<24}{:>7}{:>9}{:>12}{:>8}{:>9}{:>9}   others: of, KLEE (s), CBMC (s)",
        "function", "goals", "covered", "infeasible", "within", "unknown", "seconds"
    );
    let mut totals = [0u64; 5];
    let mut total_seconds = 0.0;
    for file in files {
        for function in functions(&file) {
            if !only.is_empty() && !only.contains(&function) {
                continue;
            }
            let start = Instant::now();
            let suite = generate(&file, &["--function", &function]);
            let seconds = start.elapsed().as_secs_f64();
            let counts = counts(&suite);
            for (total, count) in totals.iter_mut().zip(counts) {
                *total += count;
            }
            total_seconds += seconds;
            row(&function, counts, seconds);
        }
    }
    row("all", totals, total_seconds);
}

fn row(function: &str, [goals, covered, infeasible, within, unknown]: [u64; 5], seconds: f64) {
    let others = OTHERS.iter().find(|other| other.0 == function);
    let others =
        others.map_or(String::new(), |(_, of, klee, cbmc)| format!("{of}, {klee}, {cbmc}"));
    println!(
        "{function:<24}{goals:>7}{covered:>9}{infeasible:>12}{within:>8}{unknown:>9}{seconds:>9.2}   {others}"
    );
}

/// The suite of `gen` with branch and MC/DC goals, tests confirmed with gcc.
fn generate(file: &Path, args: &[&str]) -> Value {
    // Examples are built into a folder beside the command.
    let own = std::env::current_exe().expect("this program has a path");
    let command = own.parent().and_then(Path::parent).expect("a target folder").join("glassbox");
    let out = tempfile::tempdir().expect("a folder");
    let output = Command::new(command)
        .arg("gen")
        .arg(file)
        .args(["--criterion", "branch", "--criterion", "mcdc", "--jobs", "1", "--json", "--out"])
        .arg(out.path())
        .args(args)
        .output()
        .expect("the command is built: cargo build --release");
    // The summary on standard output need not be the suite.
    drop(output);
    let text = std::fs::read_to_string(out.path().join("suite.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

/// The functions of a file that have goals.
fn functions(file: &Path) -> Vec<String> {
    let suite = generate(file, &["--no-exec", "--max-paths", "0", "--timeout", "1"]);
    let functions = suite["functions"].as_array().cloned().unwrap_or_default();
    let with_goals = functions.iter().filter(|function| function["goals"] != Value::Array(vec![]));
    with_goals.filter_map(|function| function["name"].as_str().map(str::to_owned)).collect()
}

fn counts(suite: &Value) -> [u64; 5] {
    let functions = suite["functions"].as_array().cloned().unwrap_or_default();
    let goals: Vec<&Value> =
        functions.iter().filter_map(|function| function["goals"].as_array()).flatten().collect();
    let count =
        |verdict: &str| goals.iter().filter(|goal| goal["verdict"] == verdict).count() as u64;
    [
        goals.len() as u64,
        count("covered"),
        count("infeasible"),
        count("infeasible-within"),
        count("unknown"),
    ]
}
