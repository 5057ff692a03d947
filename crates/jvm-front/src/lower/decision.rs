//! Decisions of the source, put together again from branches of the bytecode.
//!
//! A compiler turns `a && (b || c)` into a chain of branches that leave to two places. Branches belong
//! to one decision when the operands of the next begin where the one before falls through to, without a
//! statement or a new line between, when nothing else jumps into the chain, and when the chain folds to a
//! formula of `&&` and `||`. So two nested `if`s without `else` on one line are seen as one decision,
//! which they equal. What does not fold (`a ? b : c` as a condition) stays a decision for each branch.

use glassbox_ir::{
    Body, BranchOrigin, Condition, Decision, DecisionId, DecisionKind, Formula, Terminator,
};

use crate::classfile::insn::{Code, Label};

/// A conditional branch that has been lowered, its decision being one of its own.
#[derive(Debug, Clone)]
pub(super) struct ChainBranch {
    /// Where the operands begin.
    pub(super) start: Label,
    pub(super) label: Label,
    pub(super) target: Label,
    pub(super) decision: DecisionId,
    /// What holds when the jump is taken, and when it is not.
    pub(super) jump_text: String,
    pub(super) fall_text: String,
}

/// Where a chain goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The branch at this position of the list.
    Member(usize),
    Exit(Label),
}

/// A branch, or several folded into one: jumps when `formula` holds over the jumps of its members.
#[derive(Debug, Clone)]
struct Node {
    first: usize,
    formula: Formula,
    jump: Goal,
    fall: Goal,
}

/// Replaces decisions of single branches by those that chains of them make.
pub(super) fn join_decisions(body: &mut Body, code: &Code, branches: &[ChainBranch]) {
    let mut branches: Vec<ChainBranch> = branches.to_vec();
    branches.sort_by_key(|branch| branch.label);
    let mut first = 0;
    while first < branches.len() {
        // The longest chain that folds.
        let longest = chain_end(code, &branches, first);
        let end =
            (first + 1..=longest).rev().find(|&end| fold(code, &branches, first, end).is_some());
        let end = end.unwrap_or(first + 1);
        if let Some(folded) = fold(code, &branches, first, end) {
            replace(body, &branches[first..end], &folded);
        }
        first = end;
    }
    drop_unused(body);
}

/// Behind the last branch that directly follows the one before.
fn chain_end(code: &Code, branches: &[ChainBranch], first: usize) -> usize {
    let mut end = first + 1;
    while let (Some(before), Some(next)) = (branches.get(end - 1), branches.get(end)) {
        let same_line = code.lines.get(next.start) == code.lines.get(before.label);
        if next.start != before.label + 1 || !same_line || end - first >= MAX_CONDITIONS {
            break;
        }
        end += 1;
    }
    end
}

/// Conditions of one decision; longer chains are cut.
const MAX_CONDITIONS: usize = 32;

/// The chain as one formula over the values of its conditions in the source's sense.
#[derive(Debug)]
struct Folded {
    formula: Formula,
    /// By condition: whether it is true when the jump is taken.
    jumps_when_true: Vec<bool>,
    true_exit: Label,
    false_exit: Label,
}

fn fold(code: &Code, branches: &[ChainBranch], first: usize, end: usize) -> Option<Folded> {
    let members = &branches[first..end];
    let goal = |label: Label| {
        let member = members.iter().position(|member| member.start == label);
        member.filter(|&member| member > 0).map_or(Goal::Exit(label), Goal::Member)
    };
    let mut nodes: Vec<Node> = Vec::new();
    for (position, member) in members.iter().enumerate() {
        let condition = Formula::Condition(u16::try_from(position).ok()?);
        let (jump, fall) = (goal(member.target), goal(member.label + 1));
        nodes.push(Node { first: position, formula: condition, jump, fall });
    }
    if members.len() > 1 && is_entered(code, members) {
        return None;
    }
    while nodes.len() > 1 {
        let position = (0..nodes.len() - 1).rev().find(|&position| can_fold(&nodes, position))?;
        let next = nodes.remove(position + 1);
        let node = &mut nodes[position];
        let own = std::mem::replace(&mut node.formula, Formula::Condition(0));
        node.formula = if node.jump == next.jump {
            Formula::Or(Box::new(own), Box::new(next.formula))
        } else {
            Formula::And(Box::new(Formula::Not(Box::new(own))), Box::new(next.formula))
        };
        (node.jump, node.fall) = (next.jump, next.fall);
    }
    let node = nodes.pop()?;
    let (Goal::Exit(jump), Goal::Exit(fall)) = (node.jump, node.fall) else { return None };
    // A jump backward goes on with a loop, a jump forward skips what the condition guards.
    let jumps_on_true = jump <= members.last()?.label;
    let mut jumps_when_true = vec![true; members.len()];
    let formula = without_negation(node.formula, jumps_on_true, &mut jumps_when_true);
    let (true_exit, false_exit) = if jumps_on_true { (jump, fall) } else { (fall, jump) };
    (true_exit != false_exit).then_some(Folded { formula, jumps_when_true, true_exit, false_exit })
}

/// Whether code outside the chain jumps behind its first branch.
fn is_entered(code: &Code, members: &[ChainBranch]) -> bool {
    let inside = members[0].label + 1..=members[members.len() - 1].label;
    let is_member = |label: Label| members.iter().any(|member| member.label == label);
    let mut jumps = code.insns.iter().enumerate().filter(|(label, _)| !is_member(*label));
    let is_jumped_to =
        jumps.any(|(_, insn)| insn.targets().iter().any(|target| inside.contains(target)));
    let is_start = |label: &Label| members.iter().any(|member| member.start == *label);
    let jumps_astray = members.iter().any(|m| inside.contains(&m.target) && !is_start(&m.target));
    let is_handled = code.handlers.iter().any(|handler| inside.contains(&handler.target));
    is_jumped_to || jumps_astray || is_handled
}

/// Whether a node and the one behind it are one: it falls through to that, nothing else goes there, and
/// both leave to the same places.
fn can_fold(nodes: &[Node], position: usize) -> bool {
    let (node, next) = (&nodes[position], &nodes[position + 1]);
    let here = Goal::Member(next.first);
    let mut others = nodes.iter().enumerate().filter(|(other, _)| *other != position);
    let is_shared = others.any(|(_, other)| other.jump == here || other.fall == here);
    node.fall == here
        && node.jump != here
        && !is_shared
        && (node.jump == next.jump || node.jump == next.fall)
}

/// The formula, or its negation, with all negations in the conditions: `signs` says which of them are
/// the jump itself.
fn without_negation(formula: Formula, is_wanted: bool, signs: &mut [bool]) -> Formula {
    match formula {
        Formula::Condition(condition) => {
            signs[usize::from(condition)] = is_wanted;
            Formula::Condition(condition)
        }
        Formula::Not(inner) => without_negation(*inner, !is_wanted, signs),
        Formula::And(lhs, rhs) => {
            let lhs = Box::new(without_negation(*lhs, is_wanted, signs));
            let rhs = Box::new(without_negation(*rhs, is_wanted, signs));
            if is_wanted { Formula::And(lhs, rhs) } else { Formula::Or(lhs, rhs) }
        }
        Formula::Or(lhs, rhs) => {
            let lhs = Box::new(without_negation(*lhs, is_wanted, signs));
            let rhs = Box::new(without_negation(*rhs, is_wanted, signs));
            if is_wanted { Formula::Or(lhs, rhs) } else { Formula::And(lhs, rhs) }
        }
    }
}

/// Puts a chain's decision in the place of those of its branches.
fn replace(body: &mut Body, members: &[ChainBranch], folded: &Folded) {
    let kept = members[0].decision;
    let conditions = members.iter().zip(&folded.jumps_when_true).map(|(member, &is_jump)| {
        let span = body.decisions[member.decision.index()].span;
        let text = if is_jump { &member.jump_text } else { &member.fall_text };
        Condition { span, text: text.clone() }
    });
    let conditions: Vec<Condition> = conditions.collect();
    let span = conditions[0].span;
    let kind = DecisionKind::Branch;
    let formula = folded.formula.clone();
    body.decisions[kept.index()] = Decision { kind, span, conditions, formula };
    let outcome = |label: Label| match label {
        label if label == folded.true_exit => Some(true),
        label if label == folded.false_exit => Some(false),
        _ => None,
    };
    for block in &mut body.blocks {
        let Terminator::Branch { origin: Some(origin), .. } = &mut block.terminator else {
            continue;
        };
        let position = members.iter().position(|member| member.decision == origin.decision);
        let Some(position) = position else { continue };
        let member = &members[position];
        *origin = BranchOrigin {
            decision: kept,
            condition: u16::try_from(position).expect("chains are short"),
            is_positive: folded.jumps_when_true[position],
            outcome_if_true: outcome(member.target),
            outcome_if_false: outcome(member.label + 1),
        };
    }
}

/// Decisions that no branch belongs to any more would be goals that cannot be reached.
fn drop_unused(body: &mut Body) {
    let mut is_used = vec![false; body.decisions.len()];
    for block in &body.blocks {
        if let Terminator::Branch { origin: Some(origin), .. } = &block.terminator {
            is_used[origin.decision.index()] = true;
        }
    }
    let mut numbers = Vec::new();
    let mut n_used = 0;
    for &is_used in &is_used {
        numbers.push(DecisionId::new(n_used));
        n_used += usize::from(is_used);
    }
    for block in &mut body.blocks {
        if let Terminator::Branch { origin: Some(origin), .. } = &mut block.terminator {
            origin.decision = numbers[origin.decision.index()];
        }
    }
    let mut is_used = is_used.into_iter();
    body.decisions.retain(|_| is_used.next().unwrap_or(true));
}
