//! The command that builds and runs tests of Java classes.

use std::path::Path;

use glassbox_emit::Framework;
use glassbox_emit::java_framework::JavaFile;

use super::Jvm;
use crate::language::Alone;
use crate::plan::Plan;

/// Where Debian keeps what tests of a framework are compiled and run with.
const JUNIT4: &[&str] = &["/usr/share/java/junit4.jar", "/usr/share/java/hamcrest.jar"];
const JUNIT5: &[&str] = &["/usr/share/java/junit-platform-console-standalone.jar"];

/// Mockito and what it needs.
const MOCKITO: &[&str] = &[
    "/usr/share/java/mockito-core.jar",
    "/usr/share/java/byte-buddy.jar",
    "/usr/share/java/byte-buddy-agent.jar",
    "/usr/share/java/objenesis.jar",
];

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
    if jvm.is_portion {
        return Some(command_for_all(plan, jvm, files, framework));
    }
    let names: Vec<&str> = files.iter().map(|file| file.class.as_str()).collect();
    let selected: Vec<String> = names.iter().map(|name| format!("-c {name}")).collect();
    let CommandLine { compile, sources, java } = line(plan, jvm, files, framework);
    let run = match framework {
        Framework::Plain
        | Framework::Cmocka
        | Framework::Check
        | Framework::Unity
        | Framework::Gtest => {
            let each = names.iter().map(|name| format!("{java} {name}"));
            each.collect::<Vec<String>>().join(" && ")
        }
        Framework::JUnit4 => format!("{java} org.junit.runner.JUnitCore {}", names.join(" ")),
        Framework::JUnit5 => format!("{java} {CONSOLE} {}", selected.join(" ")),
    };
    Some(format!("{compile} {sources} && {run}"))
}

/// The same for the tests of several programs, which are found by their names.
fn command_for_all(plan: &Plan, jvm: &Jvm, files: &[JavaFile], framework: Framework) -> String {
    let tests = plan.tests_folder().display().to_string();
    let CommandLine { compile, java, sources: _ } = line(plan, jvm, files, framework);
    let sources = format!("$(find {tests} -name '*GlassboxTest.java')");
    let names =
        format!("$(cd {tests} && find * -name '*GlassboxTest.java' | sed 's/.java$//; s#/#.#g')");
    let run = match framework {
        Framework::Plain
        | Framework::Cmocka
        | Framework::Check
        | Framework::Unity
        | Framework::Gtest => format!("for test in {names}; do {java} $test || break; done"),
        Framework::JUnit4 => format!("{java} org.junit.runner.JUnitCore {names}"),
        Framework::JUnit5 => {
            format!("{java} {CONSOLE} --scan-classpath {}", plan.out.join("classes").display())
        }
    };
    format!("{compile} {sources} && {run}")
}

const CONSOLE: &str = "org.junit.platform.console.ConsoleLauncher";

/// How to run single tests of a class, where the framework can.
pub(super) fn alone(
    plan: &Plan,
    jvm: &Jvm,
    file: &JavaFile,
    framework: Framework,
) -> Option<Alone> {
    if framework != Framework::JUnit5 {
        return None;
    }
    let CommandLine { compile, sources, java } =
        line(plan, jvm, std::slice::from_ref(file), framework);
    let command = format!("{compile} {sources} && {java} {CONSOLE} -m {}#", file.class);
    Some(Alone { file: file.path.clone(), command })
}

/// What compiles tests, and how the JVM is started on them.
struct CommandLine {
    /// Without what is compiled.
    compile: String,
    sources: String,
    java: String,
}

fn line(plan: &Plan, jvm: &Jvm, files: &[JavaFile], framework: Framework) -> CommandLine {
    let given = &jvm.classes;
    let class_path = given.given_path.as_str();
    let tests = plan.tests_folder().display().to_string();
    let classes = plan.out.join("classes").display().to_string();
    let mut sources: Vec<String> =
        given.sources.iter().map(|path| path.display().to_string()).collect();
    // Sources are compiled again, together with their tests: the classes made for the search are gone.
    sources.extend(files.iter().map(|file| format!("{tests}/{}", file.path)));
    let library = library(framework, class_path);
    let mocks = match files.iter().any(|file| file.has_mocks) && !class_path.contains("mockito") {
        true if MOCKITO.iter().all(|jar| Path::new(jar).is_file()) => MOCKITO.join(":"),
        true => "MOCKITO_JARS".to_owned(),
        false => String::new(),
    };
    let mut path: Vec<&str> = vec![&classes];
    path.extend(class_path.split(':').filter(|part| !part.is_empty()));
    path.extend([mocks.as_str(), library.as_str()].iter().filter(|part| !part.is_empty()));
    let path = path.join(":");
    let mut flags: Vec<&str> = Vec::new();
    for pair in files.iter().flat_map(|file| file.jvm_flags.chunks(2)) {
        if !flags.chunks(2).any(|known| known == pair) {
            flags.extend(pair.iter().map(String::as_str));
        }
    }
    let assertions = jvm.assertions.jvm_flags().iter().copied();
    let java = std::iter::once("java").chain(assertions).chain(flags).collect::<Vec<_>>().join(" ");
    CommandLine {
        compile: format!("javac -d {classes} -cp {path}"),
        sources: sources.join(" "),
        java: format!("{java} -cp {path}"),
    }
}
