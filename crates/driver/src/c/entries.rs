//! Where runs start that are checked. A function that is no entry is looked at in the runs of those that are, with what
//! they pass; so whatever no entry leads to has to be one.

use std::collections::BTreeSet;

use glassbox_coverage::scope::{Calls, addressed, scope};
use glassbox_ir::{FuncId, Linkage, Program};

use crate::plan::Entries;

/// The entries among these functions, in their order.
pub(super) fn among(program: &Program, own: &[FuncId], entries: Entries) -> Vec<FuncId> {
    let first: Vec<FuncId> = match entries {
        Entries::All => return own.to_vec(),
        Entries::Public => {
            let is_public = |id: &FuncId| program.function(*id).linkage == Linkage::External;
            own.iter().copied().filter(is_public).collect()
        }
        Entries::Roots => uncalled(program, own),
    };
    let mut reached: BTreeSet<FuncId> =
        first.iter().flat_map(|&entry| scope(program, entry, &[])).collect();
    let mut chosen: BTreeSet<FuncId> = first.into_iter().collect();
    loop {
        let left: Vec<FuncId> = own.iter().copied().filter(|id| !reached.contains(id)).collect();
        // Functions that only call each other have no beginning: any of them will do.
        let Some(next) = uncalled(program, &left).first().or(left.first()).copied() else { break };
        chosen.insert(next);
        reached.extend(scope(program, next, &[]));
        reached.insert(next);
    }
    own.iter().copied().filter(|id| chosen.contains(id)).collect()
}

/// Those that none of the others calls, and whose address is never taken.
fn uncalled(program: &Program, functions: &[FuncId]) -> Vec<FuncId> {
    let addressed = addressed(program);
    let mut called = BTreeSet::new();
    for &function in functions {
        let mut calls = Calls::default();
        calls.add_function(program, function);
        called.extend(calls.direct.into_iter().filter(|callee| *callee != function));
    }
    let is_root = |id: &FuncId| !called.contains(id) && !addressed.contains(id);
    functions.iter().copied().filter(is_root).collect()
}
