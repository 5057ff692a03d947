//! What callers guarantee, as statements: every require, range and length of a contract, assumed or tested.

use crate::expression::conjuncts;
use crate::harness::{MAX_UNROLLED, Purpose, Spot, Writer};
use crate::quantifier::parse;
use crate::stub::behind;
use crate::{Bounds, ClauseKind, Contract, separate};

/// Every require, range and length, one after the other.
pub(crate) fn conditions(w: &mut Writer<'_>, contract: &Contract, purpose: Purpose) {
    let (open, close) = (purpose.open(), purpose.close());
    lengths(w, contract, purpose);
    for clause in &contract.clauses {
        match &clause.kind {
            ClauseKind::Require(text) => {
                for (start, part) in conjuncts(text) {
                    let parsed = parse(part, &mut 0);
                    let each = parsed.as_loop();
                    let pieces =
                        each.as_ref().map_or_else(|| parsed.pieces(), |it| it.each.clone());
                    w.pieces(clause.spot(), start, each.as_ref().map_or(&[], |it| &it.head));
                    w.on(clause.spot(), start, open);
                    w.pieces(clause.spot(), start, &pieces);
                    w.on(clause.spot(), start, close);
                }
            }
            ClauseKind::Range { place, bounds } => {
                range(w, contract, clause.spot(), place, bounds, purpose);
            }
            ClauseKind::Length { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Ensure(_)
            | ClauseKind::Assigns(_) => {}
        }
    }
}

/// What lengths ask of callers, who may pass the middle of something, and more than is asked for. Inputs are objects of
/// just that length: a bound, which is made when all pointers are known to point somewhere, so that it is seen where
/// it excludes that one of them points into what another one has.
fn lengths(w: &mut Writer<'_>, contract: &Contract, purpose: Purpose) {
    let (open, close) = (purpose.open(), purpose.close());
    let lengths = contract.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Length { pointer, count } => Some((clause.spot(), pointer, count)),
        ClauseKind::Require(_)
        | ClauseKind::Ensure(_)
        | ClauseKind::Range { .. }
        | ClauseKind::Separate(_)
        | ClauseKind::Assigns(_) => None,
    });
    let place = |pointer: &str| format!("(const void *)(\u{1}{pointer})");
    let wanted = |pointer: &str, count: &str| {
        format!("sizeof \u{1}*({pointer}) * (unsigned long)(\u{1}{count})")
    };
    for (spot, pointer, count) in lengths.clone() {
        // A product that wraps around asks for next to nothing.
        if count.parse::<u64>().is_err() {
            let most = format!("-1ul / sizeof \u{1}*({pointer})");
            w.around(spot, &format!("{open}(unsigned long)(\u{1}{count}) <= {most}{close}"));
        }
        let (place, wanted) = (place(pointer), wanted(pointer, count));
        w.around(
            spot,
            &format!(
                "{open}__glassbox_offset({place}) <= __glassbox_size({place}){close} \
                 {open}__glassbox_size({place}) - __glassbox_offset({place}) >= {wanted}{close}"
            ),
        );
    }
    // Before that, so that what overlaps is excluded by this and not by the bound.
    for clause in &contract.clauses {
        if let ClauseKind::Separate(names) = &clause.kind {
            for condition in separate::conditions(contract, names, purpose) {
                w.around(clause.spot(), &format!("{open}{condition}{close}"));
            }
        }
    }
    for (spot, pointer, count) in lengths.filter(|_| purpose == Purpose::Assume) {
        let (place, wanted) = (place(pointer), wanted(pointer, count));
        w.around(spot, &format!("{open}__glassbox_whole({place}, {wanted}){close}"));
    }
}

/// Assumes that a place, or all elements of one, stay in a range. What lies behind a null pointer is in
/// every range.
fn range(
    w: &mut Writer<'_>,
    contract: &Contract,
    spot: Spot<'_>,
    place: &str,
    bounds: &Bounds,
    purpose: Purpose,
) {
    let place = place.trim();
    if let Some(array) = place.strip_suffix("[]") {
        if let Some(length) = contract.known_length(array).filter(|&length| length <= MAX_UNROLLED)
        {
            for index in 0..length {
                w.around(spot, &between(&format!("(\u{1}{array})[{index}]"), bounds, purpose));
            }
            return;
        }
        let body = between(&format!("({array})[__index]"), bounds, purpose);
        let pointer = format!("(const void *)(\u{1}{array})");
        let count = match contract.length_of(array.trim()) {
            Some(count) => format!("(unsigned long)(\u{1}{count})"),
            None => format!(
                "(__glassbox_size({pointer}) - __glassbox_offset({pointer})) / sizeof \u{1}*({array})"
            ),
        };
        let head = format!("for (unsigned long __index = 0; __index < {count}; __index++)");
        return w.around(spot, &format!("{head} {{ {body} }}"));
    }
    let pointer = behind(place);
    let body = between(&format!("(\u{1}{place})"), bounds, purpose);
    match pointer {
        Some(pointer) => w.around(spot, &format!("if (\u{1}{pointer}) {{ {body} }}")),
        None => w.around(spot, &body),
    }
}

/// Conditions that `place` is within the bounds, as statements.
fn between(place: &str, bounds: &Bounds, purpose: Purpose) -> String {
    let (open, close) = (purpose.open(), purpose.close());
    let conditions = bounds.conditions(place);
    conditions.iter().map(|condition| format!("{open}{condition}{close} ")).collect()
}
