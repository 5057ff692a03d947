//! Declaration specifiers: storage, qualifiers, and the words that make up a type.

use super::attribute::Attributes;
use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::check::declare::StorageClass;
use crate::check::scope::Meaning;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::ty::kind::{FloatKind, IntKind, Qualifiers, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// What stands before the declarators.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Specifiers {
    pub(crate) storage: StorageClass,
    pub(crate) is_thread: bool,
    pub(crate) is_inline: bool,
    pub(crate) is_auto_type: bool,
    pub(crate) ty: TypeId,
    pub(crate) attributes: Attributes,
    /// A struct, union or enum was defined or mentioned: the declaration may end here.
    pub(crate) has_tag: bool,
    /// The name of the type, if it is a typedef at file scope of a number.
    pub(crate) spelling: Option<Name>,
    pub(crate) span: Span,
}

/// The type words met so far.
#[derive(Debug, Default)]
struct Words {
    n_long: u8,
    is_short: bool,
    is_signed: bool,
    is_unsigned: bool,
    is_complex: bool,
    base: Option<Base>,
    /// A typedef name, tag or `typeof`.
    ty: Option<TypeId>,
    is_bad: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    Void,
    Bool,
    Char,
    Int,
    Int128,
    Float(FloatKind),
}

impl Words {
    fn is_empty(&self) -> bool {
        self.n_long == 0
            && !self.is_short
            && !self.is_signed
            && !self.is_unsigned
            && !self.is_complex
            && self.base.is_none()
            && self.ty.is_none()
    }

    fn set(&mut self, base: Base) {
        self.is_bad |= self.base.is_some() || self.ty.is_some();
        self.base = Some(base);
    }

    /// The type that the words name; `None` if they do not go together.
    fn resolve(&self, types: &TypeTable) -> Option<TypeKind> {
        let has_sign = self.is_signed || self.is_unsigned;
        let has_size = self.is_short || self.n_long > 0;
        if self.is_bad || (self.is_signed && self.is_unsigned) || (self.is_short && self.n_long > 0)
        {
            return None;
        }
        let signed =
            |kind: IntKind| TypeKind::Int(if self.is_unsigned { kind.to_unsigned() } else { kind });
        let float = |kind| {
            if self.is_complex { TypeKind::Complex(kind) } else { TypeKind::Float(kind) }
        };
        Some(match self.base {
            Some(Base::Void) if !has_sign && !has_size => TypeKind::Void,
            Some(Base::Bool) if !has_sign && !has_size => TypeKind::Int(IntKind::Bool),
            Some(Base::Char) if !has_size => {
                TypeKind::Int(match (self.is_signed, self.is_unsigned) {
                    (true, _) => IntKind::SignedChar,
                    (_, true) => IntKind::UnsignedChar,
                    _ => IntKind::Char,
                })
            }
            Some(Base::Int128) if !has_size => signed(IntKind::Int128),
            Some(Base::Float(FloatKind::Double)) if !has_sign && !self.is_short => {
                match self.n_long {
                    0 => float(FloatKind::Double),
                    1 => float(types.long_double_kind()),
                    _ => return None,
                }
            }
            Some(Base::Float(kind)) if !has_sign && !has_size => float(kind),
            None if self.is_complex && !has_sign && !has_size => float(FloatKind::Double),
            Some(Base::Int) | None if !self.is_complex => match (self.is_short, self.n_long) {
                (true, _) => signed(IntKind::Short),
                (_, 0) => signed(IntKind::Int),
                (_, 1) => signed(types.long_kind()),
                (_, 2) => signed(IntKind::LongLong),
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// True if a type name can start `ahead` tokens on.
    pub(crate) fn starts_type_at(&self, ahead: usize) -> bool {
        use TokenKind as T;
        match self.peek_at(ahead) {
            T::Identifier => self.name_at(ahead).is_some_and(|name| self.c.scopes.is_typedef(name)),
            T::KwVoid
            | T::KwChar
            | T::KwShort
            | T::KwInt
            | T::KwLong
            | T::KwFloat
            | T::KwDouble
            | T::KwSigned
            | T::KwUnsigned
            | T::KwBool
            | T::KwComplex
            | T::KwInt128
            | T::KwFloat16
            | T::KwFloat32
            | T::KwFloat32x
            | T::KwFloat64
            | T::KwFloat64x
            | T::KwFloat128
            | T::KwBuiltinVaList
            | T::KwStruct
            | T::KwUnion
            | T::KwEnum
            | T::KwTypeof
            | T::KwConst
            | T::KwVolatile
            | T::KwRestrict
            | T::KwAtomic
            | T::KwAttribute => true,
            // `__extension__` may stand before a type or before an expression.
            T::KwExtension => self.starts_type_at(ahead + 1),
            T::LBracket => self.peek_at(ahead + 1) == T::LBracket,
            _ => false,
        }
    }

    /// True if a declaration starts here.
    pub(crate) fn starts_declaration(&self) -> bool {
        use TokenKind as T;
        match self.peek() {
            T::KwTypedef
            | T::KwExtern
            | T::KwStatic
            | T::KwAuto
            | T::KwRegister
            | T::KwInline
            | T::KwNoreturn
            | T::KwThreadLocal
            | T::KwAlignas
            | T::KwAutoType
            | T::KwStaticAssert => true,
            T::KwExtension => {
                let mut ahead = 1;
                while self.peek_at(ahead) == T::KwExtension {
                    ahead += 1;
                }
                self.starts_type_at(ahead)
                    || matches!(
                        self.peek_at(ahead),
                        T::KwTypedef
                            | T::KwExtern
                            | T::KwStatic
                            | T::KwInline
                            | T::KwStaticAssert
                            | T::KwAutoType
                            | T::KwRegister
                    )
            }
            T::KwAttribute => {
                // `__attribute__((fallthrough));` is a statement.
                !self.is_attribute_statement()
            }
            _ => self.starts_type_at(0),
        }
    }

    /// An attribute followed by `;`.
    fn is_attribute_statement(&self) -> bool {
        let (mut ahead, mut depth) = (1, 0u32);
        loop {
            match self.peek_at(ahead) {
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => depth = depth.saturating_sub(1),
                TokenKind::End => return false,
                _ => {}
            }
            ahead += 1;
            if depth == 0 {
                return self.peek_at(ahead) == TokenKind::Semicolon;
            }
        }
    }

    /// Reads specifiers. `implicit_int`: a name that gets `int` if no type stands at all.
    pub(crate) fn specifiers(&mut self) -> Parse<Specifiers> {
        let start = self.start();
        let mut out = Specifiers {
            storage: StorageClass::None,
            is_thread: false,
            is_inline: false,
            is_auto_type: false,
            ty: TypeTable::ERROR,
            attributes: Attributes::default(),
            has_tag: false,
            spelling: None,
            span: Span::new(start, start),
        };
        let mut words = Words::default();
        let mut qualifiers = Qualifiers::NONE;
        loop {
            let taken = self.storage_specifier(&mut out)
                || self.qualifier(&mut qualifiers)
                || self.type_word(&mut words);
            if taken {
                continue;
            }
            match self.peek() {
                TokenKind::KwAttribute | TokenKind::KwAlignas => {
                    let attributes = self.attributes()?;
                    out.attributes.add(attributes);
                }
                // Only in front: `int [[` would be an array.
                TokenKind::LBracket if self.is_attribute_list() && words.is_empty() => {
                    let attributes = self.attributes()?;
                    out.attributes.add(attributes);
                }
                TokenKind::KwStruct | TokenKind::KwUnion | TokenKind::KwEnum => {
                    let ty = self.tag_specifier(&mut out)?;
                    self.set_type(&mut words, ty);
                    out.has_tag = true;
                }
                TokenKind::KwTypeof => {
                    let ty = self.type_of()?;
                    self.set_type(&mut words, ty);
                }
                TokenKind::KwAtomic => {
                    // `_Atomic(type)`; as a qualifier it was taken above.
                    self.bump();
                    self.bump();
                    let ty = self.type_name()?;
                    self.expect(TokenKind::RParen, "`)`")?;
                    qualifiers.is_atomic = true;
                    self.set_type(&mut words, ty);
                }
                TokenKind::Identifier if words.is_empty() && !out.is_auto_type => {
                    let name = self.token().name;
                    let Some(entry) = self.c.scopes.lookup(name) else { break };
                    let Meaning::Typedef { ty, align, limit } = entry.meaning else { break };
                    let kind = self.c.program.types.kind(ty);
                    let is_number = matches!(kind, TypeKind::Int(_) | TypeKind::Float(_));
                    out.spelling = (is_number && entry.level == 0).then_some(name);
                    self.bump();
                    out.attributes.align = out.attributes.align.max(align);
                    out.attributes.typedef_align = align;
                    out.attributes.unsupported = out.attributes.unsupported.or(limit);
                    words.ty = Some(ty);
                }
                _ => break,
            }
        }
        out.span = self.span_from(start);
        out.ty = self.resolve_words(&words, &out)?;
        out.ty = self.c.program.types.qualified(out.ty, qualifiers);
        out.ty = self.attributed_type(out.ty, out.attributes);
        Ok(out)
    }

    /// Remembers how the type of a declared name was spelled.
    pub(crate) fn note_spelling(&mut self, specifiers: &Specifiers, declared: Span) {
        if let Some(name) = specifiers.spelling {
            self.c.program.spellings.insert(declared, name);
        }
    }

    fn set_type(&mut self, words: &mut Words, ty: TypeId) {
        words.is_bad |= !words.is_empty();
        words.ty = Some(ty);
    }

    fn resolve_words(&mut self, words: &Words, out: &Specifiers) -> Parse<TypeId> {
        if let (Some(ty), false) = (words.ty, words.is_bad) {
            let plain = words.n_long == 0
                && !words.is_short
                && !words.is_signed
                && !words.is_unsigned
                && words.base.is_none();
            if plain {
                return Ok(ty);
            }
        }
        if out.is_auto_type {
            return Ok(TypeTable::ERROR);
        }
        if words.is_empty() {
            return self.missing_type(out);
        }
        match words.resolve(&self.c.program.types).filter(|_| words.ty.is_none()) {
            Some(TypeKind::Int(IntKind::Char)) => Ok(TypeTable::int_id(self.c.plain_char())),
            Some(kind) => Ok(self.c.program.types.intern(kind)),
            None => {
                self.c.error(TypeProblem::BadSpecifiers, out.span);
                Ok(TypeTable::ERROR)
            }
        }
    }

    /// No type at all: old C means `int`, anything else is a mistake.
    fn missing_type(&mut self, out: &Specifiers) -> Parse<TypeId> {
        let name = match self.peek() {
            TokenKind::Identifier => {
                let name = self.c.name_text(self.token().name);
                // `foo x;` with an unknown type: say so rather than complain about `x`.
                let next = self.peek_at(1);
                if matches!(next, TokenKind::Identifier | TokenKind::Star) {
                    let span = self.token().span();
                    self.c.error(TypeProblem::NotAType { name }, span);
                    self.bump();
                    return Ok(TypeTable::ERROR);
                }
                name
            }
            TokenKind::Star | TokenKind::LParen if out.span.start < out.span.end => String::new(),
            _ => return self.expected("a type"),
        };
        self.c.warn(TypeWarning::ImplicitInt { name }, self.token().span());
        Ok(TypeTable::INT)
    }

    fn storage_specifier(&mut self, out: &mut Specifiers) -> bool {
        let storage = match self.peek() {
            TokenKind::KwTypedef => StorageClass::Typedef,
            TokenKind::KwExtern => StorageClass::Extern,
            TokenKind::KwStatic => StorageClass::Static,
            TokenKind::KwAuto => StorageClass::Auto,
            TokenKind::KwRegister => StorageClass::Register,
            TokenKind::KwThreadLocal => {
                out.is_thread = true;
                self.bump();
                return true;
            }
            TokenKind::KwInline => {
                out.is_inline = true;
                self.bump();
                return true;
            }
            TokenKind::KwNoreturn => {
                out.attributes.is_noreturn = true;
                self.bump();
                return true;
            }
            TokenKind::KwExtension => {
                self.bump();
                return true;
            }
            TokenKind::KwAutoType => {
                out.is_auto_type = true;
                self.bump();
                return true;
            }
            _ => return false,
        };
        if out.storage != StorageClass::None && out.storage != storage {
            self.c.error(TypeProblem::BadStorage, self.token().span());
        }
        out.storage = storage;
        self.bump();
        true
    }

    /// One qualifier, if one stands here.
    pub(crate) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.peek() {
            TokenKind::KwConst => qualifiers.is_const = true,
            TokenKind::KwVolatile => qualifiers.is_volatile = true,
            TokenKind::KwRestrict => qualifiers.is_restrict = true,
            TokenKind::KwAtomic if self.peek_at(1) != TokenKind::LParen => {
                qualifiers.is_atomic = true;
            }
            _ => return false,
        }
        self.bump();
        true
    }

    fn type_word(&mut self, words: &mut Words) -> bool {
        use TokenKind as T;
        match self.peek() {
            T::KwVoid => words.set(Base::Void),
            T::KwChar => words.set(Base::Char),
            T::KwInt => words.set(Base::Int),
            T::KwBool => words.set(Base::Bool),
            T::KwInt128 => words.set(Base::Int128),
            T::KwFloat => words.set(Base::Float(FloatKind::Float)),
            T::KwDouble => words.set(Base::Float(FloatKind::Double)),
            T::KwFloat16 => words.set(Base::Float(FloatKind::Float16)),
            T::KwFloat32 => words.set(Base::Float(FloatKind::Float32)),
            T::KwFloat64 | T::KwFloat32x => words.set(Base::Float(FloatKind::Float64)),
            T::KwFloat128 | T::KwFloat64x => words.set(Base::Float(FloatKind::Float128)),
            T::KwShort => {
                words.is_bad |= words.is_short;
                words.is_short = true;
            }
            T::KwLong => words.n_long = words.n_long.saturating_add(1),
            T::KwSigned => words.is_signed = true,
            T::KwUnsigned => words.is_unsigned = true,
            T::KwComplex => words.is_complex = true,
            T::KwBuiltinVaList => {
                let ty = self.c.well_known.va_list;
                self.set_type(words, ty);
            }
            _ => return false,
        }
        self.bump();
        true
    }

    /// `typeof(type)` or `typeof(expression)`.
    fn type_of(&mut self) -> Parse<TypeId> {
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let ty = if self.starts_type_at(0) {
            self.type_name()?
        } else {
            let n_exprs = self.c.program.exprs.len();
            let expr = self.nested(Parser::expression)?;
            let ty = self.c.ty(expr);
            if self.c.program.types.is_variably_modified(ty)
                && self.c.does_something_since(n_exprs)
                && self.c.function.is_some()
            {
                self.c.evaluate_for_type(expr);
            }
            ty
        };
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(ty)
    }
}
