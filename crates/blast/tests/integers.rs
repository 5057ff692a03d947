//! Every integer and boolean operator against `terms::eval`: all operands at 1 to 4 bits, random and
//! corner operands at larger widths.

mod oracle;

use glassbox_terms::family::{BV_COMBINE, bv_relations};
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms};
use glassbox_testkit::Random;
use oracle::{Bench, Operands};

const UNARY: [Op; 3] = [Op::Bv(BvOp::Neg), Op::Bv(BvOp::Not), Op::Bv(BvOp::NegOverflow)];

#[test]
fn booleans() {
    for op in [Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or)] {
        for n_args in 2..=5 {
            Bench::new(op, &vec![Sort::Bool; n_args]).check_all();
        }
    }
    for op in [Op::Bool(BoolOp::Xor), Op::Eq] {
        Bench::new(op, &[Sort::Bool; 2]).check_all();
    }
    Bench::new(Op::Bool(BoolOp::Not), &[Sort::Bool]).check_all();
    Bench::new(Op::Ite, &[Sort::Bool; 3]).check_all();
}

#[test]
fn binary_operators_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in BV_COMBINE {
            Bench::new(op, &[Sort::Bv(width); 2]).check_all();
        }
    }
}

#[test]
fn relations_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in bv_relations() {
            Bench::new(op, &[Sort::Bv(width); 2]).check_all();
        }
    }
}

/// `op(x, x)`, `op(x, c)` and `op(c, x)` for every constant: the circuits that are special there.
#[test]
fn shared_and_constant_operands_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in BV_COMBINE.into_iter().chain(bv_relations()) {
            let mut terms = Terms::new();
            let x = terms.fresh_var("x", Sort::Bv(width));
            let both = terms.intern(op, &[x, x]);
            Bench::of(terms, both, vec![x]).check_all();
            for value in 0..1u128 << width {
                for x_first in [true, false] {
                    let mut terms = Terms::new();
                    let x = terms.fresh_var("x", Sort::Bv(width));
                    let c = terms.bv_u(value, width);
                    let term = terms.intern(op, &if x_first { [x, c] } else { [c, x] });
                    Bench::of(terms, term, vec![x]).check_all();
                }
            }
        }
    }
}

#[test]
fn squares_and_constant_factors_and_divisors_at_larger_widths() {
    let mut random = Random::new(8);
    for width in [5, 8, 32, 64, 128] {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(width));
        let square = terms.intern(BvOp::Mul, &[x, x]);
        let mut bench = Bench::of(terms, square, vec![x]);
        for _ in 0..8 {
            bench.check(&[random.value(Sort::Bv(width))]);
        }
        for op in [
            Op::Bv(BvOp::Mul),
            Op::Bv(BvOp::Udiv),
            Op::Bv(BvOp::Urem),
            Op::Bv(BvOp::Sdiv),
            Op::Bv(BvOp::Srem),
            Op::Bv(BvOp::Smod),
        ] {
            for _ in 0..8 {
                let mut terms = Terms::new();
                let x = terms.fresh_var("x", Sort::Bv(width));
                let c = terms.bv_u(random.corner(width), width);
                let term = terms.intern(op, &[x, c]);
                let mut bench = Bench::of(terms, term, vec![x]);
                for _ in 0..4 {
                    bench.check(&[random.value(Sort::Bv(width))]);
                }
            }
        }
    }
}

/// Equations whose products cancel, wholly or but for a linear rest, over all 2-bit operands.
#[test]
fn polynomial_equations_at_2_bits() {
    let mut random = Random::new(9);
    for _ in 0..400 {
        let mut terms = Terms::new();
        let args: Vec<TermId> = (0..3).map(|_| terms.fresh_var("x", Sort::Bv(2))).collect();
        let mut words = args.clone();
        words.push(terms.bv_u(u128::from(random.below(4_u64)), 2));
        for _ in 0..5 {
            let mut pick = || random.pick(&words);
            let (a, b) = (pick(), pick());
            let op = [
                Op::Bv(BvOp::Add),
                Op::Bv(BvOp::Sub),
                Op::Bv(BvOp::Mul),
                Op::Bv(BvOp::Neg),
                Op::Bv(BvOp::Not),
            ][random.below(5_usize)];
            let operands =
                if matches!(op, Op::Bv(BvOp::Neg | BvOp::Not)) { vec![a] } else { vec![a, b] };
            words.push(terms.intern(op, &operands));
        }
        // Distribute one product over the last two words, so that terms do cancel.
        let (x, y, z) = (words[words.len() - 1], words[words.len() - 2], args[0]);
        let sum = terms.intern(BvOp::Add, &[x, y]);
        let left = terms.intern(BvOp::Mul, &[sum, z]);
        let (xz, yz) = (terms.intern(BvOp::Mul, &[x, z]), terms.intern(BvOp::Mul, &[z, y]));
        let rest = random.pick(&words);
        let right = terms.intern(BvOp::Add, &[xz, yz]);
        let right = terms.intern(BvOp::Add, &[right, rest]);
        let equation = terms.intern(Op::Eq, &[left, right]);
        Bench::of(terms, equation, args).check_all();
    }
}

#[test]
fn unary_operators_and_slices_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in UNARY {
            Bench::new(op, &[Sort::Bv(width)]).check_all();
        }
        Bench::new(Op::Ite, &[Sort::Bool, Sort::Bv(width), Sort::Bv(width)]).check_all();
        for low_width in 1..=3 {
            Bench::new(Op::Bv(BvOp::Concat), &[Sort::Bv(width), Sort::Bv(low_width)]).check_all();
        }
        for lo in 0..width {
            for hi in lo..width {
                Bench::new(Op::Bv(BvOp::Extract { hi, lo }), &[Sort::Bv(width)]).check_all();
            }
        }
        for wide in width..=width + 3 {
            Bench::new(Op::Bv(BvOp::ZeroExtend { width: wide }), &[Sort::Bv(width)]).check_all();
            Bench::new(Op::Bv(BvOp::SignExtend { width: wide }), &[Sort::Bv(width)]).check_all();
        }
    }
}

#[test]
fn wider_operators_on_random_and_corner_operands() {
    let mut random = Random::new(7);
    for width in [5, 8, 13, 16, 31, 32, 33, 64, 128] {
        let is_slow = |op: Op| {
            matches!(
                op,
                Op::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Smod | BvOp::Mul)
            )
        };
        for op in BV_COMBINE.into_iter().chain(bv_relations()) {
            let mut bench = Bench::new(op, &[Sort::Bv(width); 2]);
            let n_samples = if is_slow(op) && width > 33 { 4 } else { 12 };
            for _ in 0..n_samples {
                let operands = [random.value(Sort::Bv(width)), random.value(Sort::Bv(width))];
                bench.check(&operands);
            }
        }
        for op in UNARY {
            let mut bench = Bench::new(op, &[Sort::Bv(width)]);
            for _ in 0..12 {
                bench.check(&[random.value(Sort::Bv(width))]);
            }
        }
    }
}
