//! How long float projections take: `cargo run --release -p glassbox-propagators --example float_speed`.
//!
//! Per operator the time of one narrowing, once where nothing is pruned and once where every bound
//! moves; then the longest FPSE example (350 turns of the power loop) through the engine.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "the figures are the output of this command")]

use std::hint::black_box;
use std::time::Instant;

use glassbox_kernel::{AssertId, Budget, FloatInterval};
use glassbox_propagators::Engine;
use glassbox_propagators::float::cover::FloatBox;
use glassbox_propagators::float::{add, div, mul, sqrt};
use glassbox_terms::{FpOp, Op, Sort, Terms};
use glassbox_values::{Float, Format, RoundingMode};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

fn range(lo: f64, hi: f64, format: Format) -> FloatInterval {
    let [lo, hi] = [lo, hi].map(|bound| Float::from_f64(bound).convert(format, NEAREST));
    FloatInterval::between(lo, hi).expect("lo <= hi")
}

fn time<T>(name: &str, narrow: impl Fn() -> T) {
    const ROUNDS: u32 = 20_000;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        black_box(narrow());
    }
    println!("{name}: {} ns", start.elapsed().as_nanos() / u128::from(ROUNDS));
}

type Binary = fn(RoundingMode, [FloatInterval; 2], FloatInterval) -> Option<FloatBox<2>>;

fn main() {
    for (format, mode) in [
        (Format::F64, NEAREST),
        (Format::F32, NEAREST),
        (Format::F64, RoundingMode::TowardPositive),
    ] {
        let operators: [(&str, Binary); 3] =
            [("add", add::narrow_add), ("mul", mul::narrow_mul), ("div", div::narrow_div)];
        for (name, narrow) in operators {
            let name = format!("{name} f{} {mode:?}", format.width());
            let (x, y) = (range(1.0, 2.0, format), range(3.0, 5.0, format));
            let settled = narrow(mode, [x, y], range(0.1, 20.0, format)).expect("satisfiable");
            time(&format!("{name}, settled"), || {
                narrow(mode, black_box(settled.args), settled.result)
            });
            let tight = range(1.1, 1.9, format);
            let wide = range(-1e6, 1e6, format);
            time(&format!("{name}, all bounds move"), || {
                narrow(mode, black_box([wide, tight]), tight)
            });
        }
        let name = format!("sqrt f{} {mode:?}", format.width());
        time(&name, || {
            sqrt::narrow_sqrt(mode, black_box(range(0.0, 9e9, format)), range(2.0, 3.0, format))
        });
    }
    for format in [Format::F32, Format::F64] {
        power_turns(format);
    }
}

fn power_turns(format: Format) {
    let mut terms = Terms::new();
    let y = terms.fresh_var("y", Sort::Float(format));
    let [zero, one] = [0.0, 1.0].map(|value| {
        let float = Float::from_f64(value).convert(format, NEAREST);
        terms.intern(Op::FloatConst(float), &[])
    });
    let mut assertions = vec![terms.intern(FpOp::Lt, &[y, zero])];
    let mut w = terms.intern(FpOp::Sub(NEAREST), &[zero, y]);
    for _ in 0..350 {
        assertions.push(terms.intern(FpOp::Lt, &[zero, w]));
        w = terms.intern(FpOp::Sub(NEAREST), &[w, one]);
    }
    assertions.push(terms.intern(FpOp::Le, &[w, zero]));
    let start = Instant::now();
    let mut engine = Engine::new();
    for assertion in assertions {
        engine.assert(&terms, assertion, AssertId(0));
    }
    let outcome = engine.propagate(&mut Budget::steps(u64::MAX));
    println!(
        "350 turns of the power loop, f{}: {outcome:?}, {} propagations, {:?}",
        format.width(),
        engine.counters().propagations,
        start.elapsed()
    );
}
