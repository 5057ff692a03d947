//! Functions of the C library that tests put something in the place of: flags that send the calls there.

use crate::c_test::TestFile;
use crate::{allocation, file};

/// Adds the flags that the tests of a file need and that are not there yet.
pub fn add_flags(flags: &mut Vec<String>, tests: &TestFile<'_>) {
    for flag in [allocation::flags(tests), file::flags(tests)].concat() {
        if !flags.iter().any(|own| own == flag) {
            flags.push(flag.to_owned());
        }
    }
}
