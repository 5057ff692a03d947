//! The verifier: what every producer of IR promises and every reader may rely on.
//!
//! Verified: ids exist; each value is defined once, and its definition dominates its uses in reachable
//! blocks; operand and result types of every instruction; block arguments match parameters in number and type; the entry has the
//! function's parameters and no predecessors; switch cases are disjoint; branch origins
//! name an existing condition; each condition occurs once in its formula; direct calls match the
//! callee's signature; returns match the function's; variables of parameters come first; locals and
//! variables agree; initializers fit their objects.
//!
//! Not verified: that a local is live where its address is taken, that checks stand where they should.

mod dominance;
mod error;
mod globals;
mod instrs;
mod operands;
mod structure;
mod terminators;

pub use error::{BrokenRule, Expected, Place, VerifyError};

use crate::func::{Body, Function};
use crate::id::{BlockId, ValueId};
use crate::instr::Operand;
use crate::program::Program;
use crate::ty::Ty;

/// All broken rules of a program, in its order; empty when it is well formed.
pub fn verify_program(program: &Program) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    globals::verify_globals(program, &mut errors);
    for function in &program.functions {
        verify_function(program, function, &mut errors);
    }
    errors
}

/// Panics with the list of broken rules, for producers in tests and debug builds.
#[track_caller]
pub fn assert_verified(program: &Program, producer: &str) {
    let errors = verify_program(program);
    if !errors.is_empty() {
        let list: Vec<String> = errors.iter().take(20).map(ToString::to_string).collect();
        panic!("{producer} should produce well-formed IR:\n{}", list.join("\n"));
    }
}

/// Checks one function.
pub fn verify_function(program: &Program, function: &Function, errors: &mut Vec<VerifyError>) {
    let Some(body) = &function.body else { return };
    let mut verifier =
        Verifier { program, function, body, place: None, errors, n_errors_at_start: 0 };
    verifier.n_errors_at_start = verifier.errors.len();
    structure::verify_structure(&mut verifier);
    if verifier.is_clean() {
        // Types and dominance index by the ids that the structure has proved to exist.
        instrs::verify_instrs(&mut verifier);
        terminators::verify_terminators(&mut verifier);
        dominance::verify_dominance(&mut verifier);
    }
}

/// The function under verification and the place reached.
struct Verifier<'a> {
    program: &'a Program,
    function: &'a Function,
    body: &'a Body,
    place: Option<Place>,
    errors: &'a mut Vec<VerifyError>,
    n_errors_at_start: usize,
}

impl Verifier<'_> {
    fn is_clean(&self) -> bool {
        self.errors.len() == self.n_errors_at_start
    }

    fn at(&mut self, block: BlockId, instr: Option<usize>) {
        self.place = Some(Place { block, instr });
    }

    fn report(&mut self, rule: BrokenRule) {
        self.errors.push(VerifyError {
            entity: self.function.name.clone(),
            place: self.place,
            rule,
        });
    }

    fn require(&mut self, holds: bool, rule: BrokenRule) {
        if !holds {
            self.report(rule);
        }
    }

    fn ty(&self, operand: Operand) -> Ty {
        operand.ty(self.body)
    }

    fn value_ty(&self, value: ValueId) -> Ty {
        self.body.value_ty(value)
    }
}
