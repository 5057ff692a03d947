//! Choosing the quantities of a function's summary and the slopes whose bounds it states.
//!
//! Slopes are suggestions, as the templates of loops are: differences and sums of a result with one argument,
//! with two, changes of globals, pairs of arguments; and what the function's own returns add up. Variables are those
//! of the schema's own terms, so that a summary can be carried from one graph to another.

use std::collections::BTreeMap;

use glassbox_ir::{FuncId, GlobalId, GlobalKind, Passing, Program, ResultPassing, SourceType};
use glassbox_ir::{SourceTypeId, Ty};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};
use glassbox_values::Signedness;

use glassbox_invariants::{negated, normalized};
use glassbox_whole::sort_of;
use glassbox_whole::summary::{Quantity, Schema, Writes};

/// Globals that a summary speaks of.
const MAX_GLOBALS: usize = 4;

/// Integers of which all pairs are related.
const MAX_PAIRED: usize = 6;

/// Slopes of an exit; each stands for both directions. Fewer than a join may have, since it gets its own too.
const MAX_SLOPES: usize = 22;

/// Ways of returning that are kept apart in functions that call themselves: what ends the recursion and what goes on.
const MAX_WAYS: usize = 4;

/// The quantities of a function and the usual slopes.
pub(crate) fn new_schema(
    program: &Program,
    function: FuncId,
    writes: &Writes,
    is_recursive: bool,
) -> Schema {
    let declared = program.function(function);
    let is_indirect = declared.result == ResultPassing::Indirect;
    let mut schema = Schema {
        terms: Terms::new(),
        quantities: Vec::new(),
        names: BTreeMap::new(),
        readings: BTreeMap::new(),
        entry_slopes: Vec::new(),
        exit_slopes: Vec::new(),
        n_ways: if is_recursive { MAX_WAYS } else { 1 },
    };
    for (position, param) in declared.params.iter().enumerate() {
        let is_record = param.passing == Passing::Indirect || position == 0 && is_indirect;
        if !is_record {
            let reading = signedness(program, param.source_type);
            let quantity = Quantity::Param(position);
            add(&mut schema, quantity, param.name.clone(), param.ty, reading);
        }
    }
    let globals = followed_globals(program, writes);
    for &(global, width) in &globals {
        let declared = program.global(global);
        let reading = signedness(program, declared.source_type);
        let name = declared.name.clone();
        add(&mut schema, Quantity::Before(global), name, Ty::Int(width), reading);
    }
    for (global, width) in globals {
        if writes.may_change(global) {
            let declared = program.global(global);
            let reading = signedness(program, declared.source_type);
            let name = format!("{}'", declared.name);
            add(&mut schema, Quantity::After(global), name, Ty::Int(width), reading);
        }
    }
    if let ResultPassing::Direct(ty) = declared.result {
        let reading = signedness(program, declared.result_source_type);
        add(&mut schema, Quantity::Result, "result".to_owned(), ty, reading);
    }
    suggest(&mut schema, &[]);
    schema
}

fn add(schema: &mut Schema, quantity: Quantity, name: String, ty: Ty, reading: Signedness) {
    let variable = schema.terms.fresh_var(&name, sort_of(ty));
    schema.names.insert(quantity, name);
    if matches!(ty, Ty::Int(width) if (4..=64).contains(&width)) {
        schema.readings.insert(variable, reading);
    }
    schema.quantities.push((quantity, variable));
}

/// Sets the slopes: those of the function's own returns first, then the usual ones.
pub(crate) fn suggest(schema: &mut Schema, own: &[TermSum]) {
    let integers = |wanted: fn(Quantity) -> bool| -> Vec<TermId> {
        let fits = |(quantity, variable): &&(Quantity, TermId)| {
            wanted(*quantity) && schema.readings.contains_key(variable)
        };
        schema.quantities.iter().filter(fits).map(|(_, variable)| *variable).collect()
    };
    let (inputs, outputs) =
        (integers(Quantity::is_input), integers(|quantity| !quantity.is_input()));
    let sum = |parts: &[(TermId, i128)]| {
        let terms = parts.iter().map(|&(v, c)| (v, schema.readings[&v], c)).collect();
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
    schema.entry_slopes = both_directions(entry);
    schema.exit_slopes = both_directions(exit);
}

/// Adds slopes `output - k * input`, `k` as `factor` says. False when there are none.
pub(crate) fn suggest_factors(
    schema: &mut Schema,
    factor: impl Fn(TermId, Signedness) -> Option<i128>,
) -> bool {
    let mut own = Vec::new();
    for &(input, variable) in schema.quantities.iter().filter(|(q, _)| q.is_input()) {
        let (Quantity::Param(_), Some(reading)) = (input, schema.reading(variable)) else {
            continue;
        };
        let Some(factor) = factor(variable, reading) else { continue };
        for &(output, result) in schema.quantities.iter().filter(|(q, _)| !q.is_input()) {
            if let Some(read) = schema.reading(result) {
                let mut terms = vec![(result, read, 1), (variable, reading, -factor)];
                if let Quantity::After(global) = output {
                    let before =
                        schema.quantities.iter().find(|(q, _)| *q == Quantity::Before(global));
                    terms.extend(before.map(|(_, before)| (*before, read, -1)));
                }
                own.push(TermSum { terms, constant: 0 });
            }
        }
    }
    let has_any = !own.is_empty();
    let known = schema.exit_slopes.iter().skip(1).step_by(2).cloned();
    own.extend(known);
    schema.exit_slopes = both_directions(own);
    has_any
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
            GlobalKind::Variable | GlobalKind::LibraryState | GlobalKind::StaticLocal(_) => true,
            GlobalKind::StringLiteral
            | GlobalKind::StaticField(_)
            | GlobalKind::Runtime
            | GlobalKind::CompoundLiteral
            | GlobalKind::Register(_) => false,
        };
        let resolved = program.resolve_source_type(declared.source_type);
        let ty = program.source_type(resolved);
        let width = if let SourceType::Int { width, .. } | SourceType::Enum { width, .. } = ty {
            Some(*width)
        } else {
            matches!(ty, SourceType::Bool).then_some(8)
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
    if let SourceType::Int { signedness, .. } | SourceType::Enum { signedness, .. } =
        program.source_type(resolved)
    {
        *signedness
    } else {
        Signedness::Unsigned
    }
}
