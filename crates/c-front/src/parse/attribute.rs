//! `__attribute__`, `[[...]]`, `_Alignas` and `asm` labels: what matters is kept, what is known to be harmless
//! is skipped, and everything else is a limit of what it stands at.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::diagnostics::TypeProblem;
use crate::names::Name;
use crate::tree::{AroundMain, ExprId, Promise, Unsupported};
use crate::ty::kind::{ArrayLength, FloatKind, IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// The largest alignment gcc accepts.
const MAX_ALIGN: i128 = 1 << 28;

/// The attributes that change meaning.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attributes {
    pub(crate) is_packed: bool,
    pub(crate) align: Option<u64>,
    /// What a typedef says about alignment: unlike a member or variable of its own it may ask for less.
    pub(crate) typedef_align: Option<u64>,
    pub(crate) is_noreturn: bool,
    /// `pure`, `const`, `returns_nonnull` and the like.
    pub(crate) promise: Option<Promise>,
    pub(crate) is_gnu_inline: bool,
    pub(crate) is_transparent_union: bool,
    /// `nonnull`: one bit for each parameter, the first one lowest.
    pub(crate) nonnull: u64,
    pub(crate) vector_size: Option<u64>,
    pub(crate) mode: Option<Mode>,
    /// `constructor`, `destructor`.
    pub(crate) around_main: Option<AroundMain>,
    /// The name of one that is not known to be harmless.
    pub(crate) unsupported: Option<Name>,
    /// `asm` label or `alias`: the symbol that is declared under another name.
    pub(crate) symbol: Option<Name>,
    /// `section`, where others may look for what is there.
    pub(crate) is_listed: bool,
}

/// Sections whose code runs, or whose functions are called, without a call in the program.
const RUN: [&str; 7] =
    [".init", ".fini", ".preinit_array", ".ctors", ".dtors", ".CRT$X", "__DATA,__mod_"];

/// Sections that are a place and nothing more.
const PLACES: [&str; 8] =
    [".text", ".data", ".bss", ".rodata", ".tdata", ".tbss", ".noinit", ".persistent"];

/// Attributes that change nothing that a defined program can observe, without their underscores: they
/// inform or warn the programmer, or choose where code and
/// data are put. What is not in this list is taken to change meaning.
const HARMLESS: [&str; 69] = [
    "access",
    "alloc_size",
    "always_inline",
    "artificial",
    "availability",
    "cf_check",
    "cold",
    "common",
    "counted_by",
    "deprecated",
    "designated_init",
    "diagnose_if",
    "enum_extensibility",
    "error",
    "expected_throw",
    "externally_visible",
    "fallthrough",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "hot",
    "leaf",
    "maybe_unused",
    "minsize",
    "musttail",
    "no_address_safety_analysis",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodebug",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "patchable_function_entry",
    "retain",
    "sentinel",
    "simd",
    "stack_protect",
    "sysv_abi",
    "tainted_args",
    "tls_model",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused_result",
    "warning",
];

/// Machine modes that change a declared integer or float type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Int(IntKind),
    Float(FloatKind),
}

impl Attributes {
    fn promise(&mut self, promise: Promise) {
        self.promise = self.promise.max(Some(promise));
    }

    pub(crate) fn add(&mut self, other: Attributes) {
        self.is_packed |= other.is_packed;
        self.align = self.align.max(other.align);
        self.typedef_align = self.typedef_align.or(other.typedef_align);
        self.is_noreturn |= other.is_noreturn;
        self.promise = self.promise.max(other.promise);
        self.is_gnu_inline |= other.is_gnu_inline;
        self.is_transparent_union |= other.is_transparent_union;
        self.nonnull |= other.nonnull;
        self.vector_size = other.vector_size.or(self.vector_size);
        self.mode = other.mode.or(self.mode);
        self.around_main = other.around_main.or(self.around_main);
        self.unsupported = other.unsupported.or(self.unsupported);
        self.symbol = other.symbol.or(self.symbol);
        self.is_listed |= other.is_listed;
    }
}

impl Parser<'_> {
    /// Whether C23's `[[` is next.
    pub(crate) fn is_attribute_list(&self) -> bool {
        self.peek() == TokenKind::LBracket && self.peek_at(1) == TokenKind::LBracket
    }

    /// Any number of attributes, `asm` labels and `__extension__` markers.
    pub(crate) fn attributes(&mut self) -> Parse<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            match self.peek() {
                TokenKind::KwAttribute => {
                    self.bump();
                    self.expect(TokenKind::LParen, "`((`")?;
                    self.expect(TokenKind::LParen, "`((`")?;
                    self.attribute_list(&mut attributes)?;
                    self.expect(TokenKind::RParen, "`))`")?;
                    self.expect(TokenKind::RParen, "`))`")?;
                }
                TokenKind::LBracket if self.is_attribute_list() => {
                    self.bump();
                    self.bump();
                    self.attribute_list(&mut attributes)?;
                    self.expect(TokenKind::RBracket, "`]]`")?;
                    self.expect(TokenKind::RBracket, "`]]`")?;
                }
                TokenKind::KwAlignas => {
                    let align = self.alignas()?;
                    attributes.align = attributes.align.max(align);
                }
                _ => return Ok(attributes),
            }
        }
    }

    /// Attributes and an `asm("symbol")` label after a declarator.
    pub(crate) fn declarator_attributes(&mut self) -> Parse<Attributes> {
        let mut attributes = self.attributes()?;
        if self.eat(TokenKind::KwAsm) {
            attributes.symbol = Some(self.symbol()?);
            attributes.add(self.attributes()?);
        }
        Ok(attributes)
    }

    fn attribute_list(&mut self, attributes: &mut Attributes) -> Parse<()> {
        loop {
            match self.peek() {
                TokenKind::RParen | TokenKind::RBracket => return Ok(()),
                TokenKind::Comma => {
                    self.bump();
                }
                TokenKind::Identifier => self.attribute(attributes)?,
                kind if kind.is_keyword() => {
                    // `const`, `noreturn` spelled as a keyword and the like.
                    let token = self.bump();
                    match kind {
                        TokenKind::KwNoreturn => attributes.is_noreturn = true,
                        TokenKind::KwConst => attributes.promise(Promise::Const),
                        _ => {
                            let text = String::from_utf8_lossy(self.text_of(token)).into_owned();
                            attributes.unsupported = Some(self.c.program.names.intern(&text));
                        }
                    }
                    if self.peek() == TokenKind::LParen {
                        self.skip_parentheses()?;
                    }
                }
                _ => return self.expected("an attribute"),
            }
        }
    }

    fn attribute(&mut self, attributes: &mut Attributes) -> Parse<()> {
        let mut token = self.bump();
        // `[[gnu::name]]`. What other compilers mean by a name is their own.
        if self.peek() == TokenKind::Colon && self.peek_at(1) == TokenKind::Colon {
            let space = self.c.name_text(token.name);
            self.bump();
            self.bump();
            let own = self.expect(TokenKind::Identifier, "an attribute")?;
            if !matches!(space.trim_matches('_'), "gnu" | "clang") {
                attributes.unsupported = Some(own.name);
            }
            token = own;
        }
        let text = self.c.name_text(token.name);
        let name = text.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(&text);
        match name {
            "packed" => attributes.is_packed = true,
            "noreturn" => attributes.is_noreturn = true,
            "pure" | "reproducible" => attributes.promise(Promise::Pure),
            "const" | "unsequenced" => attributes.promise(Promise::Const),
            "malloc" | "returns_nonnull" | "assume_aligned" | "alloc_align" => {
                attributes.promise(Promise::Result);
            }
            "gnu_inline" => attributes.is_gnu_inline = true,
            // In headers of the system it stands at types that few programs use.
            "may_alias" if !self.is_in_system_header(token) => {
                self.c.program.limits.may_alias = true;
            }
            "transparent_union" => attributes.is_transparent_union = true,
            "aligned" => {
                let align = match self.attribute_argument()? {
                    Some(argument) => self.alignment(argument),
                    None => Some(self.c.program.types.machine().largest_align()),
                };
                attributes.align = attributes.align.max(align);
                return Ok(());
            }
            "vector_size" => {
                if let Some(argument) = self.attribute_argument()? {
                    let size = self.c.require_integer(argument).unwrap_or(0);
                    attributes.vector_size = u64::try_from(size).ok().filter(|&size| size > 0);
                }
                return Ok(());
            }
            "mode" => {
                self.mode(attributes)?;
                if attributes.mode.is_none() {
                    attributes.unsupported = Some(token.name);
                }
                return Ok(());
            }
            "alias" => {
                attributes.symbol = Some(self.symbol()?);
                return Ok(());
            }
            "nonnull" => {
                attributes.nonnull |= self.nonnull_parameters()?;
                return Ok(());
            }
            "section" => {
                let name = self.symbol()?;
                let text = self.c.name_text(name);
                let is_in = |list: &[&str]| list.iter().any(|start| text.starts_with(start));
                if is_in(&RUN) {
                    let what = Unsupported::Attribute(self.c.name_text(token.name).into());
                    self.c.program.limits.everywhere = Some(what);
                }
                attributes.is_listed = !is_in(&PLACES);
                return Ok(());
            }
            // With a number it has a place among the others, which is not modeled.
            "constructor" if self.peek() != TokenKind::LParen => {
                attributes.around_main = Some(AroundMain::Before);
            }
            "constructor" | "destructor" => attributes.around_main = Some(AroundMain::NotModeled),
            harmless if HARMLESS.binary_search(&harmless).is_ok() => {}
            _ => attributes.unsupported = Some(token.name),
        }
        if self.peek() == TokenKind::LParen {
            self.skip_parentheses()?;
        }
        Ok(())
    }

    /// `("symbol")`.
    fn symbol(&mut self) -> Parse<Name> {
        let first = self.position();
        self.skip_parentheses()?;
        let text = self.text_of_strings(first);
        Ok(self.c.program.names.intern(text.trim()))
    }

    /// An attribute at something that has no name to be used by: where it has an effect, if it has one, is
    /// not known, so the body that it is in (all bodies, if it is in none) may do anything.
    pub(crate) fn attributes_of_nothing(&mut self, attributes: Attributes) {
        let Some(name) = attributes.unsupported else { return };
        let what = Unsupported::Attribute(self.c.name_text(name).into());
        match &self.c.function {
            Some(function) => {
                self.c.program.limits.bodies.insert(function.id, what);
            }
            None => self.c.program.limits.everywhere = Some(what),
        }
    }

    fn attribute_argument(&mut self) -> Parse<Option<ExprId>> {
        if !self.eat(TokenKind::LParen) {
            return Ok(None);
        }
        let argument = self.assignment()?;
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(Some(argument))
    }

    /// `nonnull(1, 3)`: these parameters; without numbers, all of them.
    fn nonnull_parameters(&mut self) -> Parse<u64> {
        if !self.eat(TokenKind::LParen) || self.eat(TokenKind::RParen) {
            return Ok(u64::MAX);
        }
        let mut parameters = 0;
        loop {
            let argument = self.assignment()?;
            let number = self.c.require_integer(argument).unwrap_or(0);
            let position = u32::try_from(number - 1).ok().filter(|&position| position < u64::BITS);
            parameters |= position.map_or(0, |position| 1 << position);
            if self.eat(TokenKind::RParen) {
                return Ok(parameters);
            }
            self.expect(TokenKind::Comma, "`,` or `)`")?;
        }
    }

    fn mode(&mut self, attributes: &mut Attributes) -> Parse<()> {
        self.expect(TokenKind::LParen, "`(`")?;
        let (name, _) = self.expect_name()?;
        self.expect(TokenKind::RParen, "`)`")?;
        let is_wide = self.c.program.types.machine().word_size() == 8;
        let text = self.c.name_text(name);
        attributes.mode = match text.trim_matches('_') {
            "QI" | "byte" => Some(Mode::Int(IntKind::SignedChar)),
            "HI" => Some(Mode::Int(IntKind::Short)),
            "SI" => Some(Mode::Int(IntKind::Int)),
            "DI" if is_wide => Some(Mode::Int(IntKind::Long)),
            "DI" => Some(Mode::Int(IntKind::LongLong)),
            "word" | "pointer" => Some(Mode::Int(self.c.program.types.difference_kind())),
            "TI" => Some(Mode::Int(IntKind::Int128)),
            "SF" => Some(Mode::Float(FloatKind::Float)),
            "DF" => Some(Mode::Float(FloatKind::Double)),
            "XF" => Some(Mode::Float(FloatKind::LongDouble)),
            "TF" => Some(Mode::Float(FloatKind::Float128)),
            _ => None,
        };
        Ok(())
    }

    /// A constant that must be an alignment.
    fn alignment(&mut self, expr: ExprId) -> Option<u64> {
        let span = self.c.span(expr);
        let number = self.c.require_integer(expr)?;
        // `_Alignas(0)` has no effect.
        if number == 0 {
            return None;
        }
        match u64::try_from(number) {
            Ok(align) if align.is_power_of_two() && number <= MAX_ALIGN => Some(align),
            _ => {
                self.c.error(TypeProblem::BadAlignment, span);
                None
            }
        }
    }

    fn alignas(&mut self) -> Parse<Option<u64>> {
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let align = if self.starts_type_at(0) {
            let ty = self.type_name()?;
            Some(self.c.program.types.align_of(ty))
        } else {
            let expr = self.conditional()?;
            self.alignment(expr)
        };
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(align)
    }

    /// Applies `mode` and `vector_size` to a declared type: they change the innermost one.
    pub(crate) fn attributed_type(&mut self, ty: TypeId, attributes: Attributes) -> TypeId {
        if attributes.mode.is_none() && attributes.vector_size.is_none() {
            return ty;
        }
        let qualifiers = self.c.program.types.get(ty).qualifiers;
        let changed = match *self.c.program.types.kind(ty) {
            TypeKind::Pointer(target) => {
                let target = self.attributed_type(target, attributes);
                self.c.program.types.pointer_to(target)
            }
            TypeKind::Array { element, length } => {
                let element = self.attributed_type(element, attributes);
                self.c.program.types.array_of(element, length)
            }
            TypeKind::Function(ref function) => {
                let mut function = function.clone();
                function.result = self.attributed_type(function.result, attributes);
                self.c.program.types.function(function)
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Enum(_)
            | TypeKind::Record(_)
            | TypeKind::Vector { .. }
            | TypeKind::Error => self.attributed_scalar(ty, attributes),
        };
        self.c.program.types.qualified(changed, qualifiers)
    }

    fn attributed_scalar(&mut self, ty: TypeId, attributes: Attributes) -> TypeId {
        let mut ty = ty;
        match attributes.mode {
            Some(Mode::Int(kind)) if self.c.program.types.is_integer(ty) => {
                let signed = self.c.program.types.int_kind(ty).is_none_or(|old| old.is_signed());
                ty = TypeTable::int_id(if signed { kind } else { kind.to_unsigned() });
            }
            Some(Mode::Float(kind)) => {
                let is_complex = matches!(self.c.program.types.kind(ty), TypeKind::Complex(_));
                let kind = if is_complex { TypeKind::Complex(kind) } else { TypeKind::Float(kind) };
                ty = self.c.program.types.intern(kind);
            }
            Some(Mode::Int(_)) | None => {}
        }
        match attributes.vector_size {
            Some(bytes) => {
                let bytes = bytes.next_power_of_two();
                self.c.program.types.intern(TypeKind::Vector { element: ty, bytes })
            }
            None => ty,
        }
    }

    /// The length of an array from its written size.
    pub(crate) fn constant_length(&mut self, number: i128, span: crate::span::Span) -> ArrayLength {
        match u64::try_from(number) {
            Ok(length) => ArrayLength::Fixed(length),
            Err(_) => {
                let problem = if number < 0 {
                    TypeProblem::ArraySizeNegative
                } else {
                    TypeProblem::ArrayTooLarge
                };
                self.c.error(problem, span);
                ArrayLength::Fixed(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn harmless_attributes_can_be_searched() {
        assert!(super::HARMLESS.is_sorted());
    }
}
