//! A program ready to run: its memory image, its compiled code, its budgets.

use std::cell::OnceCell;
use std::rc::Rc;

use glassbox_ir::{
    FixedMemory, FuncId, Global, GlobalId, Operand, Program, RelocationTarget, ResultPassing, Span,
};

use crate::address::Spaces;
use crate::allocation::Allocations;
use crate::code::Code;
use crate::compile::{EdgeReports, StaticAddresses, Watching, compile};
use crate::coverage::Coverage;
use crate::external::Externals;
use crate::follow::Follower;
use crate::frame::Frame;
use crate::leap::Pace;
use crate::memory::{Address, Memory, ObjectId, ObjectKind, ObjectState};
use crate::outcome::Outcome;

/// Limits and options of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// IR instructions in all; the run ends `OutOfSteps` at the first block that would exceed it.
    pub max_steps: u64,
    /// Bytes alive at a time.
    pub max_bytes: u64,
    /// Calls on the stack.
    pub max_depth: usize,
    /// Count blocks, edges and decision evaluations.
    pub coverage: bool,
    /// Remember every edge in order.
    pub trace: bool,
    /// Note how near this function's branches come to each edge.
    pub watch: Option<FuncId>,
    /// Look for memory that a run allocates and loses.
    pub finds_lost_memory: bool,
    /// Whether memory is lost as soon as it is not freed, pointers or not. Default false.
    pub kept_is_lost: bool,
    /// End runs that come back to a state they had: they would never end.
    pub finds_repetition: bool,
    /// Take many turns of counting loops at once (`leap`): steps and the trace leave them out.
    pub leaps: bool,
    /// Bytes by which all addresses differ from the usual ones: what a run computes from an address, or from a part of
    /// one, is another number then. A multiple of 16, since objects stay aligned.
    pub shift: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_steps: u64::MAX,
            max_bytes: 1 << 30,
            max_depth: 100_000,
            coverage: false,
            trace: false,
            watch: None,
            finds_lost_memory: false,
            kept_is_lost: false,
            finds_repetition: false,
            leaps: false,
            shift: 0,
        }
    }
}

/// A program with its memory, ready to run functions.
#[derive(Debug)]
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: Options,
    pub(crate) externals: Box<dyn Externals + 'p>,
    pub(crate) memory: Memory,
    pub(crate) steps: u64,
    pub(crate) leapt_steps: u64,
    pub(crate) n_activations: u32,
    pub(crate) coverage: Coverage,
    pub(crate) pace: Pace,
    pub(crate) is_endless: bool,
    pub(crate) allocations: Allocations,
    // Addresses that the program writes as numbers, once a run uses a number as a pointer.
    fixed: OnceCell<FixedMemory>,
    /// Registers of the machine that the program is for.
    pub(crate) fixed_globals: Vec<GlobalId>,
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    /// What is noted of a function that is followed.
    pub(crate) follower: Option<Box<Follower>>,
    // Dense by function; compiled when first called.
    code: Vec<Option<Rc<Code>>>,
    addresses: ImageAddresses,
    // Memory before any run, to start again from.
    image: Memory,
}

/// Globals and functions have the first object ids, in order; so their addresses are known statically.
#[derive(Debug, Clone, Copy)]
struct ImageAddresses {
    spaces: Spaces,
    n_globals: usize,
    has_registers: bool,
}

impl ImageAddresses {
    fn of(program: &Program, options: Options) -> ImageAddresses {
        let mut kinds = program.globals.iter().map(|global| global.kind);
        let has_registers = kinds.any(|kind| kind.fixed_address().is_some());
        let n_globals = program.globals.len();
        let spaces = Spaces::new(program.pointers, options.shift);
        ImageAddresses { spaces, n_globals, has_registers }
    }

    fn object_address(self, index: usize) -> Address {
        self.spaces.address(index as u64 + 1, 0)
    }

    fn memory(self, object: ObjectId, offset: u64) -> Address {
        self.object_address(object.index() - 1).wrapping_add(offset)
    }

    fn global(self, global: GlobalId) -> Address {
        self.object_address(global.index())
    }

    fn function(self, function: FuncId) -> Address {
        self.object_address(self.n_globals + function.index())
    }
}

impl StaticAddresses for ImageAddresses {
    fn address(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Global(global) => self.global(global),
            Operand::Func(function) => self.function(function),
            Operand::Value(_) | Operand::Int(_) | Operand::Float(_) | Operand::NullPtr => 0,
        }
    }

    fn has_registers(&self) -> bool {
        self.has_registers
    }
}

impl<'p> Machine<'p> {
    /// A machine with globals initialized; `None` when they do not fit into `max_bytes`.
    pub fn new(
        program: &'p Program,
        options: Options,
        mut externals: Box<dyn Externals + 'p>,
    ) -> Option<Machine<'p>> {
        let mut image = memory_image(program, options)?;
        let addresses = ImageAddresses::of(program, options);
        externals.prepare(program, &mut image, &|global| addresses.global(global));
        Some(Machine {
            program,
            options,
            externals,
            memory: image.clone(),
            steps: 0,
            leapt_steps: 0,
            n_activations: 0,
            coverage: Coverage::default(),
            pace: Pace::default(),
            is_endless: false,
            allocations: Allocations::default(),
            fixed: OnceCell::new(),
            fixed_globals: program.registers(),
            registers: Vec::new(),
            frames: Vec::new(),
            follower: None,
            code: vec![None; program.functions.len()],
            addresses,
            image,
        })
    }

    /// Forgets everything but the program: memory as at the start, no steps, no coverage.
    pub fn reset(&mut self) {
        self.memory.clone_from(&self.image);
        self.externals.reset();
        self.steps = 0;
        self.leapt_steps = 0;
        self.n_activations = 0;
        self.coverage = Coverage::default();
        self.pace = Pace::default();
        self.is_endless = false;
        self.allocations = Allocations::default();
        self.registers.clear();
        self.frames.clear();
        self.follower = None;
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    pub fn externals(&self) -> &(dyn Externals + 'p) {
        &*self.externals
    }

    pub fn externals_mut(&mut self) -> &mut (dyn Externals + 'p) {
        &mut *self.externals
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// IR instructions executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// IR instructions of turns that were leapt over, which `steps` leaves out.
    pub fn leapt_steps(&self) -> u64 {
        self.leapt_steps
    }

    /// Whether the last run was seen to come back to a state it had, and so never ends.
    pub fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// Whether runs from now on leap over turns of counting loops.
    pub fn set_leaps(&mut self, leaps: bool) {
        self.options.leaps = leaps;
    }

    pub fn set_max_steps(&mut self, max_steps: u64) {
        self.options.max_steps = max_steps;
    }

    fn addresses(&self) -> ImageAddresses {
        self.addresses
    }

    pub fn global_address(&self, global: GlobalId) -> Address {
        self.addresses().global(global)
    }

    pub fn function_address(&self, function: FuncId) -> Address {
        self.addresses().function(function)
    }

    /// The function at an address, if it is one.
    pub fn function_at(&self, address: Address) -> Option<FuncId> {
        let (id, 0) = self.memory.resolve(address)? else { return None };
        let ObjectKind::Function(function) = self.memory.object(id).kind else { return None };
        Some(function)
    }

    pub(crate) fn static_address(&self, operand: Operand) -> u64 {
        self.addresses().address(operand)
    }

    /// A new object for inputs, with these bytes.
    pub fn new_input(&mut self, bytes: Vec<u8>) -> Option<Address> {
        let id = self.memory.allocate_bytes(ObjectKind::Input, bytes, Span::nowhere())?;
        Some(self.memory.address_of(id, 0))
    }

    /// A stream of the library with these contents.
    pub fn new_stream(&mut self, contents: &[u8]) -> Option<Address> {
        self.externals.add_stream(&mut self.memory, contents)
    }

    /// The address that the program gives an object as a number.
    pub(crate) fn fixed_address(&self, object: ObjectId) -> Option<u64> {
        let ObjectKind::Global(global) = self.memory.object(object).kind else { return None };
        self.program.global(global).kind.fixed_address()
    }

    /// Whether a number is an address that the program writes as such.
    pub(crate) fn is_fixed(&self, address: Address) -> bool {
        self.fixed.get_or_init(|| FixedMemory::of(self.program)).contains(address)
    }

    pub(crate) fn code(&mut self, function: FuncId) -> Rc<Code> {
        if let Some(code) = &self.code[function.index()] {
            return Rc::clone(code);
        }
        let reports = if self.options.coverage || self.options.trace {
            EdgeReports::On
        } else {
            EdgeReports::Off
        };
        let is_watched = self.options.watch == Some(function);
        let watching = if is_watched { Watching::On } else { Watching::Off };
        let code = compile(self.program, function, &self.addresses(), reports, watching);
        let code = Rc::new(code);
        self.code[function.index()] = Some(Rc::clone(&code));
        code
    }

    /// Runs a function to its end. `args` are raw bits, zero-extended, one per IR parameter; for a
    /// record result the first is the address to fill.
    pub fn run(&mut self, function: FuncId, args: &[u128]) -> Outcome {
        if self.program.function(function).body.is_none() {
            let name = self.program.function(function).name.clone();
            return Outcome::MissingFunction { name, span: Span::nowhere() };
        }
        let n_frames = self.frames.len();
        let n_registers = self.registers.len();
        let mut outcome = self.run_loop(function, args);
        if let Outcome::Unsupported { span, .. } = &mut outcome {
            *span = self.visible_place(*span, n_frames);
        }
        if n_frames == 0 {
            self.note_lost_memory(&outcome);
        }
        while self.frames.len() > n_frames {
            self.pop_frame();
        }
        self.registers.truncate(n_registers);
        match (outcome, self.program.function(function).result) {
            (Outcome::Returned(_), ResultPassing::Void | ResultPassing::Indirect) => {
                Outcome::Returned(None)
            }
            (outcome, _) => outcome,
        }
    }

    /// Where the user's code was: the place itself when its source is known, otherwise the innermost call
    /// from such a place.
    fn visible_place(&self, span: Span, n_frames: usize) -> Span {
        let is_visible = |span: &Span| {
            let file = self.program.files.get(span.file.index());
            !span.is_nowhere() && file.is_some_and(|file| file.text.is_some())
        };
        let calls = self.frames[n_frames.min(self.frames.len())..].iter().rev();
        let places: Vec<Span> = std::iter::once(span).chain(calls.map(|f| f.call_span)).collect();
        let visible = places.iter().find(|span| is_visible(span));
        let visible = visible.or_else(|| places.iter().find(|span| !span.is_nowhere()));
        visible.copied().unwrap_or(span)
    }

    /// Ends the newest activation and the life of its objects.
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        if self.follower.is_some() {
            self.note_moment(None);
        }
        let frame = self.frames.pop()?;
        let objects = frame.locals.iter().flatten().chain(&frame.stack_objects);
        for &id in objects.chain(&frame.var_args) {
            self.memory.release(id, ObjectState::OutOfScope);
        }
        self.registers.truncate(frame.base);
        Some(frame)
    }
}

fn memory_image(program: &Program, options: Options) -> Option<Memory> {
    let addresses = ImageAddresses::of(program, options);
    let mut memory = Memory::new(options.max_bytes, addresses.spaces);
    let mut objects = Vec::new();
    for id in program.global_ids() {
        let global = program.global(id);
        let object = memory.allocate(ObjectKind::Global(id), global.size, global.span)?;
        memory.mark_initialized(object);
        objects.push(object);
    }
    for id in program.function_ids() {
        let span = program.function(id).span;
        memory.allocate(ObjectKind::Function(id), 0, span)?;
    }
    for (global, object) in program.globals.iter().zip(objects) {
        initialize(&mut memory, global, object, addresses);
        memory.object_mut(object).is_const = global.is_const;
    }
    Some(memory)
}

fn initialize(memory: &mut Memory, global: &Global, object: ObjectId, addresses: ImageAddresses) {
    let Some(initializer) = &global.initializer else { return };
    let at = |offset| addresses.memory(object, offset);
    let n_bytes = initializer.bytes.len().min(usize::try_from(global.size).unwrap_or(usize::MAX));
    let _ = memory.write_unchecked_const(at(0), &initializer.bytes[..n_bytes]);
    for relocation in &initializer.relocations {
        let target = match relocation.target {
            RelocationTarget::Global(global) => addresses.global(global),
            RelocationTarget::Func(function) => addresses.function(function),
        };
        let value = target.wrapping_add_signed(relocation.addend);
        let bytes = &value.to_le_bytes()[..memory.pointers().bytes() as usize];
        let _ = memory.write_unchecked_const(at(relocation.offset), bytes);
    }
}
