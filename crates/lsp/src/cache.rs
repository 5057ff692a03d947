//! What was found out about functions, by what they depend on. It lives as long as the server.
//!
//! The key is the driver's digest, and this file is all that knows how results are kept.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use glassbox_driver::live::{Looked, Portrait};

use crate::moved::moved;

/// Results that are kept; the oldest are forgotten first.
const MOST: usize = 4096;

/// What was asked about a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// What tests reach.
    Goals,
    /// What should hold.
    Properties,
}

impl Side {
    pub(crate) const ALL: [Side; 2] = [Side::Goals, Side::Properties];
}

#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: Mutex<Entries>,
}

type Key = (Side, String);

#[derive(Debug, Default)]
struct Entries {
    /// With the line that the function had.
    by_key: BTreeMap<Key, (u32, Arc<Looked>)>,
    order: VecDeque<Key>,
}

impl Cache {
    /// What is known of a function, with the lines it has now.
    pub(crate) fn get(&self, side: Side, portrait: &Portrait, text: &str) -> Option<Arc<Looked>> {
        let key = (side, portrait.digest.clone()?);
        let (line, looked) = {
            let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.by_key.get(&key).cloned()?
        };
        let distance = i64::from(portrait.lines.0) - i64::from(line);
        moved(&looked, distance, text)
    }

    pub(crate) fn put(&self, side: Side, portrait: &Portrait, looked: &Arc<Looked>) {
        let Some(digest) = portrait.digest.clone() else { return };
        let key = (side, digest);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.by_key.insert(key.clone(), (portrait.lines.0, Arc::clone(looked))).is_none() {
            entries.order.push_back(key);
        }
        while entries.order.len() > MOST {
            let Some(oldest) = entries.order.pop_front() else { break };
            entries.by_key.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glassbox_driver::live::{Looked, Portrait};
    use glassbox_report::data::{Function, Goal, SuiteData};

    use super::{Cache, MOST, Side};

    fn portrait(digest: String, line: u32) -> Portrait {
        Portrait {
            name: "f".to_owned(),
            title: "f".to_owned(),
            file: Some("f.c".to_owned()),
            lines: (line, line + 3),
            digest: Some(digest),
        }
    }

    fn looked(line: u32) -> Arc<Looked> {
        let goal = Goal {
            id: format!("f/branch/{line}:3/true"),
            file: Some("f.c".to_owned()),
            line,
            end_line: line,
            ..Goal::default()
        };
        let function = Function {
            file: Some("f.c".to_owned()),
            line,
            end_line: line + 3,
            goals: vec![goal],
            ..Function::default()
        };
        let suite = SuiteData { functions: vec![function], ..SuiteData::default() };
        Arc::new(Looked { suite, findings: Vec::new(), is_unfinished: false })
    }

    #[test]
    fn what_has_moved_is_found_with_its_new_lines() {
        let cache = Cache::default();
        cache.put(Side::Goals, &portrait("d".to_owned(), 10), &looked(10));
        assert!(cache.get(Side::Properties, &portrait("d".to_owned(), 10), "").is_none());
        let found = cache.get(Side::Goals, &portrait("d".to_owned(), 7), "new text");
        let found = found.expect("it is the same function");
        let function = &found.suite.functions[0];
        assert_eq!((function.line, function.goals[0].line), (7, 7));
        assert_eq!(function.goals[0].id, "f/branch/7:3/true");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let cache = Cache::default();
        for number in 0..MOST + 10 {
            cache.put(Side::Goals, &portrait(number.to_string(), 1), &looked(1));
        }
        assert!(cache.get(Side::Goals, &portrait("0".to_owned(), 1), "").is_none());
        assert!(cache.get(Side::Goals, &portrait(MOST.to_string(), 1), "").is_some());
    }
}
