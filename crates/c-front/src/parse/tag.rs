//! `struct`, `union` and `enum` specifiers and their bodies.

use super::attribute::Attributes;
use super::cursor::{Parse, Parser};
use super::specifier::Specifiers;
use super::token::TokenKind;
use crate::check::declare::StorageClass;
use crate::check::record::{MemberDeclaration, RecordAttributes, TagKind};
use crate::diagnostics::TypeProblem;
use crate::ty::kind::TypeId;
use crate::ty::record::RecordKind;

impl Parser<'_> {
    /// The specifier at `struct`, `union` or `enum`. Attributes behind it that belong to the declared
    /// thing are left to the caller.
    pub(crate) fn tag_specifier(&mut self, out: &mut Specifiers) -> Parse<TypeId> {
        let start = self.start();
        let kind = match self.bump().kind {
            TokenKind::KwStruct => TagKind::Record(RecordKind::Struct),
            TokenKind::KwUnion => TagKind::Record(RecordKind::Union),
            _ => TagKind::Enum,
        };
        let mut attributes = self.attributes()?;
        let name = match self.peek() {
            TokenKind::Identifier => Some(self.bump()),
            _ => None,
        };
        // Fixed underlying types are C23; attributes may also follow the tag.
        attributes.add(self.attributes()?);
        let tag = name.map(|token| token.name);
        let span = self.span_from(start);
        if self.peek() == TokenKind::LBrace {
            let ty = self.c.tag_definition(kind, tag, span);
            self.nested(|p| match kind {
                TagKind::Record(_) => p.record_body(ty, attributes, start),
                TagKind::Enum => p.enum_body(ty, attributes, start),
            })?;
            return Ok(ty);
        }
        let Some(tag) = tag else { return self.expected("a tag or `{`") };
        out.attributes.unsupported = out.attributes.unsupported.or(attributes.unsupported);
        let declares_anew = self.peek() == TokenKind::Semicolon
            && out.storage == StorageClass::None
            && kind != TagKind::Enum;
        Ok(self.c.tag_reference(kind, tag, declares_anew, span))
    }

    fn record_body(&mut self, ty: TypeId, mut attributes: Attributes, start: u32) -> Parse<()> {
        self.bump();
        let mut members = Vec::new();
        loop {
            match self.peek() {
                TokenKind::RBrace => break,
                TokenKind::End => return self.expected("`}` of the struct or union"),
                TokenKind::Semicolon => {
                    self.bump();
                }
                TokenKind::KwStaticAssert => self.static_assert()?,
                _ => {
                    if self.member_declaration(&mut members).is_err() {
                        self.skip_statement();
                    }
                }
            }
        }
        self.bump();
        let pack = self.pack();
        attributes.add(self.attributes()?);
        let record = RecordAttributes {
            is_packed: attributes.is_packed,
            align: attributes.align,
            pack,
            is_transparent_union: attributes.is_transparent_union,
            limit: attributes.unsupported,
        };
        self.c.finish_record(ty, &members, record, self.span_from(start));
        Ok(())
    }

    fn member_declaration(&mut self, members: &mut Vec<MemberDeclaration>) -> Parse<()> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        if specifiers.storage != StorageClass::None {
            self.c.error(TypeProblem::BadStorage, specifiers.span);
        }
        if self.eat(TokenKind::Semicolon) {
            self.anonymous_member(&specifiers, members, start);
            return Ok(());
        }
        loop {
            let declarator = self.nested(Parser::declarator)?;
            let width = if self.eat(TokenKind::Colon) { Some(self.conditional()?) } else { None };
            let mut attributes = specifiers.attributes;
            attributes.add(declarator.attributes);
            let own = self.declarator_attributes()?;
            attributes.add(own);
            let ty = self.declared_type(specifiers.ty, &declarator);
            let ty = self.attributed_type(ty, own);
            let span = declarator.name.map_or(self.span_from(start), |name| name.1);
            self.note_spelling(&specifiers, span);
            let is_function = self.c.program.types.is_function(ty);
            if is_function || (declarator.name.is_none() && width.is_none()) {
                self.c.error(TypeProblem::Incomplete { ty: self.c.show(ty) }, span);
            } else {
                members.push(MemberDeclaration {
                    name: declarator.name.map(|name| name.0),
                    ty,
                    width,
                    align: attributes.align,
                    typedef_align: attributes.typedef_align,
                    is_packed: attributes.is_packed,
                    limit: attributes.unsupported,
                    span,
                });
            }
            if self.eat(TokenKind::Semicolon) {
                return Ok(());
            }
            // GNU lets the last `;` be missing.
            if self.peek() == TokenKind::RBrace {
                return Ok(());
            }
            self.expect(TokenKind::Comma, "`,` or `;` after the member")?;
        }
    }

    /// `struct { ... };` inside a record: an anonymous member. With a tag it only declares the tag.
    fn anonymous_member(
        &mut self,
        specifiers: &Specifiers,
        members: &mut Vec<MemberDeclaration>,
        start: u32,
    ) {
        let record = self.c.program.types.record_of(specifiers.ty);
        let untagged = record.is_some_and(|id| self.c.program.types.record(id).tag.is_none());
        if untagged {
            members.push(MemberDeclaration {
                name: None,
                ty: specifiers.ty,
                width: None,
                align: specifiers.attributes.align,
                typedef_align: specifiers.attributes.typedef_align,
                is_packed: specifiers.attributes.is_packed,
                limit: specifiers.attributes.unsupported,
                span: self.span_from(start),
            });
        }
    }

    fn enum_body(&mut self, ty: TypeId, mut attributes: Attributes, start: u32) -> Parse<()> {
        self.bump();
        let mut values = Vec::new();
        let mut previous = None;
        while self.peek() != TokenKind::RBrace {
            let (name, span) = self.expect_name()?;
            let of_constant = self.attributes()?;
            self.attributes_of_nothing(of_constant);
            let value = if self.eat(TokenKind::Equal) { Some(self.conditional()?) } else { None };
            let number = self.c.enumerator(name, value, previous, span);
            previous = Some(number);
            values.push((name, number, span));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "`}` or `,` in the enum")?;
        attributes.add(self.attributes()?);
        self.attributes_of_nothing(attributes);
        self.c.finish_enum(ty, &values, attributes.is_packed, self.span_from(start));
        Ok(())
    }
}
