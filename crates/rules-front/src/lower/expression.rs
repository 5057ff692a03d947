//! Expressions as instructions; where one may have no value, a way out.

use std::sync::Arc;

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp};
use glassbox_ir::{Operand, PureOp, Ty};
use glassbox_values::{Bits, Signedness};

use super::Lowering;
use super::call::Exits;
use super::join::UNDEFINED;
use super::value::{Fail, Made, Tag, Val};
use crate::spec::{Arithmetic, Expr, IntType, Type};

impl Lowering<'_> {
    /// The value of an expression; `None` where it never has one, and then the block has ended.
    pub(super) fn eval(&mut self, expr: &Expr, env: &[Val], exits: &mut Exits) -> Option<Val> {
        let scalar = match expr {
            Expr::Bool(value) => Self::truth(*value),
            Expr::Int(number, int) => Operand::Int(Bits::from_signed(*number, int.width)),
            Expr::Var(slot) => return Some(env[*slot].clone()),
            Expr::Make { data, constructor, args } => {
                let args = self.eval_all(args, env, exits)?;
                return Some(self.make(*data, *constructor, args));
            }
            Expr::Field { base, field, .. } => {
                let base = self.eval(base, env, exits)?;
                let made = self.made(&base);
                return made.parts.first()?.as_ref()?.get(*field).cloned();
            }
            Expr::Call { function, args } => {
                let args = self.eval_all(args, env, exits)?;
                let out = self.call(*function, &args)?;
                return self.value_of(out, exits);
            }
            Expr::Not(arg) => {
                let arg = self.eval_scalar(arg, env, exits)?;
                self.not(arg)
            }
            Expr::Both { lhs, rhs } => self.short_circuit([lhs, rhs], false, env, exits)?,
            Expr::Either { lhs, rhs } => self.short_circuit([lhs, rhs], true, env, exits)?,
            Expr::Equal { lhs, rhs, ty } => {
                let lhs = self.eval(lhs, env, exits)?;
                let rhs = self.eval(rhs, env, exits)?;
                self.same(&lhs, &rhs, *ty)
            }
            Expr::Less { lhs, rhs, ty, or_equal } => {
                let lhs = self.eval_scalar(lhs, env, exits)?;
                let rhs = self.eval_scalar(rhs, env, exits)?;
                let op = match (ty.signedness, or_equal) {
                    (Signedness::Signed, false) => CompareOp::Slt,
                    (Signedness::Signed, true) => CompareOp::Sle,
                    (Signedness::Unsigned, false) => CompareOp::Ult,
                    (Signedness::Unsigned, true) => CompareOp::Ule,
                };
                self.compare(op, lhs, rhs)
            }
            Expr::Arithmetic { op, lhs, rhs, ty } => {
                let lhs = self.eval_scalar(lhs, env, exits)?;
                let rhs = self.eval_scalar(rhs, env, exits)?;
                self.arithmetic(*op, [lhs, rhs], *ty, exits)?
            }
            Expr::Convert { arg, from, to } => {
                let arg = self.eval_scalar(arg, env, exits)?;
                self.convert(arg, *from, *to)
            }
        };
        Some(Val::Scalar(scalar))
    }

    fn eval_all(&mut self, args: &[Expr], env: &[Val], exits: &mut Exits) -> Option<Vec<Val>> {
        args.iter().map(|arg| self.eval(arg, env, exits)).collect()
    }

    fn eval_scalar(&mut self, expr: &Expr, env: &[Val], exits: &mut Exits) -> Option<Operand> {
        let val = self.eval(expr, env, exits)?;
        Some(self.scalar(&val))
    }

    /// `&&` and `||`; the first operand decides alone where it is `decides`.
    fn short_circuit(
        &mut self,
        [lhs, rhs]: [&Expr; 2],
        decides: bool,
        env: &[Val],
        exits: &mut Exits,
    ) -> Option<Operand> {
        let first = self.eval_scalar(lhs, env, exits)?;
        if let Operand::Int(known) = first {
            if known.is_true() == decides {
                return Some(first);
            }
            return self.eval_scalar(rhs, env, exits);
        }
        if is_total(rhs) {
            let second = self.eval_scalar(rhs, env, exits)?;
            return Some(if decides {
                self.either(first, second)
            } else {
                self.both(first, second)
            });
        }
        let (decided, open) = (self.b.new_block(), self.b.new_block());
        let (if_true, if_false) = if decides { (decided, open) } else { (open, decided) };
        self.branch(first, if_true, if_false);
        self.b.switch_to(open);
        let mut ends = vec![(decided, Self::truth(decides))];
        if let Some(second) = self.eval_scalar(rhs, env, exits) {
            ends.push((self.b.current(), second));
        }
        self.join_truths(ends)
    }

    fn arithmetic(
        &mut self,
        op: Arithmetic,
        [lhs, rhs]: [Operand; 2],
        ty: IntType,
        exits: &mut Exits,
    ) -> Option<Operand> {
        if matches!(op, Arithmetic::Div | Arithmetic::Rem) {
            let is_zero = self.equal(rhs, Operand::Int(Bits::zero(ty.width)));
            let mut fail = Fail::default();
            let not_zero = self.not(is_zero);
            let goes_on = self.unless(not_zero, &mut fail);
            exits.extend(fail.0.map(|block| (block, Tag::Known(UNDEFINED))));
            if !goes_on {
                return None;
            }
        }
        let is_signed = ty.signedness == Signedness::Signed;
        let op = match op {
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Sub => BinaryOp::Sub,
            Arithmetic::Mul => BinaryOp::Mul,
            Arithmetic::Div if is_signed => BinaryOp::Sdiv,
            Arithmetic::Div => BinaryOp::Udiv,
            Arithmetic::Rem if is_signed => BinaryOp::Srem,
            Arithmetic::Rem => BinaryOp::Urem,
        };
        Some(self.pure(PureOp::Binary { op, lhs, rhs }, Ty::Int(ty.width)))
    }

    fn convert(&mut self, arg: Operand, from: IntType, to: IntType) -> Operand {
        let op = match from.width.cmp(&to.width) {
            std::cmp::Ordering::Equal => return arg,
            std::cmp::Ordering::Greater => CastOp::Truncate,
            std::cmp::Ordering::Less => match from.signedness {
                Signedness::Signed => CastOp::SignExtend,
                Signedness::Unsigned => CastOp::ZeroExtend,
            },
        };
        let to = Ty::Int(to.width);
        self.pure(PureOp::Cast { op, arg, to }, to)
    }

    /// Whether two values are the same.
    pub(super) fn same(&mut self, lhs: &Val, rhs: &Val, ty: Type) -> Operand {
        match ty {
            Type::Bool | Type::Int(_) => {
                let (lhs, rhs) = (self.scalar(lhs), self.scalar(rhs));
                self.equal(lhs, rhs)
            }
            Type::Data(_) => {
                let mut differ = Fail::default();
                let mut ends = Vec::new();
                if self.unless_same(lhs, rhs, ty, &mut differ) {
                    ends.push((self.b.current(), Self::truth(true)));
                }
                ends.extend(differ.0.map(|block| (block, Self::truth(false))));
                self.join_truths(ends).unwrap_or(Self::truth(true))
            }
        }
    }

    /// Goes on where two values are the same, and to `differ` elsewhere. False: they never are.
    fn unless_same(&mut self, lhs: &Val, rhs: &Val, ty: Type, differ: &mut Fail) -> bool {
        let data = match ty {
            Type::Bool | Type::Int(_) => {
                let is_same = self.same(lhs, rhs, ty);
                return self.unless(is_same, differ);
            }
            Type::Data(data) => data,
        };
        match (lhs, rhs) {
            (Val::Input(a), Val::Input(b)) if a == b => return true,
            (Val::Made(a), Val::Made(b)) if Arc::ptr_eq(a, b) => return true,
            _ => {}
        }
        let (lhs, rhs) = (self.made(lhs), self.made(rhs));
        self.look_at(&lhs);
        self.look_at(&rhs);
        let is_same = match (lhs.tag, rhs.tag) {
            (Tag::Known(a), Tag::Known(b)) => Self::truth(a == b),
            (a, b) => self.equal(a.operand(), b.operand()),
        };
        if !self.unless(is_same, differ) {
            return false;
        }
        let known = match (lhs.tag, rhs.tag) {
            (Tag::Known(known), _) | (_, Tag::Known(known)) => Some(known),
            (Tag::Read(_), Tag::Read(_)) => None,
        };
        if let Some(constructor) = known {
            return self.same_parts(&lhs, &rhs, data, constructor, differ);
        }
        let mut ends = Vec::new();
        for constructor in 0..lhs.parts.len() {
            let next = self.b.new_block();
            let own = self.b.new_block();
            let is_it = self.equal(lhs.tag.operand(), Self::number(constructor));
            self.branch(is_it, own, next);
            self.b.switch_to(own);
            if self.same_parts(&lhs, &rhs, data, constructor, differ) {
                ends.push((self.b.current(), Self::truth(true)));
            }
            self.b.switch_to(next);
        }
        // One of the constructors it is.
        self.b.terminate(glassbox_ir::Terminator::Unreachable);
        self.join_truths(ends).is_some()
    }

    fn same_parts(
        &mut self,
        lhs: &Made,
        rhs: &Made,
        data: usize,
        constructor: usize,
        differ: &mut Fail,
    ) -> bool {
        let (Some(lhs), Some(rhs)) = (&lhs.parts[constructor], &rhs.parts[constructor]) else {
            // Never both this one.
            return self.unless(Self::truth(false), differ);
        };
        let spec = self.spec;
        let fields = &spec.datas[data].constructors[constructor].fields;
        let mut pairs = lhs.iter().zip(rhs).zip(fields);
        pairs.all(|((lhs, rhs), field)| self.unless_same(lhs, rhs, field.ty, differ))
    }
}

/// Whether it has a value whatever the inputs, without a branch.
fn is_total(expr: &Expr) -> bool {
    let mut is_it = true;
    expr.visit(&mut |part| {
        is_it &= match part {
            Expr::Call { .. } => false,
            Expr::Arithmetic { op, .. } => !matches!(op, Arithmetic::Div | Arithmetic::Rem),
            Expr::Equal { ty, .. } => !matches!(ty, Type::Data(_)),
            Expr::Bool(_)
            | Expr::Int(..)
            | Expr::Var(_)
            | Expr::Make { .. }
            | Expr::Field { .. }
            | Expr::Not(_)
            | Expr::Both { .. }
            | Expr::Either { .. }
            | Expr::Less { .. }
            | Expr::Convert { .. } => true,
        };
    });
    is_it
}
