//! The prover of one function: makes graphs when they are needed and asks the portfolio.

use std::collections::BTreeMap;

use glassbox_callsum::{Effort, Summaries, in_context};
use glassbox_ir::{FuncId, Program};
use glassbox_whole::AfterErrors;

use crate::answer::{Answer, Method, Proof, Reason};
use crate::cover;
use crate::model::Model;
use crate::options::Options;
use crate::portfolio::{Approach, Stage};
use crate::question::Question;

/// Answers questions about the runs of one function.
#[derive(Debug)]
pub struct Prover<'a> {
    program: &'a Program,
    function: FuncId,
    options: Options,
    /// By depth of calls, made when asked for; `None` when the function is too complicated.
    models: Vec<(u32, Option<Model>)>,
    /// What functions do that are not expanded; made when first needed.
    summaries: Option<Summaries>,
    /// The function and those that it calls without expanding them, each in its own model; made when first
    /// needed. The inner `None` when that is too much.
    in_context: BTreeMap<Effort, Option<Vec<Model>>>,
}

impl<'a> Prover<'a> {
    /// `function` must be defined in `program`. Work is done when a question asks for it.
    pub fn new(program: &'a Program, function: FuncId, options: Options) -> Prover<'a> {
        Prover {
            program,
            function,
            options,
            models: Vec::new(),
            summaries: None,
            in_context: BTreeMap::new(),
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.program
    }

    pub fn function(&self) -> FuncId {
        self.function
    }

    /// What each function that may be called does whenever it returns, in words; callees first.
    pub fn describe_calls(&mut self) -> Vec<(FuncId, Vec<String>)> {
        let (program, function) = (self.program, self.function);
        let summaries = self.summaries.get_or_insert_with(|| Summaries::new(program, function));
        summaries.describe(program, function, &self.options.calls())
    }

    /// The model with all calls expanded that the options allow.
    pub(crate) fn model(&mut self) -> Option<&mut Model> {
        self.model_at(self.options.max_call_depth)
    }

    fn model_at(&mut self, depth: u32) -> Option<&mut Model> {
        let position = match self.models.iter().position(|(known, _)| *known == depth) {
            Some(position) => position,
            None => {
                let options = Options { max_call_depth: depth, ..self.options.clone() };
                let (program, function) = (self.program, self.function);
                let is_partial = depth < self.options.max_call_depth;
                let summaries =
                    self.summaries.get_or_insert_with(|| Summaries::new(program, function));
                let graph = summaries.graph(program, function, &options.calls(), is_partial);
                let model = graph.map(|graph| Model::new(graph, &options));
                // Whoever is stopped has not found that there is none.
                if model.is_none() && options.stop.is_set() {
                    return None;
                }
                self.models.push((depth, model));
                self.models.len() - 1
            }
        };
        self.models[position].1.as_mut()
    }

    /// Depths of calls to try one after the other: calls are introduced when the question needs them. At first
    /// every call is what its summary says.
    fn depths(&self) -> Vec<u32> {
        let deepest = self.options.max_call_depth;
        if self.options.eager_calls {
            return vec![deepest];
        }
        let has_summaries =
            self.options.call_summaries && self.program.language.calls_have_summaries();
        let first = if has_summaries { 0 } else { 1 };
        let mut depths: Vec<u32> =
            [0, 1, 3].into_iter().filter(|depth| (first..deepest).contains(depth)).collect();
        depths.push(deepest);
        depths
    }

    /// The models of the function and of those that it calls without expanding them.
    fn models_in_context(&mut self, effort: Effort) -> Option<&mut Vec<Model>> {
        if !self.in_context.contains_key(&effort) {
            let (program, function) = (self.program, self.function);
            let options = self.options.clone();
            let summaries = self.summaries.get_or_insert_with(|| Summaries::new(program, function));
            let found = in_context(program, function, summaries, &options.calls(), effort);
            let models = found.map(|found| {
                let opaque = found.opaque;
                let models = found.graphs.into_iter().map(|mut graph| {
                    // What is summarized in one model is in another.
                    graph.hidden.clone_from(&opaque);
                    Model::new(graph, &options)
                });
                models.collect()
            });
            self.in_context.insert(effort, models);
        }
        self.in_context.get_mut(&effort).and_then(Option::as_mut)
    }

    /// The proof from models of all functions that are not expanded: none of them does it.
    fn decide_in_context(&mut self, question: &Question) -> Option<Proof> {
        let options = self.options.clone();
        Effort::ALL.into_iter().find_map(|effort| {
            // What more effort is for, invariants show.
            let stages = match effort {
                Effort::Plain => &Stage::ORDER[..],
                Effort::Factors | Effort::Unrolled => &Stage::CHEAP[..],
            };
            let mut method = Method::ControlFlow;
            for model in self.models_in_context(effort)? {
                match model.decide(question, stages, &options) {
                    Answer::Impossible(proof) => method = method.max(proof.method),
                    Answer::Possible(_) | Answer::Unknown(_) => return None,
                }
            }
            Some(Proof { method, bounds: Vec::new() })
        })
    }

    /// Asks graphs in which more and more calls are expanded. The second is whether functions run that are not in
    /// the last of them. An error ends the question.
    fn decide_expanded(
        &mut self,
        question: &Question,
        stages: &[Stage],
    ) -> Result<(Answer, bool), Reason> {
        let options = self.options.clone();
        let mut answer = Answer::Unknown(Reason::TooWeak);
        let mut is_hidden = false;
        for depth in self.depths() {
            if options.stop.is_set() {
                return Err(Reason::Budget("the time limit"));
            }
            let Some(model) = self.model_at(depth) else {
                return Err(Reason::Budget("building the graph"));
            };
            answer = model.decide(question, stages, &options);
            is_hidden = !model.graph.hidden.is_empty();
            if matches!(answer, Answer::Impossible(_)) || !model.graph.is_shallow {
                break;
            }
        }
        Ok((answer, is_hidden))
    }

    /// Whether any run of the function under test, from any input, does what the question says.
    pub fn decide(&mut self, question: &Question) -> Answer {
        let mut answer = Answer::Unknown(Reason::TooWeak);
        let mut is_hidden = false;
        for approach in Approach::ORDER {
            let proof = match approach {
                Approach::Expanded => match self.decide_expanded(question, &Stage::ORDER) {
                    Ok((Answer::Impossible(proof), _)) => Some(proof),
                    Ok((other, has_hidden)) => {
                        (answer, is_hidden) = (other, has_hidden);
                        None
                    }
                    Err(reason) => return Answer::Unknown(reason),
                },
                Approach::InContext if is_hidden && self.options.call_summaries => {
                    self.decide_in_context(question)
                }
                Approach::InContext => None,
                Approach::Covering => self.exclude_by_covering(question),
            };
            if let Some(proof) = proof {
                return Answer::Impossible(proof);
            }
        }
        answer
    }

    /// The proof that runs over boxes of float inputs give, if they do.
    pub fn exclude_by_covering(&self, question: &Question) -> Option<Proof> {
        // Runs over boxes end where a check fails.
        if self.options.after_errors != AfterErrors::End {
            return None;
        }
        let function = question.function();
        let is_excluded = cover::excludes(self.program, function, question, &self.options);
        is_excluded.then(|| Proof { method: Method::Covering, bounds: Vec::new() })
    }

    /// The proof that invariants alone give, if they do. Much cheaper than `decide` where the answer is no.
    pub fn exclude_by_invariants(&mut self, question: &Question) -> Option<Proof> {
        match self.decide_expanded(question, &Stage::CHEAP) {
            Ok((Answer::Impossible(proof), _)) => Some(proof),
            Ok(_) | Err(_) => None,
        }
    }
}
