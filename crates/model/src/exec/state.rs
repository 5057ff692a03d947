//! What the rest of a path depends on, in a form in which equal states are equal.
//!
//! Paths that come to the head of a loop in the same state have the same future, as far as the conditions on what the state holds are
//! the same too. Values that are not used again are left out, and objects are numbered in the order in
//! which they are found from the stack and the globals, so that it does not matter how a path came there. Whatever is not
//! in here must not change what a path can do: what is not understood has no state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use glassbox_ir::cfg::Cfg;
use glassbox_ir::liveness::{live_at, live_in};
use glassbox_ir::{BlockId, Body, FuncId, Program, ValueId};
use glassbox_terms::TermId;
use rustc_hash::FxHashMap;

use super::{Executor, Frame, PathEnd, Stop, stop};
use crate::memory::{CellValue, Contents, Front, Object, ObjectKind, ObjectState};
use crate::stream_input::StreamInput;
use crate::value::{ObjectId, SymPtr, SymValue};

/// Numbers in a state at the utmost: comparing larger ones costs more than it saves.
const MAX_NUMBERS: usize = 4096;

/// The state of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathState {
    /// Equal for equal states.
    pub numbers: Vec<u64>,
    /// Terms in it.
    pub terms: BTreeSet<TermId>,
}

/// Which values are used again, by function; made when first asked for and kept over paths.
#[derive(Debug, Default)]
pub struct Lives {
    functions: FxHashMap<FuncId, Rc<Life>>,
}

/// See `Lives`.
#[derive(Debug)]
struct Life {
    live_in: Vec<BTreeSet<ValueId>>,
    is_head: Vec<bool>,
}

impl Lives {
    fn of(&mut self, program: &Program, function: FuncId) -> Rc<Life> {
        let life = self.functions.entry(function).or_insert_with(|| {
            let body = program.body(function);
            let cfg = Cfg::new(body);
            let is_head = |block: BlockId| {
                let is_behind = |before: &BlockId| {
                    cfg.is_reachable(*before) && cfg.order(*before) >= cfg.order(block)
                };
                cfg.is_reachable(block) && cfg.predecessors[block.index()].iter().any(is_behind)
            };
            let is_head = body.block_ids().map(is_head).collect();
            Rc::new(Life { live_in: live_in(body), is_head })
        });
        life.clone()
    }

    /// Whether a run may come back to the beginning of this block without leaving the function.
    pub(super) fn is_head(&mut self, program: &Program, function: FuncId, block: BlockId) -> bool {
        self.of(program, function).is_head[block.index()]
    }

    /// The values that are used from here on.
    fn at(&mut self, program: &Program, frame: &Frame) -> BTreeSet<ValueId> {
        let life = self.of(program, frame.function);
        let body: &Body = program.body(frame.function);
        live_at(body, &life.live_in, frame.block, frame.position)
    }
}

/// A state while it is put together.
struct Writer<'e, 'a> {
    executor: &'e Executor<'a>,
    state: PathState,
    /// Numbers of objects that were found.
    found: BTreeMap<ObjectId, u64>,
    open: VecDeque<ObjectId>,
}

impl Executor<'_> {
    /// Ends the path at the head of a loop where another path has been in the same state.
    pub(super) fn look_for_others(&mut self) -> Result<(), Stop> {
        let Some(lives) = self.guide.lives() else { return Ok(()) };
        let frame = self.frame();
        if !lives.borrow_mut().is_head(self.program, frame.function, frame.block) {
            return Ok(());
        }
        let Some(state) = self.state(&mut lives.borrow_mut()) else { return Ok(()) };
        let activations: Vec<u32> = self.frames.iter().map(|frame| frame.activation).collect();
        if self.guide.meets(self.terms, state, &activations) {
            return stop(PathEnd::Met);
        }
        Ok(())
    }

    /// The state of the path at the beginning of a block; `None` where something in it is not understood here.
    pub(super) fn state(&self, lives: &mut Lives) -> Option<PathState> {
        let inputs = &*self.inputs;
        // What was read so far, what was allocated and how often the function was called decide what comes next, too.
        let has_more = inputs.streams.iter().any(StreamInput::is_used)
            || !inputs.opened.is_empty()
            || self.config.calls > 1
            || self.config.finds_lost_memory
            || self.config.stubs_end_runs;
        if has_more {
            return None;
        }
        let state = PathState { numbers: Vec::new(), terms: BTreeSet::new() };
        let mut writer =
            Writer { executor: self, state, found: BTreeMap::new(), open: VecDeque::new() };
        writer.put(inputs.n_allocations);
        writer.put_all(&inputs.failing_allocations);
        writer.put(self.n_input_objects as u64);
        for (position, frame) in self.frames.iter().enumerate() {
            let result = self.frames.get(position + 1).and_then(|callee| callee.result);
            writer.frame(frame, lives.at(self.program, frame), result)?;
        }
        let mut globals: Vec<_> = self.globals.iter().map(|(&global, &at)| (global, at)).collect();
        globals.sort_unstable();
        for (global, object) in globals {
            writer.put(global.index() as u64);
            writer.object(object);
        }
        // Pointers that were not looked at, and numbers that become pointers again, may lead to any of them.
        for id in self.memory.ids() {
            let Object { kind, address, .. } = self.memory.object(id);
            let is_input = matches!(kind, ObjectKind::Input { .. } | ObjectKind::Instance { .. });
            if is_input || address.is_some() {
                writer.object(id);
            }
        }
        for &object in &self.given_away {
            writer.object(object);
        }
        while let Some(object) = writer.open.pop_front() {
            writer.content(object)?;
        }
        Some(writer.state)
    }
}

impl Writer<'_, '_> {
    fn put(&mut self, number: u64) {
        self.state.numbers.push(number);
    }

    fn put_all(&mut self, numbers: &[u64]) {
        self.put(numbers.len() as u64);
        self.state.numbers.extend(numbers);
    }

    fn term(&mut self, term: TermId) {
        self.put(term.index() as u64);
        self.state.terms.insert(term);
    }

    fn text(&mut self, text: &str) {
        self.put(text.len() as u64);
        self.state.numbers.extend(text.bytes().map(u64::from));
    }

    fn object(&mut self, id: ObjectId) {
        let next = self.found.len() as u64;
        let number = *self.found.entry(id).or_insert(next);
        if number == next {
            self.open.push_back(id);
        }
        self.put(number);
    }

    fn pointer(&mut self, ptr: SymPtr) -> Option<()> {
        match ptr {
            SymPtr::Object { object, offset } => {
                self.put(1);
                self.object(object);
                self.term(offset);
            }
            SymPtr::Func(function) => {
                self.put(2);
                self.put(function.index() as u64);
            }
            SymPtr::Number(number) => {
                self.put(3);
                self.term(number);
            }
            // One that is still open may become anything.
            SymPtr::Input(id) => {
                let input = self.executor.inputs.pointers.get(id.0 as usize)?;
                return self.pointer(input.resolution?);
            }
        }
        Some(())
    }

    fn value(&mut self, value: SymValue) -> Option<()> {
        match value {
            SymValue::Term(term) => {
                self.put(0);
                self.term(term);
                Some(())
            }
            SymValue::Ptr(ptr) => self.pointer(ptr),
        }
    }

    fn frame(
        &mut self,
        frame: &Frame,
        live: BTreeSet<ValueId>,
        awaited: Option<ValueId>,
    ) -> Option<()> {
        let numbers = [frame.function.index(), frame.block.index(), frame.position];
        numbers.into_iter().for_each(|number| self.put(number as u64));
        self.put(frame.result.map_or(0, |result| result.index() as u64 + 1));
        self.put(live.len() as u64);
        for value in live {
            if Some(value) == awaited {
                continue;
            }
            self.put(value.index() as u64);
            self.value(frame.values[value.index()]?)?;
        }
        for object in &frame.locals {
            self.put(u64::from(object.is_some()));
            if let Some(object) = object {
                self.object(*object);
            }
        }
        self.put(frame.stack_objects.len() as u64);
        for &object in frame.stack_objects.iter().chain(&frame.var_args) {
            self.object(object);
        }
        Some(())
    }

    fn content(&mut self, id: ObjectId) -> Option<()> {
        if self.state.numbers.len() > MAX_NUMBERS {
            return None;
        }
        let executor = self.executor;
        let Object {
            kind,
            state,
            name,
            size,
            max_size,
            front,
            is_whole,
            contents,
            origin,
            is_const,
            cells,
            open,
            initial,
            active,
            address,
        } = executor.memory.object(id);
        self.kind(kind);
        self.put(match state {
            ObjectState::Live => 0,
            ObjectState::Freed => 1,
            ObjectState::OutOfScope => 2,
        });
        // Inputs that come into being in it are named after it.
        self.text(name);
        self.term(*size);
        self.put(max_size.map_or(0, |size| size.saturating_add(1)));
        self.put(u64::from(front.is_some()));
        if let Some(Front { length, size, max_size }) = front {
            self.term(*length);
            self.term(*size);
            self.put(*max_size);
        }
        self.put(u64::from(*is_whole));
        match contents {
            Contents::Uninitialized => self.put(0),
            Contents::Zeros => self.put(1),
            Contents::Input(ty) => self.put(2 + ty.index() as u64),
        }
        self.put(origin.cast_unsigned());
        self.put(u64::from(*is_const));
        self.put(cells.len() as u64);
        for (&offset, cell) in cells {
            self.put(offset.cast_unsigned());
            self.put(cell.size);
            match cell.value {
                CellValue::Term(term) => self.value(SymValue::Term(term))?,
                CellValue::Ptr(ptr) => self.value(SymValue::Ptr(ptr))?,
            }
        }
        // What inputs held before says which shapes they can still take.
        self.put(initial.len() as u64);
        for (&offset, cell) in initial {
            self.put(offset.cast_unsigned());
            self.put(cell.size);
        }
        self.put(open.len() as u64);
        open.iter().for_each(|byte| self.put(byte.cast_unsigned()));
        self.put(active.len() as u64);
        for (&(offset, ty), member) in active {
            self.put(offset.cast_unsigned());
            self.put(ty.index() as u64);
            self.put(member.map_or(0, |member| member as u64 + 1));
        }
        self.put(u64::from(address.is_some()));
        if let Some(address) = address {
            self.term(*address);
        }
        Some(())
    }

    fn kind(&mut self, kind: &ObjectKind) {
        match *kind {
            ObjectKind::Global(global) => {
                self.put(0);
                self.put(global.index() as u64);
            }
            ObjectKind::Local(function, local) => {
                self.put(1);
                self.put(function.index() as u64);
                self.put(local.index() as u64);
            }
            ObjectKind::Stack => self.put(2),
            ObjectKind::Heap => self.put(3),
            ObjectKind::Input { element, length } => {
                self.put(4);
                self.put(element.index() as u64);
                self.term(length);
            }
            ObjectKind::Instance { number, length } => {
                self.put(5);
                self.put(u64::from(number));
                self.put(u64::from(length.is_some()));
                if let Some(length) = length {
                    self.term(length);
                }
            }
            ObjectKind::VarArgs => self.put(6),
            ObjectKind::Stream => self.put(7),
        }
    }
}
