//! The papers' Java programs, method by method: goals, verdicts, seconds, next to what the papers and other tools
//! say.
//!
//! JAUT's and Pex's numbers are from JAUT's paper (ISSRE 2010: instruction coverage and seconds on a 2.16 GHz Pentium;
//! Pex ran the same code on .NET). JBMC 6.3.1's were measured once on similar versions of the programs: branches
//! reached of those there and CPU seconds, at most 30 a method on a busy two-core machine. GlassTT's paper says of its
//! sixteen algorithms: complete def-use sets in a few seconds. Arguments choose methods by name.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// (source or nothing for the JDK, class, method, what others say)
const METHODS: &[(&str, &str, &str, &str)] = &[
    ("GlassTT", "GlassTT", "ackermann", "JBMC 8/8 (1.8)"),
    ("GlassTT", "GlassTT", "binarySearch", "JBMC 6/6 (0.5)"),
    ("GlassTT", "GlassTT", "bubbleSort", "JBMC 8/8 (1.5)"),
    ("GlassTT", "GlassTT", "bresenham", "JBMC 28/28 (0.8)"),
    ("GlassTT", "GlassTT", "factorial", "JBMC 4/4 (0.3)"),
    ("GlassTT", "GlassTT", "gaussianElimination", "JBMC 0/24 (29.5)"),
    ("GlassTT", "GlassTT", "gcd", "GlassTT 17 of 18 chains; JBMC 4/4 (2.8)"),
    ("GlassTT", "GlassTT", "histogram", "JBMC 12/12 (1.4)"),
    ("GlassTT", "GlassTT", "dijkstra", "JBMC 0/32 (30.2)"),
    ("GlassTT", "GlassTT", "logarithm", "JBMC 8/8 (1.6)"),
    ("GlassTT", "GlassTT", "matrixMultiplication", "JBMC 0/12 (29.6)"),
    ("GlassTT", "GlassTT", "mcCarthy", "JBMC 2/2 (0.3)"),
    ("GlassTT", "GlassTT", "patternMatching", "JBMC 8/8 (2.8)"),
    ("GlassTT", "GlassTT", "sine", "JBMC 8/8 (4.2)"),
    ("GlassTT", "GlassTT", "squareRoot", "JBMC 9/10 (23.6)"),
    ("GlassTT", "GlassTT", "stoogeSort", "JBMC 5/6 (22.3)"),
    ("Jaut", "Jaut$Coord", "moveY", "JBMC 6/6 (0.4)"),
    ("Jaut", "Jaut", "foo", "JAUT 100 % (0.17), Pex 66 % (4.51), JBMC 4/4 (1.9)"),
    ("Jaut", "Jaut", "trityp", "JAUT 100 % (3132), Pex 100 % (4.17), JBMC 34/34 (1.0)"),
    ("Jaut", "Jaut", "josephus", "JAUT 100 % (0.36), Pex 100 % (8.07)"),
    ("Jaut", "Jaut", "josephusGoal", "JAUT 60 % (3600), Pex 100 % (8.41), JBMC 7/10 (30.4)"),
    ("Jaut", "Jaut$DoublyLinkedList$Link", "insertBefore", "JAUT 100 % (0.20), Pex 100 % (4.03)"),
    ("Jaut", "Jaut$DoublyLinkedList", "pop", "JAUT 100 % (0.13), Pex 100 % (0.59)"),
    ("Jaut", "Jaut$DoublyLinkedList", "add", "JAUT 100 % (0.14), Pex 100 % (6.09)"),
    ("Jaut", "Jaut$DoublyLinkedList", "remove", "JAUT 100 % (0.16), Pex 100 % (0.69)"),
    ("", "java.util.TreeMap", "rotateLeft", "JAUT 100 % (0.23), Pex 88.9 % (0.65)"),
    ("", "java.util.TreeMap", "deleteEntry", "JAUT 100 % (1.44), Pex 78.6 % (56)"),
    ("", "java.util.TreeMap", "fixAfterDeletion", "JAUT 100 % (7.78), Pex 81.9 % (92)"),
    ("", "java.util.TreeMap", "fixAfterInsertion", "JAUT 100 % (22.18), Pex 44.4 % (120)"),
    ("JTestCraft", "JTestCraft", "bmi", "JBMC 10/12 (2.3)"),
    ("JTestCraft", "JTestCraft", "clamp", "JBMC 4/4 (0.2)"),
    ("JTestCraft", "JTestCraft", "lookup", "JBMC 2/2 (0.2)"),
];

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java/papers");
    let classes = tempfile::tempdir().expect("a folder");
    for source in ["GlassTT", "Jaut", "JTestCraft"] {
        let file = root.join(format!("{source}.java"));
        let compiled =
            Command::new("javac").args(["-g", "-d"]).arg(classes.path()).arg(file).status();
        assert!(compiled.is_ok_and(|status| status.success()), "javac should compile the corpus");
    }
    println!(
        "{:<22}{:>16}{:>12}{:>12}{:>12}{:>8}{:>8}   others (s)",
        "method", "instructions", "branches", "def-uses", "infeasible", "unknown", "seconds"
    );
    for (source, class, method, others) in METHODS {
        if !only.is_empty() && !only.iter().any(|wanted| wanted == method) {
            continue;
        }
        let start = Instant::now();
        let path = (!source.is_empty()).then(|| classes.path());
        let goals = generate(path, class, method);
        let seconds = start.elapsed().as_secs_f64();
        let count = |criterion: &str, verdict: &str| {
            let is_it = |goal: &&Value| {
                let id = goal["id"].as_str().unwrap_or_default();
                let printed = goal["verdict"].as_str().unwrap_or_default();
                id.contains(&format!("/{criterion}")) && printed.starts_with(verdict)
            };
            goals.iter().filter(is_it).count()
        };
        let of = |criterion: &str| {
            format!("{} of {}", count(criterion, "covered"), count(criterion, ""))
        };
        println!(
            "{method:<22}{:>16}{:>12}{:>12}{:>12}{:>8}{seconds:>8.2}   {others}",
            of("instruction/"),
            of("branch/"),
            of("def-use/"),
            count("", "infeasible"),
            count("", "unknown"),
        );
    }
}

/// The goals of `gen`, tests confirmed on the JVM.
fn generate(path: Option<&Path>, class: &str, method: &str) -> Vec<Value> {
    // Examples are built into a folder beside the command.
    let own = std::env::current_exe().expect("this program has a path");
    let command = own.parent().and_then(Path::parent).expect("a target folder").join("glassbox");
    let out = tempfile::tempdir().expect("a folder");
    let output = Command::new(command)
        .arg("gen")
        .args(path)
        .args(["--class", class, "--method", method, "--criterion", "instruction", "--criterion"])
        .args(["branch", "--criterion", "def-use", "--json", "--out"])
        .arg(out.path())
        .output()
        .expect("the command is built: cargo build --release");
    drop(output);
    let text = std::fs::read_to_string(out.path().join("suite.json")).unwrap_or_default();
    let suite: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let functions = suite["functions"].as_array().cloned().unwrap_or_default();
    functions
        .iter()
        .filter_map(|function| function["goals"].as_array())
        .flatten()
        .cloned()
        .collect()
}
