//! The digest of what a program of Java was read from, and of the program itself.
//!
//! Files alone would do for what a JVM runs, and the program alone for what is searched. Both count: what leads to a class is
//! long to list (folders, jars, what manifests of jars name, an older version to compare with), and one that were forgotten would leave
//! an old verdict.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_ir::Program;
use glassbox_jvm_front::classpath::named_by_jar;

use crate::cache::Digest;

/// Folders in folders end somewhere.
const DEEPEST: usize = 64;

/// Adds all files that paths lead to, in the order of their names.
pub(super) fn add_files(paths: impl IntoIterator<Item = PathBuf>, digest: &mut Digest) {
    let mut jars = BTreeSet::new();
    for path in paths {
        add(&path, 0, &mut jars, digest);
    }
}

fn add(path: &Path, depth: usize, jars: &mut BTreeSet<PathBuf>, digest: &mut Digest) {
    digest.add(&path.display().to_string());
    match fs::read_dir(path) {
        Ok(entries) if depth < DEEPEST => {
            let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            below.sort();
            below.iter().for_each(|path| add(path, depth + 1, jars, digest));
        }
        Ok(_) => {}
        Err(_) => {
            let content = fs::read(path);
            digest.add_bytes(content.as_deref().unwrap_or_default());
            // Only what a class path names itself is a jar: one in a folder is a file like others.
            if depth == 0 && jars.insert(path.to_owned()) {
                named_by_jar(path).iter().for_each(|named| add(named, 0, jars, digest));
            }
        }
    }
}

/// Adds what all this became.
pub(super) fn add_program(program: &Program, digest: &mut Digest) {
    for function in &program.functions {
        digest.add_value(function);
    }
    for global in &program.globals {
        digest.add_value(global);
    }
}
