//! Thirty csmith programs against gcc; `cargo xtask corpus csmith FIRST COUNT` runs others.

#[path = "c/mod.rs"]
mod c;
#[path = "c/csmith.rs"]
mod csmith;

use std::time::Duration;

use csmith::Verdict;
use glassbox_testkit::{Tool, require};

/// Seeds whose programs end soon, so that the test is short.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=32;

/// What Debian's package of gcc for both machines brings along.
const MULTILIB: &str = "/usr/include/gnu/stubs-32.h";

/// Seeds of the range whose programs run for long.
const LONG: &[u64] = &[20, 22];

#[test]
fn thirty_programs_have_the_same_checksum() {
    let Some(_) = require(Tool::Program("csmith")) else { return };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let seeds: Vec<u64> = SEEDS.filter(|seed| !LONG.contains(seed)).collect();
    assert_eq!(seeds.len(), 30);
    for seed in seeds {
        let limit = Duration::from_secs(60);
        let verdict = csmith::compare(seed, &[], directory.path(), limit, 200_000_000);
        assert!(matches!(verdict, Ok(Verdict::Same { .. })), "seed {seed}: {verdict:?}");
    }
}

#[test]
fn programs_for_32_bits_have_the_same_checksum() {
    let Some(_) = require(Tool::Program("csmith")) else { return };
    let Some(_) = require(Tool::File(MULTILIB)) else { return };
    let directory = tempfile::tempdir().expect("a temporary directory");
    for seed in SEEDS.filter(|seed| !LONG.contains(seed)) {
        let limit = Duration::from_secs(60);
        let verdict = csmith::compare(seed, &["-m32"], directory.path(), limit, 200_000_000);
        assert!(matches!(verdict, Ok(Verdict::Same { .. })), "seed {seed}: {verdict:?}");
    }
}
