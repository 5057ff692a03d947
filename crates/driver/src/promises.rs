//! Promises of a contract that others hide: what stands behind a broken one is judged for itself.

use std::collections::BTreeSet;

use glassbox_coverage::Property;
use glassbox_explore::{Verification, Violation};
use glassbox_ir::{FuncId, InstrKind, Operand, Program};
use glassbox_testcase::Verdict;
use glassbox_values::Bits;

use crate::drive::Case;
use crate::plan::Check;
use crate::stopwatch::Stopwatch;
use crate::verify::{Asking, answer};

/// Promises of a contract that stand behind one that is broken, or of which it is not known whether it is, are judged
/// once more as if that one were none: each is about every run that comes back, whatever becomes of the others.
pub(crate) fn judge_hidden(
    case: &Case<'_>,
    task: &Check,
    function: FuncId,
    watch: &Stopwatch<'_>,
    found: &mut Verification,
) {
    let is_positive = |verdict: &Verdict| match verdict {
        Verdict::Holds(_)
        | Verdict::HoldsWithin { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. } => true,
        Verdict::Covered { .. } | Verdict::Unknown(_) | Verdict::Violated { .. } => false,
    };
    let entry = Asking::of(case, task, function).entry;
    let mut without: BTreeSet<usize> = BTreeSet::new();
    loop {
        let list = found.properties.list();
        let promises: Vec<usize> = (0..list.len())
            .filter(|&index| list[index].function == entry && list[index].kind.is_assertion())
            .collect();
        let open = promises.iter().filter(|&&index| !is_positive(&found.verdicts[index]));
        let open: BTreeSet<usize> = open.copied().collect();
        let place = |index: usize| {
            let span = list[index].span;
            (span.line, span.column, span.part)
        };
        // Clauses may stand in two files, and not in the order in which they are judged.
        let site = |index: usize| {
            let sites = list[index].sites.iter();
            sites.map(|site| (site.block.index(), site.instr)).min()
        };
        let first = open.iter().map(|&index| place(index)).min();
        let first_site = open.iter().map(|&index| site(index)).min();
        let is_hidden = |&index: &usize| {
            let is_behind = first.is_some_and(|first| first < place(index))
                || first_site.is_some_and(|first| first < site(index));
            !open.contains(&index) && is_behind
        };
        let hidden: Vec<usize> = promises.iter().copied().filter(is_hidden).collect();
        if hidden.is_empty() || open.is_subset(&without) {
            return;
        }
        let mut eased = case.program().clone();
        leave_out(&mut eased, open.iter().map(|&index| &list[index]));
        let again =
            answer(case, Asking { program: &eased, ..Asking::of(case, task, function) }, watch);
        take_over(found, again, &hidden);
        without = open;
    }
}

/// Makes the checks of properties succeed.
fn leave_out<'p>(program: &mut Program, properties: impl Iterator<Item = &'p Property>) {
    for property in properties {
        let Some(body) = &mut program.functions[property.function.index()].body else { continue };
        for site in &property.sites {
            let instrs = &mut body.blocks[site.block.index()].instrs;
            let instr = usize::try_from(site.instr).ok().and_then(|at| instrs.get_mut(at));
            if let Some(InstrKind::Check(glassbox_ir::Check::Condition { condition, .. })) =
                instr.map(|instr| &mut instr.kind)
            {
                *condition = Operand::Int(Bits::from_bool(true));
            }
        }
    }
}

/// Replaces what was said about some properties by what another search said.
fn take_over(found: &mut Verification, again: Verification, judged: &[usize]) {
    for &index in judged {
        let id = &found.properties.list()[index].id;
        let Some(other) = again.properties.list().iter().position(|other| other.id == *id) else {
            continue;
        };
        let mut verdict = again.verdicts[other].clone();
        if let Verdict::Violated { test } = &mut verdict {
            let violation = again.violations[*test].clone();
            *test = found.violations.len();
            found.violations.push(Violation { property: index, ..violation });
        }
        found.verdicts[index] = verdict;
        if let Some(proof) = found.proofs.get_mut(index) {
            *proof = again.proofs.get(other).cloned().flatten();
        }
    }
    found.n_paths += again.n_paths;
    found.n_runs += again.n_runs;
    found.n_divergences += again.n_divergences;
}
