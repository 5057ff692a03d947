//! The executor of SMT-LIB 2.6 scripts: one response for each command.
//!
//! Responses are as the standard prescribes, except for two defaults that every script in practice relies
//! on and z3 shares: `:print-success` is off and `:produce-models` is on. Errors are
//! `(error "line L column C: what")`, and execution continues after them.
//!
//! An `unsat` about integers counts only when the script bounds every integer it mentions; else it is
//! `unknown`, see `glassbox_smtlib`.
//!
//! Cores are reduced only when a command prints them: most refutations are never looked at.
//! With an external solver, every check is its own; this executor keeps the stack, the values and the responses.

use glassbox_smtlib::{Command, Error, ErrorKind, Front, Query, answer};
use glassbox_terms::{Model, TermId, Terms};

use crate::answer::{Answer, AssertionId, Core, Why};
use crate::external::{External, Reply, Trouble};
use crate::options::Options;
use crate::reduce::reduce;
use crate::solver::Solver;

/// What a command prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// Nothing.
    Silent,
    /// One or more lines, without the last line end.
    Text(String),
    /// A diagnostic; as text it is `glassbox_smtlib::answer::error`.
    Error(Error),
}

/// The latest check, as long as nothing was changed since.
#[derive(Debug)]
enum Latest {
    None,
    Sat(Model),
    Unsat { core: Core, assumptions: Vec<(TermId, String)> },
    Unknown(&'static str),
}

/// What `set-option` has chosen.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    print_success: bool,
    produce_models: bool,
    produce_cores: bool,
    produce_assumptions: bool,
}

impl Default for Chosen {
    fn default() -> Chosen {
        Chosen {
            print_success: false,
            produce_models: true,
            produce_cores: false,
            produce_assumptions: false,
        }
    }
}

/// A named assertion in force.
#[derive(Debug)]
struct Named {
    id: AssertionId,
    name: String,
    level: usize,
}

/// A script under execution.
#[derive(Debug)]
pub struct Script<'t> {
    front: Front<'t>,
    terms: Terms,
    options: Options,
    solver: Solver,
    external: Option<External>,
    trouble: Option<Trouble>,
    chosen: Chosen,
    named: Vec<Named>,
    latest: Latest,
    has_answered_unknown: bool,
    is_over: bool,
}

impl<'t> Script<'t> {
    pub fn new(text: &'t str, options: Options) -> Script<'t> {
        Script {
            front: Front::new(text),
            terms: Terms::new(),
            solver: Solver::new(options.clone()),
            options,
            external: None,
            trouble: None,
            chosen: Chosen::default(),
            named: Vec::new(),
            latest: Latest::None,
            has_answered_unknown: false,
            is_over: false,
        }
    }

    /// A script whose checks are answered by another solver.
    pub fn with_external(text: &'t str, options: Options, external: External) -> Script<'t> {
        Script { external: Some(external), ..Script::new(text, options) }
    }

    /// Executes the next command; `None` at the end of the script and after `exit`.
    pub fn step(&mut self) -> Option<Response> {
        if self.is_over {
            return None;
        }
        let response = match self.front.next_command(&mut self.terms)? {
            Ok(command) => self.execute(command),
            Err(error) => Response::Error(error),
        };
        Some(response)
    }

    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Why the external solver did not answer a check, once for each such check.
    pub fn take_trouble(&mut self) -> Option<Trouble> {
        self.trouble.take()
    }

    /// Whether some check was answered `unknown`.
    pub fn has_answered_unknown(&self) -> bool {
        self.has_answered_unknown
    }

    fn execute(&mut self, command: Command) -> Response {
        match command {
            Command::SetLogic(_) | Command::SetInfo { .. } => self.success(),
            Command::SetOption { keyword, value } => self.set_option(&keyword, &value),
            Command::Declare { constraints, .. } => {
                self.latest = Latest::None;
                for constraint in constraints {
                    self.solver.assert(&mut self.terms, constraint);
                }
                self.success()
            }
            Command::Define { .. } => self.success(),
            Command::Assert { term, name } => {
                self.latest = Latest::None;
                let id = self.solver.assert(&mut self.terms, term);
                if let Some(name) = name {
                    self.named.push(Named { id, name, level: self.solver.level() });
                }
                self.success()
            }
            Command::Push(n) => {
                self.latest = Latest::None;
                for _ in 0..n {
                    self.solver.push();
                }
                self.success()
            }
            Command::Pop(n) => {
                self.latest = Latest::None;
                self.solver.pop(n);
                let level = self.solver.level();
                self.named.retain(|named| named.level <= level);
                self.success()
            }
            Command::CheckSat { unbounded } => {
                let answer = self.check(&[]);
                self.answered(answer, Vec::new(), &unbounded)
            }
            Command::CheckSatAssuming { assumptions, unbounded } => {
                self.check_assuming(assumptions, &unbounded)
            }
            Command::GetModel
            | Command::GetValue(_)
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions => {
                self.reduce_core(&command);
                self.evidence(&command)
            }
            Command::GetAssertions(texts) => Response::Text(format!("({})", texts.join("\n "))),
            Command::GetInfo(keyword) => self.get_info(&keyword),
            Command::GetOption(keyword) => self.get_option(&keyword),
            Command::Echo(content) => Response::Text(answer::string(&content)),
            Command::ResetAssertions => {
                self.forget_assertions();
                self.success()
            }
            Command::Reset => {
                self.forget_assertions();
                self.chosen = Chosen::default();
                self.success()
            }
            Command::Exit => {
                self.is_over = true;
                self.success()
            }
        }
    }

    fn success(&self) -> Response {
        if self.chosen.print_success {
            Response::Text("success".to_owned())
        } else {
            Response::Silent
        }
    }

    fn error(&self, message: &str) -> Response {
        Response::Error(self.front.error_here(ErrorKind::Unsupported, message))
    }

    fn forget_assertions(&mut self) {
        self.solver = Solver::new(self.options.clone());
        self.named.clear();
        self.latest = Latest::None;
    }

    fn check_assuming(&mut self, assumptions: Vec<Query>, unbounded: &[TermId]) -> Response {
        let terms: Vec<TermId> = assumptions.iter().map(|query| query.term).collect();
        let texts = assumptions.into_iter().map(|query| (query.term, query.text)).collect();
        let answer = self.check(&terms);
        self.answered(answer, texts, unbounded)
    }

    /// Asks the solver of this script.
    fn check(&mut self, assumptions: &[TermId]) -> Answer {
        let Some(external) = &self.external else {
            return if assumptions.is_empty() {
                self.solver.check(&mut self.terms)
            } else {
                self.solver.check_assuming(&mut self.terms, assumptions)
            };
        };
        let (ids, mut terms): (Vec<AssertionId>, Vec<TermId>) = self.solver.assertions().unzip();
        terms.extend(assumptions);
        match external.check(&mut self.terms, &terms) {
            Reply::Sat(model) => Answer::Sat(model),
            Reply::Unsat => {
                Answer::Unsat(Core { assertions: ids, assumptions: assumptions.to_vec() })
            }
            Reply::Unknown(trouble) => {
                let why = match trouble {
                    Trouble::TimedOut => Why::Stopped,
                    Trouble::WrongModel => Why::Disagreement,
                    Trouble::NotStarted(_)
                    | Trouble::SaysUnknown
                    | Trouble::Crashed
                    | Trouble::Unexpected(_) => Why::Incomplete,
                };
                self.trouble = Some(trouble);
                Answer::Unknown(why)
            }
        }
    }

    /// Makes the core at hand smaller in what the command prints: names or assumptions.
    fn reduce_core(&mut self, command: &Command) {
        let Latest::Unsat { core, .. } = &mut self.latest else { return };
        let wants_names = matches!(command, Command::GetUnsatCore);
        if !wants_names && !matches!(command, Command::GetUnsatAssumptions) {
            return;
        }
        let named: Vec<AssertionId> = self.named.iter().map(|named| named.id).collect();
        let (mut fixed, mut members, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        for (id, term) in self.solver.assertions() {
            if core.assertions.binary_search(&id).is_err() {
                continue;
            }
            if wants_names && named.binary_search(&id).is_ok() {
                members.push(term);
                ids.push(id);
            } else {
                fixed.push(term);
            }
        }
        if wants_names {
            fixed.extend(&core.assumptions);
            let kept = reduce(&mut self.terms, &fixed, &members);
            let kept: Vec<AssertionId> = kept.into_iter().map(|place| ids[place]).collect();
            core.assertions
                .retain(|id| named.binary_search(id).is_err() || kept.binary_search(id).is_ok());
        } else {
            let kept = reduce(&mut self.terms, &fixed, &core.assumptions);
            core.assumptions = kept.into_iter().map(|place| core.assumptions[place]).collect();
        }
    }

    fn answered(
        &mut self,
        answer: Answer,
        assumptions: Vec<(TermId, String)>,
        unbounded: &[TermId],
    ) -> Response {
        let (latest, text) = match answer {
            Answer::Sat(model) => (Latest::Sat(model), "sat"),
            Answer::Unsat(core) if unbounded.is_empty() => {
                (Latest::Unsat { core, assumptions }, "unsat")
            }
            Answer::Unsat(_) => (Latest::Unknown("incomplete"), "unknown"),
            Answer::Unknown(Why::TooLarge) => (Latest::Unknown("memout"), "unknown"),
            Answer::Unknown(Why::Stopped) => (Latest::Unknown("timeout"), "unknown"),
            Answer::Unknown(Why::Budget | Why::Incomplete | Why::Disagreement) => {
                (Latest::Unknown("incomplete"), "unknown")
            }
        };
        self.has_answered_unknown |= matches!(latest, Latest::Unknown(_));
        self.latest = latest;
        Response::Text(text.to_owned())
    }

    /// Models, values and cores of the latest check.
    fn evidence(&self, command: &Command) -> Response {
        let text = match (command, &self.latest) {
            (Command::GetModel | Command::GetValue(_), _) if !self.chosen.produce_models => {
                return self.error("models are switched off by `:produce-models`");
            }
            (Command::GetUnsatCore, _) if !self.chosen.produce_cores => {
                return self.error("cores need `(set-option :produce-unsat-cores true)`");
            }
            (Command::GetUnsatAssumptions, _) if !self.chosen.produce_assumptions => {
                let message = "this needs `(set-option :produce-unsat-assumptions true)`";
                return self.error(message);
            }
            (Command::GetModel, Latest::Sat(model)) => {
                answer::model(&self.terms, self.front.constants(), model)
            }
            (Command::GetValue(queries), Latest::Sat(model)) => {
                answer::values(&self.terms, queries, model)
            }
            (Command::GetUnsatCore, Latest::Unsat { core, .. }) => {
                let is_in = |named: &&Named| core.assertions.binary_search(&named.id).is_ok();
                answer::symbols(self.named.iter().filter(is_in).map(|named| named.name.as_str()))
            }
            (Command::GetUnsatAssumptions, Latest::Unsat { core, assumptions }) => {
                let is_in = |(term, _): &&(TermId, String)| core.assumptions.contains(term);
                let texts: Vec<&str> =
                    assumptions.iter().filter(is_in).map(|(_, text)| text.as_str()).collect();
                format!("({})", texts.join(" "))
            }
            (Command::GetModel | Command::GetValue(_), _) => {
                return self.error("there is no model: the latest command was no `sat` check");
            }
            (_, _) => {
                return self.error("there is no core: the latest command was no `unsat` check");
            }
        };
        Response::Text(text)
    }

    fn set_option(&mut self, keyword: &str, value: &str) -> Response {
        let place = match keyword {
            ":print-success" => &mut self.chosen.print_success,
            ":produce-models" => &mut self.chosen.produce_models,
            ":produce-unsat-cores" => &mut self.chosen.produce_cores,
            ":produce-unsat-assumptions" => &mut self.chosen.produce_assumptions,
            // Known to the front, or without effect here.
            ":global-declarations"
            | ":verbosity"
            | ":random-seed"
            | ":reproducible-resource-limit"
            | ":diagnostic-output-channel" => return self.success(),
            _ => return Response::Text("unsupported".to_owned()),
        };
        *place = match value {
            "true" => true,
            "false" => false,
            _ => return self.error("the value of this option is `true` or `false`"),
        };
        self.success()
    }

    fn get_option(&self, keyword: &str) -> Response {
        let value = match keyword {
            ":print-success" => self.chosen.print_success,
            ":produce-models" => self.chosen.produce_models,
            ":produce-unsat-cores" => self.chosen.produce_cores,
            ":produce-unsat-assumptions" => self.chosen.produce_assumptions,
            _ => return Response::Text("unsupported".to_owned()),
        };
        Response::Text(value.to_string())
    }

    fn get_info(&self, keyword: &str) -> Response {
        let value = match (keyword, &self.latest) {
            (":name", _) => "\"Glassbox\"".to_owned(),
            (":version", _) => answer::string(env!("CARGO_PKG_VERSION")),
            (":authors", _) => "\"the Glassbox authors\"".to_owned(),
            (":error-behavior", _) => "continued-execution".to_owned(),
            (":assertion-stack-levels", _) => self.solver.level().to_string(),
            (":reason-unknown", Latest::Unknown(reason)) => (*reason).to_owned(),
            (":all-statistics", _) => return Response::Text(self.statistics()),
            _ => return Response::Text("unsupported".to_owned()),
        };
        Response::Text(format!("({keyword} {value})"))
    }

    fn statistics(&self) -> String {
        let statistics = self.solver.statistics();
        let mut parts = vec![format!(":checks {}", statistics.checks)];
        for (layer, counters) in statistics.layers() {
            let name = layer.name();
            parts.push(format!(
                ":{name}-asked {} :{name}-sat {} :{name}-unsat {} :{name}-steps {}",
                counters.asked, counters.sat, counters.unsat, counters.steps
            ));
        }
        format!("({})", parts.join("\n "))
    }
}
