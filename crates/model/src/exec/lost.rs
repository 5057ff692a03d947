//! Allocations that fail, and memory that a path loses: the same rules as the interpreter's (`allocation`).
//!
//! A path has one shape of memory for all its inputs, so what it loses, all of them lose. Addresses that were
//! made numbers are not followed; such memory is marked, and the caller runs the program.

use std::collections::BTreeSet;

use glassbox_ir::{FuncId, Span};
use glassbox_library::allocates_for_callers;
use glassbox_testcase::Assumption;

use super::{Executor, PathEnd, Stop};
use crate::guide::ChoiceKind;
use crate::memory::{CellValue, ObjectKind, ObjectState};
use crate::value::{ObjectId, SymPtr, SymValue};

/// A block that nothing leads to any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostMemory {
    /// The user's place that allocated it.
    pub function: FuncId,
    pub span: Span,
    /// Its address became a number, which may be kept somewhere, or a pointer is kept that may be behind its end.
    pub is_unsure: bool,
}

/// Which pointers count: a path knows few offsets that depend on inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Surely,
    Perhaps,
}

impl Executor<'_> {
    /// Decides whether this allocation gives null.
    pub(crate) fn allocation_fails(&mut self) -> Result<bool, Stop> {
        if !self.program.language.allocation_may_give_null() {
            return Ok(false);
        }
        if !self.config.allocation_may_fail {
            self.inputs.note_bound(Assumption::AllocationSucceeds);
            return Ok(false);
        }
        let function = self.frame().function;
        let name = &self.program.function(function).name;
        if !allocates_for_callers(self.is_library(function), name) {
            return Ok(false);
        }
        self.inputs.n_allocations += 1;
        let fails = self.choose_freely(ChoiceKind::Allocation, 2)? == 1;
        if fails {
            self.inputs.failing_allocations.push(self.inputs.n_allocations);
        }
        Ok(fails)
    }

    pub(crate) fn note_allocation(&mut self, object: ObjectId) {
        if !self.config.finds_lost_memory {
            return;
        }
        let own = self.frames.iter().rev().find(|frame| !self.is_library(frame.function));
        if let Some(frame) = own {
            let place = (object, frame.function, self.span_of(frame));
            self.allocations.push(place);
        }
    }

    /// An undefined function gets these arguments, and may keep what they lead to.
    pub(crate) fn note_given_away(&mut self, args: &[SymValue]) {
        let pointed = args.iter().filter_map(|&arg| match arg {
            SymValue::Ptr(ptr) => self.pointed_object(ptr, Inside::Perhaps),
            SymValue::Term(_) => None,
        });
        let kept = self.reachable(pointed.collect(), Inside::Perhaps);
        self.given_away.extend(kept);
    }

    /// What a path that ended this way has lost.
    pub(crate) fn lost_memory(&self, end: &PathEnd) -> Vec<LostMemory> {
        let result = match end {
            PathEnd::Returned(result) => *result,
            PathEnd::Exited(_) => None,
            PathEnd::Aborted
            | PathEnd::Cut
            | PathEnd::Failed { .. }
            | PathEnd::Rejected
            | PathEnd::Unsupported { .. }
            | PathEnd::OutOfSteps
            | PathEnd::Stopped
            | PathEnd::Met => return Vec::new(),
        };
        let is_live = |id: ObjectId| self.memory.object(id).state == ObjectState::Live;
        if !self.allocations.iter().any(|&(id, ..)| is_live(id)) {
            return Vec::new();
        }
        let kept = |inside: Inside| {
            let mut queue: Vec<ObjectId> = self.given_away.to_vec();
            if !self.config.kept_is_lost {
                queue.extend(self.kept_by_the_program(result, inside));
            }
            self.reachable(queue, inside)
        };
        let (kept, perhaps_kept) = (kept(Inside::Surely), kept(Inside::Perhaps));
        let lost = self.allocations.iter().filter(|(id, ..)| is_live(*id) && !kept.contains(id));
        lost.map(|&(id, function, span)| {
            let has_number = !self.config.kept_is_lost && self.memory.object(id).address.is_some();
            let is_unsure = has_number || perhaps_kept.contains(&id);
            LostMemory { function, span, is_unsure }
        })
        .collect()
    }

    /// Objects that the program can still name when it has ended.
    fn kept_by_the_program(&self, result: Option<SymValue>, inside: Inside) -> Vec<ObjectId> {
        let is_root = |id: &ObjectId| {
            let object = self.memory.object(*id);
            object.state == ObjectState::Live && object.kind != ObjectKind::Heap
        };
        let mut kept: Vec<ObjectId> = self.memory.ids().filter(is_root).collect();
        // After `exit` functions are still active.
        let held = self.frames.iter().flat_map(|frame| frame.values.iter().flatten());
        for value in held.copied().chain(result) {
            if let SymValue::Ptr(ptr) = value {
                kept.extend(self.pointed_object(ptr, inside));
            }
        }
        kept
    }

    /// All objects that pointers lead to from these.
    fn reachable(&self, mut queue: Vec<ObjectId>, inside: Inside) -> BTreeSet<ObjectId> {
        let mut reached = BTreeSet::new();
        while let Some(id) = queue.pop() {
            if !reached.insert(id) {
                continue;
            }
            for cell in self.memory.object(id).cells.values() {
                // One byte of an address leads nowhere.
                if let CellValue::Ptr(ptr) = cell.value
                    && cell.size > 1
                {
                    queue.extend(self.pointed_object(ptr, inside));
                }
            }
        }
        reached
    }

    /// What a pointer keeps: as for valgrind and LeakSanitizer, one that points one past the end keeps nothing.
    fn pointed_object(&self, ptr: SymPtr, inside: Inside) -> Option<ObjectId> {
        let resolved = match ptr {
            SymPtr::Input(id) => self.inputs.pointers[id.0 as usize].resolution?,
            SymPtr::Object { .. } | SymPtr::Func(_) | SymPtr::Number(_) => ptr,
        };
        let SymPtr::Object { object, offset } = resolved else { return None };
        if self.memory.object(object).kind != ObjectKind::Heap {
            return Some(object);
        }
        let number = |term| self.terms.as_bv_const(term).and_then(|bits| bits.to_u64());
        let is_inside = match (number(offset), number(self.memory.object(object).size)) {
            (Some(0), _) => true,
            (Some(offset), Some(size)) => offset < size,
            (None, _) | (_, None) => inside == Inside::Perhaps,
        };
        is_inside.then_some(object)
    }
}
