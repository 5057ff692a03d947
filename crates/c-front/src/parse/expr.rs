//! Expressions: comma, assignment, conditional and binary operators.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::span::Span;
use crate::tree::{BinaryOp, CompareOp, ExprId, LogicalOp};

/// A binary operator and how tightly it binds.
#[derive(Debug, Clone, Copy)]
enum Infix {
    Arithmetic(BinaryOp),
    Compare(CompareOp),
    Logical(LogicalOp),
}

fn infix(kind: TokenKind) -> Option<(u8, Infix)> {
    use TokenKind as T;
    Some(match kind {
        T::PipePipe => (1, Infix::Logical(LogicalOp::Or)),
        T::AmpAmp => (2, Infix::Logical(LogicalOp::And)),
        T::Pipe => (3, Infix::Arithmetic(BinaryOp::Or)),
        T::Caret => (4, Infix::Arithmetic(BinaryOp::Xor)),
        T::Amp => (5, Infix::Arithmetic(BinaryOp::And)),
        T::EqualEqual => (6, Infix::Compare(CompareOp::Equal)),
        T::BangEqual => (6, Infix::Compare(CompareOp::NotEqual)),
        T::Less => (7, Infix::Compare(CompareOp::Less)),
        T::LessEqual => (7, Infix::Compare(CompareOp::LessEqual)),
        T::Greater => (7, Infix::Compare(CompareOp::Greater)),
        T::GreaterEqual => (7, Infix::Compare(CompareOp::GreaterEqual)),
        T::LessLess => (8, Infix::Arithmetic(BinaryOp::Shl)),
        T::GreaterGreater => (8, Infix::Arithmetic(BinaryOp::Shr)),
        T::Plus => (9, Infix::Arithmetic(BinaryOp::Add)),
        T::Minus => (9, Infix::Arithmetic(BinaryOp::Sub)),
        T::Star => (10, Infix::Arithmetic(BinaryOp::Mul)),
        T::Slash => (10, Infix::Arithmetic(BinaryOp::Div)),
        T::Percent => (10, Infix::Arithmetic(BinaryOp::Rem)),
        _ => return None,
    })
}

/// `=` as `None`, `+=` and the others as their operator.
pub(super) fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    use TokenKind as T;
    Some(match kind {
        T::Equal => None,
        T::PlusEqual => Some(BinaryOp::Add),
        T::MinusEqual => Some(BinaryOp::Sub),
        T::StarEqual => Some(BinaryOp::Mul),
        T::SlashEqual => Some(BinaryOp::Div),
        T::PercentEqual => Some(BinaryOp::Rem),
        T::AmpEqual => Some(BinaryOp::And),
        T::PipeEqual => Some(BinaryOp::Or),
        T::CaretEqual => Some(BinaryOp::Xor),
        T::LessLessEqual => Some(BinaryOp::Shl),
        T::GreaterGreaterEqual => Some(BinaryOp::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A full expression, commas included.
    pub(crate) fn expression(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let mut left = self.assignment()?;
        while self.eat(TokenKind::Comma) {
            let right = self.assignment()?;
            left = self.c.comma(left, right, self.span_from(start));
        }
        Ok(left)
    }

    /// An expression without a comma at its top.
    pub(crate) fn assignment(&mut self) -> Parse<ExprId> {
        self.nested(|p| {
            let start = p.start();
            let target = p.conditional()?;
            let Some(op) = assignment(p.peek()) else { return Ok(target) };
            p.bump();
            let value = p.assignment()?;
            let span = p.span_from(start);
            Ok(match op {
                None => p.c.assign(target, value, span),
                Some(op) => p.c.compound_assign(op, target, value, span),
            })
        })
    }

    /// A conditional expression: what constants must be.
    pub(crate) fn conditional(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let condition = self.binary(0)?;
        if !self.eat(TokenKind::Question) {
            return Ok(condition);
        }
        self.nested(|p| {
            let then = if p.peek() == TokenKind::Colon { None } else { Some(p.expression()?) };
            p.expect(TokenKind::Colon, "`:` of the conditional expression")?;
            let otherwise = p.conditional()?;
            Ok(p.c.conditional(condition, then, otherwise, p.span_from(start)))
        })
    }

    /// Operators that bind at least as tightly as `least`, by precedence climbing.
    fn binary(&mut self, least: u8) -> Parse<ExprId> {
        let start = self.start();
        let mut left = self.cast_expression()?;
        while let Some((precedence, op)) = infix(self.peek()) {
            if precedence < least {
                break;
            }
            self.bump();
            let right = self.binary(precedence + 1)?;
            let span = self.span_from(start);
            left = self.combine(op, left, right, span);
        }
        Ok(left)
    }

    fn combine(&mut self, op: Infix, left: ExprId, right: ExprId, span: Span) -> ExprId {
        match op {
            Infix::Arithmetic(op) => self.c.binary_expression(op, left, right, span),
            Infix::Compare(op) => self.c.compare(op, left, right, span),
            Infix::Logical(op) => self.c.logical(op, left, right, span),
        }
    }
}
