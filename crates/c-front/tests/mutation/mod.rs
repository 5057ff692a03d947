//! Programs that are nearly right: tokens exchanged for others of their kind.

use glassbox_testkit::Random;

/// Words, numbers, blanks and single characters.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match class(first) {
            3 => first.len_utf8(),
            kind => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// A program with a few tokens exchanged for others of their kind.
pub(crate) fn mutant(all: &[&str], random: &mut Random) -> String {
    let kind = |piece: &str| match piece.chars().next() {
        Some(c) if c.is_ascii_digit() => 1,
        Some(c) if c.is_alphabetic() || c == '_' => 2,
        Some(c) if "+-*/%&|^<>!~=".contains(c) => 3,
        Some(_) | None => 4,
    };
    let mut mutant: Vec<&str> = all.to_vec();
    let mut n_left = 1 + random.below(2);
    while n_left > 0 {
        let (at, from) = (random.below(all.len()), random.below(all.len()));
        if kind(all[at]) == kind(all[from]) && kind(all[at]) < 4 && all[at] != all[from] {
            mutant[at] = all[from];
            n_left -= 1;
        }
    }
    mutant.concat()
}
