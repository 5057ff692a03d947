//! Pointers at joins: what they may point to on all ways in, and lessons where a way says otherwise.

use glassbox_terms::{Sort, TermId};

use super::Event;
use super::build::Builder;
use super::choice::CODE_WIDTH;
use super::join::{Found, Joined, Joining, Param, WayIn};
use super::lessons::{CellKind, NodeKey, Slot};
use super::memory::{Object, Ptr, Scalar, Target, Targets, Val};
use super::typed::Pointee;

/// What holds a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// A block parameter, by position.
    Value(usize),
    Cell(Object, u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// The code of the target.
    Which,
    Offset,
    /// Where the target is a number.
    Address,
}

impl Holder {
    /// The lesson that it has too many targets; alignments are kept under this name too.
    pub(super) fn many(self) -> Slot {
        match self {
            Holder::Value(position) => Slot::Pointer(position),
            Holder::Cell(object, offset) => Slot::PointerCell(object, offset),
        }
    }

    fn moves(self) -> Slot {
        match self {
            Holder::Value(position) => Slot::PointerMoves(position),
            Holder::Cell(object, offset) => Slot::PointerCellMoves(object, offset),
        }
    }

    fn also(self, target: Target) -> Slot {
        match self {
            Holder::Value(position) => Slot::PointerTo(position, target),
            Holder::Cell(object, offset) => Slot::PointerCellTo(object, offset, target),
        }
    }
}

/// A pointer that a join gives parameters.
pub(super) struct PointerJoin<'a> {
    pub(super) at: Joining<'a>,
    pub(super) holder: Holder,
    /// What it is where it is a number.
    pub(super) number: Param,
    pub(super) name: &'a str,
}

impl Builder<'_> {
    /// What a joined pointer may point to; `None` when it is a number.
    fn common_targets(&mut self, holder: Holder, slots: &[Slot], found: &[Val]) -> Option<Targets> {
        if slots.contains(&holder.many()) {
            return None;
        }
        let mut targets = Targets::default();
        for &value in found {
            let Val::Ptr(ptr) = value else { return None };
            targets = targets.union(self.targets_of(ptr)?)?;
        }
        for slot in slots {
            match (*slot, holder) {
                (Slot::PointerTo(at, target), Holder::Value(position)) if at == position => {
                    targets = targets.with(target)?;
                }
                (Slot::PointerCellTo(of, at, target), Holder::Cell(object, offset))
                    if of == object && at == offset =>
                {
                    targets = targets.with(target)?;
                }
                _ => {}
            }
        }
        targets.has_objects().then_some(targets)
    }

    /// Parameters for a pointer that differs.
    pub(super) fn join_pointer(
        &mut self,
        join: PointerJoin<'_>,
        values: &[Val],
        joint: &mut Found,
    ) -> Val {
        let PointerJoin { at: Joining { key, node, slots }, holder, number, name } = join;
        let n_zeros = self.lessons.known.alignment(key, holder.many());
        let Some(targets) = self.common_targets(holder, slots, values) else {
            joint.params.push(number);
            let address = self.new_param(node, name, Sort::Bv(64));
            self.aligned.insert(address, n_zeros);
            let number = |value: &Val| match value {
                Val::Ptr(Ptr::Number(number)) => Some(*number),
                Val::Ptr(_) | Val::Term(_) => None,
            };
            let found = values.iter().filter_map(number).collect();
            joint.numbers.push((holder, address, found));
            return Val::Ptr(Ptr::Number(address));
        };
        let mut moves = slots.contains(&holder.moves());
        for &value in values {
            if let Val::Ptr(ptr) = value {
                let offset = self.offset_in(ptr, targets);
                moves |= self.constant(offset) != Some(0);
            }
        }
        let zero = self.terms().bv_u(0, 64);
        let set = self.set_id(targets);
        let mut half = |builder: &mut Self, half: Half, name: &str, width: u8| {
            joint.params.push(Param::Pointer(holder, set, half));
            builder.new_param(node, name, Sort::Bv(width))
        };
        let offset = if moves { half(self, Half::Offset, name, 64) } else { zero };
        let needs_address = targets.has_number();
        let address = if needs_address {
            half(self, Half::Address, &format!("address of {name}"), 64)
        } else {
            offset
        };
        if needs_address {
            let mut found = Vec::new();
            for &value in values {
                if let Val::Ptr(ptr) = value {
                    found.push(self.address_in(ptr));
                }
            }
            joint.numbers.push((holder, address, found));
        }
        for variable in [offset, address] {
            if variable != zero {
                self.aligned.insert(variable, n_zeros);
            }
        }
        let which = if targets.only_place().is_some() {
            zero
        } else {
            half(self, Half::Which, &format!("target of {name}"), CODE_WIDTH)
        };
        if targets.only_place().is_none() {
            let mut codes = Vec::new();
            for target in targets.iter() {
                let code = self.code(targets.code(target));
                codes.push(self.terms().eq(which, code));
            }
            let is_one = self.terms().or(&codes);
            self.graph.nodes[node].events.push(Event::Assume(is_one));
        }
        if !moves {
            joint.resting.push((holder, set));
        }
        Val::Ptr(self.pointer_to(targets, which, offset, address))
    }

    /// Guesses what a joined number points to.
    pub(super) fn join_pointee(
        &mut self,
        key: NodeKey,
        holder: Holder,
        number: TermId,
        found: Vec<TermId>,
    ) {
        for &value in &found {
            self.compare_pointee(key, holder, value);
        }
        match self.lessons.known.pointees.get(&(key, holder.many())).copied() {
            Some(Some(pointee)) => self.note_pointee(number, pointee),
            Some(None) => {}
            None => {
                self.pending.insert(number);
            }
        }
    }

    /// Whether a number is such a pointer as the join took it for.
    pub(super) fn compare_pointee(&mut self, key: NodeKey, holder: Holder, number: TermId) {
        if self.constant(number) == Some(0) || self.is_pending(number, 8) {
            return;
        }
        let slot = holder.many();
        let known = self.lessons.known.pointees.get(&(key, slot)).copied();
        let Some(typed) = self.typed(number) else {
            return self.lessons.learn_pointee(key, slot, None);
        };
        let is_sure = typed.is_sure && typed.is_plain;
        let keeps_type = typed.keeps_type();
        let pointee = match known {
            None => {
                let part = self.part_at(typed.ty, typed.offset);
                part.map(|ty| Pointee { keeps_type, ..Pointee::start_of(ty, is_sure) })
            }
            Some(Some(was)) if self.has_part(typed.ty, typed.offset, was.ty) => Some(Pointee {
                is_sure: was.is_sure && is_sure && self.is_record(was.ty),
                keeps_type: was.keeps_type && keeps_type,
                ..was
            }),
            Some(_) => None,
        };
        self.lessons.learn_pointee(key, slot, pointee);
    }

    /// Whether the pointers that a join took for resting do so.
    pub(super) fn compare_fixed(&mut self, joined: &Joined, way: &WayIn) {
        for &(holder, targets) in &joined.resting {
            let targets = self.targets(targets);
            let Some(ptr) = self.pointer_within(joined.key, holder, targets, way) else { continue };
            let offset = self.offset_in(ptr, targets);
            if self.constant(offset) != Some(0) {
                self.lessons.learn_slot(joined.key, holder.moves());
            }
        }
    }

    pub(super) fn note_alignment(&mut self, key: NodeKey, holder: Holder, offset: TermId) {
        let n_zeros = self.n_low_zeros(offset, 12);
        self.lessons.learn_alignment(key, holder.many(), n_zeros);
    }

    /// The pointer, if the join knows all its targets and they are alive; otherwise a lesson.
    pub(super) fn pointer_within(
        &mut self,
        key: NodeKey,
        holder: Holder,
        targets: Targets,
        way: &WayIn,
    ) -> Option<Ptr> {
        let value = match holder {
            Holder::Value(position) => way.values[position],
            Holder::Cell(object, offset) => {
                let state = way.memory.state(object);
                let scalar = Scalar {
                    object,
                    offset,
                    size: self.program.pointers.bytes(),
                    kind: CellKind::Pointer,
                };
                self.cell_of(scalar, state.as_ref())
            }
        };
        let ptr = match value {
            Val::Ptr(ptr) => ptr,
            Val::Term(term) => Ptr::Number(term),
        };
        let found = self.targets_of(ptr);
        let are_alive = found
            .is_some_and(|found| found.objects().all(|object| way.memory.state(object).is_some()));
        let Some(found) = found.filter(|_| are_alive) else {
            self.lessons.learn_slot(key, holder.many());
            return None;
        };
        let mut is_within = true;
        for target in found.iter() {
            if targets.find(target).is_some() {
                continue;
            }
            is_within = false;
            // A pointer that walks through an object has no constant offsets.
            let target = match target {
                Target::Object(object, _) if targets.objects().any(|known| known == object) => {
                    Target::Object(object, None)
                }
                Target::Null | Target::Number | Target::Object(..) => target,
            };
            match targets.with(target) {
                Some(_) => self.lessons.learn_slot(key, holder.also(target)),
                None => self.lessons.learn_slot(key, holder.many()),
            }
        }
        is_within.then_some(ptr)
    }
}
