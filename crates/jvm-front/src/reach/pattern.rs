//! Switches over patterns: `SwitchBootstraps.typeSwitch` and `enumSwitch`.
//!
//! The made method goes through the labels from `restart` on and gives the number of the first that fits,
//! -1 for null, the number of labels when none fits. Labels that a further bootstrap method computes (enum
//! constants among types) are not known here: such a switch stays unsupported.

use std::rc::Rc;

use super::Reached;
use super::dynamic::{Assembler, member};
use crate::classfile::insn::{Condition, Constant, DynamicCall, Insn, InvokeKind};
use crate::descriptor::{Kind, Signature, Type};
use crate::world::MethodRef;

/// The descriptor of `equals`.
const EQUALS: &str = "(Ljava/lang/Object;)Z";

impl Reached {
    pub(super) fn make_pattern_switch(
        &mut self,
        host: MethodRef,
        call: &DynamicCall,
    ) -> Option<MethodRef> {
        let signature = Signature::parse(&call.descriptor)?;
        let Some(Type::Ref(selector)) = signature.params.first() else { return None };
        let is_enum = &*call.bootstrap.member.name == "enumSwitch";
        let mut code = Assembler::default();
        code.push(Insn::Load(Kind::Ref, 0));
        // Behind this branch and what gives -1.
        let first = code.here() + 3;
        code.push(Insn::IfNull(false, first));
        give(&mut code, -1);
        for (number, label) in (0i32..).zip(&call.args) {
            code.push(Insn::Load(Kind::Int, 1));
            code.push(Insn::Const(Constant::Int(number)));
            let mut skips = vec![(code.here(), Insn::IfInts as fn(Condition, usize) -> Insn)];
            code.push(Insn::Nop);
            let mut conditions = vec![Condition::Gt];
            match label {
                Constant::Class(class) => {
                    code.push(Insn::Load(Kind::Ref, 0));
                    code.push(Insn::InstanceOf(Rc::clone(class)));
                }
                Constant::String(name) if is_enum => {
                    let name = String::from_utf16(name).ok()?;
                    let field = member(selector, &name, &format!("L{selector};"));
                    code.push(Insn::GetStatic(field));
                    code.push(Insn::Load(Kind::Ref, 0));
                    code.invoke(InvokeKind::Virtual, "java/lang/Object", "equals", EQUALS);
                }
                Constant::String(_) => {
                    code.push(Insn::Const(label.clone()));
                    code.push(Insn::Load(Kind::Ref, 0));
                    code.invoke(InvokeKind::Virtual, "java/lang/String", "equals", EQUALS);
                }
                Constant::Int(value) if &**selector == "java/lang/Integer" => {
                    code.push(Insn::Const(Constant::Int(*value)));
                    let descriptor = "(I)Ljava/lang/Integer;";
                    code.invoke(InvokeKind::Static, "java/lang/Integer", "valueOf", descriptor);
                    code.push(Insn::Load(Kind::Ref, 0));
                    code.invoke(InvokeKind::Virtual, "java/lang/Integer", "equals", EQUALS);
                }
                Constant::Null
                | Constant::Int(_)
                | Constant::Long(_)
                | Constant::Float(_)
                | Constant::Double(_)
                | Constant::MethodType(_)
                | Constant::MethodHandle(_)
                | Constant::Dynamic(_) => return None,
            }
            skips.push((code.here(), Insn::If));
            conditions.push(Condition::Eq);
            code.push(Insn::Nop);
            give(&mut code, number);
            let next = code.here();
            for ((at, make), condition) in skips.into_iter().zip(conditions) {
                code.patch(at, make(condition, next));
            }
        }
        give(&mut code, i32::try_from(call.args.len()).ok()?);
        self.make_static(host, "Switch", &call.descriptor, code)
    }
}

fn give(code: &mut Assembler, number: i32) {
    code.push(Insn::Const(Constant::Int(number)));
    code.push(Insn::Return(Some(Kind::Int)));
}
