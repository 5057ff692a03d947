//! Lambdas and method references: a made class per call site, with the captured values as fields.

use std::rc::Rc;

use super::Reached;
use super::dynamic::{Assembler, made_method, member};
use crate::classfile::insn::{
    Constant, Conversion, DynamicCall, Handle, Insn, InvokeKind, StackOp,
};
use crate::classfile::{Access, ClassFile, FieldInfo};
use crate::classpath::Owner;
use crate::descriptor::{Kind, Prim, Signature, Type};
use crate::world::MethodRef;

/// Flags of `altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

impl Reached {
    /// The static method that makes the function object.
    pub(super) fn make_lambda(&mut self, host: MethodRef, call: &DynamicCall) -> Option<MethodRef> {
        let factory = Signature::parse(&call.descriptor)?;
        let Some(Type::Ref(interface)) = &factory.result else { return None };
        let [Constant::MethodType(erased), Constant::MethodHandle(implementation), rest @ ..] =
            call.args.as_slice()
        else {
            return None;
        };
        let [Constant::MethodType(instantiated), extra @ ..] = rest else { return None };
        let mut descriptors: Vec<Rc<str>> = vec![Rc::clone(erased)];
        let mut interfaces = vec![Rc::clone(interface)];
        extra_parts(extra, &mut interfaces, &mut descriptors)?;

        let name = self.made_name(host.class, "Lambda");
        let mut class = ClassFile::made(&name, "java/lang/Object", interfaces);
        for (position, ty) in factory.params.iter().enumerate() {
            class.fields.push(FieldInfo {
                access: Access(Access::PRIVATE | Access::FINAL),
                name: format!("captured{position}").into(),
                descriptor: ty.descriptor().into(),
                constant: None,
            });
        }
        let is_own = self.world.info(host.class).owner.is_own();
        let code = if is_own && factory.params.is_empty() {
            let access = Access(Access::PRIVATE | Access::STATIC);
            class.fields.push(FieldInfo {
                access,
                name: ONLY.into(),
                descriptor: object_descriptor(&name).into(),
                constant: None,
            });
            shared_code(&name)
        } else {
            factory_code(&name, &factory)
        };
        class.methods.push(made_method("make", &call.descriptor, Access::STATIC, code));
        let is_interface_kind = self.implementation_is_static(implementation);
        for descriptor in descriptors {
            let code = body_code(
                &name,
                &factory,
                &Signature::parse(&descriptor)?,
                &Signature::parse(instantiated)?,
                implementation,
                is_interface_kind,
            )?;
            class.methods.push(made_method(&call.name, &descriptor, 0, code));
        }
        let class = self.world.define(class, Owner::Library).ok()?;
        self.lambdas.insert(class);
        Some(MethodRef { class, index: 0 })
    }

    fn implementation_is_static(&self, handle: &Handle) -> bool {
        handle.kind == 6
    }
}

/// Marker interfaces and bridges of `altMetafactory`.
fn extra_parts(
    extra: &[Constant],
    interfaces: &mut Vec<Rc<str>>,
    descriptors: &mut Vec<Rc<str>>,
) -> Option<()> {
    let mut extra = extra.iter();
    let Some(Constant::Int(flags)) = extra.next() else { return Some(()) };
    if flags & SERIALIZABLE != 0 {
        interfaces.push("java/io/Serializable".into());
    }
    if flags & MARKERS != 0 {
        let Some(Constant::Int(count)) = extra.next() else { return None };
        for _ in 0..*count {
            let Some(Constant::Class(name)) = extra.next() else { return None };
            interfaces.push(Rc::clone(name));
        }
    }
    if flags & BRIDGES != 0 {
        let Some(Constant::Int(count)) = extra.next() else { return None };
        for _ in 0..*count {
            let Some(Constant::MethodType(descriptor)) = extra.next() else { return None };
            descriptors.push(Rc::clone(descriptor));
        }
    }
    Some(())
}

fn factory_code(class: &str, factory: &Signature) -> Assembler {
    let mut code = Assembler::default();
    code.push(Insn::New(class.into()));
    let mut slot = 0;
    for (position, ty) in factory.params.iter().enumerate() {
        code.push(Insn::Stack(StackOp::Dup));
        code.push(Insn::Load(ty.kind(), slot));
        let field = member(class, &format!("captured{position}"), &ty.descriptor());
        code.push(Insn::PutField(field));
        slot += if ty.kind().is_wide() { 2 } else { 1 };
    }
    code.push(Insn::Return(Some(Kind::Ref)));
    code
}

/// The field of the object that a place without captured variables always gives. The language leaves that open
/// (JLS 15.27.4), and HotSpot does it.
const ONLY: &str = "only";

fn object_descriptor(class: &str) -> String {
    format!("L{class};")
}

/// `if (only != null) return only; return only = new Lambda();`
fn shared_code(class: &str) -> Assembler {
    let only = member(class, ONLY, &object_descriptor(class));
    let mut code = Assembler::default();
    code.push(Insn::GetStatic(Rc::clone(&only)));
    let is_first = code.here();
    code.push(Insn::Nop);
    code.push(Insn::GetStatic(Rc::clone(&only)));
    code.push(Insn::Return(Some(Kind::Ref)));
    let first = code.here();
    code.patch(is_first, Insn::IfNull(true, first));
    code.push(Insn::New(class.into()));
    code.push(Insn::Stack(StackOp::Dup));
    code.push(Insn::PutStatic(only));
    code.push(Insn::Return(Some(Kind::Ref)));
    code
}

/// The method of the interface: captured values, then parameters, go to the implementation.
fn body_code(
    class: &str,
    factory: &Signature,
    erased: &Signature,
    instantiated: &Signature,
    implementation: &Handle,
    is_static: bool,
) -> Option<Assembler> {
    let target = &implementation.member;
    let mut expected = Signature::parse(&target.descriptor)?;
    let mut code = Assembler::default();
    let kind = match implementation.kind {
        5 => InvokeKind::Virtual,
        6 => InvokeKind::Static,
        7 => InvokeKind::Special,
        8 => {
            code.push(Insn::New(Rc::clone(&target.class)));
            code.push(Insn::Stack(StackOp::Dup));
            InvokeKind::Special
        }
        9 => InvokeKind::Interface,
        _ => return None,
    };
    let is_new = implementation.kind == 8;
    if !is_static && !is_new {
        expected.params.insert(0, Type::Ref(Rc::clone(&target.class)));
    }
    let mut wanted = expected.params.iter();
    for (position, ty) in factory.params.iter().enumerate() {
        code.push(Insn::Load(Kind::Ref, 0));
        let field = member(class, &format!("captured{position}"), &ty.descriptor());
        code.push(Insn::GetField(field));
        adapt(&mut code, ty, wanted.next()?)?;
    }
    let mut slot = 1;
    for (from, via) in erased.params.iter().zip(&instantiated.params) {
        code.push(Insn::Load(from.kind(), slot));
        slot += if from.kind().is_wide() { 2 } else { 1 };
        adapt(&mut code, from, via)?;
        adapt(&mut code, via, wanted.next()?)?;
    }
    code.push(Insn::Invoke(kind, Rc::clone(target)));
    let given = if is_new { Some(Type::Ref(Rc::clone(&target.class))) } else { expected.result };
    match (&given, &erased.result) {
        (_, None) => code.push(Insn::Return(None)),
        (Some(given), Some(result)) => {
            // Through the instantiated type where that is what has to be boxed or unboxed.
            let via = instantiated.result.clone().unwrap_or_else(|| result.clone());
            adapt(&mut code, given, &via)?;
            adapt(&mut code, &via, result)?;
            code.push(Insn::Return(Some(result.kind())));
        }
        (None, Some(_)) => return None,
    }
    Some(code)
}

/// Converts the top of the stack as `LambdaMetafactory` does: casts, boxes, widens.
fn adapt(code: &mut Assembler, from: &Type, to: &Type) -> Option<()> {
    match (from, to) {
        (Type::Prim(from), Type::Prim(to)) => {
            if from.kind() != to.kind() {
                code.push(Insn::Convert(Conversion::Kinds(from.kind(), to.kind())));
            }
        }
        (Type::Ref(from), Type::Ref(to)) => {
            if from != to && &**to != "java/lang/Object" {
                code.push(Insn::CheckCast(Rc::clone(to)));
            }
        }
        (Type::Prim(prim), Type::Ref(_)) => {
            let class = prim.box_class();
            let descriptor = format!("({})L{class};", prim.letter());
            code.invoke(InvokeKind::Static, class, "valueOf", &descriptor);
        }
        (Type::Ref(name), Type::Prim(to)) => {
            let boxed = Prim::ALL.into_iter().find(|prim| prim.box_class() == &**name);
            let prim = boxed.unwrap_or(*to);
            let class = prim.box_class();
            if boxed.is_none() {
                code.push(Insn::CheckCast(class.into()));
            }
            let method = format!("{}Value", prim.name());
            code.invoke(InvokeKind::Virtual, class, &method, &format!("(){}", prim.letter()));
            adapt(code, &Type::Prim(prim), &Type::Prim(*to))?;
        }
    }
    Some(())
}
