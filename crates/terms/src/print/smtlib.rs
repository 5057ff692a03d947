//! One term as SMT-LIB text, shared subterms bound by `let`.
//!
//! The text means what `eval` means: where SMT-LIB leaves a value open (conversion of a float that
//! does not fit, minimum of two zeros, encoding of NaN), the printed term chooses the same value.

use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};
use rustc_hash::FxHashMap;

use super::symbol::{bits_to_smtlib, float_to_smtlib, head, quote_symbol, rounding_name};
use crate::intern::{TermId, Terms, VarId};
use crate::op::{FpOp, Op};

/// The term as SMT-LIB text. Variables have their quoted names, whether unique or not;
/// `fp.to_ieee_bv` and `fp.fmod` are not standard (see `export` for text without them).
pub fn to_smtlib(terms: &Terms, term: TermId) -> String {
    let shared = shared_subterms(terms, &[term]);
    let mut names = FxHashMap::default();
    let mut text = String::new();
    let var_name = |var: VarId| quote_symbol(terms.var_name(var));
    for &part in shared.iter().filter(|&&part| part != term) {
        text.push_str("(let ((");
        let name = format!("?{}", part.index());
        text.push_str(&name);
        text.push(' ');
        print_into(&mut text, terms, part, &names, &var_name);
        text.push_str(")) ");
        names.insert(part, name);
    }
    print_into(&mut text, terms, term, &names, &var_name);
    text.extend(std::iter::repeat_n(')', names.len()));
    text
}

/// The subterms that need a name: used more than once, or printed more than once by their user.
/// Arguments come before users.
pub(super) fn shared_subterms(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let all = terms.subterms(roots);
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    for &root in roots {
        *uses.entry(root).or_default() += 1;
    }
    for &term in &all {
        let weight = if repeats_arguments(terms.op(term)) { 2 } else { 1 };
        for &arg in terms.args(term) {
            *uses.entry(arg).or_default() += weight;
        }
    }
    all.into_iter().filter(|&term| !terms.args(term).is_empty() && uses[&term] > 1).collect()
}

fn repeats_arguments(op: Op) -> bool {
    matches!(op, Op::Fp(FpOp::ToInt { .. } | FpOp::Min | FpOp::Max | FpOp::ToBits))
}

enum Piece {
    Term(TermId),
    Fixed(&'static str),
    Text(String),
}

/// Appends the text of `root`; terms in `names` other than the root itself by their names.
pub(super) fn print_into(
    text: &mut String,
    terms: &Terms,
    root: TermId,
    names: &FxHashMap<TermId, String>,
    var_name: &dyn Fn(VarId) -> String,
) {
    let mut stack = vec![Piece::Term(root)];
    while let Some(piece) = stack.pop() {
        let term = match piece {
            Piece::Fixed(fixed) => {
                text.push_str(fixed);
                continue;
            }
            Piece::Text(made) => {
                text.push_str(&made);
                continue;
            }
            Piece::Term(term) => term,
        };
        if let (Some(name), true) = (names.get(&term), term != root) {
            text.push_str(name);
            continue;
        }
        match terms.op(term) {
            Op::Var(var) => text.push_str(&var_name(var)),
            Op::BvConst(bits) => text.push_str(&bits_to_smtlib(bits)),
            Op::FloatConst(float) => text.push_str(&float_to_smtlib(float)),
            Op::Fp(FpOp::ToInt { width, rounding, signedness }) => {
                let pieces = guarded_conversion(terms, term, width, rounding, signedness);
                stack.extend(pieces.into_iter().rev());
            }
            Op::Fp(FpOp::ToBits) => stack.extend(guarded_encoding(terms, term).into_iter().rev()),
            Op::Fp(FpOp::Min | FpOp::Max) => {
                stack.extend(guarded_extremum(terms, term).into_iter().rev());
            }
            Op::True
            | Op::False
            | Op::Bool(_)
            | Op::Eq
            | Op::Ite
            | Op::Bv(_)
            | Op::Fp(_)
            | Op::Array(_) => {
                print_application(text, &mut stack, terms, term);
            }
        }
    }
}

fn print_application(text: &mut String, stack: &mut Vec<Piece>, terms: &Terms, term: TermId) {
    let args = terms.args(term);
    let first = args.first().map(|&arg| terms.sort(arg));
    let head = head(terms.op(term), terms.sort(term), first);
    if args.is_empty() {
        text.push_str(&head);
        return;
    }
    text.push('(');
    text.push_str(&head);
    stack.push(Piece::Fixed(")"));
    for &arg in args.iter().rev() {
        stack.push(Piece::Term(arg));
        stack.push(Piece::Fixed(" "));
    }
}

// `(ite (and (fp.leq lo r) (fp.lt r hi)) (fp.to_sbv x) 0)` with r the rounded x. When 2^digits is no
// number of the format, every finite number is below it.
fn guarded_conversion(
    terms: &Terms,
    term: TermId,
    width: u8,
    rounding: RoundingMode,
    signedness: Signedness,
) -> Vec<Piece> {
    let arg = terms.arg(term, 0);
    let format = terms.format(arg);
    let rounded = format!("(fp.roundToIntegral {} ", rounding_name(rounding));
    let (digits, lowest) = match signedness {
        Signedness::Signed => (width - 1, None),
        Signedness::Unsigned => (width, Some(Float::zero(Sign::Positive, format))),
    };
    let limit = (i32::from(digits) <= format.max_exponent()).then(|| power_of_two(digits, format));
    let highest = limit.unwrap_or(Float::infinity(Sign::Positive, format));
    // Without a representable limit, infinities are what must be kept out.
    let low_relation = if limit.is_some() || lowest.is_some() { "fp.leq" } else { "fp.lt" };
    let lowest = lowest.unwrap_or(highest.neg());
    let head = head(Op::Fp(FpOp::ToInt { width, rounding, signedness }), terms.sort(term), None);
    vec![
        Piece::Text(format!("(ite (and ({low_relation} {} {rounded}", float_to_smtlib(lowest))),
        Piece::Term(arg),
        Piece::Text(format!(")) (fp.lt {rounded}")),
        Piece::Term(arg),
        Piece::Text(format!(") {})) ({head} ", float_to_smtlib(highest))),
        Piece::Term(arg),
        Piece::Text(format!(") {})", bits_to_smtlib(Bits::zero(width)))),
    ]
}

fn power_of_two(exponent: u8, format: Format) -> Float {
    let one = Float::one(Sign::Positive, format);
    one.scale(i32::from(exponent), RoundingMode::TowardZero)
}

// NaN has the canonical encoding.
fn guarded_encoding(terms: &Terms, term: TermId) -> Vec<Piece> {
    let arg = terms.arg(term, 0);
    let nan = Float::nan(terms.format(arg)).to_encoding();
    vec![
        Piece::Fixed("(ite (fp.isNaN "),
        Piece::Term(arg),
        Piece::Text(format!(") {} (fp.to_ieee_bv ", bits_to_smtlib(nan))),
        Piece::Term(arg),
        Piece::Fixed("))"),
    ]
}

// Two zeros give the second argument.
fn guarded_extremum(terms: &Terms, term: TermId) -> Vec<Piece> {
    let (a, b) = (terms.arg(term, 0), terms.arg(term, 1));
    let name = if terms.op(term) == Op::Fp(FpOp::Min) { "fp.min" } else { "fp.max" };
    vec![
        Piece::Fixed("(ite (and (fp.isZero "),
        Piece::Term(a),
        Piece::Fixed(") (fp.isZero "),
        Piece::Term(b),
        Piece::Fixed(")) "),
        Piece::Term(b),
        Piece::Text(format!(" ({name} ")),
        Piece::Term(a),
        Piece::Fixed(" "),
        Piece::Term(b),
        Piece::Fixed("))"),
    ]
}
