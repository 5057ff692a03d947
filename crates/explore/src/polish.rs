//! The last found test with nicer values: a run that is the same in every fact, only easier to read.

use std::collections::BTreeSet;

use glassbox_interp::run_test;
use glassbox_ir::{SourceType, SourceTypeId};
use glassbox_model::inputs::{ParamValue, StdinItem, StdinText, extract};
use glassbox_model::memory::{CellValue, Memory, ObjectKind};
use glassbox_model::value::SymValue;
use glassbox_terms::{Evaluator, TermId};
use glassbox_testcase::{Ending, TestInput};

use crate::campaign::{Campaign, FoundTest};
use crate::facts::{condition_trace, elsewhere, facts_of};
use crate::guide::GuidedPath;
use crate::humane::{Flavor, nicer};
use crate::humane_input::nicer_input;
use crate::valuation::ModelValuation;

/// Runs longer than this are not repeated for looks.
const MAX_STEPS: u64 = 20_000;

impl Campaign<'_> {
    /// For a test that was just found at the end of a path: another model of the path's conditions.
    pub(crate) fn polish_path(&mut self, memory: &Memory, path: &GuidedPath) {
        let letters = self.letters(memory);
        let mut lengths = lengths(memory);
        lengths.extend(self.inputs.stdin_length);
        let flavor = |variable: TermId| {
            if letters.contains(&variable) {
                Flavor::Letter
            } else if lengths.contains(&variable) {
                Flavor::Length
            } else {
                Flavor::Number
            }
        };
        let variables = &self.inputs.variables;
        let model = nicer(&self.terms, variables, &path.conditions, flavor, &path.model);
        if model == path.model {
            return;
        }
        let mut valuation =
            ModelValuation { evaluator: Evaluator::new(), terms: &self.terms, model: &model };
        let input = extract(self.program, memory, &self.inputs, &mut valuation);
        if let Some(polished) = self.same_run(&input)
            && let Some(last) = self.tests.last_mut()
        {
            *last = polished;
        }
    }

    /// For a test that was just found by a drawn input.
    pub(crate) fn polish_seed(&mut self) {
        let Some(last) = self.tests.last() else { return };
        if last.observation.steps > MAX_STEPS {
            return;
        }
        let input = last.input.clone();
        let mut polished = None;
        let program = self.program;
        let _ = nicer_input(program, &input, |candidate| match self.same_run(candidate) {
            Some(test) => {
                polished = Some(test);
                true
            }
            None => false,
        });
        if let (Some(polished), Some(last)) = (polished, self.tests.last_mut()) {
            *last = polished;
        }
    }

    /// The last test with another input, if the run differs in nothing that goals are about.
    fn same_run(&mut self, input: &TestInput) -> Option<FoundTest> {
        let last = self.tests.last()?;
        let machine = self.machine.as_mut()?;
        self.n_runs += 1;
        let run = run_test(machine, &self.stubs, self.entry, input)?;
        let is_valid = matches!(run.observation.ending, Ending::Returned | Ending::Exited(_));
        let facts = facts_of(self.program, self.function, machine.coverage(), &run.outcome);
        if !is_valid || facts != last.facts {
            return None;
        }
        let condition_trace = condition_trace(self.program, self.function, machine.coverage());
        Some(FoundTest {
            input: input.clone(),
            observation: run.observation,
            facts,
            elsewhere: elsewhere(self.program, self.function, machine.coverage()),
            constraints: last.constraints.clone(),
            condition_trace,
        })
    }

    /// Variables that are characters.
    fn letters(&self, memory: &Memory) -> BTreeSet<TermId> {
        let is_char = |ty: SourceTypeId| {
            let resolved = self.program.resolve_source_type(ty);
            matches!(self.program.source_type(resolved), SourceType::Int { is_char: true, .. })
        };
        let byte = |item: &StdinItem| match item.text {
            StdinText::Byte(byte) => Some(byte),
            StdinText::Integer { .. } | StdinText::Float(_) => None,
        };
        let mut found: BTreeSet<TermId> = self.inputs.stdin.iter().filter_map(byte).collect();
        for param in &self.inputs.params {
            if let ParamValue::Scalar(SymValue::Term(term)) = param.value
                && is_char(param.source_type)
            {
                let _ = found.insert(term);
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
        | ObjectKind::VarArgs => None,
    };
    memory.ids().filter_map(length).collect()
}
