//! LCOV tracefiles: lines, branches and MC/DC of the tests, with proved branches flagged unreachable.
//!
//! The dialect that LCOV 1.16 and 2.x both read: two-field `FN`, `BRDA` with the `U` of LCOV 2 (1.16 leaves
//! such branches out of its count, which is what `U` means), `MCDC` lines that 1.16 skips. Counts are
//! numbers of tests. Only proofs without bounds make a branch unreachable.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::data::{Anchor, Decision, Function, Goal, SuiteData};
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
    for (function, calls) in file.functions.iter().zip(&file.calls) {
        let _ = writeln!(out, "FNDA:{calls},{}", function.name);
    }
    let n_hit = file.calls.iter().filter(|calls| **calls > 0).count();
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
    let mut by_line: BTreeMap<u32, Vec<Vec<Condition<'_>>>> = BTreeMap::new();
    for function in &file.functions {
        for (number, decision) in function.decisions.iter().enumerate() {
            let conditions: Vec<Condition<'_>> = decision
                .conditions
                .iter()
                .enumerate()
                .map(|(index, condition)| {
                    (condition.text.as_str(), goal_of(function, number, index))
                })
                .collect();
            if conditions.iter().any(|(_, goal)| goal.is_some()) {
                by_line.entry(decision_line(decision)).or_default().push(conditions);
            }
        }
    }
    let (mut n_found, mut n_hit) = (0, 0);
    for (line, decisions) in by_line {
        for group in groups(decisions) {
            for (index, (text, goal)) in group.iter().enumerate() {
                let Some(goal) = goal else { continue };
                let taken = usize::from(goal.is_covered());
                let flag = if goal.is_infeasible() { "U" } else { "" };
                let (size, text) = (group.len(), text.replace(['\n', '\r'], " "));
                for sense in ["t", "f"] {
                    let _ =
                        writeln!(out, "MCDC:{line},{flag}{size},{sense},{taken},{index},{text}");
                }
                if !goal.is_infeasible() {
                    n_found += 2;
                    n_hit += 2 * taken;
                }
            }
        }
    }
    if n_found > 0 {
        let _ = writeln!(out, "MCF:{n_found}\nMCH:{n_hit}");
    }
}

/// A condition's text and its goal.
type Condition<'a> = (&'a str, Option<&'a Goal>);

/// LCOV distinguishes the decisions of a line by their size alone: where two have the same, all of the line
/// become one group, so that no condition is lost.
fn groups(decisions: Vec<Vec<Condition<'_>>>) -> Vec<Vec<Condition<'_>>> {
    let mut sizes: Vec<usize> = decisions.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() == decisions.len() { decisions } else { vec![decisions.concat()] }
}

fn decision_line(decision: &Decision) -> u32 {
    decision.conditions.first().map_or(decision.line, |condition| condition.line)
}

fn goal_of(function: &Function, decision: usize, condition: usize) -> Option<&Goal> {
    function.goals.iter().find(|goal| match goal.at {
        Anchor::Decision { decision: of, condition: Some(number), flavor: Some(_), .. } => {
            of == decision && usize::from(number) == condition
        }
        Anchor::Decision { .. } | Anchor::Block { .. } | Anchor::Edges { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::lcov;
    use crate::data::read;
    use serde_json::json;

    /// `if (a && b) f(); if (c && d) g();` in one line, the second `d` impossible.
    #[test]
    fn decisions_of_one_line_and_one_size_stay_apart() {
        let condition = |text: &str| json!({ "text": text, "line": 3, "column": 1 });
        let goal = |decision: usize, condition: usize, verdict: &str| {
            json!({ "id": format!("f/mcdc/{decision}/{condition}"), "kind": "mcdc", "verdict": verdict,
                "test": "t", "proof": "induction", "reason": { "code": "budget", "text": "1 paths" },
                "at": { "decision": decision, "condition": condition, "flavor": "masking" } })
        };
        let suite = json!({ "format": crate::data::FORMAT, "functions": [{
            "name": "f", "file": "a.c", "line": 2,
            "decisions": [
                { "line": 3, "conditions": [condition("a"), condition("b")] },
                { "line": 3, "conditions": [condition("c"), condition("d")] },
            ],
            "goals": [
                goal(0, 0, "covered"), goal(0, 1, "unknown"),
                goal(1, 0, "covered"), goal(1, 1, "infeasible"),
            ],
        }] });
        let text = lcov(&read(&suite.to_string()).expect("a suite"));
        let expected = "MCDC:3,4,t,1,0,a\nMCDC:3,4,f,1,0,a\nMCDC:3,4,t,0,1,b\nMCDC:3,4,f,0,1,b\n\
                        MCDC:3,4,t,1,2,c\nMCDC:3,4,f,1,2,c\nMCDC:3,U4,t,0,3,d\nMCDC:3,U4,f,0,3,d\n\
                        MCF:6\nMCH:4\n";
        assert!(text.contains(expected), "{text}");
        // The line that a function begins on is listed, as genhtml of LCOV 2 asks.
        assert!(text.contains("FN:2,f") && text.contains("DA:2,0"), "{text}");
    }

    #[test]
    fn what_callers_execute_counts() {
        let graph = json!({ "blocks": [
            { "lines": [5], "kind": "branch", "text": "x", "edges": [{ "to": 1 }, { "to": 1 }] },
            { "lines": [6], "kind": "return", "edges": [] },
        ] });
        let suite = json!({ "format": crate::data::FORMAT, "functions": [
            { "name": "callee", "file": "a.c", "line": 4, "graph": graph },
            { "name": "caller", "file": "a.c", "line": 8, "tests": [{ "id": "t", "blocks": [],
                "elsewhere": [{ "function": 0, "blocks": [0, 1], "edges": [[0, 1]] }] }] },
        ] });
        let text = lcov(&read(&suite.to_string()).expect("a suite"));
        for line in ["FNDA:1,callee", "FNH:2", "BRDA:5,0,0,0", "BRDA:5,0,1,1", "DA:6,1", "DA:8,1"] {
            assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
        }
    }
}
