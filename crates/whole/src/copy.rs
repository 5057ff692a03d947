//! Copies and fills of memory, scalar by scalar.
//!
//! The scalars are those of the declared type on either side, the elements of an array, or what is known to be in
//! the source. Bytes between them (padding, unions, halves of scalars) are unknown afterwards. **Not followed**:
//! lengths that are not constant, structures at symbolic places of an object, more than 64 scalars.

use glassbox_ir::{PointerSize, SourceTypeId, Ty};
use glassbox_memory::layout::touched;
use glassbox_terms::{Sort, TermId};
use glassbox_values::{Bits, Float, Format};

use super::build::Builder;
use super::join::kind_of;
use super::lessons::CellKind;
use super::memory::{Cell, Content, Object, Ptr, Shape, State, Val};
use super::typed::Typed;

/// Scalars in one copy.
const MAX_PIECES: usize = 64;

/// A scalar of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// From where the copy begins.
    offset: u64,
    ty: Ty,
}

impl Builder<'_> {
    pub(super) fn mem_copy(&mut self, dst: Ptr, src: Ptr, len: TermId) {
        let length = self.constant(len);
        if length == Some(0) || self.copy_array(dst, src, length) {
            return;
        }
        let pieces = length.and_then(|length| self.pieces(Some(src), dst, length));
        let (Some(length), Some(pieces)) = (length, pieces) else {
            // Pointers in the source are in the target too.
            self.expose(src);
            return self.forget_target(dst);
        };
        let mut values = Vec::new();
        for piece in &pieces {
            let at = self.at_offset(src, piece.offset);
            let choices = self.choices(at);
            let size = piece.ty.size(self.program.pointers);
            let mut is_written = true;
            for choice in choices {
                is_written &= choice.is_null || self.is_set(choice.ptr, size);
            }
            values.push((self.load(at, piece.ty), is_written));
        }
        let gaps = gaps(&pieces, length, self.program.pointers);
        if !gaps.is_empty() {
            // Pointers between the pieces are lost from sight.
            self.expose(src);
        }
        self.blur(dst, &pieces, &gaps, length);
        for (piece, (value, is_written)) in pieces.iter().zip(values) {
            let at = self.at_offset(dst, piece.offset);
            self.store(at, value, piece.ty);
            if !is_written {
                // What was never set may be copied, and is as little set as before.
                for choice in self.choices(at) {
                    self.unset(choice.ptr);
                }
            }
        }
    }

    /// Copies a whole array into another of the same size.
    fn copy_array(&mut self, dst: Ptr, src: Ptr, length: Option<u64>) -> bool {
        let (Ptr::Object { object: to, offset: d }, Ptr::Object { object: from, offset: s }) =
            (dst, src)
        else {
            return false;
        };
        let shape = self.lessons.known.shape(to);
        let fits = matches!(shape, Shape::Array { .. })
            && shape == self.lessons.known.shape(from)
            && self.constant(d) == Some(0)
            && self.constant(s) == Some(0)
            && length.is_some()
            && length == self.object_size(to)
            && length <= self.object_size(from);
        if !fits {
            return false;
        }
        let (Some(source), Some(_)) = (self.state(from), self.state(to)) else { return false };
        let array = self.array_of(from, Some(&source));
        self.touch(to);
        let content = match source.content {
            Content::Uninitialized => Content::Uninitialized,
            // The rest of the source may not be what the array says.
            Content::Initial | Content::Zeros if self.object_size(from) == length => Content::Zeros,
            Content::Initial | Content::Zeros | Content::Unknown => Content::Unknown,
        };
        let state = State { array: Some(array), ..State::new(content) };
        self.memory.objects.insert(to, state);
        if source.array.is_none() {
            let source = State { array: Some(array), ..source };
            self.memory.objects.insert(from, source);
        }
        true
    }

    /// Fills with one byte.
    pub(super) fn mem_set(&mut self, ptr: Ptr, byte: TermId, len: TermId) {
        let (value, length) = (self.constant(byte), self.constant(len));
        if length == Some(0) {
            return;
        }
        if value == Some(0)
            && let Some(object) = self.whole_object(ptr, len)
        {
            self.touch(object);
            self.forget_object(object);
            self.memory.objects.insert(object, State::new(Content::Zeros));
            return;
        }
        let (Some(value), Some(length)) = (value, length) else { return self.forget_target(ptr) };
        let Some(mut pieces) = self.pieces(None, ptr, length) else {
            return self.forget_target(ptr);
        };
        let byte = u8::try_from(value & 0xff).expect("eight bits");
        pieces.retain(|piece| byte == 0 || matches!(piece.ty, Ty::Int(_)));
        let gaps = gaps(&pieces, length, self.program.pointers);
        self.blur(ptr, &pieces, &gaps, length);
        for piece in pieces {
            let bytes =
                vec![byte; usize::try_from(piece.ty.size(self.program.pointers)).unwrap_or(0)];
            let bits = Bits::from_le_bytes(&bytes);
            let value = self.value_of_bits(bits, piece.ty);
            let at = self.at_offset(ptr, piece.offset);
            self.store(at, value, piece.ty);
        }
    }

    /// The object that so many bytes are all of.
    fn whole_object(&mut self, ptr: Ptr, len: TermId) -> Option<Object> {
        let (Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. }) = ptr else {
            return None;
        };
        let is_start = self.constant(offset) == Some(0) && self.state(object).is_some();
        let length = self.constant(len);
        let is_all = self.allocated.get(&object).is_some_and(|known| known.size == len)
            || length.is_some() && length == self.object_size(object);
        (is_start && is_all).then_some(object)
    }

    /// Constant bits as a value; pointers are null.
    pub(super) fn value_of_bits(&mut self, bits: Bits, ty: Ty) -> Val {
        match ty {
            Ty::Int(_) => Val::Term(self.terms().bv_const(bits)),
            Ty::Float(format) => {
                let bits = u64::try_from(bits.unsigned()).unwrap_or(0);
                Val::Term(self.terms().float_const(Float::from_bits(bits, format)))
            }
            Ty::Ptr => Val::Ptr(Ptr::Number(self.terms().bv_const(bits))),
        }
    }

    fn at_offset(&mut self, ptr: Ptr, offset: u64) -> Ptr {
        if offset == 0 {
            return ptr;
        }
        let offset = self.terms().bv_u(offset.into(), 64);
        self.pointer_add(ptr, offset)
    }

    /// The scalars that a copy or a fill of so many bytes is made of.
    fn pieces(&mut self, src: Option<Ptr>, dst: Ptr, length: u64) -> Option<Vec<Piece>> {
        let (mut sides, mut types) = (Vec::new(), Vec::new());
        for ptr in src.into_iter().chain([dst]) {
            for choice in self.choices(ptr) {
                match choice.ptr {
                    _ if choice.is_null => {}
                    Ptr::Object { object, offset } => {
                        sides.push((object, offset));
                        if let (Some(ty), Some(at)) =
                            (self.kept_type(object), self.constant(offset))
                        {
                            types.push((ty, at));
                        }
                    }
                    Ptr::Number(address) => {
                        if let Some(typed) = self.typed(address).filter(Typed::keeps_type) {
                            types.push((typed.ty, typed.offset));
                        }
                    }
                    Ptr::Func(_) | Ptr::Fresh { .. } | Ptr::OneOf { .. } => return None,
                }
            }
        }
        let mut elements = None;
        for &(object, offset) in &sides {
            match self.lessons.known.shape(object) {
                Shape::Opaque => return None,
                Shape::Cells => {
                    self.constant(offset)?;
                }
                Shape::Array { size, is_float } => {
                    let ty = scalar(size, is_float)?;
                    if elements.is_some_and(|known| known != ty) || !self.is_multiple(offset, size)
                    {
                        return None;
                    }
                    elements = Some(ty);
                }
            }
        }
        if let Some(ty) = elements {
            let size = ty.size(self.program.pointers);
            let n_elements = usize::try_from(length / size).ok()?;
            let fits = length.is_multiple_of(size) && n_elements <= MAX_PIECES;
            let pieces = (0..length).step_by(usize::try_from(size).ok()?);
            return fits.then(|| pieces.map(|offset| Piece { offset, ty }).collect());
        }
        for (ty, at) in types {
            if let Some(parts) = touched(self.program, ty, at, length, 2 * MAX_PIECES) {
                let inside = |offset: u64, ty: Ty| {
                    at <= offset
                        && offset.saturating_add(ty.size(self.program.pointers))
                            <= at.saturating_add(length)
                };
                let pieces: Vec<Piece> = parts
                    .iter()
                    .filter_map(|part| Some((part.offset, part.scalar?)))
                    .filter(|&(offset, ty)| inside(offset, ty))
                    .map(|(offset, ty)| Piece { offset: offset - at, ty })
                    .collect();
                return (pieces.len() <= MAX_PIECES)
                    .then(|| self.with_known(&sides, pieces, length));
            }
        }
        if let Some(src) = src
            && matches!(length, 1 | 2 | 4 | 8)
        {
            return Some(vec![Piece { offset: 0, ty: self.scalar_at(src, length) }]);
        }
        if sides.is_empty() {
            return None;
        }
        Some(self.with_known(&sides, Vec::new(), length))
    }

    /// Adds the scalars that are known to be there and that no piece overlaps.
    fn with_known(
        &mut self,
        sides: &[(Object, TermId)],
        mut pieces: Vec<Piece>,
        length: u64,
    ) -> Vec<Piece> {
        for &(object, offset) in sides {
            let (Some(state), Some(start)) = (self.state(object), self.constant(offset)) else {
                continue;
            };
            for (&at, cell) in &state.cells {
                let Some(offset) = at.checked_sub(start) else { continue };
                let end = offset.saturating_add(cell.size);
                let is_free = pieces.iter().all(|piece| {
                    piece.offset + piece.ty.size(self.program.pointers) <= offset
                        || end <= piece.offset
                });
                let kind = kind_of(&self.graph.terms, cell.value);
                let ty = match kind {
                    CellKind::Pointer => Some(Ty::Ptr),
                    CellKind::Float => scalar(cell.size, true),
                    CellKind::Int => scalar(cell.size, false),
                };
                if let (Some(ty), true) = (ty, is_free && end <= length) {
                    pieces.push(Piece { offset, ty });
                }
            }
        }
        pieces.sort_by_key(|piece| piece.offset);
        pieces.truncate(MAX_PIECES);
        pieces
    }

    /// The declared type of an object.
    pub(super) fn type_of(&self, object: Object) -> Option<SourceTypeId> {
        match object {
            Object::Global(global) => Some(self.program.global(global).source_type),
            Object::Local(..) | Object::Record(_) => {
                self.declared.get(&object).map(|declared| declared.ty)
            }
            Object::Alloc(..) | Object::Beyond(_) => None,
        }
    }

    /// Makes room for pieces: what they cut through, and the bytes between them, are unknown.
    fn blur(&mut self, dst: Ptr, pieces: &[Piece], gaps: &[(u64, u64)], length: u64) {
        for choice in self.choices(dst) {
            let (object, at) = match choice.ptr {
                _ if choice.is_null => continue,
                Ptr::Object { object, offset } => match self.constant(offset) {
                    Some(at) => (object, at),
                    None => continue,
                },
                Ptr::Number(address) if !self.lessons.known.is_untyped => {
                    if !self.is_whole_copy(address, pieces, length) {
                        self.lessons.learn_untyped();
                    }
                    continue;
                }
                Ptr::Number(_) | Ptr::Func(_) | Ptr::Fresh { .. } | Ptr::OneOf { .. } => {
                    if !gaps.is_empty() {
                        self.forget_reachable();
                    }
                    continue;
                }
            };
            if self.lessons.known.shape(object) != Shape::Cells {
                continue;
            }
            let Some(mut state) = self.state(object) else { continue };
            if self.lessons.known.is_untyped {
                self.touch(object);
            } else if self.is_reachable(object) && !self.is_whole_part(object, at, pieces, length) {
                self.lessons.learn_untyped();
            }
            let end = at.saturating_add(length);
            let cut: Vec<(u64, Cell)> = state
                .cells
                .iter()
                .filter(|&(&offset, cell)| {
                    let is_piece = pieces.iter().any(|piece| {
                        piece.offset + at == offset
                            && piece.ty.size(self.program.pointers) == cell.size
                    });
                    offset < end && at < offset.saturating_add(cell.size) && !is_piece
                })
                .map(|(&offset, &cell)| (offset, cell))
                .collect();
            for (offset, cell) in cut {
                // What sticks out on either side is unknown too.
                self.escape(cell.value);
                state.cells.remove(&offset);
                if offset < at {
                    self.fill_unknown(&mut state, offset, at - offset);
                }
                let cell_end = offset.saturating_add(cell.size);
                if cell_end > end {
                    self.fill_unknown(&mut state, end, cell_end - end);
                }
            }
            for &(from, to) in gaps {
                self.fill_unknown(&mut state, at + from, to - from);
            }
            self.memory.objects.insert(object, state);
        }
    }

    /// Whether the pieces are all there is in these bytes of what a number points to.
    fn is_whole_copy(&mut self, address: TermId, pieces: &[Piece], length: u64) -> bool {
        let typed = self.typed(address).filter(Typed::keeps_type);
        typed.is_some_and(|typed| self.are_all(typed.ty, typed.offset, pieces, length))
    }

    fn is_whole_part(&self, object: Object, at: u64, pieces: &[Piece], length: u64) -> bool {
        self.kept_type(object).is_some_and(|ty| self.are_all(ty, at, pieces, length))
    }

    /// Unions and bit-fields are in no piece.
    fn are_all(&self, ty: SourceTypeId, at: u64, pieces: &[Piece], length: u64) -> bool {
        let Some(parts) = touched(self.program, ty, at, length, 2 * MAX_PIECES) else {
            return false;
        };
        parts.len() == pieces.len()
            && parts.iter().zip(pieces).all(|(part, piece)| {
                part.offset == piece.offset + at && part.scalar == Some(piece.ty)
            })
    }

    /// Unknown cells for these bytes.
    fn fill_unknown(&mut self, state: &mut State, from: u64, length: u64) {
        if length > 64 {
            // Too many for cells.
            state.content = Content::Unknown;
            state.forget(from, length);
            return;
        }
        let mut at = from;
        while at < from + length {
            let size = (from + length - at).min(8);
            let width = u8::try_from(size * 8).expect("at most eight bytes");
            let value = Val::Term(self.opaque(Sort::Bv(width)));
            state.cells.insert(at, Cell { size, value, is_written: false });
            at += size;
        }
    }

    /// The type in which a scalar is kept.
    fn scalar_at(&mut self, ptr: Ptr, size: u64) -> Ty {
        let int = Ty::Int(u8::try_from(size * 8).expect("scalars are at most 8 bytes"));
        let float = |is_float: bool| match (is_float, size) {
            (true, 4) => Ty::Float(Format::F32),
            (true, 8) => Ty::Float(Format::F64),
            _ => int,
        };
        let (Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. }) = ptr else {
            return int;
        };
        let Some(state) = self.state(object) else { return int };
        match self.lessons.known.shape(object) {
            Shape::Array { is_float, .. } => float(is_float),
            Shape::Opaque => int,
            Shape::Cells => {
                let Some(at) = self.constant(offset) else { return int };
                match state.cells.get(&at) {
                    Some(cell) if cell.size == size => {
                        match kind_of(&self.graph.terms, cell.value) {
                            CellKind::Pointer => Ty::Ptr,
                            CellKind::Float => float(true),
                            CellKind::Int => int,
                        }
                    }
                    Some(_) | None => int,
                }
            }
        }
    }
}

/// The scalar type of this size.
fn scalar(size: u64, is_float: bool) -> Option<Ty> {
    match (size, is_float) {
        (4, true) => Some(Ty::Float(Format::F32)),
        (8, true) => Some(Ty::Float(Format::F64)),
        (1 | 2 | 4 | 8, false) => Some(Ty::Int(u8::try_from(size * 8).ok()?)),
        _ => None,
    }
}

/// The bytes that no piece covers: begin and end.
fn gaps(pieces: &[Piece], length: u64, pointers: PointerSize) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut at = 0;
    for piece in pieces {
        if at < piece.offset {
            gaps.push((at, piece.offset));
        }
        at = piece.offset + piece.ty.size(pointers);
    }
    if at < length {
        gaps.push((at, length));
    }
    gaps
}
