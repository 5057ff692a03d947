//! `glassbox diff`: two suites, or two revisions, compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use glassbox_driver::report_files::{read_suite, root_uri};
use glassbox_driver::revision::Revision;
use glassbox_report::data::SuiteData;
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

/// The suites of two revisions.
fn of_revisions(range: &str, arguments: &Arguments) -> Result<(SuiteData, SuiteData), String> {
    interrupt::watch();
    let (old, new) = range.split_once("..").unwrap_or((range, ""));
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let older = Revision::of(old)?;
    let before = generated(&older.folder(), Some(&older), arguments)?;
    let after = if new.is_empty() {
        generated(&here, None, arguments)?
    } else {
        let newer = Revision::of(new)?;
        generated(&newer.folder(), Some(&newer), arguments)?
    };
    Ok((before, after))
}

/// The suite that `gen` leaves in a folder, which may be one of a revision.
fn generated(
    folder: &Path,
    revision: Option<&Revision>,
    arguments: &Arguments,
) -> Result<SuiteData, String> {
    let out = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let paths = arguments.paths.iter().map(|path| match revision {
        Some(revision) => revision.moved(path),
        None => path.clone(),
    });
    let mut command = Command::new(own);
    command
        .arg("gen")
        .args(paths)
        .arg("--out")
        .arg(out.path())
        .args(["--format", "lcov", "--quiet"]);
    for criterion in &arguments.criterion {
        command.args(["--criterion", criterion]);
    }
    let status = command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.map_err(|error| error.to_string())?;
    match status.code() {
        Some(0 | 1 | 3) => read_suite(out.path()),
        _ => Err(format!("no suite could be generated in {}", folder.display())),
    }
}
