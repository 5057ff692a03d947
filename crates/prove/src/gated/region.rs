//! A region: what control can do from a start until it comes back to the start, as one acyclic formula.

use std::collections::BTreeMap;

use glassbox_invariants::Invariants;
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_whole::formula::state_terms;
use glassbox_whole::{Event, Graph, Order};
use rustc_hash::FxHashMap;

use crate::budget;
use crate::model::Target;

/// The values of variables at some point.
pub(crate) type Values = FxHashMap<TermId, TermId>;

/// Where a region begins: control is at the node when `guard` holds, with these values of its parameters and
/// of the variables of the nodes that dominate it. Variables that are not listed stand for themselves.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) node: usize,
    pub(crate) guard: TermId,
    pub(crate) values: Values,
}

/// See the module's comment.
#[derive(Debug)]
pub(crate) struct Region {
    /// By node: control enters it.
    entered: BTreeMap<usize, TermId>,
    /// By node: control comes to its end.
    left: BTreeMap<usize, TermId>,
    values: BTreeMap<usize, Values>,
    /// What holds because of invariants.
    pub(crate) facts: Vec<TermId>,
    /// Edges to the border (the start, or the node that was to be left out): guard, values there.
    pub(crate) returns: Vec<(TermId, Values)>,
    /// A loop was cut, so that the region allows more than the program.
    pub(crate) is_cut: bool,
    /// A loop may be entered at several nodes: control may have taken several ways into one node, one after the
    /// other, and the last one counts.
    has_late_entry: bool,
}

/// What a region is made of.
struct Extent<'a> {
    graph: &'a Graph,
    order: &'a Order,
    invariants: &'a Invariants,
    start: usize,
    border: Option<usize>,
    /// By node: where it is in the sequence.
    position: BTreeMap<usize, usize>,
}

impl Region {
    /// Everything from `start`, without entering `border`. `None` when there is too much of it.
    pub(crate) fn new(
        terms: &mut Terms,
        graph: &Graph,
        order: &Order,
        invariants: &Invariants,
        start: &Start,
        border: Option<usize>,
    ) -> Option<Region> {
        let sequence = sequence(graph, start.node, &[border]);
        if sequence.len() > budget::REGION_NODES {
            return None;
        }
        let mut position = BTreeMap::new();
        for (at, &node) in sequence.iter().enumerate() {
            position.insert(node, at);
        }
        let mut region = Region {
            entered: BTreeMap::new(),
            left: BTreeMap::new(),
            values: BTreeMap::new(),
            facts: Vec::new(),
            returns: Vec::new(),
            is_cut: false,
            has_late_entry: false,
        };
        if start.node == 0
            && let Some(state) = invariants.states.first().and_then(Option::as_ref)
        {
            // What is known of the inputs.
            region.facts.extend(state_terms(terms, state));
        }
        let extent = Extent { graph, order, invariants, start: start.node, border, position };
        for (at, &node) in sequence.iter().enumerate() {
            let (guard, values) = if at == 0 {
                (start.guard, start.values.clone())
            } else {
                region.arrive(terms, &extent, node)
            };
            region.pass(terms, &extent, node, guard, values);
            region.note_returns(terms, graph, node, border);
        }
        Some(region)
    }

    /// Control at a node that is not the start: from which edges, with which values.
    fn arrive(&mut self, terms: &mut Terms, extent: &Extent<'_>, node: usize) -> (TermId, Values) {
        let Extent { graph, order, invariants, start, border, position } = extent;
        let at = position[&node];
        let mut ways = Vec::new();
        let mut later = Vec::new();
        for &(from, edge) in &graph.nodes[node].ways_in {
            match position.get(&from) {
                Some(&before) if before < at => ways.push((from, edge)),
                Some(_) => later.push(from),
                None => {}
            }
        }
        let is_head = !later.is_empty();
        let is_entered_late = is_head && {
            let without = sequence(graph, *start, &[*border, Some(node)]);
            later.iter().any(|from| without.contains(from))
        };
        let mut guards = Vec::new();
        for &(from, edge) in &ways {
            let guard = self.edge(terms, graph, from, edge);
            guards.push(self.chosen(terms, guard));
        }
        self.has_late_entry |= is_entered_late;
        let guard = match guards.as_slice() {
            // A loop with several entries: control may come here for the first time along an edge that comes
            // later in the sequence, whatever the earlier ones say.
            _ if is_entered_late => terms.fresh_var("entered", Sort::Bool),
            [] => terms.bool_const(false),
            [only] => *only,
            several => terms.or(several),
        };
        let mut values = self.merge(terms, extent, node, &ways, &guards);
        if is_entered_late {
            // The earlier ways do not say which values the later ones bring, except of what is set once and for all.
            let mut names: Vec<TermId> = values.keys().copied().collect();
            names.sort_unstable();
            for name in names {
                let owner = graph.owners.get(&name);
                let is_outside = owner.is_none_or(|owner| !position.contains_key(owner));
                if !is_outside && owner != Some(start) {
                    let fresh = fresh_like(terms, name);
                    values.insert(name, fresh);
                }
            }
        }
        if is_head {
            self.is_cut = true;
            for &param in &graph.nodes[node].params {
                let fresh = fresh_like(terms, param);
                values.insert(param, fresh);
            }
            // In a region that begins inside a loop, a cycle may be entered below the node that dominates it:
            // what the dominating nodes in the cycle set may have changed, too.
            for dominating in order.chain(node) {
                if position.get(&dominating).is_some_and(|&later| later > at) {
                    for &variable in graph.owned.get(&dominating).map_or(&[][..], Vec::as_slice) {
                        let fresh = fresh_like(terms, variable);
                        values.insert(variable, fresh);
                    }
                }
            }
        } else {
            let mut merged: Vec<(TermId, TermId)> = Vec::new();
            for (index, &param) in graph.nodes[node].params.iter().enumerate() {
                let mut found: Option<TermId> = None;
                for (&(from, edge), &guard) in ways.iter().zip(&guards).rev() {
                    let arg = graph.nodes[from].edges[edge].args[index];
                    let arg = terms.substitute(arg, &self.values[&from]);
                    found = Some(match found {
                        None => arg,
                        Some(other) => terms.ite(guard, arg, other),
                    });
                }
                let value = found.unwrap_or_else(|| fresh_like(terms, param));
                merged.push((param, value));
            }
            values.extend(merged);
        }
        if is_head && let Some(state) = &invariants.states[node] {
            for fact in state_terms(terms, state) {
                let fact = terms.substitute(fact, &values);
                let fact = terms.implies(guard, fact);
                self.facts.push(fact);
            }
        }
        (guard, values)
    }

    /// The guard of one of several ways that meet. Guards exclude each other, unless a loop has several entries:
    /// then any way that was taken may be the last.
    fn chosen(&self, terms: &mut Terms, guard: TermId) -> TermId {
        if !self.has_late_entry {
            return guard;
        }
        let is_last = terms.fresh_var("last", Sort::Bool);
        terms.and2(is_last, guard)
    }

    /// The values of the variables of dominating nodes, chosen by the way that control came.
    fn merge(
        &mut self,
        terms: &mut Terms,
        extent: &Extent<'_>,
        node: usize,
        ways: &[(usize, usize)],
        guards: &[TermId],
    ) -> Values {
        let Extent { graph, order, .. } = extent;
        let Some(&(first, _)) = ways.first() else { return Values::default() };
        let mut names: Vec<TermId> = Vec::new();
        for (from, _) in ways {
            names.extend(self.values[from].keys());
        }
        names.sort_unstable();
        names.dedup();
        names.retain(|name| {
            graph.owners.get(name).is_none_or(|&owner| {
                owner != node && order.is_reachable(owner) && order.dominates(owner, node)
            })
        });
        let mut values = Values::default();
        for name in names {
            let at = |from: usize| self.values[&from].get(&name).copied().unwrap_or(name);
            let mut value = at(ways.last().map_or(first, |way| way.0));
            for (&(from, _), &guard) in ways.iter().zip(guards).rev().skip(1) {
                let other = at(from);
                if other != value {
                    value = terms.ite(guard, other, value);
                }
            }
            values.insert(name, value);
        }
        values
    }

    /// The node's own variables are new, its events are passed.
    fn pass(
        &mut self,
        terms: &mut Terms,
        extent: &Extent<'_>,
        node: usize,
        guard: TermId,
        mut values: Values,
    ) {
        let Extent { graph, start, .. } = *extent;
        let own = graph.owned.get(&node).map_or(&[][..], Vec::as_slice);
        for &variable in own {
            // Inputs exist once and for all: they belong to the entry, where regions begin at most once.
            let is_param = graph.nodes[node].params.contains(&variable);
            if !is_param && (node != 0 || start != 0) {
                let fresh = fresh_like(terms, variable);
                values.insert(variable, fresh);
            }
        }
        self.entered.insert(node, guard);
        let mut parts = vec![guard];
        for event in &graph.nodes[node].events {
            if let Some(fact) = event.after() {
                parts.push(terms.substitute(fact, &values));
            }
        }
        let end = if parts.len() == 1 { guard } else { terms.and(&parts) };
        self.left.insert(node, end);
        self.values.insert(node, values);
    }

    /// Control comes to a node when the first holds, and variables have these values there.
    pub(crate) fn at(&self, node: usize) -> Option<(TermId, &Values)> {
        Some((*self.entered.get(&node)?, self.values.get(&node)?))
    }

    /// Control takes an edge.
    pub(crate) fn edge(
        &self,
        terms: &mut Terms,
        graph: &Graph,
        from: usize,
        edge: usize,
    ) -> TermId {
        let condition = graph.nodes[from].edges[edge].condition;
        let condition = terms.substitute(condition, &self.values[&from]);
        terms.and2(self.left[&from], condition)
    }

    fn note_returns(
        &mut self,
        terms: &mut Terms,
        graph: &Graph,
        node: usize,
        border: Option<usize>,
    ) {
        for (index, edge) in graph.nodes[node].edges.iter().enumerate() {
            if border != Some(edge.target) {
                continue;
            }
            let guard = self.edge(terms, graph, node, index);
            let guard = self.chosen(terms, guard);
            let mut values = self.values[&node].clone();
            let args = terms.substitute_all(&edge.args, &self.values[&node]);
            for (&param, arg) in graph.nodes[edge.target].params.iter().zip(args) {
                values.insert(param, arg);
            }
            self.returns.push((guard, values));
        }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.entered.len()
    }

    /// The guard of a target; false when control does not come there.
    pub(crate) fn guard(&self, terms: &mut Terms, graph: &Graph, target: Target) -> TermId {
        let node = target.node();
        let Some(&entered) = self.entered.get(&node) else { return terms.bool_const(false) };
        let values = &self.values[&node];
        let until = |terms: &mut Terms, n_events: usize| {
            let mut parts = vec![entered];
            for event in graph.nodes[node].events.iter().take(n_events) {
                if let Some(fact) = event.after() {
                    parts.push(terms.substitute(fact, values));
                }
            }
            if parts.len() == 1 { entered } else { terms.and(&parts) }
        };
        match target {
            Target::Point { n_events, .. } => until(terms, n_events),
            Target::Edge { node, edge } => self.edge(terms, graph, node, edge),
            Target::Failure { event, .. } => {
                let before = until(terms, event);
                let fails = match &graph.nodes[node].events[event] {
                    Event::Check(checked) => checked.fails,
                    Event::Assume(_) => None,
                };
                match fails {
                    Some(fails) => {
                        let fails = terms.substitute(fails, values);
                        terms.and2(before, fails)
                    }
                    // Not known when it fails: whenever control comes here.
                    None => before,
                }
            }
        }
    }

    /// Where control comes back to the border: the merged start of the next region.
    pub(crate) fn next(
        &self,
        terms: &mut Terms,
        graph: &Graph,
        order: &Order,
        border: usize,
    ) -> Start {
        let guards: Vec<TermId> = self.returns.iter().map(|(guard, _)| *guard).collect();
        let guard = match guards.as_slice() {
            [] => terms.bool_const(false),
            [only] => *only,
            several => terms.or(several),
        };
        let mut names: Vec<TermId> =
            self.returns.iter().flat_map(|(_, values)| values.keys().copied()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| match graph.owners.get(name) {
            Some(&owner) if owner == border => graph.nodes[border].params.contains(name),
            Some(&owner) => order.is_reachable(owner) && order.dominates(owner, border),
            None => true,
        });
        let mut values = Values::default();
        for name in names {
            let mut value: Option<TermId> = None;
            for (guard, found) in self.returns.iter().rev() {
                let other = found.get(&name).copied().unwrap_or(name);
                value = Some(match value {
                    None => other,
                    Some(value) if value == other => value,
                    Some(value) => terms.ite(*guard, other, value),
                });
            }
            if let Some(value) = value {
                values.insert(name, value);
            }
        }
        Start { node: border, guard, values }
    }
}

pub(crate) fn fresh_like(terms: &mut Terms, variable: TermId) -> TermId {
    let sort = terms.sort(variable);
    let name = match terms.as_var(variable) {
        Some(var) => terms.var_name(var).to_owned(),
        None => "?".to_owned(),
    };
    terms.fresh_var(name, sort)
}

/// Nodes that control reaches from `start` without entering any of `without`, in reverse postorder.
fn sequence(graph: &Graph, start: usize, without: &[Option<usize>]) -> Vec<usize> {
    let mut postorder = Vec::new();
    let mut is_seen = vec![false; graph.nodes.len()];
    is_seen[start] = true;
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.pop() {
        match graph.nodes[node].edges.get(next) {
            Some(edge) => {
                stack.push((node, next + 1));
                if !without.contains(&Some(edge.target)) && !is_seen[edge.target] {
                    is_seen[edge.target] = true;
                    stack.push((edge.target, 0));
                }
            }
            None => postorder.push(node),
        }
    }
    postorder.reverse();
    postorder
}
