//! All objects of one path, and access to them at known offsets.

use std::ops::Range;

use glassbox_ir::{PointerSize, Program, Ty};
use glassbox_terms::{TermId, Terms};
use glassbox_testcase::image::size_of;

use super::cells::{self, Cell, CellValue, ReadError};
use super::object::{Contents, Object, ObjectKind, ObjectState};
use crate::inputs::Inputs;
use crate::leaf::{LeafKind, leaf_at};
use crate::value::{KnownPlace, ObjectId, SymPtr, SymValue};

/// The objects of one path.
#[derive(Debug, Default)]
pub struct Memory {
    objects: Vec<Object>,
    pointers: PointerSize,
}

impl Memory {
    pub fn new(pointers: PointerSize) -> Memory {
        Memory { objects: Vec::new(), pointers }
    }

    pub fn add(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId(u32::try_from(self.objects.len() - 1).expect("fewer than 2^32 objects"))
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        let n_objects = u32::try_from(self.objects.len()).expect("fewer than 2^32 objects");
        (0..n_objects).map(ObjectId)
    }

    /// Ends a life; contents stay for explanations.
    pub fn release(&mut self, id: ObjectId, state: ObjectState) {
        let object = self.object_mut(id);
        if object.state == ObjectState::Live {
            object.state = state;
        }
    }

    /// Makes sure that cells exist for these bytes of an object with input contents; each scalar that is
    /// missing becomes an input.
    pub fn materialize(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        inputs: &mut Inputs,
        id: ObjectId,
        bytes: Range<i64>,
    ) {
        let Contents::Input(ty) = self.object(id).contents else { return };
        let element_size = size_of(program, ty).max(1).cast_signed();
        let mut at = bytes.start;
        while at < bytes.end {
            if let Some((start, cell)) = self.cell_covering(id, at) {
                at = end_of(start, cell.size);
                continue;
            }
            let object = self.object(id);
            let index = at.saturating_sub(object.origin).div_euclid(element_size);
            let base = object.origin + index * element_size;
            let leaf = leaf_at(program, ty, (at - base).unsigned_abs(), base, &object.active);
            let start = base.saturating_add_unsigned(leaf.offset);
            // A scalar that was partly overwritten before it was read comes byte by byte.
            let is_whole =
                (start..end_of(start, leaf.size)).all(|byte| self.covering(object, byte).is_none());
            let (start, leaf_size, kind) =
                if is_whole { (start, leaf.size, leaf.kind) } else { (at, 1, LeafKind::Raw) };
            let mut name = leaf_name(object, index, &leaf.path);
            if !is_whole {
                name.push_str(&format!(".byte{at}"));
            }
            let value = inputs.new_leaf(terms, &name, kind, leaf_size);
            let cell = Cell { size: leaf_size, value };
            let object = self.object_mut(id);
            object.cells.insert(start, cell);
            object.initial.insert(start, cell);
            at = end_of(start, leaf_size);
        }
    }

    /// Whether a byte was read or written.
    pub fn is_known(&self, id: ObjectId, byte: i64) -> bool {
        self.cell_covering(id, byte).is_some()
    }

    fn covering<'a>(&self, object: &'a Object, byte: i64) -> Option<(i64, &'a Cell)> {
        let (&start, cell) = object.cells.range(..=byte).next_back()?;
        (byte < end_of(start, cell.size)).then_some((start, cell))
    }

    fn cell_covering(&self, id: ObjectId, byte: i64) -> Option<(i64, Cell)> {
        self.covering(self.object(id), byte).map(|(start, cell)| (start, *cell))
    }

    /// Whether some bytes, at an offset if it is known, were left open by a store into a member of a union.
    pub fn is_open(&self, id: ObjectId, offset: Option<i64>, size: u64) -> bool {
        let open = &self.object(id).open;
        match offset {
            Some(offset) => open.range(offset..end_of(offset, size)).next().is_some(),
            None => !open.is_empty(),
        }
    }

    /// Reads a scalar at a known offset that is in bounds. Input contents must be materialized.
    pub fn read(
        &self,
        terms: &mut Terms,
        id: ObjectId,
        offset: i64,
        ty: Ty,
    ) -> Result<SymValue, ReadError> {
        let size = ty.size(self.pointers);
        if let Some(cell) = self.object(id).cells.get(&offset)
            && cell.size == size
        {
            match (cell.value, ty) {
                (CellValue::Ptr(ptr), Ty::Ptr) => return Ok(SymValue::Ptr(ptr)),
                (CellValue::Ptr(ptr), _) => return Err(ReadError::bytes_of(ptr)),
                (CellValue::Term(term), Ty::Float(format)) => {
                    let is_float = terms.sort(term) == glassbox_terms::Sort::Float(format);
                    let value = if is_float { term } else { cells::from_bits(terms, term, ty) };
                    return Ok(SymValue::Term(value));
                }
                (CellValue::Term(term), _) => {
                    let bits = cells::bits_of(terms, term);
                    return Ok(value_from_bits(terms, bits, ty));
                }
            }
        }
        let mut bytes = Vec::new();
        for byte in offset..end_of(offset, size) {
            bytes.push(self.read_byte(terms, id, byte)?);
        }
        let bits = cells::join_bytes(terms, &bytes);
        Ok(value_from_bits(terms, bits, ty))
    }

    /// One byte at a known offset that is in bounds.
    pub fn read_byte(
        &self,
        terms: &mut Terms,
        id: ObjectId,
        offset: i64,
    ) -> Result<TermId, ReadError> {
        match self.cell_covering(id, offset) {
            Some((start, cell)) => cell.byte(terms, offset.abs_diff(start)),
            None => match self.object(id).contents {
                Contents::Zeros => Ok(terms.bv_u(0, 8)),
                Contents::Uninitialized | Contents::Input(_) => Err(ReadError::Uninitialized),
            },
        }
    }

    /// Writes a scalar at a known offset that is in bounds.
    pub fn write(
        &mut self,
        terms: &mut Terms,
        id: ObjectId,
        offset: i64,
        size: u64,
        value: SymValue,
    ) {
        self.clear(terms, id, offset, size);
        let value = match value {
            SymValue::Ptr(ptr) => CellValue::Ptr(ptr),
            SymValue::Term(term) => CellValue::Term(cells::to_memory(terms, term, size)),
        };
        self.object_mut(id).cells.insert(offset, Cell { size, value });
    }

    /// Removes what the cells know about these bytes, splitting cells that stick out. The caller fills
    /// them again: what stays empty would show the object's original contents. A byte that is left of an address has the
    /// whole pointer for its value, so that whatever reads it is refused.
    pub fn clear(&mut self, terms: &mut Terms, id: ObjectId, offset: i64, size: u64) {
        let end = end_of(offset, size);
        let object = self.object_mut(id);
        if !object.open.is_empty() {
            object.open.retain(|byte| !(offset..end).contains(byte));
        }
        let object = self.object(id);
        let first = self.covering(object, offset).map_or(offset, |(start, _)| start);
        let touched: Vec<(i64, Cell)> =
            object.cells.range(first..end).map(|(&start, cell)| (start, *cell)).collect();
        for (start, cell) in touched {
            if end_of(start, cell.size) <= offset {
                continue;
            }
            self.object_mut(id).cells.remove(&start);
            for byte in start..end_of(start, cell.size) {
                if byte < offset || byte >= end {
                    let known = cell.byte(terms, byte.abs_diff(start));
                    let value = known.map_or(cell.value, CellValue::Term);
                    self.object_mut(id).cells.insert(byte, Cell { size: 1, value });
                }
            }
        }
    }

    /// Copies `len` bytes between known offsets, cell by cell where cells match, with indeterminate
    /// bytes staying so. Input contents of the source must be materialized.
    pub fn copy(
        &mut self,
        terms: &mut Terms,
        to: KnownPlace,
        from: KnownPlace,
        len: u64,
    ) -> Result<(), ReadError> {
        let mut moved: Vec<(i64, Cell)> = Vec::new();
        let end = end_of(from.offset, len);
        let mut at = from.offset;
        while at < end {
            let cell = match self.cell_covering(from.object, at) {
                Some((start, cell)) if start == at && end_of(at, cell.size) <= end => Some(cell),
                None if self.object(from.object).contents != Contents::Zeros => None,
                Some(_) | None => {
                    let byte = self.read_byte(terms, from.object, at)?;
                    Some(Cell { size: 1, value: CellValue::Term(byte) })
                }
            };
            moved.extend(cell.map(|cell| (to.offset + (at - from.offset), cell)));
            at = end_of(at, cell.map_or(1, |cell| cell.size));
        }
        let open = self.object(from.object).open.range(from.offset..end);
        let open: Vec<i64> = open.map(|&byte| to.offset + (byte - from.offset)).collect();
        self.clear(terms, to.object, to.offset, len);
        self.object_mut(to.object).open.extend(open);
        self.object_mut(to.object).cells.extend(moved);
        Ok(())
    }
}

/// The offset behind so many bytes.
pub(crate) fn end_of(offset: i64, size: u64) -> i64 {
    offset.saturating_add_unsigned(size)
}

fn value_from_bits(terms: &mut Terms, bits: TermId, ty: Ty) -> SymValue {
    if ty == Ty::Ptr {
        return SymValue::Ptr(SymPtr::Number(terms.bv_zero_extend(64, bits)));
    }
    SymValue::Term(cells::from_bits(terms, bits, ty))
}

/// `a[3].x` for elements of pointed-to memory, `g.x` for others.
fn leaf_name(object: &Object, index: i64, path: &str) -> String {
    match object.kind {
        ObjectKind::Input { .. } => format!("{}[{index}]{path}", object.name),
        ObjectKind::Instance { .. } => {
            format!("{}{}", object.name, path.strip_prefix(".elements").unwrap_or(path))
        }
        ObjectKind::Global(_)
        | ObjectKind::Local(..)
        | ObjectKind::Stack
        | ObjectKind::Heap
        | ObjectKind::VarArgs
        | ObjectKind::Stream => format!("{}{path}", object.name),
    }
}
