//! Tools of the machine: whether they are there and which version they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The first line that a program prints about its version; `None` when it cannot be run.
pub fn version(program: &str, ask: &str) -> Option<String> {
    let output = Command::new(program).arg(ask).stdin(Stdio::null()).output().ok()?;
    if !output.status.success() {
        return None;
    }
    // Java prints its version on standard error.
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8_lossy(&text);
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Whether a program of this name is found where programs are looked for.
pub fn is_installed(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

/// Where compilers look for headers that packages install.
const FOLDERS: &[&str] = &["/usr/include", "/usr/local/include", "/opt/homebrew/include"];

/// Where a header is installed.
pub fn header(name: &str) -> Option<PathBuf> {
    FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}

/// Shows a file with the program that the desktop has for it; whether there is one.
pub fn open(path: &Path) -> bool {
    ["xdg-open", "open"].iter().any(|program| {
        let mut command = Command::new(program);
        command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_program_that_is_not_there_has_no_version() {
        assert!(version("glassbox-no-such-program", "--version").is_none());
        assert!(version("make", "--version").is_some_and(|line| line.contains("Make")));
    }
}
