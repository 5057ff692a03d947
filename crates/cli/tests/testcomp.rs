//! `glassbox gen --format testcomp`: the exchange format of Test-Comp, by the rules of its DTD.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::Command;

use glassbox_testkit::suite::generate_for;
use glassbox_testkit::{Tool, require};

const SOURCE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void abort(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  if (x < -7 && c == 200) return 1;
  if (c < 3) { double d = __VERIFIER_nondet_double(); if (d > 0.1 && d < 0.2) return 2; }
  return 0;
}
";

/// The elements below the root, by name and text; panics unless the document is as simple as the DTD asks.
fn elements(text: &str, doctype: &str) -> Vec<(String, String)> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>"));
    let declared = lines.next().expect("a doctype");
    assert!(declared.starts_with(&format!("<!DOCTYPE {doctype} PUBLIC ")), "{declared}");
    assert_eq!(lines.next(), Some(format!("<{doctype}>").as_str()));
    let mut found = Vec::new();
    for line in lines.by_ref() {
        if line == format!("</{doctype}>") {
            break;
        }
        let (open, rest) =
            line.trim().strip_prefix('<').and_then(|l| l.split_once('>')).expect(line);
        let content = rest.strip_suffix(&format!("</{open}>")).expect(line);
        assert!(!content.contains(['<', '>']), "{line}");
        found.push((open.to_owned(), content.to_owned()));
    }
    assert_eq!(lines.next(), None);
    found
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join("test-suite").join(name)).expect("written")
}

/// Lets xmllint judge every file, where it is installed.
fn validate(suite: &Path, n_tests: usize) {
    let Some(xmllint) = require(Tool::Program("xmllint")) else { return };
    let dtd = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testcomp/format.dtd");
    let cases = (1..=n_tests).map(|number| format!("testcase-{number}.xml"));
    let output = Command::new(xmllint)
        .args(["--noout", "--nonet", "--dtdvalid"])
        .arg(dtd)
        .arg("metadata.xml")
        .args(cases)
        .current_dir(suite)
        .output()
        .expect("xmllint starts");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn suites_follow_the_exchange_format() {
    let (folder, suite, output) =
        generate_for(SOURCE, &["--function", "main", "--format", "testcomp"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let metadata = elements(&read(folder.path(), "metadata.xml"), "test-metadata");
    let names: Vec<&str> = metadata.iter().map(|(name, _)| name.as_str()).collect();
    // The order is part of the format.
    assert_eq!(
        names,
        [
            "sourcecodelang",
            "producer",
            "specification",
            "programfile",
            "programhash",
            "entryfunction",
            "architecture",
            "creationtime"
        ]
    );
    assert_eq!(metadata[4].1.len(), 64);
    assert_eq!(metadata[5].1, "main");
    let n_tests = suite["functions"][0]["tests"].as_array().expect("tests").len();
    assert!(n_tests > 1);
    let mut n_long = 0;
    for number in 1..=n_tests {
        let case = elements(&read(folder.path(), &format!("testcase-{number}.xml")), "testcase");
        assert!(case.iter().all(|(name, _)| name == "input"), "{case:?}");
        let values: Vec<&str> = case.iter().map(|(_, value)| value.as_str()).collect();
        // Every run asks for an int and a byte, some for a double too.
        let _: i32 = values[0].parse().expect("an int in decimal");
        let _: u8 = values[1].parse().expect("a byte in decimal");
        n_long += usize::from(values.len() == 3);
    }
    assert!(n_long > 0);
    assert!(!folder.path().join(format!("test-suite/testcase-{}.xml", n_tests + 1)).exists());
    validate(&folder.path().join("test-suite"), n_tests);
}

#[test]
fn functions_alone_are_no_program() {
    let (_folder, _, output) = generate_for(
        "int f(int x) { return x > 3 && x < 9; }",
        &["--format", "testcomp", "--no-exec"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no `main`"), "{output:?}");
}
