//! Members of new objects that are not set yet: reading them is an error.
//!
//! An object that was allocated behind pointers is known by its address alone until the address is stored or goes
//! through a join. Members that are not set by then count as perhaps not set in all objects of the type, from the
//! beginning; the others are set wherever such an object is met.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::SourceTypeId;
use glassbox_memory::layout::scalars;
use glassbox_terms::{Sort, TermId};

use super::build::Builder;
use super::memory::{Member, Ptr, Val};
use super::typed::Typed;

impl Builder<'_> {
    /// A new object of this type, of which nothing is set.
    pub(super) fn begin_unset(&mut self, address: TermId, ty: SourceTypeId) {
        let Some(all) = scalars(self.program, ty, 64) else { return self.lessons.learn_unset() };
        let mut counts: BTreeMap<Member, usize> = BTreeMap::new();
        for (offset, _) in all {
            match self.member_at(ty, offset) {
                Some(member) => *counts.entry(member).or_insert(0) += 1,
                None => return self.lessons.learn_unset(),
            }
        }
        // Elements are not counted one by one.
        for (&member, _) in counts.iter().filter(|(_, count)| **count > 1) {
            self.lessons.learn_unset_member(member);
        }
        self.memory.unset.insert(address, counts.into_keys().collect());
    }

    /// A scalar behind a pointer has been set.
    pub(super) fn note_set(&mut self, address: TermId) {
        if self.memory.unset.is_empty() {
            return;
        }
        let Some(typed) = self.typed(address).filter(|typed| typed.is_plain && typed.keeps_type())
        else {
            return;
        };
        let Some(member) = self.member_at(typed.ty, typed.offset) else { return };
        if let Some(members) = self.memory.unset.get_mut(&typed.base) {
            members.remove(&member);
        }
    }

    /// A value goes where it is not tracked.
    pub(super) fn publish_value(&mut self, value: Val) {
        if self.memory.unset.is_empty() {
            return;
        }
        let unset = self.memory.unset.clone();
        match value {
            Val::Term(term) | Val::Ptr(Ptr::Number(term) | Ptr::OneOf { address: term, .. }) => {
                self.publish(term, &unset);
            }
            Val::Ptr(Ptr::Object { .. } | Ptr::Fresh { .. } | Ptr::Func(_)) => {}
        }
    }

    /// The same for a term, with what is not set where it is.
    pub(super) fn publish(&mut self, term: TermId, unset: &BTreeMap<TermId, BTreeSet<Member>>) {
        if unset.is_empty() || matches!(self.graph.terms.sort(term), Sort::Array { .. }) {
            return;
        }
        for part in self.graph.terms.subterms(&[term]) {
            for &member in unset.get(&part).into_iter().flatten() {
                self.lessons.learn_unset_member(member);
            }
        }
    }

    /// Whether a scalar of this many bytes behind a pointer has surely been set.
    pub(super) fn is_set_behind(&mut self, typed: Typed, length: u64) -> bool {
        if self.lessons.known.has_unset || !typed.keeps_type() {
            return false;
        }
        if self.lessons.known.unset_members.is_empty() && self.memory.unset.is_empty() {
            return true;
        }
        let Some(member) = self.member_at(typed.ty, typed.offset) else { return false };
        if self.scalar_size(typed.ty, typed.offset) != Some(length) {
            return false;
        }
        // An object that nothing else refers to is what it was made; all others have been through the lessons.
        let is_own = self.memory.unset.contains_key(&typed.base);
        let parts = self.graph.terms.subterms(&[typed.base]);
        let is_open = |part: &TermId| {
            self.memory.unset.get(part).is_some_and(|members| members.contains(&member))
        };
        !parts.iter().any(is_open)
            && (is_own || !self.lessons.known.unset_members.contains(&member))
    }
}
