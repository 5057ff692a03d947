//! Compilation: from terms to kernel variables and propagators.
//!
//! Every term that takes part has one variable and at most one relation over it (`plan`). Both are
//! made once per term and live on; *activation* makes them take part and is undone by `pop`. The walk
//! keeps its own stack, so deep terms cannot overflow the call stack.

use glassbox_kernel::{AssertId, Domain, Kernel, PropIdx, Reason, VarIdx};
use glassbox_terms::{ArrayOp, BoolOp, Op, TermId, Terms, Value};

use crate::array::congruence::SameArray;
use crate::dispatch::{Kind, Table};
use crate::plan::{self, FreshSum, Layout, Plan, TREE_ARITY};

#[derive(Debug, Clone, Copy)]
struct Slot {
    plan: Plan,
    var: VarIdx,
    // Ranges of `children` and of `props`.
    children: (u32, u32),
    props: (u32, u32),
}

/// Two reads of one free array are kept consistent for at most this many earlier reads.
const MAX_PAIRED_READS: usize = 16;

#[derive(Debug, Clone, Copy)]
struct Level {
    n_active: usize,
    n_free: usize,
    n_guards: usize,
    n_reads: usize,
}

#[derive(Debug, Clone, Copy)]
enum Visit {
    Enter,
    Leave,
}

/// What has been compiled, and what takes part.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compiled {
    // By term.
    slots: Vec<Option<Slot>>,
    is_active: Vec<bool>,
    children: Vec<TermId>,
    props: Vec<PropIdx>,
    active: Vec<TermId>,
    free: Vec<TermId>,
    // Parallel to `free`.
    free_vars: Vec<VarIdx>,
    guards: Vec<VarIdx>,
    reads: Vec<TermId>,
    levels: Vec<Level>,
    stack: Vec<(TermId, Visit)>,
    args: Vec<VarIdx>,
}

impl Compiled {
    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            n_active: self.active.len(),
            n_free: self.free.len(),
            n_guards: self.guards.len(),
            n_reads: self.reads.len(),
        });
    }

    pub(crate) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        for term in self.active.drain(level.n_active..) {
            self.is_active[term.index()] = false;
        }
        self.free.truncate(level.n_free);
        self.free_vars.truncate(level.n_free);
        self.guards.truncate(level.n_guards);
        self.reads.truncate(level.n_reads);
    }

    pub(crate) fn active_var(&self, term: TermId) -> Option<VarIdx> {
        let active = self.is_active.get(term.index()).copied().unwrap_or(false);
        if active { self.slots[term.index()].map(|slot| slot.var) } else { None }
    }

    /// The terms whose values the search must choose, oldest first: variables, and reads of free
    /// arrays.
    pub(crate) fn free(&self) -> &[TermId] {
        &self.free
    }

    /// The variables of `free`.
    pub(crate) fn free_vars(&self) -> &[VarIdx] {
        &self.free_vars
    }

    /// Booleans worth trying both ways: conditions and members of connectives.
    pub(crate) fn guards(&self) -> &[VarIdx] {
        &self.guards
    }

    /// The reads of arrays that take part, oldest first.
    pub(crate) fn reads(&self) -> &[TermId] {
        &self.reads
    }

    /// Asserts a boolean term. Conjunctions are taken apart, negations turned inward one step.
    pub(crate) fn assert(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
        id: AssertId,
    ) {
        if !matches!(terms.op(term), Op::Bool(BoolOp::Not | BoolOp::And | BoolOp::Or)) {
            return self.assert_literal(kernel, terms, term, true, id);
        }
        let mut todo = vec![(term, true)];
        while let Some((term, truth)) = todo.pop() {
            match (terms.op(term), truth) {
                (Op::Bool(BoolOp::Not), _) => todo.push((terms.arg(term, 0), !truth)),
                (Op::Bool(BoolOp::And), true) | (Op::Bool(BoolOp::Or), false) => {
                    todo.extend(terms.args(term).iter().rev().map(|&arg| (arg, truth)));
                }
                _ => self.assert_literal(kernel, terms, term, truth, id),
            }
        }
    }

    fn assert_literal(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
        truth: bool,
        id: AssertId,
    ) {
        if kernel.has_failed() {
            return;
        }
        let var = self.activate(kernel, terms, term);
        // A conflict is remembered by the kernel and reported by `propagate`.
        let _ = kernel.assume(var, truth, Reason::Assertion(id));
    }

    /// The variable of a term, with everything below it taking part.
    pub(crate) fn activate(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
    ) -> VarIdx {
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), None);
            self.is_active.resize(terms.len(), false);
        }
        if !self.is_active[term.index()] {
            let mut stack = std::mem::take(&mut self.stack);
            stack.push((term, Visit::Enter));
            while let Some((term, visit)) = stack.pop() {
                if self.is_active[term.index()] {
                    continue;
                }
                match visit {
                    Visit::Enter => {
                        let slot = self.slot(kernel, terms, term);
                        stack.push((term, Visit::Leave));
                        let (start, end) = slot.children;
                        for &child in self.children[start as usize..end as usize].iter().rev() {
                            if !self.is_active[child.index()] {
                                stack.push((child, Visit::Enter));
                            }
                        }
                    }
                    Visit::Leave => self.activate_one(kernel, terms, term),
                }
            }
            self.stack = stack;
        }
        self.slots[term.index()].expect("activation makes a slot").var
    }

    /// The slot of a term, made with its plan and variable if new.
    fn slot(&mut self, kernel: &mut Kernel<Table>, terms: &Terms, term: TermId) -> Slot {
        if let Some(slot) = self.slots[term.index()] {
            return slot;
        }
        let start = length(&self.children);
        let slots = &self.slots;
        let is_own = |term: TermId| slots[term.index()].is_some();
        let plan = plan::plan(&mut kernel.dispatch, terms, term, is_own, &mut self.children);
        let domain = match terms.as_value(term) {
            Some(value) => Domain::point(&value),
            None => Domain::full(terms.sort(term)),
        };
        let slot = Slot {
            plan,
            var: kernel.store.add_var(domain),
            children: (start, length(&self.children)),
            props: (0, 0),
        };
        self.slots[term.index()] = Some(slot);
        slot
    }

    /// Activates a term whose children are active.
    fn activate_one(&mut self, kernel: &mut Kernel<Table>, terms: &Terms, term: TermId) {
        let mut slot = self.slots[term.index()].expect("entered before it is left");
        if slot.plan.kind.is_some() && slot.props == (0, 0) {
            let start = length(&self.props);
            self.post(kernel, terms, term, slot);
            slot.props = (start, length(&self.props));
            self.slots[term.index()] = Some(slot);
        }
        self.is_active[term.index()] = true;
        self.active.push(term);
        if slot.plan.is_free {
            self.free.push(term);
            self.free_vars.push(slot.var);
        }
        match terms.op(term) {
            Op::Ite => self.note_guards(&terms.args(term)[..1]),
            Op::Bool(BoolOp::Or | BoolOp::And) => self.note_guards(terms.args(term)),
            Op::Array(ArrayOp::Select) => self.reads.push(term),
            Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::Eq => {}
            Op::Bool(BoolOp::Not | BoolOp::Xor) | Op::Bv(_) | Op::Fp(_) => {}
            Op::Array(ArrayOp::Store | ArrayOp::Const { .. }) => {}
        }
        for position in slot.props.0..slot.props.1 {
            kernel.activate(self.props[position as usize]);
        }
    }

    fn var_of(&self, term: TermId) -> VarIdx {
        self.slots[term.index()].expect("children have slots").var
    }

    /// Adds the propagators of a term.
    fn post(&mut self, kernel: &mut Kernel<Table>, terms: &Terms, term: TermId, slot: Slot) {
        let Some(kind) = slot.plan.kind else {
            return;
        };
        let (start, end) = slot.children;
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        args.push(slot.var);
        for &child in &self.children[start as usize..end as usize] {
            args.push(self.var_of(child));
        }
        match slot.plan.layout {
            Layout::ResultFirst => {}
            Layout::Difference => args.swap(0, 1),
            Layout::WithSum(sum) => {
                let operands = args.split_off(args.len() - sum.n_parts);
                let fresh = self.fresh_sum(kernel, args[1], sum, &operands);
                args.push(fresh);
            }
            Layout::IsZero(sum) => {
                let operands = args.split_off(1);
                // Without parts the sum is a constant, of the width the equality compares.
                let width = terms.width(terms.arg(term, 0));
                let domain = Domain::full(glassbox_terms::Sort::Bv(width));
                let fresh = kernel.store.add_var(domain);
                self.post_sum(kernel, fresh, sum, &operands);
                let zero = Value::Bv(glassbox_values::Bits::zero(width));
                args.extend([fresh, kernel.store.add_var(Domain::point(&zero))]);
            }
            Layout::EqualsMin => {
                let width = kernel.store.bits(args[1]).width();
                let min = Value::Bv(glassbox_values::Bits::min_signed(width));
                args.push(kernel.store.add_var(Domain::point(&min)));
            }
            Layout::Tree => self.split(kernel, kind, &mut args),
        }
        self.props.push(kernel.add(kind, &args));
        if terms.op(term) == Op::Array(ArrayOp::Select) && slot.plan.is_free {
            self.pair_reads(kernel, terms, term, &args);
        }
        self.args = args;
    }

    /// A fresh variable like `like` that is a linear sum of `operands`.
    fn fresh_sum(
        &mut self,
        kernel: &mut Kernel<Table>,
        like: VarIdx,
        sum: FreshSum,
        operands: &[VarIdx],
    ) -> VarIdx {
        let width = kernel.store.bits(like).width();
        let fresh = kernel.store.add_var(Domain::full(glassbox_terms::Sort::Bv(width)));
        self.post_sum(kernel, fresh, sum, operands);
        fresh
    }

    fn post_sum(
        &mut self,
        kernel: &mut Kernel<Table>,
        fresh: VarIdx,
        sum: FreshSum,
        operands: &[VarIdx],
    ) {
        let mut sum_args = vec![fresh];
        sum_args.extend_from_slice(operands);
        self.props.push(kernel.add(sum.kind, &sum_args));
    }

    /// Replaces the operands by fresh booleans over groups of them until they are few.
    fn split(&mut self, kernel: &mut Kernel<Table>, kind: Kind, args: &mut Vec<VarIdx>) {
        while args.len() > TREE_ARITY + 1 {
            let operands = args.split_off(1);
            for group in operands.chunks(TREE_ARITY) {
                if let [single] = group {
                    args.push(*single);
                    continue;
                }
                let part = kernel.store.add_var(Domain::full(glassbox_terms::Sort::Bool));
                let mut group_args = vec![part];
                group_args.extend_from_slice(group);
                self.props.push(kernel.add(kind, &group_args));
                args.push(part);
            }
        }
    }

    /// Keeps a direct read of a free array consistent with earlier active ones.
    fn pair_reads(
        &mut self,
        kernel: &mut Kernel<Table>,
        terms: &Terms,
        term: TermId,
        args: &[VarIdx],
    ) {
        if args.len() != 2 {
            return;
        }
        let array = terms.arg(term, 0);
        let earlier: Vec<TermId> = self
            .reads
            .iter()
            .rev()
            .copied()
            .filter(|&read| terms.arg(read, 0) == array)
            .take(MAX_PAIRED_READS)
            .collect();
        for read in earlier {
            let other = [self.var_of(read), self.var_of(terms.arg(read, 1))];
            let kind = kernel.dispatch.keep(Box::new(SameArray));
            let prop = kernel.add(kind, &[args[0], args[1], other[0], other[1]]);
            self.props.push(prop);
        }
    }

    fn note_guards(&mut self, guards: &[TermId]) {
        for &guard in guards {
            if let Some(slot) = self.slots[guard.index()] {
                self.guards.push(slot.var);
            }
        }
    }
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("fewer than 2^32 entries")
}
