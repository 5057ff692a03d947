//! The same once more whenever a file is saved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::intake::Intake;
use crate::{Status, interrupt};

/// How often files are looked at.
const TICK: Duration = Duration::from_millis(300);

/// Files that count, by the ends of their names.
const ENDS: &[&str] = &["c", "h", "i", "inc", "java", "class", "jar", "toml", "json"];

/// Does `work`, and again after every change, until the user interrupts.
pub(crate) fn watch(intake: &Intake, work: impl Fn() -> Status) -> Status {
    interrupt::watch();
    loop {
        let before = stamps(intake);
        let status = work();
        if interrupt::is_interrupted() {
            return status;
        }
        eprintln!("glassbox: waiting for a change (Ctrl-C ends)");
        while stamps(intake) == before {
            std::thread::sleep(TICK);
            if interrupt::is_interrupted() {
                return status;
            }
        }
    }
}

/// When files beside and below those of the program were changed.
fn stamps(intake: &Intake) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    for path in intake.near() {
        let folder = if path.is_dir() {
            path.clone()
        } else {
            path.parent().unwrap_or(Path::new(".")).to_path_buf()
        };
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        add(&folder, 0, &mut found);
    }
    found
}

fn add(folder: &Path, depth: usize, found: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(content) = entry.metadata() else { continue };
        // What a run leaves is no change.
        let is_ours =
            path.join("suite.json").exists() || path.file_name().is_some_and(|it| it == ".git");
        if content.is_dir() && depth < 16 && !is_ours {
            add(&path, depth + 1, found);
        } else if path.extension().and_then(|it| it.to_str()).is_some_and(|end| ENDS.contains(&end))
            && let Ok(changed) = content.modified()
        {
            found.insert(path, changed);
        }
    }
}
