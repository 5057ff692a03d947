//! The other files of a program: compiled once, with their own flags, and linked to the tests of every file.

use std::path::{Path, PathBuf};

use glassbox_emit::flags::split;
use glassbox_emit::makefile::Object;
use glassbox_emit::stub::renamed;
use glassbox_ir::{FuncId, OverflowMode};
use glassbox_replay::compiler::Compiler;
use glassbox_replay::violation::sanitizer_flags;

use super::C;
use super::intake::unit_of;
use super::test_files::relative;
use super::units::{Role, Unit};
use crate::language::Language;
use crate::plan::{Plan, Task};
use crate::save::temporary_folder;

/// Compiled units.
#[derive(Debug)]
pub(super) struct Objects {
    /// Goes with the files in it.
    _folder: tempfile::TempDir,
    /// By unit.
    paths: Vec<PathBuf>,
}

/// A `main` of another file does not stand in the way of that of the tests, and stubs of functions of the system are
/// stubs there, too.
fn unit_flags(c: &C, unit: &Unit, position: usize) -> Vec<String> {
    let mut flags = absolute_flags(&unit.flags);
    flags.push(format!("-Dmain=glassbox_main_{position}"));
    flags.extend(renamed(&c.program).into_iter().map(|(name, stub)| format!("-D{name}={stub}")));
    flags
}

/// What compiles the tests of a function: the flags of its unit, and the other units.
pub(super) fn compiler(c: &C, plan: &Plan, function: FuncId) -> Result<Compiler, String> {
    let Some(unit) = unit_of(&c.program, function, &c.units) else {
        return Err("the source file cannot be found again".to_owned());
    };
    let mut flags = absolute_flags(&unit.flags);
    if c.units.len() > 1 {
        let objects = c.objects.get_or_init(|| compile(c, plan)).as_ref().map_err(Clone::clone)?;
        let others = c.units.iter().zip(&objects.paths).filter(|(other, _)| *other != unit);
        flags.extend(others.map(|(_, path)| path.display().to_string()));
    }
    let command = unit.compiler.as_ref().unwrap_or(&plan.intake.compiler).clone();
    Ok(Compiler { command, flags: split(&flags) })
}

fn compile(c: &C, plan: &Plan) -> Result<Objects, String> {
    let folder = temporary_folder()?;
    let more = match &plan.task {
        Task::Generate(_) => Vec::new(),
        Task::Check(_) => sanitizer_flags(c.overflow(plan) == OverflowMode::Wrap),
    };
    let mut paths = Vec::new();
    for (position, unit) in c.units.iter().enumerate() {
        let compiler = Compiler {
            command: unit.compiler.as_ref().unwrap_or(&plan.intake.compiler).clone(),
            flags: split(&[unit_flags(c, unit, position), more.clone()].concat()),
        };
        let source = std::path::absolute(&unit.path).unwrap_or_else(|_| unit.path.clone());
        let name = format!("unit_{position}.o");
        let built = compiler.object(folder.path(), &source.display().to_string(), &name);
        let built = built.map_err(|error| format!("{}: {error}", source.display()))?;
        if !built.succeeded() {
            return Err(format!("{} does not compile:\n{}", unit.path.display(), built.output));
        }
        paths.push(folder.path().join(name));
    }
    Ok(Objects { _folder: folder, paths })
}

/// The other units in the Makefile of one unit's tests, which are in `folder`.
pub(super) fn linked(c: &C, unit: &Unit, folder: &Path, more: &[String]) -> Vec<Object> {
    // The Makefile has a rule for stubs of one's own.
    let is_other = |other: &Unit| *other != *unit && other.role != Role::OwnStubs;
    let others = c.units.iter().enumerate().filter(|(_, other)| is_other(other));
    let object = |(position, other): (usize, &Unit)| {
        let source = std::fs::canonicalize(&other.path).unwrap_or_else(|_| other.path.clone());
        Object {
            name: format!("unit_{position}.o"),
            source: relative(folder, &source).display().to_string(),
            flags: split(&[unit_flags(c, other, position), more.to_vec()].concat()).unit,
        }
    };
    others.map(object).collect()
}

/// Paths in flags that hold from wherever the compiler runs.
pub(super) fn absolute_flags(flags: &[String]) -> Vec<String> {
    let current = std::env::current_dir().unwrap_or_default();
    glassbox_c_front::flags::located(flags, &current)
}
