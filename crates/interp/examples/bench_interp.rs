//! Speed of the interpreter on a tight integer loop, in IR instructions a second.
//!
//! `cargo run --release -p glassbox-interp --example bench_interp`

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its measurement")]

use std::time::Instant;

use glassbox_interp::{Machine, NoExternals, Options};
use glassbox_ir::build::BodyBuilder;
use glassbox_ir::instr::{BinaryOp, CompareOp, OverflowOp, UnaryOp};
use glassbox_ir::{
    Check, CheckKind, FuncId, Function, InstrKind, Language, Linkage, Operand, Param, Passing,
    Program, PureOp, ResultPassing, SourceType, Span, Target, Terminator, Ty,
};
use glassbox_values::{Bits, Signedness};

fn main() {
    let program = checked_sum();
    let mut machine = Machine::new(&program, Options::default(), Box::new(NoExternals))
        .expect("the program has no globals");
    let start = Instant::now();
    let outcome = machine.run(FuncId::new(0), &[10_000_000]);
    let seconds = start.elapsed().as_secs_f64();
    let millions = machine.steps() as f64 / seconds / 1e6;
    println!(
        "{outcome:?}: {} IR instructions, {seconds:.2} s, {millions:.0} million a second",
        machine.steps()
    );
}

/// `for (i = 0; i < n; i++) s = (s ^ i) + 1` with an overflow check, as a front-end would emit it.
fn checked_sum() -> Program {
    let mut program = Program::new(Language::C);
    let source_type = program.intern_source_type(SourceType::Void);
    let mut b = BodyBuilder::new(&[Ty::I32]);
    let int = |value| Operand::Int(Bits::new(value, 32));
    let n = b.body().blocks[0].params[0];
    let head = b.new_block();
    let (i, s) = (b.block_param(head, Ty::I32), b.block_param(head, Ty::I32));
    let (turn, done) = (b.new_block(), b.new_block());
    b.jump(head, vec![int(0), int(0)]);
    b.switch_to(head);
    let kind =
        InstrKind::Pure(PureOp::Compare { op: CompareOp::Slt, lhs: i.into(), rhs: n.into() });
    let condition = b.push_value(kind, Ty::BOOL).into();
    let (if_true, if_false) = (Target::new(turn), Target::new(done));
    b.terminate(Terminator::Branch { condition, if_true, if_false, origin: None });
    b.switch_to(turn);
    let kind = InstrKind::Pure(PureOp::Binary { op: BinaryOp::Xor, lhs: s.into(), rhs: i.into() });
    let mixed = b.push_value(kind, Ty::I32);
    let kind = InstrKind::Pure(PureOp::Overflows {
        op: OverflowOp::Add,
        signedness: Signedness::Signed,
        lhs: i.into(),
        rhs: int(1),
    });
    let overflows = b.push_value(kind, Ty::BOOL);
    let kind = InstrKind::Pure(PureOp::Unary { op: UnaryOp::Not, arg: overflows.into() });
    let fits = b.push_value(kind, Ty::BOOL);
    b.push(InstrKind::Check(Check::Condition {
        kind: CheckKind::SignedOverflow,
        condition: fits.into(),
        values: vec![i.into()],
        demand: None,
    }));
    let kind = InstrKind::Pure(PureOp::Binary { op: BinaryOp::Add, lhs: i.into(), rhs: int(1) });
    let next = b.push_value(kind, Ty::I32);
    b.jump(head, vec![next.into(), mixed.into()]);
    b.switch_to(done);
    b.terminate(Terminator::Return(Some(s.into())));
    program.functions.push(Function {
        name: "checked_sum".into(),
        linkage: Linkage::External,
        origin: glassbox_ir::Origin::User,
        params: vec![Param {
            name: "n".into(),
            ty: Ty::I32,
            source_type,
            passing: Passing::Direct,
        }],
        result: ResultPassing::Direct(Ty::I32),
        result_source_type: source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: Some(b.finish()),
        span: Span::nowhere(),
    });
    program
}
