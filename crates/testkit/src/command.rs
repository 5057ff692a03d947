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

/// What a command of the tool prints on standard output about this source, which becomes `a.c` in `folder`; files go
/// to `out` there.
pub fn printed_about(source: &str, folder: &Path, command: &str, more: &[&str]) -> String {
    crate::folder::write(folder, "a.c", source);
    let output = run_glassbox_in(folder, [&[command, "a.c", "--out", "out"], more].concat());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Cargo builds the command before the tests of its package; tests and examples are one folder below it.
fn binary() -> PathBuf {
    let own = std::env::current_exe().expect("a running program has a path");
    let folder =
        own.ancestors().nth(2).expect("tests are built into a folder of the target folder");
    folder.join(format!("glassbox{}", std::env::consts::EXE_SUFFIX))
}
