//! Another revision of the user's files, from git.

use std::path::{Path, PathBuf};

use glassbox_replay::sandbox::{Limits, run};

use crate::save::temporary_folder;

/// All files of a revision, in a folder that vanishes with the value.
#[derive(Debug)]
pub struct Revision {
    root: tempfile::TempDir,
    /// The root of the repository.
    top: PathBuf,
    /// The folder that the user is in, below the root of the repository.
    below: PathBuf,
}

impl Revision {
    /// Writes the files with an index of its own: the user's is not touched.
    pub fn of(name: &str) -> Result<Revision, String> {
        let root = temporary_folder()?;
        let index = root.path().join(".index").display().to_string();
        let commit = format!("{name}^{{commit}}");
        git(&index, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
            .map_err(|why| format!("git knows no revision `{name}`{why}"))?;
        let git = |args: &[&str]| {
            git(&index, args).map_err(|why| format!("no files of revision `{name}`{why}"))
        };
        let below = git(&["rev-parse", "--show-prefix"])?;
        let top = git(&["rev-parse", "--show-toplevel"])?;
        git(&["read-tree", &commit])?;
        let prefix = format!("--prefix={}/", root.path().display());
        git(&["-C", &top, "checkout-index", "-a", &prefix])?;
        Ok(Revision { root, top: PathBuf::from(top), below: PathBuf::from(below) })
    }

    /// Where the user would be in it.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.root.path().join(&self.below)
    }

    /// A path of the user's as it is in the revision: one that begins at the root of the file system would lead to
    /// today's files.
    #[must_use]
    pub fn moved(&self, path: &Path) -> PathBuf {
        let inside = || {
            let real = path.is_absolute().then(|| path.canonicalize().ok()).flatten()?;
            Some(self.root.path().join(real.strip_prefix(&self.top).ok()?))
        };
        inside().unwrap_or_else(|| path.to_owned())
    }

    /// The revision as a place that paths are moved to.
    pub fn place(&self) -> RevisionPlace {
        RevisionPlace { root: self.root.path().to_owned(), top: self.top.clone() }
    }

    /// A file as git names it: from the top or, with a dot in front, from where the user is; a name that is not known there
    /// is looked for in the other place.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        let from_top = self.root.path().join(name);
        let from_here = self.folder().join(name);
        let candidates =
            if name.starts_with("./") { [from_here, from_top] } else { [from_top, from_here] };
        candidates.into_iter().find(|path| path.is_file())
    }
}

/// Where the files of a revision are, and where they would be today.
#[derive(Debug, Clone)]
pub struct RevisionPlace {
    root: PathBuf,
    top: PathBuf,
}

/// Flags of compilers that a path follows.
const LOCATING: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

impl RevisionPlace {
    /// Whether a file is one of the revision.
    pub(crate) fn has(&self, file: &Path) -> bool {
        file.starts_with(&self.root)
    }

    /// Flags that lead to headers, as seen from where the user is, lead to those of the revision.
    #[must_use]
    pub fn moved_flags(&self, flags: &[String]) -> Vec<String> {
        let mut is_path = false;
        let (mut moved, mut made) = (Vec::new(), Vec::new());
        for flag in flags {
            let before = LOCATING.iter().find(|start| flag.starts_with(**start));
            let (start, path) = match before {
                _ if is_path => ("", flag.as_str()),
                Some(start) => flag.split_at(start.len()),
                None => (flag.as_str(), ""),
            };
            is_path = !is_path && before.is_some_and(|start| start.len() == flag.len());
            if path.is_empty() {
                moved.push(start.to_owned());
                continue;
            }
            let there = self.moved(Path::new(path));
            // What the build makes is in no revision: it is looked for where it is, after all others.
            if there != Path::new(path) && Path::new(path).is_dir() {
                made.extend(["-idirafter".to_owned(), path.to_owned()]);
            }
            moved.push(format!("{start}{}", there.display()));
        }
        moved.extend(made);
        moved
    }

    /// A path of today as it is in the revision.
    pub(crate) fn moved(&self, path: &Path) -> PathBuf {
        let full = path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
        let below = full.as_ref().and_then(|full| full.strip_prefix(&self.top).ok());
        below.map_or(path.to_owned(), |below| self.root.join(below))
    }

    /// A path in the revision as it is today.
    #[must_use]
    pub fn today(&self, path: &Path) -> Option<PathBuf> {
        Some(self.top.join(path.strip_prefix(&self.root).ok()?))
    }

    /// A path of today that is not looked for, as it would be in the revision.
    #[must_use]
    pub fn then(&self, path: &Path) -> Option<PathBuf> {
        Some(self.root.join(path.strip_prefix(&self.top).ok()?))
    }
}

/// What git prints, or why it does not, to be put behind a sentence.
fn git(index: &str, args: &[&str]) -> Result<String, String> {
    let args: Vec<String> = args.iter().map(|it| (*it).to_owned()).collect();
    let env = [("GIT_INDEX_FILE", index.to_owned())];
    let finished = run(Path::new("."), "git", &args, &env, Limits::compiler())
        .map_err(|error| format!(": git cannot be started: {error}"))?;
    let output = finished.output.trim();
    if finished.succeeded() {
        return Ok(output.to_owned());
    }
    Err(if output.is_empty() { String::new() } else { format!(": {output}") })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::RevisionPlace;

    #[test]
    fn headers_are_those_of_the_revision() {
        let place =
            RevisionPlace { root: PathBuf::from("/revision"), top: PathBuf::from("/nowhere/top") };
        let flags =
            ["-I/nowhere/top/a", "-isystem", "/nowhere/top/b", "-I/usr", "-DX=/nowhere/top"];
        let moved = place.moved_flags(&flags.map(str::to_owned));
        assert_eq!(
            moved,
            ["-I/revision/a", "-isystem", "/revision/b", "-I/usr", "-DX=/nowhere/top"]
        );
    }
}
