//! What all runs of a batch together show.

use std::collections::{BTreeMap, BTreeSet};

/// Runs that return and runs that end in a failing assertion, among the ways that the probes tell.
const DEFINED: u8 = 1 | 2;

/// Kinds of undefined behavior that the compiled program notices wherever they happen.
const KINDS: &[&str] = &["signed-overflow", "division-by-zero", "shift-amount", "shift-overflow"];

/// Which runs are asked about. Operands of an operator are evaluated in any order: what comes before undefined behavior
/// in the compiled program may come after it in another, so that such runs show nothing about what is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    All,
    Defined,
}

/// What conditions, assertions and operations did in some run.
#[derive(Debug, Clone, Default)]
pub(super) struct Truth {
    /// By probe and value: how runs ended that had it.
    hits: BTreeMap<(usize, bool), u8>,
    /// By probe: the values below 64 of what a switch looks at, of all runs and of those with nothing undefined.
    selected: BTreeMap<usize, (u64, u64)>,
    /// By probe: the least and the greatest value of what is observed.
    observed: BTreeMap<usize, (i32, i32)>,
    /// By line: whether an assertion that is reached fails.
    assertions: BTreeMap<usize, bool>,
    /// Lines and kinds of undefined behavior and of exceptions that are not caught.
    undefined: BTreeSet<(usize, String)>,
}

impl Truth {
    pub(super) fn parse(text: &str) -> Option<Truth> {
        let mut truth = Truth::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["hit", probe, value, how] => {
                    truth.hits.insert((probe.parse().ok()?, value == "1"), how.parse().ok()?);
                }
                ["selected", probe, values, defined] => {
                    let values = (values.parse().ok()?, defined.parse().ok()?);
                    truth.selected.insert(probe.parse().ok()?, values);
                }
                ["observed", probe, least, greatest] => {
                    let ends = (least.parse().ok()?, greatest.parse().ok()?);
                    truth.observed.insert(probe.parse().ok()?, ends);
                }
                ["assertion", line, fails] => {
                    truth.assertions.insert(line.parse().ok()?, fails == "1");
                }
                ["undefined", line, kind] => {
                    truth.undefined.insert((line.parse().ok()?, kind.to_owned()));
                }
                _ => return None,
            }
        }
        Some(truth)
    }

    /// Whether some run had this value of a condition.
    pub(super) fn has_value(&self, probe: usize, value: bool, which: Runs) -> bool {
        let how = self.hits.get(&(probe, value));
        how.is_some_and(|how| which == Runs::All || how & DEFINED != 0)
    }

    /// The values below 64 of what a switch looks at, as bits.
    pub(super) fn selected(&self, probe: usize, which: Runs) -> u64 {
        let (all, defined) = self.selected.get(&probe).copied().unwrap_or_default();
        if which == Runs::All { all } else { defined }
    }

    /// The least and the greatest value of what is observed.
    pub(super) fn observed(&self, probe: usize) -> Option<(i32, i32)> {
        self.observed.get(&probe).copied()
    }

    /// Whether an assertion in this line fails.
    pub(super) fn fails(&self, line: usize) -> bool {
        self.assertions.get(&line) == Some(&true)
    }

    /// Whether undefined behavior of this kind is noticed.
    pub(super) fn knows(kind: &str) -> bool {
        KINDS.contains(&kind)
    }

    /// Whether an operation in this line has undefined behavior of this kind.
    pub(super) fn is_undefined(&self, line: usize, kind: &str) -> bool {
        self.undefined.contains(&(line, kind.to_owned()))
    }
}
