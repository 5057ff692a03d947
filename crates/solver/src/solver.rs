//! The manager: the stack, the layers, and the order in which they run.

use std::time::Duration;

use glassbox_kernel::Budget;
use glassbox_terms::{Evaluator, Model, TermId, Terms, Value, VarId};

use crate::answer::{Answer, AssertionId, Core, Why};
use crate::layer::blast::Complete;
use crate::layer::propagate::Domains;
use crate::layer::reuse::{Cores, Models};
use crate::layer::rewrite::{Rewriter, add_unchanged};
use crate::layer::split::Splitter;
use crate::layer::{System, Verdict, descent, relax};
use crate::limits;
use crate::options::{Layer, Options};
use crate::patience::Patience;
use crate::stack::{Because, Stack, join};
use crate::stage::{Progress, Stage};
use crate::statistics::Statistics;

/// An incremental solver for the terms of one arena, which only grows.
#[derive(Debug)]
pub struct Solver {
    options: Options,
    stack: Stack,
    rewriter: Rewriter,
    splitter: Splitter,
    models: Models,
    cores: Cores,
    domains: Domains,
    complete: Complete,
    evaluator: Evaluator,
    statistics: Statistics,
    // The assertions of a core on the stack, by position; the stack is refuted as long as they stay.
    refuted: Option<Because>,
    violated: Vec<u32>,
}

/// What a stage said, and whether it had used up what it was given.
struct Said {
    verdict: Verdict,
    is_cut: bool,
}

impl From<Verdict> for Said {
    fn from(verdict: Verdict) -> Said {
        Said { verdict, is_cut: false }
    }
}

/// The end of a check, in positions of assertions.
enum Outcome {
    Model(Model),
    Refuted(Because),
    Unknown(Why),
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Options::default())
    }
}

impl Solver {
    pub fn new(options: Options) -> Solver {
        Solver {
            options,
            stack: Stack::default(),
            rewriter: Rewriter::default(),
            splitter: Splitter::default(),
            models: Models::default(),
            cores: Cores::default(),
            domains: Domains::default(),
            complete: Complete::default(),
            evaluator: Evaluator::new(),
            statistics: Statistics::default(),
            refuted: None,
            violated: Vec::new(),
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The number of pushes not yet popped.
    pub fn level(&self) -> usize {
        self.stack.level()
    }

    pub fn push(&mut self) {
        self.stack.push();
    }

    /// Drops the last `n` levels with their assertions; at most as many as there are.
    pub fn pop(&mut self, n: usize) {
        for _ in 0..n.min(self.stack.level()) {
            self.pop_level();
        }
    }

    fn pop_level(&mut self) {
        let n_assertions = self.stack.n_assertions_below();
        for assertion in &self.stack.assertions()[n_assertions..] {
            self.cores.deactivate(assertion.term);
        }
        self.stack.pop();
        self.models.pop_to(n_assertions);
        self.domains.pop_to(self.stack.level(), self.stack.conjuncts().len());
        let is_gone =
            |because: &Because| because.last().is_some_and(|&p| p as usize >= n_assertions);
        if self.refuted.as_ref().is_some_and(is_gone) {
            self.refuted = None;
        }
    }

    /// Adds a boolean term to what must hold, until the present level is popped.
    pub fn assert(&mut self, terms: &mut Terms, term: TermId) -> AssertionId {
        let position = u32::try_from(self.stack.assertions().len()).expect("ids fit 32 bits");
        let id = self.stack.add_assertion(term);
        self.cores.activate(term);
        if self.options.layers.has(Layer::Rewrite) {
            let steps = self.rewriter.add(&mut self.stack, terms, term, position);
            let layer = self.statistics.layer_mut(Layer::Rewrite);
            layer.asked += 1;
            layer.steps += steps;
        } else {
            add_unchanged(&mut self.stack, terms, term, position);
        }
        id
    }

    /// The assertions in force, in their order.
    pub fn assertions(&self) -> impl Iterator<Item = (AssertionId, TermId)> {
        self.stack.assertions().iter().map(|assertion| (assertion.id, assertion.term))
    }

    /// Whether the assertions can hold together.
    pub fn check(&mut self, terms: &mut Terms) -> Answer {
        self.answer(terms, self.stack.assertions().len())
    }

    /// Whether the assertions and these boolean terms can hold together.
    pub fn check_assuming(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Answer {
        let n_assertions = self.stack.assertions().len();
        self.push();
        for &assumption in assumptions {
            self.assert(terms, assumption);
        }
        let answer = self.answer(terms, n_assertions);
        self.pop_level();
        answer
    }

    /// Checks the stack; what lies beyond the first `n_asserted` assertions are assumptions.
    fn answer(&mut self, terms: &mut Terms, n_asserted: usize) -> Answer {
        self.statistics.checks += 1;
        match self.decide(terms) {
            Outcome::Model(model) => {
                self.statistics.sat += 1;
                Answer::Sat(model)
            }
            Outcome::Refuted(because) => {
                self.statistics.unsat += 1;
                let mut core = Core::default();
                for &position in &because {
                    let assertion = self.stack.assertions()[position as usize];
                    if (position as usize) < n_asserted {
                        core.assertions.push(assertion.id);
                    } else {
                        core.assumptions.push(assertion.term);
                    }
                }
                if let Some(second_opinion) = &self.options.second_opinion {
                    let term = |&position: &u32| self.stack.assertions()[position as usize].term;
                    let core: Vec<TermId> = because.iter().map(term).collect();
                    second_opinion.ask(terms, &core);
                }
                self.refuted = Some(because);
                Answer::Unsat(core)
            }
            Outcome::Unknown(why) => {
                self.statistics.unknown += 1;
                Answer::Unknown(why)
            }
        }
    }

    fn decide(&mut self, terms: &mut Terms) -> Outcome {
        if let Some(because) = &self.refuted {
            return Outcome::Refuted(because.clone());
        }
        if let Some(because) = self.stack.contradiction() {
            self.statistics.layer_mut(Layer::Rewrite).unsat += 1;
            return Outcome::Refuted(because.clone());
        }
        if terms.len() > self.options.max_terms {
            return Outcome::Unknown(Why::TooLarge);
        }
        let reuses = self.options.layers.has(Layer::Reuse);
        if reuses && let Some(outcome) = self.reuse(terms) {
            return outcome;
        }
        self.solve(terms)
    }

    /// Asks the memories.
    fn reuse(&mut self, terms: &Terms) -> Option<Outcome> {
        let statistics = self.statistics.layer_mut(Layer::Reuse);
        statistics.asked += 1;
        let assertions = self.stack.assertions();
        if let Some(model) = self.models.satisfying(terms, &mut self.evaluator, assertions) {
            statistics.sat += 1;
            return Some(Outcome::Model(model.clone()));
        }
        let n_sat = self.models.best().map_or(0, |(_, n_holds)| n_holds);
        let core = assertions[n_sat..].iter().find_map(|a| self.cores.active_with(a.term))?;
        let mut because = Because::new();
        for &member in core {
            let position = assertions.iter().position(|a| a.term == member)?;
            join(&mut because, &[u32::try_from(position).ok()?]);
        }
        statistics.unsat += 1;
        Some(Outcome::Refuted(because))
    }

    /// Solves the systems that the best known model violates.
    fn solve(&mut self, terms: &mut Terms) -> Outcome {
        let patience = Patience::begin(&self.options);
        let reuses = self.options.layers.has(Layer::Reuse);
        let (mut model, n_holds) = match self.models.best() {
            Some((model, n_holds)) if reuses => (model.clone(), n_holds),
            Some(_) | None => (Model::new(), 0),
        };
        let systems = self.systems(terms, &model, n_holds);
        let mut unknown = None;
        for system in &systems {
            match self.solve_system(terms, system, &model, &patience) {
                Verdict::Candidate(found) => model.extend_with(&found),
                Verdict::Refuted(conjuncts) => return self.refute(&conjuncts),
                Verdict::Open => unknown = unknown.or(Some(Why::Incomplete)),
                Verdict::GaveUp(why) => unknown = Some(why),
            }
        }
        if let Some(why) = unknown {
            return Outcome::Unknown(why);
        }
        self.compute_definitions(terms, &mut model);
        let assertions = self.stack.assertions();
        let mut evaluation = self.evaluator.under(terms, &model);
        if assertions.iter().all(|assertion| evaluation.truth(assertion.term)) {
            self.models.add(model.clone(), assertions.len());
            return Outcome::Model(model);
        }
        self.statistics.layer_mut(Layer::Rewrite).wrong += 1;
        self.solve_as_asserted(terms, &patience)
    }

    /// The systems with a conjunct that the model violates; the first `n_holds` assertions hold.
    fn systems(&mut self, terms: &Terms, model: &Model, n_holds: usize) -> Vec<System> {
        let conjuncts = self.stack.conjuncts();
        self.violated.clear();
        let first = self.stack.assertions().get(n_holds).map_or(0, |a| a.first_conjunct);
        let mut evaluation = self.evaluator.under(terms, model);
        for (position, conjunct) in (first..).zip(&conjuncts[first as usize..]) {
            if !evaluation.truth(conjunct.term) {
                self.violated.push(position);
            }
        }
        if self.violated.is_empty() {
            return Vec::new();
        }
        if !self.options.layers.has(Layer::Split) {
            return vec![System::whole(&self.stack)];
        }
        let systems = self.splitter.systems(&self.stack, &self.violated);
        let statistics = self.statistics.layer_mut(Layer::Split);
        statistics.asked += 1;
        statistics.steps += systems.len() as u64;
        systems
    }

    /// Asks one layer after the other until one decides.
    fn solve_system(
        &mut self,
        terms: &mut Terms,
        system: &System,
        base: &Model,
        patience: &Patience,
    ) -> Verdict {
        let mut progress = Progress {
            n_nodes: self.n_nodes(system),
            n_stack_nodes: self.stack.n_nodes(),
            last: Verdict::Open,
            relax_is_cut: false,
        };
        let mut is_too_large = false;
        for stage in Stage::ORDER {
            let layer = stage.layer();
            if !self.options.layers.has(layer) || !stage.applies(terms, system, &progress) {
                continue;
            }
            if stage == Stage::Blast && is_too_large {
                progress.last = Verdict::GaveUp(Why::TooLarge);
                continue;
            }
            let started = self.options.timing.then(crate::patience::now);
            let Said { verdict, is_cut } = self.ask(stage, terms, system, base, patience);
            progress.relax_is_cut |= stage == Stage::Relax && is_cut;
            self.statistics.layer_mut(layer).time +=
                started.map_or(Duration::ZERO, |instant| instant.elapsed());
            let judged = self.judge(terms, system, base, layer, verdict);
            // A local search without result does not change why the question is open.
            if stage != Stage::LongDescent || judged != Verdict::Open {
                progress.last = judged;
            }
            if matches!(progress.last, Verdict::Candidate(_) | Verdict::Refuted(_)) {
                return progress.last;
            }
            is_too_large |= progress.last == Verdict::GaveUp(Why::TooLarge);
            if patience.is_over() {
                return Verdict::GaveUp(Why::Stopped);
            }
        }
        progress.last
    }

    fn n_nodes(&self, system: &System) -> usize {
        let conjuncts = self.stack.conjuncts();
        system.conjuncts.iter().map(|&p| conjuncts[p as usize].vars.n_nodes()).sum()
    }

    /// What one stage says.
    fn ask(
        &mut self,
        stage: Stage,
        terms: &Terms,
        system: &System,
        base: &Model,
        patience: &Patience,
    ) -> Said {
        let steps = &self.options.steps;
        let (relax_steps, label_steps) = (steps.relax, steps.label);
        match stage {
            Stage::Propagate => self.propagate(terms, patience).into(),
            Stage::QuickLabel => {
                self.label(terms, system, base, label_steps.min(limits::QUICK_LABEL_STEPS)).into()
            }
            Stage::Label => self.label(terms, system, base, label_steps).into(),
            Stage::Relax => self.relax(terms, system, relax_steps, limits::QUICK_BOXES),
            Stage::LongRelax => {
                let relax_steps = limits::LONG_RELAX_FACTOR * relax_steps;
                self.relax(terms, system, relax_steps, limits::LONG_BOXES)
            }
            Stage::Descent => self.descend(terms, system, base, self.options.seed).into(),
            Stage::LongDescent => self.descend_long(terms, system, base, patience).into(),
            Stage::QuickBlast => {
                self.blast(terms, system, limits::QUICK_CONFLICTS, patience).into()
            }
            Stage::Blast => self.blast(terms, system, u64::MAX, patience).into(),
        }
    }

    /// Local searches with one seed after the other.
    fn descend_long(
        &mut self,
        terms: &Terms,
        system: &System,
        base: &Model,
        patience: &Patience,
    ) -> Verdict {
        for round in 1..=limits::LONG_DESCENTS {
            let seed = self.options.seed.wrapping_add(round);
            let verdict = self.descend(terms, system, base, seed);
            let is_over = patience.is_over();
            if verdict != Verdict::Open || is_over {
                return verdict;
            }
        }
        Verdict::Open
    }

    fn descend(&mut self, terms: &Terms, system: &System, base: &Model, seed: u64) -> Verdict {
        let (verdict, n_steps) =
            descent::solve(terms, system, base, self.options.steps.descent, seed);
        self.statistics.layer_mut(Layer::Descent).steps += n_steps;
        verdict
    }

    fn blast(
        &mut self,
        terms: &Terms,
        system: &System,
        conflicts: u64,
        patience: &Patience,
    ) -> Verdict {
        let stop = patience.stop();
        let conflicts = conflicts.min(self.options.steps.conflicts);
        let verdict = self.complete.solve(terms, system, self.options.max_gates, conflicts, stop);
        self.statistics.layer_mut(Layer::Blast).steps = self.complete.n_conflicts;
        verdict
    }

    /// Searches over the domains, the values of the model at hand first.
    fn label(&mut self, terms: &Terms, system: &System, base: &Model, steps: u64) -> Verdict {
        let mut budget = Budget::steps(steps);
        let verdict = match self.domains.propagate(&self.stack, terms, &mut budget) {
            Verdict::Open => {
                self.domains.suggest(terms, base);
                self.domains.label(terms, system, &mut budget)
            }
            decided @ (Verdict::Candidate(_) | Verdict::Refuted(_) | Verdict::GaveUp(_)) => decided,
        };
        self.statistics.layer_mut(Layer::Label).steps += steps - budget.left();
        verdict
    }

    fn propagate(&mut self, terms: &Terms, patience: &Patience) -> Verdict {
        let steps = &self.options.steps;
        let mut budget = Budget::steps(steps.propagate);
        let per_look = if patience.is_limited() { limits::STEPS_PER_LOOK } else { u64::MAX };
        let mut verdict;
        loop {
            let mut part = budget.part(per_look);
            verdict = self.domains.propagate(&self.stack, terms, &mut part);
            let is_settled = verdict != Verdict::Open || !part.is_spent();
            budget.refund(part);
            if is_settled || budget.is_spent() {
                break;
            }
            if patience.is_over() {
                return Verdict::Open;
            }
        }
        let mut probing = Budget::steps(if verdict == Verdict::Open { steps.probe } else { 0 });
        if !probing.is_spent() {
            verdict = self.domains.probe(&mut probing);
        }
        self.statistics.layer_mut(Layer::Propagate).steps += steps.propagate - budget.left();
        verdict
    }

    fn relax(&mut self, terms: &Terms, system: &System, steps: u64, boxes: u32) -> Said {
        // Without propagation, or where the stack is too large for it, the domains have not seen this stack: bounds that
        // rest on its last levels would stay when those are popped.
        let has_seen = self.domains.has_seen(&self.stack);
        let domains = has_seen.then_some(&mut self.domains);
        let relaxed = relax::solve(terms, system, domains, steps, boxes);
        let is_cut = relaxed.is_cut;
        self.statistics.layer_mut(Layer::Relax).steps += relaxed.n_pivots;
        if !relaxed.has_narrowed || matches!(relaxed.verdict, Verdict::Refuted(_)) {
            return Said { verdict: relaxed.verdict, is_cut };
        }
        let mut budget = Budget::steps(self.options.steps.propagate);
        let verdict = match self.domains.propagate(&self.stack, terms, &mut budget) {
            refuted @ Verdict::Refuted(_) => refuted,
            Verdict::Open | Verdict::Candidate(_) | Verdict::GaveUp(_) => relaxed.verdict,
        };
        Said { verdict, is_cut }
    }

    /// Counts a verdict, and evaluates it when it is a candidate.
    fn judge(
        &mut self,
        terms: &Terms,
        system: &System,
        base: &Model,
        layer: Layer,
        verdict: Verdict,
    ) -> Verdict {
        let statistics = self.statistics.layer_mut(layer);
        statistics.asked += 1;
        match verdict {
            Verdict::Candidate(found) => {
                let mut model = base.clone();
                model.extend_with(&found);
                if self.evaluator.under(terms, &model).all_hold(&system.terms) {
                    statistics.sat += 1;
                    Verdict::Candidate(found)
                } else if matches!(layer, Layer::Relax | Layer::Label) {
                    // Proposals, as these layers say themselves.
                    statistics.missed += 1;
                    Verdict::Open
                } else {
                    statistics.wrong += 1;
                    Verdict::GaveUp(Why::Disagreement)
                }
            }
            Verdict::Refuted(conjuncts) => {
                statistics.unsat += 1;
                Verdict::Refuted(conjuncts)
            }
            open @ (Verdict::Open | Verdict::GaveUp(_)) => open,
        }
    }

    fn refute(&mut self, conjuncts: &[u32]) -> Outcome {
        let mut because = Because::new();
        for &position in conjuncts {
            join(&mut because, &self.stack.conjuncts()[position as usize].because);
        }
        if self.options.layers.has(Layer::Reuse) {
            let assertions = self.stack.assertions();
            self.cores.add(because.iter().map(|&p| assertions[p as usize].term).collect());
        }
        Outcome::Refuted(because)
    }

    /// Gives the variables that were substituted away their values.
    fn compute_definitions(&mut self, terms: &Terms, model: &mut Model) {
        // A definition may use variables defined later, never ones defined before. Values are set
        // together as long as none of them is needed for the next one.
        let mut found: Vec<(VarId, Value)> = Vec::new();
        let mut definitions = self.stack.definitions().iter().rev().peekable();
        while definitions.peek().is_some() {
            let mut evaluation = self.evaluator.under(terms, model);
            while let Some(definition) = definitions.peek() {
                if definition.is_computed {
                    let vars = self.stack.vars.get(definition.vars);
                    if found.iter().any(|(var, _)| vars.binary_search(var).is_ok()) {
                        break;
                    }
                    found.push((definition.var, evaluation.value(definition.term).clone()));
                }
                definitions.next();
            }
            for (var, value) in found.drain(..) {
                model.set(var, value);
            }
        }
    }

    /// The way out when rewriting led to a wrong model: the complete layer on the assertions as they came.
    fn solve_as_asserted(&mut self, terms: &Terms, patience: &Patience) -> Outcome {
        if !self.options.layers.has(Layer::Blast) {
            return Outcome::Unknown(Why::Disagreement);
        }
        let assertions = self.stack.assertions();
        let system = System {
            conjuncts: (0..).take(assertions.len()).collect(),
            terms: assertions.iter().map(|assertion| assertion.term).collect(),
            vars: Vec::new(),
        };
        let verdict = self.complete.solve(
            terms,
            &system,
            self.options.max_gates,
            self.options.steps.conflicts,
            patience.stop(),
        );
        match self.judge(terms, &system, &Model::new(), Layer::Blast, verdict) {
            Verdict::Candidate(model) => Outcome::Model(model),
            Verdict::Refuted(positions) => Outcome::Refuted(Because::from_vec(positions)),
            Verdict::Open => Outcome::Unknown(Why::Disagreement),
            Verdict::GaveUp(why) => Outcome::Unknown(why),
        }
    }
}
