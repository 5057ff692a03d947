//! Tests of Java methods as classes: names, texts, reflection, how to run them.

use std::path::Path;

use glassbox_coverage::Goal;
use glassbox_emit::Framework;
use glassbox_emit::framework::TextFile;
use glassbox_emit::java_framework::{self, JavaFile, java_file};
use glassbox_emit::java_test::{JavaTest, JavaTestClass, Mocks, obstacle};
use glassbox_emit::naming::test_names;
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::Evidence as Sighting;
use glassbox_report::data::Replay;
use glassbox_testcase::Verdict;
use glassbox_testcase::recipe::{Harness, Visibility};

use super::{Jvm, how_to_run, relation_tests};
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

/// Names of tests say the method and the goal, and are unique in their class.
pub(super) fn rename(program: &Program, reports: &mut [FunctionReport]) {
    let mut used: Vec<(String, String)> = Vec::new();
    for report in reports {
        let function = subject(program, report.function());
        let class = class_of(program, function);
        let declared = program.function(function).method.map(|id| &program.methods[id.index()]);
        let name = declared.map_or("method".to_owned(), |declared| match declared.name.as_str() {
            "<init>" => "constructor".to_owned(),
            name => name.to_owned(),
        });
        let goals = &report.goals;
        let is_checked = !report.checked.properties.is_empty();
        let words = |goal: &Goal| match is_checked {
            true => format!("{} line {}", goal.criterion.replace('-', " "), goal.span.line),
            false => goal.text.clone(),
        };
        let text = |id: &String| goals.iter().find(|goal| goal.id == *id).map(words);
        let first: Vec<Option<String>> =
            report.suite.tests.iter().map(|test| test.covers.first().and_then(text)).collect();
        let names = test_names(&name, &first);
        for (test, name) in report.suite.tests.iter_mut().zip(names) {
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
            };
            if about != function {
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
