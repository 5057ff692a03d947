//! Primary expressions: names, literals, parentheses, `_Generic` and the builtins with a syntax of
//! their own.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::check::builtin::is_builtin_name;
use crate::check::member::OffsetStep;
use crate::diagnostics::TypeProblem;
use crate::span::Span;
use crate::tree::ExprId;
use crate::ty::kind::TypeId;

impl Parser<'_> {
    pub(crate) fn primary(&mut self) -> Parse<ExprId> {
        let token = self.token();
        let span = token.span();
        match token.kind {
            TokenKind::Identifier => self.name_expression(),
            TokenKind::Number => {
                self.bump();
                let text = self.text_of(token);
                Ok(self.c.number(text, span))
            }
            TokenKind::Character => {
                self.bump();
                let text = self.text_of(token);
                Ok(self.c.character(text, span))
            }
            TokenKind::String => Ok(self.string_literal()),
            TokenKind::LParen if self.peek_at(1) == TokenKind::LBrace => {
                self.nested(Parser::statement_expression)
            }
            TokenKind::LParen => {
                self.bump();
                let inner = self.nested(Parser::expression)?;
                self.expect(TokenKind::RParen, "`)`")?;
                Ok(inner)
            }
            TokenKind::KwFuncName => {
                self.bump();
                let function = self.c.function.as_ref().map(|function| function.id);
                let name = function.map(|id| self.c.program.function(id).name);
                let text = name.map_or(String::new(), |name| self.c.name_text(name));
                Ok(self.c.plain_string(original_name(&text), span))
            }
            TokenKind::KwGeneric => self.nested(Parser::generic),
            TokenKind::KwBuiltinVaArg => self.va_arg(),
            TokenKind::KwBuiltinOffsetof => self.offset_of(),
            TokenKind::KwBuiltinTypesCompatible => self.unevaluated(Parser::types_compatible),
            TokenKind::KwBuiltinChooseExpr => self.choose_expr(),
            _ => self.expected("an expression"),
        }
    }

    fn name_expression(&mut self) -> Parse<ExprId> {
        let token = self.bump();
        let (name, span) = (token.name, token.span());
        if self.peek() == TokenKind::LParen && self.c.scopes.lookup(name).is_none() {
            if is_builtin_name(self.c.program.name(name)) {
                let arguments = self.call_arguments()?;
                return Ok(self.c.builtin_call(name, &arguments, self.span_from(span.start)));
            }
            return Ok(self.c.implicit_function(name, span));
        }
        Ok(self.c.identifier(name, span))
    }

    /// One or more adjacent string literals.
    pub(crate) fn string_literal(&mut self) -> ExprId {
        let start = self.start();
        let mut parts = Vec::new();
        while self.peek() == TokenKind::String {
            let token = self.bump();
            parts.push((self.text_of(token), token.span()));
        }
        let span = self.span_from(start);
        self.c.string(&parts, span)
    }

    /// `({ ... })`.
    fn statement_expression(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        if self.c.function.is_none() {
            self.c.error(TypeProblem::NotConstant, self.token().span());
            // Still read it, so that the rest makes sense.
            self.bump();
            self.skip_statement_block();
            self.expect(TokenKind::RParen, "`)`")?;
            return Ok(self.c.error_node(self.span_from(start)));
        }
        self.c.begin_statement_expr();
        let outer_lengths = std::mem::take(&mut self.c.pending_lengths);
        let statements = self.block_items();
        self.c.pending_lengths = outer_lengths;
        let out = match statements {
            Ok(statements) => {
                // The value is read while the block's names are alive; types outlive them.
                let span = self.span_from(start);
                self.c.end_statement_expr(statements, span)
            }
            Err(bail) => {
                self.c.end_statement_expr(Vec::new(), self.span_from(start));
                return Err(bail);
            }
        };
        self.expect(TokenKind::RParen, "`)` after the statement expression")?;
        self.c.program.expr_mut(out).span = self.span_from(start);
        Ok(out)
    }

    /// Skips to behind the brace that closes the block already entered.
    fn skip_statement_block(&mut self) {
        loop {
            match self.peek() {
                TokenKind::RBrace => {
                    self.bump();
                    return;
                }
                TokenKind::End => return,
                _ => self.skip_statement(),
            }
        }
    }

    /// `_Generic(control, type: expr, default: expr)`.
    fn generic(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let control = self.assignment()?;
        let control = self.c.value(control);
        let control_ty = self.c.ty(control);
        let mut chosen: Option<ExprId> = None;
        let mut default = None;
        while self.eat(TokenKind::Comma) {
            if self.eat(TokenKind::KwDefault) {
                self.expect(TokenKind::Colon, "`:`")?;
                default = Some(self.assignment()?);
                continue;
            }
            let ty = self.type_name()?;
            self.expect(TokenKind::Colon, "`:`")?;
            let value = self.assignment()?;
            if self.c.program.types.compatible(ty, control_ty) {
                if chosen.is_some() {
                    let ty = self.c.show(ty);
                    self.c.error(TypeProblem::GenericDuplicate { ty }, self.span_from(start));
                }
                chosen = Some(value);
            }
        }
        self.expect(TokenKind::RParen, "`)`")?;
        match chosen.or(default) {
            Some(value) => Ok(value),
            None => {
                let span = self.span_from(start);
                if !self.c.is_error(control) {
                    let ty = self.c.show(control_ty);
                    self.c.error(TypeProblem::GenericNoMatch { ty }, span);
                }
                Ok(self.c.error_node(span))
            }
        }
    }

    fn va_arg(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let list = self.assignment()?;
        self.expect(TokenKind::Comma, "`,`")?;
        let ty = self.type_name()?;
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(self.c.va_arg(list, ty, self.span_from(start)))
    }

    fn offset_of(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let ty = self.type_name()?;
        self.expect(TokenKind::Comma, "`,`")?;
        let (name, name_span) = self.expect_name()?;
        let mut steps = vec![OffsetStep::Field(name, name_span)];
        loop {
            if self.eat(TokenKind::Dot) {
                let (name, name_span) = self.expect_name()?;
                steps.push(OffsetStep::Field(name, name_span));
            } else if self.eat(TokenKind::LBracket) {
                let index = self.expression()?;
                self.expect(TokenKind::RBracket, "`]`")?;
                steps.push(OffsetStep::Index(index));
            } else {
                break;
            }
        }
        self.expect(TokenKind::RParen, "`)`")?;
        let span = self.span_from(start);
        if !self.c.require_complete(ty, span) {
            return Ok(self.c.error_node(span));
        }
        Ok(self.c.offset_of(ty, &steps, span))
    }

    fn types_compatible(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let left = self.type_name()?;
        self.expect(TokenKind::Comma, "`,`")?;
        let right = self.type_name()?;
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(self.c.types_compatible(left, right, self.span_from(start)))
    }

    fn choose_expr(&mut self) -> Parse<ExprId> {
        self.bump();
        let arguments = self.call_arguments()?;
        match arguments[..] {
            [condition, then, otherwise] => Ok(self.c.choose_expr(condition, then, otherwise)),
            _ => self.expected("three arguments of `__builtin_choose_expr`"),
        }
    }

    /// `(type){...}` with the type already read.
    pub(crate) fn compound_literal(&mut self, ty: TypeId, start: u32) -> Parse<ExprId> {
        let written = self.initializer()?;
        let span: Span = self.span_from(start);
        let storage = if self.c.function.is_some() {
            crate::tree::Storage::Automatic
        } else {
            crate::tree::Storage::Static
        };
        let (init, completed) = self.c.initializer(ty, &written, storage);
        if !self.c.require_complete(completed, span) {
            return Ok(self.c.error_node(span));
        }
        Ok(self.c.compound_literal(completed, init, span))
    }
}

/// The name of the function that a mutant or an older version stands for: `__func__` tells them apart in no program.
fn original_name(name: &str) -> &str {
    let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mutant = without_number.strip_suffix("__mutant_").filter(|_| without_number != name);
    mutant.or_else(|| name.strip_suffix("__old")).filter(|it| !it.is_empty()).unwrap_or(name)
}
