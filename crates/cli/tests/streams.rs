//! Streams and text as inputs: what parameters and opened files hold, moving about in them, closing them, and `sscanf`.

#![allow(clippy::disallowed_methods, reason = "tests start programs and read files")]

use std::path::Path;
use std::process::Command;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require};
use serde_json::Value;

/// `glassbox gen` of a source, with its tests built and run; what it prints and its suite.
fn generate(source: &str, args: &[&str]) -> (String, Value) {
    let folder = folder::with_files(&[("program.c", source)]);
    let output = run_glassbox_in(folder.path(), [&["gen", "program.c"], args].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let out = folder.path().join("glassbox-out");
    if require(Tool::Program("make")).is_some() {
        make_passes(&out.join("tests"), &printed);
    }
    let text = std::fs::read_to_string(out.join("suite.json")).expect("written");
    (printed, serde_json::from_str(&text).expect("JSON"))
}

fn make_passes(tests: &Path, printed: &str) {
    let make = Command::new("make").arg("-C").arg(tests).output().expect("make is installed");
    let said = String::from_utf8_lossy(&make.stdout);
    assert!(make.status.success(), "{printed}\n{said}{}", String::from_utf8_lossy(&make.stderr));
}

/// Every goal of every function is covered.
fn assert_all_covered((printed, suite): &(String, Value)) {
    for function in suite["functions"].as_array().expect("functions") {
        for goal in function["goals"].as_array().expect("goals") {
            assert_eq!(goal["verdict"], "covered", "{printed}\n{goal:#}");
        }
    }
}

const PARAMETERS: &str = "#include <stdio.h>
#include <string.h>
struct reader { FILE *from; int line; };
int lines(FILE *f) { int c, n = 0; if (!f) return -1; while ((c = fgetc(f)) != EOF) if (c == '\\n') n++; if (n == 2) return 2; return 0; }
int key(struct reader *r) { char b[8]; if (!fgets(b, sizeof b, r->from)) return -1; r->line++; if (strcmp(b, \"a=1\\n\") == 0) return 1; return 0; }
int again(FILE *f) { int a = getc(f), b; if (a != 'x') return 0; rewind(f); b = getc(f); return a == b ? 1 : 2; }
int last(FILE *f) { if (fseek(f, -1, SEEK_END) != 0) return -1; return getc(f) == '}'; }
int pair(FILE *a, FILE *b) { if (getc(a) == '1' && getc(b) == '2') return 1; return 0; }
int number(FILE *f) { int n; if (fscanf(f, \"%d\", &n) != 1) return -1; return n == 77; }
int log(FILE *f, int x) { if (x > 3) { fprintf(f, \"%d\", x); return fclose(f); } return 1; }
";

#[test]
fn contents_of_streams_that_callers_pass_are_inputs() {
    let functions = ["lines", "key", "last", "pair", "number", "log"];
    let args: Vec<&str> = functions.iter().flat_map(|name| ["--function", name]).collect();
    assert_all_covered(&generate(PARAMETERS, &args));
    let (printed, _) = generate(PARAMETERS, &["--function", "again"]);
    let goal = "a == b is false: infeasible within bounds: ";
    assert!(printed.contains(goal), "{printed}");
    assert!(printed.contains("reads of streams do not fail"), "{printed}");
}

#[test]
fn files_that_functions_open_are_inputs() {
    let source = "#include <stdio.h>
#include <stdlib.h>
int load(const char *name)
{
    FILE *f = fopen(name, \"rb\");
    long size;
    char *text;
    int result = 0;
    if (!f)
        return -1;
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    if (size < 2) {
        fclose(f);
        return -2;
    }
    text = malloc((size_t)size + 1);
    if (fread(text, 1, (size_t)size, f) == (size_t)size) {
        text[size] = 0;
        if (text[0] == '{' && text[size - 1] == '}')
            result = 1;
    }
    free(text);
    fclose(f);
    return result;
}
int save(const char *name, int x)
{
    FILE *f = fopen(name, \"w\");
    if (!f)
        return -1;
    if (x > 5)
        fputs(\"large\", f);
    fclose(f);
    return 0;
}
int both(void)
{
    FILE *a = fopen(\"a\", \"r\"), *b = fopen(\"b\", \"r\");
    int r = 0;
    if (a && b && getc(a) == 'x' && getc(b) == 'y')
        r = 1;
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return r;
}
";
    assert_all_covered(&generate(source, &["--function", "save", "--function", "both"]));
    let (printed, _) = generate(source, &["--function", "load"]);
    // That all of a file is read is taken for granted, and said.
    assert!(printed.contains("covered by"), "{printed}");
    assert!(!printed.contains("unknown"), "{printed}");
    assert!(!printed.contains("infeasible:"), "{printed}");
}

#[test]
fn misuse_of_streams_is_found() {
    let source = "#include <stdio.h>
void twice(FILE *f) { if (f) { fclose(f); fclose(f); } }
int after(const char *name) { FILE *f = fopen(name, \"r\"); if (!f) return 0; fclose(f); return getc(f); }
int null(const char *name) { FILE *f = fopen(name, \"r\"); return getc(f); }
";
    let folder = folder::with_files(&[("program.c", source)]);
    for function in ["twice", "after", "null"] {
        let args = ["check", "program.c", "--function", function, "--timeout", "10"];
        let output = run_glassbox_in(folder.path(), args);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("VERDICT: false"), "{function}: {printed}");
    }
}

#[test]
fn text_that_sscanf_reads_is_an_input() {
    let source = "#include <stdio.h>
#include <string.h>
int date(const char *s) { int y, m; if (sscanf(s, \"%d-%d\", &y, &m) != 2) return -1; if (y == 42 && m == -7) return 1; return 0; }
int word(const char *s) { char w[5], rest; if (sscanf(s, \"%4[a-z]=%c\", w, &rest) != 2) return -1; if (strcmp(w, \"key\") == 0 && rest == '!') return 1; return 0; }
int hex(const char *s) { unsigned u; int n = 0; if (sscanf(s, \" %x%n\", &u, &n) == 1 && u == 0xbe && n == 4) return 1; return 0; }
int real(const char *s) { double d; if (sscanf(s, \"%lf\", &d) == 1 && d == 2.5) return 1; return 0; }
";
    assert_all_covered(&generate(source, &[]));
}

/// What proofs take for granted about streams excludes the runs in which they are wrong: a longer file, the end of a log, digits behind
/// those that were read. A line that is not there has room all the same, as glibc makes it.
#[test]
fn proofs_about_streams_name_what_they_leave_out() {
    let source = "#include <stdio.h>
#include <stdlib.h>
long end(const char *n) { FILE *f = fopen(n, \"a\"); if (!f) return -1; fseek(f, 0, SEEK_END); long p = ftell(f); fclose(f); return p > 100; }
int length(FILE *f) { int n = 0; if (!f) return -1; while (fgetc(f) != EOF) n++; if (n == 33) return 1; return 0; }
int more(FILE *f) { int a; if (!f || fscanf(f, \"%2d\", &a) != 1) return 0; int c = fgetc(f); if (c >= '0' && c <= '9') return 1; return 2; }
int none(FILE *f) { char *l = NULL; size_t k = 0; if (!f) return -1; if (getline(&l, &k, f) < 0) { if (l == NULL) return 1; free(l); return 2; } free(l); return 3; }
";
    let (printed, _) = generate(source, &["--criterion", "branch"]);
    let line = |goal: &str| {
        printed.lines().find(|line| line.contains(goal)).unwrap_or_else(|| panic!("{printed}"))
    };
    assert!(line("n == 33 is true").contains("(at most 32 elements)"), "{printed}");
    assert!(line("c <= '9' is true").contains("white space ends each number"), "{printed}");
    assert!(line("l == NULL is true").contains("infeasible within"), "{printed}");
    let output = folder::with_files(&[("a.c", source)]);
    let args = ["gen", "a.c", "--function", "end", "--no-exec", "--criterion", "boundary"];
    let all = run_glassbox_in(output.path(), args);
    let said = String::from_utf8_lossy(&all.stdout).into_owned();
    assert!(!said.contains("infeasible within") || said.contains("opened for appending"), "{said}");
}
