//! The polynomial layer against enumeration, and on the systems of the notes.
#![allow(clippy::print_stdout, reason = "the number of boxes is the output of these tests")]

use glassbox_relax::polynomial::{
    Answer, Atom, Interval, Numbers, Options, Polynomial, PolynomialSystem, Sign, solve,
};
use glassbox_testkit::Random;

/// A polynomial from (coefficient, exponents).
fn poly(n_vars: usize, terms: &[(i32, &[u8])]) -> Polynomial {
    let mut sum = Polynomial::constant(n_vars, Interval::ZERO);
    for (coefficient, exponents) in terms {
        let mut term = Polynomial::constant(n_vars, Interval::point(f64::from(*coefficient)));
        for (var, exponent) in exponents.iter().enumerate() {
            for _ in 0..*exponent {
                term = term.times(&Polynomial::variable(n_vars, var)).expect("small");
            }
        }
        sum = sum.plus(&term);
    }
    sum
}

fn side(lo: f64, hi: f64) -> Interval {
    Interval::new(lo, hi).expect("sorted")
}

#[test]
fn integer_systems_agree_with_enumeration() {
    let mut random = Random::new(0xdead_beef_1234_5677);
    let (mut refuted, mut found, mut unknown) = (0, 0, 0);
    for _ in 0..400 {
        let n_vars = 2 + usize::try_from(random.range(0, 1)).expect("small");
        let mut atoms = Vec::new();
        let mut raw = Vec::new();
        for _ in 0..random.range(1, 3) {
            let terms: Vec<(i32, Vec<u8>)> = (0..random.range(2, 5))
                .map(|_| {
                    (
                        random.range(-5, 5),
                        (0..n_vars)
                            .map(|_| u8::try_from(random.range(0, 2)).expect("small"))
                            .collect(),
                    )
                })
                .collect();
            let sign = [Sign::Zero, Sign::Zero, Sign::AtMostZero, Sign::BelowZero]
                [usize::try_from(random.range(0, 3)).expect("small")];
            let views: Vec<(i32, &[u8])> = terms.iter().map(|(c, e)| (*c, e.as_slice())).collect();
            atoms.push(Atom { polynomial: poly(n_vars, &views), sign });
            raw.push((terms, sign));
        }
        let (lo, hi) = (random.range(-6, 0), random.range(0, 6));
        let system = PolynomialSystem {
            atoms,
            space: vec![side(f64::from(lo), f64::from(hi)); n_vars],
            numbers: vec![Numbers::Integers; n_vars],
        };
        let holds = |point: &[i64]| {
            raw.iter().all(|(terms, sign)| {
                let value: i64 = terms
                    .iter()
                    .map(|(c, e)| {
                        i64::from(*c)
                            * e.iter()
                                .zip(point)
                                .map(|(e, x)| x.pow(u32::from(*e)))
                                .product::<i64>()
                    })
                    .sum();
                match sign {
                    Sign::Zero => value == 0,
                    Sign::AtMostZero => value <= 0,
                    Sign::BelowZero => value < 0,
                }
            })
        };
        let values: Vec<i64> = (i64::from(lo)..=i64::from(hi)).collect();
        let any = values.iter().any(|x| {
            values.iter().any(|y| {
                if n_vars == 2 {
                    holds(&[*x, *y])
                } else {
                    values.iter().any(|z| holds(&[*x, *y, *z]))
                }
            })
        });
        match solve(&system, &Options { boxes: 5000, ..Options::default() }).0 {
            Answer::Refuted => {
                assert!(!any, "a satisfiable system was refuted: {raw:?} on {lo}..{hi}");
                refuted += 1;
            }
            Answer::Candidate(point) => {
                let point: Vec<i64> = point.iter().map(|x| *x as i64).collect();
                assert!(
                    holds(&point),
                    "the candidate should satisfy an integer system: {raw:?} {point:?}"
                );
                found += 1;
            }
            Answer::Unknown => unknown += 1,
        }
    }
    println!("integer systems: {refuted} refuted, {found} found, {unknown} unknown");
    assert!(refuted > 50 && found > 50);
    assert_eq!(unknown, 0, "small integer boxes should be decided");
}

/// docs/papers/relaxation.md, rule 3.1: the path T,T,T,F,F of gcd. Variables a, b, m, n, x; m and n integers.
fn gcd_system(high: f64, reals: bool) -> PolynomialSystem {
    let atom = |terms: &[(i32, &[u8])], sign| Atom { polynomial: poly(5, terms), sign };
    let unit = |index: usize| std::array::from_fn::<u8, 5, _>(|i| u8::from(i == index));
    let [a, b, m, n, x] = [unit(0), unit(1), unit(2), unit(3), unit(4)];
    let one = [0; 5];
    let atoms = vec![
        atom(&[(-1, &a)], Sign::BelowZero),
        atom(&[(1, &b), (-1, &a)], Sign::BelowZero),
        atom(&[(-1, &m)], Sign::BelowZero),
        atom(&[(-1, &n)], Sign::BelowZero),
        atom(&[(1, &a), (-1, &[0, 1, 1, 0, 0]), (-1, &x)], Sign::Zero),
        atom(&[(-1, &x)], Sign::BelowZero),
        atom(&[(1, &b), (-1, &[0, 0, 0, 1, 1])], Sign::Zero),
        atom(&[(1, &x), (-1, &b), (1, &one)], Sign::BelowZero),
        atom(&[(1, &one), (-1, &x)], Sign::BelowZero),
    ];
    let kind = if reals { Numbers::Reals } else { Numbers::Integers };
    PolynomialSystem {
        atoms,
        space: vec![side(0.0, high); 5],
        numbers: vec![kind, kind, Numbers::Integers, Numbers::Integers, kind],
    }
}

#[test]
fn gcd_path_of_note_h_gets_a_point() {
    for (high, reals) in
        [(10.0, true), (10.0, false), (100.0, true), (1000.0, true), (1000.0, false)]
    {
        let system = gcd_system(high, reals);
        let (answer, boxes) = solve(&system, &Options { boxes: 20_000, tolerance: 1e-3 });
        let Answer::Candidate(point) = answer else { panic!("{answer:?} after {boxes} boxes") };
        println!("gcd path, 0..{high}, reals {reals}: {boxes} boxes, {point:?}");
    }
}

#[test]
fn circle_and_line_without_common_point_are_refuted() {
    // x^2 + y^2 = 1 and x + y >= 2.
    let system = PolynomialSystem {
        atoms: vec![
            Atom {
                polynomial: poly(2, &[(1, &[2, 0]), (1, &[0, 2]), (-1, &[0, 0])]),
                sign: Sign::Zero,
            },
            Atom {
                polynomial: poly(2, &[(-1, &[1, 0]), (-1, &[0, 1]), (2, &[0, 0])]),
                sign: Sign::AtMostZero,
            },
        ],
        space: vec![side(-1e6, 1e6); 2],
        numbers: vec![Numbers::Reals; 2],
    };
    let (answer, boxes) = solve(&system, &Options { boxes: 2000, ..Options::default() });
    println!("circle and line: {boxes} boxes");
    assert_eq!(answer, Answer::Refuted);
}

/// docs/papers/relaxation.md, rules E6 and E7: solutions on the edge are kept, and "not found" is not "none".
#[test]
fn edges_and_small_boxes_are_not_refuted() {
    let edge = PolynomialSystem {
        atoms: vec![Atom { polynomial: poly(1, &[(1, &[1]), (-1, &[0])]), sign: Sign::Zero }],
        space: vec![side(1.0, 2.0)],
        numbers: vec![Numbers::Reals],
    };
    assert!(matches!(solve(&edge, &Options::default()).0, Answer::Candidate(_)));
    // x^2 <= 0 holds at 0 only.
    let touching = PolynomialSystem {
        atoms: vec![Atom { polynomial: poly(1, &[(1, &[2])]), sign: Sign::AtMostZero }],
        space: vec![side(-1.0, 2.0)],
        numbers: vec![Numbers::Reals],
    };
    assert_ne!(solve(&touching, &Options::default()).0, Answer::Refuted);
    // x^2 < 0 never holds; the boxes around 0 stay undecided, or are refuted by the sharp square.
    let never = PolynomialSystem {
        atoms: vec![Atom { polynomial: poly(1, &[(1, &[2])]), sign: Sign::BelowZero }],
        space: vec![side(-1.0, 2.0)],
        numbers: vec![Numbers::Reals],
    };
    assert_eq!(solve(&never, &Options::default()).0, Answer::Refuted);
}
