//! One test out of the text of a test file: with its comment, from the line where it begins.

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// Counted from 1.
    pub line: usize,
    pub text: &'a str,
}

/// The function called `name`, as the frameworks of this room write one: a head, braces at the head's depth, and above it
/// comments and annotations.
pub fn excerpt<'a>(text: &'a str, name: &str) -> Option<Excerpt<'a>> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let head = (0..lines.len()).find(|&at| is_head(&lines, at, name))?;
    let depth = indent(lines[head]);
    let is_above = |line: &str| {
        let word = line.trim_start();
        ["/*", "*", "//", "@"].iter().any(|mark| word.starts_with(mark))
    };
    let first = (0..head).rev().take_while(|&at| is_above(lines[at])).last().unwrap_or(head);
    let is_end = |line: &str| line.trim() == "}" && indent(line) == depth;
    let last = (head + 1..lines.len()).find(|&at| is_end(lines[at]))?;
    let start: usize = lines[..first].iter().map(|line| line.len()).sum();
    let length: usize = lines[first..=last].iter().map(|line| line.len()).sum();
    Some(Excerpt { line: first + 1, text: &text[start..start + length] })
}

/// Whether a definition begins here, and not a call or a list of tests.
fn is_head(lines: &[&str], at: usize, name: &str) -> bool {
    let line = lines[at].trim_end();
    let opens = line.ends_with('{') || lines.get(at + 1).is_some_and(|next| next.trim() == "{");
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    opens
        && line.match_indices(name).any(|(from, _)| {
            let (before, after) = (&line[..from], &line[from + name.len()..]);
            !before.ends_with(is_part) && after.starts_with(['(', ')'])
        })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, excerpt};

    #[test]
    fn a_function_of_c_comes_with_its_comment() {
        let text = "#include \"f.c\"\n\n/*\n * covers: 1:2: x\n */\nstatic void test_f(void)\n{\n    if (f(1)) {\n    }\n}\n\n\
            static void test_f_2(void)\n{\n}\n\nstatic const glassbox_test all[] = {\n    {\"test_f\", test_f},\n};\n";
        let found = excerpt(text, "test_f").expect("it is there");
        assert_eq!(found.line, 3);
        assert!(found.text.starts_with("/*\n * covers"), "{}", found.text);
        assert!(found.text.ends_with("    if (f(1)) {\n    }\n}\n"), "{}", found.text);
        let second = excerpt(text, "test_f_2");
        assert_eq!(second, Some(Excerpt { line: 12, text: "static void test_f_2(void)\n{\n}\n" }));
        assert_eq!(excerpt(text, "test"), None);
    }

    #[test]
    fn a_method_of_java_comes_with_its_annotation() {
        let text = "public class T {\n    // 5: i == 0 is true\n    @Test\n    public void f_is_0() throws Throwable {\n        \
            f(0);\n    }\n}\n";
        let found = excerpt(text, "f_is_0").expect("it is there");
        assert_eq!(found.line, 2);
        assert!(found.text.starts_with("    // 5") && found.text.ends_with("f(0);\n    }\n"));
    }
}
