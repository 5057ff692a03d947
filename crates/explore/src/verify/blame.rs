//! Whose failure it is: a check that fails inside a model of the library is reported at the call.

use glassbox_coverage::PropertyKind;
use glassbox_coverage::property::is_library;
use glassbox_interp::UndefinedBehavior;
use glassbox_ir::{CheckKind, FuncId, Origin, Program, Span};
use glassbox_model::StackPlace;

/// The place of the user's code that a failure is reported at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blame {
    pub(super) function: FuncId,
    pub(super) kind: PropertyKind,
    pub(super) span: Span,
}

impl Blame {
    /// Control past a call that never returns is where a run ends, not an error of its own; marked
    /// places have properties. That a run never ends is an error only where it is asked about.
    pub(super) fn is_expected_end(&self) -> bool {
        matches!(self.kind, PropertyKind::Check(CheckKind::Unreachable | CheckKind::Endless))
    }
}

pub(super) fn blame(
    program: &Program,
    function: FuncId,
    kind: CheckKind,
    span: Span,
    caller: Option<(FuncId, Span)>,
) -> Blame {
    // A requirement that cannot be evaluated does not hold; a promise that cannot be is not kept.
    let reported = match program.function(function).origin {
        Origin::Requirement { .. } => PropertyKind::Check(CheckKind::Precondition),
        Origin::Promise { .. } => PropertyKind::Check(CheckKind::Unreachable),
        Origin::User
        | Origin::System
        | Origin::LibraryModel
        | Origin::Harness { .. }
        | Origin::Relation { .. }
        | Origin::Variant { .. }
        | Origin::StandIn
        | Origin::Runtime => PropertyKind::LibraryCall,
    };
    match caller {
        Some((function, span)) => Blame { function, kind: reported, span },
        None => Blame { function, kind: PropertyKind::Check(kind), span },
    }
}

pub(super) fn blame_of_path(
    program: &Program,
    stack: &[StackPlace],
    kind: CheckKind,
    span: Span,
) -> Blame {
    let places: Vec<(FuncId, Span)> =
        stack.iter().map(|place| (place.function, place.span)).collect();
    blame_of_stack(program, &places, kind, span)
}

pub(super) fn blame_of_run(program: &Program, report: &UndefinedBehavior) -> Blame {
    let places: Vec<(FuncId, Span)> =
        report.stack.iter().map(|entry| (entry.function, entry.span)).collect();
    blame_of_stack(program, &places, report.kind, report.span)
}

fn blame_of_stack(
    program: &Program,
    places: &[(FuncId, Span)],
    kind: CheckKind,
    span: Span,
) -> Blame {
    let Some(&(innermost, _)) = places.last() else {
        return blame(program, FuncId::new(0), kind, span, None);
    };
    let own = places.iter().rev().find(|(function, _)| !is_library(program, *function));
    let caller = if is_library(program, innermost) { own.copied() } else { None };
    blame(program, innermost, kind, span, caller)
}
