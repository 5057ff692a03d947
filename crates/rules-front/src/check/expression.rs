//! Types of expressions. Numbers have the type that is wanted where they stand, and `int` where nothing is.

use super::pattern::count;
use super::{Checked, Checker, Scope, similar};
use crate::problem::{Problem, Spot};
use crate::spec::{Arithmetic, CONS, DataKind, Expr, IntType, NIL, Type};
use crate::tree::{BinaryTree, ExprKind, ExprTree, Name};

const INT: IntType = IntType::NAMES[2].1;

impl Checker {
    /// An expression that should have this type.
    pub(super) fn expect(&self, tree: &ExprTree, wanted: Type, scope: &Scope) -> Checked<Expr> {
        let (expr, found) = self.infer(tree, Some(wanted), scope)?;
        if found == wanted {
            return Ok(expr);
        }
        let (found_name, wanted_name) = (self.spec.type_name(found), self.spec.type_name(wanted));
        let message = format!("this is a `{found_name}`, and a `{wanted_name}` is wanted");
        let problem = Problem::new(tree.spot, message);
        Err(match (found, wanted) {
            (Type::Int(_), Type::Int(int)) => {
                problem.help(format!("`{}(…)` converts it", int.name()))
            }
            (Type::Int(_) | Type::Bool | Type::Data(_), _) => problem,
        })
    }

    /// An expression and its type; `hint` is what is wanted, for what can be of several types.
    pub(super) fn infer(
        &self,
        tree: &ExprTree,
        hint: Option<Type>,
        scope: &Scope,
    ) -> Checked<(Expr, Type)> {
        match &tree.kind {
            ExprKind::Bool(value) => Ok((Expr::Bool(*value), Type::Bool)),
            ExprKind::Number(number) => {
                let int = match hint {
                    Some(Type::Int(int)) => int,
                    Some(Type::Bool | Type::Data(_)) | None => INT,
                };
                if !int.contains(*number) {
                    let message = format!("{number} does not fit into `{}`", int.name());
                    return Err(Problem::new(tree.spot, message));
                }
                Ok((Expr::Int(*number, int), Type::Int(int)))
            }
            ExprKind::Name(name) => self.named(name, tree.spot, scope),
            ExprKind::Apply { name, args } => self.apply(name, args, tree.spot, scope),
            ExprKind::Record { name, fields } => self.record(name, fields, tree.spot, scope),
            ExprKind::With { base, fields } => self.with(base, fields, scope),
            ExprKind::Field { base, name } => {
                let (base, data) = self.record_value(base, scope)?;
                let field = self.field_named(data, name)?;
                let ty = self.spec.datas[data].constructors[0].fields[field].ty;
                Ok((Expr::Field { base: Box::new(base), data, field }, ty))
            }
            ExprKind::List { items, rest } => {
                let list = self.list(items, rest.as_deref(), hint, scope)?;
                list.ok_or_else(|| {
                    let message = "the type of this list is not known here";
                    Problem::new(tree.spot, message)
                })
            }
            ExprKind::Not(arg) => {
                let arg = self.expect(arg, Type::Bool, scope)?;
                Ok((Expr::Not(Box::new(arg)), Type::Bool))
            }
            ExprKind::Negative(arg) => {
                let (arg, int) = self.number(arg, hint, scope)?;
                let zero = Box::new(Expr::Int(0, int));
                let op = Arithmetic::Sub;
                let expr = Expr::Arithmetic { op, lhs: zero, rhs: Box::new(arg), ty: int };
                Ok((expr, Type::Int(int)))
            }
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, [lhs, rhs], hint, scope),
        }
    }

    fn named(&self, name: &str, spot: Spot, scope: &Scope) -> Checked<(Expr, Type)> {
        if let Some(slot) = scope.variables.iter().position(|(known, _)| known == name) {
            return Ok((Expr::Var(slot), scope.variables[slot].1));
        }
        let label = Name { text: name.to_owned(), spot };
        if let Some((data, constructor)) = self.constructor_named(name) {
            let fields = &self.spec.datas[data].constructors[constructor].fields;
            count(&label, spot, fields.len(), 0)?;
            return Ok((Expr::Make { data, constructor, args: Vec::new() }, Type::Data(data)));
        }
        if self.spec.function(name).is_some() {
            let message = format!("`{name}` is a function: call it as `{name}(…)`");
            return Err(Problem::new(spot, message));
        }
        let (what, known): (&str, Vec<&str>) = if name.starts_with(|c: char| c.is_ascii_uppercase())
        {
            ("constructor", self.constructors.iter().map(|it| it.0.name.as_str()).collect())
        } else {
            ("variable", scope.variables.iter().map(|(name, _)| name.as_str()).collect())
        };
        Err(similar::unknown(what, &label, &known))
    }

    fn apply(
        &self,
        name: &Name,
        args: &[ExprTree],
        spot: Spot,
        scope: &Scope,
    ) -> Checked<(Expr, Type)> {
        if let Some((data, constructor)) = self.constructor_named(&name.text) {
            let fields = &self.spec.datas[data].constructors[constructor].fields;
            let types: Vec<Type> = fields.iter().map(|field| field.ty).collect();
            let args = self.arguments(name, spot, args, &types, scope)?;
            return Ok((Expr::Make { data, constructor, args }, Type::Data(data)));
        }
        if let Some(function) = self.spec.function(&name.text) {
            let declared = &self.spec.functions[function];
            let types: Vec<Type> = declared.params.iter().map(|(_, ty)| *ty).collect();
            let args = self.arguments(name, spot, args, &types, scope)?;
            return Ok((Expr::Call { function, args }, declared.result));
        }
        if let Some((_, to)) = IntType::NAMES.iter().find(|(known, _)| *known == name.text) {
            count(name, spot, 1, args.len())?;
            let (arg, from) = self.number(&args[0], None, scope)?;
            return Ok((Expr::Convert { arg: Box::new(arg), from, to: *to }, Type::Int(*to)));
        }
        let functions = self.spec.functions.iter().map(|function| function.name.as_str());
        let constructors = self.constructors.iter().map(|(known, _, _)| known.name.as_str());
        let known: Vec<&str> = functions.chain(constructors).collect();
        Err(similar::unknown("function or constructor", name, &known))
    }

    fn arguments(
        &self,
        name: &Name,
        spot: Spot,
        args: &[ExprTree],
        types: &[Type],
        scope: &Scope,
    ) -> Checked<Vec<Expr>> {
        count(name, spot, types.len(), args.len())?;
        args.iter().zip(types).map(|(arg, ty)| self.expect(arg, *ty, scope)).collect()
    }

    fn record(
        &self,
        name: &Name,
        fields: &[(Name, ExprTree)],
        spot: Spot,
        scope: &Scope,
    ) -> Checked<(Expr, Type)> {
        let data = self.record_named(name)?;
        let known = &self.spec.datas[data].constructors[0].fields;
        let mut args: Vec<Option<Expr>> = vec![None; known.len()];
        for (label, value) in fields {
            let field = self.field_named(data, label)?;
            if args[field].is_some() {
                let message = format!("field `{}` is there already", label.text);
                return Err(Problem::new(label.spot, message));
            }
            args[field] = Some(self.expect(value, known[field].ty, scope)?);
        }
        let missing: Vec<&str> = known
            .iter()
            .zip(&args)
            .filter(|(_, arg)| arg.is_none())
            .filter_map(|(field, _)| field.name.as_deref())
            .collect();
        if !missing.is_empty() {
            let message = format!("a `{}` needs: {}", name.text, missing.join(", "));
            return Err(Problem::new(spot, message));
        }
        let args = args.into_iter().flatten().collect();
        Ok((Expr::Make { data, constructor: 0, args }, Type::Data(data)))
    }

    fn record_value(&self, tree: &ExprTree, scope: &Scope) -> Checked<(Expr, usize)> {
        let (expr, ty) = self.infer(tree, None, scope)?;
        match ty {
            Type::Data(data) if self.spec.datas[data].kind == DataKind::Record => Ok((expr, data)),
            Type::Data(_) | Type::Bool | Type::Int(_) => {
                let message = format!("a `{}` has no fields", self.spec.type_name(ty));
                Err(Problem::new(tree.spot, message))
            }
        }
    }

    /// Fields that are not named keep their value. The record is evaluated once for each: values do not change.
    fn with(
        &self,
        base: &ExprTree,
        fields: &[(Name, ExprTree)],
        scope: &Scope,
    ) -> Checked<(Expr, Type)> {
        let (base, data) = self.record_value(base, scope)?;
        let known = &self.spec.datas[data].constructors[0].fields;
        let mut args: Vec<Expr> = (0..known.len())
            .map(|field| Expr::Field { base: Box::new(base.clone()), data, field })
            .collect();
        for (label, value) in fields {
            let field = self.field_named(data, label)?;
            args[field] = self.expect(value, known[field].ty, scope)?;
        }
        Ok((Expr::Make { data, constructor: 0, args }, Type::Data(data)))
    }

    /// `None` where nothing shows what the elements are.
    fn list(
        &self,
        items: &[ExprTree],
        rest: Option<&ExprTree>,
        hint: Option<Type>,
        scope: &Scope,
    ) -> Checked<Option<(Expr, Type)>> {
        let is_list = |ty: &Type| {
            matches!(ty, Type::Data(data)
                if matches!(self.spec.datas[*data].kind, DataKind::List(_)))
        };
        let of_rest = rest.map(|rest| self.infer(rest, hint, scope)).transpose()?;
        let ty = of_rest.as_ref().map(|(_, ty)| *ty).or(hint).filter(is_list);
        let ty = match (ty, items.first()) {
            (Some(ty), _) => Some(ty),
            (None, Some(first)) => {
                let (_, element) = self.infer(first, None, scope)?;
                let kind = DataKind::List(element);
                let known = self.spec.datas.iter().position(|data| data.kind == kind);
                known.map(Type::Data)
            }
            (None, None) => None,
        };
        let Some(Type::Data(data)) = ty else { return Ok(None) };
        let DataKind::List(element) = self.spec.datas[data].kind else { return Ok(None) };
        let mut list = match rest {
            Some(rest) => self.expect(rest, Type::Data(data), scope)?,
            None => Expr::Make { data, constructor: NIL, args: Vec::new() },
        };
        let heads: Vec<Expr> =
            items.iter().map(|item| self.expect(item, element, scope)).collect::<Checked<_>>()?;
        for head in heads.into_iter().rev() {
            list = Expr::Make { data, constructor: CONS, args: vec![head, list] };
        }
        Ok(Some((list, Type::Data(data))))
    }

    fn number(
        &self,
        tree: &ExprTree,
        hint: Option<Type>,
        scope: &Scope,
    ) -> Checked<(Expr, IntType)> {
        let (expr, ty) = self.infer(tree, hint, scope)?;
        match ty {
            Type::Int(int) => Ok((expr, int)),
            Type::Bool | Type::Data(_) => {
                let message = format!("this is a `{}`, not a number", self.spec.type_name(ty));
                Err(Problem::new(tree.spot, message))
            }
        }
    }

    /// Both operands, of one type: a number without a type takes that of the other.
    fn alike(
        &self,
        [lhs, rhs]: [&ExprTree; 2],
        hint: Option<Type>,
        scope: &Scope,
    ) -> Checked<(Expr, Expr, Type)> {
        let is_open = |tree: &ExprTree| {
            matches!(&tree.kind, ExprKind::Number(_))
                || matches!(&tree.kind, ExprKind::List { items, .. } if items.is_empty())
        };
        if is_open(lhs) {
            let (rhs, ty) = self.infer(rhs, hint, scope)?;
            return Ok((self.expect(lhs, ty, scope)?, rhs, ty));
        }
        let (lhs, ty) = self.infer(lhs, hint, scope)?;
        Ok((lhs, self.expect(rhs, ty, scope)?, ty))
    }

    fn binary(
        &self,
        op: BinaryTree,
        operands: [&ExprTree; 2],
        hint: Option<Type>,
        scope: &Scope,
    ) -> Checked<(Expr, Type)> {
        let boxed = |lhs: Expr, rhs: Expr| (Box::new(lhs), Box::new(rhs));
        let arithmetic = |op: Arithmetic| {
            let (lhs, rhs, ty) = self.alike(operands, hint, scope)?;
            let Type::Int(int) = ty else { return Err(self.no_number(operands, ty)) };
            let (lhs, rhs) = boxed(lhs, rhs);
            Ok((Expr::Arithmetic { op, lhs, rhs, ty: int }, ty))
        };
        let comparison = |operands: [&ExprTree; 2], or_equal: bool| {
            let (lhs, rhs, ty) = self.alike(operands, None, scope)?;
            let Type::Int(int) = ty else { return Err(self.no_number(operands, ty)) };
            let (lhs, rhs) = boxed(lhs, rhs);
            Ok((Expr::Less { lhs, rhs, ty: int, or_equal }, Type::Bool))
        };
        let truths = || -> Checked<(Box<Expr>, Box<Expr>)> {
            let [lhs, rhs] = operands;
            let lhs = self.expect(lhs, Type::Bool, scope)?;
            Ok(boxed(lhs, self.expect(rhs, Type::Bool, scope)?))
        };
        let [lhs, rhs] = operands;
        match op {
            BinaryTree::And => truths().map(|(lhs, rhs)| (Expr::Both { lhs, rhs }, Type::Bool)),
            BinaryTree::Or => truths().map(|(lhs, rhs)| (Expr::Either { lhs, rhs }, Type::Bool)),
            BinaryTree::Equal | BinaryTree::Unequal => {
                let (lhs, rhs, ty) = self.alike(operands, None, scope)?;
                let (lhs, rhs) = boxed(lhs, rhs);
                let equal = Expr::Equal { lhs, rhs, ty };
                let is_negated = op == BinaryTree::Unequal;
                Ok((if is_negated { Expr::Not(Box::new(equal)) } else { equal }, Type::Bool))
            }
            BinaryTree::Less => comparison([lhs, rhs], false),
            BinaryTree::LessEqual => comparison([lhs, rhs], true),
            BinaryTree::Greater => comparison([rhs, lhs], false),
            BinaryTree::GreaterEqual => comparison([rhs, lhs], true),
            BinaryTree::Add => arithmetic(Arithmetic::Add),
            BinaryTree::Sub => arithmetic(Arithmetic::Sub),
            BinaryTree::Mul => arithmetic(Arithmetic::Mul),
            BinaryTree::Div => arithmetic(Arithmetic::Div),
            BinaryTree::Rem => arithmetic(Arithmetic::Rem),
        }
    }

    fn no_number(&self, [lhs, rhs]: [&ExprTree; 2], ty: Type) -> Problem {
        let message = format!("these are of type `{}`, not numbers", self.spec.type_name(ty));
        Problem::new(lhs.spot.to(rhs.spot), message)
    }
}
