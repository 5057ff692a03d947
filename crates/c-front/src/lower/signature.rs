//! Signatures: how C types travel in and out of functions, and the declaration of every function.

use glassbox_ir as ir;
use glassbox_ir::{
    FileOrigin, FuncId, Linkage, Origin, Param, Passing, PointerSize, ResultPassing, Ty,
};
use glassbox_library::{Class, Determinism, Operator};

use super::ProgramLowering;
use crate::front::HarnessShape;
use crate::tree;
use crate::ty::kind::{FunctionType, IntKind, PrototypeStyle, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// How calls of one function type pass arguments and result.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    /// Without the result's address.
    pub(super) params: Vec<(Ty, Passing)>,
    pub(super) result: ResultPassing,
    pub(super) is_variadic: bool,
}

/// The IR type of a scalar value; `None` for what lives in memory only: records, arrays, `void`,
/// functions, extended floats, complex numbers, vectors.
pub(super) fn scalar(types: &TypeTable, ty: TypeId) -> Option<Ty> {
    match types.kind(ty) {
        TypeKind::Int(kind) => Some(Ty::Int(kind.width())),
        TypeKind::Enum(_) => {
            Some(Ty::Int(types.int_kind(ty).unwrap_or(IntKind::UnsignedInt).width()))
        }
        TypeKind::Float(kind) => kind.format().map(Ty::Float),
        TypeKind::Pointer(_) => Some(Ty::Ptr),
        TypeKind::Void
        | TypeKind::Complex(_)
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function(_)
        | TypeKind::Vector { .. }
        | TypeKind::Error => None,
    }
}

/// The default argument promotion of a scalar, as an IR type.
pub(super) fn promoted(types: &TypeTable, ty: TypeId) -> Option<Ty> {
    match scalar(types, ty)? {
        Ty::Int(width) => Some(Ty::Int(width.max(32))),
        Ty::Float(_) => Some(Ty::F64),
        Ty::Ptr => Some(Ty::Ptr),
    }
}

pub(super) fn passing(types: &TypeTable, ty: TypeId, style: PrototypeStyle) -> (Ty, Passing) {
    let direct = match style {
        PrototypeStyle::OldStyle => promoted(types, ty),
        PrototypeStyle::Prototype | PrototypeStyle::Unspecified => scalar(types, ty),
    };
    match direct {
        Some(direct) => (direct, Passing::Direct),
        None => (Ty::Ptr, Passing::Indirect),
    }
}

pub(super) fn result_passing(types: &TypeTable, ty: TypeId) -> ResultPassing {
    if types.is_void(ty) || types.is_error(ty) {
        return ResultPassing::Void;
    }
    scalar(types, ty).map_or(ResultPassing::Indirect, ResultPassing::Direct)
}

pub(super) fn signature(types: &TypeTable, function: &FunctionType) -> Signature {
    let params = function.parameters.iter().map(|&ty| passing(types, ty, function.style)).collect();
    Signature {
        params,
        result: result_passing(types, function.result),
        is_variadic: function.is_variadic || function.style == PrototypeStyle::Unspecified,
    }
}

/// Whether calls of a function as it is declared can be calls of its model: old programs declare library
/// functions with an integer of another width here and there, or without parameters.
pub(crate) fn fits_model(
    program: &tree::Program,
    declared: tree::FunctionId,
    model: tree::FunctionId,
) -> bool {
    let types = &program.types;
    let ty = |id| types.function_type(program.function(id).ty);
    let (Some(declared), Some(model)) = (ty(declared), ty(model)) else { return false };
    let is_unspecified = declared.style == PrototypeStyle::Unspecified;
    let (declared, model) = (signature(types, declared), signature(types, model));
    // Models are written for a `long` of 64 bits; elsewhere they have to have the very type.
    let is_loose = types.pointers() == PointerSize::Eight;
    let is_alike = |a: Ty, b: Ty| a == b || is_loose && matches!((a, b), (Ty::Int(_), Ty::Int(_)));
    let has_result = match (declared.result, model.result) {
        (ResultPassing::Direct(a), ResultPassing::Direct(b)) => is_alike(a, b),
        (a, b) => a == b,
    };
    let has_params = declared.params.len() == model.params.len()
        && declared.is_variadic == model.is_variadic
        && declared.params.iter().zip(&model.params).all(|(a, b)| a.1 == b.1 && is_alike(a.0, b.0));
    has_result && (is_unspecified || has_params)
}

impl ProgramLowering<'_> {
    /// Gives defined functions their ids, in the order of the source; others get theirs when used.
    pub(super) fn declare_functions(&mut self) {
        for id in self.tree.function_ids() {
            if self.tree.function(id).body.is_some() {
                self.function_id(id);
            }
        }
    }

    /// The id of a function; a library function and its model share one.
    pub(super) fn function_id(&mut self, id: tree::FunctionId) -> FuncId {
        let id = self.models.user_of(id).unwrap_or(id);
        if let Some(func) = self.functions[id.0 as usize] {
            return func;
        }
        let func = self.declare_function(id);
        self.functions[id.0 as usize] = Some(func);
        func
    }

    fn declare_function(&mut self, id: tree::FunctionId) -> FuncId {
        let tree = self.tree;
        let function = tree.function(self.models.model_of(id).unwrap_or(id));
        let name = self.models.library_name(tree, id).to_owned();
        let types = &tree.types;
        let Some(ty) = types.function_type(function.ty) else {
            unreachable!("a function should have a function type")
        };
        let Signature { params: passed, result, is_variadic } = signature(types, ty);
        let mut params = Vec::new();
        if result == ResultPassing::Indirect {
            let target = self.source_type(ty.result);
            let pointer = ir::SourceType::Pointer { target, is_const: false };
            let source_type = self.out.intern_source_type(pointer);
            let (ty, passing) = (Ty::Ptr, Passing::Direct);
            params.push(Param { name: String::new(), ty, source_type, passing });
        }
        for (position, (&source, (ty, passing))) in ty.parameters.iter().zip(passed).enumerate() {
            let variable = function.body.as_ref().and_then(|body| body.parameters.get(position));
            let name = variable.map_or("", |&variable| tree.name(tree.variable(variable).name));
            let source_type = match variable {
                Some(&variable) => self.declared_source_type(source, tree.variable(variable).span),
                None => self.source_type(source),
            };
            params.push(Param { name: name.to_owned(), ty, source_type, passing });
        }
        let is_defined = function.body.is_some();
        let linkage = match function.linkage {
            tree::Linkage::External => Linkage::External,
            tree::Linkage::Internal | tree::Linkage::None => Linkage::Internal,
        };
        let span = self.place_of(function.span);
        let mut origin = self.origin_at(span);
        if origin == Origin::User && !is_defined && is_library(&name, &params, result) {
            origin = Origin::System;
        }
        let lowered = ir::Function {
            linkage,
            origin,
            params,
            result,
            result_source_type: self.declared_source_type(ty.result, function.span),
            is_variadic: if is_defined { ty.is_variadic } else { is_variadic },
            is_noreturn: function.is_noreturn || !is_defined && never_returns(&name),
            name,
            method: None,
            body: None,
            span,
        };
        let func = FuncId::new(self.out.functions.len());
        self.out.functions.push(lowered);
        func
    }

    /// The origin of a function that is declared here; those of harnesses are set at the end.
    fn origin_at(&self, place: ir::Span) -> Origin {
        if place.is_nowhere() {
            return Origin::System;
        }
        match self.out.file(place.file).origin {
            FileOrigin::User => Origin::User,
            FileOrigin::System => Origin::System,
            FileOrigin::Model => Origin::LibraryModel,
        }
    }

    /// Says which functions call or judge others, when all that are used have their ids.
    pub(super) fn mark_harnesses(&mut self) {
        for id in self.tree.function_ids() {
            let Some((shape, of)) = self.tree.function(id).harness_of else { continue };
            let of = self.models.user_of(of).unwrap_or(of);
            let (Some(harness), of) =
                (self.functions[id.0 as usize], self.functions[of.0 as usize])
            else {
                continue;
            };
            self.out.functions[harness.index()].origin = match (of, shape) {
                (Some(of), HarnessShape::Same) => Origin::Harness { of },
                (Some(of), HarnessShape::Test) => Origin::Requirement { of },
                (Some(of), HarnessShape::Judge) => Origin::Promise { of },
                (Some(of), HarnessShape::Relation) => Origin::Relation { of },
                (Some(of), HarnessShape::Variant) => Origin::Variant { of },
                // Nothing calls what it judges.
                (None, _) => Origin::Runtime,
            };
        }
    }
}

/// Whether a function that the program declares itself, and does not define, is the library's: by its name
/// and by its types, because a program may have a `log` of its own.
fn is_library(name: &str, params: &[Param], result: ResultPassing) -> bool {
    let Some(known) = glassbox_library::find(name) else { return name.starts_with("__builtin_") };
    let class = |ty: Ty| match ty {
        Ty::Int(_) => Class::Integer,
        Ty::Float(_) => Class::Float,
        Ty::Ptr => Class::Pointer,
    };
    let result = match result {
        ResultPassing::Void => Class::Void,
        ResultPassing::Direct(ty) => class(ty),
        ResultPassing::Indirect => Class::Memory,
    };
    let params: Vec<Class> = params.iter().map(|param| class(param.ty)).collect();
    // Verification tools do not agree about the types of their assertions.
    let is_condition = matches!(
        known.row.operator,
        Some(Operator::AssertionFailure | Operator::Assert | Operator::Relate | Operator::Assume)
    );
    let is_own = known.row.determinism == Determinism::Input && known.row.input_most.is_none();
    !is_own && (is_condition || known.signature.fits(result, &params))
}

/// Library functions that never return even where a program declares them plainly.
fn never_returns(name: &str) -> bool {
    glassbox_library::find(name).is_some_and(|function| function.row.control.never_returns())
}
