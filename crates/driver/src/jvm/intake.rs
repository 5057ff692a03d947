//! From class files, jars, folders and Java sources to a program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glassbox_coverage::scope::scope;
use glassbox_interp::{Initializers, Started};
use glassbox_ir::FuncId;
use glassbox_jvm_front::classfile::ClassFile;
use glassbox_jvm_front::classpath::{is_closed_jar, named_by_jar, release};
use glassbox_jvm_front::{
    ClassPath, JavaProgram, Options, Properties, Selection, Surroundings, translate,
};
use glassbox_libc::JavaLibrary;
use glassbox_replay::ReplayError;
use glassbox_replay::java::Jdk;
use glassbox_testcase::recipe::Visibility;

use super::Jvm;
use super::contract::{self, Contracts};
use super::mutants::{self, Mutants};
use super::older::Older;
use super::parts::Portion;
use super::run::MAIN;
use super::statics::Statics;
use crate::language::{Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::Intake;
use crate::save::temporary_folder;

/// Whether the paths name Java and not another language.
pub(super) fn accepts(intake: &Intake) -> bool {
    // Without paths, `--class` names a class of the JDK.
    (intake.paths.is_empty() && intake.database.is_none())
        || intake.paths.iter().any(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("class" | "jar" | "java")) || has_classes(path, 0)
        })
}

/// Whether a folder holds class files, itself or below.
fn has_classes(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.iter().any(|path| path.extension().is_some_and(|extension| extension == "class"))
        || (depth < 32 && paths.iter().any(|path| path.is_dir() && has_classes(path, depth + 1)))
}

/// Classes on disk, and what to remove when they are no longer needed.
#[derive(Debug)]
pub(super) struct Classes {
    paths: Vec<PathBuf>,
    /// For compilers and JVMs.
    pub(super) class_path: String,
    /// The same without what is removed at the end.
    pub(super) given_path: String,
    /// Sources as they were given.
    pub(super) sources: Vec<PathBuf>,
    folders: Vec<tempfile::TempDir>,
}

/// Reads the classes and translates the selected methods.
pub(super) fn read(
    intake: &Intake,
    portion: Option<&Portion>,
    purpose: Purpose,
    listener: &dyn Listener,
) -> Result<Jvm, Refusal> {
    if let Some(missing) = intake.paths.iter().chain(&intake.class_path).find(|p| !p.exists()) {
        return Err(Refusal(format!("{}: error: no such file or folder\n", missing.display())));
    }
    let jdk = Jdk::find();
    let has_compiler = jdk.as_ref().is_some_and(Jdk::has_compiler);
    let mut classes = classes(intake);
    let is_executed = matches!(purpose, Purpose::Generate | Purpose::Check { .. });
    if (is_executed || !classes.sources.is_empty()) && !has_compiler {
        return Err(Refusal::error("no JDK is found: set JAVA_HOME, or put javac on the path"));
    }
    if let Some(jdk) = &jdk {
        classes.compile(jdk, intake)?;
        if is_executed {
            classes.open_jars(jdk).map_err(Refusal::error)?;
        }
    }
    let mut mutants = Mutants::asked_by(intake);
    let mut older_classes = None;
    if let (Some(jdk), Some(reference), Purpose::Check { .. }) = (&jdk, &intake.reference, purpose)
    {
        let older = Intake { paths: vec![reference.path.clone()], ..intake.clone() };
        let mut found = self::classes(&older);
        found.compile(jdk, &older)?;
        let (paths, behind) = (&found.paths, &intake.class_path);
        mutants.older = Some(Older::read(paths, behind, &jdk.home, &reference.function)?);
        found.open_jars(jdk).map_err(Refusal::error)?;
        older_classes = Some(found);
    }
    let mut contracts = contracts(intake, purpose, (jdk.as_ref(), &classes), &mut mutants)?;
    let home = jdk.as_ref().map(|jdk| jdk.home.as_path());
    let mut behind = intake.class_path.clone();
    let mut selection = selection(intake, portion, purpose);
    if let Some(contracts) = &contracts {
        let is_first = portion.is_none_or(|portion| portion.is_first);
        for method in contracts.left_out.iter().filter(|_| is_first) {
            let what = format!("annotations of {method} do not compile as contracts");
            listener.diagnostic(&format!("warning: left out: {what}\n"));
        }
        behind.extend(contracts.folder.iter().map(|folder| folder.path().join("classes")));
        selection.contracts.clone_from(&contracts.methods);
        selection.mutants = std::mem::take(&mut mutants.made);
    }
    let mut java = ClassPath::new(&classes.paths, &behind, home)
        .and_then(|class_path| translate(class_path, &selection, options(intake, purpose)))
        .map_err(|diagnostic| Refusal(format!("{diagnostic}\n")))?;
    for diagnostic in &java.skipped {
        listener.diagnostic(&format!("warning: left out: {diagnostic}\n"));
    }
    let moved = attach_sources(&mut java, intake);
    if let Some(contracts) = &mut contracts {
        contracts.follow(&moved);
    }
    let started = if is_executed { start(&mut java) } else { Started::default() };
    let statics = if is_executed { Statics::new(&java.program) } else { Statics::default() };
    let entries = entries(&java, intake, purpose);
    let assertions = intake.assertions;
    let is_portion = portion.is_some();
    let older_left_out = std::mem::take(&mut mutants.older_left_out);
    let mutants = mutants.described;
    let mut jvm = Jvm {
        java,
        jdk,
        classes,
        assertions,
        purpose,
        is_portion,
        contracts,
        entries,
        started,
        statics,
        mutants,
        older: older_classes,
        older_left_out,
    };
    jvm.java.program.changes = mutants::changes(&jvm);
    Ok(jvm)
}

/// Initializes the classes of the JDK.
fn start(java: &mut JavaProgram) -> Started {
    let initializers = Initializers {
        functions: java.beginnings.initializers.clone(),
        surroundings: java.beginnings.surroundings,
    };
    let started = Started::of(&java.program, &initializers, || Box::new(JavaLibrary::new()));
    for program in std::iter::once(&mut java.program).chain(&mut java.outcomes) {
        started.apply(program);
    }
    started
}

/// What is worked on where no functions are named. Errors in private methods are looked for where others call them,
/// with the arguments that they get there.
fn entries(java: &JavaProgram, intake: &Intake, purpose: Purpose) -> Vec<FuncId> {
    if !matches!(purpose, Purpose::Check { .. }) || !intake.methods.is_empty() {
        return java.entries.clone();
    }
    let is_private = |function: &FuncId| {
        java.recipes.method(*function) == Visibility::Private && !java.hidden.contains(function)
    };
    let (private, mut entries): (Vec<FuncId>, Vec<FuncId>) =
        java.entries.iter().partition(|function| is_private(function));
    let mut called: BTreeSet<FuncId> =
        entries.iter().flat_map(|&entry| scope(&java.program, entry, &entries)).collect();
    for function in private {
        if !called.contains(&function) {
            called.extend(scope(&java.program, function, &[]));
            entries.push(function);
        }
    }
    entries.sort_by_key(|entry| java.entries.iter().position(|known| known == entry));
    entries
}

fn selection(intake: &Intake, portion: Option<&Portion>, purpose: Purpose) -> Selection {
    let methods = if intake.methods.is_empty() && purpose == Purpose::Run {
        vec![MAIN.to_owned()]
    } else {
        intake.methods.clone()
    };
    let classes = portion.map_or(&intake.classes, |portion| &portion.classes).clone();
    let skips_unreadable = portion.is_some();
    Selection { classes, skips_unreadable, methods, ..Selection::default() }
}

/// The contracts of the nearest file, compiled.
fn contracts(
    intake: &Intake,
    purpose: Purpose,
    (jdk, classes): (Option<&Jdk>, &Classes),
    mutants: &mut Mutants,
) -> Result<Option<Contracts>, Refusal> {
    let is_asked =
        matches!(purpose, Purpose::Generate | Purpose::Check { .. }) || mutants.is_asked();
    let Some(jdk) = jdk.filter(|_| is_asked && !intake.paths.is_empty()) else { return Ok(None) };
    let config = glassbox_contract::load(intake.config.as_deref(), &intake.paths)
        .map_err(|complaint| Refusal(complaint.to_string()))?;
    contract::compile(jdk, config, &classes.paths, &intake.class_path, mutants)
}

fn options(intake: &Intake, purpose: Purpose) -> Options {
    let common = Options { assertions: intake.assertions, ..Options::default() };
    match purpose {
        Purpose::Generate => Options { plain_messages: true, has_harnesses: true, ..common },
        Purpose::Check { uncaught, .. } => {
            let properties = if uncaught { Properties::AllExceptions } else { Properties::Errors };
            Options { plain_messages: true, has_harnesses: true, properties, ..common }
        }
        Purpose::Run => Options { surroundings: Surroundings::Imitated, ..common },
        Purpose::Look => common,
    }
}

/// What is given, sources apart.
fn classes(intake: &Intake) -> Classes {
    let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "java");
    let (sources, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        intake.paths.iter().cloned().partition(is_source);
    let given_path = join(&paths, &intake.class_path);
    Classes { paths, class_path: given_path.clone(), given_path, sources, folders: Vec::new() }
}

impl Classes {
    /// Compiles what is given as source.
    fn compile(&mut self, jdk: &Jdk, intake: &Intake) -> Result<(), Refusal> {
        if self.sources.is_empty() {
            return Ok(());
        }
        let made = temporary_folder().map_err(Refusal::error)?;
        jdk.compile(&self.sources, &self.given_path, made.path()).map_err(|error| match error {
            ReplayError::DoesNotCompile(output) => Refusal(output),
            ReplayError::Io(..) => Refusal::error(error),
        })?;
        self.paths.insert(0, made.path().to_owned());
        self.class_path = join(&self.paths, &intake.class_path);
        self.folders.push(made);
        Ok(())
    }

    /// Unpacks jars that tests could not join: those that are sealed or signed.
    fn open_jars(&mut self, jdk: &Jdk) -> Result<(), String> {
        let given = self.class_path.clone();
        for part in given.split(':').filter(|part| is_closed_jar(Path::new(part))) {
            let unpacked = temporary_folder()?;
            jdk.unpack(Path::new(part), unpacked.path()).map_err(|error| error.to_string())?;
            // A folder has no versions and no manifest.
            overlay_versions(unpacked.path(), release(&jdk.home));
            let own = unpacked.path().display().to_string();
            let named = named_by_jar(Path::new(part));
            let named = named.iter().map(|path| path.display().to_string());
            let all: Vec<String> = std::iter::once(own).chain(named).collect();
            self.class_path = self.class_path.replace(part, &all.join(":"));
            self.folders.push(unpacked);
        }
        Ok(())
    }
}

/// Puts the classes for newer versions of Java over the others, as the JVM does for jars.
fn overlay_versions(folder: &Path, release: u32) {
    for version in 9..=release.min(99) {
        let from = folder.join(format!("META-INF/versions/{version}"));
        copy_over(&from, folder, 0);
    }
}

fn copy_over(from: &Path, to: &Path, depth: usize) {
    let Ok(entries) = std::fs::read_dir(from) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() && depth < 32 {
            let _ = std::fs::create_dir_all(to.join(name));
            copy_over(&path, &to.join(name), depth + 1);
        } else {
            // What cannot be copied is found missing when it is run.
            let _ = std::fs::copy(&path, to.join(name));
        }
    }
}

/// A class path of absolute places.
fn join(paths: &[PathBuf], behind: &[PathBuf]) -> String {
    let all = paths.iter().chain(behind).map(|path| {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        // A class file stands for the folder that its package starts in.
        if path.extension().is_some_and(|e| e == "class") { class_root(&path) } else { path }
    });
    all.map(|path| path.display().to_string()).collect::<Vec<_>>().join(":")
}

/// The folder where the package of a class file starts.
fn class_root(path: &Path) -> PathBuf {
    let name = std::fs::read(path).ok().and_then(|bytes| {
        let class = ClassFile::read(&bytes).ok()?;
        Some(class.name.to_string())
    });
    let mut root = path.parent().map(Path::to_owned).unwrap_or_default();
    for _ in name.unwrap_or_default().matches('/') {
        root.pop();
    }
    root
}

/// Texts of the sources that are beside the classes, so that places can be shown.
fn attach_sources(java: &mut JavaProgram, intake: &Intake) -> BTreeMap<String, String> {
    let mut moved = BTreeMap::new();
    for file in &mut java.program.files {
        let found = intake.paths.iter().find_map(|path| {
            let is_it = path.ends_with(&file.path);
            let beside = if path.is_dir() { path.join(&file.path) } else { path.clone() };
            let name = Path::new(&file.path).file_name()?;
            let sibling = path.parent()?.join(name);
            let is_class = path.extension().is_some_and(|e| e == "class");
            // A source that does not lie in the folder of its package.
            let is_source = path.extension().is_some_and(|e| e == "java");
            let is_it = is_it || (is_source && path.file_name() == Some(name));
            if is_it || path.is_dir() {
                Some(beside)
            } else if is_class {
                Some(sibling)
            } else {
                None
            }
        });
        if let Some(path) = found
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let path = path.display().to_string();
            moved.insert(std::mem::replace(&mut file.path, path.clone()), path);
            file.text = Some(Arc::from(text));
        }
    }
    moved
}
