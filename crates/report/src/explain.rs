//! One goal in words: what it asks, what is known, and why, down to the lines that contradict each other.

use std::fmt::Write;

use glassbox_testcase::Assumption;

use crate::data::words::Words;
use crate::data::{
    Function, Goal, Known, Method, Outcome, Reason, Refutation, ReplayState, SuiteData,
};
use crate::input_lines;
use crate::verdict_text::on_one_line;

/// Goals whose id is `wanted` or, where none is, whose id or `line` or `file:line` contains it.
pub fn find<'a>(data: &'a SuiteData, wanted: &str) -> Vec<(&'a Function, &'a Goal)> {
    let all = || data.functions.iter().flat_map(|f| f.goals.iter().map(move |goal| (f, goal)));
    let exact: Vec<_> = all().filter(|(_, goal)| goal.id == wanted).collect();
    if !exact.is_empty() {
        return exact;
    }
    all().filter(|(_, goal)| goal.id.contains(wanted) || is_at(goal, wanted)).collect()
}

/// `tcas.c:44`, `44` or `tcas.c:44:9`.
fn is_at(goal: &Goal, wanted: &str) -> bool {
    let place =
        format!("{}:{}:{}", goal.file.as_deref().unwrap_or_default(), goal.line, goal.column);
    let line = format!("{}:{}", goal.file.as_deref().unwrap_or_default(), goal.line);
    let ends = |whole: &str| {
        whole == wanted
            || whole.strip_suffix(wanted).is_some_and(|before| before.ends_with(['/', ':']))
    };
    ends(&place) || ends(&line)
}

/// The explanation, with the source line, ending in a newline.
pub fn explain(data: &SuiteData, function: &Function, goal: &Goal) -> String {
    let mut out = String::new();
    let file = goal.file.as_deref().unwrap_or("?");
    let has_columns = data.language.has_columns();
    let column = if has_columns { format!(":{}", goal.column) } else { String::new() };
    let _ = writeln!(out, "{file}:{}{column}: {}", goal.line, goal.text);
    let _ = writeln!(out, "  goal {} of {} ({})", goal.id, function.title(), goal.kind);
    excerpt(&mut out, data, goal);
    match &goal.outcome {
        Outcome::Covered { .. } => covered(&mut out, function, goal),
        Outcome::Violated { .. } => {
            out.push_str("VIOLATED: a test makes it fail.\n");
            tests(&mut out, function, goal);
        }
        Outcome::Infeasible { .. } => {
            infeasible(&mut out, function, goal);
            proved(&mut out, data, function, goal);
            if has_columns {
                out.push_str(
                    "Runs that fail before they come there do not count: see `glassbox check`.\n",
                );
            }
        }
        Outcome::Holds { .. } => {
            out.push_str("HOLDS: proved for all inputs, without bounds.\n");
            removed(&mut out, function, goal);
            proved(&mut out, data, function, goal);
        }
        Outcome::InfeasibleWithin { bounds } => {
            within(&mut out, "INFEASIBLE", bounds);
            refutations(&mut out, data, function, goal);
        }
        Outcome::HoldsWithin { bounds } => {
            within(&mut out, "HOLDS", bounds);
            refutations(&mut out, data, function, goal);
        }
        Outcome::Unknown { reason } => unknown(&mut out, reason),
    }
    out
}

/// What the verdicts of a function rest on, once for all its goals: how tests were confirmed, and what nothing has checked.
pub fn granted(function: &Function) -> String {
    let mut out = String::new();
    let title = function.title();
    if let Some(confirmation) = &function.confirmation {
        let _ = writeln!(out, "Tests of {title} are {}", confirmation.text);
    }
    if !function.assumptions.is_empty() {
        let _ = writeln!(out, "Taken for granted in {title}:");
        for assumption in &function.assumptions {
            let _ = writeln!(out, "  - {assumption}");
        }
    }
    out
}

/// How interesting a goal is among several: what needs work comes first.
pub fn rank(goal: &Goal) -> usize {
    match &goal.outcome {
        Outcome::Violated { .. } => 0,
        Outcome::Unknown { .. } => 1,
        Outcome::Infeasible { .. } => 2,
        Outcome::InfeasibleWithin { .. } => 3,
        Outcome::HoldsWithin { .. } => 4,
        Outcome::Holds { .. } => 5,
        Outcome::Covered { .. } => 6,
    }
}

fn infeasible(out: &mut String, function: &Function, goal: &Goal) {
    let is_removed = function.contract.iter().any(|clause| clause.removes.contains(&goal.id));
    out.push_str(if is_removed {
        "INFEASIBLE: proved for all inputs that the contract allows.\n"
    } else {
        "INFEASIBLE: proved for all inputs, without bounds.\n"
    });
    removed(out, function, goal);
}

/// The clauses of the contract that make a goal impossible.
fn removed(out: &mut String, function: &Function, goal: &Goal) {
    for clause in function.contract.iter().filter(|clause| clause.removes.contains(&goal.id)) {
        let _ = writeln!(out, "The contract removes it: {} ({})", clause.text, clause.place);
    }
}

fn proved(out: &mut String, data: &SuiteData, function: &Function, goal: &Goal) {
    how(out, function, goal);
    refutations(out, data, function, goal);
    if !is_by_paths(goal) {
        invariants(out, data, function, goal);
    }
}

/// The kind of proof, in a sentence of its own where its name says little.
fn how(out: &mut String, function: &Function, goal: &Goal) {
    let (Outcome::Infeasible { method, proof } | Outcome::Holds { method, proof }) = &goal.outcome
    else {
        return;
    };
    let sentence = match method {
        Some(Method::ControlFlow) if is_cut_off(function, goal) => {
            "no way in the control-flow graph leads there"
        }
        Some(Method::ControlFlow) => "the condition has the same value for every input",
        Some(Method::Induction) => {
            "induction: it does not happen in the first turns of the loop, and not in a turn after \
             turns in which it did not happen"
        }
        Some(
            Method::PathEnumeration
            | Method::WholeFunction
            | Method::LoopSummary
            | Method::Covering
            | Method::CallSummaries,
        )
        | None => proof,
    };
    let _ = writeln!(out, "How: {sentence}.");
}

/// Whether refuted ways are the proof itself; other proofs also hold for ways that were not followed.
fn is_by_paths(goal: &Goal) -> bool {
    match &goal.outcome {
        Outcome::InfeasibleWithin { .. } | Outcome::HoldsWithin { .. } => true,
        Outcome::Infeasible { method, .. } | Outcome::Holds { method, .. } => {
            *method == Some(Method::PathEnumeration)
        }
        Outcome::Covered { .. } | Outcome::Violated { .. } | Outcome::Unknown { .. } => false,
    }
}

/// Whether no edges lead from the entry to where the goal is.
fn is_cut_off(function: &Function, goal: &Goal) -> bool {
    let Some(target) = goal.at.block() else { return false };
    let mut seen = vec![false; function.graph.blocks.len()];
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        if seen.get(block) == Some(&false) {
            seen[block] = true;
            open.extend(function.graph.blocks[block].edges.iter().map(|edge| edge.to));
        }
    }
    seen.get(target) == Some(&false)
}

fn within(out: &mut String, what: &str, bounds: &[Words<Assumption>]) {
    let _ = writeln!(out, "{what} within bounds: {}.", on_one_line(bounds));
    out.push_str("An input beyond these bounds may behave otherwise.\n");
    for bound in bounds {
        if let Some(advice) = bound.known().and_then(advice) {
            let _ = writeln!(out, "  {bound}: {advice}");
        }
    }
}

/// What moves a bound, where the user can.
fn advice(bound: &Assumption) -> Option<&'static str> {
    const CLASSES: &str = "objects of classes that are not loaded were not tried";
    let of_plain = [
        (Assumption::PointersToStarts, "a pointer into the middle of an object was not tried"),
        (
            Assumption::WholeObjects,
            "memory of a `length` that is a part of a larger object was not tried; `separate` in a contract, or `restrict`, excludes that arrays overlap",
        ),
        (
            Assumption::AllocationSucceeds,
            "runs in which malloc returns null were not looked at; `check --malloc-may-fail` does",
        ),
        (Assumption::LoadedClassesOnly, CLASSES),
        (Assumption::FewClassesPerReference, CLASSES),
    ];
    if let Assumption::MemoryLength { .. } = bound {
        return Some("--max-length N, or `length` in a contract, allows more elements");
    }
    if let Assumption::LoopTurns(_) = bound {
        return Some("--unwind K allows more turns");
    }
    if let Assumption::TermDepth(_) = bound {
        return Some("`depth = N` under `[rules]` in glassbox.toml allows deeper ones");
    }
    if let Assumption::NoError { .. } = bound {
        return Some("`check` without --assertions-only and --property decides whether it happens");
    }
    of_plain.iter().find(|(known, _)| known == bound).map(|(_, advice)| *advice)
}

fn excerpt(out: &mut String, data: &SuiteData, goal: &Goal) {
    let Some(text) = goal.file.as_deref().and_then(|file| data.source(file)) else { return };
    source_line(out, text, goal.line);
    let Some(line) = text.lines().nth((goal.line as usize).saturating_sub(1)) else { return };
    if !data.language.has_columns() {
        return;
    }
    let from = (goal.column as usize).saturating_sub(1).min(line.len());
    let is_one_line = goal.end_line == goal.line && goal.end_column > goal.column;
    let to = if is_one_line { goal.end_column as usize - 1 } else { line.len() };
    // Columns count bytes; what is drawn counts characters.
    let characters = |from: usize, to: usize| {
        line.char_indices().filter(move |(at, _)| from <= *at && *at < to).map(|(_, letter)| letter)
    };
    let before: String =
        characters(0, from).map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    let width = characters(from, to).count().max(1);
    let gutter = " ".repeat(goal.line.to_string().len());
    let _ = writeln!(out, "  {gutter} | {before}{}", "^".repeat(width));
}

fn source_line(out: &mut String, text: &str, line: u32) {
    if let Some(shown) = text.lines().nth((line as usize).saturating_sub(1)) {
        let _ = writeln!(out, "  {line} | {}", shown.trim_end());
    }
}

fn covered(out: &mut String, function: &Function, goal: &Goal) {
    let is_run = goal.tests().all(|name| {
        function.test(name).is_none_or(|test| test.replay.state != ReplayState::NotRun)
    });
    if goal.pair.is_some() {
        out.push_str("COVERED by a pair of tests that differ in this condition's effect.\n");
    } else if is_run {
        out.push_str("COVERED by a test that was run.\n");
    } else {
        out.push_str(
            "COVERED by a test, as the interpreter says: nothing was compiled (--no-exec).\n",
        );
    }
    tests(out, function, goal);
}

fn tests(out: &mut String, function: &Function, goal: &Goal) {
    for test in goal.tests().filter_map(|name| function.test(name)) {
        let _ = writeln!(out, "Test {} (replay: {})", test.id, test.replay.state.name());
        for input in input_lines::lines(&test.inputs) {
            let _ = writeln!(out, "  {input}");
        }
        for step in test.path.iter().take(12) {
            let _ = writeln!(out, "    line {step}");
        }
        if test.path.len() > 12 {
            let _ = writeln!(out, "    … {} more conditions", test.path.len() - 12);
        }
    }
}

fn unknown(out: &mut String, reason: &Reason) {
    out.push_str("UNKNOWN: neither a test nor a proof was found.\n");
    let _ = writeln!(out, "Why: {} ({}).", reason.text.trim_end(), reason.code.name());
    let _ = writeln!(out, "{}", reason.code.advice());
}

fn refutations(out: &mut String, data: &SuiteData, function: &Function, goal: &Goal) {
    let known: Vec<&Refutation> =
        goal.refutations.iter().filter_map(|&index| function.refutations.get(index)).collect();
    if known.is_empty() {
        return;
    }
    let text = function.file.as_deref().and_then(|file| data.source(file));
    if is_by_paths(goal) {
        let shown = known.len();
        let _ = writeln!(out, "Ways that lead there and why each is closed ({shown} shown):");
    } else {
        out.push_str("Single ways that lead there, as examples, and why each is closed:\n");
    }
    let most = if is_by_paths(goal) { known.len() } else { MAX_EXAMPLES };
    for refutation in known.into_iter().take(most) {
        way(out, text, function, refutation);
    }
}

/// Ways that are shown where the proof is about all of them at once.
const MAX_EXAMPLES: usize = 2;

/// Lines before the goal that are shown, nearest last.
const MAX_INVARIANTS: usize = 6;

/// What is known on the lines up to the goal, where a proof of the function rests on it.
fn invariants(out: &mut String, data: &SuiteData, function: &Function, goal: &Goal) {
    let mut lines: Vec<(u32, Vec<&str>)> = Vec::new();
    for known in function.invariants.iter().filter(|known| known.line <= goal.line) {
        if lines.last().is_none_or(|(line, _)| *line != known.line) {
            lines.push((known.line, Vec::new()));
        }
        if let Some((_, facts)) = lines.last_mut() {
            let known: &[String] = match &known.known {
                Known::Dead => &[],
                Known::Facts(facts) => facts,
            };
            facts.extend(known.iter().map(String::as_str).filter(|fact| !is_trivial(fact)));
        }
    }
    lines.retain(|(_, facts)| !facts.is_empty());
    if lines.is_empty() {
        return;
    }
    let text = function.file.as_deref().and_then(|file| data.source(file));
    out.push_str("What holds at code on the lines before it, for every input:\n");
    for (line, mut facts) in lines.split_off(lines.len().saturating_sub(MAX_INVARIANTS)) {
        source_line(out, text.unwrap_or_default(), line);
        facts.dedup();
        for fact in facts {
            let _ = writeln!(out, "      {fact}");
        }
    }
}

/// A range that is that of the type says nothing.
pub fn is_trivial(fact: &str) -> bool {
    const RANGES: &[(&str, &str)] = &[
        ("-128", "127"),
        ("0", "255"),
        ("-32768", "32767"),
        ("0", "65535"),
        ("-2147483648", "2147483647"),
        ("0", "4294967295"),
        ("-9223372036854775808", "9223372036854775807"),
        ("0", "18446744073709551615"),
    ];
    let mut parts = fact.split(" <= ");
    let bounds = (parts.next(), parts.next(), parts.next(), parts.next());
    matches!(bounds, (Some(low), Some(_), Some(high), None) if RANGES.contains(&(low, high)))
}

fn way(out: &mut String, text: Option<&str>, function: &Function, refutation: &Refutation) {
    let (block, edge) = refutation.edge;
    if let Some(block) = function.graph.blocks.get(block) {
        let line = block.lines.last().copied().unwrap_or_default();
        let label = block.edges.get(edge as usize).and_then(|edge| edge.label.as_deref());
        let what = block.text.as_deref().unwrap_or(block.kind.name());
        let _ = writeln!(
            out,
            "  line {line}: on one way here, `{what}` cannot be {}:",
            label.unwrap_or("taken")
        );
    }
    if refutation.core.is_empty() {
        out.push_str("    the condition has the same value on every run that comes here\n");
    }
    for condition in &refutation.core {
        match condition.line {
            Some(line) => {
                let _ = writeln!(out, "    line {line}: needs {}", condition.text);
                if let Some(text) = text {
                    let mut shown = String::new();
                    source_line(&mut shown, text, line);
                    let _ = write!(out, "    {shown}");
                }
            }
            None => {
                let _ = writeln!(out, "    inputs: {}", condition.text);
            }
        }
    }
    if refutation.core.len() > 1 {
        out.push_str("    these cannot hold together\n");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{explain, find, rank};
    use crate::data::{SuiteData, read};

    /// One function of one file with these goals and other parts.
    fn suite(goals: Value, parts: Value) -> SuiteData {
        let mut function = json!({
            "name": "f", "file": "ä.c", "line": 1, "goals": goals,
            "graph": { "blocks": [
                { "lines": [2], "kind": "branch", "text": "x > 3",
                  "edges": [{ "to": 1, "label": "true" }, { "to": 1, "label": "false" }] },
                { "lines": [4], "kind": "return", "edges": [] },
                { "lines": [5], "kind": "return", "edges": [] },
            ] },
        });
        for (key, part) in parts.as_object().into_iter().flatten() {
            function[key] = part.clone();
        }
        let text = "int f(int x) {\n  if (größe(\"ü\") && x > 3)\n    return 1;\n  return 0;\n}\n";
        let value = json!({ "format": crate::data::FORMAT, "functions": [function],
            "sources": [{ "path": "ä.c", "text": text }] });
        read(&value.to_string()).expect("a suite")
    }

    fn goal(verdict: &str, parts: Value) -> Value {
        let mut goal = json!({
            "id": "f/branch/2:24/true", "kind": "branch", "file": "ä.c", "line": 2, "column": 24,
            "end_line": 2, "end_column": 29, "text": "x > 3 is true", "verdict": verdict,
            "at": { "edges": [[0, 0]] }, "test": "t", "proof": "induction",
            "reason": { "code": "budget", "text": "1 paths" },
        });
        for (key, part) in parts.as_object().into_iter().flatten() {
            goal[key] = part.clone();
        }
        goal
    }

    fn explained(goal: Value, parts: Value) -> String {
        let data = suite(json!([goal]), parts);
        let found = find(&data, "2:24");
        assert_eq!(found.len(), 1);
        explain(&data, found[0].0, found[0].1)
    }

    #[test]
    fn the_caret_stands_below_characters_not_bytes() {
        let text = explained(goal("unknown", json!({})), json!({}));
        let lines: Vec<&str> = text.lines().collect();
        let at = |line: &str, what: char| line.chars().position(|letter| letter == what);
        assert_eq!(lines[2], "  2 |   if (größe(\"ü\") && x > 3)");
        assert_eq!(at(lines[3], '^'), at(lines[2], 'x'), "{text}");
        assert_eq!(lines[3].matches('^').count(), 5);
    }

    #[test]
    fn a_core_is_shown_with_its_lines() {
        let core = json!([{ "text": "x < 2", "line": 2 }, { "text": "n <= 8", "line": null }]);
        let text = explained(
            goal("infeasible", json!({ "method": "path-enumeration", "refutations": [0] })),
            json!({ "refutations": [{ "edge": [0, 0], "core": core }],
                "invariants": [{ "line": 2, "known": { "facts": ["0 <= x <= 1"] } }] }),
        );
        assert!(text.contains("INFEASIBLE: proved for all inputs, without bounds."), "{text}");
        assert!(text.contains("`x > 3` cannot be true:"), "{text}");
        assert!(text.contains("line 2: needs x < 2") && text.contains("inputs: n <= 8"), "{text}");
        assert!(text.contains("these cannot hold together"), "{text}");
        assert!(!text.contains("What holds"), "a core says more: {text}");
    }

    #[test]
    fn facts_that_say_nothing_are_left_out() {
        let facts = json!({ "facts": ["-2147483648 <= x <= 2147483647", "0 <= y <= 3"] });
        let text = explained(
            goal("infeasible", json!({ "method": "induction" })),
            json!({ "invariants": [
                { "line": 2, "known": facts },
                { "line": 2, "known": "dead" },
            ] }),
        );
        assert!(text.contains("      0 <= y <= 3\n") && !text.contains("2147483647"), "{text}");
        assert!(text.contains("How: induction: it does not happen in the first turns"), "{text}");
    }

    #[test]
    fn control_flow_says_which_of_its_two_reasons_it_is() {
        let same = explained(goal("infeasible", json!({ "method": "control-flow" })), json!({}));
        assert!(same.contains("How: the condition has the same value for every input."), "{same}");
        let cut = json!({ "method": "control-flow", "at": { "block": 2 } });
        let cut = explained(goal("infeasible", cut), json!({}));
        assert!(cut.contains("How: no way in the control-flow graph leads there."), "{cut}");
    }

    #[test]
    fn a_contract_is_named_where_it_matters() {
        let clause = json!([{ "text": "require x < 3", "place": "glassbox.toml:2:1",
            "removes": ["f/branch/2:24/true"] }]);
        let text = explained(goal("infeasible", json!({})), json!({ "contract": clause }));
        assert!(text.contains("proved for all inputs that the contract allows"), "{text}");
        assert!(
            text.contains("The contract removes it: require x < 3 (glassbox.toml:2:1)"),
            "{text}"
        );
    }

    #[test]
    fn bounds_and_unknowns_come_with_advice() {
        let bounds = json!({ "bounds": ["length of memory behind pointers"] });
        let text = explained(goal("infeasible-within", bounds), json!({}));
        assert!(text.contains("--max-length N"), "{text}");
        for (code, advice) in [
            ("budget", "--max-paths"),
            ("unsupported", "becomes a stub"),
            ("disagreement", "please report it"),
            ("unconfirmed", "Check the compiler"),
            ("undefined-behavior", "glassbox check"),
        ] {
            let reason = json!({ "reason": { "code": code, "text": "why" } });
            let text = explained(goal("unknown", reason), json!({}));
            assert!(
                text.contains(&format!("Why: why ({code}).")) && text.contains(advice),
                "{text}"
            );
        }
    }

    #[test]
    fn what_needs_work_comes_first() {
        let data = suite(
            json!([
                goal("covered", json!({})),
                goal("infeasible", json!({})),
                goal("unknown", json!({}))
            ]),
            json!({}),
        );
        let mut verdicts: Vec<_> = data.functions[0].goals.iter().collect();
        verdicts.sort_by_key(|goal| rank(goal));
        let verdicts: Vec<&str> = verdicts.iter().map(|goal| goal.outcome.name()).collect();
        assert_eq!(verdicts, ["unknown", "infeasible", "covered"]);
    }
}
