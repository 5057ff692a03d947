//! Which functions may run on behalf of others, over all calls: the one owner of that question.
//!
//! What a verdict about a function looks at has to stay among these, because results are kept as long as these stay the
//! same. In doubt there are too many of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use glassbox_ir::{FuncId, Origin, Program};

use crate::scope::{Calls, addressed};

/// Who may run on behalf of whom in a program.
#[derive(Debug)]
pub struct Running<'a> {
    program: &'a Program,
    /// By function, once it was asked for.
    calls: Vec<OnceLock<Calls>>,
    addressed: OnceLock<BTreeSet<FuncId>>,
    /// Functions that are about another: harnesses, conditions, relations.
    about: BTreeMap<FuncId, Vec<FuncId>>,
}

impl<'a> Running<'a> {
    pub fn of(program: &'a Program) -> Running<'a> {
        let mut about: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        for function in program.function_ids() {
            if let Some(of) = self::about(program.function(function).origin) {
                about.entry(of).or_default().push(function);
            }
        }
        let calls = program.function_ids().map(|_| OnceLock::new()).collect();
        Running { program, calls, addressed: OnceLock::new(), about }
    }

    fn calls(&self, function: FuncId) -> &Calls {
        self.calls[function.index()].get_or_init(|| {
            let mut calls = Calls::default();
            calls.add_function(self.program, function);
            calls
        })
    }

    /// The function, what it may call, and what is said about them.
    pub fn on_behalf_of(&self, function: FuncId) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        let mut new = vec![function];
        let (mut is_open, mut is_unknown) = (false, false);
        while let Some(next) = new.pop() {
            if !found.insert(next) {
                continue;
            }
            let calls = self.calls(next);
            new.extend(calls.direct.iter().chain(&calls.addressed));
            new.extend(self.about.get(&next).into_iter().flatten());
            new.extend(about(self.program.function(next).origin));
            if calls.from_outside && !is_open {
                is_open = true;
                new.extend(self.addressed.get_or_init(|| addressed(self.program)));
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
