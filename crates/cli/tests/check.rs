//! `glassbox check` as a user runs it: verdicts, counter-examples in the compiled program, formats.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::process::Output;

use glassbox_testkit::run_glassbox;
use glassbox_testkit::suite::{check, make_passes};
use serde_json::Value;

/// (entry, verdict) of every assertion, in order.
fn assertions(summary: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for function in summary["functions"].as_array().expect("functions") {
        for property in function["properties"].as_array().expect("properties") {
            if property["kind"] == "assertion" {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                found.push((text(&function["entry"]), text(&property["verdict"])));
            }
        }
    }
    found
}

/// The verdicts of one kind of property in one function.
fn verdicts_of(summary: &Value, entry: &str, kind: &str) -> Vec<String> {
    let functions = summary["functions"].as_array().expect("functions");
    let of_entry = functions.iter().filter(|function| function["entry"] == entry);
    let properties =
        of_entry.flat_map(|function| function["properties"].as_array().expect("properties"));
    properties
        .filter(|property| property["kind"] == kind)
        .map(|property| property["verdict"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn names(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

const TCAS: &[&str] = &["P1a", "P1b", "P2a", "P2b", "P3a", "P3b", "P4a", "P4b", "P5a", "P5b"];

fn tcas(overflow: &str) -> (Vec<(String, String)>, Output) {
    let mut args =
        vec!["corpus/check/tcas_properties.c", "--overflow", overflow, "--assertions-only"];
    for name in TCAS {
        args.extend(["--function", name]);
    }
    let (_folder, summary, output) = check(&args);
    (assertions(&summary), output)
}

#[test]
fn tcas_properties_without_overflow() {
    let (found, output) = tcas("reject");
    let expected = names(&[
        ("P1a", "holds"),
        ("P1b", "holds"),
        ("P2a", "holds"),
        ("P2b", "violated"),
        ("P3a", "violated"),
        ("P3b", "holds"),
        ("P4a", "violated"),
        ("P4b", "violated"),
        ("P5a", "holds"),
        ("P5b", "violated"),
    ]);
    assert_eq!(found, expected);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("runs with signed overflow are left out"), "{text}");
    assert_eq!(text.matches("the compiled program aborts").count(), 5, "{text}");
}

#[test]
fn tcas_properties_with_overflow_that_wraps() {
    let (found, output) = tcas("wrap");
    let violated: Vec<&str> = found
        .iter()
        .filter(|(_, verdict)| verdict == "violated")
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(violated, ["P1a", "P2b", "P3a", "P4a", "P4b", "P5a", "P5b"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("the compiled program aborts").count(), 7, "{text}");
}

#[test]
fn foo_fails_at_fifty_only_and_wide_foo_only_by_overflow() {
    let (_folder, summary, _) =
        check(&["corpus/check/foo.c", "--overflow", "reject", "--assertions-only"]);
    assert_eq!(assertions(&summary), names(&[("foo", "violated"), ("foo_wide", "holds")]));
    let inputs = summary["functions"][0]["properties"][0]["inputs"].as_str().expect("inputs");
    assert!(inputs.starts_with("x = 50, y = "), "{inputs}");
    let (_folder, summary, _) =
        check(&["corpus/check/foo.c", "--overflow", "wrap", "--assertions-only"]);
    assert_eq!(assertions(&summary), names(&[("foo", "violated"), ("foo_wide", "violated")]));
}

#[test]
fn divide_as_printed_breaks_two_properties_and_corrected_holds_for_four_turns() {
    let (folder, summary, output) = check(&[
        "corpus/check/divide.c",
        "--overflow",
        "reject",
        "--assertions-only",
        "--unwind",
        "4",
        "--no-proofs",
    ]);
    let (printed, fixed) = ("divide_printed", "divide_fixed");
    let expected = names(&[
        (printed, "holds-within"),
        (printed, "violated"),
        (printed, "violated"),
        (fixed, "holds-within"),
        (fixed, "holds-within"),
        (fixed, "holds-within"),
    ]);
    assert_eq!(assertions(&summary), expected);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("at most 4 turns"), "{text}");
    make_passes(folder.path());
}

#[test]
fn tritype_and_product_hold_for_all_inputs() {
    for args in
        [vec!["corpus/check/tritype.c"], vec!["corpus/check/product.c", "--overflow", "reject"]]
    {
        let (_folder, summary, output) = check(&args);
        assert_eq!(summary["verdict"], "true", "{summary:#}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn every_kind_of_error_is_found_and_its_twin_is_safe() {
    let (folder, summary, output) = check(&["corpus/check/errors.c"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let has = |entry: &str, kind: &str, verdict: &str| {
        let found = verdicts_of(&summary, entry, kind);
        assert!(found.iter().any(|seen| seen == verdict), "{entry} {kind}: {found:?}");
    };
    for (entry, kind) in [
        ("division", "division-by-zero"),
        ("division", "signed-overflow"),
        ("overflow", "signed-overflow"),
        ("shift", "shift-amount"),
        ("shift", "shift-overflow"),
        ("null_pointer", "null-dereference"),
        ("bounds", "out-of-bounds"),
        ("uninitialized", "uninitialized"),
        ("after_free", "use-after-free"),
        ("twice", "double-free"),
    ] {
        has(entry, kind, "violated");
    }
    for entry in ["division_safe", "overflow_safe", "shift_safe", "bounds_safe", "twice_safe"] {
        let functions = summary["functions"].as_array().expect("functions");
        let function = functions.iter().find(|function| function["entry"] == entry);
        let properties = function.expect("checked")["properties"].as_array().expect("list");
        let is_safe = |property: &Value| {
            let verdict = property["verdict"].as_str().unwrap_or_default();
            verdict == "holds" || verdict == "holds-within"
        };
        assert!(properties.iter().all(is_safe), "{entry}: {properties:#?}");
    }
    has("bounds_safe", "out-of-bounds", "holds");
    // What no sanitizer sees is reported as seen by the interpreter only.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("confirmed by the interpreter only"), "{text}");
    let makefile = folder.path().join("tests/Makefile");
    assert!(std::fs::read_to_string(makefile).expect("written").contains("-fsanitize="));
}

#[test]
fn vacuous_properties_are_reported() {
    let (_folder, summary, _) = check(&["corpus/check/vacuous.c", "--assertions-only"]);
    let expected =
        names(&[("never", "unreachable"), ("always", "holds"), ("excluded", "unreachable")]);
    assert_eq!(assertions(&summary), expected);
}

#[test]
fn verification_tasks_work_as_they_are() {
    let (_folder, summary, output) = check(&["corpus/check/task_safe.c"]);
    assert_eq!((summary["verdict"].as_str(), output.status.code()), (Some("true"), Some(0)));
    let (folder, summary, output) = check(&["corpus/check/task_unsafe.c"]);
    assert_eq!((summary["verdict"].as_str(), output.status.code()), (Some("false"), Some(3)));
    let text = summary.to_string();
    assert!(text.contains("__VERIFIER_nondet_uchar() = 11"), "{text}");
    assert!(text.contains("the compiled program aborts"), "{text}");
    make_passes(folder.path());
}

/// Whatever the program's own `reach_error` does, calling it is the error, and only from `main`.
#[test]
fn the_error_function_of_a_task_may_be_defined_in_any_way() {
    let bodies = [
        ("__assert_fail(\"0\", \"t.c\", 1, \"reach_error\");", "aborts"),
        ("abort();", "aborts"),
        ("__builtin_trap();", "does not stop"),
        ("", "does not stop"),
        ("exit(0);", "does not stop"),
    ];
    for (body, confirmed) in bodies {
        for (limit, verdict) in [(6, "true"), (5, "false")] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("task.c");
            let text = format!(
                "#include <assert.h>\n#include <stdlib.h>\nvoid reach_error(void) {{ {body} }}\n\
                 int main(void) {{ int a; for (a = 0; a < 6; a++) {{ }}\n\
                 if (a > {limit}) reach_error();\nreturn 0; }}\n"
            );
            std::fs::write(&file, text).expect("writable");
            let (_out, summary, _) = check(&[&file.display().to_string()]);
            assert_eq!(summary["verdict"], verdict, "{body}: {summary}");
            let text = summary.to_string();
            assert!(verdict == "true" || text.contains(confirmed), "{body}: {text}");
        }
    }
}

/// Old and odd C whose meaning matters for verdicts; gcc agrees on each.
#[test]
fn odd_programs_have_the_meaning_that_gcc_gives_them() {
    let programs = [
        // `assert` without its header is a function, and an assertion.
        ("int main(void) { int x = 1; assert(x == 2); return 0; }", "false"),
        ("int main(void) { int x = 2; assert(x == 2); return 0; }", "true"),
        // What runs before `main`.
        (
            "int x; __attribute__((constructor)) static void set(void) { x = 42; }\n\
             int main(void) { assert(x == 42); return 0; }",
            "true",
        ),
        // What runs after it is not modeled.
        (
            "int x; __attribute__((destructor)) static void look(void) { assert(x); }\n\
             int main(void) { return 0; }",
            "unknown",
        ),
        // An input by convention changes nothing else.
        (
            "int a[2], nondet_int(void);\nint main(void) { unsigned i = nondet_int() & 1;\n\
             assert(a[i] == 0); return 0; }",
            "true",
        ),
        // A result where none is returned.
        (
            "void a(void) { int b = c(); assert(b); }\nvoid c(void) { }\nint main(void) { a(); return 0; }",
            "false",
        ),
        // An empty range is no case at all.
        (
            "int f(int x) { switch (x) { case 3 ... 2: return 1; case 4: return 2; } return 0; }\n\
             int main(void) { assert(f(3) + f(2) == 0); return 0; }",
            "true",
        ),
    ];
    for (text, verdict) in programs {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("odd.c");
        std::fs::write(&file, text).expect("writable");
        let (_out, summary, _) = check(&[&file.display().to_string(), "--function", "main"]);
        assert_eq!(summary["verdict"], verdict, "{text}: {summary}");
    }
}

#[test]
fn a_line_per_property_and_the_verdict_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let output = run_glassbox(["check", "corpus/check/foo.c", "--out", &out, "--no-exec"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.lines().last(), Some("VERDICT: false"), "{text}");
    let lines = text.lines().filter(|line| line.starts_with("corpus/check/foo.c:"));
    assert_eq!(lines.count(), 10, "{text}");
}

/// The parts of the SARIF 2.1.0 schema that readers rely on.
#[test]
fn sarif_has_what_its_schema_asks_for() {
    let (folder, _, _) = check(&["corpus/check/errors.c", "--format", "sarif", "--no-exec"]);
    let text = std::fs::read_to_string(folder.path().join("glassbox.sarif")).expect("written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.contains("sarif-schema-2.1.0")));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "glassbox");
    let rules = driver["rules"].as_array().expect("rules");
    assert!(
        rules
            .iter()
            .all(|rule| rule["id"].is_string() && rule["shortDescription"]["text"].is_string())
    );
    assert!(run["originalUriBaseIds"]["SRCROOT"]["uri"].as_str().is_some_and(|u| u.ends_with('/')));
    let results = run["results"].as_array().expect("results");
    assert!(results.len() >= 10);
    let mut fingerprints = std::collections::BTreeSet::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("index")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "note"].contains(&result["level"].as_str().expect("level")));
        assert!(!result["message"]["text"].as_str().expect("text").is_empty());
        let print = result["partialFingerprints"]["glassboxProperty/v1"].as_str().expect("print");
        assert!(fingerprints.insert(print.to_owned()), "fingerprints should differ");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "corpus/check/errors.c");
        assert_eq!(place["artifactLocation"]["uriBaseId"], "SRCROOT");
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0));
        assert!(place["region"]["startColumn"].as_u64().is_some_and(|column| column > 0));
        if result["level"] == "error" {
            let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
            let steps = steps.as_array().expect("steps");
            assert!(!steps.is_empty());
            assert!(steps.iter().all(|step| step["location"]["physicalLocation"].is_object()));
        }
    }
}

#[test]
fn fingerprints_do_not_depend_on_lines_above() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.c");
    let mut prints = Vec::new();
    for above in ["", "/* one */\n/* two */\n\n"] {
        std::fs::write(&source, format!("{above}int f(int a) {{ return 10 / a; }}\n"))
            .expect("written");
        let source = source.display().to_string();
        let (out, _, _) = check(&[&source, "--format", "sarif", "--no-exec"]);
        let text = std::fs::read_to_string(out.path().join("glassbox.sarif")).expect("written");
        let log: Value = serde_json::from_str(&text).expect("JSON");
        prints.push(log["runs"][0]["results"][0]["partialFingerprints"].clone());
    }
    assert!(prints[0].is_object());
    assert_eq!(prints[0], prints[1]);
}

#[test]
fn promises_of_contracts_are_properties() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.c");
    std::fs::write(
        &source,
        "int half(int n) { return n / 2; }\nint next(int n) { return n + 1; }\n",
    )
    .expect("written");
    let contract = "[function.half]\nrequire = [\"n >= 0\"]\nensure = [\"result * 2 == n\"]\n\
                    [function.next]\nrequire = [\"n < 100\"]\nensure = [\"result > old(n)\"]\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("written");
    let source = source.display().to_string();
    let (out, summary, output) = check(&[&source]);
    assert_eq!(assertions(&summary), names(&[("half", "violated"), ("next", "holds")]));
    assert_eq!(verdicts_of(&summary, "next", "signed-overflow"), ["holds"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("the compiled program breaks the promise"), "{text}");
    make_passes(out.path());
}

#[test]
fn a_broken_promise_does_not_hide_those_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.c");
    std::fs::write(
        &source,
        "int same(int n) { return n; }\ndouble half(double x) { return x / 2; }\n",
    )
    .expect("written");
    let contract = "[function.same]\nensure = [\"result > 5\", \"result > 3\", \"result == n\", \"result < 9\"]\n\
                    [function.half]\nensure = [\"result <= x\", \"result == result\"]\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("written");
    let source = source.display().to_string();
    let (out, summary, _) = check(&[&source]);
    let expected = [
        ("same", "violated"),
        ("same", "violated"),
        ("same", "holds"),
        ("same", "violated"),
        ("half", "violated"),
        ("half", "violated"),
    ];
    assert_eq!(assertions(&summary), names(&expected));
    make_passes(out.path());
}

#[test]
fn bad_input_is_reported_and_ends_with_2() {
    for args in [
        vec!["check", "no-such-file.c"],
        vec!["check", "corpus/check/foo.c", "--function", "no_such_function"],
    ] {
        let output = run_glassbox(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn conversions_that_change_a_value_are_reported_when_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("convert.c");
    let text = "short narrow(int x) { return x; }\nunsigned size(int n) { return n; }\n\
                int wide(unsigned char c) { return c; }\nshort meant(int x) { return (short)x; }\n\
                unsigned char low(unsigned x) { unsigned char c = x & 255u; return c; }\n\
                int number(unsigned x) { if (x > 9) return 0; return x; }\n";
    std::fs::write(&file, text).expect("written");
    let path = file.display().to_string();
    let (_, plain, _) = check(&[&path, "--no-exec"]);
    assert!(verdicts_of(&plain, "narrow", "lossy-conversion").is_empty());
    let (_, asked, _) = check(&[&path, "--no-exec", "--lossy-conversion"]);
    for (function, verdicts) in [
        ("narrow", &["violated"][..]),
        ("size", &["violated"]),
        ("wide", &[]),
        ("meant", &[]),
        ("low", &["holds"]),
        ("number", &["holds"]),
    ] {
        assert_eq!(verdicts_of(&asked, function, "lossy-conversion"), verdicts, "{function}");
    }
}

#[test]
fn unsigned_wrap_is_reported_when_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("wrap.c");
    std::fs::write(
        &source,
        "unsigned total(unsigned a, unsigned b) { return a + b; }\n\
         unsigned half(unsigned a, unsigned b) { return a / 2 + b / 2; }\n",
    )
    .expect("a file");
    let path = source.display().to_string();
    let (_, plain, _) = check(&[&path, "--no-exec"]);
    assert!(verdicts_of(&plain, "total", "unsigned-wrap").is_empty());
    let (_, asked, _) = check(&[&path, "--no-exec", "--unsigned-wrap"]);
    assert_eq!(verdicts_of(&asked, "total", "unsigned-wrap"), ["violated"]);
    assert_eq!(verdicts_of(&asked, "half", "unsigned-wrap"), ["holds"]);
}

/// Verdicts of a program from text; what is printed.
fn check_text(source: &str) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("text.c");
    std::fs::write(&path, source).expect("writable");
    let (_folder, summary, output) = check(&[path.to_str().expect("UTF-8")]);
    (summary, String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn what_comes_behind_formatted_text_is_looked_at() {
    let (summary, printed) = check_text(
        "#include <stdio.h>
int letters(int x) { char b[32]; snprintf(b, sizeof b, \"v=%d\", x); if (b[0] != 'v') return 1 / (b[0] - b[0]); return b[1]; }
int after(int x, int y) { char b[32]; snprintf(b, sizeof b, \"%d\", x); return x / y; }
int digit(int x) { char b[32]; snprintf(b, sizeof b, \"%d\", x); int zero = b[0] == 'x'; return 1 / (1 - zero); }
int beyond(const char *s) { char b[4]; sprintf(b, \"%s\", s); return b[0]; }
",
    );
    let divisions = |entry| verdicts_of(&summary, entry, "division-by-zero");
    assert_eq!(divisions("after"), ["violated"], "{printed}");
    // The library writes no letter there, which paths do not know.
    assert!(["unknown", "holds"].contains(&divisions("digit")[0].as_str()), "{printed}");
    assert!(!divisions("letters").contains(&"violated".to_owned()), "{printed}");
    assert_ne!(divisions("letters"), ["unknown"], "{printed}");
    assert_eq!(verdicts_of(&summary, "beyond", "library-call"), ["violated"], "{printed}");
    assert!(!printed.contains("disagreement"), "{printed}");
}
