//! Which functions a program uses: headers declare many more.

use crate::tree::{
    AddressBase, Callee, Constant, ExprKind, FunctionId, Init, InitValue, Program, StmtKind,
};

impl Program {
    /// Functions that are called or whose address is taken, in the order of their ids.
    pub(crate) fn referenced_functions(&self) -> Vec<FunctionId> {
        let mut is_used = vec![false; self.functions.len()];
        for expr in &self.exprs {
            if let ExprKind::Function(id) | ExprKind::Call { callee: Callee::Direct(id), .. } =
                &expr.kind
            {
                is_used[id.0 as usize] = true;
            } else if let ExprKind::CompoundLiteral { init, .. } = &expr.kind {
                note_init(init, &mut is_used);
            }
        }
        for stmt in &self.stmts {
            if let StmtKind::Declare { init: Some(init), .. } = &stmt.kind {
                note_init(init, &mut is_used);
            }
        }
        for variable in &self.variables {
            if let Some(init) = &variable.init {
                note_init(init, &mut is_used);
            }
        }
        self.function_ids().filter(|id| is_used[id.0 as usize]).collect()
    }
}

fn note_init(init: &Init, is_used: &mut [bool]) {
    let mut note = |value: &InitValue| {
        if let InitValue::Constant(Constant::Address { base: AddressBase::Function(id), .. }) =
            value
        {
            is_used[id.0 as usize] = true;
        }
    };
    match init {
        Init::Value(value) => note(value),
        Init::Items(items) => items.iter().for_each(|item| note(&item.value)),
    }
}
