//! Runs that climb toward an edge: inputs are changed one number at a time, and a change is kept when the run
//! comes nearer.
//!
//! The alternating variable method (Korel, IEEE TSE 16(8), 1990) over exact machine numbers. It does not fix a
//! path, and it needs no constraints: long chains of float operations and loops of many turns, which cost
//! a solver dearly, cost it nothing. What it finds are runs, judged like all others; what it does not find
//! means nothing.
//!
//! Nearness is the distance in the control-flow graph from where the run turned away, then the distance of
//! the branch there. Steps are powers of two, largest first, in the order of the numbers themselves (of
//! floats: by units in the last place), so that one sweep finds the best value where nearness has
//! one valley. Runs leap over turns of counting loops, which is exact: a count that needs many turns is as near as
//! one that needs few.

use std::collections::BTreeSet;

use glassbox_interp::Outcome;
use glassbox_interp::nearness::Nearest;
use glassbox_ir::instr::FloatBinaryOp;
use glassbox_ir::{BlockId, Body, InstrKind, Program, PureOp, SourceType};
use glassbox_testcase::{InputValue, TestInput};
use glassbox_values::{Bits, Float};

use super::Cover;
use crate::distance::{UNREACHABLE, backward, to_open_goals};
use crate::leaves;
use crate::search::PathSearch;
use crate::seeds;

/// What a climb may spend, in IR instructions of its runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Climb {
    /// In all.
    steps: u64,
    /// For one edge.
    of_edge: u64,
}

/// Before paths and proofs are tried.
pub(super) const QUICK: Climb = Climb { steps: 16_000_000, of_edge: 1_000_000 };

/// Between paths, at first.
pub(super) const FIRST: Climb = Climb { steps: 8_000_000, of_edge: 4_000_000 };

impl Climb {
    /// Twice as much, so many times.
    pub(super) fn grown(self, times: u32) -> Climb {
        Climb { steps: self.steps << times, of_edge: self.of_edge << times }
    }
}

/// What setting up one run costs, in instructions.
const RUN_COST: u64 = 500;

/// IR instructions of one run: runs that loop long would use up all steps and lead nowhere.
const MAX_STEPS_OF_RUN: u64 = 20_000;

/// How many times as long as others a run may be that was found with leaps and is then made turn by turn.
const LONGER: u64 = 8;

/// Starting points for one edge: the nearest, then any, for the nearest may all lie in one wrong valley.
const MAX_NEAREST_STARTS: usize = 3;
const MAX_STARTS: usize = 16;

/// Values that a sweep tries for each integer.
const SMALL_VALUES: u128 = 17;

/// Numbers of an input that are changed.
const MAX_LEAVES: usize = 24;

type Edge = (BlockId, u32);

/// How far a run stayed from an edge: graph first, then the branch. Less is nearer.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Score {
    level: u32,
    distance: f64,
}

const REACHED: Score = Score { level: 0, distance: 0.0 };

impl Cover<'_> {
    /// Whether the function multiplies or divides floats: then a climb comes before paths.
    pub(super) fn computes_with_floats(&self, search: &PathSearch<'_>) -> bool {
        let blocks = &search.program.body(search.function).blocks;
        blocks.iter().flat_map(|block| &block.instrs).any(|instr| {
            let is_hard = |op| matches!(op, FloatBinaryOp::Mul | FloatBinaryOp::Div);
            matches!(instr.kind, InstrKind::Pure(PureOp::FloatBinary { op, .. }) if is_hard(op))
        })
    }

    /// Tries to take every edge that no run took and that an open goal lies behind.
    pub(super) fn climb(&mut self, search: &mut PathSearch<'_>, budget: Climb) {
        if self.tracker.n_open() == 0 || !search.runner.is_ready() {
            return;
        }
        let mut n_steps = 0;
        let (seed, n_seeds) = (search.budget.seed, search.budget.seeds);
        let seeds = seeds::inputs(search.program, search.aim(), seed, n_seeds);
        let known = self.tests.iter().map(|test| test.input.clone()).chain(seeds);
        let mut pool: Vec<(TestInput, Nearest)> = Vec::new();
        for input in known.collect::<Vec<_>>() {
            if let Some(nearest) = nearest_of(search, &input, &mut n_steps) {
                pool.push((input, nearest));
            }
        }
        for edge in self.open_edges(search) {
            if n_steps > budget.steps || search.is_stopped() {
                return;
            }
            // Earlier climbs may have taken it on their way.
            if self.open_edges(search).contains(&edge) {
                let last_step = budget.steps.min(n_steps + budget.of_edge);
                self.climb_to(search, edge, &mut pool, &mut n_steps, last_step);
            }
        }
    }

    /// Edges that no kept run took and that an open goal lies behind, in the order of the blocks.
    fn open_edges(&self, search: &PathSearch<'_>) -> BTreeSet<Edge> {
        let body = search.program.body(search.function);
        let taken: BTreeSet<Edge> =
            self.tests.iter().flat_map(|test| test.facts.edges.iter().copied()).collect();
        let distances = to_open_goals(body, self.open_goals());
        let edges = body.block_ids().flat_map(|block| {
            let targets = body.block(block).terminator.targets();
            (0u32..).zip(targets).map(move |(edge, target)| ((block, edge), target.block))
        });
        edges
            .filter(|(_, target)| distances[target.index()] != UNREACHABLE)
            .map(|(edge, _)| edge)
            .filter(|edge| !taken.contains(edge))
            .collect()
    }

    fn climb_to(
        &mut self,
        search: &mut PathSearch<'_>,
        edge: Edge,
        pool: &mut Vec<(TestInput, Nearest)>,
        n_steps: &mut u64,
        last_step: u64,
    ) {
        let goal = Goalward::new(search.program.body(search.function), edge);
        let mut starts: Vec<(Score, usize)> = pool
            .iter()
            .enumerate()
            .filter_map(|(index, (_, nearest))| Some((goal.score(nearest)?, index)))
            .collect();
        starts.sort_by(|a, b| {
            a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1))
        });
        // Equally near ones lead to the same valley.
        starts.dedup_by_key(|start| start.0);
        if let Some(others) = starts.get_mut(MAX_NEAREST_STARTS..) {
            others.sort_by_key(|start| start.1);
        }
        for (score, index) in starts.into_iter().take(MAX_STARTS) {
            let start = Candidate { input: pool[index].0.clone(), score };
            let Some(found) = descend(search, &goal, start, n_steps, last_step) else {
                continue;
            };
            if let Some(nearest) = nearest_of(search, &found, n_steps) {
                pool.push((found.clone(), nearest));
            }
            let n_tests = self.tests.len();
            self.try_long(search, found);
            if self.tests.len() > n_tests {
                self.polish_seed(search);
            }
            return;
        }
    }
}

impl Cover<'_> {
    /// Runs an input turn by turn whose last run leapt, for as many steps as that takes within reason.
    fn try_long(&mut self, search: &mut PathSearch<'_>, input: TestInput) {
        let run_steps = search.budget.run_steps;
        let n_steps = search
            .runner
            .machine()
            .map_or(0, |machine| machine.steps().saturating_add(machine.leapt_steps()));
        if n_steps <= LONGER.saturating_mul(run_steps) {
            search.runner.set_max_steps(run_steps.max(n_steps));
            self.try_input(search, input, Vec::new());
            search.runner.set_max_steps(run_steps);
        }
    }
}

/// Runs an input without keeping it; how near it came to all edges, if it ended well.
fn nearest_of(
    search: &mut PathSearch<'_>,
    input: &TestInput,
    n_steps: &mut u64,
) -> Option<Nearest> {
    let run_steps = search.budget.run_steps;
    search.runner.set_max_steps(MAX_STEPS_OF_RUN.min(run_steps));
    search.runner.set_leaps(true);
    let outcome = search.runner.ending(search.entry, input);
    search.runner.set_leaps(false);
    search.runner.set_max_steps(run_steps);
    let outcome = outcome?;
    let machine = search.runner.machine()?;
    *n_steps += machine.steps() + RUN_COST;
    let ends_well = matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_));
    ends_well.then(|| machine.coverage().nearest.clone())
}

/// How near a run of the input comes to the edge.
fn score_of(
    search: &mut PathSearch<'_>,
    goal: &Goalward,
    input: &TestInput,
    n_steps: &mut u64,
) -> Option<Score> {
    let nearest = nearest_of(search, input, n_steps)?;
    goal.score(&nearest)
}

/// An input, and how near its run came to the edge.
struct Candidate {
    input: TestInput,
    score: Score,
}

/// An input that takes the edge, found downhill from `at`.
fn descend(
    search: &mut PathSearch<'_>,
    goal: &Goalward,
    mut at: Candidate,
    n_steps: &mut u64,
    last_step: u64,
) -> Option<TestInput> {
    let leaves = numbers(search.program, &at.input);
    while at.score != REACHED {
        let before = at.score;
        for &leaf in leaves.iter().take(MAX_LEAVES) {
            let width = key_width(leaves::get(&at.input, leaf)?)?;
            for power in (0..width).rev() {
                for direction in [Direction::Up, Direction::Down] {
                    // As long as the same step helps.
                    loop {
                        if *n_steps > last_step || search.is_stopped() {
                            return None;
                        }
                        let mut input = at.input.clone();
                        if !step(search.program, &mut input, leaf, power, direction) {
                            break;
                        }
                        match score_of(search, goal, &input, n_steps) {
                            Some(score) if score < at.score => at = Candidate { input, score },
                            Some(_) | None => break,
                        }
                        if at.score == REACHED {
                            return Some(at.input);
                        }
                    }
                }
            }
        }
        if at.score == before {
            at = sweep(search, goal, &leaves, at, n_steps, last_step)?;
        }
    }
    Some(at.input)
}

/// Where no step helps: the best of the small values of each integer, if one is nearer. Counts and
/// strides are small, and what depends on them goes up and down.
fn sweep(
    search: &mut PathSearch<'_>,
    goal: &Goalward,
    leaves: &[usize],
    start: Candidate,
    n_steps: &mut u64,
    last_step: u64,
) -> Option<Candidate> {
    let mut best: Option<Candidate> = None;
    for &leaf in leaves.iter().take(MAX_LEAVES) {
        for small in 0..SMALL_VALUES {
            if *n_steps > last_step || search.is_stopped() {
                return None;
            }
            let mut input = start.input.clone();
            if !set_integer(search.program, &mut input, leaf, small) {
                break;
            }
            let limit = best.as_ref().map_or(start.score, |best| best.score);
            if let Some(score) = score_of(search, goal, &input, n_steps)
                && score < limit
            {
                best = Some(Candidate { input, score });
                if score == REACHED {
                    return best;
                }
            }
        }
    }
    best
}

/// An edge, and how far every block is from it.
struct Goalward {
    edge: Edge,
    // By block: edges on the shortest way to the edge's block.
    levels: Vec<u32>,
    // By block: the blocks its edges lead to.
    targets: Vec<Vec<BlockId>>,
}

impl Goalward {
    fn new(body: &Body, edge: Edge) -> Goalward {
        let targets: Vec<Vec<BlockId>> = body
            .blocks
            .iter()
            .map(|block| block.terminator.targets().iter().map(|target| target.block).collect())
            .collect();
        let levels = backward(body, [edge.0]);
        Goalward { edge, levels, targets }
    }

    /// The nearest that a run came; `None` if no branch of it leads there.
    fn score(&self, nearest: &Nearest) -> Option<Score> {
        let scores = nearest.iter().filter_map(|(&(block, edge), &distance)| {
            if (block, edge) == self.edge {
                return Some(Score { level: 0, distance });
            }
            let target = self.targets[block.index()].get(edge as usize)?;
            let level = self.levels[target.index()];
            (level != UNREACHABLE).then(|| Score { level: level + 1, distance })
        });
        scores.min_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
    }
}

/// Positions of numbers that may take any value.
fn numbers(program: &Program, input: &TestInput) -> Vec<usize> {
    let mut found = Vec::new();
    let mut position = 0;
    leaves::visit(program, &mut input.clone(), &mut |ty, _| {
        if matches!(program.source_type(ty), SourceType::Int { .. } | SourceType::Float { .. }) {
            found.push(position);
        }
        position += 1;
    });
    let fixed = leaves::fixed(program, input);
    found.retain(|position| !fixed.contains(position));
    found
}

#[derive(Debug, Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// Bits of a number's place in the order of its type.
fn key_width(value: &InputValue) -> Option<u8> {
    match value {
        InputValue::Int(bits) => Some(bits.width()),
        InputValue::Float(float) => Some(float.format().width()),
        InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => None,
    }
}

/// Moves a number by a power of two in its order; false where the order ends.
fn step(
    program: &Program,
    input: &mut TestInput,
    leaf: usize,
    power: u8,
    direction: Direction,
) -> bool {
    let mut is_moved = false;
    leaves::change(program, input, leaf, |_, value| is_moved = moved(value, power, direction));
    is_moved
}

/// Gives an integer a value; false where it is none.
fn set_integer(program: &Program, input: &mut TestInput, leaf: usize, new: u128) -> bool {
    let mut is_set = false;
    leaves::change(program, input, leaf, |_, value| {
        if let InputValue::Int(bits) = value {
            *bits = Bits::new(new, bits.width());
            is_set = true;
        }
    });
    is_set
}

fn moved(value: &mut InputValue, power: u8, direction: Direction) -> bool {
    match value {
        InputValue::Int(bits) => {
            // Around the end of the type, as machine numbers go.
            let delta = Bits::new(1u128 << power, bits.width());
            *bits = match direction {
                Direction::Up => bits.add(delta),
                Direction::Down => bits.sub(delta),
            };
            true
        }
        InputValue::Float(float) => {
            let moved = moved_float(*float, power, direction);
            *float = moved.unwrap_or(*float);
            moved.is_some()
        }
        InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => false,
    }
}

/// The float so many units in the last place away; zeros count as one, and infinities are the ends.
fn moved_float(float: Float, power: u8, direction: Direction) -> Option<Float> {
    let index = float.order_index()?;
    let place = i128::from(if index < 0 { index + 1 } else { index });
    let delta = 1i128 << power;
    let place = match direction {
        Direction::Up => place + delta,
        Direction::Down => place - delta,
    };
    let index = i64::try_from(if place < 0 { place - 1 } else { place }).ok()?;
    Float::from_order_index(index, float.format())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glassbox_values::Format;

    /// Steps of one unit visit neighbors, across zero too.
    #[test]
    fn float_steps_follow_the_order_of_floats() {
        let mut at = Float::from_f64(-f64::from_bits(3));
        let mut seen = vec![at.to_f64()];
        for _ in 0..6 {
            at = moved_float(at, 0, Direction::Up).expect("no end near zero");
            seen.push(at.to_f64());
        }
        let tiny = |units: u64| f64::from_bits(units);
        assert_eq!(seen, [-tiny(3), -tiny(2), -tiny(1), 0.0, tiny(1), tiny(2), tiny(3)]);
        let infinity = Float::from_f64(f64::INFINITY);
        assert!(moved_float(infinity, 0, Direction::Up).is_none());
        assert_eq!(moved_float(infinity, 0, Direction::Down).map(Float::to_f64), Some(f64::MAX));
        let single = Float::from_bits(1.5f32.to_bits().into(), Format::F32);
        let up = moved_float(single, 3, Direction::Up).expect("far from the end");
        assert_eq!(up.to_bits(), u64::from(1.5f32.to_bits() + 8));
    }
}
