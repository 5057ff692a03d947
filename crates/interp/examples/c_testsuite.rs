//! The programs of c-testsuite: `c_testsuite DIR`, where DIR holds `NNNNN.c` beside `NNNNN.c.expected`
//! (github c-testsuite/c-testsuite, tests/single-exec). Prints what is not as expected, and the count.

#![allow(clippy::print_stdout, reason = "a command line tool")]

#[path = "../tests/c/mod.rs"]
mod c;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `Ok` if output and status are as expected.
fn check(source: &Path) -> Result<(), String> {
    let expected = std::fs::read(source.with_extension("c.expected")).unwrap_or_default();
    let program = c::compile_files(&[source.to_path_buf()], &[])
        .map_err(|diagnostics| format!("refused\n{diagnostics}"))?;
    if program.function_named("main").is_none() {
        return Err("no main".to_owned());
    }
    let run = c::interpret(&program, b"", &["program"], 4_000_000_000);
    if run.end != c::End::Exited(0) {
        return Err(format!("ends as {:?}", run.end));
    }
    if run.stdout != expected {
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return Err(format!("prints\n{}instead of\n{}", show(&run.stdout), show(&expected)));
    }
    Ok(())
}

fn main() -> ExitCode {
    let Some(directory) = std::env::args().nth(1) else {
        println!("usage: c_testsuite DIR");
        return ExitCode::from(2);
    };
    let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
    let mut sources: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let mut n_good = 0;
    for source in &sources {
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match std::panic::catch_unwind(|| check(source)) {
            Ok(Ok(())) => n_good += 1,
            Ok(Err(why)) => println!("{name}: {why}"),
            Err(_) => println!("{name}: panic"),
        }
    }
    println!("{n_good} of {} as expected", sources.len());
    if n_good == sources.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
