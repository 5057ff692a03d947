//! Tests: inputs, what is expected, what runs did.

use glassbox_testcase::java::JvmConfirmation;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::goal::EdgeOf;
use super::value::Value;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Test {
    pub id: String,
    /// The function that the test calls, where it is not the one whose goals it covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    pub inputs: Inputs,
    pub expected: Expected,
    /// What decides whether the test passes.
    pub oracles: Vec<Oracle>,
    /// Ids of goals.
    pub covers: Vec<String>,
    /// The decisions taken, in order; long ones are cut.
    pub path: Vec<String>,
    /// The path's constraints, readable; empty for inputs that were guessed.
    pub constraints: Vec<String>,
    /// By constraint: the line of the choice that it comes from; 0 for facts about inputs and choices of callees.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraint_lines: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<EdgeOf>>,
    /// The edges of the first activation, in order; long ones are cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<EdgeOf>>,
    /// What variables hold at the choices of the way, in order; long ways are cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<Moment>,
    /// What the run did in other functions of the suite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    pub replay: Replay,
    /// What the specification says of it; absent for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<TermCase>,
    /// The test as it was written; absent where no file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<TestSource>,
}

/// What has changed since the moment before: the first one has everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Moment {
    /// Position of the choice in `trace` or, where there is none, in `path`; absent at the end of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// Variables that are set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Named>,
    /// Variables that are out of scope, or not set any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Memory of the input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ChangedObject>,
}

/// A call in a specification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct TermCase {
    /// The call, as the specification writes terms.
    pub call: String,
    /// The same with `_` for what no rule looks at.
    pub pattern: String,
    /// What it gives: a term, `raise E`, `undefined`, or `endless`.
    pub result: String,
    /// The rules that apply, in order; the first gave the result.
    pub rules: Vec<String>,
}

/// The text of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct TestSource {
    /// Seen from the folder of suite.json.
    pub file: String,
    pub line: u32,
    pub text: String,
    /// A command for a shell that builds and runs this test alone, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Inputs {
    /// Statements that make objects by constructors and calls, where a test has some. The rest chooses among such statements
    /// then, and their arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    pub params: Vec<Named>,
    pub objects: Vec<Object>,
    pub globals: Vec<Named>,
    /// What undefined functions give back, in the order of their calls.
    pub stubs: Vec<Stub>,
    /// Bytes.
    pub stdin: Vec<u8>,
    /// What each call that opens a file finds: its bytes, or null where there is no file; absent when no call is
    /// given any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Option<Vec<u8>>>,
    /// Arguments after the program's name, as bytes.
    pub argv: Vec<Vec<u8>>,
    /// Numbers of the allocations of the run that give null; absent when none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing_allocations: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Named {
    pub name: String,
    #[serde(rename = "type", default)]
    pub type_name: String,
    pub value: Value,
}

/// Memory behind pointers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Object {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub length: u64,
    pub extra_bytes: u64,
    pub elements: Vec<Value>,
    /// Bytes of the stream that this is; absent where it is memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Stub {
    pub function: String,
    /// Absent where the call has none; a null pointer is one.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// What the call writes behind its pointer arguments.
    pub writes: Vec<Write>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Write {
    /// The parameter, by position.
    pub param: usize,
    #[serde(rename = "type")]
    pub type_name: String,
    pub elements: Vec<Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Expected {
    pub ending: Ending,
    /// Absent where there is none; a null pointer is one.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    pub changed_objects: Vec<ChangedObject>,
    pub changed_globals: Vec<ChangedGlobal>,
    /// Memory that the run made, as far as its result and what it changed lead there; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Made>,
    /// Bytes.
    pub stdout: Vec<u8>,
}

/// A member that is there. `Option` alone would read a null pointer as none.
fn present<'de, D: Deserializer<'de>>(found: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(found).map(Some)
}

/// A run with an input that no test of the suite has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Rerun {
    pub inputs: Inputs,
    pub expected: Expected,
}

/// How a run ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    #[default]
    Returned,
    Exited(i32),
    Aborted,
    /// The kind of the check that fails.
    Failed(String),
    Rejected,
    /// The class of the exception.
    Thrown(String),
    Stopped,
    Unsupported(String),
}

impl Ending {
    /// Whether it says what the program does.
    pub fn is_known(&self) -> bool {
        match self {
            Ending::Returned
            | Ending::Exited(_)
            | Ending::Aborted
            | Ending::Failed(_)
            | Ending::Thrown(_) => true,
            Ending::Rejected | Ending::Stopped | Ending::Unsupported(_) => false,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct ChangedObject {
    pub name: String,
    pub elements: Vec<Value>,
}

/// Memory that a run made: allocated in C, objects and arrays in Java.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Made {
    /// In Java: of the object, as `Class.getName` has it; arrays have classes, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Of the elements.
    #[serde(rename = "type")]
    pub type_name: String,
    pub length: u64,
    /// The first ones. Parts that were never set have no bytes; texts of Java are UTF-16, and other objects of the JDK show nothing.
    pub elements: Vec<Value>,
}

impl Made {
    /// The class of texts in Java.
    pub const TEXT: &str = "java.lang.String";
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ChangedGlobal {
    pub name: String,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Oracle {
    /// Clauses of the contract.
    Spec,
    /// What several calls have to do with each other.
    Relation,
    /// What the program does today.
    Regression,
}

/// What a run did in another function of the suite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Elsewhere {
    /// Position in functions.
    pub function: usize,
    pub blocks: Vec<usize>,
    pub edges: Vec<EdgeOf>,
}

/// What the real program did with a test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Replay {
    pub state: ReplayState,
    /// What was seen of a test that failed.
    pub message: Option<String>,
}

impl Replay {
    pub fn confirmed() -> Replay {
        Replay { state: ReplayState::Confirmed, message: None }
    }

    /// It failed, went elsewhere, or passed and failed alternately.
    pub fn failed(seen: &str) -> Replay {
        Replay { state: ReplayState::Failed, message: Some(seen.to_owned()) }
    }

    pub fn is_failed(&self) -> bool {
        self.state == ReplayState::Failed
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReplayState {
    Confirmed,
    Failed,
    #[default]
    NotRun,
}

impl ReplayState {
    pub fn name(self) -> &'static str {
        match self {
            ReplayState::Confirmed => "confirmed",
            ReplayState::Failed => "failed",
            ReplayState::NotRun => "not-run",
        }
    }
}

impl Test {
    /// Blocks of the function that the run came to.
    pub fn blocks(&self) -> &[usize] {
        self.blocks.as_deref().unwrap_or_default()
    }

    /// Edges of the function that the run took.
    pub fn edges(&self) -> &[EdgeOf] {
        self.edges.as_deref().unwrap_or_default()
    }
}

/// What a JVM confirmed about the tests of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Confirmation {
    pub of: Confirmed,
    /// The same for people.
    pub text: String,
}

/// What runs with probes, or without, show about covered goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Confirmed {
    Coverage,
    SomeCoverage,
    Results,
}

impl From<JvmConfirmation> for Confirmation {
    fn from(confirmation: JvmConfirmation) -> Confirmation {
        let of = match confirmation {
            JvmConfirmation::Coverage => Confirmed::Coverage,
            JvmConfirmation::SomeCoverage { .. } => Confirmed::SomeCoverage,
            JvmConfirmation::Results => Confirmed::Results,
        };
        Confirmation { of, text: confirmation.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, Stub};
    use crate::data::Value;

    #[test]
    fn a_null_pointer_is_read_back_as_a_result() {
        for result in [None, Some(Value::Null), Some(Value::Number("3".to_owned()))] {
            let expected = Expected { result: result.clone(), ..Expected::default() };
            let text = serde_json::to_string(&expected).expect("JSON");
            assert_eq!(serde_json::from_str::<Expected>(&text).expect("read"), expected);
            let stub = Stub { result, ..Stub::default() };
            let text = serde_json::to_string(&stub).expect("JSON");
            assert_eq!(serde_json::from_str::<Stub>(&text).expect("read"), stub);
        }
    }
}
