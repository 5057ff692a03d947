//! Literals: numbers, characters and strings, with the types C gives them.

use glassbox_values::{Bits, Float, RoundingMode};

use super::Checker;
use crate::diagnostics::{Problem, SyntaxProblem, TypeProblem, TypeWarning};
use crate::span::Span;
use crate::tree::{ExprId, ExprKind, StringId, StringLiteral, Unsupported};
use crate::ty::kind::{ArrayLength, FloatKind, IntKind, TypeKind};
use crate::ty::table::TypeTable;

/// The kind of characters a literal has, by its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    Utf8,
    Wide,
    Utf16,
    Utf32,
}

impl Encoding {
    fn split(text: &[u8]) -> (Encoding, &[u8]) {
        for (prefix, encoding) in [
            (&b"u8"[..], Encoding::Utf8),
            (b"L", Encoding::Wide),
            (b"u", Encoding::Utf16),
            (b"U", Encoding::Utf32),
        ] {
            if let Some(rest) = text.strip_prefix(prefix) {
                return (encoding, rest);
            }
        }
        (Encoding::Plain, text)
    }

    fn element(self, types: &TypeTable) -> IntKind {
        match self {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            Encoding::Wide => types.wide_character_kind(),
            Encoding::Utf16 => IntKind::UnsignedShort,
            Encoding::Utf32 => IntKind::UnsignedInt,
        }
    }
}

/// One unit of a literal's content.
#[derive(Debug, Clone, Copy)]
enum Unit {
    /// A byte of the source, or a numeric escape: goes in as it is.
    Code(u32),
    /// A character to be encoded.
    Character(u32),
}

impl Checker<'_> {
    fn syntax_error(&mut self, problem: SyntaxProblem, span: Span) -> ExprId {
        self.report(Problem::Syntax(problem), span);
        self.error_node(span)
    }

    /// An integer or floating constant.
    pub(crate) fn number(&mut self, text: &[u8], span: Span) -> ExprId {
        let text = String::from_utf8_lossy(text);
        let lower = text.to_ascii_lowercase().replace('\'', "");
        let is_hex = lower.starts_with("0x");
        let is_float = lower.contains('.')
            || (is_hex && lower.contains('p'))
            || (!is_hex && !lower.starts_with("0b") && lower.contains('e'));
        if is_float {
            self.float_literal(&lower, is_hex, span)
        } else {
            self.int_literal(&lower, span)
        }
    }

    fn int_literal(&mut self, text: &str, span: Span) -> ExprId {
        let (radix, digits) = match text.as_bytes() {
            [b'0', b'x', ..] => (16, &text[2..]),
            [b'0', b'b', ..] => (2, &text[2..]),
            [b'0', _, ..] => (8, &text[1..]),
            _ => (10, text),
        };
        let n_digits = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
        let (digits, suffix) = digits.split_at(n_digits);
        let bad = SyntaxProblem::BadNumber { text: text.to_string() };
        // `0` alone was taken for an octal prefix with no digits only if a suffix follows.
        let value = if digits.is_empty() && radix == 8 {
            Some(0)
        } else if digits.is_empty() {
            return self.syntax_error(bad, span);
        } else {
            u128::from_str_radix(digits, radix).ok()
        };
        let is_imaginary = suffix.contains(['i', 'j']);
        let suffix = suffix.replace(['i', 'j'], "");
        let (is_unsigned, n_long) = match suffix.as_str() {
            "" => (false, 0),
            "u" => (true, 0),
            "l" => (false, 1),
            "ul" | "lu" => (true, 1),
            "ll" => (false, 2),
            "ull" | "llu" => (true, 2),
            _ => return self.syntax_error(bad, span),
        };
        let Some(value) = value else {
            let problem = SyntaxProblem::NumberTooLarge { text: text.to_string() };
            return self.syntax_error(problem, span);
        };
        if is_imaginary {
            let ty = self.program.types.intern(TypeKind::Complex(FloatKind::Double));
            return self.unsupported(Unsupported::Complex, ty, span);
        }
        let rules =
            LiteralRules { long: self.program.types.long_kind(), is_c90: self.links.is_c90 };
        let kind = rules.type_of(value, radix, (is_unsigned, n_long));
        if value > u128::from(u64::MAX) {
            self.warn(TypeWarning::NumberTooLarge { text: text.to_string() }, span);
        }
        self.int(Bits::new(value, kind.width()), TypeTable::int_id(kind), span)
    }

    fn float_literal(&mut self, text: &str, is_hex: bool, span: Span) -> ExprId {
        // The suffix is what follows the last digit of the number proper.
        let is_suffix = |c: char| matches!(c, 'f' | 'l' | 'i' | 'j' | 'q' | 'w' | 'd');
        let body_end = if is_hex {
            let exponent = text.find('p').unwrap_or(text.len());
            let sign_and_digits = |c: char| c.is_ascii_digit() || c == '+' || c == '-';
            let tail = text[exponent..].chars().skip(1).take_while(|&c| sign_and_digits(c)).count();
            (exponent + 1 + tail).min(text.len())
        } else {
            text.find(is_suffix).unwrap_or(text.len())
        };
        let (body, suffix) = text.split_at(body_end);
        let is_imaginary = suffix.contains(['i', 'j']);
        let kind = match suffix.replace(['i', 'j'], "").as_str() {
            "" => FloatKind::Double,
            "f" => FloatKind::Float,
            "f32" => FloatKind::Float32,
            "f64" | "f32x" => FloatKind::Float64,
            "l" => self.program.types.long_double_kind(),
            "f16" => FloatKind::Float16,
            "f128" | "q" | "f64x" | "w" => FloatKind::Float128,
            _ => {
                let problem = SyntaxProblem::BadNumber { text: text.to_string() };
                return self.syntax_error(problem, span);
            }
        };
        let ty = if is_imaginary { TypeKind::Complex(kind) } else { TypeKind::Float(kind) };
        let ty = self.program.types.intern(ty);
        let format = kind.format().unwrap_or(glassbox_values::Format::F64);
        match Float::parse(body, format, RoundingMode::NearestEven) {
            Ok(value) => {
                let literal = self.float(value, ty, span);
                if kind == FloatKind::LongDouble && !is_imaginary {
                    self.extended.insert(literal, body.into());
                }
                literal
            }
            Err(_) => {
                let problem = SyntaxProblem::BadNumber { text: text.to_string() };
                self.syntax_error(problem, span)
            }
        }
    }

    /// A character constant.
    pub(crate) fn character(&mut self, text: &[u8], span: Span) -> ExprId {
        let (encoding, quoted) = Encoding::split(text);
        let Some(units) = self.units(quoted, b'\'', encoding, span) else {
            return self.error_node(span);
        };
        if units.is_empty() {
            return self.syntax_error(SyntaxProblem::EmptyCharacter, span);
        }
        let codes = encode(&units, encoding);
        match encoding {
            Encoding::Plain => {
                let value = if let [code] = codes[..] {
                    let is_signed = self.plain_char().is_signed();
                    let code = Bits::new(u128::from(code), 8);
                    if is_signed { code.sign_extend(32) } else { code.zero_extend(32) }
                } else {
                    // Several characters: each shifts the earlier ones up, as gcc does.
                    let all = codes.iter().fold(0u32, |all, code| (all << 8) | (code & 0xff));
                    Bits::new(u128::from(all), 32)
                };
                self.int(value, TypeTable::INT, span)
            }
            Encoding::Utf8 | Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
                let is_utf8 = encoding == Encoding::Utf8;
                let kind = if is_utf8 {
                    IntKind::UnsignedChar
                } else {
                    encoding.element(&self.program.types)
                };
                let last = codes.last().copied().unwrap_or(0);
                self.int(Bits::new(u128::from(last), kind.width()), TypeTable::int_id(kind), span)
            }
        }
    }

    /// Adjacent string literals as one.
    pub(crate) fn string(&mut self, parts: &[(&[u8], Span)], span: Span) -> ExprId {
        let Some(id) = self.string_literal(parts) else { return self.error_node(span) };
        let ty = self.program.string(id).ty;
        self.place_node(ExprKind::String(id), ty, span)
    }

    fn string_literal(&mut self, parts: &[(&[u8], Span)]) -> Option<StringId> {
        let mut encoding = Encoding::Plain;
        for (text, part_span) in parts {
            let (own, _) = Encoding::split(text);
            if own != Encoding::Plain && encoding != Encoding::Plain && own != encoding {
                self.error(TypeProblem::StringPrefixes, *part_span);
                return None;
            }
            if own != Encoding::Plain {
                encoding = own;
            }
        }
        let mut codes = Vec::new();
        for (text, part_span) in parts {
            let (_, quoted) = Encoding::split(text);
            let units = self.units(quoted, b'"', encoding, *part_span)?;
            codes.extend(encode(&units, encoding));
        }
        codes.push(0);
        let element = match encoding {
            Encoding::Plain => self.plain_char(),
            Encoding::Utf8 | Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
                encoding.element(&self.program.types)
            }
        };
        let size = usize::from(element.width() / 8);
        let bytes: Vec<u8> =
            codes.iter().flat_map(|code| code.to_le_bytes().into_iter().take(size)).collect();
        Some(self.add_string(codes.len(), element, bytes.into()))
    }

    /// A string object for a name such as `__func__`.
    pub(crate) fn plain_string(&mut self, text: &str, span: Span) -> ExprId {
        let bytes: Vec<u8> = text.bytes().chain(std::iter::once(0)).collect();
        let id = self.add_string(bytes.len(), self.plain_char(), bytes.into());
        let ty = self.program.string(id).ty;
        self.place_node(ExprKind::String(id), ty, span)
    }

    fn add_string(&mut self, length: usize, element: IntKind, bytes: Box<[u8]>) -> StringId {
        let length = ArrayLength::Fixed(u64::try_from(length).unwrap_or(u64::MAX));
        let ty = self.program.types.array_of(TypeTable::int_id(element), length);
        self.program.add_string(StringLiteral { ty, bytes, element_size: element.width() / 8 })
    }

    /// The content between quotes, escapes resolved.
    fn units(
        &mut self,
        quoted: &[u8],
        quote: u8,
        encoding: Encoding,
        span: Span,
    ) -> Option<Vec<Unit>> {
        let closed = quoted.len() >= 2 && quoted.last() == Some(&quote);
        if !closed {
            self.report(Problem::Syntax(SyntaxProblem::UnterminatedLiteral), span);
            return None;
        }
        let body = &quoted[1..quoted.len() - 1];
        let is_byte = matches!(encoding, Encoding::Plain | Encoding::Utf8);
        let mut units = Vec::with_capacity(body.len());
        let mut at = 0;
        while at < body.len() {
            if body[at] == b'\\' {
                at = self.escape(body, at + 1, &mut units)?;
            } else if is_byte || body[at] < 0x80 {
                units.push(Unit::Code(u32::from(body[at])));
                at += 1;
            } else {
                let (character, length) = decode_utf8(&body[at..]);
                units.push(Unit::Character(character));
                at += length;
            }
        }
        Some(units)
    }

    /// The escape whose letter is at `at`; gives the position behind it.
    fn escape(&mut self, body: &[u8], at: usize, units: &mut Vec<Unit>) -> Option<usize> {
        let letter = body.get(at).copied().unwrap_or(b'\\');
        let simple = match letter {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'\n' => return Some(at + 1),
            b'x' | b'u' | b'U' | b'0'..=b'7' => return Some(numeric_escape(body, at, units)),
            b'\\' | b'\'' | b'"' | b'?' => u32::from(letter),
            other => {
                // gcc warns and keeps the character.
                units.push(Unit::Code(u32::from(other)));
                return Some(at + 1);
            }
        };
        units.push(Unit::Code(simple));
        Some(at + 1)
    }
}

fn numeric_escape(body: &[u8], at: usize, units: &mut Vec<Unit>) -> usize {
    let (radix, start, most) = match body[at] {
        b'x' => (16, at + 1, usize::MAX),
        b'u' => (16, at + 1, 4),
        b'U' => (16, at + 1, 8),
        _ => (8, at, 3),
    };
    let digits = body[start..].iter().take(most);
    let values = digits.map_while(|&byte| char::from(byte).to_digit(radix));
    let (mut value, mut count) = (0u32, 0);
    for digit in values {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        count += 1;
    }
    units.push(match body[at] {
        b'u' | b'U' => Unit::Character(value),
        _ => Unit::Code(value),
    });
    start + count
}

/// The character at the start of `bytes` and its length; a bad byte stands for itself.
fn decode_utf8(bytes: &[u8]) -> (u32, usize) {
    let window = &bytes[..bytes.len().min(4)];
    for length in 2..=window.len() {
        if let Ok(text) = std::str::from_utf8(&window[..length])
            && let Some(character) = text.chars().next()
        {
            return (u32::from(character), length);
        }
    }
    (u32::from(bytes[0]), 1)
}

/// The code units of a literal.
fn encode(units: &[Unit], encoding: Encoding) -> Vec<u32> {
    let mut codes = Vec::with_capacity(units.len());
    for unit in units {
        match (*unit, encoding) {
            (Unit::Code(code), Encoding::Plain | Encoding::Utf8) => codes.push(code & 0xff),
            (Unit::Code(code), Encoding::Utf16) => codes.push(code & 0xffff),
            (Unit::Code(code), Encoding::Wide | Encoding::Utf32) => codes.push(code),
            (Unit::Character(code), Encoding::Plain | Encoding::Utf8) => {
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                codes.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            (Unit::Character(code), Encoding::Utf16) => {
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                codes.extend(
                    character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)),
                );
            }
            (Unit::Character(code), Encoding::Wide | Encoding::Utf32) => codes.push(code),
        }
    }
    codes
}

/// What decides about the types of integer constants.
struct LiteralRules {
    long: IntKind,
    /// C90 6.1.3.2 has `unsigned long` for decimal constants, too.
    is_c90: bool,
}

impl LiteralRules {
    /// The first type of C11 6.4.4.1p5's list that holds the value; gcc continues with `__int128` where it has one.
    fn type_of(&self, value: u128, radix: u32, (is_unsigned, n_long): (bool, u8)) -> IntKind {
        let signed = [IntKind::Int, self.long, IntKind::LongLong];
        let wider = (self.long.width() == 64).then_some(IntKind::Int128);
        for kind in signed.into_iter().chain(wider).skip(usize::from(n_long)) {
            let bits = u32::from(kind.width());
            let fits = |bits: u32| bits >= 128 || value >> bits == 0;
            if !is_unsigned && fits(bits - 1) && (bits < 128 || value >> 127 == 0) {
                return kind;
            }
            let is_old = self.is_c90 && kind == self.long;
            if (is_unsigned || radix != 10 || is_old) && fits(bits) {
                return kind.to_unsigned();
            }
        }
        if self.long.width() == 64 { IntKind::UnsignedInt128 } else { IntKind::UnsignedLongLong }
    }
}
