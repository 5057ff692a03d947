//! Compiling and running one C program.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A compiled program; its files vanish with it.
pub(crate) struct Program {
    directory: TempDir,
    executable: PathBuf,
}

impl Program {
    /// Compiles at `-O0` without contraction and with respect for the rounding mode.
    pub(crate) fn compile(source: &str) -> Program {
        let directory = tempfile::tempdir().expect("a temporary directory should be creatable");
        let path = directory.path().join("driver.c");
        std::fs::write(&path, source).expect("the driver should be writable");
        let executable = directory.path().join("driver");
        let output = Command::new("gcc")
            .args([
                "-std=gnu11",
                "-O0",
                "-w",
                "-fwrapv",
                "-frounding-math",
                "-ffp-contract=off",
                "-o",
            ])
            .arg(&executable)
            .arg(&path)
            .arg("-lm")
            .output()
            .expect("gcc should be installed");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "gcc should accept the driver:\n{errors}\n{source}");
        Program { directory, executable }
    }

    /// The program's output for an input.
    pub(crate) fn run(&self, input: &[u8]) -> Vec<u8> {
        let path = self.directory.path().join("input");
        std::fs::write(&path, input).expect("the input should be writable");
        let input = File::open(&path).expect("the input should be readable");
        let output = Command::new(&self.executable)
            .stdin(input)
            .stderr(Stdio::inherit())
            .output()
            .expect("the driver should start");
        assert!(output.status.success(), "the driver should succeed: {}", output.status);
        output.stdout
    }
}

/// Reads a stream of 16-byte little-endian numbers.
pub(crate) struct Results {
    bytes: Vec<u8>,
    at: usize,
}

impl Results {
    pub(crate) fn new(bytes: Vec<u8>) -> Results {
        Results { bytes, at: 0 }
    }

    pub(crate) fn take(&mut self) -> u128 {
        let chunk =
            self.bytes.get(self.at..self.at + 16).expect("the driver should not stop early");
        self.at += 16;
        u128::from_le_bytes(chunk.try_into().expect("a chunk of 16 should be 16 long"))
    }

    /// All results should have been looked at.
    pub(crate) fn finish(self) {
        assert_eq!(self.at, self.bytes.len(), "the driver should not say more than expected");
    }
}
