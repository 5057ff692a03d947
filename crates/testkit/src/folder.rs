//! Temporary folders with files in them.

use std::fs;
use std::path::Path;

pub use tempfile::TempDir;

/// An empty folder that vanishes with the value.
pub fn empty() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// A folder with these files: names with their texts.
pub fn with_files(files: &[(&str, &str)]) -> TempDir {
    let folder = empty();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

/// Writes a file below a folder, with the folders between them.
pub fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    let parent = path.parent().expect("a file is in a folder");
    fs::create_dir_all(parent).expect("a folder can be made");
    fs::write(&path, text).expect("a file can be written");
}
