//! Fields, static and not, and class initialization.

use std::rc::Rc;

use glassbox_ir::Operand;
use glassbox_ir::instr::CompareOp;

use super::emit::int;
use super::method::{Malformed, MethodLowering, malformed};
use crate::classfile::insn::MemberRef;
use crate::descriptor::{Kind, Type};
use crate::world::{FieldRef, TypeRef};

impl MethodLowering<'_> {
    fn find_field(&self, member: &MemberRef) -> Option<FieldRef> {
        let world = &self.cx.reached.world;
        world.find_field(world.known(&member.class)?, &member.name, &member.descriptor)
    }

    fn field_type(member: &MemberRef) -> Result<Type, Malformed> {
        match Type::parse(&member.descriptor) {
            Some(ty) => Ok(ty),
            None => malformed("a field without a type"),
        }
    }

    fn missing(member: &MemberRef) -> String {
        format!("field {}.{}, which is not there", member.class.replace('/', "."), member.name)
    }

    pub(super) fn get_static(&mut self, member: &MemberRef) -> Result<(), Malformed> {
        let ty = MethodLowering::field_type(member)?;
        let Some(field) = self.find_field(member).filter(|&field| self.is_static(field)) else {
            return self.push_unsupported(&MethodLowering::missing(member), ty.kind());
        };
        let is_constant = self.cx.reached.world.field(field).constant.is_some();
        if !is_constant && self.cx.reached.lacks_value(field) {
            let class = member.class.replace('/', ".");
            let what = format!("{class}.{}, whose class is not modeled", member.name);
            return self.push_unsupported(&what, ty.kind());
        }
        // The stream is there in every run, and nothing says what it gives.
        if &*member.name == "in"
            && self.cx.reached.world.known("java/lang/System") == Some(field.class)
        {
            return self.push_unsupported("System.in, which is not modeled", ty.kind());
        }
        self.initialize(field.class)?;
        let global = self.cx.static_field(field);
        let is_volatile = self.cx.reached.world.field(field).access.is_volatile();
        let value = self.emit.load_from(ty.ty(), Operand::Global(global), 0, is_volatile);
        let value = self.emit.widen(&ty, value);
        let text = self.is_own.then(|| Rc::clone(&member.name));
        self.push_typed(&ty, value, text);
        Ok(())
    }

    pub(super) fn put_static(&mut self, member: &MemberRef) -> Result<(), Malformed> {
        let ty = MethodLowering::field_type(member)?;
        let value = self.pop(ty.kind())?;
        let Some(field) = self.find_field(member).filter(|&field| self.is_static(field)) else {
            self.emit.unsupported(&MethodLowering::missing(member), None);
            return Ok(());
        };
        self.initialize(field.class)?;
        let value = self.emit.narrow_to(&ty, value);
        let global = self.cx.static_field(field);
        self.emit.store_global(global, value);
        Ok(())
    }

    fn is_static(&self, field: FieldRef) -> bool {
        self.cx.reached.world.field(field).access.is_static()
    }

    pub(super) fn get_field(&mut self, member: &MemberRef) -> Result<(), Malformed> {
        let ty = MethodLowering::field_type(member)?;
        let object = self.pop_entry(Kind::Ref)?;
        let field = self.find_field(member);
        let offset = field.and_then(|field| self.cx.layouts.offset(field));
        let (Some(field), Some(offset)) = (field, offset) else {
            return self.push_unsupported(&MethodLowering::missing(member), ty.kind());
        };
        self.check_null(&object)?;
        let is_volatile = self.cx.reached.world.field(field).access.is_volatile();
        let value = self.emit.load_from(ty.ty(), object.value, offset, is_volatile);
        let value = self.emit.widen(&ty, value);
        let text = object.text.map(|text| match &*text {
            "this" => Rc::clone(&member.name),
            text => format!("{text}.{}", member.name).into(),
        });
        self.push_typed(&ty, value, text);
        Ok(())
    }

    pub(super) fn put_field(&mut self, member: &MemberRef) -> Result<(), Malformed> {
        let ty = MethodLowering::field_type(member)?;
        let value = self.pop(ty.kind())?;
        let object = self.pop_entry(Kind::Ref)?;
        let offset = self.find_field(member).and_then(|field| self.cx.layouts.offset(field));
        let Some(offset) = offset else {
            self.emit.unsupported(&MethodLowering::missing(member), None);
            return Ok(());
        };
        self.check_null(&object)?;
        let value = self.emit.narrow_to(&ty, value);
        self.emit.store(object.value, offset, value);
        Ok(())
    }

    /// Runs the static initializer of a class unless it has run. Code of the class itself, and of
    /// classes below it, runs only when that has happened.
    pub(super) fn initialize(&mut self, class: TypeRef) -> Result<(), Malformed> {
        let is_interface = self.cx.reached.world.is_interface(class);
        let is_sure = self.method.class == class
            || (!is_interface && self.cx.reached.world.is_subtype(self.method.class, class));
        if is_sure { Ok(()) } else { self.initialize_from_outside(class) }
    }

    /// The same, where nothing is known.
    pub(super) fn initialize_from_outside(&mut self, class: TypeRef) -> Result<(), Malformed> {
        let Some((guard, state)) = self.cx.guard(class) else { return Ok(()) };
        let done = self.emit.load_global(glassbox_ir::Ty::I32, state);
        let is_done = self.emit.compare(CompareOp::Eq, done, int(2));
        let (run, go) = (self.emit.new_block(), self.emit.new_block());
        self.emit.branch(is_done, go, run, None);
        self.emit.switch_to(run);
        let _: Option<Operand> = self.emit.call(guard, Vec::new(), None);
        self.propagate(guard)?;
        self.emit.jump(go);
        self.emit.switch_to(go);
        Ok(())
    }
}
