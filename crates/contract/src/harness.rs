//! The harness of a contract as C text: what is required is assumed, the function is called, what is
//! ensured is asserted.
//!
//! ```c
//! {
//!     __glassbox_assume(target > 0);          // every require, range and length
//!     __auto_type __old0 = (a[0]);            // every old(…)
//!     __typeof__(sample(a, target)) result = sample(a, target);
//!     __glassbox_ensure(result >= __old0);    // every ensure
//!     return result;
//! }
//! ```
//!
//! Line markers put each expression at the line and column of the configuration file where it was
//! written, so that every message about it points there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_c_front::tree;
use glassbox_ir::{FuncId, Origin, Program, Span};

pub use crate::assigned::Frame;
use crate::complaint::Complaint;
use crate::conditions::conditions;
use crate::declared::{apart, arguments, asked};
use crate::expanded::refuse_changes;
use crate::expression::{identifiers, olds};
use crate::quantifier::{Piece, parse};
use crate::stub::Stub;
use crate::{Clause, ClauseKind, Config, Contract, Declared, assigned};

/// How names of harnesses start.
pub(crate) const PREFIX: &str = "__glassbox_contract_";

/// How names of functions start that say whether arguments are as a contract requires.
pub(crate) const REQUIREMENT: &str = "__glassbox_requires_";

/// How names of functions start that say whether a call did what a contract promises.
const PROMISE: &str = "__glassbox_promises_";

/// Stands before user's text in made code.
const MARK: char = '\u{1}';

/// Declarations of what says how much memory there is behind a pointer.
pub(crate) const MEASURES: &str = " extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);\
     extern int __glassbox_whole(const void *, unsigned long);";

/// Arrays up to this length get one assumption per element instead of a loop.
pub(crate) const MAX_UNROLLED: u64 = 64;

/// The harness of this function, if a contract made one.
pub fn entry(program: &Program, function: FuncId) -> Option<FuncId> {
    let mut ids = program.function_ids();
    ids.find(|&id| program.function(id).origin == Origin::Harness { of: function })
}

/// The clause that something in a harness was written in.
pub fn clause_at<'c>(
    program: &Program,
    config: &Config,
    contract: &'c Contract,
    span: Span,
) -> Option<&'c Clause> {
    let file = program.files.get(span.file.index())?;
    let is_declared = |clause: &&Clause| {
        let declared = clause.declared.as_ref();
        declared.is_some_and(|one| one.is_at(&file.path, span.line, span.column))
    };
    if let Some(clause) = contract.clauses.iter().find(is_declared) {
        return Some(clause);
    }
    let place = (usize::try_from(span.line).ok()?, usize::try_from(span.column).ok()?);
    // The last clause that starts at or before the place.
    let starts = contract.clauses.iter().filter_map(|clause| {
        let (path, line, column) = config.stands_at(clause);
        (path == file.path && (line, column) <= place).then_some(((line, column), clause))
    });
    starts.max_by_key(|(start, _)| *start).map(|(_, clause)| clause)
}

/// What harnesses of a unit are made from.
#[derive(Debug)]
pub struct Unit<'a> {
    pub program: &'a tree::Program,
    /// The unit, preprocessed.
    pub text: &'a [u8],
    pub preprocessor: &'a Preprocessor,
    pub source: &'a Path,
    /// No unit follows: what is not defined now is not defined at all.
    pub is_last: bool,
}

/// The harnesses of contracts on functions that the program defines and that have none yet (`done`); with the
/// last unit, of those that it only declares.
pub fn harnesses(
    config: &Config,
    unit: &Unit<'_>,
    done: &mut BTreeSet<String>,
) -> Result<Made, Box<Complaint>> {
    let program = unit.program;
    let (mut made, mut warnings) = (Vec::new(), Vec::new());
    let mut frames = BTreeMap::new();
    let has_contract =
        |stub: &&Stub| config.contracts.iter().any(|contract| contract.function == stub.function);
    let alone = config.stubs.iter().filter(|stub| !has_contract(stub));
    let alone = alone.map(|stub| Contract::empty(&stub.function, stub.name.clone()));
    for contract in config.contracts.iter().cloned().chain(alone) {
        let contract = &contract;
        let stub = config.stubs.iter().find(|stub| stub.function == contract.function);
        let is_stub_alone = stub.is_some() && contract.clauses.is_empty();
        let Some(function) = program.function_named(&contract.function) else { continue };
        let is_defined = program.function(function).body.is_some();
        let Some(ty) = program.types.function_type(program.function(function).ty) else { continue };
        let is_judged = !is_defined && unit.is_last && !ty.is_variadic;
        // What only relates calls says nothing about one.
        if contract.clauses.is_empty() && !contract.relations.is_empty() {
            continue;
        }
        // What is defined does what it does.
        if !(is_defined && !is_stub_alone || is_judged) || !done.insert(contract.function.clone()) {
            continue;
        }
        let has_macro = mentions_macro(contract, stub, unit.text);
        if has_macro {
            refuse_changes(config, contract, unit)?;
        }
        let mut add = |shape: HarnessShape, prefix: &str, text: String| {
            let mut text = text.into_bytes();
            if has_macro && let Some(expanded) = unit.preprocessor.expand(unit.source, &text) {
                text = expanded;
            }
            made.push(HarnessSource {
                function,
                shape,
                name: format!("{prefix}{}", contract.function),
                text,
                file: contract
                    .declared
                    .as_ref()
                    .map_or_else(|| config.path.clone(), |it| it.path.clone()),
                original: config.text.clone().into_bytes(),
            });
        };
        refuse_hidden_result(config, contract, program, function)?;
        if is_defined {
            let frame = frame(config, contract, program, function, &mut warnings)?;
            let asked = [asked(program, function), apart(program, function)].concat();
            let subject = Subject {
                config,
                contract,
                parameters: arguments(program, function),
                is_void: program.types.is_void(ty.result),
                frame: frame.as_ref(),
            };
            add(HarnessShape::Same, PREFIX, subject.text(&asked));
            frames.extend(frame.map(|frame| (contract.function.clone(), frame)));
        } else if let Some(text) = promise_text(
            config,
            contract,
            stub.map(|stub| (stub, program.types.is_integer(ty.result))),
        ) {
            add(HarnessShape::Judge, PROMISE, text);
        }
        if contract.has_requirements() && !ty.is_variadic {
            add(HarnessShape::Test, REQUIREMENT, requirement_text(config, contract));
        }
    }
    Ok(Made { harnesses: made, frames, warnings })
}

/// In a promise `result` is what the function returns.
fn refuse_hidden_result(
    config: &Config,
    contract: &Contract,
    program: &tree::Program,
    function: tree::FunctionId,
) -> Result<(), Box<Complaint>> {
    let is_void = program
        .types
        .function_type(program.function(function).ty)
        .is_none_or(|ty| program.types.is_void(ty.result));
    let is_hidden = arguments(program, function).iter().any(|name| name == "result");
    let Some((clause, _)) = contract.ensures().next().filter(|_| is_hidden && !is_void) else {
        return Ok(());
    };
    let name = &contract.function;
    let message = format!(
        "`result` is a parameter of `{name}` and stands for what it returns: promises cannot tell them apart"
    );
    Err(Box::new(match &clause.declared {
        Some(Declared { path, line, column }) => {
            Complaint::whole_file(&format!("{path}:{line}:{column}"), &message)
        }
        None => Complaint {
            path: config.path.clone(),
            text: config.text.clone(),
            span: Some(clause.offset..clause.offset + 1),
            message,
            help: None,
        },
    }))
}

/// What became of contracts.
#[derive(Debug, Default)]
pub struct Made {
    pub harnesses: Vec<HarnessSource>,
    /// By function: how tests say that nothing changes that may not.
    pub frames: BTreeMap<String, Frame>,
    /// Annotations of the program that are not looked at.
    pub warnings: Vec<String>,
}

/// The code that says what else stays as it was, where a contract says what may change.
fn frame(
    config: &Config,
    contract: &Contract,
    program: &tree::Program,
    function: tree::FunctionId,
    warnings: &mut Vec<String>,
) -> Result<Option<Frame>, Box<Complaint>> {
    let places = contract.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Assigns(places) => Some((clause, places)),
        ClauseKind::Require(_)
        | ClauseKind::Ensure(_)
        | ClauseKind::Range { .. }
        | ClauseKind::Length { .. }
        | ClauseKind::Separate(_) => None,
    });
    let Some((clause, places)) = places else { return Ok(None) };
    let name = &contract.function;
    match assigned::frame(program, function, contract, places) {
        Ok(frame) => Ok(Some(frame)),
        Err(why) => {
            let what = format!("what else `{name}` changes cannot be said: {why}");
            if clause.declared.is_some() {
                let (path, line, column) = config.stands_at(clause);
                warnings.push(format!("{path}:{line}:{column}: warning: {what}\n"));
                return Ok(None);
            }
            Err(Box::new(Complaint {
                path: config.path.clone(),
                text: config.text.clone(),
                span: Some(clause.offset..clause.offset + 1),
                message: what,
                help: None,
            }))
        }
    }
}

/// Whether an expression uses a macro of the unit, whose text keeps the definitions.
fn mentions_macro(contract: &Contract, stub: Option<&Stub>, unit: &[u8]) -> bool {
    let text = String::from_utf8_lossy(unit);
    let definitions = text.lines().filter_map(|line| line.strip_prefix("#define "));
    let macros: BTreeSet<&str> =
        definitions.filter_map(|definition| identifiers(definition).next()).collect();
    let in_stub = stub.is_some_and(|stub| stub.words().any(|word| macros.contains(word)));
    let in_contract = contract.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Require(text) | ClauseKind::Ensure(text) => {
            identifiers(text).any(|word| macros.contains(word))
        }
        ClauseKind::Range { place, bounds } => {
            let ends = [&bounds.low, &bounds.high].into_iter().flatten().map(String::as_str);
            ends.chain([place.as_str()]).flat_map(identifiers).any(|word| macros.contains(word))
        }
        ClauseKind::Length { pointer, count } => {
            identifiers(pointer).chain(identifiers(count)).any(|word| macros.contains(word))
        }
        ClauseKind::Separate(names) => {
            names.iter().flat_map(|it| identifiers(it)).any(|word| macros.contains(word))
        }
        ClauseKind::Assigns(places) => {
            places.iter().flat_map(|it| identifiers(&it.text)).any(|word| macros.contains(word))
        }
    });
    let mut assumed = contract.behaviors.iter().flat_map(|it| &it.assumes);
    let in_behavior = assumed.any(|it| identifiers(&it.text).any(|word| macros.contains(word)));
    in_stub || in_contract || in_behavior
}

/// What is done with a condition of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Runs in which it does not hold are excluded.
    Assume,
    /// The function that has it gives 0 when it does not hold.
    Test,
}

impl Purpose {
    pub(crate) fn open(self) -> &'static str {
        match self {
            Purpose::Assume => "__glassbox_assume(",
            Purpose::Test => "if (!(",
        }
    }

    pub(crate) fn close(self) -> &'static str {
        match self {
            Purpose::Assume => ");",
            Purpose::Test => ")) return 0;",
        }
    }
}

/// Writes code that stands at places of the configuration file, or of the program where that says it.
pub(crate) struct Writer<'a> {
    pub(crate) config: &'a Config,
    pub(crate) out: String,
}

/// Where something was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'a> {
    offset: usize,
    declared: Option<&'a Declared>,
}

impl Clause {
    pub(crate) fn spot(&self) -> Spot<'_> {
        Spot { offset: self.offset, declared: self.declared.as_ref() }
    }
}

impl Contract {
    pub(crate) fn spot(&self) -> Spot<'_> {
        Spot { offset: self.name.start, declared: self.declared.as_ref() }
    }
}

impl Writer<'_> {
    /// Code that is made around user's text: what follows each `MARK` stands at the place.
    pub(crate) fn around(&mut self, spot: Spot<'_>, code: &str) {
        for part in code.split(MARK) {
            self.on(spot, 0, part);
        }
    }

    /// `code` on a line of its own, at the line and column of a byte of the file.
    pub(crate) fn at(&mut self, offset: usize, code: &str) {
        let (line, column) = self.config.place(offset);
        let path = self.config.path.clone();
        self.line(&path, line, column, code);
    }

    /// The same so many bytes behind the place where something was written. What stands in the program is not written as
    /// it is read, so all of it stands where it begins.
    pub(crate) fn on(&mut self, spot: Spot<'_>, behind: usize, code: &str) {
        match spot.declared {
            None => self.at(spot.offset + behind, code),
            Some(Declared { path, line, column }) => {
                self.line(path, *line as usize, *column as usize, code);
            }
        }
    }

    pub(crate) fn pieces(&mut self, spot: Spot<'_>, behind: usize, pieces: &[Piece]) {
        for piece in pieces {
            self.on(spot, behind + piece.at.unwrap_or(0), &piece.code);
        }
    }

    fn line(&mut self, path: &str, line: usize, column: usize, code: &str) {
        let path = path.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.out, "\n# {line} \"{path}\"");
        self.out.extend(std::iter::repeat_n(' ', column - 1));
        self.out.push_str(code);
    }
}

/// A function with a contract.
struct Subject<'a> {
    config: &'a Config,
    contract: &'a Contract,
    parameters: Vec<String>,
    is_void: bool,
    frame: Option<&'a Frame>,
}

impl Subject<'_> {
    fn text(&self, asked: &[String]) -> String {
        let (config, contract) = (self.config, self.contract);
        let mut w = Writer { config, out: String::new() };
        let spot = contract.spot();
        w.on(spot, 0, "{");
        w.out.push_str(" extern void __glassbox_assume(); extern void __glassbox_ensure();\n");
        w.out.push_str(MEASURES);
        for condition in asked {
            w.on(spot, 0, &format!("__glassbox_assume({condition});"));
        }
        conditions(&mut w, contract, Purpose::Assume);
        let mut number = 0;
        for (index, behavior) in contract.behaviors.iter().enumerate() {
            for (part, assumed) in behavior.assumes.iter().enumerate() {
                let spot = Spot { offset: assumed.offset, declared: assumed.declared.as_ref() };
                w.on(spot, 0, &format!("int __behavior{index}_{part} = !!("));
                w.pieces(spot, 0, &parse(&assumed.text, &mut 0).pieces());
                w.on(spot, 0, ");");
            }
        }
        for (clause, text) in contract.ensures() {
            let first = number;
            for (kept, number) in parse(text, &mut number).kept.iter().zip(first..) {
                w.pieces(clause.spot(), 0, &kept.pieces(number));
            }
        }
        if let Some(frame) = self.frame {
            w.on(spot, 0, &frame.before);
        }
        let call = format!("{}({})", contract.function, self.parameters.join(", "));
        if self.is_void {
            w.on(spot, 0, &format!("{{ {call};"));
        } else {
            let kept = format!("__typeof__({call}) __result = {call};");
            w.on(spot, 0, &format!("{{ {kept} __typeof__(__result) result = __result;"));
        }
        let mut number = 0;
        for clause in &contract.clauses {
            self.promise(&mut w, clause, &mut number);
        }
        w.on(spot, 0, if self.is_void { "} }\n" } else { "return result; } }\n" });
        w.out
    }

    /// Asserts a promise; `number` counts old values.
    fn promise(&self, w: &mut Writer<'_>, clause: &Clause, number: &mut usize) {
        let spot = clause.spot();
        let guard = clause.behavior.map_or(String::new(), |behavior| {
            let all = guard(self.contract, behavior);
            format!("!({all}) || ")
        });
        let words = quoted(clause.shown.strip_prefix("ensure ").unwrap_or(&clause.shown));
        match &clause.kind {
            ClauseKind::Ensure(text) => {
                let parsed = parse(text, number);
                let is_as_written = guard.is_empty()
                    && parsed.is_plain()
                    && clause.declared.is_none()
                    && clause.shown.starts_with("ensure ");
                if let Some(each) = parsed.as_loop() {
                    w.pieces(spot, 0, &each.head);
                    w.on(spot, 0, &format!("__glassbox_ensure({guard}("));
                    w.pieces(spot, 0, &each.each);
                    w.on(spot, 0, &format!("), \"{words}\");"));
                } else if is_as_written {
                    w.on(spot, 0, "__glassbox_ensure(");
                    w.pieces(spot, 0, &parsed.pieces());
                    w.on(spot, 0, ");");
                } else {
                    w.on(spot, 0, &format!("__glassbox_ensure({guard}("));
                    w.pieces(spot, 0, &parsed.pieces());
                    w.on(spot, 0, &format!("), \"{words}\");"));
                }
            }
            ClauseKind::Assigns(_) => {
                if let Some(frame) = self.frame {
                    let holds = &frame.holds;
                    w.on(spot, 0, &format!("__glassbox_ensure({holds}, \"{words}\");"));
                }
            }
            ClauseKind::Require(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_) => {}
        }
    }
}

/// That a case applied before the call.
pub(crate) fn guard(contract: &Contract, behavior: usize) -> String {
    let n_parts = contract.behaviors.get(behavior).map_or(0, |it| it.assumes.len());
    let parts: Vec<String> =
        (0..n_parts).map(|part| format!("__behavior{behavior}_{part}")).collect();
    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
}

fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The function that says whether arguments are as the contract requires:
/// `{ if (!(target > 0)) return 0; … return 1; }`.
pub(crate) fn requirement_text(config: &Config, contract: &Contract) -> String {
    let mut w = Writer { config, out: String::new() };
    w.on(contract.spot(), 0, "{");
    w.out.push_str(MEASURES);
    conditions(&mut w, contract, Purpose::Test);
    w.on(contract.spot(), 0, "return 1; }\n");
    w.out
}

/// The function that says whether a call did what the contract promises and what a stub does, as far as that can be
/// said without values from before the call; `None` where nothing is said. With a stub comes whether results are integers.
fn promise_text(
    config: &Config,
    contract: &Contract,
    stub: Option<(&Stub, bool)>,
) -> Option<String> {
    let mut w = Writer { config, out: String::new() };
    w.on(contract.spot(), 0, "{");
    let promised: Vec<(&Clause, &str)> =
        contract.ensures().filter(|(clause, text)| is_without_past(clause, text)).collect();
    for (clause, text) in &promised {
        w.on(clause.spot(), 0, Purpose::Test.open());
        w.pieces(clause.spot(), 0, &parse(text, &mut 0).pieces());
        w.on(clause.spot(), 0, Purpose::Test.close());
    }
    let statements = stub.map_or(Vec::new(), |(stub, is_integer)| stub.statements(is_integer));
    for (offset, statement) in &statements {
        w.at(*offset, statement);
    }
    w.on(contract.spot(), 0, "return 1; }\n");
    (!promised.is_empty() || !statements.is_empty()).then_some(w.out)
}

/// Whether a promise can be looked at after the call alone.
fn is_without_past(clause: &Clause, text: &str) -> bool {
    olds(text).is_empty() && clause.behavior.is_none()
}
