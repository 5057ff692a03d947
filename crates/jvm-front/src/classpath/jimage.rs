//! The image that a JDK keeps its own classes in (`lib/modules`).
//!
//! Layout: a header of seven 32-bit words, a redirect table, an offset table, location attributes,
//! strings, then the resources. A resource is found by hashing its name `/module/path/name.ext` and,
//! where the redirect table says so, hashing again with another seed.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
const HASH_SEED: u32 = 0x0100_0193;

/// An open image.
#[derive(Debug)]
pub(crate) struct Image {
    file: File,
    is_little_endian: bool,
    table_length: u32,
    // Redirects, offsets, locations and strings, one behind the other.
    index: Vec<u8>,
    locations_at: usize,
    strings_at: usize,
    resources_at: u64,
}

/// Where a resource lies.
#[derive(Debug, Default, Clone, Copy)]
struct Location {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Image {
    /// Reads the index; `None` when the file is no image.
    pub(crate) fn open(path: &Path) -> Option<Image> {
        let mut file = File::open(path).ok()?;
        let mut header = [0; 28];
        file.read_exact(&mut header).ok()?;
        let first = [header[0], header[1], header[2], header[3]];
        let is_little_endian = u32::from_le_bytes(first) == MAGIC;
        if !is_little_endian && u32::from_be_bytes(first) != MAGIC {
            return None;
        }
        let word = |index: usize| word_at(&header, index * 4, is_little_endian).unwrap_or(0);
        let (table_length, locations_size, strings_size) = (word(4), word(5), word(6));
        let tables = u64::from(table_length) * 8;
        let size = tables + u64::from(locations_size) + u64::from(strings_size);
        if table_length == 0 || size > file.metadata().ok()?.len() {
            return None;
        }
        let mut index = vec![0; usize::try_from(size).ok()?];
        file.read_exact(&mut index).ok()?;
        Some(Image {
            file,
            is_little_endian,
            table_length,
            index,
            locations_at: usize::try_from(tables).ok()?,
            strings_at: usize::try_from(tables + u64::from(locations_size)).ok()?,
            resources_at: 28 + size,
        })
    }

    /// The bytes of `/module/path.extension`, `path` being a class name with slashes.
    pub(crate) fn find(&mut self, module: &str, path: &str, extension: &str) -> Option<Vec<u8>> {
        let name = format!("/{module}/{path}.{extension}");
        let hash = hash(&name, HASH_SEED);
        let redirect = self.word((hash % self.table_length) as usize * 4)?.cast_signed();
        let slot = match redirect {
            0 => return None,
            1.. => self::hash(&name, redirect.cast_unsigned()) % self.table_length,
            _ => u32::try_from(-1 - redirect).ok()?,
        };
        let offset = self.word((self.table_length as usize + slot as usize) * 4)?;
        let location = self.location(offset as usize)?;
        let (parent, base) = path.rsplit_once('/').unwrap_or(("", path));
        let is_it = self.string(location.module)? == module.as_bytes()
            && self.string(location.parent)? == parent.as_bytes()
            && self.string(location.base)? == base.as_bytes()
            && self.string(location.extension)? == extension.as_bytes();
        // Compressed images are made by `jlink --compress` only; their classes count as absent.
        if !is_it || location.compressed != 0 || location.size > 1 << 26 {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(location.size).ok()?];
        self.file.seek(SeekFrom::Start(self.resources_at + location.offset)).ok()?;
        self.file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Names of the classes of a module, sorted.
    pub(crate) fn classes(&self, module: &str) -> Vec<String> {
        let name_at = |slot: u32| {
            let offset = self.word((self.table_length as usize + slot as usize) * 4)?;
            let location = self.location(offset as usize)?;
            let is_class = self.string(location.module)? == module.as_bytes()
                && self.string(location.extension)? == b"class";
            let parent = String::from_utf8(self.string(location.parent)?.to_vec()).ok()?;
            let base = String::from_utf8(self.string(location.base)?.to_vec()).ok()?;
            is_class.then(|| if parent.is_empty() { base } else { format!("{parent}/{base}") })
        };
        let mut names: Vec<String> = (0..self.table_length).filter_map(name_at).collect();
        names.sort();
        names
    }

    fn word(&self, at: usize) -> Option<u32> {
        word_at(&self.index, at, self.is_little_endian)
    }

    fn location(&self, offset: usize) -> Option<Location> {
        let mut location = Location::default();
        let mut at = self.locations_at + offset;
        loop {
            let byte = *self.index.get(at)?;
            let len = usize::from(byte & 7) + 1;
            let bytes = self.index.get(at + 1..at + 1 + len);
            let value =
                bytes.unwrap_or(&[]).iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            let position = usize::try_from(value).ok()?;
            match byte >> 3 {
                0 => return Some(location),
                1 => location.module = position,
                2 => location.parent = position,
                3 => location.base = position,
                4 => location.extension = position,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return None,
            }
            at += 1 + len;
        }
    }

    fn string(&self, offset: usize) -> Option<&[u8]> {
        let rest = self.index.get(self.strings_at.checked_add(offset)?..)?;
        let len = rest.iter().position(|&byte| byte == 0)?;
        Some(&rest[..len])
    }
}

fn word_at(bytes: &[u8], at: usize, is_little_endian: bool) -> Option<u32> {
    let word = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(if is_little_endian { u32::from_le_bytes(word) } else { u32::from_be_bytes(word) })
}

fn hash(name: &str, seed: u32) -> u32 {
    let step = |hash: u32, byte: u8| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte);
    name.bytes().fold(seed, step) & 0x7fff_ffff
}
