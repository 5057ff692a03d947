//! Lines and branches of a source file as coverage tools count them, from the tests of a suite.

use std::collections::BTreeMap;

use crate::data::{Function, SuiteData};

/// One source file.
#[derive(Debug)]
pub(crate) struct FileCoverage<'a> {
    pub(crate) path: &'a str,
    pub(crate) functions: Vec<&'a Function>,
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

/// All files of a suite, in order.
pub(crate) fn files(data: &SuiteData) -> Vec<FileCoverage<'_>> {
    data.files().into_iter().map(|path| file(data, path)).collect()
}

fn file<'a>(data: &'a SuiteData, path: &'a str) -> FileCoverage<'a> {
    let here = |function: &&Function| function.file.as_deref() == Some(path);
    let functions: Vec<&Function> = data.functions.iter().filter(here).collect();
    let mut coverage =
        FileCoverage { path, functions: Vec::new(), lines: BTreeMap::new(), branches: Vec::new() };
    let mut n_blocks = 0;
    for function in &functions {
        add_lines(function, &mut coverage.lines);
        add_branches(function, n_blocks, &mut coverage.branches);
        n_blocks += function.graph.blocks.len();
    }
    coverage.functions = functions;
    coverage.branches.sort_by_key(|branch| (branch.line, branch.group, branch.index));
    coverage
}

fn add_lines(function: &Function, lines: &mut BTreeMap<u32, usize>) {
    let mut own: BTreeMap<u32, usize> = BTreeMap::new();
    for block in &function.graph.blocks {
        for line in &block.lines {
            let _ = own.entry(*line).or_default();
        }
    }
    for test in &function.tests {
        let blocks = test.blocks.iter().filter_map(|&block| function.graph.blocks.get(block));
        let mut executed: Vec<u32> = blocks.flat_map(|block| block.lines.iter().copied()).collect();
        executed.sort_unstable();
        executed.dedup();
        for line in executed {
            *own.entry(line).or_default() += 1;
        }
    }
    for (line, hits) in own {
        *lines.entry(line).or_default() += hits;
    }
}

fn add_branches(function: &Function, first_group: usize, branches: &mut Vec<Branch>) {
    let infeasible: Vec<(usize, u32)> = function
        .goals
        .iter()
        .filter(|goal| goal.is_infeasible() && goal.at.edges.len() == 1 && goal.kind == "branch")
        .map(|goal| goal.at.edges[0])
        .collect();
    for (number, block) in function.graph.blocks.iter().enumerate() {
        // Branches that no source condition makes are the compiler's own.
        let is_written = block.kind == "switch" || (block.kind == "branch" && block.text.is_some());
        let Some(&line) = block.lines.last().filter(|_| is_written) else { continue };
        for index in 0..block.edges.len() {
            let edge = (number, u32::try_from(index).unwrap_or(u32::MAX));
            branches.push(Branch {
                line,
                group: first_group + number,
                index,
                hits: function.hits(edge),
                is_evaluated: function.block_hits(number) > 0,
                is_infeasible: infeasible.contains(&edge),
            });
        }
    }
}
