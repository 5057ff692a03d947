//! Functions: signature, body, locals, source variables.

use crate::block::Block;
use crate::decision::Decision;
use crate::id::{BlockId, FuncId, LocalId, MethodId, SourceTypeId, SourceVarId, ValueId};
use crate::instr::{InstrKind, Operand, PointerOp};
use crate::source::Span;
use crate::ty::Ty;

/// A function, defined or only declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// C: the identifier. JVM: `Class.method(descriptor)`.
    pub name: String,
    pub linkage: Linkage,
    pub origin: Origin,
    /// In call order. With `ResultPassing::Indirect`, parameter 0 is the address for the result.
    pub params: Vec<Param>,
    pub result: ResultPassing,
    pub result_source_type: SourceTypeId,
    pub is_variadic: bool,
    /// Does not return to its caller (`_Noreturn`, `exit`).
    pub is_noreturn: bool,
    /// The method this code belongs to.
    pub method: Option<MethodId>,
    /// `None`: an external function, modeled by name or stubbed.
    pub body: Option<Body>,
    pub span: Span,
}

/// Where a function comes from. Its maker sets it; nothing is inferred from names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The user's program writes or declares it.
    User,
    /// The system declares it in a header, or provides it.
    System,
    /// A model of a library function.
    LibraryModel,
    /// Calls a function as its contract says, or with arguments as a process has them.
    Harness { of: FuncId },
    /// Says whether the arguments of a call are as the contract of the function requires.
    Requirement { of: FuncId },
    /// Says whether a call did what the contract of the function promises.
    Promise { of: FuncId },
    /// Calls a function several times, or it and another, and compares what comes out.
    Relation { of: FuncId },
    /// The function with one change.
    Variant { of: FuncId },
    /// Stands for functions that callers pass as pointers.
    StandIn,
    /// No source has it: a front-end needs it.
    Runtime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Visible to other files under its name.
    External,
    /// `static`: known in its file only.
    Internal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
    pub source_type: SourceTypeId,
    pub passing: Passing,
}

/// How an argument travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Passing {
    Direct,
    /// A record by value: the parameter is the address of a copy that the caller made for this call
    /// and the callee may change.
    Indirect,
}

/// How the result travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultPassing {
    Void,
    Direct(Ty),
    /// A record: the caller passes the address to fill as parameter 0.
    Indirect,
}

impl ResultPassing {
    /// The type of the value that a call gives.
    pub fn direct(self) -> Option<Ty> {
        match self {
            ResultPassing::Direct(ty) => Some(ty),
            ResultPassing::Void | ResultPassing::Indirect => None,
        }
    }
}

/// The code of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Block 0 is the entry; its parameters are the function's.
    pub blocks: Vec<Block>,
    /// The type of every value.
    pub values: Vec<Ty>,
    pub locals: Vec<Local>,
    pub vars: Vec<SourceVar>,
    pub decisions: Vec<Decision>,
}

/// A memory object that every activation has of its own. It comes to life (with indeterminate
/// contents) at `LocalStart` and dies at `LocalEnd` or when the function returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    pub name: String,
    pub size: u64,
    pub align: u64,
    pub source_type: SourceTypeId,
    /// The variable it stores, if it is one and not a temporary.
    pub var: Option<SourceVarId>,
    pub span: Span,
}

/// A variable as the source declares it; parameters come first, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceVar {
    pub name: String,
    pub source_type: SourceTypeId,
    /// Position among the function's source parameters.
    pub param: Option<u32>,
    /// The memory object that holds it, unless it lives in SSA values only.
    pub local: Option<LocalId>,
    pub span: Span,
}

impl Body {
    pub const ENTRY: usize = 0;

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Whether two pointers that may both lead somewhere are compared.
    pub fn compares_pointers(&self) -> bool {
        self.blocks.iter().flat_map(|block| &block.instrs).any(|instr| {
            matches!(&instr.kind, InstrKind::Pointer(PointerOp::Compare { lhs, rhs, .. })
                if *lhs != Operand::NullPtr && *rhs != Operand::NullPtr)
        })
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId::new)
    }

    pub fn value_ty(&self, value: ValueId) -> Ty {
        self.values[value.index()]
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    pub fn var(&self, id: SourceVarId) -> &SourceVar {
        &self.vars[id.index()]
    }
}
