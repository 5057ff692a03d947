//! Code that constants alone exclude: a condition that is the same number on every run, and what lies behind its other side.
//!
//! It costs next to nothing, so it is asked before the first run: no search and no other proof has to look at such code.
//! Only operations that mean something for all numbers are computed, so that nothing rests on an error that does not happen.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_interp::pure;
use glassbox_ir::instr::{BinaryOp, CastOp, UnaryOp};
use glassbox_ir::{BlockId, Body, InstrKind, Operand, Program, PureOp, Terminator, Ty, ValueId};
use glassbox_model::library::has_hidden_control;
use glassbox_prove::Question;
use glassbox_values::Bits;

/// What control cannot come to.
#[derive(Debug)]
pub(crate) struct Constant {
    reached: BTreeSet<BlockId>,
    /// Sides of branches that are never taken.
    closed: BTreeSet<(BlockId, u32)>,
}

impl Constant {
    /// `None` where control may go ways that no edge shows, with values that are not seen to change.
    pub(crate) fn of(program: &Program, body: &Body) -> Option<Constant> {
        Constant::given(program, body, &numbers(body))
    }

    /// What literals alone exclude, as in `while (1)`: the program has no branch there, so that no error, whatever it
    /// writes where, changes what is taken.
    pub(crate) fn literal(program: &Program, body: &Body) -> Option<Constant> {
        Constant::given(program, body, &BTreeMap::new())
    }

    fn given(
        program: &Program,
        body: &Body,
        numbers: &BTreeMap<ValueId, Bits>,
    ) -> Option<Constant> {
        if body.blocks.iter().any(|block| has_hidden_control(program, block)) {
            return None;
        }
        let mut constant = Constant { reached: BTreeSet::new(), closed: BTreeSet::new() };
        let mut waiting = vec![BlockId::new(Body::ENTRY)];
        while let Some(block) = waiting.pop() {
            if !constant.reached.insert(block) {
                continue;
            }
            let terminator = &body.block(block).terminator;
            if let Terminator::Branch { condition, .. } = terminator
                && let Some(truth) = number(*condition, numbers)
            {
                constant.closed.insert((block, u32::from(truth.is_true())));
            }
            let targets = (0..).zip(terminator.targets());
            let is_open = |(edge, _): &(u32, _)| !constant.closed.contains(&(block, *edge));
            waiting.extend(targets.filter(is_open).map(|(_, target)| target.block));
        }
        Some(constant)
    }

    /// Whether nothing does what the question says.
    pub(crate) fn excludes(&self, question: &Question) -> bool {
        let is_dead = |block: &BlockId, edge: &u32| {
            !self.reached.contains(block) || self.closed.contains(&(*block, *edge))
        };
        match question {
            Question::Reached(place) => !self.reached.contains(&place.block),
            Question::Edge { block, edge, .. } => is_dead(block, edge),
            Question::AnyEdge { edges, .. } => {
                edges.iter().all(|(block, edge)| is_dead(block, edge))
            }
            // Checks have proofs of their own.
            Question::CheckFails(_) | Question::AccessFails(_) => false,
        }
    }
}

/// Values that are the same number on every run.
fn numbers(body: &Body) -> BTreeMap<ValueId, Bits> {
    let mut numbers = BTreeMap::new();
    // An operand that a block further down in this order computes is left out; that says less, never more.
    for block in body.block_ids() {
        for instr in &body.block(block).instrs {
            if let (Some(result), InstrKind::Pure(op)) = (instr.result, &instr.kind)
                && let Some(bits) = computed(op, body.value_ty(result), &numbers)
            {
                numbers.insert(result, bits);
            }
        }
    }
    numbers
}

fn number(operand: Operand, numbers: &BTreeMap<ValueId, Bits>) -> Option<Bits> {
    match operand {
        Operand::Int(bits) => Some(bits),
        Operand::Value(value) => numbers.get(&value).copied(),
        Operand::Float(_) | Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => None,
    }
}

fn computed(op: &PureOp, ty: Ty, numbers: &BTreeMap<ValueId, Bits>) -> Option<Bits> {
    let is_total = match op {
        PureOp::Compare { .. } => true,
        PureOp::Unary { op, .. } => match op {
            UnaryOp::Not => true,
            UnaryOp::Neg | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Popcount | UnaryOp::Bswap => {
                false
            }
        },
        PureOp::Binary { op, .. } => match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
            // C forbids some of their operands.
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Udiv
            | BinaryOp::Urem
            | BinaryOp::Sdiv
            | BinaryOp::Srem
            | BinaryOp::Shl
            | BinaryOp::Lshr
            | BinaryOp::Ashr => false,
        },
        PureOp::Cast { op, .. } => match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => true,
            CastOp::IntToFloat(_)
            | CastOp::FloatToInt(_)
            | CastOp::FloatToIntSaturating
            | CastOp::FloatToFloat
            | CastOp::Reinterpret
            | CastOp::PtrToInt
            | CastOp::IntToPtr => false,
        },
        PureOp::Overflows { .. }
        | PureOp::Select { .. }
        | PureOp::FloatUnary { .. }
        | PureOp::FloatBinary { .. }
        | PureOp::FloatFma { .. }
        | PureOp::FloatCompare { .. }
        | PureOp::FloatClassify { .. } => false,
    };
    let Ty::Int(width) = ty else { return None };
    let known = |operand: Operand| number(operand, numbers);
    let mut are_known = is_total;
    op.for_each_operand(|operand| are_known &= known(*operand).is_some());
    are_known.then(|| {
        let read = |operand| {
            let bits = known(operand).unwrap_or_else(|| Bits::zero(width));
            (bits.unsigned(), Ty::Int(bits.width()))
        };
        Bits::new(pure::evaluate(op, read), width)
    })
}
