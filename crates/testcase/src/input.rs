//! Inputs of one test.

use glassbox_ir::{FuncId, GlobalId, SourceTypeId};
use glassbox_values::{Bits, Float};

/// Everything that a run of the function depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestInput {
    /// Memory that pointers of the input refer to.
    pub objects: Vec<InputObject>,
    /// Arguments of calls of the function before the one under test, which bring its static variables to where they are
    /// wanted.
    pub earlier: Vec<Vec<NamedInput>>,
    /// One per source parameter, in order.
    pub params: Vec<NamedInput>,
    /// Globals that the test sets before the call; others keep their initializers.
    pub globals: Vec<(GlobalId, InputValue)>,
    /// What undefined functions return, in the order of their calls.
    pub stubs: Vec<StubResult>,
    pub stdin: Vec<u8>,
    /// What each call that opens a file finds, in the order of calls: its contents, or no file. Later calls find what
    /// the run has made itself.
    pub files: Vec<Option<Vec<u8>>>,
    /// Allocations that give null, by number: the first of the run is 1.
    pub failing_allocations: Vec<u64>,
    /// Command-line arguments after the program's name, for `main`.
    pub argv: Vec<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInput {
    pub name: String,
    pub source_type: SourceTypeId,
    pub value: InputValue,
}

/// A piece of memory made for the test: `length` elements of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputObject {
    /// A name a person would give it, such as `p_target`; unique in the test.
    pub name: String,
    pub element_type: SourceTypeId,
    pub length: u64,
    /// Bytes beyond the elements, for flexible members and untyped memory.
    pub extra_bytes: u64,
    /// One per element; may be shorter than `length`, the rest is zero.
    pub elements: Vec<InputValue>,
    /// It is a stream of the C library, open to be read and written from its start on, and not memory: its contents.
    pub stream: Option<Vec<u8>>,
}

/// What the array of a string's characters is called, behind the string's own name. No source can spell it.
const CHARACTERS: &str = "#chars";

impl InputObject {
    /// The name of the array that holds the characters of the string `name`.
    pub fn characters_of(name: &str) -> String {
        format!("{name}{CHARACTERS}")
    }

    /// Whether it holds the characters of a string: a part of that string, not an object of its own.
    pub fn is_characters(&self) -> bool {
        self.name.ends_with(CHARACTERS)
    }
}

/// A value of a source type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputValue {
    /// Integers, enums, truth values.
    Int(Bits),
    Float(Float),
    Pointer(InputPointer),
    /// One per field of a struct, in order; bit-fields are integers of their own width.
    Struct(Vec<InputValue>),
    /// One member of a union, by position, and its value.
    Union {
        field: usize,
        value: Box<InputValue>,
    },
    Array(Vec<InputValue>),
    /// Raw bytes of a type that has no better form.
    Bytes(Vec<u8>),
}

impl InputValue {
    pub fn as_int(&self) -> Option<Bits> {
        if let InputValue::Int(bits) = self { Some(*bits) } else { None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputPointer {
    Null,
    /// Into `TestInput::objects`, `offset` bytes from its start.
    Object {
        object: usize,
        offset: u64,
    },
    Global {
        global: GlobalId,
        offset: u64,
    },
    Function(FuncId),
}

/// What one call of an undefined function gives back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubResult {
    pub function: FuncId,
    /// `None` for void functions.
    pub result: Option<InputValue>,
    /// What it writes behind its pointer arguments.
    pub writes: Vec<StubWrite>,
    /// The call does not return: it ends the run, as `exit(0)` does.
    pub ends: bool,
}

/// Memory that an undefined function fills in one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubWrite {
    /// The source parameter whose argument points there, by position.
    pub param: usize,
    pub element_type: SourceTypeId,
    /// From where the argument points.
    pub elements: Vec<InputValue>,
}
