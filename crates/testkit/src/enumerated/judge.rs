//! Verdicts of a suite against what all runs show.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::truth::{Runs, Truth};
use super::{Batch, Place};

/// What is said wrongly, and how much was compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Comparison {
    pub(super) complaints: Vec<String>,
    /// By verdict: how often it is given.
    pub(super) verdicts: BTreeMap<String, usize>,
    /// Goals that no probe stands for.
    pub(super) n_without_probe: usize,
}

/// One goal or property as a suite says it.
struct Said<'a> {
    function: &'a str,
    id: &'a str,
    kind: &'a str,
    verdict: &'a str,
    line: usize,
    column: usize,
    bounds: Vec<&'a str>,
    text: &'a str,
}

impl Said<'_> {
    /// Whether it says that something never happens, for inputs as the compiled program tries them.
    fn is_never(&self) -> bool {
        match self.verdict {
            "infeasible" | "holds" | "unreachable" => true,
            "infeasible-within" | "holds-within" | "unreachable-within" => {
                self.bounds.iter().all(|bound| {
                    ["tatic variables", "allocation", "length of memory", "tatic fields"]
                        .iter()
                        .any(|known| bound.contains(known))
                })
            }
            _ => false,
        }
    }

    /// The last part of its name: a value, a case, a kind.
    fn way(&self) -> &str {
        match self.kind {
            "branch" | "exception" => self.id.rsplit('/').next().unwrap_or_default(),
            kind => kind,
        }
    }

    /// Whether it says that something happens that runs would show: exceptions that are caught leave no trace.
    fn is_witnessed(&self) -> bool {
        matches!(self.verdict, "covered" | "violated") && self.kind != "exception"
    }
}

/// Compares the verdicts of one suite with the truth.
pub(super) fn compare(batch: &Batch, truth: &Truth, suite: &Value) -> Comparison {
    let mut comparison = Comparison::default();
    let none = Vec::new();
    let mut said = Vec::new();
    for function in suite["functions"].as_array().unwrap_or(&none) {
        // Names of methods have the class before them and the descriptor behind.
        let name = function["name"].as_str().unwrap_or_default();
        let name =
            name.split('(').next().and_then(|name| name.rsplit('.').next()).unwrap_or_default();
        let number_of =
            |name: &str| name.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned();
        for goal in function["goals"].as_array().unwrap_or(&none) {
            // Functions that another function takes the address of are in the scope of all.
            let owner =
                goal["id"].as_str().and_then(|id| id.split(['/', '(']).next()).unwrap_or_default();
            if number_of(owner) != number_of(name) {
                continue;
            }
            let text = |key: &str| goal[key].as_str().unwrap_or_default();
            let number = |key: &str| usize::try_from(goal[key].as_u64().unwrap_or(0)).unwrap_or(0);
            said.push(Said {
                function: name,
                id: text("id"),
                kind: text("kind"),
                verdict: text("verdict"),
                line: number("line"),
                column: number("column"),
                bounds: goal["bounds"]
                    .as_array()
                    .unwrap_or(&none)
                    .iter()
                    .filter_map(Value::as_str)
                    .collect(),
                text: text("text"),
            });
        }
    }
    let complete: BTreeSet<&str> = batch
        .functions
        .iter()
        .filter(|function| function.is_complete && !has_more_runs(suite, &function.name))
        .map(|function| function.name.as_str())
        .collect();
    for one in &said {
        *comparison.verdicts.entry(one.verdict.to_owned()).or_default() += 1;
        let (Some(happens), Some(is_certain)) =
            (happens(batch, truth, one, Runs::All), happens(batch, truth, one, Runs::Defined))
        else {
            comparison.n_without_probe += 1;
            continue;
        };
        // Of several operations in one line some may be fine.
        let is_never = || {
            let key = |said: &Said| (said.function.to_owned(), said.way().to_owned(), said.line);
            said.iter().filter(|other| key(other) == key(one)).all(Said::is_never)
        };
        // Compilers of Java copy what stands in `finally`.
        let is_alone = one.kind == "branch" || (one.kind == "assertion" && !batch.is_java);
        let wrong = if one.is_never() && is_certain {
            is_alone || is_never()
        } else {
            one.is_witnessed() && !happens && complete.contains(one.function)
        };
        if wrong {
            let happens = if happens { "happens" } else { "never happens" };
            comparison.complaints.push(format!(
                "{}: {}:{}: {} ({}): {} {:?}, and it {happens}",
                one.function, one.line, one.column, one.text, one.id, one.verdict, one.bounds
            ));
        }
    }
    comparison
}

/// What leaves a method of Java where a property of this kind fails.
fn exception_of(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "assertion" => "AssertionError",
        "division-by-zero" => "ArithmeticException",
        "null-dereference" => "NullPointerException",
        "out-of-bounds" => "ArrayIndexOutOfBoundsException",
        "negative-array-size" => "NegativeArraySizeException",
        "class-cast" => "ClassCastException",
        "array-store" => "ArrayStoreException",
        "uncaught-exception" => "library",
        _ => return None,
    })
}

/// Whether some run does what a goal or property is about: `None` where no probe tells.
fn happens(batch: &Batch, truth: &Truth, said: &Said, which: Runs) -> Option<bool> {
    if batch.is_java
        && let Some(exception) = exception_of(said.kind)
    {
        // The message of an assertion may stand in the line below it.
        let has = |line: usize| truth.is_undefined(line, exception);
        return Some(has(said.line) || (said.kind == "assertion" && has(said.line + 1)));
    }
    match said.kind {
        "assertion" => return Some(truth.fails(said.line)),
        "statement" => {
            let probe = batch.places.iter().find(|place| place.line == said.line)?.probe;
            return Some(truth.has_value(probe, true, which));
        }
        "exception" => return Some(truth.is_undefined(said.line, said.way())),
        "branch" => {}
        kind => return Truth::knows(kind).then(|| truth.is_undefined(said.line, kind)),
    }
    let way = said.way();
    let case: Option<u32> = way.strip_prefix("case ").and_then(|case| case.parse().ok());
    let is_here = |place: &&Place| {
        (place.line, place.column, place.is_label) == (said.line, said.column, case.is_some())
    };
    let probe = batch.places.iter().find(is_here)?.probe;
    match (case, way) {
        (Some(case), _) => Some(truth.selected(probe, which) >> case & 1 != 0),
        (None, "true") => Some(truth.has_value(probe, true, which)),
        (None, "false") => Some(truth.has_value(probe, false, which)),
        (None, "default") => Some(truth.selected(probe, which) & !batch.cases_of(probe) != 0),
        _ => None,
    }
}

/// Whether tests do what no run of the compiled program does: they call the function several times, so that static
/// variables have values that no first call finds, or make allocations fail.
fn has_more_runs(suite: &Value, function: &str) -> bool {
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let functions = list(suite, "functions").into_iter().filter(|it| it["name"] == function);
    let mut inputs = functions.flat_map(|it| list(&it, "tests")).map(|test| test["inputs"].clone());
    inputs.any(|input| {
        let names = list(&input, "params").into_iter();
        let mut names = names.filter_map(|param| param["name"].as_str().map(str::to_owned));
        !list(&input, "failing_allocations").is_empty()
            || names.any(|name| name.contains(" of call "))
    })
}
