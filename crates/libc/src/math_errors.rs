//! When functions of math.h set `errno`, as glibc does: decided by arguments and result, since the host's
//! own `errno` cannot be seen.

use crate::env::Env;
use crate::errors::{EDOM, ERANGE};

/// Functions that never report anything.
const SILENT: &[&str] = &[
    "cbrt",
    "ceil",
    "copysign",
    "erf",
    "fabs",
    "floor",
    "logb",
    "fmax",
    "fmin",
    "nearbyint",
    "rint",
    "round",
    "roundeven",
    "trunc",
    "asinh",
    "tanh",
    "atan",
];

/// Functions whose result zero for another argument than zero (or infinity) means that it was too small.
const UNDERFLOWING: &[&str] = &["erfc", "exp", "exp10", "exp2", "pow", "tgamma"];

/// Sets `errno` for a function whose arguments and result are these.
pub(crate) fn domain_or_range(env: &mut Env<'_>, function: &str, args: &[f64], result: f64) {
    // Not `erf`, `modf` and the like: only the suffix of `float` versions.
    let is_known = |list: &[&str]| {
        list.contains(&function)
            || function.strip_suffix('f').is_some_and(|stem| list.contains(&stem))
    };
    if is_known(SILENT) || args.iter().any(|arg| arg.is_nan()) {
        return;
    }
    let is_finite = args.iter().all(|arg| arg.is_finite());
    let is_too_small = result == 0.0 && is_known(UNDERFLOWING) && args[0] != 0.0;
    if result.is_nan() {
        env.set_errno(EDOM);
    } else if is_finite && (result.is_infinite() || is_too_small) {
        env.set_errno(ERANGE);
    }
}

/// Sets `errno` for a number that was multiplied by a power of two.
pub(crate) fn range_of_power(env: &mut Env<'_>, x: f64, result: f64) {
    if x.is_finite() && x != 0.0 && (result.is_infinite() || result == 0.0) {
        env.set_errno(ERANGE);
    }
}
