//! Compilation: from terms to kernel variables and propagators.
//!
//! Every scalar term that takes part has one variable; every operator has one propagator over
//! `[result, arguments...]`. Both are made once per term and live on; *activation* makes them take
//! part and is undone by `pop`. The walk keeps its own stack, so deep terms cannot overflow ours.

use glassbox_kernel::{AssertId, Domain, Kernel, PropIdx, Reason, VarIdx};
use glassbox_terms::{Op, TermId, Terms, Value};

use crate::dispatch::{self, Kind, Table};

#[derive(Debug, Clone, Copy)]
struct Slot {
    var: Option<VarIdx>,
    prop: Option<PropIdx>,
    active: bool,
}

const EMPTY: Slot = Slot { var: None, prop: None, active: false };

#[derive(Debug, Clone, Copy)]
struct Level {
    n_active: usize,
    n_leaves: usize,
    n_guards: usize,
}

/// What has been compiled, and what takes part.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compiled {
    // By term.
    slots: Vec<Slot>,
    active: Vec<TermId>,
    leaves: Vec<TermId>,
    guards: Vec<VarIdx>,
    levels: Vec<Level>,
    stack: Vec<(TermId, bool)>,
    args: Vec<VarIdx>,
}

impl Compiled {
    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            n_active: self.active.len(),
            n_leaves: self.leaves.len(),
            n_guards: self.guards.len(),
        });
    }

    pub(crate) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        for term in self.active.drain(level.n_active..) {
            self.slots[term.index()].active = false;
        }
        self.leaves.truncate(level.n_leaves);
        self.guards.truncate(level.n_guards);
    }

    pub(crate) fn active_var(&self, term: TermId) -> Option<VarIdx> {
        self.slots.get(term.index()).filter(|slot| slot.active).and_then(|slot| slot.var)
    }

    /// The free variables that take part, oldest first.
    pub(crate) fn leaves(&self) -> &[TermId] {
        &self.leaves
    }

    /// Booleans worth trying both ways: conditions and members of disjunctions.
    pub(crate) fn guards(&self) -> &[VarIdx] {
        &self.guards
    }

    /// Asserts a boolean term. Conjunctions are taken apart, negations turned inward one step.
    pub(crate) fn assert(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
        id: AssertId,
    ) {
        let mut todo = vec![(term, true)];
        while let Some((term, truth)) = todo.pop() {
            if kernel.has_failed() {
                return;
            }
            match (terms.op(term), truth) {
                (Op::Not, _) => todo.push((terms.arg(term, 0), !truth)),
                (Op::And, true) | (Op::Or, false) => {
                    todo.extend(terms.args(term).iter().rev().map(|&arg| (arg, truth)));
                }
                _ => {
                    let var = self.activate(kernel, terms, term);
                    // A conflict is remembered by the kernel and reported by `propagate`.
                    let _ = kernel.assume(var, truth, Reason::Assertion(id));
                }
            }
        }
    }

    /// The variable of a term, with everything below it taking part.
    pub(crate) fn activate(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
    ) -> VarIdx {
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), EMPTY);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((term, false));
        while let Some((term, below_done)) = stack.pop() {
            if self.slots[term.index()].active {
                continue;
            }
            if !below_done {
                stack.push((term, true));
                for &arg in terms.args(term).iter().rev() {
                    if !self.slots[arg.index()].active {
                        stack.push((arg, false));
                    }
                }
                continue;
            }
            self.activate_one(kernel, terms, term);
        }
        self.stack = stack;
        self.slots[term.index()].var.expect("activation makes a variable")
    }

    /// Activates a term whose arguments are active.
    fn activate_one(&mut self, kernel: &mut Kernel<Table>, terms: &Terms, term: TermId) {
        let op = terms.op(term);
        let mut slot = self.slots[term.index()];
        if slot.var.is_none() {
            let domain = match op {
                Op::True => Domain::point(&Value::Bool(true)),
                Op::False => Domain::point(&Value::Bool(false)),
                Op::BvConst(bits) => Domain::point(&Value::Bv(bits)),
                Op::FloatConst(float) => Domain::point(&Value::Float(float)),
                _ => Domain::full(terms.sort(term)),
            };
            let result = kernel.store.add_var(domain);
            slot.var = Some(result);
            if let Some(kind) = self.kind_of(kernel, terms, term) {
                self.args.clear();
                self.args.push(result);
                for &arg in terms.args(term) {
                    self.args.push(self.slots[arg.index()].var.expect("arguments come first"));
                }
                slot.prop = Some(kernel.add(kind, &self.args));
            }
        }
        slot.active = true;
        self.slots[term.index()] = slot;
        self.active.push(term);
        if matches!(op, Op::Var(_)) {
            self.leaves.push(term);
        }
        self.note_guards(terms, term);
        if let Some(prop) = slot.prop {
            kernel.activate(prop);
        }
    }

    fn kind_of(&self, kernel: &mut Kernel<Table>, terms: &Terms, term: TermId) -> Option<Kind> {
        let sorts = dispatch::Sorts::of(terms, term);
        dispatch::kind_of(&mut kernel.dispatch, terms.op(term), sorts)
    }

    fn note_guards(&mut self, terms: &Terms, term: TermId) {
        let guards = match terms.op(term) {
            Op::Ite => &terms.args(term)[..1],
            Op::Or | Op::And => terms.args(term),
            _ => return,
        };
        for &guard in guards {
            if let Some(var) = self.slots[guard.index()].var {
                self.guards.push(var);
            }
        }
    }
}
