//! What a preprocessed unit has outside of braces: declarations, attributes, assembly, pragmas.
//!
//! Compilers see more in it than the program that it becomes has, such as sections, aliases and assembly between functions.
//! Where a text is compared with an earlier one, this part of it is compared as it stands; lines may move.

/// The text at file scope, without line markers, definitions of macros and comments, every gap one space.
pub fn outside(text: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'#' if is_line_start && is_marker(rest) => up_to(rest, b"\n").saturating_sub(1),
            b'/' if rest.starts_with(b"//") => up_to(rest, b"\n").saturating_sub(1),
            b'/' if rest.starts_with(b"/*") => 2 + up_to(&rest[2..], b"*/"),
            b'"' | b'\'' => quoted(rest),
            _ => 1,
        };
        let is_gap = byte.is_ascii_whitespace()
            || rest.starts_with(b"//")
            || rest.starts_with(b"/*")
            || (is_line_start && byte == b'#' && is_marker(rest));
        is_line_start = byte == b'\n' || (is_line_start && byte.is_ascii_whitespace());
        if byte == b'}' {
            depth = depth.saturating_sub(1);
        }
        match (depth, is_gap) {
            (0, true) if found.last().is_some_and(|last| *last != b' ') => found.push(b' '),
            (0, false) => found.extend_from_slice(&rest[..length]),
            _ => {}
        }
        if byte == b'{' {
            depth += 1;
        }
        at += length.max(1);
    }
    found
}

/// Whether a line says where the next ones come from, or what a macro is, which stands in the text wherever it is used.
fn is_marker(line: &[u8]) -> bool {
    let word = line[1..].trim_ascii_start();
    let is_done = |name: &&[u8]| word.starts_with(name);
    word.first().is_some_and(u8::is_ascii_digit)
        || [&b"line"[..], b"define", b"undef"].iter().any(is_done)
}

/// The length up to and with `end`, or of all.
fn up_to(text: &[u8], end: &[u8]) -> usize {
    let found = text.windows(end.len()).position(|part| part == end);
    found.map_or(text.len(), |at| at + end.len())
}

/// The length of a literal, or of what there is of it.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == text[0] => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::outside;

    fn of(text: &str) -> String {
        String::from_utf8(outside(text.as_bytes())).expect("text")
    }

    #[test]
    fn bodies_lines_and_gaps_do_not_count() {
        let one = of("# 1 \"a.c\"\nint f(int x) { return x; }\nasm(\"nop\");\n");
        assert_eq!(one, "int f(int x) {} asm(\"nop\"); ");
        assert_eq!(
            one,
            of(
                "#line 7\n#define A {\nint  f(int x)\n{ return '}'; /* } */ }\n\n# 3\nasm(\"nop\");\n"
            )
        );
    }

    #[test]
    fn what_compilers_see_counts() {
        let plain = of("int n;\nint f(void) { return n; }\n");
        for other in [
            "int n __attribute__((section(\"s\")));\nint f(void) { return n; }\n",
            "int n;\n#pragma GCC optimize(\"O3\")\nint f(void) { return n; }\n",
            "int n;\nint f(void) { return n; }\nasm(\"nop\");\n",
        ] {
            assert_ne!(plain, of(other), "{other}");
        }
    }

    #[test]
    fn what_is_cut_off_is_taken_as_it_is() {
        for text in ["\"", "'\\", "/*", "/", "}", "{", "#", "# 1", "//", "int a; \"b\\\""] {
            let _ = of(text);
        }
        assert_eq!(of("} int a;"), "} int a;");
    }
}
