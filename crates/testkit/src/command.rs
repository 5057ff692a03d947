//! The command `glassbox` as a user runs it. Only for tests of the package that builds it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command, to be started in the workspace's root, with neither colours nor a width from outside.
pub fn glassbox() -> Command {
    let mut command = Command::new(binary());
    command.current_dir(crate::root()).env_remove("COLUMNS").env_remove("NO_COLOR");
    command
}

/// Runs the command in the workspace's root.
pub fn run_glassbox<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Output {
    glassbox().args(args).output().expect("the command starts")
}

/// Runs the command in a folder.
pub fn run_glassbox_in<A: AsRef<OsStr>>(
    folder: &Path,
    args: impl IntoIterator<Item = A>,
) -> Output {
    glassbox().args(args).current_dir(folder).output().expect("the command starts")
}

/// Cargo builds the command before the tests of its package; tests and examples are one folder below it.
fn binary() -> PathBuf {
    let own = std::env::current_exe().expect("a running program has a path");
    let folder =
        own.ancestors().nth(2).expect("tests are built into a folder of the target folder");
    folder.join(format!("glassbox{}", std::env::consts::EXE_SUFFIX))
}
