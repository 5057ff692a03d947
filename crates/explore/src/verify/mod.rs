//! Verification: can any run of a function fail one of its properties?
//!
//! A quest of `PathSearch` for which a failing check is a way like any other. A path
//! that takes it ends there, and its model is a counter-example that the interpreter has to confirm. When
//! no way is left, a property that nothing violates holds; what was left open weakens that, property by
//! property, to the bounds within which everything was looked at.

mod blame;
mod conclude;
pub(crate) mod order;
mod places;
mod readable;
mod rests;
mod run;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use glassbox_coverage::{Properties, Property, PropertyKind};
use glassbox_interp::{Externals, Options, UndefinedBehavior};
use glassbox_ir::{BlockId, CheckKind, FuncId, Program, Span};
use glassbox_model::{ChoiceKind, ChoicePoint, Config, Execution, PathEnd, StackPlace};
use glassbox_solver::Statistics;
use glassbox_testcase::{TestInput, Verdict};

use crate::aim::Aim;
use crate::budget::Budget;
use crate::guide::GuidedPath;
use crate::proof::Purpose;
use crate::proof::properties::Found;
use crate::runner::{FoundTest, TestRunner};
use crate::search::{PathSearch, Quest, Subject};
use crate::seeds;
use crate::supervision::{Standing, Supervision};
use crate::tree::{Node, NodeId, OpenWay, WayState};
use blame::{Blame, blame_of_path};
use rests::Rests;
use run::Ran;

/// What to verify.
#[derive(Debug)]
pub struct Question<'a> {
    pub program: &'a Program,
    /// Where runs start.
    pub entry: FuncId,
    /// What must hold.
    pub properties: Properties,
    pub config: &'a Config,
    pub budget: &'a Budget,
    /// Turns of a loop, or activations of one function above each other, on one path.
    pub max_turns: u32,
}

/// A run that fails a property.
#[derive(Debug, Clone)]
pub struct Violation {
    pub property: usize,
    pub test: FoundTest,
    /// What the interpreter saw.
    pub report: UndefinedBehavior,
}

/// What was found.
#[derive(Debug)]
pub struct Verification {
    /// Those asked about, and those that only a run showed.
    pub properties: Properties,
    /// By property. `Violated` names a position in `violations`; `Infeasible` says that no run comes to
    /// the property at all.
    pub verdicts: Vec<Verdict>,
    pub violations: Vec<Violation>,
    pub n_paths: usize,
    pub n_runs: usize,
    /// Runs in which the interpreter contradicted the path: defects of Glassbox.
    pub n_divergences: usize,
    /// Every way was followed to the end of a run or refuted, without bounds on loops: all runs end.
    pub is_complete: bool,
    /// Something that runs may come to and that is not understood: it may do what no property is about.
    pub blind_spot: Option<(String, Span)>,
    /// An input whose run never ends: it was seen to come back to a state it had.
    pub endless: Option<TestInput>,
    pub statistics: Statistics,
    /// By property: how the prover showed it, in words.
    pub proofs: Vec<Option<String>>,
    /// By property: it would hold without bounds, but for something else that is asked about and may come before it.
    pub is_after_finding: Vec<bool>,
}

/// The check of one entry in stages, each under the caller's time limit: proofs ahead of the search where functions
/// call themselves, the search, proofs for what it left open; then the errors that are not asked about (`rests`).
/// One prover serves all.
#[derive(Debug)]
pub struct Check<'a> {
    search: PathSearch<'a>,
    quest: Violate,
    /// By property: what was proved ahead of the search.
    ahead: Option<Vec<Option<Found>>>,
    rests: Rests,
}

impl<'a> Check<'a> {
    pub fn new(
        question: Question<'a>,
        library: Box<dyn Externals>,
        supervision: impl Into<Supervision<'a>>,
    ) -> Check<'a> {
        let Question { program, entry, properties, config, budget, max_turns } = question;
        let finds_lost_memory =
            properties.list().iter().any(|property| property.kind.is_about_the_end());
        let kept_is_lost = properties.asked().kept_memory();
        let options = Options {
            finds_lost_memory,
            kept_is_lost,
            finds_repetition: true,
            ..TestRunner::options(budget.run_steps)
        };
        let runner = TestRunner::new(program, options, library);
        let config = Config { finds_lost_memory, kept_is_lost, ..*config };
        let subject = Subject { program, aim: Aim::from(entry), config, budget: *budget };
        let search =
            PathSearch::with_runner(subject, runner, Purpose::Properties, supervision.into());
        let quest = Violate::new(properties, max_turns, budget.paths);
        Check { search, quest, ahead: None, rests: Rests::default() }
    }

    /// Asks the prover first where functions call themselves, because their paths have no end. Where all is proved,
    /// concrete runs and one path are left to show what is reached.
    pub fn prove_ahead(&mut self) {
        self.ahead = self.search.proofs.ahead(self.quest.properties.list());
        let properties = self.quest.properties.list();
        let is_proved = self.ahead.as_ref().is_some_and(|ahead| {
            let mut pairs = ahead.iter().zip(properties);
            pairs.all(|(proof, property)| proof.is_some() || !property.is_asked)
        });
        if is_proved {
            self.quest.path_limit = 1;
        }
    }

    /// Runs inputs and follows paths.
    pub fn search(&mut self) -> Verification {
        let Check { search, quest, .. } = self;
        quest.run_seeds(search);
        search.pursue(quest);
        quest.run_long(search);
        quest.make_readable(search);
        search.report(quest);
        quest.conclude(search)
    }

    /// Asks the prover about what the search left open or bounded.
    pub fn prove_open(&mut self, found: &mut Verification) {
        let properties = found.properties.list();
        let ahead = self.ahead.as_deref();
        found.proofs = self.search.proofs.improve(properties, ahead, &mut found.verdicts);
    }
}

/// What is known about one property so far.
#[derive(Debug, Clone, Default)]
struct Finding {
    violation: Option<usize>,
    /// A path says that it fails and the interpreter does not agree.
    disagreement: Option<String>,
    /// A run ends here in a way that does not count.
    ends_runs: bool,
    /// A run fails it after everything was said about it.
    is_contradicted: bool,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    /// Failures that count.
    Asked,
    /// Errors that do not count, by property, because what holds may rest on their absence.
    Errors(BTreeSet<usize>),
}

/// What paths came to.
#[derive(Debug, Default)]
struct Seen {
    sites: BTreeSet<(FuncId, BlockId, u32)>,
    /// Blocks that were left through their terminator.
    left: BTreeSet<(FuncId, BlockId)>,
}

/// A place behind which runs were not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cut {
    /// Of the function under test.
    entry_block: BlockId,
    turns: u32,
    why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    /// Not tried: the budget ended or the loop went round too often.
    NotTried,
    /// The solver gave up.
    Solver,
    /// A path was too long.
    Steps,
    Unsupported(String, Span),
    /// Interpreter and path disagree.
    Divergence,
}

/// An open way in the order of the search: fewest turns first, then the newest choice.
type Entry = (Reverse<u32>, NodeId, Reverse<usize>);

/// The quest for failures.
#[derive(Debug)]
struct Violate {
    properties: Properties,
    findings: Vec<Finding>,
    violations: Vec<Violation>,
    max_turns: u32,
    path_limit: usize,
    agenda: BinaryHeap<Entry>,
    // Choices of the tree whose ways are on the agenda.
    n_queued: usize,
    endless: Option<TestInput>,
    seen: Seen,
    /// Where paths ended too early.
    cuts: Vec<Cut>,
    /// A path ended where another one has been: runs may go round forever.
    has_met: bool,
    stage: Stage,
}

impl Quest for Violate {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        search.n_paths >= self.path_limit || search.is_stopped() || self.finds_nothing_more()
    }

    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        while let Some((_, node, Reverse(way))) = self.agenda.pop() {
            let Node { point, ways, .. } = search.tree.node(node);
            if ways[way].state != WayState::Open {
                continue;
            }
            if !is_failing_way(point, way) || self.wants_failure(search.program, point) {
                return Some(OpenWay { node, way });
            }
            // The property is violated already: another counter-example adds nothing.
            search.tree.set_state(node, way, WayState::Failure);
        }
        None
    }

    /// Whether a failure here would show something new.
    fn wants_failure(&self, program: &Program, point: &ChoicePoint) -> bool {
        let ChoiceKind::Check(kind) = point.kind else { return false };
        let blame = blame::blame(program, point.function, kind, point.span, point.caller);
        let blame = self.within_call(blame);
        match self.properties.find(blame.function, blame.kind, blame.span) {
            Some(property) => self.wants(property),
            None => {
                self.properties.has_function(blame.function, blame.kind)
                    && !blame.is_expected_end()
                    && self.properties.counts(blame.kind) == (self.stage == Stage::Asked)
            }
        }
    }

    fn max_turns(&self) -> u32 {
        self.max_turns
    }

    /// A run that comes back to a state never ends, which is what termination asks about; and calls are compared as far as
    /// they return, so it matters there whether all do.
    fn joins_states(&self) -> bool {
        let is_about_ends = |property: &Property| {
            let kind = property.kind;
            let is_endless = kind == PropertyKind::Check(CheckKind::Endless);
            property.is_asked && (is_endless || kind == PropertyKind::Check(CheckKind::Relation))
        };
        !self.properties.list().iter().any(is_about_ends) && !self.wants_endless()
    }

    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        self.seen.sites.extend(&execution.sites);
        self.seen.left.extend(path.edges.iter().map(|edge| (edge.0, edge.1)));
        if path.is_unknown {
            self.cut(search, &execution.stack, path, Why::Solver);
        }
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Aborted => {
                self.confirm_lost(search, execution, path);
                self.confirm(search, execution, path, None);
                self.note_unconfirmed(search, execution, path);
            }
            PathEnd::Failed { kind, span } => {
                let blame = blame_of_path(search.program, &execution.stack, *kind, *span);
                let blame = self.within_call(blame);
                if let Some(property) = self.blamed(search.program, &blame) {
                    if !self.counts(property, *kind) {
                        self.findings[property].ends_runs = true;
                    } else if self.wants(property) {
                        self.confirm(search, execution, path, Some(property));
                    }
                }
            }
            PathEnd::Unsupported { what, span } => {
                let why = Why::Unsupported(what.clone(), *span);
                self.cut(search, &execution.stack, path, why);
            }
            PathEnd::OutOfSteps | PathEnd::Cut => {
                self.cut(search, &execution.stack, path, Why::Steps)
            }
            // What goes round too often may go round forever.
            PathEnd::Stopped if path.is_beyond && self.wants_endless() => {
                self.run_model(search, execution, path, &path.model);
            }
            // Refuted, excluded or followed elsewhere: nothing is missed.
            PathEnd::Rejected | PathEnd::Stopped => {}
            PathEnd::Met => self.has_met = true,
        }
        self.queue_new_ways(search);
    }

    fn standing(&self, search: &PathSearch<'_>) -> Option<Standing> {
        Some(Standing {
            goals: self.properties.len(),
            reached: self.violations.len(),
            refuted: 0,
            tests: self.violations.len(),
            runs: search.runner.n_runs(),
            paths: search.n_paths,
        })
    }
}

impl Violate {
    fn new(properties: Properties, max_turns: u32, path_limit: usize) -> Violate {
        Violate {
            findings: vec![Finding::default(); properties.len()],
            properties,
            violations: Vec::new(),
            max_turns,
            path_limit,
            agenda: BinaryHeap::new(),
            n_queued: 0,
            endless: None,
            seen: Seen::default(),
            cuts: Vec::new(),
            has_met: false,
            stage: Stage::Asked,
        }
    }

    /// Whether everything that is looked for was found.
    fn finds_nothing_more(&self) -> bool {
        let mut open = (0..self.properties.len()).filter(|&property| self.wants(property));
        open.next().is_none()
    }

    /// Whether a failure of this property would be new.
    fn wants(&self, property: usize) -> bool {
        let finding = &self.findings[property];
        match &self.stage {
            Stage::Asked => {
                self.properties.list()[property].is_asked && finding.violation.is_none()
            }
            Stage::Errors(wanted) => wanted.contains(&property) && !finding.ends_runs,
        }
    }

    /// Whether a run that never ends would be new.
    fn wants_endless(&self) -> bool {
        let list = self.properties.list();
        let endless = PropertyKind::Check(CheckKind::Endless);
        let index = list.iter().position(|property| property.kind == endless);
        index.is_some_and(|index| self.wants(index))
    }

    /// Whether it counts that the property fails in this way: the library may fail in ways that are not asked about.
    fn counts(&self, property: usize, kind: CheckKind) -> bool {
        let property = &self.properties.list()[property];
        let is_wider = property.kind == PropertyKind::LibraryCall;
        property.is_asked && (!is_wider || self.properties.asked().includes_failure(kind))
    }

    /// Failures that were not wanted before may be now: every way is looked at again.
    fn reopen_failures(&mut self, search: &mut PathSearch<'_>) {
        for id in search.tree.ids() {
            let Node { point, ways, .. } = search.tree.node(id);
            let way = ways.iter().position(|way| way.state == WayState::Failure);
            if let Some(way) = way
                && is_failing_way(point, way)
                && self.wants_failure(search.program, point)
            {
                search.tree.set_state(id, way, WayState::Open);
            }
        }
        self.n_queued = 0;
        self.queue_new_ways(search);
    }

    /// What short runs leave open may need many turns of a loop: the same inputs again, with leaps over turns.
    /// Last, because counter-examples of short runs are easier to follow.
    fn run_long(&mut self, search: &mut PathSearch<'_>) {
        search.runner.set_leaps(true);
        self.run_seeds(search);
    }

    fn run_seeds(&mut self, search: &mut PathSearch<'_>) {
        let Budget { seed, seeds, run_steps, .. } = search.budget;
        let mut inputs = seeds::inputs(search.program, search.aim(), seed, seeds);
        inputs.extend(seeds::inputs_from_constants(search.program, search.entry, seed));
        let mut n_endless = 0;
        for input in inputs {
            if self.is_done(search) {
                break;
            }
            if let Ran::Other(TOO_LONG) = self.run_input(search, input, Vec::new()) {
                n_endless += 1;
            }
            // Where most runs do not end, whole budgets for the others are wasted.
            if n_endless == MAX_ENDLESS {
                search.runner.set_max_steps(SHORT_RUN.min(run_steps));
            }
            search.report(self);
        }
        search.runner.set_max_steps(run_steps);
    }

    fn queue_new_ways(&mut self, search: &PathSearch<'_>) {
        for open in search.tree.open_ways_from(self.n_queued) {
            let turns = search.tree.node(open.node).turns;
            if turns <= self.max_turns {
                self.agenda.push((Reverse(turns), open.node, Reverse(open.way)));
            }
        }
        self.n_queued = search.tree.len();
    }

    fn cut(&mut self, search: &PathSearch<'_>, stack: &[StackPlace], path: &GuidedPath, why: Why) {
        let entry_block = stack.first().map_or(BlockId::new(0), |place| place.block);
        let turns = search.turns(path.last);
        let cut = Cut { entry_block, turns, why };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// Text that a native function of the library writes is followed on paths, which blames the call for what goes wrong inside.
    fn within_call(&self, blame: Blame) -> Blame {
        let call = PropertyKind::LibraryCall;
        let has = |kind| self.properties.find(blame.function, kind, blame.span).is_some();
        let is_inside = !blame.kind.is_assertion() && !has(blame.kind) && has(call);
        Blame { kind: if is_inside { call } else { blame.kind }, ..blame }
    }

    /// The property that a failure is about; a new one if there is none yet.
    fn blamed(&mut self, program: &Program, blame: &Blame) -> Option<usize> {
        if let Some(property) = self.properties.find(blame.function, blame.kind, blame.span) {
            return Some(property);
        }
        if !self.properties.has_function(blame.function, blame.kind) || blame.is_expected_end() {
            return None;
        }
        let (function, kind, span) = (blame.function, blame.kind, blame.span);
        let property = self.properties.add(program, function, kind, span, None);
        self.findings.resize(self.properties.len(), Finding::default());
        Some(property)
    }
}

/// Concrete runs that may use up their steps, before others get fewer.
const MAX_ENDLESS: usize = 3;

/// Steps of a run where runs tend not to end.
const SHORT_RUN: u64 = 20_000;

const TOO_LONG: &str = "it runs too long";

/// The second way of a check fails it.
fn is_failing_way(point: &ChoicePoint, way: usize) -> bool {
    matches!(point.kind, ChoiceKind::Check(_)) && way == 1
}
