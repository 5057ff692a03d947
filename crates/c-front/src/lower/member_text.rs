//! Text that the library writes into an array inside of an object: `strcpy(h.name, s)`, `strcpy(h.name + k, s)`,
//! `strcpy(rows[k], s)`, and `strcpy(p, s)` where `p` remembers its member.
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
use super::member_pointer::{Source, is_quiet, source_of};
use super::place::{Purpose, known_length};
use crate::tree::{Conversion, ExprId, ExprKind, FunctionId, VariableId};
use crate::ty::kind::TypeId;

/// An array that a function of the library writes text to.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPart {
    array: ExprId,
    start: Start,
    result: TextResult,
}

/// How the start of the array is found.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// The text begins there.
    Given,
    /// The text begins behind it.
    Place,
    /// A pointer remembers it.
    Remembered(VariableId),
}

impl BodyLowering<'_, '_> {
    /// The part of an object that a function of the library is given to write text to, if it is one: a member, a row of
    /// an array, or what lies behind some elements of such.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other arrays are objects of their own")]
    pub(super) fn text_part(&self, function: FunctionId, arguments: &[ExprId]) -> Option<TextPart> {
        let declared = self.tree.function(function);
        if declared.body.is_some() {
            return None;
        }
        let known = glassbox_library::find(self.tree.name(declared.name))?;
        let result = known.row.text?;
        let target = *arguments.first()?;
        let (array, start) = match self.array_behind(target) {
            Some((array, true)) => (array, Start::Place),
            Some((array, false)) => (array, Start::Given),
            None => {
                let Some(Source::Variable(id)) = source_of(self.tree, target) else { return None };
                let pointer = self.program.member_pointers.get(&id)?;
                // A copy has the size of the member.
                pointer.bytes?;
                (pointer.array, Start::Remembered(id))
            }
        };
        let is_part = match &self.tree.expr(array).kind {
            ExprKind::Member { .. } => true,
            ExprKind::Deref(row) => self.array_behind(*row).is_some(),
            _ => false,
        };
        let is_known = is_part && known_length(self.tree, array).is_some();
        // The place of the array is found a second time where the text begins inside.
        let is_found = !matches!(start, Start::Place) || is_quiet(self.tree, array);
        // A copy of what is read, too, would hide that both overlap.
        let is_read = |&id: &ExprId| {
            self.variable_of(id).is_some_and(|of| self.variable_of(array) == Some(of))
        };
        let is_apart = !arguments[1..].iter().any(is_read);
        (is_known && is_found && is_apart).then_some(TextPart { array, start, result })
    }

    /// The array that a pointer is formed from, and whether it may point behind its start.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other pointers come from elsewhere")]
    fn array_behind(&self, pointer: ExprId) -> Option<(ExprId, bool)> {
        let (mut at, mut is_inside) = (pointer, false);
        loop {
            at = match self.tree.expr(at).kind {
                ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. } => {
                    return Some((operand, is_inside));
                }
                ExprKind::Convert {
                    conversion: Conversion::PointerToPointer | Conversion::Same,
                    operand,
                    ..
                } => operand,
                ExprKind::PointerAdd { pointer, .. } => {
                    is_inside = true;
                    pointer
                }
                // `&a[k]` is `a + k`.
                ExprKind::AddressOf(place) => match self.tree.expr(place).kind {
                    ExprKind::Deref(pointer) => pointer,
                    _ => return None,
                },
                _ => return None,
            };
        }
    }

    /// The variable that a place or a pointer is formed from.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "others are formed from no variable by name"
    )]
    fn variable_of(&self, id: ExprId) -> Option<VariableId> {
        let mut at = id;
        loop {
            at = match self.tree.expr(at).kind {
                ExprKind::Variable(variable) => return Some(variable),
                ExprKind::Member { base: inner, .. }
                | ExprKind::Deref(inner)
                | ExprKind::AddressOf(inner)
                | ExprKind::Convert { operand: inner, .. }
                | ExprKind::PointerAdd { pointer: inner, .. } => inner,
                _ => return None,
            };
        }
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
        let ty = self.tree.expr(part.array).ty;
        let len = size(self.size_of(ty));
        let given = arguments[0].value;
        let span = self.b.span();
        let start = match part.start {
            Start::Given => given,
            Start::Place => self.place(part.array, Purpose::Access).ptr,
            Start::Remembered(id) => self.member_of(id).map_or(given, |(start, _)| start),
        };
        self.b.set_span(span);
        self.b.push(InstrKind::Check(Check::Writable { ptr: start, size: len }));
        let copy = self.temporary(ty);
        self.b.push(MemoryOp::Copy { dst: copy, src: start, len, is_volatile: false });
        arguments[0].value = match part.start {
            Start::Given => copy,
            Start::Place | Start::Remembered(_) => {
                let offset = self.emit(PointerOp::Diff { lhs: given, rhs: start }, Ty::I64);
                self.emit(PointerOp::Add { base: copy, offset }, Ty::Ptr)
            }
        };
        let target = arguments[0].value;
        let result = self.direct_call(function, &arguments, result_ty, keep);
        self.b.push(MemoryOp::Copy { dst: start, src: copy, len, is_volatile: false });
        match part.result {
            TextResult::Number => result,
            TextResult::Argument => given,
            TextResult::ArgumentOrNull => {
                let (op, rhs) = (CompareOp::Eq, Operand::NullPtr);
                let is_null = self.emit(PointerOp::Compare { op, lhs: result, rhs }, Ty::BOOL);
                self.select(is_null, Operand::NullPtr, given)
            }
            TextResult::End => {
                let offset = self.emit(PointerOp::Diff { lhs: result, rhs: target }, Ty::I64);
                self.emit(PointerOp::Add { base: given, offset }, Ty::Ptr)
            }
        }
    }

    /// The text whose length was asked for has to end in the part of an object that it begins in.
    pub(super) fn check_end_of_text(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        values: &[Argument],
        length: Operand,
    ) {
        if let ([text], [given]) = (arguments, values)
            && self.tells_length(function)
            && self.b.operand_ty(length) == Ty::I64
        {
            let end = self.emit(PointerOp::Add { base: given.value, offset: length }, Ty::Ptr);
            // What goes wrong inside of the call has its place there.
            let span = self.b.span();
            self.at(self.tree.expr(*text).span);
            self.check_member(*text, end, Some(1));
            self.b.set_span(span);
        }
    }

    /// Whether a function of the library gives the length of its only argument, a text.
    pub(super) fn tells_length(&self, function: FunctionId) -> bool {
        let declared = self.tree.function(function);
        declared.body.is_none() && self.tree.name(declared.name) == "strlen"
    }
}
