//! Compiling a test program.

use std::path::Path;

use crate::sandbox::{Finished, Limits, run};

/// How the user compiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    pub command: String,
    pub flags: Vec<String>,
}

impl Compiler {
    /// Compiles `sources` in `folder` into `program`.
    pub fn build(
        &self,
        folder: &Path,
        sources: &[&str],
        extra: &[String],
        program: &str,
    ) -> std::io::Result<Finished> {
        let mut args: Vec<String> =
            ["-w", "-O0", "-ffp-contract=off"].into_iter().map(str::to_owned).collect();
        args.extend(self.flags.iter().cloned());
        args.extend(extra.iter().cloned());
        args.extend(["-o".to_owned(), program.to_owned()]);
        args.extend(sources.iter().map(|source| (*source).to_owned()));
        args.push("-lm".to_owned());
        run(folder, &self.command, &args, &[], Limits::compiler())
    }
}
