//! Values while the program is made: numbers of the program, parts that are known already, inputs that nothing has
//! looked at yet.

use std::sync::Arc;

use glassbox_ir::instr::{BinaryOp, CompareOp};
use glassbox_ir::{Operand, PureOp, Ty};
use glassbox_values::Bits;

use super::Lowering;
use super::input::NodeId;
use crate::spec::{Pattern, Type};
use crate::term::smallest_constructor;

#[derive(Debug, Clone)]
pub(super) enum Val {
    /// A truth value or a number.
    Scalar(Operand),
    Made(Arc<Made>),
    Input(NodeId),
    /// Any value will do: nothing depends on it.
    Any(Type),
}

/// A value with a constructor.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) tag: Tag,
    /// By constructor: the parts, where it can be this one.
    pub(super) parts: Vec<Option<Vec<Val>>>,
    /// Whether the number of the constructor may be that behind the last one: the value is deeper than inputs are
    /// looked into.
    pub(super) may_be_deeper: bool,
}

/// A small number: which constructor, or how something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Known(usize),
    Read(Operand),
}

impl Tag {
    pub(super) fn operand(self) -> Operand {
        match self {
            Tag::Known(number) => Lowering::number(number),
            Tag::Read(operand) => operand,
        }
    }
}

impl Lowering<'_> {
    /// Appends an instruction and gives its value.
    pub(super) fn pure(&mut self, op: PureOp, ty: Ty) -> Operand {
        self.n_instrs += 1;
        Operand::Value(self.b.push_value(op, ty))
    }

    pub(super) fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Operand {
        if let (Operand::Int(a), Operand::Int(b)) = (lhs, rhs) {
            let signed = a.signed().cmp(&b.signed());
            let unsigned = a.unsigned().cmp(&b.unsigned());
            return Self::truth(match op {
                CompareOp::Eq => a == b,
                CompareOp::Ne => a != b,
                CompareOp::Ult => unsigned.is_lt(),
                CompareOp::Ule => unsigned.is_le(),
                CompareOp::Slt => signed.is_lt(),
                CompareOp::Sle => signed.is_le(),
            });
        }
        self.pure(PureOp::Compare { op, lhs, rhs }, Ty::BOOL)
    }

    pub(super) fn equal(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        self.compare(CompareOp::Eq, lhs, rhs)
    }

    pub(super) fn not(&mut self, arg: Operand) -> Operand {
        if let Operand::Int(bits) = arg {
            return Self::truth(!bits.is_true());
        }
        let (op, rhs) = (BinaryOp::Xor, Self::truth(true));
        self.pure(PureOp::Binary { op, lhs: arg, rhs }, Ty::BOOL)
    }

    pub(super) fn both(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        match (lhs, rhs) {
            (Operand::Int(known), other) | (other, Operand::Int(known)) => {
                if known.is_true() {
                    other
                } else {
                    Self::truth(false)
                }
            }
            _ => self.pure(PureOp::Binary { op: BinaryOp::And, lhs, rhs }, Ty::BOOL),
        }
    }

    pub(super) fn either(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        match (lhs, rhs) {
            (Operand::Int(known), other) | (other, Operand::Int(known)) => {
                if known.is_true() {
                    Self::truth(true)
                } else {
                    other
                }
            }
            _ => self.pure(PureOp::Binary { op: BinaryOp::Or, lhs, rhs }, Ty::BOOL),
        }
    }

    /// The number that a value of a scalar type is.
    pub(super) fn scalar(&mut self, val: &Val) -> Operand {
        match val {
            Val::Scalar(operand) => *operand,
            Val::Input(node) => self.input_scalar(*node),
            Val::Any(Type::Int(int)) => Operand::Int(Bits::zero(int.width)),
            Val::Any(Type::Bool | Type::Data(_)) | Val::Made(_) => Self::truth(false),
        }
    }

    /// The constructor and the parts of a value.
    pub(super) fn made(&mut self, val: &Val) -> Arc<Made> {
        match val {
            Val::Made(made) => Arc::clone(made),
            Val::Input(node) => self.input_made(*node),
            Val::Any(Type::Data(data)) => {
                let constructor = smallest_constructor(self.spec, *data);
                let known = &self.spec.datas[*data].constructors;
                let mut parts = vec![None; known.len()];
                let fields = &known[constructor].fields;
                parts[constructor] = Some(fields.iter().map(|field| Val::Any(field.ty)).collect());
                Arc::new(Made { tag: Tag::Known(constructor), parts, may_be_deeper: false })
            }
            // Types are checked before: nothing else has constructors.
            Val::Any(Type::Bool | Type::Int(_)) | Val::Scalar(_) => {
                Arc::new(Made { tag: Tag::Known(0), parts: vec![None], may_be_deeper: false })
            }
        }
    }

    /// A value made by this constructor.
    pub(super) fn make(&self, data: usize, constructor: usize, args: Vec<Val>) -> Val {
        let mut parts = vec![None; self.spec.datas[data].constructors.len()];
        parts[constructor] = Some(args);
        Val::Made(Arc::new(Made { tag: Tag::Known(constructor), parts, may_be_deeper: false }))
    }

    /// Leaves out runs in which the value is deeper than inputs are looked into.
    pub(super) fn look_at(&mut self, made: &Made) {
        if !made.may_be_deeper {
            return;
        }
        let Tag::Read(tag) = made.tag else { return };
        self.hits.depth = true;
        let is_deeper = self.equal(tag, Self::number(made.parts.len()));
        let (left_out, next) = (self.left_out(), self.b.new_block());
        self.branch(is_deeper, left_out, next);
        self.b.switch_to(next);
    }

    /// Goes on where the value is an instance of the pattern, with what it binds in `env`, and to `fail` elsewhere.
    /// False: it never is, and the block has ended.
    pub(super) fn matches(
        &mut self,
        pattern: &Pattern,
        val: &Val,
        env: &mut [Val],
        fail: &mut Fail,
    ) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Bind(slot) => {
                env[*slot] = val.clone();
                true
            }
            Pattern::Bool(wanted) => {
                let found = self.scalar(val);
                let holds = if *wanted { found } else { self.not(found) };
                self.unless(holds, fail)
            }
            Pattern::Int(wanted) => {
                let found = self.scalar(val);
                let width = match self.b.operand_ty(found) {
                    Ty::Int(width) => width,
                    Ty::Float(_) | Ty::Ptr => 32,
                };
                let holds = self.equal(found, Operand::Int(Bits::from_signed(*wanted, width)));
                self.unless(holds, fail)
            }
            Pattern::Make { constructor, args, .. } => {
                let made = self.made(val);
                let holds = match made.tag {
                    Tag::Known(known) => Self::truth(known == *constructor),
                    Tag::Read(tag) => {
                        self.look_at(&made);
                        self.equal(tag, Self::number(*constructor))
                    }
                };
                let Some(parts) = made.parts[*constructor].clone() else {
                    return self.unless(Self::truth(false), fail);
                };
                self.unless(holds, fail)
                    && args.iter().zip(&parts).all(|(arg, part)| self.matches(arg, part, env, fail))
            }
            Pattern::Raise(_) => self.unless(Self::truth(false), fail),
        }
    }

    /// Goes on where the condition holds, and to `fail` elsewhere. False: it never does, and the block has ended.
    pub(super) fn unless(&mut self, condition: Operand, fail: &mut Fail) -> bool {
        if let Operand::Int(known) = condition {
            if known.is_true() {
                return true;
            }
            let fail = self.fail_block(fail);
            self.b.jump(fail, Vec::new());
            return false;
        }
        let fail = self.fail_block(fail);
        let next = self.b.new_block();
        self.branch(condition, next, fail);
        self.b.switch_to(next);
        true
    }

    pub(super) fn fail_block(&mut self, fail: &mut Fail) -> glassbox_ir::BlockId {
        *fail.0.get_or_insert_with(|| self.b.new_block())
    }
}

/// Where runs go in which a rule does not apply; made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Fail(pub(super) Option<glassbox_ir::BlockId>);
