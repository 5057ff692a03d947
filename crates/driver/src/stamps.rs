//! When the files of a program were changed, for those who wait for a change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files that count, by the ends of their names.
const ENDS: &[&str] = &["c", "h", "i", "inc", "java", "class", "jar", "rules", "toml", "json"];

/// How deep folders are looked into.
const MAX_DEPTH: usize = 16;

/// When files beside and below those of the program were changed.
#[must_use]
pub fn stamps(paths: &[PathBuf]) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    for path in paths {
        let folder =
            if path.is_dir() { path } else { path.parent().unwrap_or_else(|| Path::new("")) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        add(folder, 0, &mut found);
    }
    found
}

fn add(folder: &Path, depth: usize, found: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(content) = entry.metadata() else { continue };
        // What a run leaves is no change.
        let is_ours =
            path.join("suite.json").exists() || path.file_name().is_some_and(|it| it == ".git");
        if content.is_dir() && depth < MAX_DEPTH && !is_ours {
            add(&path, depth + 1, found);
        } else if path.extension().and_then(|it| it.to_str()).is_some_and(|end| ENDS.contains(&end))
            && let Ok(changed) = content.modified()
        {
            found.insert(path, changed);
        }
    }
}
