//! The catalog of models: C files cut into pieces, one per function or shared object.
//!
//! A piece begins with a line `//@ name` and runs to the next such line. It may use pieces that come
//! before it in the order of files and lines; what stands before the first piece of a file is its
//! prelude. Only the pieces that a program needs are compiled.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::PREFIX;
use crate::tree::{self, FunctionId};

/// The model files, each after those it uses.
const FILES: &[(&str, &str)] = &[
    ("errno.c", include_str!("errno.c")),
    ("memory.c", include_str!("memory.c")),
    ("string.c", include_str!("string.c")),
    ("ctype.c", include_str!("ctype.c")),
    ("stdlib.c", include_str!("stdlib.c")),
    ("strtol.c", include_str!("strtol.c")),
    ("strtod.c", include_str!("strtod.c")),
    ("sscanf.c", include_str!("sscanf.c")),
    ("sort.c", include_str!("sort.c")),
    ("random.c", include_str!("random.c")),
    ("wchar.c", include_str!("wchar.c")),
];

/// C text to be checked as one more unit of the program; it needs no preprocessing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUnit {
    pub name: &'static str,
    pub text: String,
}

struct Piece {
    name: &'static str,
    file: usize,
    /// Of its first line after the `//@` line, counted from 1.
    line: usize,
    text: &'static str,
}

fn prelude(text: &'static str) -> &'static str {
    match text.find("//@ ") {
        Some(end) => &text[..end],
        None => text,
    }
}

fn pieces() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (file, (_, text)) in FILES.iter().enumerate() {
        let mut starts: Vec<usize> = text.match_indices("//@ ").map(|(at, _)| at).collect();
        starts.push(text.len());
        for window in starts.windows(2) {
            let piece = &text[window[0]..window[1]];
            let (head, body) = piece.split_once('\n').unwrap_or((piece, ""));
            let line = text[..window[0]].matches('\n').count() + 2;
            pieces.push(Piece { name: head["//@ ".len()..].trim(), file, line, text: body });
        }
    }
    pieces
}

/// The names of models that a text mentions.
fn mentioned<'a>(text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    text.match_indices(PREFIX).map(|(at, _)| {
        let name = &text[at + PREFIX.len()..];
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        &name[..end]
    })
}

/// The models that a program calls and has not yet got, as one unit; `None` if it needs none.
pub fn missing_unit(program: &tree::Program) -> Option<ModelUnit> {
    let pieces = pieces();
    let mut wanted: FxHashSet<&str> = FxHashSet::default();
    for id in program.referenced_functions() {
        if let Some(name) = lacks_body(program, id) {
            wanted.insert(name);
        }
    }
    // Later pieces use earlier ones, so one walk backwards closes the set.
    let mut is_needed = vec![false; pieces.len()];
    for (index, piece) in pieces.iter().enumerate().rev() {
        if !wanted.contains(piece.name) {
            continue;
        }
        is_needed[index] = true;
        wanted.extend(mentioned(piece.text));
    }
    if !is_needed.contains(&true) {
        return None;
    }
    Some(unit(&pieces, &is_needed))
}

/// The chosen pieces as one text, with line markers for each.
fn unit(pieces: &[Piece], is_chosen: &[bool]) -> ModelUnit {
    let mut text = String::new();
    let mut last_file = None;
    for (piece, _) in pieces.iter().zip(is_chosen).filter(|(_, is_chosen)| **is_chosen) {
        let (name, source) = FILES[piece.file];
        if last_file != Some(piece.file) {
            let _ = write!(text, "# 1 \"<libc>/{name}\"\n{}\n", prelude(source));
            last_file = Some(piece.file);
        }
        let _ = write!(text, "# {} \"<libc>/{name}\"\n{}\n", piece.line, piece.text);
    }
    ModelUnit { name: "<libc>", text }
}

/// The library name of a function that is called or declared, not defined, and has no model yet.
fn lacks_body(program: &tree::Program, id: FunctionId) -> Option<&str> {
    let function = program.function(id);
    if function.body.is_some() || function.linkage != tree::Linkage::External {
        return None;
    }
    let name = program.name(function.name);
    let model = format!("{PREFIX}{name}");
    let has_model =
        program.function_named(&model).is_some_and(|model| program.function(model).body.is_some());
    (!has_model).then_some(name)
}

#[cfg(test)]
mod tests {
    use glassbox_library::Body;

    use super::{PREFIX, mentioned, pieces, unit};
    use crate::compile::compile;
    use crate::front::Front;
    use crate::lower::Promotion;

    #[test]
    fn all_models_compile_without_a_word() {
        let pieces = pieces();
        let all = unit(&pieces, &vec![true; pieces.len()]);
        let mut front = Front::new();
        front.add_unit(all.name, all.text.into_bytes(), &mut |_| None);
        let compiled = compile(front, Promotion::Promote);
        assert_eq!(compiled.diagnostics, []);
        let program = compiled.program.expect("models should compile");
        let unsupported = glassbox_ir::text::print_program(&program).contains("unsupported");
        assert!(!unsupported, "models should use what is modeled");
    }

    #[test]
    fn pieces_use_only_what_comes_before_them() {
        let pieces = pieces();
        for (index, piece) in pieces.iter().enumerate() {
            for name in mentioned(piece.text) {
                let defined = pieces.iter().position(|other| other.name == name);
                assert!(defined.is_none_or(|at| at <= index), "{} uses {name}", piece.name);
            }
        }
    }

    /// Pieces that are part of others have names that no row has; they define nothing that programs call.
    #[test]
    fn every_piece_that_programs_call_has_a_row_and_the_other_way_round() {
        let pieces = pieces();
        let (mut n_parts, mut missing) = (0, Vec::new());
        for piece in &pieces {
            let is_function = piece.text.contains(&format!("{PREFIX}{}(", piece.name));
            let is_called = is_function && !piece.text.contains("static");
            match glassbox_library::find(piece.name) {
                Some(known) => assert_eq!(known.body(), Body::Source, "{}", piece.name),
                None if is_called => missing.push(piece.name),
                None => n_parts += 1,
            }
        }
        assert_eq!(missing, Vec::<&str>::new(), "functions without a row");
        assert!(n_parts < pieces.len() / 4, "{n_parts} pieces are parts of others");
        for (name, function) in glassbox_library::functions() {
            let has_piece = pieces.iter().any(|piece| piece.name == function.name);
            assert!(function.body() != Body::Source || has_piece, "{name} has no piece");
        }
    }
}
