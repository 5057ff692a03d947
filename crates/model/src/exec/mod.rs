//! One symbolic run of a function along one path.

mod access;
mod alias;
mod arith;
mod call;
mod check;
mod external;
mod file;
mod float;
mod front;
mod known_length;
mod lost;
mod pointee;
mod pointer;
mod print_format;
mod print_text;
mod read_block;
mod reference;
mod scanf;
mod start;
mod state;
mod step;
mod stream;
mod stub;
mod symbolic_offset;
mod var_args;

pub use lost::LostMemory;
pub use state::{Lives, PathState};

use std::cell::OnceCell;

use glassbox_ir::{
    BlockId, CheckKind, FixedMemory, FuncId, GlobalId, Operand, Program, Span, Ty, ValueId,
};
use glassbox_terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::config::Config;
use crate::guide::{Alternative, ChoiceKind, ChoicePoint, Guide};
use crate::inputs::Inputs;
use crate::memory::Memory;
use crate::value::{ObjectId, SymPtr, SymValue};
use step::way;

/// How a path ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathEnd {
    Returned(Option<SymValue>),
    Exited(TermId),
    Aborted,
    /// Undefined behavior or a failed assertion.
    Failed {
        kind: CheckKind,
        span: Span,
    },
    /// An assumption excludes the path.
    Rejected,
    /// Something that is not modeled stands in the way.
    Unsupported {
        what: String,
        span: Span,
    },
    /// A call of an undefined function ended a run that would have gone on.
    Cut,
    /// Too many steps or calls.
    OutOfSteps,
    /// The guide ended it, or the conditions contradict each other.
    Stopped,
    /// Another path has been in the same state: whatever comes next comes there, too.
    Met,
}

/// What a path left behind.
#[derive(Debug)]
pub struct Execution {
    pub end: PathEnd,
    pub memory: Memory,
    pub steps: u64,
    /// Where each activation was when the path ended, innermost last; empty after a return.
    pub stack: Vec<StackPlace>,
    /// Checks, calls and allocations that the path came to, sorted: function, block, instruction.
    pub sites: Vec<(FuncId, BlockId, u32)>,
    /// Memory that nothing leads to after the path, if the configuration asks for it.
    pub lost: Vec<LostMemory>,
}

/// Where an activation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackPlace {
    pub function: FuncId,
    pub block: BlockId,
    pub span: Span,
}

/// Runs `function` on symbolic inputs along the path that `guide` chooses.
pub fn execute(
    program: &Program,
    function: FuncId,
    config: &Config,
    terms: &mut Terms,
    inputs: &mut Inputs,
    guide: &mut dyn Guide,
) -> Execution {
    inputs.restart();
    let mut executor = Executor {
        program,
        config,
        terms,
        inputs,
        guide,
        memory: Memory::new(program.pointers),
        globals: FxHashMap::default(),
        unfilled: FxHashMap::default(),
        frames: Vec::new(),
        steps: 0,
        span: program.function(function).span,
        n_input_objects: 0,
        n_calls: 0,
        own_arguments: Vec::new(),
        is_ordering: false,
        numbers: FxHashSet::default(),
        n_activations: 0,
        sites: FxHashSet::default(),
        allocations: Vec::new(),
        given_away: Vec::new(),
        fixed: OnceCell::new(),
        registers: OnceCell::new(),
        errno: OnceCell::new(),
    };
    let end = match executor.start(function) {
        Ok(()) => match executor.run() {
            Ok(value) => PathEnd::Returned(value),
            Err(end) => *end,
        },
        Err(end) => *end,
    };
    let stack = executor.stack();
    let lost = executor.lost_memory(&end);
    let mut sites: Vec<(FuncId, BlockId, u32)> = executor.sites.into_iter().collect();
    sites.sort_unstable();
    Execution { end, memory: executor.memory, steps: executor.steps, stack, sites, lost }
}

/// Ends the path; boxed because it is rare and large.
pub(crate) type Stop = Box<PathEnd>;

pub(crate) fn stop<T>(end: PathEnd) -> Result<T, Stop> {
    Err(Box::new(end))
}

/// One activation.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) function: FuncId,
    pub(crate) block: BlockId,
    pub(crate) values: Vec<Option<SymValue>>,
    pub(crate) locals: Vec<Option<ObjectId>>,
    pub(crate) stack_objects: Vec<ObjectId>,
    pub(crate) var_args: Option<ObjectId>,
    /// The next instruction of the block.
    pub(crate) position: usize,
    /// Where the caller wants the result.
    pub(crate) result: Option<ValueId>,
    /// Its number among the activations of the path.
    pub(crate) activation: u32,
}

pub(crate) struct Executor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) config: &'a Config,
    pub(crate) terms: &'a mut Terms,
    pub(crate) inputs: &'a mut Inputs,
    pub(crate) guide: &'a mut dyn Guide,
    pub(crate) memory: Memory,
    pub(crate) globals: FxHashMap<GlobalId, ObjectId>,
    /// Globals that others refer to and that nothing has been asked of yet: what initializers of a library have left is
    /// much, and a path looks at little of it.
    pub(crate) unfilled: FxHashMap<ObjectId, GlobalId>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) steps: u64,
    /// The place of the instruction that runs.
    pub(crate) span: Span,
    pub(crate) n_input_objects: usize,
    /// Calls of the function under test so far.
    pub(crate) n_calls: u32,
    /// The variable arguments that the function under test has asked for in its last call.
    pub(crate) own_arguments: Vec<Ty>,
    /// Pointers are being compared by order or subtracted: an array is likely behind them.
    pub(crate) is_ordering: bool,
    /// Floats that are numbers on this path.
    pub(crate) numbers: FxHashSet<TermId>,
    pub(crate) n_activations: u32,
    pub(crate) sites: FxHashSet<(FuncId, BlockId, u32)>,
    // Blocks in the order of allocation, with the user's place, when lost ones are looked for.
    pub(crate) allocations: Vec<(ObjectId, FuncId, Span)>,
    // What undefined functions have seen of memory.
    pub(crate) given_away: Vec<ObjectId>,
    // Addresses that the program writes as numbers, once a path uses a number as a pointer.
    pub(crate) fixed: OnceCell<FixedMemory>,
    pub(crate) registers: OnceCell<Vec<GlobalId>>,
    pub(crate) errno: OnceCell<Option<GlobalId>>,
}

impl Executor<'_> {
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a function runs")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function runs")
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Stop> {
        stop(PathEnd::Unsupported { what: what.into(), span: self.span })
    }

    pub(crate) fn failed<T>(&self, kind: CheckKind) -> Result<T, Stop> {
        stop(PathEnd::Failed { kind, span: self.span })
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, operand: Operand) -> SymValue {
        match operand {
            Operand::Value(value) => {
                self.frame().values[value.index()].expect("uses come after definitions")
            }
            Operand::Int(bits) if bits.width() == 1 => {
                SymValue::Term(self.terms.bool_const(bits.is_true()))
            }
            Operand::Int(bits) => SymValue::Term(self.terms.bv_const(bits)),
            Operand::Float(float) => SymValue::Term(self.terms.float_const(float)),
            Operand::NullPtr => SymValue::Ptr(self.null()),
            Operand::Global(global) => SymValue::Ptr(self.global_pointer(global)),
            Operand::Func(function) => SymValue::Ptr(SymPtr::Func(function)),
        }
    }

    pub(crate) fn null(&mut self) -> SymPtr {
        SymPtr::Number(self.terms.bv_u(0, 64))
    }

    /// The term of a scalar operand; pointers become numbers.
    pub(crate) fn term(&mut self, operand: Operand) -> Result<TermId, Stop> {
        match self.operand(operand) {
            SymValue::Term(term) => Ok(term),
            SymValue::Ptr(ptr) => self.pointer_number(ptr),
        }
    }

    /// The pointer that an operand is; numbers become addresses.
    pub(crate) fn pointer(&mut self, operand: Operand) -> SymPtr {
        match self.operand(operand) {
            SymValue::Ptr(ptr) => ptr,
            SymValue::Term(term) => SymPtr::Number(term),
        }
    }

    pub(crate) fn set(&mut self, result: Option<ValueId>, value: SymValue) {
        if let Some(result) = result {
            self.frame_mut().values[result.index()] = Some(value);
        }
    }

    /// Asks the guide which way to go, unless only one is possible. The way's condition then holds.
    pub(crate) fn choose(
        &mut self,
        kind: ChoiceKind,
        alternatives: &[Alternative],
    ) -> Result<usize, Stop> {
        let is_open = |alternative: &Alternative| {
            self.terms.as_bool_const(alternative.condition) != Some(false)
        };
        let mut open = (0..alternatives.len()).filter(|&index| is_open(&alternatives[index]));
        match (open.next(), open.next()) {
            (Some(only), None) => return Ok(only),
            (None, _) => return stop(PathEnd::Stopped),
            (Some(_), Some(_)) => {}
        }
        // A condition that is constantly true is the only one, whatever the others look like; free
        // choices (all true) are not conditions.
        let is_free =
            matches!(kind, ChoiceKind::Pointer | ChoiceKind::Callee | ChoiceKind::Allocation);
        if !is_free {
            let certain = alternatives
                .iter()
                .position(|way| self.terms.as_bool_const(way.condition) == Some(true));
            if let Some(certain) = certain {
                return Ok(certain);
            }
        }
        let point = self.choice_point(kind);
        match self.guide.choose(self.terms, &point, alternatives) {
            Some(way) => {
                self.learn_numbers(alternatives[way].condition);
                Ok(way)
            }
            None => stop(PathEnd::Stopped),
        }
    }

    /// Asks the guide for one of `n_ways` that inputs may choose between freely.
    pub(crate) fn choose_freely(&mut self, kind: ChoiceKind, n_ways: usize) -> Result<usize, Stop> {
        let free = way(self.terms.bool_const(true));
        self.choose(kind, &vec![free; n_ways])
    }

    pub(crate) fn choice_point(&self, kind: ChoiceKind) -> ChoicePoint {
        let frame = self.frame();
        let same = self.frames.iter().filter(|other| other.function == frame.function).count();
        let caller = self.is_library(frame.function).then(|| {
            let own = self.frames.iter().rev().find(|frame| !self.is_library(frame.function));
            own.map(|frame| (frame.function, self.span_of(frame)))
        });
        ChoicePoint {
            function: frame.function,
            block: frame.block,
            span: self.span,
            kind,
            caller: caller.flatten(),
            entry_block: self.frames[0].block,
            activation: frame.activation,
            recursion: u32::try_from(same - 1).unwrap_or(u32::MAX),
        }
    }

    pub(crate) fn is_library(&self, function: FuncId) -> bool {
        glassbox_ir::library::is_model(self.program, function)
    }

    /// The place of the instruction that the activation executes.
    pub(crate) fn span_of(&self, frame: &Frame) -> Span {
        let block = self.program.body(frame.function).block(frame.block);
        let instr = frame.position.checked_sub(1).and_then(|at| block.instrs.get(at));
        instr.map_or(block.terminator_span, |instr| instr.span)
    }

    fn stack(&self) -> Vec<StackPlace> {
        let place = |frame: &Frame| StackPlace {
            function: frame.function,
            block: frame.block,
            span: self.span_of(frame),
        };
        self.frames.iter().map(place).collect()
    }

    /// Remembers that the path came to the instruction that runs.
    pub(crate) fn note_site(&mut self) {
        let frame = self.frame();
        let instr = u32::try_from(frame.position.saturating_sub(1)).unwrap_or(u32::MAX);
        let site = (frame.function, frame.block, instr);
        self.sites.insert(site);
    }

    /// A fact that inputs have to satisfy from here on.
    pub(crate) fn assume(&mut self, fact: TermId) -> Result<(), Stop> {
        match self.terms.as_bool_const(fact) {
            Some(true) => Ok(()),
            Some(false) => stop(PathEnd::Rejected),
            None if self.guide.assume(self.terms, fact) => Ok(()),
            None => stop(PathEnd::Stopped),
        }
    }

    /// Goes on only if `condition` holds; otherwise the path fails with `kind`.
    pub(crate) fn require(&mut self, condition: TermId, kind: CheckKind) -> Result<(), Stop> {
        let negation = self.terms.not(condition);
        let ways = [
            Alternative { condition, is_failure: false },
            Alternative { condition: negation, is_failure: true },
        ];
        match self.choose(ChoiceKind::Check(kind), &ways)? {
            0 => Ok(()),
            _ => self.failed(kind),
        }
    }
}
