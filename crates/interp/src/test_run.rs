//! Running one test: its input into memory, the call, and what it changed.

use std::collections::BTreeSet;

use glassbox_ir::{
    FileOrigin, FuncId, GlobalId, Passing, Program, ResultPassing, SourceType, SourceTypeId, Ty,
};
use glassbox_testcase::image::{Image, ImagePointer, decode, encode, is_shown, size_of};
use glassbox_testcase::{
    InputPointer, InputValue, NamedInput, Observation, StubResult, TestInput, WrittenGlobal,
    WrittenObject,
};

use crate::machine::Machine;
use crate::made::made;
use crate::memory::{Address, ObjectKind, ObjectState};
use crate::outcome::Outcome;
use crate::stubbed::{StubAnswer, Stubs};
use crate::written::written;

/// A test that was run.
#[derive(Debug, Clone)]
pub struct TestRun {
    pub outcome: Outcome,
    pub observation: Observation,
    /// Where the input's objects are, in order.
    pub addresses: Vec<Address>,
}

/// Resets the machine, sets up the input, calls the function and observes what it left. `None` when the
/// input does not fit into the machine's memory.
pub fn run_test(
    machine: &mut Machine<'_>,
    stubs: &Stubs,
    function: FuncId,
    input: &TestInput,
) -> Option<TestRun> {
    run_test_elsewhere(machine, stubs, function, input, 0)
}

/// The same with so many other objects in memory before those of the input, so that these have other addresses.
pub fn run_test_elsewhere(
    machine: &mut Machine<'_>,
    stubs: &Stubs,
    function: FuncId,
    input: &TestInput,
    n_others: usize,
) -> Option<TestRun> {
    let (setup, started) = start(machine, stubs, function, input, n_others)?;
    machine.memory_mut().remember_stores();
    let outcome = setup.run(machine, function, &started)?;
    let observation = setup.observe(machine, function, &outcome, started.result_object);
    Some(TestRun { outcome, observation, addresses: setup.addresses })
}

/// The same without looking at what the function left, for runs of which many are tried.
pub fn run_only(
    machine: &mut Machine<'_>,
    stubs: &Stubs,
    function: FuncId,
    input: &TestInput,
) -> Option<Outcome> {
    let (setup, started) = start(machine, stubs, function, input, 0)?;
    setup.run(machine, function, &started)
}

/// A call that can be made.
pub(crate) struct Started {
    args: Vec<u128>,
    /// Where a record result is to go.
    result_object: Option<Address>,
}

pub(crate) fn start<'p, 'i>(
    machine: &mut Machine<'p>,
    stubs: &Stubs,
    function: FuncId,
    input: &'i TestInput,
    n_others: usize,
) -> Option<(Setup<'p, 'i>, Started)> {
    machine.reset();
    machine.externals_mut().set_stdin(&input.stdin);
    machine.externals_mut().set_files(&input.files);
    let program = machine.program();
    let mut setup = Setup { program, input, addresses: Vec::new() };
    for _ in 0..n_others {
        machine.new_input(vec![0])?;
    }
    setup.allocate(machine)?;
    setup.fill(machine);
    let answers = input.stubs.iter().map(|stub| setup.stub_answer(machine, stub));
    *stubs.queue.borrow_mut() = answers.collect();
    machine.fail_allocations(&input.failing_allocations);
    let (args, result_object) = setup.arguments(machine, function, &input.params)?;
    Some((setup, Started { args, result_object }))
}

pub(crate) struct Setup<'p, 'i> {
    pub(crate) program: &'p Program,
    pub(crate) input: &'i TestInput,
    // By input object.
    pub(crate) addresses: Vec<Address>,
}

impl Setup<'_, '_> {
    /// The calls that come before, then the call under test; how the last of them that was made ended.
    pub(crate) fn run(
        &self,
        machine: &mut Machine<'_>,
        function: FuncId,
        started: &Started,
    ) -> Option<Outcome> {
        for earlier in &self.input.earlier {
            let (args, _) = self.arguments(machine, function, earlier)?;
            let outcome = machine.run(function, &args);
            if !matches!(outcome, Outcome::Returned(_)) {
                return Some(outcome);
            }
        }
        Some(machine.run(function, &started.args))
    }

    fn allocate(&mut self, machine: &mut Machine<'_>) -> Option<()> {
        for object in &self.input.objects {
            if let Some(contents) = &object.stream {
                self.addresses.push(machine.new_stream(contents)?);
                continue;
            }
            let size = object_size(self.program, object)?;
            self.addresses.push(machine.new_input(vec![0; usize::try_from(size).ok()?])?);
        }
        Some(())
    }

    fn fill(&self, machine: &mut Machine<'_>) {
        let objects = self.input.objects.iter().zip(&self.addresses);
        for (object, &address) in objects.filter(|(object, _)| object.stream.is_none()) {
            let size = object_size(self.program, object).unwrap_or(0);
            let mut image = Image::zeros(self.program, size);
            let element_size = size_of(self.program, object.element_type);
            for (index, element) in (0u64..).zip(&object.elements) {
                let offset = index * element_size;
                encode(self.program, object.element_type, element, &mut image, offset);
            }
            self.write_image(machine, address, &image);
        }
        for (global, value) in &self.input.globals {
            let declared = self.program.global(*global);
            let mut image = Image::zeros(self.program, declared.size);
            encode(self.program, declared.source_type, value, &mut image, 0);
            self.write_image(machine, machine.global_address(*global), &image);
        }
    }

    fn write_image(&self, machine: &mut Machine<'_>, address: Address, image: &Image) {
        let _ = machine.memory_mut().write_unchecked_const(address, &image.bytes);
        for (&offset, pointer) in &image.pointers {
            if let ImagePointer::Input(pointer) = pointer {
                let target = self.pointer_word(machine, *pointer).to_le_bytes();
                let size = machine.memory().pointers().bytes() as usize;
                let memory = machine.memory_mut();
                let _ = memory.write_unchecked_const(address + offset, &target[..size]);
            }
        }
    }

    fn pointer_word(&self, machine: &Machine<'_>, pointer: InputPointer) -> Address {
        match pointer {
            InputPointer::Null => 0,
            InputPointer::Object { object, offset } => {
                self.addresses.get(object).map_or(0, |address| address.wrapping_add(offset))
            }
            InputPointer::Global { global, offset } => {
                machine.global_address(global).wrapping_add(offset)
            }
            InputPointer::Function(function) => machine.function_address(function),
        }
    }

    /// The bits of a scalar value of a type.
    fn scalar_word(&self, machine: &Machine<'_>, value: &InputValue) -> u128 {
        match value {
            InputValue::Int(bits) => bits.unsigned(),
            InputValue::Float(float) => float.to_bits().into(),
            InputValue::Pointer(pointer) => self.pointer_word(machine, *pointer).into(),
            InputValue::Bytes(bytes) => {
                bytes.iter().take(16).rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
            }
            InputValue::Struct(_) | InputValue::Union { .. } | InputValue::Array(_) => 0,
        }
    }

    fn stub_answer(&self, machine: &Machine<'_>, stub: &StubResult) -> StubAnswer {
        let declared = self.program.function(stub.function);
        let is_indirect = declared.result == ResultPassing::Indirect;
        let word = stub.result.as_ref().map_or(0, |value| self.scalar_word(machine, value));
        let mut writes = Vec::new();
        if let (true, Some(record)) = (is_indirect, &stub.result) {
            let ty = declared.result_source_type;
            writes.push((0, self.bytes_of(machine, ty, std::slice::from_ref(record))));
        }
        for write in &stub.writes {
            let arg = write.param + usize::from(is_indirect);
            writes.push((arg, self.bytes_of(machine, write.element_type, &write.elements)));
        }
        StubAnswer { function: stub.function, word, writes, ends: stub.ends }
    }

    /// Elements as they lie in memory.
    fn bytes_of(
        &self,
        machine: &Machine<'_>,
        ty: SourceTypeId,
        elements: &[InputValue],
    ) -> Vec<u8> {
        let size = size_of(self.program, ty);
        let mut image = Image::zeros(self.program, size.saturating_mul(elements.len() as u64));
        for (index, element) in (0u64..).zip(elements) {
            encode(self.program, ty, element, &mut image, index * size);
        }
        let pointers: Vec<(u64, ImagePointer)> =
            image.pointers.iter().map(|(&offset, &pointer)| (offset, pointer)).collect();
        for (offset, pointer) in pointers {
            if let ImagePointer::Input(pointer) = pointer {
                let size = machine.memory().pointers().bytes() as usize;
                let target = self.pointer_word(machine, pointer).to_le_bytes();
                image.write(offset, &target[..size]);
            }
        }
        image.bytes
    }

    /// One word per IR parameter and variable argument, and the object that receives a record result.
    fn arguments(
        &self,
        machine: &mut Machine<'_>,
        function: FuncId,
        given: &[NamedInput],
    ) -> Option<(Vec<u128>, Option<Address>)> {
        let declared = self.program.function(function);
        let mut args = Vec::new();
        let mut result_object = None;
        let mut params = declared.params.iter();
        if declared.result == ResultPassing::Indirect {
            params.next();
            let size = size_of(self.program, declared.result_source_type);
            let address = machine.new_input(vec![0; usize::try_from(size).ok()?])?;
            result_object = Some(address);
            args.push(address.into());
        }
        for (position, param) in params.enumerate() {
            let value = given.get(position).map(|named| &named.value);
            args.push(match (param.passing, value) {
                (Passing::Direct, Some(value)) => self.scalar_word(machine, value),
                (Passing::Direct, None) => 0,
                (Passing::Indirect, value) => {
                    let size = size_of(self.program, param.source_type);
                    let mut image = Image::zeros(self.program, size);
                    if let Some(value) = value {
                        encode(self.program, param.source_type, value, &mut image, 0);
                    }
                    let address = machine.new_input(image.bytes.clone())?;
                    self.write_image(machine, address, &image);
                    address.into()
                }
            });
        }
        if declared.is_variadic {
            let n_fixed = args.len() - usize::from(result_object.is_some());
            let more = given.get(n_fixed..).unwrap_or_default();
            args.extend(more.iter().map(|named| self.scalar_word(machine, &named.value)));
        }
        Some((args, result_object))
    }

    fn observe(
        &self,
        machine: &Machine<'_>,
        function: FuncId,
        outcome: &Outcome,
        result_object: Option<Address>,
    ) -> Observation {
        let ending = outcome.ending();
        let declared = self.program.function(function);
        let result = match (outcome, declared.result) {
            (Outcome::Returned(Some(word)), ResultPassing::Direct(ty)) => {
                Some(self.result_value(machine, *word, ty, declared.result_source_type))
            }
            (Outcome::Returned(_), ResultPassing::Indirect) => result_object.map(|address| {
                let size = size_of(self.program, declared.result_source_type);
                let image = self.read_image(machine, address, size);
                decode(self.program, declared.result_source_type, &image, 0)
            }),
            _ => None,
        };
        let mut observation = Observation {
            ending,
            result,
            changed_objects: self.changed_objects(machine),
            changed_globals: self.changed_globals(machine),
            made: Vec::new(),
            written_objects: self.written_objects(machine),
            written_globals: self.written_globals(machine),
            freed_objects: self.freed_objects(machine),
            stdout: machine.externals().stdout(),
            steps: machine.steps(),
        };
        observation.made = made(self, machine, function, &observation);
        observation
    }

    fn result_value(
        &self,
        machine: &Machine<'_>,
        word: u128,
        ty: Ty,
        source_type: SourceTypeId,
    ) -> InputValue {
        if ty == Ty::Ptr {
            let address = u64::try_from(word).unwrap_or(0);
            return match self.pointer_at(machine, address) {
                Some(pointer) => InputValue::Pointer(pointer),
                // Memory that the function made: only that it is some is known.
                None => {
                    let size = machine.memory().pointers().bytes() as usize;
                    InputValue::Bytes(address.to_le_bytes()[..size].to_vec())
                }
            };
        }
        let mut image = Image::zeros(self.program, size_of(self.program, source_type).max(16));
        image.write(0, &word.to_le_bytes());
        // An address as a number.
        if let Some(pointer) = u64::try_from(word)
            .ok()
            .filter(|&word| machine.memory().resolve(word).is_some())
            .and_then(|word| self.image_pointer(machine, word))
        {
            image.is_left_by_run = true;
            image.set_pointer(0, pointer);
        }
        decode(self.program, source_type, &image, 0)
    }

    /// The address as a pointer of the test.
    fn pointer_at(&self, machine: &Machine<'_>, address: Address) -> Option<InputPointer> {
        if address == 0 {
            return Some(InputPointer::Null);
        }
        if let Some(function) = machine.function_at(address) {
            return Some(InputPointer::Function(function));
        }
        let (id, offset) = machine.memory().resolve(address)?;
        let offset = u64::try_from(offset).ok()?;
        let start = machine.memory().address_of(id, 0);
        if let Some(object) = self.addresses.iter().position(|&base| base == start) {
            return Some(InputPointer::Object { object, offset });
        }
        let ObjectKind::Global(global) = machine.memory().object(id).kind else { return None };
        Some(InputPointer::Global { global, offset })
    }

    /// Bytes of live memory with the pointers that are recognizable in it.
    fn read_image(&self, machine: &Machine<'_>, address: Address, size: u64) -> Image {
        let Some((id, _)) = machine.memory().resolve(address) else {
            return Image::zeros(self.program, size);
        };
        let object = machine.memory().object(id);
        if object.state != ObjectState::Live {
            return Image::zeros(self.program, size);
        }
        let n_bytes = usize::try_from(size).unwrap_or(0).min(object.bytes().len());
        let mut image = self.image_of(machine, &object.bytes()[..n_bytes]);
        image.bytes.resize(usize::try_from(size).unwrap_or(0), 0);
        image
    }

    /// Bytes with the pointers that are recognizable in them.
    pub(crate) fn image_of(&self, machine: &Machine<'_>, bytes: &[u8]) -> Image {
        let mut image = Image::zeros(self.program, bytes.len() as u64);
        image.write(0, bytes);
        image.is_left_by_run = true;
        // Most lie where the machine wants them; packed records and heaps in arrays of bytes have others.
        let step = machine.memory().pointers().bytes() as usize;
        let mut add = |offset: usize| {
            let (at, next) = (offset as u64, (offset + step) as u64);
            let Some(word) = bytes.get(offset..offset + step) else { return };
            let word = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            let before = at.saturating_sub(step as u64 - 1);
            let is_free = || image.pointers.range(before..next).next().is_none();
            // Most bytes are no part of an address, and there may be millions.
            if machine.memory().resolve(word).is_some()
                && is_free()
                && let Some(pointer) = self.image_pointer(machine, word)
            {
                image.set_pointer(at, pointer);
            }
        };
        (0..bytes.len()).step_by(step).for_each(&mut add);
        (0..bytes.len()).for_each(&mut add);
        image
    }

    /// What a word means that is the address of something.
    fn image_pointer(&self, machine: &Machine<'_>, word: u64) -> Option<ImagePointer> {
        if let Some(function) = machine.function_at(word) {
            return Some(ImagePointer::Input(InputPointer::Function(function)));
        }
        // Any two small numbers look like the address of something far outside an object.
        let (id, offset) = machine.memory().resolve(word)?;
        let size = machine.memory().object(id).size();
        u64::try_from(offset).ok().filter(|&offset| offset <= size)?;
        let known = self.pointer_at(machine, word);
        Some(known.map_or(ImagePointer::Elsewhere, ImagePointer::Input))
    }

    fn freed_objects(&self, machine: &Machine<'_>) -> Vec<usize> {
        let is_freed = |address: Address| {
            let found = machine.memory().resolve(address);
            found.is_some_and(|(id, _)| {
                matches!(machine.memory().object(id).state, ObjectState::Freed(_))
            })
        };
        let addresses = self.addresses.iter().enumerate();
        addresses.filter(|(_, address)| is_freed(**address)).map(|(index, _)| index).collect()
    }

    fn changed_objects(&self, machine: &Machine<'_>) -> Vec<(usize, Vec<InputValue>)> {
        let mut changed = Vec::new();
        for (position, object) in self.input.objects.iter().enumerate() {
            let address = self.addresses[position];
            let is_live = machine
                .memory()
                .resolve(address)
                .is_some_and(|(id, _)| machine.memory().object(id).state == ObjectState::Live);
            if !is_live || object.stream.is_some() {
                continue;
            }
            let size = object_size(self.program, object).unwrap_or(0);
            let mut image = self.read_image(machine, address, size);
            let element_size = size_of(self.program, object.element_type);
            if !image.pointers.is_empty() {
                let mut before = Image::zeros(self.program, size);
                for (index, element) in (0..).zip(&object.elements) {
                    let at = index * element_size;
                    encode(self.program, object.element_type, element, &mut before, at);
                }
                image.keep_numbers(&before);
            }
            let after: Vec<InputValue> = (0..object.length)
                .map(|index| {
                    decode(self.program, object.element_type, &image, index * element_size)
                })
                .collect();
            if after != object.elements {
                changed.push((position, after));
            }
        }
        changed
    }

    fn changed_globals(&self, machine: &Machine<'_>) -> Vec<(GlobalId, InputValue)> {
        let mut changed = Vec::new();
        for global in self.program.global_ids() {
            let declared = self.program.global(global);
            if declared.is_const || !declared.kind.is_accessible() {
                continue;
            }
            // `stdin` and the like are set before the call, and not by it.
            if declared.initializer.is_none() && is_of_system(self.program, global) {
                continue;
            }
            if !is_showable(self.program, declared.source_type)
                || self.is_as_initialized(machine, global)
            {
                continue;
            }
            let after = self.global_after(machine, global);
            let is_changed = match self.set_global(global) {
                Some(value) => after != *value,
                None => {
                    let before = self.initial_global(global);
                    !is_shown(self.program, declared.source_type, &after, &before)
                }
            };
            if is_changed {
                changed.push((global, after));
            }
        }
        changed
    }

    /// Whether a global certainly is what it was when the program started. Most are, and some are very large, so neither is
    /// made a value of.
    fn is_as_initialized(&self, machine: &Machine<'_>, global: GlobalId) -> bool {
        const ZEROS: [u8; 4096] = [0; 4096];
        let declared = self.program.global(global);
        let initializer = declared.initializer.as_ref();
        let has_addresses = initializer.is_some_and(|it| !it.relocations.is_empty());
        if has_addresses || self.set_global(global).is_some() {
            return false;
        }
        let address = machine.global_address(global);
        let Some((id, _)) = machine.memory().resolve(address) else { return false };
        let object = machine.memory().object(id);
        let first = initializer.map_or(&[][..], |initializer| &initializer.bytes);
        object.state == ObjectState::Live
            && object.bytes().len() as u64 == declared.size
            && object.bytes().strip_prefix(first).is_some_and(|rest| {
                rest.chunks(ZEROS.len()).all(|part| *part == ZEROS[..part.len()])
            })
    }

    fn written_objects(&self, machine: &Machine<'_>) -> Vec<WrittenObject> {
        let written = self.addresses.iter().enumerate().map(|(object, &address)| {
            let id = machine.memory().resolve(address).map(|(id, _)| id);
            WrittenObject { object, bytes: id.map_or(Vec::new(), |id| written(machine, id)) }
        });
        written.filter(|object| !object.bytes.is_empty()).collect()
    }

    fn written_globals(&self, machine: &Machine<'_>) -> Vec<WrittenGlobal> {
        let mut seen = BTreeSet::new();
        for store in machine.memory().stores() {
            if let ObjectKind::Global(global) = machine.memory().object(store.object).kind {
                seen.insert(global);
            }
        }
        let mut all = Vec::new();
        for global in seen {
            let declared = self.program.global(global);
            let address = machine.global_address(global);
            let Some((id, _)) = machine.memory().resolve(address) else { continue };
            if !declared.kind.is_accessible() || !is_showable(self.program, declared.source_type) {
                continue;
            }
            let after = self.global_after(machine, global);
            all.push(WrittenGlobal { global, bytes: written(machine, id), after });
        }
        all
    }

    /// What the input sets a global to.
    fn set_global(&self, global: GlobalId) -> Option<&InputValue> {
        let set = self.input.globals.iter().find(|(set, _)| *set == global);
        set.map(|(_, value)| value)
    }

    fn global_after(&self, machine: &Machine<'_>, global: GlobalId) -> InputValue {
        let declared = self.program.global(global);
        let ty = declared.source_type;
        let mut image = self.read_image(machine, machine.global_address(global), declared.size);
        if !image.pointers.is_empty() {
            let mut before = self.initial_global(global);
            if let Some(value) = self.set_global(global) {
                before = Image::zeros(self.program, declared.size);
                encode(self.program, ty, value, &mut before, 0);
            }
            image.keep_numbers(&before);
        }
        decode(self.program, ty, &image, 0)
    }

    fn initial_global(&self, global: GlobalId) -> Image {
        let declared = self.program.global(global);
        let mut image = Image::zeros(self.program, declared.size);
        if let Some(initializer) = &declared.initializer {
            image.write(0, &initializer.bytes);
            for relocation in &initializer.relocations {
                image.set_pointer(relocation.offset, ImagePointer::Relocation(*relocation));
            }
        }
        image
    }
}

fn is_showable(program: &Program, ty: SourceTypeId) -> bool {
    !matches!(
        program.source_type(program.resolve_source_type(ty)),
        SourceType::Opaque { .. } | SourceType::Void | SourceType::Function { .. }
    )
}

/// Whether a variable comes from the system's headers.
fn is_of_system(program: &Program, global: GlobalId) -> bool {
    let file = program.files.get(program.global(global).span.file.index());
    file.is_some_and(|file| file.origin == FileOrigin::System)
}

fn object_size(program: &Program, object: &glassbox_testcase::InputObject) -> Option<u64> {
    let size = size_of(program, object.element_type).checked_mul(object.length)?;
    size.checked_add(object.extra_bytes)
}
