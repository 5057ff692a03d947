//! One method: bytecode to a body.
//!
//! The operand stack is simulated inside a block and goes through memory objects between blocks; local
//! variables are memory objects, one per slot and kind. Promotion turns both into SSA values, so no
//! verification types are needed. Malformed code is noticed on the way and makes the whole method
//! `Unsupported`.

use std::collections::BTreeSet;
use std::rc::Rc;

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{
    Access, BlockId, Body, FileId, FuncId, InstrKind, Local, LocalId, Mark, MemoryOp, Operand,
    PointerOp, SourceVarId, Span, Ty, VarRef,
};
use rustc_hash::FxHashMap;

use super::clause::is_of_contracts;
use super::context::Lowering;
use super::decision::{ChainBranch, join_decisions};
use super::emit::{Emit, number, zero};
use crate::classfile::insn::{Code, Insn, Label};
use crate::descriptor::{Kind, Prim, Signature, Type};
use crate::world::MethodRef;

/// Why code cannot be translated: it would not pass the JVM's verifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) String);

pub(super) fn malformed<T>(what: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed(what.into()))
}

/// One entry of the operand stack.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) value: Operand,
    pub(super) kind: Kind,
    /// As the source would spell it, for conditions.
    pub(super) text: Option<Rc<str>>,
    pub(super) fact: Fact,
}

impl Entry {
    /// The entry as it stands beside another one in a comparison: a number beside a character is a character.
    pub(super) fn beside(&self, other: &Entry) -> Entry {
        let letter = match (self.value, other.fact) {
            (Operand::Int(bits), Fact::Char) => u8::try_from(bits.unsigned()).ok(),
            _ => None,
        };
        let written = letter.filter(|&it| it.is_ascii_graphic() || it == b' ').map(|it| match it {
            b'\'' | b'\\' => format!("'\\{}'", char::from(it)),
            _ => format!("'{}'", char::from(it)),
        });
        let text = written.map_or_else(|| self.text.clone(), |text| Some(text.into()));
        Entry { text, ..self.clone() }
    }
}

/// What is known about an entry beyond its value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact {
    None,
    /// A reference that is not null.
    NotNull,
    /// A number that the source knows as a truth value.
    Boolean,
    /// A number that the source knows as a character.
    Char,
    /// The three-way comparison of two values.
    Compared(crate::classfile::insn::Comparison, Operand, Operand),
}

impl Fact {
    fn of(ty: &Type) -> Fact {
        match ty {
            Type::Prim(Prim::Boolean) => Fact::Boolean,
            Type::Prim(Prim::Char) => Fact::Char,
            Type::Prim(
                Prim::Byte | Prim::Short | Prim::Int | Prim::Long | Prim::Float | Prim::Double,
            )
            | Type::Ref(_) => Fact::None,
        }
    }
}

pub(super) struct MethodLowering<'a> {
    pub(super) cx: &'a mut Lowering,
    pub(super) emit: Emit,
    pub(super) function: FuncId,
    pub(super) method: MethodRef,
    pub(super) code: Rc<Code>,
    pub(super) signature: Signature,
    pub(super) stack: Vec<Entry>,
    /// The instruction being lowered.
    pub(super) label: Label,
    /// The method's code has not begun: classes of its inputs are initialized.
    pub(super) is_prologue: bool,
    /// Written by the user: marks, decisions and texts are wanted.
    pub(super) is_own: bool,
    /// Conditional branches so far, where decisions are wanted.
    pub(super) branches: Vec<ChainBranch>,
    // By depth of the stack: the last instruction of the block that began with it.
    last_at_depth: Vec<Label>,
    file: FileId,
    leaders: Vec<bool>,
    blocks: FxHashMap<Label, BlockId>,
    kinds: FxHashMap<Label, Vec<Kind>>,
    open: BTreeSet<Label>,
    slots: FxHashMap<(u16, Kind), LocalId>,
    spills: FxHashMap<(usize, Kind), LocalId>,
    // Blocks that choose a handler, by the handlers that are in force.
    landings: FxHashMap<Vec<usize>, BlockId>,
    // Positions in the body's variables, by position in the code's.
    pub(super) vars: Vec<SourceVarId>,
    // Where there is no variable table: variables by slot.
    pub(super) slot_vars: FxHashMap<u16, SourceVarId>,
    is_this_kept: bool,
    // By `throw` of an assertion: its label.
    pub(super) assertions: FxHashMap<Label, u32>,
}

/// The body of a method, or why there is none.
pub(super) fn lower_method(
    cx: &mut Lowering,
    function: FuncId,
    method: MethodRef,
    code: &Rc<Code>,
    is_entry: bool,
) -> Result<Body, Malformed> {
    let declared = cx.reached.world.method(method);
    let is_static = declared.access.is_static();
    let Some(signature) = Signature::parse(&declared.descriptor) else {
        return malformed("a method without a type");
    };
    let info = cx.reached.world.info(method.class);
    let is_own = info.owner.is_own() && !is_of_contracts(&info.name);
    let params: Vec<Ty> = cx.program.function(function).params.iter().map(|p| p.ty).collect();
    let file = cx.file_of(method.class);
    let leaders = find_leaders(code);
    cx.handlers.note(function, code, is_own);
    let is_this_kept =
        !is_static && !code.insns.iter().any(|insn| matches!(insn, Insn::Store(Kind::Ref, 0)));
    let mut lowering = MethodLowering {
        cx,
        emit: Emit::new(&params),
        function,
        method,
        code: Rc::clone(code),
        signature,
        stack: Vec::new(),
        label: 0,
        is_prologue: true,
        is_own,
        branches: Vec::new(),
        last_at_depth: Vec::new(),
        file,
        leaders,
        blocks: FxHashMap::default(),
        kinds: FxHashMap::default(),
        open: BTreeSet::new(),
        slots: FxHashMap::default(),
        spills: FxHashMap::default(),
        landings: FxHashMap::default(),
        vars: Vec::new(),
        slot_vars: FxHashMap::default(),
        is_this_kept,
        assertions: FxHashMap::default(),
    };
    lowering.declare_variables(function, is_static);
    lowering.prologue(is_static)?;
    if is_entry {
        lowering.initialize_inputs()?;
    }
    if is_entry && &*lowering.cx.reached.world.method(method).name == "<init>" {
        lowering.assume_new();
    }
    lowering.check_requirement();
    lowering.is_prologue = false;
    let block = lowering.enter(0)?;
    lowering.emit.jump(block);
    lowering.run()?;
    lowering.start_locals();
    let branches = std::mem::take(&mut lowering.branches);
    let mut body = lowering.emit.builder.finish();
    join_decisions(&mut body, code, &branches);
    glassbox_ir::simplify_cfg::simplify_cfg(&mut body);
    glassbox_ir::promote::promote_locals(&mut body, glassbox_ir::PointerSize::Eight);
    super::lengths::share(&mut body);
    Ok(body)
}

/// No class has this number.
const NO_CLASS: u32 = u32::MAX;

/// Where blocks begin.
fn find_leaders(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.insns.len() + 1];
    leaders[0] = true;
    for handler in &code.handlers {
        leaders[handler.target] = true;
    }
    for (label, insn) in code.insns.iter().enumerate() {
        for target in insn.targets() {
            leaders[target] = true;
            leaders[label + 1] = true;
        }
    }
    leaders
}

impl MethodLowering<'_> {
    fn run(&mut self) -> Result<(), Malformed> {
        while let Some(label) = self.open.pop_first() {
            let block = self.blocks[&label];
            self.emit.switch_to(block);
            self.label = label;
            self.set_span();
            self.reload(label);
            self.last_at_depth = vec![label; self.stack.len() + 1];
            self.run_block(label)?;
        }
        Ok(())
    }

    fn run_block(&mut self, start: Label) -> Result<(), Malformed> {
        let code = Rc::clone(&self.code);
        let mut label = start;
        loop {
            let Some(insn) = code.insns.get(label) else {
                return malformed("control runs off the end of the code");
            };
            if label != start && self.leaders[label] {
                let block = self.enter(label)?;
                self.emit.jump(block);
                return Ok(());
            }
            self.label = label;
            self.set_span();
            let is_new_line = self.is_own
                && code.lines[label] != 0
                && (label == 0 || label == start || code.lines[label - 1] != code.lines[label]);
            if is_new_line {
                self.emit.push(InstrKind::Mark(Mark::Statement));
            }
            if self.is_own {
                self.emit.push(InstrKind::Mark(Mark::Instruction));
            }
            self.note_depth();
            self.insn(insn)?;
            if self.emit.builder.is_terminated() {
                return Ok(());
            }
            label += 1;
        }
    }

    /// Remembers where the entries of the stack began to be made.
    fn note_depth(&mut self) {
        let depth = self.stack.len();
        self.last_at_depth.resize(depth + 1, self.label);
        self.last_at_depth[depth] = self.label;
    }

    /// Where the operands of the instruction began to be made, which has taken them off the stack.
    pub(super) fn operands_start(&self) -> Label {
        self.last_at_depth.get(self.stack.len()).copied().unwrap_or(self.label)
    }

    fn set_span(&mut self) {
        let span = self.span_at(self.label);
        self.emit.builder.set_span(span);
    }

    /// Columns of bytecode are offsets in the method's code, counted from 1.
    pub(super) fn span_at(&self, label: Label) -> Span {
        let line = self.code.lines.get(label).copied().unwrap_or(0);
        if line == 0 {
            return Span::nowhere();
        }
        let column = self.code.pcs.get(label).map_or(1, |pc| pc + 1);
        Span::new(self.file, line, column, line, column + 1)
    }

    /// The block at a label, control coming from here with the current stack.
    pub(super) fn enter(&mut self, label: Label) -> Result<BlockId, Malformed> {
        let entries = self.stack.clone();
        for (depth, entry) in entries.iter().enumerate() {
            let local = self.spill(depth, entry.kind);
            self.write_local(local, entry.value);
        }
        let kinds = entries.iter().map(|entry| entry.kind).collect();
        self.enter_with(label, kinds)
    }

    /// The block at a label; the stack has been written already.
    pub(super) fn enter_with(
        &mut self,
        label: Label,
        kinds: Vec<Kind>,
    ) -> Result<BlockId, Malformed> {
        if let Some(known) = self.kinds.get(&label) {
            if *known != kinds {
                return malformed("the operand stack differs between ways to an instruction");
            }
            return Ok(self.blocks[&label]);
        }
        if label >= self.code.insns.len() {
            return malformed("control runs off the end of the code");
        }
        let block = self.emit.new_block();
        self.kinds.insert(label, kinds);
        self.blocks.insert(label, block);
        self.open.insert(label);
        Ok(block)
    }

    fn reload(&mut self, label: Label) {
        self.stack.clear();
        let kinds = self.kinds[&label].clone();
        for (depth, kind) in kinds.into_iter().enumerate() {
            let local = self.spill(depth, kind);
            let value = self.read_local(local, kind.ty());
            self.stack.push(Entry { value, kind, text: None, fact: Fact::None });
        }
    }

    // The stack.

    pub(super) fn push(&mut self, kind: Kind, value: Operand) {
        self.stack.push(Entry { value, kind, text: None, fact: Fact::None });
    }

    pub(super) fn push_text(&mut self, kind: Kind, value: Operand, text: Option<Rc<str>>) {
        self.stack.push(Entry { value, kind, text, fact: Fact::None });
    }

    /// The same for a value of a known type.
    pub(super) fn push_typed(&mut self, ty: &Type, value: Operand, text: Option<Rc<str>>) {
        self.stack.push(Entry { value, kind: ty.kind(), text, fact: Fact::of(ty) });
    }

    pub(super) fn pop_entry(&mut self, kind: Kind) -> Result<Entry, Malformed> {
        match self.stack.pop() {
            Some(entry) if entry.kind == kind => Ok(entry),
            Some(_) => malformed("an operand of the wrong type"),
            None => malformed("the operand stack is empty"),
        }
    }

    pub(super) fn pop(&mut self, kind: Kind) -> Result<Operand, Malformed> {
        self.pop_entry(kind).map(|entry| entry.value)
    }

    pub(super) fn pop_any(&mut self) -> Result<Entry, Malformed> {
        match self.stack.pop() {
            Some(entry) => Ok(entry),
            None => malformed("the operand stack is empty"),
        }
    }

    // Local variables.

    fn new_local(&mut self, name: String, kind: Kind) -> LocalId {
        let size = kind.ty().size(glassbox_ir::PointerSize::Eight);
        let source_type = self.cx.kind_source_type(kind);
        let span = Span::nowhere();
        let local = Local { name, size, align: size, source_type, var: None, span };
        self.emit.builder.new_local(local)
    }

    fn spill(&mut self, depth: usize, kind: Kind) -> LocalId {
        if let Some(&local) = self.spills.get(&(depth, kind)) {
            return local;
        }
        let local = self.new_local(format!("stack{depth}"), kind);
        self.spills.insert((depth, kind), local);
        local
    }

    /// Where the first entry of the stack lies between blocks.
    pub(super) fn first_spill(&mut self) -> LocalId {
        self.spill(0, Kind::Ref)
    }

    fn slot(&mut self, slot: u16, kind: Kind) -> LocalId {
        if let Some(&local) = self.slots.get(&(slot, kind)) {
            return local;
        }
        let local = self.new_local(format!("slot{slot}"), kind);
        self.slots.insert((slot, kind), local);
        local
    }

    pub(super) fn write_local(&mut self, local: LocalId, value: Operand) {
        let ptr = self.emit.value(PointerOp::LocalAddr(local), Ty::Ptr);
        self.emit.push(MemoryOp::Store { ptr, value, is_volatile: false });
    }

    fn read_local(&mut self, local: LocalId, ty: Ty) -> Operand {
        let ptr = self.emit.value(PointerOp::LocalAddr(local), Ty::Ptr);
        self.emit.value(MemoryOp::Load { ty, ptr, is_volatile: false }, ty)
    }

    pub(super) fn load_slot(&mut self, slot: u16, kind: Kind) {
        let local = self.slot(slot, kind);
        let value = self.read_local(local, kind.ty());
        self.mark_use(slot);
        let named = self.variable_at(slot, self.label);
        let text = named.map(|var| Rc::clone(&self.code.variables[var].name));
        let is_this = slot == 0 && kind == Kind::Ref && self.is_this_kept;
        let ty = named.and_then(|var| Type::parse(&self.code.variables[var].descriptor));
        let fact = match ty {
            _ if is_this => Fact::NotNull,
            Some(ty) if ty.kind() == kind => Fact::of(&ty),
            Some(_) | None => Fact::None,
        };
        self.stack.push(Entry { value, kind, text, fact });
    }

    pub(super) fn store_slot(&mut self, slot: u16, kind: Kind, value: Operand) {
        let local = self.slot(slot, kind);
        self.write_local(local, value);
        // A variable's scope starts behind the store that gives it its first value.
        if let Some(var) = self.source_var(slot, self.label + 1) {
            self.emit.push(InstrKind::Mark(Mark::Def(Access::whole(VarRef::Local(var)))));
        }
    }

    /// The raw value of an int slot, for `iinc` and `ret`.
    pub(super) fn read_slot(&mut self, slot: u16, kind: Kind) -> Operand {
        let local = self.slot(slot, kind);
        self.read_local(local, kind.ty())
    }

    /// Parameters go to their slots.
    fn prologue(&mut self, is_static: bool) -> Result<(), Malformed> {
        self.set_span();
        let mut slot = 0u16;
        let mut position = 0;
        if !is_static {
            let local = self.slot(0, Kind::Ref);
            let this = self.emit.param(0);
            self.write_local(local, this);
            self.mark_param(0);
            (slot, position) = (1, 1);
        }
        for ty in self.signature.params.clone() {
            let value = self.emit.param(position);
            let value = self.emit.widen(&ty, value);
            let local = self.slot(slot, ty.kind());
            self.write_local(local, value);
            self.mark_param(position);
            slot = slot.saturating_add(if ty.kind().is_wide() { 2 } else { 1 });
            position += 1;
        }
        Ok(())
    }

    /// What is true when the method is called: its class is initialized, and so are those of its
    /// arguments and of strings.
    fn initialize_inputs(&mut self) -> Result<(), Malformed> {
        let mut types: Vec<Type> = self.signature.params.clone();
        types.push(Type::Ref("java/lang/String".into()));
        types.push(Type::Ref(Rc::clone(self.cx.reached.world.name(self.method.class))));
        for class in self.cx.reached.classes_of_inputs(types) {
            self.initialize_from_outside(class)?;
        }
        self.initialize_from_outside(self.method.class)
    }

    /// All locals live from the start.
    fn start_locals(&mut self) {
        let body = self.emit.builder.body_mut();
        let starts = (0..body.locals.len()).map(|index| glassbox_ir::Instr {
            result: None,
            kind: InstrKind::Memory(MemoryOp::LocalStart(LocalId::new(index))),
            span: Span::nowhere(),
        });
        let starts: Vec<_> = starts.collect();
        body.blocks[Body::ENTRY].instrs.splice(0..0, starts);
    }

    /// The handlers around the instruction, by position.
    pub(super) fn handlers_in_force(&self) -> Vec<usize> {
        // What happens before the first instruction happens to the caller.
        if self.is_prologue {
            return Vec::new();
        }
        let handlers = self.code.handlers.iter().enumerate();
        let here =
            handlers.filter(|(_, handler)| (handler.start..handler.end).contains(&self.label));
        here.map(|(index, _)| index).collect()
    }

    /// Chooses the handler for the pending exception, or leaves the method.
    pub(super) fn landing(&mut self) -> Result<BlockId, Malformed> {
        let in_force = self.handlers_in_force();
        if let Some(&block) = self.landings.get(&in_force) {
            return Ok(block);
        }
        let before = self.emit.builder.current();
        let start = self.emit.new_block();
        self.landings.insert(in_force.clone(), start);
        self.emit.switch_to(start);
        self.emit.builder.set_span(Span::nowhere());
        if !in_force.is_empty() {
            self.choose_handler(&in_force)?;
        }
        if !self.emit.builder.is_terminated() {
            let result = self.signature.result.as_ref().map(|ty| zero(ty.ty()));
            self.emit.ret(result);
        }
        self.emit.switch_to(before);
        self.set_span();
        Ok(start)
    }

    fn choose_handler(&mut self, in_force: &[usize]) -> Result<(), Malformed> {
        let code = Rc::clone(&self.code);
        let pending = self.cx.pending;
        let exception = self.emit.load_global(Ty::Ptr, pending);
        let class = self.emit.class_number(exception);
        for &index in in_force {
            let handler = &code.handlers[index];
            let next = match &handler.catch {
                None => None,
                Some(name) => {
                    let ranges = match self.cx.reached.world.known(name) {
                        Some(ty) => self.cx.subtypes(ty),
                        None => Vec::new(),
                    };
                    let is_it = if !ranges.is_empty() {
                        self.emit.in_ranges(class, &ranges)
                    } else if self.is_own {
                        // Nothing that is translated makes one; the code of the handler is there all the same.
                        if !super::handlers::is_of_machine(name) {
                            self.cx.handlers.unmade.insert(self.function);
                        }
                        self.emit.compare(CompareOp::Eq, class, number(NO_CLASS))
                    } else {
                        continue;
                    };
                    let (yes, no) = (self.emit.new_block(), self.emit.new_block());
                    self.emit.branch(is_it, yes, no, None);
                    self.emit.switch_to(yes);
                    Some(no)
                }
            };
            self.emit.store_global(pending, Operand::NullPtr);
            let first = self.first_spill();
            self.write_local(first, exception);
            let block = self.enter_with(handler.target, vec![Kind::Ref])?;
            self.emit.jump(block);
            match next {
                Some(block) => self.emit.switch_to(block),
                None => return Ok(()),
            }
        }
        Ok(())
    }
}
