//! How objects of a JVM program lie in byte memory.
//!
//! Front-ends lower objects to memory: a reference is a `Ptr`, null is the null pointer. Every object
//! starts with the number of its class (`Int(32)` at 0). Objects have their identity hash at 4 (0 until
//! it is first read) and fields behind it, superclass first, each aligned to its size. Arrays have their
//! length (`Int(32)`) at 4 and elements from 8 on.

use std::collections::BTreeMap;

use crate::id::{ClassId, FieldId, FuncId, GlobalId, SourceTypeId};
use crate::ty::Ty;

/// Where an object's class number is.
pub const CLASS_NUMBER: u64 = 0;
/// Where an object keeps its identity hash.
pub const IDENTITY_HASH: u64 = 4;
/// Where an array's length is.
pub const ARRAY_LENGTH: u64 = 4;
/// Where fields and elements begin.
pub const CONTENTS: u64 = 8;

/// The classes of a program as memory knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectLayout {
    /// By class number. Entry 0 is no class.
    pub types: Vec<TypeLayout>,
    /// The pending exception: a function that throws sets it and returns. Null otherwise.
    pub pending: GlobalId,
    /// By function: numbers of the types that it asks for by tests and casts, in order.
    pub asked: BTreeMap<FuncId, Vec<u32>>,
}

/// One class or array type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeLayout {
    /// As `Class.getName` gives it.
    pub name: String,
    pub kind: TypeKind,
    /// `SourceType::Class` or `SourceType::ClassArray`.
    pub source_type: SourceTypeId,
    /// The superclass's number.
    pub superclass: Option<u32>,
    /// Objects of this very class are made somewhere, or may come in as inputs; code that dispatches on
    /// class numbers expects no others.
    pub is_instantiated: bool,
    /// No class can be below it: a reference to it is to an object of this very class.
    pub is_final: bool,
    /// Abstract classes and interfaces have no objects of their own.
    pub is_abstract: bool,
    /// Of the JDK or of its models, and not asked for by name.
    pub is_library: bool,
    /// Any field values make an object that a program could have, so that inputs may be such objects.
    pub has_free_fields: bool,
    /// A class of ours that implements an interface: inputs where the interface is asked for, and only there.
    pub is_stand_in: bool,
    /// What the class of its objects is called is up to the JVM: lambdas, method references, and what classes give that
    /// stand aside.
    pub is_nameless: bool,
    /// Objects of this type as records, for inputs: one for a class; for an array, one per length from
    /// 0 on, as far as `Program::shape_objects` was asked for. Empty before.
    pub shapes: Vec<SourceTypeId>,
    /// Numbers of instantiated types below this one, itself included: sorted, disjoint, inclusive.
    pub subtypes: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    Class {
        class: ClassId,
        /// Bytes of an object.
        size: u64,
        /// All fields, inherited ones first, with their offsets.
        fields: Vec<(FieldId, u64)>,
    },
    Array {
        element: SourceTypeId,
        /// As elements lie in memory.
        element_ty: Ty,
    },
}

impl ObjectLayout {
    /// The number of the type of this name.
    pub fn number_of(&self, name: &str) -> Option<u32> {
        let position = self.types.iter().position(|ty| ty.name == name)?;
        u32::try_from(position).ok()
    }

    /// The number of the type that a source type is.
    pub fn number_of_source(&self, ty: SourceTypeId) -> Option<u32> {
        let position = self.types.iter().skip(1).position(|layout| layout.source_type == ty)?;
        u32::try_from(position + 1).ok()
    }

    /// Numbers of the types whose objects a reference to type `number` may refer to: the type itself
    /// first.
    pub fn below(&self, number: u32) -> Vec<u32> {
        let Some(ty) = self.get(number) else { return Vec::new() };
        let is_made = |below: &u32| self.get(*below).is_some_and(|ty| ty.is_instantiated);
        let all = ty.subtypes.iter().flat_map(|&(low, high)| low..=high).filter(is_made);
        let (own, others): (Vec<u32>, Vec<u32>) = all.partition(|below| *below == number);
        own.into_iter().chain(others).collect()
    }

    /// Whether a class is the user's, or was asked for by name.
    pub fn is_own(&self, class: ClassId) -> bool {
        let is_it =
            |ty: &&TypeLayout| matches!(ty.kind, TypeKind::Class { class: id, .. } if id == class);
        self.types.iter().find(is_it).is_some_and(|ty| !ty.is_library)
    }

    pub fn get(&self, number: u32) -> Option<&TypeLayout> {
        self.types.get(number as usize).filter(|_| number != 0)
    }
}
