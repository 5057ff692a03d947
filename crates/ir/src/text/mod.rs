//! The textual form: prints and parses back, for dumps and file tests.
//!
//! One entity or instruction per line; `//` starts a comment. Every entity is printed with its id,
//! which must count up from 0. A span is `@file:line:column-line:column` and may be left out.
//!
//! ```text
//! language c
//! file0 = "max.c"
//! type0 = int "int" 32 signed
//! fn0 = "max" external (i32 type0 "a", i32 type0 "b") -> i32 type0 {
//!   var0 = "a" type0 param 0
//!   var1 = "b" type0 param 1
//!   d0 = if c0 { "a < b" }
//! b0(%0: i32, %1: i32):
//!   %2: i1 = cmp.slt %0, %1
//!   branch %2, b1(), b2() d0 c0 positive true false
//! b1():
//!   return %1
//! b2():
//!   return %0
//! }
//! ```

mod lex;
mod names;
mod parse;
mod parse_body;
mod parse_instr;
mod parse_types;
mod print;
mod print_instr;
mod print_types;

pub use parse::{ParseError, parse_program};
pub use print::{print_function, print_program};
