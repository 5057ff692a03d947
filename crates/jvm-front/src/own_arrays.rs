//! Which arrays a method changes that it has not made itself: a walk over its bytecode that knows of every value whether it is
//! an array that was made in this activation.

use crate::classfile::insn::{ArithOp, Code, Comparison, Constant, Conversion, Element, Insn};
use crate::classfile::insn::{InvokeKind, StackOp};
use crate::descriptor::{Kind, Signature, Type};

/// A slot of the operand stack or a local variable: whether it is an array that the method has made.
type Slot = bool;

/// What is known before an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    stack: Vec<Slot>,
    locals: Vec<Slot>,
}

/// Instructions that may change an array of others: stores, and calls that are given one. `None` where the code is not followed.
#[expect(clippy::wildcard_enum_match_arm, reason = "no others name local variables")]
pub(crate) fn changes_others(code: &Code, descriptor: &str) -> Option<Vec<usize>> {
    let parameters = Signature::parse(descriptor)?.params;
    let given: usize = parameters.iter().map(|it| slots(it.kind())).sum();
    let named = code.insns.iter().map(|insn| match insn {
        Insn::Load(_, local) | Insn::Store(_, local) | Insn::Increment(local, _) => {
            usize::from(*local) + 2
        }
        _ => 0,
    });
    let n_locals = named.max().unwrap_or(0).max(given + 1);
    let mut before: Vec<Option<State>> = vec![None; code.insns.len()];
    let mut open = vec![0];
    *before.first_mut()? = Some(State { stack: Vec::new(), locals: vec![false; n_locals] });
    let mut found = vec![false; code.insns.len()];
    while let Some(at) = open.pop() {
        let mut state = before[at].clone()?;
        for handler in code.handlers.iter().filter(|it| (it.start..it.end).contains(&at)) {
            let caught = State { stack: vec![false], locals: state.locals.clone() };
            join(&mut before, handler.target, caught, &mut open)?;
        }
        let insn = &code.insns[at];
        found[at] |= state.step(insn)?;
        for target in insn.targets() {
            join(&mut before, target, state.clone(), &mut open)?;
        }
        let goes_on =
            !matches!(insn, Insn::Goto(_) | Insn::Switch { .. } | Insn::Return(_) | Insn::Throw);
        if goes_on && at + 1 < code.insns.len() {
            // What a handler sees of a variable is what it holds behind the instruction, too.
            for handler in code.handlers.iter().filter(|it| (it.start..it.end).contains(&at)) {
                let caught = State { stack: vec![false], locals: state.locals.clone() };
                join(&mut before, handler.target, caught, &mut open)?;
            }
            join(&mut before, at + 1, state, &mut open)?;
        }
    }
    Some((0..found.len()).filter(|&at| found[at]).collect())
}

/// Adds what is known where control comes from elsewhere.
fn join(
    before: &mut [Option<State>],
    at: usize,
    state: State,
    open: &mut Vec<usize>,
) -> Option<()> {
    let known = before.get_mut(at)?;
    match known {
        None => {
            *known = Some(state);
            open.push(at);
        }
        Some(known) => {
            if known.stack.len() != state.stack.len() {
                return None;
            }
            let both = |mine: &[Slot], theirs: &[Slot]| {
                mine.iter().zip(theirs).map(|(a, b)| *a && *b).collect::<Vec<Slot>>()
            };
            let joined = State {
                stack: both(&known.stack, &state.stack),
                locals: both(&known.locals, &state.locals),
            };
            if joined != *known {
                *known = joined;
                open.push(at);
            }
        }
    }
    Some(())
}

fn slots(kind: Kind) -> usize {
    if kind.is_wide() { 2 } else { 1 }
}

impl State {
    fn pop(&mut self, n: usize) -> Option<Vec<Slot>> {
        let rest = self.stack.len().checked_sub(n)?;
        Some(self.stack.split_off(rest))
    }

    fn push(&mut self, kind: Kind, is_own: bool) {
        self.stack.extend(std::iter::repeat_n(is_own, slots(kind)));
    }

    /// What an instruction does; whether it may change an array that the method has not made.
    fn step(&mut self, insn: &Insn) -> Option<bool> {
        match insn {
            Insn::Nop | Insn::Neg(_) | Insn::Increment(..) | Insn::Goto(_) | Insn::CheckCast(_) => {
            }
            Insn::Const(constant) => {
                self.push(kind_of_constant(constant), false);
            }
            Insn::Load(kind, local) => {
                let is_own = *self.locals.get(usize::from(*local))?;
                self.push(*kind, is_own && *kind == Kind::Ref);
            }
            Insn::Store(kind, local) => {
                let is_own = self.pop(slots(*kind))?[0];
                *self.locals.get_mut(usize::from(*local))? = is_own;
            }
            Insn::ArrayLoad(element) => {
                self.pop(2)?;
                self.push(kind_of(*element), false);
            }
            Insn::ArrayStore(element) => {
                self.pop(slots(kind_of(*element)) + 1)?;
                return Some(!self.pop(1)?[0]);
            }
            Insn::Stack(op) => self.stack_op(*op)?,
            Insn::Arith(op, kind) => {
                let second = if is_shift(*op) { 1 } else { slots(*kind) };
                self.pop(second + slots(*kind))?;
                self.push(*kind, false);
            }
            Insn::Convert(Conversion::Kinds(from, to)) => {
                self.pop(slots(*from))?;
                self.push(*to, false);
            }
            Insn::Convert(
                Conversion::IntToByte | Conversion::IntToChar | Conversion::IntToShort,
            ) => {}
            Insn::Compare(comparison) => {
                let kind = match comparison {
                    Comparison::Long => Kind::Long,
                    Comparison::FloatLess(kind) | Comparison::FloatGreater(kind) => *kind,
                };
                self.pop(2 * slots(kind))?;
                self.push(Kind::Int, false);
            }
            Insn::If(..)
            | Insn::IfNull(..)
            | Insn::Switch { .. }
            | Insn::Throw
            | Insn::MonitorEnter
            | Insn::MonitorExit => {
                self.pop(1)?;
            }
            Insn::IfInts(..) | Insn::IfSame(..) => {
                self.pop(2)?;
            }
            // Subroutines are from compilers of long ago.
            Insn::Jsr(_) | Insn::Ret(_) => return None,
            Insn::Return(kind) => {
                self.pop(kind.map_or(0, slots))?;
            }
            Insn::GetStatic(member) => self.push(kind_of_descriptor(&member.descriptor)?, false),
            Insn::PutStatic(member) => {
                self.pop(slots(kind_of_descriptor(&member.descriptor)?))?;
            }
            Insn::GetField(member) => {
                self.pop(1)?;
                self.push(kind_of_descriptor(&member.descriptor)?, false);
            }
            Insn::PutField(member) => {
                self.pop(slots(kind_of_descriptor(&member.descriptor)?) + 1)?;
            }
            Insn::Invoke(kind, member) => {
                let receivers = usize::from(*kind != InvokeKind::Static);
                let makes = super::condition::makes_array(insn);
                return self.call(&member.descriptor, receivers, makes);
            }
            Insn::InvokeDynamic(call) => return self.call(&call.descriptor, 0, false),
            Insn::New(_) => self.push(Kind::Ref, false),
            Insn::NewPrimArray(_) | Insn::NewRefArray(_) => {
                self.pop(1)?;
                self.push(Kind::Ref, true);
            }
            Insn::NewMultiArray(_, dimensions) => {
                self.pop(usize::from(*dimensions))?;
                self.push(Kind::Ref, true);
            }
            Insn::ArrayLength | Insn::InstanceOf(_) => {
                self.pop(1)?;
                self.push(Kind::Int, false);
            }
        }
        Some(false)
    }

    /// Whether a call is given an array that the method has not made. There is a receiver or none below the arguments.
    fn call(&mut self, descriptor: &str, receivers: usize, makes: bool) -> Option<bool> {
        let signature = Signature::parse(descriptor)?;
        let mut is_others = false;
        for parameter in signature.params.iter().rev() {
            let given = self.pop(slots(parameter.kind()))?[0];
            let may_be_array = matches!(parameter, Type::Ref(name)
                if name.starts_with('[') || &**name == "java/lang/Object");
            is_others |= may_be_array && !given;
        }
        self.pop(receivers)?;
        if let Some(result) = &signature.result {
            self.push(result.kind(), makes);
        }
        Some(is_others)
    }

    fn stack_op(&mut self, op: StackOp) -> Option<()> {
        // How many slots are copied, and below how many more the copy goes.
        let (copied, below) = match op {
            StackOp::Pop => return self.pop(1).map(|_| ()),
            StackOp::Pop2 => return self.pop(2).map(|_| ()),
            StackOp::Swap => {
                let top = self.pop(2)?;
                self.stack.extend([top[1], top[0]]);
                return Some(());
            }
            StackOp::Dup => (1, 0),
            StackOp::DupX1 => (1, 1),
            StackOp::DupX2 => (1, 2),
            StackOp::Dup2 => (2, 0),
            StackOp::Dup2X1 => (2, 1),
            StackOp::Dup2X2 => (2, 2),
        };
        let top = self.pop(copied)?;
        let under = self.pop(below)?;
        self.stack.extend(top.iter().chain(&under).chain(&top));
        Some(())
    }
}

fn kind_of_constant(constant: &Constant) -> Kind {
    match constant {
        Constant::Long(_) => Kind::Long,
        Constant::Double(_) => Kind::Double,
        Constant::Dynamic(descriptor) => match &**descriptor {
            "J" => Kind::Long,
            "D" => Kind::Double,
            _ => Kind::Ref,
        },
        Constant::Null
        | Constant::Int(_)
        | Constant::Float(_)
        | Constant::String(_)
        | Constant::Class(_)
        | Constant::MethodType(_)
        | Constant::MethodHandle(_) => Kind::Ref,
    }
}

fn is_shift(op: ArithOp) -> bool {
    match op {
        ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr => true,
        ArithOp::Add
        | ArithOp::Sub
        | ArithOp::Mul
        | ArithOp::Div
        | ArithOp::Rem
        | ArithOp::And
        | ArithOp::Or
        | ArithOp::Xor => false,
    }
}

fn kind_of(element: Element) -> Kind {
    match element {
        Element::Byte | Element::Char | Element::Short | Element::Int => Kind::Int,
        Element::Long => Kind::Long,
        Element::Float => Kind::Float,
        Element::Double => Kind::Double,
        Element::Ref => Kind::Ref,
    }
}

fn kind_of_descriptor(descriptor: &str) -> Option<Kind> {
    let of_void = format!("(){descriptor}");
    Signature::parse(&of_void)?.result.map(|ty| ty.kind())
}
