//! Integer arithmetic, and the arithmetic of real literals.

use glassbox_terms::{TermId, Terms};

use super::{Head, Number, Workshop, exactly, wrong_arity};
use crate::error::{Fault, Outcome};
use crate::expr::{Expr, Facts, SurfaceSort};
use crate::integer::Integer;
use glassbox_values::bits::MAX_WIDTH;

pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    let result = match name {
        "+" => fold(terms, workshop, name, args, Integer::add),
        "*" => fold(terms, workshop, name, args, Integer::mul),
        "-" => minus(terms, workshop, args),
        "/" => ratio(workshop, terms, args),
        "div" => divide(terms, workshop, name, args).map(|parts| Expr::Integer(parts.0)),
        "mod" => divide(terms, workshop, name, args).map(|parts| Expr::Integer(parts.1)),
        "abs" => exactly("abs", args)
            .and_then(|[a]| workshop.integer(terms, a))
            .and_then(|a| a.abs(terms))
            .map(Expr::Integer),
        "<" | "<=" | ">" | ">=" => compare(terms, workshop, name, args),
        "bv2nat" => exactly("bv2nat", args)
            .and_then(|[a]| workshop.bits(terms, a))
            .and_then(|a| Integer::from_unsigned(terms, a))
            .map(Expr::Integer),
        "to_real" | "to_int" | "is_int" => Err(Fault::unsupported("real arithmetic")),
        _ => return None,
    };
    Some(result)
}

pub(crate) fn apply_indexed(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    let result = match (head.name, head.indices.as_slice()) {
        ("int2bv", &[width]) => to_bits(terms, workshop, width, args),
        ("divisible", &[by]) => divisible(terms, workshop, by, args),
        _ => return None,
    };
    Some(result)
}

fn to_bits(terms: &mut Terms, workshop: &Workshop, width: u64, args: &[Expr]) -> Outcome<Expr> {
    let [a] = exactly("int2bv", args)?;
    let a = workshop.integer(terms, a)?;
    let width = u8::try_from(width)
        .ok()
        .filter(|&width| (1..=MAX_WIDTH).contains(&width))
        .ok_or_else(crate::sort::too_wide)?;
    Ok(Expr::plain(a.to_bits(terms, width)))
}

fn divisible(terms: &mut Terms, workshop: &Workshop, by: u64, args: &[Expr]) -> Outcome<Expr> {
    let [a] = exactly("divisible", args)?;
    let a = workshop.integer(terms, a)?;
    let by = Integer::constant(terms, i128::from(by));
    let (_, rest) = a.divide(terms, by)?;
    let zero = Integer::constant(terms, 0);
    Ok(Expr::plain(rest.equal(terms, zero)))
}

fn fold(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
    operation: fn(Integer, &mut Terms, Integer) -> Outcome<Integer>,
) -> Outcome<Expr> {
    refuse_reals(terms, workshop, args)?;
    let [first, rest @ ..] = args else {
        return Err(wrong_arity(name, "two or more arguments"));
    };
    let mut result = workshop.integer(terms, *first)?;
    for &next in rest {
        let next = workshop.integer(terms, next)?;
        result = operation(result, terms, next)?;
    }
    Ok(Expr::Integer(result))
}

fn minus(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    if let [Expr::Number(id)] = args {
        let number = workshop.number_of(*id).clone();
        return Ok(workshop.number(Number { negative: !number.negative, ..number }));
    }
    if let [one] = args {
        let one = workshop.integer(terms, *one)?;
        return Ok(Expr::Integer(one.neg(terms)?));
    }
    fold(terms, workshop, "-", args, Integer::sub)
}

// A quotient of literals is a literal.
fn ratio(workshop: &mut Workshop, terms: &Terms, args: &[Expr]) -> Outcome<Expr> {
    let parts = match args {
        [Expr::Number(a), Expr::Number(b)] => {
            Some((workshop.number_of(*a).clone(), workshop.number_of(*b).clone()))
        }
        _ => None,
    };
    let Some((numerator, denominator)) = parts else {
        refuse_reals(terms, workshop, args)?;
        return Err(Fault::unsupported("division of anything but literals"));
    };
    if numerator.denominator.is_some() || denominator.denominator.is_some() {
        return Err(Fault::unsupported("a quotient of quotients"));
    }
    if denominator.numerator.bytes().all(|byte| byte == b'0' || byte == b'.') {
        return Err(Fault::sort("division by zero"));
    }
    Ok(workshop.number(Number {
        negative: numerator.negative != denominator.negative,
        numerator: numerator.numerator,
        denominator: Some(denominator.numerator),
    }))
}

fn divide(
    terms: &mut Terms,
    workshop: &Workshop,
    name: &str,
    args: &[Expr],
) -> Outcome<(Integer, Integer)> {
    let [a, b] = exactly(name, args)?;
    let (a, b) = (workshop.integer(terms, a)?, workshop.integer(terms, b)?);
    a.divide(terms, b)
}

// Comparisons chain: (< a b c) is a < b and b < c.
fn compare(terms: &mut Terms, workshop: &mut Workshop, name: &str, args: &[Expr]) -> Outcome<Expr> {
    refuse_reals(terms, workshop, args)?;
    if args.len() < 2 {
        return Err(wrong_arity(name, "two or more arguments"));
    }
    let mut ids: Vec<TermId> = Vec::new();
    let mut facts: Vec<Facts> = Vec::new();
    for pair in args.windows(2) {
        let (a, b) = (workshop.integer(terms, pair[0])?, workshop.integer(terms, pair[1])?);
        let (a, b) = if name.starts_with('>') { (b, a) } else { (a, b) };
        if name.ends_with('=') {
            ids.push(a.less_equal(terms, b));
            facts.push(workshop.facts.of_less_equal(terms, a, b));
        } else {
            // a < b is not b <= a.
            ids.push(a.less(terms, b));
            let opposite = workshop.facts.of_less_equal(terms, b, a);
            facts.push(workshop.facts.not(opposite));
        }
    }
    Ok(Expr::Term(terms.and(&ids), workshop.facts.and(facts)))
}

fn refuse_reals(terms: &Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<()> {
    let is_real = |&arg: &Expr| workshop.sort_of(terms, arg) == SurfaceSort::Real;
    if args.iter().any(is_real) {
        return Err(Fault::unsupported("real arithmetic"));
    }
    Ok(())
}
