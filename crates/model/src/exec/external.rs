//! Functions that the program does not define: a few that end a run or only print, the rest as stubs
//! whose results are inputs.

use glassbox_ir::library::is_system;
use glassbox_ir::{FuncId, ResultPassing, Span, Ty, ValueId};
use glassbox_terms::Sort;

use super::{Executor, PathEnd, Stop, stop};
use crate::value::SymValue;

/// Functions whose only effect is output; what they return is seldom used and never an input.
const OUTPUT: &[&str] = &[
    "printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "putc", "fputc",
    "fflush", "perror", "fwrite",
];

/// Mathematical functions without an exact symbolic meaning here.
const MATH: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2",
    "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "hypot", "erf", "erfc", "tgamma",
    "lgamma", "sinf", "cosf", "tanf", "asinf", "acosf", "atanf", "atan2f", "expf", "logf",
    "log10f", "log2f", "powf", "cbrtf", "hypotf",
];

impl Executor<'_> {
    pub(crate) fn call_external(
        &mut self,
        function: FuncId,
        args: &[SymValue],
        result: Option<ValueId>,
        span: Span,
    ) -> Result<(), Stop> {
        let declared = self.program.function(function);
        let name = declared.name.as_str();
        match name {
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = match args.first() {
                    Some(SymValue::Term(status)) => *status,
                    Some(SymValue::Ptr(_)) | None => self.terms.bv_u(0, 32),
                };
                return stop(PathEnd::Exited(status));
            }
            "abort" => return stop(PathEnd::Aborted),
            _ => {}
        }
        // What Java prints.
        if name.starts_with("glassbox.write") {
            return Ok(());
        }
        if self.program.language == glassbox_ir::Language::Java {
            return self.unsupported(format!("`{name}` on symbolic values"), span);
        }
        if MATH.contains(&name) {
            return self.unsupported(format!("`{name}` on symbolic values"), span);
        }
        if let Some(read) = self.call_reader(name, args, span)? {
            self.set(result, read);
            return Ok(());
        }
        if OUTPUT.contains(&name) {
            if let ResultPassing::Direct(Ty::Int(width)) = declared.result {
                let sort = if width == 1 { Sort::Bool } else { Sort::Bv(width) };
                let variable = self.inputs.variable(self.terms, &format!("{name}()"), sort);
                self.set(result, SymValue::Term(variable));
            }
            return Ok(());
        }
        if is_system(self.program, function) {
            // Tests link the real one, which does not do what an input says.
            let story = format!("the library function `{name}` (tests link the real one)");
            return self.unsupported(story, span);
        }
        self.call_stub(function, args, result, span)
    }
}
