//! Classes, fields and methods: the object-oriented half of a program.

use crate::id::{ClassId, FieldId, FuncId, MethodId, SourceTypeId};
use crate::ty::Ty;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Binary name with dots, such as `java.util.TreeMap$Entry`.
    pub name: String,
    pub superclass: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    pub is_interface: bool,
    pub is_abstract: bool,
    /// Declared here, in class-file order; inherited ones are the superclass's.
    pub fields: Vec<FieldId>,
    pub methods: Vec<MethodId>,
    /// The static initializer.
    pub initializer: Option<FuncId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub class: ClassId,
    pub name: String,
    pub ty: Ty,
    pub source_type: SourceTypeId,
    pub is_static: bool,
    pub is_final: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    pub class: ClassId,
    pub name: String,
    /// JVM descriptor; with the name it identifies what overrides what.
    pub descriptor: String,
    pub is_static: bool,
    pub is_abstract: bool,
    /// The code, unless the method is abstract or not loaded.
    pub function: Option<FuncId>,
}
