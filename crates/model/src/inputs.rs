//! Inputs of one path: what was read before it was written, and how a model of the path's conditions
//! becomes a test input.

use std::collections::BTreeMap;

use glassbox_ir::{FuncId, GlobalId, Program, SourceTypeId, Span};
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_testcase::image::{Image, ImagePointer, decode, size_of};
use glassbox_testcase::{
    Assumption, InputObject, InputPointer, InputValue, NamedInput, StubResult, StubWrite, TestInput,
};
use glassbox_values::Bits;

use crate::leaf::LeafKind;
use crate::memory::{Cell, CellValue, Memory, ObjectKind};
use crate::stream_input::StreamInput;
use crate::value::{InputPtrId, ObjectId, SymPtr, SymValue};

/// A pointer that is an input.
#[derive(Debug, Clone)]
pub struct InputPtr {
    pub name: String,
    /// What it points to.
    pub target: SourceTypeId,
    /// `None` while the path has not looked at it.
    pub resolution: Option<SymPtr>,
}

/// A parameter of the function under test.
#[derive(Debug, Clone)]
pub struct ParamInput {
    pub name: String,
    pub source_type: SourceTypeId,
    pub value: ParamValue,
}

#[derive(Debug, Clone, Copy)]
pub enum ParamValue {
    Scalar(SymValue),
    /// A record by value, in this object.
    Record(ObjectId),
}

/// What one call of an undefined function did.
#[derive(Debug, Clone)]
pub struct StubInput {
    pub function: FuncId,
    pub result: Option<StubValue>,
    /// By source parameter: memory that it filled.
    pub writes: Vec<(usize, StubMemory)>,
    /// It did not return.
    pub ends: bool,
}

/// A result of an undefined function.
#[derive(Debug, Clone)]
pub enum StubValue {
    Scalar(SymValue, SourceTypeId),
    Record(StubMemory),
}

/// Memory that an undefined function filled with inputs: elements of a type, one after the other.
#[derive(Debug, Clone)]
pub struct StubMemory {
    pub element: SourceTypeId,
    pub length: u64,
    /// By offset from where it began.
    pub cells: Vec<(u64, Cell)>,
}

/// All inputs of one path, in order of appearance.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Of calls before the last one.
    pub earlier: Vec<Vec<ParamInput>>,
    pub params: Vec<ParamInput>,
    pub pointers: Vec<InputPtr>,
    pub stubs: Vec<StubInput>,
    /// Scalars, for search heuristics and enumeration: all variables in order.
    pub variables: Vec<TermId>,
    /// Standard input, then the others in the order in which the path came to them.
    pub streams: Vec<StreamInput>,
    /// The one that is being read.
    pub current_stream: usize,
    /// What each call that opens a file finds: a stream, or no file.
    pub opened: Vec<Option<usize>>,
    /// Allocations that can fail, so far, and the numbers of those that did.
    pub n_allocations: u64,
    pub failing_allocations: Vec<u64>,
    /// What the library of tests does where others may do otherwise, with the place.
    pub habits: Vec<(TermId, Span)>,
    /// What the library gives is open here and fixed there: the interpreter may go another way.
    pub is_loose: bool,
    /// A bound on inputs shaped this path: what lies beyond was not looked at.
    pub bounds_used: Vec<Assumption>,
    /// Facts that are bounds: a refutation that needs one of them holds within the bound only. Kept over
    /// all paths.
    pub bound_facts: BTreeMap<TermId, BoundFact>,
    // How often a name was used on this path, so that the same read has the same name on every path.
    uses: BTreeMap<String, u32>,
    // Variables by name and sort, shared by all paths of one arena, so that equal prefixes of paths
    // have equal terms.
    known: BTreeMap<(String, Sort), TermId>,
}

/// The bound on how long memory behind an input pointer is.
pub const LENGTH_BOUND: Assumption = Assumption::MemoryLength { at_most: None };

/// A fact that a path takes for granted and that is not the program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundFact {
    pub bound: Assumption,
    /// What is true without the bound.
    pub anyway: Option<TermId>,
}

impl Inputs {
    /// Forgets the path and keeps the variables for the next one.
    pub fn restart(&mut self) {
        let known = std::mem::take(&mut self.known);
        let bound_facts = std::mem::take(&mut self.bound_facts);
        *self = Inputs { known, bound_facts, ..Inputs::default() };
    }

    /// The variable of this name; a second use of a name on one path is another variable.
    pub fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort) -> TermId {
        let n_uses = self.uses.entry(name.to_owned()).or_default();
        *n_uses += 1;
        let name = if *n_uses == 1 { name.to_owned() } else { format!("{name}#{n_uses}") };
        let variable =
            *self.known.entry((name.clone(), sort)).or_insert_with(|| terms.fresh_var(name, sort));
        self.variables.push(variable);
        variable
    }

    /// A new pointer input, not looked at yet.
    pub fn pointer(&mut self, name: &str, target: SourceTypeId) -> SymPtr {
        let id = InputPtrId(u32::try_from(self.pointers.len()).expect("fewer than 2^32 inputs"));
        self.pointers.push(InputPtr { name: name.to_owned(), target, resolution: None });
        SymPtr::Input(id)
    }

    /// The stream that is being read.
    pub fn stream(&self) -> Option<&StreamInput> {
        self.streams.get(self.current_stream)
    }

    /// The same to change it; standard input comes into being when it is first read.
    pub fn stream_mut(&mut self) -> &mut StreamInput {
        if self.streams.is_empty() {
            self.streams.push(StreamInput::standard());
        }
        &mut self.streams[self.current_stream]
    }

    /// The number of the stream behind an object.
    pub fn stream_of(&self, object: ObjectId) -> Option<usize> {
        self.streams.iter().position(|stream| stream.object == Some(object))
    }

    pub fn note_bound(&mut self, bound: Assumption) {
        if !self.bounds_used.contains(&bound) {
            self.bounds_used.push(bound);
        }
    }

    /// Remembers that a fact bounds the search and is not the program's.
    pub fn note_bound_fact(&mut self, fact: TermId, bound: Assumption, anyway: Option<TermId>) {
        self.bound_facts.entry(fact).or_insert(BoundFact { bound, anyway });
    }

    /// A scalar in memory that becomes an input because it is read.
    pub fn new_leaf(
        &mut self,
        terms: &mut Terms,
        name: &str,
        kind: LeafKind,
        size: u64,
    ) -> CellValue {
        let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
        match kind {
            LeafKind::Pointer(target) => CellValue::Ptr(self.pointer(name, target)),
            LeafKind::Float(format) => {
                CellValue::Term(self.variable(terms, name, Sort::Float(format)))
            }
            LeafKind::Bool => {
                let truth = self.variable(terms, name, Sort::Bool);
                CellValue::Term(terms.bv_from_bool(truth, width))
            }
            LeafKind::Int(notation) => {
                let variable = self.variable(terms, name, Sort::Bv(width));
                terms.set_notation(variable, notation);
                CellValue::Term(variable)
            }
            LeafKind::Raw => CellValue::Term(self.variable(terms, name, Sort::Bv(width))),
        }
    }
}

/// Values of terms in a model.
pub trait Valuation {
    /// The bits of a bit-vector, Boolean or float term.
    fn bits(&mut self, term: TermId) -> Bits;
}

/// The test input that a model of the path's conditions stands for.
pub fn extract(
    program: &Program,
    memory: &Memory,
    inputs: &Inputs,
    valuation: &mut dyn Valuation,
) -> TestInput {
    let mut extraction = Extraction {
        program,
        memory,
        inputs,
        valuation,
        object_positions: BTreeMap::new(),
        queue: Vec::new(),
    };
    let mut test = TestInput {
        earlier: inputs.earlier.iter().map(|params| extraction.arguments(params)).collect(),
        params: extraction.arguments(&inputs.params),
        ..TestInput::default()
    };
    for id in memory.ids() {
        if let ObjectKind::Global(global) = memory.object(id).kind
            && !memory.object(id).initial.is_empty()
            && !is_stream(program, global)
        {
            let ty = program.global(global).source_type;
            let value = extraction.record(id, ty);
            test.globals.push((global, value));
        }
    }
    for stub in &inputs.stubs {
        let result = stub.result.as_ref().and_then(|result| match result {
            StubValue::Scalar(value, ty) => Some(extraction.scalar(*value, *ty)),
            StubValue::Record(memory) => extraction.stub_memory(memory).pop(),
        });
        let writes = stub.writes.iter().map(|(param, memory)| StubWrite {
            param: *param,
            element_type: memory.element,
            elements: extraction.stub_memory(memory),
        });
        let writes = writes.collect();
        let (function, ends) = (stub.function, stub.ends);
        test.stubs.push(StubResult { function, result, writes, ends });
    }
    if let Some(standard) = inputs.streams.first() {
        test.stdin = standard.bytes(extraction.valuation);
    }
    let files = inputs.opened.iter();
    let file = |found: &Option<usize>| {
        found.map(|stream| inputs.streams[stream].bytes(extraction.valuation))
    };
    test.files = files.map(file).collect();
    test.objects = extraction.objects();
    test.failing_allocations.clone_from(&inputs.failing_allocations);
    test
}

/// `stdin`, `stdout` and `stderr` belong to the library: no test sets them.
fn is_stream(program: &Program, global: GlobalId) -> bool {
    let declared = program.global(global);
    declared.initializer.is_none()
        && matches!(declared.name.as_str(), "stdin" | "stdout" | "stderr")
}

struct Extraction<'a> {
    program: &'a Program,
    memory: &'a Memory,
    inputs: &'a Inputs,
    valuation: &'a mut dyn Valuation,
    // Position in `TestInput::objects`, in order of first mention.
    object_positions: BTreeMap<ObjectId, usize>,
    queue: Vec<ObjectId>,
}

impl Extraction<'_> {
    fn arguments(&mut self, params: &[ParamInput]) -> Vec<NamedInput> {
        let argument = |param: &ParamInput| {
            let value = match param.value {
                ParamValue::Scalar(value) => self.scalar(value, param.source_type),
                ParamValue::Record(object) => self.record(object, param.source_type),
            };
            NamedInput { name: param.name.clone(), source_type: param.source_type, value }
        };
        params.iter().map(argument).collect()
    }

    fn scalar(&mut self, value: SymValue, ty: SourceTypeId) -> InputValue {
        match value {
            SymValue::Ptr(ptr) => InputValue::Pointer(self.pointer(ptr)),
            SymValue::Term(term) => {
                let bits = self.valuation.bits(term);
                let size = size_of(self.program, ty);
                let mut image = Image::zeros(self.program, size);
                image.write(
                    0,
                    &bits.unsigned().to_le_bytes()[..usize::try_from(size).unwrap_or(0).min(16)],
                );
                decode(self.program, ty, &image, 0)
            }
        }
    }

    fn pointer(&mut self, ptr: SymPtr) -> InputPointer {
        match ptr {
            SymPtr::Func(function) => InputPointer::Function(function),
            SymPtr::Number(_) => InputPointer::Null,
            SymPtr::Input(id) => match self.inputs.pointers[id.0 as usize].resolution {
                Some(resolution) => self.pointer(resolution),
                // Never looked at: any value will do.
                None => InputPointer::Null,
            },
            SymPtr::Object { object, offset } => {
                let offset = u64::try_from(self.valuation.bits(offset).unsigned()).unwrap_or(0);
                let offset = offset.wrapping_add(self.room_before(object));
                if let ObjectKind::Global(global) = self.memory.object(object).kind {
                    return InputPointer::Global { global, offset };
                }
                InputPointer::Object { object: self.position(object), offset }
            }
        }
    }

    /// Bytes in front of offset 0.
    fn room_before(&mut self, object: ObjectId) -> u64 {
        let front = self.memory.object(object).front;
        front.map_or(0, |front| self.valuation.bits(front.size).to_u64().unwrap_or(0))
    }

    fn position(&mut self, object: ObjectId) -> usize {
        let next = self.object_positions.len();
        *self.object_positions.entry(object).or_insert_with(|| {
            self.queue.push(object);
            next
        })
    }

    /// The initial contents of an object, as one value of type `ty`.
    fn record(&mut self, object: ObjectId, ty: SourceTypeId) -> InputValue {
        let image = self.image(object, size_of(self.program, ty));
        decode(self.program, ty, &image, 0)
    }

    fn image(&mut self, object: ObjectId, size: u64) -> Image {
        let mut image = Image::zeros(self.program, size);
        // A global keeps its initializer where the path read nothing.
        if let ObjectKind::Global(global) = self.memory.object(object).kind
            && let Some(initializer) = &self.program.global(global).initializer
        {
            image.write(0, &initializer.bytes);
            for relocation in &initializer.relocations {
                image.set_pointer(relocation.offset, ImagePointer::Relocation(*relocation));
            }
        }
        let room = self.room_before(object);
        let cells = self.memory.object(object).initial.iter();
        // What was looked at in front of the object on a path that has no such place is not there.
        let from_start = |(&at, cell): (&i64, &Cell)| Some((room.checked_add_signed(at)?, *cell));
        let cells: Vec<(u64, Cell)> = cells.filter_map(from_start).collect();
        self.write_cells(&mut image, &cells);
        image
    }

    fn write_cells(&mut self, image: &mut Image, cells: &[(u64, Cell)]) {
        for &(offset, cell) in cells {
            match cell.value {
                CellValue::Ptr(ptr) => {
                    let pointer = self.pointer(ptr);
                    image.set_pointer(offset, ImagePointer::Input(pointer));
                }
                CellValue::Term(term) => {
                    let bytes = self.valuation.bits(term).unsigned().to_le_bytes();
                    image.write(offset, &bytes[..usize::try_from(cell.size).unwrap_or(0).min(16)]);
                }
            }
        }
    }

    /// The elements that an undefined function wrote.
    fn stub_memory(&mut self, memory: &StubMemory) -> Vec<InputValue> {
        let size = size_of(self.program, memory.element).max(1);
        let mut image = Image::zeros(self.program, size.saturating_mul(memory.length));
        self.write_cells(&mut image, &memory.cells);
        let element = |index| decode(self.program, memory.element, &image, index * size);
        (0..memory.length).map(element).collect()
    }

    /// An object of a JVM program: one record of the shape that its length gives it.
    fn instance(&mut self, id: ObjectId, number: u32, length: Option<TermId>) -> InputObject {
        let name = self.memory.object(id).name.clone();
        let length = length.map_or(0, |length| self.valuation.bits(length).unsigned());
        let layout = self.program.object_layout.as_ref().and_then(|layout| layout.get(number));
        let shape = layout.and_then(|ty| ty.shapes.get(usize::try_from(length).unwrap_or(0)));
        let Some(&element_type) = shape else { return unknown_object(name, 8) };
        let elements = vec![self.record(id, element_type)];
        InputObject { name, element_type, length: 1, extra_bytes: 0, elements, stream: None }
    }

    /// The memory objects, in order; describing one may mention more.
    fn objects(&mut self) -> Vec<InputObject> {
        let mut described = Vec::new();
        let mut next = 0;
        while let Some(&id) = self.queue.get(next) {
            next += 1;
            let object = self.memory.object(id);
            if let ObjectKind::Instance { number, length } = object.kind {
                described.push(self.instance(id, number, length));
                continue;
            }
            let name = object.name.clone();
            if let Some(stream) = self.inputs.stream_of(id) {
                let contents = self.inputs.streams[stream].bytes(self.valuation);
                described.push(stream_object(name, object.kind, contents));
                continue;
            }
            let ObjectKind::Input { element, length } = object.kind else {
                described.push(unknown_object(name, 1));
                continue;
            };
            let size = size_of(self.program, element).max(1);
            let length = u64::try_from(self.valuation.bits(length).unsigned()).unwrap_or(1);
            let length = length.saturating_add(self.room_before(id) / size);
            let image = self.image(id, size.saturating_mul(length));
            let elements = (0..length)
                .map(|index| decode(self.program, element, &image, index * size))
                .collect();
            let element_type = element;
            described.push(InputObject {
                name,
                element_type,
                length,
                extra_bytes: 0,
                elements,
                stream: None,
            });
        }
        described
    }
}

/// Memory without a type, as large as something that was expected there.
fn unknown_object(name: String, extra_bytes: u64) -> InputObject {
    let element_type = SourceTypeId::new(0);
    InputObject { name, element_type, length: 0, extra_bytes, elements: Vec::new(), stream: None }
}

/// A stream with these contents.
fn stream_object(name: String, kind: ObjectKind, contents: Vec<u8>) -> InputObject {
    let element_type =
        if let ObjectKind::Input { element, .. } = kind { element } else { SourceTypeId::new(0) };
    let stream = Some(contents);
    InputObject { name, element_type, length: 1, extra_bytes: 0, elements: Vec::new(), stream }
}
