//! Initializers that later ones override: compilers keep of them as much as they like.

use super::Checker;
use super::initializer::Builder;
use crate::tree::{ExprId, ExprKind, InitItem, InitValue, Repeat, Unsupported};
use crate::ty::record::BitField;

impl Checker<'_> {
    /// C11 6.7.9p19 lets a later initializer override an earlier one, of which compilers then keep as much as they like: gcc
    /// forgets a whole structure, or the other members of a union, and does not evaluate what is not used.
    pub(super) fn refuse_overridden(&self, items: &mut [InitItem]) {
        // By item: where the last byte of all up to it is. Tables are long, and hardly any item overrides another.
        let mut ends: Vec<u64> = Vec::with_capacity(items.len());
        for later in 0..items.len() {
            let (begin, end) = self.bytes_of(&items[later]);
            let n_behind = ends.iter().rev().take_while(|&&before| before > begin).count();
            ends.push(end.max(ends.last().copied().unwrap_or(0)));
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
            if before[before.len() - n_behind..].iter().any(is_open) {
                later.value = InitValue::Unsupported(Unsupported::OverriddenInitializer);
            }
        }
    }

    /// Whether items so far are about bytes of this one. Tables are long and in order, so that most begin behind all others.
    pub(super) fn is_begun(&self, builder: &mut Builder, anew: &InitItem) -> bool {
        let (n_seen, end) = builder.reached;
        let ends = builder.items[n_seen..].iter().map(|item| self.bytes_of(item).1);
        let end = ends.fold(end, u64::max);
        builder.reached = (builder.items.len(), end);
        end > anew.offset && builder.items.iter().any(|item| self.share_repeated(item, anew))
    }

    /// Whether two items share bytes in the same turn of the ranges around both (`[0 ... 9] = { ... }`), or in any.
    fn share_repeated(&self, a: &InitItem, b: &InitItem) -> bool {
        let n_common = a.repeats.iter().zip(&*b.repeats).take_while(|(a, b)| a == b).count();
        let once =
            |item: &InitItem| InitItem { repeats: item.repeats[n_common..].into(), ..item.clone() };
        self.share_bytes(&once(a), &once(b))
    }

    /// Whether an expression is a constant or the value of a variable.
    #[expect(clippy::wildcard_enum_match_arm, reason = "others are constants or not")]
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
            let begin = |item: &InitItem, bits: &BitField| {
                item.offset.saturating_mul(8).saturating_add(bits.bit_offset)
            };
            let end = |item: &InitItem, bits: &BitField| begin(item, bits) + u64::from(bits.width);
            return begin(a, a_bits) < end(b, b_bits) && begin(b, b_bits) < end(a, a_bits);
        }
        let ((a_begin, a_end), (b_begin, b_end)) = (self.bytes_of(a), self.bytes_of(b));
        a_begin < b_end && b_begin < a_end
    }

    /// The first byte that an item is about, and the one behind its last.
    fn bytes_of(&self, item: &InitItem) -> (u64, u64) {
        let stretch = |sum: u64, repeat: &Repeat| {
            sum.saturating_add(repeat.count.saturating_sub(1).saturating_mul(repeat.stride))
        };
        let size = self.program.types.size_of(item.ty).unwrap_or(0);
        let (begin, size) = match &item.bits {
            Some(bits) => {
                let end = (bits.bit_offset + u64::from(bits.width)).div_ceil(8);
                (item.offset + bits.bit_offset / 8, end - bits.bit_offset / 8)
            }
            None => (item.offset, size),
        };
        (begin, item.repeats.iter().fold(begin.saturating_add(size), stretch))
    }
}
