//! Addresses: a pointer is an object and an offset, and where one object lies beside another is open.

use glassbox_terms::{TermId, Terms};

/// A place in an object that is alive: bytes behind its start, and its size.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub offset: TermId,
    pub size: TermId,
}

/// `offset + length <= size`, without wrap-around: all these bytes are the object's.
pub fn is_inside(terms: &mut Terms, place: Place, length: TermId) -> TermId {
    let room = terms.bv_sub(place.size, length);
    let is_small = terms.bv_ule(length, place.size);
    let is_early = terms.bv_ule(place.offset, room);
    terms.and2(is_small, is_early)
}

/// The place is in the object or one past its end: what arithmetic may give. An offset below zero is a huge number.
pub fn is_within(terms: &mut Terms, place: Place) -> TermId {
    terms.bv_ule(place.offset, place.size)
}

/// When places in two different objects may have the same address: bytes of different objects never do, but the
/// end of one may be the start of the next (C11 6.5.9p6). That the result holds says that they may, not that they do.
pub fn may_coincide(terms: &mut Terms, a: Place, b: Place) -> TermId {
    let is_zero =
        |terms: &Terms, at: TermId| terms.as_bv_const(at).is_some_and(|bits| bits.is_zero());
    if is_zero(terms, a.offset) && is_zero(terms, b.offset) {
        // An object without bytes (GNU C) ends where it starts.
        let is_empty = is_zero(terms, a.size) || is_zero(terms, b.size);
        return terms.bool_const(is_empty);
    }
    let first = terms.bv_ult(a.offset, a.size);
    let second = terms.bv_ult(b.offset, b.size);
    let both = terms.and2(first, second);
    terms.not(both)
}

/// When a number may be the address of something: unless it is null.
pub fn may_be_address(terms: &mut Terms, number: TermId) -> TermId {
    terms.bv_is_nonzero(number)
}
