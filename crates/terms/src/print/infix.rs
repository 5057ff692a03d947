//! Terms for people: infix, C-like, with as few parentheses as C needs.
//!
//! `display` says exactly which operator a term has; `source_text` says what a reader of the source would (`source`).
//!
//! In the exact style signed operators have the C spelling; unsigned ones carry a `u` (`<u`, `/u`), logical shift is
//! `>>>`. Numbers next to a signed operator, and small negative ones next to one without a sign, are
//! shown as negative. Very large terms are shortened with `…`.

use glassbox_values::{Bits, RoundingMode, Signedness, character};

use super::symbol::rounding_name;
use crate::intern::{TermId, Terms};
use crate::op::{ArrayOp, BoolOp, BvOp, FpOp, Op};

const MAX_DEPTH: u32 = 60;
const MAX_LENGTH: usize = 4000;

/// The term as one readable line, every operator with its sign and every conversion shown.
pub fn display(terms: &Terms, term: TermId) -> String {
    print(terms, term, Style::Exact)
}

/// The term as the source would write it: numbers as their variables are declared, no operators that C lacks.
pub fn source_text(terms: &Terms, term: TermId) -> String {
    print(terms, term, Style::Source)
}

fn print(terms: &Terms, term: TermId, style: Style) -> String {
    let mut printer = Printer { terms, style, text: String::new() };
    printer.term(term, Context { level: 0, reading: Reading::Either, depth: 0 });
    printer.text
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Exact,
    Source,
}

/// How a number is read where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Signed,
    Unsigned,
    /// Beside a character.
    Character(Signedness),
    Either,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    /// Operators that bind less tightly than this get parentheses.
    pub(super) level: u8,
    pub(super) reading: Reading,
    depth: u32,
}

pub(super) struct Printer<'a> {
    pub(super) terms: &'a Terms,
    style: Style,
    pub(super) text: String,
}

// Binding strengths as in C, weakest first.
const CHOICE: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_XOR: u8 = 5;
pub(super) const BIT_AND: u8 = 6;
pub(super) const EQUALITY: u8 = 7;
pub(super) const ORDER: u8 = 8;
pub(super) const SHIFT: u8 = 9;
const SUM: u8 = 10;
pub(super) const PRODUCT: u8 = 11;
pub(super) const UNARY: u8 = 12;
const POSTFIX: u8 = 13;

impl Printer<'_> {
    pub(super) fn term(&mut self, term: TermId, context: Context) {
        if context.depth > MAX_DEPTH || self.text.len() > MAX_LENGTH {
            self.text.push('…');
            return;
        }
        if self.style == Style::Source && self.in_source(term, context) {
            return;
        }
        match self.terms.op(term) {
            Op::Var(var) => self.text.push_str(self.terms.var_name(var)),
            Op::True => self.text.push_str("true"),
            Op::False => self.text.push_str("false"),
            Op::BvConst(bits) => self.number(bits, context),
            Op::FloatConst(float) => self.text.push_str(&float.to_decimal()),
            Op::Bool(BoolOp::Not) => self.negation(term, context),
            Op::Bool(BoolOp::And) => self.chain(term, " && ", AND, context),
            Op::Bool(BoolOp::Or) => self.chain(term, " || ", OR, context),
            Op::Bool(BoolOp::Xor) => self.infix(term, "!=", EQUALITY, Reading::Either, context),
            Op::Eq => self.infix(term, "==", EQUALITY, Reading::Either, context),
            Op::Ite => self.choice(term, context),
            Op::Bv(BvOp::Add) => self.sum(term, context),
            Op::Bv(op) => self.application(term, bv_look(op), context),
            Op::Fp(op) => self.application(term, fp_look(op), context),
            Op::Array(ArrayOp::Select) => self.select(term, context),
            Op::Array(ArrayOp::Store) => self.store(term, context),
            Op::Array(ArrayOp::Const { .. }) => {
                self.call(term, "all", Reading::Either, context);
            }
        }
    }

    fn application(&mut self, term: TermId, look: Look, context: Context) {
        match look {
            Look::Prefix(symbol) => self.prefix(symbol, term, context),
            Look::Infix(symbol, level, reading) => {
                self.infix(term, symbol, level, reading, context);
            }
            Look::Cast(text) => self.cast(term, &text, context),
            Look::Call(name, reading) => self.call(term, &name, reading, context),
            Look::Slice { hi, lo } => {
                self.term(self.terms.arg(term, 0), Self::below(context, POSTFIX, Reading::Either));
                self.text.push_str(&format!("[{hi}:{lo}]"));
            }
        }
    }

    fn number(&mut self, bits: Bits, context: Context) {
        if let Reading::Character(_) = context.reading
            && let Some(text) = character(bits.signed())
        {
            self.text.push_str(&text);
            return;
        }
        let signed = match context.reading {
            Reading::Signed | Reading::Character(Signedness::Signed) => true,
            Reading::Unsigned | Reading::Character(Signedness::Unsigned) => false,
            Reading::Either => bits.width() >= 8 && bits.signed() >= -1024,
        };
        let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
        self.text.push_str(&bits.to_decimal(signedness));
    }

    pub(super) fn below(context: Context, level: u8, reading: Reading) -> Context {
        Context { level, reading, depth: context.depth + 1 }
    }

    pub(super) fn open(&mut self, level: u8, context: Context) -> bool {
        let parenthesized = level < context.level;
        if parenthesized {
            self.text.push('(');
        }
        parenthesized
    }

    pub(super) fn close(&mut self, parenthesized: bool) {
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
        let is_equality = matches!(self.terms.op(inner), Op::Eq | Op::Fp(FpOp::Eq));
        if is_equality && self.style == Style::Source {
            self.equality(inner, "!=", context);
        } else if is_equality {
            self.infix(inner, "!=", EQUALITY, Reading::Either, context);
        } else {
            self.prefix("!", term, context);
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

    fn chain(&mut self, term: TermId, symbol: &str, level: u8, context: Context) {
        let parenthesized = self.open(level, context);
        for position in 0..self.terms.args(term).len() {
            if position > 0 {
                self.text.push_str(symbol);
            }
            // `a || b && c` is legal C but hard to read.
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

    fn cast(&mut self, term: TermId, text: &str, context: Context) {
        let parenthesized = self.open(UNARY, context);
        self.text.push_str(text);
        self.term(self.terms.arg(term, 0), Self::below(context, UNARY, Reading::Either));
        self.close(parenthesized);
    }

    fn call(&mut self, term: TermId, name: &str, reading: Reading, context: Context) {
        self.text.push_str(name);
        self.text.push('(');
        for position in 0..self.terms.args(term).len() {
            if position > 0 {
                self.text.push_str(", ");
            }
            self.term(self.terms.arg(term, position), Self::below(context, 0, reading));
        }
        self.text.push(')');
    }
}

/// How an operator on numbers is written.
enum Look {
    Prefix(&'static str),
    Infix(&'static str, u8, Reading),
    Cast(String),
    Call(String, Reading),
    /// Bits in brackets.
    Slice {
        hi: u8,
        lo: u8,
    },
}

fn bv_look(op: BvOp) -> Look {
    use Look::{Call, Infix, Prefix};
    use Reading::{Either, Signed, Unsigned};
    let overflow = |what: &str, signedness| match signedness {
        Signedness::Signed => Call(format!("{what}_overflows"), Signed),
        Signedness::Unsigned => Call(format!("u{what}_overflows"), Unsigned),
    };
    match op {
        BvOp::Neg => Prefix("-"),
        BvOp::Not => Prefix("~"),
        BvOp::Add => Infix("+", SUM, Either),
        BvOp::Sub => Infix("-", SUM, Either),
        BvOp::Mul => Infix("*", PRODUCT, Either),
        BvOp::Udiv => Infix("/u", PRODUCT, Unsigned),
        BvOp::Urem => Infix("%u", PRODUCT, Unsigned),
        BvOp::Sdiv => Infix("/", PRODUCT, Signed),
        BvOp::Srem => Infix("%", PRODUCT, Signed),
        BvOp::Smod => Call("mod".to_owned(), Either),
        BvOp::And => Infix("&", BIT_AND, Unsigned),
        BvOp::Or => Infix("|", BIT_OR, Unsigned),
        BvOp::Xor => Infix("^", BIT_XOR, Unsigned),
        BvOp::Shl => Infix("<<", SHIFT, Unsigned),
        BvOp::Lshr => Infix(">>>", SHIFT, Unsigned),
        BvOp::Ashr => Infix(">>", SHIFT, Unsigned),
        BvOp::Concat => Call("concat".to_owned(), Either),
        BvOp::Extract { hi, lo: 0 } => Look::Cast(format!("(u{})", u16::from(hi) + 1)),
        BvOp::Extract { hi, lo } => Look::Slice { hi, lo },
        BvOp::ZeroExtend { width } => Look::Cast(format!("(u{width})")),
        BvOp::SignExtend { width } => Look::Cast(format!("(i{width})")),
        BvOp::Ult => Infix("<u", ORDER, Unsigned),
        BvOp::Ule => Infix("<=u", ORDER, Unsigned),
        BvOp::Slt => Infix("<", ORDER, Signed),
        BvOp::Sle => Infix("<=", ORDER, Signed),
        BvOp::AddOverflow(signedness) => overflow("add", signedness),
        BvOp::SubOverflow(signedness) => overflow("sub", signedness),
        BvOp::MulOverflow(signedness) => overflow("mul", signedness),
        BvOp::NegOverflow => Call("neg_overflows".to_owned(), Either),
    }
}

fn fp_look(op: FpOp) -> Look {
    use Look::{Cast, Infix, Prefix};
    use Reading::Either;
    use RoundingMode::{NearestEven, TowardZero};
    let mode = |rounding| rounding_name(rounding).to_lowercase();
    let call = |name: &str| Look::Call(name.to_owned(), Either);
    // The usual rounding mode is not mentioned.
    let rounded = |name: &str, rounding| {
        if rounding == NearestEven {
            call(name)
        } else {
            call(&format!("{name}_{}", mode(rounding)))
        }
    };
    let sign = |signedness: Signedness| match signedness {
        Signedness::Signed => "",
        Signedness::Unsigned => "u",
    };
    match op {
        FpOp::Add(NearestEven) => Infix("+", SUM, Either),
        FpOp::Sub(NearestEven) => Infix("-", SUM, Either),
        FpOp::Mul(NearestEven) => Infix("*", PRODUCT, Either),
        FpOp::Div(NearestEven) => Infix("/", PRODUCT, Either),
        FpOp::Add(rounding) => rounded("add", rounding),
        FpOp::Sub(rounding) => rounded("sub", rounding),
        FpOp::Mul(rounding) => rounded("mul", rounding),
        FpOp::Div(rounding) => rounded("div", rounding),
        FpOp::Fma(rounding) => rounded("fma", rounding),
        FpOp::Sqrt(rounding) => rounded("sqrt", rounding),
        FpOp::Rem => call("remainder"),
        FpOp::Fmod => call("fmod"),
        FpOp::RoundToIntegral(rounding) => rounded("rint", rounding),
        FpOp::Min => call("fmin"),
        FpOp::Max => call("fmax"),
        FpOp::Abs => call("fabs"),
        FpOp::Neg => Prefix("-"),
        FpOp::Eq => Infix("==", EQUALITY, Either),
        FpOp::Lt => Infix("<", ORDER, Either),
        FpOp::Le => Infix("<=", ORDER, Either),
        FpOp::IsNormal => call("isnormal"),
        FpOp::IsSubnormal => call("issubnormal"),
        FpOp::IsZero => call("iszero"),
        FpOp::IsInfinite => call("isinf"),
        FpOp::IsNan => call("isnan"),
        FpOp::IsNegative => call("isnegative"),
        FpOp::IsPositive => call("ispositive"),
        FpOp::ToFp { format, rounding: NearestEven }
        | FpOp::FromInt { format, rounding: NearestEven, .. } => {
            Cast(format!("(f{})", format.width()))
        }
        FpOp::ToFp { format, rounding } => rounded(&format!("to_f{}", format.width()), rounding),
        FpOp::FromBits(format) => call(&format!("bits_as_f{}", format.width())),
        FpOp::FromInt { format, rounding, signedness } => {
            rounded(&format!("{}int_to_f{}", sign(signedness), format.width()), rounding)
        }
        FpOp::ToInt { width, rounding: TowardZero, signedness } => match signedness {
            Signedness::Signed => Cast(format!("(i{width})")),
            Signedness::Unsigned => Cast(format!("(u{width})")),
        },
        FpOp::ToInt { width, rounding, signedness } => {
            call(&format!("to_{}int{width}_{}", sign(signedness), mode(rounding)))
        }
        FpOp::ToBits => call("bits_of"),
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
            term = terms.intern(BvOp::Mul, &[term, term]);
        }
        let text = display(&terms, term);
        assert!(text.len() < 10_000 && text.contains('…'), "{} bytes", text.len());
    }
}
