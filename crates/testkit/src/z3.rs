//! z3 as an oracle: one process behind a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running z3; ends with the value.
#[derive(Debug)]
pub struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    /// Starts z3, if there is one.
    pub fn start(arguments: &[&str]) -> Option<Z3> {
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
    pub fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("z3 should read");
    }

    /// Sends commands that end in one answer of one line.
    pub fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.input.flush().expect("z3 should read");
        let mut line = String::new();
        let _ = self.output.read_line(&mut line).expect("z3 should answer");
        line.trim().to_owned()
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.input.write_all(b"(exit)\n");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything that a z3 of its own answers to a script; z3 should be installed.
pub fn answers(script: &str, seconds: u64) -> String {
    let mut child = Command::new("z3")
        .args(["-in", &format!("-T:{seconds}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 should start");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(script.as_bytes()).expect("z3 should read");
    drop(stdin);
    let output = child.wait_with_output().expect("z3 should end");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
