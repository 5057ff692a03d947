//! `__builtin_add_overflow` and its relatives.

use super::Request;
use crate::check::Checker;
use crate::tree::{Builtin, ExprId, OverflowOp};
use crate::ty::kind::IntKind;
use crate::ty::table::TypeTable;

impl Checker<'_> {
    pub(super) fn overflow_builtin(
        &mut self,
        short: &str,
        request: &Request<'_>,
    ) -> Option<ExprId> {
        let (op, kind, is_predicate) = parse(short, self.program.types.long_kind())?;
        let mut arguments = Vec::new();
        for index in 0..2 {
            let value = self.argument(request, index)?;
            let value = match kind {
                Some(kind) => self.convert_assign(value, TypeTable::int_id(kind)),
                None => value,
            };
            if !self.program.types.is_integer(self.ty(value)) && !self.is_error(value) {
                return Some(self.bad_argument(request, "integers"));
            }
            arguments.push(value);
        }
        let last = self.argument(request, 2)?;
        if is_predicate {
            if !self.program.types.is_integer(self.ty(last)) && !self.is_error(last) {
                return Some(self.bad_argument(request, "integers"));
            }
            arguments.push(last);
            let builtin = Builtin::OverflowPredicate(op);
            return Some(self.builtin_node(builtin, arguments, TypeTable::BOOL, request.span));
        }
        let last = match kind {
            Some(kind) => {
                let pointer = self.program.types.pointer_to(TypeTable::int_id(kind));
                self.convert_assign(last, pointer)
            }
            None => last,
        };
        let target = self.program.types.pointee(self.ty(last));
        if !target.is_some_and(|ty| self.program.types.is_integer(ty)) && !self.is_error(last) {
            return Some(self.bad_argument(request, "a pointer to an integer"));
        }
        arguments.push(last);
        Some(self.builtin_node(Builtin::Overflow(op), arguments, TypeTable::BOOL, request.span))
    }
}

/// `sadd`, `usubl`, `smulll`, `add`… before `_overflow`, or `add_overflow_p`.
fn parse(short: &str, long: IntKind) -> Option<(OverflowOp, Option<IntKind>, bool)> {
    let (stem, is_predicate) = match short.strip_suffix("_overflow_p") {
        Some(stem) => (stem, true),
        None => (short.strip_suffix("_overflow")?, false),
    };
    let op_of = |text: &str| match text {
        "add" => Some(OverflowOp::Add),
        "sub" => Some(OverflowOp::Sub),
        "mul" => Some(OverflowOp::Mul),
        _ => None,
    };
    if let Some(op) = op_of(stem) {
        return Some((op, None, is_predicate));
    }
    let is_signed = stem.starts_with('s');
    let op = op_of(stem.get(1..4)?)?;
    let kind = match stem.get(4..)? {
        "" => IntKind::Int,
        "l" => long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    Some((op, Some(if is_signed { kind } else { kind.to_unsigned() }), is_predicate))
}
