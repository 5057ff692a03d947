//! `glassbox solve` as a user runs it, alone and with another solver behind it.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, require};

fn solve(args: &[&str], script: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("script.smt2");
    std::fs::write(&path, script).expect("the file is written");
    let output = glassbox().arg("solve").args(args).arg(&path).output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let stderr = text(output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    (output.status.code().unwrap_or(-1), text(output.stdout), stderr)
}

/// Levels, assumptions, a model with one choice, a core.
const SCRIPT: &str = "(set-option :produce-unsat-cores true)
(set-option :produce-unsat-assumptions true)
(declare-const |the x| (_ BitVec 8))
(declare-const p Bool)
(assert (! (= (bvadd |the x| #x01) #x03) :named sum))
(check-sat)
(get-value (|the x|))
(push 1)
(assert (! (bvult |the x| #x09) :named less))
(assert (! (bvugt |the x| #x07) :named more))
(check-sat)
(get-unsat-core)
(pop 1)
(check-sat-assuming (p (= |the x| #x05)))
(get-unsat-assumptions)
(check-sat)
";

const RESPONSES: &str = "sat
((|the x| #x02))
unsat
(sum more)
unsat
((= |the x| #x05))
sat
";

#[test]
fn a_script_is_answered() {
    assert_eq!(solve(&[], SCRIPT), (0, RESPONSES.to_owned(), String::new()));
}

#[test]
fn z3_gives_the_same_answers() {
    if require(Tool::Program("z3")).is_none() {
        return;
    }
    assert_eq!(solve(&["--solver", "z3"], SCRIPT), (0, RESPONSES.to_owned(), String::new()));
}

#[test]
fn a_missing_solver_is_bad_usage() {
    let (code, stdout, stderr) = solve(&["--solver", "no-such-solver"], SCRIPT);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert_eq!(
        stderr,
        "error: solver `no-such-solver`: it cannot be started: there is no such program\n"
    );
}

#[cfg(unix)]
#[test]
fn a_program_that_is_no_solver_gives_unknown() {
    // `true` answers nothing, `cat` answers with the question, `yes` for ever.
    for (program, trouble) in
        [("true", "ended"), ("cat", "not understood"), ("yes", "not understood")]
    {
        let (code, stdout, stderr) = solve(
            &["--solver", program, "--timeout", "5"],
            "(declare-const x Bool)(assert x)(check-sat)(get-info :reason-unknown)",
        );
        assert_eq!(
            (code, stdout.as_str()),
            (1, "unknown\n(:reason-unknown incomplete)\n"),
            "{program}"
        );
        assert!(stderr.contains(trouble), "{program}: {stderr}");
    }
}
