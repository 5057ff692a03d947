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

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::parse::harness::unnamed_parameter;
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_c_front::tree::{self, AskedLength};
use glassbox_ir::{FuncId, Origin, Program, Span};

use crate::expression::{conjuncts, identifiers, olds};
use crate::stub::{Stub, behind};
use crate::{Bounds, Clause, ClauseKind, Config, Contract};

/// How names of harnesses start.
const PREFIX: &str = "__glassbox_contract_";

/// How names of functions start that say whether arguments are as a contract requires.
const REQUIREMENT: &str = "__glassbox_requires_";

/// How names of functions start that say whether a call did what a contract promises.
const PROMISE: &str = "__glassbox_promises_";

/// Stands before user's text in made code.
const MARK: char = '\u{1}';

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
    if file.path != config.path {
        return None;
    }
    let place = (usize::try_from(span.line).ok()?, usize::try_from(span.column).ok()?);
    // The last clause that starts at or before the place.
    let of_file = contract.clauses.iter().filter(|clause| clause.declared.is_none());
    let starts = of_file.filter(|clause| config.place(clause.offset) <= place);
    starts.max_by_key(|clause| clause.offset)
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
) -> Vec<HarnessSource> {
    let program = unit.program;
    let mut made = Vec::new();
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
        let mut add = |shape: HarnessShape, prefix: &str, text: String| {
            let mut text = text.into_bytes();
            if mentions_macro(contract, stub, unit.text)
                && let Some(expanded) = unit.preprocessor.expand(unit.source, &text)
            {
                text = expanded;
            }
            made.push(HarnessSource {
                function,
                shape,
                name: format!("{prefix}{}", contract.function),
                text,
                file: config.path.clone(),
                original: config.text.clone().into_bytes(),
            });
        };
        if is_defined {
            let parameters = program.parameter_names(function);
            let is_void = program.types.is_void(ty.result);
            let asked = [asked(program, function), apart(program, function)].concat();
            add(HarnessShape::Same, PREFIX, text(config, contract, &parameters, is_void, &asked));
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
    made
}

/// The harness of a `main` that takes arguments and has no contract: `argc` is not negative, and the arguments are
/// that many pointers to strings, followed by a null pointer. There may be none (C11 5.1.2.2.1).
pub fn main_harness(program: &tree::Program, done: &mut BTreeSet<String>) -> Option<HarnessSource> {
    let function = program.function_named("main")?;
    let names = arguments(program, function);
    let body = program.function(function).body.as_ref()?;
    // What `main` does not look at is left alone.
    let used: Vec<bool> = body.parameters.iter().map(|&it| program.is_used(it)).collect();
    if !used.contains(&true) {
        return None;
    }
    let types = &program.types;
    let ty = types.function_type(program.function(function).ty)?;
    let (count, vector) = (names.first()?, names.get(1)?);
    // Anything else is a `main` of another kind, which the standard says nothing about.
    let is_usual = types.is_integer(ty.parameters[0])
        && types.pointee(ty.parameters[1]).is_some_and(|target| types.is_pointer(target));
    if !is_usual || types.is_void(ty.result) || !done.insert("main".to_owned()) {
        return None;
    }
    let passed = names.join(", ");
    let head = format!(
        "{{ extern void __glassbox_assume();
extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);
__glassbox_assume({count} >= 0);\n"
    );
    let strings = format!(
        "__glassbox_assume(__glassbox_offset((const void *){vector}) == 0);
__glassbox_assume(__glassbox_size((const void *){vector}) == \
 sizeof *{vector} * ((unsigned long){count} + 1));
for (int __index = 0; __index < {count}; __index++) {{
__glassbox_assume({vector}[__index] != 0);
__glassbox_assume(__glassbox_offset((const void *){vector}[__index]) == 0);
__glassbox_assume({vector}[__index][__glassbox_size((const void *){vector}[__index]) - 1] == 0); }}
__glassbox_assume({vector}[{count}] == 0);\n"
    );
    let strings = if used[1] { strings } else { String::new() };
    let text = format!("{head}{strings}return main({passed}); }}\n");
    Some(HarnessSource {
        function,
        shape: HarnessShape::Same,
        name: format!("{PREFIX}main"),
        original: text.clone().into_bytes(),
        text: text.into_bytes(),
        file: "<main>".to_owned(),
    })
}

/// The parameters of a function by the names that a harness uses.
pub(crate) fn arguments(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let names = (0u32..).zip(program.parameter_names(function));
    names.map(|(index, name)| name.unwrap_or_else(|| unnamed_parameter(index))).collect()
}

/// What the declaration of a function asks callers to pass, as conditions in C.
pub(crate) fn asked(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let names = arguments(program, function);
    let mut conditions = Vec::new();
    for (name, asked) in names.iter().zip(&program.function(function).asked) {
        if asked.is_nonnull {
            conditions.push(format!("{name} != 0"));
        }
        let count = match asked.elements {
            Some(AskedLength::Fixed(count)) => Some(format!("{count}ul")),
            Some(AskedLength::Named(count)) => {
                let count = program.name(count);
                names.iter().any(|name| name == count).then(|| count.to_owned())
            }
            Some(AskedLength::Unknown) | None => None,
        };
        if let Some(count) = count {
            conditions.push(format!("{count} > 0"));
            conditions.push(format!(
                "(__glassbox_size((const void *){name}) - __glassbox_offset((const void *){name})) \
                 / sizeof *{name} >= (unsigned long)({count})"
            ));
        }
    }
    conditions
}

/// That `restrict` parameters point to objects of their own: what two pointers to constants may share is only
/// read.
pub(crate) fn apart(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let types = &program.types;
    // By parameter that points to an object: its name, whether it is restricted, whether it is written through.
    let pointer = |(name, &variable): (String, &tree::VariableId)| {
        let ty = program.variable(variable).ty;
        let target = types.pointee(ty).filter(|&target| !types.is_function(target))?;
        let is_constant = types.get(target).qualifiers.is_const;
        Some((name, types.get(ty).qualifiers.is_restrict, !is_constant))
    };
    let names = arguments(program, function).into_iter();
    let pointers: Vec<(String, bool, bool)> =
        names.zip(&body.parameters).filter_map(pointer).collect();
    let mut conditions = Vec::new();
    for (position, (p, p_restrict, p_written)) in pointers.iter().enumerate() {
        for (q, q_restrict, q_written) in &pointers[position + 1..] {
            if (*p_restrict || *q_restrict) && (*p_written || *q_written) {
                let start = |name: &str| {
                    format!("(const char *){name} - __glassbox_offset((const void *){name})")
                };
                conditions.push(format!("!{p} || !{q} || {} != {}", start(p), start(q)));
            }
        }
    }
    conditions
}

/// The functions whose `restrict` parameters get objects of their own.
pub fn restricted(program: &tree::Program) -> Vec<String> {
    let ids = program.function_ids().filter(|&id| !apart(program, id).is_empty());
    ids.map(|id| program.name(program.function(id).name).to_owned()).collect()
}

/// The harnesses of functions without a contract whose declarations exclude arguments: attribute `nonnull`,
/// `[static n]`, `restrict`. One calls the function with arguments that are allowed, one judges the arguments of calls;
/// with the last unit, those of functions that no unit defines, too. What the library asks for is in its catalogue.
pub fn declared_harnesses(
    program: &tree::Program,
    made: &[HarnessSource],
    is_last: bool,
) -> Vec<HarnessSource> {
    let has_harness = |function: tree::FunctionId| {
        let known = program.functions.iter().filter_map(|known| known.harness_of);
        known
            .map(|(_, of)| of)
            .chain(made.iter().map(|made| made.function))
            .any(|of| of == function)
    };
    let strangers = if is_last { program.called_strangers() } else { BTreeSet::new() };
    let mut harnesses = Vec::new();
    for function in program.function_ids() {
        let declared = program.function(function);
        let Some(ty) = program.types.function_type(declared.ty) else { continue };
        let is_defined = declared.body.is_some();
        if !is_defined && !strangers.contains(&function) {
            continue;
        }
        let mut parameters = declared.body.iter().flat_map(|body| &body.parameters);
        let has_lengths =
            parameters.any(|&it| program.types.has_variable_length(program.variable(it).ty));
        let (conditions, apart) = (asked(program, function), apart(program, function));
        let is_free = conditions.is_empty() && apart.is_empty();
        if is_free || ty.is_variadic || has_lengths || has_harness(function) {
            continue;
        }
        let name = program.name(declared.name);
        let call = format!("{name}({})", arguments(program, function).join(", "));
        let give_back = if program.types.is_void(ty.result) { "" } else { "return " };
        let all = |purpose: Purpose, conditions: &[String]| -> String {
            let (open, close) = (purpose.open(), purpose.close());
            conditions.iter().map(|condition| format!("{open}{condition}{close}\n")).collect()
        };
        let externs = "extern void __glassbox_assume();\n\
             extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);";
        let mut add = |shape: HarnessShape, prefix: &str, text: String| {
            harnesses.push(HarnessSource {
                function,
                shape,
                name: format!("{prefix}{name}"),
                original: text.clone().into_bytes(),
                text: text.into_bytes(),
                file: format!("<declaration of {name}>"),
            });
        };
        let assumed = all(Purpose::Assume, &[&conditions[..], &apart[..]].concat());
        if is_defined {
            add(
                HarnessShape::Same,
                PREFIX,
                format!("{{ {externs}\n{assumed}{give_back}{call}; }}\n"),
            );
        }
        // Callers may share what is only read.
        if conditions.is_empty() {
            continue;
        }
        let tested = all(Purpose::Test, &conditions);
        add(HarnessShape::Test, REQUIREMENT, format!("{{ {externs}\n{tested}return 1; }}\n"));
    }
    harnesses
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
    });
    in_stub || in_contract
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
    fn open(self) -> &'static str {
        match self {
            Purpose::Assume => "__glassbox_assume(",
            Purpose::Test => "if (!(",
        }
    }

    fn close(self) -> &'static str {
        match self {
            Purpose::Assume => ");",
            Purpose::Test => ")) return 0;",
        }
    }
}

/// Writes code that stands at places of the configuration file.
pub(crate) struct Writer<'a> {
    pub(crate) config: &'a Config,
    pub(crate) out: String,
}

impl Writer<'_> {
    /// Code that is made around user's text: what follows each `MARK` stands at the place.
    fn around(&mut self, offset: usize, code: &str) {
        for part in code.split(MARK) {
            self.at(offset, part);
        }
    }

    /// `code` on a line of its own, at the line and column of a byte of the file.
    pub(crate) fn at(&mut self, offset: usize, code: &str) {
        let (line, column) = self.config.place(offset);
        let path = self.config.path.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.out, "\n# {line} \"{path}\"");
        self.out.extend(std::iter::repeat_n(' ', column - 1));
        self.out.push_str(code);
    }
}

fn text(
    config: &Config,
    contract: &Contract,
    parameters: &[Option<String>],
    is_void: bool,
    asked: &[String],
) -> String {
    let mut w = Writer { config, out: String::new() };
    w.at(contract.name.start, "{");
    w.out.push_str(
        " extern void __glassbox_assume(); extern void __glassbox_ensure();\
         \n extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);",
    );
    for condition in asked {
        w.at(contract.name.start, &format!("__glassbox_assume({condition});"));
    }
    conditions(&mut w, contract, Purpose::Assume);
    for (number, (offset, expression)) in old_values(contract).into_iter().enumerate() {
        w.at(offset, &format!("__auto_type __old{number} = ("));
        w.at(offset, &expression);
        w.at(offset, ");");
    }
    let arguments: Vec<String> = (0u32..)
        .zip(parameters)
        .map(|(index, name)| name.clone().unwrap_or_else(|| unnamed_parameter(index)))
        .collect();
    let call = format!("{}({})", contract.function, arguments.join(", "));
    let start = contract.name.start;
    if is_void {
        w.at(start, &format!("{{ {call};"));
    } else {
        w.at(start, &format!("{{ __typeof__({call}) result = {call};"));
    }
    let mut number = 0;
    for (clause, text) in contract.ensures() {
        w.at(clause.offset, "__glassbox_ensure(");
        w.at(clause.offset, &with_old_names(text, &mut number));
        w.at(clause.offset, ");");
    }
    w.at(start, if is_void { "} }\n" } else { "return result; } }\n" });
    w.out
}

/// The function that says whether arguments are as the contract requires:
/// `{ if (!(target > 0)) return 0; … return 1; }`.
pub(crate) fn requirement_text(config: &Config, contract: &Contract) -> String {
    let mut w = Writer { config, out: String::new() };
    w.at(contract.name.start, "{");
    w.out.push_str(
        " extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);",
    );
    conditions(&mut w, contract, Purpose::Test);
    w.at(contract.name.start, "return 1; }\n");
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
    w.at(contract.name.start, "{");
    let promised: Vec<(&Clause, &str)> =
        contract.ensures().filter(|(_, text)| olds(text).is_empty()).collect();
    for (clause, text) in &promised {
        w.at(clause.offset, Purpose::Test.open());
        w.at(clause.offset, text);
        w.at(clause.offset, Purpose::Test.close());
    }
    let statements = stub.map_or(Vec::new(), |(stub, is_integer)| stub.statements(is_integer));
    for (offset, statement) in &statements {
        w.at(*offset, statement);
    }
    w.at(contract.name.start, "return 1; }\n");
    (!promised.is_empty() || !statements.is_empty()).then_some(w.out)
}

/// Every require, range and length, one after the other.
pub(crate) fn conditions(w: &mut Writer<'_>, contract: &Contract, purpose: Purpose) {
    let (open, close) = (purpose.open(), purpose.close());
    for clause in &contract.clauses {
        match &clause.kind {
            ClauseKind::Require(text) => {
                for (start, part) in conjuncts(text) {
                    let offset = clause.offset + start;
                    w.at(offset, open);
                    w.at(offset, part);
                    w.at(offset, close);
                }
            }
            ClauseKind::Length { pointer, count } => {
                let place = format!("(const void *)(\u{1}{pointer})");
                let wanted = format!("sizeof \u{1}*({pointer}) * (unsigned long)(\u{1}{count})");
                w.around(
                    clause.offset,
                    &match purpose {
                        Purpose::Assume => format!(
                            "{open}__glassbox_offset({place}) == 0{close} \
                             {open}__glassbox_size({place}) == {wanted}{close}"
                        ),
                        // Callers may pass the middle of something, and more than is asked for.
                        Purpose::Test => format!(
                            "{open}__glassbox_size({place}) >= __glassbox_offset({place}) + \
                             {wanted}{close}"
                        ),
                    },
                );
            }
            ClauseKind::Range { place, bounds } => {
                range(w, contract, clause.offset, place, bounds, purpose);
            }
            ClauseKind::Ensure(_) => {}
        }
    }
}

/// All `old(…)` of a contract, in order: where they stand and what they mean.
pub fn old_values(contract: &Contract) -> Vec<(usize, String)> {
    let values = contract.ensures().flat_map(|(clause, text)| {
        olds(text)
            .into_iter()
            .map(|old| (clause.offset + old.inner.start, text[old.inner].to_owned()))
    });
    values.collect()
}

/// The expression with `__old0`, `__old1`, … for its old values, at the same columns where possible.
pub fn with_old_names(text: &str, number: &mut usize) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for old in olds(text) {
        out.push_str(&text[copied..old.whole.start]);
        let _ = write!(out, "{:width$}", format!("__old{number}"), width = old.whole.len());
        copied = old.whole.end;
        *number += 1;
    }
    out.push_str(&text[copied..]);
    out
}

/// Assumes that a place, or all elements of one, stay in a range. What lies behind a null pointer is in
/// every range.
fn range(
    w: &mut Writer<'_>,
    contract: &Contract,
    offset: usize,
    place: &str,
    bounds: &Bounds,
    purpose: Purpose,
) {
    let place = place.trim();
    if let Some(array) = place.strip_suffix("[]") {
        if let Some(length) = contract.known_length(array).filter(|&length| length <= MAX_UNROLLED)
        {
            for index in 0..length {
                w.around(offset, &between(&format!("(\u{1}{array})[{index}]"), bounds, purpose));
            }
            return;
        }
        let body = between(&format!("({array})[__index]"), bounds, purpose);
        let pointer = format!("(const void *)(\u{1}{array})");
        let size = format!(
            "(__glassbox_size({pointer}) - __glassbox_offset({pointer})) / sizeof \u{1}*({array})"
        );
        let head = format!("for (unsigned long __index = 0; __index < {size}; __index++)");
        return w.around(offset, &format!("{head} {{ {body} }}"));
    }
    let pointer = behind(place);
    let body = between(&format!("(\u{1}{place})"), bounds, purpose);
    match pointer {
        Some(pointer) => w.around(offset, &format!("if (\u{1}{pointer}) {{ {body} }}")),
        None => w.around(offset, &body),
    }
}

/// Conditions that `place` is within the bounds, as statements.
fn between(place: &str, bounds: &Bounds, purpose: Purpose) -> String {
    let (open, close) = (purpose.open(), purpose.close());
    let conditions = bounds.conditions(place);
    conditions.iter().map(|condition| format!("{open}{condition}{close} ")).collect()
}
