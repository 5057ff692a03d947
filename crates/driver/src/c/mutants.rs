//! Mutants of C functions: read with the functions, each with a function that compares it with its original.

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::span::Span;
use glassbox_contract::harness::Unit;
use glassbox_contract::{Config, relation};
use glassbox_ir::{Change, FuncId, Origin};
use glassbox_mutate::{Operator, Text, body, mutants};

use super::C;
use super::schemata::{self, Schemata};
use crate::language::{self, Variant};
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
    /// The number by which a source with all mutants chooses it; why it is in none.
    pub(super) chosen: Result<usize, String>,
}

/// The mutants of the functions of a unit, with all that is to be read for them.
pub(super) fn of_unit(
    mutated: &Mutated,
    config: Option<&Config>,
    unit: &Unit<'_>,
    text: Text<'_>,
    first: usize,
) -> (Vec<Made>, Vec<HarnessSource>, Schemata) {
    let program = unit.program;
    let path = unit.source.display().to_string();
    let (mut made, mut variants, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
    let mut bodies = Vec::new();
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
        let obstacle = schemata::obstacle(program, function);
        let mut own = schemata::Mutated { function, bodies: Vec::new() };
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
            let chosen = obstacle.clone().map_or(Ok(first + made.len() + 1), Err);
            if let (Ok(number), Some(body)) =
                (&chosen, glassbox_mutate::body(program, function, text, &mutant, &of))
            {
                own.bodies.push((*number, body));
            }
            made.push(Made {
                operator: mutant.operator,
                of: of.clone(),
                span: mutant.span,
                original: mutant.original,
                replacement: mutant.replacement,
                name,
                comparison,
                chosen,
            });
        }
        bodies.push(own);
    }
    // What compares a mutant calls it by its name.
    variants.extend(comparisons);
    let schemata = Schemata::new(path, program, text, bodies);
    (made, variants, schemata)
}

/// Sources with all mutants that make programs.
pub(super) fn schemata(c: &C) -> language::Schemata {
    let makes_program = |number: usize| {
        let mut own = c.mutants.iter().filter(|made| made.chosen == Ok(number));
        own.any(|made| {
            let id = c.program.function_named(&made.name);
            id.is_some_and(|id| c.program.function(id).body.is_some())
        })
    };
    let files = c.schemata.iter().map(|it| (it.path.clone(), it.text(makes_program))).collect();
    language::Schemata { files, ..language::Schemata::default() }
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
            not_compared: Vec::new(),
            chosen: made.chosen.clone(),
        }
    })
    .collect()
}

/// The mutants that make programs, for criteria.
pub(super) fn changes(c: &C) -> Vec<Change> {
    let functions = c.program.function_ids().filter(|&id| {
        c.program.function(id).body.is_some()
            && !matches!(c.program.function(id).origin, Origin::Variant { .. })
    });
    let functions = functions.filter(|_| !c.mutants.is_empty());
    let of =
        |of: FuncId| variants(c, of).into_iter().filter_map(move |it| it.change(&c.program, of));
    functions.flat_map(of).collect()
}
