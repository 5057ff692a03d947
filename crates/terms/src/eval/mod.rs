//! The reference semantics: the value of a term under a model.
//!
//! Every claim of an engine is checked against this room. Evaluation is iterative (deep terms are
//! ordinary here), meets a shared subterm once, looks into one branch of an `ite` only, and stops
//! at the first argument that decides an `and` or `or`.

mod bitvec;
mod float;
mod operator;

pub use operator::apply;

use crate::intern::{TermId, Terms};
use crate::model::Model;
use crate::op::{BoolOp, Op};
use crate::value::Value;

/// The value of one term. For many terms or models keep an `Evaluator`.
pub fn eval(terms: &Terms, model: &Model, term: TermId) -> Value {
    Evaluator::new().under(terms, model).value(term).clone()
}

/// The memory of evaluations, reusable from model to model without clearing or allocating.
#[derive(Debug, Clone, Default)]
pub struct Evaluator {
    // By term; only slots of the current epoch mean something.
    slots: Vec<Slot>,
    // The values computed in this epoch, in order: dense, however large the arena.
    values: Vec<Value>,
    epoch: u32,
    stack: Vec<Frame>,
}

/// Where the value of a term is.
#[derive(Debug, Clone, Copy)]
struct Slot {
    epoch: u32,
    position: u32,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    term: TermId,
    // How many arguments were looked at; for `ite`: 0 nothing, 1 condition known.
    next: u32,
}

/// Evaluation of terms under one model; remembers all subterms.
#[derive(Debug)]
pub struct Evaluation<'a> {
    memory: &'a mut Evaluator,
    terms: &'a Terms,
    model: &'a Model,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Starts anew with this model.
    pub fn under<'a>(&'a mut self, terms: &'a Terms, model: &'a Model) -> Evaluation<'a> {
        const UNUSED: Slot = Slot { epoch: 0, position: 0 };
        if self.epoch == u32::MAX {
            self.slots.fill(UNUSED);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.values.clear();
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), UNUSED);
        }
        Evaluation { memory: self, terms, model }
    }

    /// Goes on under the model of the last `under`, which must not have changed: what is known stays known.
    pub fn again<'a>(&'a mut self, terms: &'a Terms, model: &'a Model) -> Evaluation<'a> {
        if self.epoch == 0 {
            return self.under(terms, model);
        }
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), Slot { epoch: 0, position: 0 });
        }
        Evaluation { memory: self, terms, model }
    }

    fn known(&self, term: TermId) -> bool {
        self.slots[term.index()].epoch == self.epoch
    }

    fn get(&self, term: TermId) -> &Value {
        &self.values[self.slots[term.index()].position as usize]
    }

    fn set(&mut self, term: TermId, value: Value) {
        let position = u32::try_from(self.values.len()).expect("as many values as terms");
        self.slots[term.index()] = Slot { epoch: self.epoch, position };
        self.values.push(value);
    }
}

impl Evaluation<'_> {
    /// The value of `term`.
    pub fn value(&mut self, term: TermId) -> &Value {
        if !self.memory.known(term) {
            self.run(term);
        }
        self.memory.get(term)
    }

    /// The value of a boolean term.
    pub fn truth(&mut self, term: TermId) -> bool {
        self.value(term).as_bool().expect("the term should be boolean")
    }

    /// Whether all these boolean terms hold.
    pub fn all_hold(&mut self, terms: &[TermId]) -> bool {
        terms.iter().all(|&term| self.truth(term))
    }

    fn run(&mut self, root: TermId) {
        debug_assert!(self.memory.stack.is_empty(), "evaluations do not nest");
        self.memory.stack.push(Frame { term: root, next: 0 });
        while let Some(frame) = self.memory.stack.pop() {
            if !self.memory.known(frame.term) {
                self.step(frame);
            }
        }
    }

    // Computes the term, or pushes it again under an argument it needs first.
    fn step(&mut self, frame: Frame) {
        let term = frame.term;
        match self.terms.op(term) {
            Op::Var(var) => {
                let value = self.model.value(self.terms, var);
                self.memory.set(term, value);
            }
            Op::Bool(BoolOp::And) => self.step_connective(frame, false),
            Op::Bool(BoolOp::Or) => self.step_connective(frame, true),
            Op::Ite => self.step_ite(frame),
            op @ (Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::Eq)
            | op @ (Op::Bool(BoolOp::Not | BoolOp::Xor) | Op::Bv(_) | Op::Fp(_) | Op::Array(_)) => {
                let args = self.terms.args(term);
                let mut next = frame.next as usize;
                while next < args.len() && self.memory.known(args[next]) {
                    next += 1;
                }
                if next < args.len() {
                    self.wait_for(term, next + 1, args[next]);
                } else {
                    let memory = &self.memory;
                    let value = apply(op, args.len(), |position| memory.get(args[position]));
                    self.memory.set(term, value);
                }
            }
        }
    }

    // `and` is decided by a false argument, `or` by a true one.
    fn step_connective(&mut self, frame: Frame, deciding: bool) {
        let args = self.terms.args(frame.term);
        // The argument waited for is the one before `next`, so its truth is looked at now.
        let mut position = (frame.next as usize).saturating_sub(1);
        while position < args.len() {
            if !self.memory.known(args[position]) {
                self.wait_for(frame.term, position + 1, args[position]);
                return;
            }
            if self.known_truth(args[position]) == deciding {
                self.memory.set(frame.term, Value::Bool(deciding));
                return;
            }
            position += 1;
        }
        self.memory.set(frame.term, Value::Bool(!deciding));
    }

    fn step_ite(&mut self, frame: Frame) {
        let &[condition, then, otherwise] = self.terms.args(frame.term) else {
            unreachable!("an ite has three arguments")
        };
        if !self.memory.known(condition) {
            self.wait_for(frame.term, 1, condition);
            return;
        }
        let branch = if self.known_truth(condition) { then } else { otherwise };
        if self.memory.known(branch) {
            let value = self.memory.get(branch).clone();
            self.memory.set(frame.term, value);
        } else {
            self.wait_for(frame.term, 1, branch);
        }
    }

    fn wait_for(&mut self, term: TermId, next: usize, arg: TermId) {
        let next = u32::try_from(next).expect("arities fit 32 bits");
        self.memory.stack.push(Frame { term, next });
        self.memory.stack.push(Frame { term: arg, next: 0 });
    }

    fn known_truth(&self, term: TermId) -> bool {
        self.memory.get(term).as_bool().expect("the term should be boolean")
    }
}

#[cfg(test)]
mod tests {
    use glassbox_values::Bits;

    use super::*;
    use crate::op::BvOp;
    use crate::sort::Sort;

    #[test]
    fn deep_terms_evaluate() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let condition = terms.fresh_var("c", Sort::Bool);
        let mut term = x;
        for _ in 0..200_000 {
            let sum = terms.intern(BvOp::Add, &[term, x]);
            term = terms.intern(Op::Ite, &[condition, x, sum]);
        }
        let model =
            Model::from_iter([(terms.as_var(x).expect("a variable"), Value::Bv(Bits::new(3, 32)))]);
        assert_eq!(eval(&terms, &model, term), Value::Bv(Bits::new(600_003, 32)));
    }

    #[test]
    fn one_memory_serves_many_models() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(8));
        let var = terms.as_var(x).expect("a variable");
        let five = terms.bv_u(5, 8);
        let below = terms.intern(BvOp::Ult, &[x, five]);
        let above = terms.intern(BvOp::Ult, &[five, x]);
        let either = terms.intern(BoolOp::Or, &[below, above]);
        let mut evaluator = Evaluator::new();
        for value in 0..256 {
            let model = Model::from_iter([(var, Value::Bv(Bits::new(value, 8)))]);
            let mut evaluation = evaluator.under(&terms, &model);
            assert_eq!(evaluation.truth(either), value != 5);
            assert_eq!(evaluation.truth(below), value < 5);
        }
    }
}
