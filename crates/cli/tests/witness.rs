//! SV-COMP witnesses of what `check` finds, read back by a YAML parser.

#![expect(clippy::print_stderr, reason = "tests say what they could not check")]

use std::process::Command;

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
    let glassbox = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_glassbox"))
            .args(args)
            .current_dir(folder.path())
            .env_remove("SOURCE_DATE_EPOCH")
            .output()
            .expect("the binary starts")
    };
    let checked = glassbox(&["check", "task ü.c", "--out", "out"]);
    assert_eq!(checked.status.code(), Some(3), "{checked:?}");
    let reported = glassbox(&["report", "out", "--format", "witness,html"]);
    assert_eq!(reported.status.code(), Some(3), "{reported:?}");
    let path = folder.path().join("out/report/witness-1.yml");
    let first = std::fs::read_to_string(&path).expect("a witness");
    let _ = glassbox(&["report", "out", "--format", "witness"]);
    assert_eq!(std::fs::read_to_string(&path).expect("a witness"), first);
    assert!(first.contains("task ü.c"), "{first}");
    let read = Command::new("python3").args(["-c", READER]).arg(&path).output();
    let Some(read) = read.ok().filter(|read| read.status.success()) else {
        eprintln!("not checked: python3 with yaml is not installed");
        return;
    };
    let told = String::from_utf8_lossy(&read.stdout).into_owned();
    assert_eq!(
        told,
        "violation_sequence 2.0 LP64 1970-01-01T00:00:00Z\n\
         function_return 5 35 \\result == 4242\ntarget 6 None None\n"
    );
}
