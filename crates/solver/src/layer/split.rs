//! Layer 2: independent systems, those conjuncts that are connected by shared variables.
//!
//! Only systems that hold one of the given conjuncts are looked for: whatever is not connected to a
//! violated conjunct keeps its values. The walk costs as much as the systems are large.

use glassbox_terms::VarId;

use crate::layer::System;
use crate::stack::Stack;

/// The memory of the walk, kept to spare allocations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Splitter {
    conjunct_stamps: Vec<u32>,
    var_stamps: Vec<u32>,
    epoch: u32,
    visit: Vec<u32>,
}

impl Splitter {
    /// The systems around the seeds, which are positions of conjuncts, ascending.
    pub(crate) fn systems(&mut self, stack: &Stack, seeds: &[u32]) -> Vec<System> {
        self.restart(stack.conjuncts().len());
        let mut systems = Vec::new();
        for &seed in seeds {
            if self.mark_conjunct(seed) {
                systems.push(self.system(stack, seed));
            }
        }
        systems
    }

    fn system(&mut self, stack: &Stack, seed: u32) -> System {
        let mut system = System::default();
        self.visit.clear();
        self.visit.push(seed);
        while let Some(position) = self.visit.pop() {
            system.conjuncts.push(position);
            for &var in stack.conjunct_vars(position) {
                if self.mark_var(var) {
                    system.vars.push(var);
                    for &neighbor in stack.occurrences(var) {
                        if self.mark_conjunct(neighbor) {
                            self.visit.push(neighbor);
                        }
                    }
                }
            }
        }
        system.conjuncts.sort_unstable();
        system.vars.sort_unstable();
        system.fill_terms(stack);
        system
    }

    fn restart(&mut self, n_conjuncts: usize) {
        if self.epoch == u32::MAX {
            self.conjunct_stamps.fill(0);
            self.var_stamps.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        if self.conjunct_stamps.len() < n_conjuncts {
            self.conjunct_stamps.resize(n_conjuncts, 0);
        }
    }

    fn mark_conjunct(&mut self, position: u32) -> bool {
        let stamp = &mut self.conjunct_stamps[position as usize];
        std::mem::replace(stamp, self.epoch) != self.epoch
    }

    fn mark_var(&mut self, var: VarId) -> bool {
        if self.var_stamps.len() <= var.index() {
            self.var_stamps.resize(var.index() + 1, 0);
        }
        std::mem::replace(&mut self.var_stamps[var.index()], self.epoch) != self.epoch
    }
}

impl System {
    /// All conjuncts of the stack as one system.
    pub(crate) fn whole(stack: &Stack) -> System {
        let n_conjuncts = u32::try_from(stack.conjuncts().len()).expect("checked when added");
        let mut system = System { conjuncts: (0..n_conjuncts).collect(), ..System::default() };
        for &position in &system.conjuncts {
            system.vars.extend_from_slice(stack.conjunct_vars(position));
        }
        system.vars.sort_unstable();
        system.vars.dedup();
        system.fill_terms(stack);
        system
    }

    fn fill_terms(&mut self, stack: &Stack) {
        let conjuncts = stack.conjuncts();
        self.terms.extend(self.conjuncts.iter().map(|&position| conjuncts[position as usize].term));
    }
}
