//! Calls of functions that the program does not define: what the catalogue of the library says, or anything.

use glassbox_ir::{Call, FuncId, Ty};
use glassbox_library::Determinism;
use glassbox_model::library;

use super::Event;
use super::build::Builder;
use super::memory::{Object, Val};
use super::pure::sort_of;

impl Builder<'_> {
    pub(super) fn external(&mut self, function: FuncId, call: &Call, args: &[Val]) -> Option<Val> {
        let declared = self.program.function(function);
        let name = declared.name.as_str();
        let changes = library::changes(self.program, function, &call.args);
        if changes.ends_run {
            self.here = None;
            return None;
        }
        if changes.is_beyond_order
            && let Some(here) = self.here
        {
            let entry = (here, format!("`{name}`"), declared.span);
            self.graph.unsupported.push(entry.clone());
            self.graph.out_of_order.push(entry);
        }
        if changes.calls_back {
            self.hide_callbacks();
        }
        if declared.is_noreturn {
            self.here = None;
            return None;
        }
        if changes.memory {
            return self.unknown_call(args, call.result);
        }
        if changes.errno
            && let Some(errno) = library::errno(self.program)
        {
            self.forget_object(Object::Global(errno));
        }
        let ty = call.result?;
        let determinism =
            glassbox_library::function_of(declared).map(|known| known.row.determinism);
        Some(match (determinism, args.first()) {
            (Some(Determinism::Input), _) => {
                let value = self.input(&format!("{name}()"), ty);
                let most =
                    glassbox_library::function_of(declared).and_then(|known| known.row.input_most);
                if let (Some(most), Val::Term(term), Ty::Int(32..)) = (most, value, ty) {
                    let width = self.terms().width(term);
                    let most = self.terms().bv_u(most.into(), width);
                    let is_possible = self.terms().bv_ule(term, most);
                    self.event(Event::Assume(is_possible));
                }
                value
            }
            (Some(Determinism::SameSign), Some(&Val::Term(of))) => {
                let free = self.opaque(sort_of(ty));
                Val::Term(library::with_sign_of(self.terms(), of, free))
            }
            _ => self.opaque_of(ty),
        })
    }

    /// Every function whose address is taken, and what it may call, may run without being in the graph.
    fn hide_callbacks(&mut self) {
        let mut opaque = std::mem::take(&mut self.graph.opaque);
        for &function in self.table.mentions.addressed(self.program) {
            self.add_callees(function, &mut opaque);
        }
        self.graph.hidden.extend(&opaque);
        self.graph.opaque = opaque;
    }
}
