//! What a run wrote of an object.

use std::ops::Range;

use crate::machine::Machine;
use crate::memory::ObjectId;

/// Bytes of an object that the run wrote, in order, without overlaps. What was copied and never set is not there.
pub(crate) fn written(machine: &Machine<'_>, object: ObjectId) -> Vec<Range<u64>> {
    let stores = machine.memory().stores().iter().filter(|store| store.object == object);
    let mut ranges: Vec<Range<u64>> = stores.map(|store| store.bytes.clone()).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => joined.push(range),
        }
    }
    let is_set = |at: u64| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let object = machine.memory().object(object);
        at < object.bytes().len() && object.is_written(at, 1)
    };
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for at in joined.into_iter().flatten().filter(|&at| is_set(at)) {
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            Some(_) | None => ranges.push(at..at + 1),
        }
    }
    ranges
}
