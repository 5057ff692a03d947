//! States in which paths have come to heads of loops: a path that comes to one again has nothing new before it.
//!
//! Loops that wait for events come back to the same few states in ever new ways. A path ends where an earlier one has been in the
//! same state under conditions that leave at least as much open; what it would come to lies before that one. So loops over finitely many states
//! are followed to their end, and nothing is said about whether runs end: they may go from state to state forever.
//!
//! Bounds on turns stay true, because a path only ends where the earlier one has gone round no loop that is under way more often:
//! whatever this path would come to within a bound, the other comes to within it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_model::{ChoicePoint, Lives, PathState};
use glassbox_terms::{TermId, Terms, VarId};

use crate::trail::is_same_choice;
use crate::tree::{NodeId, Tree};

/// Numbers of all states that are kept: some ten megabytes.
const MAX_NUMBERS: usize = 4 << 20;

/// What is known of states.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    pub(crate) lives: Rc<RefCell<Lives>>,
    states: BTreeMap<Vec<u64>, Vec<Visit>>,
    n_numbers: usize,
    variables: BTreeMap<TermId, Rc<[VarId]>>,
}

/// A path that came to a state.
#[derive(Debug)]
pub(crate) struct Visit {
    /// Its last choice. A path has one visit of a state behind each choice, however often it is followed.
    pub(crate) at: Option<(NodeId, usize)>,
    /// Conditions on what the state holds.
    pub(crate) conditions: BTreeSet<TermId>,
    /// On the stack, outermost first.
    pub(crate) activations: Vec<u32>,
}

impl Meetings {
    /// Those of a path's conditions that say something of what a state holds, if only by way of others.
    pub(crate) fn conditions_on(
        &mut self,
        terms: &Terms,
        state: &PathState,
        conditions: &[TermId],
    ) -> BTreeSet<TermId> {
        let mut variables: BTreeSet<VarId> = BTreeSet::new();
        for &term in &state.terms {
            variables.extend(self.variables_of(terms, term).iter());
        }
        let mut found = BTreeSet::new();
        let mut rest: Vec<(TermId, Rc<[VarId]>)> =
            conditions.iter().map(|&term| (term, self.variables_of(terms, term))).collect();
        loop {
            let (connected, others): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, own)| own.iter().any(|variable| variables.contains(variable)));
            if connected.is_empty() {
                return found;
            }
            for (term, own) in connected {
                found.insert(term);
                variables.extend(own.iter());
            }
            rest = others;
        }
    }

    fn variables_of(&mut self, terms: &Terms, term: TermId) -> Rc<[VarId]> {
        self.variables.entry(term).or_insert_with(|| terms.vars_of(&[term]).into()).clone()
    }
}

impl Tree {
    /// Whether an earlier path has been in the state of this visit, and whatever comes next lies before it, too.
    /// Otherwise the visit is remembered.
    pub(crate) fn meets(&mut self, state: PathState, visit: Visit) -> bool {
        let numbers = state.numbers;
        let is_met = self.meetings.states.get(&numbers).is_some_and(|earlier| {
            // Behind the same choice it is this path itself.
            let is_other = |other: &&Visit| other.at != visit.at;
            let mut others = earlier.iter().filter(is_other);
            others.any(|other| {
                other.conditions.is_subset(&visit.conditions) && self.is_no_later(other, &visit)
            })
        });
        if !is_met && self.meetings.n_numbers + numbers.len() <= MAX_NUMBERS {
            self.meetings.n_numbers += numbers.len() + visit.conditions.len();
            self.meetings.states.entry(numbers).or_default().push(visit);
        }
        is_met
    }

    /// Whether the first visit came after no more turns than the second, of any loop that is under way.
    fn is_no_later(&self, first: &Visit, second: &Visit) -> bool {
        let turns = |visit: &Visit| visit.at.map_or(0, |(node, _)| self.node(node).turns);
        if turns(first) > turns(second) {
            return false;
        }
        let later = self.under_way(second);
        self.under_way(first).iter().all(|(depth, point, visits)| {
            let same = later.iter().find(|(other_depth, other, _)| {
                depth == other_depth && is_same_choice(other, point)
            });
            same.is_some_and(|(_, _, other)| visits <= other)
        })
    }

    /// How often activations on the stack have come to each of their choices.
    fn under_way(&self, visit: &Visit) -> Vec<(usize, &ChoicePoint, u32)> {
        let mut found: Vec<(usize, &ChoicePoint, u32)> = Vec::new();
        let mut at = visit.at;
        while let Some((node, _)) = at {
            let node = self.node(node);
            let active = visit.activations.iter().position(|it| *it == node.point.activation);
            if let Some(depth) = active
                && !found
                    .iter()
                    .any(|(other, point, _)| *other == depth && is_same_choice(point, &node.point))
            {
                found.push((depth, &node.point, node.visits));
            }
            at = node.parent;
        }
        found
    }
}
