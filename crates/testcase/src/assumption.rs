//! What a verdict rests on beyond the program itself: a closed list, with its words in one place.
//!
//! Whatever takes something for granted notes a value of this type; a proof that used one holds within it
//! only. Decisions compare values, never words.

use std::fmt;

use glassbox_ir::{CheckKind, Presumption};

use crate::environment_fact::EnvironmentFact;

/// Something that was taken for granted about inputs, memory or the surroundings of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assumption {
    /// Memory behind input pointers has no more elements than the search allows: how many, where it is known.
    MemoryLength { at_most: Option<u64> },
    /// Input arrays and strings of the JVM have no more elements than the search allows.
    ArrayLength,
    /// No loop or recursion has more turns than this.
    LoopTurns(u32),
    /// Terms that are inputs, as far as rules look at them, have no more values of one type inside of each other.
    TermDepth(u32),
    /// No allocation fails.
    AllocationSucceeds,
    /// Input pointers point to a fixed number of objects at most.
    ObjectsBehindPointers,
    /// Input references refer to a fixed number of objects at most.
    ObjectsBehindReferences,
    /// Each object has one well aligned number as its address.
    AddressesAsNumbers,
    /// A number that the program makes up is the address of nothing.
    NumbersAreNotAddresses,
    /// The address behind the end of an object is not that of another.
    ObjectsApart,
    /// What is made later is not where an ended object was, and literals share no bytes.
    AddressesNotReused,
    /// A NaN has the sign and the payload of the only NaN that terms have.
    OneNan,
    /// No input pointer points into the middle of an object.
    PointersToStarts,
    /// Memory behind pointers of known length is an object of just that length, and no part of a larger one.
    WholeObjects,
    /// The program does not read single bytes of an input pointer.
    PointerBytesNotRead,
    /// Memory behind pointers to different types does not overlap.
    EffectiveTypes,
    /// A volatile or atomic object that nothing in the program changes keeps its value from one access to the next.
    VolatilesKeepValues,
    /// Bytes between the members of a structure keep what was put there, whatever is stored into members
    /// (C11 6.2.6.1p6 lets them change).
    PaddingKept,
    /// Bytes of a union keep what was put there when a smaller member is stored (C11 6.2.6.1p7 lets them change).
    UnionBytesKept,
    /// No input pointer points to a global variable.
    PointersNotToGlobals,
    /// A `restrict` parameter does not point into an object that another parameter points into, even if none is
    /// written.
    RestrictApart,
    /// Arrays that share no element are no parts of one object.
    SeparateObjects,
    /// Callers pass what attributes and array bounds of parameters ask for.
    DeclaredParameters,
    /// No input reference refers to an object that a static field refers to.
    ReferencesNotToStatics,
    /// No input reference refers to an object of a constant.
    ReferencesNotToConstants,
    /// A function pointer points to a function of the program or to a stub.
    KnownFunctionPointers,
    /// A function that is called through a pointer to another type does what it does.
    CallsOfOtherTypes,
    /// Objects are of classes that are loaded.
    LoadedClassesOnly,
    /// Six classes were tried for each reference.
    FewClassesPerReference,
    /// Input strings have Latin-1 characters only.
    LatinStrings,
    /// Static fields have the values that initialization gives them.
    StaticsAsInitialized,
    /// Static variables of functions have their first values.
    StaticLocalsAsInitialized,
    /// Static variables of other files have their first values.
    OtherFilesAsInitialized,
    /// Functions without a body change no memory at all.
    UndefinedFunctionsChangeNothing,
    /// Functions without a body change only what their arguments point to.
    UndefinedFunctionsChangeOnlyPointees,
    /// A format that is not a literal does not store through `%n`.
    FormatsStoreNothing,
    /// Inputs that exist and were not tried.
    UnmodeledInput(UnmodeledInput),
    /// A fact about the machine that runs the program.
    Environment(EnvironmentFact),
    /// Something that a comparison of two calls does not look at.
    NotCompared(NotCompared),
    /// An error that is not asked about does not happen on this line; `None`: inside a function of the library.
    NoError { error: Option<CheckKind>, line: u32 },
    /// A statement gives the same whatever the order in which its operands are evaluated.
    EvaluationOrder { line: u32 },
    /// A function that is called on this line does what its attributes promise.
    AttributesKept { line: u32 },
    /// Pointers that forget on this line that they lead to something constant are not used to change it.
    ConstantsKept { line: u32 },
    /// Pointers that change their type on this line are not used to see memory by another type than it has.
    TypesKept { line: u32 },
    /// What a contract promises of a function that is called on this line can be.
    PromiseCanBeKept { line: u32 },
    /// An access on this line, by a pointer that was passed or kept, stays inside of the member that the pointer was
    /// formed from.
    MemberKept { line: u32 },
    /// The condition of a contract on this line comes to an end.
    ConditionEnds { line: u32 },
    /// Assembly on this line changes nothing and goes nowhere else, as its operands say.
    AssemblyKept { line: u32 },
    /// Builtins on this line that ask what a compiler knows say what the source says, whatever an optimizer finds out.
    NotConstant { line: u32 },
    /// `signbit` on this line gives the number that gcc gives without an optimizer; any but zero would do.
    SignBitKept { line: u32 },
}

/// Kinds of inputs that no test has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnmodeledInput {
    /// Objects of classes that only the JDK makes, and constants of enums.
    JdkObjects,
    VariableArguments,
    /// Numbers with leading zeros, signs that are not needed and the like.
    OddlyWrittenStandardInput,
    /// Reads that fail or give less than there is.
    PartialReads,
    /// Streams that callers pass in another state than that of a file that was just opened, and files of special kinds.
    StreamStates,
}

/// What a comparison of two calls leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotCompared {
    /// Calls that never return.
    Endless,
    /// Calls that end the program.
    Exits,
    /// The number of the last error of the C library.
    Errno,
    /// Assertions that fail.
    Assertions,
    /// The sign of a floating zero.
    SignsOfZeros,
    /// Everything about an exception but its class.
    Exceptions,
    /// What is printed.
    Output,
    /// What is left in static fields of other classes.
    OtherStatics,
    /// What fields hold that are written and never read.
    WrittenFields,
    /// Which array a variable refers to.
    IdentityOfArrays,
    /// Which object a text is.
    IdentityOfTexts,
    /// Fields of classes below that of the receiver.
    FieldsBelow,
    /// What initializers of classes do elsewhere, and when.
    Initializers,
    /// How constructors of two versions make the object.
    Constructors,
    /// What the older version of a function does to variables that only its file has.
    OlderVariables,
    /// What variables of two versions begin with.
    InitialValues,
}

impl Assumption {
    /// The one that is printed as `words`.
    pub fn from_words(words: &str) -> Option<Assumption> {
        let between = |before: &str, after: &str| words.strip_prefix(before)?.strip_suffix(after);
        if let Some(turns) = between("at most ", " turns of each loop or recursion") {
            return Some(Assumption::LoopTurns(turns.parse().ok()?));
        }
        if let Some(depth) = between(DEPTH_WORDS.0, DEPTH_WORDS.1) {
            return Some(Assumption::TermDepth(depth.parse().ok()?));
        }
        if let Some(line) = between("line ", ORDER_WORDS) {
            return Some(Assumption::EvaluationOrder { line: line.parse().ok()? });
        }
        if let Some(line) = between(ATTRIBUTE_WORDS.0, ATTRIBUTE_WORDS.1) {
            return Some(Assumption::AttributesKept { line: line.parse().ok()? });
        }
        if let Some(line) = between(PROMISE_WORDS.0, PROMISE_WORDS.1) {
            return Some(Assumption::PromiseCanBeKept { line: line.parse().ok()? });
        }
        if let Some(line) = between("line ", TYPE_WORDS) {
            return Some(Assumption::TypesKept { line: line.parse().ok()? });
        }
        if let Some(line) = between("line ", MEMBER_WORDS) {
            return Some(Assumption::MemberKept { line: line.parse().ok()? });
        }
        if let Some(line) = between(CONDITION_WORDS.0, CONDITION_WORDS.1) {
            return Some(Assumption::ConditionEnds { line: line.parse().ok()? });
        }
        if let Some(line) = between(ASSEMBLY_WORDS.0, ASSEMBLY_WORDS.1) {
            return Some(Assumption::AssemblyKept { line: line.parse().ok()? });
        }
        if let Some(line) = between(CONSTANT_P_WORDS.0, CONSTANT_P_WORDS.1) {
            return Some(Assumption::NotConstant { line: line.parse().ok()? });
        }
        if let Some(line) = between("line ", SIGN_WORDS) {
            return Some(Assumption::SignBitKept { line: line.parse().ok()? });
        }
        if let Some(line) = between("line ", CONSTANT_WORDS) {
            return Some(Assumption::ConstantsKept { line: line.parse().ok()? });
        }
        if let Some((line, deed)) =
            words.strip_prefix("line ").and_then(|rest| rest.split_once(" does not "))
        {
            let mut errors = errors();
            let error = errors.find(|&error| self::deed(error) == deed)?;
            return Some(Assumption::NoError { error, line: line.parse().ok()? });
        }
        let length = Assumption::MemoryLength { at_most: None };
        if let Some(at_most) = between(&format!("{length} (at most "), " elements)") {
            return Some(Assumption::MemoryLength { at_most: Some(at_most.parse().ok()?) });
        }
        Assumption::PLAIN.iter().copied().find(|known| known.to_string() == words)
    }

    /// What a mark of the program takes for granted, about everything that comes after it.
    pub fn presumed(what: Presumption, line: u32) -> Option<Assumption> {
        Some(match what {
            Presumption::EvaluationOrder => Assumption::EvaluationOrder { line },
            Presumption::Attributes => Assumption::AttributesKept { line },
            Presumption::Constants => Assumption::ConstantsKept { line },
            Presumption::EffectiveTypes => Assumption::TypesKept { line },
            Presumption::ConditionEnds => Assumption::ConditionEnds { line },
            Presumption::Assembly => Assumption::AssemblyKept { line },
            Presumption::NotConstant => Assumption::NotConstant { line },
            Presumption::OnlyTruth => Assumption::SignBitKept { line },
            Presumption::Restrict => Assumption::RestrictApart,
            Presumption::TypesApart => Assumption::EffectiveTypes,
            Presumption::Rounding => Assumption::Environment(EnvironmentFact::RoundsToNearest),
            Presumption::LibraryOrder => {
                Assumption::Environment(EnvironmentFact::EqualElementsInOrder)
            }
            // About the access alone.
            Presumption::MemberForgotten | Presumption::MemberKept => return None,
        })
    }

    /// Whether it excludes runs of the program itself, and not inputs or surroundings.
    pub fn is_about_errors(self) -> bool {
        self.line().is_some()
    }

    /// The line that it is about.
    fn line(self) -> Option<u32> {
        match self {
            Assumption::NoError { line, .. }
            | Assumption::EvaluationOrder { line }
            | Assumption::AttributesKept { line }
            | Assumption::ConstantsKept { line }
            | Assumption::TypesKept { line }
            | Assumption::PromiseCanBeKept { line }
            | Assumption::ConditionEnds { line }
            | Assumption::AssemblyKept { line }
            | Assumption::NotConstant { line }
            | Assumption::SignBitKept { line }
            | Assumption::MemberKept { line } => Some(line),
            Assumption::MemoryLength { .. }
            | Assumption::ArrayLength
            | Assumption::LoopTurns(_)
            | Assumption::TermDepth(_)
            | Assumption::AllocationSucceeds
            | Assumption::ObjectsBehindPointers
            | Assumption::ObjectsBehindReferences
            | Assumption::AddressesAsNumbers
            | Assumption::NumbersAreNotAddresses
            | Assumption::ObjectsApart
            | Assumption::AddressesNotReused
            | Assumption::OneNan
            | Assumption::PointersToStarts
            | Assumption::WholeObjects
            | Assumption::PointerBytesNotRead
            | Assumption::EffectiveTypes
            | Assumption::VolatilesKeepValues
            | Assumption::PaddingKept
            | Assumption::UnionBytesKept
            | Assumption::PointersNotToGlobals
            | Assumption::RestrictApart
            | Assumption::SeparateObjects
            | Assumption::DeclaredParameters
            | Assumption::ReferencesNotToStatics
            | Assumption::ReferencesNotToConstants
            | Assumption::KnownFunctionPointers
            | Assumption::CallsOfOtherTypes
            | Assumption::LoadedClassesOnly
            | Assumption::FewClassesPerReference
            | Assumption::LatinStrings
            | Assumption::StaticsAsInitialized
            | Assumption::StaticLocalsAsInitialized
            | Assumption::OtherFilesAsInitialized
            | Assumption::UndefinedFunctionsChangeNothing
            | Assumption::UndefinedFunctionsChangeOnlyPointees
            | Assumption::FormatsStoreNothing
            | Assumption::UnmodeledInput(_)
            | Assumption::NotCompared(_)
            | Assumption::Environment(_) => None,
        }
    }

    /// Each once, in the order of their words, as lists are printed.
    pub fn listed(all: impl IntoIterator<Item = Assumption>) -> Vec<Assumption> {
        let mut listed: Vec<Assumption> = all.into_iter().collect();
        listed.sort_by_cached_key(|assumption| (assumption.line(), assumption.to_string()));
        listed.dedup();
        listed
    }
}

/// Around the number of [`Assumption::TermDepth`].
const DEPTH_WORDS: (&str, &str) = ("lists and other terms are looked into at most ", " deep");

/// What follows the line of [`Assumption::EvaluationOrder`].
const ORDER_WORDS: &str = " means the same in any order of evaluation";

/// What follows the line of [`Assumption::ConstantsKept`].
const CONSTANT_WORDS: &str = " leads to no change of a constant";

/// What follows the line of [`Assumption::MemberKept`].
const MEMBER_WORDS: &str = " stays inside of the member that its pointer was formed from";

/// What follows the line of [`Assumption::TypesKept`].
const TYPE_WORDS: &str = " leads to no access by a type that memory does not have";

/// What stands around the line of [`Assumption::PromiseCanBeKept`].
const PROMISE_WORDS: (&str, &str) =
    ("what is promised of the function that line ", " calls can be, although no run was found");

/// What stands around the line of [`Assumption::ConditionEnds`].
const CONDITION_WORDS: (&str, &str) = ("the condition on line ", " comes to an end");

/// What stands around the line of [`Assumption::AssemblyKept`].
const ASSEMBLY_WORDS: (&str, &str) =
    ("the assembly on line ", " changes nothing but what its operands name");

/// What stands around the line of [`Assumption::NotConstant`].
const CONSTANT_P_WORDS: (&str, &str) =
    ("what builtins on line ", " ask is answered by the source, whatever an optimizer knows");

/// What stands behind the line of [`Assumption::SignBitKept`].
const SIGN_WORDS: &str = " takes from `signbit` the number that gcc gives without an optimizer";

/// What stands around the line of [`Assumption::AttributesKept`].
const ATTRIBUTE_WORDS: (&str, &str) =
    ("functions that line ", " calls do what their attributes promise");

/// What [`Assumption::NoError`] may be about.
fn errors() -> impl Iterator<Item = Option<CheckKind>> {
    CheckKind::ALL.iter().copied().map(Some).chain([None])
}

/// What a line does where an error happens; `None`: in the library.
fn deed(error: Option<CheckKind>) -> &'static str {
    let Some(error) = error else { return "call the library with what it cannot take" };
    match error {
        CheckKind::DivisionByZero => "divide by zero",
        CheckKind::SignedOverflow => "overflow",
        CheckKind::UnsignedWrap => "wrap around",
        CheckKind::LossyConversion => "lose a value in a conversion",
        CheckKind::ShiftAmount => "shift by a negative number or by the width",
        CheckKind::ShiftOverflow => "shift a signed value too far",
        CheckKind::FloatToInt => "convert a number that does not fit",
        CheckKind::NullDereference => "go through a pointer to nothing",
        CheckKind::OutOfBounds => "leave an object",
        CheckKind::UseAfterFree => "use an object that has ended",
        CheckKind::UseAfterScope => "use a variable out of scope",
        CheckKind::Uninitialized => "read what was never set",
        CheckKind::WriteToConstant => "write a constant",
        CheckKind::BadPointer => "use a number as a pointer",
        CheckKind::DoubleFree => "free memory twice",
        CheckKind::BadFree => "free what was not allocated",
        CheckKind::BadCall => "call what is not such a function",
        CheckKind::PointerOverflow => "move a pointer out of its object",
        CheckKind::PointerCompare => "compare pointers into different objects",
        CheckKind::Overlap => "copy overlapping memory",
        CheckKind::VlaSize => "make an array of no length",
        CheckKind::MissingReturn => "end a function without its result",
        CheckKind::Unreachable => "come to what is marked unreachable",
        CheckKind::Assertion => "fail its assertion",
        CheckKind::BadArgument => "leave the domain of a function",
        CheckKind::HeapLimit => "allocate more than the heap has",
        CheckKind::Leak => "lose memory",
        CheckKind::Precondition => "break a contract",
        CheckKind::Relation => "break a relation",
        CheckKind::Endless => "go round forever",
        CheckKind::ClassCast => "cast an object to a class it is not of",
        CheckKind::ArrayStore => "store an object that the array does not take",
        CheckKind::NegativeArraySize => "make an array of negative length",
        CheckKind::UncaughtException => "let an exception leave the method",
    }
}

/// Makes, out of one table, the words of every assumption and the list of those without a number: one that is in no row
/// does not compile, and one that is in a row can be read back.
macro_rules! words {
    (
        plain { $([$($plain:tt)+] $words:literal,)* }
        numbered { $([$($example:tt)+] $pattern:pat => $text:expr,)* }
    ) => {
        impl Assumption {
            /// Those without a number.
            const PLAIN: &'static [Assumption] = &[$(Assumption::$($plain)+,)*];

            /// One of each kind that has a number.
            #[cfg(test)]
            const NUMBERED: &'static [Assumption] = &[$(Assumption::$($example)+,)*];
        }

        impl fmt::Display for Assumption {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Assumption::$($plain)+ => f.write_str($words),)*
                    $($pattern => f.write_str(&$text),)*
                }
            }
        }
    };
}

words! {
    plain {
        [MemoryLength { at_most: None }] "length of memory behind pointers",
        [ArrayLength] "length of input arrays and strings",
        [AllocationSucceeds] "allocation never fails",
        [ObjectsBehindPointers] "objects behind pointers",
        [ObjectsBehindReferences] "objects behind references",
        [AddressesAsNumbers] "addresses as numbers",
        [NumbersAreNotAddresses] "numbers are not addresses",
        [ObjectsApart] "the end of an object is not the start of another",
        [AddressesNotReused]
            "addresses of ended objects and of literals are not null or those of others",
        [OneNan] "a NaN has one sign and one payload",
        [PointersToStarts] "input pointers point to the start of objects",
        [WholeObjects] "pointers of known length point to whole objects",
        [PointerBytesNotRead] "bytes of input pointers are not looked at",
        [EffectiveTypes] "pointers to different types do not overlap",
        [VolatilesKeepValues]
            "volatile and atomic objects keep their value between accesses",
        [PaddingKept] "bytes between members keep their value",
        [UnionBytesKept] "bytes of a union beside the member that is stored keep their value",
        [PointersNotToGlobals] "input pointers do not point to globals",
        [RestrictApart] "`restrict` parameters point to objects of their own",
        [SeparateObjects] "separate arrays are objects of their own",
        [DeclaredParameters] "callers pass what the declaration asks for (`nonnull`, `[static n]`)",
        [ReferencesNotToStatics] "input references do not refer to objects of static fields",
        [ReferencesNotToConstants] "input references do not refer to constant objects",
        [KnownFunctionPointers] "function pointers are functions of this program or stubs",
        [CallsOfOtherTypes] "functions work when called through pointers to other types",
        [LoadedClassesOnly] "classes of input objects: the loaded ones",
        [FewClassesPerReference] "classes of input objects: six for each reference",
        [LatinStrings] "input strings are of Latin-1 characters",
        [StaticsAsInitialized] "static fields: as their classes start",
        [StaticLocalsAsInitialized] "static variables of functions start as written",
        [OtherFilesAsInitialized] "static variables of other files start as written",
        [UndefinedFunctionsChangeNothing] "undefined functions change no memory",
        [UndefinedFunctionsChangeOnlyPointees]
            "undefined functions change only what their arguments point to",
        [FormatsStoreNothing] "formats that are not literals contain no `%n`",
        [UnmodeledInput(UnmodeledInput::JdkObjects)]
            "no input objects of the JDK's classes and of enums",
        [UnmodeledInput(UnmodeledInput::VariableArguments)]
            "no variable arguments are passed",
        [UnmodeledInput(UnmodeledInput::OddlyWrittenStandardInput)]
            "what is scanned in streams is written as people write it: white space ends each number and word",
        [UnmodeledInput(UnmodeledInput::PartialReads)]
            "reads of streams do not fail and take all there is",
        [UnmodeledInput(UnmodeledInput::StreamStates)]
            "each stream is at the start of a file of its own that can be read, written and moved about in, and is empty if opened for appending",
        [Environment(EnvironmentFact::IdentityHashes)]
            "identity hashes: as the interpreter gives them",
        [Environment(EnvironmentFact::AssertionsChecked)] "the JVM evaluates `assert` (-ea)",
        [Environment(EnvironmentFact::AssertionsIgnored)] "the JVM skips `assert` (no -ea)",
        [Environment(EnvironmentFact::DefaultLocale)]
            "letters change their case as the root locale says",
        [Environment(EnvironmentFact::StandsAside)]
            "user interfaces, loggers and class loaders change nothing that the program looks at, and do not fail",
        [Environment(EnvironmentFact::JdkStart)]
            "what the JDK takes from clocks and settings when it starts: as in one run",
        [Environment(EnvironmentFact::ExceptionMessages)]
            "exceptions that the JVM makes: without a message",
        [Environment(EnvironmentFact::StackSuffices)] "calls do not run out of stack",
        [Environment(EnvironmentFact::LambdaIdentity)]
            "identity and class names of lambdas: as the interpreter gives them",
        [Environment(EnvironmentFact::StandardStreams)]
            "`System.out` and `System.err`: the streams with which the JVM starts",
        [Environment(EnvironmentFact::LibraryExceptions)]
            "the library throws nothing but what its code and its models throw",
        [Environment(EnvironmentFact::OutputSucceeds)]
            "output succeeds and leaves `errno` as it is",
        [Environment(EnvironmentFact::PlainLocale)]
            "the locale is \"C\", as when a program starts",
        [Environment(EnvironmentFact::EqualElementsInOrder)]
            "the library treats equal elements, and compares, in the order of its models",
        [Environment(EnvironmentFact::RoundsToNearest)]
            "floating numbers are rounded to the nearest, as when a program starts",
        [NotCompared(NotCompared::Endless)] "every call returns",
        [NotCompared(NotCompared::Exits)] "no call ends the program",
        [NotCompared(NotCompared::Errno)] "errno is not compared",
        [NotCompared(NotCompared::Assertions)] "assertions of the function hold",
        [NotCompared(NotCompared::SignsOfZeros)] "zeros of both signs count as the same",
        [NotCompared(NotCompared::Exceptions)] "exceptions are compared by their class",
        [NotCompared(NotCompared::Output)] "output is not compared",
        [NotCompared(NotCompared::OtherStatics)] "static fields of other classes are not compared",
        [NotCompared(NotCompared::WrittenFields)]
            "fields that are written and not read begin with their default",
        [NotCompared(NotCompared::IdentityOfArrays)] "arrays are compared by their elements",
        [NotCompared(NotCompared::IdentityOfTexts)] "texts are compared by their letters",
        [NotCompared(NotCompared::FieldsBelow)] "fields of subclasses are not compared",
        [NotCompared(NotCompared::Initializers)]
            "what initializers of classes do is not compared",
        [NotCompared(NotCompared::Constructors)]
            "constructors that differ between the versions are not compared",
        [NotCompared(NotCompared::OlderVariables)]
            "variables that only the older version has are not compared",
        [NotCompared(NotCompared::InitialValues)]
            "variables that are initialized otherwise hold the same in both versions",
    }
    numbered {
        [MemoryLength { at_most: Some(16) }] Assumption::MemoryLength { at_most: Some(length) } => {
            format!("{} (at most {length} elements)", Assumption::MemoryLength { at_most: None })
        },
        [LoopTurns(7)] Assumption::LoopTurns(turns) => {
            format!("at most {turns} turns of each loop or recursion")
        },
        [TermDepth(4)] Assumption::TermDepth(depth) => {
            format!("{}{depth}{}", DEPTH_WORDS.0, DEPTH_WORDS.1)
        },
        [NoError { error: None, line: 12 }] Assumption::NoError { error, line } => {
            format!("line {line} does not {}", deed(*error))
        },
        [EvaluationOrder { line: 12 }] Assumption::EvaluationOrder { line } => {
            format!("line {line}{ORDER_WORDS}")
        },
        [AttributesKept { line: 12 }] Assumption::AttributesKept { line } => {
            format!("{}{line}{}", ATTRIBUTE_WORDS.0, ATTRIBUTE_WORDS.1)
        },
        [PromiseCanBeKept { line: 12 }] Assumption::PromiseCanBeKept { line } => {
            format!("{}{line}{}", PROMISE_WORDS.0, PROMISE_WORDS.1)
        },
        [ConditionEnds { line: 12 }] Assumption::ConditionEnds { line } => {
            format!("{}{line}{}", CONDITION_WORDS.0, CONDITION_WORDS.1)
        },
        [TypesKept { line: 12 }] Assumption::TypesKept { line } => {
            format!("line {line}{TYPE_WORDS}")
        },
        [MemberKept { line: 12 }] Assumption::MemberKept { line } => {
            format!("line {line}{MEMBER_WORDS}")
        },
        [AssemblyKept { line: 12 }] Assumption::AssemblyKept { line } => {
            format!("{}{line}{}", ASSEMBLY_WORDS.0, ASSEMBLY_WORDS.1)
        },
        [NotConstant { line: 12 }] Assumption::NotConstant { line } => {
            format!("{}{line}{}", CONSTANT_P_WORDS.0, CONSTANT_P_WORDS.1)
        },
        [SignBitKept { line: 12 }] Assumption::SignBitKept { line } => {
            format!("line {line}{SIGN_WORDS}")
        },
        [ConstantsKept { line: 12 }] Assumption::ConstantsKept { line } => {
            format!("line {line}{CONSTANT_WORDS}")
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Assumption;

    #[test]
    fn words_are_read_back() {
        for known in Assumption::PLAIN.iter().chain(Assumption::NUMBERED) {
            assert_eq!(Assumption::from_words(&known.to_string()), Some(*known));
        }
        for error in super::errors() {
            let known = Assumption::NoError { error, line: 12 };
            assert_eq!(Assumption::from_words(&known.to_string()), Some(known));
        }
        assert_eq!(Assumption::from_words("at most many turns of each loop or recursion"), None);
    }
}
