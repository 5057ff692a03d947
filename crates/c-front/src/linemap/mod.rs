//! Where preprocessed text came from: spans to files, lines and columns the user wrote.
//!
//! The preprocessor keeps lines but not columns, and macros hide what was written. So the tokens of
//! the user's own files (not system headers) are aligned with the preprocessed tokens of the same
//! lines ([`align`]); a token that a macro produced has the place of the macro's use, or of the
//! argument it came from. Where the original cannot be read, columns are those of the preprocessed
//! text.

mod align;
mod original;

use std::ops::Range;
use std::sync::Arc;

use glassbox_ir::{FileId, FileOrigin, SourceFile};
use rustc_hash::FxHashMap;

use crate::parse::lex::Lexed;
use crate::span::{Place, Span};
use align::TokenPlace;

/// All text of a program and the files it came from. Units are laid end to end in one numbering.
#[derive(Debug, Default)]
pub struct SourceMap {
    units: Vec<Unit>,
    files: Vec<File>,
    by_name: FxHashMap<String, FileId>,
}

#[derive(Debug)]
struct Unit {
    /// Offset of the unit's first byte in the numbering of spans.
    base: u32,
    text: Arc<[u8]>,
    line_starts: Vec<u32>,
    markers: Vec<LineOrigin>,
    /// Exact places of tokens, by start; only tokens of files whose text is known.
    places: Vec<TokenPlace>,
}

/// From `start` on, lines count up from `line` of `file`.
#[derive(Debug, Clone, Copy)]
struct LineOrigin {
    start: u32,
    line: u32,
    file: FileId,
}

#[derive(Debug)]
struct File {
    name: String,
    text: Option<Arc<[u8]>>,
    line_starts: Vec<usize>,
}

impl SourceMap {
    /// The base offset that the next unit will have; `None` if the numbering is used up.
    pub fn next_base(&self, text_length: usize) -> Option<u32> {
        let base = match self.units.last() {
            // One byte of room keeps spans of neighbors apart.
            Some(unit) => unit.base as usize + unit.text.len() + 1,
            None => 0,
        };
        let end = u32::try_from(base.checked_add(text_length)?.checked_add(2)?).ok()?;
        (end < u32::MAX).then(|| u32::try_from(base).expect("the end fits, so the base should"))
    }

    /// Adds a unit's text as it was lexed from [`SourceMap::next_base`]. `name` is the file it starts
    /// in; `read` gives the text of an original file.
    pub fn add_unit(
        &mut self,
        name: &str,
        text: Arc<[u8]>,
        lexed: &Lexed,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) {
        let mut unit = self.unit(name, text, lexed);
        for (origin, marker) in unit.markers.iter().skip(1).zip(&lexed.markers) {
            if !marker.is_system && marker.file.is_some() {
                self.load(origin.file, read);
            }
        }
        if lexed.markers.is_empty() {
            // Text that was never preprocessed is its own original.
            self.set_text(unit.markers[0].file, unit.text.clone());
        }
        unit.places = align::places(&unit, &self.files, lexed);
        self.units.push(unit);
    }

    /// Adds a unit whose text is at the columns where it was written, so that nothing has to be aligned.
    /// `original` is the text of the file `name`, to which its markers refer.
    pub fn add_aligned_unit(
        &mut self,
        name: &str,
        text: Arc<[u8]>,
        lexed: &Lexed,
        original: Vec<u8>,
    ) {
        let unit = self.unit(name, text, lexed);
        let file = unit.markers[0].file;
        if self.files[file.index()].text.is_none() {
            self.set_text(file, original.into());
        }
        self.units.push(unit);
    }

    /// A unit without exact places.
    fn unit(&mut self, name: &str, text: Arc<[u8]>, lexed: &Lexed) -> Unit {
        let base = self.next_base(text.len()).expect("the caller should have checked the size");
        let mut file = self.file_id(name);
        let mut markers = vec![LineOrigin { start: 0, line: 1, file }];
        for marker in &lexed.markers {
            if let Some(name) = &marker.file {
                file = self.file_id(name);
            }
            markers.push(LineOrigin { start: marker.start, line: marker.line, file });
        }
        Unit { base, text, line_starts: lexed.line_starts.clone(), markers, places: Vec::new() }
    }

    fn file_id(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = FileId::new(self.files.len());
        self.files.push(File { name: name.to_string(), text: None, line_starts: Vec::new() });
        self.by_name.insert(name.to_string(), id);
        id
    }

    fn load(&mut self, file: FileId, read: &mut dyn FnMut(&str) -> Option<Vec<u8>>) {
        let entry = &self.files[file.index()];
        if entry.text.is_some() || origin_of(&entry.name) == FileOrigin::Model {
            return;
        }
        if let Some(text) = read(&entry.name) {
            self.set_text(file, text.into());
        }
    }

    fn set_text(&mut self, file: FileId, text: Arc<[u8]>) {
        let ends =
            text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
        let entry = &mut self.files[file.index()];
        entry.line_starts = std::iter::once(0).chain(ends).collect();
        entry.text = Some(text);
    }

    fn unit_at(&self, offset: u32) -> Option<&Unit> {
        let after = self.units.partition_point(|unit| unit.base <= offset);
        self.units.get(after.checked_sub(1)?)
    }

    /// The place of a span in the file the user wrote.
    pub fn resolve(&self, span: Span) -> Place {
        let Some(unit) = self.unit_at(span.start) else {
            return Place::nowhere();
        };
        let start = span.start - unit.base;
        let end = span.end.saturating_sub(unit.base).max(start);
        let (file, mut line, mut column) = unit.start_place(start);
        let (end_file, mut end_line, mut end_column) = unit.end_place(start, end);
        if end_file != file {
            (end_line, end_column) = (line, column);
        }
        // Where an end comes from a macro, the whole use belongs to the place.
        let last = end.saturating_sub(1).max(start);
        for token in [unit.token_at(start), unit.token_at(last)].into_iter().flatten() {
            if token.is_expanded && token.file == file && token.end > start && token.start < end {
                (line, column) = (line, column).min((token.line, token.column));
                let token_end = (token.end_line, token.end_column);
                (end_line, end_column) = (end_line, end_column).max(token_end);
            }
        }
        if (end_line, end_column) < (line, column) {
            (end_line, end_column) = (line, column);
        }
        Place::new(file, line, column, end_line, end_column)
    }

    /// The name of a file as the compiler was given it.
    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.index()).map_or("<unknown>", |file| file.name.as_str())
    }

    /// All files in the order of their [`FileId`]s.
    pub fn source_files(&self) -> Vec<SourceFile> {
        let text = |file: &File| Some(String::from_utf8_lossy(file.text.as_ref()?).into());
        let file = |f: &File| SourceFile::new(f.name.clone(), origin_of(&f.name), text(f));
        self.files.iter().map(file).collect()
    }

    /// What the user wrote at a span: the text of a condition, before macros were expanded.
    pub fn snippet(&self, span: Span) -> String {
        let place = self.resolve(span);
        let written = || {
            let file = self.files.get(place.file.index())?;
            let text = file.text.as_ref()?;
            let at = |line: u32, column: u32| {
                let start = file.line_starts.get((line as usize).checked_sub(1)?)?;
                start.checked_add((column as usize).checked_sub(1)?)
            };
            let range = at(place.line, place.column)?..at(place.end_line, place.end_column)?;
            let bytes = text.get(range)?;
            (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes).into_owned())
        };
        written().unwrap_or_else(|| self.preprocessed(span))
    }

    /// The preprocessed text of a span.
    pub fn preprocessed(&self, span: Span) -> String {
        let Some(unit) = self.unit_at(span.start) else { return String::new() };
        let start = (span.start - unit.base) as usize;
        let end = (span.end.saturating_sub(unit.base) as usize).min(unit.text.len());
        String::from_utf8_lossy(unit.text.get(start..end).unwrap_or_default()).into_owned()
    }

    /// The preprocessed text of the unit in which a span lies, and where the span lies in it.
    pub fn unit_text(&self, span: Span) -> Option<(Arc<[u8]>, Range<usize>)> {
        let unit = self.unit_at(span.start)?;
        let at = |offset: u32| usize::try_from(offset.checked_sub(unit.base)?).ok();
        let range = at(span.start)?..at(span.end)?;
        (range.start <= range.end && range.end <= unit.text.len())
            .then(|| (unit.text.clone(), range))
    }

    /// Where the text at a place of the user's stands in the preprocessed text of the unit that `near` lies in.
    /// `None` where a macro had a hand in it, or where it stands more than once.
    pub fn expanded(&self, place: Place, near: Span) -> Option<Span> {
        let unit = self.unit_at(near.start)?;
        let tokens = || unit.places.iter().filter(|token| token.file == place.file);
        let mut starts =
            tokens().filter(|token| (token.line, token.column) == (place.line, place.column));
        let mut ends = tokens().filter(|token| {
            (token.end_line, token.end_column) == (place.end_line, place.end_column)
        });
        let (first, last) = (starts.next()?, ends.next()?);
        let is_alone = starts.next().is_none() && ends.next().is_none();
        let is_written = !first.is_expanded && !last.is_expanded && first.start < last.end;
        (is_alone && is_written).then(|| Span::new(unit.base + first.start, unit.base + last.end))
    }

    /// The whole line where a span starts, as the user wrote it if known.
    pub fn line_text(&self, span: Span) -> Option<&[u8]> {
        let unit = self.unit_at(span.start)?;
        let start = span.start - unit.base;
        let (file, line, _) = unit.start_place(start);
        let file = &self.files[file.index()];
        if let Some(text) = &file.text {
            let index = (line as usize).checked_sub(1)?;
            let from = *file.line_starts.get(index)?;
            let to = file.line_starts.get(index + 1).map_or(text.len(), |next| next - 1);
            return text.get(from..to);
        }
        let index = unit.line_index(start);
        let from = unit.line_starts[index] as usize;
        let to = unit.line_starts.get(index + 1).map_or(unit.text.len(), |&next| next as usize - 1);
        unit.text.get(from..to)
    }
}

/// Preprocessors put names that are no files in angle brackets, and so do the library models.
fn origin_of(name: &str) -> FileOrigin {
    if name.starts_with('<') {
        FileOrigin::Model
    } else if name.starts_with("/usr/") {
        FileOrigin::System
    } else {
        FileOrigin::User
    }
}

impl Unit {
    /// Index of the preprocessed line that holds an offset.
    fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// File and line of an offset, by the line markers alone.
    fn line_of(&self, offset: u32) -> (FileId, u32) {
        let after = self.markers.partition_point(|marker| marker.start <= offset);
        let marker = self.markers[after.saturating_sub(1)];
        let passed =
            self.line_index(offset) - self.line_index(marker.start).min(self.line_index(offset));
        (marker.file, marker.line.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX)))
    }

    fn rough_place(&self, offset: u32) -> (FileId, u32, u32) {
        let (file, line) = self.line_of(offset);
        (file, line, offset - self.line_starts[self.line_index(offset)] + 1)
    }

    fn token_at(&self, offset: u32) -> Option<&TokenPlace> {
        let after = self.places.partition_point(|place| place.start <= offset);
        self.places.get(after.checked_sub(1)?)
    }

    fn start_place(&self, offset: u32) -> (FileId, u32, u32) {
        match self.token_at(offset) {
            Some(token) if offset == token.start => (token.file, token.line, token.column),
            Some(token) if offset < token.end && !token.is_expanded => {
                (token.file, token.line, token.column + (offset - token.start))
            }
            Some(token) if offset < token.end => (token.file, token.line, token.column),
            _ => self.rough_place(offset),
        }
    }

    /// The end of what starts at `start` and ends before `end`.
    fn end_place(&self, start: u32, end: u32) -> (FileId, u32, u32) {
        let last = end.saturating_sub(1).max(start);
        match self.token_at(last) {
            Some(token) if last < token.end => {
                let inside = token.end > end && !token.is_expanded && token.line == token.end_line;
                let column = if inside {
                    token.column + (end - token.start.min(end))
                } else {
                    token.end_column
                };
                (token.file, token.end_line, column)
            }
            _ => {
                let (file, line, column) = self.rough_place(last);
                (file, line, column + u32::from(end > start))
            }
        }
    }
}
