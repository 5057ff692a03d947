//! Tests as they were written for people: built once more by their own Makefile, with a compiler that counts,
//! and run.
//!
//! The folder itself is not touched: it is copied, and includes that lead out of it are found from where it was.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::sandbox::{Finished, Limits, run};

const MAKEFILE: &str = "Makefile";

/// For building all tests of a folder.
const BUILDING: Duration = Duration::from_secs(600);

/// For all tests of one program.
const RUNNING: Duration = Duration::from_secs(60);

/// A compiler and the flags that make it count.
#[derive(Debug, Clone, Copy)]
pub struct CountingCompiler<'a> {
    pub command: &'a str,
    pub flags: &'a str,
}

/// Builds the `programs` among the tests of `folder` in `scratch`, which exists and is empty. One that does not
/// compile costs no other.
pub fn build(
    folder: &Path,
    scratch: &Path,
    programs: &[String],
    compiler: CountingCompiler<'_>,
) -> io::Result<Finished> {
    let folder = fs::canonicalize(folder)?;
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        let copy = scratch.join(entry.file_name());
        if entry.file_name() == MAKEFILE {
            // Sources of other units stand beside the folder.
            let text = fs::read_to_string(entry.path())?;
            fs::write(copy, text.replace(" ../", &format!(" {}/../", folder.display())))?;
        } else if entry.file_type()?.is_file() && is_text(&entry.path()) {
            fs::copy(entry.path(), copy)?;
        }
    }
    let flags = format!("-iquote '{}' {}", folder.display(), compiler.flags);
    let env = [("CC", compiler.command.to_owned()), ("CFLAGS", flags.clone()), ("CXXFLAGS", flags)];
    let limits = Limits { wall: BUILDING, cpu_seconds: 600, ..Limits::compiler() };
    let mut args = vec!["-k".to_owned()];
    args.extend(programs.iter().cloned());
    run(scratch, "make", &args, &env, limits)
}

/// Runs a program that was built. What clang counts goes into files that begin with its name.
pub fn run_program(scratch: &Path, program: &str) -> io::Result<Finished> {
    let profile = scratch.join(format!("{program}-%p-%m.profraw")).display().to_string();
    let limits = Limits { wall: RUNNING, cpu_seconds: 60, ..Limits::test() };
    run(scratch, &format!("./{program}"), &[], &[("LLVM_PROFILE_FILE", profile)], limits)
}

/// Programs that were built before would be taken for up to date.
fn is_text(path: &Path) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) => ["c", "h", "cc", "cpp", "mk"].contains(&extension),
        None => false,
    }
}
