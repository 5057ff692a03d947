//! Compiling a test program.

use std::path::Path;

use glassbox_emit::flags::Flags;

use crate::sandbox::{Finished, Limits, run};

/// How the user compiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    pub command: String,
    pub flags: Flags,
}

/// What the test file includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Included {
    /// The source as the user wrote it.
    Source,
    /// Text that has been preprocessed.
    Preprocessed,
}

/// Flags of ours: tests are about what the source says, not about what an optimizer makes of it.
const OWN: &[&str] = &["-w", "-O0", "-ffp-contract=off"];

impl Compiler {
    fn run(&self, folder: &Path, groups: &[&[String]], last: &[&str]) -> std::io::Result<Finished> {
        let own = OWN.iter().map(|flag| (*flag).to_owned());
        let given = groups.iter().flat_map(|group| group.iter().cloned());
        let last = last.iter().map(|word| (*word).to_owned());
        let args: Vec<String> = own.chain(given).chain(last).collect();
        run(folder, &self.command, &args, &[], Limits::compiler())
    }

    /// Compiles a source as the user does, into `object` in `folder`.
    pub fn object(&self, folder: &Path, source: &str, object: &str) -> std::io::Result<Finished> {
        self.run(folder, &[&self.flags.unit], &["-c", "-o", object, source])
    }

    /// Compiles `test.c` and the runtime of tests in `folder` into `program`. `extra` flags concern both.
    pub fn build(
        &self,
        folder: &Path,
        included: Included,
        extra: &[String],
        program: &str,
    ) -> std::io::Result<Finished> {
        let object = format!("{program}.o");
        let flags = match included {
            Included::Source => &self.flags.unit,
            Included::Preprocessed => &self.flags.preprocessed,
        };
        let compiled = self.run(folder, &[flags, extra], &["-c", "-o", &object, "test.c"])?;
        if !compiled.succeeded() {
            return Ok(compiled);
        }
        let own = ["-o", program, &object, "glassbox.c"];
        let given = self.flags.link.iter().map(String::as_str);
        let last: Vec<&str> = own.into_iter().chain(given).chain(["-lm"]).collect();
        self.run(folder, &[&self.flags.runtime, extra], &last)
    }
}
