//! Terms in the notation of the source: `u < 5` for unsigned `u`, `c == 'a'`, `(mode & 1) == 0` for the lowest bit.
//!
//! C has one `<` for both signs and takes it from the types of its operands. So the sign of an operator is only written
//! down, as a conversion, where an operand is declared otherwise; conversions that keep the value are left out. The
//! text is for people: it is not read back, and nothing is decided by it.

use glassbox_values::{Signedness, character};

use super::infix::{BIT_AND, Context, EQUALITY, ORDER, PRODUCT, Printer, Reading, SHIFT, UNARY};
use crate::intern::{TermId, Terms};
use crate::notation::Notation;
use crate::op::{BvOp, FpOp, Op};

/// Terms are looked through so far for the variables that say how numbers are written.
const MAX_LOOK: u32 = 12;

impl Printer<'_> {
    /// Writes what the source has another notation for; false where it has none.
    pub(super) fn in_source(&mut self, term: TermId, context: Context) -> bool {
        match self.terms.op(term) {
            Op::Eq | Op::Fp(FpOp::Eq) => self.equality(term, "==", context),
            Op::Bv(op) => return self.bits_in_source(op, term, context),
            Op::Var(_)
            | Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::Bool(_)
            | Op::Ite
            | Op::Fp(_)
            | Op::Array(_) => return false,
        }
        true
    }

    fn bits_in_source(&mut self, op: BvOp, term: TermId, context: Context) -> bool {
        let (signedness, symbol, level) = match op {
            BvOp::Ult => (Signedness::Unsigned, "<", ORDER),
            BvOp::Ule => (Signedness::Unsigned, "<=", ORDER),
            BvOp::Slt => (Signedness::Signed, "<", ORDER),
            BvOp::Sle => (Signedness::Signed, "<=", ORDER),
            BvOp::Udiv => (Signedness::Unsigned, "/", PRODUCT),
            BvOp::Urem => (Signedness::Unsigned, "%", PRODUCT),
            BvOp::Sdiv => (Signedness::Signed, "/", PRODUCT),
            BvOp::Srem => (Signedness::Signed, "%", PRODUCT),
            BvOp::Lshr => (Signedness::Unsigned, ">>", SHIFT),
            BvOp::Ashr => (Signedness::Signed, ">>", SHIFT),
            BvOp::ZeroExtend { .. } => {
                self.extension(term, Signedness::Unsigned, context);
                return true;
            }
            BvOp::SignExtend { .. } => {
                self.extension(term, Signedness::Signed, context);
                return true;
            }
            BvOp::Extract { hi, lo } => {
                self.slice(term, hi, lo, context);
                return true;
            }
            BvOp::AddOverflow(signedness) => {
                self.overflow(term, " + ", signedness, context);
                return true;
            }
            BvOp::SubOverflow(signedness) => {
                self.overflow(term, " - ", signedness, context);
                return true;
            }
            BvOp::MulOverflow(signedness) => {
                self.overflow(term, " * ", signedness, context);
                return true;
            }
            BvOp::NegOverflow => {
                self.overflow(term, "-", Signedness::Signed, context);
                return true;
            }
            BvOp::Neg
            | BvOp::Not
            | BvOp::Add
            | BvOp::Sub
            | BvOp::Mul
            | BvOp::Smod
            | BvOp::And
            | BvOp::Or
            | BvOp::Xor
            | BvOp::Shl
            | BvOp::Concat => return false,
        };
        self.with_sign(term, signedness, symbol, level, context);
        true
    }

    /// `a == b`, with the number on the right and written like what it is compared with.
    pub(super) fn equality(&mut self, term: TermId, symbol: &str, context: Context) {
        let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let (left, right) = if is_number(self.terms, a) { (b, a) } else { (a, b) };
        let reading = match notation(self.terms, left, 0) {
            Notation::Unknown => reading(notation(self.terms, right, 0)),
            known @ (Notation::Number(_) | Notation::Character(_)) => reading(known),
        };
        let is_open = self.open(EQUALITY, context);
        self.term(left, Self::below(context, EQUALITY, reading));
        self.text.push_str(&format!(" {symbol} "));
        self.term(right, Self::below(context, EQUALITY + 1, reading));
        self.close(is_open);
    }

    /// An operator whose sign C takes from its operands. Comparisons have a number on the right.
    fn with_sign(
        &mut self,
        term: TermId,
        signedness: Signedness,
        symbol: &str,
        level: u8,
        context: Context,
    ) {
        let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let is_turned = level == ORDER && is_number(self.terms, a);
        let (left, right) = if is_turned { (b, a) } else { (a, b) };
        let symbol = match (is_turned, symbol) {
            (true, "<") => ">",
            (true, "<=") => ">=",
            (true | false, symbol) => symbol,
        };
        let is_character = level == ORDER
            && [left, right].iter().any(|side| notation(self.terms, *side, 0).is_character());
        let reading = match signedness {
            signedness if is_character => Reading::Character(signedness),
            Signedness::Signed => Reading::Signed,
            Signedness::Unsigned => Reading::Unsigned,
        };
        let is_open = self.open(level, context);
        self.operand(left, signedness, Self::below(context, level, reading));
        if let Some(bound) = self.letter_bound(right, symbol, reading) {
            self.text.push_str(&bound);
            self.close(is_open);
            return;
        }
        self.text.push_str(&format!(" {symbol} "));
        let after = Self::below(context, level + 1, reading);
        // Only the number that is shifted has a sign.
        if level == SHIFT {
            self.term(right, after);
        } else {
            self.operand(right, signedness, after);
        }
        self.close(is_open);
    }

    /// ` >= 'a'` where simplification left what is before the letter, which reads oddly.
    fn letter_bound(&self, bound: TermId, symbol: &str, reading: Reading) -> Option<String> {
        let (Reading::Character(_), Op::BvConst(bits)) = (reading, self.terms.op(bound)) else {
            return None;
        };
        let (symbol, next) = match symbol {
            ">" => (">=", bits.signed().checked_add(1)?),
            "<" => ("<=", bits.signed().checked_sub(1)?),
            _ => return None,
        };
        let is_letter = |code: i128| {
            u8::try_from(code).is_ok_and(|code| code.is_ascii_alphanumeric() || code == b' ')
        };
        let is_better = is_letter(next) && !is_letter(bits.signed());
        Some(format!(" {symbol} {}", character(next).filter(|_| is_better)?))
    }

    /// An operand that is taken for signed or unsigned, whatever it is declared as.
    fn operand(&mut self, term: TermId, signedness: Signedness, context: Context) {
        let declared = notation(self.terms, term, 0).signedness();
        if declared.is_some_and(|declared| declared != signedness) {
            self.conversion(term, self.terms.width(term), signedness, context);
        } else {
            self.term(term, context);
        }
    }

    fn conversion(&mut self, term: TermId, width: u8, signedness: Signedness, context: Context) {
        let is_open = self.open(UNARY, context);
        self.text.push_str(&format!("({})", type_name(width, signedness)));
        self.term(term, Self::below(context, UNARY, Reading::Either));
        self.close(is_open);
    }

    /// A wider number of the same value needs no words.
    fn extension(&mut self, term: TermId, signedness: Signedness, context: Context) {
        let inner = self.terms.arg(term, 0);
        let declared = notation(self.terms, inner, 0).signedness();
        if declared.is_some_and(|declared| declared != signedness) {
            self.conversion(inner, self.terms.width(inner), signedness, context);
        } else {
            self.term(inner, context);
        }
    }

    /// Some bits of a number: a conversion to a smaller type, or a shift and a mask.
    fn slice(&mut self, term: TermId, hi: u8, lo: u8, context: Context) {
        let inner = self.terms.arg(term, 0);
        let (width, whole) = (hi - lo + 1, self.terms.width(inner));
        if lo == 0 && matches!(width, 8 | 16 | 32 | 64) {
            let signedness = match context.reading {
                Reading::Signed | Reading::Character(Signedness::Signed) => Signedness::Signed,
                Reading::Unsigned | Reading::Character(Signedness::Unsigned) | Reading::Either => {
                    Signedness::Unsigned
                }
            };
            self.conversion(inner, width, signedness, context);
            return;
        }
        let is_top = hi + 1 == whole;
        let is_open = self.open(if is_top { SHIFT } else { BIT_AND }, context);
        if lo > 0 {
            // Bit operators beside others have parentheses, as everywhere here.
            let level = if is_top { SHIFT } else { UNARY };
            let is_inner_open = self.open(SHIFT, Self::below(context, level, Reading::Either));
            self.operand(inner, Signedness::Unsigned, Self::below(context, SHIFT, Reading::Either));
            self.text.push_str(&format!(" >> {lo}"));
            self.close(is_inner_open);
        } else {
            self.term(inner, Self::below(context, UNARY, Reading::Either));
        }
        if !is_top {
            let mask = u128::MAX >> (128 - u32::from(width));
            let mask = if mask < 10 { mask.to_string() } else { format!("{mask:#x}") };
            self.text.push_str(&format!(" & {mask}"));
        }
        self.close(is_open);
    }

    fn overflow(&mut self, term: TermId, symbol: &str, signedness: Signedness, context: Context) {
        let (what, reading) = match signedness {
            Signedness::Signed => ("overflows(", Reading::Signed),
            Signedness::Unsigned => ("wraps(", Reading::Unsigned),
        };
        self.text.push_str(what);
        let args = self.terms.args(term).to_vec();
        for (position, &arg) in args.iter().enumerate() {
            if position > 0 || args.len() == 1 {
                self.text.push_str(symbol);
            }
            let level = if position > 0 || args.len() == 1 { UNARY } else { PRODUCT };
            self.term(arg, Self::below(context, level, reading));
        }
        self.text.push(')');
    }
}

fn is_number(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::BvConst(_) | Op::FloatConst(_))
}

fn reading(notation: Notation) -> Reading {
    match notation {
        Notation::Unknown => Reading::Either,
        Notation::Number(Signedness::Signed) => Reading::Signed,
        Notation::Number(Signedness::Unsigned) => Reading::Unsigned,
        Notation::Character(signedness) => Reading::Character(signedness),
    }
}

/// How the numbers of a term are written: as its variables are, where they agree. C makes a number of both kinds
/// unsigned.
fn notation(terms: &Terms, term: TermId, depth: u32) -> Notation {
    if depth > MAX_LOOK {
        return Notation::Unknown;
    }
    let of = |position| notation(terms, terms.arg(term, position), depth + 1);
    match terms.op(term) {
        Op::Var(var) => terms.notation(var),
        // What is never negative is the same in both readings.
        Op::Bv(BvOp::ZeroExtend { .. }) => match of(0) {
            known @ Notation::Character(Signedness::Unsigned) => known,
            Notation::Unknown | Notation::Number(_) | Notation::Character(_) => Notation::Unknown,
        },
        Op::Bv(BvOp::SignExtend { .. }) => match of(0) {
            known @ Notation::Character(Signedness::Signed) => known,
            Notation::Unknown | Notation::Number(_) | Notation::Character(_) => {
                Notation::Number(Signedness::Signed)
            }
        },
        Op::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Lshr) => Notation::Number(Signedness::Unsigned),
        Op::Bv(BvOp::Sdiv | BvOp::Srem | BvOp::Ashr) => Notation::Number(Signedness::Signed),
        Op::Bv(BvOp::Neg | BvOp::Not | BvOp::Shl) => as_number(of(0)),
        Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor) => {
            as_number(both(of(0), of(1)))
        }
        Op::Ite => both(of(1), of(2)),
        Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::Bool(_)
        | Op::Eq
        | Op::Bv(_)
        | Op::Fp(_)
        | Op::Array(_) => Notation::Unknown,
    }
}

/// What is computed with characters is a number.
fn as_number(notation: Notation) -> Notation {
    notation.signedness().map_or(Notation::Unknown, Notation::Number)
}

fn both(a: Notation, b: Notation) -> Notation {
    match (a, b) {
        (Notation::Unknown, known) | (known, Notation::Unknown) => known,
        (a, b) if a == b => a,
        (a, b) => {
            let is_unsigned = [a, b].iter().any(|n| n.signedness() == Some(Signedness::Unsigned));
            Notation::Number(if is_unsigned { Signedness::Unsigned } else { Signedness::Signed })
        }
    }
}

/// A type of C of this width.
fn type_name(width: u8, signedness: Signedness) -> &'static str {
    match (width, signedness) {
        (0..=8, Signedness::Signed) => "signed char",
        (0..=8, Signedness::Unsigned) => "unsigned char",
        (9..=16, Signedness::Signed) => "short",
        (9..=16, Signedness::Unsigned) => "unsigned short",
        (17..=32, Signedness::Signed) => "int",
        (17..=32, Signedness::Unsigned) => "unsigned",
        (33.., Signedness::Signed) => "long",
        (33.., Signedness::Unsigned) => "unsigned long",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::source_text;
    use crate::sort::Sort;
    use Signedness::{Signed, Unsigned};

    fn var(terms: &mut Terms, name: &str, width: u8, notation: Notation) -> TermId {
        let variable = terms.fresh_var(name, Sort::Bv(width));
        terms.set_notation(variable, notation);
        variable
    }

    #[track_caller]
    fn check(
        width: u8,
        notation: Notation,
        build: impl Fn(&mut Terms, TermId) -> TermId,
        expected: &str,
    ) {
        let mut terms = Terms::new();
        let x = var(&mut terms, "x", width, notation);
        let term = build(&mut terms, x);
        assert_eq!(source_text(&terms, term), expected);
    }

    #[test]
    fn unsigned_numbers_are_written_as_such() {
        let unsigned = Notation::Number(Unsigned);
        let bound = |t: &mut Terms, x| {
            let bound = t.bv_u(3_000_000_000, 32);
            t.bv_ult(bound, x)
        };
        check(32, unsigned, bound, "x > 3000000000");
        let equal = |t: &mut Terms, x| {
            let number = t.bv_u(201, 8);
            t.eq(x, number)
        };
        check(8, unsigned, equal, "x == 201");
        check(8, Notation::Number(Signed), equal, "x == -55");
    }

    #[test]
    fn a_sign_that_is_not_the_variables_own_is_a_conversion() {
        let below = |t: &mut Terms, x| {
            let bound = t.bv_u(4_294_966_696, 32);
            t.bv_ult(x, bound)
        };
        check(32, Notation::Number(Signed), below, "(unsigned)x < 4294966696");
        let negative = |t: &mut Terms, x| {
            let zero = t.bv_u(0, 32);
            t.bv_slt(x, zero)
        };
        check(32, Notation::Number(Unsigned), negative, "(int)x < 0");
        check(32, Notation::Unknown, below, "x < 4294966696");
    }

    #[test]
    fn characters_are_characters() {
        let equal = |code: u128| {
            move |t: &mut Terms, x| {
                let number = t.bv_u(code, 8);
                t.eq(x, number)
            }
        };
        let character = Notation::Character(Signed);
        check(8, character, equal(115), "x == 's'");
        check(8, character, equal(10), "x == '\\n'");
        check(8, character, equal(0), "x == '\\0'");
        check(8, character, equal(39), "x == '\\''");
        check(8, character, equal(200), "x == -56");
        let wide = |t: &mut Terms, x| {
            let wide = t.bv_sign_extend(32, x);
            let letter = t.bv_u(97, 32);
            t.bv_sle(letter, wide)
        };
        check(8, character, wide, "x >= 'a'");
    }

    #[test]
    fn bits_are_shifts_and_masks() {
        let unsigned = Notation::Number(Unsigned);
        let slice = |hi: u8, lo: u8| {
            move |t: &mut Terms, x| {
                let part = t.intern(BvOp::Extract { hi, lo }, &[x]);
                let zero = t.bv_u(0, hi - lo + 1);
                t.intern(Op::Eq, &[part, zero])
            }
        };
        check(8, unsigned, slice(0, 0), "(x & 1) == 0");
        check(8, unsigned, slice(2, 1), "((x >> 1) & 3) == 0");
        check(8, unsigned, slice(7, 1), "x >> 1 == 0");
        check(32, unsigned, slice(7, 0), "(unsigned char)x == 0");
        check(32, Notation::Number(Signed), slice(31, 4), "(unsigned)x >> 4 == 0");
        check(32, unsigned, slice(11, 0), "(x & 0xfff) == 0");
    }
}
