//! Names that verification tools give a meaning: failures, assertions, assumptions. Inputs have names that
//! only begin alike; see `is_input`.

use crate::row::{Operator, Row, instruction, native};

pub(crate) const ROWS: &[Row] = &[
    // What `assert` of assert.h becomes.
    instruction(
        Operator::AssertionFailure,
        "void __assert_fail(const char *, const char *, unsigned, const char *)",
    )
    .aborts()
    .builtin(),
    instruction(Operator::AssertionFailure, "void __assert(const char *, const char *, int)")
        .aborts(),
    instruction(
        Operator::AssertionFailure,
        "void __assert_func(const char *, int, const char *, const char *)",
    )
    .aborts(),
    instruction(
        Operator::AssertionFailure,
        "void __assert_rtn(const char *, const char *, int, const char *)",
    )
    .aborts(),
    instruction(Operator::AssertionFailure, "void _assert(const char *, const char *, unsigned)")
        .aborts(),
    instruction(
        Operator::AssertionFailure,
        "void __assert_perror_fail(int, const char *, unsigned, const char *)",
    )
    .aborts(),
    instruction(Operator::AssertionFailure, "void reach_error(void)").aborts().forbidden(),
    instruction(Operator::AssertionFailure, "void __VERIFIER_error(void)").aborts().forbidden(),
    // Programs that do not include `assert.h` call a function of this name.
    instruction(Operator::Assert, "void assert(int)"),
    instruction(Operator::Assert, "void __VERIFIER_assert(int)"),
    instruction(Operator::Assert, "void __CPROVER_assert(int, const char *)"),
    instruction(Operator::Assert, "void __CPROVER_precondition(int, const char *)"),
    instruction(Operator::Assert, "void __CPROVER_postcondition(int, const char *)"),
    instruction(Operator::Assert, "void __ESBMC_assert(int, const char *)"),
    instruction(Operator::Assert, "void klee_assert(int)"),
    instruction(Operator::Assume, "void __VERIFIER_assume(int)"),
    instruction(Operator::Assume, "void __CPROVER_assume(int)"),
    instruction(Operator::Assume, "void __ESBMC_assume(int)"),
    instruction(Operator::Assume, "void klee_assume(unsigned long)"),
];

/// How names begin of functions that are inputs: they return anything and do nothing else.
pub(crate) const INPUT_PREFIXES: &[&str] = &["__VERIFIER_nondet_", "nondet_"];

/// How names begin of inputs that stand for variables that were never set.
pub const UNSET_PREFIX: &str = "nondet_unset_";

/// The row of every such function; its result has the type that the program declares.
pub(crate) const INPUT: Row = native("int __VERIFIER_nondet_(void)").input();
