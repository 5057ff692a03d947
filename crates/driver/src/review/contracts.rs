//! What the search showed about contracts: goals that they remove, promises that are broken.

use glassbox_contract::ClauseKind;
use glassbox_contract::harness::clause_at;
use glassbox_coverage::property::is_library;
use glassbox_coverage::scope::scope;
use glassbox_emit::c_literal;
use glassbox_ir::{Callee, FuncId, InstrKind, Origin, Program};
use glassbox_report::verdict_text;
use glassbox_testcase::{
    Assumption, ContractClause, InputPointer, InputValue, NamedInput, NotCompared, Premise, Verdict,
};

use super::Reviewer;
use crate::compared;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language::Language;
use crate::plan::Task;

pub(super) struct Contracts;

impl Reviewer for Contracts {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        for report in reports.iter_mut() {
            let entries =
                if report.starts.is_empty() { vec![report.entry] } else { report.starts.clone() };
            let described = entries.iter().flat_map(|&entry| described(case.program(), entry));
            report.suite.premises.extend(described);
            report.suite.premises = Premise::listed(std::mem::take(&mut report.suite.premises));
        }
        let has_harness = |report: &&mut FunctionReport| {
            report.starts.is_empty() && report.entry != report.function()
        };
        for report in reports.iter_mut().filter(has_harness) {
            if case.language.keeps_apart(report.function()) {
                rest_on_restrict(report);
            }
            match &case.plan.task {
                Task::Generate(_) => note_promises(case.program(), report),
                Task::Check(_) => {
                    note_unreached(report);
                    rest_on_frame(case, report);
                    let annotated = annotated(case.language, report);
                    report.suite.premises.extend(annotated);
                }
            }
            if report.suite.contract.is_empty()
                && case.program().language.declarations_promise()
                && assumes(case.program(), report.entry)
            {
                let is_main = case.program().function(report.function()).name == "main";
                if !is_main && matches!(case.plan.task, Task::Generate(_)) {
                    rest_on_declaration(report);
                }
                report.suite.premises.push(if is_main {
                    Premise::ArgumentsOfMain
                } else {
                    Premise::DeclaredParameters
                });
            }
        }
    }
}

/// What annotations require of callers: whoever reads a verdict may not know that they are believed.
fn annotated(language: &dyn Language, report: &FunctionReport) -> Vec<Premise> {
    let Some((_, contract, _)) = language.contract(report.function()) else { return Vec::new() };
    let pairs = contract.clauses.iter().zip(&report.suite.contract);
    let believed = pairs.filter(|(clause, said)| clause.declared.is_some() && !said.is_ensure);
    let premise = |said: &ContractClause| Premise::Annotation {
        place: said.place.clone(),
        text: said.text.clone(),
    };
    believed.map(|(_, said)| premise(said)).collect()
}

/// Undefined functions that runs from an entry may come to, and of which the user says what they do: a judge is asked
/// after each call.
fn described(program: &Program, entry: FuncId) -> Vec<Premise> {
    let mut found = Vec::new();
    for function in scope(program, entry, &[]) {
        let body = program.function(function).body.as_ref();
        for instr in body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.instrs) {
            if let InstrKind::Call(call) = &instr.kind
                && let Callee::Direct(judge) = call.callee
                && let Origin::Promise { of } = program.function(judge).origin
            {
                found.push(Premise::Described { name: program.function(of).name.clone() });
            }
        }
    }
    found
}

/// Whether an entry narrows inputs: one that is there for its promises or requirements alone does not.
pub(crate) fn assumes(program: &Program, entry: FuncId) -> bool {
    let blocks = program.function(entry).body.iter().flat_map(|body| &body.blocks);
    let mut instrs = blocks.flat_map(|block| &block.instrs);
    instrs.any(|instr| matches!(instr.kind, InstrKind::Assume { .. }))
}

/// What no caller may pass takes a function nowhere, and yet a caller may pass it.
fn rest_on_declaration(report: &mut FunctionReport) {
    for result in &mut report.suite.goals {
        result.verdict.rest_on(&[Assumption::DeclaredParameters]);
    }
}

/// Restricted pointers may share what is only read, which no input shows.
fn rest_on_restrict(report: &mut FunctionReport) {
    for result in &mut report.suite.goals {
        result.verdict.rest_on(&[Assumption::RestrictApart]);
    }
}

/// What may change besides memory and variables, and what comparing numbers does not show.
fn rest_on_frame(case: &Case<'_>, report: &mut FunctionReport) {
    let (program, function) = (case.program(), report.function());
    let Some((config, contract, entry)) = case.language.contract(function) else { return };
    if program.language.has_objects() {
        return;
    }
    let mut functions = scope(program, entry, &[]);
    functions.retain(|&id| id != entry && !is_library(program, id));
    let left_out = compared::not_compared(program, entry, &functions);
    let mut rests = Vec::new();
    for what in left_out {
        match what {
            NotCompared::Errno => rests.push(Assumption::NotCompared(what)),
            NotCompared::SignsOfZeros => rests.push(Assumption::OneNan),
            NotCompared::Endless
            | NotCompared::Exits
            | NotCompared::Assertions
            | NotCompared::Exceptions
            | NotCompared::Output
            | NotCompared::OtherStatics
            | NotCompared::WrittenFields
            | NotCompared::IdentityOfArrays
            | NotCompared::IdentityOfTexts
            | NotCompared::FieldsBelow
            | NotCompared::Initializers
            | NotCompared::Constructors
            | NotCompared::OlderVariables
            | NotCompared::InitialValues => {}
        }
    }
    for (property, result) in report.checked.properties.iter().zip(&mut report.suite.goals) {
        let clause = clause_at(program, config, contract, property.span);
        let is_harness = property.function == entry;
        if is_harness && clause.is_some_and(|it| matches!(it.kind, ClauseKind::Assigns(_))) {
            result.verdict.rest_on(&rests);
        }
    }
}

/// Properties that no run reaches hold: whoever wrote requirements that contradict each other should know.
fn note_unreached(report: &mut FunctionReport) {
    let is_unreached = |verdict: &Verdict| {
        matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
    };
    let requires = report.suite.contract.iter().any(|clause| !clause.is_ensure);
    if requires && !report.goals.is_empty() && report.verdicts().all(is_unreached) {
        let what = "no input that satisfies the contract reaches anything that is checked";
        report.warnings.push(what.to_owned());
    }
}

fn note_promises(program: &Program, report: &mut FunctionReport) {
    let is_gone = |verdict: &Verdict| matches!(verdict, Verdict::Infeasible(_));
    if !report.goals.is_empty() && report.verdicts().all(is_gone) {
        report.warnings.push("no input satisfies the contract, so nothing is tested".to_owned());
    }
    for violation in &report.broken_promises {
        let place = verdict_text::place(program, violation.span);
        // Places of Java have no columns, and clauses may stand beside each other on a line.
        let exact = format!("{place}:{}", violation.span.column);
        let mut clauses = report.suite.contract.iter();
        let clause = clauses.find(|clause| clause.place == place || clause.place == exact);
        let text = clause.map_or("a promise", |clause| clause.text.as_str());
        let given: Vec<String> = violation
            .input
            .params
            .iter()
            .map(|param| format!("{} = {}", param.name, short_value(program, param)))
            .collect();
        report.violations.push(format!("{place}: {text}: violated with {}", given.join(", ")));
    }
}

/// A parameter's value in a message.
fn short_value(program: &Program, param: &NamedInput) -> String {
    match &param.value {
        InputValue::Int(bits) => c_literal::integer(program, param.source_type, *bits),
        InputValue::Float(float) => c_literal::float(*float),
        InputValue::Pointer(InputPointer::Null) => "0".to_owned(),
        InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => "…".to_owned(),
    }
}
