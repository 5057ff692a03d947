//! `glassbox gen` when things go wrong: interrupts, a full disk, functions that misbehave.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use glassbox_testkit::suite::{gen_command, generate_for, goals_with, read_suite};

/// Functions that crash, never return, exit, fork, write and remove files, on some inputs.
const MISBEHAVING: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <unistd.h>
int crash(int x) { int *p = 0; if (x > 3) return *p; return x; }
int spin(int x) { while (x > 3) ; return x; }
int leave(int x) { if (x > 3) exit(2); return x; }
int split(int x) { if (x > 3) { if (fork() == 0) for (;;) ; } return x; }
int scribble(int x) {
  FILE *f;
  if (x > 3) { f = fopen("KEPT", "w"); if (f) { fputs("overwritten", f); fclose(f); } remove("KEPT"); }
  return x;
}
int fine(int x) { if (x > 3) return 1; return 0; }
"#;

#[test]
fn functions_that_misbehave_hurt_no_others() {
    let other = tempfile::tempdir().expect("a folder");
    let kept = other.path().join("kept");
    std::fs::write(&kept, "as it was").expect("a file");
    let source = MISBEHAVING.replace("KEPT", &kept.display().to_string());
    let (_folder, suite, output) = generate_for(&source, &["--timeout", "2"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    assert_eq!(std::fs::read_to_string(&kept).expect("still there"), "as it was");
    let functions = suite["functions"].as_array().expect("functions");
    assert_eq!(functions.len(), 6);
    let fine = functions.iter().find(|function| function["name"] == "fine").expect("listed");
    let goals = fine["goals"].as_array().expect("goals");
    assert!(goals.iter().all(|goal| goal["verdict"] == "covered"), "{goals:?}");
}

/// The first function is quick; the second has far more paths than anyone follows.
const SLOW: &str = "
int quick(int x) { if (x == 77) return 1; return 0; }
unsigned slow(unsigned x, unsigned y) {
  unsigned i, h = 17;
  for (i = 0; i < 60; i++) { if ((x >> (i % 31)) & 1) h = h * 31 + y; else h ^= y * y + i; if (h % 7 == y % 5) y += h; }
  if (h == 123456 && y == 654321 && x * x == 17 * y) return 1;
  return 0;
}
int late(int x) { if (x == 78) return 1; return 0; }
";

#[test]
fn an_interrupt_keeps_what_was_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.c");
    std::fs::write(&file, SLOW).expect("a file");
    let args = ["--jobs", "1", "--timeout", "100", "--max-paths", "1000000", "--no-exec"];
    let mut child = gen_command(&file, folder.path(), &args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    // The first function is done.
    assert!(said.any(|line| line.is_ok_and(|line| line.contains("quick"))));
    // `timeout` sends its signal twice, to the program and to the group that it is in.
    let (id, twice) = (child.id().to_string(), ["-TERM", "-TERM"]);
    for interrupt in twice.map(|signal| Command::new("kill").args([signal, &id]).status()) {
        assert!(interrupt.expect("kill is installed").success());
    }
    said.for_each(drop);
    // A search that did not notice would go on for a million paths and leave no unknown goal.
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), status.signal()), (Some(1), None));
    let suite = read_suite(folder.path());
    let functions = suite["functions"].as_array().expect("functions");
    let quick = functions[0]["goals"].as_array().expect("goals");
    assert!(quick.iter().all(|goal| goal["verdict"] == "covered"), "{quick:?}");
    // Nothing leaves the denominator.
    assert_eq!(functions.len(), 3);
    assert!(!goals_with(&suite, "unknown").is_empty());
    assert!(folder.path().join("tests/test_quick.c").exists());
}

/// The handlers of the first file's run must not take the first interrupt for a second one.
#[test]
fn an_interrupt_in_a_later_file_keeps_what_was_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = folder.path().join("src");
    std::fs::create_dir(&sources).expect("a folder");
    let quick = SLOW.split("unsigned slow").next().expect("text");
    std::fs::write(sources.join("a.c"), quick).expect("a file");
    std::fs::write(sources.join("b.c"), SLOW.replace("quick", "rapid")).expect("a file");
    let args = ["--jobs", "1", "--timeout", "100", "--max-paths", "1000000", "--no-exec"];
    let mut child = gen_command(&sources, folder.path(), &args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    // The second file is under way.
    assert!(said.any(|line| line.is_ok_and(|line| line.contains("rapid"))));
    let interrupt = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(interrupt.expect("kill is installed").success());
    said.for_each(drop);
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), status.signal()), (Some(1), None));
    let suite = read_suite(folder.path());
    let names: Vec<&str> = suite["functions"]
        .as_array()
        .expect("functions")
        .iter()
        .filter_map(|function| function["name"].as_str())
        .collect();
    assert_eq!(names, ["quick", "rapid", "slow", "late"]);
}

#[test]
fn a_full_disk_is_reported_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.c");
    std::fs::write(&file, SLOW.split("unsigned slow").next().expect("text")).expect("a file");
    // Writing to this device fails as on a full disk.
    std::os::unix::fs::symlink("/dev/full", folder.path().join("suite.json")).expect("a link");
    let output = gen_command(&file, folder.path(), &["--no-exec"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("suite.json") && printed.contains("No space left"), "{printed}");
    assert!(folder.path().join("tests/test_quick.c").exists());
}

/// One arm of the switch cannot be reached; gcov agrees with every line that is.
#[test]
fn statements_and_cases_are_confirmed_by_gcov() {
    let source = "\
int kind(int x)
{
    int y = 0;
    switch (x & 3) {
    case 0:
        y = 1;
        break;
    case 3:
        y = 2;
        break;
    case 5:
        y = 3;
        break;
    default:
        y = 4;
    }
    return y;
}
";
    let args = ["--criterion", "statement", "--criterion", "branch"];
    let (_folder, suite, output) = generate_for(source, &args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = |verdict: &str| -> Vec<u64> {
        let statements = goals_with(&suite, verdict);
        let statements = statements.iter().filter(|goal| goal["kind"] == "statement");
        statements.map(|goal| goal["line"].as_u64().expect("a line")).collect()
    };
    assert!([6, 9, 15, 17].iter().all(|line| lines("covered").contains(line)), "{suite:#}");
    assert!(lines("infeasible").contains(&12), "{suite:#}");
}

/// What one function takes is no reason to stop the others, before and behind it or beside it.
#[test]
fn a_function_that_takes_too_much_memory_costs_itself_only() {
    let source = "\
int small(int x) { if (x == 77) return 1; return 2; }
int eats(const unsigned char *s, int n)
{
    unsigned h = 7, g = 1;
    int c = 0;
    for (int i = 0; i < n && i < 40; i++) {
        h = (h ^ s[i]) * 16777619u;
        g = g * 31 + (h >> 5);
        if (h % 11 == g % 7) c++;
        if (s[i] == 'x' && c > 3) h += g;
    }
    if (h == 0x12345678u && g == 0x9abcdef0u) return 1;
    return c;
}
int other(int x) { if (x > 3) return 1; return 2; }
";
    for jobs in ["1", "3"] {
        let args = ["--memory", "3M", "--timeout", "120", "--no-exec", "--jobs", jobs];
        let (_folder, suite, output) = generate_for(source, &args);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let unknown = goals_with(&suite, "unknown");
        assert!(!unknown.is_empty());
        for goal in unknown {
            let reason = goal["reason"]["text"].as_str().expect("a reason");
            assert!(reason.contains("the memory limit"), "{goal:#}");
            assert!(goal["id"].as_str().is_some_and(|id| id.starts_with("eats/")), "{goal:#}");
        }
    }
    let (_folder, suite, output) = generate_for(source, &["--no-exec", "--memory", "2T"]);
    assert_eq!((output.status.code(), suite.is_null()), (Some(2), true), "{output:?}");
}
