//! The prover of one function: asks the methods from cheap to costly.

use glassbox_ir::{FuncId, Program};

use crate::answer::{Answer, Reason};
use crate::options::Options;
use crate::question::Question;

/// Answers questions about the runs of one function.
#[derive(Debug)]
pub struct Prover<'a> {
    program: &'a Program,
    function: FuncId,
    options: Options,
}

impl<'a> Prover<'a> {
    /// `function` must be defined in `program`. Work is done when a question asks for it.
    pub fn new(program: &'a Program, function: FuncId, options: Options) -> Prover<'a> {
        Prover { program, function, options }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether any run of the function under test, from any input, does what the question says.
    pub fn decide(&mut self, question: &Question) -> Answer {
        let _ = (self.program, self.function, question);
        Answer::Unknown(Reason::TooWeak)
    }
}
