//! Byte memory: objects, addresses, initialization.
//!
//! Every object has its own address space ([`crate::address`]), so an address identifies object and offset even
//! when it is out of bounds, and two objects are never adjacent. The numeric value of an address means
//! nothing else; programs that depend on it have unspecified behavior.

use std::collections::VecDeque;
use std::ops::Range;

use glassbox_ir::{CheckKind, FuncId, GlobalId, LocalId, PointerSize, Span};

use crate::address::Spaces;

/// A pointer value: 0 is null.
pub type Address = u64;

/// How many stores are remembered at most.
const MAX_STORES: usize = 1024;

/// How many dead locals keep their identity before it is reused: long enough to notice practically
/// every use after scope, short enough that deep recursion and long loops run in bounded memory.
const QUARANTINE: usize = 4096;

/// The same for freed blocks, whose pointers tend to live longer.
const HEAP_QUARANTINE: usize = 1 << 18;

/// Both where addresses are small.
const SMALL_QUARANTINE: usize = 1024;

/// Dead objects up to this size keep their bytes, to be used again without asking the host.
const KEPT_BYTES: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(u32);

impl ObjectId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an object is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    Global(GlobalId),
    Local(FuncId, LocalId),
    /// A variable-length array or `alloca`.
    Stack(FuncId),
    Heap,
    Function(FuncId),
    /// The variable arguments of one call.
    VarArgs,
    /// Part of the input of the run.
    Input,
    /// The library's own, such as a `FILE`.
    Library,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectState {
    Live,
    Freed(Span),
    OutOfScope,
}

/// A piece of memory.
#[derive(Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub state: ObjectState,
    pub is_const: bool,
    /// Where it was allocated or declared.
    pub origin: Span,
    size: u64,
    bytes: Vec<u8>,
    // Which bits of each byte have been written; `None` when all have.
    written: Option<Vec<u8>>,
}

impl Clone for Object {
    fn clone(&self) -> Object {
        Object { bytes: self.bytes.clone(), written: self.written.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Object) {
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut written = self.written.take();
        bytes.clone_from(&source.bytes);
        written.clone_from(&source.written);
        *self = Object { bytes, written, ..*source };
    }
}

impl Object {
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes; indeterminate ones are zero here.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether every bit of these bytes has been written.
    pub fn is_written(&self, offset: usize, len: usize) -> bool {
        match &self.written {
            None => true,
            Some(mask) => mask[offset..offset + len].iter().all(|&bits| bits == 0xff),
        }
    }

    fn set_written(&mut self, offset: usize, len: usize) {
        if let Some(mask) = &mut self.written {
            if len == mask.len() {
                self.written = None;
            } else {
                mask[offset..offset + len].fill(0xff);
            }
        }
    }
}

/// Why an access is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryError {
    pub kind: CheckKind,
    /// The object concerned, if the address has one.
    pub object: Option<ObjectId>,
    pub offset: i64,
    pub len: u64,
}

/// All objects of one run.
#[derive(Debug)]
pub struct Memory {
    objects: Vec<Object>,
    dead_locals: VecDeque<ObjectId>,
    freed_blocks: VecDeque<ObjectId>,
    live_bytes: u64,
    max_bytes: u64,
    stores: Vec<Store>,
    /// How many stores are remembered.
    max_stores: usize,
    spaces: Spaces,
}

/// Bytes of an object that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    pub object: ObjectId,
    pub bytes: Range<u64>,
}

/// Every run begins with a copy of the same memory, so copies use again what the last run left.
impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory {
            objects: self.objects.clone(),
            dead_locals: self.dead_locals.clone(),
            freed_blocks: self.freed_blocks.clone(),
            stores: self.stores.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Memory) {
        let mut objects = std::mem::take(&mut self.objects);
        let mut dead_locals = std::mem::take(&mut self.dead_locals);
        let mut freed_blocks = std::mem::take(&mut self.freed_blocks);
        objects.clone_from(&source.objects);
        dead_locals.clone_from(&source.dead_locals);
        freed_blocks.clone_from(&source.freed_blocks);
        let mut stores = std::mem::take(&mut self.stores);
        stores.clone_from(&source.stores);
        *self = Memory { objects, dead_locals, freed_blocks, stores, ..*source };
    }
}

impl Memory {
    /// Memory that refuses to hold more than `max_bytes` at a time.
    pub(crate) fn new(max_bytes: u64, spaces: Spaces) -> Memory {
        // Object 0 is never used: its addresses are null and small integers.
        let nothing = Object {
            kind: ObjectKind::Input,
            state: ObjectState::OutOfScope,
            is_const: true,
            origin: Span::nowhere(),
            size: 0,
            bytes: Vec::new(),
            written: None,
        };
        Memory {
            objects: vec![nothing],
            dead_locals: VecDeque::new(),
            freed_blocks: VecDeque::new(),
            live_bytes: 0,
            max_bytes,
            stores: Vec::new(),
            max_stores: 0,
            spaces,
        }
    }

    /// What pointers take in it.
    pub fn pointers(&self) -> PointerSize {
        self.spaces.pointers
    }

    /// The pointer that is stored at an address.
    pub fn load_pointer(&self, address: Address) -> Result<Address, MemoryError> {
        self.load(address, self.spaces.pointers.bytes() as u32)
    }

    pub fn store_pointer(&mut self, address: Address, value: Address) -> Result<(), MemoryError> {
        self.store(address, self.spaces.pointers.bytes() as u32, value)
    }

    /// The id of an object that `locate` found.
    pub fn id_at(&self, index: usize) -> ObjectId {
        ObjectId(u32::try_from(index).expect("objects have 32-bit ids"))
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.index()]
    }

    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (1u32..).zip(self.objects.iter().skip(1)).map(|(id, object)| (ObjectId(id), object))
    }

    /// A new object with indeterminate contents; `None` when memory is exhausted.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, origin: Span) -> Option<ObjectId> {
        if size > self.spaces.max_object_size()
            || self.live_bytes.saturating_add(size) > self.max_bytes
        {
            return None;
        }
        let len = usize::try_from(size).ok()?;
        self.live_bytes += size;
        if let Some(id) = self.leave_quarantine(kind) {
            let object = &mut self.objects[id.index()];
            let mut bytes = std::mem::take(&mut object.bytes);
            let mut written = object.written.take().unwrap_or_default();
            bytes.clear();
            bytes.resize(len, 0);
            written.clear();
            written.resize(len, 0);
            *object = Object {
                kind,
                state: ObjectState::Live,
                is_const: false,
                origin,
                size,
                bytes,
                written: (len > 0).then_some(written),
            };
            return Some(id);
        }
        if self.objects.len() >= self.spaces.max_objects() {
            return None;
        }
        let id = ObjectId(u32::try_from(self.objects.len()).ok()?);
        self.objects.push(Object {
            kind,
            state: ObjectState::Live,
            is_const: false,
            origin,
            size,
            bytes: vec![0; len],
            written: (len > 0).then(|| vec![0; len]),
        });
        Some(id)
    }

    /// An identity that has been dead for long enough to be used again.
    fn leave_quarantine(&mut self, kind: ObjectKind) -> Option<ObjectId> {
        let (dead, limit) = self.quarantine(kind)?;
        if dead.len() > limit { dead.pop_front() } else { None }
    }

    /// Where the identities of dead objects of a kind wait, and how many at most.
    fn quarantine(&mut self, kind: ObjectKind) -> Option<(&mut VecDeque<ObjectId>, usize)> {
        let most = match self.spaces.pointers {
            PointerSize::Four => SMALL_QUARANTINE,
            PointerSize::Eight => usize::MAX,
        };
        match kind {
            ObjectKind::Local(..) | ObjectKind::Stack(_) | ObjectKind::VarArgs => {
                Some((&mut self.dead_locals, QUARANTINE.min(most)))
            }
            ObjectKind::Heap => Some((&mut self.freed_blocks, HEAP_QUARANTINE.min(most))),
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Input
            | ObjectKind::Library => None,
        }
    }

    /// A new object that holds these bytes.
    pub fn allocate_bytes(
        &mut self,
        kind: ObjectKind,
        bytes: Vec<u8>,
        origin: Span,
    ) -> Option<ObjectId> {
        let id = self.allocate(kind, bytes.len() as u64, origin)?;
        let object = self.object_mut(id);
        object.bytes = bytes;
        object.written = None;
        Some(id)
    }

    /// Marks all contents as determinate (zeros where nothing was written).
    pub fn mark_initialized(&mut self, id: ObjectId) {
        self.object_mut(id).written = None;
    }

    /// Ends the object's life. Its identity stays known, so that later uses can be explained.
    pub fn release(&mut self, id: ObjectId, state: ObjectState) {
        let object = &mut self.objects[id.index()];
        if object.state != ObjectState::Live {
            return;
        }
        object.state = state;
        self.live_bytes -= object.size;
        if object.bytes.capacity() > KEPT_BYTES || object.kind == ObjectKind::Heap {
            object.bytes = Vec::new();
            object.written = None;
        }
        let kind = object.kind;
        if let Some((dead, _)) = self.quarantine(kind) {
            dead.push_back(id);
        }
    }

    pub fn address_of(&self, id: ObjectId, offset: u64) -> Address {
        self.spaces.address(u64::from(id.0), offset)
    }

    /// The object that an address names and the offset in it; null and stray integers have none.
    pub fn resolve(&self, address: Address) -> Option<(ObjectId, i64)> {
        let (index, offset) = self.spaces.split(address);
        if index == 0 || index >= self.objects.len() {
            return None;
        }
        Some((ObjectId(u32::try_from(index).ok()?), offset.cast_signed()))
    }

    /// A pointer so many bytes further. An index may be so large that the sum is in another object's space; it does
    /// not become the address of that object but stays outside its own.
    #[inline]
    pub fn further(&self, base: Address, offset: u64) -> Address {
        let sum = base.wrapping_add(offset);
        if self.spaces.is_same_space(base, sum) { sum } else { self.outside(base, offset) }
    }

    #[cold]
    fn outside(&self, base: Address, offset: u64) -> Address {
        if self.resolve(base).is_none() {
            // A number that is no address of an object.
            return self.spaces.pointers.wrap(base.wrapping_add(offset));
        }
        self.spaces.outside(base, offset.cast_signed() < 0)
    }

    /// The live object and in-bounds offset for `len` bytes at `address`.
    #[inline]
    pub fn locate(&self, address: Address, len: u64) -> Result<(usize, usize), MemoryError> {
        let (index, offset) = self.spaces.split(address);
        if index != 0
            && let Some(object) = self.objects.get(index)
            && object.state == ObjectState::Live
            && offset <= object.size
            && len <= object.size - offset
            && !matches!(object.kind, ObjectKind::Function(_))
        {
            return Ok((index, offset as usize));
        }
        Err(self.explain(address, len))
    }

    #[cold]
    fn explain(&self, address: Address, len: u64) -> MemoryError {
        let Some((id, offset)) = self.resolve(address) else {
            // Addresses near null come from null plus a member's offset.
            let last = self.spaces.pointers.wrap(u64::MAX);
            let is_null = !(0x1_0000..=last - 0x1_0000).contains(&address);
            let kind = if is_null { CheckKind::NullDereference } else { CheckKind::BadPointer };
            return MemoryError { kind, object: None, offset: address.cast_signed(), len };
        };
        let kind = match (self.object(id).state, self.object(id).kind) {
            (ObjectState::Freed(_), _) => CheckKind::UseAfterFree,
            (ObjectState::OutOfScope, _) => CheckKind::UseAfterScope,
            (ObjectState::Live, ObjectKind::Function(_)) => CheckKind::BadPointer,
            (ObjectState::Live, _) => CheckKind::OutOfBounds,
        };
        MemoryError { kind, object: Some(id), offset, len }
    }

    /// Bytes that may be read: live, in bounds and written.
    pub fn read(&self, address: Address, len: u64) -> Result<&[u8], MemoryError> {
        let (index, offset) = self.locate(address, len)?;
        let object = &self.objects[index];
        let len = len as usize;
        if !object.is_written(offset, len) {
            return Err(self.uninitialized(address, len));
        }
        Ok(&object.bytes[offset..offset + len])
    }

    #[cold]
    fn uninitialized(&self, address: Address, len: usize) -> MemoryError {
        let (id, offset) = self.resolve(address).expect("located before");
        MemoryError { kind: CheckKind::Uninitialized, object: Some(id), offset, len: len as u64 }
    }

    /// Whether `len` bytes may be written at `address`.
    pub fn check_write(&self, address: Address, len: u64) -> Result<(), MemoryError> {
        let (index, offset) = self.locate(address, len)?;
        if self.objects[index].is_const && len > 0 {
            return Err(MemoryError {
                kind: CheckKind::WriteToConstant,
                object: self.resolve(address).map(|(id, _)| id),
                offset: offset as i64,
                len,
            });
        }
        Ok(())
    }

    pub fn write(&mut self, address: Address, bytes: &[u8]) -> Result<(), MemoryError> {
        self.check_write(address, bytes.len() as u64)?;
        self.note_store(address, bytes.len() as u64);
        self.write_unchecked_const(address, bytes)
    }

    /// From now on, stores into globals and inputs are remembered, the first of them.
    pub fn remember_stores(&mut self) {
        self.stores.clear();
        self.max_stores = MAX_STORES;
    }

    /// What was written since then.
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }

    fn note_store(&mut self, address: Address, len: u64) {
        if self.stores.len() >= self.max_stores {
            return;
        }
        let Some((object, start)) = self.resolve(address) else { return };
        let is_lasting =
            matches!(self.object(object).kind, ObjectKind::Global(_) | ObjectKind::Input);
        let Ok(start) = u64::try_from(start) else { return };
        let store = Store { object, bytes: start..start + len };
        // A variable that counts is written again and again.
        if is_lasting && !self.stores.iter().rev().take(4).any(|last| *last == store) {
            self.stores.push(store);
        }
    }

    /// Writes even to constant objects: for initialization.
    pub fn write_unchecked_const(
        &mut self,
        address: Address,
        bytes: &[u8],
    ) -> Result<(), MemoryError> {
        let (index, offset) = self.locate(address, bytes.len() as u64)?;
        let object = &mut self.objects[index];
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        object.set_written(offset, bytes.len());
        Ok(())
    }

    /// A little-endian integer of 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn load(&self, address: Address, size: u32) -> Result<u64, MemoryError> {
        let bytes = self.read(address, u64::from(size))?;
        Ok(match *bytes {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        })
    }

    #[inline]
    pub fn store(&mut self, address: Address, size: u32, value: u64) -> Result<(), MemoryError> {
        let bytes = value.to_le_bytes();
        self.write(address, &bytes[..size as usize])
    }

    /// Reads `width` bits from bit `start` of the byte at `address`.
    pub fn load_bits(&self, address: Address, start: u8, width: u8) -> Result<u64, MemoryError> {
        let len = (usize::from(start) + usize::from(width)).div_ceil(8);
        let (index, offset) = self.locate(address, len as u64)?;
        let object = &self.objects[index];
        let mut value = 0u64;
        for bit in 0..u32::from(width) {
            let position = u32::from(start) + bit;
            let byte = offset + (position / 8) as usize;
            if let Some(mask) = &object.written
                && mask[byte] >> (position % 8) & 1 == 0
            {
                return Err(self.uninitialized(address, len));
            }
            value |= u64::from(object.bytes[byte] >> (position % 8) & 1) << bit;
        }
        Ok(value)
    }

    pub fn store_bits(
        &mut self,
        address: Address,
        start: u8,
        width: u8,
        value: u64,
    ) -> Result<(), MemoryError> {
        let len = (usize::from(start) + usize::from(width)).div_ceil(8);
        self.check_write(address, len as u64)?;
        self.note_store(address, len as u64);
        let (index, offset) = self.locate(address, len as u64)?;
        let object = &mut self.objects[index];
        for bit in 0..u32::from(width) {
            let position = u32::from(start) + bit;
            let byte = offset + (position / 8) as usize;
            let mask = 1u8 << (position % 8);
            if value >> bit & 1 == 1 {
                object.bytes[byte] |= mask;
            } else {
                object.bytes[byte] &= !mask;
            }
            if let Some(written) = &mut object.written {
                written[byte] |= mask;
            }
        }
        Ok(())
    }

    /// Copies bytes together with what is known of their initialization.
    pub fn copy(&mut self, dst: Address, src: Address, len: u64) -> Result<(), MemoryError> {
        if len == 0 {
            return Ok(());
        }
        self.check_write(dst, len)?;
        self.note_store(dst, len);
        let (src_index, src_offset) = self.locate(src, len)?;
        let (dst_index, dst_offset) = self.locate(dst, len)?;
        let len = len as usize;
        let source = &self.objects[src_index];
        let bytes = source.bytes[src_offset..src_offset + len].to_vec();
        let written =
            source.written.as_ref().map(|mask| mask[src_offset..src_offset + len].to_vec());
        let target = &mut self.objects[dst_index];
        target.bytes[dst_offset..dst_offset + len].copy_from_slice(&bytes);
        match written {
            None => target.set_written(dst_offset, len),
            Some(bits) => {
                let n_bytes = target.bytes.len();
                let mask = target.written.get_or_insert_with(|| vec![0xff; n_bytes]);
                mask[dst_offset..dst_offset + len].copy_from_slice(&bits);
            }
        }
        Ok(())
    }

    pub fn fill(&mut self, dst: Address, byte: u8, len: u64) -> Result<(), MemoryError> {
        if len == 0 {
            return Ok(());
        }
        self.check_write(dst, len)?;
        self.note_store(dst, len);
        let (index, offset) = self.locate(dst, len)?;
        let object = &mut self.objects[index];
        object.bytes[offset..offset + len as usize].fill(byte);
        object.set_written(offset, len as usize);
        Ok(())
    }

    /// The bytes of a NUL-terminated string, without the NUL.
    pub fn read_c_string(&self, address: Address) -> Result<Vec<u8>, MemoryError> {
        let mut bytes = Vec::new();
        let mut at = address;
        loop {
            let byte = self.read(at, 1)?[0];
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte);
            at = at.wrapping_add(1);
        }
    }
}
