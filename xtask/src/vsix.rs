//! The extension for Visual Studio Code as one file to install. Needs `npm`, which fetches what it is built with.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Compiles, lints, tests with the given server where there is one, and packs.
pub(crate) fn run(root: &Path, binary: Option<&str>) -> Result<(), String> {
    let folder = root.join("editors/vscode");
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.args(arguments).current_dir(&folder);
        if let Some(binary) = binary {
            command.env("GLASSBOX_BINARY", binary);
        }
        crate::run(&mut command)
    };
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "lint"])?;
    if binary.is_some() {
        npm(&["test"])?;
    }
    npm(&["run", "package"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let out = target.map_or_else(|| root.join("target"), Into::into).join("dist");
    let explain = |error: std::io::Error| format!("{}: {error}", out.display());
    fs::create_dir_all(&out).map_err(explain)?;
    let packed = out.join("glassbox.vsix");
    fs::copy(folder.join("glassbox.vsix"), &packed).map_err(explain)?;
    println!("{}", packed.display());
    Ok(())
}
