//! Jar files: zip archives with a manifest, and classes for several versions of Java.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
};
use rustc_hash::FxHashMap;

/// Larger entries are no class files.
const MAX_ENTRY: u64 = 1 << 26;

/// An open archive with its directory.
#[derive(Debug)]
pub(crate) struct Jar {
    archive: ZipArchive<FileReader>,
    entries: FxHashMap<String, Entry>,
    // In the order of the directory.
    names: Vec<String>,
    manifest: Manifest,
    // The newest version of Java whose classes are taken from a jar that has several.
    release: u32,
}

/// What the manifest says about loading classes.
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
    place: ZipArchiveEntryWayfinder,
}

impl Jar {
    /// Reads the directory at the end of the file; a text of what is wrong otherwise.
    pub(crate) fn open(path: &Path) -> Result<Jar, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer)
            .map_err(|_| "this is not a jar (no zip directory)".to_owned())?;
        let mut entries = FxHashMap::default();
        let mut names = Vec::new();
        let mut records = archive.entries(&mut buffer);
        let damaged = |_| "the zip directory is damaged".to_owned();
        while let Some(record) = records.next_entry().map_err(damaged)? {
            let is_deflated = match record.compression_method() {
                CompressionMethod::STORE => false,
                CompressionMethod::DEFLATE => true,
                _ => continue,
            };
            let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
            names.push(name.clone());
            entries.insert(name, Entry { is_deflated, place: record.wayfinder() });
        }
        let mut jar = Jar { archive, entries, names, manifest: Manifest::default(), release: 0 };
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

    /// Whether the JVM accepts no other classes in its packages: it is sealed or signed.
    pub(crate) fn is_closed(&self) -> bool {
        let is_signature = |name: &String| {
            let Some(file) = name.strip_prefix("META-INF/") else { return false };
            [".SF", ".RSA", ".DSA", ".EC"].iter().any(|end| file.to_uppercase().ends_with(end))
        };
        self.manifest.is_sealed || self.names.iter().any(is_signature)
    }

    /// Names of entries, in the order of the directory.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// An entry, of the newest version that there is one for.
    pub(crate) fn find(&self, name: &str) -> Option<Vec<u8>> {
        let newest = if self.manifest.is_multi_release { self.release } else { 0 };
        let versions = (9..=newest.min(99)).rev();
        let mut names = versions.map(|version| format!("META-INF/versions/{version}/{name}"));
        let versioned = names.find(|name| self.entries.contains_key(name));
        self.entry(versioned.as_deref().unwrap_or(name))
    }

    fn entry(&self, name: &str) -> Option<Vec<u8>> {
        let Entry { is_deflated, place } = *self.entries.get(name)?;
        if place.compressed_size_hint() > MAX_ENTRY {
            return None;
        }
        let mut bytes = Vec::new();
        self.archive.get_entry(place).ok()?.reader().read_to_end(&mut bytes).ok()?;
        if !is_deflated {
            return Some(bytes);
        }
        let limit = usize::try_from(place.uncompressed_size_hint().min(MAX_ENTRY)).ok()?;
        miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, limit).ok()
    }
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
