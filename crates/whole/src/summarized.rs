//! Calls that a summary stands for, and the model of a function from which its summary is found.

use std::collections::BTreeMap;

use glassbox_ir::{BlockId, FuncId, GlobalId, Span, Terminator, Ty};
use glassbox_terms::TermId;

use super::body::Exit;
use super::build::Builder;
use super::facts::Facts;
use super::formula::{at_most_zero, state_terms};
use super::lessons::CellKind;
use super::memory::{Content, Object, Ptr, Scalar, State, Val};
use super::pure::sort_of;
use super::summary::{self, Quantity, Role, Schema, Writes, translate};
use super::{Event, Node, SummarizedCall};

/// Numbers of ways of returning.
const WAY_WIDTH: u8 = 8;
const WAY: Ty = Ty::Int(WAY_WIDTH);

/// Something that a call leaves.
struct Output {
    quantity: Quantity,
    name: String,
    ty: Ty,
}

impl Builder<'_> {
    /// A call as its summary describes it: what goes in is noted, what may be written is forgotten, and what
    /// comes out is anything that the summary allows.
    pub(super) fn summarized(
        &mut self,
        function: FuncId,
        args: &[Val],
        result: Option<Ty>,
    ) -> Option<Val> {
        self.hide(function);
        let table = self.table;
        let (Some(summary), Some(writes)) =
            (table.summaries.get(&function), table.effects.get(&function))
        else {
            self.graph.missing.insert(function);
            return self.unknown_call(args, result);
        };
        let schema = &summary.schema;
        // Whatever the callee can reach it may keep.
        args.iter().for_each(|&arg| self.escape(arg));
        let mut known = Vec::new();
        for (quantity, _) in schema.inputs() {
            let term = match quantity {
                Quantity::Param(position) => self.number(args[position]),
                Quantity::Before(global) | Quantity::After(global) => self.read_global(global),
                Quantity::Result => continue,
            };
            known.push((quantity, term));
        }
        let node = self.here?;
        let n_events = self.graph.nodes[node].events.len();
        let begin = known.clone();
        let returning: Vec<&summary::Exit> = summary.returning().collect();
        let may_return = !returning.is_empty();
        let call = SummarizedCall { callee: function, node, n_events, begin, may_return };
        self.graph.calls.push(call);
        if !may_return {
            self.here = None;
            return None;
        }
        self.forget_written(writes, args);
        let outputs = self.outputs(schema, result);
        let left = match returning.as_slice() {
            [only] => self.returned_by(schema, &known, &outputs, only),
            ways => self.returned_by_one_of(schema, &known, &outputs, ways),
        };
        let mut value = None;
        for (output, variable) in outputs.iter().zip(left) {
            if let Quantity::After(global) = output.quantity {
                let offset = self.terms().bv_u(0, 64);
                let ptr = Ptr::Object { object: Object::Global(global), offset };
                self.store(ptr, Val::Term(variable), output.ty);
            } else {
                value = Some(match output.ty {
                    Ty::Ptr => Val::Ptr(Ptr::Number(variable)),
                    Ty::Int(_) | Ty::Float(_) => Val::Term(variable),
                });
            }
        }
        value
    }

    /// What a call leaves that a summary may speak of.
    fn outputs(&self, schema: &Schema, result: Option<Ty>) -> Vec<Output> {
        let mut outputs = Vec::new();
        for &(quantity, _) in &schema.quantities {
            if let Quantity::After(global) = quantity {
                let declared = self.program.global(global);
                let (name, ty) = (declared.name.clone(), global_type(declared.size));
                outputs.push(Output { quantity, name, ty });
            }
        }
        let name = "result".to_owned();
        outputs.extend(result.map(|ty| Output { quantity: Quantity::Result, name, ty }));
        outputs
    }

    /// Variables of the present node for what the call leaves, of which this is known.
    fn returned_by(
        &mut self,
        schema: &Schema,
        begin: &[(Quantity, TermId)],
        outputs: &[Output],
        exit: &summary::Exit,
    ) -> Vec<TermId> {
        let left: Vec<TermId> =
            outputs.iter().map(|output| self.returned(&output.name, output.ty)).collect();
        if let summary::Exit::Known(facts) = exit {
            let named = outputs.iter().zip(&left).map(|(output, term)| (output.quantity, *term));
            let known: Vec<(Quantity, TermId)> = begin.iter().copied().chain(named).collect();
            let facts = translate(facts, &schema.map_to(&known));
            self.assume_facts(facts);
        }
        left
    }

    /// The same where the call returns in one of several ways, each with a node of its own. They change memory alike, so
    /// that only what the call leaves differs where they meet.
    fn returned_by_one_of(
        &mut self,
        schema: &Schema,
        begin: &[(Quantity, TermId)],
        outputs: &[Output],
        ways: &[&summary::Exit],
    ) -> Vec<TermId> {
        let Some(call) = self.here else { return Vec::new() };
        let (function, span) = (self.graph.nodes[call].function, self.graph.nodes[call].span);
        let mut node = || {
            self.graph.nodes.push(Node { span, function, ..Node::default() });
            self.graph.nodes.len() - 1
        };
        let nodes: Vec<usize> = ways.iter().map(|_| node()).collect();
        let meeting = node();
        let chosen = self.returned("way", WAY);
        let always = self.terms().bool_const(true);
        for (index, (exit, node)) in ways.iter().zip(nodes).enumerate() {
            let number = self.terms().bv_u(index as u128, WAY_WIDTH);
            let condition = if index + 1 < ways.len() {
                self.terms().eq(chosen, number)
            } else {
                self.terms().bv_ule(number, chosen)
            };
            self.edge(call, condition, node);
            self.here = Some(node);
            let left = self.returned_by(schema, begin, outputs, exit);
            let edge = self.edge(node, always, meeting);
            self.graph.nodes[node].edges[edge].args = left;
        }
        self.here = Some(meeting);
        let param = |output: &Output| self.new_param(meeting, &output.name, sort_of(output.ty));
        outputs.iter().map(param).collect()
    }

    /// Something that a call leaves: a variable of the present node.
    fn returned(&mut self, name: &str, ty: Ty) -> TermId {
        self.graph.is_exact = false;
        self.new_var(name, sort_of(ty), self.here.unwrap_or(0))
    }

    fn forget_written(&mut self, writes: &Writes, args: &[Val]) {
        self.lessons.learn_unset();
        self.lessons.learn_dangling();
        if writes.anything {
            self.lessons.learn_frees();
            self.forget_reachable();
            return;
        }
        for &global in &writes.globals {
            let offset = self.terms().bv_u(0, 64);
            self.forget_behind(Ptr::Object { object: Object::Global(global), offset });
        }
        for &position in &writes.params {
            match args.get(position) {
                Some(Val::Ptr(ptr)) => self.forget_behind(*ptr),
                Some(Val::Term(_)) | None => self.forget_reachable(),
            }
        }
    }

    fn assume_facts(&mut self, facts: Facts) {
        for sum in facts.sums() {
            if facts.implies(&sum) {
                continue;
            }
            if let Some(term) = at_most_zero(self.terms(), &sum) {
                self.graph.rows.insert(term, sum);
                self.graph.learned.insert(term);
                self.event(Event::Assume(term));
            }
        }
        let domains = Facts { bounds: Vec::new(), ..facts };
        for term in state_terms(self.terms(), &domains) {
            self.graph.learned.insert(term);
            self.event(Event::Assume(term));
        }
    }

    fn read_global(&mut self, global: GlobalId) -> TermId {
        let offset = self.terms().bv_u(0, 64);
        let ty = global_type(self.program.global(global).size);
        let value = self.load(Ptr::Object { object: Object::Global(global), offset }, ty);
        self.number(value)
    }

    /// In the model of a callee: its quantities where it begins.
    pub(super) fn note_begin(&mut self, args: &[Val]) {
        let Role::Callee { schema, entry } = self.role else { return };
        let mut begin = Vec::new();
        for (quantity, _) in schema.inputs() {
            let term = match quantity {
                Quantity::Param(position) => self.number(args[position]),
                Quantity::Before(global) | Quantity::After(global) => {
                    let size = self.program.global(global).size;
                    let object = Object::Global(global);
                    let scalar = Scalar { object, offset: 0, size, kind: CellKind::Int };
                    let value = self.cell_of(scalar, Some(&State::new(Content::Initial)));
                    self.number(value)
                }
                Quantity::Result => continue,
            };
            begin.push((quantity, term));
        }
        self.graph.entry = entry.map(|entry| translate(entry, &schema.map_to(&begin)));
        self.graph.begin = begin;
    }

    /// In the model of a callee: a node for each way of returning, where the returns that belong to it come together.
    pub(super) fn note_ends(&mut self, function: FuncId, exits: Vec<Exit>) {
        let Role::Callee { schema, .. } = self.role else { return };
        let body = self.program.body(function);
        let is_return =
            |block: &BlockId| matches!(body.block(*block).terminator, Terminator::Return(_));
        let returns: Vec<BlockId> = body.block_ids().filter(is_return).collect();
        let last = returns.len().min(schema.n_ways).saturating_sub(1);
        let mut by_way: Vec<Vec<Exit>> = vec![Vec::new(); last + 1];
        for exit in exits {
            let rank = returns.iter().position(|block| *block == exit.block).unwrap_or(last);
            by_way[rank.min(last)].push(exit);
        }
        for exits in by_way {
            self.note_end(function, exits);
        }
    }

    /// One node where these returns come together, whose parameters are the quantities of the schema.
    fn note_end(&mut self, function: FuncId, exits: Vec<Exit>) {
        let Role::Callee { schema, .. } = self.role else { return };
        let node = self.new_node(function, Span::nowhere());
        self.graph.ends.push(node);
        let begin: BTreeMap<Quantity, TermId> = self.graph.begin.iter().copied().collect();
        let returns = self.program.function(function).result.direct();
        let mut params = Vec::new();
        for &(quantity, _) in &schema.quantities {
            let sort = match (quantity, returns) {
                (Quantity::Param(_) | Quantity::Before(_), _) => {
                    self.graph.terms.sort(begin[&quantity])
                }
                (Quantity::After(global), _) => {
                    sort_of(global_type(self.program.global(global).size))
                }
                (Quantity::Result, Some(ty)) => sort_of(ty),
                (Quantity::Result, None) => continue,
            };
            let variable = self.new_var(&schema.names[&quantity], sort, node);
            self.graph.nodes[node].params.push(variable);
            params.push((quantity, variable));
        }
        let map = schema.map_to(&params);
        for slope in schema.exit_slopes.iter().skip(1).step_by(2) {
            let facts = Facts { bounds: vec![(slope.clone(), None)], ..Facts::default() };
            let moved = translate(&facts, &map).bounds;
            self.graph.suggested.extend(moved.into_iter().map(|(slope, _)| slope));
        }
        let always = self.terms().bool_const(true);
        for exit in exits {
            self.here = Some(exit.node);
            self.memory = exit.memory;
            let mut args = Vec::new();
            for &(quantity, _) in &params {
                args.push(match (quantity, exit.value) {
                    (Quantity::Param(_) | Quantity::Before(_), _) => begin[&quantity],
                    (Quantity::After(global), _) => self.read_global(global),
                    (Quantity::Result, Some(value)) => self.number(value),
                    (Quantity::Result, None) => {
                        let ty = returns.unwrap_or(Ty::Int(32));
                        self.opaque(sort_of(ty))
                    }
                });
            }
            let edge = self.edge(exit.node, always, node);
            self.graph.nodes[exit.node].edges[edge].args = args;
        }
        self.here = None;
    }
}

/// Scalar globals are integers of whole bytes.
fn global_type(size: u64) -> Ty {
    Ty::Int(u8::try_from(size * 8).expect("scalars are at most 8 bytes"))
}
