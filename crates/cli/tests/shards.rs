//! Parts of a run on several machines, put together again: what the whole run leaves.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::folder;

const ONE: &str = "static int helper(int x) { return x > 3 ? x - 1 : -x; }\n\
    int user(int x) { if (helper(x) == 5) return 1; return 0; }\n\
    int big(int a, int b) { int s = 0; for (int i = 0; i < a; i++) s += b; return s == 21; }\n\
    int last(int x) { if (x == 1000000) return 1; return user(x); }\n";
const TWO: &str = "int other(int x) { if (x * 3 == 21) return 1; return 0; }\nint div(int a, int b) { return a / b; }\n";

fn project() -> folder::TempDir {
    folder::with_files(&[("src/one.c", ONE), ("src/two.c", TWO)])
}

/// Pages show no times.
fn run_glassbox_in<'a>(place: &Path, words: impl IntoIterator<Item = &'a str>) -> Output {
    let mut command = glassbox();
    command.args(words).current_dir(place).env("SOURCE_DATE_EPOCH", "1700000000");
    command.output().expect("the command starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All files below a folder, but for times.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut new = vec![folder.to_path_buf()];
    while let Some(next) = new.pop() {
        for path in fs::read_dir(&next).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                new.push(path);
            } else if !path.ends_with("times.json") {
                let text =
                    String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
                found.insert(path.strip_prefix(folder).expect("below").to_path_buf(), text);
            }
        }
    }
    found
}

fn shard(place: &Path, command: &str, part: &str, out: &str) -> Output {
    let words = [command, "src", "--out", out, "--shard", part];
    run_glassbox_in(place, words)
}

/// The names of functions in a suite.
fn functions(place: &Path, out: &str) -> Vec<String> {
    let text = fs::read_to_string(place.join(out).join("suite.json")).expect("a suite");
    let suite: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all = suite["functions"].as_array().expect("a list");
    all.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn parts_put_together_are_the_whole() {
    for command in ["gen", "check"] {
        let place = project();
        let whole = run_glassbox_in(place.path(), [command, "src", "--out", "all"]);
        let wanted = files(&place.path().join("all"));
        fs::rename(place.path().join("all"), place.path().join("wanted")).expect("moved");
        let mut seen = Vec::new();
        for index in 1..=3 {
            let output = shard(place.path(), command, &format!("{index}/3"), &format!("s{index}"));
            assert!(output.status.code().is_some_and(|code| code != 2), "{}", errors(&output));
            seen.extend(functions(place.path(), &format!("s{index}")));
        }
        seen.sort();
        let mut all = functions(place.path(), "wanted");
        all.sort();
        assert_eq!(seen, all, "each function is in one part");
        let merged = run_glassbox_in(place.path(), ["merge", "s2", "s3", "s1", "--out", "all"]);
        let found = files(&place.path().join("all"));
        assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
        for (name, text) in &wanted {
            let first = text.lines().zip(found[name].lines()).find(|(one, other)| one != other);
            assert!(*text == found[name], "{command}: {}: {first:?}", name.display());
        }
        assert_eq!((merged.status, &merged.stdout), (whole.status, &whole.stdout));
    }
}

#[test]
fn parts_begin_with_the_suite_that_the_whole_begins_with() {
    let place = project();
    let place = place.path();
    run_glassbox_in(place, ["gen", "src", "--out", "all"]);
    folder::write(place, "src/one.c", &ONE.replace("1000000", "1000007").replace("-x", "-x - 1"));
    copy(&place.join("all"), &place.join("before"));
    let whole = run_glassbox_in(place, ["gen", "src", "--out", "all"]);
    let said = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(said.contains("the earlier test"), "{said}");
    let wanted = files(&place.join("all"));
    assert!(wanted[Path::new("suite.json")].contains("\"seeds\""));
    fs::rename(place.join("all"), place.join("wanted")).expect("moved");
    fs::rename(place.join("before"), place.join("all")).expect("moved");
    for index in 1..=3 {
        let (part, out) = (format!("{index}/3"), format!("s{index}"));
        let words = ["gen", "src", "--out", &out, "--shard", &part, "--shard-earlier", "all"];
        let output = run_glassbox_in(place, words);
        assert!(output.status.code().is_some_and(|code| code != 2), "{}", errors(&output));
    }
    let merged = run_glassbox_in(place, ["merge", "s1", "s2", "s3", "--out", "all"]);
    assert_eq!((merged.status, &merged.stdout), (whole.status, &whole.stdout));
    let found = files(&place.join("all"));
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (name, text) in &wanted {
        let first = text.lines().zip(found[name].lines()).find(|(one, other)| one != other);
        assert!(*text == found[name], "{}: {first:?}", name.display());
    }
    // What parts began with goes with them: merging again gives the same.
    let again = run_glassbox_in(place, ["merge", "s1", "s2", "s3", "--out", "again"]);
    assert_eq!(again.status, whole.status);
    let words = ["gen", "src", "--out", "s1", "--shard", "1/3", "--shard-earlier", "nowhere"];
    let missing = run_glassbox_in(place, words);
    assert!(errors(&missing).contains("there is no suite"), "{}", errors(&missing));
    let alone = run_glassbox_in(place, ["gen", "src", "--out", "x", "--shard-earlier", "all"]);
    assert_eq!(alone.status.code(), Some(2));
}

fn copy(from: &Path, to: &Path) {
    for (name, text) in files(from) {
        folder::write(to, &name.to_string_lossy(), &text);
    }
}

#[test]
fn what_is_no_whole_is_refused() {
    let place = project();
    for index in 1..=2 {
        shard(place.path(), "gen", &format!("{index}/2"), &format!("s{index}"));
    }
    let refused = |words: &[&str], why: &str| {
        let output = run_glassbox_in(place.path(), [&["merge", "--out", "all"], words].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains(why), "{}", errors(&output));
        assert!(!place.path().join("all/suite.json").exists());
    };
    refused(&["s1"], "a part is missing: 2/2");
    refused(&["s1", "s2", "s2"], "are the same part, 2/2");
    refused(&["s1", "nowhere"], "nowhere/shard.json: No such file");
    shard(place.path(), "gen", "2/3", "t2");
    refused(&["s1", "t2"], "s1 is a part of 2, t2 of 3");
    run_glassbox_in(place.path(), ["gen", "src", "--out", "u2", "--shard", "2/2", "--seed", "4"]);
    refused(&["s1", "u2"], "different options");
    folder::write(place.path(), "src/two.c", &TWO.replace("21", "24"));
    shard(place.path(), "gen", "2/2", "v2");
    refused(&["s1", "v2"], "made of different sources");
    refused(&["s1", "s2"], "made of other sources than those that are here");
    folder::write(place.path(), "src/two.c", TWO);
    let entries = fs::read_dir(place.path().join("s1/shard/results")).expect("there").flatten();
    for entry in entries {
        fs::remove_dir_all(entry.path()).expect("removed");
    }
    refused(&["s1", "s2"], "no part has a result of");
    for wrong in ["0/2", "3/2", "x", "1"] {
        let output = shard(place.path(), "gen", wrong, "w");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn parts_take_equally_long_where_it_is_known_how_long_functions_take() {
    let place = project();
    let times = "{\"suite\": \"\", \"functions\": [\
        {\"name\": \"helper\", \"search\": 10, \"replay\": 0}, {\"name\": \"user\", \"search\": 10, \"replay\": 0},\
        {\"name\": \"big\", \"search\": 60, \"replay\": 9}, {\"name\": \"last\", \"search\": 10, \"replay\": 0},\
        {\"name\": \"other\", \"search\": 10, \"replay\": 0}, {\"name\": \"div\", \"search\": 20, \"replay\": 0}]}";
    folder::write(place.path(), "times.json", times);
    let words = ["gen", "src", "--no-exec", "--shard-times", "times.json", "--out"];
    run_glassbox_in(place.path(), [&words[..], &["s1", "--shard", "1/2"]].concat());
    run_glassbox_in(place.path(), [&words[..], &["s2", "--shard", "2/2"]].concat());
    assert_eq!(functions(place.path(), "s1"), ["big"]);
    assert_eq!(functions(place.path(), "s2").len(), 5);
}
