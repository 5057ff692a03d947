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

/// How to run the tests.
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
    let sources: Vec<String> = files.iter().map(|file| format!("{tests}/{}", file.path)).collect();
    let names: Vec<&str> = files.iter().map(|file| file.class.as_str()).collect();
    let shown = if arguments
        .intake
        .paths
        .iter()
        .any(|path| path.extension().is_some_and(|e| e == "java"))
    {
        "CLASSES"
    } else {
        class_path
    };
    let (library, run) = match framework {
        JavaFramework::Plain => (String::new(), format!("java -cp {tests}:{shown} {}", names[0])),
        JavaFramework::JUnit4 => (
            ":JUNIT4_JAR".to_owned(),
            format!(
                "java -cp {tests}:{shown}:JUNIT4_JAR org.junit.runner.JUnitCore {}",
                names.join(" ")
            ),
        ),
        JavaFramework::JUnit5 => (
            ":JUNIT5_JARS".to_owned(),
            format!("java -jar CONSOLE_LAUNCHER_JAR -cp {tests}:{shown} --scan-class-path"),
        ),
    };
    println!("run the tests with: javac -cp {shown}{library} {} && {run}", sources.join(" "));
}
