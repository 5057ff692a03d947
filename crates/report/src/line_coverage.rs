//! Lines and branches of a source file as coverage tools count them, from the tests of a suite.

use std::collections::BTreeMap;

use crate::data::goal::EdgeOf;
use crate::data::words::Words;
use crate::data::{BlockKind, Function, Goal, GoalKind, SuiteData};

/// One source file.
#[derive(Debug)]
pub(crate) struct FileCoverage<'a> {
    pub(crate) path: &'a str,
    pub(crate) functions: Vec<&'a Function>,
    /// By function: how many tests enter it.
    pub(crate) calls: Vec<usize>,
    /// By line: how many tests execute it.
    pub(crate) lines: BTreeMap<u32, usize>,
    pub(crate) branches: Vec<Branch>,
}

/// One way out of a branching block.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) line: u32,
    /// The group that it is one of; distinct within the file.
    pub(crate) group: usize,
    pub(crate) index: usize,
    /// How many tests take it.
    pub(crate) hits: usize,
    /// Whether any test comes to the branching block.
    pub(crate) is_evaluated: bool,
    /// Proved, without bounds, that nothing takes it.
    pub(crate) is_infeasible: bool,
}

/// What one test did in one function.
#[derive(Debug, Clone, Copy)]
struct Visit<'a> {
    blocks: &'a [usize],
    edges: &'a [EdgeOf],
}

/// What all tests of the suite did in function number `position`, its own and those of its callers: as a
/// compiler's counters would see it.
fn visits(data: &SuiteData, position: usize) -> Vec<Visit<'_>> {
    let mut list = Vec::new();
    for (number, function) in data.functions.iter().enumerate() {
        for test in &function.tests {
            if number == position {
                list.push(Visit { blocks: test.blocks(), edges: test.edges() });
            }
            let here = test.elsewhere.iter().filter(|place| place.function == position);
            list.extend(here.map(|place| Visit { blocks: &place.blocks, edges: &place.edges }));
        }
    }
    list
}

/// All files of a suite, in order.
pub(crate) fn files(data: &SuiteData) -> Vec<FileCoverage<'_>> {
    data.files().into_iter().map(|path| file(data, path)).collect()
}

fn file<'a>(data: &'a SuiteData, path: &'a str) -> FileCoverage<'a> {
    let mut coverage = FileCoverage {
        path,
        functions: Vec::new(),
        calls: Vec::new(),
        lines: BTreeMap::new(),
        branches: Vec::new(),
    };
    let mut n_blocks = 0;
    for (position, function) in data.functions.iter().enumerate() {
        if function.file.as_deref() != Some(path) {
            continue;
        }
        let visits = visits(data, position);
        add_lines(function, &visits, &mut coverage.lines);
        add_branches(function, &visits, n_blocks, &mut coverage.branches);
        n_blocks += function.graph.blocks.len();
        coverage.functions.push(function);
        coverage.calls.push(visits.len());
    }
    coverage.branches.sort_by_key(|branch| (branch.line, branch.group, branch.index));
    coverage
}

fn add_lines(function: &Function, visits: &[Visit<'_>], lines: &mut BTreeMap<u32, usize>) {
    let mut own: BTreeMap<u32, usize> = BTreeMap::new();
    for block in &function.graph.blocks {
        for line in &block.lines {
            own.entry(*line).or_default();
        }
    }
    for visit in visits {
        let blocks = visit.blocks.iter().filter_map(|&block| function.graph.blocks.get(block));
        let mut executed: Vec<u32> = blocks.flat_map(|block| block.lines.iter().copied()).collect();
        // The line that a function begins on counts as executed when it is called, as gcov has it.
        executed.push(function.line);
        executed.sort_unstable();
        executed.dedup();
        for line in executed {
            *own.entry(line).or_default() += 1;
        }
    }
    own.entry(function.line).or_default();
    for (line, hits) in own.into_iter().filter(|(line, _)| *line > 0) {
        *lines.entry(line).or_default() += hits;
    }
}

fn add_branches(
    function: &Function,
    visits: &[Visit<'_>],
    first_group: usize,
    branches: &mut Vec<Branch>,
) {
    let is_closed_branch =
        |goal: &&Goal| goal.is_infeasible() && goal.kind == Words::Known(GoalKind::Branch);
    let closed = function.goals.iter().filter(is_closed_branch);
    let infeasible: Vec<EdgeOf> = closed
        .filter_map(|goal| match goal.at.edges() {
            [edge] => Some(*edge),
            _ => None,
        })
        .collect();
    for (number, block) in function.graph.blocks.iter().enumerate() {
        // Branches that no source condition makes are the compiler's own.
        let is_written = match block.kind {
            BlockKind::Switch => true,
            BlockKind::Branch => block.text.is_some(),
            BlockKind::Jump | BlockKind::Throws | BlockKind::Return | BlockKind::End => false,
        };
        let Some(&line) = block.lines.last().filter(|_| is_written) else { continue };
        for index in 0..block.edges.len() {
            let edge = (number, u32::try_from(index).unwrap_or(u32::MAX));
            branches.push(Branch {
                line,
                group: first_group + number,
                index,
                hits: visits.iter().filter(|visit| visit.edges.contains(&edge)).count(),
                is_evaluated: visits.iter().any(|visit| visit.blocks.contains(&number)),
                is_infeasible: infeasible.contains(&edge),
            });
        }
    }
}
