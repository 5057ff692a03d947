//! Names that do not exist, with those that do.

use crate::problem::Problem;
use crate::tree::Name;

pub(super) fn unknown(what: &str, name: &Name, known: &[&str]) -> Problem {
    let problem = Problem::new(name.spot, format!("no {what} `{}` is known here", name.text));
    match known {
        [] => problem,
        [only] => problem.help(format!("there is: {only}")),
        several => problem.help(format!("there are: {}", several.join(", "))),
    }
}
