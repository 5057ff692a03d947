//! Branches, switches, subroutines.

use std::rc::Rc;

use glassbox_ir::instr::{CompareOp, FloatCompareOp};
use glassbox_ir::{
    BranchOrigin, Condition as SourceCondition, Decision, DecisionKind, Formula, Operand,
    SwitchCase, Target, Terminator,
};
use glassbox_values::Bits;

use super::decision::ChainBranch;
use super::emit::int;
use super::method::{Entry, Fact, Malformed, MethodLowering, malformed};
use crate::classfile::insn::{Comparison, Condition, Insn, Label};
use crate::descriptor::Kind;

impl MethodLowering<'_> {
    pub(super) fn if_zero(&mut self, condition: Condition, target: Label) -> Result<(), Malformed> {
        let entry = self.pop_entry(Kind::Int)?;
        let text = |shown: Condition| match (&entry.text, entry.fact) {
            // The text of a comparison has a gap for the symbol.
            (Some(text), Fact::Compared(..)) => Some(text.replace('\0', shown.symbol()).into()),
            (Some(text), Fact::Boolean) if shown == Condition::Ne => Some(Rc::clone(text)),
            (Some(text), Fact::Boolean) if shown == Condition::Eq => {
                let is_simple = !text.contains(' ') || text.ends_with(')');
                Some(if is_simple { format!("!{text}") } else { format!("!({text})") }.into())
            }
            (Some(text), Fact::Char) => Some(format!("{text} {} '\\0'", shown.symbol()).into()),
            (Some(text), _) => Some(Rc::from(format!("{text} {} 0", shown.symbol()))),
            (None, _) => None,
        };
        let texts = [text(condition), text(condition.negated())];
        let test = match entry.fact {
            Fact::Compared(comparison, lhs, rhs) => self.compared(comparison, condition, lhs, rhs),
            Fact::None | Fact::NotNull | Fact::Boolean | Fact::Char => {
                self.int_test(condition, entry.value, int(0))
            }
        };
        self.branch_to(test, target, texts)
    }

    pub(super) fn if_ints(&mut self, condition: Condition, target: Label) -> Result<(), Malformed> {
        let rhs = self.pop_entry(Kind::Int)?;
        let lhs = self.pop_entry(Kind::Int)?;
        let texts = [condition, condition.negated()]
            .map(|shown| self.binary_text(&lhs.beside(&rhs), shown.symbol(), &rhs.beside(&lhs)));
        let test = self.int_test(condition, lhs.value, rhs.value);
        self.branch_to(test, target, texts)
    }

    pub(super) fn if_same(&mut self, is_same: bool, target: Label) -> Result<(), Malformed> {
        let rhs = self.pop_entry(Kind::Ref)?;
        let lhs = self.pop_entry(Kind::Ref)?;
        let texts = equality(is_same).map(|shown| self.binary_text(&lhs, shown, &rhs));
        let same = self.emit.same(lhs.value, rhs.value);
        let test = if is_same { same } else { self.emit.not(same) };
        self.branch_to(test, target, texts)
    }

    pub(super) fn if_null(&mut self, is_null: bool, target: Label) -> Result<(), Malformed> {
        let entry: Entry = self.pop_entry(Kind::Ref)?;
        let texts = equality(is_null)
            .map(|shown| entry.text.as_ref().map(|text| Rc::from(format!("{text} {shown} null"))));
        let null = self.emit.is_null(entry.value);
        let test = if is_null { null } else { self.emit.not(null) };
        self.branch_to(test, target, texts)
    }

    fn int_test(&mut self, condition: Condition, lhs: Operand, rhs: Operand) -> Operand {
        match condition {
            Condition::Eq => self.emit.compare(CompareOp::Eq, lhs, rhs),
            Condition::Ne => self.emit.compare(CompareOp::Ne, lhs, rhs),
            Condition::Lt => self.emit.compare(CompareOp::Slt, lhs, rhs),
            Condition::Le => self.emit.compare(CompareOp::Sle, lhs, rhs),
            Condition::Gt => self.emit.compare(CompareOp::Slt, rhs, lhs),
            Condition::Ge => self.emit.compare(CompareOp::Sle, rhs, lhs),
        }
    }

    /// A three-way comparison and a test of it, as one test.
    fn compared(
        &mut self,
        comparison: Comparison,
        condition: Condition,
        lhs: Operand,
        rhs: Operand,
    ) -> Operand {
        let nan_is_less = match comparison {
            Comparison::Long => return self.int_test(condition, lhs, rhs),
            Comparison::FloatLess(_) => true,
            Comparison::FloatGreater(_) => false,
        };
        // On NaN the comparison gives -1 or 1; where that satisfies the condition, the opposite test is
        // false on NaN and its negation is right.
        let (op, lhs, rhs, is_negated) = match (condition, nan_is_less) {
            (Condition::Eq, _) => (FloatCompareOp::Eq, lhs, rhs, false),
            (Condition::Ne, _) => (FloatCompareOp::Ne, lhs, rhs, false),
            (Condition::Lt, true) => (FloatCompareOp::Le, rhs, lhs, true),
            (Condition::Lt, false) => (FloatCompareOp::Lt, lhs, rhs, false),
            (Condition::Le, true) => (FloatCompareOp::Lt, rhs, lhs, true),
            (Condition::Le, false) => (FloatCompareOp::Le, lhs, rhs, false),
            (Condition::Gt, true) => (FloatCompareOp::Lt, rhs, lhs, false),
            (Condition::Gt, false) => (FloatCompareOp::Le, lhs, rhs, true),
            (Condition::Ge, true) => (FloatCompareOp::Le, rhs, lhs, false),
            (Condition::Ge, false) => (FloatCompareOp::Lt, lhs, rhs, true),
        };
        let test = self.emit.float_compare(op, lhs, rhs);
        if is_negated { self.emit.not(test) } else { test }
    }

    /// Branches on a test. `texts` say what holds when the jump is taken, and when it is not.
    fn branch_to(
        &mut self,
        test: Operand,
        target: Label,
        texts: [Option<Rc<str>>; 2],
    ) -> Result<(), Malformed> {
        // Compilers jump over what a condition guards when it is false, and back to a loop's start when
        // it is true: so a jump forward tests the negation of what the source says. Chains of branches
        // are looked at again when the whole method is known (`decision`).
        let is_negated = target > self.label;
        let origin = (self.is_own && !self.is_at_assertion_switch()).then(|| {
            let span = self.span_at(self.label);
            let [jump_text, fall_text] = texts
                .map(|text| text.map_or_else(|| "the condition".to_owned(), |t| t.to_string()));
            let text = if is_negated { fall_text.clone() } else { jump_text.clone() };
            let decision = self.emit.builder.new_decision(Decision {
                kind: DecisionKind::Branch,
                span,
                conditions: vec![SourceCondition { span, text }],
                formula: Formula::Condition(0),
            });
            let start = self.operands_start();
            let label = self.label;
            let branch = ChainBranch { start, label, target, decision, jump_text, fall_text };
            self.branches.push(branch);
            BranchOrigin {
                decision,
                condition: 0,
                is_positive: !is_negated,
                outcome_if_true: Some(!is_negated),
                outcome_if_false: Some(is_negated),
            }
        });
        let if_true = self.enter(target)?;
        let if_false = self.enter(self.label + 1)?;
        self.emit.branch(test, if_true, if_false, origin);
        Ok(())
    }

    /// Whether this is the branch around an `assert` that the JVM skips: no condition of the source.
    fn is_at_assertion_switch(&self) -> bool {
        let before = self.label.checked_sub(1).and_then(|label| self.code.insns.get(label));
        matches!(before, Some(Insn::GetStatic(member)) if &*member.name == "$assertionsDisabled")
    }

    pub(super) fn switch(
        &mut self,
        cases: &[(i32, Label)],
        default: Label,
    ) -> Result<(), Malformed> {
        let value = self.pop(Kind::Int)?;
        let mut targets = Vec::new();
        for &(case, target) in cases {
            // Gaps of a table lead where no case leads.
            if target == default {
                continue;
            }
            let block = self.enter(target)?;
            let bits = Bits::from_signed(case.into(), 32);
            let span = self.span_at(target);
            targets.push(SwitchCase { low: bits, high: bits, target: Target::new(block), span });
        }
        let default = self.enter(default)?;
        self.emit.builder.terminate(Terminator::Switch {
            value,
            cases: targets,
            default: Target::new(default),
        });
        Ok(())
    }

    /// A subroutine gets the label to return to, as a number.
    pub(super) fn jsr(&mut self, target: Label) -> Result<(), Malformed> {
        let back = i32::try_from(self.label + 1).unwrap_or(i32::MAX);
        self.push(Kind::Int, int(back));
        let block = self.enter(target)?;
        self.emit.jump(block);
        Ok(())
    }

    pub(super) fn ret_from_subroutine(&mut self, slot: u16) -> Result<(), Malformed> {
        let value = self.read_slot(slot, Kind::Int);
        let code = Rc::clone(&self.code);
        let calls = code.insns.iter().enumerate();
        let returns: Vec<Label> = calls
            .filter(|(_, insn)| matches!(insn, Insn::Jsr(_)))
            .map(|(label, _)| label + 1)
            .collect();
        let Some((&last, others)) = returns.split_last() else {
            return malformed("a return from no subroutine");
        };
        let mut cases = Vec::new();
        for &label in others {
            let block = self.enter(label)?;
            let bits = Bits::new(label as u128, 32);
            let span = glassbox_ir::Span::nowhere();
            cases.push(SwitchCase { low: bits, high: bits, target: Target::new(block), span });
        }
        let default = Target::new(self.enter(last)?);
        self.emit.builder.terminate(Terminator::Switch { value, cases, default });
        Ok(())
    }
}

/// The symbol of an equality or inequality, and its negation.
fn equality(is_same: bool) -> [&'static str; 2] {
    if is_same { ["==", "!="] } else { ["!=", "=="] }
}
