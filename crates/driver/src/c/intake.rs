//! From C files to a program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glassbox_c_front::compdb::Database;
use glassbox_c_front::compile::compile;
use glassbox_c_front::diagnostics::{Diagnostic, render};
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_c_front::tree;
use glassbox_contract::{self as contract, Config, harness};
use glassbox_ir::{FuncId, Origin, Program};

use super::C;
use crate::language::{Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::Intake;

/// Reads all files, and the contracts of their functions where they count.
pub(super) fn read(
    intake: &Intake,
    purpose: Purpose,
    listener: &dyn Listener,
) -> Result<C, Refusal> {
    let config = match purpose {
        Purpose::Generate | Purpose::Check { .. } => {
            contract::load(intake.config.as_deref(), &intake.paths)
                .map_err(|complaint| Refusal(complaint.to_string()))?
        }
        Purpose::Look | Purpose::Run => None,
    };
    let contracts = match purpose {
        Purpose::Generate | Purpose::Check { .. } => Contracts::Read(config.as_ref()),
        Purpose::Look | Purpose::Run => Contracts::Ignored,
    };
    let mut front = Front::new();
    if matches!(purpose, Purpose::Check { unsigned_wrap: true, .. }) {
        front.check_unsigned_wrap();
    }
    let mut restricted = BTreeSet::new();
    let program = read_files(front, intake, contracts, &mut restricted, listener)?;
    warn_of_unused(config.as_ref(), &program, listener);
    Ok(C { program, config, purpose, paths: intake.paths.clone(), restricted })
}

/// Contracts beside the source should be about functions in it.
fn warn_of_unused(config: Option<&Config>, program: &Program, listener: &dyn Listener) {
    let Some(config) = config.filter(|config| config.is_near) else { return };
    for contract in &config.contracts {
        if !program.function_ids().any(|id| program.function(id).name == contract.function) {
            let (line, column) = config.place(contract.name.start);
            listener.diagnostic(&format!(
                "{}:{line}:{column}: warning: no function `{}` is defined here: its contract is not \
                 used\n",
                config.path, contract.function
            ));
        }
    }
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
    // Functions whose `restrict` parameters get objects of their own.
    restricted: &'a mut BTreeSet<String>,
}

fn read_files(
    mut front: Front,
    intake: &Intake,
    contracts: Contracts<'_>,
    restricted: &mut BTreeSet<String>,
    listener: &dyn Listener,
) -> Result<Program, Refusal> {
    let mut done = BTreeSet::new();
    let database = match &intake.database {
        Some(path) => {
            let (database, diagnostics) = Database::read(path);
            diagnostics.into_iter().for_each(|diagnostic| front.add_diagnostic(diagnostic));
            database
        }
        None => Database::default(),
    };
    for (position, path) in intake.paths.iter().enumerate() {
        let is_last = position + 1 == intake.paths.len();
        let wanted = Wanted { contracts, is_last, done: &mut done, restricted };
        add_file(&mut front, intake, &database, path, wanted);
    }
    let compiled = compile(front, Promotion::Promote);
    let has_error = compiled.diagnostics.iter().any(Diagnostic::is_error);
    let color = if intake.is_colored { render::Color::Ansi } else { render::Color::Plain };
    for diagnostic in &compiled.diagnostics {
        listener.diagnostic(&render::render(diagnostic, &compiled.sources, color));
    }
    // The diagnostics have said why.
    let refusal = || Refusal(String::new());
    if has_error { Err(refusal()) } else { compiled.program.ok_or_else(refusal) }
}

fn add_file(
    front: &mut Front,
    intake: &Intake,
    database: &Database,
    path: &Path,
    wanted: Wanted<'_>,
) {
    let Wanted { contracts, is_last, done, restricted } = wanted;
    let current = std::env::current_dir().unwrap_or_default();
    let entry = database.find(path, &current);
    let mut flags = entry.map(|entry| entry.flags.clone()).unwrap_or_default();
    flags.extend_from_slice(&intake.compiler_flags);
    let directory = entry.map(|entry| entry.directory.clone());
    let file = entry.map_or(path, |entry| entry.file.as_path());
    let preprocessor = Preprocessor {
        compiler: intake.compiler.clone(),
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
                let declared = harness::declared_harnesses(program, &all);
                all.extend(declared);
                restricted.extend(harness::restricted(program));
                all
            };
            front.add_unit_with(&name, text, &mut read, &mut harnesses);
        }
        Err(diagnostics) => {
            diagnostics.into_iter().for_each(|diagnostic| front.add_diagnostic(diagnostic));
        }
    }
}

/// The functions that the files define; only `main` when a program to be checked is written for verification.
pub(super) fn own_functions(c: &C) -> Vec<FuncId> {
    let program = &c.program;
    if let Purpose::Check { is_of_main, .. } = c.purpose
        && let Some(main) = main_of_task(program, is_of_main)
    {
        return vec![main];
    }
    let is_own = |id: &FuncId| {
        let function = program.function(*id);
        let is_written = matches!(function.origin, Origin::User | Origin::System);
        function.body.is_some() && is_written && is_from(program, *id, &c.paths)
    };
    program.function_ids().filter(is_own).collect()
}

/// `main`, when the program has the names that verification tasks use, or is to be seen as one. There `reach_error`
/// is a function like any other, and it always fails, so only runs from `main` count.
fn main_of_task(program: &Program, is_given: bool) -> Option<FuncId> {
    let main = program.function_named("main")?;
    program.function(main).body.as_ref()?;
    let is_task = program
        .functions
        .iter()
        .any(|function| function.name == "reach_error" || function.name.starts_with("__VERIFIER_"));
    (is_given || is_task).then_some(main)
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
    let is_model = program.is_in_model(span);
    paths.iter().any(|path| path == Path::new(&file.path) || (is_preprocessed(path) && !is_model))
}
