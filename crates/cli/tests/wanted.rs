//! `gen --reach`, `--goal` and `--covered`: only some goals are asked for.

use glassbox_testkit::suite::{generate_for, goals_with, texts};

const PROGRAM: &str = "int f(int x) {\n\
    \x20   if (x > 100)\n\
    \x20       return 1;\n\
    \x20   if (x == -7)\n\
    \x20       return 2;\n\
    \x20   return 0;\n}\n\
    int g(int y) { return y > 3 ? 1 : 0; }\n";

#[test]
fn a_line_is_reached() {
    let (_folder, suite, output) = generate_for(PROGRAM, &["--reach", "mine.c:5"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let functions = suite["functions"].as_array().expect("a list");
    assert_eq!(functions.len(), 1, "{suite:#}");
    assert_eq!(functions[0]["goals"].as_array().map(Vec::len), Some(1), "{suite:#}");
    assert_eq!(goals_with(&suite, "covered").len(), 1, "{suite:#}");
    assert_eq!(functions[0]["tests"].as_array().map(Vec::len), Some(1), "{suite:#}");
}

#[test]
fn a_goal_is_named_by_its_id() {
    let (_folder, suite, output) = generate_for(PROGRAM, &["--goal", "g/branch/8:23/false"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(texts(&goals_with(&suite, "covered")), ["y > 3 is false"], "{suite:#}");
    assert_eq!(suite["functions"].as_array().map(Vec::len), Some(1), "{suite:#}");
}

#[test]
fn what_is_not_there_is_an_error() {
    for args in [["--reach", "mine.c:70"], ["--goal", "g/branch/1:1/true"], ["--reach", "mine.c"]] {
        let (_folder, _suite, output) = generate_for(PROGRAM, &args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(args[1]), "{text}");
    }
}

#[test]
fn an_existing_suite_is_completed() {
    let folder = glassbox_testkit::folder::with_files(&[(
        "lcov.info",
        "SF:somewhere/mine.c\nDA:2,2\nBRDA:2,0,0,1\nBRDA:2,0,1,1\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\n\
         end_of_record\n",
    )]);
    let tracefile = folder.path().join("lcov.info").display().to_string();
    // A file in another folder is another one.
    let (_folder, suite, _) = generate_for(PROGRAM, &["--covered", &tracefile, "--function", "f"]);
    assert_eq!(goals_with(&suite, "covered").len(), 4, "{suite:#}");
    let renamed = std::fs::read_to_string(&tracefile).expect("a file").replace("somewhere/", "");
    let folder = glassbox_testkit::folder::with_files(&[("lcov.info", &*renamed)]);
    let tracefile = folder.path().join("lcov.info").display().to_string();
    let (_folder, suite, _) = generate_for(PROGRAM, &["--covered", &tracefile, "--function", "f"]);
    assert_eq!(texts(&goals_with(&suite, "covered")), ["x == -7 is true", "x == -7 is false"]);
}
