//! Generated C tests as their reviewers want them: small inputs, texts as texts, constants by their names.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::process::Command;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

/// The tests of `f`, which pass and cover all its goals.
#[track_caller]
fn tests_of_f(source: &str, more: &[&str]) -> String {
    let folder = folder::with_files(&[("a.c", source)]);
    let args = ["gen", "a.c", "--out", "o", "--function", "f"];
    let output = run_glassbox_in(folder.path(), [&args[..], more].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let made = Command::new("make").arg("-C").arg(folder.path().join("o/tests")).output();
    let made = made.expect("make is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    std::fs::read_to_string(folder.path().join("o/tests/test_f.c")).expect("tests are written")
}

/// The longest line that declares characters behind a pointer.
fn longest_text(tests: &str) -> usize {
    let texts = tests.lines().filter_map(|line| line.split_once("_data["));
    let lengths = texts.filter_map(|(_, rest)| rest.split_once(']')?.0.parse().ok());
    lengths.max().expect("a text")
}

#[test]
fn texts_are_as_short_as_their_goals_allow_and_end_in_a_zero() {
    let source = "#define E_EMPTY 3\n#define E_LONG (E_EMPTY + 33)\n#define E_WIDE 36\n\
                  int f(const char *s)\n{\n  int n = 0, err = 0;\n  while (s[n] && s[n] != '=') n++;\n  \
                  if (n == 0) { err = -E_EMPTY; goto out; }\n  if (n >= 16) return -E_WIDE;\n  \
                  if (s[n] != '=') err = -1;\nout:\n  return err;\n}\n";
    let tests = tests_of_f(source, &[]);
    assert_eq!(longest_text(&tests), 17, "{tests}");
    // No array of single characters is left.
    assert!(!tests.contains("] = {'"), "{tests}");
    assert!(tests.contains("CHECK(result == -E_WIDE);"), "{tests}");
    assert!(tests.contains("CHECK(result == -E_EMPTY);"), "{tests}");
    assert!(tests.contains("test_f__returns_minus_E_WIDE_"), "{tests}");
    assert!(tests.contains("CHECK(result == -1);"), "{tests}");
}

#[test]
fn lists_are_as_short_as_their_goals_allow() {
    let source = "struct node { char name[16]; int value; struct node *next; };\n\
                  int f(struct node *list, int value)\n{\n  int n = 0;\n  \
                  for (struct node *at = list; at; at = at->next) {\n    if (at->value == value) return n;\n    n++;\n  }\n  \
                  return n > 2 ? -2 : -1;\n}\n";
    let tests = tests_of_f(source, &[]);
    // Three nodes are needed once, and never more.
    assert!(tests.contains("list_next_next["), "{tests}");
    assert!(!tests.contains("list_next_next_next["), "{tests}");
}

#[test]
fn pairs_of_mcdc_stay_pairs_and_contracts_stay_kept() {
    let source = "int f(const char *s, int n)\n{\n  int i = 0;\n  while (i < n && s[i] != 'x' && s[i] != 'y') i++;\n  \
                  return i;\n}\n";
    let tests = tests_of_f(source, &["--criterion", "mcdc"]);
    assert!(tests.contains("MC/DC"), "{tests}");
    let folder = folder::with_files(&[
        ("a.c", source),
        ("glassbox.toml", "[function.f]\nlength.s = 9\nrequire = [\"n == 9\"]\n"),
    ]);
    let args = ["gen", "a.c", "--out", "o"];
    let output = run_glassbox_in(folder.path(), args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!printed.contains("unknown ("), "{printed}");
    let tests = std::fs::read_to_string(folder.path().join("o/tests/test_f.c")).expect("written");
    assert!(tests.contains("s_data[9]") && !tests.contains("s_data[1"), "{tests}");
    assert!(tests.contains("n = 9;") && !tests.contains("n = 1;"), "{tests}");
}

/// What has two names has none, and a name that a test cannot see is not used.
#[test]
fn numbers_have_a_name_only_where_there_is_one() {
    let source = "#define TWO 2\n#define ZWEI 2\n#define HIDDEN 5\nenum { SEEN = 7 };\n\
                  int f(int x)\n{\n  enum { LOCAL = 4 };\n  switch (x) {\n  case 1: return TWO;\n  case 2: return ZWEI;\n  \
                  case 3: return LOCAL;\n  case 4: return HIDDEN;\n  case 5: return (SEEN);\n  }\n  return 0;\n}\n\
                  #undef HIDDEN\n";
    let tests = tests_of_f(source, &[]);
    for expected in ["== 2);", "== 4);", "== 5);", "== SEEN);", "returns_SEEN"] {
        assert!(tests.contains(expected), "{expected}: {tests}");
    }
}
