//! Classes of ours that stand in for whatever else may implement an interface.
//!
//! Somebody who is not in sight may implement an interface in any way. A stand-in is one: its methods give what its
//! fields hold, and fields of inputs are inputs. So that results can change between calls, a method may give one result
//! first and another one later.

use std::rc::Rc;

use glassbox_testcase::recipe::{StandIn, StandInMethod, StandInResult, Visibility};
use rustc_hash::FxHashSet;

use super::Reached;
use super::dynamic::{Assembler, made_method, member};
use crate::classfile::insn::{Condition, Constant, Insn};
use crate::classfile::{Access, ClassFile, FieldInfo};
use crate::classpath::Owner;
use crate::descriptor::{Kind, Signature, Type};
use crate::world::{MethodRef, TypeRef};

/// Methods that one stand-in has at most: larger interfaces have rules that arbitrary results would break.
const MAX_METHODS: usize = 4;

/// Interfaces of the library that are made to be implemented by lambdas.
const OF_LIBRARY: &[&str] =
    &["java/lang/Runnable", "java/util/Comparator", "java/util/concurrent/Callable"];

#[derive(Debug, Default)]
pub(crate) struct StandIns {
    /// Interfaces that were looked at.
    asked: FxHashSet<TypeRef>,
    classes: FxHashSet<TypeRef>,
    pub(crate) recipes: Vec<StandIn>,
}

impl Reached {
    pub(crate) fn is_stand_in(&self, class: TypeRef) -> bool {
        self.stand_ins.classes.contains(&class)
    }

    /// Makes the class that stands in for an interface, once; the types of its fields. `None` where no class can
    /// implement the interface in a test.
    pub(crate) fn stand_in_for(&mut self, interface: TypeRef) -> Option<Vec<Type>> {
        if !self.stand_ins.asked.insert(interface) {
            return None;
        }
        let info = self.world.info(interface);
        let file = Rc::clone(info.class()?);
        let is_own = info.owner.is_own();
        let is_functional =
            file.name.starts_with("java/util/function/") || OF_LIBRARY.contains(&&*file.name);
        let is_hidden = crate::recipe::class_visibility(&self.world, &file) == Visibility::Private;
        if !file.access.is_interface() || is_hidden || file.is_sealed || !(is_own || is_functional)
        {
            return None;
        }
        let methods = self.abstract_methods(interface);
        if methods.is_empty() || methods.len() > MAX_METHODS {
            return None;
        }
        let name = format!("{}$$StandIn", file.name);
        let mut class = ClassFile::made(&name, "java/lang/Object", vec![Rc::clone(&file.name)]);
        let mut recipe = StandIn {
            name: name.replace('/', "."),
            interface: crate::recipe::source_name(&file),
            methods: Vec::new(),
        };
        let mut types = Vec::new();
        for (position, method) in methods.into_iter().enumerate() {
            let declared = self.world.method(method).clone();
            let signature = Signature::parse(&declared.descriptor)?;
            let params = signature.params.iter().map(|ty| self.source_type_name(ty));
            let params = params.collect::<Option<Vec<String>>>()?;
            let mut code = Assembler::default();
            let result = match &signature.result {
                None => {
                    code.push(Insn::Return(None));
                    None
                }
                Some(ty) => {
                    let names = StandInResult {
                        ty: self.source_type_name(ty)?,
                        always: format!("always{position}"),
                        later: format!("later{position}"),
                        mode: format!("mode{position}"),
                    };
                    let descriptor = ty.descriptor();
                    let int = "I".to_owned();
                    for (field, descriptor) in [
                        (&names.always, &descriptor),
                        (&names.later, &descriptor),
                        (&names.mode, &int),
                    ] {
                        class.fields.push(FieldInfo {
                            access: Access(Access::PUBLIC),
                            name: field.as_str().into(),
                            descriptor: descriptor.as_str().into(),
                            constant: None,
                        });
                    }
                    give(&mut code, &name, &names, ty);
                    types.push(ty.clone());
                    Some(names)
                }
            };
            class.methods.push(made_method(&declared.name, &declared.descriptor, 0, code));
            recipe.methods.push(StandInMethod { name: declared.name.to_string(), params, result });
        }
        let class = self.world.define(class, Owner::Library).ok()?;
        self.stand_ins.classes.insert(class);
        self.stand_ins.recipes.push(recipe);
        self.instantiate(class);
        Some(types)
    }

    /// What a class that implements the interface has to define.
    fn abstract_methods(&self, interface: TypeRef) -> Vec<MethodRef> {
        let world = &self.world;
        let mut interfaces = vec![interface];
        world.visit_interfaces(interface, &mut |above| interfaces.push(above));
        let mut found: Vec<MethodRef> = Vec::new();
        for &one in &interfaces {
            let Some(file) = world.info(one).class() else { continue };
            for declared in &file.methods {
                let known = world.find_method(interface, &declared.name, &declared.descriptor);
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

/// `if (mode == 0) return always; if (mode == 1) { mode = 2; return always; } return later;`
fn give(code: &mut Assembler, class: &str, names: &StandInResult, ty: &Type) {
    let descriptor = ty.descriptor();
    let load = |code: &mut Assembler, field: &str, descriptor: &str| {
        code.push(Insn::Load(Kind::Ref, 0));
        code.push(Insn::GetField(member(class, field, descriptor)));
    };
    load(code, &names.mode, "I");
    let not_always = code.here();
    code.push(Insn::Nop);
    load(code, &names.always, &descriptor);
    code.push(Insn::Return(Some(ty.kind())));
    let second = code.here();
    code.patch(not_always, Insn::If(Condition::Ne, second));
    load(code, &names.mode, "I");
    code.push(Insn::Const(Constant::Int(1)));
    let not_first = code.here();
    code.push(Insn::Nop);
    code.push(Insn::Load(Kind::Ref, 0));
    code.push(Insn::Const(Constant::Int(2)));
    code.push(Insn::PutField(member(class, &names.mode, "I")));
    load(code, &names.always, &descriptor);
    code.push(Insn::Return(Some(ty.kind())));
    let last = code.here();
    code.patch(not_first, Insn::IfInts(Condition::Ne, last));
    load(code, &names.later, &descriptor);
    code.push(Insn::Return(Some(ty.kind())));
}
