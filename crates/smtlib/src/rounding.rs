//! Rounding modes as 3-bit numbers: 0 to 4 in the order of `RoundingMode::ALL`.

use glassbox_terms::{TermId, Terms};
use glassbox_values::{Bits, RoundingMode};

pub(crate) const WIDTH: u8 = 3;

/// The mode of a standard name, long or short.
pub(crate) fn by_name(name: &str) -> Option<RoundingMode> {
    match name {
        "RNE" | "roundNearestTiesToEven" => Some(RoundingMode::NearestEven),
        "RNA" | "roundNearestTiesToAway" => Some(RoundingMode::NearestAway),
        "RTP" | "roundTowardPositive" => Some(RoundingMode::TowardPositive),
        "RTN" | "roundTowardNegative" => Some(RoundingMode::TowardNegative),
        "RTZ" | "roundTowardZero" => Some(RoundingMode::TowardZero),
        _ => None,
    }
}

pub(crate) fn name(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "roundNearestTiesToEven",
        RoundingMode::NearestAway => "roundNearestTiesToAway",
        RoundingMode::TowardPositive => "roundTowardPositive",
        RoundingMode::TowardNegative => "roundTowardNegative",
        RoundingMode::TowardZero => "roundTowardZero",
    }
}

fn code(mode: RoundingMode) -> Bits {
    let position = RoundingMode::ALL.iter().position(|&other| other == mode);
    Bits::new(position.expect("ALL has every mode") as u128, WIDTH)
}

/// The mode that a number stands for; numbers beyond the last are the last.
pub(crate) fn decode(bits: Bits) -> RoundingMode {
    let last = RoundingMode::ALL.len() - 1;
    RoundingMode::ALL[usize::try_from(bits.unsigned()).map_or(last, |code| code.min(last))]
}

pub(crate) fn constant(terms: &mut Terms, mode: RoundingMode) -> TermId {
    terms.bv_const(code(mode))
}

/// That a variable is one of the five modes.
pub(crate) fn is_legal(terms: &mut Terms, rounding: TermId) -> TermId {
    let last = terms.bv_const(code(RoundingMode::TowardZero));
    terms.bv_ule(rounding, last)
}

/// What `build` makes for the mode, or a choice between the five for a symbolic one.
pub(crate) fn for_mode(
    terms: &mut Terms,
    rounding: TermId,
    mut build: impl FnMut(&mut Terms, RoundingMode) -> TermId,
) -> TermId {
    if let Some(bits) = terms.as_bv_const(rounding) {
        return build(terms, decode(bits));
    }
    let mut result = build(terms, RoundingMode::TowardZero);
    for mode in RoundingMode::ALL.into_iter().rev().skip(1) {
        let term = build(terms, mode);
        let code = terms.bv_const(code(mode));
        let chosen = terms.eq(rounding, code);
        result = terms.ite(chosen, term, result);
    }
    result
}
