//! Float assertions through polynomials, against the evaluator on all points of a tiny format and on
//! random points of binary32 and binary64.
#![allow(clippy::print_stdout, reason = "how often the layer decides is the output of these tests")]

use std::collections::BTreeMap;

use glassbox_relax::polynomial::Options;
use glassbox_relax::polynomial::float_terms::{FloatAnswer, FloatBounds, check};
use glassbox_terms::eval::eval;
use glassbox_terms::model::Model;
use glassbox_terms::{Op, Sort, TermId, Terms, Value};
use glassbox_values::{Float, Format, RoundingMode};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).expect("small")
    }
}

struct Table(BTreeMap<TermId, (f64, f64)>);

impl FloatBounds for Table {
    fn finite_range(&self, term: TermId) -> Option<(f64, f64)> {
        self.0.get(&term).copied()
    }
}

fn random_float(rng: &mut Rng, t: &mut Terms, leaves: &[TermId], depth: usize) -> TermId {
    if depth == 0 || rng.below(5) == 0 {
        return leaves[rng.below(leaves.len())];
    }
    let rounding = RoundingMode::ALL[rng.below(5)];
    let sub = |t: &mut Terms, rng: &mut Rng| random_float(rng, t, leaves, depth - 1);
    let (a, b) = (sub(t, rng), sub(t, rng));
    match rng.below(6) {
        0 | 1 => t.intern(Op::FpAdd(rounding), &[a, b]),
        2 => t.intern(Op::FpSub(rounding), &[a, b]),
        3 => t.intern(Op::FpMul(rounding), &[a, b]),
        4 => {
            let c = sub(t, rng);
            t.intern(Op::FpFma(rounding), &[a, b, c])
        }
        _ => t.intern(Op::FpNeg, &[a]),
    }
}

fn random_assertion(rng: &mut Rng, t: &mut Terms, leaves: &[TermId]) -> TermId {
    let (a, b) = (random_float(rng, t, leaves, 2), random_float(rng, t, leaves, 2));
    let op = [Op::FpLt, Op::FpLe, Op::FpEq, Op::FpLt][rng.below(4)];
    let compared = t.intern(op, &[a, b]);
    if rng.below(3) == 0 { t.intern(Op::Not, &[compared]) } else { compared }
}

#[test]
fn refutations_hold_on_all_points_of_a_tiny_format() {
    let format = Format::new(3, 3).expect("a tiny format");
    let finite: Vec<Float> = (0..1_u64 << format.width())
        .map(|bits| Float::from_bits(bits, format))
        .filter(|f| f.is_finite())
        .collect();
    let mut rng = Rng(0x0bad_cafe_0bad_cafe);
    let (mut refuted, mut unsatisfiable, mut proposed, mut satisfiable) = (0, 0, 0, 0);
    for case in 0..400 {
        let mut t = Terms::new();
        let x = t.fresh_var("x", Sort::Float(format));
        let y = t.fresh_var("y", Sort::Float(format));
        let constant = t.intern(Op::FloatConst(finite[rng.below(finite.len())]), &[]);
        let leaves = [x, y, x, y, constant];
        let n = 1 + rng.below(3);
        let assertions: Vec<TermId> =
            (0..n).map(|_| random_assertion(&mut rng, &mut t, &leaves)).collect();
        let mut range = || {
            let (a, b) = (
                finite[rng.below(finite.len())].to_f64(),
                finite[rng.below(finite.len())].to_f64(),
            );
            (a.min(b), a.max(b))
        };
        let table = Table(BTreeMap::from([(x, range()), (y, range())]));
        let holds = |a: Float, b: Float, which: &[TermId]| {
            let mut model = Model::new();
            for (term, value) in [(x, a), (y, b)] {
                let Op::Var(var) = t.op(term) else { unreachable!() };
                model.set(var, Value::Float(value));
            }
            which.iter().all(|term| eval(&t, &model, *term) == Value::Bool(true))
        };
        let inside = |term: TermId, f: Float| {
            let (lo, hi) = table.0[&term];
            lo <= f.to_f64() && f.to_f64() <= hi
        };
        let any = |which: &[TermId]| {
            finite
                .iter()
                .filter(|a| inside(x, **a))
                .any(|a| finite.iter().filter(|b| inside(y, **b)).any(|b| holds(*a, *b, which)))
        };
        let truth = any(&assertions);
        satisfiable += usize::from(truth);
        unsatisfiable += usize::from(!truth);
        let options = Options { boxes: 300, tolerance: 1e-4 };
        match check(&t, &assertions, &table, &options).0 {
            FloatAnswer::Refuted { assertions: named, .. } => {
                let named: Vec<TermId> = named.into_iter().map(|i| assertions[i]).collect();
                assert!(!any(&named), "case {case}: a satisfiable system was refuted");
                refuted += 1;
            }
            FloatAnswer::Candidate(values) => {
                let value =
                    |term| values.iter().find(|(t, _)| *t == term).map_or(finite[0], |(_, f)| *f);
                proposed += usize::from(truth && holds(value(x), value(y), &assertions));
            }
            FloatAnswer::Unknown => {}
        }
    }
    println!(
        "tiny floats: {unsatisfiable} unsatisfiable of which {refuted} refuted; \
         {satisfiable} satisfiable, candidate right in {proposed}"
    );
    assert!(refuted > 40 && proposed > 40);
}

#[test]
fn planted_points_of_wide_formats_survive() {
    let mut rng = Rng(77);
    for format in [Format::F32, Format::F64] {
        for case in 0..300 {
            let mut t = Terms::new();
            let vars: Vec<TermId> =
                (0..3).map(|i| t.fresh_var(format!("v{i}"), Sort::Float(format))).collect();
            let mut model = Model::new();
            let mut table = Table(BTreeMap::new());
            for &term in &vars {
                let scale = 10_f64.powi(i32::try_from(rng.below(13)).expect("small") - 6);
                let value = (rng.below(2_000_001) as f64 - 1e6) * scale;
                let float = Float::from_f64(value).convert(format, RoundingMode::NearestEven);
                let Op::Var(var) = t.op(term) else { unreachable!() };
                model.set(var, Value::Float(float));
                let reach = rng.below(1000) as f64 * scale;
                let _ = table.0.insert(term, (float.to_f64() - reach, float.to_f64() + reach));
            }
            let assertions: Vec<TermId> = (0..3)
                .map(|_| {
                    let drafted = random_assertion(&mut rng, &mut t, &vars);
                    let holds = eval(&t, &model, drafted) == Value::Bool(true);
                    if holds { drafted } else { t.intern(Op::Not, &[drafted]) }
                })
                .collect();
            let answer = check(&t, &assertions, &table, &Options::default()).0;
            assert!(!matches!(answer, FloatAnswer::Refuted { .. }), "case {case} in {format:?}");
        }
    }
}

/// `x*x + y*y <= 1` and `x + y >= 2` in doubles.
#[test]
fn disc_and_half_plane_in_doubles() {
    let mut t = Terms::new();
    let [x, y] = ["x", "y"].map(|name| t.fresh_var(name, Sort::Float(Format::F64)));
    let near = RoundingMode::NearestEven;
    let (xx, yy) = (t.fp_mul(near, x, x), t.fp_mul(near, y, y));
    let (squares, sum) = (t.fp_add(near, xx, yy), t.fp_add(near, x, y));
    let (one, two) = (t.float_const(Float::from_f64(1.0)), t.float_const(Float::from_f64(2.0)));
    let assertions = [t.fp_le(squares, one), t.fp_le(two, sum)];
    let table = Table(BTreeMap::from([(x, (-1e6, 1e6)), (y, (-1e6, 1e6))]));
    let (answer, boxes) =
        check(&t, &assertions, &table, &Options { boxes: 2000, ..Options::default() });
    println!("disc and half plane: {boxes} boxes");
    assert!(matches!(answer, FloatAnswer::Refuted { .. }), "{answer:?}");
}
