//! The agenda of propagators to run: two priorities, first in first out, each at most once.

use crate::network::PropIdx;
use crate::propagator::Priority;

#[derive(Debug, Clone, Default)]
struct Lane {
    // Invariant: entries before `head` have been taken.
    entries: Vec<PropIdx>,
    head: usize,
}

impl Lane {
    fn take(&mut self) -> Option<PropIdx> {
        let entry = self.entries.get(self.head).copied()?;
        self.head += 1;
        if self.head == self.entries.len() {
            self.entries.clear();
            self.head = 0;
        }
        Some(entry)
    }
}

/// The agenda.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    cheap: Lane,
    costly: Lane,
    // By propagator: waiting in a lane.
    waiting: Vec<bool>,
}

impl Queue {
    /// Makes room for propagators `0..count`.
    pub fn grow(&mut self, count: usize) {
        if self.waiting.len() < count {
            self.waiting.resize(count, false);
        }
    }

    #[inline]
    pub fn put(&mut self, prop: PropIdx, priority: Priority) {
        let waiting = &mut self.waiting[prop.index()];
        if *waiting {
            return;
        }
        *waiting = true;
        match priority {
            Priority::Cheap => self.cheap.entries.push(prop),
            Priority::Costly => self.costly.entries.push(prop),
        }
    }

    #[inline]
    pub fn take(&mut self) -> Option<PropIdx> {
        let prop = self.cheap.take().or_else(|| self.costly.take())?;
        self.waiting[prop.index()] = false;
        Some(prop)
    }

    pub fn is_empty(&self) -> bool {
        self.cheap.entries.is_empty() && self.costly.entries.is_empty()
    }

    pub fn clear(&mut self) {
        for lane in [&mut self.cheap, &mut self.costly] {
            for prop in lane.entries.drain(..).skip(lane.head) {
                self.waiting[prop.index()] = false;
            }
            lane.head = 0;
        }
    }
}
