//! What counts as a failure in a check: everything, assertions alone, or what the specifications of SV-COMP name.
//!
//! A run that ends in an error which does not count has shown nothing about what comes after it. So properties
//! that are not asked about are still properties: verdicts about the others may rest on them.

use std::collections::BTreeSet;

use glassbox_ir::{Callee, Check, CheckKind, Demand, InstrKind, PointerOp, Program};

use crate::property::{Property, PropertyKind, group};

/// What a check asks about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Asked {
    /// Assertions, contracts and run-time errors.
    #[default]
    Everything,
    /// Assertions and contracts.
    Assertions,
    /// What relations between calls say. An assertion that fails is an error here: behind it nothing is compared.
    Relations,
    Specified(BTreeSet<Specification>),
}

/// What a specification of SV-COMP demands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Specification {
    /// The function of this name is never called.
    UnreachCall(String),
    NoOverflow,
    ValidDeref,
    ValidFree,
    /// No allocated memory is lost.
    ValidMemtrack,
    /// All allocated memory is freed in the end.
    ValidMemcleanup,
    Termination,
}

impl Asked {
    fn has(&self, specification: &Specification) -> bool {
        matches!(self, Asked::Specified(list) if list.contains(specification))
    }

    /// Functions that must not be called; `None` where nothing is specified.
    pub fn forbidden_calls(&self) -> Option<Vec<&str>> {
        let Asked::Specified(list) = self else { return None };
        let names = list.iter().filter_map(|specification| {
            let Specification::UnreachCall(name) = specification else { return None };
            Some(name.as_str())
        });
        Some(names.collect())
    }

    pub fn termination(&self) -> bool {
        self.has(&Specification::Termination)
    }

    pub fn lost_memory(&self) -> bool {
        self.has(&Specification::ValidMemtrack)
    }

    pub fn kept_memory(&self) -> bool {
        self.has(&Specification::ValidMemcleanup)
    }

    /// Whether it counts that the property fails.
    pub(crate) fn includes(&self, program: &Program, property: &Property) -> bool {
        match self {
            Asked::Everything => true,
            Asked::Assertions => property.kind.is_assertion() || property.kind.is_about_the_end(),
            Asked::Relations => property.kind == PropertyKind::Check(CheckKind::Relation),
            Asked::Specified(list) => list.iter().any(|it| it.includes(program, property)),
        }
    }

    /// Whether it counts that a run ends in this way; what a property that includes it is reported as may be wider.
    pub fn includes_failure(&self, kind: CheckKind) -> bool {
        match self {
            Asked::Everything => true,
            Asked::Assertions => PropertyKind::Check(kind).is_assertion(),
            Asked::Relations => kind == CheckKind::Relation,
            Asked::Specified(list) => list.iter().any(|it| it.includes_kind(kind)),
        }
    }
}

impl Specification {
    fn includes(&self, program: &Program, property: &Property) -> bool {
        let kind = match property.kind {
            PropertyKind::Check(kind) => kind,
            PropertyKind::LibraryCall => {
                return match self {
                    Specification::ValidDeref | Specification::ValidFree => true,
                    Specification::NoOverflow => may_overflow(program, property),
                    Specification::UnreachCall(_)
                    | Specification::ValidMemtrack
                    | Specification::ValidMemcleanup
                    | Specification::Termination => false,
                };
            }
        };
        match self {
            Specification::UnreachCall(name) => {
                kind == CheckKind::Assertion
                    && property.demand.as_ref().and_then(Demand::forbidden) == Some(name)
            }
            // Pointers may leave their object as long as nothing is read or written there.
            Specification::ValidDeref if kind == CheckKind::OutOfBounds => {
                property.sites.is_empty() || is_access(program, property)
            }
            Specification::ValidDeref
            | Specification::NoOverflow
            | Specification::ValidFree
            | Specification::ValidMemtrack
            | Specification::ValidMemcleanup
            | Specification::Termination => self.includes_kind(kind),
        }
    }

    fn includes_kind(&self, kind: CheckKind) -> bool {
        match self {
            Specification::UnreachCall(_) => kind == CheckKind::Assertion,
            Specification::NoOverflow => {
                matches!(kind, CheckKind::SignedOverflow | CheckKind::ShiftOverflow)
            }
            Specification::ValidDeref => matches!(
                group(kind),
                CheckKind::NullDereference
                    | CheckKind::OutOfBounds
                    | CheckKind::UseAfterFree
                    | CheckKind::WriteToConstant
                    | CheckKind::BadCall
            ),
            Specification::ValidFree => {
                matches!(kind, CheckKind::DoubleFree | CheckKind::BadFree)
            }
            Specification::ValidMemtrack | Specification::ValidMemcleanup => {
                kind == CheckKind::Leak
            }
            Specification::Termination => kind == CheckKind::Endless,
        }
    }
}

/// Whether a function of the library is called whose result may not fit.
fn may_overflow(program: &Program, property: &Property) -> bool {
    let body = program.body(property.function);
    property.sites.iter().any(|site| {
        let instr = body.block(site.block).instrs.get(site.instr as usize);
        let Some(InstrKind::Call(call)) = instr.map(|instr| &instr.kind) else { return false };
        let Callee::Direct(callee) = call.callee else { return false };
        let known = glassbox_library::find(&program.function(callee).name);
        known.is_some_and(|known| known.row.may_overflow)
    })
}

/// Whether memory is read or written where the property is checked, or at once after it.
fn is_access(program: &Program, property: &Property) -> bool {
    let body = program.body(property.function);
    property.sites.iter().any(|site| {
        let rest = &body.block(site.block).instrs[site.instr as usize..];
        let Some(first) = rest.first() else { return false };
        let InstrKind::Check(Check::InBoundsOffset { .. }) = &first.kind else { return true };
        let mut moved = None;
        for instr in &rest[1..] {
            match &instr.kind {
                InstrKind::Pointer(PointerOp::Add { .. }) if moved.is_none() => {
                    moved = instr.result;
                }
                InstrKind::Check(
                    Check::Readable { ptr, .. }
                    | Check::Writable { ptr, .. }
                    | Check::Accessible { ptr, .. },
                ) => return moved.is_some_and(|moved| *ptr == glassbox_ir::Operand::Value(moved)),
                InstrKind::Pure(_) | InstrKind::Pointer(_) | InstrKind::Check(_) => {}
                InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Call(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_)
                | InstrKind::Unsupported { .. } => return false,
            }
        }
        false
    })
}
