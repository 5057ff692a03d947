//! Allocated memory: which allocations are to fail, and what a run loses.
//!
//! Memory is lost when the run has ended, it was not freed, and no pointer leads to it: from the result, from
//! globals, from memory of the input, or from other memory that is not lost. A pointer is any eight bytes that
//! are an address inside the block or its end. What was within reach of an undefined function counts as kept:
//! it may have a copy. After `exit` the functions that are still active count too,
//! with everything that they hold or held. Nothing is lost by runs that end otherwise. With `kept_is_lost` no pointer
//! of the program counts: all memory has to be freed.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::library::{is_model, is_system};
use glassbox_ir::{FuncId, PointerSize, Span};
use glassbox_library::allocates_for_callers;

use crate::machine::Machine;
use crate::memory::{ObjectId, ObjectKind, ObjectState};
use crate::outcome::{Outcome, StackEntry};

/// A block that can no longer be freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostMemory {
    /// The user's place that allocated it: for `strdup` and the like, the call.
    pub place: StackEntry,
    pub size: u64,
}

/// What a run does with allocations.
#[derive(Debug, Default)]
pub(crate) struct Allocations {
    // How many that can fail there were, counted only when one is to fail.
    count: u64,
    failing: Vec<u64>,
    // Who allocated the blocks, when lost ones are looked for.
    places: BTreeMap<ObjectId, StackEntry>,
    // Blocks that undefined functions have seen.
    given_away: BTreeSet<ObjectId>,
    // Functions of the program run when it ends.
    has_epilogue: bool,
    lost: Vec<LostMemory>,
}

impl Machine<'_> {
    /// From now on these allocations give null; the next one is number 1.
    pub fn fail_allocations(&mut self, numbers: &[u64]) {
        self.allocations.count = 0;
        self.allocations.failing = numbers.to_vec();
    }

    /// What the last run lost, in the order of allocation.
    pub fn lost_memory(&self) -> &[LostMemory] {
        &self.allocations.lost
    }

    pub(crate) fn is_failing_allocation(&mut self) -> bool {
        if self.allocations.failing.is_empty() {
            return false;
        }
        let counts = self.frames.last().is_some_and(|frame| {
            let function = frame.code.function;
            let name = &self.program.function(function).name;
            allocates_for_callers(is_model(self.program, function), name)
        });
        if counts {
            self.allocations.count += 1;
        }
        counts && self.allocations.failing.contains(&self.allocations.count)
    }

    pub(crate) fn note_allocation(&mut self, id: ObjectId, span: Span) {
        if !self.options.finds_lost_memory {
            return;
        }
        let mut at = span;
        for frame in self.frames.iter().rev() {
            let function = frame.code.function;
            if !is_model(self.program, function) {
                self.allocations.places.insert(id, StackEntry { function, span: at });
                return;
            }
            at = frame.call_span;
        }
    }

    /// An undefined function gets these arguments.
    pub(crate) fn note_given_away(&mut self, function: FuncId, args: &[u128]) {
        if !self.options.finds_lost_memory {
            return;
        }
        let known = glassbox_library::function_of(self.program.function(function));
        let keeps = known.is_some_and(|known| known.row.keeps_arguments);
        // What runs at the end may free anything.
        self.allocations.has_epilogue |= keeps && known.is_some_and(|known| known.row.calls_back);
        if self.allocations.places.is_empty() || is_system(self.program, function) && !keeps {
            return;
        }
        let is_live = |id: ObjectId| self.memory.object(id).state == ObjectState::Live;
        let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
        let mut queue: Vec<u64> = args.iter().map(|&arg| arg as u64).collect();
        while let Some(word) = queue.pop() {
            if let Some((id, _)) = self.memory.resolve(word)
                && is_live(id)
                && seen.insert(id)
            {
                queue.extend(words(self.memory.object(id).bytes(), self.program.pointers));
            }
        }
        self.allocations.given_away.extend(seen);
    }

    /// Finds what the run lost, while its activations are still there.
    pub(crate) fn note_lost_memory(&mut self, outcome: &Outcome) {
        self.allocations.lost.clear();
        let is_end = matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_));
        if !self.options.finds_lost_memory || !is_end || self.allocations.has_epilogue {
            return;
        }
        let is_block = |id: ObjectId| {
            let object = self.memory.object(id);
            object.kind == ObjectKind::Heap && object.state == ObjectState::Live
        };
        if !self.allocations.places.keys().any(|&id| is_block(id)) {
            return;
        }
        let given_away = self.allocations.given_away.iter().copied();
        let mut kept: BTreeSet<ObjectId> = given_away.filter(|&id| is_block(id)).collect();
        let mut queue: Vec<ObjectId> = kept.iter().copied().collect();
        // As for valgrind and LeakSanitizer, a pointer one past the end keeps nothing.
        let mut reach = |word: u64, queue: &mut Vec<ObjectId>| {
            if let Some((id, offset)) = self.memory.resolve(word)
                && is_block(id)
                && u64::try_from(offset)
                    .is_ok_and(|offset| offset < self.memory.object(id).size().max(1))
                && kept.insert(id)
            {
                queue.push(id);
            }
        };
        let pointers = self.program.pointers;
        if !self.options.kept_is_lost {
            if let Outcome::Returned(Some(word)) = outcome {
                reach(*word as u64, &mut queue);
            }
            for &word in &self.registers {
                reach(word, &mut queue);
            }
            for (_, object) in self.memory.objects() {
                if object.state == ObjectState::Live && object.kind != ObjectKind::Heap {
                    words(object.bytes(), pointers).for_each(|word| reach(word, &mut queue));
                }
            }
        }
        while let Some(id) = queue.pop() {
            words(self.memory.object(id).bytes(), pointers)
                .for_each(|word| reach(word, &mut queue));
        }
        let lost = |(id, place): (&ObjectId, &StackEntry)| {
            let size = self.memory.object(*id).size();
            (is_block(*id) && !kept.contains(id)).then_some(LostMemory { place: *place, size })
        };
        self.allocations.lost = self.allocations.places.iter().filter_map(lost).collect();
    }
}

/// All words of memory, aligned or not.
fn words(bytes: &[u8], pointers: PointerSize) -> impl Iterator<Item = u64> {
    let size = if pointers == PointerSize::Four { 4 } else { 8 };
    bytes
        .windows(size)
        .map(|window| window.iter().rev().fold(0, |word: u64, &byte| word << 8 | u64::from(byte)))
}
