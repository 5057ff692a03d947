//! Which exceptions leave the method under test: checks stay where what they are about cannot be caught; where
//! somebody may, a function around the method looks at what comes out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{
    Body, Callee, Check, CheckKind, DecisionKind, Demand, FuncId, Function, Instr, InstrKind,
    Linkage, MemoryOp, Operand, Origin, Span, Terminator, Ty,
};

use super::context::Lowering;
use super::emit::{Emit, number};
use crate::reach::Properties;

/// What a handler catches: a class, or everything.
pub(super) type Catch = Option<Rc<str>>;

/// A place where an exception begins.
#[derive(Debug, Clone)]
pub(super) struct Origination {
    pub(super) function: FuncId,
    pub(super) span: Span,
    pub(super) kind: CheckKind,
    /// The exception's class, where there is only one.
    pub(super) class: Option<Rc<str>>,
    /// What is called, where the exception comes out of a call.
    pub(super) callee: Option<FuncId>,
    /// What should hold there, in words.
    pub(super) message: Option<String>,
    /// What the handlers around the place catch.
    pub(super) catches: Vec<Catch>,
}

/// Where exceptions begin and who may catch them.
#[derive(Debug, Default)]
pub(super) struct Escapes {
    /// The label of a place is its position, from 1.
    places: Vec<Origination>,
    /// By caller and callee: what the handlers around the calls catch.
    handlers: BTreeMap<(FuncId, FuncId), BTreeSet<Catch>>,
    /// Functions with `throw` statements of the user.
    throwers: BTreeSet<FuncId>,
}

/// A place where an error begins and that only the function around an entry judges, since somebody may catch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorOrigin {
    pub function: FuncId,
    pub span: Span,
    pub kind: CheckKind,
}

impl Escapes {
    pub(super) fn add(&mut self, place: Origination) -> u32 {
        self.places.push(place);
        u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn note_throw(&mut self, function: FuncId) {
        self.throwers.insert(function);
    }

    pub(super) fn note(&mut self, caller: FuncId, callee: FuncId, catches: Vec<Catch>) {
        if !catches.is_empty() {
            self.handlers.entry((caller, callee)).or_default().extend(catches);
        }
    }
}

type Key = (FuncId, Span, CheckKind);

/// What happens to the check of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The exception cannot be caught: the run ends where it begins.
    Stays,
    /// Somebody may: the exception goes its way.
    Goes,
}

impl Lowering {
    /// Decides about every place, and makes the functions around entries.
    pub(super) fn settle_escapes(
        &mut self,
        entries: &[FuncId],
        contracts: &[(FuncId, FuncId)],
    ) -> Vec<ErrorOrigin> {
        if self.reached.options.properties == Properties::None {
            return Vec::new();
        }
        let callees = self.callees();
        let caught = self.caught(&callees);
        let throwing = self.throwing(&callees);
        let quiet = self.quiet_initializers(&callees);
        let places = self.escapes.places.clone();
        let mut fates: BTreeMap<Key, Fate> = BTreeMap::new();
        let mut judged: Vec<(u32, Origination)> = Vec::new();
        for (label, place) in (1u32..).zip(&places) {
            let is_quiet = place
                .callee
                .is_some_and(|callee| !throwing.contains(&callee) || quiet.contains(&callee));
            let none = BTreeSet::new();
            let above = caught.get(&place.function).unwrap_or(&none);
            let is_caught =
                place.catches.iter().chain(above).any(|catch| self.may_catch(catch, place));
            let key = (place.function, place.span, place.kind);
            // A place is judged in one way: several instructions may share it.
            let fate = if is_caught || is_quiet { Fate::Goes } else { Fate::Stays };
            let known = fates.entry(key).or_insert(fate);
            if fate == Fate::Goes {
                *known = Fate::Goes;
            }
            if !is_quiet {
                judged.push((label, place.clone()));
            }
        }
        judged.retain(|(_, place)| fates[&(place.function, place.span, place.kind)] == Fate::Goes);
        for index in 0..self.program.functions.len() {
            let function = FuncId::new(index);
            if let Some(body) = &mut self.program.functions[index].body {
                apply(function, body, &fates);
            }
        }
        for &entry in entries {
            let contract = contracts.iter().find(|(target, _)| *target == entry);
            let start = contract.map_or(entry, |(_, harness)| *harness);
            let is_harness = contracts.iter().any(|(_, harness)| *harness == entry);
            let reached = reachable(&callees, start);
            let own: Vec<&(u32, Origination)> =
                judged.iter().filter(|(_, place)| reached.contains(&place.function)).collect();
            if !own.is_empty() && !is_harness {
                self.judge(entry, start, &own);
            }
        }
        let origins = judged.into_iter().map(|(_, place)| ErrorOrigin {
            function: place.function,
            span: place.span,
            kind: place.kind,
        });
        origins.collect()
    }

    fn callees(&self) -> Vec<BTreeSet<FuncId>> {
        let of = |function: &Function| {
            let blocks = function.body.iter().flat_map(|body| &body.blocks);
            let calls = blocks.flat_map(|block| &block.instrs).filter_map(|instr| {
                let InstrKind::Call(call) = &instr.kind else { return None };
                match call.callee {
                    Callee::Direct(callee) => Some(callee),
                    Callee::Indirect(_) => None,
                }
            });
            calls.collect()
        };
        self.program.functions.iter().map(of).collect()
    }

    /// By function: what handlers in the functions that may call it catch.
    fn caught(&self, callees: &[BTreeSet<FuncId>]) -> BTreeMap<FuncId, BTreeSet<Catch>> {
        let guards: BTreeSet<FuncId> =
            self.guards.values().flatten().map(|(guard, _)| *guard).collect();
        let mut caught: BTreeMap<FuncId, BTreeSet<Catch>> = BTreeMap::new();
        let mut open: BTreeSet<FuncId> = self.program.function_ids().collect();
        while let Some(caller) = open.pop_first() {
            for &callee in &callees[caller.index()] {
                let mut all = caught.get(&caller).cloned().unwrap_or_default();
                all.extend(
                    self.escapes.handlers.get(&(caller, callee)).into_iter().flatten().cloned(),
                );
                // An exception of an initializer becomes another one.
                if guards.contains(&caller) {
                    all.insert(None);
                }
                let known = caught.entry(callee).or_default();
                let n_known = known.len();
                known.extend(all);
                if known.len() > n_known {
                    open.insert(callee);
                }
            }
        }
        caught
    }

    /// Functions that may leave an exception behind.
    fn throwing(&self, callees: &[BTreeSet<FuncId>]) -> BTreeSet<FuncId> {
        let throws = |function: &FuncId| {
            let function = self.program.function(*function);
            let Some(body) = &function.body else { return false };
            let pending = Operand::Global(self.pending);
            body.blocks.iter().flat_map(|block| &block.instrs).any(|instr| {
                let is_set = matches!(&instr.kind,
                    InstrKind::Memory(MemoryOp::Store { ptr, value, .. })
                        if *ptr == pending && *value != Operand::NullPtr);
                is_set || matches!(instr.kind, InstrKind::Unsupported { .. })
            })
        };
        let mut all: BTreeSet<FuncId> = self.program.function_ids().filter(throws).collect();
        loop {
            let n_known = all.len();
            for function in self.program.function_ids() {
                if !callees[function.index()].is_disjoint(&all) {
                    all.insert(function);
                }
            }
            if all.len() == n_known {
                return all;
            }
        }
    }

    /// Functions that initialize a class without coming to a `throw` statement of the user. Other errors of initializers
    /// are those of the place where they begin, and memory that runs out is the machine's.
    fn quiet_initializers(&self, callees: &[BTreeSet<FuncId>]) -> BTreeSet<FuncId> {
        let guards: BTreeSet<FuncId> =
            self.guards.values().flatten().map(|(guard, _)| *guard).collect();
        let is_quiet =
            |guard: &FuncId| reachable(callees, *guard).is_disjoint(&self.escapes.throwers);
        guards.into_iter().filter(is_quiet).collect()
    }

    fn may_catch(&self, catch: &Catch, place: &Origination) -> bool {
        let (Some(catch), Some(class)) = (catch, &place.class) else { return true };
        let world = &self.reached.world;
        match (world.known(class), world.known(catch)) {
            (Some(class), Some(catch)) => world.is_subtype(class, catch),
            // A handler for a class that is not there catches nothing.
            (_, None) => false,
            (None, Some(_)) => true,
        }
    }

    /// A function that calls the entry, or what stands for its contract, and looks at the exception that comes out.
    fn judge(&mut self, entry: FuncId, start: FuncId, places: &[&(u32, Origination)]) {
        if start != entry {
            self.program.functions[start.index()].origin = Origin::User;
        }
        let declared = self.program.function(entry).clone();
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let mut emit = Emit::new(&types);
        emit.builder.set_span(declared.span);
        let args = (0..types.len()).map(|index| emit.param(index)).collect();
        let result = emit.call(start, args, declared.result.direct());
        let exception = emit.load_global(Ty::Ptr, self.pending);
        let is_none = emit.is_null(exception);
        let (thrown, end) = (emit.new_block(), emit.new_block());
        emit.branch(is_none, end, thrown, None);
        emit.switch_to(thrown);
        if let Some(at) = self.label_offset() {
            let label = emit.load(Ty::I32, exception, at);
            for (own, place) in places {
                emit.builder.set_span(place.span);
                let condition = emit.compare(CompareOp::Ne, label, number(*own));
                let demand = place.message.clone().map(Demand::Words);
                let values = Vec::new();
                let check = Check::Condition { kind: place.kind, condition, values, demand };
                emit.push(InstrKind::Check(check));
            }
        }
        emit.builder.set_span(declared.span);
        emit.jump(end);
        emit.switch_to(end);
        emit.ret(result);
        let body = emit.builder.finish();
        let origin = Origin::Harness { of: entry };
        self.program.functions.push(Function {
            linkage: Linkage::Internal,
            origin,
            body: None,
            ..declared
        });
        let function = FuncId::new(self.program.functions.len() - 1);
        self.set_body(function, body);
    }
}

fn reachable(callees: &[BTreeSet<FuncId>], from: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for &callee in callees.get(function.index()).into_iter().flatten() {
            if found.insert(callee) {
                open.push(callee);
            }
        }
    }
    found
}

/// Removes checks of exceptions that somebody may catch, and the ways behind the others.
fn apply(function: FuncId, body: &mut Body, fates: &BTreeMap<Key, Fate>) {
    let fate = |instr: &Instr| {
        let InstrKind::Check(Check::Condition { kind, .. }) = &instr.kind else { return None };
        fates.get(&(function, instr.span, *kind)).copied()
    };
    let mut is_changed = false;
    for block in &mut body.blocks {
        let Terminator::Branch { if_false, origin: Some(origin), .. } = &block.terminator else {
            continue;
        };
        let throws = body.decisions[origin.decision.index()].kind == DecisionKind::Throws;
        let is_last = block.instrs.last().is_some_and(|last| fate(last) == Some(Fate::Stays));
        if throws && is_last {
            block.terminator = Terminator::Jump(if_false.clone());
            is_changed = true;
        }
    }
    for block in &mut body.blocks {
        block.instrs.retain(|instr| fate(instr) != Some(Fate::Goes));
    }
    if is_changed {
        glassbox_ir::simplify_cfg::simplify_cfg(body);
    }
}
