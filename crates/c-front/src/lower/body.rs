//! One function's body: the state of its lowering, its parameters, its end.

use glassbox_ir as ir;
use glassbox_ir::build::BodyBuilder;
use glassbox_ir::{
    BlockId, InstrKind, Local, LocalId, MemoryOp, Operand, Passing, PointerOp, PureOp,
    ResultPassing, SourceVar, SourceVarId, Terminator, Ty, UseKind,
};
use glassbox_values::{Bits, Float};
use rustc_hash::FxHashMap;

use super::assign::Keep;
use super::member_pointer::Remembered;
use super::scope::{ScopeId, Scopes};
use super::signature::{promoted, scalar};
use super::vla::ActiveVla;
use super::{MAX_DEPTH, ProgramLowering};
use crate::span::Span;
use crate::tree::{self, AroundMain, FunctionId, LabelId, VariableId, VariableRole};
use crate::ty::kind::{PrototypeStyle, TypeId};
use crate::ty::table::TypeTable;

/// Where an automatic variable lives.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// In a local of its own.
    Local(LocalId),
    /// At an address that is a value of the entry block: records passed by value.
    Address(Operand),
    /// At an address that this local holds: variable length arrays.
    Indirect(LocalId),
}

/// A block, and the scope that control is in there.
#[derive(Debug, Clone, Copy)]
pub(super) struct JumpTarget {
    pub(super) block: BlockId,
    pub(super) scope: ScopeId,
}

/// What `break` and `continue` do here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jumps {
    pub(super) on_break: JumpTarget,
    pub(super) on_continue: Option<JumpTarget>,
    /// Variable length arrays alive at the loop or switch itself.
    pub(super) n_vlas: usize,
}

/// One function while it is lowered.
pub(super) struct BodyLowering<'p, 't> {
    pub(super) program: &'p mut ProgramLowering<'t>,
    pub(super) tree: &'t tree::Program,
    pub(super) b: BodyBuilder,
    pub(super) function: FunctionId,
    pub(super) result: ResultPassing,
    pub(super) slots: FxHashMap<VariableId, Slot>,
    pub(super) vars: FxHashMap<VariableId, SourceVarId>,
    pub(super) scopes: Scopes,
    pub(super) scope: ScopeId,
    pub(super) labels: FxHashMap<LabelId, BlockId>,
    /// For labels already passed: how many variable length arrays were alive there.
    pub(super) vlas_at_label: FxHashMap<LabelId, usize>,
    pub(super) vlas: Vec<ActiveVla>,
    pub(super) jumps: Vec<Jumps>,
    /// Blocks of the `case` and `default` statements of open switches.
    pub(super) cases: FxHashMap<tree::StmtId, BlockId>,
    /// Values of conditions that `?:` without a middle operand uses again.
    pub(super) reused: FxHashMap<tree::ExprId, Operand>,
    pub(super) use_kind: UseKind,
    /// What local pointers into members remember.
    pub(super) remembered: FxHashMap<VariableId, Remembered>,
    /// The assertions at each place: a macro use may hold several.
    assertions: FxHashMap<ir::Span, Vec<Span>>,
    depth: u32,
}

impl ProgramLowering<'_> {
    pub(super) fn lower_bodies(&mut self) {
        for id in self.tree.function_ids() {
            if self.tree.function(id).body.is_some() {
                self.lower_body(id);
            }
        }
    }

    fn lower_body(&mut self, id: FunctionId) {
        let tree = self.tree;
        let func = self.function_id(id);
        self.places.functions.insert(func, tree.function(id).span);
        let params: Vec<Ty> = self.out.function(func).params.iter().map(|param| param.ty).collect();
        let result = self.out.function(func).result;
        let mut lowering = BodyLowering {
            program: self,
            tree,
            b: BodyBuilder::new(&params),
            function: id,
            result,
            slots: FxHashMap::default(),
            vars: FxHashMap::default(),
            scopes: Scopes::default(),
            scope: ScopeId::FUNCTION,
            labels: FxHashMap::default(),
            vlas_at_label: FxHashMap::default(),
            vlas: Vec::new(),
            jumps: Vec::new(),
            cases: FxHashMap::default(),
            reused: FxHashMap::default(),
            use_kind: UseKind::Computation,
            remembered: FxHashMap::default(),
            assertions: FxHashMap::default(),
            depth: 0,
        };
        lowering.run();
        let body = lowering.b.finish();
        let function = &mut self.out.functions[func.index()];
        assert!(function.body.is_none(), "a function should be defined once");
        function.body = Some(body);
    }
}

impl<'t> BodyLowering<'_, 't> {
    fn run(&mut self) {
        let tree = self.tree;
        let body = tree.function(self.function).body.as_ref().expect("the function has a body");
        self.at(tree.function(self.function).span);
        self.parameters(&body.parameters);
        self.start_remembering(self.function);
        self.scopes.scan(tree, ScopeId::FUNCTION, &body.prologue);
        self.scopes.scan(tree, ScopeId::FUNCTION, &[body.body]);
        self.enter_scope(ScopeId::FUNCTION);
        if tree.name(tree.function(self.function).name) == "main" {
            self.run_constructors();
        }
        if let Some(what) = tree.limits.of_body(self.function) {
            self.unsupported(what.to_string(), None);
        }
        for &stmt in &body.prologue {
            self.stmt(stmt);
        }
        self.stmt(body.body);
        let end = body.span.end;
        self.at(Span::new(end.saturating_sub(1), end));
        self.fall_off_the_end();
    }

    /// What runs before `main` runs at its beginning; what runs after it is not modeled.
    fn run_constructors(&mut self) {
        for id in self.tree.function_ids() {
            let function = self.tree.function(id);
            let Some(body) = &function.body else { continue };
            match function.around_main {
                Some(AroundMain::Before) if body.parameters.is_empty() => {
                    let result = self.tree.types.function_type(function.ty).map(|ty| ty.result);
                    let result = result.unwrap_or(TypeTable::VOID);
                    self.direct_call(id, &[], result, Keep::Nothing);
                }
                Some(AroundMain::Before | AroundMain::NotModeled) => {
                    self.unsupported("a function that runs around `main`", None);
                    // Its properties are still listed, as unknown.
                    if body.parameters.is_empty() {
                        self.direct_call(id, &[], TypeTable::VOID, Keep::Nothing);
                    }
                }
                None => {}
            }
        }
    }

    fn parameters(&mut self, parameters: &'t [VariableId]) {
        let tree = self.tree;
        let style = tree
            .types
            .function_type(tree.function(self.function).ty)
            .map_or(PrototypeStyle::Prototype, |ty| ty.style);
        let first = usize::from(self.result == ResultPassing::Indirect);
        let entry = self.b.body().blocks[0].params.clone();
        for (position, &id) in parameters.iter().enumerate() {
            self.declare_var(id, u32::try_from(position).ok());
        }
        for (&id, &value) in parameters.iter().zip(entry.iter().skip(first)) {
            let ty = tree.variable(id).ty;
            let passing =
                if scalar(&tree.types, ty).is_some() { Passing::Direct } else { Passing::Indirect };
            match passing {
                Passing::Indirect => {
                    self.slots.insert(id, Slot::Address(value.into()));
                }
                Passing::Direct => {
                    let local = self.declare_local(id);
                    self.b.push(MemoryOp::LocalStart(local));
                    let ptr = self.local_addr(local);
                    let is_promoted = style == PrototypeStyle::OldStyle
                        && promoted(&tree.types, ty) != scalar(&tree.types, ty);
                    let value =
                        if is_promoted { self.demote(value.into(), ty) } else { value.into() };
                    self.b.push(MemoryOp::Store { ptr, value, is_volatile: false });
                }
            }
            self.mark_def_of(id);
            self.mark_memory_of(id);
        }
    }

    /// An old-style parameter arrives promoted and is converted to its declared type.
    fn demote(&mut self, value: Operand, ty: TypeId) -> Operand {
        match scalar(&self.tree.types, ty) {
            Some(Ty::Int(width)) => self.resize(value, width, glassbox_values::Signedness::Signed),
            Some(to @ Ty::Float(_)) => {
                self.emit(PureOp::Cast { op: ir::instr::CastOp::FloatToFloat, arg: value, to }, to)
            }
            Some(Ty::Ptr) | None => value,
        }
    }

    /// Control reaches the closing brace.
    fn fall_off_the_end(&mut self) {
        let is_main = self.tree.name(self.tree.function(self.function).name) == "main";
        match self.result {
            ResultPassing::Void => self.b.terminate(Terminator::Return(None)),
            ResultPassing::Direct(ty @ Ty::Int(_)) if is_main => {
                self.b.terminate(Terminator::Return(Some(zero(ty))));
            }
            ResultPassing::Direct(_) | ResultPassing::Indirect => {
                let func = self.program.function_id(self.function);
                self.program.results.ends.push((func, self.b.current()));
                self.check_never(ir::CheckKind::MissingReturn, None);
                self.b.terminate(Terminator::Unreachable);
            }
        }
    }

    // -- Small steps that every construct uses ------------------------------------------------

    /// The instructions that follow come from this place.
    pub(super) fn at(&mut self, span: Span) {
        let place = self.program.place_of(span);
        self.b.set_span(place);
    }

    /// The instructions that follow report the failed assertion at `span`. Each assertion is a property
    /// of its own, so those that share a place are numbered.
    pub(super) fn at_assertion(&mut self, span: Span) {
        let place = self.program.place_of(span);
        let known = self.assertions.entry(place).or_default();
        let index = known.iter().position(|&other| other == span).unwrap_or_else(|| {
            known.push(span);
            known.len() - 1
        });
        self.b.set_span(ir::Span { part: u32::try_from(index).unwrap_or(u32::MAX), ..place });
    }

    pub(super) fn emit(&mut self, kind: impl Into<InstrKind>, ty: Ty) -> Operand {
        self.b.push_value(kind, ty).into()
    }

    pub(super) fn scalar(&self, ty: TypeId) -> Option<Ty> {
        scalar(&self.tree.types, ty)
    }

    /// Bytes of a type of constant size; 0 where it has none.
    pub(super) fn size_of(&self, ty: TypeId) -> u64 {
        self.tree.types.size_of(ty).unwrap_or(0)
    }

    /// A block that nothing reaches, for what follows a jump.
    pub(super) fn start_dead_block(&mut self) {
        let block = self.b.new_block();
        self.b.switch_to(block);
    }

    /// Ends the block with `terminator`; what follows is dead until a label.
    pub(super) fn end_with(&mut self, terminator: Terminator) {
        self.b.terminate(terminator);
        self.start_dead_block();
    }

    pub(super) fn jump_to(&mut self, block: BlockId) {
        self.b.jump(block, Vec::new());
    }

    /// Jumps to a block and goes on there.
    pub(super) fn fall_into(&mut self, block: BlockId) {
        self.jump_to(block);
        self.b.switch_to(block);
    }

    pub(super) fn local_addr(&mut self, local: LocalId) -> Operand {
        self.emit(PointerOp::LocalAddr(local), Ty::Ptr)
    }

    /// Marks something that is not modeled; gives a value where one is needed.
    pub(super) fn unsupported(&mut self, what: impl Into<String>, ty: Option<Ty>) -> Operand {
        let kind = InstrKind::Unsupported { what: what.into(), ty };
        match ty {
            Some(ty) => self.emit(kind, ty),
            None => {
                self.b.push(kind);
                Operand::NullPtr
            }
        }
    }

    /// Runs `work` one level deeper, or gives `None` where nesting is beyond the limit.
    pub(super) fn nested<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        Some(result)
    }

    /// A source variable of the function, if it has a name in the source.
    pub(super) fn declare_var(
        &mut self,
        id: VariableId,
        param: Option<u32>,
    ) -> Option<SourceVarId> {
        let variable = self.tree.variable(id);
        match variable.role {
            VariableRole::Named | VariableRole::Parameter(_) => {}
            VariableRole::CompoundLiteral | VariableRole::VlaLength => return None,
        }
        if let Some(&var) = self.vars.get(&id) {
            return Some(var);
        }
        let name = self.tree.name(variable.name).to_owned();
        let source_type = self.program.declared_source_type(variable.ty, variable.span);
        let span = self.program.place_of(variable.span);
        let var = self.b.new_var(SourceVar { name, source_type, param, local: None, span });
        self.vars.insert(id, var);
        Some(var)
    }

    /// The memory of an automatic variable of constant size.
    pub(super) fn declare_local(&mut self, id: VariableId) -> LocalId {
        let variable = self.tree.variable(id);
        let size = self.object_size(id);
        let var = self.declare_var(id, None);
        let name = self.tree.name(variable.name).to_owned();
        let source_type = self.program.declared_source_type(variable.ty, variable.span);
        let span = self.program.place_of(variable.span);
        let align = variable.align.max(1);
        let local = self.b.new_local(Local { name, size, align, source_type, var, span });
        if let Some(var) = var {
            self.b.body_mut().vars[var.index()].local = Some(local);
        }
        self.slots.insert(id, Slot::Local(local));
        local
    }

    /// Unnamed memory for an intermediate value; alive from here on.
    pub(super) fn temporary(&mut self, ty: TypeId) -> Operand {
        let source_type = self.program.source_type(ty);
        let align = self.tree.types.align_of(ty).max(1);
        let span = self.b.span();
        let size = self.size_of(ty);
        let name = String::new();
        let local = self.b.new_local(Local { name, size, align, source_type, var: None, span });
        self.b.push(MemoryOp::LocalStart(local));
        self.local_addr(local)
    }
}

/// The zero of a type.
pub(super) fn zero(ty: Ty) -> Operand {
    match ty {
        Ty::Int(width) => Operand::Int(Bits::zero(width)),
        Ty::Float(format) => Operand::Float(Float::from_bits(0, format)),
        Ty::Ptr => Operand::NullPtr,
    }
}

/// A byte count.
pub(super) fn size(bytes: u64) -> Operand {
    Operand::Int(Bits::from_u64(bytes, 64))
}
