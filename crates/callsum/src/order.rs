//! Which functions call which, and which of them are recursive together.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{FuncId, Origin, Program};
use glassbox_whole::mentioned;

/// Groups of functions that call each other, callees before callers; only functions with a body that `root`
/// may come to.
pub(crate) fn groups(program: &Program, root: FuncId) -> Vec<Vec<FuncId>> {
    let callees = |function: FuncId| -> Vec<FuncId> {
        match &program.function(function).body {
            Some(body) => mentioned(body)
                .functions
                .into_iter()
                .filter(|callee| program.function(*callee).body.is_some())
                .collect(),
            None => Vec::new(),
        }
    };
    // Tarjan, "Depth-first search and linear graph algorithms" (1972), with an explicit stack.
    struct Visit {
        function: FuncId,
        callees: Vec<FuncId>,
        next: usize,
    }
    let mut number: BTreeMap<FuncId, usize> = BTreeMap::new();
    let mut low: BTreeMap<FuncId, usize> = BTreeMap::new();
    let mut open: Vec<FuncId> = Vec::new();
    let mut is_open: BTreeSet<FuncId> = BTreeSet::new();
    let mut groups = Vec::new();
    let mut visits = Vec::new();
    let begin = |function: FuncId| Visit { function, callees: callees(function), next: 0 };
    let mut enter = vec![root];
    loop {
        if let Some(function) = enter.pop() {
            let at = number.len();
            number.insert(function, at);
            low.insert(function, at);
            open.push(function);
            is_open.insert(function);
            visits.push(begin(function));
        }
        let Some(visit) = visits.last_mut() else { break };
        let function = visit.function;
        if let Some(&callee) = visit.callees.get(visit.next) {
            visit.next += 1;
            match number.get(&callee) {
                None => enter.push(callee),
                Some(&at) if is_open.contains(&callee) => {
                    let known = low[&function];
                    low.insert(function, known.min(at));
                }
                Some(_) => {}
            }
            continue;
        }
        visits.pop();
        let mine = low[&function];
        if let Some(caller) = visits.last() {
            let known = low[&caller.function];
            low.insert(caller.function, known.min(mine));
        }
        if mine == number[&function] {
            let mut group = Vec::new();
            while let Some(member) = open.pop() {
                is_open.remove(&member);
                group.push(member);
                if member == function {
                    break;
                }
            }
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// The function calls itself, or the group has several members.
pub(crate) fn is_recursive(program: &Program, group: &[FuncId]) -> bool {
    match group {
        [only] => program
            .function(*only)
            .body
            .as_ref()
            .is_some_and(|body| mentioned(body).functions.contains(only)),
        _ => true,
    }
}

/// Whether `root` may come to a function that calls itself, directly or through others. What the library
/// does with itself over objects does not count: few runs come there.
pub fn may_recur(program: &Program, root: FuncId) -> bool {
    let is_users = |function: &FuncId| {
        !program.language.has_objects() || program.function(*function).origin == Origin::User
    };
    groups(program, root).iter().any(|group| {
        let own: Vec<FuncId> = group.iter().copied().filter(is_users).collect();
        let calls_own = |function: &FuncId| {
            let body = program.function(*function).body.as_ref();
            body.is_some_and(|body| {
                mentioned(body).functions.iter().any(|callee| own.contains(callee))
            })
        };
        own.iter().any(calls_own)
    })
}
