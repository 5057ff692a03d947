//! Building a body, one instruction at a time.

use crate::block::{Block, Target, Terminator};
use crate::decision::Decision;
use crate::func::{Body, Local, SourceVar};
use crate::id::{BlockId, DecisionId, LocalId, SourceVarId, ValueId};
use crate::instr::{Call, Instr, InstrKind, Operand};
use crate::source::Span;
use crate::ty::Ty;

/// A body under construction, with a current block that instructions are appended to.
#[derive(Debug)]
pub struct BodyBuilder {
    body: Body,
    current: BlockId,
    // Invariant: one entry per block; true once the terminator is set.
    is_terminated: Vec<bool>,
    span: Span,
}

impl BodyBuilder {
    /// Starts with the entry block and its parameters.
    pub fn new(params: &[Ty]) -> BodyBuilder {
        let mut builder = BodyBuilder {
            body: Body {
                blocks: Vec::new(),
                values: Vec::new(),
                locals: Vec::new(),
                vars: Vec::new(),
                decisions: Vec::new(),
            },
            current: BlockId::new(0),
            is_terminated: Vec::new(),
            span: Span::nowhere(),
        };
        let entry = builder.new_block();
        for &ty in params {
            builder.block_param(entry, ty);
        }
        builder
    }

    /// The body; every block must be terminated (unterminated ones become `Unreachable`).
    pub fn finish(self) -> Body {
        self.body
    }

    pub fn body(&self) -> &Body {
        &self.body
    }

    pub fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    /// The place that following instructions come from.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn new_block(&mut self) -> BlockId {
        let id = BlockId::new(self.body.blocks.len());
        self.body.blocks.push(Block {
            params: Vec::new(),
            instrs: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_span: self.span,
        });
        self.is_terminated.push(false);
        id
    }

    pub fn block_param(&mut self, block: BlockId, ty: Ty) -> ValueId {
        let value = self.new_value(ty);
        self.body.blocks[block.index()].params.push(value);
        value
    }

    pub fn new_value(&mut self, ty: Ty) -> ValueId {
        let value = ValueId::new(self.body.values.len());
        self.body.values.push(ty);
        value
    }

    pub fn new_local(&mut self, local: Local) -> LocalId {
        let id = LocalId::new(self.body.locals.len());
        self.body.locals.push(local);
        id
    }

    pub fn new_var(&mut self, var: SourceVar) -> SourceVarId {
        let id = SourceVarId::new(self.body.vars.len());
        self.body.vars.push(var);
        id
    }

    pub fn new_decision(&mut self, decision: Decision) -> DecisionId {
        let id = DecisionId::new(self.body.decisions.len());
        self.body.decisions.push(decision);
        id
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn current(&self) -> BlockId {
        self.current
    }

    pub fn is_terminated(&self) -> bool {
        self.is_terminated[self.current.index()]
    }

    pub fn operand_ty(&self, operand: Operand) -> Ty {
        operand.ty(&self.body)
    }

    /// Appends an instruction without a result.
    pub fn push(&mut self, kind: impl Into<InstrKind>) {
        self.append(None, kind.into());
    }

    /// Appends an instruction with a result of type `ty`.
    pub fn push_value(&mut self, kind: impl Into<InstrKind>, ty: Ty) -> ValueId {
        let value = self.new_value(ty);
        self.append(Some(value), kind.into());
        value
    }

    /// Appends a call; the result is there when the call has one.
    pub fn push_call(&mut self, call: Call) -> Option<ValueId> {
        let result = call.result.map(|ty| self.new_value(ty));
        self.append(result, InstrKind::Call(call));
        result
    }

    fn append(&mut self, result: Option<ValueId>, kind: InstrKind) {
        assert!(!self.is_terminated(), "instructions should come before the terminator");
        let span = self.span;
        self.body.blocks[self.current.index()].instrs.push(Instr { result, kind, span });
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        assert!(!self.is_terminated(), "a block should have one terminator");
        let block = &mut self.body.blocks[self.current.index()];
        block.terminator = terminator;
        block.terminator_span = self.span;
        self.is_terminated[self.current.index()] = true;
    }

    pub fn jump(&mut self, block: BlockId, args: Vec<Operand>) {
        self.terminate(Terminator::Jump(Target { block, args }));
    }
}
