//! Mutants of JVM methods: places in the code where something can be changed, and the changed code.
//!
//! Operators of the source are instructions here, so a change of one is a change of the other, but for conditions: a compiler
//! jumps over what a condition guards, so that `a < b` stands as a jump where `a >= b`. Replacements say what the code says.

#![expect(clippy::wildcard_enum_match_arm, reason = "other instructions are not changed")]

use glassbox_jvm_front::changed::patch::Patch;
use glassbox_jvm_front::classfile::insn::{
    ArithOp, Code, Condition, Constant, Element, Handler, Insn, InvokeKind, Label, StackOp,
};
use glassbox_jvm_front::descriptor::{Kind, Signature, Type};

use crate::Operator;

/// One change of a method.
#[derive(Debug, Clone)]
pub struct CodeMutant {
    pub operator: Operator,
    /// The source line; 0 where none is known.
    pub line: u32,
    pub original: String,
    pub replacement: String,
    pub code: Code,
    /// The same change in a class file; `None` where it cannot be made there.
    pub patch: Option<Patch>,
}

/// What is put in the place of an instruction.
struct Edit {
    operator: Operator,
    original: String,
    replacement: String,
    insns: Vec<Insn>,
}

/// All mutants of these kinds. `descriptor` is that of the method.
pub fn code_mutants(code: &Code, descriptor: &str, operators: &[Operator]) -> Vec<CodeMutant> {
    let gives_truth = descriptor.ends_with(")Z");
    let mut found = Vec::new();
    for at in 0..code.insns.len() {
        for edit in edits(code, at, gives_truth) {
            if operators.contains(&edit.operator) {
                found.push(CodeMutant {
                    operator: edit.operator,
                    line: code.lines.get(at).copied().unwrap_or(0),
                    original: edit.original,
                    replacement: edit.replacement,
                    patch: Patch::new(code, at, &edit.insns),
                    code: replaced(code, at, edit.insns),
                });
            }
        }
    }
    found
}

fn edits(code: &Code, at: Label, gives_truth: bool) -> Vec<Edit> {
    let insn = &code.insns[at];
    let mut edits = Vec::new();
    arithmetic(insn, &mut edits);
    conditions(code, at, &mut edits);
    if let Insn::Const(constant) = insn {
        let is_truth = gives_truth
            && matches!(code.insns.get(at + 1), Some(Insn::Return(Some(_)) | Insn::Goto(_)));
        constants(constant, is_truth, &mut edits);
    }
    if let Insn::Load(kind, slot) = insn
        && !matches!(kind, Kind::Ref)
        && !is_truth_variable(code, at, *slot)
    {
        let original = variable(code, at, *slot);
        edits.push(Edit {
            operator: Operator::Unary,
            replacement: format!("-{original}"),
            original,
            insns: vec![insn.clone(), Insn::Neg(*kind)],
        });
    }
    edits.extend(deletion(code, at));
    edits
}

fn symbol(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::Rem => "%",
        ArithOp::And => "&",
        ArithOp::Or => "|",
        ArithOp::Xor => "^",
        ArithOp::Shl => "<<",
        ArithOp::Shr => ">>",
        ArithOp::Ushr => ">>>",
    }
}

fn arithmetic(insn: &Insn, edits: &mut Vec<Edit>) {
    const NUMBERS: &[ArithOp] =
        &[ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Rem];
    const BITS: &[ArithOp] = &[ArithOp::And, ArithOp::Or, ArithOp::Xor];
    const SHIFTS: &[ArithOp] = &[ArithOp::Shl, ArithOp::Shr, ArithOp::Ushr];
    if let Insn::Arith(op, kind) = insn {
        let (operator, family) = match op {
            ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div | ArithOp::Rem => {
                (Operator::Arithmetic, NUMBERS)
            }
            ArithOp::And | ArithOp::Or | ArithOp::Xor => (Operator::Logical, BITS),
            ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr => (Operator::Arithmetic, SHIFTS),
        };
        edits.extend(family.iter().filter(|other| *other != op).map(|&other| Edit {
            operator,
            original: symbol(*op).to_owned(),
            replacement: symbol(other).to_owned(),
            insns: vec![Insn::Arith(other, *kind)],
        }));
    }
    if let Insn::Increment(slot, step) = insn
        && let Some(other) = step.checked_neg().filter(|other| other != step)
    {
        edits.push(Edit {
            operator: Operator::Arithmetic,
            original: format!("+= {step}"),
            replacement: format!("+= {other}"),
            insns: vec![Insn::Increment(*slot, other)],
        });
    }
}

const CONDITIONS: [Condition; 6] =
    [Condition::Eq, Condition::Ne, Condition::Lt, Condition::Ge, Condition::Gt, Condition::Le];

/// Jumps under other conditions, and both orders of `&&` and `||`.
fn conditions(code: &Code, at: Label, edits: &mut Vec<Edit>) {
    let insn = &code.insns[at];
    let words = |condition: Condition| format!("jump if {}", condition.symbol());
    let mut compare = |condition: Condition, made: &dyn Fn(Condition) -> Insn| {
        // What compares a truth value with 0 has one other way.
        let is_truth = matches!(insn, Insn::If(..)) && gives_truth_before(code, at);
        for other in CONDITIONS {
            if other != condition && (!is_truth || other == condition.negated()) {
                edits.push(Edit {
                    operator: if is_truth { Operator::Unary } else { Operator::Relational },
                    original: words(condition),
                    replacement: words(other),
                    insns: vec![made(other)],
                });
            }
        }
    };
    match insn {
        Insn::If(condition, label) => compare(*condition, &|other| Insn::If(other, *label)),
        Insn::IfInts(condition, label) => {
            compare(*condition, &|other| Insn::IfInts(other, *label));
        }
        Insn::IfSame(is_same, label) => {
            edits.push(turned("the same", *is_same, Insn::IfSame(!is_same, *label)));
        }
        Insn::IfNull(is_null, label) => {
            edits.push(turned("null", *is_null, Insn::IfNull(!is_null, *label)));
        }
        _ => {}
    }
    edits.extend(connective(code, at));
}

/// A jump under the opposite condition.
fn turned(what: &str, was: bool, insn: Insn) -> Edit {
    let text = |is_it: bool| format!("jump if {}{what}", if is_it { "" } else { "not " });
    Edit {
        operator: Operator::Relational,
        original: text(was),
        replacement: text(!was),
        insns: vec![insn],
    }
}

/// Whether the value before is a truth value for certain.
fn gives_truth_before(code: &Code, at: Label) -> bool {
    match at.checked_sub(1).and_then(|before| code.insns.get(before)) {
        Some(Insn::InstanceOf(_)) => true,
        Some(Insn::Invoke(_, member)) => member.descriptor.ends_with(")Z"),
        Some(Insn::GetField(member) | Insn::GetStatic(member)) => &*member.descriptor == "Z",
        Some(Insn::Load(_, slot)) => is_truth_variable(code, at, *slot),
        Some(_) | None => false,
    }
}

fn is_truth_variable(code: &Code, at: Label, slot: u16) -> bool {
    let mut own = code.variables.iter().filter(|variable| variable.slot == slot);
    own.any(|variable| {
        (variable.start..=variable.end).contains(&at) && &*variable.descriptor == "Z"
    })
}

fn variable(code: &Code, at: Label, slot: u16) -> String {
    let mut own = code.variables.iter().filter(|variable| variable.slot == slot);
    let named = own.find(|variable| (variable.start..variable.end).contains(&at));
    named.map_or_else(|| format!("variable {slot}"), |variable| variable.name.to_string())
}

/// `a && b` is two jumps to one place, `a || b` a jump behind the second one: each becomes the other.
fn connective(code: &Code, at: Label) -> Option<Edit> {
    let first = jump(&code.insns[at])?;
    let second_at =
        (at + 1..code.insns.len()).find(|&next| !code.insns[next].targets().is_empty())?;
    let second = jump(&code.insns[second_at])?;
    let is_entered = |label: Label| {
        code.insns.iter().any(|insn| insn.targets().contains(&label))
            || code.handlers.iter().any(|handler| handler.target == label)
    };
    if (at + 1..=second_at).any(is_entered) || code.lines.get(at) != code.lines.get(second_at) {
        return None;
    }
    // Between the two stands an expression and nothing that is done.
    let is_expression = |insn: &Insn| {
        !matches!(
            insn,
            Insn::Store(..)
                | Insn::ArrayStore(_)
                | Insn::PutField(_)
                | Insn::PutStatic(_)
                | Insn::Return(_)
                | Insn::Throw
                | Insn::Increment(..)
        )
    };
    if !code.insns[at + 1..second_at].iter().all(is_expression) {
        return None;
    }
    let (original, replacement, target) = if first == second {
        ("&&", "||", second_at + 1)
    } else if first == second_at + 1 {
        ("||", "&&", second)
    } else {
        return None;
    };
    Some(Edit {
        operator: Operator::Logical,
        original: original.to_owned(),
        replacement: replacement.to_owned(),
        insns: vec![negated(&code.insns[at], target)?],
    })
}

/// Where a conditional jump leads.
fn jump(insn: &Insn) -> Option<Label> {
    match insn {
        Insn::If(_, label)
        | Insn::IfInts(_, label)
        | Insn::IfSame(_, label)
        | Insn::IfNull(_, label) => Some(*label),
        _ => None,
    }
}

/// A jump elsewhere under the opposite condition.
fn negated(insn: &Insn, target: Label) -> Option<Insn> {
    match insn {
        Insn::If(condition, _) => Some(Insn::If(condition.negated(), target)),
        Insn::IfInts(condition, _) => Some(Insn::IfInts(condition.negated(), target)),
        Insn::IfSame(is_same, _) => Some(Insn::IfSame(!is_same, target)),
        Insn::IfNull(is_null, _) => Some(Insn::IfNull(!is_null, target)),
        _ => None,
    }
}

fn constants(constant: &Constant, is_truth: bool, edits: &mut Vec<Edit>) {
    let others: Vec<(String, String, Constant)> = match constant {
        Constant::Int(value) => {
            let all = [value.wrapping_add(1), value.wrapping_sub(1), 0];
            let mut all: Vec<i32> =
                if is_truth { vec![i32::from(*value == 0)] } else { all.to_vec() };
            all.retain(|other| other != value);
            all.dedup();
            all.into_iter()
                .map(|other| (value.to_string(), other.to_string(), Constant::Int(other)))
                .collect()
        }
        Constant::Long(value) => {
            let mut all = vec![value.wrapping_add(1), value.wrapping_sub(1), 0];
            all.retain(|other| other != value);
            all.dedup();
            all.into_iter()
                .map(|other| (format!("{value}L"), format!("{other}L"), Constant::Long(other)))
                .collect()
        }
        Constant::Double(bits) => {
            let value = f64::from_bits(*bits);
            [value + 1.0, value - 1.0, 0.0]
                .into_iter()
                .filter(|other| *other != value)
                .map(|other| {
                    (value.to_string(), other.to_string(), Constant::Double(other.to_bits()))
                })
                .collect()
        }
        Constant::Float(bits) => {
            let value = f32::from_bits(*bits);
            [value + 1.0, value - 1.0, 0.0]
                .into_iter()
                .filter(|other| *other != value)
                .map(|other| {
                    (format!("{value}f"), format!("{other}f"), Constant::Float(other.to_bits()))
                })
                .collect()
        }
        Constant::Null
        | Constant::String(_)
        | Constant::Class(_)
        | Constant::MethodType(_)
        | Constant::MethodHandle(_)
        | Constant::Dynamic(_) => Vec::new(),
    };
    edits.extend(others.into_iter().map(|(original, replacement, other)| Edit {
        operator: Operator::Constant,
        original,
        replacement,
        insns: vec![Insn::Const(other)],
    }));
}

/// An assignment, an increment or a call without result is left out: what it takes is taken from the stack.
fn deletion(code: &Code, at: Label) -> Option<Edit> {
    let (original, taken) = match &code.insns[at] {
        Insn::Increment(slot, _) => (format!("the step of {}", variable(code, at, *slot)), vec![]),
        // What was never set cannot be read.
        Insn::Store(kind, slot) if is_set_before(code, at, *slot) => {
            (format!("the assignment to {}", variable(code, at + 1, *slot)), vec![*kind])
        }
        Insn::PutStatic(member) => {
            let kind = Type::parse(&member.descriptor)?.kind();
            (format!("the assignment to {}", member.name), vec![kind])
        }
        Insn::PutField(member) => {
            let kind = Type::parse(&member.descriptor)?.kind();
            (format!("the assignment to {}", member.name), vec![kind, Kind::Ref])
        }
        Insn::ArrayStore(element) => {
            let kind = match element {
                Element::Byte | Element::Char | Element::Short | Element::Int => Kind::Int,
                Element::Long => Kind::Long,
                Element::Float => Kind::Float,
                Element::Double => Kind::Double,
                Element::Ref => Kind::Ref,
            };
            ("the assignment to an element".to_owned(), vec![kind, Kind::Int, Kind::Ref])
        }
        Insn::Invoke(kind, member)
            if member.descriptor.ends_with(")V") && !member.name.starts_with('<') =>
        {
            let signature = Signature::parse(&member.descriptor)?;
            let mut taken: Vec<Kind> = signature.params.iter().rev().map(Type::kind).collect();
            if *kind != InvokeKind::Static {
                taken.push(Kind::Ref);
            }
            (format!("the call of {}", member.name), taken)
        }
        _ => return None,
    };
    let pop = |kind: &Kind| Insn::Stack(if kind.is_wide() { StackOp::Pop2 } else { StackOp::Pop });
    let insns = if taken.is_empty() { vec![Insn::Nop] } else { taken.iter().map(pop).collect() };
    Some(Edit { operator: Operator::Deletion, original, replacement: String::new(), insns })
}

/// Whether a variable has a value of its type wherever an instruction begins: it is a parameter, or set on every way there.
fn is_set_before(code: &Code, at: Label, slot: u16) -> bool {
    let is_parameter = code.variables.iter().any(|it| it.slot == slot && it.start == 0);
    let is_alone = code.variables.iter().filter(|it| it.slot == slot).count() == 1;
    is_parameter || (is_alone && !is_reached_without(code, at, slot))
}

/// Whether a way leads to an instruction on which nothing is stored in a variable.
fn is_reached_without(code: &Code, at: Label, slot: u16) -> bool {
    let mut is_seen = vec![false; code.insns.len()];
    let mut next = vec![0];
    while let Some(label) = next.pop() {
        let Some(insn) = code.insns.get(label) else { continue };
        if label == at || matches!(insn, Insn::Jsr(_) | Insn::Ret(_)) {
            return true;
        }
        if std::mem::replace(&mut is_seen[label], true)
            || matches!(insn, Insn::Store(_, own) if *own == slot)
        {
            continue;
        }
        next.extend(insn.targets());
        let around = |it: &&Handler| (it.start..it.end).contains(&label);
        next.extend(code.handlers.iter().filter(around).map(|handler| handler.target));
        if !matches!(insn, Insn::Goto(_) | Insn::Switch { .. } | Insn::Return(_) | Insn::Throw) {
            next.push(label + 1);
        }
    }
    false
}

/// The code with other instructions in the place of one.
fn replaced(code: &Code, at: Label, insns: Vec<Insn>) -> Code {
    let more = insns.len() - 1;
    let moved = |label: Label| if label > at { label + more } else { label };
    let mut made = code.clone();
    made.insns.splice(at..=at, insns);
    for parallel in [&mut made.pcs, &mut made.lines] {
        if let Some(own) = parallel.get(at).copied() {
            parallel.splice(at..at, std::iter::repeat_n(own, more));
        }
    }
    for insn in &mut made.insns {
        relabel(insn, &moved);
    }
    for handler in &mut made.handlers {
        handler.start = moved(handler.start);
        handler.end = moved(handler.end);
        handler.target = moved(handler.target);
    }
    for variable in &mut made.variables {
        variable.start = moved(variable.start);
        variable.end = moved(variable.end);
    }
    made
}

fn relabel(insn: &mut Insn, moved: &dyn Fn(Label) -> Label) {
    match insn {
        Insn::If(_, label)
        | Insn::IfInts(_, label)
        | Insn::IfSame(_, label)
        | Insn::IfNull(_, label)
        | Insn::Goto(label)
        | Insn::Jsr(label) => *label = moved(*label),
        Insn::Switch { cases, default } => {
            cases.iter_mut().for_each(|(_, label)| *label = moved(*label));
            *default = moved(*default);
        }
        _ => {}
    }
}
