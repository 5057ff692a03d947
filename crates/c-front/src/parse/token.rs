//! Tokens of preprocessed C.

use crate::names::Name;
use crate::span::Span;

/// A token; `start` and `end` are offsets in the program-wide numbering of [`Span`].
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// Of identifiers and keywords; otherwise meaningless.
    pub name: Name,
}

impl Token {
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

macro_rules! tokens {
    ($( $(#[$doc:meta])* $variant:ident $text:literal, )* ; $( $keyword:ident $($spelling:literal)+, )*) => {
        /// What a token is: classes, punctuators, keywords.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum TokenKind {
            $( $(#[$doc])* $variant, )*
            $( $keyword, )*
        }

        impl TokenKind {
            /// As messages name it.
            pub fn text(self) -> &'static str {
                match self {
                    $( TokenKind::$variant => $text, )*
                    $( TokenKind::$keyword => [$($spelling),+][0], )*
                }
            }
        }

        /// Every spelling of every keyword. The first names are interned in this order, so the number
        /// of a name below `KEYWORDS.len()` is an index into this table.
        pub const KEYWORDS: &[(&str, TokenKind)] = &[
            $( $( ($spelling, TokenKind::$keyword), )+ )*
        ];
    };
}

tokens! {
    End "end of file",
    Identifier "identifier",
    Number "number",
    Character "character constant",
    String "string literal",
    /// A byte sequence that no C token starts with.
    Stray "stray character",
    LParen "(",
    RParen ")",
    LBracket "[",
    RBracket "]",
    LBrace "{",
    RBrace "}",
    Comma ",",
    Semicolon ";",
    Colon ":",
    Question "?",
    Dot ".",
    Arrow "->",
    Ellipsis "...",
    Plus "+",
    PlusPlus "++",
    PlusEqual "+=",
    Minus "-",
    MinusMinus "--",
    MinusEqual "-=",
    Star "*",
    StarEqual "*=",
    Slash "/",
    SlashEqual "/=",
    Percent "%",
    PercentEqual "%=",
    Amp "&",
    AmpAmp "&&",
    AmpEqual "&=",
    Pipe "|",
    PipePipe "||",
    PipeEqual "|=",
    Caret "^",
    CaretEqual "^=",
    Tilde "~",
    Bang "!",
    BangEqual "!=",
    Equal "=",
    EqualEqual "==",
    Less "<",
    LessEqual "<=",
    LessLess "<<",
    LessLessEqual "<<=",
    Greater ">",
    GreaterEqual ">=",
    GreaterGreater ">>",
    GreaterGreaterEqual ">>=",
    Hash "#",
    ;
    KwAuto "auto",
    KwBreak "break",
    KwCase "case",
    KwChar "char",
    KwConst "const" "__const" "__const__",
    KwContinue "continue",
    KwDefault "default",
    KwDo "do",
    KwDouble "double",
    KwElse "else",
    KwEnum "enum",
    KwExtern "extern",
    KwFloat "float",
    KwFor "for",
    KwGoto "goto",
    KwIf "if",
    KwInline "inline" "__inline" "__inline__",
    KwInt "int",
    KwLong "long",
    KwRegister "register",
    KwRestrict "restrict" "__restrict" "__restrict__",
    KwReturn "return",
    KwShort "short",
    KwSigned "signed" "__signed" "__signed__",
    KwSizeof "sizeof",
    KwStatic "static",
    KwStruct "struct",
    KwSwitch "switch",
    KwTypedef "typedef",
    KwUnion "union",
    KwUnsigned "unsigned",
    KwVoid "void",
    KwVolatile "volatile" "__volatile" "__volatile__",
    KwWhile "while",
    KwAlignas "_Alignas",
    KwAlignof "_Alignof" "__alignof" "__alignof__",
    KwAtomic "_Atomic",
    KwBool "_Bool",
    KwComplex "_Complex" "__complex" "__complex__",
    KwGeneric "_Generic",
    KwImaginary "_Imaginary",
    KwNoreturn "_Noreturn",
    KwStaticAssert "_Static_assert",
    KwThreadLocal "_Thread_local" "__thread",
    KwAsm "asm" "__asm" "__asm__",
    KwTypeof "typeof" "__typeof" "__typeof__",
    KwAutoType "__auto_type",
    KwAttribute "__attribute__" "__attribute",
    KwExtension "__extension__",
    KwLabel "__label__",
    KwReal "__real__" "__real",
    KwImag "__imag__" "__imag",
    KwInt128 "__int128",
    KwFloat16 "_Float16",
    KwFloat32 "_Float32",
    KwFloat32x "_Float32x",
    KwFloat64 "_Float64",
    KwFloat64x "_Float64x",
    KwFloat128 "_Float128" "__float128",
    KwBuiltinVaList "__builtin_va_list",
    KwBuiltinVaArg "__builtin_va_arg",
    KwBuiltinOffsetof "__builtin_offsetof",
    KwBuiltinTypesCompatible "__builtin_types_compatible_p",
    KwBuiltinChooseExpr "__builtin_choose_expr",
    KwFuncName "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__",
}

impl TokenKind {
    /// True for every keyword.
    pub fn is_keyword(self) -> bool {
        (self as u8) >= (TokenKind::KwAuto as u8)
    }
}
