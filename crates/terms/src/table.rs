//! The hash table of the interner: from hashes to term indices, open addressing, nothing removed.
//!
//! The keys live in the arena, so the table holds only 32 bits of hash beside each index: a look-up
//! that hits allocates nothing and usually touches one slot and one node. Growing needs no key.

const EMPTY: u32 = u32::MAX;
const FIRST_CAPACITY: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Slot {
    tag: u32,
    // `EMPTY` or a term index.
    index: u32,
}

/// Where a key is, or where it would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Found(u32),
    Vacant(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    // Invariant: a power of two long, and at most three quarters full, so that probing ends.
    slots: Vec<Slot>,
    n_used: usize,
}

impl Default for Table {
    fn default() -> Table {
        Table { slots: vec![Slot { tag: 0, index: EMPTY }; FIRST_CAPACITY], n_used: 0 }
    }
}

impl Table {
    /// The entry with this hash for which `is_it` holds.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Entry {
        let tag = tag_of(hash);
        let last = self.slots.len() - 1;
        let mut position = tag as usize & last;
        loop {
            let slot = self.slots[position];
            if slot.index == EMPTY {
                return Entry::Vacant(position);
            }
            if slot.tag == tag && is_it(slot.index) {
                return Entry::Found(slot.index);
            }
            position = (position + 1) & last;
        }
    }

    /// Fills the vacant `position` that `find` gave for this hash.
    pub(crate) fn insert(&mut self, position: usize, hash: u64, index: u32) {
        assert!(index != EMPTY, "fewer than 2^32 - 1 terms");
        self.slots[position] = Slot { tag: tag_of(hash), index };
        self.n_used += 1;
        if self.n_used * 4 > self.slots.len() * 3 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let capacity = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot { tag: 0, index: EMPTY }; capacity]);
        for slot in old {
            if slot.index != EMPTY {
                let mut position = slot.tag as usize & (capacity - 1);
                while self.slots[position].index != EMPTY {
                    position = (position + 1) & (capacity - 1);
                }
                self.slots[position] = slot;
            }
        }
    }
}

// The hasher moves its best mixed bits to the low end, and there the positions are taken from.
fn tag_of(hash: u64) -> u32 {
    u32::try_from(hash & u64::from(u32::MAX)).expect("32 bits are left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_inserted_even_when_hashes_collide() {
        let mut table = Table::default();
        let hash_of = |key: u32| u64::from(key % 7);
        for key in 0..1000 {
            match table.find(hash_of(key), |index| index == key) {
                Entry::Vacant(slot) => table.insert(slot, hash_of(key), key),
                Entry::Found(_) => panic!("{key} is new"),
            }
        }
        for key in 0..1000 {
            assert_eq!(table.find(hash_of(key), |index| index == key), Entry::Found(key));
        }
        assert!(matches!(table.find(hash_of(1000), |index| index == 1000), Entry::Vacant(_)));
    }
}
