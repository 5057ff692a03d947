//! Reading more than a byte of a stream at a time: lines and blocks. Each byte is one of the stream like those of
//! `fgetc`, and the path knows where the stream ends.

use glassbox_ir::{CheckKind, PointerSize, Ty};
use glassbox_terms::TermId;
use glassbox_testcase::{Assumption, UnmodeledInput};

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::memory::ObjectKind;
use crate::value::{SymPtr, SymValue};

/// Bytes that `getline` allocates; no line of a stream is longer here.
const LINE_ROOM: u64 = 120;

impl Executor<'_> {
    /// Writes a scalar `distance` bytes after where a pointer points.
    pub(crate) fn write_after(
        &mut self,
        pointer: SymValue,
        distance: u64,
        size: u64,
        value: SymValue,
    ) -> Result<(), Stop> {
        let pointer = match pointer {
            SymValue::Ptr(pointer) => pointer,
            SymValue::Term(term) => SymPtr::Number(term),
        };
        let (object, offset) = self.target_of(pointer)?;
        let distance = self.terms.bv_u(distance.into(), 64);
        let place = self.terms.bv_add(offset, distance);
        let n_bytes = self.terms.bv_u(size.into(), 64);
        let inside = self.in_bounds(object, place, n_bytes);
        self.require(inside, CheckKind::OutOfBounds)?;
        if self.memory.object(object).is_const {
            return self.failed(CheckKind::WriteToConstant);
        }
        let place = self.fix_offset(place)?;
        self.store_at(object, place, size, value)
    }

    fn write_byte(&mut self, to: SymValue, at: u64, byte: TermId) -> Result<(), Stop> {
        self.write_after(to, at, 1, SymValue::Term(byte))
    }

    fn number(&mut self, value: Option<&SymValue>) -> Result<u64, Stop> {
        match value {
            Some(SymValue::Term(term)) => self.fix_value(*term),
            Some(SymValue::Ptr(_)) | None => self.unsupported("a pointer as a number"),
        }
    }

    fn destination(&self, args: &[SymValue], position: usize) -> Result<SymValue, Stop> {
        match args.get(position) {
            Some(&value) => Ok(value),
            None => self.unsupported("a call with too few arguments"),
        }
    }

    /// Bytes up to `limit` or a newline, which is the last one if it is there.
    fn line(&mut self, limit: u64) -> Result<(Vec<TermId>, bool), Stop> {
        let mut bytes = Vec::new();
        let newline = self.terms.bv_u(b'\n'.into(), 8);
        while (bytes.len() as u64) < limit {
            let Some(byte) = self.next_byte()? else { break };
            bytes.push(byte);
            let is_last = self.terms.eq(byte, newline);
            let goes_on = self.terms.not(is_last);
            if self.choose(ChoiceKind::Read, &[way(is_last), way(goes_on)])? == 0 {
                return Ok((bytes, true));
            }
        }
        Ok((bytes, false))
    }

    pub(crate) fn fgets(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        let to = self.destination(args, 0)?;
        let room = self.number(args.get(1))?;
        // The size is an `int`: negative ones are large here.
        if room == 0 || room > i32::MAX.unsigned_abs().into() {
            return Ok(SymValue::Ptr(self.null()));
        }
        let (bytes, _) = self.line(room - 1)?;
        if bytes.is_empty() && room > 1 {
            return Ok(SymValue::Ptr(self.null()));
        }
        self.write_line(to, &bytes)?;
        Ok(to)
    }

    fn write_line(&mut self, to: SymValue, bytes: &[TermId]) -> Result<(), Stop> {
        for (at, &byte) in (0..).zip(bytes) {
            self.write_byte(to, at, byte)?;
        }
        let zero = self.terms.bv_u(0, 8);
        self.write_byte(to, bytes.len() as u64, zero)
    }

    pub(crate) fn gets(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        let to = self.destination(args, 0)?;
        let (mut bytes, is_ended) = self.line(u64::MAX)?;
        if bytes.is_empty() {
            return Ok(SymValue::Ptr(self.null()));
        }
        if is_ended {
            bytes.pop();
        }
        self.write_line(to, &bytes)?;
        Ok(to)
    }

    /// Up to `limit` bytes; how many there were. There has to be room for all that is asked for (C11 7.1.4p1).
    fn block(&mut self, to: SymValue, limit: u64) -> Result<u64, Stop> {
        if limit > 0 {
            let pointer = match to {
                SymValue::Ptr(pointer) => pointer,
                SymValue::Term(term) => SymPtr::Number(term),
            };
            let (object, offset) = self.target_of(pointer)?;
            let n_bytes = self.terms.bv_u(limit.into(), 64);
            let inside = self.in_bounds(object, offset, n_bytes);
            self.require(inside, CheckKind::OutOfBounds)?;
        }
        let mut n_read = 0;
        while n_read < limit {
            let Some(byte) = self.next_byte()? else { break };
            self.write_byte(to, n_read, byte)?;
            n_read += 1;
        }
        Ok(n_read)
    }

    pub(crate) fn fread(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        let to = self.destination(args, 0)?;
        let (size, count) = (self.number(args.get(1))?, self.number(args.get(2))?);
        let limit = size.checked_mul(count).unwrap_or(0);
        let n_read = self.block(to, limit)?;
        let n_elements = n_read.checked_div(size).unwrap_or(0);
        Ok(SymValue::Term(self.terms.bv_u(n_elements.into(), 64)))
    }

    /// `read` on descriptor 0.
    pub(crate) fn read_descriptor(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::PartialReads));
        if self.number(args.first())? != 0 {
            return self.unsupported("`read` on a descriptor other than 0");
        }
        let to = self.destination(args, 1)?;
        let limit = self.number(args.get(2))?;
        let n_read = self.block(to, limit)?;
        Ok(SymValue::Term(self.terms.bv_u(n_read.into(), 64)))
    }

    pub(crate) fn getline(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        if self.program.pointers == PointerSize::Four {
            return self.unsupported("`getline` where pointers have four bytes");
        }
        let (line_at, size_at) = (self.destination(args, 0)?, self.destination(args, 1)?);
        let (bytes, _) = self.line(LINE_ROOM - 2)?;
        let old = self.read_after(line_at, Ty::Ptr)?;
        let is_null = matches!(old, SymValue::Ptr(SymPtr::Number(term))
            if self.known(term) == Some(0));
        let to = if is_null {
            self.inputs.note_bound(Assumption::AllocationSucceeds);
            let room = self.terms.bv_u(LINE_ROOM.into(), 64);
            let object = self.sized_object(ObjectKind::Heap, "line", room);
            let pointer = SymValue::Ptr(self.start_of(object));
            self.write_after(line_at, 0, 8, pointer)?;
            self.write_after(size_at, 0, 8, SymValue::Term(room))?;
            pointer
        } else if bytes.is_empty() {
            old
        } else {
            let room = self.read_after(size_at, Ty::Int(64))?;
            let room = self.number(Some(&room))?;
            if room <= bytes.len() as u64 {
                return self.unsupported("`getline` into a buffer that is too small");
            }
            old
        };
        // There may be nothing to read: glibc has made room all the same.
        if bytes.is_empty() {
            return Ok(SymValue::Term(self.terms.bv_s(-1, 64)));
        }
        self.write_line(to, &bytes)?;
        Ok(SymValue::Term(self.terms.bv_u(bytes.len() as u128, 64)))
    }

    fn read_after(&mut self, pointer: SymValue, ty: Ty) -> Result<SymValue, Stop> {
        let SymValue::Ptr(pointer) = pointer else {
            return self.unsupported("a number as a pointer");
        };
        let (object, offset) = self.target_of(pointer)?;
        let offset = self.fix_offset(offset)?;
        self.load_at(ty, object, offset)
    }
}
