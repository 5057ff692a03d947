//! What a comparison of two calls does not look at, by the code that the calls run: a proof that they do the same holds
//! within that.

use glassbox_coverage::property::is_library;
use glassbox_coverage::scope::scope;
use glassbox_ir::{
    Call, Callee, Check, CheckKind, FuncId, Function, InstrKind, Program, Terminator, Ty,
};
use glassbox_testcase::{Assumption, NotCompared};

use crate::drive::Case;
use crate::relation;

/// What proofs of a relation between calls rest on. That calls come back, and that errors do not happen, is said elsewhere.
pub(crate) fn bounds(case: &Case<'_>, relation: FuncId) -> Vec<Assumption> {
    let program = case.program();
    let mut left_out = case.language.not_compared(relation);
    if !program.language.has_objects() {
        let mut functions = scope(program, relation, &[]);
        functions.retain(|&id| id != relation && !is_library(program, id));
        left_out.extend(not_compared(program, relation, &functions));
    }
    // Relations between calls of one function compare numbers by `==`; whoever compares two functions looks for any difference.
    let is_of_two = relation::compares_two(program, relation);
    let counts = |what: &NotCompared| match what {
        // What fields hold before the calls is looked at, and named by the language.
        NotCompared::Assertions
        | NotCompared::Endless
        | NotCompared::Exceptions
        | NotCompared::WrittenFields => false,
        NotCompared::SignsOfZeros
        | NotCompared::IdentityOfArrays
        | NotCompared::IdentityOfTexts => is_of_two,
        NotCompared::Exits
        | NotCompared::Errno
        | NotCompared::Output
        | NotCompared::OtherStatics
        | NotCompared::FieldsBelow
        | NotCompared::Initializers
        | NotCompared::Constructors
        | NotCompared::OlderVariables
        | NotCompared::InitialValues => true,
    };
    Assumption::listed(left_out.into_iter().filter(counts).map(Assumption::NotCompared))
}

/// What comparisons of C functions leave out of what these functions, and the library on their behalf, may do.
pub(crate) fn not_compared(
    program: &Program,
    relation: FuncId,
    functions: &[FuncId],
) -> Vec<NotCompared> {
    let own = || functions.iter().map(|&id| program.function(id));
    let blocks = || own().filter_map(|it| it.body.as_ref()).flat_map(|body| &body.blocks);
    let instrs = || blocks().flat_map(|block| &block.instrs);
    let others = || {
        instrs().filter_map(|instr| {
            let InstrKind::Call(Call { callee, .. }) = &instr.kind else { return None };
            match *callee {
                Callee::Direct(other) if functions.contains(&other) => None,
                Callee::Direct(other) => Some(Some(program.function(other))),
                Callee::Indirect(_) => Some(None),
            }
        })
    };
    let row = |called: Option<&Function>| glassbox_library::find(&called?.name).map(|it| &it.row);
    let ends = blocks().any(|block| matches!(block.terminator, Terminator::Unreachable))
        || others().any(|other| row(other).is_none_or(|row| row.control.never_returns()));
    let is_errno = |called: &Function| called.name == "__errno_location";
    let sets_errno = others()
        .any(|other| other.is_none_or(is_errno) || row(other).is_none_or(|row| row.sets_errno));
    let asserts = instrs().any(|instr| {
        let kind = CheckKind::Assertion;
        matches!(&instr.kind, InstrKind::Check(Check::Condition { kind: it, .. }) if *it == kind)
    });
    let all = [
        (ends, NotCompared::Exits),
        (sets_errno, NotCompared::Errno),
        (asserts, NotCompared::Assertions),
        // The comparison itself may be the only one that takes bytes for numbers.
        (own().chain([program.function(relation)]).any(has_floats), NotCompared::SignsOfZeros),
    ];
    let found = all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what);
    found.chain(crate::equiv::not_compared(program, functions)).collect()
}

/// Whether a function computes with floating numbers.
fn has_floats(function: &Function) -> bool {
    let is_float = |ty: &Ty| matches!(ty, Ty::Float(_));
    function.params.iter().any(|param| is_float(&param.ty))
        || function.body.as_ref().is_some_and(|body| body.values.iter().any(is_float))
}
