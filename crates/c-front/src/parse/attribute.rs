//! `__attribute__`, `[[...]]`, `_Alignas` and `asm` labels: what matters is kept, the rest is skipped.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::diagnostics::TypeProblem;
use crate::tree::{AroundMain, ExprId};
use crate::ty::kind::{ArrayLength, FloatKind, IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// The largest alignment gcc accepts.
const MAX_ALIGN: i128 = 1 << 28;

/// What `aligned` without a number means on x86-64.
const DEFAULT_ALIGN: u64 = 16;

/// The attributes that change meaning.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attributes {
    pub(crate) is_packed: bool,
    pub(crate) align: Option<u64>,
    pub(crate) is_noreturn: bool,
    pub(crate) is_gnu_inline: bool,
    pub(crate) is_transparent_union: bool,
    /// `nonnull`: one bit for each parameter, the first one lowest.
    pub(crate) nonnull: u64,
    pub(crate) vector_size: Option<u64>,
    pub(crate) mode: Option<Mode>,
    /// `constructor`, `destructor`.
    pub(crate) around_main: Option<AroundMain>,
    /// `alias`, `cleanup`, `ifunc`: change behavior in ways that are not modeled.
    pub(crate) unsupported: Option<&'static str>,
}

/// Machine modes that change a declared integer or float type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Int(IntKind),
    Float(FloatKind),
}

impl Attributes {
    pub(crate) fn add(&mut self, other: Attributes) {
        self.is_packed |= other.is_packed;
        self.align = self.align.max(other.align);
        self.is_noreturn |= other.is_noreturn;
        self.is_gnu_inline |= other.is_gnu_inline;
        self.is_transparent_union |= other.is_transparent_union;
        self.nonnull |= other.nonnull;
        self.vector_size = other.vector_size.or(self.vector_size);
        self.mode = other.mode.or(self.mode);
        self.around_main = other.around_main.or(self.around_main);
        self.unsupported = other.unsupported.or(self.unsupported);
    }
}

impl Parser<'_> {
    /// Any number of attributes, `asm` labels and `__extension__` markers.
    pub(crate) fn attributes(&mut self) -> Parse<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            match self.peek() {
                TokenKind::KwAttribute => {
                    let _ = self.bump();
                    let _ = self.expect(TokenKind::LParen, "`((`")?;
                    let _ = self.expect(TokenKind::LParen, "`((`")?;
                    self.attribute_list(&mut attributes)?;
                    let _ = self.expect(TokenKind::RParen, "`))`")?;
                    let _ = self.expect(TokenKind::RParen, "`))`")?;
                }
                TokenKind::LBracket if self.peek_at(1) == TokenKind::LBracket => {
                    let _ = self.bump();
                    let _ = self.bump();
                    while !matches!(self.peek(), TokenKind::RBracket | TokenKind::End) {
                        let _ = self.bump();
                    }
                    let _ = self.expect(TokenKind::RBracket, "`]]`")?;
                    let _ = self.expect(TokenKind::RBracket, "`]]`")?;
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
            self.skip_parentheses()?;
            attributes.add(self.attributes()?);
        }
        Ok(attributes)
    }

    fn attribute_list(&mut self, attributes: &mut Attributes) -> Parse<()> {
        loop {
            match self.peek() {
                TokenKind::RParen => return Ok(()),
                TokenKind::Comma => {
                    let _ = self.bump();
                }
                TokenKind::Identifier => self.attribute(attributes)?,
                kind if kind.is_keyword() => {
                    // `const`, `noreturn` spelled as a keyword and the like.
                    if kind == TokenKind::KwNoreturn {
                        attributes.is_noreturn = true;
                    }
                    let _ = self.bump();
                    if self.peek() == TokenKind::LParen {
                        self.skip_parentheses()?;
                    }
                }
                _ => return self.expected("an attribute"),
            }
        }
    }

    fn attribute(&mut self, attributes: &mut Attributes) -> Parse<()> {
        let token = self.bump();
        let text = self.c.name_text(token.name);
        let name = text.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(&text);
        match name {
            "packed" => attributes.is_packed = true,
            "noreturn" => attributes.is_noreturn = true,
            "gnu_inline" => attributes.is_gnu_inline = true,
            "transparent_union" => attributes.is_transparent_union = true,
            "aligned" => {
                let align = match self.attribute_argument()? {
                    Some(argument) => self.alignment(argument),
                    None => Some(DEFAULT_ALIGN),
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
            "mode" => return self.mode(attributes),
            "nonnull" => {
                attributes.nonnull |= self.nonnull_parameters()?;
                return Ok(());
            }
            // With a number it has a place among the others, which nobody looks for here.
            "constructor" if self.peek() != TokenKind::LParen => {
                attributes.around_main = Some(AroundMain::Before);
            }
            "constructor" | "destructor" => attributes.around_main = Some(AroundMain::NotModeled),
            "alias" => attributes.unsupported = Some("an alias of another function"),
            "cleanup" => attributes.unsupported = Some("a cleanup attribute"),
            "ifunc" => attributes.unsupported = Some("an ifunc attribute"),
            _ => {}
        }
        if self.peek() == TokenKind::LParen {
            self.skip_parentheses()?;
        }
        Ok(())
    }

    fn attribute_argument(&mut self) -> Parse<Option<ExprId>> {
        if !self.eat(TokenKind::LParen) {
            return Ok(None);
        }
        let argument = self.assignment()?;
        let _ = self.expect(TokenKind::RParen, "`)`")?;
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
            let _ = self.expect(TokenKind::Comma, "`,` or `)`")?;
        }
    }

    fn mode(&mut self, attributes: &mut Attributes) -> Parse<()> {
        let _ = self.expect(TokenKind::LParen, "`(`")?;
        let (name, _) = self.expect_name()?;
        let _ = self.expect(TokenKind::RParen, "`)`")?;
        let text = self.c.name_text(name);
        attributes.mode = match text.trim_matches('_') {
            "QI" | "byte" => Some(Mode::Int(IntKind::SignedChar)),
            "HI" => Some(Mode::Int(IntKind::Short)),
            "SI" => Some(Mode::Int(IntKind::Int)),
            "DI" | "word" | "pointer" => Some(Mode::Int(IntKind::Long)),
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
        let _ = self.bump();
        let _ = self.expect(TokenKind::LParen, "`(`")?;
        let align = if self.starts_type_at(0) {
            let ty = self.type_name()?;
            Some(self.c.program.types.align_of(ty))
        } else {
            let expr = self.conditional()?;
            self.alignment(expr)
        };
        let _ = self.expect(TokenKind::RParen, "`)`")?;
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
            _ => self.attributed_scalar(ty, attributes),
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
