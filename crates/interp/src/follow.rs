//! What the variables of a function hold on its way: a copy of them at every edge that it takes.
//!
//! Locals that became values have no memory to look at, so this is for programs whose locals all stay in memory. Only
//! the first call of the function is followed, and only variables that have been set are shown.

use glassbox_ir::{BlockId, FuncId, GlobalId, SourceTypeId};
use glassbox_testcase::image::{decode, size_of};
use glassbox_testcase::{InputValue, TestInput};

use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::{Memory, ObjectId, ObjectState};
use crate::outcome::Outcome;
use crate::stubbed::Stubs;
use crate::test_run::{Setup, start};

/// Moments that are kept of one run; later ones are not.
const MAX_MOMENTS: usize = 300;
/// Larger variables and objects are not looked at.
const MAX_BYTES: usize = 128;
/// Objects and globals that are looked at.
const MAX_PLACES: usize = 16;

/// A run, with what was seen on its way.
#[derive(Debug)]
pub struct Followed {
    pub outcome: Outcome,
    /// In order; the last one is at the end of the call, unless there were too many.
    pub moments: Vec<Moment>,
}

/// What variables and memory hold when control takes an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// `None` at the end of the call.
    pub edge: Option<(BlockId, u32)>,
    pub variables: Vec<Variable>,
    /// Objects of the input, by position, with their elements.
    pub objects: Vec<(usize, Vec<InputValue>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub ty: SourceTypeId,
    pub value: InputValue,
}

/// Memory outside of the function that is looked at.
#[derive(Debug, Clone, Copy)]
enum Place {
    Object(usize),
    Global(GlobalId),
}

/// What is noted during a run.
#[derive(Debug)]
pub(crate) struct Follower {
    function: FuncId,
    /// The number of its first call, once there is one.
    activation: Option<u32>,
    places: Vec<(Place, ObjectId)>,
    notes: Vec<Note>,
}

/// A moment as bytes.
#[derive(Debug)]
struct Note {
    edge: Option<(BlockId, u32)>,
    /// By local; none where it is not set.
    locals: Vec<Option<Vec<u8>>>,
    /// In the order of the places.
    places: Vec<Option<Vec<u8>>>,
}

/// The bytes of an object that lives, is not large and is set.
fn bytes(memory: &Memory, id: ObjectId) -> Option<Vec<u8>> {
    let object = memory.object(id);
    let own = object.bytes();
    let is_shown = object.state == ObjectState::Live
        && (1..=MAX_BYTES).contains(&own.len())
        && object.is_written(0, own.len());
    is_shown.then(|| own.to_vec())
}

impl Follower {
    fn note(&mut self, frame: &Frame, memory: &Memory, edge: Option<(BlockId, u32)>) {
        if frame.code.function != self.function || self.notes.len() >= MAX_MOMENTS {
            return;
        }
        if *self.activation.get_or_insert(frame.activation) != frame.activation {
            return;
        }
        let locals = frame.locals.iter().map(|id| bytes(memory, (*id)?)).collect();
        let places = self.places.iter().map(|(_, id)| bytes(memory, *id)).collect();
        self.notes.push(Note { edge, locals, places });
    }
}

impl Machine<'_> {
    /// Notes what the function that runs now holds, if it is the one to be followed.
    pub(crate) fn note_moment(&mut self, edge: Option<(BlockId, u32)>) {
        let (Some(follower), Some(frame)) = (&mut self.follower, self.frames.last()) else {
            return;
        };
        follower.note(frame, &self.memory, edge);
    }
}

/// Runs a test from `entry` and follows `function`. `None` when the input does not fit into memory. The machine has to
/// count coverage.
pub fn follow_test(
    machine: &mut Machine<'_>,
    stubs: &Stubs,
    (entry, function): (FuncId, FuncId),
    input: &TestInput,
) -> Option<Followed> {
    let (setup, started) = start(machine, stubs, entry, input, 0)?;
    let objects = setup.addresses.iter().enumerate().filter_map(|(position, &address)| {
        Some((Place::Object(position), machine.memory().resolve(address)?.0))
    });
    let globals = input.globals.iter().filter_map(|(global, _)| {
        let (id, _) = machine.memory().resolve(machine.global_address(*global))?;
        Some((Place::Global(*global), id))
    });
    let places = objects.chain(globals).take(MAX_PLACES).collect();
    machine.follower =
        Some(Box::new(Follower { function, activation: None, places, notes: Vec::new() }));
    let outcome = setup.run(machine, entry, &started);
    let follower = machine.follower.take();
    let (outcome, follower) = (outcome?, follower?);
    let moments = follower.notes.iter().map(|note| setup.moment(machine, &follower, note));
    Some(Followed { outcome, moments: moments.collect() })
}

impl Setup<'_, '_> {
    fn moment(&self, machine: &Machine<'_>, follower: &Follower, note: &Note) -> Moment {
        let program = machine.program();
        let body = program.body(follower.function);
        let value =
            |ty: SourceTypeId, own: &[u8]| decode(program, ty, &self.image_of(machine, own), 0);
        let mut variables: Vec<Variable> = Vec::new();
        for (local, own) in body.locals.iter().zip(&note.locals) {
            let (Some(var), Some(own)) = (local.var, own) else { continue };
            let (name, ty) = (body.var(var).name.clone(), local.source_type);
            // An inner variable hides an outer one of its name.
            variables.retain(|known| known.name != name);
            variables.push(Variable { name, ty, value: value(ty, own) });
        }
        let mut objects = Vec::new();
        for ((place, _), own) in follower.places.iter().zip(&note.places) {
            let Some(own) = own else { continue };
            match place {
                Place::Object(position) => {
                    let object = &self.input.objects[*position];
                    let image = self.image_of(machine, own);
                    let size = size_of(program, object.element_type);
                    let element = |at: u64| decode(program, object.element_type, &image, at * size);
                    objects.push((*position, (0..object.length).map(element).collect()));
                }
                Place::Global(global) => {
                    let declared = program.global(*global);
                    let (name, ty) = (declared.name.clone(), declared.source_type);
                    if !variables.iter().any(|known| known.name == name) {
                        variables.push(Variable { name, ty, value: value(ty, own) });
                    }
                }
            }
        }
        Moment { edge: note.edge, variables, objects }
    }
}
