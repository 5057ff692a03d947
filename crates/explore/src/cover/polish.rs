//! The last found test with nicer values: a run that is the same in every fact, only easier to read.

use std::collections::BTreeSet;

use glassbox_ir::{SourceType, SourceTypeId};
use glassbox_model::inputs::ParamValue;
use glassbox_model::memory::{CellValue, Memory, ObjectKind};
use glassbox_model::stream_input::{ItemText, StreamItem};
use glassbox_model::value::SymValue;
use glassbox_terms::TermId;
use glassbox_testcase::TestInput;

use super::Cover;
use crate::guide::GuidedPath;
use crate::humane::{Flavor, nicer};
use crate::humane_input::nicer_input;
use crate::runner::{FoundTest, ends_well};
use crate::search::PathSearch;

/// Runs longer than this are not repeated for looks.
const MAX_STEPS: u64 = 20_000;

impl Cover<'_> {
    /// For a test that was just found at the end of a path: another model of the path's conditions.
    pub(super) fn polish_path(
        &mut self,
        search: &mut PathSearch<'_>,
        memory: &Memory,
        path: &GuidedPath,
    ) {
        let letters = letters(search, memory);
        let mut lengths = lengths(memory);
        lengths.extend(search.inputs.streams.iter().filter_map(|stream| stream.length));
        let flavor = |variable: TermId| {
            if letters.contains(&variable) {
                Flavor::Letter
            } else if lengths.contains(&variable) {
                Flavor::Length
            } else {
                Flavor::Number
            }
        };
        let variables = &search.inputs.variables;
        let model = nicer(&search.terms, variables, &path.conditions, flavor, &path.model);
        if model == path.model {
            return;
        }
        let input = search.input_of(memory, &model);
        if let Some(polished) = self.same_run(search, &input)
            && let Some(last) = self.tests.last_mut()
        {
            *last = polished;
        }
    }

    /// For a test that was just found by a drawn input.
    pub(super) fn polish_seed(&mut self, search: &mut PathSearch<'_>) {
        let Some(last) = self.tests.last() else { return };
        if last.observation.steps > MAX_STEPS {
            return;
        }
        let input = last.input.clone();
        let mut polished = None;
        nicer_input(search.program, &input, |candidate| {
            let same = if search.is_stopped() { None } else { self.same_run(search, candidate) };
            let is_same = same.is_some();
            polished = same.or(polished.take());
            is_same
        });
        if let (Some(polished), Some(last)) = (polished, self.tests.last_mut()) {
            *last = polished;
        }
    }

    /// The last test with another input, if the run differs in nothing that goals are about.
    fn same_run(&self, search: &mut PathSearch<'_>, input: &TestInput) -> Option<FoundTest> {
        let last = self.tests.last()?;
        let run = search.runner.run(search.entry, input).ok()?;
        let facts = search.runner.facts(search.function, &run);
        if !ends_well(&run) || facts != last.facts {
            return None;
        }
        let constraints = last.constraints.clone();
        let runner = &search.runner;
        Some(runner.found_test(search.function, input.clone(), run, facts, constraints))
    }
}

/// Variables that are characters.
fn letters(search: &PathSearch<'_>, memory: &Memory) -> BTreeSet<TermId> {
    let is_char = |ty: SourceTypeId| {
        let resolved = search.program.resolve_source_type(ty);
        matches!(search.program.source_type(resolved), SourceType::Int { is_char: true, .. })
    };
    let byte = |item: &StreamItem| match item.text {
        ItemText::Byte(byte) => Some(byte),
        ItemText::Integer { .. } | ItemText::Float(_) => None,
    };
    let mut found: BTreeSet<TermId> =
        search.inputs.streams.iter().flat_map(|stream| &stream.items).filter_map(byte).collect();
    for param in &search.inputs.params {
        if let ParamValue::Scalar(SymValue::Term(term)) = param.value
            && is_char(param.source_type)
        {
            found.insert(term);
        }
    }
    for id in memory.ids() {
        let object = memory.object(id);
        if let ObjectKind::Input { element, .. } = object.kind
            && is_char(element)
        {
            found.extend(object.initial.values().filter_map(|cell| match cell.value {
                CellValue::Term(term) => Some(term),
                CellValue::Ptr(_) => None,
            }));
        }
    }
    found
}

/// Variables that are lengths of memory.
fn lengths(memory: &Memory) -> BTreeSet<TermId> {
    let length = |id| match memory.object(id).kind {
        ObjectKind::Input { length, .. } => Some(length),
        ObjectKind::Instance { length, .. } => length,
        ObjectKind::Global(_)
        | ObjectKind::Local(..)
        | ObjectKind::Stack
        | ObjectKind::Heap
        | ObjectKind::VarArgs
        | ObjectKind::Stream => None,
    };
    let room = |id| memory.object(id).front.map(|front| front.length);
    memory.ids().flat_map(|id| [length(id), room(id)]).flatten().collect()
}
