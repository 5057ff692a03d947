//! Statements.

use super::cursor::{Parse, Parser};
use super::token::TokenKind;
use crate::span::Span;
use crate::tree::{ExprId, StmtId, StmtKind, Unsupported};

impl Parser<'_> {
    /// `{ ... }` in a scope of its own; gives the statements.
    pub(crate) fn block_items(&mut self) -> Parse<Vec<StmtId>> {
        self.c.scopes.enter();
        let items = self.function_block();
        let scope = self.c.scopes.leave();
        let end = self.span_from(self.start()).end;
        self.c.close_scope(&scope, end);
        items
    }

    /// `{ ... }` in the current scope.
    pub(crate) fn function_block(&mut self) -> Parse<Vec<StmtId>> {
        self.expect(TokenKind::LBrace, "`{`")?;
        let mut statements = Vec::new();
        let n_literals = self.c.open_literals.len();
        loop {
            match self.peek() {
                TokenKind::RBrace => {
                    self.bump();
                    self.c.declare_literals(n_literals, &mut statements);
                    return Ok(statements);
                }
                TokenKind::End => {
                    return self.expected("`}` at the end of the block");
                }
                _ => {}
            }
            if self.c.gave_up() {
                return Err(super::cursor::Bail);
            }
            let before = self.position();
            if self.block_item(&mut statements).is_err() {
                self.skip_statement();
                if self.position() == before {
                    self.bump();
                }
            }
        }
    }

    fn block_item(&mut self, statements: &mut Vec<StmtId>) -> Parse<()> {
        let is_label = self.peek() == TokenKind::Identifier && self.peek_at(1) == TokenKind::Colon;
        if self.peek() == TokenKind::KwLabel {
            // `__label__ a, b;` only limits the scope of labels.
            while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::End) {
                self.bump();
            }
            self.expect(TokenKind::Semicolon, "`;`")?;
            return Ok(());
        }
        if self.is_attribute_list() {
            let attributes = self.attributes()?;
            self.attributes_of_nothing(attributes);
            let is_all = self.eat(TokenKind::Semicolon);
            return if is_all { Ok(()) } else { self.nested(|p| p.block_item(statements)) };
        }
        if !is_label && self.starts_declaration() {
            return self.block_declaration(statements);
        }
        let statement = self.statement()?;
        statements.push(statement);
        Ok(())
    }

    pub(crate) fn statement(&mut self) -> Parse<StmtId> {
        self.nested(Parser::statement_inner)
    }

    fn statement_inner(&mut self) -> Parse<StmtId> {
        let start = self.start();
        match self.peek() {
            TokenKind::LBrace => {
                let statements = self.block_items()?;
                let kind = StmtKind::Block(statements.into());
                Ok(self.c.statement(kind, self.span_from(start)))
            }
            TokenKind::Semicolon => {
                self.bump();
                Ok(self.c.statement(StmtKind::Empty, self.span_from(start)))
            }
            TokenKind::KwIf => self.in_scope(|p| p.if_statement(start)),
            TokenKind::KwSwitch => self.in_scope(|p| p.switch_statement(start)),
            TokenKind::KwWhile => self.in_scope(|p| p.while_statement(start)),
            TokenKind::KwDo => self.in_scope(|p| p.do_statement(start)),
            TokenKind::KwFor => self.for_statement(start),
            TokenKind::KwCase => self.case_statement(start),
            TokenKind::KwDefault => self.default_statement(start),
            TokenKind::KwGoto => self.goto_statement(start),
            TokenKind::KwBreak | TokenKind::KwContinue | TokenKind::KwReturn => {
                self.jump_statement(start)
            }
            TokenKind::KwAsm => self.assembly(start),
            kind if kind == TokenKind::KwAttribute || self.is_attribute_list() => {
                let attributes = self.attributes()?;
                self.attributes_of_nothing(attributes);
                if self.eat(TokenKind::Semicolon) {
                    return Ok(self.c.statement(StmtKind::Empty, self.span_from(start)));
                }
                self.statement()
            }
            TokenKind::Identifier if self.peek_at(1) == TokenKind::Colon => {
                self.labeled_statement(start)
            }
            _ => {
                let expr = self.expression()?;
                self.expect(TokenKind::Semicolon, "`;`")?;
                let span = self.span_from(start);
                let expr = self.c.with_pending_lengths(expr, span);
                Ok(self.c.expression_statement(expr, span))
            }
        }
    }

    /// `( condition )`.
    fn condition(&mut self) -> Parse<ExprId> {
        self.expect(TokenKind::LParen, "`(`")?;
        let condition = self.expression()?;
        self.expect(TokenKind::RParen, "`)`")?;
        Ok(self.c.scalar_condition(condition))
    }

    fn if_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        let condition = self.condition()?;
        let then = self.statement_in_scope()?;
        let otherwise =
            if self.eat(TokenKind::KwElse) { Some(self.statement_in_scope()?) } else { None };
        let kind = StmtKind::If { condition, then, otherwise };
        Ok(self.c.statement(kind, self.span_from(start)))
    }

    /// A substatement, which is a block as far as names and objects go (C11 6.8.4p3). A lone declaration, which C
    /// forbids here, is reported by the expression parser.
    fn statement_in_scope(&mut self) -> Parse<StmtId> {
        self.in_scope(Parser::statement)
    }

    /// A statement that is a block since C99, even without braces.
    fn in_scope(&mut self, parse: impl FnOnce(&mut Self) -> Parse<StmtId>) -> Parse<StmtId> {
        if self.c.links.is_c90 {
            return parse(self);
        }
        let start = self.start();
        let n_literals = self.c.open_literals.len();
        self.c.scopes.enter();
        let statement = parse(self);
        let scope = self.c.scopes.leave();
        let span = self.span_from(start);
        self.c.close_scope(&scope, span.end);
        let statement = statement?;
        if self.c.open_literals.len() == n_literals {
            return Ok(statement);
        }
        // Literals that are objects end with it.
        let mut statements = vec![statement];
        self.c.declare_literals(n_literals, &mut statements);
        Ok(self.c.statement(StmtKind::Block(statements.into()), span))
    }

    fn switch_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let value = self.expression()?;
        self.expect(TokenKind::RParen, "`)`")?;
        let value = self.c.begin_switch(value);
        let body = self.statement_in_scope();
        let body = match body {
            Ok(body) => body,
            Err(bail) => {
                let empty = self.c.statement(StmtKind::Empty, self.span_from(start));
                self.c.end_switch(value, empty, self.span_from(start));
                return Err(bail);
            }
        };
        Ok(self.c.end_switch(value, body, self.span_from(start)))
    }

    fn loop_body(&mut self) -> Parse<StmtId> {
        self.c.begin_loop();
        let body = self.statement_in_scope();
        self.c.end_loop();
        body
    }

    fn while_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        let condition = self.condition()?;
        let body = self.loop_body()?;
        let kind = StmtKind::While { condition, body };
        Ok(self.c.statement(kind, self.span_from(start)))
    }

    fn do_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        let body = self.loop_body()?;
        self.expect(TokenKind::KwWhile, "`while` of the do loop")?;
        let condition = self.condition()?;
        self.expect(TokenKind::Semicolon, "`;`")?;
        let kind = StmtKind::DoWhile { body, condition };
        Ok(self.c.statement(kind, self.span_from(start)))
    }

    fn for_statement(&mut self, start: u32) -> Parse<StmtId> {
        if !self.c.links.is_c90 {
            return self.in_scope(|p| p.for_parts(start));
        }
        self.c.scopes.enter();
        let out = self.for_parts(start);
        let scope = self.c.scopes.leave();
        let end = self.span_from(start).end;
        self.c.close_scope(&scope, end);
        out
    }

    fn for_parts(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let mut init = Vec::new();
        if self.starts_declaration() {
            self.block_declaration(&mut init)?;
        } else if !self.eat(TokenKind::Semicolon) {
            let init_start = self.start();
            let expr = self.expression()?;
            let span = self.span_from(init_start);
            init.push(self.c.expression_statement(expr, span));
            self.expect(TokenKind::Semicolon, "`;`")?;
        }
        let condition = if self.peek() == TokenKind::Semicolon {
            None
        } else {
            let condition = self.expression()?;
            Some(self.c.scalar_condition(condition))
        };
        self.expect(TokenKind::Semicolon, "`;`")?;
        let step = if self.peek() == TokenKind::RParen { None } else { Some(self.expression()?) };
        self.expect(TokenKind::RParen, "`)`")?;
        let body = self.loop_body()?;
        let kind = StmtKind::For { init: init.into(), condition, step, body };
        Ok(self.c.statement(kind, self.span_from(start)))
    }

    /// The statement that a label stands before; a label at the end of a block has an empty one.
    fn labeled_body(&mut self) -> Parse<StmtId> {
        if self.peek() == TokenKind::RBrace {
            let span = Span::new(self.start(), self.start());
            return Ok(self.c.statement(StmtKind::Empty, span));
        }
        if self.starts_declaration()
            && !(self.peek() == TokenKind::Identifier && self.peek_at(1) == TokenKind::Colon)
        {
            // A declaration after a label (C23): the block goes on with it.
            let span = Span::new(self.start(), self.start());
            return Ok(self.c.statement(StmtKind::Empty, span));
        }
        self.statement()
    }

    fn case_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        let low = self.conditional()?;
        let high = if self.eat(TokenKind::Ellipsis) { Some(self.conditional()?) } else { None };
        let span = self.span_from(start);
        self.expect(TokenKind::Colon, "`:` after the case value")?;
        let bounds = self.c.case_label(low, high, span);
        // The label is registered before its body, so that nested labels come later.
        let statement = self.c.statement(StmtKind::Empty, span);
        if bounds.is_some() {
            self.c.add_switch_label(statement);
        }
        let body = self.labeled_body()?;
        let whole = self.span_from(start);
        let node = self.c.program.stmt_mut(statement);
        node.span = whole;
        node.kind = match bounds {
            Some((low, high)) => StmtKind::Case { low, high, body },
            None => StmtKind::Block(Box::new([body])),
        };
        Ok(statement)
    }

    fn default_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        let span = self.span_from(start);
        self.expect(TokenKind::Colon, "`:` after `default`")?;
        let is_label = self.c.default_label(span);
        let statement = self.c.statement(StmtKind::Empty, span);
        if is_label {
            self.c.add_switch_label(statement);
        }
        let body = self.labeled_body()?;
        let whole = self.span_from(start);
        let node = self.c.program.stmt_mut(statement);
        node.span = whole;
        node.kind =
            if is_label { StmtKind::Default { body } } else { StmtKind::Block(Box::new([body])) };
        Ok(statement)
    }

    fn labeled_statement(&mut self, start: u32) -> Parse<StmtId> {
        let (name, span) = self.expect_name()?;
        self.bump();
        let attributes = self.attributes()?;
        self.attributes_of_nothing(attributes);
        let label = self.c.define_label(name, span);
        let body = self.labeled_body()?;
        let whole = self.span_from(start);
        Ok(match label {
            Some(label) => self.c.statement(StmtKind::Label { label, body }, whole),
            None => body,
        })
    }

    fn goto_statement(&mut self, start: u32) -> Parse<StmtId> {
        self.bump();
        if self.eat(TokenKind::Star) {
            let target = self.expression()?;
            self.expect(TokenKind::Semicolon, "`;`")?;
            return Ok(self.c.goto_computed(target, self.span_from(start)));
        }
        let (name, name_span) = self.expect_name()?;
        self.expect(TokenKind::Semicolon, "`;`")?;
        let span = self.span_from(start);
        Ok(match self.c.use_label(name, name_span) {
            Some(label) => self.c.statement(StmtKind::Goto(label), span),
            None => self.c.statement(StmtKind::Unsupported(Unsupported::ComputedGoto), span),
        })
    }

    fn jump_statement(&mut self, start: u32) -> Parse<StmtId> {
        let kind = self.bump().kind;
        let mut value = None;
        if kind == TokenKind::KwReturn && self.peek() != TokenKind::Semicolon {
            let expr = self.expression()?;
            let span = self.span_from(start);
            value = Some(self.c.with_pending_lengths(expr, span));
        }
        self.expect(TokenKind::Semicolon, "`;`")?;
        let span = self.span_from(start);
        Ok(match kind {
            TokenKind::KwBreak => self.c.break_statement(span),
            TokenKind::KwContinue => self.c.continue_statement(span),
            _ => self.c.return_statement(value, span),
        })
    }
}
