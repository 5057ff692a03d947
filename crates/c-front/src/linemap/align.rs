//! Aligns preprocessed tokens with the tokens of the file the user wrote.
//!
//! Line by line: equal texts stand for each other until a macro is used (the preprocessor is asked to
//! leave the `#define`s in its output, so macros are known by name). A use stands for all preprocessed
//! tokens up to the place, outside of brackets, where the text behind the use goes on. Inside such an
//! expansion, a run equal to a whole argument has the argument's place. If no definitions are known,
//! the name at which the two texts part is taken for a macro.
//!
//! A wrong guess only moves a column within the same line or macro use.

use std::ops::Range;

use glassbox_ir::FileId;
use rustc_hash::FxHashMap;

use super::original::{OriginalFile, tokenize};
use super::{File, Unit};
use crate::parse::lex::{Lexed, MacroKind};
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

/// How many tokens behind a macro use are looked for at most.
const MAX_ANCHOR: usize = 6;

/// Consecutive preprocessed tokens of one line of one file.
struct Group {
    file: FileId,
    line: u32,
    tokens: Range<usize>,
}

/// The state of one unit's alignment.
struct Aligner<'a> {
    unit: &'a Unit,
    tokens: &'a [Token],
    /// Macros defined at the current place, by name.
    macros: FxHashMap<&'a [u8], MacroKind>,
    knows_macros: bool,
    out: Vec<TokenPlace>,
}

/// The places of all tokens that come from files with known text.
///
/// Text that a system header's macro made is marked as that header's, with the place of the use: it
/// belongs to the file of the use.
pub(super) fn places(unit: &Unit, files: &[File], lexed: &Lexed) -> Vec<TokenPlace> {
    let mut originals: Vec<Option<OriginalFile<'_>>> = files.iter().map(|_| None).collect();
    let tokens = &lexed.tokens[..lexed.tokens.len().saturating_sub(1)];
    let mut aligner = Aligner {
        unit,
        tokens,
        macros: FxHashMap::default(),
        knows_macros: !lexed.macros.is_empty(),
        out: Vec::new(),
    };
    let mut events = lexed.macros.iter().peekable();
    let mut pending: Option<Group> = None;
    let (mut marker, mut at) = (0, 0);
    while at < tokens.len() {
        let offset = tokens[at].start - unit.base;
        while marker + 1 < unit.markers.len() && unit.markers[marker + 1].start <= offset {
            marker += 1;
        }
        let until = unit.markers.get(marker + 1).map_or(u32::MAX, |next| next.start);
        let file = unit.markers[marker].file;
        if files[file.index()].text.is_none() {
            at += tokens[at..].partition_point(|token| token.start - unit.base < until).max(1);
            continue;
        }
        let line = unit.line_of(offset).1;
        let next_line = unit.line_starts.get(unit.line_index(offset) + 1);
        let stop = until.min(next_line.map_or(u32::MAX, |&next| next));
        let count = tokens[at..].partition_point(|token| token.start - unit.base < stop).max(1);
        // A macro use over several lines may be printed on several lines with one number.
        match &mut pending {
            Some(group) if group.file == file && group.line == line => {
                group.tokens.end = at + count
            }
            _ => {
                if let Some(group) = pending.take() {
                    aligner.align(&group, files, &mut originals);
                }
                while let Some(event) = events.next_if(|event| event.token as usize <= at) {
                    let name = &unit.text[event.name.start as usize..event.name.end as usize];
                    aligner.macros.insert(name, event.kind);
                }
                pending = Some(Group { file, line, tokens: at..at + count });
            }
        }
        at += count;
    }
    if let Some(group) = pending {
        aligner.align(&group, files, &mut originals);
    }
    aligner.out
}

impl<'a> Aligner<'a> {
    fn text_of(&self, token: &Token) -> &'a [u8] {
        let start = (token.start - self.unit.base) as usize;
        &self.unit.text[start..(token.end - self.unit.base) as usize]
    }

    /// Aligns one group and remembers how far the original was used.
    fn align<'f>(
        &mut self,
        group: &Group,
        files: &'f [File],
        originals: &mut [Option<OriginalFile<'f>>],
    ) {
        let Some(text) = &files[group.file.index()].text else { return };
        let slot = &mut originals[group.file.index()];
        let original = slot.get_or_insert_with(|| tokenize(text));
        let mut from = original.first_from(group.line);
        if original.carry.0 < group.line {
            from = from.max(original.carry.1);
        }
        let to = original.first_from(group.line + 1).max(from);
        let used = self.align_tokens(group, original, from..to);
        original.carry = (group.line, used);
    }

    /// Gives places to a group's tokens; returns the first original token not used.
    fn align_tokens(
        &mut self,
        group: &Group,
        original: &OriginalFile<'_>,
        range: Range<usize>,
    ) -> usize {
        let texts: Vec<&[u8]> =
            self.tokens[group.tokens.clone()].iter().map(|token| self.text_of(token)).collect();
        let (mut at, mut from) = (0, range.start);
        while at < texts.len() && from < range.end {
            let is_same = texts[at] == original.text_of(from);
            let use_end = match self.macro_use(original, from) {
                // `#define stdin stdin` and the like.
                Some(end) if is_same && end == from + 1 => None,
                Some(end) => Some(end),
                None if is_same => None,
                None if self.knows_macros => Some(from + 1),
                None => Some(self.guessed_use(original, from)),
            };
            let Some(use_end) = use_end else {
                self.place(group, at, original, from..from + 1, false);
                at += 1;
                from += 1;
                continue;
            };
            let (used, produced) = self.expansion(&texts[at..], original, use_end, range.end);
            self.place_expansion(group, at, &texts[at..at + produced], original, from..used);
            at += produced;
            from = used;
        }
        from
    }

    /// One past the macro use that starts at `index`, if a known macro is used there.
    fn macro_use(&self, original: &OriginalFile<'_>, index: usize) -> Option<usize> {
        if original.tokens[index].raw.kind != TokenKind::Identifier {
            return None;
        }
        match self.macros.get(original.text_of(index))? {
            MacroKind::Undefined => None,
            MacroKind::Object => Some(index + 1),
            MacroKind::Function => Some(original.matching_parenthesis(index + 1)? + 1),
        }
    }

    /// Without definitions: a name with its parentheses, if any.
    fn guessed_use(&self, original: &OriginalFile<'_>, index: usize) -> usize {
        original.matching_parenthesis(index + 1).map_or(index + 1, |close| close + 1)
    }

    /// How far the original text is used by macros from `use_end` on, and how many of `texts` they made.
    fn expansion(
        &self,
        texts: &[&[u8]],
        original: &OriginalFile<'_>,
        use_end: usize,
        range_end: usize,
    ) -> (usize, usize) {
        let mut use_end = use_end;
        loop {
            if use_end >= range_end {
                return (use_end, texts.len());
            }
            match self.macro_use(original, use_end) {
                Some(next) => use_end = next,
                None => break,
            }
        }
        let plain = (use_end..range_end)
            .take_while(|&index| self.macro_use(original, index).is_none())
            .count();
        let agrees = |skip: usize, length: usize| {
            (0..length).all(|k| texts.get(skip + k) == Some(&original.text_of(use_end + k)))
        };
        // Nothing but plain text follows: it is the end of both.
        if use_end + plain == range_end
            && let Some(skip) = texts.len().checked_sub(plain)
            && agrees(skip, plain)
        {
            return (use_end, skip);
        }
        let mut depth = 0i32;
        for (skip, text) in texts.iter().enumerate() {
            if depth <= 0 && agrees(skip, plain.min(MAX_ANCHOR)) {
                return (use_end, skip);
            }
            depth += match text {
                [b'(' | b'[' | b'{'] => 1,
                [b')' | b']' | b'}'] => -1,
                _ => 0,
            };
        }
        (use_end, texts.len())
    }

    /// Places what a macro use made: arguments where they stand, the rest at the use.
    fn place_expansion(
        &mut self,
        group: &Group,
        at: usize,
        inside: &[&[u8]],
        original: &OriginalFile<'_>,
        macro_use: Range<usize>,
    ) {
        let end = macro_use.end.min(original.tokens.len());
        let macro_use = macro_use.start..end;
        let arguments = original.arguments(macro_use.clone());
        let mut index = 0;
        while index < inside.len() {
            let argument = arguments.iter().find(|range| {
                index + range.len() <= inside.len()
                    && (range.start..range.end)
                        .zip(&inside[index..])
                        .all(|(token, text)| original.text_of(token) == *text)
            });
            match argument {
                Some(argument) => {
                    for token in argument.clone() {
                        self.place(group, at + index, original, token..token + 1, false);
                        index += 1;
                    }
                }
                None => {
                    self.place(group, at + index, original, macro_use.clone(), true);
                    index += 1;
                }
            }
        }
    }

    fn place(
        &mut self,
        group: &Group,
        index: usize,
        original: &OriginalFile<'_>,
        range: Range<usize>,
        is_expanded: bool,
    ) {
        let token = self.tokens[group.tokens.start + index];
        let (first, last) = (original.tokens[range.start], original.tokens[range.end - 1]);
        self.out.push(TokenPlace {
            start: token.start - self.unit.base,
            end: token.end - self.unit.base,
            file: group.file,
            line: first.line,
            column: first.column,
            end_line: last.end_line,
            end_column: last.end_column,
            is_expanded,
        });
    }
}
