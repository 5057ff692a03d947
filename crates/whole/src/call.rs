//! Calls: expanded where the function is known and not too deep, otherwise what its summary says, or anything.

use std::collections::BTreeSet;

use glassbox_ir::{Call, Callee, FuncId, Ty, ValueId};
use glassbox_model::library;

use super::body::{Activation, Exit, Frame};
use super::build::Builder;
use super::join::WayIn;
use super::memory::{Ptr, Val};
use super::place::Place;

/// Calls of one function that a graph expands, where a deeper one may expand the others too.
const MAX_REPEATED: usize = 4;

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        activation: &mut Activation<'_>,
        call: &Call,
        result: Option<ValueId>,
        place: Place,
    ) -> Option<Val> {
        let function = match call.callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(pointer) => match self.pointer(activation, pointer) {
                Ptr::Func(function) => Some(function),
                Ptr::Object { .. } | Ptr::Fresh { .. } | Ptr::Number(_) | Ptr::OneOf { .. } => None,
            },
        };
        let args: Vec<Val> = call.args.iter().map(|&arg| self.operand(activation, arg)).collect();
        let Some(function) = function else {
            self.hide_all();
            return self.unknown_call(&args, call.result);
        };
        let declared = self.program.function(function);
        if declared.body.is_none() {
            if library::changes(self.program, function, &call.args).is_beyond_order {
                activation.stale.pass(place.block);
            }
            return self.external(function, call, &args);
        }
        // Another locale has other letters. No state is changed.
        if self.options.model.globals_are_inputs
            && library::depends_on_locale(self.program, function)
        {
            return None;
        }
        let types: Vec<Ty> = call.args.iter().map(|arg| arg.ty(activation.body)).collect();
        let fits = !declared.is_variadic && call.fits(declared, types.iter().copied());
        let frame = activation.frame;
        let n_active = frame.stack.iter().filter(|active| **active == function).count();
        let n_expanded = self.expanded.get(&function).copied().unwrap_or(0);
        let may_be_deeper = frame.depth >= self.options.max_call_depth
            || self.options.call_summaries && self.is_partial && n_expanded >= MAX_REPEATED;
        let is_deep = may_be_deeper
            || n_active > self.options.max_recursion
            || self.graph.nodes.len() > self.options.max_blocks;
        let returns = declared.result.direct();
        let has_summary = self.options.call_summaries
            && self.program.language.calls_have_summaries()
            && returns == call.result;
        if is_deep && fits && has_summary {
            self.graph.is_shallow |= may_be_deeper && n_active == 0;
            return self.summarized(function, &args, call.result);
        }
        if !fits || is_deep {
            self.graph.is_shallow |= fits && may_be_deeper && n_active == 0;
            self.hide_opaque(function);
            return self.unknown_call(&args, call.result);
        }
        *self.expanded.entry(function).or_insert(0) += 1;
        self.expand(activation, function, args, result, place)
    }

    fn expand(
        &mut self,
        activation: &mut Activation<'_>,
        function: FuncId,
        args: Vec<Val>,
        result: Option<ValueId>,
        place: Place,
    ) -> Option<Val> {
        let frame = activation.frame;
        let n_known = self.lessons.activations.len();
        let number = *self
            .lessons
            .activations
            .entry((frame.activation, place.block, place.instr, function))
            .or_insert(n_known + 1);
        let mut stack = frame.stack.clone();
        stack.push(function);
        let is_once = frame.is_once && !activation.repeated[place.block.index()];
        let depth = frame.depth + 1;
        let callee = Frame { function, activation: number, depth, stack, is_once };
        let exits = self.body(&callee, args);
        activation.n_pieces += 1;
        let ty = self.program.function(function).result.direct();
        match exits.as_slice() {
            [] => {
                self.here = None;
                None
            }
            [only] => {
                self.here = Some(only.node);
                self.memory = only.memory.clone();
                only.value
            }
            _ => self.come_back(activation, exits, ty, result),
        }
    }

    /// Joins the ways out of a callee.
    fn come_back(
        &mut self,
        activation: &mut Activation<'_>,
        exits: Vec<Exit>,
        ty: Option<Ty>,
        result: Option<ValueId>,
    ) -> Option<Val> {
        let key = (activation.frame.activation, activation.block, activation.n_pieces);
        let span = activation.body.block(activation.block).terminator_span;
        let node = self.new_node(activation.frame.function, span);
        let always = self.terms().bool_const(true);
        let ways: Vec<WayIn> = exits
            .into_iter()
            .map(|exit| {
                let edge = self.edge(exit.node, always, node);
                WayIn {
                    from: exit.node,
                    edge,
                    values: exit.value.into_iter().collect(),
                    memory: exit.memory,
                }
            })
            .collect();
        let has_value = ways.iter().all(|way| !way.values.is_empty());
        let name = result
            .and_then(|value| activation.names[value.index()].clone())
            .unwrap_or_else(|| "result".to_owned());
        let types: Vec<(Ty, String)> =
            ty.filter(|_| has_value).map(|ty| (ty, name)).into_iter().collect();
        let values = self.join(key, node, &types, ways);
        self.here = Some(node);
        self.close_join(node);
        values.first().copied()
    }

    /// Whatever can be reached may be changed, and anything may come back.
    pub(super) fn unknown_call(&mut self, args: &[Val], result: Option<Ty>) -> Option<Val> {
        for &arg in args {
            if let Val::Ptr(Ptr::Object { .. } | Ptr::Fresh { .. } | Ptr::OneOf { .. }) = arg {
                self.number(arg);
            }
        }
        self.lessons.learn_frees();
        self.forget_reachable();
        result.map(|ty| self.opaque_of(ty))
    }

    /// Any function may run without being in the graph.
    pub(super) fn hide_all(&mut self) {
        let all: BTreeSet<FuncId> = self.program.function_ids().collect();
        self.graph.hidden.extend(&all);
        self.graph.opaque.extend(&all);
    }

    /// The function, and what it may call, runs without being in the graph, and no summary speaks of it.
    fn hide_opaque(&mut self, function: FuncId) {
        let mut opaque = std::mem::take(&mut self.graph.opaque);
        self.add_callees(function, &mut opaque);
        self.graph.hidden.extend(&opaque);
        self.graph.opaque = opaque;
    }

    /// The function, and what it may call, runs without being in the graph.
    pub(super) fn hide(&mut self, function: FuncId) {
        let mut hidden = std::mem::take(&mut self.graph.hidden);
        self.add_callees(function, &mut hidden);
        self.graph.hidden = hidden;
    }

    /// The function and all that it may call.
    pub(super) fn add_callees(&self, function: FuncId, found: &mut BTreeSet<FuncId>) {
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if !found.insert(function) {
                continue;
            }
            let mentioned = self.table.mentions.of(self.program, function);
            // Addresses that are given away may be called by the code that gets them.
            open.extend(&mentioned.functions);
            if mentioned.calls_any {
                open.extend(self.program.function_ids());
            }
        }
    }
}
