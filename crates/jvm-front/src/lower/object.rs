//! Making objects, and asking for their class.

use std::rc::Rc;

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatCompareOp};
use glassbox_ir::{InstrKind, Operand, PureOp, Ty};
use glassbox_values::Bits;

use super::emit::zero;
use super::method::{Malformed, MethodLowering};
use crate::descriptor::{Kind, Type};
use crate::library::Thrower;
use crate::world::FieldRef;

impl MethodLowering<'_> {
    pub(super) fn new_object(&mut self, name: &str) -> Result<(), Malformed> {
        let Some(ty) = self.cx.reached.world.known(name) else {
            let what = format!("class {}, which is not there", name.replace('/', "."));
            return self.push_unsupported(&what, Kind::Ref);
        };
        let is_made = self
            .cx
            .reached
            .world
            .info(ty)
            .class()
            .is_some_and(|class| !class.access.is_abstract() && !class.access.is_interface());
        if !is_made {
            return self.push_unsupported("an object of an abstract class", Kind::Ref);
        }
        self.begin_assertion(name);
        self.initialize(ty)?;
        let class = self.cx.layouts.number(ty);
        let size = self.cx.layouts.size(ty);
        let object = self.emit.new_object(class, size);
        self.push_new(object);
        Ok(())
    }

    /// A constructor gets a new object, with nothing in it. Constructors of classes below run this code, too, on
    /// objects of their class: nothing may be assumed here that only holds of calls from outside.
    pub(super) fn assume_new(&mut self) {
        let this = self.emit.param(0);
        let ranges = self.cx.subtypes(self.method.class);
        if !ranges.is_empty() {
            let class = self.emit.class_number(this);
            let is_below = self.emit.in_ranges(class, &ranges);
            self.emit.push(InstrKind::Assume { condition: is_below });
        }
        for (position, ty) in self.signature.params.clone().iter().enumerate() {
            if let Type::Ref(_) = ty {
                let param = self.emit.param(position + 1);
                let is_other = self.emit.compare(CompareOp::Ne, param, this);
                self.emit.push(InstrKind::Assume { condition: is_other });
            }
        }
        // Compilers see to it that an object of an inner class gets the object around it.
        let file = self.cx.reached.world.info(self.method.class).class();
        let has_outer = file.is_some_and(|file| {
            // Not those of methods, where what comes first may be a variable that is used.
            let is_member = file.nested_name.is_some();
            let is_inner = file.nested_access.is_some_and(|access| !access.is_static());
            (is_member && is_inner) || file.fields.iter().any(|it| it.name.starts_with("this$"))
        });
        if has_outer && matches!(self.signature.params.first(), Some(Type::Ref(_))) {
            let outer = self.emit.param(1);
            let is_null = self.emit.is_null(outer);
            let condition = self.emit.not(is_null);
            self.emit.push(InstrKind::Assume { condition });
        }
        let mut above = Some(self.method.class);
        while let Some(class) = above {
            let info = self.cx.reached.world.info(class);
            above = info.superclass;
            // The program does not look into it.
            if self.cx.reached.stands_aside(class) {
                continue;
            }
            let Some(file) = info.class().map(Rc::clone) else { continue };
            for (index, field) in (0u32..).zip(&file.fields) {
                let offset = self.cx.layouts.offset(FieldRef { class, index });
                let (Some(offset), Some(ty)) = (offset, Type::parse(&field.descriptor)) else {
                    continue;
                };
                let value = self.emit.load(ty.ty(), this, offset);
                let is_empty = match ty.ty() {
                    Ty::Ptr => self.emit.is_null(value),
                    ty @ Ty::Int(_) => self.emit.compare(CompareOp::Eq, value, zero(ty)),
                    ty @ Ty::Float(_) => {
                        let op = FloatCompareOp::Eq;
                        let rhs = zero(ty);
                        self.emit.value(PureOp::FloatCompare { op, lhs: value, rhs }, Ty::BOOL)
                    }
                };
                self.emit.push(InstrKind::Assume { condition: is_empty });
            }
        }
    }

    /// Whether a reference is not null and of a type; `None` when the type is not there.
    fn is_of_type(&mut self, object: Operand, name: &str) -> Option<Operand> {
        let ty = self.cx.reached.world.known(name)?;
        let is_null = self.emit.is_null(object);
        let not_null = self.emit.not(is_null);
        if self.cx.layouts.is_everything(&self.cx.reached.world, ty) {
            return Some(not_null);
        }
        let number = self.cx.layouts.number(ty);
        let asked = self.cx.asked_types.entry(self.function).or_default();
        if !asked.contains(&number) {
            asked.push(number);
        }
        let ranges = self.cx.subtypes(ty);
        if ranges.is_empty() {
            // Of the classes that are loaded, none is.
            self.cx.open_tests.insert(self.function);
            return Some(Operand::Int(Bits::new(0, 1)));
        }
        let (look, join) = (self.emit.new_block(), self.emit.new_block());
        let result = self.emit.builder.block_param(join, Ty::BOOL);
        self.emit.builder.terminate(glassbox_ir::Terminator::Branch {
            condition: is_null,
            if_true: glassbox_ir::Target { block: join, args: vec![Operand::Int(Bits::new(0, 1))] },
            if_false: glassbox_ir::Target::new(look),
            origin: None,
        });
        self.emit.switch_to(look);
        let class = self.emit.class_number(object);
        let is_in = self.emit.in_ranges(class, &ranges);
        self.emit.builder.jump(join, vec![is_in]);
        self.emit.switch_to(join);
        Some(Operand::Value(result))
    }

    pub(super) fn instance_of(&mut self, name: &str) -> Result<(), Malformed> {
        let object = self.pop_entry(Kind::Ref)?;
        let Some(is_it) = self.is_of_type(object.value, name) else {
            let what = format!("class {}, which is not there", name.replace('/', "."));
            return self.push_unsupported(&what, Kind::Int);
        };
        let value = self.emit.cast(CastOp::ZeroExtend, is_it, Ty::I32);
        let simple = name.rsplit(['/', '$']).next().unwrap_or(name).to_owned();
        let text = object.text.map(|text| format!("({text} instanceof {simple})").into());
        self.push_text(Kind::Int, value, text);
        Ok(())
    }

    pub(super) fn check_cast(&mut self, name: &str) -> Result<(), Malformed> {
        let object = self.pop_entry(Kind::Ref)?;
        let Some(ty) = self.cx.reached.world.known(name) else {
            let what = format!("class {}, which is not there", name.replace('/', "."));
            return self.push_unsupported(&what, Kind::Ref);
        };
        let everything = self.cx.layouts.is_everything(&self.cx.reached.world, ty);
        if object.value != Operand::NullPtr && !everything {
            let is_null = self.emit.is_null(object.value);
            let is_it = self.is_of_type(object.value, name).expect("the type is there");
            let is_fit = self.emit.binary(BinaryOp::Or, is_null, is_it);
            let is_wrong = self.emit.not(is_fit);
            self.throw_if(is_wrong, Thrower::ClassCast, Vec::new())?;
        }
        self.stack.push(object);
        Ok(())
    }
}
