//! A naive evaluator of bit-vector and boolean terms, written from the operators' comments, and a
//! generator of random formulas. It shares no code with the engines or with `terms::eval`.

pub(crate) mod campaign;

use glassbox_terms::family::BV_COMBINE;
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms};
use glassbox_testkit::Random;
use glassbox_values::Signedness;

pub(crate) fn width(terms: &Terms, term: TermId) -> u32 {
    match terms.sort(term) {
        Sort::Bool => 1,
        Sort::Bv(width) => u32::from(width),
        Sort::Float(_) | Sort::Array { .. } => panic!("neither floats nor arrays here"),
    }
}

pub(crate) fn signed(value: u128, width: u32) -> i128 {
    let value = i128::try_from(value).expect("small widths only");
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

/// The value of a term read with the signedness.
pub(crate) fn read(terms: &Terms, term: TermId, value: u128, signedness: Signedness) -> i128 {
    match signedness {
        Signedness::Unsigned => i128::try_from(value).expect("small widths only"),
        Signedness::Signed => signed(value, width(terms, term)),
    }
}

/// The values of all terms of the arena (booleans as 0 and 1) under values of the variables, given by
/// variable index.
pub(crate) fn evaluate(terms: &Terms, inputs: &[u128], all: &[TermId]) -> Vec<u128> {
    let mut values: Vec<u128> = Vec::with_capacity(all.len());
    for &term in all {
        let v: Vec<u128> = terms.args(term).iter().map(|arg| values[arg.index()]).collect();
        let value = apply(terms, term, &v, inputs);
        values.push(value);
    }
    values
}

fn apply(terms: &Terms, term: TermId, v: &[u128], inputs: &[u128]) -> u128 {
    let n = width(terms, term);
    // Width of the first argument, for predicates.
    let w = terms.args(term).first().map_or(n, |arg| width(terms, *arg));
    let s = |position: usize| signed(v[position], w);
    let ones = (1_u128 << n) - 1;
    let cut = |value: i128| u128::try_from(value.rem_euclid(1 << n)).expect("not negative");
    let out = |exact: i128, signedness: Signedness| {
        let (lo, hi) = match signedness {
            Signedness::Signed => (-(1 << (w - 1)), (1 << (w - 1)) - 1),
            Signedness::Unsigned => (0, (1 << w) - 1),
        };
        u128::from(!(lo <= exact && exact <= hi))
    };
    let of = |position: usize, signedness| match signedness {
        Signedness::Signed => s(position),
        Signedness::Unsigned => i128::try_from(v[position]).expect("small"),
    };
    let u = |position: usize| i128::try_from(v[position]).expect("small");
    match terms.op(term) {
        Op::Var(var) => inputs[var.index()],
        Op::True => 1,
        Op::False => 0,
        Op::BvConst(bits) => bits.unsigned(),
        Op::Bool(BoolOp::Not) => 1 - v[0],
        Op::Bool(BoolOp::And) => u128::from(v.iter().all(|x| *x == 1)),
        Op::Bool(BoolOp::Or) => u128::from(v.contains(&1)),
        Op::Bool(BoolOp::Xor) => v[0] ^ v[1],
        Op::Eq => u128::from(v[0] == v[1]),
        Op::Ite => v[if v[0] == 1 { 1 } else { 2 }],
        Op::Bv(op) => match op {
            BvOp::Neg => cut(-u(0)),
            BvOp::Not => cut(-1 - u(0)),
            BvOp::Add => cut(u(0) + u(1)),
            BvOp::Sub => cut(u(0) - u(1)),
            BvOp::Mul => v[0].wrapping_mul(v[1]) & ones,
            BvOp::Udiv => v[0].checked_div(v[1]).unwrap_or((1 << n) - 1),
            BvOp::Urem => v[0].checked_rem(v[1]).unwrap_or(v[0]),
            BvOp::Sdiv if v[1] == 0 => cut(if s(0) < 0 { 1 } else { -1 }),
            BvOp::Sdiv => cut(s(0) / s(1)),
            BvOp::Srem if v[1] == 0 => v[0],
            BvOp::Srem => cut(s(0) % s(1)),
            BvOp::Smod if v[1] == 0 => v[0],
            BvOp::Smod => {
                let rest = s(0) % s(1);
                cut(if rest != 0 && (rest < 0) != (s(1) < 0) { rest + s(1) } else { rest })
            }
            BvOp::And => v[0] & v[1],
            BvOp::Or => v[0] | v[1],
            BvOp::Xor => v[0] ^ v[1],
            BvOp::Shl | BvOp::Lshr if v[1] >= u128::from(n) => 0,
            BvOp::Shl => v[0] << v[1] & ones,
            BvOp::Lshr => v[0] >> v[1],
            BvOp::Ashr => cut(s(0) >> v[1].min(100)),
            BvOp::Concat => v[0] << width(terms, terms.arg(term, 1)) | v[1],
            BvOp::Extract { hi, lo } => v[0] >> lo & ((1 << (hi - lo + 1)) - 1),
            BvOp::ZeroExtend { .. } => v[0],
            BvOp::SignExtend { .. } => cut(s(0)),
            BvOp::Ult => u128::from(v[0] < v[1]),
            BvOp::Ule => u128::from(v[0] <= v[1]),
            BvOp::Slt => u128::from(s(0) < s(1)),
            BvOp::Sle => u128::from(s(0) <= s(1)),
            BvOp::AddOverflow(k) => out(of(0, k) + of(1, k), k),
            BvOp::SubOverflow(k) => out(of(0, k) - of(1, k), k),
            BvOp::MulOverflow(k) => of(0, k).checked_mul(of(1, k)).map_or(1, |exact| out(exact, k)),
            BvOp::NegOverflow => out(-s(0), Signedness::Signed),
        },
        Op::FloatConst(_) | Op::Fp(_) | Op::Array(_) => panic!("neither floats nor arrays here"),
    }
}

/// Random terms over a fixed set of variables.
#[derive(Debug)]
pub(crate) struct Generator {
    pub(crate) terms: Terms,
    pub(crate) all: Vec<TermId>,
    pub(crate) variables: Vec<TermId>,
    /// The widths that comparisons are made at.
    compared: Vec<u8>,
    widest: u8,
}

impl Generator {
    /// Variables of the given widths; 0 makes a boolean.
    pub(crate) fn new(widths: &[u8], compared: &[u8]) -> Generator {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = widths
            .iter()
            .enumerate()
            .map(|(i, w)| {
                let sort = if *w == 0 { Sort::Bool } else { Sort::Bv(*w) };
                terms.fresh_var(format!("v{i}"), sort)
            })
            .collect();
        let all = variables.clone();
        let widest = compared.iter().copied().max().expect("some width");
        Generator { terms, all, variables, compared: compared.to_vec(), widest }
    }

    fn keep(&mut self, term: TermId) -> TermId {
        if term.index() >= self.all.len() {
            assert_eq!(term.index(), self.all.len(), "terms come one at a time");
            self.all.push(term);
        }
        term
    }

    pub(crate) fn make(&mut self, op: impl Into<Op>, args: &[TermId]) -> TermId {
        let term = self.terms.intern(op, args);
        self.keep(term)
    }

    fn constant(&mut self, random: &mut Random, width: u8) -> TermId {
        // Small numbers of both signs are more telling than random ones.
        let value = if random.below(2) == 0 {
            u128::from(random.draw())
        } else {
            random.range(-9_i128, 9).cast_unsigned()
        };
        self.make(Op::BvConst(glassbox_values::Bits::new(value, width)), &[])
    }

    pub(crate) fn bv(&mut self, random: &mut Random, width: u8, depth: usize) -> TermId {
        let fitting: Vec<TermId> = self
            .variables
            .iter()
            .copied()
            .filter(|v| self.terms.sort(*v) == Sort::Bv(width))
            .collect();
        if depth == 0 || random.below(6) == 0 {
            return if fitting.is_empty() || random.below(4) == 0 {
                self.constant(random, width)
            } else {
                fitting[random.below(fitting.len())]
            };
        }
        // What programs compute most comes twice.
        let often = [BvOp::Add, BvOp::Sub, BvOp::Mul].map(Op::Bv);
        let binary: Vec<Op> = often.into_iter().chain(BV_COMBINE).collect();
        match random.below(14) {
            0 => {
                let a = self.bv(random, width, depth - 1);
                self.make(
                    if random.below(2) == 0 { Op::Bv(BvOp::Neg) } else { Op::Bv(BvOp::Not) },
                    &[a],
                )
            }
            1 | 2 => {
                let c = self.boolean(random, depth - 1);
                let (a, b) = (self.bv(random, width, depth - 1), self.bv(random, width, depth - 1));
                self.make(Op::Ite, &[c, a, b])
            }
            3 if width > 1 => {
                let narrow = 1 + u8::try_from(random.below(usize::from(width) - 1)).expect("small");
                let a = self.bv(random, narrow, depth - 1);
                let op = if random.below(2) == 0 {
                    Op::Bv(BvOp::ZeroExtend { width })
                } else {
                    Op::Bv(BvOp::SignExtend { width })
                };
                self.make(op, &[a])
            }
            4 if width < self.widest => {
                let wide =
                    (width + 1 + u8::try_from(random.below(2)).expect("small")).min(self.widest);
                let lo = u8::try_from(random.below(usize::from(wide - width) + 1)).expect("small");
                let a = self.bv(random, wide, depth - 1);
                self.make(BvOp::Extract { hi: lo + width - 1, lo }, &[a])
            }
            5 if width > 1 => {
                let low = 1 + u8::try_from(random.below(usize::from(width) - 1)).expect("small");
                let (a, b) =
                    (self.bv(random, width - low, depth - 1), self.bv(random, low, depth - 1));
                self.make(BvOp::Concat, &[a, b])
            }
            _ => {
                let op = binary[random.below(binary.len())];
                let (a, b) = (self.bv(random, width, depth - 1), self.bv(random, width, depth - 1));
                self.make(op, &[a, b])
            }
        }
    }

    pub(crate) fn boolean(&mut self, random: &mut Random, depth: usize) -> TermId {
        use Signedness::{Signed, Unsigned};
        let fitting: Vec<TermId> =
            self.variables.iter().copied().filter(|v| self.terms.sort(*v) == Sort::Bool).collect();
        if depth > 0 && random.below(3) == 0 {
            let (a, b) = (self.boolean(random, depth - 1), self.boolean(random, depth - 1));
            return match random.below(6) {
                0 => self.make(BoolOp::Not, &[a]),
                1 => self.make(BoolOp::And, &[a, b]),
                2 => self.make(BoolOp::Or, &[a, b]),
                3 => self.make(BoolOp::Xor, &[a, b]),
                4 => self.make(Op::Eq, &[a, b]),
                _ => {
                    let c = self.boolean(random, depth - 1);
                    self.make(Op::Ite, &[a, b, c])
                }
            };
        }
        if !fitting.is_empty() && random.below(8) == 0 {
            return fitting[random.below(fitting.len())];
        }
        let width = self.compared[random.below(self.compared.len())];
        let (a, b) = (self.bv(random, width, depth), self.bv(random, width, depth));
        let ops = [
            Op::Eq,
            Op::Eq,
            Op::Eq,
            Op::Bv(BvOp::Ult),
            Op::Bv(BvOp::Ule),
            Op::Bv(BvOp::Slt),
            Op::Bv(BvOp::Sle),
            Op::Bv(BvOp::AddOverflow(Signed)),
            Op::Bv(BvOp::AddOverflow(Unsigned)),
            Op::Bv(BvOp::SubOverflow(Signed)),
            Op::Bv(BvOp::SubOverflow(Unsigned)),
            Op::Bv(BvOp::MulOverflow(Signed)),
            Op::Bv(BvOp::MulOverflow(Unsigned)),
        ];
        let op = ops[random.below(ops.len())];
        let compared = if random.below(20) == 0 {
            self.make(BvOp::NegOverflow, &[a])
        } else {
            self.make(op, &[a, b])
        };
        if random.below(3) == 0 { self.make(BoolOp::Not, &[compared]) } else { compared }
    }
}
