//! What a method depends on besides its inputs: static fields that others may have changed, identity
//! hashes. Searches start from fresh classes, so proofs hold within that.

use std::collections::BTreeSet;

use glassbox_ir::{Callee, FuncId, InstrKind, Operand, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_testcase::Verdict;

use crate::command::generate::work::FunctionWork;

const STATICS: &str = "static fields: as their classes start";
const HASHES: &str = "identity hashes: as the interpreter gives them";

/// Adds what proofs rest on to their verdicts.
pub(super) fn weaken(java: &JavaProgram, function: FuncId, work: &mut FunctionWork) {
    let is_proof = |verdict: &Verdict| {
        matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
    };
    if !work.suite.goals.iter().any(|goal| is_proof(&goal.verdict)) {
        return;
    }
    let more = bounds(java, function);
    for goal in &mut work.suite.goals {
        match &mut goal.verdict {
            Verdict::InfeasibleWithin { bounds } => bounds.extend(more.iter().cloned()),
            verdict @ Verdict::Infeasible(_) if !more.is_empty() => {
                *verdict = Verdict::InfeasibleWithin { bounds: more.clone() };
            }
            _ => {}
        }
    }
}

fn bounds(java: &JavaProgram, function: FuncId) -> Vec<String> {
    let program = &java.program;
    let is_changing = |name: &str| {
        let mut fields = program.fields.iter().filter(|field| field.is_static && !field.is_final);
        fields.any(|field| {
            let class = &program.classes[field.class.index()].name;
            java.recipes.class(class).is_some()
                && name.strip_prefix(class.as_str()).and_then(|rest| rest.strip_prefix('.'))
                    == Some(&field.name)
        })
    };
    let mut found = BTreeSet::new();
    for name in globals_read(program, function) {
        if name == "glassbox.hashes" {
            let _ = found.insert(HASHES.to_owned());
        } else if is_changing(name) {
            let _ = found.insert(STATICS.to_owned());
        }
    }
    found.into_iter().collect()
}

/// Names of the variables that a function and those it may call read.
fn globals_read(program: &Program, function: FuncId) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut seen = BTreeSet::from([function]);
    let mut open = vec![function];
    while let Some(function) = open.pop() {
        let Some(body) = &program.function(function).body else { continue };
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            match &instr.kind {
                InstrKind::Load { ptr: Operand::Global(global), .. } => {
                    let _ = names.insert(program.global(*global).name.as_str());
                }
                InstrKind::Call(call) => {
                    if let Callee::Direct(callee) = call.callee
                        && seen.insert(callee)
                        && !is_aside(program, callee)
                    {
                        open.push(callee);
                    }
                }
                _ => {}
            }
        }
    }
    names
}

/// Initializers and the insides of the JDK's exceptions: what they read decides no branch of a caller.
fn is_aside(program: &Program, function: FuncId) -> bool {
    let Some(method) = program.function(function).method else { return false };
    let method = &program.methods[method.index()];
    let class = &program.classes[method.class.index()].name;
    let is_exception = ["Exception", "Error", "Throwable"].iter().any(|end| class.ends_with(end));
    method.name == "<clinit>" || (class.starts_with("java.") && is_exception)
}
