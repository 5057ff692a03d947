//! Which functions belong to the system: programs link them as they are, and tests cannot replace them; and
//! which of them allocate.

use crate::func::Origin;
use crate::id::FuncId;
use crate::program::Program;

/// Names of the C library, for sources that declare such functions themselves instead of including a
/// header.
const LIBRARY: &[&str] = &[
    "abort", "abs", "atexit", "atof", "atoi", "atol", "bsearch", "calloc", "ceil", "cos", "exit",
    "exp", "fabs", "fclose", "fflush", "fgetc", "fgets", "floor", "fmod", "fopen", "fprintf",
    "fputc", "fputs", "fread", "free", "fscanf", "fwrite", "getc", "getchar", "getenv", "labs",
    "log", "malloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "pow", "printf", "putc",
    "putchar", "puts", "qsort", "rand", "realloc", "round", "scanf", "sin", "snprintf", "sprintf",
    "sqrt", "srand", "sscanf", "strcat", "strchr", "strcmp", "strcpy", "strlen", "strncat",
    "strncmp", "strncpy", "strrchr", "strstr", "strtol", "strtoul", "tan", "time", "tolower",
    "toupper", "_exit",
];

/// Names that the runtime of plain tests defines.
const RUNTIME: &[&str] = &[
    "reach_error",
    "__VERIFIER_error",
    "assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__ESBMC_assert",
    "klee_assert",
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__ESBMC_assume",
    "klee_assume",
];

/// Functions of the C library whose result is memory that the caller has to free.
const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "strdup",
    "strndup",
    "__strdup",
    "__strndup",
];

/// Whether the function is one of our models of the library, or judges calls for a contract: what goes wrong
/// inside is told at the call.
pub fn is_model(program: &Program, function: FuncId) -> bool {
    let function = program.function(function);
    match function.origin {
        Origin::LibraryModel
        | Origin::Requirement { .. }
        | Origin::Promise { .. }
        | Origin::Runtime => true,
        // A harness that no contract wrote has no line to show.
        Origin::Harness { .. } => program.is_in_model(function.span),
        Origin::User | Origin::System | Origin::StandIn => false,
    }
}

/// Whether what this function allocates is the caller's: the user's own code, and models of the library that
/// hand it out. Scratch memory of `qsort` is nobody's business.
pub fn allocates_for_callers(program: &Program, function: FuncId) -> bool {
    !is_model(program, function) || ALLOCATORS.contains(&program.function(function).name.as_str())
}

/// Whether a function that the program does not define comes from the system's headers, the compiler or
/// the runtime of tests.
pub fn is_system(program: &Program, function: FuncId) -> bool {
    let function = program.function(function);
    match function.origin {
        Origin::System | Origin::LibraryModel | Origin::Runtime => true,
        Origin::StandIn => false,
        Origin::User
        | Origin::Harness { .. }
        | Origin::Requirement { .. }
        | Origin::Promise { .. } => {
            function.name.starts_with("__builtin_")
                || RUNTIME.contains(&function.name.as_str())
                || LIBRARY.contains(&function.name.as_str())
        }
    }
}
