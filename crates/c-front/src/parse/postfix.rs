//! Postfix operators: subscripts, calls, members, `++` and `--`.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::tree::{ExprId, Fixity, Step};

impl Parser<'_> {
    pub(crate) fn postfix(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let operand = self.primary()?;
        self.postfix_operators(operand, start)
    }

    pub(crate) fn postfix_operators(&mut self, operand: ExprId, start: u32) -> Parse<ExprId> {
        let mut at = operand;
        loop {
            let kind = self.peek();
            at = match kind {
                TokenKind::LBracket => {
                    self.bump();
                    let index = self.nested(Parser::expression)?;
                    self.expect(TokenKind::RBracket, "`]`")?;
                    self.c.subscript(at, index, self.span_from(start))
                }
                TokenKind::LParen => {
                    let arguments = self.call_arguments()?;
                    self.c.call(at, arguments, self.span_from(start))
                }
                TokenKind::Dot | TokenKind::Arrow => {
                    self.bump();
                    let (name, _) = self.expect_name()?;
                    let span = self.span_from(start);
                    if kind == TokenKind::Arrow {
                        let base = self.c.deref(at, span);
                        self.c.member(base, name, span)
                    } else {
                        self.c.member(at, name, span)
                    }
                }
                TokenKind::PlusPlus | TokenKind::MinusMinus => {
                    self.bump();
                    let step =
                        if kind == TokenKind::PlusPlus { Step::Forward } else { Step::Backward };
                    self.c.inc_dec(at, step, Fixity::Postfix, self.span_from(start))
                }
                _ => return Ok(at),
            };
        }
    }

    /// `( a, b )`.
    pub(crate) fn call_arguments(&mut self) -> Parse<Vec<ExprId>> {
        self.expect(TokenKind::LParen, "`(`")?;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::RParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if self.eat(TokenKind::RParen) {
                return Ok(arguments);
            }
            self.expect(TokenKind::Comma, "`,` or `)` in the argument list")?;
        }
    }
}
