//! LCOV tracefiles: lines, branches and MC/DC of the tests, with proved branches flagged unreachable.
//!
//! The dialect that LCOV 1.16 and 2.x both read: two-field `FN`, `BRDA` with the `U` of LCOV 2 (1.16 leaves
//! such branches out of its count, which is what `U` means), `MCDC` lines that 1.16 skips. Counts are
//! numbers of tests. Only proofs without bounds make a branch unreachable.

use std::fmt::Write;

use crate::data::{Decision, Function, Goal, SuiteData};
use crate::line_coverage::{FileCoverage, files};

pub fn lcov(data: &SuiteData) -> String {
    let mut out = String::new();
    for file in files(data) {
        section(&mut out, &file);
    }
    out
}

fn section(out: &mut String, file: &FileCoverage<'_>) {
    let _ = writeln!(out, "TN:\nSF:{}", file.path);
    for function in &file.functions {
        let _ = writeln!(out, "FN:{},{}", function.line, function.name);
    }
    for function in &file.functions {
        let _ = writeln!(out, "FNDA:{},{}", function.tests.len(), function.name);
    }
    let n_hit = file.functions.iter().filter(|function| !function.tests.is_empty()).count();
    let _ = writeln!(out, "FNF:{}\nFNH:{n_hit}", file.functions.len());
    branches(out, file);
    mcdc(out, file);
    for (line, hits) in &file.lines {
        let _ = writeln!(out, "DA:{line},{hits}");
    }
    let n_hit = file.lines.values().filter(|hits| **hits > 0).count();
    let _ = writeln!(out, "LF:{}\nLH:{n_hit}\nend_of_record", file.lines.len());
}

fn branches(out: &mut String, file: &FileCoverage<'_>) {
    let (mut n_found, mut n_hit) = (0, 0);
    for branch in &file.branches {
        let taken = if branch.is_evaluated { branch.hits.to_string() } else { "-".to_owned() };
        let flag = if branch.is_infeasible { "U" } else { "" };
        let (line, group, index) = (branch.line, branch.group, branch.index);
        let _ = writeln!(out, "BRDA:{line},{flag}{group},{index},{taken}");
        if !branch.is_infeasible {
            n_found += 1;
            n_hit += usize::from(branch.hits > 0);
        }
    }
    let _ = writeln!(out, "BRF:{n_found}\nBRH:{n_hit}");
}

/// One line per condition and sense, of decisions that have MC/DC goals.
fn mcdc(out: &mut String, file: &FileCoverage<'_>) {
    let (mut n_found, mut n_hit) = (0, 0);
    let mut lines = String::new();
    for function in &file.functions {
        for (number, decision) in function.decisions.iter().enumerate() {
            for (index, condition) in decision.conditions.iter().enumerate() {
                let Some(goal) = goal_of(function, number, index) else { continue };
                let taken = usize::from(goal.verdict == "covered");
                let flag = if goal.is_infeasible() { "U" } else { "" };
                for sense in ["t", "f"] {
                    let line = decision_line(decision);
                    let size = decision.conditions.len();
                    let text = condition.text.replace(['\n', '\r'], " ");
                    let _ =
                        writeln!(lines, "MCDC:{line},{flag}{size},{sense},{taken},{index},{text}");
                    if !goal.is_infeasible() {
                        n_found += 1;
                        n_hit += taken;
                    }
                }
            }
        }
    }
    if !lines.is_empty() {
        out.push_str(&lines);
        let _ = writeln!(out, "MCF:{n_found}\nMCH:{n_hit}");
    }
}

fn decision_line(decision: &Decision) -> u32 {
    decision.conditions.first().map_or(decision.line, |condition| condition.line)
}

fn goal_of(function: &Function, decision: usize, condition: usize) -> Option<&Goal> {
    function.goals.iter().find(|goal| {
        goal.kind.starts_with("mcdc")
            && goal.at.decision == Some(decision)
            && goal.at.condition == Some(condition)
    })
}
