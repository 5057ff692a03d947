//! Problems before any C is read: files, flags, the compiler, the compilation database.

use super::{Severity, Whose};

/// Text in `place` fields is `file:line:col` as another program reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupProblem {
    NoSuchFile {
        path: String,
    },
    IsDirectory {
        path: String,
    },
    Unreadable {
        path: String,
        why: String,
    },
    /// The file holds bytes that no C source has.
    NotText {
        path: String,
        offset: usize,
        /// It is text in UTF-16.
        is_wide: bool,
    },
    /// The name of the file says so.
    Cplusplus {
        path: String,
    },
    CompilerMissing {
        compiler: String,
        why: String,
    },
    MissingHeader {
        place: String,
        header: String,
    },
    /// Any other error line of the compiler.
    Compiler {
        place: String,
        message: String,
    },
    /// The compiler failed without an error line that could be read.
    CompilerFailed {
        compiler: String,
        output: String,
    },
    TimedOut {
        path: String,
        seconds: u64,
    },
    TooMuchOutput {
        path: String,
        limit: usize,
    },
    DatabaseUnreadable {
        path: String,
        why: String,
    },
    DatabaseBroken {
        path: String,
        line: usize,
        column: usize,
        why: String,
    },
    /// An entry lacks what it needs; the others are used.
    DatabaseEntry {
        path: String,
        index: usize,
        why: &'static str,
    },
    ResponseFile {
        path: String,
        why: String,
    },
    NotInDatabase {
        path: String,
        database: String,
    },
    /// A flag that changes what programs mean, or may.
    RefusedFlag {
        path: String,
        flag: String,
    },
    /// Its types may have other sizes.
    ForeignCompiler {
        path: String,
        compiler: String,
    },
}

impl SetupProblem {
    pub fn severity(&self) -> Severity {
        match self {
            SetupProblem::DatabaseEntry { .. } | SetupProblem::NotInDatabase { .. } => {
                Severity::Warning
            }
            SetupProblem::ResponseFile { .. }
            | SetupProblem::NoSuchFile { .. }
            | SetupProblem::IsDirectory { .. }
            | SetupProblem::Unreadable { .. }
            | SetupProblem::NotText { .. }
            | SetupProblem::Cplusplus { .. }
            | SetupProblem::CompilerMissing { .. }
            | SetupProblem::MissingHeader { .. }
            | SetupProblem::Compiler { .. }
            | SetupProblem::CompilerFailed { .. }
            | SetupProblem::TimedOut { .. }
            | SetupProblem::TooMuchOutput { .. }
            | SetupProblem::DatabaseUnreadable { .. }
            | SetupProblem::RefusedFlag { .. }
            | SetupProblem::ForeignCompiler { .. }
            | SetupProblem::DatabaseBroken { .. } => Severity::Error,
        }
    }

    pub fn whose(&self) -> Whose {
        match self {
            SetupProblem::TimedOut { .. } | SetupProblem::TooMuchOutput { .. } => Whose::Tool,
            SetupProblem::Compiler { .. } => Whose::Program,
            SetupProblem::NoSuchFile { .. }
            | SetupProblem::IsDirectory { .. }
            | SetupProblem::Unreadable { .. }
            | SetupProblem::NotText { .. }
            | SetupProblem::Cplusplus { .. }
            | SetupProblem::CompilerMissing { .. }
            | SetupProblem::MissingHeader { .. }
            | SetupProblem::CompilerFailed { .. }
            | SetupProblem::DatabaseUnreadable { .. }
            | SetupProblem::DatabaseBroken { .. }
            | SetupProblem::DatabaseEntry { .. }
            | SetupProblem::ResponseFile { .. }
            | SetupProblem::RefusedFlag { .. }
            | SetupProblem::ForeignCompiler { .. }
            | SetupProblem::NotInDatabase { .. } => Whose::Setup,
        }
    }

    pub fn hint(&self) -> Option<String> {
        Some(match self {
            SetupProblem::NoSuchFile { .. } => {
                "check the path; it is relative to the current directory".into()
            }
            SetupProblem::IsDirectory { .. } => {
                "name the C files, or use --compdb compile_commands.json".into()
            }
            SetupProblem::NotText { is_wide: true, .. } => {
                "this is UTF-16: `iconv -f UTF-16 -t UTF-8` makes text of it that compilers read".into()
            }
            SetupProblem::NotText { .. } => {
                "this looks like a binary file; name a C source file".into()
            }
            SetupProblem::Cplusplus { .. } => "only C and Java are read".into(),
            SetupProblem::CompilerMissing { .. } => {
                "install a C compiler (`apt install gcc`), or name one with `--cc`".into()
            }
            SetupProblem::MissingHeader { header, .. } => {
                format!("add the directory of `{header}` with `-- -I DIR`, or install its package")
            }
            SetupProblem::CompilerFailed { .. } => {
                "run the compiler with -E on this file to see more".into()
            }
            SetupProblem::TimedOut { .. } => "does the file include itself or read a pipe?".into(),
            SetupProblem::TooMuchOutput { .. } => "does the file include itself?".into(),
            SetupProblem::DatabaseBroken { .. } | SetupProblem::DatabaseUnreadable { .. } => {
                "write it again, for example with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`".into()
            }
            SetupProblem::NotInDatabase { .. } => "it is read with default flags".into(),
            SetupProblem::DatabaseEntry { .. } => "the entry is skipped".into(),
            SetupProblem::RefusedFlag { flag, .. } if flag == "-fno-strict-overflow" => {
                "leave it out and use `--overflow wrap`".into()
            }
            SetupProblem::ForeignCompiler { .. } => {
                "`--cc cc` reads it as a program for this machine, where the result may be about that".into()
            }
            SetupProblem::RefusedFlag { .. } => {
                "leave it out if the result may be about the program compiled without it".into()
            }
            SetupProblem::Unreadable { .. }
            | SetupProblem::Compiler { .. }
            | SetupProblem::ResponseFile { .. } => return None,
        })
    }
}

impl std::fmt::Display for SetupProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetupProblem::NoSuchFile { path } => write!(f, "{path}: error: no such file"),
            SetupProblem::IsDirectory { path } => {
                write!(f, "{path}: error: this is a directory, not a C file")
            }
            SetupProblem::Unreadable { path, why } => {
                write!(f, "{path}: error: cannot be read: {why}")
            }
            SetupProblem::Cplusplus { path } => write!(f, "{path}: error: this is C++"),
            SetupProblem::NotText { path, offset, .. } => {
                write!(f, "{path}: error: not C source: byte {offset} is not text")
            }
            SetupProblem::CompilerMissing { compiler, why } => {
                write!(f, "error: the compiler `{compiler}` cannot be started: {why}")
            }
            SetupProblem::MissingHeader { place, header } => {
                write!(f, "{place}: error: the header `{header}` was not found")
            }
            SetupProblem::Compiler { place, message } if place.is_empty() => {
                write!(f, "error: {message}")
            }
            SetupProblem::Compiler { place, message } => write!(f, "{place}: error: {message}"),
            SetupProblem::CompilerFailed { compiler, output } => {
                write!(f, "error: `{compiler} -E` failed: {output}")
            }
            SetupProblem::TimedOut { path, seconds } => {
                write!(f, "{path}: error: preprocessing took more than {seconds} s")
            }
            SetupProblem::TooMuchOutput { path, limit } => {
                write!(f, "{path}: error: preprocessing gave more than {limit} bytes")
            }
            SetupProblem::DatabaseUnreadable { path, why } => {
                write!(f, "{path}: error: the compilation database cannot be read: {why}")
            }
            SetupProblem::DatabaseBroken { path, line, column, why } => {
                write!(f, "{path}:{line}:{column}: error: not a compilation database: {why}")
            }
            SetupProblem::DatabaseEntry { path, index, why } => {
                write!(f, "{path}: warning: entry {index} {why}")
            }
            SetupProblem::ResponseFile { path, why } => {
                write!(f, "{path}: error: the response file cannot be read: {why}")
            }
            SetupProblem::ForeignCompiler { path, compiler } => write!(
                f,
                "{path}: error: `{compiler}` compiles for another machine, whose types are not modeled"
            ),
            SetupProblem::RefusedFlag { path, flag } => write!(
                f,
                "{path}: error: the compiler flag `{flag}` may change what the program means, and this is not modeled"
            ),
            SetupProblem::NotInDatabase { path, database } => {
                write!(f, "{path}: warning: not in the compilation database {database}")
            }
        }
    }
}
