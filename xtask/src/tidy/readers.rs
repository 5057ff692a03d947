//! Who reads files: lints keep writing, processes and clocks to a few rooms, but tests may read what they like.

use super::Complaint;

/// Rooms and files that read; all others are given what they work on.
const READERS: &[&str] = &[
    "crates/driver/src/",
    "crates/replay/src/",
    "crates/testkit/src/",
    "crates/c-front/src/compdb.rs",
    "crates/c-front/src/preprocess.rs",
    "crates/cli/src/command/solve.rs",
    "crates/contract/src/lib.rs",
    "crates/lsp/src/disk.rs",
    "crates/jvm-front/src/classpath/",
    "crates/jvm-front/src/library/bodies.rs",
];

pub(super) fn check(name: &str, text: &str) -> Vec<Complaint> {
    let is_source = name.starts_with("crates/") && name.contains("/src/");
    if !is_source || READERS.iter().any(|reader| name.starts_with(reader)) {
        return Vec::new();
    }
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").enumerate();
    let reads = |line: &str| line.contains("fs::read") || line.contains("File::open");
    lines
        .filter(|(_, line)| reads(line))
        .map(|(number, _)| format!("{name}:{}: files are read by {READERS:?}", number + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_file_read_in_another_room_is_noticed() {
        let line = "let text = std::fs::read(path);\n";
        assert_eq!(check("crates/prove/src/x.rs", line).len(), 1);
        assert!(check("crates/driver/src/x.rs", line).is_empty());
        assert!(check("crates/prove/tests/x.rs", line).is_empty());
        assert!(check("crates/prove/src/x.rs", &format!("#[cfg(test)]\n{line}")).is_empty());
    }
}
