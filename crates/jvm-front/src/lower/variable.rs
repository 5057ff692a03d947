//! Variables of the source: by the variable table, or by slot where a class file has none.

use std::collections::BTreeMap;
use std::rc::Rc;

use glassbox_ir::{Access, FuncId, InstrKind, Mark, SourceVar, SourceVarId, UseKind, VarRef};

use super::method::MethodLowering;
use crate::classfile::insn::{Insn, Label};
use crate::descriptor::{Kind, Type};

impl MethodLowering<'_> {
    pub(super) fn mark_use(&mut self, slot: u16) {
        if let Some(var) = self.source_var(slot, self.label) {
            let var = VarRef::Local(var);
            self.emit.push(InstrKind::Mark(Mark::Use(Access::whole(var), UseKind::Computation)));
        }
    }

    /// The variable that a slot holds.
    pub(super) fn source_var(&self, slot: u16, label: Label) -> Option<SourceVarId> {
        match self.variable_at(slot, label) {
            Some(var) => Some(self.vars[var]),
            None => self.slot_vars.get(&slot).copied(),
        }
    }

    pub(super) fn variable_at(&self, slot: u16, label: Label) -> Option<usize> {
        if !self.is_own {
            return None;
        }
        let fits = |variable: &crate::classfile::insn::Variable| {
            variable.slot == slot && variable.start <= label && label < variable.end
        };
        self.code.variables.iter().position(fits)
    }

    /// Parameters come first among the body's variables, then the others of the variable table.
    pub(super) fn declare_variables(&mut self, function: FuncId, is_static: bool) {
        let params = self.cx.program.function(function).params.clone();
        let code = Rc::clone(&self.code);
        let span = self.span_at(0);
        for (position, param) in (0u32..).zip(&params) {
            self.emit.builder.new_var(SourceVar {
                name: param.name.clone(),
                source_type: param.source_type,
                param: Some(position),
                local: None,
                span,
            });
        }
        let mut slot_params = BTreeMap::new();
        let mut slot = 0u16;
        let receiver = (!is_static).then_some(Kind::Ref);
        let kinds = receiver.into_iter().chain(self.signature.params.iter().map(Type::kind));
        for (position, kind) in kinds.enumerate() {
            slot_params.insert(slot, position);
            slot += if kind.is_wide() { 2 } else { 1 };
        }
        if code.variables.is_empty() && self.is_own {
            return self.declare_slots(&slot_params);
        }
        for variable in &code.variables {
            let param = slot_params.get(&variable.slot).filter(|_| variable.start == 0);
            let var = match param {
                Some(&position) => SourceVarId::new(position),
                None => {
                    let source_type = self.cx.descriptor_source_type(&variable.descriptor);
                    let span = self.span_at(variable.start.saturating_sub(1));
                    self.emit.builder.new_var(SourceVar {
                        name: variable.name.to_string(),
                        source_type,
                        param: None,
                        local: None,
                        span,
                    })
                }
            };
            self.vars.push(var);
        }
    }

    /// Without a variable table every slot is a variable.
    fn declare_slots(&mut self, params: &BTreeMap<u16, usize>) {
        for (&slot, &position) in params {
            self.slot_vars.insert(slot, SourceVarId::new(position));
        }
        let code = Rc::clone(&self.code);
        for (label, insn) in code.insns.iter().enumerate() {
            let Insn::Store(kind, slot) = insn else { continue };
            if self.slot_vars.contains_key(slot) {
                continue;
            }
            let (name, source_type) = (format!("local{slot}"), self.cx.kind_source_type(*kind));
            let (param, local, span) = (None, None, self.span_at(label));
            let variable = SourceVar { name, source_type, param, local, span };
            let var = self.emit.builder.new_var(variable);
            self.slot_vars.insert(*slot, var);
        }
    }

    pub(super) fn mark_param(&mut self, position: usize) {
        if self.is_own {
            let var = VarRef::Local(SourceVarId::new(position));
            self.emit.push(InstrKind::Mark(Mark::Def(Access::whole(var))));
        }
    }
}
