//! Random functions asked about and compared, many at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::{Command, Output};

use super::c::c_batch;
use super::java::java_batch;
use super::judge::compare;
use super::truth::Truth;
use super::{Batch, Function};
use crate::command::glassbox;
use crate::folder;
use crate::java::Jdk;
use crate::suite::read_suite;

/// How many functions are in one file: the command starts once for all of them.
const BATCH: usize = 50;

/// One batch of C in so many also has its tests compiled and run, which takes ten times as long. Tests of Java share a JVM, in which a class is
/// initialized once: what they expect of initialization depends on their order.
const EXECUTED: u64 = 64;

/// What is asked about C, with a name for each way.
const C_WAYS: &[(&str, &[&str])] = &[
    ("gen", &["gen", "--format", "lcov"]),
    ("check", &["check", "--format", "suite"]),
    ("assertions", &["check", "--format", "suite", "--assertions-only"]),
];

/// What is asked about Java, with a name for each way.
const JAVA_WAYS: &[(&str, &[&str])] = &[
    (
        "gen",
        &[
            "gen",
            "--format",
            "lcov",
            "--criterion",
            "statement",
            "--criterion",
            "exception",
            "--criterion",
            "branch",
        ],
    ),
    ("check", &["check", "--format", "suite"]),
    ("assertions", &["check", "--format", "suite", "--assertions-only"]),
];

/// Where the class is.
const JAVA_PLACE: &[&str] = &["--class", "Batch", "classes", "--no-exec"];

/// What limits the search of one function besides its time.
const LIMITS: &[&str] = &["--max-paths", "200", "--jobs", "1"];

/// Which functions are asked about, and for how long.
#[derive(Debug, Clone)]
pub struct Asked {
    pub first: u64,
    pub count: u64,
    /// What a search may spend on one function: many functions tell more than one that is searched for long. It is
    /// time of the processor, so that a busy machine asks as much.
    pub budget: String,
}

impl Asked {
    pub fn new(first: u64, count: u64) -> Asked {
        Asked { first, count, budget: "0.02cpu".to_owned() }
    }

    /// The first numbers of batches, and how many functions each has.
    fn batches(&self) -> impl Iterator<Item = (u64, usize)> {
        let size = BATCH as u64;
        let end = self.first + self.count;
        (self.first..end)
            .step_by(BATCH)
            .map(move |at| (at, usize::try_from((end - at).min(size)).expect("a batch is small")))
    }

    /// Asks the command in a folder.
    fn ask(&self, folder: &Path, args: &[&str], option: &str, functions: &[Function]) -> Output {
        let mut command: Command = glassbox();
        command.current_dir(folder).args(args).args(["--budget", &self.budget]).args(LIMITS);
        command.args(["--out", "out"]);
        for function in functions {
            command.args([option, &function.name]);
        }
        command.output().expect("the command starts")
    }
}

/// What the command says about itself where something is wrong with it.
const ALARMS: &[&str] = &["panick", "internal error", "(disagreement)", "please report this"];

/// What was compared, and what is wrong.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub n_functions: usize,
    /// How often each verdict is given.
    pub verdicts: BTreeMap<String, usize>,
    pub complaints: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{} functions, {} wrong;", self.n_functions, self.complaints.len())?;
        for (verdict, count) in &self.verdicts {
            write!(formatter, " {verdict} {count}")?;
        }
        Ok(())
    }
}

impl Tally {
    fn complain(&mut self, complaint: String, tell: &mut dyn FnMut(&str)) {
        tell(&complaint);
        self.complaints.push(complaint);
    }

    /// Compares what the command said about a batch with what is true.
    fn judge(
        &mut self,
        batch: &Batch,
        truth: &Truth,
        output: &Output,
        folder: &Path,
        tell: &mut dyn FnMut(&str),
    ) {
        let name = &batch.functions[0].name;
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8_lossy(&printed);
        let alarms = printed.lines().filter(|line| ALARMS.iter().any(|alarm| line.contains(alarm)));
        for line in alarms {
            self.complain(format!("batch of {name}: {line}"), tell);
        }
        let suite = read_suite(&folder.join("out"));
        if suite.is_null() {
            let last = printed.lines().last().unwrap_or_default();
            let status = output.status;
            return self.complain(format!("batch of {name}: no suite: {status}: {last}"), tell);
        }
        let comparison = compare(batch, truth, &suite);
        for complaint in comparison.complaints {
            self.complain(complaint, tell);
        }
        for (verdict, count) in comparison.verdicts {
            *self.verdicts.entry(verdict).or_default() += count;
        }
        *self.verdicts.entry("not compared".to_owned()).or_default() += comparison.n_without_probe;
    }
}

/// Compares the verdicts about C functions with these numbers; what is wrong is printed at once.
pub fn c_campaign(asked: &Asked, tell: &mut dyn FnMut(&str)) -> Tally {
    let mut tally = Tally::default();
    for (at, n_functions) in asked.batches() {
        let (batch, truth) = match c_batch(at, n_functions) {
            Ok(known) => known,
            Err(error) => {
                tally.complain(format!("batch of f{at}: {error}"), tell);
                continue;
            }
        };
        tally.n_functions += n_functions;
        for (_, args) in C_WAYS {
            let folder = folder::with_files(&[("batch.c", &batch.text)]);
            let is_executed = (at / BATCH as u64).is_multiple_of(EXECUTED);
            let file: &[&str] = if is_executed { &["batch.c"] } else { &["batch.c", "--no-exec"] };
            let output =
                asked.ask(folder.path(), &[args, file].concat(), "--function", &batch.functions);
            tally.judge(&batch, &truth, &output, folder.path(), tell);
        }
    }
    tally
}

/// Compares the verdicts about Java methods with these numbers; what is wrong is printed at once.
pub fn java_campaign(jdk: &Jdk, asked: &Asked, tell: &mut dyn FnMut(&str)) -> Tally {
    let mut tally = Tally::default();
    for (at, n_functions) in asked.batches() {
        let java = java_batch(at, n_functions);
        let truth = java.truth(jdk);
        let folder = folder::empty();
        java.compile(jdk, folder.path());
        tally.n_functions += n_functions;
        for (_, args) in JAVA_WAYS {
            let args = [args, JAVA_PLACE].concat();
            let output = asked.ask(folder.path(), &args, "--method", &java.batch.functions);
            tally.judge(&java.batch, &truth, &output, folder.path(), tell);
        }
    }
    tally
}

/// The text of C functions, to look at one.
pub fn print_c(first: u64, count: u64) -> String {
    c_batch(first, usize::try_from(count).unwrap_or(BATCH))
        .map_or_else(|error| error, |(batch, _)| batch.text)
}

/// The text of Java methods, to look at one.
pub fn print_java(first: u64, count: u64) -> String {
    java_batch(first, usize::try_from(count).unwrap_or(BATCH)).batch.text
}
