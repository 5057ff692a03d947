//! gcc as an oracle: what C programs really do.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// What every program is compiled with: no warnings, and floats as C says.
const FLAGS: &[&str] = &["-w", "-std=gnu11", "-ffp-contract=off"];

/// Compiles and links C files to `out`; what gcc says when it cannot.
pub fn compile(paths: &[PathBuf], flags: &[&str], out: &Path) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(FLAGS)
        .args(flags)
        .args(paths)
        .arg("-o")
        .arg(out)
        .arg("-lm")
        .output()
        .map_err(|error| format!("gcc: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A compiled program; its files vanish with it.
#[derive(Debug)]
pub struct Compiled {
    folder: TempDir,
    executable: PathBuf,
}

impl Compiled {
    /// Compiles the text of one C file, which gcc should accept.
    #[track_caller]
    pub fn new(text: &str, flags: &[&str]) -> Compiled {
        let folder = crate::folder::with_files(&[("program.c", text)]);
        let executable = folder.path().join("program");
        if let Err(errors) = compile(&[folder.path().join("program.c")], flags, &executable) {
            panic!("gcc should accept the program:\n{errors}\n{text}");
        }
        Compiled { folder, executable }
    }

    /// The output for an input; the program should succeed.
    #[track_caller]
    pub fn run(&self, input: &[u8]) -> Vec<u8> {
        let path = self.folder.path().join("input");
        std::fs::write(&path, input).expect("a file can be written");
        let output = Command::new(&self.executable)
            .stdin(File::open(&path).expect("the input is there"))
            .stderr(Stdio::inherit())
            .output()
            .expect("a compiled program starts");
        assert!(output.status.success(), "the program should succeed: {}", output.status);
        output.stdout
    }
}

/// What a program wrote, and how it ended; `None` where it was stopped after the time limit.
#[derive(Debug)]
pub struct Ended {
    pub stdout: Vec<u8>,
    pub status: Option<ExitStatus>,
}

/// Runs a program that may fail or not end.
pub fn run_limited(program: &Path, stdin: &[u8], args: &[&str], limit: Duration) -> Ended {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("piped");
    let mut from = child.stdout.take().expect("piped");
    let input = stdin.to_vec();
    // A program that ends before it has read everything is right to do so.
    let writer = std::thread::spawn(move || pipe.write_all(&input).is_ok());
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).expect("the child is ours");
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let _ = writer.join();
    Ended { stdout: reader.join().unwrap_or_default(), status }
}
