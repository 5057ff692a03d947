//! Citations lead somewhere: a page of `docs/papers`, and one of the headings there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Complaint;

/// In two halves so that this file cites nothing.
const FOLDER: &str = concat!("docs/", "papers/");

/// By page: the first words of its headings, which are the rules' numbers.
pub(super) struct Pages(BTreeMap<String, Vec<String>>);

impl Pages {
    pub(super) fn read(root: &Path) -> Pages {
        let mut pages = BTreeMap::new();
        for entry in fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            pages.insert(entry.file_name().to_string_lossy().into_owned(), rules(&text));
        }
        Pages(pages)
    }

    pub(super) fn check(&self, name: &str, text: &str) -> Vec<Complaint> {
        let text = unwrapped(text);
        let mut complaints = Vec::new();
        for (_, after) in text.match_indices(FOLDER).map(|(at, _)| text.split_at(at + FOLDER.len()))
        {
            let end = after.find(".md").map_or(0, |at| at + ".md".len());
            let (page, rest) = after.split_at(end);
            let Some(rules) = self.0.get(page) else {
                let shown: String = after.chars().take(20).collect();
                complaints.push(format!("{name}: there is no page {FOLDER}{shown}"));
                continue;
            };
            for cited in cited(rest) {
                if !rules.contains(&cited) {
                    complaints.push(format!("{name}: {FOLDER}{page} has no rule {cited}"));
                }
            }
        }
        complaints
    }
}

fn rules(page: &str) -> Vec<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    headings.filter_map(|heading| Some(heading.split(' ').next()?.to_owned())).collect()
}

/// The text with the lines of each comment joined, because a citation may begin on one and end on the next.
fn unwrapped(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        let comment =
            ["//! ", "/// ", "// "].iter().find_map(|mark| line.trim_start().strip_prefix(mark));
        match comment {
            Some(comment) => joined.push_str(comment),
            None => joined.push('\n'),
        }
        joined.push(' ');
    }
    joined
}

/// The rules in `, rule 7.3` or `, rules 1.2 to 1.4 and 1.8`.
fn cited(rest: &str) -> Vec<String> {
    let Some(list) = rest.strip_prefix(", rules ").or_else(|| rest.strip_prefix(", rule ")) else {
        return Vec::new();
    };
    let has_many = rest.starts_with(", rules ");
    let mut found = Vec::new();
    for word in list.split(' ').filter(|word| !word.is_empty()) {
        if matches!(word, "and" | "to") {
            continue;
        }
        let rule = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_number = rule.contains(|c: char| c.is_ascii_digit());
        if !found.is_empty() && !is_number {
            break;
        }
        found.push(rule.to_owned());
        if !has_many || word.ends_with([':', ')', ';', '.']) {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{FOLDER, Pages, cited, rules};

    #[test]
    fn citations_are_read_to_their_end() {
        assert_eq!(cited(", rule 7.3. Then 4 more"), ["7.3"]);
        assert_eq!(cited(", rules 1.2 to 1.4 and 1.8). Deviation"), ["1.2", "1.4", "1.8"]);
        assert_eq!(cited(", rules E3, E4 and E19; the papers"), ["E3", "E4", "E19"]);
        assert_eq!(cited(", rule slow: `w`"), ["slow"]);
        assert!(cited(" says more").is_empty());
    }

    #[test]
    fn wrong_pages_and_rules_are_noticed() {
        let page = ("loops.md".to_owned(), rules("# Loops\n\n## 7.3 A hull\n\nText.\n"));
        let pages = Pages(BTreeMap::from([page]));
        let complaints = |text: &str| pages.check("x.rs", &text.replace("PAPERS/", FOLDER)).len();
        assert_eq!(complaints("//! Source: PAPERS/loops.md,\n//! rule 7.3.\n"), 0);
        assert_eq!(complaints("// PAPERS/loops.md, rule 7.4\n"), 1);
        assert_eq!(complaints("/// PAPERS/other.md\n"), 1);
    }
}
