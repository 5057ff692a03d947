//! Programs and files that a test needs and that are not ours: in CI they must be there.

use std::path::PathBuf;

/// Something that `cargo xtask test` installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// A program in the path.
    Program(&'static str),
    /// A file of a Debian package.
    File(&'static str),
    /// `javac` and `java`.
    Jdk,
    /// One of Debian's jars.
    Jar(&'static str),
    /// The `bin` folder of LCOV 2, which reads MC/DC records; Debian's may be older.
    Lcov2,
    /// OASIS's JSON schema of SARIF 2.1.0.
    SarifSchema,
    /// The folder with `unity.c` and `unity.h`.
    Unity,
    /// `axe.min.js` of axe-core, which looks for what keeps people from using a page.
    Axe,
    /// The viewer of Stryker's reports of mutants.
    MutationViewer,
    /// mdBook, which makes the book in `docs/`.
    MdBook,
    /// Python with the packages of PyPI that tests need.
    Python,
}

/// Says to `require` that nothing may be skipped; `cargo xtask test` and `ci` set it to 1.
const CI: &str = "GLASSBOX_CI";

impl Tool {
    fn find(self) -> Option<PathBuf> {
        match self {
            Tool::Program(name) => on_path(name),
            Tool::File(path) => Some(PathBuf::from(path)),
            Tool::Jdk => on_path("java").and(on_path("javac")),
            Tool::Jar(name) => Some(PathBuf::from("/usr/share/java").join(name)),
            Tool::Lcov2 => Some(PathBuf::from(std::env::var_os("GLASSBOX_LCOV2")?)),
            Tool::SarifSchema => Some(PathBuf::from(std::env::var_os("GLASSBOX_SARIF_SCHEMA")?)),
            Tool::Python => Some(PathBuf::from(std::env::var_os("GLASSBOX_PYTHON")?)),
            Tool::Unity => Some(PathBuf::from(std::env::var_os("GLASSBOX_UNITY")?)),
            Tool::Axe => Some(PathBuf::from(std::env::var_os("GLASSBOX_AXE")?)),
            Tool::MutationViewer => {
                Some(PathBuf::from(std::env::var_os("GLASSBOX_MUTATION_VIEWER")?))
            }
            Tool::MdBook => Some(PathBuf::from(std::env::var_os("GLASSBOX_MDBOOK")?)),
        }
        .filter(|path| path.exists())
    }
}

/// Where the tool is. Without it the test says on standard error that it is skipped and should return, but where
/// `GLASSBOX_CI` is 1 it fails.
#[track_caller]
pub fn require(tool: Tool) -> Option<PathBuf> {
    let found = tool.find();
    if found.is_none() {
        let is_ci = std::env::var_os(CI).is_some_and(|value| value == "1");
        assert!(!is_ci, "{tool:?} is missing; `cargo xtask test` installs it");
        let place = std::panic::Location::caller();
        eprintln!("skipped at {place}: {tool:?} is not installed; `cargo xtask test` installs it");
    }
    found
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::{Tool, on_path};

    #[test]
    fn programs_are_found_in_the_path() {
        assert!(on_path("sh").is_some());
        assert_eq!(Tool::Program("no-such-program-anywhere").find(), None);
        assert_eq!(Tool::Jar("no-such.jar").find(), None);
    }
}
