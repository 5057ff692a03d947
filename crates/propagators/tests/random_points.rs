//! Propagators at real widths: a known solution inside a random box is never lost.
//!
//! Operands are drawn from corners and at random, the result comes from the evaluator, and every
//! variable gets an arc, known bits or a hole around its value. The exhaustive tests see small widths
//! only; this one sees the arithmetic near 2^32, 2^63 and 2^64.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{AssertId, BitsDomain, Budget, Domain};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::eval::apply;
use glassbox_terms::family::{BV_COMBINE, bv_relations};
use glassbox_terms::{BvOp, Op, Sort, TermId, Terms, Value};
use glassbox_testkit::Random;
use glassbox_values::Bits;

/// Numbers that are often corners, and domains around them.
trait RandomBits {
    /// A number of that width: a corner, small, or anything.
    fn number(&mut self, width: u8) -> u64;

    /// A domain around a value.
    fn domain(&mut self, value: u64, width: u8) -> BitsDomain;
}

impl RandomBits for Random {
    fn number(&mut self, width: u8) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let half = (mask >> 1) + 1;
        let value = match self.below(8) {
            0 => self.below(4),
            1 => mask.wrapping_sub(self.below(4)),
            2 => half.wrapping_add(self.below(4)),
            3 => half.wrapping_sub(self.below(4)),
            4 => 1 << self.below(u64::from(width)),
            5 => self.below(200),
            6 => self.draw() >> self.below(64),
            _ => self.draw(),
        };
        value & mask
    }

    fn domain(&mut self, value: u64, width: u8) -> BitsDomain {
        let mask = u64::MAX >> (64 - width);
        let reach = |random: &mut Random| match random.below(4) {
            0 => 0,
            1 => random.below(3),
            2 => random.number(width) >> random.below(u64::from(width)),
            _ => random.number(width),
        };
        let (below, above) = (reach(self), reach(self));
        let arc = match below.checked_add(above) {
            Some(span) if span < mask => {
                Clockwise::new(value.wrapping_sub(below), value.wrapping_add(above), width)
            }
            _ => Clockwise::full(width),
        };
        let mut domain = BitsDomain::from_interval(arc);
        if self.below(3) == 0 {
            let known = self.draw() & self.draw() & self.draw();
            domain = domain.meet_known(value & known, !value & known).expect("holds the value");
        }
        if self.below(4) == 0 {
            let hole = value.wrapping_add(1 + self.below(3));
            if hole & mask != value {
                domain = domain.without(Clockwise::point(hole, width)).expect("holds the value");
            }
        }
        if self.below(6) == 0 {
            let modulus = 3 + self.below(20);
            let class = BitsDomain::from_congruence(value % modulus, modulus, width);
            domain = domain.meet(&class.expect("holds the value")).expect("holds the value");
        }
        assert!(domain.contains(value), "{domain:?} should hold {value}");
        domain
    }
}

fn ops() -> impl Iterator<Item = Op> {
    BV_COMBINE.into_iter().chain(bv_relations())
}

fn unary_ops(width: u8) -> Vec<Op> {
    vec![
        Op::Bv(BvOp::Neg),
        Op::Bv(BvOp::Not),
        Op::Bv(BvOp::NegOverflow),
        Op::Bv(BvOp::Extract { hi: width - 1, lo: width / 3 }),
        Op::Bv(BvOp::Extract { hi: width / 2, lo: 0 }),
        Op::Bv(BvOp::Extract { hi: width - 2, lo: width / 4 }),
    ]
}

/// Tells the engine a domain around the value of a term.
fn tell(engine: &mut Engine, terms: &Terms, random: &mut Random, term: TermId, value: &Value) {
    let domain = match value {
        Value::Bv(bits) => {
            let number = u64::try_from(bits.unsigned()).expect("at most 64 bits");
            Domain::Bits(random.domain(number, bits.width()))
        }
        Value::Bool(_) if random.below(3) > 0 => Domain::point(value),
        Value::Bool(_) | Value::Float(_) | Value::Array(_) => Domain::full(value.sort()),
    };
    assert!(engine.narrow(terms, term, &domain, &[AssertId(0)]));
}

/// `op` over the operands with a solution, in a random box.
fn check(op: Op, operands: &[(TermId, Value)], terms: &mut Terms, random: &mut Random) {
    let result = apply(op, operands.len(), |position| &operands[position].1);
    let vars: Vec<TermId> = operands.iter().map(|(term, _)| *term).collect();
    let term = terms.intern(op, &vars);
    let mut engine = Engine::new();
    for (var, value) in operands {
        tell(&mut engine, terms, random, *var, value);
    }
    tell(&mut engine, terms, random, term, &result);
    let answer = engine.propagate(&mut Budget::steps(100_000));
    assert_eq!(answer, Propagation::Consistent, "{op:?} {operands:?} = {result:?}");
    for (var, value) in operands.iter().chain([&(term, result.clone())]) {
        let domain = engine.domain(*var).expect("it takes part");
        assert!(domain.contains(value), "{op:?} {operands:?} = {result:?}: {domain:?}");
    }
    if operands.iter().all(|(var, _)| engine.domain(*var).is_some_and(Domain::is_fixed)) {
        let fixed = engine.domain(term).and_then(Domain::value);
        assert_eq!(fixed, Some(result), "{op:?} {operands:?} is not decided");
    }
}

#[test]
fn known_solutions_survive_at_real_widths() {
    let mut random = Random::new(1);
    for width in [5u8, 8, 16, 31, 32, 33, 63, 64] {
        let mut terms = Terms::new();
        let vars = ["x", "y"].map(|name| terms.fresh_var(name, Sort::Bv(width)));
        for _ in 0..80 {
            let values = [0, 1].map(|_| Value::Bv(Bits::new(random.number(width).into(), width)));
            let operands: Vec<(TermId, Value)> = vars.into_iter().zip(values).collect();
            for op in ops() {
                check(op, &operands, &mut terms, &mut random);
                let twice = [operands[0].clone(), operands[0].clone()];
                check(op, &twice, &mut terms, &mut random);
            }
            for op in unary_ops(width) {
                check(op, &operands[..1], &mut terms, &mut random);
            }
            for wide in [width, width.saturating_add(7).min(64), 64] {
                let ops = [
                    Op::Bv(BvOp::ZeroExtend { width: wide }),
                    Op::Bv(BvOp::SignExtend { width: wide }),
                ];
                for op in ops {
                    check(op, &operands[..1], &mut terms, &mut random);
                }
            }
            if width <= 32 {
                check(Op::Bv(BvOp::Concat), &operands, &mut terms, &mut random);
            }
        }
    }
}

#[test]
fn known_solutions_of_sums_survive_at_real_widths() {
    let mut random = Random::new(2);
    for width in [8u8, 32, 63, 64] {
        for _ in 0..200 {
            let mut terms = Terms::new();
            let vars = ["x", "y", "z"].map(|name| terms.fresh_var(name, Sort::Bv(width)));
            let values: Vec<Value> = vars
                .iter()
                .map(|_| Value::Bv(Bits::new(random.number(width).into(), width)))
                .collect();
            let factors = vars.map(|_| {
                let factor = Bits::new(random.number(width).into(), width);
                terms.intern(Op::BvConst(factor), &[])
            });
            let mut sides = Vec::new();
            for _ in 0..2 {
                let mut sum = vars[0];
                for (var, factor) in vars.iter().zip(factors).skip(1) {
                    let part = terms.intern(BvOp::Mul, &[*var, factor]);
                    let op =
                        if random.below(2) == 0 { Op::Bv(BvOp::Add) } else { Op::Bv(BvOp::Sub) };
                    sum = terms.intern(op, &[sum, part]);
                }
                sides.push(sum);
            }
            sides.push(vars[0]);
            let mut model = glassbox_terms::Model::new();
            for (var, value) in vars.iter().zip(&values) {
                let Op::Var(id) = terms.op(*var) else { panic!("a variable") };
                model.set(id, value.clone());
            }
            for op in
                [Op::Bv(BvOp::Ult), Op::Bv(BvOp::Sle), Op::Bv(BvOp::Slt), Op::Bv(BvOp::Ule), Op::Eq]
            {
                let pair = [sides[0], sides[1 + usize::from(random.below(2) == 0)]];
                let comparison = terms.intern(op, &pair);
                let truth = glassbox_terms::eval(&terms, &model, comparison);
                let mut engine = Engine::new();
                for (var, value) in vars.iter().zip(&values) {
                    tell(&mut engine, &terms, &mut random, *var, value);
                }
                let side = glassbox_terms::eval(&terms, &model, sides[0]);
                tell(&mut engine, &terms, &mut random, sides[0], &side);
                tell(&mut engine, &terms, &mut random, comparison, &truth);
                let answer = engine.propagate(&mut Budget::steps(100_000));
                assert_eq!(answer, Propagation::Consistent, "{op:?} with {values:?}");
                for (var, value) in vars.iter().zip(&values) {
                    let kept = engine.domain(*var).is_none_or(|domain| domain.contains(value));
                    assert!(kept, "{op:?} loses {values:?}");
                }
            }
        }
    }
}
