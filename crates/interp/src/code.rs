//! Register code: what a function is compiled to before it runs.
//!
//! Registers are 64-bit words of the frame: values first (a 128-bit value takes two, low word first),
//! then constants, then one scratch register. Narrow values are kept zero-extended.

use glassbox_ir::{BlockId, DecisionId, FuncId, Instr, InstrKind, Span, Ty, ValueId};

use crate::nearness::Watch;

/// Index of a register in the frame.
pub type Reg = u32;

/// One step. `shift` is 64 minus the operand width: shifting left and back right cuts a result to its
/// width, or extends its sign.
#[derive(Debug, Clone, Copy)]
pub enum Op {
    /// A block begins: count its instructions.
    Enter {
        block: u32,
        n_steps: u32,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    Add {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// A pointer so many bytes further.
    Offset {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        shift: u8,
        dst: Reg,
        a: Reg,
    },
    Shl {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Lshr {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ashr {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ult {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ule {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Slt {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sle {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    AddOverflowsSigned {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    SubOverflowsSigned {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    MulOverflowsSigned {
        shift: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Keeps the low bits.
    Truncate {
        shift: u8,
        dst: Reg,
        a: Reg,
    },
    /// `from` is 64 minus the source width, `to` 64 minus the target width.
    SignExtend {
        from: u8,
        to: u8,
        dst: Reg,
        a: Reg,
    },
    Select {
        dst: Reg,
        condition: Reg,
        a: Reg,
        b: Reg,
    },
    AddF64 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    DivF64 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `size` is 1, 2, 4 or 8.
    Load {
        size: u8,
        dst: Reg,
        ptr: Reg,
    },
    Store {
        size: u8,
        ptr: Reg,
        src: Reg,
    },
    LocalAddr {
        dst: Reg,
        local: u32,
    },
    LocalStart {
        local: u32,
    },
    LocalEnd {
        local: u32,
    },
    /// Fails with the check of the instruction `instr` when the register is zero.
    CheckTrue {
        reg: Reg,
        instr: u32,
    },
    Jump {
        pc: u32,
    },
    Branch {
        condition: Reg,
        if_true: u32,
        if_false: u32,
    },
    /// Control takes this edge (compiled only when coverage or a trace is wanted).
    Edge {
        edge: u32,
    },
    /// Notes how near the branch that follows is to each of its edges (compiled only into the watched
    /// function).
    Watch {
        watch: u32,
    },
    /// Everything else: interpreted from the IR.
    Slow {
        instr: u32,
    },
    Call {
        instr: u32,
    },
    /// `switches[index]`.
    Switch {
        index: u32,
        value: Reg,
    },
    ReturnVoid,
    Return {
        src: Reg,
        is_wide: bool,
    },
    Unreachable,
}

/// An edge of the control-flow graph, with what it shows about a decision.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub block: BlockId,
    pub position: u32,
    pub condition: Option<EdgeCondition>,
}

#[derive(Debug, Clone, Copy)]
pub struct EdgeCondition {
    pub decision: DecisionId,
    pub condition: u16,
    pub value: bool,
    pub outcome: Option<bool>,
}

/// Sorted ranges of unsigned values, each with its target.
#[derive(Debug, Clone)]
pub struct SwitchTable {
    /// (low, high, pc); `low <= high` as unsigned numbers; sorted by `low`.
    pub ranges: Vec<(u128, u128, u32)>,
    pub default: u32,
    pub is_wide: bool,
}

/// A compiled function.
#[derive(Debug, Clone)]
pub struct Code {
    pub function: FuncId,
    pub ops: Vec<Op>,
    /// The place of every op.
    pub spans: Vec<Span>,
    pub n_regs: usize,
    /// Where each value lives.
    pub value_regs: Vec<Reg>,
    pub value_types: Vec<Ty>,
    /// (register, contents): written when a frame is made.
    pub constants: Vec<(Reg, u64)>,
    /// Parameters of the entry block.
    pub params: Vec<ValueId>,
    /// Instructions that ops refer to.
    pub instrs: Vec<Instr>,
    pub edges: Vec<Edge>,
    pub switches: Vec<SwitchTable>,
    pub watches: Vec<Watch>,
    pub n_blocks: usize,
    pub n_locals: usize,
}

impl Code {
    pub fn instr(&self, index: u32) -> &Instr {
        &self.instrs[index as usize]
    }

    pub fn kind(&self, index: u32) -> &InstrKind {
        &self.instr(index).kind
    }
}
