//! Places of the program: instructions of any function that runs on behalf of the function under test.

use glassbox_ir::{BlockId, FuncId};

/// An instruction of some function that runs on behalf of the function under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub function: FuncId,
    pub block: BlockId,
    pub instr: u32,
}
