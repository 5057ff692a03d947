//! Static objects: variables of static storage, string literals, and their initial bytes.

use glassbox_ir as ir;
use glassbox_ir::{
    Global, GlobalId, GlobalKind, Initializer, Linkage, PointerSize, Relocation, RelocationTarget,
    SourceType,
};
use glassbox_values::Signedness;
use rustc_hash::FxHashMap;

use super::ProgramLowering;
use crate::tree::{
    self, AddressBase, Constant, Init, InitItem, InitValue, Storage, StringId, Unsupported,
    VariableId, VariableRole,
};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};

/// Initialized objects above this many bytes are unsupported: nothing sensible is that large, and a
/// slip of the pen should not exhaust memory.
const MAX_INITIALIZED: u64 = 1 << 30;

impl ProgramLowering<'_> {
    /// Gives every static variable its object, then the initializers, which may point to any of them.
    pub(super) fn declare_globals(&mut self) {
        let tree = self.tree;
        let ids: Vec<VariableId> = tree
            .variable_ids()
            .filter(|&id| {
                let variable = tree.variable(id);
                variable.storage == Storage::Static && variable.is_defined
            })
            .collect();
        for &id in &ids {
            self.global_id(id);
        }
        for &id in &ids {
            let global = self.global_id(id);
            let initializer = self.initializer(id);
            self.out.globals[global.index()].initializer = initializer;
        }
        self.distrust_pointers(&ids);
    }

    /// Who reads a pointer to something unmodeled out of a static object gets at it without its name.
    fn distrust_pointers(&mut self, ids: &[VariableId]) {
        loop {
            let unmodeled = &self.unmodeled;
            let globals = unmodeled.variables.iter().filter_map(|(id, what)| {
                let global = *self.globals.get(id.0 as usize)?;
                Some((RelocationTarget::Global(global?), what))
            });
            let functions = unmodeled.functions.iter().filter_map(|(id, what)| {
                let function = *self.functions.get(id.0 as usize)?;
                Some((RelocationTarget::Func(function?), what))
            });
            let targets: FxHashMap<RelocationTarget, &Unsupported> =
                globals.chain(functions).collect();
            let found: Vec<(VariableId, Unsupported)> = ids
                .iter()
                .filter(|&id| !unmodeled.variables.contains_key(id))
                .filter_map(|&id| {
                    let global = &self.out.globals[self.globals[id.0 as usize]?.index()];
                    let relocations = &global.initializer.as_ref()?.relocations;
                    let what = relocations.iter().find_map(|r| targets.get(&r.target))?;
                    Some((id, (*what).clone()))
                })
                .collect();
            if found.is_empty() {
                return;
            }
            self.unmodeled.variables.extend(found);
        }
    }

    /// The object of a static variable; one that no unit defines gets its id when used.
    pub(super) fn global_id(&mut self, id: VariableId) -> GlobalId {
        match self.globals[id.0 as usize] {
            Some(global) => global,
            None => self.declare_global(id),
        }
    }

    fn declare_global(&mut self, id: VariableId) -> GlobalId {
        let tree = self.tree;
        let variable = tree.variable(id);
        let qualifiers = tree.types.qualifiers(variable.ty);
        let span = self.place_of(variable.span);
        let kind = match (variable.role, variable.function) {
            (VariableRole::CompoundLiteral, _) => GlobalKind::CompoundLiteral,
            (_, Some(function)) if variable.linkage == tree::Linkage::None => {
                GlobalKind::StaticLocal(self.function_id(function))
            }
            (VariableRole::Named | VariableRole::Parameter(_) | VariableRole::VlaLength, _) => {
                if self.out.is_in_model(span) {
                    GlobalKind::LibraryState
                } else {
                    GlobalKind::Variable
                }
            }
        };
        let linkage = match variable.linkage {
            tree::Linkage::External => Linkage::External,
            tree::Linkage::Internal | tree::Linkage::None => Linkage::Internal,
        };
        let global = Global {
            name: tree.name(variable.name).to_owned(),
            kind,
            linkage,
            source_type: self.declared_source_type(variable.ty, variable.span),
            size: self.static_size(id),
            align: variable.align.max(1),
            is_const: qualifiers.is_const && !qualifiers.is_volatile,
            initializer: None,
            span,
        };
        let global_id = self.add_global(global);
        self.globals[id.0 as usize] = Some(global_id);
        global_id
    }

    pub(super) fn add_global(&mut self, global: Global) -> GlobalId {
        let id = GlobalId::new(self.out.globals.len());
        self.out.globals.push(global);
        id
    }

    /// Bytes of a static object: its type's, and what an initialized flexible array member adds. An
    /// array of unknown length that is defined has one element (C11 6.9.2p5).
    fn static_size(&self, id: VariableId) -> u64 {
        let types = &self.tree.types;
        let variable = self.tree.variable(id);
        let of_element = || {
            let TypeKind::Array { element, length: ArrayLength::Unknown } =
                *types.kind(variable.ty)
            else {
                return None;
            };
            types.size_of(element).filter(|_| variable.is_defined)
        };
        let own = types.size_of(variable.ty).or_else(of_element).unwrap_or(0);
        let Some(Init::Items(items)) = &variable.init else { return own };
        items.iter().fold(own, |size, item| size.max(self.item_end(item)))
    }

    /// One past the last byte that an item sets.
    fn item_end(&self, item: &InitItem) -> u64 {
        let bytes = match (item.bits, &item.value) {
            (Some(bits), _) => (bits.bit_offset + u64::from(bits.width)).div_ceil(8),
            (None, InitValue::String(string)) => self.string_bytes(item.ty, *string),
            (None, InitValue::Expr(_) | InitValue::Constant(_) | InitValue::Unsupported(_)) => {
                self.tree.types.size_of(item.ty).unwrap_or(0)
            }
        };
        item.repeats.iter().fold(item.offset.saturating_add(bytes), |end, repeat| {
            end.saturating_add(repeat.stride.saturating_mul(repeat.count.saturating_sub(1)))
        })
    }

    fn string_bytes(&self, ty: TypeId, string: StringId) -> u64 {
        let literal = u64::try_from(self.tree.string(string).bytes.len()).unwrap_or(u64::MAX);
        self.tree.types.size_of(ty).unwrap_or(literal)
    }

    fn initializer(&mut self, id: VariableId) -> Option<Initializer> {
        let tree = self.tree;
        let variable = tree.variable(id);
        if !variable.is_defined {
            return None;
        }
        let mut image = Image { pointers: self.out.pointers, ..Image::default() };
        let size = self.static_size(id);
        if size > MAX_INITIALIZED && variable.init.is_some() {
            let what = Unsupported::Construct("an initialized object of that size");
            self.unmodeled.variables.insert(id, what);
            return Some(Initializer::default());
        }
        match &variable.init {
            None => {}
            Some(Init::Value(value)) => {
                self.place_value(&mut image, 0, variable.ty, None, value);
            }
            Some(Init::Items(items)) => {
                for item in items {
                    self.place_item(&mut image, item, &item.repeats, item.offset);
                }
            }
        }
        if let Some(what) = image.unknown.take() {
            self.unmodeled.variables.insert(id, what);
        }
        Some(image.finish(size))
    }

    fn place_item(
        &mut self,
        image: &mut Image,
        item: &InitItem,
        repeats: &[tree::Repeat],
        offset: u64,
    ) {
        match repeats.split_first() {
            None => self.place_value(image, offset, item.ty, item.bits, &item.value),
            Some((repeat, inner)) => {
                for index in 0..repeat.count {
                    let offset = offset.saturating_add(index.saturating_mul(repeat.stride));
                    self.place_item(image, item, inner, offset);
                }
            }
        }
    }

    fn place_value(
        &mut self,
        image: &mut Image,
        offset: u64,
        ty: TypeId,
        bits: Option<crate::ty::record::BitField>,
        value: &InitValue,
    ) {
        match value {
            InitValue::Constant(Constant::Int(value)) => match bits {
                Some(field) => {
                    image.set_bits(offset, field.bit_offset, field.width, value.unsigned())
                }
                None => {
                    let address = value.to_u64();
                    if let Some(place) = address.and_then(|at| self.register_at(at, ty)) {
                        let target = RelocationTarget::Global(place.global);
                        let addend = i64::try_from(place.offset).unwrap_or_default();
                        return image.point(Relocation { offset, target, addend });
                    }
                    let bytes = self.tree.types.size_of(ty).unwrap_or(0).min(16);
                    let width = u8::try_from(bytes * 8).unwrap_or(128).max(8);
                    image.set(offset, &value.resize(width, Signedness::Signed).to_le_bytes());
                }
            },
            InitValue::Constant(Constant::Float(float)) => {
                image.set(offset, &float.to_encoding().to_le_bytes());
            }
            InitValue::Constant(Constant::Address { base, offset: addend }) => {
                let target = match *base {
                    AddressBase::Variable(id) => RelocationTarget::Global(self.global_id(id)),
                    AddressBase::Function(id) => RelocationTarget::Func(self.function_id(id)),
                    AddressBase::String(id) => RelocationTarget::Global(self.string_global(id)),
                    AddressBase::Label(label) => {
                        let number = self.label_number(label).wrapping_add_signed(*addend);
                        let size = usize::try_from(self.out.pointers.bytes()).unwrap_or(8);
                        image.set(offset, &number.to_le_bytes()[..size]);
                        return;
                    }
                };
                image.point(Relocation { offset, target, addend: *addend });
            }
            InitValue::String(string) => {
                let room = usize::try_from(self.string_bytes(ty, *string)).unwrap_or(usize::MAX);
                let bytes = &self.tree.string(*string).bytes;
                image.set(offset, &bytes[..bytes.len().min(room)]);
                // What is left of the array is zero, whatever an earlier item put there.
                let zeros = vec![0; room.saturating_sub(bytes.len()).min(1 << 30)];
                image.clear(offset.saturating_add(bytes.len() as u64), &zeros);
            }
            // The checker folds static initializers; what it could not fold is unknown here, so every
            // use of the variable says so.
            InitValue::Expr(_) => {
                image.unknown = Some(Unsupported::NonConstantInitializer);
            }
            InitValue::Unsupported(what) => image.unknown = Some(what.clone()),
        }
    }

    /// The object of a string literal; equal literals are one object.
    pub(super) fn string_global(&mut self, id: StringId) -> GlobalId {
        if let Some(global) = self.strings[id.0 as usize] {
            return global;
        }
        let literal = self.tree.string(id);
        let key = (literal.element_size, literal.bytes.clone());
        if let Some(&global) = self.strings_by_content.get(&key) {
            self.strings[id.0 as usize] = Some(global);
            return global;
        }
        let element = self.string_element(literal.element_size);
        let size = u64::try_from(literal.bytes.len()).unwrap_or(u64::MAX);
        let length = Some(size / u64::from(literal.element_size.max(1)));
        let source_type = self.out.intern_source_type(SourceType::Array { element, length });
        let initializer = Initializer { bytes: literal.bytes.to_vec(), relocations: Vec::new() };
        let global = self.add_global(Global {
            name: format!(".str{}", self.strings_by_content.len()),
            kind: GlobalKind::StringLiteral,
            linkage: Linkage::Internal,
            source_type,
            size,
            align: u64::from(literal.element_size.max(1)),
            is_const: true,
            initializer: Some(initializer),
            span: ir::Span::nowhere(),
        });
        self.strings[id.0 as usize] = Some(global);
        self.strings_by_content.insert(key, global);
        global
    }

    fn string_element(&mut self, element_size: u8) -> ir::SourceTypeId {
        use crate::ty::kind::IntKind;
        use crate::ty::table::TypeTable;
        let kind = match element_size {
            1 => IntKind::Char,
            2 => IntKind::UnsignedShort,
            _ => IntKind::Int,
        };
        self.source_type(TypeTable::int_id(kind))
    }
}

/// Bytes and pointers being placed; later ones win.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
    pointers: PointerSize,
    /// Why some of the bytes are not known.
    unknown: Option<Unsupported>,
}

impl Image {
    /// Room for `length` bytes at `offset`, or `None` beyond all limits.
    fn room(&mut self, offset: u64, length: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(length)?;
        if u64::try_from(end).ok()? > MAX_INITIALIZED {
            return None;
        }
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        Some(&mut self.bytes[start..end])
    }

    /// Pointers that the bytes at `offset` overwrite are gone.
    fn forget_pointers(&mut self, offset: u64, length: usize) {
        let end = offset.saturating_add(length as u64);
        self.relocations
            .retain(|old| old.offset >= end || old.offset + self.pointers.bytes() <= offset);
    }

    fn set(&mut self, offset: u64, bytes: &[u8]) {
        self.forget_pointers(offset, bytes.len());
        if let Some(room) = self.room(offset, bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }

    /// Like `set` with zeros, without growing the image.
    fn clear(&mut self, offset: u64, zeros: &[u8]) {
        self.forget_pointers(offset, zeros.len());
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let end = start.saturating_add(zeros.len()).min(self.bytes.len());
        self.bytes[start..end].fill(0);
    }

    /// `bit_offset` counts from `offset`.
    fn set_bits(&mut self, offset: u64, bit_offset: u64, width: u8, value: u128) {
        let first = offset.saturating_add(bit_offset / 8);
        let start = bit_offset % 8;
        let n_bytes = (start + u64::from(width)).div_ceil(8);
        let Ok(length) = usize::try_from(n_bytes) else { return };
        let Some(room) = self.room(first, length) else { return };
        for bit in 0..u64::from(width) {
            let at = start + bit;
            let mask = 1u8 << (at % 8);
            let byte = &mut room[usize::try_from(at / 8).unwrap_or(0)];
            if value >> bit & 1 == 1 {
                *byte |= mask;
            } else {
                *byte &= !mask;
            }
        }
    }

    fn point(&mut self, relocation: Relocation) {
        let size = usize::try_from(self.pointers.bytes()).unwrap_or(8);
        self.set(relocation.offset, &[0; 8][..size]);
        self.relocations.push(relocation);
    }

    fn finish(mut self, size: u64) -> Initializer {
        self.relocations.sort_by_key(|relocation| relocation.offset);
        self.relocations.retain(|relocation| relocation.offset + self.pointers.bytes() <= size);
        self.bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        let used = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(used);
        Initializer { bytes: self.bytes, relocations: self.relocations }
    }
}
