//! A second pair of eyes on a finished suite.
//!
//! What is covered is counted again by other tools in the tests as they were written (`recount`); what is proved is
//! tried with random and boundary inputs in the compiled program (`random`), and the refutations behind it are
//! handed to another solver. Nothing here makes a verdict: every contradiction is a defect of ours.

mod random;
mod recount;
mod witnesses;

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use glassbox_coverage::Goal;
use glassbox_ir::{FuncId, Program};
use glassbox_report::data::{Function, Outcome, SuiteData};
use glassbox_report::suite_json::title::title;
use glassbox_solver::external::External;
use glassbox_solver::{Opinions, SecondOpinion};
use glassbox_testcase::Verdict;

use crate::drive::{self, Case};
use crate::function_report::FunctionReport;
use crate::language::{Recount, Refusal};
use crate::listener::Listener;
use crate::plan::{Plan, Task};
use crate::stopwatch::Stopwatch;

/// How closely to look.
#[derive(Debug, Clone)]
pub struct Options {
    /// Inputs for each function with a proof.
    pub inputs: usize,
    /// Another solver, if there is one.
    pub solver: Option<External>,
    /// For all questions to it.
    pub solver_time: Duration,
}

/// What an audit saw.
#[derive(Debug, Default)]
pub struct Audit {
    pub functions: Vec<Audited>,
    /// What the other solver said; `None` when there was none.
    pub opinions: Option<Opinions>,
    /// What could not be looked at.
    pub notes: Vec<String>,
}

/// What was seen of one function.
#[derive(Debug, Default)]
pub struct Audited {
    pub title: String,
    pub n_covered: usize,
    /// Covered goals that another tool counted too.
    pub n_counted: usize,
    pub n_proved: usize,
    /// Inputs that the compiled program took as the interpreter did.
    pub n_inputs: usize,
    pub contradictions: Vec<Contradiction>,
    pub notes: Vec<String>,
}

/// Something that cannot be true together with the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The goal's id, or what else is said.
    pub said: String,
    /// What was seen.
    pub seen: String,
}

impl Audit {
    pub fn n_contradictions(&self) -> usize {
        let of_solver = self.opinions.as_ref().map_or(0, |opinions| opinions.contradicted.len());
        let of_functions = self.functions.iter().map(|function| function.contradictions.len());
        of_functions.sum::<usize>() + of_solver
    }
}

/// One function of the suite, found again in the program.
struct Inspected<'a> {
    function: FuncId,
    /// As the criteria make them today.
    goals: Vec<Goal>,
    data: &'a Function,
}

impl Inspected<'_> {
    /// Goals that are proved without bounds, with what the suite says of them.
    fn is_proved(&self, id: &str) -> bool {
        let goal = self.data.goals.iter().find(|goal| goal.id == id);
        goal.is_some_and(|goal| {
            matches!(goal.outcome, Outcome::Infeasible { .. } | Outcome::Holds { .. })
        })
    }

    fn has_proofs(&self) -> bool {
        self.data.goals.iter().any(|goal| self.is_proved(&goal.id))
    }
}

/// Looks at a suite again. The plan is the one that made it, with its files where they are now.
pub fn audit(
    mut plan: Plan,
    suite: &SuiteData,
    options: &Options,
    listener: &dyn Listener,
) -> Result<Audit, Refusal> {
    same_sources(suite)?;
    let second_opinion =
        options.solver.clone().map(|solver| SecondOpinion::new(solver, options.solver_time));
    plan.second_opinion.clone_from(&second_opinion);
    let mut audit = Audit::default();
    let mut left_out = Vec::new();
    drive::each_program(&plan, listener, &mut left_out, |language, functions| {
        let case = Case::new(&*language, &plan, &functions, listener);
        let recounts = recounted(&case, &mut audit.notes);
        for &function in &functions {
            let Some(data) = find(suite, case.program(), function) else { continue };
            let goals = drive::goals(&case, function);
            let inspected = Inspected { function, goals, data };
            audit.functions.push(look(&case, &inspected, recounts.get(&function), options));
        }
    })?;
    for file in left_out {
        audit.notes.push(format!("{file} could not be read"));
    }
    audit.opinions = second_opinion.map(|second_opinion| second_opinion.opinions());
    Ok(audit)
}

/// What the suite says about a function. Several files may each have a static function of one name.
fn find<'a>(suite: &'a SuiteData, program: &Program, function: FuncId) -> Option<&'a Function> {
    let declared = program.function(function);
    let file = program.files.get(declared.span.file.index()).map(|file| file.path.as_str());
    let mut named = suite.functions.iter().filter(|data| data.name == declared.name);
    let first = named.clone().next();
    named.find(|data| data.file.as_deref() == file).or(first)
}

/// An audit of a program that is another one by now would say nothing.
fn same_sources(suite: &SuiteData) -> Result<(), Refusal> {
    for source in &suite.sources {
        let Some(text) = &source.text else { continue };
        let now = fs::read(&source.path).map_err(|error| {
            let help = "help: start in the folder in which the suite was made";
            Refusal::error(format!("{}: {error}\n{help}", source.path))
        })?;
        if String::from_utf8_lossy(&now) != text.as_str() {
            let help = "help: run `glassbox gen` again";
            let message = format!("{} has changed since the suite was made\n{help}", source.path);
            return Err(Refusal::error(message));
        }
    }
    Ok(())
}

fn recounted(case: &Case<'_>, notes: &mut Vec<String>) -> BTreeMap<FuncId, Recount> {
    let Task::Generate(_) = case.plan.task else { return BTreeMap::new() };
    if !case.plan.tests_folder().is_dir() {
        notes.push("there are no written tests to be counted again".to_owned());
        return BTreeMap::new();
    }
    case.language.recount(case.plan, case.functions).unwrap_or_else(|why| {
        notes.push(format!("the written tests were not counted again: {why}"));
        BTreeMap::new()
    })
}

fn look(
    case: &Case<'_>,
    inspected: &Inspected<'_>,
    recount: Option<&Recount>,
    options: &Options,
) -> Audited {
    let mut audited = Audited {
        title: title(case.program(), inspected.function),
        n_covered: inspected.data.goals.iter().filter(|goal| goal.is_covered()).count(),
        n_proved: inspected.data.goals.iter().filter(|goal| inspected.is_proved(&goal.id)).count(),
        ..Audited::default()
    };
    let known = |goal: &&glassbox_report::data::Goal| {
        !inspected.goals.iter().any(|found| found.id == goal.id)
    };
    for goal in inspected.data.goals.iter().filter(known) {
        audited.notes.push(format!("{} is no goal of the program", goal.id));
    }
    witnesses::compare(case.program(), inspected, &mut audited);
    match recount {
        Some(recount) => recount::compare(case.program(), inspected, recount, &mut audited),
        None if audited.n_covered > 0 => {
            audited.notes.push("no tool counted the tests of this function again".to_owned());
        }
        None => {}
    }
    if inspected.has_proofs() {
        random::run(case, inspected, options.inputs, &mut audited);
        if audited.n_inputs == 0 {
            let why = match case.plan.executes {
                false => "the suite was made without running tests (--no-exec)",
                true => "none of the inputs tried could be run in the compiled program",
            };
            audited.notes.push(format!("no inputs in the compiled program: {why}"));
        }
        if options.solver.is_some() {
            decide_again(case, inspected, &mut audited);
        }
    }
    audited
}

/// Searches once more, under the eyes of the other solver; what is reached now was not impossible.
fn decide_again(case: &Case<'_>, inspected: &Inspected<'_>, audited: &mut Audited) {
    let watch = Stopwatch::start(case.listener, &audited.title);
    let report: FunctionReport = drive::work(case, inspected.function, &watch);
    for result in &report.suite.goals {
        let is_reached =
            matches!(result.verdict, Verdict::Covered { .. } | Verdict::Violated { .. });
        if is_reached && inspected.is_proved(&result.goal) {
            let seen = "another search reaches it".to_owned();
            audited.contradictions.push(Contradiction { said: result.goal.clone(), seen });
        }
    }
}
