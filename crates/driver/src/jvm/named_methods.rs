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
