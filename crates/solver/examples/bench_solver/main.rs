//! Measures the solver against one long-lived z3 process on the kept families of questions.
//!
//! Usage: `cargo run --release -p glassbox-solver --example bench_solver [-- [limit=SECONDS] [relax=STEPS]
//! FAMILY...]`. Families: `paths`, `factors`, `squares`, `modular`, `mixes`, `claims`. Without z3 in the path
//! only our own times are printed. The limit is that of one question, for each solver; default 20 seconds.
//! Nothing is asserted except that all agree.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

mod claims;
mod families;
#[path = "../../../propagators/tests/fpse/system.rs"]
mod fpse;
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
mod paths;

use std::time::Duration;

use glassbox_solver::{Options, Steps};

/// What the arguments say.
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) limit: Duration,
}

fn main() {
    let (mut limit, mut relax) = (20, Steps::default().relax);
    let mut wanted: Vec<String> = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.split_once('=') {
            Some(("limit", seconds)) => limit = seconds.parse().expect("a number of seconds"),
            Some(("relax", steps)) => relax = steps.parse().expect("a number of steps"),
            Some(_) | None => wanted.push(arg),
        }
    }
    let settings = Settings {
        options: Options { steps: Steps { relax, ..Steps::default() }, ..Options::default() },
        limit: Duration::from_secs(limit),
    };
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    if is_wanted("claims") {
        claims::run(&settings);
    }
    if is_wanted("paths") {
        paths::run(&settings);
    }
    families::run(&settings, &is_wanted);
}
