//! Words that `GLOSSARY.md` has better ones for, and languages that are named outside of their owners.

use super::Complaint;

/// What is not written anywhere, in two halves so that this file does not contain it, and what is written instead.
const EVERYWHERE: &[(&str, &str, &str)] = &[
    ("sto", "ry", "`reason` or `message`"),
    ("none of", " ours", "`exclude`"),
    ("whoever", " asks", "`the caller`"),
    ("so", " often", "`at most`"),
    ("by", " turns", "`alternates`"),
    ("is", " told", "`is reported`"),
    ("are", " told", "`are reported`"),
    ("no", "body", "`nothing`, or what it is that does not"),
];

/// Files that may name a language: the facts about languages, their textual form, the front-ends, and the name in
/// suite.json. All others ask for facts.
const OWNERS: &[&str] = &[
    "crates/ir/src/language.rs",
    "crates/ir/src/text/parse.rs",
    "crates/ir/src/text/print.rs",
    "crates/c-front/src/lower/mod.rs",
    "crates/jvm-front/src/lower/context.rs",
    "crates/report/src/data/mod.rs",
];

/// Words in sources and documentation; the glossary itself has to name them.
pub(super) fn check(name: &str, text: &str) -> Vec<Complaint> {
    if name == "GLOSSARY.md" {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        for (first, second, better) in EVERYWHERE {
            let word = format!("{first}{second}");
            if has_word(&line, &word) {
                complaints.push(format!("{name}:{}: `{word}`: write {better}", number + 1));
            }
        }
    }
    complaints
}

/// Languages that are compared where a fact should be asked for; tests may name them.
pub(super) fn check_languages(name: &str, text: &str) -> Vec<Complaint> {
    let is_source = name.contains("/src/") && !name.starts_with("xtask/");
    if !is_source || OWNERS.contains(&name) {
        return Vec::new();
    }
    let names = [format!("Language::{}", "C"), format!("Language::{}", "Java")];
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").enumerate();
    let named = lines.filter(|(_, line)| names.iter().any(|language| has_word(line, language)));
    named
        .map(|(number, _)| {
            format!("{name}:{}: ask `ir::Language` for the fact that matters", number + 1)
        })
        .collect()
}

/// Whether the word stands there by itself, not as a part of another.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::{check, check_languages};

    #[test]
    fn words_with_better_ones_are_noticed() {
        let line = format!("// The whole sto{}.", "ry");
        assert_eq!(check("crates/x/src/y.rs", &line).len(), 1);
        assert!(check("GLOSSARY.md", &line).is_empty());
        assert!(check("crates/x/src/y.rs", "// The history, also often.").is_empty());
        let line = format!("An error is to{}.", "ld");
        assert_eq!(check("docs/src/y.md", &line).len(), 1);
        assert_eq!(check("crates/x/src/y.rs", &line).len(), 1);
    }

    #[test]
    fn a_language_outside_of_its_owners_is_noticed() {
        let line = format!("if program.language == Language::{} {{", "Java");
        assert_eq!(check_languages("crates/x/src/y.rs", &line).len(), 1);
        assert!(check_languages("crates/ir/src/language.rs", &line).is_empty());
        assert!(check_languages("crates/x/tests/y.rs", &line).is_empty());
        let in_tests = format!("#[cfg(test)]\n{line}");
        assert!(check_languages("crates/x/src/y.rs", &in_tests).is_empty());
        assert!(check_languages("crates/x/src/y.rs", "Language::Column").is_empty());
    }
}
