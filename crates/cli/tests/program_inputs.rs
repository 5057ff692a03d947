//! Inputs of programs: standard input and the arguments of `main`, set up by the tests and confirmed by
//! replay.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs `gen` on one source and its tests with make; the suite.
fn generate(source: &str, args: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), source).expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["gen", "program.c"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the binary starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    make_passes(&folder.path().join("glassbox-out/tests"));
    let text = std::fs::read_to_string(folder.path().join("glassbox-out/suite.json"));
    serde_json::from_str(&text.expect("written")).expect("JSON")
}

fn make_passes(tests: &Path) {
    let make = Command::new("make").arg("-C").arg(tests).output().expect("make is installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

fn n_covered(suite: &Value) -> usize {
    let goals = suite["functions"][0]["goals"].as_array().expect("goals");
    goals.iter().filter(|goal| goal["verdict"] == "covered").count()
}

const READER: &str = "#include <stdio.h>
int digits(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF) {
        if (c < '0' || c > '9')
            return -1;
        n++;
        if (n == 3)
            break;
    }
    if (fgetc(stdin) == 'x')
        return 100 + n;
    return n;
}
";

#[test]
fn bytes_of_standard_input_are_inputs() {
    let suite = generate(READER, &[]);
    assert_eq!(n_covered(&suite), 10);
    let suite = generate(READER, &["--framework", "plain", "--criterion", "mcdc"]);
    assert!(n_covered(&suite) > 4);
}

#[test]
fn arguments_of_main_are_inputs() {
    let source = "#include <string.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (argv[1][0] == '-' && argv[1][1] == 'v')
        return 2;
    if (argc == 3 && argv[2][0] == 'q')
        return 3;
    return 0;
}
";
    let suite = generate(source, &[]);
    assert_eq!(n_covered(&suite), 10);
    let assumptions = suite["functions"][0]["assumptions"].to_string();
    assert!(assumptions.contains("argc"), "{assumptions}");
}

#[test]
fn the_error_number_of_the_library_is_no_input() {
    let source = "#include <errno.h>
#include <stdlib.h>
int parse(const char *text)
{
    errno = 0;
    if (text[0] != '7')
        return -1;
    return errno == 0 ? 7 : 0;
}
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), source).expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["gen", "program.c"])
        .current_dir(folder.path())
        .output()
        .expect("the binary starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!printed.contains("unknown:"), "{printed}");
    let tests = folder.path().join("glassbox-out/tests");
    let text = std::fs::read_to_string(tests.join("test_parse.c")).expect("written");
    assert!(!text.contains("__glassbox_errno"), "{text}");
    make_passes(&tests);
}
