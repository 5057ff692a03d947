//! Programs that csmith makes, run by gcc's program and by the interpreter.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use glassbox_testkit::gcc::compile;

use crate::c::{End, compile_files, execute, interpret};

/// What became of one seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Same {
        steps: u64,
    },
    /// gcc's own program takes too long.
    Skipped,
    /// Our program takes more steps than allowed.
    OutOfSteps,
    /// Ours and gcc's, at different levels of optimization: csmith's program is not well defined.
    GccDiffers(String),
    /// Output or end differ.
    Mismatch(String),
    /// Undefined behavior, or something not modeled.
    Stopped(String),
    /// The front-end refuses the program.
    Refused(String),
}

/// Flags that find csmith's header.
pub(crate) const FLAGS: &[&str] = &["-I/usr/include/csmith"];

/// Generates the program of a seed, with csmith's default options.
pub(crate) fn generate(seed: u64, path: &Path) -> Result<(), String> {
    let directory = path.parent().ok_or("a file has a directory")?;
    let output = Command::new("csmith")
        .arg("--seed")
        .arg(seed.to_string())
        .arg("-o")
        .arg(path)
        .current_dir(directory)
        .output()
        .map_err(|error| format!("csmith: {error}; it is a package of Debian"))?;
    if output.status.success() { Ok(()) } else { Err(format!("csmith fails on seed {seed}")) }
}

/// Compares the two runs of one seed; `directory` is for the files. `more` are flags that change the meaning.
pub(crate) fn compare(
    seed: u64,
    more: &[&str],
    directory: &Path,
    limit: Duration,
    max_steps: u64,
) -> Result<Verdict, String> {
    let source = directory.join(format!("seed{seed}.c"));
    generate(seed, &source)?;
    let binary = directory.join(format!("seed{seed}"));
    compile(std::slice::from_ref(&source), &[FLAGS, more, &["-O0"]].concat(), &binary)?;
    let theirs = execute(&binary, b"", &[], limit);
    if theirs.end == End::TimedOut {
        return Ok(Verdict::Skipped);
    }
    let program = match compile_files(std::slice::from_ref(&source), &[FLAGS, more].concat()) {
        Ok(program) => program,
        Err(message) => return Ok(Verdict::Refused(message)),
    };
    let ours = interpret(&program, b"", &["program"], max_steps);
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match &ours.end {
        End::TimedOut => return Ok(Verdict::OutOfSteps),
        End::Other(what) => return Ok(Verdict::Stopped(what.clone())),
        End::Exited(_) | End::Aborted => {}
    }
    if ours.stdout == theirs.stdout && ours.end == theirs.end {
        return Ok(Verdict::Same { steps: ours.steps });
    }
    let difference = format!(
        "ours {:?} {:?}, gcc's {:?} {:?}",
        show(&ours.stdout),
        ours.end,
        show(&theirs.stdout),
        theirs.end
    );
    compile(std::slice::from_ref(&source), &[FLAGS, more, &["-O2"]].concat(), &binary)?;
    let optimized = execute(&binary, b"", &[], limit);
    if optimized.stdout != theirs.stdout && optimized.end != End::TimedOut {
        return Ok(Verdict::GccDiffers(format!(
            "{difference}, at -O2 {}",
            show(&optimized.stdout)
        )));
    }
    Ok(Verdict::Mismatch(difference))
}
