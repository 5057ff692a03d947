//! Facts about the surroundings of a run that an assumption may be.

/// Facts about the surroundings of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EnvironmentFact {
    IdentityHashes,
    /// The JVM evaluates `assert`.
    AssertionsChecked,
    /// The JVM skips `assert`.
    AssertionsIgnored,
    /// Letters change their case as in English.
    DefaultLocale,
    /// Calls of user interfaces, loggers and class loaders change nothing that the program looks at, and do not fail.
    StandsAside,
    /// What the JDK takes from clocks and settings of the machine when it starts is as in one run.
    JdkStart,
    /// Exceptions that the JVM or the JDK make because of an index, a cast and the like have no message.
    ExceptionMessages,
    /// No call needs more stack than there is.
    StackSuffices,
    /// Which lambdas are one object, and what their classes are called, is up to the JVM.
    LambdaIdentity,
    /// Streams are those with which the JVM starts.
    StandardStreams,
    /// No exception comes of the library but those that its code and its models throw.
    LibraryExceptions,
    /// Printing never fails, so it leaves `errno` alone.
    OutputSucceeds,
    /// The C library classifies and compares characters as in the locale in which programs start.
    PlainLocale,
    /// Floating numbers are rounded as when a program starts.
    RoundsToNearest,
    /// Sorting keeps the order of equal elements, searching takes the one in the middle, and both compare no more than
    /// the models of the library do.
    EqualElementsInOrder,
}
