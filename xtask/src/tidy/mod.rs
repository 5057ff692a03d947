//! Tidy: rules of the house that a compiler does not check. Also an ordinary test.

mod citations;
mod headers;
mod layers;
mod names;
mod readers;
mod signatures;
mod sizes;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

/// One breach of a rule.
pub(crate) type Complaint = String;

/// Checks everything below `root`.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let complaints = complaints(root);
    if complaints.is_empty() {
        println!("tidy: nothing to complain about");
        return Ok(());
    }
    Err(format!("tidy:\n  {}", complaints.join("\n  ")))
}

fn complaints(root: &Path) -> Vec<Complaint> {
    let mut all = layers::check(root);
    let pages = citations::Pages::read(root);
    for path in files_below(root, &["corpus"], "c") {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        all.extend(pages.check(&name, &fs::read_to_string(&path).unwrap_or_default()));
    }
    for path in files_below(root, &["crates", "xtask"], "rs") {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => {
                all.extend(headers::check(&name, &text));
                all.extend(sizes::check(&name, &text));
                all.extend(names::check(&name, &text));
                all.extend(readers::check(&name, &text));
                all.extend(signatures::check(&name, &text));
                all.extend(pages.check(&name, &text));
                all.extend(words::check(&name, &text));
                all.extend(words::check_languages(&name, &text));
            }
            Err(error) => all.push(format!("{name}: {error}")),
        }
    }
    let mut documents = files_below(root, &["docs"], "md");
    documents.extend(
        ["ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "GLOSSARY", "README"]
            .map(|document| root.join(document).with_extension("md")),
    );
    documents.extend(files_below(root, &["crates"], "js"));
    documents.extend(files_below(root, &["crates/cli/src"], "toml"));
    for path in documents {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        all.extend(words::check(&name, &fs::read_to_string(&path).unwrap_or_default()));
    }
    all
}

/// Files of the workspace that end so, in a fixed order.
fn files_below(root: &Path, folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_is_tidy() {
        let complaints = super::complaints(&crate::workspace_root());
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
