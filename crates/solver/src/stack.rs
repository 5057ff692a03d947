//! The assertion stack: what was asserted, what became of it, and where each level begins.
//!
//! An assertion is kept as it came, for checking models and naming cores, and as conjuncts, which the
//! layers solve: flattened, rewritten, without those that became definitions. Everything here is undone
//! by truncation when a level is popped.

use glassbox_terms::{TermId, Terms, VarId};
use smallvec::SmallVec;

use crate::answer::AssertionId;
use crate::vars::{VarRange, VarTable};

/// Positions of the assertions that something rests on; sorted.
pub(crate) type Because = SmallVec<[u32; 2]>;

/// An assertion as it came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assertion {
    pub(crate) id: AssertionId,
    pub(crate) term: TermId,
    /// The number of conjuncts before its own.
    pub(crate) first_conjunct: u32,
}

/// A condition that the layers must satisfy.
#[derive(Debug, Clone)]
pub(crate) struct Conjunct {
    pub(crate) term: TermId,
    pub(crate) because: Because,
    pub(crate) vars: VarRange,
}

/// A variable that equals a term in every model.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) var: VarId,
    pub(crate) term: TermId,
    pub(crate) because: Because,
    /// The variables of the term.
    pub(crate) vars: VarRange,
    /// The variable occurs in no conjunct, so its value is computed after all others; otherwise the
    /// equation is also a conjunct.
    pub(crate) is_computed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    n_assertions: usize,
    n_conjuncts: usize,
    n_definitions: usize,
}

/// No definition, in `definition_of`.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub(crate) struct Stack {
    assertions: Vec<Assertion>,
    conjuncts: Vec<Conjunct>,
    definitions: Vec<Definition>,
    levels: Vec<Level>,
    // For each variable the conjuncts it occurs in, ascending.
    occurrences: Vec<Vec<u32>>,
    // For each variable the position of its definition, or `NONE`.
    definition_of: Vec<u32>,
    pub(crate) vars: VarTable,
    next_id: u32,
    // Subterms of all conjuncts, shared ones counted for each.
    n_nodes: usize,
    // A conjunct that is false by itself: what it rests on, and how many assertions there were then.
    contradiction: Option<(usize, Because)>,
}

impl Stack {
    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            n_assertions: self.assertions.len(),
            n_conjuncts: self.conjuncts.len(),
            n_definitions: self.definitions.len(),
        });
    }

    /// Drops the last level; false when there is none.
    pub(crate) fn pop(&mut self) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        while self.conjuncts.len() > level.n_conjuncts {
            let conjunct = self.conjuncts.pop().expect("more conjuncts than the level had");
            self.n_nodes -= conjunct.vars.n_nodes();
            for &var in self.vars.get(conjunct.vars) {
                let last = self.occurrences[var.index()].pop();
                debug_assert_eq!(
                    last,
                    Some(position_u32(self.conjuncts.len())),
                    "last in, first out"
                );
            }
        }
        while self.definitions.len() > level.n_definitions {
            let definition = self.definitions.pop().expect("more definitions than the level had");
            self.definition_of[definition.var.index()] = NONE;
        }
        self.assertions.truncate(level.n_assertions);
        if self.contradiction.as_ref().is_some_and(|(at, _)| *at > level.n_assertions) {
            self.contradiction = None;
        }
        true
    }

    /// The number of assertions below the last level.
    pub(crate) fn n_assertions_below(&self) -> usize {
        self.levels.last().map_or(0, |level| level.n_assertions)
    }

    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }

    /// The number of conjuncts of the levels up to and including `level`.
    pub(crate) fn n_conjuncts_through(&self, level: usize) -> usize {
        self.levels.get(level).map_or(self.conjuncts.len(), |next| next.n_conjuncts)
    }

    /// Records an assertion; its conjuncts are added by the rewriting layer.
    pub(crate) fn add_assertion(&mut self, term: TermId) -> AssertionId {
        let id = AssertionId(self.next_id);
        self.next_id = self.next_id.checked_add(1).expect("fewer than 2^32 assertions");
        let first_conjunct = position_u32(self.conjuncts.len());
        self.assertions.push(Assertion { id, term, first_conjunct });
        id
    }

    pub(crate) fn add_conjunct(&mut self, terms: &Terms, term: TermId, because: Because) {
        let vars = self.vars.range_of(terms, term);
        let position = position_u32(self.conjuncts.len());
        for &var in self.vars.get(vars) {
            if self.occurrences.len() <= var.index() {
                self.occurrences.resize_with(var.index() + 1, Vec::new);
            }
            self.occurrences[var.index()].push(position);
        }
        self.n_nodes += vars.n_nodes();
        self.conjuncts.push(Conjunct { term, because, vars });
    }

    /// The variable must have no definition yet.
    pub(crate) fn add_definition(&mut self, definition: Definition) {
        let index = definition.var.index();
        if self.definition_of.len() <= index {
            self.definition_of.resize(index + 1, NONE);
        }
        debug_assert_eq!(self.definition_of[index], NONE, "a variable is defined once");
        self.definition_of[index] = position_u32(self.definitions.len());
        self.definitions.push(definition);
    }

    pub(crate) fn add_contradiction(&mut self, because: Because) {
        if self.contradiction.is_none() {
            self.contradiction = Some((self.assertions.len(), because));
        }
    }

    pub(crate) fn contradiction(&self) -> Option<&Because> {
        self.contradiction.as_ref().map(|(_, because)| because)
    }

    pub(crate) fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    pub(crate) fn conjuncts(&self) -> &[Conjunct] {
        &self.conjuncts
    }

    pub(crate) fn conjunct_vars(&self, position: u32) -> &[VarId] {
        self.vars.get(self.conjuncts[position as usize].vars)
    }

    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    pub(crate) fn definition(&self, var: VarId) -> Option<&Definition> {
        let position = *self.definition_of.get(var.index())?;
        (position != NONE).then(|| &self.definitions[position as usize])
    }

    /// Subterms of all conjuncts, shared ones counted for each.
    pub(crate) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The conjuncts that mention the variable, ascending.
    pub(crate) fn occurrences(&self, var: VarId) -> &[u32] {
        self.occurrences.get(var.index()).map_or(&[], Vec::as_slice)
    }
}

fn position_u32(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 on the stack")
}

/// Adds the positions of `other` to `because`, which stays sorted.
pub(crate) fn join(because: &mut Because, other: &[u32]) {
    for &position in other {
        if let Err(place) = because.binary_search(&position) {
            because.insert(place, position);
        }
    }
}
