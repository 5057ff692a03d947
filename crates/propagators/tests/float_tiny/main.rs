//! Every float projection on a tiny format, against enumeration, for every rounding mode.
//!
//! All points, many boxes of narrow intervals and a deterministic sample of wide ones; the share of
//! boxes where the projection equals the hull of the solutions is printed (`--nocapture`).

#![allow(clippy::print_stderr, reason = "the optimality figures are the point of the run")]

mod kit;
mod relations;

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_propagators::float::cover::FloatBox;
use glassbox_propagators::float::min_max::{Extreme, narrow_min_max};
use glassbox_propagators::float::{abs, add, div, fma, fmod, mul, neg, rem, round, sqrt, sub};
use glassbox_testkit::Random;
use glassbox_values::{Float, RoundingMode};
use kit::{RandomIntervals, TINY, Table, Tally, narrow_intervals};

/// Boxes sampled for each operation and rounding mode.
const SAMPLES: u64 = 1500;

fn check_binary(
    name: &str,
    apply: impl Fn([Float; 2]) -> Float,
    narrow: impl Fn([FloatInterval; 2], FloatInterval) -> Option<FloatBox<2>>,
) {
    let table = Table::of(apply);
    let mut tally = Tally::default();
    let mut random = Random::new(7);
    let full = FloatInterval::full(TINY);
    let points: Vec<FloatInterval> = full.iter().map(FloatInterval::point).collect();
    for &x in &points {
        for &y in &points {
            table.check(name, &narrow, [x, y], full, &mut tally);
            table.check(name, &narrow, [x, y], random.interval(), &mut tally);
            table.check(name, &narrow, [x, full], y, &mut tally);
            table.check(name, &narrow, [full, x], y, &mut tally);
        }
    }
    let small = narrow_intervals();
    for _ in 0..SAMPLES {
        let mut pick = || random.pick(&small);
        let (x, y, z) = (pick(), pick(), pick());
        // A random small result is mostly unreachable, so most boxes take one that is reached.
        let reached = table.hull([x, y], full).expect("operations are total").result;
        let z = if random.below(4) == 0 { z } else { reached };
        table.check(name, &narrow, [x, y], z, &mut tally);
        table.check(name, &narrow, [x, random.interval()], z, &mut tally);
        table.check(name, &narrow, [random.interval(), y], z, &mut tally);
        let [x, y, z] = [(); 3].map(|()| random.interval());
        table.check(name, &narrow, [x, y], z, &mut tally);
    }
    eprintln!("{name}: {tally}");
}

fn check_unary(
    name: &str,
    apply: impl Fn(Float) -> Float,
    narrow: impl Fn(FloatInterval, FloatInterval) -> Option<FloatBox<1>>,
) {
    let table = Table::of(|[x]| apply(x));
    let narrow = |[x]: [FloatInterval; 1], z| narrow(x, z);
    let mut tally = Tally::default();
    let mut random = Random::new(11);
    let full = FloatInterval::full(TINY);
    let small = narrow_intervals();
    for (index, &x) in small.iter().enumerate() {
        for &z in small.iter().skip(index % 5).step_by(5) {
            table.check(name, narrow, [x], z, &mut tally);
        }
        for wide in [full, FloatInterval::all_numbers(TINY)] {
            table.check(name, narrow, [x], wide, &mut tally);
            table.check(name, narrow, [wide], x, &mut tally);
        }
    }
    for _ in 0..SAMPLES {
        table.check(name, narrow, [random.interval()], random.interval(), &mut tally);
    }
    eprintln!("{name}: {tally}");
}

#[test]
fn addition() {
    for mode in RoundingMode::ALL {
        let name = format!("add {mode:?}");
        check_binary(&name, |[x, y]| x.add(y, mode), |args, z| add::narrow_add(mode, args, z));
        let name = format!("double {mode:?}");
        check_unary(&name, |x| x.add(x, mode), |x, z| add::narrow_double(mode, x, z));
    }
}

#[test]
fn subtraction() {
    for mode in RoundingMode::ALL {
        let name = format!("sub {mode:?}");
        check_binary(&name, |[x, y]| x.sub(y, mode), |args, z| sub::narrow_sub(mode, args, z));
        let name = format!("sub self {mode:?}");
        check_unary(&name, |x| x.sub(x, mode), |x, z| sub::narrow_sub_self(mode, x, z));
    }
}

#[test]
fn multiplication() {
    for mode in RoundingMode::ALL {
        let name = format!("mul {mode:?}");
        check_binary(&name, |[x, y]| x.mul(y, mode), |args, z| mul::narrow_mul(mode, args, z));
        let name = format!("square {mode:?}");
        check_unary(&name, |x| x.mul(x, mode), |x, z| mul::narrow_square(mode, x, z));
    }
}

#[test]
fn division() {
    for mode in RoundingMode::ALL {
        let name = format!("div {mode:?}");
        check_binary(&name, |[x, y]| x.div(y, mode), |args, z| div::narrow_div(mode, args, z));
        let name = format!("div self {mode:?}");
        check_unary(&name, |x| x.div(x, mode), div::narrow_div_self);
    }
}

#[test]
fn square_root() {
    for mode in RoundingMode::ALL {
        let name = format!("sqrt {mode:?}");
        check_unary(&name, |x| x.sqrt(mode), |x, z| sqrt::narrow_sqrt(mode, x, z));
    }
}

#[test]
fn round_to_integral() {
    for mode in RoundingMode::ALL {
        let name = format!("round {mode:?}");
        check_unary(&name, |x| x.round_to_integral(mode), |x, z| round::narrow_round(mode, x, z));
    }
}

#[test]
fn negation_and_absolute_value() {
    check_unary("neg", Float::neg, neg::narrow_neg);
    check_unary("abs", Float::abs, abs::narrow_abs);
}

#[test]
fn minimum_and_maximum() {
    check_binary("min", |[x, y]| x.min(y), |args, z| narrow_min_max(Extreme::Min, args, z));
    check_binary("max", |[x, y]| x.max(y), |args, z| narrow_min_max(Extreme::Max, args, z));
}

#[test]
fn remainders() {
    check_binary("rem", |[x, y]| x.remainder(y), rem::narrow_rem);
    check_binary("fmod", |[x, y]| x.fmod(y), fmod::narrow_fmod);
}

#[test]
fn fused_multiply_add() {
    for mode in RoundingMode::ALL {
        let table = Table::of(|[x, y, z]: [Float; 3]| x.fma(y, z, mode));
        let narrow = |args, r| fma::narrow_fma(mode, args, r);
        let name = format!("fma {mode:?}");
        let mut tally = Tally::default();
        let mut random = Random::new(13);
        let full = FloatInterval::full(TINY);
        let small = narrow_intervals();
        for round in 0..3000_u64 {
            let mut pick = || random.pick(&small);
            let args = [pick(), pick(), pick()];
            let reached = table.hull(args, full).expect("operations are total").result;
            table.check(&name, narrow, args, reached, &mut tally);
            let point = args.map(|arg| FloatInterval::point(arg.iter().next().expect("not empty")));
            table.check(&name, narrow, point, full, &mut tally);
            table.check(&name, narrow, point, random.interval(), &mut tally);
            if round % 20 == 0 {
                let args = [(); 3].map(|()| random.interval());
                table.check(&name, narrow, args, random.interval(), &mut tally);
            }
        }
        eprintln!("{name}: {tally}");
    }
}
