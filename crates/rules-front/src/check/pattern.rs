//! Patterns: linear, with fresh variables, of the type of what they are compared with.

use super::{Checked, Checker, Scope, similar};
use crate::problem::{Problem, Spot};
use crate::spec::{CONS, DataKind, NIL, Pattern, Type};
use crate::tree::{Name, PatternKind, PatternTree};

impl Checker {
    /// The type that a pattern shows, for numbers and empty lists that are compared with it.
    pub(super) fn pattern_hint(&self, tree: &PatternTree) -> Option<Type> {
        match &tree.kind {
            PatternKind::Name(name) => {
                self.constructor_named(name).map(|(data, _)| Type::Data(data))
            }
            PatternKind::Apply { name, .. } => {
                self.constructor_named(&name.text).map(|(data, _)| Type::Data(data))
            }
            PatternKind::Bool(_) => Some(Type::Bool),
            PatternKind::Any
            | PatternKind::Number(_)
            | PatternKind::Record { .. }
            | PatternKind::List { .. }
            | PatternKind::Raise(_) => None,
        }
    }

    pub(super) fn pattern(
        &self,
        tree: &PatternTree,
        ty: Type,
        scope: &mut Scope,
    ) -> Checked<Pattern> {
        if let PatternKind::Raise(name) = &tree.kind {
            return Ok(Pattern::Raise(self.exception_named(name)?));
        }
        self.inner_pattern(tree, ty, scope)
    }

    fn inner_pattern(&self, tree: &PatternTree, ty: Type, scope: &mut Scope) -> Checked<Pattern> {
        let differs = |found: &str| -> Checked<Pattern> {
            let wanted = self.spec.type_name(ty);
            let message = format!("this pattern is for {found}, and the value is a `{wanted}`");
            Err(Problem::new(tree.spot, message))
        };
        match &tree.kind {
            PatternKind::Any => Ok(Pattern::Any),
            PatternKind::Bool(value) => match ty {
                Type::Bool => Ok(Pattern::Bool(*value)),
                Type::Int(_) | Type::Data(_) => differs("a `bool`"),
            },
            PatternKind::Number(number) => match ty {
                Type::Int(int) if int.contains(*number) => Ok(Pattern::Int(*number)),
                Type::Int(int) => {
                    let message = format!("{number} does not fit into `{}`", int.name());
                    Err(Problem::new(tree.spot, message))
                }
                Type::Bool | Type::Data(_) => differs("a number"),
            },
            PatternKind::Name(name) => {
                let label = Name { text: name.clone(), spot: tree.spot };
                if name.starts_with(|c: char| c.is_ascii_uppercase()) {
                    return self.made(&label, &[], ty, scope);
                }
                if scope.variables.iter().any(|(known, _)| known == name) {
                    let message = format!("`{name}` has a value already");
                    let help = "patterns bind new names; compare with `==` in a premise of its own";
                    return Err(Problem::new(tree.spot, message).help(help));
                }
                scope.variables.push((name.clone(), ty));
                Ok(Pattern::Bind(scope.variables.len() - 1))
            }
            PatternKind::Apply { name, args } => self.made(name, args, ty, scope),
            PatternKind::Record { name, fields } => {
                let data = self.record_named(name)?;
                if ty != Type::Data(data) {
                    return differs(&format!("a `{}`", name.text));
                }
                let known = &self.spec.datas[data].constructors[0].fields;
                let types: Vec<Type> = known.iter().map(|field| field.ty).collect();
                let mut args = vec![Pattern::Any; known.len()];
                for (label, inner) in fields {
                    let field = self.field_named(data, label)?;
                    args[field] = self.inner_pattern(inner, types[field], scope)?;
                }
                Ok(Pattern::Make { data, constructor: 0, args })
            }
            PatternKind::List { items, rest } => {
                let Type::Data(data) = ty else { return differs("a list") };
                let DataKind::List(element) = self.spec.datas[data].kind else {
                    return differs("a list");
                };
                let mut parts = Vec::new();
                for item in items {
                    parts.push(self.inner_pattern(item, element, scope)?);
                }
                let mut list = match rest {
                    Some(rest) => self.inner_pattern(rest, ty, scope)?,
                    None => Pattern::Make { data, constructor: NIL, args: Vec::new() },
                };
                for part in parts.into_iter().rev() {
                    list = Pattern::Make { data, constructor: CONS, args: vec![part, list] };
                }
                Ok(list)
            }
            PatternKind::Raise(name) => {
                let message = "an exception ends the whole expression, not a part of its value";
                Err(Problem::new(name.spot, message))
            }
        }
    }

    fn made(
        &self,
        name: &Name,
        args: &[PatternTree],
        ty: Type,
        scope: &mut Scope,
    ) -> Checked<Pattern> {
        let Some((data, constructor)) = self.constructor_named(&name.text) else {
            let known: Vec<&str> =
                self.constructors.iter().map(|(known, _, _)| known.name.as_str()).collect();
            return Err(similar::unknown("constructor", name, &known));
        };
        if ty != Type::Data(data) {
            let (found, wanted) = (&self.spec.datas[data].name, self.spec.type_name(ty));
            let message =
                format!("`{}` makes a `{found}`, and the value is a `{wanted}`", name.text);
            return Err(Problem::new(name.spot, message));
        }
        let fields = &self.spec.datas[data].constructors[constructor].fields;
        count(name, name.spot, fields.len(), args.len())?;
        let types: Vec<Type> = fields.iter().map(|field| field.ty).collect();
        let args = args.iter().zip(types).map(|(arg, ty)| self.inner_pattern(arg, ty, scope));
        Ok(Pattern::Make { data, constructor, args: args.collect::<Checked<_>>()? })
    }
}

/// Complains about arguments that are too few or too many.
pub(super) fn count(name: &Name, spot: Spot, wanted: usize, found: usize) -> Checked<()> {
    if wanted == found {
        return Ok(());
    }
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("`{}` takes {wanted} argument{plural}, and {found} are here", name.text);
    Err(Problem::new(spot, message))
}
