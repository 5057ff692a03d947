//! What a test expects must not depend on where its objects lie: numbers made of addresses (`seed ^ (uintptr_t)self`)
//! differ when the same input is run at other addresses, and are not expected.

use glassbox_emit::sees_addresses;
use glassbox_explore::TestRunner;
use glassbox_interp::Options;
use glassbox_testcase::{InputPointer, InputValue, Observation, TestInput};

use super::C;
use crate::function_report::FunctionReport;
use crate::language::Language;

/// Instructions of one run; tests that take longer are left as they are.
const MOST_STEPS: u64 = 1_000_000;

/// Objects in front of those of the input. Two numbers, since what is left of an address may be the same by chance.
const OTHERS: [usize; 2] = [5, 2003];

/// Bytes by which all objects are moved besides: the low half of an address is the same for every object. (A member of a
/// larger structure than the one that is there may lie on a part of a pointer.)
const SHIFT: u16 = 0x6350;

/// Takes out of expectations what is not the same at other addresses.
pub(super) fn forget(c: &C, report: &mut FunctionReport) {
    let called = report.all_called();
    let sees_addresses = called.iter().any(|(called, _)| sees_addresses(&c.program, *called));
    let is_concerned = |input: &TestInput| {
        let mut values = input.objects.iter().flat_map(|object| &object.elements);
        sees_addresses || values.any(has_pointer)
    };
    if !report.suite.tests.iter().any(|test| is_concerned(&test.input)) {
        return;
    }
    let options = Options { shift: SHIFT, ..TestRunner::options(MOST_STEPS) };
    let mut runner = TestRunner::new(&c.program, options, c.library());
    for test in report.suite.tests.iter_mut().filter(|test| is_concerned(&test.input)) {
        let entry = test.through.unwrap_or(report.entry);
        for n_others in OTHERS {
            if let Some(run) = runner.run_elsewhere(entry, &test.input, n_others)
                && run.observation.ending == test.expected.ending
            {
                Same { sees_addresses }.keep(&mut test.expected, &run.observation);
            }
        }
    }
}

fn has_pointer(value: &InputValue) -> bool {
    match value {
        InputValue::Pointer(pointer) => *pointer != InputPointer::Null,
        InputValue::Struct(parts) | InputValue::Array(parts) => parts.iter().any(has_pointer),
        InputValue::Union { value, .. } => has_pointer(value),
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Bytes(_) => false,
    }
}

/// What is kept of an expectation.
#[derive(Clone, Copy)]
struct Same {
    /// The program makes numbers of addresses.
    sees_addresses: bool,
}

impl Same {
    fn keep(self, expected: &mut Observation, other: &Observation) {
        if let (Some(own), Some(other)) = (&mut expected.result, &other.result) {
            self.keep_value(own, other);
        }
        for (object, own) in &mut expected.changed_objects {
            let seen = other.changed_objects.iter().find(|(seen, _)| seen == object);
            if let Some((_, other)) = seen {
                own.iter_mut().zip(other).for_each(|(own, other)| self.keep_value(own, other));
            }
        }
        for (global, own) in &mut expected.changed_globals {
            if let Some((_, other)) = other.changed_globals.iter().find(|(seen, _)| seen == global)
            {
                self.keep_value(own, other);
            }
        }
        let is_alike = expected.made.len() == other.made.len();
        for (own, other) in expected.made.iter_mut().zip(&other.made) {
            let is_alike = is_alike && own.elements.len() == other.elements.len();
            for (position, own) in own.elements.iter_mut().enumerate() {
                match other.elements.get(position).filter(|_| is_alike) {
                    Some(other) => self.keep_value(own, other),
                    None => *own = InputValue::Bytes(Vec::new()),
                }
            }
        }
        for own in &mut expected.written_globals {
            let mut seen = other.written_globals.iter();
            if let Some(other) = seen.find(|other| other.global == own.global) {
                self.keep_value(&mut own.after, &other.after);
            }
        }
    }

    /// Scalars that differ become bytes, of which tests say nothing.
    fn keep_value(self, own: &mut InputValue, other: &InputValue) {
        match (&mut *own, other) {
            (InputValue::Struct(own), InputValue::Struct(other))
            | (InputValue::Array(own), InputValue::Array(other)) => {
                own.iter_mut().zip(other).for_each(|(own, other)| self.keep_value(own, other));
            }
            (
                InputValue::Union { field, value },
                InputValue::Union { field: seen, value: other },
            ) if field == seen => self.keep_value(value, other),
            (InputValue::Pointer(_), _) => {}
            (
                InputValue::Int(_)
                | InputValue::Float(_)
                | InputValue::Bytes(_)
                | InputValue::Struct(_)
                | InputValue::Array(_)
                | InputValue::Union { .. },
                _,
            ) => {
                if own != other && !self.is_memory(own, other) {
                    *own = InputValue::Bytes(Vec::new());
                }
            }
        }
    }

    /// Memory that the function made lies elsewhere, too: that there is some is the same.
    fn is_memory(self, own: &InputValue, other: &InputValue) -> bool {
        let is_address = |value: &InputValue| match value {
            InputValue::Bytes(bytes) => {
                let wide = <[u8; 8]>::try_from(bytes.as_slice()).map(u64::from_le_bytes);
                let narrow = <[u8; 4]>::try_from(bytes.as_slice()).map(u32::from_le_bytes);
                wide.is_ok_and(|word| word >> 32 != 0) || narrow.is_ok_and(|word| word >> 31 != 0)
            }
            InputValue::Int(_)
            | InputValue::Float(_)
            | InputValue::Pointer(_)
            | InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. } => false,
        };
        !self.sees_addresses && is_address(own) && is_address(other)
    }
}
