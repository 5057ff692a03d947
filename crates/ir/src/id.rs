//! Typed indices: a block number is not a value number.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 entities of one kind"))
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A source file of the program.
    FileId "file";
    /// A function of the program, defined or only declared.
    FuncId "fn";
    /// A global object of the program.
    GlobalId "global";
    /// A type as the source spells it.
    SourceTypeId "type";
    /// A class or interface of the program.
    ClassId "class";
    /// A field, static or not.
    FieldId "field";
    /// A method as a class declares it.
    MethodId "method";
    /// A block of one function.
    BlockId "b";
    /// An SSA value of one function.
    ValueId "%";
    /// A memory object of one activation of one function.
    LocalId "local";
    /// A variable that the source of one function declares.
    SourceVarId "var";
    /// A decision of one function.
    DecisionId "d";
}
