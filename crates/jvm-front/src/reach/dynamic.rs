//! `invokedynamic`: a made static method stands for the call site.
//!
//! Known bootstrap methods: lambdas and method references, string concatenation, the methods of records,
//! switches over patterns.

use std::rc::Rc;

use super::Reached;
use crate::classfile::annotation::Annotations;
use crate::classfile::insn::{
    Code, Constant, DynamicCall, Insn, InvokeKind, MemberRef, StackOp, Variable,
};
use crate::classfile::{Access, ClassFile, MethodCode, MethodInfo};
use crate::classpath::Owner;
use crate::descriptor::{Kind, Prim, Signature, Type};
use crate::world::MethodRef;

impl Reached {
    pub(super) fn scan_dynamic(&mut self, method: MethodRef, label: usize, call: &DynamicCall) {
        let bootstrap = &call.bootstrap.member;
        let made = match (&*bootstrap.class, &*bootstrap.name) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.make_lambda(method, call)
            }
            ("java/lang/invoke/StringConcatFactory", name) => {
                let recipe = if name == "makeConcat" { None } else { call.args.first() };
                self.make_concat(method, call, recipe)
            }
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => {
                self.make_pattern_switch(method, call)
            }
            ("java/lang/runtime/ObjectMethods", _) => self.make_record_method(method, call),
            _ => None,
        };
        if let Some(made) = made {
            self.dynamic.insert((method, label), made);
            self.add_method(made);
        }
    }

    /// `Enum.valueOf(E.class, name)` looks through `E.values()`.
    pub(super) fn make_enum_value_of(&mut self, host: MethodRef, class: &str) -> Option<MethodRef> {
        let mut code = Assembler::default();
        code.invoke(InvokeKind::Static, class, "values", &format!("()[L{class};"));
        code.push(Insn::Load(Kind::Ref, 1));
        let name: Vec<u16> = class.replace(['/', '$'], ".").encode_utf16().collect();
        code.push(Insn::Const(Constant::String(name.into())));
        let descriptor = "([Ljava/lang/Enum;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Enum;";
        code.invoke(InvokeKind::Static, crate::library::MODELS, "enumValueOf", descriptor);
        code.push(Insn::Return(Some(Kind::Ref)));
        let descriptor = "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;";
        self.make_static(host, "ValueOf", descriptor, code)
    }

    /// Adds a class with one static method `name`.
    pub(super) fn make_static(
        &mut self,
        host: MethodRef,
        what: &str,
        descriptor: &str,
        code: Assembler,
    ) -> Option<MethodRef> {
        let name = self.made_name(host.class, what);
        let mut class = ClassFile::made(&name, "java/lang/Object", Vec::new());
        class.methods.push(made_method("call", descriptor, Access::STATIC, code));
        let class = self.world.define(class, Owner::Library).ok()?;
        Some(MethodRef { class, index: 0 })
    }

    fn make_concat(
        &mut self,
        host: MethodRef,
        call: &DynamicCall,
        recipe: Option<&Constant>,
    ) -> Option<MethodRef> {
        let signature = Signature::parse(&call.descriptor)?;
        let mut constants = call.args.iter().skip(1);
        let recipe: Vec<u16> = match recipe {
            Some(Constant::String(recipe)) => recipe.to_vec(),
            Some(_) => return None,
            None => vec![1; signature.params.len()],
        };
        let mut code = Assembler::default();
        code.start_builder();
        let mut slot = 0;
        let mut params = signature.params.iter();
        let mut text: Vec<u16> = Vec::new();
        for unit in recipe {
            match unit {
                1 => {
                    code.append_text(&mut text);
                    let ty = params.next()?;
                    code.push(Insn::Load(ty.kind(), slot));
                    code.append(ty);
                    slot += if ty.kind().is_wide() { 2 } else { 1 };
                }
                2 => match constants.next()? {
                    Constant::String(constant) => text.extend_from_slice(constant),
                    Constant::Int(value) => text.extend(value.to_string().encode_utf16()),
                    Constant::Long(value) => text.extend(value.to_string().encode_utf16()),
                    Constant::Null
                    | Constant::Float(_)
                    | Constant::Double(_)
                    | Constant::Class(_)
                    | Constant::MethodType(_)
                    | Constant::MethodHandle(_)
                    | Constant::Dynamic(_) => return None,
                },
                unit => text.push(unit),
            }
        }
        code.append_text(&mut text);
        code.finish_builder();
        self.make_static(host, "Concat", &call.descriptor, code)
    }
}

pub(crate) fn made_method(
    name: &str,
    descriptor: &str,
    access: u16,
    code: Assembler,
) -> MethodInfo {
    let code = code.finish();
    MethodInfo {
        access: Access(access | Access::PUBLIC | Access::SYNTHETIC),
        name: name.into(),
        descriptor: descriptor.into(),
        signature: None,
        throws: Vec::new(),
        annotations: Annotations::default(),
        code: MethodCode::Made(Rc::new(code)),
    }
}

pub(crate) fn member(class: &str, name: &str, descriptor: &str) -> Rc<MemberRef> {
    Rc::new(MemberRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        is_interface: false,
    })
}

const BUILDER: &str = "java/lang/StringBuilder";

/// Code being written.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    insns: Vec<Insn>,
    /// Parameters with names.
    pub(crate) variables: Vec<Variable>,
}

impl Assembler {
    pub(crate) fn push(&mut self, insn: Insn) {
        self.insns.push(insn);
    }

    /// The label of the next instruction.
    pub(crate) fn here(&self) -> usize {
        self.insns.len()
    }

    /// Replaces an instruction, for jumps forward.
    pub(crate) fn patch(&mut self, label: usize, insn: Insn) {
        self.insns[label] = insn;
    }

    pub(crate) fn invoke(&mut self, kind: InvokeKind, class: &str, name: &str, descriptor: &str) {
        self.push(Insn::Invoke(kind, member(class, name, descriptor)));
    }

    pub(super) fn start_builder(&mut self) {
        self.push(Insn::New(BUILDER.into()));
        self.push(Insn::Stack(StackOp::Dup));
        self.invoke(InvokeKind::Special, BUILDER, "<init>", "()V");
    }

    /// Appends the value on top of the stack.
    pub(super) fn append(&mut self, ty: &Type) {
        let descriptor = match ty {
            Type::Prim(Prim::Byte | Prim::Short) => "I".to_owned(),
            Type::Prim(prim) => prim.letter().to_string(),
            Type::Ref(name) if &**name == "java/lang/String" => "Ljava/lang/String;".to_owned(),
            Type::Ref(_) => "Ljava/lang/Object;".to_owned(),
        };
        let descriptor = format!("({descriptor})Ljava/lang/StringBuilder;");
        self.invoke(InvokeKind::Virtual, BUILDER, "append", &descriptor);
    }

    /// Appends a constant, which is then empty.
    pub(super) fn append_text(&mut self, text: &mut Vec<u16>) {
        if !text.is_empty() {
            self.push(Insn::Const(Constant::String(std::mem::take(text).into())));
            self.append(&Type::Ref("java/lang/String".into()));
        }
    }

    pub(super) fn finish_builder(&mut self) {
        self.invoke(InvokeKind::Virtual, BUILDER, "toString", "()Ljava/lang/String;");
        self.push(Insn::Return(Some(Kind::Ref)));
    }

    fn finish(self) -> Code {
        let n_insns = self.insns.len();
        Code {
            pcs: (0..u32::try_from(n_insns).unwrap_or(u32::MAX)).collect(),
            lines: vec![0; n_insns],
            insns: self.insns,
            handlers: Vec::new(),
            variables: self.variables,
        }
    }
}
