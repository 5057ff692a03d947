//! What a refutation rests on: the errors that it needs not to happen (checks on the way whose conditions contradict
//! what is refuted), and bounds of the search.

use std::collections::BTreeSet;

use glassbox_ir::CheckKind;
use glassbox_model::{ChoiceKind, ChoicePoint};
use glassbox_terms::TermId;
use glassbox_testcase::Assumption;

use crate::guide::{self, Refutation};
use crate::search::PathSearch;
use crate::tree::{NodeId, OpenWay, Tree, WayState};

/// Refutations of one search that are tried again without checks. Beyond that all checks of a core are named.
const MAX_TRIED_AGAIN: usize = 200;

/// Refutations of one search that are tried again without bounds. Beyond that all bounds of a core are named.
const MAX_DOUBTED: usize = 500;

/// Conditions on the way to a choice.
#[derive(Debug, Default)]
struct Conditions {
    /// What checks demand that were passed.
    checks: Vec<(TermId, Assumption)>,
    /// Everything else.
    others: BTreeSet<TermId>,
}

impl Conditions {
    fn before(tree: &Tree, node: NodeId) -> Conditions {
        let mut found = Conditions::default();
        found.others.extend(&tree.node(node).assumed);
        let mut at = tree.node(node).parent;
        while let Some((node, way)) = at {
            found.add(tree, node, way);
            at = tree.node(node).parent;
        }
        found.checks.retain(|(condition, _)| !found.others.contains(condition));
        found
    }

    fn add(&mut self, tree: &Tree, node: NodeId, way: usize) {
        let node = tree.node(node);
        let condition = node.ways[way].condition;
        match error_of(&node.point) {
            Some(error) if way == 0 => self.checks.push((condition, error)),
            Some(_) | None => {
                self.others.insert(condition);
            }
        }
        self.others.extend(&node.assumed);
    }

    /// The errors whose absence the core needs.
    fn in_core(&self, core: &[TermId]) -> Vec<Assumption> {
        let used = self.checks.iter().filter(|(condition, _)| core.contains(condition));
        Assumption::listed(used.map(|(_, error)| *error))
    }
}

impl PathSearch<'_> {
    /// The errors that must not happen for this way to be closed.
    pub(crate) fn errors_behind(&mut self, open: OpenWay, core: &[TermId]) -> Vec<Assumption> {
        if !self.program.language.errors_are_undefined() {
            return Vec::new();
        }
        // No run passes the check: each of them ends here.
        if open.way == 0
            && let Some(error) = error_of(&self.tree.node(open.node).point)
        {
            return vec![error];
        }
        let on_the_way = Conditions::before(&self.tree, open.node);
        let errors = on_the_way.in_core(core);
        if errors.is_empty() || self.n_tried_again >= MAX_TRIED_AGAIN {
            return errors;
        }
        self.n_tried_again += 1;
        let is_check = |term: &TermId| on_the_way.checks.iter().any(|(check, _)| check == term);
        let mut conditions = self.tree.conditions(open.node);
        conditions.retain(|term| !is_check(term));
        let condition = self.tree.node(open.node).ways[open.way].condition;
        match self.solver.check(&mut self.terms, &conditions, condition) {
            guide::Verdict::Infeasible(core) => {
                self.note_refutation(&conditions, condition, &core);
                Vec::new()
            }
            guide::Verdict::Feasible(_) | guide::Verdict::Unknown(_) => errors,
        }
    }

    /// A refutation that needs a bound of the search holds within it only. That the bound is in the core does not say that
    /// it is needed: without it, something else may do.
    pub(crate) fn note_refutation(&mut self, conditions: &[TermId], last: TermId, core: &[TermId]) {
        let facts = &self.inputs.bound_facts;
        let used = core.iter().filter_map(|term| Some(facts.get(term)?.bound));
        let used: BTreeSet<Assumption> = used.filter(|it| !self.bounds.contains(it)).collect();
        if used.is_empty() || self.is_refuted_without(&used, &BTreeSet::new(), conditions, last) {
            return;
        }
        let mut needless = BTreeSet::new();
        let mut needed = used.clone();
        for &bound in used.iter().filter(|_| used.len() > 1) {
            needless.insert(bound);
            needed.remove(&bound);
            if !self.is_refuted_without(&needless, &needed, conditions, last) {
                needless.remove(&bound);
                needed.insert(bound);
            }
        }
        self.bounds.extend(needed);
    }

    /// Whether the conditions contradict each other without some bounds, with some others, and with those that something
    /// rests on already.
    fn is_refuted_without(
        &mut self,
        without: &BTreeSet<Assumption>,
        with: &BTreeSet<Assumption>,
        conditions: &[TermId],
        last: TermId,
    ) -> bool {
        if self.n_doubted >= MAX_DOUBTED {
            return false;
        }
        self.n_doubted += 1;
        let facts = &self.inputs.bound_facts;
        let weaker = |&term: &TermId| match facts.get(&term) {
            Some(fact) if without.contains(&fact.bound) => fact.anyway,
            Some(_) | None => Some(term),
        };
        let Some(last) = weaker(&last) else { return false };
        let conditions: Vec<TermId> = conditions.iter().filter_map(weaker).collect();
        let verdict = self.solver.check(&mut self.terms, &conditions, last);
        let guide::Verdict::Infeasible(core) = verdict else { return false };
        let mut facts = core.iter().filter_map(|term| self.inputs.bound_facts.get(term));
        facts.all(|fact| with.contains(&fact.bound) || self.bounds.contains(&fact.bound))
    }

    /// Lines on which a check may fail on some path of the tree, as far as that is not excluded.
    pub(crate) fn lines_that_may_fail(&mut self) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        let mut n_asked = 0;
        for id in self.tree.ids() {
            let node = self.tree.node(id);
            let Some(Assumption::NoError { line, .. }) = error_of(&node.point) else { continue };
            if lines.contains(&line) {
                continue;
            }
            let failing = node.ways.iter().skip(1).filter(|way| way.state != WayState::Infeasible);
            let failing: Vec<TermId> = failing.map(|way| way.condition).collect();
            let conditions = self.tree.conditions(id);
            for condition in failing {
                n_asked += 1;
                let is_refuted = n_asked <= MAX_TRIED_AGAIN
                    && matches!(
                        self.solver.check(&mut self.terms, &conditions, condition),
                        guide::Verdict::Infeasible(core)
                            if !core.iter().any(|term| self.inputs.bound_facts.contains_key(term))
                    );
                if !is_refuted {
                    lines.insert(line);
                }
            }
        }
        lines
    }

    /// The errors that must not happen for refutations on a path, whose last choice and way are these.
    pub(crate) fn errors_on_path(
        &self,
        last: Option<(NodeId, usize)>,
        refutations: &[Refutation],
    ) -> Vec<Assumption> {
        let Some((node, way)) = last else { return Vec::new() };
        if refutations.is_empty() || !self.program.language.errors_are_undefined() {
            return Vec::new();
        }
        let mut on_the_way = Conditions::before(&self.tree, node);
        on_the_way.add(&self.tree, node, way);
        Assumption::listed(refutations.iter().flat_map(|it| on_the_way.in_core(&it.core)))
    }
}

/// The error that a check at this place excludes, if it is one: a failed assertion is an end like any other.
fn error_of(point: &ChoicePoint) -> Option<Assumption> {
    let ChoiceKind::Check(kind) = point.kind else { return None };
    let in_library = point.caller.map(|(_, span)| span);
    no_error(kind, in_library.unwrap_or(point.span).line, in_library.is_some())
}

/// That a check of this kind does not fail on a line.
pub(crate) fn no_error(kind: CheckKind, line: u32, in_library: bool) -> Option<Assumption> {
    let is_end = matches!(
        kind,
        CheckKind::Assertion
            | CheckKind::Precondition
            | CheckKind::Relation
            | CheckKind::Leak
            | CheckKind::Endless
    );
    let error = if in_library { None } else { Some(kind) };
    (!is_end).then_some(Assumption::NoError { error, line })
}
