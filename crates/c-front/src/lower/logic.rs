//! Decisions: `&&`, `||`, `!`, `?:` and the conditions of statements, as short-circuit branches that
//! remember which condition of which decision they test.

use glassbox_ir::{
    BlockId, BranchOrigin, Condition, Decision, DecisionId, DecisionKind, Formula, InstrKind,
    Operand, Target, Terminator, UseKind,
};
use glassbox_values::Bits;

use super::body::BodyLowering;
use crate::span::Span;
use crate::tree::{Category, Conversion, ExprId, ExprKind, LogicalOp};
use crate::ty::kind::TypeId;

/// Where an evaluation goes, and the decision's outcome if that settles it.
#[derive(Debug, Clone, Copy)]
struct Exit {
    block: BlockId,
    outcome: Option<bool>,
}

/// Conditions found so far, in evaluation order.
#[derive(Default)]
struct Conditions {
    list: Vec<Condition>,
    /// Where they stand in the preprocessed text.
    places: Vec<Span>,
}

/// How far the branches of a decision have been lowered.
struct Progress {
    /// `None`: branches that belong to no decision.
    decision: Option<DecisionId>,
    next_condition: u16,
}

impl BodyLowering<'_, '_> {
    /// Branches on a condition of the source.
    pub(super) fn decide(
        &mut self,
        condition: ExprId,
        kind: DecisionKind,
        if_true: BlockId,
        if_false: BlockId,
    ) {
        let condition = self.comma_tail(condition);
        let mut conditions = Conditions::default();
        let Some(formula) = self.formula(condition, &mut conditions) else {
            self.decide_silently(condition, if_true, if_false);
            return;
        };
        let span = self.program.place_of(self.tree.expr(condition).span);
        let decision =
            self.b.new_decision(Decision { kind, span, conditions: conditions.list, formula });
        let function = self.program.function_id(self.function);
        for (number, place) in (0..).zip(conditions.places) {
            self.program.places.conditions.insert((function, decision, number), place);
        }
        let mut progress = Progress { decision: Some(decision), next_condition: 0 };
        let if_true = Exit { block: if_true, outcome: Some(true) };
        let if_false = Exit { block: if_false, outcome: Some(false) };
        let saved = std::mem::replace(&mut self.use_kind, UseKind::Predicate);
        self.branch(condition, &mut progress, if_true, if_false);
        self.use_kind = saved;
    }

    /// Branches without a decision: for assumptions, which are no goals of a test.
    pub(super) fn decide_silently(
        &mut self,
        condition: ExprId,
        if_true: BlockId,
        if_false: BlockId,
    ) {
        let mut progress = Progress { decision: None, next_condition: 0 };
        let if_true = Exit { block: if_true, outcome: None };
        let if_false = Exit { block: if_false, outcome: None };
        self.branch(condition, &mut progress, if_true, if_false);
    }

    /// Evaluates what stands before commas; the condition proper is what remains.
    fn comma_tail(&mut self, mut condition: ExprId) -> ExprId {
        while let ExprKind::Comma { left, right } = self.tree.expr(condition).kind {
            self.effect(left);
            condition = right;
        }
        condition
    }

    /// Through conversions that keep the truth of `&&`, `||` and `!`.
    fn strip(&self, id: ExprId) -> ExprId {
        let mut at = id;
        while let ExprKind::Convert {
            conversion: Conversion::IntToInt | Conversion::ToBool | Conversion::Same,
            operand,
            ..
        } = self.tree.expr(at).kind
        {
            at = operand;
        }
        let kind = &self.tree.expr(at).kind;
        if matches!(kind, ExprKind::LogicalNot(_) | ExprKind::Logical { .. }) { at } else { id }
    }

    /// The decision's structure; `None` if it has more conditions than a decision can number or nests
    /// too deeply.
    fn formula(&mut self, id: ExprId, conditions: &mut Conditions) -> Option<Formula> {
        self.nested(|this| this.formula_of(id, conditions))?
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other expression is a condition")]
    fn formula_of(&mut self, id: ExprId, conditions: &mut Conditions) -> Option<Formula> {
        let stripped = self.strip(id);
        match self.tree.expr(stripped).kind {
            ExprKind::LogicalNot(operand) => {
                Some(Formula::Not(Box::new(self.formula(operand, conditions)?)))
            }
            ExprKind::Logical { op, left, right } => {
                let left = Box::new(self.formula(left, conditions)?);
                let right = Box::new(self.formula(right, conditions)?);
                Some(match op {
                    LogicalOp::And => Formula::And(left, right),
                    LogicalOp::Or => Formula::Or(left, right),
                })
            }
            _ => {
                let index = u16::try_from(conditions.list.len()).ok()?;
                let span = self.tree.expr(id).span;
                let text = self.program.sources.snippet(span);
                conditions.places.push(span);
                let span = self.program.place_of(span);
                conditions.list.push(Condition { span, text });
                Some(Formula::Condition(index))
            }
        }
    }

    fn branch(&mut self, id: ExprId, progress: &mut Progress, if_true: Exit, if_false: Exit) {
        let done = self.nested(|this| this.branch_on(id, progress, if_true, if_false));
        if done.is_none() {
            self.unsupported("an expression nested too deeply", None);
            self.jump_to(if_false.block);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other expression is a condition")]
    fn branch_on(&mut self, id: ExprId, progress: &mut Progress, if_true: Exit, if_false: Exit) {
        let stripped = self.strip(id);
        match self.tree.expr(stripped).kind {
            ExprKind::LogicalNot(operand) => self.branch(operand, progress, if_false, if_true),
            ExprKind::Logical { op, left, right } => {
                let second = self.b.new_block();
                let undecided = Exit { block: second, outcome: None };
                match op {
                    LogicalOp::And => self.branch(left, progress, undecided, if_false),
                    LogicalOp::Or => self.branch(left, progress, if_true, undecided),
                }
                self.b.switch_to(second);
                self.branch(right, progress, if_true, if_false);
            }
            _ => {
                let origin = progress.decision.map(|decision| BranchOrigin {
                    decision,
                    condition: progress.next_condition,
                    is_positive: true,
                    outcome_if_true: if_true.outcome,
                    outcome_if_false: if_false.outcome,
                });
                progress.next_condition = progress.next_condition.saturating_add(1);
                let condition = self.truth(id);
                self.at(self.tree.expr(id).span);
                self.b.terminate(Terminator::Branch {
                    condition,
                    if_true: Target::new(if_true.block),
                    if_false: Target::new(if_false.block),
                    origin,
                });
            }
        }
    }

    /// `a && b`, `!a` used as a value: 0 or 1.
    pub(super) fn logical_value(&mut self, id: ExprId) -> Operand {
        let if_true = self.b.new_block();
        let if_false = self.b.new_block();
        let saved = self.use_kind;
        self.decide(id, DecisionKind::Value, if_true, if_false);
        self.use_kind = saved;
        self.join_truth(id, if_true, if_false)
    }

    /// 1 from one block, 0 from the other.
    fn join_truth(&mut self, id: ExprId, if_true: BlockId, if_false: BlockId) -> Operand {
        self.at(self.tree.expr(id).span);
        let ty = self.scalar(self.tree.expr(id).ty).unwrap_or(glassbox_ir::Ty::I32);
        let join = self.b.new_block();
        let value = self.b.block_param(join, ty);
        for (block, outcome) in [(if_true, 1), (if_false, 0)] {
            self.b.switch_to(block);
            let width = match ty {
                glassbox_ir::Ty::Int(width) => width,
                glassbox_ir::Ty::Float(_) | glassbox_ir::Ty::Ptr => 32,
            };
            self.b.jump(join, vec![Operand::Int(Bits::from_u64(outcome, width))]);
        }
        self.b.switch_to(join);
        value.into()
    }

    /// The truth of a condition that is not a decision, with its short circuits: for assumptions.
    pub(super) fn silent_truth(&mut self, id: ExprId) -> Operand {
        let stripped = self.strip(id);
        let is_structured = matches!(
            self.tree.expr(stripped).kind,
            ExprKind::LogicalNot(_) | ExprKind::Logical { .. }
        );
        if !is_structured {
            return self.truth(id);
        }
        let if_true = self.b.new_block();
        let if_false = self.b.new_block();
        self.decide_silently(id, if_true, if_false);
        let value = self.join_truth(stripped, if_true, if_false);
        self.is_nonzero(value)
    }

    /// `condition ? then : otherwise` as a value.
    pub(super) fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
    ) -> Operand {
        if self.tree.types.is_void(ty) {
            self.conditional_effect(condition, then, otherwise);
            return Operand::NullPtr;
        }
        let (if_true, if_false) = self.split(condition, then, otherwise);
        let join = self.b.new_block();
        let value = self.b.block_param(join, self.scalar(ty).unwrap_or(glassbox_ir::Ty::Ptr));
        for (block, arm) in [(if_true, then), (if_false, otherwise)] {
            self.b.switch_to(block);
            let value = self.value(arm);
            self.b.jump(join, vec![value]);
        }
        self.b.switch_to(join);
        value.into()
    }

    /// `condition ? then : otherwise` for its effects.
    pub(super) fn conditional_effect(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) {
        let (if_true, if_false) = self.split(condition, then, otherwise);
        let join = self.b.new_block();
        for (block, arm) in [(if_true, then), (if_false, otherwise)] {
            self.b.switch_to(block);
            if self.nested(|this| this.effect(arm)).is_none() {
                self.unsupported("an expression nested too deeply", None);
            }
            self.jump_to(join);
        }
        self.b.switch_to(join);
    }

    /// Branches for `?:`; the blocks for both arms. Where the middle operand is missing, the
    /// condition's value is kept for it.
    fn split(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> (BlockId, BlockId) {
        let if_true = self.b.new_block();
        let if_false = self.b.new_block();
        let kind = if self.is_assertion_failure(otherwise) {
            DecisionKind::Assertion
        } else {
            DecisionKind::Ternary
        };
        if self.reuses(then, condition) {
            let saved = std::mem::replace(&mut self.use_kind, UseKind::Predicate);
            let value = self.value(condition);
            self.use_kind = saved;
            self.reused.insert(condition, value);
            self.decide_value(condition, value, kind, if_true, if_false);
        } else {
            self.decide(condition, kind, if_true, if_false);
        }
        (if_true, if_false)
    }

    /// `then` is the value of `condition` again, perhaps converted.
    fn reuses(&self, then: ExprId, condition: ExprId) -> bool {
        let mut at = then;
        while let ExprKind::Convert { operand, .. } = self.tree.expr(at).kind {
            at = operand;
        }
        matches!(self.tree.expr(at).kind, ExprKind::Reuse(of) if of == condition)
    }

    /// A decision of one condition whose value is already there.
    fn decide_value(
        &mut self,
        condition: ExprId,
        value: Operand,
        kind: DecisionKind,
        if_true: BlockId,
        if_false: BlockId,
    ) {
        let span = self.tree.expr(condition).span;
        let text = self.program.sources.snippet(span);
        self.at(span);
        let span = self.b.span();
        let conditions = vec![Condition { span, text }];
        let formula = Formula::Condition(0);
        let decision = self.b.new_decision(Decision { kind, span, conditions, formula });
        let origin = BranchOrigin {
            decision,
            condition: 0,
            is_positive: true,
            outcome_if_true: Some(true),
            outcome_if_false: Some(false),
        };
        let condition = self.is_nonzero(value);
        self.b.terminate(Terminator::Branch {
            condition,
            if_true: Target::new(if_true),
            if_false: Target::new(if_false),
            origin: Some(origin),
        });
    }

    /// An assumption: runs in which it is false are excluded.
    pub(super) fn assume(&mut self, condition: ExprId) {
        debug_assert!(self.tree.expr(condition).category == Category::Value);
        let truth = self.silent_truth(condition);
        self.b.push(InstrKind::Assume { condition: truth });
    }
}
