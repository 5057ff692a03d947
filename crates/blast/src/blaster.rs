//! The incremental solver over terms: roots in, models and cores out.

use std::sync::Arc;

use glassbox_terms::{ArrayValue, Marks, Model, Op, Scalar, Sort, TermId, Terms, Value};
use glassbox_values::{Bits, Float};

use crate::array::{Arrays, Contents, Graph};
use crate::budget::{Budget, Limits};
use crate::circuit::Circuit;
use crate::cnf::{Cnf, arguments};
use crate::lit::Lit;
use crate::question::{Found, Question};
use crate::sat::{Profile, Sat, Stop};
use crate::translate::{Words, translate};

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A value for every variable of the roots.
    Sat(Model),
    /// Roots that together have no model, in the order they were given.
    Unsat(Vec<TermId>),
    Unknown(Reason),
}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The conflicts were used up.
    Budget,
    /// The caller's stop ended the search.
    Stopped,
    /// The circuit passed the gate limit.
    TooLarge,
}

/// What a blaster has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    pub n_checks: u64,
    /// Checks that needed a fresh solver with preprocessing.
    pub n_fresh: u64,
    /// Times the incremental solver was replaced because most of it no longer mattered.
    pub n_resets: u64,
    /// Clauses learned by all searches: the steps of the budget.
    pub n_conflicts: u64,
    /// Gates of all circuits.
    pub n_gates: usize,
    /// Clauses about arrays found missing.
    pub n_lemmas: u64,
}

/// A bit-blasting solver for the terms of one arena.
#[derive(Debug)]
pub struct Blaster {
    limits: Limits,
    circuit: Circuit,
    words: Words,
    cnf: Cnf,
    // Beyond this many variables of `cnf`, the share that still matters is looked at.
    review_at: usize,
    // Clauses about arrays that `cnf` has and a fresh solver starts with.
    lemmas: Vec<Vec<Lit>>,
    arrays: Arrays,
    marks: Marks,
    // The roots of the last question, when the incremental solver spent its conflicts on them in vain.
    tried: Option<Vec<TermId>>,
    statistics: Statistics,
}

/// Below this many variables an incremental solver is never replaced.
const FIRST_REVIEW: usize = 2_000;

/// Circuits with more gates than this are searched without preprocessing.
const MAX_GATES_TO_PREPROCESS: usize = 200_000;

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster::new(Limits::default())
    }
}

impl Blaster {
    pub fn new(limits: Limits) -> Blaster {
        // Literals need one bit of 32 for the sign.
        let limits = Limits { max_gates: limits.max_gates.min(1 << 30), ..limits };
        Blaster {
            limits,
            circuit: Circuit::new(limits.max_gates),
            words: Words::default(),
            cnf: Cnf::new(Sat::new(Profile::Plain)),
            review_at: FIRST_REVIEW,
            lemmas: Vec::new(),
            arrays: Arrays::default(),
            marks: Marks::new(),
            tried: None,
            statistics: Statistics::default(),
        }
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { n_gates: self.circuit.len(), ..self.statistics }
    }

    /// Whether the roots, boolean terms of the one arena that this blaster serves, can hold together.
    pub fn check(&mut self, terms: &Terms, roots: &[TermId], budget: &Budget) -> Answer {
        self.statistics.n_checks += 1;
        self.circuit.set_stop(budget.stop.clone());
        self.cnf.set_stop(budget.stop.clone());
        if let Err(reason) = self.translate_roots(terms, roots, budget.stop.clone()) {
            return Answer::Unknown(reason);
        }
        if let Some(&absurd) = roots.iter().find(|&&root| self.words.literal(root) == Lit::FALSE) {
            return Answer::Unsat(vec![absurd]);
        }
        let answer = self.search(terms, roots, budget);
        if self.cnf.is_stopped() {
            self.renew_cnf();
        }
        answer
    }

    /// Makes the circuits of the roots; when they do not fit, forgets all others and tries once more.
    fn translate_roots(
        &mut self,
        terms: &Terms,
        roots: &[TermId],
        stop: Option<Stop>,
    ) -> Result<(), Reason> {
        let n_before = self.circuit.len();
        let first = self.try_translate(terms, roots);
        // Without older circuits there is nothing to forget.
        if first != Err(Reason::TooLarge) || n_before <= 1 {
            return first;
        }
        self.circuit = Circuit::new(self.limits.max_gates);
        self.circuit.set_stop(stop.clone());
        self.words = Words::default();
        self.arrays = Arrays::default();
        self.renew_cnf();
        self.cnf.set_stop(stop);
        self.try_translate(terms, roots)
    }

    fn try_translate(&mut self, terms: &Terms, roots: &[TermId]) -> Result<(), Reason> {
        roots.iter().try_for_each(|&root| {
            translate(&mut self.circuit, &mut self.words, &mut self.arrays, terms, root)
        })
    }

    fn renew_cnf(&mut self) {
        self.cnf = Cnf::new(Sat::new(Profile::Plain));
        self.lemmas.clear();
        self.tried = None;
        self.review_at = FIRST_REVIEW;
    }

    fn search(&mut self, terms: &Terms, roots: &[TermId], budget: &Budget) -> Answer {
        if self.tried.as_deref() == Some(roots)
            && budget.max_conflicts > self.limits.quick_conflicts
        {
            // The incremental solver has had its try.
            self.tried = None;
            let graph = self.graph(terms, roots);
            return self.search_afresh(terms, roots, &graph, budget, budget.max_conflicts);
        }
        self.review_cnf(roots, budget);
        let graph = self.graph(terms, roots);
        let literals: Vec<Option<i32>> = roots
            .iter()
            .map(|&root| self.cnf.literal(&self.circuit, self.words.literal(root)))
            .collect();
        let assumptions: Vec<i32> = literals.iter().copied().flatten().collect();
        let quick = budget.max_conflicts.min(self.limits.quick_conflicts);
        let question = Question { graph: &graph, assumptions: &assumptions, max_conflicts: quick };
        let found = question.solve(
            &mut self.circuit,
            &mut self.cnf,
            &mut self.lemmas,
            &mut self.statistics,
            budget,
        );
        match found {
            Found::Model(contents) => {
                Answer::Sat(self.model(terms, roots, &self.cnf, &graph, &contents))
            }
            Found::Refutation => Answer::Unsat(core_of(&self.cnf, roots, &literals)),
            Found::Nothing(Reason::Budget) if budget.max_conflicts > quick => {
                self.search_afresh(terms, roots, &graph, budget, budget.max_conflicts - quick)
            }
            Found::Nothing(reason) => {
                self.tried = (reason == Reason::Budget).then(|| roots.to_vec());
                Answer::Unknown(reason)
            }
        }
    }

    /// One hard question: a new solver that sees only its cone, with the roots as facts, so that
    /// preprocessing can use them.
    fn search_afresh(
        &mut self,
        terms: &Terms,
        roots: &[TermId],
        graph: &Graph,
        budget: &Budget,
        max_conflicts: u64,
    ) -> Answer {
        self.statistics.n_fresh += 1;
        // Preprocessing of very large circuits cannot be interrupted (CaDiCaL's lucky phases are quadratic
        // and do not ask the terminator), so they are searched plainly.
        let is_large = self.circuit.len() > MAX_GATES_TO_PREPROCESS;
        let profile = if is_large { Profile::Plain } else { Profile::Thorough };
        let mut cnf = Cnf::new(Sat::new(profile));
        cnf.set_stop(budget.stop.clone());
        for &root in roots {
            cnf.add_clause(&self.circuit, &[self.words.literal(root)]);
        }
        for lemma in &self.lemmas {
            cnf.add_clause(&self.circuit, lemma);
        }
        let question = Question { graph, assumptions: &[], max_conflicts };
        let n_before = self.statistics.n_conflicts;
        match self.solve(&question, &mut cnf, budget) {
            Found::Model(contents) => Answer::Sat(self.model(terms, roots, &cnf, graph, &contents)),
            Found::Refutation => {
                let n_conflicts = self.statistics.n_conflicts - n_before;
                Answer::Unsat(self.fresh_core(roots, graph, budget, n_conflicts / 2))
            }
            Found::Nothing(reason) => Answer::Unknown(reason),
        }
    }

    fn solve(&mut self, question: &Question<'_>, cnf: &mut Cnf, budget: &Budget) -> Found {
        let Blaster { circuit, lemmas, statistics, .. } = self;
        question.solve(circuit, cnf, lemmas, statistics, budget)
    }

    /// The core of roots that a fresh solver refuted as facts: refuted once more as assumptions, which
    /// name what was needed, if that is possible with at most so many conflicts; otherwise all of them.
    fn fresh_core(
        &mut self,
        roots: &[TermId],
        graph: &Graph,
        budget: &Budget,
        max_conflicts: u64,
    ) -> Vec<TermId> {
        let mut all = roots.to_vec();
        all.retain(|&root| self.words.literal(root) != Lit::TRUE);
        dedup_in_order(&mut all);
        if all.len() == 1 || self.circuit.len() > MAX_GATES_TO_PREPROCESS {
            return all;
        }
        let mut cnf = Cnf::new(Sat::new(Profile::Thorough));
        cnf.set_stop(budget.stop.clone());
        let literals: Vec<Option<i32>> =
            all.iter().map(|&root| cnf.literal(&self.circuit, self.words.literal(root))).collect();
        for lemma in &self.lemmas {
            cnf.add_clause(&self.circuit, lemma);
        }
        let assumptions: Vec<i32> = literals.iter().copied().flatten().collect();
        let question = Question { graph, assumptions: &assumptions, max_conflicts };
        match self.solve(&question, &mut cnf, budget) {
            Found::Refutation => core_of(&cnf, &all, &literals),
            Found::Model(_) | Found::Nothing(_) => all,
        }
    }

    /// The arrays of the question; empty when no array was ever seen.
    fn graph(&mut self, terms: &Terms, roots: &[TermId]) -> Graph {
        if !self.arrays.are_used {
            return Graph::default();
        }
        let subterms = terms.subterms_with(&mut self.marks, roots);
        Graph::new(terms, &self.words, &self.arrays, &subterms)
    }

    /// Replaces the incremental solver when most of what it knows no longer matters: a model must
    /// give a value to every variable the solver has ever seen.
    fn review_cnf(&mut self, roots: &[TermId], budget: &Budget) {
        if self.cnf.n_variables() < self.review_at {
            return;
        }
        let n_needed = self.cone_size(roots);
        if self.cnf.n_variables() > 3 * n_needed {
            self.renew_cnf();
            self.cnf.set_stop(budget.stop.clone());
            self.statistics.n_resets += 1;
        } else {
            self.review_at = self.cnf.n_variables() + self.cnf.n_variables() / 4;
        }
    }

    fn cone_size(&self, roots: &[TermId]) -> usize {
        let mut seen = vec![false; self.circuit.len()];
        let mut stack: Vec<u32> = roots.iter().map(|&r| self.words.literal(r).node()).collect();
        let mut n_seen = 0;
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            n_seen += 1;
            stack.extend(arguments(self.circuit.gate(node)).iter().map(|arg| arg.node()));
        }
        n_seen
    }

    fn model(
        &self,
        terms: &Terms,
        roots: &[TermId],
        cnf: &Cnf,
        graph: &Graph,
        contents: &[Contents],
    ) -> Model {
        let mut model: Model = terms
            .vars_of(roots)
            .iter()
            .filter_map(|&var| {
                let bits = cnf.word_value(self.words.variable(var)?);
                Some((var, scalar_value(terms.var_sort(var).scalar()?, bits)))
            })
            .collect();
        for (&node, contents) in graph.nodes.iter().zip(contents) {
            if let (Op::Var(var), Sort::Array { index, element }) =
                (terms.op(node), terms.sort(node))
            {
                model.set(var, array_value(index, element, contents));
            }
        }
        model
    }
}

fn array_value(index: u8, element: Scalar, contents: &Contents) -> Value {
    let default = scalar_value(element, contents.default);
    let mut array = ArrayValue::constant(index, element, default);
    for (&at, &bits) in &contents.elements {
        array = array.store(Bits::new(at, index), scalar_value(element, bits));
    }
    Value::Array(Arc::new(array))
}

/// The roots whose assumptions the refutation used.
fn core_of(cnf: &Cnf, roots: &[TermId], literals: &[Option<i32>]) -> Vec<TermId> {
    let mut seen: Vec<i32> = Vec::new();
    let mut core = Vec::new();
    for (&root, literal) in roots.iter().zip(literals) {
        let Some(literal) = *literal else { continue };
        if cnf.sat.failed(literal) && !seen.contains(&literal) {
            seen.push(literal);
            core.push(root);
        }
    }
    core
}

fn dedup_in_order(terms: &mut Vec<TermId>) {
    let mut seen = rustc_hash::FxHashSet::default();
    terms.retain(|&term| seen.insert(term));
}

/// The value with this encoding.
fn scalar_value(scalar: Scalar, bits: u128) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(bits & 1 == 1),
        Scalar::Bv(width) => Value::Bv(Bits::new(bits, width)),
        Scalar::Float(format) => {
            let bits = u64::try_from(bits).expect("floats have at most 64 bits");
            Value::Float(Float::from_bits(bits, format))
        }
    }
}
