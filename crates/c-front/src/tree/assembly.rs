//! Where a unit says `asm`, so that tests can do without it.

/// One `asm` of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssemblyUse {
    /// As it is spelled: `asm`, `__asm` or `__asm__`.
    pub keyword: String,
    /// The file, as the preprocessor names it, and the line that `__LINE__` has there.
    pub file: String,
    pub line: u32,
    pub role: AssemblyRole,
}

/// What stands for the assembly in runs, paths and tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssemblyRole {
    /// Nothing: it is a part of a declaration, or it is not modeled.
    Kept,
    /// A statement that gives its outputs what undefined functions return.
    Replaced {
        /// Each output as it is written, and the function.
        outputs: Vec<(String, String)>,
        /// Where it may change other memory: the function that may, and its arguments as they are written.
        memory: Option<(String, Vec<String>)>,
    },
}
