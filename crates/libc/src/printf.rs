//! Formatted output: a format string and arguments become bytes, as glibc writes them in the C locale.
//!
//! Not here: `long double`, positional arguments (`%1$d`), wide characters outside ASCII.

use glassbox_interp::{Address, ExternalResult};
use glassbox_ir::PointerSize;

use crate::arguments::Arguments;
use crate::env::{Env, undefined, unsupported};
use crate::errors;
use crate::float_text::{self, FloatStyle};

/// Widths and precisions beyond this are taken for a mistake; they would fill memory.
const MAX_FIELD: usize = 1 << 26;

/// One conversion specification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) is_left: bool,
    pub(crate) shows_plus: bool,
    pub(crate) shows_space: bool,
    pub(crate) is_alternate: bool,
    pub(crate) pads_zeros: bool,
    pub(crate) width: usize,
    pub(crate) precision: Option<usize>,
    pub(crate) length: Length,
}

/// Length modifiers by what they select.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongLong,
    LongDouble,
}

impl Length {
    pub(crate) fn width(self, pointers: PointerSize) -> u8 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long => pointers.bits(),
            Length::LongLong | Length::LongDouble => 64,
        }
    }

    /// Reads a modifier at the start of `text`; also how many bytes it takes.
    pub(crate) fn parse(text: &[u8]) -> (Length, usize) {
        match text {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'j' | b'q', ..] => (Length::LongLong, 1),
            [b'l' | b'z' | b't', ..] => (Length::Long, 1),
            [b'L', ..] => (Length::LongDouble, 1),
            _ => (Length::Int, 0),
        }
    }
}

/// What a format produced.
pub(crate) enum Formatted {
    Bytes(Vec<u8>),
    /// A character that the locale cannot write: the function fails.
    BadCharacter,
}

struct Formatter<'a> {
    format: &'a [u8],
    at: usize,
    args: Arguments,
    out: Vec<u8>,
}

/// Formats the string at `format` with the arguments.
pub(crate) fn format(
    env: &mut Env<'_>,
    format: Address,
    args: Arguments,
) -> Result<Formatted, ExternalResult> {
    let text = env.memory.read_c_string(format)?;
    let mut formatter = Formatter { format: &text, at: 0, args, out: Vec::new() };
    while let Some(&byte) = formatter.format.get(formatter.at) {
        formatter.at += 1;
        if byte != b'%' {
            formatter.out.push(byte);
        } else if !formatter.conversion(env)? {
            return Ok(Formatted::BadCharacter);
        }
    }
    Ok(Formatted::Bytes(formatter.out))
}

impl Formatter<'_> {
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    /// What the user wrote from `start` to here, for messages.
    fn written(&self, start: usize) -> String {
        let end = self.at.min(self.format.len());
        String::from_utf8_lossy(&self.format[start..end]).into_owned()
    }

    /// Reads what follows a `%` and writes its argument; false for a character that cannot be
    /// written.
    fn conversion(&mut self, env: &mut Env<'_>) -> Result<bool, ExternalResult> {
        let start = self.at - 1;
        let mut spec = Spec::default();
        self.flags(&mut spec);
        self.width_and_precision(env, &mut spec)?;
        let (length, n_bytes) = Length::parse(&self.format[self.at..]);
        self.at += n_bytes;
        spec.length = length;
        let conversion = self.peek();
        self.at += 1;
        let written = self.written(start);
        match conversion {
            b'd' | b'i' => {
                let word = self.args.word(env.memory, argument_width(length, env), &written)?;
                let value = sign_extend(word, length.width(env.memory.pointers()));
                let digits = value.unsigned_abs().to_string();
                let sign = sign_text(value < 0, &spec);
                self.integer(&spec, sign, &digits);
            }
            b'u' | b'o' | b'x' | b'X' | b'b' => {
                let word = self.args.word(env.memory, argument_width(length, env), &written)?;
                self.unsigned(
                    &spec,
                    conversion,
                    zero_extend(word, length.width(env.memory.pointers())),
                );
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                if length == Length::LongDouble {
                    return unsupported("`long double` is not modeled");
                }
                let value = self.args.double(env.memory, &written)?;
                let style = FloatStyle::of(conversion);
                self.out.extend(float_text::float_field(value, style, &spec));
            }
            b'c' | b'C' => {
                let word = self.args.word(env.memory, 32, &written)?;
                let is_wide = length == Length::Long || conversion == b'C';
                if is_wide && word > 0x7f {
                    env.set_errno(errors::EILSEQ);
                    return Ok(false);
                }
                self.pad(&spec, &[word as u8]);
            }
            b's' | b'S' => {
                let from = self.args.pointer(env.memory, &written)?;
                let is_wide = length == Length::Long || conversion == b'S';
                let text = if is_wide {
                    wide_text(env, from, spec.precision)?
                } else {
                    Some(text_up_to(env, from, spec.precision)?)
                };
                let Some(text) = text else { return Ok(false) };
                self.pad(&spec, &text);
            }
            b'p' => {
                let address = self.args.pointer(env.memory, &written)?;
                if address == 0 {
                    self.pad(&spec, b"(nil)");
                } else {
                    let sign = sign_text(false, &spec);
                    self.integer(&spec, &format!("{sign}0x"), &format!("{address:x}"));
                }
            }
            b'n' => {
                let to = self.args.pointer(env.memory, &written)?;
                let count = self.out.len() as u64;
                env.memory.store(to, u32::from(length.width(env.memory.pointers()) / 8), count)?;
            }
            b'm' => self.pad(&spec, errors::message(env.errno()).as_bytes()),
            b'%' => self.out.push(b'%'),
            b'$' => return unsupported("positional arguments of a format"),
            _ => return undefined(format!("`{written}` is not a conversion")),
        }
        Ok(true)
    }

    fn flags(&mut self, spec: &mut Spec) {
        loop {
            match self.peek() {
                b'-' => spec.is_left = true,
                b'+' => spec.shows_plus = true,
                b' ' => spec.shows_space = true,
                b'#' => spec.is_alternate = true,
                b'0' => spec.pads_zeros = true,
                // Grouping and other digits: neither exists in the C locale.
                b'\'' | b'I' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn width_and_precision(
        &mut self,
        env: &mut Env<'_>,
        spec: &mut Spec,
    ) -> Result<(), ExternalResult> {
        if self.peek() == b'*' {
            self.at += 1;
            let width = self.args.word(env.memory, 32, "*")? as u32 as i32;
            spec.is_left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        } else {
            spec.width = self.number();
        }
        if self.peek() == b'.' {
            self.at += 1;
            if self.peek() == b'*' {
                self.at += 1;
                let precision = self.args.word(env.memory, 32, ".*")? as u32 as i32;
                // A negative precision is as if none were given.
                spec.precision = usize::try_from(precision).ok();
            } else {
                spec.precision = Some(self.number());
            }
        }
        if spec.width > MAX_FIELD || spec.precision.is_some_and(|precision| precision > MAX_FIELD) {
            return unsupported("a field of more than 2^26 bytes");
        }
        Ok(())
    }

    fn number(&mut self) -> usize {
        let mut number = 0usize;
        while self.peek().is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(usize::from(self.peek() - b'0'));
            self.at += 1;
        }
        number
    }

    fn unsigned(&mut self, spec: &Spec, conversion: u8, value: u64) {
        let mut digits = match conversion {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'b' => format!("{value:b}"),
            _ => value.to_string(),
        };
        let prefix = match conversion {
            b'x' if spec.is_alternate && value != 0 => "0x",
            b'X' if spec.is_alternate && value != 0 => "0X",
            b'b' if spec.is_alternate && value != 0 => "0b",
            _ => "",
        };
        if conversion == b'o' && spec.is_alternate {
            let n_digits = if value == 0 { 0 } else { digits.len() };
            if spec.precision.is_none_or(|precision| precision <= n_digits) && value != 0 {
                digits.insert(0, '0');
            } else if value == 0 && spec.precision == Some(0) {
                self.pad(spec, b"0");
                return;
            }
        }
        self.integer(spec, prefix, &digits);
    }

    /// Digits with their precision, prefix and padding. Zero with precision zero has no digits.
    fn integer(&mut self, spec: &Spec, prefix: &str, digits: &str) {
        let digits = if spec.precision == Some(0) && digits == "0" { "" } else { digits };
        let mut n_zeros = spec.precision.unwrap_or(1).saturating_sub(digits.len());
        if spec.pads_zeros && !spec.is_left && spec.precision.is_none() {
            n_zeros = n_zeros.max(spec.width.saturating_sub(prefix.len() + digits.len()));
        }
        let mut text = prefix.as_bytes().to_vec();
        text.resize(text.len() + n_zeros, b'0');
        text.extend_from_slice(digits.as_bytes());
        self.pad(spec, &text);
    }

    fn pad(&mut self, spec: &Spec, text: &[u8]) {
        pad_into(&mut self.out, spec, text);
    }
}

/// Writes a field, padded with spaces to its width.
pub(crate) fn pad_into(out: &mut Vec<u8>, spec: &Spec, text: &[u8]) {
    let padding = spec.width.saturating_sub(text.len());
    if !spec.is_left {
        out.resize(out.len() + padding, b' ');
    }
    out.extend_from_slice(text);
    if spec.is_left {
        out.resize(out.len() + padding, b' ');
    }
}

pub(crate) fn sign_text(is_negative: bool, spec: &Spec) -> &'static str {
    if is_negative {
        "-"
    } else if spec.shows_plus {
        "+"
    } else if spec.shows_space {
        " "
    } else {
        ""
    }
}

/// Narrow arguments come promoted to `int`.
fn argument_width(length: Length, env: &Env<'_>) -> u8 {
    length.width(env.memory.pointers()).max(32)
}

fn sign_extend(word: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    (word << shift).cast_signed() >> shift
}

fn zero_extend(word: u64, width: u8) -> u64 {
    let shift = 64 - u32::from(width);
    word << shift >> shift
}

/// A string, of at most `limit` bytes: no byte behind them is looked at.
fn text_up_to(
    env: &Env<'_>,
    from: Address,
    limit: Option<usize>,
) -> Result<Vec<u8>, ExternalResult> {
    let Some(limit) = limit else { return Ok(env.memory.read_c_string(from)?) };
    let mut text = Vec::new();
    while text.len() < limit {
        match env.memory.read(from.wrapping_add(text.len() as u64), 1)?[0] {
            0 => break,
            byte => text.push(byte),
        }
    }
    Ok(text)
}

/// A wide string in the C locale; `None` when a character has no byte there.
fn wide_text(
    env: &mut Env<'_>,
    from: Address,
    limit: Option<usize>,
) -> Result<Option<Vec<u8>>, ExternalResult> {
    let mut text = Vec::new();
    while limit.is_none_or(|limit| text.len() < limit) {
        match env.memory.load(from.wrapping_add(text.len() as u64 * 4), 4)? {
            0 => break,
            word if word <= 0x7f => text.push(word as u8),
            _ => {
                env.set_errno(errors::EILSEQ);
                return Ok(None);
            }
        }
    }
    Ok(Some(text))
}
