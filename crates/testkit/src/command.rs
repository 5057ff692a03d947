//! The command `glassbox` as a user runs it. Only for tests of the package that builds it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

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

/// Runs the command in a folder; what it writes goes to a folder of its own.
pub fn run_glassbox_aside(folder: &Path, args: &[&str]) -> (TempDir, Output) {
    let out = crate::folder::empty();
    let shown = out.path().display().to_string();
    let output = run_glassbox_in(folder, [args, &["--out", &shown]].concat());
    (out, output)
}

/// Runs the tests by the command that was printed for it, which must succeed; what they printed.
pub fn run_tests_as_printed(folder: &Path, output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let command = text.lines().find_map(|line| line.strip_prefix("run the tests with: "));
    let command = command.unwrap_or_else(|| panic!("{text}"));
    let run = Command::new("sh").arg("-c").arg(command).current_dir(folder).output();
    let run = run.expect("a shell");
    let shown =
        [String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)].concat();
    assert!(run.status.success(), "{command}\n{shown}");
    shown
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
