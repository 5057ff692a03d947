//! Whole projects: `gen` over each, then its tests built and run twice; a table of what came of it.
//!
//! Arguments: FOLDER [--timeout S | --cpu S] [--limit S] [--only NAME]... [--sample N] [--keep DIR] [--every N] [--random]
//! [-- ARGUMENTS OF GEN]. Every folder in FOLDER is a C project as it was checked out, read by its `compile_commands.json` where it has
//! one; every jar in FOLDER is a Java library, whose class path is whatever jars there are in FOLDER/lib. `--timeout` is for one
//! function (`--cpu`: in seconds of the processor, so that a busy machine changes less), `--limit` for a project, whose run is
//! then interrupted and keeps what it has. `--keep` leaves the tests and what was said in DIR. `--sample` takes N functions of each C
//! project, spread evenly over the list that `glassbox list` prints, so that long times per function can be measured; the table says of how
//! many. Of jars, `--every N` takes the first of every N classes in the order of their names, `--random` runs random calls for
//! as long as `gen` has worked, and the second table has what JaCoCo counts in the classes that were taken.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints what it measures"
)]

mod java;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser as _;
use glassbox_report::data::{Outcome, SuiteData};

/// What is asked for.
#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench projects")]
struct Asked {
    folder: PathBuf,
    #[arg(long, default_value_t = 2.0, conflicts_with = "cpu")]
    timeout: f64,
    #[arg(long)]
    cpu: Option<f64>,
    #[arg(long, default_value_t = 180)]
    limit: u64,
    #[arg(long)]
    only: Vec<String>,
    #[arg(long)]
    sample: Option<usize>,
    #[arg(long)]
    keep: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    every: usize,
    #[arg(long)]
    random: bool,
    /// Further arguments of `gen`.
    #[arg(last = true)]
    more: Vec<String>,
}

impl Asked {
    /// The option for the time of one function, and its value.
    fn time(&self) -> [String; 2] {
        match self.cpu {
            Some(seconds) => ["--budget".to_owned(), format!("{seconds}cpu")],
            None => ["--timeout".to_owned(), self.timeout.to_string()],
        }
    }

    /// The same as a number.
    fn seconds(&self) -> f64 {
        self.cpu.unwrap_or(self.timeout)
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
    let entries = fs::read_dir(&asked.folder)
        .map_err(|error| format!("{}: {error}", asked.folder.display()))?;
    let is_project = |path: &PathBuf| is_jar(path) || (path.is_dir() && !path.ends_with("lib"));
    let mut projects: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_project).collect();
    projects.sort();
    let is_wanted =
        |name: &String| asked.only.is_empty() || asked.only.iter().any(|only| only == name);
    println!(
        "| project | units (left out) | functions | goals | covered | infeasible | within bounds | unknown | tests | by reflection | compile | \
         pass twice | disagreement | functions/min | MB | s | CPU s |\n|{}",
        "---|".repeat(17)
    );
    let mut total = Row::default();
    let mut complaints = Vec::new();
    let mut counted: Vec<(String, java::Counted)> = Vec::new();
    for project in projects {
        let name = project.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !is_wanted(&name) {
            continue;
        }
        let (row, said) = measure(asked, &name, &project)?;
        println!("{}", row.text(&name));
        if let Some(seen) = &row.java {
            counted.push((name.clone(), seen.clone()));
        }
        complaints.extend(said.into_iter().map(|line| format!("{name}: {line}")));
        total.add(&row);
    }
    println!("{}", total.text("**all**"));
    if !counted.is_empty() {
        println!("\n{}", java::table(&counted, asked));
    }
    for complaint in complaints {
        println!("\n{complaint}");
    }
    Ok(())
}

/// One line of the table.
#[derive(Debug, Default)]
struct Row {
    units: usize,
    left_out: usize,
    functions: usize,
    /// Those of the project, where only a sample is measured.
    of_functions: Option<usize>,
    goals: usize,
    covered: usize,
    infeasible: usize,
    within: usize,
    unknown: BTreeMap<&'static str, usize>,
    tests: usize,
    reflective: usize,
    compiling: usize,
    passing: usize,
    megabytes: u64,
    time: Duration,
    /// Of the processors, compilers and tests included.
    cpu: f64,
    java: Option<java::Counted>,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.units += other.units;
        self.left_out += other.left_out;
        self.functions += other.functions;
        if let Some(all) = other.of_functions {
            *self.of_functions.get_or_insert(0) += all;
        }
        self.goals += other.goals;
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        self.within += other.within;
        for (reason, count) in &other.unknown {
            *self.unknown.entry(reason).or_default() += count;
        }
        self.tests += other.tests;
        self.reflective += other.reflective;
        self.compiling += other.compiling;
        self.passing += other.passing;
        self.megabytes = self.megabytes.max(other.megabytes);
        self.time += other.time;
        self.cpu += other.cpu;
    }

    fn text(&self, name: &str) -> String {
        let unknown: Vec<String> =
            self.unknown.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let of = |part: usize, whole: usize| match (part, whole) {
            (_, 0) => "·".to_owned(),
            (part, whole) => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
        };
        let disagreements = self.unknown.get("disagreement").copied().unwrap_or_default();
        format!(
            "| {name} | {} ({}) | {} | {} | {} ({}) | {} | {} | {} | {} | {} | {} | {} | {} | {:.0} | {} | {:.0} | {:.0} |",
            self.units,
            self.left_out,
            match self.of_functions {
                Some(all) => format!("{} of {all}", self.functions),
                None => self.functions.to_string(),
            },
            self.goals,
            self.covered,
            of(self.covered, self.goals),
            self.infeasible,
            self.within,
            unknown.join(", "),
            self.tests,
            self.reflective,
            of(self.compiling, self.tests),
            of(self.passing, self.tests),
            of(disagreements, self.goals),
            60.0 * self.functions as f64 / self.time.as_secs_f64().max(0.001),
            self.megabytes,
            self.time.as_secs_f64(),
            self.cpu,
        )
    }

    fn count_goals(&mut self, suite: &SuiteData) {
        self.functions = suite.functions.len();
        for goal in suite.functions.iter().flat_map(|function| &function.goals) {
            self.goals += 1;
            match &goal.outcome {
                Outcome::Covered { .. } => self.covered += 1,
                Outcome::Infeasible { .. } => self.infeasible += 1,
                Outcome::InfeasibleWithin { .. } => self.within += 1,
                Outcome::Unknown { reason } => {
                    *self.unknown.entry(reason.code.name()).or_default() += 1;
                }
                Outcome::Violated { .. } | Outcome::Holds { .. } | Outcome::HoldsWithin { .. } => {}
            }
        }
    }
}

/// One project, and what is wrong with what it came to.
fn measure(asked: &Asked, name: &str, project: &Path) -> Result<(Row, Vec<String>), String> {
    let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out =
        asked.keep.as_ref().map_or_else(|| temporary.path().to_owned(), |keep| keep.join(name));
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    // What an earlier run left would be counted, too.
    drop(fs::remove_dir_all(out.join("tests")));
    drop(fs::remove_file(out.join("suite.json")));
    let out = fs::canonicalize(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let said = out.join("said.txt");
    let file = fs::File::create(&said).map_err(|error| format!("{}: {error}", said.display()))?;
    let start = Instant::now();
    // Examples are built into a folder beside the command.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let command = own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("glassbox");
    let (place, what) = match project.parent().filter(|_| is_jar(project)) {
        Some(folder) => (folder, project.file_name().unwrap_or_default()),
        None => (project, OsStr::new(".")),
    };
    let library = if is_jar(project) { Some(java::Library::open(asked, project)?) } else { None };
    let classes = library.as_ref().map(java::Library::choice).unwrap_or_default();
    let sample = match asked.sample.filter(|_| library.is_none()) {
        Some(size) => Some(sample(&command, place, size)?),
        None => None,
    };
    let functions = sample.iter().flat_map(|sample| &sample.names);
    let mut child = Command::new(&command)
        .arg("gen")
        .args(functions.flat_map(|name| ["--function", name.as_str()]))
        .arg(what)
        .args(classes)
        .args(&asked.more)
        .args(asked.time())
        .args(["--no-cache", "--out"])
        .arg(&out)
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .map_err(|error| format!("{}: {error}", command.display()))?;
    let Watched { kilobytes, cpu, status } = watch(&mut child, Duration::from_secs(asked.limit))?;
    let time = start.elapsed();
    let of_functions = sample.map(|sample| sample.of);
    let mut row = Row { megabytes: kilobytes / 1024, time, cpu, of_functions, ..Row::default() };
    let mut complaints = Vec::new();
    if !matches!(status, Some(0 | 1)) {
        complaints.push(format!("`gen` ended with {status:?}"));
    }
    let said = fs::read_to_string(&said).unwrap_or_default();
    row.units = said.lines().filter(|line| line.starts_with("glassbox: file ")).count().max(1);
    for line in said.lines().filter(|line| line.contains("could not be read: ")) {
        row.left_out = line.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
        complaints.push(line.to_owned());
    }
    complaints.extend(said.lines().filter(|line| line.contains("panicked at")).map(str::to_owned));
    let suite = fs::read_to_string(out.join("suite.json")).unwrap_or_default();
    match serde_json::from_str::<SuiteData>(&suite) {
        Ok(suite) => row.count_goals(&suite),
        Err(error) => complaints.push(format!("suite.json: {error}")),
    }
    if let Some(library) = library {
        library.build_and_run(asked, &out, &mut row, &mut complaints);
    }
    for folder in test_folders(&out.join("tests")) {
        build_and_run(&folder, &mut row, &mut complaints);
    }
    Ok((row, complaints))
}

/// Some functions of a project.
struct Sample {
    names: Vec<String>,
    /// How many there are.
    of: usize,
}

/// Functions at equal distances in the list of all, the first one half a distance from the start. A name that several files have is taken once,
/// and stands for all of them.
fn sample(command: &Path, project: &Path, size: usize) -> Result<Sample, String> {
    let listed = Command::new(command)
        .args(["list", ".", "--json", "--criterion", "branch"])
        .current_dir(project)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", command.display()))?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)
        .map_err(|error| format!("{}: `glassbox list`: {error}", project.display()))?;
    let functions = listed.as_array().cloned().unwrap_or_default();
    let all: Vec<String> =
        functions.iter().filter_map(|it| it["function"].as_str()).map(str::to_owned).collect();
    let mut names: Vec<String> = (0..size.min(all.len()))
        .map(|position| all[(2 * position + 1) * all.len() / (2 * size.min(all.len()))].clone())
        .collect();
    names.sort();
    names.dedup();
    Ok(Sample { names, of: all.len() })
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jar")
}

/// What was seen of a process.
struct Watched {
    /// The peak of memory.
    kilobytes: u64,
    /// Seconds of the processors, of the process and those it waited for.
    cpu: f64,
    /// The exit code.
    status: Option<i32>,
}

/// The sum of `utime`, `stime`, `cutime` and `cstime` of proc(5), in seconds.
fn cpu_seconds(id: u32) -> Option<f64> {
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the command may contain spaces; it ends in the last parenthesis.
    let (_, fields) = text.rsplit_once(')')?;
    let fields = fields.split_whitespace().skip(11).take(4);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(ticks as f64 / TICKS)
}

/// Waits, and interrupts once at the limit.
fn watch(child: &mut Child, limit: Duration) -> Result<Watched, String> {
    let start = Instant::now();
    let (mut peak, mut cpu, mut is_interrupted) = (0, 0.0, false);
    let status = format!("/proc/{}/status", child.id());
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let seen = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen = seen.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(seen.unwrap_or(0));
        cpu = cpu_seconds(child.id()).unwrap_or(0.0).max(cpu);
        if let Some(ended) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Watched { kilobytes: peak, cpu, status: ended.code() });
        }
        if start.elapsed() > limit && !is_interrupted {
            is_interrupted = true;
            let id = child.id().to_string();
            drop(Command::new("kill").args(["-INT", &id]).status());
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Folders with tests, at any depth.
fn test_folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.join("glassbox.c").exists() {
        found.push(folder.to_owned());
    }
    let mut inner: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    inner.sort();
    found.extend(inner.iter().filter(|path| path.is_dir()).flat_map(|path| test_folders(path)));
    found
}

fn build_and_run(folder: &Path, row: &mut Row, complaints: &mut Vec<String>) {
    let made = Command::new("make").arg("-k").arg("-C").arg(folder).arg("programs").output();
    let errors = made.map(|made| String::from_utf8_lossy(&made.stderr).into_owned());
    let errors = errors.unwrap_or_else(|error| error.to_string());
    let mut sources: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    sources.sort();
    for source in sources {
        let text = fs::read_to_string(&source).unwrap_or_default();
        // The list of tests at the end of the file.
        let written = text.lines().filter(|line| line.starts_with("    {\"test_")).count();
        row.tests += written;
        let program = source.with_extension("");
        if written == 0 {
            continue;
        }
        if !program.exists() {
            let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let why =
                errors.lines().find(|line| line.contains(&name) || line.contains("undefined"));
            complaints.push(format!(
                "{} does not compile: {}",
                source.display(),
                why.unwrap_or("")
            ));
            continue;
        }
        row.compiling += written;
        let runs = [run_once(&program), run_once(&program)];
        let passes = |run: &String, test: &str| {
            // What the code under test prints may stand in front.
            run.lines().any(|line| line.ends_with(&format!("ok   {test}")))
        };
        for line in text.lines().filter(|line| line.starts_with("    {\"test_")) {
            let test = line.split('"').nth(1).unwrap_or_default();
            if runs.iter().all(|run| passes(run, test)) {
                row.passing += 1;
            } else {
                complaints.push(format!("{} {test} does not pass twice", program.display()));
            }
        }
    }
}

/// What a test program prints, in at most half a minute.
fn run_once(program: &Path) -> String {
    let folder = program.parent().unwrap_or(Path::new("."));
    let run = Command::new("timeout").arg("30").arg(program).current_dir(folder).output();
    run.map(|run| String::from_utf8_lossy(&run.stdout).into_owned()).unwrap_or_default()
}
