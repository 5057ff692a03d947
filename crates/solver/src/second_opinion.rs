//! Another solver's opinion on refutations: an audit asks about every core again.
//!
//! Nothing in an answer depends on it. A core that the other solver satisfies is a bug of ours (its model is
//! evaluated by `terms` before it counts), and is kept as a script.

#![allow(clippy::disallowed_methods, reason = "it keeps the limit of time for questions")]

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use glassbox_terms::{Dialect, TermId, Terms, export};

use crate::external::{External, Reply};

/// What another solver said about refutations so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opinions {
    /// It refutes the core, too.
    pub agreed: usize,
    /// It does not say, or its time was over.
    pub silent: usize,
    /// Cores that can be satisfied, as scripts.
    pub contradicted: Vec<String>,
}

/// Asks another solver about every refutation, as long as its time lasts. Clones share what was said.
#[derive(Debug, Clone)]
pub struct SecondOpinion(Arc<Shared>);

/// The same when they share what was said.
impl PartialEq for SecondOpinion {
    fn eq(&self, other: &SecondOpinion) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SecondOpinion {}

#[derive(Debug)]
struct Shared {
    solver: External,
    said: Mutex<Said>,
}

#[derive(Debug)]
struct Said {
    opinions: Opinions,
    /// Left of the time for questions.
    left: Duration,
    /// Cores are met again and again: by text, so that other arenas of terms count as well.
    known: HashSet<String>,
}

impl SecondOpinion {
    /// Questions take at most `time` in all.
    pub fn new(solver: External, time: Duration) -> SecondOpinion {
        let said = Said { opinions: Opinions::default(), left: time, known: HashSet::new() };
        SecondOpinion(Arc::new(Shared { solver, said: Mutex::new(said) }))
    }

    pub fn opinions(&self) -> Opinions {
        self.said().opinions.clone()
    }

    /// Asks about assertions that cannot hold together.
    pub(crate) fn ask(&self, terms: &mut Terms, core: &[TermId]) {
        let text = export(terms, core, Dialect::Plain).text;
        let mut said = self.said();
        if !said.known.insert(text.clone()) {
            return;
        }
        if said.left.is_zero() {
            said.opinions.silent += 1;
            return;
        }
        let begun = Instant::now();
        let reply = self.0.solver.check(terms, core);
        said.left = said.left.saturating_sub(begun.elapsed());
        match reply {
            Reply::Unsat => said.opinions.agreed += 1,
            Reply::Unknown(_) => said.opinions.silent += 1,
            Reply::Sat(_) => said.opinions.contradicted.push(format!("{text}(check-sat)\n")),
        }
    }

    /// Usable even if a thread panicked while holding it.
    fn said(&self) -> MutexGuard<'_, Said> {
        self.0.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
