//! Bounds of a symbolic execution. Each is printed where it mattered.

use glassbox_ir::FileId;

/// What limits inputs and runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Elements of a memory object that a pointer input refers to; default 8.
    pub max_length: u64,
    /// Memory objects made for pointer inputs in one path; default 8.
    pub max_objects: usize,
    /// IR instructions on one path; default 100 000.
    pub max_steps: u64,
    /// Calls on the stack; default 200.
    pub max_depth: usize,
    /// Places that one access with a symbolic offset may mean before it is split by value; default 256.
    pub max_candidates: usize,
    /// Whether pointer inputs may share memory; default true.
    pub may_alias: bool,
    /// Whether globals that are not constant are inputs; false for whole programs, whose `main` starts
    /// with the initializers. Default true.
    pub globals_are_inputs: bool,
    /// Where tests are written, if not for all files at once: static variables of others have no name there, so they are
    /// no inputs. Default none.
    pub own_file: Option<FileId>,
    /// What undefined functions may change; default `Pointees`.
    pub stub_writes: StubWrites,
    /// Calls of the function on one path, each with inputs of its own; default 1.
    pub calls: u32,
    /// Whether a call of an undefined function may end a run of a function that never returns; default false.
    pub stubs_end_runs: bool,
    /// Whether allocations may give null; default false, which is noted as an assumption.
    pub allocation_may_fail: bool,
    /// Whether paths report what memory they lose; default false.
    pub finds_lost_memory: bool,
    /// Whether memory is lost as soon as it can no longer be freed, pointers or not; default false.
    pub kept_is_lost: bool,
    /// Whether paths go on behind formatted text, of which they know little; default false.
    pub follows_text: bool,
}

impl Config {
    /// The bounds by name, for people.
    pub fn limits(&self) -> Vec<(&'static str, String)> {
        let stub_writes = match self.stub_writes {
            StubWrites::Nothing => "nothing",
            StubWrites::Pointees => "pointees",
        };
        vec![
            ("max-length", self.max_length.to_string()),
            ("objects behind pointers", self.max_objects.to_string()),
            ("instructions on one path", self.max_steps.to_string()),
            ("calls on the stack", self.max_depth.to_string()),
            ("stub-writes", stub_writes.to_owned()),
        ]
    }
}

/// What an undefined function may change (the `--stub-writes` option).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubWrites {
    Nothing,
    /// What its arguments that are pointers to non-const point to: the object, or the rest of the array.
    Pointees,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_length: 8,
            max_objects: 8,
            max_steps: 100_000,
            max_depth: 200,
            max_candidates: 256,
            may_alias: true,
            globals_are_inputs: true,
            own_file: None,
            stub_writes: StubWrites::Pointees,
            calls: 1,
            stubs_end_runs: false,
            allocation_may_fail: false,
            finds_lost_memory: false,
            kept_is_lost: false,
            follows_text: false,
        }
    }
}
