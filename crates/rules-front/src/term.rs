//! Values of a specification.

use crate::spec::{CONS, DataKind, Spec, Type};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    Bool(bool),
    Int(i128),
    Make { data: usize, constructor: usize, args: Vec<Term> },
}

impl Term {
    /// A smallest one of a type.
    pub fn smallest(spec: &Spec, ty: Type) -> Term {
        match ty {
            Type::Bool => Term::Bool(false),
            Type::Int(_) => Term::Int(0),
            Type::Data(data) => {
                let constructor = smallest_constructor(spec, data);
                let fields = &spec.datas[data].constructors[constructor].fields;
                let args = fields.iter().map(|field| Term::smallest(spec, field.ty)).collect();
                Term::Make { data, constructor, args }
            }
        }
    }

    /// The elements, where it is a list.
    pub fn elements<'t>(&'t self, spec: &Spec) -> Option<Vec<&'t Term>> {
        let mut found = Vec::new();
        let mut rest = self;
        loop {
            let Term::Make { data, constructor, args } = rest else { return None };
            if !matches!(spec.datas[*data].kind, DataKind::List(_)) {
                return None;
            }
            let [head, tail] = args.as_slice() else { return Some(found) };
            debug_assert_eq!(*constructor, CONS, "only it has arguments");
            found.push(head);
            rest = tail;
        }
    }

    /// As the specification writes it.
    pub fn text(&self, spec: &Spec) -> String {
        let listed = |terms: &mut dyn Iterator<Item = String>| terms.collect::<Vec<_>>().join(", ");
        match self {
            Term::Bool(value) => value.to_string(),
            Term::Int(number) => number.to_string(),
            Term::Make { data, constructor, args } => {
                let made = &spec.datas[*data].constructors[*constructor];
                match spec.datas[*data].kind {
                    DataKind::List(_) => {
                        let elements = self.elements(spec).unwrap_or_default();
                        format!("[{}]", listed(&mut elements.iter().map(|it| it.text(spec))))
                    }
                    DataKind::Record => {
                        let fields = made.fields.iter().zip(args).map(|(field, arg)| {
                            let name = field.name.as_deref().unwrap_or_default();
                            format!("{name}: {}", arg.text(spec))
                        });
                        format!("{}{{{}}}", made.name, listed(&mut fields.into_iter()))
                    }
                    DataKind::Sum if args.is_empty() => made.name.clone(),
                    DataKind::Sum => {
                        let args = listed(&mut args.iter().map(|arg| arg.text(spec)));
                        format!("{}({args})", made.name)
                    }
                }
            }
        }
    }
}

/// The constructor of the least deep values; the first of several.
pub fn smallest_constructor(spec: &Spec, data: usize) -> usize {
    let depths = depths(spec);
    let depth_of = |constructor: &usize| {
        let fields = &spec.datas[data].constructors[*constructor].fields;
        let inner = fields.iter().map(|field| depth(&depths, field.ty));
        inner.max().unwrap_or(Some(0)).map_or(usize::MAX, |depth| depth)
    };
    let all = 0..spec.datas[data].constructors.len();
    all.min_by_key(|constructor| {
        let fields = &spec.datas[data].constructors[*constructor].fields;
        let is_endless = fields.iter().any(|field| depth(&depths, field.ty).is_none());
        if is_endless { usize::MAX } else { depth_of(constructor) }
    })
    .unwrap_or(0)
}

fn depth(depths: &[Option<usize>], ty: Type) -> Option<usize> {
    match ty {
        Type::Bool | Type::Int(_) => Some(0),
        Type::Data(data) => depths[data],
    }
}

/// By type: the depth of its least deep values; `None` where every value would be endless.
pub fn depths(spec: &Spec) -> Vec<Option<usize>> {
    let mut depths: Vec<Option<usize>> = vec![None; spec.datas.len()];
    loop {
        let mut is_changed = false;
        for data in 0..spec.datas.len() {
            let least = spec.datas[data].constructors.iter().filter_map(|made| {
                let inner: Option<Vec<usize>> =
                    made.fields.iter().map(|field| depth(&depths, field.ty)).collect();
                Some(inner?.into_iter().max().map_or(0, |inner| inner) + 1)
            });
            let least = least.min();
            if least.is_some() && (depths[data].is_none() || least < depths[data]) {
                depths[data] = least;
                is_changed = true;
            }
        }
        if !is_changed {
            return depths;
        }
    }
}
