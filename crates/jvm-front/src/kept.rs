//! Lambdas and method references that may be kept: somebody who is not in sight may run them, with any arguments.
//!
//! A lambda that is handed to a method of `java.util` which takes such functions, and to nothing else, is run there.

use std::rc::Rc;

use crate::classfile::insn::{Code, DynamicCall, Element, Insn, InvokeKind, MemberRef};
use crate::descriptor::{Kind, Signature, Type};
use crate::influence::handles;
use crate::world::{MethodRef, TypeRef, World};

/// The methods of a class that are not called from elsewhere, and that lambdas made in this class run.
pub(crate) fn kept(world: &mut World, class: TypeRef) -> Vec<MethodRef> {
    let Some(file) = world.info(class).class().map(Rc::clone) else { return Vec::new() };
    let mut found: Vec<MethodRef> = Vec::new();
    for method in &file.methods {
        let Some(code) = file.code(method).ok().flatten() else { continue };
        let result = Signature::parse(&method.descriptor).and_then(|signature| signature.result);
        for insn in &code.insns {
            let Insn::InvokeDynamic(call) = insn else { continue };
            let is_lambda = &*call.bootstrap.member.class == "java/lang/invoke/LambdaMetafactory";
            if !is_lambda || !may_be_kept(world, &code, call, result.as_ref()) {
                continue;
            }
            let own = handles(call).filter(|(_, member)| *member.class == *file.name);
            for (_, member) in own {
                let run = world.declared_method(class, &member.name, &member.descriptor);
                let is_hidden = |&run: &MethodRef| {
                    world.method(run).access.is_private()
                        && !world.method(run).name.starts_with('<')
                };
                found.extend(run.filter(is_hidden).filter(|run| !found.contains(run)));
            }
        }
    }
    found
}

/// Whether the method that makes a lambda does anything by which it may become known elsewhere.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else hands on references")]
fn may_be_kept(world: &mut World, code: &Code, call: &DynamicCall, result: Option<&Type>) -> bool {
    let made = Signature::parse(&call.descriptor).and_then(|signature| signature.result);
    let Some(Type::Ref(made)) = made else { return true };
    let may_take = |world: &mut World, ty: &Type| match ty {
        Type::Prim(_) => false,
        Type::Ref(name) => {
            let known = world.load(name).ok().zip(world.load(&made).ok());
            *name == made || known.is_none_or(|(taken, made)| world.is_subtype(made, taken))
        }
    };
    let may_hold = |world: &mut World, ty: &Type| may_take(world, ty) || is_lazy(ty);
    code.insns.iter().any(|insn| match insn {
        Insn::Return(Some(Kind::Ref)) => result.is_none_or(|result| may_hold(world, result)),
        Insn::PutField(member) | Insn::PutStatic(member) => {
            Type::parse(&member.descriptor).is_none_or(|ty| may_hold(world, &ty))
        }
        Insn::ArrayStore(Element::Ref) => true,
        Insn::Invoke(kind, member) => {
            let Some(signature) = Signature::parse(&member.descriptor) else { return true };
            let mut params = signature.params.iter();
            if is_run_at_once(*kind, member) {
                let is_made = |ty: &Type| matches!(ty, Type::Ref(name) if *name == made);
                return !params.clone().any(is_made) && params.any(|ty| may_take(world, ty));
            }
            // What the library made of it is handed on as well: a comparator, a stream.
            params.any(|ty| may_hold(world, ty))
        }
        Insn::InvokeDynamic(other) => Signature::parse(&other.descriptor)
            .is_none_or(|signature| signature.params.iter().any(|ty| may_hold(world, ty))),
        _ => false,
    })
}

/// Types of the library whose objects run functions later.
fn is_lazy(ty: &Type) -> bool {
    let Type::Ref(name) = ty else { return false };
    let packages = ["java/util/function/", "java/util/stream/", "java/util/concurrent/"];
    let types = ["Iterator", "Iterable", "Spliterator", "Comparator", "Thread"];
    packages.iter().any(|package| name.starts_with(package))
        || types.iter().any(|end| name.starts_with("java/") && name.ends_with(end))
}

/// Collections and streams run the functions that they are given, or end with the method that made them.
fn is_run_at_once(kind: InvokeKind, member: &MemberRef) -> bool {
    kind != InvokeKind::Special
        && member.class.starts_with("java/util/")
        && !member.class.starts_with("java/util/concurrent/")
}
