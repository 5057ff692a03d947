//! Library functions whose types the compiler knows without a header: rows of the catalogue.

use glassbox_library::{Class, class_of, find};

use super::super::Checker;
use crate::tree::ExprId;
use crate::ty::kind::{FunctionType, IntKind, PrototypeStyle, Qualifiers, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// True for functions that the compiler may evaluate by itself: those without effects.
pub(crate) fn is_known_function(name: &str) -> bool {
    find(name).is_some_and(|function| {
        let row = &function.row;
        let is_number =
            matches!(class_of(&function.signature.result), Class::Integer | Class::Float);
        row.is_builtin && row.is_harmless() && !row.is_output && is_number
    })
}

/// `memcpy` for `__memcpy_chk`: the object size arguments of fortified calls are dropped.
pub(super) fn without_checks<'n>(short: &'n str, arguments: &[ExprId]) -> (&'n str, Vec<ExprId>) {
    let checked = short.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    let Some(name) = checked else { return (short, arguments.to_vec()) };
    let dropped: &[usize] = match name {
        "sprintf" | "vsprintf" => &[1, 2],
        "snprintf" | "vsnprintf" => &[2, 3],
        "printf" | "vprintf" => &[0],
        "fprintf" | "vfprintf" => &[1],
        _ => &[usize::MAX],
    };
    let last = arguments.len().saturating_sub(1);
    let keep = |index: usize| {
        if dropped == [usize::MAX] { index != last } else { !dropped.contains(&index) }
    };
    let kept = arguments.iter().enumerate().filter(|&(index, _)| keep(index)).map(|(_, &a)| a);
    (name, kept.collect())
}

impl Checker<'_> {
    /// The type of a library function by name.
    pub(crate) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let function =
            find(name).filter(|function| function.row.is_builtin && function.name == name)?;
        let signature = &function.signature;
        let parameters = signature.params.iter().map(|param| self.catalogue_type(param)).collect();
        let (result, is_variadic) = (self.catalogue_type(&signature.result), signature.is_variadic);
        let style = PrototypeStyle::Prototype;
        Some(self.program.types.function(FunctionType { result, parameters, is_variadic, style }))
    }

    /// A type as the catalogue writes it: streams are `void`, other names that headers define do not occur
    /// in functions that compilers know.
    fn catalogue_type(&mut self, text: &str) -> TypeId {
        let types = &mut self.program.types;
        if let Some(target) = text.strip_suffix('*') {
            let target = target.trim_end();
            let (target, is_const) = match target.strip_prefix("const ") {
                Some(target) => (target, true),
                None => (target, false),
            };
            let target = self.catalogue_type(target);
            let types = &mut self.program.types;
            let qualifiers = Qualifiers { is_const, ..Qualifiers::NONE };
            let target = if is_const { types.qualified(target, qualifiers) } else { target };
            return types.pointer_to(target);
        }
        match text {
            "void" | "FILE" => TypeTable::VOID,
            "char" => TypeTable::CHAR,
            "unsigned" => TypeTable::UINT,
            "long" => TypeTable::int_id(types.long_kind()),
            "size_t" => types.size_type(),
            "long long" => TypeTable::int_id(IntKind::LongLong),
            "double" => TypeTable::DOUBLE,
            "float" => TypeTable::FLOAT,
            "long double" => {
                let kind = types.long_double_kind();
                types.intern(TypeKind::Float(kind))
            }
            "va_list" => {
                let tag = types.element(self.well_known.va_list).unwrap_or(TypeTable::ERROR);
                types.pointer_to(tag)
            }
            _ => TypeTable::INT,
        }
    }
}
