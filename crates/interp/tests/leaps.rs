//! Leaps over turns of counting loops against the same loops run turn by turn.

use glassbox_interp::{Coverage, Machine, NoExternals, Options, Outcome};
use glassbox_ir::build::BodyBuilder;
use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, OverflowOp};
use glassbox_ir::{
    Check, CheckKind, FuncId, Function, InstrKind, Language, Linkage, Operand, Param, Passing,
    Program, PureOp, ResultPassing, SourceType, Span, Target, Terminator, Ty, ValueId,
};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Signedness};

/// The loop head's variables and what a turn makes of them.
struct Loop<'a> {
    b: &'a mut BodyBuilder,
    random: &'a mut Random,
    ty: Ty,
    width: u8,
}

impl Loop<'_> {
    fn constant(&mut self) -> Operand {
        let value = self.random.pick(&[0, 1, 1, 2, 3, 5, 7, -1, -1, -2, -3, 100, 999]);
        Operand::Int(Bits::from_signed(value, self.width))
    }

    fn operand(&mut self, variables: &[ValueId]) -> Operand {
        if self.random.draw().is_multiple_of(3) {
            self.constant()
        } else {
            self.random.pick(variables).into()
        }
    }

    /// A value computed from the variables.
    fn value(&mut self, variables: &[ValueId]) -> Operand {
        let lhs: Operand = self.random.pick(variables).into();
        let rhs = self.operand(variables);
        let ty = self.ty;
        match self.random.draw() % 12 {
            0..5 => {
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub]);
                let rhs = self.constant();
                if self.random.draw().is_multiple_of(3) {
                    let op = if op == BinaryOp::Add { OverflowOp::Add } else { OverflowOp::Sub };
                    self.check(op, lhs, rhs);
                }
                self.b.push_value(PureOp::Binary { op, lhs, rhs }, ty).into()
            }
            5 => {
                let rhs = self.constant();
                if self.random.draw().is_multiple_of(2) {
                    self.check(OverflowOp::Mul, lhs, rhs);
                }
                self.b.push_value(PureOp::Binary { op: BinaryOp::Mul, lhs, rhs }, ty).into()
            }
            6 => {
                let op = self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
                self.b.push_value(PureOp::Binary { op, lhs, rhs }, ty).into()
            }
            7 => {
                let half = Ty::Int(self.width / 2);
                let cast =
                    InstrKind::Pure(PureOp::Cast { op: CastOp::Truncate, arg: lhs, to: half });
                let low = self.b.push_value(cast, half).into();
                let op = self.random.pick(&[CastOp::SignExtend, CastOp::ZeroExtend]);
                self.b.push_value(PureOp::Cast { op, arg: low, to: ty }, ty).into()
            }
            8 => {
                let condition = self.condition(variables);
                let (if_true, if_false) = (self.operand(variables), self.operand(variables));
                let kind = InstrKind::Pure(PureOp::Select {
                    condition: condition.into(),
                    if_true,
                    if_false,
                });
                self.b.push_value(kind, ty).into()
            }
            _ => self.b.push_value(PureOp::Binary { op: BinaryOp::Add, lhs, rhs }, ty).into(),
        }
    }

    fn check(&mut self, op: OverflowOp, lhs: Operand, rhs: Operand) {
        let signedness = Signedness::Signed;
        let kind = InstrKind::Pure(PureOp::Overflows { op, signedness, lhs, rhs });
        let overflows = self.b.push_value(kind, Ty::BOOL);
        let fits = InstrKind::Pure(PureOp::Compare {
            op: CompareOp::Eq,
            lhs: overflows.into(),
            rhs: Operand::Int(Bits::new(0, 1)),
        });
        let condition = self.b.push_value(fits, Ty::BOOL).into();
        let (kind, values, demand) = (CheckKind::SignedOverflow, vec![lhs, rhs], None);
        self.b.push(InstrKind::Check(Check::Condition { kind, condition, values, demand }));
    }

    fn condition(&mut self, variables: &[ValueId]) -> ValueId {
        let ops = [
            CompareOp::Slt,
            CompareOp::Slt,
            CompareOp::Sle,
            CompareOp::Ult,
            CompareOp::Ule,
            CompareOp::Eq,
            CompareOp::Ne,
        ];
        let op = self.random.pick(&ops);
        let (lhs, rhs) = (self.random.pick(variables).into(), self.operand(variables));
        self.b.push_value(PureOp::Compare { op, lhs, rhs }, Ty::BOOL)
    }
}

/// `i = p0, j = p1, n = p2; while (condition) { i, j = ... } return i ^ j`, with a branch inside now and then.
fn random_loop(random: &mut Random) -> (Program, u8) {
    let width = random.pick(&[16, 32, 32, 64]);
    let ty = Ty::Int(width);
    let params = [ty, ty, ty];
    let mut b = BodyBuilder::new(&params);
    let n = b.body().blocks[0].params[2];
    let starts: Vec<Operand> =
        b.body().blocks[0].params[..2].iter().map(|&param| param.into()).collect();
    let head = b.new_block();
    let (i, j) = (b.block_param(head, ty), b.block_param(head, ty));
    let (turn, other, done) = (b.new_block(), b.new_block(), b.new_block());
    b.jump(head, starts);
    b.switch_to(head);
    let variables = [i, j, n];
    let mut made = Loop { b: &mut b, random, ty, width };
    let condition = made.condition(&[i, i, n]).into();
    made.b.terminate(Terminator::Branch {
        condition,
        if_true: Target::new(turn),
        if_false: Target::new(done),
        origin: None,
    });
    made.b.switch_to(turn);
    let (x, y) = (made.value(&variables), made.value(&variables));
    if made.random.draw().is_multiple_of(2) {
        let condition = made.condition(&variables).into();
        made.b.terminate(Terminator::Branch {
            condition,
            if_true: Target::new(other),
            if_false: Target { block: head, args: vec![x, y] },
            origin: None,
        });
    } else {
        made.b.jump(head, vec![x, y]);
    }
    made.b.switch_to(other);
    let x = made.value(&variables);
    made.b.jump(head, vec![x, j.into()]);
    b.switch_to(done);
    let lhs = Operand::from(i);
    let result = b.push_value(PureOp::Binary { op: BinaryOp::Xor, lhs, rhs: j.into() }, ty).into();
    b.terminate(Terminator::Return(Some(result)));
    let mut program = Program::new(Language::C);
    let source_type = program.intern_source_type(SourceType::Void);
    program.functions.push(Function {
        name: "f".into(),
        linkage: Linkage::External,
        origin: glassbox_ir::Origin::User,
        params: params
            .iter()
            .map(|&ty| Param { name: "p".into(), ty, source_type, passing: Passing::Direct })
            .collect(),
        result: ResultPassing::Direct(ty),
        result_source_type: source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: Some(b.finish()),
        span: Span::nowhere(),
    });
    (program, width)
}

fn run(program: &Program, args: &[u128], options: Options) -> (Outcome, Coverage, u64, u64) {
    let mut machine = Machine::new(program, options, Box::new(NoExternals)).expect("small");
    let outcome = machine.run(FuncId::new(0), args);
    (outcome, machine.coverage().clone(), machine.steps(), machine.leapt_steps())
}

#[test]
fn leaps_end_where_single_turns_end() {
    let mut random = Random::new(5);
    let (mut n_leapt, mut n_ended) = (0, 0);
    for _ in 0..6000 {
        let (program, width) = random_loop(&mut random);
        for _ in 0..3 {
            let args: Vec<u128> = (0..3)
                .map(|_| {
                    let small = i128::from(random.draw() % 9_000) - 3_000;
                    let any = i128::from(random.draw());
                    let value = random.pick(&[0, small, small, small, any, -1]);
                    Bits::from_signed(value, width).unsigned()
                })
                .collect();
            // Every other run notes how near it comes to edges.
            let watch = random.draw().is_multiple_of(2).then(|| FuncId::new(0));
            let plain = Options { max_steps: 40_000, coverage: true, watch, ..Options::default() };
            let (outcome, coverage, n_steps, _) = run(&program, &args, plain);
            if outcome == Outcome::OutOfSteps {
                continue;
            }
            n_ended += 1;
            let leaping = Options { leaps: true, ..plain };
            let (leapt, counted, n_fewer, n_over) = run(&program, &args, leaping);
            assert_eq!(leapt, outcome, "{args:?} {program:?}");
            assert_eq!(counted, coverage, "{args:?} {program:?}");
            n_leapt += u32::from(n_fewer < n_steps);
            assert_eq!(n_fewer + n_over, n_steps, "{args:?} {program:?}");
        }
    }
    assert!(n_leapt > 60, "{n_leapt} of {n_ended} runs leapt");
}

#[test]
fn runs_that_come_back_never_end_and_others_are_not_stopped() {
    let mut random = Random::new(11);
    let (mut n_endless, mut n_ended) = (0, 0);
    for _ in 0..3000 {
        let (program, width) = random_loop(&mut random);
        let args: Vec<u128> = (0..3)
            .map(|_| {
                let small = i128::from(random.draw() % 9_000) - 3_000;
                let value = random.pick(&[0, small, 1, -1]);
                Bits::from_signed(value, width).unsigned()
            })
            .collect();
        let looking = Options { max_steps: 40_000, finds_repetition: true, ..Options::default() };
        let mut machine = Machine::new(&program, looking, Box::new(NoExternals)).expect("small");
        let found = machine.run(FuncId::new(0), &args);
        let plain = Options { max_steps: 400_000, ..Options::default() };
        let (outcome, ..) = run(&program, &args, plain);
        if machine.is_endless() {
            n_endless += 1;
            assert_eq!((found, outcome), (Outcome::OutOfSteps, Outcome::OutOfSteps), "{args:?}");
        } else if found != Outcome::OutOfSteps {
            n_ended += 1;
            assert_eq!(found, outcome, "{args:?} {program:?}");
        }
    }
    assert!(n_endless > 50 && n_ended > 500, "{n_endless} endless, {n_ended} ended");
}

#[test]
fn four_billion_turns_take_no_time() {
    // for (i = n; i > 0; i--); return i
    let mut b = BodyBuilder::new(&[Ty::I32]);
    let n = b.body().blocks[0].params[0];
    let head = b.new_block();
    let i = b.block_param(head, Ty::I32);
    let (turn, done) = (b.new_block(), b.new_block());
    b.jump(head, vec![n.into()]);
    b.switch_to(head);
    let zero = Operand::Int(Bits::new(0, 32));
    let kind = InstrKind::Pure(PureOp::Compare { op: CompareOp::Ult, lhs: zero, rhs: i.into() });
    let condition = b.push_value(kind, Ty::BOOL).into();
    b.terminate(Terminator::Branch {
        condition,
        if_true: Target::new(turn),
        if_false: Target::new(done),
        origin: None,
    });
    b.switch_to(turn);
    let rhs = Operand::Int(Bits::from_signed(-1, 32));
    let less =
        b.push_value(PureOp::Binary { op: BinaryOp::Add, lhs: i.into(), rhs }, Ty::I32).into();
    b.jump(head, vec![less]);
    b.switch_to(done);
    b.terminate(Terminator::Return(Some(i.into())));
    let mut program = Program::new(Language::C);
    let source_type = program.intern_source_type(SourceType::Void);
    let param = Param { name: "n".into(), ty: Ty::I32, source_type, passing: Passing::Direct };
    program.functions.push(Function {
        name: "f".into(),
        linkage: Linkage::External,
        origin: glassbox_ir::Origin::User,
        params: vec![param],
        result: ResultPassing::Direct(Ty::I32),
        result_source_type: source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: Some(b.finish()),
        span: Span::nowhere(),
    });
    let options = Options { max_steps: 1_000_000, leaps: true, ..Options::default() };
    let (outcome, _, n_steps, _) = run(&program, &[u128::from(u32::MAX)], options);
    assert_eq!(outcome, Outcome::Returned(Some(0)));
    assert!(n_steps < 1_000_000);
}
