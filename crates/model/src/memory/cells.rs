//! Cells: scalars in memory, and their conversion to and from bytes.

use glassbox_ir::Ty;
use glassbox_terms::{Sort, TermId, Terms};

use crate::value::SymPtr;

/// A scalar of `size` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub size: u64,
    pub value: CellValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellValue {
    /// A bit-vector of 8 times `size` bits, or a float of that width.
    Term(TermId),
    Ptr(SymPtr),
}

impl Cell {
    /// Byte `index` (0 is the lowest address), where it is a number.
    pub fn byte(self, terms: &mut Terms, index: u64) -> Result<TermId, ReadError> {
        match self.value {
            // Null or another number: its bytes are known.
            CellValue::Term(term) | CellValue::Ptr(SymPtr::Number(term)) => {
                Ok(byte_of(terms, term, index))
            }
            CellValue::Ptr(ptr) => Err(ReadError::bytes_of(ptr)),
        }
    }
}

/// Why bytes could not be read as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// Indeterminate.
    Uninitialized,
    /// Part of a pointer read as a number.
    PointerBytes,
    /// The same, of a pointer that is an input the path has not looked at.
    InputPointerBytes,
}

impl ReadError {
    /// The bytes of this pointer were wanted.
    pub fn bytes_of(ptr: SymPtr) -> ReadError {
        match ptr {
            SymPtr::Input(_) => ReadError::InputPointerBytes,
            SymPtr::Object { .. } | SymPtr::Func(_) | SymPtr::Number(_) => ReadError::PointerBytes,
        }
    }
}

/// The bits of a cell's term.
pub fn bits_of(terms: &mut Terms, term: TermId) -> TermId {
    match terms.sort(term) {
        Sort::Float(_) => terms.fp_to_bits(term),
        Sort::Bool => terms.bv_from_bool(term, 8),
        Sort::Bv(_) | Sort::Array { .. } => term,
    }
}

/// Byte `index` (0 is the lowest address) of a cell's term.
pub fn byte_of(terms: &mut Terms, term: TermId, index: u64) -> TermId {
    let bits = bits_of(terms, term);
    let low = u8::try_from(index * 8).expect("cells are at most 16 bytes");
    terms.bv_extract(low + 7, low, bits)
}

/// The number made of these bytes, lowest address first.
pub fn join_bytes(terms: &mut Terms, bytes: &[TermId]) -> TermId {
    let mut bits = bytes[0];
    for &byte in &bytes[1..] {
        bits = terms.bv_concat(byte, bits);
    }
    bits
}

/// Bits from memory as a value of type `ty` (not a pointer).
pub fn from_bits(terms: &mut Terms, bits: TermId, ty: Ty) -> TermId {
    match ty {
        Ty::Int(1) => {
            let low = terms.bv_extract(0, 0, bits);
            terms.bv_is_nonzero(low)
        }
        Ty::Int(width) => terms.bv_extract(width - 1, 0, bits),
        Ty::Float(format) => match terms.sort(bits) {
            Sort::Float(_) => bits,
            Sort::Bv(_) | Sort::Bool | Sort::Array { .. } => terms.fp_from_bits(format, bits),
        },
        Ty::Ptr => bits,
    }
}

/// A value as it lies in memory: Booleans take a byte, odd widths are zero-extended.
pub fn to_memory(terms: &mut Terms, term: TermId, size: u64) -> TermId {
    let width = u8::try_from(size * 8).expect("cells are at most 16 bytes");
    match terms.sort(term) {
        Sort::Bool => terms.bv_from_bool(term, width),
        Sort::Bv(from) if from < width => terms.bv_zero_extend(width, term),
        Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => term,
    }
}
