//! The tokens of a file as the user wrote it.

use std::ops::Range;

use crate::parse::scan::{RawToken, Scanned, line_end, scan};
use crate::parse::token::TokenKind;

/// Arguments of a macro use longer than this are not followed.
const MAX_ARGUMENT_TOKENS: usize = 4000;

/// A token of the user's file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Original {
    pub(super) raw: RawToken,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

/// The tokens of a file outside of directives, and for each line the first one on it or after it.
pub(super) struct OriginalFile<'a> {
    text: &'a [u8],
    pub(super) tokens: Vec<Original>,
    first_of_line: Vec<usize>,
    /// A macro use that spans lines ended here, on a later line than it began: `(line, token)`.
    pub(super) carry: (u32, usize),
}

impl OriginalFile<'_> {
    pub(super) fn first_from(&self, line: u32) -> usize {
        self.first_of_line.get(line as usize).copied().unwrap_or(self.tokens.len())
    }

    /// The closing parenthesis if token `open` is an opening one.
    pub(super) fn matching_parenthesis(&self, open: usize) -> Option<usize> {
        let end = self.tokens.len().min(open.saturating_add(MAX_ARGUMENT_TOKENS));
        let mut depth = 0usize;
        for index in open..end {
            let kind = self.tokens[index].raw.kind;
            if kind == TokenKind::LParen {
                depth += 1;
            } else if kind == TokenKind::RParen {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return (index > open).then_some(index);
            }
        }
        None
    }

    /// The arguments of a macro use `name ( a , b )`, longest first.
    pub(super) fn arguments(&self, macro_use: Range<usize>) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        if macro_use.len() < 4 || self.tokens[macro_use.start + 1].raw.kind != TokenKind::LParen {
            return out;
        }
        let (mut depth, mut start) = (0usize, macro_use.start + 2);
        let close = macro_use.end - 1;
        for index in macro_use.start + 2..=close {
            let kind = self.tokens[index].raw.kind;
            if kind == TokenKind::LParen {
                depth += 1;
            } else if kind == TokenKind::RParen && index < close {
                depth = depth.saturating_sub(1);
            }
            let is_comma = kind == TokenKind::Comma && depth == 0;
            if is_comma || index == close {
                if start < index {
                    out.push(start..index);
                }
                start = index + 1;
            }
        }
        out.sort_by_key(|range| std::cmp::Reverse(range.len()));
        out
    }

    pub(super) fn text_of(&self, index: usize) -> &[u8] {
        let raw = self.tokens[index].raw;
        &self.text[raw.start..raw.end.min(self.text.len())]
    }
}

/// Splits a file into tokens, leaving out directives.
pub(super) fn tokenize(text: &[u8]) -> OriginalFile<'_> {
    let mut tokens = Vec::new();
    let (mut at, mut line, mut line_start) = (0usize, 1u32, 0usize);
    let mut at_line_start = true;
    let advance = |from: usize, to: usize, line: &mut u32, line_start: &mut usize| {
        for (index, &byte) in text[from..to].iter().enumerate() {
            if byte == b'\n' {
                *line += 1;
                *line_start = from + index + 1;
            }
        }
    };
    let column =
        |at: usize, line_start: usize| u32::try_from(at - line_start + 1).unwrap_or(u32::MAX);
    loop {
        match scan(text, at) {
            Scanned::End => break,
            Scanned::Newline(next) => {
                advance(at, next, &mut line, &mut line_start);
                at = next;
                at_line_start = true;
            }
            Scanned::Token(raw) if raw.kind == TokenKind::Hash && at_line_start => {
                let end = line_end(text, raw.start);
                advance(at, end, &mut line, &mut line_start);
                at = end;
            }
            Scanned::Token(raw) => {
                at_line_start = false;
                let end = raw.end.min(text.len());
                advance(at, raw.start, &mut line, &mut line_start);
                let (start_line, start_column) = (line, column(raw.start, line_start));
                advance(raw.start, end, &mut line, &mut line_start);
                tokens.push(Original {
                    raw: RawToken { end, ..raw },
                    line: start_line,
                    column: start_column,
                    end_line: line,
                    end_column: column(end, line_start),
                });
                at = end;
            }
        }
    }
    let mut first_of_line = Vec::with_capacity(line as usize + 2);
    let mut next = 0;
    for number in 0..=line + 1 {
        while next < tokens.len() && tokens[next].line < number {
            next += 1;
        }
        first_of_line.push(next);
    }
    OriginalFile { text, tokens, first_of_line, carry: (0, 0) }
}
