//! From gates to clauses: a SAT solver and the cones defined in it.
//!
//! Every gate gets its full definition (both directions), so that a variable means its gate whatever
//! the polarity of later uses, and a learned clause stays true for ever.

use crate::circuit::{Circuit, Gate};
use crate::lit::Lit;
use crate::sat::{Sat, Stop};

/// Gates defined between two looks at the emergency stop.
const GATES_PER_LOOK: i32 = 4096;

/// A SAT solver together with the map from gates to its variables.
pub(crate) struct Cnf {
    pub(crate) sat: Sat,
    // By node; 0 when the gate has no variable yet.
    variable: Vec<i32>,
    n_variables: i32,
    stack: Vec<u32>,
    // Groups of defined inputs whose conditions are not stated yet, with one input of each.
    pending_groups: Vec<(u32, u32)>,
    stop: Option<Stop>,
    is_stopped: bool,
}

impl std::fmt::Debug for Cnf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cnf").field("n_variables", &self.n_variables).finish_non_exhaustive()
    }
}

impl Cnf {
    pub(crate) fn new(sat: Sat) -> Cnf {
        Cnf {
            sat,
            variable: Vec::new(),
            n_variables: 0,
            stack: Vec::new(),
            pending_groups: Vec::new(),
            stop: None,
            is_stopped: false,
        }
    }

    /// From now on this may end the definition of gates.
    pub(crate) fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// True when the stop left gates without definition: the solver is of no use any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// How many gates the solver knows.
    pub(crate) fn n_variables(&self) -> usize {
        usize::try_from(self.n_variables).expect("counts up from zero")
    }

    /// The SAT literal of `lit`, with its whole cone defined. `None` for constants, and when stopped.
    pub(crate) fn literal(&mut self, circuit: &Circuit, lit: Lit) -> Option<i32> {
        if lit.as_constant().is_some() {
            return None;
        }
        if self.variable.len() < circuit.len() {
            self.variable.resize(circuit.len(), 0);
        }
        if self.variable[lit.node() as usize] == 0 {
            self.define_cone(circuit, lit.node());
            self.define_pending_groups(circuit);
        }
        if self.is_stopped {
            return None;
        }
        Some(self.known(lit))
    }

    /// Adds the clause of these literals, which must hold from now on.
    pub(crate) fn add_clause(&mut self, circuit: &Circuit, clause: &[Lit]) {
        if clause.contains(&Lit::TRUE) {
            return;
        }
        let literals: Vec<i32> =
            clause.iter().filter_map(|&lit| self.literal(circuit, lit)).collect();
        if !self.is_stopped {
            self.sat.add_clause(&literals);
        }
    }

    /// The value of a node in the last model; false when the solver does not know it.
    fn node_value(&self, node: u32) -> bool {
        match self.variable.get(node as usize) {
            None | Some(0) => false,
            Some(&variable) => self.sat.value(variable),
        }
    }

    /// The value of a word in the last model; the cones of its literals must be known.
    pub(crate) fn word_value(&self, word: &[Lit]) -> u128 {
        word.iter().enumerate().fold(0, |bits, (position, &lit)| {
            let truth = match lit.as_constant() {
                Some(truth) => truth,
                None => self.node_value(lit.node()) ^ lit.is_negated(),
            };
            bits | u128::from(truth) << position
        })
    }

    fn known(&self, lit: Lit) -> i32 {
        let variable = self.variable[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }

    fn define_cone(&mut self, circuit: &Circuit, root: u32) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&node) = stack.last() {
            if self.variable[node as usize] != 0 {
                stack.pop();
                continue;
            }
            if self.is_stopped {
                stack.clear();
                break;
            }
            let gate = circuit.gate(node);
            let args = arguments(gate);
            let before = stack.len();
            stack.extend(
                args.iter()
                    .filter(|arg| arg.as_constant().is_none())
                    .map(|arg| arg.node())
                    .filter(|&arg| self.variable[arg as usize] == 0),
            );
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.n_variables += 1;
            if self.n_variables % GATES_PER_LOOK == 0 {
                self.is_stopped |= self.stop.as_ref().is_some_and(|stop| stop());
            }
            self.variable[node as usize] = self.n_variables;
            self.define(gate, self.n_variables);
            if let Gate::Input { group: Some(group) } = gate {
                self.pending_groups.push((group, node));
            }
        }
        self.stack = stack;
    }

    /// Makes the other inputs of the groups just met and states their conditions, which may bring in
    /// further groups: a work list, since divisions can be nested thousands deep.
    fn define_pending_groups(&mut self, circuit: &Circuit) {
        while let Some((group, first)) = self.pending_groups.pop() {
            if self.is_stopped {
                self.pending_groups.clear();
                return;
            }
            let same = |node: u32| circuit.gate(node) == Gate::Input { group: Some(group) };
            let mut node = first;
            while node > 0 && same(node - 1) {
                node -= 1;
            }
            while (node as usize) < circuit.len() && same(node) {
                if self.variable[node as usize] == 0 {
                    self.n_variables += 1;
                    self.variable[node as usize] = self.n_variables;
                }
                node += 1;
            }
            for &condition in circuit.group(group) {
                match condition.as_constant() {
                    Some(true) => {}
                    Some(false) => self.sat.add_clause(&[]),
                    None => {
                        self.define_cone(circuit, condition.node());
                        if self.is_stopped {
                            return;
                        }
                        let literal = self.known(condition);
                        self.sat.add_clause(&[literal]);
                    }
                }
            }
        }
    }

    fn define(&mut self, gate: Gate, g: i32) {
        match gate {
            Gate::Constant | Gate::Input { .. } => {}
            Gate::And(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.sat.add_clause(&[-g, a]);
                self.sat.add_clause(&[-g, b]);
                self.sat.add_clause(&[g, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.sat.add_clause(&[-g, a, b]);
                self.sat.add_clause(&[-g, -a, -b]);
                self.sat.add_clause(&[g, -a, b]);
                self.sat.add_clause(&[g, a, -b]);
            }
            Gate::Ite(c, t, e) => {
                let (c, t, e) = (self.known(c), self.known(t), self.known(e));
                self.sat.add_clause(&[-g, -c, t]);
                self.sat.add_clause(&[-g, c, e]);
                self.sat.add_clause(&[g, -c, -t]);
                self.sat.add_clause(&[g, c, -e]);
                // Redundant, but they propagate when the branches agree.
                self.sat.add_clause(&[-g, t, e]);
                self.sat.add_clause(&[g, -t, -e]);
            }
            Gate::Parity(a, b, c) => {
                let (a, b, c) = (self.known(a), self.known(b), self.known(c));
                for signs in 0..8u32 {
                    let sign = |bit: u32, x: i32| if signs >> bit & 1 == 1 { -x } else { x };
                    // With the negated ones true and the others false, the parity is known.
                    let g = if signs.count_ones() % 2 == 1 { g } else { -g };
                    self.sat.add_clause(&[g, sign(0, a), sign(1, b), sign(2, c)]);
                }
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.known(a), self.known(b), self.known(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.sat.add_clause(&[g, -x, -y]);
                    self.sat.add_clause(&[-g, x, y]);
                }
            }
        }
    }
}

/// The arguments of a gate; constants never occur but padding does.
pub(crate) fn arguments(gate: Gate) -> [Lit; 3] {
    match gate {
        Gate::Constant | Gate::Input { .. } => [Lit::TRUE; 3],
        Gate::And(a, b) | Gate::Xor(a, b) => [a, b, Lit::TRUE],
        Gate::Ite(a, b, c) | Gate::Parity(a, b, c) | Gate::Majority(a, b, c) => [a, b, c],
    }
}
