//! Printing that does not mind a closed pipe: `glassbox gen … | head` still writes its files.
//!
//! The macros have the names of the standard ones, which panic there, and take their place in this crate.

use std::fmt::Arguments;
use std::io::Write;

macro_rules! print {
    ($($text:tt)*) => { $crate::print::to_stdout(format_args!($($text)*), "") };
}

macro_rules! println {
    () => { $crate::print::to_stdout(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::print::to_stdout(format_args!($($text)*), "\n") };
}

macro_rules! eprint {
    ($($text:tt)*) => { $crate::print::to_stderr(format_args!($($text)*), "") };
}

macro_rules! eprintln {
    () => { $crate::print::to_stderr(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::print::to_stderr(format_args!($($text)*), "\n") };
}

/// Fails when the reader has gone; the work goes on.
pub(crate) fn to_stdout(text: Arguments<'_>, end: &str) {
    let _ = write!(std::io::stdout().lock(), "{text}{end}");
}

pub(crate) fn to_stderr(text: Arguments<'_>, end: &str) {
    let _ = write!(std::io::stderr().lock(), "{text}{end}");
}
