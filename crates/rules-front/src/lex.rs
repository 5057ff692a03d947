//! Words of a specification.

use crate::problem::{Problem, Spot};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Name(String),
    Number(u128),
    Symbol(&'static str),
    End,
}

/// A word and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub token: Token,
    pub spot: Spot,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "=>", "->", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!", "(",
    ")", "[", "]", "{", "}", ",", ";", ":", "=", "|", ".",
];

/// All words, with an end behind the last.
pub fn tokens(text: &str) -> Result<Vec<Word>, Problem> {
    let mut words = Vec::new();
    let mut last_line = 1;
    for (row, line) in (1u32..).zip(text.split('\n')) {
        last_line = row;
        let mut at = 0;
        while at < line.len() {
            let rest = &line[at..];
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with("//") {
                break;
            }
            if first.is_whitespace() {
                at += first.len_utf8();
                continue;
            }
            let (token, length) = word(rest)
                .map_err(|(length, message)| Problem::new(spot(row, at, length), message))?;
            words.push(Word { token, spot: spot(row, at, length) });
            at += length;
        }
    }
    words.push(Word { token: Token::End, spot: spot(last_line, 0, 0) });
    Ok(words)
}

fn spot(line: u32, at: usize, length: usize) -> Spot {
    let column = |offset: usize| u32::try_from(offset + 1).unwrap_or(u32::MAX);
    Spot { line, column: column(at), end_line: line, end_column: column(at + length) }
}

type Wrong = (usize, String);

fn word(rest: &str) -> Result<(Token, usize), Wrong> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let text = &rest[..length];
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        return match number {
            Ok(number) => Ok((Token::Number(number), length)),
            Err(_) => Err((length, format!("`{text}` is no number"))),
        };
    }
    if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return Ok((Token::Name(text.to_owned()), length));
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return Ok((Token::Symbol(symbol), symbol.len()));
    }
    let letter = rest.chars().next().unwrap_or_default();
    Err((letter.len_utf8(), format!("`{letter}` has no meaning here")))
}
