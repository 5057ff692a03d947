//! From class files, jars, folders and Java sources to a program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use glassbox_jvm_front::{ClassPath, JavaProgram, Options, Selection, translate};

use crate::intake::Intake;

/// What commands take for Java.
#[derive(Debug, Args)]
pub(crate) struct JavaIntake {
    /// Java: only this class (repeatable) [default: every class in the paths]
    #[arg(long, value_name = "NAME")]
    pub(crate) class: Vec<String>,
    /// Java: only this method, by name or by name and descriptor (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Vec<String>,
    /// Java: where further classes are, separated by colons
    #[arg(long, value_name = "CP", default_value = "")]
    pub(crate) classpath: String,
}

/// Whether the paths name Java and not C.
pub(crate) fn is_java(paths: &[PathBuf]) -> bool {
    // Without paths, `--class` names a class of the JDK.
    paths.is_empty()
        || paths.iter().any(|path| {
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

/// Reads the classes and translates the selected methods; prints what is wrong. `methods` are used when
/// the user named none.
pub(crate) fn read_java(
    intake: &Intake,
    methods: &[&str],
    options: Options,
) -> Option<JavaProgram> {
    let behind: Vec<PathBuf> = intake
        .java
        .classpath
        .split(':')
        .filter(|entry| !entry.is_empty())
        .map(PathBuf::from)
        .collect();
    if let Some(missing) = intake.paths.iter().chain(&behind).find(|path| !path.exists()) {
        eprintln!("{}: error: no such file or folder", missing.display());
        return None;
    }
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|e| e == "java");
    let sources: Vec<&PathBuf> = intake.paths.iter().filter(is_source).collect();
    let mut paths: Vec<PathBuf> =
        intake.paths.iter().filter(|path| !is_source(path)).cloned().collect();
    // Lives until the classes have been read.
    let compiled = if sources.is_empty() { None } else { Some(compile(&sources, intake)?) };
    paths.extend(compiled.iter().map(|folder| folder.path().to_owned()));
    let home = jdk_home();
    let chosen: Vec<String> = if intake.java.method.is_empty() {
        methods.iter().map(|&name| name.to_owned()).collect()
    } else {
        intake.java.method.clone()
    };
    let selection = Selection { classes: intake.java.class.clone(), methods: chosen };
    let translated = ClassPath::new(&paths, &behind, home.as_deref())
        .and_then(|class_path| translate(class_path, &selection, options));
    match translated {
        Ok(mut java) => {
            attach_sources(&mut java, intake);
            Some(java)
        }
        Err(diagnostic) => {
            eprintln!("{diagnostic}");
            None
        }
    }
}

/// Compiles sources into a new folder, with everything that debuggers want.
fn compile(sources: &[&PathBuf], intake: &Intake) -> Option<tempfile::TempDir> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("error: no folder for class files: {error}");
            return None;
        }
    };
    let javac = jdk_home().map_or(PathBuf::from("javac"), |home| home.join("bin/javac"));
    let mut command = Command::new(javac);
    let _ = command.args(["-g", "-nowarn", "-proc:none", "-d"]).arg(folder.path());
    let others = intake.paths.iter().filter(|path| !sources.contains(path));
    let mut class_path: Vec<String> = others.map(|path| path.display().to_string()).collect();
    if !intake.java.classpath.is_empty() {
        class_path.push(intake.java.classpath.clone());
    }
    if !class_path.is_empty() {
        let _ = command.arg("-cp").arg(class_path.join(":"));
    }
    let output = command.args(sources).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Some(folder),
        Ok(output) => {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            eprintln!("error: javac cannot be started: {error}");
            eprintln!("  = help: install a JDK (Debian: default-jdk-headless) or set JAVA_HOME");
            None
        }
    }
}

/// The JDK of `JAVA_HOME`, or the one that `java` on the path belongs to.
pub(crate) fn jdk_home() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        return Some(home.into());
    }
    let path = std::env::var_os("PATH")?;
    let java = std::env::split_paths(&path).map(|folder| folder.join("java"));
    let java = java.filter(|java| java.is_file()).find_map(|java| java.canonicalize().ok())?;
    java.parent().and_then(Path::parent).map(Path::to_owned)
}

/// Texts of the sources that are beside the classes, so that places can be shown.
pub(crate) fn attach_sources(java: &mut JavaProgram, intake: &Intake) {
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
            file.path = path.display().to_string();
            file.text = Some(Arc::from(text));
        }
    }
}
