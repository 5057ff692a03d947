//! Building the graph: guess, build, see which guesses were wrong, build again.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{
    FuncId, GlobalKind, Number, Passing, PointerSize, Program, ResultPassing, Shape, SourceTypeId,
    Span,
};
use glassbox_memory::alias::in_unions;
use glassbox_terms::{Sort, TermId, Terms};

use super::body::Frame;
use super::join::Joined;
use super::lessons::{Lessons, MAX_ALIGNMENT};
use super::memory::{Content, Memory, Object, Ptr, State, Targets, Val};
use super::options::Options;
use super::place::Place;
use super::pure::sort_of;
use super::summary::{Plan, Role, Table};
use super::typed::Pointee;
use super::{Edge, Event, Graph, Node};

/// Builds after which guessing ends and the function counts as too complicated.
const MAX_BUILDS: usize = 60;

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) options: &'a Options,
    pub(super) table: &'a Table,
    pub(super) role: Role<'a>,
    pub(super) is_partial: bool,
    pub(super) lessons: &'a mut Lessons,
    pub(super) graph: Graph,
    /// The node that instructions go to; `None` when control does not come here.
    pub(super) here: Option<usize>,
    pub(super) memory: Memory,
    pub(super) joins: BTreeMap<usize, Joined>,
    /// What cells of inputs held at the beginning, by object, offset and sort.
    pub(super) initial: BTreeMap<(Object, u64, Sort), TermId>,
    pub(super) initial_arrays: BTreeMap<(Object, u64), TermId>,
    pub(super) n_opaque: usize,
    /// By function: calls that were expanded.
    pub(super) expanded: BTreeMap<FuncId, usize>,
    /// Locals and records.
    pub(super) declared: BTreeMap<Object, Declared>,
    pub(super) allocated: BTreeMap<Object, Allocated>,
    /// Variables with low bits that are surely zero.
    pub(super) aligned: BTreeMap<TermId, u32>,
    /// Sets of targets that pointers have.
    pub(super) sets: Vec<Targets>,
    /// Numbers that are pointers, and to what.
    pub(super) pointees: BTreeMap<TermId, Pointee>,
    /// Numbers at joins that are null on all ways so far: the next build knows more, or they are always null.
    pub(super) pending: BTreeSet<TermId>,
}

/// What the source says of an object.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) ty: SourceTypeId,
    /// Bytes, where accesses are held against them.
    pub(super) size: Option<u64>,
}

/// What is known of an allocated object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allocated {
    pub(super) size: TermId,
    /// It ends with its function and cannot be freed: an array of variable length.
    pub(super) is_on_stack: bool,
}

/// The graph of a function; `None` when building does not converge or the graph is too large. Calls that are not expanded
/// are what the table says.
pub fn build(
    program: &Program,
    function: FuncId,
    options: &Options,
    plan: Plan<'_>,
) -> Option<Graph> {
    let mut lessons = match plan.role {
        Role::UnderTest => Lessons::default(),
        Role::Callee { .. } => Lessons::of_callee(),
    };
    lessons.in_unions = in_unions(program);
    lessons.known.is_untyped |= !options.types_apart;
    for _ in 0..MAX_BUILDS {
        lessons.begin();
        let mut builder = Builder::new(program, options, plan, &mut lessons);
        builder.run(function);
        let graph = builder.graph;
        if !lessons.end() {
            return Some(finish(graph));
        }
    }
    None
}

/// Ways in, from the edges.
fn finish(mut graph: Graph) -> Graph {
    for (&variable, &owner) in &graph.owners {
        graph.owned.entry(owner).or_default().push(variable);
    }
    for from in 0..graph.nodes.len() {
        for edge in 0..graph.nodes[from].edges.len() {
            let target = graph.nodes[from].edges[edge].target;
            graph.nodes[target].ways_in.push((from, edge));
        }
    }
    graph
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a Program,
        options: &'a Options,
        plan: Plan<'a>,
        lessons: &'a mut Lessons,
    ) -> Builder<'a> {
        Builder {
            program,
            options,
            table: plan.table,
            role: plan.role,
            is_partial: plan.is_partial,
            lessons,
            graph: Graph {
                terms: Terms::new(),
                nodes: Vec::new(),
                sites: BTreeMap::new(),
                edges: BTreeMap::new(),
                hidden: BTreeSet::new(),
                opaque: BTreeSet::new(),
                calls: Vec::new(),
                missing: BTreeSet::new(),
                is_shallow: false,
                learned: BTreeSet::new(),
                rows: BTreeMap::new(),
                begin: Vec::new(),
                ends: Vec::new(),
                entry: None,
                suggested: Vec::new(),
                unsupported: Vec::new(),
                out_of_order: Vec::new(),
                inputs: Vec::new(),
                is_exact: true,
                owners: BTreeMap::new(),
                owned: BTreeMap::new(),
            },
            here: None,
            memory: Memory::new(),
            joins: BTreeMap::new(),
            initial: BTreeMap::new(),
            initial_arrays: BTreeMap::new(),
            n_opaque: 0,
            expanded: BTreeMap::new(),
            declared: BTreeMap::new(),
            allocated: BTreeMap::new(),
            aligned: BTreeMap::new(),
            sets: Vec::new(),
            pointees: BTreeMap::new(),
            pending: BTreeSet::new(),
        }
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        &mut self.graph.terms
    }

    /// Builds the function under test from unknown arguments.
    fn run(&mut self, function: FuncId) {
        let entry = self.new_node(function, Span::nowhere());
        self.here = Some(entry);
        let declared = self.program.function(function);
        let is_indirect = declared.result == ResultPassing::Indirect;
        let mut args = Vec::new();
        for (position, param) in declared.params.iter().enumerate() {
            let is_result = position == 0 && is_indirect;
            if is_result || param.passing == Passing::Indirect {
                let object = Object::Record(position);
                let content = if is_result { Content::Uninitialized } else { Content::Initial };
                self.memory.objects.insert(object, State::new(content));
                let (name, ty) = (param.name.clone(), param.source_type);
                self.declared.insert(object, Declared { name, ty, size: None });
                let offset = self.terms().bv_u(0, 64);
                args.push(Val::Ptr(Ptr::Object { object, offset }));
                continue;
            }
            let value = self.input(&param.name, param.ty);
            if let Val::Ptr(Ptr::Number(address)) = value {
                // C has no pointers that are not aligned for their type.
                let n_zeros = self.alignment_behind(param.source_type);
                self.aligned.insert(address, n_zeros);
                if let Some(target) = self.program.pointee(param.source_type) {
                    let is_sure = self.is_record(target);
                    self.note_pointee(address, Pointee::start_of(target, is_sure));
                }
            }
            let is_bool = matches!(self.role, Role::UnderTest)
                && self.program.shape(param.source_type) == Shape::Number(Number::Bool);
            if let (Val::Term(term), true) = (value, is_bool)
                && let Sort::Bv(width) = self.terms().sort(term)
            {
                let one = self.terms().bv_u(1, width);
                let fits = self.terms().bv_ule(term, one);
                self.event(Event::Assume(fits));
            }
            args.push(value);
        }
        let frame =
            Frame { function, activation: 0, depth: 0, stack: vec![function], is_once: true };
        self.note_begin(&args);
        let exits = self.body(&frame, args);
        self.note_ends(function, exits);
    }

    /// Low zero bits of the addresses that a pointer of this type may have.
    fn alignment_behind(&self, ty: SourceTypeId) -> u32 {
        self.program.pointee(ty).map_or(0, |target| self.alignment_of(target))
    }

    /// Low zero bits of the addresses of objects of this type.
    pub(super) fn alignment_of(&self, ty: SourceTypeId) -> u32 {
        let align = match self.program.shape(ty) {
            Shape::Array { element, .. } => return self.alignment_of(element),
            // Where words are small, large numbers need not be aligned to their size.
            Shape::Number(number) if self.program.pointers == PointerSize::Four => {
                number.size().min(4)
            }
            Shape::Number(number) => number.size(),
            Shape::Pointer { .. } => self.program.pointers.bytes(),
            Shape::Record { align, .. } => align,
            Shape::Void | Shape::Function | Shape::Reference | Shape::Opaque { .. } => 1,
        };
        if align.is_power_of_two() { align.trailing_zeros().min(MAX_ALIGNMENT) } else { 0 }
    }

    /// A value that the function under test is given.
    pub(super) fn input(&mut self, name: &str, ty: glassbox_ir::Ty) -> Val {
        let variable = self.new_var(name, sort_of(ty), self.here.unwrap_or(0));
        self.graph.inputs.push(variable);
        match ty {
            glassbox_ir::Ty::Ptr => Val::Ptr(Ptr::Number(variable)),
            glassbox_ir::Ty::Int(_) | glassbox_ir::Ty::Float(_) => Val::Term(variable),
        }
    }

    /// A variable of which nothing is known.
    pub(super) fn opaque(&mut self, sort: Sort) -> TermId {
        self.graph.is_exact = false;
        self.n_opaque += 1;
        let name = format!("?{}", self.n_opaque);
        self.new_var(&name, sort, self.here.unwrap_or(0))
    }

    pub(super) fn new_var(&mut self, name: &str, sort: Sort, owner: usize) -> TermId {
        let variable = self.terms().fresh_var(name, sort);
        self.graph.owners.insert(variable, owner);
        variable
    }

    pub(super) fn opaque_of(&mut self, ty: glassbox_ir::Ty) -> Val {
        let term = self.opaque(sort_of(ty));
        match ty {
            glassbox_ir::Ty::Ptr => Val::Ptr(Ptr::Number(term)),
            glassbox_ir::Ty::Int(_) | glassbox_ir::Ty::Float(_) => Val::Term(term),
        }
    }

    pub(super) fn new_node(&mut self, function: FuncId, span: Span) -> usize {
        self.graph.nodes.push(Node {
            span: Some(span),
            function: Some(function),
            ..Node::default()
        });
        self.graph.nodes.len() - 1
    }

    pub(super) fn event(&mut self, event: Event) {
        if let Some(here) = self.here {
            self.graph.nodes[here].events.push(event);
        }
    }

    pub(super) fn site(&mut self, place: Place) {
        if let Some(here) = self.here {
            let n_events = self.graph.nodes[here].events.len();
            self.graph.sites.entry(place).or_default().push((here, n_events));
        }
    }

    /// Adds an edge without arguments yet; its position.
    pub(super) fn edge(&mut self, from: usize, condition: TermId, target: usize) -> usize {
        self.graph.nodes[from].edges.push(Edge { condition, target, args: Vec::new() });
        self.graph.nodes[from].edges.len() - 1
    }

    /// Whether a global starts with what the source writes. A static variable of a function does so only
    /// for the first call.
    pub(super) fn starts_as_written(&self, global: glassbox_ir::GlobalId) -> bool {
        let declared = self.program.global(global);
        let is_input = (self.options.model.globals_are_inputs
            // Callers may have changed them.
            || matches!(self.role, Role::Callee { .. }))
            && !declared.is_const
            && declared.kind != GlobalKind::StringLiteral;
        !is_input && declared.initializer.is_some()
    }
}
