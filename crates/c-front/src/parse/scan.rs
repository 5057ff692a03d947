//! Splits bytes into tokens, without meaning: used on preprocessed text and on the user's own files.

use super::token::TokenKind;

/// A token's extent in the bytes it was scanned from. Keywords are still `Identifier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawToken {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// What stands at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scanned {
    Token(RawToken),
    /// A `\n`; the next position begins a line.
    Newline(usize),
    End,
}

fn is_identifier_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_identifier_part(byte: u8) -> bool {
    is_identifier_start(byte) || byte.is_ascii_digit()
}

/// The token or newline at or after `at`; white space, comments and line splices are skipped.
pub fn scan(bytes: &[u8], mut at: usize) -> Scanned {
    loop {
        let Some(&byte) = bytes.get(at) else { return Scanned::End };
        match byte {
            b'\n' => return Scanned::Newline(at + 1),
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => at += 1,
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
            b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at += 3,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(bytes, at + 2),
            _ => return Scanned::Token(token_at(bytes, at, byte)),
        }
    }
}

/// The end of the line, not counting newlines after a backslash.
pub fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' && at + 1 < bytes.len() { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn comment_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if bytes[at] == b'*' && bytes.get(at + 1) == Some(&b'/') {
            return at + 2;
        }
        at += 1;
    }
    bytes.len()
}

/// A universal character name `\uXXXX` in an identifier.
fn is_universal_name(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\\' && matches!(bytes.get(at + 1), Some(b'u' | b'U'))
}

fn token_at(bytes: &[u8], start: usize, byte: u8) -> RawToken {
    let next = bytes.get(start + 1).copied().unwrap_or(0);
    let (kind, end) = if is_identifier_start(byte) || is_universal_name(bytes, start) {
        identifier_or_prefixed(bytes, start)
    } else if byte.is_ascii_digit() || (byte == b'.' && next.is_ascii_digit()) {
        (TokenKind::Number, number_end(bytes, start))
    } else if byte == b'"' {
        (TokenKind::String, quoted_end(bytes, start))
    } else if byte == b'\'' {
        (TokenKind::Character, quoted_end(bytes, start))
    } else {
        punctuator(bytes, start)
    };
    RawToken { kind, start, end }
}

fn identifier_or_prefixed(bytes: &[u8], start: usize) -> (TokenKind, usize) {
    let mut end = start + 1;
    while end < bytes.len() && (is_identifier_part(bytes[end]) || is_universal_name(bytes, end)) {
        end += 1;
    }
    let is_prefix = matches!(&bytes[start..end], b"L" | b"u" | b"U" | b"u8");
    match bytes.get(end) {
        Some(b'"') if is_prefix => (TokenKind::String, quoted_end(bytes, end)),
        Some(b'\'') if is_prefix => (TokenKind::Character, quoted_end(bytes, end)),
        _ => (TokenKind::Identifier, end),
    }
}

/// A preprocessing number: digits, letters, dots, signs after an exponent mark, and C23's `'` between digits.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(&byte) = bytes.get(end) {
        let after_exponent = matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
        let separates = byte == b'\''
            && bytes[end - 1].is_ascii_hexdigit()
            && bytes.get(end + 1).is_some_and(u8::is_ascii_hexdigit);
        if is_identifier_part(byte)
            || separates
            || byte == b'.'
            || (after_exponent && (byte == b'+' || byte == b'-'))
        {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The end of a literal whose opening quote is at `open`; an unterminated one ends before the newline.
fn quoted_end(bytes: &[u8], open: usize) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn punctuator(bytes: &[u8], start: usize) -> (TokenKind, usize) {
    use TokenKind as T;
    const THREE: [(&[u8], TokenKind); 3] =
        [(b"...", T::Ellipsis), (b"<<=", T::LessLessEqual), (b">>=", T::GreaterGreaterEqual)];
    const TWO: [(&[u8], TokenKind); 24] = [
        (b"->", T::Arrow),
        (b"++", T::PlusPlus),
        (b"+=", T::PlusEqual),
        (b"--", T::MinusMinus),
        (b"-=", T::MinusEqual),
        (b"*=", T::StarEqual),
        (b"/=", T::SlashEqual),
        (b"%=", T::PercentEqual),
        (b"&&", T::AmpAmp),
        (b"&=", T::AmpEqual),
        (b"||", T::PipePipe),
        (b"|=", T::PipeEqual),
        (b"^=", T::CaretEqual),
        (b"!=", T::BangEqual),
        (b"==", T::EqualEqual),
        (b"<=", T::LessEqual),
        (b"<<", T::LessLess),
        (b">=", T::GreaterEqual),
        (b">>", T::GreaterGreater),
        (b"<:", T::LBracket),
        (b":>", T::RBracket),
        (b"<%", T::LBrace),
        (b"%>", T::RBrace),
        (b"%:", T::Hash),
    ];
    let rest = &bytes[start..];
    if rest.len() >= 2 && rest[1].is_ascii_punctuation() {
        for (text, kind) in THREE {
            if rest.starts_with(text) {
                return (kind, start + 3);
            }
        }
        for (text, kind) in TWO {
            if rest.starts_with(text) {
                return (kind, start + 2);
            }
        }
    }
    let kind = match rest[0] {
        b'(' => T::LParen,
        b')' => T::RParen,
        b'[' => T::LBracket,
        b']' => T::RBracket,
        b'{' => T::LBrace,
        b'}' => T::RBrace,
        b',' => T::Comma,
        b';' => T::Semicolon,
        b':' => T::Colon,
        b'?' => T::Question,
        b'.' => T::Dot,
        b'+' => T::Plus,
        b'-' => T::Minus,
        b'*' => T::Star,
        b'/' => T::Slash,
        b'%' => T::Percent,
        b'&' => T::Amp,
        b'|' => T::Pipe,
        b'^' => T::Caret,
        b'~' => T::Tilde,
        b'!' => T::Bang,
        b'=' => T::Equal,
        b'<' => T::Less,
        b'>' => T::Greater,
        b'#' => T::Hash,
        _ => T::Stray,
    };
    (kind, start + 1)
}
