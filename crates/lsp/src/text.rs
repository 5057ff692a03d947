//! The text of a document, and its two ways to count: editors count UTF-16 units from 0, the rest of the tool bytes from 1.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A text with the starts of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    content: String,
    /// Byte offsets; the first is 0.
    starts: Vec<usize>,
}

impl Default for Text {
    fn default() -> Text {
        Text::new(String::new())
    }
}

impl Text {
    pub(crate) fn new(content: String) -> Text {
        let bytes = content.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(is_end);
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Text { content, starts }
    }

    pub(crate) fn content(&self) -> &str {
        &self.content
    }

    /// A line, counted from 0, without its end.
    pub(crate) fn line(&self, index: u32) -> &str {
        let index = index as usize;
        let Some(&start) = self.starts.get(index) else { return "" };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.content.len());
        self.content[start..end].trim_end_matches(['\r', '\n'])
    }

    /// The byte at a position; what lies beyond a line is its end, and what lies in a character its start.
    fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return self.content.len();
        };
        let mut left = position.character as usize;
        let mut offset = start;
        for letter in self.line(position.line).chars() {
            if left < letter.len_utf16() {
                break;
            }
            left -= letter.len_utf16();
            offset += letter.len_utf8();
        }
        offset
    }

    /// The position of a line and a byte column, both counted from 1.
    pub(crate) fn position(&self, line: u32, column: u32) -> Position {
        let last = u32::try_from(self.starts.len()).unwrap_or(u32::MAX) - 1;
        let line = line.max(1) - 1;
        if line > last {
            return Position::new(last, utf16_length(self.line(last)));
        }
        let text = self.line(line);
        let wanted = (column.max(1) as usize) - 1;
        let mut end = wanted.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Position::new(line, utf16_length(&text[..end]))
    }

    /// A range of lines and byte columns from 1. Where the end says nothing, it is that of the line.
    pub(crate) fn range(&self, start: (u32, u32), end: (u32, u32)) -> Range {
        let from = self.position(start.0, start.1);
        let to = self.position(end.0, end.1);
        if (to.line, to.character) > (from.line, from.character) {
            return Range::new(from, to);
        }
        Range::new(from, Position::new(from.line, utf16_length(self.line(from.line))))
    }

    /// A whole line, counted from 1, without what it is indented by.
    pub(crate) fn whole_line(&self, line: u32) -> Range {
        let line = self.position(line, 1).line;
        let text = self.line(line);
        let indent = utf16_length(text) - utf16_length(text.trim_start());
        Range::new(Position::new(line, indent), Position::new(line, utf16_length(text)))
    }

    /// The position of a byte.
    pub(crate) fn at(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset).max(1) - 1;
        let column = offset - self.starts[line].min(offset);
        let line = u32::try_from(line).unwrap_or(u32::MAX - 1);
        self.position(line + 1, u32::try_from(column).unwrap_or(u32::MAX - 1) + 1)
    }

    /// The text in a range.
    pub(crate) fn slice(&self, range: Range) -> &str {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        self.content.get(start..end).unwrap_or_default()
    }

    /// One change of an editor.
    pub(crate) fn apply(&mut self, change: &TextDocumentContentChangeEvent) {
        let content = match change.range {
            None => change.text.clone(),
            Some(range) => {
                let (a, b) = (self.offset(range.start), self.offset(range.end));
                let mut content = std::mem::take(&mut self.content);
                content.replace_range(a.min(b)..a.max(b), &change.text);
                content
            }
        };
        *self = Text::new(content);
    }
}

/// The length of a text in UTF-16 units.
pub(crate) fn utf16_length(text: &str) -> u32 {
    let length: usize = text.chars().map(char::len_utf16).sum();
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

    use super::Text;

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|[a, b, c, d]| Range::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn units_and_bytes_are_converted() {
        let text = Text::new("aü😀b\nc\r\nd".to_owned());
        for (byte, unit) in [(1, 0), (2, 1), (4, 2), (8, 4), (9, 5), (99, 5), (5, 2)] {
            assert_eq!(text.position(1, byte), Position::new(0, unit), "byte {byte}");
        }
        for (unit, byte) in [(0, 0), (1, 1), (2, 3), (3, 3), (4, 7), (5, 8), (99, 8)] {
            assert_eq!(text.offset(Position::new(0, unit)), byte, "unit {unit}");
        }
        assert_eq!(text.position(99, 1), Position::new(2, 1));
        assert_eq!(
            (text.line(0), text.line(1), text.line(2), text.line(9)),
            ("aü😀b", "c", "d", "")
        );
        assert_eq!(text.offset(Position::new(9, 9)), text.content().len());
        assert_eq!((text.at(7), text.at(9)), (Position::new(0, 4), Position::new(1, 0)));
    }

    #[test]
    fn ranges_without_an_end_go_to_the_end_of_the_line() {
        let text = Text::new("  int é = 1;\n".to_owned());
        assert_eq!(text.range((1, 3), (0, 0)).end, Position::new(0, 12));
        assert_eq!(
            text.range((1, 7), (1, 9)),
            Range::new(Position::new(0, 6), Position::new(0, 7))
        );
        assert_eq!(text.whole_line(1).start, Position::new(0, 2));
        assert_eq!(text.slice(text.range((1, 3), (1, 6))), "int");
    }

    #[test]
    fn edits_are_applied_in_order() {
        let mut text = Text::new("one\ntwo\n".to_owned());
        text.apply(&change(Some([0, 3, 1, 0]), " 😀 "));
        assert_eq!(text.content(), "one 😀 two\n");
        text.apply(&change(Some([0, 6, 0, 7]), "é"));
        assert_eq!(text.content(), "one 😀étwo\n");
        // Beyond the end, backwards and in the middle of a character nothing breaks.
        text.apply(&change(Some([9, 9, 9, 9]), "end"));
        assert_eq!(text.content(), "one 😀étwo\nend");
        text.apply(&change(Some([0, 5, 0, 4]), ""));
        assert_eq!(text.content(), "one 😀étwo\nend");
        text.apply(&change(None, "new"));
        assert_eq!(text.content(), "new");
    }

    #[test]
    fn random_edits_never_break() {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let mut text = Text::new("aü😀b\r\nc\rd\n".repeat(5));
        for _ in 0..2000 {
            let range = [next(20), next(9), next(20), next(9)];
            let piece = ["", "x", "😀", "\n", "é\r\n", "\r"][next(6) as usize];
            text.apply(&change(Some(range), piece));
            assert_eq!(Text::new(text.content().to_owned()), text);
            let _ = text.position(next(30), next(30));
        }
    }
}
