//! Preprocessed text to tokens, line markers and `#pragma pack` changes.

use super::pragma::{self, Packing};
use super::scan::{Scanned, line_end, scan};
use super::token::{KEYWORDS, Token, TokenKind};
use crate::names::{Name, Names};
use crate::span::Span;

/// A line marker `# line "file" flags` of the preprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Offset in the text of the line that follows the marker.
    pub start: u32,
    /// Line number of that line in the file.
    pub line: u32,
    /// The file's name, escapes resolved; `None` keeps the previous one.
    pub file: Option<String>,
    /// The text comes from a system header.
    pub is_system: bool,
}

/// The value of `#pragma pack` from a token on; 0 means natural alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackChange {
    pub token: u32,
    pub bytes: u64,
}

/// What a name means to the preprocessor from some place on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MacroKind {
    Object,
    Function,
    /// `#undef`.
    Undefined,
}

/// A `#define` or `#undef` that the preprocessor left in its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MacroEvent {
    /// Number of the next token.
    pub token: u32,
    /// Where the name stands in the text (not moved by the base).
    pub name: Span,
    pub kind: MacroKind,
}

/// A unit's text, split. Always ends with a token of kind `End`.
#[derive(Debug, Default)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    /// Offsets in the text where lines start.
    pub line_starts: Vec<u32>,
    pub markers: Vec<Marker>,
    pub packs: Vec<PackChange>,
    pub macros: Vec<MacroEvent>,
    /// A pragma that changes meaning in a way that is not modeled. (Compilers ignore those they do not know.)
    pub pragma: Option<Box<str>>,
    /// Pragmas of OpenMP, by the number of the next token.
    pub openmp: Vec<u32>,
}

/// Keywords since C23 that have another spelling before. `constexpr` objects are `const` ones.
const C23: [(&str, TokenKind); 6] = [
    ("alignas", TokenKind::KwAlignas),
    ("alignof", TokenKind::KwAlignof),
    ("bool", TokenKind::KwBool),
    ("constexpr", TokenKind::KwConst),
    ("static_assert", TokenKind::KwStaticAssert),
    ("thread_local", TokenKind::KwThreadLocal),
];

impl Lexed {
    /// Turns the words that C23 made keywords into keywords.
    pub fn use_c23_keywords(&mut self, names: &Names) {
        for (spelling, kind) in C23 {
            let Some(name) = names.find(spelling) else { continue };
            for token in &mut self.tokens {
                if token.kind == TokenKind::Identifier && token.name == name {
                    token.kind = kind;
                }
            }
        }
    }
}

/// Splits `text`; token offsets are moved by `base`.
pub fn lex(text: &[u8], base: u32, names: &mut Names) -> Lexed {
    let mut out = Lexed { line_starts: vec![0], ..Lexed::default() };
    out.tokens.reserve(text.len() / 4);
    let mut packing = Packing::default();
    let mut at = 0;
    let mut at_line_start = true;
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    loop {
        match scan(text, at) {
            Scanned::End => break,
            Scanned::Newline(next) => {
                count_lines(text, at, next, &mut out.line_starts);
                at = next;
                at_line_start = true;
            }
            Scanned::Token(raw) if raw.kind == TokenKind::Hash && at_line_start => {
                let end = line_end(text, raw.start);
                if !macro_directive(text, raw.end, end, &mut out) {
                    directive(&text[raw.end..end], offset(end + 1), &mut out, &mut packing);
                }
                count_lines(text, at, end, &mut out.line_starts);
                at = end;
            }
            Scanned::Token(raw) => {
                at_line_start = false;
                // Comments, splices and spliced literals may pass newlines.
                let end = raw.end.min(text.len());
                count_lines(text, at, end, &mut out.line_starts);
                at = end;
                let mut kind = raw.kind;
                let mut name = Name(u32::MAX);
                if kind == TokenKind::Identifier {
                    (kind, name) = identifier(&text[raw.start..at], names);
                }
                out.tokens.push(Token {
                    kind,
                    start: base + offset(raw.start),
                    end: base + offset(at),
                    name,
                });
            }
        }
    }
    let end = base + offset(text.len());
    out.tokens.push(Token { kind: TokenKind::End, start: end, end, name: Name(u32::MAX) });
    out
}

fn identifier(bytes: &[u8], names: &mut Names) -> (TokenKind, Name) {
    let name = match std::str::from_utf8(bytes) {
        Ok(text) if text.contains('\\') => names.intern(&without_universal_names(text)),
        Ok(text) => names.intern(text),
        Err(_) => names.intern(&String::from_utf8_lossy(bytes)),
    };
    let kind = KEYWORDS.get(name.0 as usize).map_or(TokenKind::Identifier, |keyword| keyword.1);
    (kind, name)
}

/// The identifier with every `\u` escape replaced by its character.
fn without_universal_names(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let length = if after.starts_with('U') { 8 } else { 4 };
        let digits = after.get(1..1 + length).unwrap_or("");
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        out.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = after.get(1 + digits.len()..).unwrap_or("");
    }
    out + rest
}

fn count_lines(text: &[u8], start: usize, end: usize, line_starts: &mut Vec<u32>) {
    for (index, &byte) in text[start..end].iter().enumerate() {
        if byte == b'\n' {
            line_starts.push(u32::try_from(start + index + 1).unwrap_or(u32::MAX));
        }
    }
}

/// Notes a `#define` or `#undef`; `false` if the line is another directive.
fn macro_directive(text: &[u8], start: usize, end: usize, out: &mut Lexed) -> bool {
    let line = &text[start..end];
    let (word, undefines) = match line {
        [b'd', b'e', b'f', b'i', b'n', b'e', b' ', ..] => (7, false),
        [b'u', b'n', b'd', b'e', b'f', b' ', ..] => (6, true),
        _ => return false,
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let length = line[word..].iter().take_while(|byte| is_part(byte)).count();
    let kind = match line.get(word + length) {
        _ if undefines => MacroKind::Undefined,
        Some(b'(') => MacroKind::Function,
        _ => MacroKind::Object,
    };
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let name = Span::new(offset(start + word), offset(start + word + length));
    out.macros.push(MacroEvent { token: offset(out.tokens.len()), name, kind });
    true
}

/// Reads the rest of a `#` line.
fn directive(rest: &[u8], next_line: u32, out: &mut Lexed, packing: &mut Packing) {
    let text = String::from_utf8_lossy(rest);
    let text = text.trim();
    if let Some(pragma) = text.strip_prefix("pragma") {
        let pack = pragma.trim().strip_prefix("pack");
        if let Some(arguments) = pack.filter(|rest| !rest.starts_with(pragma::is_letter)) {
            match packing.take(arguments) {
                Some(bytes) => {
                    let token = u32::try_from(out.tokens.len()).unwrap_or(u32::MAX);
                    out.packs.push(PackChange { token, bytes });
                }
                None => out.pragma = out.pragma.take().or_else(|| Some("pack".into())),
            }
        }
        if pragma.split_whitespace().next() == Some("omp") {
            out.openmp.push(u32::try_from(out.tokens.len()).unwrap_or(u32::MAX));
        }
        let is_system = out.markers.last().is_some_and(|marker| marker.is_system);
        let known = out.pragma.take();
        out.pragma = known.or_else(|| pragma::unmodeled(pragma.trim(), is_system));
        return;
    }
    let text = text.strip_prefix("line").unwrap_or(text).trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let Ok(line) = text[..digits].parse::<u32>() else { return };
    let (file, flags) = file_name(text[digits..].trim_start());
    let is_system = flags.split_whitespace().any(|flag| flag == "3");
    out.markers.push(Marker { start: next_line, line, file, is_system });
}

/// The quoted name and what follows it.
fn file_name(text: &str) -> (Option<String>, &str) {
    let Some(body) = text.strip_prefix('"') else { return (None, text) };
    let mut name = String::new();
    let mut characters = body.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return (Some(name), &body[index + 1..]),
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => name.push(character),
        }
    }
    (None, text)
}
