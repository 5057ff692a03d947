//! What can be said in the end about goals that no test reaches.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use glassbox_coverage::{Goal, Site, Target};
use glassbox_ir::cfg::Cfg;
use glassbox_ir::{BlockId, Body, Check, InstrKind, Operand, Span};
use glassbox_testcase::{Assumption, ProofMethod, Spent, UnknownReason, Verdict};

use crate::campaign::{Campaign, LENGTH_BOUND};

/// What stands between a campaign and certainty.
#[derive(Debug, Default)]
pub(crate) struct Obstacles {
    pub(crate) unsupported: Option<(String, Span)>,
    pub(crate) is_cut: bool,
    pub(crate) bounds: BTreeSet<Assumption>,
    /// Edges of paths that ended in a run-time error.
    pub(crate) failing_edges: BTreeSet<(BlockId, u32)>,
    pub(crate) n_failing: usize,
}

impl Campaign<'_> {
    /// What can be said about a goal that no test reaches.
    pub(crate) fn open_verdict(&self, goal: &Goal, is_complete: bool, cfg: &Cfg) -> Verdict {
        let body = self.program.body(self.function);
        // Paths avoid checks that can hold, so not having seen one fail proves nothing; a check that
        // always fails is a place like others.
        if let Target::CheckFails(site) = &goal.target
            && !is_never(body, *site)
        {
            return Verdict::Unknown(UnknownReason::Budget(Spent::AvoidingFailures));
        }
        let is_dead = match &goal.target {
            Target::Site(site) => !cfg.is_reachable(site.block),
            Target::Edge { block, .. } => !cfg.is_reachable(*block),
            _ => false,
        };
        if is_dead {
            return Verdict::Infeasible(ProofMethod::ControlFlow);
        }
        let is_touched = match &goal.target {
            Target::Edge { block, edge } => self.obstacles.failing_edges.contains(&(*block, *edge)),
            // Other targets are not followed on failing paths: be careful.
            Target::Site(site) => self.obstacles.failing_edges.iter().any(|&(block, edge)| {
                let targets = body.block(block).terminator.targets();
                targets.get(edge as usize).is_some_and(|target| target.block == site.block)
            }),
            Target::CheckFails(_) => false,
            _ => self.obstacles.n_failing > 0,
        };
        if is_complete && is_touched {
            return Verdict::Unknown(UnknownReason::OnlyUndefined);
        }
        if is_complete && self.obstacles.bounds.is_empty() {
            return Verdict::Infeasible(ProofMethod::PathEnumeration);
        }
        if is_complete {
            let at_most = Some(self.config.max_length);
            let with_length = |&bound: &Assumption| match bound {
                LENGTH_BOUND => Assumption::MemoryLength { at_most },
                other => other,
            };
            let bounds = Assumption::listed(self.obstacles.bounds.iter().map(with_length));
            return Verdict::InfeasibleWithin { bounds };
        }
        match &self.obstacles.unsupported {
            Some((what, span)) => {
                Verdict::Unknown(UnknownReason::Unsupported { what: what.clone(), span: *span })
            }
            None => {
                let n_paths = self.n_paths;
                let is_stopped = self.stop.load(Ordering::Relaxed);
                let spent =
                    if is_stopped { Spent::Time { n_paths } } else { Spent::Paths { n_paths } };
                Verdict::Unknown(UnknownReason::Budget(spent))
            }
        }
    }
}

/// Whether the check fails whenever control comes to it.
fn is_never(body: &Body, site: Site) -> bool {
    let instr = body.block(site.block).instrs.get(site.instr as usize);
    matches!(instr.map(|instr| &instr.kind),
        Some(InstrKind::Check(Check::Condition { condition: Operand::Int(bits), .. }))
            if !bits.is_true())
}
