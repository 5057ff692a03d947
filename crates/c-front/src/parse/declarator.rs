//! Declarators: pointers, arrays and functions around a name, read inside out.

use super::attribute::Attributes;
use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::check::declare::StorageClass;
use crate::check::scope::Declared as ScopeDeclared;
use crate::diagnostics::{Problem, SyntaxProblem, TypeProblem};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{Asked, AskedLength, ExprId, VariableId, VariableRole};
use crate::ty::kind::{ArrayLength, FunctionType, PrototypeStyle, Qualifiers, TypeId};
use crate::ty::table::TypeTable;

/// Types nested deeper than this are refused, so that walking a type is cheap.
const MAX_TYPE_DEPTH: u32 = 250;

/// A declarator: how to make the declared type from the base type.
#[derive(Debug, Default)]
pub(crate) struct Declarator {
    pub(crate) name: Option<(Name, Span)>,
    /// In the order they are applied; the last one is next to the name.
    pub(crate) derivations: Vec<Derivation>,
    pub(crate) attributes: Attributes,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Derivation {
    Pointer(Qualifiers),
    Array {
        length: ArrayLength,
        qualifiers: Qualifiers,
        /// `[static n]`: how many elements callers pass at least.
        asked: Option<AskedLength>,
        span: Span,
    },
    Function(Box<FunctionDeclarator>),
}

/// The parameter list of a declarator.
#[derive(Debug)]
pub(crate) struct FunctionDeclarator {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) is_variadic: bool,
    pub(crate) style: PrototypeStyle,
    /// What the list declared, to be seen again by a body.
    pub(crate) scope: ScopeDeclared,
    /// Lengths of variable length types in the list.
    pub(crate) lengths: Vec<(VariableId, ExprId)>,
    span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: Option<(Name, Span)>,
    pub(crate) ty: TypeId,
    pub(crate) variable: Option<VariableId>,
    /// An attribute that is not known to be harmless.
    pub(crate) limit: Option<Name>,
    pub(crate) asked: Asked,
    pub(crate) span: Span,
}

impl Parser<'_> {
    /// A declarator, with or without a name.
    pub(crate) fn declarator(&mut self) -> Parse<Declarator> {
        let start = self.start();
        let mut out = Declarator::default();
        if self.peek() == TokenKind::KwAttribute {
            out.attributes = self.attributes()?;
        }
        while self.eat(TokenKind::Star) {
            let mut qualifiers = Qualifiers::NONE;
            loop {
                if self.qualifier(&mut qualifiers) {
                    continue;
                }
                if self.peek() != TokenKind::KwAttribute {
                    break;
                }
                let attributes = self.attributes()?;
                out.attributes.add(attributes);
            }
            out.derivations.push(Derivation::Pointer(qualifiers));
        }
        let mut inner = Vec::new();
        if self.peek() == TokenKind::KwAttribute {
            let attributes = self.attributes()?;
            out.attributes.add(attributes);
        }
        match self.peek() {
            TokenKind::Identifier => {
                let token = self.bump();
                out.name = Some((token.name, token.span()));
            }
            TokenKind::LParen if self.is_nested_declarator() => {
                self.bump();
                let nested = self.nested(Parser::declarator)?;
                self.expect(TokenKind::RParen, "`)` of the declarator")?;
                out.name = nested.name;
                out.attributes.add(nested.attributes);
                inner = nested.derivations;
            }
            _ => {}
        }
        let mut suffixes = Vec::new();
        loop {
            match self.peek() {
                TokenKind::LBracket if self.peek_at(1) != TokenKind::LBracket => {
                    suffixes.push(self.nested(Parser::array_suffix)?);
                }
                TokenKind::LParen => suffixes.push(self.nested(Parser::function_suffix)?),
                _ => break,
            }
        }
        out.derivations.extend(suffixes.into_iter().rev());
        out.derivations.extend(inner);
        out.span = self.span_from(start);
        Ok(out)
    }

    /// `(` of a nested declarator, not of a parameter list.
    fn is_nested_declarator(&self) -> bool {
        match self.peek_at(1) {
            TokenKind::RParen => false,
            TokenKind::KwAttribute => true,
            TokenKind::Star | TokenKind::LParen | TokenKind::LBracket => true,
            TokenKind::Identifier => !self.starts_type_at(1),
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Parse<Derivation> {
        let start = self.start();
        self.bump();
        let mut qualifiers = Qualifiers::NONE;
        let mut is_static = false;
        loop {
            if self.qualifier(&mut qualifiers) {
                continue;
            }
            if !self.eat(TokenKind::KwStatic) {
                break;
            }
            is_static = true;
        }
        let is_name =
            self.peek() == TokenKind::Identifier && self.peek_at(1) == TokenKind::RBracket;
        let name = is_name.then(|| self.token().name);
        let length = if self.peek() == TokenKind::RBracket {
            ArrayLength::Unknown
        } else if self.peek() == TokenKind::Star && self.peek_at(1) == TokenKind::RBracket {
            self.bump();
            ArrayLength::Star
        } else {
            let length = self.assignment()?;
            self.array_length(length)
        };
        self.expect(TokenKind::RBracket, "`]`")?;
        let asked = is_static.then_some(match (length, name) {
            (ArrayLength::Fixed(count), _) => AskedLength::Fixed(count),
            (_, Some(name)) => AskedLength::Named(name),
            (_, None) => AskedLength::Unknown,
        });
        Ok(Derivation::Array { length, qualifiers, asked, span: self.span_from(start) })
    }

    /// A written length: a constant, or a hidden variable to hold it.
    fn array_length(&mut self, length: ExprId) -> ArrayLength {
        let length = self.c.value(length);
        let (ty, span) = (self.c.ty(length), self.c.span(length));
        if self.c.is_error(length) {
            return ArrayLength::Fixed(1);
        }
        if !self.c.program.types.is_integer(ty) {
            let ty = self.c.show(ty);
            self.c.error(TypeProblem::ArraySizeNotInteger { ty }, span);
            return ArrayLength::Fixed(1);
        }
        if let Some(value) = self.c.integer_constant(length) {
            let number = self.c.as_number(value, ty);
            return self.constant_length(number, span);
        }
        if self.c.scopes.level() == 0 {
            // File scope: only a constant will do.
            self.c.require_integer_constant(length);
            return ArrayLength::Fixed(1);
        }
        let length = self.c.convert_assign(length, TypeTable::ULONG);
        let variable = self.c.hidden_variable(TypeTable::ULONG, VariableRole::VlaLength, span);
        self.c.pending_lengths.push((variable, length));
        ArrayLength::Variable(variable)
    }

    fn function_suffix(&mut self) -> Parse<Derivation> {
        let start = self.start();
        self.bump();
        let outer_lengths = std::mem::take(&mut self.c.pending_lengths);
        self.c.scopes.enter();
        let list = self.parameter_list();
        let scope = self.c.scopes.leave();
        let lengths = std::mem::replace(&mut self.c.pending_lengths, outer_lengths);
        let (parameters, is_variadic, style) = list?;
        let span = self.span_from(start);
        Ok(Derivation::Function(Box::new(FunctionDeclarator {
            parameters,
            is_variadic,
            style,
            scope,
            lengths,
            span,
        })))
    }

    fn parameter_list(&mut self) -> Parse<(Vec<Parameter>, bool, PrototypeStyle)> {
        if self.eat(TokenKind::RParen) {
            return Ok((Vec::new(), false, PrototypeStyle::Unspecified));
        }
        if self.peek() == TokenKind::KwVoid && self.peek_at(1) == TokenKind::RParen {
            self.bump();
            self.bump();
            return Ok((Vec::new(), false, PrototypeStyle::Prototype));
        }
        if self.peek() == TokenKind::Identifier
            && !self.starts_type_at(0)
            && matches!(self.peek_at(1), TokenKind::Comma | TokenKind::RParen)
        {
            let names = self.identifier_list()?;
            return Ok((names, false, PrototypeStyle::OldStyle));
        }
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.eat(TokenKind::Ellipsis) {
                is_variadic = true;
                self.expect(TokenKind::RParen, "`)` after `...`")?;
                break;
            }
            let index = u32::try_from(parameters.len()).unwrap_or(u32::MAX);
            parameters.push(self.parameter(index)?);
            if self.eat(TokenKind::RParen) {
                break;
            }
            self.expect(TokenKind::Comma, "`,` or `)` in the parameter list")?;
        }
        Ok((parameters, is_variadic, PrototypeStyle::Prototype))
    }

    fn identifier_list(&mut self) -> Parse<Vec<Parameter>> {
        let mut names = Vec::new();
        loop {
            let (name, span) = self.expect_name()?;
            let ty = TypeTable::INT;
            names.push(Parameter {
                name: Some((name, span)),
                ty,
                variable: None,
                limit: None,
                asked: Asked::default(),
                span,
            });
            if self.eat(TokenKind::RParen) {
                return Ok(names);
            }
            self.expect(TokenKind::Comma, "`,` or `)` in the parameter list")?;
        }
    }

    fn parameter(&mut self, index: u32) -> Parse<Parameter> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        let allowed = matches!(specifiers.storage, StorageClass::None | StorageClass::Register);
        if !allowed {
            self.c.error(TypeProblem::BadStorage, specifiers.span);
        }
        let declarator = self.declarator()?;
        let attributes = self.declarator_attributes()?;
        let ty = self.declared_type(specifiers.ty, &declarator);
        let ty = self.attributed_type(ty, attributes);
        let ty = self.adjusted_parameter(ty, &declarator);
        let span = self.span_from(start);
        if self.c.program.types.is_void(ty) && declarator.name.is_some() {
            let name = declarator.name.map_or(String::new(), |name| self.c.name_text(name.0));
            self.c.error(TypeProblem::VoidVariable { name }, span);
        }
        let variable = declarator.name.map(|(name, name_span)| {
            self.note_spelling(&specifiers, name_span);
            self.c.declare_parameter(name, ty, index, name_span)
        });
        let mut attributes = attributes;
        attributes.add(specifiers.attributes);
        attributes.add(declarator.attributes);
        let elements = match declarator.derivations.last() {
            Some(Derivation::Array { asked, .. }) => *asked,
            Some(Derivation::Pointer(_) | Derivation::Function(_)) | None => None,
        };
        // clang knows the attribute at a parameter too.
        let is_nonnull = attributes.nonnull != 0 || elements.is_some();
        let asked = Asked { is_nonnull, elements };
        let limit = attributes.unsupported;
        Ok(Parameter { name: declarator.name, ty, variable, limit, asked, span })
    }

    /// Arrays and functions as parameters are pointers (C11 6.7.6.3p7).
    pub(crate) fn adjusted_parameter(&mut self, ty: TypeId, declarator: &Declarator) -> TypeId {
        let types = &mut self.c.program.types;
        if let Some(element) = types.element(ty) {
            let qualifiers = match declarator.derivations.last() {
                Some(Derivation::Array { qualifiers, .. }) => *qualifiers,
                _ => Qualifiers::NONE,
            };
            let pointer = types.pointer_to(element);
            return types.qualified(pointer, qualifiers);
        }
        if types.is_function(ty) { types.pointer_to(ty) } else { ty }
    }

    /// The declared type: the derivations applied to the base type.
    pub(crate) fn declared_type(&mut self, base: TypeId, declarator: &Declarator) -> TypeId {
        let mut ty = base;
        for derivation in &declarator.derivations {
            ty = match derivation {
                Derivation::Pointer(qualifiers) => {
                    let pointer = self.c.program.types.pointer_to(ty);
                    self.c.program.types.qualified(pointer, *qualifiers)
                }
                Derivation::Array { length, span, .. } => self.array_type(ty, *length, *span),
                Derivation::Function(function) => self.function_type(ty, function),
            };
            if self.c.program.types.depth(ty) > MAX_TYPE_DEPTH {
                break;
            }
        }
        if self.c.program.types.depth(ty) > MAX_TYPE_DEPTH {
            let problem = SyntaxProblem::TooDeep { limit: MAX_TYPE_DEPTH };
            self.c.report(Problem::Syntax(problem), declarator.span);
            return TypeTable::ERROR;
        }
        self.attributed_type(ty, declarator.attributes)
    }

    fn array_type(&mut self, element: TypeId, length: ArrayLength, span: Span) -> TypeId {
        let types = &self.c.program.types;
        if types.is_error(element) {
            return element;
        }
        if types.is_function(element) || !types.is_complete(element) {
            let ty = self.c.show(element);
            self.c.error(TypeProblem::ArrayOf { ty }, span);
            return TypeTable::ERROR;
        }
        if let ArrayLength::Fixed(count) = length {
            let size = types.size_of(element).unwrap_or(1);
            if glassbox_values::layout::array_size(size, count).is_err() {
                self.c.error(TypeProblem::ArrayTooLarge, span);
                return TypeTable::ERROR;
            }
        }
        self.c.program.types.array_of(element, length)
    }

    fn function_type(&mut self, result: TypeId, function: &FunctionDeclarator) -> TypeId {
        let types = &self.c.program.types;
        if types.is_array(result) || types.is_function(result) {
            let ty = self.c.show(result);
            self.c.error(TypeProblem::FunctionReturning { ty }, function.span);
            return TypeTable::ERROR;
        }
        // Qualifiers of a result mean nothing; those of parameters are no part of the type.
        let result = self.c.program.types.unqualified(result);
        let parameters = match function.style {
            PrototypeStyle::Prototype => {
                let types = &mut self.c.program.types;
                function.parameters.iter().map(|p| types.unqualified(p.ty)).collect()
            }
            PrototypeStyle::OldStyle | PrototypeStyle::Unspecified => Box::default(),
        };
        // An identifier list has a meaning only in a definition, which sets the real types.
        let style = match function.style {
            PrototypeStyle::Prototype => PrototypeStyle::Prototype,
            PrototypeStyle::OldStyle | PrototypeStyle::Unspecified => PrototypeStyle::Unspecified,
        };
        let is_variadic = function.is_variadic;
        self.c.program.types.function(FunctionType { result, parameters, is_variadic, style })
    }
}
