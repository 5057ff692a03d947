//! How a call ends, in a word or two for the name of a test.

use glassbox_ir::{FuncId, Program, SourceType};
use glassbox_testcase::{Ending, InputPointer, InputValue, Observation};
use glassbox_values::Signedness;

use crate::spelling::Spellings;

/// Larger numbers are no part of a name.
const LARGEST: i128 = 99_999;

/// `returns_0`, `returns_E_FULL`, `exits_1`; `None` where there is no short word for it.
pub fn outcome(
    program: &Program,
    function: FuncId,
    seen: &Observation,
    spellings: &Spellings,
) -> Option<String> {
    match &seen.ending {
        Ending::Exited(status) => Some(format!("exits_{}", status & 0xff)),
        Ending::Aborted => Some("aborts".to_owned()),
        Ending::Returned => {
            let result = value(program, function, seen.result.as_ref()?, spellings)?;
            Some(format!("returns_{result}"))
        }
        Ending::Failed { .. }
        | Ending::Rejected
        | Ending::Thrown(_)
        | Ending::Stopped
        | Ending::Unsupported { .. } => None,
    }
}

fn value(
    program: &Program,
    function: FuncId,
    value: &InputValue,
    spellings: &Spellings,
) -> Option<String> {
    let declared = program.function(function).result_source_type;
    let ty = program.source_type(program.resolve_source_type(declared));
    if let Some(name) = spellings.of_value(ty, value) {
        return Some(name.replace('-', "minus_"));
    }
    match (value, ty) {
        (InputValue::Int(bits), SourceType::Enum { constants, signedness, .. }) => {
            let number = mathematical(*bits, *signedness);
            let constant = constants.iter().find(|constant| constant.value == number);
            constant.map(|constant| constant.name.clone()).or_else(|| word(number))
        }
        (InputValue::Int(bits), SourceType::Int { signedness, .. }) => {
            word(mathematical(*bits, *signedness))
        }
        (InputValue::Int(bits), SourceType::Bool) => {
            Some(if bits.is_zero() { "false" } else { "true" }.to_owned())
        }
        (InputValue::Pointer(InputPointer::Null), _) => Some("null".to_owned()),
        (
            InputValue::Int(_)
            | InputValue::Float(_)
            | InputValue::Pointer(_)
            | InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_),
            _,
        ) => None,
    }
}

/// The number that bits stand for.
pub(crate) fn mathematical(bits: glassbox_values::Bits, signedness: Signedness) -> i128 {
    match signedness {
        Signedness::Signed => bits.signed(),
        Signedness::Unsigned => i128::try_from(bits.unsigned()).unwrap_or(i128::MAX),
    }
}

fn word(number: i128) -> Option<String> {
    let sign = if number < 0 { "minus_" } else { "" };
    (number.abs() <= LARGEST).then(|| format!("{sign}{}", number.abs()))
}
