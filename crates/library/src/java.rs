//! Functions that code made from JVM bytecode calls by name: what the models of the JDK leave to the engines.
//! Mathematical functions and `exit` are those of C.

use crate::row::{Row, native};

pub(crate) const ROWS: &[Row] = &[
    native("void glassbox.write(void *)").output(),
    native("void glassbox.write_error(void *)").output(),
];
