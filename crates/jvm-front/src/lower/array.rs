//! Arrays: making, reading, writing.

use std::rc::Rc;

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp};
use glassbox_ir::object_layout::{ARRAY_LENGTH, CONTENTS};
use glassbox_ir::{Operand, Ty};

use super::emit::{Emit, int, long, number};
use super::method::{Entry, Fact, Malformed, MethodLowering};
use crate::classfile::insn::Element;
use crate::descriptor::{Kind, Prim, Type};
use crate::library::Thrower;
use crate::world::Shape;

/// The type of an element on the stack and in memory.
fn element_type(element: Element) -> Type {
    match element {
        Element::Byte => Type::Prim(Prim::Byte),
        Element::Char => Type::Prim(Prim::Char),
        Element::Short => Type::Prim(Prim::Short),
        Element::Int => Type::Prim(Prim::Int),
        Element::Long => Type::Prim(Prim::Long),
        Element::Float => Type::Prim(Prim::Float),
        Element::Double => Type::Prim(Prim::Double),
        Element::Ref => Type::Ref("java/lang/Object".into()),
    }
}

/// Bytes of an array with `length` elements of `size` bytes (`Int(64)`).
pub(super) fn array_size(emit: &mut Emit, length: Operand, size: u64) -> Operand {
    let length = emit.cast(CastOp::SignExtend, length, Ty::I64);
    let scaled = scale(emit, length, size);
    emit.binary(BinaryOp::Add, scaled, long(i64::try_from(CONTENTS).unwrap_or(8)))
}

/// A count of elements in bytes.
pub(super) fn scale(emit: &mut Emit, count: Operand, size: u64) -> Operand {
    if size == 1 {
        return count;
    }
    emit.binary(BinaryOp::Shl, count, long(i64::from(size.trailing_zeros())))
}

impl MethodLowering<'_> {
    pub(super) fn array_length(&mut self) -> Result<(), Malformed> {
        let array = self.pop_entry(Kind::Ref)?;
        self.check_null(&array)?;
        let length = self.emit.load(Ty::I32, array.value, ARRAY_LENGTH);
        let text = array.text.map(|text| format!("{text}.length").into());
        self.push_text(Kind::Int, length, text);
        Ok(())
    }

    /// The address of an element; throws for null and for indices out of bounds.
    fn element(
        &mut self,
        array: &Entry,
        index: &Entry,
        element: &Type,
    ) -> Result<Operand, Malformed> {
        self.check_null(array)?;
        let length = self.emit.load(Ty::I32, array.value, ARRAY_LENGTH);
        let is_out = self.emit.compare(CompareOp::Ule, length, index.value);
        self.throw_if(is_out, Thrower::ArrayIndex, vec![index.value, length])?;
        let index = self.emit.cast(CastOp::SignExtend, index.value, Ty::I64);
        let offset = scale(&mut self.emit, index, element.size());
        let elements = self.emit.at(array.value, CONTENTS);
        Ok(self.emit.at_dynamic(elements, offset))
    }

    pub(super) fn array_load(&mut self, element: Element) -> Result<(), Malformed> {
        let index = self.pop_entry(Kind::Int)?;
        let array = self.pop_entry(Kind::Ref)?;
        let ty = element_type(element);
        let address = self.element(&array, &index, &ty)?;
        let value = self.emit.load(ty.ty(), address, 0);
        let value = self.emit.widen(&ty, value);
        let text = match (&array.text, &index.text) {
            (Some(array), Some(index)) => Some(Rc::from(format!("{array}[{index}]"))),
            _ => None,
        };
        self.push_text(ty.kind(), value, text);
        Ok(())
    }

    pub(super) fn array_store(&mut self, element: Element) -> Result<(), Malformed> {
        let ty = element_type(element);
        let value = self.pop(ty.kind())?;
        let index = self.pop_entry(Kind::Int)?;
        let array = self.pop_entry(Kind::Ref)?;
        let address = self.element(&array, &index, &ty)?;
        if element == Element::Ref && value != Operand::NullPtr && !self.cx.all_storable() {
            let storable = self.cx.storable();
            let args = vec![array.value, value];
            let fits = self.emit.call(storable, args, Some(Ty::BOOL));
            let wrong = self.emit.not(fits.expect("a truth value"));
            self.throw_if(wrong, Thrower::ArrayStore, Vec::new())?;
        }
        let value = self.emit.narrow_to(&ty, value);
        self.emit.store(address, 0, value);
        Ok(())
    }

    pub(super) fn new_array(&mut self, name: &str) -> Result<(), Malformed> {
        let length = self.pop(Kind::Int)?;
        let Some(ty) = self.cx.reached.world.known(name) else {
            let what = format!("an array of type {name}, whose class is not there");
            return self.push_unsupported(&what, Kind::Ref);
        };
        let Shape::Array(element) = self.cx.reached.world.info(ty).shape.clone() else {
            return self.push_unsupported("an array of no array type", Kind::Ref);
        };
        if !matches!(length, Operand::Int(bits) if bits.signed() >= 0) {
            let is_negative = self.emit.compare(CompareOp::Slt, length, int(0));
            self.throw_if(is_negative, Thrower::NegativeArraySize, vec![length])?;
        }
        let size = array_size(&mut self.emit, length, element.size());
        let array = self.emit.allocate(size);
        self.check_memory(array)?;
        let class = self.cx.layouts.number(ty);
        self.emit.store(array, 0, number(class));
        self.emit.store(array, ARRAY_LENGTH, length);
        self.push_new(array);
        Ok(())
    }

    /// Arrays may be too large. That the engines' memory is limited is no outcome of the program.
    fn check_memory(&mut self, object: Operand) -> Result<(), Malformed> {
        let is_null = self.emit.is_null(object);
        let (bad, good) = (self.emit.new_block(), self.emit.new_block());
        self.emit.branch(is_null, bad, good, None);
        self.emit.switch_to(bad);
        self.throw_now(Thrower::OutOfMemory, Vec::new())?;
        self.emit.switch_to(good);
        Ok(())
    }

    pub(super) fn push_new(&mut self, object: Operand) {
        let entry = Entry { value: object, kind: Kind::Ref, text: None, fact: Fact::NotNull };
        self.stack.push(entry);
    }

    pub(super) fn new_multi_array(
        &mut self,
        name: &str,
        n_dimensions: u8,
    ) -> Result<(), Malformed> {
        let mut lengths = Vec::new();
        for _ in 0..n_dimensions {
            lengths.push(self.pop(Kind::Int)?);
        }
        lengths.reverse();
        let Some(ty) = self.cx.reached.world.known(name) else {
            let what = format!("an array of type {name}, whose class is not there");
            return self.push_unsupported(&what, Kind::Ref);
        };
        for &length in &lengths {
            let is_negative = self.emit.compare(CompareOp::Slt, length, int(0));
            self.throw_if(is_negative, Thrower::NegativeArraySize, vec![length])?;
        }
        let maker = self.cx.multi_array(ty, n_dimensions);
        let array = self.emit.call(maker, lengths, Some(Ty::Ptr)).expect("a reference");
        self.check_memory(array)?;
        self.push_new(array);
        Ok(())
    }
}
