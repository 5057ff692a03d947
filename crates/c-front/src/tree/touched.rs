//! What a function and those that it calls have to do with besides their parameters: variables that outlive calls,
//! functions that are not defined, pointers to functions.

use std::collections::BTreeSet;

use glassbox_library::{Determinism, Reads};

use super::declaration::{FunctionId, Storage, VariableId};
use super::expr::{Callee, Conversion, ExprId, ExprKind};
use super::program::Program;
use crate::ty::kind::TypeId;

/// What calls of a function may see or change besides what is passed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Variables of static storage that are not constant, in the order of their declarations.
    pub statics: BTreeSet<VariableId>,
    /// Undefined functions that do more than answer what arguments and memory fix: input, output, the surroundings.
    pub undefined: BTreeSet<FunctionId>,
    /// The function itself is among those that are called.
    pub is_recursive: bool,
    /// Something is called through a pointer.
    pub calls_through_pointer: bool,
    /// A pointer to something constant becomes one by which it can be changed.
    pub loses_const: bool,
}

impl Program {
    /// What the function and everything that it mentions touches. Functions that are only mentioned count as called.
    pub fn touched(&self, function: FunctionId) -> Touched {
        let mut touched = Touched::default();
        let mut seen = BTreeSet::from([function]);
        let mut queue = vec![function];
        while let Some(next) = queue.pop() {
            let Some(body) = &self.function(next).body else {
                if !self.is_fixed(next) {
                    touched.undefined.insert(next);
                }
                touched.loses_const |= self.gives_changeable(next);
                continue;
            };
            for (_, expr) in self.exprs_within(body.span) {
                let kind = &expr.kind;
                if let ExprKind::Variable(id) = kind {
                    let variable = self.variable(*id);
                    let is_const = self.types.get(self.innermost(*id)).qualifiers.is_const;
                    if variable.storage == Storage::Static && !is_const {
                        touched.statics.insert(*id);
                    }
                } else if let ExprKind::Function(id)
                | ExprKind::Call { callee: Callee::Direct(id), .. } = kind
                {
                    touched.is_recursive |= *id == function;
                    if seen.insert(*id) {
                        queue.push(*id);
                    }
                } else if let ExprKind::Call { callee: Callee::Indirect(_), .. } = kind {
                    touched.calls_through_pointer = true;
                } else if let ExprKind::Convert { conversion, operand, .. } = kind {
                    touched.loses_const |= self.loses_const(*conversion, *operand, expr.ty);
                }
            }
        }
        touched
    }

    /// Whether the function or one that it calls mentions objects that outlive calls: variables, constant ones included,
    /// and texts.
    pub fn has_objects(&self, function: FunctionId) -> bool {
        let mut seen = BTreeSet::from([function]);
        let mut queue = vec![function];
        while let Some(next) = queue.pop() {
            let Some(body) = &self.function(next).body else { continue };
            for (_, expr) in self.exprs_within(body.span) {
                let is_static = |id| self.variable(id).storage == Storage::Static;
                if matches!(expr.kind, ExprKind::Variable(id) if is_static(id))
                    || matches!(expr.kind, ExprKind::String(_))
                {
                    return true;
                }
                if let ExprKind::Call { callee: Callee::Direct(id), .. } = expr.kind
                    && seen.insert(id)
                {
                    queue.push(id);
                }
            }
        }
        false
    }

    /// Whether a conversion makes of a pointer to something constant one by which it can be changed, or a number.
    fn loses_const(&self, conversion: Conversion, operand: ExprId, ty: TypeId) -> bool {
        let is_const = |ty: TypeId| {
            let target = self.types.pointee(ty);
            target.is_some_and(|target| self.types.qualifiers(target).is_const)
        };
        let is_changed = match conversion {
            Conversion::PointerToPointer => !is_const(ty),
            Conversion::PointerToInt => true,
            Conversion::Load
            | Conversion::ArrayDecay
            | Conversion::FunctionDecay
            | Conversion::IntToInt
            | Conversion::ToBool
            | Conversion::IntToFloat
            | Conversion::FloatToInt
            | Conversion::FloatToFloat
            | Conversion::IntToPointer
            | Conversion::NullToPointer
            | Conversion::ToVoid
            | Conversion::Same
            | Conversion::ToUnion { .. } => false,
        };
        is_changed && is_const(self.expr(operand).ty)
    }

    /// Whether a function of the library makes of pointers to constants one by which they can be changed: `strchr`.
    fn gives_changeable(&self, function: FunctionId) -> bool {
        let known = glassbox_library::find(self.name(self.function(function).name));
        known.is_some_and(|known| {
            let is_pointer = |text: &String| text.contains('*') && !text.contains("(*");
            let params = &known.signature.params;
            let mut pointers = params.iter().filter(|param| is_pointer(param)).peekable();
            is_pointer(&known.signature.result)
                && !known.signature.result.contains("const")
                && !known.row.allocates
                && pointers.peek().is_some()
                && pointers.all(|param| param.contains("const"))
        })
    }

    /// Qualifiers of an array are those of its elements.
    fn innermost(&self, variable: VariableId) -> TypeId {
        let mut ty = self.variable(variable).ty;
        while let Some(element) = self.types.element(ty) {
            ty = element;
        }
        ty
    }

    /// Whether a call of an undefined function does nothing but what its arguments and memory fix.
    fn is_fixed(&self, function: FunctionId) -> bool {
        let known = glassbox_library::find(self.name(self.function(function).name));
        known.is_some_and(|known| {
            let row = &known.row;
            let is_determined = match row.determinism {
                Determinism::Fixed | Determinism::SignOnly | Determinism::SameSign => true,
                Determinism::Surroundings | Determinism::Input => false,
            };
            is_determined
                && !row.is_output
                && row.reads == Reads::Nothing
                && !row.control.is_beyond_order()
                && !row.keeps_arguments
                && !row.remembers
                && !row.changes_rounding
        })
    }
}
