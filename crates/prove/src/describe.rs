//! Invariants in the words of the source: ranges and linear relations that hold at each line.

use std::collections::BTreeMap;

use glassbox_invariants::Context;
use glassbox_ir::{FuncId, Program, SourceTypeId};
use glassbox_model::notation::notation;
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{Notation, TermId, Terms};
use glassbox_testcase::{Known, LineFacts};
use glassbox_whole::Event;
use glassbox_whole::facts::text::{name_of, range_in, sum_in};

use crate::model::Model;
use crate::prover::Prover;

impl Prover<'_> {
    /// What holds at the lines of the function under test. `None` when the function is too complicated.
    pub fn describe(&mut self) -> Option<Vec<LineFacts>> {
        let function = self.function();
        let options = self.options().clone();
        let program = self.program();
        let notation = |name: &str| notation_of(program, function, name);
        let model = self.model()?;
        let mut lines: BTreeMap<(u32, usize), LineFacts> = BTreeMap::new();
        for &node in &model.order.sequence {
            let span = model.graph.nodes[node].span;
            if model.graph.nodes[node].function != Some(function) {
                continue;
            }
            let Some(span) = span.filter(|span| !span.is_nowhere()) else { continue };
            let is_dead = !model.invariants.is_reached[node];
            let known = if is_dead {
                Known::Dead
            } else {
                Known::Facts(facts_at(model, node, &options, &notation))
            };
            lines.insert((span.line, node), LineFacts { line: span.line, known });
        }
        let mut lines: Vec<LineFacts> = lines.into_values().collect();
        lines.dedup();
        Some(lines)
    }
}

/// How the source writes the numbers of what has this name in the function; unknown where several things have it that
/// differ.
fn notation_of(program: &Program, function: FuncId, name: &str) -> Notation {
    let own = program.body(function).vars.iter();
    let mut types: Vec<SourceTypeId> =
        own.filter(|var| var.name == name).map(|var| var.source_type).collect();
    if types.is_empty() {
        let globals = program.globals.iter().filter(|global| global.name == name);
        types.extend(globals.map(|global| global.source_type));
    }
    let mut found = types.iter().map(|ty| notation(program, *ty));
    let Some(first) = found.next() else { return Notation::Unknown };
    if found.all(|other| other == first) { first } else { Notation::Unknown }
}

fn facts_at(
    model: &Model,
    node: usize,
    options: &crate::Options,
    notation: &dyn Fn(&str) -> Notation,
) -> Vec<String> {
    let graph = &model.graph;
    let terms = &graph.terms;
    let mut context = Context::new(graph, &options.invariants());
    let mut variables = Vec::new();
    let mut sums = Vec::new();
    for at in model.order.chain(node) {
        if let [(from, edge)] = graph.nodes[at].ways_in[..] {
            context.assume(graph.nodes[from].edges[edge].condition);
        }
        if let Some(state) = &model.invariants.states[at] {
            context.assume_state(state);
            sums.extend(state.sums());
        }
        variables.extend(graph.owned.get(&at).into_iter().flatten().copied());
        if at != node {
            for fact in graph.nodes[at].events.iter().filter_map(Event::after) {
                context.assume(fact);
            }
        }
    }
    context.settle();
    let mut facts = Vec::new();
    for (index, &variable) in variables.iter().enumerate() {
        let name = name_of(terms, variable);
        // Only the present value of a variable of the source is of interest.
        let is_old = variables[index + 1..].iter().any(|later| name_of(terms, *later) == name);
        if is_old || name.starts_with(['?', '%']) {
            continue;
        }
        if let Some(domain) = context.domain(variable) {
            facts.extend(range_in(notation(name), name, domain));
        }
    }
    let is_present = |variable: TermId| {
        let name = name_of(terms, variable);
        variables.iter().rev().find(|v| name_of(terms, **v) == name) == Some(&variable)
    };
    sums.retain(|sum| sum.terms.iter().all(|(variable, _, _)| is_present(*variable)));
    facts.extend(relations(terms, &context, &sums, notation));
    facts.dedup();
    facts
}

/// Constants beyond this come from the ends of types and mean nothing to a reader.
const MAX_CONSTANT: i128 = 1 << 30;

/// Relations that the ranges alone do not say; a sum bounded from both sides alike is an equality.
fn relations(
    terms: &Terms,
    context: &Context<'_>,
    sums: &[TermSum],
    notation: &dyn Fn(&str) -> Notation,
) -> Vec<String> {
    let mut found = Vec::new();
    for (index, sum) in sums.iter().enumerate() {
        let has_name =
            sum.terms.iter().all(|(v, _, _)| !name_of(terms, *v).starts_with(['?', '%']));
        if !has_name || sum.constant.abs() >= MAX_CONSTANT || is_implied(context, sum) {
            continue;
        }
        let opposite = |other: &TermSum| {
            other.constant == -sum.constant
                && other.terms.len() == sum.terms.len()
                && other.terms.iter().zip(&sum.terms).all(|(a, b)| (a.0, a.1, -a.2) == *b)
        };
        match sums.iter().position(opposite) {
            Some(other) if other < index => {}
            Some(_) => found.push(sum_in(notation, terms, sum, "=")),
            None => found.push(sum_in(notation, terms, sum, "<=")),
        }
    }
    found
}

fn is_implied(context: &Context<'_>, sum: &TermSum) -> bool {
    let mut largest = sum.constant;
    for &(variable, signedness, c) in &sum.terms {
        let (lo, hi) = context.range_or_type(variable, signedness);
        largest += if c > 0 { c * hi } else { c * lo };
    }
    largest <= 0
}
