//! Declarations: variables, functions and typedefs, their scope and linkage.

use super::Checker;
use super::initializer::Written;
use super::link::{Definition, Linked};
use super::scope::Meaning;
use crate::diagnostics::{Related, TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    AroundMain, Function, FunctionId, Init, Linkage, Promise, Storage, Variable, VariableId,
    VariableRole,
};
use crate::ty::kind::{ArrayLength, IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// A storage class specifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum StorageClass {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// What a declarator declares, with its specifiers applied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) ty: TypeId,
    pub(crate) storage: StorageClass,
    pub(crate) is_inline: bool,
    pub(crate) is_noreturn: bool,
    pub(crate) promise: Option<Promise>,
    /// `gnu_inline` or plain C99 inline: the body is no external definition.
    pub(crate) is_gnu_inline: bool,
    pub(crate) align: Option<u64>,
    pub(crate) is_thread: bool,
    /// One bit for each parameter that is never null.
    pub(crate) nonnull: u64,
    pub(crate) around_main: Option<AroundMain>,
    /// An attribute that changes behavior in a way that is not modeled.
    pub(crate) unsupported: Option<Name>,
    /// The symbol, if that is not the name.
    pub(crate) symbol: Option<Name>,
    /// In a section where others may look for it.
    pub(crate) is_listed: bool,
    /// An initializer follows.
    pub(crate) has_initializer: bool,
}

/// What a declaration made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Typedef,
    Function(FunctionId),
    /// `ty` is this unit's view of the type.
    Variable {
        id: VariableId,
        ty: TypeId,
    },
    Nothing,
}

impl Checker<'_> {
    /// Types that gcc knows without a declaration.
    pub(crate) fn declare_predefined_types(&mut self) {
        let va_list = self.well_known.va_list;
        for (name, ty) in [
            ("__builtin_va_list", va_list),
            ("__int128_t", TypeTable::int_id(IntKind::Int128)),
            ("__uint128_t", TypeTable::int_id(IntKind::UnsignedInt128)),
        ] {
            let name = self.program.names.intern(name);
            self.scopes.declare(
                name,
                Meaning::Typedef { ty, align: None, limit: None },
                Span::default(),
            );
        }
    }

    fn redefinition(&mut self, name: Name, span: Span, earlier: Span) {
        let name = self.name_text(name);
        let related = (earlier, Related::PreviousDefinition);
        self.error_with(TypeProblem::Redefinition { name }, span, related);
    }

    fn conflict(&mut self, name: Name, new: TypeId, old: TypeId, span: Span, earlier: Span) {
        let name = self.name_text(name);
        let (new, old) = (self.show(new), self.show(old));
        let related = (earlier, Related::PreviousDeclaration);
        self.error_with(TypeProblem::ConflictingTypes { name, new, old }, span, related);
    }

    /// Declarations of two units that disagree: no compiler sees it, and it may never matter.
    fn unit_conflict(&mut self, declared: &Declared, new: TypeId, old: TypeId, earlier: Span) {
        let name = self.name_text(declared.name);
        let (new, old) = (self.show(new), self.show(old));
        let related = (earlier, Related::PreviousDeclaration);
        let warning = TypeWarning::ConflictingUnits { name, new, old };
        self.warn_with(warning, declared.span, related);
    }

    /// Enters a declarator into the current scope.
    pub(crate) fn declare(&mut self, declared: &Declared) -> Made {
        if declared.storage == StorageClass::Typedef {
            self.declare_typedef(declared);
            return Made::Typedef;
        }
        if self.program.types.is_function(declared.ty) {
            return Made::Function(self.declare_function(declared));
        }
        let is_file_scope = self.scopes.level() == 0;
        if is_file_scope || declared.storage == StorageClass::Extern {
            return self.declare_linked_variable(declared, is_file_scope);
        }
        self.declare_local(declared)
    }

    fn declare_typedef(&mut self, declared: &Declared) {
        let Declared { name, span, ty, align, unsupported: limit, .. } = *declared;
        if declared.has_initializer {
            self.error(TypeProblem::InitializedTypedef, span);
        }
        if let Some(earlier) = self.scopes.lookup_here(name) {
            match earlier.meaning {
                Meaning::Typedef { ty: old, .. } if self.program.types.compatible(old, ty) => {
                    return;
                }
                Meaning::Typedef { ty: old, .. } => {
                    self.conflict(name, ty, old, span, earlier.span);
                    return;
                }
                Meaning::Variable { .. }
                | Meaning::Function { .. }
                | Meaning::EnumConstant { .. } => {
                    self.redefinition(name, span, earlier.span);
                    return;
                }
            }
        }
        self.program.types.name_by_typedef(ty, name);
        self.scopes.declare(name, Meaning::Typedef { ty, align, limit }, span);
    }

    /// Declares a function; a definition's body is attached later.
    fn declare_function(&mut self, declared: &Declared) -> FunctionId {
        let Declared { name, span, ty, .. } = *declared;
        if declared.has_initializer {
            self.error(TypeProblem::InitializedTypedef, span);
        }
        let visible = self.scopes.lookup(name);
        let mut internal = declared.storage == StorageClass::Static;
        let mut known = None;
        if let Some(entry) = visible {
            match entry.meaning {
                Meaning::Function { id, ty: old } => {
                    known = Some((id, old, entry.span));
                    internal |= self.program.function(id).linkage == Linkage::Internal;
                }
                Meaning::Typedef { .. }
                | Meaning::Variable { .. }
                | Meaning::EnumConstant { .. } => {
                    if entry.level == self.scopes.level() {
                        self.redefinition(name, span, entry.span);
                    }
                }
            }
        }
        let linkage = if internal { Linkage::Internal } else { Linkage::External };
        let (id, seen_ty) = match known {
            Some((id, old, earlier)) => {
                if !self.program.types.compatible(old, ty) {
                    let implicit = self.program.function(id).is_implicit;
                    if !implicit {
                        self.conflict(name, ty, old, span, earlier);
                    }
                    (id, ty)
                } else {
                    (id, self.program.types.composite(old, ty))
                }
            }
            None if linkage == Linkage::External => (self.linked_function(declared), ty),
            None => (self.new_function(declared, linkage), ty),
        };
        let function = self.program.function_mut(id);
        function.is_noreturn |= declared.is_noreturn;
        function.promise = function.promise.max(declared.promise);
        function.around_main = declared.around_main.or(function.around_main);
        function.is_inline |= declared.is_inline;
        function.is_implicit = false;
        if function.body.is_none() {
            function.ty = seen_ty;
        }
        self.scopes.declare(name, Meaning::Function { id, ty: seen_ty }, span);
        id
    }

    fn new_function(&mut self, declared: &Declared, linkage: Linkage) -> FunctionId {
        self.program.add_function(Function {
            name: declared.name,
            ty: declared.ty,
            linkage,
            span: declared.span,
            is_noreturn: declared.is_noreturn,
            promise: declared.promise,
            around_main: declared.around_main,
            harness_of: None,
            is_inline: declared.is_inline,
            is_implicit: false,
            declared_names: Vec::new(),
            asked: Vec::new(),
            body: None,
        })
    }

    /// The function that other units know by this name, or a new one.
    fn linked_function(&mut self, declared: &Declared) -> FunctionId {
        match self.links.get(declared.name) {
            Some(Linked::Function(id)) => {
                let other = self.program.function(id);
                let (old, earlier) = (other.ty, other.span);
                if !self.program.types.compatible_across(old, declared.ty) && !other.is_implicit {
                    self.unit_conflict(declared, declared.ty, old, earlier);
                }
                id
            }
            Some(Linked::Variable(id)) => {
                let earlier = self.program.variable(id).span;
                self.redefinition(declared.name, declared.span, earlier);
                self.new_function(declared, Linkage::External)
            }
            None => {
                let id = self.new_function(declared, Linkage::External);
                self.links.insert(declared.name, Linked::Function(id));
                id
            }
        }
    }

    /// Notes that a body follows; `false` if the body must be checked but not kept.
    pub(crate) fn define_function(&mut self, id: FunctionId, declared: &Declared) -> bool {
        let Declared { name, span, .. } = *declared;
        let function = self.program.function(id);
        // C99 inline without extern, and GNU extern inline, give no external definition.
        let hidden =
            if self.links.has_old_inline { StorageClass::Extern } else { StorageClass::None };
        let gives_way = declared.is_gnu_inline
            || (declared.is_inline && declared.storage == hidden)
            || declared.storage == StorageClass::Static;
        if function.linkage == Linkage::Internal {
            if function.body.is_some() {
                let earlier = function.span;
                self.redefinition(name, span, earlier);
                return false;
            }
        } else {
            let definition = Definition {
                unit: self.links.unit,
                span,
                is_inline: gives_way,
                is_tentative: false,
            };
            match self.links.definition(name) {
                Some(earlier) if !earlier.is_inline && !gives_way => {
                    if earlier.unit == self.links.unit {
                        self.redefinition(name, span, earlier.span);
                    } else {
                        let text = self.name_text(name);
                        let related = (earlier.span, Related::PreviousDefinition);
                        self.error_with(TypeProblem::DefinedTwice { name: text }, span, related);
                    }
                    return false;
                }
                Some(earlier)
                    if earlier.unit == self.links.unit && earlier.is_inline == gives_way =>
                {
                    self.redefinition(name, span, earlier.span);
                    return false;
                }
                Some(_) if gives_way => return false,
                _ => self.links.define(name, definition),
            }
        }
        let function = self.program.function_mut(id);
        function.span = span;
        function.ty = declared.ty;
        true
    }

    /// A variable at file scope, or declared `extern` in a block.
    fn declare_linked_variable(&mut self, declared: &Declared, is_file_scope: bool) -> Made {
        let Declared { name, span, mut ty, .. } = *declared;
        if !self.check_object_type(declared) {
            ty = TypeTable::ERROR;
        }
        if self.program.types.is_variable_length(ty) {
            self.error(TypeProblem::VariableLengthStatic, span);
            ty = TypeTable::ERROR;
        }
        if declared.has_initializer && !is_file_scope {
            self.error(TypeProblem::InitializedExtern, span);
        }
        let mut known = None;
        if let Some(entry) = self.scopes.lookup(name) {
            if let Meaning::Variable { id, ty: old } = entry.meaning
                && self.program.variable(id).linkage != Linkage::None
            {
                known = Some((id, old, entry.span));
            } else if entry.level == self.scopes.level() {
                self.redefinition(name, span, entry.span);
                return Made::Nothing;
            }
        }
        let is_static = declared.storage == StorageClass::Static;
        let id = match known {
            Some((id, old, earlier)) => {
                if is_static && self.program.variable(id).linkage == Linkage::External {
                    let text = self.name_text(name);
                    let related = (earlier, Related::PreviousDeclaration);
                    self.error_with(TypeProblem::ConflictingLinkage { name: text }, span, related);
                }
                if !self.program.types.compatible(old, ty) {
                    self.conflict(name, ty, old, span, earlier);
                }
                ty = self.program.types.composite(old, ty);
                id
            }
            None if is_static => self.new_linked_variable(declared, ty, Linkage::Internal),
            None => self.linked_variable(declared, ty),
        };
        self.refine_variable(id, ty, declared);
        let is_definition = declared.storage != StorageClass::Extern || declared.has_initializer;
        if is_definition && is_file_scope {
            self.define_variable(id, declared);
        }
        self.scopes.declare(name, Meaning::Variable { id, ty }, span);
        Made::Variable { id, ty }
    }

    /// Takes over what a further declaration adds.
    fn refine_variable(&mut self, id: VariableId, ty: TypeId, declared: &Declared) {
        let old = self.program.variable(id).ty;
        if self.program.types.compatible_across(old, ty) && old != ty {
            let merged = self.program.types.composite(old, ty);
            self.program.variable_mut(id).ty = merged;
        }
        let own = self.program.types.align_of(self.program.variable(id).ty);
        let variable = self.program.variable_mut(id);
        variable.align = variable.align.max(own).max(declared.align.unwrap_or(1));
    }

    fn define_variable(&mut self, id: VariableId, declared: &Declared) {
        let Declared { name, span, has_initializer, .. } = *declared;
        let linkage = self.program.variable(id).linkage;
        self.program.variable_mut(id).is_defined = true;
        if linkage == Linkage::Internal {
            if has_initializer && self.program.variable(id).init.is_some() {
                let earlier = self.program.variable(id).span;
                self.redefinition(name, span, earlier);
            }
            return;
        }
        let definition = Definition {
            unit: self.links.unit,
            span,
            is_inline: false,
            is_tentative: !has_initializer,
        };
        match self.links.definition(name) {
            Some(earlier) if earlier.unit != self.links.unit => {
                let text = self.name_text(name);
                let related = (earlier.span, Related::PreviousDefinition);
                self.error_with(TypeProblem::DefinedTwice { name: text }, span, related);
            }
            Some(earlier) if !earlier.is_tentative && has_initializer => {
                self.redefinition(name, span, earlier.span);
            }
            Some(earlier) if !earlier.is_tentative => {}
            _ => {
                self.links.define(name, definition);
                self.program.variable_mut(id).span = span;
            }
        }
    }

    fn linked_variable(&mut self, declared: &Declared, ty: TypeId) -> VariableId {
        match self.links.get(declared.name) {
            Some(Linked::Variable(id)) => {
                let other = self.program.variable(id);
                let (old, earlier) = (other.ty, other.span);
                if !self.program.types.compatible_across(old, ty) {
                    self.unit_conflict(declared, ty, old, earlier);
                }
                id
            }
            Some(Linked::Function(id)) => {
                let earlier = self.program.function(id).span;
                self.redefinition(declared.name, declared.span, earlier);
                self.new_linked_variable(declared, ty, Linkage::External)
            }
            None => {
                let id = self.new_linked_variable(declared, ty, Linkage::External);
                self.links.insert(declared.name, Linked::Variable(id));
                id
            }
        }
    }

    fn new_linked_variable(
        &mut self,
        declared: &Declared,
        ty: TypeId,
        linkage: Linkage,
    ) -> VariableId {
        self.program.add_variable(Variable {
            name: declared.name,
            ty,
            role: VariableRole::Named,
            storage: Storage::Static,
            linkage,
            span: declared.span,
            scope: Span::new(declared.span.start, self.unit_end),
            function: None,
            align: self.program.types.align_of(ty).max(declared.align.unwrap_or(1)),
            is_defined: false,
            init: None,
        })
    }

    /// Types no variable can have.
    fn check_object_type(&mut self, declared: &Declared) -> bool {
        if self.program.types.is_void(declared.ty) {
            // `extern void x;` is accepted by gcc for linker symbols.
            if declared.storage == StorageClass::Extern && !declared.has_initializer {
                return true;
            }
            let name = self.name_text(declared.name);
            self.error(TypeProblem::VoidVariable { name }, declared.span);
            return false;
        }
        true
    }

    /// A variable in a block: automatic or static.
    fn declare_local(&mut self, declared: &Declared) -> Made {
        let Declared { name, span, mut ty, .. } = *declared;
        if !self.check_object_type(declared) {
            ty = TypeTable::ERROR;
        }
        let unsized_array = matches!(
            self.program.types.kind(ty),
            TypeKind::Array { length: ArrayLength::Unknown, .. }
        );
        let completed_later = unsized_array && declared.has_initializer;
        if !completed_later && !self.require_complete(ty, span) {
            ty = TypeTable::ERROR;
        }
        if let Some(earlier) = self.scopes.lookup_here(name) {
            self.redefinition(name, span, earlier.span);
        }
        let is_static = declared.storage == StorageClass::Static || declared.is_thread;
        if is_static && self.program.types.is_variable_length(ty) {
            self.error(TypeProblem::VariableLengthStatic, span);
            ty = TypeTable::ERROR;
        }
        if declared.has_initializer && self.program.types.is_variable_length(ty) {
            self.error(TypeProblem::VariableLengthInitialized, span);
        }
        let function = self.function.as_ref().map(|function| function.id);
        let id = self.program.add_variable(Variable {
            name,
            ty,
            role: VariableRole::Named,
            storage: if is_static { Storage::Static } else { Storage::Automatic },
            linkage: Linkage::None,
            span,
            scope: span,
            function,
            align: self.program.types.align_of(ty).max(declared.align.unwrap_or(1)),
            is_defined: true,
            init: None,
        });
        if !is_static && let Some(function) = &mut self.function {
            function.locals.push(id);
        }
        self.scopes.declare(name, Meaning::Variable { id, ty }, span);
        Made::Variable { id, ty }
    }

    /// A parameter of a prototype or definition, entered in the current scope.
    pub(crate) fn declare_parameter(
        &mut self,
        name: Name,
        ty: TypeId,
        index: u32,
        span: Span,
    ) -> VariableId {
        if let Some(earlier) = self.scopes.lookup_here(name) {
            self.redefinition(name, span, earlier.span);
        }
        let id = self.program.add_variable(Variable {
            name,
            ty,
            role: VariableRole::Parameter(index),
            storage: Storage::Automatic,
            linkage: Linkage::None,
            span,
            scope: span,
            function: None,
            align: self.program.types.align_of(ty),
            is_defined: true,
            init: None,
        });
        self.scopes.declare(name, Meaning::Variable { id, ty }, span);
        id
    }

    /// Attaches an initializer. Gives it back if the variable is automatic.
    pub(crate) fn initialize(
        &mut self,
        id: VariableId,
        ty: TypeId,
        written: &Written,
    ) -> Option<Init> {
        let storage = self.program.variable(id).storage;
        let (init, completed) = self.initializer(ty, written, storage);
        let (name, span) = (self.program.variable(id).name, self.program.variable(id).span);
        if completed != ty {
            let align = self.program.types.align_of(completed);
            let variable = self.program.variable_mut(id);
            variable.ty = completed;
            variable.align = variable.align.max(align);
            self.scopes.declare(name, Meaning::Variable { id, ty: completed }, span);
        }
        if !self.program.types.is_error(completed) && !self.require_complete(completed, span) {
            self.program.variable_mut(id).ty = TypeTable::ERROR;
        }
        match storage {
            Storage::Automatic => Some(init),
            Storage::Static => {
                self.program.variable_mut(id).init = Some(init);
                None
            }
        }
    }

    /// The end of a unit: tentative arrays without a length have one element.
    pub(crate) fn finish_unit(&mut self) {
        for index in self.first_variable..self.program.variables.len() {
            let variable = &self.program.variables[index];
            if variable.storage != Storage::Static || !variable.is_defined {
                continue;
            }
            let (ty, span) = (variable.ty, variable.span);
            if let TypeKind::Array { element, length: ArrayLength::Unknown } =
                *self.program.types.kind(ty)
            {
                let ty = self.program.types.array_of(element, ArrayLength::Fixed(1));
                self.program.variables[index].ty = ty;
            } else if !self.program.types.is_complete(ty)
                && self.program.types.record_of(ty).is_some()
            {
                self.require_complete(ty, span);
            }
        }
    }

    /// Sets the end of scope of the variables that a closed scope declared.
    pub(crate) fn close_scope(&mut self, declared: &super::scope::Declared, end: u32) {
        for id in declared.variables() {
            let variable = self.program.variable_mut(id);
            if variable.linkage == Linkage::None {
                variable.scope = Span::new(variable.span.start, end);
            }
        }
    }
}
