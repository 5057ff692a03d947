//! Which functions belong to the system: programs link them as they are, and tests cannot replace them.

use crate::func::Origin;
use crate::id::FuncId;
use crate::program::Program;

/// Whether the function is one of our models of the library, or judges calls for a contract: what goes wrong
/// inside is reported at the call.
pub fn is_model(program: &Program, function: FuncId) -> bool {
    let function = program.function(function);
    match function.origin {
        Origin::LibraryModel
        | Origin::Requirement { .. }
        | Origin::Promise { .. }
        | Origin::Runtime => true,
        // A harness that no contract wrote has no line to show.
        Origin::Harness { .. } => program.is_in_model(function.span),
        Origin::User
        | Origin::System
        | Origin::StandIn
        | Origin::Relation { .. }
        | Origin::Variant { .. } => false,
    }
}

/// Whether a function that the program does not define comes from the system's headers, the compiler or
/// the runtime of tests.
pub fn is_system(program: &Program, function: FuncId) -> bool {
    match program.function(function).origin {
        Origin::System | Origin::LibraryModel | Origin::Runtime => true,
        Origin::StandIn
        | Origin::User
        | Origin::Harness { .. }
        | Origin::Requirement { .. }
        | Origin::Promise { .. }
        | Origin::Relation { .. }
        | Origin::Variant { .. } => false,
    }
}
