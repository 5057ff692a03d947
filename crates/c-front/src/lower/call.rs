//! Calls: arguments right to left as gcc evaluates them, records through copies, results that need
//! memory through a temporary of the caller.

use glassbox_ir::instr::{Call, Callee as IrCallee, CompareOp};
use glassbox_ir::{
    Check, CheckKind, Demand, FuncId, InstrKind, Operand, Passing, PointerOp, ResultPassing,
    SourceTypeId, Terminator, Ty,
};
use glassbox_values::Signedness;

use super::assign::Keep;
use super::body::BodyLowering;
use super::signature::{result_passing, signature};
use crate::tree::{Callee, Expr, ExprId, FunctionId};
use crate::ty::kind::{FunctionType, PrototypeStyle, TypeId, TypeKind};

/// An argument and where it came from.
pub(super) struct Argument {
    pub(super) value: Operand,
    ty: TypeId,
}

impl BodyLowering<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: Callee,
        arguments: &[ExprId],
        expr: &Expr,
        keep: Keep,
    ) -> Operand {
        match callee {
            Callee::Direct(function) => {
                self.note_unmodeled(function);
                self.at(expr.span);
                self.mark_forgetful_call(function, arguments);
                if let Some(value) = self.known_call(function, arguments, expr) {
                    self.mark_given_addresses(arguments);
                    return value;
                }
                let values = self.arguments(arguments);
                self.at(expr.span);
                self.mark_given_addresses(arguments);
                if let Some(part) = self.text_part(function, arguments) {
                    return self.call_on_part(function, values, part, expr.ty, keep);
                }
                let result = self.direct_call(function, &values, expr.ty, keep);
                self.check_end_of_text(function, arguments, &values, result);
                result
            }
            Callee::Indirect(pointer) => {
                let ptr = self.value(pointer);
                let values = self.arguments(arguments);
                self.at(expr.span);
                self.mark_given_addresses(arguments);
                let types = &self.tree.types;
                let pointee = types.pointee(self.tree.expr(pointer).ty);
                let function = pointee.and_then(|pointee| types.function_type(pointee));
                let says = |ty: &TypeId| {
                    let function = types.function_type(*ty);
                    function.is_some_and(|function| function.style == PrototypeStyle::Prototype)
                };
                let ty = pointee.filter(says).map(|ty| self.program.source_type(ty));
                self.check_exact_call(ptr, pointee);
                self.indirect_call(ptr, ty, function, &values, expr.ty)
            }
        }
    }

    fn arguments(&mut self, arguments: &[ExprId]) -> Vec<Argument> {
        let mut values: Vec<Argument> =
            arguments.iter().rev().map(|&argument| self.argument(argument)).collect();
        values.reverse();
        values
    }

    fn argument(&mut self, id: ExprId) -> Argument {
        let ty = self.tree.expr(id).ty;
        let mut value = self.value(id);
        if self.scalar(ty).is_none() {
            self.at(self.tree.expr(id).span);
            value = match self.tree.types.kind(ty) {
                TypeKind::Record(_) => self.copy_for_call(value, ty),
                TypeKind::Float(_) | TypeKind::Complex(_) | TypeKind::Vector { .. } => {
                    self.unsupported("an argument of this type", Some(Ty::Ptr))
                }
                TypeKind::Void
                | TypeKind::Int(_)
                | TypeKind::Enum(_)
                | TypeKind::Pointer(_)
                | TypeKind::Array { .. }
                | TypeKind::Function(_)
                | TypeKind::Error => value,
            };
        }
        Argument { value, ty }
    }

    pub(super) fn direct_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        result_ty: TypeId,
        keep: Keep,
    ) -> Operand {
        let func = self.program.function_id(id);
        self.program.results.note_call(func, keep);
        let Some((args, n_fixed_args)) = self.fitting_arguments(func, arguments) else {
            return self.mismatched_call(func, id, arguments, result_ty);
        };
        let callee = self.program.out.function(func);
        let (is_noreturn, result) = (callee.is_noreturn, callee.result);
        let wanted = result_passing(&self.tree.types, result_ty);
        let is_resized = matches!(
            (result, wanted),
            (ResultPassing::Direct(Ty::Int(_)), ResultPassing::Direct(Ty::Int(_)))
        );
        if result != wanted && !is_resized {
            return self.mismatched_call(func, id, arguments, result_ty);
        }
        let callee = IrCallee::Direct(func);
        let given = args.clone();
        let mut value = self.finish_call(callee, args, n_fixed_args, result, result_ty);
        self.check_function_range(id, &given, value);
        if let ResultPassing::Direct(Ty::Int(width)) = wanted {
            value = self.resize(value, width, Signedness::Signed);
        }
        if is_noreturn {
            // A body may break the promise, and then control comes here.
            if self.tree.function(id).body.is_some() {
                self.check_never(CheckKind::Unreachable, None);
            }
            self.end_with(Terminator::Unreachable);
        }
        value
    }

    /// The arguments as the callee takes them, integers cut or extended where a missing prototype let
    /// them differ; `None` if the call cannot work.
    fn fitting_arguments(
        &mut self,
        func: FuncId,
        arguments: &[Argument],
    ) -> Option<(Vec<Operand>, u32)> {
        let callee = self.program.out.function(func);
        let first = usize::from(callee.result == ResultPassing::Indirect);
        let params: Vec<(Ty, Passing)> =
            callee.params[first..].iter().map(|param| (param.ty, param.passing)).collect();
        let is_variadic = callee.is_variadic;
        if arguments.len() < params.len() {
            return None;
        }
        let mut args = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let Some(&(ty, passing)) = params.get(position) else {
                if is_variadic {
                    args.push(argument.value);
                }
                continue;
            };
            let found = self.b.operand_ty(argument.value);
            let is_indirect = self.scalar(argument.ty).is_none();
            args.push(match (found, ty) {
                _ if is_indirect != (passing == Passing::Indirect) => return None,
                (found, ty) if found == ty => argument.value,
                (Ty::Int(_), Ty::Int(width)) => {
                    let signedness =
                        self.tree.types.signedness(argument.ty).unwrap_or(Signedness::Signed);
                    self.resize(argument.value, width, signedness)
                }
                _ => return None,
            });
        }
        Some((args, u32::try_from(params.len()).unwrap_or(u32::MAX)))
    }

    /// A call whose arguments do not fit the definition: undefined when reached.
    fn mismatched_call(
        &mut self,
        func: FuncId,
        id: FunctionId,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Operand {
        let function = self.tree.types.function_type(self.tree.function(id).ty);
        self.indirect_call(Operand::Func(func), None, function, arguments, result_ty)
    }

    fn indirect_call(
        &mut self,
        ptr: Operand,
        ty: Option<SourceTypeId>,
        function: Option<&FunctionType>,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Operand {
        self.b.push(InstrKind::Check(Check::Callable { ptr, ty }));
        let args: Vec<Operand> = arguments.iter().map(|argument| argument.value).collect();
        let n_fixed = match function {
            Some(function) if function.is_variadic => {
                signature(&self.tree.types, function).params.len().min(args.len())
            }
            Some(_) | None => args.len(),
        };
        let n_fixed = u32::try_from(n_fixed).unwrap_or(u32::MAX);
        let result = result_passing(&self.tree.types, result_ty);
        self.finish_call(IrCallee::Indirect(ptr), args, n_fixed, result, result_ty)
    }

    /// Where it is asked for: the pointer is none of the functions whose type is another (C11 6.3.2.3p8), though such calls work on
    /// most machines.
    fn check_exact_call(&mut self, ptr: Operand, pointee: Option<TypeId>) {
        let Some(pointee) = pointee.filter(|_| self.tree.checks_calls) else { return };
        let others: Vec<FunctionId> = self
            .tree
            .function_ids()
            .filter(|&id| {
                let function = self.tree.function(id);
                function.body.is_some() && !self.tree.types.compatible_across(function.ty, pointee)
            })
            .collect();
        for other in others {
            let rhs = Operand::Func(self.program.function_id(other));
            let op = CompareOp::Ne;
            let differs = self.emit(PointerOp::Compare { op, lhs: ptr, rhs }, Ty::BOOL);
            self.check(CheckKind::BadCall, differs, Vec::new());
        }
    }

    fn finish_call(
        &mut self,
        callee: IrCallee,
        mut args: Vec<Operand>,
        mut n_fixed_args: u32,
        result: ResultPassing,
        result_ty: TypeId,
    ) -> Operand {
        let (result, memory) = match result {
            ResultPassing::Void => (None, None),
            ResultPassing::Direct(ty) => (Some(ty), None),
            ResultPassing::Indirect => {
                let memory = self.temporary(result_ty);
                args.insert(0, memory);
                n_fixed_args += 1;
                (None, Some(memory))
            }
        };
        let value = self.b.push_call(Call { callee, args, result, n_fixed_args });
        memory.or(value.map(Operand::Value)).unwrap_or(Operand::NullPtr)
    }

    /// Calls a function of the run-time library that the program need not have declared.
    pub(super) fn call_abort(&mut self) {
        let func = self.program.abort_function();
        let call = Call {
            callee: IrCallee::Direct(func),
            args: Vec::new(),
            result: None,
            n_fixed_args: 0,
        };
        self.b.push_call(call);
        self.end_with(Terminator::Unreachable);
    }

    /// `__assert_fail` and the like: the run ends in a failed assertion.
    pub(super) fn fail_assertion(&mut self, demand: Option<Demand>) {
        self.check_never(CheckKind::Assertion, demand);
        self.end_with(Terminator::Unreachable);
    }
}

impl super::ProgramLowering<'_> {
    /// `abort`, declared if the program did not.
    fn abort_function(&mut self) -> FuncId {
        if let Some(func) = self.out.function_named("abort") {
            let found = self.out.function(func);
            if found.params.is_empty() && found.result == ResultPassing::Void {
                return func;
            }
        }
        let result_source_type = self.out.intern_source_type(glassbox_ir::SourceType::Void);
        let func = FuncId::new(self.out.functions.len());
        self.out.functions.push(glassbox_ir::Function {
            name: "abort".to_owned(),
            linkage: glassbox_ir::Linkage::External,
            origin: glassbox_ir::Origin::System,
            params: Vec::new(),
            result: ResultPassing::Void,
            result_source_type,
            is_variadic: false,
            is_noreturn: true,
            method: None,
            body: None,
            span: glassbox_ir::Span::nowhere(),
        });
        func
    }
}
