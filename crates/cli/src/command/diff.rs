//! `glassbox diff`: two suites, or two revisions, compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use glassbox_driver::report_files::{read_suite, root_uri};
use glassbox_driver::revision::Revision;
use glassbox_report::data::test::Rerun;
use glassbox_report::data::{Function, SuiteData, Test};
use glassbox_report::diff::{self, Change};

use crate::choice::{Choice, one_of};
use crate::{Status, bad_input, interrupt};

/// Compare two suites: goals gained and lost, proofs that broke, inputs with which the program does something else.
/// Exit code 0 if nothing is different, 3 if a property fails, a proof broke or behavior changed, else 1
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder of the old suite and that of the new one; with --rev, C files or folders
    #[arg(required = true, value_name = "OLD NEW")]
    paths: Vec<PathBuf>,
    /// Generate both suites from two revisions of git first; without B, the new one is what is here
    #[arg(long, value_name = "A..B")]
    rev: Option<String>,
    /// Criterion of those suites
    #[arg(long, default_value = "branch", requires = "rev")]
    criterion: Vec<String>,
    /// How to show it
    #[arg(long, value_parser = one_of::<Format>(), default_value = "text")]
    format: Format,
    /// Flags for the C compiler, for the suites of revisions
    #[arg(last = true, value_name = "CC_FLAGS", requires = "rev")]
    cc_flags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Html,
    Sarif,
}

impl Choice for Format {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Format::Text, "text", None),
        (Format::Html, "html", Some("A page on standard output")),
        (Format::Sarif, "sarif", Some("SARIF 2.1.0 on standard output")),
    ];
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let suites = match &arguments.rev {
        Some(range) => of_revisions(range, arguments),
        None => of_folders(&arguments.paths),
    };
    match suites {
        Ok((old, new)) => show(&diff::diff(&old, &new), &new, arguments.format),
        Err(message) => bad_input(&message),
    }
}

fn of_folders(paths: &[PathBuf]) -> Result<(SuiteData, SuiteData), String> {
    let [old, new] = paths else {
        return Err("two folders with a suite.json are wanted: OLD NEW".to_owned());
    };
    Ok((read_suite(old)?, read_suite(new)?))
}

fn show(changes: &[Change], new: &SuiteData, format: Format) -> Status {
    match format {
        Format::Text if changes.is_empty() => println!("nothing is different"),
        Format::Text => print!("{}", diff::text(changes)),
        Format::Html => print!("{}", diff::html(changes)),
        Format::Sarif => println!("{:#}", diff::sarif(changes, &new.tool.version, &root_uri())),
    }
    if changes.iter().any(|change| change.kind.is_grave()) {
        Status::Violated
    } else if changes.is_empty() {
        Status::Decided
    } else {
        Status::Unknown
    }
}

/// The suites of two revisions. Each version runs the inputs of the other one's tests where a function has changed: the
/// older one's first, and what is new in the newer version is shown by inputs that it brought.
fn of_revisions(range: &str, arguments: &Arguments) -> Result<(SuiteData, SuiteData), String> {
    interrupt::watch();
    let (old, new) = range.split_once("..").unwrap_or((range, ""));
    let older = Side::of(old)?;
    let newer = if new.is_empty() { Side::here()? } else { Side::of(new)? };
    let mut before = older.generated(arguments, None)?;
    let after = newer.generated(arguments, Some(&before))?;
    if before.functions.iter().any(|function| has_changed(function, &after)) {
        add_runs(&mut before, older.generated(arguments, Some(&after))?);
    }
    Ok((before, after))
}

fn has_changed(function: &Function, other: &SuiteData) -> bool {
    let mut named = other.functions.iter().filter(|it| it.name == function.name);
    named.any(|it| it.depends != function.depends)
}

/// Runs of another suite of the same version.
fn add_runs(suite: &mut SuiteData, others: SuiteData) {
    for other in others.functions {
        let is_it = |it: &&mut Function| it.name == other.name && it.file == other.file;
        let Some(function) = suite.functions.iter_mut().find(is_it) else { continue };
        let tests = other.tests.into_iter().filter(|test| test.through.is_none());
        let tests = tests.map(|Test { inputs, expected, .. }| Rerun { inputs, expected });
        function.earlier.extend(tests.chain(other.earlier));
    }
}

/// One of two versions.
struct Side {
    folder: PathBuf,
    /// None is what is here.
    revision: Option<Revision>,
}

impl Side {
    fn here() -> Result<Side, String> {
        let folder = std::env::current_dir().map_err(|error| error.to_string())?;
        Ok(Side { folder, revision: None })
    }

    fn of(name: &str) -> Result<Side, String> {
        let revision = Revision::of(name)?;
        Ok(Side { folder: revision.folder(), revision: Some(revision) })
    }

    /// The suite that `gen` leaves where another one was; files have the names that they have today.
    fn generated(
        &self,
        arguments: &Arguments,
        earlier: Option<&SuiteData>,
    ) -> Result<SuiteData, String> {
        let out = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let place = self.revision.as_ref().map(Revision::place);
        if let Some(earlier) = earlier {
            let mut suite = earlier.clone();
            rename(&mut suite, |path| place.as_ref()?.then(path));
            let path = out.path().join("suite.json");
            std::fs::write(path, suite.to_text())
                .map_err(|error| format!("no temporary suite: {error}"))?;
        }
        let paths = arguments.paths.iter().map(|path| match &self.revision {
            Some(revision) => revision.moved(path),
            None => path.clone(),
        });
        let mut command = Command::new(own);
        command.arg("gen").args(paths).arg("--out").arg(out.path());
        command.args(["--format", "lcov", "--quiet"]);
        for criterion in &arguments.criterion {
            command.args(["--criterion", criterion]);
        }
        command.arg("--").args(match &place {
            Some(place) => place.moved_flags(&arguments.cc_flags),
            None => arguments.cc_flags.clone(),
        });
        let command = command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        let status = command.status().map_err(|error| error.to_string())?;
        let Some(0 | 1 | 3) = status.code() else {
            return Err(format!("no suite could be generated in {}", self.folder.display()));
        };
        let mut suite = read_suite(out.path())?;
        rename(&mut suite, |path| place.as_ref()?.today(path));
        Ok(suite)
    }
}

/// Gives files other names, where there are some.
fn rename(suite: &mut SuiteData, other: impl Fn(&Path) -> Option<PathBuf>) {
    for function in &mut suite.functions {
        let files = function.goals.iter_mut().map(|goal| &mut goal.file);
        for file in files.chain([&mut function.file]).flatten() {
            if let Some(path) = other(Path::new(file.as_str())) {
                *file = path.display().to_string();
            }
        }
    }
}
