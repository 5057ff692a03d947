//! A test suite of the user against mutants: a copy of the current folder is built once with all mutants in it, and
//! the suite is run with each of them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glassbox_replay::sandbox::{Finished, Limits, Reach, run};
use glassbox_report::mutation::Fate;

use crate::c::CHOICE;
use crate::language::{Language, Refusal};
use crate::save::temporary_folder;

/// How long a suite may take without a mutant.
const LONGEST: Duration = Duration::from_secs(600);

/// A mutant with which a suite takes so many times as long counts as endless; a little time is allowed in any case.
const LONGER: u32 = 5;
const AT_LEAST: Duration = Duration::from_secs(2);

/// What reports call the suite.
pub(super) const NAME: &str = "the given tests";

/// A suite that is started by a command.
#[derive(Debug)]
pub(super) struct Given {
    command: String,
    /// The copy, once it is built, or why there is none.
    built: Mutex<Option<Result<Built, String>>>,
}

#[derive(Debug)]
struct Built {
    folder: tempfile::TempDir,
    /// How long the suite takes without a mutant.
    usual: Duration,
}

impl Given {
    pub(super) fn new(command: &str) -> Given {
        // A folder of tests has a Makefile whose first target runs them.
        let command = match Path::new(command).is_dir() {
            true => format!("make -C '{}'", command.replace('\'', "'\\''")),
            false => command.to_owned(),
        };
        Given { command, built: Mutex::new(None) }
    }

    /// Why the suite could not be used, if it could not.
    pub(super) fn failure(self) -> Option<Refusal> {
        let built = self.built.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(Err(why)) = built else { return None };
        Some(Refusal(format!("error: {why}\n")))
    }

    /// What becomes of the mutant of this number; `None` when it passes all tests.
    pub(super) fn judge(&self, language: &dyn Language, number: usize) -> Option<Fate> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let built = built.get_or_insert_with(|| self.build(language));
        let Ok(Built { folder, usual }) = built else { return None };
        let wall = (*usual * LONGER).max(AT_LEAST);
        let by = NAME.to_owned();
        match self.run(folder.path(), number, wall) {
            Ok(finished) if finished.status.is_none() => Some(Fate::TimedOut { by }),
            Ok(finished) if finished.succeeded() => None,
            Ok(finished) => {
                let how = finished.code().map_or_else(
                    || "the command is ended by a signal".to_owned(),
                    |code| format!("the command ends with status {code}"),
                );
                Some(Fate::Killed { by, how })
            }
            Err(error) => Some(Fate::Unknown { reason: error }),
        }
    }

    fn run(&self, folder: &Path, number: usize, wall: Duration) -> Result<Finished, String> {
        let limits = Limits {
            wall,
            cpu_seconds: u32::try_from(wall.as_secs())
                .unwrap_or(u32::MAX)
                .saturating_mul(4)
                .max(10),
            memory_kib: u64::MAX,
            file_kib: 1 << 20,
            output: 64 << 10,
            reach: Reach::Everything,
        };
        let args = ["-c".to_owned(), self.command.clone()];
        run(folder, "sh", &args, &[(CHOICE, number.to_string())], limits)
            .map_err(|error| format!("`{}` cannot be started: {error}", self.command))
    }

    /// Copies the current folder and runs the suite as it is, then with all mutants in the sources and none chosen.
    fn build(&self, language: &dyn Language) -> Result<Built, String> {
        let folder = temporary_folder()?;
        let current = std::env::current_dir().map_err(|error| error.to_string())?;
        let args = [
            "-a".to_owned(),
            format!("{}/.", current.display()),
            folder.path().display().to_string(),
        ];
        let copied =
            run(&current, "cp", &args, &[], Limits { wall: LONGEST, ..Limits::compiler() })
                .map_err(|error| format!("the folder cannot be copied: {error}"))?;
        if !copied.succeeded() {
            return Err(format!("the folder cannot be copied: {}", last_lines(&copied.output)));
        }
        let command = &self.command;
        let first = self.run(folder.path(), 0, LONGEST)?;
        if !first.succeeded() {
            let how = ending(&first);
            return Err(format!(
                "the tests fail before any mutant is made: `{command}` {how}\n{}",
                last_lines(&first.output)
            ));
        }
        for (path, text) in language.schemata() {
            let place = inside(&current, folder.path(), Path::new(&path))?;
            std::fs::write(&place, text)
                .map_err(|error| format!("{}: {error}", place.display()))?;
        }
        let with_all = self.run(folder.path(), 0, LONGEST)?;
        if !with_all.succeeded() {
            let how = ending(&with_all);
            return Err(format!(
                "the tests fail where the sources have all mutants and none is chosen: `{command}` {how}\n{}",
                last_lines(&with_all.output)
            ));
        }
        // Nothing is built any more.
        let start = Instant::now();
        let again = self.run(folder.path(), 0, LONGEST)?;
        if !again.succeeded() {
            return Err(format!(
                "the tests pass and then fail: `{command}`\n{}",
                last_lines(&again.output)
            ));
        }
        Ok(Built { folder, usual: start.elapsed() })
    }
}

/// Where a file of the folder is in its copy.
fn inside(current: &Path, copy: &Path, path: &Path) -> Result<PathBuf, String> {
    let whole = current.join(path);
    let whole = whole.canonicalize().unwrap_or(whole);
    let base = current.canonicalize().unwrap_or_else(|_| current.to_owned());
    let below = whole.strip_prefix(&base).map_err(|_| {
        format!("{} is not below the current folder, which is copied for the tests", path.display())
    })?;
    Ok(copy.join(below))
}

fn ending(finished: &Finished) -> String {
    match (finished.status, finished.code()) {
        (None, _) => format!("takes longer than {} s", LONGEST.as_secs()),
        (Some(_), Some(code)) => format!("ends with status {code}"),
        (Some(_), None) => "is ended by a signal".to_owned(),
    }
}

/// The end of what a command printed.
fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.trim_end().lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}
