//! Casts, prefix operators, `sizeof` and `_Alignof`.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::tree::{ExprId, Fixity, Step, UnaryOp, Unsupported};
use crate::ty::kind::TypeKind;

impl Parser<'_> {
    /// A cast, a compound literal, or a unary expression.
    pub(crate) fn cast_expression(&mut self) -> Parse<ExprId> {
        if self.peek() != TokenKind::LParen || !self.starts_type_at(1) {
            return self.unary();
        }
        let start = self.start();
        self.nested(|p| {
            p.bump();
            let ty = p.type_name()?;
            p.expect(TokenKind::RParen, "`)` after the type")?;
            if p.peek() == TokenKind::LBrace {
                let literal = p.compound_literal(ty, start)?;
                return p.postfix_operators(literal, start);
            }
            let operand = p.cast_expression()?;
            let span = p.span_from(start);
            let cast = p.c.cast(ty, operand, span);
            Ok(p.c.with_pending_lengths(cast, span))
        })
    }

    fn prefix_operand(&mut self) -> Parse<ExprId> {
        self.bump();
        self.nested(Parser::cast_expression)
    }

    fn unary(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let kind = self.peek();
        match kind {
            TokenKind::PlusPlus | TokenKind::MinusMinus => {
                self.bump();
                let target = self.nested(Parser::unary)?;
                let step = if kind == TokenKind::PlusPlus { Step::Forward } else { Step::Backward };
                let span = self.span_from(start);
                Ok(self.c.inc_dec(target, step, Fixity::Prefix, span))
            }
            TokenKind::Amp => {
                let operand = self.prefix_operand()?;
                let span = self.span_from(start);
                Ok(self.c.address_of(operand, span))
            }
            TokenKind::Star => {
                let operand = self.prefix_operand()?;
                let span = self.span_from(start);
                Ok(self.c.deref(operand, span))
            }
            TokenKind::Plus => {
                let operand = self.prefix_operand()?;
                let span = self.span_from(start);
                Ok(self.c.unary_plus(operand, span))
            }
            TokenKind::Minus | TokenKind::Tilde => {
                let operand = self.prefix_operand()?;
                let op = if kind == TokenKind::Minus { UnaryOp::Negate } else { UnaryOp::BitNot };
                let span = self.span_from(start);
                Ok(self.c.unary(op, operand, span))
            }
            TokenKind::Bang => {
                let operand = self.prefix_operand()?;
                let span = self.span_from(start);
                Ok(self.c.logical_not(operand, span))
            }
            TokenKind::AmpAmp => {
                self.bump();
                let (name, name_span) = self.expect_name()?;
                Ok(self.c.label_address(name, self.span_from(start).to(name_span)))
            }
            TokenKind::KwExtension => self.prefix_operand(),
            TokenKind::KwReal | TokenKind::KwImag => self.complex_part(kind, start),
            TokenKind::KwSizeof => self.unevaluated(|p| p.size_of(start)),
            TokenKind::KwAlignof => self.unevaluated(|p| p.align_of(start)),
            _ => self.postfix(),
        }
    }

    /// `__real__ x` of a real value is x itself, `__imag__ x` is zero.
    fn complex_part(&mut self, kind: TokenKind, start: u32) -> Parse<ExprId> {
        let operand = self.prefix_operand()?;
        let span = self.span_from(start);
        if let TypeKind::Complex(part) = *self.c.program.types.kind(self.c.ty(operand)) {
            let ty = self.c.program.types.intern(TypeKind::Float(part));
            return Ok(self.c.unsupported(Unsupported::Complex, ty, span));
        }
        if kind == TokenKind::KwReal {
            return Ok(operand);
        }
        let value = self.c.value(operand);
        let ty = self.c.ty(value);
        let zero = self.c.small_int(0, span);
        Ok(self.c.convert_scalar(zero, ty))
    }

    fn size_of(&mut self, start: u32) -> Parse<ExprId> {
        self.bump();
        if self.peek() == TokenKind::LParen && self.starts_type_at(1) {
            let open = self.start();
            self.bump();
            let ty = self.type_name()?;
            self.expect(TokenKind::RParen, "`)` after the type")?;
            if self.peek() == TokenKind::LBrace {
                let literal = self.compound_literal(ty, open)?;
                let operand = self.postfix_operators(literal, open)?;
                return Ok(self.c.size_of_expr(operand, self.span_from(start)));
            }
            return Ok(self.c.size_of_type(ty, self.span_from(start)));
        }
        let n_exprs = self.c.program.exprs.len();
        let operand = self.nested(Parser::unary)?;
        // An operand of variable length is evaluated, which matters where that does something.
        let ty = self.c.ty(operand);
        if self.c.program.types.size_of(ty).is_none() && self.c.does_something_since(n_exprs) {
            let what = Unsupported::Construct("`sizeof` of an array whose length is set in it");
            let size = self.c.program.types.size_type();
            return Ok(self.c.unsupported(what, size, self.span_from(start)));
        }
        Ok(self.c.size_of_expr(operand, self.span_from(start)))
    }

    /// An operator whose operand is not evaluated: lengths of arrays in it are set only if the operator has taken them
    /// over, which is where the operand is such an array (C11 6.5.3.4p2).
    pub(super) fn unevaluated<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer_lengths = std::mem::take(&mut self.c.pending_lengths);
        let out = parse(self);
        self.c.pending_lengths = outer_lengths;
        out
    }

    fn align_of(&mut self, start: u32) -> Parse<ExprId> {
        self.bump();
        if self.peek() == TokenKind::LParen && self.starts_type_at(1) {
            self.bump();
            let ty = self.type_name()?;
            self.expect(TokenKind::RParen, "`)` after the type")?;
            return Ok(self.c.align_of_type(ty, self.span_from(start)));
        }
        let operand = self.nested(Parser::unary)?;
        Ok(self.c.align_of_expr(operand, self.span_from(start)))
    }
}
