//! What the JDK leaves to the machine: natives, and methods that lead to very much code.
//!
//! A method of the JDK is executed as it is unless the table here says otherwise: an intrinsic is code
//! made by `lower::intrinsic`, a replacement is a static method of the model classes written in Java
//! (folder `library`, compiled with `--patch-module`), and what is cut off becomes `Unsupported` when a
//! run reaches it. So does what depends on the surroundings, unless a run only imitates them.
//!
//! To add a method: its row in `table`, and its code in `lower::intrinsic` or in `GlassboxModels.java`.

mod aside;
#[cfg(test)]
mod bodies;
pub mod settings;
mod table;

use glassbox_ir::CheckKind;
use glassbox_ir::instr::{FloatBinaryOp, FloatUnaryOp};

pub(crate) use aside::{
    is_logging_framework, is_opaque, model_of as model_of_aside, says_no, stands_aside,
};
pub(crate) use table::model_of;

/// The class that models are methods of.
pub(crate) const MODELS: &str = "java/lang/GlassboxModels";

/// The bytes of a model class.
pub(crate) fn model_class(name: &str) -> Option<&'static [u8]> {
    (name == MODELS).then_some(include_bytes!("../../library/java/lang/GlassboxModels.class"))
}

/// Whether a class of the JDK makes sense with any values of its fields. Others have inner rules that arbitrary
/// values would break.
pub(crate) fn is_plain_data(name: &str) -> bool {
    let plain = name.strip_prefix("java/lang/");
    plain.is_some_and(|name| {
        matches!(
            name,
            "Object"
                | "String"
                | "Integer"
                | "Long"
                | "Short"
                | "Byte"
                | "Character"
                | "Boolean"
                | "Float"
                | "Double"
        )
    })
}

/// Whether the classes below this one have objects with inner rules: the constants of an enum are fixed, and
/// the JVM fills in what a throwable knows of its origin.
pub(crate) fn has_inner_rules(name: &str) -> bool {
    matches!(name, "java/lang/Enum" | "java/lang/Throwable")
}

/// The constant that another one is the same object as (`java.util.Locale`).
pub(crate) fn first_name(constant: &str) -> &str {
    match constant {
        "CHINA" | "PRC" => "SIMPLIFIED_CHINESE",
        "TAIWAN" => "TRADITIONAL_CHINESE",
        name => name,
    }
}

/// Whether two constants of a class are one object: `java.awt.Color` has `LIGHT_GRAY` and `lightGray`.
pub(crate) fn is_same_constant(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    plain(one) == plain(other)
}

/// What to do instead of running a method's own code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    Intrinsic(Intrinsic),
    /// The static method of `MODELS` with this name and the same parameters, receiver first.
    Replace(&'static str),
    /// A function that the engines know by name: it has a row in the catalogue of `glassbox-library`.
    External(&'static str),
    /// The result is up to the surroundings of the run: clocks, processors, settings of the JVM. Unknown,
    /// unless a single run is to be shown: then it is as this code says.
    Surroundings(Intrinsic),
    /// Does nothing that the program sees: a class that stands aside.
    Aside,
    /// Not modeled, and too far from what is.
    CutOff,
}

/// Methods whose code is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    /// Does nothing; the result is zero, false or null.
    Zero,
    /// The result is one or true.
    One,
    /// Whether assertions of a class are checked, as `environment` declares.
    AssertionStatus,
    /// The result is an object without methods: calls on it are `Unsupported`.
    Opaque,
    /// What `java.lang` lets other packages of the JDK do: its own object for that.
    LanguageAccess,
    /// The same of `java.util`'s collections.
    CollectionAccess,
    /// The result is the first argument.
    First,
    ArrayCopy,
    /// A number that the interpreter gives: proofs that read one say so.
    IdentityHash,
    GetClass,
    Clone,
    /// Same bits, other type.
    Reinterpret,
    /// The bits of a float, where every NaN has the same.
    BitsOfOneNan,
    /// An operation on the first argument.
    FloatUnary(FloatUnaryOp),
    /// An operation on the first two arguments.
    FloatBinary(FloatBinaryOp),
    Fma,
    /// Nothing waits. Who has the monitor is not known: whoever has not gets an exception.
    Notify,
    /// Makes `System.out` and `System.err`.
    SystemInit,
    /// Makes the constants of the class that are objects of the class itself, without insides.
    OwnConstants,
    IsArray,
    IsPrimitive,
    PrimitiveClass,
    NewArray,
    /// The constants of an enum, by its class object.
    EnumConstants,
    Superclass,
    /// Where a field lies, by class object and name.
    FieldOffset,
    Unsafe(UnsafeAccess),
}

/// What `Unsafe` does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnsafeAccess {
    Get {
        /// Other threads are expected to change it.
        is_volatile: bool,
    },
    Put,
    CompareAndSet,
    /// Where the elements of an array begin.
    ArrayBase,
    /// The bytes of an element.
    ArrayScale,
}

/// Exceptions that instructions throw: static methods of `MODELS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Thrower {
    Arithmetic,
    NullPointer,
    ArrayIndex,
    NegativeArraySize,
    ArrayStore,
    ClassCast,
    OutOfMemory,
    CloneNotSupported,
    ArrayCopy,
    InitializerFailed,
    NoClassDef,
}

impl Thrower {
    /// Name and descriptor of the method; `plain` leaves computed messages out.
    pub(crate) fn method(self, is_plain: bool) -> (&'static str, &'static str) {
        match (self, is_plain) {
            (Thrower::Arithmetic, _) => ("arithmetic", "()V"),
            (Thrower::NullPointer, _) => ("nullPointer", "()V"),
            (Thrower::ArrayIndex, false) => ("arrayIndex", "(II)V"),
            (Thrower::ArrayIndex, true) => ("arrayIndexPlain", "()V"),
            (Thrower::NegativeArraySize, false) => ("negativeArraySize", "(I)V"),
            (Thrower::NegativeArraySize, true) => ("negativeArraySizePlain", "()V"),
            (Thrower::ArrayStore, _) => ("arrayStore", "()V"),
            (Thrower::ClassCast, _) => ("classCast", "()V"),
            (Thrower::OutOfMemory, _) => ("outOfMemory", "()V"),
            (Thrower::CloneNotSupported, _) => ("cloneNotSupported", "()V"),
            (Thrower::ArrayCopy, _) => ("arrayCopy", "()V"),
            (Thrower::InitializerFailed, _) => ("initializerFailed", "(Ljava/lang/Throwable;)V"),
            (Thrower::NoClassDef, _) => ("noClassDef", "()V"),
        }
    }

    /// What goes wrong where an instruction throws it; `None` where that is no error of the program.
    pub(crate) fn error(self) -> Option<CheckKind> {
        match self {
            Thrower::Arithmetic => Some(CheckKind::DivisionByZero),
            Thrower::NullPointer => Some(CheckKind::NullDereference),
            Thrower::ArrayIndex => Some(CheckKind::OutOfBounds),
            Thrower::NegativeArraySize => Some(CheckKind::NegativeArraySize),
            Thrower::ArrayStore => Some(CheckKind::ArrayStore),
            Thrower::ClassCast => Some(CheckKind::ClassCast),
            Thrower::OutOfMemory
            | Thrower::CloneNotSupported
            | Thrower::ArrayCopy
            | Thrower::InitializerFailed
            | Thrower::NoClassDef => None,
        }
    }

    /// The exception's simple name, for goals.
    pub(crate) fn exception(self) -> &'static str {
        match self {
            Thrower::Arithmetic => "ArithmeticException",
            Thrower::NullPointer => "NullPointerException",
            Thrower::ArrayIndex | Thrower::ArrayCopy => "ArrayIndexOutOfBoundsException",
            Thrower::NegativeArraySize => "NegativeArraySizeException",
            Thrower::ArrayStore => "ArrayStoreException",
            Thrower::ClassCast => "ClassCastException",
            Thrower::OutOfMemory => "OutOfMemoryError",
            Thrower::CloneNotSupported => "CloneNotSupportedException",
            Thrower::InitializerFailed => "ExceptionInInitializerError",
            Thrower::NoClassDef => "NoClassDefFoundError",
        }
    }
}

impl Intrinsic {
    /// The class whose object the method gives, and names that it may have.
    pub(crate) fn access_object(self) -> Option<(&'static str, &'static [&'static str])> {
        if self == Intrinsic::LanguageAccess {
            return Some((
                "jdk/internal/access/JavaLangAccess",
                &["java/lang/System$1", "java/lang/System$2", "java/lang/System$3"],
            ));
        }
        (self == Intrinsic::CollectionAccess).then_some((
            "jdk/internal/access/JavaUtilCollectionAccess",
            &["java/util/ImmutableCollections$Access$1", "java/util/ImmutableCollections$1"],
        ))
    }

    /// Exceptions that the made code throws.
    pub(crate) fn throwers(self) -> &'static [Thrower] {
        match self {
            Intrinsic::ArrayCopy => {
                &[Thrower::NullPointer, Thrower::ArrayStore, Thrower::ArrayCopy]
            }
            Intrinsic::Clone => &[Thrower::CloneNotSupported],
            Intrinsic::NewArray => {
                &[Thrower::NegativeArraySize, Thrower::NullPointer, Thrower::OutOfMemory]
            }
            Intrinsic::Zero
            | Intrinsic::One
            | Intrinsic::AssertionStatus
            | Intrinsic::Opaque
            | Intrinsic::LanguageAccess
            | Intrinsic::CollectionAccess
            | Intrinsic::First
            | Intrinsic::IdentityHash
            | Intrinsic::GetClass
            | Intrinsic::Reinterpret
            | Intrinsic::BitsOfOneNan
            | Intrinsic::FloatUnary(_)
            | Intrinsic::FloatBinary(_)
            | Intrinsic::Fma
            | Intrinsic::SystemInit
            | Intrinsic::Notify
            | Intrinsic::OwnConstants
            | Intrinsic::IsArray
            | Intrinsic::IsPrimitive
            | Intrinsic::PrimitiveClass
            | Intrinsic::EnumConstants
            | Intrinsic::Superclass
            | Intrinsic::FieldOffset
            | Intrinsic::Unsafe(_) => &[],
        }
    }
}
