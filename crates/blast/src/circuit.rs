//! The circuit: structurally hashed gates with constant folding and two-level simplification.
//!
//! Nodes are only ever added, arguments before the gates that use them, so a literal stays valid for
//! the life of the circuit. What a gate means never depends on what is asserted; that is why words
//! remembered for a term survive every push and pop. Gates reach the SAT solver only when
//! `cnf::Cnf` defines their cone.

use std::hash::{BuildHasher, Hasher};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::lit::{Lit, Word};
use crate::sat::Stop;

/// What a node computes from its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    Constant,
    /// A free bit. Bits that belong together (a group) carry side conditions; see `Circuit::group`.
    Input {
        group: Option<u32>,
    },
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// Condition, then, else.
    Ite(Lit, Lit, Lit),
    /// Sum bit of a full adder.
    Parity(Lit, Lit, Lit),
    /// Carry bit of a full adder.
    Majority(Lit, Lit, Lit),
}

/// New gates between two looks at the emergency stop.
const GATES_PER_LOOK: usize = 4096;

/// The gates.
pub(crate) struct Circuit {
    gates: Vec<Gate>,
    // Open addressing over `gates`, keyed by the gate; 0 is empty (the constant is never looked up).
    table: Vec<u32>,
    n_hashed: usize,
    // Literals that must hold whenever an input of the group is used. They have a solution for every
    // assignment of the ordinary inputs, so they exclude none.
    groups: Vec<Vec<Lit>>,
    // Quotient and remainder by dividend and divisor: inputs, which hashing does not share.
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
    max_gates: usize,
    overflowed: bool,
    stop: Option<Stop>,
    is_stopped: bool,
}

impl std::fmt::Debug for Circuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Circuit").field("n_gates", &self.gates.len()).finish_non_exhaustive()
    }
}

/// A place to roll back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    n_gates: usize,
    n_groups: usize,
}

impl Circuit {
    pub(crate) fn new(max_gates: usize) -> Circuit {
        Circuit {
            gates: vec![Gate::Constant],
            table: vec![0; 1024],
            n_hashed: 0,
            groups: Vec::new(),
            divisions: FxHashMap::default(),
            max_gates,
            overflowed: false,
            stop: None,
            is_stopped: false,
        }
    }

    /// From now on this may end the making of gates, which then counts as an overflow.
    pub(crate) fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
        self.is_stopped = false;
    }

    /// True when the stop was the reason of the overflow.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { n_gates: self.gates.len(), n_groups: self.groups.len() }
    }

    /// True when some gate since the last roll-back did not fit; literals made since are meaningless.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Forgets everything made since `mark` and clears the overflow.
    pub(crate) fn roll_back(&mut self, mark: Mark) {
        self.gates.truncate(mark.n_gates);
        self.groups.truncate(mark.n_groups);
        self.overflowed = false;
        self.divisions.clear();
        self.rebuild_table(self.table.len());
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.push(Gate::Input { group: None })
    }

    pub(crate) fn input_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Inputs with conditions: `define` gets the fresh word and returns what must hold whenever one
    /// of its bits is used. The conditions must have a solution for every value of other inputs.
    pub(crate) fn defined_word(
        &mut self,
        width: usize,
        define: impl FnOnce(&mut Circuit, &[Lit]) -> Vec<Lit>,
    ) -> Word {
        let group = u32::try_from(self.groups.len()).expect("fewer than 2^32 groups");
        self.groups.push(Vec::new());
        let word: Word =
            (0..width).map(|_| self.push(Gate::Input { group: Some(group) })).collect();
        let conditions = define(self, &word);
        self.groups[group as usize] = conditions;
        word
    }

    pub(crate) fn group(&self, group: u32) -> &[Lit] {
        &self.groups[group as usize]
    }

    /// The quotient and remainder made before for these words.
    pub(crate) fn division(&self, n: &[Lit], d: &[Lit]) -> Option<(Word, Word)> {
        self.divisions.get(&(n.to_vec(), d.to_vec())).cloned()
    }

    pub(crate) fn remember_division(&mut self, n: &[Lit], d: &[Lit], result: (Word, Word)) {
        self.divisions.insert((n.to_vec(), d.to_vec()), result);
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(simpler) = self.and_two_level(a, b) {
            return simpler;
        }
        self.hashed(Gate::And(a, b))
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        if a == b {
            return Lit::FALSE.flip_if(flip);
        }
        if a == Lit::TRUE {
            return !b.flip_if(flip);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::Xor(x, y) = self.gate(one.node()) {
                if x == other {
                    return y.flip_if(flip);
                }
                if y == other {
                    return x.flip_if(flip);
                }
            }
        }
        self.hashed(Gate::Xor(a, b)).flip_if(flip)
    }

    pub(crate) fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub(crate) fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if let Some(truth) = condition.as_constant() {
            return if truth { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if condition.is_negated() {
            return self.ite(!condition, otherwise, then);
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        if then == Lit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Lit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Lit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == Lit::TRUE || otherwise == !condition {
            return self.implies(condition, then);
        }
        // A branch that tests the same condition again is decided.
        if let Gate::Ite(inner, taken, _) = self.gate(then.node())
            && inner == condition
        {
            return self.ite(condition, taken.flip_if(then.is_negated()), otherwise);
        }
        if let Gate::Ite(inner, _, taken) = self.gate(otherwise.node())
            && inner == condition
        {
            return self.ite(condition, then, taken.flip_if(otherwise.is_negated()));
        }
        let flip = then.is_negated();
        self.hashed(Gate::Ite(condition, then.flip_if(flip), otherwise.flip_if(flip))).flip_if(flip)
    }

    /// a xor b xor c.
    pub(crate) fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut args = [a.abs(), b.abs(), c.abs()];
        args.sort_unstable();
        let [a, b, c] = args;
        if a == Lit::TRUE {
            return !self.xor(b, c).flip_if(flip);
        }
        if a == b {
            return c.flip_if(flip);
        }
        if b == c {
            return a.flip_if(flip);
        }
        self.hashed(Gate::Parity(a, b, c)).flip_if(flip)
    }

    /// At least two of three.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut args = [a, b, c];
        args.sort_unstable();
        let [a, b, c] = args;
        match a {
            Lit::TRUE => return self.or(b, c),
            Lit::FALSE => return self.and(b, c),
            _ => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let n_negated = [a, b, c].iter().filter(|lit| lit.is_negated()).count();
        let flip = n_negated >= 2;
        self.hashed(Gate::Majority(a.flip_if(flip), b.flip_if(flip), c.flip_if(flip))).flip_if(flip)
    }

    /// The conjunction as a balanced tree.
    pub(crate) fn and_all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [lit] => *lit,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.and_all(left), self.and_all(right));
                self.and(left, right)
            }
        }
    }

    pub(crate) fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Word = lits.iter().map(|&lit| !lit).collect();
        !self.and_all(&negated)
    }

    /// The children of an and-gate.
    fn and_children(&self, lit: Lit) -> Option<[Lit; 2]> {
        if let Gate::And(x, y) = self.gate(lit.node()) { Some([x, y]) } else { None }
    }

    /// The rules of Brummayer and Biere, "Local two-level and-inverter graph minimization without
    /// blowup" (MEMICS 2006), that need no new node, plus substitution, which makes one.
    fn and_two_level(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        for (one, other) in [(a, b), (b, a)] {
            let Some([x, y]) = self.and_children(one) else { continue };
            if one.is_negated() {
                if other == !x || other == !y {
                    return Some(other);
                }
                if other == x {
                    return Some(self.and(other, !y));
                }
                if other == y {
                    return Some(self.and(other, !x));
                }
            } else {
                if other == x || other == y {
                    return Some(one);
                }
                if other == !x || other == !y {
                    return Some(Lit::FALSE);
                }
            }
        }
        let ([x, y], [u, v]) = (self.and_children(a)?, self.and_children(b)?);
        match (a.is_negated(), b.is_negated()) {
            (false, false) => (x == !u || x == !v || y == !u || y == !v).then_some(Lit::FALSE),
            (false, true) => self.and_positive_negative(a, [x, y], [u, v]),
            (true, false) => self.and_positive_negative(b, [u, v], [x, y]),
            (true, true) => {
                if (x == u && y == !v) || (x == v && y == !u) {
                    return Some(!x);
                }
                ((y == v && x == !u) || (y == u && x == !v)).then_some(!y)
            }
        }
    }

    fn and_positive_negative(
        &mut self,
        positive: Lit,
        [x, y]: [Lit; 2],
        [u, v]: [Lit; 2],
    ) -> Option<Lit> {
        if x == !u || x == !v || y == !u || y == !v {
            return Some(positive);
        }
        if x == u || y == u {
            return Some(self.and(positive, !v));
        }
        (x == v || y == v).then(|| self.and(positive, !u))
    }

    fn push(&mut self, gate: Gate) -> Lit {
        if self.gates.len().is_multiple_of(GATES_PER_LOOK)
            && self.stop.as_ref().is_some_and(|stop| stop())
        {
            self.is_stopped = true;
        }
        if self.is_stopped || self.gates.len() >= self.max_gates {
            self.overflowed = true;
            return Lit::FALSE;
        }
        let node = u32::try_from(self.gates.len()).expect("max_gates is below 2^31");
        self.gates.push(gate);
        Lit::positive(node)
    }

    fn hashed(&mut self, gate: Gate) -> Lit {
        let mask = self.table.len() - 1;
        let mut slot = hash(gate) & mask;
        loop {
            let node = self.table[slot];
            if node == 0 {
                break;
            }
            if self.gates[node as usize] == gate {
                return Lit::positive(node);
            }
            slot = (slot + 1) & mask;
        }
        let lit = self.push(gate);
        if lit != Lit::FALSE {
            self.table[slot] = lit.node();
            self.n_hashed += 1;
            if self.n_hashed * 2 > self.table.len() {
                self.rebuild_table(self.table.len() * 2);
            }
        }
        lit
    }

    fn rebuild_table(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, 0);
        self.n_hashed = 0;
        for (node, &gate) in self.gates.iter().enumerate() {
            if matches!(gate, Gate::Constant | Gate::Input { .. }) {
                continue;
            }
            let mut slot = hash(gate) & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = u32::try_from(node).expect("max_gates is below 2^31");
            self.n_hashed += 1;
        }
    }
}

fn hash(gate: Gate) -> usize {
    let (kind, a, b, c) = match gate {
        Gate::Constant | Gate::Input { .. } => unreachable!("only gates are looked up"),
        Gate::And(a, b) => (0, a, b, Lit::TRUE),
        Gate::Xor(a, b) => (1, a, b, Lit::TRUE),
        Gate::Ite(a, b, c) => (2, a, b, c),
        Gate::Parity(a, b, c) => (3, a, b, c),
        Gate::Majority(a, b, c) => (4, a, b, c),
    };
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write_u64(u64::from(a.code()) << 32 | u64::from(b.code()));
    hasher.write_u64(u64::from(c.code()) << 8 | kind);
    let hash = hasher.finish();
    // The low bits choose the slot; fold the better mixed high bits in.
    usize::try_from((hash ^ hash >> 32) & 0xffff_ffff).expect("32 bits fit")
}
