//! What every command that reads programs takes.

use std::path::{Path, PathBuf};

use clap::Args;
use glassbox_driver::plan::{self, JavaAssertions};

use crate::choice::{Choice, one_of};
use crate::terminal;

/// Files and how to read them.
#[derive(Debug, Args)]
pub(crate) struct Intake {
    /// C source files (`*.c`), or preprocessed ones (`*.i`); several are linked together. A folder of C files, each for
    /// itself. Or Java: class files, jars, folders of classes, sources
    #[arg(required_unless_present_any = ["class", "compdb"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Take compiler flags from this compilation database; without paths, every C file in it, each for itself
    #[arg(long, value_name = "FILE")]
    compdb: Option<PathBuf>,
    /// C: take the real functions of this file instead of stubs, without goals of their own (repeatable)
    #[arg(long, value_name = "FILE")]
    link: Vec<PathBuf>,
    /// The C compiler to preprocess and to build tests with [default: cc]
    #[arg(long, value_name = "CC")]
    cc: Option<String>,
    /// C: the machine that the program is for (`i386`, `arm-none-eabi`, `aarch64-linux-gnu`, `riscv32-unknown-elf` ...)
    /// [default: x86-64 with Linux, or what flags and the compilation database say]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Contracts and defaults of options [default: the nearest glassbox.toml beside or above the source]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Java: only this class (repeatable) [default: every class in the paths]
    #[arg(long, value_name = "NAME")]
    class: Vec<String>,
    /// Java: only this method, by name or by name and descriptor (repeatable)
    #[arg(long, value_name = "NAME")]
    method: Vec<String>,
    /// Java: where further classes are, separated by colons
    #[arg(long, value_name = "CP", default_value = "")]
    classpath: String,
    /// Java: whether `assert` is evaluated, as build tools do when they run tests
    #[arg(long, value_name = "WHEN", value_parser = one_of::<JavaAssertions>(), default_value = "on")]
    assertions: JavaAssertions,
}

/// The compiler as other folders have to name it: tests are built in folders of their own.
fn from_anywhere(compiler: &str) -> String {
    let path = Path::new(compiler);
    let is_named_by_path = compiler.contains('/') && path.is_file();
    let absolute = if is_named_by_path { std::path::absolute(path).ok() } else { None };
    absolute.map_or_else(|| compiler.to_owned(), |path| path.display().to_string())
}

impl Choice for JavaAssertions {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (JavaAssertions::Checked, "on", Some("As `java -ea`")),
        (JavaAssertions::Ignored, "off", Some("As `java` without flags")),
    ];
}

impl Intake {
    /// Where a configuration file is looked for.
    pub(crate) fn near(&self) -> &[PathBuf] {
        if self.paths.is_empty() { self.compdb.as_slice() } else { &self.paths }
    }

    /// The same in the words of the driver.
    pub(crate) fn plan(&self, compiler_flags: &[String]) -> plan::Intake {
        let behind = self.classpath.split(':').filter(|part| !part.is_empty());
        plan::Intake {
            paths: self.paths.clone(),
            links: self.link.clone(),
            own_stubs: None,
            database: self.compdb.clone(),
            compiler: self.cc.as_deref().map_or_else(|| "cc".to_owned(), from_anywhere),
            is_compiler_given: self.cc.is_some(),
            compiler_flags: compiler_flags.to_vec(),
            target: self.target.clone(),
            config: self.config.clone(),
            classes: self.class.clone(),
            methods: self.method.clone(),
            class_path: behind.map(PathBuf::from).collect(),
            assertions: self.assertions,
            is_colored: terminal::is_colored(),
            mutated: None,
            reference: None,
            revisions: Vec::new(),
            moved_to: None,
            overlay: None,
            texts: None,
        }
    }
}
