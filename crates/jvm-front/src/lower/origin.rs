//! Where exceptions begin, for properties: the instruction that throws, the call of the library that comes back
//! with one, the `throw` of a failing assertion.
//!
//! An instruction that may throw gets a check, which `escape` keeps where the exception is certain to leave every
//! method on the stack. Where somebody may catch it, the exception object remembers the place instead, and what
//! leaves the method under test is judged there. The place is a number in the field in which the JVM keeps
//! the depth of the stack trace: no code that is run here reads it.

use std::rc::Rc;

use glassbox_ir::instr::{BinaryOp, CompareOp};
use glassbox_ir::{Check, CheckKind, Demand, FuncId, GlobalId, InstrKind, Operand, Origin, Ty};
use glassbox_values::Bits;

use super::context::Lowering;
use super::emit::{Emit, int, number};
use super::escape::{Catch, Origination};
use super::method::MethodLowering;
use crate::classfile::Access;
use crate::classfile::insn::{Insn, InvokeKind};
use crate::library::Thrower;
use crate::reach::Properties;
use crate::world::{MethodRef, TypeRef, World};

/// The label of exceptions that a `throw` statement of the user makes on purpose.
pub(super) const INTENDED: u32 = 0x7fff_ffff;

/// How the names of functions begin that initialize classes.
pub(super) const GUARD: &str = "initialize ";

const ASSERTION_ERROR: &str = "java/lang/AssertionError";

/// Methods of the library that programs call to throw where an argument is wrong.
const VALIDATION: &[&str] = &["java.util.Objects.require", "java.util.Objects.check"];

impl MethodLowering<'_> {
    pub(super) fn has_properties(&self) -> bool {
        self.is_own
            && self.cx.reached.options.properties != Properties::None
            && !self.is_made_by_compiler()
    }

    /// Methods that no source shows; bodies of lambdas are shown.
    fn is_made_by_compiler(&self) -> bool {
        let world = &self.cx.reached.world;
        let declared = world.method(self.method);
        let is_hidden =
            declared.access.has(Access::SYNTHETIC) && !declared.name.starts_with("lambda$");
        is_hidden || world.is_made_for_enum(self.method)
    }

    /// An instruction throws where the condition holds; the label of the exception.
    pub(super) fn begin_by_instruction(
        &mut self,
        thrower: Thrower,
        condition: Operand,
    ) -> Option<u32> {
        let kind = thrower.error().filter(|_| self.has_properties())?;
        let class: Rc<str> = format!("java/lang/{}", thrower.exception()).into();
        if self.is_declared(&class) {
            return None;
        }
        // Where the words of C do not fit.
        let message = if kind == CheckKind::NullDereference {
            Some("the reference is not null".to_owned())
        } else if kind == CheckKind::OutOfBounds {
            Some("the index is inside the array".to_owned())
        } else {
            None
        };
        let label = self.begin(kind, Some(class), None, message.clone());
        let is_fine = self.emit.not(condition);
        self.check(kind, is_fine, message);
        Some(label)
    }

    /// A `throw` statement has made the exception pending.
    pub(super) fn begin_thrown(&mut self, exception: Operand) {
        if !self.has_properties() {
            return;
        }
        let Some(at) = self.cx.label_offset() else { return };
        self.cx.escapes.note_throw(self.function);
        let old = self.emit.load(Ty::I32, exception, at);
        let is_new = self.emit.compare(CompareOp::Eq, old, int(0));
        let label = if let Some(label) = self.assertions.get(&self.label) {
            *label
        } else if self.cx.reached.options.properties == Properties::AllExceptions {
            let counts = self.counts(exception);
            let is_bad = self.emit.binary(BinaryOp::And, is_new, counts);
            let message = Some("the exception is caught, or a `throws` clause names it".to_owned());
            let kind = CheckKind::UncaughtException;
            let label = self.begin(kind, None, None, message.clone());
            let is_fine = self.emit.not(is_bad);
            self.check(kind, is_fine, message);
            let meant = self.meant(exception);
            let new = self.emit.select(is_bad, number(label), meant);
            let new = self.emit.select(is_new, new, old);
            self.emit.store(exception, at, new);
            return;
        } else {
            INTENDED
        };
        let new = self.emit.select(is_new, number(label), old);
        self.emit.store(exception, at, new);
    }

    /// `throw new AssertionError(…)`, as `assert` does it, begins: the assertion has failed.
    pub(super) fn begin_assertion(&mut self, class: &str) {
        let is_one = class == ASSERTION_ERROR && self.has_properties();
        if !is_one || self.is_declared(ASSERTION_ERROR) {
            return;
        }
        let is_made = |insn: &Insn| {
            matches!(insn, Insn::Invoke(InvokeKind::Special, member)
                if &*member.class == ASSERTION_ERROR && &*member.name == "<init>")
        };
        let rest = self.code.insns.iter().enumerate().skip(self.label);
        let Some(made) = rest.into_iter().find(|(_, insn)| is_made(insn)).map(|(at, _)| at) else {
            return;
        };
        if !matches!(self.code.insns.get(made + 1), Some(Insn::Throw)) {
            return;
        }
        let label = self.begin(CheckKind::Assertion, Some(ASSERTION_ERROR.into()), None, None);
        self.assertions.insert(made + 1, label);
        self.check(CheckKind::Assertion, Operand::Int(Bits::new(0, 1)), None);
    }

    /// Whether exceptions that come out of this function begin here, for the user: those of the library do.
    pub(super) fn is_judged(&self, callee: FuncId) -> bool {
        let function = self.cx.program.function(callee);
        let is_validation = VALIDATION.iter().any(|prefix| function.name.starts_with(prefix));
        self.has_properties()
            && !self.is_prologue
            && !self.cx.is_guard(callee)
            && (function.origin != Origin::User || self.declares_unchecked(callee))
            && self.cx.label_offset().is_some()
            && !is_validation
            && !self.makes_exception(callee)
            || self.is_judged_initializer(callee)
    }

    /// Whether a function initializes a class of the user that this code is the first to need. What comes out of it is
    /// an error of the place: an initializer that fails makes its class unusable. Before the first instruction only
    /// the class of the method itself matters: an object whose class cannot be initialized is no input.
    fn is_judged_initializer(&self, callee: FuncId) -> bool {
        let guards = &self.cx.guards;
        let is_of = |class: TypeRef| {
            guards.get(&class).is_some_and(|guard| guard.is_some_and(|(guard, _)| guard == callee))
        };
        let is_own = |class: TypeRef| self.cx.reached.world.info(class).owner.is_own();
        self.has_properties()
            && self.cx.label_offset().is_some()
            && if self.is_prologue {
                is_of(self.method.class)
            } else {
                guards.keys().any(|&class| is_own(class) && is_of(class))
            }
    }

    /// Whether the `throws` clause of a method names exceptions that the compiler does not ask to be named.
    fn declares_unchecked(&self, callee: FuncId) -> bool {
        let method = self.cx.functions.iter().find(|(_, function)| **function == callee);
        method.is_some_and(|(&method, _)| {
            !unchecked_throws(&self.cx.reached.world, method).is_empty()
        })
    }

    /// A constructor of a throwable: it stores its parameters.
    fn makes_exception(&self, callee: FuncId) -> bool {
        let program = &self.cx.program;
        let Some(method) = program.function(callee).method else { return false };
        let method = &program.methods[method.index()];
        let class = program.classes[method.class.index()].name.replace('.', "/");
        let world = &self.cx.reached.world;
        let is_throwable = match (world.known(&class), world.known("java/lang/Throwable")) {
            (Some(class), Some(throwable)) => world.is_subtype(class, throwable),
            _ => false,
        };
        is_throwable && method.name == "<init>"
    }

    /// The library came back with an exception.
    pub(super) fn begin_in_library(&mut self, callee: FuncId, exception: Operand) {
        let Some(at) = self.cx.label_offset() else { return };
        let name = self.cx.program.function(callee).name.clone();
        let name = name.split('(').next().unwrap_or_default();
        let mut parts = name.rsplit(['.', ' ']);
        let (method, class) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let what = match name.strip_prefix(GUARD) {
            Some(class) => format!("the initializer of {class}"),
            None if method == "<init>" => format!("`new {class}`"),
            None => format!("`{method}`"),
        };
        let message = Some(format!("{what} throws nothing that leaves the method"));
        let kind = CheckKind::UncaughtException;
        let label = self.begin(kind, None, Some(callee), message.clone());
        let old = self.emit.load(Ty::I32, exception, at);
        let is_new = self.emit.compare(CompareOp::Eq, old, int(0));
        let counts = self.counts(exception);
        let is_bad = self.emit.binary(BinaryOp::And, is_new, counts);
        let is_fine = self.emit.not(is_bad);
        self.check(kind, is_fine, message);
        let meant = self.meant(exception);
        let new = self.emit.select(is_bad, number(label), meant);
        let new = self.emit.select(is_new, new, old);
        self.emit.store(exception, at, new);
    }

    /// The label of an exception that is no error here. One of the `throws` clause that the compiler does not ask for
    /// stays new: callers have to catch or to declare it in their turn.
    fn meant(&mut self, exception: Operand) -> Operand {
        let mut declared = Vec::new();
        for name in self.unchecked_throws() {
            if let Some(ty) = self.cx.reached.world.known(&name) {
                declared.extend(self.cx.subtypes(ty));
            }
        }
        if declared.is_empty() {
            return number(INTENDED);
        }
        let class = self.emit.class_number(exception);
        let is_declared = self.emit.in_ranges(class, &declared);
        self.emit.select(is_declared, int(0), number(INTENDED))
    }

    /// Whether an exception is of a class that the compiler does not ask to be declared, and that is not. Memory that
    /// runs out is the machine's.
    fn counts(&mut self, exception: Operand) -> Operand {
        let class = self.emit.class_number(exception);
        let mut ranges = Vec::new();
        for name in ["java/lang/RuntimeException", "java/lang/Error"] {
            if let Some(ty) = self.cx.reached.world.known(name) {
                ranges.extend(self.cx.subtypes(ty));
            }
        }
        let mut excluded = vec![Rc::from("java/lang/VirtualMachineError")];
        excluded.extend(self.unchecked_throws());
        let mut not_counted = Vec::new();
        for name in excluded {
            if let Some(ty) = self.cx.reached.world.known(&name) {
                not_counted.extend(self.cx.subtypes(ty));
            }
        }
        let is_in = self.emit.in_ranges(class, &ranges);
        if not_counted.is_empty() {
            return is_in;
        }
        let is_out = self.emit.in_ranges(class, &not_counted);
        let is_kept = self.emit.not(is_out);
        self.emit.binary(BinaryOp::And, is_in, is_kept)
    }

    fn unchecked_throws(&self) -> Vec<Rc<str>> {
        unchecked_throws(&self.cx.reached.world, self.method)
    }

    fn is_declared(&self, class: &str) -> bool {
        let world = &self.cx.reached.world;
        self.unchecked_throws().iter().any(|name| match (world.known(class), world.known(name)) {
            (Some(class), Some(ty)) => world.is_subtype(class, ty),
            _ => false,
        })
    }

    pub(super) fn check(&mut self, kind: CheckKind, condition: Operand, message: Option<String>) {
        let demand = message.map(Demand::Words);
        let check = Check::Condition { kind, condition, values: Vec::new(), demand };
        self.emit.push(InstrKind::Check(check));
    }

    /// Notes the place; its label.
    fn begin(
        &mut self,
        kind: CheckKind,
        class: Option<Rc<str>>,
        callee: Option<FuncId>,
        message: Option<String>,
    ) -> u32 {
        let span = self.span_at(self.label);
        let (function, catches) = (self.function, self.catches());
        self.cx.escapes.add(Origination { function, span, kind, class, callee, message, catches })
    }

    /// What the handlers around the instruction catch.
    fn catches(&self) -> Vec<Catch> {
        let handlers = self.handlers_in_force();
        handlers.into_iter().map(|index| self.code.handlers[index].catch.clone()).collect()
    }

    /// Notes who may catch what a callee throws.
    pub(super) fn note_handlers(&mut self, callee: FuncId) {
        let catches = self.catches();
        self.cx.escapes.note(self.function, callee, catches);
    }

    /// The pending exception began at this place.
    pub(super) fn label_exception(&mut self, label: Option<u32>) {
        let (Some(label), Some(at)) = (label, self.cx.label_offset()) else { return };
        let pending = self.cx.pending;
        let exception = self.emit.load_global(Ty::Ptr, pending);
        self.emit.store(exception, at, number(label));
    }
}

/// Classes of a `throws` clause that the compiler does not ask for: they are documentation.
fn unchecked_throws(world: &World, method: MethodRef) -> Vec<Rc<str>> {
    let is_below = |name: &str, top: &str| match (world.known(name), world.known(top)) {
        (Some(ty), Some(top)) => world.is_subtype(ty, top),
        _ => false,
    };
    let throws = world.method(method).throws.iter();
    let unchecked = throws.filter(|name| {
        is_below(name, "java/lang/RuntimeException") || is_below(name, "java/lang/Error")
    });
    unchecked.cloned().collect()
}

impl Lowering {
    /// Where exceptions keep their label: the class has no such field before Java 9.
    pub(super) fn label_offset(&self) -> Option<u64> {
        let world = &self.reached.world;
        let field = world.find_field(world.known("java/lang/Throwable")?, "depth", "I")?;
        self.layouts.offset(field)
    }

    /// Whether a function runs a static initializer: its exceptions began there.
    pub(super) fn is_guard(&self, function: FuncId) -> bool {
        self.guards.values().flatten().any(|(guard, _)| *guard == function)
    }

    /// An initializer's exception has become another one, which began where the first did. One that was thrown on
    /// purpose becomes an error: no class is meant to be unusable.
    pub(super) fn keep_label(
        &mut self,
        emit: &mut Emit,
        first: Operand,
        remembered: Option<GlobalId>,
    ) {
        let (Some(at), Some(remembered)) = (self.label_offset(), remembered) else { return };
        let label = emit.load(Ty::I32, first, at);
        let is_meant = emit.compare(CompareOp::Eq, label, number(INTENDED));
        let label = emit.select(is_meant, int(0), label);
        emit.store_global(remembered, label);
        self.recall_label(emit, Some(remembered));
    }

    /// The pending exception is there because an initializer has failed.
    pub(super) fn recall_label(&mut self, emit: &mut Emit, remembered: Option<GlobalId>) {
        let (Some(at), Some(remembered)) = (self.label_offset(), remembered) else { return };
        let label = emit.load_global(Ty::I32, remembered);
        let exception = emit.load_global(Ty::Ptr, self.pending);
        emit.store(exception, at, label);
    }
}
