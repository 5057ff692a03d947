//! `glassbox gen` for Java: classes in, JUnit tests out.

mod confirm;
mod output;
mod probes;
mod search;
mod surroundings;
mod texts;

use std::path::{Path, PathBuf};

use glassbox_coverage::criterion::Criterion;
use glassbox_emit::java_framework::{JavaFile, JavaFramework, java_file};
use glassbox_emit::java_test::{JavaTest, JavaTestClass, obstacle};
use glassbox_emit::naming::test_names;
use glassbox_ir::recipe::{Harness, Visibility};
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::classpath::{is_closed_jar, named_by_jar, release};
use glassbox_jvm_front::{ClassPath, JavaProgram, Selection, translate};
use glassbox_replay::java::Jdk;
use glassbox_report::suite_json::title::title;
use glassbox_testcase::java::{JavaEnding, JavaObservation};
use glassbox_testcase::{UnknownReason, Verdict};

use super::work::FunctionWork;
use super::{Arguments, FrameworkName};
use crate::Status;
use crate::in_order::in_order;
use crate::interrupt;
use crate::progress::{self, Progress};
use crate::stopwatch::Stopwatch;

/// One method: its suite, and what its tests show.
#[derive(Debug)]
pub(crate) struct MethodWork {
    pub(crate) work: FunctionWork,
    /// By test.
    pub(crate) observed: Vec<JavaObservation>,
    /// By test: the harness that made its objects, by position among the program's.
    pub(crate) harnesses: Vec<Option<usize>>,
}

impl MethodWork {
    /// What made the objects of a test.
    fn harness<'a>(&self, java: &'a JavaProgram, test: usize) -> Option<&'a Harness> {
        let position = self.harnesses.get(test).copied().flatten()?;
        java.recipes.harnesses.get(position)
    }
}

/// Classes on disk, and what to remove when they are no longer needed.
struct Classes {
    paths: Vec<PathBuf>,
    /// For compilers and JVMs.
    class_path: String,
    /// The same without what is removed at the end.
    given_path: String,
    _folders: Vec<tempfile::TempDir>,
}

pub(crate) fn run(arguments: &Arguments, criteria: &[Box<dyn Criterion>]) -> Status {
    let java = Jdk::find()
        .ok_or_else(|| "no JDK is found: set JAVA_HOME, or put javac on the path".to_owned());
    let read = java.and_then(|jdk| {
        let classes = classes(&jdk, arguments)?;
        let program = read_program(&jdk, &classes, arguments)?;
        Ok((jdk, classes, program))
    });
    let (jdk, classes, mut java) = match read {
        Ok(read) => read,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    java.program.shape_objects(arguments.max_length);
    for criterion in criteria {
        for &function in &java.entries {
            criterion.prepare(&mut java.program, function);
        }
    }
    let java = &java;
    let program = &java.program;
    interrupt::watch();
    let progress = Progress::start(progress::Subject::Goals, java.entries.len());
    let mut results = in_order(
        arguments.jobs,
        &java.entries,
        |&function| {
            let name = &title(program, function);
            let watch = Stopwatch::start(&progress, name);
            let method = search::search(java, function, criteria, arguments, &watch);
            let verdicts = method.work.suite.goals.iter().map(|goal| &goal.verdict);
            progress.end(name, verdicts, method.work.suite.tests.len());
            method
        },
        |_| {},
    );
    drop(progress);
    rename(program, &mut results);
    let framework = framework(arguments, &classes.class_path);
    let files = confirm(&jdk, java, &classes, &mut results, arguments, framework);
    for method in &results {
        super::output::function_summary(program, &method.work, arguments);
    }
    if let Err(message) = output::write(program, &results, &files, arguments) {
        eprintln!("error: {message}");
        return Status::BadInput;
    }
    if interrupt::is_interrupted() {
        eprintln!("interrupted: what was found until then is kept");
    }
    output::closing_line(arguments, &files, framework, &classes.given_path);
    let is_decided = results.iter().all(|method| method.work.is_decided());
    if is_decided { Status::Decided } else { Status::Unknown }
}

/// Compiles what is given as source.
fn classes(jdk: &Jdk, arguments: &Arguments) -> Result<Classes, String> {
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|e| e == "java");
    let given = &arguments.intake.paths;
    if let Some(missing) = given.iter().find(|path| !path.exists()) {
        return Err(format!("{}: no such file or folder", missing.display()));
    }
    let sources: Vec<PathBuf> = given.iter().filter(is_source).cloned().collect();
    let mut paths: Vec<PathBuf> = given.iter().filter(|path| !is_source(path)).cloned().collect();
    let mut folders = Vec::new();
    let given_path = join(&paths, &arguments.intake.java.classpath);
    if !sources.is_empty() {
        let made = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        jdk.compile(&sources, &given_path, made.path()).map_err(|error| error.to_string())?;
        paths.insert(0, made.path().to_owned());
        folders.push(made);
    }
    let mut class_path = join(&paths, &arguments.intake.java.classpath);
    for part in class_path.clone().split(':').filter(|part| is_closed_jar(Path::new(part))) {
        let unpacked =
            tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        jdk.unpack(Path::new(part), unpacked.path()).map_err(|error| error.to_string())?;
        // A folder has no versions and no manifest.
        overlay_versions(unpacked.path(), release(&jdk.home));
        let own = unpacked.path().display().to_string();
        let named = named_by_jar(Path::new(part));
        let all = std::iter::once(own).chain(named.iter().map(|path| path.display().to_string()));
        class_path = class_path.replace(part, &all.collect::<Vec<String>>().join(":"));
        folders.push(unpacked);
    }
    Ok(Classes { paths, class_path, given_path, _folders: folders })
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
fn join(paths: &[PathBuf], behind: &str) -> String {
    let behind = behind.split(':').filter(|part| !part.is_empty()).map(PathBuf::from);
    let all = paths.iter().cloned().chain(behind).map(|path| {
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        // A class file stands for the folder that its package starts in.
        if path.extension().is_some_and(|e| e == "class") { class_root(&path) } else { path }
    });
    all.map(|path| path.display().to_string()).collect::<Vec<_>>().join(":")
}

/// The folder where the package of a class file starts.
fn class_root(path: &Path) -> PathBuf {
    let name = std::fs::read(path).ok().and_then(|bytes| {
        let class = glassbox_jvm_front::classfile::ClassFile::read(&bytes).ok()?;
        Some(class.name.to_string())
    });
    let mut root = path.parent().map(Path::to_owned).unwrap_or_default();
    for _ in name.unwrap_or_default().matches('/') {
        let _ = root.pop();
    }
    root
}

fn read_program(
    jdk: &Jdk,
    classes: &Classes,
    arguments: &Arguments,
) -> Result<JavaProgram, String> {
    let behind = arguments.intake.java.classpath.split(':').filter(|part| !part.is_empty());
    let behind: Vec<PathBuf> = behind.map(PathBuf::from).collect();
    let class_path = ClassPath::new(&classes.paths, &behind, Some(&jdk.home))
        .map_err(|diagnostic| diagnostic.to_string())?;
    let selection = Selection {
        classes: arguments.intake.java.class.clone(),
        methods: arguments.intake.java.method.clone(),
    };
    let options = glassbox_jvm_front::Options {
        plain_messages: true,
        has_harnesses: true,
        ..Default::default()
    };
    let mut java =
        translate(class_path, &selection, options).map_err(|diagnostic| diagnostic.to_string())?;
    for diagnostic in &java.skipped {
        eprintln!("warning: left out: {diagnostic}");
    }
    crate::java::attach_sources(&mut java, &arguments.intake);
    Ok(java)
}

/// Names of tests say the method and the goal, and are unique in their class.
fn rename(program: &Program, results: &mut [MethodWork]) {
    let mut used: Vec<(String, String)> = Vec::new();
    for method in results {
        let function = method.work.suite.function;
        let class = class_of(program, function);
        let declared = program.function(function).method.map(|id| &program.methods[id.index()]);
        let name = declared.map_or("method".to_owned(), |declared| declared.name.clone());
        let goals = &method.work.goals;
        let text = |id: &String| goals.iter().find(|goal| goal.id == *id).map(|g| g.text.clone());
        let first: Vec<Option<String>> =
            method.work.suite.tests.iter().map(|test| test.covers.first().and_then(text)).collect();
        let names = test_names(&name, &first);
        for (test, name) in method.work.suite.tests.iter_mut().zip(names) {
            let base = name.strip_prefix("test_").unwrap_or(&name).to_owned();
            let mut name = base.clone();
            let mut number = 2;
            while used.contains(&(class.clone(), name.clone())) {
                name = format!("{base}_{number}");
                number += 1;
            }
            used.push((class.clone(), name.clone()));
            test.name = name;
        }
    }
}

/// The class that declares a method, by binary name.
fn class_of(program: &Program, function: FuncId) -> String {
    let method = program.function(function).method.map(|id| &program.methods[id.index()]);
    method.map_or(String::new(), |method| program.classes[method.class.index()].name.clone())
}

fn framework(arguments: &Arguments, class_path: &str) -> JavaFramework {
    match arguments.framework {
        Some(FrameworkName::Junit4) => JavaFramework::JUnit4,
        Some(FrameworkName::Junit5) => JavaFramework::JUnit5,
        Some(_) => JavaFramework::Plain,
        None => {
            let is_known = class_path.contains("junit-jupiter");
            let is_installed = ["/usr/share/java/junit-jupiter-api.jar"]
                .iter()
                .any(|jar| Path::new(jar).is_file());
            if is_known || is_installed { JavaFramework::JUnit5 } else { JavaFramework::JUnit4 }
        }
    }
}

/// Test classes: those to keep, after the plain ones were run.
fn confirm(
    jdk: &Jdk,
    java: &JavaProgram,
    classes: &Classes,
    results: &mut [MethodWork],
    arguments: &Arguments,
    framework: JavaFramework,
) -> Vec<JavaFile> {
    drop_unshowable(java, results);
    if arguments.no_reflection {
        drop_reflective(java, results);
    }
    if arguments.no_exec {
        for method in results.iter_mut() {
            let note = "tests were not run (--no-exec): nothing is confirmed".to_owned();
            method.work.notes.push(note);
        }
    } else {
        confirm::replay(jdk, java, classes, results);
    }
    let reflective = reflective(java, results);
    for method in results.iter_mut() {
        let function = method.work.suite.function;
        let own = reflective.iter().filter(|(of, _)| *of == function);
        let names: Vec<&str> = own.map(|(_, name)| name.as_str()).collect();
        if !names.is_empty() {
            let n_tests = method.work.suite.tests.len();
            let count = format!("{} of {n_tests} tests use reflection", names.len());
            let why = if java.recipes.method(function) == Visibility::Private {
                "the method is private"
            } else {
                "no constructor and few calls were found that lead there"
            };
            let listed = format!("{count} ({why}): {}", names.join(", "));
            method.work.notes.push(count);
            method.work.suite.assumptions.push(listed);
        }
    }
    let kept = test_classes(java, results);
    kept.iter().map(|class| java_file(class, framework)).collect()
}

/// Tests that use reflection, by method and name.
fn reflective(java: &JavaProgram, results: &[MethodWork]) -> Vec<(FuncId, String)> {
    let mut found = Vec::new();
    for class in test_classes(java, results) {
        let file = java_file(&class, JavaFramework::Plain);
        let uses = class.tests.iter().zip(&file.n_reflective).filter(|(_, count)| **count > 0);
        found.extend(uses.map(|(test, _)| (test.function, test.name.clone())));
    }
    found
}

/// Takes back what only tests with reflection cover.
fn drop_reflective(java: &JavaProgram, results: &mut [MethodWork]) {
    let reflective = reflective(java, results);
    for method in results {
        let function = method.work.suite.function;
        let span = java.program.function(function).span;
        for test in 0..method.work.suite.tests.len() {
            let name = &method.work.suite.tests[test].name;
            if reflective.iter().any(|(of, known)| *of == function && known == name) {
                let what = "a state or a method that only reflection reaches".to_owned();
                method.observed[test].ending = JavaEnding::Other(what.clone());
                let reason = UnknownReason::Unsupported { what, span };
                disagree_about(&mut method.work, test, reason);
            }
        }
    }
}

fn drop_unshowable(java: &JavaProgram, results: &mut [MethodWork]) {
    for method in results {
        for test in 0..method.work.suite.tests.len() {
            let why = match method.observed.get(test) {
                Some(observed) => obstacle(observed),
                None => Some("it could not be run again".to_owned()),
            };
            if let Some(why) = why {
                let span = java.program.function(method.work.suite.function).span;
                let reason = UnknownReason::Unsupported { what: why, span };
                disagree_about(&mut method.work, test, reason);
            }
        }
    }
}

/// Takes back what rests on one test.
fn disagree_about(work: &mut FunctionWork, test: usize, reason: UnknownReason) {
    let covers = work.suite.tests[test].covers.clone();
    for goal in &mut work.suite.goals {
        if covers.contains(&goal.goal) && matches!(goal.verdict, Verdict::Covered { .. }) {
            goal.verdict = Verdict::Unknown(reason.clone());
        }
    }
}

/// The test classes, one per class under test.
fn test_classes<'a>(java: &'a JavaProgram, results: &'a [MethodWork]) -> Vec<JavaTestClass<'a>> {
    let program = &java.program;
    let mut classes: Vec<JavaTestClass<'a>> = Vec::new();
    for method in results {
        let function = method.work.suite.function;
        let class = class_of(program, function);
        let goal_text = |id: &String| {
            let goal = method.work.goals.iter().find(|goal| goal.id == *id);
            goal.map_or(id.clone(), |goal| format!("{}: {}", goal.span.line, goal.text))
        };
        let mut tests: Vec<JavaTest<'a>> = Vec::new();
        for (position, test) in method.work.suite.tests.iter().enumerate() {
            let Some(observed) = method.observed.get(position) else { continue };
            if obstacle(observed).is_some() {
                continue;
            }
            tests.push(JavaTest {
                name: test.name.clone(),
                function,
                input: &test.input,
                observed,
                harness: method.harness(java, position),
                covers: test.covers.iter().map(goal_text).collect(),
            });
        }
        if tests.is_empty() {
            continue;
        }
        match classes.iter_mut().find(|known| known.class == class) {
            Some(known) => known.tests.extend(tests),
            None => {
                let simple = class.rsplit('.').next().unwrap_or("Class").replace('$', "_");
                let name = format!("{simple}GlassboxTest");
                let recipes = &java.recipes;
                classes.push(JavaTestClass::new(program, recipes, class, name, tests));
            }
        }
    }
    classes
}
