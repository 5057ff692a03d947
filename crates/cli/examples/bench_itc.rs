//! Toyota's ITC benchmark (Shiraishi, Mohan, Marimuthu, Test suites for benchmarks of static analysis tools, 2015): defects that
//! are marked line by line, and the same programs without them.
//!
//! Arguments: FOLDER [--timeout S] [--only CLASS]... [--list] [--no-exec] [--option OPTION]... [--flag FLAG]... FOLDER is a checkout
//! with `01.w_Defects`, `02.wo_Defects` and `include`. A defect counts as found when `check` reports a violation on its line, or, where the
//! line is a call, in the function that it calls, in a run that starts in the caller; a false alarm is the same on a line that is
//! marked as right. Memory that is lost counts in the class about it alone. Dead code counts as found when it is said to be unreachable. Runs start in the functions that the
//! `main` of a class calls. `--list` prints what was missed, `--no-exec` leaves out the compiler; OPTION is one of `check`, FLAG one of
//! the compiler.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints what it measures"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use clap::Parser as _;
use glassbox_report::data::{Goal, Outcome, SuiteData};
use serde_json::Value;

/// Classes that ask about threads, or about style, where nothing goes wrong in one run.
const NOT_ABOUT_ERRORS: &[&str] = &[
    "cmp_funcadr",
    "conflicting_cond",
    "dead_code",
    "dead_lock",
    "double_lock",
    "double_release",
    "function_return_value_unchecked",
    "improper_termination_of_block",
    "insign_code",
    "invalid_extern",
    "invalid_extern_1",
    "livelock",
    "lock_never_unlock",
    "race_condition",
    "redundant_cond",
    "sleep_lock",
    "st_cross_thread_access",
    "unlock_without_lock",
    "unused_var",
];

/// The class about memory that is lost.
const LEAKS: &str = "memory_leak";

#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench itc")]
struct Asked {
    folder: PathBuf,
    #[arg(long, default_value_t = 2)]
    timeout: u64,
    #[arg(long)]
    only: Vec<String>,
    #[arg(long)]
    list: bool,
    #[arg(long)]
    no_exec: bool,
    /// A further option of `check`, such as `--unsigned-wrap`.
    #[arg(long = "option", allow_hyphen_values = true)]
    options: Vec<String>,
    /// A flag of the compiler, such as `-m32`.
    #[arg(long = "flag", allow_hyphen_values = true)]
    flags: Vec<String>,
}

/// What is said about the marked lines of one file.
#[derive(Debug, Default)]
struct Count {
    marked: usize,
    violated: usize,
    /// By verdict: marked lines without a violation.
    others: BTreeMap<String, usize>,
    seconds: f64,
    missed: Vec<String>,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.marked += other.marked;
        self.violated += other.violated;
        for (name, count) in &other.others {
            *self.others.entry(name.clone()).or_default() += count;
        }
        self.seconds += other.seconds;
    }
}

fn main() -> ExitCode {
    match measure_all(&Asked::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all(asked: &Asked) -> Result<(), String> {
    println!(
        "| class | defects | found | | missed | right lines | false alarms | s |\n|{}",
        "---|".repeat(8)
    );
    let (mut defects, mut rights) = (Count::default(), Count::default());
    let (mut run_time, mut run_time_rights) = (Count::default(), Count::default());
    for path in sources(&asked.folder.join("01.w_Defects"))? {
        let class = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_wanted = asked.only.is_empty() || asked.only.contains(&class);
        if !is_wanted || class == "main" || class == "stubs" {
            continue;
        }
        let bad = measure(asked, &path, Mark::Defect)?;
        if bad.marked == 0 {
            continue;
        }
        let good = twin(&asked.folder, &class).map(|path| measure(asked, &path, Mark::Right));
        let good = good.transpose()?.unwrap_or_default();
        println!("{}", row(&class, &bad, &good));
        if asked.list {
            bad.missed.iter().for_each(|line| println!("  missed: {line}"));
            good.missed.iter().for_each(|line| println!("  false alarm: {line}"));
        }
        if !NOT_ABOUT_ERRORS.contains(&class.as_str()) {
            run_time.add(&bad);
            run_time_rights.add(&good);
        }
        defects.add(&bad);
        rights.add(&good);
    }
    println!("{}", row("**classes of run-time errors**", &run_time, &run_time_rights));
    println!("{}", row("**all**", &defects, &rights));
    Ok(())
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    paths.sort();
    Ok(paths)
}

/// The file without defects; one class is spelled otherwise there.
fn twin(folder: &Path, class: &str) -> Option<PathBuf> {
    let good = folder.join("02.wo_Defects");
    let same = good.join(format!("{class}.c"));
    let other = good.join(format!("{}.c", class.replace("nondynamic_", "nondynamically_")));
    [same, other].into_iter().find(|path| path.exists())
}

fn row(name: &str, bad: &Count, good: &Count) -> String {
    let share = |part: usize, whole: usize| match whole {
        0 => "·".to_owned(),
        whole => format!("{:.0} %", 100.0 * part as f64 / whole as f64),
    };
    let others: Vec<String> =
        bad.others.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} ({}) | {:.0} |",
        bad.marked,
        bad.violated,
        share(bad.violated, bad.marked),
        others.join(", "),
        good.marked,
        good.violated,
        share(good.violated, good.marked),
        bad.seconds + good.seconds,
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Defect,
    Right,
}

/// The marked lines of a file.
fn marked(text: &str, mark: Mark) -> BTreeSet<u64> {
    let of_line = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words = words.join(" ");
        if words.contains("tool should not detect this line as error") {
            Some(Mark::Right)
        } else if words.contains("tool should detect this line as error") {
            Some(Mark::Defect)
        } else {
            None
        }
    };
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| of_line(line) == Some(mark)).map(|(number, _)| number).collect()
}

/// Functions that the function `CLASS_main` calls.
fn entries(text: &str) -> Vec<String> {
    let Some((_, body)) = text.rsplit_once("_main (").or_else(|| text.rsplit_once("_main(")) else {
        return Vec::new();
    };
    let mut names: Vec<String> = Vec::new();
    for line in body.lines() {
        let Some((name, _)) = line.trim().split_once('(') else { continue };
        let name = name.rsplit(['=', ' ']).next().unwrap_or_default().trim();
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name && !["if", "for", "while", "switch", "return", "sizeof"].contains(&name) {
            names.push(name.to_owned());
        }
    }
    // What the file does not define cannot be an entry.
    names.retain(|name| {
        text.lines().any(|line| {
            !line.trim_end().ends_with(';')
                && !line.starts_with([' ', '\t'])
                && line.contains(name.as_str())
        })
    });
    names.sort();
    names.dedup();
    names
}

fn measure(asked: &Asked, path: &Path, mark: Mark) -> Result<Count, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = marked(&text, mark);
    let out = tempfile::tempdir().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut command = Command::new(command()?);
    command.arg("check").arg(path).args([
        "--json",
        "--format",
        "suite",
        "--lossy-conversion",
        "--out",
    ]);
    command.arg(out.path()).args(["--timeout", &asked.timeout.to_string()]);
    if asked.no_exec {
        command.arg("--no-exec");
    }
    // Programs about other errors lose memory, too, and their marks say nothing of it.
    if path.file_stem().is_some_and(|class| class == LEAKS) {
        command.arg("--leak");
    }
    command.args(&asked.options);
    for entry in entries(&text) {
        command.args(["--function", &entry]);
    }
    command.arg("--").arg(format!("-I{}", asked.folder.join("include").display()));
    command.args(&asked.flags);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let mut count = Count { marked: lines.len(), ..Count::default() };
    count.seconds = start.elapsed().as_secs_f64();
    let suite = fs::read_to_string(out.path().join("suite.json")).unwrap_or_default();
    let mut verdicts = verdicts(&summary, path);
    for line in &lines {
        if has_failing_callee(&suite, &text, *line) {
            verdicts.entry(*line).or_default().insert("violated".to_owned());
        }
    }
    for line in &lines {
        let of_line = verdicts.get(line);
        let is_dead = path.ends_with("dead_code.c")
            && of_line.is_some_and(|found| found.contains("unreachable"));
        let is_violated = is_dead || of_line.is_some_and(|found| found.contains("violated"));
        if is_violated {
            count.violated += 1;
        } else {
            // The least sure of them.
            const ORDER: &[&str] =
                &["unknown", "holds-within", "unreachable-within", "holds", "unreachable"];
            let name = of_line.and_then(|found| ORDER.iter().find(|name| found.contains(**name)));
            let name = if summary.is_null() {
                "not read"
            } else {
                name.map_or("no property", |name| name)
            };
            *count.others.entry(name.to_owned()).or_default() += 1;
        }
        let is_wrong = (mark == Mark::Defect) != is_violated;
        if is_wrong {
            let text = text.lines().nth(*line as usize - 1).unwrap_or_default().trim();
            let code = text.split("/*").next().unwrap_or_default().trim();
            count.missed.push(format!("{}:{line}: {code}", path.display()));
        }
    }
    Ok(count)
}

/// By line of the file: the verdicts of its properties.
fn verdicts(summary: &Value, path: &Path) -> BTreeMap<u64, BTreeSet<String>> {
    let mut found: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for property in list(&summary["functions"]).iter().flat_map(|it| list(&it["properties"])) {
        let is_here = property["file"].as_str().is_some_and(|file| Path::new(file) == path);
        if let (true, Some(line), Some(verdict)) =
            (is_here, property["line"].as_u64(), property["verdict"].as_str())
        {
            found.entry(line).or_default().insert(verdict.to_owned());
        }
    }
    found
}

/// Whether the line calls a function, by its name or through a pointer that was set to it, in which a run fails that starts in the
/// function around the line.
fn has_failing_callee(suite: &str, text: &str, line: u64) -> bool {
    let suite: SuiteData = match serde_json::from_str(suite) {
        Ok(suite) => suite,
        Err(_) => return false,
    };
    let index = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let code = |line: &str| line.split("/*").next().unwrap_or_default().to_owned();
    let Some(marked) = text.lines().nth(index).map(code) else { return false };
    let around = suite.functions.iter().filter(|function| u64::from(function.line) < line);
    let Some(entry) = around.max_by_key(|function| function.line) else { return false };
    let first = usize::try_from(entry.line).unwrap_or(usize::MAX);
    let body: Vec<String> =
        text.lines().skip(first).take(index.saturating_sub(first)).map(code).collect();
    // Another function begins before the line, which is then in one that no run starts in.
    if body.iter().any(|line| line.starts_with('}')) || !marked.contains('(') {
        return false;
    }
    let is_named = |name: &str, line: &str| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .any(|word| word == name)
    };
    let is_violated = |goal: &&Goal| matches!(goal.outcome, Outcome::Violated { .. });
    let failing =
        entry.goals.iter().filter(is_violated).filter_map(|goal| goal.id.split('/').next());
    failing.filter(|name| *name != entry.name).any(|name| {
        // `fptr = f;` in front of it, and no call of `f` itself.
        let is_value = |line: &String| is_named(name, line) && !line.contains(&format!("{name}("));
        is_named(name, &marked) || body.iter().any(is_value)
    })
}

/// Examples are built into a folder beside the command.
fn command() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("glassbox"))
}
