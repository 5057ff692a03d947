//! What a call that is not expanded does: the data of a summary, which `callsum` finds and the graph uses.
//!
//! A *summary* says what holds whenever a function returns: domains and linear sums over its arguments, its
//! result, and the scalar globals it mentions, before and after; and which memory it may have written.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::{FuncId, GlobalId};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};
use glassbox_values::Signedness;

use super::facts::Facts;
use super::mentioned::Mentions;

/// A number that a summary speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// The argument at this position.
    Param(usize),
    /// A scalar global when the call begins.
    Before(GlobalId),
    /// A scalar global when the call has returned.
    After(GlobalId),
    Result,
}

/// What holds when a function returns one way, over the variables of its schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Exit {
    /// It does not return this way.
    Never,
    Known(Facts),
    /// It may return anything.
    Anything,
}

#[derive(Debug, Clone)]
pub struct Summary {
    pub schema: Rc<Schema>,
    /// For each way of returning what holds then. Ways beyond the last are not taken.
    pub exits: Vec<Exit>,
}

impl Summary {
    /// The ways that may be taken.
    pub fn returning(&self) -> impl Iterator<Item = &Exit> {
        self.exits.iter().filter(|exit| **exit != Exit::Never)
    }
}

/// Summaries by function, and what functions write.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub summaries: BTreeMap<FuncId, Summary>,
    pub effects: Rc<BTreeMap<FuncId, Writes>>,
    pub mentions: Rc<Mentions>,
}

/// As what a function is modeled.
#[derive(Debug, Clone, Copy)]
pub enum Role<'a> {
    /// The function under test: its inputs are those of the run.
    UnderTest,
    /// A function that is called at any time: memory is anything, and an exit shows what it does.
    Callee {
        schema: &'a Schema,
        /// What holds where it begins, if not anything.
        entry: Option<&'a Facts>,
    },
}

/// How the graph of a function is built.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    pub table: &'a Table,
    pub role: Role<'a>,
    /// Other graphs of the same function may expand more: repeated calls need not be expanded in this one.
    pub is_partial: bool,
}

/// The same facts over other variables. Those that have no counterpart take their bounds with them.
pub fn translate(facts: &Facts, map: &BTreeMap<TermId, TermId>) -> Facts {
    let domains = facts.domains.iter().filter_map(|(term, d)| Some((*map.get(term)?, *d)));
    let slope = |sum: &TermSum| {
        let terms = sum.terms.iter().map(|&(v, s, c)| Some((*map.get(&v)?, s, c)));
        let terms: Option<Vec<_>> = terms.collect();
        Some(TermSum { terms: terms?, constant: sum.constant })
    };
    let bounds = facts.bounds.iter().filter_map(|(sum, bound)| Some((slope(sum)?, *bound)));
    Facts { domains: domains.collect(), bounds: bounds.collect(), elements: Vec::new() }
}

/// The quantities of a function's summary and the slopes whose bounds it states. Variables are those of the
/// schema's own terms, so that a summary can be carried from one graph to another.
#[derive(Debug, Clone)]
pub struct Schema {
    pub terms: Terms,
    /// In order: arguments, globals before, globals after, result.
    pub quantities: Vec<(Quantity, TermId)>,
    pub names: BTreeMap<Quantity, String>,
    /// How integers are read; pointers and floats are not in any slope.
    pub readings: BTreeMap<TermId, Signedness>,
    /// Both directions.
    pub entry_slopes: Vec<TermSum>,
    /// Both directions.
    pub exit_slopes: Vec<TermSum>,
    /// Ways of returning that are kept apart: the first returns of the body, the last of them with all that follow.
    pub n_ways: usize,
}

/// What one function may write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writes {
    /// Whatever is reachable, objects may be freed.
    pub anything: bool,
    pub globals: BTreeSet<GlobalId>,
    /// Positions of pointer arguments that it may write behind.
    pub params: BTreeSet<usize>,
    /// Globals that it or its callees mention, written or not.
    pub mentioned: BTreeSet<GlobalId>,
}

impl Writes {
    /// The global may be another one after a call.
    pub fn may_change(&self, global: GlobalId) -> bool {
        self.anything || !self.params.is_empty() || self.globals.contains(&global)
    }
}

impl Quantity {
    /// Known when the call begins.
    pub fn is_input(self) -> bool {
        match self {
            Quantity::Param(_) | Quantity::Before(_) => true,
            Quantity::After(_) | Quantity::Result => false,
        }
    }
}

impl Schema {
    /// How an integer is read; `None` for what is in no slope.
    pub fn reading(&self, variable: TermId) -> Option<Signedness> {
        self.readings.get(&variable).copied()
    }

    /// Arguments and globals before.
    pub fn inputs(&self) -> impl Iterator<Item = (Quantity, TermId)> + '_ {
        self.quantities.iter().copied().filter(|(quantity, _)| quantity.is_input())
    }

    /// Maps each variable to what the pairs say of its quantity.
    pub fn map_to(&self, terms: &[(Quantity, TermId)]) -> BTreeMap<TermId, TermId> {
        let known: BTreeMap<Quantity, TermId> = terms.iter().copied().collect();
        let pairs = self.quantities.iter();
        pairs.filter_map(|(q, variable)| Some((*variable, *known.get(q)?))).collect()
    }
}
