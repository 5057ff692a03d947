//! Folders of headers in a project that comes without a compilation database: where files of it name a header that is not beside them and
//! lies somewhere in the project, its folder is one to look in, behind those of the system.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders, in order. Of several that have a header of the same name, the one nearest to the top is taken.
pub(super) fn header_folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut nearest: Vec<&PathBuf> = files.iter().collect();
    nearest.sort_by_key(|path| (path.components().count(), path.as_path()));
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    for file in files {
        let Ok(text) = fs::read(file) else { continue };
        let folder = file.parent().unwrap_or(Path::new("."));
        for name in String::from_utf8_lossy(&text).lines().filter_map(included) {
            let name = Path::new(name);
            let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
            let is_known = |folder: &Path| folder.join(name).is_file();
            if !is_plain || is_known(folder) || found.iter().any(|folder| is_known(folder)) {
                continue;
            }
            let header = nearest.iter().find(|path| path.ends_with(name));
            let n_parts = name.components().count();
            found.extend(header.and_then(|path| path.ancestors().nth(n_parts)).map(Path::to_owned));
        }
    }
    found.into_iter().collect()
}

/// The name in `#include "name"` or `#include <name>`.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let rest = rest.trim_start();
    let end = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    rest.get(1..)?.split_once(end).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::included;

    #[test]
    fn names_of_headers_are_read() {
        assert_eq!(included("# include \"a/b.h\" // c"), Some("a/b.h"));
        assert_eq!(included("  #include<stdio.h>"), Some("stdio.h"));
        assert_eq!(included("#include HEADER"), None);
        assert_eq!(included("int x;"), None);
    }
}
