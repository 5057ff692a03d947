//! Measures the solver against one long-lived z3 process on the kept families of questions.
//!
//! Usage: `cargo run --release -p glassbox-solver --example bench_solver [-- FAMILY...]`. Families: `paths`,
//! `factors`, `squares`, `modular`, `mixes`, `claims`. Without z3 in the path only our own times are
//! printed. Nothing is asserted except that both agree.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

mod claims;
mod families;
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
mod paths;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    if is_wanted("paths") {
        paths::run();
    }
    families::run(&is_wanted);
    if is_wanted("claims") {
        claims::run();
    }
}
