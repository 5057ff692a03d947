//! Covering against known maxima, special values and random runs.

use super::*;
use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_coverage::{Target, criterion};
use glassbox_interp::{Machine, Options};
use glassbox_libc::Libc;

/// Options that allow so many instructions.
fn within(covering: u64) -> crate::options::Options {
    crate::options::Options { covering, ..crate::options::Options::default() }
}

fn read(text: &str) -> (Program, FuncId) {
    let mut front = Front::new();
    front.add_unit("f.c", text.as_bytes().to_vec(), &mut |_| None);
    let program = compile(front, Promotion::Promote).program.expect("good C");
    let function = program.function_named("f").expect("f is defined");
    (program, function)
}

/// Texts of branch goals that covering excludes.
fn excluded(text: &str) -> Vec<String> {
    let (program, function) = read(text);
    let goals = criterion::by_name("branch").expect("a criterion").goals(&program, function);
    let body = program.body(function);
    goals
        .iter()
        .filter(|goal| {
            Question::from_target(function, body, &goal.target)
                .is_some_and(|question| excludes(&program, function, &question, &within(4_000_000)))
        })
        .map(|goal| goal.text.clone())
        .collect()
}

#[test]
fn newtons_iteration_ends_before_twenty_turns() {
    let text = "int f(double a) {
        double r, before;
        int n = 0;
        if (!(a >= 0.0 && a < 1e6)) return -1;
        r = a > 1.0 ? a : 1.0;
        do { before = r; r = (r + a / r) / 2.0; n++; } while (before - r > 1e-3 && n < 20);
        return n;
    }";
    assert_eq!(excluded(text), ["n < 20 is false"]);
}

#[test]
fn a_short_taylor_series_stays_below_its_limit() {
    let text = "int f(float x) {
        float sum = x - x * x * x / 6.0f;
        if (!(x >= 0.0f && x <= 3.0f)) return 0;
        if (sum > 0.943f) return 1;
        if (sum > 0.9427f) return 2;
        return 3;
    }";
    // Its maximum is 0.94280.
    assert_eq!(excluded(text), ["sum > 0.943f is true"]);
}

#[test]
fn nan_and_infinities_are_inputs_too() {
    let text = "int f(double x) {
        if (x != x) return 1;
        if (x - x != 0.0) return 2;
        if (x > 1e300 && x / 2.0 < 1e200) return 3;
        return 4;
    }";
    assert_eq!(excluded(text), ["x / 2.0 < 1e200 is true"]);
}

/// Everything that random runs do is not excluded: small random functions of two floats.
#[test]
fn nothing_that_happens_is_excluded() {
    let mut state = 7_u64;
    let mut draw = move |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut n_excluded = 0;
    for round in 0..60 {
        let ty = if round % 2 == 0 { "float" } else { "double" };
        let mut text = format!("int f({ty} x, {ty} y) {{ {ty} a = x, b = y; int n = 0;\n");
        for _ in 0..4 {
            let operators = ["+", "-", "*", "/"];
            let operator = operators[usize::try_from(draw(4)).expect("small")];
            let names = ["a", "b", "x", "2.5", "-3", "0.125"];
            let mut name = || names[usize::try_from(draw(6)).expect("small")];
            let (left, right) = (name(), name());
            let target = if draw(2) == 0 { "a" } else { "b" };
            let limit = i64::try_from(draw(41)).expect("small") - 20;
            text += &format!("if ({target} < {limit}) {target} = {left} {operator} {right};\n");
            text += &format!("while (a > {limit} && n < {}) {{ a = a / 2 - b; n++; }}\n", draw(6));
        }
        text += "if (a == b) return 1; if (a > b) return n; return 2; }";
        let (program, function) = read(&text);
        let body = program.body(function);
        let goals = criterion::by_name("branch").expect("a criterion").goals(&program, function);
        let is_excluded = |target: &Target| {
            Question::from_target(function, body, target)
                .is_some_and(|question| excludes(&program, function, &question, &within(50_000)))
        };
        let proved: Vec<_> = goals.iter().filter(|goal| is_excluded(&goal.target)).collect();
        n_excluded += proved.len();
        let options = Options { coverage: true, max_steps: 100_000, ..Options::default() };
        let mut machine =
            Machine::new(&program, options, Box::new(Libc::new())).expect("a small program");
        for _ in 0..400 {
            machine.reset();
            let mut value = || {
                let number = match draw(4) {
                    0 => (draw(81) as f64 - 40.0) / 4.0,
                    1 => f64::from_bits(draw(1 << 31) << 33 | draw(1 << 31)),
                    2 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                        [usize::try_from(draw(5)).expect("small")],
                    _ => (draw(2_000_001) as f64 - 1e6) / 1e3,
                };
                if ty == "float" {
                    u128::from((number as f32).to_bits())
                } else {
                    u128::from(number.to_bits())
                }
            };
            let args = [value(), value()];
            machine.run(function, &args);
            let Some(counts) = machine.coverage().functions.get(&function) else { continue };
            for goal in &proved {
                if let Target::Edge { block, edge } = goal.target {
                    let count = counts.edges.get(&(block, edge)).copied().unwrap_or(0);
                    assert_eq!(count, 0, "{} is reached by {args:x?} in\n{text}", goal.text);
                }
            }
        }
    }
    assert!(n_excluded > 20, "{n_excluded} goals are excluded");
}
