//! SV-COMP witnesses of what `check` finds, read back by a YAML parser.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::process::Command;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, require};

const TASK: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 4241 && x < 4243) { int y = 1 / (x - 4242); return y; }
    return 0;
}
";

/// Prints what a validator looks at first, from a witness named on the command line.
const READER: &str = "\
import sys, yaml
entry, = yaml.safe_load(open(sys.argv[1]))
meta = entry['metadata']
points = [segment['segment'][-1]['waypoint'] for segment in entry['content']]
print(entry['entry_type'], meta['format_version'], meta['task']['data_model'], meta['creation_time'])
for point in points:
    place = point['location']
    print(point['type'], place['line'], place.get('column'), point.get('constraint', {}).get('value'))
";

#[test]
fn a_violation_has_a_witness_with_the_values_that_lead_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("task ü.c"), TASK).expect("written");
    let run = |args: &[&str]| {
        glassbox()
            .args(args)
            .current_dir(folder.path())
            .env_remove("SOURCE_DATE_EPOCH")
            .output()
            .expect("the binary starts")
    };
    let checked = run(&["check", "task ü.c", "--out", "out"]);
    assert_eq!(checked.status.code(), Some(3), "{checked:?}");
    let reported = run(&["report", "out", "--format", "witness,html"]);
    assert_eq!(reported.status.code(), Some(3), "{reported:?}");
    let path = folder.path().join("out/report/witness-1.yml");
    let first = std::fs::read_to_string(&path).expect("a witness");
    run(&["report", "out", "--format", "witness"]);
    assert_eq!(std::fs::read_to_string(&path).expect("a witness"), first);
    assert!(first.contains("task ü.c"), "{first}");
    if require(Tool::File("/usr/lib/python3/dist-packages/yaml/__init__.py")).is_none() {
        return;
    }
    let read = Command::new("/usr/bin/python3").args(["-c", READER]).arg(&path).output();
    let read = read.expect("python starts");
    let printed = String::from_utf8_lossy(&read.stdout).into_owned();
    assert_eq!(
        printed,
        "violation_sequence 2.0 LP64 1970-01-01T00:00:00Z\n\
         function_return 5 35 \\result == 4242\ntarget 6 None None\n"
    );
}
