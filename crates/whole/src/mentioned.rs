//! Functions that a body mentions, called or not.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::{Body, Callee, FuncId, InstrKind, Operand, Program, RelocationTarget};

/// What the bodies of a program mention, found out once: every graph asks again, and graphs are built many times.
#[derive(Debug, Default)]
pub struct Mentions {
    by_function: RefCell<BTreeMap<FuncId, Rc<Mentioned>>>,
    addressed: OnceCell<BTreeSet<FuncId>>,
}

/// What a body mentions.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// Those that it calls by name or whose address it takes.
    pub functions: BTreeSet<FuncId>,
    /// It calls what a pointer says.
    pub(crate) calls_any: bool,
}

impl Mentions {
    pub(crate) fn of(&self, program: &Program, function: FuncId) -> Rc<Mentioned> {
        if let Some(known) = self.by_function.borrow().get(&function) {
            return Rc::clone(known);
        }
        let body = program.function(function).body.as_ref();
        let found = Rc::new(body.map(mentioned).unwrap_or_default());
        self.by_function.borrow_mut().insert(function, Rc::clone(&found));
        found
    }

    /// Defined functions whose addresses are values somewhere in the program.
    pub(crate) fn addressed(&self, program: &Program) -> &BTreeSet<FuncId> {
        self.addressed.get_or_init(|| addressed(program))
    }
}

/// What one body mentions.
pub fn mentioned(body: &Body) -> Mentioned {
    let mut found = Mentioned::default();
    let mut note = |operand: &Operand| {
        if let Operand::Func(function) = operand {
            found.functions.insert(*function);
        }
    };
    let mut direct = Vec::new();
    for block in &body.blocks {
        for instr in &block.instrs {
            instr.kind.for_each_operand(&mut note);
            if let InstrKind::Call(call) = &instr.kind {
                match call.callee {
                    Callee::Direct(function) => direct.push(function),
                    Callee::Indirect(Operand::Func(_)) => {}
                    Callee::Indirect(_) => found.calls_any = true,
                }
            }
        }
        block.terminator.for_each_operand(&mut note);
        for target in block.terminator.targets() {
            target.args.iter().for_each(&mut note);
        }
    }
    found.functions.extend(direct);
    found
}

fn addressed(program: &Program) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut note = |operand: &Operand| {
        if let Operand::Func(function) = operand {
            found.insert(*function);
        }
    };
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for block in &body.blocks {
            block.instrs.iter().for_each(|instr| instr.kind.for_each_operand(&mut note));
            block.terminator.for_each_operand(&mut note);
            for target in block.terminator.targets() {
                target.args.iter().for_each(&mut note);
            }
        }
    }
    for initializer in program.globals.iter().filter_map(|global| global.initializer.as_ref()) {
        for relocation in &initializer.relocations {
            if let RelocationTarget::Func(function) = relocation.target {
                found.insert(function);
            }
        }
    }
    found.retain(|&function| program.function(function).body.is_some());
    found
}
