//! What a reader asks of the front-end beyond the program: errors that C, or most machines, allow, and what tests have to know of a unit.

use glassbox_c_front::front::Front;
use glassbox_c_front::tree::{AssemblyRole, AssemblyUse};
use glassbox_emit::UnitNames;
use glassbox_emit::assembly::{AssemblyLine, Replacement};

use crate::language::Purpose;

/// Asks the front-end for the checks that a purpose wants beyond undefined behavior.
pub(super) fn ask(front: &mut Front, purpose: Purpose) {
    // What assembly really does is not asked of tests, but it is of proofs about all runs.
    if purpose == Purpose::Generate {
        front.replace_assembly();
    }
    let Purpose::Check { unsigned_wrap, conversions, exact_calls, heap, .. } = purpose else {
        return;
    };
    if unsigned_wrap {
        front.check_unsigned_wrap();
    }
    if conversions {
        front.check_conversions();
    }
    if exact_calls {
        front.check_calls();
    }
    if let Some(bytes) = heap {
        front.limit_heap(bytes);
    }
}

/// The names of a unit, and its assembly.
pub(super) fn names(text: &[u8], assembly: Vec<AssemblyUse>) -> UnitNames {
    let line = |it: AssemblyUse| AssemblyLine {
        keyword: it.keyword,
        line: it.line,
        replacement: match it.role {
            AssemblyRole::Kept => None,
            AssemblyRole::Replaced { outputs, memory } => Some(Replacement { outputs, memory }),
        },
    };
    let mut names = UnitNames::of(text);
    names.assembly = assembly.into_iter().map(line).collect();
    names
}
