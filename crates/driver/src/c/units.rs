//! The units that a plan names, each with its own flags: files, folders, a compilation database.
//!
//! Files that are named make one program, as a linker would. Folders and databases say nothing about what is linked
//! with what, and have several `main`s: there every unit is a program of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_c_front::compdb::{Database, Entry, is_foreign};
use glassbox_c_front::diagnostics::{Diagnostic, SetupProblem, render};
use glassbox_c_front::linemap::SourceMap;
use glassbox_c_front::spelling::spelled_out;

use super::header_folders::header_folders;
use super::{stub_file, target};
use crate::language::Refusal;
use crate::listener::Listener;
use crate::plan::{Intake, Reference};

/// One C file and how it is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// Relative to the current folder, where the file is below it.
    pub(super) path: PathBuf,
    /// A compiler for another machine that the database names for it.
    pub(super) foreign: Option<String>,
    /// The compiler of its machine, where that is another one.
    pub(super) compiler: Option<String>,
    /// Those of the database with paths that hold from anywhere, then those of the command line.
    pub(super) flags: Vec<String>,
    /// Where its tests go in the folder of tests; empty where there is no other unit.
    pub(super) folder: PathBuf,
    /// What it has: functions with tests of their own, or only what others call.
    pub(super) role: Role,
}

/// What a unit is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Tested,
    /// Its code takes the place of stubs.
    Linked,
    /// The same, beside the tests, whose Makefile knows it.
    OwnStubs,
}

/// Units by the program that they are read as.
#[derive(Debug)]
pub(super) enum Programs {
    /// One program.
    Linked(Vec<Unit>),
    /// Many, each of one unit that is tested and those that are linked to it.
    Each(Vec<Vec<Unit>>),
}

/// What names databases in a folder that is given, as build systems leave them.
const DATABASES: [&str; 2] = ["compile_commands.json", "build/compile_commands.json"];

/// The database of the nearest folder above a file that has one.
pub fn nearest_database(file: &Path) -> Option<PathBuf> {
    let full = std::path::absolute(file).ok()?;
    let folders = full.ancestors().skip(1);
    let mut found = folders.flat_map(|folder| DATABASES.iter().map(move |name| folder.join(name)));
    found.find(|path| path.is_file())
}

/// Whether a folder has sources of Java in it.
fn has_java(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| path.extension().is_some_and(|end| end == "java"))
}

/// How deep folders are looked through.
const MAX_DEPTH: usize = 64;

pub(super) fn programs(intake: &Intake, listener: &dyn Listener) -> Result<Programs, Refusal> {
    let current = std::env::current_dir().unwrap_or_default();
    let given = intake.is_compiler_given.then_some(intake.compiler.as_str());
    let machine = intake.target.as_deref().map(|triple| target::chosen(triple, given));
    let machine = machine.transpose().map_err(Refusal::error)?;
    let database = match &intake.database {
        Some(path) => Some(read_database(path, listener)?),
        None => None,
    };
    let listed: Vec<Listed> = if intake.paths.is_empty() {
        database.iter().flat_map(|database| of_entries(database, |_| true)).collect()
    } else {
        let mut listed = Vec::new();
        for path in &intake.paths {
            if path.is_dir() {
                listed.extend(in_folder(path, database.as_ref(), &current, listener)?);
            } else {
                listed.push(named(path, intake, database.as_ref(), listener));
            }
        }
        listed
    };
    let shown = |path: PathBuf| match path.strip_prefix(&current).or(path.strip_prefix(".")) {
        Ok(below) => below.to_path_buf(),
        Err(_) => path,
    };
    let unit = |Listed { path, mut flags, compiler }: Listed| {
        let read = |path: &Path| fs::read_to_string(path);
        flags.extend(spelled_out(&intake.compiler_flags, &current, &read));
        let of_file = || intake.revisions.iter().find(|revision| revision.has(&path));
        if let Some(revision) = intake.moved_to.as_ref().or_else(of_file) {
            flags = revision.moved_flags(&flags);
        }
        let path = match &intake.moved_to {
            Some(revision) if path.is_absolute() => revision.moved(&path),
            Some(_) | None => path,
        };
        let mut foreign = compiler.filter(|name| is_foreign(name) && !intake.is_compiler_given);
        let of_database = foreign.as_deref().and_then(target::of_compiler);
        let chosen = machine.clone().or(of_database);
        let mut compiler = None;
        if let Some(chosen) = chosen {
            foreign = None;
            flags.extend(chosen.flags);
            compiler = chosen.compiler;
        }
        let (folder, role) = (PathBuf::new(), Role::Tested);
        Unit { path: shown(path), foreign, compiler, flags, folder, role }
    };
    let mut units: Vec<Unit> = listed.into_iter().map(unit).collect();
    let links = intake.links.iter().map(|path| named(path, intake, database.as_ref(), listener));
    let links = links.map(|listed| Unit { role: Role::Linked, ..unit(listed) });
    let links: Vec<Unit> = links.collect();
    if units.is_empty() {
        let help = if intake.paths.iter().any(|path| has_java(path)) {
            "\nhelp: Java is read from sources, class files, folders of them and jars: name the .java files"
        } else {
            ""
        };
        return Err(Refusal::error(format!("there is no C file here{help}")));
    }
    choose_folders(&mut units);
    // What the others are compared with is read first.
    if let Some(Reference { path, renamed, .. }) = &intake.reference {
        let older = named(path, intake, database.as_ref(), listener);
        let mut older = Unit { role: Role::Linked, ..unit(older) };
        older.flags.extend(renamed.iter().map(|(name, new)| format!("-D{name}={new}")));
        units.insert(0, older);
    }
    let own_stubs = |unit: &Unit| {
        let path = stub_file::written(intake.own_stubs.as_ref()?, &unit.folder)?;
        let (folder, role) = (PathBuf::new(), Role::OwnStubs);
        Some(Unit { path: shown(path), folder, role, ..unit.clone() })
    };
    let is_each = intake.paths.is_empty() || intake.paths.iter().any(|path| path.is_dir());
    let with_links = |mut units: Vec<Unit>| {
        let is_new = |link: &&Unit| !units.iter().any(|unit| is_same(&unit.path, &link.path));
        let mut new: Vec<Unit> = links.iter().filter(is_new).cloned().collect();
        new.extend(units.iter().filter_map(own_stubs));
        units.extend(new);
        units
    };
    Ok(if is_each {
        Programs::Each(units.into_iter().map(|unit| with_links(vec![unit])).collect())
    } else {
        Programs::Linked(with_links(units))
    })
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// A database; entries that are of no use are reported, and cost nothing else.
fn read_database(path: &Path, listener: &dyn Listener) -> Result<Database, Refusal> {
    let (database, diagnostics) = Database::read(path);
    let shown = |diagnostic: &Diagnostic| {
        render::render(diagnostic, &SourceMap::default(), render::Color::Plain)
    };
    if database.entries.is_empty() {
        let text: String = diagnostics.iter().map(shown).collect();
        let nothing = || format!("{}: error: there is no entry that can be used\n", path.display());
        return Err(Refusal(if text.is_empty() { nothing() } else { text }));
    }
    for text in diagnostics.iter().map(shown) {
        listener.diagnostic(&text);
    }
    Ok(database)
}

/// A file that is to be read.
struct Listed {
    path: PathBuf,
    flags: Vec<String>,
    /// As the database has it.
    compiler: Option<String>,
}

impl Listed {
    fn of(entry: &Entry) -> Listed {
        Listed {
            path: entry.file.clone(),
            flags: entry.located_flags(),
            compiler: Some(entry.compiler.clone()),
        }
    }
}

fn of_entries(database: &Database, is_wanted: impl Fn(&Path) -> bool) -> Vec<Listed> {
    let entries = database.entries.iter();
    entries.filter(|entry| is_c(&entry.file) && is_wanted(&entry.file)).map(Listed::of).collect()
}

/// A file that was named, with what the database knows about it.
fn named(
    path: &Path,
    intake: &Intake,
    database: Option<&Database>,
    listener: &dyn Listener,
) -> Listed {
    let current = std::env::current_dir().unwrap_or_default();
    let entry = database.and_then(|database| database.find(path, &current));
    if let (None, Some(database)) = (entry, &intake.database) {
        let (path, database) = (path.display().to_string(), database.display().to_string());
        let problem = SetupProblem::NotInDatabase { path, database };
        listener.diagnostic(&format!("{problem}\n"));
    }
    let unknown = || Listed { path: path.to_owned(), flags: Vec::new(), compiler: None };
    entry.map_or_else(unknown, |entry| Listed { path: path.to_owned(), ..Listed::of(entry) })
}

/// What a folder holds: what a database says about it, or every C file in it and below.
fn in_folder(
    folder: &Path,
    given: Option<&Database>,
    current: &Path,
    listener: &dyn Listener,
) -> Result<Vec<Listed>, Refusal> {
    let beside = DATABASES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    let found = match (given, beside) {
        (None, Some(path)) => Some(read_database(&path, listener)?),
        (None, None) | (Some(_), _) => None,
    };
    let Some(database) = given.or(found.as_ref()) else {
        let mut all = Vec::new();
        collect(folder, 0, &mut all);
        let flags: Vec<String> = header_folders(&all)
            .iter()
            .map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))
            .flat_map(|folder| ["-idirafter".to_owned(), folder.display().to_string()])
            .collect();
        let unknown = |path| Listed { path, flags: flags.clone(), compiler: None };
        return Ok(all.into_iter().filter(|path| is_c(path)).map(unknown).collect());
    };
    let root = fs::canonicalize(folder).unwrap_or_else(|_| current.join(folder));
    let is_below = |path: &Path| {
        path.starts_with(&root) || fs::canonicalize(path).is_ok_and(|path| path.starts_with(&root))
    };
    Ok(of_entries(database, is_below))
}

/// C files and headers in order; what is hidden, and folders that hold our own results, are left out.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    for path in paths {
        // A link to a folder may lead back.
        let is_folder = path.is_dir() && !path.is_symlink();
        if is_folder && depth < MAX_DEPTH && !is_hidden(&path) && !is_result(&path) {
            collect(&path, depth + 1, files);
        } else if (is_c(&path) || is_header(&path)) && path.is_file() {
            files.push(path);
        }
    }
}

fn is_result(folder: &Path) -> bool {
    folder.join("suite.json").is_file() && folder.join("tests").is_dir()
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "h" || extension == "inc")
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// Each of several units gets a folder of its own, named as the file is from where they all are.
fn choose_folders(units: &mut [Unit]) {
    if units.len() < 2 {
        return;
    }
    let full = |unit: &Unit| {
        let path = std::path::absolute(&unit.path).unwrap_or_else(|_| unit.path.clone());
        fs::canonicalize(&path).unwrap_or(path)
    };
    let paths: Vec<PathBuf> = units.iter().map(full).collect();
    let mut root = paths[0].parent().unwrap_or(Path::new("/"));
    while !paths.iter().all(|path| path.starts_with(root)) {
        root = root.parent().unwrap_or(Path::new("/"));
    }
    let below =
        |path: &PathBuf| path.strip_prefix(root).map_or_else(|_| path.clone(), Path::to_path_buf);
    let mut n_named: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for path in &paths {
        *n_named.entry(below(path).with_extension("")).or_default() += 1;
    }
    for (unit, path) in units.iter_mut().zip(&paths) {
        let plain = below(path).with_extension("");
        // The Makefile of all units is beside the folders.
        let is_free = n_named[&plain] == 1 && plain != Path::new("Makefile");
        unit.folder = if is_free { plain } else { below(path) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Unit, choose_folders};
    use std::path::{Path, PathBuf};

    #[test]
    fn every_unit_has_its_own_folder() {
        let unit = |path: &str| Unit {
            path: path.into(),
            flags: Vec::new(),
            folder: PathBuf::new(),
            foreign: None,
            compiler: None,
            role: Role::Tested,
        };
        let mut units =
            ["/p/src/a.c", "/p/src/core/a.c", "/p/src/core/a.i", "/p/src/Makefile.c"].map(unit);
        choose_folders(&mut units);
        let folders: Vec<&Path> = units.iter().map(|unit| unit.folder.as_path()).collect();
        assert_eq!(folders, ["a", "core/a.c", "core/a.i", "Makefile.c"].map(Path::new));
        let mut one = [unit("/p/src/a.c")];
        choose_folders(&mut one);
        assert_eq!(one[0].folder, Path::new(""));
    }
}
