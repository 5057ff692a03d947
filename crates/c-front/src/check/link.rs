//! Linking: external names of all units of a program are one object or function each.

use glassbox_values::layout::Target;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Name;
use crate::span::Span;
use crate::tree::{FunctionId, Program, VariableId};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};
use crate::ty::record::{Field, RecordBody, RecordId, RecordKind};
use crate::ty::table::TypeTable;

/// What an external name is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Linked {
    Variable(VariableId),
    Function(FunctionId),
}

/// Where a name was defined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    pub(crate) unit: u32,
    pub(crate) span: Span,
    /// An inline definition gives way to a real one.
    pub(crate) is_inline: bool,
    /// No initializer yet.
    pub(crate) is_tentative: bool,
}

/// External names, and what else is kept between units.
#[derive(Debug, Default)]
pub(crate) struct Links {
    names: FxHashMap<Name, Linked>,
    definitions: FxHashMap<Name, Definition>,
    transparent_unions: FxHashSet<RecordId>,
    va_list: Option<TypeId>,
    /// Of the unit being checked.
    pub(crate) target: Target,
    /// Words that are keywords since C23 are keywords in it.
    pub(crate) is_c23: bool,
    /// Integer constants and scopes mean what they did before C99.
    pub(crate) is_c90: bool,
    /// `inline` means what it did in GNU's C90.
    pub(crate) has_old_inline: bool,
    /// Its compiler may know values that are no constants of the language.
    pub(crate) is_optimized: bool,
    /// Number of the unit being checked, from 0.
    pub(crate) unit: u32,
}

impl Links {
    pub(crate) fn next_unit(&mut self) {
        self.unit += 1;
    }

    pub(crate) fn get(&self, name: Name) -> Option<Linked> {
        self.names.get(&name).copied()
    }

    pub(crate) fn insert(&mut self, name: Name, linked: Linked) {
        self.names.insert(name, linked);
    }

    pub(crate) fn definition(&self, name: Name) -> Option<Definition> {
        self.definitions.get(&name).copied()
    }

    pub(crate) fn define(&mut self, name: Name, definition: Definition) {
        self.definitions.insert(name, definition);
    }

    pub(crate) fn add_transparent_union(&mut self, record: RecordId) {
        self.transparent_unions.insert(record);
    }

    pub(crate) fn is_transparent_union(&self, record: RecordId) -> bool {
        self.transparent_unions.contains(&record)
    }

    /// `__builtin_va_list`: an array of one `struct __va_list_tag`, as the x86-64 ABI has it.
    pub(crate) fn va_list(&mut self, program: &mut Program) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let tag = program.names.intern("__va_list_tag");
        let record = program.types.new_record(RecordKind::Struct, Some(tag), Span::default());
        let members = [
            ("gp_offset", TypeTable::UINT, 0),
            ("fp_offset", TypeTable::UINT, 4),
            ("overflow_arg_area", TypeTable::VOID_POINTER, 8),
            ("reg_save_area", TypeTable::VOID_POINTER, 16),
        ];
        let fields = members
            .into_iter()
            .map(|(name, ty, offset)| Field {
                name: Some(program.names.intern(name)),
                ty,
                offset,
                bits: None,
                span: Span::default(),
            })
            .collect();
        let body = RecordBody {
            fields,
            size: 24,
            align: 8,
            has_flexible_member: false,
            has_const_member: false,
        };
        program.types.complete_record(record, Span::default(), body);
        let ty = program.types.intern(TypeKind::Record(record));
        let ty = program.types.array_of(ty, ArrayLength::Fixed(1));
        self.va_list = Some(ty);
        ty
    }
}
