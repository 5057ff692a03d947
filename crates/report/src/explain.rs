//! One goal in words: what it asks, what is known, and why, down to the lines that contradict each other.

use std::fmt::Write;

use crate::data::{Function, Goal, Refutation, SuiteData, Test};

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
    let _ = writeln!(out, "{file}:{}:{}: {}", goal.line, goal.column, goal.text);
    let _ = writeln!(out, "  goal {} of {} ({})", goal.id, function.name, goal.kind);
    excerpt(&mut out, data, goal);
    match goal.verdict.as_str() {
        "covered" => covered(&mut out, function, goal),
        "violated" => {
            out.push_str("VIOLATED: a test makes it fail.\n");
            tests(&mut out, function, goal);
        }
        "infeasible" | "holds" => {
            let what = if goal.verdict == "holds" { "HOLDS" } else { "INFEASIBLE" };
            let _ = writeln!(out, "{what}: proved for all inputs, without bounds.");
            if let Some(proof) = goal.proof_text() {
                let _ = writeln!(out, "How: {proof}.");
            }
            refutations(&mut out, data, function, goal);
            invariants(&mut out, data, function, goal);
        }
        "infeasible-within" | "holds-within" => {
            let what = if goal.verdict == "holds-within" { "HOLDS" } else { "INFEASIBLE" };
            let _ = writeln!(out, "{what} within bounds: {}.", goal.bounds.join(", "));
            out.push_str("An input beyond these bounds may behave otherwise.\n");
            refutations(&mut out, data, function, goal);
        }
        _ => unknown(&mut out, goal),
    }
    for clause in function.contract.iter().filter(|clause| clause.removes.contains(&goal.id)) {
        let _ = writeln!(out, "The contract removes it: {} ({})", clause.text, clause.place);
    }
    if !function.assumptions.is_empty() {
        out.push_str("Taken for granted:\n");
        for assumption in &function.assumptions {
            let _ = writeln!(out, "  - {assumption}");
        }
    }
    out
}

fn excerpt(out: &mut String, data: &SuiteData, goal: &Goal) {
    let Some(text) = goal.file.as_deref().and_then(|file| data.source(file)) else { return };
    source_line(out, text, goal.line);
    let Some(line) = text.lines().nth((goal.line as usize).saturating_sub(1)) else { return };
    let from = (goal.column as usize).saturating_sub(1).min(line.len());
    let to = if goal.end_line == goal.line { goal.end_column as usize - 1 } else { line.len() };
    let before: String =
        line.bytes().take(from).map(|b| if b == b'\t' { '\t' } else { ' ' }).collect();
    let width = to.saturating_sub(from).clamp(1, line.len().saturating_sub(from).max(1));
    let gutter = " ".repeat(goal.line.to_string().len());
    let _ = writeln!(out, "  {gutter} | {before}{}", "^".repeat(width));
}

fn source_line(out: &mut String, text: &str, line: u32) {
    if let Some(shown) = text.lines().nth((line as usize).saturating_sub(1)) {
        let _ = writeln!(out, "  {line} | {}", shown.trim_end());
    }
}

fn covered(out: &mut String, function: &Function, goal: &Goal) {
    if goal.pair.is_empty() {
        out.push_str("COVERED by a test that was run.\n");
    } else {
        out.push_str("COVERED by a pair of tests that differ in this condition's effect.\n");
    }
    tests(out, function, goal);
}

fn tests(out: &mut String, function: &Function, goal: &Goal) {
    let named: Vec<&str> = if goal.pair.is_empty() {
        goal.test.as_deref().into_iter().collect()
    } else {
        goal.pair.iter().flatten().map(String::as_str).collect()
    };
    for name in named {
        let Some(test) = function.tests.iter().find(|test| test.id == name) else { continue };
        let _ = writeln!(out, "Test {name} (replay: {})", test.replay.state);
        for input in inputs(test) {
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

/// `name = value` for parameters, globals and memory.
fn inputs(test: &Test) -> Vec<String> {
    let mut lines = Vec::new();
    for group in ["params", "globals"] {
        for input in test.inputs[group].as_array().into_iter().flatten() {
            let name = input["name"].as_str().unwrap_or("?");
            lines.push(format!("{name} = {}", value(&input["value"])));
        }
    }
    for object in test.inputs["objects"].as_array().into_iter().flatten() {
        let name = object["name"].as_str().unwrap_or("?");
        lines.push(format!("{name}[] = {}", value(&object["elements"])));
    }
    for stub in test.inputs["stubs"].as_array().into_iter().flatten() {
        let name = stub["function"].as_str().unwrap_or("?");
        lines.push(format!("{name}() returns {}", value(&stub["result"])));
    }
    lines
}

/// A value of suite.json as a person writes it.
fn value(json: &serde_json::Value) -> String {
    use serde_json::Value;
    match json {
        Value::Null => "null".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            format!("{{{}}}", items.iter().map(value).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) => {
            if let Some(decimal) = map.get("decimal").and_then(Value::as_str) {
                return decimal.to_owned();
            }
            if let Some(object) = map.get("object") {
                return format!("pointer to object {object} + {}", map["offset"]);
            }
            let fields = map.iter().map(|(name, field)| format!(".{name} = {}", value(field)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Bool(_) | Value::Number(_) => json.to_string(),
    }
}

fn unknown(out: &mut String, goal: &Goal) {
    out.push_str("UNKNOWN: neither a test nor a proof was found.\n");
    let Some(reason) = &goal.reason else { return };
    let _ = writeln!(out, "Why: {} ({}).", reason.text.trim_end(), reason.code);
    out.push_str(match reason.code.as_str() {
        "budget" => {
            "Try a larger --max-paths or --timeout, or narrow the inputs with a contract.\n"
        }
        "unsupported" => {
            "This is a limit of glassbox. A stub or a contract in glassbox.toml may go around it.\n"
        }
        "disagreement" => {
            "The real program contradicts us: this is a bug in glassbox, please report it.\n"
        }
        "undefined-behavior" => {
            "Tests with undefined behavior are not kept; `glassbox check` shows the error itself.\n"
        }
        _ => "",
    });
}

fn refutations(out: &mut String, data: &SuiteData, function: &Function, goal: &Goal) {
    let known: Vec<&Refutation> =
        goal.refutations.iter().filter_map(|&index| function.refutations.get(index)).collect();
    if known.is_empty() {
        return;
    }
    let text = function.file.as_deref().and_then(|file| data.source(file));
    let _ = writeln!(out, "Ways that lead there and why each is closed ({} shown):", known.len());
    for refutation in known {
        way(out, text, function, refutation);
    }
}

/// Lines before the goal that are told, nearest last.
const MAX_INVARIANTS: usize = 8;

/// What is known on the lines up to the goal; told where some proof of the function rests on it.
fn invariants(out: &mut String, data: &SuiteData, function: &Function, goal: &Goal) {
    let known: Vec<_> =
        function.invariants.iter().filter(|known| known.line <= goal.line).collect();
    if known.is_empty() {
        return;
    }
    let text = function.file.as_deref().and_then(|file| data.source(file));
    out.push_str("What holds at code on the lines before it, for every input:\n");
    for known in &known[known.len().saturating_sub(MAX_INVARIANTS)..] {
        let mut shown = String::new();
        source_line(&mut shown, text.unwrap_or_default(), known.line);
        let _ = writeln!(out, "{}    {}", shown, known.text);
    }
}

fn way(out: &mut String, text: Option<&str>, function: &Function, refutation: &Refutation) {
    let (block, edge) = refutation.edge;
    if let Some(block) = function.graph.blocks.get(block) {
        let line = block.lines.last().copied().unwrap_or_default();
        let label = block.edges.get(edge as usize).and_then(|edge| edge.label.as_deref());
        let what = block.text.as_deref().unwrap_or(&block.kind);
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
