//! Initializers that later ones override: compilers keep of them as much as they like.

use super::Checker;
use crate::tree::{ExprId, ExprKind, InitItem, InitValue, Repeat, Unsupported};
use crate::ty::record::BitField;

impl Checker<'_> {
    /// C11 6.7.9p19 lets a later initializer override an earlier one, of which compilers then keep as much as they like: gcc
    /// forgets a whole structure, or the other members of a union, and does not evaluate what is not used.
    pub(super) fn refuse_overridden(&self, items: &mut [InitItem]) {
        for later in 1..items.len() {
            let (before, rest) = items.split_at_mut(later);
            let later = &mut rest[0];
            let is_open = |earlier: &InitItem| {
                let does_something =
                    matches!(earlier.value, InitValue::Expr(expr) if !self.only_looks(expr));
                let is_same = match (&earlier.bits, &later.bits) {
                    (None, None) => {
                        self.program.types.compatible_unqualified(earlier.ty, later.ty)
                            || matches!(earlier.value, InitValue::String(_))
                    }
                    (Some(a), Some(b)) => (a.bit_offset, a.width) == (b.bit_offset, b.width),
                    (Some(_), None) | (None, Some(_)) => false,
                };
                self.share_bytes(earlier, later) && (does_something || !is_same)
            };
            if before.iter().any(is_open) {
                later.value = InitValue::Unsupported(Unsupported::OverriddenInitializer);
            }
        }
    }

    /// Whether an expression is a constant or the value of a variable.
    fn only_looks(&self, expr: ExprId) -> bool {
        let node = self.program.expr(expr);
        match node.kind {
            ExprKind::Convert { operand, .. } => self.only_looks(operand),
            ExprKind::Variable(_) => !self.program.types.qualifiers(node.ty).is_volatile,
            _ => self.evaluate(expr).is_ok(),
        }
    }

    /// Whether two items are about the same bytes, or bits.
    fn share_bytes(&self, a: &InitItem, b: &InitItem) -> bool {
        if let (Some(a_bits), Some(b_bits)) = (&a.bits, &b.bits)
            && a.repeats.is_empty()
            && b.repeats.is_empty()
        {
            let begin = |item: &InitItem, bits: &BitField| item.offset * 8 + bits.bit_offset;
            let end = |item: &InitItem, bits: &BitField| begin(item, bits) + u64::from(bits.width);
            return begin(a, a_bits) < end(b, b_bits) && begin(b, b_bits) < end(a, a_bits);
        }
        let bytes = |item: &InitItem| {
            let stretch = |repeat: &Repeat| (repeat.count - 1) * repeat.stride;
            let size = self.program.types.size_of(item.ty).unwrap_or(0);
            let (begin, size) = match &item.bits {
                Some(bits) => {
                    let end = (bits.bit_offset + u64::from(bits.width)).div_ceil(8);
                    (item.offset + bits.bit_offset / 8, end - bits.bit_offset / 8)
                }
                None => (item.offset, size),
            };
            (begin, begin + size + item.repeats.iter().map(stretch).sum::<u64>())
        };
        let ((a_begin, a_end), (b_begin, b_end)) = (bytes(a), bytes(b));
        a_begin < b_end && b_begin < a_end
    }
}
