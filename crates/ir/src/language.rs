//! Source languages, and the facts about each that engines ask for.
//!
//! Engines never compare languages: they ask for the fact that they depend on. A new language answers the questions
//! below, and the compiler names each that it has not answered.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Java,
    /// Specifications by rewriting rules.
    Rules,
}

impl Language {
    /// Whether a failed check is undefined behavior, after which anything may happen. Elsewhere it is an exception,
    /// whose consequences are ordinary control flow.
    pub fn errors_are_undefined(self) -> bool {
        match self {
            Language::C | Language::Rules => true,
            Language::Java => false,
        }
    }

    /// Whether an exception may come out of a call.
    pub fn calls_may_throw(self) -> bool {
        match self {
            Language::C | Language::Rules => false,
            Language::Java => true,
        }
    }

    /// Whether memory is made of objects with classes, whose inputs are built by constructors and calls. Elsewhere
    /// it is bytes, which an input sets as it likes.
    pub fn has_objects(self) -> bool {
        match self {
            Language::C | Language::Rules => false,
            Language::Java => true,
        }
    }

    /// Whether an allocation that fails gives a null pointer.
    pub fn allocation_may_give_null(self) -> bool {
        match self {
            Language::C => true,
            Language::Java | Language::Rules => false,
        }
    }

    /// Whether two string literals may lie at one address or not, as the compiler likes (C11 6.4.5p7). Elsewhere
    /// equal literals are one object (JLS 3.10.5).
    pub fn literals_may_share_memory(self) -> bool {
        match self {
            Language::C => true,
            Language::Java | Language::Rules => false,
        }
    }

    /// Whether a function without a body may be replaced by a stub in a test. Elsewhere it is native.
    pub fn undefined_functions_have_stubs(self) -> bool {
        match self {
            Language::C => true,
            Language::Java | Language::Rules => false,
        }
    }

    /// Whether columns of places are columns of the source text. For bytecode they are offsets in the code.
    pub fn columns_are_in_the_text(self) -> bool {
        match self {
            Language::C | Language::Rules => true,
            Language::Java => false,
        }
    }

    /// Whether a function without any decision is asked to be called.
    pub fn asks_for_entries(self) -> bool {
        match self {
            Language::C | Language::Rules => true,
            Language::Java => false,
        }
    }

    /// Whether the library is code like the program's, so that what fails inside of a call is looked at there. Elsewhere
    /// the call itself is what may fail.
    pub fn library_has_bodies(self) -> bool {
        match self {
            Language::C | Language::Rules => false,
            Language::Java => true,
        }
    }

    /// Whether code that is not understood may call every function whose address it can know. Elsewhere it needs an
    /// object.
    pub fn unknown_code_may_call_by_address(self) -> bool {
        match self {
            Language::C => true,
            Language::Java | Language::Rules => false,
        }
    }

    /// Whether a NaN has a sign and a payload of its own that programs can see (in Java by `floatToRawIntBits` and `copySign`).
    /// Elsewhere all of them look alike.
    pub fn nans_differ(self) -> bool {
        match self {
            Language::C | Language::Java => true,
            Language::Rules => false,
        }
    }

    /// Whether calls can be summarized by what they change. Elsewhere the class of an object decides what is called,
    /// and summaries say nothing of classes.
    pub fn calls_have_summaries(self) -> bool {
        match self {
            Language::C | Language::Rules => true,
            Language::Java => false,
        }
    }

    /// Whether signed arithmetic wraps by definition.
    pub fn overflow_wraps(self) -> bool {
        match self {
            Language::C => false,
            Language::Java | Language::Rules => true,
        }
    }

    /// Whether declarations promise more about arguments than types do (`restrict`, `[static n]`, `argv`).
    pub fn declarations_promise(self) -> bool {
        match self {
            Language::C => true,
            Language::Java | Language::Rules => false,
        }
    }
}
