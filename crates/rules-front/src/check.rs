//! Names and types: from a tree to a specification, or all that is wrong with it.

mod expression;
mod pattern;
mod similar;

use crate::problem::{Problem, Spot};
use crate::spec::{
    Constructor, Data, DataKind, Field, Function, IntType, Outcome, Pattern, Premise, Rule, Spec,
    Type,
};
use crate::tree::{FieldTree, FunctionTree, Item, Name, ResultTree, RuleTree, TypeTree};
use crate::well_founded;

type Checked<T> = Result<T, Problem>;

/// What a rule asks for, what it gives, and the variables that it binds.
type CheckedRule = (Vec<Premise>, Outcome, Vec<(String, Type)>);

/// Checks all items; every rule that is wrong is reported.
pub fn check(items: &[Item]) -> Result<Spec, Vec<Problem>> {
    let mut checker = Checker::default();
    checker.declare(items);
    if !checker.problems.is_empty() {
        return Err(checker.problems);
    }
    let mut functions = items.iter().filter_map(|item| match item {
        Item::Function(tree) => Some(tree),
        Item::Data { .. } | Item::Record { .. } | Item::Exceptions(_) => None,
    });
    for function in 0..checker.spec.functions.len() {
        let Some(tree) = functions.next() else { break };
        checker.rules(function, tree);
    }
    if checker.spec.functions.is_empty() && checker.problems.is_empty() {
        let spot = Spot { line: 1, column: 1, end_line: 1, end_column: 2 };
        let help = "a specification has functions: `function f(x: int): int { x > 0 => x; }`";
        checker.problems.push(Problem::new(spot, "no function is defined here").help(help));
    }
    if checker.problems.is_empty() { Ok(checker.spec) } else { Err(checker.problems) }
}

/// A place where something is defined.
#[derive(Debug, Clone)]
struct Known {
    name: String,
    line: u32,
}

#[derive(Debug, Default)]
struct Checker {
    spec: Spec,
    problems: Vec<Problem>,
    types: Vec<Known>,
    /// With type and position.
    constructors: Vec<(Known, usize, usize)>,
    exceptions: Vec<Known>,
    labels: Vec<Known>,
}

/// What a rule has in scope.
#[derive(Debug, Default)]
struct Scope {
    variables: Vec<(String, Type)>,
}

impl Checker {
    fn declare(&mut self, items: &[Item]) {
        let mut declared: Vec<(usize, &Item, Spot)> = Vec::new();
        for item in items {
            let (name, kind) = match item {
                Item::Data { name, .. } => (name, DataKind::Sum),
                Item::Record { name, .. } => (name, DataKind::Record),
                Item::Exceptions(names) => {
                    names.iter().for_each(|name| self.exception(name));
                    continue;
                }
                Item::Function(_) => continue,
            };
            let is_number = IntType::NAMES.iter().any(|(known, _)| *known == name.text);
            if is_number || name.text == "bool" {
                self.complain(name.spot, format!("`{}` is a type already", name.text));
                continue;
            }
            let known = self.types.iter().find(|known| known.name == name.text).cloned();
            if let Some(known) = known {
                self.twice("type", name, &known);
                continue;
            }
            self.types.push(Known { name: name.text.clone(), line: name.spot.line });
            let data = Data { name: name.text.clone(), kind, constructors: Vec::new() };
            declared.push((self.spec.datas.len(), item, name.spot));
            self.spec.datas.push(data);
        }
        for (data, item, _) in &declared {
            self.constructors_of(*data, item);
        }
        if self.problems.is_empty() {
            for data in well_founded::empty_types(&self.spec) {
                let spot = declared.iter().find(|(known, _, _)| *known == data);
                let spot = spot.map(|(_, _, spot)| *spot).unwrap_or_default();
                let name = self.spec.datas[data].name.clone();
                let help = "a constructor is missing that does not contain the type itself";
                let message = format!("`{name}` has no values: all would be endless");
                self.problems.push(Problem::new(spot, message).help(help));
            }
        }
        for item in items {
            if let Item::Function(tree) = item {
                self.signature(tree);
            }
        }
    }

    fn complain(&mut self, spot: Spot, message: String) {
        self.problems.push(Problem::new(spot, message));
    }

    fn twice(&mut self, what: &str, name: &Name, known: &Known) {
        let message =
            format!("{what} `{}` is defined twice: first on line {}", name.text, known.line);
        self.complain(name.spot, message);
    }

    fn exception(&mut self, name: &Name) {
        if let Some(known) = self.exceptions.iter().find(|known| known.name == name.text).cloned() {
            return self.twice("exception", name, &known);
        }
        self.exceptions.push(Known { name: name.text.clone(), line: name.spot.line });
        self.spec.exceptions.push(name.text.clone());
    }

    fn constructors_of(&mut self, data: usize, item: &Item) {
        match item {
            Item::Data { constructors, .. } => {
                for (position, tree) in constructors.iter().enumerate() {
                    let known = self
                        .constructors
                        .iter()
                        .find(|(known, _, _)| known.name == tree.name.text)
                        .map(|(known, _, _)| known.clone());
                    if let Some(known) = known {
                        self.twice("constructor", &tree.name, &known);
                    }
                    if !tree.name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
                        let message = format!(
                            "the name of a constructor begins with a capital: `{}`",
                            tree.name.text
                        );
                        self.complain(tree.name.spot, message);
                    }
                    let known = Known { name: tree.name.text.clone(), line: tree.name.spot.line };
                    self.constructors.push((known, data, position));
                    let fields = self.fields(&tree.fields);
                    let made = Constructor { name: tree.name.text.clone(), fields };
                    self.spec.datas[data].constructors.push(made);
                }
            }
            Item::Record { name, fields } => {
                let fields = self.fields(fields);
                let made = Constructor { name: name.text.clone(), fields };
                self.spec.datas[data].constructors.push(made);
            }
            Item::Exceptions(_) | Item::Function(_) => {}
        }
    }

    fn fields(&mut self, trees: &[FieldTree]) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for tree in trees {
            let name = tree.name.as_ref().map(|name| name.text.clone());
            if let Some(label) = &tree.name
                && fields.iter().any(|field| field.name == name)
            {
                self.complain(label.spot, format!("field `{}` is there already", label.text));
            }
            match self.ty(&tree.ty) {
                Ok(ty) => fields.push(Field { name, ty }),
                Err(problem) => self.problems.push(problem),
            }
        }
        fields
    }

    fn ty(&mut self, tree: &TypeTree) -> Checked<Type> {
        match tree {
            TypeTree::List(element, _) => {
                let element = self.ty(element)?;
                Ok(Type::Data(self.list_of(element)))
            }
            TypeTree::Named(name) if name.text == "bool" => Ok(Type::Bool),
            TypeTree::Named(name) => {
                if let Some((_, int)) = IntType::NAMES.iter().find(|(it, _)| *it == name.text) {
                    return Ok(Type::Int(*int));
                }
                let found = self.spec.datas.iter().position(|data| data.name == name.text);
                found.map(Type::Data).ok_or_else(|| {
                    let known = self.types.iter().map(|known| known.name.as_str());
                    let numbers = IntType::NAMES.iter().map(|(name, _)| *name);
                    let known: Vec<&str> = known.chain(["bool"]).chain(numbers).collect();
                    similar::unknown("type", name, &known)
                })
            }
        }
    }

    /// The type of lists of these, made when it is first needed.
    fn list_of(&mut self, element: Type) -> usize {
        let kind = DataKind::List(element);
        if let Some(known) = self.spec.datas.iter().position(|data| data.kind == kind) {
            return known;
        }
        let name = format!("list<{}>", self.spec.type_name(element));
        let data = self.spec.datas.len();
        let field = |name: &str, ty: Type| Field { name: Some(name.to_owned()), ty };
        let cons = vec![field("head", element), field("tail", Type::Data(data))];
        self.spec.datas.push(Data {
            name,
            kind,
            constructors: vec![
                Constructor { name: "Nil".to_owned(), fields: Vec::new() },
                Constructor { name: "Cons".to_owned(), fields: cons },
            ],
        });
        data
    }

    fn signature(&mut self, tree: &FunctionTree) {
        let mut params: Vec<(String, Type)> = Vec::new();
        for (name, ty) in &tree.params {
            if params.iter().any(|(known, _)| *known == name.text) {
                self.complain(name.spot, format!("parameter `{}` is there already", name.text));
            }
            match self.ty(ty) {
                Ok(ty) => params.push((name.text.clone(), ty)),
                Err(problem) => self.problems.push(problem),
            }
        }
        let result = self.ty(&tree.result).unwrap_or_else(|problem| {
            self.problems.push(problem);
            Type::Bool
        });
        if let Some(known) = self.spec.function(&tree.name.text) {
            let line = self.spec.functions[known].spot.line;
            let known = Known { name: tree.name.text.clone(), line };
            self.twice("function", &tree.name, &known);
        }
        if tree.rules.is_empty() {
            let message = format!("`{}` has no rules", tree.name.text);
            self.complain(tree.name.spot, message);
        }
        self.spec.functions.push(Function {
            name: tree.name.text.clone(),
            is_partial: tree.is_partial,
            params,
            result,
            rules: Vec::new(),
            spot: tree.name.spot,
        });
    }

    fn rules(&mut self, function: usize, tree: &FunctionTree) {
        for (position, rule) in tree.rules.iter().enumerate() {
            let label = match &rule.label {
                Some(label) => label.text.clone(),
                None => format!("{}_r{}", tree.name.text, position + 1),
            };
            let spot = rule.label.as_ref().map_or(rule.spot, |label| label.spot);
            if let Some(known) = self.labels.iter().find(|known| known.name == label).cloned() {
                let name = Name { text: label.clone(), spot };
                self.twice("rule", &name, &known);
            }
            self.labels.push(Known { name: label.clone(), line: spot.line });
            match self.rule(function, rule) {
                Ok((premises, result, variables)) => {
                    let spot = rule.spot;
                    let rule = Rule { label, premises, result, spot, variables };
                    self.spec.functions[function].rules.push(rule);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn rule(&mut self, function: usize, tree: &RuleTree) -> Checked<CheckedRule> {
        let declared = &self.spec.functions[function];
        let wanted = declared.result;
        let mut scope = Scope { variables: declared.params.clone() };
        let mut premises = Vec::new();
        for premise in &tree.premises {
            let (expr, ty, pattern) = match &premise.pattern {
                None => {
                    let expr = self.expect(&premise.expr, Type::Bool, &scope)?;
                    (expr, Type::Bool, Pattern::Bool(true))
                }
                Some(pattern) => {
                    let hint = self.pattern_hint(pattern);
                    let (expr, ty) = self.infer(&premise.expr, hint, &scope)?;
                    let pattern = self.pattern(pattern, ty, &mut scope)?;
                    (expr, ty, pattern)
                }
            };
            premises.push(Premise { expr, ty, pattern });
        }
        let result = match &tree.result {
            ResultTree::Raise(name) => Outcome::Raise(self.exception_named(name)?),
            ResultTree::Value(expr) => Outcome::Value(self.expect(expr, wanted, &scope)?),
        };
        Ok((premises, result, scope.variables))
    }

    fn exception_named(&self, name: &Name) -> Checked<usize> {
        let found = self.spec.exceptions.iter().position(|known| *known == name.text);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.spec.exceptions.iter().map(String::as_str).collect();
            similar::unknown("exception", name, &known)
        })
    }

    fn constructor_named(&self, name: &str) -> Option<(usize, usize)> {
        let found = self.constructors.iter().find(|(known, _, _)| known.name == name);
        found.map(|(_, data, constructor)| (*data, *constructor))
    }

    fn record_named(&self, name: &Name) -> Checked<usize> {
        let is_it = |data: &Data| data.kind == DataKind::Record && data.name == name.text;
        self.spec.datas.iter().position(is_it).ok_or_else(|| {
            let records = self.spec.datas.iter().filter(|data| data.kind == DataKind::Record);
            let known: Vec<&str> = records.map(|data| data.name.as_str()).collect();
            similar::unknown("record", name, &known)
        })
    }

    fn field_named(&self, data: usize, name: &Name) -> Checked<usize> {
        let fields = &self.spec.datas[data].constructors[0].fields;
        let found = fields.iter().position(|field| field.name.as_deref() == Some(&name.text));
        found.ok_or_else(|| {
            let known: Vec<&str> = fields.iter().filter_map(|it| it.name.as_deref()).collect();
            similar::unknown(&format!("field of {}", self.spec.datas[data].name), name, &known)
        })
    }
}
