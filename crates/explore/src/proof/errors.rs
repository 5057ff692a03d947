//! Errors that proofs about goals rest on: graphs go on only where checks pass.

use glassbox_coverage::scope::scope;
use glassbox_coverage::{Properties, Property, PropertyKind, Target};
use glassbox_ir::{BlockId, FuncId};
use glassbox_testcase::Assumption;

use super::{Effort, Proofs};
use crate::refuted::no_error;
use crate::verify::order::{After, Order};

/// A check that may end runs.
#[derive(Debug)]
pub(super) struct MayEnd {
    property: Property,
    after: After,
    error: Assumption,
}

impl Proofs<'_> {
    /// What has to be taken for granted about errors before a target of a function: they do not happen, or only
    /// beyond bounds.
    pub(crate) fn errors_before(&mut self, function: FuncId, target: &Target) -> Vec<Assumption> {
        if !self.program.language.errors_are_undefined() {
            return Vec::new();
        }
        let all = match self.errors.take() {
            Some(all) => all,
            None => self.may_end(),
        };
        let mut bounds = Vec::new();
        for MayEnd { property, after, error } in &all {
            if !comes_to(after, function, target) {
                continue;
            }
            match self.never_fails(Effort::Invariants, property) {
                Some(within) => bounds.extend(within),
                None => bounds.push(*error),
            }
        }
        self.errors = Some(all);
        Assumption::listed(bounds)
    }

    fn may_end(&self) -> Vec<MayEnd> {
        let order = Order::new(self.program);
        let properties = Properties::of(self.program, &scope(self.program, self.entry, &[]));
        let may_end = |property: &Property| {
            let line = property.span.line;
            let error = match property.kind {
                PropertyKind::Check(kind) => no_error(kind, line, false)?,
                PropertyKind::LibraryCall => Assumption::NoError { error: None, line },
            };
            Some(MayEnd { property: property.clone(), after: order.after(property), error })
        };
        properties.list().iter().filter_map(may_end).collect()
    }
}

/// Whether a target may be reached after an error.
fn comes_to(after: &After, function: FuncId, target: &Target) -> bool {
    let end_of = |block: BlockId| after.comes_to(function, block, usize::MAX);
    match target {
        Target::Site(site) | Target::CheckFails(site) => {
            after.comes_to(function, site.block, site.instr as usize)
        }
        Target::Edge { block, .. } => end_of(*block),
        Target::AnyEdge(edges) => edges.iter().any(|&(block, _)| end_of(block)),
        // Several places: one of them is enough.
        Target::Outcome { .. }
        | Target::Condition { .. }
        | Target::Independence { .. }
        | Target::DefUse { .. }
        | Target::Path(_) => true,
    }
}
