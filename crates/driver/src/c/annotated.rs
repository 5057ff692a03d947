//! Annotations in comments of C files: which files have them, and assertions as code of the preprocessed text.

use std::collections::BTreeSet;
use std::path::Path;

use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_contract::acsl::{Assertion, Source};

/// The user's files that make up preprocessed texts.
pub(super) fn sources<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Vec<Source> {
    let mut paths = BTreeSet::new();
    for text in texts {
        let markers = text.split(|&byte| byte == b'\n').filter_map(marker);
        paths.extend(markers.filter(|marker| !marker.is_system).filter_map(|marker| marker.path));
    }
    let source = |path: String| {
        let text = String::from_utf8(read_original(None, &path)?).ok()?;
        Some(Source { path, text })
    };
    paths.into_iter().filter(|path| !path.starts_with('<')).filter_map(source).collect()
}

/// A line `# 12 "file.c" 3`.
struct Marker {
    line: u32,
    path: Option<String>,
    is_system: bool,
}

fn marker(line: &[u8]) -> Option<Marker> {
    let text = std::str::from_utf8(line).ok()?.strip_prefix("# ")?;
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    let line = number.parse().ok()?;
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.rsplit_once('"'));
    let path = quoted.map(|(path, _)| path.replace("\\\\", "\\"));
    let is_system = quoted.is_some_and(|(_, flags)| flags.split(' ').any(|flag| flag == "3"));
    Some(Marker { line, path, is_system })
}

/// Puts assertions into the text of a unit, each where the line of its comment is, or the next that is there.
pub(super) fn insert(
    text: &mut Vec<u8>,
    assertions: &[Assertion],
    preprocessor: &Preprocessor,
    source: &Path,
) {
    if assertions.is_empty() {
        return;
    }
    let mut open: Vec<&Assertion> = assertions.iter().collect();
    let mut out = Vec::with_capacity(text.len());
    let (mut path, mut number) = (String::new(), 1u32);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        if let Some(marker) = marker(bare) {
            number = marker.line;
            path = marker.path.unwrap_or(path);
            out.extend_from_slice(line);
            continue;
        }
        let is_before = |it: &&Assertion| it.place.path == path && number > it.line;
        let is_here = |it: &&Assertion| it.place.path == path && number == it.line;
        for assertion in open.iter().copied().filter(is_before) {
            write(&mut out, assertion, number, (preprocessor, source));
        }
        open.retain(|it| !is_before(it));
        out.extend_from_slice(line);
        for assertion in open.iter().copied().filter(is_here) {
            write(&mut out, assertion, number + 1, (preprocessor, source));
        }
        open.retain(|it| !is_here(it));
        number += 1;
    }
    *text = out;
}

/// The assertion as a statement, at its place; what follows is the line of this number.
fn write(
    out: &mut Vec<u8>,
    assertion: &Assertion,
    next: u32,
    (preprocessor, source): (&Preprocessor, &Path),
) {
    let Assertion { place, text, shown, .. } = assertion;
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let code = format!("__glassbox_ensure(({text}), \"{}\");", quoted(shown));
    let expanded = preprocessor.expand(source, code.as_bytes()).and_then(|expanded| {
        let text = String::from_utf8(expanded).ok()?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        Some(lines.join(" "))
    });
    let code = expanded.unwrap_or(code);
    let path = quoted(&place.path);
    let indent = " ".repeat(place.column as usize - 1);
    let text = format!(
        "# {line} \"{path}\"\n{{ extern void __glassbox_ensure();\n# {line} \"{path}\"\n{indent}{} }}\n# {next} \"{path}\"\n",
        code.trim(),
        line = place.line,
    );
    out.extend_from_slice(text.as_bytes());
}
