//! Conditions that may run on for ever: what stands behind such a condition is never reached, so that anything could be proved of
//! it. Where the code of a condition does not show that it ends, verdicts take for granted that it does.
//!
//! A loop is known to end where a number or a pointer takes one constant step in every turn and an exit that every turn passes
//! compares it with something that stays, or looks at what it leads to: no object is endless.

use std::collections::BTreeSet;

use glassbox_ir::cfg::Cfg;
use glassbox_ir::instr::{BinaryOp, CompareOp, UnaryOp};
use glassbox_ir::{
    Block, BlockId, Body, Callee, FuncId, Instr, InstrKind, Mark, MemoryOp, Operand, Origin,
    PointerOp, Presumption, Program, PureOp, Terminator, ValueId,
};

/// Marks the conditions of contracts that may not end.
pub fn presume_ends(program: &mut Program) {
    let ids: Vec<FuncId> = program.function_ids().collect();
    for id in ids {
        let (Origin::Harness { of } | Origin::Requirement { of } | Origin::Promise { of }) =
            program.function(id).origin
        else {
            continue;
        };
        let Some(body) = &program.function(id).body else { continue };
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (block, content) in body.blocks.iter().enumerate() {
            let may_run_on = |instr: &Instr| {
                callee(instr).is_some_and(|it| it != of && runs_on(program, it, &mut Vec::new()))
            };
            let found = (0..).zip(&content.instrs).filter(|(_, instr)| may_run_on(instr));
            places.extend(found.map(|(at, _)| (block, at)));
        }
        if has_endless_loop(program, body) {
            places.push((Body::ENTRY, 0));
        }
        places.sort_unstable();
        let Some(body) = &mut program.functions[id.index()].body else { continue };
        for (block, at) in places.into_iter().rev() {
            let block = &mut body.blocks[block];
            let span = block.instrs.get(at).map_or(block.terminator_span, |instr| instr.span);
            let kind = InstrKind::Mark(Mark::Presumes(Presumption::ConditionEnds));
            block.instrs.insert(at, Instr { result: None, kind, span });
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else calls")]
fn callee(instr: &Instr) -> Option<FuncId> {
    match &instr.kind {
        InstrKind::Call(call) => match call.callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        },
        _ => None,
    }
}

/// Whether a call of a function that users wrote may not end. `open` are the functions that are being looked at.
fn runs_on(program: &Program, function: FuncId, open: &mut Vec<FuncId>) -> bool {
    let declared = program.function(function);
    let Some(body) = declared.body.as_ref().filter(|_| declared.origin == Origin::User) else {
        return false;
    };
    if open.contains(&function) || has_endless_loop(program, body) {
        return true;
    }
    open.push(function);
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let found =
        instrs.any(|instr| callee(instr).is_some_and(|callee| runs_on(program, callee, open)));
    open.pop();
    found
}

/// Whether a body has a loop of which it is not known that it ends.
fn has_endless_loop(program: &Program, body: &Body) -> bool {
    let cfg = Cfg::new(body);
    let mut heads: BTreeSet<BlockId> = BTreeSet::new();
    for block in body.block_ids().filter(|&block| cfg.is_reachable(block)) {
        for target in body.block(block).terminator.targets() {
            if cfg.dominates(target.block, block) {
                heads.insert(target.block);
            } else if cfg.order(target.block) <= cfg.order(block) {
                // A loop with two entries.
                return true;
            }
        }
    }
    heads.into_iter().any(|head| !Loop::at(body, &cfg, head).ends(program))
}

/// A loop that is entered at one block.
struct Loop<'a> {
    body: &'a Body,
    cfg: &'a Cfg,
    head: BlockId,
    blocks: BTreeSet<BlockId>,
    /// Blocks from which a new turn begins.
    latches: Vec<BlockId>,
}

impl<'a> Loop<'a> {
    fn at(body: &'a Body, cfg: &'a Cfg, head: BlockId) -> Loop<'a> {
        let before = &cfg.predecessors[head.index()];
        let mut latches: Vec<BlockId> =
            before.iter().copied().filter(|&block| cfg.dominates(head, block)).collect();
        latches.dedup();
        let mut blocks = BTreeSet::from([head]);
        let mut open = latches.clone();
        while let Some(block) = open.pop() {
            if blocks.insert(block) {
                open.extend(&cfg.predecessors[block.index()]);
            }
        }
        Loop { body, cfg, head, blocks, latches }
    }

    fn ends(&self, program: &Program) -> bool {
        let counters = self.counters();
        let is_passed =
            |block: &BlockId| self.latches.iter().all(|&latch| self.cfg.dominates(*block, latch));
        self.blocks.iter().filter(|block| is_passed(block)).any(|&block| {
            let Terminator::Branch { condition, if_true, if_false, .. } =
                &self.body.block(block).terminator
            else {
                return false;
            };
            let stays = |block: BlockId| self.blocks.contains(&block);
            let goes_on_if = match (stays(if_true.block), stays(if_false.block)) {
                (true, false) => true,
                (false, true) => false,
                (true, true) | (false, false) => return false,
            };
            self.leads_out(program, *condition, goes_on_if, &counters)
        })
    }

    /// Values that take a constant step in every turn, before and behind it, with the steps.
    fn counters(&self) -> Vec<(ValueId, i128)> {
        let mut found = Vec::new();
        for (index, &param) in self.body.block(self.head).params.iter().enumerate() {
            let mut steps = BTreeSet::new();
            let mut stepped = Vec::new();
            for &latch in &self.latches {
                for target in self.body.block(latch).terminator.targets() {
                    if target.block != self.head {
                        continue;
                    }
                    let Some(Operand::Value(next)) = target.args.get(index).copied() else {
                        steps.insert(0);
                        continue;
                    };
                    steps.insert(self.step(next, param).unwrap_or(0));
                    stepped.push(next);
                }
            }
            if let (Some(&step), 1) = (steps.first(), steps.len())
                && step != 0
            {
                found.push((param, step));
                found.extend(stepped.into_iter().map(|value| (value, step)));
            }
        }
        found
    }

    /// What is added to `from` to give `value`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other instructions take no step")]
    fn step(&self, value: ValueId, from: ValueId) -> Option<i128> {
        let is_from = |operand: Operand| operand == Operand::Value(from);
        let number = |operand: Operand| match operand {
            Operand::Int(bits) => Some(bits.signed()),
            _ => None,
        };
        match self.definition(value)? {
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Add, lhs, rhs }) => {
                if is_from(*lhs) {
                    number(*rhs)
                } else {
                    number(*lhs).filter(|_| is_from(*rhs))
                }
            }
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Sub, lhs, rhs }) if is_from(*lhs) => {
                number(*rhs).map(|step| -step)
            }
            InstrKind::Pointer(PointerOp::Add { base, offset }) if is_from(*base) => {
                number(*offset)
            }
            _ => None,
        }
    }

    /// The instruction that gives a value, where that is in the loop.
    fn definition(&self, value: ValueId) -> Option<&'a InstrKind> {
        let blocks = self.blocks.iter().map(|&block| self.body.block(block));
        let mut instrs = blocks.flat_map(|block: &'a Block| &block.instrs);
        instrs.find(|instr| instr.result == Some(value)).map(|instr| &instr.kind)
    }

    fn is_param(&self, value: ValueId) -> bool {
        self.blocks.iter().any(|&block| self.body.block(block).params.contains(&value))
    }

    /// Whether a condition cannot have the value that keeps the loop going for ever.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other conditions are not understood")]
    fn leads_out(
        &self,
        program: &Program,
        condition: Operand,
        goes_on_if: bool,
        counters: &[(ValueId, i128)],
    ) -> bool {
        let Operand::Value(value) = condition else { return false };
        let step_of = |operand: &Operand| match operand {
            Operand::Value(value) => {
                counters.iter().find(|(it, _)| it == value).map(|(_, step)| *step)
            }
            _ => None,
        };
        let compared = match self.definition(value) {
            Some(InstrKind::Pure(PureOp::Unary { op: UnaryOp::Not, arg })) => {
                return self.leads_out(program, *arg, !goes_on_if, counters);
            }
            Some(InstrKind::Pure(PureOp::Compare { op, lhs, rhs })) => Some((*op, lhs, rhs, false)),
            Some(InstrKind::Pointer(PointerOp::Compare { op, lhs, rhs })) => {
                Some((*op, lhs, rhs, true))
            }
            _ => None,
        };
        if let Some((op, lhs, rhs, is_pointer)) = compared {
            let step = match (step_of(lhs), step_of(rhs)) {
                (Some(step), None) if self.stays(*rhs) => Some(step),
                (None, Some(step)) if self.stays(*lhs) => Some(step),
                _ => None,
            };
            if let Some(step) = step {
                let is_single = step.abs() == 1;
                // Signed numbers and pointers that go too far are an error of their own.
                let is_strict = match op {
                    CompareOp::Eq => return goes_on_if || is_single || is_pointer,
                    CompareOp::Ne => return !goes_on_if || is_single || is_pointer,
                    CompareOp::Ult | CompareOp::Slt => goes_on_if,
                    CompareOp::Ule | CompareOp::Sle => !goes_on_if,
                };
                let is_signed = matches!(op, CompareOp::Slt | CompareOp::Sle);
                let is_limited = is_signed && !program.language.overflow_wraps();
                return is_limited || is_pointer || (is_single && is_strict);
            }
        }
        self.looks_behind(Operand::Value(value), counters, 0)
    }

    /// Whether something is the same in every turn: conditions change no memory.
    #[expect(clippy::wildcard_enum_match_arm, reason = "others may be anything")]
    fn stays(&self, operand: Operand) -> bool {
        let Operand::Value(value) = operand else { return true };
        if self.is_param(value) {
            return false;
        }
        let Some(kind) = self.definition(value) else { return true };
        let is_fixed = match kind {
            InstrKind::Pure(_) | InstrKind::Pointer(_) | InstrKind::Call(_) => true,
            InstrKind::Memory(op) => {
                matches!(op, MemoryOp::Load { is_volatile: false, .. } | MemoryOp::LoadBits { .. })
                    && !self.writes()
            }
            _ => false,
        };
        let mut operands = Vec::new();
        kind.for_each_operand(&mut |operand: &Operand| operands.push(*operand));
        is_fixed && operands.into_iter().all(|operand| self.stays(operand))
    }

    /// Whether the loop writes memory, that of the condition itself included.
    fn writes(&self) -> bool {
        let blocks = self.blocks.iter().map(|&block| self.body.block(block));
        let mut instrs = blocks.flat_map(|block| &block.instrs);
        instrs.any(|instr| {
            matches!(
                instr.kind,
                InstrKind::Memory(
                    MemoryOp::Store { .. }
                        | MemoryOp::StoreBits { .. }
                        | MemoryOp::Copy { .. }
                        | MemoryOp::Fill { .. }
                )
            )
        })
    }

    /// Whether a value depends on what is in memory where a counter leads.
    fn looks_behind(&self, operand: Operand, counters: &[(ValueId, i128)], depth: u32) -> bool {
        const DEPTH: u32 = 8;
        let Operand::Value(value) = operand else { return false };
        if depth > DEPTH || self.is_param(value) {
            return false;
        }
        let Some(kind) = self.definition(value) else { return false };
        if let InstrKind::Memory(MemoryOp::Load { ptr, .. }) = kind {
            return self.depends_on(*ptr, counters, 0);
        }
        let mut operands = Vec::new();
        kind.for_each_operand(&mut |operand: &Operand| operands.push(*operand));
        operands.into_iter().any(|operand| self.looks_behind(operand, counters, depth + 1))
    }

    fn depends_on(&self, operand: Operand, counters: &[(ValueId, i128)], depth: u32) -> bool {
        const DEPTH: u32 = 8;
        let Operand::Value(value) = operand else { return false };
        if counters.iter().any(|(counter, _)| *counter == value) {
            return true;
        }
        let Some(kind) = self.definition(value).filter(|_| depth < DEPTH) else { return false };
        if matches!(kind, InstrKind::Memory(_) | InstrKind::Call(_)) {
            return false;
        }
        let mut operands = Vec::new();
        kind.for_each_operand(&mut |operand: &Operand| operands.push(*operand));
        operands.into_iter().any(|operand| self.depends_on(operand, counters, depth + 1))
    }
}
