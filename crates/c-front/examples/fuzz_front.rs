//! Mutates C files and checks the mutants: nothing may panic.
//!
//! `cargo run --release -p glassbox-c-front --example fuzz_front -- SEED COUNT FILE...`

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command for people")]

use glassbox_c_front::diagnostics::render::{Color, render};
use glassbox_c_front::front::Front;

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 11).unwrap_or(0)
}

/// Words, blanks and single characters.
fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let class = |b: &u8| match b {
        b if b.is_ascii_alphanumeric() || *b == b'_' => 1,
        b if b.is_ascii_whitespace() => 2,
        _ => 3,
    };
    bytes.chunk_by(|a, b| class(a) == class(b) && class(a) != 3).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize| arguments.get(index).and_then(|a| a.parse::<u64>().ok()).unwrap_or(1);
    let mut state = number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let files: Vec<Vec<u8>> =
        arguments.iter().skip(2).filter_map(|file| std::fs::read(file).ok()).collect();
    let split: Vec<Vec<&[u8]>> = files.iter().map(|bytes| pieces(bytes)).collect();
    let mut errors = 0usize;
    for _ in 0..number(1) {
        let Some(source) = split.get(next(&mut state) % split.len().max(1)) else { return };
        let mut mutant = source.clone();
        for _ in 0..1 + next(&mut state) % 6 {
            let other = &split[next(&mut state) % split.len()];
            let (at, from) = (next(&mut state) % mutant.len(), next(&mut state) % other.len());
            match next(&mut state) % 5 {
                0 => drop(mutant.remove(at)),
                1 => mutant.insert(at, other[from]),
                2 => mutant[at] = other[from],
                3 => {
                    let with = from % mutant.len();
                    mutant.swap(at, with);
                }
                _ => {
                    let run = other[from..].iter().take(next(&mut state) % 20).copied();
                    let run: Vec<&[u8]> = run.collect();
                    mutant.splice(at..at, run);
                }
            }
        }
        let text = mutant.concat();
        // Kept so that a mutant that stops the tool can be looked at.
        let _ = std::fs::write(std::env::temp_dir().join("glassbox-fuzz-last.c"), &text);
        let mut front = Front::new();
        front.add_unit("fuzz.c", text, &mut |_| None);
        let checked = front.finish();
        for diagnostic in &checked.diagnostics {
            render(diagnostic, &checked.sources, Color::Plain);
        }
        errors += usize::from(checked.has_errors());
    }
    println!("no panic; {errors} of {} mutants have errors", number(1));
}
