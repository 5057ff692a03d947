//! From terms to words of literals: the memo and the dispatch over operators.

use glassbox_terms::{ArrayOp, BoolOp, BvOp, FpOp, Op, Sort, TermId, Terms, VarId};
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
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(terms.args(term).iter().copied().filter(|&arg| !words.contains(arg)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let mark = circuit.mark();
        let word = apply(circuit, words, arrays, terms, term);
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

/// The word of a term whose arguments have theirs. Arrays have the empty word; `array::Graph` reads their
/// terms at each check.
fn apply(
    circuit: &mut Circuit,
    words: &mut Words,
    arrays: &mut Arrays,
    terms: &Terms,
    term: TermId,
) -> Word {
    let args = terms.args(term);
    let sort = terms.sort(term);
    arrays.are_used |= sort.scalar().is_none();
    match terms.op(term) {
        Op::Var(var) => variable(circuit, words, sort, var),
        Op::True => vec![Lit::TRUE],
        Op::False => vec![Lit::FALSE],
        Op::BvConst(bits) => constant_word(bits.unsigned(), usize::from(bits.width())),
        Op::FloatConst(float) => {
            constant_word(u128::from(float.to_bits()), usize::from(float.format().width()))
        }
        Op::Bool(op) => {
            let lits: Word = args.iter().map(|&arg| words.literal(arg)).collect();
            vec![match op {
                BoolOp::Not => !lits[0],
                BoolOp::And => circuit.and_all(&lits),
                BoolOp::Or => circuit.or_all(&lits),
                BoolOp::Xor => circuit.xor(lits[0], lits[1]),
            }]
        }
        Op::Eq => match terms.sort(args[0]) {
            Sort::Array { index, element } => {
                let (equal, witness) = fresh_equality(circuit, index, element);
                arrays.witnesses.insert(term, witness);
                vec![equal]
            }
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) => {
                vec![equality(circuit, words, terms, args[0], args[1])]
            }
        },
        // Between arrays the words are empty, and so is the choice.
        Op::Ite => {
            let [condition, then, otherwise] = [args[0], args[1], args[2]].map(|a| words.word(a));
            op::ite::ite(circuit, condition[0], then, otherwise)
        }
        Op::Bv(op) => apply_vector(circuit, words, op, args),
        Op::Fp(op) => apply_float(circuit, words, terms, op, args),
        Op::Array(ArrayOp::Select) => {
            fresh_element(circuit, sort.scalar().expect("arrays hold scalars"))
        }
        Op::Array(ArrayOp::Store | ArrayOp::Const { .. }) => Word::new(),
    }
}

/// The word of a bit-vector operator.
fn apply_vector(c: &mut Circuit, words: &Words, op: BvOp, args: &[TermId]) -> Word {
    let arg = |position: usize| words.word(args[position]);
    match op {
        BvOp::Neg => op::neg::neg(c, arg(0)),
        BvOp::Not => op::bitwise::not(arg(0)),
        BvOp::Add => op::add::add(c, arg(0), arg(1)),
        BvOp::Sub => op::sub::sub(c, arg(0), arg(1)),
        BvOp::Mul => op::mul::mul(c, arg(0), arg(1)),
        BvOp::Udiv => op::udiv::udiv_urem(c, arg(0), arg(1)).0,
        BvOp::Urem => op::udiv::udiv_urem(c, arg(0), arg(1)).1,
        BvOp::Sdiv => op::sdiv::sdiv(c, arg(0), arg(1)),
        BvOp::Srem => op::srem::srem(c, arg(0), arg(1)),
        BvOp::Smod => op::smod::smod(c, arg(0), arg(1)),
        BvOp::And => op::bitwise::and(c, arg(0), arg(1)),
        BvOp::Or => op::bitwise::or(c, arg(0), arg(1)),
        BvOp::Xor => op::bitwise::xor(c, arg(0), arg(1)),
        BvOp::Shl => op::shift::shl(c, arg(0), arg(1)),
        BvOp::Lshr => op::shift::lshr(c, arg(0), arg(1)),
        BvOp::Ashr => op::shift::ashr(c, arg(0), arg(1)),
        BvOp::Concat => op::slice::concat(arg(0), arg(1)),
        BvOp::Extract { hi, lo } => op::slice::extract(arg(0), usize::from(hi), usize::from(lo)),
        BvOp::ZeroExtend { width } => op::slice::zero_extend(arg(0), usize::from(width)),
        BvOp::SignExtend { width } => op::slice::sign_extend(arg(0), usize::from(width)),
        BvOp::Ult => vec![op::compare::ult(c, arg(0), arg(1))],
        BvOp::Ule => vec![op::compare::ule(c, arg(0), arg(1))],
        BvOp::Slt => vec![op::compare::slt(c, arg(0), arg(1))],
        BvOp::Sle => vec![op::compare::sle(c, arg(0), arg(1))],
        BvOp::AddOverflow(sign) => vec![op::overflow::add_overflows(c, sign, arg(0), arg(1))],
        BvOp::SubOverflow(sign) => vec![op::overflow::sub_overflows(c, sign, arg(0), arg(1))],
        BvOp::MulOverflow(sign) => vec![op::overflow::mul_overflows(c, sign, arg(0), arg(1))],
        BvOp::NegOverflow => vec![op::overflow::neg_overflows(c, arg(0))],
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

/// The word of a float operator.
fn apply_float(c: &mut Circuit, words: &Words, terms: &Terms, op: FpOp, args: &[TermId]) -> Word {
    let arg = |position: usize| words.word(args[position]);
    // The format of the first argument; the conversions from bits have none and do not ask.
    let format = match terms.sort(args[0]) {
        Sort::Float(format) => format,
        Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => Format::F64,
    };
    match op {
        FpOp::Add(mode) => op::fp_add::fp_add(c, format, mode, arg(0), arg(1)),
        FpOp::Sub(mode) => op::fp_add::fp_sub(c, format, mode, arg(0), arg(1)),
        FpOp::Mul(mode) => op::fp_mul::fp_mul(c, format, mode, arg(0), arg(1)),
        FpOp::Div(mode) => op::fp_div::fp_div(c, format, mode, arg(0), arg(1)),
        FpOp::Fma(mode) => op::fp_fma::fp_fma(c, format, mode, [arg(0), arg(1), arg(2)]),
        FpOp::Sqrt(mode) => op::fp_sqrt::fp_sqrt(c, format, mode, arg(0)),
        FpOp::Rem => op::fp_rem::fp_rem(c, format, Quotient::NearestEven, arg(0), arg(1)),
        FpOp::Fmod => op::fp_rem::fp_rem(c, format, Quotient::Truncated, arg(0), arg(1)),
        FpOp::RoundToIntegral(mode) => {
            op::fp_round_to_integral::fp_round_to_integral(c, format, mode, arg(0))
        }
        FpOp::Min => op::fp_compare::fp_min(c, format, arg(0), arg(1)),
        FpOp::Max => op::fp_compare::fp_max(c, format, arg(0), arg(1)),
        FpOp::Abs => op::fp_sign::fp_abs(arg(0)),
        FpOp::Neg => op::fp_sign::fp_neg(c, format, arg(0)),
        FpOp::Eq => vec![op::fp_compare::fp_eq(c, format, arg(0), arg(1))],
        FpOp::Lt => vec![op::fp_compare::fp_lt(c, format, arg(0), arg(1))],
        FpOp::Le => vec![op::fp_compare::fp_le(c, format, arg(0), arg(1))],
        FpOp::IsNormal => vec![op::fp_classify::is_normal(c, format, arg(0))],
        FpOp::IsSubnormal => vec![op::fp_classify::is_subnormal(c, format, arg(0))],
        FpOp::IsZero => vec![is_zero(c, arg(0))],
        FpOp::IsInfinite => vec![is_infinite(c, format, arg(0))],
        FpOp::IsNan => vec![is_nan(c, format, arg(0))],
        FpOp::IsNegative => vec![op::fp_classify::is_negative(c, format, arg(0))],
        FpOp::IsPositive => vec![op::fp_classify::is_positive(c, format, arg(0))],
        FpOp::ToFp { format: to, rounding } => {
            op::fp_convert::fp_to_fp(c, format, to, rounding, arg(0))
        }
        FpOp::FromBits(format) => canonical(c, format, arg(0)),
        FpOp::FromInt { format, rounding, signedness } => {
            op::fp_from_int::fp_from_int(c, format, rounding, signedness, arg(0))
        }
        FpOp::ToInt { width, rounding, signedness } => {
            op::fp_to_int::fp_to_int(c, format, rounding, signedness, usize::from(width), arg(0))
        }
        FpOp::ToBits => arg(0).to_vec(),
    }
}
