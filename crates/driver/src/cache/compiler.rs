//! Which compiler a name stands for.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// What is known of a compiler.
#[derive(Debug, Clone)]
struct Known {
    identity: Option<String>,
    is_gcc: bool,
}

/// By name: what was found out about it.
static KNOWN: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());

fn known(command: &str) -> Known {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let find = || Known { identity: found(command), is_gcc: is_itself(command) };
    known.entry(command.to_owned()).or_insert_with(find).clone()
}

/// What tells a compiler and the C library from others; `None` where it cannot be started.
pub(crate) fn identity(command: &str) -> Option<String> {
    known(command).identity
}

/// Whether a name stands for gcc itself, and not for a program that starts it as it likes.
pub(super) fn is_gcc(command: &str) -> bool {
    known(command).is_gcc
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
    // The program that is started may leave the work to another.
    let worker = Command::new(command)
        .arg("-print-prog-name=cc1")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map(|output| stamp(Path::new(String::from_utf8_lossy(&output.stdout).trim())));
    let worker = worker.ok();
    let libraries: Vec<String> =
        LIBRARIES.iter().map(Path::new).filter(|path| path.exists()).map(stamp).collect();
    Some(format!("{version} {program:?} {worker:?} {libraries:?}"))
}

fn is_itself(command: &str) -> bool {
    let Some(real) = path_of(command).and_then(|path| fs::canonicalize(path).ok()) else {
        return false;
    };
    let name = real.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut start = [0; 4];
    let is_program = fs::File::open(&real)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == *b"\x7fELF");
    is_program && is_name_of_gcc(name)
}

/// `gcc`, `gcc-12`, `x86_64-linux-gnu-gcc-12`.
fn is_name_of_gcc(name: &str) -> bool {
    let is_version = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let name = match name.rsplit_once('-') {
        Some((name, version)) if is_version(version) => name,
        Some(_) | None => name,
    };
    // Names of machines have three parts or more.
    let is_machine = |text: &str| text.split('-').count() >= 3;
    name == "gcc" || name.strip_suffix("-gcc").is_some_and(is_machine)
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
pub(super) fn stamp(path: &Path) -> String {
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

#[cfg(test)]
mod tests {
    use super::is_name_of_gcc;

    #[test]
    fn what_starts_gcc_is_not_gcc() {
        for name in ["gcc", "gcc-12", "gcc-4.9", "x86_64-linux-gnu-gcc-12", "arm-none-eabi-gcc"] {
            assert!(is_name_of_gcc(name), "{name}");
        }
        for name in
            ["ccache", "cc", "clang-19", "hfuzz-gcc", "afl-gcc-fast", "gcc-wrapper", "mygcc"]
        {
            assert!(!is_name_of_gcc(name), "{name}");
        }
    }
}
