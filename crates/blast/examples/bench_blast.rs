//! Arithmetic questions timed against z3, its default engine and its pure bit-blasting.
//!
//! `cargo run --release -p glassbox-blast --example bench_blast [-- FILTER [SECONDS [no-z3]]]` prints
//! one line per question: the answer, the time here, z3's times where it is installed, and the ratio
//! of ours to the better one. A `-` means no answer within the time limit.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command-line program")]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use glassbox_blast::{Answer, Blaster, Budget};
use glassbox_terms::{BoolOp, BvOp, Dialect, Evaluator, Op, Sort, TermId, Terms, export};

struct Case {
    name: String,
    terms: Terms,
    assertions: Vec<TermId>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let filter = args.first().map_or("", String::as_str);
    let seconds: u64 = args.get(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let ask_z3 = args.get(2).is_none_or(|text| text != "no-z3") && has_z3();
    println!(
        "{:<34} {:>7} {:>9} {:>9} {:>9} {:>7}",
        "question", "answer", "here", "z3", "z3 sat", "ratio"
    );
    let mut ratios = Vec::new();
    for case in cases().iter().filter(|case| case.name.contains(filter)) {
        let (answer, here) = ask_here(case, seconds);
        let (plain, blasted) = if ask_z3 {
            (ask_z3_with(case, seconds, "(check-sat)"), {
                let command = "(check-sat-using (then simplify bit-blast sat))";
                ask_z3_with(case, seconds, command)
            })
        } else {
            (None, None)
        };
        for (theirs, _) in [&plain, &blasted].into_iter().flatten() {
            assert!(
                answer == "-" || *theirs == answer,
                "{}: {answer} here, {theirs} there",
                case.name
            );
        }
        let times = [&plain, &blasted].map(|run| run.as_ref().map(|(_, time)| *time));
        let best = times.iter().flatten().min().copied();
        let ratio = match (best, answer.as_str()) {
            (Some(best), "sat" | "unsat") => Some(here.as_secs_f64() / best.as_secs_f64()),
            _ => None,
        };
        ratios.extend(ratio);
        println!(
            "{:<34} {:>7} {:>9} {:>9} {:>9} {:>7}",
            case.name,
            answer,
            milliseconds(Some(here)),
            milliseconds(times[0]),
            milliseconds(times[1]),
            ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")),
        );
    }
    if !ratios.is_empty() {
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        println!("ratio to the better of z3's two: geometric mean {mean:.2}, worst {worst:.2}");
    }
}

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or("-".to_string(), |time| format!("{:.1} ms", time.as_secs_f64() * 1e3))
}

fn ask_here(case: &Case, seconds: u64) -> (String, Duration) {
    let start = Instant::now();
    let limit = Duration::from_secs(seconds);
    let stop = Arc::new(move || start.elapsed() > limit);
    let mut blaster = Blaster::default();
    let budget = Budget { max_conflicts: u64::MAX, stop: Some(stop) };
    let answer = blaster.check(&case.terms, &case.assertions, &budget);
    let time = start.elapsed();
    let text = match answer {
        Answer::Sat(model) => {
            let holds = Evaluator::new().under(&case.terms, &model).all_hold(&case.assertions);
            assert!(holds, "{}: the model should hold", case.name);
            "sat"
        }
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "-",
    };
    (text.to_string(), time)
}

fn has_z3() -> bool {
    Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_ok()
}

/// z3's answer and time, without the time it takes to start.
fn ask_z3_with(case: &Case, seconds: u64, command: &str) -> Option<(String, Duration)> {
    let problem = export(&mut case.terms.clone(), &case.assertions, Dialect::Plain);
    let script = format!("{}{command}\n", problem.text);
    let idle = run_z3("(exit)", seconds).1;
    let (text, time) = run_z3(&script, seconds);
    let answer = text.lines().next().unwrap_or("").to_string();
    (answer == "sat" || answer == "unsat").then(|| (answer, time.saturating_sub(idle)))
}

fn run_z3(script: &str, seconds: u64) -> (String, Duration) {
    let start = Instant::now();
    let mut child = Command::new("z3")
        .args(["-in", &format!("-T:{seconds}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 was found before");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(script.as_bytes()).expect("z3 reads its input");
    drop(input);
    let output = child.wait_with_output().expect("z3 ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), start.elapsed())
}

/// Builds one question with raw terms, so that every engine gets the same one.
struct Builder {
    terms: Terms,
    width: u8,
}

impl Builder {
    fn new(width: u8) -> Builder {
        Builder { terms: Terms::new(), width }
    }

    fn var(&mut self) -> TermId {
        self.terms.fresh_var("x", Sort::Bv(self.width))
    }

    fn number(&mut self, value: u128) -> TermId {
        self.terms.bv_u(value, self.width)
    }

    fn op(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.terms.intern(op, args)
    }

    fn done(self, name: impl Into<String>, assertions: &[TermId]) -> Case {
        Case { name: name.into(), terms: self.terms, assertions: assertions.to_vec() }
    }

    /// The claim is valid exactly when the question has no model.
    fn refute(mut self, name: impl Into<String>, left: TermId, right: TermId) -> Case {
        let same = self.op(Op::Eq, &[left, right]);
        let differ = self.op(Op::Bool(BoolOp::Not), &[same]);
        self.done(name, &[differ])
    }

    fn mix(&mut self, x: TermId, shift: u128) -> TermId {
        let amount = self.number(shift);
        let shifted = self.op(Op::Bv(BvOp::Lshr), &[x, amount]);
        self.op(Op::Bv(BvOp::Xor), &[x, shifted])
    }

    fn times(&mut self, x: TermId, factor: u128) -> TermId {
        let factor = self.number(factor);
        self.op(Op::Bv(BvOp::Mul), &[x, factor])
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    factor_cases(&mut cases);
    square_cases(&mut cases);
    modular_cases(&mut cases);
    hash_cases(&mut cases);
    refutation_cases(&mut cases);
    cases
}

/// 64-bit x * y = K with both factors in 32 bits and above one.
fn factors(name: &str, target: u128) -> Case {
    let mut b = Builder::new(64);
    let (x, y) = (b.var(), b.var());
    let product = b.op(Op::Bv(BvOp::Mul), &[x, y]);
    let target = b.number(target);
    let equal = b.op(Op::Eq, &[product, target]);
    let (one, limit) = (b.number(1), b.number(1 << 32));
    let mut assertions = vec![equal];
    for factor in [x, y] {
        assertions.push(b.op(Op::Bv(BvOp::Ult), &[one, factor]));
        assertions.push(b.op(Op::Bv(BvOp::Ult), &[factor, limit]));
    }
    b.done(name, &assertions)
}

fn factor_cases(cases: &mut Vec<Case>) {
    cases.push(factors("factor 32-bit semiprime", 64_063 * 65_521));
    cases.push(factors("factor 40-bit semiprime", 1_046_527 * 957_361));
    cases.push(factors("factor 48-bit semiprime", 14_706_143 * 15_485_863));
    cases.push(factors("factor smooth 64-bit", 4_294_967_295 * 3_000_000_000));
    cases.push(factors("factor near-square 64-bit", 4_294_967_291 * 4_294_967_279));
    cases.push(factors("prime 24-bit", 16_777_213));
    cases.push(factors("prime 28-bit", 268_435_399));
    cases.push(factors("prime 32-bit", 4_294_967_291));
    cases.push(factors("prime 36-bit", 68_719_476_731));
}

fn square_cases(cases: &mut Vec<Case>) {
    for (width, root) in [(32, 48_611u128), (32, 2_718_281_829), (64, 3_141_592_653_589_793)] {
        let mut b = Builder::new(width);
        let x = b.var();
        let square = b.op(Op::Bv(BvOp::Mul), &[x, x]);
        let target = b.number(root * root);
        let equal = b.op(Op::Eq, &[square, target]);
        cases.push(b.done(format!("x*x = c, {width} bits, root {root}"), &[equal]));
    }
    // 5 modulo 8 is no square modulo a power of two.
    for (width, c) in [(32, 1_234_565u128), (64, 0x1234_5678_9abc_def5)] {
        let mut b = Builder::new(width);
        let x = b.var();
        let square = b.op(Op::Bv(BvOp::Mul), &[x, x]);
        let target = b.number(c);
        let equal = b.op(Op::Eq, &[square, target]);
        cases.push(b.done(format!("x*x = {c}, {width} bits, none"), &[equal]));
    }
}

fn modular_cases(cases: &mut Vec<Case>) {
    for (width, a, c) in [
        (32, 0x9e37_79b1u128, 12_345u128),
        (64, 0x9e37_79b9_7f4a_7c15, 987_654_321),
        (32, 6 * 7919, 12_345 * 6),
        (32, 1 << 5, 17),
        (64, 48, 1_000_001),
    ] {
        let mut b = Builder::new(width);
        let x = b.var();
        let product = b.times(x, a);
        let target = b.number(c);
        let equal = b.op(Op::Eq, &[product, target]);
        cases.push(b.done(format!("{a:#x} * x = {c} mod 2^{width}"), &[equal]));
    }
    // Two equations with two unknowns.
    let mut b = Builder::new(32);
    let (x, y) = (b.var(), b.var());
    let mut assertions = Vec::new();
    for (p, q, r) in [(12_345u128, 6_789u128, 424_242u128), (777, 31_337, 99)] {
        let (px, qy) = (b.times(x, p), b.times(y, q));
        let sum = b.op(Op::Bv(BvOp::Add), &[px, qy]);
        let target = b.number(r);
        assertions.push(b.op(Op::Eq, &[sum, target]));
    }
    cases.push(b.done("two linear equations mod 2^32", &assertions));
}

fn hash_cases(cases: &mut Vec<Case>) {
    let mut b = Builder::new(32);
    let x = b.var();
    let mut h = b.mix(x, 16);
    h = b.times(h, 0x85eb_ca6b);
    h = b.mix(h, 13);
    h = b.times(h, 0xc2b2_ae35);
    h = b.mix(h, 16);
    let target = b.number(0xdead_beef);
    let equal = b.op(Op::Eq, &[h, target]);
    cases.push(b.done("murmur3 finalizer, 32 bits", &[equal]));

    let mut b = Builder::new(64);
    let x = b.var();
    let mut h = b.mix(x, 30);
    h = b.times(h, 0xbf58_476d_1ce4_e5b9);
    h = b.mix(h, 27);
    h = b.times(h, 0x94d0_49bb_1331_11eb);
    h = b.mix(h, 31);
    let target = b.number(0x0123_4567_89ab_cdef);
    let equal = b.op(Op::Eq, &[h, target]);
    cases.push(b.done("splitmix finalizer, 64 bits", &[equal]));

    for n_bytes in [3, 4] {
        let mut b = Builder::new(32);
        let mut h = b.number(2_166_136_261);
        let limit = b.number(256);
        let mut assertions = Vec::new();
        for _ in 0..n_bytes {
            let byte = b.var();
            assertions.push(b.op(Op::Bv(BvOp::Ult), &[byte, limit]));
            h = b.op(Op::Bv(BvOp::Xor), &[h, byte]);
            h = b.times(h, 16_777_619);
        }
        let target = b.number(0x1a2b_3c4d);
        assertions.push(b.op(Op::Eq, &[h, target]));
        cases.push(b.done(format!("FNV-1a of {n_bytes} bytes"), &assertions));
    }

    let mut b = Builder::new(32);
    let mut h = b.number(0);
    let limit = b.number(128);
    let mut assertions = Vec::new();
    for _ in 0..5 {
        let character = b.var();
        assertions.push(b.op(Op::Bv(BvOp::Ult), &[character, limit]));
        h = b.times(h, 31);
        h = b.op(Op::Bv(BvOp::Add), &[h, character]);
    }
    let target = b.number(99_162_322);
    assertions.push(b.op(Op::Eq, &[h, target]));
    cases.push(b.done("Java string hash of 5 characters", &assertions));
}

fn refutation_cases(cases: &mut Vec<Case>) {
    for width in [6, 7, 8] {
        let mut b = Builder::new(width);
        let (x, y, z) = (b.var(), b.var(), b.var());
        let sum = b.op(Op::Bv(BvOp::Add), &[y, z]);
        let left = b.op(Op::Bv(BvOp::Mul), &[x, sum]);
        let (xy, xz) = (b.op(Op::Bv(BvOp::Mul), &[x, y]), b.op(Op::Bv(BvOp::Mul), &[x, z]));
        let right = b.op(Op::Bv(BvOp::Add), &[xy, xz]);
        cases.push(b.refute(format!("distributivity, {width} bits"), left, right));
    }
    for width in [8, 10, 12] {
        let mut b = Builder::new(width);
        let (x, one) = (b.var(), b.number(1));
        let (up, down) = (b.op(Op::Bv(BvOp::Add), &[x, one]), b.op(Op::Bv(BvOp::Sub), &[x, one]));
        let left = b.op(Op::Bv(BvOp::Mul), &[up, down]);
        let square = b.op(Op::Bv(BvOp::Mul), &[x, x]);
        let right = b.op(Op::Bv(BvOp::Sub), &[square, one]);
        cases.push(b.refute(format!("(x+1)(x-1) = x*x-1, {width} bits"), left, right));
    }
    let mut b = Builder::new(32);
    let (x, y) = (b.var(), b.var());
    let (left, right) = (b.op(Op::Bv(BvOp::Mul), &[x, y]), b.op(Op::Bv(BvOp::Mul), &[y, x]));
    cases.push(b.refute("x*y = y*x, 32 bits", left, right));
    for width in [32, 64] {
        let mut b = Builder::new(width);
        let (x, y) = (b.var(), b.var());
        let (and, or) = (b.op(Op::Bv(BvOp::And), &[x, y]), b.op(Op::Bv(BvOp::Or), &[x, y]));
        let left = b.op(Op::Bv(BvOp::Add), &[and, or]);
        let right = b.op(Op::Bv(BvOp::Add), &[x, y]);
        cases.push(b.refute(format!("(x&y)+(x|y) = x+y, {width} bits"), left, right));
    }
    for width in [8, 10, 12] {
        let mut b = Builder::new(width);
        let (x, y) = (b.var(), b.var());
        let (q, r) = (b.op(Op::Bv(BvOp::Udiv), &[x, y]), b.op(Op::Bv(BvOp::Urem), &[x, y]));
        let product = b.op(Op::Bv(BvOp::Mul), &[q, y]);
        let sum = b.op(Op::Bv(BvOp::Add), &[product, r]);
        cases.push(b.refute(format!("x/y*y + x%y = x, {width} bits"), sum, x));
    }
    for width in [32, 64] {
        let mut b = Builder::new(width);
        let (x, y) = (b.var(), b.var());
        let q = b.op(Op::Bv(BvOp::Udiv), &[x, y]);
        let zero = b.number(0);
        let above = b.op(Op::Bv(BvOp::Ult), &[x, q]);
        let nonzero = b.op(Op::Bv(BvOp::Ult), &[zero, y]);
        cases.push(b.done(format!("x/y <= x, {width} bits"), &[above, nonzero]));
    }
    let mut b = Builder::new(32);
    let (x, y) = (b.var(), b.var());
    let (q, r) = (b.op(Op::Bv(BvOp::Udiv), &[x, y]), b.op(Op::Bv(BvOp::Urem), &[x, y]));
    let (k, m, low) = (b.number(12_345), b.number(678), b.number(1_000));
    let first = b.op(Op::Eq, &[q, k]);
    let second = b.op(Op::Eq, &[r, m]);
    let third = b.op(Op::Bv(BvOp::Ult), &[low, y]);
    cases.push(b.done("x/y = 12345, x%y = 678, 32 bits", &[first, second, third]));
}
