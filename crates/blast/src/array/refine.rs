//! One look at a SAT model: a clause it breaks the axioms of arrays by, or values for the arrays.
//!
//! Values known of an array at an index (writes, reads, witnesses) flow along the edges that the
//! model opens: from a store to what it stores into unless the index is the stored one, between an
//! `ite` and the branch taken, between equal arrays. Without equalities it is enough that they flow
//! down, from a term to its arguments. Two different elements that meet at one index of one array,
//! or one that meets a different constant array, give a lemma: the openings passed, and equal
//! indices, imply equal elements. A lemma holds for all arrays, so it may stay for ever.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;

use crate::array::graph::{Access, Graph, Pass};
use crate::circuit::Circuit;
use crate::lit::{Lit, Word, constant_word};
use crate::op::equal::equal;

/// What a look found.
#[derive(Debug)]
pub(crate) enum Refinement {
    /// Clauses that every array model satisfies and the SAT model does not.
    Lemmas(Vec<Vec<Lit>>),
    /// By node.
    Consistent(Vec<Contents>),
}

/// What an array holds, as encodings.
#[derive(Debug, Clone)]
pub(crate) struct Contents {
    pub(crate) elements: BTreeMap<u128, u128>,
    /// The element at all other indices.
    pub(crate) default: u128,
}

/// More lemmas than this from one model are not worth their clauses.
const MAX_LEMMAS: usize = 64;

/// A value that has come to an array: which access, and over which edge.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    access: usize,
    /// The edge and the node it was crossed from; none where the access was made.
    over: Option<(usize, usize)>,
}

struct Flow<'a> {
    graph: &'a Graph,
    value: &'a dyn Fn(&[Lit]) -> u128,
    accesses: Vec<Access>,
    // By access: the values of its words.
    index_values: Vec<u128>,
    element_values: Vec<u128>,
    // By node: what has arrived, by index value.
    arrivals: Vec<BTreeMap<u128, Arrival>>,
    // By node: the open edges with the node at the other end.
    ways: Vec<Vec<(usize, usize)>>,
    // By edge: the value of the index it does not let pass.
    blocked: Vec<Option<u128>>,
    queue: VecDeque<(usize, Arrival)>,
    lemmas: Vec<Vec<Lit>>,
}

/// Checks the model that `value` reads words in. The graph's literals must all have values there.
pub(crate) fn refine(
    circuit: &mut Circuit,
    graph: &Graph,
    value: &dyn Fn(&[Lit]) -> u128,
) -> Refinement {
    let mut flow = Flow::new(graph, value);
    for access in graph.accesses.clone() {
        flow.start(access);
    }
    flow.run(circuit);
    let classes = flow.classes();
    if flow.lemmas.is_empty() && graph.n_equalities > 0 {
        clash_of_defaults(&mut flow, &classes);
        flow.run(circuit);
    }
    if flow.lemmas.is_empty() {
        Refinement::Consistent(flow.known(&classes))
    } else {
        Refinement::Lemmas(flow.lemmas)
    }
}

/// Constant arrays that are connected must agree, unless stores cover every index between them. An
/// index that no store of the class has (or, if there is none, every index) is read at each
/// constant array of a class that has two different ones; the flow then finds the clash.
fn clash_of_defaults(flow: &mut Flow<'_>, classes: &[usize]) {
    let graph = flow.graph;
    let constants: Vec<(usize, u128)> = graph
        .constants
        .iter()
        .enumerate()
        .filter_map(|(node, word)| Some((node, (flow.value)(word.as_ref()?))))
        .collect();
    let mut differing: Vec<usize> = constants
        .iter()
        .filter(|(node, value)| {
            constants
                .iter()
                .any(|(other, theirs)| classes[*node] == classes[*other] && value != theirs)
        })
        .map(|(node, _)| *node)
        .collect();
    differing.sort_unstable();
    for node in differing {
        let mut stored = FxHashSet::default();
        for (number, edge) in graph.edges.iter().enumerate() {
            if matches!(edge.pass, Pass::Except(_)) && classes[edge.from] == classes[node] {
                stored.insert(flow.blocked[number].expect("stores block an index"));
            }
        }
        let width = graph.index_widths[node];
        let n_stored = stored.len() as u128;
        let is_covered = width < 64 && n_stored >= 1 << width;
        let indices: Vec<u128> = if is_covered {
            (0..1u128 << width).collect()
        } else {
            (0..=n_stored).filter(|index| !stored.contains(index)).take(1).collect()
        };
        let element = graph.constants[node].clone().expect("the node is a constant array");
        for index in indices {
            let index = constant_word(index, width);
            flow.start(Access { node, index, element: element.clone() });
        }
    }
}

impl<'a> Flow<'a> {
    fn new(graph: &'a Graph, value: &'a dyn Fn(&[Lit]) -> u128) -> Flow<'a> {
        let n_nodes = graph.nodes.len();
        let mut ways = vec![Vec::new(); n_nodes];
        let mut blocked = Vec::with_capacity(graph.edges.len());
        for (number, edge) in graph.edges.iter().enumerate() {
            let (open, except) = match &edge.pass {
                Pass::Except(index) => (true, Some(value(index))),
                Pass::When(guard) => (value(&[*guard]) == 1, None),
            };
            blocked.push(except);
            if open {
                ways[edge.from].push((number, edge.to));
                if graph.n_equalities > 0 {
                    ways[edge.to].push((number, edge.from));
                }
            }
        }
        Flow {
            graph,
            value,
            accesses: Vec::new(),
            index_values: Vec::new(),
            element_values: Vec::new(),
            arrivals: vec![BTreeMap::new(); n_nodes],
            ways,
            blocked,
            queue: VecDeque::new(),
            lemmas: Vec::new(),
        }
    }

    fn start(&mut self, access: Access) {
        let number = self.accesses.len();
        self.index_values.push((self.value)(&access.index));
        self.element_values.push((self.value)(&access.element));
        self.queue.push_back((access.node, Arrival { access: number, over: None }));
        self.accesses.push(access);
    }

    fn run(&mut self, circuit: &mut Circuit) {
        while let Some((node, arrival)) = self.queue.pop_front() {
            if self.lemmas.len() >= MAX_LEMMAS {
                return;
            }
            let index = self.index_values[arrival.access];
            let element = self.element_values[arrival.access];
            if let Some(known) = self.arrivals[node].get(&index).copied() {
                if self.element_values[known.access] != element {
                    self.clash(circuit, arrival, known);
                }
                continue;
            }
            self.arrivals[node].insert(index, arrival);
            if let Some(constant) = &self.graph.constants[node]
                && (self.value)(constant) != element
            {
                self.clash_with_constant(circuit, arrival, constant);
            }
            for &(edge, other) in &self.ways[node] {
                let came_back = arrival.over.is_some_and(|(came_over, _)| came_over == edge);
                if self.blocked[edge] != Some(index) && !came_back {
                    let next = Arrival { access: arrival.access, over: Some((edge, node)) };
                    self.queue.push_back((other, next));
                }
            }
        }
    }

    /// Equal indices, and all openings on both ways, imply equal elements.
    fn clash(&mut self, circuit: &mut Circuit, one: Arrival, other: Arrival) {
        let (a, b) = (&self.accesses[one.access], &self.accesses[other.access]);
        let same_index = equal(circuit, &a.index, &b.index);
        let same_element = equal(circuit, &a.element, &b.element);
        let mut clause = vec![!same_index, same_element];
        self.openings(circuit, one, &mut clause);
        self.openings(circuit, other, &mut clause);
        self.learn(clause);
    }

    fn clash_with_constant(&mut self, circuit: &mut Circuit, arrival: Arrival, constant: &Word) {
        let same_element = equal(circuit, &self.accesses[arrival.access].element, constant);
        let mut clause = vec![same_element];
        self.openings(circuit, arrival, &mut clause);
        self.learn(clause);
    }

    /// Adds the negations of what let the access come this way.
    fn openings(&self, circuit: &mut Circuit, arrival: Arrival, clause: &mut Vec<Lit>) {
        let access = &self.accesses[arrival.access];
        let index = self.index_values[arrival.access];
        let mut over = arrival.over;
        while let Some((edge, from)) = over {
            clause.push(match &self.graph.edges[edge].pass {
                Pass::Except(stored) => equal(circuit, &access.index, stored),
                Pass::When(guard) => !*guard,
            });
            over = self.arrivals[from][&index].over;
        }
    }

    fn learn(&mut self, mut clause: Vec<Lit>) {
        clause.sort_unstable();
        clause.dedup();
        clause.retain(|&lit| lit != Lit::FALSE);
        self.lemmas.push(clause);
    }

    /// By node: a number that connected nodes share, whatever the index.
    fn classes(&self) -> Vec<usize> {
        let mut class: Vec<usize> = (0..self.graph.nodes.len()).collect();
        for (node, ways) in self.ways.iter().enumerate() {
            for &(_, other) in ways {
                let (a, b) = (find(&mut class, node), find(&mut class, other));
                class[a.max(b)] = a.min(b);
            }
        }
        (0..class.len()).map(|node| find(&mut class, node)).collect()
    }

    /// What the arrays hold: the arrivals, and the default of their class.
    fn known(&self, classes: &[usize]) -> Vec<Contents> {
        let mut defaults = vec![0; classes.len()];
        for (node, constant) in self.graph.constants.iter().enumerate() {
            if let Some(word) = constant {
                defaults[classes[node]] = (self.value)(word);
            }
        }
        self.arrivals
            .iter()
            .zip(classes)
            .map(|(arrivals, &class)| {
                let elements = arrivals
                    .iter()
                    .map(|(&index, arrival)| (index, self.element_values[arrival.access]))
                    .collect();
                Contents { elements, default: defaults[class] }
            })
            .collect()
    }
}

/// The representative of a node in a union-find forest.
fn find(class: &mut [usize], mut node: usize) -> usize {
    while class[node] != node {
        class[node] = class[class[node]];
        node = class[node];
    }
    node
}
