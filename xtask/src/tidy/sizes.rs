//! One concept, one file: at most 600 lines before the tests in it.

use super::Complaint;

const MAX_LINES: usize = 600;

/// Files that are one table, with the reason why splitting would not help.
const EXCUSES: &[(&str, &str)] = &[];

pub(super) fn check(name: &str, text: &str) -> Option<Complaint> {
    if EXCUSES.iter().any(|(excused, _)| *excused == name) || name.contains("/tests/") {
        return None;
    }
    let n_lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
    (n_lines > MAX_LINES).then(|| {
        format!(
            "{name}: {n_lines} lines before its tests, {MAX_LINES} should do; one concept, one file"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn long_files_are_noticed_and_their_tests_do_not_count() {
        assert!(check("crates/x/src/y.rs", &"line\n".repeat(601)).is_some());
        let with_tests = format!("{}#[cfg(test)]\n{}", "line\n".repeat(500), "line\n".repeat(500));
        assert!(check("crates/x/src/y.rs", &with_tests).is_none());
    }
}
