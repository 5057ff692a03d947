//! Where runs start. A function that is no entry is looked at in the runs of those that are, with what they pass; so
//! whatever no entry leads to has to be one.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::scope::{Calls, addressed, scope};
use glassbox_ir::{FuncId, Linkage, Program};

use crate::plan::{Entries, Scope};

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

/// The functions whose goals count in this scope, each with those that runs start in for them: none where that is the
/// function itself.
pub(super) fn starts(
    program: &Program,
    own: &[FuncId],
    scope: Scope,
) -> BTreeMap<FuncId, Vec<FuncId>> {
    let main = own.iter().copied().find(|&id| program.function(id).name == "main");
    let entries = match (scope, main) {
        (Scope::Unit, _) => own.to_vec(),
        (Scope::Program, Some(main)) => vec![main],
        (Scope::Program, None) => among(program, own, Entries::Roots),
        (Scope::Calls, _) => {
            // A pointer to a function may be called from anywhere.
            let addressed = addressed(program);
            let mut entries = among(program, own, Entries::Public);
            let is_new = |id: &&FuncId| addressed.contains(id) && !entries.contains(id);
            let more: Vec<FuncId> = own.iter().filter(is_new).copied().collect();
            entries.extend(more);
            entries
        }
    };
    let mut found: BTreeMap<FuncId, Vec<FuncId>> =
        entries.iter().map(|&entry| (entry, Vec::new())).collect();
    if scope == Scope::Unit {
        return found;
    }
    for &entry in &entries {
        for (function, distance) in by_distance(program, entry) {
            if own.contains(&function) && !entries.contains(&function) {
                let starts = found.entry(function).or_default();
                // The nearest first: it has the least to do on its way.
                if distance == 1 { starts.insert(0, entry) } else { starts.push(entry) }
            }
        }
    }
    found
}

/// Functions that runs of an entry may come to, and how many calls away they are.
fn by_distance(program: &Program, entry: FuncId) -> Vec<(FuncId, usize)> {
    let mut calls = Calls::default();
    calls.add_function(program, entry);
    let distance = |function: FuncId| if calls.direct.contains(&function) { 1 } else { 2 };
    let reached = scope(program, entry, &[]).into_iter().filter(|&function| function != entry);
    reached.map(|function| (function, distance(function))).collect()
}
