//! From the result of a run to the data of suite.json.

mod anatomy;
mod decisions;
pub mod evidence;
mod graph;
mod made;
mod read_back;
mod read_java;
mod solutions;
mod test_data;
pub mod title;
mod truth_table;
mod values;

pub use read_back::input as read_input;
pub use test_data::expected;

use glassbox_coverage::Goal;
use glassbox_ir::{FuncId, Program};
use glassbox_testcase::{Suite, Verdict};

use crate::data::words::Words;
use crate::data::{self, FORMAT, Outcome, Reason, SuiteData};
use crate::dismissal::Dismissal;
use crate::verdict_text;
pub use evidence::Evidence;
use values::type_name;

/// One function's goals and results.
#[derive(Debug)]
pub struct FunctionResult<'a> {
    pub suite: &'a Suite,
    pub goals: &'a [Goal],
    pub n_paths: usize,
    pub n_runs: usize,
    pub evidence: &'a Evidence,
    /// By goal: why it does not count; empty where all do.
    pub dismissals: &'a [Option<Dismissal>],
}

/// The whole file. `command` is what the user typed.
pub fn suite(
    program: &Program,
    task: data::Task,
    command: &[String],
    results: &[FunctionResult<'_>],
) -> SuiteData {
    SuiteData {
        format: FORMAT,
        tool: data::Tool {
            name: "glassbox".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        task,
        command: command.to_vec(),
        language: program.language.into(),
        functions: results.iter().map(|result| function(program, results, result)).collect(),
        sources: anatomy::sources(program, results),
        stub_sites: anatomy::stub_sites(program),
    }
}

fn function(
    program: &Program,
    results: &[FunctionResult<'_>],
    result: &FunctionResult<'_>,
) -> data::Function {
    let suite = result.suite;
    let declared = program.function(suite.function);
    let n_hidden = usize::from(declared.result == glassbox_ir::ResultPassing::Indirect);
    let params = declared.params.iter().skip(n_hidden).map(|param| data::Param {
        name: param.name.clone(),
        type_name: type_name(program, param.source_type),
    });
    let clauses = suite.contract.iter().map(|clause| data::ContractClause {
        text: clause.text.clone(),
        place: clause.place.clone(),
        removes: clause.removes.clone(),
    });
    let limits = suite
        .limits
        .iter()
        .map(|limit| data::Limit { name: limit.name.clone(), value: limit.value.clone() });
    let numbered = suite.tests.iter().enumerate();
    let tests = numbered.map(|(index, test)| {
        let mut written = test_data::test(program, suite, test);
        if let Some(moments) = result.evidence.moments.get(index) {
            written.moments = test_data::moments(program, test, moments);
        }
        anatomy::with_run(results, result, index, written)
    });
    data::Function {
        name: declared.name.clone(),
        title: title::title(program, suite.function),
        signature: signature(program, suite.function),
        file: program.files.get(declared.span.file.index()).map(|file| file.path.clone()),
        line: declared.span.line,
        end_line: declared.span.end_line,
        result: type_name(program, declared.result_source_type),
        params: params.collect(),
        goals: (0..result.goals.len().min(suite.goals.len()))
            .map(|index| goal(program, result, index))
            .collect(),
        tests: tests.collect(),
        decisions: decisions::decisions(program, result),
        graph: graph::graph(program, suite.function),
        refutations: anatomy::refutations(&result.evidence.refutations),
        invariants: anatomy::invariants(&result.evidence.invariants),
        solutions: solutions::solutions(program, result),
        contract: clauses.collect(),
        requirements: suite.requirements.clone(),
        confirmation: suite.confirmation.map(data::Confirmation::from),
        assumptions: suite.premises.iter().map(ToString::to_string).collect(),
        limits: limits.collect(),
        depends: String::new(),
        seeds: Vec::new(),
        earlier: Vec::new(),
        statistics: data::Statistics {
            paths: result.n_paths,
            runs: result.n_runs,
            layers: result.evidence.layers.clone(),
        },
    }
}

/// `int f(const char * s, int n)`.
fn signature(program: &Program, function: FuncId) -> String {
    let declared = program.function(function);
    let n_hidden = usize::from(declared.result == glassbox_ir::ResultPassing::Indirect);
    let params = declared.params.iter().skip(n_hidden);
    let mut params: Vec<String> = params
        .map(|param| format!("{} {}", type_name(program, param.source_type), param.name))
        .collect();
    if declared.is_variadic {
        params.push("...".to_owned());
    }
    if params.is_empty() {
        params.push("void".to_owned());
    }
    let result = type_name(program, declared.result_source_type);
    format!("{result} {}({})", declared.name, params.join(", "))
}

fn goal(program: &Program, result: &FunctionResult<'_>, index: usize) -> data::Goal {
    let goal = &result.goals[index];
    let verdict = &result.suite.goals[index].verdict;
    data::Goal {
        id: goal.id.clone(),
        kind: Words::from(goal.criterion.to_owned()),
        file: program.files.get(goal.span.file.index()).map(|file| file.path.clone()),
        line: goal.span.line,
        column: goal.span.column,
        text: goal.text.clone(),
        outcome: outcome(program, result.suite, verdict),
        end_line: goal.span.end_line,
        end_column: goal.span.end_column,
        at: anatomy::anchor(&goal.target),
        pair: anatomy::pair(result, index),
        reached_after: result.evidence.reached_after.get(index).copied().flatten(),
        refutations: anatomy::closing_refutations(program, result, index),
        dismissed: result.dismissals.get(index).and_then(Option::as_ref).map(Dismissal::text),
    }
}

fn outcome(program: &Program, suite: &Suite, verdict: &Verdict) -> Outcome {
    let name = |test: &usize| suite.tests.get(*test).map(|test| test.name.clone());
    let within = |bounds: &[_]| bounds.iter().copied().map(Words::Known).collect();
    match verdict {
        Verdict::Covered { test } => Outcome::Covered { test: name(test) },
        Verdict::Violated { test } => Outcome::Violated { test: name(test) },
        Verdict::Infeasible(method) => Outcome::Infeasible {
            method: Some((*method).into()),
            proof: verdict_text::method(*method).to_owned(),
        },
        Verdict::Holds(method) => Outcome::Holds {
            method: Some((*method).into()),
            proof: verdict_text::method(*method).to_owned(),
        },
        Verdict::InfeasibleWithin { bounds } => {
            Outcome::InfeasibleWithin { bounds: within(bounds) }
        }
        Verdict::HoldsWithin { bounds } => Outcome::HoldsWithin { bounds: within(bounds) },
        Verdict::Unknown(why) => {
            let (code, text) = verdict_text::reason(program, why);
            Outcome::Unknown { reason: Reason { code, text } }
        }
    }
}
