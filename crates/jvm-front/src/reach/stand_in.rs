//! Classes of ours that stand in for whatever else may implement an interface or extend an abstract class.
//!
//! Somebody who is not in sight may implement an interface in any way. A stand-in is one: its methods give what its
//! fields hold, and fields of inputs are inputs. So that results can change between calls, a method may give one result
//! first, another one then, and a third one later. It may throw what code of the user catches. Methods that no code of
//! the user calls are there, and throw.

use std::rc::Rc;

use glassbox_testcase::recipe::{StandIn, StandInBody, StandInMethod, StandInResult, Visibility};
use rustc_hash::FxHashSet;

use super::dynamic::{Assembler, made_method, member};
use super::{Properties, Reached};
use crate::classfile::insn::{Code, Condition, Constant, Insn, InvokeKind, StackOp};
use crate::classfile::{Access, ClassFile, FieldInfo, MethodInfo};
use crate::classpath::Owner;
use crate::descriptor::{Kind, Signature, Type};
use crate::world::{MethodRef, TypeRef};

/// Methods of a stand-in that give something, at most: larger interfaces have rules that arbitrary results would break.
const MAX_METHODS: usize = 6;

/// Exceptions that a method of a stand-in may throw, at most.
const MAX_EXCEPTIONS: usize = 2;

/// Interfaces of the library that are made to be implemented by others.
const OF_LIBRARY: &[&str] = &[
    "java/io/Closeable",
    "java/lang/AutoCloseable",
    "java/lang/Runnable",
    "java/util/Comparator",
    "java/util/Iterator",
    "java/util/concurrent/Callable",
];

/// What methods throw that are never called.
const NOT_CALLED: &str = "java/lang/UnsupportedOperationException";

/// What code of the user does with interfaces.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Names and descriptors of methods that are called on objects of interfaces and classes.
    called: FxHashSet<(Rc<str>, Rc<str>)>,
    /// Classes of exceptions that are caught; `finally` counts as any.
    caught: Vec<Rc<str>>,
}

#[derive(Debug, Default)]
pub(crate) struct StandIns {
    /// Interfaces that were looked at.
    asked: FxHashSet<TypeRef>,
    classes: FxHashSet<TypeRef>,
    uses: Uses,
    pub(crate) recipes: Vec<StandIn>,
}

impl Reached {
    pub(crate) fn is_stand_in(&self, class: TypeRef) -> bool {
        self.stand_ins.classes.contains(&class)
    }

    /// Looks at what code of these classes calls and catches.
    pub(crate) fn note_uses(&mut self, classes: &[TypeRef]) {
        for &class in classes {
            let Some(file) = self.world.info(class).class().map(Rc::clone) else { continue };
            for method in &file.methods {
                let Some(code) = file.code(method).ok().flatten() else { continue };
                self.stand_ins.uses.note(&code);
            }
        }
    }

    /// Makes the class that stands in for an interface or an abstract class, once; the types of its fields. `None`
    /// where no class can implement it in a test.
    pub(crate) fn stand_in_for(&mut self, above: TypeRef) -> Option<Vec<Type>> {
        if !self.stand_ins.asked.insert(above) {
            return None;
        }
        let info = self.world.info(above);
        let file = Rc::clone(info.class()?);
        let is_own = info.owner.is_own();
        let is_functional =
            file.name.starts_with("java/util/function/") || OF_LIBRARY.contains(&&*file.name);
        let is_hidden = crate::recipe::class_visibility(&self.world, &file) == Visibility::Private;
        let is_interface = file.access.is_interface();
        if !file.access.is_abstract() || is_hidden || file.is_sealed || !(is_own || is_functional) {
            return None;
        }
        if !is_interface && !self.can_be_extended(&file) {
            return None;
        }
        let methods = self.abstract_methods(above);
        let is_called = |method: &MethodRef| {
            let declared = self.world.method(*method);
            self.stand_ins.uses.is_called(&declared.name, &declared.descriptor)
        };
        let has_few = methods.len() <= MAX_METHODS;
        let n_used = methods.iter().filter(|method| has_few || is_called(method)).count();
        if (is_interface && methods.is_empty()) || n_used > MAX_METHODS {
            return None;
        }
        let used: Vec<bool> = methods.iter().map(|method| has_few || is_called(method)).collect();
        let name = format!("{}$$StandIn", file.name);
        let mut class = if is_interface {
            ClassFile::made(&name, "java/lang/Object", vec![Rc::clone(&file.name)])
        } else {
            ClassFile::made(&name, &file.name, Vec::new())
        };
        let mut recipe = StandIn {
            name: name.replace('/', "."),
            above: crate::recipe::source_name(&file),
            class: (!is_interface).then(|| file.name.replace('/', ".")),
            methods: Vec::new(),
        };
        let mut types = Vec::new();
        for (position, (method, is_used)) in methods.into_iter().zip(used).enumerate() {
            let declared = self.world.method(method).clone();
            let signature = Signature::parse(&declared.descriptor)?;
            let params = signature.params.iter().map(|ty| self.source_type_name(ty));
            let params = params.collect::<Option<Vec<String>>>()?;
            let result = signature.result.as_ref().map(|ty| self.source_type_name(ty));
            let result = match result {
                Some(spelled) => Some(spelled?),
                None => None,
            };
            let mut code = Assembler::default();
            let body = if is_used {
                types.extend(signature.result.clone());
                self.answering(&mut class, &mut code, position, &declared, &signature)
            } else {
                throw_new(&mut code, NOT_CALLED);
                self.instantiate_named(NOT_CALLED);
                StandInBody::IsNotCalled
            };
            class.methods.push(made_method(&declared.name, &declared.descriptor, 0, code));
            recipe.methods.push(StandInMethod {
                name: declared.name.to_string(),
                params,
                result,
                body,
            });
        }
        let class = self.world.define(class, Owner::Library).ok()?;
        self.stand_ins.classes.insert(class);
        self.stand_ins.recipes.push(recipe);
        self.instantiate(class);
        if !is_interface {
            self.initialize(class);
        }
        Some(types)
    }

    /// The code of a method that gives what fields hold, which are added to the class.
    fn answering(
        &mut self,
        class: &mut ClassFile,
        code: &mut Assembler,
        position: usize,
        method: &MethodInfo,
        signature: &Signature,
    ) -> StandInBody {
        let thrown = self.exceptions(&method.throws);
        let names = Names::new(position);
        let name = Rc::clone(&class.name);
        let mut fields = Vec::new();
        if signature.result.is_some() || !thrown.is_empty() {
            fields.push((&names.mode, "I".to_owned()));
        }
        throw_some(code, &name, &names.mode, &thrown);
        let mut results = None;
        match &signature.result {
            None => code.push(Insn::Return(None)),
            Some(ty) => {
                let own = [&names.first, &names.second, &names.third];
                fields.extend(own.map(|field| (field, ty.descriptor())));
                give(code, &name, &names, ty);
                results = Some(own.map(Clone::clone));
            }
        }
        class.fields.extend(fields.into_iter().map(|(field, descriptor)| FieldInfo {
            access: Access(Access::PUBLIC),
            name: field.as_str().into(),
            descriptor: descriptor.as_str().into(),
            constant: None,
        }));
        let throws = thrown.into_iter().map(|(_, source)| source).collect();
        StandInBody::Gives(StandInResult { mode: names.mode.clone(), results, throws })
    }

    /// Whether a class in the same package can extend an abstract class: by a constructor that only stores what it is given.
    fn can_be_extended(&self, file: &ClassFile) -> bool {
        let recipe = crate::recipe::recipe(&self.world, file);
        recipe.constructors.iter().any(|one| one.visibility != Visibility::Private)
    }

    /// Exceptions that a method with these `throws` may throw, and that code of the user catches: internal and source
    /// names. For `check`, what callers pass does not throw: it would be the error of whoever passes it.
    fn exceptions(&mut self, declared: &[Rc<str>]) -> Vec<(Rc<str>, String)> {
        if self.options.properties != Properties::None {
            return Vec::new();
        }
        let mut found: Vec<(Rc<str>, String)> = Vec::new();
        for name in self.stand_ins.uses.caught.clone() {
            // Of a class above all that may be thrown, the method's own exception or any other is one.
            let candidates = declared.iter().map(Rc::clone).chain([Rc::clone(&name)]);
            let candidates: Vec<Rc<str>> = candidates.chain([RUNTIME.into()]).collect();
            let chosen = candidates.into_iter().find(|one| self.may_throw(one, declared, &name));
            let Some(chosen) = chosen.filter(|one| found.iter().all(|(known, _)| known != one))
            else {
                continue;
            };
            let Some(source) = self.source_type_name(&Type::Ref(Rc::clone(&chosen))) else {
                continue;
            };
            self.instantiate_named(&chosen);
            found.push((chosen, source));
            if found.len() == MAX_EXCEPTIONS {
                break;
            }
        }
        found
    }

    /// Whether a method with these `throws` may throw an exception of a class that a handler for another one catches, and
    /// a test can make it.
    fn may_throw(&mut self, name: &str, declared: &[Rc<str>], caught: &str) -> bool {
        let Ok(class) = self.world.load(name) else { return false };
        let Some(file) = self.world.info(class).class().map(Rc::clone) else { return false };
        let mut loaded = |name: &str| self.world.load(name).ok();
        let (caught, unchecked) = (loaded(caught), [loaded(RUNTIME), loaded("java/lang/Error")]);
        let declared: Vec<TypeRef> = declared.iter().filter_map(|name| loaded(name)).collect();
        let world = &self.world;
        let is_below = |above: &TypeRef| world.is_subtype(class, *above);
        let is_made = world
            .declared_method(class, "<init>", "()V")
            .is_some_and(|made| world.method(made).access.has(Access::PUBLIC));
        is_made
            && !file.access.is_abstract()
            && caught.as_ref().is_some_and(is_below)
            && unchecked.iter().flatten().chain(&declared).any(is_below)
    }

    fn instantiate_named(&mut self, name: &str) {
        if let Ok(class) = self.world.load(name) {
            self.instantiate(class);
            self.initialize(class);
        }
    }

    /// What a class below has to define.
    fn abstract_methods(&self, above: TypeRef) -> Vec<MethodRef> {
        let world = &self.world;
        let mut types = vec![above];
        let mut at = world.info(above).superclass;
        while let Some(class) = at {
            types.push(class);
            at = world.info(class).superclass;
        }
        world.visit_interfaces(above, &mut |interface| types.push(interface));
        let mut found: Vec<MethodRef> = Vec::new();
        for &one in &types {
            let Some(file) = world.info(one).class() else { continue };
            for declared in &file.methods {
                let known = world.find_method(above, &declared.name, &declared.descriptor);
                // Every object has these.
                let object = world.known("java/lang/Object");
                let is_everywhere = object.is_some_and(|object| {
                    world.declared_method(object, &declared.name, &declared.descriptor).is_some()
                });
                found.extend(known.filter(|method| {
                    world.method(*method).access.is_abstract()
                        && !is_everywhere
                        && !found.contains(method)
                }));
            }
        }
        found
    }

    /// A type as source code names it; `None` where a test cannot.
    fn source_type_name(&mut self, ty: &Type) -> Option<String> {
        let name = match ty {
            Type::Prim(prim) => return Some(prim.name().to_owned()),
            Type::Ref(name) => name,
        };
        if let Some(element) = name.strip_prefix('[') {
            let element = Type::parse(element)?;
            return Some(format!("{}[]", self.source_type_name(&element)?));
        }
        let class = self.world.load(name).ok()?;
        let file = Rc::clone(self.world.info(class).class()?);
        let is_hidden = crate::recipe::class_visibility(&self.world, &file) == Visibility::Private;
        (!is_hidden).then(|| crate::recipe::source_name(&file))
    }
}

const RUNTIME: &str = "java/lang/RuntimeException";

impl Uses {
    fn note(&mut self, code: &Code) {
        for insn in &code.insns {
            if let Insn::Invoke(InvokeKind::Interface | InvokeKind::Virtual, member) = insn {
                self.called.insert((Rc::clone(&member.name), Rc::clone(&member.descriptor)));
            }
        }
        for handler in &code.handlers {
            // Compilers leave monitors by handlers of their own.
            let leaves = code.insns.iter().skip(handler.target).take(5);
            let leaves = leaves.into_iter().any(|insn| matches!(insn, Insn::MonitorExit));
            let name = handler.catch.clone().unwrap_or_else(|| RUNTIME.into());
            if !leaves && !self.caught.contains(&name) {
                self.caught.push(name);
            }
        }
    }

    fn is_called(&self, name: &Rc<str>, descriptor: &Rc<str>) -> bool {
        self.called.contains(&(Rc::clone(name), Rc::clone(descriptor)))
    }
}

/// Names of the fields behind one method.
struct Names {
    mode: String,
    first: String,
    second: String,
    third: String,
}

impl Names {
    fn new(position: usize) -> Names {
        Names {
            mode: format!("mode{position}"),
            first: format!("first{position}"),
            second: format!("second{position}"),
            third: format!("third{position}"),
        }
    }
}

/// `throw new Exception()`
fn throw_new(code: &mut Assembler, exception: &str) {
    code.push(Insn::New(exception.into()));
    code.push(Insn::Stack(StackOp::Dup));
    code.invoke(InvokeKind::Special, exception, "<init>", "()V");
    code.push(Insn::Throw);
}

fn load(code: &mut Assembler, class: &str, field: &str, descriptor: &str) {
    code.push(Insn::Load(Kind::Ref, 0));
    code.push(Insn::GetField(member(class, field, descriptor)));
}

/// `if (mode == -1) throw new E1(); if (mode == -2) throw new E2();`
fn throw_some(code: &mut Assembler, class: &str, mode: &str, thrown: &[(Rc<str>, String)]) {
    for ((exception, _), number) in thrown.iter().zip(1..) {
        load(code, class, mode, "I");
        code.push(Insn::Const(Constant::Int(-number)));
        let other = code.here();
        code.push(Insn::Nop);
        throw_new(code, exception);
        let next = code.here();
        code.patch(other, Insn::IfInts(Condition::Ne, next));
    }
}

/// `if (mode == 0) return first; if (mode == 1) { mode = 2; return first; }
/// if (mode == 2) { mode = 3; return second; } return third;`
fn give(code: &mut Assembler, class: &str, names: &Names, ty: &Type) {
    let descriptor = ty.descriptor();
    let answer = |code: &mut Assembler, field: &str| {
        load(code, class, field, &descriptor);
        code.push(Insn::Return(Some(ty.kind())));
    };
    for (mode, field) in [(0, &names.first), (1, &names.first), (2, &names.second)] {
        load(code, class, &names.mode, "I");
        code.push(Insn::Const(Constant::Int(mode)));
        let other = code.here();
        code.push(Insn::Nop);
        if mode > 0 {
            code.push(Insn::Load(Kind::Ref, 0));
            code.push(Insn::Const(Constant::Int(mode + 1)));
            code.push(Insn::PutField(member(class, &names.mode, "I")));
        }
        answer(code, field);
        let next = code.here();
        code.patch(other, Insn::IfInts(Condition::Ne, next));
    }
    answer(code, &names.third);
}
