//! What a function depends on. Which functions those are is said here; two digests say whether they are the same.
//!
//! `exact` has all numbers and lines in it, because results that are kept name them. `moved` has neither, so that a
//! function which stands elsewhere keeps its verdicts while somebody writes.

mod exact;
mod moved;

pub use exact::dependencies;
pub(crate) use exact::{Dependence, dependences, named};
pub(crate) use moved::Contents;

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::scope::{Calls, addressed};
use glassbox_ir::{FuncId, Origin, Program};

/// Who may run on behalf of whom.
pub(crate) struct Reach<'a> {
    program: &'a Program,
    /// By function.
    calls: Vec<Calls>,
    addressed: BTreeSet<FuncId>,
    /// Functions that are about another: harnesses, conditions, relations.
    about: BTreeMap<FuncId, Vec<FuncId>>,
}

impl<'a> Reach<'a> {
    pub(crate) fn of(program: &'a Program) -> Reach<'a> {
        let calls = |function: FuncId| {
            let mut calls = Calls::default();
            calls.add_function(program, function);
            calls
        };
        let mut about: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        for function in program.function_ids() {
            if let Some(of) = self::about(program.function(function).origin) {
                about.entry(of).or_default().push(function);
            }
        }
        Reach {
            program,
            calls: program.function_ids().map(calls).collect(),
            addressed: addressed(program),
            about,
        }
    }

    /// The function, what it may call, and what is said about them.
    pub(crate) fn members(&self, function: FuncId) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        let mut new = vec![function];
        let (mut is_open, mut is_unknown) = (false, false);
        while let Some(next) = new.pop() {
            if !found.insert(next) {
                continue;
            }
            let calls = &self.calls[next.index()];
            new.extend(calls.direct.iter().chain(&calls.addressed));
            new.extend(self.about.get(&next).into_iter().flatten());
            new.extend(about(self.program.function(next).origin));
            if calls.from_outside && !is_open {
                is_open = true;
                new.extend(&self.addressed);
            }
            // An input that is a pointer may be any function of its type; what is not understood may call any.
            if (calls.through_pointer || calls.from_unknown) && !is_unknown {
                is_unknown = true;
                new.extend(self.program.function_ids());
            }
        }
        found
    }
}

/// The function that another is about.
fn about(origin: Origin) -> Option<FuncId> {
    match origin {
        Origin::Harness { of }
        | Origin::Requirement { of }
        | Origin::Promise { of }
        | Origin::Relation { of }
        | Origin::Variant { of } => Some(of),
        Origin::User
        | Origin::System
        | Origin::LibraryModel
        | Origin::StandIn
        | Origin::Runtime => None,
    }
}
