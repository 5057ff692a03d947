//! Names of documents as editors write them, and paths.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use glassbox_report::sarif::encode;
use lsp_types::Uri;

/// The path of a `file:` name; `None` for what is not on the disk.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::new();
    let mut left = rest.as_bytes();
    while let Some((&first, behind)) = left.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                left = &behind[2..];
            }
            _ => {
                bytes.push(first);
                left = behind;
            }
        }
    }
    let path = PathBuf::from(OsString::from_vec(bytes));
    path.is_absolute().then_some(path)
}

/// The name of a file, which is made absolute first.
pub(crate) fn of_path(path: &Path) -> String {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!("file://{}", encode(&full.display().to_string()))
}

/// As the protocol's types have it.
pub(crate) fn typed(uri: &str) -> Option<Uri> {
    Uri::from_str(uri).ok()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{of_path, to_path, typed};

    #[test]
    fn paths_and_names_are_converted() {
        for path in ["/a/b.c", "/a b/ü%41#?.c", "/100%/x.c"] {
            let uri = of_path(Path::new(path));
            assert_eq!(to_path(&uri), Some(PathBuf::from(path)), "{uri}");
            assert!(typed(&uri).is_some(), "{uri}");
        }
        assert_eq!(to_path("file:///a%20b.c"), Some(PathBuf::from("/a b.c")));
        assert_eq!(to_path("file:///a%2"), Some(PathBuf::from("/a%2")));
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(to_path("file://"), None);
    }
}
