//! `glassbox gen`: tests for every goal, proofs for the rest.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::ArgPredicate;
use glassbox_driver::plan::{self, Generate, Mutated, Random, Scope, Uniform};
use glassbox_driver::report_files::Format;
use glassbox_driver::wanted::Wanted;
use glassbox_driver::{Finished, FunctionReport, Plan, Task, drive, language};
use glassbox_emit::Framework;
use glassbox_emit::java_test::Mocks;
use glassbox_ir::{OverflowMode, Program};
use glassbox_model::config::StubWrites;
use glassbox_report::suite_json::title::title;
use glassbox_report::{summary, verdict_text};
use glassbox_testcase::Verdict;

use crate::choice::{Choice, one_of};
use crate::planning::{self, Detail, Planning, seconds, unless_broken};
use crate::screen::{Screen, refused};
use crate::terminal::{self, Tone, hanging, paint, tone};
use crate::watch::watch;
use crate::{Status, bad_input};

/// Generate tests for every goal of a coverage criterion, and proofs where there is none
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// Only this function (repeatable); default: every function defined in the files
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// statement, branch, decision, condition, mcdc, mcdc:unique-cause, def-use, path:K, boundary,
    /// exception, instruction, assert, mutation, mutation:weak, rule (repeatable) [default: branch; for specifications, rule]
    #[arg(
        long,
        default_value_if("reach", ArgPredicate::IsPresent, "statement"),
        default_value_if("goal", ArgPredicate::IsPresent, None)
    )]
    criterion: Vec<String>,
    /// Only tests that execute this line (repeatable); the criterion is then `statement` by default
    #[arg(long, value_name = "FILE:LINE")]
    reach: Vec<String>,
    /// Only the goal of this id, as suite.json and `dump --stage goals` give it (repeatable)
    #[arg(long, value_name = "ID")]
    goal: Vec<String>,
    /// Only what an existing suite does not cover: an LCOV tracefile, gcov's text or JaCoCo's XML (repeatable)
    #[arg(long, value_name = "FILE")]
    covered: Vec<String>,
    /// The folder with the earlier suite that the whole run begins with; the same for every part
    #[arg(long, value_name = "DIR", requires = "shard")]
    shard_earlier: Option<PathBuf>,
    /// Where runs start
    #[arg(long, value_name = "WHICH", value_parser = one_of::<Scope>(), default_value = "unit")]
    scope: Scope,
    /// What the tests in DIR/tests are written for [default: plain; for Java, junit5 if it is found, else
    /// junit4]
    #[arg(long, value_parser = one_of::<Framework>())]
    framework: Option<Framework>,
    /// Reports to leave in DIR/report; suite.json and tests/ are always left
    #[arg(long, value_parser = one_of::<Format>(), value_delimiter = ',', default_value = "html")]
    format: Vec<Format>,
    /// What undefined functions change besides returning something
    #[arg(long, value_parser = one_of::<StubWrites>(), value_name = "WHAT", default_value = "pointees")]
    stub_writes: StubWrites,
    /// Seconds for the search in one function: the emergency stop
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "20")]
    timeout: Duration,
    /// Enumerate up to N inputs of every goal, in suite.json
    #[arg(long, value_name = "N")]
    all: Option<usize>,
    /// Draw N random inputs besides, and make tests of them
    #[arg(long, value_name = "N")]
    random: Option<usize>,
    /// What random inputs are equally likely among
    #[arg(long, value_parser = one_of::<Uniform>(), value_name = "WHAT", default_value = "path", requires = "random")]
    uniform: Uniform,
    /// Java: no tests with reflection; what only they cover is unknown
    #[arg(long)]
    no_reflection: bool,
    /// Java: how tests write what stands in for interfaces
    #[arg(long, value_parser = one_of::<Mocks>(), value_name = "HOW", default_value = "nameless")]
    mocks: Mocks,
}

impl Choice for Uniform {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[(
        Uniform::Path,
        "path",
        Some("The inputs of a path; each path is as likely as the others"),
    )];
}

impl Choice for OverflowMode {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (OverflowMode::Wrap, "wrap", None),
        (OverflowMode::Reject, "reject", None),
        (OverflowMode::Report, "report", None),
    ];
}

impl Choice for Scope {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Scope::Unit, "unit", Some("In each function by itself")),
        (
            Scope::Calls,
            "calls",
            Some("In functions that other files can call: static ones are tested through them"),
        ),
        (
            Scope::Program,
            "program",
            Some("In main, or where nothing else calls: goals of all that runs may come to count"),
        ),
    ];
}

impl Choice for StubWrites {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (StubWrites::Nothing, "nothing", Some("No memory")),
        (
            StubWrites::Pointees,
            "pointees",
            Some("What their arguments that are pointers to non-const point to"),
        ),
    ];
}

impl Choice for Mocks {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Mocks::Nameless, "nameless", Some("Lambdas and nameless classes, which need no library")),
        (Mocks::Mockito, "mockito", Some("mock(X.class) and when(...).thenReturn(...)")),
    ];
}

impl Choice for Framework {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Framework::Plain, "plain", Some("Only a C compiler")),
        (Framework::Cmocka, "cmocka", None),
        (Framework::Check, "check", None),
        (Framework::Unity, "unity", Some("With Unity's sources: make UNITY=FOLDER")),
        (Framework::Gtest, "gtest", Some("GoogleTest")),
        (Framework::JUnit4, "junit4", Some("For Java")),
        (Framework::JUnit5, "junit5", Some("For Java")),
    ];
}

impl Choice for Format {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Format::Html, "html", Some("report/index.html: a self-contained page")),
        (
            Format::Lcov,
            "lcov",
            Some("report/lcov.info: an LCOV tracefile, proved branches flagged unreachable"),
        ),
        (Format::Cobertura, "cobertura", Some("report/cobertura.xml")),
        (
            Format::Sarif,
            "sarif",
            Some(
                "report/goals.sarif: undecided and unreachable goals as notes, violations as errors",
            ),
        ),
        (Format::Junit, "junit", Some("report/junit.xml: the replay of the tests")),
        (
            Format::Testcomp,
            "testcomp",
            Some(
                "test-suite/: Test-Comp's exchange format, for programs that call __VERIFIER_nondet_*",
            ),
        ),
        (
            Format::Witness,
            "witness",
            Some(
                "report/witness-N.yml: SV-COMP witnesses of violations, for programs that start in main",
            ),
        ),
        (
            Format::Markdown,
            "markdown",
            Some(
                "report/summary.md: counts, violations and open goals, for the summary of a CI job",
            ),
        ),
    ];
}

impl Arguments {
    pub(crate) fn plan(&self) -> Result<Plan, String> {
        let mut wanted = Wanted { ids: self.goal.clone(), ..Wanted::default() };
        self.reach.iter().try_for_each(|place| wanted.add_line(place))?;
        self.covered.iter().try_for_each(|file| wanted.add_covered(file))?;
        // An id says which criterion it belongs to.
        let named = self.goal.iter().filter(|_| self.criterion.is_empty());
        let named: BTreeSet<String> =
            named.filter_map(|id| Some(id.split('/').nth(1)?.to_owned())).collect();
        let mut criteria: Vec<String> = self.criterion.iter().cloned().chain(named).collect();
        if criteria.is_empty() {
            let intake = self.planning.intake.plan(&[]);
            let usual = language::of(&intake).map_or("branch", |it| it.criterion);
            criteria.push(usual.to_owned());
        }
        let task = Generate {
            scope: self.scope,
            describes_lines: false,
            criteria: plan::criteria(&criteria)?,
            wanted,
            framework: self.framework,
            formats: self.format.clone(),
            stub_writes: self.stub_writes,
            all: self.all,
            random: self.random.map(|count| Random { count, uniform: self.uniform }),
            allows_reflection: !self.no_reflection,
            mocks: self.mocks,
        };
        let mutated = Mutated::asked_by(&task.criteria, &self.function);
        let alone = [
            ("--all", self.all.is_some()),
            ("--random", self.random.is_some()),
            ("--criterion mutation", mutated.is_some()),
        ];
        if let Some((option, _)) = alone.iter().find(|(_, is_given)| *is_given)
            && self.scope != Scope::Unit
        {
            return Err(format!(
                "{option} is about functions by themselves: it goes with --scope unit"
            ));
        }
        let mut plan = self.planning.plan(&self.function, self.timeout, Task::Generate(task));
        plan.keeping.shard_earlier.clone_from(&self.shard_earlier);
        plan.intake.mutated = mutated;
        Ok(plan)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    if arguments.planning.watch {
        return watch(&arguments.planning.intake, || run_once(arguments));
    }
    run_once(arguments)
}

fn run_once(arguments: &Arguments) -> Status {
    let mut plan = match arguments.plan() {
        Ok(plan) => plan,
        Err(message) => return bad_input(&message),
    };
    if let Some(status) = arguments.planning.narrow(&mut plan) {
        return status;
    }
    let show = |program: &Program, report: &FunctionReport| {
        if !arguments.planning.json {
            function_summary(program, report, arguments.planning.detail());
        }
    };
    match drive(&plan, &Screen::new(&show)) {
        Ok(finished) => close(&finished, arguments),
        Err(refusal) => refused(&refusal),
    }
}

/// What is printed when all functions are done.
fn close(finished: &Finished, arguments: &Arguments) -> Status {
    let left = &finished.left;
    let is_json = arguments.planning.json;
    let detail = arguments.planning.detail();
    if is_json {
        print!("{}", left.suite.to_text());
    } else if finished.reports().count() > 1 && detail != Detail::Problems {
        print!("{}", summary::table(&left.suite, terminal::width()));
    }
    if let Some(status) = planning::close(finished, &arguments.planning) {
        return status;
    }
    if let Some(command) = left.command.as_ref().filter(|_| !is_json && detail != Detail::Problems)
    {
        println!("run the tests with: {command}");
    }
    let status = if finished.reports().any(|report| !report.violations.is_empty()) {
        Status::Violated
    } else if finished.reports().all(FunctionReport::is_decided) && finished.left_out.is_empty() {
        Status::Decided
    } else {
        Status::Unknown
    };
    unless_broken(finished, status)
}

/// One function's result in a few lines, as soon as it is there.
fn function_summary(program: &Program, report: &FunctionReport, detail: Detail) {
    let is_silent = report.notes.is_empty() && report.warnings.is_empty();
    let is_fine = report.is_decided() && report.violations.is_empty() && is_silent;
    if detail == Detail::Problems && is_fine {
        return;
    }
    let n_tests = report.suite.tests.len();
    let tests = format!("{n_tests} test{}", plural(n_tests));
    let parts: Vec<String> = PARTS
        .iter()
        .filter_map(|(words, is_it)| {
            let found: Vec<&Verdict> = report.verdicts().filter(|verdict| is_it(verdict)).collect();
            let first = found.first()?;
            let by = if first.is_covered() { format!(" by {tests}") } else { String::new() };
            Some(paint(tone(first), &format!("{} {words}", found.len())) + &by)
        })
        .collect();
    let goals = format!("{} goal{}", report.goals.len(), plural(report.goals.len()));
    let colon = if parts.is_empty() { "" } else { ": " };
    let name = title(program, report.function());
    let start = through(program, report);
    println!("{}", hanging(&format!("{name}{start}: {goals}{colon}{}", parts.join(", "))));
    for (sentence, places) in said(program, report, detail) {
        match places.as_slice() {
            [] | [_] | [_, _] => {
                for place in places {
                    println!("{}", hanging(&format!("  {place}: {sentence}")));
                }
            }
            many => {
                println!("{}", hanging(&format!("  {} goals are {sentence}", many.len())));
                // Each line says what was found, so that `grep` finds it.
                let word = sentence.split(':').next().unwrap_or_default();
                for place in many {
                    println!("{}", hanging(&format!("    {place}: {word}")));
                }
            }
        }
    }
    if let Some(list) = &report.suite.solutions {
        for (goal, solutions) in report.goals.iter().zip(&list.goals) {
            let place = verdict_text::place(program, goal.span);
            let count = solutions.count;
            let more = if solutions.is_complete { "" } else { " or more" };
            let noun = if count == 1 && more.is_empty() { "input" } else { "inputs" };
            println!("  {place}: {}: {count}{more} {noun}", goal.text);
        }
    }
    for violation in &report.violations {
        println!("{}", hanging(&format!("  {violation}")));
    }
    for warning in &report.warnings {
        println!("{}", hanging(&format!("  {} {warning}", paint(Tone::Bad, "warning:"))));
    }
    for note in &report.notes {
        println!("{}", hanging(&format!("  note: {note}")));
    }
}

/// Where runs start, where that is not the function itself.
fn through(program: &Program, report: &FunctionReport) -> String {
    let names: Vec<String> = report.starts.iter().map(|&start| title(program, start)).collect();
    if names.is_empty() { String::new() } else { format!(" (through {})", names.join(", ")) }
}

/// Words for verdicts, and which those are.
type Part = (&'static str, fn(&Verdict) -> bool);

/// The verdicts of goals as a function's first line counts them.
const PARTS: &[Part] = &[
    ("covered", Verdict::is_covered),
    ("infeasible", |verdict| matches!(verdict, Verdict::Infeasible(_))),
    ("infeasible within bounds", |verdict| matches!(verdict, Verdict::InfeasibleWithin { .. })),
    ("unknown", |verdict| matches!(verdict, Verdict::Unknown(_))),
];

/// What is said about goals, with the goals it is said about: what is open comes first, and equal words come once.
fn said(program: &Program, report: &FunctionReport, detail: Detail) -> Vec<(String, Vec<String>)> {
    let mut said: Vec<(bool, String, Vec<String>)> = Vec::new();
    for (goal, result) in report.goals.iter().zip(&report.suite.goals) {
        let verdict = &result.verdict;
        let is_open = matches!(verdict, Verdict::Unknown(_));
        let is_shown = match detail {
            Detail::Problems => is_open,
            Detail::Usual => !verdict.is_covered(),
            Detail::Everything => true,
        };
        if !is_shown {
            continue;
        }
        let tone = tone(verdict);
        let words = verdict_text::sentence(program, verdict);
        let words = match words.split_once(':') {
            Some((word, rest)) => format!("{}:{rest}", paint(tone, word)),
            None => paint(tone, &words),
        };
        let sentence = format!("{words}{}", because(report, &goal.id));
        let place = format!("{}: {}", verdict_text::place(program, goal.span), goal.text);
        match said.iter_mut().find(|(_, known, _)| *known == sentence) {
            Some((_, _, places)) => places.push(place),
            None => said.push((is_open, sentence, vec![place])),
        }
    }
    said.sort_by_key(|(is_open, _, _)| !is_open);
    said.into_iter().map(|(_, sentence, places)| (sentence, places)).collect()
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Which clauses of the contract remove a goal.
fn because(report: &FunctionReport, goal: &str) -> String {
    let removing =
        report.suite.contract.iter().filter(|clause| clause.removes.iter().any(|id| id == goal));
    let named: Vec<String> =
        removing.map(|clause| format!("{}: {}", clause.place, clause.text)).collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("; removed by the contract ({})", named.join(", "))
    }
}
