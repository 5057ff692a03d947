//! Runs the C compiler's preprocessor: the only file of this room that starts a process.
//!
//! Time and output are bounded. The compiler's errors become diagnostics.

#![allow(clippy::disallowed_methods, reason = "it starts the C preprocessor, for a limited time")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::diagnostics::{Diagnostic, SetupProblem};
use crate::flags;

/// How to preprocess.
#[derive(Debug, Clone)]
pub struct Preprocessor {
    /// The compiler's name or path. Default `cc`.
    pub compiler: String,
    /// Passed before the file name, after filtering what only concerns compiling and linking.
    pub flags: Vec<String>,
    /// Where the compiler runs. Default: the current directory.
    pub directory: Option<PathBuf>,
    /// The compiler is stopped after this time. Default 60 s.
    pub timeout: Duration,
    /// Most bytes of preprocessed text. Default 512 MiB.
    pub max_output: usize,
    /// A text that is read instead of the file it belongs to.
    pub overlay: Option<Overlay>,
}

/// What a preprocessor made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preprocessed {
    pub text: Vec<u8>,
    /// What it said meanwhile.
    pub said: Vec<u8>,
}

/// A file's text as it stands in an editor, not as it was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    pub path: PathBuf,
    pub text: Arc<[u8]>,
}

impl Overlay {
    /// Whether it stands for this file.
    pub fn is_of(&self, path: &Path) -> bool {
        let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        full(&self.path) == full(path)
    }

    /// A file with the text, in an empty folder that is removed with the result, so that includes are looked for where
    /// the flags of `include_flags` say and nowhere before. Its first line gives it the name that `path` has.
    fn written(&self, path: &Path) -> std::io::Result<(tempfile::TempDir, PathBuf)> {
        let folder = tempfile::Builder::new().prefix("glassbox-text-").tempdir()?;
        let file = folder.path().join(path.file_name().unwrap_or_default());
        let name = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let text = self.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.text);
        let head = format!("#line 1 \"{name}\"\n");
        std::fs::write(&file, [head.as_bytes(), text].concat())?;
        Ok((folder, file))
    }

    /// What is included is beside the real file.
    fn include_flags(path: &Path) -> [PathBuf; 2] {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        [PathBuf::from("-iquote"), folder.unwrap_or(Path::new(".")).to_owned()]
    }
}

impl Default for Preprocessor {
    fn default() -> Preprocessor {
        Preprocessor {
            compiler: "cc".to_string(),
            flags: Vec::new(),
            directory: None,
            timeout: Duration::from_secs(60),
            max_output: 512 << 20,
            overlay: None,
        }
    }
}

/// The language version used when no flag gives one.
const DEFAULT_STANDARD: &str = "-std=gnu11";

impl Preprocessor {
    /// The preprocessed text of a file. A file named `*.i` is taken as it is.
    pub fn run(&self, path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
        self.run_with(path, None).map(|preprocessed| preprocessed.text)
    }

    /// The same, with what the compiler says about how it looks for headers.
    pub fn run_and_tell(&self, path: &Path) -> Result<Preprocessed, Vec<Diagnostic>> {
        self.run_with(path, Some("-v"))
    }

    fn run_with(&self, path: &Path, more: Option<&str>) -> Result<Preprocessed, Vec<Diagnostic>> {
        let shown = path.display().to_string();
        let fail = |problem| vec![Diagnostic::setup(problem)];
        let full = match &self.directory {
            Some(directory) => directory.join(path),
            None => path.to_path_buf(),
        };
        let problems = flags::problems(&shown, &self.flags);
        if !problems.is_empty() {
            return Err(problems);
        }
        let overlay = self.overlay.as_ref().filter(|overlay| overlay.is_of(&full));
        let content = match overlay {
            Some(overlay) => checked_text(path, &shown, overlay.text.to_vec()).map_err(fail)?,
            None => read_source(&full, &shown).map_err(fail)?,
        };
        if path.extension().is_some_and(|extension| extension == "i") {
            return Ok(Preprocessed { text: content, said: Vec::new() });
        }
        // The definitions of macros stay in the output: the source map needs their names.
        let mut command = self.command();
        command.arg("-dD").args(more).stdin(Stdio::null());
        let unreadable = |error: std::io::Error| {
            fail(SetupProblem::Unreadable { path: shown.clone(), why: error.to_string() })
        };
        let written =
            overlay.map(|overlay| overlay.written(path)).transpose().map_err(unreadable)?;
        match &written {
            Some((_, file)) => command.args(Overlay::include_flags(path)).arg(file),
            None => command.arg(path),
        };
        let child = command.spawn().map_err(|error| {
            fail(SetupProblem::CompilerMissing {
                compiler: self.compiler.clone(),
                why: error.to_string(),
            })
        })?;
        self.collect(child, &shown)
    }

    /// `text` with the macros expanded that are defined at the end of `source`. `None` if the compiler
    /// does not like it.
    pub fn expand(&self, source: &Path, text: &[u8]) -> Option<Vec<u8>> {
        let mut command = self.command();
        let overlay = self.overlay.as_ref().filter(|overlay| overlay.is_of(source));
        let written = overlay.map(|overlay| overlay.written(source)).transpose().ok()?;
        match &written {
            Some((_, file)) => {
                command.args(Overlay::include_flags(source)).arg("-imacros").arg(file)
            }
            None => command.arg("-imacros").arg(source),
        };
        command.args(["-x", "c", "-"]).stdin(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let mut input = child.stdin.take().expect("standard input should be piped");
        // The text is far smaller than what a pipe holds unless the child reads, which it does.
        let is_written = input.write_all(text).is_ok();
        drop(input);
        let output = self.collect(child, "contracts").ok()?;
        is_written.then_some(output.text)
    }

    /// The compiler as a preprocessor that writes to pipes.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.compiler);
        command.arg("-E").args(self.arguments()).env("LC_ALL", "C");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    /// The flags that matter for preprocessing, with a language version.
    pub fn arguments(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut flags = self.flags.iter();
        while let Some(flag) = flags.next() {
            match flag.as_str() {
                "-c" | "-S" | "-E" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" | "-MG" => {}
                "-o" | "-MF" | "-MT" | "-MQ" => {
                    flags.next();
                }
                // Compilers for one machine do not know the flag.
                _ if flag.starts_with("--target=") && !self.compiler.contains("clang") => {}
                _ => out.push(flag.clone()),
            }
        }
        if !out.iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi") {
            out.insert(0, DEFAULT_STANDARD.to_string());
        }
        out
    }

    fn collect(&self, mut child: Child, shown: &str) -> Result<Preprocessed, Vec<Diagnostic>> {
        let fail = |problem| Err(vec![Diagnostic::setup(problem)]);
        let stdout = child.stdout.take().expect("standard output should be piped");
        let stderr = child.stderr.take().expect("standard error should be piped");
        let limit = self.max_output;
        let (output, messages, status) = std::thread::scope(|scope| {
            let output = scope.spawn(move || read_up_to(stdout, limit));
            let messages = scope.spawn(move || read_up_to(stderr, 1 << 20));
            let status = wait_until(&mut child, Instant::now() + self.timeout);
            let output = output.join().expect("reading should not panic");
            let messages = messages.join().expect("reading should not panic");
            (output, messages, status)
        });
        let Some(success) = status else {
            let seconds = self.timeout.as_secs();
            return fail(SetupProblem::TimedOut { path: shown.to_string(), seconds });
        };
        if output.len() > limit {
            return fail(SetupProblem::TooMuchOutput { path: shown.to_string(), limit });
        }
        if success {
            return Ok(Preprocessed { text: output, said: messages });
        }
        Err(compiler_messages(&self.compiler, &String::from_utf8_lossy(&messages)))
    }
}

/// Reads at most `limit + 1` bytes, then drops the pipe so that the writer stops.
fn read_up_to(pipe: impl Read, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    // A broken pipe ends the text; the exit status shows why.
    let _ = pipe.take(most).read_to_end(&mut bytes);
    bytes
}

/// Whether the child succeeded; `None` if it had to be stopped.
fn wait_until(child: &mut Child, deadline: Instant) -> Option<bool> {
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if Instant::now() < deadline => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            Err(_) => return Some(false),
        }
    }
}

/// Endings of the names of files that gcc compiles as C++.
const CPLUSPLUS: &[&str] = &["C", "cc", "cp", "cpp", "CPP", "cxx", "c++", "hh", "hpp", "hxx"];

/// The file's content, if it can be C source.
fn read_source(path: &Path, shown: &str) -> Result<Vec<u8>, SetupProblem> {
    let problem = |error: std::io::Error| {
        let path = shown.to_string();
        if error.kind() == std::io::ErrorKind::NotFound {
            return SetupProblem::NoSuchFile { path };
        }
        SetupProblem::Unreadable { path, why: error.to_string() }
    };
    if std::fs::metadata(path).map_err(problem)?.is_dir() {
        return Err(SetupProblem::IsDirectory { path: shown.to_string() });
    }
    is_not_cplusplus(path, shown)?;
    checked_text(path, shown, std::fs::read(path).map_err(problem)?)
}

fn is_not_cplusplus(path: &Path, shown: &str) -> Result<(), SetupProblem> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if CPLUSPLUS.contains(&ending) {
        return Err(SetupProblem::Cplusplus { path: shown.to_string() });
    }
    Ok(())
}

/// The content of a file, if it can be C source.
fn checked_text(path: &Path, shown: &str, content: Vec<u8>) -> Result<Vec<u8>, SetupProblem> {
    is_not_cplusplus(path, shown)?;
    match content.iter().position(|&byte| byte == 0) {
        Some(offset) => {
            // The mark at the start of a file says how its characters are written.
            let is_wide = content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff");
            Err(SetupProblem::NotText { path: shown.to_string(), offset, is_wide })
        }
        None => Ok(content),
    }
}

/// Reads an original source file for excerpts; relative names are relative to `directory`.
pub fn read_original(directory: Option<&Path>, name: &str) -> Option<Vec<u8>> {
    let path = match directory {
        Some(directory) => directory.join(name),
        None => PathBuf::from(name),
    };
    std::fs::read(path).ok()
}

/// The error lines of a failed run as diagnostics.
fn compiler_messages(compiler: &str, text: &str) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for line in text.lines() {
        let Some((place, message)) = split_error(line) else { continue };
        let missing = message.strip_suffix(": No such file or directory");
        out.push(Diagnostic::setup(match missing {
            Some(header) if place.contains(':') => {
                SetupProblem::MissingHeader { place: place.to_string(), header: header.to_string() }
            }
            _ => SetupProblem::Compiler { place: place.to_string(), message: message.to_string() },
        }));
    }
    if out.is_empty() {
        let output: Vec<&str> = text.lines().take(5).collect();
        out.push(Diagnostic::setup(SetupProblem::CompilerFailed {
            compiler: compiler.to_string(),
            output: output.join("; "),
        }));
    }
    out
}

/// `place: error: message` or `place: fatal error: message`.
fn split_error(line: &str) -> Option<(&str, &str)> {
    for mark in [": fatal error: ", ": error: "] {
        if let Some((place, message)) = line.split_once(mark) {
            return Some((place, message));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("glassbox-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a scratch directory");
            Scratch(path)
        }

        fn file(&self, name: &str, content: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, content).expect("a scratch file");
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[track_caller]
    fn first_problem(result: Result<Vec<u8>, Vec<Diagnostic>>) -> String {
        result.expect_err("preprocessing should fail")[0].message()
    }

    #[test]
    fn a_file_is_preprocessed_with_flags() {
        let scratch = Scratch::new("pp-ok");
        let path = scratch.file("a.c", b"int x = N;\n");
        let flags = vec!["-DN=42".to_string(), "-c".into(), "-o".into(), "a.o".into()];
        let text = Preprocessor { flags, ..Preprocessor::default() }.run(&path).expect("text");
        assert!(String::from_utf8_lossy(&text).contains("int x = 42;"));
    }

    #[test]
    fn a_text_stands_for_its_file() {
        let scratch = Scratch::new("pp-overlay");
        let path = scratch.file("a \"b.c", b"int old;\n");
        scratch.file("own.h", b"#define N 42\n");
        let text = "#include \"own.h\"\nint new = N;\nconst char *name = __FILE__;\n#define M 7\n";
        let overlay = Overlay { path: path.clone(), text: text.as_bytes().into() };
        let preprocessor = Preprocessor { overlay: Some(overlay), ..Preprocessor::default() };
        let output = preprocessor.run(&path).expect("text");
        let output = String::from_utf8_lossy(&output).into_owned();
        assert!(output.contains("int new = 42;") && !output.contains("int old"), "{output}");
        assert!(output.contains("pp-overlay") && output.contains("a \\\"b.c\";"), "{output}");
        let expanded = preprocessor.expand(&path, b"M").expect("text");
        assert!(String::from_utf8_lossy(&expanded).contains('7'));
        // Other files are read from the disk.
        let other = scratch.file("other.c", b"int other;\n");
        let output = preprocessor.run(&other).expect("text");
        assert!(String::from_utf8_lossy(&output).contains("int other;"));
    }

    #[test]
    fn bad_inputs_are_named() {
        let scratch = Scratch::new("pp-bad");
        let run = |path: &Path| first_problem(Preprocessor::default().run(path));
        assert!(run(&scratch.0.join("none.c")).contains("no such file"));
        assert!(run(&scratch.0).contains("directory"));
        assert!(run(&scratch.file("bin.c", b"\x7fELF\0\0")).contains("not text"));
        let header = run(&scratch.file("h.c", b"\n#include \"nope.h\"\n"));
        assert!(header.contains("h.c:2:10") && header.contains("`nope.h`"), "{header}");
        assert!(run(&scratch.file("e.c", b"#error no way\n")).contains("no way"));
    }

    #[test]
    fn a_missing_compiler_is_named() {
        let scratch = Scratch::new("pp-cc");
        let path = scratch.file("a.c", b"int x;\n");
        let compiler = "no-such-compiler".to_string();
        let text = first_problem(Preprocessor { compiler, ..Preprocessor::default() }.run(&path));
        assert!(text.contains("`no-such-compiler` cannot be started"), "{text}");
    }

    #[test]
    fn output_and_time_are_bounded() {
        let scratch = Scratch::new("pp-limit");
        let path = scratch.file("a.c", "int x;\n".repeat(10_000).as_bytes());
        let limited = Preprocessor { max_output: 1000, ..Preprocessor::default() };
        assert!(first_problem(limited.run(&path)).contains("more than 1000 bytes"));
        let script = scratch.file("slow.sh", b"#!/bin/sh\nexec sleep 10\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&script, mode).expect("an executable script");
        let slow = Preprocessor {
            compiler: script.display().to_string(),
            timeout: Duration::from_millis(100),
            ..Preprocessor::default()
        };
        assert!(first_problem(slow.run(&path)).contains("took more than"));
    }
}
