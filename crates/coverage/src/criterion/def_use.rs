//! Def-use coverage: every definition of a variable reaches every use that it can reach.
//!
//! Definitions and uses are the source's (`Mark::Def`, `Mark::Use`), for locals, parameters and globals.
//! Pairs come from reaching definitions on the control-flow graph; a definition of a part (an element,
//! a member) is a definition and does not end the life of earlier ones.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, Body, FuncId, InstrKind, Mark, Program, VarRef};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct DefUse;

impl Criterion for DefUse {
    fn name(&self) -> &'static str {
        "def-use"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for (var, def, use_site) in pairs(body) {
            let name = match var {
                VarRef::Local(var) => &body.var(var).name,
                VarRef::Global(global) => &program.global(global).name,
            };
            let span_of = |site: Site| body.block(site.block).instrs[site.instr as usize].span;
            let (def_span, use_span) = (span_of(def), span_of(use_site));
            let label = format!("{name}@{}:{}", use_span.line, use_span.column);
            let text = format!(
                "{name} defined at {}:{} is used at {}:{}",
                def_span.line, def_span.column, use_span.line, use_span.column
            );
            goals.add(def_span, &label, text, Target::DefUse { var, def, use_site });
        }
        goals.finish()
    }
}

type Reaching = BTreeSet<(VarRef, Site)>;

/// All (variable, definition, use) with a definition-clear walk between.
fn pairs(body: &Body) -> Vec<(VarRef, Site, Site)> {
    let mut at_entry: BTreeMap<BlockId, Reaching> = BTreeMap::new();
    let mut work: Vec<BlockId> = body.block_ids().collect();
    work.reverse();
    let mut found = BTreeSet::new();
    while let Some(block) = work.pop() {
        let mut reaching = at_entry.get(&block).cloned().unwrap_or_default();
        for (instr, kind) in (0u32..).zip(&body.block(block).instrs) {
            let site = Site { block, instr };
            match kind.kind {
                InstrKind::Mark(Mark::Use(var, _)) => {
                    let defs = reaching.iter().filter(|(defined, _)| *defined == var);
                    found.extend(defs.map(|&(_, def)| (var, def, site)));
                }
                InstrKind::Mark(Mark::Def(var)) => {
                    reaching.retain(|(defined, _)| *defined != var);
                    let _ = reaching.insert((var, site));
                }
                _ => {}
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
    found.into_iter().collect()
}
