//! Lost memory against the truth: small random programs over three pointers, a global and fields, every input
//! followed by a reference that knows nothing of memory but who points where.

#![allow(clippy::disallowed_methods, reason = "variables widen what is tested")]

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::Properties;
use glassbox_explore::{Budget, Check, Question};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;
use glassbox_testkit::programs::lost_memory::{self, Statement};

struct Block {
    line: u32,
    is_freed: bool,
    next: Option<usize>,
}

/// What the reference knows.
#[derive(Default)]
struct World {
    blocks: Vec<Block>,
    variables: [Option<usize>; 3],
    kept: Option<usize>,
    given: BTreeSet<usize>,
}

enum Flow {
    On,
    Returned(Option<usize>),
    /// A run-time error: nothing is judged.
    Failed,
}

impl World {
    fn run(&mut self, statement: &Statement, x: u32) -> Flow {
        match *statement {
            Statement::Allocate(to, line) => {
                self.variables[to] = Some(self.blocks.len());
                self.blocks.push(Block { line, is_freed: false, next: None });
            }
            Statement::Copy(to, from) => self.variables[to] = self.variables[from],
            Statement::Forget(to) => self.variables[to] = None,
            Statement::Link(to, from) => {
                if let Some(block) = self.variables[to] {
                    if self.blocks[block].is_freed {
                        return Flow::Failed;
                    }
                    self.blocks[block].next = self.variables[from];
                }
            }
            Statement::Free(to) => {
                if let Some(block) = self.variables[to] {
                    if self.blocks[block].is_freed {
                        return Flow::Failed;
                    }
                    self.blocks[block].is_freed = true;
                }
            }
            Statement::Keep(from) => self.kept = self.variables[from],
            Statement::Give(from) => {
                let seen = self.reach(self.variables[from].into_iter().collect());
                self.given.extend(seen);
            }
            Statement::Branch(bit, ref yes, ref no) => {
                return self.run(if x >> bit & 1 == 1 { yes } else { no }, x);
            }
            Statement::Return(from) => return Flow::Returned(self.variables[from]),
        }
        Flow::On
    }

    fn lost(&self, result: Option<usize>) -> BTreeSet<u32> {
        let roots = [result, self.kept].into_iter().flatten();
        let reached = self.reach(roots.chain(self.given.iter().copied()).collect());
        let blocks = self.blocks.iter().enumerate();
        let lost = blocks.filter(|(id, block)| !block.is_freed && !reached.contains(id));
        lost.map(|(_, block)| block.line).collect()
    }

    fn reach(&self, mut queue: Vec<usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        while let Some(block) = queue.pop() {
            // Nothing reads what was freed.
            if !self.blocks[block].is_freed && reached.insert(block) {
                queue.extend(self.blocks[block].next);
            }
        }
        reached
    }
}

/// Lines whose block some input loses.
fn truth(statements: &[Statement]) -> BTreeSet<u32> {
    let mut lost = BTreeSet::new();
    for x in 0..8 {
        let mut world = World::default();
        let mut result = Some(None);
        for statement in statements {
            match world.run(statement, x) {
                Flow::On => continue,
                Flow::Returned(value) => result = Some(value),
                Flow::Failed => result = None,
            }
            break;
        }
        if let Some(result) = result {
            lost.extend(world.lost(result));
        }
    }
    lost
}

fn check(seed: u64) -> usize {
    let (text, statements) = lost_memory::program(seed);
    let program = compile_text(&text).program.unwrap_or_else(|| panic!("bad C:\n{text}"));
    let entry = program.function_named("f").expect("f is defined");
    let mut properties = Properties::of(&program, &[entry]);
    properties.add_leaks(&program, &[entry]);
    let (config, budget) = (Config::default(), Budget { paths: 400, ..Budget::default() });
    let question = Question {
        program: &program,
        entry,
        properties,
        config: &config,
        budget: &budget,
        max_turns: 8,
    };
    let stop = AtomicBool::new(false);
    let found = Check::new(question, Box::new(Libc::new()), &stop).search();
    let expected = truth(&statements);
    let mut n_lost = 0;
    for (property, verdict) in found.properties.list().iter().zip(&found.verdicts) {
        if !property.kind.is_about_the_end() {
            continue;
        }
        let is_lost = expected.contains(&property.span.line);
        let is_right = match verdict {
            Verdict::Violated { .. } => is_lost,
            Verdict::HoldsWithin { .. } | Verdict::InfeasibleWithin { .. } => !is_lost,
            Verdict::Holds(_) | Verdict::Infeasible(_) | Verdict::Covered { .. } => !is_lost,
            Verdict::Unknown(_) => false,
        };
        assert!(is_right, "seed {seed}: line {}: {verdict:?}\n{text}", property.span.line);
        n_lost += usize::from(is_lost);
    }
    n_lost
}

#[test]
fn lost_memory_is_what_nothing_points_to() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("GLASSBOX_FIRST_SEED", 0);
    let n_lost: usize = (first..first + number("GLASSBOX_SEEDS", 150)).map(check).sum();
    assert!(n_lost > 100, "only {n_lost}: the programs do not lose enough to be a test");
}
