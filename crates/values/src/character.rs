//! Numbers as character constants.

/// A number as a C character constant, where it is one that can be seen or that has an escape.
pub fn character(code: i128) -> Option<String> {
    let code = u8::try_from(code).ok().filter(u8::is_ascii)?;
    Some(match code {
        0 => "'\\0'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\'' | b'\\' => format!("'\\{}'", char::from(code)),
        b' '..=b'~' => format!("'{}'", char::from(code)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn what_cannot_be_seen_stays_a_number() {
        let text = |code| character(code).unwrap_or_default();
        assert_eq!(
            [97, 10, 0, 39, 92, 32].map(text),
            ["'a'", "'\\n'", "'\\0'", "'\\''", "'\\\\'", "' '"]
        );
        assert_eq!([1, 127, 128, -1, 300].map(text), ["", "", "", "", ""]);
    }
}
