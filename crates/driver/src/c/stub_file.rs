//! `glassbox_stubs.c` of a unit: written once beside its tests, and read as part of the program when someone has
//! written something in it.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_emit::framework::TextFile;
use glassbox_emit::stub_file::{NAME, stub_file};

use super::C;
use super::test_files::relative;
use super::units::Unit;

/// The stub file of a unit whose tests are below `tests`, if there is code in it.
pub(super) fn written(tests: &Path, folder: &Path) -> Option<PathBuf> {
    let path = tests.join(folder).join(NAME);
    let text = fs::read(&path).ok()?;
    has_code(&String::from_utf8_lossy(&text)).then_some(path)
}

/// What there is to begin with, as a file of the unit's folder of tests (`folder`, absolute).
pub(super) fn first(c: &C, unit: &Unit, folder: &Path) -> Option<TextFile> {
    let source = fs::read(&unit.path).ok()?;
    let at = fs::canonicalize(&unit.path).ok()?;
    let beside = at.parent()?;
    let mut includes = Vec::new();
    let mut depth = 0usize;
    for line in String::from_utf8_lossy(&source).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && directive.starts_with("include") {
            includes.push(include(directive, beside, folder));
        }
    }
    let name = unit.path.file_name()?.to_string_lossy().into_owned();
    let text = stub_file(&c.program, &name, &includes)?;
    Some(TextFile { name: NAME.to_owned(), text })
}

/// A directive as it has to be in the folder of tests: files beside the source are further away there.
fn include(directive: &str, beside: &Path, folder: &Path) -> String {
    let quoted = directive.split('"').nth(1).map(|name| beside.join(name));
    match quoted.and_then(|path| fs::canonicalize(path).ok()) {
        Some(path) => format!("#include \"{}\"", relative(folder, &path).display()),
        None => format!("#{}", directive.trim_end()),
    }
}

/// Whether a text has more than comments, directives and what `#if 0` switches off.
fn has_code(text: &str) -> bool {
    // How many conditionals deep the switched-off part is that we are in.
    let mut off = 0usize;
    let mut rest = String::new();
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        match directive {
            Some(directive) if off > 0 && directive.starts_with("if") => off += 1,
            Some(directive) if off > 0 && directive.starts_with("endif") => off -= 1,
            Some(directive) if off == 1 && directive.starts_with("el") => off = 0,
            Some(directive) if off == 0 => {
                let mut words = directive.split_whitespace();
                off = usize::from(words.next() == Some("if") && words.next() == Some("0"));
            }
            Some(_) => {}
            None if off == 0 => rest.push_str(&format!("{line}\n")),
            None => {}
        }
    }
    let mut parts = rest.split("/*");
    let first = parts.next().unwrap_or_default();
    let others = parts.map(|part| part.split_once("*/").map_or("", |(_, after)| after));
    let lines = std::iter::once(first).chain(others).flat_map(str::lines);
    lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .any(|line| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::has_code;

    #[test]
    fn only_what_is_switched_on_counts() {
        assert!(!has_code(
            "/* a\n b */\n#include <x.h>\n\n#if 0\nint f(void) { return 0; }\n#endif\n"
        ));
        assert!(!has_code("#if 0\n#if 1\nint f;\n#endif\nint g;\n#endif\n// int h;\n"));
        assert!(has_code("#if 1\nint f(void) { return 0; }\n#endif\n"));
        assert!(has_code("#if 0\n#else\nint f(void) { return 0; }\n#endif\n"));
        assert!(has_code("/* a */ int f(void);\n"));
    }
}
