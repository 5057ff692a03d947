//! Tests that people change: a file is replaced only if it still is what an earlier run wrote.
//!
//! A list of digests beside the tests, in the format that `sha256sum -c` reads, says what that was. A file that is not
//! in it, or is no longer as it says, belongs to the user: what would replace it is written beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_emit::framework::TextFile;
use glassbox_report::sha256;

use crate::save::save;

/// The list, in the folder of tests.
const LIST: &str = ".glassbox.sha256";

/// What is appended to the name of a file that would replace another.
const BESIDE: &str = ".new";

/// The files of a folder of tests.
pub(crate) struct Kept {
    folder: PathBuf,
    /// Names and digests that an earlier run wrote.
    before: BTreeMap<String, String>,
    /// The same of this run.
    now: BTreeMap<String, String>,
    /// Whether changed files are replaced, too.
    replaces_all: bool,
    /// For people: files that were not replaced, files that nothing needs any more.
    pub(crate) notes: Vec<String>,
}

impl Kept {
    pub(crate) fn new(folder: &Path, replaces_all: bool) -> Kept {
        let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
        let entry = |line: &str| {
            let (digest, name) = line.split_once("  ")?;
            Some((name.to_owned(), digest.to_owned()))
        };
        Kept {
            folder: folder.to_owned(),
            before: list.lines().filter_map(entry).collect(),
            now: BTreeMap::new(),
            replaces_all,
            notes: Vec::new(),
        }
    }

    /// Writes a file, or writes it beside one that somebody has changed.
    pub(crate) fn put(&mut self, file: &TextFile) -> Result<(), String> {
        let path = self.folder.join(&file.name);
        let own = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(own).map_err(|error| format!("{}: {error}", own.display()))?;
        let digest = sha256::hex(file.text.as_bytes());
        let beside = with_suffix(&path);
        match self.standing(&file.name) {
            Standing::Changed { recorded }
                if !self.replaces_all && found(&path) != Some(digest.clone()) =>
            {
                let (path, beside_shown) = (path.display(), beside.display());
                self.notes.push(format!(
                    "{path} was changed and is kept; what would replace it is {beside_shown} (`--force` replaces it)"
                ));
                // It stays somebody's, whatever they do with it.
                self.now.extend(recorded.map(|digest| (file.name.clone(), digest)));
                save(&beside, &file.text)
            }
            Standing::Absent | Standing::Ours | Standing::Changed { .. } => {
                save(&path, &file.text)?;
                // What an earlier run left beside it is out of date.
                let _ = fs::remove_file(&beside);
                self.now.insert(file.name.clone(), digest);
                Ok(())
            }
        }
    }

    /// Names what an earlier run wrote and this one did not, and writes the list. It may be the suite of other functions:
    /// it goes only where everything may be replaced, and never if it was changed.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        let mut left = Vec::new();
        for (name, digest) in &self.before {
            let path = self.folder.join(name);
            if self.now.contains_key(name) || !path.exists() {
                continue;
            }
            if self.replaces_all && matches!(self.standing(name), Standing::Ours) {
                let _ = fs::remove_file(&path);
                continue;
            }
            left.push(name.clone());
            self.now.insert(name.clone(), digest.clone());
        }
        if let [first, more @ ..] = left.as_slice() {
            let first = self.folder.join(first);
            let (more, verb) = match more.len() {
                0 => (String::new(), "is"),
                n => (format!(" and {n} more"), "are"),
            };
            self.notes.push(format!(
                "{}{more} {verb} from an earlier run, and the new tests do without (`--force` removes what was not changed)",
                first.display()
            ));
        }
        let list: String =
            self.now.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
        save(&self.folder.join(LIST), &list)
    }

    fn standing(&self, name: &str) -> Standing {
        let recorded = self.before.get(name).cloned();
        match found(&self.folder.join(name)) {
            None => Standing::Absent,
            Some(digest) if recorded.as_ref() == Some(&digest) => Standing::Ours,
            Some(_) => Standing::Changed { recorded },
        }
    }
}

/// What is at a place where a file is to be written.
enum Standing {
    Absent,
    /// What an earlier run wrote.
    Ours,
    /// Something else, and what an earlier run wrote there.
    Changed {
        recorded: Option<String>,
    },
}

/// The digest of a file.
fn found(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| sha256::hex(&bytes))
}

fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BESIDE);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use glassbox_emit::framework::TextFile;

    use super::Kept;

    /// One run that writes these files; what it says.
    fn run(folder: &Path, files: &[(&str, &str)], replaces_all: bool) -> Vec<String> {
        let mut kept = Kept::new(folder, replaces_all);
        for (name, text) in files {
            let file = TextFile { name: (*name).to_owned(), text: (*text).to_owned() };
            kept.put(&file).expect("written");
        }
        kept.finish().expect("written");
        kept.notes
    }

    #[test]
    fn what_somebody_changed_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        assert!(run(folder.path(), &[("a.c", "1"), ("b.c", "1")], false).is_empty());
        assert!(run(folder.path(), &[("a.c", "2"), ("b.c", "2")], false).is_empty());
        fs::write(folder.path().join("a.c"), "mine").expect("written");
        // Twice: the second run finds what the first one left.
        for text in ["3", "4"] {
            let notes = run(folder.path(), &[("a.c", text), ("b.c", text)], false);
            assert_eq!(notes.len(), 1, "{notes:?}");
            assert_eq!(read("a.c").as_deref(), Some("mine"));
            assert_eq!(read("a.c.new").as_deref(), Some(text));
            assert_eq!(read("b.c").as_deref(), Some(text));
        }
        assert!(run(folder.path(), &[("a.c", "5")], true).is_empty());
        assert_eq!(read("a.c").as_deref(), Some("5"));
        assert_eq!(read("a.c.new"), None);
    }

    #[test]
    fn what_nothing_needs_is_named_and_goes_when_all_may_be_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let is_there = |name: &str| folder.path().join(name).exists();
        run(folder.path(), &[("a.c", "1"), ("b.c", "1")], false);
        fs::write(folder.path().join("a.c"), "mine").expect("written");
        for _ in 0..2 {
            let notes = run(folder.path(), &[], false);
            assert!(notes.len() == 1 && notes[0].contains("a.c and 1 more are from"), "{notes:?}");
        }
        assert!(is_there("a.c") && is_there("b.c"));
        run(folder.path(), &[], true);
        assert!(is_there("a.c") && !is_there("b.c"));
    }

    #[test]
    fn files_of_others_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("Makefile"), "theirs").expect("written");
        assert_eq!(run(folder.path(), &[("Makefile", "ours")], false).len(), 1);
        assert_eq!(fs::read_to_string(folder.path().join("Makefile")).expect("there"), "theirs");
    }
}
