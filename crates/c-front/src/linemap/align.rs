//! Aligns preprocessed tokens with the tokens of the file the user wrote.
//!
//! Line by line: equal texts stand for each other. Where they part, the original token is taken for a
//! macro's name; its use (with arguments, if a parenthesis follows and the rest then fits) stands for
//! all preprocessed tokens up to the place where both texts agree again. Inside such an expansion, a
//! run equal to a whole argument has the argument's place.
//!
//! A wrong guess only moves a column within the same line or macro use.

use glassbox_ir::FileId;

use super::{File, Unit};
use crate::parse::scan::{RawToken, Scanned, line_end, scan};
use crate::parse::token::{Token, TokenKind};

/// Where a preprocessed token was written. Offsets are the unit's own.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenPlace {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) file: FileId,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
    /// Stands for a macro use: offsets inside the token mean nothing in the file.
    pub(super) is_expanded: bool,
}

/// How many following tokens must agree for two texts to count as together again.
const AGREEMENT: usize = 4;

/// Arguments of a macro use longer than this are not followed over lines.
const MAX_ARGUMENT_TOKENS: usize = 4000;

/// A token of the user's file.
#[derive(Debug, Clone, Copy)]
struct Original {
    raw: RawToken,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// The tokens of a file outside of directives, and for each line the first one on it or after it.
struct OriginalFile<'a> {
    text: &'a [u8],
    tokens: Vec<Original>,
    first_of_line: Vec<usize>,
    /// A macro use that spans lines ended here, on a later line than it began: `(line, token)`.
    carry: (u32, usize),
}

impl OriginalFile<'_> {
    fn first_from(&self, line: u32) -> usize {
        self.first_of_line.get(line as usize).copied().unwrap_or(self.tokens.len())
    }

    fn text_of(&self, index: usize) -> &[u8] {
        let raw = self.tokens[index].raw;
        &self.text[raw.start..raw.end.min(self.text.len())]
    }
}

/// The places of all tokens that come from files with known text.
pub(super) fn places(
    unit: &Unit,
    files: &[File],
    tokens: &[Token],
    system: &[bool],
) -> Vec<TokenPlace> {
    let mut originals: Vec<Option<OriginalFile<'_>>> = files.iter().map(|_| None).collect();
    let mut out = Vec::new();
    let mut marker = 0;
    let mut at = 0;
    let mut pending: Option<(FileId, u32, std::ops::Range<usize>)> = None;
    let tokens = &tokens[..tokens.len().saturating_sub(1)];
    while at < tokens.len() {
        let offset = tokens[at].start - unit.base;
        while marker + 1 < unit.markers.len() && unit.markers[marker + 1].start <= offset {
            marker += 1;
        }
        let until = unit.markers.get(marker + 1).map_or(u32::MAX, |next| next.start);
        let file = unit.markers[marker].file;
        let known = !system[marker] && files[file.index()].text.is_some();
        if !known {
            at += tokens[at..].partition_point(|token| token.start - unit.base < until);
            continue;
        }
        let slot = &mut originals[file.index()];
        if slot.is_none() {
            let text = files[file.index()].text.as_ref().expect("a known file should have text");
            *slot = Some(tokenize(text));
        }
        let line_index = unit.line_index(offset);
        let line = unit.line_of(offset).1;
        let line_stop = unit.line_starts.get(line_index + 1).map_or(u32::MAX, |&next| next);
        let stop = until.min(line_stop);
        let count = tokens[at..].partition_point(|token| token.start - unit.base < stop);
        flush(&mut pending, Some((file, line)), unit, tokens, &mut originals, &mut out);
        pending = match pending {
            // A macro use that spans lines is printed on several preprocessed lines with one number.
            Some((same_file, same_line, range)) if same_file == file && same_line == line => {
                Some((file, line, range.start..at + count))
            }
            _ => Some((file, line, at..at + count)),
        };
        at += count.max(1);
    }
    flush(&mut pending, None, unit, tokens, &mut originals, &mut out);
    out
}

/// Aligns the pending group of tokens unless the next group continues it.
fn flush(
    pending: &mut Option<(FileId, u32, std::ops::Range<usize>)>,
    next: Option<(FileId, u32)>,
    unit: &Unit,
    tokens: &[Token],
    originals: &mut [Option<OriginalFile<'_>>],
    out: &mut Vec<TokenPlace>,
) {
    let Some((file, line, range)) = pending.take() else { return };
    if next == Some((file, line)) {
        *pending = Some((file, line, range));
        return;
    }
    let Some(original) = &mut originals[file.index()] else { return };
    let mut from = original.first_from(line);
    if original.carry.0 < line {
        from = from.max(original.carry.1);
    }
    let to = match next {
        Some((next_file, next_line)) if next_file == file && next_line > line => {
            original.first_from(next_line)
        }
        _ => original.tokens.len(),
    };
    let used = align_group(file, unit, &tokens[range], original, from..to.max(from), out);
    original.carry = (line, used);
}

/// Aligns one group; gives the first original token that is not used up.
fn align_group(
    file: FileId,
    unit: &Unit,
    tokens: &[Token],
    original: &OriginalFile<'_>,
    range: std::ops::Range<usize>,
    out: &mut Vec<TokenPlace>,
) -> usize {
    let text_of = |token: &Token| {
        let start = (token.start - unit.base) as usize;
        &unit.text[start..(token.end - unit.base) as usize]
    };
    let texts: Vec<&[u8]> = tokens.iter().map(text_of).collect();
    let mut place = |index: usize, first: usize, last: usize, is_expanded: bool| {
        let (first, last) = (original.tokens[first], original.tokens[last]);
        out.push(TokenPlace {
            start: tokens[index].start - unit.base,
            end: tokens[index].end - unit.base,
            file,
            line: first.line,
            column: first.column,
            end_line: last.end_line,
            end_column: last.end_column,
            is_expanded,
        });
    };
    let (mut at, mut from) = (0, range.start);
    while at < texts.len() && from < range.end {
        if texts[at] == original.text_of(from) {
            place(at, from, from, false);
            at += 1;
            from += 1;
            continue;
        }
        let (used, produced) = expansion(&texts[at..], original, from..range.end);
        let arguments = arguments(original, from..used);
        let inside = &texts[at..at + produced];
        let mut index = 0;
        while index < inside.len() {
            let argument = arguments.iter().find(|range| {
                let length = range.len();
                index + length <= inside.len()
                    && (0..length).all(|k| inside[index + k] == original.text_of(range.start + k))
            });
            match argument {
                Some(argument) => {
                    for k in 0..argument.len() {
                        place(at + index + k, argument.start + k, argument.start + k, false);
                    }
                    index += argument.len();
                }
                None => {
                    place(at + index, from, used - 1, true);
                    index += 1;
                }
            }
        }
        at += produced;
        from = used;
    }
    from
}

/// One past the macro use that starts at `range.start`, and how many of `texts` it produced.
fn expansion(
    texts: &[&[u8]],
    original: &OriginalFile<'_>,
    range: std::ops::Range<usize>,
) -> (usize, usize) {
    let agrees = |skip: usize, from: usize| {
        let rest = (range.end - from).min(texts.len() - skip).min(AGREEMENT);
        rest > 0 && (0..rest).all(|k| texts[skip + k] == original.text_of(from + k))
    };
    let object_like = range.start + 1;
    // Arguments may go on over the lines that follow.
    let far = original.tokens.len().min(range.end + MAX_ARGUMENT_TOKENS);
    let function_like = match matching_parenthesis(original, object_like..far) {
        Some(close) => close + 1,
        None => object_like,
    };
    if function_like >= range.end && object_like < range.end {
        // Either the rest of the group is this macro's, or the name alone is a macro and the rest of
        // both texts is the same.
        let rest = range.end - object_like;
        let same = texts.len().checked_sub(rest).filter(|&skip| {
            (0..rest).all(|k| texts[skip + k] == original.text_of(object_like + k))
        });
        return same.map_or((function_like, texts.len()), |skip| (object_like, skip));
    }
    // The longer reading first: a macro with arguments explains more.
    for used in [function_like, object_like] {
        if used >= range.end {
            continue;
        }
        if let Some(produced) = (0..texts.len()).find(|&skip| agrees(skip, used)) {
            return (used, produced);
        }
    }
    (function_like, texts.len())
}

/// The closing parenthesis if `range` starts with an opening one.
fn matching_parenthesis(
    original: &OriginalFile<'_>,
    range: std::ops::Range<usize>,
) -> Option<usize> {
    let mut depth = 0usize;
    for index in range.clone() {
        match original.tokens[index].raw.kind {
            TokenKind::LParen => depth += 1,
            TokenKind::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (index > range.start).then_some(index);
        }
    }
    None
}

/// The arguments of a macro use `name ( a , b )`, longest first.
fn arguments(
    original: &OriginalFile<'_>,
    macro_use: std::ops::Range<usize>,
) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    if macro_use.len() < 4 {
        return out;
    }
    let (mut depth, mut start) = (0usize, macro_use.start + 2);
    let close = macro_use.end - 1;
    for index in macro_use.start + 2..=close {
        match original.tokens[index].raw.kind {
            TokenKind::LParen => depth += 1,
            TokenKind::RParen if index < close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_comma = original.tokens[index].raw.kind == TokenKind::Comma && depth == 0;
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

fn tokenize(text: &[u8]) -> OriginalFile<'_> {
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
