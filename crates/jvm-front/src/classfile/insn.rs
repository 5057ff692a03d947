//! Bytecode instructions with their operands resolved: what the class file says, without its indices.
//!
//! Opcodes that differ only in an operand's type or in an implied operand are one instruction, so that
//! each has one meaning and one lowering.

use std::rc::Rc;

use crate::descriptor::{Kind, Prim};

/// The index of an instruction in `Code::insns`: where branches go.
pub type Label = usize;

#[derive(Debug, Clone, PartialEq)]
pub enum Insn {
    Nop,
    Const(Constant),
    Load(Kind, u16),
    Store(Kind, u16),
    ArrayLoad(Element),
    ArrayStore(Element),
    Stack(StackOp),
    Arith(ArithOp, Kind),
    Neg(Kind),
    Increment(u16, i16),
    Convert(Conversion),
    Compare(Comparison),
    /// Compares an int with zero.
    If(Condition, Label),
    /// Compares two ints.
    IfInts(Condition, Label),
    /// Whether two references are the same (`Eq`) or not (`Ne`).
    IfSame(bool, Label),
    /// Whether a reference is null (true) or not.
    IfNull(bool, Label),
    Goto(Label),
    /// Calls a subroutine of the same method; the return address is pushed.
    Jsr(Label),
    Ret(u16),
    Switch {
        cases: Vec<(i32, Label)>,
        default: Label,
    },
    Return(Option<Kind>),
    GetStatic(Rc<MemberRef>),
    PutStatic(Rc<MemberRef>),
    GetField(Rc<MemberRef>),
    PutField(Rc<MemberRef>),
    Invoke(InvokeKind, Rc<MemberRef>),
    InvokeDynamic(Rc<DynamicCall>),
    New(Rc<str>),
    NewPrimArray(Prim),
    /// The class of the elements.
    NewRefArray(Rc<str>),
    /// The class of the array, and how many dimensions are given.
    NewMultiArray(Rc<str>, u8),
    ArrayLength,
    Throw,
    CheckCast(Rc<str>),
    InstanceOf(Rc<str>),
    MonitorEnter,
    MonitorExit,
}

impl Insn {
    /// Labels that control may go to other than by falling through.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the class file format has no other jumps")]
    pub fn targets(&self) -> Vec<Label> {
        match self {
            Insn::If(_, label)
            | Insn::IfInts(_, label)
            | Insn::IfSame(_, label)
            | Insn::IfNull(_, label)
            | Insn::Goto(label)
            | Insn::Jsr(label) => vec![*label],
            Insn::Switch { cases, default } => {
                cases.iter().map(|(_, label)| *label).chain([*default]).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    Null,
    Int(i32),
    Long(i64),
    /// As bits.
    Float(u32),
    Double(u64),
    String(Rc<[u16]>),
    Class(Rc<str>),
    MethodType(Rc<str>),
    MethodHandle(Handle),
    /// Computed by a bootstrap method; its type.
    Dynamic(Rc<str>),
}

/// What `baload`, `caload`, … read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// `byte` or `boolean`.
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Ref,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Ushr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// Between int, long, float and double.
    Kinds(Kind, Kind),
    IntToByte,
    IntToChar,
    IntToShort,
}

/// Three-way comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Long,
    /// NaN gives -1 (`cmpl`).
    FloatLess(Kind),
    /// NaN gives 1 (`cmpg`).
    FloatGreater(Kind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Condition {
    pub fn negated(self) -> Condition {
        match self {
            Condition::Eq => Condition::Ne,
            Condition::Ne => Condition::Eq,
            Condition::Lt => Condition::Ge,
            Condition::Ge => Condition::Lt,
            Condition::Gt => Condition::Le,
            Condition::Le => Condition::Gt,
        }
    }

    /// As Java writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Condition::Eq => "==",
            Condition::Ne => "!=",
            Condition::Lt => "<",
            Condition::Ge => ">=",
            Condition::Gt => ">",
            Condition::Le => "<=",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

/// A field or method as code names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MemberRef {
    pub class: Rc<str>,
    pub name: Rc<str>,
    pub descriptor: Rc<str>,
    pub is_interface: bool,
}

/// A method handle constant; `kind` is 1..=9 as the JVM specification numbers them.
#[derive(Debug, Clone, PartialEq)]
pub struct Handle {
    pub kind: u8,
    pub member: Rc<MemberRef>,
}

/// An `invokedynamic` with its bootstrap method.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicCall {
    pub name: Rc<str>,
    pub descriptor: Rc<str>,
    pub bootstrap: Handle,
    pub args: Vec<Constant>,
}

/// The code of a method.
#[derive(Debug, Clone, Default)]
pub struct Code {
    pub insns: Vec<Insn>,
    /// Bytecode offset by instruction.
    pub pcs: Vec<u32>,
    pub handlers: Vec<Handler>,
    /// Source line by instruction; 0 where none is known.
    pub lines: Vec<u32>,
    pub variables: Vec<Variable>,
}

/// Instructions `start..end` throw into `target`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    pub start: Label,
    pub end: Label,
    pub target: Label,
    /// `None` catches everything.
    pub catch: Option<Rc<str>>,
}

/// A local variable of the source, alive in instructions `start..end`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: Rc<str>,
    pub descriptor: Rc<str>,
    pub slot: u16,
    pub start: Label,
    pub end: Label,
}
