//! `check` on memory: leaks, allocations that fail, functions that callers pass; with the compiled program as
//! judge.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::collections::BTreeSet;
use std::process::Command;

use glassbox_testkit::root;
use glassbox_testkit::suite::{check, properties};
use serde_json::Value;

fn violated(found: &[[String; 5]]) -> Vec<(&str, &str)> {
    let violated = found.iter().filter(|[_, _, verdict, ..]| verdict == "violated");
    violated.map(|[entry, line, ..]| (entry.as_str(), line.as_str())).collect()
}

#[test]
fn leaks_are_found_where_the_compiled_program_loses_memory() {
    let (folder, summary, output) = check(&["corpus/check/leaks.c", "--leak"]);
    assert_eq!(output.status.code(), Some(3));
    let leaks = properties(&summary, "leak");
    assert_eq!(
        violated(&leaks),
        [("forgets", "15"), ("drops_tail", "42"), ("last_of", "94"), ("gives_too_early", "130"),]
    );
    for [entry, _, verdict, _, confirmed] in &leaks {
        assert!(verdict != "unknown", "{entry}");
        assert!(verdict != "violated" || confirmed.contains("leaked in"), "{entry}: {confirmed}");
    }
    let tests = folder.path().join("tests");
    let make = Command::new("make").arg("-C").arg(&tests).output().expect("make is installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stdout));
    let (_, summary, _) = check(&["corpus/check/leaks.c", "--no-exec"]);
    assert!(properties(&summary, "leak").is_empty(), "only when asked for");
}

/// Which functions of the corpus lose memory, says LeakSanitizer, over all inputs that matter.
#[test]
fn leak_sanitizer_agrees() {
    let folder = tempfile::tempdir().expect("a folder");
    let calls = [
        ("forgets", "forgets(n)"),
        ("frees", "frees(n)"),
        ("pair", "kept = pair(n, 2)"),
        ("drops_tail", "drops_tail(n)"),
        ("keeps", "keeps(n)"),
        ("fills", "fills(&text)"),
        ("grows", "text = grows()"),
        ("last_of", "text = last_of(n)"),
        ("gives", "gives()"),
        ("gives_inside", "gives_inside()"),
        ("gives_too_early", "gives_too_early()"),
    ];
    let mut body = String::new();
    for (name, call) in calls {
        body.push_str(&format!(
            "    for (int n = 0; n < 80; n += n < 4 || n >= 75 ? 1 : 71) {{\n        kept = 0; text = 0;\n        \
             if (fork() == 0) {{ {call}; wipe(); if (__lsan_do_recoverable_leak_check()) puts(\"{name}\"); \
             fflush(stdout); _exit(0); }}\n        wait(0);\n    }}\n"
        ));
    }
    let source = root().join("corpus/check/leaks.c").display().to_string();
    let text = format!(
        "#include \"{source}\"\n#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         int __lsan_do_recoverable_leak_check(void);\nstatic char *text;\n\
         static __attribute__((noinline)) void wipe(void) {{ volatile char room[65536]; \
         memset((char *)room, 0, sizeof room); }}\n\
         static struct node seen;\n\
         void hand_over(void *block) {{ text = block; \
         if (__builtin_frame_address(0) < block) memcpy(&seen, block, sizeof seen); }}\nint main(void)\n{{\n{body}    return 0;\n}}\n"
    );
    std::fs::write(folder.path().join("driver.c"), text).expect("written");
    let build = Command::new("gcc")
        .args(["-g", "-fsanitize=address", "driver.c", "-o", "driver"])
        .current_dir(folder.path())
        .output()
        .expect("gcc is installed");
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let run = Command::new("./driver")
        .env("ASAN_OPTIONS", "leak_check_at_exit=0")
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    let seen: BTreeSet<&str> = printed.lines().collect();
    let (_, summary, _) = check(&["corpus/check/leaks.c", "--leak", "--no-exec"]);
    let leaks = properties(&summary, "leak");
    let ours: BTreeSet<&str> = violated(&leaks).into_iter().map(|(entry, _)| entry).collect();
    assert_eq!(ours, seen, "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn leaks_of_main_are_those_of_valid_memtrack() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstatic char *cache;\n\
                  int main(void) {\n    cache = malloc(3);\n    char *p = malloc(4);\n    \
                  if (__VERIFIER_nondet_int() != 12) free(p);\n    return 0;\n}\n";
    let path = folder.path().join("task.c");
    std::fs::write(&path, source).expect("written");
    let path = path.display().to_string();
    let format = "suite,sarif,witness";
    let (out, summary, _) = check(&[&path, "--leak", "--format", format]);
    let leaks = properties(&summary, "leak");
    assert_eq!(violated(&leaks), [("main", "6")]);
    assert_eq!(leaks[1][3], "__VERIFIER_nondet_int() = 12");
    let read = |name: &str| std::fs::read_to_string(out.path().join(name)).expect("written");
    assert!(read("report/witness-1.yml").contains("G valid-memtrack"));
    let log: Value = serde_json::from_str(&read("glassbox.sarif")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results").clone();
    assert!(results.iter().any(|result| result["ruleId"] == "leak"
        && result["locations"][0]["physicalLocation"]["region"]["startLine"] == 6));
}

#[test]
fn allocations_fail_when_asked_for_and_the_compiled_program_shows_it() {
    let path = "corpus/check/may_fail.c";
    let (folder, summary, _) = check(&[path, "--malloc-may-fail"]);
    let derefs = properties(&summary, "null-dereference");
    let wanted = [("careless", "12"), ("half_careful", "39"), ("copies", "49")];
    assert_eq!(violated(&derefs), wanted);
    for [entry, _, verdict, inputs, confirmed] in &derefs {
        let number = if entry == "half_careful" { 2 } else { 1 };
        if verdict == "violated" {
            assert!(inputs.ends_with(&format!("allocation {number} fails")), "{entry}: {inputs}");
            assert!(confirmed.starts_with("confirmed by gcc's sanitizer"), "{entry}: {confirmed}");
        }
        // Every path was followed: no bound is left.
        assert!(entry != "careful" || verdict == "holds", "{entry}: {verdict}");
    }
    let tests = folder.path().join("tests");
    let make = Command::new("make").arg("-C").arg(&tests).output().expect("make is installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stdout));
    let (_, summary, _) = check(&[path, "--no-exec"]);
    assert!(violated(&properties(&summary, "null-dereference")).is_empty(), "only when asked for");
    // The old block is lost when `realloc` gives null.
    let args = ["corpus/check/leaks.c", "--leak", "--malloc-may-fail", "--function", "grows"];
    let (_, summary, _) = check(&args);
    let leaks = properties(&summary, "leak");
    assert_eq!(violated(&leaks), [("grows", "82")]);
    assert_eq!(leaks[0][3], "allocation 2 fails");
    assert!(leaks[0][4].contains("leaked in"), "{}", leaks[0][4]);
}

#[test]
fn callbacks_may_return_anything() {
    let (_, summary, output) = check(&["corpus/check/callbacks.c"]);
    let divisions = properties(&summary, "division-by-zero");
    assert_eq!(violated(&divisions), [("share", "11")]);
    assert!(divisions[0][3].ends_with("size_stub() = 0"), "{}", divisions[0][3]);
    assert!(divisions[0][4].contains("division by zero"), "{}", divisions[0][4]);
    let assertions = properties(&summary, "assertion");
    assert_eq!(violated(&assertions), [("twice", "26")]);
    assert_eq!(assertions[0][4], "confirmed: the compiled program aborts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("`size_stub` stands for functions that callers pass"), "{text}");
}

#[test]
fn counter_examples_have_small_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let source =
        "int table[3];\nint pick(int which, int scale) {\n    return table[which] + scale;\n}\n";
    let path = folder.path().join("pick.c");
    std::fs::write(&path, source).expect("written");
    let (_, summary, _) = check(&[&path.display().to_string(), "--no-exec"]);
    let bounds = properties(&summary, "out-of-bounds");
    let number = |text: &str| -> i64 {
        let (_, after) = text.split_once("which = ").expect("the input");
        after.split(',').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert!(number(&bounds[0][3]).abs() <= 10, "{}", bounds[0][3]);
}

/// The inside of a block that was freed is reported by path, interpreter and compiled program in the same words.
#[test]
fn pointers_into_freed_blocks_are_bad_and_not_freed_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdlib.h>\nstruct item { char *name; struct item *next; };\n\
                  void drop(struct item *a, struct item *b) {\n    if (!a || !b) return;\n    free(a->name);\n    \
                  free(b->name);\n}\n";
    let path = folder.path().join("drop.c");
    std::fs::write(&path, source).expect("written");
    let (_, summary, output) = check(&[&path.display().to_string()]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("disagreement"), "{text}");
    let double = properties(&summary, "double-free");
    assert_eq!(violated(&double), [("drop", "6")], "{text}");
    for kind in ["double-free", "bad-free"] {
        for [_, _, verdict, _, confirmed] in properties(&summary, kind) {
            assert!(verdict != "violated" || confirmed.contains("sanitizer"), "{confirmed}");
        }
    }
}
