//! Draws and counts against enumeration, and a test of fit with fixed seeds.

use std::collections::BTreeMap;

use dashu_int::UBig;
use glassbox_terms::{Evaluator, Sort, TermId, Terms};
use glassbox_testkit::Random;

use super::{Count, Obstacle, Sampler, Sampling};

fn values(terms: &Terms, model: &glassbox_terms::Model, variables: &[TermId]) -> Vec<i128> {
    let value = |&variable: &TermId| {
        let var = terms.as_var(variable).expect("a variable");
        model.value(terms, var).as_bits().expect("a number").signed()
    };
    variables.iter().map(value).collect()
}

/// How often each solution was drawn.
fn drawn(
    terms: &mut Terms,
    conditions: &[TermId],
    variables: &[TermId],
    count: usize,
) -> (Count, BTreeMap<Vec<i128>, u64>) {
    let sampler = Sampler::new(terms, &Sampling { conditions, variables }).expect("solutions");
    let mut random = Random::new(2010);
    let mut seen = BTreeMap::new();
    for _ in 0..count {
        let model = sampler.draw(terms, &mut || random.draw()).expect("a solution");
        assert!(Evaluator::new().under(terms, &model).all_hold(conditions));
        *seen.entry(values(terms, &model, variables)).or_insert(0) += 1;
    }
    (sampler.count(), seen)
}

/// Pearson's statistic of draws that should fall on `n_cells` cells equally.
fn chi_square(seen: impl IntoIterator<Item = u64>, n_cells: usize, n_draws: usize) -> f64 {
    let expected = n_draws as f64 / n_cells as f64;
    let (mut sum, mut n_seen) = (0.0, 0);
    for count in seen {
        sum += (count as f64 - expected).powi(2) / expected;
        n_seen += 1;
    }
    sum + (n_cells - n_seen) as f64 * expected
}

/// The value that Pearson's statistic exceeds once in a thousand times (Wilson and Hilferty).
fn critical(freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + 3.090_232 * part.sqrt()).powi(3)
}

/// The path `x >= 1 && y < x` of two bytes: 16 512 inputs, of which each column of `x` holds as many as it has values of `y`.
#[test]
fn draws_of_a_triangle_are_uniform() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", Sort::Bv(8)), terms.fresh_var("y", Sort::Bv(8)));
    let one = terms.bv_u(1, 8);
    let conditions = [terms.bv_sle(one, x), terms.bv_slt(y, x)];
    let n_draws = 10_000;
    let (count, seen) = drawn(&mut terms, &conditions, &[x, y], n_draws);
    let n_inputs: usize = (1..=127).map(|x| x + 128).sum();
    assert_eq!(count, Count::Exact(UBig::from(n_inputs)));
    // Cells of 129 inputs each: by position in the order of all inputs.
    let position = |point: &[i128]| (1..point[0]).map(|x| x + 128).sum::<i128>() + point[1] + 128;
    let n_cells = n_inputs / 129;
    let mut cells = BTreeMap::new();
    let mut n_kept = 0;
    for (point, times) in &seen {
        let cell = position(point) / 129;
        if cell < n_cells as i128 {
            *cells.entry(cell).or_insert(0) += times;
            n_kept += usize::try_from(*times).expect("few draws");
        }
    }
    let statistic = chi_square(cells.into_values(), n_cells, n_kept);
    assert!(statistic < critical(n_cells as f64 - 1.0), "{statistic}");
    // Not too even, either: draws are not dealt.
    assert!(statistic > n_cells as f64 / 2.0, "{statistic}");
}

/// Boxes, rejected points and computed variables at once, on domains that are too large to count.
#[test]
fn draws_of_large_domains_are_uniform() {
    let mut terms = Terms::new();
    let sort = Sort::Bv(32);
    let variables: Vec<TermId> =
        ["x", "y", "z", "w"].iter().map(|name| terms.fresh_var(*name, sort)).collect();
    let [x, y, z, _] = variables[..] else { panic!("four variables") };
    let (zero, bound) = (terms.bv_u(0, 32), terms.bv_u(1 << 20, 32));
    let sum = terms.bv_add(z, x);
    let conditions = [
        terms.bv_sle(zero, x),
        terms.bv_slt(x, bound),
        terms.bv_slt(y, x),
        terms.bv_sle(zero, y),
        terms.eq(sum, y),
    ];
    let n_draws = 8_000;
    let (count, seen) = drawn(&mut terms, &conditions, &variables, n_draws);
    // x in 1..2^20 and y below it; z is computed; w is any of 2^32.
    let exact = UBig::from((1u64 << 20) * ((1 << 20) - 1) / 2) << 32;
    let Count::Between(low, high) = count else { panic!("{count:?} of a triangle") };
    assert!(low <= exact && exact <= high, "{low} {exact} {high}");
    // x / 2^10 and y / 2^10 fall on a triangle of cells; the square root of a uniform share is that of x.
    let mut cells = [0u64; 16];
    let mut of_w = [0u64; 16];
    for (point, times) in &seen {
        assert!(point[2].rem_euclid(1 << 32) == (point[1] - point[0]).rem_euclid(1 << 32));
        let share = (point[0] as f64 / f64::from(1 << 20)).powi(2);
        cells[((share * 16.0) as usize).min(15)] += times;
        of_w[usize::try_from((point[3] + (1 << 31)) >> 28).expect("a nibble")] += times;
    }
    for cells in [cells, of_w] {
        let statistic = chi_square(cells, 16, n_draws);
        assert!(statistic < critical(15.0), "{statistic} {cells:?}");
    }
}

/// Against enumeration: every conjunction of two random comparisons at four bits.
#[test]
fn counts_are_those_of_enumeration() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh_var("x", Sort::Bv(4)), terms.fresh_var("y", Sort::Bv(4)));
        let mut side = |terms: &mut Terms| {
            let constant = terms.bv_u(u128::from(random.draw() % 16), 4);
            let one = if random.draw().is_multiple_of(2) { x } else { y };
            match random.draw() % 6 {
                0 => terms.bv_add(one, constant),
                1 => terms.bv_mul(one, constant),
                2 => terms.bv_sub(x, y),
                3 => terms.bv_xor(x, y),
                4 => constant,
                _ => one,
            }
        };
        let mut conditions = Vec::new();
        for kind in 0..2 {
            let (a, b) = (side(&mut terms), side(&mut terms));
            conditions.push(if kind == 0 { terms.bv_sle(a, b) } else { terms.eq(a, b) });
        }
        let task = crate::enumerate::Enumeration {
            conditions: &conditions,
            variables: &[x, y],
            limit: 1000,
            steps_per_solution: 10_000,
        };
        let all = crate::enumerate::enumerate(&mut terms, &task, &crate::Options::default());
        assert!(all.is_complete);
        let sampling = Sampling { conditions: &conditions, variables: &[x, y] };
        match Sampler::new(&mut terms, &sampling) {
            Ok(sampler) => assert_eq!(sampler.count(), Count::Exact(UBig::from(all.models.len()))),
            Err(obstacle) => assert_eq!((obstacle, all.models.len()), (Obstacle::Empty, 0)),
        }
    }
}

#[test]
fn floats_are_drawn_by_rank_and_nan_is_one_value() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Float(glassbox_values::Format::F32));
    let any = Sampler::new(&mut terms, &Sampling { conditions: &[], variables: &[x] });
    // All numbers of both signs, both zeros and infinities, and NaN.
    let all = 2 * (0x7f80_0000_u64 + 1) + 1;
    assert_eq!(any.expect("floats").count(), Count::Exact(UBig::from(all)));
    let one = terms.float_const(glassbox_values::Float::from_f32(1.0));
    let above = terms.fp_lt(one, x);
    let sampler = Sampler::new(&mut terms, &Sampling { conditions: &[above], variables: &[x] });
    assert_eq!(
        sampler.expect("floats").count(),
        Count::Exact(UBig::from(0x7f80_0000_u64 - 0x3f80_0000))
    );
}

#[test]
fn rare_solutions_are_refused() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", Sort::Bv(64)), terms.fresh_var("y", Sort::Bv(64)));
    let product = terms.bv_mul(x, y);
    let wanted = terms.bv_u(0x1234_5678_9abc_def1, 64);
    let conditions = [terms.eq(product, wanted)];
    let sampling = Sampling { conditions: &conditions, variables: &[x, y] };
    let sampler = Sampler::new(&mut terms, &sampling).expect("boxes");
    let mut random = Random::new(1);
    assert_eq!(sampler.draw(&terms, &mut || random.draw()), Err(Obstacle::Rare));
}
