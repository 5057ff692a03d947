//! Fields and methods: resolution (what a name in code means) and selection (what a receiver runs).

use std::rc::Rc;

use super::{Shape, TypeRef, World};
use crate::classfile::{ClassFile, FieldInfo, MethodInfo};

/// A method of a loaded class, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodRef {
    pub class: TypeRef,
    pub index: u32,
}

/// A field of a loaded class, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldRef {
    pub class: TypeRef,
    pub index: u32,
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("class files have fewer than 2^16 members")
}

impl World {
    fn class_file(&self, class: TypeRef) -> &Rc<ClassFile> {
        self.info(class).class().expect("members belong to classes")
    }

    pub fn method(&self, method: MethodRef) -> &MethodInfo {
        &self.class_file(method.class).methods[method.index as usize]
    }

    pub fn field(&self, field: FieldRef) -> &FieldInfo {
        &self.class_file(field.class).fields[field.index as usize]
    }

    /// `pkg.Class.method(descriptor)`.
    pub fn method_name(&self, method: MethodRef) -> String {
        let info = self.method(method);
        format!("{}.{}{}", self.info(method.class).dotted_name(), info.name, info.descriptor)
    }

    /// Whether the compiler made the method because the class is an enum.
    pub fn is_made_for_enum(&self, method: MethodRef) -> bool {
        let declared = self.method(method);
        let class = self.class_file(method.class);
        let is_enum = class.superclass.as_deref() == Some("java/lang/Enum");
        let name = self.name(method.class);
        let is_values =
            &*declared.name == "values" && *declared.descriptor == format!("()[L{name};");
        let is_value_of = &*declared.name == "valueOf"
            && *declared.descriptor == format!("(Ljava/lang/String;)L{name};");
        is_enum && declared.access.is_static() && (is_values || is_value_of)
    }

    /// The classes and interfaces that are initialized with a class, before it: the class above, and the interfaces above
    /// that have methods with code for objects, each after those above it (JVMS 5.5, step 7). An interface takes no
    /// others along.
    pub fn initialized_before(&self, class: TypeRef) -> Vec<TypeRef> {
        let mut found: Vec<TypeRef> = self.info(class).superclass.into_iter().collect();
        if self.is_interface(class) {
            return found;
        }
        // What is left to do, the next one last; whether those above were looked at.
        let mut open: Vec<(TypeRef, bool)> = Vec::new();
        let mut seen: Vec<TypeRef> = Vec::new();
        let later = |ty: TypeRef| self.info(ty).interfaces.iter().rev().map(|&one| (one, false));
        open.extend(later(class));
        while let Some((interface, is_next)) = open.pop() {
            if is_next {
                if self.has_code_for_objects(interface) {
                    found.push(interface);
                }
            } else if !seen.contains(&interface) {
                seen.push(interface);
                open.push((interface, true));
                open.extend(later(interface));
            }
        }
        found
    }

    fn has_code_for_objects(&self, interface: TypeRef) -> bool {
        let methods = self.info(interface).class().into_iter().flat_map(|class| &class.methods);
        let mut access = methods.map(|method| method.access);
        access.any(|access| !access.is_static() && !access.is_abstract())
    }

    /// The static initializer of a class. A method of that name that is not static is none.
    pub fn initializer(&self, class: TypeRef) -> Option<MethodRef> {
        let found = self.declared_method(class, "<clinit>", "()V");
        found.filter(|&method| self.method(method).access.is_static())
    }

    /// The method that this very class declares.
    pub fn declared_method(
        &self,
        class: TypeRef,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodRef> {
        let file = self.info(class).class()?;
        let is_it =
            |method: &MethodInfo| &*method.name == name && &*method.descriptor == descriptor;
        let index = file.methods.iter().position(is_it)?;
        Some(MethodRef { class, index: position(index) })
    }

    /// Resolution of a field: the class, its interfaces, then its superclass.
    pub fn find_field(&self, class: TypeRef, name: &str, descriptor: &str) -> Option<FieldRef> {
        let Shape::Class(file) = &self.info(class).shape else { return None };
        let is_it = |field: &FieldInfo| &*field.name == name && &*field.descriptor == descriptor;
        if let Some(index) = file.fields.iter().position(is_it) {
            return Some(FieldRef { class, index: position(index) });
        }
        let info = self.info(class);
        let above = info.interfaces.iter().chain(&info.superclass);
        above.copied().find_map(|parent| self.find_field(parent, name, descriptor))
    }

    /// Resolution of a method: the class and its superclasses, then interfaces.
    pub fn find_method(&self, class: TypeRef, name: &str, descriptor: &str) -> Option<MethodRef> {
        self.select(class, name, descriptor, MethodUse::Resolve)
    }

    /// The method that an object of this class runs.
    pub fn select_virtual(
        &self,
        class: TypeRef,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodRef> {
        self.select(class, name, descriptor, MethodUse::Run)
    }

    fn select(
        &self,
        class: TypeRef,
        name: &str,
        descriptor: &str,
        method_use: MethodUse,
    ) -> Option<MethodRef> {
        let mut at = Some(class);
        let mut abstract_one = None;
        while let Some(current) = at {
            if let Some(method) = self.declared_method(current, name, descriptor) {
                let access = self.method(method).access;
                let is_fit = match method_use {
                    MethodUse::Resolve => true,
                    MethodUse::Run => !access.is_static(),
                };
                if is_fit && !access.is_abstract() {
                    return Some(method);
                }
                if is_fit && abstract_one.is_none() {
                    abstract_one = Some(method);
                    if method_use == MethodUse::Resolve {
                        return abstract_one;
                    }
                }
            }
            at = self.info(current).superclass;
        }
        let mut best: Option<MethodRef> = None;
        self.visit_interfaces(class, &mut |interface| {
            let Some(method) = self.declared_method(interface, name, descriptor) else { return };
            let access = self.method(method).access;
            if access.is_private() || (access.is_static() && method_use == MethodUse::Run) {
                return;
            }
            let is_better = match best {
                None => true,
                Some(known) => {
                    let known_access = self.method(known).access;
                    (known_access.is_abstract() && !access.is_abstract())
                        || (known_access.is_abstract() == access.is_abstract()
                            && self.is_subtype(interface, known.class)
                            && interface != known.class)
                }
            };
            if is_better {
                best = Some(method);
            }
        });
        match (best, abstract_one) {
            (Some(method), None) => Some(method),
            (Some(method), Some(_)) if !self.method(method).access.is_abstract() => Some(method),
            (_, other) => other,
        }
    }

    /// Every interface of a class and of the classes above it.
    pub fn visit_interfaces(&self, class: TypeRef, visit: &mut dyn FnMut(TypeRef)) {
        let mut seen = Vec::new();
        let mut queue = vec![class];
        let mut next = 0;
        while let Some(&current) = queue.get(next) {
            next += 1;
            let info = self.info(current);
            for &interface in &info.interfaces {
                if !seen.contains(&interface) {
                    seen.push(interface);
                    visit(interface);
                    queue.push(interface);
                }
            }
            queue.extend(info.superclass);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MethodUse {
    Resolve,
    Run,
}
