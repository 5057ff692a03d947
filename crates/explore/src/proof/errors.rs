//! Errors that proofs about goals rest on: graphs go on only where checks pass.

use glassbox_coverage::filling::may_overfill;
use glassbox_coverage::scope::scope;
use glassbox_coverage::{Properties, Property, PropertyKind, Site, Target};
use glassbox_ir::{BlockId, FuncId, Instr, InstrKind, Program};
use glassbox_testcase::Assumption;

use super::{Effort, Proofs};
use crate::refuted::no_error;
use crate::verify::order::{After, Order};

/// A check that may end runs.
#[derive(Debug)]
pub(super) struct MayEnd {
    pub(super) property: Property,
    pub(super) after: After,
    pub(super) error: Assumption,
}

impl Proofs<'_> {
    /// What has to be taken for granted about errors before a target of a function: they do not happen, or only
    /// beyond bounds.
    pub(crate) fn errors_before(&mut self, function: FuncId, target: &Target) -> Vec<Assumption> {
        if !self.program.language.errors_are_undefined() {
            return Vec::new();
        }
        let all = self.take_errors();
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

    /// What may end runs; to be put back.
    pub(super) fn take_errors(&mut self) -> Vec<MayEnd> {
        match self.errors.take() {
            Some(all) => all,
            None => self.may_end(),
        }
    }

    fn may_end(&self) -> Vec<MayEnd> {
        let order = Order::new(self.program);
        let functions = scope(self.program, self.entry, &[]);
        let properties = Properties::of(self.program, &functions);
        let overfilling =
            functions.iter().flat_map(|&function| overfilling(self.program, function));
        let may_end = |property: &Property| {
            let line = property.span.line;
            let error = match property.kind {
                PropertyKind::Check(kind) => no_error(kind, line, false)?,
                PropertyKind::LibraryCall => Assumption::NoError { error: None, line },
            };
            Some(MayEnd { property: property.clone(), after: order.after(property), error })
        };
        let properties = properties.list().iter().cloned().chain(overfilling);
        properties.filter_map(|property| may_end(&property)).collect()
    }
}

/// Calls of native functions that may write too much: they have no checks.
fn overfilling(program: &Program, function: FuncId) -> Vec<Property> {
    let body = program.body(function);
    let calls = Site::all(body).filter(
        |(_, instr)| matches!(&instr.kind, InstrKind::Call(call) if may_overfill(program, body, call)),
    );
    let property = |(site, instr): (Site, &Instr)| Property {
        id: String::new(),
        function,
        kind: PropertyKind::LibraryCall,
        span: instr.span,
        text: String::new(),
        sites: vec![site],
        is_asked: false,
    };
    calls.map(property).collect()
}

/// Whether a target may be reached after an error.
pub(super) fn comes_to(after: &After, function: FuncId, target: &Target) -> bool {
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
