//! What is asked about a function: which rules apply, whether two do and differ, whether none does.

use glassbox_ir::{
    BranchOrigin, Check, CheckKind, Condition, Decision, DecisionKind, Demand, Formula, InstrKind,
    Mark, Operand, PureOp, Span, Target, Terminator, Ty,
};

use super::join::{Ends, Out, UNDEFINED, VALUE};
use super::value::{Fail, Tag, Val};
use super::{Aim, Lowering, span_of};
use crate::disjoint::are_disjoint;
use crate::spec::{Arithmetic, Expr, Outcome, Rule, Type};

/// Something that is asked, by positions of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// It applies.
    Rule(usize),
    /// Both apply.
    Overlap(usize, usize),
    /// No rule applies.
    Gap,
    /// Wherever both apply, both give the same.
    Agree(usize, usize),
    /// The last applies nowhere where one of the others does.
    Exclude(Vec<usize>, usize),
    /// A rule that applies has a result.
    Defined(usize),
    /// Some rule applies.
    Complete,
}

/// A rule: whether it applies, and what it gives then.
struct Answer {
    applies: Operand,
    out: Option<Out>,
}

/// Stands for "does not apply" among the kinds of endings, behind all exceptions.
const NEVER: usize = 1_000_000;

/// Behind the parts of places that pairs of rules have.
const LAST_PART: u32 = 1_000_000;

impl Lowering<'_> {
    /// The whole body.
    pub(super) fn questions(&mut self, function: usize) {
        let spec = self.spec;
        let declared = &spec.functions[function];
        let args: Vec<Val> =
            declared.params.iter().map(|(name, ty)| self.argument(name, *ty)).collect();
        // What is left out of the runs of one rule is left out of all.
        self.active[function] += 1;
        let mut answers = Vec::new();
        for rule in &declared.rules {
            self.b.set_span(span_of(rule.spot));
            answers.push(self.answer(rule, &args, declared.result));
        }
        self.active[function] -= 1;
        match self.options.aim {
            Aim::Rules => self.goals(function, &answers),
            Aim::Properties => self.properties(function, &answers),
        }
        let mut result = Self::number(answers.len());
        for (position, answer) in answers.iter().enumerate().rev() {
            let if_true = Self::number(position);
            let op = PureOp::Select { condition: answer.applies, if_true, if_false: result };
            result = self.pure(op, Ty::I32);
        }
        self.b.terminate(Terminator::Return(Some(result)));
    }

    fn answer(&mut self, rule: &Rule, args: &[Val], ty: Type) -> Answer {
        let mut fail = Fail::default();
        let mut ends: Ends = Vec::new();
        if let Some(env) = self.premises(rule, args, &mut fail) {
            match self.options.aim {
                Aim::Rules => {
                    ends.push((self.b.current(), Out { kind: Tag::Known(VALUE), val: None }));
                }
                Aim::Properties => self.outcome(rule, &env, &mut ends),
            }
        }
        let out = self.join(ends, ty);
        let applying = out.map(|out| (self.b.current(), out));
        match (applying, fail.0) {
            (Some((_, out)), None) => Answer { applies: Self::truth(true), out: Some(out) },
            (None, Some(failing)) => {
                self.b.switch_to(failing);
                Answer { applies: Self::truth(false), out: None }
            }
            (Some(applying), Some(failing)) => {
                // Nothing depends on the value where the rule does not apply.
                let never = Out { kind: Tag::Known(NEVER), val: None };
                let ways = vec![applying, (failing, never)];
                let out = self.join(ways, ty);
                let kind = out.as_ref().map_or(Self::number(NEVER), |out| out.kind.operand());
                let fails = self.equal(kind, Self::number(NEVER));
                Answer { applies: self.not(fails), out }
            }
            (None, None) => {
                // All runs are left out: what follows is not reached, and has to be well formed.
                let block = self.b.new_block();
                self.b.switch_to(block);
                Answer { applies: Self::truth(false), out: None }
            }
        }
    }

    fn goals(&mut self, function: usize, answers: &[Answer]) {
        let spec = self.spec;
        let declared = &spec.functions[function];
        let rules = &declared.rules;
        for (position, rule) in rules.iter().enumerate() {
            let text = format!("{} applies", rule.label);
            let span = span_of(rule.spot);
            self.goal(answers[position].applies, span, text);
            self.questions.push((span, Question::Rule(position)));
        }
        for (second, rule) in rules.iter().enumerate() {
            for first in 0..second {
                if are_disjoint(&rules[first], rule, declared.params.len()) {
                    continue;
                }
                let applies = self.both(answers[first].applies, answers[second].applies);
                let text = format!("{} and {} both apply", rules[first].label, rule.label);
                let span = part(span_of(rule.spot), first + 1);
                self.goal(applies, span, text);
                self.questions.push((span, Question::Overlap(first, second)));
            }
        }
        let some =
            answers.iter().fold(Self::truth(false), |some, it| self.either(some, it.applies));
        let none = self.not(some);
        let span = span_of(declared.spot);
        self.goal(none, span, format!("no rule of {} applies", declared.name));
        self.questions.push((span, Question::Gap));
    }

    /// A branch that is taken where the condition holds.
    fn goal(&mut self, condition: Operand, span: Span, text: String) {
        self.b.set_span(span);
        let decision = self.b.new_decision(Decision {
            kind: DecisionKind::If,
            span,
            conditions: vec![Condition { span, text }],
            formula: Formula::Condition(0),
        });
        let (reached, next) = (self.b.new_block(), self.b.new_block());
        self.b.terminate(Terminator::Branch {
            condition,
            if_true: Target::new(reached),
            if_false: Target::new(next),
            origin: Some(BranchOrigin {
                decision,
                condition: 0,
                is_positive: true,
                outcome_if_true: Some(true),
                outcome_if_false: Some(false),
            }),
        });
        self.b.switch_to(reached);
        self.b.push(InstrKind::Mark(Mark::Statement));
        self.b.jump(next, Vec::new());
        self.b.switch_to(next);
    }

    fn properties(&mut self, function: usize, answers: &[Answer]) {
        let spec = self.spec;
        let declared = &spec.functions[function];
        let rules = &declared.rules;
        if !declared.is_partial {
            let some =
                answers.iter().fold(Self::truth(false), |some, it| self.either(some, it.applies));
            let words = format!("some rule of {} applies to every argument", declared.name);
            self.property(some, span_of(declared.spot), words, Question::Complete);
        }
        for (second, rule) in rules.iter().enumerate() {
            let is_apart =
                |first: &usize| are_disjoint(&rules[*first], rule, declared.params.len());
            let (apart, near): (Vec<usize>, Vec<usize>) = (0..second).partition(is_apart);
            let span = span_of(rule.spot);
            if !apart.is_empty() {
                let others = apart
                    .iter()
                    .fold(Self::truth(false), |all, &it| self.either(all, answers[it].applies));
                let overlap = self.both(others, answers[second].applies);
                let holds = self.not(overlap);
                let labels: Vec<&str> = apart.iter().map(|&it| rules[it].label.as_str()).collect();
                let words =
                    format!("{} never applies where {} does", rule.label, labels.join(" or "));
                self.property(holds, span, words, Question::Exclude(apart, second));
            }
            for first in near {
                let holds = self.agree(&answers[first], &answers[second], declared.result);
                let label = &rules[first].label;
                let words = format!("{label} and {} give the same where both apply", rule.label);
                self.property(holds, part(span, first + 1), words, Question::Agree(first, second));
            }
            let answer = &answers[second];
            let may_be_undefined = answer.out.as_ref().map(|out| out.kind);
            if let Some(Tag::Read(_) | Tag::Known(UNDEFINED)) = may_be_undefined
                && self.may_end(rule)
            {
                let kind = may_be_undefined.map_or(Self::number(VALUE), Tag::operand);
                let is_undefined = self.equal(kind, Self::number(UNDEFINED));
                let is_lost = self.both(answer.applies, is_undefined);
                let holds = self.not(is_lost);
                let words = format!("{} has a result where it applies", rule.label);
                let span = Span { part: LAST_PART, ..span };
                self.property(holds, span, words, Question::Defined(second));
            }
        }
    }

    /// Whether the result of a rule needs something that may have no value.
    fn may_end(&self, rule: &Rule) -> bool {
        let Outcome::Value(expr) = &rule.result else { return false };
        let mut is_it = false;
        expr.visit(&mut |part| {
            is_it |= match part {
                Expr::Call { .. } => true,
                Expr::Arithmetic { op, .. } => {
                    matches!(op, Arithmetic::Div | Arithmetic::Rem)
                }
                Expr::Bool(_)
                | Expr::Int(..)
                | Expr::Var(_)
                | Expr::Make { .. }
                | Expr::Field { .. }
                | Expr::Not(_)
                | Expr::Both { .. }
                | Expr::Either { .. }
                | Expr::Equal { .. }
                | Expr::Less { .. }
                | Expr::Convert { .. } => false,
            };
        });
        is_it
    }

    fn property(&mut self, condition: Operand, span: Span, words: String, question: Question) {
        self.b.set_span(span);
        self.b.push(InstrKind::Check(Check::Condition {
            kind: CheckKind::Assertion,
            condition,
            values: Vec::new(),
            demand: Some(Demand::Words(words)),
        }));
        self.questions.push((span, question));
    }

    /// Whether two rules do not both apply, or end in the same way with the same value.
    fn agree(&mut self, a: &Answer, b: &Answer, ty: Type) -> Operand {
        let overlap = self.both(a.applies, b.applies);
        if let Operand::Int(known) = overlap
            && !known.is_true()
        {
            return Self::truth(true);
        }
        let (Some(a), Some(b)) = (&a.out, &b.out) else { return Self::truth(true) };
        let mut ends = Vec::new();
        let (apart, both) = (self.b.new_block(), self.b.new_block());
        self.branch(overlap, both, apart);
        if overlap == Self::truth(true) {
            self.b.switch_to(apart);
            self.b.terminate(Terminator::Unreachable);
        } else {
            ends.push((apart, Self::truth(true)));
        }
        self.b.switch_to(both);
        let mut differ = Fail::default();
        let same_kind = self.equal(a.kind.operand(), b.kind.operand());
        if self.unless(same_kind, &mut differ) {
            match (&a.val, &b.val) {
                (Some(a_val), Some(b_val)) => {
                    let is_value = self.equal(a.kind.operand(), Self::number(VALUE));
                    let (values, other) = (self.b.new_block(), self.b.new_block());
                    self.branch(is_value, values, other);
                    if is_value == Self::truth(true) {
                        self.b.switch_to(other);
                        self.b.terminate(Terminator::Unreachable);
                    } else {
                        ends.push((other, Self::truth(true)));
                    }
                    self.b.switch_to(values);
                    let is_same = self.same(a_val, b_val, ty);
                    ends.push((self.b.current(), is_same));
                }
                _ => ends.push((self.b.current(), Self::truth(true))),
            }
        }
        ends.extend(differ.0.map(|block| (block, Self::truth(false))));
        self.join_truths(ends).unwrap_or(Self::truth(true))
    }
}

/// A place of its own for the same text.
fn part(span: Span, number: usize) -> Span {
    Span { part: u32::try_from(number).unwrap_or(LAST_PART), ..span }
}
