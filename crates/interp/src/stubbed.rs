//! Functions that a program leaves undefined: what a test says they do, then the model of the library.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use glassbox_ir::{FuncId, GlobalId, Origin, Program};
use glassbox_library::Determinism;

use crate::external::{ExternalCall, ExternalResult, Externals};
use crate::memory::{Address, Memory};

/// Results that undefined functions are to give, shared by a machine and the code that sets up tests.
#[derive(Debug, Clone, Default)]
pub struct Stubs {
    // By call, in order.
    pub(crate) queue: Rc<RefCell<VecDeque<StubAnswer>>>,
}

/// What one call of an undefined function does.
#[derive(Debug)]
pub(crate) struct StubAnswer {
    pub(crate) function: FuncId,
    // The raw bits of its result, zero for void and records.
    pub(crate) word: u128,
    // By argument: bytes to write where it points. A record result is one of them.
    pub(crate) writes: Vec<(usize, Vec<u8>)>,
    // It does not return.
    pub(crate) ends: bool,
}

/// Externals that answer from the stubs first, then from a model of the library.
#[derive(Debug)]
pub struct StubbedExternals<E> {
    pub stubs: Stubs,
    pub library: E,
}

impl<E: Externals> Externals for StubbedExternals<E> {
    fn prepare(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        global_address: &dyn Fn(GlobalId) -> Address,
    ) {
        self.library.prepare(program, memory, global_address);
    }

    fn reset(&mut self) {
        self.library.reset();
    }

    fn set_stdin(&mut self, bytes: &[u8]) {
        self.library.set_stdin(bytes);
    }

    fn set_files(&mut self, files: &[Option<Vec<u8>>]) {
        self.library.set_files(files);
    }

    fn add_stream(&mut self, memory: &mut Memory, contents: &[u8]) -> Option<Address> {
        self.library.add_stream(memory, contents)
    }

    fn stdout(&self) -> Vec<u8> {
        self.library.stdout()
    }

    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult {
        let mut queue = self.stubs.queue.borrow_mut();
        let next = queue.iter().position(|answer| answer.function == call.function);
        match next.and_then(|position| queue.remove(position)) {
            Some(answer) => {
                let most = most_of(call);
                if most.is_some_and(|most| answer.word > u128::from(most)) {
                    return ExternalResult::Unsupported("a number that it never gives".to_owned());
                }
                for (arg, bytes) in &answer.writes {
                    let address = call.args.get(*arg).map_or(0, |&word| word as u64);
                    if let Err(error) = memory.write(address, bytes) {
                        return error.into();
                    }
                }
                if answer.ends {
                    return ExternalResult::Exited(0);
                }
                ExternalResult::Returned(answer.word)
            }
            // A generator would give what the test does not say.
            None if most_of(call).is_some() => {
                ExternalResult::Unsupported("no value is left for it".to_owned())
            }
            // Neither does a function that tests have a stub of.
            None if is_replaced(call) => ExternalResult::Unknown,
            None => {
                drop(queue);
                self.library.call(memory, call)
            }
        }
    }
}

/// The largest number that a function gives whose results are inputs.
fn most_of(call: &ExternalCall<'_>) -> Option<u64> {
    glassbox_library::find(&call.program.function(call.function).name)?.row.input_most
}

/// Whether the surroundings answer for a function that tests define, so that nothing fixed can be said.
fn is_replaced(call: &ExternalCall<'_>) -> bool {
    let function = call.program.function(call.function);
    let known = glassbox_library::find(&function.name);
    function.origin == Origin::User
        && known.is_some_and(|known| {
            let row = &known.row;
            row.determinism == Determinism::Surroundings || row.count_up_to.is_some()
        })
}
