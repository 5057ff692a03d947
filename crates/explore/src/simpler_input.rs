//! Simpler inputs: shorter lists, arrays and texts, where a run still shows what it is for.
//!
//! Only the shape changes. Numbers stay what they are: small distinct ones (`humane_input`) tell more faults apart
//! than zeros. The caller says whether a candidate still shows what the input shows. Halving and then smaller parts is
//! delta debugging (Zeller and Hildebrandt, TSE 2002).

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputObject, InputPointer, InputValue, TestInput};
use glassbox_values::Bits;

use crate::leaves;

/// Runs for one input.
const MAX_RUNS: usize = 120;

/// Lengths that an array is cut to, before its half.
const SHORT: [u64; 3] = [1, 2, 3];

/// An input that `is_same` accepts, with no more memory behind pointers than it needs. Objects of the JVM keep their shape:
/// tests make them by code.
pub(crate) fn simpler_input(
    program: &Program,
    input: &TestInput,
    is_same: impl FnMut(&TestInput) -> bool,
) -> TestInput {
    if program.language.has_objects() {
        return input.clone();
    }
    let mut pass = Pass { program, best: input.clone(), n_left: MAX_RUNS, is_same };
    pass.cut_links();
    for object in 0..pass.best.objects.len() {
        if pass.text_of(object).is_some() {
            pass.simplify_text(object);
        } else {
            pass.shorten(object);
        }
    }
    pass.simplify_arrays_of_characters();
    pass.write_letters();
    pass.shorten_streams();
    let used = without_unused(&pass.best);
    pass.take(used);
    pass.best
}

struct Pass<'a, F> {
    program: &'a Program,
    /// The simplest input so far that was accepted.
    best: TestInput,
    n_left: usize,
    is_same: F,
}

impl<F: FnMut(&TestInput) -> bool> Pass<'_, F> {
    /// Makes the candidate the best input if it is another one and still the same.
    fn take(&mut self, candidate: TestInput) -> bool {
        if self.n_left == 0 || candidate == self.best {
            return false;
        }
        self.n_left -= 1;
        let is_same = (self.is_same)(&candidate);
        if is_same {
            self.best = candidate;
        }
        is_same
    }

    /// Pointers in memory become null where what they lead to is not needed: lists and trees end early.
    fn cut_links(&mut self) {
        let mut at: usize = self.best.params.iter().map(|param| leaves::count(&param.value)).sum();
        while let Some(value) = leaves::get(&self.best, at) {
            if matches!(value, InputValue::Pointer(InputPointer::Object { .. })) {
                let mut cut = self.best.clone();
                leaves::change(self.program, &mut cut, at, |_, value| {
                    *value = InputValue::Pointer(InputPointer::Null);
                });
                self.take(cut);
            }
            at += 1;
        }
    }

    /// An array gets shorter, and a parameter that is its length with it.
    fn shorten(&mut self, object: usize) {
        let length = self.best.objects[object].length;
        let shorter = SHORT.into_iter().chain([length / 2]).filter(|&it| it > 0 && it < length);
        for shorter in shorter {
            let Some(cut) = self.with_length(object, shorter) else { continue };
            if self.take(cut.clone()) || self.take(with_lengths(cut, length, shorter)) {
                return;
            }
        }
    }

    /// The input with another length of an object, if nothing points behind its end then.
    fn with_length(&self, object: usize, length: u64) -> Option<TestInput> {
        let mut changed = self.best.clone();
        let own = &mut changed.objects[object];
        if own.extra_bytes > 0 {
            return None;
        }
        own.length = length;
        own.elements.truncate(usize::try_from(length).ok()?);
        let size = length * self.program.size_of_source_type(own.element_type);
        let mut is_inside = true;
        for_each_pointer(&mut changed, &mut |pointer| {
            is_inside &= !matches!(*pointer, InputPointer::Object { object: other, offset }
                if other == object && offset > size);
        });
        is_inside.then_some(changed)
    }

    /// The characters of an array of characters.
    fn text_of(&self, object: usize) -> Option<Vec<u8>> {
        let object = &self.best.objects[object];
        if !is_char(self.program, object.element_type) || object.extra_bytes > 0 {
            return None;
        }
        let mut bytes: Vec<u8> = object.elements.iter().map(byte).collect::<Option<_>>()?;
        bytes.resize(usize::try_from(object.length).ok()?, 0);
        Some(bytes)
    }

    /// A text ends in a zero, has nothing behind it, and no more characters than it needs.
    fn simplify_text(&mut self, object: usize) {
        let Some(text) = self.text_of(object) else { return };
        match text.iter().position(|&byte| byte == 0) {
            Some(end) => {
                self.take_text(object, &text[..=end]);
            }
            None if text.iter().all(|&byte| is_printed(byte)) => {
                self.take_text(object, &[&text[..], &[0]].concat());
            }
            None => {}
        }
        let Some(text) = self.text_of(object) else { return };
        let is_ended = text.last() == Some(&0);
        let shown = text[..text.len() - usize::from(is_ended)].to_vec();
        let end: &[u8] = if is_ended { &[0] } else { &[] };
        self.remove_parts(shown, |pass, shown| pass.take_text(object, &[shown, end].concat()));
    }

    fn take_text(&mut self, object: usize, text: &[u8]) -> bool {
        if text.is_empty() {
            return false;
        }
        let Some(mut changed) = self.with_length(object, text.len() as u64) else { return false };
        let own = &mut changed.objects[object];
        own.elements = text.iter().map(|&byte| character(byte)).collect();
        self.take(changed)
    }

    /// Leaves out halves, then smaller parts of a sequence, as long as `take` accepts what is left.
    fn remove_parts(
        &mut self,
        mut all: Vec<u8>,
        mut take: impl FnMut(&mut Self, &[u8]) -> bool,
    ) -> Vec<u8> {
        let mut part = all.len() / 2;
        while part > 0 && self.n_left > 0 {
            let mut start = 0;
            while start < all.len() && self.n_left > 0 {
                let end = (start + part).min(all.len());
                let left = [&all[..start], &all[end..]].concat();
                if take(self, &left) {
                    all = left;
                } else {
                    start = end;
                }
            }
            part /= 2;
        }
        all
    }

    /// Arrays of characters within records keep their length; what they hold becomes a short text.
    fn simplify_arrays_of_characters(&mut self) {
        for object in 0..self.best.objects.len() {
            for n_kept in [1, 2, 4, 8] {
                let mut changed = self.best.clone();
                let own = &mut changed.objects[object];
                if is_char(self.program, own.element_type) {
                    break;
                }
                for element in &mut own.elements {
                    end_texts(self.program, own.element_type, element, n_kept);
                }
                if self.take(changed) {
                    break;
                }
            }
        }
    }

    /// Characters that no one can read become letters, each kind of them everywhere at once.
    fn write_letters(&mut self) {
        let mut seen: BTreeSet<u8> = BTreeSet::new();
        leaves::visit(self.program, &mut self.best, &mut |ty, value| {
            seen.extend(byte(value).filter(|_| is_char(self.program, ty)));
        });
        let mut free = (b'a'..=b'z').filter(|letter| !seen.contains(letter)).collect::<Vec<u8>>();
        free.reverse();
        for &odd in seen.iter().filter(|&&seen| seen != 0 && !is_printed(seen)) {
            let Some(letter) = free.pop() else { return };
            let mut changed = self.best.clone();
            leaves::visit(self.program, &mut changed, &mut |ty, value| {
                if is_char(self.program, ty) && byte(value) == Some(odd) {
                    *value = character(letter);
                }
            });
            self.take(changed);
        }
    }

    fn shorten_streams(&mut self) {
        let all = self.best.stdin.clone();
        self.remove_parts(all, |pass, left| {
            let candidate = TestInput { stdin: left.to_vec(), ..pass.best.clone() };
            pass.take(candidate)
        });
        for object in 0..self.best.objects.len() {
            let Some(all) = self.best.objects[object].stream.clone() else { continue };
            self.remove_parts(all, |pass, left| {
                let mut candidate = pass.best.clone();
                candidate.objects[object].stream = Some(left.to_vec());
                pass.take(candidate)
            });
        }
        for file in 0..self.best.files.len() {
            let Some(all) = self.best.files[file].clone() else { continue };
            self.remove_parts(all, |pass, left| {
                let mut candidate = pass.best.clone();
                candidate.files[file] = Some(left.to_vec());
                pass.take(candidate)
            });
        }
    }
}

/// Integer parameters that are the length of an array, with the new length.
fn with_lengths(mut input: TestInput, old: u64, new: u64) -> TestInput {
    for param in &mut input.params {
        if let InputValue::Int(bits) = &mut param.value
            && bits.unsigned() == u128::from(old)
        {
            *bits = Bits::new(new.into(), bits.width());
        }
    }
    input
}

fn is_char(program: &Program, ty: SourceTypeId) -> bool {
    let ty = program.source_type(program.resolve_source_type(ty));
    matches!(ty, SourceType::Int { is_char: true, width: 8, .. })
}

fn byte(value: &InputValue) -> Option<u8> {
    u8::try_from(value.as_int()?.unsigned()).ok()
}

fn character(byte: u8) -> InputValue {
    InputValue::Int(Bits::new(byte.into(), 8))
}

/// Whether a text of people may have it.
fn is_printed(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

/// Arrays of characters in a value that have no zero end after `n_kept` characters.
fn end_texts(program: &Program, ty: SourceTypeId, value: &mut InputValue, n_kept: usize) {
    match (value, program.source_type(program.resolve_source_type(ty))) {
        (InputValue::Array(parts), SourceType::Array { element, .. }) => {
            if !is_char(program, *element) {
                parts.iter_mut().for_each(|part| end_texts(program, *element, part, n_kept));
            } else if parts.len() > n_kept && parts.iter().all(|part| byte(part) != Some(0)) {
                parts.iter_mut().skip(n_kept).for_each(|part| *part = character(0));
            }
        }
        (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
            for (part, field) in parts.iter_mut().zip(fields) {
                end_texts(program, field.ty, part, n_kept);
            }
        }
        (_, _) => {}
    }
}

/// The input without memory that nothing leads to.
fn without_unused(input: &TestInput) -> TestInput {
    let mut used = BTreeSet::new();
    let mut outside = TestInput { objects: Vec::new(), ..input.clone() };
    let mut queue = Vec::new();
    for_each_pointer(&mut outside, &mut |pointer| queue.extend(target(*pointer)));
    while let Some(object) = queue.pop() {
        let Some(own) = input.objects.get(object).filter(|_| used.insert(object)) else { continue };
        for value in &mut own.elements.clone() {
            pointers_in(value, &mut |pointer| queue.extend(target(*pointer)));
        }
    }
    let numbers: BTreeMap<usize, usize> = used.iter().copied().zip(0..).collect();
    let kept = |(position, object): (usize, &InputObject)| {
        used.contains(&position).then(|| object.clone())
    };
    outside.objects = input.objects.iter().enumerate().filter_map(kept).collect();
    for_each_pointer(&mut outside, &mut |pointer| {
        if let InputPointer::Object { object, .. } = pointer
            && let Some(number) = numbers.get(object)
        {
            *object = *number;
        }
    });
    outside
}

fn target(pointer: InputPointer) -> Option<usize> {
    if let InputPointer::Object { object, .. } = pointer { Some(object) } else { None }
}

/// All pointers of an input.
fn for_each_pointer(input: &mut TestInput, f: &mut dyn FnMut(&mut InputPointer)) {
    let params = input.params.iter_mut().chain(input.earlier.iter_mut().flatten());
    params.for_each(|param| pointers_in(&mut param.value, f));
    input.globals.iter_mut().for_each(|(_, value)| pointers_in(value, f));
    for stub in &mut input.stubs {
        let written = stub.writes.iter_mut().flat_map(|write| &mut write.elements);
        stub.result.iter_mut().chain(written).for_each(|value| pointers_in(value, f));
    }
    let elements = input.objects.iter_mut().flat_map(|object| &mut object.elements);
    elements.for_each(|value| pointers_in(value, f));
}

fn pointers_in(value: &mut InputValue, f: &mut dyn FnMut(&mut InputPointer)) {
    match value {
        InputValue::Pointer(pointer) => f(pointer),
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter_mut().for_each(|part| pointers_in(part, f));
        }
        InputValue::Union { value, .. } => pointers_in(value, f),
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Bytes(_) => {}
    }
}
