//! `not`, `and`, `or`, `xor`.

use glassbox_values::Bits;
use smallvec::SmallVec;

use crate::intern::{TermId, Terms};
use crate::op::{BoolOp, BvOp, Op};
use crate::sort::Sort;

// A nested connective is opened up while the result has at most so many arguments; without a limit
// a conjunction that grows by one term at a time would take quadratic space.
const FLAT: usize = 16;
// Pairs are looked for in connectives of at most so many arguments.
const PAIRED: usize = 16;

type Args = SmallVec<[TermId; FLAT]>;

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::True => self.bool_const(false),
            Op::False => self.bool_const(true),
            Op::Bool(BoolOp::Not) => self.arg(a, 0),
            Op::Bv(BvOp::Ult) => self.bv_ule(self.arg(a, 1), self.arg(a, 0)),
            Op::Bv(BvOp::Ule) => self.bv_ult(self.arg(a, 1), self.arg(a, 0)),
            Op::Bv(BvOp::Slt) => self.bv_sle(self.arg(a, 1), self.arg(a, 0)),
            Op::Bv(BvOp::Sle) => self.bv_slt(self.arg(a, 1), self.arg(a, 0)),
            Op::Bool(BoolOp::Xor) => self.eq(self.arg(a, 0), self.arg(a, 1)),
            Op::Eq => {
                let (x, y) = (self.arg(a, 0), self.arg(a, 1));
                match (self.sort(x), self.as_bv_const(y)) {
                    (Sort::Bool, _) => self.xor(x, y),
                    (Sort::Bv(1), Some(bit)) => {
                        let other = self.bv_const(bit.not());
                        self.eq(x, other)
                    }
                    (Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. }, _) => {
                        self.intern(BoolOp::Not, &[a])
                    }
                }
            }
            _ => self.intern(BoolOp::Not, &[a]),
        }
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool_const(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(truth) = self.as_bool_const(b) {
            return match (self.as_bool_const(a), truth) {
                (Some(other), _) => self.bool_const(other != truth),
                (None, true) => self.not(a),
                (None, false) => a,
            };
        }
        match (self.unary(Op::Bool(BoolOp::Not), a), self.unary(Op::Bool(BoolOp::Not), b)) {
            (Some(a), Some(b)) => return self.xor(a, b),
            (Some(a), None) => return self.eq(a, b),
            (None, Some(b)) => return self.eq(a, b),
            (None, None) => {}
        }
        if self.existing_not(a) == Some(b) {
            return self.bool_const(true);
        }
        self.intern(BoolOp::Xor, &[a, b])
    }

    /// The conjunction of any number of terms; of none it is true.
    pub fn and(&mut self, args: &[TermId]) -> TermId {
        connective(self, Connective::And, args)
    }

    /// The disjunction of any number of terms; of none it is false.
    pub fn or(&mut self, args: &[TermId]) -> TermId {
        connective(self, Connective::Or, args)
    }
}

/// Which of the two connectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl Connective {
    fn op(self) -> Op {
        match self {
            Connective::And => Op::Bool(BoolOp::And),
            Connective::Or => Op::Bool(BoolOp::Or),
        }
    }

    fn dual(self) -> Connective {
        match self {
            Connective::And => Connective::Or,
            Connective::Or => Connective::And,
        }
    }

    /// The truth value that one argument suffices to decide the whole with.
    fn absorbing(self) -> bool {
        self == Connective::Or
    }
}

fn connective(terms: &mut Terms, kind: Connective, given: &[TermId]) -> TermId {
    let Some(mut args) = flatten(terms, kind, given) else {
        return terms.bool_const(kind.absorbing());
    };
    // Each round removes an argument, so there are at most as many as arguments.
    while args.len() <= PAIRED && args.len() > 1 {
        match pair(terms, kind, &args) {
            Pair::None => break,
            Pair::Decided => return terms.bool_const(kind.absorbing()),
            Pair::Replaced { one, other, by } => {
                args.retain(|arg| *arg != one && *arg != other);
                args.push(by);
                match flatten(terms, kind, &args) {
                    Some(again) => args = again,
                    None => return terms.bool_const(kind.absorbing()),
                }
            }
        }
    }
    match args.as_slice() {
        [] => terms.bool_const(!kind.absorbing()),
        [one] => *one,
        [_, _, ..] => terms.intern(kind.op(), &args),
    }
}

/// The arguments sorted, without repetition, neutral elements and nested connectives of the same
/// kind. `None` when an argument or a pair of opposites decides the whole.
fn flatten(terms: &Terms, kind: Connective, given: &[TermId]) -> Option<Args> {
    let mut args = Args::new();
    let mut n_total = given.len();
    for &arg in given {
        match terms.as_bool_const(arg) {
            Some(truth) if truth == kind.absorbing() => return None,
            Some(_) => {}
            None if terms.op(arg) == kind.op() && n_total + terms.args(arg).len() <= FLAT => {
                n_total += terms.args(arg).len();
                args.extend_from_slice(terms.args(arg));
            }
            None => args.push(arg),
        }
    }
    args.sort_unstable();
    args.dedup();
    for &arg in &args {
        // Only terms that exist can be in the list, so none is made to find out. A term and its
        // opposite lead to each other, so the cheaper lookup is enough.
        if let Some(opposite) = terms.existing_not(arg)
            && args.binary_search(&opposite).is_ok()
        {
            return None;
        }
    }
    Some(args)
}

enum Pair {
    None,
    Decided,
    /// Two arguments become one. `other` equals `one` when `by` replaces a single argument.
    Replaced {
        one: TermId,
        other: TermId,
        by: TermId,
    },
}

fn pair(terms: &mut Terms, kind: Connective, args: &Args) -> Pair {
    for &arg in args {
        if let Some(shorter) = absorb(terms, kind, args, arg) {
            return match terms.as_bool_const(shorter) {
                Some(truth) if truth == kind.absorbing() => Pair::Decided,
                Some(_) | None => Pair::Replaced { one: arg, other: arg, by: shorter },
            };
        }
        if let Some((other, by)) = pair_of_comparisons(terms, kind, args, arg) {
            return Pair::Replaced { one: arg, other, by };
        }
    }
    Pair::None
}

// `a & (a | b)` needs only `a`, and `a & (!a | b)` only `a & b`; what is left of `arg`.
fn absorb(terms: &mut Terms, kind: Connective, args: &Args, arg: TermId) -> Option<TermId> {
    let dual = kind.dual();
    if terms.op(arg) != dual.op() || terms.args(arg).len() > PAIRED {
        return None;
    }
    let inner: Args = terms.args(arg).iter().copied().collect();
    if inner.iter().any(|term| args.binary_search(term).is_ok()) {
        return Some(terms.bool_const(!kind.absorbing()));
    }
    let left: Args = inner
        .iter()
        .copied()
        .filter(|&term| {
            terms.existing_not(term).is_none_or(|not| args.binary_search(&not).is_err())
        })
        .collect();
    (left.len() < inner.len()).then(|| connective(terms, dual, &left))
}

// An order comparison beside an equality, its negation or the flipped comparison of the same two
// terms: `a <= b & a != b` is `a < b`, `a <= b & b <= a` is `a = b`, and so on; the duals for `or`.
// The other argument, and what the two become.
fn pair_of_comparisons(
    terms: &mut Terms,
    kind: Connective,
    args: &Args,
    arg: TermId,
) -> Option<(TermId, TermId)> {
    let (strict, loose) = match terms.op(arg) {
        Op::Bv(BvOp::Ule | BvOp::Ult) => (Op::Bv(BvOp::Ult), Op::Bv(BvOp::Ule)),
        Op::Bv(BvOp::Sle | BvOp::Slt) => (Op::Bv(BvOp::Slt), Op::Bv(BvOp::Sle)),
        _ => return None,
    };
    let is_strict = terms.op(arg) == strict;
    let (a, b) = (terms.arg(arg, 0), terms.arg(arg, 1));
    let (x, y) = terms.ordered(a, b);
    let present = |term: Option<TermId>| term.filter(|term| args.binary_search(term).is_ok());
    let equal = terms.lookup(Op::Eq, &[x, y]);
    let different = equal.and_then(|equal| terms.existing_not(equal));
    if let Some(equal) = present(equal) {
        let by = match (kind, is_strict) {
            (Connective::And, true) => terms.bool_const(false),
            (Connective::And, false) => equal,
            (Connective::Or, true) => terms.make(loose, &[a, b]),
            (Connective::Or, false) => arg,
        };
        return Some((equal, by));
    }
    if let Some(different) = present(different) {
        let by = match (kind, is_strict) {
            (Connective::And, true) => arg,
            (Connective::And, false) => terms.make(strict, &[a, b]),
            (Connective::Or, true) => different,
            (Connective::Or, false) => terms.bool_const(true),
        };
        return Some((different, by));
    }
    match (kind, is_strict) {
        (Connective::And, false) => {
            let flipped = present(terms.lookup(loose, &[b, a]))?;
            Some((flipped, terms.eq(a, b)))
        }
        (Connective::Or, true) => {
            let flipped = present(terms.lookup(strict, &[b, a]))?;
            Some((flipped, terms.ne(a, b)))
        }
        (Connective::And, true) | (Connective::Or, false) => None,
    }
}

impl Terms {
    /// The negation that `not` would build, if it exists already.
    pub(crate) fn existing_not(&self, term: TermId) -> Option<TermId> {
        match self.op(term) {
            Op::Bool(BoolOp::Not) => Some(self.arg(term, 0)),
            Op::True => self.lookup(Op::False, &[]),
            Op::False => self.lookup(Op::True, &[]),
            Op::Bv(BvOp::Ult) => self.existing_opposite(term, Op::Bv(BvOp::Ult), Op::Bv(BvOp::Ule)),
            Op::Bv(BvOp::Slt) => self.existing_opposite(term, Op::Bv(BvOp::Slt), Op::Bv(BvOp::Sle)),
            Op::Bv(BvOp::Ule) => self.lookup(BvOp::Ult, &[self.arg(term, 1), self.arg(term, 0)]),
            Op::Bv(BvOp::Sle) => self.lookup(BvOp::Slt, &[self.arg(term, 1), self.arg(term, 0)]),
            Op::Bool(BoolOp::Xor) => self.lookup(Op::Eq, self.args(term)),
            Op::Eq => {
                let (x, y) = (self.arg(term, 0), self.arg(term, 1));
                match (self.sort(x), self.as_bv_const(y)) {
                    (Sort::Bool, _) => self.lookup(BoolOp::Xor, self.args(term)),
                    (Sort::Bv(1), Some(bit)) => {
                        let other = self.lookup(Op::BvConst(bit.not()), &[])?;
                        self.lookup(Op::Eq, &[x, other])
                    }
                    (Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. }, _) => {
                        self.lookup(BoolOp::Not, &[term])
                    }
                }
            }
            _ => self.lookup(BoolOp::Not, &[term]),
        }
    }

    // The negation of `strict(a, b)`: with a constant it is strict again.
    fn existing_opposite(&self, term: TermId, strict: Op, loose: Op) -> Option<TermId> {
        let (a, b) = (self.arg(term, 0), self.arg(term, 1));
        let one = Bits::one(self.width(a));
        match (self.as_bv_const(a), self.as_bv_const(b)) {
            // !(c < b) is b < c + 1, !(a < c) is c - 1 < a.
            (Some(low), None) => {
                let bound = self.lookup(Op::BvConst(low.add(one)), &[])?;
                self.lookup(strict, &[b, bound])
            }
            (None, Some(high)) => {
                let bound = self.lookup(Op::BvConst(high.sub(one)), &[])?;
                self.lookup(strict, &[bound, a])
            }
            (Some(_), Some(_)) | (None, None) => self.lookup(loose, &[b, a]),
        }
    }
}
