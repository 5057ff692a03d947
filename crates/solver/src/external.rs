//! Another SMT-LIB solver behind a pipe: one process for each question.
//!
//! This is the only place in the crate that starts a process. The other solver is not trusted more than needed:
//! its models are evaluated before they leave, its `unsat` counts only when it reported no error
//! and ended well, and whatever else goes wrong (it crashes, says something strange, takes too
//! long) is a `Trouble`. A process that is too slow is killed.
//!
//! Cores are not requested: a refutation rests on all assertions.

#![allow(clippy::disallowed_methods, reason = "it starts the other solver, for a limited time")]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use glassbox_smtlib::reply::read_values;
use glassbox_terms::{Dialect, Evaluator, Export, Model, TermId, Terms, export};

use crate::limits::REPLY_BYTES;

/// Between two looks at a process that is about to end.
const PAUSE: Duration = Duration::from_millis(1);

/// Megabytes that z3 may use. Other solvers have no option for it that is known here.
const Z3_MEMORY: &str = "-memory:4096";

/// A solver program that reads a script from its standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    program: PathBuf,
    time_limit: Duration,
}

/// What the other solver found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Every assertion holds under this model, as evaluated here.
    Sat(Model),
    Unsat,
    Unknown(Trouble),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The program cannot be started; what the system says.
    NotStarted(String),
    /// It was killed at the time limit.
    TimedOut,
    /// It says so itself.
    SaysUnknown,
    /// It ended without an answer, or badly after it.
    Crashed,
    /// It answered something else; the beginning of it.
    Unexpected(String),
    /// Its model does not satisfy the assertions.
    WrongModel,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::NotStarted(why) => write!(f, "it cannot be started: {why}"),
            Trouble::TimedOut => f.write_str("it was stopped at the time limit"),
            Trouble::SaysUnknown => f.write_str("it answers `unknown`"),
            Trouble::Crashed => f.write_str("it ended unexpectedly"),
            Trouble::Unexpected(text) => write!(f, "its answer is not understood: {text}"),
            Trouble::WrongModel => f.write_str("its model does not satisfy the assertions"),
        }
    }
}

impl External {
    /// The program of this name or path, started once to see that it is there.
    pub fn find(program: &Path, time_limit: Duration) -> Result<External, Trouble> {
        let external = External { program: program.to_owned(), time_limit };
        let running = Running::start(&external)?;
        drop(running);
        Ok(external)
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Whether the assertions can hold together.
    pub fn check(&self, terms: &mut Terms, assertions: &[TermId]) -> Reply {
        match self.ask(terms, assertions) {
            Ok(reply) => reply,
            Err(trouble) => Reply::Unknown(trouble),
        }
    }

    fn ask(&self, terms: &mut Terms, assertions: &[TermId]) -> Result<Reply, Trouble> {
        let Export { text, vars } = export(terms, assertions, Dialect::Plain);
        let mut running = Running::start(self)?;
        running.tell(format!("(set-option :produce-models true)\n{text}(check-sat)\n"));
        match running.first_line()?.trim() {
            "unsat" => {
                let rest = running.finish()?;
                if rest.trim().is_empty() {
                    Ok(Reply::Unsat)
                } else {
                    Err(Trouble::Unexpected(beginning(&rest)))
                }
            }
            "sat" => {
                let mut model = Model::new();
                if !vars.is_empty() {
                    let names: Vec<&str> = vars.iter().map(|(_, name)| name.as_str()).collect();
                    running.tell(format!("(get-value ({}))\n", names.join(" ")));
                    let values = running.finish()?;
                    model = read_values(terms, &vars, &values)
                        .map_err(|_| Trouble::Unexpected(beginning(&values)))?;
                }
                if Evaluator::new().under(terms, &model).all_hold(assertions) {
                    Ok(Reply::Sat(model))
                } else {
                    Err(Trouble::WrongModel)
                }
            }
            "unknown" => Err(Trouble::SaysUnknown),
            "timeout" => Err(Trouble::TimedOut),
            "" => Err(Trouble::Crashed),
            other => Err(Trouble::Unexpected(beginning(other))),
        }
    }

    /// What makes the program read its standard input.
    fn arguments(&self) -> &'static [&'static str] {
        match self.program.file_stem().and_then(|stem| stem.to_str()) {
            Some("z3") => &["-in", Z3_MEMORY],
            Some("cvc5" | "cvc4") => &["--lang=smt2"],
            // bitwuzla, mathsat and yices-smt2 do so by themselves.
            Some(_) | None => &[],
        }
    }
}

/// A process at work. It is killed with the value; the threads at its pipes end then and are not
/// waited for, since a child of the process may keep the pipes open.
#[derive(Debug)]
struct Running {
    child: Child,
    deadline: Instant,
    input: Option<Sender<String>>,
    // The first line, then all the rest.
    output: Receiver<String>,
    // All of standard error.
    errors: Receiver<String>,
}

impl Running {
    fn start(external: &External) -> Result<Running, Trouble> {
        let mut child = Command::new(&external.program)
            .args(external.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Trouble::NotStarted(reason(&error)))?;
        let mut stdin = child.stdin.take().expect("piped");
        let stdout = child.stdout.take().expect("piped");
        let stderr = child.stderr.take().expect("piped");
        let (input, to_write) = channel::<String>();
        let (to_output, output) = channel();
        let (to_errors, errors) = channel();
        // Writing has its own thread too: a process that does not read must not block this one. Failures
        // to write show as missing answers, and late answers may find no listener.
        std::thread::spawn(move || {
            while let Ok(text) = to_write.recv() {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let _ = std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout.take(REPLY_BYTES));
            let mut line = Vec::new();
            let _ = reader.read_until(b'\n', &mut line);
            let _ = to_output.send(String::from_utf8_lossy(&line).into_owned());
            let _ = to_output.send(all_of(reader));
        });
        let _ = std::thread::spawn(move || {
            let _ = to_errors.send(all_of(stderr.take(REPLY_BYTES)));
        });
        // A limit beyond what the clock can count is the same as a very long one.
        let now = Instant::now();
        let deadline = now
            .checked_add(external.time_limit)
            .unwrap_or_else(|| now + Duration::from_secs(1 << 30));
        Ok(Running { child, deadline, input: Some(input), output, errors })
    }

    fn tell(&self, text: String) {
        if let Some(input) = &self.input {
            // The writer is gone when the process is, which shows as a missing answer.
            let _ = input.send(text);
        }
    }

    fn first_line(&self) -> Result<String, Trouble> {
        receive(&self.output, self.deadline)
    }

    /// Ends the conversation: what else was answered, provided that there was no error.
    fn finish(&mut self) -> Result<String, Trouble> {
        self.tell("(exit)\n".to_owned());
        self.input = None;
        let rest = receive(&self.output, self.deadline)?;
        let errors = receive(&self.errors, self.deadline)?;
        if !self.wait()?.success() {
            return Err(Trouble::Crashed);
        }
        if errors.to_ascii_lowercase().contains("error") || rest.trim_start().starts_with("(error")
        {
            return Err(Trouble::Unexpected(beginning(&format!("{errors}{rest}"))));
        }
        Ok(rest)
    }

    fn wait(&mut self) -> Result<ExitStatus, Trouble> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if Instant::now() >= self.deadline => return Err(Trouble::TimedOut),
                Ok(None) => std::thread::sleep(PAUSE),
                Err(_) => return Err(Trouble::Crashed),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn receive(from: &Receiver<String>, deadline: Instant) -> Result<String, Trouble> {
    let left = deadline.saturating_duration_since(Instant::now());
    from.recv_timeout(left).map_err(|error| match error {
        RecvTimeoutError::Timeout => Trouble::TimedOut,
        RecvTimeoutError::Disconnected => Trouble::Crashed,
    })
}

fn all_of(mut reader: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read before a failure is kept; the status of the process reports the failure.
    let _ = reader.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn beginning(text: &str) -> String {
    text.trim().chars().take(120).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn reason(error: &std::io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        "there is no such program".to_owned()
    } else if error.kind() == ErrorKind::PermissionDenied {
        "it is not an executable program".to_owned()
    } else {
        error.to_string()
    }
}
