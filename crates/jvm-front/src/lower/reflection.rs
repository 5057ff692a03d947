//! Code of the few questions about classes that ordinary library code asks: the constants of an enum, the
//! class above, where a field lies.

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{Body, Operand, Span, SwitchCase, Target, Terminator, Ty};
use glassbox_values::Bits;

use super::context::Lowering;
use super::emit::{Emit, int, long, number};
use crate::world::{FieldRef, TypeRef};

impl Lowering {
    /// Ends the current block with a switch on a class number; each type has its block, which `fill` ends.
    fn by_class(
        &mut self,
        emit: &mut Emit,
        class_number: Operand,
        types: &[TypeRef],
        mut fill: impl FnMut(&mut Lowering, &mut Emit, TypeRef),
        what: &str,
    ) {
        let start = emit.builder.current();
        let mut cases = Vec::new();
        for &ty in types {
            let block = emit.new_block();
            let bits = Bits::new(self.layouts.number(ty).into(), 32);
            let (target, span) = (Target::new(block), Span::nowhere());
            cases.push(SwitchCase { low: bits, high: bits, target, span });
            emit.switch_to(block);
            fill(self, emit, ty);
        }
        cases.sort_by_key(|case| case.low.unsigned());
        let other = emit.new_block();
        emit.switch_to(other);
        emit.unsupported(what, None);
        emit.builder.terminate(Terminator::Unreachable);
        emit.switch_to(start);
        let default = Target::new(other);
        emit.builder.terminate(Terminator::Switch { value: class_number, cases, default });
    }

    /// Types that have a number.
    fn numbered(&self) -> Vec<TypeRef> {
        self.layouts.by_number.iter().flatten().copied().collect()
    }

    /// The constants of the enum that a class object stands for, in a new array.
    pub(super) fn enum_constants(&mut self, mut emit: Emit) -> Body {
        let class_object = emit.param(0);
        let at = self.class_object_number_at();
        let class_number = emit.load(Ty::I32, class_object, at);
        let mut types = self.numbered();
        types.retain(|&ty| self.enum_values(ty).is_some());
        let fill = |cx: &mut Lowering, emit: &mut Emit, ty: TypeRef| {
            if let Some((guard, state)) = cx.guard(ty) {
                let done = emit.load_global(Ty::I32, state);
                let is_done = emit.compare(CompareOp::Eq, done, int(2));
                let (run, go) = (emit.new_block(), emit.new_block());
                emit.branch(is_done, go, run, None);
                emit.switch_to(run);
                let _: Option<Operand> = emit.call(guard, Vec::new(), None);
                emit.jump(go);
                emit.switch_to(go);
            }
            let values = cx.enum_values(ty).and_then(|values| cx.function(values));
            let array = match values {
                Some(values) => emit.call(values, Vec::new(), Some(Ty::Ptr)),
                None => emit.unsupported("constants of an enum", Some(Ty::Ptr)),
            };
            emit.ret(array);
        };
        self.by_class(&mut emit, class_number, &types, fill, "constants of this enum");
        emit.builder.finish()
    }

    fn enum_values(&self, ty: TypeRef) -> Option<crate::world::MethodRef> {
        self.reached.enum_values(ty).filter(|&method| self.function(method).is_some())
    }

    /// `Class.getSuperclass()`.
    pub(super) fn superclass(&mut self, mut emit: Emit) -> Body {
        let this = emit.param(0);
        let at = self.class_object_number_at();
        let class_number = emit.load(Ty::I32, this, at);
        let mut types = self.numbered();
        types.retain(|&ty| self.reached.world.info(ty).class().is_some());
        let fill = |cx: &mut Lowering, emit: &mut Emit, ty: TypeRef| {
            let is_interface = cx.reached.world.is_interface(ty);
            let above = cx.reached.world.info(ty).superclass.filter(|_| !is_interface);
            let object = match above {
                Some(above) => Operand::Global(cx.class_object(above)),
                None => Operand::NullPtr,
            };
            emit.ret(Some(object));
        };
        self.by_class(&mut emit, class_number, &types, fill, "the superclass of an array");
        emit.builder.finish()
    }

    /// `Unsafe.objectFieldOffset(class, name)`, for classes that hold an `Unsafe`. Names are constants, which
    /// are the same objects wherever the program writes them.
    pub(super) fn field_offset_of(&mut self, mut emit: Emit) -> Body {
        let (class_object, name) = (emit.param(1), emit.param(2));
        let at = self.class_object_number_at();
        let class_number = emit.load(Ty::I32, class_object, at);
        let mut types = self.numbered();
        types.retain(|&ty| {
            let class = self.reached.world.info(ty).class();
            class.is_some_and(|class| {
                class.fields.iter().any(|field| &*field.descriptor == "Ljdk/internal/misc/Unsafe;")
            })
        });
        let fill = |cx: &mut Lowering, emit: &mut Emit, ty: TypeRef| {
            let Some(class) = cx.reached.world.info(ty).class().cloned() else { return };
            for (index, field) in (0u32..).zip(&class.fields) {
                let Some(offset) = cx.layouts.offset(FieldRef { class: ty, index }) else {
                    continue;
                };
                let text: Vec<u16> = field.name.encode_utf16().collect();
                let constant = Operand::Global(cx.string(&text.into()));
                let is_it = emit.same(name, constant);
                let (yes, no) = (emit.new_block(), emit.new_block());
                emit.branch(is_it, yes, no, None);
                emit.switch_to(yes);
                emit.ret(Some(long(i64::try_from(offset).unwrap_or(0))));
                emit.switch_to(no);
            }
            emit.unsupported("the place of a field that is not there", None);
            emit.builder.terminate(Terminator::Unreachable);
        };
        self.by_class(&mut emit, class_number, &types, fill, "the place of a field");
        emit.builder.finish()
    }

    /// Copies references one by one into an array that not all of them may fit.
    pub(super) fn copy_one_by_one(
        &mut self,
        emit: &mut Emit,
        [src, src_at, dst, dst_at, length]: [Operand; 5],
        refuse: impl FnOnce(&mut Lowering, &mut Emit),
    ) {
        use glassbox_ir::instr::{BinaryOp, CastOp};
        use glassbox_ir::object_layout::CONTENTS;
        let storable = self.storable();
        let (head, body) = (emit.new_block(), emit.new_block());
        let (good, bad, end) = (emit.new_block(), emit.new_block(), emit.new_block());
        let index = Operand::Value(emit.builder.block_param(head, Ty::I32));
        emit.builder.jump(head, vec![number(0)]);
        emit.switch_to(head);
        let goes_on = emit.compare(CompareOp::Slt, index, length);
        emit.branch(goes_on, body, end, None);
        emit.switch_to(end);
        emit.ret(None);
        emit.switch_to(body);
        let place = |emit: &mut Emit, array: Operand, at: Operand| {
            let position = emit.binary(BinaryOp::Add, at, index);
            let wide = emit.cast(CastOp::SignExtend, position, Ty::I64);
            let offset = emit.binary(BinaryOp::Shl, wide, long(3));
            let elements = emit.at(array, CONTENTS);
            emit.at_dynamic(elements, offset)
        };
        let from = place(emit, src, src_at);
        let value = emit.load(Ty::Ptr, from, 0);
        let fits = emit.call(storable, vec![dst, value], Some(Ty::BOOL)).expect("a truth value");
        emit.branch(fits, good, bad, None);
        emit.switch_to(bad);
        refuse(self, emit);
        emit.ret(None);
        emit.switch_to(good);
        let to = place(emit, dst, dst_at);
        emit.store(to, 0, value);
        let next = emit.binary(BinaryOp::Add, index, int(1));
        emit.builder.jump(head, vec![next]);
    }
}
