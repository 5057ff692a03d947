//! The theory of floating-point numbers.

use glassbox_terms::{FpOp, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode, Sign, Signedness};

use super::{Head, Workshop, build, exactly, wrong_arity};
use crate::error::{Fault, Outcome};
use crate::expr::{Expr, SurfaceSort};
use crate::rounding::for_mode;
use crate::sort::float_format;

// Exact conversion of longer literals would take noticeable time.
const MAX_DIGITS: usize = 20_000;

type RoundedOp = fn(RoundingMode) -> FpOp;

/// Functions with a rounding mode, and how many floats they take.
fn rounded(name: &str) -> Option<(RoundedOp, usize)> {
    Some(match name {
        "fp.add" => (FpOp::Add, 2),
        "fp.sub" => (FpOp::Sub, 2),
        "fp.mul" => (FpOp::Mul, 2),
        "fp.div" => (FpOp::Div, 2),
        "fp.fma" => (FpOp::Fma, 3),
        "fp.sqrt" => (FpOp::Sqrt, 1),
        "fp.roundToIntegral" => (FpOp::RoundToIntegral, 1),
        _ => return None,
    })
}

/// Functions without, and their number of arguments.
fn exact(name: &str) -> Option<(FpOp, usize)> {
    Some(match name {
        "fp.abs" => (FpOp::Abs, 1),
        "fp.neg" => (FpOp::Neg, 1),
        "fp.rem" => (FpOp::Rem, 2),
        "fp.isNormal" => (FpOp::IsNormal, 1),
        "fp.isSubnormal" => (FpOp::IsSubnormal, 1),
        "fp.isZero" => (FpOp::IsZero, 1),
        "fp.isInfinite" => (FpOp::IsInfinite, 1),
        "fp.isNaN" => (FpOp::IsNan, 1),
        "fp.isNegative" => (FpOp::IsNegative, 1),
        "fp.isPositive" => (FpOp::IsPositive, 1),
        _ => return None,
    })
}

/// Comparisons chain; those with `>` have their arguments swapped.
fn comparison(name: &str) -> Option<(FpOp, bool)> {
    Some(match name {
        "fp.eq" => (FpOp::Eq, false),
        "fp.lt" => (FpOp::Lt, false),
        "fp.leq" => (FpOp::Le, false),
        "fp.gt" => (FpOp::Lt, true),
        "fp.geq" => (FpOp::Le, true),
        _ => return None,
    })
}

pub(crate) fn is_function(name: &str) -> bool {
    rounded(name).is_some()
        || exact(name).is_some()
        || comparison(name).is_some()
        || ["fp", "fp.min", "fp.max", "fp.to_ieee_bv", "fp.to_real"].contains(&name)
}

pub(crate) fn apply(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    if let Some((op, arity)) = rounded(name) {
        return Some(apply_rounded(terms, workshop, name, op, arity, args));
    }
    if let Some((op, arity)) = exact(name) {
        return Some(apply_exact(terms, workshop, name, op, arity, args));
    }
    if let Some((op, swap)) = comparison(name) {
        return Some(compare(terms, workshop, name, op, swap, args));
    }
    match name {
        "fp" => Some(from_parts(terms, workshop, args)),
        "fp.min" => Some(extremum(terms, workshop, name, FpOp::Min, args)),
        "fp.max" => Some(extremum(terms, workshop, name, FpOp::Max, args)),
        "fp.to_ieee_bv" => Some(encoding(terms, workshop, args)),
        "fp.to_real" => Some(Err(Fault::unsupported("`fp.to_real`"))),
        _ => None,
    }
}

fn floats(terms: &Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<Vec<TermId>> {
    args.iter().map(|&arg| workshop.float(terms, arg)).collect()
}

fn rounding_of(terms: &Terms, workshop: &Workshop, value: Expr) -> Outcome<TermId> {
    match value {
        Expr::Rounding(rounding) => Ok(rounding),
        Expr::Term(..) | Expr::Integer(_) | Expr::Number(_) => Err(Fault::sort(format!(
            "a RoundingMode is expected here, this is a {}",
            workshop.sort_of(terms, value)
        ))),
    }
}

fn apply_rounded(
    terms: &mut Terms,
    workshop: &Workshop,
    name: &str,
    op: RoundedOp,
    arity: usize,
    args: &[Expr],
) -> Outcome<Expr> {
    if args.len() != arity + 1 {
        return Err(wrong_arity(name, &format!("a rounding mode and {arity} floats")));
    }
    let rounding = rounding_of(terms, workshop, args[0])?;
    let operands = floats(terms, workshop, &args[1..])?;
    if operands.iter().any(|&operand| terms.sort(operand) != terms.sort(operands[0])) {
        return Err(Fault::sort(format!("`{name}` of floats of different formats")));
    }
    let term = for_mode(terms, rounding, |terms, mode| terms.make(op(mode), &operands));
    Ok(Expr::plain(term))
}

fn apply_exact(
    terms: &mut Terms,
    workshop: &Workshop,
    name: &str,
    op: FpOp,
    arity: usize,
    args: &[Expr],
) -> Outcome<Expr> {
    if args.len() != arity {
        return Err(wrong_arity(name, &format!("{arity} floats")));
    }
    let operands = floats(terms, workshop, args)?;
    build(terms, op, name, &operands)
}

fn compare(
    terms: &mut Terms,
    workshop: &Workshop,
    name: &str,
    op: FpOp,
    swap: bool,
    args: &[Expr],
) -> Outcome<Expr> {
    let operands = floats(terms, workshop, args)?;
    if operands.len() < 2 {
        return Err(wrong_arity(name, "two or more floats"));
    }
    let mut links = Vec::new();
    for pair in operands.windows(2) {
        let pair = if swap { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
        let link = build(terms, op, name, &pair)?;
        links.push(workshop.term(terms, link)?);
    }
    Ok(Expr::plain(terms.and(&links)))
}

fn extremum(
    terms: &mut Terms,
    workshop: &mut Workshop,
    name: &str,
    op: FpOp,
    args: &[Expr],
) -> Outcome<Expr> {
    let args: [Expr; 2] = exactly(name, args)?;
    let (a, b) = (workshop.float(terms, args[0])?, workshop.float(terms, args[1])?);
    if terms.sort(a) != terms.sort(b) {
        return Err(Fault::sort(format!("`{name}` of floats of different formats")));
    }
    Ok(Expr::plain(workshop.undefined.extremum(terms, op, a, b)))
}

fn encoding(terms: &mut Terms, workshop: &mut Workshop, args: &[Expr]) -> Outcome<Expr> {
    let [a] = exactly("fp.to_ieee_bv", args)?;
    let a = workshop.float(terms, a)?;
    Ok(Expr::plain(workshop.undefined.encoding(terms, a)))
}

/// `(fp sign exponent significand)`.
fn from_parts(terms: &mut Terms, workshop: &Workshop, args: &[Expr]) -> Outcome<Expr> {
    let args: [Expr; 3] = exactly("fp", args)?;
    let [sign, exponent, fraction] = args.map(|arg| workshop.bits(terms, arg));
    let (sign, exponent, fraction) = (sign?, exponent?, fraction?);
    if terms.width(sign) != 1 {
        return Err(Fault::sort("the sign of a float is one bit"));
    }
    let format =
        float_format(u64::from(terms.width(exponent)), u64::from(terms.width(fraction)) + 1)?;
    let high = terms.bv_concat(sign, exponent);
    let bits = terms.bv_concat(high, fraction);
    Ok(Expr::plain(terms.fp_from_bits(format, bits)))
}

/// `(_ +oo 8 24)` and the like.
pub(crate) fn indexed_constant(terms: &mut Terms, head: &Head<'_>) -> Option<Outcome<Expr>> {
    let make: fn(Format) -> Float = match head.name {
        "+oo" => |format| Float::infinity(Sign::Positive, format),
        "-oo" => |format| Float::infinity(Sign::Negative, format),
        "+zero" => |format| Float::zero(Sign::Positive, format),
        "-zero" => |format| Float::zero(Sign::Negative, format),
        "NaN" => Float::nan,
        _ => return None,
    };
    Some(format_of(head).map(|format| Expr::plain(terms.float_const(make(format)))))
}

fn format_of(head: &Head<'_>) -> Outcome<Format> {
    match head.indices[..] {
        [exponent, significand] => float_format(exponent, significand),
        _ => Err(wrong_arity(head.name, "two indices")),
    }
}

pub(crate) fn apply_indexed(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Option<Outcome<Expr>> {
    match head.name {
        "to_fp" => Some(to_fp(terms, workshop, head, args)),
        "to_fp_unsigned" => Some(to_fp_unsigned(terms, workshop, head, args)),
        "fp.to_ubv" => Some(to_bits(terms, workshop, head, Signedness::Unsigned, args)),
        "fp.to_sbv" => Some(to_bits(terms, workshop, head, Signedness::Signed, args)),
        _ => None,
    }
}

fn to_fp(terms: &mut Terms, workshop: &Workshop, head: &Head<'_>, args: &[Expr]) -> Outcome<Expr> {
    let format = format_of(head)?;
    if let [bits] = args {
        let bits = workshop.bits(terms, *bits)?;
        return build(terms, FpOp::FromBits(format), "to_fp", &[bits]);
    }
    let [rounding, value] = exactly("to_fp", args)?;
    let rounding = rounding_of(terms, workshop, rounding)?;
    let term = match value {
        Expr::Term(term, _) => match terms.sort(term) {
            Sort::Float(_) => {
                for_mode(terms, rounding, |terms, mode| terms.fp_to_fp(format, mode, term))
            }
            Sort::Bv(_) => for_mode(terms, rounding, |terms, mode| {
                terms.fp_from_int(format, mode, Signedness::Signed, term)
            }),
            sort @ (Sort::Bool | Sort::Array { .. }) => {
                let message = format!("`to_fp` of a {}", SurfaceSort::Plain(sort));
                return Err(Fault::sort(message));
            }
        },
        Expr::Number(_) => literal_to_fp(terms, workshop, format, rounding, value)?,
        Expr::Rounding(_) => return Err(Fault::sort("`to_fp` of a RoundingMode")),
        Expr::Integer(_) => return Err(Fault::unsupported("`to_fp` of an integer term")),
    };
    Ok(Expr::plain(term))
}

fn literal_to_fp(
    terms: &mut Terms,
    workshop: &Workshop,
    format: Format,
    rounding: TermId,
    value: Expr,
) -> Outcome<TermId> {
    let Expr::Number(id) = value else { unreachable!("called with literals") };
    let number = workshop.number_of(id);
    let sign = if number.negative { "-" } else { "" };
    let numerator = format!("{sign}{}", number.numerator);
    let denominator = number.denominator.as_deref().unwrap_or("1");
    if numerator.len() + denominator.len() > MAX_DIGITS {
        return Err(Fault::unsupported(format!("a literal of more than {MAX_DIGITS} digits")));
    }
    let mut failure = None;
    let term = for_mode(terms, rounding, |terms, mode| {
        match Float::parse_ratio(&numerator, denominator, format, mode) {
            Ok(float) => terms.float_const(float),
            Err(error) => {
                failure = Some(Fault::unsupported(error.to_string()));
                terms.float_const(Float::nan(format))
            }
        }
    });
    failure.map_or(Ok(term), Err)
}

fn to_fp_unsigned(
    terms: &mut Terms,
    workshop: &Workshop,
    head: &Head<'_>,
    args: &[Expr],
) -> Outcome<Expr> {
    let format = format_of(head)?;
    let [rounding, bits] = exactly("to_fp_unsigned", args)?;
    let rounding = rounding_of(terms, workshop, rounding)?;
    let bits = workshop.bits(terms, bits)?;
    let term = for_mode(terms, rounding, |terms, mode| {
        terms.fp_from_int(format, mode, Signedness::Unsigned, bits)
    });
    Ok(Expr::plain(term))
}

fn to_bits(
    terms: &mut Terms,
    workshop: &mut Workshop,
    head: &Head<'_>,
    signedness: Signedness,
    args: &[Expr],
) -> Outcome<Expr> {
    let [width] = head.indices[..] else {
        return Err(wrong_arity(head.name, "one index"));
    };
    if width == 0 {
        return Err(Fault::sort("a bit-vector has at least one bit"));
    }
    let width = u8::try_from(width)
        .ok()
        .filter(|&width| width <= glassbox_values::bits::MAX_WIDTH)
        .ok_or_else(crate::sort::too_wide)?;
    let [rounding, float] = exactly(head.name, args)?;
    let rounding = rounding_of(terms, workshop, rounding)?;
    let float = workshop.float(terms, float)?;
    let undefined = &mut workshop.undefined;
    let term = for_mode(terms, rounding, |terms, mode| {
        undefined.conversion(terms, width, mode, signedness, float)
    });
    Ok(Expr::plain(term))
}
