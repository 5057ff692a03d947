//! Times of the claims of the notes: `cargo run --release -p glassbox-relax --example claims`.
#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command prints its figures")]

use std::time::{Duration, Instant};

use Signedness::Signed;
use glassbox_relax::bounds::{Bounds, NoBounds};
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation, Shaving};
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::Signedness;

struct Within(Vec<TermId>, i128, i128);

impl Bounds for Within {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        (self.0.contains(&term) && signedness == Signed).then_some((self.1, self.2))
    }
}

const REPEATS: u32 = 50;

/// Prints the verdict and the median time of a check built from nothing.
fn show(name: &str, terms: &Terms, assertions: &[TermId], bounds: &dyn Bounds, limits: &Limits) {
    let mut times: Vec<Duration> = Vec::new();
    let mut verdict = "";
    let mut statistics = String::new();
    for _ in 0..REPEATS {
        let start = Instant::now();
        let mut relaxation = Relaxation::new();
        for &assertion in assertions {
            relaxation.assert(assertion);
        }
        let outcome = relaxation.check(terms, bounds, limits);
        times.push(start.elapsed());
        verdict = match outcome {
            Outcome::Infeasible(_) => "refuted",
            Outcome::Open { .. } => "open",
        };
        statistics = format!("{:?}", relaxation.statistics());
    }
    times.sort_unstable();
    println!("{name}: {verdict}, median {:?}  {statistics}", times[times.len() / 2]);
}

fn bv(terms: &mut Terms, name: &str) -> TermId {
    terms.fresh_var(name, Sort::Bv(32))
}

fn p4() {
    let mut t = Terms::new();
    let (x, y, z) = (bv(&mut t, "x"), bv(&mut t, "y"), bv(&mut t, "z"));
    let (product, sum, four) = (t.bv_mul(x, y), t.bv_add(x, y), t.bv_s(4, 32));
    let mut assertions = vec![t.eq(z, product), t.eq(z, sum), t.bv_slt(four, z)];
    let bounds = Within(vec![x, y], -10, 10);
    show("z=x*y, z=x+y, z>4 over -10..10", &t, &assertions, &bounds, &Limits::default());
    for overflow in [t.bv_mul_overflow(Signed, x, y), t.bv_add_overflow(Signed, x, y)] {
        assertions.push(t.not(overflow));
    }
    show(
        "z=x*y, z=x+y, z>4 over int32 without overflow",
        &t,
        &assertions,
        &NoBounds,
        &Limits::default(),
    );
}

fn slow() {
    for limit in [100, 1000, 5000, 1 << 30] {
        let mut t = Terms::new();
        let (x, y, w, z) = (bv(&mut t, "x"), bv(&mut t, "y"), bv(&mut t, "w"), bv(&mut t, "z"));
        let (xy, yx, one) = (t.bv_mul(x, y), t.bv_mul(y, x), t.bv_s(1, 32));
        let next = t.bv_add(z, one);
        let assertions = [t.eq(w, xy), t.eq(z, yx), t.eq(w, next)];
        let name = format!("w=x*y, z=x*y, w=z+1 over -{limit}..{limit} (paper at 5000: 24.8 s)");
        show(&name, &t, &assertions, &Within(vec![x, y], -limit, limit), &Limits::default());
    }
}

fn foo() {
    for limit in [-2500, -3000] {
        let mut t = Terms::new();
        let (x, y) = (bv(&mut t, "x"), bv(&mut t, "y"));
        let xy = t.bv_mul(x, y);
        let [four, five, hundred, eight, bound] = [4, 5, 100, 8, limit].map(|v| t.bv_s(v, 32));
        let first = t.bv_slt(xy, four);
        let u = t.ite(first, five, hundred);
        let second = t.bv_sle(u, eight);
        let (plus, minus) = (t.bv_add(x, u), t.bv_sub(x, u));
        let y1 = t.ite(second, plus, minus);
        let z = t.bv_mul(x, y1);
        let goal = t.bv_sle(z, bound);
        let limits = Limits {
            branch_nodes: 200,
            steps: 10_000_000,
            shaving: Shaving::All,
            ..Limits::default()
        };
        let name = format!("foo: z <= {limit} over -1000..1000");
        show(&name, &t, &[goal], &Within(vec![x, y], -1000, 1000), &limits);
    }
}

/// Path-like conjunctions: comparisons of sums with constant factors over a few variables.
fn paths() {
    let mut seed = 42_u64;
    let mut next = |n: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % n
    };
    for (n_vars, n_rows) in [(2, 5), (4, 10), (8, 20), (8, 40)] {
        let mut t = Terms::new();
        let vars: Vec<TermId> = (0..n_vars).map(|i| bv(&mut t, &format!("v{i}"))).collect();
        let mut assertions = Vec::new();
        for _ in 0..n_rows {
            let mut sum = t.bv_s(i128::from(next(100)) - 50, 32);
            for _ in 0..2 {
                let var = vars[usize::try_from(next(n_vars)).expect("small")];
                let factor = t.bv_s(i128::from(next(7)) - 3, 32);
                let term = t.bv_mul(var, factor);
                sum = t.bv_add(sum, term);
            }
            let zero = t.bv_s(0, 32);
            assertions.push(if next(2) == 0 { t.bv_sle(sum, zero) } else { t.bv_slt(zero, sum) });
        }
        let limits = Limits {
            rounds: 1,
            steps: 20_000,
            branch_nodes: 0,
            polynomial_boxes: 0,
            shaving: Shaving::Off,
        };
        let name = format!("path of {n_rows} comparisons over {n_vars} variables in -1000..1000");
        show(&name, &t, &assertions, &Within(vars.clone(), -1000, 1000), &limits);
        let name = format!("path of {n_rows} comparisons over {n_vars} variables, int32 with wrap");
        show(&name, &t, &assertions, &NoBounds, &limits);
    }
}

fn main() {
    p4();
    slow();
    foo();
    paths();
}
