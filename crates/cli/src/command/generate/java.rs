//! `glassbox gen` for Java: classes in, JUnit tests out.

mod confirm;
mod output;
mod probes;

use std::path::{Path, PathBuf};
use std::time::Duration;

use glassbox_coverage::Goal;
use glassbox_coverage::criterion::Criterion;
use glassbox_emit::java_framework::{JavaFile, JavaFramework, java_file};
use glassbox_emit::java_test::{JavaTest, JavaTestClass, obstacle};
use glassbox_emit::naming::test_names;
use glassbox_explore::{Budget, Supervision, explore};
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::java::JavaLibrary;
use glassbox_interp::{Machine, Options, Stubs, java_observe, run_test};
use glassbox_ir::{FuncId, Program, SourceType, SourceTypeId};
use glassbox_jvm_front::{ClassPath, JavaProgram, Selection, translate};
use glassbox_model::{Config, config};
use glassbox_replay::java::Jdk;
use glassbox_report::suite_json::title::title;
use glassbox_testcase::java::{JavaEnding, JavaObservation};
use glassbox_testcase::{Ending, ProofMethod, UnknownReason, Verdict};

use super::work::{self, FunctionWork, with_deadline};
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
}

/// Classes on disk, and what to remove when they are no longer needed.
struct Classes {
    paths: Vec<PathBuf>,
    /// For compilers and JVMs.
    class_path: String,
    /// The same without what is removed at the end.
    given_path: String,
    _folder: Option<tempfile::TempDir>,
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
    let program = &java.program;
    interrupt::watch();
    let progress = Progress::start(progress::Subject::Goals, java.entries.len());
    let mut results = in_order(
        arguments.jobs,
        &java.entries,
        |&function| {
            let name = &title(program, function);
            let watch = Stopwatch::start(&progress, name);
            let method = search(program, function, criteria, arguments, &watch);
            let verdicts = method.work.suite.goals.iter().map(|goal| &goal.verdict);
            progress.end(name, verdicts, method.work.suite.tests.len());
            method
        },
        |_| {},
    );
    drop(progress);
    rename(program, &mut results);
    let framework = framework(arguments, &classes.class_path);
    let files = confirm(&jdk, &java, &classes, &mut results, arguments, framework);
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
    let mut folder = None;
    let given_path = join(&paths, &arguments.intake.java.classpath);
    if !sources.is_empty() {
        let made = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        jdk.compile(&sources, &given_path, made.path()).map_err(|error| error.to_string())?;
        paths.insert(0, made.path().to_owned());
        folder = Some(made);
    }
    let class_path = join(&paths, &arguments.intake.java.classpath);
    Ok(Classes { paths, class_path, given_path, _folder: folder })
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
    let options = glassbox_jvm_front::Options { plain_messages: true, ..Default::default() };
    let mut java =
        translate(class_path, &selection, options).map_err(|diagnostic| diagnostic.to_string())?;
    crate::java::attach_sources(&mut java, &arguments.intake);
    Ok(java)
}

fn search(
    program: &Program,
    function: FuncId,
    criteria: &[Box<dyn Criterion>],
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) -> MethodWork {
    let goals: Vec<Goal> =
        criteria.iter().flat_map(|criterion| criterion.goals(program, function)).collect();
    let budget = Budget {
        seed: arguments.seed,
        paths: arguments.max_paths,
        solver_time: Some(Duration::from_secs(arguments.timeout)),
        ..Budget::default()
    };
    let config = Config {
        max_length: arguments.max_length,
        overflow: config::Overflow::Wrap,
        globals_are_inputs: false,
        ..Config::default()
    };
    let result = with_deadline(work::limit_of(arguments), |stop| {
        let supervision = Supervision { stop, watch: Some(watch) };
        let library = Box::new(JavaLibrary::new());
        explore(program, function, &goals, &config, &budget, library, supervision)
    });
    let mut work = work::assemble(program, function, goals, &result);
    work.times = watch.search_ended(&result.statistics);
    weaken(program, function, &mut work);
    let observed = observe(program, function, &mut work);
    MethodWork { work, observed }
}

/// Proofs over the whole method know the loaded classes only: where a reference may be to an object of
/// another class, they hold within that bound. Proofs over all paths track their bounds themselves.
fn weaken(program: &Program, function: FuncId, work: &mut FunctionWork) {
    let layout = program.object_layout.as_ref();
    let is_open = |ty: SourceTypeId| match program.source_type(ty) {
        SourceType::Class(_) | SourceType::ClassArray { .. } => {
            let number = layout.and_then(|layout| layout.number_of_source(ty));
            let known = layout.zip(number).and_then(|(layout, number)| layout.get(number));
            known.is_none_or(|known| !known.is_final)
        }
        SourceType::Opaque { .. } => true,
        _ => false,
    };
    // Inputs that nobody makes yet: what only they could reach is not known.
    let is_gap = |verdict: &Verdict| match verdict {
        Verdict::InfeasibleWithin { bounds } => bounds.iter().any(|bound| bound == GAP),
        _ => false,
    };
    let has_gap = work.suite.goals.iter().any(|goal| is_gap(&goal.verdict));
    let span = program.function(function).span;
    let mut params = program.function(function).params.iter();
    if !has_gap && !params.any(|param| is_open(param.source_type)) {
        return;
    }
    for goal in &mut work.suite.goals {
        let is_proved = match &goal.verdict {
            Verdict::Infeasible(method) => *method != ProofMethod::PathEnumeration,
            verdict => is_gap(verdict),
        };
        if is_proved && has_gap {
            let what = "input objects of the JDK's classes and of enums".to_owned();
            goal.verdict = Verdict::Unknown(UnknownReason::Unsupported { what, span });
        } else if is_proved {
            let bounds = vec!["classes of input objects: the loaded ones".to_owned()];
            goal.verdict = Verdict::InfeasibleWithin { bounds };
        }
    }
}

/// The bound that `model` notes for classes whose objects it does not make.
const GAP: &str = "no input objects of the JDK's classes and of enums";

/// Runs the tests once more and looks at results, exceptions and objects. Tests that cannot be shown are
/// taken out of the verdicts.
fn observe(program: &Program, function: FuncId, work: &mut FunctionWork) -> Vec<JavaObservation> {
    let stubs = Stubs::default();
    let options = Options { max_steps: 1_000_000, max_bytes: 1 << 28, ..Options::default() };
    let externals = StubbedExternals { stubs: stubs.clone(), library: JavaLibrary::new() };
    let machine = Machine::new(program, options, Box::new(externals));
    let mut observed = Vec::new();
    let Some(mut machine) = machine else { return observed };
    for test in &mut work.suite.tests {
        let run = run_test(&mut machine, &stubs, function, &test.input);
        let seen = match &run {
            Some(run) => java_observe::observe(&machine, function, run),
            None => JavaObservation {
                ending: JavaEnding::Other("the input does not fit".to_owned()),
                after: Vec::new(),
            },
        };
        if let JavaEnding::Thrown(class) = &seen.ending {
            test.expected.ending = Ending::Thrown(class.clone());
            test.expected.result = None;
        }
        observed.push(seen);
    }
    observed
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
    drop_unshowable(results);
    if arguments.no_exec {
        for method in results.iter_mut() {
            let note = "tests were not run (--no-exec): nothing is confirmed".to_owned();
            method.work.notes.push(note);
        }
    } else {
        confirm::replay(jdk, java, classes, results);
    }
    let kept = test_classes(java, results);
    let files: Vec<JavaFile> = kept.iter().map(|class| java_file(class, framework)).collect();
    let counts: Vec<(FuncId, usize)> = kept
        .iter()
        .zip(&files)
        .flat_map(|(class, file)| class.tests.iter().zip(&file.n_reflective))
        .map(|(test, &count)| (test.function, count))
        .collect();
    drop(kept);
    for method in results {
        let function = method.work.suite.function;
        let own = counts.iter().filter(|(of, count)| *of == function && *count > 0);
        let n_reflective = own.count();
        if n_reflective > 0 {
            let n_tests = method.work.suite.tests.len();
            let note = format!("{n_reflective} of {n_tests} tests use reflection");
            method.work.notes.push(note);
        }
    }
    files
}

fn drop_unshowable(results: &mut [MethodWork]) {
    for method in results {
        for test in 0..method.work.suite.tests.len() {
            let why = match method.observed.get(test) {
                Some(observed) => obstacle(observed),
                None => Some("it could not be run again".to_owned()),
            };
            if let Some(why) = why {
                disagree_about(&mut method.work, test, UnknownReason::Budget(why));
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
        let shown = method.work.suite.tests.iter().zip(&method.observed);
        let tests =
            shown.filter(|(_, observed)| obstacle(observed).is_none()).map(|(test, observed)| {
                JavaTest {
                    name: test.name.clone(),
                    function,
                    input: &test.input,
                    observed,
                    covers: test.covers.iter().map(goal_text).collect(),
                }
            });
        let tests: Vec<JavaTest<'a>> = tests.collect();
        if tests.is_empty() {
            continue;
        }
        match classes.iter_mut().find(|known| known.class == class) {
            Some(known) => known.tests.extend(tests),
            None => {
                let simple = class.rsplit('.').next().unwrap_or("Class").replace('$', "_");
                let name = format!("{simple}GlassboxTest");
                let recipes = &java.recipes;
                classes.push(JavaTestClass { program, recipes, class, name, tests });
            }
        }
    }
    classes
}
