//! The examples of the papers, by propagation and probing alone.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{AssertId, BitsDomain, Budget, Domain};
use glassbox_propagators::{Engine, Labelling, Propagation};
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms};

/// A store under construction.
struct Store {
    terms: Terms,
    engine: Engine,
    n_assertions: u32,
}

impl Store {
    fn new() -> Store {
        Store { terms: Terms::new(), engine: Engine::new(), n_assertions: 0 }
    }

    fn var(&mut self, name: &str, width: u8) -> TermId {
        self.terms.fresh_var(name, Sort::Bv(width))
    }

    fn constant(&mut self, value: u64, width: u8) -> TermId {
        self.terms.bv_u(value.into(), width)
    }

    fn tell(&mut self, term: TermId) {
        self.engine.assert(&self.terms, term, AssertId(self.n_assertions));
        self.n_assertions += 1;
    }

    /// Asserts `op(a, b)` as it stands, without simplification.
    fn tell_op(&mut self, op: Op, a: TermId, b: TermId) {
        let term = self.terms.intern(op, &[a, b]);
        self.tell(term);
    }

    fn within(&mut self, term: TermId, lo: u64, hi: u64) {
        let Sort::Bv(width) = self.terms.sort(term) else { panic!("a vector") };
        let domain = Domain::Bits(BitsDomain::from_interval(Clockwise::new(lo, hi, width)));
        assert!(self.engine.narrow(&self.terms, term, &domain, &[]));
    }

    fn propagate(&mut self) -> Propagation {
        self.engine.propagate(&mut Budget::steps(100_000))
    }

    fn interval(&self, term: TermId) -> (u64, u64) {
        match self.engine.domain(term) {
            Some(Domain::Bits(bits)) => (bits.interval().lo(), bits.interval().hi()),
            other => panic!("{term:?} should have a vector's domain, has {other:?}"),
        }
    }
}

#[test]
fn b_e6_overflow_guard_halves_the_buffer_addresses() {
    // len = 2^31; if (buf + len < buf): MAXC's answer is buf in 2^31..2^32-1.
    let mut store = Store::new();
    let buf = store.var("buf", 32);
    let len = store.constant(1 << 31, 32);
    let sum = store.terms.intern(BvOp::Add, &[buf, len]);
    store.tell_op(Op::Bv(BvOp::Ult), sum, buf);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(buf), (1 << 31, (1 << 32) - 1));
}

#[test]
fn b_e7_product_with_a_constant_is_shaved() {
    // 3 bits: X = 5, Y in 2..7, Z in 5..0, Z = X * Y gives Y in 3..6, Z in 6..7.
    let mut store = Store::new();
    let (x, y) = (store.var("x", 3), store.var("y", 3));
    let z = store.terms.intern(BvOp::Mul, &[x, y]);
    store.within(x, 5, 5);
    store.within(y, 2, 7);
    store.within(z, 5, 0);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(y), (3, 6));
    assert_eq!(store.interval(z), (6, 7));
}

#[test]
fn b_e8_sum_of_positives_that_is_not_very_negative_does_not_overflow() {
    // x, y in 1..MAX, z = x + y, z > -2: x, y in 1..MAX-1, z in 2..MAX.
    let max = i64::from(i32::MAX).cast_unsigned();
    let mut store = Store::new();
    let (x, y) = (store.var("x", 32), store.var("y", 32));
    let z = store.terms.intern(BvOp::Add, &[x, y]);
    store.within(x, 1, max);
    store.within(y, 1, max);
    store.within(z, 0, u64::from(u32::MAX));
    assert_eq!(store.propagate(), Propagation::Consistent);
    // Without the bound on z: everything but -1, 0 and 1.
    assert_eq!(store.interval(z), (2, u64::from(u32::MAX) - 1));
    let minus_two = store.constant(u64::from(u32::MAX) - 1, 32);
    store.tell_op(Op::Bv(BvOp::Slt), minus_two, z);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(x), (1, max - 1));
    assert_eq!(store.interval(y), (1, max - 1));
    assert_eq!(store.interval(z), (2, max));
}

#[test]
fn b_e9_modular_sum_of_two_arcs() {
    // [2,4] + [4,7] = [6,3] modulo 8.
    let mut store = Store::new();
    let (x, y) = (store.var("x", 3), store.var("y", 3));
    let z = store.terms.intern(BvOp::Add, &[x, y]);
    store.within(x, 2, 4);
    store.within(y, 4, 7);
    store.within(z, 0, 7);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(z), (6, 3));
}

#[test]
fn a_3_1_foo_is_narrowed_to_4_11_and_0_2_by_refuting_a_branch() {
    // z = x*y; t = 2*x; u = x < 4 ? 10 : 2; z <= 8, u <= x, t - y <= 20, no unsigned overflow.
    let mut store = Store::new();
    let (x, y) = (store.var("x", 32), store.var("y", 32));
    let [two, four, eight, ten, twenty] = [2, 4, 8, 10, 20].map(|value| store.constant(value, 32));
    let z = store.terms.intern(BvOp::Mul, &[x, y]);
    let t = store.terms.intern(BvOp::Mul, &[two, x]);
    let small = store.terms.intern(BvOp::Ult, &[x, four]);
    let u = store.terms.intern(Op::Ite, &[small, ten, two]);
    let rest = store.terms.intern(BvOp::Sub, &[t, y]);
    for (op, a, b) in [
        (Op::Bv(BvOp::MulOverflow(glassbox_values::Signedness::Unsigned)), x, y),
        (Op::Bv(BvOp::MulOverflow(glassbox_values::Signedness::Unsigned)), two, x),
        (Op::Bv(BvOp::SubOverflow(glassbox_values::Signedness::Unsigned)), t, y),
    ] {
        let overflow = store.terms.intern(op, &[a, b]);
        let fits = store.terms.intern(BoolOp::Not, &[overflow]);
        store.tell(fits);
    }
    store.tell_op(Op::Bv(BvOp::Ule), z, eight);
    store.tell_op(Op::Bv(BvOp::Ule), u, x);
    store.tell_op(Op::Bv(BvOp::Ule), rest, twenty);
    let answer = store.engine.probe(1, &mut Budget::steps(100_000));
    assert_eq!(answer, Propagation::Consistent);
    assert_eq!(store.interval(x), (4, 11));
    assert_eq!(store.interval(y), (0, 2));
    assert_eq!(store.interval(u), (2, 2));
    // The exact solutions are 13 pairs; labelling finds one.
    let Labelling::Candidate(values) =
        store.engine.label(&store.terms, &mut Budget::steps(100_000))
    else {
        panic!("foo has solutions");
    };
    let numbers: Vec<u128> = values
        .iter()
        .filter_map(|(_, value)| value.as_bits())
        .map(|bits| bits.unsigned())
        .collect();
    assert!(4 <= numbers[0] && numbers[0] <= 10 && numbers[0] * numbers[1] <= 8);
}

#[test]
fn a_1_2_entailment_by_refutation_uses_the_whole_store() {
    // X in 1..100, Y in 9..11, X != Y entails X * Y != 100, which domains alone do not.
    let mut store = Store::new();
    let (x, y) = (store.var("x", 32), store.var("y", 32));
    store.within(x, 1, 100);
    store.within(y, 9, 11);
    let same = store.terms.intern(Op::Eq, &[x, y]);
    let differ = store.terms.intern(BoolOp::Not, &[same]);
    store.tell(differ);
    assert_eq!(store.propagate(), Propagation::Consistent);
    let product = store.terms.intern(BvOp::Mul, &[x, y]);
    let hundred = store.constant(100, 32);
    store.engine.push();
    store.tell_op(Op::Eq, product, hundred);
    assert!(matches!(store.propagate(), Propagation::Conflict(_)));
    assert!(store.engine.pop());
    assert_eq!(store.propagate(), Propagation::Consistent);
}

#[test]
fn a_1_8_union_of_domains_is_exact() {
    // X = Y or X = 5, X in -1000..1000, Y in 0..1: X in 0..5 (even {0, 1, 5}), Y in 0..1.
    let mut store = Store::new();
    let (x, y) = (store.var("x", 32), store.var("y", 32));
    store.within(x, (-1000i64).cast_unsigned(), 1000);
    store.within(y, 0, 1);
    let five = store.constant(5, 32);
    let first = store.terms.intern(Op::Eq, &[x, y]);
    let second = store.terms.intern(Op::Eq, &[x, five]);
    let either = store.terms.intern(BoolOp::Or, &[first, second]);
    store.tell(either);
    let answer = store.engine.probe(1, &mut Budget::steps(10_000));
    assert_eq!(answer, Propagation::Consistent);
    assert_eq!(store.interval(x), (0, 5));
    assert_eq!(store.interval(y), (0, 1));
    let Some(Domain::Bits(domain)) = store.engine.domain(x) else { panic!("a vector") };
    assert_eq!(domain.values().collect::<Vec<_>>(), [0, 1, 5]);
}

#[test]
fn b_e1a_a_square_is_inverted() {
    // x * x = 100 with x in 0..1000 fixes x without search; in -1000..1000 two values are left.
    let mut store = Store::new();
    let x = store.var("x", 32);
    let square = store.terms.intern(BvOp::Mul, &[x, x]);
    store.within(x, (-1000i64).cast_unsigned(), 1000);
    let hundred = store.constant(100, 32);
    store.tell_op(Op::Eq, square, hundred);
    assert_eq!(store.propagate(), Propagation::Consistent);
    let Some(Domain::Bits(domain)) = store.engine.domain(x) else { panic!("a vector") };
    assert_eq!(domain.values().collect::<Vec<_>>(), [10, u64::from(u32::MAX) - 9]);
    store.within(x, 0, 1000);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(x), (10, 10));
}

#[test]
fn residue_classes_meet() {
    // x % 3 == 1 and x % 6 == 3 contradict; x % 3 == 2 and x % 5 == 3 give 8 modulo 15.
    let mut store = Store::new();
    let x = store.var("x", 32);
    let remainder = |store: &mut Store, divisor: u64, rest: u64| {
        let (divisor, rest) = (store.constant(divisor, 32), store.constant(rest, 32));
        let remainder = store.terms.intern(BvOp::Urem, &[x, divisor]);
        store.tell_op(Op::Eq, remainder, rest);
    };
    store.engine.push();
    remainder(&mut store, 3, 1);
    remainder(&mut store, 6, 3);
    assert_eq!(store.propagate(), Propagation::Conflict(vec![AssertId(0), AssertId(1)]));
    assert!(store.engine.pop());
    remainder(&mut store, 3, 2);
    remainder(&mut store, 5, 3);
    assert_eq!(store.propagate(), Propagation::Consistent);
    assert_eq!(store.interval(x).0, 8);
}

#[test]
fn cores_name_only_what_matters() {
    let mut store = Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, 32));
    let ten = store.constant(10, 32);
    store.tell_op(Op::Bv(BvOp::Ult), c, ten);
    store.tell_op(Op::Bv(BvOp::Ult), a, b);
    store.tell_op(Op::Bv(BvOp::Ult), c, b);
    store.tell_op(Op::Bv(BvOp::Ult), b, a);
    assert_eq!(store.propagate(), Propagation::Conflict(vec![AssertId(1), AssertId(3)]));
}

#[test]
fn a_cycle_of_comparisons_with_offsets_is_refuted() {
    // a < b, b + 1 < c, c <= a + 2, all signed and far from overflow.
    let mut store = Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, 32));
    for var in [a, b, c] {
        store.within(var, (-1_000_000i64).cast_unsigned(), 1_000_000);
    }
    let (one, two) = (store.constant(1, 32), store.constant(2, 32));
    let after_b = store.terms.intern(BvOp::Add, &[b, one]);
    let after_a = store.terms.intern(BvOp::Add, &[a, two]);
    store.tell_op(Op::Bv(BvOp::Slt), a, b);
    store.tell_op(Op::Bv(BvOp::Slt), after_b, c);
    store.tell_op(Op::Bv(BvOp::Sle), c, after_a);
    let all = vec![AssertId(0), AssertId(1), AssertId(2)];
    assert_eq!(store.propagate(), Propagation::Conflict(all));
}
