//! Tests of Java methods as classes: names, texts, reflection, how to run them.

use std::path::Path;

use glassbox_coverage::Goal;
use glassbox_emit::Framework;
use glassbox_emit::framework::TextFile;
use glassbox_emit::java_framework::{self, JavaFile, java_file};
use glassbox_emit::java_naming::{java_name, java_outcome};
use glassbox_emit::java_object::is_name;
use glassbox_emit::java_test::{JavaTest, JavaTestClass, Mocks, obstacle};
use glassbox_emit::naming::test_names;
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::Evidence as Sighting;
use glassbox_report::data::Replay;
use glassbox_testcase::recipe::{Harness, Visibility};
use glassbox_testcase::{Test, Verdict};

use super::{Jvm, how_to_run, relation_tests, version_tests};
use crate::function_report::FunctionReport;
use crate::language::{Reflective, WHY_REFLECTION, Written};
use crate::plan::Plan;
use crate::relation::subject;

/// What made the objects of a test.
fn harness<'a>(java: &'a JavaProgram, report: &FunctionReport, test: usize) -> Option<&'a Harness> {
    let position = report.objects.get(test)?.harness?;
    java.recipes.harnesses.get(position)
}

/// The framework of the plan, or the newest that is found.
fn framework(asked: Option<Framework>, class_path: &str) -> Framework {
    asked.unwrap_or_else(|| {
        let is_known = class_path.contains("junit-jupiter");
        let is_installed = Path::new("/usr/share/java/junit-jupiter-api.jar").is_file();
        if is_known || is_installed { Framework::JUnit5 } else { Framework::JUnit4 }
    })
}

/// How test classes are written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manner {
    /// The newest one that is found where none is asked for.
    pub(super) framework: Option<Framework>,
    pub(super) mocks: Mocks,
}

/// The test classes for the framework of the plan.
pub(super) fn emit(
    jvm: &Jvm,
    plan: &Plan,
    Manner { framework: asked, mocks }: Manner,
    reports: &[FunctionReport],
) -> Written {
    let framework = framework(asked, &jvm.classes.class_path);
    let Some(style) = framework.java() else { return Written::default() };
    let mut classes = test_classes(jvm, reports);
    classes.iter_mut().for_each(|class| class.mocks = mocks);
    let files: Vec<JavaFile> = classes.iter().map(|class| java_file(class, style)).collect();
    let command = how_to_run::command(plan, jvm, &files, framework);
    let alone = files.iter().filter_map(|file| how_to_run::alone(plan, jvm, file, framework));
    let alone = alone.collect();
    let file = |file: JavaFile| TextFile { name: file.path, text: file.text };
    Written { files: files.into_iter().map(file).collect(), command, alone, ..Written::default() }
}

/// By report: tests that use reflection.
pub(super) fn reflective(jvm: &Jvm, reports: &[FunctionReport]) -> Vec<Reflective> {
    let java = &jvm.java;
    let mut found: Vec<(FuncId, String)> = Vec::new();
    for class in test_classes(jvm, reports) {
        let file = java_file(&class, &java_framework::PLAIN);
        let uses = class.tests.iter().zip(&file.n_reflective).filter(|(_, count)| **count > 0);
        found.extend(uses.map(|(test, _)| (test.function, test.name.clone())));
    }
    let of_report = |report: &FunctionReport| {
        let function = report.function();
        let is_found = |test: &usize| {
            let name = &report.suite.tests[*test].name;
            found.iter().any(|(of, known)| *of == function && known == name)
        };
        let why = if java.recipes.method(function) == Visibility::Private {
            WHY_REFLECTION[0]
        } else {
            WHY_REFLECTION[1]
        };
        Reflective { tests: (0..report.suite.tests.len()).filter(is_found).collect(), why }
    };
    reports.iter().map(of_report).collect()
}

/// Names of tests say the method, what it does and when, and are unique in their class.
pub(super) fn rename(java: &JavaProgram, reports: &mut [FunctionReport]) {
    let program = &java.program;
    let mut used: Vec<(String, String)> = Vec::new();
    for report in reports {
        let function = subject(program, report.function());
        let class = class_of(program, function);
        let declared = program.function(function).method.map(|id| &program.methods[id.index()]);
        let name = declared.map_or("method".to_owned(), |declared| match declared.name.as_str() {
            "<init>" => "constructor".to_owned(),
            name => name.to_owned(),
        });
        let names = if version_tests::older(java, report.function()).is_some() {
            by_words(&name, &vec![Some(version_tests::WORDS.to_owned()); report.suite.tests.len()])
        } else if report.checked.properties.is_empty() {
            by_behavior(program, report, &name)
        } else {
            by_property(report, &name)
        };
        for (test, base) in report.suite.tests.iter_mut().zip(names) {
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

/// Names of counter-examples: which property they violate.
fn by_property(report: &FunctionReport, method: &str) -> Vec<String> {
    let goals = &report.goals;
    let words =
        |goal: &Goal| format!("{} line {}", goal.criterion.replace('-', " "), goal.span.line);
    let text = |id: &String| goals.iter().find(|goal| goal.id == *id).map(words);
    let first: Vec<Option<String>> =
        report.suite.tests.iter().map(|test| test.covers.first().and_then(text)).collect();
    by_words(method, &first)
}

fn by_words(method: &str, words: &[Option<String>]) -> Vec<String> {
    let names = test_names(method, words).into_iter();
    names.map(|name| name.strip_prefix("test_").unwrap_or(&name).to_owned()).collect()
}

/// What the method does, and the last of the goals that a test covers, which is where it gets to.
fn by_behavior(program: &Program, report: &FunctionReport, method: &str) -> Vec<String> {
    let function = report.function();
    let result = program.function(function).result_source_type;
    let result = program.source_type(program.resolve_source_type(result));
    let name = |(position, test): (usize, &Test)| {
        let object = report.objects.get(position);
        // What another method does is not what this one does.
        let object = object.filter(|object| object.through.is_none_or(|it| it == function));
        let outcome = object.and_then(|object| java_outcome(&object.observed.ending, result));
        let goal = test.covers.last().and_then(|id| report.goals.iter().find(|it| it.id == *id));
        java_name(method, outcome.as_deref(), goal.map(|goal| goal.text.as_str()))
    };
    report.suite.tests.iter().enumerate().map(name).collect()
}

/// Whether a counter-example is none any more.
fn is_taken_back(report: &FunctionReport, test: usize) -> bool {
    let is_violation =
        |verdict: &Verdict| matches!(verdict, Verdict::Violated { test: by } if *by == test);
    !report.checked.properties.is_empty() && !report.verdicts().any(is_violation)
}

/// The class that declares a method, by binary name.
pub(super) fn class_of(program: &Program, function: FuncId) -> String {
    let method = program.function(function).method.map(|id| &program.methods[id.index()]);
    method.map_or(String::new(), |method| program.classes[method.class.index()].name.clone())
}

/// Why no source can call a method.
pub(super) fn uncallable(java: &JavaProgram, function: FuncId) -> Option<String> {
    if let Some((_, class)) = java.absent.iter().find(|(of, _)| *of == function) {
        return Some(format!("class {class} is not there"));
    }
    let class = class_of(&java.program, function);
    let method = java.program.function(function).method;
    let method = method.map(|id| java.program.methods[id.index()].name.as_str());
    let is_hidden = java.recipes.method(function) == Visibility::Private;
    let method = method.filter(|name| !is_hidden && !name.starts_with('<'));
    let parts = class.split(['.', '$']).filter(|part| !part.is_empty());
    let odd = parts.chain(method).find(|name| !is_name(name))?;
    Some(format!("`{odd}` is no name in Java"))
}

/// The test classes, one per class under test.
pub(super) fn test_classes<'a>(
    jvm: &'a Jvm,
    reports: &'a [FunctionReport],
) -> Vec<JavaTestClass<'a>> {
    let java = &jvm.java;
    let program = &java.program;
    let mut classes: Vec<JavaTestClass<'a>> = Vec::new();
    for report in reports {
        let function = report.function();
        let about = subject(program, function);
        let class = class_of(program, about);
        let mut helpers: Vec<String> = Vec::new();
        let goal_text = |id: &String| {
            let goal = report.goals.iter().find(|goal| goal.id == *id);
            goal.map_or(id.clone(), |goal| format!("{}: {}", goal.span.line, goal.text))
        };
        let mut tests: Vec<JavaTest<'a>> = Vec::new();
        for (position, test) in report.suite.tests.iter().enumerate() {
            let Some(observed) = report.objects.get(position).map(|object| &object.observed) else {
                continue;
            };
            // Only confirmed tests are written; the others stay in suite.json with what was seen.
            let example = report.checked.counter_examples.get(position);
            let sighting = example.and_then(|example| example.sighting.as_ref());
            let is_refused = report.evidence.replays.get(position).is_some_and(Replay::is_failed)
                || matches!(sighting, Some(Sighting::NotWritten(_)));
            if is_refused || is_taken_back(report, position) || obstacle(observed).is_some() {
                continue;
            }
            let called = report.objects[position].through.unwrap_or(about);
            let harness = harness(java, report, position);
            let resets = jvm.statics.of(program, harness.map_or(called, |one| one.function));
            let mut own = JavaTest {
                name: test.name.clone(),
                function,
                called,
                input: &test.input,
                observed,
                harness,
                resets: resets.clone(),
                covers: test.covers.iter().map(goal_text).collect(),
                relation: None,
                asserts_unchanged: false,
            };
            if version_tests::older(java, function).is_some() {
                own.asserts_unchanged = true;
                own.covers = vec![version_tests::WORDS.to_owned()];
            } else if about != function {
                let Some(written) = relation_tests::of(jvm, function, true) else { continue };
                own.relation = Some(written.call);
                helpers.extend(written.helpers);
            }
            tests.push(own);
            for &relation in &test.follow_ups {
                let Some(written) = relation_tests::of(jvm, relation, false) else { continue };
                let name = relation_tests::name(jvm, relation, &test.name);
                let (relation, covers) = (Some(written.call), vec![written.shown]);
                helpers.extend(written.helpers);
                let (input, resets) = (&test.input, resets.clone());
                let called = about;
                tests.push(JavaTest {
                    name,
                    function,
                    called,
                    input,
                    observed,
                    harness: None,
                    resets,
                    covers,
                    relation,
                    asserts_unchanged: false,
                });
            }
        }
        if tests.is_empty() {
            continue;
        }
        let known = classes.iter().position(|known| known.class == class);
        let at = known.unwrap_or_else(|| {
            let simple = class.rsplit('.').next().unwrap_or("Class").replace('$', "_");
            let (name, recipes) = (format!("{simple}GlassboxTest"), &java.recipes);
            classes.push(JavaTestClass::new(program, recipes, class, name, Vec::new()));
            classes.len() - 1
        });
        classes[at].tests.extend(tests);
        for helper in helpers {
            if !classes[at].helpers.contains(&helper) {
                classes[at].helpers.push(helper);
            }
        }
    }
    classes
}
