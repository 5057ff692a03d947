//! Hash-consed typed terms: what the solver reasons about.
//!
//! A `Terms` arena owns every term; a `TermId` is meaningful in the arena that made it. Equal terms
//! have equal ids. The builders (`Terms::bv_add`, …, in `simplify/` and `build/`) simplify while they
//! build, always downhill; `Terms::intern` makes a term as it is. `eval` is the reference
//! semantics: whatever an engine claims is checked against it.
//!
//! Not here: programs, domains, search. Terms are immutable and know nothing of time or files.

pub mod build;
pub mod dag;
pub mod eval;
pub mod family;
pub mod intern;
pub mod model;
pub mod notation;
pub mod op;
pub mod print;
mod simplify;
pub mod sort;
mod table;
pub mod typing;
pub mod value;

pub use dag::Marks;
pub use eval::{Evaluation, Evaluator, eval};
pub use intern::{TermId, Terms, VarId};
pub use model::Model;
pub use notation::Notation;
pub use op::{ArrayOp, BoolOp, BvOp, FpOp, Op};
pub use print::{Dialect, Export, display, export, source_text, to_smtlib};
pub use sort::{Scalar, Sort};
pub use value::{ArrayValue, Value};
