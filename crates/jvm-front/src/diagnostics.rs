//! What is wrong with the input, said to the user.

use std::path::Path;

use crate::classfile::ClassFileError;

/// An error in what the user gave: the command ends with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file or class concerned.
    pub place: String,
    pub message: String,
    pub help: Option<String>,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: error: {}", self.place, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

impl Diagnostic {
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { place: place.into(), message: message.into(), help: None }
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn unreadable(path: &Path, what: &str) -> Diagnostic {
        Diagnostic::new(path.display().to_string(), what)
            .with_help("name class files, jars, folders of classes, or Java sources")
    }

    pub(crate) fn bad_class(path: &Path, error: &ClassFileError) -> Diagnostic {
        Diagnostic::new(path.display().to_string(), error.to_string())
    }

    pub(crate) fn no_jdk(place: &Path) -> Diagnostic {
        let message = "no JDK found here: java.lang.Object is needed to read any class";
        Diagnostic::new(place.display().to_string(), message)
            .with_help("install a JDK (Debian: default-jdk-headless) or set JAVA_HOME")
    }
}
