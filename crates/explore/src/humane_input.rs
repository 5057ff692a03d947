//! Nicer values for inputs that come from no path, such as drawn ones: candidates are judged by running
//! them. Whoever judges says whether the run is still the same.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputValue, TestInput};
use glassbox_values::{Bits, Float, RoundingMode};

/// Runs for one input.
const MAX_RUNS: usize = 60;

/// Where a scalar of an input stands, and its type.
type Leaf = (usize, SourceTypeId);

/// An input that `is_same` accepts, with small, distinct numbers where possible.
pub fn nicer_input(
    program: &Program,
    input: &TestInput,
    mut is_same: impl FnMut(&TestInput) -> bool,
) -> TestInput {
    let leaves = leaves(program, input);
    let mut best = input.clone();
    let mut n_left = MAX_RUNS;
    let mut judge = |candidate: &TestInput| {
        n_left = n_left.saturating_sub(1);
        n_left > 0 && is_same(candidate)
    };
    // All at once: 1, 2, 3 and so on.
    let mut all = best.clone();
    for (number, &leaf) in (1..).zip(&leaves) {
        set(program, &mut all, leaf, number);
    }
    if all == best || judge(&all) {
        return all;
    }
    for (number, &leaf) in (1i64..).zip(&leaves) {
        let now = get(&best, leaf);
        for candidate in [number, 1, 2, 0, 5, 10, -1, 100] {
            let mut changed = best.clone();
            set(program, &mut changed, leaf, candidate);
            if get(&changed, leaf) == now {
                break;
            }
            if judge(&changed) {
                best = changed;
                break;
            }
        }
    }
    best
}

/// The numbers of an input, by position. Texts and pointers are not among them.
fn leaves(program: &Program, input: &TestInput) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut copy = input.clone();
    let mut position = 0;
    visit(program, &mut copy, &mut |ty, _| {
        let is_number = match program.source_type(ty) {
            SourceType::Int { is_char, .. } => !is_char,
            SourceType::Float { .. } => true,
            _ => false,
        };
        if is_number {
            found.push((position, ty));
        }
        position += 1;
    });
    found
}

fn get(input: &TestInput, (wanted, _): Leaf) -> Option<InputValue> {
    let mut values = Vec::new();
    let tops = input.params.iter().map(|param| &param.value);
    let objects = input.objects.iter().flat_map(|object| &object.elements);
    let globals = input.globals.iter().map(|(_, value)| value);
    tops.chain(objects).chain(globals).for_each(|value| flatten(value, &mut values));
    values.get(wanted).map(|&value| value.clone())
}

fn flatten<'v>(value: &'v InputValue, out: &mut Vec<&'v InputValue>) {
    match value {
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter().for_each(|part| flatten(part, out));
        }
        InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Pointer(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => out.push(value),
    }
}

fn set(program: &Program, input: &mut TestInput, (wanted, _): Leaf, number: i64) {
    let mut position = 0;
    visit(program, input, &mut |_, value| {
        if position == wanted {
            match value {
                InputValue::Int(bits) => {
                    *bits = Bits::from_signed(number.into(), bits.width());
                }
                InputValue::Float(float) => {
                    let format = float.format();
                    *float =
                        Float::from_f64(number as f64).convert(format, RoundingMode::NearestEven);
                }
                InputValue::Pointer(_)
                | InputValue::Struct(_)
                | InputValue::Union { .. }
                | InputValue::Array(_)
                | InputValue::Bytes(_) => {}
            }
        }
        position += 1;
    });
}

/// Every scalar with its resolved type, in the order of `flatten`.
fn visit(
    program: &Program,
    input: &mut TestInput,
    f: &mut dyn FnMut(SourceTypeId, &mut InputValue),
) {
    for param in &mut input.params {
        visit_value(program, param.source_type, &mut param.value, f);
    }
    for object in &mut input.objects {
        for element in &mut object.elements {
            visit_value(program, object.element_type, element, f);
        }
    }
    for (global, value) in &mut input.globals {
        visit_value(program, program.global(*global).source_type, value, f);
    }
}

fn visit_value(
    program: &Program,
    ty: SourceTypeId,
    value: &mut InputValue,
    f: &mut dyn FnMut(SourceTypeId, &mut InputValue),
) {
    let ty = program.resolve_source_type(ty);
    match (value, program.source_type(ty)) {
        (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
            for (part, field) in parts.iter_mut().zip(fields) {
                // Bit-fields have a width of their own, which the value keeps.
                visit_value(program, field.ty, part, f);
            }
        }
        (InputValue::Array(parts), SourceType::Array { element, .. }) => {
            for part in parts {
                visit_value(program, *element, part, f);
            }
        }
        (value, _) => f(ty, value),
    }
}
