//! What the papers report, asked of the relaxation alone: no labelling, no enumeration.

use Signedness::Signed;
use glassbox_relax::bounds::{Bounds, NoBounds};
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation, Shaving};
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::Signedness;

/// The same range for some terms.
struct Within(Vec<TermId>, i128, i128);

impl Bounds for Within {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        (self.0.contains(&term) && signedness == Signed).then_some((self.1, self.2))
    }
}

/// The rounds only: neither branching nor the polynomial layer.
fn rounds_only() -> Limits {
    Limits { branch_nodes: 0, polynomial_boxes: 0, shaving: Shaving::All, ..Limits::default() }
}

fn check(terms: &Terms, assertions: &[TermId], bounds: &dyn Bounds, limits: &Limits) -> Outcome {
    let mut relaxation = Relaxation::new();
    for &assertion in assertions {
        relaxation.assert(assertion);
    }
    relaxation.check(terms, bounds, limits)
}

#[track_caller]
fn refuted(terms: &Terms, assertions: &[TermId], bounds: &dyn Bounds, limits: &Limits) {
    let outcome = check(terms, assertions, bounds, limits);
    assert!(matches!(outcome, Outcome::Infeasible(_)), "{outcome:?}");
}

#[track_caller]
fn open(terms: &Terms, assertions: &[TermId], bounds: &dyn Bounds, limits: &Limits) {
    let outcome = check(terms, assertions, bounds, limits);
    assert!(matches!(outcome, Outcome::Open { .. }), "a satisfiable control was refuted");
}

fn bv(terms: &mut Terms, name: &str, width: u8) -> TermId {
    terms.fresh_var(name, Sort::Bv(width))
}

/// docs/papers/relaxation.md, rule P4: `z = x*y; if (z = x+y) assert z <= 4`. The paper's integers do not wrap, so overflow is
/// excluded by assertions; with wrap-around there are solutions (every odd `x - 1` has an inverse).
fn p4(limit: i128, overflow_free: bool) -> (Terms, Vec<TermId>) {
    let mut t = Terms::new();
    let (x, y, z) = (bv(&mut t, "x", 32), bv(&mut t, "y", 32), bv(&mut t, "z", 32));
    let (product, sum) = (t.bv_mul(x, y), t.bv_add(x, y));
    let mut assertions = vec![t.eq(z, product), t.eq(z, sum)];
    let four = t.bv_s(limit, 32);
    assertions.push(t.bv_slt(four, z));
    if overflow_free {
        for overflow in [t.bv_mul_overflow(Signed, x, y), t.bv_add_overflow(Signed, x, y)] {
            assertions.push(t.not(overflow));
        }
    }
    (t, assertions)
}

#[test]
fn p4_over_32_bits_is_refuted_without_labelling() {
    let (t, assertions) = p4(4, true);
    refuted(&t, &assertions, &NoBounds, &rounds_only());
    // z = 4 at x = y = 2, and wrapping solutions, must survive.
    let (t, assertions) = p4(3, true);
    open(&t, &assertions, &NoBounds, &rounds_only());
    let (t, assertions) = p4(4, false);
    open(&t, &assertions, &NoBounds, &rounds_only());
}

#[test]
fn p4_over_ten_is_refuted() {
    let (t, assertions) = p4(4, false);
    let vars: Vec<TermId> = t.vars().map(|v| t.var_term(v)).take(2).collect();
    refuted(&t, &assertions, &Within(vars.clone(), -10, 10), &rounds_only());
    let (t, assertions) = p4(3, false);
    open(&t, &assertions, &Within(vars, -10, 10), &rounds_only());
}

/// docs/papers/relaxation.md, rule P3x: `x = y + z; assert x <= y + z`, one linear program over 32 bits.
#[test]
fn p3x_over_32_bits_is_refuted() {
    let mut t = Terms::new();
    let (x, y, z) = (bv(&mut t, "x", 32), bv(&mut t, "y", 32), bv(&mut t, "z", 32));
    let sum = t.bv_add(y, z);
    let overflow = t.bv_add_overflow(Signed, y, z);
    let assertions = [t.eq(x, sum), t.bv_slt(sum, x), t.not(overflow)];
    refuted(&t, &assertions, &NoBounds, &rounds_only());
    // Also with wrap-around: the two sides are the same term.
    refuted(&t, &assertions[..2], &NoBounds, &rounds_only());
}

/// docs/papers/relaxation.md, rule slow: `w = x*y, z = x*y, w = z + 1`; the paper needs 24.8 s at ±5000.
#[test]
fn slow_over_5000_is_refuted() {
    // The last domain makes every operation wrap.
    for limit in [100, 5000, 1 << 30] {
        let mut t = Terms::new();
        let (x, y) = (bv(&mut t, "x", 32), bv(&mut t, "y", 32));
        let (w, z) = (bv(&mut t, "w", 32), bv(&mut t, "z", 32));
        let (xy, yx) = (t.bv_mul(x, y), t.bv_mul(y, x));
        let one = t.bv_s(1, 32);
        let next = t.bv_add(z, one);
        let mut assertions = vec![t.eq(w, xy), t.eq(z, yx), t.eq(w, next)];
        let bounds = Within(vec![x, y], -limit, limit);
        refuted(&t, &assertions, &bounds, &rounds_only());
        assertions[2] = t.eq(w, z);
        open(&t, &assertions, &bounds, &rounds_only());
    }
}

/// docs/papers/relaxation.md, rule 3.3: |a-b| * |c-d| is never negative; 192 s by labelling in the paper, size independent here.
#[test]
fn product_of_absolute_differences_is_not_negative() {
    for (limit, negative) in [(1000, true), (20_000, true), (1000, false)] {
        let mut t = Terms::new();
        let v: Vec<TermId> = ["a", "b", "c", "d"].iter().map(|n| bv(&mut t, n, 32)).collect();
        let mut distance = |x, y| {
            let (up, down) = (t.bv_sub(x, y), t.bv_sub(y, x));
            let less = t.bv_slt(x, y);
            t.ite(less, down, up)
        };
        let (first, second) = (distance(v[0], v[1]), distance(v[2], v[3]));
        let product = t.bv_mul(first, second);
        let zero = t.bv_s(0, 32);
        let bad = if negative { t.bv_slt(product, zero) } else { t.bv_sle(product, zero) };
        let bounds = Within(v, 0, limit);
        let limits = Limits { branch_nodes: 64, ..rounds_only() };
        if negative {
            refuted(&t, &[bad], &bounds, &limits);
        } else {
            open(&t, &[bad], &bounds, &limits);
        }
    }
}

/// docs/papers/calls.md, rule 3.1: `foo` cannot reach `z <= -3000`, and reaches `z <= -2500` at x = 50.
#[test]
fn foo_of_note_f() {
    for (limit, reachable) in [(-3000, false), (-2500, true)] {
        let mut t = Terms::new();
        let (x, y) = (bv(&mut t, "x", 32), bv(&mut t, "y", 32));
        let xy = t.bv_mul(x, y);
        let c = |t: &mut Terms, v| t.bv_s(v, 32);
        let (four, five, hundred, eight) =
            (c(&mut t, 4), c(&mut t, 5), c(&mut t, 100), c(&mut t, 8));
        let first = t.bv_slt(xy, four);
        let u = t.ite(first, five, hundred);
        let second = t.bv_sle(u, eight);
        let (plus, minus) = (t.bv_add(x, u), t.bv_sub(x, u));
        let y1 = t.ite(second, plus, minus);
        let z = t.bv_mul(x, y1);
        let bound = c(&mut t, limit);
        let goal = t.bv_sle(z, bound);
        let bounds = Within(vec![x, y], -1000, 1000);
        let limits = Limits { branch_nodes: 200, steps: 10_000_000, ..rounds_only() };
        if reachable {
            open(&t, &[goal], &bounds, &limits);
        } else {
            refuted(&t, &[goal], &bounds, &limits);
        }
    }
}

/// `2x - 2y = 1` is refuted by the GCD test, whatever the size of the domain.
#[test]
fn parity_needs_no_branching() {
    let mut t = Terms::new();
    let (x, y) = (bv(&mut t, "x", 32), bv(&mut t, "y", 32));
    let (two, one) = (t.bv_s(2, 32), t.bv_s(1, 32));
    let (xx, yy) = (t.bv_mul(two, x), t.bv_mul(two, y));
    let difference = t.bv_sub(xx, yy);
    let goal = t.eq(difference, one);
    refuted(&t, &[goal], &NoBounds, &rounds_only());
}
