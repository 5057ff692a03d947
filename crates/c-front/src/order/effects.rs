//! What expressions and functions read, write and call.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::place::Place;
use crate::tree::{FunctionId, Program, Storage, VariableId};

/// Places beyond which a function counts as one that reads and writes anything.
const MAX_PLACES: usize = 200;

/// What evaluating something does.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    pub(super) reads: BTreeSet<Place>,
    pub(super) writes: BTreeSet<Place>,
    /// What pointers lead to of which bytes are used, by a cast or by a function that does not know the type.
    pub(super) as_bytes: BTreeSet<Place>,
    /// Those writes that no sequence point follows yet.
    pub(super) pending: BTreeSet<Place>,
    pub(super) calls: BTreeSet<FunctionId>,
    /// A pointer to a function is called.
    pub(super) calls_pointer: bool,
    /// It may go round, wait, or leave in ways that are not followed.
    pub(super) may_not_end: bool,
}

impl Effects {
    pub(super) fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.as_bytes.extend(&other.as_bytes);
        self.pending.extend(&other.pending);
        self.calls.extend(&other.calls);
        self.calls_pointer |= other.calls_pointer;
        self.may_not_end |= other.may_not_end;
    }

    /// A sequence point: what was to be written is written.
    pub(super) fn settle(mut self) -> Effects {
        self.pending.clear();
        self
    }

    pub(super) fn write(&mut self, place: Option<Place>) {
        self.writes.extend(place);
        self.pending.extend(place);
    }

    pub(super) fn has_calls(&self) -> bool {
        self.calls_pointer || !self.calls.is_empty()
    }

    /// Whether the result may depend on which of the two comes first.
    pub(super) fn conflicts(&self, other: &Effects, addressed: &FxHashSet<VariableId>) -> bool {
        let meet = |writes: &BTreeSet<Place>, others: &BTreeSet<Place>| {
            writes.iter().any(|place| others.iter().any(|other| place.meets(*other, addressed)))
        };
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&other.writes, &self.reads)
    }
}

/// What functions do, the ones they call included.
#[derive(Debug)]
pub(super) struct FunctionEffects<'t> {
    program: &'t Program,
    /// Without what calls do.
    own: FxHashMap<FunctionId, Effects>,
    addressed: FxHashSet<VariableId>,
    /// Functions that pointers may lead to.
    pointed_to: Vec<FunctionId>,
    known: FxHashMap<FunctionId, Effects>,
}

impl<'t> FunctionEffects<'t> {
    pub(super) fn new(
        program: &'t Program,
        own: FxHashMap<FunctionId, Effects>,
        addressed: FxHashSet<VariableId>,
        pointed_to: Vec<FunctionId>,
    ) -> FunctionEffects<'t> {
        FunctionEffects { program, own, addressed, pointed_to, known: FxHashMap::default() }
    }

    /// Effects with what is called added.
    pub(super) fn complete(&mut self, effects: &Effects) -> Effects {
        let mut all = effects.clone();
        for &function in &effects.calls {
            all.add(&self.of_function(function));
        }
        if effects.calls_pointer {
            for function in self.pointed_to.clone() {
                all.add(&self.of_function(function));
            }
        }
        all
    }

    /// What a call of the function does that its caller can notice.
    pub(super) fn of_function(&mut self, function: FunctionId) -> Effects {
        if let Some(known) = self.known.get(&function) {
            return known.clone();
        }
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        let mut queue = vec![function];
        let mut all = Effects::default();
        while let Some(next) = queue.pop() {
            if !seen.insert(next) {
                continue;
            }
            let Some(own) = self.own.get(&next) else {
                all.add(&self.of_undefined(next));
                continue;
            };
            all.may_not_end |= own.may_not_end || own.calls.contains(&function);
            all.calls_pointer |= own.calls_pointer;
            let is_noticed = |place: &&Place| match place {
                Place::Variable { id, .. } => {
                    self.program.variable(*id).storage == Storage::Static
                        || self.addressed.contains(id)
                }
                Place::Behind { .. } | Place::Stream | Place::Errno => true,
            };
            all.reads.extend(own.reads.iter().filter(is_noticed));
            all.writes.extend(own.writes.iter().filter(is_noticed));
            all.as_bytes.extend(&own.as_bytes);
            queue.extend(&own.calls);
            if own.calls_pointer {
                queue.extend(&self.pointed_to);
            }
        }
        if all.reads.len() + all.writes.len() > MAX_PLACES {
            all.reads.insert(Place::ANYWHERE);
            all.writes.insert(Place::ANYWHERE);
        }
        self.known.insert(function, all.clone());
        all
    }

    /// What a function does that has no body here: as the catalogue says, else something behind its arguments.
    fn of_undefined(&self, function: FunctionId) -> Effects {
        let declared = self.program.function(function);
        let types = &self.program.types;
        let parameters = types.function_type(declared.ty).map(|ty| &ty.parameters);
        let takes_pointer =
            parameters.is_none_or(|types_of| types_of.iter().any(|&ty| types.is_pointer(ty)));
        let mut effects = Effects::default();
        let name = self.program.name(declared.name);
        if name == "__errno_location" {
            effects.reads.insert(Place::Errno);
            return effects;
        }
        let Some(known) = glassbox_library::find(name) else {
            effects.may_not_end = true;
            if takes_pointer {
                effects.reads.insert(Place::ANYWHERE);
                effects.writes.insert(Place::ANYWHERE);
            }
            return effects;
        };
        let row = &known.row;
        effects.may_not_end = !row.is_harmless() || row.control.never_returns();
        if takes_pointer {
            effects.reads.insert(Place::ANYWHERE);
        }
        if row.writes != 0 && takes_pointer {
            effects.writes.insert(Place::ANYWHERE);
        }
        if row.reads != glassbox_library::Reads::Nothing {
            effects.writes.insert(Place::Stream);
        }
        if row.sets_errno {
            effects.writes.insert(Place::Errno);
        }
        effects
    }
}
