//! The functions of the theories, applied to values; one file per theory.

pub(crate) mod array;
pub(crate) mod bitvec;
pub(crate) mod core;
pub(crate) mod float;
pub(crate) mod int;

use glassbox_terms::{Op, Sort, TermId, Terms};

use crate::error::{Fault, Outcome};
use crate::expr::{Expr, Facts, NumberId, SurfaceSort};
use crate::integer::{FactTable, Integer};
use crate::rounding;
use crate::term::shorten;
use crate::undefined::Undefined;

/// A function symbol with its indices, or `(as name sort)`.
#[derive(Debug, Clone)]
pub(crate) struct Head<'t> {
    pub(crate) name: &'t str,
    pub(crate) indices: Vec<u64>,
    pub(crate) sort: Option<SurfaceSort>,
}

/// A literal as written: a quotient of decimal numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) negative: bool,
    pub(crate) numerator: String,
    pub(crate) denominator: Option<String>,
}

/// What building terms of a script needs beside the arena.
#[derive(Debug, Default)]
pub(crate) struct Workshop {
    pub(crate) numbers: Vec<Number>,
    pub(crate) facts: FactTable,
    pub(crate) undefined: Undefined,
    /// The integer variables that some term mentioned, in order.
    pub(crate) mentioned: std::collections::BTreeSet<TermId>,
}

impl Workshop {
    pub(crate) fn literal(&mut self, text: &str) -> Expr {
        self.number(Number { negative: false, numerator: text.to_owned(), denominator: None })
    }

    pub(crate) fn number(&mut self, number: Number) -> Expr {
        self.numbers.push(number);
        let id = u32::try_from(self.numbers.len() - 1).expect("fewer than 2^32 literals");
        Expr::Number(NumberId(id))
    }

    pub(crate) fn mention(&mut self, terms: &Terms, value: Expr) {
        if let Expr::Integer(integer) = value
            && terms.as_var(integer.term).is_some()
        {
            self.mentioned.insert(integer.term);
        }
    }

    /// The literal that `id` stands for.
    pub(crate) fn number_of(&self, id: NumberId) -> &Number {
        &self.numbers[id.0 as usize]
    }

    pub(crate) fn sort_of(&self, terms: &Terms, value: Expr) -> SurfaceSort {
        match value {
            Expr::Term(term, _) => SurfaceSort::Plain(terms.sort(term)),
            Expr::Rounding(_) => SurfaceSort::Rounding,
            Expr::Integer(_) => SurfaceSort::Int,
            Expr::Number(id) => {
                let number = self.number_of(id);
                let whole = number.denominator.is_none() && !number.numerator.contains('.');
                if whole { SurfaceSort::Int } else { SurfaceSort::Real }
            }
        }
    }

    /// The value read as one of the wanted sort.
    pub(crate) fn coerce(
        &self,
        terms: &mut Terms,
        value: Expr,
        wanted: SurfaceSort,
    ) -> Outcome<Expr> {
        let sort = self.sort_of(terms, value);
        match (value, wanted) {
            (Expr::Number(_), SurfaceSort::Real) => Ok(value),
            (Expr::Number(_), SurfaceSort::Int) if sort == SurfaceSort::Int => {
                Ok(Expr::Integer(self.integer(terms, value)?))
            }
            _ if sort == wanted => Ok(value),
            _ => Err(Fault::sort(format!("a {wanted} is expected here, this is a {sort}"))),
        }
    }

    pub(crate) fn integer(&self, terms: &mut Terms, value: Expr) -> Outcome<Integer> {
        match value {
            Expr::Integer(integer) => Ok(integer),
            Expr::Number(id) if self.sort_of(terms, value) == SurfaceSort::Int => {
                let number = self.number_of(id);
                let too_large = || Fault::unsupported("integers beyond 128 bits");
                let magnitude: i128 = number.numerator.parse().map_err(|_| too_large())?;
                Ok(Integer::constant(terms, if number.negative { -magnitude } else { magnitude }))
            }
            Expr::Number(_) | Expr::Term(..) | Expr::Rounding(_) => {
                Err(wrong_sort(self.sort_of(terms, value), "an integer"))
            }
        }
    }

    pub(crate) fn bool(&self, terms: &Terms, value: Expr) -> Outcome<(TermId, Facts)> {
        if let Expr::Term(term, facts) = value
            && terms.sort(term) == Sort::Bool
        {
            return Ok((term, facts));
        }
        Err(wrong_sort(self.sort_of(terms, value), "a Bool"))
    }

    pub(crate) fn term(&self, terms: &Terms, value: Expr) -> Outcome<TermId> {
        match value {
            Expr::Term(term, _) => Ok(term),
            Expr::Rounding(_) | Expr::Integer(_) | Expr::Number(_) => {
                Err(wrong_sort(self.sort_of(terms, value), "a term of another sort"))
            }
        }
    }

    pub(crate) fn terms<'v>(
        &self,
        terms: &Terms,
        values: impl IntoIterator<Item = &'v Expr>,
    ) -> Outcome<Vec<TermId>> {
        values.into_iter().map(|&value| self.term(terms, value)).collect()
    }

    pub(crate) fn bits(&self, terms: &Terms, value: Expr) -> Outcome<TermId> {
        if let Expr::Term(term, _) = value
            && let Sort::Bv(_) = terms.sort(term)
        {
            return Ok(term);
        }
        Err(wrong_sort(self.sort_of(terms, value), "a bit-vector"))
    }

    pub(crate) fn float(&self, terms: &Terms, value: Expr) -> Outcome<TermId> {
        if let Expr::Term(term, _) = value
            && let Sort::Float(_) = terms.sort(term)
        {
            return Ok(term);
        }
        Err(wrong_sort(self.sort_of(terms, value), "a float"))
    }
}

fn wrong_sort(found: SurfaceSort, wanted: &str) -> Fault {
    Fault::sort(format!("{wanted} is expected here, this is a {found}"))
}

/// The constants that need no declaration.
pub(crate) fn constant(terms: &mut Terms, name: &str) -> Option<Expr> {
    match name {
        "true" => Some(Expr::plain(terms.bool_const(true))),
        "false" => Some(Expr::plain(terms.bool_const(false))),
        _ => rounding::by_name(name).map(|mode| Expr::Rounding(rounding::constant(terms, mode))),
    }
}

/// `(_ bv5 8)`, `(_ +oo 8 24)` and the like.
pub(crate) fn indexed_constant(terms: &mut Terms, head: &Head<'_>) -> Outcome<Expr> {
    if let Some(digits) = head.name.strip_prefix("bv")
        && let [width] = head.indices[..]
    {
        return bitvec::decimal_literal(terms, digits, width);
    }
    match float::indexed_constant(terms, head) {
        Some(value) => value,
        None => Err(Fault::sort(format!("unknown constant `(_ {} ...)`", shorten(head.name)))),
    }
}

/// A function of a theory on its arguments, at least one.
pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Outcome<Expr> {
    if head.sort.is_some() {
        return array::constant(terms, workshop, head, args);
    }
    if !head.indices.is_empty() {
        let done = bitvec::apply_indexed(terms, workshop, head, args)
            .or_else(|| float::apply_indexed(terms, workshop, head, args))
            .or_else(|| int::apply_indexed(terms, workshop, head, args));
        return done.unwrap_or_else(|| Err(unknown(head)));
    }
    core::apply(terms, workshop, head.name, args)
        .or_else(|| bitvec::apply(terms, workshop, head.name, args))
        .or_else(|| float::apply(terms, workshop, head.name, args))
        .or_else(|| array::apply(terms, workshop, head.name, args))
        .or_else(|| int::apply(terms, workshop, head.name, args))
        .unwrap_or_else(|| Err(unknown(head)))
}

fn unknown(head: &Head<'_>) -> Fault {
    Fault::sort(format!("unknown function `{}`", shorten(head.name)))
}

/// Whether the name belongs to a theory, so that a script cannot declare it.
pub(crate) fn is_reserved(name: &str) -> bool {
    let core = [
        "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "select",
        "store", "concat", "let", "!", "_", "as", "forall", "exists", "match", "par", "+", "-",
        "*", "/", "div", "mod", "abs", "<", "<=", ">", ">=", "fp",
    ];
    core.contains(&name)
        || rounding::by_name(name).is_some()
        || bitvec::is_function(name)
        || float::is_function(name)
}

/// The term `op(args)`, or what is wrong with the sorts.
pub(crate) fn build(
    terms: &mut Terms,
    op: impl Into<Op>,
    name: &str,
    args: &[TermId],
) -> Outcome<Expr> {
    let op = op.into();
    if terms.sort_of(op, args).is_none() {
        let sorts: Vec<String> = args
            .iter()
            .take(4)
            .map(|&arg| SurfaceSort::Plain(terms.sort(arg)).to_string())
            .collect();
        return Err(Fault::sort(format!("`{name}` does not apply to {}", sorts.join(", "))));
    }
    Ok(Expr::plain(terms.make(op, args)))
}

pub(crate) fn wrong_arity(name: &str, expected: &str) -> Fault {
    Fault::sort(format!("`{name}` takes {expected}"))
}

/// Exactly `N` arguments.
pub(crate) fn exactly<const N: usize>(name: &str, args: &[Expr]) -> Outcome<[Expr; N]> {
    <[Expr; N]>::try_from(args)
        .map_err(|_| wrong_arity(name, &format!("{N} argument{}", if N == 1 { "" } else { "s" })))
}
