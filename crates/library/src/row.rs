//! What a row of the catalogue states about a function, and the words that rows are written with.
//!
//! A row starts with how the function is modeled (`source`, `native`, `instruction`, `unmodeled`) and a C
//! declaration; everything else is added by name. What a row does not mention, the function does not do: it
//! changes no memory of the program, calls nothing back, returns once, leaves `errno` alone, and its result
//! depends on its arguments and on memory only.

use glassbox_values::RoundingMode;

/// Where the body of a function comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// A piece of C that the front-end adds to the program.
    Source,
    /// Code of the interpreter's library.
    Native,
    /// None: a run that calls it stops there.
    Missing,
}

/// A function that lowering turns into instructions, where it is declared with the library's types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Reports a failed assertion and does not return.
    AssertionFailure,
    /// Fails if its first argument is false.
    Assert,
    /// The same for what a relation between calls says.
    Relate,
    /// Excludes runs where its first argument is false.
    Assume,
    Copy,
    /// A copy whose areas may overlap.
    Move,
    Fill,
    Allocate,
    AllocateZeroed,
    /// No memory: more was asked for than there can be.
    AllocateNothing,
    Free,
    CheckFreeable,
    /// Fails where two areas of one length overlap.
    CheckApart,
    ObjectSize,
    ObjectOffset,
    IsWhole,
    Abs,
    Sqrt,
    Round(RoundingMode),
    Fmin,
    Fmax,
    Fmod,
    Remainder,
    CopySign,
    Fma,
    IsNan,
    IsInfSign,
    IsFinite,
    SignBit,
}

/// What becomes of the run when the function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    Returns,
    /// The run ends with the status that is the first argument.
    Exits,
    /// The run ends as if by a signal.
    Aborts,
    /// It returns a second time, or goes elsewhere first.
    Jumps,
    /// It goes elsewhere and does not come back.
    Leaves,
    /// From now on other code may run between any two instructions: a thread, a handler of signals.
    Interleaves,
}

impl Control {
    pub const fn ends_run(self) -> bool {
        matches!(self, Control::Exits | Control::Aborts)
    }

    /// The instruction after the call is not reached by it.
    pub const fn never_returns(self) -> bool {
        matches!(self, Control::Exits | Control::Aborts | Control::Leaves)
    }

    /// What happens after the call cannot be followed instruction by instruction.
    pub const fn is_beyond_order(self) -> bool {
        matches!(self, Control::Jumps | Control::Leaves | Control::Interleaves)
    }
}

/// What the result of a function is fixed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Determinism {
    /// Its arguments and memory.
    Fixed,
    /// They fix only the sign: implementations give different numbers.
    SignOnly,
    /// Any number that has the sign of the first argument.
    SameSign,
    /// The surroundings: clocks, files, the environment, the state of a stream.
    Surroundings,
    /// Nothing: it is an input of the program, by the conventions of verification tools.
    Input,
}

/// The stream that a function reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    Nothing,
    StandardInput,
    /// The stream that is this argument.
    Stream(u8),
    /// A descriptor or a `va_list`: only the concrete library follows it.
    Other,
}

impl Reads {
    /// Standard input is an input of a test that calls the function.
    pub const fn is_followed(self) -> bool {
        matches!(self, Reads::StandardInput | Reads::Stream(_))
    }
}

/// What a function returns that writes text where its first argument points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextResult {
    /// The argument.
    Argument,
    /// The argument, or null.
    ArgumentOrNull,
    /// A pointer into the text.
    End,
    Number,
}

/// One row of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// A C declaration without its semicolon; the name is the last word before the first parenthesis.
    pub declaration: &'static str,
    /// Other names of the same function.
    pub aliases: &'static [&'static str],
    /// The same function exists for `float` (suffix `f`) and for `long double` (suffix `l`).
    pub has_twins: bool,
    /// Compilers know it without a declaration.
    pub is_builtin: bool,
    pub body: Body,
    pub operator: Option<Operator>,
    /// Bit `k`: it may write through argument `k`; variable arguments are behind the last bit.
    pub writes: u16,
    /// It writes text where its first argument points, and no further than the array that this is formed from: the part of
    /// an object that `__builtin_object_size(.., 1)` finds, as in fortified programs. `memcpy` and the like may write
    /// the whole object.
    pub text: Option<TextResult>,
    /// Behind memory, arguments say how large a block is and how many blocks there are.
    pub counts_blocks: bool,
    /// The argument that is a format of `printf`, whose `%n` writes through variable arguments.
    pub format: Option<u8>,
    /// It may call functions of the program: an argument, one in memory that it can reach, or one that was
    /// registered earlier.
    pub calls_back: bool,
    pub control: Control,
    /// What it does besides its result is output.
    pub is_output: bool,
    pub reads: Reads,
    /// Its result is memory that the caller has to free.
    pub allocates: bool,
    pub sets_errno: bool,
    pub determinism: Determinism,
    /// For an input: the largest number that it gives, the smallest being 0; `None`: anything.
    pub input_most: Option<u64>,
    /// The operating system gives a count of at most this argument, or -1. Where tests have a stub of it, that still holds.
    pub count_up_to: Option<u8>,
    /// Its result may not fit its type: `abs` of the smallest number.
    pub may_overflow: bool,
    /// What it gives depends on the locale.
    pub depends_on_locale: bool,
    /// It keeps what it is given: nothing of that is lost, and functions among it run when the program ends.
    pub keeps_arguments: bool,
    /// It keeps something for its next call or for that of another function, which is in no object of the program.
    pub remembers: bool,
    /// The stream that it is given cannot be used afterwards.
    pub ends_stream: bool,
    /// A null pointer stands for every stream.
    pub takes_all_streams: bool,
    /// Which of several equal elements it takes first, and what it compares, is left to it.
    pub orders_freely: bool,
    /// Numbers may be rounded otherwise afterwards.
    pub changes_rounding: bool,
    /// Variables of the library that it may change, by the names that programs declare.
    pub changes: &'static [&'static str],
    /// The rules of verification tasks forbid calling it.
    pub is_forbidden: bool,
}

const fn row(body: Body, declaration: &'static str) -> Row {
    Row {
        declaration,
        aliases: &[],
        has_twins: false,
        is_builtin: false,
        body,
        operator: None,
        writes: 0,
        text: None,
        counts_blocks: false,
        format: None,
        calls_back: false,
        control: Control::Returns,
        is_output: false,
        reads: Reads::Nothing,
        allocates: false,
        sets_errno: false,
        determinism: Determinism::Fixed,
        input_most: None,
        count_up_to: None,
        may_overflow: false,
        depends_on_locale: false,
        keeps_arguments: false,
        remembers: false,
        ends_stream: false,
        takes_all_streams: false,
        orders_freely: false,
        changes_rounding: false,
        changes: &[],
        is_forbidden: false,
    }
}

/// A function that is a piece of C.
pub(crate) const fn source(declaration: &'static str) -> Row {
    row(Body::Source, declaration)
}

/// A function of the interpreter's library.
pub(crate) const fn native(declaration: &'static str) -> Row {
    row(Body::Native, declaration)
}

/// A function that is only known by its effects.
pub(crate) const fn unmodeled(declaration: &'static str) -> Row {
    row(Body::Missing, declaration)
}

/// A function that only lowering knows.
pub(crate) const fn instruction(operator: Operator, declaration: &'static str) -> Row {
    row(Body::Missing, declaration).operator(operator)
}

/// All arguments, variable ones included.
const ALL_ARGUMENTS: u16 = u16::MAX;

impl Row {
    pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Row {
        Row { aliases, ..self }
    }

    pub(crate) const fn twins(self) -> Row {
        Row { has_twins: true, ..self }
    }

    pub(crate) const fn builtin(self) -> Row {
        Row { is_builtin: true, ..self }
    }

    pub(crate) const fn operator(self, operator: Operator) -> Row {
        Row { operator: Some(operator), ..self }
    }

    /// It writes through this argument.
    pub(crate) const fn writes(self, argument: u8) -> Row {
        Row { writes: self.writes | 1 << argument, ..self }
    }

    /// What it gives depends on the locale.
    pub(crate) const fn locale(self) -> Row {
        Row { depends_on_locale: true, ..self }
    }

    /// It writes text through its first argument.
    pub(crate) const fn text(self, result: TextResult) -> Row {
        Row { text: Some(result), ..self }
    }

    /// It may write through any of its arguments, and change memory that is reachable from them.
    pub(crate) const fn writes_all(self) -> Row {
        Row { writes: ALL_ARGUMENTS, ..self }
    }

    pub(crate) const fn counts_blocks(self) -> Row {
        Row { counts_blocks: true, ..self }
    }

    pub(crate) const fn format(self, argument: u8) -> Row {
        Row { format: Some(argument), ..self }
    }

    pub(crate) const fn calls_back(self) -> Row {
        Row { calls_back: true, ..self }
    }

    pub(crate) const fn exits(self) -> Row {
        Row { control: Control::Exits, ..self }
    }

    pub(crate) const fn aborts(self) -> Row {
        Row { control: Control::Aborts, ..self }
    }

    pub(crate) const fn jumps(self) -> Row {
        Row { control: Control::Jumps, ..self }
    }

    pub(crate) const fn leaves(self) -> Row {
        Row { control: Control::Leaves, ..self }
    }

    pub(crate) const fn interleaves(self) -> Row {
        Row { control: Control::Interleaves, calls_back: true, ..self }
    }

    /// Output: whether it succeeds, and what it returns, is up to the surroundings.
    pub(crate) const fn output(self) -> Row {
        Row { is_output: true, sets_errno: true, determinism: Determinism::Surroundings, ..self }
    }

    pub(crate) const fn reads(self, reads: Reads) -> Row {
        Row { reads, sets_errno: true, determinism: Determinism::Surroundings, ..self }
    }

    pub(crate) const fn allocates(self) -> Row {
        Row { allocates: true, sets_errno: true, ..self }
    }

    pub(crate) const fn errno(self) -> Row {
        Row { sets_errno: true, ..self }
    }

    pub(crate) const fn sign_only(self) -> Row {
        Row { determinism: Determinism::SignOnly, ..self }
    }

    pub(crate) const fn same_sign(self) -> Row {
        Row { determinism: Determinism::SameSign, ..self }
    }

    /// What it returns is up to the surroundings.
    pub(crate) const fn surroundings(self) -> Row {
        Row { determinism: Determinism::Surroundings, ..self }
    }

    pub(crate) const fn input(self) -> Row {
        Row { determinism: Determinism::Input, ..self }
    }

    /// A number from 0 to this that cannot be foreseen, and that tests choose.
    pub(crate) const fn any_up_to(self, most: u64) -> Row {
        Row { input_most: Some(most), ..self.input() }
    }

    pub(crate) const fn counts_up_to(self, argument: u8) -> Row {
        Row { count_up_to: Some(argument), ..self }
    }

    pub(crate) const fn overflows(self) -> Row {
        Row { may_overflow: true, ..self }
    }

    pub(crate) const fn keeps(self) -> Row {
        Row { keeps_arguments: true, ..self }
    }

    pub(crate) const fn remembers(self) -> Row {
        Row { remembers: true, ..self }
    }

    pub(crate) const fn ends_stream(self) -> Row {
        Row { ends_stream: true, ..self }
    }

    pub(crate) const fn takes_all_streams(self) -> Row {
        Row { takes_all_streams: true, ..self }
    }

    pub(crate) const fn orders_freely(self) -> Row {
        Row { orders_freely: true, ..self }
    }

    pub(crate) const fn changes_rounding(self) -> Row {
        Row { changes_rounding: true, ..self }
    }

    pub(crate) const fn changes(self, changes: &'static [&'static str]) -> Row {
        Row { changes, ..self }
    }

    pub(crate) const fn forbidden(self) -> Row {
        Row { is_forbidden: true, ..self }
    }

    /// It changes no memory of the program but `errno`, and returns to its caller or ends the run.
    pub const fn is_harmless(&self) -> bool {
        self.writes == 0 && !self.calls_back && !self.control.is_beyond_order() && !self.allocates
    }
}
