//! Guides one path: along known choices first, then wherever a model of the path's conditions leads.

use std::cell::RefCell;
use std::rc::Rc;

use glassbox_ir::{BlockId, FuncId, Span};
use glassbox_model::{Alternative, ChoiceKind, ChoicePoint, Guide, Lives, PathState};
use glassbox_solver::{Answer, AssertionId, Solver, Why};
use glassbox_terms::{Evaluator, Model, TermId, Terms, Value};

use crate::meetings::Visit;
use crate::tree::{NodeId, Tree, WayState};

/// A solver whose stack follows the conditions of one path after another.
#[derive(Debug)]
pub struct PathSolver {
    solver: Solver,
    asserted: Vec<(TermId, AssertionId)>,
}

/// What the solver says about a path.
#[derive(Debug)]
pub enum Verdict {
    Feasible(Model),
    /// With the conditions that contradict each other.
    Infeasible(Vec<TermId>),
    Unknown(Why),
}

impl PathSolver {
    pub fn new(solver: Solver) -> PathSolver {
        PathSolver { solver, asserted: Vec::new() }
    }

    /// Whether the conditions can hold together with one more.
    pub fn check(&mut self, terms: &mut Terms, conditions: &[TermId], last: TermId) -> Verdict {
        let n_shared =
            self.asserted.iter().zip(conditions).take_while(|((a, _), b)| a == *b).count();
        let n_extra = self.asserted.len() - n_shared;
        if n_extra > 0 {
            self.solver.pop(n_extra);
            self.asserted.truncate(n_shared);
        }
        for &condition in &conditions[n_shared..] {
            self.solver.push();
            let id = self.solver.assert(terms, condition);
            self.asserted.push((condition, id));
        }
        match self.solver.check_assuming(terms, &[last]) {
            Answer::Sat(model) => Verdict::Feasible(model),
            Answer::Unknown(why) => Verdict::Unknown(why),
            Answer::Unsat(core) => {
                let is_in_core = |id: &AssertionId| core.assertions.contains(id);
                let asserted = self.asserted.iter().filter(|(_, id)| is_in_core(id));
                let mut conditions: Vec<TermId> = asserted.map(|(term, _)| *term).collect();
                conditions.extend(core.assumptions);
                Verdict::Infeasible(conditions)
            }
        }
    }

    pub fn solver(&self) -> &Solver {
        &self.solver
    }
}

/// Guides one execution and records it in the tree.
#[derive(Debug)]
pub struct PathGuide<'a> {
    tree: &'a mut Tree,
    solver: &'a mut PathSolver,
    evaluator: Evaluator,
    /// Satisfies `conditions`.
    model: Model,
    // Ways to take before the model decides.
    prefix: Vec<usize>,
    position: usize,
    // The way that leads to the next choice.
    last: Option<(NodeId, usize)>,
    // Facts assumed since the last choice.
    assumed: Vec<TermId>,
    // The value that the next choice is about.
    suggested: Option<Value>,
    conditions: Vec<TermId>,
    edges: Vec<(FuncId, BlockId, u32)>,
    // What was refuted on the way.
    refutations: Vec<Refutation>,
    is_unknown: bool,
    wishes: Wishes<'a>,
    lifted: Vec<(Span, TermId)>,
    is_beyond: bool,
}

/// What paths are wanted.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// Where a run-time error is a way like others. Elsewhere no path goes into one if it can go on.
    pub wants_failure: &'a dyn Fn(&ChoicePoint) -> bool,
    /// Assumptions of the program that are recorded and not made.
    pub lifts_assumption: &'a dyn Fn(Span) -> bool,
    /// Turns of a loop after which a path ends.
    pub max_turns: u32,
    /// Whether a path ends where another one has been in the same state.
    pub joins_states: bool,
    /// Whether the time is over.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Wishes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wishes").field("max_turns", &self.max_turns).finish_non_exhaustive()
    }
}

/// Something that cannot follow after the first conditions of a path.
#[derive(Debug)]
pub struct Refutation {
    /// What contradicts each other.
    pub core: Vec<TermId>,
    /// Conditions before it.
    pub n_conditions: usize,
    pub last: TermId,
}

/// What is left of a guide when the path has ended.
#[derive(Debug)]
pub struct GuidedPath {
    pub model: Model,
    pub conditions: Vec<TermId>,
    pub edges: Vec<(FuncId, BlockId, u32)>,
    /// What was refuted on the way.
    pub refutations: Vec<Refutation>,
    /// The solver gave up on the way: the path may have been cut short.
    pub is_unknown: bool,
    /// The path was ended at a choice whose loop went round too often; all its ways stay open.
    pub is_beyond: bool,
    /// The last choice and the way taken there.
    pub last: Option<(NodeId, usize)>,
    /// Assumptions that were not made, each with its place.
    pub lifted: Vec<(Span, TermId)>,
}

impl<'a> PathGuide<'a> {
    pub fn new(
        tree: &'a mut Tree,
        solver: &'a mut PathSolver,
        wishes: Wishes<'a>,
        model: Model,
        prefix: Vec<usize>,
    ) -> PathGuide<'a> {
        PathGuide {
            tree,
            solver,
            evaluator: Evaluator::new(),
            model,
            prefix,
            position: 0,
            last: None,
            assumed: Vec::new(),
            suggested: None,
            conditions: Vec::new(),
            edges: Vec::new(),
            refutations: Vec::new(),
            is_unknown: false,
            wishes,
            lifted: Vec::new(),
            is_beyond: false,
        }
    }

    fn seeks(&self, point: &ChoicePoint) -> bool {
        (self.wishes.wants_failure)(point)
    }

    pub fn finish(self) -> GuidedPath {
        GuidedPath {
            model: self.model,
            conditions: self.conditions,
            edges: self.edges,
            refutations: self.refutations,
            is_unknown: self.is_unknown,
            is_beyond: self.is_beyond,
            last: self.last,
            lifted: self.lifted,
        }
    }

    fn refute(&mut self, core: Vec<TermId>, last: TermId) {
        let n_conditions = self.conditions.len();
        self.refutations.push(Refutation { core, n_conditions, last });
    }

    fn holds(&mut self, terms: &Terms, condition: TermId) -> bool {
        self.evaluator.again(terms, &self.model).truth(condition)
    }

    /// Another model: nothing that was evaluated holds any more.
    fn change_model(&mut self, model: Model) {
        self.model = model;
        self.evaluator = Evaluator::new();
    }

    /// The choice that an earlier path came to after the same ways.
    fn known_next(&self) -> Option<NodeId> {
        let Some((node, way)) = self.last else { return self.tree.root() };
        match self.tree.node(node).ways[way].state {
            WayState::Taken(next) => next,
            WayState::Open | WayState::Infeasible | WayState::Unknown | WayState::Failure => None,
        }
    }

    /// The node of this choice: known from an earlier path, or new.
    fn node(&mut self, point: &ChoicePoint, alternatives: &[Alternative]) -> NodeId {
        let known = self.known_next();
        let suggested = self.suggested.take();
        let assumed = std::mem::take(&mut self.assumed);
        match known {
            Some(node) => {
                // A choice that looks different from last time would make the tree's conditions wrong:
                // nothing may be concluded from it.
                let ways = &self.tree.node(node).ways;
                let is_same = ways.len() == alternatives.len()
                    && ways
                        .iter()
                        .zip(alternatives)
                        .all(|(way, new)| way.condition == new.condition);
                self.is_unknown |= !is_same;
                node
            }
            None => {
                let node = self.tree.add(*point, self.last, assumed, alternatives, suggested);
                let has_failure = alternatives.iter().any(|alternative| alternative.is_failure);
                if has_failure && self.seeks(point) {
                    for way in 0..alternatives.len() {
                        self.tree.set_state(node, way, WayState::Open);
                    }
                }
                node
            }
        }
    }

    /// The way that the model takes, or for free choices the first that is open.
    fn natural_way(
        &mut self,
        terms: &Terms,
        node: NodeId,
        point: &ChoicePoint,
        alternatives: &[Alternative],
    ) -> Option<usize> {
        if matches!(point.kind, ChoiceKind::Pointer | ChoiceKind::Callee | ChoiceKind::Allocation) {
            let ways = &self.tree.node(node).ways;
            let open = ways.iter().position(|way| way.state == WayState::Open);
            return open.or(Some(0));
        }
        (0..alternatives.len()).find(|&way| self.holds(terms, alternatives[way].condition))
    }

    /// The model runs into an error: looks for inputs that do not.
    fn avoid_failure(
        &mut self,
        terms: &mut Terms,
        node: NodeId,
        alternatives: &[Alternative],
    ) -> Option<usize> {
        for (way, alternative) in alternatives.iter().enumerate() {
            if alternative.is_failure {
                continue;
            }
            match self.solver.check(terms, &self.conditions, alternative.condition) {
                Verdict::Feasible(model) => {
                    self.change_model(model);
                    return Some(way);
                }
                Verdict::Infeasible(core) => {
                    self.refute(core, alternative.condition);
                    self.tree.set_state(node, way, WayState::Infeasible);
                }
                Verdict::Unknown(_) => {
                    self.is_unknown = true;
                    self.tree.set_state(node, way, WayState::Unknown);
                }
            }
        }
        None
    }
}

impl Guide for PathGuide<'_> {
    fn choose(
        &mut self,
        terms: &mut Terms,
        point: &ChoicePoint,
        alternatives: &[Alternative],
    ) -> Option<usize> {
        let node = self.node(point, alternatives);
        if self.tree.node(node).turns > self.wishes.max_turns && self.position >= self.prefix.len()
        {
            self.is_beyond = true;
            return None;
        }
        let mut way = match self.prefix.get(self.position) {
            Some(&way) => way,
            None => {
                let way = self.natural_way(terms, node, point, alternatives);
                // No way fits the model: a defect of Glassbox, so nothing may be concluded.
                self.is_unknown |= way.is_none();
                way?
            }
        };
        if self.position >= self.prefix.len()
            && alternatives[way].is_failure
            && !self.seeks(point)
            && let Some(other) = self.avoid_failure(terms, node, alternatives)
        {
            way = other;
        }
        self.position += 1;
        if matches!(self.tree.node(node).ways[way].state, WayState::Open | WayState::Unknown) {
            self.tree.set_state(node, way, WayState::Taken(None));
        }
        self.last = Some((node, way));
        if terms.as_bool_const(alternatives[way].condition).is_none() {
            self.conditions.push(alternatives[way].condition);
        }
        Some(way)
    }

    fn assume(&mut self, terms: &mut Terms, fact: TermId) -> bool {
        self.assumed.push(fact);
        let is_replayed = self.position < self.prefix.len();
        if !is_replayed && !self.holds(terms, fact) {
            match self.solver.check(terms, &self.conditions, fact) {
                Verdict::Feasible(model) => self.change_model(model),
                Verdict::Infeasible(core) => {
                    self.refute(core, fact);
                    return false;
                }
                Verdict::Unknown(_) => {
                    self.is_unknown = true;
                    return false;
                }
            }
        }
        self.conditions.push(fact);
        true
    }

    fn lifts(&mut self, assumption: TermId, at: Span) -> bool {
        let is_lifted = (self.wishes.lifts_assumption)(at);
        if is_lifted {
            self.lifted.push((at, assumption));
        }
        is_lifted
    }

    fn suggest(&mut self, terms: &mut Terms, term: TermId) -> Value {
        let known = self.known_next().and_then(|node| self.tree.node(node).suggested.clone());
        let value =
            known.unwrap_or_else(|| self.evaluator.again(terms, &self.model).value(term).clone());
        self.suggested = Some(value.clone());
        value
    }

    fn edge(&mut self, function: FuncId, block: BlockId, edge: u32) {
        self.edges.push((function, block, edge));
    }

    /// Only where the path is new: elsewhere others have looked. The model satisfies all conditions, so that the
    /// state is one that runs come to.
    fn lives(&self) -> Option<Rc<RefCell<Lives>>> {
        let is_new = self.position >= self.prefix.len() && !self.is_unknown;
        (self.wishes.joins_states && is_new).then(|| self.tree.meetings.lives.clone())
    }

    fn meets(&mut self, terms: &Terms, state: PathState, activations: &[u32]) -> bool {
        let conditions = self.tree.meetings.conditions_on(terms, &state, &self.conditions);
        let visit = Visit { at: self.last, conditions, activations: activations.to_vec() };
        self.tree.meets(state, visit)
    }

    fn is_stopped(&self) -> bool {
        (self.wishes.is_stopped)()
    }
}
