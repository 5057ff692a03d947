//! Invariants in the words of the source: ranges and linear relations that hold at each line.

use std::collections::BTreeMap;

use glassbox_kernel::Domain;
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};
use glassbox_values::Signedness;

use crate::graph::Event;
use crate::prover::{Model, Prover};
use crate::summary::Context;

/// What holds at one line, whenever control comes to the code that begins there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub line: u32,
    /// Control never comes here.
    pub is_dead: bool,
    /// Ranges and relations as text.
    pub facts: Vec<String>,
}

impl Prover<'_> {
    /// What holds at the lines of the function under test. `None` when the function is too complicated.
    pub fn describe(&mut self) -> Option<Vec<Line>> {
        let function = self.function();
        let options = self.options().clone();
        let model = self.model()?;
        let mut lines: BTreeMap<(u32, usize), Line> = BTreeMap::new();
        for &node in &model.order.sequence {
            let span = model.graph.nodes[node].span;
            if model.graph.nodes[node].function != Some(function) {
                continue;
            }
            let Some(span) = span.filter(|span| !span.is_nowhere()) else { continue };
            let is_dead = !model.invariants.is_reached[node];
            let facts = if is_dead { Vec::new() } else { facts_at(model, node, &options) };
            let _ = lines.insert((span.line, node), Line { line: span.line, is_dead, facts });
        }
        let mut lines: Vec<Line> = lines.into_values().collect();
        lines.dedup();
        Some(lines)
    }
}

fn facts_at(model: &Model, node: usize, options: &crate::Options) -> Vec<String> {
    let graph = &model.graph;
    let terms = &graph.terms;
    let mut context = Context::new(graph, options);
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
    let _ = context.settle();
    let mut facts = Vec::new();
    for (index, &variable) in variables.iter().enumerate() {
        let name = name_of(terms, variable);
        // Only the present value of a variable of the source is of interest.
        let is_old = variables[index + 1..].iter().any(|later| name_of(terms, *later) == name);
        if is_old || name.starts_with(['?', '%']) {
            continue;
        }
        if let Some(domain) = context.domain(variable) {
            facts.extend(range_text(name, domain));
        }
    }
    let is_present = |variable: TermId| {
        let name = name_of(terms, variable);
        variables.iter().rev().find(|v| name_of(terms, **v) == name) == Some(&variable)
    };
    sums.retain(|sum| sum.terms.iter().all(|(variable, _, _)| is_present(*variable)));
    facts.extend(relations(terms, &context, &sums));
    facts.dedup();
    facts
}

fn name_of(terms: &Terms, variable: TermId) -> &str {
    terms.as_var(variable).map_or("?", |var| terms.var_name(var))
}

pub(crate) fn range_text(name: &str, domain: &Domain) -> Option<String> {
    if domain.is_full() {
        return None;
    }
    match domain {
        Domain::Bits(bits) => {
            let (lo, hi) = (bits.signed_min(), bits.signed_max());
            let (low, high) = (bits.unsigned_min(), bits.unsigned_max());
            let half = bits.mask() >> 1;
            let text = if bits.is_fixed() {
                format!("{name} = {lo}")
            } else if bits.interval().is_full() {
                return class_text(name, bits);
            } else if high > half {
                format!("{lo} <= {name} <= {hi}")
            } else {
                format!("{low} <= {name} <= {high}")
            };
            match class_text(name, bits) {
                Some(class) if !bits.is_fixed() && class != text => {
                    Some(format!("{text}, {class}"))
                }
                Some(_) | None => Some(text),
            }
        }
        Domain::Bool(truth) => truth.value().map(|value| format!("{name} = {}", u8::from(value))),
        Domain::Float(float) => {
            let (lo, hi) = float.numbers()?;
            let nan = if float.may_be_nan() { " or NaN" } else { "" };
            Some(format!("{:?} <= {name} <= {:?}{nan}", lo.to_f64(), hi.to_f64()))
        }
        Domain::Wide(_) | Domain::Opaque => None,
    }
}

/// A congruence, in words.
fn class_text(name: &str, bits: &glassbox_kernel::BitsDomain) -> Option<String> {
    let class = bits.congruence();
    if !class.is_any() {
        return Some(format!("{name} mod {} = {}", class.modulus(), class.residue()));
    }
    let n_low = bits.known().known_low();
    if n_low == 0 || n_low >= u32::from(bits.width()) {
        return None;
    }
    let modulus = 1_u128 << n_low;
    Some(format!("{name} mod {modulus} = {}", u128::from(bits.known().ones) & (modulus - 1)))
}

/// Constants beyond this come from the ends of types and tell a reader nothing.
const MAX_CONSTANT: i128 = 1 << 30;

/// Relations that the ranges alone do not say; a sum bounded from both sides alike is an equality.
fn relations(terms: &Terms, context: &Context<'_>, sums: &[TermSum]) -> Vec<String> {
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
            Some(_) => found.push(sum_text(terms, sum, "=")),
            None => found.push(sum_text(terms, sum, "<=")),
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

/// Positive terms on the left, the rest on the right.
pub(crate) fn sum_text(terms: &Terms, sum: &TermSum, relation: &str) -> String {
    let side = |sign: i128| {
        let mut parts: Vec<String> = Vec::new();
        for &(variable, signedness, c) in &sum.terms {
            if (c > 0) != (sign > 0) {
                continue;
            }
            let name = name_of(terms, variable);
            let name = match signedness {
                Signedness::Signed => name.to_owned(),
                Signedness::Unsigned => format!("(unsigned){name}"),
            };
            parts.push(if c.abs() == 1 { name } else { format!("{}*{name}", c.abs()) });
        }
        if (sum.constant > 0 && sign > 0) || (sum.constant < 0 && sign < 0) {
            parts.push(sum.constant.abs().to_string());
        }
        if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
    };
    format!("{} {relation} {}", side(1), side(-1))
}
