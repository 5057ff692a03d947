//! Results that are kept: the same files with and without them, and nothing old after a change.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Random, Tool, folder, require};

/// The command in a folder, with results kept below it.
fn keeping(place: &Path, words: &[&str]) -> Command {
    let mut command = glassbox();
    command.args(words).current_dir(place).env_remove("GLASSBOX_NO_CACHE");
    // Pages show no times then.
    command.env("XDG_CACHE_HOME", place.join("kept")).env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

fn run(place: &Path, words: &[&str]) -> Output {
    keeping(place, words).output().expect("the command starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How many functions were known before.
fn n_known(output: &Output) -> usize {
    let text = errors(output);
    let line = text.lines().find(|line| line.contains("were known from earlier runs"));
    let word = line.and_then(|line| line.split(' ').nth(1));
    word.map_or(0, |word| word.parse().expect("a number"))
}

/// All files below a folder, but for times.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut new = vec![folder.to_path_buf()];
    while let Some(next) = new.pop() {
        for entry in fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            let is_of_part = path.ends_with("shard") || path.ends_with("shard.json");
            if path.is_dir() && !is_of_part {
                new.push(path);
            } else if !path.ends_with("times.json") && !is_of_part {
                let name = path.strip_prefix(folder).expect("below").to_path_buf();
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

#[track_caller]
fn assert_same(a: &BTreeMap<PathBuf, Vec<u8>>, b: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, content) in a {
        let (one, other) = (String::from_utf8_lossy(content), String::from_utf8_lossy(&b[name]));
        let first = one.lines().zip(other.lines()).find(|(one, other)| one != other);
        assert!(*content == b[name], "{}: {first:?}", name.display());
    }
}

const PROGRAM: &str = "#include <string.h>\n\
    #include \"shape.h\"\n\
    int limit = 7;\n\
    int log_it(int x);\n\
    static int helper(int x) { return x > SMALL ? x - 1 : -x; }\n\
    int user(int x) { if (helper(x) == 5) return 1; return 0; }\n\
    int alone(int x) { if (x == limit) return 2; return 3; }\n\
    int area(struct shape *s) { if (s->width * s->height == 12) return 1; return 0; }\n\
    int words(const char *s) { if (strcmp(s, \"two\") == 0) return 2; return log_it(1) > 3; }\n\
    double half(double d) { if (d / 2 == 1.5) return d; return -d; }\n\
    int div(int a, int b) { return a / b; }\n";
const HEADER: &str =
    "#define SMALL 3\nstruct shape { short width; short height; };\nint linked(int x);\n";

fn project() -> folder::TempDir {
    folder::with_files(&[
        ("a.c", PROGRAM),
        ("shape.h", HEADER),
        ("linked.c", "int linked(int x) { return x + 1; }\n"),
        (
            "b.c",
            "int linked(int x);\nint caller(int x) { if (linked(x) == 9) return 1; return 0; }\n",
        ),
        ("glassbox.toml", "[function.half]\nrequire = [\"d > 0\"]\n"),
    ])
}

#[test]
fn files_are_the_same_with_and_without_what_is_kept() {
    for command in [
        &["gen", "a.c", "--out", "o", "--criterion", "mcdc", "--format", "html,lcov,sarif"][..],
        &["check", "a.c", "--out", "o", "--format", "suite,tests,sarif,html"],
        &["gen", "a.c", "--out", "o", "--criterion", "boundary", "--all", "3", "--no-exec"],
    ] {
        let place = project();
        let plain = keeping(place.path(), command).env("GLASSBOX_NO_CACHE", "1").output();
        let plain = plain.expect("the command starts");
        let wanted = files(&place.path().join("o"));
        assert!(!place.path().join("kept").exists(), "nothing is kept");
        let cold = run(place.path(), command);
        assert_eq!(n_known(&cold), 0);
        assert_same(&files(&place.path().join("o")), &wanted);
        let warm = run(place.path(), command);
        assert_eq!(n_known(&warm), 7, "{}", errors(&warm));
        assert_same(&files(&place.path().join("o")), &wanted);
        assert_eq!(plain.stdout, warm.stdout);
        assert_eq!((plain.status, cold.status), (warm.status, warm.status));
        // Reports of another format come from the same results.
        let other = run(place.path(), &[command, &["--jobs", "1"]].concat());
        assert_eq!(n_known(&other), 7);
    }
}

#[test]
fn java_is_kept_as_a_whole() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "class A { static int f(int x) { return x == 77 ? 1 : 2; }\n static int g(int x) { return x > 3 ? 1 : 2; } }\n";
    for command in ["gen", "check"] {
        let place = folder::with_files(&[("A.java", source)]);
        let words = [command, "A.java", "--out", "o"];
        keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output().expect("starts");
        let wanted = files(&place.path().join("o"));
        run(place.path(), &words);
        let warm = run(place.path(), &words);
        assert!(n_known(&warm) >= 2, "{}", errors(&warm));
        assert_same(&files(&place.path().join("o")), &wanted);
        folder::write(place.path(), "A.java", &source.replace("77", "78"));
        assert_eq!(n_known(&run(place.path(), &words)), 0);
    }
}

/// A change, and how many of the functions of a.c are known after it.
struct Change {
    what: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    known: usize,
}

const CHANGES: &[Change] = &[
    Change { what: "nothing", file: "a.c", from: "x", to: "x", known: 7 },
    Change { what: "a callee", file: "a.c", from: "x - 1", to: "x - 2", known: 5 },
    Change { what: "a caller", file: "a.c", from: "== 5", to: "== 6", known: 6 },
    Change { what: "a function", file: "a.c", from: "== 12", to: "== 13", known: 6 },
    Change { what: "a literal", file: "a.c", from: "\"two\"", to: "\"six\"", known: 6 },
    Change {
        what: "the start of a global",
        file: "a.c",
        from: "limit = 7",
        to: "limit = 8",
        known: 0,
    },
    Change {
        what: "a type",
        file: "shape.h",
        from: "short height",
        to: "short HEIGHT, height",
        known: 0,
    },
    Change { what: "a macro", file: "shape.h", from: "SMALL 3", to: "SMALL 4", known: 5 },
    Change { what: "a contract", file: "glassbox.toml", from: "d > 0", to: "d > 1", known: 6 },
    Change {
        what: "a contract of another",
        file: "glassbox.toml",
        from: "[function.half]",
        to: "[function.alone]\nrequire = [\"x > 1\"]\n[function.half]",
        known: 0,
    },
    Change {
        what: "a comment in a function",
        file: "a.c",
        from: "return 2; return 3;",
        to: "return 2; return/**/3;",
        known: 6,
    },
    Change {
        what: "a comment behind all",
        file: "a.c",
        from: "return a / b; }\n",
        to: "return a / b; }\n/* more */\n",
        known: 7,
    },
    Change {
        what: "a line before all",
        file: "a.c",
        from: "#include <string.h>\n",
        to: "\n#include <string.h>\n",
        known: 0,
    },
    Change {
        what: "a declaration",
        file: "a.c",
        from: "int log_it(int x);",
        to: "int log_it(long x);",
        known: 0,
    },
];

#[test]
fn what_depends_on_a_change_is_done_again_and_nothing_else() {
    again_after_changes("gen");
}

#[test]
fn what_depends_on_a_change_is_checked_again_and_nothing_else() {
    again_after_changes("check");
}

/// Every change is one of the same program, which is known.
fn again_after_changes(command: &str) {
    let place = project();
    let words = [command, "a.c", "--out", "o"];
    run(place.path(), &words);
    for Change { what, file, from, to, known } in CHANGES {
        let path = place.path().join(file);
        let text = fs::read_to_string(&path).expect("there");
        assert!(text.contains(from), "{what}");
        fs::write(&path, text.replacen(from, to, 1)).expect("written");
        // Stubs that are there belong to the user and stay as they were.
        fs::remove_dir_all(place.path().join("o")).expect("removed");
        let output = run(place.path(), &words);
        assert_eq!(n_known(&output), *known, "{command}: {what}: {}", errors(&output));
        let kept = files(&place.path().join("o"));
        fs::remove_dir_all(place.path().join("o")).expect("removed");
        keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output().expect("starts");
        assert_same(&files(&place.path().join("o")), &kept);
        fs::write(&path, text).expect("written");
    }
}

/// A comment that is not understood makes verdicts about all functions weaker.
#[test]
fn a_comment_that_is_not_understood_counts() {
    let source = "int f(int x) { return x > 3 ? 1 : 2; }\n\nint g(int x) { return x & 1; }\n";
    let place = folder::with_files(&[("a.c", source)]);
    let words = ["check", "a.c", "--out", "o"];
    assert_eq!(run(place.path(), &words).status.code(), Some(0));
    let unread = source.replacen("\n\n", "\n/*@ requires \\blurb(x); */\n", 1);
    folder::write(place.path(), "a.c", &unread);
    let plain = keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output();
    let kept = run(place.path(), &words);
    assert_eq!(n_known(&kept), 0);
    assert_eq!(kept.stdout, plain.expect("starts").stdout);
    assert_eq!(kept.status.code(), Some(1), "{}", errors(&kept));
}

#[test]
fn options_flags_and_surroundings_count() {
    let place = project();
    let words = ["gen", "a.c", "--out", "o"];
    run(place.path(), &words);
    assert_eq!(n_known(&run(place.path(), &words)), 7);
    for more in [
        &["--seed", "1"][..],
        &["--max-paths", "1999"],
        &["--max-length", "7"],
        &["--overflow", "wrap"],
        &["--timeout", "19"],
        &["--criterion", "statement"],
        &["--stub-writes", "nothing"],
        &["--no-exec"],
        &["--all", "2"],
        &["--goal", "alone/branch/7:24/true"],
        &["--", "-DOTHER"],
        &["--", "-fwrapv"],
    ] {
        let output = run(place.path(), &[&words, more].concat());
        assert_eq!(n_known(&output), 0, "{more:?}: {}", errors(&output));
    }
    for (name, value) in [("CPATH", "/tmp"), ("LC_ALL", "C"), ("MALLOC_ARENA_MAX", "1")] {
        let output = keeping(place.path(), &words).env(name, value).output().expect("starts");
        assert_eq!(n_known(&output), 0, "{name}");
    }
    // The folder has the tests of other options now, and a run begins with what is there.
    run(place.path(), &words);
    // Where files go, how many work at once and which reports are left does not.
    for more in [&["--jobs", "1"][..], &["--format", "lcov"], &["--json"], &["--force"]] {
        assert_eq!(n_known(&run(place.path(), &[&words, more].concat())), 7, "{more:?}");
    }
    assert_eq!(n_known(&run(place.path(), &["gen", "a.c", "--out", "elsewhere"])), 7);
    assert_eq!(
        n_known(&run(place.path(), &["gen", "a.c", "--out", "o", "--function", "alone"])),
        1
    );
    assert_eq!(n_known(&run(place.path(), &[&words[..], &["--no-cache"]].concat())), 0);
    assert_eq!(n_known(&run(place.path(), &["check", "a.c", "--out", "o"])), 0);
}

#[test]
fn another_compiler_is_another_result() {
    let place = project();
    let words = ["gen", "a.c", "--out", "o", "--cc", "./mine"];
    let script = |more: &str| {
        folder::write(place.path(), "mine", &format!("#!/bin/sh\n{more}exec cc \"$@\"\n"));
        let made = Command::new("chmod").arg("+x").arg(place.path().join("mine")).status();
        assert!(made.is_ok_and(|made| made.success()));
    };
    script("");
    run(place.path(), &words);
    assert_eq!(n_known(&run(place.path(), &words)), 7);
    script("# another\n");
    assert_eq!(n_known(&run(place.path(), &words)), 0);
}

#[test]
fn linked_files_and_own_stubs_count() {
    let place = project();
    let words = ["gen", "b.c", "--link", "linked.c", "--out", "o"];
    run(place.path(), &words);
    assert_eq!(n_known(&run(place.path(), &words)), 1);
    folder::write(place.path(), "linked.c", "int linked(int x) { return x + 2; }\n");
    assert_eq!(n_known(&run(place.path(), &words)), 0);
    let words = ["gen", "b.c", "--out", "p"];
    run(place.path(), &words);
    assert_eq!(n_known(&run(place.path(), &words)), 1);
    let stub = fs::read_dir(place.path().join("p/tests")).expect("there").flatten();
    let stub = stub.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("stub"));
    if let Some(stub) = stub {
        fs::write(stub, "int linked(int x) { return x * 2 - 1; }\n").expect("written");
        assert_eq!(n_known(&run(place.path(), &words)), 0);
    }
}

/// The files of results.
fn entries(place: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(place.join("kept/glassbox/results")).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[test]
fn what_is_damaged_or_of_another_version_is_named_and_found_again() {
    let place = project();
    let words = ["gen", "a.c", "--out", "o"];
    run(place.path(), &words);
    let wanted = files(&place.path().join("o"));
    let all = entries(place.path());
    assert_eq!(all.len(), 7);
    let damages: [fn(Vec<u8>) -> Vec<u8>; 4] = [
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |_| Vec::new(),
        |mut bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x40;
            bytes
        },
        |bytes| String::from_utf8_lossy(&bytes).replacen("glassbox 1", "glassbox 0", 1).into(),
    ];
    for damage in damages {
        let whole = fs::read(&all[0]).expect("there");
        fs::write(&all[0], damage(whole)).expect("written");
        let output = run(place.path(), &words);
        let text = errors(&output);
        assert!(text.contains("a kept result is damaged: it is not used"), "{text}");
        assert_eq!(n_known(&output), 6, "{text}");
        assert_same(&files(&place.path().join("o")), &wanted);
        assert_eq!(n_known(&run(place.path(), &words)), 7, "it was written again");
    }
    // Another function's result under this name is no result.
    fs::copy(&all[1], &all[0]).expect("copied");
    let output = run(place.path(), &words);
    assert!(errors(&output).contains("it does not say what its name says"), "{}", errors(&output));
    assert_same(&files(&place.path().join("o")), &wanted);
}

#[test]
fn a_folder_that_cannot_be_written_costs_nothing_else() {
    let place = project();
    folder::write(place.path(), "kept", "a file");
    let output = run(place.path(), &["gen", "a.c", "--out", "o"]);
    let plain =
        keeping(place.path(), &["gen", "a.c", "--out", "o"]).env("GLASSBOX_NO_CACHE", "1").output();
    assert_eq!(output.stdout, plain.expect("starts").stdout);
    assert_eq!(errors(&output).matches("warning: results are not kept: ").count(), 1);
    assert!(place.path().join("o/suite.json").exists());
}

#[test]
fn a_full_disk_is_named_and_nothing_half_is_left() {
    let place = project();
    let binary = glassbox();
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' gen a.c --out o --no-exec",
        binary.get_program().to_string_lossy()
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).current_dir(place.path()).env_remove("GLASSBOX_NO_CACHE");
    let output = shell.env("XDG_CACHE_HOME", place.path().join("kept")).output().expect("starts");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(errors(&output).contains("File too large"), "{}", errors(&output));
    assert!(!place.path().join("o/suite.json").exists());
    let again = run(place.path(), &["gen", "a.c", "--out", "o", "--no-exec"]);
    assert!(!errors(&again).contains("damaged"), "{}", errors(&again));
    assert!(place.path().join("o/suite.json").exists());
}

#[test]
fn two_runs_in_one_folder_leave_what_one_leaves() {
    let place = project();
    let words = ["gen", "a.c", "--out", "o"];
    keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output().expect("starts");
    let wanted = files(&place.path().join("o"));
    fs::remove_dir_all(place.path().join("o")).expect("removed");
    let start = || {
        let mut command = keeping(place.path(), &words);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    };
    for mut child in [start(), start()] {
        assert!(child.wait().is_ok_and(|status| status.code() == Some(0)));
    }
    let left = files(&place.path().join("o"));
    assert_eq!(left[Path::new("suite.json")], wanted[Path::new("suite.json")]);
    assert_eq!(n_known(&run(place.path(), &words)), 7);
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_stopped() {
    let place = folder::empty();
    let function = |n: usize| {
        format!(
            "int f{n}(int x, int y) {{ int s = 0; for (int i = 0; i < (x & 7); i++) s += y; if (s == {n} * 7 + 9) return 1; return 0; }}\n"
        )
    };
    // What is found is kept after 64 of them.
    let source: String = (0..70).map(function).collect();
    folder::write(place.path(), "a.c", &source);
    let words = ["gen", "a.c", "--out", "o", "--jobs", "1", "--timeout", "60"];
    let mut command = keeping(place.path(), &words);
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    while entries(place.path()).is_empty() && child.try_wait().is_ok_and(|it| it.is_none()) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    let again = run(place.path(), &words);
    assert!(n_known(&again) > 0, "{}", errors(&again));
    let found = files(&place.path().join("o"));
    keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output().expect("starts");
    assert_same(&files(&place.path().join("o")), &found);
}

/// Nothing is half written, whenever it happens: the next run leaves what a run leaves that was left alone.
#[test]
fn runs_that_are_killed_at_any_moment_cost_nothing_but_time() {
    let place = folder::empty();
    let function = |n: usize| {
        format!(
            "int f{n}(int x, int y) {{ int s = 0; for (int i = 0; i < (x & 7); i++) s += y; if (s == {n} + 9) return 1; return x > y; }}\n"
        )
    };
    for unit in 0..3 {
        let source: String = (unit * 8..unit * 8 + 8).map(function).collect();
        folder::write(place.path(), &format!("src/u{unit}.c"), &source);
    }
    let words = ["gen", "src", "--out", "o"];
    let begun = Instant::now();
    keeping(place.path(), &words).env("GLASSBOX_NO_CACHE", "1").output().expect("starts");
    let whole = begun.elapsed();
    let wanted = files(&place.path().join("o"));
    let mut random = Random::new(19);
    for _ in 0..6 {
        let _ = fs::remove_dir_all(place.path().join("kept"));
        let _ = fs::remove_dir_all(place.path().join("o"));
        for _ in 0..2 {
            let mut command = keeping(place.path(), &words);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("the command starts");
            std::thread::sleep(whole.mul_f64(random.below(100) as f64 / 100.0));
            let _ = child.kill();
            let _ = child.wait();
        }
        let output = run(place.path(), &words);
        assert!(!errors(&output).contains("damaged"), "{}", errors(&output));
        // Files that were being written have names of their own.
        let mut left = files(&place.path().join("o"));
        let is_partial = |path: &Path| path.to_string_lossy().contains(".glassbox-");
        left.retain(|path, _| !is_partial(path));
        assert_same(&left, &wanted);
    }
}

#[test]
fn the_folder_is_looked_at_and_cleared() {
    let place = project();
    run(place.path(), &["gen", "a.c", "--out", "o", "--no-exec"]);
    let said =
        |words: &[&str]| String::from_utf8_lossy(&run(place.path(), words).stdout).into_owned();
    assert!(said(&["cache", "size"]).contains("7 results, "));
    assert!(said(&["cache", "gc"]).starts_with("removed: 0 results"));
    assert!(said(&["cache", "gc", "--max-size", "0"]).starts_with("removed: 7 results"));
    run(place.path(), &["gen", "a.c", "--out", "o", "--no-exec"]);
    assert!(said(&["cache", "clear"]).starts_with("removed: 7 results"));
    assert!(said(&["cache", "size"]).contains("0 results, 0 preprocessed texts, 0.0 MB"));
}

/// No list of the files that a text was made of says which ones were looked for in vain.
#[test]
fn a_header_that_comes_to_be_found_first_counts() {
    let folder =
        folder::with_files(&[("a.c", "#include <net/api.h>\nint f(void) { return 100 / K; }\n")]);
    let place = folder.path();
    for name in ["lib/net", "cfg"] {
        fs::create_dir_all(place.join(name)).expect("a folder");
    }
    fs::write(place.join("lib/net/api.h"), "#include \"config.h\"\n").expect("writable");
    fs::write(place.join("cfg/config.h"), "#define K 5\n").expect("writable");
    let words = ["check", "a.c", "--", "-Ilib", "-Icfg"];
    assert_eq!(run(place, &words).status.code(), Some(0));
    fs::write(place.join("lib/net/config.h"), "#define K 0\n").expect("writable");
    let output = run(place, &words);
    assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
}
