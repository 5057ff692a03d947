//! What z3 says about a formula.

use glassbox_terms::{Dialect, export};
use glassbox_testkit::z3::Z3;

use super::compare::Truth;
use super::formula::Formula;

/// The answer of z3 to a formula; unknown when it takes longer than the limit or says nothing clear.
pub(crate) fn judge(z3: &mut Z3, formula: &Formula, limit_ms: u32) -> Truth {
    let mut terms = formula.terms.clone();
    let script = export(&mut terms, &formula.assertions, Dialect::Plain).text;
    let answer = z3.ask(&format!("(reset)(set-option :timeout {limit_ms})\n{script}(check-sat)\n"));
    match answer.as_str() {
        "sat" => Truth::Sat,
        "unsat" => Truth::Unsat,
        _ => Truth::Unknown,
    }
}
