//! A program that is asked about one function after the other while somebody works on it: nothing is compiled or written,
//! and what was found before need not be searched again.

use std::time::Duration;

use glassbox_ir::{FuncId, Program, Span};
use glassbox_report::data::{self, SuiteData};
use glassbox_report::suite_json::{self, title::title};
use glassbox_testcase::{Spent, UnknownReason, Verdict};

use crate::contract;
use crate::crew::Crew;
use crate::depends::Contents;
use crate::dismiss::Dismisser;
use crate::drive::{Case, broken, each_program, review_together, work};
use crate::function_report::FunctionReport;
use crate::guard::guarded;
use crate::language::{Language, Refusal};
use crate::listener::{Listener, Location};
use crate::output::steps_to;
use crate::plan::{Plan, Task};
use crate::stopwatch::Stopwatch;

/// A program that was read for a plan.
#[derive(Debug)]
pub struct Live {
    language: Box<dyn Language>,
    functions: Vec<FuncId>,
    plan: Plan,
}

/// A function that can be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portrait {
    pub name: String,
    /// As people say it.
    pub title: String,
    pub file: Option<String>,
    /// First and last.
    pub lines: (u32, u32),
    /// Where it is the same, so are the verdicts; absent where that is not known.
    pub digest: Option<String>,
}

/// What was found out about one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// As suite.json has it: one function, and the texts of its files.
    pub suite: SuiteData,
    /// Violated properties.
    pub findings: Vec<Found>,
    /// More time may decide more.
    pub is_unfinished: bool,
}

/// A violated property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Position among the function's goals.
    pub goal: usize,
    /// What a run does until it comes to the error, in order.
    pub steps: Vec<(Location, String)>,
    /// Why it does not count.
    pub is_dismissed: bool,
}

impl Live {
    /// Reads what the plan names, which is one program.
    pub fn open(plan: Plan, listener: &dyn Listener) -> Result<Live, Refusal> {
        let mut opened = None;
        each_program(&plan, listener, &mut Vec::new(), |language, functions| {
            opened.get_or_insert((language, functions));
        })?;
        match opened {
            Some((language, functions)) => Ok(Live { language, functions, plan }),
            None => Err(Refusal::error("there is nothing to be asked about")),
        }
    }

    fn case<'a>(&'a self, listener: &'a dyn Listener) -> Case<'a> {
        Case::new(&*self.language, &self.plan, &self.functions, listener)
    }

    /// The functions, in order.
    pub fn portraits(&self, listener: &dyn Listener) -> Vec<Portrait> {
        let program = self.language.program();
        let contents =
            self.language.manner().map(|manner| (Contents::of(program), self.common(&manner)));
        let portrait = |&function: &FuncId| {
            let declared = program.function(function);
            let file = program.files.get(declared.span.file.index());
            let digest = contents.as_ref().map(|(contents, common)| {
                let entry = contract::aim(&self.case(listener), function).entry;
                contents.digest(function, entry, common)
            });
            Portrait {
                name: declared.name.clone(),
                title: title(program, function),
                file: file.map(|file| file.path.clone()),
                lines: (declared.span.line, declared.span.end_line),
                digest,
            }
        };
        self.functions.iter().map(portrait).collect()
    }

    /// What all functions depend on: options, contracts, and what the language makes of flags.
    fn common(&self, manner: &str) -> String {
        let plan = &self.plan;
        let budget = (plan.budget.seed, plan.budget.paths, plan.budget.length);
        let contracts = self.language.config().map(|config| config.text.as_str());
        format!("{:?} {budget:?} {:?} {contracts:?} {manner}", plan.task, plan.overflow)
    }

    /// Searches in the functions at these positions, each for at most this time, and hands over what was found as soon as
    /// it is. What was interrupted is not handed over.
    pub fn look(
        &mut self,
        wanted: &[usize],
        time: Duration,
        listener: &dyn Listener,
        mut take: impl FnMut(usize, Looked),
    ) -> Result<(), Refusal> {
        self.plan.budget.time = time;
        let case = self.case(listener);
        let mut dismisser = Dismisser::new(&self.plan)?;
        listener.starts(self.plan.task.counted(), wanted.len());
        Crew::new(self.plan.budget.jobs).in_order(
            wanted,
            |&position| {
                let function = *self.functions.get(position)?;
                if listener.is_interrupted() {
                    return None;
                }
                let watch = Stopwatch::start(listener, &title(case.program(), function));
                let report = guarded(|| work(&case, function, &watch));
                let report = report.unwrap_or_else(|message| broken(&case, function, &message));
                (!listener.is_interrupted()).then_some((position, report))
            },
            |found| {
                let Some((position, mut report)) = found else { return };
                review_together(&case, std::slice::from_mut(&mut report));
                // Each by itself: what was reported of another function need not be there tomorrow.
                let mut known = dismisser.begin(case.program(), &self.plan, listener);
                dismisser.look(case.program(), &mut known, &mut report);
                take(position, looked(case.program(), &self.plan, &report));
            },
        );
        listener.all_ended();
        Ok(())
    }
}

fn looked(program: &Program, plan: &Plan, report: &FunctionReport) -> Looked {
    let task = match plan.task {
        Task::Generate(_) => data::Task::Generate,
        Task::Check(_) => data::Task::Check,
    };
    let violated = report.verdicts().enumerate().filter_map(|(goal, verdict)| match verdict {
        Verdict::Violated { test } => Some((goal, *test)),
        Verdict::Covered { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Unknown(_)
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => None,
    });
    let found = |(goal, test): (usize, usize)| Found {
        goal,
        steps: steps_to(program, report, test)
            .into_iter()
            .filter_map(|step| Some((location(program, step.span)?, step.text)))
            .collect(),
        is_dismissed: report.checked.dismissal(goal).is_some(),
    };
    Looked {
        suite: suite_json::suite(program, task, &[], &[report.as_result()]),
        findings: violated.map(found).collect(),
        is_unfinished: report.verdicts().any(is_out_of_time),
    }
}

fn is_out_of_time(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(UnknownReason::Budget(Spent::Time { .. })))
}

/// Where a span is, in the words of files.
fn location(program: &Program, span: Span) -> Option<Location> {
    let file = program.files.get(span.file.index()).filter(|_| !span.is_nowhere())?;
    Some(Location {
        file: file.path.clone(),
        start: (span.line, span.column),
        end: (span.end_line, span.end_column),
    })
}
