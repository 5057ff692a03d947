//! Compiling a test program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use glassbox_emit::flags::Flags;

use crate::blame::without_temporaries;
use crate::gcov;
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

/// The runtime of tests as compiled code, by the words that compile it: every test program has the same.
static RUNTIMES: Mutex<BTreeMap<Vec<String>, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

impl Compiler {
    fn run(&self, folder: &Path, groups: &[&[String]], last: &[&str]) -> std::io::Result<Finished> {
        let own = OWN.iter().map(|flag| (*flag).to_owned());
        let given = groups.iter().flat_map(|group| group.iter().cloned());
        let last = last.iter().map(|word| (*word).to_owned());
        let args: Vec<String> = own.chain(given).chain(last).collect();
        let finished = run(folder, &self.command, &args, &[], Limits::compiler())?;
        Ok(Finished { output: without_temporaries(&finished.output), ..finished })
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
        let runtime = format!("{program}_runtime.o");
        let flags = match included {
            Included::Source => &self.flags.unit,
            Included::Preprocessed => &self.flags.preprocessed,
        };
        let (compiled, supported) = thread::scope(|scope| {
            let supported = scope.spawn(|| self.runtime(folder, extra, &runtime));
            let last = ["-c", "-o", &object, "test.c"];
            let compiled = self.run(folder, &[flags, extra], &last);
            let panicked = |_| Err(std::io::Error::other("a thread could not be started"));
            (compiled, supported.join().unwrap_or_else(panicked))
        });
        let compiled = compiled?;
        if !compiled.succeeded() {
            return Ok(compiled);
        }
        if let Some(refused) = supported? {
            return Ok(refused);
        }
        let own = ["-o", program, &object, &runtime];
        let given = self.flags.link.iter().map(String::as_str);
        let last: Vec<&str> = own.into_iter().chain(given).chain(["-lm"]).collect();
        self.run(folder, &[&self.flags.runtime, extra], &last)
    }

    /// Puts the runtime of tests, whose source is in `folder`, there as an object; what the compiler says if it
    /// refuses. It is compiled once.
    fn runtime(
        &self,
        folder: &Path,
        extra: &[String],
        object: &str,
    ) -> std::io::Result<Option<Finished>> {
        // How often it is executed is never asked.
        let extra: Vec<String> = extra.iter().filter(|flag| *flag != gcov::FLAG).cloned().collect();
        let command = std::slice::from_ref(&self.command);
        let key = [command, &self.flags.runtime, &extra].concat();
        let known = || RUNTIMES.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&key).cloned();
        if let Some(code) = found {
            fs::write(folder.join(object), code)?;
            return Ok(None);
        }
        let last = ["-c", "-o", object, "glassbox.c"];
        let compiled = self.run(folder, &[&self.flags.runtime, &extra], &last)?;
        if !compiled.succeeded() {
            return Ok(Some(compiled));
        }
        let code = fs::read(folder.join(object))?;
        known().insert(key, code.into());
        Ok(None)
    }
}
