//! Verification tasks of SV-COMP: what `check --property` says of programs whose verdicts are known.
//!
//! Arguments: FOLDER [--budget S] [--only CATEGORY]... [--property NAME]... [--limit N] [--list] [--exec]. FOLDER has folders with tasks,
//! each a category: `.c` or `.i` files whose verdicts stand in a `.yml` beside them, as since 2020, or in their names
//! (`sum_true-unreach-call.c`), as before; of `a.c` and `a.i`, the latter is taken. `--budget` is in seconds of the processor for each task,
//! `--limit` the most tasks of one category, taken evenly from all; `--list` prints what is unknown, too. Where a task does not say which
//! machine it is for, it is one of 32 bits, as it was in these years.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints what it measures"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use clap::Parser as _;

/// What can be asked.
const PROPERTIES: &[&str] = &[
    "unreach-call",
    "no-overflow",
    "valid-memsafety",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "valid-memcleanup",
    "termination",
];

#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench svcomp")]
struct Asked {
    folder: PathBuf,
    #[arg(long, default_value_t = 15.0)]
    budget: f64,
    #[arg(long)]
    only: Vec<String>,
    #[arg(long = "property")]
    properties: Vec<String>,
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    #[arg(long)]
    list: bool,
    #[arg(long)]
    exec: bool,
}

/// A program, what is asked about it, and what is true.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Task {
    source: PathBuf,
    property: String,
    is_true: bool,
    is_of_32_bits: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    right_true: usize,
    right_false: usize,
    wrong: usize,
    unknown: usize,
    seconds: f64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.right_true += other.right_true;
        self.right_false += other.right_false;
        self.wrong += other.wrong;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
    }

    fn row(&self, name: &str) -> String {
        let Count { right_true, right_false, wrong, unknown, seconds } = self;
        let tasks = right_true + right_false + wrong + unknown;
        format!(
            "| {name} | {tasks} | {right_true} | {right_false} | {wrong} | {unknown} | {seconds:.0} |"
        )
    }
}

fn main() -> ExitCode {
    match measure_all(&Asked::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing is wrong.
fn measure_all(asked: &Asked) -> Result<bool, String> {
    println!(
        "| category | tasks | right: true | right: false | wrong | unknown | s |\n|{}",
        "---|".repeat(7)
    );
    let mut all = Count::default();
    for folder in entries(&asked.folder)?.into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !asked.only.is_empty() && !asked.only.contains(&name) {
            continue;
        }
        let mut tasks = tasks(&folder)?;
        let is_wanted =
            |task: &Task| asked.properties.is_empty() || asked.properties.contains(&task.property);
        tasks.retain(is_wanted);
        let step = tasks.len().div_ceil(asked.limit.max(1)).max(1);
        let mut count = Count::default();
        for task in tasks.into_iter().step_by(step) {
            count.add(measure(asked, &task)?);
        }
        if count.seconds > 0.0 {
            println!("{}", count.row(&name));
        }
        all.add(count);
    }
    println!("{}", all.row("**all**"));
    Ok(all.wrong == 0)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The tasks of a folder: what `.yml` files say, and what names say of sources that none of them names.
fn tasks(folder: &Path) -> Result<Vec<Task>, String> {
    let paths = entries(folder)?;
    let ending = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for path in paths.iter().filter(|path| ending(path) == "yml") {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        found.extend(described(folder, &text));
    }
    for path in paths.iter().filter(|path| matches!(ending(path).as_str(), "c" | "i")) {
        let is_twice = ending(path) == "c" && path.with_extension("i").exists();
        if is_twice || found.iter().any(|task| task.source == *path) {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        found.extend(named(&name).map(|(property, is_true)| Task {
            source: path.clone(),
            property,
            is_true,
            is_of_32_bits: true,
        }));
    }
    Ok(found)
}

/// The verdicts in a name such as `sum_false-unreach-call_true-termination`.
fn named(name: &str) -> impl Iterator<Item = (String, bool)> + '_ {
    name.split(['_', '.']).filter_map(|part| {
        let (verdict, property) = part.split_once('-')?;
        // Versions of a program have numbers.
        let property = property.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_true = match verdict {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        PROPERTIES.contains(&property).then(|| (property.to_owned(), is_true))
    })
}

/// The tasks of a `.yml` file.
fn described(folder: &Path, text: &str) -> Vec<Task> {
    let value = |line: &str, key: &str| {
        let line = line.trim_start().trim_start_matches("- ").trim();
        let rest = line.strip_prefix(key)?.strip_prefix(':')?;
        Some(rest.trim().trim_matches(['\'', '"']).to_owned())
    };
    let first = |key: &str| text.lines().find_map(|line| value(line, key));
    let Some(source) = first("input_files").filter(|name| !name.is_empty()) else {
        return Vec::new();
    };
    let is_of_32_bits = first("data_model").is_none_or(|model| model == "ILP32");
    let (mut found, mut property) = (Vec::new(), None);
    for line in text.lines() {
        if let Some(file) = value(line, "property_file") {
            property = Path::new(&file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        }
        let verdict = value(line, "expected_verdict").and_then(|word| word.parse().ok());
        if let Some(is_true) = verdict
            && let Some(property) = property.take()
            && PROPERTIES.contains(&property.as_str())
        {
            found.push(Task { source: folder.join(&source), property, is_true, is_of_32_bits });
        }
    }
    found
}

fn measure(asked: &Asked, task: &Task) -> Result<Count, String> {
    let out = tempfile::tempdir().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut command = Command::new(command()?);
    command.arg("check").arg(&task.source).args(["--property", &task.property, "--json"]);
    command.args(["--format", "suite", "--jobs", "1", "--budget", &format!("{}cpu", asked.budget)]);
    command.arg("--out").arg(out.path());
    if !asked.exec {
        command.arg("--no-exec");
    }
    if task.is_of_32_bits {
        // Floats of SV-COMP have no excess precision.
        command.args(["--", "-m32", "-msse2", "-mfpmath=sse"]);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let mut count = Count { seconds: start.elapsed().as_secs_f64(), ..Count::default() };
    let (said, number) = match output.status.code() {
        Some(0) if task.is_true => ("true", &mut count.right_true),
        Some(0) => ("true", &mut count.wrong),
        Some(3) if task.is_true => ("false", &mut count.wrong),
        Some(3) => ("false", &mut count.right_false),
        Some(1) => ("unknown", &mut count.unknown),
        _ => ("not read", &mut count.unknown),
    };
    *number += 1;
    let Task { source, property, is_true, .. } = task;
    if count.wrong > 0 {
        println!("WRONG: {}: {property} is {is_true}, and not {said}", source.display());
    } else if count.unknown > 0 && asked.list {
        println!("  {said}: {}: {property} is {is_true}", source.display());
    }
    Ok(count)
}

/// Examples are built into a folder beside the command.
fn command() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("glassbox"))
}
