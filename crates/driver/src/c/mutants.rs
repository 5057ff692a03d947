//! Mutants of C functions: read with the functions, each with a function that compares it with its original.

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::span::Span;
use glassbox_contract::harness::Unit;
use glassbox_contract::{Config, relation};
use glassbox_ir::FuncId;
use glassbox_mutate::{Operator, Text, body, mutants};

use super::C;
use crate::language::Variant;
use crate::plan::Mutated;

/// A mutant that was made.
#[derive(Debug)]
pub(super) struct Made {
    operator: Operator,
    /// The function that it is a mutant of.
    of: String,
    span: Span,
    original: String,
    replacement: String,
    /// The names of the mutant and of what compares it, or why nothing does.
    name: String,
    comparison: Result<String, String>,
}

/// The mutants of the functions of a unit, with all that is to be read for them.
pub(super) fn of_unit(
    mutated: &Mutated,
    config: Option<&Config>,
    unit: &Unit<'_>,
    text: Text<'_>,
) -> (Vec<Made>, Vec<HarnessSource>) {
    let program = unit.program;
    let path = unit.source.display().to_string();
    let (mut made, mut variants, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
    for function in program.function_ids() {
        let declared = program.function(function);
        let of = program.name(declared.name).to_owned();
        let is_wanted = mutated.functions.is_empty() || mutated.functions.contains(&of);
        if declared.body.is_none() || declared.harness_of.is_some() || !is_wanted {
            continue;
        }
        // Headers have functions, too.
        if glassbox_mutate::file_of(program, function, text).as_deref() != Some(&*path) {
            continue;
        }
        let all = mutants(program, function, text, &mutated.operators);
        for (number, mutant) in (1..).zip(all) {
            let name = format!("{of}__mutant_{number}");
            let Some(body) = body(program, function, text, &mutant, &name) else { continue };
            let variant = HarnessSource {
                function,
                shape: HarnessShape::Variant,
                name: name.clone(),
                text: body,
                file: path.clone(),
                original: Vec::new(),
            };
            let compared = relation::equivalence(config, program, function, &name);
            let comparison = compared.map(|harness| {
                let name = harness.name.clone();
                comparisons.push(harness);
                name
            });
            variants.push(variant);
            made.push(Made {
                operator: mutant.operator,
                of: of.clone(),
                span: mutant.span,
                original: mutant.original,
                replacement: mutant.replacement,
                name,
                comparison,
            });
        }
    }
    // What compares a mutant calls it by its name.
    variants.extend(comparisons);
    (made, variants)
}

/// The mutants of a function.
pub(super) fn variants(c: &C, function: FuncId) -> Vec<Variant> {
    let name = &c.program.function(function).name;
    let defined = |name: &str| {
        let id = c.program.function_named(name)?;
        c.program.function(id).body.as_ref().map(|_| id)
    };
    let own = c.mutants.iter().filter(|made| made.of == *name);
    own.map(|made| {
        let place = c.sources.resolve(made.span);
        let comparison = made.comparison.clone().and_then(|name| {
            defined(&name).ok_or_else(|| "the comparison could not be read".to_owned())
        });
        Variant {
            operator: made.operator,
            start: (place.line, place.column),
            end: (place.end_line, place.end_column),
            file: c.sources.file_name(place.file).to_owned(),
            original: made.original.clone(),
            replacement: made.replacement.clone(),
            function: defined(&made.name),
            comparison,
        }
    })
    .collect()
}
