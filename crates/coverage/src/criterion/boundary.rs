//! Boundary values: every comparison is evaluated with operands that are equal and with operands that are
//! neighbors, on the side where its outcome is the other one.
//!
//! `a < b` asks for `a == b` and `a == b - 1`, `a <= b` for `a == b` and `a == b + 1`, `a == b` for all
//! three (ISTQB's two-value analysis for orders, three-value analysis for equality). Neighbors of floats
//! are the next floats; both zeros count as one. Neighbors of integers do not overflow in the type in which they are compared.
//!
//! A goal is an edge: `prepare` puts branches that change nothing in front of each comparison, so that
//! engines need to know nothing about boundaries. Comparisons are those that the source spells: truth
//! tests such as `if (x)`, pointers, and comparisons inside macros have no boundary goals.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatCompareOp};
use glassbox_ir::{
    Block, BlockId, Body, FuncId, Instr, InstrKind, Mark, Operand, Program, PureOp, Span,
    Target as Jump, Terminator, Ty, ValueId,
};
use glassbox_values::{Bits, Signedness};

use super::{Criterion, Goals};
use crate::comparison::{Comparison, SourceOp, comparison_at};
use crate::goal::{Relation, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Boundary;

/// Where the outcome of a comparison changes.
fn relations(op: SourceOp) -> &'static [Relation] {
    match op {
        SourceOp::Less | SourceOp::GreaterEqual => &[Relation::Below, Relation::Equal],
        SourceOp::LessEqual | SourceOp::Greater => &[Relation::Equal, Relation::Above],
        SourceOp::Equal | SourceOp::NotEqual => &Relation::ALL,
    }
}

impl Criterion for Boundary {
    fn name(&self) -> &'static str {
        "boundary"
    }

    fn prepare(&self, program: &mut Program, function: FuncId) {
        let Some(body) = &program.function(function).body else { return };
        let mut prepared = body.clone();
        let mut next = 0;
        // Blocks that are added here hold the rest of the block they come from, so they are looked at too.
        while next < prepared.blocks.len() {
            let block = BlockId::new(next);
            if !is_watch(&prepared.blocks[next]) {
                split_at_first_comparison(program, &mut prepared, block);
            }
            next += 1;
        }
        program.functions[function.index()].body = Some(prepared);
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for block in body.block_ids() {
            let Some((comparison, position)) = watched(goals.program, body, block) else {
                continue;
            };
            let relation = relations(comparison.op)[position];
            let text = goal_text(&comparison, relation);
            let target = Target::Edge { block, edge: 0 };
            let span = body.block(block).terminator_span;
            goals.add(span, relation.name(), text, target).relation = Some(relation);
        }
    }
}

fn goal_text(comparison: &Comparison, relation: Relation) -> String {
    let Comparison { left, right, op, is_float } = comparison;
    let relation = match (relation, *is_float) {
        (Relation::Equal, _) => format!("{left} equals {right}"),
        (Relation::Below, false) => format!("{left} is one below {right}"),
        (Relation::Above, false) => format!("{left} is one above {right}"),
        (Relation::Below, true) => format!("{left} is the next number below {right}"),
        (Relation::Above, true) => format!("{left} is the next number above {right}"),
    };
    format!("{relation}, at {left} {} {right}", op.text())
}

/// Whether a block ends in a branch that `prepare` made: its last instruction is the predicate, at the place
/// of the comparison that follows, and both ways lead there.
fn is_watch(block: &Block) -> bool {
    let Terminator::Branch { origin: None, condition, .. } = &block.terminator else {
        return false;
    };
    let last = block.instrs.last();
    last.is_some_and(|last| {
        last.result.map(Operand::Value) == Some(*condition) && last.span == block.terminator_span
    })
}

/// The comparison that a watch in front of it looks at, and which of its relations.
fn watched(program: &Program, body: &Body, block: BlockId) -> Option<(Comparison, usize)> {
    if !is_watch(body.block(block)) {
        return None;
    }
    // The true edge leads to the comparison itself; the false ones go through the watches in between.
    let Terminator::Branch { if_true, .. } = &body.block(block).terminator else { return None };
    let instr = body.block(if_true.block).instrs.first()?;
    if instr.span != body.block(block).terminator_span {
        return None;
    }
    let comparison = comparison_at(program, body, instr)?;
    let mut n_after = 0;
    let mut at = block;
    while let Terminator::Branch { if_true, if_false, .. } = &body.block(at).terminator
        && if_true.block != if_false.block
    {
        n_after += 1;
        at = if_false.block;
    }
    let position = relations(comparison.op).len().checked_sub(n_after + 1)?;
    Some((comparison, position))
}

/// Puts watches in front of the first comparison of a block and the rest into a block of its own.
fn split_at_first_comparison(program: &Program, body: &mut Body, block: BlockId) {
    let instrs = &body.block(block).instrs;
    // A comparison at the start of a block that watches lead to has its watches already.
    let is_rest = body.block_ids().any(|other| {
        is_watch(body.block(other))
            && matches!(&body.block(other).terminator,
                Terminator::Branch { if_true, .. } if if_true.block == block)
    });
    let found = instrs.iter().enumerate().skip(usize::from(is_rest)).find_map(|(at, instr)| {
        let comparison = comparison_at(program, body, instr)?;
        Some((at, comparison, instr.clone()))
    });
    let Some((at, comparison, instr)) = found else { return };
    let is_unsigned = at
        .checked_sub(1)
        .is_some_and(|before| matches!(instrs[before].kind, InstrKind::Mark(Mark::Unsigned)));
    let rest = BlockId::new(body.blocks.len());
    let old = &mut body.blocks[block.index()];
    let tail = old.instrs.split_off(at);
    let terminator = std::mem::replace(&mut old.terminator, Terminator::Unreachable);
    let terminator_span = std::mem::replace(&mut old.terminator_span, instr.span);
    body.blocks.push(Block { params: Vec::new(), instrs: tail, terminator, terminator_span });
    let (left, right) = sides(&instr.kind, comparison.op);
    let equality = if is_unsigned { Signedness::Unsigned } else { Signedness::Signed };
    let order = order_of(&instr.kind, equality);
    let relations = relations(comparison.op);
    let mut current = block;
    for (position, &relation) in relations.iter().enumerate() {
        let mut writer = Writer { body, block: current, span: instr.span };
        let condition = match order {
            Order::Int(signedness) => writer.int_relation(relation, left, right, signedness),
            Order::Float => writer.float_relation(relation, left, right),
        };
        let is_last = position + 1 == relations.len();
        let next = if is_last { rest } else { BlockId::new(body.blocks.len()) };
        body.blocks[current.index()].terminator = Terminator::Branch {
            condition,
            if_true: Jump::new(rest),
            if_false: Jump::new(next),
            origin: None,
        };
        if !is_last {
            body.blocks.push(Block {
                params: Vec::new(),
                instrs: Vec::new(),
                terminator: Terminator::Unreachable,
                terminator_span: instr.span,
            });
            current = next;
        }
    }
}

/// The operands in the source's order: `a > b` stands as `b < a` in the IR.
fn sides(kind: &InstrKind, op: SourceOp) -> (Operand, Operand) {
    let InstrKind::Pure(PureOp::Compare { lhs, rhs, .. } | PureOp::FloatCompare { lhs, rhs, .. }) =
        kind
    else {
        unreachable!("a comparison compares integers or floats")
    };
    if op.is_swapped() { (*rhs, *lhs) } else { (*lhs, *rhs) }
}

enum Order {
    Int(Signedness),
    Float,
}

/// How the operands are ordered; an equality is the same for both orders and does not say.
fn order_of(kind: &InstrKind, equality: Signedness) -> Order {
    let InstrKind::Pure(PureOp::Compare { op, .. }) = kind else { return Order::Float };
    Order::Int(match op {
        CompareOp::Eq | CompareOp::Ne => equality,
        CompareOp::Ult | CompareOp::Ule => Signedness::Unsigned,
        CompareOp::Slt | CompareOp::Sle => Signedness::Signed,
    })
}

/// Appends instructions to a block.
struct Writer<'a> {
    body: &'a mut Body,
    block: BlockId,
    span: Span,
}

impl Writer<'_> {
    fn emit(&mut self, op: PureOp, ty: Ty) -> Operand {
        let result = ValueId::new(self.body.values.len());
        self.body.values.push(ty);
        let instr = Instr { result: Some(result), kind: InstrKind::Pure(op), span: self.span };
        self.body.blocks[self.block.index()].instrs.push(instr);
        Operand::Value(result)
    }

    fn ty(&self, operand: Operand) -> Ty {
        match operand {
            Operand::Value(value) => self.body.value_ty(value),
            Operand::Int(bits) => Ty::Int(bits.width()),
            Operand::Float(float) => Ty::Float(float.format()),
            Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => Ty::Ptr,
        }
    }

    fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(PureOp::Compare { op, lhs, rhs }, Ty::BOOL)
    }

    /// Both conditions; stands last, so that it is the predicate of the watch.
    fn both(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(PureOp::Binary { op: BinaryOp::And, lhs, rhs }, Ty::BOOL)
    }

    fn int_relation(
        &mut self,
        relation: Relation,
        left: Operand,
        right: Operand,
        signedness: Signedness,
    ) -> Operand {
        let (small, large) = match relation {
            Relation::Equal => return self.compare(CompareOp::Eq, left, right),
            Relation::Below => (left, right),
            Relation::Above => (right, left),
        };
        let ty = self.ty(small);
        let Ty::Int(width) = ty else { unreachable!("integers are compared") };
        let one = Operand::Int(Bits::one(width));
        let next = self.emit(PureOp::Binary { op: BinaryOp::Add, lhs: small, rhs: one }, ty);
        let is_next = self.compare(CompareOp::Eq, next, large);
        let has_next = match signedness {
            Signedness::Unsigned => self.compare(CompareOp::Ult, small, large),
            Signedness::Signed => self.compare(CompareOp::Slt, small, large),
        };
        self.both(is_next, has_next)
    }

    fn float_relation(&mut self, relation: Relation, left: Operand, right: Operand) -> Operand {
        let (small, large) = match relation {
            Relation::Equal => {
                let op = FloatCompareOp::Eq;
                return self.emit(PureOp::FloatCompare { op, lhs: left, rhs: right }, Ty::BOOL);
            }
            Relation::Below => (left, right),
            Relation::Above => (right, left),
        };
        let (small_rank, large_rank) = (self.rank(small), self.rank(large));
        let ty = self.ty(small_rank);
        let Ty::Int(width) = ty else { unreachable!("ranks are integers") };
        let one = Operand::Int(Bits::one(width));
        let next = self.emit(PureOp::Binary { op: BinaryOp::Add, lhs: small_rank, rhs: one }, ty);
        let is_next = self.compare(CompareOp::Eq, next, large_rank);
        // False when one is a NaN.
        let op = FloatCompareOp::Lt;
        let is_less = self.emit(PureOp::FloatCompare { op, lhs: small, rhs: large }, Ty::BOOL);
        self.both(is_next, is_less)
    }

    /// A number that counts the floats from zero up, so that neighbors differ by one: the bits of positive
    /// floats, the negated magnitude of others. Both zeros have 0.
    fn rank(&mut self, float: Operand) -> Operand {
        let Ty::Float(format) = self.ty(float) else { unreachable!("floats are compared") };
        let width = format.width();
        let ty = Ty::Int(width);
        let op = CastOp::Reinterpret;
        let bits = self.emit(PureOp::Cast { op, arg: float, to: ty }, ty);
        let sign = Operand::Int(Bits::min_value(Signedness::Signed, width));
        let op = BinaryOp::Sub;
        let negated = self.emit(PureOp::Binary { op, lhs: sign, rhs: bits }, ty);
        let zero = Operand::Int(Bits::zero(width));
        let condition = self.compare(CompareOp::Slt, bits, zero);
        let select = PureOp::Select { condition, if_true: negated, if_false: bits };
        self.emit(select, ty)
    }
}
