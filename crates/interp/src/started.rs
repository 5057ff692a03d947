//! A program as it is when initializers have run: what they leave in memory becomes what variables start with.
//!
//! Initializers of the library depend on nothing that a program does, so they run once, here, and no run and no path
//! has to run them again. They run several times with different answers of their surroundings: variables from which
//! something can be reached that differs are named, since no verdict may rest on their contents unsaid. An initializer that
//! cannot be run to its end leaves nothing, and is run by whoever needs it.

use std::collections::BTreeSet;

use glassbox_ir::object_layout::{ARRAY_LENGTH, CLASS_NUMBER, CONTENTS};
use glassbox_ir::{
    FuncId, Global, GlobalId, GlobalKind, Initializer, Linkage, Program, Relocation,
    RelocationTarget, SourceType, Span, Ty, TypeKind,
};
use rustc_hash::FxHashMap;

use crate::external::Externals;
use crate::machine::{Machine, Options};
use crate::memory::{Address, Memory, ObjectId};
use crate::outcome::Outcome;

/// Instructions of one initializer, with those that it starts.
const MAX_STEPS: u64 = 4_000_000;

/// Instructions of all of them.
const MAX_ALL_STEPS: u64 = 40_000_000;

/// Objects that are kept; beyond that everything stays as it was.
const MAX_OBJECTS: usize = 200_000;

/// What clocks and the like answer while initializers run. The first run is kept; the others show what depends on it,
/// and there are several, since single bits of numbers are used as well.
const ANSWERS: [u64; 6] = [1, 3, 6, 11, 1000, 40_000];

/// What to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Initializers {
    /// Functions without parameters, in order.
    pub functions: Vec<FuncId>,
    /// The variable that gives models of the surroundings their answers; 0 where nothing is known of them.
    pub surroundings: Option<GlobalId>,
}

/// What was kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Started {
    /// What variables start with that initializers have changed.
    changed: Vec<(GlobalId, Initializer)>,
    /// Objects that initializers have made, as further variables in order: class number and elements of arrays.
    objects: Vec<(u32, u64, Initializer)>,
    /// Variables from which something can be reached that depends on the surroundings.
    pub varying: BTreeSet<GlobalId>,
    /// Initializers that did not come to their end, and why.
    pub left: Vec<(FuncId, Outcome)>,
}

impl Started {
    /// Runs the initializers.
    pub fn of(
        program: &Program,
        initializers: &Initializers,
        externals: impl Fn() -> Box<dyn Externals>,
    ) -> Started {
        let mut runs = Vec::new();
        let mut done = initializers.functions.clone();
        let mut left = Vec::new();
        for answer in ANSWERS {
            let Some(run) = Run::of(program, initializers, &done, answer, externals()) else {
                return Started::default();
            };
            done.retain(|function| !run.left.iter().any(|(of, _)| of == function));
            left.extend(run.left.iter().cloned());
            runs.push(run);
        }
        let [first, others @ ..] = &runs[..] else { return Started::default() };
        // One that fails in another run alone has no place in the first either.
        if others.iter().any(|run| !run.left.is_empty()) {
            let functions = done;
            let again = Initializers { functions, ..initializers.clone() };
            let mut started = Started::of(program, &again, externals);
            started.left.extend(left);
            return started;
        }
        let Some(mut started) = first.contents() else { return Started::default() };
        started.varying = others.iter().flat_map(|other| varying(first, other)).collect();
        started.left = left;
        started
    }

    /// Writes it into the program, or into one with the same variables.
    pub fn apply(&self, program: &mut Program) {
        for (global, initializer) in &self.changed {
            program.globals[global.index()].initializer = Some(initializer.clone());
        }
        for (number, length, initializer) in &self.objects {
            let ty = program.object_shape(*number, *length);
            let ty = ty.unwrap_or_else(|| program.intern_source_type(SourceType::Void));
            let layout = program.object_layout.as_ref().and_then(|layout| layout.get(*number));
            let name = layout.map_or_else(String::new, |layout| layout.name.clone());
            program.globals.push(Global {
                name: format!("an object of {name}"),
                kind: GlobalKind::Runtime,
                linkage: Linkage::Internal,
                source_type: ty,
                size: initializer.bytes.len() as u64,
                align: 8,
                is_const: false,
                initializer: Some(initializer.clone()),
                span: Span::nowhere(),
            });
        }
    }
}

/// Memory when the initializers have run.
struct Run<'p> {
    program: &'p Program,
    before: Memory,
    memory: Memory,
    /// Not looked at.
    aside: Vec<GlobalId>,
    left: Vec<(FuncId, Outcome)>,
}

impl<'p> Run<'p> {
    fn of(
        program: &'p Program,
        initializers: &Initializers,
        functions: &[FuncId],
        answer: u64,
        externals: Box<dyn Externals + 'p>,
    ) -> Option<Run<'p>> {
        let pending = program.object_layout.as_ref()?.pending;
        let options = Options { max_steps: 0, max_depth: 2000, ..Options::default() };
        let mut machine = Machine::new(program, options, externals)?;
        let before = machine.memory().clone();
        if let Some(cell) = initializers.surroundings {
            let address = machine.global_address(cell);
            machine.memory_mut().store(address, 8, answer).ok()?;
        }
        let mut left = Vec::new();
        let mut saved = before.clone();
        for &function in functions {
            saved.clone_from(machine.memory());
            machine.set_max_steps((machine.steps() + MAX_STEPS).min(MAX_ALL_STEPS));
            let outcome = machine.run(function, &[]);
            let thrown = machine.memory().load(machine.global_address(pending), 8);
            if matches!(outcome, Outcome::Returned(_)) && thrown.is_ok_and(|it| it == 0) {
                continue;
            }
            left.push((function, outcome));
            machine.memory_mut().clone_from(&saved);
        }
        let aside = initializers.surroundings.into_iter().chain([pending]).collect();
        Some(Run { program, before, memory: machine.memory().clone(), aside, left })
    }

    /// The variables' objects come first, in order.
    fn globals(&self) -> impl Iterator<Item = (GlobalId, ObjectId)> {
        let ids = self.before.objects().map(|(id, _)| id);
        self.program.global_ids().zip(ids).filter(|(global, _)| !self.aside.contains(global))
    }

    fn pointer(&self, object: ObjectId, offset: u64) -> Address {
        let bytes = self.memory.object(object).bytes();
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let word = bytes.get(at..at.saturating_add(8)).and_then(|word| word.try_into().ok());
        word.map_or(0, u64::from_le_bytes)
    }

    fn number(&self, object: ObjectId, offset: u64) -> u32 {
        let bytes = self.memory.object(object).bytes();
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let word = bytes.get(at..at.saturating_add(4)).and_then(|word| word.try_into().ok());
        word.map_or(0, u32::from_le_bytes)
    }

    /// Where a variable's memory holds references.
    fn references_of(&self, global: GlobalId, object: ObjectId) -> Vec<u64> {
        let declared = self.program.global(global);
        let is_reference =
            matches!(self.program.source_type(declared.source_type), SourceType::Pointer { .. });
        if declared.size <= 8 {
            return if is_reference { vec![0] } else { Vec::new() };
        }
        let mut found = self.references(object);
        let initializer = declared.initializer.iter();
        found.extend(initializer.flat_map(|it| &it.relocations).map(|it| it.offset));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where an object holds references.
    fn references(&self, object: ObjectId) -> Vec<u64> {
        let layout = self.program.object_layout.as_ref();
        let number = self.number(object, CLASS_NUMBER);
        let Some(layout) = layout.and_then(|layout| layout.get(number)) else { return Vec::new() };
        match &layout.kind {
            TypeKind::Class { fields, .. } => {
                let fields = fields.iter();
                let fields = fields.filter(|(field, _)| self.program.field(*field).ty == Ty::Ptr);
                fields.map(|(_, offset)| *offset).collect()
            }
            TypeKind::Array { element_ty: Ty::Ptr, .. } => {
                let length = u64::from(self.number(object, ARRAY_LENGTH));
                (0..length).map(|index| CONTENTS + 8 * index).collect()
            }
            TypeKind::Array { .. } => Vec::new(),
        }
    }

    /// Whether all that is no reference is the same in objects of two runs.
    fn numbers_alike(&self, one: ObjectId, run: &Run<'_>, other: ObjectId, at: &[u64]) -> bool {
        let (one, other) = (self.memory.object(one).bytes(), run.memory.object(other).bytes());
        let mut skipped = at.iter().copied().peekable();
        let mut position = 0;
        while position < one.len().max(other.len()) {
            if skipped.next_if_eq(&(position as u64)).is_some() {
                position += 8;
                continue;
            }
            if one.get(position) != other.get(position) {
                return false;
            }
            position += 1;
        }
        true
    }

    /// What references of an object lead to: position, object, offset in it.
    fn targets(&self, object: ObjectId, at: &[u64]) -> Option<Vec<(u64, ObjectId, i64)>> {
        let mut found = Vec::new();
        for &offset in at {
            let address = self.pointer(object, offset);
            if address != 0 {
                let (target, inside) = self.memory.resolve(address)?;
                found.push((offset, target, inside));
            }
        }
        Some(found)
    }

    /// What has changed, with all objects that can be reached from there. `None` where an address leads nowhere, or
    /// where there is too much.
    fn contents(&self) -> Option<Started> {
        let mut found = Found { run: self, globals: FxHashMap::default(), order: Vec::new() };
        found.globals.extend(self.globals().map(|(global, object)| (object, global)));
        let mut changed = Vec::new();
        for (global, object) in self.globals() {
            if self.memory.object(object).bytes() != self.before.object(object).bytes() {
                let at = self.references_of(global, object);
                changed.push((global, found.initializer(object, &at)?));
            }
        }
        let mut objects = Vec::new();
        while let Some(&object) = found.order.get(objects.len()) {
            let initializer = found.initializer(object, &self.references(object))?;
            let length = u64::from(self.number(object, ARRAY_LENGTH));
            objects.push((self.number(object, CLASS_NUMBER), length, initializer));
        }
        Some(Started { changed, objects, ..Started::default() })
    }
}

/// Objects that become variables.
struct Found<'a, 'p> {
    run: &'a Run<'p>,
    /// Variables by object; those that objects become follow the others.
    globals: FxHashMap<ObjectId, GlobalId>,
    order: Vec<ObjectId>,
}

impl Found<'_, '_> {
    fn initializer(&mut self, object: ObjectId, at: &[u64]) -> Option<Initializer> {
        let n_globals = self.run.program.globals.len();
        let mut bytes = self.run.memory.object(object).bytes().to_vec();
        let mut relocations = Vec::new();
        for (offset, target, addend) in self.run.targets(object, at)? {
            let target = *self.globals.entry(target).or_insert_with(|| {
                self.order.push(target);
                GlobalId::new(n_globals + self.order.len() - 1)
            });
            let start = usize::try_from(offset).ok()?;
            bytes.get_mut(start..start + 8)?.fill(0);
            relocations.push(Relocation {
                offset,
                target: RelocationTarget::Global(target),
                addend,
            });
        }
        (self.order.len() <= MAX_OBJECTS).then_some(Initializer { bytes, relocations })
    }
}

/// Variables from which something can be reached that differs between two runs.
fn varying(first: &Run<'_>, second: &Run<'_>) -> BTreeSet<GlobalId> {
    type Pair = (ObjectId, ObjectId);
    let mut holders: FxHashMap<Pair, Vec<Pair>> = FxHashMap::default();
    let mut seen: BTreeSet<Pair> = BTreeSet::new();
    let mut open: Vec<(Pair, Vec<u64>)> = Vec::new();
    let mut roots: Vec<(GlobalId, Pair)> = Vec::new();
    for ((global, one), (_, other)) in first.globals().zip(second.globals()) {
        roots.push((global, (one, other)));
        seen.insert((one, other));
        open.push(((one, other), first.references_of(global, one)));
    }
    let mut differing: Vec<Pair> = Vec::new();
    while let Some((pair, at)) = open.pop() {
        let (one, other) = pair;
        let targets = first.targets(one, &at).zip(second.targets(other, &at));
        let Some((ones, others)) = targets else {
            differing.push(pair);
            continue;
        };
        let is_alike = ones.len() == others.len()
            && ones.iter().zip(&others).all(|(one, other)| (one.0, one.2) == (other.0, other.2))
            && first.numbers_alike(one, second, other, &at);
        if !is_alike {
            differing.push(pair);
            continue;
        }
        for (one, other) in ones.iter().zip(&others) {
            let below = (one.1, other.1);
            holders.entry(below).or_default().push(pair);
            if seen.insert(below) {
                open.push((below, first.references(below.0)));
            }
        }
    }
    let mut tainted: BTreeSet<Pair> = differing.iter().copied().collect();
    while let Some(pair) = differing.pop() {
        for &holder in holders.get(&pair).into_iter().flatten() {
            if tainted.insert(holder) {
                differing.push(holder);
            }
        }
    }
    roots.into_iter().filter(|(_, pair)| tainted.contains(pair)).map(|(global, _)| global).collect()
}
