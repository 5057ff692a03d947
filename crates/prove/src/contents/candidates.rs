//! Candidates: what a loop might establish about the elements it passes. Suggestions, never facts.

use crate::budget;
use glassbox_kernel::Domain;
use glassbox_terms::{ArrayOp, BvOp, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::Content;
use super::places::{loop_nodes, roots};
use glassbox_invariants::{Context, Invariants, Options, context_at};
use glassbox_whole::{Graph, Order};

/// Candidates for all loop heads.
pub(super) fn candidates(
    graph: &mut Graph,
    order: &Order,
    invariants: &Invariants,
    options: &Options,
) -> Vec<Content> {
    let heads: Vec<usize> = order
        .sequence
        .iter()
        .copied()
        .filter(|&node| order.is_head(graph, node) && invariants.is_reached[node])
        .collect();
    let mut ghosts: Vec<(Sort, TermId)> = Vec::new();
    let mut found = Vec::new();
    for head in heads {
        let nodes = loop_nodes(graph, order, head);
        let stored = stored_ranges(graph, order, invariants, options, &nodes);
        let mut terms = std::mem::take(&mut graph.terms);
        let mut maker = Maker { terms: &mut terms, graph, order, head, nodes, found: &mut found };
        for mut index in maker.indices() {
            let sort = maker.terms.sort(index.variable);
            index.ghost = match ghosts.iter().find(|(known, _)| *known == sort) {
                Some(&(_, ghost)) => ghost,
                None => {
                    let ghost = maker.terms.fresh_var("some index", sort);
                    ghosts.push((sort, ghost));
                    ghost
                }
            };
            maker.suggest(&index, &stored);
        }
        graph.terms = terms;
    }
    found.truncate(budget::CANDIDATES);
    found
}

/// A value that is stored, with the least and greatest it can be, read as signed.
struct Stored {
    store: TermId,
    range: Option<(i128, i128)>,
}

/// The stores of a loop, with the ranges of what they store.
fn stored_ranges(
    graph: &Graph,
    order: &Order,
    invariants: &Invariants,
    options: &Options,
    nodes: &[usize],
) -> Vec<Stored> {
    let terms = &graph.terms;
    let mut found: Vec<Stored> = Vec::new();
    for &node in nodes {
        let mut context: Option<Context<'_>> = None;
        for store in terms.subterms(&roots(graph, node)) {
            if terms.op(store) != Op::Array(ArrayOp::Store)
                || found.iter().any(|known| known.store == store)
            {
                continue;
            }
            let value = terms.arg(store, 2);
            let context = context.get_or_insert_with(|| {
                context_at(graph, order, invariants, node, usize::MAX, options)
            });
            let range = match context.look(value) {
                Some(Domain::Bits(bits)) if !bits.is_full() => {
                    Some((bits.signed_min().into(), bits.signed_max().into()))
                }
                _ => None,
            };
            found.push(Stored { store, range });
        }
    }
    found
}

/// An index variable of a loop, and the ghost that stands for its values.
struct Index {
    variable: TermId,
    ghost: TermId,
    /// Its value where the loop is entered.
    first: TermId,
    /// What every turn adds, when that is a constant.
    step: Option<i128>,
}

impl Index {
    /// Puts the ghost in place of the variable.
    fn at_ghost(&self) -> FxHashMap<TermId, TermId> {
        [(self.variable, self.ghost)].into_iter().collect()
    }
}

struct Maker<'a> {
    terms: &'a mut Terms,
    graph: &'a Graph,
    order: &'a Order,
    head: usize,
    nodes: Vec<usize>,
    found: &'a mut Vec<Content>,
}

impl Maker<'_> {
    /// What a parameter of the head is where the loop is entered, if that is one thing.
    fn entry_value(&self, position: usize) -> Option<TermId> {
        let mut entries = self.graph.nodes[self.head]
            .ways_in
            .iter()
            .filter(|(from, _)| !self.order.is_back(*from, self.head))
            .map(|&(from, edge)| self.graph.nodes[from].edges[edge].args[position]);
        let first = entries.next()?;
        entries.all(|other| other == first).then_some(first)
    }

    fn indices(&mut self) -> Vec<Index> {
        let params = self.graph.nodes[self.head].params.clone();
        let mut found = Vec::new();
        for (position, &variable) in params.iter().enumerate() {
            if !matches!(self.terms.sort(variable), Sort::Bv(width) if width >= 4) {
                continue;
            }
            let Some(first) = self.entry_value(position) else { continue };
            let mut steps = Vec::new();
            for &(from, edge) in &self.graph.nodes[self.head].ways_in {
                if self.order.is_back(from, self.head) {
                    let arg = self.graph.nodes[from].edges[edge].args[position];
                    let step = self.terms.bv_sub(arg, variable);
                    steps.push(self.terms.as_bv_const(step).map(|bits| bits.signed()));
                }
            }
            let step = steps.first().copied().flatten();
            let step = step.filter(|_| steps.iter().all(|other| *other == step));
            if step != Some(0) {
                // The ghost is given later: indices of one sort share it.
                found.push(Index { variable, ghost: variable, first, step });
            }
        }
        found
    }

    fn is_in_loop(&self, variable: TermId) -> bool {
        self.graph.owners.get(&variable).is_some_and(|owner| self.nodes.contains(owner))
    }

    fn variables(&self, term: TermId) -> Vec<TermId> {
        let terms = &*self.terms;
        let is_var = |t: &TermId| matches!(terms.op(*t), Op::Var(_));
        terms.subterms(&[term]).into_iter().filter(is_var).collect()
    }

    /// Whether of all that changes in the loop the term mentions only these.
    fn depends_only_on(&self, term: TermId, allowed: &[TermId]) -> bool {
        self.variables(term).iter().all(|v| allowed.contains(v) || !self.is_in_loop(*v))
    }

    /// Conditions that say that the loop has passed the ghost.
    fn passed(&mut self, index: &Index) -> Vec<TermId> {
        let ghost = index.ghost;
        let (now, width) = (index.variable, self.terms.width(index.variable));
        let mut firsts = vec![index.first];
        // Loops that begin with the second element have often seen the first one.
        if let Some(first) = self.terms.as_bv_const(index.first)
            && (1..=4).contains(&first.unsigned())
        {
            firsts.push(self.terms.bv_u(0, width));
        }
        let mut found = Vec::new();
        for first in firsts {
            for is_signed in [true, false] {
                let at_most = |terms: &mut Terms, a, b| {
                    if is_signed { terms.bv_sle(a, b) } else { terms.bv_ule(a, b) }
                };
                let is_up = index.step.is_none_or(|step| step > 0);
                let (low, high) = if is_up {
                    let low = at_most(self.terms, first, ghost);
                    let reached = at_most(self.terms, now, ghost);
                    (low, self.terms.not(reached))
                } else {
                    let reached = at_most(self.terms, ghost, now);
                    (self.terms.not(reached), at_most(self.terms, ghost, first))
                };
                let mut parts = vec![low, high];
                let stride = index.step.map_or(1, i128::unsigned_abs);
                if stride > 1 && stride.is_power_of_two() {
                    let distance = self.terms.bv_sub(ghost, first);
                    let mask = self.terms.bv_u(stride - 1, width);
                    let rest = self.terms.bv_and(distance, mask);
                    let zero = self.terms.bv_u(0, width);
                    parts.push(self.terms.eq(rest, zero));
                }
                found.push(self.terms.and(&parts));
            }
        }
        found
    }

    fn suggest(&mut self, index: &Index, stored: &[Stored]) {
        let passed = self.passed(index);
        let mut facts: Vec<(TermId, TermId)> = Vec::new();
        let arrays = self.arrays();
        for stored in stored {
            let place = self.terms.arg(stored.store, 1);
            if !self.is_place(place, index) {
                continue;
            }
            let array = self.terms.arg(stored.store, 0);
            let Some(array) = self.root(array, &arrays) else { continue };
            facts.extend(self.stored_facts(stored, array, index, &arrays));
        }
        facts.extend(self.compared_facts(index));
        facts.dedup();
        for (place, fact) in facts {
            for &passed in &passed {
                let formula = self.terms.implies(passed, fact);
                self.add(index.ghost, place, formula);
            }
        }
        for (position, array) in arrays {
            let Some(before) = self.entry_value(position) else { continue };
            for Stored { store, .. } in stored {
                let place = self.terms.arg(*store, 1);
                if self.is_place(place, index) {
                    self.unchanged(array, before, place, index, &passed);
                }
            }
        }
    }

    fn add(&mut self, ghost: TermId, place: TermId, formula: TermId) {
        let content = Content { head: self.head, ghost, formula, place };
        if self.terms.as_bool_const(formula).is_none() && !self.found.contains(&content) {
            self.found.push(content);
        }
    }

    /// The place moves with the index, and with nothing else.
    fn is_place(&self, place: TermId, index: &Index) -> bool {
        self.depends_only_on(place, &[index.variable])
            && self.variables(place).contains(&index.variable)
    }

    /// The arrays that are parameters of the head.
    fn arrays(&self) -> Vec<(usize, TermId)> {
        let params = self.graph.nodes[self.head].params.iter().copied().enumerate();
        params.filter(|&(_, p)| matches!(self.terms.sort(p), Sort::Array { .. })).collect()
    }

    /// The array parameter that a chain of stores begins with.
    fn root(&self, mut array: TermId, arrays: &[(usize, TermId)]) -> Option<TermId> {
        while self.terms.op(array) == Op::Array(ArrayOp::Store) {
            array = self.terms.arg(array, 0);
        }
        if let Some((_, found)) = arrays.iter().find(|(_, known)| *known == array) {
            return Some(*found);
        }
        // Stores on one way through the loop: the array is a parameter of a join inside.
        let width = self.terms.sort(array);
        let mut same = arrays.iter().filter(|(_, known)| self.terms.sort(*known) == width);
        match (same.next(), same.next()) {
            (Some((_, only)), None) => Some(*only),
            _ => None,
        }
    }

    /// Elements are what was stored: the same expression of the ghost, or within its range.
    fn stored_facts(
        &mut self,
        stored: &Stored,
        array: TermId,
        index: &Index,
        arrays: &[(usize, TermId)],
    ) -> Vec<(TermId, TermId)> {
        let &Stored { store, range } = stored;
        let (place, value) = (self.terms.arg(store, 1), self.terms.arg(store, 2));
        let at_ghost = index.at_ghost();
        let place = self.terms.substitute(place, &at_ghost);
        let element = self.terms.select(array, place);
        let mut facts = Vec::new();
        let mut allowed = vec![index.variable];
        let mut before = at_ghost;
        for &(position, array) in arrays {
            if let Some(first) = self.entry_value(position) {
                allowed.push(array);
                before.insert(array, first);
            }
        }
        if self.depends_only_on(value, &allowed) {
            let value = self.terms.substitute(value, &before);
            let same = self.terms.eq(element, value);
            facts.push((place, same));
        }
        if let Some((low, high)) = range {
            let width = self.terms.width(element);
            let bits = |number| glassbox_values::Bits::from_signed(number, width);
            let (low, high) = (self.terms.bv_const(bits(low)), self.terms.bv_const(bits(high)));
            let (above, below) =
                (self.terms.bv_sle(low, element), self.terms.bv_sle(element, high));
            facts.push((place, self.terms.and2(above, below)));
        }
        facts
    }

    /// Elements compare as the loop compared them, one way or the other.
    fn compared_facts(&mut self, index: &Index) -> Vec<(TermId, TermId)> {
        let params = self.graph.nodes[self.head].params.clone();
        let at_ghost = index.at_ghost();
        let mut facts = Vec::new();
        let mut roots = Vec::new();
        for &node in &self.nodes {
            roots.extend(self.graph.nodes[node].edges.iter().map(|edge| edge.condition));
            // Conditions without branches: `m = a[i] > m ? a[i] : m`.
            for edge in &self.graph.nodes[node].edges {
                roots.extend(edge.args.iter().filter(|arg| self.terms.op(**arg) == Op::Ite));
            }
        }
        for atom in self.terms.subterms(&roots) {
            let is_atom = matches!(
                self.terms.op(atom),
                Op::Eq | Op::Bv(BvOp::Slt | BvOp::Sle | BvOp::Ult | BvOp::Ule)
            );
            if !is_atom || !self.depends_only_on(atom, &params) {
                continue;
            }
            let place = self
                .terms
                .subterms(&[atom])
                .into_iter()
                .filter(|&term| self.terms.op(term) == Op::Array(ArrayOp::Select))
                .map(|select| self.terms.arg(select, 1))
                .find(|&place| self.is_place(place, index));
            let Some(place) = place else { continue };
            let place = self.terms.substitute(place, &at_ghost);
            let fact = self.terms.substitute(atom, &at_ghost);
            let opposite = self.terms.not(fact);
            for fact in [fact, opposite] {
                facts.push((place, fact));
                facts.extend(self.with_flags(index, fact).into_iter().map(|fact| (place, fact)));
            }
        }
        facts
    }

    /// The fact holds as long as a flag is what it was when the loop began.
    fn with_flags(&mut self, index: &Index, fact: TermId) -> Vec<TermId> {
        let params = self.graph.nodes[self.head].params.clone();
        let mut found = Vec::new();
        for (position, param) in params.into_iter().enumerate() {
            if param == index.variable || found.len() >= 2 {
                continue;
            }
            if let Some(first) = self.entry_value(position)
                && self.terms.as_bv_const(first).is_some()
            {
                let is_same = self.terms.eq(param, first);
                found.push(self.terms.implies(is_same, fact));
            }
        }
        found
    }

    /// The array is as it was, or what the loop has not come to yet is.
    fn unchanged(
        &mut self,
        array: TermId,
        before: TermId,
        place: TermId,
        index: &Index,
        passed: &[TermId],
    ) {
        if self.terms.sort(array) != self.terms.sort(before) {
            return;
        }
        let place = self.terms.substitute(place, &index.at_ghost());
        let (now, then) = (self.terms.select(array, place), self.terms.select(before, place));
        let same = self.terms.eq(now, then);
        self.add(index.ghost, place, same);
        for &passed in passed {
            let formula = self.terms.or(&[passed, same]);
            self.add(index.ghost, place, formula);
        }
    }
}
