//! How many random tests are enough: the figures of QSIC 2006, computed anew.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{folder, root};
use serde_json::Value;

fn estimate(args: &[&str]) -> Value {
    let corpus = root().join("corpus/mutants");
    let out = folder::empty();
    let shown = out.path().display().to_string();
    let common = ["quality", "trityp.c", "--json", "--out", &shown];
    let output = run_glassbox_in(&corpus, [&common[..], args].concat());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    printed["functions"][0].clone()
}

const RELATION: [&str; 2] = ["--config", "symmetry.toml"];

/// By kind of change: mutants, and the share of inputs that show one.
fn classes(estimate: &Value) -> Vec<(String, u64, f64)> {
    let classes = estimate["classes"].as_array().expect("classes").iter();
    let class = |class: &Value| {
        let operator = class["operator"].as_str().expect("an operator").to_owned();
        (
            operator,
            class["mutants"].as_u64().expect("a number"),
            class["p"].as_f64().expect("a number"),
        )
    };
    let mut found: Vec<_> = classes.map(class).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn all_inputs_of_a_small_range_give_the_shares_of_the_mutants() {
    let found = estimate(&[&RELATION[..], &["--range", "1..6"]].concat());
    assert_eq!(found["exact"], true);
    assert_eq!(found["p_s"]["tried"], 135 * 216);
    let rounded: Vec<(String, u64, String)> = classes(&found)
        .into_iter()
        .map(|(operator, mutants, p)| (operator, mutants, format!("{p:.4}")))
        .collect();
    let expected = [("aor", 36, "0.1449"), ("lcr", 14, "0.0916"), ("ror", 85, "0.2429")];
    let expected = expected.map(|(name, count, p)| (name.to_owned(), count, p.to_owned()));
    assert_eq!(rounded, expected);
    assert_eq!(format!("{:.4}", found["p_s"]["p"].as_f64().expect("a number")), "0.2011");
}

#[test]
fn draws_from_the_range_of_the_paper_have_its_figures_within_their_bounds() {
    let found = estimate(&[&RELATION[..], &["--range", "1..126"]].concat());
    assert_eq!((&found["exact"], &found["inputs"]), (&Value::Bool(false), &Value::from("2000376")));
    let is_within = |share: &Value, printed: f64| {
        let bound = |at: usize| share["bounds"][at].as_f64().expect("a bound");
        // The paper prints three places.
        assert!(bound(0) < printed + 0.0005 && printed - 0.0005 < bound(1), "{share}");
        assert!(bound(1) - bound(0) < 0.02, "{share}");
    };
    is_within(&found["p_s"], 0.133);
    let printed = [("aor", 0.057), ("ror", 0.177), ("lcr", 0.062)];
    for (operator, p) in printed {
        let classes = found["classes"].as_array().expect("classes");
        let class = classes.iter().find(|class| class["operator"] == operator).expect("a class");
        is_within(class, p);
    }
    // 54 tests with the paper's p_s; the draws scatter around it.
    let tests = found["tests"].as_u64().expect("a number");
    let most = found["tests_at_lower_bound"].as_u64().expect("a number");
    assert!((52..=56).contains(&tests) && tests <= most && most <= 60, "{tests} {most}");
    assert_eq!(
        found,
        estimate(&[&RELATION[..], &["--range", "1..126"]].concat()),
        "same seed, same draws"
    );
}

/// Figure of the paper: 21 of the 135 mutants keep the symmetry.
#[test]
fn every_mutant_violates_the_relation_or_is_proved_to_satisfy_it() {
    let source = root().join("corpus/mutants/trityp.c");
    let text = std::fs::read_to_string(source).expect("it is there");
    let ranges = ["i", "j", "k"].map(|name| format!("range.{name} = [-126, 126]\n")).concat();
    let contract = format!("[function.trityp]\nsymmetric = [\"i\", \"j\", \"k\"]\n{ranges}");
    let place = folder::with_files(&[("trityp.c", &text), ("glassbox.toml", &contract)]);
    let args = ["quality", "trityp.c", "--samples", "500", "--prove", "--json"];
    let output = run_glassbox_in(place.path(), args);
    let found: Value = serde_json::from_slice(&output.stdout).expect("json");
    let expected = serde_json::json!({ "violate": 114, "satisfy": 21, "within": 0, "unknown": 0 });
    assert_eq!(found["functions"][0]["decided"], expected);
}

/// What `check` names as not compared is no plain proof here either.
#[test]
fn mutants_that_end_the_program_satisfy_within_bounds_only() {
    let contract = "[function.f]\nsymmetric = [\"a\", \"b\"]\n";
    for body in ["if (a > b) exit(1); return 0;", "while (a > b) ; return 0;"] {
        let text = format!("#include <stdlib.h>\nint f(int a, int b) {{ {body} }}\n");
        let place = folder::with_files(&[("f.c", &text), ("glassbox.toml", contract)]);
        let args =
            ["quality", "f.c", "--range", "-3..3", "--prove", "--operators", "ror", "--json"];
        let output = run_glassbox_in(place.path(), args);
        let found: Value = serde_json::from_slice(&output.stdout).expect("json");
        assert_eq!(found["functions"][0]["decided"]["satisfy"], 0, "{body}: {found}");
    }
}

#[test]
fn without_relations_nothing_is_violated() {
    let place = folder::with_files(&[("f.c", "int f(int x) { return x > 3 ? x : 3; }\n")]);
    let output = run_glassbox_in(place.path(), ["quality", "f.c", "--prove"]);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("f: it has no relation that mutants could violate"), "{printed}");
}

#[test]
fn without_relations_mutants_are_compared_with_the_function() {
    let found = estimate(&["--range", "1..6"]);
    assert_eq!(found["oracle"], "original");
    // A relation looks at three calls, a comparison at one: neither sees more than the other in general.
    let p = found["p_s"]["p"].as_f64().expect("a number");
    assert!(0.1 < p && p < 0.5, "{found}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = folder::with_files(&[("a.c", "int f(int *p) { return *p + 1; }\n")]);
    let run = |args: &[&str]| {
        let output = run_glassbox_in(folder.path(), [&["quality", "a.c"], args].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, shown) = run(&[]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("f: random inputs are drawn for functions of integers only"), "{shown}");
    for wrong in [["--q", "1.5"], ["--range", "5..1"], ["--q", "x"]] {
        assert_eq!(run(&wrong).0, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_range_that_a_type_does_not_have_is_refused() {
    let source = "unsigned char f(unsigned char x) { return x > 3 ? x : 3; }\n";
    let place = folder::with_files(&[("f.c", source)]);
    let out = place.path().join("out").display().to_string();
    let run = |more: &[&str]| {
        run_glassbox_in(place.path(), [&["quality", "f.c", "--out", &out], more].concat())
    };
    let output = run(&["--range", "-5..300"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("f: `x` holds 0 to 255, so -5..300 is no range of it"), "{said}");
    assert!(said.contains("help: say --range 0..255"), "{said}");
    // Without a range it is what the types have of the usual one.
    let output = run(&[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("x in 0..127, 128 inputs"), "{said}");
}
