//! Calls that are not expanded: what a call of a function does, whatever calls it.
//!
//! A *contract* says what holds whenever a function returns: domains and linear relations over its arguments,
//! its result, and the scalar globals it mentions, before and after (`schema`); and which memory it may have
//! written (`effects`). A call that is too deep, recursive or repeated becomes a fresh result of which the
//! contract is assumed, and only what the function may write is forgotten.
//!
//! Two ways to find contracts. *Bottom-up* (`bottom_up`): from a model of the function alone, its arguments and
//! memory anything, the functions it calls first; recursive functions together, from "does not return" upward
//! with delayed widening until nothing changes, then downward. *In context* (`context`): the same, where the
//! arguments are what the calls seen in the models can give, so that questions about places inside such functions
//! can be answered too.
//!
//! **Why it is sound**: a contract is checked to be inductive: under the hypothesis that every call inside
//! keeps its contract, and that every entry is within what was assumed of entries, the analysis of the body gives
//! no more than the contract. By induction over the steps of a run, every call that returns keeps it. Going
//! downward replaces a hypothesis by what the analysis derives from it, which holds as well.
//!
//! **Not seen**: relations that are not linear, the contents of arrays and of memory behind pointers after the
//! call, which are forgotten.
//!
//! Source: docs/papers/calls.md, rule 1.10 (`rel_call` of Euclide: calls are introduced one level after the other, breadth first).
//! Deviation: a call that is not yet introduced is bounded by its contract instead of its type.

pub(crate) mod bottom_up;
pub(crate) mod context;
pub(crate) mod effects;
pub(crate) mod order;
pub(crate) mod schema;
pub(crate) mod text;

use std::collections::BTreeMap;
use std::rc::Rc;

use glassbox_ir::{FuncId, GlobalId};

pub(crate) use effects::Effects;
pub(crate) use schema::Schema;

use crate::summary::State;

/// A number that a contract speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Quantity {
    /// The argument at this position.
    Param(usize),
    /// A scalar global when the call begins.
    Before(GlobalId),
    /// A scalar global when the call has returned.
    After(GlobalId),
    Result,
}

/// What holds when a function returns, over the variables of its schema.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Exit {
    /// It does not return.
    Never,
    Known(State),
    /// It may return anything.
    Anything,
}

#[derive(Debug, Clone)]
pub(crate) struct Contract {
    pub(crate) schema: Rc<Schema>,
    pub(crate) exit: Exit,
}

/// Contracts by function, and what functions write.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) contracts: BTreeMap<FuncId, Contract>,
    pub(crate) effects: Rc<Effects>,
}

/// As what a function is modeled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role<'a> {
    /// The function under test: its inputs are those of the run.
    UnderTest,
    /// A function that is called at any time: memory is anything, and an exit shows what it does.
    Callee {
        schema: &'a Schema,
        /// What holds where it begins, if not anything.
        entry: Option<&'a State>,
    },
}

/// How the graph of a function is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) table: &'a Table,
    pub(crate) role: Role<'a>,
    /// Other graphs of the same function may expand more: repeated calls need not be expanded in this one.
    pub(crate) is_partial: bool,
}

/// The same state over other variables. Those that have no counterpart take their bounds with them.
pub(crate) fn translate(
    state: &State,
    map: &BTreeMap<glassbox_terms::TermId, glassbox_terms::TermId>,
) -> State {
    let domains = state.domains.iter().filter_map(|(term, d)| Some((*map.get(term)?, *d)));
    let slope = |sum: &glassbox_relax::optimum::TermSum| {
        let terms = sum.terms.iter().map(|&(v, s, c)| Some((*map.get(&v)?, s, c)));
        let terms: Option<Vec<_>> = terms.collect();
        Some(glassbox_relax::optimum::TermSum { terms: terms?, constant: sum.constant })
    };
    let bounds = state.bounds.iter().filter_map(|(sum, bound)| Some((slope(sum)?, *bound)));
    State { domains: domains.collect(), bounds: bounds.collect(), elements: Vec::new() }
}
