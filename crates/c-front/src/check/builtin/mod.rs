//! Calls of `__builtin_*`, `__sync_*` and `__atomic_*`: folded, turned into library calls, or kept as
//! named operations.

mod atomic;
mod library;
mod overflow;

use glassbox_ir::PointerSize;
use glassbox_values::{Bits, Float, Format};

use super::Checker;
use crate::diagnostics::TypeProblem;
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    AddressBase, Builtin, Category, Constant, Conversion, CountBits, ExprId, ExprKind, FloatTest,
    Unsupported,
};
use crate::ty::kind::{IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

pub(crate) use library::is_known_function;

/// True for names that only the compiler can give a meaning.
pub(crate) fn is_builtin_name(text: &str) -> bool {
    text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_")
}

/// A call being resolved: the builtin's full name, its arguments as written, the place.
struct Request<'r> {
    name: &'r str,
    arguments: &'r [ExprId],
    span: Span,
}

/// How much of its object a pointer is known to point to.
enum Extent {
    /// Its start: so many bytes.
    Whole(u64),
    /// Somewhere in a known object.
    Part,
    Unknown,
}

impl Checker<'_> {
    /// A call of a builtin by name.
    pub(crate) fn builtin_call(&mut self, name: Name, arguments: &[ExprId], span: Span) -> ExprId {
        let text = self.name_text(name);
        let request = Request { name: &text, arguments, span };
        if let Some(operation) = text.strip_prefix("__sync_") {
            return self.sync_builtin(operation, &request);
        }
        if let Some(operation) = text.strip_prefix("__atomic_") {
            return self.atomic_builtin(operation, &request);
        }
        let short = text.strip_prefix("__builtin_").unwrap_or(&text);
        let resolved = self
            .folding_builtin(short, &request)
            .or_else(|| self.bit_builtin(short, &request))
            .or_else(|| self.overflow_builtin(short, &request))
            .or_else(|| self.float_builtin(short, &request))
            .or_else(|| self.control_builtin(short, &request))
            .or_else(|| self.library_builtin(short, &request));
        resolved.unwrap_or_else(|| {
            let what = Unsupported::Builtin(text.as_str().into());
            self.unsupported(what, TypeTable::ERROR, span)
        })
    }

    /// The `index`-th argument as a value, or a diagnostic.
    fn argument(&mut self, request: &Request<'_>, index: usize) -> Option<ExprId> {
        match request.arguments.get(index) {
            Some(&argument) => Some(self.real_value(argument)),
            None => {
                let (expected, found) = (index + 1, request.arguments.len());
                self.error(TypeProblem::TooFewArguments { expected, found }, request.span);
                None
            }
        }
    }

    fn bad_argument(&mut self, request: &Request<'_>, what: &'static str) -> ExprId {
        let builtin = request.name.to_string();
        self.error(TypeProblem::BuiltinArgument { builtin, what }, request.span);
        self.error_node(request.span)
    }

    fn builtin_node(
        &mut self,
        builtin: Builtin,
        arguments: Vec<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if arguments.iter().any(|&argument| self.is_error(argument)) {
            return self.error_node(span);
        }
        let unmodeled = arguments.iter().find_map(|&argument| self.unmodeled(self.ty(argument)));
        if let Some(what) = unmodeled {
            return self.unsupported(what, ty, span);
        }
        self.value_node(ExprKind::Builtin { builtin, arguments: arguments.into() }, ty, span)
    }

    /// Builtins that leave only an operand or a constant behind.
    fn folding_builtin(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let span = request.span;
        Some(match short {
            "expect" | "expect_with_probability" => {
                let value = self.argument(request, 0)?;
                {
                    let long = TypeTable::int_id(self.program.types.long_kind());
                    self.convert_assign(value, long)
                }
            }
            "speculation_safe_value" => self.argument(request, 0)?,
            "constant_p" => {
                let value = self.argument(request, 0)?;
                let is_constant = match self.evaluate(value) {
                    Ok(Constant::Int(_) | Constant::Float(_)) => true,
                    Ok(Constant::Address { base, .. }) => matches!(base, AddressBase::String(_)),
                    Err(_) => false,
                };
                let is_plain = self.is_plain(value);
                if is_constant && !is_plain {
                    // Such as an element of a literal, which compilers see or do not see.
                    let what = Unsupported::Builtin(request.name.into());
                    return Some(self.unsupported(what, TypeTable::INT, span));
                }
                let answer = self.small_int(i32::from(is_constant), span);
                // Without an optimizer it is 0 (GNU C), but for what folds to a constant all the same, as `x - x`.
                if !is_constant && (self.links.is_optimized || !is_plain) {
                    self.program.not_constant.insert(answer);
                }
                answer
            }
            "object_size" | "dynamic_object_size" => {
                let kind = self.argument(request, 1)?;
                let kind = self.require_integer(kind).unwrap_or(0);
                let first = request.arguments.first();
                let size = match first.map_or(Extent::Unknown, |&first| self.extent(first)) {
                    Extent::Whole(size) => size,
                    Extent::Part => {
                        let what = Unsupported::Builtin(request.name.into());
                        let ty = self.program.types.size_type();
                        return Some(self.unsupported(what, ty, span));
                    }
                    // What gcc answers when it does not know: all ones, or 0 for the minimum.
                    Extent::Unknown if kind & 2 != 0 => 0,
                    Extent::Unknown => u64::MAX,
                };
                let answer = self.size_constant(size, span);
                if self.links.is_optimized {
                    self.program.not_constant.insert(answer);
                }
                answer
            }
            "prefetch" | "ia32_pause" => match request.arguments.first() {
                Some(&first) => self.cast(TypeTable::VOID, first, span),
                None => {
                    let zero = self.small_int(0, span);
                    self.cast(TypeTable::VOID, zero, span)
                }
            },
            "assume_aligned" => {
                let pointer = self.argument(request, 0)?;
                self.convert_assign(pointer, TypeTable::VOID_POINTER)
            }
            "classify_type" => {
                let value = self.argument(request, 0)?;
                let class = self.type_class(self.ty(value));
                self.small_int(class, span)
            }
            // Known to the preprocessor alone.
            "LINE" | "COLUMN" => {
                let what = Unsupported::Builtin(request.name.into());
                self.unsupported(what, TypeTable::INT, span)
            }
            _ => return None,
        })
    }

    /// A number, a text or a variable as it is, a call, or arithmetic with numbers alone: whether it is a constant is clear
    /// without folding.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "of everything else only folding tells whether it is a constant"
    )]
    fn is_plain(&self, id: ExprId) -> bool {
        match &self.program.expr(id).kind {
            ExprKind::Convert { conversion: Conversion::Load, operand, .. } => {
                matches!(self.program.expr(*operand).kind, ExprKind::Variable(_))
            }
            ExprKind::Convert { operand, .. } => self.is_plain(*operand),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Call { .. } => {
                true
            }
            ExprKind::Unary { operand, .. } | ExprKind::LogicalNot(operand) => {
                self.is_number(*operand)
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
                self.is_number(*left) && self.is_number(*right)
            }
            ExprKind::AddressOf(place) => {
                matches!(self.program.expr(*place).kind, ExprKind::Variable(_))
            }
            _ => false,
        }
    }

    /// Numbers, and arithmetic with them.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "everything else has no number in it, or more"
    )]
    fn is_number(&self, id: ExprId) -> bool {
        match &self.program.expr(id).kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Convert { operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::LogicalNot(operand) => self.is_number(*operand),
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
                self.is_number(*left) && self.is_number(*right)
            }
            _ => false,
        }
    }

    /// What a pointer points to, as far as gcc sees it without optimizing.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "of other expressions the extent is unknown"
    )]
    fn extent(&self, id: ExprId) -> Extent {
        match &self.program.expr(id).kind {
            ExprKind::Variable(_) | ExprKind::String(_) | ExprKind::CompoundLiteral { .. } => {
                let is_array =
                    matches!(self.program.types.kind(self.ty(id)), TypeKind::Array { .. });
                let size = self.program.types.size_of(self.ty(id)).filter(|_| is_array);
                size.map_or(Extent::Unknown, Extent::Whole)
            }
            ExprKind::Convert { operand, .. } => self.extent(*operand),
            ExprKind::AddressOf(place) => match &self.program.expr(*place).kind {
                ExprKind::Variable(_) => {
                    let size = self.program.types.size_of(self.ty(*place));
                    size.map_or(Extent::Unknown, Extent::Whole)
                }
                _ => self.extent(*place),
            },
            ExprKind::Member { base, .. }
                if matches!(self.program.expr(*base).kind, ExprKind::Variable(_)) =>
            {
                Extent::Part
            }
            ExprKind::PointerAdd { pointer: inside, .. }
            | ExprKind::Deref(inside)
            | ExprKind::Member { base: inside, .. } => match self.extent(*inside) {
                Extent::Whole(_) | Extent::Part => Extent::Part,
                Extent::Unknown => Extent::Unknown,
            },
            _ => Extent::Unknown,
        }
    }

    /// gcc's numbering of type classes.
    fn type_class(&self, ty: TypeId) -> i32 {
        match self.program.types.kind(ty) {
            TypeKind::Void => 0,
            TypeKind::Int(_) | TypeKind::Enum(_) => 1,
            TypeKind::Pointer(_) | TypeKind::Array { .. } => 5,
            TypeKind::Float(_) => 8,
            TypeKind::Complex(_) => 9,
            TypeKind::Function(_) => 10,
            TypeKind::Record(_) => 12 + i32::from(self.program.types.is_union(ty)),
            TypeKind::Vector { .. } | TypeKind::Error => -1,
        }
    }

    /// Byte swaps and bit counts, with their suffixes for `long` and `long long`.
    fn bit_builtin(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let swap = match short {
            "bswap16" => Some(IntKind::UnsignedShort),
            "bswap32" => Some(IntKind::UnsignedInt),
            "bswap64" => Some(match self.program.types.pointers() {
                PointerSize::Four => IntKind::UnsignedLongLong,
                PointerSize::Eight => IntKind::UnsignedLong,
            }),
            "bswap128" => Some(IntKind::UnsignedInt128),
            _ => None,
        };
        if let Some(kind) = swap {
            let value = self.argument(request, 0)?;
            let ty = TypeTable::int_id(kind);
            let value = self.convert_assign(value, ty);
            return Some(self.builtin_node(Builtin::ByteSwap, vec![value], ty, request.span));
        }
        let families = [
            ("clz", CountBits::LeadingZeros, IntKind::UnsignedInt),
            ("ctz", CountBits::TrailingZeros, IntKind::UnsignedInt),
            ("popcount", CountBits::PopCount, IntKind::UnsignedInt),
            ("parity", CountBits::Parity, IntKind::UnsignedInt),
            ("ffs", CountBits::FindFirstSet, IntKind::Int),
            ("clrsb", CountBits::RedundantSignBits, IntKind::Int),
        ];
        for (family, count, kind) in families {
            let Some(suffix) = short.strip_prefix(family) else { continue };
            let is_signed = kind == IntKind::Int;
            let kind = match suffix {
                "" => kind,
                "l" => self.program.types.long_kind(),
                "ll" | "imax" => IntKind::LongLong,
                _ => continue,
            };
            let kind = if is_signed { kind } else { kind.to_unsigned() };
            let value = self.argument(request, 0)?;
            let value = self.convert_assign(value, TypeTable::int_id(kind));
            let builtin = Builtin::Count(count);
            return Some(self.builtin_node(builtin, vec![value], TypeTable::INT, request.span));
        }
        None
    }

    /// Infinities, NaNs, classification and quiet comparisons.
    fn float_builtin(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let span = request.span;
        let stem = short.strip_suffix(['f', 'l']).unwrap_or(short);
        let is_constant = matches!(stem, "huge_va" | "huge_val" | "in" | "inf" | "nan" | "nans");
        if is_constant && short != "in" {
            return self.float_constant(short, span);
        }
        let test = match short {
            "isnan" | "isnanf" | "isnanl" => FloatTest::IsNan,
            "isinf" | "isinff" | "isinfl" => FloatTest::IsInfSign,
            "isinf_sign" => FloatTest::IsInfSign,
            "isfinite" | "finite" | "finitef" | "finitel" => FloatTest::IsFinite,
            "isnormal" => FloatTest::IsNormal,
            "signbit" | "signbitf" | "signbitl" => FloatTest::SignBit,
            "fpclassify" => return self.classify(request),
            _ => return self.quiet_comparison(short, request),
        };
        let value = self.float_argument(request, 0)?;
        Some(self.builtin_node(Builtin::FloatTest(test), vec![value], TypeTable::INT, span))
    }

    fn float_constant(&mut self, short: &str, span: Span) -> Option<ExprId> {
        let (format, ty) = match short {
            "huge_valf" | "inff" | "nanf" | "nansf" => (Format::F32, TypeTable::FLOAT),
            "huge_vall" | "infl" | "nanl" | "nansl" => {
                let ty = self
                    .program
                    .types
                    .intern(TypeKind::Float(self.program.types.long_double_kind()));
                return Some(self.unsupported(Unsupported::LongDouble, ty, span));
            }
            "huge_val" | "inf" | "nan" | "nans" => (Format::F64, TypeTable::DOUBLE),
            _ => return None,
        };
        let value = if short.starts_with("nan") {
            Float::nan(format)
        } else {
            Float::infinity(glassbox_values::float::Sign::Positive, format)
        };
        Some(self.float(value, ty, span))
    }

    /// An argument of floating type; integers are read as `double`.
    fn float_argument(&mut self, request: &Request<'_>, index: usize) -> Option<ExprId> {
        let value = self.argument(request, index)?;
        if self.program.types.is_integer(self.ty(value)) {
            return Some(self.convert_assign(value, TypeTable::DOUBLE));
        }
        if !self.program.types.is_arithmetic(self.ty(value)) && !self.is_error(value) {
            return Some(self.bad_argument(request, "a floating value"));
        }
        Some(value)
    }

    fn classify(&mut self, request: &Request<'_>) -> Option<ExprId> {
        let mut arguments = Vec::new();
        for index in 0..5 {
            let class = self.argument(request, index)?;
            arguments.push(self.convert_assign(class, TypeTable::INT));
        }
        arguments.push(self.float_argument(request, 5)?);
        Some(self.builtin_node(Builtin::FpClassify, arguments, TypeTable::INT, request.span))
    }

    fn quiet_comparison(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let builtin = match short {
            "isgreater" => Builtin::IsGreater,
            "isgreaterequal" => Builtin::IsGreaterEqual,
            "isless" => Builtin::IsLess,
            "islessequal" => Builtin::IsLessEqual,
            "islessgreater" => Builtin::IsLessGreater,
            "isunordered" => Builtin::IsUnordered,
            _ => return None,
        };
        let left = self.float_argument(request, 0)?;
        let right = self.float_argument(request, 1)?;
        let (left, right, _) = self.usual_arithmetic(left, right);
        Some(self.builtin_node(builtin, vec![left, right], TypeTable::INT, request.span))
    }

    /// Variable arguments, allocation on the stack, and ends of control flow.
    fn control_builtin(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let span = request.span;
        Some(match short {
            "va_start" => {
                if self.function.as_ref().is_none_or(|function| !function.is_variadic) {
                    self.error(TypeProblem::VaStartOutside, span);
                    return Some(self.error_node(span));
                }
                let list = self.va_list_argument(request, 0)?;
                self.builtin_node(Builtin::VaStart, vec![list], TypeTable::VOID, span)
            }
            "va_end" => {
                let list = self.va_list_argument(request, 0)?;
                self.builtin_node(Builtin::VaEnd, vec![list], TypeTable::VOID, span)
            }
            "va_copy" => {
                let to = self.va_list_argument(request, 0)?;
                let from = self.va_list_argument(request, 1)?;
                self.builtin_node(Builtin::VaCopy, vec![to, from], TypeTable::VOID, span)
            }
            "unreachable" => self.builtin_node(Builtin::Unreachable, vec![], TypeTable::VOID, span),
            "trap" => self.builtin_node(Builtin::Trap, vec![], TypeTable::VOID, span),
            "alloca" | "alloca_with_align" => {
                let size = self.argument(request, 0)?;
                let size = self.convert_assign(size, self.program.types.size_type());
                self.builtin_node(Builtin::Alloca, vec![size], TypeTable::VOID_POINTER, span)
            }
            "frame_address" | "return_address" | "extract_return_addr" => {
                let what = Unsupported::Builtin(request.name.into());
                self.unsupported(what, TypeTable::VOID_POINTER, span)
            }
            _ => return None,
        })
    }

    /// An argument of type `va_list`, as a pointer to its record.
    fn va_list_argument(&mut self, request: &Request<'_>, index: usize) -> Option<ExprId> {
        let list = self.argument(request, index)?;
        Some(self.check_va_list(list, request.name, request.span))
    }

    fn check_va_list(&mut self, list: ExprId, name: &str, span: Span) -> ExprId {
        if self.is_error(list) {
            return list;
        }
        let tag = self.program.types.element(self.well_known.va_list);
        let pointee = self.program.types.pointee(self.ty(list));
        let same = match (pointee, tag) {
            (Some(pointee), Some(tag)) => self.program.types.compatible_unqualified(pointee, tag),
            _ => false,
        };
        if same {
            return list;
        }
        let request = Request { name, arguments: &[], span };
        self.bad_argument(&request, "a va_list")
    }

    /// `__builtin_va_arg(list, type)`.
    pub(crate) fn va_arg(&mut self, list: ExprId, ty: TypeId, span: Span) -> ExprId {
        let list = self.value(list);
        let list = self.check_va_list(list, "__builtin_va_arg", span);
        if self.is_error(list) || !self.require_complete(ty, span) {
            return self.error_node(span);
        }
        let ty = self.program.types.unqualified(ty);
        self.builtin_node(Builtin::VaArg, vec![list], ty, span)
    }

    /// `__builtin_choose_expr(condition, then, otherwise)`.
    pub(crate) fn choose_expr(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> ExprId {
        match self.require_integer(condition) {
            Some(0) | None => otherwise,
            Some(_) => then,
        }
    }

    /// `__builtin_types_compatible_p(left, right)`.
    pub(crate) fn types_compatible(&mut self, left: TypeId, right: TypeId, span: Span) -> ExprId {
        let same = self.program.types.compatible_unqualified(left, right);
        self.int(Bits::new(u128::from(same), 32), TypeTable::INT, span)
    }

    /// A builtin named like a library function: a call of it.
    fn library_builtin(&mut self, short: &str, request: &Request<'_>) -> Option<ExprId> {
        let (name, arguments) = library::without_checks(short, request.arguments);
        let ty = self.library_type(name)?;
        let name = self.program.names.intern(name);
        let id = self.external_function(name, ty, request.span);
        // Calls go by the builtin's own type, whatever the program declared.
        let callee = self.node(ExprKind::Function(id), ty, Category::Function, request.span);
        Some(self.call(callee, arguments, request.span))
    }
}
