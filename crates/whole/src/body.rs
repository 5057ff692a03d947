//! The blocks of one activation, in an order in which definitions come before uses.

use std::collections::BTreeMap;

use glassbox_ir::cfg::Cfg;
use glassbox_ir::{
    Block, BlockId, Body, FuncId, InstrKind, MemoryOp, Operand, Target, Terminator, ValueId,
};
use glassbox_model::meaning::switch_ways;
use glassbox_terms::TermId;

use super::build::Builder;
use super::join::WayIn;
use super::memory::{Memory, Object, Targets, Val};
use super::names;
use super::options::{AfterErrors, Doubt};
use super::place::Place;
use super::stale::Stale;

/// An activation of a function.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) function: FuncId,
    pub(super) activation: usize,
    pub(super) depth: u32,
    /// Functions that are active, this one last.
    pub(super) stack: Vec<FuncId>,
    /// The activation happens at most once in a run.
    pub(super) is_once: bool,
}

/// A way out of an activation: the node is open, its last instruction was the return.
#[derive(Debug, Clone)]
pub(super) struct Exit {
    pub(super) node: usize,
    /// Whose last instruction it is.
    pub(super) block: BlockId,
    pub(super) memory: Memory,
    pub(super) value: Option<Val>,
}

/// What is known while the blocks of one activation are built.
pub(super) struct Activation<'a> {
    pub(super) frame: &'a Frame,
    pub(super) body: &'a Body,
    pub(super) values: Vec<Option<Val>>,
    pub(super) names: Vec<Option<String>>,
    pub(super) block: BlockId,
    pub(super) n_pieces: u32,
    /// Blocks that control may come back to.
    pub(super) repeated: Vec<bool>,
    pub(super) stale: Stale,
    waiting: BTreeMap<BlockId, Vec<WayIn>>,
    /// Nodes of blocks that have begun.
    begun: BTreeMap<BlockId, usize>,
}

impl Builder<'_> {
    /// Builds the body from the present node and memory; gives the ways out. Afterwards there is no
    /// present node.
    pub(super) fn body(&mut self, frame: &Frame, args: Vec<Val>) -> Vec<Exit> {
        let program = self.program;
        let body = program.body(frame.function);
        let cfg = Cfg::new(body);
        let mut activation = Activation {
            frame,
            body,
            values: vec![None; body.values.len()],
            names: names::of(program, body),
            block: BlockId::new(Body::ENTRY),
            n_pieces: 0,
            repeated: repeated(body),
            stale: Stale::new(program, body),
            waiting: BTreeMap::new(),
            begun: BTreeMap::new(),
        };
        let mut exits = Vec::new();
        let entry = BlockId::new(Body::ENTRY);
        let Some(start) = self.here else { return exits };
        for &block in &cfg.reverse_postorder {
            let n_ways =
                cfg.predecessors[block.index()].iter().filter(|p| cfg.is_reachable(**p)).count();
            activation.block = block;
            activation.n_pieces = 0;
            if block == entry && n_ways == 0 {
                for (&param, &arg) in body.block(block).params.iter().zip(&args) {
                    activation.values[param.index()] = Some(arg);
                }
                self.here = Some(start);
            } else {
                if block == entry {
                    let always = self.terms().bool_const(true);
                    self.go(&mut activation, start, always, block, args.clone());
                }
                let Some(ways) = activation.waiting.remove(&block) else { continue };
                let is_join = n_ways + usize::from(block == entry) > 1;
                self.begin(&mut activation, block, ways, is_join);
            }
            let Some(node) = self.here else { continue };
            activation.begun.insert(block, node);
            self.block(&mut activation, body.block(block), &mut exits);
        }
        self.give_up_on(&mut activation);
        self.close_joins(frame.activation);
        self.here = None;
        self.drop_locals(frame, body, &mut exits);
        exits
    }

    /// A block that no way led to when its turn came, and one does now: a jump into the middle of a loop that
    /// is not entered otherwise. It is not in the graph, so that nothing can be said about any function.
    fn give_up_on(&mut self, activation: &mut Activation<'_>) {
        let ways: Vec<WayIn> =
            std::mem::take(&mut activation.waiting).into_values().flatten().collect();
        if ways.is_empty() {
            return;
        }
        let nowhere = self.new_node(activation.frame.function, glassbox_ir::Span::nowhere());
        for way in &ways {
            self.connect(way, nowhere);
        }
        self.hide_all();
        let what = "a jump into the middle of a loop".to_owned();
        self.graph.unsupported.push((nowhere, what, glassbox_ir::Span::nowhere()));
    }

    /// Starts the node of a block from the ways that lead to it so far.
    fn begin(
        &mut self,
        activation: &mut Activation<'_>,
        block: BlockId,
        ways: Vec<WayIn>,
        is_join: bool,
    ) {
        let body = activation.body;
        let key = (activation.frame.activation, block, 0);
        let span =
            body.block(block).instrs.first().map_or(body.block(block).terminator_span, |i| i.span);
        let node = self.new_node(activation.frame.function, span);
        let values = if is_join {
            let types: Vec<(glassbox_ir::Ty, String)> = body
                .block(block)
                .params
                .iter()
                .map(|p| {
                    let name = activation.names[p.index()].clone();
                    (body.value_ty(*p), name.unwrap_or_else(|| format!("{p}")))
                })
                .collect();
            self.join(key, node, &types, ways)
        } else {
            let way = ways.into_iter().next().expect("a block that begins has a way in");
            self.connect(&way, node);
            self.memory = way.memory;
            way.values
        };
        for (&param, value) in body.block(block).params.iter().zip(values) {
            activation.values[param.index()] = Some(value);
        }
        self.here = Some(node);
    }

    fn block(&mut self, activation: &mut Activation<'_>, block: &Block, exits: &mut Vec<Exit>) {
        let function = activation.frame.function;
        for (index, instr) in block.instrs.iter().enumerate() {
            let index = u32::try_from(index).expect("fewer than 2^32 instructions");
            let place = Place { function, block: activation.block, instr: index };
            self.site(place);
            self.instr(activation, instr, place);
            if self.here.is_none() {
                return;
            }
        }
        let n_instrs = u32::try_from(block.instrs.len()).expect("fewer than 2^32 instructions");
        self.site(Place { function, block: activation.block, instr: n_instrs });
        self.terminator(activation, block, exits);
    }

    fn terminator(
        &mut self,
        activation: &mut Activation<'_>,
        block: &Block,
        exits: &mut Vec<Exit>,
    ) {
        let Some(node) = self.here else { return };
        match &block.terminator {
            Terminator::Jump(target) => {
                let always = self.terms().bool_const(true);
                self.take(activation, node, always, 0, target);
            }
            Terminator::Branch { condition, if_true, if_false, .. } => {
                let condition = self.term(activation, *condition);
                let negation = self.terms().not(condition);
                self.take(activation, node, condition, 0, if_true);
                self.take(activation, node, negation, 1, if_false);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.term(activation, *value);
                let ways = switch_ways(self.terms(), value, cases);
                let targets = cases.iter().map(|case| &case.target).chain([default]);
                for (index, (condition, target)) in (0u32..).zip(ways.into_iter().zip(targets)) {
                    self.take(activation, node, condition, index, target);
                }
            }
            Terminator::Return(operand) => {
                let value = operand.map(|operand| self.operand(activation, operand));
                let (block, memory) = (activation.block, self.memory.clone());
                exits.push(Exit { node, block, memory, value });
            }
            Terminator::Unreachable => {}
        }
        self.here = None;
    }

    /// Takes an edge of a terminator, unless its condition never holds.
    pub(super) fn take(
        &mut self,
        activation: &mut Activation<'_>,
        node: usize,
        condition: TermId,
        index: u32,
        target: &Target,
    ) {
        if self.terms().as_bool_const(condition) == Some(false) {
            return;
        }
        let values = target.args.iter().map(|&arg| self.operand(activation, arg)).collect();
        let position = self.graph.nodes[node].edges.len();
        self.go(activation, node, condition, target.block, values);
        let key = (activation.frame.function, activation.block, index);
        self.graph.edges.entry(key).or_default().push((node, position));
    }

    fn go(
        &mut self,
        activation: &mut Activation<'_>,
        from: usize,
        condition: TermId,
        target: BlockId,
        values: Vec<Val>,
    ) {
        // The target is set when its node begins.
        let edge = self.edge(from, condition, usize::MAX);
        let memory = self.memory.clone();
        let way = WayIn { from, edge, values, memory };
        match activation.begun.get(&target) {
            Some(&node) => {
                self.connect(&way, node);
                self.joins.get_mut(&node).expect("a loop head is a join").ways.push(way);
            }
            None => activation.waiting.entry(target).or_default().push(way),
        }
    }

    pub(super) fn connect(&mut self, way: &WayIn, node: usize) {
        self.graph.nodes[way.from].edges[way.edge].target = node;
    }

    /// Locals die when their function returns.
    fn drop_locals(&mut self, frame: &Frame, body: &Body, exits: &mut [Exit]) {
        for exit in exits {
            if let Some(Val::Ptr(ptr)) = exit.value {
                let mut targets = self.targets_of(ptr).into_iter().flat_map(Targets::objects);
                // What points to a local is no valid address any more, and may even be null.
                if targets
                    .any(|object| matches!(object, Object::Local(of, _) if of == frame.activation))
                {
                    self.here = Some(exit.node);
                    exit.value = Some(self.opaque_of(glassbox_ir::Ty::Ptr));
                    self.here = None;
                }
            }
            for local in 0..body.locals.len() {
                let local = glassbox_ir::LocalId::new(local);
                exit.memory.objects.remove(&Object::Local(frame.activation, local));
            }
            exit.memory.objects.retain(|object, _| {
                let is_own = matches!(object, Object::Alloc(of, ..) if *of == frame.activation);
                !(is_own && self.is_on_stack(*object))
            });
        }
    }

    /// The value of an operand.
    pub(super) fn operand(&mut self, activation: &Activation<'_>, operand: Operand) -> Val {
        use super::memory::Ptr;
        match operand {
            Operand::Value(value) => match activation.values[value.index()] {
                Some(_)
                    if activation.stale.has(value, activation.block)
                        || self.doubt(activation.frame.function, value).is_some() =>
                {
                    self.opaque_of(activation.body.value_ty(value))
                }
                Some(value) => value,
                // Defined where control does not come.
                None => self.opaque_of(activation.body.value_ty(value)),
            },
            Operand::Int(bits) if bits.width() == 1 => {
                Val::Term(self.terms().bool_const(bits.is_true()))
            }
            Operand::Int(bits) => Val::Term(self.terms().bv_const(bits)),
            Operand::Float(float) => Val::Term(self.terms().float_const(float)),
            Operand::NullPtr => Val::Ptr(Ptr::Number(self.terms().bv_u(0, 64))),
            Operand::Global(global) => {
                self.lessons.learn_global(global);
                let offset = self.terms().bv_u(0, 64);
                Val::Ptr(Ptr::Object { object: Object::Global(global), offset })
            }
            Operand::Func(function) => Val::Ptr(Ptr::Func(function)),
        }
    }

    /// What is left of a value when an error may have made anything of it.
    pub(super) fn doubt(&self, function: FuncId, value: ValueId) -> Option<Doubt> {
        match &self.options.after_errors {
            AfterErrors::End => None,
            AfterErrors::GoOn(doubts) => doubts.get(&(function, value)).copied(),
        }
    }

    /// The term of an operand; pointers become numbers, and what they point to is no longer followed.
    pub(super) fn term(&mut self, activation: &Activation<'_>, operand: Operand) -> TermId {
        let value = self.operand(activation, operand);
        self.number(value)
    }
}

/// By block: control may come back to it.
fn repeated(body: &Body) -> Vec<bool> {
    let comes_back = |start: BlockId| {
        let mut is_seen = vec![false; body.blocks.len()];
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for target in body.block(block).terminator.targets() {
                if target.block == start {
                    return true;
                }
                if !std::mem::replace(&mut is_seen[target.block.index()], true) {
                    open.push(target.block);
                }
            }
        }
        false
    };
    // It matters only for blocks with an allocation or a call.
    let matters = |block: &Block| {
        block.instrs.iter().any(|instr| {
            matches!(instr.kind, InstrKind::Memory(MemoryOp::HeapAlloc { .. }) | InstrKind::Call(_))
        })
    };
    body.block_ids().map(|id| matters(body.block(id)) && comes_back(id)).collect()
}
