//! Nicer values for inputs that come from no path, such as drawn ones: candidates are judged by running
//! them. The caller says whether the run is still the same.

use std::cell::Cell;

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputValue, TestInput};
use glassbox_values::{Bits, Float, RoundingMode};

use crate::leaves::{self, visit};

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
    let mut best = input.clone();
    let n_left = Cell::new(MAX_RUNS);
    let mut judge = |candidate: &TestInput| {
        n_left.set(n_left.get().saturating_sub(1));
        n_left.get() > 0 && is_same(candidate)
    };
    for object in 0..best.objects.len() {
        let resolved = program.resolve_source_type(best.objects[object].element_type);
        if best.objects[object].length > 1 && !is_char(program, resolved) {
            let mut shorter = best.clone();
            shorter.objects[object].length = 1;
            shorter.objects[object].elements.truncate(1);
            if judge(&shorter) {
                best = shorter;
            }
        }
    }
    let leaves = numbered(program, numbers(program, &best));
    // All at once: 1, 2, 3 and so on; a, b, c in texts.
    let mut all = best.clone();
    set_all(program, &mut all, &leaves);
    if all == best || judge(&all) {
        return all;
    }
    for &(number, leaf) in &leaves {
        let now = get(&best, leaf);
        for candidate in [number, 1, 2, 0, 5, 10, -1, 100, -100, 1000, 1_000_000] {
            // Tables have thousands of numbers.
            if n_left.get() == 0 {
                return best;
            }
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

/// An input that `is_same` accepts, with whole numbers nearer to zero where possible: of each number the leading
/// bits, as few as will do.
pub fn smaller_input(
    program: &Program,
    input: &TestInput,
    mut is_same: impl FnMut(&TestInput) -> bool,
) -> TestInput {
    const LARGE: i64 = 1000;
    let mut best = input.clone();
    let mut n_left = MAX_RUNS;
    for (position, ty) in numbers(program, &best) {
        let SourceType::Int { signedness, .. } = program.source_type(ty) else { continue };
        let Some(InputValue::Int(bits)) = get(&best, (position, ty)) else { continue };
        let Ok(value) = bits.to_decimal(*signedness).parse::<i64>() else { continue };
        if value.unsigned_abs() <= LARGE.unsigned_abs() {
            continue;
        }
        let width = 64 - value.unsigned_abs().leading_zeros();
        for kept in 1..width {
            if n_left == 0 {
                return best;
            }
            n_left -= 1;
            let size = i64::try_from(value.unsigned_abs() >> (width - kept)).unwrap_or(i64::MAX);
            let mut smaller = best.clone();
            set(program, &mut smaller, (position, ty), if value < 0 { -size } else { size });
            if is_same(&smaller) {
                best = smaller;
                break;
            }
        }
    }
    best
}

/// Numbers and letters are counted apart, each from 1.
fn numbered(program: &Program, leaves: Vec<Leaf>) -> Vec<(i64, Leaf)> {
    let (mut n_numbers, mut n_letters) = (0, 0);
    let number = |leaf: Leaf| {
        let count = if is_char(program, leaf.1) { &mut n_letters } else { &mut n_numbers };
        *count += 1;
        (*count, leaf)
    };
    leaves.into_iter().map(number).collect()
}

fn is_char(program: &Program, ty: SourceTypeId) -> bool {
    matches!(program.source_type(ty), SourceType::Int { is_char: true, .. })
}

/// The numbers and letters of an input, by position. Pointers and ends of texts are not among them.
fn numbers(program: &Program, input: &TestInput) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut copy = input.clone();
    let mut position = 0;
    visit(program, &mut copy, &mut |ty, value| {
        let is_number =
            matches!(program.source_type(ty), SourceType::Int { .. } | SourceType::Float { .. });
        // The end of a text stays where it is.
        let is_end =
            is_char(program, ty) && matches!(value, InputValue::Int(bits) if bits.is_zero());
        if is_number && !is_end {
            found.push((position, ty));
        }
        position += 1;
    });
    let fixed = leaves::fixed(program, input);
    found.retain(|(position, _)| !fixed.contains(position));
    found
}

fn get(input: &TestInput, (wanted, _): Leaf) -> Option<InputValue> {
    leaves::get(input, wanted).cloned()
}

/// `a` for 1, `b` for 2 and so on; never the end of a text.
fn letter(number: i64) -> u8 {
    b'a' + u8::try_from((number - 1).rem_euclid(26)).unwrap_or(0)
}

fn set(program: &Program, input: &mut TestInput, (wanted, _): Leaf, number: i64) {
    leaves::change(program, input, wanted, |ty, value| set_value(program, ty, value, number));
}

/// Sets numbers that are listed in the order of their places.
fn set_all(program: &Program, input: &mut TestInput, numbers: &[(i64, Leaf)]) {
    let mut left = numbers.iter().peekable();
    let mut position = 0;
    visit(program, input, &mut |ty, value| {
        if let Some((number, _)) = left.next_if(|(_, leaf)| leaf.0 == position) {
            set_value(program, ty, value, *number);
        }
        position += 1;
    });
}

fn set_value(program: &Program, ty: SourceTypeId, value: &mut InputValue, number: i64) {
    match value {
        InputValue::Int(bits) if is_char(program, ty) => {
            *bits = Bits::new(letter(number).into(), bits.width());
        }
        InputValue::Int(bits) => *bits = Bits::from_signed(number.into(), bits.width()),
        InputValue::Float(float) => {
            let format = float.format();
            *float = Float::from_f64(number as f64).convert(format, RoundingMode::NearestEven);
        }
        InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => {}
    }
}
