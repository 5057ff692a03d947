//! The names of a script and the levels that they belong to.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{Expr, SurfaceSort};
use crate::sexp::Sexp;

/// A function with parameters: a macro.
#[derive(Debug)]
pub(crate) struct Function<'t> {
    pub(crate) parameters: Vec<(&'t str, SurfaceSort)>,
    pub(crate) result: SurfaceSort,
    pub(crate) body: Sexp,
}

#[derive(Debug, Clone)]
pub(crate) enum Meaning<'t> {
    Value(Expr),
    Function(Rc<Function<'t>>),
}

/// The global names; `pop` takes back what was named since the matching `push`.
#[derive(Debug, Default)]
pub(crate) struct Scope<'t> {
    meanings: FxHashMap<&'t str, Meaning<'t>>,
    // Names in order of introduction, and how many there were at each `push`.
    introduced: Vec<&'t str>,
    levels: Vec<usize>,
}

impl<'t> Scope<'t> {
    pub(crate) fn get(&self, name: &str) -> Option<&Meaning<'t>> {
        self.meanings.get(name)
    }

    /// Gives a name its meaning; `false` when it has one already.
    pub(crate) fn introduce(&mut self, name: &'t str, meaning: Meaning<'t>) -> bool {
        if self.meanings.contains_key(name) {
            return false;
        }
        self.meanings.insert(name, meaning);
        self.introduced.push(name);
        true
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(self.introduced.len());
    }

    pub(crate) fn pop(&mut self) {
        if let Some(kept) = self.levels.pop() {
            self.forget_after(kept);
        }
    }

    /// Leaves all levels but keeps the names.
    pub(crate) fn leave_levels(&mut self) {
        self.levels.clear();
    }

    pub(crate) fn forget_all(&mut self) {
        self.levels.clear();
        self.forget_after(0);
    }

    fn forget_after(&mut self, kept: usize) {
        for name in self.introduced.drain(kept..) {
            self.meanings.remove(name);
        }
    }
}

/// The names that `let` and parameters bind, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Locals<'t> {
    bound: Vec<(&'t str, Expr)>,
    // For each name the positions in `bound`, ascending.
    positions: FxHashMap<&'t str, Vec<usize>>,
    /// Bindings below this belong to the caller of the function whose body is read.
    pub(crate) floor: usize,
}

impl<'t> Locals<'t> {
    pub(crate) fn len(&self) -> usize {
        self.bound.len()
    }

    pub(crate) fn bind(&mut self, name: &'t str, value: Expr) {
        self.positions.entry(name).or_default().push(self.bound.len());
        self.bound.push((name, value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<Expr> {
        let position = *self.positions.get(name)?.last()?;
        (position >= self.floor).then(|| self.bound[position].1)
    }

    /// Takes back all bindings but the first `kept`.
    pub(crate) fn truncate(&mut self, kept: usize) {
        while self.bound.len() > kept {
            if let Some((name, _)) = self.bound.pop()
                && let Some(positions) = self.positions.get_mut(name)
            {
                positions.pop();
            }
        }
    }
}
