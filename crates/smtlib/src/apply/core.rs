//! The core theory: booleans, equality, choice.

use glassbox_terms::{TermId, Terms};

use super::{Workshop, exactly, wrong_arity};
use crate::error::{Fault, Outcome};
use crate::expr::{Expr, Facts, SurfaceSort};
use crate::integer::Integer;

// `distinct` is written out in pairs, so its length is bounded.
const MAX_DISTINCT: usize = 2000;

pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    let result = match name {
        "not" => not(terms, workshop, args),
        "and" => connective(terms, workshop, args, Connective::And),
        "or" => connective(terms, workshop, args, Connective::Or),
        "xor" => xor(terms, workshop, args),
        "=>" => implies(terms, workshop, args),
        "=" => chain(terms, workshop, args),
        "distinct" => distinct(terms, workshop, args),
        "ite" => ite(terms, workshop, args),
        _ => return None,
    };
    Some(result)
}

fn bools(terms: &Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<Vec<(TermId, Facts)>> {
    args.iter().map(|&arg| workshop.bool(terms, arg)).collect()
}

fn not(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    let [a] = exactly("not", args)?;
    let (a, facts) = workshop.bool(terms, a)?;
    Ok(Expr::Term(terms.not(a), workshop.facts.not(facts)))
}

#[derive(Clone, Copy)]
enum Connective {
    And,
    Or,
}

fn connective(
    terms: &mut Terms,
    workshop: &mut Workshop,
    args: &[Expr],
    kind: Connective,
) -> Outcome<Expr> {
    let parts = bools(terms, workshop, args)?;
    let ids: Vec<TermId> = parts.iter().map(|part| part.0).collect();
    let facts = parts.iter().map(|part| part.1);
    Ok(match kind {
        Connective::And => Expr::Term(terms.and(&ids), workshop.facts.and(facts)),
        Connective::Or => Expr::Term(terms.or(&ids), workshop.facts.or(facts)),
    })
}

fn xor(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    let parts = bools(terms, workshop, args)?;
    if parts.len() < 2 {
        return Err(wrong_arity("xor", "two or more arguments"));
    }
    let mut result = parts[0].0;
    for part in &parts[1..] {
        result = terms.xor(result, part.0);
    }
    Ok(Expr::plain(result))
}

fn implies(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    let parts = bools(terms, workshop, args)?;
    let [premises @ .., conclusion] = parts.as_slice() else {
        return Err(wrong_arity("=>", "two or more arguments"));
    };
    if premises.is_empty() {
        return Err(wrong_arity("=>", "two or more arguments"));
    }
    // a => b => c is !a or !b or c.
    let mut ids = Vec::new();
    let mut facts = Vec::new();
    for &(premise, premise_facts) in premises {
        ids.push(terms.not(premise));
        facts.push(workshop.facts.not(premise_facts));
    }
    ids.push(conclusion.0);
    facts.push(conclusion.1);
    Ok(Expr::Term(terms.or(&ids), workshop.facts.or(facts)))
}

/// `(= a b c)`: neighbors are equal.
fn chain(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    if args.len() < 2 {
        return Err(wrong_arity("=", "two or more arguments"));
    }
    let mut ids = Vec::new();
    let mut facts = Vec::new();
    for pair in args.windows(2) {
        let (id, fact) = equal(terms, workshop, pair[0], pair[1])?;
        ids.push(id);
        facts.push(fact);
    }
    Ok(Expr::Term(terms.and(&ids), workshop.facts.and(facts)))
}

fn distinct(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    if args.len() < 2 {
        return Err(wrong_arity("distinct", "two or more arguments"));
    }
    if args.len() > MAX_DISTINCT {
        return Err(Fault::unsupported(format!("`distinct` of more than {MAX_DISTINCT} terms")));
    }
    let mut different = Vec::new();
    for (position, &a) in args.iter().enumerate() {
        for &b in &args[position + 1..] {
            let (id, _) = equal(terms, workshop, a, b)?;
            different.push(terms.not(id));
        }
    }
    Ok(Expr::plain(terms.and(&different)))
}

fn equal(terms: &mut Terms, workshop: &mut Workshop, a: Expr, b: Expr) -> Outcome<(TermId, Facts)> {
    let (a_sort, b_sort) = (workshop.sort_of(terms, a), workshop.sort_of(terms, b));
    if a_sort != b_sort {
        return Err(Fault::sort(format!("`=` of a {a_sort} and a {b_sort}")));
    }
    match (a_sort, a, b) {
        (SurfaceSort::Real, _, _) => Err(Fault::unsupported("real arithmetic")),
        (SurfaceSort::Int, _, _) => {
            let (a, b) = (workshop.integer(terms, a)?, workshop.integer(terms, b)?);
            let facts = workshop.facts.of_equal(terms, a, b);
            Ok((a.equal(terms, b), facts))
        }
        (SurfaceSort::Rounding, Expr::Rounding(a), Expr::Rounding(b)) => {
            Ok((terms.eq(a, b), Facts::NONE))
        }
        (SurfaceSort::Plain(_) | SurfaceSort::Rounding, _, _) => {
            let (a, b) = (workshop.term(terms, a)?, workshop.term(terms, b)?);
            Ok((terms.eq(a, b), Facts::NONE))
        }
    }
}

fn ite(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    let [condition, then, otherwise] = exactly("ite", args)?;
    let (condition, _) = workshop.bool(terms, condition)?;
    let (then_sort, otherwise_sort) =
        (workshop.sort_of(terms, then), workshop.sort_of(terms, otherwise));
    if then_sort != otherwise_sort {
        let message = format!("branches are a {then_sort} and a {otherwise_sort}");
        return Err(Fault::sort(message));
    }
    match (then_sort, then, otherwise) {
        (SurfaceSort::Real, _, _) => Err(Fault::unsupported("real arithmetic")),
        (SurfaceSort::Int, _, _) => {
            let then = workshop.integer(terms, then)?;
            let otherwise = workshop.integer(terms, otherwise)?;
            Ok(Expr::Integer(Integer::choose(terms, condition, then, otherwise)))
        }
        (SurfaceSort::Rounding, Expr::Rounding(then), Expr::Rounding(otherwise)) => {
            Ok(Expr::Rounding(terms.ite(condition, then, otherwise)))
        }
        (SurfaceSort::Plain(_) | SurfaceSort::Rounding, _, _) => {
            let then = workshop.term(terms, then)?;
            let otherwise = workshop.term(terms, otherwise)?;
            Ok(Expr::plain(terms.ite(condition, then, otherwise)))
        }
    }
}
