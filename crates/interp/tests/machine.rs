//! Hand-built functions on the machine: arithmetic, loops, memory, checks, coverage.

use glassbox_interp::{Machine, NoExternals, Options, Outcome};
use glassbox_ir::build::BodyBuilder;
use glassbox_ir::instr::{BinaryOp, CompareOp, HeapFill};
use glassbox_ir::{
    Block, BranchOrigin, Check, CheckKind, Condition, Decision, DecisionKind, Formula, FuncId,
    Function, InstrKind, Language, Linkage, MemoryOp, Operand, Param, Passing, PointerOp, Program,
    PureOp, ResultPassing, SourceType, Span, Target, Terminator, Ty,
};
use glassbox_values::Bits;

fn int(value: u128) -> Operand {
    Operand::Int(Bits::new(value, 32))
}

fn program(params: &[Ty], build: impl FnOnce(&mut BodyBuilder)) -> Program {
    let mut program = Program::new(Language::C);
    let source_type = program.intern_source_type(SourceType::Void);
    let mut builder = BodyBuilder::new(params);
    build(&mut builder);
    program.functions.push(Function {
        name: "f".into(),
        linkage: Linkage::External,
        origin: glassbox_ir::Origin::User,
        params: params
            .iter()
            .map(|&ty| Param { name: "p".into(), ty, source_type, passing: Passing::Direct })
            .collect(),
        result: ResultPassing::Direct(Ty::I32),
        result_source_type: source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: Some(builder.finish()),
        span: Span::nowhere(),
    });
    program
}

fn run(program: &Program, args: &[u128], options: Options) -> (Outcome, glassbox_interp::Coverage) {
    let mut machine = Machine::new(program, options, Box::new(NoExternals)).expect("small");
    let outcome = machine.run(FuncId::new(0), args);
    (outcome, machine.coverage().clone())
}

/// `s = 0; for (i = 0; i < n; i++) s += i; return s`, with the loop's decision recorded.
fn sum_loop() -> Program {
    program(&[Ty::I32], |b| {
        let n = b.body().blocks[0].params[0];
        let head = b.new_block();
        let (i, s) = (b.block_param(head, Ty::I32), b.block_param(head, Ty::I32));
        let (turn, done) = (b.new_block(), b.new_block());
        let decision = b.new_decision(Decision {
            kind: DecisionKind::For,
            span: Span::nowhere(),
            conditions: vec![Condition { span: Span::nowhere(), text: "i < n".into() }],
            formula: Formula::Condition(0),
        });
        b.jump(head, vec![int(0), int(0)]);
        b.switch_to(head);
        let kind =
            InstrKind::Pure(PureOp::Compare { op: CompareOp::Slt, lhs: i.into(), rhs: n.into() });
        let condition = b.push_value(kind, Ty::BOOL);
        b.terminate(Terminator::Branch {
            condition: condition.into(),
            if_true: Target::new(turn),
            if_false: Target::new(done),
            origin: Some(BranchOrigin {
                decision,
                condition: 0,
                is_positive: true,
                outcome_if_true: Some(true),
                outcome_if_false: Some(false),
            }),
        });
        b.switch_to(turn);
        let add = |lhs: Operand, rhs: Operand| {
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Add, lhs, rhs })
        };
        let s2 = b.push_value(add(s.into(), i.into()), Ty::I32);
        let i2 = b.push_value(add(i.into(), int(1)), Ty::I32);
        b.jump(head, vec![i2.into(), s2.into()]);
        b.switch_to(done);
        b.terminate(Terminator::Return(Some(s.into())));
    })
}

#[test]
fn a_loop_sums() {
    let (outcome, _) = run(&sum_loop(), &[1000], Options::default());
    assert_eq!(outcome, Outcome::Returned(Some(499_500)));
}

#[test]
fn a_budget_stops_a_long_loop() {
    let options = Options { max_steps: 1000, ..Options::default() };
    assert_eq!(run(&sum_loop(), &[1_000_000], options).0, Outcome::OutOfSteps);
}

#[test]
fn coverage_counts_blocks_edges_and_evaluations() {
    let options = Options { coverage: true, ..Options::default() };
    let (_, coverage) = run(&sum_loop(), &[3], options);
    let function = &coverage.functions[&FuncId::new(0)];
    assert_eq!(function.blocks, [1, 4, 3, 1]);
    assert_eq!(function.edges[&(glassbox_ir::BlockId::new(1), 0)], 3);
    let evaluations = function.decisions.values().next().expect("one decision");
    assert_eq!(evaluations.len(), 2);
}

#[test]
fn swapped_block_arguments_move_at_once() {
    // while (n--) { t = x; x = y; y = t; } return x - y  with x = 1, y = 2.
    let swap = program(&[Ty::I32], |b| {
        let n = b.body().blocks[0].params[0];
        let head = b.new_block();
        let (k, x, y) = (
            b.block_param(head, Ty::I32),
            b.block_param(head, Ty::I32),
            b.block_param(head, Ty::I32),
        );
        let (turn, done) = (b.new_block(), b.new_block());
        b.jump(head, vec![n.into(), int(1), int(2)]);
        b.switch_to(head);
        let kind =
            InstrKind::Pure(PureOp::Compare { op: CompareOp::Eq, lhs: k.into(), rhs: int(0) });
        let is_zero = b.push_value(kind, Ty::BOOL);
        b.terminate(Terminator::Branch {
            condition: is_zero.into(),
            if_true: Target::new(done),
            if_false: Target::new(turn),
            origin: None,
        });
        b.switch_to(turn);
        let kind =
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Sub, lhs: k.into(), rhs: int(1) });
        let k2 = b.push_value(kind, Ty::I32);
        b.jump(head, vec![k2.into(), y.into(), x.into()]);
        b.switch_to(done);
        let kind =
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Mul, lhs: x.into(), rhs: int(10) });
        let tens = b.push_value(kind, Ty::I32);
        let kind =
            InstrKind::Pure(PureOp::Binary { op: BinaryOp::Add, lhs: tens.into(), rhs: y.into() });
        let both = b.push_value(kind, Ty::I32);
        b.terminate(Terminator::Return(Some(both.into())));
    });
    assert_eq!(run(&swap, &[4], Options::default()).0, Outcome::Returned(Some(12)));
    assert_eq!(run(&swap, &[5], Options::default()).0, Outcome::Returned(Some(21)));
}

fn undefined_kind(program: &Program, args: &[u128]) -> Option<CheckKind> {
    let Outcome::Undefined(report) = run(program, args, Options::default()).0 else { return None };
    Some(report.kind)
}

#[test]
fn heap_memory_is_watched() {
    let size = |n: u128| Operand::Int(Bits::new(n, 64));
    let heap = |use_after_free: bool, write_first: bool, offset: u128| {
        program(&[], |b| {
            let kind = InstrKind::Memory(MemoryOp::HeapAlloc {
                size: size(8),
                fill: HeapFill::Uninitialized,
            });
            let ptr: Operand = b.push_value(kind, Ty::Ptr).into();
            let kind = InstrKind::Pointer(PointerOp::Add { base: ptr, offset: size(offset) });
            let at: Operand = b.push_value(kind, Ty::Ptr).into();
            if write_first {
                b.push(MemoryOp::Store { ptr: at, value: int(7), is_volatile: false });
            }
            if use_after_free {
                b.push(MemoryOp::HeapFree { ptr });
            }
            b.push(InstrKind::Check(Check::Readable { ptr: at, size: size(4) }));
            let kind =
                InstrKind::Memory(MemoryOp::Load { ty: Ty::I32, ptr: at, is_volatile: false });
            let value = b.push_value(kind, Ty::I32);
            b.push(MemoryOp::HeapFree { ptr });
            b.terminate(Terminator::Return(Some(value.into())));
        })
    };
    assert_eq!(run(&heap(false, true, 4), &[], Options::default()).0, Outcome::Returned(Some(7)));
    assert_eq!(undefined_kind(&heap(true, true, 0), &[]), Some(CheckKind::UseAfterFree));
    assert_eq!(undefined_kind(&heap(false, false, 0), &[]), Some(CheckKind::Uninitialized));
    assert_eq!(undefined_kind(&heap(false, true, 6), &[]), Some(CheckKind::OutOfBounds));
}

#[test]
fn blocks_without_a_terminator_are_unreachable() {
    let empty = program(&[], |_| {});
    assert!(matches!(&empty.functions[0].body, Some(body) if matches!(&body.blocks[..],
        [Block { terminator: Terminator::Unreachable, .. }])));
    assert_eq!(undefined_kind(&empty, &[]), Some(CheckKind::Unreachable));
}
