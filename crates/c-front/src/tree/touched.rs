//! What a function and those that it calls have to do with besides their parameters: variables that outlive calls,
//! functions that are not defined, pointers to functions.

use std::collections::BTreeSet;

use glassbox_library::{Determinism, Reads};

use super::builtin::Builtin;
use super::declaration::{FunctionId, Storage, VariableId};
use super::expr::{Callee, Conversion, Expr, ExprId, ExprKind};
use super::init::{AddressBase, Constant, Init, InitValue};
use super::program::Program;
use crate::ty::kind::{PrototypeStyle, TypeId, TypeKind};

/// Records, arrays and pointers inside of each other that are looked into for pointers to constants.
const MAX_DEPTH: usize = 8;

/// What calls of a function may see or change besides what is passed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Variables of static storage that are not constant, in the order of their declarations; also those that constant
    /// ones have the address of.
    pub statics: BTreeSet<VariableId>,
    /// Undefined functions that do more than answer what arguments and memory fix: input, output, the surroundings.
    pub undefined: BTreeSet<FunctionId>,
    /// The function itself is among those that are called.
    pub is_recursive: bool,
    /// Something is called through a pointer.
    pub calls_through_pointer: bool,
    /// Something is stored through a pointer, and a pointer to something constant may have become one by which it can be
    /// changed.
    pub changes_constants: bool,
}

impl Program {
    /// What the function and everything that it mentions touches. Functions that are only mentioned count as called.
    pub fn touched(&self, function: FunctionId) -> Touched {
        let mut touched = Touched::default();
        let mut seen = BTreeSet::from([function]);
        let mut queue = vec![function];
        let (mut stores, mut loses_const) = (false, false);
        let mut constants = BTreeSet::new();
        while let Some(next) = queue.pop() {
            let Some(body) = &self.function(next).body else {
                stores |= self.writes_through(next);
                if !self.is_fixed(next) {
                    touched.undefined.insert(next);
                }
                loses_const |= self.gives_changeable(next);
                continue;
            };
            for (_, expr) in self.exprs_within(body.span) {
                let kind = &expr.kind;
                stores |= self.stores_through(kind);
                loses_const |= self.may_lose_const(expr);
                if let ExprKind::Variable(id) = kind {
                    self.touch(*id, &mut constants, &mut touched.statics);
                } else if let ExprKind::Function(id)
                | ExprKind::Call { callee: Callee::Direct(id), .. } = kind
                {
                    touched.is_recursive |= *id == function;
                    if seen.insert(*id) {
                        queue.push(*id);
                    }
                } else if let ExprKind::Call { callee: Callee::Indirect(_), .. } = kind {
                    touched.calls_through_pointer = true;
                }
            }
        }
        touched.changes_constants = stores && loses_const;
        touched
    }

    /// Notes a variable that outlives calls. By a constant one code comes to what it has the address of; where no unit says
    /// what that is, the pointer itself counts.
    fn touch(
        &self,
        id: VariableId,
        constants: &mut BTreeSet<VariableId>,
        statics: &mut BTreeSet<VariableId>,
    ) {
        let variable = self.variable(id);
        if variable.storage != Storage::Static {
            return;
        }
        if !self.types.get(self.innermost(id)).qualifiers.is_const {
            statics.insert(id);
            return;
        }
        if !constants.insert(id) {
            return;
        }
        if !variable.is_defined && self.holds_pointer(variable.ty, &|_| true, 0) {
            statics.insert(id);
        }
        let values: Vec<&InitValue> = match &variable.init {
            None => Vec::new(),
            Some(Init::Value(value)) => vec![value],
            Some(Init::Items(items)) => items.iter().map(|item| &item.value).collect(),
        };
        for value in values {
            match value {
                InitValue::Constant(Constant::Address {
                    base: AddressBase::Variable(other),
                    ..
                }) => self.touch(*other, constants, statics),
                InitValue::Constant(_) | InitValue::String(_) => {}
                InitValue::Expr(_) | InitValue::Unsupported(_) => {
                    statics.insert(id);
                }
            }
        }
    }

    /// Whether values of a type have a pointer in them whose target is as asked.
    fn holds_pointer(&self, ty: TypeId, is_it: &dyn Fn(TypeId) -> bool, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return true;
        }
        match self.types.kind(ty) {
            TypeKind::Pointer(target) => {
                is_it(*target) || self.holds_pointer(*target, is_it, depth + 1)
            }
            TypeKind::Array { element, .. } => self.holds_pointer(*element, is_it, depth + 1),
            TypeKind::Record(id) => self.types.record_body(*id).is_some_and(|body| {
                body.fields.iter().any(|field| self.holds_pointer(field.ty, is_it, depth + 1))
            }),
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Function(_)
            | TypeKind::Vector { .. }
            | TypeKind::Error => false,
        }
    }

    fn holds_pointer_to_constant(&self, ty: TypeId) -> bool {
        let is_const = |target: TypeId| self.types.qualifiers(target).is_const;
        self.holds_pointer(ty, &is_const, 0)
    }

    /// Whether an expression stores somewhere else than in a variable that it names.
    fn stores_through(&self, kind: &ExprKind) -> bool {
        if let ExprKind::Assign { target, .. }
        | ExprKind::CompoundAssign { target, .. }
        | ExprKind::PointerAssign { target, .. }
        | ExprKind::IncDec { target, .. } = kind
        {
            return !self.is_in_variable(*target);
        }
        if let ExprKind::Builtin { builtin, .. } = kind {
            let is_list = matches!(
                builtin,
                Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy | Builtin::VaArg
            );
            return !is_list;
        }
        matches!(kind, ExprKind::Unsupported(_))
    }

    /// Whether a place is in a variable, whatever pointers hold.
    fn is_in_variable(&self, place: ExprId) -> bool {
        let kind = &self.expr(place).kind;
        if let ExprKind::Member { base, .. } = kind {
            return self.is_in_variable(*base);
        }
        if let ExprKind::Deref(pointer) = kind {
            return self.is_into_array(*pointer);
        }
        matches!(kind, ExprKind::Variable(_) | ExprKind::CompoundLiteral { .. })
    }

    fn is_into_array(&self, pointer: ExprId) -> bool {
        let kind = &self.expr(pointer).kind;
        if let ExprKind::PointerAdd { pointer, .. } = kind {
            return self.is_into_array(*pointer);
        }
        matches!(kind, ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. }
            if self.is_in_variable(*operand))
    }

    /// Whether an undefined function may store through what it is given.
    fn writes_through(&self, function: FunctionId) -> bool {
        let known = glassbox_library::find(self.name(self.function(function).name));
        known.is_none_or(|known| known.row.writes != 0)
    }

    /// Whether by an expression a pointer to something constant may become one by which it can be changed: a conversion, a
    /// union, an argument whose parameter has another type.
    fn may_lose_const(&self, expr: &Expr) -> bool {
        if let ExprKind::Convert { conversion, operand, .. } = &expr.kind
            && self.loses_const(*conversion, *operand, expr.ty)
        {
            return true;
        }
        if let ExprKind::Call { callee: Callee::Direct(id), arguments } = &expr.kind {
            let callee = self.function(*id);
            let is_library =
                callee.body.is_none() && glassbox_library::find(self.name(callee.name)).is_some();
            let declared = self.types.function_type(callee.ty);
            let parameters = declared
                .filter(|it| it.style == PrototypeStyle::Prototype)
                .map_or(&[][..], |it| &it.parameters);
            // A definition after the call may say what was not known there.
            let is_as_declared = |at: usize, ty: TypeId| {
                let parameter = parameters.get(at);
                parameter.is_some_and(|&it| self.types.compatible_unqualified(it, ty))
            };
            let mut types = arguments.iter().map(|&it| self.expr(it).ty).enumerate();
            return !is_library
                && types
                    .any(|(at, ty)| self.holds_pointer_to_constant(ty) && !is_as_declared(at, ty));
        }
        self.types.is_union(expr.ty) && self.holds_pointer_to_constant(expr.ty)
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
        let from = self.expr(operand).ty;
        let is_changed = match conversion {
            Conversion::PointerToPointer => !is_const(ty),
            Conversion::PointerToInt => true,
            Conversion::ToUnion { .. } => return self.holds_pointer_to_constant(from),
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
            | Conversion::Same => false,
        };
        // Pointers in memory that is seen by another type.
        let targets = self.types.pointee(from).zip(self.types.pointee(ty));
        let is_other_view = targets.is_some_and(|(from, to)| {
            !self.types.compatible_unqualified(from, to) && self.holds_pointer_to_constant(from)
        });
        let is_number = conversion == Conversion::PointerToInt
            && self.types.pointee(from).is_some_and(|it| self.holds_pointer_to_constant(it));
        is_changed && is_const(from) || is_other_view || is_number
    }

    /// Whether a function of the library makes of pointers to constants one by which they can be changed: `strchr` as its
    /// result, `strtol` by a pointer to a pointer.
    fn gives_changeable(&self, function: FunctionId) -> bool {
        let known = glassbox_library::find(self.name(self.function(function).name));
        known.is_some_and(|known| {
            let is_pointer = |text: &String| text.contains('*') && !text.contains("(*");
            let params = &known.signature.params;
            let mut pointers = params.iter().filter(|param| is_pointer(param)).peekable();
            let leaves = |param: &String| {
                param.matches('*').count() > 1 && !param.contains("const") && is_pointer(param)
            };
            if params.iter().any(leaves) && params.iter().any(|it| it.contains("const")) {
                return true;
            }
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
