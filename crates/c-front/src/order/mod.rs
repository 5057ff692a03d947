//! What gives another result when operands are evaluated in another order, and what does not keep the promises of
//! its attributes.
//!
//! C leaves the order of operands and arguments open (C11 6.5p3), and gcc chooses by the way it optimizes: `x + f()` reads
//! `x` before or after the call. Two changes of one object, or a change and a read, that nothing orders are undefined
//! (6.5p2). Lowering has one order; a statement that may mean something else in another is found here, by what its operands
//! read and write, calls included: too often rather than too rarely.
//!
//! Constants that are written through casts, memory that is seen by a type that it does not have (6.5p7) and objects that
//! are reached beside a `restrict` pointer (6.7.3.1) are undefined, too, and optimizers rely on that.
//!
//! `pure` and `const` let the compiler drop calls and use one result twice. Whether a body keeps such a promise is read off
//! its effects.

mod effects;
mod place;
mod walk;

use glassbox_ir::Presumption;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::span::Span;
use crate::tree::{FunctionId, Linkage, Program, Promise, StmtId, Storage, VariableId};
use crate::ty::kind::TypeId;
use effects::{Effects, FunctionEffects};
use place::Place;
use walk::Walk;

/// What the meaning of a program is left open by.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// By what is open: the statements that it is in, and where.
    statements: Vec<(Presumption, FxHashMap<StmtId, Span>)>,
    /// Functions that may not do what their attributes promise.
    pub(crate) functions: FxHashSet<FunctionId>,
}

impl Open {
    /// What a statement takes for granted.
    pub(crate) fn of_statement(&self, id: StmtId) -> impl Iterator<Item = (Presumption, Span)> {
        self.statements.iter().filter_map(move |(what, all)| Some((*what, *all.get(&id)?)))
    }
}

/// Looks through a whole program. Recursive: call it with a deep stack.
pub(crate) fn open(program: &Program) -> Open {
    let addressed = program.addressed_variables();
    let mut walk = Walk::new(program, &addressed);
    let mut bodies: Vec<(FunctionId, Effects)> = Vec::new();
    let mut changing: Vec<Changing> = Vec::new();
    for id in program.function_ids() {
        let Some(body) = program.function(id).body.as_ref() else { continue };
        bodies.push((id, walk.body(body)));
        let (stores, calls) = (std::mem::take(&mut walk.stores), std::mem::take(&mut walk.calls));
        changing.push(Changing { function: id, stores, calls });
    }
    let Walk { mut found, candidates, pointed_to, loses_const, changes_type, .. } = walk;
    let Walk { reads_truth, restricts, not_constant, only_truth, .. } = walk;
    // Those of static storage are checked where they are written.
    let is_constant = |&id: &VariableId| {
        let variable = program.variable(id);
        variable.storage == Storage::Automatic && is_const(program, variable.ty)
    };
    let constants =
        if addressed.iter().any(is_constant) { loses_const } else { FxHashMap::default() };
    let pointed_to = pointed_to.into_iter().collect();
    let own = bodies.into_iter().collect();
    let mut functions = FunctionEffects::new(program, own, addressed.clone(), pointed_to);
    for (statement, span, sides) in candidates {
        if found.contains_key(&statement) {
            continue;
        }
        let [left, right] = sides.map(|side| functions.complete(&side));
        if left.conflicts(&right, &addressed) {
            found.insert(statement, span);
        }
    }
    let promising = program.function_ids().filter(|&id| {
        let function = program.function(id);
        let mut is_broken = |promise: Promise| !keeps(program, promise, &functions.of_function(id));
        function.body.is_some() && function.promise.is_some_and(&mut is_broken)
    });
    let promising = promising.collect();
    let has_types = program.has_effective_types && !program.limits.may_alias;
    let types = if has_types { changes_type } else { FxHashMap::default() };
    let mut apart = FxHashMap::default();
    for changing in changing.iter().filter(|_| has_types) {
        apart.extend(changing.relying_on_types(program, &mut functions, &addressed));
    }
    let statements = vec![
        (Presumption::EvaluationOrder, found),
        (Presumption::Constants, constants),
        (Presumption::EffectiveTypes, types),
        (Presumption::EffectiveTypes, reads_truth),
        (Presumption::Restrict, restricts),
        (Presumption::Assembly, program.opaque_assembly.clone()),
        (Presumption::TypesApart, apart),
        (Presumption::NotConstant, not_constant),
        (Presumption::OnlyTruth, only_truth),
    ];
    Open { statements, functions: promising }
}

/// Statements of a function that change memory.
struct Changing {
    function: FunctionId,
    stores: Vec<(StmtId, Place)>,
    calls: Vec<(StmtId, FunctionId)>,
}

impl Changing {
    /// Those of them that leave something alone which the function, or what it calls, uses, by nothing but its type.
    fn relying_on_types(
        &self,
        program: &Program,
        functions: &mut FunctionEffects<'_>,
        addressed: &FxHashSet<VariableId>,
    ) -> Vec<(StmtId, Span)> {
        let all = functions.of_function(self.function);
        let is_exposed = |id: VariableId| {
            let variable = program.variable(id);
            variable.storage == Storage::Static
                && !is_const(program, variable.ty)
                && (variable.linkage == Linkage::External || addressed.contains(&id))
        };
        let used = || all.reads.iter().chain(&all.writes).chain(&all.as_bytes);
        let is_alone = |place: &Place| {
            used().any(|&other| program.only_types_part(*place, other, &is_exposed))
        };
        // Bytes are those of one object, and others that may be in the same place keep theirs.
        let parts_bytes = all.as_bytes.iter().any(is_alone);
        let relies = |place: &Place| (parts_bytes && place.is_of_bytes()) || is_alone(place);
        let stores = self.stores.iter().filter(|(_, place)| relies(place));
        let mut found: Vec<StmtId> = stores.map(|(statement, _)| *statement).collect();
        for &(statement, function) in &self.calls {
            if functions.of_function(function).writes.iter().any(relies) {
                found.push(statement);
            }
        }
        found.into_iter().map(|statement| (statement, program.stmt(statement).span)).collect()
    }
}

/// Whether an object of this type, or its elements, are constant.
fn is_const(program: &Program, ty: TypeId) -> bool {
    let types = &program.types;
    types.qualifiers(ty).is_const || types.element(ty).is_some_and(|ty| is_const(program, ty))
}

/// Whether a function with these effects does what is promised.
fn keeps(program: &Program, promise: Promise, effects: &Effects) -> bool {
    let is_fixed = |id: VariableId| {
        let variable = program.variable(id);
        variable.storage == Storage::Static
            && is_const(program, variable.ty)
            && !program.types.qualifiers(variable.ty).is_volatile
    };
    let is_quiet = effects.writes.is_empty() && !effects.calls_pointer && !effects.may_not_end;
    match promise {
        Promise::Pure => is_quiet,
        Promise::Const => {
            let is_constant = |place: &Place| match place {
                Place::Variable { id, .. } => is_fixed(*id),
                Place::Behind { .. } | Place::Stream | Place::Errno => false,
            };
            is_quiet && effects.reads.iter().all(is_constant)
        }
        Promise::Result => false,
    }
}
