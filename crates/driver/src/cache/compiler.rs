//! Which compiler a name stands for.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// By name: what was found out about it.
static KNOWN: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());

/// What tells a compiler and the C library from others; `None` where it cannot be started.
pub(crate) fn identity(command: &str) -> Option<String> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(command.to_owned()).or_insert_with(|| found(command)).clone()
}

fn found(command: &str) -> Option<String> {
    let output = Command::new(command)
        .arg("--version")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    let program = path_of(command).map(|path| stamp(&path));
    let libraries: Vec<String> =
        LIBRARIES.iter().map(Path::new).filter(|path| path.exists()).map(stamp).collect();
    Some(format!("{version} {program:?} {libraries:?}"))
}

/// Where systems keep what tests are linked with.
const LIBRARIES: &[&str] = &[
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6",
    "/lib/i386-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/usr/lib/libc.so.6",
];

/// A file by what changes when it is replaced.
fn stamp(path: &Path) -> String {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let found = fs::metadata(&real).map(|found| (found.len(), found.mtime(), found.mtime_nsec()));
    format!("{} {:?}", real.display(), found.ok())
}

fn path_of(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return Some(PathBuf::from(command));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|path| path.is_file())
}
