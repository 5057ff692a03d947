//! Names in scope: ordinary identifiers and tags, with C's nesting.

use glassbox_values::Bits;
use rustc_hash::FxHashMap;

use crate::names::Name;
use crate::span::Span;
use crate::tree::{FunctionId, VariableId};
use crate::ty::kind::TypeId;

/// What an ordinary identifier means.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Meaning {
    /// `align` is more than the type's own if an attribute asked for it.
    Typedef {
        ty: TypeId,
        align: Option<u64>,
        /// An attribute that is not known to be harmless.
        limit: Option<Name>,
    },
    /// The type is the one this unit declared; the variable may be shared with other units.
    Variable {
        id: VariableId,
        ty: TypeId,
    },
    Function {
        id: FunctionId,
        ty: TypeId,
    },
    EnumConstant {
        value: Bits,
        ty: TypeId,
    },
}

/// An entry and where it was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<T> {
    pub(crate) meaning: T,
    pub(crate) span: Span,
    pub(crate) level: u32,
}

/// One name space: each name has a stack of entries, innermost last.
#[derive(Debug)]
struct Space<T> {
    stacks: FxHashMap<Name, Vec<Entry<T>>>,
    /// Names entered, in order; leaving a scope pops them.
    entered: Vec<Name>,
}

impl<T> Default for Space<T> {
    fn default() -> Space<T> {
        Space { stacks: FxHashMap::default(), entered: Vec::new() }
    }
}

impl<T: Copy> Space<T> {
    fn get(&self, name: Name) -> Option<Entry<T>> {
        self.stacks.get(&name)?.last().copied()
    }

    fn insert(&mut self, name: Name, entry: Entry<T>) {
        let stack = self.stacks.entry(name).or_default();
        match stack.last_mut() {
            Some(last) if last.level == entry.level => *last = entry,
            _ => {
                stack.push(entry);
                self.entered.push(name);
            }
        }
    }

    fn leave(&mut self, mark: usize) -> Vec<(Name, Entry<T>)> {
        let mut left = Vec::new();
        for name in self.entered.drain(mark..).rev() {
            let entry = self.stacks.get_mut(&name).and_then(Vec::pop);
            left.extend(entry.map(|entry| (name, entry)));
        }
        left.reverse();
        left
    }
}

/// What a closed scope declared, so that a parameter list can be reopened for its body.
#[derive(Debug, Default, Clone)]
pub(crate) struct Declared {
    names: Vec<(Name, Entry<Meaning>)>,
    tags: Vec<(Name, Entry<TypeId>)>,
}

impl Declared {
    /// Variables in order of declaration.
    pub(crate) fn variables(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.names.iter().filter_map(|(_, entry)| match entry.meaning {
            Meaning::Variable { id, .. } => Some(id),
            Meaning::Typedef { .. } | Meaning::Function { .. } | Meaning::EnumConstant { .. } => {
                None
            }
        })
    }
}

/// All names of a unit. Level 0 is file scope.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    names: Space<Meaning>,
    tags: Space<TypeId>,
    marks: Vec<(usize, usize)>,
}

impl Scopes {
    pub(crate) fn level(&self) -> u32 {
        u32::try_from(self.marks.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn enter(&mut self) {
        self.marks.push((self.names.entered.len(), self.tags.entered.len()));
    }

    pub(crate) fn leave(&mut self) -> Declared {
        let Some((names, tags)) = self.marks.pop() else { return Declared::default() };
        Declared { names: self.names.leave(names), tags: self.tags.leave(tags) }
    }

    /// Puts back what a scope had declared, into the current one.
    pub(crate) fn reenter(&mut self, declared: &Declared) {
        let level = self.level();
        for &(name, entry) in &declared.names {
            self.names.insert(name, Entry { level, ..entry });
        }
        for &(name, entry) in &declared.tags {
            self.tags.insert(name, Entry { level, ..entry });
        }
    }

    pub(crate) fn lookup(&self, name: Name) -> Option<Entry<Meaning>> {
        self.names.get(name)
    }

    /// Only if declared in the innermost scope.
    pub(crate) fn lookup_here(&self, name: Name) -> Option<Entry<Meaning>> {
        self.names.get(name).filter(|entry| entry.level == self.level())
    }

    pub(crate) fn declare(&mut self, name: Name, meaning: Meaning, span: Span) {
        let level = self.level();
        self.names.insert(name, Entry { meaning, span, level });
    }

    pub(crate) fn lookup_tag(&self, name: Name) -> Option<Entry<TypeId>> {
        self.tags.get(name)
    }

    pub(crate) fn lookup_tag_here(&self, name: Name) -> Option<Entry<TypeId>> {
        self.tags.get(name).filter(|entry| entry.level == self.level())
    }

    pub(crate) fn declare_tag(&mut self, name: Name, ty: TypeId, span: Span) {
        let level = self.level();
        self.tags.insert(name, Entry { meaning: ty, span, level });
    }

    pub(crate) fn is_typedef(&self, name: Name) -> bool {
        matches!(self.lookup(name), Some(Entry { meaning: Meaning::Typedef { .. }, .. }))
    }
}
