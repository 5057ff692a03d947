//! Compares the meaning of every SMT-LIB function with z3 on random closed terms.
//!
//! A closed term is folded to its value while it is read; z3 has to refute that it has that
//! value. Usage: `cargo run --release -p glassbox-smtlib --example functions_against_z3 --
//! [FIRST_SEED [COUNT]]`; needs `z3` in the path. Prints every disagreement.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

use glassbox_smtlib::{Command, Front, answer};
use glassbox_terms::{Model, Terms, eval};
use glassbox_testkit::Random;
use glassbox_testkit::z3::answers;

#[path = "../../terms/tests/random_terms/mod.rs"]
mod random_terms;

use random_terms::RandomValues;

const PER_SCRIPT: u64 = 40;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let first: u64 = args.next().unwrap_or(0);
    let count: u64 = args.next().unwrap_or(25);
    let (mut n_terms, mut n_wrong) = (0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let mut script = String::new();
        let mut asked = Vec::new();
        for _ in 0..PER_SCRIPT {
            let term = bool_term(&mut random, 4);
            let value = value_of(&term);
            script.push_str(&format!("(push)(assert (not (= {term} {value})))(check-sat)(pop)\n"));
            asked.push((term, value));
        }
        let output = answers(&script, 20);
        let answers: Vec<&str> = output.lines().collect();
        for (position, (term, value)) in asked.iter().enumerate() {
            n_terms += 1;
            let answer = answers.get(position).copied().unwrap_or("nothing");
            if answer != "unsat" {
                n_wrong += 1;
                println!("seed {seed}: we say {value}, z3 says {answer} to the opposite:\n{term}");
            }
        }
    }
    println!("{n_terms} terms, {n_wrong} disagreements");
}

/// The value of a closed term, as text.
fn value_of(term: &str) -> String {
    let text = format!("(get-value ({term}))");
    let mut terms = Terms::new();
    let mut front = Front::new(&text);
    let command = front.next_command(&mut terms).expect("one command");
    let Command::GetValue(queries) = command.unwrap_or_else(|error| panic!("{error}\n{term}"))
    else {
        panic!("not a get-value: {term}")
    };
    answer::value(queries[0].kind, &eval(&terms, &Model::new(), queries[0].term))
}

fn bits(random: &mut Random, width: u8, depth: u32) -> String {
    if depth == 0 {
        let value = random.bits(width).unsigned();
        return match random.below(3) {
            0 if width.is_multiple_of(4) => {
                format!("#x{value:0digits$x}", digits = usize::from(width) / 4)
            }
            1 => format!("(_ bv{value} {width})"),
            _ => format!("#b{value:0digits$b}", digits = usize::from(width)),
        };
    }
    let depth = depth - 1;
    let a = bits(random, width, depth);
    let b = bits(random, width, depth);
    let binary = [
        "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvand",
        "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvshl", "bvlshr", "bvashr",
    ];
    match random.below(12) {
        0 => format!("(bvnot {a})"),
        1 => format!("(bvneg {a})"),
        2 => format!("((_ rotate_left {}) {a})", random.below(9)),
        3 => format!("((_ rotate_right {}) {a})", random.below(9)),
        4 if width == 8 => {
            let half = bits(random, 4, depth);
            random
                .pick(&["((_ repeat 2) X)", "((_ zero_extend 4) X)", "((_ sign_extend 4) X)"])
                .replace('X', &half)
        }
        5 if width == 8 => {
            format!("(concat {} {})", bits(random, 4, depth), bits(random, 4, depth))
        }
        4 | 5 if width == 4 => format!("((_ extract 6 3) {})", bits(random, 8, depth)),
        6 if width == 1 => {
            let (a, b) = (bits(random, 4, depth), bits(random, 4, depth));
            format!("(bvcomp {a} {b})")
        }
        7 => format!("(ite {} {a} {b})", bool_term(random, depth)),
        8 => format!("(let ((a {a}) (b {b})) (bvadd a b a))"),
        9 if width == 8 => {
            // In range for sure, since z3 leaves other values open as well.
            let small = bits(random, 4, depth);
            let rounding = rounding(random);
            format!("((_ fp.to_sbv 8) {rounding} ((_ to_fp 5 11) RNE {small}))")
        }
        10 if width == 8 => {
            let array = format!("((as const (Array (_ BitVec 4) (_ BitVec 8))) {a})");
            let (i, j) = (bits(random, 4, depth), bits(random, 4, depth));
            format!("(select (store {array} {i} {b}) {j})")
        }
        _ => format!("({} {a} {b})", random.pick(&binary)),
    }
}

fn rounding(random: &mut Random) -> &'static str {
    random.pick(&["RNE", "RNA", "RTP", "RTN", "RTZ", "roundTowardZero"])
}

fn float(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.one_in(4) {
        let literal = ["0.1", "2.5", "(- 1.25)", "(/ 1 3)", "(- (/ 7.5 0.2))", "100000"];
        return match random.below(6) {
            0 => random
                .pick(&[
                    "(_ +oo 5 11)",
                    "(_ -oo 5 11)",
                    "(_ NaN 5 11)",
                    "(_ +zero 5 11)",
                    "(_ -zero 5 11)",
                ])
                .to_owned(),
            1 => format!("((_ to_fp 5 11) {} {})", rounding(random), random.pick(&literal)),
            2 => format!("((_ to_fp 5 11) {} {})", rounding(random), bits(random, 8, 1)),
            3 => format!("((_ to_fp_unsigned 5 11) {} {})", rounding(random), bits(random, 8, 1)),
            4 => format!(
                "((_ to_fp 5 11) {} ((_ to_fp 8 24) {} {}))",
                rounding(random),
                rounding(random),
                random.pick(&literal)
            ),
            _ => format!(
                "(fp {} #b{:05b} #b{:010b})",
                bits(random, 1, 0),
                random.below(32),
                random.below(1024)
            ),
        };
    }
    let depth = depth - 1;
    let (a, b) = (float(random, depth), float(random, depth));
    match random.below(9) {
        0 => format!("(fp.abs {a})"),
        1 => format!("(fp.neg {a})"),
        2 => format!("(fp.sqrt {} {a})", rounding(random)),
        3 => format!("(fp.roundToIntegral {} {a})", rounding(random)),
        4 => format!("(fp.fma {} {a} {b} {})", rounding(random), float(random, depth)),
        _ => {
            let op = random.pick(&["fp.add", "fp.sub", "fp.mul", "fp.div"]);
            format!("({op} {} {a} {b})", rounding(random))
        }
    }
}

fn int(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        let value: u64 = random.below(40);
        return if random.one_in(3) { format!("(- {value})") } else { value.to_string() };
    }
    let depth = depth - 1;
    let (a, b) = (int(random, depth), int(random, depth));
    let divisor = 1 + random.below(9);
    let divisor = if random.one_in(2) { divisor.to_string() } else { format!("(- {divisor})") };
    match random.below(8) {
        0 => format!("(+ {a} {b} 1)"),
        1 => format!("(- {a} {b})"),
        2 => format!("(* {a} {b})"),
        3 => format!("(- {a})"),
        4 => format!("(div {a} {divisor})"),
        5 => format!("(mod {a} {divisor})"),
        6 => format!("(abs {a})"),
        _ => format!("(ite {} {a} {b})", bool_term(random, depth)),
    }
}

fn bool_term(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return random.pick(&["true", "false"]).to_owned();
    }
    let depth = depth - 1;
    let comparisons =
        ["=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];
    let float_comparisons = ["=", "fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq"];
    let classes = [
        "fp.isNormal",
        "fp.isSubnormal",
        "fp.isZero",
        "fp.isInfinite",
        "fp.isNaN",
        "fp.isNegative",
        "fp.isPositive",
    ];
    // `divisible` is missing: z3 4.8 does not know it.
    match random.below(7) {
        0 => {
            let op = random.pick(&["and", "or", "xor", "=>", "="]);
            format!("({op} {} {})", bool_term(random, depth), bool_term(random, depth))
        }
        1 => format!("(not {})", bool_term(random, depth)),
        2 | 3 => {
            let width = random.pick(&[1, 4, 8]);
            let op = random.pick(&comparisons);
            format!("({op} {} {})", bits(random, width, depth), bits(random, width, depth))
        }
        4 => {
            let op = random.pick(&float_comparisons);
            format!("({op} {} {})", float(random, depth), float(random, depth))
        }
        5 => format!("({} {})", random.pick(&classes), float(random, depth)),
        _ => {
            let op = random.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
            format!("({op} {} {})", int(random, depth), int(random, depth))
        }
    }
}
