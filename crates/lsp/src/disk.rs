//! What is saved: the only file of this room that reads others.

use std::path::Path;

/// The saved text; empty where there is none.
pub(crate) fn text(path: &Path) -> String {
    String::from_utf8_lossy(&bytes(path)).into_owned()
}

/// What is saved, as it is.
pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}
