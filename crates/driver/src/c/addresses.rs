//! What a test expects must not depend on where its objects lie: numbers made of addresses (`seed ^ (uintptr_t)self`)
//! differ when the same input is run at other addresses, and are not expected.

use glassbox_emit::sees_addresses;
use glassbox_explore::TestRunner;
use glassbox_testcase::{InputValue, Observation};

use super::C;
use crate::function_report::FunctionReport;
use crate::language::Language;

/// Instructions of one run; tests that take longer are left as they are.
const MOST_STEPS: u64 = 1_000_000;

/// Objects in front of those of the input. Two numbers, since what is left of an address may be the same by chance.
const OTHERS: [usize; 2] = [5, 2003];

/// Takes out of expectations what is not the same at other addresses.
pub(super) fn forget(c: &C, report: &mut FunctionReport) {
    if report.suite.tests.is_empty() || !sees_addresses(&c.program, report.function()) {
        return;
    }
    let options = TestRunner::options(MOST_STEPS);
    let mut runner = TestRunner::new(&c.program, options, c.library());
    let entry = report.entry;
    for test in &mut report.suite.tests {
        for n_others in OTHERS {
            if let Some(run) = runner.run_elsewhere(entry, &test.input, n_others)
                && run.observation.ending == test.expected.ending
            {
                keep_same(&mut test.expected, &run.observation);
            }
        }
    }
}

fn keep_same(expected: &mut Observation, other: &Observation) {
    if let (Some(own), Some(other)) = (&mut expected.result, &other.result) {
        keep_same_value(own, other);
    }
    for (object, own) in &mut expected.changed_objects {
        let seen = other.changed_objects.iter().find(|(seen, _)| seen == object);
        if let Some((_, other)) = seen {
            own.iter_mut().zip(other).for_each(|(own, other)| keep_same_value(own, other));
        }
    }
    for (global, own) in &mut expected.changed_globals {
        if let Some((_, other)) = other.changed_globals.iter().find(|(seen, _)| seen == global) {
            keep_same_value(own, other);
        }
    }
    for own in &mut expected.written_globals {
        let mut seen = other.written_globals.iter();
        if let Some(other) = seen.find(|other| other.global == own.global) {
            keep_same_value(&mut own.after, &other.after);
        }
    }
}

/// Scalars that differ become bytes, of which tests say nothing.
fn keep_same_value(own: &mut InputValue, other: &InputValue) {
    match (&mut *own, other) {
        (InputValue::Struct(own), InputValue::Struct(other))
        | (InputValue::Array(own), InputValue::Array(other)) => {
            own.iter_mut().zip(other).for_each(|(own, other)| keep_same_value(own, other));
        }
        (InputValue::Union { field, value }, InputValue::Union { field: seen, value: other })
            if field == seen =>
        {
            keep_same_value(value, other)
        }
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
            if own != other {
                *own = InputValue::Bytes(Vec::new());
            }
        }
    }
}
