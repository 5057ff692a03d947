//! The code of a harness, from its plan.

use std::rc::Rc;

use glassbox_testcase::recipe::{Making, NewObject, Step};

use super::{collection, usual};
use crate::classfile::insn::{Condition, Constant, Element, Insn, InvokeKind, StackOp, Variable};
use crate::descriptor::{Kind, Signature, Type};
use crate::reach::Reached;
use crate::reach::dynamic::{Assembler, member};
use crate::world::MethodRef;

pub(super) struct Writer<'a> {
    reached: &'a Reached,
    class: &'a str,
    params: &'a [(Type, String)],
    // By parameter.
    slots: Vec<u16>,
    next_slot: u16,
    // Where the receiver and the arguments are, as far as they are made.
    finished: Vec<u16>,
    code: Assembler,
}

fn size(kind: Kind) -> u16 {
    if kind.is_wide() { 2 } else { 1 }
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        reached: &'a Reached,
        class: &'a str,
        params: &'a [(Type, String)],
    ) -> Writer<'a> {
        let mut slots = Vec::new();
        let mut next_slot = 0;
        for (ty, _) in params {
            slots.push(next_slot);
            next_slot += size(ty.kind());
        }
        let finished = Vec::new();
        Writer { reached, class, params, slots, next_slot, finished, code: Assembler::default() }
    }

    pub(super) fn finish(mut self) -> Assembler {
        let end = self.code.here();
        let named = self.params.iter().zip(&self.slots);
        self.code.variables = named
            .map(|((ty, name), &slot)| Variable {
                name: name.as_str().into(),
                descriptor: ty.descriptor().into(),
                slot,
                start: 0,
                end,
            })
            .collect();
        self.code
    }

    /// Makes everything, keeps what is made in static fields, and calls.
    pub(super) fn harness(
        &mut self,
        target: MethodRef,
        receiver: Option<&Making>,
        args: &[Making],
        made: &[usize],
        has_call: bool,
    ) -> Option<()> {
        let world = &self.reached.world;
        let declared = world.method(target).clone();
        let owner = Rc::clone(world.name(target.class));
        let is_interface = world.is_interface(target.class);
        let signature = Signature::parse(&declared.descriptor)?;
        let receiver_type = receiver.map(|_| Type::Ref(Rc::clone(&owner)));
        let types: Vec<Type> = receiver_type.into_iter().chain(signature.params).collect();
        let mut temporaries = Vec::new();
        for (position, (making, ty)) in receiver.into_iter().chain(args).zip(&types).enumerate() {
            self.value(making)?;
            let slot = self.temporary(ty.kind());
            self.code.push(Insn::Store(ty.kind(), slot));
            temporaries.push(slot);
            self.finished.push(slot);
            if made.contains(&position) {
                self.code.push(Insn::Load(Kind::Ref, slot));
                let field = format!("made{position}");
                self.code.push(Insn::PutStatic(member(self.class, &field, "Ljava/lang/Object;")));
            }
        }
        if receiver.is_some() {
            // No test calls a method on nothing.
            self.code.push(Insn::Load(Kind::Ref, temporaries[0]));
            let jump = self.code.here();
            self.code.push(Insn::Nop);
            self.result(signature.result.as_ref());
            let here = self.code.here();
            self.code.patch(jump, Insn::IfNull(false, here));
        }
        if !has_call {
            self.result(signature.result.as_ref());
            return Some(());
        }
        self.code.push(Insn::Const(Constant::Int(1)));
        self.code.push(Insn::PutStatic(member(self.class, "stage", "I")));
        let is_construction = &*declared.name == "<init>";
        if is_construction {
            self.code.push(Insn::New(Rc::clone(&owner)));
        }
        for (slot, ty) in temporaries.iter().zip(&types) {
            self.code.push(Insn::Load(ty.kind(), *slot));
        }
        let kind = if is_construction {
            InvokeKind::Special
        } else if declared.access.is_static() {
            InvokeKind::Static
        } else if is_interface {
            InvokeKind::Interface
        } else if declared.access.is_private() {
            InvokeKind::Special
        } else {
            InvokeKind::Virtual
        };
        let callee = crate::classfile::insn::MemberRef {
            class: owner,
            name: declared.name,
            descriptor: declared.descriptor,
            is_interface,
        };
        self.code.push(Insn::Invoke(kind, Rc::new(callee)));
        self.code.push(Insn::Return(signature.result.map(|ty| ty.kind())));
        Some(())
    }

    /// Returns what a type's variables start with.
    fn result(&mut self, ty: Option<&Type>) {
        if let Some(ty) = ty {
            self.code.push(Insn::Const(match ty.kind() {
                Kind::Int => Constant::Int(0),
                Kind::Long => Constant::Long(0),
                Kind::Float => Constant::Float(0),
                Kind::Double => Constant::Double(0),
                Kind::Ref => Constant::Null,
            }));
        }
        self.code.push(Insn::Return(ty.map(Type::kind)));
    }

    fn temporary(&mut self, kind: Kind) -> u16 {
        let slot = self.next_slot;
        self.next_slot += size(kind);
        slot
    }

    fn load_param(&mut self, param: usize) {
        let (ty, _) = &self.params[param];
        self.code.push(Insn::Load(ty.kind(), self.slots[param]));
    }

    /// Leaves a value on the stack.
    fn value(&mut self, making: &Making) -> Option<()> {
        match making {
            Making::Param(param) => self.load_param(*param),
            Making::Null => self.code.push(Insn::Const(Constant::Null)),
            Making::Earlier(position) => {
                let slot = *self.finished.get(*position)?;
                self.code.push(Insn::Load(Kind::Ref, slot));
            }
            Making::Constant { class, selector, names } => {
                let descriptor = format!("L{};", class.internal);
                self.switch(*selector, names.len(), |writer, position| {
                    let field = member(&class.internal, &names[position], &descriptor);
                    writer.code.push(Insn::GetStatic(field));
                    Some(())
                })?;
            }
            Making::Choice { selector, options } => {
                self.switch(*selector, options.len(), |writer, position| {
                    writer.value(&options[position])
                })?;
            }
            Making::New(object) => self.object(object)?,
            Making::Usual(usual) => usual::write(&mut self.code, usual),
            Making::Array { class, count, elements } => {
                self.switch(*count, elements.len() + 1, |writer, length| {
                    writer.int(length);
                    writer.code.push(Insn::NewRefArray(class.internal.as_str().into()));
                    for (index, element) in elements.iter().take(length).enumerate() {
                        writer.code.push(Insn::Stack(StackOp::Dup));
                        writer.int(index);
                        writer.value(element)?;
                        writer.code.push(Insn::ArrayStore(Element::Ref));
                    }
                    Some(())
                })?;
            }
            Making::Collection { class, count, items, .. } => {
                self.collection(class, *count, items)?;
            }
        }
        Some(())
    }

    fn int(&mut self, value: usize) {
        self.code.push(Insn::Const(Constant::Int(i32::try_from(value).unwrap_or(0))));
    }

    /// One of `n_ways`, by a parameter; the first where it is none of their numbers.
    fn switch(
        &mut self,
        selector: usize,
        n_ways: usize,
        mut way: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        self.load_param(selector);
        let at = self.code.here();
        self.code.push(Insn::Nop);
        let mut labels = Vec::new();
        let mut jumps = Vec::new();
        for position in 0..n_ways {
            labels.push(self.code.here());
            way(self, position)?;
            jumps.push(self.code.here());
            self.code.push(Insn::Nop);
        }
        let end = self.code.here();
        for jump in jumps {
            self.code.patch(jump, Insn::Goto(end));
        }
        let case = |position: usize| i32::try_from(position).unwrap_or(i32::MAX);
        let cases = (1..n_ways).map(|position| (case(position), labels[position])).collect();
        self.code.patch(at, Insn::Switch { cases, default: *labels.first()? });
        Some(())
    }

    fn object(&mut self, object: &NewObject) -> Option<()> {
        let class = object.class.internal.as_str();
        if object.factory.is_none() {
            self.code.push(Insn::New(class.into()));
            self.code.push(Insn::Stack(StackOp::Dup));
        }
        for arg in &object.args {
            self.value(arg)?;
        }
        match &object.factory {
            None => self.code.invoke(InvokeKind::Special, class, "<init>", &object.descriptor),
            Some(name) => self.code.invoke(InvokeKind::Static, class, name, &object.descriptor),
        }
        if object.steps.is_empty() {
            return Some(());
        }
        let slot = self.temporary(Kind::Ref);
        self.code.push(Insn::Store(Kind::Ref, slot));
        for step in &object.steps {
            self.step(class, slot, step)?;
        }
        self.code.push(Insn::Load(Kind::Ref, slot));
        Some(())
    }

    fn step(&mut self, class: &str, slot: u16, step: &Step) -> Option<()> {
        self.switch(step.selector, step.calls.len() + 1, |writer, position| {
            let Some(call) = position.checked_sub(1).map(|at| &step.calls[at]) else {
                return Some(());
            };
            writer.code.push(Insn::Load(Kind::Ref, slot));
            for arg in &call.args {
                writer.value(arg)?;
            }
            writer.code.invoke(InvokeKind::Virtual, class, &call.method, &call.descriptor);
            match Signature::parse(&call.descriptor)?.result.map(|ty| ty.kind()) {
                None => {}
                Some(kind) if kind.is_wide() => writer.code.push(Insn::Stack(StackOp::Pop2)),
                Some(_) => writer.code.push(Insn::Stack(StackOp::Pop)),
            }
            Some(())
        })
    }

    fn collection(&mut self, class: &str, count: usize, items: &[Vec<Making>]) -> Option<()> {
        let known = collection::made_class(class)?;
        self.code.push(Insn::New(known.class.into()));
        self.code.push(Insn::Stack(StackOp::Dup));
        self.code.invoke(InvokeKind::Special, known.class, "<init>", "()V");
        let slot = self.temporary(Kind::Ref);
        self.code.push(Insn::Store(Kind::Ref, slot));
        let mut jumps = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.load_param(count);
            self.int(index);
            jumps.push(self.code.here());
            self.code.push(Insn::Nop);
            self.code.push(Insn::Load(Kind::Ref, slot));
            for value in item {
                self.value(value)?;
            }
            self.code.invoke(InvokeKind::Virtual, known.class, known.method, known.descriptor);
            self.code.push(Insn::Stack(StackOp::Pop));
        }
        let end = self.code.here();
        for jump in jumps {
            self.code.patch(jump, Insn::IfInts(Condition::Le, end));
        }
        self.code.push(Insn::Load(Kind::Ref, slot));
        Some(())
    }
}
