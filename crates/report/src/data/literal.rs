//! Names of string literals. C gives them none, and where they come in a program says nothing in the next version of it:
//! they are called by their text, as the literals of Java are.

/// A literal as C spells it, all bytes of it told apart. `unit` is the size of a character, with which it ends.
pub fn name(bytes: &[u8], unit: usize) -> String {
    let end = bytes.len().saturating_sub(unit);
    let text = bytes.get(..end).unwrap_or_default();
    let (prefix, inner) = match unit {
        2 => ("u", wide(text.chunks(2))),
        4 => ("L", wide(text.chunks(4))),
        _ => ("", narrow(text)),
    };
    format!("{prefix}\"{inner}\"")
}

/// Whether a name is the text of a literal: no other name has quotes.
pub fn is_text(name: &str) -> bool {
    name.ends_with('"')
}

/// Whether a name says how-manieth something is, as the names of literals do in suites of earlier versions: another
/// program may call something else by it.
pub fn is_number(name: &str) -> bool {
    name.starts_with('.')
}

/// Whether two places in literals have the same text behind them.
pub fn is_same(one: (&str, u64), other: (&str, u64)) -> bool {
    // The usual case, and the only one of Java, which spells characters in its own way.
    if one.1 == other.1 { one.0 == other.0 } else { rest(one) == rest(other) }
}

/// The size of characters, and those from a byte on; none beyond the end.
fn rest((name, offset): (&str, u64)) -> Option<(u64, Vec<u32>)> {
    let (unit, quoted) = match name.chars().next()? {
        'u' => (2, name.get(1..)?),
        'L' => (4, name.get(1..)?),
        _ => (1, name),
    };
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let units = units(inner, unit == 1)?;
    let start = usize::try_from(offset / unit).ok()?;
    let is_inside = offset % unit == 0;
    Some((unit, units.get(start..).filter(|_| is_inside)?.to_vec()))
}

fn narrow(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        chunk.valid().chars().for_each(|character| push(&mut out, character));
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\{byte:03o}")));
    }
    out
}

fn wide<'a>(units: impl Iterator<Item = &'a [u8]>) -> String {
    let mut out = String::new();
    for unit in units {
        let number = unit.iter().rev().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
        match char::from_u32(number) {
            Some(character) => push(&mut out, character),
            None => out.push_str(&format!("\\U{number:08x}")),
        }
    }
    out
}

fn push(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        // Three octal digits end by themselves; hexadecimal digits would go on.
        '\0'..='\u{1f}' | '\u{7f}' => out.push_str(&format!("\\{:03o}", u32::from(character))),
        character if character.is_control() => {
            out.push_str(&format!("\\U{:08x}", u32::from(character)));
        }
        character => out.push(character),
    }
}

/// The characters that `narrow` or `wide` spelled.
fn units(inner: &str, is_narrow: bool) -> Option<Vec<u32>> {
    let mut units = Vec::new();
    let mut text = inner;
    while let Some(first) = text.chars().next() {
        let after = &text[first.len_utf8()..];
        let escape = if first == '\\' { after.chars().next() } else { None };
        let (number, length) = match escape {
            None => (u32::from(first), 0),
            Some('n') => (u32::from('\n'), 1),
            Some('U') => (u32::from_str_radix(after.get(1..9)?, 16).ok()?, 9),
            Some('0'..='7') => (u32::from_str_radix(after.get(..3)?, 8).ok()?, 3),
            Some(other) => (u32::from(other), other.len_utf8()),
        };
        // Octal digits are a byte, everything else is a character of as many bytes as it takes.
        match char::from_u32(number) {
            Some(character) if is_narrow && !matches!(escape, Some('0'..='7')) => {
                let mut bytes = [0; 4];
                units.extend(character.encode_utf8(&mut bytes).bytes().map(u32::from));
            }
            _ => units.push(number),
        }
        text = &after[length..];
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::{is_number, is_same, is_text, name, rest};

    #[test]
    fn names_are_spelled_as_in_c_and_tell_all_bytes_apart() {
        for (bytes, unit, spelled) in [
            (&b"two\0"[..], 1, r#""two""#),
            (b"\0", 1, r#""""#),
            (b"a\"\\\n?\x7f\0b\0", 1, r#""a\"\\\n?\177\000b""#),
            ("é\u{85}\0".as_bytes(), 1, r#""é\U00000085""#),
            (b"\xff1\0", 1, r#""\3771""#),
            (b"a\0\0\0\xe9\0\0\0\0\0\0\0", 4, r#"L"aé""#),
            (b"\x3d\xd8a\0\0\0", 2, r#"u"\U0000d83da""#),
        ] {
            let own = name(bytes, unit);
            assert_eq!(own, spelled);
            assert!(is_text(&own) && !is_number(&own));
            let text = &bytes[..bytes.len() - unit];
            let number = |part: &[u8]| {
                part.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
            };
            let units: Vec<u32> = text.chunks(unit).map(number).collect();
            assert_eq!(rest((&own, 0)), Some((unit as u64, units)), "{own}");
        }
    }

    #[test]
    fn places_are_compared_by_what_stands_behind_them() {
        assert!(is_same(("\"small\"", 2), ("\"all\"", 0)));
        assert!(is_same(("\"é1\"", 2), ("\"1\"", 0)));
        assert!(is_same(("L\"ab\"", 4), ("L\"b\"", 0)));
        assert!(!is_same(("\"small\"", 2), ("\"small\"", 0)));
        assert!(!is_same(("\"small\"", 2), ("L\"all\"", 0)));
        assert!(!is_same(("\"a\"", 0), ("\"b\"", 0)));
        assert!(!is_same(("\"a\"", 7), ("\"b\"", 0)));
    }
}
