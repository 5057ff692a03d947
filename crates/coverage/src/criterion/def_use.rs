//! Def-use coverage: every definition of a variable reaches every use that it can reach.
//!
//! Definitions and uses are the source's (`Mark::Def`, `Mark::Use`), for locals, parameters, globals, their members
//! and elements, and the memory behind pointers by the pointer's name. Pairs come from reaching definitions on
//! the control-flow graph. A definition ends the life of earlier ones that it covers; an element that the run
//! chooses, or an address given to a callee, is a definition that ends no other's life (Frankl and Weyuker,
//! IEEE TSE 14(10), 1988). Not here: two pointers to the same memory are two names.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{
    Access, BlockId, Body, InstrKind, Mark, Part, Program, Shape, SourceTypeId, VarRef,
};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct DefUse;

impl Criterion for DefUse {
    fn name(&self) -> &'static str {
        "def-use"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for (access, def, use_site) in pairs(body) {
            let var = access.var;
            let name = name_of(goals.program, body, &access);
            let span_of = |site: Site| body.block(site.block).instrs[site.instr as usize].span;
            let (def_span, use_span) = (span_of(def), span_of(use_site));
            let label = format!("{name}@{}:{}", use_span.line, use_span.column);
            let text = format!(
                "{name} defined at {}:{} is used at {}:{}",
                def_span.line, def_span.column, use_span.line, use_span.column
            );
            goals.add(def_span, &label, text, Target::DefUse { var, def, use_site });
        }
    }
}

/// What a person calls it: `n`, `s.x`, `a[2]`, `a[…]`, `*p`, `p->next`.
fn name_of(program: &Program, body: &Body, access: &Access) -> String {
    let (name, ty) = match access.var {
        VarRef::Local(var) => (body.var(var).name.clone(), body.var(var).source_type),
        VarRef::Global(global) => {
            (program.global(global).name.clone(), program.global(global).source_type)
        }
    };
    let object = if access.is_behind {
        let Some(target) = program.pointee(ty) else { return format!("*{name}") };
        target
    } else {
        ty
    };
    let path = match access.part {
        Part::Whole => String::new(),
        Part::Somewhere => "[…]".to_owned(),
        Part::Bits { first, count } => part_name(program, object, first, count, access.is_behind),
    };
    match (access.is_behind, path.as_str()) {
        (false, _) => format!("{name}{path}"),
        (true, "") => format!("*{name}"),
        (true, _) => match path.strip_prefix('.') {
            Some(member) => format!("{name}->{member}"),
            None => format!("{name}{path}"),
        },
    }
}

/// The path to some bits of an object, as far as its type shows it. Behind a pointer there may be several
/// objects in a row.
fn part_name(program: &Program, ty: SourceTypeId, first: u64, count: u64, is_row: bool) -> String {
    let size = program.size_of_source_type(ty).saturating_mul(8);
    if is_row && size > 0 && first >= size {
        let rest = part_name(program, ty, first % size, count, false);
        return format!("[{}]{rest}", first / size);
    }
    match program.shape(ty) {
        Shape::Record { fields: Some(fields), .. } => {
            let inside = fields.iter().find_map(|field| {
                let (start, width) = match field.bits {
                    Some(range) => {
                        (field.offset * 8 + u64::from(range.start), u64::from(range.width))
                    }
                    None => (field.offset * 8, program.size_of_source_type(field.ty) * 8),
                };
                (start <= first && first + count <= start + width).then(|| (field, first - start))
            });
            inside.map_or(String::new(), |(field, rest)| {
                let inner = part_name(program, field.ty, rest, count, false);
                match &field.name {
                    Some(name) => format!(".{name}{inner}"),
                    // An anonymous member's members are the record's.
                    None => inner,
                }
            })
        }
        Shape::Array { element, .. } => {
            let width = program.size_of_source_type(element).saturating_mul(8).max(1);
            let inner = part_name(program, element, first % width, count, false);
            format!("[{}]{inner}", first / width)
        }
        Shape::Void
        | Shape::Number(_)
        | Shape::Pointer { .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. }
        | Shape::Record { .. } => String::new(),
    }
}

type Reaching = BTreeSet<Site>;

/// All (use, definition, place of the use) with a walk between on which no other definition covers what is
/// used.
fn pairs(body: &Body) -> Vec<(Access, Site, Site)> {
    let mut found = BTreeSet::new();
    let used: BTreeSet<Access> = marks(body)
        .filter_map(|(_, mark)| match mark {
            Mark::Use(access, _) => Some(access),
            Mark::Def(_)
            | Mark::Statement
            | Mark::Instruction
            | Mark::Unsigned
            | Mark::Pointee { .. }
            | Mark::Opened { .. }
            | Mark::Presumes(_)
            | Mark::Promised => None,
        })
        .collect();
    for access in used {
        reach(body, access, &mut found);
    }
    found.into_iter().map(|(def, use_site, access)| (access, def, use_site)).collect()
}

fn marks(body: &Body) -> impl Iterator<Item = (Site, Mark)> {
    body.block_ids().flat_map(|block| marks_in(body, block))
}

fn marks_in(body: &Body, block: BlockId) -> impl Iterator<Item = (Site, Mark)> {
    Site::in_block(body, block).filter_map(|(site, instr)| {
        let InstrKind::Mark(mark) = instr.kind else { return None };
        Some((site, mark))
    })
}

/// Definitions that reach uses of one access.
fn reach(body: &Body, access: Access, found: &mut BTreeSet<(Site, Site, Access)>) {
    let mut at_entry: BTreeMap<BlockId, Reaching> = BTreeMap::new();
    let mut work: Vec<BlockId> = body.block_ids().collect();
    work.reverse();
    while let Some(block) = work.pop() {
        let mut reaching = at_entry.get(&block).cloned().unwrap_or_default();
        for (site, mark) in marks_in(body, block) {
            match mark {
                Mark::Use(used, _) if used == access => {
                    found.extend(reaching.iter().map(|&def| (def, site, access)));
                }
                Mark::Def(defined) => {
                    if defined.replaces(&access) {
                        reaching.clear();
                    }
                    if defined.overlaps(&access) {
                        reaching.insert(site);
                    }
                }
                Mark::Use(..)
                | Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Pointee { .. }
                | Mark::Opened { .. }
                | Mark::Presumes(_)
                | Mark::Promised => {}
            }
        }
        for target in body.block(block).terminator.targets() {
            let entry = at_entry.entry(target.block).or_default();
            let n_before = entry.len();
            entry.extend(reaching.iter().copied());
            if entry.len() != n_before {
                work.push(target.block);
            }
        }
    }
}
