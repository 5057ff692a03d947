//! The script as a sequence of commands.

use std::rc::Rc;

use glassbox_terms::{Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::apply::{self, Workshop};
use crate::command::{Command, Constant, Kind, Query};
use crate::error::{Error, ErrorKind, Fault, Outcome};
use crate::expr::{Expr, Facts, SurfaceSort};
use crate::integer::{Bound, Integer, VARIABLE_WIDTH};
use crate::rounding;
use crate::scope::{Function, Meaning, Scope};
use crate::sexp::{NodeId, NodeKind, Reader, Sexp};
use crate::sort::{SortDefinition, SortReader, number};
use crate::term::{Expansion, Source, TermReader, shorten};

const MAX_LEVELS: u64 = 1_000_000;

/// An assertion in force.
#[derive(Debug)]
struct Assertion {
    text: String,
    facts: Facts,
}

/// What there was at a `push`.
#[derive(Debug, Clone, Copy)]
struct Level {
    n_constants: usize,
    n_assertions: usize,
    n_sorts: usize,
}

/// Reads a script command by command. All terms are made in the arena that is handed in; it must be
/// the same one every time.
#[derive(Debug)]
pub struct Front<'t> {
    text: &'t str,
    reader: Reader<'t>,
    scope: Scope<'t>,
    sorts: FxHashMap<String, SortDefinition>,
    sort_names: Vec<String>,
    expansion: Expansion<'t>,
    workshop: Workshop,
    constants: Vec<Constant>,
    assertions: Vec<Assertion>,
    levels: Vec<Level>,
    declarations_are_global: bool,
    // Where the latest command begins.
    command_offset: usize,
}

impl<'t> Front<'t> {
    pub fn new(text: &'t str) -> Front<'t> {
        Front {
            text,
            reader: Reader::new(text),
            scope: Scope::default(),
            sorts: FxHashMap::default(),
            sort_names: Vec::new(),
            expansion: Expansion::default(),
            workshop: Workshop::default(),
            constants: Vec::new(),
            assertions: Vec::new(),
            levels: Vec::new(),
            declarations_are_global: false,
            command_offset: 0,
        }
    }

    /// The next command; `None` at the end. After an error of kind `Sort` or `Unsupported` the next
    /// call continues after the faulty command, which has had no effect; after `Syntax` too when the
    /// parentheses matched, else the script is over.
    pub fn next_command(&mut self, terms: &mut Terms) -> Option<Result<Command, Error>> {
        let mut sexp = Sexp::default();
        let read = self.reader.read(&mut sexp);
        if let Ok(true) = read {
            self.command_offset = sexp.offset(0);
        }
        let result = match read {
            Ok(false) => return None,
            Ok(true) => self.command(&sexp, terms).map_err(|fault| fault.at(sexp.offset(0))),
            Err(fault) => Err(fault),
        };
        Some(result.map_err(|fault| fault.locate(self.text)))
    }

    /// A diagnostic about the latest command, for the executor of the script.
    pub fn error_here(&self, kind: ErrorKind, message: impl Into<String>) -> Error {
        let fault = Fault { kind, offset: Some(self.command_offset), message: message.into() };
        fault.locate(self.text)
    }

    /// The constants declared and still in scope, in order of declaration.
    pub fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn sort_reader(&self) -> SortReader<'_> {
        SortReader { text: self.text, definitions: &self.sorts }
    }

    fn command(&mut self, sexp: &Sexp, terms: &mut Terms) -> Outcome<Command> {
        let arguments: Vec<NodeId> = sexp.children(0).skip(1).collect();
        let head = sexp.children(0).next().and_then(|head| sexp.symbol(self.text, head));
        let Some(head) = head else {
            return Err(Fault::syntax("a command is a list that begins with its name"));
        };
        let text = |node: NodeId| sexp.source(self.text, node).to_owned();
        let command = match (head, arguments.as_slice()) {
            ("set-logic", &[logic]) => Command::SetLogic(text(logic)),
            ("set-option", &[keyword, value]) => {
                self.set_option(&text(keyword), &text(value));
                Command::SetOption { keyword: text(keyword), value: text(value) }
            }
            ("set-info", &[keyword]) => {
                Command::SetInfo { keyword: text(keyword), value: String::new() }
            }
            ("set-info", &[keyword, value]) => {
                Command::SetInfo { keyword: text(keyword), value: text(value) }
            }
            ("declare-const", &[name, sort]) => self.declare(sexp, terms, name, sort)?,
            ("declare-fun", &[name, parameters, sort]) => {
                if sexp.children(parameters).next().is_some() {
                    let fault = Fault::unsupported("functions that are not defined");
                    return Err(fault.at(sexp.offset(parameters)));
                }
                self.declare(sexp, terms, name, sort)?
            }
            ("define-const", &[name, sort, body]) => {
                self.define_constant(sexp, terms, name, sort, body)?
            }
            ("define-fun", &[name, parameters, sort, body]) => {
                if sexp.children(parameters).next().is_none() {
                    self.define_constant(sexp, terms, name, sort, body)?
                } else {
                    self.define_function(sexp, terms, [name, parameters, sort, body])?
                }
            }
            ("define-sort", &[name, parameters, body]) => {
                self.define_sort(sexp, name, parameters, body)?
            }
            ("assert", &[term]) => self.assert(sexp, terms, term)?,
            ("push", &[]) => self.push(1)?,
            ("pop", &[]) => self.pop(1)?,
            ("push", &[count]) => self.push(number(sexp, self.text, count)?)?,
            ("pop", &[count]) => self.pop(number(sexp, self.text, count)?)?,
            ("check-sat", &[]) => Command::CheckSat { unbounded: self.unbounded(&[]) },
            ("check-sat-assuming", &[list]) => self.check_assuming(sexp, terms, list)?,
            ("get-value", &[list]) => {
                let (queries, _) = self.queries(sexp, terms, list)?;
                if queries.is_empty() {
                    return Err(Fault::syntax("`get-value` needs a list of terms"));
                }
                Command::GetValue(queries)
            }
            ("echo", &[node]) => match sexp.string(self.text, node) {
                Some(content) => Command::Echo(content),
                None => return Err(Fault::syntax("`echo` needs a string")),
            },
            ("get-info", &[keyword]) => Command::GetInfo(text(keyword)),
            ("get-option", &[keyword]) => Command::GetOption(text(keyword)),
            (_, &[]) => self.plain_command(head)?,
            (_, _) => return Err(unknown_command(head)),
        };
        Ok(command)
    }

    fn plain_command(&mut self, head: &str) -> Outcome<Command> {
        let command = match head {
            "get-model" => Command::GetModel,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-assertions" => Command::GetAssertions(
                self.assertions.iter().map(|assertion| assertion.text.clone()).collect(),
            ),
            "reset" => {
                *self = Front { reader: self.reader.clone(), ..Front::new(self.text) };
                Command::Reset
            }
            "reset-assertions" => {
                self.assertions.clear();
                self.levels.clear();
                if self.declarations_are_global {
                    self.scope.leave_levels();
                } else {
                    self.scope.forget_all();
                    self.constants.clear();
                    self.forget_sorts(0);
                }
                Command::ResetAssertions
            }
            "exit" => Command::Exit,
            _ => return Err(unknown_command(head)),
        };
        Ok(command)
    }

    fn set_option(&mut self, keyword: &str, value: &str) {
        if keyword == ":global-declarations" {
            self.declarations_are_global = value == "true";
        }
    }

    // A name that may be introduced.
    fn new_name(&self, sexp: &Sexp, node: NodeId) -> Outcome<&'t str> {
        let here = |fault: Fault| fault.at(sexp.offset(node));
        let Some(name) = sexp.symbol(self.text, node) else {
            return Err(here(Fault::syntax("a name should be here")));
        };
        if apply::is_reserved(name) {
            return Err(here(Fault::sort(format!("`{name}` has a meaning already"))));
        }
        if self.scope.get(name).is_some() {
            return Err(here(Fault::sort(format!("`{}` is declared already", shorten(name)))));
        }
        Ok(name)
    }

    fn declare(
        &mut self,
        sexp: &Sexp,
        terms: &mut Terms,
        name: NodeId,
        sort: NodeId,
    ) -> Outcome<Command> {
        let name = self.new_name(sexp, name)?;
        let surface = self.sort_reader().read(sexp, sort)?;
        let (kind, value) = match surface {
            SurfaceSort::Plain(sort) => (Kind::Plain, Expr::plain(terms.fresh_var(name, sort))),
            SurfaceSort::Rounding => {
                let term = terms.fresh_var(name, Sort::Bv(rounding::WIDTH));
                (Kind::Rounding, Expr::Rounding(term))
            }
            SurfaceSort::Int => {
                let term = terms.fresh_var(name, Sort::Bv(VARIABLE_WIDTH));
                (Kind::Integer, Expr::Integer(Integer::variable(term)))
            }
            SurfaceSort::Real => {
                return Err(Fault::unsupported("real variables").at(sexp.offset(sort)));
            }
        };
        let term = encoded(value).expect("a variable has a term");
        let constraints = match kind {
            Kind::Rounding => vec![rounding::is_legal(terms, term)],
            Kind::Plain | Kind::Integer => Vec::new(),
        };
        let constant = Constant { name: name.to_owned(), kind, term };
        self.scope.introduce(name, Meaning::Value(value));
        self.constants.push(constant.clone());
        Ok(Command::Declare { constant, constraints })
    }

    fn define_constant(
        &mut self,
        sexp: &Sexp,
        terms: &mut Terms,
        name: NodeId,
        sort: NodeId,
        body: NodeId,
    ) -> Outcome<Command> {
        let name = self.new_name(sexp, name)?;
        let sort = self.sort_reader().read(sexp, sort)?;
        let value = self.read_term(sexp, terms, body)?;
        let value = self
            .workshop
            .coerce(terms, value, sort)
            .map_err(|fault| fault.at(sexp.offset(body)))?;
        self.scope.introduce(name, Meaning::Value(value));
        Ok(Command::Define { name: name.to_owned() })
    }

    fn define_function(
        &mut self,
        sexp: &Sexp,
        terms: &mut Terms,
        [name, parameters, sort, body]: [NodeId; 4],
    ) -> Outcome<Command> {
        let name = self.new_name(sexp, name)?;
        let mut typed: Vec<(&'t str, SurfaceSort)> = Vec::new();
        let mut seen = FxHashSet::default();
        for parameter in sexp.children(parameters) {
            let here = |fault: Fault| fault.at(sexp.offset(parameter));
            let Some([parameter_name, parameter_sort]) = sexp.members(parameter) else {
                return Err(here(Fault::syntax("a parameter is `(name sort)`")));
            };
            let Some(parameter_name) = sexp.symbol(self.text, parameter_name) else {
                return Err(here(Fault::syntax("a parameter needs a name")));
            };
            if !seen.insert(parameter_name) {
                return Err(here(Fault::sort("two parameters of one name")));
            }
            typed.push((parameter_name, self.sort_reader().read(sexp, parameter_sort)?));
        }
        let result = self.sort_reader().read(sexp, sort)?;
        // Read once with stand-ins, so that a bad body is reported here and not at a call.
        let stand_ins: Vec<(&'t str, Expr)> = typed
            .iter()
            .map(|&(name, sort)| (name, stand_in(terms, &mut self.workshop, sort)))
            .collect();
        let mut reader = self.term_reader(sexp, terms);
        for (name, value) in stand_ins {
            reader.locals.bind(name, value);
        }
        let value = reader.read(body)?;
        self.workshop.coerce(terms, value, result).map_err(|fault| fault.at(sexp.offset(body)))?;
        let function = Function { parameters: typed, result, body: sexp.detach(body) };
        self.scope.introduce(name, Meaning::Function(Rc::new(function)));
        Ok(Command::Define { name: name.to_owned() })
    }

    fn define_sort(
        &mut self,
        sexp: &Sexp,
        name: NodeId,
        parameters: NodeId,
        body: NodeId,
    ) -> Outcome<Command> {
        let name_offset = sexp.offset(name);
        let Some(name) = sexp.symbol(self.text, name) else {
            return Err(Fault::syntax("a name should be here").at(name_offset));
        };
        let builtin = ["Bool", "Int", "Real", "RoundingMode", "Array", "BitVec", "FloatingPoint"];
        if builtin.contains(&name) || name.starts_with("Float") || self.sorts.contains_key(name) {
            return Err(Fault::sort(format!("sort `{name}` exists already")).at(name_offset));
        }
        let mut names = Vec::new();
        for parameter in sexp.children(parameters) {
            match sexp.symbol(self.text, parameter) {
                Some(name) => names.push(name.to_owned()),
                None => return Err(Fault::syntax("a parameter of a sort is a name")),
            }
        }
        let definition = SortDefinition { parameters: names, body: sexp.detach(body) };
        // With parameters, what is wrong shows only where the sort is used.
        if definition.parameters.is_empty() {
            self.sort_reader().read(&definition.body, 0)?;
        }
        self.sorts.insert(name.to_owned(), definition);
        self.sort_names.push(name.to_owned());
        Ok(Command::Define { name: name.to_owned() })
    }

    fn term_reader<'a>(&'a mut self, sexp: &'a Sexp, terms: &'a mut Terms) -> TermReader<'a, 't> {
        TermReader::new(
            Source { text: self.text, sexp },
            SortReader { text: self.text, definitions: &self.sorts },
            &self.scope,
            &mut self.expansion,
            terms,
            &mut self.workshop,
        )
    }

    // Reads a term and introduces what it names.
    fn read_term(&mut self, sexp: &Sexp, terms: &mut Terms, node: NodeId) -> Outcome<Expr> {
        let mut reader = self.term_reader(sexp, terms);
        let value = reader.read(node)?;
        let named = std::mem::take(&mut reader.named);
        let mut seen = FxHashSet::default();
        for (name, _) in &named {
            if apply::is_reserved(name) || self.scope.get(name).is_some() || !seen.insert(name) {
                let message = format!("`{}` is declared already", shorten(name));
                return Err(Fault::sort(message).at(sexp.offset(node)));
            }
        }
        for (name, value) in named {
            self.scope.introduce(name, Meaning::Value(value));
        }
        Ok(value)
    }

    fn assert(&mut self, sexp: &Sexp, terms: &mut Terms, node: NodeId) -> Outcome<Command> {
        let value = self.read_term(sexp, terms, node)?;
        let (term, facts) =
            self.workshop.bool(terms, value).map_err(|fault| fault.at(sexp.offset(node)))?;
        let name = self.label(sexp, node);
        let text = sexp.source(self.text, node).to_owned();
        self.assertions.push(Assertion { text, facts });
        Ok(Command::Assert { term, name })
    }

    // The name in `(! term :named name)`.
    fn label(&self, sexp: &Sexp, node: NodeId) -> Option<String> {
        let mut members = sexp.children(node);
        if sexp.kind(members.next()?) != NodeKind::Symbol || sexp.source(self.text, node + 1) != "!"
        {
            return None;
        }
        let mut after_keyword = members.skip_while(|&member| {
            sexp.kind(member) != NodeKind::Keyword || sexp.source(self.text, member) != ":named"
        });
        after_keyword.next()?;
        let name = after_keyword.next()?;
        sexp.symbol(self.text, name).map(str::to_owned)
    }

    fn push(&mut self, count: u64) -> Outcome<Command> {
        let total = u64::try_from(self.levels.len()).unwrap_or(u64::MAX).saturating_add(count);
        if total > MAX_LEVELS {
            return Err(Fault::unsupported(format!("more than {MAX_LEVELS} levels")));
        }
        for _ in 0..count {
            self.levels.push(Level {
                n_constants: self.constants.len(),
                n_assertions: self.assertions.len(),
                n_sorts: self.sort_names.len(),
            });
            self.scope.push();
        }
        Ok(Command::Push(usize::try_from(count).expect("at most a million")))
    }

    fn pop(&mut self, count: u64) -> Outcome<Command> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count > self.levels.len() {
            return Err(Fault::sort(format!("there are only {} levels", self.levels.len())));
        }
        for _ in 0..count {
            let level = self.levels.pop().expect("counted above");
            self.assertions.truncate(level.n_assertions);
            if !self.declarations_are_global {
                self.scope.pop();
                self.constants.truncate(level.n_constants);
                self.forget_sorts(level.n_sorts);
            }
        }
        Ok(Command::Pop(count))
    }

    fn forget_sorts(&mut self, kept: usize) {
        for name in self.sort_names.drain(kept..) {
            self.sorts.remove(&name);
        }
    }

    // The terms of a list, and what they say about integers.
    fn queries(
        &mut self,
        sexp: &Sexp,
        terms: &mut Terms,
        list: NodeId,
    ) -> Outcome<(Vec<Query>, Vec<Facts>)> {
        if sexp.kind(list) != NodeKind::List {
            return Err(Fault::syntax("a list of terms should be here").at(sexp.offset(list)));
        }
        let mut queries = Vec::new();
        let mut facts = Vec::new();
        for node in sexp.children(list) {
            let value = self.read_term(sexp, terms, node)?;
            let value = match self.workshop.sort_of(terms, value) {
                SurfaceSort::Int => Expr::Integer(self.workshop.integer(terms, value)?),
                SurfaceSort::Plain(_) | SurfaceSort::Rounding | SurfaceSort::Real => value,
            };
            let Some(term) = encoded(value) else {
                return Err(Fault::unsupported("real arithmetic").at(sexp.offset(node)));
            };
            let kind = match value {
                Expr::Term(_, fact) => {
                    facts.push(fact);
                    Kind::Plain
                }
                Expr::Rounding(_) => Kind::Rounding,
                Expr::Integer(_) | Expr::Number(_) => Kind::Integer,
            };
            queries.push(Query { text: sexp.source(self.text, node).to_owned(), kind, term });
        }
        Ok((queries, facts))
    }

    fn check_assuming(&mut self, sexp: &Sexp, terms: &mut Terms, list: NodeId) -> Outcome<Command> {
        let (assumptions, facts) = self.queries(sexp, terms, list)?;
        if assumptions.iter().any(|query| terms.sort(query.term) != Sort::Bool) {
            return Err(Fault::sort("assumptions are Bool").at(sexp.offset(list)));
        }
        Ok(Command::CheckSatAssuming { assumptions, unbounded: self.unbounded(&facts) })
    }

    // The integers in scope that were mentioned and lack a bound in the assertions and `more`.
    fn unbounded(&self, more: &[Facts]) -> Vec<TermId> {
        if self.workshop.mentioned.is_empty() {
            return Vec::new();
        }
        let facts = self.assertions.iter().map(|assertion| &assertion.facts).chain(more);
        let bounds: FxHashSet<Bound> =
            facts.flat_map(|&facts| self.workshop.facts.bounds(facts)).collect();
        self.constants
            .iter()
            .filter(|constant| constant.kind == Kind::Integer)
            .map(|constant| constant.term)
            .filter(|&term| self.workshop.mentioned.contains(&term))
            .filter(|&term| {
                !bounds.contains(&Bound::Below(term)) || !bounds.contains(&Bound::Above(term))
            })
            .collect()
    }
}

fn unknown_command(head: &str) -> Fault {
    let known = [
        "set-logic",
        "set-option",
        "set-info",
        "declare-const",
        "declare-fun",
        "define-const",
        "define-fun",
        "define-sort",
        "assert",
        "push",
        "pop",
        "check-sat",
        "check-sat-assuming",
        "get-value",
        "echo",
        "get-info",
        "get-option",
        "get-model",
        "get-unsat-core",
        "get-unsat-assumptions",
        "get-assertions",
        "reset",
        "reset-assertions",
        "exit",
    ];
    if known.contains(&head) {
        Fault::syntax(format!("`{head}` with these arguments"))
    } else {
        Fault::unsupported(format!("command `{}`", shorten(head)))
    }
}

fn encoded(value: Expr) -> Option<TermId> {
    match value {
        Expr::Term(term, _) | Expr::Rounding(term) => Some(term),
        Expr::Integer(integer) => Some(integer.term),
        Expr::Number(_) => None,
    }
}

// A value of the sort about which nothing is known.
fn stand_in(terms: &mut Terms, workshop: &mut Workshop, sort: SurfaceSort) -> Expr {
    match sort {
        SurfaceSort::Plain(sort) => Expr::plain(terms.fresh_var("parameter", sort)),
        SurfaceSort::Rounding => {
            Expr::Rounding(terms.fresh_var("parameter", Sort::Bv(rounding::WIDTH)))
        }
        SurfaceSort::Int => {
            let term = terms.fresh_var("parameter", Sort::Bv(VARIABLE_WIDTH));
            Expr::Integer(Integer::variable(term))
        }
        SurfaceSort::Real => workshop.literal("1.0"),
    }
}
