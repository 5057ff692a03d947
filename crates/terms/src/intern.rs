//! The arena: one home for every term, and equality by id.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use crate::notation::Notation;
use crate::op::Op;
use crate::sort::{Scalar, Sort};
use crate::table::{Entry, Table};
use crate::typing;

/// A term of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for TermId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A free variable of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);

impl VarId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for VarId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "v{}", self.0)
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    args_start: u32,
    n_args: u32,
}

#[derive(Debug, Clone)]
struct Var {
    name: String,
    term: TermId,
    notation: Notation,
}

/// The arena of terms.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    vars: Vec<Var>,
    // From the hash of (op, args) to the node; variables are not in it.
    table: Table,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The number of terms; ids are `0..len`, arguments always before the terms that use them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let start = node.args_start as usize;
        &self.args[start..start + node.n_args as usize]
    }

    /// Argument `position` of `term`; it must exist.
    pub fn arg(&self, term: TermId, position: usize) -> TermId {
        self.args(term)[position]
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].sort
    }

    /// A new variable, different from all others even when the name is not.
    pub fn fresh_var(&mut self, name: impl Into<String>, sort: Sort) -> TermId {
        let var = VarId(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        let term = self.push_node(Op::Var(var), sort, &[]);
        self.vars.push(Var { name: name.into(), term, notation: Notation::Unknown });
        term
    }

    pub fn var_name(&self, var: VarId) -> &str {
        &self.vars[var.index()].name
    }

    /// Says how the source writes the numbers of a variable; other terms have no notation of their own.
    pub fn set_notation(&mut self, variable: TermId, notation: Notation) {
        if let Op::Var(var) = self.op(variable) {
            self.vars[var.index()].notation = notation;
        }
    }

    pub fn notation(&self, var: VarId) -> Notation {
        self.vars[var.index()].notation
    }

    pub fn var_term(&self, var: VarId) -> TermId {
        self.vars[var.index()].term
    }

    pub fn var_sort(&self, var: VarId) -> Sort {
        self.sort(self.var_term(var))
    }

    pub fn n_vars(&self) -> usize {
        self.vars.len()
    }

    pub fn vars(&self) -> impl Iterator<Item = VarId> {
        (0..self.n_vars()).map(|index| VarId(u32::try_from(index).expect("counted above")))
    }

    /// The term `op(args)` as `intern` would give it, if it was ever made.
    pub fn lookup(&self, op: impl Into<Op>, args: &[TermId]) -> Option<TermId> {
        let op = op.into();
        match self.find(op, args, hash_of(op, args)) {
            Entry::Found(index) => Some(TermId(index)),
            Entry::Vacant(_) => None,
        }
    }

    fn find(&self, op: Op, args: &[TermId], hash: u64) -> Entry {
        self.table.find(hash, |index| {
            let node = &self.nodes[index as usize];
            let start = node.args_start as usize;
            node.op == op && self.args[start..start + node.n_args as usize] == *args
        })
    }

    /// The term `op(args)`, made if new, without any simplification. Panics when the sorts do not
    /// fit: that is a bug of the caller, never of user input.
    pub fn intern(&mut self, op: impl Into<Op>, args: &[TermId]) -> TermId {
        self.intern_op(op.into(), args)
    }

    fn intern_op(&mut self, op: Op, args: &[TermId]) -> TermId {
        debug_assert!(!matches!(op, Op::Var(_)), "variables come from fresh_var");
        let hash = hash_of(op, args);
        match self.find(op, args, hash) {
            Entry::Found(index) => TermId(index),
            Entry::Vacant(slot) => {
                let sort = self.fitting_sort(op, args);
                let id = self.push_node(op, sort, args);
                self.table.insert(slot, hash, id.0);
                id
            }
        }
    }

    fn fitting_sort(&self, op: Op, args: &[TermId]) -> Sort {
        self.sort_of(op, args).unwrap_or_else(|| {
            panic!(
                "sorts should fit: {op:?} of {:?}",
                args.iter().map(|&a| self.sort(a)).collect::<Vec<_>>()
            )
        })
    }

    fn push_node(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        let id = TermId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        let args_start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        let n_args = u32::try_from(args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, args_start, n_args });
        id
    }

    /// The sort of `op(args)`, or `None` when arity or sorts do not fit.
    pub fn sort_of(&self, op: impl Into<Op>, args: &[TermId]) -> Option<Sort> {
        let sorts: smallvec::SmallVec<[Sort; 4]> = args.iter().map(|&a| self.sort(a)).collect();
        typing::sort_of(op.into(), &sorts)
    }
}

fn hash_of(op: Op, args: &[TermId]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    op.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

impl Scalar {
    /// Bits an encoding of this scalar takes.
    pub fn width(self) -> u8 {
        match self {
            Scalar::Bool => 1,
            Scalar::Bv(width) => width,
            Scalar::Float(format) => format.width(),
        }
    }
}
