//! Flags of the compiler in one spelling: files of flags are read, what is handed on to the preprocessor is taken out, and
//! long names become short ones, so that nothing that a flag says depends on how it is written.

use std::io;
use std::path::Path;

use crate::diagnostics::{Diagnostic, SetupProblem};

/// Files of flags may name others, up to this depth.
const MAX_DEPTH: u32 = 8;

/// Reads a file of flags.
pub type Read<'r> = dyn Fn(&Path) -> io::Result<String> + 'r;

/// The words in one spelling. A file of flags that cannot be read stays as it is written, and is refused by name later.
pub fn spelled_out(words: &[String], directory: &Path, read: &Read<'_>) -> Vec<String> {
    in_one_spelling(words, directory, read, &mut Vec::new())
}

/// The same, with a diagnostic for each file that cannot be read.
pub(crate) fn in_one_spelling(
    words: &[String],
    directory: &Path,
    read: &Read<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut expanded = Vec::new();
    for word in words {
        expand(word.clone(), directory, read, 0, &mut expanded, diagnostics);
    }
    let (mut own, mut handed_on) = (Vec::new(), Vec::new());
    let mut words = expanded.into_iter();
    while let Some(word) = words.next() {
        if let Some(list) = word.strip_prefix("-Wp,") {
            handed_on.extend(list.split(',').map(str::to_owned));
        } else if word == "-Xpreprocessor" {
            handed_on.extend(words.next());
        } else if word == "-Xcompiler" {
            // nvcc gives these to the compiler of the host.
            own.extend(words.next().unwrap_or_default().split(',').map(str::to_owned));
        } else if word.starts_with("--") {
            short(word, &mut words, &mut own);
        } else {
            own.push(word);
        }
    }
    // Of two flags about the same the compiler's own one is read later, except for macros and headers.
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let mut handed_on = handed_on.into_iter();
    while let Some(word) = handed_on.next() {
        match word.as_str() {
            // These name a file there.
            "-MD" | "-MMD" => drop(handed_on.next()),
            "-D" | "-U" | "-I" | "-include" | "-imacros" => {
                last.push(word);
                last.extend(handed_on.next());
            }
            _ if ["-D", "-U", "-I", "-i"].iter().any(|start| word.starts_with(start)) => {
                last.push(word);
            }
            _ => first.push(word),
        }
    }
    first.append(&mut own);
    first.append(&mut last);
    first
}

/// Long names of flags: one that takes a value, attached with `=` or as the next word, becomes a short name and its value.
const LONG: [(&str, &str); 6] = [
    ("--define-macro", "-D"),
    ("--imacros", "-imacros"),
    ("--include", "-include"),
    ("--include-directory", "-I"),
    ("--include-directory-after", "-idirafter"),
    ("--undefine-macro", "-U"),
];

/// Adds what a long name stands for.
fn short(word: String, words: &mut dyn Iterator<Item = String>, out: &mut Vec<String>) {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word.as_str(), None),
    };
    let value = |words: &mut dyn Iterator<Item = String>| value.or_else(|| words.next());
    if let Some((_, flag)) = LONG.iter().find(|(long, _)| *long == name) {
        out.push((*flag).to_owned());
        out.extend(value(words));
        return;
    }
    match name {
        "--ansi" => out.push("-ansi".to_owned()),
        "--std" => out.extend(value(words).map(|version| format!("-std={version}"))),
        "--optimize" => {
            out.push(format!("-O{}", word.strip_prefix("--optimize=").unwrap_or_default()))
        }
        "--param" => out.extend(value(words).map(|what| format!("--param={what}"))),
        "--sysroot" => out.extend(value(words).map(|folder| format!("--sysroot={folder}"))),
        _ => out.push(word),
    }
}

/// Replaces `@file` by the words in it.
fn expand(
    word: String,
    directory: &Path,
    read: &Read<'_>,
    depth: u32,
    out: &mut Vec<String>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(name) = word.strip_prefix('@').filter(|_| depth < MAX_DEPTH) else {
        out.push(word);
        return;
    };
    let path = directory.join(name);
    match read(&path) {
        Ok(text) => {
            for inner in split_command(&text).unwrap_or_default() {
                expand(inner, directory, read, depth + 1, out, diagnostics);
            }
        }
        Err(error) => {
            let (path, why) = (path.display().to_string(), error.to_string());
            diagnostics.push(Diagnostic::setup(SetupProblem::ResponseFile { path, why }));
            out.push(word);
        }
    }
}

/// Splits a command as a POSIX shell would; `None` if a quote is left open.
pub fn split_command(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            '\n' => {}
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            '\\' => match characters.next() {
                Some('\n') => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => word.get_or_insert_default().push('\\'),
            },
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flag_has_one_spelling() {
        let read = |path: &Path| match path.to_str() {
            Some("/w/one") => Ok("-m32 '-DX=a b' @two".to_owned()),
            Some("/w/two") => Ok("-fwrapv".to_owned()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        for (written, expect) in [
            ("@one -g", "-m32|-DX=a b|-fwrapv|-g"),
            ("@none", "@none"),
            ("-Wp,-DX=1,-D,Y -UX -O2", "-UX|-O2|-DX=1|-D|Y"),
            ("-fsigned-char -Wp,-funsigned-char", "-funsigned-char|-fsigned-char"),
            ("-Wp,-MMD,deps -Wall", "-Wall"),
            ("-Xpreprocessor -fpack-struct=2 -c", "-fpack-struct=2|-c"),
            ("--std=c90 --ansi", "-std=c90|-ansi"),
            ("--define-macro X=1 --define-macro=Y=2", "-D|X=1|-D|Y=2"),
            ("--include=h --param x=1 --optimize=2", "-include|h|--param=x=1|-O2"),
            ("--target=arm --coverage", "--target=arm|--coverage"),
        ] {
            let words: Vec<String> = written.split(' ').map(str::to_owned).collect();
            let all = in_one_spelling(&words, Path::new("/w"), &read, &mut Vec::new());
            assert_eq!(all.join("|"), expect, "{written}");
        }
    }
}
