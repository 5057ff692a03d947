//! The JDK as an oracle: what Java programs really do.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{Tool, require};

/// A JDK.
#[derive(Debug, Clone)]
pub struct Jdk {
    pub home: PathBuf,
}

impl Jdk {
    /// The JDK that `javac` on the path belongs to; `None` as [`require`] says it.
    #[track_caller]
    pub fn find() -> Option<Jdk> {
        let javac = require(Tool::Jdk)?;
        let javac = javac.canonicalize().expect("javac was found");
        let home = javac.parent().and_then(Path::parent).expect("javac is in a JDK's bin");
        Some(Jdk { home: home.to_owned() })
    }

    /// A program of the JDK, to be given arguments.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }

    /// Compiles sources, which `javac` should accept, into a folder.
    #[track_caller]
    pub fn compile(&self, flags: &[String], sources: &[PathBuf], folder: &Path) {
        let mut javac = self.program("javac");
        javac.args(["-g", "-nowarn", "-proc:none", "-d"]).arg(folder).args(flags);
        succeed(javac.args(sources));
    }
}

/// What a command that should succeed wrote.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    output
}
