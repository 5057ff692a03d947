//! Formatted input: bytes of a stream or a string become values, as glibc reads them in the C locale.
//!
//! Not here: `long double`, positional arguments, `%m` allocation, wide characters.

use glassbox_interp::{Address, ExternalResult};
use glassbox_values::Format;

use crate::arguments::Arguments;
use crate::env::{Answer, END, Env, int, undefined, unsupported};
use crate::number::{self, FloatScanner, is_space};
use crate::printf::Length;

/// Where the bytes come from.
pub(crate) enum Source {
    Stream(usize),
    Text { text: Vec<u8>, at: usize },
}

struct Scanner<'a, 'e> {
    env: &'a mut Env<'e>,
    args: Arguments,
    source: Source,
    /// Bytes taken so far, for `%n`.
    n_read: u64,
}

impl Scanner<'_, '_> {
    fn next(&mut self) -> Option<u8> {
        let byte = match &mut self.source {
            Source::Stream(stream) => self.env.state.streams.read_byte(*stream),
            Source::Text { text, at } => {
                let byte = text.get(*at).copied();
                *at += usize::from(byte.is_some());
                byte
            }
        };
        self.n_read += u64::from(byte.is_some());
        byte
    }

    fn back(&mut self, byte: u8) {
        self.n_read -= 1;
        match &mut self.source {
            Source::Stream(stream) => self.env.state.streams.push_back(*stream, byte),
            Source::Text { at, .. } => *at -= 1,
        }
    }

    /// Skips white space; false at the end of the input.
    fn skip_spaces(&mut self) -> bool {
        loop {
            match self.next() {
                Some(byte) if is_space(byte) => {}
                Some(byte) => {
                    self.back(byte);
                    return true;
                }
                None => return false,
            }
        }
    }

    /// Takes bytes while they belong, up to `limit`.
    fn take_while(&mut self, limit: usize, mut belongs: impl FnMut(u8) -> bool) -> Vec<u8> {
        let mut taken = Vec::new();
        while taken.len() < limit {
            match self.next() {
                Some(byte) if belongs(byte) => taken.push(byte),
                Some(byte) => {
                    self.back(byte);
                    break;
                }
                None => break,
            }
        }
        taken
    }

    fn literal(&mut self, wanted: u8) -> Step {
        match self.next() {
            Some(byte) if byte == wanted => Step::Done,
            Some(byte) => {
                self.back(byte);
                Step::Mismatch
            }
            None => Step::End,
        }
    }

    fn convert(&mut self, spec: &Spec) -> Result<Step, ExternalResult> {
        if !matches!(spec.conversion, b'c' | b'[' | b'n') && !self.skip_spaces() {
            return Ok(Step::End);
        }
        match spec.conversion {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => self.integer(spec),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(spec),
            b'c' | b's' | b'[' if matches!(spec.length, Length::Long | Length::LongLong) => {
                unsupported(format!("`{}` reads wide characters", spec.written))
            }
            b'c' => {
                let bytes = self.take_while(spec.width.unwrap_or(1), |_| true);
                // Fewer than asked for are enough for glibc.
                if bytes.is_empty() {
                    return Ok(Step::End);
                }
                self.store_bytes(spec, &bytes)
            }
            b's' => {
                let limit = spec.width.unwrap_or(usize::MAX);
                let mut bytes = self.take_while(limit, |byte| !is_space(byte));
                bytes.push(0);
                self.store_bytes(spec, &bytes)
            }
            b'[' => {
                let members = &spec.set.as_ref().expect("parsed with the bracket").members;
                let Some(first) = self.next() else { return Ok(Step::End) };
                self.back(first);
                let limit = spec.width.unwrap_or(usize::MAX);
                let mut bytes = self.take_while(limit, |byte| members[usize::from(byte)]);
                if bytes.is_empty() {
                    return Ok(Step::Mismatch);
                }
                bytes.push(0);
                self.store_bytes(spec, &bytes)
            }
            b'n' => {
                if !spec.is_suppressed {
                    let to = self.args.pointer(self.env.memory, &spec.written)?;
                    let pointers = self.env.memory.pointers();
                    self.env.memory.store(
                        to,
                        u32::from(spec.length.width(pointers) / 8),
                        self.n_read,
                    )?;
                }
                Ok(Step::Done)
            }
            b'$' => unsupported("positional arguments of a format"),
            _ => undefined(format!("`{}` is not a conversion", spec.written)),
        }
    }

    fn store_bytes(&mut self, spec: &Spec, bytes: &[u8]) -> Result<Step, ExternalResult> {
        if spec.is_suppressed {
            return Ok(Step::Done);
        }
        let to = self.args.pointer(self.env.memory, &spec.written)?;
        self.env.memory.write(to, bytes)?;
        Ok(Step::Assigned)
    }

    /// The text of an integer: sign, prefix, digits; `None` when there are no digits.
    fn integer_text(&mut self, spec: &Spec) -> Option<(bool, u32, Vec<u8>)> {
        let mut base: u32 = match spec.conversion {
            b'i' => 0,
            b'o' => 8,
            b'x' | b'X' | b'p' => 16,
            _ => 10,
        };
        let (mut is_negative, mut digits, mut has_prefix) = (false, Vec::new(), false);
        let limit = spec.width.unwrap_or(usize::MAX);
        let mut n_taken = 0;
        self.take_while(limit, |byte| {
            let position = n_taken;
            n_taken += 1;
            if position == 0 && matches!(byte, b'+' | b'-') {
                is_negative = byte == b'-';
                return true;
            }
            let may_prefix = !has_prefix && digits == *b"0" && matches!(base, 0 | 8 | 16);
            if may_prefix && matches!(byte, b'x' | b'X') && spec.conversion != b'o' {
                (base, has_prefix) = (16, true);
                digits.clear();
                return true;
            }
            if base == 0 {
                base = if byte == b'0' { 8 } else { 10 };
            }
            if char::from(byte).is_digit(base) {
                digits.push(byte);
                return true;
            }
            false
        });
        // `0x` alone is a zero in glibc.
        if has_prefix && digits.is_empty() {
            digits.push(b'0');
        }
        (!digits.is_empty()).then_some((is_negative, base.max(8), digits))
    }

    fn integer(&mut self, spec: &Spec) -> Result<Step, ExternalResult> {
        let Some((is_negative, base, digits)) = self.integer_text(spec) else {
            return Ok(Step::Mismatch);
        };
        if spec.is_suppressed {
            return Ok(Step::Done);
        }
        let magnitude = digits.iter().try_fold(0u64, |number, &digit| {
            let digit = char::from(digit).to_digit(base).unwrap_or(0);
            number.checked_mul(base.into())?.checked_add(digit.into())
        });
        let word = match spec.conversion {
            b'd' | b'i' => signed_word(magnitude, is_negative),
            _ => match magnitude {
                Some(value) if is_negative => value.wrapping_neg(),
                Some(value) => value,
                None => u64::MAX,
            },
        };
        let pointers = self.env.memory.pointers();
        let is_pointer = spec.conversion == b'p';
        let width = if is_pointer { pointers.bits() } else { spec.length.width(pointers) };
        let to = self.args.pointer(self.env.memory, &spec.written)?;
        self.env.memory.store(to, u32::from(width / 8), word)?;
        Ok(Step::Assigned)
    }

    fn float(&mut self, spec: &Spec) -> Result<Step, ExternalResult> {
        if spec.length == Length::LongDouble {
            return unsupported("`long double` is not modeled");
        }
        let mut number = FloatScanner::default();
        let limit = spec.width.unwrap_or(usize::MAX);
        self.take_while(limit, |byte| number.push(byte));
        if !number.is_enough() {
            return Ok(Step::Mismatch);
        }
        if spec.is_suppressed {
            return Ok(Step::Done);
        }
        let (format, size) = if matches!(spec.length, Length::Long | Length::LongLong) {
            (Format::F64, 8)
        } else {
            (Format::F32, 4)
        };
        let Some((value, _)) = number::leading_float(number.text(), format) else {
            return Ok(Step::Mismatch);
        };
        let to = self.args.pointer(self.env.memory, &spec.written)?;
        self.env.memory.store(to, size, value.to_bits())?;
        Ok(Step::Assigned)
    }
}

/// One conversion specification.
struct Spec {
    is_suppressed: bool,
    width: Option<usize>,
    length: Length,
    conversion: u8,
    /// For `%[`.
    set: Option<ByteSet>,
    written: String,
}

struct ByteSet {
    members: [bool; 256],
}

/// How a conversion ended.
enum Step {
    Assigned,
    /// Nothing to count, as with `%n` and `%*d`.
    Done,
    Mismatch,
    End,
}

/// Reads by the format; the number of values assigned, or `EOF`.
pub(crate) fn scan(env: &mut Env<'_>, source: Source, format: Address, args: Arguments) -> Answer {
    let format = env.memory.read_c_string(format)?;
    let mut scanner = Scanner { env, args, source, n_read: 0 };
    let (mut at, mut n_assigned) = (0, 0);
    while let Some(&byte) = format.get(at) {
        at += 1;
        let step = if is_space(byte) {
            scanner.skip_spaces();
            Step::Done
        } else if byte == b'%' && format.get(at) != Some(&b'%') {
            let spec = parse_spec(&format, &mut at)?;
            scanner.convert(&spec)?
        } else {
            if byte == b'%' {
                at += 1;
                scanner.skip_spaces();
            }
            scanner.literal(byte)
        };
        match step {
            Step::Assigned => n_assigned += 1,
            Step::Done => {}
            Step::Mismatch => return Ok(int(n_assigned)),
            Step::End => return Ok(int(if n_assigned == 0 { END } else { n_assigned })),
        }
    }
    Ok(int(n_assigned))
}

/// Reads what follows a `%`.
fn parse_spec(format: &[u8], at: &mut usize) -> Result<Spec, ExternalResult> {
    let start = *at - 1;
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    let is_suppressed = peek(*at) == b'*';
    *at += usize::from(is_suppressed);
    let mut width = None;
    while peek(*at).is_ascii_digit() {
        let digit = usize::from(peek(*at) - b'0');
        width = Some(width.unwrap_or(0usize).saturating_mul(10).saturating_add(digit));
        *at += 1;
    }
    if peek(*at) == b'm' {
        return unsupported("`%m` in an input format");
    }
    let (length, n_bytes) = Length::parse(&format[(*at).min(format.len())..]);
    *at += n_bytes;
    let conversion = peek(*at);
    *at += 1;
    let set = if conversion == b'[' { Some(parse_set(format, at)?) } else { None };
    let written = String::from_utf8_lossy(&format[start..(*at).min(format.len())]).into_owned();
    Ok(Spec {
        is_suppressed,
        width: width.filter(|&width| width > 0),
        length,
        conversion,
        set,
        written,
    })
}

/// The set of `%[`, from behind the bracket to the closing one.
fn parse_set(format: &[u8], at: &mut usize) -> Result<ByteSet, ExternalResult> {
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    let is_inverted = peek(*at) == b'^';
    *at += usize::from(is_inverted);
    let mut members = [false; 256];
    let first = *at;
    loop {
        let byte = peek(*at);
        if byte == 0 {
            return undefined("the set of a `%[` conversion is not closed");
        }
        if byte == b']' && *at != first {
            *at += 1;
            break;
        }
        let is_range = peek(*at + 1) == b'-' && !matches!(peek(*at + 2), b']' | 0);
        if is_range && byte <= peek(*at + 2) {
            for member in byte..=peek(*at + 2) {
                members[usize::from(member)] = true;
            }
            *at += 3;
        } else {
            members[usize::from(byte)] = true;
            *at += 1;
        }
    }
    if is_inverted {
        for member in &mut members {
            *member = !*member;
        }
    }
    Ok(ByteSet { members })
}

/// As `strtol` does with what does not fit; narrower targets get the low bits.
fn signed_word(magnitude: Option<u64>, is_negative: bool) -> u64 {
    let limit = i64::MAX.cast_unsigned() + u64::from(is_negative);
    let value = magnitude.unwrap_or(u64::MAX).min(limit);
    if is_negative { value.wrapping_neg() } else { value }
}
