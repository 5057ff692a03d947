//! Code of methods that the JDK leaves to the machine.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatClassifyOp};
use glassbox_ir::object_layout::{ARRAY_LENGTH, CONTENTS, IDENTITY_HASH};
use glassbox_ir::{BlockId, Body, FuncId, MemoryOp, Operand, PointerOp, PureOp, Target, Ty};
use glassbox_library::environment::JavaAssertions;
use glassbox_values::Bits;

use super::context::Lowering;
use super::emit::{Emit, int, long, number, zero};
use crate::classpath::Owner;
use crate::descriptor::Type;
use crate::library::{Intrinsic, Thrower, UnsafeAccess};
use crate::world::{Shape, TypeInfo, TypeRef};

impl Lowering {
    /// The body of a modeled method.
    pub(super) fn intrinsic_body(&mut self, function: FuncId, intrinsic: Intrinsic) -> Body {
        let declared = self.program.function(function);
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let result = declared.result.direct();
        let mut emit = Emit::new(&types);
        let value = match intrinsic {
            Intrinsic::Zero => result.map(zero),
            Intrinsic::Notify => {
                self.handlers.unmade.insert(function);
                None
            }
            Intrinsic::One => result.map(|ty| match ty {
                Ty::Int(width) => Operand::Int(Bits::new(1, width)),
                Ty::Float(_) | Ty::Ptr => zero(ty),
            }),
            Intrinsic::AssertionStatus => Some(self.assertion_status(&mut emit)),
            Intrinsic::LanguageAccess | Intrinsic::CollectionAccess => {
                let class = self.reached.access_class(intrinsic);
                let class = class.or_else(|| self.reached.world.known("java/lang/Object"));
                let size = class.map_or(CONTENTS, |class| self.layouts.size(class));
                let class = class.map_or(0, |class| self.layouts.number(class));
                Some(emit.new_object(class, size))
            }
            Intrinsic::Opaque => {
                let object = self.reached.world.known("java/lang/Object");
                let class = object.map_or(0, |object| self.layouts.number(object));
                Some(emit.new_object(class, CONTENTS))
            }
            Intrinsic::First => Some(emit.param(0)),
            Intrinsic::ArrayCopy => return self.array_copy(emit),
            Intrinsic::IdentityHash => Some(self.identity_hash(&mut emit)),
            Intrinsic::GetClass => {
                let this = emit.param(0);
                let class = emit.class_number(this);
                let class = emit.cast(CastOp::ZeroExtend, class, Ty::I64);
                let offset = emit.binary(BinaryOp::Shl, class, long(3));
                let table = Operand::Global(self.class_table());
                let place = emit.at_dynamic(table, offset);
                Some(emit.load(Ty::Ptr, place, 0))
            }
            Intrinsic::Clone => return self.clone_object(emit),
            Intrinsic::Reinterpret => {
                let arg = emit.param(0);
                result.map(|ty| emit.cast(CastOp::Reinterpret, arg, ty))
            }
            Intrinsic::BitsOfOneNan => {
                let arg = emit.param(0);
                let ty = emit.ty(arg);
                let is_nan = PureOp::FloatClassify { op: FloatClassifyOp::IsNan, arg };
                let is_nan = emit.value(is_nan, Ty::BOOL);
                let number = emit.select(is_nan, zero(ty), arg);
                let (to, nan) = match ty {
                    Ty::Float(format) if format.width() == 32 => (Ty::I32, int(0x7fc0_0000)),
                    Ty::Float(_) | Ty::Int(_) | Ty::Ptr => (Ty::I64, long(0x7ff8_0000_0000_0000)),
                };
                let bits = emit.cast(CastOp::Reinterpret, number, to);
                Some(emit.select(is_nan, nan, bits))
            }
            Intrinsic::FloatUnary(op) => {
                let arg = emit.param(0);
                let ty = emit.ty(arg);
                Some(emit.value(PureOp::FloatUnary { op, arg }, ty))
            }
            Intrinsic::FloatBinary(op) => {
                let (lhs, rhs) = (emit.param(0), emit.param(1));
                let ty = emit.ty(lhs);
                Some(emit.value(PureOp::FloatBinary { op, lhs, rhs }, ty))
            }
            Intrinsic::Fma => {
                let (x, y, z) = (emit.param(0), emit.param(1), emit.param(2));
                let ty = emit.ty(x);
                Some(emit.value(PureOp::FloatFma { x, y, z }, ty))
            }
            Intrinsic::SystemInit => {
                self.system_init(&mut emit);
                None
            }
            // Made by class.
            Intrinsic::OwnConstants => None,
            Intrinsic::IsArray => Some(self.is_array(&mut emit)),
            Intrinsic::IsPrimitive => {
                let at = self.class_object_number_at();
                let this = emit.param(0);
                let number = emit.load(Ty::I32, this, at);
                Some(emit.compare(CompareOp::Eq, number, int(0)))
            }
            Intrinsic::PrimitiveClass => return self.primitive_class(emit),
            Intrinsic::NewArray => return self.new_array_of_class(emit),
            Intrinsic::EnumConstants => return self.enum_constants(emit),
            Intrinsic::Superclass => return self.superclass(emit),
            Intrinsic::FieldOffset => return self.field_offset_of(emit),
            Intrinsic::Unsafe(access) => self.unsafe_access(&mut emit, access, result),
        };
        emit.ret(if result.is_some() { value } else { None });
        emit.builder.finish()
    }

    /// Throws and leaves when the condition holds.
    fn leave_if(
        &mut self,
        emit: &mut Emit,
        condition: Operand,
        thrower: Thrower,
        result: Option<Operand>,
    ) {
        let (bad, good) = (emit.new_block(), emit.new_block());
        emit.branch(condition, bad, good, None);
        emit.switch_to(bad);
        if let Some(function) = self.thrower(thrower) {
            let n_params = self.program.function(function).params.len();
            emit.call(function, vec![int(0); n_params], None);
        }
        emit.ret(result);
        emit.switch_to(good);
    }

    /// `System.arraycopy(src, srcPos, dst, dstPos, length)`.
    fn array_copy(&mut self, mut emit: Emit) -> Body {
        let (src, src_at) = (emit.param(0), emit.param(1));
        let (dst, dst_at, length) = (emit.param(2), emit.param(3), emit.param(4));
        for array in [src, dst] {
            let is_null = emit.is_null(array);
            self.leave_if(&mut emit, is_null, Thrower::NullPointer, None);
        }
        let src_class = emit.class_number(src);
        let dst_class = emit.class_number(dst);
        // Element sizes by class; 0 where the source is no array.
        let sizes = self.array_sizes();
        let shift = emit.new_block();
        let shift_value = Operand::Value(emit.builder.block_param(shift, Ty::I32));
        let no_array = emit.new_block();
        let cases = sizes.iter().map(|&(class, size)| glassbox_ir::SwitchCase {
            low: Bits::new(class.into(), 32),
            high: Bits::new(class.into(), 32),
            target: Target { block: shift, args: vec![int(size.trailing_zeros().cast_signed())] },
            span: glassbox_ir::Span::nowhere(),
        });
        let cases = cases.collect();
        let default = Target::new(no_array);
        let switch = glassbox_ir::Terminator::Switch { value: src_class, cases, default };
        emit.builder.terminate(switch);
        emit.switch_to(no_array);
        if let Some(function) = self.thrower(Thrower::ArrayStore) {
            emit.call(function, Vec::new(), None);
        }
        emit.ret(None);

        emit.switch_to(shift);
        let narrower = self.check_element_types(&mut emit, src_class, dst_class);
        self.check_range(&mut emit, src, src_at, length);
        self.check_range(&mut emit, dst, dst_at, length);
        let bytes = |emit: &mut Emit, count: Operand| {
            let wide = emit.cast(CastOp::SignExtend, count, Ty::I64);
            let shift = emit.cast(CastOp::ZeroExtend, shift_value, Ty::I64);
            emit.binary(BinaryOp::Shl, wide, shift)
        };
        let (from_at, to_at) = (bytes(&mut emit, src_at), bytes(&mut emit, dst_at));
        let len = bytes(&mut emit, length);
        let from = emit.at(src, CONTENTS);
        let from = emit.at_dynamic(from, from_at);
        let to = emit.at(dst, CONTENTS);
        let to = emit.at_dynamic(to, to_at);
        emit.push(MemoryOp::Copy { dst: to, src: from, len, is_volatile: false });
        emit.ret(None);
        emit.switch_to(narrower);
        self.check_range(&mut emit, src, src_at, length);
        self.check_range(&mut emit, dst, dst_at, length);
        let args = [src, src_at, dst, dst_at, length];
        self.copy_one_by_one(&mut emit, args, |cx, emit| {
            if let Some(function) = cx.thrower(Thrower::ArrayStore) {
                emit.call(function, Vec::new(), None);
            }
        });
        emit.builder.finish()
    }

    /// Array types that objects have, with their element sizes.
    fn array_sizes(&self) -> Vec<(u32, u64)> {
        let mut sizes = Vec::new();
        for &(class, ty) in self.layouts.instantiated() {
            if let Shape::Array(element) = &self.reached.world.info(ty).shape {
                sizes.push((class, element.size()));
            }
        }
        sizes
    }

    /// Equal types, or both arrays of references. The block that comes with it is for copies into a narrower
    /// type, where every reference has to be looked at.
    fn check_element_types(&mut self, emit: &mut Emit, src: Operand, dst: Operand) -> BlockId {
        let (differ, fine) = (emit.new_block(), emit.new_block());
        let is_same = emit.compare(CompareOp::Eq, src, dst);
        emit.branch(is_same, fine, differ, None);
        emit.switch_to(differ);
        let mut ref_arrays: Vec<(u32, TypeRef)> = Vec::new();
        for &(class, ty) in self.layouts.instantiated() {
            if let Shape::Array(Type::Ref(_)) = &self.reached.world.info(ty).shape {
                ref_arrays.push((class, ty));
            }
        }
        let ranges: Vec<(u32, u32)> = ref_arrays.iter().map(|&(class, _)| (class, class)).collect();
        let src_refs = emit.in_ranges(src, &ranges);
        let dst_refs = emit.in_ranges(dst, &ranges);
        let both = emit.binary(BinaryOp::And, src_refs, dst_refs);
        let wrong = emit.not(both);
        self.leave_if(emit, wrong, Thrower::ArrayStore, None);
        // Pairs where the source's elements are the destination's.
        let mut fits: Option<Operand> = None;
        for &(class, ty) in &ref_arrays {
            let below: Vec<(u32, u32)> = ref_arrays
                .iter()
                .filter(|&&(_, other)| self.reached.world.is_subtype(other, ty))
                .map(|&(other, _)| (other, other))
                .collect();
            let is_dst = emit.compare(CompareOp::Eq, dst, number(class));
            let is_below = emit.in_ranges(src, &below);
            let pair = emit.binary(BinaryOp::And, is_dst, is_below);
            fits = Some(match fits {
                None => pair,
                Some(before) => emit.binary(BinaryOp::Or, before, pair),
            });
        }
        let stop = emit.new_block();
        match fits {
            Some(fits) => emit.branch(fits, fine, stop, None),
            None => emit.jump(stop),
        }
        emit.switch_to(fine);
        stop
    }

    fn check_range(&mut self, emit: &mut Emit, array: Operand, at: Operand, length: Operand) {
        let total = emit.load(Ty::I32, array, ARRAY_LENGTH);
        let at_negative = emit.compare(CompareOp::Slt, at, int(0));
        let length_negative = emit.compare(CompareOp::Slt, length, int(0));
        let end = emit.binary(BinaryOp::Add, at, length);
        // Both are not negative here, so the unsigned sum is exact.
        let beyond = emit.compare(CompareOp::Ult, total, end);
        let bad = emit.binary(BinaryOp::Or, at_negative, length_negative);
        let bad = emit.binary(BinaryOp::Or, bad, beyond);
        self.leave_if(emit, bad, Thrower::ArrayCopy, None);
    }

    /// Hashes count up from 1 in the order in which they are first used. Arrays, whose header holds their
    /// length, all have 1.
    fn identity_hash(&mut self, emit: &mut Emit) -> Operand {
        let object = emit.param(0);
        let counter = self.hash_counter();
        let arrays: Vec<(u32, u32)> =
            self.array_sizes().into_iter().map(|(class, _)| (class, class)).collect();
        let end = emit.new_block();
        let hash = Operand::Value(emit.builder.block_param(end, Ty::I32));
        let go = |emit: &mut Emit, condition: Operand, value: Operand, other: BlockId| {
            emit.builder.terminate(glassbox_ir::Terminator::Branch {
                condition,
                if_true: Target { block: end, args: vec![value] },
                if_false: Target::new(other),
                origin: None,
            });
            emit.switch_to(other);
        };
        let (is_null, next) = (emit.is_null(object), emit.new_block());
        go(emit, is_null, int(0), next);
        let class = emit.class_number(object);
        let (is_array, next) = (emit.in_ranges(class, &arrays), emit.new_block());
        go(emit, is_array, int(1), next);
        let known = emit.load(Ty::I32, object, IDENTITY_HASH);
        let has_one = emit.compare(CompareOp::Ne, known, int(0));
        let next = emit.new_block();
        go(emit, has_one, known, next);
        let last = emit.load_global(Ty::I32, counter);
        let new = emit.binary(BinaryOp::Add, last, int(1));
        emit.store_global(counter, new);
        emit.store(object, IDENTITY_HASH, new);
        emit.builder.jump(end, vec![new]);
        emit.switch_to(end);
        hash
    }

    fn clone_object(&mut self, mut emit: Emit) -> Body {
        let object = emit.param(0);
        let class = emit.class_number(object);
        let ranges = match self.reached.world.known("java/lang/Cloneable") {
            Some(cloneable) => self.subtypes(cloneable),
            None => Vec::new(),
        };
        let may = emit.in_ranges(class, &ranges);
        let wrong = emit.not(may);
        self.leave_if(&mut emit, wrong, Thrower::CloneNotSupported, Some(Operand::NullPtr));
        let size = emit.value(PointerOp::ObjectSize { ptr: object }, Ty::I64);
        let copy = emit.allocate(size);
        emit.push(MemoryOp::Copy { dst: copy, src: object, len: size, is_volatile: false });
        let arrays: Vec<(u32, u32)> =
            self.array_sizes().into_iter().map(|(class, _)| (class, class)).collect();
        let is_array = emit.in_ranges(class, &arrays);
        let header = emit.load(Ty::I32, copy, ARRAY_LENGTH);
        let kept = emit.select(is_array, header, int(0));
        emit.store(copy, IDENTITY_HASH, kept);
        emit.ret(Some(copy));
        emit.builder.finish()
    }

    /// Streams without insides: their methods are models.
    fn system_init(&mut self, emit: &mut Emit) {
        let world = &mut self.reached.world;
        let (Ok(system), Ok(stream)) =
            (world.load("java/lang/System"), world.load("java/io/PrintStream"))
        else {
            return;
        };
        for name in ["out", "err"] {
            let field = self.reached.world.find_field(system, name, "Ljava/io/PrintStream;");
            if let Some(field) = field {
                let global = self.static_field(field);
                let (class, size) = (self.layouts.number(stream), self.layouts.size(stream));
                let object = emit.new_object(class, size);
                emit.store_global(global, object);
            }
        }
    }

    fn is_array(&mut self, emit: &mut Emit) -> Operand {
        self.is_class_where(emit, |info| matches!(info.shape, Shape::Array(_)))
    }

    /// `Class.desiredAssertionStatus()`: the JVM's switch is about the classes of the program only.
    fn assertion_status(&mut self, emit: &mut Emit) -> Operand {
        let is_checked = self.reached.options.assertions == JavaAssertions::Checked;
        self.is_class_where(emit, |info| is_checked && info.owner == Owner::User)
    }

    /// Whether `this`, a class object, is that of a type like this.
    fn is_class_where(
        &mut self,
        emit: &mut Emit,
        is_wanted: impl Fn(&TypeInfo) -> bool,
    ) -> Operand {
        let this = emit.param(0);
        let class = self.reached.world.known("java/lang/Class");
        let Some(class) = class else { return zero(Ty::BOOL) };
        let number = emit.load(Ty::I32, this, self.layouts.class_number_offset(class));
        let world = &self.reached.world;
        let wanted = self.layouts.by_number.iter().enumerate().filter_map(|(number, ty)| {
            let number = u32::try_from(number).ok()?;
            is_wanted(world.info((*ty)?)).then_some((number, number))
        });
        let wanted: Vec<(u32, u32)> = wanted.collect();
        emit.in_ranges(number, &wanted)
    }

    pub(super) fn class_object_number_at(&self) -> u64 {
        let class = self.reached.world.known("java/lang/Class");
        class.map_or(0, |class| self.layouts.class_number_offset(class))
    }

    /// `Class.getPrimitiveClass(name)`: length and first letter distinguish the names.
    fn primitive_class(&mut self, mut emit: Emit) -> Body {
        let name = emit.param(0);
        let string = self.reached.world.known("java/lang/String");
        let value_at = string.and_then(|string| {
            let world = &self.reached.world;
            let bytes = world.find_field(string, "value", "[B");
            self.layouts.offset(bytes.or_else(|| world.find_field(string, "value", "[C"))?)
        });
        let value = emit.load(Ty::Ptr, name, value_at.unwrap_or(CONTENTS));
        let length = emit.load(Ty::I32, value, ARRAY_LENGTH);
        let first = emit.load(Ty::I8, value, CONTENTS);
        let first = emit.cast(CastOp::ZeroExtend, first, Ty::I32);
        let shifted = emit.binary(BinaryOp::Shl, length, int(8));
        let key = emit.binary(BinaryOp::Or, shifted, first);
        let mut cases = Vec::new();
        let start = emit.builder.current();
        for prim in crate::descriptor::Prim::ALL.into_iter().map(Some).chain([None]) {
            let text = prim.map_or("void", crate::descriptor::Prim::name);
            let bits = Bits::new((text.len() << 8) as u128 | u128::from(text.as_bytes()[0]), 32);
            let block = emit.new_block();
            emit.switch_to(block);
            let object = self.prim_object(prim);
            emit.ret(Some(Operand::Global(object)));
            let (target, span) = (Target::new(block), glassbox_ir::Span::nowhere());
            cases.push(glassbox_ir::SwitchCase { low: bits, high: bits, target, span });
        }
        let other = emit.new_block();
        emit.switch_to(other);
        emit.ret(Some(Operand::NullPtr));
        emit.switch_to(start);
        let default = Target::new(other);
        emit.builder.terminate(glassbox_ir::Terminator::Switch { value: key, cases, default });
        emit.builder.finish()
    }

    /// `Array.newArray(componentType, length)`, for types whose arrays are known.
    fn new_array_of_class(&mut self, mut emit: Emit) -> Body {
        let (class_object, length) = (emit.param(0), emit.param(1));
        let null = Some(Operand::NullPtr);
        let is_null = emit.is_null(class_object);
        self.leave_if(&mut emit, is_null, Thrower::NullPointer, null);
        let is_negative = emit.compare(CompareOp::Slt, length, int(0));
        self.leave_if(&mut emit, is_negative, Thrower::NegativeArraySize, null);
        let at = self.class_object_number_at() + 4;
        let array_class = emit.load(Ty::I32, class_object, at);
        let (known, unknown) = (emit.new_block(), emit.new_block());
        let is_known = emit.compare(CompareOp::Ne, array_class, int(0));
        emit.branch(is_known, known, unknown, None);
        emit.switch_to(unknown);
        emit.unsupported("an array of a type that the program never names", None);
        emit.ret(null);
        emit.switch_to(known);
        let element = self.element_size(&mut emit, array_class);
        let element = emit.cast(CastOp::ZeroExtend, element, Ty::I64);
        let wide = emit.cast(CastOp::SignExtend, length, Ty::I64);
        let bytes = emit.binary(BinaryOp::Mul, wide, element);
        let size = emit.binary(BinaryOp::Add, bytes, long(8));
        let array = emit.allocate(size);
        let is_null = emit.is_null(array);
        self.leave_if(&mut emit, is_null, Thrower::OutOfMemory, null);
        emit.store(array, 0, array_class);
        emit.store(array, ARRAY_LENGTH, length);
        emit.ret(Some(array));
        emit.builder.finish()
    }

    /// The size of the elements of an array class, given its class object.
    fn index_scale(&mut self, emit: &mut Emit) -> Operand {
        let class_object = emit.param(1);
        let at = self.class_object_number_at();
        let found = emit.load(Ty::I32, class_object, at);
        self.element_size(emit, found)
    }

    /// The size of the elements of arrays with this class number.
    fn element_size(&mut self, emit: &mut Emit, found: Operand) -> Operand {
        let mut scale = int(8);
        for (position, ty) in (0u32..).zip(self.layouts.by_number.clone()) {
            let Some(ty) = ty else { continue };
            if let Shape::Array(element) = &self.reached.world.info(ty).shape
                && element.size() != 8
            {
                let is_it = emit.compare(CompareOp::Eq, found, number(position));
                let size = int(i32::try_from(element.size()).unwrap_or(8));
                scale = emit.select(is_it, size, scale);
            }
        }
        scale
    }

    /// Memory behind an object and an offset.
    fn unsafe_access(
        &mut self,
        emit: &mut Emit,
        access: UnsafeAccess,
        result: Option<Ty>,
    ) -> Option<Operand> {
        if access == UnsafeAccess::ArrayBase {
            return Some(int(i32::try_from(CONTENTS).unwrap_or(8)));
        }
        if access == UnsafeAccess::ArrayScale {
            return Some(self.index_scale(emit));
        }
        let (object, offset) = (emit.param(1), emit.param(2));
        let place = emit.at_dynamic(object, offset);
        if let UnsafeAccess::Get { is_volatile } = access {
            return result.map(|ty| emit.load_from(ty, place, 0, is_volatile));
        }
        if access == UnsafeAccess::Put {
            let value = emit.param(3);
            emit.store(place, 0, value);
            return None;
        }
        let (expected, new) = (emit.param(3), emit.param(4));
        let ty = emit.ty(expected);
        let found = emit.load_from(ty, place, 0, true);
        let is_same = match ty {
            Ty::Ptr => emit.same(found, expected),
            Ty::Int(_) => emit.compare(CompareOp::Eq, found, expected),
            // Bits are compared, not numbers.
            Ty::Float(_) => {
                let bits = Ty::Int(
                    u8::try_from(ty.size(glassbox_ir::PointerSize::Eight) * 8).unwrap_or(64),
                );
                let found = emit.cast(CastOp::Reinterpret, found, bits);
                let expected = emit.cast(CastOp::Reinterpret, expected, bits);
                emit.compare(CompareOp::Eq, found, expected)
            }
        };
        let value = emit.select(is_same, new, found);
        emit.store(place, 0, value);
        Some(is_same)
    }
}
