//! Text that the library writes into an array inside of an object: `strcpy(h.name, s)`.
//!
//! A pointer knows its object, not the member it was formed from, so a copy of the member is an object of its own: the
//! function works on the copy, whose bounds are the member's, and what it wrote goes back. That is what
//! `_FORTIFY_SOURCE` checks for these functions.

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{Check, InstrKind, MemoryOp, Operand, PointerOp, Ty};
use glassbox_library::TextResult;

use super::assign::Keep;
use super::body::{BodyLowering, size};
use super::call::Argument;
use crate::tree::{Conversion, ExprId, ExprKind, FunctionId};
use crate::ty::kind::TypeId;

/// An array that a function of the library writes text to.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPart {
    array: TypeId,
    result: TextResult,
}

impl BodyLowering<'_, '_> {
    /// The part of an object that a function of the library is given to write text to, if it is one.
    pub(super) fn text_part(&self, function: FunctionId, arguments: &[ExprId]) -> Option<TextPart> {
        let declared = self.tree.function(function);
        if declared.body.is_some() {
            return None;
        }
        let known = glassbox_library::find(self.tree.name(declared.name))?;
        let result = known.row.text?;
        let mut at = *arguments.first()?;
        while let ExprKind::Convert { conversion: Conversion::PointerToPointer, operand, .. } =
            self.tree.expr(at).kind
        {
            at = operand;
        }
        let ExprKind::Convert { conversion: Conversion::ArrayDecay, operand: array, .. } =
            self.tree.expr(at).kind
        else {
            return None;
        };
        let is_member = matches!(self.tree.expr(array).kind, ExprKind::Member { .. });
        let is_known = is_member && self.known_length(array).is_some();
        is_known.then(|| TextPart { array: self.tree.expr(array).ty, result })
    }

    /// The call, with a copy of the part as its first argument.
    pub(super) fn call_on_part(
        &mut self,
        function: FunctionId,
        mut arguments: Vec<Argument>,
        part: TextPart,
        result_ty: TypeId,
        keep: Keep,
    ) -> Operand {
        let len = size(self.size_of(part.array));
        let given = arguments[0].value;
        self.b.push(InstrKind::Check(Check::Writable { ptr: given, size: len }));
        let copy = self.temporary(part.array);
        self.b.push(MemoryOp::Copy { dst: copy, src: given, len, is_volatile: false });
        arguments[0].value = copy;
        let result = self.direct_call(function, &arguments, result_ty, keep);
        self.b.push(MemoryOp::Copy { dst: given, src: copy, len, is_volatile: false });
        match part.result {
            TextResult::Number => result,
            TextResult::Argument => given,
            TextResult::ArgumentOrNull => {
                let (op, rhs) = (CompareOp::Eq, Operand::NullPtr);
                let is_null = self.emit(PointerOp::Compare { op, lhs: result, rhs }, Ty::BOOL);
                self.select(is_null, Operand::NullPtr, given)
            }
            TextResult::End => {
                let offset = self.emit(PointerOp::Diff { lhs: result, rhs: copy }, Ty::I64);
                self.emit(PointerOp::Add { base: given, offset }, Ty::Ptr)
            }
        }
    }
}
