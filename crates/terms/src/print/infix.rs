//! Terms for people: infix, C-like, with as few parentheses as C needs.
//!
//! Signed operators have the C spelling; unsigned ones carry a `u` (`<u`, `/u`), logical shift is
//! `>>>`. Numbers next to a signed operator, and small negative ones next to one without a sign, are
//! shown as negative. Very large terms are shortened with `…`.

use glassbox_values::{Bits, RoundingMode, Signedness};

use super::symbol::rounding_name;
use crate::intern::{TermId, Terms};
use crate::op::Op;

const MAX_DEPTH: u32 = 60;
const MAX_LENGTH: usize = 4000;

/// The term as one readable line.
pub fn display(terms: &Terms, term: TermId) -> String {
    let mut printer = Printer { terms, text: String::new() };
    printer.term(term, Context { level: 0, reading: Reading::Either, depth: 0 });
    printer.text
}

/// How a number is read where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Signed,
    Unsigned,
    Either,
}

#[derive(Debug, Clone, Copy)]
struct Context {
    /// Operators that bind less tightly than this get parentheses.
    level: u8,
    reading: Reading,
    depth: u32,
}

struct Printer<'a> {
    terms: &'a Terms,
    text: String,
}

// Binding strengths as in C, weakest first.
const CHOICE: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_XOR: u8 = 5;
const BIT_AND: u8 = 6;
const EQUALITY: u8 = 7;
const ORDER: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const UNARY: u8 = 12;
const POSTFIX: u8 = 13;

impl Printer<'_> {
    fn term(&mut self, term: TermId, context: Context) {
        if context.depth > MAX_DEPTH || self.text.len() > MAX_LENGTH {
            self.text.push('…');
            return;
        }
        let op = self.terms.op(term);
        match op {
            Op::Var(var) => self.text.push_str(self.terms.var_name(var)),
            Op::True => self.text.push_str("true"),
            Op::False => self.text.push_str("false"),
            Op::BvConst(bits) => self.number(bits, context),
            Op::FloatConst(float) => self.text.push_str(&float.to_decimal()),
            Op::Not => self.negation(term, context),
            Op::BvNot => self.prefix("~", term, context),
            Op::BvNeg | Op::FpNeg => self.prefix("-", term, context),
            Op::BvAdd => self.sum(term, context),
            Op::And | Op::Or => self.chain(term, context),
            Op::Ite => self.choice(term, context),
            Op::Select => self.select(term, context),
            Op::Store => self.store(term, context),
            _ => match binary(op) {
                Some((symbol, level, reading)) => {
                    self.infix(term, symbol, level, reading, context);
                }
                None => self.call(term, context),
            },
        }
    }

    fn number(&mut self, bits: Bits, context: Context) {
        let signed = match context.reading {
            Reading::Signed => true,
            Reading::Unsigned => false,
            Reading::Either => bits.width() >= 8 && bits.signed() >= -1024,
        };
        let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
        self.text.push_str(&bits.to_decimal(signedness));
    }

    fn below(context: Context, level: u8, reading: Reading) -> Context {
        Context { level, reading, depth: context.depth + 1 }
    }

    fn open(&mut self, level: u8, context: Context) -> bool {
        let parenthesized = level < context.level;
        if parenthesized {
            self.text.push('(');
        }
        parenthesized
    }

    fn close(&mut self, parenthesized: bool) {
        if parenthesized {
            self.text.push(')');
        }
    }

    fn prefix(&mut self, symbol: &str, term: TermId, context: Context) {
        let parenthesized = self.open(UNARY, context);
        self.text.push_str(symbol);
        self.term(self.terms.arg(term, 0), Self::below(context, UNARY + 1, Reading::Either));
        self.close(parenthesized);
    }

    // `!(a == b)` reads better as `a != b`.
    fn negation(&mut self, term: TermId, context: Context) {
        let inner = self.terms.arg(term, 0);
        let reading = Reading::Either;
        match self.terms.op(inner) {
            Op::Eq | Op::FpEq => self.infix(inner, "!=", EQUALITY, reading, context),
            _ => self.prefix("!", term, context),
        }
    }

    // A negative constant is subtracted.
    fn sum(&mut self, term: TermId, context: Context) {
        let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let negative = self.terms.as_bv_const(b).filter(|bits| {
            bits.sign_bit() && !bits.is_min_signed() && (bits.width() > 8 || bits.signed() >= -64)
        });
        match negative {
            Some(bits) => {
                let parenthesized = self.open(SUM, context);
                self.term(a, Self::below(context, SUM, Reading::Either));
                self.text.push_str(" - ");
                self.text.push_str(&bits.neg().to_decimal(Signedness::Unsigned));
                self.close(parenthesized);
            }
            None => self.infix(term, "+", SUM, Reading::Either, context),
        }
    }

    fn infix(&mut self, term: TermId, symbol: &str, level: u8, reading: Reading, context: Context) {
        let parenthesized = self.open(level, context);
        // C programmers expect parentheses where bit operators meet others.
        let inner = if (BIT_OR..=BIT_AND).contains(&level) { UNARY } else { level };
        self.term(self.terms.arg(term, 0), Self::below(context, inner, reading));
        self.text.push(' ');
        self.text.push_str(symbol);
        self.text.push(' ');
        let right = inner.max(level + 1);
        self.term(self.terms.arg(term, 1), Self::below(context, right, reading));
        self.close(parenthesized);
    }

    fn chain(&mut self, term: TermId, context: Context) {
        let (symbol, level) =
            if self.terms.op(term) == Op::And { (" && ", AND) } else { (" || ", OR) };
        let parenthesized = self.open(level, context);
        for position in 0..self.terms.args(term).len() {
            if position > 0 {
                self.text.push_str(symbol);
            }
            // `a || b && c` is legal C that nobody likes to read.
            let inner = Self::below(context, AND + 1, Reading::Either);
            self.term(self.terms.arg(term, position), inner);
            if self.text.len() > MAX_LENGTH {
                break;
            }
        }
        self.close(parenthesized);
    }

    fn choice(&mut self, term: TermId, context: Context) {
        let parenthesized = self.open(CHOICE, context);
        self.term(self.terms.arg(term, 0), Self::below(context, CHOICE + 1, Reading::Either));
        self.text.push_str(" ? ");
        self.term(self.terms.arg(term, 1), Self::below(context, CHOICE + 1, context.reading));
        self.text.push_str(" : ");
        self.term(self.terms.arg(term, 2), Self::below(context, CHOICE, context.reading));
        self.close(parenthesized);
    }

    fn select(&mut self, term: TermId, context: Context) {
        self.term(self.terms.arg(term, 0), Self::below(context, POSTFIX, Reading::Either));
        self.text.push('[');
        self.term(self.terms.arg(term, 1), Self::below(context, 0, Reading::Unsigned));
        self.text.push(']');
    }

    fn store(&mut self, term: TermId, context: Context) {
        self.term(self.terms.arg(term, 0), Self::below(context, POSTFIX, Reading::Either));
        self.text.push('[');
        self.term(self.terms.arg(term, 1), Self::below(context, 0, Reading::Unsigned));
        self.text.push_str(" := ");
        self.term(self.terms.arg(term, 2), Self::below(context, 0, Reading::Either));
        self.text.push(']');
    }

    fn call(&mut self, term: TermId, context: Context) {
        let op = self.terms.op(term);
        if let Op::BvExtract { hi, lo } = op
            && lo > 0
        {
            self.term(self.terms.arg(term, 0), Self::below(context, POSTFIX, Reading::Either));
            self.text.push_str(&format!("[{hi}:{lo}]"));
            return;
        }
        if let Some(cast) = cast(op) {
            let parenthesized = self.open(UNARY, context);
            self.text.push_str(&cast);
            self.term(self.terms.arg(term, 0), Self::below(context, UNARY, Reading::Either));
            self.close(parenthesized);
            return;
        }
        self.text.push_str(&function(op));
        self.text.push('(');
        for position in 0..self.terms.args(term).len() {
            if position > 0 {
                self.text.push_str(", ");
            }
            let reading = match op {
                Op::BvAddOverflow(Signedness::Unsigned)
                | Op::BvSubOverflow(Signedness::Unsigned)
                | Op::BvMulOverflow(Signedness::Unsigned) => Reading::Unsigned,
                Op::BvAddOverflow(Signedness::Signed)
                | Op::BvSubOverflow(Signedness::Signed)
                | Op::BvMulOverflow(Signedness::Signed) => Reading::Signed,
                _ => Reading::Either,
            };
            self.term(self.terms.arg(term, position), Self::below(context, 0, reading));
        }
        self.text.push(')');
    }
}

fn binary(op: Op) -> Option<(&'static str, u8, Reading)> {
    use Reading::{Either, Signed, Unsigned};
    let nearest = RoundingMode::NearestEven;
    let shown = match op {
        Op::Xor => ("!=", EQUALITY, Either),
        Op::Eq | Op::FpEq => ("==", EQUALITY, Either),
        Op::BvSub => ("-", SUM, Either),
        Op::BvMul => ("*", PRODUCT, Either),
        Op::BvUdiv => ("/u", PRODUCT, Unsigned),
        Op::BvUrem => ("%u", PRODUCT, Unsigned),
        Op::BvSdiv => ("/", PRODUCT, Signed),
        Op::BvSrem => ("%", PRODUCT, Signed),
        Op::BvAnd => ("&", BIT_AND, Unsigned),
        Op::BvOr => ("|", BIT_OR, Unsigned),
        Op::BvXor => ("^", BIT_XOR, Unsigned),
        Op::BvShl => ("<<", SHIFT, Unsigned),
        Op::BvLshr => (">>>", SHIFT, Unsigned),
        Op::BvAshr => (">>", SHIFT, Unsigned),
        Op::BvUlt => ("<u", ORDER, Unsigned),
        Op::BvUle => ("<=u", ORDER, Unsigned),
        Op::BvSlt => ("<", ORDER, Signed),
        Op::BvSle => ("<=", ORDER, Signed),
        Op::FpLt => ("<", ORDER, Either),
        Op::FpLe => ("<=", ORDER, Either),
        Op::FpAdd(rounding) if rounding == nearest => ("+", SUM, Either),
        Op::FpSub(rounding) if rounding == nearest => ("-", SUM, Either),
        Op::FpMul(rounding) if rounding == nearest => ("*", PRODUCT, Either),
        Op::FpDiv(rounding) if rounding == nearest => ("/", PRODUCT, Either),
        _ => return None,
    };
    Some(shown)
}

fn cast(op: Op) -> Option<String> {
    match op {
        Op::BvExtract { hi, .. } => Some(format!("(u{})", u16::from(hi) + 1)),
        Op::BvZeroExtend { width } => Some(format!("(u{width})")),
        Op::BvSignExtend { width } => Some(format!("(i{width})")),
        Op::FpToFp { format, rounding: RoundingMode::NearestEven }
        | Op::FpFromInt { format, rounding: RoundingMode::NearestEven, .. } => {
            Some(format!("(f{})", format.width()))
        }
        Op::FpToInt { width, rounding: RoundingMode::TowardZero, signedness } => {
            let letter = if signedness == Signedness::Signed { 'i' } else { 'u' };
            Some(format!("({letter}{width})"))
        }
        _ => None,
    }
}

fn function(op: Op) -> String {
    let rounded = |name: &str, rounding: RoundingMode| match rounding {
        RoundingMode::NearestEven => name.to_owned(),
        _ => format!("{name}_{}", rounding_name(rounding).to_lowercase()),
    };
    let sign = |signedness: Signedness| match signedness {
        Signedness::Signed => "",
        Signedness::Unsigned => "u",
    };
    match op {
        Op::BvSmod => "mod".to_owned(),
        Op::BvConcat => "concat".to_owned(),
        Op::BvAddOverflow(signedness) => format!("{}add_overflows", sign(signedness)),
        Op::BvSubOverflow(signedness) => format!("{}sub_overflows", sign(signedness)),
        Op::BvMulOverflow(signedness) => format!("{}mul_overflows", sign(signedness)),
        Op::BvNegOverflow => "neg_overflows".to_owned(),
        Op::FpAdd(rounding) => rounded("add", rounding),
        Op::FpSub(rounding) => rounded("sub", rounding),
        Op::FpMul(rounding) => rounded("mul", rounding),
        Op::FpDiv(rounding) => rounded("div", rounding),
        Op::FpFma(rounding) => rounded("fma", rounding),
        Op::FpSqrt(rounding) => rounded("sqrt", rounding),
        Op::FpRem => "remainder".to_owned(),
        Op::FpFmod => "fmod".to_owned(),
        Op::FpRoundToIntegral(rounding) => rounded("rint", rounding),
        Op::FpMin => "fmin".to_owned(),
        Op::FpMax => "fmax".to_owned(),
        Op::FpAbs => "fabs".to_owned(),
        Op::FpIsNormal => "isnormal".to_owned(),
        Op::FpIsSubnormal => "issubnormal".to_owned(),
        Op::FpIsZero => "iszero".to_owned(),
        Op::FpIsInfinite => "isinf".to_owned(),
        Op::FpIsNan => "isnan".to_owned(),
        Op::FpIsNegative => "isnegative".to_owned(),
        Op::FpIsPositive => "ispositive".to_owned(),
        Op::FpToFp { format, rounding } => rounded(&format!("to_f{}", format.width()), rounding),
        Op::FpFromBits(format) => format!("bits_as_f{}", format.width()),
        Op::FpFromInt { format, rounding, signedness } => {
            rounded(&format!("{}int_to_f{}", sign(signedness), format.width()), rounding)
        }
        Op::FpToInt { width, rounding, signedness } => {
            format!("to_{}int{width}_{}", sign(signedness), rounding_name(rounding).to_lowercase())
        }
        Op::FpToBits => "bits_of".to_owned(),
        Op::ConstArray { .. } => "all".to_owned(),
        Op::Var(_)
        | Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Eq
        | Op::Ite
        | Op::BvNeg
        | Op::BvNot
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::BvExtract { .. }
        | Op::BvZeroExtend { .. }
        | Op::BvSignExtend { .. }
        | Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::FpNeg
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::Select
        | Op::Store => unreachable!("{op:?} is shown with its own syntax"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::{Scalar, Sort};
    use glassbox_values::{Float, Format, Sign};

    #[track_caller]
    fn check(build: impl Fn(&mut Terms, TermId, TermId) -> TermId, expected: &str) {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let y = terms.fresh_var("y", Sort::Bv(32));
        let term = build(&mut terms, x, y);
        assert_eq!(display(&terms, term), expected);
    }

    #[test]
    fn sums_and_comparisons_look_like_c() {
        check(
            |t, x, y| {
                let one = t.bv_u(1, 32);
                let sum = t.bv_add(x, one);
                t.bv_slt(sum, y)
            },
            "x + 1 < y",
        );
        check(
            |t, x, y| {
                let sum = t.bv_add(x, y);
                let product = t.bv_mul(sum, x);
                let minus_one = t.bv_s(-1, 32);
                let less = t.bv_add(product, minus_one);
                t.bv_sub(y, less)
            },
            "y - x * (x + y) + 1",
        );
        check(|t, x, y| t.bv_ult(x, y), "x <u y");
    }

    #[test]
    fn numbers_follow_the_signedness_of_the_operator() {
        check(
            |t, x, _| {
                let bound = t.bv_s(-600, 32);
                t.bv_slt(x, bound)
            },
            "x < -600",
        );
        check(
            |t, x, _| {
                let bound = t.bv_s(-600, 32);
                t.bv_ult(x, bound)
            },
            "x <u 4294966696",
        );
        check(
            |t, x, _| {
                let minus_one = t.bv_s(-1, 32);
                t.ne(x, minus_one)
            },
            "x != -1",
        );
    }

    #[test]
    fn booleans_choices_and_casts() {
        check(
            |t, x, y| {
                let less = t.bv_slt(x, y);
                let five = t.bv_u(5, 32);
                let equal = t.eq(y, five);
                let zero = t.bv_u(0, 32);
                let positive = t.bv_slt(zero, x);
                let both = t.and(&[equal, positive]);
                t.or(&[less, both])
            },
            "x < y || (y == 5 && 0 < x)",
        );
        check(
            |t, x, y| {
                let less = t.bv_slt(x, y);
                let byte = t.bv_extract(7, 0, x);
                let wide = t.bv_zero_extend(32, byte);
                t.ite(less, wide, y)
            },
            "x < y ? (u32)(u8)x : y",
        );
        check(|t, x, _| t.bv_extract(15, 8, x), "x[15:8]");
    }

    #[test]
    fn floats_and_arrays() {
        check(
            |t, _, y| {
                let a = t
                    .fresh_var("a", Sort::Array { index: 32, element: Scalar::Float(Format::F64) });
                let stored = t.fresh_var("d", Sort::Float(Format::F64));
                let element = t.select(a, y);
                let half = t.float_const(Float::from_f64(0.5));
                let scaled = t.fp_mul(RoundingMode::NearestEven, element, half);
                let minus_zero = t.float_const(Float::zero(Sign::Negative, Format::F64));
                let sum = t.fp_add(RoundingMode::TowardNegative, scaled, minus_zero);
                t.fp_lt(sum, stored)
            },
            "add_rtn(a[y] * 0.5, -0.0) < d",
        );
    }

    #[test]
    fn huge_terms_are_shortened() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let mut term = x;
        for _ in 0..100_000 {
            term = terms.intern(Op::BvMul, &[term, term]);
        }
        let text = display(&terms, term);
        assert!(text.len() < 10_000 && text.contains('…'), "{} bytes", text.len());
    }
}
