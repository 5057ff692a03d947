//! Symbolic memory: objects, their cells, reads and writes at known offsets.
//!
//! An object's contents are cells: a scalar at an offset. Reads and writes that match cells move whole
//! terms around; others split cells into bytes. Contents that were never written are, by object,
//! indeterminate, zero, or inputs that come into being when read.

pub mod cells;
pub mod object;
pub mod table;

pub use cells::{Cell, CellValue, ReadError};
pub use object::{Contents, Front, Object, ObjectKind, ObjectState};
pub use table::Memory;
