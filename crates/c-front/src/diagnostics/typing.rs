//! Problems of meaning: well-formed text that breaks C's rules on names and types.
//!
//! Types and names are kept as text: a diagnostic outlives the tables it was made from.

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeProblem {
    Undeclared {
        name: String,
    },
    /// A name of the wrong sort, such as a variable where a type must stand.
    NotAType {
        name: String,
    },
    NotAnExpression {
        name: String,
    },
    Redefinition {
        name: String,
    },
    ConflictingTypes {
        name: String,
        new: String,
        old: String,
    },
    ConflictingLinkage {
        name: String,
    },
    /// Two units define the same external name.
    DefinedTwice {
        name: String,
    },
    WrongTag {
        name: String,
    },
    BadSpecifiers,
    BadStorage,
    Incomplete {
        ty: String,
    },
    FunctionReturning {
        ty: String,
    },
    ArrayOf {
        ty: String,
    },
    ArraySizeNotInteger {
        ty: String,
    },
    ArraySizeNegative,
    ArrayTooLarge,
    /// Only GNU C has members of variable length, and their offsets are not constant.
    VariableLengthMember,
    VariableLengthStatic,
    VoidVariable {
        name: String,
    },
    BitFieldType {
        ty: String,
    },
    BitFieldWidth {
        width: String,
    },
    BitFieldAddress,
    DuplicateMember {
        name: String,
    },
    BadAlignment,
    NoMember {
        ty: String,
        name: String,
    },
    NotARecord {
        ty: String,
    },
    NotAPointer {
        ty: String,
    },
    NotAFunction {
        ty: String,
    },
    NotSubscriptable {
        ty: String,
    },
    NotAPlace,
    NotAssignable {
        ty: String,
    },
    NotAddressable,
    BadOperand {
        operator: &'static str,
        ty: String,
    },
    BadOperands {
        operator: &'static str,
        left: String,
        right: String,
    },
    BadConversion {
        from: String,
        to: String,
    },
    BadCast {
        from: String,
        to: String,
    },
    NotScalar {
        ty: String,
    },
    ConditionalTypes {
        left: String,
        right: String,
    },
    TooFewArguments {
        expected: usize,
        found: usize,
    },
    TooManyArguments {
        expected: usize,
        found: usize,
    },
    VoidValue,
    NotConstant,
    NotIntegerConstant,
    DivisionByZero,
    /// `old(a)` in a contract.
    OldArray,
    StaticAssertion {
        message: String,
    },
    GenericNoMatch {
        ty: String,
    },
    GenericDuplicate {
        ty: String,
    },
    SwitchType {
        ty: String,
    },
    DuplicateCase {
        value: String,
    },
    DuplicateDefault,
    CaseOutsideSwitch,
    BreakOutside,
    ContinueOutside,
    UndefinedLabel {
        name: String,
    },
    DuplicateLabel {
        name: String,
    },
    ReturnOutside,
    UnknownParameter {
        name: String,
    },
    InitializerType {
        ty: String,
    },
    ExcessInitializers,
    BadDesignator {
        ty: String,
    },
    DesignatorRange,
    InitializedExtern,
    InitializedTypedef,
    VariableLengthInitialized,
    BuiltinArgument {
        builtin: String,
        what: &'static str,
    },
    VaStartOutside,
    StringPrefixes,
}

/// Words that begin declarations of C++ only.
const CPLUSPLUS: &[&str] = &["class", "namespace", "template", "using", "virtual", "constexpr"];

impl TypeProblem {
    #[expect(clippy::wildcard_enum_match_arm, reason = "most problems need no hint")]
    pub fn hint(&self) -> Option<String> {
        match self {
            TypeProblem::Undeclared { name } => {
                Some(format!("declare `{name}` or include the header that does"))
            }
            TypeProblem::NotAType { name } if CPLUSPLUS.contains(&name.as_str()) => {
                Some("this looks like C++, which is not read here: only C is".into())
            }
            TypeProblem::Incomplete { .. } => {
                Some("include the header that defines the type".into())
            }
            TypeProblem::DefinedTwice { .. } => {
                Some("leave out one of the files, or make one definition `static`".into())
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for TypeProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use TypeProblem as P;
        match self {
            P::Undeclared { name } => write!(f, "`{name}` is not declared"),
            P::NotAType { name } => write!(f, "`{name}` is not a type"),
            P::NotAnExpression { name } => write!(f, "`{name}` is a type, not a value"),
            P::Redefinition { name } => write!(f, "redefinition of `{name}`"),
            P::ConflictingTypes { name, new, old } => {
                write!(f, "conflicting types for `{name}`: `{new}` here, `{old}` before")
            }
            P::ConflictingLinkage { name } => {
                write!(f, "`{name}` is declared both static and not static")
            }
            P::DefinedTwice { name } => write!(f, "`{name}` is defined in two files"),
            P::WrongTag { name } => write!(f, "`{name}` was declared as another kind of tag"),
            P::BadSpecifiers => write!(f, "these type words do not go together"),
            P::BadStorage => write!(f, "this storage class is not allowed here"),
            P::Incomplete { ty } => write!(f, "`{ty}` is an incomplete type"),
            P::FunctionReturning { ty } => write!(f, "a function cannot return `{ty}`"),
            P::ArrayOf { ty } => write!(f, "an array cannot have elements of type `{ty}`"),
            P::ArraySizeNotInteger { ty } => {
                write!(f, "the size of an array must be an integer, not `{ty}`")
            }
            P::ArraySizeNegative => write!(f, "the size of the array is negative"),
            P::ArrayTooLarge => write!(f, "the type is too large"),
            P::VariableLengthMember => {
                write!(f, "a member of variable length is not supported")
            }
            P::VariableLengthStatic => {
                write!(f, "an array of variable length must be an automatic variable")
            }
            P::VoidVariable { name } => write!(f, "`{name}` cannot have type void"),
            P::BitFieldType { ty } => write!(f, "a bit-field cannot have type `{ty}`"),
            P::BitFieldWidth { width } => write!(f, "bad width {width} of a bit-field"),
            P::BitFieldAddress => write!(f, "a bit-field has no address and no size"),
            P::DuplicateMember { name } => write!(f, "duplicate member `{name}`"),
            P::BadAlignment => write!(f, "an alignment must be a positive power of two"),
            P::NoMember { ty, name } => write!(f, "`{ty}` has no member `{name}`"),
            P::NotARecord { ty } => write!(f, "`{ty}` is not a struct or union"),
            P::NotAPointer { ty } => write!(f, "`{ty}` is not a pointer"),
            P::NotAFunction { ty } => write!(f, "`{ty}` is not a function"),
            P::NotSubscriptable { ty } => write!(f, "`{ty}` cannot be subscripted"),
            P::NotAPlace => write!(f, "this is not an object that can be changed"),
            P::NotAssignable { ty } => write!(f, "an object of type `{ty}` cannot be changed"),
            P::NotAddressable => write!(f, "this has no address"),
            P::BadOperand { operator, ty } => write!(f, "`{operator}` does not apply to `{ty}`"),
            P::BadOperands { operator, left, right } => {
                write!(f, "`{operator}` does not apply to `{left}` and `{right}`")
            }
            P::BadConversion { from, to } => write!(f, "`{from}` does not convert to `{to}`"),
            P::BadCast { from, to } => write!(f, "`{from}` cannot be cast to `{to}`"),
            P::NotScalar { ty } => write!(f, "a number or pointer is needed, not `{ty}`"),
            P::ConditionalTypes { left, right } => {
                write!(f, "the arms of `?:` have types `{left}` and `{right}`")
            }
            P::TooFewArguments { expected, found } => {
                write!(f, "too few arguments: {found} given, {expected} needed")
            }
            P::TooManyArguments { expected, found } => {
                write!(f, "too many arguments: {found} given, {expected} needed")
            }
            P::VoidValue => write!(f, "a void expression has no value"),
            P::NotConstant => write!(f, "this is not a constant"),
            P::NotIntegerConstant => write!(f, "an integer constant is needed"),
            P::DivisionByZero => write!(f, "division by zero in a constant"),
            P::OldArray => f.write_str(
                "old values of arrays are not kept: an element, or a member that is none, is",
            ),
            P::StaticAssertion { message } if message.is_empty() => {
                write!(f, "static assertion failed")
            }
            P::StaticAssertion { message } => write!(f, "static assertion failed: {message}"),
            P::GenericNoMatch { ty } => write!(f, "`_Generic` has no association for `{ty}`"),
            P::GenericDuplicate { ty } => {
                write!(f, "`_Generic` has two associations compatible with `{ty}`")
            }
            P::SwitchType { ty } => write!(f, "`switch` needs an integer, not `{ty}`"),
            P::DuplicateCase { value } => write!(f, "duplicate case value {value}"),
            P::DuplicateDefault => write!(f, "a second `default` in one switch"),
            P::CaseOutsideSwitch => write!(f, "a case label outside of any switch"),
            P::BreakOutside => write!(f, "`break` outside of loops and switches"),
            P::ContinueOutside => write!(f, "`continue` outside of loops"),
            P::UndefinedLabel { name } => write!(f, "the label `{name}` is not defined"),
            P::DuplicateLabel { name } => write!(f, "duplicate label `{name}`"),
            P::ReturnOutside => write!(f, "`return` outside of a function"),
            P::UnknownParameter { name } => write!(f, "`{name}` is not a parameter"),
            P::InitializerType { ty } => write!(f, "invalid initializer for `{ty}`"),
            P::ExcessInitializers => write!(f, "more initializers than elements"),
            P::BadDesignator { ty } => write!(f, "this designator does not fit `{ty}`"),
            P::DesignatorRange => write!(f, "the index is outside of the array"),
            P::InitializedExtern => {
                write!(f, "an `extern` declaration in a block has an initializer")
            }
            P::InitializedTypedef => write!(f, "a typedef or function cannot have an initializer"),
            P::VariableLengthInitialized => {
                write!(f, "an array of variable length cannot have an initializer")
            }
            P::BuiltinArgument { builtin, what } => write!(f, "`{builtin}` needs {what}"),
            P::VaStartOutside => write!(f, "`va_start` in a function with fixed arguments"),
            P::StringPrefixes => write!(f, "string literals of different kinds stand side by side"),
        }
    }
}

/// Suspicious, but a C compiler accepts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeWarning {
    /// Two units declare one external name differently.
    ConflictingUnits {
        name: String,
        new: String,
        old: String,
    },
    ImplicitFunction {
        name: String,
    },
    ImplicitInt {
        name: String,
    },
    IncompatiblePointers {
        from: String,
        to: String,
    },
    PointerFromInteger {
        from: String,
        to: String,
    },
    IntegerFromPointer {
        from: String,
        to: String,
    },
    PointerComparison {
        left: String,
        right: String,
    },
    DiscardsQualifiers {
        to: String,
    },
    MissingReturnValue,
    ReturnValueInVoid,
    ExcessInitializers,
    EmptyCaseRange,
    NumberTooLarge {
        text: String,
    },
}

impl TypeWarning {
    pub fn hint(&self) -> Option<String> {
        let TypeWarning::ImplicitFunction { name } = self else { return None };
        Some(format!("include the header that declares `{name}`; it is taken as `int {name}()`"))
    }
}

impl std::fmt::Display for TypeWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use TypeWarning as W;
        match self {
            W::EmptyCaseRange => write!(f, "empty case range"),
            W::ConflictingUnits { name, new, old } => {
                write!(f, "`{name}` has type `{new}` here and `{old}` in another file")
            }
            W::ImplicitFunction { name } => write!(f, "`{name}` is called without a declaration"),
            W::ImplicitInt { name } => write!(f, "`{name}` has no type and is taken as int"),
            W::IncompatiblePointers { from, to } => {
                write!(f, "`{from}` is converted to the incompatible pointer type `{to}`")
            }
            W::PointerFromInteger { from, to } => {
                write!(f, "the integer type `{from}` is converted to the pointer type `{to}`")
            }
            W::IntegerFromPointer { from, to } => {
                write!(f, "the pointer type `{from}` is converted to the integer type `{to}`")
            }
            W::PointerComparison { left, right } => {
                write!(f, "`{left}` is compared with `{right}`")
            }
            W::DiscardsQualifiers { to } => {
                write!(f, "the conversion to `{to}` drops a qualifier of the pointed-to type")
            }
            W::MissingReturnValue => {
                write!(f, "`return` without a value in a function that returns one")
            }
            W::ReturnValueInVoid => {
                write!(f, "`return` with a value in a function returning void")
            }
            W::ExcessInitializers => write!(f, "more initializers than elements"),
            W::NumberTooLarge { text } => {
                write!(f, "the integer `{text}` is too large for its type")
            }
        }
    }
}
