//! The theory of arrays.

use glassbox_terms::{ArrayOp, Sort, Terms};

use super::{Head, Workshop, build, exactly};
use crate::error::{Fault, Outcome};
use crate::expr::{Expr, SurfaceSort};

pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    match name {
        "select" => Some(select(terms, workshop, args)),
        "store" => Some(store(terms, workshop, args)),
        _ => None,
    }
}

fn select(terms: &mut Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<Expr> {
    let args: [Expr; 2] = exactly("select", args)?;
    let args = workshop.terms(terms, &args)?;
    build(terms, ArrayOp::Select, "select", &args)
}

fn store(terms: &mut Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<Expr> {
    let args: [Expr; 3] = exactly("store", args)?;
    let args = workshop.terms(terms, &args)?;
    build(terms, ArrayOp::Store, "store", &args)
}

/// `((as const S) v)`.
pub(crate) fn constant(
    terms: &mut Terms,
    workshop: &Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Outcome<Expr> {
    let (name, Some(SurfaceSort::Plain(Sort::Array { index, element }))) = (head.name, head.sort)
    else {
        return Err(Fault::sort("`as` makes constant arrays only: `((as const S) value)`"));
    };
    if name != "const" {
        return Err(Fault::sort("`as` makes constant arrays only: `((as const S) value)`"));
    }
    let [value] = exactly("const", args)?;
    let value = workshop.term(terms, value)?;
    build(terms, ArrayOp::Const { index, element }, "const", &[value])
}
