//! A tape: the terms of a conjunction as a flat list of instructions over registers.
//!
//! Compiled once, run many times. Each input knows the instructions that depend on it, so that a
//! change of one input runs only those. Sorts wider than a register (arrays, vectors of more than 64
//! bits) live beside the registers as values and are computed by `terms::eval::apply`; inputs of such
//! sorts keep the value they start with.

use glassbox_terms::{BoolOp, Model, Op, Sort, TermId, Terms, Value, VarId, eval};

use crate::native::{self, Code, Instruction};
use crate::register::{decode, encode, fits_register};
use crate::select::{n_args, native_code};

/// A free variable that the search may change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) var: VarId,
    pub(crate) register: u32,
    pub(crate) sort: Sort,
}

/// The compiled conjunction.
#[derive(Debug)]
pub(crate) struct Tape {
    pub(crate) inputs: Vec<Input>,
    instructions: Vec<Instruction>,
    // By input: the instructions that depend on it, in order.
    cones: Vec<Vec<u32>>,
    // By register: the operator for `General`, and the sort.
    ops: Vec<Op>,
    sorts: Vec<Sort>,
    // By term index; `u32::MAX` where the term does not take part.
    registers: Vec<u32>,
}

/// The registers of one run.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) registers: Vec<u64>,
    // By register; used where the sort does not fit a register.
    wide: Vec<Option<Value>>,
    /// Instructions run so far.
    pub(crate) steps: u64,
}

/// Above this many inputs times instructions the cones would cost more than they save.
const MAX_CONES: usize = 1 << 25;

impl Tape {
    pub(crate) fn compile(terms: &Terms, assertions: &[TermId]) -> Tape {
        let subterms = terms.subterms(assertions);
        let mut tape = Tape {
            inputs: Vec::new(),
            instructions: Vec::new(),
            cones: Vec::new(),
            ops: Vec::new(),
            sorts: Vec::new(),
            registers: vec![u32::MAX; terms.len()],
        };
        for term in subterms {
            tape.add_term(terms, term);
        }
        tape.find_cones();
        tape
    }

    /// The register of a term that takes part.
    pub(crate) fn register(&self, term: TermId) -> u32 {
        self.registers[term.index()]
    }

    pub(crate) fn sort(&self, register: u32) -> Sort {
        self.sorts[register as usize]
    }

    fn new_register(&mut self, op: Op, sort: Sort) -> u32 {
        let register = u32::try_from(self.ops.len()).expect("fewer than 2^32 registers");
        self.ops.push(op);
        self.sorts.push(sort);
        register
    }

    fn add_term(&mut self, terms: &Terms, term: TermId) {
        let (op, sort) = (terms.op(term), terms.sort(term));
        let args: Vec<u32> = terms.args(term).iter().map(|arg| self.register(*arg)).collect();
        let register = match op {
            Op::Var(var) => {
                let register = self.new_register(op, sort);
                if fits_register(sort) {
                    self.inputs.push(Input { var, register, sort });
                }
                register
            }
            Op::Bool(BoolOp::And | BoolOp::Or) => self.add_connective(op, &args),
            Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::Eq
            | Op::Ite
            | Op::Bool(BoolOp::Not | BoolOp::Xor)
            | Op::Bv(_)
            | Op::Fp(_)
            | Op::Array(_) => {
                let target = self.new_register(op, sort);
                self.add_instruction(target, &args);
                target
            }
        };
        self.registers[term.index()] = register;
    }

    /// `and` and `or` of many arguments, two at a time.
    fn add_connective(&mut self, op: Op, args: &[u32]) -> u32 {
        let code = if op == Op::Bool(BoolOp::And) { Code::And } else { Code::Or };
        let mut last = args[0];
        for &arg in &args[1..] {
            let target = self.new_register(op, Sort::Bool);
            let args = [last, arg, 0];
            self.instructions.push(Instruction { code, width: 1, target, args });
            last = target;
        }
        last
    }

    fn add_instruction(&mut self, target: u32, args: &[u32]) {
        let arg_sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        let sort = self.sort(target);
        let narrow = fits_register(sort) && arg_sorts.iter().all(|&sort| fits_register(sort));
        let native =
            if narrow { native_code(self.ops[target as usize], sort, &arg_sorts) } else { None };
        let (code, width) = native.unwrap_or((Code::General, 1));
        let mut registers = [0; 3];
        registers[..args.len()].copy_from_slice(args);
        self.instructions.push(Instruction { code, width, target, args: registers });
    }

    fn find_cones(&mut self) {
        if self.inputs.len().saturating_mul(self.instructions.len()) > MAX_CONES {
            return;
        }
        for input in &self.inputs {
            let mut touched = vec![false; self.ops.len()];
            touched[input.register as usize] = true;
            let mut cone = Vec::new();
            for (index, instruction) in self.instructions.iter().enumerate() {
                let op = self.ops[instruction.target as usize];
                let n_args = n_args(op);
                if instruction.args[..n_args].iter().any(|&arg| touched[arg as usize]) {
                    touched[instruction.target as usize] = true;
                    cone.push(u32::try_from(index).expect("fewer than 2^32 instructions"));
                }
            }
            self.cones.push(cone);
        }
    }

    /// Registers for the values of a model, everything computed.
    pub(crate) fn start(&self, terms: &Terms, model: &Model) -> State {
        let mut state = State {
            registers: vec![0; self.ops.len()],
            wide: vec![None; self.ops.len()],
            steps: 0,
        };
        for (index, (&op, &sort)) in self.ops.iter().zip(&self.sorts).enumerate() {
            if let Op::Var(var) = op {
                let value = model.value(terms, var);
                match encode(&value) {
                    Some(bits) if fits_register(sort) => state.registers[index] = bits,
                    _ => state.wide[index] = Some(value),
                }
            }
        }
        for instruction in &self.instructions {
            self.run_one(&mut state, instruction);
        }
        state
    }

    /// Sets one input and runs what depends on it.
    pub(crate) fn set(&self, state: &mut State, input: usize, bits: u64) {
        let register = self.inputs[input].register as usize;
        if state.registers[register] == bits {
            return;
        }
        state.registers[register] = bits;
        match self.cones.get(input) {
            Some(cone) => {
                for &index in cone {
                    self.run_one(state, &self.instructions[index as usize]);
                }
            }
            None => {
                for instruction in &self.instructions {
                    self.run_one(state, instruction);
                }
            }
        }
    }

    /// Sets several inputs and runs what depends on any of them.
    pub(crate) fn set_all(&self, state: &mut State, values: &[(usize, u64)]) {
        if values.len() <= 2 && !self.cones.is_empty() {
            for &(input, bits) in values {
                self.set(state, input, bits);
            }
            return;
        }
        for &(input, bits) in values {
            state.registers[self.inputs[input].register as usize] = bits;
        }
        for instruction in &self.instructions {
            self.run_one(state, instruction);
        }
    }

    #[inline]
    fn run_one(&self, state: &mut State, instruction: &Instruction) {
        state.steps += 1;
        if instruction.code == Code::General {
            self.run_general(state, instruction);
        } else {
            let args = instruction.args.map(|arg| state.registers[arg as usize]);
            state.registers[instruction.target as usize] =
                native::run(instruction.code, instruction.width, args);
        }
    }

    #[cold]
    fn run_general(&self, state: &mut State, instruction: &Instruction) {
        // Rare operators cost more than native ones; counting them so keeps budgets honest.
        state.steps += 16;
        let op = self.ops[instruction.target as usize];
        let n_args = n_args(op);
        let args: Vec<Value> =
            instruction.args[..n_args].iter().map(|&arg| self.value(state, arg)).collect();
        let value = eval::apply(op, n_args, |position| &args[position]);
        match encode(&value) {
            Some(bits) => state.registers[instruction.target as usize] = bits,
            None => state.wide[instruction.target as usize] = Some(value),
        }
    }

    /// The value in a register.
    pub(crate) fn value(&self, state: &State, register: u32) -> Value {
        if let Some(value) = &state.wide[register as usize] {
            return value.clone();
        }
        decode(state.registers[register as usize], self.sort(register))
    }

    /// The inputs of a state as a model, on top of what `start` says of the other variables.
    pub(crate) fn model(&self, state: &State, start: &Model) -> Model {
        let mut model = start.clone();
        for input in &self.inputs {
            model.set(input.var, self.value(state, input.register));
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use glassbox_terms::{BvOp, FpOp, family};
    use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

    use super::*;
    use crate::random::Random;

    const NEAREST: RoundingMode = RoundingMode::NearestEven;

    const SORTS: [Sort; 9] = [
        Sort::Bool,
        Sort::Bv(1),
        Sort::Bv(8),
        Sort::Bv(32),
        Sort::Bv(64),
        Sort::Bv(100),
        Sort::Float(Format::F16),
        Sort::Float(Format::F32),
        Sort::Float(Format::F64),
    ];

    /// A random value: often a corner, so that division by zero, overflow and NaN occur.
    fn value(sort: Sort, random: &mut Random) -> Value {
        let corners = [0, 1, u64::MAX, 1 << 63, 1 << 31, 0x80, 0x7fc0_0000, 0x3f80_0000];
        let bits = match random.below(3) {
            0 => corners[random.below(corners.len())],
            1 => random.next() >> (random.next() & 63),
            _ => random.next(),
        };
        match sort {
            Sort::Bool => Value::Bool(bits & 1 == 1),
            Sort::Bv(width) => Value::Bv(Bits::new(u128::from(bits) << (bits & 40), width)),
            Sort::Float(format) if random.below(2) == 0 => {
                let small = i128::from(bits.cast_signed() >> 56);
                let whole = Bits::from_signed(small, 64);
                Value::Float(Float::from_int(whole, Signedness::Signed, format, NEAREST))
            }
            Sort::Float(format) => Value::Float(Float::from_bits(bits, format)),
            Sort::Array { .. } => unreachable!("no arrays here"),
        }
    }

    /// A random operator with parameters that may or may not fit the arguments tried with it.
    fn operator(random: &mut Random) -> Op {
        let rounding = RoundingMode::ALL[random.below(8).saturating_sub(3)];
        let signedness =
            if random.below(2) == 0 { Signedness::Signed } else { Signedness::Unsigned };
        let format = [Format::F16, Format::F32, Format::F64][random.below(3)];
        let width = [1, 8, 32, 64, 100][random.below(5)];
        let low = [0, 3, 7][random.below(3)];
        let mut ops = vec![
            Op::Bool(BoolOp::Not),
            Op::Bool(BoolOp::And),
            Op::Bool(BoolOp::Or),
            Op::Bool(BoolOp::Xor),
            Op::Ite,
            Op::Bv(BvOp::Neg),
            Op::Bv(BvOp::Not),
            Op::Bv(BvOp::Concat),
            Op::Bv(BvOp::Extract { hi: 7, lo: low }),
            Op::Bv(BvOp::ZeroExtend { width }),
            Op::Bv(BvOp::SignExtend { width }),
            Op::Bv(BvOp::NegOverflow),
            Op::Fp(FpOp::Fma(rounding)),
            Op::Fp(FpOp::Sqrt(rounding)),
            Op::Fp(FpOp::RoundToIntegral(rounding)),
            Op::Fp(FpOp::Abs),
            Op::Fp(FpOp::Neg),
            Op::Fp(FpOp::ToFp { format, rounding }),
            Op::Fp(FpOp::FromBits(format)),
            Op::Fp(FpOp::FromInt { format, rounding, signedness }),
            Op::Fp(FpOp::ToInt { width, rounding, signedness }),
            Op::Fp(FpOp::ToBits),
        ];
        ops.extend(family::BV_COMBINE.into_iter().chain(family::bv_relations()));
        ops.extend(family::fp_rounded(rounding).into_iter().chain(family::FP_EXACT));
        ops.extend(family::FP_RELATION.into_iter().chain(family::FP_TEST));
        ops[random.below(ops.len())]
    }

    #[test]
    fn every_register_agrees_with_eval_after_every_change() {
        let mut random = Random::new(3);
        for _ in 0..120 {
            let mut terms = Terms::new();
            let mut pool: Vec<TermId> =
                SORTS.iter().map(|&sort| terms.fresh_var("v", sort)).collect();
            while pool.len() < 150 {
                let op = operator(&mut random);
                let args: Vec<TermId> =
                    (0..op_arity(op)).map(|_| pool[random.below(pool.len())]).collect();
                if terms.sort_of(op, &args).is_some() {
                    pool.push(terms.intern(op, &args));
                }
            }
            let tape = Tape::compile(&terms, &pool);
            let mut model = Model::new();
            for var in terms.vars() {
                model.set(var, value(terms.var_sort(var), &mut random));
            }
            let mut state = tape.start(&terms, &model);
            for _ in 0..12 {
                let mut evaluator = eval::Evaluator::new();
                let mut evaluation = evaluator.under(&terms, &model);
                for &term in &pool {
                    let found = tape.value(&state, tape.register(term));
                    assert_eq!(&found, evaluation.value(term), "{:?}", terms.op(term));
                }
                let index = random.below(tape.inputs.len());
                let input = tape.inputs[index];
                let new = value(input.sort, &mut random);
                tape.set(&mut state, index, encode(&new).expect("inputs fit registers"));
                model.set(input.var, new);
            }
            assert_eq!(tape.model(&state, &model), model);
        }
    }

    fn op_arity(op: Op) -> usize {
        op.n_args().unwrap_or(3)
    }
}
