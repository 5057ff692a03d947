//! From a closed world of classes to a program over byte memory.
//!
//! References are pointers and objects are memory (`glassbox_ir::object_layout`), so every engine that
//! runs C runs Java. What the JVM does by itself is explicit: null, bounds, cast and division checks are
//! branches, virtual calls go through functions that switch on the receiver's class number, a throw sets
//! the pending exception and returns, and every call site looks at it. Classes are initialized by guard
//! functions with a state of their own.
//!
//! There is no stage with object-level instructions in between: nothing but this lowering would read it.

mod arith;
mod array;
mod branch;
mod clause;
mod context;
mod decision;
mod emit;
mod escape;
mod field;
mod handlers;
mod insn;
mod intrinsic;
mod invoke;
mod layout;
mod lengths;
mod made;
mod method;
mod object;
mod origin;
mod publish;
mod reflection;
mod throw;
mod variable;

use std::collections::BTreeSet;
use std::rc::Rc;

use glassbox_ir::{Callee, FuncId, GlobalId, InstrKind, Linkage, Origin, Program, Span};

use crate::descriptor::{Signature, Type};
use crate::library::{Intrinsic, Model};
use crate::mutant::{CopyKind, FoundMutant, LoweredMutant};
use crate::reach::{Properties, Reached, Source};
use crate::world::MethodRef;
pub use clause::{CONTRACTS, ContractMethod, Requirement};
pub(crate) use clause::{FoundContract, begun};
use context::Lowering;
pub use escape::ErrorOrigin;
pub use handlers::Handlers;
use method::lower_method;

/// What was translated.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// In the order in which they were asked for.
    pub(crate) entries: Vec<FuncId>,
    /// Where there are properties: the program in which exceptions are outcomes.
    pub(crate) outcomes: Option<Program>,
    /// Functions that ask whether an object is of a class below which none is loaded.
    pub(crate) open_tests: BTreeSet<FuncId>,
    pub(crate) handlers: Handlers,
    /// Functions that do nothing because they stand aside, or leave out a call of one.
    pub(crate) aside: BTreeSet<FuncId>,
    /// Functions of the user that make lambdas.
    pub(crate) lambda_makers: BTreeSet<FuncId>,
    pub(crate) origins: Vec<ErrorOrigin>,
    pub(crate) beginnings: Beginnings,
    pub(crate) mutants: Vec<Option<LoweredMutant>>,
}

/// How classes of the library are initialized.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beginnings {
    /// Functions that initialize a class of the library, in order; none depends on what a program does.
    pub initializers: Vec<FuncId>,
    /// The variable that says what clocks and the like answer while initializers run; 0 in the program, where they
    /// are not known.
    pub surroundings: Option<GlobalId>,
}

/// The program in which exceptions are outcomes: no run ends where an error begins.
fn without_checks(program: &Program) -> Program {
    let mut program = program.clone();
    let bodies = program.functions.iter_mut().filter_map(|function| function.body.as_mut());
    for block in bodies.flat_map(|body| &mut body.blocks) {
        block.instrs.retain(|instr| !matches!(instr.kind, InstrKind::Check(_)));
    }
    program
}

/// Translates everything that is reached. The functions of `entries` come with it, in order; they
/// initialize their class first.
pub(crate) fn lower(
    reached: Reached,
    entries: &[MethodRef],
    contracts: &[FoundContract],
    mutants: &[Option<FoundMutant>],
) -> Lowered {
    let mut cx = Lowering::new(reached);
    for contract in contracts {
        cx.requirements.extend(contract.requirement.clone().map(|judge| (contract.target, judge)));
    }
    cx.publish_classes();
    let methods = std::mem::take(&mut cx.reached.methods);
    for (method, source) in &methods {
        declare_method(&mut cx, *method, source);
    }
    for (method, source) in &methods {
        if let Source::Model(Model::Intrinsic(intrinsic)) = source
            && intrinsic.throwers().is_empty()
            && *intrinsic != Intrinsic::EnumConstants
        {
            let function = cx.functions[method];
            cx.quiet.insert(function);
        }
    }
    for (method, source) in &methods {
        define_method(&mut cx, *method, source, entries.contains(method));
    }
    cx.publish_layout();
    let entries: Vec<FuncId> = entries.iter().filter_map(|method| cx.function(*method)).collect();
    for entry in &entries {
        cx.program.functions[entry.index()].linkage = Linkage::External;
    }
    for contract in contracts {
        let functions = contract.construction.and_then(|made| cx.function(made));
        if let Some((made, constructor)) = functions.zip(cx.function(contract.target)) {
            let body = cx.forward_body(made, constructor);
            cx.set_body(made, body);
        }
    }
    let mut relations = Vec::new();
    for contract in contracts {
        let Some(target) = cx.function(contract.target) else { continue };
        let own = contract.relations.iter().filter_map(|&method| cx.function(method));
        for (number, relation) in (1..).zip(own.collect::<Vec<FuncId>>()) {
            cx.settle_relation(relation, target);
            let of = &cx.program.function(target).name;
            let begin = of.find('(').unwrap_or(of.len());
            let dot = of[..begin].rfind('.').map_or(0, |dot| dot + 1);
            let name = format!("{}relation_{number}_of_{}", &of[..dot], &of[dot..]);
            cx.program.functions[relation.index()].name = name;
            relations.push(relation);
        }
    }
    let contracts: Vec<(FuncId, FuncId)> = contracts
        .iter()
        .filter_map(|contract| {
            Some((cx.function(contract.target)?, cx.function(contract.harness)?))
        })
        .collect();
    for &(target, harness) in &contracts {
        // It is called as the method is.
        let params = cx.program.function(target).params.clone();
        let declared = &mut cx.program.functions[harness.index()];
        declared.params = params;
        declared.origin = Origin::Harness { of: target };
    }
    let mutants = mutants.iter().map(|mutant| cx.settle_mutant(mutant.as_ref()?)).collect();
    let has_properties = cx.reached.options.properties != Properties::None;
    let outcomes = has_properties.then(|| without_checks(&cx.program));
    let judged: Vec<FuncId> =
        entries.iter().copied().filter(|entry| !relations.contains(entry)).collect();
    let origins = cx.settle_escapes(&judged, &contracts);
    let beginnings = cx.beginnings();
    Lowered {
        program: cx.program,
        entries,
        outcomes,
        open_tests: cx.open_tests,
        aside: cx.aside,
        handlers: cx.handlers,
        lambda_makers: cx.lambda_makers,
        origins,
        beginnings,
        mutants,
    }
}

impl Lowering {
    /// It is called as the method is that it is about.
    fn settle_relation(&mut self, relation: FuncId, target: FuncId) {
        let params = self.program.function(target).params.clone();
        let declared = &mut self.program.functions[relation.index()];
        declared.params = params;
        declared.origin = Origin::Relation { of: target };
    }

    /// Calls of one function become calls of another with the same parameters.
    fn redirect(&mut self, within: FuncId, from: FuncId, to: FuncId) {
        let Some(body) = &mut self.program.functions[within.index()].body else { return };
        for instr in body.blocks.iter_mut().flat_map(|block| &mut block.instrs) {
            if let InstrKind::Call(call) = &mut instr.kind
                && call.callee == Callee::Direct(from)
            {
                call.callee = Callee::Direct(to);
            }
        }
    }

    /// Calls of the alias become calls of the copy, and everything gets the origin that it has.
    fn settle_mutant(&mut self, mutant: &FoundMutant) -> Option<LoweredMutant> {
        let (target, copy) = (self.function(mutant.target)?, self.function(mutant.copy)?);
        let origin = match mutant.kind {
            CopyKind::Mutant => Origin::Variant { of: target },
            CopyKind::Older => Origin::User,
        };
        self.program.functions[copy.index()].origin = origin;
        if let Some(alias) = mutant.alias.and_then(|alias| self.function(alias)) {
            let body = self.forward_body(alias, copy);
            self.set_body(alias, body);
            self.program.functions[alias.index()].origin = origin;
        }
        let comparison = mutant.comparison.and_then(|comparison| self.function(comparison));
        if let Some(comparison) = comparison {
            self.settle_relation(comparison, target);
            if let Some(itself) = mutant.itself.and_then(|itself| self.function(itself)) {
                self.redirect(comparison, itself, target);
            }
        }
        Some(LoweredMutant { target, copy, comparison })
    }
}

fn declare_method(cx: &mut Lowering, method: MethodRef, source: &Source) {
    let declared = cx.reached.world.method(method).clone();
    let signature = Signature::parse(&declared.descriptor).expect("checked when read");
    let mut names = Vec::new();
    let mut types = Vec::new();
    let mut slot = 0u16;
    let code = match source {
        Source::Code(code) => Some(Rc::clone(code)),
        Source::Model(_) | Source::Replaced(_) | Source::Missing(_) => None,
    };
    let name_of = |slot: u16, position: usize| {
        let variables = code.as_ref().map_or(&[][..], |code| &code.variables);
        let variable =
            variables.iter().find(|variable| variable.slot == slot && variable.start == 0);
        variable.map_or_else(|| format!("p{position}"), |variable| variable.name.to_string())
    };
    if !declared.access.is_static() {
        names.push("this".to_owned());
        types.push(Type::Ref(Rc::clone(cx.reached.world.name(method.class))));
        slot = 1;
    }
    for (position, ty) in signature.params.iter().enumerate() {
        names.push(name_of(slot, position));
        types.push(ty.clone());
        slot = slot.saturating_add(if ty.kind().is_wide() { 2 } else { 1 });
    }
    let name = cx.reached.world.method_name(method);
    let line = code.as_ref().and_then(|code| code.lines.iter().find(|&&line| line != 0).copied());
    let span = match line {
        Some(line) => Span::new(cx.file_of(method.class), line, 1, line, 2),
        None => Span::nowhere(),
    };
    let params = names.into_iter().zip(types).collect();
    let id = cx.publish_method(method);
    let function = cx.declare(name, params, signature.result.as_ref(), Some(id), span);
    let info = cx.reached.world.info(method.class);
    let is_own = info.owner.is_own() && !clause::is_of_contracts(&info.name);
    cx.program.functions[function.index()].origin = match (is_own, line) {
        (true, _) => Origin::User,
        (false, Some(_)) => Origin::System,
        // A native method, whose body is a model.
        (false, None) => Origin::LibraryModel,
    };
    cx.program.methods[id.index()].function = Some(function);
    cx.functions.insert(method, function);
}

fn define_method(cx: &mut Lowering, method: MethodRef, source: &Source, is_entry: bool) {
    let function = cx.functions[&method];
    let body = match source {
        Source::Code(code) => match lower_method(cx, function, method, code, is_entry) {
            Ok(body) => body,
            Err(error) => {
                let name = cx.reached.world.method_name(method);
                let what = format!("the code of {name}: {}", error.0);
                cx.unsupported_body(function, &what)
            }
        },
        Source::Model(Model::Intrinsic(Intrinsic::OwnConstants)) => {
            cx.own_constants(function, method.class)
        }
        Source::Model(Model::Intrinsic(intrinsic)) => cx.intrinsic_body(function, *intrinsic),
        Source::Model(Model::External(name)) => {
            let external = cx.external(name, function);
            cx.forward_body(function, external)
        }
        Source::Replaced(other) => match cx.function(*other) {
            Some(other) => cx.forward_body(function, other),
            None => cx.unsupported_body(function, "a model that is not there"),
        },
        Source::Model(Model::Aside) => cx.aside_body(function, method),
        Source::Model(Model::Surroundings(_)) => {
            let what = cx.reason(method, source);
            cx.surroundings_body(function, &what)
        }
        Source::Model(Model::CutOff | Model::Replace(_)) | Source::Missing(_) => {
            let what = cx.reason(method, source);
            cx.unsupported_body(function, &what)
        }
    };
    match source {
        Source::Code(_) => cx.program.functions[function.index()].body = Some(body),
        Source::Model(_) | Source::Replaced(_) | Source::Missing(_) => cx.set_body(function, body),
    }
}
