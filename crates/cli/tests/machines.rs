//! Programs for other machines: `-m32` and `--target`.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require};

/// What Debian's package of gcc for both machines brings along.
const MULTILIB: &str = "/usr/include/gnu/stubs-32.h";

const SOURCE: &str = "\
struct node { struct node *next; long weight; char tag; };

int size(long x) {
    if (sizeof x == 4 && x > 2147483646)
        return 1;
    return 0;
}

int is_high(char c) {
    if (c > 127)
        return 1;
    return 0;
}

long sum(const struct node *list, char **name) {
    long total = 0;
    for (; list != 0; list = list->next) {
        if (list->tag == 'x') {
            *name = 0;
            return -1;
        }
        total = list->weight;
    }
    return total;
}

double half(double x) {
    if (x / 2 > 1)
        return 1;
    return 0;
}
";

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

fn tests_pass(folder: &Path) {
    let made = Command::new("make").arg("-C").arg(folder.join("o/tests")).output();
    assert!(made.is_ok_and(|made| made.status.success()));
}

#[test]
fn programs_for_32_bits_are_tested_as_such() {
    let Some(_) = require(Tool::File(MULTILIB)) else { return };
    for flags in [&["--", "-m32"][..], &["--target", "i386"]] {
        let folder = folder::with_files(&[("a.c", SOURCE)]);
        let arguments = [&["gen", "a.c", "--out", "o"], flags].concat();
        let text = said(&run_glassbox_in(folder.path(), arguments));
        assert!(text.contains("size: 4 goals: 3 covered by 2 tests, 1 infeasible"), "{text}");
        assert!(text.contains("is_high: 2 goals: 1 covered by 1 test, 1 infeasible"), "{text}");
        assert!(text.contains("sum: 4 goals: 4 covered"), "{text}");
        // The x87 keeps more bits than a double has.
        assert!(text.contains("arithmetic of the x87"), "{text}");
        tests_pass(folder.path());
    }
    let folder = folder::with_files(&[("a.c", SOURCE)]);
    let flags = ["gen", "a.c", "--out", "o", "--", "-m32", "-msse2", "-mfpmath=sse"];
    let text = said(&run_glassbox_in(folder.path(), flags));
    assert!(text.contains("half: 2 goals: 2 covered"), "{text}");
}

#[test]
fn what_no_test_has_confirmed_is_not_covered() {
    let Some(_) = require(Tool::Program("clang-19")) else { return };
    let folder = folder::with_files(&[("a.c", SOURCE)]);
    let arguments = ["gen", "a.c", "--out", "o", "--target", "arm-none-eabi"];
    let output = run_glassbox_in(folder.path(), arguments);
    let text = said(&output);
    assert!(text.contains("tests for ARM do not run on this machine"), "{text}");
    assert!(!text.contains("covered by"), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
    // `char` has no negative values there, and `long` has 32 bits: what cannot be is proved.
    assert!(text.contains("infeasible"), "{text}");
}

#[test]
fn machines_that_are_not_known_are_refused_by_name() {
    let folder = folder::with_files(&[("a.c", SOURCE)]);
    for target in ["avr", "mips-linux-gnu", "aarch64_be-linux-gnu"] {
        let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--target", target]);
        let text = said(&output);
        assert!(text.contains(&format!("the types of `{target}` are not modeled")), "{text}");
        assert_eq!(output.status.code(), Some(2), "{text}");
    }
}
