//! Calls.

use super::Operand;
use crate::func::{Function, ResultPassing};
use crate::id::FuncId;
use crate::ty::Ty;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub callee: Callee,
    pub args: Vec<Operand>,
    /// What the call site expects; checked against the callee for indirect calls.
    pub result: Option<Ty>,
    /// Arguments from here on are the variable ones.
    pub n_fixed_args: u32,
}

impl Call {
    /// Whether the call can work with this function: the arguments, of these types, are what it takes, and it
    /// returns what a call through a pointer expects.
    pub fn fits(&self, function: &Function, types: impl Iterator<Item = Ty>) -> bool {
        let n_fixed = function.params.len();
        let returns = match (self.callee, self.result) {
            (Callee::Indirect(_), Some(ty)) => function.result == ResultPassing::Direct(ty),
            // A record is written where the first argument points.
            (Callee::Indirect(_), None) => !matches!(function.result, ResultPassing::Direct(_)),
            (Callee::Direct(_), _) => true,
        };
        returns
            && self.args.len() >= n_fixed
            && (function.is_variadic || self.args.len() == n_fixed)
            && function.params.iter().zip(types).all(|(param, ty)| param.ty == ty)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    Direct(FuncId),
    /// Through a function pointer.
    Indirect(Operand),
}

impl Call {
    /// Calls `visit` on the function pointer, if there is one, and the arguments.
    pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
        if let Callee::Indirect(pointer) = &self.callee {
            visit(pointer);
        }
        self.args.iter().for_each(visit);
    }

    /// Calls `visit` on the function pointer, if there is one, and the arguments.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        if let Callee::Indirect(pointer) = &mut self.callee {
            visit(pointer);
        }
        self.args.iter_mut().for_each(visit);
    }
}
