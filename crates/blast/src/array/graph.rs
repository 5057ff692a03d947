//! The array terms of a question and how values flow between them.

use glassbox_terms::{ArrayOp, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::array::{Arrays, Witness};
use crate::lit::{Lit, Word};
use crate::translate::Words;

/// What lets a value at an index pass from one array to another.
#[derive(Debug, Clone)]
pub(crate) enum Pass {
    /// The index is not the one stored at.
    Except(Word),
    /// The literal holds: the condition of an `ite`, or an equality.
    When(Lit),
}

/// A value known of an array at an index.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) node: usize,
    pub(crate) index: Word,
    pub(crate) element: Word,
}

/// An undirected edge.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) pass: Pass,
}

/// The arrays of one question.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<TermId>,
    node_of: FxHashMap<TermId, usize>,
    pub(crate) edges: Vec<Edge>,
    /// Writes first, then reads and witnesses.
    pub(crate) accesses: Vec<Access>,
    /// By node: the element of a constant array.
    pub(crate) constants: Vec<Option<Word>>,
    /// By node: the width of its indices.
    pub(crate) index_widths: Vec<usize>,
    pub(crate) n_equalities: usize,
}

impl Graph {
    /// From all subterms of a question, arguments first.
    pub(crate) fn new(terms: &Terms, words: &Words, arrays: &Arrays, subterms: &[TermId]) -> Graph {
        let mut graph = Graph::default();
        let mut reads = Vec::new();
        for &term in subterms {
            if let Sort::Array { index, .. } = terms.sort(term) {
                graph.index_widths.push(usize::from(index));
                graph.add_array(terms, words, term);
            } else if terms.op(term) == Op::Array(ArrayOp::Select) {
                let (array, index) = (terms.arg(term, 0), terms.arg(term, 1));
                reads.push(Access {
                    node: graph.node_of[&array],
                    index: words.word(index).to_vec(),
                    element: words.word(term).to_vec(),
                });
            } else if let Some(witness) = arrays.witnesses.get(&term) {
                graph.n_equalities += 1;
                graph.add_equality(terms, words, term, witness, &mut reads);
            }
        }
        graph.accesses.extend(reads);
        graph
    }

    fn add_array(&mut self, terms: &Terms, words: &Words, term: TermId) {
        let node = self.nodes.len();
        self.nodes.push(term);
        self.node_of.insert(term, node);
        self.constants.push(None);
        let args = terms.args(term);
        match terms.op(term) {
            Op::Array(ArrayOp::Store) => {
                let index = words.word(args[1]).to_vec();
                let element = words.word(args[2]).to_vec();
                self.accesses.push(Access { node, index: index.clone(), element });
                self.edge(node, self.node_of[&args[0]], Pass::Except(index));
            }
            Op::Ite => {
                let condition = words.literal(args[0]);
                self.edge(node, self.node_of[&args[1]], Pass::When(condition));
                self.edge(node, self.node_of[&args[2]], Pass::When(!condition));
            }
            Op::Array(ArrayOp::Const { .. }) => {
                self.constants[node] = Some(words.word(args[0]).to_vec())
            }
            Op::Var(_) => {}
            op @ (Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::Bool(_)
            | Op::Eq)
            | op @ (Op::Bv(_) | Op::Fp(_) | Op::Array(ArrayOp::Select)) => {
                unreachable!("{op:?} makes no array")
            }
        }
    }

    fn add_equality(
        &mut self,
        terms: &Terms,
        words: &Words,
        term: TermId,
        witness: &Witness,
        reads: &mut Vec<Access>,
    ) {
        let (left, right) = (self.node_of[&terms.arg(term, 0)], self.node_of[&terms.arg(term, 1)]);
        self.edge(left, right, Pass::When(words.literal(term)));
        for (node, element) in [(left, &witness.left), (right, &witness.right)] {
            reads.push(Access { node, index: witness.index.clone(), element: element.clone() });
        }
    }

    fn edge(&mut self, from: usize, to: usize, pass: Pass) {
        self.edges.push(Edge { from, to, pass });
    }

    /// Every literal whose value `refine` reads.
    pub(crate) fn literals(&self) -> impl Iterator<Item = Lit> {
        let accesses = self
            .accesses
            .iter()
            .flat_map(|access| access.index.iter().chain(access.element.iter()).copied());
        let constants = self.constants.iter().flatten().flatten().copied();
        let guards = self.edges.iter().filter_map(|edge| match edge.pass {
            Pass::When(guard) => Some(guard),
            Pass::Except(_) => None,
        });
        accesses.chain(constants).chain(guards)
    }
}
