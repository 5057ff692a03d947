//! The table of all types of a program, interned.

use glassbox_values::Machine;
use rustc_hash::FxHashMap;

use super::kind::{
    ArrayLength, FloatKind, FunctionType, IntKind, Qualifiers, Type, TypeId, TypeKind,
};
use super::record::{Enum, EnumId, Record, RecordBody, RecordId, RecordKind};
use crate::names::Name;
use crate::span::Span;

/// All types, records and enums. Shared by all units of a program.
#[derive(Debug, Clone)]
pub struct TypeTable {
    types: Vec<Type>,
    /// How many pointers, arrays and functions each type is made of, one inside the other.
    depths: Vec<u32>,
    numbers: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enum>,
    /// Whose layouts the types have.
    pub(crate) machine: Machine,
}

impl Default for TypeTable {
    fn default() -> TypeTable {
        TypeTable::new()
    }
}

/// The integer kinds in the order of their fixed ids.
const INT_KINDS: [IntKind; 16] = [
    IntKind::Bool,
    IntKind::Char,
    IntKind::SignedChar,
    IntKind::UnsignedChar,
    IntKind::Short,
    IntKind::UnsignedShort,
    IntKind::Int,
    IntKind::UnsignedInt,
    IntKind::Long,
    IntKind::UnsignedLong,
    IntKind::LongLong,
    IntKind::UnsignedLongLong,
    IntKind::Int128,
    IntKind::UnsignedInt128,
    IntKind::Long32,
    IntKind::UnsignedLong32,
];

impl TypeTable {
    pub const ERROR: TypeId = TypeId(0);
    pub const VOID: TypeId = TypeId(1);
    pub const BOOL: TypeId = TypeTable::int_id(IntKind::Bool);
    pub const CHAR: TypeId = TypeTable::int_id(IntKind::Char);
    pub const INT: TypeId = TypeTable::int_id(IntKind::Int);
    pub const UINT: TypeId = TypeTable::int_id(IntKind::UnsignedInt);
    /// The type of hidden array lengths: 64 bits, whatever the machine has.
    pub const ULONG: TypeId = TypeTable::int_id(IntKind::UnsignedLong);
    pub const FLOAT: TypeId = TypeId(18);
    pub const DOUBLE: TypeId = TypeId(19);
    pub const VOID_POINTER: TypeId = TypeId(20);
    pub const CHAR_POINTER: TypeId = TypeId(21);
    pub const CONST_CHAR: TypeId = TypeId(22);

    pub fn new() -> TypeTable {
        let mut table = TypeTable {
            types: Vec::new(),
            depths: Vec::new(),
            numbers: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            machine: Machine::default(),
        };
        let error = table.intern(TypeKind::Error);
        let void = table.intern(TypeKind::Void);
        for kind in INT_KINDS {
            let id = table.intern(TypeKind::Int(kind));
            assert_eq!(id, TypeTable::int_id(kind), "integer types should have their fixed ids");
        }
        let float = table.intern(TypeKind::Float(FloatKind::Float));
        let double = table.intern(TypeKind::Float(FloatKind::Double));
        let void_pointer = table.pointer_to(TypeTable::VOID);
        let char_pointer = table.pointer_to(TypeTable::CHAR);
        let konst = Qualifiers { is_const: true, ..Qualifiers::NONE };
        let const_char = table.qualified(TypeTable::CHAR, konst);
        assert_eq!(
            [error, void, float, double, void_pointer, char_pointer, const_char],
            [
                TypeTable::ERROR,
                TypeTable::VOID,
                TypeTable::FLOAT,
                TypeTable::DOUBLE,
                TypeTable::VOID_POINTER,
                TypeTable::CHAR_POINTER,
                TypeTable::CONST_CHAR
            ],
            "basic types should have their fixed ids"
        );
        table
    }

    /// The fixed id of an integer type.
    pub const fn int_id(kind: IntKind) -> TypeId {
        let index = match kind {
            IntKind::Bool => 0,
            IntKind::Char => 1,
            IntKind::SignedChar => 2,
            IntKind::UnsignedChar => 3,
            IntKind::Short => 4,
            IntKind::UnsignedShort => 5,
            IntKind::Int => 6,
            IntKind::UnsignedInt => 7,
            IntKind::Long => 8,
            IntKind::UnsignedLong => 9,
            IntKind::LongLong => 10,
            IntKind::UnsignedLongLong => 11,
            IntKind::Int128 => 12,
            IntKind::UnsignedInt128 => 13,
            IntKind::Long32 => 14,
            IntKind::UnsignedLong32 => 15,
        };
        TypeId(2 + index)
    }

    fn intern_type(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.numbers.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("types should fit 32 bits"));
        self.depths.push(self.depth_of_kind(&ty.kind));
        self.types.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    fn depth_of_kind(&self, kind: &TypeKind) -> u32 {
        match kind {
            TypeKind::Pointer(inner)
            | TypeKind::Array { element: inner, .. }
            | TypeKind::Vector { element: inner, .. } => self.depth(*inner) + 1,
            TypeKind::Function(function) => {
                let parameters = function.parameters.iter().map(|&p| self.depth(p)).max();
                self.depth(function.result).max(parameters.unwrap_or(0)) + 1
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Enum(_)
            | TypeKind::Record(_)
            | TypeKind::Error => 0,
        }
    }

    /// How deep a type is nested; records count as one level, whatever is inside.
    pub fn depth(&self, ty: TypeId) -> u32 {
        self.depths[ty.0 as usize]
    }

    /// The unqualified type of this kind.
    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        self.intern_type(Type { kind, qualifiers: Qualifiers::NONE })
    }

    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(TypeKind::Pointer(target))
    }

    pub fn array_of(&mut self, element: TypeId, length: ArrayLength) -> TypeId {
        self.intern(TypeKind::Array { element, length })
    }

    pub fn function(&mut self, function: FunctionType) -> TypeId {
        self.intern(TypeKind::Function(function))
    }

    /// `ty` with `more` qualifiers added; on an array they go to the element type.
    pub fn qualified(&mut self, ty: TypeId, more: Qualifiers) -> TypeId {
        if more == Qualifiers::NONE {
            return ty;
        }
        if let TypeKind::Array { element, length } = *self.kind(ty) {
            let element = self.qualified(element, more);
            return self.array_of(element, length);
        }
        let old = &self.types[ty.0 as usize];
        let qualifiers = old.qualifiers.union(more);
        if qualifiers == old.qualifiers {
            return ty;
        }
        let kind = old.kind.clone();
        self.intern_type(Type { kind, qualifiers })
    }

    /// `ty` without qualifiers on its outermost level (an array keeps its element's).
    pub fn unqualified(&mut self, ty: TypeId) -> TypeId {
        let old = &self.types[ty.0 as usize];
        if old.qualifiers == Qualifiers::NONE {
            return ty;
        }
        let kind = old.kind.clone();
        self.intern(kind)
    }

    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty.0 as usize]
    }

    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.types[ty.0 as usize].kind
    }

    /// The qualifiers of `ty`; of an array, those of its innermost element.
    pub fn qualifiers(&self, ty: TypeId) -> Qualifiers {
        let mut at = ty;
        while let TypeKind::Array { element, .. } = *self.kind(at) {
            at = element;
        }
        self.get(at).qualifiers
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// The members and layout if `id` is complete.
    pub fn record_body(&self, id: RecordId) -> Option<&RecordBody> {
        self.record(id).body.as_ref()
    }

    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// A new, still incomplete record and its type.
    pub fn new_record(&mut self, kind: RecordKind, tag: Option<Name>, span: Span) -> RecordId {
        let id = RecordId(u32::try_from(self.records.len()).expect("records should fit 32 bits"));
        self.records.push(Record { kind, tag, typedef_name: None, span, body: None });
        id
    }

    pub(crate) fn complete_record(&mut self, id: RecordId, span: Span, body: RecordBody) {
        let record = &mut self.records[id.0 as usize];
        record.span = span;
        record.body = Some(body);
    }

    /// A new enum; complete once [`Enum::underlying`] is set.
    pub fn new_enum(&mut self, enumeration: Enum) -> EnumId {
        let id = EnumId(u32::try_from(self.enums.len()).expect("enums should fit 32 bits"));
        self.enums.push(enumeration);
        id
    }

    /// Remembers the name that a typedef gives to a record or enum without a tag.
    pub(crate) fn name_by_typedef(&mut self, ty: TypeId, name: Name) {
        let slot = match *self.kind(ty) {
            TypeKind::Record(id) => {
                let record = &mut self.records[id.0 as usize];
                record.tag.is_none().then_some(&mut record.typedef_name)
            }
            TypeKind::Enum(id) => {
                let enumeration = &mut self.enums[id.0 as usize];
                enumeration.tag.is_none().then_some(&mut enumeration.typedef_name)
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Pointer(_)
            | TypeKind::Array { .. }
            | TypeKind::Function(_)
            | TypeKind::Vector { .. }
            | TypeKind::Error => None,
        };
        if let Some(slot) = slot {
            slot.get_or_insert(name);
        }
    }

    pub(crate) fn enum_mut(&mut self, id: EnumId) -> &mut Enum {
        &mut self.enums[id.0 as usize]
    }
}
