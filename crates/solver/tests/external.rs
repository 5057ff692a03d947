//! Another solver over a pipe: z3 where it is installed, and programs that misbehave.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![cfg(unix)]

#[path = "oracle/mod.rs"]
mod oracle;

use std::path::{Path, PathBuf};
use std::time::Duration;

use glassbox_solver::external::{External, Reply, Trouble};
use glassbox_terms::{Sort, TermId, Terms, eval};
use glassbox_testkit::{Tool, require};

const LIMIT: Duration = Duration::from_secs(20);

/// A program that runs the shell commands, and the folder it lies in.
fn program(commands: &str) -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("solver");
    std::fs::write(&path, format!("#!/bin/sh\n{commands}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permitted");
    (folder, path)
}

/// `x < 5` for a byte.
fn small() -> (Terms, TermId) {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bv(8));
    let five = terms.bv_u(5, 8);
    let assertion = terms.bv_ult(x, five);
    (terms, assertion)
}

fn reply_of(commands: &str, limit: Duration) -> Reply {
    let (_folder, path) = program(commands);
    // A process that another thread starts right now may hold the new file open for a moment.
    let external = (0..1000)
        .find_map(|_| {
            let found = External::find(&path, limit).ok();
            if found.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            found
        })
        .expect("a program");
    let (mut terms, assertion) = small();
    external.check(&mut terms, &[assertion])
}

#[test]
fn a_missing_program_is_said_to_be_missing() {
    let missing = External::find(Path::new("/nowhere/solver"), LIMIT);
    assert_eq!(missing, Err(Trouble::NotStarted("there is no such program".to_owned())));
}

#[test]
fn misbehaving_programs_give_unknown() {
    let unknown = |commands: &str| match reply_of(commands, LIMIT) {
        Reply::Unknown(trouble) => trouble,
        decided @ (Reply::Sat(_) | Reply::Unsat) => panic!("{commands}: {decided:?}"),
    };
    assert_eq!(unknown("exit 0"), Trouble::Crashed);
    assert_eq!(unknown("kill -9 $$"), Trouble::Crashed);
    assert_eq!(unknown("echo unsat; exit 3"), Trouble::Crashed);
    assert_eq!(unknown("echo unknown"), Trouble::SaysUnknown);
    assert_eq!(unknown("echo sat; echo '((x #x09))'; cat >/dev/null"), Trouble::WrongModel);
    for strange in [
        "echo '(error \"no\")'; echo unsat",
        "echo unsat; echo '(error \"no\")'; cat >/dev/null",
        "echo unsat; echo 'Error: no' >&2; cat >/dev/null",
        "echo sat; echo '((x true))'; cat >/dev/null",
        "echo sat; echo '((x'; cat >/dev/null",
        "printf '\\377\\376\\n'",
    ] {
        let trouble = unknown(strange);
        assert!(matches!(trouble, Trouble::Unexpected(_)), "{strange}: {trouble}");
    }
}

#[test]
fn well_behaving_programs_are_believed() {
    assert_eq!(reply_of("echo unsat; cat >/dev/null", LIMIT), Reply::Unsat);
    let reply = reply_of("echo sat; echo '((x #x03))'; cat >/dev/null", LIMIT);
    assert!(matches!(reply, Reply::Sat(_)), "{reply:?}");
}

#[test]
fn a_program_that_takes_too_long_is_killed() {
    for slow in ["exec sleep 60", "echo unsat; exec sleep 60", "sleep 60; echo unsat"] {
        let reply = reply_of(slow, Duration::from_millis(200));
        assert_eq!(reply, Reply::Unknown(Trouble::TimedOut), "{slow}");
    }
}

#[test]
fn z3_agrees_with_us() {
    let Some(z3) = require(Tool::Program("z3")) else { return };
    let z3 = External::find(&z3, Duration::from_secs(5)).expect("z3 starts");
    let mut n_decided = 0;
    for seed in 0..32 {
        let formula = oracle::formula::random_formula(seed);
        let mut terms = formula.terms.clone();
        let ours = oracle::compare::solve(&formula, oracle::compare::Setup::AllLayers)
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        let theirs = match z3.check(&mut terms, &formula.assertions) {
            Reply::Sat(model) => {
                for &assertion in &formula.assertions {
                    assert_eq!(eval(&terms, &model, assertion).as_bool(), Some(true));
                }
                oracle::compare::Truth::Sat
            }
            Reply::Unsat => oracle::compare::Truth::Unsat,
            Reply::Unknown(_) => oracle::compare::Truth::Unknown,
        };
        if theirs != oracle::compare::Truth::Unknown && ours != oracle::compare::Truth::Unknown {
            assert_eq!(ours, theirs, "seed {seed}");
            n_decided += 1;
        }
    }
    assert!(n_decided > 20, "only {n_decided} of 32 decided by both");
}
