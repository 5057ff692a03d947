//! The papers' Java programs: everything feasible is covered, everything else is proved or reported.
//!
//! What is asserted is what the papers say about their programs, or what running all small inputs shows.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_coverage::{criterion, reach};
use glassbox_explore::facts::facts_of;
use glassbox_interp::{Machine, Options};
use glassbox_jvm_front::{ClassPath, Selection, translate};
use glassbox_libc::JavaLibrary;
use glassbox_testkit::java::Jdk;
use glassbox_testkit::{Tool, command::glassbox, require};
use serde_json::Value;

const CRITERIA: &[&str] = &["instruction", "branch", "def-use"];

fn paper(name: &str) -> PathBuf {
    glassbox_testkit::root().join("corpus/java/papers").join(name)
}

fn run_gen(paths: &[&Path], more: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let output = glassbox()
        .arg("gen")
        .args(paths)
        .args(more)
        .arg("--out")
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    let text = fs::read_to_string(folder.path().join("suite.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(&text).expect("it is JSON")
}

/// The suite of a paper's file with the goals of all three criteria; the interpreter confirms.
fn suite_of(file: &str, more: &[&str]) -> Value {
    let mut args = vec!["--no-exec"];
    args.extend(CRITERIA.iter().flat_map(|name| ["--criterion", name]));
    args.extend_from_slice(more);
    run_gen(&[&paper(file)], &args)
}

/// Goals of the functions whose name contains `function`, of this criterion and verdict.
fn goals<'a>(suite: &'a Value, function: &str, criterion: &str, verdict: &str) -> Vec<&'a Value> {
    let functions = suite["functions"].as_array().expect("a list").iter();
    let own = functions.filter(|f| f["name"].as_str().is_some_and(|name| name.contains(function)));
    let goals = own.flat_map(|function| function["goals"].as_array().into_iter().flatten());
    let is_it = |goal: &&Value| {
        let id = goal["id"].as_str().unwrap_or_default();
        id.contains(&format!("/{criterion}")) && goal["verdict"].as_str() == Some(verdict)
    };
    goals.filter(is_it).collect()
}

fn ids(goals: &[&Value]) -> Vec<String> {
    goals.iter().map(|goal| goal["id"].to_string()).collect()
}

#[test]
fn tree_map_of_the_jdk_is_covered_instruction_by_instruction() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    // As many instructions as JAUT counted.
    let methods = [
        ("rotateLeft", 48),
        ("deleteEntry", 124),
        ("fixAfterDeletion", 175),
        ("fixAfterInsertion", 127),
    ];
    for (method, n_instructions) in methods {
        let args = ["--class", "java.util.TreeMap", "--method", method, "--criterion"];
        let mut args = [&args[..], &["instruction", "--timeout", "60"]].concat();
        // One of them goes to the JVM, which costs more than the search.
        if method != "deleteEntry" {
            args.push("--no-exec");
        }
        let suite = run_gen(&[], &args);
        let covered = goals(&suite, method, "instruction", "covered");
        assert_eq!(covered.len(), n_instructions, "{method}: {suite:#}");
    }
}

#[test]
fn gcd_of_doubles_has_one_chain_that_only_endless_runs_pass() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let suite = suite_of("GlassTT.java", &["--method", "gcd", "--timeout", "4"]);
    assert_eq!(goals(&suite, "gcd", "def-use", "covered").len(), 17, "{suite:#}");
    let unknown = goals(&suite, "gcd", "", "unknown");
    let [endless] = unknown.as_slice() else { panic!("{unknown:?}") };
    let text = endless["reason"]["text"].as_str().unwrap_or_default();
    assert!(text.contains("do not end"), "{text}");
    // The remainder that a turn leaves is used by the next remainder without a swap between: b is negative.
    let lines = fs::read_to_string(paper("GlassTT.java")).expect("it can be read");
    let line = 1 + lines.lines().position(|line| line.trim() == "a = a % b;").expect("it is there");
    let id = endless["id"].as_str().unwrap_or_default();
    assert!(id.contains(&format!("/def-use/{line}:")), "{id}");
    assert!(id.contains(&format!("/a@{line}:")), "{id}");
}

#[test]
fn algorithms_of_glasstt() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let methods = [
        "ackermann",
        "binarySearch",
        "bubbleSort",
        "bresenham",
        "factorial",
        "gaussianElimination",
        "histogram",
        "dijkstra",
        "logarithm",
        "matrixMultiplication",
        "mcCarthy",
        "patternMatching",
        "sine",
        "stoogeSort",
    ];
    let mut args: Vec<&str> = methods.iter().flat_map(|method| ["--method", method]).collect();
    args.extend(["--timeout", "120"]);
    let suite = suite_of("GlassTT.java", &args);
    // That a node is always found needs more paths than anyone follows.
    let mut unknown = ids(&goals(&suite, "", "", "unknown"));
    unknown.retain(|id| !id.contains("dijkstra([[B)I/def-use/"));
    assert_eq!(unknown, [""; 0]);
    for method in methods {
        // Nothing in them is dead.
        let covered = goals(&suite, method, "branch", "covered").len();
        let open = goals(&suite, method, "branch", "infeasible").len();
        assert!(covered > 0 && open == 0, "{method}: {covered} {open}");
    }
    assert_contradicted_by_no_run("GlassTT.java", &suite, -3..=6);
}

#[test]
fn newton_needs_more_than_the_solver_decides() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    // 169 is found or not, the iteration converges in 20 steps or not: never a wrong proof.
    let suite = suite_of("GlassTT.java", &["--method", "squareRoot", "--timeout", "4"]);
    assert!(goals(&suite, "squareRoot", "", "covered").len() >= 70, "{suite:#}");
    let root = goals(&suite, "squareRoot", "branch", "infeasible");
    assert!(root.iter().all(|goal| goal["text"] != "r == 13.0 is true"), "{root:?}");
}

#[test]
fn programs_of_jaut() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let classes = ["Jaut", "Jaut$Coord", "Jaut$DoublyLinkedList", "Jaut$DoublyLinkedList$Link"];
    let mut args: Vec<&str> = classes.iter().flat_map(|class| ["--class", class]).collect();
    let methods = ["moveY", "foo", "trityp", "pop", "add", "remove", "insertBefore"];
    args.extend(methods.iter().flat_map(|method| ["--method", method]));
    args.extend(["--timeout", "60"]);
    let suite = suite_of("Jaut.java", &args);
    assert_eq!(ids(&goals(&suite, "", "", "unknown")), [""; 0]);
    // As many instructions as JAUT counted.
    assert_eq!(goals(&suite, "trityp", "instruction", "covered").len(), 89);
    assert_eq!(goals(&suite, "foo", "instruction", "covered").len(), 15);
    assert_eq!(ids(&goals(&suite, "", "instruction", "infeasible")), [""; 0]);
    assert_eq!(ids(&goals(&suite, "", "branch", "infeasible")), [""; 0]);
    assert_contradicted_by_no_run("Jaut.java", &suite, -2..=9);
}

#[test]
fn josephus_on_a_list() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let suite =
        suite_of("Jaut.java", &["--class", "Jaut", "--method", "josephus", "--timeout", "4"]);
    assert_eq!(goals(&suite, "josephus(", "instruction", "covered").len(), 51, "{suite:#}");
    assert_eq!(ids(&goals(&suite, "josephus(", "branch", "unknown")), [""; 0]);
    // With 41 people, 31 survives.
    let args =
        ["--class", "Jaut", "--method", "josephusGoal", "--criterion", "branch", "--timeout"];
    let args = [&args[..], &["60", "--no-exec"]].concat();
    let goal = run_gen(&[&paper("Jaut.java")], &args);
    assert_eq!(ids(&goals(&goal, "", "", "unknown")), [""; 0]);
    assert_eq!(goals(&goal, "", "branch", "covered").len(), 10);
    assert_contradicted_by_no_run("Jaut.java", &suite, 0..=6);
}

#[test]
fn programs_of_jtestcraft() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let args = ["--class", "JTestCraft", "--timeout", "60"];
    let suite = suite_of("JTestCraft.java", &args);
    assert_eq!(ids(&goals(&suite, "", "", "unknown")), [""; 0]);
    for verdict in ["infeasible", "infeasible-within"] {
        assert_eq!(ids(&goals(&suite, "", "instruction", verdict)), [""; 0]);
        assert_eq!(ids(&goals(&suite, "", "branch", verdict)), [""; 0]);
    }
    assert_contradicted_by_no_run("JTestCraft.java", &suite, -1..=200);
}

/// Runs static methods of ints on all arguments of a range, and looks for goals that are said to be out of
/// reach.
fn assert_contradicted_by_no_run(file: &str, suite: &Value, range: std::ops::RangeInclusive<i32>) {
    let infeasible: BTreeSet<String> = ["infeasible", "infeasible-within"]
        .iter()
        .flat_map(|verdict| goals(suite, "", "", verdict))
        .filter_map(|goal| goal["id"].as_str().map(str::to_owned))
        .collect();
    if infeasible.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Some(jdk) = Jdk::find() else { return };
    jdk.compile(&[], &[paper(file)], folder.path());
    let paths = [folder.path().to_owned()];
    let class_path = ClassPath::new(&paths, &[], Some(&jdk.home)).expect("there is a JDK");
    let java = translate(class_path, &Selection::default(), Default::default());
    let java = java.expect("it can be translated");
    let program = &java.program;
    for &function in &java.entries {
        let all: Vec<_> = CRITERIA
            .iter()
            .filter_map(|name| criterion::by_name(name))
            .flat_map(|criterion| criterion.goals(program, function))
            .filter(|goal| infeasible.contains(&goal.id))
            .collect();
        let params = &program.function(function).params;
        let is_int = |param: &glassbox_ir::Param| param.ty == glassbox_ir::Ty::I32;
        if all.is_empty() || !params.iter().all(is_int) {
            continue;
        }
        let n_values = range.end() - range.start() + 1;
        // Wide ranges are for few parameters.
        let n_values = if params.len() > 2 { n_values.min(12) } else { n_values };
        let n_values = usize::try_from(n_values).expect("a range");
        let options =
            Options { max_steps: 20_000, coverage: true, trace: true, ..Options::default() };
        let machine = Machine::new(program, options, Box::new(JavaLibrary::new()));
        let mut machine = machine.expect("it fits");
        for number in 0..n_values.pow(u32::try_from(params.len()).expect("few")) {
            let mut rest = number;
            let args: Vec<u128> = (0..params.len())
                .map(|_| {
                    let value = range.start() + i32::try_from(rest % n_values).expect("small");
                    rest /= n_values;
                    u128::from(value.cast_unsigned())
                })
                .collect();
            machine.reset();
            let outcome = machine.run(function, &args);
            let facts = facts_of(program, function, machine.coverage(), &outcome);
            for goal in &all {
                let is_reached = reach::is_reached_by(&goal.target, &facts);
                assert!(!is_reached, "{} is reached by {args:?}", goal.id);
            }
        }
    }
}
