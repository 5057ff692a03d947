//! Nothing a user writes panics: mutated programs, deep nesting, garbage.

use glassbox_c_front::diagnostics::render::{Color, render};
use glassbox_c_front::front::Front;
use glassbox_testkit::Random;

const CONSTRUCTS: &str = include_str!("data/constructs.c");

/// Checks bytes and renders what is said about them; gives the messages.
fn survive(bytes: Vec<u8>) -> Vec<String> {
    let mut front = Front::new();
    front.add_unit("fuzz.c", bytes, &mut |_| None);
    let checked = front.finish();
    let show = |d| render(d, &checked.sources, Color::Plain);
    checked.diagnostics.iter().map(show).collect()
}

#[test]
fn the_sample_of_all_constructs_is_accepted() {
    assert_eq!(survive(CONSTRUCTS.as_bytes().to_vec()), Vec::<String>::new());
}

/// Splits into words, numbers, blanks and single characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            1
        } else if c.is_whitespace() {
            2
        } else {
            3
        }
    };
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    for pair in characters.windows(2) {
        let (at, next) = (pair[0], pair[1]);
        if class(at.1) != class(next.1) || class(at.1) == 3 {
            out.push(&text[start..next.0]);
            start = next.0;
        }
    }
    out.push(&text[start..]);
    out
}

#[test]
fn mutated_tokens_never_panic() {
    let all = pieces(CONSTRUCTS);
    let mut random = Random::new(7);
    for _ in 0..1500 {
        let mut mutant: Vec<&str> = all.clone();
        for _ in 0..1 + random.below(3) {
            let (at, from) = (random.below(mutant.len()), random.below(all.len()));
            match random.below(4) {
                0 => drop(mutant.remove(at)),
                1 => mutant.insert(at, all[from]),
                2 => mutant[at] = all[from],
                _ => mutant.truncate(at.max(200)),
            }
        }
        survive(mutant.concat().into_bytes());
    }
}

#[test]
fn mutated_bytes_never_panic() {
    let mut random = Random::new(8);
    for _ in 0..800 {
        let mut bytes = CONSTRUCTS.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).expect("a byte");
        }
        survive(bytes);
    }
}

#[test]
fn garbage_never_panics() {
    let mut random = Random::new(9);
    let alphabet = b"(){}[];,*&=+-<>.:?!~^|%/\\\"'#0123456789abcxyzLuU \n\t\xff\0";
    for length in 0..600 {
        let bytes = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
        survive(bytes);
    }
}

#[track_caller]
fn check_too_deep(text: String) {
    let messages = survive(text.into_bytes());
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("nested deeper than"), "{}", messages[0]);
    assert!(messages[0].contains("a limit of glassbox"), "{}", messages[0]);
}

#[test]
fn deep_nesting_is_one_diagnostic() {
    let n = 100_000;
    check_too_deep(format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)));
    check_too_deep(format!("int f(int a) {{ {} }}", "{".repeat(n)));
    check_too_deep(format!("int f(int a) {{ {}; }}", "if (a)".repeat(n)));
    check_too_deep(format!("int f(int a) {{ return {}a; }}", "!".repeat(n)));
    check_too_deep(format!("int f(int a) {{ return a{}; }}", "+a".repeat(7000)));
    check_too_deep(format!("int f(int a) {{ return {}2; }}", "a?1:".repeat(n)));
    check_too_deep(format!("int f(int a) {{ a{}; }}", "=a".repeat(n)));
    check_too_deep(format!("int {}p;", "*".repeat(n)));
    check_too_deep(format!("int a{};", "[1]".repeat(n)));
    check_too_deep(format!("int a[] = {}{};", "{".repeat(n), "}".repeat(n)));
    check_too_deep("struct S{".repeat(n));
}

#[test]
fn long_but_flat_programs_are_fine() {
    let many = "x = x + 1; ".repeat(20_000);
    assert_eq!(
        survive(format!("int f(int x) {{ {many} return x; }}").into_bytes()),
        Vec::<String>::new()
    );
    let cases: String = (0..5000).map(|n| format!("case {n}: x++; ")).collect();
    let text = format!("int f(int x) {{ switch (x) {{ {cases} }} return x; }}");
    assert_eq!(survive(text.into_bytes()), Vec::<String>::new());
    let values = "1, ".repeat(50_000);
    assert_eq!(survive(format!("int a[] = {{ {values} }};").into_bytes()), Vec::<String>::new());
}
