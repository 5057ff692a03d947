//! The name of a function's result: the same key, the same result.
//!
//! It is a digest of what the function depends on (`depends`), the compiler and its flags, and what the user asked
//! for.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::FuncId;

use super::digest::Digest;
use crate::depends::{dependences, named};
use crate::drive::Case;
use crate::language::Grouping;
use crate::plan::{Budget, Check, Generate, Intake, Plan, Task};

/// The keys of functions, in their order. `None` where it is not known what results depend on.
pub(crate) fn keys(case: &Case<'_>, build: &str) -> Option<Vec<String>> {
    if case.plan.second_opinion.is_some() {
        return None;
    }
    let mut common = Digest::default();
    common.add(build);
    common.add(&options(case.plan));
    common.add(&case.language.surroundings(case.plan)?);
    let program = case.program();
    match case.language.grouping() {
        // Tests are built and named together: one that changes may change all.
        Grouping::Together => {
            for &function in case.functions {
                common.add(&named(program, function));
                common.add_value(&case.beginnings.get(&function)?.seeds);
            }
            let common = common.finish();
            let key =
                |&function: &FuncId| Digest::of(&format!("{common} {}", named(program, function)));
            Some(case.functions.iter().map(key).collect())
        }
        Grouping::Some => {
            let common = common.finish();
            let starts: Vec<Vec<FuncId>> =
                case.functions.iter().map(|&function| starts(case, function)).collect();
            let known = of_starts(case, &starts);
            let key = |(&function, starts): (&FuncId, &Vec<FuncId>)| {
                let beginning = case.beginnings.get(&function)?;
                let mut digest = Digest::default();
                digest.add(&beginning.dependence.digest);
                for start in starts {
                    digest.add(known.get(start)?);
                }
                digest.add(&common);
                digest.add(&beginning.dependence.among);
                digest.add_value(&case.language.keeps_apart(function));
                // What is tried first may be what is found.
                digest.add_value(&beginning.seeds);
                Some(digest.finish())
            };
            case.functions.iter().zip(&starts).map(key).collect()
        }
    }
}

/// What the functions that runs start in depend on. There are none in most runs, and one may be the start of many.
fn of_starts(case: &Case<'_>, starts: &[Vec<FuncId>]) -> BTreeMap<FuncId, String> {
    let all: BTreeSet<FuncId> = starts.iter().flatten().copied().collect();
    if all.is_empty() {
        return BTreeMap::new();
    }
    let all: Vec<FuncId> = all.into_iter().collect();
    let found = dependences(case.program(), &all, case.language.config());
    all.into_iter().zip(found.into_iter().map(|dependence| dependence.digest)).collect()
}

/// Where runs start for the goals of a function, besides the function itself.
fn starts(case: &Case<'_>, function: FuncId) -> Vec<FuncId> {
    match &case.plan.task {
        Task::Generate(task) => case.language.starts(task.scope, function).unwrap_or_default(),
        Task::Check(_) => Vec::new(),
    }
}

/// The options that change what is found. Every part of a plan is named here, so that a new one is not forgotten.
fn options(plan: &Plan) -> String {
    let Plan {
        intake,
        functions: _,
        only: _,
        replaces_tests: _,
        out: _,
        budget,
        overflow,
        executes,
        task,
        environment,
        second_opinion: _,
        keeping: _,
    } = plan;
    let Intake {
        paths: _,
        links: _,
        own_stubs: _,
        database: _,
        compiler,
        is_compiler_given: _,
        compiler_flags,
        target,
        config: _,
        classes,
        methods,
        class_path,
        assertions,
        is_colored: _,
        mutated,
        reference,
        // What is read is in the program.
        revisions: _,
        moved_to: _,
        overlay: _,
        texts: _,
    } = intake;
    let Budget { seed, paths, length, time, clock, memory, jobs: _ } = budget;
    let intake = (compiler, compiler_flags, target, classes, methods, class_path, assertions);
    let compared = (mutated, reference);
    let budget = (seed, paths, length, time, clock, memory);
    let how = (overflow, executes, &environment.variables);
    let task = match task {
        Task::Generate(task) => {
            let Generate {
                criteria,
                framework,
                formats: _,
                stub_writes,
                all,
                random,
                allows_reflection,
                // It changes texts alone.
                mocks: _,
                wanted,
                scope,
                describes_lines,
            } = task;
            let how =
                (framework, stub_writes, all, random, allows_reflection, describes_lines, scope);
            format!("gen {criteria:?} {how:?} {wanted:?}")
        }
        Task::Check(task) => {
            let Check {
                formats: _,
                unwind,
                scope,
                allocation_may_fail,
                uninitialized,
                proves,
                entries,
                baseline: _,
                framework: _,
            } = task;
            let how = (unwind, allocation_may_fail, uninitialized, proves, entries);
            format!("check {how:?} {scope:?}")
        }
    };
    format!("{intake:?} {compared:?} {budget:?} {how:?} {task}")
}
