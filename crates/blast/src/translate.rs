//! From terms to words of literals: the memo and the dispatch over operators.

use glassbox_terms::{Op, Sort, TermId, Terms, VarId};
use glassbox_values::Format;

use crate::array::{Arrays, fresh_element, fresh_equality};
use crate::blaster::Reason;
use crate::circuit::Circuit;
use crate::float::number::{canonical, is_infinite, is_nan, is_zero};
use crate::lit::{Lit, Word, constant_word};
use crate::op;
use crate::op::fp_rem::Quotient;
use crate::polynomial::{Equation, equation};

/// Literals of all words together: words that need no gates (slices, extensions) take memory too.
const MAX_POOL: usize = 1 << 26;

/// The words of the terms met so far.
#[derive(Debug, Default)]
pub(crate) struct Words {
    // By term: where in `pool` its word is. Arrays have the empty word.
    spans: Vec<Option<(u32, u32)>>,
    pool: Vec<Lit>,
    // By variable: its input bits, before a float's NaNs are made one.
    variables: Vec<Option<Word>>,
}

impl Words {
    /// The word of a term that has been translated.
    pub(crate) fn word(&self, term: TermId) -> &[Lit] {
        let (start, len) = self.spans[term.index()].expect("arguments are translated first");
        &self.pool[start as usize..start as usize + len as usize]
    }

    /// The literal of a boolean term that has been translated.
    pub(crate) fn literal(&self, term: TermId) -> Lit {
        self.word(term)[0]
    }

    pub(crate) fn variable(&self, var: VarId) -> Option<&[Lit]> {
        self.variables.get(var.index())?.as_deref()
    }

    pub(crate) fn contains(&self, term: TermId) -> bool {
        self.spans.get(term.index()).is_some_and(Option::is_some)
    }

    fn remember(&mut self, term: TermId, word: &[Lit]) {
        let start = u32::try_from(self.pool.len()).expect("the gate limit bounds the pool");
        let len = u32::try_from(word.len()).expect("words are short");
        self.pool.extend_from_slice(word);
        if self.spans.len() <= term.index() {
            self.spans.resize(term.index() + 1, None);
        }
        self.spans[term.index()] = Some((start, len));
    }

    fn remember_variable(&mut self, var: VarId, word: Word) {
        if self.variables.len() <= var.index() {
            self.variables.resize(var.index() + 1, None);
        }
        self.variables[var.index()] = Some(word);
    }
}

/// Translates `root` and all its subterms that are new.
pub(crate) fn translate(
    circuit: &mut Circuit,
    words: &mut Words,
    arrays: &mut Arrays,
    terms: &Terms,
    root: TermId,
) -> Result<(), Reason> {
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if words.contains(term) {
            let _ = stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(terms.args(term).iter().copied().filter(|&arg| !words.contains(arg)));
        if stack.len() > before {
            continue;
        }
        let _ = stack.pop();
        let mark = circuit.mark();
        let word = if is_about_arrays(terms, term) {
            apply_array(circuit, words, arrays, terms, term)
        } else {
            apply(circuit, words, terms, term)
        };
        if circuit.overflowed() || words.pool.len() > MAX_POOL {
            let is_stopped = circuit.is_stopped();
            circuit.roll_back(mark);
            return Err(if is_stopped { Reason::Stopped } else { Reason::TooLarge });
        }
        words.remember(term, &word);
    }
    Ok(())
}

fn variable(circuit: &mut Circuit, words: &mut Words, sort: Sort, var: VarId) -> Word {
    let width = sort.scalar().map_or(0, |scalar| usize::from(scalar.width()));
    let word = circuit.input_word(width);
    words.remember_variable(var, word.clone());
    match sort {
        Sort::Float(format) => canonical(circuit, format, &word),
        Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => word,
    }
}

/// The word of a term whose arguments have theirs.
fn apply(circuit: &mut Circuit, words: &mut Words, terms: &Terms, term: TermId) -> Word {
    let op = terms.op(term);
    if let Op::Var(var) = op {
        return variable(circuit, words, terms.sort(term), var);
    }
    let args = terms.args(term);
    let arg = |position: usize| words.word(args[position]);
    let c = circuit;
    match op {
        Op::Var(_) => unreachable!("handled above"),
        Op::True => vec![Lit::TRUE],
        Op::False => vec![Lit::FALSE],
        Op::BvConst(bits) => constant_word(bits.unsigned(), usize::from(bits.width())),
        Op::Not => vec![!arg(0)[0]],
        Op::And | Op::Or => {
            let lits: Word = args.iter().map(|&arg| words.literal(arg)).collect();
            vec![if op == Op::And { c.and_all(&lits) } else { c.or_all(&lits) }]
        }
        Op::Xor => vec![c.xor(arg(0)[0], arg(1)[0])],
        Op::Eq => vec![equality(c, words, terms, args[0], args[1])],
        Op::Ite => op::ite::ite(c, arg(0)[0], arg(1), arg(2)),
        Op::BvNeg => op::neg::neg(c, arg(0)),
        Op::BvNot => op::bitwise::not(arg(0)),
        Op::BvAdd => op::add::add(c, arg(0), arg(1)),
        Op::BvSub => op::sub::sub(c, arg(0), arg(1)),
        Op::BvMul => op::mul::mul(c, arg(0), arg(1)),
        Op::BvUdiv => op::udiv::udiv_urem(c, arg(0), arg(1)).0,
        Op::BvUrem => op::udiv::udiv_urem(c, arg(0), arg(1)).1,
        Op::BvSdiv => op::sdiv::sdiv(c, arg(0), arg(1)),
        Op::BvSrem => op::srem::srem(c, arg(0), arg(1)),
        Op::BvSmod => op::smod::smod(c, arg(0), arg(1)),
        Op::BvAnd => op::bitwise::and(c, arg(0), arg(1)),
        Op::BvOr => op::bitwise::or(c, arg(0), arg(1)),
        Op::BvXor => op::bitwise::xor(c, arg(0), arg(1)),
        Op::BvShl => op::shift::shl(c, arg(0), arg(1)),
        Op::BvLshr => op::shift::lshr(c, arg(0), arg(1)),
        Op::BvAshr => op::shift::ashr(c, arg(0), arg(1)),
        Op::BvConcat => op::slice::concat(arg(0), arg(1)),
        Op::BvExtract { hi, lo } => op::slice::extract(arg(0), usize::from(hi), usize::from(lo)),
        Op::BvZeroExtend { width } => op::slice::zero_extend(arg(0), usize::from(width)),
        Op::BvSignExtend { width } => op::slice::sign_extend(arg(0), usize::from(width)),
        Op::BvUlt => vec![op::compare::ult(c, arg(0), arg(1))],
        Op::BvUle => vec![op::compare::ule(c, arg(0), arg(1))],
        Op::BvSlt => vec![op::compare::slt(c, arg(0), arg(1))],
        Op::BvSle => vec![op::compare::sle(c, arg(0), arg(1))],
        Op::BvAddOverflow(sign) => vec![op::overflow::add_overflows(c, sign, arg(0), arg(1))],
        Op::BvSubOverflow(sign) => vec![op::overflow::sub_overflows(c, sign, arg(0), arg(1))],
        Op::BvMulOverflow(sign) => vec![op::overflow::mul_overflows(c, sign, arg(0), arg(1))],
        Op::BvNegOverflow => vec![op::overflow::neg_overflows(c, arg(0))],
        Op::FloatConst(_)
        | Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpFma(_)
        | Op::FpSqrt(_)
        | Op::FpRem
        | Op::FpFmod
        | Op::FpRoundToIntegral(_)
        | Op::FpMin
        | Op::FpMax
        | Op::FpAbs
        | Op::FpNeg
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsZero
        | Op::FpIsInfinite
        | Op::FpIsNan
        | Op::FpIsNegative
        | Op::FpIsPositive
        | Op::FpToFp { .. }
        | Op::FpFromBits(_)
        | Op::FpFromInt { .. }
        | Op::FpToInt { .. }
        | Op::FpToBits => apply_float(c, words, terms, term),
        Op::Select | Op::Store | Op::ConstArray { .. } => unreachable!("about arrays"),
    }
}

/// Equality of scalars; sums and products may cancel.
fn equality(c: &mut Circuit, words: &Words, terms: &Terms, a: TermId, b: TermId) -> Lit {
    let (left, right) = (words.word(a), words.word(b));
    if !matches!(terms.sort(a), Sort::Bv(_)) {
        return op::equal::equal(c, left, right);
    }
    match equation(terms, a, b) {
        Equation::Always => Lit::TRUE,
        Equation::Never => Lit::FALSE,
        Equation::Plain => op::equal::equal(c, left, right),
        Equation::Linear { coefficients, constant } => {
            let width = left.len();
            let mut sum = constant_word(0, width);
            for (term, factor) in coefficients {
                let product = op::mul::mul(c, words.word(term), &constant_word(factor, width));
                sum = op::add::add(c, &sum, &product);
            }
            op::equal::equal(c, &sum, &constant_word(constant, width))
        }
    }
}

/// An array, or a scalar that speaks of one.
fn is_about_arrays(terms: &Terms, term: TermId) -> bool {
    let is_array = |term: TermId| terms.sort(term).scalar().is_none();
    is_array(term) || terms.args(term).first().is_some_and(|&arg| is_array(arg))
}

/// Arrays have the empty word; `array::Graph` reads their terms when a question is asked.
fn apply_array(
    circuit: &mut Circuit,
    words: &mut Words,
    arrays: &mut Arrays,
    terms: &Terms,
    term: TermId,
) -> Word {
    arrays.are_used = true;
    match (terms.op(term), terms.sort(terms.args(term).first().copied().unwrap_or(term))) {
        (Op::Var(var), _) => {
            words.remember_variable(var, Word::new());
            Word::new()
        }
        (Op::Select, Sort::Array { element, .. }) => fresh_element(circuit, element),
        (Op::Eq, Sort::Array { index, element }) => {
            let (equal, witness) = fresh_equality(circuit, index, element);
            let _ = arrays.witnesses.insert(term, witness);
            vec![equal]
        }
        (Op::Store | Op::ConstArray { .. } | Op::Ite, _) => Word::new(),
        (op, _) => unreachable!("{op:?} is not about arrays"),
    }
}

/// The word of a float operator's term.
fn apply_float(c: &mut Circuit, words: &Words, terms: &Terms, term: TermId) -> Word {
    let args = terms.args(term);
    let arg = |position: usize| words.word(args[position]);
    // The format of the first argument; the leaves and the conversions from bits have none.
    let format = match args.first().map(|&arg| terms.sort(arg)) {
        Some(Sort::Float(format)) => format,
        Some(Sort::Bool | Sort::Bv(_) | Sort::Array { .. }) | None => Format::F64,
    };
    match terms.op(term) {
        Op::FloatConst(float) => {
            constant_word(u128::from(float.to_bits()), usize::from(float.format().width()))
        }
        Op::FpAdd(mode) => op::fp_add::fp_add(c, format, mode, arg(0), arg(1)),
        Op::FpSub(mode) => op::fp_add::fp_sub(c, format, mode, arg(0), arg(1)),
        Op::FpMul(mode) => op::fp_mul::fp_mul(c, format, mode, arg(0), arg(1)),
        Op::FpDiv(mode) => op::fp_div::fp_div(c, format, mode, arg(0), arg(1)),
        Op::FpFma(mode) => op::fp_fma::fp_fma(c, format, mode, [arg(0), arg(1), arg(2)]),
        Op::FpSqrt(mode) => op::fp_sqrt::fp_sqrt(c, format, mode, arg(0)),
        Op::FpRem => op::fp_rem::fp_rem(c, format, Quotient::NearestEven, arg(0), arg(1)),
        Op::FpFmod => op::fp_rem::fp_rem(c, format, Quotient::Truncated, arg(0), arg(1)),
        Op::FpRoundToIntegral(mode) => {
            op::fp_round_to_integral::fp_round_to_integral(c, format, mode, arg(0))
        }
        Op::FpMin => op::fp_compare::fp_min(c, format, arg(0), arg(1)),
        Op::FpMax => op::fp_compare::fp_max(c, format, arg(0), arg(1)),
        Op::FpAbs => op::fp_sign::fp_abs(arg(0)),
        Op::FpNeg => op::fp_sign::fp_neg(c, format, arg(0)),
        Op::FpEq => vec![op::fp_compare::fp_eq(c, format, arg(0), arg(1))],
        Op::FpLt => vec![op::fp_compare::fp_lt(c, format, arg(0), arg(1))],
        Op::FpLe => vec![op::fp_compare::fp_le(c, format, arg(0), arg(1))],
        Op::FpIsNormal => vec![op::fp_classify::is_normal(c, format, arg(0))],
        Op::FpIsSubnormal => vec![op::fp_classify::is_subnormal(c, format, arg(0))],
        Op::FpIsZero => vec![is_zero(c, arg(0))],
        Op::FpIsInfinite => vec![is_infinite(c, format, arg(0))],
        Op::FpIsNan => vec![is_nan(c, format, arg(0))],
        Op::FpIsNegative => vec![op::fp_classify::is_negative(c, format, arg(0))],
        Op::FpIsPositive => vec![op::fp_classify::is_positive(c, format, arg(0))],
        Op::FpToFp { format: to, rounding } => {
            op::fp_convert::fp_to_fp(c, format, to, rounding, arg(0))
        }
        Op::FpFromBits(format) => canonical(c, format, arg(0)),
        Op::FpFromInt { format, rounding, signedness } => {
            op::fp_from_int::fp_from_int(c, format, rounding, signedness, arg(0))
        }
        Op::FpToInt { width, rounding, signedness } => {
            op::fp_to_int::fp_to_int(c, format, rounding, signedness, usize::from(width), arg(0))
        }
        Op::FpToBits => arg(0).to_vec(),
        op => unreachable!("{op:?} is no float operator"),
    }
}
