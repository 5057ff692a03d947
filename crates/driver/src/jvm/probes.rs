//! Which ways the JVM took: probes for the goals of methods, and goals against what probes reported.

use std::collections::BTreeSet;

use glassbox_coverage::{Facts, Goal, Target};
use glassbox_ir::{BlockId, Body, DecisionKind, FuncId, Program, Span, Terminator};
use glassbox_jvm_front::JavaProgram;
use glassbox_jvm_front::probe::{ProbeKind, Wanted, instrument, is_taken};
use glassbox_replay::java::{JvmTrace, ProbedClass};

use super::tests::class_of;
use crate::function_report::{FunctionReport, Seen};

/// As many steps as the replay keeps in order.
const MAX_STEPS: usize = 5000;

/// Classes with probes, and what the probes mean.
#[derive(Debug, Default)]
pub(super) struct Probes {
    pub(super) classes: Vec<ProbedClass>,
    // By number: method, offset of the instruction, what is reported.
    sites: Vec<(FuncId, u32, ProbeKind)>,
    watched: BTreeSet<FuncId>,
}

/// The offset that the column of a place stands for.
fn pc(span: Span) -> Option<u32> {
    if span.is_nowhere() { None } else { span.column.checked_sub(1) }
}

/// What a block ends with, for probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Branch(u32),
    Switch(u32),
    /// An instruction that may throw.
    Throws(u32),
}

fn end_of(body: &Body, block: BlockId) -> Option<End> {
    let block = body.block(block);
    let place = pc(block.terminator_span)?;
    match &block.terminator {
        Terminator::Branch { origin: Some(origin), .. } => {
            let throws = body.decisions[origin.decision.index()].kind == DecisionKind::Throws;
            Some(if throws { End::Throws(place) } else { End::Branch(place) })
        }
        Terminator::Switch { .. } => Some(End::Switch(place)),
        Terminator::Branch { origin: None, .. }
        | Terminator::Jump(_)
        | Terminator::Return(_)
        | Terminator::Unreachable => None,
    }
}

impl Probes {
    /// Probes for all methods of the user's classes.
    pub(super) fn new(java: &JavaProgram, reports: &[FunctionReport]) -> Probes {
        let program = &java.program;
        let mut probes = Probes::default();
        for (name, bytes) in &java.files {
            let dotted = name.replace('/', ".");
            let own: Vec<&FunctionReport> = reports
                .iter()
                .filter(|report| class_of(program, report.function()) == dotted)
                .collect();
            let wanted: Vec<Wanted> = own.iter().map(|report| wanted(program, report)).collect();
            let Ok(probed) = instrument(bytes, &wanted, probes.sites.len()) else { continue };
            let function = |position: usize| own[position].function();
            let sites = probed.sites.iter();
            probes.sites.extend(sites.map(|site| (function(site.method), site.pc, site.kind)));
            let is_done = |position: &usize| !probed.refused.contains(position);
            probes.watched.extend((0..own.len()).filter(is_done).map(function));
            probes.classes.push((format!("{name}.class"), probed.bytes));
        }
        probes
    }

    pub(super) fn is_watched(&self, function: FuncId) -> bool {
        self.watched.contains(&function)
    }

    /// How often something was reported about an instruction.
    fn count(&self, trace: &JvmTrace, function: FuncId, place: u32, kind: ProbeKind) -> u64 {
        let counts = trace.counts.iter();
        let is_it = |site: usize| self.sites.get(site) == Some(&(function, place, kind));
        counts.filter(|(site, _)| is_it(**site)).map(|(_, count)| count).sum()
    }

    /// The edges that the JVM took, in order: offset and edge of the block that ends there.
    fn steps(
        &self,
        body: &Body,
        function: FuncId,
        reported: &[(usize, i32)],
    ) -> Vec<(BlockId, u32)> {
        let ends: Vec<(BlockId, End)> =
            body.block_ids().filter_map(|block| Some((block, end_of(body, block)?))).collect();
        let block_at = |end: End| ends.iter().find(|(_, known)| *known == end).map(|(b, _)| *b);
        let step = |&(site, value): &(usize, i32)| {
            let &(of, place, kind) = self.sites.get(site)?;
            if of != function {
                return None;
            }
            match kind {
                ProbeKind::Branch(opcode) => {
                    let block = block_at(End::Branch(place))?;
                    Some((block, u32::from(!is_taken(opcode, value))))
                }
                ProbeKind::Switch => {
                    let block = block_at(End::Switch(place))?;
                    let Terminator::Switch { cases, .. } = &body.block(block).terminator else {
                        return None;
                    };
                    let value = i128::from(value);
                    let is_in = |case: &glassbox_ir::SwitchCase| {
                        (case.low.signed()..=case.high.signed()).contains(&value)
                    };
                    let edge = cases.iter().position(is_in).unwrap_or(cases.len());
                    Some((block, u32::try_from(edge).ok()?))
                }
                ProbeKind::Hit | ProbeKind::End => None,
            }
        };
        reported.iter().filter_map(step).collect()
    }

    /// Compares the branches of a run; a message where they differ.
    pub(super) fn compare(
        &self,
        program: &Program,
        function: FuncId,
        facts: &Facts,
        trace: &JvmTrace,
    ) -> Result<(), String> {
        // Where the method calls itself, steps of activations are mixed: goals are compared one by one.
        let [activation] = facts.activations.as_slice() else { return Ok(()) };
        let body = program.body(function);
        let is_reported = |step: &&(BlockId, u32)| {
            matches!(end_of(body, step.0), Some(End::Branch(_) | End::Switch(_)))
        };
        let expected: Vec<(BlockId, u32)> =
            activation.iter().filter(is_reported).take(MAX_STEPS).copied().collect();
        let mut seen = self.steps(body, function, &trace.steps);
        let at_start = self.steps(body, function, &trace.at_start);
        // The run of the interpreter starts all classes anew; the JVM does it once, and before anything else of a class.
        let is_at_start = |step: &(BlockId, u32)| at_start.contains(step);
        let n_before = seen.len().saturating_sub(expected.len());
        if (seen.is_empty() && expected.iter().all(is_at_start))
            || (seen.ends_with(&expected) && seen[..n_before].iter().all(is_at_start))
        {
            return Ok(());
        }
        if trace.steps.len() >= MAX_STEPS {
            // Steps of other methods count too: what is left is a prefix.
            seen.truncate(expected.len());
        }
        let longest = expected.len().max(seen.len());
        let at = (0..longest).find(|&at| expected.get(at) != seen.get(at));
        match at {
            Some(at) if at < seen.len() || trace.steps.len() < MAX_STEPS => {
                let line = |step: Option<&(BlockId, u32)>| match step {
                    None => "the end".to_owned(),
                    Some(&(block, edge)) => {
                        let line = body.block(block).terminator_span.line;
                        format!("line {line}, way {edge}")
                    }
                };
                let (expected, seen) = (line(expected.get(at)), line(seen.get(at)));
                Err(format!("step {at}: {expected} was expected, the JVM went to {seen}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the JVM reached a goal in one run.
    pub(super) fn see(&self, program: &Program, goal: &Goal, trace: &JvmTrace) -> Seen {
        let function = goal.function;
        let body = program.body(function);
        let edge_is_taken = |block: BlockId, edge: u32| match end_of(body, block) {
            Some(End::Branch(_) | End::Switch(_)) => {
                let is_cut = trace.steps.len() >= MAX_STEPS;
                let reported = [trace.steps.as_slice(), &trace.at_start].concat();
                match self.steps(body, function, &reported).contains(&(block, edge)) {
                    true => Seen::Reached,
                    false if is_cut => Seen::Unseen,
                    false => Seen::NotReached,
                }
            }
            Some(End::Throws(place)) => {
                let begun = self.count(trace, function, place, ProbeKind::Hit);
                let ended = self.count(trace, function, place, ProbeKind::End);
                let is_thrown = matches!(&body.block(block).terminator,
                    Terminator::Branch { origin: Some(origin), .. }
                        if (edge == 0) == origin.is_positive);
                let is_it = if is_thrown { begun > ended } else { ended > 0 };
                if is_it { Seen::Reached } else { Seen::NotReached }
            }
            None => Seen::Unseen,
        };
        match &goal.target {
            Target::Site(site) => {
                let instr = &body.block(site.block).instrs[site.instr as usize];
                let Some(place) = pc(instr.span) else { return Seen::Unseen };
                let is_it =
                    |site: usize| self.sites.get(site) == Some(&(function, place, ProbeKind::Hit));
                let is_at_start = trace.at_start.iter().any(|&(site, _)| is_it(site));
                if is_at_start || self.count(trace, function, place, ProbeKind::Hit) > 0 {
                    Seen::Reached
                } else {
                    Seen::NotReached
                }
            }
            Target::Edge { block, edge } => edge_is_taken(*block, *edge),
            Target::AnyEdge(edges) => {
                let all: Vec<Seen> =
                    edges.iter().map(|&(block, edge)| edge_is_taken(block, edge)).collect();
                if all.contains(&Seen::Reached) {
                    Seen::Reached
                } else if all.contains(&Seen::Unseen) {
                    Seen::Unseen
                } else {
                    Seen::NotReached
                }
            }
            // What the order of all steps says.
            Target::Outcome { .. }
            | Target::Condition { .. }
            | Target::Independence { .. }
            | Target::DefUse { .. }
            | Target::Path(_)
            | Target::CheckFails(_)
            | Target::Killed { .. } => Seen::Unseen,
        }
    }
}

/// Where a method needs probes besides its branches.
fn wanted(program: &Program, report: &FunctionReport) -> Wanted {
    let function = report.function();
    let body = program.body(function);
    let declared = program.function(function).method.map(|id| &program.methods[id.index()]);
    let (name, descriptor) = declared
        .map_or(Default::default(), |method| (method.name.clone(), method.descriptor.clone()));
    let mut wanted = Wanted { name, descriptor, hits: BTreeSet::new(), ends: BTreeSet::new() };
    for goal in &report.goals {
        match &goal.target {
            Target::Site(site) => {
                let span = body.block(site.block).instrs[site.instr as usize].span;
                wanted.hits.extend(pc(span));
            }
            Target::Edge { block, .. } => {
                if let Some(End::Throws(place)) = end_of(body, *block) {
                    wanted.hits.insert(place);
                    wanted.ends.insert(place);
                }
            }
            Target::AnyEdge(_)
            | Target::Outcome { .. }
            | Target::Condition { .. }
            | Target::Independence { .. }
            | Target::DefUse { .. }
            | Target::Path(_)
            | Target::CheckFails(_)
            | Target::Killed { .. } => {}
        }
    }
    wanted
}
