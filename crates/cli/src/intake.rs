//! From paths on the command line to a program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use glassbox_c_front::compdb::Database;
use glassbox_c_front::compile::compile;
use glassbox_c_front::diagnostics::{Diagnostic, render};
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_c_front::tree;
use glassbox_ir::{FuncId, Language, Linkage, Program};

use crate::config::{self, Config, Contract, harness};
use crate::java::{JavaIntake, is_java, read_java};
use crate::terminal;

/// What every command that reads C takes.
#[derive(Debug, Args)]
pub(crate) struct Intake {
    /// C source files (`*.c`), or preprocessed ones (`*.i`); several are linked together. Or Java: class
    /// files, jars, folders of classes, sources
    #[arg(required_unless_present = "class")]
    pub(crate) paths: Vec<PathBuf>,
    /// Take compiler flags from this compilation database
    #[arg(long, value_name = "FILE")]
    pub(crate) compdb: Option<PathBuf>,
    /// The C compiler to preprocess with
    #[arg(long, value_name = "CC", default_value = "cc")]
    pub(crate) cc: String,
    /// Contracts and defaults of options [default: the nearest glassbox.toml beside or above the source]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) java: JavaIntake,
}

/// A program and the contracts of its functions.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) program: Program,
    pub(crate) config: Option<Config>,
}

impl Subject {
    /// The contract of a function, with the harness that it became.
    pub(crate) fn contract(&self, function: FuncId) -> Option<(&Config, &Contract, FuncId)> {
        let config = self.config.as_ref()?;
        let name = &self.program.function(function).name;
        let contract = config.contracts.iter().find(|contract| contract.function == *name)?;
        Some((config, contract, harness::entry(&self.program, function)?))
    }
}

/// Reads all files, without contracts; prints diagnostics. `None` when there was an error.
pub(crate) fn read_program(intake: &Intake, cc_flags: &[String]) -> Option<Program> {
    if is_java(&intake.paths) {
        return read_java(intake, &[], Default::default()).map(|java| java.program);
    }
    read_files(intake, cc_flags, Contracts::Ignored, Wrapping::Allowed)
}

/// Reads all files and the contracts of their functions; prints diagnostics. `None` when there was an
/// error.
pub(crate) fn read_subject(intake: &Intake, cc_flags: &[String]) -> Option<Subject> {
    read_subject_with(intake, cc_flags, Wrapping::Allowed)
}

/// Whether unsigned arithmetic may wrap around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapping {
    Allowed,
    /// It is checked for in the user's own functions.
    Checked,
}

/// The same, with a say about unsigned arithmetic.
pub(crate) fn read_subject_with(
    intake: &Intake,
    cc_flags: &[String],
    wrapping: Wrapping,
) -> Option<Subject> {
    let config = match config::load(intake.config.as_deref(), &intake.paths) {
        Ok(config) => config,
        Err(complaint) => {
            eprint!("{complaint}");
            return None;
        }
    };
    let mut program = read_files(intake, cc_flags, Contracts::Read(config.as_ref()), wrapping)?;
    if let Some(config) = config.as_ref().filter(|config| config.is_near) {
        for contract in &config.contracts {
            if !program.function_ids().any(|id| program.function(id).name == contract.function) {
                let (line, column) = config.place(contract.name.start);
                eprintln!(
                    "{}:{line}:{column}: warning: no function `{}` is defined here: its contract is \
                     not used",
                    config.path, contract.function
                );
            }
        }
    }
    config::callee::assume_promises(&mut program);
    Some(Subject { program, config })
}

/// Whether functions get harnesses.
#[derive(Debug, Clone, Copy)]
enum Contracts<'a> {
    Ignored,
    Read(Option<&'a Config>),
}

/// Which harnesses a file gets.
struct Wanted<'a> {
    contracts: Contracts<'a>,
    is_last: bool,
    // Functions that have theirs.
    done: &'a mut BTreeSet<String>,
}

fn read_files(
    intake: &Intake,
    cc_flags: &[String],
    contracts: Contracts<'_>,
    wrapping: Wrapping,
) -> Option<Program> {
    let mut front = Front::new();
    if wrapping == Wrapping::Checked {
        front.check_unsigned_wrap();
    }
    let mut done = BTreeSet::new();
    let database = match &intake.compdb {
        Some(path) => {
            let (database, diagnostics) = Database::read(path);
            diagnostics.into_iter().for_each(|diagnostic| front.add_diagnostic(diagnostic));
            database
        }
        None => Database::default(),
    };
    for (position, path) in intake.paths.iter().enumerate() {
        let is_last = position + 1 == intake.paths.len();
        let wanted = Wanted { contracts, is_last, done: &mut done };
        add_file(&mut front, intake, &database, path, cc_flags, wanted);
    }
    let compiled = compile(front, Promotion::Promote);
    let has_error = compiled.diagnostics.iter().any(Diagnostic::is_error);
    for diagnostic in &compiled.diagnostics {
        eprint!("{}", render::render(diagnostic, &compiled.sources, color()));
    }
    if has_error { None } else { compiled.program }
}

fn add_file(
    front: &mut Front,
    intake: &Intake,
    database: &Database,
    path: &Path,
    cc_flags: &[String],
    wanted: Wanted<'_>,
) {
    let Wanted { contracts, is_last, done } = wanted;
    let current = std::env::current_dir().unwrap_or_default();
    let entry = database.find(path, &current);
    let mut flags = entry.map(|entry| entry.flags.clone()).unwrap_or_default();
    flags.extend_from_slice(cc_flags);
    let directory = entry.map(|entry| entry.directory.clone());
    let file = entry.map_or(path, |entry| entry.file.as_path());
    let preprocessor = Preprocessor {
        compiler: intake.cc.clone(),
        flags,
        directory: directory.clone(),
        ..Preprocessor::default()
    };
    match preprocessor.run(file) {
        Ok(text) => {
            let name = path.display().to_string();
            let mut read = |name: &str| read_original(directory.as_deref(), name);
            let mut harnesses = |program: &tree::Program, unit: &[u8]| {
                let Contracts::Read(config) = contracts else { return Vec::new() };
                let (text, preprocessor) = (unit, &preprocessor);
                let unit = harness::Unit { program, text, preprocessor, source: file, is_last };
                let mut all =
                    config.map_or(Vec::new(), |config| harness::harnesses(config, &unit, done));
                all.extend(harness::main_harness(program, done));
                all
            };
            front.add_unit_with(&name, text, &mut read, &mut harnesses);
        }
        Err(diagnostics) => {
            diagnostics.into_iter().for_each(|diagnostic| front.add_diagnostic(diagnostic));
        }
    }
}

/// The functions to work on: those named, or all that the files define.
pub(crate) fn select_functions(
    program: &Program,
    intake: &Intake,
    names: &[String],
) -> Result<Vec<FuncId>, String> {
    let is_own = |id: &FuncId| {
        let function = program.function(*id);
        match program.language {
            Language::C => {
                let is_harness = function.name.starts_with("__glassbox_");
                function.body.is_some() && !is_harness && is_from(program, *id, &intake.paths)
            }
            // The methods that were asked for.
            Language::Java => function.body.is_some() && function.linkage == Linkage::External,
        }
    };
    let own: Vec<FuncId> = program.function_ids().filter(is_own).collect();
    if names.is_empty() {
        return if own.is_empty() {
            Err("no function is defined here".to_owned())
        } else {
            Ok(own)
        };
    }
    let mut selected = Vec::new();
    for name in names {
        let found = program
            .function_ids()
            .find(|&id| program.function(id).name == *name && program.function(id).body.is_some());
        match found {
            Some(id) => selected.push(id),
            None => {
                let known: Vec<&str> =
                    own.iter().map(|&id| program.function(id).name.as_str()).collect();
                return Err(format!(
                    "no function `{name}` is defined here; there are: {}",
                    known.join(", ")
                ));
            }
        }
    }
    Ok(selected)
}

/// Whether the function was written in one of these files (and not in a header or a library model).
fn is_from(program: &Program, function: FuncId, paths: &[PathBuf]) -> bool {
    let span = program.function(function).span;
    if span.is_nowhere() {
        return false;
    }
    let Some(file) = program.files.get(span.file.index()) else { return false };
    // Preprocessed input names the original file in its line markers.
    let is_preprocessed = |path: &PathBuf| path.extension().is_some_and(|e| e == "i");
    let is_library = file.path.starts_with('<');
    paths.iter().any(|path| path == Path::new(&file.path) || (is_preprocessed(path) && !is_library))
}

fn color() -> render::Color {
    if terminal::is_colored() { render::Color::Ansi } else { render::Color::Plain }
}
