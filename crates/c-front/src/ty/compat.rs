//! When two types agree (C11 6.2.7), and the type that both describe.

use super::kind::{ArrayLength, FunctionType, IntKind, PrototypeStyle, TypeId, TypeKind};
use super::record::RecordId;
use super::table::TypeTable;

/// Recursion guard for mutually recursive records and absurdly deep types.
const MAX_DEPTH: u32 = 200;

impl TypeTable {
    /// Compatible types of one unit, qualifiers included.
    pub fn compatible(&self, left: TypeId, right: TypeId) -> bool {
        Comparison::new(self, Scope::OneUnit).agree(left, right, 0)
    }

    /// Compatible types of two units.
    pub fn compatible_across(&self, left: TypeId, right: TypeId) -> bool {
        Comparison::new(self, Scope::AcrossUnits).agree(left, right, 0)
    }

    /// Compatible apart from the qualifiers of the outermost level.
    pub fn compatible_unqualified(&self, left: TypeId, right: TypeId) -> bool {
        left == right || Comparison::new(self, Scope::OneUnit).kinds_agree(left, right, 0)
    }

    /// The type after default argument promotion.
    fn promoted_kind(&self, ty: TypeId) -> TypeId {
        if self.float_kind(ty) == Some(super::kind::FloatKind::Float) {
            return TypeTable::DOUBLE;
        }
        match self.int_kind(ty) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => TypeTable::INT,
            _ => ty,
        }
    }

    /// The type with what is known from both of two compatible types (C11 6.2.7p3).
    pub fn composite(&mut self, left: TypeId, right: TypeId) -> TypeId {
        if left == right || self.is_error(right) {
            return left;
        }
        if self.is_error(left) {
            return right;
        }
        let qualifiers = self.get(left).qualifiers;
        let kind = match (self.kind(left).clone(), self.kind(right).clone()) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => TypeKind::Pointer(self.composite(a, b)),
            (
                TypeKind::Array { element: a, length: m },
                TypeKind::Array { element: b, length: n },
            ) => {
                let length = match (m, n) {
                    (ArrayLength::Fixed(_), _) => m,
                    (_, ArrayLength::Fixed(_)) => n,
                    (ArrayLength::Variable(_), _) => m,
                    (_, ArrayLength::Variable(_)) => n,
                    _ => m,
                };
                TypeKind::Array { element: self.composite(a, b), length }
            }
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                TypeKind::Function(self.composite_function(&a, &b))
            }
            (kind, _) => kind,
        };
        let merged = self.intern(kind);
        self.qualified(merged, qualifiers)
    }

    fn composite_function(&mut self, a: &FunctionType, b: &FunctionType) -> FunctionType {
        let result = self.composite(a.result, b.result);
        let known = |f: &FunctionType| f.style != PrototypeStyle::Unspecified;
        let base = match (a.style, b.style) {
            (PrototypeStyle::Prototype, _) => a,
            (_, PrototypeStyle::Prototype) => b,
            _ if known(a) => a,
            _ => b,
        };
        let parameters = if a.style == b.style && a.parameters.len() == b.parameters.len() {
            let pairs = a.parameters.iter().zip(&b.parameters);
            pairs.map(|(&x, &y)| self.composite(x, y)).collect()
        } else {
            base.parameters.clone()
        };
        FunctionType { result, parameters, is_variadic: base.is_variadic, style: base.style }
    }
}

/// Whether records of different declarations may agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Within a unit a record agrees only with itself.
    OneUnit,
    /// Between units records agree if their tags and members do.
    AcrossUnits,
}

/// One question whether two types agree.
struct Comparison<'t> {
    types: &'t TypeTable,
    scope: Scope,
    /// Pairs of records that are being compared: inside them, they are taken to agree.
    assumed: Vec<(RecordId, RecordId)>,
}

impl<'t> Comparison<'t> {
    fn new(types: &'t TypeTable, scope: Scope) -> Comparison<'t> {
        Comparison { types, scope, assumed: Vec::new() }
    }

    fn agree(&mut self, left: TypeId, right: TypeId, depth: u32) -> bool {
        let types = self.types;
        if left == right || types.is_error(left) || types.is_error(right) || depth > MAX_DEPTH {
            return true;
        }
        types.get(left).qualifiers == types.get(right).qualifiers
            && self.kinds_agree(left, right, depth)
    }

    fn kinds_agree(&mut self, left: TypeId, right: TypeId, depth: u32) -> bool {
        let types = self.types;
        let depth = depth + 1;
        let is_across = self.scope == Scope::AcrossUnits;
        match (types.kind(left), types.kind(right)) {
            (TypeKind::Error, _) | (_, TypeKind::Error) => true,
            (&TypeKind::Enum(a), &TypeKind::Enum(b)) => {
                let underlying = |id| types.enumeration(id).underlying;
                a == b || is_across && underlying(a) == underlying(b)
            }
            (TypeKind::Enum(id), TypeKind::Int(kind))
            | (TypeKind::Int(kind), TypeKind::Enum(id)) => {
                types.enumeration(*id).underlying == Some(*kind)
            }
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.agree(*a, *b, depth),
            (
                TypeKind::Array { element: a, length: m },
                TypeKind::Array { element: b, length: n },
            ) => {
                let same_length = match (m, n) {
                    (ArrayLength::Fixed(m), ArrayLength::Fixed(n)) => m == n,
                    _ => true,
                };
                same_length && self.agree(*a, *b, depth)
            }
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                self.agree(a.result, b.result, depth) && self.parameters_agree(a, b, depth)
            }
            (&TypeKind::Record(a), &TypeKind::Record(b)) => {
                a == b || is_across && self.records_agree(a, b, depth)
            }
            (a, b) => a == b,
        }
    }

    fn parameters_agree(&mut self, a: &FunctionType, b: &FunctionType, depth: u32) -> bool {
        use PrototypeStyle as S;
        match (a.style, b.style) {
            (S::Prototype, S::Prototype) => {
                let mut pairs = a.parameters.iter().zip(&b.parameters);
                a.is_variadic == b.is_variadic
                    && a.parameters.len() == b.parameters.len()
                    && pairs.all(|(&x, &y)| self.agree(x, y, depth))
            }
            (S::Prototype, S::Unspecified) => self.is_promoted(a),
            (S::Unspecified, S::Prototype) => self.is_promoted(b),
            (S::Prototype, S::OldStyle) => self.matches_old_style(a, b, depth),
            (S::OldStyle, S::Prototype) => self.matches_old_style(b, a, depth),
            (S::OldStyle | S::Unspecified, S::OldStyle | S::Unspecified) => true,
        }
    }

    /// No parameter changes by the default argument promotions.
    fn is_promoted(&self, function: &FunctionType) -> bool {
        let is_promoted = |&ty: &TypeId| self.types.promoted_kind(ty) == ty;
        !function.is_variadic && function.parameters.iter().all(is_promoted)
    }

    fn matches_old_style(
        &mut self,
        prototype: &FunctionType,
        old: &FunctionType,
        depth: u32,
    ) -> bool {
        !prototype.is_variadic
            && prototype.parameters.len() == old.parameters.len()
            && prototype.parameters.iter().zip(&old.parameters).all(|(&x, &y)| {
                // gcc also accepts a prototype with the unpromoted type.
                self.agree(x, self.types.promoted_kind(y), depth) || self.agree(x, y, depth)
            })
    }

    fn records_agree(&mut self, a: RecordId, b: RecordId, depth: u32) -> bool {
        if self.assumed.contains(&(a, b)) {
            return true;
        }
        let (left, right) = (self.types.record(a), self.types.record(b));
        if left.kind != right.kind || left.tag != right.tag {
            return false;
        }
        let (Some(x), Some(y)) = (&left.body, &right.body) else { return true };
        self.assumed.push((a, b));
        x.size == y.size
            && x.fields.len() == y.fields.len()
            && x.fields.iter().zip(&y.fields).all(|(f, g)| {
                f.name == g.name
                    && f.offset == g.offset
                    && f.bits == g.bits
                    && self.agree(f.ty, g.ty, depth)
            })
    }
}
