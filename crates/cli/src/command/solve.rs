//! `glassbox solve`: executes an SMT-LIB script.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use glassbox_smtlib::answer;
use glassbox_solver::Options;
use glassbox_solver::external::External;
use glassbox_solver::script::{Response, Script};

use crate::{Status, bad_input};

/// Execute an SMT-LIB 2.6 script
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The script; `-` reads standard input
    file: PathBuf,
    /// Give up a check after this many seconds
    #[arg(long, value_name = "SECS")]
    timeout: Option<u64>,
    /// Answer the checks with this SMT-LIB solver, a name or a path, asked over a pipe
    /// (at most 60 seconds for each check, unless `--timeout` says otherwise)
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<PathBuf>,
    /// Seed of the layers that choose
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print what each solver layer did, on standard error
    #[arg(long)]
    statistics: bool,
}

/// Nothing else bounds a check of an external solver.
const EXTERNAL_LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &Arguments) -> Status {
    let text = match read(&arguments.file) {
        Ok(text) => text,
        Err(error) => return bad_input(&format!("{}: {error}", arguments.file.display())),
    };
    let options = Options {
        time_limit: arguments.timeout.map(Duration::from_secs),
        seed: arguments.seed,
        timing: arguments.statistics,
        ..Options::default()
    };
    let mut script = match &arguments.solver {
        None => Script::new(&text, options),
        Some(program) => {
            let limit = options.time_limit.unwrap_or(EXTERNAL_LIMIT);
            match External::find(program, limit) {
                Ok(external) => Script::with_external(&text, options, external),
                Err(trouble) => {
                    return bad_input(&format!("solver `{}`: {trouble}", program.display()));
                }
            }
        }
    };
    let mut has_error = false;
    let mut output = std::io::stdout().lock();
    while let Some(response) = script.step() {
        if let (Some(trouble), Some(program)) = (script.take_trouble(), &arguments.solver) {
            eprintln!("note: solver `{}`: {trouble}", program.display());
        }
        let line = match response {
            Response::Silent => continue,
            Response::Text(text) => text,
            Response::Error(error) => {
                has_error = true;
                answer::error(&error)
            }
        };
        // A reader that closes the pipe early has seen enough.
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    if arguments.statistics {
        print_statistics(&script);
    }
    if has_error {
        Status::BadInput
    } else if script.has_answered_unknown() {
        Status::Unknown
    } else {
        Status::Decided
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        Ok(text)
    } else {
        std::fs::read_to_string(path)
    }
}

fn print_statistics(script: &Script<'_>) {
    let statistics = script.solver().statistics();
    eprintln!("{} checks", statistics.checks);
    for (layer, counters) in statistics.layers() {
        eprintln!(
            "{:10} asked {:8} sat {:8} unsat {:8} missed {:6} wrong {:3} steps {:10} {:10.3} ms",
            layer.name(),
            counters.asked,
            counters.sat,
            counters.unsat,
            counters.missed,
            counters.wrong,
            counters.steps,
            counters.time.as_secs_f64() * 1e3
        );
    }
}
