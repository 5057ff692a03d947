//! Templates: the linear sums whose bounds are followed at each join.
//!
//! Where they come from: comparisons of the program; combinations of loop variables that every turn's constant
//! updates leave alone (the null space of the update vectors, with the values at the loop's entry); differences
//! and sums of two loop variables; what the branches that meet at a join set its parameters to (the rows that
//! the weak join of docs/papers/calls.md, rule 1.9 loosens: one branch makes `y` equal to `x + 5`, the other to `x - 100`, so the
//! slope is `y - x`); what summaries of calls say about each way of returning; and all of these carried backward along the edges into the joins they mention. All are
//! taken in both directions. Too many templates cost time and never truth, so there is a cap.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_relax::optimum::TermSum;
use glassbox_terms::{BvOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;

use super::options::Options;
use super::slopes::{add_scaled, difference, linear, negated, normalized, null_space};
use glassbox_whole::{Graph, Order};

/// Slopes of one node, each standing for both directions.
const MAX_SLOPES: usize = 28;

/// Loop variables of which all pairs are taken.
const MAX_PAIRED: usize = 6;

/// Variables in what one branch sets a parameter to.
const MAX_ROW: usize = 3;

/// Ways through a loop whose updates are looked at.
const MAX_WAYS: usize = 32;

/// By node: its templates, both directions.
#[derive(Debug)]
pub(super) struct Templates {
    pub(super) slopes: Vec<Vec<TermSum>>,
}

struct Collector<'a> {
    graph: &'a Graph,
    order: &'a Order,
    readings: BTreeMap<TermId, Signedness>,
    slopes: Vec<Vec<TermSum>>,
}

impl Templates {
    pub(super) fn new(graph: &Graph, order: &Order, options: &Options) -> Templates {
        let mut collector = Collector {
            graph,
            order,
            readings: BTreeMap::new(),
            slopes: vec![Vec::new(); graph.nodes.len()],
        };
        if options.linear {
            collector.collect();
        }
        let slopes = collector
            .slopes
            .into_iter()
            .map(|list| list.into_iter().flat_map(|slope| [negated(&slope), slope]).collect())
            .collect();
        Templates { slopes }
    }
}

impl Collector<'_> {
    fn collect(&mut self) {
        let atoms = self.comparisons();
        self.readings = readings(&self.graph.terms, &atoms);
        for slope in &self.graph.suggested {
            self.place(slope.clone());
        }
        for &node in &self.order.sequence {
            if self.order.is_head(self.graph, node) {
                self.unchanged_combinations(node);
            }
        }
        for (a, b, signedness) in atoms {
            if let Some(slope) = difference(&self.graph.terms, a, b, signedness) {
                self.place(slope);
            }
        }
        self.carry_backward();
        for &node in &self.order.sequence {
            if !self.order.is_head(self.graph, node) {
                self.rows_of_branches(node);
                self.rows_of_returns(node);
            }
        }
        for &node in &self.order.sequence {
            if self.order.is_head(self.graph, node) {
                self.flags(node);
                self.pairs(node);
            }
        }
        self.carry_backward();
    }

    /// Comparisons of integers anywhere in the graph.
    fn comparisons(&self) -> Vec<(TermId, TermId, Signedness)> {
        let terms = &self.graph.terms;
        let mut roots = Vec::new();
        for node in &self.graph.nodes {
            roots.extend(node.events.iter().filter_map(glassbox_whole::Event::after));
            for event in &node.events {
                if let glassbox_whole::Event::Check(checked) = event {
                    roots.extend(checked.holds);
                }
            }
            roots.extend(node.edges.iter().map(|edge| edge.condition));
        }
        let mut atoms = Vec::new();
        for term in terms.subterms(&roots) {
            let op = terms.op(term);
            let signedness = if matches!(op, Op::Bv(BvOp::Ult | BvOp::Ule)) {
                Signedness::Unsigned
            } else if matches!(op, Op::Bv(BvOp::Slt | BvOp::Sle))
                || op == Op::Eq && matches!(terms.sort(terms.arg(term, 0)), Sort::Bv(_))
            {
                Signedness::Signed
            } else {
                continue;
            };
            atoms.push((terms.arg(term, 0), terms.arg(term, 1), signedness));
        }
        // Equalities last: their reading is a guess.
        atoms
    }

    fn reading(&self, variable: TermId) -> Signedness {
        self.readings.get(&variable).copied().unwrap_or(Signedness::Signed)
    }

    /// The innermost join that sets a variable of the slope, if all variables are known there.
    fn home(&self, slope: &TermSum) -> Option<usize> {
        let mut home: Option<usize> = None;
        for (variable, _, _) in &slope.terms {
            let owner = *self.graph.owners.get(variable)?;
            if !self.order.is_reachable(owner) {
                return None;
            }
            home = Some(match home {
                None => owner,
                Some(known) if self.order.dominates(known, owner) => owner,
                Some(known) if self.order.dominates(owner, known) => known,
                Some(_) => return None,
            });
        }
        let home = home?;
        let is_param = slope.terms.iter().all(|(variable, _, _)| {
            self.graph.owners[variable] != home || self.graph.nodes[home].params.contains(variable)
        });
        (self.graph.is_join(home) && is_param).then_some(home)
    }

    /// Adds a slope to the join that it belongs to. True when it is new.
    fn place(&mut self, slope: TermSum) -> bool {
        let Some(slope) = normalized(slope) else { return false };
        let Some(home) = self.home(&slope) else { return false };
        let list = &mut self.slopes[home];
        // A single variable's bounds are its domain's business.
        if slope.terms.len() < 2
            || list.len() >= MAX_SLOPES
            || list.contains(&slope)
            || list.contains(&negated(&slope))
        {
            return false;
        }
        list.push(slope);
        true
    }

    /// What a slope at a join says about the values before each edge into it.
    fn carry_backward(&mut self) {
        for _ in 0..4 {
            let mut is_new = false;
            for &node in self.order.sequence.iter().rev() {
                for slope in self.slopes[node].clone() {
                    for &(from, edge) in &self.graph.nodes[node].ways_in {
                        let args = &self.graph.nodes[from].edges[edge].args;
                        // A slope that gets steeper every time it is carried would never end.
                        let before = self.before(node, args, &slope).filter(|before| {
                            let steepest =
                                |sum: &TermSum| sum.terms.iter().map(|t| t.2.abs()).max();
                            steepest(before) <= steepest(&slope).max(Some(1))
                                && before.terms.len() <= slope.terms.len() + 1
                        });
                        is_new |= before.is_some_and(|slope| self.place(slope));
                    }
                }
            }
            if !is_new {
                break;
            }
        }
    }

    fn before(&self, node: usize, args: &[TermId], slope: &TermSum) -> Option<TermSum> {
        let params = &self.graph.nodes[node].params;
        let mut before = TermSum::default();
        for &(variable, signedness, coefficient) in &slope.terms {
            match params.iter().position(|param| *param == variable) {
                Some(position) => {
                    let form = linear(&self.graph.terms, args[position], signedness)?;
                    add_scaled(&mut before, &form, coefficient)?;
                }
                None => before.terms.push((variable, signedness, coefficient)),
            }
        }
        before.constant = 0;
        Some(before)
    }

    /// What each branch that ends here makes of a parameter, as a slope: equal to the branch's value.
    fn rows_of_branches(&mut self, join: usize) {
        for (position, param) in self.graph.nodes[join].params.clone().into_iter().enumerate() {
            let terms = &self.graph.terms;
            if !matches!(terms.sort(param), Sort::Bv(width) if (4..=64).contains(&width)) {
                continue;
            }
            let reading = self.reading(param);
            let mut rows = Vec::new();
            for &(from, edge) in &self.graph.nodes[join].ways_in {
                let arg = self.graph.nodes[from].edges[edge].args[position];
                if let Some(value) = linear(terms, arg, reading)
                    && value.terms.len() <= MAX_ROW
                {
                    let mut row = TermSum { terms: vec![(param, reading, 1)], constant: 0 };
                    if add_scaled(&mut row, &value, -1).is_some() {
                        row.constant = 0;
                        // Without one of its variables, too: a row of three says little to people.
                        if let [this, one, other] = row.terms[..] {
                            rows.extend(
                                [one, other]
                                    .map(|kept| TermSum { terms: vec![this, kept], constant: 0 }),
                            );
                        }
                        rows.push(row);
                    }
                }
            }
            for row in rows {
                self.place(row);
            }
        }
    }

    /// What a call's summary says of a value where it returns one way, as slopes of what the value becomes where the ways
    /// meet.
    fn rows_of_returns(&mut self, join: usize) {
        let graph = self.graph;
        let mut rows = Vec::new();
        for &(from, edge) in &graph.nodes[join].ways_in {
            let args = &graph.nodes[from].edges[edge].args;
            let becomes: BTreeMap<TermId, TermId> =
                args.iter().copied().zip(graph.nodes[join].params.iter().copied()).collect();
            let assumed = graph.nodes[from].events.iter().filter_map(glassbox_whole::Event::after);
            for sum in assumed.filter_map(|fact| graph.rows.get(&fact)) {
                rows.extend(self.row_of_return(sum, &becomes));
            }
        }
        for row in rows {
            self.place(row);
        }
    }

    fn row_of_return(&self, sum: &TermSum, becomes: &BTreeMap<TermId, TermId>) -> Option<TermSum> {
        let mut row = TermSum::default();
        for &(term, signedness, coefficient) in &sum.terms {
            match becomes.get(&term) {
                Some(&param) => row.terms.push((param, signedness, coefficient)),
                None => {
                    let form = linear(&self.graph.terms, term, signedness)?;
                    add_scaled(&mut row, &form, coefficient)?;
                }
            }
        }
        row.constant = 0;
        Some(row)
    }

    /// Integer parameters of a node.
    fn integers(&self, node: usize) -> Vec<TermId> {
        self.graph.nodes[node]
            .params
            .iter()
            .copied()
            .filter(|param| matches!(self.graph.terms.sort(*param), Sort::Bv(width) if (4..=64).contains(&width)))
            .collect()
    }

    /// Flags and the counters that set them: a flag that becomes one when the counter has reached `c` says that
    /// the counter is at least `c` times the flag.
    fn flags(&mut self, head: usize) {
        let variables = self.integers(head);
        let flags: Vec<TermId> =
            variables.iter().copied().filter(|&variable| self.is_flag(head, variable)).collect();
        if flags.is_empty() || flags.len() > 2 {
            return;
        }
        let mut limits: BTreeSet<(TermId, Signedness, i128)> = BTreeSet::new();
        for (a, b, signedness) in self.comparisons() {
            let terms = &self.graph.terms;
            let Some(sum) = linear(terms, a, signedness) else { continue };
            let Some(other) = linear(terms, b, signedness) else { continue };
            let mut whole = sum;
            if add_scaled(&mut whole, &other, -1).is_none() {
                continue;
            }
            if let [(variable, reading, c)] = whole.terms[..]
                && variables.contains(&variable)
                && !flags.contains(&variable)
                && c.abs() == 1
            {
                let limit = -whole.constant * c;
                limits.extend((-1..=1).map(|near| (variable, reading, limit + near)));
            }
        }
        for (variable, reading, limit) in limits.into_iter().take(12) {
            for &flag in &flags {
                if limit != 0 {
                    let terms = vec![(variable, reading, 1), (flag, self.reading(flag), -limit)];
                    self.place(TermSum { terms, constant: 0 });
                }
            }
        }
    }

    /// A loop variable that every turn leaves alone or sets to zero or one.
    fn is_flag(&self, head: usize, variable: TermId) -> bool {
        let terms = &self.graph.terms;
        let mut open = vec![variable];
        let mut seen = BTreeSet::new();
        let mut n_set = 0;
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(bits) = terms.as_bv_const(term) {
                if bits.unsigned() > 1 {
                    return false;
                }
                n_set += 1;
                continue;
            }
            let Some(&owner) = self.graph.owners.get(&term) else { return false };
            let position = self.graph.nodes[owner].params.iter().position(|param| *param == term);
            let Some(position) = position else { return false };
            if !self.order.dominates(head, owner) || seen.len() > 24 {
                return false;
            }
            for &(from, edge) in &self.graph.nodes[owner].ways_in {
                open.push(self.graph.nodes[from].edges[edge].args[position]);
            }
        }
        n_set > 0
    }

    /// Sums and differences of two loop variables.
    fn pairs(&mut self, head: usize) {
        let variables = self.integers(head);
        if variables.len() > MAX_PAIRED {
            return;
        }
        for (index, &a) in variables.iter().enumerate() {
            for &b in &variables[index + 1..] {
                for sign in [-1, 1] {
                    let terms = vec![(a, self.reading(a), 1), (b, self.reading(b), sign)];
                    self.place(TermSum { terms, constant: 0 });
                }
            }
        }
    }

    /// Combinations of loop variables that no turn of the loop changes.
    fn unchanged_combinations(&mut self, head: usize) {
        let variables = self.integers(head);
        let mut vectors: Vec<BTreeMap<TermId, i128>> = Vec::new();
        for &(from, edge) in &self.graph.nodes[head].ways_in {
            if !self.order.is_back(from, head) {
                continue;
            }
            let args = &self.graph.nodes[from].edges[edge].args;
            let mut forms: Vec<BTreeMap<TermId, TermId>> = vec![BTreeMap::new()];
            let start: BTreeMap<TermId, TermId> = self.graph.nodes[head]
                .params
                .iter()
                .copied()
                .zip(args.iter().copied())
                .filter(|(param, _)| variables.contains(param))
                .collect();
            forms[0] = start;
            self.updates(head, from, &forms[0], &mut vectors);
        }
        let usable: Vec<TermId> = variables
            .iter()
            .copied()
            .filter(|variable| vectors.iter().all(|vector| vector.contains_key(variable)))
            .collect();
        if usable.len() < 2 || usable.len() > 8 || vectors.is_empty() {
            return;
        }
        let matrix: Vec<Vec<i128>> =
            vectors.iter().map(|vector| usable.iter().map(|v| vector[v]).collect()).collect();
        for weights in null_space(&matrix, usable.len()) {
            let mut slope = TermSum::default();
            for (&variable, weight) in usable.iter().zip(&weights) {
                if *weight != 0 {
                    slope.terms.push((variable, self.reading(variable), *weight));
                }
            }
            if let Some(with_entry) = self.with_entry_values(head, &slope) {
                self.place(with_entry);
            }
            self.place(slope);
        }
    }

    /// The constant updates of loop variables on every way through the loop: arguments that are parameters of
    /// inner joins are looked up for each of the joins' ways in.
    fn updates(
        &self,
        head: usize,
        _from: usize,
        start: &BTreeMap<TermId, TermId>,
        vectors: &mut Vec<BTreeMap<TermId, i128>>,
    ) {
        let terms = &self.graph.terms;
        let mut open: Vec<BTreeMap<TermId, LinearForm>> = vec![
            start.iter().filter_map(|(&param, &arg)| Some((param, form_of(terms, arg)?))).collect(),
        ];
        let mut n_steps = 0;
        while let Some(forms) = open.pop() {
            n_steps += 1;
            if n_steps > 4 * MAX_WAYS || vectors.len() > MAX_WAYS {
                // Too many ways: no variable counts as followed.
                vectors.push(BTreeMap::new());
                return;
            }
            // The innermost inner join that some form mentions.
            let inner = forms
                .values()
                .flat_map(|form| form.terms.keys())
                .filter_map(|variable| {
                    let owner = *self.graph.owners.get(variable)?;
                    let is_inner = owner != head
                        && self.order.dominates(head, owner)
                        && self.graph.nodes[owner].params.contains(variable)
                        && !self.order.is_head(self.graph, owner);
                    is_inner.then_some(owner)
                })
                .max_by_key(|owner| self.order.chain(*owner).len());
            let Some(inner) = inner else {
                let constant = forms.iter().filter_map(|(&param, form)| {
                    let alone = form.terms.len() == 1 && form.terms.get(&param) == Some(&1);
                    alone.then_some((param, form.constant))
                });
                vectors.push(constant.collect());
                continue;
            };
            let params = &self.graph.nodes[inner].params;
            for &(from, edge) in &self.graph.nodes[inner].ways_in {
                let args = &self.graph.nodes[from].edges[edge].args;
                let next = forms
                    .iter()
                    .filter_map(|(&param, form)| {
                        Some((param, form.substitute(terms, params, args)?))
                    })
                    .collect();
                open.push(next);
            }
        }
    }

    /// The slope minus its value where the loop is entered, when there is one entry.
    fn with_entry_values(&self, head: usize, slope: &TermSum) -> Option<TermSum> {
        let mut entries = self.graph.nodes[head]
            .ways_in
            .iter()
            .filter(|(from, _)| !self.order.is_back(*from, head));
        let (from, edge) = *entries.next()?;
        if entries.next().is_some() {
            return None;
        }
        let args = &self.graph.nodes[from].edges[edge].args;
        let entry = self.before(head, args, slope)?;
        let mut whole = slope.clone();
        add_scaled(&mut whole, &entry, -1)?;
        whole.constant = 0;
        Some(whole)
    }
}

/// `constant + sum of coefficient * variable`, modulo the width: for updates only.
#[derive(Debug, Clone, Default)]
struct LinearForm {
    terms: BTreeMap<TermId, i128>,
    constant: i128,
}

impl LinearForm {
    fn substitute(&self, terms: &Terms, params: &[TermId], args: &[TermId]) -> Option<LinearForm> {
        let mut result = LinearForm { terms: BTreeMap::new(), constant: self.constant };
        for (&variable, &coefficient) in &self.terms {
            match params.iter().position(|param| *param == variable) {
                Some(position) => {
                    let form = form_of(terms, args[position])?;
                    result.constant =
                        result.constant.checked_add(form.constant.checked_mul(coefficient)?)?;
                    for (&inner, &c) in &form.terms {
                        *result.terms.entry(inner).or_default() += c.checked_mul(coefficient)?;
                    }
                }
                None => *result.terms.entry(variable).or_default() += coefficient,
            }
        }
        result.terms.retain(|_, c| *c != 0);
        Some(result)
    }
}

fn form_of(terms: &Terms, term: TermId) -> Option<LinearForm> {
    let sum = linear(terms, term, Signedness::Signed)?;
    let mut form = LinearForm { terms: BTreeMap::new(), constant: sum.constant };
    for (variable, _, c) in sum.terms {
        *form.terms.entry(variable).or_default() += c;
    }
    Some(form)
}

/// How variables are compared: signed unless only unsigned comparisons see them.
fn readings(terms: &Terms, atoms: &[(TermId, TermId, Signedness)]) -> BTreeMap<TermId, Signedness> {
    let mut unsigned = BTreeSet::new();
    let mut signed = BTreeSet::new();
    for &(a, b, signedness) in atoms {
        for side in [a, b] {
            for (variable, reading, _) in
                linear(terms, side, signedness).into_iter().flat_map(|sum| sum.terms)
            {
                match reading {
                    Signedness::Unsigned => unsigned.insert(variable),
                    Signedness::Signed => signed.insert(variable),
                };
            }
        }
    }
    unsigned
        .into_iter()
        .filter(|variable| !signed.contains(variable))
        .map(|variable| (variable, Signedness::Unsigned))
        .collect()
}
