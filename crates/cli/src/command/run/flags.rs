//! Compiler flags in one text: words separated by spaces, with quotes and backslashes as in a shell.

/// The words of a text.
pub(super) fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => match chars.next() {
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return Err(format!("--cflags: nothing behind the last backslash: {text}")),
            },
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("--cflags: a quote is not closed: {text}"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_and_quotes() {
        let words = |text| split(text).expect("well formed");
        assert_eq!(words("-DA -I  dir"), ["-DA", "-I", "dir"]);
        assert_eq!(words(r#"'-DNAME="a b"' -DX=\"y\" """#), ["-DNAME=\"a b\"", "-DX=\"y\"", ""]);
        assert!(words("  ").is_empty());
        assert!(split("'open").is_err());
        assert!(split("\\").is_err());
    }
}
