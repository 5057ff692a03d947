//! The quantities of a function's contract and the slopes whose bounds it states.
//!
//! Slopes are suggestions, as the templates of loops are: differences and sums of a result with one argument,
//! with two, changes of globals, pairs of arguments; and what the function's own returns add up. Variables are those
//! of the schema's own terms, so that a contract can be carried from one graph to another.

use std::collections::BTreeMap;

use glassbox_ir::{FuncId, GlobalId, GlobalKind, Passing, Program, ResultPassing, SourceType};
use glassbox_ir::{SourceTypeId, Ty};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};
use glassbox_values::Signedness;

use super::Quantity;
use super::effects::Writes;
use crate::summary::{negated, normalized};

/// Globals that a contract speaks of.
const MAX_GLOBALS: usize = 4;

/// Integers of which all pairs are related.
const MAX_PAIRED: usize = 6;

/// Slopes of an exit; each stands for both directions. Fewer than a join may have, since it gets its own too.
const MAX_SLOPES: usize = 22;

#[derive(Debug, Clone)]
pub(crate) struct Schema {
    terms: Terms,
    /// In order: arguments, globals before, globals after, result.
    pub(crate) quantities: Vec<(Quantity, TermId)>,
    pub(crate) names: BTreeMap<Quantity, String>,
    /// How integers are read; pointers and floats are not in any slope.
    readings: BTreeMap<TermId, Signedness>,
    /// Both directions.
    pub(crate) entry_slopes: Vec<TermSum>,
    /// Both directions.
    pub(crate) exit_slopes: Vec<TermSum>,
}

impl Schema {
    pub(crate) fn new(program: &Program, function: FuncId, writes: &Writes) -> Schema {
        let declared = program.function(function);
        let is_indirect = declared.result == ResultPassing::Indirect;
        let mut schema = Schema {
            terms: Terms::new(),
            quantities: Vec::new(),
            names: BTreeMap::new(),
            readings: BTreeMap::new(),
            entry_slopes: Vec::new(),
            exit_slopes: Vec::new(),
        };
        for (position, param) in declared.params.iter().enumerate() {
            let is_record = param.passing == Passing::Indirect || position == 0 && is_indirect;
            if !is_record {
                let reading = signedness(program, param.source_type);
                let quantity = Quantity::Param(position);
                schema.add(quantity, param.name.clone(), param.ty, reading);
            }
        }
        let globals = followed_globals(program, writes);
        for &(global, width) in &globals {
            let declared = program.global(global);
            let reading = signedness(program, declared.source_type);
            let name = declared.name.clone();
            schema.add(Quantity::Before(global), name, Ty::Int(width), reading);
        }
        for (global, width) in globals {
            if writes.may_change(global) {
                let declared = program.global(global);
                let reading = signedness(program, declared.source_type);
                let name = format!("{}'", declared.name);
                schema.add(Quantity::After(global), name, Ty::Int(width), reading);
            }
        }
        if let ResultPassing::Direct(ty) = declared.result {
            let reading = signedness(program, declared.result_source_type);
            schema.add(Quantity::Result, "result".to_owned(), ty, reading);
        }
        schema.suggest(&[]);
        schema
    }

    fn add(&mut self, quantity: Quantity, name: String, ty: Ty, reading: Signedness) {
        let variable = self.terms.fresh_var(&name, crate::graph::sort_of(ty));
        let _ = self.names.insert(quantity, name);
        if matches!(ty, Ty::Int(width) if (4..=64).contains(&width)) {
            let _ = self.readings.insert(variable, reading);
        }
        self.quantities.push((quantity, variable));
    }

    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// How an integer is read; `None` for what is in no slope.
    pub(crate) fn reading(&self, variable: TermId) -> Option<Signedness> {
        self.readings.get(&variable).copied()
    }

    /// Arguments and globals before.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Quantity, TermId)> + '_ {
        self.quantities.iter().copied().filter(|(quantity, _)| is_input(*quantity))
    }

    /// Sets the slopes: those of the function's own returns first, then the usual ones.
    pub(crate) fn suggest(&mut self, own: &[TermSum]) {
        let integers = |wanted: fn(Quantity) -> bool| -> Vec<TermId> {
            let fits = |(quantity, variable): &&(Quantity, TermId)| {
                wanted(*quantity) && self.readings.contains_key(variable)
            };
            self.quantities.iter().filter(fits).map(|(_, variable)| *variable).collect()
        };
        let (inputs, outputs) = (integers(is_input), integers(|quantity| !is_input(quantity)));
        let sum = |parts: &[(TermId, i128)]| {
            let terms = parts.iter().map(|&(v, c)| (v, self.readings[&v], c)).collect();
            TermSum { terms, constant: 0 }
        };
        let mut entry = Vec::new();
        if inputs.len() <= MAX_PAIRED {
            for (index, &a) in inputs.iter().enumerate() {
                for &b in &inputs[index + 1..] {
                    entry.extend([sum(&[(a, 1), (b, -1)]), sum(&[(a, 1), (b, 1)])]);
                }
            }
        }
        let mut exit = own.to_vec();
        for &o in &outputs {
            for &a in &inputs {
                exit.push(sum(&[(o, 1), (a, -1)]));
            }
        }
        for &o in &outputs {
            for &a in &inputs {
                exit.push(sum(&[(o, 1), (a, 1)]));
            }
        }
        for &o in &outputs {
            for (index, &a) in inputs.iter().enumerate() {
                for &b in &inputs[index + 1..] {
                    exit.push(sum(&[(o, 1), (a, -1), (b, -1)]));
                    exit.push(sum(&[(o, 1), (a, -1), (b, 1)]));
                    exit.push(sum(&[(o, 1), (a, 1), (b, -1)]));
                }
            }
        }
        for (index, &a) in outputs.iter().enumerate() {
            for &b in &outputs[index + 1..] {
                exit.push(sum(&[(a, 1), (b, -1)]));
            }
        }
        exit.extend(entry.iter().cloned());
        self.entry_slopes = both_directions(entry);
        self.exit_slopes = both_directions(exit);
    }

    /// Adds slopes `output - k * input`, `k` as `factor` says. False when there are none.
    pub(crate) fn suggest_factors(
        &mut self,
        factor: impl Fn(TermId, Signedness) -> Option<i128>,
    ) -> bool {
        let mut own = Vec::new();
        for &(input, variable) in self.quantities.iter().filter(|(q, _)| is_input(*q)) {
            let (Quantity::Param(_), Some(reading)) = (input, self.reading(variable)) else {
                continue;
            };
            let Some(factor) = factor(variable, reading) else { continue };
            for &(output, result) in self.quantities.iter().filter(|(q, _)| !is_input(*q)) {
                if let Some(read) = self.reading(result) {
                    let mut terms = vec![(result, read, 1), (variable, reading, -factor)];
                    if let Quantity::After(global) = output {
                        let before =
                            self.quantities.iter().find(|(q, _)| *q == Quantity::Before(global));
                        terms.extend(before.map(|(_, before)| (*before, read, -1)));
                    }
                    own.push(TermSum { terms, constant: 0 });
                }
            }
        }
        let has_any = !own.is_empty();
        let known = self.exit_slopes.iter().skip(1).step_by(2).cloned();
        own.extend(known);
        self.exit_slopes = both_directions(own);
        has_any
    }

    /// Maps each variable to what the pairs say of its quantity.
    pub(crate) fn map_to(&self, terms: &[(Quantity, TermId)]) -> BTreeMap<TermId, TermId> {
        let known: BTreeMap<Quantity, TermId> = terms.iter().copied().collect();
        let pairs = self.quantities.iter();
        pairs.filter_map(|(q, variable)| Some((*variable, *known.get(q)?))).collect()
    }
}

pub(crate) fn is_input(quantity: Quantity) -> bool {
    match quantity {
        Quantity::Param(_) | Quantity::Before(_) => true,
        Quantity::After(_) | Quantity::Result => false,
    }
}

fn both_directions(slopes: Vec<TermSum>) -> Vec<TermSum> {
    let mut kept: Vec<TermSum> = Vec::new();
    for slope in slopes {
        let Some(slope) = normalized(slope) else { continue };
        if slope.terms.len() > 1
            && kept.len() < MAX_SLOPES
            && !kept.contains(&slope)
            && !kept.contains(&negated(&slope))
        {
            kept.push(slope);
        }
    }
    kept.into_iter().flat_map(|slope| [negated(&slope), slope]).collect()
}

/// Scalar variables that the function or its callees mention, those that it may write first; with their widths.
fn followed_globals(program: &Program, writes: &Writes) -> Vec<(GlobalId, u8)> {
    let scalar = |global: GlobalId| {
        let declared = program.global(global);
        let is_variable = match declared.kind {
            GlobalKind::Variable | GlobalKind::StaticLocal(_) => true,
            GlobalKind::StringLiteral | GlobalKind::Runtime | GlobalKind::CompoundLiteral => false,
        };
        let resolved = program.resolve_source_type(declared.source_type);
        let width = match program.source_type(resolved) {
            SourceType::Int { width, .. } | SourceType::Enum { width, .. } => Some(*width),
            SourceType::Bool => Some(8),
            _ => None,
        };
        let is_plain = is_variable && !declared.is_const && declared.initializer.is_some();
        width.filter(|width| {
            is_plain && [8, 16, 32, 64].contains(width) && declared.size == u64::from(*width) / 8
        })
    };
    let mut found: Vec<(GlobalId, u8)> =
        writes.mentioned.iter().filter_map(|&global| Some((global, scalar(global)?))).collect();
    found.sort_by_key(|(global, _)| (!writes.globals.contains(global), *global));
    found.truncate(MAX_GLOBALS);
    found
}

fn signedness(program: &Program, ty: SourceTypeId) -> Signedness {
    let resolved = program.resolve_source_type(ty);
    match program.source_type(resolved) {
        SourceType::Int { signedness, .. } | SourceType::Enum { signedness, .. } => *signedness,
        _ => Signedness::Unsigned,
    }
}
