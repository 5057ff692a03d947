//! Methods that code names, and those that may be meant by a name.

use std::rc::Rc;

use glassbox_jvm_front::classfile::insn::{Code, Constant, Insn, MemberRef};
use glassbox_jvm_front::classfile::{ClassFile, MethodInfo};

use super::contract::CONSTRUCTOR;

/// A method with its class.
pub(super) type Method = (Rc<ClassFile>, MethodInfo);

/// Whatever class has such a method may be meant; a constructor is that of its class.
pub(super) fn meant(classes: &[Rc<ClassFile>], member: &MemberRef) -> Vec<Method> {
    let is_class =
        |class: &&Rc<ClassFile>| &*member.name != CONSTRUCTOR || class.name == member.class;
    let methods = classes.iter().filter(is_class).flat_map(|class| {
        let is_it = |method: &&MethodInfo| {
            method.name == member.name && method.descriptor == member.descriptor
        };
        class.methods.iter().filter(is_it).map(|method| (Rc::clone(class), method.clone()))
    });
    methods.collect()
}

/// Whether a class is another one, extends or implements it.
fn is_below(classes: &[Rc<ClassFile>], class: &str, above: &str) -> bool {
    if class == above {
        return true;
    }
    let Some(class) = classes.iter().find(|known| *known.name == *class) else { return false };
    let mut parents = class.superclass.iter().chain(&class.interfaces);
    parents.any(|parent| is_below(classes, parent, above))
}

/// The same, as far as objects of the named class, or of one below, may run it.
pub(super) fn run(classes: &[Rc<ClassFile>], member: &MemberRef) -> Vec<Method> {
    let objects = || classes.iter().filter(|it| is_below(classes, &it.name, &member.class));
    let is_run = |(class, _): &Method| objects().any(|it| is_below(classes, &it.name, &class.name));
    let mut all = meant(classes, member);
    all.retain(is_run);
    all
}

/// Whether a class at or above the named one declares the method: what objects of the class run is not the library's.
pub(super) fn is_declared(classes: &[Rc<ClassFile>], member: &MemberRef) -> bool {
    let is_above = |(class, _): &Method| is_below(classes, &member.class, &class.name);
    meant(classes, member).iter().any(is_above)
}

/// Members that code calls.
pub(super) fn called(code: &Code) -> impl Iterator<Item = &MemberRef> {
    code.insns.iter().flat_map(|insn| {
        let (mut member, mut handles) = (None, None);
        if let Insn::Invoke(_, called) = insn {
            member = Some(&**called);
        } else if let Insn::InvokeDynamic(call) = insn {
            handles = Some(call.args.iter().filter_map(|argument| {
                let Constant::MethodHandle(handle) = argument else { return None };
                // Handles of fields are no calls.
                handle.member.descriptor.starts_with('(').then_some(&*handle.member)
            }));
        }
        member.into_iter().chain(handles.into_iter().flatten())
    })
}
