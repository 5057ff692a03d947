//! Two suites compared: what is reached, proved and shown now, and was not before.
//!
//! Goals are the same where function, kind and words are, and they come in the same order among those; lines may move. A run
//! of the old suite and one of the new with the same input show what the program does with it then and now: runs are tests,
//! and what a function that has changed does with the inputs of tests that were there before.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::data::test::{Ending, Expected, Inputs, Made};
use crate::data::{Function, Goal, Outcome, SuiteData, Value, literal};
use crate::input_lines::lines;
use crate::same_run::is_same;
use crate::sarif::{Run, artifact};
use crate::xml::escape;

/// What is different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub kind: Kind,
    pub function: String,
    pub file: Option<String>,
    /// In the new version, or in the old where it is gone.
    pub line: u32,
    pub text: String,
    /// An input that shows it.
    pub input: Vec<String>,
}

/// Kinds of changes, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A property fails that did not.
    Violated,
    /// Something was proved and is not any more.
    ProofBroken,
    /// The program does something else with an input.
    Behavior,
    /// A goal was reached and is proved unreachable now.
    Unreachable,
    /// A goal was reached and is undecided now.
    NotReached,
    /// A goal or a function is gone.
    Gone,
    /// A goal or a function is new.
    New,
    /// A goal is reached, or proved unreachable, that was undecided.
    Decided,
    /// A property holds that failed.
    Fixed,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::Violated,
        Kind::ProofBroken,
        Kind::Behavior,
        Kind::Unreachable,
        Kind::NotReached,
        Kind::Gone,
        Kind::New,
        Kind::Decided,
        Kind::Fixed,
    ];

    /// As rules and classes are called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Violated => "violated",
            Kind::ProofBroken => "proof-broken",
            Kind::Behavior => "behavior-changed",
            Kind::Unreachable => "newly-unreachable",
            Kind::NotReached => "not-reached",
            Kind::Gone => "gone",
            Kind::New => "new",
            Kind::Decided => "decided",
            Kind::Fixed => "fixed",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Violated => "Violated now",
            Kind::ProofBroken => "No longer proved",
            Kind::Behavior => "Behaves differently",
            Kind::Unreachable => "Unreachable now",
            Kind::NotReached => "No longer reached",
            Kind::Gone => "Gone",
            Kind::New => "New",
            Kind::Decided => "Decided now",
            Kind::Fixed => "Violated before",
        }
    }

    /// Whether somebody should look at it.
    pub fn is_grave(self) -> bool {
        self <= Kind::Behavior
    }
}

/// What is different between two suites, the gravest first, then in the order of the new suite.
pub fn diff(old: &SuiteData, new: &SuiteData) -> Vec<Change> {
    let mut changes = Vec::new();
    for function in &new.functions {
        match counterpart(function, new, old) {
            Some(before) => compare(before, function, &mut changes),
            None => changes.push(of_function(function, Kind::New, "the function is new")),
        }
    }
    for function in &old.functions {
        if counterpart(function, old, new).is_none() {
            changes.push(of_function(function, Kind::Gone, "the function is gone"));
        }
    }
    changes.sort_by_key(|change| change.kind);
    changes
}

/// The function of the same name and file, or the only one of this name where it has moved.
fn counterpart<'a>(
    function: &Function,
    own: &SuiteData,
    other: &'a SuiteData,
) -> Option<&'a Function> {
    let is_named = |it: &&Function| it.name == function.name;
    let is_it = |it: &&Function| is_named(it) && it.file == function.file;
    other.functions.iter().find(is_it).or_else(|| {
        let is_alone = own.functions.iter().filter(is_named).count() == 1;
        let mut named = other.functions.iter().filter(is_named);
        named.next().filter(|_| is_alone && named.next().is_none())
    })
}

fn of_function(function: &Function, kind: Kind, text: &str) -> Change {
    Change {
        kind,
        function: function.title().to_owned(),
        file: function.file.clone(),
        line: function.line,
        text: text.to_owned(),
        input: Vec::new(),
    }
}

fn compare(old: &Function, new: &Function, changes: &mut Vec<Change>) {
    let (before, after) = (numbered(old), numbered(new));
    let mut add = |kind: Kind, function: &Function, goal: &Goal, text: String| {
        let shown = goal.outcome.test().and_then(|test| function.test(test));
        changes.push(Change {
            kind,
            function: function.title().to_owned(),
            file: goal.file.clone().or_else(|| function.file.clone()),
            line: goal.line,
            text: format!("{}: {text}", goal.text),
            input: shown.map(|test| lines(&test.inputs)).unwrap_or_default(),
        });
    };
    for (key, goal) in &after {
        match before.get(key) {
            Some(known) => {
                if let Some((kind, text)) = verdict_change(&known.outcome, &goal.outcome) {
                    add(kind, new, goal, text);
                }
            }
            None => {
                let kind = match goal.outcome {
                    Outcome::Violated { .. } => Kind::Violated,
                    Outcome::Covered { .. }
                    | Outcome::Infeasible { .. }
                    | Outcome::InfeasibleWithin { .. }
                    | Outcome::Unknown { .. }
                    | Outcome::Holds { .. }
                    | Outcome::HoldsWithin { .. } => Kind::New,
                };
                add(kind, new, goal, format!("new, {}", goal.outcome.name()));
            }
        }
    }
    for (key, goal) in &before {
        if !after.contains_key(key) {
            add(Kind::Gone, old, goal, format!("gone, was {}", goal.outcome.name()));
        }
    }
    behavior(old, new, changes);
}

/// Goals by what they ask and the how-manieth of those they are.
fn numbered(function: &Function) -> BTreeMap<(String, String, usize), &Goal> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut all = BTreeMap::new();
    for goal in &function.goals {
        let kind = goal.kind.to_string();
        let number = counts.entry((kind.clone(), goal.text.clone())).or_default();
        all.insert((kind, goal.text.clone(), *number), goal);
        *number += 1;
    }
    all
}

/// How much a verdict says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Reached,
    Proved,
    Within,
    Open,
    Failed,
}

fn standing(outcome: &Outcome) -> Standing {
    match outcome {
        Outcome::Covered { .. } => Standing::Reached,
        Outcome::Infeasible { .. } | Outcome::Holds { .. } => Standing::Proved,
        Outcome::InfeasibleWithin { .. } | Outcome::HoldsWithin { .. } => Standing::Within,
        Outcome::Unknown { .. } => Standing::Open,
        Outcome::Violated { .. } => Standing::Failed,
    }
}

fn verdict_change(old: &Outcome, new: &Outcome) -> Option<(Kind, String)> {
    use Standing::{Failed, Open, Proved, Reached, Within};
    let kind = match (standing(old), standing(new)) {
        (Reached, Reached)
        | (Proved, Proved)
        | (Within, Within)
        | (Open, Open)
        | (Failed, Failed) => {
            return None;
        }
        (Reached | Proved | Within | Open, Failed) => Kind::Violated,
        (Proved, Reached | Within | Open) | (Within, Reached | Open) => Kind::ProofBroken,
        (Reached, Proved | Within) => Kind::Unreachable,
        (Reached, Open) => Kind::NotReached,
        (Open, Reached | Proved | Within) | (Within, Proved) => Kind::Decided,
        (Failed, Reached | Proved | Within | Open) => Kind::Fixed,
    };
    Some((kind, format!("was {}, is {}", old.name(), new.name())))
}

/// Inputs that both suites have, and what the program does with them.
fn behavior(old: &Function, new: &Function, changes: &mut Vec<Change>) {
    for run in runs(new) {
        let before = runs(old).find(|known| (known.0, known.1) == (run.0, run.1));
        if let Some(text) = before.and_then(|before| other_words(before.2, run.2)) {
            let input = lines(run.1);
            changes.push(Change { input, ..of_function(new, Kind::Behavior, &text) });
        }
    }
}

/// What calls the function, where it is not called itself, its inputs, and what it does with them.
fn runs(function: &Function) -> impl Iterator<Item = (Option<&str>, &Inputs, &Expected)> {
    let tests = function.tests.iter();
    let tests = tests.map(|test| (test.through.as_deref(), &test.inputs, &test.expected));
    tests.chain(function.earlier.iter().map(|run| (None, &run.inputs, &run.expected)))
}

/// What a run did and does now; nothing where it is the same or was not followed to its end.
pub fn other_words(before: &Expected, now: &Expected) -> Option<String> {
    if is_same(before, now) || !before.ending.is_known() || !now.ending.is_known() {
        return None;
    }
    let (was, is) = (words(before), words(now));
    Some(match was == is {
        true => format!("leaves something else behind; {is}"),
        false => format!("{was} before, {is} now"),
    })
}

/// What a run does, for people.
pub fn words(expected: &Expected) -> String {
    let ending = match &expected.ending {
        Ending::Returned => match &expected.result {
            Some(result) => format!("returns {}", value(result)),
            None => "returns".to_owned(),
        },
        Ending::Exited(code) => format!("exits with {code}"),
        Ending::Aborted => "aborts".to_owned(),
        Ending::Failed(kind) => format!("fails ({kind})"),
        Ending::Rejected => "is left out".to_owned(),
        Ending::Thrown(class) => format!("throws {class}"),
        Ending::Stopped => "does not end".to_owned(),
        Ending::Unsupported(what) => format!("is not understood ({what})"),
    };
    let globals = expected.changed_globals.iter();
    let mut more: Vec<String> =
        globals.map(|it| format!("{} = {}", it.name, value(&it.value))).collect();
    let objects = expected.changed_objects.iter();
    more.extend(objects.map(|it| {
        let elements: Vec<String> = it.elements.iter().map(value).collect();
        format!("{} = {{{}}}", it.name, elements.join(", "))
    }));
    let numbered = expected.made.iter().zip(1..);
    more.extend(
        numbered
            .filter(|(piece, _)| !piece.elements.is_empty())
            .map(|(piece, number)| format!("memory {number} = {}", contents(piece))),
    );
    if !expected.stdout.is_empty() {
        more.push(format!("prints {:?}", String::from_utf8_lossy(&expected.stdout)));
    }
    if more.is_empty() { ending } else { format!("{ending} with {}", more.join(", ")) }
}

/// Memory that a run made.
fn contents(piece: &Made) -> String {
    if piece.class.as_deref() == Some(Made::TEXT) {
        let units = piece.elements.iter().filter_map(|unit| unit.scalar()?.parse().ok());
        return format!("{:?}", String::from_utf16_lossy(&units.collect::<Vec<u16>>()));
    }
    let mut elements: Vec<String> = piece.elements.iter().map(value).collect();
    if piece.length > elements.len() as u64 {
        elements.push("…".to_owned());
    }
    format!("{{{}}}", elements.join(", "))
}

fn value(it: &Value) -> String {
    match it {
        Value::Float { decimal, .. } => decimal.clone(),
        Value::Global { global, offset: 0 } if literal::is_text(global) => global.clone(),
        Value::Global { global, offset } if literal::is_text(global) => {
            format!("{global} + {offset}")
        }
        Value::Bytes { bytes } if matches!(bytes.len(), 4 | 8) => "an address".to_owned(),
        Value::Pointer { pointer } => pointer.clone(),
        Value::Made { made, offset: 0 } => format!("memory {}", made + 1),
        Value::Made { made, offset } => format!("memory {} + {offset}", made + 1),
        Value::Bytes { .. } => SOMETHING.to_owned(),
        Value::List(parts) => list(parts),
        Value::Union { member: Some(name), value: shown, .. } => {
            format!("{{.{name} = {}}}", value(shown))
        }
        Value::Record(members) => {
            let is_java = it.java_members().is_some();
            let shown = members.iter().filter(|(name, _)| !is_java || Value::is_java_field(name));
            let shown = shown.map(|(name, part)| format!(".{name} = {}", value(part)));
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Value::Null
        | Value::Number(_)
        | Value::Object { .. }
        | Value::Global { .. }
        | Value::Function { .. }
        | Value::Int { .. }
        | Value::Union { .. } => match it.scalar() {
            Some(number) => number.to_owned(),
            None => serde_json::to_string(it).unwrap_or_default(),
        },
    }
}

fn list(parts: &[Value]) -> String {
    let shown: Vec<String> = parts.iter().map(value).collect();
    let is_nothing = !shown.is_empty() && shown.iter().all(|part| part == SOMETHING);
    if is_nothing { SOMETHING.to_owned() } else { format!("{{{}}}", shown.join(", ")) }
}

/// What there are no words for.
const SOMETHING: &str = "something";

fn place(change: &Change) -> String {
    format!("{}:{}", change.file.as_deref().unwrap_or("?"), change.line)
}

/// For terminals: a heading for each kind.
pub fn text(changes: &[Change]) -> String {
    let mut text = String::new();
    for kind in Kind::ALL {
        let own: Vec<&Change> = changes.iter().filter(|change| change.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        // Writing to a text does not fail.
        let _ = writeln!(text, "{} ({})", kind.title(), own.len());
        for change in own {
            let _ = writeln!(text, "  {}: {}: {}", place(change), change.function, change.text);
            if !change.input.is_empty() {
                let _ = writeln!(text, "    with {}", change.input.join(", "));
            }
        }
    }
    text
}

/// A page of its own.
pub fn html(changes: &[Change]) -> String {
    let mut sections = String::new();
    for kind in Kind::ALL {
        let own: Vec<&Change> = changes.iter().filter(|change| change.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        let tone = match kind {
            Kind::Violated | Kind::ProofBroken | Kind::Behavior => "violated",
            Kind::Unreachable | Kind::NotReached | Kind::Gone => "unknown",
            Kind::New | Kind::Decided | Kind::Fixed => "covered",
        };
        let _ = writeln!(
            sections,
            "<h2>{} ({})</h2>\n<ul class=\"attention\">",
            kind.title(),
            own.len()
        );
        for change in own {
            let input = match change.input.as_slice() {
                [] => String::new(),
                input => format!(
                    "<span class=\"why\">with <code>{}</code></span>",
                    escape(&input.join(", "))
                ),
            };
            let _ = writeln!(
                sections,
                "<li class=\"{tone}\"><div class=\"what\">{}<span class=\"note\"> <code>{}</code>, {}</span>{input}</div></li>",
                escape(&change.text),
                escape(&change.function),
                escape(&place(change)),
            );
        }
        sections.push_str("</ul>\n");
    }
    if changes.is_empty() {
        sections.push_str("<p class=\"verdict good\"><b>Nothing is different.</b></p>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Two suites compared</title>\n<style>\n{}</style>\n</head>\n\
         <body>\n<header><h1 class=\"brand\">Two suites compared</h1></header>\n<main>\n{sections}</main>\n</body>\n</html>\n",
        crate::html::STYLE
    )
}

/// SARIF 2.1.0. `root` is the folder that paths are relative to, as a file URI ending in a slash.
pub fn sarif(changes: &[Change], version: &str, root: &str) -> Json {
    let level = |kind: Kind| if kind.is_grave() { "warning" } else { "note" };
    let rule = |kind: &Kind| {
        json!({
            "id": kind.name(),
            "shortDescription": { "text": kind.title() },
            "fullDescription": { "text": format!("{}.", kind.title()) },
            "help": { "text": "`glassbox diff OLD NEW` prints it with its input." },
            "defaultConfiguration": { "level": level(*kind) },
        })
    };
    let result = |change: &Change| {
        let with = if change.input.is_empty() {
            String::new()
        } else {
            format!(" with {}", change.input.join(", "))
        };
        json!({
            "ruleId": change.kind.name(),
            "ruleIndex": Kind::ALL.iter().position(|kind| *kind == change.kind),
            "level": level(change.kind),
            "message": { "text": format!("{}: {}{with}", change.function, change.text) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": artifact(root, change.file.as_deref().unwrap_or("?")),
                "region": { "startLine": change.line.max(1) },
            } }],
        })
    };
    let rules = Kind::ALL.iter().map(rule).collect();
    let results = changes.iter().map(result).collect();
    Run { command: "diff", version, root, rules, results }.log()
}

#[cfg(test)]
mod tests {
    use super::{Change, Kind, diff, html, sarif, text};
    use crate::data::test::{ChangedGlobal, Ending, Inputs, Named, Rerun};
    use crate::data::{Function, Goal, Outcome, Reason, SuiteData, Test, Value};

    fn goal(text: &str, line: u32, outcome: Outcome) -> Goal {
        Goal { text: text.to_owned(), line, outcome, ..Goal::default() }
    }

    fn test(id: &str, input: &str, result: &str) -> Test {
        let value = Value::Number(input.to_owned());
        let param = Named { name: "x".to_owned(), type_name: "int".to_owned(), value };
        let mut test = Test { id: id.to_owned(), ..Test::default() };
        test.inputs = Inputs { params: vec![param], ..Inputs::default() };
        test.expected.result = Some(Value::Number(result.to_owned()));
        test
    }

    fn suite(goals: Vec<Goal>, tests: Vec<Test>) -> SuiteData {
        let file = Some("a.c".to_owned());
        let function =
            Function { name: "f".to_owned(), file, line: 3, goals, tests, ..Function::default() };
        SuiteData { format: 1, functions: vec![function], ..SuiteData::default() }
    }

    fn proved() -> Outcome {
        Outcome::Infeasible { method: None, proof: String::new() }
    }

    fn covered() -> Outcome {
        Outcome::Covered { test: Some("t".to_owned()) }
    }

    #[test]
    fn lines_that_move_are_no_change() {
        let old = suite(vec![goal("x > 0 is true", 3, covered())], vec![test("t", "1", "2")]);
        let new = suite(vec![goal("x > 0 is true", 9, covered())], vec![test("t", "1", "2")]);
        assert_eq!(diff(&old, &new), []);
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn every_kind_of_change_is_named() {
        let open = || Outcome::Unknown { reason: Reason::default() };
        let cases = [
            (covered(), proved(), Kind::Unreachable),
            (covered(), open(), Kind::NotReached),
            (proved(), covered(), Kind::ProofBroken),
            (proved(), open(), Kind::ProofBroken),
            (proved(), Outcome::InfeasibleWithin { bounds: Vec::new() }, Kind::ProofBroken),
            (open(), covered(), Kind::Decided),
            (proved(), Outcome::Violated { test: None }, Kind::Violated),
            (Outcome::Violated { test: None }, proved(), Kind::Fixed),
        ];
        for (before, after, kind) in cases {
            let (old, new) = (
                suite(vec![goal("g", 3, before)], vec![]),
                suite(vec![goal("g", 3, after)], vec![]),
            );
            let changes = diff(&old, &new);
            assert_eq!(changes.iter().map(|change| change.kind).collect::<Vec<_>>(), [kind]);
        }
        let (none, one) = (suite(vec![], vec![]), suite(vec![goal("g", 3, covered())], vec![]));
        assert_eq!(diff(&none, &one)[0].kind, Kind::New);
        assert_eq!(diff(&one, &none)[0].kind, Kind::Gone);
        let nothing = SuiteData::default();
        assert_eq!(diff(&nothing, &one)[0].text, "the function is new");
        assert_eq!(diff(&one, &nothing)[0].text, "the function is gone");
    }

    #[test]
    fn what_the_program_does_with_the_same_input_is_compared() {
        let old = suite(vec![], vec![test("a", "1", "2"), test("b", "5", "6")]);
        let new = suite(vec![], vec![test("c", "5", "7"), test("d", "1", "2")]);
        let changes = diff(&old, &new);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].text, "returns 6 before, returns 7 now");
        assert!(changes[0].input.iter().any(|line| line.contains('5')), "{changes:?}");
        assert!(text(&changes).starts_with("Behaves differently (1)\n  a.c:3: f: "));
        assert!(html(&changes).contains("returns 6 before"));
        let log = sarif(&changes, "0", "file:///x/");
        assert_eq!(log["runs"][0]["results"][0]["ruleId"], "behavior-changed");
    }

    #[test]
    fn memory_that_the_program_makes_may_lie_elsewhere() {
        let with = |value: Value| {
            let mut test = test("a", "1", "2");
            test.expected.result = Some(Value::List(vec![value]));
            suite(vec![], vec![test])
        };
        let at = |byte: u8| Value::Bytes { bytes: vec![byte, 0, 0, 64, 88, 0, 0, 0] };
        let nothing = || Value::Bytes { bytes: Vec::new() };
        let number = || Value::Number("3".to_owned());
        for same in [[at(1), at(2)], [at(1), number()], [nothing(), number()]] {
            let [one, other] = same.map(with);
            assert_eq!(diff(&one, &other), []);
            assert_eq!(diff(&other, &one), []);
        }
        let changes = diff(&with(at(1)), &with(Value::Null));
        assert_eq!(changes.len(), 1);
    }

    #[test]
    fn the_order_of_declarations_is_no_behavior() {
        let number = |text: &str| Value::Number(text.to_owned());
        let with = |globals: &[(&str, &str)], members: &[(&str, &str)]| {
            let mut test = test("a", "1", "2");
            let named = members.iter().map(|(name, text)| ((*name).to_owned(), number(text)));
            test.expected.result = Some(Value::Record(named.collect()));
            let changed = globals.iter().map(|(name, text)| ChangedGlobal {
                name: (*name).to_owned(),
                value: number(text),
            });
            test.expected.changed_globals = changed.collect();
            suite(vec![], vec![test])
        };
        let (globals, members) = ([("a", "1"), ("b", "2")], [("p", "3"), ("q", "4")]);
        let one = with(&globals, &members);
        let turned = with(&[globals[1], globals[0]], &[members[1], members[0]]);
        assert_eq!(diff(&one, &turned), []);
        for other in [
            with(&[("b", "1"), ("a", "2")], &members),
            with(&globals, &[("q", "3"), ("p", "4")]),
            with(&globals[..1], &members),
            with(&globals, &[members[0], ("r", "4")]),
        ] {
            assert_eq!(diff(&one, &other).len(), 1);
            assert_eq!(diff(&other, &one).len(), 1);
        }
    }

    #[test]
    fn literals_are_compared_by_their_text() {
        let with = |global: &str, offset: u64| {
            let mut test = test("a", "1", "2");
            test.expected.result = Some(Value::Global { global: global.to_owned(), offset });
            suite(vec![], vec![test])
        };
        // Where no text is known, nothing is said.
        for (one, other) in [
            (with("\"small\"", 2), with("\"all\"", 0)),
            (with(".str1", 0), with(".str2", 0)),
            (with(".str1", 0), with("\"all\"", 0)),
        ] {
            assert_eq!(diff(&one, &other), []);
            assert_eq!(diff(&other, &one), []);
        }
        let changes = diff(&with("\"one\"", 0), &with("\"two\"", 1));
        assert_eq!(changes[0].text, "returns \"one\" before, returns \"two\" + 1 now");
        assert_eq!(diff(&with(".str1", 0), &with("g", 0)).len(), 1);
    }

    #[test]
    fn a_null_where_there_is_nothing_is_no_change() {
        let with = |result: Option<Value>| {
            let mut test = test("a", "1", "2");
            test.expected.result = result;
            suite(vec![], vec![test])
        };
        assert_eq!(diff(&with(None), &with(Some(Value::Null))), []);
        assert_eq!(diff(&with(Some(Value::Null)), &with(None)), []);
    }

    #[test]
    fn runs_that_are_no_tests_are_compared() {
        let rerun = |input: &str, result: &str| {
            let Test { inputs, expected, .. } = test("", input, result);
            Rerun { inputs, expected }
        };
        let old = suite(vec![], vec![test("a", "1", "2"), test("b", "5", "6")]);
        let mut new = suite(vec![], vec![test("c", "8", "0")]);
        new.functions[0].earlier = vec![rerun("1", "2"), rerun("5", "7")];
        let texts = |changes: Vec<Change>| -> Vec<String> {
            changes.into_iter().map(|change| change.text).collect()
        };
        assert_eq!(texts(diff(&old, &new)), ["returns 6 before, returns 7 now"]);
        assert_eq!(texts(diff(&new, &old)), ["returns 7 before, returns 6 now"]);
        // What was not followed to its end says nothing.
        new.functions[0].earlier[1].expected.ending = Ending::Stopped;
        assert_eq!(texts(diff(&old, &new)), [""; 0]);
        // Another function was called with this input.
        let mut other = suite(vec![], vec![test("a", "1", "3")]);
        other.functions[0].tests[0].through = Some("g".to_owned());
        assert_eq!(texts(diff(&old, &other)), [""; 0]);
    }
}
