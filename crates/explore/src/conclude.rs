//! What can be said in the end about goals that no test reaches.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use glassbox_coverage::{Goal, Site, Target};
use glassbox_ir::cfg::Cfg;
use glassbox_ir::{BlockId, Body, Check, InstrKind, Operand, Span};
use glassbox_testcase::{ProofMethod, UnknownReason, Verdict};

use crate::campaign::{Campaign, LENGTH_BOUND};

/// What stands between a campaign and certainty.
#[derive(Debug, Default)]
pub(crate) struct Obstacles {
    pub(crate) unsupported: Option<(String, Span)>,
    pub(crate) is_cut: bool,
    pub(crate) bounds: BTreeSet<&'static str>,
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
            let spent = "a search that avoids failing checks".to_owned();
            return Verdict::Unknown(UnknownReason::Budget(spent));
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
            let story = "every run that reaches it goes on to a run-time error".to_owned();
            return Verdict::Unknown(UnknownReason::OnlyUndefined(story));
        }
        if is_complete && self.obstacles.bounds.is_empty() {
            return Verdict::Infeasible(ProofMethod::PathEnumeration);
        }
        if is_complete {
            let told = |bound: &&'static str| match *bound {
                LENGTH_BOUND => format!("{bound} (at most {} elements)", self.config.max_length),
                _ => (*bound).to_owned(),
            };
            let bounds = self.obstacles.bounds.iter().map(told).collect();
            return Verdict::InfeasibleWithin { bounds };
        }
        match &self.obstacles.unsupported {
            Some((what, span)) => {
                Verdict::Unknown(UnknownReason::Unsupported { what: what.clone(), span: *span })
            }
            None if self.stop.load(Ordering::Relaxed) => {
                let spent = format!("the time limit ({} paths)", self.n_paths);
                Verdict::Unknown(UnknownReason::Budget(spent))
            }
            None => Verdict::Unknown(UnknownReason::Budget(format!("{} paths", self.n_paths))),
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
