//! The examples of FPSE (Botella, Gotlieb, Michel, STVR 2006; docs/papers/floats.md, rule B8) as systems to propagate.
//!
//! Every number below is one of table 4, or, where the paper's rules were not optimal and said so, the
//! exact answer (the paper's "expected" column, rows 3, 6, 7, 10 and 11). Nothing is labelled.

use glassbox_kernel::{AssertId, Budget, Domain};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::{FpOp, Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// A conjunction of float constraints in one format, and the engine that propagates it.
pub(crate) struct System {
    terms: Terms,
    format: Format,
    engine: Engine,
    n_asserted: u32,
}

impl System {
    fn new(format: Format) -> System {
        System { terms: Terms::new(), format, engine: Engine::new(), n_asserted: 0 }
    }

    /// The float nearest to a decimal literal.
    fn literal(&self, text: &str) -> Float {
        Float::parse(text, self.format, NEAREST).expect("a literal should parse")
    }

    fn constant(&mut self, text: &str) -> TermId {
        let value = self.literal(text);
        self.terms.intern(Op::FloatConst(value), &[])
    }

    fn unknown(&mut self, name: &str) -> TermId {
        self.terms.fresh_var(name, Sort::Float(self.format))
    }

    fn add(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(FpOp::Add(NEAREST), &[x, y])
    }

    fn sub(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(FpOp::Sub(NEAREST), &[x, y])
    }

    fn mul(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(FpOp::Mul(NEAREST), &[x, y])
    }

    fn div(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(FpOp::Div(NEAREST), &[x, y])
    }

    fn assert(&mut self, op: Op, x: TermId, y: TermId) {
        let term = self.terms.intern(op, &[x, y]);
        self.engine.assert(&self.terms, term, AssertId(self.n_asserted));
        self.n_asserted += 1;
    }

    fn less(&mut self, x: TermId, y: TermId) {
        self.assert(Op::Fp(FpOp::Lt), x, y);
    }

    fn at_most(&mut self, x: TermId, y: TermId) {
        self.assert(Op::Fp(FpOp::Le), x, y);
    }

    fn equal(&mut self, x: TermId, y: TermId) {
        self.assert(Op::Fp(FpOp::Eq), x, y);
    }

    /// Lets `name = term` be known, so that the engine looks at the term.
    fn named(&mut self, name: &str, term: TermId) -> TermId {
        let variable = self.unknown(name);
        self.assert(Op::Eq, variable, term);
        variable
    }

    fn propagate(&mut self) -> Propagation {
        self.engine.propagate(&mut Budget::steps(10_000_000))
    }

    /// The least and the greatest number of a float after propagation, when it cannot be NaN.
    fn bounds(&self, term: TermId) -> Option<(Float, Float)> {
        match self.engine.domain(term) {
            Some(Domain::Float(domain)) if !domain.may_be_nan() => domain.numbers(),
            Some(_) | None => None,
        }
    }
}

/// What propagation should find.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected {
    Infeasible,
    /// These bounds of the term, digit for digit.
    Bounds(&'static str, &'static str),
}

/// One row of the table.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    system: System,
    term: Option<TermId>,
    pub(crate) expected: Expected,
}

impl Example {
    fn value(name: &'static str, (system, term): (System, TermId), value: &'static str) -> Example {
        Example::bounds(name, (system, term), value, value)
    }

    fn bounds(
        name: &'static str,
        (system, term): (System, TermId),
        lo: &'static str,
        hi: &'static str,
    ) -> Example {
        Example { name, system, term: Some(term), expected: Expected::Bounds(lo, hi) }
    }

    fn infeasible(name: &'static str, system: System) -> Example {
        Example { name, system, term: None, expected: Expected::Infeasible }
    }

    /// Propagates; whether exactly the expected was found.
    pub(crate) fn holds(&mut self) -> bool {
        let propagation = self.system.propagate();
        match (self.expected, self.term) {
            (Expected::Bounds(lo, hi), Some(term)) => {
                propagation == Propagation::Consistent
                    && self.system.bounds(term)
                        == Some((self.system.literal(lo), self.system.literal(hi)))
            }
            (Expected::Infeasible | Expected::Bounds(..), _) => {
                matches!(propagation, Propagation::Conflict(_))
            }
        }
    }

    /// The value after propagation, when there is only one.
    #[allow(dead_code, reason = "the tests use it, the benchmark does not")]
    pub(crate) fn only_value(&self) -> Option<Float> {
        match self.system.engine.domain(self.term?) {
            Some(Domain::Float(domain)) => domain.value(),
            Some(_) | None => None,
        }
    }
}

/// Example 1, Goldberg: ((2e-30 + 1e30) - 1e30) - 1e-30.
fn g1(format: Format) -> (System, TermId) {
    let mut s = System::new(format);
    let [small, large, last] = ["2.0e-30", "1.0e30", "1.0e-30"].map(|text| s.constant(text));
    let t2 = s.add(small, large);
    let t1 = s.sub(t2, large);
    let x = s.sub(t1, last);
    let x = s.named("x", x);
    (s, x)
}

/// Examples 2 and 3: the discriminant b² - 4ac; returns c and the discriminant.
fn g2(format: Format, c: Option<&str>) -> (System, TermId, TermId) {
    let mut s = System::new(format);
    let [a, b, four] = ["1.22", "3.34", "4.0"].map(|text| s.constant(text));
    let c = match c {
        Some(text) => s.constant(text),
        None => s.unknown("c"),
    };
    let t1 = s.mul(b, b);
    let t2 = s.mul(a, c);
    let t3 = s.mul(four, t2);
    let delta = s.sub(t1, t3);
    let delta = s.named("delta", delta);
    (s, c, delta)
}

/// Examples 4 and 5: 10 to the power -n along the path with n turns.
fn power(format: Format, n_turns: usize) -> (System, TermId) {
    let mut s = System::new(format);
    let x = s.unknown("x");
    let ten = s.constant("10.0");
    s.equal(x, ten);
    let one = s.constant("1.0");
    let mut z = one;
    for _ in 0..n_turns {
        z = s.mul(z, x);
    }
    let result = s.div(one, z);
    let result = s.named("result", result);
    (s, result)
}

/// Example 6: x > 0 and x + 1e12 == 1e12, which no real number solves.
fn foo1(format: Format) -> (System, TermId) {
    let mut s = System::new(format);
    let x = s.unknown("x");
    let [zero, large] = ["0.0", "1.0e12"].map(|text| s.constant(text));
    s.less(zero, x);
    let sum = s.add(x, large);
    s.equal(sum, large);
    (s, x)
}

/// Example 7: x < 10000 and x + 1e12 > 1e12, which real numbers solve.
fn foo2(format: Format) -> (System, TermId) {
    let mut s = System::new(format);
    let x = s.unknown("x");
    let [bound, large] = ["10000.0", "1.0e12"].map(|text| s.constant(text));
    s.less(x, bound);
    let sum = s.add(x, large);
    s.less(large, sum);
    (s, x)
}

/// Examples 10 and 11: which y take exactly n turns of the loop `while (w > 0) w = w - 1`.
fn power_turns(format: Format, n_turns: usize) -> (System, TermId) {
    let mut s = System::new(format);
    let y = s.unknown("y");
    let [zero, one] = ["0.0", "1.0"].map(|text| s.constant(text));
    s.less(y, zero);
    let mut w = s.sub(zero, y);
    for _ in 0..n_turns {
        s.less(zero, w);
        w = s.sub(w, one);
    }
    s.at_most(w, zero);
    (s, y)
}

/// Example 3: the c for which the discriminant is zero; the paper's rules leave two values.
fn g2_inverse(format: Format) -> (System, TermId) {
    let (mut s, c, delta) = g2(format, None);
    let zero = s.constant("0.0");
    s.equal(delta, zero);
    (s, c)
}

fn discriminant(format: Format) -> (System, TermId) {
    let (s, _, delta) = g2(format, Some("2.28"));
    (s, delta)
}

/// Example 8: Howden's path.
fn howden(format: Format) -> System {
    let mut s = System::new(format);
    let (a, b) = (s.unknown("a"), s.unknown("b"));
    let [two, hundred, fifty] = ["2.0", "100.0", "50.0"].map(|text| s.constant(text));
    let t1 = s.mul(a, b);
    let x1 = s.add(t1, two);
    s.less(hundred, x1);
    let x2 = s.sub(hundred, x1);
    let x3 = s.sub(x2, fifty);
    s.less(fifty, x3);
    s
}

/// Example 9: the power loop without a turn.
fn no_turn(format: Format) -> System {
    let mut s = System::new(format);
    let y = s.unknown("y");
    let zero = s.constant("0.0");
    s.less(y, zero);
    let w = s.terms.intern(FpOp::Neg, &[y]);
    s.at_most(w, zero);
    s
}

/// All examples, in both formats, by their number in the table.
pub(crate) fn examples() -> Vec<Example> {
    let (single, double) = (Format::F32, Format::F64);
    vec![
        Example::value("1 g1 single", g1(single), "-1.0000000031710769e-30"),
        Example::value("1 g1 double", g1(double), "-1.0000000000000001e-30"),
        Example::value("2 g2 single", discriminant(single), "0.029199600219726562"),
        Example::value("2 g2 double", discriminant(double), "0.029200000000001225"),
        Example::value("3 g2 inverse single, exact", g2_inverse(single), "2.2859835624694824"),
        Example::value("3 g2 inverse double, exact", g2_inverse(double), "2.2859836065573771"),
        Example::value("4 power 40 single", power(single, 40), "0.0"),
        Example::value("4 power 40 double", power(double, 40), "1.0000000000000001e-40"),
        Example::value("5 power 350 single", power(single, 350), "0.0"),
        Example::value("5 power 350 double", power(double, 350), "0.0"),
        Example::bounds(
            "6 foo1 single, exact",
            foo1(single),
            "1.4012984643248171e-45",
            "32767.998046875",
        ),
        Example::bounds(
            "6 foo1 double",
            foo1(double),
            "4.9406564584124654e-324",
            "6.103515625e-05",
        ),
        Example::infeasible("7 foo2 single", foo2(single).0),
        // 2^-14 = 6.103515625e-05 is a tie that goes to the even 1e12, so it is no solution.
        Example::bounds(
            "7 foo2 double, exact",
            foo2(double),
            "6.1035156250000014e-05",
            "9999.9999999999982",
        ),
        Example::infeasible("8 howden single", howden(single)),
        Example::infeasible("8 howden double", howden(double)),
        Example::infeasible("9 power without a turn single", no_turn(single)),
        Example::infeasible("9 power without a turn double", no_turn(double)),
        Example::bounds(
            "10 power 40 turns single, exact",
            power_turns(single, 40),
            "-40.0",
            "-39.000003814697266",
        ),
        Example::bounds(
            "10 power 40 turns double, exact",
            power_turns(double, 40),
            "-40.0",
            "-39.000000000000007",
        ),
        Example::bounds(
            "11 power 350 turns single, exact",
            power_turns(single, 350),
            "-350.0",
            "-349.00003051757812",
        ),
        Example::bounds(
            "11 power 350 turns double, exact",
            power_turns(double, 350),
            "-350.0",
            "-349.00000000000006",
        ),
    ]
}
