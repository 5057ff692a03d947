//! A whole program: everything that was linked together.

use rustc_hash::FxHashMap;

use crate::class::{Class, Field, Method};
use crate::func::{Body, Function, Origin};
use crate::global::Global;
use crate::id::{ClassId, FieldId, FileId, FuncId, GlobalId, MethodId, SourceTypeId};
use crate::language::Language;
use crate::object_layout::ObjectLayout;
use crate::shape::Shape;
use crate::source::{FileOrigin, SourceFile, Span};
use crate::source_type::SourceType;
use crate::ty::PointerSize;

/// Everything that the engines know about the user's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub language: Language,
    /// What pointers take in memory.
    pub pointers: PointerSize,
    pub files: Vec<SourceFile>,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub classes: Vec<Class>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// How objects lie in memory, once they have been lowered to it.
    pub object_layout: Option<ObjectLayout>,
    /// Mutants of functions that are part of the program, where somebody asks about them.
    pub changes: Vec<Change>,
    /// Functions that run before or after `main` without being called, by an attribute.
    pub around_main: Vec<FuncId>,
    source_types: Vec<SourceType>,
    // Look-up only; rebuilt from `source_types` by construction.
    source_type_ids: FxHashMap<SourceType, SourceTypeId>,
}

/// A function with one small change, which is another function of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub of: FuncId,
    pub mutant: FuncId,
    /// The kind of change.
    pub operator: &'static str,
    /// What is changed.
    pub span: Span,
    /// Into what, in words.
    pub text: String,
}

impl Program {
    pub fn new(language: Language) -> Program {
        Program {
            language,
            pointers: PointerSize::default(),
            files: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            classes: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            object_layout: None,
            changes: Vec::new(),
            around_main: Vec::new(),
            source_types: Vec::new(),
            source_type_ids: FxHashMap::default(),
        }
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The body of a function that is known to have one.
    pub fn body(&self, id: FuncId) -> &Body {
        self.function(id).body.as_ref().expect("the function should be defined")
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }

    /// The first function of this name; definitions before declarations.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let named = |id: &FuncId| self.function(*id).name == name;
        self.function_ids()
            .filter(named)
            .find(|id| self.function(*id).body.is_some())
            .or_else(|| self.function_ids().find(named))
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    pub fn global_ids(&self) -> impl Iterator<Item = GlobalId> + use<> {
        (0..self.globals.len()).map(GlobalId::new)
    }

    /// Globals whose address is a number in the program.
    pub fn registers(&self) -> Vec<GlobalId> {
        let is_fixed = |id: &GlobalId| self.global(*id).kind.fixed_address().is_some();
        self.global_ids().filter(is_fixed).collect()
    }

    /// Which of the registers has a byte at this address, and which byte.
    pub fn register_at(&self, registers: &[GlobalId], address: u64) -> Option<(GlobalId, u64)> {
        registers.iter().find_map(|&id| {
            let global = self.global(id);
            let offset = address.checked_sub(global.kind.fixed_address()?)?;
            (offset < global.size).then_some((id, offset))
        })
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// Whether a place is in text that no file has.
    pub fn is_in_model(&self, span: Span) -> bool {
        self.files.get(span.file.index()).is_some_and(|file| file.origin == FileOrigin::Model)
    }

    /// Whether a type is the record that a `va_list` is made of. Programs cannot name it.
    pub fn is_va_list_tag(&self, ty: SourceTypeId) -> bool {
        let target = self.source_type(self.resolve_source_type(ty));
        matches!(target, SourceType::Record { name: Some(name), .. } if name.ends_with("__va_list_tag"))
    }

    pub fn is_stand_in(&self, function: FuncId) -> bool {
        self.function(function).origin == Origin::StandIn
    }

    pub fn source_type(&self, id: SourceTypeId) -> &SourceType {
        &self.source_types[id.index()]
    }

    pub fn source_types(&self) -> &[SourceType] {
        &self.source_types
    }

    /// The id of this type, equal types having equal ids. Records are equal when all their parts are;
    /// recursive ones go through `reserve_source_type`.
    pub fn intern_source_type(&mut self, ty: SourceType) -> SourceTypeId {
        if let Some(&id) = self.source_type_ids.get(&ty) {
            return id;
        }
        let id = self.reserve_source_type(ty.clone());
        self.source_type_ids.insert(ty, id);
        id
    }

    /// A new id that `define_source_type` may change later: for records that mention themselves.
    pub fn reserve_source_type(&mut self, ty: SourceType) -> SourceTypeId {
        let id = SourceTypeId::new(self.source_types.len());
        self.source_types.push(ty);
        id
    }

    pub fn define_source_type(&mut self, id: SourceTypeId, ty: SourceType) {
        self.source_types[id.index()] = ty;
    }

    /// Whether two types are the same apart from typedef names.
    pub fn is_same_type(&self, a: SourceTypeId, b: SourceTypeId) -> bool {
        let (a, b) = (self.resolve_source_type(a), self.resolve_source_type(b));
        if a == b {
            return true;
        }
        match (self.source_type(a), self.source_type(b)) {
            (
                SourceType::Pointer { target: a, is_const: a_const },
                SourceType::Pointer { target: b, is_const: b_const },
            ) => a_const == b_const && self.is_same_type(*a, *b),
            (
                SourceType::Array { element: a, length: a_length },
                SourceType::Array { element: b, length: b_length },
            ) => a_length == b_length && self.is_same_type(*a, *b),
            (
                SourceType::Function { result: a, params: a_params, is_variadic: a_variadic },
                SourceType::Function { result: b, params: b_params, is_variadic: b_variadic },
            ) => {
                a_variadic == b_variadic
                    && a_params.len() == b_params.len()
                    && self.is_same_type(*a, *b)
                    && a_params.iter().zip(b_params).all(|(&a, &b)| self.is_same_type(a, b))
            }
            // Records and enums are equal by id; other types are interned.
            _ => false,
        }
    }

    /// `id` with typedef names removed.
    pub fn resolve_source_type(&self, mut id: SourceTypeId) -> SourceTypeId {
        while let SourceType::Named { target, .. } = self.source_type(id) {
            id = *target;
        }
        id
    }

    /// What a pointer of this type points to.
    pub fn pointee(&self, ty: SourceTypeId) -> Option<SourceTypeId> {
        let Shape::Pointer { target, .. } = self.shape(ty) else { return None };
        Some(target)
    }

    /// Bytes of a type in memory; 1 for `void`, functions and incomplete types.
    pub fn size_of_source_type(&self, ty: SourceTypeId) -> u64 {
        match self.shape(ty) {
            Shape::Void | Shape::Function => 1,
            Shape::Number(number) => number.size(),
            Shape::Pointer { .. } | Shape::Reference => self.pointers.bytes(),
            Shape::Array { element, length } => {
                self.size_of_source_type(element).saturating_mul(length.unwrap_or(0))
            }
            Shape::Record { size, fields: Some(_), .. } => size,
            Shape::Record { fields: None, .. } => 1,
            Shape::Opaque { size } => size.max(1),
        }
    }
}
