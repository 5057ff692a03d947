//! Contracts of functions that are called: requirements become checks before every call, promises of functions
//! without a definition become assumptions after it.
//!
//! Both are functions of the program (`harness`), so that runs, paths and proofs see code that they know.
//! Calls through pointers are left as they are; what a declaration asks for is checked once more where a function
//! begins whose address somebody has.

use std::collections::BTreeMap;

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{
    Body, Call, Callee, Check, CheckKind, Demand, FuncId, Instr, InstrKind, Mark, Operand, Origin,
    Program, PureOp, RelocationTarget, ResultPassing, Span, Ty, ValueId,
};
use glassbox_values::Bits;

use crate::{Config, Contract};

/// The functions that judge calls, by the function that is called.
fn judges(
    program: &Program,
    judged: impl Fn(Origin) -> Option<FuncId>,
) -> BTreeMap<FuncId, FuncId> {
    let judges = program.function_ids();
    judges.filter_map(|judge| Some((judged(program.function(judge).origin)?, judge))).collect()
}

/// Puts a check before every call of a function that requires something.
pub fn check_requirements(program: &mut Program, config: Option<&Config>) {
    let judges = requirements(program);
    check(program, config, CheckKind::Precondition, &judges);
}

/// The same for what declarations require: without that, compiled programs do anything.
pub fn check_declarations(program: &mut Program, config: Option<&Config>) {
    let mut judges = requirements(program);
    let has_contract = |name: &str| {
        let mut contracts = config.iter().flat_map(|config| &config.contracts);
        contracts.any(|contract| contract.function == name)
    };
    // A relation does not speak of inputs with which one of its calls breaks the contract.
    let mut judged = judges.clone();
    judged.retain(|&callee, _| has_contract(&program.function(callee).name));
    let is_relation = |origin: Origin| matches!(origin, Origin::Relation { .. });
    weave(program, &judged, is_relation, |call, instr| {
        let assume = |condition| InstrKind::Assume { condition };
        let mut woven = call.judged(call.args.clone(), instr.span, &assume);
        woven.push(instr);
        woven
    });
    judges.retain(|callee, _| !judged.contains_key(callee));
    check(program, config, CheckKind::BadArgument, &judges);
}

/// Functions whose calls are looked at: those of users.
fn is_own(origin: Origin) -> bool {
    matches!(origin, Origin::User | Origin::System | Origin::Relation { .. })
}

fn requirements(program: &Program) -> BTreeMap<FuncId, FuncId> {
    judges(program, |origin| if let Origin::Requirement { of } = origin { Some(of) } else { None })
}

fn check(
    program: &mut Program,
    config: Option<&Config>,
    kind: CheckKind,
    judges: &BTreeMap<FuncId, FuncId>,
) {
    let messages: BTreeMap<FuncId, String> = judges
        .keys()
        .map(|&callee| {
            let name = &program.function(callee).name;
            let mut contracts = config.iter().flat_map(|config| &config.contracts);
            let contract = contracts.find(|contract| contract.function == *name);
            let declared = || format!("what the declaration of `{name}` asks for is passed");
            (callee, contract.map_or_else(declared, message))
        })
        .collect();
    let check = |callee: FuncId, condition: Operand| {
        InstrKind::Check(Check::Condition {
            kind,
            condition,
            values: Vec::new(),
            demand: messages.get(&callee).cloned().map(Demand::Words),
        })
    };
    weave(program, judges, is_own, |call, instr| {
        let check = |condition| check(call.callee, condition);
        let mut woven = call.judged(call.args.clone(), instr.span, &check);
        woven.push(instr);
        woven
    });
    let has_contract = |program: &Program, callee: FuncId| {
        let mut contracts = config.iter().flat_map(|config| &config.contracts);
        contracts.any(|contract| contract.function == program.function(callee).name)
    };
    for (&callee, &judge) in judges {
        if !has_contract(program, callee) && is_addressed(program, callee) {
            begin_with(program, callee, judge, &|condition| check(callee, condition));
        }
    }
}

/// Asks the judge where a function begins: calls through pointers do not.
fn begin_with(
    program: &mut Program,
    callee: FuncId,
    judge: FuncId,
    use_answer: &dyn Fn(Operand) -> InstrKind,
) {
    let n_params = program.function(judge).params.len();
    let declared = &mut program.functions[callee.index()];
    let (span, is_hidden) = (declared.span, declared.result == ResultPassing::Indirect);
    let Some(body) = &mut declared.body else { return };
    let params = &body.blocks[Body::ENTRY].params;
    let mut args: Vec<Operand> = params.iter().map(|&param| Operand::Value(param)).collect();
    let hidden = (is_hidden && !args.is_empty()).then(|| args.remove(0));
    let mut value = |ty: Ty| {
        body.values.push(ty);
        ValueId::new(body.values.len() - 1)
    };
    let (answer, truth) = (value(Ty::I32), value(Ty::Int(1)));
    let call = Judged { callee, judge, args, hidden, n_params, answer, truth };
    let judged = call.judged(call.args.clone(), span, use_answer);
    body.blocks[Body::ENTRY].instrs.splice(0..0, judged);
}

/// Whether the program uses the function other than by calling it.
fn is_addressed(program: &Program, function: FuncId) -> bool {
    let is_it = |operand: &Operand| *operand == Operand::Func(function);
    let mut is_used = false;
    let bodies = program.functions.iter().filter_map(|declared| declared.body.as_ref());
    for block in bodies.flat_map(|body| &body.blocks) {
        for instr in &block.instrs {
            instr.kind.for_each_operand(|operand| is_used |= is_it(operand));
        }
        block.terminator.for_each_operand(|operand| is_used |= is_it(operand));
    }
    let globals = program.globals.iter().filter_map(|global| global.initializer.as_ref());
    let mut relocations = globals.flat_map(|initializer| &initializer.relocations);
    is_used || relocations.any(|there| there.target == RelocationTarget::Func(function))
}

/// Puts an assumption after every call of a function that has no definition and promises something.
pub fn assume_promises(program: &mut Program) {
    let judges =
        judges(program, |origin| if let Origin::Promise { of } = origin { Some(of) } else { None });
    weave(program, &judges, is_own, |call, instr| {
        let mut args = call.args.clone();
        args.extend(call.hidden.or(instr.result.map(Operand::Value)));
        let span = instr.span;
        let mut woven = vec![instr];
        woven.extend(call.judged(args, span, &|condition| InstrKind::Assume { condition }));
        woven.push(Instr { result: None, kind: InstrKind::Mark(Mark::Promised), span });
        woven
    });
}

fn message(contract: &Contract) -> String {
    let requirement = |clause: &&crate::Clause| !clause.is_promise();
    let clauses: Vec<&str> = contract
        .clauses
        .iter()
        .filter(requirement)
        .map(|clause| clause.shown.strip_prefix("require ").unwrap_or(&clause.shown))
        .collect();
    format!("what `{}` requires holds: {}", contract.function, clauses.join(", "))
}

/// A call that is to be judged.
struct Judged {
    callee: FuncId,
    judge: FuncId,
    /// Without the hidden address of a record result.
    args: Vec<Operand>,
    hidden: Option<Operand>,
    n_params: usize,
    // Two values that are free.
    answer: ValueId,
    truth: ValueId,
}

impl Judged {
    /// Asks the judge, and does something with its answer.
    fn judged(
        &self,
        args: Vec<Operand>,
        span: Span,
        use_answer: &dyn Fn(Operand) -> InstrKind,
    ) -> Vec<Instr> {
        if args.len() != self.n_params {
            return Vec::new();
        }
        let n_fixed_args = u32::try_from(args.len()).unwrap_or(u32::MAX);
        let call =
            Call { callee: Callee::Direct(self.judge), args, result: Some(Ty::I32), n_fixed_args };
        let compare = InstrKind::Pure(PureOp::Compare {
            op: CompareOp::Ne,
            lhs: Operand::Value(self.answer),
            rhs: Operand::Int(Bits::new(0, 32)),
        });
        let used = use_answer(Operand::Value(self.truth));
        vec![
            Instr { result: Some(self.answer), kind: InstrKind::Call(call), span },
            Instr { result: Some(self.truth), kind: compare, span },
            Instr { result: None, kind: used, span },
        ]
    }
}

/// Replaces calls in functions of some origins.
fn weave(
    program: &mut Program,
    judges: &BTreeMap<FuncId, FuncId>,
    is_caller: impl Fn(Origin) -> bool,
    replace: impl Fn(&Judged, Instr) -> Vec<Instr>,
) {
    if judges.is_empty() {
        return;
    }
    let callers: Vec<FuncId> =
        program.function_ids().filter(|&id| is_caller(program.function(id).origin)).collect();
    for function in callers {
        let Some(mut body) = program.functions[function.index()].body.take() else { continue };
        for block in &mut body.blocks {
            for instr in std::mem::take(&mut block.instrs) {
                let InstrKind::Call(Call { callee: Callee::Direct(callee), args, .. }) =
                    &instr.kind
                else {
                    block.instrs.push(instr);
                    continue;
                };
                let Some(&judge) = judges.get(callee) else {
                    block.instrs.push(instr);
                    continue;
                };
                let (callee, mut args) = (*callee, args.clone());
                let is_hidden = program.function(callee).result == ResultPassing::Indirect;
                let hidden = (is_hidden && !args.is_empty()).then(|| args.remove(0));
                let mut value = |ty: Ty| {
                    body.values.push(ty);
                    ValueId::new(body.values.len() - 1)
                };
                let (answer, truth) = (value(Ty::I32), value(Ty::Int(1)));
                let n_params = program.function(judge).params.len();
                let call = Judged { callee, judge, args, hidden, n_params, answer, truth };
                block.instrs.extend(replace(&call, instr));
            }
        }
        program.functions[function.index()].body = Some(body);
    }
}
