//! One z3 process that is asked over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use glassbox_terms::{Dialect, export};

use super::compare::Truth;
use super::formula::Formula;

/// A running z3; ends with the value.
#[derive(Debug)]
pub(crate) struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    /// Starts z3, if there is one.
    pub(crate) fn start(arguments: &[&str]) -> Option<Z3> {
        let mut child = Command::new("z3")
            .arg("-in")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Z3 { child, input, output })
    }

    /// Sends commands that give no answer.
    pub(crate) fn tell(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("z3 should read");
    }

    /// Sends commands that end in one answer of one line.
    pub(crate) fn ask(&mut self, text: &str) -> String {
        self.tell(text);
        self.input.flush().expect("z3 should read");
        let mut line = String::new();
        let _ = self.output.read_line(&mut line).expect("z3 should answer");
        line.trim().to_owned()
    }
}

/// The answer of z3 to a formula; unknown when it takes longer than the limit or says nothing clear.
pub(crate) fn judge(z3: &mut Z3, formula: &Formula, limit_ms: u32) -> Truth {
    let mut terms = formula.terms.clone();
    let script = export(&mut terms, &formula.assertions, Dialect::Plain).text;
    let answer = z3.ask(&format!("(reset)(set-option :timeout {limit_ms})\n{script}(check-sat)\n"));
    match answer.as_str() {
        "sat" => Truth::Sat,
        "unsat" => Truth::Unsat,
        _ => Truth::Unknown,
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"(exit)\n");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
