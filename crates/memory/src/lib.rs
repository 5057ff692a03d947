//! Rules of memory that paths (`model`) and graphs (`whole`) share.
//!
//! `layout`: what lies where in an object of some type, and which parts an access of many bytes touches.
//! `alias`: which types may be seen in the same bytes.
//! `address`: when an access stays inside of its object, and which addresses may be the same.
//!
//! Not here: how memory is represented. Paths have cells of one run, graphs have maps of all runs; both ask
//! here what an access means. `prove/tests/small_memory.rs` compares both with runs of the interpreter.

pub mod address;
pub mod alias;
pub mod layout;
