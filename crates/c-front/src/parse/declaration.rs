//! Declarations at file scope and in blocks.

use super::cursor::{Parse, Parser};
use super::declarator::{Declarator, Derivation, FunctionDeclarator};
use super::specifier::Specifiers;
use super::token::TokenKind;
use crate::check::declare::{Declared, Made, StorageClass};
use crate::check::initializer::Written;
use crate::diagnostics::TypeProblem;
use crate::names::Name;
use crate::tree::{Asked, FunctionId, StmtId, StmtKind, Storage, Unsupported, VariableRole};

impl Parser<'_> {
    /// A whole unit.
    pub(crate) fn unit(&mut self) {
        while self.peek() != TokenKind::End && !self.c.gave_up() {
            let before = self.position();
            if self.external_declaration().is_err() {
                self.c.function = None;
                self.c.pending_lengths.clear();
                while self.c.scopes.level() > 0 {
                    self.c.scopes.leave();
                }
                self.skip_statement();
                // A stray `}` closes nothing here.
                if self.peek() == TokenKind::RBrace {
                    self.bump();
                }
            }
            if self.position() == before {
                self.bump();
            }
        }
    }

    fn external_declaration(&mut self) -> Parse<()> {
        match self.peek() {
            TokenKind::Semicolon => {
                self.bump();
                return Ok(());
            }
            TokenKind::KwStaticAssert => return self.static_assert(),
            TokenKind::KwAsm => {
                self.bump();
                let first = self.position();
                self.skip_parentheses()?;
                let text = self.text_of_strings(first);
                self.note_assembly_words(&text);
                self.expect(TokenKind::Semicolon, "`;`")?;
                return Ok(());
            }
            _ => {}
        }
        let start = self.start();
        let specifiers = self.specifiers()?;
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let mut is_first = true;
        loop {
            let n_variables = self.c.program.variables.len();
            let declarator = self.nested(Parser::declarator)?;
            if is_first && self.is_definition(&declarator) {
                return self.function_definition(&specifiers, declarator, start);
            }
            is_first = false;
            // Parameters of a prototype leave nothing behind, unless a type refers to their lengths.
            let made = &self.c.program.variables[n_variables..];
            if made.iter().all(|variable| matches!(variable.role, VariableRole::Parameter(_))) {
                self.c.program.variables.truncate(n_variables);
            }
            let mut statements = Vec::new();
            self.init_declarator(&specifiers, &declarator, &mut statements)?;
            if self.eat(TokenKind::Semicolon) {
                return Ok(());
            }
            if !self.eat(TokenKind::Comma) {
                return self.expected("`,`, `;`, `=` or a function body");
            }
        }
    }

    fn is_definition(&self, declarator: &Declarator) -> bool {
        let is_function = matches!(declarator.derivations.last(), Some(Derivation::Function(_)));
        is_function
            && (self.peek() == TokenKind::LBrace
                || (self.starts_declaration() && self.peek() != TokenKind::KwAttribute))
    }

    /// A declaration in a block; what must be executed goes to `out`.
    pub(crate) fn block_declaration(&mut self, out: &mut Vec<StmtId>) -> Parse<()> {
        if self.peek() == TokenKind::KwStaticAssert {
            return self.static_assert();
        }
        let start = self.start();
        let specifiers = self.specifiers()?;
        if self.eat(TokenKind::Semicolon) {
            self.c.place_pending_lengths(self.span_from(start), out);
            return Ok(());
        }
        let mut is_first = true;
        loop {
            let declarator = self.nested(Parser::declarator)?;
            if is_first && self.is_definition(&declarator) {
                return self.nested_function(&specifiers, &declarator, out, start);
            }
            is_first = false;
            self.init_declarator(&specifiers, &declarator, out)?;
            if self.eat(TokenKind::Semicolon) {
                return Ok(());
            }
            self.expect(TokenKind::Comma, "`,`, `;` or `=`")?;
        }
    }

    /// GNU nested functions are skipped; reaching the place is unsupported.
    fn nested_function(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        out: &mut Vec<StmtId>,
        start: u32,
    ) -> Parse<()> {
        // The name is declared, so that calls of it are checked.
        let mut declared = self.declared(specifiers, declarator)?;
        declared.storage = StorageClass::Static;
        declared.has_initializer = false;
        // It may be called before control has come here, if a jump goes around.
        if let Made::Function(id) = self.c.declare(&declared) {
            let what = Unsupported::NestedFunction;
            self.c.program.limits.unmodeled.functions.insert(id, what);
        }
        while !matches!(self.peek(), TokenKind::LBrace | TokenKind::End) {
            self.bump();
        }
        let open = self.position();
        self.expect(TokenKind::LBrace, "`{`")?;
        let mut depth = 1u32;
        while depth > 0 && self.peek() != TokenKind::End {
            match self.bump().kind {
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth -= 1,
                _ => {}
            }
        }
        let labels = self.jumps_out_of(open);
        let span = self.span_from(start);
        out.push(self.c.unsupported_jump(Unsupported::NestedFunction, &labels, span));
        Ok(())
    }

    /// What a declarator declares under its specifiers.
    pub(crate) fn declared(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Parse<Declared> {
        let Some((name, span)) = declarator.name else { return self.expected("a name") };
        let mut attributes = specifiers.attributes;
        attributes.add(declarator.attributes);
        let own = self.declarator_attributes()?;
        attributes.add(own);
        self.note_spelling(specifiers, span);
        let ty = self.declared_type(specifiers.ty, declarator);
        let ty = self.attributed_type(ty, own);
        if own.is_transparent_union {
            self.c.make_transparent(ty);
        }
        Ok(Declared {
            name,
            span,
            ty,
            storage: specifiers.storage,
            is_inline: specifiers.is_inline,
            is_noreturn: attributes.is_noreturn,
            promise: attributes.promise,
            is_gnu_inline: attributes.is_gnu_inline,
            align: attributes.align,
            is_thread: specifiers.is_thread,
            nonnull: attributes.nonnull,
            around_main: attributes.around_main,
            unsupported: attributes.unsupported,
            symbol: attributes.symbol,
            is_listed: attributes.is_listed,
            has_initializer: self.peek() == TokenKind::Equal,
        })
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        out: &mut Vec<StmtId>,
    ) -> Parse<()> {
        let start = declarator.span.start;
        let mut declared = self.declared(specifiers, declarator)?;
        if specifiers.is_auto_type {
            return self.auto_type(declared, start, out);
        }
        let in_function = self.c.function.is_some();
        if declared.storage == StorageClass::Auto && !in_function {
            self.c.error(TypeProblem::BadStorage, specifiers.span);
            declared.storage = StorageClass::None;
        }
        if in_function {
            self.c.place_pending_lengths(declarator.span, out);
        }
        let made = self.c.declare(&declared);
        if let (Made::Function(id), Some(Derivation::Function(function))) =
            (&made, declarator.derivations.last())
        {
            let names = function.parameters.iter().map(|p| p.name.map(|(name, _)| name)).collect();
            self.c.program.function_mut(*id).declared_names = names;
            self.note_asked(*id, function, declared.nonnull);
        }
        let written = if self.eat(TokenKind::Equal) { Some(self.initializer()?) } else { None };
        self.finish_declarator(made, written.as_ref(), start, out);
        self.note_limits(made, &declared, start, out);
        Ok(())
    }

    /// What this declaration asks callers to pass; declarations add up.
    pub(crate) fn note_asked(
        &mut self,
        id: FunctionId,
        function: &FunctionDeclarator,
        nonnull: u64,
    ) {
        let parameters = function.parameters.iter().zip(0u32..);
        let here = parameters.map(|(parameter, position)| {
            let is_marked = nonnull.checked_shr(position).is_some_and(|bits| bits & 1 == 1);
            let is_pointer = self.c.program.types.is_pointer(parameter.ty);
            let is_nonnull = is_pointer && (is_marked || parameter.asked.is_nonnull);
            Asked { is_nonnull, ..parameter.asked }
        });
        let here: Vec<Asked> = here.collect();
        let known = &mut self.c.program.function_mut(id).asked;
        known.resize(known.len().max(here.len()), Asked::default());
        for (known, here) in known.iter_mut().zip(here) {
            known.is_nonnull |= here.is_nonnull;
            known.elements = here.elements.or(known.elements);
        }
    }

    /// Notes the part of a declaration that is not understood: every use of what it declares meets the limit.
    pub(crate) fn note_limits(
        &mut self,
        made: Made,
        declared: &Declared,
        start: u32,
        out: &mut Vec<StmtId>,
    ) {
        let attribute = |name: Name| Unsupported::Attribute(self.c.name_text(name).into());
        match made {
            Made::Function(id) => {
                let limit = declared.unsupported.map(|name| (id, attribute(name)));
                let limits = &mut self.c.program.limits;
                limits.unmodeled.functions.extend(limit);
                limits.function_symbols.extend(declared.symbol.map(|name| (id, name)));
            }
            Made::Variable { id, ty } => {
                let limit = declared.unsupported.or(self.c.record_limit(ty)).map(attribute);
                let is_run = declared.is_listed && self.c.program.types.has_function_pointer(ty);
                let limits = &mut self.c.program.limits;
                if is_run {
                    // Start-up code goes through such lists.
                    limits.everywhere = Some(Unsupported::Attribute("section".into()));
                }
                limits.variable_symbols.extend(declared.symbol.map(|name| (id, name)));
                let Some(what) = limit else { return };
                limits.unmodeled.variables.insert(id, what.clone());
                // It may have an effect even if the variable is not used, as `cleanup` has.
                if self.c.program.variable(id).storage == Storage::Automatic {
                    let span = self.span_from(start);
                    out.push(self.c.statement(StmtKind::Unsupported(what), span));
                }
            }
            // The typedef has it.
            Made::Typedef | Made::Nothing => {}
        }
    }

    fn finish_declarator(
        &mut self,
        made: Made,
        written: Option<&Written>,
        start: u32,
        out: &mut Vec<StmtId>,
    ) {
        let Made::Variable { id, ty } = made else { return };
        let init = written.and_then(|written| self.c.initialize(id, ty, written));
        let variable = self.c.program.variable(id);
        if variable.storage == Storage::Automatic && self.c.function.is_some() {
            let span = self.span_from(start);
            out.push(self.c.statement(StmtKind::Declare { variable: id, init }, span));
        }
    }

    /// `__auto_type name = value`.
    fn auto_type(
        &mut self,
        mut declared: Declared,
        start: u32,
        out: &mut Vec<StmtId>,
    ) -> Parse<()> {
        self.expect(TokenKind::Equal, "`=` after `__auto_type`")?;
        let value = self.assignment()?;
        // What contracts keep from before the call would be a pointer to what is there behind it.
        let is_old = self.c.program.name(declared.name).starts_with("__old");
        if is_old && self.c.program.types.is_array(self.c.ty(value)) {
            self.c.error(TypeProblem::OldArray, declared.span);
        }
        let value = self.c.value(value);
        declared.ty = self.c.ty(value);
        let made = self.c.declare(&declared);
        self.finish_declarator(made, Some(&Written::Expr(value)), start, out);
        self.note_limits(made, &declared, start, out);
        Ok(())
    }

    /// `_Static_assert(condition, "message");`
    pub(crate) fn static_assert(&mut self) -> Parse<()> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LParen, "`(`")?;
        let condition = self.conditional()?;
        let mut message = String::new();
        if self.eat(TokenKind::Comma) {
            if self.peek() != TokenKind::String {
                return self.expected("a string literal");
            }
            while self.peek() == TokenKind::String {
                let token = self.bump();
                let text = String::from_utf8_lossy(self.text_of(token)).into_owned();
                message.push_str(text.trim_matches('"'));
            }
        }
        self.expect(TokenKind::RParen, "`)`")?;
        let span = self.span_from(start);
        if self.c.require_integer(condition) == Some(0) {
            self.c.error(TypeProblem::StaticAssertion { message }, span);
        }
        self.expect(TokenKind::Semicolon, "`;`")?;
        Ok(())
    }
}
