//! `glassbox mutate`: small changes of functions, each killed by a test or proved to change nothing.

use std::time::Duration;

use clap::Args;
use glassbox_driver::mutate::{Options, mutate, save};
use glassbox_driver::plan::{self, Generate, Mutated, Operator, Scope};
use glassbox_driver::wanted::Wanted;
use glassbox_driver::{Plan, Task};
use glassbox_emit::java_test::Mocks;
use glassbox_model::config::StubWrites;
use glassbox_report::mutation::{Counts, Fate, Function, line};

use crate::choice::{Choice, one_of};
use crate::planning::{self, Detail, Planning, seconds, unless_broken};
use crate::screen::{Screen, refused};
use crate::terminal::hanging;
use crate::{Status, bad_input};

/// Change functions a little, and find for every change a test that notices it or a proof that nothing changes
///
/// Tests come from `gen`; what they miss gets tests of its own. C and Java. DIR/mutation.html shows them, DIR/mutation.json is in the format of Stryker's
/// mutation-testing-report-schema.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// Only this function (repeatable); default: every function defined in the files
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// Criterion of the tests that come first (repeatable)
    #[arg(long, default_value = "branch")]
    criterion: Vec<String>,
    /// Kinds of changes
    #[arg(
        long,
        value_parser = one_of::<Operator>(),
        value_delimiter = ',',
        default_value = "aor,ror,lcr,uoi,constant,deletion"
    )]
    operators: Vec<Operator>,
    /// The tests that are judged: `own` are those that `gen` makes, anything else is a folder with a Makefile or a command
    /// that runs tests in the current folder, a copy of which is built once with all mutants
    #[arg(long, value_name = "own|DIR|COMMAND", default_value = "own")]
    tests: String,
    /// Seconds for the search of tests in one function: the emergency stop
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "20")]
    timeout: Duration,
    /// Seconds for the question about one mutant
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "5")]
    mutant_timeout: Duration,
    /// Only run the tests: what they miss is unknown
    #[arg(long)]
    no_proofs: bool,
}

impl Choice for Operator {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Operator::Arithmetic, "aor", Some("An arithmetic operator becomes another")),
        (Operator::Relational, "ror", Some("A comparison becomes another")),
        (Operator::Logical, "lcr", Some("A logical or bit operator becomes another")),
        (Operator::Unary, "uoi", Some("A value changes its sign, a condition its truth")),
        (Operator::Constant, "constant", Some("A number becomes a neighbor or 0")),
        (Operator::Deletion, "deletion", Some("A statement is left out")),
    ];
}

impl Arguments {
    fn plan(&self) -> Result<Plan, String> {
        let task = Generate {
            scope: Scope::Unit,
            describes_lines: false,
            criteria: plan::criteria(&self.criterion)?,
            framework: None,
            formats: Vec::new(),
            stub_writes: StubWrites::Pointees,
            all: None,
            random: None,
            allows_reflection: true,
            mocks: Mocks::default(),
            wanted: Wanted::default(),
        };
        let mut plan = self.planning.plan(&self.function, self.timeout, Task::Generate(task));
        let (functions, operators) = (self.function.clone(), self.operators.clone());
        plan.intake.mutated = Some(Mutated { functions, operators });
        Ok(plan)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let plan = match arguments.plan() {
        Ok(plan) => plan,
        Err(message) => return bad_input(&message),
    };
    let options = Options {
        time: arguments.mutant_timeout,
        asks: !arguments.no_proofs,
        given: (arguments.tests != "own").then(|| arguments.tests.clone()),
    };
    let (finished, functions) = match mutate(&plan, &options, &Screen::new(&|_, _| {})) {
        Ok(done) => done,
        Err(refusal) => return refused(&refusal),
    };
    let (path, report) = match save(&plan, &functions) {
        Ok(saved) => saved,
        Err(message) => return bad_input(&message),
    };
    if arguments.planning.json {
        println!("{report:#}");
    } else {
        for function in &functions {
            show(function, arguments.planning.detail());
        }
        if functions.len() > 1 {
            println!("all: {}", words(Counts::of(&functions)));
            let by_user: Option<usize> = functions.iter().map(|it| it.n_killed_by_user).sum();
            if let Some(n_killed) = by_user {
                println!("all: {}", of_given(n_killed, Counts::of(&functions)));
            }
        }
        println!("report: {}", path.display());
    }
    if let Some(status) = planning::close(&finished, &arguments.planning) {
        return status;
    }
    let mut fates = functions.iter().flat_map(|function| &function.mutants);
    let is_decided = fates.all(|mutant| mutant.fate.is_decided());
    unless_broken(&finished, if is_decided { Status::Decided } else { Status::Unknown })
}

fn show(function: &Function, detail: Detail) {
    let is_shown = |fate: &Fate| match detail {
        Detail::Problems => !fate.is_decided(),
        Detail::Usual => !fate.is_killed(),
        Detail::Everything => true,
    };
    for mutant in function.mutants.iter().filter(|mutant| is_shown(&mutant.fate)) {
        println!("{}", hanging(&line(function, mutant)));
    }
    for note in &function.notes {
        println!("{}", hanging(&format!("note: {}: {note}", function.name)));
    }
    println!("{}: {}", function.name, words(Counts::of([function])));
    if let Some(n_killed) = function.n_killed_by_user {
        println!("{}: {}", function.name, of_given(n_killed, Counts::of([function])));
    }
    let Function { n_given, n_killed_first, tests, .. } = function;
    let n_more = tests.len() - n_given;
    let test = |n: usize| if n == 1 { "1 test".to_owned() } else { format!("{n} tests") };
    let rest = match n_more {
        0 => String::new(),
        1 => ", one more was made for the rest".to_owned(),
        n => format!(", {n} more were made for the rest"),
    };
    println!("{}: {} of `gen` killed {n_killed_first}{rest}", function.name, test(*n_given));
}

/// What the user's tests are worth.
fn of_given(n_killed: usize, counts: Counts) -> String {
    let mortal = counts.n_mortal();
    let score = if mortal == 0 { 100.0 } else { 100.0 * n_killed as f64 / mortal as f64 };
    format!(
        "the given tests kill {n_killed} of {mortal} that are not equivalent (score {score:.1} %)"
    )
}

fn words(counts: Counts) -> String {
    let mut parts = vec![format!("{} killed", counts.killed)];
    let others = [
        (counts.equivalent, "proved equivalent"),
        (counts.not_compiled, "not compiled"),
        (counts.unknown, "unknown"),
    ];
    parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    let mortal = counts.n_mortal();
    let score = if mortal == 0 { 100.0 } else { 100.0 * counts.killed as f64 / mortal as f64 };
    format!("{} mutants: {} (score {score:.1} %)", counts.all, parts.join(", "))
}
