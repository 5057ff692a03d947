//! Where several ways come together: one value of what each of them has.

use std::sync::Arc;

use glassbox_ir::{BlockId, Operand, Ty};
use glassbox_values::Bits;

use super::Lowering;
use super::value::{Made, Tag, Val};
use crate::spec::Type;

/// How an expression ended, and its value where it has one.
#[derive(Debug, Clone)]
pub(super) struct Out {
    pub(super) kind: Tag,
    pub(super) val: Option<Val>,
}

/// Kinds of endings: exceptions come behind these.
pub(super) const VALUE: usize = 0;
pub(super) const UNDEFINED: usize = 1;
pub(super) const FIRST_EXCEPTION: usize = 2;

/// Ways that end where a block is not terminated yet.
pub(super) type Ends = Vec<(BlockId, Out)>;

/// A block where ways come together, with what each way hands over.
struct Meeting {
    block: BlockId,
    args: Vec<Vec<Operand>>,
}

impl Lowering<'_> {
    /// Goes on where all these ways come together; `None` where there are none.
    pub(super) fn join(&mut self, ends: Ends, ty: Type) -> Option<Out> {
        if ends.len() <= 1 {
            let (block, out) = ends.into_iter().next()?;
            self.b.switch_to(block);
            return Some(out);
        }
        let mut meeting = Meeting { block: self.b.new_block(), args: vec![Vec::new(); ends.len()] };
        let kinds: Vec<Option<Tag>> = ends.iter().map(|(_, out)| Some(out.kind)).collect();
        let kind = self.join_tags(&kinds, &mut meeting);
        let vals: Vec<Option<Val>> = ends.iter().map(|(_, out)| out.val.clone()).collect();
        let has_value = vals.iter().any(Option::is_some);
        let val = has_value.then(|| self.join_vals(ty, &vals, &mut meeting));
        for ((block, _), args) in ends.into_iter().zip(meeting.args) {
            self.b.switch_to(block);
            self.b.jump(meeting.block, args);
        }
        self.b.switch_to(meeting.block);
        Some(Out { kind, val })
    }

    fn join_tags(&mut self, tags: &[Option<Tag>], meeting: &mut Meeting) -> Tag {
        let mut present = tags.iter().flatten();
        let first = present.next().copied().unwrap_or(Tag::Known(0));
        if matches!(first, Tag::Known(_)) && present.all(|tag| *tag == first) {
            return first;
        }
        let operands: Vec<Option<Operand>> = tags.iter().map(|tag| tag.map(Tag::operand)).collect();
        Tag::Read(self.hand_over(&operands, Ty::I32, meeting))
    }

    /// One number of the numbers of all ways.
    fn hand_over(
        &mut self,
        operands: &[Option<Operand>],
        ty: Ty,
        meeting: &mut Meeting,
    ) -> Operand {
        let mut present = operands.iter().flatten();
        let first = present.next().copied();
        let zero = match ty {
            Ty::Int(width) => Operand::Int(Bits::zero(width)),
            Ty::Float(_) | Ty::Ptr => Operand::NullPtr,
        };
        let Some(first) = first else { return zero };
        // A value that only some ways have may not be there on the others.
        let is_everywhere =
            matches!(first, Operand::Int(_)) || operands.iter().all(Option::is_some);
        if is_everywhere && present.all(|operand| *operand == first) {
            return first;
        }
        for (args, operand) in meeting.args.iter_mut().zip(operands) {
            args.push(operand.unwrap_or(zero));
        }
        Operand::Value(self.b.block_param(meeting.block, ty))
    }

    /// One value of the values of all ways; those without one never need it.
    fn join_vals(&mut self, ty: Type, vals: &[Option<Val>], meeting: &mut Meeting) -> Val {
        let mut present = vals.iter().flatten();
        let Some(first) = present.next() else { return Val::Any(ty) };
        if let Val::Input(node) = first
            && present.all(|val| matches!(val, Val::Input(other) if other == node))
        {
            return first.clone();
        }
        if let Val::Made(first) = first
            && vals.iter().all(|val| matches!(val, Some(Val::Made(it)) if Arc::ptr_eq(it, first)))
        {
            return Val::Made(Arc::clone(first));
        }
        let data = match ty {
            Type::Bool => return self.join_scalars(vals, Ty::BOOL, meeting),
            Type::Int(int) => return self.join_scalars(vals, Ty::Int(int.width), meeting),
            Type::Data(data) => data,
        };
        let mades: Vec<Option<Arc<Made>>> =
            vals.iter().map(|val| val.as_ref().map(|val| self.made(val))).collect();
        let tags: Vec<Option<Tag>> =
            mades.iter().map(|made| made.as_ref().map(|made| made.tag)).collect();
        let tag = self.join_tags(&tags, meeting);
        let may_be_deeper = mades.iter().flatten().any(|made| made.may_be_deeper);
        let spec = self.spec;
        let mut parts = Vec::new();
        for (constructor, made) in spec.datas[data].constructors.iter().enumerate() {
            let can_be = |it: &Made| {
                !matches!(it.tag, Tag::Known(known) if known != constructor)
                    && it.parts[constructor].is_some()
            };
            if !mades.iter().flatten().any(|made| can_be(made)) {
                parts.push(None);
                continue;
            }
            let mut joined = Vec::new();
            for (position, field) in made.fields.iter().enumerate() {
                let of_field: Vec<Option<Val>> = mades
                    .iter()
                    .map(|made| {
                        let made = made.as_ref().filter(|made| can_be(made))?;
                        Some(made.parts[constructor].as_ref()?[position].clone())
                    })
                    .collect();
                joined.push(self.join_vals(field.ty, &of_field, meeting));
            }
            parts.push(Some(joined));
        }
        Val::Made(Arc::new(Made { tag, parts, may_be_deeper }))
    }

    fn join_scalars(&mut self, vals: &[Option<Val>], ty: Ty, meeting: &mut Meeting) -> Val {
        let operands: Vec<Option<Operand>> =
            vals.iter().map(|val| val.as_ref().map(|val| self.scalar(val))).collect();
        Val::Scalar(self.hand_over(&operands, ty, meeting))
    }

    /// One truth value of the ways that end with these.
    pub(super) fn join_truths(&mut self, ends: Vec<(BlockId, Operand)>) -> Option<Operand> {
        let ends = ends.into_iter().map(|(block, truth)| {
            (block, Out { kind: Tag::Known(VALUE), val: Some(Val::Scalar(truth)) })
        });
        let out = self.join(ends.collect(), Type::Bool)?;
        out.val.map(|val| self.scalar(&val))
    }
}
