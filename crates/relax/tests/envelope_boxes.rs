//! Every envelope on every box of a small universe: each row holds at every integer point of the
//! relation that satisfies the bounds the row says it uses, and each deduced bound likewise. How close
//! the rows come to the true hull is printed.
#![allow(clippy::print_stdout, reason = "the tightness figures are the output of these tests")]

use glassbox_relax::definition::Definition;
use glassbox_relax::envelope::rem::Rounding;
use glassbox_relax::envelope::{EnvelopeRow, Relation, logic, mask};
use glassbox_relax::linear::{LinearExpr, Var};
use glassbox_relax::range::{Range, Ranges};
use glassbox_relax::rational::Rational;
use glassbox_relax::simplex::{Optimum, Reason, Side, Simplex, Steps};

struct Box_(Vec<Range>);

impl Ranges for Box_ {
    fn range(&self, var: Var) -> Range {
        self.0[var.index()]
    }
}

fn sub_ranges(range: Range) -> Vec<Range> {
    (range.lo..=range.hi).flat_map(|lo| (lo..=range.hi).map(move |hi| Range::new(lo, hi))).collect()
}

fn points(universe: &[Range]) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for range in universe {
        all = all
            .into_iter()
            .flat_map(|prefix: Vec<i128>| {
                (range.lo..=range.hi).map(move |value| {
                    let mut point = prefix.clone();
                    point.push(value);
                    point
                })
            })
            .collect();
    }
    all
}

/// A row as machine integers.
fn as_integers(expr: &LinearExpr) -> (Vec<(usize, i128)>, i128) {
    let terms = expr
        .terms()
        .iter()
        .map(|(var, c)| (var.index(), c.to_i128().expect("integer coefficients")))
        .collect();
    (terms, expr.constant_part().to_i128().expect("integer constant"))
}

fn holds(row: &EnvelopeRow, integers: &(Vec<(usize, i128)>, i128), point: &[i128]) -> bool {
    let value = integers.0.iter().fold(integers.1, |sum, (var, c)| sum + c * point[*var]);
    match row.relation {
        Relation::AtMostZero => value <= 0,
        Relation::IsZero => value == 0,
    }
}

fn within(uses: &[(Var, Side)], ranges: &Box_, point: &[i128]) -> bool {
    uses.iter().all(|(var, side)| match side {
        Side::Lower => point[var.index()] >= ranges.range(*var).lo,
        Side::Upper => point[var.index()] <= ranges.range(*var).hi,
    })
}

#[derive(Default)]
struct Tightness {
    boxes: u64,
    exact: u64,
    excess: f64,
}

/// Enumerates the boxes of the columns `varied` (the others stay at their universe) and checks all
/// rows and deductions of `definition`. `output` is the column whose tightness is measured.
fn check(
    name: &str,
    universe: &[Range],
    varied: &[usize],
    output: usize,
    relation: impl Fn(&[i128]) -> bool,
    definition: &Definition,
) {
    let solutions: Vec<Vec<i128>> =
        points(universe).into_iter().filter(|point| relation(point)).collect();
    let mut tightness = Tightness::default();
    let mut boxes = vec![Box_(universe.to_vec())];
    for &column in varied {
        boxes = boxes
            .iter()
            .flat_map(|b| {
                sub_ranges(universe[column]).into_iter().map(|range| {
                    let mut ranges = b.0.clone();
                    ranges[column] = range;
                    Box_(ranges)
                })
            })
            .collect();
    }
    for (index, ranges) in boxes.iter().enumerate() {
        let rows = definition.rows(ranges);
        for row in &rows {
            let integers = as_integers(&row.expr);
            for point in solutions.iter().filter(|point| within(&row.uses, ranges, point)) {
                assert!(
                    holds(row, &integers, point),
                    "{name}: {row:?} cuts {point:?} off in {:?}",
                    ranges.0
                );
            }
        }
        for deduction in definition.bounds(ranges) {
            for point in solutions.iter().filter(|point| within(&deduction.uses, ranges, point)) {
                let value = point[deduction.var.index()];
                let kept = match deduction.side {
                    Side::Lower => value >= deduction.value,
                    Side::Upper => value <= deduction.value,
                };
                assert!(kept, "{name}: {deduction:?} cuts {point:?} off in {:?}", ranges.0);
            }
        }
        // Optimizing is slow; a sample of the boxes shows the tightness.
        if index % 7 == 0 {
            measure(ranges, &rows, output, &solutions, &mut tightness);
        }
    }
    println!(
        "{name}: {} boxes, {} solutions; LP hull of the output exact on {}/{} sides, mean excess {:.2}",
        boxes.len(),
        solutions.len(),
        tightness.exact,
        tightness.boxes,
        tightness.excess / tightness.boxes.max(1) as f64,
    );
}

fn measure(
    ranges: &Box_,
    rows: &[EnvelopeRow],
    output: usize,
    solutions: &[Vec<i128>],
    tightness: &mut Tightness,
) {
    let inside: Vec<i128> = solutions
        .iter()
        .filter(|point| point.iter().zip(&ranges.0).all(|(value, range)| range.contains(*value)))
        .map(|point| point[output])
        .collect();
    let (Some(lo), Some(hi)) = (inside.iter().min(), inside.iter().max()) else { return };
    let mut simplex = Simplex::new();
    let columns: Vec<Var> = ranges.0.iter().map(|_| simplex.new_var()).collect();
    let reason = Reason(0);
    for (column, range) in columns.iter().zip(&ranges.0) {
        simplex.assert_lower(*column, &Rational::int(range.lo), reason).expect("box");
        simplex.assert_upper(*column, &Rational::int(range.hi), reason).expect("box");
    }
    for row in rows {
        let slack = simplex.define(&row.expr);
        let limit = -row.expr.constant_part();
        simplex.assert_upper(slack, &limit, reason).expect("rows should not clash");
        if row.relation == Relation::IsZero {
            simplex.assert_lower(slack, &limit, reason).expect("rows should not clash");
        }
    }
    let mut steps = Steps::new(1_000_000);
    assert_eq!(simplex.check(&mut steps), glassbox_relax::simplex::Feasibility::Feasible);
    let objective = LinearExpr::var(columns[output]);
    let best = |optimum| {
        let Optimum::Bounded { value, .. } = optimum else {
            panic!("a box should bound every objective: {optimum:?}")
        };
        value
    };
    let top = best(simplex.maximize(&objective, &mut steps)).floor_i128() - hi;
    let bottom = lo - best(simplex.minimize(&objective, &mut steps)).ceil_i128();
    for excess in [top, bottom] {
        assert!(excess >= 0, "the hull should contain the solutions");
        tightness.boxes += 1;
        tightness.exact += u64::from(excess == 0);
        tightness.excess += excess as f64;
    }
}

fn vars<const N: usize>() -> [Var; N] {
    std::array::from_fn(Var::new)
}

fn signed(bits: u32) -> Range {
    Range::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
}

fn unsigned(bits: u32) -> Range {
    Range::new(0, (1 << bits) - 1)
}

#[test]
fn products_on_all_4_bit_boxes() {
    let [a, b, p] = vars();
    let definition = Definition::Product { a, b, p };
    let full = Range::new(-56, 64);
    check(
        "product, signed 4 bits",
        &[signed(4), signed(4), full],
        &[0, 1],
        2,
        |v| v[0] * v[1] == v[2],
        &definition,
    );
    let full = Range::new(0, 49);
    check(
        "product, unsigned 3 bits",
        &[unsigned(3), unsigned(3), full],
        &[0, 1],
        2,
        |v| v[0] * v[1] == v[2],
        &definition,
    );
}

#[test]
fn factors_from_products_on_all_boxes() {
    let [a, b, p] = vars();
    let definition = Definition::Product { a, b, p };
    check(
        "factor",
        &[Range::new(-3, 2), Range::new(-2, 3), Range::new(-9, 6)],
        &[0, 1, 2],
        0,
        |v| v[0] * v[1] == v[2],
        &definition,
    );
}

#[test]
fn squares_on_all_5_bit_boxes() {
    let [a, p] = vars();
    let definition = Definition::Square { a, p };
    check(
        "square",
        &[signed(5), Range::new(0, 256)],
        &[0],
        1,
        |v| v[0] * v[0] == v[1],
        &definition,
    );
    check(
        "root",
        &[signed(3), Range::new(-1, 17)],
        &[0, 1],
        0,
        |v| v[0] * v[0] == v[1],
        &definition,
    );
}

#[test]
fn powers_on_all_boxes() {
    let [s, p] = vars();
    let definition = Definition::PowerOfTwo { s, p };
    let relation = |v: &[i128]| v[0] >= 0 && v[1] == 1 << v[0];
    check("power of two", &[Range::new(0, 9), Range::new(0, 520)], &[0], 1, relation, &definition);
    check("exponent", &[Range::new(-1, 4), Range::new(-1, 17)], &[0, 1], 0, relation, &definition);
}

#[test]
fn remainders_on_all_4_bit_boxes() {
    let [a, b, r] = vars();
    let truncate = Definition::Remainder { rounding: Rounding::Truncate, a, b, r };
    let floor = Definition::Remainder { rounding: Rounding::Floor, a, b, r };
    let by_truncation = |v: &[i128]| v[2] == if v[1] == 0 { v[0] } else { v[0] % v[1] };
    let by_floor = |v: &[i128]| {
        let rest = if v[1] == 0 {
            v[0]
        } else {
            v[0] - v[1] * (v[0] as f64 / v[1] as f64).floor() as i128
        };
        v[2] == rest
    };
    let s = signed(4);
    check("truncating remainder, signed", &[s, s, s], &[0, 1], 2, by_truncation, &truncate);
    check("flooring remainder, signed", &[s, s, s], &[0, 1], 2, by_floor, &floor);
    let u = unsigned(4);
    check("truncating remainder, unsigned", &[u, u, u], &[0, 1], 2, by_truncation, &truncate);
}

#[test]
fn reified_comparisons_on_all_boxes() {
    let [x, y, b, plus, minus] = vars();
    let f = LinearExpr::from_terms(&[(x, 2), (y, -1)], 1);
    let value = |v: &[i128]| 2 * v[0] - v[1] + 1;
    let u = signed(3);
    let definition = Definition::AtMostZero { b, f: f.clone() };
    check(
        "reified <=",
        &[u, u, Range::BIT],
        &[0, 1],
        2,
        |v| (v[2] == 1) == (value(v) <= 0),
        &definition,
    );
    let definition = Definition::Sign { plus, minus, f };
    let relation =
        |v: &[i128]| (v[3] == 1) == (value(v) > 0) && (v[4] == 1) == (value(v) < 0) && v[2] == 0;
    check(
        "sign",
        &[u, u, Range::point(0), Range::BIT, Range::BIT],
        &[0, 1],
        3,
        relation,
        &definition,
    );
}

#[test]
fn choices_on_all_boxes() {
    let [c, z, x, y] = vars();
    let a = LinearExpr::from_terms(&[(x, 1), (y, 1)], 0);
    let b = LinearExpr::from_terms(&[(x, 1), (y, -1)], 1);
    let definition = Definition::Choice { c: LinearExpr::var(c), z, a, b };
    let u = signed(3);
    let relation = |v: &[i128]| v[1] == if v[0] == 1 { v[2] + v[3] } else { v[2] - v[3] + 1 };
    check("choice", &[Range::BIT, Range::new(-9, 9), u, u], &[0, 2, 3], 1, relation, &definition);
}

fn check_static(
    n: usize,
    universe: Range,
    rows: &[EnvelopeRow],
    relation: impl Fn(&[i128]) -> bool,
) {
    let mut exact = true;
    for point in points(&vec![universe; n]) {
        let kept = rows.iter().all(|row| holds(row, &as_integers(&row.expr), &point));
        assert!(kept || !relation(&point), "{rows:?} cut {point:?} off");
        exact &= kept == relation(&point);
    }
    println!("{n} columns over {universe:?}: integer points exact: {exact}");
}

#[test]
fn connectives_are_their_truth_tables() {
    let [z, x, y, w] = vars();
    let e = |v| LinearExpr::var(v);
    check_static(4, Range::BIT, &logic::and_rows(z, &[e(x), e(y), e(w)]), |v| {
        (v[0] == 1) == (v[1] + v[2] + v[3] == 3)
    });
    check_static(4, Range::BIT, &logic::or_rows(z, &[e(x), e(y), e(w)]), |v| {
        (v[0] == 1) == (v[1] + v[2] + v[3] > 0)
    });
    check_static(3, Range::BIT, &logic::xor_rows(z, &e(x), &e(y)), |v| v[0] == v[1] ^ v[2]);
    check_static(4, Range::BIT, &logic::choice_rows(z, &e(x), &e(y), &e(w)), |v| {
        v[0] == if v[1] == 1 { v[2] } else { v[3] }
    });
}

#[test]
fn masks_on_all_4_bit_points() {
    let [m, x, y] = vars();
    let rows = mask::and_rows(&LinearExpr::var(x), &LinearExpr::var(y), m, 15);
    check_static(3, unsigned(4), &rows, |v| v[0] == v[1] & v[2]);
}
