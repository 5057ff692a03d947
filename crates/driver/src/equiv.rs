//! Two versions of a file: does a function do the same in both?
//!
//! The older file is linked to the newer one with its definitions under other names, and the function gets the older one as
//! its reference: from there on it is a relation like any other.

use std::path::{Path, PathBuf};

use glassbox_ir::{GlobalKind, Linkage, Origin, Program};
use glassbox_replay::sandbox::{Limits, run};

use crate::c;
use crate::language::{self, Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::{Plan, Reference};
use crate::save::temporary_folder;

/// A file as it was in a revision of its git repository.
#[derive(Debug)]
struct Checkout {
    /// All files of the revision; they are there as long as this is.
    _folder: tempfile::TempDir,
    path: PathBuf,
}

/// Files of a plan that name revisions, `REV:FILE`, as they were then. The folders have to live as long as the plan.
#[derive(Debug, Default)]
pub struct Revisions(Vec<Checkout>);

impl Revisions {
    /// Replaces what names revisions by files. A file that is there is never taken for a revision.
    pub fn of(plan: &mut Plan) -> Result<Revisions, Refusal> {
        let mut all = Revisions::default();
        for path in &mut plan.intake.paths {
            let text = path.display().to_string();
            let Some((revision, file)) = text.split_once(':').filter(|_| !path.exists()) else {
                continue;
            };
            let checkout = check_out(revision, file)?;
            path.clone_from(&checkout.path);
            all.0.push(checkout);
        }
        Ok(all)
    }
}

/// Writes all files of a revision into a folder, with an index of its own: the user's is not touched.
fn check_out(revision: &str, file: &str) -> Result<Checkout, Refusal> {
    let folder = temporary_folder().map_err(Refusal::error)?;
    let current = std::env::current_dir().map_err(Refusal::error)?;
    let index = folder.path().join(".index").display().to_string();
    let git = |args: &[String]| -> Result<String, Refusal> {
        let env = [("GIT_INDEX_FILE", index.clone())];
        let finished = run(&current, "git", args, &env, Limits::compiler())
            .map_err(|error| Refusal::error(format!("git cannot be started: {error}")))?;
        if finished.succeeded() {
            return Ok(finished.output);
        }
        let why = finished.output.trim().to_owned();
        Err(Refusal::error(format!("`{revision}:{file}` is no file of a revision: {why}")))
    };
    let words = |args: &[&str]| args.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
    let prefix = git(&words(&["rev-parse", "--show-prefix"]))?.trim().to_owned();
    let top = git(&words(&["rev-parse", "--show-toplevel"]))?.trim().to_owned();
    // As git says it: from the top, or from here with a dot in front.
    let below = match file.strip_prefix("./") {
        Some(below) => format!("{prefix}{below}"),
        None => file.to_owned(),
    };
    let is_known =
        |below: &str| git(&words(&["cat-file", "-e", &format!("{revision}:{below}")])).is_ok();
    let below = if is_known(&below) { below } else { format!("{prefix}{file}") };
    git(&words(&["cat-file", "-e", &format!("{revision}:{below}")]))?;
    git(&words(&["read-tree", revision]))?;
    let prefix = format!("--prefix={}/", folder.path().display());
    git(&["-C".to_owned(), top, "checkout-index".to_owned(), "-a".to_owned(), prefix])?;
    let path = folder.path().join(below);
    Ok(Checkout { _folder: folder, path })
}

/// What the names of the older file's definitions end in.
pub(crate) const OLD: &str = "__old";

/// Makes of a plan whose paths are an older and a newer file one that compares a function of both.
pub fn compare(mut plan: Plan, function: &str, listener: &dyn Listener) -> Result<Plan, Refusal> {
    let [old, new] = plan.intake.paths.as_slice() else {
        return Err(Refusal::error("two files are compared: an older and a newer one"));
    };
    if !std::ptr::eq(language::of(&plan.intake)?, &c::ENTRY) {
        return Err(Refusal::error("only C files are compared"));
    }
    let (old, new) = (old.clone(), new.clone());
    let mut renamed = Vec::new();
    for (path, is_old) in [(&old, true), (&new, false)] {
        plan.intake.paths = vec![path.clone()];
        let read = language::read(&plan.intake, Purpose::Look, listener)?;
        let program = read.program();
        defines(program, function, path)?;
        if is_old {
            renamed = definitions(program);
        }
    }
    plan.intake.paths = vec![new];
    plan.intake.reference = Some(Reference { path: old, function: function.to_owned(), renamed });
    plan.functions = vec![function.to_owned()];
    Ok(plan)
}

fn defines(program: &Program, function: &str, path: &Path) -> Result<(), Refusal> {
    let is_it = |id| {
        let declared = program.function(id);
        declared.name == function && declared.body.is_some() && declared.origin == Origin::User
    };
    if program.function_ids().any(is_it) {
        return Ok(());
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
