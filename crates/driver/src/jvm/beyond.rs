//! What calls of a method may do that a comparison of two calls does not look at, by the code of the method: what it prints, what it
//! leaves in fields of other classes, what exceptions say.
//!
//! Code that only computes does none of it, and then a proof that two methods do the same is one without bounds.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an instruction that is not named may do anything"
)]

use std::rc::Rc;

use glassbox_jvm_front::classfile::insn::{Insn, InvokeKind, MemberRef};
use glassbox_jvm_front::classfile::{ClassFile, MethodInfo};
use glassbox_jvm_front::descriptor::{Signature, Type};
use glassbox_testcase::NotCompared;

use super::expression;
use super::named_methods::Method;
use super::subject::Subject;

/// Classes whose methods print nothing, keep nothing and return, whatever they are called with; they may throw.
const QUIET: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Short",
    "java/lang/String",
    "java/lang/StrictMath",
];

/// How much code may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// It computes, and divides: what a division throws says the same always.
    Result,
    /// It may throw an exception that says something.
    Exception,
    /// It may leave something in fields of the class.
    Field,
    Anything,
}

/// What is not compared in two calls of a method, or of a mutant of it: mutants call nothing that the method does not call.
pub(super) fn not_compared(class: &ClassFile, method: &MethodInfo) -> Vec<NotCompared> {
    left_out(reach(class, method, &mut Vec::new()))
}

fn left_out(reach: Reach) -> Vec<NotCompared> {
    match reach {
        Reach::Result => Vec::new(),
        Reach::Exception => vec![NotCompared::Exceptions],
        Reach::Field => vec![NotCompared::Exceptions, NotCompared::WrittenFields],
        Reach::Anything => vec![
            NotCompared::Endless,
            NotCompared::Exits,
            NotCompared::Exceptions,
            NotCompared::Output,
            NotCompared::OtherStatics,
            NotCompared::WrittenFields,
        ],
    }
}

/// The same for an expression over calls of these methods; `None` where it may call others.
pub(super) fn not_compared_by(called: Option<&[Method]>) -> Vec<NotCompared> {
    let each = |(class, method): &Method| reach(class, method, &mut Vec::new());
    let all = called.map(|all| all.iter().map(each).max().unwrap_or(Reach::Result));
    left_out(all.unwrap_or(Reach::Anything))
}

/// The methods of the program that an expression may call, by their names; `None` where it may call methods of the library that do
/// more than to compute.
pub(super) fn called_by(
    text: &str,
    subject: &Subject,
    classes: &[Rc<ClassFile>],
) -> Option<Vec<Method>> {
    let mut found = vec![(Rc::clone(&subject.class), subject.method.clone())];
    for (on, name) in expression::calls(text) {
        let named = |class: &Rc<ClassFile>| {
            let own = class.methods.iter().filter(|method| *method.name == *name);
            own.map(|method| (Rc::clone(class), method.clone())).collect::<Vec<Method>>()
        };
        // Without a name before it, a method of the class itself is called where it has one.
        let mut own = if on.is_empty() { named(&subject.class) } else { Vec::new() };
        if own.is_empty() {
            own = classes.iter().flat_map(named).collect();
        }
        let is_text = |(ty, param): &(String, String)| *param == on && ty == "java.lang.String";
        let is_known = QUIET.iter().any(|class| class.rsplit('/').next() == Some(on.as_str()))
            || subject.params.iter().any(is_text)
            || matches!(name.as_str(), "forall" | "exists" | "old");
        if own.is_empty() && !is_known {
            return None;
        }
        found.extend(own);
    }
    Some(found)
}

/// `seen` are methods of the class, which call each other.
fn reach(class: &ClassFile, method: &MethodInfo, seen: &mut Vec<(Rc<str>, Rc<str>)>) -> Reach {
    let name = (Rc::clone(&method.name), Rc::clone(&method.descriptor));
    if seen.contains(&name) {
        return Reach::Result;
    }
    seen.push(name);
    let Ok(Some(code)) = class.code(method) else { return Reach::Anything };
    let each = code.insns.iter().map(|insn| of(class, insn, seen));
    each.max().unwrap_or(Reach::Anything)
}

fn of(class: &ClassFile, insn: &Insn, seen: &mut Vec<(Rc<str>, Rc<str>)>) -> Reach {
    match insn {
        Insn::Nop
        | Insn::Const(_)
        | Insn::Load(..)
        | Insn::Store(..)
        | Insn::Stack(_)
        | Insn::Arith(..)
        | Insn::Neg(_)
        | Insn::Increment(..)
        | Insn::Convert(_)
        | Insn::Compare(_)
        | Insn::If(..)
        | Insn::IfInts(..)
        | Insn::IfSame(..)
        | Insn::IfNull(..)
        | Insn::Goto(_)
        | Insn::Switch { .. }
        | Insn::Return(_) => Reach::Result,
        Insn::ArrayLoad(_) | Insn::ArrayStore(_) | Insn::ArrayLength | Insn::NewPrimArray(_) => {
            Reach::Exception
        }
        // Exceptions of the JDK are made for the caller, who sees their class.
        Insn::Throw => Reach::Exception,
        Insn::New(made) if is_exception(made) => Reach::Exception,
        Insn::Invoke(InvokeKind::Special, member)
            if &*member.name == "<init>" && is_exception(&member.class) && takes_plain(member) =>
        {
            Reach::Exception
        }
        // Objects other than the receiver are not there: their methods are not compared.
        Insn::GetField(member) if member.class == class.name => Reach::Result,
        // The class has started when one of its methods runs.
        Insn::GetStatic(member) if member.class == class.name => Reach::Result,
        Insn::PutField(member) | Insn::PutStatic(member) if member.class == class.name => {
            Reach::Field
        }
        Insn::Invoke(InvokeKind::Static | InvokeKind::Special, member)
            if member.class == class.name =>
        {
            let is_it =
                |one: &&MethodInfo| one.name == member.name && one.descriptor == member.descriptor;
            match class.methods.iter().find(is_it) {
                Some(method) => reach(class, method, seen),
                None => Reach::Anything,
            }
        }
        Insn::Invoke(_, member) if is_quiet(member) => Reach::Exception,
        _ => Reach::Anything,
    }
}

pub(super) fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) => true,
        Type::Ref(class) => &**class == "java/lang/String",
    }
}

pub(super) fn is_exception(class: &str) -> bool {
    let is_jdk = ["java/lang/", "java/util/"].iter().any(|package| class.starts_with(package));
    is_jdk && (class.ends_with("Exception") || class.ends_with("Error"))
}

fn takes_plain(member: &MemberRef) -> bool {
    Signature::parse(&member.descriptor).is_some_and(|it| it.params.iter().all(is_plain))
}

/// Whether a method of the JDK gets nothing but numbers and texts, and has no other effect than its result.
pub(super) fn is_quiet(member: &MemberRef) -> bool {
    let Some(signature) = Signature::parse(&member.descriptor) else { return false };
    // It asks for the class of what it gets, and for nothing else.
    let is_comparison = (&*member.class, &*member.name) == ("java/lang/String", "equals");
    QUIET.contains(&&*member.class)
        && (is_comparison || signature.params.iter().all(is_plain))
        && signature.result.as_ref().is_none_or(is_plain)
}
