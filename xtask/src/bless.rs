//! Accepting new snapshots: runs the tests in the mode where `expect-test` rewrites expectations.

use std::process::Command;

use crate::{run as run_command, workspace_root};

/// Updates the snapshots of the named packages, or of all. Read the diff before you commit it.
pub(crate) fn run(packages: &[String]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("test").current_dir(workspace_root()).env("UPDATE_EXPECT", "1");
    if packages.is_empty() {
        command.arg("--workspace");
    }
    for package in packages {
        command.args(["--package", package]);
    }
    run_command(&mut command)
}
