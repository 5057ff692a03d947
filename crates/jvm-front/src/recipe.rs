//! Which constructors and methods only move values between parameters and fields, read from their code.
//!
//! A constructor counts when it calls a superclass's constructor that counts and takes no parameters,
//! stores parameters or constants in fields of `this`, and returns: nothing has to be run to know what
//! an object made by it looks like.

use std::rc::Rc;

use glassbox_testcase::recipe::{ClassRecipe, Constructor, FieldRecipe, Visibility};
use glassbox_values::Bits;

use crate::classfile::insn::{Constant, Insn, InvokeKind};
use crate::classfile::{Access, ClassFile, MethodInfo};
use crate::classpath::Owner;
use crate::descriptor::{Kind, Signature, Type};
use crate::world::{MethodRef, TypeRef, World};

pub(crate) fn visibility(access: Access) -> Visibility {
    if access.has(Access::PUBLIC) {
        Visibility::Public
    } else if access.is_private() {
        Visibility::Private
    } else {
        Visibility::Package
    }
}

/// Who may call a method. No test is in a package of the JDK.
pub(crate) fn method_visibility(world: &World, method: MethodRef) -> Visibility {
    let visible = visibility(world.method(method).access);
    let is_jdk = world.info(method.class).owner == Owner::Chosen;
    if visible == Visibility::Package && is_jdk { Visibility::Private } else { visible }
}

/// Recipes of the user's classes, in order of loading.
pub(crate) fn classes(world: &World) -> Vec<ClassRecipe> {
    let is_user = |ty: &TypeRef| world.info(*ty).owner.is_own();
    let user = world.types().filter(is_user);
    user.filter_map(|ty| world.info(ty).class().map(|class| recipe(world, class))).collect()
}

pub(crate) fn recipe(world: &World, class: &ClassFile) -> ClassRecipe {
    let mut result = ClassRecipe {
        name: class.name.replace('/', "."),
        source_name: source_name(class),
        visibility: class_visibility(world, class),
        constructors: Vec::new(),
        fields: Vec::new(),
        setters: Vec::new(),
        getters: Vec::new(),
    };
    result.fields.extend(class.fields.iter().map(|field| FieldRecipe {
        name: field.name.to_string(),
        visibility: visibility(field.access),
        is_final: field.access.is_final(),
    }));
    let is_inner = class.nested_access.is_some_and(|access| !access.is_static());
    for method in &class.methods {
        if &*method.name == "<init>" {
            if !is_inner && let Some(constructor) = constructor(world, class, method, 0) {
                result.constructors.push(constructor);
            }
        } else if !method.access.is_static() && !method.access.is_private() {
            accessor(class, method, &mut result);
        }
    }
    result
}

pub(crate) fn source_name(class: &ClassFile) -> String {
    let dotted = class.name.replace('/', ".");
    class.nested_name.clone().unwrap_or(dotted)
}

/// The narrowest of the class and those around it.
pub(crate) fn class_visibility(world: &World, class: &ClassFile) -> Visibility {
    let own = visibility(class.nested_access.unwrap_or(class.access));
    let around = class.name.rsplit_once('$').and_then(|(outer, _)| world.known(outer));
    match around.and_then(|outer| world.info(outer).class().map(Rc::clone)) {
        Some(outer) if class.nested_access.is_some() => own.max(class_visibility(world, &outer)),
        _ => own,
    }
}

fn accessor(class: &ClassFile, method: &MethodInfo, result: &mut ClassRecipe) {
    let Ok(Some(code)) = class.code(method) else { return };
    match code.insns.as_slice() {
        [Insn::Load(Kind::Ref, 0), Insn::Load(_, 1), Insn::PutField(field), Insn::Return(None)]
            if field.class == class.name =>
        {
            result.setters.push((method.name.to_string(), field.name.to_string()));
        }
        [Insn::Load(Kind::Ref, 0), Insn::GetField(field), Insn::Return(Some(_))]
            if field.class == class.name =>
        {
            result.getters.push((method.name.to_string(), field.name.to_string()));
        }
        _ => {}
    }
}

/// Whether a constructor does nothing but store parameters and constants.
pub(crate) fn only_stores(world: &World, class: &ClassFile, method: &MethodInfo) -> bool {
    constructor(world, class, method, 0).is_some()
}

fn constructor(
    world: &World,
    class: &ClassFile,
    method: &MethodInfo,
    depth: usize,
) -> Option<Constructor> {
    let signature = Signature::parse(&method.descriptor)?;
    let code = class.code(method).ok().flatten()?;
    let mut slots = Vec::new();
    let mut slot = 1u16;
    for ty in &signature.params {
        slots.push(slot);
        slot = slot.checked_add(if ty.kind().is_wide() { 2 } else { 1 })?;
    }
    let mut params: Vec<Option<String>> = vec![None; signature.params.len()];
    let mut constants = Vec::new();
    let mut rest = code.insns.as_slice();
    loop {
        match rest {
            [Insn::Return(None)] => break,
            [Insn::Load(Kind::Ref, 0), Insn::Invoke(InvokeKind::Special, callee), tail @ ..]
                if &*callee.name == "<init>" && &*callee.descriptor == "()V" =>
            {
                constants.extend(superclass_constants(world, class, &callee.class, depth)?);
                rest = tail;
            }
            [Insn::Load(Kind::Ref, 0), Insn::Load(_, slot), Insn::PutField(field), tail @ ..]
                if field.class == class.name =>
            {
                let position = slots.iter().position(|known| known == slot)?;
                if signature.params[position].descriptor() != *field.descriptor
                    || params[position].is_some()
                {
                    return None;
                }
                params[position] = Some(field.name.to_string());
                rest = tail;
            }
            [Insn::Load(Kind::Ref, 0), Insn::Const(constant), Insn::PutField(field), tail @ ..]
                if field.class == class.name =>
            {
                constants
                    .push((field.name.to_string(), constant_bits(constant, &field.descriptor)?));
                rest = tail;
            }
            _ => return None,
        }
    }
    let params = params.into_iter().collect::<Option<Vec<String>>>()?;
    // A field that is stored twice would need the order.
    constants.retain(|(name, _)| !params.contains(name));
    Some(Constructor { visibility: visibility(method.access), params, constants })
}

/// What the superclass's constructor without parameters stores.
fn superclass_constants(
    world: &World,
    class: &ClassFile,
    callee: &str,
    depth: usize,
) -> Option<Vec<(String, Option<Bits>)>> {
    if callee == "java/lang/Object" || callee == "java/lang/Record" {
        return Some(Vec::new());
    }
    if depth > 20 || class.superclass.as_deref() != Some(callee) {
        return None;
    }
    let superclass = Rc::clone(world.info(world.known(callee)?).class()?);
    let found = superclass
        .methods
        .iter()
        .find(|method| &*method.name == "<init>" && &*method.descriptor == "()V")?;
    constructor(world, &superclass, found, depth + 1).map(|constructor| constructor.constants)
}

/// A constant as a field of this type holds it.
fn constant_bits(constant: &Constant, descriptor: &str) -> Option<Option<Bits>> {
    let width = match Type::parse(descriptor)? {
        Type::Prim(prim) => {
            u8::try_from((prim.ty().size(glassbox_ir::PointerSize::Eight) * 8).max(8)).ok()?
        }
        Type::Ref(_) => 64,
    };
    Some(match constant {
        Constant::Null => None,
        Constant::Int(value) => Some(Bits::from_signed((*value).into(), width)),
        Constant::Long(value) => Some(Bits::from_signed((*value).into(), width)),
        Constant::Float(bits) => Some(Bits::new((*bits).into(), 32)),
        Constant::Double(bits) => Some(Bits::new((*bits).into(), 64)),
        Constant::String(_)
        | Constant::Class(_)
        | Constant::MethodType(_)
        | Constant::MethodHandle(_)
        | Constant::Dynamic(_) => return None,
    })
}
