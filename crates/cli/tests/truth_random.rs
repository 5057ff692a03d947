//! A few random functions of `cargo xtask corpus truth`: every verdict against all inputs, run by gcc and by the JVM.

use glassbox_testkit::enumerated::{Asked, c_campaign, java_campaign};
use glassbox_testkit::java::Jdk;
use glassbox_testkit::{Tool, require};

/// Few functions are asked about for longer than a campaign does.
fn asked(count: u64) -> Asked {
    Asked { budget: "0.5cpu".to_owned(), ..Asked::new(1, count) }
}

#[test]
fn verdicts_about_c_functions_are_true() {
    let Some(_) = require(Tool::Program("gcc")) else { return };
    let tally = c_campaign(&asked(8), &mut |_| {});
    assert!(tally.complaints.is_empty(), "{}", tally.complaints.join("\n"));
    assert_eq!(tally.n_functions, 8);
    for verdict in ["covered", "infeasible", "violated", "holds"] {
        assert!(tally.verdicts.get(verdict).is_some_and(|count| *count >= 10), "{tally}");
    }
}

#[test]
fn verdicts_about_java_methods_are_true() {
    let Some(jdk) = Jdk::find() else { return };
    let tally = java_campaign(&jdk, &asked(4), &mut |_| {});
    assert!(tally.complaints.is_empty(), "{}", tally.complaints.join("\n"));
    assert_eq!(tally.n_functions, 4);
    for verdict in ["covered", "infeasible-within"] {
        assert!(tally.verdicts.get(verdict).is_some_and(|count| *count >= 10), "{tally}");
    }
}
