//! Functions that the program does not define: a few that end a run or only print, the rest as stubs
//! whose results are inputs.

use glassbox_ir::library::is_system;
use glassbox_ir::{FuncId, ResultPassing, Ty, ValueId};
use glassbox_library::{Body, Control, Determinism, Function, Row, function_of};
use glassbox_terms::Sort;
use glassbox_testcase::{Assumption, EnvironmentFact};

use super::{Executor, PathEnd, Stop, stop};
use crate::guide::ChoiceKind;
use crate::library::{errno, has_count, with_sign_of};
use crate::value::SymValue;

impl Executor<'_> {
    pub(crate) fn call_external(
        &mut self,
        function: FuncId,
        args: &[SymValue],
        result: Option<ValueId>,
    ) -> Result<(), Stop> {
        let declared = self.program.function(function);
        let name = declared.name.as_str();
        let known = function_of(declared);
        match known.map(|known| known.row.control) {
            Some(Control::Exits) => {
                let status = match args.first() {
                    Some(SymValue::Term(status)) => *status,
                    Some(SymValue::Ptr(_)) | None => self.terms.bv_u(0, 32),
                };
                return stop(PathEnd::Exited(status));
            }
            Some(Control::Aborts) => return stop(PathEnd::Aborted),
            Some(Control::Returns | Control::Jumps | Control::Leaves | Control::Interleaves)
            | None => {}
        }
        if let Some(known) = known
            && known.row.is_output
            && known.row.writes == 0
        {
            self.write_to(known, args)?;
            self.print(known, args)?;
            if let ResultPassing::Direct(Ty::Int(width)) = declared.result {
                let sort = if width == 1 { Sort::Bool } else { Sort::Bv(width) };
                let variable = self.inputs.variable(self.terms, &format!("{name}()"), sort);
                self.set(result, SymValue::Term(variable));
            }
            return Ok(());
        }
        if let (Some(known), Some(&SymValue::Term(of))) = (known, args.first())
            && known.row.determinism == Determinism::SameSign
        {
            let caller = &self.program.function(self.frame().function).name;
            let sort = self.terms.sort(of);
            let free = self.inputs.variable(self.terms, &format!("{caller}()"), sort);
            let value = with_sign_of(self.terms, of, free);
            let is_usual = self.terms.eq(value, of);
            let place = self.choice_point(ChoiceKind::Value).caller.map_or(self.span, |(_, at)| at);
            self.inputs.habits.push((is_usual, place));
            self.set(result, SymValue::Term(value));
            return Ok(());
        }
        if !self.program.language.undefined_functions_have_stubs() {
            return self.unsupported(format!("`{name}` on symbolic values"));
        }
        if known.is_some_and(Function::is_mathematical) {
            return self.unsupported(format!("`{name}` on symbolic values"));
        }
        if let Some(known) = known
            && let Some(read) = self.call_reader(known, args)?
        {
            self.set(result, read);
            return Ok(());
        }
        if let Some(known) = known
            && let Some(value) = self.call_file_function(known, function, args)?
        {
            self.set(result, value);
            return Ok(());
        }
        if self.config.follows_text
            && let Some(known) = known
            && let Some(length) = self.call_formatter(known, args)?
        {
            self.set(result, length);
            return Ok(());
        }
        // `srand` and the like: nothing that a program can see.
        let is_nothing = |known: &Function| {
            let row = &known.row;
            row.is_harmless() && !row.sets_errno && row.determinism == Determinism::Fixed
        };
        if declared.result == ResultPassing::Void && known.is_some_and(is_nothing) {
            return Ok(());
        }
        let is_input = known.is_some_and(|known| known.row.determinism == Determinism::Input);
        if is_system(self.program, function) && !is_input {
            if declared.result == ResultPassing::Direct(Ty::Ptr)
                && known.is_some_and(|known| gives_null(&known.row))
                && self.choose_freely(ChoiceKind::Pointer, 2)? == 0
            {
                // There is no such file where tests run; whether it is so here, the interpreter says.
                self.inputs.is_loose = true;
                let null = self.null();
                self.set(result, SymValue::Ptr(null));
                return Ok(());
            }
            // Tests link the real one, which does not do what an input says.
            let name = glassbox_library::shown_name(name);
            let what = format!("the library function `{name}` (tests link the real one)");
            return self.unsupported(what);
        }
        self.call_stub(function, args, result)
    }

    /// Output changes nothing that a program sees, unless a format counts what was written.
    fn print(&mut self, known: &Function, args: &[SymValue]) -> Result<(), Stop> {
        if errno(self.program).is_some() {
            let succeeds = Assumption::Environment(EnvironmentFact::OutputSucceeds);
            self.inputs.note_bound(succeeds);
        }
        let Some(format) = known.row.format else { return Ok(()) };
        let format = usize::from(format);
        let has_pointers =
            args.iter().skip(format + 1).any(|argument| matches!(argument, SymValue::Ptr(_)));
        if !has_pointers {
            return Ok(());
        }
        match self.known_text(args.get(format).copied())? {
            Some(text) if has_count(&text) => self.unsupported("a format with `%n`"),
            Some(_) => Ok(()),
            None => {
                self.inputs.note_bound(Assumption::FormatsStoreNothing);
                Ok(())
            }
        }
    }
}

/// Whether a function looks for something in the surroundings, and gives null where it is not: `opendir`.
fn gives_null(row: &Row) -> bool {
    let is_plain = row.control == Control::Returns && !row.calls_back && !row.allocates;
    row.determinism == Determinism::Surroundings
        && row.body == Body::Native
        && row.writes == 0
        && is_plain
}
