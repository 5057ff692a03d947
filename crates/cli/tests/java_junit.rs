//! Java tests as JUnit runs them: compiled and run against Debian's JUnit 4 and 5, with the command that
//! `gen` prints.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use glassbox_testkit::java::Jdk;
use glassbox_testkit::{
    Tool,
    command::{run_glassbox_in, run_tests_as_printed},
    require, root,
};
use serde_json::Value;

fn example(name: &str) -> PathBuf {
    root().join("examples/java").join(name)
}

fn gen_in(folder: &Path, args: &[&str]) -> Output {
    run_glassbox_in(folder, [&["gen"], args].concat())
}

fn suite(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("glassbox-out/suite.json")).expect("it is written");
    serde_json::from_str(&text).expect("it is JSON")
}

fn count_tests(suite: &Value) -> usize {
    let functions = suite["functions"].as_array().expect("a list");
    functions.iter().map(|function| function["tests"].as_array().expect("a list").len()).sum()
}

const STOCK: &str = "package stock;

public class Stock {
    public static class Item {
        private final String name;
        private int pieces;
        public Item(String name) { this.name = name; }
        public void setPieces(int pieces) { this.pieces = pieces; }
        public int getPieces() { return pieces; }
    }
    static double weight(float each, double all) { return each > 1.5f ? each * all : -0.0; }
    static long total(int[] pieces, long limit) {
        long sum = 0;
        for (int each : pieces) sum += each;
        if (sum > limit) throw new IllegalStateException(\"too many\");
        return sum;
    }
    static byte[] shift(byte[] bytes, short by) {
        if (by < 0) return null;
        byte[] result = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) result[i] = (byte) (bytes[i] + by);
        return result;
    }
    static boolean take(Item item, int n) {
        if (item.pieces < n) return false;
        item.pieces -= n;
        return true;
    }
    static char kind(char letter) {
        switch (letter) {
            case 'a': return 'v';
            case 'z': return 'c';
            default: return '?';
        }
    }
}
";

#[test]
fn tests_pass_under_junit_4() {
    if require(Tool::Jdk).is_none() || require(Tool::Jar("junit4.jar")).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("Stock.java"), STOCK).expect("it can be written");
    let triangle = example("Triangle.java").display().to_string();
    let output = gen_in(folder.path(), &["Stock.java", &triangle, "--framework", "junit4"]);
    let suite = suite(folder.path());
    assert_eq!(output.status.code(), Some(0), "{suite:#}");
    let shown = run_tests_as_printed(folder.path(), &output);
    assert!(shown.contains(&format!("OK ({} tests)", count_tests(&suite))), "{shown}");
    // Every goal was seen by probes.
    let functions = suite["functions"].as_array().expect("a list");
    for function in functions {
        assert_eq!(function["confirmation"]["of"], "coverage", "{function:#}");
    }
}

#[test]
fn tests_pass_under_junit_5() {
    let Some(jdk) = Jdk::find() else { return };
    if require(Tool::Jar("junit-platform-console-standalone.jar")).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("Stock.java"), STOCK).expect("it can be written");
    jdk.compile(&[], &[folder.path().join("Stock.java")], &folder.path().join("build"));
    let more = ["--criterion", "branch", "--criterion", "exception", "--criterion", "statement"];
    let mut args = vec!["build", "--class", "stock.Stock", "--framework", "junit5"];
    args.extend(more);
    let output = gen_in(folder.path(), &args);
    let suite = suite(folder.path());
    assert_eq!(output.status.code(), Some(0), "{suite:#}");
    let shown = run_tests_as_printed(folder.path(), &output);
    let n_tests = count_tests(&suite);
    assert!(shown.contains(&format!("{n_tests} tests successful")), "{shown}");
}
