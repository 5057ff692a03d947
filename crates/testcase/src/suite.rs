//! The result of a campaign: goals with verdicts, tests with inputs and observations.

use glassbox_ir::FuncId;

use crate::input::TestInput;
use crate::java::JvmConfirmation;
use crate::observation::Observation;
use crate::premise::Premise;
use crate::verdict::Verdict;

/// One function's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    pub function: FuncId,
    pub goals: Vec<GoalResult>,
    pub tests: Vec<Test>,
    /// What all of it takes for granted.
    pub premises: Vec<Premise>,
    /// What a JVM confirmed, where tests were run in one.
    pub confirmation: Option<JvmConfirmation>,
    /// What the search was limited to.
    pub limits: Vec<Limit>,
    /// Clauses of the function's contract, with their places.
    pub contract: Vec<ContractClause>,
    /// Requirements that the contract traces the function to.
    pub requirements: Vec<String>,
    /// Where all inputs of goals were asked for.
    pub solutions: Option<SolutionList>,
}

/// A bound of the search, under the name of its option where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    pub name: String,
    pub value: String,
}

/// Inputs that reach goals, by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionList {
    /// One per goal.
    pub goals: Vec<GoalSolutions>,
    pub paths: Vec<PathSolutions>,
}

/// How many inputs reach a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalSolutions {
    /// As many as were asked for at most.
    pub count: usize,
    /// There are no others within the bounds of the search.
    pub is_complete: bool,
}

impl Default for GoalSolutions {
    fn default() -> GoalSolutions {
        GoalSolutions { count: 0, is_complete: true }
    }
}

/// Inputs that take one path; all differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathSolutions {
    /// Positions of the goals that the path reaches.
    pub goals: Vec<usize>,
    pub inputs: Vec<TestInput>,
}

/// A promise of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractClause {
    /// `require target > 0`.
    pub text: String,
    /// `glassbox.toml:5:12`.
    pub place: String,
    /// What holds after a call, as opposed to what inputs have to satisfy.
    pub is_ensure: bool,
    /// Ids of goals that nothing reaches because of it, and that something reaches without it.
    pub removes: Vec<String>,
}

/// A goal, by its id, and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalResult {
    pub goal: String,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// An identifier that says the goal, unique in the suite.
    pub name: String,
    /// What the test calls, where it is not the function itself but one that may come to it.
    pub through: Option<FuncId>,
    pub input: TestInput,
    pub expected: Observation,
    /// Ids of goals that this test reaches, in order.
    pub covers: Vec<String>,
    /// The decisions taken, for people.
    pub path: Vec<String>,
    /// The path's constraints; empty for inputs that were not found by following a path.
    pub constraints: Vec<PathCondition>,
    /// Functions that compare calls, and that hold with this input: each makes a test of its own.
    pub follow_ups: Vec<FuncId>,
}

/// What a path demands of the inputs, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathCondition {
    pub text: String,
    /// The line of the function under test whose choice it comes from; `None` for facts about inputs and for what
    /// callees choose.
    pub line: Option<u32>,
}
