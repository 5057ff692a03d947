//! The theory of fixed-size bit-vectors.

use glassbox_terms::{BvOp, TermId, Terms};
use glassbox_values::Signedness::{Signed, Unsigned};
use glassbox_values::bits::{MAX_WIDTH, mask};
use glassbox_values::{Bits, Signedness};

use super::{Head, Workshop, build, exactly, wrong_arity};
use crate::error::{Fault, Outcome};
use crate::expr::Expr;
use crate::sort::too_wide;

/// `#b` and `#x` literals, without the prefix.
pub(crate) fn literal(terms: &mut Terms, digits: &str, radix: u32) -> Outcome<Expr> {
    let per_digit = if radix == 2 { 1 } else { 4 };
    let width = u8::try_from(digits.len())
        .ok()
        .and_then(|length| length.checked_mul(per_digit))
        .filter(|&width| width <= MAX_WIDTH)
        .ok_or_else(too_wide)?;
    let value = u128::from_str_radix(digits, radix).map_err(|_| too_wide())?;
    Ok(Expr::plain(terms.bv_u(value, width)))
}

/// `(_ bv5 8)`.
pub(crate) fn decimal_literal(terms: &mut Terms, digits: &str, width: u64) -> Outcome<Expr> {
    let width = checked_width(width)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::sort(format!("`bv{}` is not a number", crate::term::shorten(digits))));
    }
    let value: u128 = digits.parse().map_err(|_| Fault::sort("the number does not fit"))?;
    if value > mask(width) {
        return Err(Fault::sort(format!("{value} does not fit {width} bits")));
    }
    Ok(Expr::plain(terms.bv_u(value, width)))
}

fn checked_width(width: u64) -> Outcome<u8> {
    match u8::try_from(width) {
        Ok(0) => Err(Fault::sort("a bit-vector has at least one bit")),
        Ok(width) if width <= MAX_WIDTH => Ok(width),
        Ok(_) | Err(_) => Err(too_wide()),
    }
}

/// Binary functions that associate to the left.
fn left_associative(name: &str) -> Option<BvOp> {
    Some(match name {
        "bvadd" => BvOp::Add,
        "bvmul" => BvOp::Mul,
        "bvand" => BvOp::And,
        "bvor" => BvOp::Or,
        "bvxor" => BvOp::Xor,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<BvOp> {
    Some(match name {
        "bvsub" => BvOp::Sub,
        "bvudiv" => BvOp::Udiv,
        "bvurem" => BvOp::Urem,
        "bvsdiv" => BvOp::Sdiv,
        "bvsrem" => BvOp::Srem,
        "bvsmod" => BvOp::Smod,
        "bvshl" => BvOp::Shl,
        "bvlshr" => BvOp::Lshr,
        "bvashr" => BvOp::Ashr,
        "bvult" => BvOp::Ult,
        "bvule" => BvOp::Ule,
        "bvslt" => BvOp::Slt,
        "bvsle" => BvOp::Sle,
        "bvuaddo" => BvOp::AddOverflow(Unsigned),
        "bvsaddo" => BvOp::AddOverflow(Signed),
        "bvusubo" => BvOp::SubOverflow(Unsigned),
        "bvssubo" => BvOp::SubOverflow(Signed),
        "bvumulo" => BvOp::MulOverflow(Unsigned),
        "bvsmulo" => BvOp::MulOverflow(Signed),
        _ => return None,
    })
}

/// Comparisons written with the arguments of another one swapped.
fn swapped(name: &str) -> Option<BvOp> {
    Some(match name {
        "bvugt" => BvOp::Ult,
        "bvuge" => BvOp::Ule,
        "bvsgt" => BvOp::Slt,
        "bvsge" => BvOp::Sle,
        _ => return None,
    })
}

type Derived = fn(&mut Terms, TermId, TermId) -> TermId;

fn derived(name: &str) -> Option<Derived> {
    Some(match name {
        "bvnand" => Terms::bv_nand,
        "bvnor" => Terms::bv_nor,
        "bvxnor" => Terms::bv_xnor,
        "bvcomp" => Terms::bv_comp,
        "bvsdivo" => Terms::bv_sdiv_overflow,
        _ => return None,
    })
}

fn unary(name: &str) -> Option<BvOp> {
    Some(match name {
        "bvnot" => BvOp::Not,
        "bvneg" => BvOp::Neg,
        "bvnego" => BvOp::NegOverflow,
        _ => return None,
    })
}

pub(crate) fn is_function(name: &str) -> bool {
    left_associative(name).is_some()
        || binary(name).is_some()
        || swapped(name).is_some()
        || derived(name).is_some()
        || unary(name).is_some()
        || ["concat", "bvredor", "bvredand", "bv2nat"].contains(&name)
}

pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    if !is_function(name) || name == "bv2nat" {
        return None;
    }
    Some(apply_known(terms, workshop, name, args))
}

fn apply_known(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Outcome<Expr> {
    if let Some(op) = unary(name) {
        let [a] = exactly(name, args)?;
        let a = workshop.bits(terms, a)?;
        return build(terms, op, name, &[a]);
    }
    let bits: Vec<TermId> =
        args.iter().map(|&arg| workshop.bits(terms, arg)).collect::<Outcome<_>>()?;
    if let Some(op) = left_associative(name) {
        return fold(terms, op, name, &bits);
    }
    if let Some(op) = binary(name) {
        return build(terms, op, name, pair(name, &bits)?);
    }
    if let Some(op) = swapped(name) {
        let &[a, b] = pair(name, &bits)?;
        return build(terms, op, name, &[b, a]);
    }
    if let Some(make) = derived(name) {
        let &[a, b] = pair(name, &bits)?;
        if terms.sort(a) != terms.sort(b) {
            return Err(Fault::sort(format!("`{name}` of different widths")));
        }
        return Ok(Expr::plain(make(terms, a, b)));
    }
    match (name, bits.as_slice()) {
        ("concat", _) => concat(terms, &bits),
        ("bvredor", &[a]) => {
            let nonzero = terms.bv_is_nonzero(a);
            Ok(Expr::plain(terms.bv_from_bool(nonzero, 1)))
        }
        ("bvredand", &[a]) => {
            let ones = terms.bv_const(Bits::ones(terms.width(a)));
            Ok(Expr::plain(terms.bv_comp(a, ones)))
        }
        _ => Err(wrong_arity(name, "another number of arguments")),
    }
}

fn pair<'b>(name: &str, bits: &'b [TermId]) -> Outcome<&'b [TermId; 2]> {
    bits.try_into().map_err(|_| wrong_arity(name, "2 arguments"))
}

fn fold(terms: &mut Terms, op: BvOp, name: &str, bits: &[TermId]) -> Outcome<Expr> {
    let [first, rest @ ..] = bits else {
        return Err(wrong_arity(name, "two or more arguments"));
    };
    if rest.is_empty() {
        return Err(wrong_arity(name, "two or more arguments"));
    }
    let mut result = *first;
    for &next in rest {
        let Expr::Term(term, _) = build(terms, op, name, &[result, next])? else {
            unreachable!("bit-vector functions give terms")
        };
        result = term;
    }
    Ok(Expr::plain(result))
}

fn concat(terms: &mut Terms, bits: &[TermId]) -> Outcome<Expr> {
    let [first, rest @ ..] = bits else {
        return Err(wrong_arity("concat", "two or more arguments"));
    };
    if rest.is_empty() {
        return Err(wrong_arity("concat", "two or more arguments"));
    }
    let mut result = *first;
    for &next in rest {
        let width = u16::from(terms.width(result)) + u16::from(terms.width(next));
        if width > u16::from(MAX_WIDTH) {
            return Err(too_wide());
        }
        result = terms.bv_concat(result, next);
    }
    Ok(Expr::plain(result))
}

pub(crate) fn apply_indexed(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    let names = ["extract", "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat"];
    names.contains(&head.name).then(|| indexed(terms, workshop, head, args))
}

fn indexed(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Outcome<Expr> {
    let [a] = exactly(head.name, args)?;
    let a = workshop.bits(terms, a)?;
    let width = terms.width(a);
    let term = match (head.name, head.indices.as_slice()) {
        ("extract", &[hi, lo]) => {
            if hi < lo || hi >= u64::from(width) {
                let message = format!("bits {hi} to {lo} of a bit-vector of {width} bits");
                return Err(Fault::sort(message));
            }
            let narrow = |index: u64| u8::try_from(index).expect("below the width");
            terms.bv_extract(narrow(hi), narrow(lo), a)
        }
        ("zero_extend", &[by]) => extend(terms, Unsigned, by, a)?,
        ("sign_extend", &[by]) => extend(terms, Signed, by, a)?,
        ("rotate_left", &[by]) => terms.bv_rotate_left(by, a),
        ("rotate_right", &[by]) => terms.bv_rotate_right(by, a),
        ("repeat", &[count]) => {
            if count == 0 {
                return Err(Fault::sort("`repeat` needs at least one copy"));
            }
            let count = u8::try_from(count)
                .ok()
                .filter(|&count| u16::from(count) * u16::from(width) <= u16::from(MAX_WIDTH))
                .ok_or_else(too_wide)?;
            terms.bv_repeat(count, a)
        }
        _ => return Err(wrong_arity(head.name, "another number of indices")),
    };
    Ok(Expr::plain(term))
}

fn extend(terms: &mut Terms, signedness: Signedness, by: u64, a: TermId) -> Outcome<TermId> {
    let width = u64::from(terms.width(a))
        .checked_add(by)
        .and_then(|width| u8::try_from(width).ok())
        .filter(|&width| width <= MAX_WIDTH)
        .ok_or_else(too_wide)?;
    Ok(terms.bv_resize(width, signedness, a))
}
