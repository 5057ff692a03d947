//! The parser's position in the tokens, and syntax errors.

use super::lex::{Lexed, Marker, PackChange};
use super::token::{Token, TokenKind};
use crate::check::Checker;
use crate::diagnostics::{Problem, SyntaxProblem};
use crate::names::Name;
use crate::span::Span;

/// Brackets and statements nested deeper than this are refused.
pub(crate) const MAX_NESTING: u32 = 2000;

/// A syntax error was reported; the caller abandons its construct.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bail;

pub(crate) type Parse<T> = Result<T, Bail>;

/// Reads one unit.
pub(crate) struct Parser<'a> {
    pub(crate) c: Checker<'a>,
    tokens: &'a [Token],
    at: usize,
    text: &'a [u8],
    base: u32,
    packs: &'a [PackChange],
    markers: &'a [Marker],
    /// Pragmas of OpenMP that count and are in no body, as far as it was read, by the number of the next token.
    pub(crate) openmp: Vec<u32>,
    depth: u32,
    /// The end of the file was reported as unexpected.
    met_end: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(c: Checker<'a>, lexed: &'a Lexed, text: &'a [u8], base: u32) -> Parser<'a> {
        Parser {
            c,
            tokens: &lexed.tokens,
            at: 0,
            text,
            base,
            packs: &lexed.packs,
            markers: &lexed.markers,
            openmp: Vec::new(),
            depth: 0,
            met_end: false,
        }
    }

    /// Makes pragmas of OpenMP count.
    pub(crate) fn follow_openmp(&mut self, lexed: &Lexed) {
        self.openmp.clone_from(&lexed.openmp);
    }

    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The kind `ahead` tokens on; `End` beyond the end.
    pub(crate) fn peek_at(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    pub(crate) fn name_at(&self, ahead: usize) -> Option<Name> {
        let token = self.tokens.get(self.at + ahead)?;
        (token.kind == TokenKind::Identifier).then_some(token.name)
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Goes back to a token that was read.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    pub(crate) fn all_tokens(&self) -> &'a [Token] {
        self.tokens
    }

    /// The file and the line of a token, as `__FILE__` and `__LINE__` have them.
    pub(crate) fn line_of(&self, token: Token) -> (String, u32) {
        let at = token.start - self.base;
        let after = self.markers.partition_point(|marker| marker.start <= at);
        let before = self.markers.get(..after).unwrap_or_default();
        let file = before.iter().rev().find_map(|marker| marker.file.clone());
        let (start, line) = before.last().map_or((0, 1), |marker| (marker.start, marker.line));
        let text = self.text.get(start as usize..at as usize).unwrap_or_default();
        let n_lines = text.iter().filter(|byte| **byte == b'\n').count();
        (file.unwrap_or_default(), line + u32::try_from(n_lines).unwrap_or(0))
    }

    /// The text between two tokens, both included.
    pub(crate) fn text_between(&self, first: Token, last: Token) -> String {
        let (start, end) = ((first.start - self.base) as usize, (last.end - self.base) as usize);
        String::from_utf8_lossy(self.text.get(start..end).unwrap_or_default()).into_owned()
    }

    /// The tokens from one that was read to the last one that was.
    pub(crate) fn tokens_since(&self, first: usize) -> &'a [Token] {
        &self.tokens[first..self.at]
    }

    /// Takes the token; the end is never passed.
    pub(crate) fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Where the next construct starts.
    pub(crate) fn start(&self) -> u32 {
        self.token().start
    }

    /// From `start` to the end of the last token taken.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        let end = self.at.checked_sub(1).map_or(start, |at| self.tokens[at].end);
        Span::new(start, end.max(start))
    }

    pub(crate) fn text_of(&self, token: Token) -> &'a [u8] {
        let start = (token.start - self.base) as usize;
        &self.text[start..(token.end - self.base) as usize]
    }

    /// Whether a token comes from a header of the system.
    pub(crate) fn is_in_system_header(&self, token: Token) -> bool {
        let at = token.start - self.base;
        let after = self.markers.partition_point(|marker| marker.start <= at);
        after.checked_sub(1).is_some_and(|index| self.markers[index].is_system)
    }

    /// The current token as messages quote it.
    fn found(&self) -> String {
        match self.peek() {
            TokenKind::End => "end of file".to_string(),
            _ => {
                let text = String::from_utf8_lossy(self.text_of(self.token())).into_owned();
                let short: String = text.chars().take(40).collect();
                format!("`{short}`")
            }
        }
    }

    /// Reports that `what` should stand here.
    pub(crate) fn expected<T>(&mut self, what: &'static str) -> Parse<T> {
        let span = self.token().span();
        if self.peek() == TokenKind::End && std::mem::replace(&mut self.met_end, true) {
            // Every open bracket ends here: one message is enough.
            return Err(Bail);
        }
        let problem = match self.peek() {
            TokenKind::Stray => {
                let text = String::from_utf8_lossy(self.text_of(self.token())).into_owned();
                SyntaxProblem::StrayCharacter { found: text }
            }
            _ => SyntaxProblem::Expected { what, found: self.found() },
        };
        self.c.report(Problem::Syntax(problem), span);
        Err(Bail)
    }

    pub(crate) fn expect(&mut self, kind: TokenKind, what: &'static str) -> Parse<Token> {
        if self.peek() == kind { Ok(self.bump()) } else { self.expected(what) }
    }

    pub(crate) fn expect_name(&mut self) -> Parse<(Name, Span)> {
        let token = self.expect(TokenKind::Identifier, "an identifier")?;
        Ok((token.name, token.span()))
    }

    /// Runs `inner` one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Parser<'a>) -> Parse<T>,
    ) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            let problem = SyntaxProblem::TooDeep { limit: MAX_NESTING };
            self.c.report(Problem::Syntax(problem), self.token().span());
            // Nothing sensible follows: go to the end.
            self.at = self.tokens.len() - 1;
            self.c.give_up();
            return Err(Bail);
        }
        self.depth += 1;
        let out = inner(self);
        self.depth -= 1;
        out
    }

    /// The value of `#pragma pack` at the current token, 0 for none.
    pub(crate) fn pack(&self) -> u64 {
        let at = u32::try_from(self.at).unwrap_or(u32::MAX);
        let after = self.packs.partition_point(|change| change.token <= at);
        let written = after.checked_sub(1).map_or(0, |index| self.packs[index].bytes);
        // What is not said anywhere is what the compiler's flags say.
        if written == 0 { self.c.links.target.max_member_align.unwrap_or(0) } else { written }
    }

    /// Skips to behind the next `;` or before the `}` that closes the current block.
    pub(crate) fn skip_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Semicolon if depth == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::RBrace if depth == 0 => return,
                TokenKind::RBrace => {
                    depth -= 1;
                    self.bump();
                    if depth == 0 {
                        return;
                    }
                    continue;
                }
                TokenKind::LBrace => depth += 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips a balanced `( ... )` whose opening parenthesis is next.
    pub(crate) fn skip_parentheses(&mut self) -> Parse<()> {
        self.expect(TokenKind::LParen, "`(`")?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.peek() {
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => depth -= 1,
                TokenKind::End => return self.expected("`)`"),
                _ => {}
            }
            self.bump();
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// The content of all string literals since token `first`.
    pub(crate) fn text_of_strings(&self, first: usize) -> String {
        let strings = self.tokens[first..self.at].iter().filter(|t| t.kind == TokenKind::String);
        let texts = strings.map(|token| String::from_utf8_lossy(self.text_of(*token)).into_owned());
        texts.map(|text| text.trim_matches('"').to_owned()).collect()
    }

    /// The labels of the `asm goto` whose `(` is token `open`.
    pub(crate) fn names_after_last_colon(&self, open: usize) -> Vec<(Name, Span)> {
        let inside = &self.tokens[open..self.at];
        let from = inside.iter().rposition(|token| token.kind == TokenKind::Colon).unwrap_or(0);
        let names = inside[from..].iter().filter(|token| token.kind == TokenKind::Identifier);
        names.map(|token| (token.name, token.span())).collect()
    }

    /// The labels outside of the nested function whose body began at token `open` that it jumps to: those
    /// that it does not define.
    pub(crate) fn jumps_out_of(&self, open: usize) -> Vec<(Name, Span)> {
        let inside = &self.tokens[open..self.at];
        let is_defined = |name: Name| {
            inside.windows(2).any(|pair| {
                pair[0].kind == TokenKind::Identifier
                    && pair[0].name == name
                    && pair[1].kind == TokenKind::Colon
            })
        };
        let jumps = inside.windows(2).filter(|pair| {
            pair[0].kind == TokenKind::KwGoto
                && pair[1].kind == TokenKind::Identifier
                && !is_defined(pair[1].name)
        });
        jumps.map(|pair| (pair[1].name, pair[1].span())).collect()
    }
}
