//! The criteria, one per file.

mod assertion;
mod boundary;
mod branch;
mod condition;
mod decision;
mod def_use;
mod exception;
mod instruction;
mod mcdc;
mod mutation;
mod path;
mod rule;
mod statement;
mod weak_mutation;

use glassbox_ir::{
    Body, Decision, DecisionId, DecisionKind, FuncId, Instr, InstrKind, Mark, Program, Span,
    SwitchCase,
};

use crate::comparison::text_at;
use crate::facts::Site;
use crate::goal::{Goal, McdcFlavor, Target};

/// Turns functions into goals.
pub trait Criterion: std::fmt::Debug + Sync {
    /// As written on the command line and in goal ids.
    fn name(&self) -> &'static str;

    /// Makes goals visible in the control flow of a function that is defined, without changing what it
    /// does. Called for all criteria before any goal is made. Most need nothing.
    fn prepare(&self, _program: &mut Program, _function: FuncId) {}

    /// Whether mutants have to be part of the program. Most need none.
    fn asks_for_mutants(&self) -> bool {
        false
    }

    /// Adds the goals of a function that is defined.
    fn add_goals(&self, goals: &mut Goals<'_>);

    /// The goals of a function that is defined, in source order.
    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals { criterion: self.name(), program, function, goals: Vec::new() };
        self.add_goals(&mut goals);
        goals.goals.sort_by_key(|goal| (goal.span.line, goal.span.column));
        goals.goals
    }
}

/// The most branches that `path:K` asks for in a row.
pub const LONGEST_PATH: usize = 8;

/// The criterion of this name: `branch`, `mcdc`, `path:3`, …
pub fn by_name(name: &str) -> Option<Box<dyn Criterion>> {
    if let Some(length) = name.strip_prefix("path:") {
        let length: usize =
            length.parse().ok().filter(|length| (1..=LONGEST_PATH).contains(length))?;
        return Some(Box::new(path::Path { length }));
    }
    let row = TABLE.iter().find(|row| row.name == name || row.other == Some(name))?;
    Some((row.make)())
}

/// A criterion without a parameter.
struct Row {
    name: &'static str,
    /// Another name, which messages do not mention.
    other: Option<&'static str>,
    make: fn() -> Box<dyn Criterion>,
}

const fn row(name: &'static str, make: fn() -> Box<dyn Criterion>) -> Row {
    Row { name, other: None, make }
}

const TABLE: &[Row] = &[
    row("statement", || Box::new(statement::Statement)),
    row("instruction", || Box::new(instruction::Instruction)),
    row("branch", || Box::new(branch::Branch)),
    row("decision", || Box::new(decision::Decision)),
    row("condition", || Box::new(condition::Condition)),
    Row {
        name: "mcdc",
        other: Some("mcdc:masking"),
        make: || Box::new(mcdc::Mcdc { flavor: McdcFlavor::Masking }),
    },
    row("mcdc:unique-cause", || Box::new(mcdc::Mcdc { flavor: McdcFlavor::UniqueCause })),
    row("def-use", || Box::new(def_use::DefUse)),
    Row { name: "exception", other: Some("throw"), make: || Box::new(exception::Exception) },
    row("boundary", || Box::new(boundary::Boundary)),
    row("assert", || Box::new(assertion::Assertion)),
    row("mutation", || Box::new(mutation::Mutation)),
    row("mutation:weak", || Box::new(weak_mutation::WeakMutation)),
    row("rule", || Box::new(rule::Rule)),
];

/// Names that `by_name` knows, for messages.
pub fn names() -> Vec<&'static str> {
    TABLE.iter().map(|row| row.name).chain(["path:K"]).collect()
}

/// Collects goals and gives them ids.
#[derive(Debug)]
pub struct Goals<'a> {
    criterion: &'static str,
    program: &'a Program,
    function: FuncId,
    goals: Vec<Goal>,
}

impl<'a> Goals<'a> {
    fn body(&self) -> &'a Body {
        self.program.body(self.function)
    }

    /// Decisions of the source: not those about exceptions.
    fn decisions(&self) -> impl Iterator<Item = (DecisionId, &'a Decision)> + use<'a> {
        let all = self.body().decisions.iter().enumerate();
        let of_source = all.filter(|(_, decision)| decision.kind != DecisionKind::Throws);
        of_source.map(|(index, decision)| (DecisionId::new(index), decision))
    }

    /// For a function of C that has no goal: that it is called. MC/DC and decision coverage ask for every point of
    /// entry and exit (DO-178C, glossary), and a function without a decision has one of each.
    fn add_entry(&mut self) {
        if !self.goals.is_empty() || !self.program.language.asks_for_entries() {
            return;
        }
        let body = self.body();
        let is_statement = |(_, instr): &(Site, &Instr)| {
            matches!(instr.kind, InstrKind::Mark(Mark::Statement)) && !instr.span.is_nowhere()
        };
        let first = Site::all(body).find(is_statement);
        if let Some((site, instr)) = first {
            let text = "it is called".to_owned();
            self.add(instr.span, "entry", text, Target::Site(site));
        }
    }

    /// A case as the source writes it, `case 'n'`; by its number where the text is long.
    fn case_text(&self, case: &SwitchCase) -> String {
        let written = text_at(self.program, case.span).and_then(|text| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let label = text.get(..label_end(&text))?.trim_end();
            (label.starts_with("case ") && label.len() <= 40).then(|| label.to_owned())
        });
        written.unwrap_or_else(|| case.label())
    }

    /// Adds a goal. The id is function, criterion, place and `label`; a number follows where two goals
    /// would have the same.
    fn add(&mut self, span: Span, label: &str, text: String, target: Target) -> &mut Goal {
        let function = &self.program.function(self.function).name;
        let base = format!("{function}/{}/{}:{}/{label}", self.criterion, span.line, span.column);
        let mut id = base.clone();
        let mut number = 1;
        while self.goals.iter().any(|goal| goal.id == id) {
            number += 1;
            id = format!("{base}#{number}");
        }
        self.goals.push(Goal {
            id,
            criterion: self.criterion,
            function: self.function,
            span,
            text,
            target,
            relation: None,
        });
        self.goals.last_mut().expect("a goal was just added")
    }
}

/// Where the colon of a case is: not in quotes.
fn label_end(text: &str) -> usize {
    let mut is_quoted = false;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '\'' => is_quoted = !is_quoted,
            ':' if !is_quoted => return at,
            _ => {}
        }
    }
    text.len()
}

fn outcome_name(outcome: bool) -> &'static str {
    if outcome { "true" } else { "false" }
}
