//! One stream as an input: what was read of it, how long it is, and the bytes that a test gives it.

use glassbox_terms::TermId;
use glassbox_values::{Float, Format, Signedness};

use crate::inputs::Valuation;
use crate::value::ObjectId;

/// A piece of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamItem {
    pub text: ItemText,
    /// A byte before it that formatted reads skip.
    pub separator: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemText {
    Byte(TermId),
    Integer { value: TermId, signedness: Signedness, base: u32 },
    Float(TermId),
}

/// Something that a formatted read took as far as it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Up to white space.
    Text,
    /// Decimal digits.
    Integer,
    /// Any other number.
    Other,
    Set(ByteSet),
}

/// Bytes in these ranges, or in none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByteSet {
    pub ranges: Vec<(u8, u8)>,
    pub is_negated: bool,
}

impl Word {
    /// Whether this byte would have gone on the word.
    pub fn has(&self, byte: u8) -> bool {
        match self {
            Word::Text => !byte.is_ascii_whitespace(),
            Word::Integer => byte.is_ascii_digit(),
            Word::Other => byte.is_ascii_alphanumeric() || byte == b'.',
            Word::Set(set) => {
                let is_in = set.ranges.iter().any(|&(low, high)| low <= byte && byte <= high);
                is_in != set.is_negated
            }
        }
    }
}

/// A byte that was read and given back, or that a formatted read did not want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingByte {
    pub byte: TermId,
    /// It is neither space nor the start of a number.
    pub is_foreign: bool,
}

/// Where the next byte of a stream comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// From this item on. Reads that found nothing went on as if they had, so it may be behind the end.
    Item(usize),
    /// There is none: so many bytes are in front of it, which is the length or more.
    Behind(TermId),
}

/// What may be done with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
}

/// A stream of one path.
#[derive(Debug, Clone)]
pub struct StreamInput {
    /// For names of variables.
    pub name: String,
    /// What pointers to it point to; standard input has none.
    pub object: Option<ObjectId>,
    pub access: Access,
    /// What was read so far, from the beginning.
    pub items: Vec<StreamItem>,
    /// How many items it has, once that was asked for.
    pub length: Option<TermId>,
    pub position: Position,
    /// A byte that comes before all that was not read yet.
    pub pending: Option<PendingByte>,
    /// What the last thing read was, if it ends only where something else begins.
    pub last_word: Option<Word>,
    /// Whether a read came to the end.
    pub at_end: Option<TermId>,
    /// The program has written to it: what it holds is not followed from there on.
    pub is_written: bool,
}

impl StreamInput {
    pub fn new(name: &str, object: Option<ObjectId>, access: Access) -> StreamInput {
        StreamInput {
            name: name.to_owned(),
            object,
            access,
            items: Vec::new(),
            length: None,
            position: Position::Item(0),
            pending: None,
            last_word: None,
            at_end: None,
            is_written: false,
        }
    }

    /// Standard input.
    pub fn standard() -> StreamInput {
        StreamInput::new("stdin", None, Access { reads: true, writes: false })
    }

    /// Whether a path has asked anything of it.
    pub fn is_used(&self) -> bool {
        self.object.is_some()
            || self.length.is_some()
            || self.pending.is_some()
            || self.at_end.is_some()
    }

    /// Whether every item is one byte, so that items are counted as bytes are.
    pub fn is_bytes(&self) -> bool {
        let is_byte =
            |item: &StreamItem| matches!(item.text, ItemText::Byte(_)) && item.separator.is_none();
        self.items.iter().all(is_byte)
    }

    /// The bytes that a test gives it.
    pub fn bytes(&self, valuation: &mut dyn Valuation) -> Vec<u8> {
        let n_items = self.length.map_or(0, |length| valuation.bits(length).unsigned());
        let n_items = usize::try_from(n_items).unwrap_or(0);
        let mut bytes = Vec::new();
        for item in self.items.iter().take(n_items) {
            bytes.extend(item.separator);
            write_item(item.text, valuation, &mut bytes);
        }
        if n_items <= self.items.len() {
            return bytes;
        }
        // There is more, which was not read: it shows that the last word has ended.
        let free = [b'\n', b' '].into_iter();
        let next = self.last_word.as_ref().map(|word| free.clone().find(|&byte| !word.has(byte)));
        bytes.extend(next.flatten());
        // Programs ask how long a file is.
        if self.object.is_some() && self.is_bytes() && bytes.len() < n_items {
            bytes.resize(n_items, b'\n');
        }
        bytes
    }
}

/// The bytes of a piece of a stream.
fn write_item(text: ItemText, valuation: &mut dyn Valuation, bytes: &mut Vec<u8>) {
    match text {
        ItemText::Byte(byte) => {
            bytes.push(u8::try_from(valuation.bits(byte).unsigned()).unwrap_or(0));
        }
        ItemText::Integer { value, signedness, base } => {
            let bits = valuation.bits(value);
            let text = match base {
                8 => format!("{:o}", bits.unsigned()),
                16 => format!("{:x}", bits.unsigned()),
                _ => bits.to_decimal(signedness),
            };
            bytes.extend(text.bytes());
        }
        ItemText::Float(value) => {
            let bits = valuation.bits(value);
            let format = if bits.width() == 32 { Format::F32 } else { Format::F64 };
            let float = Float::from_bits(u64::try_from(bits.unsigned()).unwrap_or(0), format);
            bytes.extend(float.to_decimal().bytes());
        }
    }
}
