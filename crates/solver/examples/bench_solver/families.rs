//! Families of hard questions, each asked of the solver, of pure bit-blasting and of z3.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]

use std::time::{Duration, Instant};

use glassbox_solver::{Answer, Layer, Layers, Options, Solver};
use glassbox_terms::{Dialect, Sort, TermId, Terms, export};

use crate::Settings;
use crate::paths::median;
use glassbox_testkit::z3::Z3;

type Build = fn(&mut Terms, u64) -> Vec<TermId>;

const N_INSTANCES: u64 = 9;

const FAMILIES: [(&str, &str, Build); 8] = [
    ("factors", "x*y = K, 64-bit K, 32-bit factors, satisfiable", factors_sat),
    ("factors", "x*y = K, 64-bit K prime, refuted", factors_unsat),
    ("squares", "x*x = c over 32 bits, both answers", squares),
    ("modular", "a*x + b*y = c and d*x - y = e modulo 2^32", modular),
    ("modular", "a*x + b*y = c and k*a*x + k*b*y = d modulo 2^32, refuted", modular_unsat),
    ("mixes", "a mix of xor, shift and multiply hits a value", mix_hits),
    ("mixes", "a mix of xor, shift and multiply, two rounds, low bits", mix_low),
    ("mixes", "a mix of xor, shift and multiply hits a value elsewhere, refuted", mix_misses),
];

pub(crate) fn run(settings: &Settings, is_wanted: &dyn Fn(&str) -> bool) {
    for (name, what, build) in FAMILIES {
        if is_wanted(name) {
            measure(settings, name, what, build);
        }
    }
}

fn measure(settings: &Settings, name: &str, what: &str, build: Build) {
    let (mut ours, mut blast, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    let mut answers = String::new();
    let mut layer_times = vec![Duration::ZERO; Layer::ALL.len()];
    for instance in 0..N_INSTANCES {
        let (time, answer, layers) = ask(settings, Layers::ALL, build, instance);
        for (sum, time) in layer_times.iter_mut().zip(layers) {
            *sum += time;
        }
        ours.push(time);
        answers.push(answer);
        let alone = Layers::NONE.with(Layer::Blast);
        let (time, blast_answer, _) = ask(settings, alone, build, instance);
        blast.push(time);
        assert!(blast_answer == answer || blast_answer == '?' || answer == '?', "blasting agrees");
        if let Some((time, z3_answer)) = ask_z3(settings, build, instance) {
            theirs.push(time);
            assert!(z3_answer == answer || z3_answer == '?' || answer == '?', "z3 agrees");
        }
    }
    let millis = |times: &[Duration]| median(times).as_secs_f64() * 1e3;
    let sum = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    let best = if theirs.is_empty() { millis(&blast) } else { millis(&blast).min(millis(&theirs)) };
    println!("{name}: {what} [{answers}]");
    println!(
        "  median ms: glassbox {:.2}, blast alone {:.2}, z3 {:.2}; total s: {:.2}, {:.2}, {:.2}; \
         glassbox / best {:.2}",
        millis(&ours),
        millis(&blast),
        millis(&theirs),
        sum(&ours),
        sum(&blast),
        sum(&theirs),
        millis(&ours) / best
    );
    let mut shares = String::new();
    for (layer, time) in Layer::ALL.iter().zip(layer_times) {
        if time > Duration::from_micros(10) {
            shares.push_str(&format!(" {} {:.2}", layer.name(), time.as_secs_f64() * 1e3));
        }
    }
    println!("  ms in layers, all instances:{shares}");
}

fn ask(
    settings: &Settings,
    layers: Layers,
    build: Build,
    instance: u64,
) -> (Duration, char, Vec<Duration>) {
    let mut terms = Terms::new();
    let assertions = build(&mut terms, instance);
    let options = Options {
        layers,
        time_limit: Some(settings.limit),
        timing: true,
        ..settings.options.clone()
    };
    let started = Instant::now();
    let mut solver = Solver::new(options);
    for assertion in assertions {
        solver.assert(&mut terms, assertion);
    }
    let answer = match solver.check(&mut terms) {
        Answer::Sat(_) => 's',
        Answer::Unsat(_) => 'u',
        Answer::Unknown(_) => '?',
    };
    let layers = solver.statistics().layers().map(|(_, counters)| counters.time).collect();
    (started.elapsed(), answer, layers)
}

fn ask_z3(settings: &Settings, build: Build, instance: u64) -> Option<(Duration, char)> {
    let mut terms = Terms::new();
    let assertions = build(&mut terms, instance);
    let script = export(&mut terms, &assertions, Dialect::Plain).text;
    // A warm process: its start is not z3's search.
    let mut z3 = Z3::start(&[&format!("-T:{}", settings.limit.as_secs())])?;
    z3.ask("(echo \"ready\")\n");
    let started = Instant::now();
    let answer = z3.ask(&format!("{script}(check-sat)\n"));
    let time = started.elapsed();
    Some((
        time,
        if answer == "sat" {
            's'
        } else if answer == "unsat" {
            'u'
        } else {
            '?'
        },
    ))
}

fn wide_product(terms: &mut Terms) -> TermId {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let (x, y) = (terms.bv_zero_extend(64, x), terms.bv_zero_extend(64, y));
    terms.bv_mul(x, y)
}

fn factors_sat(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    const PRIMES: [(u128, u128); 9] = [
        (65_537, 65_539),
        (99_991, 104_729),
        (1_299_709, 15_485_863),
        (179_424_673, 101),
        (2_147_483_647, 65_537),
        (4_294_967_291, 7),
        (1_000_003, 1_000_033),
        (32_452_843, 49_979_687),
        (86_028_121, 122_949_823),
    ];
    let (p, q) = PRIMES[usize::try_from(instance).expect("small")];
    let product = wide_product(terms);
    let target = terms.bv_u(p * q, 64);
    vec![terms.eq(product, target)]
}

fn factors_unsat(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    const PRIMES: [u128; 9] = [
        4_294_967_311,
        6_442_450_967,
        8_589_934_609,
        17_179_869_209,
        34_359_738_421,
        68_719_476_767,
        137_438_953_481,
        274_877_906_951,
        549_755_813_911,
    ];
    let product = wide_product(terms);
    let target = terms.bv_u(PRIMES[usize::try_from(instance).expect("small")], 64);
    vec![terms.eq(product, target)]
}

fn squares(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let square = terms.bv_mul(x, x);
    let root = 0x1234_5679_u128 + u128::from(instance) * 0x0101_0101;
    // A square plus four times an odd number is no square modulo 16 when the root is odd.
    let target = root * root + if instance.is_multiple_of(2) { 0 } else { 4 };
    let target = terms.bv_u(target, 32);
    vec![terms.eq(square, target)]
}

fn modular(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let seed = u128::from(instance);
    let times = |terms: &mut Terms, factor: u128, var: TermId| {
        let factor = terms.bv_u(factor, 32);
        terms.bv_mul(factor, var)
    };
    let (ax, by) = (times(terms, 1_103_515_245 + 2 * seed, x), times(terms, 12_346 + 2 * seed, y));
    let sum = terms.bv_add(ax, by);
    let c = terms.bv_u(777 + seed * 1_000_003, 32);
    let first = terms.eq(sum, c);
    let dx = times(terms, 6 + 4 * seed, x);
    let difference = terms.bv_sub(dx, y);
    let e = terms.bv_u(99_999 + seed, 32);
    vec![first, terms.eq(difference, e)]
}

fn modular_unsat(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let seed = u128::from(instance);
    let (a, b, c) = (1_103_515_245 + 2 * seed, 12_345 + 2 * seed, 777 + seed * 1_000_003);
    let k = 7 + 2 * seed;
    let equation = |terms: &mut Terms, k: u128, offset: u128| {
        let [a, b, c] = [k * a, k * b, k * c + offset].map(|value| terms.bv_u(value, 32));
        let (ax, by) = (terms.bv_mul(a, x), terms.bv_mul(b, y));
        let sum = terms.bv_add(ax, by);
        terms.eq(sum, c)
    };
    vec![equation(terms, 1, 0), equation(terms, k, 1)]
}

/// The mix is a bijection: a value is hit by one input only.
fn mix_misses(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let known = terms.bv_u(0x1357_9bdf ^ u128::from(instance * 0x0101_6b25), 32);
    let two_rounds = |terms: &mut Terms, h: TermId| {
        let once = mix_round(terms, h, 16, 0x85eb_ca6b);
        mix_round(terms, once, 13, 0xc2b2_ae35)
    };
    let (value, target) = (two_rounds(terms, x), two_rounds(terms, known));
    vec![terms.eq(value, target), terms.ne(x, known)]
}

fn mix_round(terms: &mut Terms, mut h: TermId, shift: u128, factor: u128) -> TermId {
    let shift = terms.bv_u(shift, 32);
    let shifted = terms.bv_lshr(h, shift);
    h = terms.bv_xor(h, shifted);
    let factor = terms.bv_u(factor, 32);
    terms.bv_mul(h, factor)
}

fn mix_hits(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let once = mix_round(terms, x, 16, 0x85eb_ca6b);
    let twice = mix_round(terms, once, 13, 0xc2b2_ae35);
    let target = terms.bv_u(0xdead_beef ^ u128::from(instance * 0x9e37), 32);
    vec![terms.eq(twice, target)]
}

fn mix_low(terms: &mut Terms, instance: u64) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Bv(32));
    let y = terms.fresh_var("y", Sort::Bv(32));
    let sum = terms.bv_add(x, y);
    let once = mix_round(terms, sum, 15, 0x85eb_ca6b);
    let other = terms.bv_xor(once, x);
    let twice = mix_round(terms, other, 13, 0xc2b2_ae35);
    let low = terms.bv_extract(15, 0, twice);
    let target = terms.bv_u(u128::from(instance * 7919), 16);
    let bound = terms.bv_u(1000, 32);
    vec![terms.eq(low, target), terms.bv_ult(x, bound), terms.bv_ult(y, bound)]
}
