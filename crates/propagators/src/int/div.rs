//! `z = x / y`, unsigned and signed (truncating), with the totals of SMT-LIB.
//!
//! Relation: unsigned by zero gives all ones; signed by zero gives 1 for a negative dividend and -1
//! otherwise; MIN / -1 = MIN. Strength: constructive disjunction over the signs of both operands and
//! the zero divisor; in each case bounds of exact division of magnitudes, both ways. Not pruned: gaps
//! between quotients, low bits, `x / x`.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::natural;
use super::sign_case::{Cases, Part};
use crate::relation::Relation;

/// Arguments `[q, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Div(pub Signedness);

impl Relation for Div {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Div(signedness) = *self;
        let mut cases = Cases::new(store, args);
        let mask = store.bits(args[0]).mask();
        match signedness {
            Signedness::Unsigned => {
                by_zero(&mut cases, Part::Whole, mask);
                cases.divide([Part::Whole; 3], natural::quotient);
            }
            Signedness::Signed => {
                by_zero(&mut cases, Part::NotNegative, mask);
                by_zero(&mut cases, Part::Negative, 1);
                for dividend in [Part::NotNegative, Part::Negative] {
                    for divisor in [Part::NotNegative, Part::Negative] {
                        // The magnitude of the quotient reaches 2^(n-1) on both sides.
                        let same = dividend == divisor;
                        let result = if same { Part::UpToHalf } else { Part::DownToHalf };
                        cases.divide([result, dividend, divisor], natural::quotient);
                    }
                }
            }
        }
        cases.narrow(store, args)?;
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// The case of a zero divisor and a dividend of the given part.
fn by_zero(cases: &mut Cases, dividend: Part, result: u64) {
    let width = cases.domain(2).width();
    if !cases.domain(2).contains(0) {
        return;
    }
    if let Some(range) = dividend.magnitudes(cases.domain(1)) {
        cases.add([
            Clockwise::point(result, width),
            dividend.arc(range, width),
            Clockwise::point(0, width),
        ]);
    }
}
