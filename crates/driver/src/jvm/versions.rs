//! What two versions of classes have in common, as far as code of the older one runs or reads it.
//!
//! Copies of the older version's methods use classes, fields, constructors and initializers of the newer one. All of that has to
//! be the same in both, with everything that it runs and reads in turn. What differs is refused by name; what may differ without
//! being seen in values that are read is left out of the comparison, and named.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "nothing else names classes, fields and methods"
)]

use std::collections::BTreeSet;
use std::rc::Rc;

use glassbox_jvm_front::classfile::insn::{Code, Constant, Insn, InvokeKind, MemberRef};
use glassbox_jvm_front::classfile::{ClassFile, FieldInfo, MethodInfo};
use glassbox_testcase::NotCompared;

use super::begun::{INITIALIZER, sets_constants};
use super::beyond::is_quiet;
use super::contract::CONSTRUCTOR;
use super::named_methods::{called, is_declared, run};

/// Methods that the library calls on objects of any class.
const OF_OBJECTS: &[&str] =
    &["toString", "equals", "hashCode", "compareTo", "compare", "finalize", "clone"];

/// The classes of both, and what was looked at.
pub(super) struct Versions<'a> {
    older: &'a [Rc<ClassFile>],
    newer: &'a [Rc<ClassFile>],
    seen: Seen,
    /// What differs and is not compared.
    pub(super) left_out: Vec<NotCompared>,
}

/// What is the same, or is being looked at.
#[derive(Clone, Default)]
struct Seen {
    /// Methods that both versions run, by class, name and descriptor.
    shared: BTreeSet<[Rc<str>; 3]>,
    /// Classes that are started, whatever that does.
    started: BTreeSet<Rc<str>>,
    /// The library may call back.
    is_library_open: bool,
}

pub(super) fn class_of<'c>(classes: &'c [Rc<ClassFile>], name: &str) -> Option<&'c Rc<ClassFile>> {
    classes.iter().find(|class| *class.name == *name)
}

fn method_of<'c>(class: &'c ClassFile, name: &str, descriptor: &str) -> Option<&'c MethodInfo> {
    let is_it = |it: &&MethodInfo| *it.name == *name && *it.descriptor == *descriptor;
    class.methods.iter().find(is_it)
}

fn initializer(class: &ClassFile) -> Option<&MethodInfo> {
    class.methods.iter().find(|method| &*method.name == INITIALIZER)
}

pub(super) fn shown(class: &str) -> String {
    class.replace(['/', '$'], ".")
}

/// The field that a name means (JVMS 5.4.3.2); `None` where it is none of these classes.
fn resolved(
    classes: &[Rc<ClassFile>],
    class: &str,
    member: &MemberRef,
) -> Option<(Rc<ClassFile>, FieldInfo)> {
    let class = class_of(classes, class)?;
    let is_it =
        |field: &&FieldInfo| field.name == member.name && field.descriptor == member.descriptor;
    if let Some(field) = class.fields.iter().find(is_it) {
        return Some((Rc::clone(class), field.clone()));
    }
    let mut above = class.interfaces.iter().chain(&class.superclass);
    above.find_map(|above| resolved(classes, above, member))
}

impl<'a> Versions<'a> {
    pub(super) fn new(older: &'a [Rc<ClassFile>], newer: &'a [Rc<ClassFile>]) -> Versions<'a> {
        Versions { older, newer, seen: Seen::default(), left_out: Vec::new() }
    }

    fn is_own(&self, class: &str) -> bool {
        class_of(self.older, class).is_some()
    }

    fn leave_out(&mut self, what: NotCompared) {
        if !self.left_out.contains(&what) {
            self.left_out.push(what);
        }
    }

    /// What code needs to be the same, whoever runs it. Calls are looked at by who asks.
    pub(super) fn uses(&mut self, code: &Code) -> Result<(), String> {
        for insn in &code.insns {
            match insn {
                Insn::GetField(member) | Insn::PutField(member) => {
                    self.same_field(member, false)?
                }
                Insn::GetStatic(member) | Insn::PutStatic(member) => {
                    self.same_field(member, true)?;
                }
                Insn::New(class) => {
                    self.same_class(class)?;
                    self.start(class)?;
                }
                Insn::Invoke(InvokeKind::Static, member) => {
                    self.same_class(&member.class)?;
                    self.start(&member.class)?;
                }
                Insn::Invoke(_, member) => self.same_class(&member.class)?,
                Insn::NewRefArray(class)
                | Insn::NewMultiArray(class, _)
                | Insn::CheckCast(class)
                | Insn::InstanceOf(class)
                | Insn::Const(Constant::Class(class)) => self.same_class(class)?,
                Insn::Const(Constant::Dynamic(_)) => {
                    return Err("a constant is computed by a method".to_owned());
                }
                Insn::InvokeDynamic(call) => {
                    let bootstrap = &call.bootstrap.member.class;
                    if self.is_own(bootstrap) {
                        return Err(format!("`{}` links calls", shown(bootstrap)));
                    }
                    self.same_arguments(&call.args)?;
                }
                _ => {}
            }
        }
        for class in code.handlers.iter().filter_map(|handler| handler.catch.as_ref()) {
            self.same_class(class)?;
        }
        Ok(())
    }

    /// Of a call that the JVM links: classes and fields; methods are called.
    fn same_arguments(&mut self, arguments: &[Constant]) -> Result<(), String> {
        for argument in arguments {
            match argument {
                Constant::Class(class) => self.same_class(class)?,
                Constant::MethodHandle(handle) => {
                    self.same_class(&handle.member.class)?;
                    if !handle.member.descriptor.starts_with('(') {
                        // 2 and 4 are those of static fields (JVMS 4.4.8).
                        self.same_field(&handle.member, matches!(handle.kind, 2 | 4))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The class has the same place among others in both versions.
    pub(super) fn same_class(&self, name: &str) -> Result<(), String> {
        let name = name.trim_start_matches('[');
        let name = name.strip_prefix('L').and_then(|it| it.strip_suffix(';')).unwrap_or(name);
        let Some(older) = class_of(self.older, name) else {
            return match class_of(self.newer, name) {
                // It would hide what the older version means.
                Some(_) => Err(format!("the older version has no class `{}`", shown(name))),
                None => Ok(()),
            };
        };
        let Some(newer) = class_of(self.newer, name) else {
            return Err(format!("the newer version has no class `{}`", shown(name)));
        };
        if older.superclass != newer.superclass || older.interfaces != newer.interfaces {
            return Err(format!("what `{}` extends and implements differs", shown(name)));
        }
        older
            .superclass
            .iter()
            .chain(&older.interfaces)
            .try_for_each(|above| if self.is_own(above) { self.same_class(above) } else { Ok(()) })
    }

    /// The same field is meant, and one that is static starts with the same value.
    fn same_field(&mut self, member: &MemberRef, is_static: bool) -> Result<(), String> {
        self.same_class(&member.class)?;
        let older = resolved(self.older, &member.class, member);
        let newer = resolved(self.newer, &member.class, member);
        let (older, newer) = match (older, newer) {
            // It is the library's.
            (None, None) => return Ok(()),
            (Some(older), newer) => (older, newer),
            (None, Some((class, _))) => {
                let class = shown(&class.name);
                return Err(format!(
                    "only the newer version has a field `{class}.{}`",
                    member.name
                ));
            }
        };
        let (class, field) = older;
        let is_same = newer.is_some_and(|(of, newer)| {
            of.name == class.name
                && newer.constant == field.constant
                && newer.access.is_static() == field.access.is_static()
                && field.access.is_static() == is_static
        });
        if !is_same {
            let class = shown(&class.name);
            let name = &field.name;
            return Err(format!("the newer version has no field `{class}.{name}` of this type"));
        }
        if is_static {
            self.start(&class.name)?;
            let is_same = self.starts_alike(&class.name);
            return is_same
                .map_err(|_| format!("`{}` is initialized otherwise", shown(&class.name)));
        }
        Ok(())
    }

    /// Whether the initializer of a class and all that it does is the same.
    fn starts_alike(&mut self, name: &str) -> Result<(), String> {
        let class = |classes| class_of(classes, name).cloned();
        let (Some(older), Some(newer)) = (class(self.older), class(self.newer)) else {
            return Ok(());
        };
        match (initializer(&older), initializer(&newer)) {
            (None, None) => Ok(()),
            (Some(method), Some(_)) => self.run(&older, method),
            (Some(_), None) | (None, Some(_)) => {
                Err("only one version has an initializer".to_owned())
            }
        }
    }

    /// A class may be started: where that does not do the same, and not only sets other fields to constants, it is left out.
    pub(super) fn start(&mut self, name: &str) -> Result<(), String> {
        let Some(class) = class_of(self.older, name).cloned() else { return Ok(()) };
        if !self.seen.started.insert(Rc::clone(&class.name)) {
            return Ok(());
        }
        self.same_class(name)?;
        for above in class.superclass.iter().chain(&class.interfaces) {
            self.start(above)?;
        }
        // Further code that is shared may be seen by then; a difference is found again where it matters.
        if self.starts_alike(name).is_err() {
            let is_plain = |classes: &[Rc<ClassFile>]| {
                let Some(class) = class_of(classes, name) else { return false };
                let Some(method) = initializer(class) else { return true };
                matches!(class.code(method), Ok(Some(code)) if sets_constants(class, &code))
            };
            if !is_plain(self.older) || !is_plain(self.newer) {
                self.leave_out(NotCompared::Initializers);
            }
        }
        Ok(())
    }

    /// Both versions run this method of the newer one: it is the same, with all that it does.
    pub(super) fn run(&mut self, class: &ClassFile, method: &MethodInfo) -> Result<(), String> {
        let key = [&class.name, &method.name, &method.descriptor].map(Rc::clone);
        let before = self.seen.clone();
        if !self.seen.shared.insert(key) {
            return Ok(());
        }
        let found = self.run_once(class, method);
        // What rests on this being the same is not known to be.
        if found.is_err() {
            self.seen = before;
        }
        found
    }

    fn run_once(&mut self, class: &ClassFile, method: &MethodInfo) -> Result<(), String> {
        let differs = || format!("`{}.{}` differs", shown(&class.name), method.name);
        let newer_class = class_of(self.newer, &class.name).ok_or_else(differs)?;
        let newer = method_of(newer_class, &method.name, &method.descriptor).ok_or_else(differs)?;
        let code =
            |class: &ClassFile, method| class.code(method).map_err(|error| error.to_string());
        let (old, new) = match (code(class, method)?, code(newer_class, newer)?) {
            (None, None) if method.access.is_abstract() && newer.access.is_abstract() => {
                return Ok(());
            }
            (Some(old), Some(new)) => (old, new),
            (Some(_) | None, None) | (None, Some(_)) => return Err(differs()),
        };
        if old.insns != new.insns
            || old.handlers != new.handlers
            || method.access.is_static() != newer.access.is_static()
        {
            return Err(differs());
        }
        self.uses(&old)?;
        for member in called(&old) {
            self.call_of_both(member)?;
        }
        Ok(())
    }

    /// A call that runs what the newer version has.
    pub(super) fn call_of_both(&mut self, member: &MemberRef) -> Result<(), String> {
        let (older, newer) = (run(self.older, member), run(self.newer, member));
        if !is_declared(self.older, member) {
            self.call_of_library(member)?;
        }
        if !self.is_own(&member.class) {
            return Ok(());
        }
        for (class, method) in &newer {
            if method_of_all(&older, class).is_none() {
                let class = shown(&class.name);
                return Err(format!("only the newer version has `{class}.{}`", method.name));
            }
        }
        older.iter().try_for_each(|(class, method)| self.run(class, method))
    }

    /// Code of the library calls methods of the newer version.
    pub(super) fn call_of_library(&mut self, member: &MemberRef) -> Result<(), String> {
        // These constructors call nothing.
        let is_made = &*member.name == CONSTRUCTOR
            && matches!(&*member.class, "java/lang/Object" | "java/lang/Record");
        if is_quiet(member) || is_made { Ok(()) } else { self.open_library() }
    }

    /// All that the library may call is the same.
    fn open_library(&mut self) -> Result<(), String> {
        let before = self.seen.clone();
        if std::mem::replace(&mut self.seen.is_library_open, true) {
            return Ok(());
        }
        let found = self.same_for_library();
        if found.is_err() {
            self.seen = before;
        }
        found
    }

    fn same_for_library(&mut self) -> Result<(), String> {
        let (older, newer) = (self.older, self.newer);
        let both = |name: &Rc<str>| Some((class_of(older, name)?, class_of(newer, name)?));
        for (old, new) in older.iter().filter_map(|class| both(&class.name)) {
            let may_be_called = |classes: &[Rc<ClassFile>],
                                 class: &ClassFile,
                                 method: &MethodInfo| {
                let is_own = method.access.is_static()
                    || method.access.is_private()
                    || method.name.starts_with('<');
                !is_own && (OF_OBJECTS.contains(&&*method.name) || is_below_foreign(classes, class))
            };
            let name = |method: &MethodInfo| format!("`{}.{}`", shown(&old.name), method.name);
            for method in old.methods.iter().filter(|it| may_be_called(older, old, it)) {
                if self.run(old, method).is_err() {
                    return Err(format!("{} differs, which the library may call", name(method)));
                }
            }
            for method in new.methods.iter().filter(|it| may_be_called(newer, new, it)) {
                if method_of(old, &method.name, &method.descriptor).is_none() {
                    let name = name(method);
                    return Err(format!(
                        "only the newer version has {name}, which the library may call"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Objects that a method is called on are made by constructors, which may differ.
    pub(super) fn construct(&mut self, class: &ClassFile) {
        let constructors = |class: &ClassFile| -> Vec<MethodInfo> {
            let all = class.methods.iter().filter(|method| &*method.name == CONSTRUCTOR);
            all.cloned().collect()
        };
        let newer = class_of(self.newer, &class.name).map(|class| constructors(class));
        let older = constructors(class);
        let is_same = newer.is_some_and(|newer| newer.len() == older.len())
            && older.iter().all(|method| self.run(class, method).is_ok());
        if !is_same {
            self.leave_out(NotCompared::Constructors);
        }
    }
}

/// The method of a class among others.
fn method_of_all<'m>(
    methods: &'m [(Rc<ClassFile>, MethodInfo)],
    class: &ClassFile,
) -> Option<&'m MethodInfo> {
    methods.iter().find(|(of, _)| of.name == class.name).map(|(_, method)| method)
}

/// Whether a class extends or implements something that is not among these, at any distance.
fn is_below_foreign(classes: &[Rc<ClassFile>], class: &ClassFile) -> bool {
    class.superclass.iter().chain(&class.interfaces).any(|above| match class_of(classes, above) {
        Some(above) => is_below_foreign(classes, above),
        None => &**above != "java/lang/Object",
    })
}
