//! What `gen` leaves for Java: suite.json, test classes, reports.

use std::fs;
use std::path::Path;

use glassbox_emit::java_framework::{JavaFile, JavaFramework};
use glassbox_ir::Program;
use glassbox_report::suite_json::{self, FunctionResult};

use super::MethodWork;
use crate::command::generate::Arguments;
use crate::report_files;

pub(super) fn write(
    program: &Program,
    results: &[MethodWork],
    files: &[JavaFile],
    arguments: &Arguments,
) -> Result<(), String> {
    let command: Vec<String> = std::env::args().collect();
    let function_results: Vec<FunctionResult<'_>> = results
        .iter()
        .map(|method| FunctionResult {
            suite: &method.work.suite,
            goals: &method.work.goals,
            n_paths: method.work.n_paths,
            n_runs: method.work.n_runs,
            evidence: &method.work.evidence,
        })
        .collect();
    let suite = suite_json::suite(program, &command, &function_results);
    let text = serde_json::to_string_pretty(&suite).map_err(|error| error.to_string())?;
    save(&arguments.out.join("suite.json"), &format!("{text}\n"))?;
    if arguments.json {
        println!("{text}");
    }
    let times: Vec<_> = results.iter().map(|method| method.work.times.clone()).collect();
    report_files::write_times(&arguments.out, &suite, &times)?;
    for file in files {
        save(&arguments.out.join("tests").join(&file.path), &file.text)?;
    }
    let written = report_files::write(&arguments.out, &suite, &arguments.format)?;
    if !arguments.json && results.len() > 1 {
        print!("{}", crate::command::generate::output::summary_table(&suite));
    }
    for path in written.iter().filter(|_| !arguments.json) {
        println!("report: {}", path.display());
    }
    Ok(())
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(path, text).map_err(told)
}

/// Where Debian keeps what tests of a framework are compiled and run with.
const JUNIT4: &[&str] = &["/usr/share/java/junit4.jar", "/usr/share/java/hamcrest.jar"];
const JUNIT5: &[&str] = &["/usr/share/java/junit-platform-console-standalone.jar"];

/// The library's jars, or a word for them where they are not installed.
fn library(framework: JavaFramework, class_path: &str) -> String {
    let (jars, word) = match framework {
        JavaFramework::Plain | JavaFramework::Replay => return String::new(),
        JavaFramework::JUnit4 => (JUNIT4, "JUNIT4_JARS"),
        JavaFramework::JUnit5 => (JUNIT5, "JUNIT_CONSOLE_JAR"),
    };
    let is_known = framework == JavaFramework::JUnit4 && class_path.contains("junit");
    if is_known {
        String::new()
    } else if jars.iter().all(|jar| Path::new(jar).is_file()) {
        jars.join(":")
    } else {
        word.to_owned()
    }
}

/// How to build and run the tests: one line for a shell.
pub(super) fn closing_line(
    arguments: &Arguments,
    files: &[JavaFile],
    framework: JavaFramework,
    class_path: &str,
) {
    if arguments.json || files.is_empty() {
        return;
    }
    let tests = arguments.out.join("tests").display().to_string();
    let classes = arguments.out.join("classes").display().to_string();
    let is_source = |path: &&std::path::PathBuf| path.extension().is_some_and(|e| e == "java");
    let given = arguments.intake.paths.iter().filter(is_source);
    let mut sources: Vec<String> = given.map(|path| path.display().to_string()).collect();
    // Sources are compiled again, together with their tests: the classes made for the search are gone.
    sources.extend(files.iter().map(|file| format!("{tests}/{}", file.path)));
    let names: Vec<&str> = files.iter().map(|file| file.class.as_str()).collect();
    let library = library(framework, class_path);
    let mut path: Vec<&str> = vec![&classes];
    path.extend(class_path.split(':').filter(|part| !part.is_empty()));
    path.extend([library.as_str()].iter().filter(|part| !part.is_empty()));
    let path = path.join(":");
    let mut flags: Vec<&str> = Vec::new();
    for pair in files.iter().flat_map(|file| file.jvm_flags.chunks(2)) {
        if !flags.chunks(2).any(|known| known == pair) {
            flags.extend(pair.iter().map(String::as_str));
        }
    }
    let java = std::iter::once("java").chain(flags).collect::<Vec<_>>().join(" ");
    let run = match framework {
        JavaFramework::Plain | JavaFramework::Replay => {
            let each = names.iter().map(|name| format!("{java} -cp {path} {name}"));
            each.collect::<Vec<String>>().join(" && ")
        }
        JavaFramework::JUnit4 => {
            format!("{java} -cp {path} org.junit.runner.JUnitCore {}", names.join(" "))
        }
        JavaFramework::JUnit5 => {
            let selected: Vec<String> = names.iter().map(|name| format!("-c {name}")).collect();
            let launcher = "org.junit.platform.console.ConsoleLauncher";
            format!("{java} -cp {path} {launcher} {}", selected.join(" "))
        }
    };
    let compile = format!("javac -d {classes} -cp {path} {}", sources.join(" "));
    println!("run the tests with: {compile} && {run}");
}
