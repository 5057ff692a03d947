//! Jar files: the directory of a zip archive and its entries.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use rustc_hash::FxHashMap;

/// Larger entries are no class files.
const MAX_ENTRY: usize = 1 << 26;

/// An open archive with its directory.
#[derive(Debug)]
pub(crate) struct Jar {
    file: File,
    entries: FxHashMap<String, Entry>,
    // In the order of the directory.
    names: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    is_deflated: bool,
    compressed: u32,
    size: u32,
    header_at: u32,
}

impl Jar {
    /// Reads the directory at the end of the file; a text of what is wrong otherwise.
    pub(crate) fn open(path: &Path) -> Result<Jar, String> {
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        let len = file.metadata().map_err(|error| error.to_string())?.len();
        let not_zip = || "this is not a jar (no zip directory)".to_owned();
        // The end record is 22 bytes and a comment of at most 64 KiB.
        let tail_at = len.saturating_sub(22 + 0xffff);
        let tail = read_at(&mut file, tail_at, len - tail_at).ok_or_else(not_zip)?;
        let end = tail.windows(4).rposition(|four| four == b"PK\x05\x06").ok_or_else(not_zip)?;
        let record = &tail[end..];
        let size = u32_at(record, 12).ok_or_else(not_zip)?;
        let start = u32_at(record, 16).ok_or_else(not_zip)?;
        if u64::from(start) + u64::from(size) > len {
            return Err("the zip directory is damaged".to_owned());
        }
        let directory = read_at(&mut file, start.into(), size.into()).ok_or_else(not_zip)?;
        let mut jar = Jar { file, entries: FxHashMap::default(), names: Vec::new() };
        let mut rest = directory.as_slice();
        while rest.starts_with(b"PK\x01\x02") {
            let Some(len) = jar.add(rest) else {
                return Err("the zip directory is damaged".to_owned());
            };
            rest = rest.get(len..).unwrap_or(&[]);
        }
        Ok(jar)
    }

    /// Adds the entry that `record` starts with; the record's length.
    fn add(&mut self, record: &[u8]) -> Option<usize> {
        let method = u16_at(record, 10)?;
        let (compressed, size) = (u32_at(record, 20)?, u32_at(record, 24)?);
        let name_len = usize::from(u16_at(record, 28)?);
        let extra = usize::from(u16_at(record, 30)?) + usize::from(u16_at(record, 32)?);
        let header_at = u32_at(record, 42)?;
        let name = String::from_utf8_lossy(record.get(46..46 + name_len)?).into_owned();
        if method == 0 || method == 8 {
            let entry = Entry { is_deflated: method == 8, compressed, size, header_at };
            self.names.push(name.clone());
            let _ = self.entries.insert(name, entry);
        }
        Some(46 + name_len + extra)
    }

    /// Names of entries, in the order of the directory.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn find(&mut self, name: &str) -> Option<Vec<u8>> {
        let entry = *self.entries.get(name)?;
        let header = read_at(&mut self.file, entry.header_at.into(), 30)?;
        let skip = u64::from(u16_at(&header, 26)?) + u64::from(u16_at(&header, 28)?);
        let at = u64::from(entry.header_at) + 30 + skip;
        let bytes = read_at(&mut self.file, at, entry.compressed.into())?;
        if !entry.is_deflated {
            return Some(bytes);
        }
        let limit = (entry.size as usize).min(MAX_ENTRY);
        miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, limit).ok()
    }
}

fn read_at(file: &mut File, at: u64, len: u64) -> Option<Vec<u8>> {
    let len = usize::try_from(len).ok().filter(|&len| len <= MAX_ENTRY)?;
    let _ = file.seek(SeekFrom::Start(at)).ok()?;
    let mut bytes = vec![0; len];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
