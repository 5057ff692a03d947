//! The examples of FPSE (Botella, Gotlieb, Michel, STVR 2006; spec E part B8) by propagation alone.
//!
//! Every number below is one of table 4, or, where the paper's rules were not optimal and said so, the
//! exact answer (the paper's "expected" column, rows 3, 6, 7, 10 and 11). Nothing is labelled.

use glassbox_kernel::{AssertId, Budget, Domain};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::{Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode, Sign};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// A conjunction of float constraints in one format, and the engine that propagates it.
struct System {
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
        self.terms.intern(Op::FpAdd(NEAREST), &[x, y])
    }

    fn sub(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(Op::FpSub(NEAREST), &[x, y])
    }

    fn mul(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(Op::FpMul(NEAREST), &[x, y])
    }

    fn div(&mut self, x: TermId, y: TermId) -> TermId {
        self.terms.intern(Op::FpDiv(NEAREST), &[x, y])
    }

    fn assert(&mut self, op: Op, x: TermId, y: TermId) {
        let term = self.terms.intern(op, &[x, y]);
        self.engine.assert(&self.terms, term, AssertId(self.n_asserted));
        self.n_asserted += 1;
    }

    fn less(&mut self, x: TermId, y: TermId) {
        self.assert(Op::FpLt, x, y);
    }

    fn at_most(&mut self, x: TermId, y: TermId) {
        self.assert(Op::FpLe, x, y);
    }

    fn equal(&mut self, x: TermId, y: TermId) {
        self.assert(Op::FpEq, x, y);
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

    #[track_caller]
    fn check_infeasible(&mut self) {
        assert!(matches!(self.propagate(), Propagation::Conflict(_)), "should be infeasible");
    }

    /// The bounds of `term` after propagation are these literals, digit for digit.
    #[track_caller]
    fn check_bounds(&mut self, term: TermId, lo: &str, hi: &str) {
        assert_eq!(self.propagate(), Propagation::Consistent);
        let Some(Domain::Float(domain)) = self.engine.domain(term) else {
            panic!("{term:?} should be a float that takes part")
        };
        let expected = Some((self.literal(lo), self.literal(hi)));
        assert_eq!(domain.numbers(), expected, "found {domain:?}, expected {lo}..={hi}");
        assert!(!domain.may_be_nan());
    }

    #[track_caller]
    fn check_value(&mut self, term: TermId, value: &str) {
        self.check_bounds(term, value, value);
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

#[test]
fn example_1_g1_single() {
    let (mut s, x) = g1(Format::F32);
    s.check_value(x, "-1.0000000031710769e-30");
}

#[test]
fn example_1_g1_double() {
    let (mut s, x) = g1(Format::F64);
    s.check_value(x, "-1.0000000000000001e-30");
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

#[test]
fn example_2_g2_single() {
    let (mut s, _, delta) = g2(Format::F32, Some("2.28"));
    s.check_value(delta, "0.029199600219726562");
}

#[test]
fn example_2_g2_double() {
    let (mut s, _, delta) = g2(Format::F64, Some("2.28"));
    s.check_value(delta, "0.029200000000001225");
}

/// Example 3, where the paper's rules leave two values: refined to the exact one.
fn g2_inverse(format: Format, expected: &str) {
    let (mut s, c, delta) = g2(format, None);
    let zero = s.constant("0.0");
    s.equal(delta, zero);
    s.check_value(c, expected);
}

#[test]
fn example_3_g2_inverse_single_is_exact() {
    g2_inverse(Format::F32, "2.2859835624694824");
}

#[test]
fn example_3_g2_inverse_double_is_exact() {
    g2_inverse(Format::F64, "2.2859836065573771");
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

#[test]
fn example_4_power_40_single() {
    let (mut s, result) = power(Format::F32, 40);
    s.check_value(result, "0.0");
}

#[test]
fn example_4_power_40_double() {
    let (mut s, result) = power(Format::F64, 40);
    s.check_value(result, "1.0000000000000001e-40");
}

#[test]
fn example_5_power_350_underflows_in_both_formats() {
    for format in [Format::F32, Format::F64] {
        let (mut s, result) = power(format, 350);
        s.check_value(result, "0.0");
        let Some(Domain::Float(domain)) = s.engine.domain(result) else { panic!("a float") };
        assert_eq!(domain.value(), Some(Float::zero(Sign::Positive, format)));
    }
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

#[test]
fn example_6_foo1_single_is_exact() {
    let (mut s, x) = foo1(Format::F32);
    s.check_bounds(x, "1.4012984643248171e-45", "32767.998046875");
}

#[test]
fn example_6_foo1_double() {
    let (mut s, x) = foo1(Format::F64);
    s.check_bounds(x, "4.9406564584124654e-324", "6.103515625e-05");
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

#[test]
fn example_7_foo2_single_is_infeasible() {
    let (mut s, _) = foo2(Format::F32);
    s.check_infeasible();
}

#[test]
fn example_7_foo2_double_is_exact() {
    // 2^-14 = 6.103515625e-05 is a tie that goes to the even 1e12, so it is no solution.
    let (mut s, x) = foo2(Format::F64);
    s.check_bounds(x, "6.1035156250000014e-05", "9999.9999999999982");
}

#[test]
fn example_8_howden_is_infeasible() {
    for format in [Format::F32, Format::F64] {
        let mut s = System::new(format);
        let (a, b) = (s.unknown("a"), s.unknown("b"));
        let [two, hundred, fifty] = ["2.0", "100.0", "50.0"].map(|text| s.constant(text));
        let t1 = s.mul(a, b);
        let x1 = s.add(t1, two);
        s.less(hundred, x1);
        let x2 = s.sub(hundred, x1);
        let x3 = s.sub(x2, fifty);
        s.less(fifty, x3);
        s.check_infeasible();
    }
}

#[test]
fn example_9_power_without_a_turn_is_infeasible() {
    for format in [Format::F32, Format::F64] {
        let mut s = System::new(format);
        let y = s.unknown("y");
        let zero = s.constant("0.0");
        s.less(y, zero);
        let w = s.terms.intern(Op::FpNeg, &[y]);
        s.at_most(w, zero);
        s.check_infeasible();
    }
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

#[test]
fn example_10_power_40_turns_single_is_exact() {
    let (mut s, y) = power_turns(Format::F32, 40);
    s.check_bounds(y, "-40.0", "-39.000003814697266");
}

#[test]
fn example_10_power_40_turns_double_is_exact() {
    let (mut s, y) = power_turns(Format::F64, 40);
    s.check_bounds(y, "-40.0", "-39.000000000000007");
}

#[test]
fn example_11_power_350_turns_single_is_exact() {
    let (mut s, y) = power_turns(Format::F32, 350);
    s.check_bounds(y, "-350.0", "-349.00003051757812");
}

#[test]
fn example_11_power_350_turns_double_is_exact() {
    let (mut s, y) = power_turns(Format::F64, 350);
    s.check_bounds(y, "-350.0", "-349.00000000000006");
}
