//! The written tests, counted again by gcov and, where it is installed, by clang.

use std::collections::BTreeMap;
use std::path::Path;

use glassbox_ir::FuncId;
use glassbox_replay::clang::{self, Clang};
use glassbox_replay::gcov;
use glassbox_replay::written::{CountingCompiler, build, run_program};

use super::C;
use super::intake::unit_of;
use super::test_files::{source_path, test_program, tests_folder};
use crate::language::Recount;
use crate::plan::Plan;

/// By function: what was counted in its test program.
pub(super) fn recount(
    c: &C,
    plan: &Plan,
    functions: &[FuncId],
) -> Result<BTreeMap<FuncId, Recount>, String> {
    let mut all = BTreeMap::new();
    for unit in &c.units {
        let folder = tests_folder(plan, unit);
        let written = |&function: &FuncId| {
            let program = test_program(&c.program, function);
            let is_its = unit_of(&c.program, function, &c.units) == Some(unit);
            let is_there =
                ["c", "cc"].iter().any(|kind| folder.join(&program).with_extension(kind).is_file());
            (is_its && is_there).then_some((function, program))
        };
        let programs: Vec<(FuncId, String)> = functions.iter().filter_map(written).collect();
        if !programs.is_empty() {
            all.append(&mut count(c, plan, &folder, programs)?);
        }
    }
    Ok(all)
}

/// Counts in the test programs of one folder.
fn count(
    c: &C,
    plan: &Plan,
    folder: &Path,
    programs: Vec<(FuncId, String)>,
) -> Result<BTreeMap<FuncId, Recount>, String> {
    let names: Vec<String> = programs.iter().map(|(_, name)| name.clone()).collect();
    let counted = |compiler: CountingCompiler<'_>| {
        let scratch =
            tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let built = build(folder, scratch.path(), &names, compiler);
        built.map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok::<_, String>(scratch)
    };
    let by_gcov = counted(CountingCompiler { command: &plan.intake.compiler, flags: gcov::FLAG })?;
    let clang = Clang::find();
    let by_clang = match &clang {
        Some(clang) => {
            let command = clang.command();
            Some((clang, counted(CountingCompiler { command: &command, flags: clang::FLAGS })?))
        }
        None => None,
    };
    let mut all = BTreeMap::new();
    for (function, program) in programs {
        let Some(source) = source_path(c, function) else { continue };
        let mut recount = Recount::default();
        match run_program(by_gcov.path(), &program) {
            Ok(ran) if ran.succeeded() => {}
            Ok(ran) => recount.failures.push(last_line(&ran.output)),
            Err(error) => recount.failures.push(error.to_string()),
        }
        recount.lines = gcov::line_counts(by_gcov.path(), &program, &source);
        if let Some((clang, scratch)) = &by_clang {
            // What clang's program does otherwise, gcc's may do as well: then nothing is compared.
            if run_program(scratch.path(), &program).is_ok_and(|ran| ran.succeeded()) {
                recount.conditions = clang.counts(scratch.path(), &program, &source);
                recount.tool = Some(clang.command());
            }
        } else {
            let note =
                "conditions are not counted again: clang 18 or later with llvm-cov is missing";
            recount.notes.push(note.to_owned());
        }
        all.insert(function, recount);
    }
    Ok(all)
}

fn last_line(output: &str) -> String {
    let failed = output.lines().find(|line| line.starts_with("FAIL"));
    failed.or(output.lines().last()).unwrap_or("it did not end").to_owned()
}
