//! Which functions belong to the system: programs link them as they are, and tests cannot replace them; and
//! which of them allocate. Also names of functions that contracts become.

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

/// How names of functions start that say whether the arguments of a call are as a contract requires.
pub const REQUIREMENT: &str = "__glassbox_requires_";

/// How names of functions start that say whether a call did what a contract promises.
pub const PROMISE: &str = "__glassbox_promises_";

/// Whether the function is one of our models of the library, or judges calls for a contract: what goes wrong
/// inside is told at the call.
pub fn is_model(program: &Program, function: FuncId) -> bool {
    let function = program.function(function);
    let file = program.files.get(function.span.file.index());
    file.is_some_and(|file| file.path.starts_with('<'))
        || function.name.starts_with(REQUIREMENT)
        || function.name.starts_with(PROMISE)
}

/// Whether what this function allocates is the caller's: the user's own code, and models of the library that
/// hand it out. Scratch memory of `qsort` is nobody's business.
pub fn allocates_for_callers(program: &Program, function: FuncId) -> bool {
    !is_model(program, function) || ALLOCATORS.contains(&program.function(function).name.as_str())
}

/// Whether a function that the program does not define comes from the system's headers, the compiler or
/// the runtime of tests.
pub fn is_system(program: &Program, function: FuncId) -> bool {
    let is_stand_in = program.stand_ins.contains(&function);
    let function = program.function(function);
    let path = program.files.get(function.span.file.index()).map_or("", |file| &file.path);
    !is_stand_in
        && (function.span.is_nowhere()
            || path.starts_with('<')
            || path.starts_with("/usr/")
            || function.name.starts_with("__builtin_")
            || RUNTIME.contains(&function.name.as_str())
            || LIBRARY.contains(&function.name.as_str()))
}
