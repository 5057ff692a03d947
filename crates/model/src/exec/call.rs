//! Calls of functions that the program defines.

use glassbox_ir::{Call, Callee, CheckKind, FuncId, Ty, ValueId};

use glassbox_testcase::{Assumption, EnvironmentFact};

use super::{Executor, Stop};
use crate::library::depends_on_locale;
use crate::value::{SymPtr, SymValue};

impl Executor<'_> {
    pub(crate) fn call(&mut self, call: &Call, result: Option<ValueId>) -> Result<(), Stop> {
        let function = self.callee(call.callee)?;
        let declared = self.program.function(function);
        let args: Vec<SymValue> = call.args.iter().map(|&arg| self.operand(arg)).collect();
        let types: Vec<Ty> = {
            let body = self.program.body(self.frame().function);
            call.args.iter().map(|arg| arg.ty(body)).collect()
        };
        if declared.body.is_none() {
            return self.call_external(function, &args, result);
        }
        // A function that is not the whole program may be called after `setlocale`.
        if self.config.globals_are_inputs && depends_on_locale(self.program, function) {
            self.inputs.note_bound(Assumption::Environment(EnvironmentFact::PlainLocale));
        }
        let n_fixed = declared.params.len();
        if !call.fits(declared, types.iter().copied()) {
            return self.failed(CheckKind::BadCall);
        }
        let var_args: Vec<(SymValue, Ty)> = args.iter().copied().zip(types).skip(n_fixed).collect();
        self.push_frame(function, &args[..n_fixed], &var_args, result)
    }

    fn callee(&mut self, callee: Callee) -> Result<FuncId, Stop> {
        match callee {
            Callee::Direct(function) => Ok(function),
            Callee::Indirect(pointer) => {
                let pointer = self.pointer(pointer);
                match self.resolve(pointer)? {
                    SymPtr::Func(function) => Ok(function),
                    SymPtr::Number(_) | SymPtr::Object { .. } | SymPtr::Input(_) => {
                        self.failed(CheckKind::BadCall)
                    }
                }
            }
        }
    }
}
