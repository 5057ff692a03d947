//! One run of a function over a whole box of inputs: every branch that the box does not decide is taken
//! both ways.

use crate::budget;
use glassbox_interp::pure;
use glassbox_ir::instr::{CastOp, FloatBinaryOp, FloatUnaryOp};
use glassbox_ir::{BlockId, Body, InstrKind, Operand, PureOp, Target, Terminator, Ty, ValueId};
use glassbox_relax::polynomial::Interval;
use glassbox_values::{Bits, Format, Signedness};

use super::form::{Arithmetic, Enclosure, Form, Offsets};

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Known {
    /// These bits.
    Bits(u128),
    Float(Enclosure),
    Anything,
}

/// Places that nothing should come to.
#[derive(Debug)]
pub(super) struct Forbidden {
    pub(super) edges: Vec<(BlockId, u32)>,
    pub(super) blocks: Vec<BlockId>,
    /// By block: whether a forbidden place lies ahead.
    pub(super) is_ahead: Vec<bool>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing forbidden happens in the box.
    Clean,
    /// Something forbidden may happen, or too much is undecided.
    Doubtful,
    OutOfSteps,
}

/// Runs a body over a box.
#[derive(Debug)]
pub(super) struct BoxRun<'a> {
    pub(super) body: &'a Body,
    pub(super) forbidden: &'a Forbidden,
    pub(super) offsets: Offsets,
    /// Instructions that may still be executed, over all boxes.
    pub(super) n_left: &'a mut u64,
}

/// A way that waits: where control goes on, with which values.
struct Waiting {
    block: BlockId,
    values: Vec<Known>,
}

impl BoxRun<'_> {
    pub(super) fn run(&mut self, params: &[Known]) -> Ended {
        let mut values = vec![Known::Anything; self.body.values.len()];
        let entry = BlockId::new(Body::ENTRY);
        for (param, known) in self.body.block(entry).params.iter().zip(params) {
            values[param.index()] = *known;
        }
        let mut waiting = vec![Waiting { block: entry, values }];
        let mut n_forks = 0;
        while let Some(Waiting { block, values }) = waiting.pop() {
            let mut at = Some(Waiting { block, values });
            while let Some(here) = at.take() {
                let Waiting { block, mut values } = here;
                if self.forbidden.blocks.contains(&block) {
                    return Ended::Doubtful;
                }
                if !self.forbidden.is_ahead[block.index()] {
                    break;
                }
                let n_steps = self.body.block(block).instrs.len() as u64 + 1;
                if *self.n_left < n_steps {
                    return Ended::OutOfSteps;
                }
                *self.n_left -= n_steps;
                for instr in &self.body.block(block).instrs {
                    if let Some(result) = instr.result {
                        values[result.index()] = self.value(&instr.kind, result, &values);
                    }
                }
                let mut ways = self.ways(block, &values);
                if ways.iter().any(|(edge, _)| self.forbidden.edges.contains(&(block, *edge))) {
                    return Ended::Doubtful;
                }
                let Some((_, first)) = ways.pop() else { break };
                for (_, target) in ways {
                    n_forks += 1;
                    if n_forks > budget::FORKS {
                        return Ended::Doubtful;
                    }
                    waiting.push(self.enter(target, &values));
                }
                at = Some(self.enter(first, &values));
            }
        }
        Ended::Clean
    }

    /// Edges that may be taken.
    fn ways(&self, block: BlockId, values: &[Known]) -> Vec<(u32, &Target)> {
        let terminator = &self.body.block(block).terminator;
        let targets = terminator.targets();
        let taken = match terminator {
            Terminator::Branch { condition, .. } => match self.known(*condition, values) {
                Known::Bits(bits) => Some(u32::from(bits == 0)),
                Known::Float(_) | Known::Anything => None,
            },
            Terminator::Switch { value, cases, .. } => match self.known(*value, values) {
                Known::Bits(bits) => {
                    let is_taken = |case: &glassbox_ir::SwitchCase| {
                        let (low, high) = (case.low.unsigned(), case.high.unsigned());
                        // A signed range across zero wraps around as an unsigned one.
                        if low <= high {
                            (low..=high).contains(&bits)
                        } else {
                            bits >= low || bits <= high
                        }
                    };
                    let position = cases.iter().position(is_taken).unwrap_or(cases.len());
                    u32::try_from(position).ok()
                }
                Known::Float(_) | Known::Anything => None,
            },
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
        };
        let all = (0u32..).zip(targets);
        all.filter(|(edge, _)| taken.is_none_or(|taken| taken == *edge)).collect()
    }

    fn enter(&self, target: &Target, values: &[Known]) -> Waiting {
        let mut values = values.to_vec();
        let params = &self.body.block(target.block).params;
        let args: Vec<Known> = target.args.iter().map(|arg| self.known(*arg, &values)).collect();
        // Parameters without an argument are what a call or an exception brings.
        for (position, param) in params.iter().enumerate() {
            values[param.index()] = args.get(position).copied().unwrap_or(Known::Anything);
        }
        Waiting { block: target.block, values }
    }

    fn known(&self, operand: Operand, values: &[Known]) -> Known {
        match operand {
            Operand::Value(value) => values[value.index()],
            Operand::Int(bits) => Known::Bits(bits.unsigned()),
            Operand::Float(float) => Known::Float(Enclosure::point(float.to_f64())),
            Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => Known::Anything,
        }
    }

    fn enclosure(&self, operand: Operand, values: &[Known]) -> Enclosure {
        match self.known(operand, values) {
            Known::Float(enclosure) => enclosure,
            Known::Bits(_) | Known::Anything => Enclosure::Anything,
        }
    }

    fn float_format(&self, value: ValueId) -> Option<Format> {
        match self.body.value_ty(value) {
            Ty::Float(format) => Some(format),
            Ty::Int(_) | Ty::Ptr => None,
        }
    }

    /// What an instruction computes. Memory, calls and what is rarely needed here may be anything.
    fn value(&self, kind: &InstrKind, result: ValueId, values: &[Known]) -> Known {
        let InstrKind::Pure(op) = kind else { return Known::Anything };
        let offsets = &self.offsets;
        match op {
            PureOp::FloatBinary { op, lhs, rhs } => {
                let op = match op {
                    FloatBinaryOp::Add => Arithmetic::Add,
                    FloatBinaryOp::Sub => Arithmetic::Sub,
                    FloatBinaryOp::Mul => Arithmetic::Mul,
                    FloatBinaryOp::Div => Arithmetic::Div,
                    FloatBinaryOp::Fmod
                    | FloatBinaryOp::Remainder
                    | FloatBinaryOp::Fmin
                    | FloatBinaryOp::Fmax
                    | FloatBinaryOp::JavaMin
                    | FloatBinaryOp::JavaMax
                    | FloatBinaryOp::CopySign => return Known::Anything,
                };
                let Some(format) = self.float_format(result) else { return Known::Anything };
                let (a, b) = (self.enclosure(*lhs, values), self.enclosure(*rhs, values));
                Known::Float(Enclosure::compute(op, &a, &b, format, offsets))
            }
            PureOp::FloatUnary { op, arg } => {
                let arg = self.enclosure(*arg, values);
                match op {
                    FloatUnaryOp::Neg => Known::Float(arg.negated()),
                    FloatUnaryOp::Abs => Known::Float(arg.magnitude()),
                    FloatUnaryOp::Sqrt | FloatUnaryOp::Round(_) => Known::Anything,
                }
            }
            PureOp::FloatCompare { op, lhs, rhs } => {
                let (a, b) = (self.enclosure(*lhs, values), self.enclosure(*rhs, values));
                match Enclosure::compare(*op, &a, &b, offsets) {
                    Some(truth) => Known::Bits(truth.into()),
                    None => Known::Anything,
                }
            }
            PureOp::Cast { op, arg, to } => self.cast(*op, *arg, *to, values),
            PureOp::Select { condition, if_true, if_false } => {
                match self.known(*condition, values) {
                    Known::Bits(0) => self.known(*if_false, values),
                    Known::Bits(_) => self.known(*if_true, values),
                    Known::Float(_) | Known::Anything => Known::Anything,
                }
            }
            PureOp::Unary { .. }
            | PureOp::Binary { .. }
            | PureOp::Compare { .. }
            | PureOp::Overflows { .. } => self.integers(op, values),
            PureOp::FloatFma { .. } | PureOp::FloatClassify { .. } => Known::Anything,
        }
    }

    fn cast(&self, op: CastOp, arg: Operand, to: Ty, values: &[Known]) -> Known {
        match (op, to) {
            (CastOp::FloatToFloat, Ty::Float(format)) => {
                Known::Float(self.enclosure(arg, values).converted(format, &self.offsets))
            }
            (CastOp::IntToFloat(signedness), Ty::Float(format)) => {
                let (Known::Bits(bits), Ty::Int(width)) =
                    (self.known(arg, values), arg.ty(self.body))
                else {
                    return Known::Anything;
                };
                let bits = Bits::new(bits, width);
                let number = match signedness {
                    Signedness::Signed => bits.signed(),
                    Signedness::Unsigned => match i128::try_from(bits.unsigned()) {
                        Ok(number) => number,
                        Err(_) => return Known::Anything,
                    },
                };
                let exact = Enclosure::Number(Form::constant(Interval::integer(number)));
                Known::Float(exact.converted(format, &self.offsets))
            }
            (CastOp::FloatToInt(signedness), Ty::Int(width)) => {
                let number = self.enclosure(arg, values).cut_to_integer();
                let bits = number.and_then(|number| match signedness {
                    Signedness::Signed => Bits::try_from_signed(number, width),
                    Signedness::Unsigned => {
                        Bits::try_from_unsigned(u128::try_from(number).ok()?, width)
                    }
                });
                bits.map_or(Known::Anything, |bits| Known::Bits(bits.unsigned()))
            }
            (CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend, Ty::Int(_)) => {
                self.integers(&PureOp::Cast { op, arg, to }, values)
            }
            _ => Known::Anything,
        }
    }

    /// The interpreter's own result, where all operands are known.
    fn integers(&self, op: &PureOp, values: &[Known]) -> Known {
        let mut is_known = true;
        op.for_each_operand(|operand| {
            is_known &= matches!(self.known(*operand, values), Known::Bits(_));
        });
        if !is_known {
            return Known::Anything;
        }
        let read = |operand: Operand| match self.known(operand, values) {
            Known::Bits(bits) => (bits, operand.ty(self.body)),
            Known::Float(_) | Known::Anything => (0, operand.ty(self.body)),
        };
        Known::Bits(pure::evaluate(op, read))
    }
}
