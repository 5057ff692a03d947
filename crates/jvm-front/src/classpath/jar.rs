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
    manifest: Manifest,
    // The newest version of Java whose classes are taken from a jar that has several.
    release: u32,
}

/// What the manifest says to whoever loads classes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Other places, relative to the jar.
    pub(crate) class_path: Vec<String>,
    is_multi_release: bool,
    is_sealed: bool,
}

impl Manifest {
    fn parse(text: &str) -> Manifest {
        // Long lines go on behind a space.
        let joined = text.replace("\r\n", "\n").replace("\n ", "");
        let mut manifest = Manifest::default();
        // The first part is about the jar, others about entries.
        for line in joined.lines().take_while(|line| !line.is_empty()) {
            let Some((key, value)) = line.split_once(':') else { continue };
            let is_true = value.trim().eq_ignore_ascii_case("true");
            match key.to_ascii_lowercase().as_str() {
                "class-path" => {
                    let parts = value.split_whitespace().map(|part| part.replace("%20", " "));
                    manifest.class_path = parts.collect();
                }
                "multi-release" => manifest.is_multi_release = is_true,
                "sealed" => manifest.is_sealed = is_true,
                _ => {}
            }
        }
        manifest
    }
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
        let mut jar = Jar {
            file,
            entries: FxHashMap::default(),
            names: Vec::new(),
            manifest: Manifest::default(),
            release: 0,
        };
        let mut rest = directory.as_slice();
        while rest.starts_with(b"PK\x01\x02") {
            let Some(len) = jar.add(rest) else {
                return Err("the zip directory is damaged".to_owned());
            };
            rest = rest.get(len..).unwrap_or(&[]);
        }
        if let Some(text) = jar.entry("META-INF/MANIFEST.MF") {
            jar.manifest = Manifest::parse(&String::from_utf8_lossy(&text));
        }
        Ok(jar)
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(crate) fn set_release(&mut self, release: u32) {
        self.release = release;
    }

    /// Whether the JVM lets nobody else add classes to its packages: it is sealed or signed.
    pub(crate) fn is_closed(&self) -> bool {
        let is_signature = |name: &String| {
            let Some(file) = name.strip_prefix("META-INF/") else { return false };
            [".SF", ".RSA", ".DSA", ".EC"].iter().any(|end| file.to_uppercase().ends_with(end))
        };
        self.manifest.is_sealed || self.names.iter().any(is_signature)
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

    /// An entry, of the newest version that there is one for.
    pub(crate) fn find(&mut self, name: &str) -> Option<Vec<u8>> {
        let newest = if self.manifest.is_multi_release { self.release } else { 0 };
        let versions = (9..=newest.min(99)).rev();
        let mut names = versions.map(|version| format!("META-INF/versions/{version}/{name}"));
        let versioned = names.find(|name| self.entries.contains_key(name));
        self.entry(versioned.as_deref().unwrap_or(name))
    }

    fn entry(&mut self, name: &str) -> Option<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::Manifest;

    #[test]
    fn manifests_are_read() {
        let text = "Manifest-Version: 1.0\r\nClass-Path: a.jar lib/b\r\n .jar\r\nMulti-Release: true\r\n\r\n\
                    Name: x\r\nSealed: true\r\n";
        let manifest = Manifest::parse(text);
        assert_eq!(manifest.class_path, ["a.jar", "lib/b.jar"]);
        assert!(manifest.is_multi_release);
        assert!(!manifest.is_sealed);
    }
}
