//! The folder of kept results: one file for each, whole or not there, and no larger than it may be.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use glassbox_report::sha256;

/// What every entry starts with.
const MAGIC: &[u8] = b"glassbox 1\n";

/// Entries are touched when they are used, but not more often than this.
const RECENT: Duration = Duration::from_secs(3600);

/// A folder with entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What was found out about a function.
    Result,
    /// A preprocessed text.
    Text,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Result, Kind::Text];

    /// The folder of its entries.
    fn folder(self) -> &'static str {
        match self {
            Kind::Result => "results",
            Kind::Text => "texts",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Kind::Result => "a kept result",
            Kind::Text => "a kept text",
        }
    }
}

/// How much is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Results of functions.
    pub results: usize,
    /// Preprocessed texts.
    pub texts: usize,
    pub bytes: u64,
}

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    pub size: Size,
    /// What could not be removed, with the reason.
    pub failures: Vec<String>,
}

impl Folder {
    pub fn new(root: &Path) -> Folder {
        Folder { root: root.to_path_buf() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the entry of a key is.
    pub(super) fn path(&self, kind: Kind, key: &str) -> PathBuf {
        let (first, rest) = key.split_at_checked(2).unwrap_or(("", key));
        self.root.join(kind.folder()).join(first).join(rest)
    }

    /// What is kept under a key; why it cannot be used.
    pub(super) fn read(&self, kind: Kind, key: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.path(kind, key);
        let mut bytes = Vec::new();
        let Ok(mut file) = File::open(&path) else { return Ok(None) };
        let damaged = || format!("{}: {} is damaged", path.display(), kind.words());
        file.read_to_end(&mut bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (digest, content) = rest.split_at_checked(64).ok_or_else(damaged)?;
        if digest != sha256::hex(content).as_bytes() {
            return Err(damaged());
        }
        let modified = file.metadata().and_then(|found| found.modified());
        if modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > RECENT)) {
            // What is used is not what a full folder loses.
            let _ = File::options()
                .append(true)
                .open(&path)
                .and_then(|file| file.set_modified(SystemTime::now()));
        }
        Ok(Some(content.to_vec()))
    }

    /// Keeps something under a key. Whoever comes last wins; both have the same.
    pub(super) fn write(&self, kind: Kind, key: &str, content: &[u8]) -> Result<(), String> {
        let path = self.path(kind, key);
        let at_path = |error: std::io::Error| format!("{}: {error}", path.display());
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(at_path)?;
        // Whoever may read the folder may read what is in it.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        let mut file = tempfile::Builder::new();
        let mut file =
            file.prefix(".new-").permissions(mode).tempfile_in(folder).map_err(at_path)?;
        file.write_all(MAGIC).map_err(at_path)?;
        file.write_all(sha256::hex(content).as_bytes()).map_err(at_path)?;
        file.write_all(content).map_err(at_path)?;
        file.persist(&path).map_err(|error| at_path(error.error))?;
        Ok(())
    }

    /// All files, those that were not used longest first.
    fn files(&self) -> Vec<Kept> {
        let mut files = Vec::new();
        for kind in Kind::ALL {
            let folders = fs::read_dir(self.root.join(kind.folder()));
            for folder in folders.into_iter().flatten().flatten() {
                for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                    let Ok(found) = file.metadata() else { continue };
                    let used = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    files.push(Kept { used, bytes: found.len(), path: file.path(), kind });
                }
            }
        }
        files.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        files
    }

    pub fn size(&self) -> Size {
        let mut size = Size::default();
        for file in self.files() {
            size.add(&file);
        }
        size
    }

    /// Removes everything that glassbox put here, and nothing else.
    pub fn clear(&self) -> Removed {
        let removed = self.remove(self.files());
        let folders = Kind::ALL.map(Kind::folder);
        for name in folders {
            let _ = fs::remove_dir_all(self.root.join(name));
        }
        removed
    }

    /// Removes what was not used for so long, and then what was not used longest, until so many bytes are left.
    pub fn collect(&self, most_bytes: u64, longest: Duration) -> Removed {
        let files = self.files();
        let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
        let is_old = |used: &SystemTime| used.elapsed().is_ok_and(|age| age > longest);
        let goes = |file: &Kept| -> bool {
            let goes = is_old(&file.used) || bytes > most_bytes;
            if goes {
                bytes = bytes.saturating_sub(file.bytes);
            }
            goes
        };
        let gone: Vec<Kept> = files.into_iter().filter(goes).collect();
        self.remove(gone)
    }

    fn remove(&self, files: Vec<Kept>) -> Removed {
        let mut removed = Removed::default();
        for file in files {
            match fs::remove_file(&file.path) {
                Ok(()) => removed.size.add(&file),
                // Another process was faster.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => removed.failures.push(format!("{}: {error}", file.path.display())),
            }
        }
        removed
    }
}

/// A file of the folder.
struct Kept {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
    kind: Kind,
}

impl Size {
    fn add(&mut self, file: &Kept) {
        match file.kind {
            Kind::Result => self.results += 1,
            Kind::Text => self.texts += 1,
        }
        self.bytes += file.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::super::digest::Digest;
    use super::*;

    fn key(number: usize) -> String {
        Digest::of(&number.to_string())
    }

    #[test]
    fn what_is_kept_is_found_and_damage_is_noticed() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(place.path());
        assert_eq!(folder.read(Kind::Result, &key(1)), Ok(None));
        folder.write(Kind::Result, &key(1), b"content").expect("written");
        assert_eq!(folder.read(Kind::Result, &key(1)), Ok(Some(b"content".to_vec())));
        let path = folder.path(Kind::Result, &key(1));
        let whole = fs::read(&path).expect("there");
        for damaged in [&whole[..0], &whole[..30], &whole[..whole.len() - 1]] {
            fs::write(&path, damaged).expect("written");
            assert!(folder.read(Kind::Result, &key(1)).is_err(), "{} bytes", damaged.len());
        }
        let mut other = whole.clone();
        *other.last_mut().expect("not empty") ^= 1;
        fs::write(&path, other).expect("written");
        assert!(folder.read(Kind::Result, &key(1)).is_err());
    }

    #[test]
    fn what_was_not_used_longest_goes_first() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(place.path());
        for number in 0..4 {
            folder.write(Kind::Result, &key(number), &[0; 100]).expect("written");
            let old = SystemTime::now() - Duration::from_secs(1000 * (4 - number as u64));
            let file = File::options().append(true).open(folder.path(Kind::Result, &key(number)));
            file.and_then(|file| file.set_modified(old)).expect("set");
        }
        let all = folder.size();
        assert_eq!(all.results, 4);
        let removed = folder.collect(all.bytes / 2, Duration::from_secs(86_400));
        assert_eq!(removed.size.results, 2);
        assert_eq!(folder.read(Kind::Result, &key(0)), Ok(None));
        assert!(folder.read(Kind::Result, &key(3)).is_ok_and(|found| found.is_some()));
        assert_eq!(folder.collect(u64::MAX, Duration::from_secs(1500)).size.results, 1);
        assert_eq!(folder.clear().size.results, 1);
        assert_eq!(folder.size(), Size::default());
    }
}
