//! Contracts of C with cases, quantifiers and what may change, in glassbox.toml and in comments of the source.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::process::Output;

use glassbox_testkit::{command::run_glassbox_aside, folder::with_files, root};
use serde_json::Value;

/// Verdicts of assertions by their text, in the order of the report.
fn assertions(output: &Output) -> Vec<(String, String)> {
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let functions = summary["functions"].as_array().cloned().unwrap_or_default();
    let all =
        functions.iter().flat_map(|it| it["properties"].as_array().cloned().unwrap_or_default());
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.filter(|it| it["kind"] == "assertion")
        .map(|it| (word(&it["text"]), word(&it["verdict"])))
        .collect()
}

fn verdict<'a>(found: &'a [(String, String)], part: &str) -> &'a str {
    let mut all = found.iter().filter(|(text, _)| text.contains(part));
    all.next().map_or("no such property", |(_, verdict)| verdict.as_str())
}

fn printed(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}

fn tcas(overflow: &str) -> Vec<(String, String)> {
    let config = "corpus/contracts/tcas/glassbox.toml";
    let args = ["check", "examples/tcas.c", "--config", config, "--function", "alt_sep_test"];
    let (_out, output) =
        run_glassbox_aside(&root(), &[&args[..], &["--overflow", overflow, "--json"]].concat());
    assertions(&output)
}

#[test]
fn the_ten_properties_of_the_collision_avoidance_logic_are_one_contract() {
    let found = tcas("reject");
    let of = |name: &str| verdict(&found, &format!("behavior {name}:")).to_owned();
    for name in ["P1a", "P1b", "P2a", "P3b", "P5a"] {
        assert_eq!(of(name), "holds", "{name} of {found:?}");
    }
    for name in ["P2b", "P3a", "P4a", "P4b", "P5b"] {
        assert_eq!(of(name), "violated", "{name} of {found:?}");
    }
}

#[test]
fn two_more_of_the_ten_properties_are_violated_where_sums_wrap_around() {
    let found = tcas("wrap");
    let of = |name: &str| verdict(&found, &format!("behavior {name}:")).to_owned();
    for name in ["P1b", "P2a", "P3b"] {
        assert_eq!(of(name), "holds", "{name} of {found:?}");
    }
    for name in ["P1a", "P2b", "P3a", "P4a", "P4b", "P5a", "P5b"] {
        assert_eq!(of(name), "violated", "{name} of {found:?}");
    }
}

#[test]
fn copying_an_array_keeps_the_promise_of_the_paper_and_one_element_too_many_breaks_it() {
    let corpus = root().join("corpus/contracts/array_copy");
    let (_out, output) = run_glassbox_aside(
        &corpus,
        &["check", "array_copy.c", "--function", "array_copy", "--json"],
    );
    let found = assertions(&output);
    for part in ["forall(", "result ==", "assigns dest"] {
        assert!(verdict(&found, part).starts_with("holds"), "{part} of {found:?}");
    }
    let (_out, output) = run_glassbox_aside(
        &corpus,
        &["check", "array_copy.c", "--function", "array_copy_1", "--json"],
    );
    let found = assertions(&output);
    assert_eq!(verdict(&found, "forall("), "violated", "{found:?}");
    assert_eq!(verdict(&found, "assigns dest"), "violated", "{found:?}");
    assert!(verdict(&found, "result ==").starts_with("holds"), "{found:?}");
}

const ANNOTATED: &str = "/*@ requires \\valid(a + (0 .. 2));
  @ assigns a[0 .. 2];
  @ ensures \\forall integer i; 0 <= i < 3 ==> a[i] == 0;
  @*/
void clear(int *a) {
    int i = 0;
    //@ assert i == 0;
    while (i < 3) a[i++] = 0;
    /*@ assert i == 3; */
}

int odd(int x) {
    /*@ assert x != 4; */
    return x & 1;
}

/*@ behavior up: assumes x > 0; ensures \\result == 1;
    behavior down: assumes x <= 0; ensures \\result == 0;
    complete behaviors; disjoint behaviors; */
int sign(int x) { return x >= 0; }

int g;
/*@ assigns \\nothing; */
int keeps(int x) { return g + (x & 1); }

/*@ assigns \\nothing; */
int changes(int x) { g = x; return x; }
";

#[test]
fn comments_of_the_source_are_contracts() {
    let folder = with_files(&[("f.c", ANNOTATED)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["check", "f.c", "--json", "--overflow", "wrap"]);
    let found = assertions(&output);
    assert!(verdict(&found, "assigns a[0 .. 2]").starts_with("holds"), "{found:?}");
    assert!(verdict(&found, "\\forall integer i").starts_with("holds"), "{found:?}");
    assert!(verdict(&found, "i == 0").starts_with("holds"), "{found:?}");
    assert!(verdict(&found, "i == 3").starts_with("holds"), "{found:?}");
    assert_eq!(verdict(&found, "x != 4"), "violated", "{found:?}");
    assert_eq!(verdict(&found, "behavior up"), "holds", "{found:?}");
    assert_eq!(verdict(&found, "behavior down"), "violated", "{found:?}");
    assert_eq!(verdict(&found, "are complete"), "holds", "{found:?}");
    assert_eq!(verdict(&found, "are disjoint"), "holds", "{found:?}");
    let nothing: Vec<&str> = found
        .iter()
        .filter(|(text, _)| text == "assigns \\nothing")
        .map(|(_, verdict)| verdict.as_str())
        .collect();
    assert_eq!(nothing, ["holds", "violated"], "{found:?}");
    // The compiled program shows what comments assert and promise.
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("\"confirmed\"").count(), 3, "{text}");
}

#[test]
fn tests_assert_what_comments_promise() {
    let source = "/*@ requires x > -9; ensures \\result == (x > 0 ? x : \\old(x) + 1); */\n\
                  int f(int x) { if (x > 0) return x; return x + 1; }\n";
    let folder = with_files(&[("f.c", source)]);
    let (out, output) = run_glassbox_aside(folder.path(), &["gen", "f.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let tests = std::fs::read_to_string(out.path().join("tests/test_f.c")).expect("tests");
    assert!(tests.contains("spec: f.c:1"), "{tests}");
}

#[test]
fn what_is_not_looked_at_in_comments_is_named() {
    let source = "/*@ requires \\separated(p, q); ensures \\fresh(p, 1);\n    loop invariant 1; */\n\
                  int f(int *p, int *q) {\n    if (*p)\n        //@ assert *p > 0;\n        return 1;\n    return *q;\n}\n\
                  /*@ assigns \\nothing; */\nint h(void) { static int n; return ++n; }\n\
                  int k(/*@null@*/ int *p) { return p ? *p : 0; }\n";
    let folder = with_files(&[("f.c", source)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c"]);
    let text = printed(&output);
    for expected in [
        "f.c:1:14: warning: `requires` is not looked at: `\\separated` is not known here",
        "f.c:1:40: warning: `ensures` is not looked at: `\\fresh` is not known here",
        "f.c:2:10: warning: `loop` is not looked at",
        "f.c:5:20: warning: the assertion is not looked at: it does not stand between two statements",
        "f.c:9:13: warning: what else `h` changes cannot be said: it keeps `n` from one call to the next",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("null@"), "{text}");
}

#[test]
fn behaviors_and_frames_that_do_not_fit_are_reported_with_their_place() {
    let source = "int f(int *p) { static int n; return *p + n++; }\n";
    let complaint = |config: &str| {
        let folder = with_files(&[("f.c", source), ("glassbox.toml", config)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c"]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        printed(&output)
    };
    let text = complaint("[function.f]\nassigns = [\"*p\"]\n");
    assert!(
        text.contains("glassbox.toml:2:1: error: what else `f` changes cannot be said"),
        "{text}"
    );
    let text = complaint("[[function.f.behavior]]\nassume = \"*p > 0\"\n");
    assert!(text.contains("glassbox.toml:2:1: error: no part of a behavior `assume`"), "{text}");
    let text = complaint("[[function.f.behavior]]\nname = \"a\"\nassumes = \"old(*p) > 0\"\n");
    assert!(text.contains("there is no `old` in it"), "{text}");
    let text =
        complaint("[[function.f.behavior]]\nname = \"a\"\n[[function.f.behavior]]\nname = \"a\"\n");
    assert!(text.contains("there are two behaviors `a`"), "{text}");
    let text = complaint(
        "[function.f]\nensure = \"forall(i, 0, 2, forall(j, 0, 2, p[i] == old(p[i + j])))\"\n",
    );
    assert!(text.contains("two quantifiers"), "{text}");
}

#[test]
fn assertions_in_line_comments_are_seen_by_the_compiled_program() {
    let source = "int g(int x) {\n    int y = x & 3;\n    //@ assert y < 3;\n    return y;\n}\n";
    let folder = with_files(&[("f.c", source)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--json"]);
    assert_eq!(verdict(&assertions(&output), "y < 3"), "violated", "{}", printed(&output));
    assert!(printed(&output).contains("\"confirmed\""), "{}", printed(&output));
}

/// The statement would run before what is asserted, or take its place.
#[test]
fn assertions_with_code_behind_them_are_not_looked_at_and_decide_nothing() {
    let source = "int f(int x) {\n    x = 1;\n    /*@ assert x == 2; */ x = 2;\n    return x;\n}\n";
    let folder = with_files(&[("f.c", source)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c"]);
    let text = printed(&output);
    assert!(text.contains("f.c:3:16: warning: the assertion is not looked at"), "{text}");
    assert!(text.contains("VERDICT: unknown"), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn clauses_change_nothing() {
    let source = "int G;\nint f(int x) { return x; }\n";
    for clause in
        ["ensure = [\"result = 5\"]", "require = [\"x++ > 0\"]", "ensure = [\"(G += 1) > 0\"]"]
    {
        let contract = format!("[function.f]\n{clause}\n");
        let folder = with_files(&[("f.c", source), ("glassbox.toml", &contract)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c"]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        assert!(printed(&output).contains("a condition changes nothing"), "{}", printed(&output));
    }
}

#[test]
fn several_assigns_are_one_and_margins_are_blank() {
    let source = "int G;\n/*@ requires \\valid(p);\n  @ assigns *p;\n  @ assigns\n  @   G;\n  @*/\n\
                  void c(int *p) { *p = 1; G = 2; }\n";
    let folder = with_files(&[("f.c", source)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--json"]);
    let found = assertions(&output);
    assert!(verdict(&found, "assigns *p, G").starts_with("holds"), "{found:?}");
}

#[test]
fn frames_see_signs_of_zeros_and_name_what_they_do_not_see() {
    let ask = |source: &str, contract: &str| {
        let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
        printed(&output)
    };
    let zero = "[function.f]\nrequire = [\"*p == 0\"]\nlength.p = 1\nassigns = []\n";
    let said = ask("void f(double *p) { *p = -*p; }\n", zero);
    assert!(said.contains("assertion (assigns nothing): violated"), "{said}");
    let said = ask("int f(double *p) { return *p == 0; }\n", zero);
    let nan =
        "assertion (assigns nothing): holds-within bounds: a NaN has one sign and one payload";
    assert!(said.contains(nan), "{said}");
    let errno = "#include <errno.h>\nvoid f(int *p) { errno = *p; }\n";
    let said = ask(errno, "[function.f]\nlength.p = 1\nassigns = []\n");
    let named = "assertion (assigns nothing): holds-within bounds: errno is not compared";
    assert!(said.contains(named), "{said}");
}

#[test]
fn promises_that_would_say_something_else_are_refused() {
    let refused = |source: &str, contract: &str, why: &str| {
        let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        assert!(printed(&output).contains(why), "{}", printed(&output));
    };
    let same_name = "int f(int result) { return result == 3; }\n";
    let hidden = "`result` is a parameter of `f`";
    refused(same_name, "[function.f]\nensure = [\"result == 0\"]\n", hidden);
    refused(
        "/*@ ensures \\result == 5; */\nint f(int result) { return result == 3 ? 6 : 5; }\n",
        "",
        hidden,
    );
    let array = "int g[2];\nint f(int x) { g[0] = 5; return x; }\n";
    refused(
        array,
        "[function.f]\nensure = [\"old(g)[0] == 5\"]\n",
        "old values of arrays are not kept",
    );
    refused(
        "int f(int i) { return i; }\n",
        "[function.f]\nensure = [\"forall(i, 0, i, i == 7)\"]\n",
        "the ends of a quantifier cannot depend on its own number",
    );
}

#[test]
fn remarks_in_annotations_are_none_of_them() {
    let source = "/*@ requires x > 0; // the usual; case\n    ensures \\result > 0; // too\n*/\nint f(int x) { return x; }\n";
    let folder = with_files(&[("f.c", source)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(!printed(&output).contains("warning"), "{}", printed(&output));
}

#[test]
fn quantifiers_begin_below_zero_where_they_end_at_an_unsigned_number() {
    for ty in ["unsigned", "unsigned long"] {
        let source = format!("void f({ty} n) {{ (void)n; }}\n");
        let contract =
            "[function.f]\nrequire = [\"n < 3\"]\nensure = [\"forall(i, -1, n, i != -1)\"]\n";
        let folder = with_files(&[("f.c", &source), ("glassbox.toml", contract)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--json"]);
        assert_eq!(verdict(&assertions(&output), "forall"), "violated", "{}", printed(&output));
    }
}
