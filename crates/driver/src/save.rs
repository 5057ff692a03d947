//! Files that appear whole or not at all, and temporary folders.

use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes a file next to its place and moves it there, so that a full disk or an interrupt leaves the
/// old one. The message names the file.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), String> {
    let at_path = |error: std::io::Error| format!("{}: {error}", path.display());
    // Devices and pipes cannot be replaced by a file.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, text).map_err(at_path);
    }
    // Most files of a run that finds everything known are there already, and disks are slow.
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".glassbox-")
        .permissions(permissions(path))
        .tempfile_in(folder)
        .map_err(at_path)?;
    file.write_all(text.as_bytes()).map_err(at_path)?;
    file.as_file().sync_data().map_err(at_path)?;
    file.persist(path).map_err(|error| at_path(error.error))?;
    Ok(())
}

/// A folder that vanishes with the value.
pub(crate) fn temporary_folder() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))
}

/// Those of the file that is replaced, or what any new file gets.
fn permissions(path: &Path) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path)
        .map_or_else(|_| fs::Permissions::from_mode(0o666), |found| found.permissions())
}

#[cfg(test)]
mod tests {
    use super::save;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("suite.json");
        save(&path, "one").expect("saved");
        save(&path, "two").expect("saved");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_full_device_is_reported() {
        let message = save(std::path::Path::new("/dev/full"), "text").expect_err("full");
        assert!(message.starts_with("/dev/full: "), "{message}");
    }
}
