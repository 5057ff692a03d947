//! Every file says in its first line what it is.

use super::Complaint;

pub(super) fn check(name: &str, text: &str) -> Option<Complaint> {
    let has_header = text.lines().next().is_some_and(|line| line.starts_with("//! "));
    (!has_header).then(|| format!("{name}: the first line should be `//! ` and say what this is"))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_file_without_header_is_noticed() {
        assert!(check("x.rs", "use std::fs;\n").is_some());
        assert!(check("x.rs", "").is_some());
        assert!(check("x.rs", "//! What it is.\n").is_none());
    }
}
