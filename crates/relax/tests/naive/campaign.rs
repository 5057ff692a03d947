//! A campaign: random formulas at small widths against enumeration. Refutations, tightened bounds and
//! their explanations are checked on every assignment.

use std::collections::BTreeMap;

use glassbox_relax::bounds::Bounds;
use glassbox_relax::fact::Explanation;
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation};
use glassbox_relax::simplex::Side;
use glassbox_terms::TermId;
use glassbox_testkit::Random;
use glassbox_values::Signedness;

use super::{Generator, evaluate, read, width};

#[derive(Default)]
struct Table(BTreeMap<(TermId, Signedness), (i128, i128)>);

impl Bounds for Table {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        self.0.get(&(term, signedness)).copied()
    }
}

struct Case {
    generator: Generator,
    assertions: Vec<TermId>,
    bounds: Table,
    rows: Vec<Vec<u128>>,
}

impl Case {
    fn new(random: &mut Random, widths: &[u8], depth: usize) -> Case {
        let mut generator = Generator::new(widths, &[3, 3, 2, 4]);
        let n = 1 + random.below(4);
        let assertions: Vec<TermId> = (0..n).map(|_| generator.boolean(random, depth)).collect();
        let mut bounds = Table::default();
        for &term in &generator.all {
            let is_input = generator.variables.contains(&term);
            if random.below(if is_input { 2 } else { 12 }) != 0 {
                continue;
            }
            let w = width(&generator.terms, term);
            let is_bool = generator.terms.sort(term) == glassbox_terms::Sort::Bool;
            let signedness = if is_bool || random.below(2) == 0 {
                Signedness::Unsigned
            } else {
                Signedness::Signed
            };
            let (lo, hi) = match signedness {
                Signedness::Unsigned => (0, (1 << w) - 1),
                Signedness::Signed => (-(1 << (w - 1)), (1 << (w - 1)) - 1),
            };
            let (a, b) = (random.range(lo, hi), random.range(lo, hi));
            bounds.0.insert((term, signedness), (a.min(b), a.max(b)));
        }
        let bits: u32 = generator.variables.iter().map(|v| width(&generator.terms, *v)).sum();
        let rows = (0..1_u128 << bits)
            .map(|mut code| {
                let inputs: Vec<u128> = generator
                    .variables
                    .iter()
                    .map(|v| {
                        let w = width(&generator.terms, *v);
                        let value = code & ((1 << w) - 1);
                        code >>= w;
                        value
                    })
                    .collect();
                evaluate(&generator.terms, &inputs, &generator.all)
            })
            .collect();
        Case { generator, assertions, bounds, rows }
    }

    /// The assignments that satisfy the named assertions and bounds.
    fn satisfying<'a>(&'a self, because: &'a Explanation) -> impl Iterator<Item = &'a Vec<u128>> {
        self.rows.iter().filter(|row| {
            because.assertions.iter().all(|i| row[self.assertions[*i].index()] == 1)
                && because.bounds.iter().all(|premise| {
                    let value = read(
                        &self.generator.terms,
                        premise.term,
                        row[premise.term.index()],
                        premise.signedness,
                    );
                    let (lo, hi) = self.bounds.0[&(premise.term, premise.signedness)];
                    match premise.side {
                        Side::Lower => value >= lo,
                        Side::Upper => value <= hi,
                    }
                })
        })
    }

    fn is_satisfiable(&self) -> bool {
        self.rows.iter().any(|row| {
            self.assertions.iter().all(|a| row[a.index()] == 1)
                && self.bounds.0.iter().all(|((term, signedness), (lo, hi))| {
                    let value = read(&self.generator.terms, *term, row[term.index()], *signedness);
                    *lo <= value && value <= *hi
                })
        })
    }
}

/// Runs `cases` formulas over variables of the given widths; panics at the first wrong answer. Gives a
/// line of figures.
pub(crate) fn run(seed: u64, cases: usize, widths: &[u8], depth: usize, limits: &Limits) -> String {
    let mut random = Random::new(seed);
    let (mut unsat, mut refuted, mut sat, mut proposed, mut tightenings) = (0, 0, 0, 0, 0);
    for number in 0..cases {
        let case = Case::new(&mut random, widths, depth);
        let mut relaxation = Relaxation::new();
        for &assertion in &case.assertions {
            relaxation.assert(assertion);
        }
        let satisfiable = case.is_satisfiable();
        let outcome = relaxation.check(&case.generator.terms, &case.bounds, limits);
        let again = relaxation.check(&case.generator.terms, &case.bounds, limits);
        assert_eq!(outcome, again, "the same question should get the same answer");
        match outcome {
            Outcome::Infeasible(because) => {
                assert!(
                    !satisfiable,
                    "case {number} of seed {seed}: a satisfiable formula was refuted"
                );
                assert!(
                    case.satisfying(&because).next().is_none(),
                    "case {number} of seed {seed}: the explanation {because:?} is satisfiable"
                );
                refuted += 1;
                unsat += 1;
            }
            Outcome::Open { tightened, candidate } => {
                for bound in &tightened {
                    tightenings += 1;
                    for row in case.satisfying(&bound.because) {
                        let value = read(
                            &case.generator.terms,
                            bound.term,
                            row[bound.term.index()],
                            bound.signedness,
                        );
                        let kept = match bound.side {
                            Side::Lower => value >= bound.value,
                            Side::Upper => value <= bound.value,
                        };
                        assert!(kept, "case {number} of seed {seed}: {bound:?} cuts {value} off");
                    }
                }
                if satisfiable {
                    sat += 1;
                    if let Some(candidate) = candidate {
                        let mut inputs = vec![0; case.generator.variables.len()];
                        for (term, bits) in &candidate.values {
                            inputs[term.index()] = bits.unsigned();
                        }
                        for (term, truth) in &candidate.truths {
                            inputs[term.index()] = u128::from(*truth);
                        }
                        let row = evaluate(&case.generator.terms, &inputs, &case.generator.all);
                        proposed +=
                            usize::from(case.assertions.iter().all(|a| row[a.index()] == 1));
                    }
                } else {
                    unsat += 1;
                }
            }
        }
    }
    format!(
        "seed {seed} depth {depth}: {cases} formulas, {unsat} unsatisfiable of which {refuted} refuted; \
         {sat} satisfiable, candidate right in {proposed}; {tightenings} bounds tightened"
    )
}

/// Formulas at any width that are made true at a random point: no answer may exclude that point.
pub(crate) fn run_planted(
    seed: u64,
    cases: usize,
    widths: &[u8],
    depth: usize,
    limits: &Limits,
) -> String {
    let mut random = Random::new(seed);
    let (mut tightenings, mut proposed) = (0, 0);
    for number in 0..cases {
        let compared: Vec<u8> = widths.iter().copied().filter(|w| *w > 0).collect();
        let mut generator = Generator::new(widths, &compared);
        let inputs: Vec<u128> = generator
            .variables
            .iter()
            .map(|v| {
                let w = width(&generator.terms, *v);
                let value = if random.below(2) == 0 {
                    random.range(-20_i128, 20).cast_unsigned()
                } else {
                    u128::from(random.draw())
                };
                value & ((1 << w) - 1)
            })
            .collect();
        let n = 1 + random.below(5);
        let drafts: Vec<TermId> = (0..n).map(|_| generator.boolean(&mut random, depth)).collect();
        let drafted = evaluate(&generator.terms, &inputs, &generator.all);
        let assertions: Vec<TermId> = drafts
            .into_iter()
            .map(|term| {
                if drafted[term.index()] == 1 {
                    term
                } else {
                    generator.make(glassbox_terms::Op::Bool(glassbox_terms::BoolOp::Not), &[term])
                }
            })
            .collect();
        let values = evaluate(&generator.terms, &inputs, &generator.all);
        let mut bounds = Table::default();
        for &term in &generator.all {
            if random.below(3) != 0 {
                continue;
            }
            let is_bool = generator.terms.sort(term) == glassbox_terms::Sort::Bool;
            let signedness = if is_bool || random.below(2) == 0 {
                Signedness::Unsigned
            } else {
                Signedness::Signed
            };
            let value = read(&generator.terms, term, values[term.index()], signedness);
            let reach = 1_i128 << random.below(70);
            let (below, above) = (random.range(0, reach), random.range(0, reach));
            bounds.0.insert((term, signedness), (value - below, value + above));
        }
        let mut relaxation = Relaxation::new();
        for &assertion in &assertions {
            relaxation.assert(assertion);
        }
        match relaxation.check(&generator.terms, &bounds, limits) {
            Outcome::Infeasible(because) => {
                panic!(
                    "case {number} of seed {seed}: refuted by {because:?} although {inputs:?} satisfies it"
                )
            }
            Outcome::Open { tightened, candidate } => {
                for bound in &tightened {
                    tightenings += 1;
                    let value = read(
                        &generator.terms,
                        bound.term,
                        values[bound.term.index()],
                        bound.signedness,
                    );
                    let kept = match bound.side {
                        Side::Lower => value >= bound.value,
                        Side::Upper => value <= bound.value,
                    };
                    assert!(kept, "case {number} of seed {seed}: {bound:?} cuts {value} off");
                }
                let mut point = inputs.clone();
                for (term, bits) in candidate.iter().flat_map(|c| &c.values) {
                    point[term.index()] = bits.unsigned();
                }
                for (term, truth) in candidate.iter().flat_map(|c| &c.truths) {
                    point[term.index()] = u128::from(*truth);
                }
                let row = evaluate(&generator.terms, &point, &generator.all);
                proposed += usize::from(assertions.iter().all(|a| row[a.index()] == 1));
            }
        }
    }
    format!(
        "seed {seed} widths {widths:?} depth {depth}: {cases} planted, {tightenings} bounds tightened, candidate right in {proposed}"
    )
}
