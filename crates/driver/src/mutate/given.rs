//! A test suite of the user against mutants: a copy of the current folder is built once with all mutants, and the suite is run
//! with each of them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glassbox_ir::FileId;
use glassbox_replay::sandbox::{Finished, Limits, Reach, run};
use glassbox_report::mutation::Fate;

use crate::c::CHOICE;
use crate::drive::Case;
use crate::language::{Language, Refusal, Schemata};
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
    /// The copy for each program, once it is built, or why there is none. Programs are known by the functions that are worked on.
    built: Mutex<Vec<(Program, Result<Built, String>)>>,
}

/// Files and names of functions.
type Program = Vec<(String, String)>;

fn program_of(case: &Case<'_>) -> Program {
    let program = case.program();
    let functions = case.functions.iter().map(|&function| program.function(function));
    let file = |id: FileId| program.files.get(id.index()).map_or("", |file| file.path.as_str());
    functions.map(|it| (file(it.span.file).to_owned(), it.name.clone())).collect()
}

#[derive(Debug)]
struct Built {
    folder: tempfile::TempDir,
    /// What the program needs to have mutants: kept as long as the copy, and what variables say.
    _mutants: tempfile::TempDir,
    environment: Vec<(&'static str, String)>,
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
        Given { command, built: Mutex::new(Vec::new()) }
    }

    /// Why the suite could not be used, if it could not.
    pub(super) fn failure(self) -> Option<Refusal> {
        let built = self.built.into_inner().unwrap_or_else(PoisonError::into_inner);
        let why = built.into_iter().find_map(|(_, built)| built.err())?;
        Some(Refusal(format!("error: {why}\n")))
    }

    /// What becomes of the mutant of this number; `None` when it passes all tests.
    pub(super) fn judge(&self, case: &Case<'_>, number: usize) -> Option<Fate> {
        let program = program_of(case);
        let mut all = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(known, _)| *known == program);
        let position = known.unwrap_or_else(|| {
            all.push((program, self.build(case.language)));
            all.len() - 1
        });
        let Ok(built) = &all[position].1 else { return None };
        let wall = (built.usual * LONGER).max(AT_LEAST);
        let by = NAME.to_owned();
        match self.run(built.folder.path(), &built.environment, number, wall) {
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

    fn run(
        &self,
        folder: &Path,
        environment: &[(&'static str, String)],
        number: usize,
        wall: Duration,
    ) -> Result<Finished, String> {
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
        let mut variables = environment.to_vec();
        variables.push((CHOICE, number.to_string()));
        run(folder, "sh", &args, &variables, limits)
            .map_err(|error| format!("`{}` cannot be started: {error}", self.command))
    }

    /// Copies the current folder and runs the suite as it is, then with all mutants and none chosen.
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
        let first = self.run(folder.path(), &[], 0, LONGEST)?;
        if !first.succeeded() {
            let how = ending(&first);
            return Err(format!(
                "the tests fail before any mutant is made: `{command}` {how}\n{}",
                last_lines(&first.output)
            ));
        }
        let mutants = temporary_folder()?;
        let Schemata { files, environment, trace } = language.schemata(mutants.path())?;
        for (path, text) in files {
            let place = inside(&current, folder.path(), Path::new(&path))?;
            std::fs::write(&place, text)
                .map_err(|error| format!("{}: {error}", place.display()))?;
        }
        let with_all = self.run(folder.path(), &environment, 0, LONGEST)?;
        if !with_all.succeeded() {
            let how = ending(&with_all);
            return Err(format!(
                "the tests fail where all mutants are there and none is chosen: `{command}` {how}\n{}",
                last_lines(&with_all.output)
            ));
        }
        if trace.is_some_and(|trace| !trace.exists()) {
            return Err(format!(
                "the tests use nothing that has mutants: `{command}`\n\
                 help: JVMs that were started before, such as a daemon of a build tool, do not take mutants"
            ));
        }
        // Nothing is built any more.
        let start = Instant::now();
        let again = self.run(folder.path(), &environment, 0, LONGEST)?;
        if !again.succeeded() {
            return Err(format!(
                "the tests pass and then fail: `{command}`\n{}",
                last_lines(&again.output)
            ));
        }
        Ok(Built { folder, _mutants: mutants, environment, usual: start.elapsed() })
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
