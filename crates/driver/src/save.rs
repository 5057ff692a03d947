//! Files that appear whole or not at all, and temporary folders.

use std::cell::RefCell;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use glassbox_report::sha256;

/// Writes a file next to its place and moves it there, so that a full disk or an interrupt leaves the
/// old one. The message names the file.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), String> {
    save_written(path, &|out| out.write_all(text.as_bytes()))
}

/// The same for a text that is too long to be held. It may be written twice.
pub(crate) fn save_written(
    path: &Path,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let at_path = |error: io::Error| format!("{}: {error}", path.display());
    // Devices and pipes cannot be replaced by a file.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let mut device = fs::File::create(path).map_err(at_path)?;
        return write(&mut device).map_err(at_path);
    }
    // Most files of a run that finds everything known are there already, and disks are slow.
    if is_there(path, write) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".glassbox-")
        .permissions(permissions(path))
        .tempfile_in(folder)
        .map_err(at_path)?;
    let mut out = BufWriter::with_capacity(1 << 16, &mut file);
    write(&mut out).and_then(|()| out.flush()).map_err(at_path)?;
    drop(out);
    // Where a disk loses power, the old content should not be lost with the new one. A new file has nothing to lose, and waiting
    // for the disk hundreds of times takes longer than all the work of a run that finds everything known.
    if path.exists() {
        file.as_file().sync_data().map_err(at_path)?;
    }
    file.persist(path).map_err(|error| at_path(error.error))?;
    Ok(())
}

/// The same, and the digest of the text.
pub(crate) fn save_digested(
    path: &Path,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<String, String> {
    let digest = RefCell::default();
    save_written(path, &|out| {
        *digest.borrow_mut() = sha256::while_written(out, write)?;
        Ok(())
    })?;
    Ok(digest.into_inner())
}

/// Whether a file has just what would be written.
fn is_there(path: &Path, write: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> bool {
    let Ok(file) = fs::File::open(path) else { return false };
    let mut same = BufWriter::with_capacity(1 << 16, Same { file, buffer: Vec::new() });
    let is_same = write(&mut same).and_then(|()| same.flush()).is_ok();
    is_same && same.get_mut().file.read(&mut [0]).is_ok_and(|count| count == 0)
}

/// Compares what is written with a file; another text is an error.
struct Same {
    file: fs::File,
    buffer: Vec<u8>,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.resize(bytes.len(), 0);
        self.file.read_exact(&mut self.buffer)?;
        if self.buffer != bytes {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
        for text in ["twofold", "tw", "", "two"] {
            save(&path, text).expect("saved");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_full_device_is_reported() {
        let message = save(std::path::Path::new("/dev/full"), "text").expect_err("full");
        assert!(message.starts_with("/dev/full: "), "{message}");
    }
}
