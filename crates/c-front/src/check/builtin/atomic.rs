//! `__sync_*` and `__atomic_*` as plain operations: there is one thread.

use super::Request;
use crate::check::Checker;
use crate::tree::{AtomicOp, BinaryOp, Builtin, ExprId, Unsupported};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

fn operation(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        _ => return None,
    })
}

/// `fetch_and_add`, `add_and_fetch`, `fetch_add`, `nand_fetch` and so on.
fn fetch_op(name: &str) -> Option<AtomicOp> {
    let old = name.strip_prefix("fetch_and_").or_else(|| name.strip_prefix("fetch_"));
    if let Some(op) = old {
        return if op == "nand" {
            Some(AtomicOp::FetchThenNand)
        } else {
            operation(op).map(AtomicOp::FetchThen)
        };
    }
    let op = name.strip_suffix("_and_fetch").or_else(|| name.strip_suffix("_fetch"))?;
    if op == "nand" {
        Some(AtomicOp::NandThenFetch)
    } else {
        operation(op).map(AtomicOp::ThenFetch)
    }
}

impl Checker<'_> {
    fn unknown_atomic(&mut self, request: &Request<'_>) -> ExprId {
        let what = Unsupported::Builtin(request.name.into());
        self.unsupported(what, TypeTable::ERROR, request.span)
    }

    /// The pointer argument and the type of the object behind it.
    fn atomic_pointer(&mut self, request: &Request<'_>) -> Option<(ExprId, TypeId)> {
        let pointer = self.argument(request, 0)?;
        let target = self.program.types.pointee(self.ty(pointer));
        match target.filter(|&ty| self.program.types.is_complete(ty)) {
            Some(target) => Some((pointer, self.program.types.unqualified(target))),
            None => {
                if !self.is_error(pointer) {
                    self.bad_argument(request, "a pointer to an object");
                }
                None
            }
        }
    }

    fn atomic_node(
        &mut self,
        op: AtomicOp,
        arguments: Vec<ExprId>,
        ty: TypeId,
        request: &Request<'_>,
    ) -> ExprId {
        self.builtin_node(Builtin::Atomic(op), arguments, ty, request.span)
    }

    fn atomic_value(&mut self, request: &Request<'_>, index: usize, ty: TypeId) -> Option<ExprId> {
        let value = self.argument(request, index)?;
        // gcc also lets integers be combined with pointers here.
        if self.program.types.is_pointer(ty) && self.program.types.is_integer(self.ty(value)) {
            return Some(self.convert_scalar(value, ty));
        }
        Some(self.convert_assign(value, ty))
    }

    pub(super) fn sync_builtin(&mut self, name: &str, request: &Request<'_>) -> ExprId {
        if name == "synchronize" {
            return self.atomic_node(AtomicOp::Fence, vec![], TypeTable::VOID, request);
        }
        // Names may carry the size: __sync_fetch_and_add_4.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        self.sync_operation(name, request).unwrap_or_else(|| self.error_node(request.span))
    }

    fn sync_operation(&mut self, name: &str, request: &Request<'_>) -> Option<ExprId> {
        let (pointer, ty) = self.atomic_pointer(request)?;
        Some(match name {
            "val_compare_and_swap" | "bool_compare_and_swap" => {
                let old = self.atomic_value(request, 1, ty)?;
                let new = self.atomic_value(request, 2, ty)?;
                let (op, result) = if name.starts_with("val") {
                    (AtomicOp::CompareAndSwapValue, ty)
                } else {
                    (AtomicOp::CompareAndSwapBool, TypeTable::BOOL)
                };
                self.atomic_node(op, vec![pointer, old, new], result, request)
            }
            "lock_test_and_set" => {
                let value = self.atomic_value(request, 1, ty)?;
                self.atomic_node(AtomicOp::Exchange, vec![pointer, value], ty, request)
            }
            "lock_release" => {
                let zero = self.small_int(0, request.span);
                let zero = self.convert_assign(zero, ty);
                self.atomic_node(AtomicOp::Store, vec![pointer, zero], TypeTable::VOID, request)
            }
            _ => match fetch_op(name) {
                Some(op) => {
                    let value = self.atomic_value(request, 1, ty)?;
                    self.atomic_node(op, vec![pointer, value], ty, request)
                }
                None => self.unknown_atomic(request),
            },
        })
    }

    pub(super) fn atomic_builtin(&mut self, name: &str, request: &Request<'_>) -> ExprId {
        if matches!(name, "thread_fence" | "signal_fence") {
            return self.atomic_node(AtomicOp::Fence, vec![], TypeTable::VOID, request);
        }
        if matches!(name, "always_lock_free" | "is_lock_free") {
            return self.small_int(1, request.span);
        }
        self.atomic_operation(name, request).unwrap_or_else(|| self.error_node(request.span))
    }

    fn atomic_operation(&mut self, name: &str, request: &Request<'_>) -> Option<ExprId> {
        let (pointer, ty) = self.atomic_pointer(request)?;
        Some(match name {
            "load_n" => self.atomic_node(AtomicOp::Load, vec![pointer], ty, request),
            "load" => {
                let loaded = self.atomic_node(AtomicOp::Load, vec![pointer], ty, request);
                let target = self.argument(request, 1)?;
                let target = self.deref(target, request.span);
                let stored = self.assign(target, loaded, request.span);
                self.discard(stored)
            }
            "store_n" => {
                let value = self.atomic_value(request, 1, ty)?;
                self.atomic_node(AtomicOp::Store, vec![pointer, value], TypeTable::VOID, request)
            }
            "store" => {
                let source = self.argument(request, 1)?;
                let source = self.deref(source, request.span);
                let value = self.convert_assign(source, ty);
                self.atomic_node(AtomicOp::Store, vec![pointer, value], TypeTable::VOID, request)
            }
            "exchange_n" => {
                let value = self.atomic_value(request, 1, ty)?;
                self.atomic_node(AtomicOp::Exchange, vec![pointer, value], ty, request)
            }
            "compare_exchange_n" => {
                let expected = self.argument(request, 1)?;
                let desired = self.atomic_value(request, 2, ty)?;
                let arguments = vec![pointer, expected, desired];
                self.atomic_node(AtomicOp::CompareExchange, arguments, TypeTable::BOOL, request)
            }
            "compare_exchange" => {
                let expected = self.argument(request, 1)?;
                let desired = self.argument(request, 2)?;
                let desired = self.deref(desired, request.span);
                let desired = self.convert_assign(desired, ty);
                let arguments = vec![pointer, expected, desired];
                self.atomic_node(AtomicOp::CompareExchange, arguments, TypeTable::BOOL, request)
            }
            "test_and_set" => {
                self.atomic_node(AtomicOp::TestAndSet, vec![pointer], TypeTable::BOOL, request)
            }
            "clear" => self.atomic_node(AtomicOp::Clear, vec![pointer], TypeTable::VOID, request),
            _ => match fetch_op(name) {
                Some(op) => {
                    let value = self.atomic_value(request, 1, ty)?;
                    self.atomic_node(op, vec![pointer, value], ty, request)
                }
                None => self.unknown_atomic(request),
            },
        })
    }
}
