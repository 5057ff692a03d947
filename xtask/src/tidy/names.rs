//! Names that say nothing, and muted tests.

use std::path::Path;

use super::Complaint;

const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "misc", "common"];

/// What should not be written, in two halves so that this file does not contain it.
const BANNED: &[(&str, &str, &str)] = &[
    ("#[ig", "nore", "a test that does not run proves nothing; use a corpus level"),
    ("should", "_panic", "say which error is expected"),
    ("FIX", "ME", "finish it or name the issue"),
];

pub(super) fn check(name: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for part in Path::new(name).components() {
        let part = part.as_os_str().to_string_lossy();
        if EMPTY_NAMES.contains(&part.trim_end_matches(".rs")) {
            complaints.push(format!("{name}: `{part}` does not say what is in it"));
        }
    }
    for (number, line) in text.lines().enumerate() {
        for (first, second, why) in BANNED {
            if line.contains(&format!("{first}{second}")) {
                complaints.push(format!("{name}:{}: `{first}{second}`: {why}", number + 1));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn empty_names_and_muted_tests_are_noticed() {
        assert_eq!(check("crates/x/src/utils.rs", "").len(), 1);
        assert_eq!(check("crates/x/src/common/y.rs", "").len(), 1);
        assert_eq!(check("crates/x/src/y.rs", &format!("#[ig{}]", "nore")).len(), 1);
        assert!(check("crates/x/src/layout.rs", "fn size() {}").is_empty());
    }
}
