//! Globals: initializers fit their objects and point to things that exist.

use super::error::{BrokenRule, VerifyError};
use crate::global::{Global, RelocationTarget};
use crate::program::Program;

pub(super) fn verify_globals(program: &Program, errors: &mut Vec<VerifyError>) {
    for global in &program.globals {
        for rule in broken_rules(program, global) {
            errors.push(VerifyError { entity: global.name.clone(), place: None, rule });
        }
    }
}

fn broken_rules(program: &Program, global: &Global) -> Vec<BrokenRule> {
    let mut rules = Vec::new();
    if !global.align.is_power_of_two() {
        rules.push(BrokenRule::BadAlign { align: global.align });
    }
    if global.source_type.index() >= program.source_types().len() {
        rules.push(BrokenRule::UnknownId { what: "type", index: global.source_type.index() });
    }
    let Some(initializer) = &global.initializer else { return rules };
    let bytes = initializer.bytes.len();
    if u64::try_from(bytes).map_or(true, |bytes| bytes > global.size) {
        rules.push(BrokenRule::InitializerTooLong { bytes, size: global.size });
    }
    let mut end_of_last = 0;
    for relocation in &initializer.relocations {
        if relocation.offset < end_of_last {
            rules.push(BrokenRule::RelocationsNotSorted);
        }
        end_of_last = relocation.offset.saturating_add(program.pointers.bytes());
        if end_of_last > global.size {
            rules.push(BrokenRule::RelocationOutOfRange { offset: relocation.offset });
        }
        let (what, index, count) = match relocation.target {
            RelocationTarget::Global(id) => ("global", id.index(), program.globals.len()),
            RelocationTarget::Func(id) => ("function", id.index(), program.functions.len()),
        };
        if index >= count {
            rules.push(BrokenRule::UnknownId { what, index });
        }
    }
    rules
}
