//! Tokens of the textual form.

use super::parse::ParseError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A run of letters, digits and `_ . %`.
    Word(String),
    Text(String),
    Punct(char),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Punct(c) => write!(f, "`{c}`"),
        }
    }
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%')
}

/// All tokens with the lines they are on, counted from 1.
pub(super) fn lex(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if c.is_whitespace() {
                rest = &rest[c.len_utf8()..];
            } else if rest.starts_with("//") {
                break;
            } else if is_word_char(c) {
                let end = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
                tokens.push((Token::Word(rest[..end].to_owned()), number));
                rest = &rest[end..];
            } else if c == '"' {
                let (text, after) = string(&rest[1..]).ok_or(ParseError {
                    line: number,
                    expected: "the end of a string".to_owned(),
                    found: "the end of the line".to_owned(),
                })?;
                tokens.push((Token::Text(text), number));
                rest = after;
            } else {
                tokens.push((Token::Punct(c), number));
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    Ok(tokens)
}

/// The content of a string after its opening quote, and what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((content, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => content.push('\n'),
                'u' => {
                    let mut code = 0;
                    for (_, digit) in chars.by_ref().skip(1) {
                        if digit == '}' {
                            break;
                        }
                        code = code * 16 + digit.to_digit(16)?;
                    }
                    content.push(char::from_u32(code)?);
                }
                other => content.push(other),
            },
            other => content.push(other),
        }
    }
    None
}
