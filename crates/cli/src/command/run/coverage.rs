//! What a run covered, per function: blocks, branches, conditions, and the places that are missing.

use std::fmt::Write as _;

use glassbox_interp::Coverage;
use glassbox_interp::coverage::FunctionCoverage;
use glassbox_ir::{Body, DecisionId, FuncId, Program, Terminator};

use super::excerpt::place;

/// One line per function of the user, then a line per branch and condition value that never came up.
pub(super) fn report(program: &Program, coverage: &Coverage) -> String {
    let mut out = String::new();
    let nothing = FunctionCoverage::default();
    for id in program.function_ids() {
        let function = program.function(id);
        if function.body.is_none() || program.is_in_model(function.span) {
            continue;
        }
        let seen = coverage.functions.get(&id).unwrap_or(&nothing);
        function_report(&mut out, program, id, seen);
    }
    out
}

fn function_report(out: &mut String, program: &Program, id: FuncId, seen: &FunctionCoverage) {
    let body = program.body(id);
    let n_entered = seen.blocks.iter().filter(|&&count| count > 0).count();
    let (mut missing, mut n_edges, mut n_taken) = (String::new(), 0, 0);
    for block in body.block_ids() {
        let n_targets = n_branches(&body.block(block).terminator);
        for position in 0..n_targets {
            n_edges += 1;
            n_taken += usize::from(seen.edges.contains_key(&(block, position)));
        }
        switch_report(&mut missing, program, body, block, seen);
    }
    let (n_values, n_seen) = condition_report(&mut missing, program, body, seen);
    let _ = writeln!(
        out,
        "{}: blocks {n_entered}/{}, branches {n_taken}/{n_edges}, conditions {n_seen}/{n_values}",
        program.function(id).name,
        body.blocks.len()
    );
    out.push_str(&missing);
}

/// The ways out of a block that a condition chooses between.
fn n_branches(terminator: &Terminator) -> u32 {
    match terminator {
        Terminator::Branch { .. } => 2,
        Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => 0,
    }
}

fn switch_report(
    out: &mut String,
    program: &Program,
    body: &Body,
    block: glassbox_ir::BlockId,
    seen: &FunctionCoverage,
) {
    let Terminator::Switch { cases, .. } = &body.block(block).terminator else { return };
    for (position, case) in (0u32..).zip(cases) {
        if !seen.edges.contains_key(&(block, position)) {
            let _ = writeln!(out, "  {}: case never taken", place(program, case.span));
        }
    }
    if !seen.edges.contains_key(&(block, cases.len() as u32)) {
        let at = place(program, body.block(block).terminator_span);
        let _ = writeln!(out, "  {at}: default never taken");
    }
}

/// How many values conditions can have, and how many came up.
fn condition_report(
    out: &mut String,
    program: &Program,
    body: &Body,
    seen: &FunctionCoverage,
) -> (usize, usize) {
    let (mut n_values, mut n_seen) = (0, 0);
    for (index, decision) in body.decisions.iter().enumerate() {
        let evaluations =
            seen.decisions.get(&DecisionId::new(index)).map_or(&[][..], Vec::as_slice);
        for (position, condition) in decision.conditions.iter().enumerate() {
            for value in [true, false] {
                n_values += 1;
                let came_up = evaluations
                    .iter()
                    .any(|evaluation| evaluation.conditions.get(position) == Some(&Some(value)));
                n_seen += usize::from(came_up);
                if !came_up {
                    let at = place(program, condition.span);
                    let text = condition.text.replace('\n', " ");
                    let _ = writeln!(out, "  {at}: `{text}` never {value}");
                }
            }
        }
    }
    (n_values, n_seen)
}
