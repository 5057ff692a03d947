//! Which build of Glassbox this is: another one starts anew.
//!
//! Linkers leave a digest of what they wrote in the program. Where there is none, the program is read as a whole, which takes a
//! while: a development build has more than a hundred megabytes.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use glassbox_report::sha256;

/// The build, or nothing where the program cannot be read.
pub(super) fn build() -> String {
    static FOUND: OnceLock<String> = OnceLock::new();
    FOUND.get_or_init(|| found().unwrap_or_default()).clone()
}

fn found() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    let file = File::open(&path).ok()?;
    let length = file.metadata().ok()?.len();
    match linkers_digest(&file) {
        Some(digest) => Some(sha256::hex(format!("{length} {digest:?}").as_bytes())),
        None => Some(sha256::hex(&fs::read(&path).ok()?)),
    }
}

/// Notes that are longer say something else.
const LONGEST: u64 = 1 << 16;

/// The part of an ELF file that has notes, and the note with the digest.
const NOTES: u32 = 4;
const DIGEST: u32 = 3;

/// The digest in a program for a machine with 64 bits, the least significant byte first.
fn linkers_digest(file: &File) -> Option<Vec<u8>> {
    let head = bytes(file, 0, 64)?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (start, size, count) = (long(&head, 32)?, short(&head, 54)?, short(&head, 56)?);
    let segments = bytes(file, start, u64::from(size) * u64::from(count))?;
    segments.chunks_exact(usize::from(size).max(1)).find_map(|segment| {
        if word(segment, 0)? != NOTES {
            return None;
        }
        let notes = bytes(file, long(segment, 8)?, long(segment, 32)?)?;
        let step = if long(segment, 48)? == 8 { 8 } else { 4 };
        digest_in(&notes, step)
    })
}

fn digest_in(mut notes: &[u8], step: usize) -> Option<Vec<u8>> {
    loop {
        let (name, length) = (word(notes, 0)? as usize, word(notes, 4)? as usize);
        let start = (12 + name).next_multiple_of(step);
        let content = notes.get(start..start.checked_add(length)?)?;
        if word(notes, 8)? == DIGEST && notes.get(12..12 + name)? == b"GNU\0" && length >= 16 {
            return Some(content.to_vec());
        }
        notes = notes.get((start + length).next_multiple_of(step)..)?;
    }
}

fn bytes(file: &File, at: u64, length: u64) -> Option<Vec<u8>> {
    let mut found = vec![0; usize::try_from(length).ok().filter(|_| length <= LONGEST)?];
    file.read_exact_at(&mut found, at).ok()?;
    Some(found)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A program of one segment.
    fn program(notes: &[u8]) -> Vec<u8> {
        let mut text = b"\x7fELF\x02\x01".to_vec();
        text.resize(64 + 56, 0);
        text[32..40].copy_from_slice(&64u64.to_le_bytes());
        text[54..56].copy_from_slice(&56u16.to_le_bytes());
        text[56..58].copy_from_slice(&1u16.to_le_bytes());
        text[64..68].copy_from_slice(&NOTES.to_le_bytes());
        text[72..80].copy_from_slice(&120u64.to_le_bytes());
        text[96..104].copy_from_slice(&(notes.len() as u64).to_le_bytes());
        text[112..120].copy_from_slice(&4u64.to_le_bytes());
        text.extend_from_slice(notes);
        text
    }

    fn note(name: &[u8], content: &[u8], kind: u32) -> Vec<u8> {
        let mut text = Vec::new();
        for number in [name.len(), content.len(), kind as usize] {
            text.extend_from_slice(&u32::try_from(number).expect("small").to_le_bytes());
        }
        for part in [name, content] {
            text.extend_from_slice(part);
            text.resize(text.len().next_multiple_of(4), 0);
        }
        text
    }

    fn of(text: &[u8]) -> Option<Vec<u8>> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(text).expect("written");
        linkers_digest(&file)
    }

    #[test]
    fn the_digest_is_found_among_notes() {
        let digest = [7; 20];
        let notes = [note(b"GNU\0", &[1; 16], 1), note(b"GNU\0", &digest, DIGEST)].concat();
        let whole = program(&notes);
        assert_eq!(of(&whole), Some(digest.to_vec()));
        let other = program(&note(b"Other\0", &digest, DIGEST));
        assert_eq!(of(&other), None);
    }

    #[test]
    fn what_is_no_program_or_cut_off_has_none() {
        let whole = program(&note(b"GNU\0", &[7; 20], DIGEST));
        for length in 0..whole.len() {
            assert_eq!(of(&whole[..length]), None, "{length}");
        }
        assert_eq!(of(b"#!/bin/sh\n"), None);
        let mut endless = program(&note(b"GNU\0", &[7; 20], 9));
        endless[120..124].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(of(&endless), None);
        assert!(!build().is_empty());
    }
}
