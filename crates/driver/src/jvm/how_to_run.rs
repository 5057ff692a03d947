//! The command that builds and runs tests of Java classes.

use std::path::Path;

use glassbox_emit::Framework;
use glassbox_emit::java_framework::JavaFile;

use super::Jvm;
use crate::plan::Plan;

/// Where Debian keeps what tests of a framework are compiled and run with.
const JUNIT4: &[&str] = &["/usr/share/java/junit4.jar", "/usr/share/java/hamcrest.jar"];
const JUNIT5: &[&str] = &["/usr/share/java/junit-platform-console-standalone.jar"];

/// The library's jars, or a word for them where they are not installed.
fn library(framework: Framework, class_path: &str) -> String {
    let (jars, word) = match framework {
        Framework::JUnit4 if class_path.contains("junit") => return String::new(),
        Framework::JUnit4 => (JUNIT4, "JUNIT4_JARS"),
        Framework::JUnit5 => (JUNIT5, "JUNIT_CONSOLE_JAR"),
        Framework::Plain
        | Framework::Cmocka
        | Framework::Check
        | Framework::Unity
        | Framework::Gtest => return String::new(),
    };
    if jars.iter().all(|jar| Path::new(jar).is_file()) { jars.join(":") } else { word.to_owned() }
}

/// How to build and run the tests: one line for a shell.
pub(super) fn command(
    plan: &Plan,
    jvm: &Jvm,
    files: &[JavaFile],
    framework: Framework,
) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let given = &jvm.classes;
    let class_path = given.given_path.as_str();
    let tests = plan.tests_folder().display().to_string();
    let classes = plan.out.join("classes").display().to_string();
    let mut sources: Vec<String> =
        given.sources.iter().map(|path| path.display().to_string()).collect();
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
    let assertions = jvm.assertions.jvm_flags().iter().copied();
    let java = std::iter::once("java").chain(assertions).chain(flags).collect::<Vec<_>>().join(" ");
    let run = match framework {
        Framework::Plain
        | Framework::Cmocka
        | Framework::Check
        | Framework::Unity
        | Framework::Gtest => {
            let each = names.iter().map(|name| format!("{java} -cp {path} {name}"));
            each.collect::<Vec<String>>().join(" && ")
        }
        Framework::JUnit4 => {
            format!("{java} -cp {path} org.junit.runner.JUnitCore {}", names.join(" "))
        }
        Framework::JUnit5 => {
            let selected: Vec<String> = names.iter().map(|name| format!("-c {name}")).collect();
            let launcher = "org.junit.platform.console.ConsoleLauncher";
            format!("{java} -cp {path} {launcher} {}", selected.join(" "))
        }
    };
    let compile = format!("javac -d {classes} -cp {path} {}", sources.join(" "));
    Some(format!("{compile} && {run}"))
}
