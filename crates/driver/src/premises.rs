//! What the functions that tests replace are taken to do.

use glassbox_ir::Program;
use glassbox_testcase::premise::StubReturns;
use glassbox_testcase::{Premise, StubResult};

/// Stubs and stand-ins, each once.
pub(crate) fn of_stubs<'a>(
    program: &Program,
    stubs: impl Iterator<Item = &'a StubResult>,
    returns: StubReturns,
) -> Vec<Premise> {
    let premise = |stub: &StubResult| {
        let name = program.function(stub.function).name.clone();
        if program.is_stand_in(stub.function) {
            Premise::StandIn { name, returns }
        } else {
            Premise::Stub { name, returns }
        }
    };
    Premise::listed(stubs.map(premise).collect())
}
