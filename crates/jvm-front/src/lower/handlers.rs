//! Which functions catch what searches leave out: exceptions of the JVM, whose messages are not made, the errors of
//! a machine that has no more memory, and exceptions of classes that nothing in sight makes.

use std::collections::BTreeSet;

use glassbox_ir::FuncId;

use crate::classfile::insn::{Code, Handler, Insn};

/// Functions with handlers, by what comes to these.
#[derive(Debug, Default)]
pub struct Handlers {
    /// Any exception.
    pub any: BTreeSet<FuncId>,
    /// Functions of the user that go on where there is no more memory.
    pub memory: BTreeSet<FuncId>,
    /// Functions of the user that go on where there is no more stack.
    pub stack: BTreeSet<FuncId>,
    /// Functions of the user that catch exceptions which nothing that is translated makes.
    pub unmade: BTreeSet<FuncId>,
}

/// Classes that memory errors and stack errors both are of.
const ABOVE_BOTH: &[&str] =
    &["java/lang/VirtualMachineError", "java/lang/Error", "java/lang/Throwable"];

const NO_MEMORY: &str = "java/lang/OutOfMemoryError";
const NO_STACK: &str = "java/lang/StackOverflowError";

/// Whether exceptions of a class say that the machine has no more of something.
pub(super) fn is_of_machine(class: &str) -> bool {
    class == NO_MEMORY || class == NO_STACK
}

impl Handlers {
    pub(super) fn note(&mut self, function: FuncId, code: &Code, is_own: bool) {
        for handler in &code.handlers {
            self.any.insert(function);
            if !is_own || is_of_monitor(code, handler) {
                continue;
            }
            let catch = handler.catch.as_deref();
            let is_both = catch.is_none_or(|name| ABOVE_BOTH.contains(&name));
            if is_both || catch == Some(NO_MEMORY) {
                self.memory.insert(function);
            }
            if is_both || catch == Some(NO_STACK) {
                self.stack.insert(function);
            }
        }
    }
}

/// Whether compilers made the handler, to leave a monitor and throw on: store, load, leave, load, throw.
fn is_of_monitor(code: &Code, handler: &Handler) -> bool {
    let target = code.insns.iter().skip(handler.target).take(5);
    handler.catch.is_none() && target.into_iter().any(|insn| matches!(insn, Insn::MonitorExit))
}
