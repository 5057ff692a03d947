//! Collections of the JDK: made empty, then filled through their own methods.

use glassbox_testcase::recipe::Making;

use super::generic::Generic;
use super::{MAX_ITEMS, Planner};
use crate::descriptor::{Prim, Type};
use crate::world::TypeRef;

/// How objects of a collection's type are made and filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Internal name of the class that is made.
    pub(super) class: &'static str,
    pub(super) method: &'static str,
    pub(super) descriptor: &'static str,
    n_args: usize,
}

const ADD: &str = "(Ljava/lang/Object;)Z";
const PUT: &str = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";

/// The collection that stands for a type.
pub(super) fn known(name: &str) -> Option<Known> {
    // Users have lists and stacks of their own.
    let name = if name == "java/lang/Iterable" { "java/util/Collection" } else { name };
    let class = match name.strip_prefix("java/util/")? {
        "ArrayList" | "List" | "Collection" | "AbstractList" => "java/util/ArrayList",
        "LinkedList" | "Queue" | "AbstractCollection" => "java/util/LinkedList",
        "ArrayDeque" | "Deque" => "java/util/ArrayDeque",
        "Vector" => "java/util/Vector",
        "Stack" => "java/util/Stack",
        "HashSet" | "Set" | "AbstractSet" => "java/util/HashSet",
        "LinkedHashSet" => "java/util/LinkedHashSet",
        "TreeSet" | "SortedSet" | "NavigableSet" => "java/util/TreeSet",
        "PriorityQueue" => "java/util/PriorityQueue",
        "HashMap" | "Map" | "AbstractMap" => "java/util/HashMap",
        "LinkedHashMap" => "java/util/LinkedHashMap",
        "TreeMap" | "SortedMap" | "NavigableMap" => "java/util/TreeMap",
        _ => return None,
    };
    let is_map = class.ends_with("Map");
    Some(Known {
        class,
        method: if is_map { "put" } else { "add" },
        descriptor: if is_map { PUT } else { ADD },
        n_args: if is_map { 2 } else { 1 },
    })
}

/// By the class that is made.
pub(super) fn made_class(source_name: &str) -> Option<Known> {
    known(&source_name.replace('.', "/"))
}

impl Planner<'_> {
    pub(super) fn collection(
        &mut self,
        known: Known,
        declared: TypeRef,
        generic: &Generic,
        name: &str,
        depth: usize,
    ) -> Option<Making> {
        if depth > 2 {
            return None;
        }
        let object = Type::Ref("java/lang/Object".into());
        // Without type arguments, elements are what most programs put there.
        let text = Type::Ref("java/lang/String".into());
        let is_raw = generic.args.is_empty();
        let arg = |position: usize| -> (Type, Generic) {
            let arg = generic.args.get(position).cloned().unwrap_or_default();
            let unknown = if known.n_args == 2 && position == 0 { &text } else { &object };
            (arg.ty.clone().unwrap_or(unknown.clone()), arg)
        };
        let count = self.param(&Type::Prim(Prim::Int), &format!("{name}_size"));
        let n_items = if depth == 0 { MAX_ITEMS } else { 1 };
        let mut items = Vec::new();
        for index in 0..n_items {
            let mut item = Vec::new();
            for position in 0..known.n_args {
                let (ty, generic) = arg(position);
                let name = format!("{name}{index}");
                item.push(self.making(&ty, &generic, &name, depth + 1).unwrap_or(Making::Null));
            }
            items.push(item);
        }
        let mut type_args = Vec::new();
        for position in 0..known.n_args {
            let ty = generic.args.get(position).and_then(|arg| arg.ty.clone());
            match ty.and_then(|ty| self.type_text(&ty)) {
                Some(text) if !is_raw && generic.args[position].args.is_empty() => {
                    type_args.push(text);
                }
                _ => {
                    type_args.clear();
                    break;
                }
            }
        }
        Some(Making::Collection {
            declared: self.source_name(declared),
            class: known.class.replace('/', "."),
            type_args,
            count,
            method: known.method.to_owned(),
            items,
        })
    }

    /// A class as source code names it, where tests can.
    fn type_text(&mut self, ty: &Type) -> Option<String> {
        let Type::Ref(name) = ty else { return None };
        if let Some(element) = name.strip_prefix('[') {
            return match Type::parse(element)? {
                Type::Prim(prim) => Some(format!("{}[]", prim.name())),
                element @ Type::Ref(_) => Some(format!("{}[]", self.type_text(&element)?)),
            };
        }
        let class = self.reached.world.load(name).ok()?;
        self.is_in_reach(class).then(|| self.source_name(class))
    }
}
