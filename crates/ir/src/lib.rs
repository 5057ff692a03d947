//! The program representation that every front-end produces and every engine reads.
//!
//! A typed control-flow graph in SSA form with block parameters. It is neutral: memory is objects of bytes
//! behind pointers for every language (`object_layout` describes how Java's objects lie in it), and all programs
//! use the same arithmetic, control flow, decisions and marks. Undefined behavior is an explicit `Check`;
//! what a front-end cannot translate is an explicit `Unsupported` with its place.
//!
//! Not here: syntax of C or Java, constraints, execution. Invariants are those of `verify`, which runs
//! after every producer in tests and debug builds.

pub mod block;
pub mod build;
pub mod cfg;
pub mod check;
pub mod class;
pub mod compact;
pub mod decision;
pub mod dominance;
pub mod fixed_memory;
pub mod func;
pub mod global;
pub mod id;
pub mod instr;
pub mod language;
pub mod library;
pub mod liveness;
pub mod mark;
pub mod object_layout;
mod object_shape;
pub mod overflow;
pub mod program;
pub mod promote;
pub mod shape;
pub mod simplify_cfg;
pub mod source;
pub mod source_type;
pub mod stand_in;
pub mod text;
pub mod ty;
pub mod uninitialized;
pub mod verify;

pub use block::{Block, BranchOrigin, SwitchCase, Target, Terminator};
pub use check::{Check, CheckKind, Demand};
pub use class::{Class, Field, Method};
pub use decision::{Condition, Decision, DecisionKind, Formula};
pub use fixed_memory::FixedMemory;
pub use func::{Body, Function, Linkage, Local, Origin, Param, Passing, ResultPassing, SourceVar};
pub use global::{Global, GlobalKind, Initializer, Relocation, RelocationTarget};
pub use id::{
    BlockId, ClassId, DecisionId, FieldId, FileId, FuncId, GlobalId, LocalId, MethodId,
    SourceTypeId, SourceVarId, ValueId,
};
pub use instr::{Call, Callee, Instr, InstrKind, MemoryOp, Operand, PointerOp, PureOp, VarArgsOp};
pub use language::Language;
pub use mark::{Access, Mark, Part, Presumption, UseKind, VarRef};
pub use object_layout::{ObjectLayout, TypeKind, TypeLayout};
pub use overflow::OverflowMode;
pub use program::{Change, Program};
pub use shape::{Number, Shape};
pub use source::{FileOrigin, SourceFile, Span};
pub use source_type::{EnumConstant, RecordField, RecordKind, Reference, SourceType};
pub use ty::{PointerSize, Ty};
pub use uninitialized::UninitializedMode;
