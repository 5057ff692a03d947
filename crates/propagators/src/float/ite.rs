//! Choice between floats: `z = if c then x else y`.
//!
//! Relation: SMT-LIB ite; NaN and the zeros are ordinary values.
//! Strength: bounds: z is in the join of both branches; a branch that cannot be z decides c; a decided c
//! makes z and its branch equal.
//! Not pruned: the branches while c is open.

use super::store::{write_float, write_truth};
use crate::relation::Relation;
use glassbox_kernel::domain::Truth;
use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

/// The domains of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IteBox {
    pub condition: Truth,
    /// The branches when the condition is true and when it is false.
    pub branches: [FloatInterval; 2],
    pub result: FloatInterval,
}

/// Arguments `[z, c, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ite;

impl Relation for Ite {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let branches = [*store.float(args[2]), *store.float(args[3])];
        let condition = store.truth(args[1]);
        let Some(narrowed) = narrow_ite(condition, branches, *store.float(args[0])) else {
            return Err(store.fail(Premises::ALL));
        };
        // While the condition is open or just decided, only result and branches speak.
        write_truth(store, args, 1, narrowed.condition, 4)?;
        write_float(store, args, 0, narrowed.result, 4)?;
        write_float(store, args, 2, narrowed.branches[0], 4)?;
        write_float(store, args, 3, narrowed.branches[1], 4)?;
        Ok(Status::Stay)
    }
}

/// Narrows `z = if c then x else y`; `None` when there is no solution.
pub fn narrow_ite(
    condition: Truth,
    branches: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<IteBox> {
    let [then_part, else_part] = [(0, true), (1, false)].map(|(position, truth)| {
        if condition.allows(truth) { branches[position].meet(&result) } else { None }
    });
    match (then_part, else_part) {
        (None, None) => None,
        (Some(common), None) => {
            Some(IteBox { condition: Truth::True, branches: [common, branches[1]], result: common })
        }
        (None, Some(common)) => Some(IteBox {
            condition: Truth::False,
            branches: [branches[0], common],
            result: common,
        }),
        (Some(one), Some(other)) => {
            // The join of two parts of the result may have a hole the result never had.
            let result = one.join(&other).meet(&result)?;
            Some(IteBox { condition: Truth::Unknown, branches, result })
        }
    }
}
