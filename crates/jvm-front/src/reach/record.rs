//! `equals`, `hashCode` and `toString` of records, as `ObjectMethods` makes them.

use std::rc::Rc;

use super::Reached;
use super::dynamic::Assembler;
use crate::classfile::insn::{
    ArithOp, Condition, Constant, DynamicCall, Insn, InvokeKind, MemberRef,
};
use crate::descriptor::{Kind, Prim, Type};
use crate::world::MethodRef;

impl Reached {
    pub(super) fn make_record_method(
        &mut self,
        host: MethodRef,
        call: &DynamicCall,
    ) -> Option<MethodRef> {
        let [Constant::Class(class), Constant::String(_), getters @ ..] = call.args.as_slice()
        else {
            return None;
        };
        let mut fields = Vec::new();
        for getter in getters {
            let Constant::MethodHandle(handle) = getter else { return None };
            fields.push((Rc::clone(&handle.member), Type::parse(&handle.member.descriptor)?));
        }
        let code = match &*call.name {
            "toString" => to_string(class, &fields),
            "hashCode" => hash_code(&fields),
            "equals" => equals(class, &fields),
            _ => return None,
        };
        self.make_static(host, "Record", &call.descriptor, code)
    }
}

type Fields = [(Rc<MemberRef>, Type)];

fn to_string(class: &str, fields: &Fields) -> Assembler {
    let mut code = Assembler::default();
    code.start_builder();
    let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
    let mut text: Vec<u16> = format!("{simple}[").encode_utf16().collect();
    for (position, (field, ty)) in fields.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        text.extend(format!("{separator}{}=", field.name).encode_utf16());
        code.append_text(&mut text);
        get(&mut code, 0, field);
        code.append(ty);
    }
    text.push(u16::from(b']'));
    code.append_text(&mut text);
    code.finish_builder();
    code
}

fn get(code: &mut Assembler, slot: u16, field: &Rc<MemberRef>) {
    code.push(Insn::Load(Kind::Ref, slot));
    code.push(Insn::GetField(Rc::clone(field)));
}

fn hash_code(fields: &Fields) -> Assembler {
    let mut code = Assembler::default();
    code.push(Insn::Const(Constant::Int(0)));
    for (field, ty) in fields {
        code.push(Insn::Const(Constant::Int(31)));
        code.push(Insn::Arith(ArithOp::Mul, Kind::Int));
        get(&mut code, 0, field);
        match ty {
            Type::Prim(prim) => {
                let descriptor = format!("({})I", prim.letter());
                code.invoke(InvokeKind::Static, prim.box_class(), "hashCode", &descriptor);
            }
            Type::Ref(_) => {
                let descriptor = "(Ljava/lang/Object;)I";
                code.invoke(InvokeKind::Static, "java/util/Objects", "hashCode", descriptor);
            }
        }
        code.push(Insn::Arith(ArithOp::Add, Kind::Int));
    }
    code.push(Insn::Return(Some(Kind::Int)));
    code
}

fn equals(class: &Rc<str>, fields: &Fields) -> Assembler {
    let mut code = Assembler::default();
    let mut to_false = Vec::new();
    code.push(Insn::Load(Kind::Ref, 1));
    code.push(Insn::InstanceOf(Rc::clone(class)));
    to_false.push((code.here(), Condition::Eq));
    code.push(Insn::Nop);
    code.push(Insn::Load(Kind::Ref, 1));
    code.push(Insn::CheckCast(Rc::clone(class)));
    code.push(Insn::Store(Kind::Ref, 2));
    for (field, ty) in fields {
        get(&mut code, 0, field);
        get(&mut code, 2, field);
        let condition = match ty {
            Type::Prim(prim @ (Prim::Long | Prim::Float | Prim::Double)) => {
                let descriptor = format!("({0}{0})I", prim.letter());
                code.invoke(InvokeKind::Static, prim.box_class(), "compare", &descriptor);
                Condition::Ne
            }
            Type::Prim(_) => {
                code.push(Insn::Arith(ArithOp::Xor, Kind::Int));
                Condition::Ne
            }
            Type::Ref(_) => {
                let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.invoke(InvokeKind::Static, "java/util/Objects", "equals", descriptor);
                Condition::Eq
            }
        };
        to_false.push((code.here(), condition));
        code.push(Insn::Nop);
    }
    code.push(Insn::Const(Constant::Int(1)));
    code.push(Insn::Return(Some(Kind::Int)));
    let end = code.here();
    code.push(Insn::Const(Constant::Int(0)));
    code.push(Insn::Return(Some(Kind::Int)));
    for (label, condition) in to_false {
        code.patch(label, Insn::If(condition, end));
    }
    code
}
