//! Another revision of the user's files, from git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use glassbox_driver::plan::Intake;
use glassbox_driver::since::{self, Named};

use crate::screen::reading;

/// The files of a revision, in a folder that vanishes with the value.
pub(crate) struct Revision {
    root: tempfile::TempDir,
    /// The folder that the user is in, below the root of the repository.
    below: PathBuf,
}

impl Revision {
    pub(crate) fn of(name: &str) -> Result<Revision, String> {
        let root = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let top = git(&["rev-parse", "--show-toplevel"])?;
        let below = PathBuf::from(git(&["rev-parse", "--show-prefix"])?);
        git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{name}^{{commit}}"),
        ])
        .map_err(|_| format!("git knows no revision `{name}`"))?;
        let mut archive = Command::new("git")
            .args(["-C", &top, "archive", "--format=tar", name])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("git: {error}"))?;
        let files = archive.stdout.take().ok_or("git gives nothing")?;
        let unpacked = Command::new("tar").arg("-x").current_dir(root.path()).stdin(files).status();
        let given = archive.wait();
        let is_there = unpacked.is_ok_and(|status| status.success())
            && given.is_ok_and(|status| status.success());
        if is_there {
            Ok(Revision { root, below })
        } else {
            Err(format!("the files of {name} cannot be unpacked"))
        }
    }

    /// Where the user would be in it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join(&self.below)
    }
}

/// The first line that git prints.
fn git(words: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Functions that are not as they were in a revision.
pub(crate) fn changed(revision: &str, intake: &Intake) -> Result<BTreeSet<Named>, String> {
    let older = Revision::of(revision)?;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let new = since::digests(intake, &reading()).map_err(|refusal| refusal.0)?;
    // Names of files are the same there, as seen from the same place.
    let old = within(&older.folder(), &here, || since::digests(intake, &reading()))?;
    // What was not there then is new.
    Ok(since::changed(&old.unwrap_or_default(), &new))
}

fn within<T>(folder: &Path, back: &Path, work: impl FnOnce() -> T) -> Result<T, String> {
    let go = |to: &Path| {
        std::env::set_current_dir(to).map_err(|error| format!("{}: {error}", to.display()))
    };
    go(folder)?;
    let result = work();
    go(back)?;
    Ok(result)
}
