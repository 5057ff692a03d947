//! Weak mutation (Howden, "Weak mutation testing and completeness of test sets", TSE 1982): an operator and another one in its place
//! have different values, whether or not that shows later.
//!
//! A goal is an edge, as those of `boundary` are: `prepare` computes both values in front of the operator and branches on
//! whether they differ, which changes nothing. Operators are those that the source spells on integers, and comparisons of numbers;
//! what a divisor of zero would do in the place of another operand is not asked.

use glassbox_ir::instr::{BinaryOp, CompareOp, FloatCompareOp};
use glassbox_ir::{
    Block, BlockId, Body, FuncId, Instr, InstrKind, Mark, Operand, Program, PureOp, Target as Jump,
    Terminator, Ty, ValueId,
};

use glassbox_values::{Bits, Signedness};

use super::{Criterion, Goals};
use crate::comparison::{SourceOp, comparison_at, text_at};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct WeakMutation;

impl Criterion for WeakMutation {
    fn name(&self) -> &'static str {
        "mutation:weak"
    }

    fn prepare(&self, program: &mut Program, function: FuncId) {
        let Some(body) = &program.function(function).body else { return };
        let mut prepared = body.clone();
        for number in 0..body.blocks.len() {
            watch(program, &mut prepared, BlockId::new(number));
        }
        program.functions[function.index()].body = Some(prepared);
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for block in body.block_ids() {
            let Some((label, text)) = watched(goals.program, body, block) else { continue };
            let span = body.block(block).terminator_span;
            goals.add(span, &label, text, Target::Edge { block, edge: 0 });
        }
    }
}

/// Puts a watch for each other operator in front of every operator of a block.
fn watch(program: &Program, body: &mut Body, block: BlockId) {
    let mut block = block;
    let mut from = 0;
    loop {
        let instrs = body.block(block).instrs.iter().enumerate().skip(from);
        let found = instrs.clone().find_map(|(at, instr)| {
            let others = others(program, body, (block, at), instr);
            (!others.is_empty()).then(|| (at, instr.clone(), others))
        });
        let Some((at, instr, others)) = found else { return };
        let old = &mut body.blocks[block.index()];
        let tail = old.instrs.split_off(at);
        let terminator = std::mem::replace(&mut old.terminator, Terminator::Unreachable);
        let terminator_span = std::mem::replace(&mut old.terminator_span, instr.span);
        for other in others {
            let next = BlockId::new(body.blocks.len());
            let condition = differs(body, block, &instr, other);
            let watching = &mut body.blocks[block.index()];
            watching.terminator_span = instr.span;
            watching.terminator = Terminator::Branch {
                condition,
                if_true: Jump::new(next),
                if_false: Jump::new(next),
                origin: None,
            };
            body.blocks.push(Block {
                params: Vec::new(),
                instrs: Vec::new(),
                terminator: Terminator::Unreachable,
                terminator_span: instr.span,
            });
            block = next;
        }
        let rest = &mut body.blocks[block.index()];
        (rest.instrs, rest.terminator, rest.terminator_span) = (tail, terminator, terminator_span);
        // The operator itself comes first there.
        from = 1;
    }
}

/// Emits both values, and whether they differ.
fn differs(body: &mut Body, block: BlockId, instr: &Instr, other: PureOp) -> Operand {
    let InstrKind::Pure(own) = &instr.kind else { return Operand::Int(Bits::zero(1)) };
    let ty = instr.result.map_or(Ty::BOOL, |result| body.value_ty(result));
    let mut emit = |op: PureOp, ty: Ty| {
        let result = ValueId::new(body.values.len());
        body.values.push(ty);
        let kind = InstrKind::Pure(op);
        let made = Instr { result: Some(result), kind, span: instr.span };
        body.blocks[block.index()].instrs.push(made);
        Operand::Value(result)
    };
    let (lhs, rhs) = (emit(*own, ty), emit(other, ty));
    emit(PureOp::Compare { op: CompareOp::Ne, lhs, rhs }, Ty::BOOL)
}

/// What a watch says: the end of the goal's id, and the goal in words.
fn watched(program: &Program, body: &Body, block: BlockId) -> Option<(String, String)> {
    let block = body.block(block);
    let Terminator::Branch { origin: None, condition, if_true, if_false } = &block.terminator
    else {
        return None;
    };
    let [.., own, other, last] = block.instrs.as_slice() else { return None };
    let is_watch = last.result.map(Operand::Value) == Some(*condition)
        && if_true.block == if_false.block
        && [own, other, last].iter().all(|instr| instr.span == block.terminator_span)
        && matches!(last.kind, InstrKind::Pure(PureOp::Compare { op: CompareOp::Ne, .. }));
    if !is_watch {
        return None;
    }
    let InstrKind::Pure(instead) = &other.kind else { return None };
    if let Some(comparison) = comparison_at(program, body, own) {
        let InstrKind::Pure(original) = &own.kind else { return None };
        let signs = [Signedness::Signed, Signedness::Unsigned].into_iter();
        let op = signs
            .flat_map(|sign| comparisons(original, comparison.op, sign))
            .find_map(|(op, made)| (made == *instead).then_some(op))?;
        let text = format!(
            "{} {} {} differs from {} {} {}",
            comparison.left,
            comparison.op.text(),
            comparison.right,
            comparison.left,
            op.text(),
            comparison.right
        );
        return Some((format!("ror-{}", name(op)), text));
    }
    let (InstrKind::Pure(PureOp::Binary { op: was, .. }), PureOp::Binary { op, .. }) =
        (&own.kind, instead)
    else {
        return None;
    };
    let text = text_at(program, block.terminator_span)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (kind, was, becomes) = (class(*op)?, spelled(*was)?, spelled(*op)?);
    Some((format!("{kind}-{}", word(*op)), format!("{text} differs where `{was}` is `{becomes}`")))
}

/// Operators that could stand in the place of this one.
fn others(
    program: &Program,
    body: &Body,
    (block, at): (BlockId, usize),
    instr: &Instr,
) -> Vec<PureOp> {
    let InstrKind::Pure(own) = &instr.kind else { return Vec::new() };
    if let Some(comparison) = comparison_at(program, body, instr) {
        let before = at.checked_sub(1).map(|before| &body.block(block).instrs[before].kind);
        let sign = match before {
            Some(InstrKind::Mark(Mark::Unsigned)) => Signedness::Unsigned,
            Some(_) | None => Signedness::Signed,
        };
        return comparisons(own, comparison.op, sign).into_iter().map(|(_, made)| made).collect();
    }
    let PureOp::Binary { op, lhs, rhs } = own else { return Vec::new() };
    let is_spelled = || {
        let text = text_at(program, instr.span)?;
        Some(is_between(&text, spelled(*op)?))
    };
    if is_spelled() != Some(true) {
        return Vec::new();
    }
    let made = |&op: &BinaryOp| PureOp::Binary { op, lhs: *lhs, rhs: *rhs };
    alternatives(*op).iter().map(made).collect()
}

fn alternatives(op: BinaryOp) -> &'static [BinaryOp] {
    match op {
        BinaryOp::Add => &[BinaryOp::Sub, BinaryOp::Mul],
        BinaryOp::Sub => &[BinaryOp::Add, BinaryOp::Mul],
        BinaryOp::Mul => &[BinaryOp::Add, BinaryOp::Sub],
        BinaryOp::Sdiv => &[BinaryOp::Srem, BinaryOp::Mul, BinaryOp::Add, BinaryOp::Sub],
        BinaryOp::Srem => &[BinaryOp::Sdiv, BinaryOp::Mul, BinaryOp::Add, BinaryOp::Sub],
        BinaryOp::Udiv => &[BinaryOp::Urem, BinaryOp::Mul, BinaryOp::Add, BinaryOp::Sub],
        BinaryOp::Urem => &[BinaryOp::Udiv, BinaryOp::Mul, BinaryOp::Add, BinaryOp::Sub],
        BinaryOp::And => &[BinaryOp::Or, BinaryOp::Xor],
        BinaryOp::Or => &[BinaryOp::And, BinaryOp::Xor],
        BinaryOp::Xor => &[BinaryOp::And, BinaryOp::Or],
        BinaryOp::Shl => &[BinaryOp::Ashr],
        BinaryOp::Ashr | BinaryOp::Lshr => &[BinaryOp::Shl],
    }
}

/// As C writes it.
fn spelled(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Sdiv | BinaryOp::Udiv => "/",
        BinaryOp::Srem | BinaryOp::Urem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Ashr | BinaryOp::Lshr => ">>",
    })
}

fn word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Sdiv | BinaryOp::Udiv => "div",
        BinaryOp::Srem | BinaryOp::Urem => "rem",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Shl => "shl",
        BinaryOp::Ashr | BinaryOp::Lshr => "shr",
    }
}

/// The kind of change, by the names that mutants have.
fn class(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => "lcr",
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Sdiv
        | BinaryOp::Udiv
        | BinaryOp::Srem
        | BinaryOp::Urem
        | BinaryOp::Shl
        | BinaryOp::Ashr
        | BinaryOp::Lshr => "aor",
    })
}

/// Whether the operator stands between two operands somewhere, and not as part of another: `a + b` and `a += b`, not `a++`.
fn is_between(text: &str, op: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(op).any(|(at, _)| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at + op.len()).copied();
        let is_part = |byte: Option<u8>| byte.is_some_and(|byte| b"+-*/%&|^<>!".contains(&byte));
        at > 0 && after.is_some() && !is_part(before) && !is_part(after)
    })
}

/// The five other comparisons of the same operands.
fn comparisons(own: &PureOp, written: SourceOp, equality: Signedness) -> Vec<(SourceOp, PureOp)> {
    const ALL: [SourceOp; 6] = [
        SourceOp::Less,
        SourceOp::LessEqual,
        SourceOp::Greater,
        SourceOp::GreaterEqual,
        SourceOp::Equal,
        SourceOp::NotEqual,
    ];
    let others = ALL.into_iter().filter(|&op| op != written);
    others.filter_map(|op| Some((op, compared(own, (written, equality), op)?))).collect()
}

/// `equality` says whether the operands of an equality have a sign, which it does not say itself.
fn compared(
    own: &PureOp,
    (written, equality): (SourceOp, Signedness),
    op: SourceOp,
) -> Option<PureOp> {
    let sides = |lhs: Operand, rhs: Operand| {
        let (left, right) = if written.is_swapped() { (rhs, lhs) } else { (lhs, rhs) };
        if op.is_swapped() { (right, left) } else { (left, right) }
    };
    if let PureOp::Compare { op: was, lhs, rhs } = own {
        let (lhs, rhs) = sides(*lhs, *rhs);
        let is_unsigned = match was {
            CompareOp::Ult | CompareOp::Ule => true,
            CompareOp::Slt | CompareOp::Sle => false,
            CompareOp::Eq | CompareOp::Ne => equality == Signedness::Unsigned,
        };
        let op = match (op, is_unsigned) {
            (SourceOp::Equal, _) => CompareOp::Eq,
            (SourceOp::NotEqual, _) => CompareOp::Ne,
            (SourceOp::Less | SourceOp::Greater, true) => CompareOp::Ult,
            (SourceOp::Less | SourceOp::Greater, false) => CompareOp::Slt,
            (SourceOp::LessEqual | SourceOp::GreaterEqual, true) => CompareOp::Ule,
            (SourceOp::LessEqual | SourceOp::GreaterEqual, false) => CompareOp::Sle,
        };
        return Some(PureOp::Compare { op, lhs, rhs });
    }
    let PureOp::FloatCompare { lhs, rhs, .. } = own else { return None };
    let (lhs, rhs) = sides(*lhs, *rhs);
    let op = match op {
        SourceOp::Equal => FloatCompareOp::Eq,
        SourceOp::NotEqual => FloatCompareOp::Ne,
        SourceOp::Less | SourceOp::Greater => FloatCompareOp::Lt,
        SourceOp::LessEqual | SourceOp::GreaterEqual => FloatCompareOp::Le,
    };
    Some(PureOp::FloatCompare { op, lhs, rhs })
}

fn name(op: SourceOp) -> &'static str {
    match op {
        SourceOp::Less => "less",
        SourceOp::LessEqual => "at-most",
        SourceOp::Greater => "greater",
        SourceOp::GreaterEqual => "at-least",
        SourceOp::Equal => "equal",
        SourceOp::NotEqual => "other",
    }
}
