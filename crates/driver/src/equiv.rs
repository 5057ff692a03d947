//! Two versions of a file: does a function do the same in both?
//!
//! The older file is linked to the newer one with its definitions under other names, and the function gets the older one as
//! its reference: from there on it is a relation like any other.

use std::collections::BTreeSet;
use std::path::Path;

use glassbox_ir::{FuncId, GlobalId, GlobalKind, Linkage, Operand, Origin, Program};
use glassbox_testcase::NotCompared;

use crate::language::{self, Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::{Plan, Reference};
use crate::revision::Revision;
use crate::{c, jvm};

/// Files of a plan that name revisions, `REV:FILE`, as they were then. They are there as long as this is.
#[derive(Debug, Default)]
pub struct Revisions(Vec<Revision>);

impl Revisions {
    /// Replaces what names revisions by files. A file that is there is never taken for a revision.
    pub fn of(plan: &mut Plan) -> Result<Revisions, Refusal> {
        let mut all = Revisions::default();
        for path in &mut plan.intake.paths {
            let text = path.display().to_string();
            let Some((name, file)) = text.split_once(':').filter(|_| !path.exists()) else {
                continue;
            };
            let none = |why: &str| {
                Refusal::error(format!("`{name}:{file}` is no file of a revision{why}"))
            };
            let revision = Revision::of(name).map_err(|why| none(&format!(": {why}")))?;
            *path = revision.file(file).ok_or_else(|| none(""))?;
            plan.intake.revisions.push(revision.place());
            all.0.push(revision);
        }
        Ok(all)
    }
}

/// What the names of the older file's definitions end in.
pub(crate) const OLD: &str = "__old";

/// Makes of a plan whose paths are an older and a newer file one that compares a function of both.
pub fn compare(mut plan: Plan, function: &str, listener: &dyn Listener) -> Result<Plan, Refusal> {
    let [old, new] = plan.intake.paths.as_slice() else {
        return Err(Refusal::error("two files are compared: an older and a newer one"));
    };
    let (old, new) = (old.clone(), new.clone());
    let entry = language::of(&plan.intake)?;
    if std::ptr::eq(entry, &jvm::ENTRY) {
        return jvm::older::compare(plan, (old, new), function, listener);
    }
    if !std::ptr::eq(entry, &c::ENTRY) {
        return Err(Refusal::error("versions of C and of Java files are compared"));
    }
    let mut renamed = Vec::new();
    for (path, is_old) in [(&old, true), (&new, false)] {
        plan.intake.paths = vec![path.clone()];
        let read = language::read(&plan.intake, Purpose::Look, listener)?;
        let program = read.program();
        let linkage = defines(program, function, path)?;
        if is_old {
            if linkage != Linkage::External {
                let message = format!(
                    "`{function}` is static in {}: the newer file cannot call it, so it is not compared",
                    path.display()
                );
                return Err(Refusal::error(message));
            }
            renamed = definitions(program);
        }
    }
    plan.intake.paths = vec![new];
    plan.intake.reference = Some(Reference { path: old, function: function.to_owned(), renamed });
    plan.functions = vec![function.to_owned()];
    Ok(plan)
}

/// Who sees the function that a file defines.
fn defines(program: &Program, function: &str, path: &Path) -> Result<Linkage, Refusal> {
    let is_it = |id| {
        let declared = program.function(id);
        declared.name == function && declared.body.is_some() && declared.origin == Origin::User
    };
    if let Some(id) = program.function_ids().find(|&id| is_it(id)) {
        return Ok(program.function(id).linkage);
    }
    Err(Refusal::error(format!("{} defines no function `{function}`", path.display())))
}

/// What other files see of a program, with new names.
fn definitions(program: &Program) -> Vec<(String, String)> {
    let functions = program.functions.iter().filter(|it| {
        it.linkage == Linkage::External && it.body.is_some() && it.origin == Origin::User
    });
    let globals = program.globals.iter().filter(|it| {
        it.linkage == Linkage::External
            && it.kind == GlobalKind::Variable
            && it.initializer.is_some()
    });
    let names = functions.map(|it| &it.name).chain(globals.map(|it| &it.name));
    names.map(|name| (name.clone(), format!("{name}{OLD}"))).collect()
}

/// What is not compared of the variables that functions of two versions have to do with: those that only the older file has,
/// and values that others begin with.
pub(crate) fn not_compared(program: &Program, functions: &[FuncId]) -> Vec<NotCompared> {
    let mut found = BTreeSet::new();
    // What they leave in variables is not followed, and it may differ between the versions.
    let has_constructors = !program.around_main.is_empty();
    let mut look = |id: GlobalId| {
        let older = program.global(id);
        if has_constructors && older.kind == GlobalKind::Variable && !older.is_const {
            found.insert(NotCompared::InitialValues);
        }
        let Some(base) = older.name.strip_suffix(OLD).filter(|_| !older.is_const) else { return };
        match program.globals.iter().find(|newer| newer.name == base) {
            None => found.insert(NotCompared::OlderVariables),
            Some(newer) if newer.initializer != older.initializer => {
                found.insert(NotCompared::InitialValues)
            }
            Some(_) => false,
        };
    };
    let bodies = functions.iter().filter_map(|&id| program.function(id).body.as_ref());
    for instr in bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs) {
        instr.kind.for_each_operand(|operand: &Operand| {
            if let Operand::Global(id) = operand {
                look(*id);
            }
        });
    }
    found.into_iter().collect()
}
