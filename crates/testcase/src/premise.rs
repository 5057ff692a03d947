//! What a whole suite takes for granted, whatever the goal: a closed list, with its words in one place.
//!
//! What a single proof rests on is an [`Assumption`](crate::Assumption).

use std::fmt;

use crate::assumption::Assumption;

/// Something that every test and every proof of a function takes for granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Premise {
    /// Runs with signed overflow are left out.
    OverflowIsRejected,
    /// Signed arithmetic wraps around.
    OverflowWraps,
    /// A function without a body that runs call.
    Stub { name: String, returns: StubReturns },
    /// A function without a body that does what a configuration says of it.
    Described { name: String },
    /// A function that stands for those that callers pass.
    StandIn { name: String, returns: StubReturns },
    /// Stubs write nothing but what tests give them to write.
    StubsWriteBehindPointers,
    /// Runs start in these functions.
    RunsStartIn { names: Vec<String> },
    /// `main` is called as the C standard says.
    ArgumentsOfMain,
    /// There is memory where the program writes addresses as numbers.
    Registers,
    /// Callers pass the variable arguments that the function reads, with the types that it reads.
    VariableArguments,
    /// Callers obey attributes and array bounds of parameters.
    DeclaredParameters,
    /// Callers obey an annotation of the source.
    Annotation { place: String, text: String },
    /// A relation says nothing where one of its calls does not return.
    RelatedCallsReturn,
    /// Permutations that only go through inputs which a contract excludes.
    PermutationsCompose,
    /// What proofs of `gen` would name one by one.
    Assumed(Assumption),
    /// Tests that use reflection, by name, of so many; and why.
    Reflection { tests: Vec<String>, n_tests: usize, why: &'static str },
}

/// What a call of a stub gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubReturns {
    /// Any value at all.
    Anything,
    /// What the test says.
    ValuesOfTests,
}

impl Premise {
    /// Each once, in the order of their words, as lists are printed.
    pub fn listed(mut all: Vec<Premise>) -> Vec<Premise> {
        all.sort_by_cached_key(ToString::to_string);
        all.dedup();
        all
    }
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Premise::OverflowIsRejected => {
                f.write_str("runs with signed overflow are left out (--overflow reject)")
            }
            Premise::OverflowWraps => {
                f.write_str("signed arithmetic wraps around, as with -fwrapv (--overflow wrap)")
            }
            Premise::Stub { name, returns: StubReturns::Anything } => {
                write!(f, "`{name}` is not defined: it returns anything")
            }
            Premise::Stub { name, returns: StubReturns::ValuesOfTests } => {
                write!(
                    f,
                    "`{name}` is not defined here: it is a stub that returns what a test says"
                )
            }
            Premise::Described { name } => {
                write!(f, "`{name}` is not defined here: it does what the configuration says of it")
            }
            Premise::StandIn { name, returns } => {
                let returns = match returns {
                    StubReturns::Anything => "anything",
                    StubReturns::ValuesOfTests => "what a test says",
                };
                write!(f, "`{name}` stands for functions that callers pass: it returns {returns}")
            }
            Premise::StubsWriteBehindPointers => f.write_str(
                "stubs write what a test says behind their pointer arguments, and nothing else",
            ),
            Premise::RunsStartIn { names } => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let names = names.join(" or ");
                write!(
                    f,
                    "runs start in {names}: infeasible is what no run from there comes to (--scope)"
                )
            }
            Premise::ArgumentsOfMain => {
                f.write_str("`main` gets `argc` arguments, and a null pointer behind them")
            }
            Premise::RelatedCallsReturn => f.write_str(
                "relations speak of inputs with which every call returns (none ends the program or goes on forever)",
            ),
            Premise::PermutationsCompose => f.write_str(
                "permutations are made of exchanges and rotations that keep to the contract",
            ),
            Premise::Registers => f.write_str(
                "the machine has memory at the addresses that the program writes as numbers",
            ),
            Premise::VariableArguments => {
                f.write_str("callers pass the variable arguments that are read, with their types")
            }
            Premise::DeclaredParameters => f.write_str(
                "callers pass what the declaration asks for (`nonnull`, `[static n]`, `restrict`)",
            ),
            Premise::Annotation { place, text } => {
                write!(f, "callers keep to annotations: {place}: {text}")
            }
            Premise::Assumed(assumption) => assumption.fmt(f),
            Premise::Reflection { tests, n_tests, why } => {
                let (n_used, names) = (tests.len(), tests.join(", "));
                write!(f, "{n_used} of {n_tests} tests use reflection ({why}): {names}")
            }
        }
    }
}
