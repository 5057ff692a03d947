//! Classes that calls of methods may start, and whether what their initializers do shows elsewhere.
//!
//! A class starts once: the first of two calls may find it as it was not started, the second never does. So comparisons
//! start all of them before.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an instruction that is not named starts no class, or may do anything"
)]

use std::collections::BTreeSet;
use std::rc::Rc;

use glassbox_jvm_front::classfile::insn::{
    ArithOp, Code, Constant, Insn, InvokeKind, MemberRef, StackOp,
};
use glassbox_jvm_front::classfile::{ClassFile, MethodInfo};
use glassbox_jvm_front::descriptor::{Kind, Signature, Type};

use super::beyond::{is_exception, is_plain, is_quiet};
use super::changed_state::may_change;
use super::contract::CONSTRUCTOR;
use super::named_methods::{Method, called, meant};

/// What class files call initializers of classes.
pub(super) const INITIALIZER: &str = "<clinit>";

/// Classes that calls may start.
#[derive(Debug, Clone, Default)]
pub(super) struct Begun {
    /// Those whose initializers do more than set fields of their own to constants, in the order in which they are found.
    pub(super) classes: Vec<Rc<str>>,
    /// One of the initializers does something that others may see.
    pub(super) shows: bool,
}

impl Begun {
    /// Those of calls of these methods.
    pub(super) fn of(classes: &[Rc<ClassFile>], methods: &[Method]) -> Begun {
        let mut walk =
            Walk { classes, seen: BTreeSet::new(), open: Vec::new(), started: Vec::new() };
        for (class, method) in methods {
            walk.start(&class.name);
            walk.call(class, method);
        }
        // Comparisons read what may change, and start its class.
        for class in classes.iter().filter(|class| class.fields.iter().any(may_change)) {
            walk.start(&class.name);
        }
        walk.follow();
        let initialized = |name: &Rc<str>| {
            let class = classes.iter().find(|class| class.name == *name)?;
            let own = class.methods.iter().find(|method| &*method.name == INITIALIZER)?;
            Some((Rc::clone(class), own.clone()))
        };
        let initializers: Vec<Method> = walk.started.iter().filter_map(initialized).collect();
        let is_more = |(class, method): &&Method| !matches!(class.code(method), Ok(Some(code)) if sets_constants(class, &code));
        let all = initializers.iter().filter(is_more);
        Begun {
            classes: all.clone().map(|(class, _)| Rc::clone(&class.name)).collect(),
            shows: all.clone().any(|(class, method)| shows(classes, class, method)),
        }
    }
}

impl Begun {
    /// Those of calls of others, too.
    pub(super) fn and(mut self, others: Begun) -> Begun {
        let new = others.classes.into_iter().filter(|class| !self.classes.contains(class));
        let new: Vec<Rc<str>> = new.collect();
        self.classes.extend(new);
        self.shows |= others.shows;
        self
    }
}

/// Whether code does nothing but set fields of its class to constants and to arrays of them.
pub(super) fn sets_constants(class: &ClassFile, code: &Code) -> bool {
    code.insns.iter().enumerate().all(|(at, insn)| match insn {
        Insn::ArrayStore(_) => is_within_literal(code, at),
        Insn::Const(_)
        | Insn::Stack(_)
        | Insn::Neg(_)
        | Insn::Convert(_)
        | Insn::NewPrimArray(_)
        | Insn::Return(_) => true,
        Insn::NewRefArray(element) => &**element == "java/lang/String",
        Insn::Arith(op, kind) => !may_throw(*op, *kind),
        Insn::GetStatic(member) | Insn::PutStatic(member) => member.class == class.name,
        _ => false,
    })
}

/// Whether an element is stored as compilers do it for `{1, 2, 3}`.
fn is_within_literal(code: &Code, at: usize) -> bool {
    let number = |at: Option<usize>| match at.and_then(|at| code.insns.get(at)) {
        Some(Insn::Const(Constant::Int(number))) => Some(*number),
        _ => None,
    };
    let before = |insn: &Insn| matches!(insn, Insn::NewPrimArray(_) | Insn::NewRefArray(_));
    let made = code.insns[..at].iter().rposition(before);
    let length = number(made.and_then(|made| made.checked_sub(1)));
    let index = number(at.checked_sub(2));
    let is_again = at.checked_sub(3).is_some_and(|at| code.insns[at] == Insn::Stack(StackOp::Dup));
    is_again && length.zip(index).is_some_and(|(length, index)| 0 <= index && index < length)
}

fn may_throw(op: ArithOp, kind: Kind) -> bool {
    matches!((op, kind), (ArithOp::Div | ArithOp::Rem, Kind::Int | Kind::Long))
}

/// Code that may run, and the classes that it may start.
struct Walk<'a> {
    classes: &'a [Rc<ClassFile>],
    seen: BTreeSet<[Rc<str>; 3]>,
    open: Vec<Method>,
    started: Vec<Rc<str>>,
}

impl Walk<'_> {
    fn find(&self, name: &str) -> Option<Rc<ClassFile>> {
        self.classes.iter().find(|class| *class.name == *name).cloned()
    }

    fn call(&mut self, class: &Rc<ClassFile>, method: &MethodInfo) {
        let key = [&class.name, &method.name, &method.descriptor].map(Rc::clone);
        if self.seen.insert(key) {
            self.open.push((Rc::clone(class), method.clone()));
        }
    }

    /// A class starts after what is above it.
    fn start(&mut self, name: &str) {
        let Some(class) = self.find(name) else { return };
        if self.started.contains(&class.name) {
            return;
        }
        self.started.push(Rc::clone(&class.name));
        for above in class.superclass.iter().chain(&class.interfaces) {
            self.start(above);
        }
        for method in class.methods.iter().filter(|method| &*method.name == INITIALIZER) {
            self.call(&class, method);
        }
    }

    /// What code of the library may do: call and start everything.
    fn start_all(&mut self) {
        let classes = self.classes;
        classes.iter().for_each(|class| self.start(&class.name));
    }

    fn follow(&mut self) {
        while let Some((class, method)) = self.open.pop() {
            let Ok(Some(code)) = class.code(&method) else {
                if !method.access.is_abstract() {
                    self.start_all();
                }
                continue;
            };
            for insn in &code.insns {
                match insn {
                    Insn::New(name) => self.start(name),
                    Insn::GetStatic(member) | Insn::PutStatic(member) => self.start(&member.class),
                    Insn::Invoke(InvokeKind::Static, member) => self.start(&member.class),
                    Insn::InvokeDynamic(_) => self.start_all(),
                    _ => {}
                }
            }
            for member in called(&code) {
                self.follow_call(member);
            }
        }
    }

    fn follow_call(&mut self, member: &MemberRef) {
        if self.find(&member.class).is_none() {
            if !is_quiet(member) && !is_construction_of_library(member) {
                self.start_all();
            }
            return;
        }
        let classes = self.classes;
        for (class, method) in meant(classes, member) {
            self.call(&class, &method);
        }
    }
}

/// Of objects that do nothing when they are made.
fn is_construction_of_library(member: &MemberRef) -> bool {
    &*member.name == CONSTRUCTOR
        && (&*member.class == "java/lang/Object" || is_exception(&member.class))
}

/// Whether an initializer changes more than fields of its class and objects that it makes.
fn shows(classes: &[Rc<ClassFile>], class: &Rc<ClassFile>, initializer: &MethodInfo) -> bool {
    let own = &class.name;
    let mut seen: BTreeSet<[Rc<str>; 3]> = BTreeSet::new();
    let mut open = vec![(Rc::clone(class), initializer.clone())];
    let is_own = |name: &str| classes.iter().any(|class| *class.name == *name);
    let is_number_or_text =
        |descriptor: &str| Type::parse(descriptor).is_some_and(|ty| is_plain(&ty));
    while let Some((class, method)) = open.pop() {
        let key = [&class.name, &method.name, &method.descriptor].map(Rc::clone);
        if !seen.insert(key) || method.access.is_abstract() {
            continue;
        }
        let Ok(Some(code)) = class.code(&method) else { return true };
        for insn in &code.insns {
            let is_seen = match insn {
                Insn::PutStatic(member) => member.class != *own,
                // What another class refers to could be changed there.
                Insn::GetStatic(member) => {
                    member.class != *own && !is_number_or_text(&member.descriptor)
                }
                Insn::Invoke(_, member) if !is_own(&member.class) => {
                    let is_of_assertions = &*member.name == "desiredAssertionStatus";
                    !is_quiet(member) && !is_construction_of_library(member) && !is_of_assertions
                }
                Insn::InvokeDynamic(call) => {
                    let signature = Signature::parse(&call.descriptor);
                    &*call.bootstrap.member.name != "makeConcatWithConstants"
                        || signature.is_none_or(|it| !it.params.iter().all(is_plain))
                }
                _ => false,
            };
            if is_seen {
                return true;
            }
        }
        open.extend(called(&code).flat_map(|member| meant(classes, member)));
    }
    false
}
