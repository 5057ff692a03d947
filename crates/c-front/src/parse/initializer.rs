//! Initializers as written: expressions, braces, designators.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::check::initializer::{Designator, Written, WrittenEntry};
use crate::diagnostics::TypeProblem;
use crate::span::Span;

impl Parser<'_> {
    pub(crate) fn initializer(&mut self) -> Parse<Written> {
        if self.peek() != TokenKind::LBrace {
            return Ok(Written::Expr(self.assignment()?));
        }
        self.nested(Parser::initializer_list)
    }

    fn initializer_list(&mut self) -> Parse<Written> {
        let start = self.start();
        self.bump();
        let mut entries = Vec::new();
        while self.peek() != TokenKind::RBrace {
            let entry_start = self.start();
            let designators = self.designators()?;
            let value = self.initializer()?;
            entries.push(WrittenEntry { designators, value, span: self.span_from(entry_start) });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "`,` or `}` in the initializer")?;
        Ok(Written::List(entries, self.span_from(start)))
    }

    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        // Old GNU form: `field: value`.
        if self.peek() == TokenKind::Identifier && self.peek_at(1) == TokenKind::Colon {
            let (name, span) = self.expect_name()?;
            self.bump();
            return Ok(vec![Designator::Field(name, span)]);
        }
        loop {
            match self.peek() {
                TokenKind::Dot => {
                    self.bump();
                    let (name, span) = self.expect_name()?;
                    designators.push(Designator::Field(name, span));
                }
                TokenKind::LBracket => designators.push(self.index_designator()?),
                _ => break,
            }
        }
        if !designators.is_empty() {
            // GNU lets the `=` be missing after an index.
            let is_index = matches!(designators.last(), Some(Designator::Index { .. }));
            if !self.eat(TokenKind::Equal) && !is_index {
                return self.expected("`=` after the designator");
            }
        }
        Ok(designators)
    }

    fn index_designator(&mut self) -> Parse<Designator> {
        let start = self.start();
        self.bump();
        let first = self.conditional()?;
        let last = if self.eat(TokenKind::Ellipsis) { Some(self.conditional()?) } else { None };
        self.expect(TokenKind::RBracket, "`]`")?;
        let span: Span = self.span_from(start);
        let first = self.c.require_integer(first).unwrap_or(0);
        let last = match last {
            Some(last) => self.c.require_integer(last).unwrap_or(0),
            None => first,
        };
        match (u64::try_from(first), u64::try_from(last)) {
            (Ok(first), Ok(last)) if first <= last && last < u64::MAX => {
                Ok(Designator::Index { first, last, span })
            }
            _ => {
                self.c.error(TypeProblem::DesignatorRange, span);
                Ok(Designator::Index { first: 0, last: 0, span })
            }
        }
    }
}
