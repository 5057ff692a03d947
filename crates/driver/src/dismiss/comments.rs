//! Comments that say that a finding is meant: `// glassbox: ignore KIND[,KIND] REASON`, at the end of its line or on
//! lines of their own above it.

use std::collections::BTreeMap;

use glassbox_coverage::{Property, PropertyKind};
use glassbox_ir::{FileOrigin, Program};

use crate::listener::Listener;

const MARK: &str = "glassbox: ignore";

/// By file and line: what is ignored there.
#[derive(Debug, Default)]
pub(super) struct Comments(BTreeMap<(usize, u32), Vec<Comment>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Comment {
    kinds: Vec<PropertyKind>,
    reason: String,
}

impl Comments {
    pub(super) fn of(program: &Program, listener: &dyn Listener) -> Comments {
        let mut comments = Comments::default();
        let files = program.files.iter().enumerate();
        for (index, file) in files.filter(|(_, file)| file.origin == FileOrigin::User) {
            let Some(text) = file.text.as_deref().filter(|text| text.contains(MARK)) else {
                continue;
            };
            let (marked, wrong) = read(text);
            for (line, message) in wrong {
                listener.diagnostic(&format!("{}:{line}: warning: {message}\n", file.path));
            }
            for (line, comment) in marked {
                comments.0.entry((index, line)).or_default().push(comment);
            }
        }
        comments
    }

    /// Why a property is ignored.
    pub(super) fn reason(&self, property: &Property) -> Option<String> {
        let span = property.span;
        if span.is_nowhere() {
            return None;
        }
        let comments = self.0.get(&(span.file.index(), span.line))?;
        let named = comments.iter().find(|comment| comment.kinds.contains(&property.kind));
        named.map(|comment| comment.reason.clone())
    }
}

/// What belongs to lines.
type ByLine<T> = Vec<(u32, T)>;

/// What is marked, by the line that it is about, and what is wrong with marks, by their line.
fn read(text: &str) -> (ByLine<Comment>, ByLine<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut marked, mut wrong) = (Vec::new(), Vec::new());
    for (position, line) in lines.iter().enumerate() {
        let Some((before, mark)) = line.split_once(MARK) else { continue };
        let is_comment = ["//", "/*"].iter().any(|start| before.trim_end().ends_with(start));
        // Quotes that are open: it is a part of a text.
        let is_text = before.replace("\\\"", "").replace("'\"'", "").matches('"').count() % 2 == 1;
        if !is_comment || is_text {
            continue;
        }
        let number = |position: usize| u32::try_from(position + 1).unwrap_or(u32::MAX);
        match comment(mark) {
            Err(message) => wrong.push((number(position), message)),
            Ok(comment) => {
                let is_alone = before.trim().len() == 2;
                let rest = &lines[position + 1..];
                let below = rest.iter().position(|line| !is_comment_or_empty(line));
                let target = if is_alone { below.map(|below| position + 1 + below) } else { None };
                marked.push((number(target.unwrap_or(position)), comment));
            }
        }
    }
    (marked, wrong)
}

fn is_comment_or_empty(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"))
}

/// What stands behind the mark.
fn comment(text: &str) -> Result<Comment, String> {
    let text = text.split("*/").next().unwrap_or_default().trim();
    let (names, reason) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut kinds = Vec::new();
    for name in names.trim_end_matches(':').split(',').filter(|name| !name.is_empty()) {
        let kind = PropertyKind::ALL.iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| {
            let known: Vec<&str> = PropertyKind::ALL.iter().map(|kind| kind.name()).collect();
            let help = glassbox_contract::similar::help(name, &known);
            format!("nothing is ignored: there is no property `{name}`\nhelp: {help}")
        })?;
        kinds.push(*kind);
    }
    let reason = reason.trim().trim_start_matches([':', '-']).trim();
    if kinds.is_empty() || reason.is_empty() {
        return Err(format!(
            "nothing is ignored: a kind and a reason are wanted\n\
             help: `// {MARK} out-of-bounds the caller checks the length`"
        ));
    }
    Ok(Comment { kinds, reason: reason.to_owned() })
}

#[cfg(test)]
mod tests {
    use glassbox_coverage::PropertyKind;
    use glassbox_ir::CheckKind;

    use super::{Comment, read};

    #[test]
    fn comments_are_about_their_line_or_the_next_one_with_code() {
        let text = "int f(int *p)\n{\n    // glassbox: ignore null-dereference,out-of-bounds: never called so\n    // more words\n\n    \
                    return *p; /* other */\n}\nint g(int a) { return 1 / a; } /* glassbox: ignore division-by-zero known */\n";
        let (marked, wrong) = read(text);
        assert_eq!(wrong, []);
        let kinds = vec![
            PropertyKind::Check(CheckKind::NullDereference),
            PropertyKind::Check(CheckKind::OutOfBounds),
        ];
        let first = Comment { kinds, reason: "never called so".to_owned() };
        let kinds = vec![PropertyKind::Check(CheckKind::DivisionByZero)];
        let second = Comment { kinds, reason: "known".to_owned() };
        assert_eq!(marked, [(6, first), (8, second)]);
    }

    #[test]
    fn marks_without_a_kind_or_a_reason_are_reported() {
        let text = "int a; // glassbox: ignore\nint b; // glassbox: ignore leak\nint c; // glassbox: ignore lekas yes\n\
                    char *d = \"glassbox: ignore leak x\";\n";
        let (marked, wrong) = read(text);
        assert_eq!(marked, []);
        let lines: Vec<u32> = wrong.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 3]);
        assert!(wrong[2].1.contains("no property `lekas`"), "{}", wrong[2].1);
    }
}
